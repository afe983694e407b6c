// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields: by their file, or with their numbers in the text.
#include "writer.h"

static void write_inline_mesh(Writer* w, const utMeshDef* m)
{
    ut_write_numbers(w, "vertex", 3 * m->vertices, m->vertex);
    if (m->triangles > 0) {
        ut_write_ints(w, "face", 3 * m->triangles, m->triangle);
    }
}

static void write_mesh(Writer* w, int i)
{
    const utMeshDef* m = &w->parts->mesh[i];
    const utMeshDef standard = ut_mesh_def();
    const utVec3 bigger = ut_vec3_sub(m->scale, standard.scale);
    const WriterName name = ut_write_reference("mesh", m->name, i);
    ut_write_open(w, "mesh");
    ut_write_text(w, "name", ut_writer_name(&name));
    if (m->file != NULL && m->file[0] != 0) {
        ut_write_path(w, "file", m->file);
    } else {
        write_inline_mesh(w, m);
    }
    if (bigger.x != 0.0 || bigger.y != 0.0 || bigger.z != 0.0) {
        ut_write_vec3(w, "scale", m->scale);
    }
    ut_write_vec3_unless_zero(w, "refpos", m->refpos);
    if (m->refquat.w != 1.0 || ut_quat_turns(m->refquat)) {
        ut_write_quat(w, "refquat", m->refquat);
    }
    if (m->inertia != standard.inertia) {
        ut_write_text(w, "inertia", ut_mesh_inertia_name(m->inertia));
    }
    ut_write_int_unless(w, "maxhullvert", m->max_hull_vertices, standard.max_hull_vertices);
    ut_write_close(w);
}

static void write_heights(Writer* w, int i)
{
    const utHeightsDef* h = &w->parts->heights[i];
    const WriterName name = ut_write_reference("hfield", h->name, i);
    ut_write_open(w, "hfield");
    ut_write_text(w, "name", ut_writer_name(&name));
    ut_write_numbers(w, "size", 4, h->size);
    if (h->file != NULL && h->file[0] != 0) {
        ut_write_path(w, "file", h->file);
    } else {
        ut_write_int(w, "nrow", h->rows);
        ut_write_int(w, "ncol", h->columns);
        ut_write_rows_reversed(w, "elevation", h->rows, h->columns, h->height);
    }
    ut_write_close(w);
}

void ut_write_assets(Writer* w)
{
    if (w->parts->meshes == 0 && w->parts->height_fields == 0) {
        return;
    }
    ut_write_open(w, "asset");
    ut_write_begin(w);
    for (int i = 0; i < w->parts->meshes; i++) {
        write_mesh(w, i);
    }
    for (int i = 0; i < w->parts->height_fields; i++) {
        write_heights(w, i);
    }
    ut_write_end(w, "asset");
}
