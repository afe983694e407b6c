// SPDX-License-Identifier: Apache-2.0
// Batches: each row goes as a sim of its own, for every number of threads, and also beside rows that
// fail. The sims here are stepped one after the other by ut_sim_step alone.
#include <uptack/batch.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/all_inputs.h"
#include "support/make_sim.h"
#include "support/model_text.h"

enum { ROWS = 13, STEPS = 60 };

typedef struct Controls {
    double* ctrl;  // ROWS x STEPS x nu
    double* force; // ROWS x STEPS x nv
    double* v;     // ROWS x nv: first velocities
} Controls;

static double* random_numbers(utRng* rng, size_t count, double size)
{
    double* x = malloc((count + 1) * sizeof *x);
    for (size_t i = 0; i < count; i++) {
        x[i] = ut_rng_range(rng, -size, size);
    }
    return x;
}

static Controls make_controls(const utModel* model)
{
    utRng rng = ut_rng(7, 0);
    return (Controls){
        .ctrl = random_numbers(&rng, (size_t)(ROWS * STEPS * model->nu), 1.0),
        .force = random_numbers(&rng, (size_t)(ROWS * STEPS * model->nv), 2.0),
        .v = random_numbers(&rng, (size_t)(ROWS * model->nv), 0.5),
    };
}

static void free_controls(Controls* c)
{
    free(c->ctrl);
    free(c->force);
    free(c->v);
}

// A sim that was stepped alone through the inputs of one row.
static utSim* run_alone(const utModel* model, const utSimDef* def, const Controls* c, int row,
                        int steps)
{
    utSim* sim = make_sim(model, def);
    CHECK_INT(ut_sim_set(sim, 0.0, NULL, c->v + row * model->nv, NULL), UT_OK);
    for (int k = 0; k < steps; k++) {
        const utInput input = {
            .ctrl = c->ctrl + (row * STEPS + k) * model->nu,
            .force = c->force + (row * STEPS + k) * model->nv,
        };
        CHECK_INT(ut_sim_step(sim, &input, NULL, NULL), UT_OK);
    }
    return sim;
}

static utBatch* make_batch(const utModel* model, const utBatchDef* def)
{
    utBatch* batch = NULL;
    utError err = {0};
    if (!CHECK_INT(ut_batch_create(model, def, &batch, &err), UT_OK)) {
        test_note("%s", err.message);
        exit(1);
    }
    return batch;
}

// Are all bits of a row's state, warm start included, those of the sim?
static void check_row(const utBatch* batch, int row, const utSim* sim, utSim* work)
{
    CHECK_INT(ut_batch_to_sim(batch, row, work, NULL), UT_OK);
    Picture picture = take_picture(sim);
    CHECK(looks_the_same(work, &picture));
    free_picture(&picture);
    const utModel* model = ut_batch_model(batch);
    const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
    CHECK(ut_batch_time(batch)[row] == ut_sim_time(sim));
    CHECK(memcmp(ut_batch_q(batch) + (size_t)row * nq, ut_sim_q(sim), nq * sizeof(double)) == 0);
    CHECK(memcmp(ut_batch_v(batch) + (size_t)row * nv, ut_sim_v(sim), nv * sizeof(double)) == 0);
}

// Step a batch in calls of 7 and 53 steps and compare all rows with sims of their own.
static void check_threads(const utModel* model, const utSimDef* sim_def, const Controls* c,
                          int threads)
{
    enum { FIRST = 7 };
    utBatchDef def = ut_batch_def();
    def.rows = ROWS;
    def.threads = threads;
    def.sim = *sim_def;
    utBatch* batch = make_batch(model, &def);
    CHECK_INT(ut_batch_set(batch, ROWS, NULL, &(utBatchState){.v = c->v}, NULL), UT_OK);
    // the inputs of both calls one after the other for each row
    const size_t nu = (size_t)model->nu, nv = (size_t)model->nv;
    double* ctrl = malloc((ROWS * STEPS * nu + 1) * sizeof *ctrl);
    double* force = malloc(ROWS * STEPS * nv * sizeof *force);
    for (int call = 0; call < 2; call++) {
        const size_t from = call == 0 ? 0 : FIRST;
        const size_t steps = call == 0 ? FIRST : STEPS - FIRST;
        for (size_t i = 0; i < ROWS; i++) {
            memcpy(ctrl + i * steps * nu, c->ctrl + (i * STEPS + from) * nu,
                   steps * nu * sizeof *ctrl);
            memcpy(force + i * steps * nv, c->force + (i * STEPS + from) * nv,
                   steps * nv * sizeof *force);
        }
        const utBatchInput input = {.each_step = true, .ctrl = ctrl, .force = force};
        CHECK_INT(ut_batch_step(batch, (int)steps, &input, NULL, NULL), UT_OK);
    }
    utSim* work = make_sim(model, sim_def);
    for (int row = 0; row < ROWS; row++) {
        CHECK_INT(ut_batch_row(batch)[row].status, UT_OK);
        CHECK_INT(ut_batch_row(batch)[row].taken, STEPS - FIRST);
        utSim* alone = run_alone(model, sim_def, c, row, STEPS);
        check_row(batch, row, alone, work);
        ut_sim_destroy(alone);
    }
    ut_sim_destroy(work);
    free(ctrl);
    free(force);
    ut_batch_destroy(batch);
}

static const int thread_counts[] = {1, 2, 3, 4, 8};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

static void check_settings(const utSimDef* def)
{
    utModel* model = inputs_model();
    Controls c = make_controls(model);
    for (int t = 0; t < THREAD_COUNTS; t++) {
        check_threads(model, def, &c, thread_counts[t]);
    }
    free_controls(&c);
    ut_model_destroy(model);
}

TEST(rows_have_the_bits_of_sims_of_their_own_for_every_number_of_threads)
{
    const utSimDef def = ut_sim_def();
    check_settings(&def);
}

TEST(rows_have_the_bits_of_sims_of_their_own_with_modes_of_contacts)
{
    utSimDef def = ut_sim_def();
    def.formulation = UT_FORMULATION_HYBRID;
    check_settings(&def);
}

TEST(rows_have_the_bits_of_sims_of_their_own_with_adaptive_steps)
{
    utSimDef def = ut_sim_def();
    def.adaptive = 1e-3;
    check_settings(&def);
}

TEST(rows_have_the_bits_of_sims_of_their_own_when_bodies_sleep)
{
    utSimDef def = ut_sim_def();
    def.sleep = true;
    check_settings(&def);
}

// ---- rows that fail -----------------------------------------------------------------------------

TEST(a_row_that_fails_stands_still_and_disturbs_no_other)
{
    utModel* model = inputs_model();
    Controls c = make_controls(model);
    const utSimDef sim_def = ut_sim_def();
    c.ctrl[(5 * STEPS + 20) * model->nu] = (double)NAN;  // row 5 fails in step 20
    c.force[(9 * STEPS + 0) * model->nv + 1] = HUGE_VAL; // row 9 in step 0
    for (int t = 0; t < THREAD_COUNTS; t++) {
        utBatchDef def = ut_batch_def();
        def.rows = ROWS;
        def.threads = thread_counts[t];
        utBatch* batch = make_batch(model, &def);
        CHECK_INT(ut_batch_set(batch, ROWS, NULL, &(utBatchState){.v = c.v}, NULL), UT_OK);
        const utBatchInput input = {.each_step = true, .ctrl = c.ctrl, .force = c.force};
        CHECK_INT(ut_batch_step(batch, STEPS, &input, NULL, NULL), UT_OK);
        utSim* work = make_sim(model, &sim_def);
        for (int row = 0; row < ROWS; row++) {
            const int taken = row == 5 ? 20 : row == 9 ? 0 : STEPS;
            const bool fails = row == 5 || row == 9;
            CHECK_INT(ut_batch_row(batch)[row].status, fails ? UT_ERR_ARGUMENT : UT_OK);
            CHECK_INT(ut_batch_row(batch)[row].taken, taken);
            CHECK((ut_batch_message(batch, row)[0] != '\0') == fails);
            utSim* alone = run_alone(model, &sim_def, &c, row, taken);
            check_row(batch, row, alone, work);
            ut_sim_destroy(alone);
        }
        CHECK_TEXT(ut_batch_message(batch, 5), "ctrl[0] is not a finite number");
        CHECK_TEXT(ut_batch_message(batch, 9), "force[1] is not a finite number");

        // it stands still until it is reset
        CHECK_INT(ut_batch_step(batch, 1, NULL, NULL, NULL), UT_OK);
        CHECK_INT(ut_batch_row(batch)[5].taken, 0);
        CHECK_INT(ut_batch_row(batch)[6].taken, 1);
        CHECK_INT(ut_batch_reset(batch, 1, (const int[]){5}, NULL, NULL), UT_OK);
        CHECK_INT(ut_batch_row(batch)[5].status, UT_OK);
        CHECK_TEXT(ut_batch_message(batch, 5), "");
        CHECK_INT(ut_batch_step(batch, 1, NULL, NULL, NULL), UT_OK);
        CHECK_INT(ut_batch_row(batch)[5].taken, 1);
        CHECK_INT(ut_batch_row(batch)[9].taken, 0);
        ut_sim_destroy(work);
        ut_batch_destroy(batch);
    }
    free_controls(&c);
    ut_model_destroy(model);
}

// No step with contacts is certified where the tolerance is below what doubles can reach.
TEST(a_row_whose_step_is_not_certified_keeps_its_state)
{
    utModel* model = inputs_model();
    utBatchDef def = ut_batch_def();
    def.rows = 3;
    def.threads = 2;
    def.sim.tolerance = 1e-300;
    utBatch* batch = make_batch(model, &def);
    CHECK_INT(ut_batch_step(batch, 200, NULL, NULL, NULL), UT_OK);
    for (int row = 0; row < 3; row++) {
        const utBatchRow* r = &ut_batch_row(batch)[row];
        CHECK_INT(r->status, UT_ERR_NOT_TAKEN);
        CHECK_INT(r->outcome, UT_STEP_UNCERTIFIED);
        CHECK(r->taken < 200);
        CHECK_NEAR(ut_batch_time(batch)[row], r->taken * ut_batch_dt(batch), 1e-12);
    }
    ut_batch_destroy(batch);
    ut_model_destroy(model);
}

// ---- states and outputs -------------------------------------------------------------------------

static const char ball_text[] =
    "<mujoco><option timestep='0.01' gravity='0 0 -10'/><worldbody>"
    "<body pos='0 0 100'><freejoint/><geom type='sphere' size='0.1' mass='2'/>"
    "</body></worldbody></mujoco>";

// Free fall with semi-implicit Euler: after k steps v = -10 h k, z = 100 + v0 h k - 10 h^2 k (k + 1) / 2.
TEST(outputs_along_the_way_are_those_of_free_fall)
{
    enum { N = 4, K = 10, EVERY = 2, SAMPLES = K / EVERY };
    const double h = 0.01;
    utModel* model = test_model(ball_text);
    utBatchDef def = ut_batch_def();
    def.rows = N;
    def.threads = 2;
    utBatch* batch = make_batch(model, &def);
    double v[N * 6] = {0};
    for (int i = 0; i < N; i++) {
        v[6 * i + 2] = i; // upwards
    }
    CHECK_INT(ut_batch_set(batch, N, NULL, &(utBatchState){.v = v}, NULL), UT_OK);
    double time[N * SAMPLES], q[N * SAMPLES * 7], out_v[N * SAMPLES * 6], energy[N * SAMPLES];
    double pos[N * SAMPLES * 2 * 3], quat[N * SAMPLES * 2 * 4];
    const utBatchOutput output = {.every = EVERY,
                                  .time = time,
                                  .q = q,
                                  .v = out_v,
                                  .energy = energy,
                                  .body_pos = pos,
                                  .body_quat = quat};
    const bool skip[N] = {false, false, true, false};
    CHECK_INT(ut_batch_step(batch, K, &(utBatchInput){.skip = skip}, &output, NULL), UT_OK);
    for (int i = 0; i < N; i++) {
        for (int s = 0; s < SAMPLES; s++) {
            const int at = i * SAMPLES + s;
            const double k = skip[i] ? 0 : EVERY * (s + 1);
            const double z = 100 + i * h * k - 10 * h * h * k * (k + 1) / 2;
            const double vz = i - 10 * h * k;
            CHECK_NEAR(time[at], h * k, 1e-15);
            CHECK_NEAR(q[7 * at + 2], z, 1e-12);
            CHECK_NEAR(out_v[6 * at + 2], vz, 1e-13);
            CHECK_NEAR(energy[at], 2 * 10 * z + 0.5 * 2 * vz * vz, 1e-9);
            CHECK_NEAR(pos[6 * at + 5], z, 1e-12);
            CHECK_NEAR(quat[8 * at + 4], 1.0, 0.0);
        }
        CHECK_INT(ut_batch_row(batch)[i].taken, skip[i] ? 0 : K);
    }
    ut_batch_destroy(batch);
    ut_model_destroy(model);
}

TEST(states_that_cannot_be_used_stop_their_rows_only)
{
    utModel* model = test_model(ball_text);
    utBatchDef def = ut_batch_def();
    def.rows = 3;
    utBatch* batch = make_batch(model, &def);
    double q[3 * 7] = {1, 2, 3, 2, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 1, 2, (double)NAN, 1, 0, 0, 0};
    CHECK_INT(ut_batch_set(batch, 3, NULL, &(utBatchState){.q = q}, NULL), UT_OK);
    CHECK_INT(ut_batch_row(batch)[0].status, UT_OK);
    CHECK_NEAR(ut_batch_q(batch)[3], 1.0, 0.0); // normalized
    CHECK_INT(ut_batch_row(batch)[1].status, UT_ERR_ARGUMENT);
    CHECK_TEXT(ut_batch_message(batch, 1), "the quaternion at q[3] is zero");
    CHECK_NEAR(ut_batch_q(batch)[7 + 2], 100.0, 0.0); // as before
    CHECK_TEXT(ut_batch_message(batch, 2), "q[2] is not a finite number");

    utError err = {0};
    CHECK_INT(ut_batch_set(batch, 1, (const int[]){3}, &(utBatchState){.q = q}, &err),
              UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, "there is no row 3; there are 3");
    CHECK_INT(ut_batch_set(batch, 4, NULL, &(utBatchState){.q = q}, &err), UT_ERR_ARGUMENT);
    CHECK_INT(ut_batch_step(batch, 0, NULL, NULL, &err), UT_ERR_ARGUMENT);
    CHECK_INT(ut_batch_reset(batch, 1, NULL, (const int[]){0}, &err), UT_OK);
    CHECK_TEXT(ut_batch_message(batch, 0), "there is no keyframe 0; there are 0");
    ut_batch_destroy(batch);
    ut_batch_destroy(NULL);
    ut_model_destroy(model);
}

TEST(a_state_travels_from_a_sim_into_rows_with_its_warm_start)
{
    utModel* model = inputs_model();
    const utSimDef sim_def = ut_sim_def();
    Controls c = make_controls(model);
    utSim* sim = run_alone(model, &sim_def, &c, 0, STEPS);
    utSim* work = make_sim(model, &sim_def);
    utBatchDef def = ut_batch_def();
    def.rows = 2;
    utBatch* batch = make_batch(model, &def);
    CHECK_INT(ut_batch_from_sim(batch, 1, sim, NULL), UT_OK);
    check_row(batch, 1, sim, work);
    CHECK_INT(ut_batch_step(batch, 5, NULL, NULL, NULL), UT_OK);
    for (int k = 0; k < 5; k++) {
        CHECK_INT(ut_sim_step(sim, NULL, NULL, NULL), UT_OK);
    }
    check_row(batch, 1, sim, work);
    CHECK_INT(ut_batch_from_sim(batch, 2, sim, NULL), UT_ERR_ARGUMENT);
    ut_batch_destroy(batch);
    ut_sim_destroy(work);
    ut_sim_destroy(sim);
    free_controls(&c);
    ut_model_destroy(model);
}
