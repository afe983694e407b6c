// SPDX-License-Identifier: Apache-2.0
#include "convert/convert_model.h"

#include <string.h>
#include <uptack/load.h>

#include "output.h"

// The folder of a path, with its slash; "" for none.
static void folder_of(const char* path, size_t size, char* folder)
{
    const char* slash = strrchr(path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    snprintf(folder, size, "%.*s", (int)(length < size ? length : 0), path);
}

static utStatus write_file(const char* path, utText text, utError* err)
{
    CliOutput output;
    UT_TRY(cli_output_open(path, &output, err));
    const bool complete = cli_output_write(&output, text.data, text.size);
    return cli_output_close(&output, complete, UT_OK, err);
}

static void print_unwritten(const char* path, const utNotes* notes)
{
    for (int i = 0; i < notes->count; i++) {
        const utNote* note = &notes->note[i];
        fprintf(stderr, "%s: ", path);
        cli_print_word(stderr, CLI_YELLOW, "warning:");
        fprintf(stderr, " not written: %s (%d): %s\n", note->what, note->count, note->why);
    }
}

static void print_json(const ConvertModel* c, utText text, const utNotes* read,
                       const utNotes* unwritten)
{
    utJsonWriter w = cli_json();
    ut_json_object_begin(&w);
    ut_json_key(&w, "model");
    ut_json_string(&w, c->in);
    ut_json_key(&w, "file");
    ut_json_string(&w, c->out);
    ut_json_key(&w, "bytes");
    ut_json_integer(&w, (long long)text.size);
    ut_json_key(&w, "not_read");
    ut_json_array_begin(&w);
    for (int i = 0; i < read->count; i++) {
        if (read->note[i].physics) {
            cli_json_note(&w, &read->note[i]);
        }
    }
    ut_json_array_end(&w);
    ut_json_key(&w, "not_written");
    ut_json_array_begin(&w);
    for (int i = 0; i < unwritten->count; i++) {
        cli_json_note(&w, &unwritten->note[i]);
    }
    ut_json_array_end(&w);
    ut_json_object_end(&w);
    putchar('\n');
}

static utStatus convert(const ConvertModel* c, utModelDef* description, utArena* memory,
                        utError* err)
{
    utLoadDef load = ut_load_def();
    load.set = c->sets.text;
    load.set_count = c->sets.count;
    char folder[1024];
    folder_of(c->out, sizeof folder, folder);
    utMjcfWriteDef how = ut_mjcf_write_def();
    how.plain = c->plain;
    how.folder = folder;
    CliModel read = {0};
    utNotes unwritten = {0};
    utText text = {NULL, 0};
    UT_TRY(ut_describe(c->in, &load, description, &read.notes, err));
    utStatus status = ut_mjcf_write(description, &how, memory, &text, &unwritten, err);
    if (status == UT_OK) {
        status = write_file(c->out, text, err);
    }
    if (status == UT_OK) {
        cli_print_warnings(stderr, &read);
        print_unwritten(c->out, &unwritten);
        if (c->json) {
            print_json(c, text, &read.notes, &unwritten);
        }
    }
    ut_notes_destroy(&unwritten);
    cli_free_model(&read);
    return status;
}

int cli_convert_model(const ConvertModel* c)
{
    utModelDef* description = NULL;
    utArena memory = {0};
    utError err = {0};
    utStatus status = ut_model_def_create(NULL, &description);
    if (status == UT_OK) {
        status = ut_arena_create(0, NULL, &memory);
    }
    if (status != UT_OK) {
        (void)cli_no_memory(c->in, &err);
    } else {
        status = convert(c, description, &memory, &err);
    }
    ut_arena_destroy(&memory);
    ut_model_def_destroy(description);
    return status == UT_OK ? CLI_OK : cli_fail(&err);
}
