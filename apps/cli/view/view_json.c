// SPDX-License-Identifier: Apache-2.0
// view.json: what the page shall open, and with which options.
#include "json_members.h"
#include "view/view.h"

#include <string.h>

// ---- the text -----------------------------------------------------------------------------------

typedef struct Buffer {
    utArena* keep;
    char* data;
    size_t size, room;
} Buffer;

// A utJsonSink.
static bool append(void* context, const char* text, size_t size)
{
    Buffer* b = context;
    if (b->room - b->size < size) {
        const size_t room = 2 * (b->room + size);
        char* larger = UT_PUSH(b->keep, char, room);
        if (larger == NULL) {
            return false;
        }
        if (b->size > 0) {
            memcpy(larger, b->data, b->size);
        }
        b->data = larger;
        b->room = room;
    }
    memcpy(b->data + b->size, text, size);
    b->size += size;
    return true;
}

// ---- options ------------------------------------------------------------------------------------

// One option under the name that the page's engine gives it.
static void write_option(utJsonWriter* w, const CliGiven* given, const CliStart* start)
{
    static const struct {
        int option;
        const char* name;
    } texts[] = {
        {CLI_OPTION_FORMULATION, "formulation"},
        {CLI_OPTION_SOLVER, "solver"},
        {CLI_OPTION_INTEGRATOR, "integrator"},
        {CLI_OPTION_COORDINATES, "coordinates"},
        {CLI_OPTION_IMPACT, "impact"},
        {CLI_OPTION_SIMULTANEOUS, "simultaneous"},
        {CLI_OPTION_KEY, "keyframe"},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if (texts[k].option == given->option) {
            cli_json_text(w, texts[k].name, given->value);
        }
    }
    switch (given->option) {
    case CLI_OPTION_DT:
        cli_json_number(w, "dt", start->sim.dt);
        break;
    case CLI_OPTION_DIRECTIONS:
        cli_json_integer(w, "directions", start->sim.directions);
        break;
    case CLI_OPTION_BUDGET:
        cli_json_text(w, "tier", start->budget);
        break;
    case CLI_OPTION_SLEEP:
        cli_json_bool(w, "sleep", true);
        break;
    case CLI_OPTION_FLOATING:
        cli_json_bool(w, "floating", true);
        break;
    case CLI_OPTION_FRICTION:
        cli_json_bool(w, "friction", true);
        break;
    case CLI_OPTION_NO_SELF:
        cli_json_bool(w, "noSelfCollision", true);
        break;
    default:
        break;
    }
}

// Options with one value: the last one counts. The page gets each name once.
static void write_options(utJsonWriter* w, const CliStart* start)
{
    ut_json_key(w, "options");
    ut_json_object_begin(w);
    for (int k = 0; k < start->given; k++) {
        bool again = false;
        for (int later = k + 1; later < start->given; later++) {
            again = again || start->given_option[later].option == start->given_option[k].option;
        }
        if (!again) {
            write_option(w, &start->given_option[k], start);
        }
    }
    if (start->sim.keep_going) {
        cli_json_bool(w, "keepGoing", true);
    }
    ut_json_object_end(w);
}

static void write_sets(utJsonWriter* w, const CliStart* start)
{
    ut_json_key(w, "set");
    ut_json_array_begin(w);
    for (int k = 0; k < start->given; k++) {
        if (start->given_option[k].option == CLI_OPTION_SET) {
            ut_json_string(w, start->given_option[k].value);
        }
    }
    ut_json_array_end(w);
}

utStatus view_write_json(const View* view, utArena* keep, utText* text)
{
    static const char* const kinds[] = {"model", "recording", "scene"};
    Buffer buffer = {.keep = keep};
    utJsonWriter w = ut_json_writer(append, &buffer);
    ut_json_object_begin(&w);
    cli_json_text(&w, "kind", kinds[view->kind]);
    if (view->kind == VIEW_SCENE) {
        cli_json_text(&w, "name", view->start.file);
        cli_json_text(&w, "scene", view->start.file);
    } else {
        cli_json_text(&w, "name", view->files.file[0].name);
        cli_json_text(&w, "base", "files/");
    }
    write_sets(&w, &view->start);
    write_options(&w, &view->start);
    cli_json_integer(&w, "version", (long long)view->version);
    ut_json_object_end(&w);
    *text = (utText){buffer.data, buffer.size};
    return w.failed ? UT_ERR_MEMORY : UT_OK;
}
