// SPDX-License-Identifier: Apache-2.0
// uptack-mpi sweep: the jobs of a sweep on the ranks of an MPI job.
//
// Rank 0 reads the logs and hands out chunks of jobs on request. The other ranks run them on their
// threads, and each appends results to its own log `rank-R.log`. Rank 0 keeps nothing that is not in the
// logs. It looks for messages once per millisecond instead of waiting in MPI, which would keep a
// processor busy. With one rank it runs the jobs itself.
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "progress.h"
#include "sweeps/sweep_run.h"

enum { TAG_REQUEST = 1, TAG_CHUNK = 2, LARGEST_CHUNK = 1024 };

static const CliVerb mpi_sweep;

// ---- options ------------------------------------------------------------------------------------

typedef struct Options {
    const char* spec;
    const char* folder;
    int threads; // per rank
} Options;

enum { OPTION_THREADS = 256 };

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_option(int option, void* context)
{
    Options* o = context;
    if (option == 'o') {
        o->folder = optarg;
        return CLI_OK;
    }
    return cli_parse_int(optarg, 1, UT_MAX_THREADS, &o->threads)
               ? CLI_OK
               : cli_usage(&mpi_sweep, "--threads needs a whole number from 1 to %d, not '%s'",
                           UT_MAX_THREADS, optarg);
}

// ---- messages -----------------------------------------------------------------------------------

static void sleep_millisecond(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

// Wait for a message without keeping the processor busy.
static MPI_Status await(int source, int tag)
{
    MPI_Status status;
    for (;;) {
        int found = 0;
        MPI_Iprobe(source, tag, MPI_COMM_WORLD, &found, &status);
        if (found) {
            return status;
        }
        sleep_millisecond();
    }
}

// ---- rank 0 -------------------------------------------------------------------------------------

typedef struct Queue {
    int64_t* job; // to be run in chunks, then one by one
    long long chunked, single, next;
} Queue;

static utStatus make_queue(const SweepDone* done, SweepSession* session, Queue* queue, utError* err)
{
    const long long jobs = session->sweep.jobs;
    *queue = (Queue){.job = malloc(((size_t)jobs + 1) * sizeof *queue->job)};
    if (queue->job == NULL) {
        return cli_no_memory(session->sweep.path, err);
    }
    for (long long k = 0; k < jobs; k++) {
        if (sweep_need(done, k) == SWEEP_RUN) {
            queue->job[queue->chunked++] = k;
        } else if (sweep_need(done, k) == SWEEP_GIVE_UP) {
            UT_TRY(sweep_session_give_up(session, k, err));
        }
    }
    for (long long k = 0; k < jobs; k++) {
        if (sweep_need(done, k) == SWEEP_RUN_ALONE) {
            queue->job[queue->chunked + queue->single++] = k;
        }
    }
    return UT_OK;
}

// The size of the next chunk: half of an even share of the rest, so that all ranks end together.
static int next_chunk(const Queue* queue, int workers)
{
    const long long left = queue->chunked - queue->next;
    if (left <= 0) {
        return queue->next < queue->chunked + queue->single ? 1 : 0;
    }
    const long long share = left / (2 * workers);
    return share < 1 ? 1 : share > LARGEST_CHUNK ? LARGEST_CHUNK : (int)share;
}

// Hand out all jobs. @return how many ranks failed
static int hand_out(Queue* queue, int workers)
{
    const long long all = queue->chunked + queue->single;
    CliProgress progress = cli_progress_begin();
    int busy = workers, failed = 0;
    while (busy > 0) {
        const MPI_Status status = await(MPI_ANY_SOURCE, TAG_REQUEST);
        int code;
        MPI_Recv(&code, 1, MPI_INT, status.MPI_SOURCE, TAG_REQUEST, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        failed += code != UT_OK;
        const bool ends = code != UT_OK || failed > 0 || cli_caught_signal() != 0;
        const int count = ends ? 0 : next_chunk(queue, workers);
        MPI_Send(queue->job + queue->next, count, MPI_INT64_T, status.MPI_SOURCE, TAG_CHUNK,
                 MPI_COMM_WORLD);
        queue->next += count;
        busy -= count == 0;
        cli_progress_share(&progress, "jobs handed out:", (double)queue->next, (double)all);
    }
    cli_progress_end(&progress);
    return failed;
}

// All jobs on rank 0's threads, because there is no other rank.
static utStatus run_alone(SweepSession* session, const Queue* queue, utError* err)
{
    for (long long at = 0; at < queue->chunked;) {
        const long long left = queue->chunked - at;
        const int count = left < INT_MAX ? (int)left : INT_MAX;
        UT_TRY(sweep_session_run(session, queue->job + at, count, NULL, NULL, err));
        at += count;
    }
    for (long long k = 0; k < queue->single && cli_caught_signal() == 0; k++) {
        UT_TRY(sweep_session_run(session, queue->job + queue->chunked + k, 1, NULL, NULL, err));
    }
    return UT_OK;
}

static int print_summary(const Options* o, const Sweep* sweep, const SweepDone* done, int ranks)
{
    printf("%lld of %lld jobs have a result (%d rank%s)", done->results, sweep->jobs, ranks,
           ranks > 1 ? "s" : "");
    for (int k = 0; k < SWEEP_STATUSES; k++) {
        if (done->count[k] > 0) {
            printf(", %lld %s", done->count[k], sweep_status_name(k));
        }
    }
    printf("\nthe table: uptack merge %s\n", o->folder);
    const bool good = done->count[SWEEP_OK] + done->count[SWEEP_STOPPED] == done->results;
    return cli_caught_signal() != 0 ? CLI_SIGNAL + cli_caught_signal()
           : good                   ? CLI_OK
                                    : CLI_UNSOLVED;
}

// @param ready is the folder open, and may the other ranks begin?
static int coordinate(const Options* o, SweepSession* session, SweepDone* done, int ranks,
                      utError* err)
{
    Queue queue = {0};
    utStatus status = make_queue(done, session, &queue, err);
    int failed = 0;
    if (status == UT_OK && ranks == 1) {
        status = run_alone(session, &queue, err);
    } else if (ranks > 1) {
        queue.chunked = status == UT_OK ? queue.chunked : 0;
        queue.single = status == UT_OK ? queue.single : 0;
        failed = hand_out(&queue, ranks - 1);
    }
    free(queue.job);
    sweep_free_done(done);
    if (status == UT_OK) {
        status = sweep_read_done(o->folder, &session->sweep, session->model.hash, done, err);
    }
    const int code =
        status == UT_OK ? print_summary(o, &session->sweep, done, ranks) : cli_fail(err);
    return failed > 0 ? CLI_FAILED : code;
}

// ---- the other ranks ----------------------------------------------------------------------------

static int work(SweepSession* session, utStatus status, utError* err)
{
    static int64_t job[LARGEST_CHUNK];
    int code = status, count = 1;
    while (count > 0) {
        if (code != UT_OK) {
            (void)cli_fail(err);
        }
        MPI_Send(&code, 1, MPI_INT, 0, TAG_REQUEST, MPI_COMM_WORLD);
        MPI_Status message = await(0, TAG_CHUNK);
        MPI_Get_count(&message, MPI_INT64_T, &count);
        MPI_Recv(job, count, MPI_INT64_T, 0, TAG_CHUNK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (count > 0) {
            code = sweep_session_run(session, job, count, NULL, NULL, err);
        }
    }
    return code == UT_OK ? CLI_OK : CLI_FAILED;
}

// ---- start --------------------------------------------------------------------------------------

static int run(const Options* o, int rank, int ranks)
{
    SweepSession session;
    SweepDone done = {0};
    utError err = {0};
    char log[32];
    snprintf(log, sizeof log, "rank-%d", rank);
    cli_catch_signals();
    utStatus status = sweep_session_open(o->spec, o->threads, &session, &err);
    if (rank == 0 && status == UT_OK) {
        status = sweep_session_log(&session, o->folder, log, &err);
        if (status == UT_OK) {
            status = sweep_read_done(o->folder, &session.sweep, session.model.hash, &done, &err);
        }
    }
    int ready = status == UT_OK; // rank 0's mistakes are everyone's, and it reports them
    MPI_Bcast(&ready, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int code = CLI_FAILED;
    if (!ready && rank == 0) {
        code = cli_fail(&err);
    } else if (ready && rank == 0) {
        code = coordinate(o, &session, &done, ranks, &err);
    } else if (ready) {
        status = status == UT_OK ? sweep_session_log(&session, o->folder, log, &err) : status;
        code = work(&session, status, &err);
    }
    sweep_free_done(&done);
    if (sweep_session_close(&session, UT_OK, &err) != UT_OK) {
        code = cli_fail(&err);
    }
    return code;
}

static int run_verb(int argc, char** argv)
{
    Options o = {.threads = 1};
    int rank, ranks, code = CLI_OK;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank != 0) {
        opterr = 0; // one rank reports the mistakes of the command line
    }
    code = cli_parse(&mpi_sweep, argc, argv, long_options, set_option, &o, &o.spec);
    if (code != CLI_OK || o.spec == NULL) {
        return code;
    }
    if (o.folder == NULL) {
        return cli_usage(&mpi_sweep, "-o DIR is missing: the folder of the results");
    }
    return run(&o, rank, ranks);
}

static const CliVerb mpi_sweep = {
    .name = "sweep",
    .summary = "run the jobs of a sweep on all ranks",
    .usage = "mpirun uptack-mpi sweep SPEC.json -o DIR [--threads N]",
    .help = "Like `uptack sweep`, on the ranks of an MPI job. DIR is on a file system that all "
            "ranks share.\n"
            "Rank 0 hands out jobs and runs none, unless it is alone. The same command goes on "
            "where it\n"
            "ended, with any number of ranks; `uptack merge DIR` makes the table.\n\n"
            "  -o, --output DIR  the folder of the results; it is made\n"
            "  --threads N       threads per rank, default 1\n\n"
            "exit code: as `uptack sweep`\n",
    .run = run_verb,
    .operand = "SPEC.json",
    .letters = ":ho:",
};

int main(int argc, char** argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int code = CLI_USAGE;
    if (argc > 1 && strcmp(argv[1], "sweep") == 0) {
        code = run_verb(argc - 1, argv + 1);
    } else {
        fprintf(stderr, "usage: %s\n", mpi_sweep.usage);
    }
    code = cli_finish(code);
    MPI_Finalize();
    return code;
}
