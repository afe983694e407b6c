// SPDX-License-Identifier: Apache-2.0
// The model of a sweep: read once per process, with a hash of everything that was read.
#include "model.h"
#include "sources.h"
#include "sweeps/sweep_spec.h"

#include <string.h>
#include <uptack/scenes.h>

// Results of another version of uptack do not belong to this sweep.
static uint64_t hash_version(void)
{
    const char* version = ut_version_text();
    return ut_hash_bytes(UT_HASH_START, version, strlen(version));
}

// A scene has no file; its model has a hash.
static uint64_t hash_scene(const char* name, const utModelDef* description)
{
    uint64_t hash = ut_hash_bytes(hash_version(), name, strlen(name));
    utModel* model = NULL;
    if (ut_model_compile(description, NULL, &model, NULL) == UT_OK) {
        hash = ut_hash_bytes(hash, &model->hash, sizeof model->hash);
    }
    ut_model_destroy(model);
    return hash;
}

static uint64_t hash_files(const CliSources* sources)
{
    uint64_t hash = hash_version();
    for (int k = 0; k < sources->count; k++) {
        hash = ut_hash_bytes(hash, &sources->file[k].hash, sizeof sources->file[k].hash);
        hash = ut_hash_bytes(hash, &sources->file[k].size, sizeof sources->file[k].size);
    }
    return hash;
}

// An error without a place in the model's file stands at "model" of the specification.
static utStatus place_error(const Sweep* sweep, utStatus status, utError* err)
{
    if (status == UT_OK || err->line > 0) {
        return status;
    }
    char message[256];
    const bool has_name =
        strncmp(err->message, err->file, strlen(err->file)) == 0; // also when it is ""
    snprintf(message, sizeof message, "%.100s%s%.140s", has_name ? "" : err->file,
             has_name ? "" : ": ", err->message);
    return sweep_error(sweep, sweep->model_at, err, "%s", message);
}

static void print_notes(const utNotes* notes)
{
    for (int i = 0; i < notes->count; i++) {
        if (notes->note[i].physics) {
            cli_print_note(stderr, &notes->note[i]);
        }
    }
}

utStatus sweep_load_model(const Sweep* sweep, SweepModel* model, utError* err)
{
    *model = (SweepModel){0};
    utNotes notes = {0};
    CliSources sources = {0};
    utLoadDef def = ut_load_def();
    def.floating = sweep->floating;
    def.friction = sweep->friction;
    def.self_collision = sweep->self_collision;
    const bool is_scene = ut_scene_is(sweep->model);
    if (!is_scene) {
        def.read = cli_read_source;
        def.read_context = &sources;
    }
    utStatus status = ut_model_def_create(NULL, &model->description);
    if (status == UT_OK) {
        status = ut_describe(sweep->model, &def, model->description, &notes, err);
    }
    if (status == UT_OK) {
        model->hash =
            is_scene ? hash_scene(sweep->model, model->description) : hash_files(&sources);
        print_notes(&notes);
    }
    ut_notes_destroy(&notes);
    cli_free_sources(&sources);
    return place_error(sweep, status, err);
}

void sweep_free_model(SweepModel* model)
{
    ut_model_def_destroy(model->description);
    *model = (SweepModel){0};
}
