// SPDX-License-Identifier: Apache-2.0
// uptack render: pictures and films of a model or a recording, without a display.
#include "json_members.h"
#include "progress.h"
#include "render/render.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_FRAMES = 20000,
    MAX_STRIP = 64,
    MAX_SIDE = 8192, // px
    GIF_SAMPLES = 5, // pictures from which the palette is chosen
    GAP = 8,         // px between the views of a strip
};

typedef struct Render {
    CliStart start;
    RenderOptions options;
    const char* out;
    const char* model; // of a recording
    RenderKind kind;
    double end; // -t; negative: none
    double at;  // --at; negative: none
    int strip;  // number of moments; 0: one
    int every;  // steps between pictures; 0: as --fps says
    double fps, speed;
    bool json;
} Render;

// ---- options ------------------------------------------------------------------------------------

enum {
    OPTION_AT = 256,
    OPTION_STRIP,
    OPTION_EVERY,
    OPTION_FPS,
    OPTION_SPEED,
    OPTION_SIZE,
    OPTION_SAMPLES,
    OPTION_PARALLEL,
    OPTION_NO_SHADOWS,
    OPTION_SHOW,
    OPTION_HIDE,
    OPTION_MODEL,
    OPTION_KEEP_GOING,
    OPTION_JSON,
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"time", required_argument, NULL, 't'},
    {"at", required_argument, NULL, OPTION_AT},
    {"strip", required_argument, NULL, OPTION_STRIP},
    {"every", required_argument, NULL, OPTION_EVERY},
    {"fps", required_argument, NULL, OPTION_FPS},
    {"speed", required_argument, NULL, OPTION_SPEED},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"samples", required_argument, NULL, OPTION_SAMPLES},
    {"parallel", no_argument, NULL, OPTION_PARALLEL},
    {"no-shadows", no_argument, NULL, OPTION_NO_SHADOWS},
    {"show", required_argument, NULL, OPTION_SHOW},
    {"hide", required_argument, NULL, OPTION_HIDE},
    {"model", required_argument, NULL, OPTION_MODEL},
    {"keep-going", no_argument, NULL, OPTION_KEEP_GOING},
    {"json", no_argument, NULL, OPTION_JSON},
    DRAW_CAMERA_OPTIONS,
    CLI_START_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_size(const char* text, RenderOptions* o)
{
    char width[16];
    const size_t size = strcspn(text, "x");
    snprintf(width, sizeof width, "%.*s", (int)(size < sizeof width ? size : 15), text);
    return text[size] == 'x' && cli_parse_int(width, 16, MAX_SIDE, &o->width) &&
                   cli_parse_int(text + size + 1, 16, MAX_SIDE, &o->height)
               ? CLI_OK
               : cli_usage(&cli_render, "--size is WIDTHxHEIGHT with sides from 16 to %d, not '%s'",
                           MAX_SIDE, text);
}

static int set_time(const char* option, const char* text, double* value)
{
    return cli_parse_number(text, value) && *value >= 0.0 && *value < 1e9
               ? CLI_OK
               : cli_usage(&cli_render, "%s needs a number of seconds, not '%s'", option, text);
}

static int set_whole(const char* option, int least, int most, int* value)
{
    return cli_parse_int(optarg, least, most, value)
               ? CLI_OK
               : cli_usage(&cli_render, "%s is a whole number from %d to %d, not '%s'", option,
                           least, most, optarg);
}

static int set_option(int option, void* context)
{
    Render* r = context;
    RenderOptions* o = &r->options;
    switch (option) {
    case 'o':
        r->out = optarg;
        return CLI_OK;
    case 't':
        return set_time("-t", optarg, &r->end);
    case OPTION_AT:
        return set_time("--at", optarg, &r->at);
    case OPTION_STRIP:
        return set_whole("--strip", 2, MAX_STRIP, &r->strip);
    case OPTION_EVERY:
        return set_whole("--every", 1, INT_MAX, &r->every);
    case OPTION_FPS:
        return draw_set_positive(&cli_render, "--fps", optarg, 240.0, &r->fps);
    case OPTION_SPEED:
        return draw_set_positive(&cli_render, "--speed", optarg, 1e6, &r->speed);
    case OPTION_SIZE:
        return set_size(optarg, o);
    case OPTION_SAMPLES:
        return set_whole("--samples", 1, RENDER_MAX_SAMPLES, &o->samples);
    case OPTION_PARALLEL:
        o->parallel = true;
        return CLI_OK;
    case OPTION_NO_SHADOWS:
        o->no_shadows = true;
        return CLI_OK;
    case OPTION_SHOW:
        return draw_add_parts(&cli_render, optarg, &o->draw.shown);
    case OPTION_HIDE:
        return draw_add_parts(&cli_render, optarg, &o->draw.hidden);
    case OPTION_MODEL:
        r->model = optarg;
        return CLI_OK;
    case OPTION_KEEP_GOING:
        r->start.sim.keep_going = true;
        return CLI_OK;
    case OPTION_JSON:
        r->json = true;
        return CLI_OK;
    case DRAW_OPTION_VIEW:
    case DRAW_OPTION_PERSPECTIVE:
    case DRAW_OPTION_LOOK_AT:
    case DRAW_OPTION_EXTENT:
        return draw_set_camera(&cli_render, option, optarg, &o->draw);
    default:
        return cli_set_start(&cli_render, option, optarg, &r->start);
    }
}

static int set_kind(Render* r)
{
    static const char* const endings[] = {".png", ".gif", ".mp4"};
    for (int k = 0; r->out != NULL && k < 3; k++) {
        if (cli_ends_in(r->out, endings[k])) {
            r->kind = (RenderKind)k;
            return CLI_OK;
        }
    }
    return r->out == NULL
               ? cli_usage(&cli_render, "-o FILE is missing")
               : cli_usage(&cli_render, "-o needs a name that ends in .png, .gif or .mp4, not '%s'",
                           r->out);
}

// Sizes and samples that are not given. Films have fewer, because they have many pictures.
static void set_defaults(Render* r)
{
    RenderOptions* o = &r->options;
    if (o->width == 0) {
        o->width = r->kind == RENDER_GIF ? 640 : 1280;
        o->height = r->kind == RENDER_GIF ? 360 : 720;
    }
    if (o->samples == 0) {
        o->samples = r->kind == RENDER_PNG ? 3 : 2;
    }
    if (!(r->fps > 0.0)) {
        r->fps = r->kind == RENDER_GIF ? 25.0 : 30.0;
    }
}

static int check_options(const Render* r)
{
    const RenderOptions* o = &r->options;
    const bool film = r->kind != RENDER_PNG;
    if (film && (r->strip > 0 || r->at >= 0.0)) {
        return cli_usage(&cli_render, "--strip and --at make a single picture, which is a .png");
    }
    if (r->strip > 0 && r->at >= 0.0) {
        return cli_usage(&cli_render, "--strip and --at do not fit together; -t ends a strip");
    }
    if (!film && r->every > 0) {
        return cli_usage(&cli_render, "--every is for a .gif or .mp4");
    }
    if (!film && r->strip == 0 && r->at >= 0.0 && r->end >= 0.0) {
        return cli_usage(&cli_render, "--at and -t do not fit together");
    }
    if (r->kind == RENDER_MP4 && (o->width % 2 != 0 || o->height % 2 != 0)) {
        return cli_usage(&cli_render, "an .mp4 needs an even width and height, not %dx%d", o->width,
                         o->height);
    }
    return strcmp(r->out, r->start.file) == 0
               ? cli_usage(&cli_render, "the model would be overwritten")
               : CLI_OK;
}

// ---- times --------------------------------------------------------------------------------------

// The duration and the step of a model, for the number of pictures.
static utStatus find_duration(const Render* r, double* duration, double* dt, utError* err)
{
    CliModel loaded;
    CliStart start = {.file = r->start.file, .sim = ut_sim_def()};
    for (int k = 0; k < r->start.given; k++) {
        (void)cli_set_start(&cli_render, r->start.given_option[k].option,
                            r->start.given_option[k].value, &start);
    }
    const utStatus status = cli_load_model(r->start.file, &start.sets, &loaded, err);
    if (status == UT_OK) {
        *duration = loaded.model->options.time;
        *dt = start.sim.dt > 0.0 ? start.sim.dt : loaded.model->options.dt;
    }
    cli_free_model(&loaded);
    return status;
}

// @param length of the recording, or the model's duration @param dt its step
static utStatus choose_film(const Render* r, double length, double dt, DrawTimes* times,
                            utError* err)
{
    const double end = r->end >= 0.0 ? r->end : length;
    const double interval = r->every > 0 ? r->every * dt : r->speed / r->fps;
    const double frames = floor(end / interval + 1e-9) + 1.0;
    if (!(frames <= MAX_FRAMES)) {
        return ut_error_at(
            err, UT_ERR_ARGUMENT, r->out, 0, 0,
            "would have %.0f pictures, more than %d; a smaller -t, or a larger --speed "
            "or --every helps",
            frames, MAX_FRAMES);
    }
    times->count = frames > 1.0 ? (int)frames : 2;
    times->end = frames > 1.0 ? (frames - 1.0) * interval : end;
    return UT_OK;
}

static utStatus choose_times(Render* r, bool recording, double duration, DrawTimes* times,
                             utError* err)
{
    double length = duration, dt = 0.0;
    times->end = r->end;
    times->count = r->strip;
    if (r->kind == RENDER_PNG && r->strip == 0) {
        r->at = r->at >= 0.0 ? r->at : fmax(r->end, 0.0);
        *times = (DrawTimes){1, &r->at, r->at};
        return UT_OK;
    }
    if (r->kind == RENDER_PNG) {
        return UT_OK;
    }
    if (!recording) {
        UT_TRY(find_duration(r, &length, &dt, err));
    } else if (r->every > 0) {
        return ut_error_at(err, UT_ERR_ARGUMENT, r->start.file, 0, 0,
                           "is a recording, whose steps may differ; --fps and --speed choose its "
                           "pictures, not --every");
    }
    return choose_film(r, length, dt, times, err);
}

// ---- pictures -----------------------------------------------------------------------------------

static utStatus make_image(int width, int height, RenderImage* image, utError* err)
{
    *image = (RenderImage){width, height, malloc(3 * (size_t)width * (size_t)height)};
    if (image->rgb == NULL) {
        return cli_no_memory("picture", err);
    }
    memset(image->rgb, 255, 3 * (size_t)width * (size_t)height);
    return UT_OK;
}

static utStatus write_bytes(RenderFile* file, RenderBytes* bytes, utError* err)
{
    const utStatus status = bytes->failed ? cli_no_memory(file->path, err)
                                          : render_file_write(file, bytes->data, bytes->size, err);
    bytes->size = 0;
    return status;
}

static utStatus write_png(RenderFile* file, const RenderImage* image, utError* err)
{
    RenderBytes bytes = {0};
    render_png(image, &bytes);
    const utStatus status = write_bytes(file, &bytes, err);
    render_bytes_free(&bytes);
    return status;
}

// The width of `count` views in a row, or their height in a column.
static int side_of_view(int side, int count)
{
    return (side - GAP * (count - 1)) / count;
}

// The number of columns that gives the largest views.
static utStatus choose_columns(const Render* r, const DrawTrace* trace, int* columns, utError* err)
{
    const int n = trace->moments;
    double best = 0.0;
    *columns = 1;
    for (int c = 1; c <= n; c++) {
        const int rows = (n + c - 1) / c;
        RenderScene scene;
        const int width = side_of_view(r->options.width, c);
        const int height = side_of_view(r->options.height, rows);
        if (width < 16 || height < 16) {
            continue;
        }
        const utStatus status = render_scene_create(trace, &r->options, width, height, &scene, err);
        const double scale = scene.camera.scale;
        render_scene_free(&scene);
        UT_TRY(status);
        if (scale > best * (1.0 + 1e-9)) {
            best = scale;
            *columns = c;
        }
    }
    return UT_OK;
}

// One moment, or several in rows.
static utStatus render_picture(const Render* r, const DrawTrace* trace, RenderImage* image,
                               utError* err)
{
    int columns;
    UT_TRY(choose_columns(r, trace, &columns, err));
    const int rows = (trace->moments + columns - 1) / columns;
    const int width = side_of_view(image->width, columns);
    const int height = side_of_view(image->height, rows);
    RenderScene scene;
    utStatus status = render_scene_create(trace, &r->options, width, height, &scene, err);
    CliProgress progress = cli_progress_begin();
    for (int k = 0; status == UT_OK && k < trace->moments && cli_caught_signal() == 0; k++) {
        render_scene_place(&scene, k);
        status = render_moment(&scene, image, k % columns * (width + GAP),
                               k / columns * (height + GAP), err);
        cli_progress_share(&progress, "rendered", k + 1.0, trace->moments);
    }
    cli_progress_end(&progress);
    render_scene_free(&scene);
    return status;
}

// ---- films --------------------------------------------------------------------------------------

// Choose the palette of a GIF from some of its pictures.
static utStatus begin_gif(const Render* r, const DrawTrace* trace, RenderGif* gif,
                          RenderBytes* bytes, utError* err)
{
    RenderOptions o = r->options;
    RenderScene scene;
    RenderImage image[GIF_SAMPLES] = {{0, 0, NULL}};
    o.samples = 1;
    utStatus status = render_scene_create(trace, &o, o.width, o.height, &scene, err);
    for (int k = 0; status == UT_OK && k < GIF_SAMPLES; k++) {
        status = make_image(o.width, o.height, &image[k], err);
        if (status == UT_OK) {
            render_scene_place(&scene, (int)((long)k * (trace->moments - 1) / (GIF_SAMPLES - 1)));
            status = render_moment(&scene, &image[k], 0, 0, err);
        }
    }
    if (status == UT_OK && !render_gif_begin(gif, GIF_SAMPLES, image, bytes)) {
        status = cli_no_memory(r->out, err);
    }
    for (int k = 0; k < GIF_SAMPLES; k++) {
        free(image[k].rgb);
    }
    render_scene_free(&scene);
    return status;
}

// GIF counts hundredths of a second: the rest is carried over, so that the film is as long as it should be.
static int frame_hundredths(double fps, int k)
{
    return (int)(floor(100.0 * (k + 1) / fps + 0.5) - floor(100.0 * k / fps + 0.5));
}

static void show_progress(CliProgress* progress, int done, int frames)
{
    const double elapsed = cli_progress_elapsed(progress);
    if (cli_progress_due(progress)) {
        cli_progress_show(progress, "picture %d of %d, %.1f per second, %.0f s left", done, frames,
                          done / elapsed, elapsed * (frames - done) / done);
    }
}

static utStatus render_film(const Render* r, const DrawTrace* trace, RenderImage* image,
                            RenderFile* file, utError* err)
{
    RenderScene scene;
    RenderGif gif = {0};
    RenderBytes bytes = {0};
    const size_t size = 3 * (size_t)image->width * (size_t)image->height;
    utStatus status =
        render_scene_create(trace, &r->options, image->width, image->height, &scene, err);
    if (status == UT_OK && r->kind == RENDER_GIF) {
        status = begin_gif(r, trace, &gif, &bytes, err);
    }
    CliProgress progress = cli_progress_begin();
    for (int k = 0; status == UT_OK && k < trace->moments && cli_caught_signal() == 0; k++) {
        render_scene_place(&scene, k);
        status = render_moment(&scene, image, 0, 0, err);
        if (status == UT_OK && r->kind == RENDER_GIF) {
            render_gif_frame(&gif, image, frame_hundredths(r->fps, k), &bytes);
            status = write_bytes(file, &bytes, err);
        } else if (status == UT_OK) {
            status = render_file_write(file, image->rgb, size, err);
        }
        show_progress(&progress, k + 1, trace->moments);
    }
    cli_progress_end(&progress);
    if (r->kind == RENDER_GIF) {
        render_gif_end(&gif, &bytes);
        status = status == UT_OK ? write_bytes(file, &bytes, err) : status;
    }
    render_bytes_free(&bytes);
    render_scene_free(&scene);
    return status;
}

// ---- the verb -----------------------------------------------------------------------------------

static void print_json(const Render* r, const DrawTrace* trace)
{
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    cli_json_text(&w, "output", r->out);
    cli_json_text(&w, "model", trace->model->name);
    cli_json_integer(&w, "width", r->options.width);
    cli_json_integer(&w, "height", r->options.height);
    cli_json_integer(&w, "pictures", trace->moments);
    cli_json_number(&w, "first", trace->moment[0].time);
    cli_json_number(&w, "last", trace->moment[trace->moments - 1].time);
    ut_json_object_end(&w);
    putchar('\n');
}

static utStatus write_output(const Render* r, const DrawTrace* trace, utError* err)
{
    RenderImage image = {0};
    RenderFile file = {.pipe = -1};
    UT_TRY(make_image(r->options.width, r->options.height, &image, err));
    cli_catch_signals();
    utStatus status =
        render_file_open(&file, r->out, r->kind, image.width, image.height, r->fps, err);
    if (status == UT_OK && r->kind == RENDER_PNG) {
        status = render_picture(r, trace, &image, err);
        status = status == UT_OK ? write_png(&file, &image, err) : status;
    } else if (status == UT_OK) {
        status = render_film(r, trace, &image, &file, err);
    }
    status = render_file_close(&file, cli_caught_signal() == 0, status, err);
    free(image.rgb);
    return status;
}

static int render(Render* r)
{
    DrawTrace trace = {0};
    DrawTimes times = {0};
    utError err = {0};
    bool recording = false;
    double duration = 0.0;
    utStatus status = draw_find_recording(r->start.file, &recording, &duration, &err);
    if (status == UT_OK) {
        status = choose_times(r, recording, duration, &times, &err);
    }
    if (status == UT_OK) {
        status = recording ? draw_trace_read(r->start.file, r->model, &times, &trace, &err)
                           : draw_trace_run(&r->start, &times, &trace, &err);
    }
    if (status == UT_OK) {
        status = write_output(r, &trace, &err);
    }
    if (status == UT_OK && r->json && cli_caught_signal() == 0) {
        print_json(r, &trace);
    }
    draw_trace_close(&trace);
    if (status == UT_OK) {
        return cli_caught_signal() != 0 ? CLI_SIGNAL + cli_caught_signal() : CLI_OK;
    }
    const int code = cli_fail(&err);
    return status == UT_ERR_NOT_TAKEN ? CLI_UNSOLVED : code;
}

static int run(int argc, char** argv)
{
    Render r = {.end = -1.0, .at = -1.0, .speed = 1.0, .start.sim = ut_sim_def()};
    int code = cli_parse(&cli_render, argc, argv, long_options, set_option, &r, &r.start.file);
    if (code != CLI_OK || r.start.file == NULL) {
        return code;
    }
    code = set_kind(&r);
    if (code != CLI_OK) {
        return code;
    }
    set_defaults(&r);
    code = check_options(&r);
    return code != CLI_OK ? code : render(&r);
}

const CliVerb cli_render = {
    .name = "render",
    .summary = "make pictures and films, without a display",
    .usage = "uptack render MODEL|RECORDING.utr -o F.png|F.gif|F.mp4 [options]",
    .help =
        "MODEL is simulated up to the last time that is shown; a recording (uptack run --record\n"
        "F.utr) is shown as it was recorded. The picture is computed here: no display and no\n"
        "graphics card are needed. An .mp4 needs the program ffmpeg.\n"
        "\n"
        "times\n"
        "  --at T              .png: the state at T seconds, default 0; -t T is the same\n"
        "  --strip N           .png: N times from the start to -t in one picture\n"
        "  -t, --time T        .gif, .mp4, --strip: end; default: the model's duration, or the\n"
        "                      recording's end\n"
        "  --fps N             pictures per second, default 30, of a .gif 25\n"
        "  --speed S           0.5 is half as fast as reality\n"
        "  --every N           a picture every N steps of the model, instead of --speed\n"
        "\n"
        "picture\n"
        "  --size WxH          in pixels, default 1280x720, of a .gif 640x360\n"
        "  --samples N         N x N samples per pixel, default 3, of films 2\n"
        "  --view V            front, back, left, right, top, iso, or AZIMUTH,ELEVATION in "
        "degrees\n"
        "  --perspective[=A]   with an angle of view of A degrees, default 30\n"
        "  --parallel          without perspective; planar worlds are always shown so\n"
        "  --look-at BODY      or X,Y,Z: the middle of the picture\n"
        "  --extent W          width of the picture in metres\n"
        "  --no-shadows        without shadows\n"
        "  --show LIST, --hide LIST  of contacts, forces, cones, springs, fixed, grid, or all;\n"
        "                      default: contacts and forces up to 48 contacts, cones up to 12\n"
        "\n"
        "  --model FILE        the model of a recording, if its file has moved\n"
        "  --keep-going        also take steps that are not certified\n"
        "  --json              print the number of pictures and their times as JSON\n"
        "  --dt, --formulation, --set, --key and the other options that start a run: see uptack\n"
        "                      run --help\n"
        "  --help, --version\n"
        "\n"
        "Exit code 0: written; 1: a file cannot be used or ffmpeg is missing; 2: usage; 3: a step\n"
        "is not certified; 130: ended by Ctrl-C, nothing is left behind.\n",
    .run = run,
    .operand = "MODEL",
    .letters = ":ho:t:",
};
