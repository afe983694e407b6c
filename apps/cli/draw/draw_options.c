// SPDX-License-Identifier: Apache-2.0
// Options that uptack draw and uptack render share: the camera, the parts of a picture, and times.
#include "draw/draw.h"

#include <math.h>
#include <string.h>
#include <uptack/record.h>

int draw_set_positive(const CliVerb* verb, const char* option, const char* text, double most,
                      double* value)
{
    return cli_parse_number(text, value) && *value > 0.0 && *value <= most
               ? CLI_OK
               : cli_usage(verb, "%s needs a number above 0 and up to %g, not '%s'", option, most,
                           text);
}

// ---- parts --------------------------------------------------------------------------------------

static int add_part(const CliVerb* verb, const char* word, unsigned* parts)
{
    if (strcmp(word, "all") == 0) {
        *parts |= (1u << DRAW_PART_COUNT) - 1u;
        return CLI_OK;
    }
    for (int k = 0; k < DRAW_PART_COUNT; k++) {
        if (strcmp(word, draw_part_name((DrawPart)k)) == 0) {
            *parts |= 1u << k;
            return CLI_OK;
        }
    }
    char all[320] = "";
    for (int k = 0; k < DRAW_PART_COUNT; k++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, " %s", draw_part_name((DrawPart)k));
    }
    return cli_usage(verb, "there is no part '%s' of a picture; there are%s", word, all);
}

int draw_add_parts(const CliVerb* verb, const char* list, unsigned* parts)
{
    char word[64];
    for (;;) {
        const size_t size = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)(size < sizeof word ? size : sizeof word - 1),
                 list);
        const int code = add_part(verb, word, parts);
        if (code != CLI_OK || list[size] == '\0') {
            return code;
        }
        list += size + 1;
    }
}

// ---- the camera ---------------------------------------------------------------------------------

static int set_view(const CliVerb* verb, const char* text, DrawOptions* o)
{
    static const struct {
        const char* name;
        double azimuth, elevation;
    } views[] = {{"front", -90.0, 0.0}, {"back", 90.0, 0.0},  {"right", 0.0, 0.0},
                 {"left", 180.0, 0.0},  {"top", -90.0, 90.0}, {"iso", -45.0, 35.264389682754654}};
    o->has_view = true;
    for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
        if (strcmp(text, views[k].name) == 0) {
            o->azimuth = views[k].azimuth;
            o->elevation = views[k].elevation;
            return CLI_OK;
        }
    }
    char first[64];
    const size_t size = strcspn(text, ",");
    snprintf(first, sizeof first, "%.*s", (int)(size < sizeof first ? size : sizeof first - 1),
             text);
    return text[size] == ',' && cli_parse_number(first, &o->azimuth) &&
                   cli_parse_number(text + size + 1, &o->elevation) && fabs(o->elevation) <= 90.0
               ? CLI_OK
               : cli_usage(verb,
                           "--view is front, back, left, right, top, iso or AZIMUTH,ELEVATION in "
                           "degrees, not '%s'",
                           text);
}

int draw_set_camera(const CliVerb* verb, int option, const char* value, DrawOptions* o)
{
    switch (option) {
    case DRAW_OPTION_VIEW:
        return set_view(verb, value, o);
    case DRAW_OPTION_PERSPECTIVE:
        o->perspective = 30.0;
        return value == NULL
                   ? CLI_OK
                   : draw_set_positive(verb, "--perspective", value, 120.0, &o->perspective);
    case DRAW_OPTION_LOOK_AT:
        o->look_at = value;
        return CLI_OK;
    default: // DRAW_OPTION_EXTENT
        return draw_set_positive(verb, "--extent", value, 1e9, &o->extent);
    }
}

// ---- recordings ---------------------------------------------------------------------------------

utStatus draw_find_recording(const char* path, bool* yes, double* duration, utError* err)
{
    utArena memory;
    utText bytes;
    *yes = cli_ends_in(path, ".utr");
    if (!*yes) {
        return UT_OK;
    }
    if (ut_arena_create(0, NULL, &memory) != UT_OK) {
        return cli_no_memory(path, err);
    }
    utRecording recording;
    utRecordFrame frame = {.kind = UT_RECORD_STATE};
    double first = HUGE_VAL, last = -HUGE_VAL;
    utStatus status = cli_read_file(path, &memory, &bytes, err);
    if (status == UT_OK) {
        status = ut_recording_open(bytes.data, bytes.size, cli_file_name(path), &recording, err);
    }
    while (status == UT_OK && frame.kind != UT_RECORD_END && frame.kind != UT_RECORD_CUT) {
        status = ut_recording_next(&recording, &frame, err);
        if (status == UT_OK && frame.kind == UT_RECORD_STATE) {
            first = fmin(first, frame.time);
            last = fmax(last, frame.time);
        }
    }
    *duration = last > first ? last - first : 0.0;
    ut_arena_destroy(&memory);
    return status;
}
