// SPDX-License-Identifier: Apache-2.0
// Files that a run writes: states and contacts as tables, or everything as one recording.
#include "run/run_record.h"

#include "recorded/recorded_start.h"

#include <stdlib.h>

// ---- opening ------------------------------------------------------------------------------------

// @param keep holds the texts of the options
static utStatus describe(const RunOptions* o, const utSim* sim, double stop_at, utArena* keep,
                         utRecordDef* made)
{
    const utModel* model = ut_sim_model(sim);
    utRecordDef def = ut_record_def();
    def.source = o->start.file;
    def.changes = o->start.sets.count;
    def.change = o->start.sets.text;
    def.formulation = cli_formulation(&o->start, model);
    def.solver = cli_solver(&o->start, model);
    def.integrator =
        ut_integrator_name(o->start.sim.integrator >= 0 ? (utIntegrator)o->start.sim.integrator
                                                        : model->options.integrator);
    def.dt = ut_sim_dt(sim);
    def.tolerance =
        o->start.sim.tolerance > 0.0 ? o->start.sim.tolerance : model->options.tolerance;
    def.directions =
        o->start.sim.directions > 0 ? o->start.sim.directions : model->options.directions;
    def.keep_going = o->start.sim.keep_going;
    def.adaptive = o->start.sim.adaptive;
    def.stop_at = o->start.sim.adaptive > 0.0 ? stop_at : def.stop_at;
    def.option = cli_start_texts(&o->start, keep, &def.options);
    if (o->start.sets.sources != NULL) {
        def.files = o->start.sets.sources->count;
        def.file = o->start.sets.sources->file;
    }
    *made = def;
    return def.option != NULL ? UT_OK : UT_ERR_CAPACITY;
}

static utStatus open_recording(const RunOptions* o, const utSim* sim, double stop_at,
                               RunFiles* files, utError* err)
{
    const utModel* model = ut_sim_model(sim);
    utRecordDef def;
    UT_TRY(cli_output_open(o->record, &files->recording, err));
    if (ut_arena_create(0, NULL, &files->memory) != UT_OK ||
        describe(o, sim, stop_at, &files->memory, &def) != UT_OK) {
        return cli_no_memory(o->record, err);
    }
    files->flushed = time(NULL);
    const utStatus status = ut_recorder_create(model, &def, cli_output_write, &files->recording,
                                               &files->memory, &files->recorder);
    if (status == UT_ERR_CAPACITY) {
        return cli_no_memory(o->record, err);
    }
    return status == UT_OK ? UT_OK
                           : ut_error_at(err, status, o->record, 0, 0,
                                         "the names in the model are too long for a recording");
}

utStatus run_files_open(const RunOptions* o, const utSim* sim, const RunTally* tally,
                        RunFiles* files, utError* err)
{
    const utModel* model = ut_sim_model(sim);
    const bool binary = o->record != NULL && cli_ends_in(o->record, ".utr");
    *files = (RunFiles){.no_reports = o->no_reports};
    if (model->nsensordata > 0) {
        files->sensor = calloc((size_t)model->nsensordata, sizeof *files->sensor);
        if (files->sensor == NULL) {
            return cli_no_memory(o->start.file, err);
        }
    }
    UT_TRY(cli_table_open(binary ? NULL : o->record, model, &files->states, err));
    UT_TRY(cli_table_open(o->contacts, model, &files->contacts, err));
    UT_TRY(cli_table_open(o->transitions, model, &files->transitions, err));
    if (binary) {
        UT_TRY(open_recording(o, sim, tally->end_time, files, err));
    }
    files->states.csv.columns = o->columns;
    if (o->reactions) {
        files->states.csv.extras = RUN_REACTION_CELLS * tally->reactions.count;
        files->states.csv.extra = tally->reactions.name;
    }
    files->contacts.csv.columns = o->columns;
    if (files->states.output.file != NULL) {
        (void)ut_csv_states_head(&files->states.csv);
    }
    if (files->contacts.output.file != NULL) {
        (void)ut_csv_contacts_head(&files->contacts.csv);
    }
    if (files->transitions.output.file != NULL) {
        (void)ut_csv_transitions_head(&files->transitions.csv);
    }
    return UT_OK;
}

// ---- recording ----------------------------------------------------------------------------------

// Flush once per second, so that a killed run loses at most a second of its recording.
static bool flush_each_second(RunFiles* files)
{
    const time_t now = time(NULL);
    if (now == files->flushed) {
        return true;
    }
    files->flushed = now;
    return ut_recorder_flush(&files->recorder) && cli_output_flush(&files->recording);
}

utStatus run_files_state(RunFiles* files, utSim* sim, const RunRow* row, utError* err)
{
    const bool recorded = files->states.output.file != NULL || files->recording.file != NULL;
    if (recorded && files->sensor != NULL) {
        ut_sim_sensors(sim, files->sensor);
    }
    const utRecordState state = {
        .time = ut_sim_time(sim),
        .q = ut_sim_q(sim),
        .v = ut_sim_v(sim),
        .act = ut_sim_act(sim),
        .mocap_pos = ut_sim_mocap_pos(sim),
        .mocap_quat = ut_sim_mocap_quat(sim),
        .mocap_velocity = ut_sim_mocap_velocity(sim),
        .sensor = files->sensor,
        .energy = (files->states.csv.columns & UT_CSV_ENERGY) != 0 ? ut_sim_energy(sim) : 0.0,
        .contacts = row->contacts,
        .E = row->E,
        .model_gap = row->model_gap,
        .extra = row->reactions->value,
    };
    if (files->states.output.file != NULL && !ut_csv_states_row(&files->states.csv, &state)) {
        return cli_output_failed(&files->states.output, err);
    }
    if (files->recording.file != NULL &&
        !ut_recorder_state(&files->recorder, (uint64_t)row->step, &state)) {
        return cli_output_failed(&files->recording, err);
    }
    return UT_OK;
}

utStatus run_files_input(RunFiles* files, const utInput* input, long long step, utError* err)
{
    const utRecordInput recorded = {
        .ctrl = input->ctrl,
        .force = input->force,
        .applied = input->applied,
        .mocap_pos = input->mocap_pos,
        .mocap_quat = input->mocap_quat,
    };
    return files->recording.file == NULL ||
                   (ut_recorder_input(&files->recorder, (uint64_t)step, &recorded) &&
                    flush_each_second(files))
               ? UT_OK
               : cli_output_failed(&files->recording, err);
}

utStatus run_files_report(RunFiles* files, const utSim* sim, const utStepReport* report,
                          long long step, utError* err)
{
    const double time = ut_sim_time(sim);
    if (files->contacts.output.file != NULL &&
        !ut_csv_contacts_rows(&files->contacts.csv, report, time)) {
        return cli_output_failed(&files->contacts.output, err);
    }
    if (files->transitions.output.file != NULL &&
        !ut_csv_transitions_rows(&files->transitions.csv, report)) {
        return cli_output_failed(&files->transitions.output, err);
    }
    if (files->recording.file != NULL &&
        !((files->no_reports || ut_recorder_report(&files->recorder, (uint64_t)step, report)) &&
          ut_recorder_contacts(&files->recorder, (uint64_t)step, time, report) &&
          ut_recorder_transitions(&files->recorder, (uint64_t)step, report))) {
        return cli_output_failed(&files->recording, err);
    }
    return UT_OK;
}

// ---- closing ------------------------------------------------------------------------------------

utStatus run_files_close(RunFiles* files, long long steps, utStatus status, utError* err)
{
    status = cli_table_close(&files->states, status, err);
    status = cli_table_close(&files->contacts, status, err);
    status = cli_table_close(&files->transitions, status, err);
    const bool begun = files->recorder.model != NULL;
    const bool complete = begun && ut_recorder_end(&files->recorder, (uint64_t)steps);
    status = cli_output_close(&files->recording, complete, status, err);
    ut_arena_destroy(&files->memory);
    free(files->sensor);
    return status;
}
