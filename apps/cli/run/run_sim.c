// SPDX-License-Identifier: Apache-2.0
// The loop of a run: step, count, record.
#include "progress.h"
#include "run/run_ctrl.h"
#include "run/run_record.h"

#include <math.h>
#include <string.h>

// ---- progress -----------------------------------------------------------------------------------

static void show_progress(CliProgress* p, const RunTally* t, double time)
{
    if (!cli_progress_due(p)) {
        return;
    }
    const double elapsed = cli_progress_elapsed(p);
    const double rate = (double)t->steps.taken / elapsed;
    if (t->steps.planned > 0) {
        cli_progress_show(p, "step %lld of %lld, t = %.4g s, %.4g steps/s, %.0f s left",
                          t->steps.taken, t->steps.planned, time, rate,
                          rate > 0.0 ? (double)(t->steps.planned - t->steps.taken) / rate : 0.0);
    } else {
        cli_progress_show(p, "step %lld, t = %.4g of %.4g s, %.4g steps/s, %.0f s left",
                          t->steps.taken, time, t->end_time, rate,
                          t->lengths.sum > 0.0 ? (t->end_time - time) / t->lengths.sum * elapsed
                                               : 0.0);
    }
}

// ---- counting -----------------------------------------------------------------------------------

// The larger number. NaN counts as larger than any number, so that a maximum does not hide it.
static double larger(double a, double b)
{
    return b <= a || isnan(a) ? a : b;
}

static void count_rung(RunRungs* rungs, const char* name)
{
    int i = 0;
    while (i < rungs->count && strcmp(rungs->rung[i].name, name) != 0) {
        i++;
    }
    if (i < RUN_MAX_RUNGS) {
        rungs->count = i == rungs->count ? i + 1 : rungs->count;
        rungs->rung[i].name = name;
        rungs->rung[i].steps++;
    }
}

// The name under which an island is counted: its rung, or the solver that the user named.
static const char* answerer(const RunOptions* o, const utModel* model, const utIsland* island)
{
    return island->rung != UT_RUNG_NONE ? ut_rung_name(island->rung)
           : island->fallback           ? ut_island_outcome_name(island->outcome)
                                        : cli_solver(&o->start, model);
}

static void count_length(double h, RunTally* t)
{
    t->lengths.shortest = t->lengths.sum > 0.0 && t->lengths.shortest < h ? t->lengths.shortest : h;
    t->lengths.longest = larger(t->lengths.longest, h);
    t->lengths.sum += h;
}

// Count each rung once per step. @param flagged count fallback rungs only
static void count_islands(const RunOptions* o, const utStepReport* report, bool flagged,
                          RunRungs* rungs)
{
    for (int k = 0; k < report->islands; k++) {
        const char* name = answerer(o, report->model, &report->island[k]);
        bool counted = flagged && !report->island[k].fallback;
        for (int j = 0; j < k && !counted; j++) {
            counted = (!flagged || report->island[j].fallback) &&
                      strcmp(name, answerer(o, report->model, &report->island[j])) == 0;
        }
        if (!counted) {
            count_rung(rungs, name);
        }
    }
}

static void count_step(const RunOptions* o, const utStepResult* result, RunTally* t)
{
    const utCertificate* certificate = &result->certificate;
    t->steps.judged++;
    t->errors.sum_E += certificate->E;
    t->errors.max_e = larger(t->errors.max_e, certificate->e);
    t->errors.max_cone = larger(t->errors.max_cone, certificate->cone);
    run_worst_count(result, t->steps.judged, &t->errors.worst);
    t->errors.row_max_E = larger(t->errors.row_max_E, certificate->E);
    t->errors.row_max_model_gap = larger(t->errors.row_max_model_gap, certificate->model_gap);
    t->steps.flagged += result->outcome == UT_STEP_FLAGGED;
    t->steps.over += result->outcome == UT_STEP_BUDGET;
    t->sleeping = result->sleeping;
    if (result->report.contacts > t->max_contacts) {
        t->max_contacts = result->report.contacts;
    }
    count_islands(o, &result->report, false, &t->rungs);
    count_islands(o, &result->report, true, &t->fallbacks);
    if (result->pieces > 1) {
        count_rung(&t->fallbacks, "divided");
    }
    if (result->closed > 0.0) {
        count_rung(&t->fallbacks, "closed");
    }
    if (result->outcome == UT_STEP_UNCERTIFIED && t->steps.unsolved++ == 0) {
        t->failure.step = t->steps.judged;
        t->failure.reason = ut_certificate_reason_name(certificate->reason);
        t->failure.time = result->report.time;
        t->failure.value = certificate->value;
        t->failure.limit = certificate->limit;
        run_worst_place(result, t->failure.place, sizeof t->failure.place);
    }
}

// ---- a step that is not certified ---------------------------------------------------------------

// MODEL-step-N.fc beside the recording, or in the current folder.
static void problem_path(const RunOptions* o, long long step, char* path, size_t size)
{
    const char* beside = o->record != NULL ? o->record : o->contacts != NULL ? o->contacts : "";
    const char* slash = strrchr(beside, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - beside) : 0;
    const char* base = strrchr(o->start.file, '/');
    base = strcmp(o->start.file, "-") == 0 ? "stdin" : base != NULL ? base + 1 : o->start.file;
    const char* dot = strrchr(base, '.');
    const int stem = (int)(cli_ends_in(base, ".xml") ? (size_t)(dot - base) : strlen(base));
    snprintf(path, size, "%.*s%.*s-step-%lld.fc", folder, beside, stem, base, step);
}

static bool write_text(const char* path, utText text)
{
    FILE* file = fopen(path, "wb");
    if (file == NULL) {
        return false;
    }
    const bool written = fwrite(text.data, 1, text.size, file) == text.size;
    return fclose(file) == 0 && written;
}

// Print why islands have no solution, where that is known.
static void print_islands(const utModel* model, const utStepReport* report)
{
    for (int k = 0; k < report->islands; k++) {
        const utIsland* island = &report->island[k];
        CliName one;
        CliName two;
        if (island->outcome == UT_ISLAND_INEXACT) {
            fprintf(stderr, "the requested regularization or relaxation makes steps inexact\n");
            return;
        }
        if (island->ray >= 0 && island->ray < report->contacts && !island->solved) {
            const utContact* c = &report->contact[island->ray];
            fprintf(stderr, "%s: the ray's largest entry is at the contact of %s and %s\n",
                    island->outcome == UT_ISLAND_NONE ? "no impulses obey the law"
                                                      : "pivoting ended on a ray",
                    cli_side_name(model, c->geom1, &one), cli_side_name(model, c->geom2, &two));
        }
    }
}

// Print why a step is not certified, and write its friction problem to a file.
static void report_uncertified(const RunOptions* o, utSim* sim, const utStepResult* result,
                               const RunTally* t)
{
    const utCertificate* certificate = &result->certificate;
    fprintf(stderr, "%s: ", cli_file_name(o->start.file));
    cli_print_word(stderr, CLI_RED, "error:");
    fprintf(stderr, " step %lld (t = %.9g s) is not certified: %s", t->steps.judged,
            result->report.time, ut_certificate_reason_name(certificate->reason));
    if (certificate->limit > 0.0 && !isfinite(certificate->value)) {
        fprintf(stderr, " is not finite");
    } else if (certificate->limit > 0.0) {
        fprintf(stderr, " %.3g is more than %.0e; E = %.3g", certificate->value, certificate->limit,
                certificate->E);
    }
    char place[RUN_WHERE];
    run_worst_place(result, place, sizeof place);
    fprintf(stderr, "%s; --keep-going takes such steps too\n", place);
    print_islands(ut_sim_model(sim), &result->report);

    char path[4096];
    utText text;
    utError err = {0};
    problem_path(o, t->steps.judged, path, sizeof path);
    if (ut_sim_problem(sim, &text, &err) != UT_OK) {
        fprintf(stderr, "the step's friction problem cannot be written: %s\n", err.message);
    } else if (!write_text(path, text)) {
        fprintf(stderr, "%s: error: cannot be written\n", path);
    } else {
        fprintf(stderr, "the step's friction problem is in %s; to solve it: uptack coulomb %s\n",
                path, path);
    }
}

// ---- the loop -----------------------------------------------------------------------------------

typedef struct Run {
    const RunOptions* options;
    utSim* sim;
    const utModelKeyframe* key; // NULL: the modelled pose
    RunCtrl ctrl;
    utInput input;
    RunFiles files;
    RunTally* tally;
} Run;

static utStatus record_state(Run* run, utError* err)
{
    RunTally* t = run->tally;
    const RunRow row = {
        .step = t->steps.taken,
        .contacts = t->steps.taken > 0 ? (double)t->contacts : (double)NAN,
        .E = t->steps.taken > 0 ? t->errors.row_max_E : (double)NAN,
        .model_gap = t->steps.taken > 0 ? t->errors.row_max_model_gap : (double)NAN,
        .reactions = &t->reactions,
    };
    t->errors.row_max_E = 0.0;
    t->errors.row_max_model_gap = 0.0;
    return run_files_state(&run->files, run->sim, &row, err);
}

// Adaptive steps end within rounding of end_time.
static bool is_over(const Run* run)
{
    const RunTally* t = run->tally;
    return t->steps.planned > 0
               ? t->steps.taken >= t->steps.planned
               : !(ut_sim_time(run->sim) < t->end_time - 1e-12 * fabs(t->end_time));
}

// @param recorded was the state after the step recorded?
static utStatus take_step(Run* run, bool* recorded, utError* err)
{
    RunTally* t = run->tally;
    utStepResult result;
    UT_TRY(run_ctrl_at(&run->ctrl, ut_sim_time(run->sim), err));
    UT_TRY(run_files_input(&run->files, &run->input, t->steps.taken + 1, err));
    const utStatus status = ut_sim_step(run->sim, &run->input, &result, err);
    if (status != UT_OK && status != UT_ERR_NOT_TAKEN) {
        return status;
    }
    count_step(run->options, &result, t);
    if (status == UT_ERR_NOT_TAKEN) {
        report_uncertified(run->options, run->sim, &result, t);
        t->stopped = true;
        return UT_OK;
    }
    t->steps.taken++;
    ut_energy_ledger_add(&t->energy.ledger, &result);
    t->contacts = result.report.contacts;
    count_length(t->steps.planned > 0 ? ut_sim_dt(run->sim) : result.report.h, t);
    run_impacts_count(&result.report, &t->impacts);
    if (run->options->reactions ||
        (t->reactions.model != NULL && (is_over(run) || cli_caught_signal() != 0))) {
        run_reactions_find(&t->reactions, &result.report);
    }
    UT_TRY(run_files_report(&run->files, run->sim, &result.report, t->steps.taken, err));
    *recorded = t->steps.taken % run->options->every == 0;
    return *recorded ? record_state(run, err) : UT_OK;
}

static utStatus loop(Run* run, utError* err)
{
    RunTally* t = run->tally;
    bool recorded = true;
    UT_TRY(record_state(run, err));
    CliProgress progress = cli_progress_begin();
    utStatus status = UT_OK;
    while (status == UT_OK && !is_over(run) && !t->stopped && cli_caught_signal() == 0) {
        status = take_step(run, &recorded, err);
        show_progress(&progress, t, ut_sim_time(run->sim));
    }
    cli_progress_end(&progress);
    t->wall = cli_progress_elapsed(&progress);
    t->signal = !is_over(run) ? cli_caught_signal() : 0;
    return status == UT_OK && !recorded ? record_state(run, err) : status;
}

// The number of steps that reach the end time. Rounding of time / dt must not add a step.
static utStatus plan(const RunOptions* o, utSim* sim, RunTally* tally, utError* err)
{
    static const double MAX_STEPS = 1e15; // counted exactly in doubles
    const double time = o->time > 0.0 ? o->time : ut_sim_model(sim)->options.time;
    tally->end_time = ut_sim_time(sim) + time;
    if (o->start.sim.adaptive > 0.0) {
        ut_sim_stop_at(sim, tally->end_time);
        return UT_OK;
    }
    const double count = ceil(time / ut_sim_dt(sim) * (1.0 - 1e-12));
    if (!(count <= MAX_STEPS)) {
        return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(o->start.file), 0, 0,
                           "%g s in steps of %g s are too many steps; use a larger dt", time,
                           ut_sim_dt(sim));
    }
    tally->steps.planned = (long long)count;
    return UT_OK;
}

static utStatus find_overlaps(const RunOptions* o, const utSim* sim, RunTally* tally, utError* err)
{
    const CliPose pose = {ut_sim_q(sim), ut_sim_mocap_pos(sim), ut_sim_mocap_quat(sim)};
    return cli_find_overlaps(ut_sim_model(sim), &pose, &tally->overlaps) == UT_OK
               ? UT_OK
               : cli_no_memory(o->start.file, err);
}

utStatus run_simulate(const RunOptions* o, utSim* sim, int keyframe, RunTally* tally, utError* err)
{
    const utModel* model = ut_sim_model(sim);
    Run run = {.options = o, .sim = sim, .tally = tally};
    if (keyframe >= 0) {
        run.key = &model->keyframe[keyframe];
        tally->keyframe = run.key->name;
        run.input.ctrl = run.key->ctrl;
    }
    UT_TRY(plan(o, sim, tally, err));
    UT_TRY(find_overlaps(o, sim, tally, err));
    tally->energy.start = ut_sim_energy(sim);
    if ((o->reactions || o->json) && run_reactions_open(model, &tally->reactions) != UT_OK) {
        return cli_no_memory(o->start.file, err);
    }
    cli_catch_signals();
    utStatus status = run_ctrl_open(o, model, run.input.ctrl, &run.ctrl, err);
    if (status == UT_OK) {
        run.input.ctrl = run.ctrl.ctrl != NULL ? run.ctrl.ctrl : run.input.ctrl;
        status = run_files_open(o, sim, tally, &run.files, err);
    }
    if (status == UT_OK) {
        status = loop(&run, err);
    }
    status = run_files_close(&run.files, tally->steps.taken, status, err);
    run_ctrl_close(&run.ctrl);
    tally->energy.end = ut_sim_energy(sim);
    return status;
}
