// SPDX-License-Identifier: Apache-2.0
// Writing a description as MJCF. The text is written twice: the first pass counts its bytes.
#include "io/internal.h"
#include "writer.h"

utMjcfWriteDef ut_mjcf_write_def(void)
{
    return (utMjcfWriteDef){.cookie = UT_MJCF_WRITE_DEF_COOKIE};
}

// ---- text ---------------------------------------------------------------------------------------

// Are shapes that are fitted to meshes fitted to bounding boxes?
static bool fits_bounds(const utModelParts* parts)
{
    bool bounds = false;
    for (int i = 0; i < parts->geoms; i++) {
        bounds = bounds || parts->geom[i].fit_bounds;
    }
    return bounds;
}

// Motions share one eulerseq, and fitted shapes one way of fitting.
static void write_compiler(Writer* w)
{
    ut_write_open(w, "compiler");
    ut_write_text(w, "angle", "radian");
    if (w->parts->motions > 0) {
        ut_write_text(w, "eulerseq", w->parts->motion[0].sequence);
    }
    if (fits_bounds(w->parts)) {
        ut_write_bool(w, "fitaabb", true);
    }
    ut_write_close(w);
}

// The assignments collected from all elements.
static void write_custom(Writer* w, const char* collected)
{
    if (w->custom.used == 0) {
        return;
    }
    ut_write_open(w, "custom");
    ut_write_begin(w);
    ut_write_open(w, "text");
    ut_write_text(w, "name", UT_MJCF_CUSTOM);
    ut_write_verbatim(w, "data", collected, w->custom.used);
    ut_write_close(w);
    ut_write_end(w, "custom");
}

// @param collected the assignments, which the second pass has
static void write_all(Writer* w, const char* collected)
{
    w->out.used = 0;
    w->custom.used = 0;
    w->unwritten_count = 0;
    ut_write_open(w, "mujoco");
    if (w->parts->name[0] != 0) {
        ut_write_text(w, "model", w->parts->name);
    }
    if (!w->how->plain) {
        ut_write_text(w, "xmlns:ut", "urn:uptack");
    }
    ut_write_begin(w);
    write_compiler(w);
    ut_write_options(w);
    ut_write_assets(w);
    ut_write_world(w);
    ut_write_contacts(w);
    ut_write_equalities(w);
    ut_write_tendons(w);
    ut_write_actuators(w);
    ut_write_sensors(w);
    ut_write_keyframes(w);
    ut_write_points_motions_springs(w);
    write_custom(w, collected);
    ut_write_end(w, "mujoco");
}

// ---- notes --------------------------------------------------------------------------------------

static utStatus make_notes(const Writer* w, utNotes* notes)
{
    utNotes made = {.count = w->unwritten_count};
    UT_TRY(ut_arena_create(0, NULL, &made.memory));
    utNote* note = UT_PUSH(&made.memory, utNote, made.count);
    if (note == NULL) {
        ut_arena_destroy(&made.memory);
        return UT_ERR_MEMORY;
    }
    for (int i = 0; i < made.count; i++) {
        note[i] = (utNote){.what = w->unwritten[i].what,
                           .why = w->unwritten[i].why,
                           .physics = true,
                           .missing = true,
                           .count = w->unwritten[i].count,
                           .file = ""};
    }
    made.note = note;
    *notes = made;
    return UT_OK;
}

// ---- all ----------------------------------------------------------------------------------------

static utStatus write_both_passes(Writer* w, utArena* scratch, utArena* keep, utText* text)
{
    write_all(w, NULL);
    w->custom.text = UT_PUSH(scratch, char, w->custom.used + 1);
    w->out.text = UT_PUSH(keep, char, w->out.used + 1);
    if (w->custom.text == NULL || w->out.text == NULL) {
        return UT_ERR_MEMORY;
    }
    write_all(w, w->custom.text);
    w->out.text[w->out.used] = 0;
    *text = (utText){w->out.text, w->out.used};
    return UT_OK;
}

utStatus ut_mjcf_write(const utModelDef* def, const utMjcfWriteDef* how, utArena* keep,
                       utText* text, utNotes* notes, utError* err)
{
    const utMjcfWriteDef standard = ut_mjcf_write_def();
    how = how != NULL ? how : &standard;
    if (def == NULL || keep == NULL || text == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "a description and a place for the text are needed");
    }
    if (how->cookie != UT_MJCF_WRITE_DEF_COOKIE) {
        return ut_error_set(err, UT_ERR_DEF, "the def must come from ut_mjcf_write_def()");
    }
    utModel* model = NULL; // compiling checks all indices
    UT_TRY(ut_model_compile(def, NULL, &model, err));
    ut_model_destroy(model);
    const utModelParts parts = ut_model_def_parts(def);
    Writer w = {.parts = &parts, .how = how};
    utArena scratch = {0};
    utStatus status = ut_arena_create(0, NULL, &scratch);
    if (status == UT_OK) {
        status = ut_writer_prepare(&w, &scratch);
    }
    if (status == UT_OK) {
        status = write_both_passes(&w, &scratch, keep, text);
    }
    if (status == UT_OK && notes != NULL) {
        status = make_notes(&w, notes);
    }
    ut_arena_destroy(&scratch);
    return status == UT_OK ? UT_OK : ut_error_set(err, status, "memory is short for the text");
}
