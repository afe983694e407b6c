// SPDX-License-Identifier: Apache-2.0
// One contender on one instance, in a process of its own: calls at tighter and tighter tolerances
// until the answer counts, and repeats of that call when it was short.
#include "bench_coulomb.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 1 << 26 }; // bytes of scratch: enough for most problems without growing

static const struct {
    const char* name;
    utCoulombSolver solver;
} contenders[CONTENDERS] = {
    [OURS_BODIES] = {"auto, by bodies", UT_COULOMB_AUTO},
    [OURS_AUTO] = {"auto, W", UT_COULOMB_AUTO},
    [OURS_NSGS] = {"nsgs, W", UT_COULOMB_NSGS},
    [OURS_NEWTON] = {"newton, W", UT_COULOMB_NEWTON},
    [PEER_NSGS] = {"siconos nsgs", UT_COULOMB_AUTO},
    [PEER_NSN_AC] = {"siconos nsn_ac", UT_COULOMB_AUTO},
    [PEER_ADMM] = {"siconos admm", UT_COULOMB_AUTO},
};

const char* contender_name(Contender who)
{
    return contenders[who].name;
}

// ---- the measures -------------------------------------------------------------------------------

static double norm_of(const double* x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

double relative_error(const utCoulomb* problem, const double* q, const double* r, const double* u)
{
    const int n = ut_coulomb_rows(problem);
    double sum = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        const utLaw law = {.section = problem->section, .mu = problem->mu[i]};
        double u_hat[3], step[3];
        ut_law_shifted(&law, u + 3 * i, u_hat);
        for (int k = 0; k < 3; k++) {
            step[k] = r[3 * i + k] - u_hat[k];
        }
        ut_law_project(&law, step, step);
        for (int k = 0; k < 3; k++) {
            double off = r[3 * i + k] - step[k];
            sum += off * off;
        }
    }
    const double scale = fmax(norm_of(q, n), fmax(norm_of(r, n), norm_of(u, n)));
    return scale > DBL_EPSILON ? sqrt(sum) / scale : sqrt(sum);
}

// ---- a call -------------------------------------------------------------------------------------

typedef struct Call {
    Contender who;
    const Instance* instance;
    const utCoulomb* problem; // the form that this contender takes
    utArena scratch;
    double budget;
    bool quick;
    int setting; // of a peer
    Peer* peer;
    double tolerance;
    int max_iterations;
    bool claimed;
    int iterations;
    double* r;
    double* u;
    Run* run; // shared with the process that waits
} Call;

static void call_once(void* context)
{
    Call* call = context;
    if (call->peer != NULL) {
        call->claimed = peer_solve(call->peer, call->tolerance, call->max_iterations, call->r) == 0;
        call->iterations = peer_iterations(call->peer);
        return;
    }
    utCoulombInfo info = {0};
    utCoulombDef def = ut_coulomb_def();
    def.tolerance = call->tolerance;
    def.max_iterations = call->max_iterations;
    utStatus status = ut_coulomb_solve(call->problem, contenders[call->who].solver, &def,
                                       call->scratch, call->r, &info);
    call->claimed = status == UT_OK && info.outcome == UT_COULOMB_SOLVED;
    call->iterations = info.iterations;
}

// What the call's answer is worth.
static Run judged(Call* call, double seconds)
{
    utCoulombVerdict verdict = {.E = HUGE_VAL};
    const double* q = call->instance->local.q;
    if (ut_coulomb_judge(call->problem, false, call->r, call->scratch, call->u, &verdict) !=
        UT_OK) {
        verdict.E = HUGE_VAL;
    }
    return (Run){.ran = true,
                 .claimed = call->claimed,
                 .iterations = call->iterations,
                 .tolerance = call->tolerance,
                 .seconds = seconds,
                 .E = verdict.E,
                 .relative = relative_error(call->problem, q, call->r, call->u),
                 .setting = ""};
}

// Is a the better run? One that counts, then the faster one; else the smaller error.
static bool better(const Run* a, const Run* b)
{
    if (run_solved(a) != run_solved(b)) {
        return run_solved(a);
    }
    return run_solved(a) ? a->seconds < b->seconds : a->E < b->E;
}

// ---- a run --------------------------------------------------------------------------------------

// A call that is allowed more and more iterations, until it is content or its time is up.
// @return seconds of the last one
static double call_within_budget(Call* call)
{
    const int most = peer_limit(call->who);
    for (;;) {
        const double seconds = bench_calls(call_once, call, 1);
        const bool cut_off = !call->claimed && call->iterations >= call->max_iterations;
        if (!cut_off || call->max_iterations >= most || seconds > 0.7 * call->budget) {
            return seconds;
        }
        const double factor = fmin(call->budget / fmax(seconds, 1e-9), 8.0);
        const double more = ceil(factor * call->max_iterations);
        call->max_iterations = more < most ? (int)more : most;
    }
}

// A peer may be content only when it looks back at the end of its iterations: would fewer have
// done? @param run counts by one measure or the other; what it says is kept up to date
static void shorten(Call* call, Run* run)
{
    while (call->iterations >= call->max_iterations && call->max_iterations > 1) {
        const int limit = call->max_iterations;
        call->max_iterations = limit - limit / 4 - 1;
        Run shorter = judged(call, bench_calls(call_once, call, 1));
        if (run_solved(&shorter) != run_solved(run) || !(shorter.relative <= BENCH_SOLVED)) {
            call->max_iterations = limit;
            call_once(call); // back to where we were
            return;
        }
        *run = shorter;
    }
}

// Seconds of the call that was just made, by the best of several.
static double repeated(Call* call, double first)
{
    double best = bench_best(call_once, call, first, call->quick);
    // one call of middling length is still a matter of luck
    for (int k = 0; k < 2 && first > 0.02 && first < 0.3 && !call->quick; k++) {
        best = fmin(best, bench_calls(call_once, call, 1));
    }
    return best;
}

// From 1e-8 to 1e-12 by half decades, until the answer counts or the peer runs out of iterations.
static void climb(Call* call)
{
    Run best = {.ran = false};
    double own_seconds = 0.0;
    for (int step = 0; step <= 8 && !run_solved(&best); step++) {
        call->tolerance = pow(10.0, -8.0 - 0.5 * step);
        Run run = judged(call, call_within_budget(call));
        const int limit = call->max_iterations;
        const bool claimed = run.claimed;
        if (run.relative <= BENCH_SOLVED) {
            shorten(call, &run);
        }
        const bool own = own_seconds == 0.0 && run.relative <= BENCH_SOLVED;
        if (own || run_solved(&run)) {
            run.seconds = repeated(call, run.seconds);
            own_seconds = own ? run.seconds : own_seconds;
        }
        if (!best.ran || better(&run, &best)) {
            best = run;
        }
        // whoever has to stop us finds what there is
        best.own_seconds = own_seconds;
        *call->run = best;
        call->max_iterations = limit;
        if (!claimed) {
            break;
        }
    }
}

static void run_ours(void* context)
{
    Call* call = context;
    call->tolerance = BENCH_SOLVED;
    // as many sweeps as theirs; when it has to be quick, those that it allows itself
    const bool sweeps = contenders[call->who].solver == UT_COULOMB_NSGS;
    call->max_iterations = sweeps && !call->quick ? 100000 : 0;
    // pages that this process shares with its parent until it writes to them
    memset(call->scratch.next, 1, (size_t)(call->scratch.end - call->scratch.next));
    double first = bench_calls(call_once, call, 1);
    Run run = judged(call, first);
    if (run_solved(&run) || run.relative <= BENCH_SOLVED) {
        run.seconds = repeated(call, first);
        run.own_seconds = run.relative <= BENCH_SOLVED ? run.seconds : 0.0;
    }
    *call->run = run;
}

static void run_peer(void* context)
{
    Call* call = context;
    call->peer = peer_open(call->who, call->setting, call->instance);
    if (call->peer != NULL) {
        call->max_iterations = 32;
        climb(call);
    }
}

// One setting of a contender, apart.
static Run run_apart(Call* call, int setting)
{
    const bool peer = call->who >= PEERS_BEGIN;
    // a run that never reports had to be stopped
    *call->run = (Run){
        .ran = true, .broke = true, .seconds = call->budget, .E = HUGE_VAL, .relative = HUGE_VAL};
    call->setting = setting;
    // several calls, each within the budget
    bench_apart(peer ? run_peer : run_ours, call, 12.0 * call->budget + 2.0);
    Run run = *call->run;
    run.setting = peer ? peer_setting(call->who, setting) : "";
    return run;
}

Run contender_run(Contender who, const Instance* instance, double budget, bool quick)
{
    const bool peer = who >= PEERS_BEGIN;
    const utCoulomb* problem = who == OURS_BODIES ? &instance->bodies : &instance->local;
    if ((who == OURS_BODIES && !instance->by_bodies) || (peer && !peer_available())) {
        return (Run){.ran = false};
    }
    const size_t n = (size_t)ut_coulomb_rows(problem);
    const size_t size = sizeof(Run) + 2 * n * sizeof(double);
    Run* shared = bench_shared(size);
    Call call = {.who = who,
                 .instance = instance,
                 .problem = problem,
                 .budget = budget,
                 .quick = quick,
                 .r = (double*)(shared + 1),
                 .run = shared};
    call.u = call.r + n;
    if (ut_arena_create(FIRST_BLOCK, NULL, &call.scratch) != UT_OK) {
        fprintf(stderr, "no memory for %d bytes\n", FIRST_BLOCK);
        exit(1);
    }

    Run best = {.ran = false};
    const int settings = peer ? peer_settings(who) : 1;
    for (int s = 0; s < settings; s++) {
        // slower than the best so far would not count
        call.budget = run_solved(&best) ? fmax(best.seconds, 0.01) : budget;
        Run run = run_apart(&call, s);
        double own = best.own_seconds > 0.0 && run.own_seconds > 0.0
                         ? fmin(best.own_seconds, run.own_seconds)
                         : fmax(best.own_seconds, run.own_seconds);
        if (!best.ran || better(&run, &best)) {
            best = run;
        }
        best.own_seconds = own;
    }
    ut_arena_destroy(&call.scratch);
    bench_unshared(shared, size);
    return best;
}
