// SPDX-License-Identifier: Apache-2.0
// One model, all formulations: the parametric scenes with at most 60 contacts, 200 steps each by
// every formulation on velocities with eight directions, certified by their own law; larger ones
// for 20 steps.
#include <uptack/scenes.h>

#include "cases.h"

static utModel* scene(const char* name)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    if (!CHECK_INT(ut_scene_build(name, def, &err), UT_OK) ||
        !CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK)) {
        test_note("%s: %s", name, err.message);
    }
    ut_model_def_destroy(def);
    return model;
}

// @return how many steps were certified; the largest model gap
static int certified(const utModel* model, utFormulation formulation, int steps, double* gap,
                     int* contacts)
{
    utSimDef def = ut_sim_def();
    utSim* sim = NULL;
    utError err = {0};
    def.formulation = formulation;
    def.directions = 8;
    if (!CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_OK)) {
        test_note("%s: %s", ut_formulation_name(formulation), err.message);
        return 0;
    }
    const utModelKeyframe* key = model->nkeyframe > 0 ? &model->keyframe[0] : NULL;
    const utInput input = {.ctrl = key != NULL ? key->ctrl : NULL};
    CHECK_INT(ut_sim_reset(sim, key != NULL ? 0 : -1, &err), UT_OK);
    int good = 0;
    for (int k = 0; k < steps; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, &input, &result, &err), UT_OK);
        if (result.outcome != UT_STEP_CERTIFIED) {
            test_note("%s step %d: %s", ut_formulation_name(formulation), k + 1,
                      ut_certificate_reason_name(result.certificate.reason));
            break;
        }
        good++;
        *gap = fmax(*gap, result.certificate.model_gap);
        *contacts = result.report.contacts > *contacts ? result.report.contacts : *contacts;
    }
    ut_sim_destroy(sim);
    return good;
}

static void run_scenes(const char* const* names, int count, int steps)
{
    static const utFormulation formulations[] = {
        UT_FORMULATION_STEWART_TRINKLE, UT_FORMULATION_STEWART_TRINKLE_VELOCITY,
        UT_FORMULATION_ANITESCU_POTRA, UT_FORMULATION_PEIRET};
    for (int s = 0; s < count; s++) {
        utModel* model = scene(names[s]);
        double gap = 0.0;
        int contacts = 0;
        for (int f = 0; model != NULL && f < 4; f++) {
            if (!CHECK_INT(certified(model, formulations[f], steps, &gap, &contacts), steps)) {
                test_note("%s by %s", names[s], ut_formulation_name(formulations[f]));
            }
        }
        test_note("%-10s %3d contacts, model gap at most %.1e", names[s], contacts, gap);
        ut_model_destroy(model);
    }
}

TEST(X_every_formulation_on_every_small_scene)
{
    static const char* const names[] = {"stack:5", "stackm:6", "wall:3:2", "wedge:6",  "table",
                                        "slide",   "incline",  "slope",    "ladder",   "painleve",
                                        "quad",    "gripper",  "grasp",    "pile:12:1"};
    run_scenes(names, sizeof names / sizeof *names, 200);
}

TEST(X_polygons_on_larger_scenes)
{
    static const char* const names[] = {"stack:30", "pyramid:8"};
    run_scenes(names, sizeof names / sizeof *names, 20);
}
