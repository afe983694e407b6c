// SPDX-License-Identifier: Apache-2.0
// The record of the last step for ut_sim_problem: its deciding part and island.
#include <string.h>

#include "sim/internal.h"

// The part that is not certified; of an accepted step the first part with a flagged island, else the
// last part with islands.
static int find_part(const utStepResult* result)
{
    const utStepReport* report = &result->report;
    if (result->outcome == UT_STEP_UNCERTIFIED) {
        return result->certificate.part;
    }
    int found = report->parts - 1;
    bool any = false;
    for (int k = 0; k < report->parts; k++) {
        const utStepReport* part = &report->part[k];
        found = part->islands > 0 ? k : any ? found : report->parts - 1;
        any = any || part->islands > 0;
        for (int i = 0; i < part->islands; i++) {
            if (part->island[i].fallback) {
                return k;
            }
        }
    }
    return found;
}

// The island of the contact or row that the certificate names, else the one with the largest E.
// @param part a part, or the step itself @param before number of islands of the parts before it
static int find_island(const utStepResult* result, const utStepReport* part, int before)
{
    const utStepReport* report = &result->report;
    const int at = result->certificate.contact;
    const bool over = result->outcome == UT_STEP_UNCERTIFIED || result->outcome == UT_STEP_BUDGET;
    if (over && at >= 0) {
        const int island = at < report->contacts ? report->contact[at].island
                                                 : report->row[at - report->contacts].island;
        return island - before;
    }
    int worst = 0;
    for (int k = 1; k < part->islands; k++) {
        // NaN counts as the largest
        if (!(part->island[k].E <= part->island[worst].E)) {
            worst = k;
        }
    }
    return worst;
}

void ut_sim_record_step(utSim* sim, const utStepResult* result, const double* q)
{
    sim->last.report = result->report;
    sim->last.part = false;
    sim->last.q = q;
    sim->last.island = find_island(result, &result->report, 0);
}

utStatus ut_sim_record_part(utSim* sim, const utStepResult* result)
{
    const utModel* model = sim->model;
    const int which = find_part(result);
    int before = 0;
    for (int k = 0; k < which; k++) {
        before += result->report.part[k].islands;
    }
    const utStepReport* part = &result->report.part[which];
    utArena arena = sim->work.step;
    double* q = UT_PUSH(&arena, double, model->nq);
    if (q == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(q, part->q, (size_t)model->nq * sizeof *q);
    if (part->projection != NULL) {
        ut_model_integrate(model, part->q, part->projection, 1.0, q);
    }
    sim->last.report = *part;
    sim->last.part = true;
    sim->last.q = q;
    sim->last.island = find_island(result, part, before);
    return UT_OK;
}

utStatus ut_sim_restore_mass(utSim* sim, utArena scratch)
{
    const utStepReport* part = &sim->last.report;
    const int nv = sim->model->nv;
    double* diagonal = UT_PUSH(&scratch, double, nv);
    double* v_free = UT_PUSH(&scratch, double, nv);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(diagonal, 0, (size_t)nv * sizeof *diagonal);
    if (!part->instant && !ut_sim_has_stages(sim)) {
        const utSmooth smooth = {
            .model = sim->model,
            .gravity = part->gravity,
            .tau = part->force,
            .applied = part->applied,
            .mocap_pos = part->mocap_pos,
            .mocap_quat = part->mocap_quat,
            .explicit_forces = sim->settings.traits->explicit_forces,
        };
        UT_TRY(ut_smooth_free(&smooth, part->h, &sim->work.kin, sim->last.q, part->v,
                              part->actuator_diagonal, NULL, scratch, diagonal, NULL, v_free));
    }
    ut_mass_find(&sim->work.mass, &sim->work.kin, diagonal);
    return UT_OK;
}
