// SPDX-License-Identifier: Apache-2.0
// The elements mesh and hfield of `asset`. A file is read when the first geom that collides or has mass
// refers to it, so that meshes for viewers need not be there.
#include "io/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/mesh/builtin.h"
#include "model/mesh_asset.h"

// ---- meshes -------------------------------------------------------------------------------------

// Coordinates are rounded to single precision, as those of files are.
static utStatus read_vertices(Mjcf* m, MjcfFound found, MeshData* data)
{
    int count = 0;
    UT_TRY(ut_mjcf_number_list(m, found, &data->vertex, &count));
    if (count % 3 != 0 || count < 12) {
        return ut_mjcf_fail_at(m, found, 0, "%d numbers; four or more vertices have three each",
                               count);
    }
    for (int k = 0; k < count; k++) {
        data->vertex[k] = ut_to_single(data->vertex[k]);
        if (!isfinite(data->vertex[k])) {
            return ut_mjcf_fail_at(m, found, 0, "a coordinate is too large");
        }
    }
    data->vertices = count / 3;
    return UT_OK;
}

static utStatus read_faces(Mjcf* m, MjcfFound found, MeshData* data)
{
    double* x = NULL;
    int count = 0;
    UT_TRY(ut_mjcf_number_list(m, found, &x, &count));
    data->triangle = UT_PUSH(&m->memory, int, count + 1);
    if (data->triangle == NULL) {
        return ut_mjcf_no_memory(m);
    }
    if (count % 3 != 0) {
        return ut_mjcf_fail_at(m, found, 0, "%d numbers; faces have three each", count);
    }
    for (int k = 0; k < count; k++) {
        if (!(x[k] >= 0.0 && x[k] < data->vertices && floor(x[k]) == x[k])) {
            return ut_mjcf_fail_at(m, found, 0, "face %d has vertex %g; there are 0 to %d", k / 3,
                                   x[k], data->vertices - 1);
        }
        data->triangle[k] = (int)x[k];
    }
    data->triangles = count / 3;
    return UT_OK;
}

static utStatus read_builtin(const MjcfPlace* p, MjcfFound builtin, MeshData* data)
{
    Mjcf* m = p->m;
    const MjcfFound params = ut_mjcf_find(p, "params");
    const utLimits left = ut_mjcf_limits_left(m);
    double* x = NULL;
    int count = 0;
    utError why = {0};
    if (strcmp(builtin.attribute->value, "plate") == 0) {
        return ut_mjcf_fail_at(m, builtin, 0,
                               "a plate is flat, so it cannot collide; use a box instead");
    }
    if (params.attribute == NULL) {
        return ut_mjcf_fail(m, p->node, "a builtin mesh needs the attribute params");
    }
    UT_TRY(ut_mjcf_number_list(m, params, &x, &count));
    const utStatus status =
        ut_mesh_builtin(builtin.attribute->value, x, count, &left, &m->memory, data, &why);
    return status == UT_OK           ? UT_OK
           : status == UT_ERR_MEMORY ? ut_mjcf_no_memory(m)
                                     : ut_mjcf_fail_at(m, params, 0, "%s", why.message);
}

static utStatus read_contents(const MjcfPlace* p, MjcfMesh* mesh, MeshData* data)
{
    Mjcf* m = p->m;
    const MjcfFound file = ut_mjcf_find(p, "file"), vertex = ut_mjcf_find(p, "vertex");
    const MjcfFound face = ut_mjcf_find(p, "face"), builtin = ut_mjcf_find(p, "builtin");
    const utLimits left = ut_mjcf_limits_left(m);
    int kind = 0;
    UT_TRY(ut_mjcf_get_word(
        p, "builtin", "none sphere hemisphere cone supersphere supertorus wedge plate", &kind));
    if (kind > 0 &&
        (file.attribute != NULL || vertex.attribute != NULL || face.attribute != NULL)) {
        return ut_mjcf_fail_at(m, builtin, 0,
                               "builtin beside file, vertex or face; give one of them");
    }
    if (kind > 0) {
        return read_builtin(p, builtin, data);
    }
    if (file.attribute != NULL && (vertex.attribute != NULL || face.attribute != NULL)) {
        return ut_mjcf_fail_at(m, file, 0, "file beside vertex or face; give one of them");
    }
    if (file.attribute != NULL) {
        utText text;
        UT_TRY(ut_mjcf_asset_file(m, file, &mesh->def.file, &text));
        return ut_mesh_decode(text, mesh->def.file, &left, &m->memory, data, m->err);
    }
    if (vertex.attribute == NULL) {
        return ut_mjcf_fail(m, p->node, "a mesh needs the attribute file or vertex");
    }
    UT_TRY(read_vertices(m, vertex, data));
    return face.attribute != NULL ? read_faces(m, face, data) : UT_OK;
}

utStatus ut_mjcf_fill_mesh(Mjcf* m, MjcfMesh* mesh, const MeshData* data)
{
    if (data->vertices < 4) {
        return ut_mjcf_fail(m, mesh->node, "the mesh has %d vertices; it needs at least 4",
                            data->vertices);
    }
    mesh->def.vertices = data->vertices;
    mesh->def.vertex = data->vertex;
    mesh->def.triangles = data->triangles;
    mesh->def.triangle = data->triangle;
    mesh->def.mass_triangles = data->first_object; // as MuJoCo weighs them
    if (data->foreign) {
        mesh->def.file = NULL; // so that writers give the numbers, which all programs read
    }
    m->vertices += data->vertices;
    m->triangles += data->triangles;
    mesh->number = m->parts.used_meshes;
    m->parts.used_mesh[m->parts.used_meshes++] = mesh;
    return UT_OK;
}

// The inertia of kind legacy does not depend on the orientation of the faces, and neither do hulls.
static utStatus note_orientation(Mjcf* m, const MjcfMesh* mesh)
{
    const utMeshDef* d = &mesh->def;
    int edge[2] = {-1, -1};
    if (d->inertia == UT_MESH_INERTIA_LEGACY &&
        ut_mesh_turned_edge(d->vertices, d->triangles, d->triangle, m->asset_memory, edge) !=
            UT_OK) {
        return ut_mjcf_no_memory(m);
    }
    if (edge[0] < 0) {
        return UT_OK;
    }
    char what[80];
    snprintf(what, sizeof what, "mesh '%.60s'", d->name);
    return ut_mjcf_note(m, mesh->node, NULL, false, what, "faces have inconsistent orientation");
}

utStatus ut_mjcf_use_mesh(Mjcf* m, int index, int* number)
{
    MjcfMesh* mesh = &m->parts.mesh[index];
    if (mesh->number < 0) {
        const MjcfPlace p = {.m = m, .node = mesh->node}; // m->compiler stays that of the geom
        MeshData data = {0};
        UT_TRY(read_contents(&p, mesh, &data));
        UT_TRY(ut_mjcf_fill_mesh(m, mesh, &data));
        UT_TRY(note_orientation(m, mesh));
    }
    *number = mesh->number;
    return UT_OK;
}

static utStatus read_mesh(Mjcf* m, const XmlNode* node)
{
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, "mesh", &p));
    if (node->part != NULL && ut_xml_attribute(node, "class") == NULL) {
        p.of = node->part->main; // assets have no body whose class they take
    }
    MjcfMesh* mesh = &m->parts.mesh[m->parts.meshes];
    *mesh = (MjcfMesh){.def = ut_mesh_def(), .node = node, .number = -1};
    utMeshDef* d = &mesh->def;
    d->origin = ut_mjcf_origin(node);
    UT_TRY(ut_mjcf_get_name(&p, &m->names.mesh, m->parts.meshes, &d->name));
    UT_TRY(ut_mjcf_asset_name(&p, &m->names.mesh, m->parts.meshes, &d->name));
    UT_TRY(ut_mjcf_get_vec3(&p, "scale", &d->scale));
    UT_TRY(ut_mjcf_get_vec3(&p, "refpos", &d->refpos));
    double quat[4] = {1.0, 0.0, 0.0, 0.0};
    UT_TRY(ut_mjcf_get(&p, "refquat", 4, quat));
    d->refquat = ut_quat(quat[0], quat[1], quat[2], quat[3]);
    int inertia = d->inertia;
    UT_TRY(ut_mjcf_get_word(&p, "inertia", "legacy exact convex shell", &inertia));
    d->inertia = (utMeshInertia)inertia;
    UT_TRY(ut_mjcf_get_int(&p, "maxhullvert", &d->max_hull_vertices));
    if (d->max_hull_vertices != -1 && d->max_hull_vertices < 4) {
        return ut_mjcf_fail_at(m, ut_mjcf_find(&p, "maxhullvert"), 0,
                               "maxhullvert is %d; it must be above 3, or -1 for all",
                               d->max_hull_vertices);
    }
    if (d->scale.x * d->scale.y * d->scale.z == 0.0 ||
        (quat[0] == 0.0 && quat[1] == 0.0 && quat[2] == 0.0 && quat[3] == 0.0)) {
        return ut_mjcf_fail(m, node, "scale and refquat of a mesh must not be 0");
    }
    m->parts.meshes++;
    return UT_OK;
}

// ---- all ----------------------------------------------------------------------------------------

static bool is(const XmlNode* node, const char* name)
{
    return strcmp(node->name, name) == 0;
}

utStatus ut_mjcf_assets(Mjcf* m)
{
    int count = 1;
    for (const XmlNode* n = ut_mjcf_first_of(m, "asset"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        count += is(n, "mesh") || is(n, "hfield");
    }
    m->parts.mesh = UT_PUSH(&m->memory, MjcfMesh, count);
    m->parts.heights = UT_PUSH(&m->memory, MjcfHeights, count);
    m->parts.used_mesh = UT_PUSH(&m->memory, MjcfMesh*, count);
    m->parts.used_height = UT_PUSH(&m->memory, MjcfHeights*, count);
    if (ut_arena_failed(&m->memory)) {
        return ut_mjcf_no_memory(m);
    }
    UT_TRY(ut_mjcf_materials(m));
    for (const XmlNode* n = ut_mjcf_first_of(m, "asset"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        if (is(n, "mesh")) {
            UT_TRY(read_mesh(m, n));
        } else if (is(n, "hfield")) {
            UT_TRY(ut_mjcf_hfield(m, n));
        }
    }
    return UT_OK;
}

utStatus ut_mjcf_note_unused(Mjcf* m)
{
    for (int i = 0; i < m->parts.meshes; i++) {
        if (m->parts.mesh[i].number < 0) {
            UT_TRY(ut_mjcf_note(m, m->parts.mesh[i].node, NULL, false, "asset/mesh",
                                "for viewers: no geom that collides or has mass uses it"));
        }
    }
    for (int i = 0; i < m->parts.height_fields; i++) {
        if (m->parts.heights[i].number < 0) {
            UT_TRY(ut_mjcf_note(m, m->parts.heights[i].node, NULL, false, "asset/hfield",
                                "for viewers: no geom that collides uses it"));
        }
    }
    return UT_OK;
}

// ---- masses -------------------------------------------------------------------------------------

utStatus ut_mjcf_geom_mass(Mjcf* m, const utGeomDef* geom, utInertia* inertia, utQuat* axes)
{
    utGeomDef fitted = *geom;
    const MeshAsset* asset = NULL;
    if (geom->mesh >= 0) {
        MjcfMesh* mesh = m->parts.used_mesh[geom->mesh];
        if (mesh->asset == NULL) {
            MeshAsset* made = UT_PUSH(&m->memory, MeshAsset, 1);
            utError why = {0};
            const utStatus status =
                made != NULL ? ut_mesh_asset(&mesh->def, &m->memory, m->asset_memory, made, &why)
                             : UT_ERR_MEMORY;
            if (status != UT_OK) {
                return status == UT_ERR_MEMORY ? ut_mjcf_no_memory(m)
                                               : ut_mjcf_fail(m, mesh->node, "%s", why.message);
            }
            mesh->asset = made;
        }
        ut_geom_fit(&fitted, mesh->asset);
        asset = ut_geom_is_mesh(geom) ? mesh->asset : NULL;
    }
    (void)ut_quat_normalize(fitted.quat, axes);
    *inertia = ut_inertia_transform(ut_frame(ut_quat_to_mat3(*axes), fitted.pos),
                                    ut_geom_mass(&fitted, asset));
    return UT_OK;
}
