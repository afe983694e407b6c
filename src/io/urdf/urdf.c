// SPDX-License-Identifier: Apache-2.0
// Reading URDF: check the elements, order the tree of links, then read it part by part.
#include "urdf.h"

#include <string.h>

utUrdfDef ut_urdf_def(void)
{
    const utMjcfDef mjcf = ut_mjcf_def();
    return (utUrdfDef){
        .self_collision = true,
        .limits = mjcf.limits,
        .read = mjcf.read,
        .cookie = UT_URDF_DEF_COOKIE,
    };
}

// ---- <mujoco> -----------------------------------------------------------------------------------

// Sections of the extension other than these have no meaning there.
static utStatus note_sections(Urdf* u, const XmlNode* extension)
{
    for (const XmlNode* n = extension->first; n != NULL; n = n->next) {
        if (!ut_word_in("compiler option size ut:contact ut:run", n->name)) {
            UT_TRY(ut_mjcf_note_missing(u->m, n, NULL, n->name,
                                        "not read inside a URDF; it may have compiler and option"));
        }
    }
    return UT_OK;
}

// Read the element `mujoco` as an MJCF file with settings alone. Angles stay radians.
static utStatus read_extension(Urdf* u)
{
    Mjcf* m = u->m;
    const XmlNode* robot = u->robot;
    const XmlNode none = {.name = "mujoco",
                          .file = robot->file,
                          .at = robot->at,
                          .line = robot->line,
                          .column = robot->column};
    const XmlNode* extension = ut_urdf_child(u->robot, "mujoco");
    m->root = m->main.root = (XmlNode*)(extension != NULL ? extension : &none);
    utStatus status = extension != NULL ? note_sections(u, extension) : UT_OK;
    if (status == UT_OK && extension != NULL) {
        status = ut_mjcf_check(m, m->root);
    }
    if (status == UT_OK) {
        status = ut_mjcf_compiler(m, &m->main);
    }
    if (status == UT_OK) {
        status = ut_mjcf_options(m);
    }
    m->root = m->main.root = (XmlNode*)u->robot;
    m->main.compiler.radian = true;
    m->compiler = m->main.compiler;
    return status;
}

// ---- all ----------------------------------------------------------------------------------------

utStatus ut_urdf_parts(Mjcf* m, const utUrdfDef* def)
{
    Urdf u = {.m = m, .def = def, .robot = m->root};
    u.link_names.memory = u.joint_names.memory = &m->memory;
    u.mesh_keys.memory = u.mesh_counts.memory = &m->memory;
    int order = 0;
    for (XmlNode* n = m->root; n != NULL; n = ut_xml_next(n, m->root)) {
        n->order = order++;
    }
    UT_TRY(ut_urdf_check(&u));
    UT_TRY(read_extension(&u));
    XmlAttribute* name = ut_xml_attribute(u.robot, "name");
    m->model_name = name != NULL ? name->value : NULL;
    UT_TRY(ut_urdf_tree(&u));
    UT_TRY(ut_urdf_links(&u));
    UT_TRY(ut_urdf_collisions(&u));
    UT_TRY(ut_urdf_joints(&u));
    UT_TRY(ut_urdf_mimics(&u));
    UT_TRY(ut_urdf_start(&u));
    UT_TRY(ut_urdf_friction(&u));
    UT_TRY(ut_urdf_filter(&u));
    UT_TRY(ut_mjcf_inertias(m));
    UT_TRY(ut_urdf_inertias(&u));
    ut_mjcf_apply_flags(m);
    return UT_OK;
}

// ---- public functions ---------------------------------------------------------------------------

utStatus ut_urdf_read(utText text, const char* file, const utUrdfDef* def, utModelDef* into,
                      utNotes* notes, utError* err)
{
    const utUrdfDef defaults = ut_urdf_def();
    return ut_io_read(&text, file, NULL, def != NULL ? def : &defaults, into, NULL, notes, err);
}

utStatus ut_urdf_load(const char* path, const utUrdfDef* def, utModelDef* into, utNotes* notes,
                      utError* err)
{
    const utUrdfDef defaults = ut_urdf_def();
    return ut_io_read(NULL, path, NULL, def != NULL ? def : &defaults, into, NULL, notes, err);
}
