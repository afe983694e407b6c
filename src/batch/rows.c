// SPDX-License-Identifier: Apache-2.0
// Rows: their states go to the sim of a thread and come back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/internal.h"

// ---- memory -------------------------------------------------------------------------------------

void* ut_batch_allocate(const utBatch* batch, size_t size)
{
    const utAllocator* a = &batch->allocator;
    return a->allocate != NULL ? a->allocate(a->context, size) : malloc(size);
}

void ut_batch_release(const utBatch* batch, void* memory, size_t size)
{
    const utAllocator* a = &batch->allocator;
    if (memory == NULL) {
        return;
    }
    if (a->allocate != NULL) {
        a->release(a->context, memory, size);
    } else {
        free(memory);
    }
}

// Room for the lists of a state; their old content is dropped only when there is memory.
static bool reserve_lists(const utBatch* batch, BatchRow* row, size_t size)
{
    if (size <= row->room) {
        return true;
    }
    const size_t room = size + size / 4; // the number of contacts varies from step to step
    void* lists = ut_batch_allocate(batch, room);
    if (lists == NULL) {
        return false;
    }
    ut_batch_release(batch, row->lists, row->room);
    row->lists = lists;
    row->room = room;
    return true;
}

// ---- to a sim and back --------------------------------------------------------------------------

static void copy(void* to, const void* from, size_t count, size_t size)
{
    if (to != NULL && count > 0) {
        memcpy(to, from, count * size);
    }
}

// The state of a row, whose arrays stay the batch's.
static SimState view_row(const utBatch* batch, int i)
{
    const utModel* model = batch->model;
    const BatchRow* row = &batch->row[i];
    WarmImpulse* impulse = row->lists;
    return (SimState){
        .time = batch->time[i],
        .start = row->start,
        .steps = row->steps,
        .h_next = row->h_next,
        .q = BATCH_AT(batch->q, i, model->nq),
        .v = BATCH_AT(batch->v, i, model->nv),
        .act = BATCH_AT(batch->act, i, model->na),
        .mocap_pos = BATCH_AT(batch->mocap_pos, i, 3 * model->nmocap),
        .mocap_quat = BATCH_AT(batch->mocap_quat, i, 4 * model->nmocap),
        .warm = {.impulse = impulse, .count = row->warm_count, .h = row->warm_h},
        .modes = {.entry = row->modes > 0 ? (ModeEntry*)(impulse + row->warm_count) : NULL,
                  .count = row->modes},
        .sleep = {.trees = batch->sleep_trees,
                  .tree = BATCH_AT(batch->sleep_tree, i, batch->sleep_trees),
                  .controls = batch->sleep_controls,
                  .ctrl = BATCH_AT(batch->sleep_ctrl, i, batch->sleep_controls)},
    };
}

utStatus ut_batch_load_row(const utBatch* batch, int i, utSim* sim)
{
    const SimState state = view_row(batch, i);
    UT_TRY(ut_sim_set_state(sim, &state));
    sim->last.valid = false;
    sim->last.taken = false;
    return UT_OK;
}

utStatus ut_batch_store_row(utBatch* batch, int i, const utSim* sim)
{
    const utModel* model = batch->model;
    const SimState* from = &sim->state;
    BatchRow* row = &batch->row[i];
    const size_t impulses = (size_t)from->warm.count, modes = (size_t)from->modes.count;
    if (!reserve_lists(batch, row, impulses * sizeof(WarmImpulse) + modes * sizeof(ModeEntry))) {
        return UT_ERR_MEMORY;
    }
    row->warm_count = from->warm.count;
    row->modes = from->modes.count;
    row->start = from->start;
    row->steps = from->steps;
    row->h_next = from->h_next;
    row->warm_h = from->warm.h;
    SimState to = view_row(batch, i);
    batch->time[i] = from->time;
    copy(to.q, from->q, (size_t)model->nq, sizeof *to.q);
    copy(to.v, from->v, (size_t)model->nv, sizeof *to.v);
    copy(to.act, from->act, (size_t)model->na, sizeof *to.act);
    copy(to.mocap_pos, from->mocap_pos, 3 * (size_t)model->nmocap, sizeof *to.mocap_pos);
    copy(to.mocap_quat, from->mocap_quat, 4 * (size_t)model->nmocap, sizeof *to.mocap_quat);
    copy(to.warm.impulse, from->warm.impulse, impulses, sizeof *to.warm.impulse);
    copy(to.modes.entry, from->modes.entry, modes, sizeof *to.modes.entry);
    copy(to.sleep.tree, from->sleep.tree, (size_t)batch->sleep_trees, sizeof *to.sleep.tree);
    copy(to.sleep.ctrl, from->sleep.ctrl, (size_t)batch->sleep_controls, sizeof *to.sleep.ctrl);
    return UT_OK;
}

// ---- rows that stand still ----------------------------------------------------------------------

void ut_batch_set_status(utBatch* batch, int i, utStatus status, const char* message)
{
    BatchRow* row = &batch->row[i];
    batch->shown[i].status = status;
    if (status != UT_OK && row->message == NULL) {
        row->message = ut_batch_allocate(batch, BATCH_MESSAGE_SIZE);
    }
    if (row->message != NULL) {
        snprintf(row->message, BATCH_MESSAGE_SIZE, "%s", status != UT_OK ? message : "");
    }
}

const char* ut_batch_message(const utBatch* batch, int row)
{
    const utStatus status = batch->shown[row].status;
    const char* message = batch->row[row].message;
    return status == UT_OK ? "" : message != NULL ? message : ut_status_text(status);
}

size_t ut_batch_row_bytes(const utBatch* batch)
{
    const utModel* model = batch->model;
    const size_t numbers = 1 + (size_t)model->nq + (size_t)model->nv + (size_t)model->na +
                           7 * (size_t)model->nmocap + (size_t)batch->sleep_controls;
    const size_t fixed = sizeof(BatchRow) + sizeof(utBatchRow) + numbers * sizeof(double) +
                         (size_t)batch->sleep_trees * sizeof(TreeSleep);
    size_t bytes = (size_t)batch->rows * fixed;
    for (int i = 0; i < batch->rows; i++) {
        bytes += batch->row[i].room + (batch->row[i].message != NULL ? BATCH_MESSAGE_SIZE : 0);
    }
    return bytes;
}
