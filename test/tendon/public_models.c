// SPDX-License-Identifier: Apache-2.0
// Tendons of public models in $UPTACK_DATA/models: lengths at the modelled pose as MuJoCo 3.14.0 gives
// them, derivatives against differences, and a certified run.
#include <stdlib.h>
#include <uptack/load.h>

#include "lab.h"

enum { MOST = 8 };

static const struct {
    const char* file;
    int tendons;
    double length[MOST]; // of the first tendons
} models[] = {
    {"mujoco/model/tendon_arm/arm26.xml",
     6,
     {0.34035620486702312, 0.34035620486702312, 0.21640822544838395, 0.21640822544838395,
      0.79987965260944560, 0.79987965260944560}},
    {"mujoco/test/engine/testdata/core_smooth/tendon_wrap_cylinder.xml",
     3,
     {0.85608082305731115, 0.85608082305731115, 0.85}},
    {"mujoco/test/engine/testdata/core_smooth/tendon_wrap_sphere.xml",
     3,
     {0.87441910740424178, 0.87441910740424178, 0.85}},
    {"mujoco/test/testdata/tendon_wrap.xml", 1, {1.0071911753639473}},
    {"menagerie_slim/tetheria_aero_hand_open/right_hand.xml",
     20,
     {0.10744611413562727, 0.048052073761683751, 0.035205267754234423, 0.0076655071586947260,
      0.10814301272252902, 0.048052073761683717, 0.035205267754234409, 0.0076655071586947373}},
};

// Central differences at a pose away from the modelled one, where symmetric paths have kinks. They
// have an error of 1e-12 L''' with L''' up to 1 / radius^2 = 1e5 of the thinnest geoms.
static void check_derivatives(const utModel* model)
{
    const double d = 1e-6;
    utArena arena = test_arena();
    double* q = UT_PUSH(&arena, double, model->nq);
    double* moved = UT_PUSH(&arena, double, model->nq);
    double* v = UT_PUSH(&arena, double, model->nv);
    double* J = UT_PUSH(&arena, double, model->nv);
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    for (int k = 0; k < model->nv; k++) {
        v[k] = 0.05 * sin(1.0 + 3.0 * k);
    }
    ut_model_integrate(model, model->q0, v, 1.0, q);
    double worst = 0.0;
    for (int i = 0; i < model->ntendon; i++) {
        const utModelTendon* tendon = &model->tendon[i];
        ut_kinematics_place(&kin, q, NULL, NULL);
        ut_tendon_length(&kin, q, i, NULL, NULL, J);
        for (int k = 0; k < tendon->terms; k++) {
            double length[2];
            for (int side = 0; side < 2; side++) {
                memset(v, 0, (size_t)model->nv * sizeof *v);
                v[tendon->index[k]] = side == 0 ? -d : d;
                ut_model_integrate(model, q, v, 1.0, moved);
                ut_kinematics_place(&kin, moved, NULL, NULL);
                length[side] = ut_tendon_length(&kin, moved, i, NULL, NULL, NULL);
            }
            worst = fmax(worst, fabs(J[k] - (length[1] - length[0]) / (2.0 * d)));
        }
    }
    CHECK_NEAR(worst, 0.0, 1e-7);
}

TEST(tendons_of_public_models_have_mujocos_lengths)
{
    const char* data = getenv("UPTACK_DATA");
    if (data == NULL) {
        test_skip("UPTACK_DATA is not set: no public models");
        return;
    }
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        char path[1024];
        utModel* model = NULL;
        utError err = {0};
        snprintf(path, sizeof path, "%s/models/%s", data, models[k].file);
        if (ut_load(path, &model, &err) != UT_OK) {
            test_skip("%s", err.message);
            continue;
        }
        CHECK_INT(model->ntendon, models[k].tendons);
        for (int i = 0; i < models[k].tendons && i < MOST; i++) {
            CHECK_NEAR(model->tendon[i].length0, models[k].length[i], 4e-15);
        }
        check_derivatives(model);
        utSim* sim = sim_with(model, 0.0, -1);
        run_certified(sim, NULL, 100, NULL, NULL);
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}
