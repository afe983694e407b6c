// SPDX-License-Identifier: Apache-2.0
// One contender on one scene, in a process of its own: a run that is judged, then, when that was
// short, runs that are only timed.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_engines.h"
#include "node.h"

// s of simulated time between two looks of the judge
static const double LOOK = 0.005;

enum {
    REPEATS_MAX = 4,
    QUICK_REPEATS = 3,
    STEPS_JUDGED = 12,
    LARGE = 150,
    STEPS_JUDGED_LARGE = 6,
    HUGE_SCENE = 500,
    STEPS_JUDGED_HUGE = 3
};

typedef struct Call {
    const Contender* who;
    const Plan* plan;
    const World* world;
    const RunDef* def;
    Run* run; // shared with the process that waits
} Call;

static int steps_of(const Call* call)
{
    return (int)lround(call->def->time / call->world->dt);
}

// Steps between two looks; more than LOOK's when there would be too many looks to keep.
static int stride_of(const Call* call)
{
    const int stride = (int)fmax(1.0, floor(LOOK / call->world->dt + 1e-9));
    const int least = steps_of(call) / LOOKS_MAX + 1;
    return stride > least ? stride : least;
}

// Looks between two steps whose momentum is judged: the large problems are slow.
static int pairs_every(const Call* call)
{
    const int looks = steps_of(call) / stride_of(call);
    const int bodies = call->world->bodies;
    const int wanted = bodies > HUGE_SCENE ? STEPS_JUDGED_HUGE
                       : bodies > LARGE    ? STEPS_JUDGED_LARGE
                                           : STEPS_JUDGED;
    return looks / wanted > 1 ? looks / wanted : 1;
}

// ---- what the judge sees ------------------------------------------------------------------------

// @param before the state one step earlier, or NULL
static void look(const Call* call, Judge* judge, const BodyState* before, const BodyState* states,
                 double seconds)
{
    Run* run = call->run;
    judge_sample(judge, run->steps * call->world->dt, states);
    if (before != NULL) {
        judge_step(judge, before, states);
    }
    judge_figures(judge, &run->figures);
    run->gave_up = run->gave_up || !run->figures.finite;
    run->cut = seconds > call->def->budget && run->steps < steps_of(call);
    run->seconds = seconds / run->steps;
    if (run->looks < LOOKS_MAX) {
        run->clock[run->looks++] = seconds;
    }
}

// ---- the run that is judged ---------------------------------------------------------------------

// Some steps; false when the engine gives up.
static bool advance(const Call* call, void* engine, int count, double* seconds)
{
    const Driver* driver = call->who->driver();
    const double start = bench_now();
    bool going = true;
    for (int k = 0; k < count && going; k++) {
        going = driver->step(engine);
    }
    *seconds += bench_now() - start;
    return going;
}

// @param states room for two states  @return CPU s of its steps
static double judged_run(const Call* call, void* engine, BodyState* states)
{
    const Driver* driver = call->who->driver();
    const int steps = steps_of(call), stride = stride_of(call), every = pairs_every(call);
    BodyState* before = states + call->world->bodies;
    Run* run = call->run;
    Judge* judge = judge_create(call->world, call->plan->kind, call->def->time);
    double seconds = 0.0;
    run->stride = stride;
    while (run->steps < steps && !run->gave_up && !run->cut) {
        const int count = steps - run->steps < stride ? steps - run->steps : stride;
        const bool pair = run->looks % every == 0;
        run->gave_up = !advance(call, engine, count - 1, &seconds);
        if (pair) {
            driver->read(engine, before);
        }
        run->gave_up = !advance(call, engine, 1, &seconds) || run->gave_up;
        run->steps += count;
        driver->read(engine, states);
        look(call, judge, pair && !run->gave_up ? before : NULL, states, seconds);
        if (driver->certified != NULL) {
            driver->certified(engine, &run->certified);
        }
    }
    judge_destroy(judge);
    return seconds;
}

// ---- runs that are timed ------------------------------------------------------------------------

static bool timed_run(const Call* call, double* seconds)
{
    const Driver* driver = call->who->driver();
    void* engine = driver->create(call->world, call->who->variant, call->run->why);
    if (engine == NULL) {
        return false;
    }
    *seconds = 0.0;
    const bool went = advance(call, engine, call->run->steps, seconds);
    driver->destroy(engine);
    return went;
}

static int repeats_after(const Call* call, double seconds)
{
    if (call->run->gave_up || call->run->cut || seconds > 1.0) {
        return 0;
    }
    return call->def->quick ? QUICK_REPEATS : REPEATS_MAX;
}

static void on_one_line(char* text)
{
    for (char* c = text; *c != '\0'; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
}

static void run_all(void* context)
{
    const Call* call = context;
    const Driver* driver = call->who->driver();
    BodyState* states = calloc(2 * (size_t)call->world->bodies, sizeof *states);
    void* engine = driver->create(call->world, call->who->variant, call->run->why);
    if (engine == NULL || states == NULL) {
        call->run->gave_up = true;
        on_one_line(call->run->why);
        free(states);
        return;
    }
    const double seconds = judged_run(call, engine, states);
    driver->destroy(engine);

    double repeat[REPEATS_MAX];
    const int repeats = repeats_after(call, seconds);
    int done = 0;
    while (done < repeats && timed_run(call, &repeat[done])) {
        done++;
    }
    if (done > 0) {
        call->run->seconds = bench_median(repeat, done) / call->run->steps;
    }
    free(states);
}

// ---- engines of npm -----------------------------------------------------------------------------

// Node runs everything first; the judge looks at what it left.
static void node_run_all(const Call* call, double seconds)
{
    Run* run = call->run;
    const Job job = {.engine = call->who->npm,
                     .setting = call->who->setting,
                     .steps = steps_of(call),
                     .stride = stride_of(call),
                     .pair_every = pairs_every(call),
                     .repeats = call->def->quick ? QUICK_REPEATS : REPEATS_MAX,
                     .budget = call->def->budget,
                     .warm_up = call->def->quick ? 0.2 : 0.5};
    NodeOutcome outcome;
    NodeStates* from = node_run(&job, call->world, seconds, &outcome);
    BodyState* states = calloc(2 * (size_t)call->world->bodies, sizeof *states);
    snprintf(run->why, ENGINE_TEXT, "%s", outcome.why);
    run->stride = job.stride;
    run->broke = !outcome.ended;
    if (from != NULL && states != NULL) {
        BodyState* before = states + call->world->bodies;
        Judge* judge = judge_create(call->world, call->plan->kind, call->def->time);
        NodeLook seen;
        while (node_next(from, &seen, before, states)) {
            run->steps = seen.steps;
            look(call, judge, seen.pair ? before : NULL, states, seen.seconds);
        }
        judge_destroy(judge);
    }
    run->gave_up = run->gave_up || outcome.gave_up;
    if (outcome.repeats > 0 && run->steps > 0) {
        run->seconds = bench_median(outcome.repeat, outcome.repeats) / run->steps;
    }
    if (from != NULL) {
        node_close(from);
    }
    free(states);
}

// ---- any contender ------------------------------------------------------------------------------

Run contender_run(const Contender* who, const Plan* plan, const World* world, const RunDef* def)
{
    Run* shared = bench_shared(sizeof *shared);
    shared->ran = true;
    Call call = {who, plan, world, def, shared};
    // the judge's own time comes on top of the steps', and a single step may take long
    const double seconds = 4.0 * def->budget + 20.0;
    if (who->driver != NULL) {
        shared->broke = !bench_apart(run_all, &call, seconds);
    } else {
        node_run_all(&call, seconds);
    }
    Run run = *shared;
    bench_unshared(shared, sizeof *shared);
    return run;
}

double run_seconds(const Run* run, const World* world, double from, double to)
{
    const int looks = run->looks;
    if (looks == 0) {
        return (double)NAN;
    }
    const double look_time = run->stride * world->dt;
    const int first = (int)floor(from / look_time + 0.5);
    int last = (int)floor(to / look_time + 0.5);
    last = to <= 0.0 || last > looks ? looks : last;
    if (first >= last) {
        return (double)NAN;
    }
    if (first == 0 && last == looks) {
        return run->seconds;
    }
    const double begin = first > 0 ? run->clock[first - 1] : 0.0;
    return (run->clock[last - 1] - begin) / ((last - first) * run->stride);
}
