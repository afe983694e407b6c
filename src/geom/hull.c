// SPDX-License-Identifier: Apache-2.0
// Convex hulls of points: the finished polyhedron from the faces among the points.
#include "hull.h"

#include <string.h>

// The arrays of a hull under construction.
typedef struct HullArrays {
    utVec3* vertex;
    int* vertex_start;
    int* neighbour;
    utVec3* normal;
    double* offset;
    int* face_start;
    int* face_vertex;
    int* face_edge;
    int* edge_vertex;
    int* edge_face;
} HullArrays;

static void push_arrays(HullArrays* d, int vertices, int edges, int faces, utArena* keep)
{
    d->vertex = UT_PUSH(keep, utVec3, vertices);
    d->vertex_start = UT_PUSH(keep, int, vertices + 1);
    d->neighbour = UT_PUSH(keep, int, 2 * (size_t)edges);
    d->normal = UT_PUSH(keep, utVec3, faces);
    d->offset = UT_PUSH(keep, double, faces);
    d->face_start = UT_PUSH(keep, int, faces + 1);
    d->face_vertex = UT_PUSH(keep, int, 2 * (size_t)edges);
    d->face_edge = UT_PUSH(keep, int, 2 * (size_t)edges);
    d->edge_vertex = UT_PUSH(keep, int, 2 * (size_t)edges);
    d->edge_face = UT_PUSH(keep, int, 2 * (size_t)edges);
}

// Number the corners in the order of the input. @param number per point: the index of its corner
static int number_corners(int given, const HullPoints* points, const HullFaces* faces, int* place,
                          int* number)
{
    for (int i = 0; i < given; i++) {
        place[i] = -1;
    }
    for (int k = 0; k < faces->slots; k++) {
        place[points->index[faces->vertex[k]]] = faces->vertex[k];
    }
    int vertices = 0;
    for (int i = 0; i < given; i++) {
        if (place[i] >= 0) {
            number[place[i]] = vertices++;
        }
    }
    return vertices;
}

// An edge is numbered with the first of its two faces.
static void write_edges(const HullFaces* faces, HullArrays* d)
{
    int edges = 0;
    for (int f = 0; f < faces->faces; f++) {
        for (int k = faces->start[f]; k < faces->start[f + 1]; k++) {
            const int twin = faces->twin[k];
            if (twin < k) {
                d->face_edge[k] = d->face_edge[twin];
                d->edge_face[2 * d->face_edge[k] + 1] = f;
            } else {
                d->face_edge[k] = edges;
                d->edge_vertex[2 * edges] = d->face_vertex[k];
                d->edge_vertex[2 * edges + 1] = d->face_vertex[twin];
                d->edge_face[2 * edges] = f;
                edges++;
            }
        }
    }
}

static void write_neighbours(int vertices, int edges, HullArrays* d)
{
    memset(d->vertex_start, 0, (size_t)(vertices + 1) * sizeof *d->vertex_start);
    for (int k = 0; k < 2 * edges; k++) {
        d->vertex_start[d->edge_vertex[k]]++;
    }
    // sums give the ends of the lists; filling them from the back leaves the starts
    int sum = 0;
    for (int v = 0; v <= vertices; v++) {
        sum += d->vertex_start[v];
        d->vertex_start[v] = sum;
    }
    for (int k = 2 * edges - 1; k >= 0; k--) {
        const int other = d->edge_vertex[k ^ 1];
        d->neighbour[--d->vertex_start[d->edge_vertex[k]]] = other;
    }
}

static void write_faces(const HullPoints* points, const HullFaces* faces, const int* number,
                        HullArrays* d)
{
    for (int f = 0; f < faces->faces; f++) {
        d->normal[f] = faces->normal[f];
        d->offset[f] =
            0.5 * (faces->low[f] + faces->high[f]) + ut_vec3_dot(faces->normal[f], points->low);
        d->face_start[f] = faces->start[f];
    }
    d->face_start[faces->faces] = faces->slots;
    for (int k = 0; k < faces->slots; k++) {
        d->face_vertex[k] = number[faces->vertex[k]];
    }
}

// Are all points and the centre below face f, and not all points on it? Heights are relative to a
// corner, so that no digits are lost far from the origin.
static bool holds_all(const utHull* hull, int f, int count, const utVec3* point, double flat)
{
    const utVec3 n = hull->normal[f];
    const utVec3 on = hull->vertex[hull->face_vertex[hull->face_start[f]]];
    double high = 0.0, low = 0.0, least = 0.0;
    for (int k = hull->face_start[f]; k < hull->face_start[f + 1]; k++) {
        const double h = ut_vec3_dot(n, ut_vec3_sub(hull->vertex[hull->face_vertex[k]], on));
        high = fmax(high, h);
        low = fmin(low, h);
    }
    const double middle = 0.5 * (low + high);
    for (int i = 0; i < count; i++) {
        const double h = ut_vec3_dot(n, ut_vec3_sub(point[i], on)) - middle;
        if (!(h <= flat)) {
            return false;
        }
        least = fmin(least, h);
    }
    return least < -flat && ut_vec3_dot(n, ut_vec3_sub(hull->center, on)) < middle;
}

// Has a thin hull a volume, although heights below `flat` count as 0?
static bool is_solid(const utHull* hull, int count, const utVec3* point, double flat)
{
    bool solid = hull->volume > 0.0;
    for (int f = 0; f < hull->faces && solid; f++) {
        solid = holds_all(hull, f, count, point, flat);
    }
    return solid;
}

static utStatus write_hull(int given, const utVec3* point, const HullPoints* points,
                           const HullFaces* faces, utArena* keep, utArena scratch, utHull* hull,
                           utError* err)
{
    int* place = UT_PUSH(&scratch, int, given);
    int* number = UT_PUSH(&scratch, int, points->count);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    const int vertices = number_corners(given, points, faces, place, number);
    const int edges = faces->slots / 2;
    utArena kept = *keep;
    HullArrays d;
    push_arrays(&d, vertices, edges, faces->faces, &kept);
    if (ut_arena_failed(&kept)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < given; i++) {
        if (place[i] >= 0) {
            d.vertex[number[place[i]]] = point[i];
        }
    }
    write_faces(points, faces, number, &d);
    write_edges(faces, &d);
    write_neighbours(vertices, edges, &d);
    utHull built = {vertices,       edges,           faces->faces, d.vertex,
                    d.vertex_start, d.neighbour,     d.normal,     d.offset,
                    d.face_start,   d.face_vertex,   d.face_edge,  d.edge_vertex,
                    d.edge_face,    {0.0, 0.0, 0.0}, points->size, 0.0};
    ut_hull_measure(&built);
    if (points->thin && !is_solid(&built, given, point, points->flat)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "hull: all points lie on one plane within %g m; a hull needs a volume",
                            points->flat);
    }

    // hand over only a complete hull
    *hull = built;
    *keep = kept;
    return UT_OK;
}

utStatus ut_hull_build(int count, const utVec3* point, utArena* keep, utArena scratch, utHull* hull,
                       utError* err)
{
    HullPoints points;
    HullMesh mesh;
    HullFaces faces;
    utStatus status = ut_hull_points(count, point, &scratch, &points, err);
    if (status == UT_OK) {
        status = ut_hull_wrap(&points, &scratch, &mesh, err);
    }
    if (status == UT_OK) {
        status = ut_hull_faces(&points, &mesh, &scratch, &faces);
    }
    if (status == UT_OK) {
        status = write_hull(count, point, &points, &faces, keep, scratch, hull, err);
    }
    return status != UT_ERR_CAPACITY
               ? status
               : ut_error_set(err, status, "hull: no memory for %d points", count);
}
