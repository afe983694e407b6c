// SPDX-License-Identifier: Apache-2.0
// The system that uptack prints in the recipes' notation, entry by entry against Eq. 34 by hand.
#include <uptack/notation.h>
#include <uptack/sim_coulomb.h>

#include "berard.h"

static void compare(utSim* sim, const Recipe* k)
{
    utArena arena = test_arena();
    utCoulomb problem;
    utPrinted system;
    utError err = {0};
    utPrintedDef def = ut_printed_def(UT_NOTATION_BERARD, k->h);
    // uptack subtracts the parent from the child, the paper the child from the parent, but the ground
    // from A
    bool turned[RECIPE_B];
    for (int j = 0; j < k->bilaterals; j++) {
        turned[j] = k->example != RECIPE_4_1 || j >= 2;
    }
    def.only_rough = true;
    def.turned = turned;
    CHECK_INT(ut_sim_set(sim, k->t, k->q, k->v, &err), UT_OK);
    if (!CHECK_INT(ut_sim_coulomb(sim, NULL, &arena, &problem, &err), UT_OK) ||
        !CHECK_INT(ut_printed_create(&problem, &def, &arena, &system, &err), UT_OK)) {
        test_note("%s", err.message);
        return;
    }
    const int n = recipe_size(k);
    double A[RECIPE_Z * RECIPE_Z], b[RECIPE_Z], most_A = 0.0, most_b = 0.0;
    if (!CHECK_INT(system.lcp.n, n) || !CHECK_INT(system.lcp.free_count, k->nu + k->bilaterals)) {
        return;
    }
    recipe_mixed(k, A, b);
    for (int i = 0; i < n * n; i++) {
        most_A = fmax(most_A, fabs(system.lcp.M[i] - A[i]));
    }
    for (int i = 0; i < n; i++) {
        most_b = fmax(most_b, fabs(system.lcp.q[i] - b[i]));
    }
    // entries of A are lengths of a few metres; Phi/h and Psi/h lose 1/h
    if (!CHECK(most_A <= 1e-12) || !CHECK(most_b <= 1e-11)) {
        test_note("%s, t = %g: A off by %.1e, b by %.1e", recipe_name(k->example), k->t, most_A,
                  most_b);
    }
}

TEST(B22_the_printed_system_of_every_example_entry_by_entry)
{
    for (int e = 0; e < RECIPE_COUNT; e++) {
        utModel* model = scene_load(recipe_name((RecipeExample)e), true);
        utSim* sim = scene_sim(model, 0.0);
        Recipe k = recipe((RecipeExample)e, 0.01);
        for (int step = 0; step < 80; step++) {
            compare(sim, &k);
            CHECK(recipe_step(&k));
        }
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}
