// SPDX-License-Identifier: Apache-2.0
// Loading a model: describe it, apply changes, compile it, convert its coordinates.
#include <uptack/load.h>

#include "self_overlap.h"

#include <stdio.h>
#include <string.h>
#include <uptack/dyn.h>
#include <uptack/scenes.h>

utLoadDef ut_load_def(void)
{
    const utMjcfDef mjcf = ut_mjcf_def();
    return (utLoadDef){
        .coordinates = -1,
        .limits = mjcf.limits,
        .read = mjcf.read,
        .self_collision = ut_urdf_def().self_collision,
        .cookie = UT_LOAD_DEF_COOKIE,
    };
}

// ---- description --------------------------------------------------------------------------------

static utMjcfDef mjcf_def_of(const utLoadDef* def)
{
    utMjcfDef mjcf = ut_mjcf_def();
    mjcf.strict = def->strict;
    mjcf.limits = def->limits;
    mjcf.read = def->read;
    mjcf.read_context = def->read_context;
    mjcf.allocator = def->allocator;
    return mjcf;
}

static utUrdfDef urdf_def_of(const utLoadDef* def)
{
    utUrdfDef urdf = ut_urdf_def();
    urdf.floating = def->floating;
    urdf.friction = def->friction;
    urdf.self_collision = def->self_collision;
    urdf.package = def->package;
    urdf.packages = def->packages;
    return urdf;
}

// Is this the name of a scene? A file or folder of that name counts where there is no such scene.
static bool is_scene(const char* path, const utLoadDef* def, utModelDef* into, utStatus* status,
                     utError* err)
{
    if (!ut_scene_is(path)) {
        return false;
    }
    *status = ut_scene_build(path, into, err);
    if (*status != UT_ERR_ARGUMENT || def->read != ut_mjcf_def().read) {
        return true;
    }
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        return true;
    }
    fclose(file);
    return false;
}

static utStatus describe(const char* path, const utLoadDef* def, utModelDef* into, utNotes* notes,
                         utError* err)
{
    const utMjcfDef mjcf = mjcf_def_of(def);
    const utUrdfDef urdf = urdf_def_of(def);
    utFileFormat format = UT_FILE_MJCF;
    utStatus status = UT_OK;
    if (def->text != NULL) {
        const utText text = {def->text, def->size};
        UT_TRY(ut_file_read(text, path, &mjcf, &urdf, into, &format, notes, err));
    } else if (is_scene(path, def, into, &status, err)) {
        return status;
    } else {
        UT_TRY(ut_file_load(path, &mjcf, &urdf, into, &format, notes, err));
    }
    const bool exclude = format == UT_FILE_URDF && def->self_collision && !def->strict;
    return exclude ? ut_load_exclude_overlaps(into, def->limits.pairs, path, notes, err) : UT_OK;
}

// ---- changes ------------------------------------------------------------------------------------

static utStatus apply_changes(const utLoadDef* def, utModelDef* into, utError* err)
{
    for (int i = 0; i < def->set_count; i++) {
        UT_TRY(ut_model_def_assign(into, def->set[i], err));
    }
    if (def->coordinates < 0) {
        return UT_OK;
    }
    return ut_model_def_set(into, "option.coordinates",
                            ut_coordinates_name((utCoordinates)def->coordinates), err);
}

// ---- model --------------------------------------------------------------------------------------

// Compile a description and convert the model to the coordinates of its options.
static utStatus compile(const utModelDef* description, const utAllocator* allocator,
                        utModel** model, utError* err)
{
    utModel* compiled = NULL;
    UT_TRY(ut_model_compile(description, allocator, &compiled, err));
    if (compiled->options.coordinates == UT_COORDINATES_MAXIMAL) {
        utModel* maximal = NULL;
        const utStatus status = ut_model_maximal(compiled, allocator, &maximal, err);
        ut_model_destroy(compiled);
        UT_TRY(status);
        compiled = maximal;
    }
    *model = compiled;
    return UT_OK;
}

// Give an error without a file the name of the model.
static utStatus place_error(utStatus status, const char* path, utError* err)
{
    if (status != UT_OK && err->file[0] == 0) {
        const utError bare = *err;
        const bool standard_input = strcmp(path, "-") == 0;
        ut_error_at(err, status, standard_input ? UT_STANDARD_INPUT : path, bare.line, bare.column,
                    "%s", bare.message[0] != 0 ? bare.message : ut_status_text(status));
    }
    return status;
}

static utStatus check_arguments(const char* path, const utLoadDef* def, bool place, utError* err)
{
    if (path == NULL || !place) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "ut_load: the path or the model is NULL");
    }
    if (def->cookie != UT_LOAD_DEF_COOKIE) {
        return ut_error_set(err, UT_ERR_DEF, "the def must come from ut_load_def()");
    }
    if (def->set_count < 0 || (def->set_count > 0 && def->set == NULL)) {
        return ut_error_set(err, UT_ERR_DEF, "set_count is %d; `set` must have that many entries",
                            def->set_count);
    }
    if (def->coordinates < -1 || def->coordinates >= UT_COORDINATES_COUNT) {
        return ut_error_set(err, UT_ERR_DEF, "coordinates is %d; there are -1 to %d",
                            def->coordinates, UT_COORDINATES_COUNT - 1);
    }
    return UT_OK;
}

// Notes of a failed load are dropped, and so are notes that nobody asked for.
static void hand_over(utStatus status, utNotes* read, utNotes* notes)
{
    if (status == UT_OK && notes != NULL) {
        *notes = *read;
    } else {
        ut_notes_destroy(read);
    }
}

// Read or build a description and apply the changes. @param err empty
static utStatus describe_with_changes(const char* path, const utLoadDef* def, utModelDef* into,
                                      utNotes* notes, utError* err)
{
    utNotes read = {0};
    utStatus status = describe(path, def, into, &read, err);
    if (status == UT_OK) {
        status = apply_changes(def, into, err);
    }
    hand_over(status, &read, notes);
    return status;
}

utStatus ut_describe(const char* path, const utLoadDef* def, utModelDef* into, utNotes* notes,
                     utError* err)
{
    const utLoadDef defaults = ut_load_def();
    utError unused;
    err = err != NULL ? err : &unused;
    *err = (utError){0};
    def = def != NULL ? def : &defaults;
    UT_TRY(check_arguments(path, def, into != NULL, err));
    return place_error(describe_with_changes(path, def, into, notes, err), path, err);
}

utStatus ut_load_with(const char* path, const utLoadDef* def, utModel** model, utNotes* notes,
                      utError* err)
{
    const utLoadDef defaults = ut_load_def();
    utError unused;
    err = err != NULL ? err : &unused;
    *err = (utError){0};
    def = def != NULL ? def : &defaults;
    UT_TRY(check_arguments(path, def, model != NULL, err));

    utModelDef* description = NULL;
    utNotes read = {0};
    utStatus status = ut_model_def_create(NULL, &description);
    if (status == UT_OK) {
        status = describe_with_changes(path, def, description, &read, err);
    }
    if (status == UT_OK) {
        status = compile(description, def->allocator, model, err);
    }
    ut_model_def_destroy(description);
    hand_over(status, &read, notes);
    return place_error(status, path, err);
}

utStatus ut_load(const char* path, utModel** model, utError* err)
{
    return ut_load_with(path, NULL, model, NULL, err);
}
