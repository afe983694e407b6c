// SPDX-License-Identifier: Apache-2.0
// Recordings in memory, byte for byte as the command line writes them, and recordings that are shown.
#include "engine.h"

#include <string.h>

// ---- recording ------------------------------------------------------------------------------------

static utRecordDef record_def(const Engine* e)
{
    const utModel* model = e->model;
    const Settings* s = &e->settings;
    utRecordDef def = ut_record_def();
    def.source = s->name;
    def.changes = s->changes;
    def.change = s->change;
    def.formulation = ut_formulation_name(
        (utFormulation)(s->sim.formulation >= 0 ? s->sim.formulation : model->options.formulation));
    def.solver = s->solver[0] != '\0'    ? s->solver
                 : s->sim.solver != NULL ? s->sim.solver
                                         : model->options.solver;
    def.integrator = ut_integrator_name(s->sim.integrator >= 0 ? (utIntegrator)s->sim.integrator
                                                               : model->options.integrator);
    def.dt = ut_sim_dt(e->sim);
    def.tolerance = s->sim.tolerance > 0.0 ? s->sim.tolerance : model->options.tolerance;
    def.directions = s->sim.directions > 0 ? s->sim.directions : model->options.directions;
    def.keep_going = s->sim.keep_going;
    def.options = s->options;
    def.option = s->option;
    def.files = e->sources.count;
    def.file = e->sources.file;
    return def;
}

static bool write_state(Engine* e)
{
    Recorder* r = &e->recorder;
    if (r->sensor != NULL) {
        ut_sim_sensors(e->sim, r->sensor);
    }
    const utRecordState state = {
        .time = ut_sim_time(e->sim),
        .q = ut_sim_q(e->sim),
        .v = ut_sim_v(e->sim),
        .act = ut_sim_act(e->sim),
        .mocap_pos = ut_sim_mocap_pos(e->sim),
        .mocap_quat = ut_sim_mocap_quat(e->sim),
        .mocap_velocity = ut_sim_mocap_velocity(e->sim),
        .sensor = r->sensor,
    };
    return ut_recorder_state(&r->utr, (uint64_t)r->steps, &state);
}

static utStatus open_recorder(Engine* e)
{
    Recorder* r = &e->recorder;
    const utModel* model = e->model;
    const utRecordDef def = record_def(e);
    UT_TRY(ut_arena_create(0, NULL, &r->memory));
    r->active = true;
    r->sensor = model->nsensordata > 0 ? UT_PUSH(&r->memory, double, model->nsensordata) : NULL;
    UT_TRY(ut_recorder_create(model, &def, engine_append, &r->bytes, &r->memory, &r->utr));
    return write_state(e) ? UT_OK : UT_ERR_MEMORY;
}

void engine_record_close(Engine* e)
{
    ut_arena_destroy(&e->recorder.memory);
    engine_bytes_free(&e->recorder.bytes);
    engine_bytes_free(&e->recorder.table);
    e->recorder = (Recorder){0};
}

/// Begin a recording at the present state.
EXPORT int engine_record_start(Engine* e)
{
    engine_record_close(e);
    const utStatus status = open_recorder(e);
    if (status != UT_OK) {
        engine_record_close(e);
    }
    return engine_status(e, status);
}

utStatus engine_record_input(Engine* e, const utInput* input)
{
    const utRecordInput recorded = {
        .ctrl = input->ctrl, .force = input->force, .applied = input->applied};
    const uint64_t step = (uint64_t)e->recorder.steps + 1;
    return ut_recorder_input(&e->recorder.utr, step, &recorded) ? UT_OK : UT_ERR_MEMORY;
}

utStatus engine_record_step(Engine* e)
{
    Recorder* r = &e->recorder;
    const utStepReport* report = &e->result.report;
    const uint64_t step = (uint64_t)++r->steps;
    return ut_recorder_report(&r->utr, step, report) &&
                   ut_recorder_contacts(&r->utr, step, ut_sim_time(e->sim), report) &&
                   ut_recorder_transitions(&r->utr, step, report) && write_state(e)
               ? UT_OK
               : UT_ERR_MEMORY;
}

// The table of states of the recording in `bytes`.
static utStatus write_table(Recorder* r, utError* err)
{
    utRecording recording;
    utRecordFrame frame = {.kind = UT_RECORD_STATE};
    utCsv csv;
    UT_TRY(ut_recording_open(r->bytes.data, r->bytes.size, "recording", &recording, err));
    UT_TRY(ut_csv_create(NULL, engine_append, &r->table, &r->memory, &csv));
    (void)ut_csv_recorded_states_head(&csv, &recording);
    while (frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT) {
        UT_TRY(ut_recording_next(&recording, &frame, err));
        if (frame.kind == UT_RECORD_STATE) {
            (void)ut_csv_recorded_states_row(&csv, &recording, &frame);
        }
    }
    return ut_csv_flush(&csv) ? UT_OK : UT_ERR_MEMORY;
}

/// End the recording. Its bytes stay until the next one or the next load. @param csv 1: a table of states; 0: UTR
EXPORT int engine_record_stop(Engine* e, int csv)
{
    Recorder* r = &e->recorder;
    r->active = false;
    utStatus status =
        ut_recorder_end(&r->utr, (uint64_t)r->steps) && !r->bytes.failed ? UT_OK : UT_ERR_MEMORY;
    if (status == UT_OK && csv != 0) {
        status = write_table(r, &e->err);
    }
    return engine_status(e, status);
}

/// The bytes of the recording that ended. @param csv as it was ended
EXPORT const char* engine_record_bytes(const Engine* e, int csv)
{
    return csv != 0 ? e->recorder.table.data : e->recorder.bytes.data;
}

EXPORT size_t engine_record_size(const Engine* e, int csv)
{
    return csv != 0 ? e->recorder.table.size : e->recorder.bytes.size;
}
