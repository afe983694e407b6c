// SPDX-License-Identifier: Apache-2.0
// One contender on one instance: a first call for the answer, and repeats when it was short.
#include "bench_lcp.h"

#include <stdlib.h>

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

static void call_once(void* context)
{
    Call* call = context;
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
    double first = bench_calls(call_once, &call, 1);
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
    run.seconds = run.refused ? first : bench_best(call_once, &call, first, quick);
    peer_close(call.peer);
    free(call.z);
    return run;
}
