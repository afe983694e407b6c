// SPDX-License-Identifier: Apache-2.0
// Explicit contact pairs in steps: geoms that no mask lets collide do so through a pair, with the pair's
// friction, and the certificate knows the pairs of the model.
#include <uptack/certificate.h>
#include <uptack/dyn.h>

#include "physics/lab.h"

static utCertificate judge_by(const utModel* model, const utStepReport* report)
{
    utStepReport other = *report;
    utCertificate certificate = {0};
    other.model = model;
    CHECK_INT(ut_certify(&other, 1e-8, test_arena(), &certificate), UT_OK);
    return certificate;
}

// A plane of slope `angle` about y and a box of half length 0.1 on it, without masks and with friction 1.
// @param mu of their pair; negative: there is no pair
static Lab box_on_slope(double angle, double height, double mu)
{
    Lab lab = lab_open(0.01);
    const utVec3 n = ut_vec3(sin(angle), 0, cos(angle));
    lab_plane(&lab, ut_vec3_zero(), n, 1.0);
    utBodyDef body = ut_body_def();
    body.pos = ut_vec3_scale(n, 0.1 + height);
    body.quat = ut_quat(cos(0.5 * angle), 0, sin(0.5 * angle), 0);
    CHECK_INT(ut_model_def_body(lab.def, &body), 1);
    lab_free(&lab, 1);
    utGeomDef box = ut_geom_def(1, UT_SHAPE_BOX, ut_vec3(0.1, 0.1, 0.1));
    box.contype = box.conaffinity = 0;
    box.mass = 2.0;
    CHECK_INT(ut_model_def_geom(lab.def, &box), 1);
    if (mu >= 0.0) {
        utPairDef pair = ut_pair_def(1, 0);
        pair.friction[0] = pair.friction[1] = mu;
        CHECK_INT(ut_model_def_pair(lab.def, &pair), 0);
    }
    return lab;
}

// tan 0.35 = 0.365: with 0.4 the box sticks, with 0.3 it slides with g (sin a - mu cos a). The geoms'
// own friction 1 would hold it in both cases. A step changes the speed by exactly h a up to the tolerance
// of E, 1e-8 of a velocity scale below 1 m/s, so that 100 steps leave 1e-6 m/s.
TEST(a_box_slides_with_the_friction_of_its_pair)
{
    const double mu[] = {0.4, 0.3};
    for (int k = 0; k < 2; k++) {
        Lab lab = box_on_slope(0.35, 0.0, mu[k]);
        lab_start(&lab);
        lab_steps(&lab, 100, NULL, NULL);
        CHECK_INT(lab.certified, lab.steps);
        const double* v = ut_sim_v(lab.sim);
        const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        const double a = 9.81 * (sin(0.35) - mu[k] * cos(0.35));
        CHECK_NEAR(speed, a > 0.0 ? a : 0.0, 1e-6);
        lab_close(&lab);
    }
}

// In all coordinates and in the plane: the ball falls 0.05 m, stays there, and never penetrates.
static void check_rest(utPlanar planar, bool maximal)
{
    Lab lab = box_on_slope(0.0, 0.05, 0.5);
    lab.options.planar = planar;
    lab_start(&lab);
    if (maximal) {
        utModel* other = NULL;
        utError err = {0};
        CHECK_INT(ut_model_maximal(lab.model, NULL, &other, &err), UT_OK);
        CHECK_INT(other->npair, 1);
        ut_sim_destroy(lab.sim);
        ut_model_destroy(lab.model);
        lab.model = other;
        CHECK_INT(ut_sim_create(other, NULL, &lab.sim, &err), UT_OK);
    }
    lab_steps(&lab, 50, NULL, NULL);
    CHECK_INT(lab.certified, lab.steps);
    CHECK_NEAR(ut_sim_body(lab.sim, 1).frame.p.z, 0.1, 1e-9);
    lab_close(&lab);
}

TEST(geoms_without_masks_rest_on_each_other_by_their_pair)
{
    check_rest(UT_PLANAR_NONE, false);
    check_rest(UT_PLANAR_NONE, true);
    check_rest(UT_PLANAR_XZ, false);
}

// The pair's margin is the reach of formulations that look that far: at a gap of 0.05 m the contact is in
// the active set with a margin of 0.1 m and not without.
TEST(the_margin_of_a_pair_widens_detection)
{
    for (int k = 0; k < 2; k++) {
        Lab lab = box_on_slope(0.0, 0.05, -1.0);
        utStepResult result = {0};
        lab.options.formulation = UT_FORMULATION_ANITESCU_POTRA;
        utPairDef pair = ut_pair_def(0, 1);
        pair.margin = k == 1 ? 0.06 : 0.0;
        pair.gap = k == 1 ? 0.04 : 0.0;
        CHECK_INT(ut_model_def_pair(lab.def, &pair), 0);
        lab_start(&lab);
        lab_step(&lab, NULL, &result);
        CHECK(result.certificate.passed);
        CHECK((result.report.contacts > 0) == (k == 1));
        lab_close(&lab);
    }
}

// Parent and child do not collide by themselves. The child, a bar on a hinge, falls onto its parent, a
// bar that is fixed by a motionless hinge without gravity's moment, and rests there.
TEST(a_parent_and_its_child_collide_by_their_pair)
{
    for (int with_pair = 0; with_pair < 2; with_pair++) {
        Lab lab = lab_open(0.005);
        const int parent = lab_body(&lab, "parent", ut_vec3_zero());
        utJointDef hinge =
            ut_joint_def(parent, UT_JOINT_HINGE); // about z: gravity does not turn it
        CHECK(ut_model_def_joint(lab.def, &hinge) >= 0);
        lab_geom(&lab, parent, UT_SHAPE_BOX, ut_vec3(0.5, 0.05, 0.05), 1.0, 0.5);
        utBodyDef body = ut_body_def();
        body.parent = parent;
        body.pos = ut_vec3(0, 0, 0.2);
        const int child = ut_model_def_body(lab.def, &body);
        hinge = ut_joint_def(child, UT_JOINT_HINGE);
        hinge.axis = ut_vec3(0, 1, 0);
        CHECK(ut_model_def_joint(lab.def, &hinge) >= 0);
        utGeomDef ball = ut_geom_def(child, UT_SHAPE_SPHERE, ut_vec3(0.05, 0, 0));
        ball.pos = ut_vec3(0.3, 0, 0);
        ball.mass = 1.0;
        CHECK_INT(ut_model_def_geom(lab.def, &ball), 1);
        if (with_pair == 1) {
            const utPairDef pair = ut_pair_def(0, 1);
            CHECK_INT(ut_model_def_pair(lab.def, &pair), 0);
        }
        lab_start(&lab);
        lab_steps(&lab, 200, NULL, NULL);
        CHECK_INT(lab.certified, lab.steps);
        // the ball's lowest point is on the parent's face: 0.2 - 0.3 sin(angle) - 0.05 = 0.05
        if (with_pair == 1) {
            CHECK_NEAR(sin(ut_sim_q(lab.sim)[1]), 1.0 / 3.0, 1e-6);
        } else {
            CHECK(sin(ut_sim_q(lab.sim)[1]) > 0.4 || ut_sim_q(lab.sim)[1] > 1.0);
        }
        lab_close(&lab);
    }
}

// ---- the certificate ----------------------------------------------------------------------------

TEST(a_step_with_the_contacts_of_a_pair_passes_with_that_pair_only)
{
    Lab lab = box_on_slope(0.35, 0.0, 0.4), other = box_on_slope(0.35, 0.0, 0.3);
    Lab without = box_on_slope(0.35, 0.0, -1.0);
    utStepResult result = {0};
    lab_start(&lab);
    lab_start(&other);
    lab_start(&without);
    lab_step(&lab, NULL, &result);
    CHECK(result.report.contacts > 0);
    CHECK(judge_by(lab.model, &result.report).passed);
    CHECK_INT(judge_by(other.model, &result.report).reason, UT_REASON_ACTIVE_SET);
    CHECK_INT(judge_by(without.model, &result.report).reason, UT_REASON_ACTIVE_SET);

    // another friction in the report
    utContact contact[16];
    utStepReport spoiled = result.report;
    CHECK(spoiled.contacts <= 16);
    memcpy(contact, spoiled.contact, (size_t)spoiled.contacts * sizeof *contact);
    contact[0].mu = 1.0; // that of the geoms
    spoiled.contact = contact;
    CHECK_INT(judge_by(lab.model, &spoiled).reason, UT_REASON_ACTIVE_SET);
    lab_close(&lab);
    lab_close(&other);
    lab_close(&without);
}

// Without the pair the box falls through the floor; a model with the pair misses its contact.
TEST(a_step_that_misses_the_contact_of_a_pair_does_not_pass)
{
    Lab without = box_on_slope(0.0, 0.01, -1.0), with = box_on_slope(0.0, 0.01, 0.4);
    utStepResult result = {0};
    lab_start(&without);
    lab_start(&with);
    lab_velocity(&without, 2, -3.0);
    lab_step(&without, NULL, &result);
    CHECK(judge_by(without.model, &result.report).passed);
    CHECK_INT(judge_by(with.model, &result.report).reason, UT_REASON_ACTIVE_SET);
    lab_close(&without);
    lab_close(&with);
}
