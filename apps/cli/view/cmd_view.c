// SPDX-License-Identifier: Apache-2.0
// uptack view: the page with a model, a recording or a scene, on a port of this machine.
#define _POSIX_C_SOURCE 200809L
#include "json_members.h"
#include "progress.h"
#include "view/view.h"

#include <getopt.h>
#include <string.h>
#include <unistd.h>
#include <uptack/scenes.h>

enum {
    OPTION_PORT = 256,
    OPTION_PAGE,
    OPTION_NO_BROWSER,
    OPTION_KEEP_GOING,
    OPTION_JSON,
};

static const struct option long_options[] = {
    {"port", required_argument, NULL, OPTION_PORT},
    {"page", required_argument, NULL, OPTION_PAGE},
    {"no-browser", no_argument, NULL, OPTION_NO_BROWSER},
    {"keep-going", no_argument, NULL, OPTION_KEEP_GOING},
    {"json", no_argument, NULL, OPTION_JSON},
    CLI_START_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_option(int option, void* context)
{
    View* v = context;
    switch (option) {
    case OPTION_PORT:
        return cli_parse_int(optarg, 1, 65535, &v->port)
                   ? CLI_OK
                   : cli_usage(&cli_view, "--port needs a whole number from 1 to 65535, not '%s'",
                               optarg);
    case OPTION_PAGE:
        v->page = optarg;
        return CLI_OK;
    case OPTION_NO_BROWSER:
        v->no_browser = true;
        return CLI_OK;
    case OPTION_KEEP_GOING:
        v->start.sim.keep_going = true;
        return CLI_OK;
    case OPTION_JSON:
        v->json = true;
        return CLI_OK;
    default:
        return cli_set_start(&cli_view, option, optarg, &v->start);
    }
}

// A token that nobody can guess, from the system's random numbers.
static utStatus make_token(View* v, utError* err)
{
    static const char source[] = "/dev/urandom";
    unsigned char bytes[VIEW_TOKEN_SIZE / 2];
    FILE* file = fopen(source, "rb");
    const bool read = file != NULL && fread(bytes, 1, sizeof bytes, file) == sizeof bytes;
    if (file != NULL) {
        (void)fclose(file);
    }
    for (size_t k = 0; read && k < sizeof bytes; k++) {
        snprintf(v->token + 2 * k, 3, "%02x", bytes[k]);
    }
    return read ? UT_OK : ut_error_at(err, UT_ERR_IO, source, 0, 0, "cannot be read");
}

// The address goes to standard output at once, for programs that wait for it.
static void print_address(const View* v, const char* address)
{
    if (v->json) {
        utJsonWriter w = cli_json();
        ut_json_object_begin(&w);
        cli_json_text(&w, "address", address);
        cli_json_integer(&w, "port", v->port);
        cli_json_text(&w, "page", v->page);
        ut_json_object_end(&w);
        putchar('\n');
    } else {
        printf("%s\n", address);
    }
    (void)fflush(stdout);
    if (isatty(STDERR_FILENO) == 1) {
        fprintf(stderr, "shows %s in the browser until Ctrl-C\n", cli_file_name(v->start.file));
    }
}

static utStatus serve(View* v, int* listener, utError* err)
{
    char address[64 + VIEW_TOKEN_SIZE];
    UT_TRY(make_token(v, err));
    UT_TRY(view_listen(&v->port, listener, err));
    cli_catch_signals();
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", v->port, v->token);
    print_address(v, address);
    if (!v->no_browser) {
        view_open_browser(address);
    }
    return view_serve(v, *listener, err);
}

static int view(View* v)
{
    char page[VIEW_PATH_ROOM];
    int listener = -1;
    utError err = {0};
    utStatus status = view_find_page(v->page, page, &err);
    v->page = page;
    if (status == UT_OK) {
        status = view_files_load(v, NULL, &v->files, &err);
    }
    if (status == UT_OK) {
        status = serve(v, &listener, &err);
    }
    if (listener >= 0) {
        (void)close(listener);
    }
    view_files_free(&v->files);
    return status == UT_OK ? CLI_OK : cli_fail(&err);
}

static int run(int argc, char** argv)
{
    View v = {.start.sim = ut_sim_def(), .version = 1};
    const int code = cli_parse(&cli_view, argc, argv, long_options, set_option, &v, &v.start.file);
    if (code != CLI_OK || v.start.file == NULL) {
        return code;
    }
    v.kind = cli_ends_in(v.start.file, ".utr") ? VIEW_RECORDING
             : ut_scene_is(v.start.file)       ? VIEW_SCENE
                                               : VIEW_MODEL;
    return view(&v);
}

const CliVerb cli_view = {
    .name = "view",
    .summary = "show a model or a recording in the browser",
    .usage = "uptack view MODEL|RECORDING.utr [--port N] [--no-browser] [options]",
    .help =
        "MODEL is an MJCF or URDF file, - for standard input, or a scene such as stack:30. The\n"
        "browser shows it with the engine in the page; this program only hands over the page and\n"
        "the files that the model reads, and says when one of them has changed. It listens on\n"
        "127.0.0.1 alone, and its address has a secret part, so that neither other machines nor\n"
        "other pages in the browser can read the files.\n"
        "\n"
        "  --port N              port; default: any free one\n"
        "  --no-browser          print the address, and start no browser\n"
        "  --page DIR            folder of the page; default: page beside this program, as make\n"
        "                        page builds it, or share/uptack/page of the installation\n"
        "  --json                print the address as JSON\n"
        "  --keep-going          also take steps that are not certified\n"
        "  --dt, --formulation, --set, --key and the other options that start a run are passed on\n"
        "                      to the page: see uptack run --help\n"
        "  --help, --version\n"
        "\n"
        "Exit code 0: ended by Ctrl-C; 1: a file cannot be used, there is no page, or the port is\n"
        "in use; 2: usage.\n",
    .run = run,
    .operand = "MODEL",
};
