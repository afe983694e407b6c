// SPDX-License-Identifier: Apache-2.0
// Islands on threads: the same bits for every number of threads, and for a sim that is used again.
#include <stdio.h>

#include <uptack/threads.h>

#include "all_inputs.h"
#include "support/make_sim.h"
#include "support/model_text.h"

enum { SIDE = 5, HIGH = 3 };

// SIDE x SIDE stacks of boxes, each an island once it lies, thrown down a little differently.
static utModel* stacks(void)
{
    static char text[1 << 16];
    int n = snprintf(text, sizeof text,
                     "<mujoco xmlns:ut='urn:uptack'><option timestep='0.004'/><worldbody>"
                     "<geom type='plane' size='9 9 1' friction='0.5' ut:restitution='0.3'/>");
    for (int i = 0; i < SIDE * SIDE; i++) {
        for (int k = 0; k < HIGH; k++) {
            n += snprintf(
                text + n, sizeof text - (size_t)n,
                "<body pos='%g %g %g' euler='0 0 %d'><freejoint/><geom type='box' size='.1 .1 .1' "
                "mass='%g' friction='0.5'/></body>",
                0.6 * (i % SIDE), 0.6 * (i / SIDE), 0.101 + 0.201 * k + 0.0005 * i, 7 * i + 11 * k,
                1.0 + 0.1 * k);
        }
    }
    snprintf(text + n, sizeof text - (size_t)n, "</worldbody></mujoco>");
    return test_model(text);
}

static void check(utFormulation formulation, double adaptive, int steps)
{
    static const int threads[] = {2, 3, 4, 8};
    utModel* model = stacks();
    utSimDef def = ut_sim_def();
    def.formulation = (int)formulation;
    def.adaptive = adaptive;
    utSim* one = make_sim(model, &def);
    int most = 0, iterations = 0;
    for (int k = 0; k < steps; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(one, NULL, &result, NULL), UT_OK);
        most = result.report.islands > most ? result.report.islands : most;
        iterations += result.iterations;
    }
    CHECK(most >= SIDE * SIDE / 2); // there are islands to share out
    Picture picture = take_picture(one);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        def.threads = threads[t];
        utSim* sim = make_sim(model, &def);
        int spent = 0;
        for (int k = 0; k < steps; k++) {
            utStepResult result;
            CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
            spent += result.iterations;
        }
        CHECK(looks_the_same(sim, &picture));
        CHECK_INT(spent, iterations);
        ut_sim_destroy(sim);
    }
    free_picture(&picture);
    ut_sim_destroy(one);
    ut_model_destroy(model);
}

TEST(islands_have_the_same_bits_for_every_number_of_threads)
{
    check(UT_FORMULATION_COULOMB, 0.0, 40);
}

TEST(islands_of_polygonal_and_convex_formulations_have_the_same_bits_on_threads)
{
    check(UT_FORMULATION_STEWART_TRINKLE, 0.0, 10);
    check(UT_FORMULATION_CONVEX, 0.0, 20);
}

TEST(islands_have_the_same_bits_on_threads_with_instants_and_adaptive_steps)
{
    check(UT_FORMULATION_HYBRID, 0.0, 25);
    check(UT_FORMULATION_COULOMB, 1e-3, 12);
}

TEST(a_wrong_number_of_threads_is_rejected)
{
    utModel* model = stacks();
    utSim* sim = NULL;
    utError err = {0};
    utSimDef def = ut_sim_def();
    def.threads = -1;
    CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, "threads is -1; there are 0 to 1024");
    def.threads = UT_MAX_THREADS + 1;
    CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_ERR_ARGUMENT);
    ut_model_destroy(model);
}
