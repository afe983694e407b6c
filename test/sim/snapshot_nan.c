// SPDX-License-Identifier: Apache-2.0
// A NaN in the bytes of a snapshot.
#include "all_inputs.h"

// After a successful load the time is finite and steps are certified.
static bool goes_on(utSim* sim)
{
    utStepResult result = {0};
    return isfinite(ut_sim_time(sim)) && isfinite(ut_sim_energy(sim)) &&
           ut_sim_step(sim, NULL, &result, NULL) == UT_OK && result.outcome == UT_STEP_CERTIFIED &&
           isfinite(ut_sim_time(sim)) && isfinite(ut_sim_energy(sim));
}

// Eight bytes of a snapshot become a NaN. In place of a number of the state it is rejected. In place
// of a count or a key it may be accepted, but no value that is not finite gets into the sim.
TEST(a_nan_does_not_get_in_by_a_snapshot)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 40);
    Picture before = take_picture(sim);
    unsigned char* bytes = malloc(before.size);
    const double nan_value = (double)NAN;
    int refused = 0;
    for (size_t at = 0; at + sizeof nan_value <= before.size; at += sizeof nan_value) {
        memcpy(bytes, before.bytes, before.size);
        memcpy(bytes + at, &nan_value, sizeof nan_value);
        sign_snapshot(bytes, before.size);
        utError err = {0};
        const utStatus status = ut_sim_load(sim, bytes, before.size, &err);
        refused += status == UT_ERR_ARGUMENT;
        const bool sound = status == UT_OK ? CHECK(goes_on(sim))
                                           : CHECK_INT(status, UT_ERR_ARGUMENT) &&
                                                 CHECK(looks_the_same(sim, &before));
        if (!sound) {
            test_note("NaN at byte %zu of %zu", at, before.size);
        }
        CHECK_INT(ut_sim_load(sim, before.bytes, before.size, &err), UT_OK);
    }
    // at least all of q, v, mocap positions and quaternions
    CHECK(refused >= model->nq + model->nv + 7 * model->nmocap);
    free(bytes);
    free_picture(&before);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
