// SPDX-License-Identifier: Apache-2.0
#include "check_hull.h"

#include <stdlib.h>
#include <string.h>

static const double flat = 1e-9; // of the size

// what n . x may be wrong by, however far away
static double slack(const utHull* hull, utVec3 x)
{
    return flat * hull->size + 1e-14 * (fabs(x.x) + fabs(x.y) + fabs(x.z));
}

static double above(const utHull* hull, int f, utVec3 x)
{
    return ut_vec3_dot(hull->normal[f], x) - hull->offset[f];
}

static bool same(utVec3 a, utVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static const char* check_counts(const utHull* hull)
{
    if (hull->vertices < 4 || hull->faces < 4 || hull->edges < 6) {
        return "fewer features than a tetrahedron";
    }
    if (hull->vertices - hull->edges + hull->faces != 2) {
        return "V - E + F is not 2";
    }
    if (hull->face_start[0] != 0 || hull->face_start[hull->faces] != 2 * hull->edges) {
        return "faces do not have two corners for each edge";
    }
    if (hull->vertex_start[0] != 0 || hull->vertex_start[hull->vertices] != 2 * hull->edges) {
        return "neighbours are not two for each edge";
    }
    return hull->volume > 0.0 && hull->size > 0.0 ? NULL : "without volume or size";
}

static const char* check_points(const utHull* hull, int count, const utVec3* point)
{
    int next = 0;
    for (int i = 0; i < count && next < hull->vertices; i++) {
        next += same(point[i], hull->vertex[next]) ? 1 : 0;
    }
    if (next < hull->vertices) {
        return "a vertex is not among the points, or out of their order";
    }
    // of very many points some, so that it ends soon
    const int step = 1 + (int)((double)count * hull->faces / 4e6);
    for (int i = 0; i < count; i += step) {
        for (int f = 0; f < hull->faces; f++) {
            if (!(above(hull, f, point[i]) <= slack(hull, point[i]))) {
                return "a point is outside";
            }
        }
    }
    for (int f = 0; f < hull->faces; f++) {
        if (!(above(hull, f, hull->center) < slack(hull, hull->center) - flat * hull->size)) {
            return "the centre is not inside";
        }
    }
    return NULL;
}

static utVec3 in_plane(utVec3 u, utVec3 n)
{
    return ut_vec3_add_scaled(u, -ut_vec3_dot(u, n), n);
}

// the angle by which an outline turns at b, seen along -n
static double turn(utVec3 a, utVec3 b, utVec3 c, utVec3 n)
{
    const utVec3 u = in_plane(ut_vec3_sub(b, a), n), v = in_plane(ut_vec3_sub(c, b), n);
    return atan2(ut_vec3_dot(ut_vec3_cross(u, v), n), ut_vec3_dot(u, v));
}

static const char* check_face(const utHull* hull, int f)
{
    const int begin = hull->face_start[f], n = hull->face_start[f + 1] - begin;
    if (n < 3) {
        return "a face has fewer than three corners";
    }
    if (!(fabs(ut_vec3_norm(hull->normal[f]) - 1.0) <= 1e-14)) {
        return "a normal is no unit vector";
    }
    double turned = 0.0;
    for (int i = 0; i < n; i++) {
        const utVec3 a = hull->vertex[hull->face_vertex[begin + (i + n - 1) % n]];
        const utVec3 b = hull->vertex[hull->face_vertex[begin + i]];
        const utVec3 c = hull->vertex[hull->face_vertex[begin + (i + 1) % n]];
        if (!(fabs(above(hull, f, b)) <= slack(hull, b))) {
            return "a face is not flat";
        }
        const utVec3 ab = ut_vec3_sub(b, a), ac = ut_vec3_sub(c, a);
        const double out = ut_vec3_dot(ut_vec3_cross(ab, ac), hull->normal[f]);
        if (!(out >= -flat * hull->size * ut_vec3_norm(ac))) {
            return "a face is dented";
        }
        turned += turn(a, b, c, hull->normal[f]);
    }
    return fabs(turned - 2.0 * 3.14159265358979323846) < 1e-3 ? NULL : "a face winds wrongly";
}

static bool has_corner_edge(const utHull* hull, int f, int edge, int tail, int head)
{
    const int begin = hull->face_start[f], n = hull->face_start[f + 1] - begin;
    for (int i = 0; i < n; i++) {
        if (hull->face_edge[begin + i] == edge) {
            return hull->face_vertex[begin + i] == tail &&
                   hull->face_vertex[begin + (i + 1) % n] == head;
        }
    }
    return false;
}

static int times_neighbour(const utHull* hull, int v, int other)
{
    int times = 0;
    for (int k = hull->vertex_start[v]; k < hull->vertex_start[v + 1]; k++) {
        times += hull->neighbour[k] == other ? 1 : 0;
    }
    return times;
}

// is some corner of face g clearly below face f?
static bool bends(const utHull* hull, int f, int g)
{
    for (int k = hull->face_start[g]; k < hull->face_start[g + 1]; k++) {
        if (above(hull, f, hull->vertex[hull->face_vertex[k]]) < -flat * hull->size) {
            return true;
        }
    }
    return false;
}

static const char* check_edge(const utHull* hull, int e, bool maximal)
{
    const int tail = hull->edge_vertex[2 * e], head = hull->edge_vertex[2 * e + 1];
    const int left = hull->edge_face[2 * e], right = hull->edge_face[2 * e + 1];
    if (tail == head || left == right) {
        return "an edge is a loop";
    }
    if (!has_corner_edge(hull, left, e, tail, head) ||
        !has_corner_edge(hull, right, e, head, tail)) {
        return "an edge and its faces disagree";
    }
    if (times_neighbour(hull, tail, head) != 1 || times_neighbour(hull, head, tail) != 1) {
        return "an edge and the neighbours disagree";
    }
    if (maximal && !bends(hull, left, right) && !bends(hull, right, left)) {
        return "two faces in one plane";
    }
    return NULL;
}

// no two edges with the same two faces: in a list of them for each face
static const char* check_pairs(const utHull* hull)
{
    int* last = malloc((size_t)hull->faces * sizeof *last);
    const char* fault = NULL;
    for (int f = 0; f < hull->faces; f++) {
        last[f] = -1;
    }
    for (int f = 0; f < hull->faces; f++) {
        for (int k = hull->face_start[f]; k < hull->face_start[f + 1]; k++) {
            const int e = hull->face_edge[k];
            const int other =
                hull->edge_face[2 * e] == f ? hull->edge_face[2 * e + 1] : hull->edge_face[2 * e];
            fault = last[other] == f ? "two faces share two edges" : fault;
            last[other] = f;
        }
    }
    free(last);
    return fault;
}

const char* hull_fault(const utHull* hull, int count, const utVec3* point, bool maximal)
{
    const char* fault = check_counts(hull);
    for (int f = 0; fault == NULL && f < hull->faces; f++) {
        fault = check_face(hull, f);
    }
    for (int e = 0; fault == NULL && e < hull->edges; e++) {
        fault = check_edge(hull, e, maximal);
    }
    for (int v = 0; fault == NULL && v < hull->vertices; v++) {
        const int degree = hull->vertex_start[v + 1] - hull->vertex_start[v];
        fault = degree >= 3 ? NULL : "a vertex with fewer than three edges";
    }
    fault = fault == NULL ? check_pairs(hull) : fault;
    return fault == NULL ? check_points(hull, count, point) : fault;
}

bool build_hull(int count, const utVec3* point, utArena* arena, utHull* hull, utError* err)
{
    utArena scratch;
    if (ut_arena_create(0, NULL, &scratch) != UT_OK) {
        return false;
    }
    const utStatus status = ut_hull_build(count, point, arena, scratch, hull, err);
    ut_arena_destroy(&scratch);
    return status == UT_OK;
}
