// SPDX-License-Identifier: Apache-2.0
// Loading a model for all verbs, and printing its notes.
#include "model.h"

#include <string.h>
#include <uptack/load.h>

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

// ---- loading ------------------------------------------------------------------------------------

static int count_warnings(const utNotes* notes)
{
    int count = 0;
    for (int i = 0; i < notes->count; i++) {
        count += notes->note[i].physics;
    }
    return count;
}

utStatus cli_load_model(const char* path, const CliSets* sets, CliModel* loaded, utError* err)
{
    utLoadDef def = ut_load_def();
    def.set = sets->text;
    def.set_count = sets->count;
    *loaded = (CliModel){0};
    UT_TRY(ut_load_with(path, &def, &loaded->owned, &loaded->notes, err));
    loaded->model = loaded->owned;
    loaded->warnings = count_warnings(&loaded->notes);
    return UT_OK;
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

void cli_json_warnings(utJsonWriter* w, const CliModel* loaded, const char* warning)
{
    ut_json_key(w, "warnings");
    ut_json_array_begin(w);
    for (int i = 0; i < loaded->notes.count; i++) {
        if (loaded->notes.note[i].physics) {
            cli_json_note(w, &loaded->notes.note[i]);
        }
    }
    if (warning != NULL && warning[0] != '\0') {
        ut_json_object_begin(w);
        ut_json_key(w, "what");
        ut_json_string(w, warning);
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
                "%d part%s of the file that change%s the simulation %s not supported; without "
                "--strict %s ignored",
                loaded->warnings, one ? "" : "s", one ? "s" : "", one ? "is" : "are",
                one ? "it is" : "they are");
    return cli_fail(&err);
}

const char* cli_name(const char* name, const char* kind, int index, CliName* room)
{
    if (name != NULL && name[0] != '\0') {
        return name;
    }
    snprintf(room->text, sizeof room->text, "%s%d", kind, index);
    return room->text;
}

const char* cli_side_name(const utModel* model, int side, CliName* room)
{
    const utSideLabel label = ut_model_side_label(model, side);
    snprintf(room->text, sizeof room->text, "%s%s", label.name, label.ending);
    return room->text;
}
