// SPDX-License-Identifier: Apache-2.0
// Islands on threads. An island reads what the step has found so far and writes to its own contacts, rows
// and result, so that the bits do not depend on the threads.
#include "sim/step.h"

// A thread wakes in some 10 us, the time in which a handful of contacts is solved.
enum { FEW_CONTACTS = 24 };

utStatus ut_island_threads_create(utSim* sim, int count, IslandThreads** out)
{
    if (count <= 1 || sim->settings.tier == UT_TIER_BUDGET || sim->settings.traits->acceleration) {
        return UT_OK;
    }
    IslandThreads* t = UT_PUSH(&sim->memory, IslandThreads, 1);
    utArena* arena = UT_PUSH(&sim->memory, utArena, count);
    utCoulombPlan* plan = UT_PUSH(&sim->memory, utCoulombPlan, count);
    if (ut_arena_failed(&sim->memory)) {
        return UT_ERR_CAPACITY;
    }
    *t = (IslandThreads){.arena = arena, .plan = plan};
    *out = t; // ut_island_threads_destroy releases what there is
    UT_TRY(ut_pool_create(count, sim->allocator, &t->pool));
    for (int k = 0; k < ut_pool_threads(t->pool); k++) {
        plan[k] = (utCoulombPlan){.allocator = sim->allocator};
        UT_TRY(ut_arena_create(0, sim->allocator, &arena[k]));
        t->count = k + 1;
    }
    return UT_OK;
}

void ut_island_threads_destroy(IslandThreads* t)
{
    if (t == NULL) {
        return;
    }
    ut_pool_destroy(t->pool);
    for (int k = 0; k < t->count; k++) {
        ut_arena_destroy(&t->arena[k]);
        ut_coulomb_plan_destroy(&t->plan[k]);
    }
}

typedef struct Call {
    Step* step;
    bool warm;
    utStatus* status; // per island
} Call;

static void solve_island(void* context, int island, int thread)
{
    const Call* call = context;
    const IslandThreads* t = call->step->sim->work.threads;
    Step own = *call->step; // its arrays are the step's
    own.arena = t->arena[thread];
    own.plan = &t->plan[thread];
    call->status[island] = ut_step_solve_island(&own, island, call->warm);
}

utStatus ut_step_solve_islands(Step* step, bool warm)
{
    const int islands = step->active.islands;
    if (step->sim->work.threads == NULL || islands < 2 || step->active.contacts < FEW_CONTACTS) {
        for (int k = 0; k < islands; k++) {
            UT_TRY(ut_step_solve_island(step, k, warm));
        }
        return UT_OK;
    }
    utArena scratch = step->arena;
    Call call = {step, warm, UT_PUSH(&scratch, utStatus, islands)};
    if (call.status == NULL) {
        return UT_ERR_CAPACITY;
    }
    ut_pool_run(step->sim->work.threads->pool, islands, solve_island, &call);
    for (int k = 0; k < islands; k++) {
        UT_TRY(call.status[k]);
        step->summary.iterations += step->active.island[k].iterations;
    }
    return UT_OK;
}
