// SPDX-License-Identifier: Apache-2.0
// A batch: creation, destruction, access, and setting the states of rows.
#include <string.h>

#include "batch/internal.h"

utBatchDef ut_batch_def(void)
{
    return (utBatchDef){.rows = 1, .sim = ut_sim_def(), .cookie = UT_BATCH_DEF_COOKIE};
}

// ---- create and destroy -------------------------------------------------------------------------

static double* push_numbers(utBatch* batch, int per_row)
{
    return ut_arena_push(&batch->memory, (size_t)batch->rows * (size_t)per_row, sizeof(double));
}

static utStatus create_arrays(utBatch* batch)
{
    const utModel* model = batch->model;
    const size_t rows = (size_t)batch->rows;
    batch->time = push_numbers(batch, 1);
    batch->q = push_numbers(batch, model->nq);
    batch->v = push_numbers(batch, model->nv);
    batch->act = push_numbers(batch, model->na);
    batch->mocap_pos = push_numbers(batch, 3 * model->nmocap);
    batch->mocap_quat = push_numbers(batch, 4 * model->nmocap);
    batch->row = ut_arena_push(&batch->memory, rows, sizeof *batch->row);
    batch->shown = ut_arena_push(&batch->memory, rows, sizeof *batch->shown);
    if (ut_arena_failed(&batch->memory)) {
        batch->row = NULL;
        return UT_ERR_MEMORY;
    }
    memset(batch->row, 0, rows * sizeof *batch->row);
    memset(batch->shown, 0, rows * sizeof *batch->shown);
    return UT_OK;
}

static utStatus create_sims(utBatch* batch, const utBatchDef* def, utError* err)
{
    const int threads = ut_pool_threads(batch->pool);
    batch->sim = UT_PUSH(&batch->memory, utSim*, threads);
    if (batch->sim == NULL) {
        return UT_ERR_MEMORY;
    }
    for (int t = 0; t < threads; t++) {
        batch->sim[t] = NULL; // ut_batch_destroy releases what there is
    }
    utSimDef sim = def->sim;
    sim.threads = 1; // rows are on threads, and their islands are not
    for (int t = 0; t < threads; t++) {
        UT_TRY(ut_sim_create(batch->model, &sim, &batch->sim[t], err));
    }
    batch->sleep_trees = batch->sim[0]->state.sleep.trees;
    batch->sleep_controls = batch->sim[0]->state.sleep.controls;
    batch->sleep_tree =
        ut_arena_push(&batch->memory, (size_t)batch->rows * (size_t)batch->sleep_trees,
                      sizeof *batch->sleep_tree);
    batch->sleep_ctrl = push_numbers(batch, batch->sleep_controls);
    return ut_arena_failed(&batch->memory) ? UT_ERR_MEMORY : UT_OK;
}

static utStatus create(utBatch* batch, const utBatchDef* def, utError* err)
{
    int threads = def->threads > 0 ? def->threads : ut_processors();
    threads = threads < UT_MAX_THREADS ? threads : UT_MAX_THREADS;
    threads = threads < batch->rows ? threads : batch->rows;
    UT_TRY(create_arrays(batch));
    UT_TRY(ut_pool_create(threads, def->sim.allocator, &batch->pool));
    UT_TRY(create_sims(batch, def, err));
    for (int i = 0; i < batch->rows; i++) {
        UT_TRY(ut_batch_store_row(batch, i, batch->sim[0]));
    }
    return UT_OK;
}

utStatus ut_batch_create(const utModel* model, const utBatchDef* def, utBatch** out, utError* err)
{
    const utBatchDef defaults = ut_batch_def();
    def = def != NULL ? def : &defaults;
    if (model == NULL || out == NULL || def->cookie != UT_BATCH_DEF_COOKIE) {
        return ut_error_set(err, UT_ERR_DEF, "a model and a def of ut_batch_def() are needed");
    }
    if (def->rows < 1 || def->threads < 0 || def->threads > UT_MAX_THREADS) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "a batch needs at least one row, and 0 ... %d threads", UT_MAX_THREADS);
    }
    utArena memory;
    if (ut_arena_create(0, def->sim.allocator, &memory) != UT_OK) {
        return ut_error_set(err, UT_ERR_MEMORY, "%s", ut_status_text(UT_ERR_MEMORY));
    }
    utBatch* batch = UT_PUSH(&memory, utBatch, 1);
    *batch = (utBatch){.model = model, .memory = memory, .rows = def->rows};
    if (def->sim.allocator != NULL) {
        batch->allocator = *def->sim.allocator;
    }
    const utStatus status = create(batch, def, err);
    if (status != UT_OK) {
        ut_batch_destroy(batch);
        return status == UT_ERR_MEMORY ? ut_error_set(err, status, "%s", ut_status_text(status))
                                       : status;
    }
    *out = batch;
    return UT_OK;
}

void ut_batch_destroy(utBatch* batch)
{
    if (batch == NULL) {
        return;
    }
    const int sims = batch->sim != NULL ? ut_pool_threads(batch->pool) : 0;
    for (int t = 0; t < sims; t++) {
        ut_sim_destroy(batch->sim[t]);
    }
    ut_pool_destroy(batch->pool);
    for (int i = 0; batch->row != NULL && i < batch->rows; i++) {
        ut_batch_release(batch, batch->row[i].lists, batch->row[i].room);
        ut_batch_release(batch, batch->row[i].message, BATCH_MESSAGE_SIZE);
    }
    utArena memory = batch->memory; // the batch itself lies on it
    ut_arena_destroy(&memory);
}

// ---- access -------------------------------------------------------------------------------------

const utModel* ut_batch_model(const utBatch* batch)
{
    return batch->model;
}

int ut_batch_rows(const utBatch* batch)
{
    return batch->rows;
}

int ut_batch_threads(const utBatch* batch)
{
    return ut_pool_threads(batch->pool);
}

double ut_batch_dt(const utBatch* batch)
{
    return ut_sim_dt(batch->sim[0]);
}

const double* ut_batch_time(const utBatch* batch)
{
    return batch->time;
}

const double* ut_batch_q(const utBatch* batch)
{
    return batch->q;
}

const double* ut_batch_v(const utBatch* batch)
{
    return batch->v;
}

const double* ut_batch_act(const utBatch* batch)
{
    return batch->act;
}

const double* ut_batch_mocap_pos(const utBatch* batch)
{
    return batch->mocap_pos;
}

const double* ut_batch_mocap_quat(const utBatch* batch)
{
    return batch->mocap_quat;
}

const utBatchRow* ut_batch_row(const utBatch* batch)
{
    return batch->shown;
}

// ---- setting states -----------------------------------------------------------------------------

typedef struct Setting {
    utBatch* batch;
    const int* row;            // NULL: 0, 1, ...
    const utBatchState* state; // NULL: reset
    const int* keyframe;
} Setting;

static utStatus set_state(utSim* sim, const utBatchState* state, int item, utError* err)
{
    const utModel* model = sim->model;
    const double time = state->time != NULL ? state->time[item] : ut_sim_time(sim);
    const double* act = BATCH_AT(state->act, item, model->na);
    UT_TRY(ut_sim_check_finite("act", model->na, act, err)); // before anything changes
    UT_TRY(ut_sim_set(sim, time, BATCH_AT(state->q, item, model->nq),
                      BATCH_AT(state->v, item, model->nv), err));
    return act != NULL ? ut_sim_set_act(sim, act, err) : UT_OK;
}

static void set_row(void* context, int item, int thread)
{
    const Setting* setting = context;
    utBatch* batch = setting->batch;
    utSim* sim = batch->sim[thread];
    const int row = setting->row != NULL ? setting->row[item] : item;
    utError err = {0};
    utStatus status = ut_batch_load_row(batch, row, sim);
    if (status == UT_OK && setting->state != NULL) {
        status = set_state(sim, setting->state, item, &err);
    } else if (status == UT_OK) {
        status = ut_sim_reset(sim, setting->keyframe != NULL ? setting->keyframe[item] : -1, &err);
    }
    if (status == UT_OK) {
        status = ut_batch_store_row(batch, row, sim);
    }
    ut_batch_set_status(batch, row, status,
                        err.message[0] != '\0' ? err.message : ut_status_text(status));
}

static utStatus set_rows(Setting setting, int count, utError* err)
{
    const utBatch* batch = setting.batch;
    if (count < 0 || (setting.row == NULL && count > batch->rows)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the batch has %d rows, not %d", batch->rows,
                            count);
    }
    for (int k = 0; setting.row != NULL && k < count; k++) {
        if (setting.row[k] < 0 || setting.row[k] >= batch->rows) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "there is no row %d; there are %d",
                                setting.row[k], batch->rows);
        }
    }
    ut_pool_run(batch->pool, count, set_row, &setting);
    return UT_OK;
}

utStatus ut_batch_set(utBatch* batch, int count, const int* row, const utBatchState* state,
                      utError* err)
{
    return set_rows((Setting){.batch = batch, .row = row, .state = state}, count, err);
}

utStatus ut_batch_reset(utBatch* batch, int count, const int* row, const int* keyframe,
                        utError* err)
{
    return set_rows((Setting){.batch = batch, .row = row, .keyframe = keyframe}, count, err);
}

// ---- sims ---------------------------------------------------------------------------------------

static utStatus check_row(const utBatch* batch, int row, const utSim* sim, utError* err)
{
    return row >= 0 && row < batch->rows && sim != NULL
               ? UT_OK
               : ut_error_set(err, UT_ERR_ARGUMENT, "there is no row %d, or no sim", row);
}

utStatus ut_batch_to_sim(const utBatch* batch, int row, utSim* sim, utError* err)
{
    UT_TRY(check_row(batch, row, sim, err));
    const utStatus status = ut_batch_load_row(batch, row, batch->sim[0]);
    return status == UT_OK ? ut_sim_copy(batch->sim[0], sim, err)
                           : ut_error_set(err, status, "%s", ut_status_text(status));
}

utStatus ut_batch_from_sim(utBatch* batch, int row, const utSim* sim, utError* err)
{
    UT_TRY(check_row(batch, row, sim, err));
    UT_TRY(ut_sim_copy(sim, batch->sim[0], err));
    const utStatus status = ut_batch_store_row(batch, row, batch->sim[0]);
    if (status == UT_OK) {
        ut_batch_set_status(batch, row, UT_OK, "");
    }
    return status == UT_OK ? UT_OK : ut_error_set(err, status, "%s", ut_status_text(status));
}
