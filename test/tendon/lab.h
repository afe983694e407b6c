// SPDX-License-Identifier: Apache-2.0
// Models with tendons from text, and runs in which every step is certified.
#ifndef UPTACK_TEST_TENDON_LAB_H
#define UPTACK_TEST_TENDON_LAB_H

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <uptack/dyn.h>
#include <uptack/sim.h>

#include "support/make_sim.h"
#include "support/model_text.h"
#include "test.h"

/// Take steps and check that each one is certified. @param each called after a step; may be NULL
static inline void run_certified(utSim* sim, const utInput* input, int steps,
                                 void (*each)(const utStepResult* result, void* context),
                                 void* context)
{
    for (int k = 0; k < steps; k++) {
        utStepResult result;
        utError err = {0};
        if (!CHECK_INT(ut_sim_step(sim, input, &result, &err), UT_OK) ||
            !CHECK_TEXT(ut_certificate_reason_name(result.certificate.reason), "")) {
            test_note("step %d: %s", k, err.message);
            return;
        }
        if (each != NULL) {
            each(&result, context);
        }
    }
}

static inline utSim* sim_with(const utModel* model, double dt, int formulation)
{
    utSimDef def = ut_sim_def();
    def.dt = dt;
    if (formulation >= 0) {
        def.formulation = (utFormulation)formulation;
    }
    return make_sim(model, &def);
}

/// The length of a tendon at a position, with its derivatives. @param J terms entries; may be NULL
static inline double length_at(const utModel* model, const double* q, int tendon, double* J)
{
    utArena arena = test_arena();
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, q, NULL, NULL);
    return ut_tendon_length(&kin, q, tendon, NULL, NULL, J);
}

#endif
