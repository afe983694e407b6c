// SPDX-License-Identifier: Apache-2.0
// uptack convert: write a recording as CSV tables, or a model as MJCF.
#include "convert/arrays.h"
#include "columns.h"
#include "convert/convert_model.h"
#include "output.h"
#include "recorded/recorded_start.h"

#include <getopt.h>
#include <string.h>
#include <uptack/scenes.h>

// ---- options ------------------------------------------------------------------------------------

enum {
    OPTION_CONTACTS = 256,
    OPTION_TRANSITIONS,
    OPTION_TO,
    OPTION_SET,
    OPTION_JSON,
    OPTION_COLUMNS
};

static const struct option long_options[] = {
    {"contacts", required_argument, NULL, OPTION_CONTACTS},
    {"transitions", required_argument, NULL, OPTION_TRANSITIONS},
    {"columns", required_argument, NULL, OPTION_COLUMNS},
    {"to", required_argument, NULL, OPTION_TO},
    {"set", required_argument, NULL, OPTION_SET},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

typedef struct ConvertOptions {
    const char* in;
    const char* out;
    const char* contacts;    // NULL: none
    const char* transitions; // NULL: none
    const char* to;          // "uptack" or "mjcf"; NULL: not given
    CliSets sets;
    unsigned columns; // of the table of contacts
    bool json;
} ConvertOptions;

static int set_format(const char* format, ConvertOptions* o)
{
    o->to = format;
    return strcmp(format, "mjcf") == 0 || strcmp(format, "uptack") == 0
               ? CLI_OK
               : cli_usage(&cli_convert, "--to is mjcf or uptack, not '%s'", format);
}

static int set_option(int option, void* context)
{
    ConvertOptions* o = context;
    switch (option) {
    case OPTION_CONTACTS:
        o->contacts = optarg;
        return CLI_OK;
    case OPTION_TRANSITIONS:
        o->transitions = optarg;
        return CLI_OK;
    case OPTION_COLUMNS:
        return cli_set_columns(&cli_convert, optarg, &o->columns);
    case OPTION_TO:
        return set_format(optarg, o);
    case OPTION_SET:
        return cli_add_set(&cli_convert, optarg, &o->sets);
    default: // OPTION_JSON
        o->json = true;
        return CLI_OK;
    }
}

static bool is_model(const char* path)
{
    return cli_ends_in(path, ".xml") || cli_ends_in(path, ".urdf") || cli_ends_in(path, ".mjcf") ||
           ut_scene_is(path);
}

// Does the file hold arrays: NumPy's .npz, or HDF5?
static bool is_arrays(const char* path)
{
    return cli_ends_in(path, ".npz") || cli_ends_in(path, ".h5") || cli_ends_in(path, ".hdf5");
}

static int check_model_options(const ConvertOptions* o)
{
    if (!cli_ends_in(o->out, ".xml")) {
        return cli_usage(&cli_convert,
                         "a model is written as MJCF: OUT needs a name that ends in "
                         ".xml, not '%s'",
                         o->out);
    }
    if (cli_ends_in(o->in, ".utr")) {
        return cli_usage(&cli_convert, "a recording holds no model; it can be converted to .csv");
    }
    if (o->contacts != NULL || o->transitions != NULL) {
        return cli_usage(&cli_convert, "--contacts and --transitions are for recordings");
    }
    return strcmp(o->in, o->out) == 0 ? cli_usage(&cli_convert, "the model would be overwritten")
                                      : CLI_OK;
}

static int check_options(const ConvertOptions* o)
{
    if (o->to != NULL || o->sets.count > 0) {
        return cli_usage(&cli_convert, "--to and --set are for models");
    }
    if (!cli_ends_in(o->in, ".utr") && strcmp(o->in, "-") != 0) {
        return cli_usage(&cli_convert, "IN needs a name that ends in .utr, not '%s'", o->in);
    }
    if (!cli_ends_in(o->out, ".csv") && !is_arrays(o->out)) {
        return cli_usage(&cli_convert, "OUT needs a name that ends in .csv, .npz or .h5, not '%s'",
                         o->out);
    }
    if (o->columns != 0 &&
        (o->contacts == NULL || (o->columns & (unsigned)CLI_STATE_COLUMNS) != 0)) {
        return cli_usage(
            &cli_convert,
            "--columns needs --contacts FILE.csv, for force, gap_time, mu, lambda, cone");
    }
    if (is_arrays(o->out) && (o->contacts != NULL || o->transitions != NULL)) {
        return cli_usage(&cli_convert,
                         "%s holds contacts and transitions too; --contacts and "
                         "--transitions are for tables",
                         o->out);
    }
    enum { FILES = 3 };
    static const char* const option[FILES] = {"OUT", "--contacts", "--transitions"};
    const char* const file[FILES] = {o->out, o->contacts, o->transitions};
    for (int i = 1; i < FILES; i++) {
        if (file[i] != NULL && strcmp(file[i], o->in) == 0) {
            return cli_usage(&cli_convert, "the recording would be overwritten");
        }
        for (int k = 0; k < i; k++) {
            if (file[i] != NULL && file[k] != NULL && strcmp(file[i], file[k]) == 0) {
                return cli_usage(&cli_convert, "%s and %s name the same file", option[k],
                                 option[i]);
            }
        }
    }
    return CLI_OK;
}

// ---- converting ---------------------------------------------------------------------------------

typedef struct Convert {
    utRecording recording;
    CliTable states;
    CliTable contacts;
    CliTable transitions;
    long long state_rows;
    long long contact_rows;
    long long transition_rows;
    bool complete;       // the recording was closed properly
    size_t read;         // bytes converted
    CliRecordedRun* run; // with --columns: the model of the run; NULL: not needed
} Convert;

// The time at which a step ended: that of its last contacts, which are behind the report.
static double end_time(const utRecording* recording, uint64_t step, double time)
{
    utRecording ahead = *recording;
    utRecordFrame frame;
    utError unused;
    while (ut_recording_next(&ahead, &frame, &unused) == UT_OK &&
           frame.kind == UT_RECORD_CONTACTS && frame.step == step) {
        time = frame.time;
    }
    return time;
}

// The optional columns need the report and the model.
static utStatus write_contacts_of_report(Convert* c, const utRecordFrame* frame, utError* err)
{
    utArena scratch = c->run->memory;
    utStepReport report;
    bool cut = false;
    const utStatus status = ut_recording_report(&c->recording, frame, c->run->loaded.model,
                                                &scratch, &report, &cut, err);
    if (status != UT_OK || cut) {
        return status == UT_ERR_CAPACITY ? cli_no_memory(c->recording.name, err) : status;
    }
    c->contact_rows += report.contacts;
    const double time = end_time(&c->recording, frame->step, report.time + report.h);
    return ut_csv_contacts_rows(&c->contacts.csv, &report, time)
               ? UT_OK
               : cli_output_failed(&c->contacts.output, err);
}

static utStatus write_frame(Convert* c, const utRecordFrame* frame, utError* err)
{
    if (frame->kind == UT_RECORD_STATE) {
        c->state_rows++;
        return ut_csv_recorded_states_row(&c->states.csv, &c->recording, frame)
                   ? UT_OK
                   : cli_output_failed(&c->states.output, err);
    }
    if (frame->kind == UT_RECORD_REPORT && c->run != NULL) {
        return write_contacts_of_report(c, frame, err);
    }
    if (frame->kind == UT_RECORD_CONTACTS && c->contacts.output.file != NULL && c->run == NULL) {
        c->contact_rows += frame->contacts;
        return ut_csv_recorded_contacts_rows(&c->contacts.csv, &c->recording, frame)
                   ? UT_OK
                   : cli_output_failed(&c->contacts.output, err);
    }
    if (frame->kind == UT_RECORD_TRANSITIONS && c->transitions.output.file != NULL) {
        c->transition_rows += frame->transitions;
        return ut_csv_recorded_transitions_rows(&c->transitions.csv, &c->recording, frame)
                   ? UT_OK
                   : cli_output_failed(&c->transitions.output, err);
    }
    return UT_OK;
}

static utStatus write_frames(Convert* c, utError* err)
{
    (void)ut_csv_recorded_states_head(&c->states.csv, &c->recording);
    if (c->contacts.output.file != NULL) {
        (void)ut_csv_contacts_head(&c->contacts.csv);
    }
    if (c->transitions.output.file != NULL) {
        (void)ut_csv_transitions_head(&c->transitions.csv);
    }
    utRecordFrame frame;
    do {
        UT_TRY(ut_recording_next(&c->recording, &frame, err));
        UT_TRY(write_frame(c, &frame, err));
    } while (frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT);
    c->complete = frame.kind == UT_RECORD_END;
    c->read = frame.offset;
    return UT_OK;
}

static utStatus convert_to_arrays(const ConvertOptions* o, Convert* c, utError* err)
{
    CliArrayCounts counts = {0};
    UT_TRY(cli_ends_in(o->out, ".npz") ? cli_write_npz(&c->recording, o->out, &counts, err)
                                       : cli_write_hdf5(&c->recording, o->out, &counts, err));
    c->state_rows = counts.states;
    c->contact_rows = counts.contacts;
    c->transition_rows = counts.transitions;
    c->complete = counts.complete;
    c->read = counts.read;
    return UT_OK;
}

static utStatus convert(const ConvertOptions* o, utText bytes, Convert* c, utError* err)
{
    UT_TRY(ut_recording_open(bytes.data, bytes.size, cli_file_name(o->in), &c->recording, err));
    if (is_arrays(o->out)) {
        return convert_to_arrays(o, c, err);
    }
    const utModel* model = c->run != NULL ? c->run->loaded.model : NULL;
    utStatus status = cli_table_open(o->out, NULL, &c->states, err);
    if (status == UT_OK) {
        status = cli_table_open(o->contacts, model, &c->contacts, err);
        c->contacts.csv.columns = o->columns;
    }
    if (status == UT_OK) {
        status = cli_table_open(o->transitions, NULL, &c->transitions, err);
    }
    if (status == UT_OK) {
        status = write_frames(c, err);
    }
    status = cli_table_close(&c->states, status, err);
    status = cli_table_close(&c->contacts, status, err);
    return cli_table_close(&c->transitions, status, err);
}

// ---- the verb -----------------------------------------------------------------------------------

static void warn(const ConvertOptions* o, const Convert* c)
{
    if (!c->complete) {
        fprintf(stderr, "%s: ", cli_file_name(o->in));
        cli_print_word(stderr, CLI_YELLOW, "warning:");
        fprintf(stderr,
                " byte %zu: the recording was not closed and ends here; everything before is "
                "converted\n",
                c->read);
    }
}

static void print_json(const Convert* c)
{
    const utRecording* r = &c->recording;
    char source[4096];
    const size_t size = r->source.size < sizeof source ? r->source.size : sizeof source - 1;
    snprintf(source, sizeof source, "%.*s", (int)size, r->source.data);
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    ut_json_key(&w, "model");
    ut_json_string(&w, source);
    ut_json_key(&w, "states");
    ut_json_integer(&w, c->state_rows);
    ut_json_key(&w, "contacts");
    ut_json_integer(&w, c->contact_rows);
    ut_json_key(&w, "transitions");
    ut_json_integer(&w, c->transition_rows);
    ut_json_key(&w, "complete");
    ut_json_bool(&w, c->complete);
    ut_json_object_end(&w);
    putchar('\n');
}

static int run(int argc, char** argv)
{
    ConvertOptions o = {0};
    int code =
        cli_parse_in_out(&cli_convert, argc, argv, long_options, set_option, &o, &o.in, &o.out);
    if (code != CLI_OK || o.in == NULL) {
        return code;
    }
    const bool model = is_model(o.in) || is_model(o.out);
    code = model ? check_model_options(&o) : check_options(&o);
    if (code != CLI_OK) {
        return code;
    }
    if (model) {
        return cli_convert_model(&(ConvertModel){
            o.in, o.out, o.to != NULL && strcmp(o.to, "mjcf") == 0, o.json, o.sets});
    }
    Convert c = {0};
    utText bytes = {NULL, 0};
    utError err = {0};
    utArena memory;
    if (ut_arena_create(0, NULL, &memory) != UT_OK) {
        (void)cli_no_memory(o.in, &err);
        return cli_fail(&err);
    }
    static CliRecordedRun recorded;
    utStatus status = UT_OK;
    if (o.columns != 0) {
        c.run = &recorded;
        status = cli_recorded_open(&cli_convert, o.in, &recorded, &err);
        status = status == UT_OK ? cli_recorded_has_reports(&recorded, &err) : status;
        bytes = recorded.bytes;
    } else {
        status = cli_read_file(o.in, &memory, &bytes, &err);
    }
    if (status == UT_OK) {
        status = convert(&o, bytes, &c, &err);
    }
    if (status == UT_OK) {
        warn(&o, &c);
        if (o.json) {
            print_json(&c);
        }
    }
    cli_recorded_close(&recorded);
    ut_arena_destroy(&memory);
    return status == UT_OK ? CLI_OK : cli_fail(&err);
}

const CliVerb cli_convert = {
    .name = "convert",
    .summary = "turn a recording into tables, or a model into MJCF",
    .usage =
        "uptack convert IN.utr OUT.csv [--contacts FILE.csv] [--transitions FILE.csv] [--json]\n"
        "       uptack convert IN.utr OUT.npz|OUT.h5 [--json]\n"
        "       uptack convert MODEL OUT.xml [--to mjcf] [--set NAME.ATTR=VALUE]... [--json]",
    .help =
        "IN is a recording written by uptack run --record FILE.utr, or - for standard input. OUT\n"
        "receives its states, byte for byte as uptack run --record OUT.csv writes them. The model\n"
        "file is not needed. OUT.npz (NumPy) or OUT.h5 (HDF5) receives everything as arrays.\n"
        "\n"
        "  --contacts FILE.csv   also write the contacts: one row per contact and step\n"
        "  --columns LIST        extra columns of contacts: force, gap_time, mu, lambda, cone, as\n"
        "                        with uptack run\n"
        "  --transitions FILE.csv also write the changes of contacts between open, bouncing\n"
        "                        and steady\n"
        "\n"
        "MODEL is an MJCF or URDF file or a scene such as stack:30. OUT receives it as MJCF, with\n"
        "angles in radians and without classes, frames and includes. Reading OUT gives the same\n"
        "model. What cannot be read or written is named.\n"
        "\n"
        "  --to mjcf             write only what MuJoCo reads: attributes of the namespace ut: go\n"
        "                        into a custom text, which uptack reads and MuJoCo ignores\n"
        "  --set NAME.ATTR=VALUE change an attribute of the model first\n"
        "\n"
        "  --json                print a summary as JSON\n"
        "  --help, --version\n"
        "\n"
        "If the recording was not closed (the program crashed, the disk was full), everything up\n"
        "to its end is converted, with a warning. If it is damaged, everything before the damage\n"
        "is converted, and the error names the damaged byte.\n"
        "\n"
        "Exit code 0: converted; 1: the input is damaged or a file cannot be written; 2: usage.\n",
    .run = run,
};
