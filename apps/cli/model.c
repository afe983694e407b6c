// SPDX-License-Identifier: Apache-2.0
// Loading a model by name, for all verbs.
#include "model.h"

#include <string.h>
#include <uptack/dyn.h>
#include <uptack/scenes.h>

// ---- --set --------------------------------------------------------------------------------------

int cli_add_set(const CliVerb* verb, const char* text, CliSets* sets)
{
    const char* equals = strchr(text, '=');
    const char* dot = strchr(text, '.');
    if (equals == NULL || dot == NULL || dot > equals || dot == text || equals == dot + 1) {
        return cli_usage(verb, "--set needs NAME.ATTR=VALUE, not '%s'", text);
    }
    if (sets->count == CLI_MAX_SETS) {
        return cli_usage(verb, "there are more than %d --set", CLI_MAX_SETS);
    }
    sets->text[sets->count++] = text;
    return CLI_OK;
}

static utStatus apply_set(const char* text, utModelDef* def, utError* err)
{
    const char* equals = strchr(text, '=');
    const size_t size = (size_t)(equals - text);
    char path[256];
    if (size >= sizeof path) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "--set: the name is longer than %zu bytes",
                            sizeof path - 1);
    }
    memcpy(path, text, size);
    path[size] = '\0';
    return ut_model_def_set(def, path, equals + 1, err);
}

static utStatus apply_sets(const CliSets* sets, utModelDef* def, utError* err)
{
    for (int i = 0; sets != NULL && i < sets->count; i++) {
        UT_TRY(apply_set(sets->text[i], def, err));
    }
    return UT_OK;
}

// ---- loading ------------------------------------------------------------------------------------

static utStatus read_file(const char* path, utModelDef* def, utNotes* notes, utError* err)
{
    const utMjcfDef how = ut_mjcf_def();
    utArena memory;
    if (ut_arena_create(0, NULL, &memory) != UT_OK) {
        return cli_no_memory(path, err);
    }
    utArena keep = memory;
    utText text;
    utStatus status = cli_read_file(path, &keep, &text, err);
    if (status == UT_OK) {
        status = ut_mjcf_read(text, cli_file_name(path), &how, def, notes, err);
    }
    ut_arena_destroy(&memory);
    return status;
}

static utStatus describe(const char* path, utModelDef* def, utNotes* notes, utError* err)
{
    return ut_scene_is(path) ? ut_scene_build(path, def, err) : read_file(path, def, notes, err);
}

static int count_warnings(const utNotes* notes)
{
    int count = 0;
    for (int i = 0; i < notes->count; i++) {
        count += notes->note[i].physics;
    }
    return count;
}

// An error that has no place yet gets the model's name.
static utStatus place_error(utStatus status, const char* path, utError* err)
{
    if (status != UT_OK && err->file[0] == '\0') {
        const utError bare = *err;
        return ut_error_at(err, status, cli_file_name(path), bare.line, bare.column, "%s",
                           bare.message[0] != '\0' ? bare.message : ut_status_text(status));
    }
    return status;
}

// The model in the coordinates that it asks for.
static utStatus take_coordinates(CliModel* loaded, utError* err)
{
    utModel* maximal = NULL;
    if (loaded->owned->options.coordinates != UT_COORDINATES_MAXIMAL) {
        return UT_OK;
    }
    UT_TRY(ut_model_maximal(loaded->owned, NULL, &maximal, err));
    ut_model_destroy(loaded->owned);
    loaded->owned = maximal;
    return UT_OK;
}

utStatus cli_load_model(const char* path, const CliSets* sets, CliModel* loaded, utError* err)
{
    utModelDef* def = NULL;
    *loaded = (CliModel){0};
    *err = (utError){0};
    utStatus status = ut_model_def_create(NULL, &def);
    if (status == UT_OK) {
        status = describe(path, def, &loaded->notes, err);
    }
    if (status == UT_OK) {
        status = apply_sets(sets, def, err);
    }
    if (status == UT_OK) {
        status = ut_model_compile(def, NULL, &loaded->owned, err);
    }
    ut_model_def_destroy(def);
    if (status == UT_OK) {
        status = take_coordinates(loaded, err);
    }
    loaded->model = loaded->owned;
    loaded->start = UT_SCENE_START;
    loaded->warnings = count_warnings(&loaded->notes);
    return place_error(status, path, err);
}

void cli_free_model(CliModel* loaded)
{
    if (loaded->owned != NULL) {
        ut_model_destroy(loaded->owned);
    }
    ut_notes_destroy(&loaded->notes);
    *loaded = (CliModel){0};
}

// ---- notes --------------------------------------------------------------------------------------

void cli_print_notes(FILE* stream, const CliModel* loaded, bool all)
{
    for (int i = 0; i < loaded->notes.count; i++) {
        const utNote* note = &loaded->notes.note[i];
        if (!note->physics && !all) {
            continue;
        }
        fprintf(stream, "%s:%d:%d: ", note->file, note->line, note->column);
        cli_print_word(stream, note->physics ? CLI_YELLOW : CLI_PLAIN,
                       note->physics ? "warning:" : "note:");
        fprintf(stream, " %s", note->what);
        if (note->count > 1) {
            fprintf(stream, " (%d times)", note->count);
        }
        fprintf(stream, ": %s\n", note->why);
    }
}

void cli_json_note(utJsonWriter* w, const utNote* note)
{
    ut_json_object_begin(w);
    ut_json_key(w, "what");
    ut_json_string(w, note->what);
    ut_json_key(w, "why");
    ut_json_string(w, note->why);
    ut_json_key(w, "physics");
    ut_json_bool(w, note->physics);
    ut_json_key(w, "count");
    ut_json_integer(w, note->count);
    ut_json_key(w, "file");
    ut_json_string(w, note->file);
    ut_json_key(w, "line");
    ut_json_integer(w, note->line);
    ut_json_key(w, "column");
    ut_json_integer(w, note->column);
    ut_json_key(w, "missing");
    ut_json_bool(w, note->missing);
    ut_json_object_end(w);
}

void cli_json_warnings(utJsonWriter* w, const CliModel* loaded, const char* more)
{
    ut_json_key(w, "warnings");
    ut_json_array_begin(w);
    for (int i = 0; i < loaded->notes.count; i++) {
        if (loaded->notes.note[i].physics) {
            cli_json_note(w, &loaded->notes.note[i]);
        }
    }
    if (more != NULL && more[0] != '\0') {
        ut_json_object_begin(w);
        ut_json_key(w, "what");
        ut_json_string(w, more);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

int cli_fail_strict(const char* path, const CliModel* loaded)
{
    const bool one = loaded->warnings == 1;
    utError err;
    cli_print_notes(stderr, loaded, false);
    ut_error_at(&err, UT_ERR_FORMAT, cli_file_name(path), 0, 0,
                "%d thing%s that change%s what is simulated %s not honoured; leave --strict out to "
                "go on without",
                loaded->warnings, one ? "" : "s", one ? "s" : "", one ? "is" : "are");
    return cli_fail(&err);
}

const char* cli_name(const char* name, const char* kind, int index, CliName* room)
{
    if (name != NULL && name[0] != '\0') {
        return name;
    }
    snprintf(room->made, sizeof room->made, "%s%d", kind, index);
    return room->made;
}

const char* cli_side_name(const utModel* model, int side, CliName* room)
{
    const utSideLabel label = ut_model_side_label(model, side);
    snprintf(room->made, sizeof room->made, "%s%s", label.name, label.ending);
    return room->made;
}
