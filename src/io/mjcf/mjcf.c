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
        .limits = ut_limits(),
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
    for (int i = 0; i < m->parts.used_meshes; i++) {
        if (ut_model_def_mesh(into, &m->parts.used_mesh[i]->def) < 0) {
            return false;
        }
    }
    for (int i = 0; i < m->parts.used_heights; i++) {
        if (ut_model_def_heights(into, &m->parts.used_height[i]->def) < 0) {
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
    for (int i = 0; i < m->parts.tendons; i++) {
        good = good && ut_model_def_tendon(into, &m->parts.tendon[i]) >= 0;
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
    for (int i = 0; i < m->parts.pairs; i++) {
        if (ut_model_def_pair(into, &m->parts.pair[i]) < 0) {
            return false;
        }
    }
    for (int i = 0; i < m->parts.keys; i++) {
        if (ut_model_def_keyframe(into, &m->parts.key[i]) < 0) {
            return false;
        }
    }
    for (int i = 0; i < m->parts.sensors; i++) {
        if (ut_model_def_sensor(into, &m->parts.sensor[i]) < 0) {
            return false;
        }
    }
    ut_model_def_options(into, &m->options);
    if (m->model_name != NULL) {
        ut_model_def_name(into, m->model_name);
    }
    return true;
}

// ---- reading ------------------------------------------------------------------------------------

static utStatus read_parts(Mjcf* m)
{
    UT_TRY(ut_mjcf_compose(m, &m->main));
    UT_TRY(ut_mjcf_options(m));
    UT_TRY(ut_mjcf_classes(m));
    UT_TRY(ut_mjcf_assets(m));
    UT_TRY(ut_mjcf_bodies(m));
    UT_TRY(ut_mjcf_note_unused(m));
    UT_TRY(ut_mjcf_inertias(m));
    UT_TRY(ut_mjcf_align_free(m));
    UT_TRY(ut_mjcf_points_motions_springs(m));
    UT_TRY(ut_mjcf_tendons(m));
    UT_TRY(ut_mjcf_actuators(m));
    UT_TRY(ut_mjcf_excludes(m));
    UT_TRY(ut_mjcf_pairs(m));
    UT_TRY(ut_mjcf_equalities(m));
    UT_TRY(ut_mjcf_keyframes(m));
    UT_TRY(ut_mjcf_sensors(m));
    UT_TRY(ut_mjcf_apply_flags(m));
    return ut_mjcf_note_custom(m);
}

// The settings that both readers have.
static utMjcfDef shared_settings(const utUrdfDef* urdf)
{
    utMjcfDef def = ut_mjcf_def();
    def.strict = urdf->strict;
    def.limits = urdf->limits;
    def.read = urdf->read;
    def.read_context = urdf->read_context;
    def.allocator = urdf->allocator;
    return def;
}

// Read the parts by the format of the outermost element.
static utStatus read_format(Mjcf* m, const utMjcfDef* mjcf, const utUrdfDef* urdf)
{
    const bool robot = strcmp(m->root->name, "robot") == 0;
    if (mjcf != NULL && urdf != NULL && !robot && strcmp(m->root->name, "mujoco") != 0) {
        return ut_mjcf_fail(m, m->root,
                            "the outermost element is '%.60s'; a model is a 'mujoco' (MJCF) or a "
                            "'robot' (URDF)",
                            m->root->name);
    }
    return mjcf == NULL || (robot && urdf != NULL) ? ut_urdf_parts(m, urdf) : read_parts(m);
}

static utStatus read_all(Mjcf* m, const utText* text, const char* file, const utMjcfDef* mjcf,
                         const utUrdfDef* urdf, utModelDef* into, utNotes* notes)
{
    utText read;
    if (text != NULL) {
        read = *text;
    } else {
        UT_TRY(ut_mjcf_read_text(m, file, &read));
        file = strcmp(file, "-") == 0 ? UT_STANDARD_INPUT : file;
    }
    UT_TRY(ut_mjcf_add_file(m, &m->main, file, read, &m->root));
    m->main.root = m->root;
    UT_TRY(read_format(m, mjcf, urdf));
    utNotes made = {0};
    UT_TRY(ut_mjcf_notes_finish(m, &made));
    if (!fill_bodies(m, into) || !fill_points_motions_springs(m, into) || !fill_rest(m, into) ||
        !ut_notes_add_missing(&made, into)) {
        ut_notes_destroy(&made);
        return ut_mjcf_no_memory(m);
    }
    const utStatus status = ut_mjcf_custom(m, into);
    if (status != UT_OK) {
        ut_notes_destroy(&made);
        return status;
    }
    if (notes != NULL) {
        *notes = made;
    } else {
        ut_notes_destroy(&made);
    }
    return UT_OK;
}

static utStatus check_defs(const utText* text, const utMjcfDef* mjcf, const utUrdfDef* urdf,
                           utError* err)
{
    if (mjcf != NULL && mjcf->cookie != UT_MJCF_DEF_COOKIE) {
        return ut_error_set(err, UT_ERR_DEF, "the def must come from ut_mjcf_def()");
    }
    if (urdf != NULL && urdf->cookie != UT_URDF_DEF_COOKIE) {
        return ut_error_set(err, UT_ERR_DEF, "the def must come from ut_urdf_def()");
    }
    if (urdf != NULL && (urdf->packages < 0 || (urdf->packages > 0 && urdf->package == NULL))) {
        return ut_error_set(err, UT_ERR_DEF,
                            "packages is %d; `package` must have that many entries",
                            urdf->packages);
    }
    if (mjcf != NULL) {
        UT_TRY(ut_limits_check(&mjcf->limits, err));
    }
    if (urdf != NULL) {
        UT_TRY(ut_limits_check(&urdf->limits, err));
    }
    if (text == NULL && (mjcf != NULL ? mjcf->read : urdf->read) == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "files cannot be read without def->read");
    }
    return UT_OK;
}

utStatus ut_io_read(const utText* text, const char* file, const utMjcfDef* mjcf,
                    const utUrdfDef* urdf, utModelDef* into, utFileFormat* format, utNotes* notes,
                    utError* err)
{
    if (into == NULL || file == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "a name and a description are needed");
    }
    UT_TRY(check_defs(text, mjcf, urdf, err));
    const utMjcfDef def = mjcf != NULL ? *mjcf : shared_settings(urdf);
    utError unused;
    Mjcf m = {.def = &def, .err = err != NULL ? err : &unused};
    if (ut_arena_create(0, def.allocator, &m.memory) != UT_OK ||
        ut_arena_create(0, def.allocator, &m.asset_memory) != UT_OK) {
        ut_arena_destroy(&m.memory);
        return ut_mjcf_no_memory(&m);
    }
    Names* const names[] = {
        &m.classes.names, &m.names.body,   &m.names.joint,    &m.names.geom,     &m.names.site,
        &m.names.spring,  &m.names.tendon, &m.names.actuator, &m.names.equality, &m.names.pair,
        &m.names.key,     &m.names.sensor, &m.names.mesh,     &m.names.heights,  &m.names.material};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        names[i]->memory = &m.memory;
    }
    const utStatus status = read_all(&m, text, file, mjcf, urdf, into, notes);
    if (status == UT_OK && format != NULL) {
        *format = strcmp(m.root->name, "robot") == 0 ? UT_FILE_URDF : UT_FILE_MJCF;
    }
    ut_arena_destroy(&m.asset_memory);
    ut_arena_destroy(&m.memory);
    return status;
}

// ---- public functions ---------------------------------------------------------------------------

utStatus ut_mjcf_read(utText text, const char* file, const utMjcfDef* def, utModelDef* into,
                      utNotes* notes, utError* err)
{
    const utMjcfDef defaults = ut_mjcf_def();
    return ut_io_read(&text, file, def != NULL ? def : &defaults, NULL, into, NULL, notes, err);
}

utStatus ut_mjcf_load(const char* path, const utMjcfDef* def, utModelDef* into, utNotes* notes,
                      utError* err)
{
    const utMjcfDef defaults = ut_mjcf_def();
    return ut_io_read(NULL, path, def != NULL ? def : &defaults, NULL, into, NULL, notes, err);
}

utStatus ut_file_read(utText text, const char* file, const utMjcfDef* mjcf, const utUrdfDef* urdf,
                      utModelDef* into, utFileFormat* format, utNotes* notes, utError* err)
{
    const utMjcfDef m = ut_mjcf_def();
    const utUrdfDef u = ut_urdf_def();
    return ut_io_read(&text, file, mjcf != NULL ? mjcf : &m, urdf != NULL ? urdf : &u, into, format,
                      notes, err);
}

utStatus ut_file_load(const char* path, const utMjcfDef* mjcf, const utUrdfDef* urdf,
                      utModelDef* into, utFileFormat* format, utNotes* notes, utError* err)
{
    const utMjcfDef m = ut_mjcf_def();
    const utUrdfDef u = ut_urdf_def();
    return ut_io_read(NULL, path, mjcf != NULL ? mjcf : &m, urdf != NULL ? urdf : &u, into, format,
                      notes, err);
}
