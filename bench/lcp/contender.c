// One contender on one instance: a first call for the answer, and repeats when it was short.
#define _POSIX_C_SOURCE 200809L
#include "bench_lcp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    const char* name;
    utLcpSolver solver;
} contenders[CONTENDERS] = {
    [OURS_AUTO] = {"auto", UT_LCP_AUTO},
    [OURS_LEMKE] = {"lemke", UT_LCP_LEMKE},
    [OURS_PIVOT] = {"pivot", UT_LCP_PIVOT},
    [OURS_PGS] = {"pgs", UT_LCP_PGS},
    [OURS_NEWTON] = {"newton", UT_LCP_NEWTON},
    [PEER_LEXICO_LEMKE] = {"siconos lexicolemke", UT_LCP_AUTO},
    [PEER_LEMKE] = {"siconos lemke", UT_LCP_AUTO},
    [PEER_PGS] = {"siconos pgs", UT_LCP_AUTO},
    [PEER_NEWTON_FB] = {"siconos newton fb", UT_LCP_AUTO},
    [PEER_NEWTON_MIN] = {"siconos newton min", UT_LCP_AUTO},
};

const char* contender_name(Contender who)
{
    return contenders[who].name;
}

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int bench_pivots(int n)
{
    return 5 * n + 1000;
}

// What is called again and again.
typedef struct Call {
    Contender who;
    const Instance* instance;
    utArena scratch;
    Peer* peer;
    double* z;
    utLcpInfo info;
    int verdict;
} Call;

static void call_once(Call* call)
{
    if (call->peer != NULL) {
        call->verdict = peer_solve(call->peer, call->z);
        return;
    }
    utLcpDef def = ut_lcp_def();
    if (call->who == OURS_LEMKE || call->who == OURS_PIVOT) {
        def.max_iterations = bench_pivots(call->instance->lcp.n);
    }
    call->verdict = (int)ut_lcp_solve(&call->instance->lcp, contenders[call->who].solver, &def,
                                      call->scratch, call->z, &call->info);
}

static double time_calls(Call* call, int count)
{
    double start = bench_now();
    for (int k = 0; k < count; k++) {
        call_once(call);
    }
    return (bench_now() - start) / count;
}

// Long calls are timed once; short ones by the best of a few rounds of about `slice` seconds.
static double time_best(Call* call, double first, bool quick)
{
    const double slice = quick ? 2e-4 : 1e-3;
    const int rounds = first > 0.02 ? 0 : quick ? 3 : 5;
    double best = first;
    for (int r = 0; r < rounds; r++) {
        int count = (int)(slice / fmax(best, 1e-7));
        double seconds = time_calls(call, count < 1 ? 1 : count > 500 ? 500 : count);
        best = fmin(best, seconds);
    }
    return best;
}

Run contender_run(Contender who, const Instance* instance, utArena scratch, bool quick)
{
    const int n = instance->lcp.n;
    Call call = {.who = who, .instance = instance, .scratch = scratch};
    call.z = calloc((size_t)n, sizeof(double));
    if (who >= PEERS_BEGIN) {
        call.peer = peer_open(who, instance);
    }
    if (call.z == NULL || (who >= PEERS_BEGIN && call.peer == NULL)) {
        free(call.z);
        return (Run){.ran = false};
    }

    Run run = {.ran = true};
    double first = time_calls(&call, 1);
    if (call.peer != NULL) {
        run.claimed = call.verdict == 0 && peer_accepts(call.peer, call.z);
        run.iterations = peer_iterations(call.peer);
        run.refused = who == PEER_PGS && call.verdict == 2; // a diagonal entry of 0
    } else {
        run.refused = call.verdict != UT_OK;
        run.claimed = !run.refused && call.info.outcome == UT_LCP_SOLVED;
        run.iterations = call.info.iterations;
    }
    run.residual = ut_lcp_residual(&instance->lcp, call.z);
    run.seconds = run.refused ? first : time_best(&call, first, quick);
    peer_close(call.peer);
    free(call.z);
    return run;
}
