// SPDX-License-Identifier: Apache-2.0
// Reading MJCF into a description: XML, included files, the check of all elements, then part by part.
// The description is filled last, so that an error leaves it unchanged.
#include "io/internal.h"

#include <string.h>

static utStatus read_from_disk(void* context, const char* path, utArena* keep, utText* text,
                               utError* err)
{
    (void)context;
    return ut_text_read(path, 0, keep, text, err);
}

utMjcfDef ut_mjcf_def(void)
{
    return (utMjcfDef){
        .max_depth = 4096,
        .max_bytes = (size_t)64 << 20,
        .read = read_from_disk,
        .cookie = UT_MJCF_DEF_COOKIE,
    };
}

// ---- sections -----------------------------------------------------------------------------------

static XmlNode* first_from(XmlNode* section, const char* name)
{
    for (; section != NULL; section = section->next) {
        if (strcmp(section->name, name) == 0 && section->first != NULL) {
            return section->first;
        }
    }
    return NULL;
}

XmlNode* ut_mjcf_first_of(const Mjcf* m, const char* section)
{
    return first_from(m->root->first, section);
}

XmlNode* ut_mjcf_next_of(const Mjcf* m, const XmlNode* node)
{
    (void)m;
    return node->next != NULL ? node->next : first_from(node->parent->next, node->parent->name);
}

// ---- filling ------------------------------------------------------------------------------------

static bool fill_bodies(Mjcf* m, utModelDef* into)
{
    // the description has the world already
    for (int i = 1; i < m->parts.bodies; i++) {
        if (ut_model_def_body(into, &m->parts.body[i].def) < 0) {
            return false;
        }
    }
    for (int i = 0; i < m->parts.joints; i++) {
        if (ut_model_def_joint(into, &m->parts.joint[i].def) < 0) {
            return false;
        }
    }
    for (int i = 0; i < m->parts.geoms; i++) {
        if (ut_model_def_geom(into, &m->parts.geom[i].def) < 0) {
            return false;
        }
    }
    for (int i = 0; i < m->parts.sites; i++) {
        if (ut_model_def_site(into, &m->parts.site[i]) < 0) {
            return false;
        }
    }
    return true;
}

static bool fill_points_motions_springs(Mjcf* m, utModelDef* into)
{
    bool good = true;
    for (int i = 0; i < m->parts.points; i++) {
        good = good && ut_model_def_point(into, &m->parts.point[i]) >= 0;
    }
    for (int i = 0; i < m->parts.motions; i++) {
        good = good && ut_model_def_motion(into, &m->parts.motion[i]) >= 0;
    }
    for (int i = 0; i < m->parts.springs; i++) {
        good = good && ut_model_def_spring(into, &m->parts.spring[i]) >= 0;
    }
    return good;
}

static bool fill_rest(Mjcf* m, utModelDef* into)
{
    for (int i = 0; i < m->parts.actuators; i++) {
        if (!m->parts.actuator[i].unsupported &&
            ut_model_def_actuator(into, &m->parts.actuator[i].def) < 0) {
            return false;
        }
    }
    for (int i = 0; i < m->parts.excludes; i++) {
        const MjcfExclude* e = &m->parts.exclude[i];
        if (!ut_model_def_exclude(into, e->body[0], e->body[1], e->origin)) {
            return false;
        }
    }
    for (int i = 0; i < m->parts.equalities; i++) {
        if (ut_model_def_equality(into, &m->parts.equality[i]) < 0) {
            return false;
        }
    }
    for (int i = 0; i < m->parts.keys; i++) {
        if (ut_model_def_keyframe(into, &m->parts.key[i]) < 0) {
            return false;
        }
    }
    ut_model_def_options(into, &m->options);
    ut_model_def_missing(into, ut_mjcf_notes_missing(m));
    if (m->model_name != NULL) {
        ut_model_def_name(into, m->model_name);
    }
    return true;
}

// ---- reading ------------------------------------------------------------------------------------

static utStatus read_parts(Mjcf* m)
{
    UT_TRY(ut_mjcf_include(m));
    UT_TRY(ut_mjcf_check(m));
    UT_TRY(ut_mjcf_options(m));
    UT_TRY(ut_mjcf_classes(m));
    UT_TRY(ut_mjcf_bodies(m));
    UT_TRY(ut_mjcf_inertias(m));
    UT_TRY(ut_mjcf_points_motions_springs(m));
    UT_TRY(ut_mjcf_actuators(m));
    UT_TRY(ut_mjcf_excludes(m));
    UT_TRY(ut_mjcf_equalities(m));
    return ut_mjcf_keyframes(m);
}

static utStatus read_all(Mjcf* m, const utText* text, const char* file, utModelDef* into,
                         utNotes* notes)
{
    utText read;
    if (text != NULL) {
        read = *text;
    } else {
        UT_TRY(ut_mjcf_read_text(m, file, &read));
        file = strcmp(file, "-") == 0 ? UT_STANDARD_INPUT : file;
    }
    UT_TRY(ut_mjcf_add_file(m, file, read, &m->root));
    UT_TRY(read_parts(m));
    utNotes made = {0};
    UT_TRY(ut_mjcf_notes_finish(m, &made));
    if (!fill_bodies(m, into) || !fill_points_motions_springs(m, into) || !fill_rest(m, into)) {
        ut_notes_destroy(&made);
        return ut_mjcf_no_memory(m);
    }
    if (notes != NULL) {
        *notes = made;
    } else {
        ut_notes_destroy(&made);
    }
    return UT_OK;
}

static utStatus start(const utText* text, const char* file, const utMjcfDef* def, utModelDef* into,
                      utNotes* notes, utError* err)
{
    const utMjcfDef defaults = ut_mjcf_def();
    def = def != NULL ? def : &defaults;
    if (into == NULL || file == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "a name and a description are needed");
    }
    if (def->cookie != UT_MJCF_DEF_COOKIE || def->max_depth < 1) {
        return ut_error_set(err, UT_ERR_DEF, "the def must come from ut_mjcf_def()");
    }
    if (text == NULL && def->read == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "files cannot be read without def->read");
    }
    utError unused;
    Mjcf m = {.def = def, .err = err != NULL ? err : &unused};
    if (ut_arena_create(0, def->allocator, &m.memory) != UT_OK) {
        return ut_mjcf_no_memory(&m);
    }
    Names* const names[] = {&m.classes.names,  &m.names.body,     &m.names.joint,
                            &m.names.geom,     &m.names.site,     &m.names.spring,
                            &m.names.actuator, &m.names.equality, &m.names.key};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        names[i]->memory = &m.memory;
    }
    const utStatus status = read_all(&m, text, file, into, notes);
    ut_arena_destroy(&m.memory);
    return status;
}

utStatus ut_mjcf_read(utText text, const char* file, const utMjcfDef* def, utModelDef* into,
                      utNotes* notes, utError* err)
{
    return start(&text, file, def, into, notes, err);
}

utStatus ut_mjcf_load(const char* path, const utMjcfDef* def, utModelDef* into, utNotes* notes,
                      utError* err)
{
    return start(NULL, path, def, into, notes, err);
}
