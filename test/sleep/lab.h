// SPDX-License-Identifier: Apache-2.0
// A sim with sleeping for one test.
#ifndef UPTACK_TEST_SLEEP_LAB_H
#define UPTACK_TEST_SLEEP_LAB_H

#include <uptack/load.h>

#include "support/make_sim.h"
#include "support/model_text.h"

typedef struct Lab {
    utModel* model;
    utSim* sim;
    utStepResult last; // of the last step
} Lab;

static const double GRAVITY = 9.81;

static inline Lab lab_of(utModel* model, double dt, bool sleep)
{
    utSimDef def = ut_sim_def();
    def.dt = dt;
    def.sleep = sleep;
    Lab lab = {.model = model, .sim = make_sim(model, &def)};
    CHECK_INT(ut_sim_reset(lab.sim, ut_model_start_key(model), NULL), UT_OK);
    return lab;
}

static inline Lab lab_of_text(const char* text, double dt, bool sleep)
{
    return lab_of(test_model(text), dt, sleep);
}

static inline Lab lab_of_scene(const char* scene, double dt, bool sleep)
{
    utModel* model = NULL;
    CHECK_INT(ut_load(scene, &model, NULL), UT_OK);
    return lab_of(model, dt, sleep);
}

static inline void lab_end(Lab* lab)
{
    ut_sim_destroy(lab->sim);
    ut_model_destroy(lab->model);
}

/// Take steps, all of which must be certified. @return false when one is not
static inline bool lab_run(Lab* lab, const utInput* input, int steps)
{
    bool good = true;
    for (int k = 0; k < steps && good; k++) {
        utError err = {0};
        good = CHECK_INT(ut_sim_step(lab->sim, input, &lab->last, &err), UT_OK) &&
               CHECK(lab->last.outcome == UT_STEP_CERTIFIED);
        if (!good) {
            test_note("%s", err.message);
        }
    }
    return good;
}

static inline utBodyState lab_body(const Lab* lab, const char* name)
{
    return ut_sim_body(lab->sim, ut_model_find_body(lab->model, name));
}

static inline bool lab_sleeps(const Lab* lab, const char* name)
{
    return ut_sim_sleeps(lab->sim, ut_model_find_body(lab->model, name));
}

#endif
