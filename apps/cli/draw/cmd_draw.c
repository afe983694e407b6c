// SPDX-License-Identifier: Apache-2.0
// uptack draw: pictures of bodies, from a model or from a recording.
#include "draw/draw.h"
#include "plot/plot_file.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TIMES = 64,
    MAX_FRAMES = 600, // of an animation
};

typedef struct Draw {
    CliStart start;
    DrawOptions options;
    const char* out;
    const char* model; // of a recording
    int times;
    double time[MAX_TIMES];
    int strip;  // number of moments; 0: as --times says
    double end; // -t; negative: none
    bool animate;
    double fps, speed;
    bool json;
} Draw;

// ---- options ------------------------------------------------------------------------------------

enum {
    OPTION_TIMES = 256,
    OPTION_STRIP,
    OPTION_OVERLAY,
    OPTION_ANIMATE,
    OPTION_FPS,
    OPTION_SPEED,
    OPTION_SHOW,
    OPTION_HIDE,
    OPTION_TITLE,
    OPTION_WIDTH,
    OPTION_HEIGHT,
    OPTION_MODEL,
    OPTION_KEEP_GOING,
    OPTION_JSON,
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"time", required_argument, NULL, 't'},
    {"times", required_argument, NULL, OPTION_TIMES},
    {"strip", required_argument, NULL, OPTION_STRIP},
    {"overlay", required_argument, NULL, OPTION_OVERLAY},
    {"animate", no_argument, NULL, OPTION_ANIMATE},
    {"fps", required_argument, NULL, OPTION_FPS},
    {"speed", required_argument, NULL, OPTION_SPEED},
    {"show", required_argument, NULL, OPTION_SHOW},
    {"hide", required_argument, NULL, OPTION_HIDE},
    DRAW_CAMERA_OPTIONS,
    {"title", required_argument, NULL, OPTION_TITLE},
    {"width", required_argument, NULL, OPTION_WIDTH},
    {"height", required_argument, NULL, OPTION_HEIGHT},
    {"model", required_argument, NULL, OPTION_MODEL},
    {"keep-going", no_argument, NULL, OPTION_KEEP_GOING},
    {"json", no_argument, NULL, OPTION_JSON},
    CLI_START_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

// Call `add` for each word of a list with commas.
static int each_word(const char* list, int (*add)(const char* word, Draw* d), Draw* d)
{
    char word[64];
    for (;;) {
        const size_t size = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)(size < sizeof word ? size : sizeof word - 1),
                 list);
        const int code = add(word, d);
        if (code != CLI_OK || list[size] == '\0') {
            return code;
        }
        list += size + 1;
    }
}

static int add_time(const char* word, Draw* d)
{
    double value;
    if (!cli_parse_number(word, &value) || !(value >= 0.0)) {
        return cli_usage(&cli_draw, "--times needs numbers of seconds, not '%s'", word);
    }
    if (d->times == MAX_TIMES) {
        return cli_usage(&cli_draw, "there are more than %d times", MAX_TIMES);
    }
    if (d->times > 0 && !(value > d->time[d->times - 1])) {
        return cli_usage(&cli_draw, "--times needs ascending times; %s does not come later", word);
    }
    d->time[d->times++] = value;
    return CLI_OK;
}

static int set_whole(const char* option, int least, int most, int* value)
{
    return cli_parse_int(optarg, least, most, value)
               ? CLI_OK
               : cli_usage(&cli_draw, "%s is a whole number from %d to %d, not '%s'", option, least,
                           most, optarg);
}

static int set_moments(int option, Draw* d)
{
    switch (option) {
    case 't':
        return cli_parse_number(optarg, &d->end) && d->end >= 0.0
                   ? CLI_OK
                   : cli_usage(&cli_draw, "-t needs a number of seconds, not '%s'", optarg);
    case OPTION_TIMES:
        d->options.strip = true;
        return each_word(optarg, add_time, d);
    case OPTION_STRIP:
        d->options.strip = true;
        return set_whole("--strip", 2, MAX_TIMES, &d->strip);
    case OPTION_OVERLAY:
        d->options.overlay = true;
        return set_whole("--overlay", 2, MAX_TIMES, &d->strip);
    case OPTION_ANIMATE:
        d->animate = true;
        return CLI_OK;
    case OPTION_FPS:
        return draw_set_positive(&cli_draw, "--fps", optarg, 60.0, &d->fps);
    default: // OPTION_SPEED
        return draw_set_positive(&cli_draw, "--speed", optarg, 1e6, &d->speed);
    }
}

static int set_option(int option, void* context)
{
    Draw* d = context;
    switch (option) {
    case 'o':
        d->out = optarg;
        return CLI_OK;
    case 't':
    case OPTION_TIMES:
    case OPTION_STRIP:
    case OPTION_OVERLAY:
    case OPTION_ANIMATE:
    case OPTION_FPS:
    case OPTION_SPEED:
        return set_moments(option, d);
    case DRAW_OPTION_VIEW:
    case DRAW_OPTION_PERSPECTIVE:
    case DRAW_OPTION_LOOK_AT:
    case DRAW_OPTION_EXTENT:
        return draw_set_camera(&cli_draw, option, optarg, &d->options);
    case OPTION_SHOW:
        return draw_add_parts(&cli_draw, optarg, &d->options.shown);
    case OPTION_HIDE:
        return draw_add_parts(&cli_draw, optarg, &d->options.hidden);
    case OPTION_TITLE:
        d->options.title = optarg;
        return CLI_OK;
    case OPTION_WIDTH:
        return set_whole("--width", 200, 10000, &d->options.width);
    case OPTION_HEIGHT:
        return set_whole("--height", 100, 10000, &d->options.height);
    case OPTION_MODEL:
        d->model = optarg;
        return CLI_OK;
    case OPTION_KEEP_GOING:
        d->start.sim.keep_going = true;
        return CLI_OK;
    case OPTION_JSON:
        d->json = true;
        return CLI_OK;
    default:
        return cli_set_start(&cli_draw, option, optarg, &d->start);
    }
}

static int check_options(const Draw* d)
{
    if (d->out == NULL) {
        return cli_usage(&cli_draw, "-o F.svg is missing");
    }
    const bool to_stdout = strcmp(d->out, "-") == 0;
    if (!to_stdout && !cli_ends_in(d->out, ".svg")) {
        return cli_usage(&cli_draw, "-o needs a name that ends in .svg, or -, not '%s'", d->out);
    }
    if (to_stdout && d->json) {
        return cli_usage(&cli_draw, "--json and the picture cannot both go to standard output");
    }
    if (d->animate + (d->times > 0) + (d->strip > 0) > 1) {
        return cli_usage(&cli_draw, "only one of --times, --strip, --overlay and --animate fits");
    }
    if (d->times > 0 && d->end >= 0.0) {
        return cli_usage(&cli_draw, "--times and -t do not fit together");
    }
    return CLI_OK;
}

// ---- the picture --------------------------------------------------------------------------------

// The end of a model's own run, or of a recording.
static utStatus find_end(const Draw* d, bool recording, double* end, utError* err)
{
    if (d->end >= 0.0) {
        *end = d->end;
        return UT_OK;
    }
    *end = -1.0;
    if (!d->animate || recording) {
        return UT_OK;
    }
    // an animation needs the duration to choose its frames
    CliModel loaded;
    CliSets sets = d->start.sets;
    const utStatus status = cli_load_model(d->start.file, &sets, &loaded, err);
    *end = status == UT_OK ? loaded.model->options.time : -1.0;
    cli_free_model(&loaded);
    return status;
}

static utStatus choose_times(Draw* d, bool recording, double duration, DrawTimes* times,
                             utError* err)
{
    UT_TRY(find_end(d, recording, &times->end, err));
    if (d->animate) {
        const double length = times->end >= 0.0 ? times->end : duration;
        const double frames = ceil(length / d->speed * d->fps) + 1.0;
        times->count = (int)fmin(fmax(frames, 2.0), MAX_FRAMES);
        d->options.period = fmax(length / d->speed, 0.1);
        return UT_OK;
    }
    if (d->times > 0) {
        *times = (DrawTimes){d->times, d->time, d->time[d->times - 1]};
        return UT_OK;
    }
    if (d->strip > 0) {
        times->count = d->strip;
        return UT_OK;
    }
    d->time[0] = d->end >= 0.0 ? d->end : 0.0;
    *times = (DrawTimes){1, d->time, d->time[0]};
    return UT_OK;
}

static void print_json(const Draw* d, const DrawTrace* trace, const Svg* svg)
{
    int contacts = 0;
    for (int k = 0; k < trace->moments; k++) {
        contacts += trace->moment[k].contacts;
    }
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    ut_json_key(&w, "output");
    ut_json_string(&w, d->out);
    ut_json_key(&w, "model");
    ut_json_string(&w, trace->model->name);
    ut_json_key(&w, "times");
    ut_json_array_begin(&w);
    for (int k = 0; k < trace->moments; k++) {
        ut_json_number(&w, trace->moment[k].time);
    }
    ut_json_array_end(&w);
    ut_json_key(&w, "contacts");
    ut_json_integer(&w, contacts);
    ut_json_key(&w, "bytes");
    ut_json_integer(&w, (int64_t)svg->size);
    ut_json_object_end(&w);
    putchar('\n');
}

static int draw(Draw* d)
{
    DrawTrace trace = {0};
    DrawTimes times = {0};
    Svg svg = {0};
    utError err = {0};
    bool recording = false;
    double duration = 0.0;
    utStatus status = draw_find_recording(d->start.file, &recording, &duration, &err);
    if (status == UT_OK) {
        status = choose_times(d, recording, duration, &times, &err);
    }
    if (status == UT_OK) {
        status = recording ? draw_trace_read(d->start.file, d->model, &times, &trace, &err)
                           : draw_trace_run(&d->start, &times, &trace, &err);
    }
    if (status == UT_OK) {
        status = draw_picture(&trace, &d->options, &svg, &err);
    }
    if (status == UT_OK) {
        status = plot_file_write(d->out, &svg, &err);
    }
    if (status == UT_OK && d->json) {
        print_json(d, &trace, &svg);
    }
    svg_free(&svg);
    draw_trace_close(&trace);
    if (status == UT_OK) {
        return CLI_OK;
    }
    const int code = cli_fail(&err);
    return status == UT_ERR_NOT_TAKEN ? CLI_UNSOLVED : code;
}

// ---- the verb -----------------------------------------------------------------------------------

static int run(int argc, char** argv)
{
    Draw d = {.options.width = 800, .end = -1.0, .fps = 25.0, .speed = 1.0};
    d.start.sim = ut_sim_def();
    int code = cli_parse(&cli_draw, argc, argv, long_options, set_option, &d, &d.start.file);
    if (code != CLI_OK || d.start.file == NULL) {
        return code;
    }
    code = check_options(&d);
    return code != CLI_OK ? code : draw(&d);
}

const CliVerb cli_draw = {
    .name = "draw",
    .summary = "draw bodies, contacts and forces",
    .usage = "uptack draw MODEL|RECORDING.utr -o F.svg [options]",
    .help =
        "MODEL is simulated up to the last time that is drawn; a recording (uptack run --record\n"
        "F.utr) is drawn as it was recorded, with the model that it names. Contacts and forces "
        "are\n"
        "those of the step that begins at the drawn time.\n"
        "\n"
        "times\n"
        "  -t, --time T        draw the state at T seconds, default 0\n"
        "  --times A,B,C       draw these times side by side\n"
        "  --strip N           draw N times from the start to -t side by side; default of -t "
        "here:\n"
        "                      the model's duration, or the recording's end\n"
        "  --overlay N         the same in one picture, the earlier ones pale\n"
        "  --animate           an animated picture up to -t; --fps N pictures per second, default\n"
        "                      25; --speed S: 0.5 is half as fast as reality\n"
        "\n"
        "camera\n"
        "  --view V            front, back, left, right, top, iso, or AZIMUTH,ELEVATION in "
        "degrees\n"
        "  --perspective[=A]   with an angle of view of A degrees, default 30\n"
        "  --look-at BODY      or X,Y,Z: the middle of the picture\n"
        "  --extent W          width of the picture in metres\n"
        "\n"
        "contents\n"
        "  --show LIST, --hide LIST  parts, separated by commas:\n"
        "                      contacts normals forces cones basis numbers arms joints "
        "joint-names\n"
        "                      reactions weights velocities frames paths labels sites springs\n"
        "                      belts fixed grid scale axes time legend, or all\n"
        "  --title TEXT, --width W, --height H\n"
        "\n"
        "  --model FILE        the model of a recording, if its file has moved\n"
        "  --keep-going        also take steps that are not certified\n"
        "  --json              print the times and the numbers of contacts and bytes as JSON\n"
        "  --dt, --formulation, --set, --key and the other options that start a run: see uptack\n"
        "                      run --help\n"
        "  --help, --version\n"
        "\n"
        "Exit code 0: drawn; 1: a file cannot be used; 2: usage; 3: a step is not certified.\n",
    .run = run,
    .operand = "MODEL",
    .letters = ":ho:t:",
};
