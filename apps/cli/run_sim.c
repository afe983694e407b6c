// SPDX-License-Identifier: Apache-2.0
// The loop of a run: step, count, record.
#define _POSIX_C_SOURCE 200809L
#include "run_record.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- Ctrl-C -------------------------------------------------------------------------------------

static volatile sig_atomic_t caught; // the signal that asks for an end

static void catch_signal(int signal)
{
    caught = signal;
}

static void listen_to_signals(void)
{
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = catch_signal;
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

// ---- progress -----------------------------------------------------------------------------------

enum { LINE = 79 };

typedef struct Progress {
    bool shown; // on a terminal
    bool drawn;
    double start;
    double next; // when to draw again
} Progress;

static const double QUIET = 1.0; // s: a run that is over by then shows nothing
static const double AGAIN = 0.2; // s between lines

static Progress begin_progress(void)
{
    const double start = now();
    return (Progress){.shown = isatty(STDERR_FILENO) == 1, .start = start, .next = start + QUIET};
}

static void show_progress(Progress* p, const RunTally* t, double time)
{
    if (!p->shown || now() < p->next) {
        return;
    }
    const double spent = now() - p->start;
    const double rate = (double)t->steps / spent;
    char line[LINE + 1];
    if (t->planned > 0) {
        snprintf(line, sizeof line, "step %lld of %lld, t = %.4g s, %.4g steps/s, %.0f s left",
                 t->steps, t->planned, time, rate,
                 rate > 0.0 ? (double)(t->planned - t->steps) / rate : 0.0);
    } else {
        snprintf(line, sizeof line, "step %lld, t = %.4g of %.4g s, %.4g steps/s, %.0f s left",
                 t->steps, time, t->until, rate,
                 t->spent > 0.0 ? (t->until - time) / t->spent * spent : 0.0);
    }
    fprintf(stderr, "\r%-*s", LINE, line);
    p->drawn = true;
    p->next = now() + AGAIN;
}

static void end_progress(const Progress* p)
{
    if (p->drawn) {
        fprintf(stderr, "\r%*s\r", LINE, "");
    }
}

// ---- counting -----------------------------------------------------------------------------------

// The larger one; what is not a number is larger than all.
static double larger(double a, double b)
{
    return !(b <= a) ? b : a;
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

// Who answered for an island: a rung of the ladder, or the solver that was asked for by name.
static const char* answerer(const RunOptions* o, const utModel* model, const utIsland* island)
{
    return island->rung != UT_RUNG_NONE ? ut_rung_name(island->rung)
           : island->fallback           ? ut_island_outcome_name(island->outcome)
                                        : run_solver(o, model);
}

static void count_length(double h, RunTally* t)
{
    t->shortest = t->spent > 0.0 && t->shortest < h ? t->shortest : h;
    t->longest = larger(t->longest, h);
    t->spent += h;
}

// A rung counts once a step, however many islands it answered for.
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
    t->judged++;
    t->sum_residual += certificate->E;
    t->max_residual_mps = larger(t->max_residual_mps, certificate->e);
    t->max_cone = larger(t->max_cone, certificate->cone);
    run_worst_count(result, t->judged, &t->worst);
    t->since = larger(t->since, certificate->E);
    t->flagged += result->outcome == UT_STEP_FLAGGED;
    if (result->report.contacts > t->max_contacts) {
        t->max_contacts = result->report.contacts;
    }
    count_islands(o, &result->report, false, &t->rungs);
    count_islands(o, &result->report, true, &t->fallbacks);
    if (result->outcome == UT_STEP_UNCERTIFIED && t->unsolved++ == 0) {
        t->first_unsolved = t->judged;
        t->reason = ut_certificate_reason_name(certificate->reason);
        t->unsolved_time = result->report.time;
        t->unsolved_value = certificate->value;
        t->unsolved_limit = certificate->limit;
        run_worst_place(result, t->unsolved_place, sizeof t->unsolved_place);
    }
}

// ---- a step that is not certified ---------------------------------------------------------------

// MODEL-step-N.fc beside the recording, or in the current folder.
static void problem_path(const RunOptions* o, long long step, char* path, size_t size)
{
    const char* beside = o->record != NULL ? o->record : o->contacts != NULL ? o->contacts : "";
    const char* slash = strrchr(beside, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - beside) : 0;
    const char* base = strrchr(o->file, '/');
    base = strcmp(o->file, "-") == 0 ? "stdin" : base != NULL ? base + 1 : o->file;
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

// Why an island has no answer, if it is known.
static void print_islands(const utModel* model, const utStepReport* report)
{
    for (int k = 0; k < report->islands; k++) {
        const utIsland* island = &report->island[k];
        CliName one;
        CliName two;
        if (island->outcome == UT_ISLAND_INEXACT) {
            fprintf(stderr, "regularization or relaxation makes steps inexact, as was asked for\n");
            return;
        }
        if (island->ray >= 0 && island->ray < report->contacts && !island->solved) {
            const utContact* c = &report->contact[island->ray];
            fprintf(stderr, "%s: the ray is largest at the contact of %s and %s\n",
                    island->outcome == UT_ISLAND_NONE ? "no impulses obey the law"
                                                      : "pivoting ended on a ray",
                    cli_side_name(model, c->geom1, &one), cli_side_name(model, c->geom2, &two));
        }
    }
}

static void tell_uncertified(const RunOptions* o, utSim* sim, const utStepResult* result,
                             const RunTally* t)
{
    const utCertificate* certificate = &result->certificate;
    fprintf(stderr, "%s: ", cli_file_name(o->file));
    cli_print_word(stderr, CLI_RED, "error:");
    fprintf(stderr, " step %lld (t = %.9g s) is not certified: %s", t->judged, result->report.time,
            ut_certificate_reason_name(certificate->reason));
    if (certificate->limit > 0.0 && !isfinite(certificate->value)) {
        fprintf(stderr, " is not finite");
    } else if (certificate->limit > 0.0) {
        fprintf(stderr, " %.3g is more than %.0e; E = %.3g", certificate->value, certificate->limit,
                certificate->E);
    }
    char place[RUN_WHERE];
    run_worst_place(result, place, sizeof place);
    fprintf(stderr, "%s; --keep-going takes it all the same\n", place);
    print_islands(ut_sim_model(sim), &result->report);

    char path[4096];
    utText text;
    utError err = {0};
    problem_path(o, t->judged, path, sizeof path);
    if (ut_sim_problem(sim, &text, &err) != UT_OK) {
        fprintf(stderr, "its friction problem cannot be written out: %s\n", err.message);
    } else if (!write_text(path, text)) {
        fprintf(stderr, "%s: error: cannot be written\n", path);
    } else {
        fprintf(stderr, "its friction problem is in %s: uptack coulomb %s\n", path, path);
    }
}

// ---- the loop -----------------------------------------------------------------------------------

typedef struct Run {
    const RunOptions* options;
    utSim* sim;
    const utModelKeyframe* key; // NULL: the modelled pose
    utInput input;
    RunFiles files;
    RunTally* tally;
} Run;

static utStatus record_state(Run* run, utError* err)
{
    RunTally* t = run->tally;
    const RunRow row = {
        .step = t->steps,
        .contacts = t->steps > 0 ? (double)t->contacts : (double)NAN,
        .E = t->steps > 0 ? t->since : (double)NAN,
    };
    t->since = 0.0;
    return run_files_state(&run->files, run->sim, &row, err);
}

// @param recorded the last state that was recorded is this one
static utStatus take_step(Run* run, bool* recorded, utError* err)
{
    RunTally* t = run->tally;
    utStepResult result;
    UT_TRY(run_files_input(&run->files, &run->input, t->steps + 1, err));
    const utStatus status = ut_sim_step(run->sim, &run->input, &result, err);
    if (status != UT_OK && status != UT_ERR_NOT_TAKEN) {
        return status;
    }
    count_step(run->options, &result, t);
    if (status == UT_ERR_NOT_TAKEN) {
        tell_uncertified(run->options, run->sim, &result, t);
        t->stopped = true;
        return UT_OK;
    }
    t->steps++;
    ut_energy_ledger_add(&t->ledger, &result);
    t->contacts = result.report.contacts;
    count_length(t->planned > 0 ? ut_sim_dt(run->sim) : result.report.h, t);
    run_impacts_count(&result.report, &t->impacts);
    UT_TRY(run_files_report(&run->files, run->sim, &result.report, t->steps, err));
    *recorded = t->steps % run->options->every == 0;
    return *recorded ? record_state(run, err) : UT_OK;
}

// Adaptive steps go on until the time is there; a hair less is rounding.
static bool is_over(const Run* run)
{
    const RunTally* t = run->tally;
    return t->planned > 0 ? t->steps >= t->planned
                          : !(ut_sim_time(run->sim) < t->until - 1e-12 * fabs(t->until));
}

static utStatus loop(Run* run, utError* err)
{
    RunTally* t = run->tally;
    bool recorded = true;
    UT_TRY(record_state(run, err));
    Progress progress = begin_progress();
    utStatus status = UT_OK;
    while (status == UT_OK && !is_over(run) && !t->stopped && caught == 0) {
        status = take_step(run, &recorded, err);
        show_progress(&progress, t, ut_sim_time(run->sim));
    }
    end_progress(&progress);
    t->wall = now() - progress.start;
    t->signal = !is_over(run) ? (int)caught : 0;
    return status == UT_OK && !recorded ? record_state(run, err) : status;
}

// Enough steps to reach the time; a hair more than a whole number of them is rounding.
static utStatus plan(const RunOptions* o, utSim* sim, RunTally* tally, utError* err)
{
    static const double MOST = 1e15;
    const double time = o->time > 0.0 ? o->time : ut_sim_model(sim)->options.time;
    tally->until = ut_sim_time(sim) + time;
    if (o->sim.adaptive > 0.0) {
        ut_sim_stop_at(sim, tally->until);
        return UT_OK;
    }
    const double count = ceil(time / ut_sim_dt(sim) * (1.0 - 1e-12));
    if (!(count <= MOST)) {
        return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(o->file), 0, 0,
                           "%g s in steps of %g s are too many steps; take a larger dt", time,
                           ut_sim_dt(sim));
    }
    tally->planned = (long long)count;
    return UT_OK;
}

static utStatus find_overlaps(const RunOptions* o, const utSim* sim, RunTally* tally, utError* err)
{
    const CliPose pose = {ut_sim_q(sim), ut_sim_mocap_pos(sim), ut_sim_mocap_quat(sim)};
    return cli_find_overlaps(ut_sim_model(sim), &pose, &tally->overlaps) == UT_OK
               ? UT_OK
               : cli_no_memory(o->file, err);
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
    tally->energy_start = ut_sim_energy(sim);
    listen_to_signals();
    utStatus status = run_files_open(o, sim, &run.files, err);
    if (status == UT_OK) {
        status = loop(&run, err);
    }
    status = run_files_close(&run.files, tally->steps, status, err);
    tally->energy_end = ut_sim_energy(sim);
    return status;
}
