// SPDX-License-Identifier: Apache-2.0
// Steps of all rows: each thread takes a row, steps it in its own sim, and puts the state back.
#include <string.h>

#include "batch/internal.h"

typedef struct Call {
    utBatch* batch;
    int steps;
    utBatchInput input;
    utBatchOutput output; // `every` is at least 1 here
    int samples;          // per row
} Call;

// The input of a row's step. @param k the step, from 0
static utInput input_of(const Call* call, int row, int k)
{
    const utModel* model = call->batch->model;
    const utBatchInput* input = &call->input;
    const size_t at =
        input->each_step ? (size_t)row * (size_t)call->steps + (size_t)k : (size_t)row;
    return (utInput){
        .ctrl = BATCH_AT(input->ctrl, at, model->nu),
        .force = BATCH_AT(input->force, at, model->nv),
        .applied = BATCH_AT(input->applied, at, model->nbody),
        .mocap_pos = BATCH_AT(input->mocap_pos, at, 3 * model->nmocap),
        .mocap_quat = BATCH_AT(input->mocap_quat, at, 4 * model->nmocap),
    };
}

static void put(double* array, size_t at, const double* from, int count)
{
    if (array != NULL && count > 0) {
        memcpy(array + at * (size_t)count, from, (size_t)count * sizeof *array);
    }
}

static void write_sample(const Call* call, int row, int sample, utSim* sim)
{
    const utModel* model = sim->model;
    const utBatchOutput* out = &call->output;
    const size_t at = (size_t)row * (size_t)call->samples + (size_t)sample;
    put(out->time, at, &sim->state.time, 1);
    put(out->q, at, ut_sim_q(sim), model->nq);
    put(out->v, at, ut_sim_v(sim), model->nv);
    put(out->act, at, ut_sim_act(sim), model->na);
    if (out->sensor != NULL) {
        ut_sim_sensors(sim, out->sensor + at * (size_t)model->nsensordata);
    }
    if (out->energy != NULL) {
        out->energy[at] = ut_sim_energy(sim);
    }
    if (out->body_pos != NULL && out->body_quat != NULL) {
        const size_t bodies = at * (size_t)model->nbody;
        ut_sim_body_poses(sim, out->body_pos + 3 * bodies, out->body_quat + 4 * bodies);
    }
}

// Add a step to what callers see of a row.
static void add_result(const utStepResult* result, utStatus status, utBatchRow* shown)
{
    shown->taken += status == UT_OK ? 1 : 0;
    if (status != UT_OK && status != UT_ERR_NOT_TAKEN) {
        return; // the result is not filled
    }
    const int outcome = (int)result->outcome;
    shown->outcome = outcome > shown->outcome ? outcome : shown->outcome;
    shown->contacts = result->report.contacts;
    const double E = result->certificate.E;
    shown->residual = E > shown->residual || E != E ? E : shown->residual;
    shown->max_penetration = fmax(shown->max_penetration, result->max_penetration);
}

static void step_row(void* context, int row, int thread)
{
    const Call* call = context;
    utBatch* batch = call->batch;
    utSim* sim = batch->sim[thread];
    utBatchRow* shown = &batch->shown[row];
    *shown = (utBatchRow){.status = shown->status};
    utError err = {0};
    utStatus status = ut_batch_load_row(batch, row, sim);
    bool goes_on = status == UT_OK && shown->status == UT_OK &&
                   (call->input.skip == NULL || !call->input.skip[row]);
    for (int k = 0; k < call->steps; k++) {
        if (goes_on) {
            utStepResult result;
            const utInput input = input_of(call, row, k);
            status = ut_sim_step(sim, &input, &result, &err);
            add_result(&result, status, shown);
            goes_on = status == UT_OK;
        }
        if ((k + 1) % call->output.every == 0) {
            write_sample(call, row, (k + 1) / call->output.every - 1, sim);
        }
    }
    if (shown->taken > 0) {
        const utStatus stored = ut_batch_store_row(batch, row, sim);
        status = stored != UT_OK ? stored : status;
        shown->taken = stored == UT_OK ? shown->taken : 0;
    }
    if (status != UT_OK) {
        ut_batch_set_status(batch, row, status,
                            err.message[0] != '\0' ? err.message : ut_status_text(status));
    }
}

utStatus ut_batch_step(utBatch* batch, int steps, const utBatchInput* input,
                       const utBatchOutput* output, utError* err)
{
    if (steps < 1 || (output != NULL && output->every < 0)) {
        return ut_error_set(
            err, UT_ERR_ARGUMENT,
            "a batch takes at least one step per call, and `every` is not negative");
    }
    if (output != NULL && (output->body_pos == NULL) != (output->body_quat == NULL)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "body_pos and body_quat are asked for together");
    }
    Call call = {.batch = batch, .steps = steps};
    call.input = input != NULL ? *input : (utBatchInput){0};
    call.output = output != NULL ? *output : (utBatchOutput){0};
    call.output.every = call.output.every > 0 ? call.output.every : steps;
    call.samples = steps / call.output.every;
    ut_pool_run(batch->pool, batch->rows, step_row, &call);
    return UT_OK;
}
