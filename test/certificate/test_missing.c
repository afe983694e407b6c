// SPDX-License-Identifier: Apache-2.0
// Steps that lack a contact or the row of a limit but are otherwise consistent: a model without the
// contact or limit makes the step, a model with it certifies the step.
#include <uptack/certificate.h>

#include "physics/lab.h"

typedef struct Made {
    Lab lab;
    utStepResult result;
} Made;

static utCertificate judge_by(const utModel* model, const utStepReport* report)
{
    utStepReport other = *report;
    utCertificate certificate = {0};
    other.model = model;
    CHECK_INT(ut_certify(&other, 1e-8, test_arena(), &certificate), UT_OK);
    return certificate;
}

// ---- limits -------------------------------------------------------------------------------------

// A block on a joint that moves by 0.05 rad or m during the step.
static Made turn_a_block(utJointKind kind, bool limited)
{
    Made made = {.lab = lab_open(0.01)};
    made.lab.options.gravity = ut_vec3_zero();
    const int block = lab_body(&made.lab, NULL, ut_vec3_zero());
    utJointDef joint = ut_joint_def(block, kind);
    joint.limited = limited;
    joint.range[0] = kind == UT_JOINT_BALL ? 0.0 : -0.01;
    joint.range[1] = 0.01;
    CHECK(ut_model_def_joint(made.lab.def, &joint) >= 0);
    lab_geom(&made.lab, block, UT_SHAPE_BOX, ut_vec3(0.1, 0.1, 0.1), 1.0, 0.5);
    lab_start(&made.lab);
    return made;
}

TEST(a_step_past_a_limit_without_its_row_does_not_pass)
{
    const utJointKind kinds[] = {UT_JOINT_SLIDE, UT_JOINT_HINGE, UT_JOINT_BALL};
    const double speeds[] = {5.0, -5.0, 0.5};
    for (int k = 0; k < 3; k++) {
        for (int s = 0; s < 3; s++) {
            Made made = turn_a_block(kinds[k], false), limited = turn_a_block(kinds[k], true);
            lab_velocity(&made.lab, 0, speeds[s]);
            lab_step(&made.lab, NULL, &made.result);
            const utCertificate c = judge_by(limited.lab.model, &made.result.report);
            const bool past = s < 2; // 0.005 is within the range
            CHECK(c.passed == !past);
            CHECK(!past || strcmp(ut_certificate_reason_name(c.reason), "active set") == 0);
            lab_close(&made.lab);
            lab_close(&limited.lab);
        }
    }
}

// ---- pairs --------------------------------------------------------------------------------------

// A body that moves towards a second one, and a third one far away.
static Made meet(utShapeKind kind, double speed, bool collide)
{
    Made made = {.lab = lab_open(0.01)};
    made.lab.options.gravity = ut_vec3_zero();
    for (int i = 0; i < 3; i++) {
        const int body = lab_body(&made.lab, NULL, ut_vec3(0.25 * i, i == 2 ? 5.0 : 0.0, 0));
        lab_free(&made.lab, body);
        utGeomDef geom = ut_geom_def(body, kind, ut_vec3(0.1, 0.1, 0.1));
        geom.mass = 1.0;
        geom.contype = collide ? 1 : 0;
        geom.conaffinity = collide ? 1 : 0;
        CHECK(ut_model_def_geom(made.lab.def, &geom) >= 0);
    }
    lab_start(&made.lab);
    lab_velocity(&made.lab, 0, speed);
    return made;
}

TEST(a_step_into_another_body_without_a_contact_does_not_pass)
{
    const utShapeKind kinds[] = {UT_SHAPE_SPHERE, UT_SHAPE_BOX, UT_SHAPE_ELLIPSOID};
    const double speeds[] = {10.0, 4.0}; // ends 5 cm deep; ends 1 cm apart
    for (int k = 0; k < 3; k++) {
        for (int s = 0; s < 2; s++) {
            Made made = meet(kinds[k], speeds[s], false), judge = meet(kinds[k], 0.0, true);
            lab_step(&made.lab, NULL, &made.result);
            CHECK_INT(made.result.report.contacts, 0);
            const utCertificate c = judge_by(judge.lab.model, &made.result.report);
            CHECK(c.passed == (s == 1));
            CHECK(s == 1 || strcmp(ut_certificate_reason_name(c.reason), "active set") == 0);
            lab_close(&made.lab);
            lab_close(&judge.lab);
        }
    }
}

// ---- surfaces -----------------------------------------------------------------------------------

// A body 1 cm above two triangles, at z = 0.
static Made fall_on_triangles(utShapeKind kind, double speed, bool collide, utArena* keep)
{
    static const utVec3 vertex[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const int triangle[6] = {0, 1, 2, 0, 2, 3};
    Made made = {.lab = lab_open(0.01)};
    made.lab.options.gravity = ut_vec3_zero();
    utGeomDef ground = ut_geom_def(0, UT_SHAPE_MESH, ut_vec3_zero());
    ground.shape = lab_mesh(keep, 4, vertex, 2, triangle);
    ground.contype = ground.conaffinity = collide ? 1 : 0;
    CHECK(ut_model_def_geom(made.lab.def, &ground) >= 0);
    const int body = lab_body(&made.lab, NULL, ut_vec3(0.2, 0.1, 0.11));
    lab_free(&made.lab, body);
    lab_geom(&made.lab, body, kind, ut_vec3(0.1, 0.1, 0.1), 1.0, 0.5);
    lab_start(&made.lab);
    lab_velocity(&made.lab, 2, -speed);
    return made;
}

TEST(a_step_into_triangles_without_a_contact_does_not_pass)
{
    const utShapeKind kinds[] = {UT_SHAPE_SPHERE, UT_SHAPE_BOX, UT_SHAPE_ELLIPSOID};
    const double speeds[] = {2.0, 0.5}; // ends 1 cm deep; ends 5 mm apart
    for (int k = 0; k < 3; k++) {
        for (int s = 0; s < 2; s++) {
            utArena keep = test_arena();
            Made made = fall_on_triangles(kinds[k], speeds[s], false, &keep);
            Made judge = fall_on_triangles(kinds[k], 0.0, true, &keep);
            lab_step(&made.lab, NULL, &made.result);
            CHECK_INT(made.result.report.contacts, 0);
            const utCertificate c = judge_by(judge.lab.model, &made.result.report);
            CHECK(c.passed == (s == 1));
            CHECK(s == 1 || strcmp(ut_certificate_reason_name(c.reason), "active set") == 0);
            lab_close(&made.lab);
            lab_close(&judge.lab);
        }
    }
}
