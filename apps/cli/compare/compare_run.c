// SPDX-License-Identifier: Apache-2.0
// The loop of a comparison: all cases step side by side.
#include "compare/compare.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- starting -----------------------------------------------------------------------------------

static bool allocate(CompareCase* item)
{
    const size_t bodies = (size_t)item->loaded->model->nbody;
    item->first = calloc(bodies, sizeof *item->first);
    item->now = calloc(bodies, sizeof *item->now);
    item->body = calloc(bodies, sizeof *item->body);
    return item->first != NULL && item->now != NULL && item->body != NULL;
}

static void read_bodies(const CompareCase* item, utBodyState* bodies)
{
    for (int b = 0; b < item->loaded->model->nbody; b++) {
        bodies[b] = ut_sim_body(item->sim, b);
    }
}

// Create the sim of a case in its first state. A model that the formulation rejects is refused.
static utStatus start_case(Compare* c, CompareCase* item, utError* err)
{
    const CompareOptions* o = c->options;
    CliStart* start = &item->start;
    start->sim.formulation = (int)item->formulation;
    start->sim.solver = item->solver;
    start->sim.directions = item->directions;
    start->quiet = true;
    if (!allocate(item)) {
        return cli_no_memory(o->start.file, err);
    }
    if (item->halvings > 0) {
        const double dt = start->sim.dt > 0.0 ? start->sim.dt : item->loaded->model->options.dt;
        start->sim.dt = ldexp(dt, -item->halvings);
    }
    const utStatus status = cli_start(start, item->loaded, &c->keyframe, &item->sim, err);
    if (status == UT_ERR_ARGUMENT && start->key == o->start.key) {
        item->end = COMPARE_REFUSED;
        snprintf(item->reason, sizeof item->reason, "%s", err->message);
        ut_sim_destroy(item->sim);
        item->sim = NULL;
        return UT_OK;
    }
    UT_TRY(status);
    item->energy_start = ut_sim_energy(item->sim);
    read_bodies(item, item->first);
    return UT_OK;
}

// A keyframe that does not exist is an error of the command line, not of a formulation.
static utStatus check_keyframe(const Compare* c, utError* err)
{
    CliStart start = c->options->start;
    utSim* sim = NULL;
    int keyframe;
    start.sim = ut_sim_def();
    start.quiet = true;
    const utStatus status = cli_start(&start, &c->model[0], &keyframe, &sim, err);
    ut_sim_destroy(sim);
    return status;
}

// ---- steps --------------------------------------------------------------------------------------

// @param result NULL: there is none, and `message` says why
static void stop_case(CompareCase* item, const utStepResult* result, const char* message)
{
    item->end = COMPARE_STOPPED;
    if (result == NULL) {
        snprintf(item->reason, sizeof item->reason, "step %lld: %s", item->steps + 1, message);
        return;
    }
    const utCertificate* k = &result->certificate;
    const utStepReport* report = &result->report;
    snprintf(item->reason, sizeof item->reason, "step %lld (t = %.9g s) is not certified: %s",
             item->steps + 1, report->time, ut_certificate_reason_name(k->reason));
    for (int i = 0; i < report->islands; i++) {
        if (!report->island[i].solved) {
            const size_t at = strlen(item->reason);
            snprintf(item->reason + at, sizeof item->reason - at, " (%s)",
                     ut_island_outcome_name(report->island[i].outcome));
            return;
        }
    }
}

// Take one step of a case's own length. A step that is not certified stops the case.
static utStatus take_step(const Compare* c, CompareCase* item, utError* err)
{
    const utModel* model = item->loaded->model;
    const utInput input = {.ctrl = c->keyframe >= 0 ? model->keyframe[c->keyframe].ctrl : NULL};
    if (item->contacts.count > item->system_contacts) {
        compare_measure(item, &input);
    }
    utStepResult result;
    const double begin = cli_now();
    const utStatus status = ut_sim_step(item->sim, &input, &result, err);
    if (status == UT_ERR_NOT_TAKEN || status == UT_ERR_ARGUMENT) {
        stop_case(item, status == UT_ERR_NOT_TAKEN ? &result : NULL, err->message);
        item->unsolved++;
        return UT_OK;
    }
    UT_TRY(status);
    return compare_count(item, &result, cli_now() - begin)
               ? UT_OK
               : cli_no_memory(c->options->start.file, err);
}

// Take a step of length dt.
static utStatus advance(const Compare* c, CompareCase* item, utError* err)
{
    for (int k = 0; k < 1 << item->halvings && item->end == COMPARE_RAN; k++) {
        UT_TRY(take_step(c, item, err));
    }
    if (item->end == COMPARE_RAN) {
        read_bodies(item, item->now);
        item->energy_end = ut_sim_energy(item->sim);
    }
    return UT_OK;
}

// ---- a shared state -----------------------------------------------------------------------------

// Step the reference, then give its state to every case.
static utStatus share_state(Compare* c, CliProgress* progress, utError* err)
{
    CompareCase* reference = &c->item[c->reference];
    for (int k = 0; k < c->options->step && cli_caught_signal() == 0; k++) {
        UT_TRY(advance(c, reference, err));
        if (reference->end != COMPARE_RAN) {
            return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(c->options->start.file), 0, 0,
                               "the reference does not reach the shared state: %.200s",
                               reference->reason);
        }
        if (cli_progress_due(progress)) {
            cli_progress_show(progress, "reference: step %d of %d", k + 1, c->options->step);
        }
    }
    const utSim* from = reference->sim;
    for (int k = 0; k < c->cases; k++) {
        CompareCase* item = &c->item[k];
        if (item->sim == NULL || k == c->reference) {
            continue;
        }
        UT_TRY(ut_sim_set(item->sim, ut_sim_time(from), ut_sim_q(from), ut_sim_v(from), err));
        UT_TRY(ut_sim_set_act(item->sim, ut_sim_act(from), err));
        read_bodies(item, item->first);
        item->energy_start = ut_sim_energy(item->sim);
    }
    // the reference begins anew with the shared state
    reference->steps = reference->flagged = reference->factorizations = 0;
    reference->max_E = reference->sum_E = reference->max_model_gap = reference->wall = 0.0;
    reference->max_contacts = 0;
    reference->system_contacts = -1;
    reference->contacts.count = 0;
    reference->verdicts = (CompareVerdicts){0};
    reference->ledger = (utEnergyLedger){0};
    reference->energy_start = ut_sim_energy(from);
    read_bodies(reference, reference->first);
    return UT_OK;
}

// ---- the loop -----------------------------------------------------------------------------------

static utStatus plan(Compare* c, utError* err)
{
    static const double MAX_STEPS = 1e12;
    const CompareOptions* o = c->options;
    const utModel* model = c->model[0].model;
    c->dt = o->start.sim.dt > 0.0 ? o->start.sim.dt : model->options.dt;
    const double count =
        o->one_step ? 1.0
                    : ceil((o->time > 0.0 ? o->time : model->options.time) / c->dt * (1.0 - 1e-12));
    c->planned = (long long)fmin(count, MAX_STEPS);
    return count <= MAX_STEPS
               ? UT_OK
               : ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(o->start.file), 0, 0,
                             "%g steps of %g s are too many; use a larger dt", count, c->dt);
}

// The state of the reference after this step; NULL: it stopped, or was not recorded there.
static const utBodyState* reference_now(Compare* c)
{
    if (c->recording.used) {
        return compare_recorded(c, c->begin + (double)(c->done + 1) * c->dt);
    }
    const CompareCase* reference = &c->item[c->reference];
    return reference->end == COMPARE_RAN ? reference->now : NULL;
}

static utStatus step_all(Compare* c, utError* err)
{
    if (c->reference >= 0 && c->item[c->reference].end == COMPARE_RAN) {
        UT_TRY(advance(c, &c->item[c->reference], err));
    }
    const utBodyState* reference = reference_now(c);
    const CompareContacts* contacts = c->reference >= 0 ? &c->item[c->reference].contacts : NULL;
    for (int k = 0; k < c->cases; k++) {
        CompareCase* item = &c->item[k];
        if (item->end != COMPARE_RAN) {
            continue;
        }
        if (k != c->reference) {
            UT_TRY(advance(c, item, err));
        }
        if (item->end == COMPARE_RAN && reference != NULL &&
            !compare_difference(c, item, reference, contacts)) {
            return cli_no_memory(c->options->start.file, err);
        }
    }
    c->done++;
    return UT_OK;
}

static bool any_runs(const Compare* c)
{
    for (int k = 0; k < c->cases; k++) {
        if (c->item[k].end == COMPARE_RAN) {
            return true;
        }
    }
    return false;
}

static utStatus loop(Compare* c, const char* what, utError* err)
{
    CliProgress progress = cli_progress_begin();
    utStatus status = c->options->one_step ? share_state(c, &progress, err) : UT_OK;
    c->begin = c->reference >= 0 && c->item[c->reference].sim != NULL
                   ? ut_sim_time(c->item[c->reference].sim)
                   : 0.0;
    while (status == UT_OK && c->done < c->planned && any_runs(c) && cli_caught_signal() == 0) {
        status = step_all(c, err);
        if (cli_progress_due(&progress)) {
            const double elapsed = cli_progress_elapsed(&progress);
            cli_progress_show(&progress,
                              "%sstep %lld of %lld of %d cases, %.4g steps/s, %.0f s left", what,
                              c->done, c->planned, c->cases, (double)c->done / elapsed,
                              elapsed / (double)c->done * (double)(c->planned - c->done));
        }
    }
    cli_progress_end(&progress);
    c->signal = c->done < c->planned ? cli_caught_signal() : 0;
    return status;
}

utStatus compare_run(Compare* c, const char* what, utError* err)
{
    c->done = 0;
    UT_TRY(plan(c, err));
    UT_TRY(check_keyframe(c, err));
    cli_catch_signals();
    for (int k = 0; k < c->cases; k++) {
        UT_TRY(start_case(c, &c->item[k], err));
    }
    if (c->reference >= 0 && c->item[c->reference].end == COMPARE_REFUSED) {
        return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(c->options->start.file), 0, 0,
                           "the reference is refused: %.200s", c->item[c->reference].reason);
    }
    return loop(c, what, err);
}
