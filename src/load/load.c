// SPDX-License-Identifier: Apache-2.0
// Loading a model: describe it, apply changes, compile it, convert its coordinates.
#include <uptack/load.h>

#include <string.h>
#include <uptack/dyn.h>
#include <uptack/scenes.h>

utLoadDef ut_load_def(void)
{
    const utMjcfDef mjcf = ut_mjcf_def();
    return (utLoadDef){
        .coordinates = -1,
        .max_depth = mjcf.max_depth,
        .max_bytes = mjcf.max_bytes,
        .read = mjcf.read,
        .cookie = UT_LOAD_DEF_COOKIE,
    };
}

// ---- description --------------------------------------------------------------------------------

static utMjcfDef mjcf_def_of(const utLoadDef* def)
{
    utMjcfDef mjcf = ut_mjcf_def();
    mjcf.strict = def->strict;
    mjcf.max_depth = def->max_depth;
    mjcf.max_bytes = def->max_bytes;
    mjcf.read = def->read;
    mjcf.read_context = def->read_context;
    mjcf.allocator = def->allocator;
    return mjcf;
}

static utStatus describe(const char* path, const utLoadDef* def, utModelDef* into, utNotes* notes,
                         utError* err)
{
    const utMjcfDef mjcf = mjcf_def_of(def);
    if (def->text != NULL) {
        return ut_mjcf_read((utText){def->text, def->size}, path, &mjcf, into, notes, err);
    }
    return ut_scene_is(path) ? ut_scene_build(path, into, err)
                             : ut_mjcf_load(path, &mjcf, into, notes, err);
}

// ---- changes ------------------------------------------------------------------------------------

static utStatus apply_change(const char* change, utModelDef* into, utError* err)
{
    char path[256];
    const char* equals = change != NULL ? strchr(change, '=') : NULL;
    const size_t size = equals != NULL ? (size_t)(equals - change) : 0;
    if (size == 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "'%.60s' is not NAME.ATTRIBUTE=VALUE; for example box.pos=0 0 1",
                            change != NULL ? change : "");
    }
    if (size >= sizeof path) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "'%.60s...': the name is longer than %zu bytes",
                            change, sizeof path - 1);
    }
    memcpy(path, change, size);
    path[size] = 0;
    return ut_model_def_set(into, path, equals + 1, err);
}

static utStatus apply_changes(const utLoadDef* def, utModelDef* into, utError* err)
{
    for (int i = 0; i < def->set_count; i++) {
        UT_TRY(apply_change(def->set[i], into, err));
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

static utStatus check_arguments(const char* path, const utLoadDef* def, utModel** model,
                                utError* err)
{
    if (path == NULL || model == NULL) {
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

utStatus ut_load_with(const char* path, const utLoadDef* def, utModel** model, utNotes* notes,
                      utError* err)
{
    const utLoadDef defaults = ut_load_def();
    utError unused;
    err = err != NULL ? err : &unused;
    *err = (utError){0};
    def = def != NULL ? def : &defaults;
    UT_TRY(check_arguments(path, def, model, err));

    utModelDef* description = NULL;
    utNotes read = {0};
    utStatus status = ut_model_def_create(NULL, &description);
    if (status == UT_OK) {
        status = describe(path, def, description, &read, err);
    }
    if (status == UT_OK) {
        status = apply_changes(def, description, err);
    }
    if (status == UT_OK) {
        status = compile(description, def->allocator, model, err);
    }
    ut_model_def_destroy(description);
    if (status == UT_OK && notes != NULL) {
        *notes = read;
    } else {
        ut_notes_destroy(&read);
    }
    return place_error(status, path, err);
}

utStatus ut_load(const char* path, utModel** model, utError* err)
{
    return ut_load_with(path, NULL, model, NULL, err);
}
