// SPDX-License-Identifier: Apache-2.0
// One contender on one scene, in a process of its own: a run that is judged, then, when that was
// short, runs that are only timed.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_engines.h"

// s of simulated time between two looks of the judge
static const double LOOK = 0.005;

enum { REPEATS_MAX = 5 };

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

// ---- the run that is judged ---------------------------------------------------------------------

// Step up to the next look; false when the engine gives up.
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

// @return CPU s of its steps
static double judged_run(const Call* call, void* engine, BodyState* states)
{
    const Driver* driver = call->who->driver();
    const int steps = steps_of(call);
    const int stride = (int)fmax(1.0, floor(LOOK / call->world->dt));
    Run* run = call->run;
    Judge* judge = judge_create(call->world, call->plan->kind, call->def->time);
    double seconds = 0.0;
    while (run->steps < steps && !run->gave_up && !run->cut) {
        const int count = steps - run->steps < stride ? steps - run->steps : stride;
        run->gave_up = !advance(call, engine, count, &seconds);
        run->steps += count;
        driver->read(engine, states);
        judge_sample(judge, run->steps * call->world->dt, states);
        judge_figures(judge, &run->figures);
        run->gave_up = run->gave_up || !run->figures.finite;
        run->cut = seconds > call->def->budget && run->steps < steps;
        run->seconds = seconds / run->steps;
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
    return call->def->quick ? 3 : REPEATS_MAX;
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
    BodyState* states = calloc((size_t)call->world->bodies, sizeof *states);
    void* engine = driver->create(call->world, call->who->variant, call->run->why);
    if (engine == NULL || states == NULL) {
        call->run->gave_up = true;
        on_one_line(call->run->why);
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

Run contender_run(const Contender* who, const Plan* plan, const World* world, const RunDef* def)
{
    Run* shared = bench_shared(sizeof *shared);
    shared->ran = true;
    Call call = {who, plan, world, def, shared};
    // the judge's own time comes on top of the steps', and a single step may take long
    shared->broke = !bench_apart(run_all, &call, 4.0 * def->budget + 10.0);
    Run run = *shared;
    bench_unshared(shared, sizeof *shared);
    return run;
}
