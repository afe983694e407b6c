// SPDX-License-Identifier: Apache-2.0
// The plan that the engine keeps from solve to solve: answers have the same bits with it, whichever problem
// came before.
#include "coulomb/plan.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { BODIES = 20, ROWS = 3 * BODIES, BLOCKS = 2 * BODIES - 1 };

// A tower of free bodies: contact i is between a body and the one below it, or the ground.
typedef struct Tower {
    int start[BODIES + 1], first[BODIES + 1], node[BLOCKS];
    double M[36 * BODIES], J[18 * BLOCKS], f[6 * BODIES], b[ROWS], mu[BODIES];
    utCoulombBlocks blocks;
    utCoulomb problem;
} Tower;

// @param order which body stands at which height
static void make_tower(const int order[BODIES], const utSection* circle, Tower* t)
{
    memset(t, 0, sizeof *t);
    int count = 0;
    for (int i = 0; i < BODIES; i++) {
        t->start[i + 1] = 6 * (i + 1);
        for (int k = 0; k < 6; k++) {
            t->M[36 * i + 7 * k] = 1.0 + 0.1 * i;
        }
        t->f[6 * i + 2] = -1.0 - 0.1 * i;
        t->f[6 * i] = 0.1;
        t->mu[i] = 0.5;
        for (int side = i > 0 ? 0 : 1; side < 2; side++) {
            double* J = t->J + 18 * (ptrdiff_t)count;
            const double sign = side == 1 ? 1.0 : -1.0;
            t->node[count++] = order[side == 1 ? i : i - 1];
            J[2] = J[6] = J[12 + 1] = sign;
            J[6 + 4] = -0.5 - 0.01 * i;
            J[12 + 3] = 0.5 + 0.01 * i;
        }
        t->first[i + 1] = count;
    }
    t->blocks = (utCoulombBlocks){BODIES, t->start, t->M, t->first, t->node, t->J};
    t->problem = (utCoulomb){.dimension = 3,
                             .contacts = BODIES,
                             .mu = t->mu,
                             .section = circle,
                             .dof = 6 * BODIES,
                             .blocks = &t->blocks,
                             .f = t->f,
                             .b = t->b};
}

static void solve(const Tower* t, utCoulombPlan* plan, double* r)
{
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    def.plan = plan;
    CHECK_INT(ut_coulomb_solve(&t->problem, UT_COULOMB_AUTO, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
}

static int allocations;

static void* count_and_allocate(void* context, size_t size)
{
    (void)context;
    allocations++;
    return malloc(size);
}

static void release(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

// The second tower has the same sizes and another graph: every other body is lower.
TEST(a_kept_plan_changes_no_bit_and_serves_no_other_graph)
{
    static Tower tower[2];
    const utSection circle = ut_section_circle();
    int order[2][BODIES];
    double plain[2][ROWS], kept[ROWS];
    for (int i = 0; i < BODIES; i++) {
        order[0][i] = i;
        order[1][i] = i < BODIES / 2 ? 2 * i : 2 * (i - BODIES / 2) + 1;
    }
    for (int k = 0; k < 2; k++) {
        make_tower(order[k], &circle, &tower[k]);
        solve(&tower[k], NULL, plain[k]);
    }
    const utAllocator allocator = {count_and_allocate, release, NULL};
    utCoulombPlan plan = {.allocator = &allocator};
    const int sequence[] = {0, 0, 1, 1, 0, 1, 0, 0};
    for (size_t n = 0; n < sizeof sequence / sizeof *sequence; n++) {
        const int k = sequence[n];
        solve(&tower[k], &plan, kept);
        CHECK(memcmp(kept, plain[k], sizeof kept) == 0);
        CHECK(plan.known);
        CHECK_INT(plan.pattern.pair[0] + plan.pattern.pair[1], order[k][0] + order[k][1]);
    }
    const int before = allocations;
    for (int n = 0; n < 4; n++) {
        solve(&tower[n % 2], &plan, kept);
    }
    CHECK_INT(allocations, before);
    ut_coulomb_plan_destroy(&plan);
}

// The bodies push each other up: normal impulses are the momenta of gravity above, summed.
TEST(a_tower_carries_its_weight_with_a_kept_plan)
{
    static Tower tower;
    const utSection circle = ut_section_circle();
    int order[BODIES];
    double r[ROWS];
    for (int i = 0; i < BODIES; i++) {
        order[i] = i;
    }
    make_tower(order, &circle, &tower);
    utCoulombPlan plan = {0};
    for (int n = 0; n < 2; n++) {
        solve(&tower, &plan, r);
        double weight = 0.0;
        for (int i = BODIES - 1; i >= 0; i--) {
            weight += 1.0 + 0.1 * i;
            CHECK_NEAR(r[3 * i], weight, 1e-7 * weight);
        }
    }
    ut_coulomb_plan_destroy(&plan);
}
