// SPDX-License-Identifier: Apache-2.0
// The kept plan of a system: compared with the whole pattern, so that it never serves another one.
#include "coulomb/plan.h"

#include <string.h>

static bool is_same(const SparsePattern* a, const SparsePattern* b)
{
    return a->nodes == b->nodes && a->pairs == b->pairs &&
           memcmp(a->size, b->size, (size_t)a->nodes * sizeof *a->size) == 0 &&
           (a->pairs == 0 || memcmp(a->pair, b->pair, 2 * (size_t)a->pairs * sizeof *a->pair) == 0);
}

// @return UT_ERR_CAPACITY without memory
static utStatus copy_pattern(const SparsePattern* from, utArena* arena, SparsePattern* to)
{
    int* size = UT_PUSH(arena, int, from->nodes);
    int* pair = ut_arena_push(arena, (size_t)from->pairs, 2 * sizeof *pair);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    memcpy(size, from->size, (size_t)from->nodes * sizeof *size);
    if (from->pairs > 0) {
        memcpy(pair, from->pair, 2 * (size_t)from->pairs * sizeof *pair);
    }
    *to = (SparsePattern){from->nodes, size, from->pairs, pair};
    return UT_OK;
}

utStatus ut_coulomb_plan_find(utCoulombPlan* plan, const SparsePattern* pattern, Sparse* H)
{
    if (plan->known && is_same(&plan->pattern, pattern)) {
        *H = plan->H;
        return UT_OK;
    }
    plan->known = false;
    if (plan->memory.block == NULL && ut_arena_create(0, plan->allocator, &plan->memory) != UT_OK) {
        return UT_ERR_CAPACITY;
    }
    utArena arena = plan->memory; // all that an earlier plan took is free again
    UT_TRY(copy_pattern(pattern, &arena, &plan->pattern));
    UT_TRY(ut_sparse_plan(&plan->pattern, &arena, &plan->H));
    plan->known = true;
    *H = plan->H;
    return UT_OK;
}

void ut_coulomb_plan_destroy(utCoulombPlan* plan)
{
    ut_arena_destroy(&plan->memory);
    plan->known = false;
}
