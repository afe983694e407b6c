// SPDX-License-Identifier: Apache-2.0
// Does the report of a step belong to its recording: is it a step of that run, with the recorded input?
#include "recorded/certify_run.h"

#include <string.h>
#include <uptack/formulation.h>

// Are two arrays equal, where an absent one counts as zeros?
static bool same_or_zero(const double* a, const double* b, int count)
{
    bool same = true;
    for (int i = 0; i < count; i++) {
        same = same && (a != NULL ? a[i] : 0.0) == (b != NULL ? b[i] : 0.0);
    }
    return same;
}

// Controls are clamped to the range of their actuator.
static bool same_controls(const utModel* model, const double* given, const double* used)
{
    bool same = true;
    for (int a = 0; a < model->nu; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        double ctrl = given != NULL ? given[a] : 0.0;
        if (actuator->ctrl_limited) {
            ctrl = ctrl < actuator->ctrl_range[0]   ? actuator->ctrl_range[0]
                   : ctrl > actuator->ctrl_range[1] ? actuator->ctrl_range[1]
                                                    : ctrl;
        }
        same = same && used != NULL && used[a] == ctrl;
    }
    return same;
}

// An instant has no input.
static bool has_input(const utModel* model, const utRecordInput* input, const utStepReport* part)
{
    return part->instant ||
           (same_controls(model, input->ctrl, part->ctrl) &&
            same_or_zero(input->force, part->caller_force, model->nv) &&
            same_or_zero((const double*)(const void*)input->applied,
                         (const double*)(const void*)part->applied, 6 * model->nbody));
}

static bool is_of_run(const CliRecordedRun* run, const utStepReport* part)
{
    const utRecording* r = &run->recording;
    const utModel* model = run->loaded.model;
    const utVec3 g = model->options.gravity;
    const char* formulation = ut_formulation_name(part->formulation);
    const bool named = formulation != NULL && strlen(formulation) == r->formulation.size &&
                       memcmp(formulation, r->formulation.data, r->formulation.size) == 0;
    return named && part->tier == (utTier)run->start.sim.tier && part->gravity.x == g.x &&
           part->gravity.y == g.y && part->gravity.z == g.z;
}

const char* cli_foreign_report(const CliRecordedRun* run, const utRecordInput* input,
                               const utStepReport* report)
{
    bool settings = is_of_run(run, report);
    bool inputs = report->parts > 0 || has_input(run->loaded.model, input, report);
    for (int k = 0; k < report->parts; k++) {
        settings = settings && is_of_run(run, &report->part[k]);
        inputs = inputs && has_input(run->loaded.model, input, &report->part[k]);
    }
    return !settings ? "the formulation, tier or gravity is not that of the run"
           : !inputs ? "the step has another input than the recorded one"
                     : NULL;
}
