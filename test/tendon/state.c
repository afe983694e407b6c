// SPDX-License-Identifier: Apache-2.0
// Snapshots and problems of steps with rows over several trees.
#include <stdlib.h>

#include "lab.h"

static const char coupled[] =
    "<mujoco><worldbody><geom type='plane' size='3 3 1'/><site name='o' pos='0 0 1.5'/>"
    "<body pos='.4 0 1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/>"
    "<site name='s' pos='0 0 .1'/></body>"
    "<body pos='-.5 0 1'><joint name='a' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' "
    "size='.03'/><site name='e' pos='.3 0 0'/></body>"
    "<body pos='-.5 1 1'><joint name='b' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .4 0 0' "
    "size='.03'/></body></worldbody><tendon>"
    "<spatial range='0 .6' stiffness='5' damping='.2'><site site='o'/><site site='s'/></spatial>"
    "<spatial range='0 .7' frictionloss='.5'><site site='s'/><site site='e'/></spatial></tendon>"
    "<equality><joint joint1='b' joint2='a' polycoef='0 .7'/></equality></mujoco>";

// Warm starts of the rows are part of a snapshot: both sims go on with the same bits.
TEST(a_snapshot_restores_the_warm_starts_of_tendons)
{
    utModel* model = test_model(coupled);
    utSim* one = sim_with(model, 0.002, -1);
    utSim* two = sim_with(model, 0.002, -1);
    run_certified(one, NULL, 150, NULL, NULL);
    const size_t size = ut_sim_snapshot_size(one);
    void* memory = malloc(size);
    CHECK_INT(ut_sim_save(one, memory, size), UT_OK);
    CHECK_INT(ut_sim_load(two, memory, size, NULL), UT_OK);
    run_certified(one, NULL, 100, NULL, NULL);
    run_certified(two, NULL, 100, NULL, NULL);
    CHECK(ut_sim_hash(one) == ut_sim_hash(two));
    free(memory);
    ut_sim_destroy(one);
    ut_sim_destroy(two);
    ut_model_destroy(model);
}

// All three trees are one island, and its problem can be written down, before and after a step.
TEST(the_problem_of_an_island_joined_by_tendons_can_be_written)
{
    utModel* model = test_model(coupled);
    utSim* sim = sim_with(model, 0.002, -1);
    utText text;
    utError err = {0};
    utStepResult result;
    run_certified(sim, NULL, 150, NULL, NULL);
    CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK);
    CHECK_INT(result.report.islands, 1);
    CHECK_INT(result.report.island[0].trees, 3);
    if (CHECK_INT(ut_sim_problem(sim, &text, &err), UT_OK)) {
        CHECK(text.size > 0);
    } else {
        test_note("%s", err.message);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
