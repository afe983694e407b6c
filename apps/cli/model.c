// SPDX-License-Identifier: Apache-2.0
// Loading a model for all verbs, and printing its notes.
#include "model.h"

#include "sources.h"

#include <stdlib.h>
#include <string.h>
#include <uptack/load.h>
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

// ---- options for URDF ---------------------------------------------------------------------------

// Add the folders of a list that colons separate. @return false when there are too many
static bool add_packages(CliSets* sets, const char* list)
{
    size_t used = 0;
    if (sets->packages > 0) {
        const char* last = sets->package[sets->packages - 1];
        used = (size_t)(last - sets->folders) + strlen(last) + 1;
    }
    while (*list != '\0') {
        const size_t size = strcspn(list, ":");
        if (size > 0) {
            if (sets->packages == CLI_MAX_PACKAGES || size >= sizeof sets->folders - used) {
                return false;
            }
            char* folder = sets->folders + used;
            memcpy(folder, list, size);
            folder[size] = '\0';
            sets->package[sets->packages++] = folder;
            used += size + 1;
        }
        list += size + (list[size] == ':');
    }
    return true;
}

void cli_print_urdf_help(void)
{
    printf(
        "\nURDF files\n"
        "  --floating            the root link moves freely instead of being fixed to the world\n"
        "  --no-self-collision   links of the robot do not collide with each other\n"
        "  --friction            read friction from the elements of Gazebo and Bullet\n"
        "  --package-path DIR[:DIR] where package://NAME/ is looked for first; then come the\n"
        "                        folders of ROS_PACKAGE_PATH and the folders above the file\n");
}

int cli_set_urdf(const CliVerb* verb, int option, const char* value, CliSets* sets)
{
    switch (option) {
    case CLI_OPTION_FLOATING:
        sets->floating = true;
        return CLI_OK;
    case CLI_OPTION_FRICTION:
        sets->friction = true;
        return CLI_OK;
    case CLI_OPTION_NO_SELF:
        sets->no_self_collision = true;
        return CLI_OK;
    default: // CLI_OPTION_PACKAGE_PATH
        return add_packages(sets, value)
                   ? CLI_OK
                   : cli_usage(verb, "--package-path has more than %d folders, or too long ones",
                               CLI_MAX_PACKAGES);
    }
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

utStatus cli_load_model(const char* path, CliSets* sets, CliModel* loaded, utError* err)
{
    utLoadDef def = ut_load_def();
    def.set = sets->text;
    def.set_count = sets->count;
    *loaded = (CliModel){0};
    const char* ros = getenv("ROS_PACKAGE_PATH");
    if (ros != NULL && !add_packages(sets, ros)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "ROS_PACKAGE_PATH has more than %d folders, or too long ones",
                            CLI_MAX_PACKAGES);
    }
    def.floating = sets->floating;
    def.friction = sets->friction;
    def.self_collision = !sets->no_self_collision;
    def.package = sets->package;
    def.packages = sets->packages;
    if (sets->sources != NULL && !ut_scene_is(path)) {
        def.read = cli_read_source;
        def.read_context = sets->sources;
    }
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

CliGroup cli_group(const utNote* note)
{
    return note->missing ? CLI_GROUP_MISSING : note->physics ? CLI_GROUP_LAW : CLI_GROUP_NONE;
}

void cli_print_note(FILE* stream, const utNote* note)
{
    fprintf(stream, "%s:%d:%d: ", note->file, note->line, note->column);
    cli_print_word(stream, note->physics ? CLI_YELLOW : CLI_PLAIN,
                   note->physics ? "warning:" : "note:");
    fprintf(stream, " %s", note->what);
    if (note->count > 1) {
        fprintf(stream, " (%d times)", note->count);
    }
    fprintf(stream, ": %s\n", note->why);
}

void cli_print_warnings(FILE* stream, const CliModel* loaded)
{
    for (int i = 0; i < loaded->notes.count; i++) {
        if (loaded->notes.note[i].physics) {
            cli_print_note(stream, &loaded->notes.note[i]);
        }
    }
}

void cli_print_missing(FILE* stream, const utModel* model)
{
    for (int i = 0; i < model->missing_parts; i++) {
        const utMissing* part = &model->missing_part[i];
        fprintf(stream, "%s%s (%d)", i > 0 ? ", " : "", part->what, part->count);
    }
}

void cli_json_missing(utJsonWriter* w, const utModel* model)
{
    ut_json_key(w, "missing");
    ut_json_array_begin(w);
    for (int i = 0; i < model->missing_parts; i++) {
        const utMissing* part = &model->missing_part[i];
        ut_json_object_begin(w);
        ut_json_key(w, "what");
        ut_json_string(w, part->what);
        ut_json_key(w, "count");
        ut_json_integer(w, part->count);
        ut_json_key(w, "file");
        ut_json_string(w, part->file);
        ut_json_key(w, "line");
        ut_json_integer(w, part->line);
        ut_json_key(w, "column");
        ut_json_integer(w, part->column);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}

void cli_json_note(utJsonWriter* w, const utNote* note)
{
    static const char* const groups[CLI_GROUPS] = {"missing", "law", "none"};
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
    ut_json_key(w, "group");
    ut_json_string(w, groups[cli_group(note)]);
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

int cli_fail_strict(const CliModel* loaded)
{
    const bool one = loaded->warnings == 1;
    const utNote* first = loaded->notes.note;
    while (!first->physics) {
        first++;
    }
    utError err;
    cli_print_warnings(stderr, loaded);
    ut_error_at(&err, UT_ERR_FORMAT, first->file, first->line, first->column,
                "%s: %d part%s of the file that change%s the simulation %s not supported; without "
                "--strict %s ignored",
                first->what, loaded->warnings, one ? "" : "s", one ? "s" : "", one ? "is" : "are",
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
