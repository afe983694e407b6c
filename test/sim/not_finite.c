// SPDX-License-Identifier: Apache-2.0
// NaN and infinities in any entry of any input array are rejected with the array's name and the
// entry's index, and no visible bit of the sim changes.
#include "all_inputs.h"

static const double bad_numbers[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
enum { BAD = 3 };

// The message begins with NAME[INDEX] and says what is wrong.
static bool names_entry(const utError* err, const char* name, int index)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%s[%d] is not ", name, index);
    return err->status == UT_ERR_ARGUMENT && strncmp(err->message, wanted, strlen(wanted)) == 0 &&
           strstr(err->message, "finite") != NULL;
}

static void check_refused(const utSim* sim, const Picture* before, utStatus status,
                          const utError* err, const char* name, int index)
{
    bool ok = CHECK_INT(status, UT_ERR_ARGUMENT);
    ok = CHECK(names_entry(err, name, index)) && ok;
    ok = CHECK(looks_the_same(sim, before)) && ok;
    if (!ok) {
        test_note("%s[%d]: \"%s\"", name, index, err->message);
    }
}

// ---- inputs of a step ---------------------------------------------------------------------------

typedef struct StepArray {
    const char* name;
    int count;
    int per_index; // numbers per index of the message
    size_t offset; // of the pointer in utInput
} StepArray;

enum { STEP_ARRAYS = 5, MOST = 128 };

static void list_arrays(const utModel* model, StepArray array[STEP_ARRAYS])
{
    array[0] = (StepArray){"ctrl", model->nu, 1, offsetof(utInput, ctrl)};
    array[1] = (StepArray){"force", model->nv, 1, offsetof(utInput, force)};
    // six numbers a body: force and torque
    array[2] = (StepArray){"applied", 6 * model->nbody, 6, offsetof(utInput, applied)};
    array[3] = (StepArray){"mocap_pos", 3 * model->nmocap, 1, offsetof(utInput, mocap_pos)};
    array[4] = (StepArray){"mocap_quat", 4 * model->nmocap, 1, offsetof(utInput, mocap_quat)};
}

// Good values: poses a little off the modelled ones, 0.01 k elsewhere.
static void fill(const utModel* model, const StepArray* array, double* x)
{
    CHECK(array->count > 0 && array->count <= MOST);
    for (int k = 0; k < array->count; k++) {
        x[k] = strcmp(array->name, "mocap_pos") == 0    ? model->mocap_pos[k] + 1e-3
               : strcmp(array->name, "mocap_quat") == 0 ? model->mocap_quat[k] + 1e-3
                                                        : 0.01 * k;
    }
}

static utStatus step_with(utSim* sim, const StepArray* array, const double* x, utStepResult* result,
                          utError* err)
{
    utInput input = {0};
    memcpy((char*)&input + array->offset, &x, sizeof x);
    return ut_sim_step(sim, &input, result, err);
}

static void try_array(utSim* sim, const StepArray* array, const Picture* before)
{
    double x[MOST];
    for (int k = 0; k < array->count; k++) {
        for (int b = 0; b < BAD; b++) {
            utError err = {0};
            utStepResult result;
            memset(&result, 0x5a, sizeof result);
            const utStepResult untouched = result;
            fill(ut_sim_model(sim), array, x);
            x[k] = bad_numbers[b];
            const utStatus status = step_with(sim, array, x, &result, &err);
            check_refused(sim, before, status, &err, array->name, k / array->per_index);
            CHECK(memcmp(&result, &untouched, sizeof result) == 0);
            CHECK_INT(step_with(sim, array, x, NULL, NULL), UT_ERR_ARGUMENT);
        }
    }
}

TEST(a_step_refuses_every_entry_that_is_not_finite)
{
    utModel* model = inputs_model();
    CHECK_INT(model->nq, 13);
    CHECK_INT(model->nv, 11);
    CHECK_INT(model->nu, 2);
    CHECK_INT(model->nmocap, 2);
    utSim* sim = inputs_sim(model);
    utSim* twin = inputs_sim(model);
    inputs_run(sim, 40);
    inputs_run(twin, 40);
    Picture before = take_picture(sim);
    StepArray array[STEP_ARRAYS];
    list_arrays(model, array);
    for (int i = 0; i < STEP_ARRAYS; i++) {
        try_array(sim, &array[i], &before);
    }

    // later steps are the same as without the rejected call
    inputs_run(sim, 40);
    inputs_run(twin, 40);
    CHECK(ut_sim_hash(sim) == ut_sim_hash(twin));
    free_picture(&before);
    ut_sim_destroy(twin);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(the_same_arrays_without_a_bad_entry_are_taken)
{
    utModel* model = inputs_model();
    StepArray array[STEP_ARRAYS];
    list_arrays(model, array);
    for (int i = 0; i < STEP_ARRAYS; i++) {
        utSim* sim = inputs_sim(model);
        double x[MOST];
        const uint64_t hash = ut_sim_hash(sim);
        fill(model, &array[i], x);
        utStepResult result = {0};
        CHECK_INT(step_with(sim, &array[i], x, &result, NULL), UT_OK);
        CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
        CHECK(ut_sim_hash(sim) != hash);
        ut_sim_destroy(sim);
    }
    ut_model_destroy(model);
}

TEST(of_several_bad_entries_the_first_is_named)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    utError err;
    double force[MOST] = {0};
    force[3] = (double)NAN;
    force[7] = (double)INFINITY;
    const utInput input = {.force = force};
    CHECK_INT(ut_sim_step(sim, &input, NULL, &err), UT_ERR_ARGUMENT);
    CHECK(names_entry(&err, "force", 3));
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(a_mocap_quaternion_of_zero_is_refused)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 5);
    Picture before = take_picture(sim);
    const double quat[8] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    const utInput input = {.mocap_quat = quat};
    utError err;
    CHECK_INT(ut_sim_step(sim, &input, NULL, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "mocap_quat") != NULL && strstr(err.message, "1") != NULL);
    CHECK(looks_the_same(sim, &before));
    free_picture(&before);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// ---- the state ----------------------------------------------------------------------------------

// @param x a copy of q or v; each entry is made invalid and then restored
static void try_state(utSim* sim, const char* name, int count, double* x, const Picture* before)
{
    const bool is_q = strcmp(name, "q") == 0;
    for (int k = 0; k < count; k++) {
        for (int b = 0; b < BAD; b++) {
            const double good = x[k];
            utError err = {0};
            x[k] = bad_numbers[b];
            // the time and the other array are valid, and still nothing may change
            const utStatus status = ut_sim_set(sim, 7.0, is_q ? x : NULL, is_q ? NULL : x, &err);
            check_refused(sim, before, status, &err, name, k);
            x[k] = good;
        }
    }
}

TEST(a_state_that_is_not_finite_is_refused)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 40);
    Picture before = take_picture(sim);
    double q[MOST], v[MOST];
    memcpy(q, ut_sim_q(sim), (size_t)model->nq * sizeof *q);
    memcpy(v, ut_sim_v(sim), (size_t)model->nv * sizeof *v);
    try_state(sim, "q", model->nq, q, &before);
    try_state(sim, "v", model->nv, v, &before);

    // a good q with a bad v, and a bad time
    utError err;
    q[0] += 1.0;
    v[2] = (double)NAN;
    check_refused(sim, &before, ut_sim_set(sim, 0.0, q, v, &err), &err, "v", 2);
    v[2] = 0.0;
    for (int b = 0; b < BAD; b++) {
        check_refused(sim, &before, ut_sim_set(sim, bad_numbers[b], q, v, &err), &err, "time", 0);
    }
    CHECK_INT(ut_sim_set(sim, 0.0, q, v, &err), UT_OK);
    CHECK(!looks_the_same(sim, &before));
    free_picture(&before);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(a_quaternion_of_zero_in_the_state_is_refused)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 5);
    Picture before = take_picture(sim);
    double q[MOST];
    utError err;
    memcpy(q, ut_sim_q(sim), (size_t)model->nq * sizeof *q);
    q[3] = q[4] = q[5] = q[6] = 0.0;
    CHECK_INT(ut_sim_set(sim, 0.0, q, NULL, &err), UT_ERR_ARGUMENT);
    CHECK(strstr(err.message, "q[3]") != NULL);
    CHECK(looks_the_same(sim, &before));
    free_picture(&before);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(settings_that_are_not_finite_are_refused)
{
    utModel* model = inputs_model();
    for (int b = 0; b < BAD; b++) {
        utSim* sim = NULL;
        utError err = {0};
        utSimDef def = ut_sim_def();
        def.dt = bad_numbers[b];
        CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_ERR_ARGUMENT);
        CHECK(sim == NULL && strncmp(err.message, "dt is", 5) == 0);
        def = ut_sim_def();
        def.tolerance = bad_numbers[b];
        CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_ERR_ARGUMENT);
        CHECK(sim == NULL && strncmp(err.message, "tolerance is", 12) == 0);
    }
    ut_model_destroy(model);
}

// ---- numbers that are finite and too large ------------------------------------------------------

// 1e308 N on 1 kg overflows within a step: such a step is not certified and not taken. Along x and
// about z of the box in contact, and along the slide.
TEST(a_force_that_overflows_changes_nothing)
{
    utModel* model = inputs_model();
    utSim* sim = inputs_sim(model);
    inputs_run(sim, 5);
    Picture before = take_picture(sim);
    for (int k = 0; k < model->nv; k += 5) {
        double force[MOST] = {0};
        utStepResult result = {0};
        force[k] = k % 2 == 0 ? 1e308 : -1e308;
        const utInput input = {.force = force};
        const utStatus status = ut_sim_step(sim, &input, &result, NULL);
        CHECK(status != UT_OK || result.outcome == UT_STEP_UNCERTIFIED);
        if (!CHECK(looks_the_same(sim, &before))) {
            test_note("force[%d]: status %d, outcome %d", k, (int)status, (int)result.outcome);
        }
    }
    free_picture(&before);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
