// SPDX-License-Identifier: Apache-2.0
// Models from the inside of a <mujoco> element, and sims of them.
#ifndef UPTACK_TEST_ACTUATOR_LAB_H
#define UPTACK_TEST_ACTUATOR_LAB_H

#include <stdio.h>
#include <string.h>
#include <uptack/uptack.h>

#include "test.h"

typedef struct Lab {
    utModel* model;
    utSim* sim;
    utStepResult result; // of the last step
} Lab;

/// Compile a model without gravity. @param missing number of elements that it lacks
static inline utModel* lab_model(const char* inside, int missing)
{
    static const char frame[] =
        "<mujoco><option gravity='0 0 0'><flag contact='disable'/></option>%s</mujoco>";
    char text[8192];
    utError err = {0};
    utModelDef* def = NULL;
    utModel* model = NULL;
    utNotes notes = {0};
    snprintf(text, sizeof text, frame, inside);
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    if (ut_mjcf_read((utText){text, strlen(text)}, "text", NULL, def, &notes, &err) != UT_OK ||
        ut_model_compile(def, NULL, &model, &err) != UT_OK) {
        CHECK_TEXT(err.message, "");
    }
    ut_notes_destroy(&notes);
    ut_model_def_destroy(def);
    if (model != NULL) {
        CHECK_INT(model->missing, missing);
    }
    return model;
}

/// A sim of such a model.
static inline Lab lab_open(const char* inside, utIntegrator integrator)
{
    Lab lab = {.model = lab_model(inside, 0)};
    utError err = {0};
    if (lab.model != NULL) {
        utSimDef def = ut_sim_def();
        def.integrator = (int)integrator;
        if (ut_sim_create(lab.model, &def, &lab.sim, &err) != UT_OK) {
            CHECK_TEXT(err.message, "");
        }
    }
    return lab;
}

static inline void lab_close(Lab* lab)
{
    ut_sim_destroy(lab->sim);
    ut_model_destroy(lab->model);
}

/// Take certified steps. @return false when one is not
static inline bool lab_steps(Lab* lab, int steps, const double* ctrl)
{
    utError err = {0};
    for (int i = 0; i < steps; i++) {
        const utInput input = {.ctrl = ctrl};
        if (ut_sim_step(lab->sim, &input, &lab->result, &err) != UT_OK) {
            CHECK_TEXT(err.message, "");
            return false;
        }
        if (!CHECK(lab->result.certificate.passed)) {
            return false;
        }
    }
    return true;
}

#endif
