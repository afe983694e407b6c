// SPDX-License-Identifier: Apache-2.0
// Meshes of collisions: a file with the same scale is read once. They collide as their convex hulls.
#include "urdf.h"

#include "io/mesh/mesh_file.h"

#include <stdio.h>
#include <string.h>

// The name of a mesh: that of its file without folders and ending, and a number when it is taken.
static utStatus name_mesh(Urdf* u, const char* path, utMeshDef* mesh)
{
    Mjcf* m = u->m;
    const char* slash = strrchr(path, '/');
    const char* begin = slash != NULL ? slash + 1 : path;
    const char* dot = strrchr(begin, '.');
    const int size = (int)(dot != NULL ? (size_t)(dot - begin) : strlen(begin));
    const size_t room = (size_t)size + 16;
    char* name = UT_PUSH(&m->memory, char, room);
    if (name == NULL) {
        return ut_mjcf_no_memory(m);
    }
    snprintf(name, room, "%.*s", size, begin);
    const char* base = ut_io_keep_text(&m->memory, name, strlen(name));
    if (base == NULL || !ut_names_add(&u->mesh_counts, base, 0)) {
        return ut_mjcf_no_memory(m);
    }
    int* count = ut_names_value(&u->mesh_counts, base);
    while (ut_names_find(&m->names.mesh, name) >= 0) {
        snprintf(name, room, "%s%d", base, ++*count);
    }
    mesh->name = name;
    return ut_names_add(&m->names.mesh, name, m->parts.meshes) ? UT_OK : ut_mjcf_no_memory(m);
}

static utStatus add_mesh(Urdf* u, const XmlNode* node, XmlAttribute* file, utVec3 scale)
{
    Mjcf* m = u->m;
    char* path = NULL;
    utText text = {NULL, 0};
    MeshData data = {0};
    const utLimits left = ut_mjcf_limits_left(m);
    UT_TRY(ut_urdf_open(u, (MjcfFound){node, file}, &path, &text));
    UT_TRY(ut_mesh_decode(text, path, &left, &m->memory, &data, m->err));
    MjcfMesh* mesh = &m->parts.mesh[m->parts.meshes];
    *mesh = (MjcfMesh){.def = ut_mesh_def(), .node = node, .number = -1};
    mesh->def.file = path;
    mesh->def.scale = scale;
    mesh->def.origin = ut_mjcf_origin(node);
    UT_TRY(name_mesh(u, path, &mesh->def));
    m->parts.meshes++;
    return ut_mjcf_fill_mesh(m, mesh, &data);
}

// The key of a mesh in the table of meshes: its reference and its scale as the file writes them.
static char* mesh_key(Urdf* u, const XmlAttribute* file, const XmlAttribute* scale)
{
    const size_t size = strlen(file->value) + (scale != NULL ? strlen(scale->value) : 0) + 2;
    char* key = UT_PUSH(&u->m->memory, char, size);
    if (key != NULL) {
        snprintf(key, size, "%s\n%s", file->value, scale != NULL ? scale->value : "");
    }
    return key;
}

utStatus ut_urdf_mesh(Urdf* u, const XmlNode* node, utGeomDef* g)
{
    Mjcf* m = u->m;
    XmlAttribute* file = ut_xml_attribute(node, "filename");
    const MjcfPlace p = ut_urdf_place(u, node);
    utVec3 scale = ut_vec3(1.0, 1.0, 1.0);
    if (file == NULL || file->value[0] == 0) {
        return ut_mjcf_fail(m, node, "mesh needs the attribute filename");
    }
    UT_TRY(ut_mjcf_get_vec3(&p, "scale", &scale));
    if (scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) {
        return ut_mjcf_fail_at(m, ut_mjcf_find(&p, "scale"), 0, "the scale of a mesh is zero");
    }
    const char* key = mesh_key(u, file, ut_xml_attribute(node, "scale"));
    if (key == NULL) {
        return ut_mjcf_no_memory(m);
    }
    g->shape = (utShape){.kind = UT_SHAPE_HULL};
    g->mesh = ut_names_find(&u->mesh_keys, key);
    if (g->mesh < 0) {
        g->mesh = m->parts.meshes;
        UT_TRY(add_mesh(u, node, file, scale));
    }
    return ut_names_add(&u->mesh_keys, key, g->mesh) ? UT_OK : ut_mjcf_no_memory(m);
}
