// SPDX-License-Identifier: Apache-2.0
// Compile models from text, in generalized or maximal coordinates, and run them.
#ifndef UPTACK_TEST_EQUALITY_LAB_H
#define UPTACK_TEST_EQUALITY_LAB_H

#include <math.h>
#include <string.h>
#include <uptack/dyn.h>
#include <uptack/sim.h>

#include "support/model_text.h"
#include "test.h"

static inline utModel* lab_maximal(const utModel* model)
{
    utModel* maximal = NULL;
    utError err = {0};
    if (ut_model_maximal(model, NULL, &maximal, &err) != UT_OK) {
        test_note("%s", err.message);
        CHECK(false);
    }
    return maximal;
}

typedef struct LabRun {
    int steps, certified, flagged, contacts;
    double E, bilateral, drift, energy_start, energy_end;
    const char* reason; // of the first step that is not certified
} LabRun;

/// Run from the first keyframe, if there is one, and hold its controls. @param sim receives the sim
/// at the end
static inline LabRun lab_run(const utModel* model, utFormulation formulation, double h, double time,
                             utSim** sim)
{
    LabRun run = {.reason = ""};
    utError err = {0};
    utSimDef def = ut_sim_def();
    def.dt = h;
    def.formulation = formulation;
    def.keep_going = true;
    CHECK_INT(ut_sim_create(model, &def, sim, &err), UT_OK);
    CHECK_INT(ut_sim_reset(*sim, model->nkeyframe > 0 ? 0 : -1, &err), UT_OK);
    const utInput input = {.ctrl = model->nkeyframe > 0 ? model->keyframe[0].ctrl : NULL};
    run.energy_start = ut_sim_energy(*sim);
    const int steps = (int)lround(time / h);
    for (; run.steps < steps; run.steps++) {
        utStepResult result;
        if (!CHECK_INT(ut_sim_step(*sim, &input, &result, &err), UT_OK)) {
            test_note("%s", err.message);
            break;
        }
        run.certified += result.outcome == UT_STEP_CERTIFIED;
        run.flagged += result.outcome == UT_STEP_FLAGGED;
        if (!result.certificate.passed && run.reason[0] == '\0') {
            run.reason = ut_certificate_reason_name(result.certificate.reason);
        }
        run.contacts =
            result.report.contacts > run.contacts ? result.report.contacts : run.contacts;
        run.E = fmax(run.E, result.certificate.E);
        run.bilateral = fmax(run.bilateral, result.certificate.bilateral);
        run.drift = fmax(run.drift, result.report.drift);
    }
    run.energy_end = ut_sim_energy(*sim);
    return run;
}

/// The largest distance between the centres of mass of bodies of the same name in two sims.
static inline double lab_apart(const utSim* a, const utSim* b)
{
    const utModel* model = ut_sim_model(a);
    double most = 0.0;
    for (int k = 1; k < model->nbody; k++) {
        const int other = ut_model_find_body(ut_sim_model(b), model->body[k].name);
        CHECK(other > 0);
        const utVec3 d = ut_vec3_sub(ut_sim_body(a, k).com, ut_sim_body(b, other).com);
        most = fmax(most, ut_vec3_norm(d));
    }
    return most;
}

#endif
