// SPDX-License-Identifier: Apache-2.0
// The start of a run in a recording: the options that were given, and the same start again.
#include "recorded/recorded_start.h"

#include <getopt.h>
#include <string.h>

static const struct option start_options[] = {CLI_START_OPTIONS, {NULL, 0, NULL, 0}};

// ---- writing ------------------------------------------------------------------------------------

static const char* name_of(int option)
{
    const struct option* o = start_options;
    while (o->name != NULL && o->val != option) {
        o++;
    }
    return o->name;
}

static const char* option_text(const char* name, const char* value, utArena* keep)
{
    const size_t size = strlen(name) + (value != NULL ? strlen(value) : 0) + 4;
    char* text = UT_PUSH(keep, char, size);
    if (text != NULL) {
        snprintf(text, size, "--%s%s%s", name, value != NULL ? "=" : "",
                 value != NULL ? value : "");
    }
    return text;
}

// The package folders of the sets include those of ROS_PACKAGE_PATH, so they replace the option.
const char* const* cli_start_texts(const CliStart* start, utArena* keep, int* count)
{
    const CliSets* sets = &start->sets;
    const char** text = UT_PUSH(keep, const char*, start->given + sets->packages + 1);
    int n = 0;
    for (int k = 0; text != NULL && k < start->given; k++) {
        const CliGiven* given = &start->given_option[k];
        if (given->option != CLI_OPTION_PACKAGE_PATH) {
            text[n++] = option_text(name_of(given->option), given->value, keep);
        }
    }
    for (int k = 0; text != NULL && k < sets->packages; k++) {
        text[n++] = option_text(name_of(CLI_OPTION_PACKAGE_PATH), sets->package[k], keep);
    }
    *count = n;
    return ut_arena_failed(keep) ? NULL : text;
}

// ---- reading ------------------------------------------------------------------------------------

const char* cli_recorded_text(utText text, utArena* keep)
{
    char* copy = UT_PUSH(keep, char, text.size + 1);
    if (copy != NULL) {
        memcpy(copy, text.data, text.size);
        copy[text.size] = '\0';
    }
    return copy;
}

static utStatus unknown_option(const CliRecordedRun* run, const char* text, utError* err)
{
    return ut_error_at(err, UT_ERR_FORMAT, run->recording.name, 0, 0,
                       "the run had the option '%.80s', which this program does not have", text);
}

// Set one option, "--name=value".
static utStatus read_option(const CliVerb* verb, CliRecordedRun* run, const char* text,
                            utError* err)
{
    const bool option = strncmp(text, "--", 2) == 0;
    const char* name = text + (option ? 2 : 0);
    const size_t size = strcspn(name, "=");
    const char* value = name[size] == '=' ? name + size + 1 : NULL;
    for (const struct option* o = start_options; option && o->name != NULL; o++) {
        const bool fits =
            o->has_arg == optional_argument || (o->has_arg == required_argument) == (value != NULL);
        if (strlen(o->name) == size && strncmp(o->name, name, size) == 0 && fits) {
            return cli_set_start(verb, o->val, value, &run->start) == CLI_OK
                       ? UT_OK
                       : unknown_option(run, text, err);
        }
    }
    return unknown_option(run, text, err);
}

static utStatus read_options(const CliVerb* verb, CliRecordedRun* run, utError* err)
{
    for (int k = 0; k < run->recording.options; k++) {
        const utText option = ut_recording_option(&run->recording, k);
        const char* text = cli_recorded_text(option, &run->memory);
        UT_TRY(text != NULL ? read_option(verb, run, text, err)
                            : cli_no_memory(run->recording.name, err));
    }
    return UT_OK;
}

// Recordings without a start have the settings of the head: the start is then the first state.
static utStatus read_head(const CliVerb* verb, CliRecordedRun* run, utError* err)
{
    const utRecording* r = &run->recording;
    const struct {
        const char* option;
        utText value;
    } texts[] = {{"formulation", r->formulation}, {"integrator", r->integrator}};
    char text[256];
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if (texts[k].value.size > 0) {
            snprintf(text, sizeof text, "--%s=%.*s", texts[k].option, (int)texts[k].value.size,
                     texts[k].value.data);
            UT_TRY(read_option(verb, run, text, err));
        }
    }
    const char* solver = cli_recorded_text(r->solver, &run->memory);
    if (solver != NULL && strncmp(solver, "budget:", 7) == 0) {
        snprintf(text, sizeof text, "--budget=%.32s", solver + 7);
        UT_TRY(read_option(verb, run, text, err));
    } else if (solver != NULL && solver[0] != '\0') {
        run->start.sim.solver = solver;
    }
    for (int k = 0; k < r->changes; k++) {
        const char* change = cli_recorded_text(ut_recording_change(r, k), &run->memory);
        if (change == NULL || cli_add_set(verb, change, &run->start.sets) != CLI_OK) {
            return cli_no_memory(r->name, err);
        }
    }
    run->start.sim.dt = r->dt;
    run->start.sim.tolerance = r->tolerance;
    run->start.sim.directions = r->directions;
    return UT_OK;
}

static utStatus check_model(const CliRecordedRun* run, utError* err)
{
    const utRecording* r = &run->recording;
    if (r->model_hash == run->loaded.model->hash) {
        return UT_OK;
    }
    return ut_error_at(err, UT_ERR_FORMAT, r->name, 0, 0,
                       r->files > 0
                           ? "the recorded model compiles to another one here; use the version of "
                             "uptack that recorded it"
                           : "the model '%.*s' is not the one of the run; restore it as it was",
                       (int)r->source.size, r->source.data);
}

static utStatus load_model(const CliVerb* verb, CliRecordedRun* run, utError* err)
{
    const utRecording* r = &run->recording;
    run->start.file = cli_recorded_text(r->source, &run->memory);
    if (run->start.file == NULL) {
        return cli_no_memory(r->name, err);
    }
    if (r->files == 0 && strcmp(run->start.file, "-") == 0) {
        return ut_error_at(err, UT_ERR_FORMAT, r->name, 0, 0,
                           "the model came from standard input, and the recording does not hold "
                           "it");
    }
    UT_TRY(r->started ? read_options(verb, run, err) : read_head(verb, run, err));
    if (r->files > 0) {
        UT_TRY(cli_recorded_sources(r, &run->sources, err));
        run->start.sets.sources = &run->sources;
    }
    UT_TRY(cli_load_model(run->start.file, &run->start.sets, &run->loaded, err));
    cli_warn_changed_sources(&run->sources);
    return check_model(run, err);
}

utStatus cli_recorded_open(const CliVerb* verb, const char* path, CliRecordedRun* run, utError* err)
{
    *run = (CliRecordedRun){.start.sim = ut_sim_def()};
    if (ut_arena_create(0, NULL, &run->memory) != UT_OK) {
        return cli_no_memory(path, err);
    }
    UT_TRY(cli_read_file(path, &run->memory, &run->bytes, err));
    UT_TRY(ut_recording_open(run->bytes.data, run->bytes.size, cli_file_name(path), &run->recording,
                             err));
    UT_TRY(load_model(verb, run, err));
    run->start.sim.keep_going = run->recording.keep_going;
    run->start.sim.adaptive = run->recording.adaptive;
    return UT_OK;
}

utStatus cli_recorded_has_reports(const CliRecordedRun* run, utError* err)
{
    utRecording ahead = run->recording;
    utRecordFrame frame = {.kind = UT_RECORD_STATE};
    while (frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT) {
        UT_TRY(ut_recording_next(&ahead, &frame, err));
        if (frame.kind == UT_RECORD_REPORT) {
            return UT_OK;
        }
        if (frame.step > 1) {
            break;
        }
    }
    return ut_error_at(err, UT_ERR_FORMAT, run->recording.name, 0, 0,
                       "holds no reports of steps, which this needs; record the run again, "
                       "without --no-reports");
}

// The recording's first state, where the run was not started at a keyframe.
static utStatus set_first_state(CliRecordedRun* run, utError* err)
{
    utRecording ahead = run->recording;
    utRecordFrame frame;
    UT_TRY(ut_recording_next(&ahead, &frame, err));
    if (frame.kind != UT_RECORD_STATE || frame.hash == ut_sim_hash(run->sim)) {
        return UT_OK;
    }
    UT_TRY(ut_sim_set(run->sim, frame.time, frame.state.q, frame.state.v, err));
    return frame.state.act != NULL ? ut_sim_set_act(run->sim, frame.state.act, err) : UT_OK;
}

utStatus cli_recorded_sim(CliRecordedRun* run, utError* err)
{
    int keyframe;
    UT_TRY(cli_start(&run->start, &run->loaded, &keyframe, &run->sim, err));
    if (run->recording.started) {
        ut_sim_stop_at(run->sim, run->recording.stop_at);
    }
    return set_first_state(run, err);
}

void cli_recorded_close(CliRecordedRun* run)
{
    ut_sim_destroy(run->sim);
    cli_free_model(&run->loaded);
    cli_free_sources(&run->sources);
    ut_arena_destroy(&run->memory);
}
