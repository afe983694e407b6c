// SPDX-License-Identifier: Apache-2.0
// What must not move does not: stacks and slopes, without sleeping. Run shorter here than the
// figures in docs: the state after settling repeats itself.
#include "lab.h"

static double top_moves(double heavy, double h, int steps)
{
    Lab lab = lab_open(h);
    lab_floor(&lab, 0.8);
    for (int k = 0; k < 30; k++) {
        const double mass = k == 29 ? heavy : 1.0;
        lab_box(&lab, ut_vec3(0, 0, 0.1 + 0.2 * k), ut_vec3(0.1, 0.1, 0.1), mass, 0.8);
    }
    lab_start(&lab);
    const utVec3 before = ut_sim_body(lab.sim, 30).com;
    lab_run(&lab, steps, 0, ut_vec3_zero());
    const utBodyState after = ut_sim_body(lab.sim, 30);
    CHECK(ut_vec3_norm(after.velocity) <= 1e-9);
    lab_certified(&lab);
    lab_close(&lab);
    return ut_vec3_norm(ut_vec3_sub(after.com, before));
}

TEST(a_stack_of_thirty_stands)
{
    CHECK(top_moves(1.0, 1.0 / 60.0, 120) <= 1e-8);
}

TEST(a_stack_of_thirty_carries_a_thousand_times_its_weight)
{
    CHECK(top_moves(1000.0, 1.0 / 60.0, 120) <= 1e-8);
}

// A snapshot goes on with the same bits, and input that is not finite changes nothing.
TEST(a_snapshot_goes_on_with_the_same_bits)
{
    Lab lab = lab_open(0.005);
    lab_floor(&lab, 0.5);
    for (int k = 0; k < 5; k++) {
        lab_ball(&lab, ut_vec3(0.01 * k, 0.003 * k, 0.11 + 0.25 * k), 0.1, 1.0, 0.5);
    }
    lab_start(&lab);
    lab_run(&lab, 100, 0, ut_vec3_zero());
    const size_t size = ut_sim_snapshot_size(lab.sim);
    unsigned char* bytes = malloc(size);
    CHECK_INT(ut_sim_save(lab.sim, bytes, size), UT_OK);
    lab_run(&lab, 100, 0, ut_vec3_zero());
    const uint64_t hash = ut_sim_hash(lab.sim);
    utSim* other = NULL;
    utError err;
    CHECK_INT(ut_sim_create(lab.model, NULL, &other, &err), UT_OK);
    if (!CHECK_INT(ut_sim_load(other, bytes, size, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    for (int k = 0; k < 100; k++) {
        CHECK_INT(ut_sim_step(other, NULL, NULL, &err), UT_OK);
    }
    CHECK(ut_sim_hash(other) == hash);
    CHECK_INT(ut_sim_load(other, bytes, size - 1, &err), UT_ERR_ARGUMENT);

    utForce applied[6] = {0};
    applied[3].torque.y = (double)NAN;
    const utInput input = {.applied = applied};
    CHECK_INT(ut_sim_step(other, &input, NULL, &err), UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, "applied[3] is not finite");
    CHECK(ut_sim_hash(other) == hash);
    free(bytes);
    ut_sim_destroy(other);
    lab_close(&lab);
}
