// SPDX-License-Identifier: Apache-2.0
// uptack sweep: run all jobs of a specification that have no result yet.
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "json_members.h"
#include "progress.h"
#include "sweeps/sweep_crash.h"
#include "sweeps/sweep_run.h"
#include "sweeps/sweep_shard.h"

// ---- options ------------------------------------------------------------------------------------

typedef struct Options {
    const char* spec;
    const char* folder;
    int threads; // 0: all processors
    SweepShard shard;
    bool has_shard;
    int retries;
    int sbatch; // tasks; 0: run
    bool check, json;
} Options;

enum {
    OPTION_THREADS = 256,
    OPTION_SHARD,
    OPTION_SBATCH,
    OPTION_CHECK,
    OPTION_RETRIES,
    OPTION_JSON
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"shard", required_argument, NULL, OPTION_SHARD},
    {"sbatch", optional_argument, NULL, OPTION_SBATCH},
    {"check", no_argument, NULL, OPTION_CHECK},
    {"retries", required_argument, NULL, OPTION_RETRIES},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_option(int option, void* context)
{
    Options* o = context;
    switch (option) {
    case 'o':
        o->folder = optarg;
        return CLI_OK;
    case OPTION_THREADS:
        return cli_parse_int(optarg, 1, UT_MAX_THREADS, &o->threads)
                   ? CLI_OK
                   : cli_usage(&cli_sweep, "--threads needs a whole number from 1 to %d, not '%s'",
                               UT_MAX_THREADS, optarg);
    case OPTION_SHARD:
        o->has_shard = true;
        return sweep_parse_shard(optarg, &o->shard)
                   ? CLI_OK
                   : cli_usage(&cli_sweep, "--shard needs I/N with I from 0 to N - 1, not '%s'",
                               optarg);
    case OPTION_SBATCH:
        o->sbatch = 8;
        return optarg == NULL || cli_parse_int(optarg, 1, INT_MAX, &o->sbatch)
                   ? CLI_OK
                   : cli_usage(&cli_sweep, "--sbatch=N needs a whole number above 0, not '%s'",
                               optarg);
    case OPTION_CHECK:
        o->check = true;
        return CLI_OK;
    case OPTION_RETRIES:
        return cli_parse_int(optarg, 0, INT_MAX - 1, &o->retries)
                   ? CLI_OK
                   : cli_usage(&cli_sweep, "--retries needs a whole number, not '%s'", optarg);
    default:
        o->json = true;
        return CLI_OK;
    }
}

// ---- the jobs of this process -------------------------------------------------------------------

typedef struct Plan {
    int64_t* job; // to be run together, then alone, then recorded as crashed
    int together, alone, given_up;
    long long jobs; // of this shard
} Plan;

// List the jobs of the shard in the order of their numbers, those with a need of one kind.
static int add_jobs(const SweepDone* done, const Sweep* sweep, SweepShard shard, SweepNeed need,
                    int64_t* job)
{
    int count = 0;
    for (long long k = shard.index; k < sweep->jobs; k += shard.count) {
        if (sweep_need(done, k) == need) {
            job[count++] = k;
        }
    }
    return count;
}

static utStatus make_plan(const SweepDone* done, const Sweep* sweep, SweepShard shard, Plan* plan,
                          utError* err)
{
    *plan = (Plan){.jobs = (sweep->jobs - shard.index + shard.count - 1) / shard.count};
    plan->job = malloc(((size_t)plan->jobs + 1) * sizeof *plan->job);
    if (plan->job == NULL) {
        return cli_no_memory(sweep->path, err);
    }
    plan->together = add_jobs(done, sweep, shard, SWEEP_RUN, plan->job);
    plan->alone = add_jobs(done, sweep, shard, SWEEP_RUN_ALONE, plan->job + plan->together);
    plan->given_up =
        add_jobs(done, sweep, shard, SWEEP_GIVE_UP, plan->job + plan->together + plan->alone);
    return UT_OK;
}

typedef struct Shown {
    CliProgress progress;
    long long before, todo;
} Shown;

static void show(void* context, long long done)
{
    Shown* s = context;
    if (cli_progress_due(&s->progress)) {
        const double rate = (double)done / cli_progress_elapsed(&s->progress);
        cli_progress_show(&s->progress, "job %lld of %lld, %.4g jobs/s, %.0f s left",
                          s->before + done, s->before + s->todo, rate,
                          (double)(s->todo - done) / rate);
    }
}

static utStatus run_plan(SweepSession* session, const Plan* plan, utError* err)
{
    Shown shown = {.progress = cli_progress_begin(), .todo = plan->together + plan->alone};
    shown.before = plan->jobs - shown.todo;
    utStatus status = sweep_session_run(session, plan->job, plan->together, show, &shown, err);
    for (int k = 0; k < plan->alone && status == UT_OK && cli_caught_signal() == 0; k++) {
        status = sweep_session_run(session, plan->job + plan->together + k, 1, NULL, NULL, err);
    }
    for (int k = 0; k < plan->given_up && status == UT_OK; k++) {
        status = sweep_session_give_up(session, plan->job[plan->together + plan->alone + k], err);
    }
    cli_progress_end(&shown.progress);
    return status;
}

// ---- the summary --------------------------------------------------------------------------------

static void print_text(const Options* o, const Sweep* sweep, const SweepDone* done)
{
    printf("%lld of %lld jobs have a result", done->results, sweep->jobs);
    for (int k = 0; k < SWEEP_STATUSES; k++) {
        if (done->count[k] > 0) {
            printf("%s %lld %s", k == 0 ? ":" : ",", done->count[k], sweep_status_name(k));
        }
    }
    printf("\n");
    if (done->results == sweep->jobs) {
        printf("the table: uptack merge %s\n", o->folder);
    }
}

static void print_json(const Options* o, const Sweep* sweep, const SweepDone* done,
                       const Plan* plan, double wall)
{
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    cli_json_text(&w, "spec", sweep->path);
    cli_json_text(&w, "folder", o->folder);
    cli_json_integer(&w, "jobs", sweep->jobs);
    cli_json_integer(&w, "results", done->results);
    cli_json_integer(&w, "shard", o->shard.index);
    cli_json_integer(&w, "shards", o->shard.count);
    cli_json_integer(&w, "run", plan->together + plan->alone);
    ut_json_key(&w, "status");
    ut_json_object_begin(&w);
    for (int k = 0; k < SWEEP_STATUSES; k++) {
        cli_json_integer(&w, sweep_status_name(k), done->count[k]);
    }
    ut_json_object_end(&w);
    cli_json_number(&w, "wall_s", wall);
    ut_json_object_end(&w);
    printf("\n");
}

static int exit_code(const SweepDone* done)
{
    if (cli_caught_signal() != 0) {
        return CLI_SIGNAL + cli_caught_signal();
    }
    return done->count[SWEEP_OK] + done->count[SWEEP_STOPPED] == done->results ? CLI_OK
                                                                               : CLI_UNSOLVED;
}

// ---- the sweep ----------------------------------------------------------------------------------

static utStatus run_shard(const Options* o, SweepSession* session, Plan* plan, SweepDone* done,
                          utError* err)
{
    char log[80];
    snprintf(log, sizeof log, "shard-%d-of-%d", o->shard.index, o->shard.count);
    UT_TRY(sweep_session_log(session, o->folder, log, err));
    UT_TRY(sweep_read_done(o->folder, &session->sweep, session->model.hash, done, err));
    UT_TRY(make_plan(done, &session->sweep, o->shard, plan, err));
    UT_TRY(run_plan(session, plan, err));
    sweep_free_done(done);
    return sweep_read_done(o->folder, &session->sweep, session->model.hash, done, err);
}

static int run(void* context)
{
    const Options* o = context;
    SweepSession session;
    SweepDone done = {0};
    Plan plan = {0};
    utError err = {0};
    const double start = cli_now();
    cli_catch_signals();
    const int threads = o->threads > 0 ? o->threads : ut_processors();
    utStatus status = sweep_session_open(o->spec, threads, &session, &err);
    if (status == UT_OK && o->check) {
        printf("%s: %lld jobs, %d columns\n", session.sweep.path, session.sweep.jobs,
               session.sweep.columns);
    } else if (status == UT_OK) {
        status = run_shard(o, &session, &plan, &done, &err);
    }
    int code = status == UT_OK ? CLI_OK : cli_fail(&err);
    if (status == UT_OK && !o->check) {
        if (o->json) {
            print_json(o, &session.sweep, &done, &plan, cli_now() - start);
        } else {
            print_text(o, &session.sweep, &done);
        }
        code = exit_code(&done);
    }
    free(plan.job);
    sweep_free_done(&done);
    if (sweep_session_close(&session, UT_OK, &err) != UT_OK) {
        code = cli_fail(&err);
    }
    return cli_finish(code);
}

static int choose_shard(Options* o)
{
    const char* source;
    if (o->has_shard) {
        return CLI_OK;
    }
    if (!sweep_slurm_shard(&o->shard, &source)) {
        return cli_usage(&cli_sweep,
                         "%s do not give a shard; use an array without gaps, or --shard I/N",
                         source);
    }
    if (source[0] != '\0') {
        fprintf(stderr, "shard %d/%d from %s\n", o->shard.index, o->shard.count, source);
    }
    return CLI_OK;
}

static int run_sweep(int argc, char** argv)
{
    Options o = {.shard = {0, 1}, .retries = 100};
    int code = cli_parse(&cli_sweep, argc, argv, long_options, set_option, &o, &o.spec);
    if (code != CLI_OK || o.spec == NULL) {
        return code;
    }
    if (o.folder == NULL && !o.check) {
        return cli_usage(&cli_sweep, "-o DIR is missing: the folder of the results");
    }
    if (o.sbatch > 0) {
        sweep_print_sbatch(o.spec, o.folder, o.sbatch);
        return cli_finish(CLI_OK);
    }
    code = choose_shard(&o);
    return code == CLI_OK ? sweep_supervise(o.retries, run, &o) : code;
}

const CliVerb cli_sweep = {
    .name = "sweep",
    .summary = "run many simulations: parameter studies, Monte Carlo",
    .usage = "uptack sweep SPEC.json -o DIR [options]",
    .help =
        "Runs the jobs of a specification (docs/sweeps.md) on all processors and writes their "
        "results to\n"
        "logs in DIR. A result depends on the job alone. The same command goes on where it ended;\n"
        "`uptack merge DIR` makes the table.\n\n"
        "  -o, --output DIR  the folder of the results; it is made\n"
        "  --threads N       threads; default: all processors\n"
        "  --shard I/N       run every N-th job from job I on. By default the variables of Slurm "
        "tell:\n"
        "                    SLURM_ARRAY_TASK_ID and _COUNT, SLURM_PROCID and SLURM_NTASKS of "
        "srun\n"
        "  --check           check the specification and its first job; run and write nothing\n"
        "  --retries N       processes that jobs may crash before the sweep gives up, default 100\n"
        "  --sbatch[=N]      print a job script for Slurm with an array of N tasks, default 8\n"
        "  --json            print the summary as JSON\n\n"
        "exit code: 0 every result is ok or stopped, 1 unusable specification, 2 usage, 3 some "
        "jobs\n"
        "failed, 128 + signal after Ctrl-C\n",
    .run = run_sweep,
    .operand = "SPEC.json",
    .letters = ":ho:",
};
