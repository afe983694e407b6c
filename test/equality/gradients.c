// SPDX-License-Identifier: Apache-2.0
// Rows of equalities against finite differences of their position errors.
#include "contact/contact.h"
#include "test.h"

#include <math.h>
#include <string.h>
#include <uptack/dyn.h>

// Two free bodies, a welded child of the second, a hinged arm below the first and a mocap body,
// with equalities of every kind between them in both orders.
static utModel* every_kind(void)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    int body[6] = {0};
    const int parent[6] = {0, 0, 1, 0, 3, 0};
    for (int b = 1; b < 6; b++) {
        utBodyDef one = ut_body_def();
        one.parent = parent[b];
        one.pos = ut_vec3(0.3 * b, 0.1 * b, -0.2 * b);
        one.quat = ut_quat(1.0, 0.1 * b, -0.2, 0.3);
        one.mocap = b == 5;
        body[b] = ut_model_def_body(def, &one);
        utGeomDef geom = ut_geom_def(body[b], UT_SHAPE_BOX, ut_vec3(0.1, 0.2, 0.3));
        geom.contype = geom.conaffinity = 0;
        ut_model_def_geom(def, &geom);
    }
    const utJointDef free1 = ut_joint_def(1, UT_JOINT_FREE);
    const utJointDef hinge = ut_joint_def(2, UT_JOINT_HINGE);
    const utJointDef free2 = ut_joint_def(3, UT_JOINT_FREE);
    ut_model_def_joint(def, &free1);
    ut_model_def_joint(def, &hinge);
    ut_model_def_joint(def, &free2);
    const int pair[4][2] = {{1, 4}, {3, 2}, {5, 1}, {3, 0}};
    for (int k = 0; k <= UT_EQUALITY_SLIDE; k++) {
        for (int p = 0; p < 4; p++) {
            utEqualityDef one = ut_equality_def((utEqualityKind)k, pair[p][0], pair[p][1]);
            one.anchor = ut_vec3(0.1, -0.2 * p, 0.3);
            one.axis = ut_vec3(0.3, 1.0, -0.4 * p);
            one.limited = k >= UT_EQUALITY_BALL;
            one.ref = k == UT_EQUALITY_BALL ? 0.0 : 0.2;
            one.range[0] = k == UT_EQUALITY_BALL ? 0.0 : -1.0;
            one.range[1] = 1.5;
            CHECK(ut_model_def_equality(def, &one) >= 0);
        }
    }
    if (!CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    ut_model_def_destroy(def);
    return model;
}

typedef struct Look {
    utKinematics kin;
    utRow row[400];
    int rows;
} Look;

static void take_rows(const utModel* model, const double* q, const double* pos, const double* quat,
                      const double* v, const utMotion* mocap, utArena scratch, Look* look)
{
    ut_kinematics_place(&look->kin, q, pos, quat);
    ut_kinematics_move(&look->kin, v, mocap);
    // a step so long that every limit is within reach
    ContactScene scene = {
        .model = model,
        .kin = &look->kin,
        .h = 1e9,
        .v = v,
        .v_free = v,
        .mocap_velocity = mocap,
        .formulation = ut_formulation_traits(UT_FORMULATION_COULOMB),
    };
    CHECK_INT(ut_motion_bounds_create(model, &scratch, &scene.bounds), UT_OK);
    look->rows = ut_contact_equality_rows(&scene, look->row);
}

// Move q and the mocap body at their velocities for a time t.
static void move(const utModel* model, const double* q, const double* v, const utMotion* mocap,
                 double t, double* q_then, double* pos, double* quat)
{
    ut_model_integrate(model, q, v, t, q_then);
    const utQuat turned = ut_quat_integrate(ut_quat(1.0, 0.0, 0.0, 0.0), mocap->angular, t);
    const double p[3] = {t * mocap->linear.x, t * mocap->linear.y, t * mocap->linear.z};
    const double a[4] = {turned.w, turned.x, turned.y, turned.z};
    memcpy(pos, p, sizeof p);
    memcpy(quat, a, sizeof a);
}

TEST(rows_of_equalities_are_exact_gradients_of_position_errors)
{
    enum { POSES = 20 };
    const double t = 1e-5;
    utModel* model = every_kind();
    utArena arena = test_arena();
    Look* look = UT_PUSH(&arena, Look, 3);
    double* q = UT_PUSH(&arena, double, 4 * model->nq);
    double* v = UT_PUSH(&arena, double, model->nv);
    utRng rng = ut_rng(7, 1);
    double worst = 0.0;
    int seen = 0;
    for (int k = 0; k < 3; k++) {
        CHECK_INT(ut_kinematics_create(model, &arena, &look[k].kin), UT_OK);
    }
    for (int pose = 0; pose < POSES; pose++) {
        for (int i = 0; i < model->nv; i++) {
            v[i] = ut_rng_range(&rng, -1.0, 1.0);
        }
        // poses with large position errors: gradients are exact there, too
        ut_model_integrate(model, model->q0, v, 0.7, q);
        for (int i = 0; i < model->nv; i++) {
            v[i] = ut_rng_range(&rng, -1.0, 1.0);
        }
        const utMotion mocap = {ut_vec3(0.3, -0.4, 0.5), ut_vec3(-0.6, 0.2, 0.8)};
        for (int k = 0; k < 3; k++) {
            double pos[3], quat[4];
            double* then = q + (size_t)(k + 1) * (size_t)model->nq;
            move(model, q, v, &mocap, (k - 1) * t, then, pos, quat);
            take_rows(model, then, pos, quat, v, &mocap, arena, &look[k]);
        }
        CHECK_INT(look[0].rows, look[1].rows);
        CHECK_INT(look[2].rows, look[1].rows);
        ContactScene scene = {.model = model, .kin = &look[1].kin, .h = 1.0};
        ut_contact_velocities(&scene, v, 0, NULL, look[1].rows, look[1].row);
        for (int j = 0; j < look[1].rows; j++) {
            const utRow* row = &look[1].row[j];
            // b of limits contains gap / h, which vanishes with h = 1e9 s
            const double rate = (look[2].row[j].gap - look[0].row[j].gap) / (2.0 * t);
            worst = fmax(worst, fabs(rate - row->u));
            seen++;
        }
    }
    // central differences: t^2 |third derivative| / 6 ~ 1e-10, rounding 1e-16 / t ~ 1e-10 m / 1e-5
    // s
    test_note("%d rows, largest difference %.1e m/s", seen, worst);
    CHECK(worst < 2e-8);
    CHECK(seen == POSES * 4 * (3 + 6 + (3 + 1) + (5 + 2) + (5 + 2)));
    ut_model_destroy(model);
}
