// SPDX-License-Identifier: Apache-2.0
// Merging triangles of one plane into faces.
//
// Starting with the largest triangle, a region grows over neighbouring triangles whose corners are
// on its plane. Points inside a region, or between only two regions, are not corners of the hull.
// Faces must be convex polygons with at least three corners, and two faces must share at most one
// edge. Points scattered about a plane by nearly the flatness tolerance can violate this. Then the
// triangles of the bad faces are merged again with an eighth of the tolerance, and so on. Triangles
// that are not merged at all are always valid, so the process ends.
#include "base/sort.h"
#include "hull.h"
#include "tolerances.h"

#include <string.h>

enum {
    MAX_LEVEL = 8,   // of flatness: 1, 1/8, ...; at the last level nothing is merged
    MAX_ROUNDS = 40, // of merging; after that nothing is merged at all
};

typedef struct Regions {
    const HullPoints* points;
    const HullMesh* mesh;
    utVec3* normal; // per triangle: unit
    double* area;
    int* order; // triangles by decreasing area
    unsigned char* level;
    int* region;
    int* stack;
    int* degree;    // per point: number of region borders that start here
    int* visited;   // per point: the last face that visited this point
    int* touched;   // per face: the last face that touched this one
    int* slot_of;   // per half edge: the slot that starts with this half edge
    int* last;      // per slot: the last half edge before the next corner
    int* neighbour; // per slot: the adjacent face
    bool* bad;      // per face: the face is not valid
    HullFaces* faces;
} Regions;

// The half edge 3 t + i goes from corner i of triangle t to the next corner.
static int next_in_triangle(int edge)
{
    return edge % 3 == 2 ? edge - 2 : edge + 1;
}

static int head_of(const HullMesh* mesh, int edge)
{
    return mesh->corner[next_in_triangle(edge)];
}

static int twin_of(const HullMesh* mesh, int edge)
{
    const int first = 3 * mesh->adjacent[edge];
    const int tail = mesh->corner[edge];
    for (int i = 0; i < 2; i++) {
        if (head_of(mesh, first + i) == tail) {
            return first + i;
        }
    }
    return first + 2;
}

static bool is_border(const Regions* r, int edge)
{
    return r->region[edge / 3] != r->region[r->mesh->adjacent[edge]];
}

// ---- regions ------------------------------------------------------------------------------------

static bool larger_before(const void* first, const void* second, const void* context)
{
    const int a = *(const int*)first, b = *(const int*)second;
    const double* area = context;
    return area[a] != area[b] ? area[a] > area[b] : a < b;
}

static double flatness(const Regions* r, int level)
{
    return level < MAX_LEVEL ? ldexp(r->points->flat, -3 * level) : 0.0;
}

static bool is_in_plane(const Regions* r, int seed, int t)
{
    const int level = r->level[seed] > r->level[t] ? r->level[seed] : r->level[t];
    if (level >= MAX_LEVEL || !(ut_vec3_dot(r->normal[seed], r->normal[t]) > 0.0)) {
        return false;
    }
    const utVec3 n = r->normal[seed];
    const utVec3 a = r->points->x[r->mesh->corner[3 * seed]];
    for (int i = 0; i < 3; i++) {
        const utVec3 x = r->points->x[r->mesh->corner[3 * t + i]];
        if (!(fabs(ut_vec3_dot(n, ut_vec3_sub(x, a))) <= flatness(r, level))) {
            return false;
        }
    }
    return true;
}

static void grow_region(Regions* r, int seed, int id)
{
    int count = 1;
    r->stack[0] = seed;
    r->region[seed] = id;
    while (count > 0) {
        const int t = r->stack[--count];
        for (int i = 0; i < 3; i++) {
            const int next = r->mesh->adjacent[3 * t + i];
            if (r->region[next] < 0 && is_in_plane(r, seed, next)) {
                r->region[next] = id;
                r->stack[count++] = next;
            }
        }
    }
}

static void make_regions(Regions* r)
{
    const int triangles = r->mesh->triangles;
    r->faces->faces = 0;
    for (int t = 0; t < triangles; t++) {
        r->region[t] = -1;
    }
    for (int k = 0; k < triangles; k++) {
        if (r->region[r->order[k]] < 0) {
            grow_region(r, r->order[k], r->faces->faces++);
        }
    }
    memset(r->degree, 0, (size_t)r->points->count * sizeof *r->degree);
    for (int e = 0; e < 3 * triangles; e++) {
        r->degree[r->mesh->corner[e]] += is_border(r, e) ? 1 : 0;
    }
}

// ---- outlines -----------------------------------------------------------------------------------

// The next half edge along the border of the same region.
static int next_border(const Regions* r, int edge)
{
    int next = next_in_triangle(edge);
    for (int k = 0; k < r->mesh->triangles && !is_border(r, next); k++) {
        next = next_in_triangle(twin_of(r->mesh, next));
    }
    return next;
}

static void add_slot(Regions* r, int edge)
{
    HullFaces* faces = r->faces;
    const int slot = faces->slots++;
    faces->vertex[slot] = r->mesh->corner[edge];
    r->neighbour[slot] = r->region[r->mesh->adjacent[edge]];
    r->slot_of[edge] = slot;
}

// List the corners of face f, starting from a half edge of its border. @return number of half edges
static int trace_outline(Regions* r, int f, int first)
{
    const int begin = r->faces->slots;
    int edge = first, passed = 0, before_first = -1;
    do {
        const int tail = r->mesh->corner[edge];
        r->bad[f] = r->bad[f] || r->visited[tail] == f; // the outline touches itself
        r->visited[tail] = f;
        if (r->degree[tail] > 2) {
            add_slot(r, edge);
        }
        if (r->faces->slots > begin) {
            r->last[r->faces->slots - 1] = edge;
        } else {
            before_first = edge; // belongs to the edge that ends at the first corner
        }
        edge = next_border(r, edge);
        passed++;
    } while (edge != first && passed <= 3 * r->mesh->triangles);
    if (r->faces->slots > begin && before_first >= 0) {
        r->last[r->faces->slots - 1] = before_first;
    }
    return passed;
}

// Trace all outlines. A face with several outlines or with fewer than three corners is bad.
static void trace_outlines(Regions* r)
{
    HullFaces* faces = r->faces;
    const int half_edges = 3 * r->mesh->triangles;
    int* first = r->stack;    // per face: a half edge of the border
    int* length = r->touched; // per face: number of half edges of the border
    memset(length, 0, (size_t)faces->faces * sizeof *length);
    for (int e = half_edges - 1; e >= 0; e--) {
        r->slot_of[e] = -1;
        if (is_border(r, e)) {
            first[r->region[e / 3]] = e;
            length[r->region[e / 3]]++;
        }
    }
    for (int p = 0; p < r->points->count; p++) {
        r->visited[p] = -1;
    }
    faces->slots = 0;
    for (int f = 0; f < faces->faces; f++) {
        faces->start[f] = faces->slots;
        r->bad[f] = length[f] == 0;
        if (length[f] > 0 && trace_outline(r, f, first[f]) != length[f]) {
            r->bad[f] = true;
        }
        r->bad[f] = r->bad[f] || faces->slots - faces->start[f] < 3;
    }
    faces->start[faces->faces] = faces->slots;
}

// ---- planes -------------------------------------------------------------------------------------

// Twice the vector area of a face's polygon.
static utVec3 polygon_area(const HullFaces* faces, int f, const utVec3* x,
                           utVec3 (*cross)(utVec3, utVec3, utVec3))
{
    utVec3 sum = ut_vec3_zero();
    const int begin = faces->start[f];
    for (int k = begin + 1; k + 1 < faces->start[f + 1]; k++) {
        sum = ut_vec3_add(
            sum, cross(x[faces->vertex[begin]], x[faces->vertex[k]], x[faces->vertex[k + 1]]));
    }
    return sum;
}

// Compute the plane of a face from its corners, as given or on the grid.
static void set_plane(Regions* r, int f, bool on_grid)
{
    HullFaces* faces = r->faces;
    const utVec3 area = on_grid ? polygon_area(faces, f, r->points->grid, ut_grid_cross)
                                : polygon_area(faces, f, r->points->x, ut_triangle_cross);
    ut_vec3_normalize(area, &faces->normal[f]);
    faces->low[f] = HUGE_VAL;
    faces->high[f] = -HUGE_VAL;
    for (int k = faces->start[f]; k < faces->start[f + 1]; k++) {
        const double h = ut_vec3_dot(faces->normal[f], r->points->x[faces->vertex[k]]);
        faces->low[f] = fmin(faces->low[f], h);
        faces->high[f] = fmax(faces->high[f], h);
    }
}

// ---- validity -----------------------------------------------------------------------------------

// Height of a point above the plane of a face.
static double height_above(const Regions* r, int f, int point)
{
    const double middle = 0.5 * (r->faces->low[f] + r->faces->high[f]);
    return ut_vec3_dot(r->faces->normal[f], r->points->x[point]) - middle;
}

static int slot_around(const HullFaces* faces, int f, int slot, int step)
{
    const int begin = faces->start[f], count = faces->start[f + 1] - begin;
    return begin + (slot - begin + step + count) % count;
}

// Distance of a corner inside the line through its neighbours; HUGE_VAL where the outline turns
// back.
static double dent_at(const Regions* r, int f, int slot)
{
    const utVec3* x = r->points->x;
    const utVec3 n = r->faces->normal[f];
    const utVec3 q = x[r->faces->vertex[slot]];
    const utVec3 u = ut_vec3_sub(q, x[r->faces->vertex[slot_around(r->faces, f, slot, -1)]]);
    const utVec3 v = ut_vec3_sub(x[r->faces->vertex[slot_around(r->faces, f, slot, 1)]], q);
    const double turn = ut_vec3_dot(ut_vec3_cross(u, v), n);
    const double ahead = ut_vec3_dot(u, v) - ut_vec3_dot(u, n) * ut_vec3_dot(v, n);
    if (turn >= 0.0) {
        return 0.0;
    }
    return ahead > 0.0 ? -turn / ut_vec3_norm(ut_vec3_add(u, v)) : HUGE_VAL;
}

// Is a face flat, and are the adjacent faces below its plane?
static bool is_valid_plane(const Regions* r, int f)
{
    const HullFaces* faces = r->faces;
    const double flat = UT_HULL_ABOVE_FACE * r->points->flat;
    if (!(faces->high[f] - faces->low[f] <= 2.0 * flat)) {
        return false;
    }
    for (int k = faces->start[f]; k < faces->start[f + 1]; k++) {
        const int g = r->neighbour[k], t = faces->twin[k];
        if (!(height_above(r, f, faces->vertex[slot_around(faces, g, t, -1)]) <= flat) ||
            !(height_above(r, f, faces->vertex[slot_around(faces, g, t, 2)]) <= flat)) {
            return false;
        }
    }
    return true;
}

// Mark faces that are dented or not flat, and pairs of faces with two common edges. If a face is
// too thin to have an accurate normal, use its plane on the grid, where everything is convex.
static void check_face(Regions* r, int f)
{
    const HullFaces* faces = r->faces;
    set_plane(r, f, false);
    if (!is_valid_plane(r, f)) {
        set_plane(r, f, true);
        r->bad[f] = r->bad[f] || !is_valid_plane(r, f);
    }
    for (int k = faces->start[f]; k < faces->start[f + 1]; k++) {
        const int g = r->neighbour[k];
        if (r->touched[g] == f) {
            r->bad[f] = true;
            r->bad[g] = true;
        }
        r->touched[g] = f;
        r->bad[f] = r->bad[f] || !(dent_at(r, f, k) <= UT_HULL_DENT * r->points->flat);
    }
}

// Points that were merged away must not be above the face.
static void check_merged_points(Regions* r)
{
    for (int e = 0; e < 3 * r->mesh->triangles; e++) {
        const int f = r->region[e / 3];
        if (!r->bad[f] &&
            !(height_above(r, f, r->mesh->corner[e]) <= UT_HULL_ABOVE_FACE * r->points->flat)) {
            r->bad[f] = true;
        }
    }
}

// On a thin hull a distant point may be above a face although all adjacent faces are below it.
static void check_thin(Regions* r)
{
    for (int f = 0; f < r->faces->faces; f++) {
        for (int k = 0; k < r->faces->slots && !r->bad[f]; k++) {
            r->bad[f] =
                !(height_above(r, f, r->faces->vertex[k]) <= UT_HULL_ABOVE_FACE * r->points->flat);
        }
    }
}

// Neighbours of a face without an outline are bad too, because they took its corners. @return all
// good?
static bool check_topology(Regions* r)
{
    bool any = false;
    for (int f = 0; f < r->faces->faces; f++) {
        any = any || r->bad[f];
        r->touched[f] = r->bad[f] ? 1 : 0;
    }
    for (int e = 0; any && e < 3 * r->mesh->triangles; e++) {
        if (r->touched[r->region[e / 3]] != 0) {
            r->bad[r->region[r->mesh->adjacent[e]]] = true;
        }
    }
    return !any;
}

static void check_shape(Regions* r)
{
    HullFaces* faces = r->faces;
    for (int k = 0; k < faces->slots; k++) {
        faces->twin[k] = r->slot_of[twin_of(r->mesh, r->last[k])];
    }
    for (int f = 0; f < faces->faces; f++) {
        r->touched[f] = -1;
    }
    for (int f = 0; f < faces->faces; f++) {
        check_face(r, f);
    }
    check_merged_points(r);
    if (r->points->thin) {
        check_thin(r);
    }
}

// Reduce the tolerance for the triangles of bad faces. @return false when there was nothing to reduce
static bool reduce_tolerance(Regions* r, bool all)
{
    bool any = false;
    memset(r->stack, 0, (size_t)r->faces->faces * sizeof *r->stack);
    for (int t = 0; t < r->mesh->triangles; t++) {
        r->stack[r->region[t]]++;
    }
    for (int t = 0; t < r->mesh->triangles; t++) {
        const bool joined = r->stack[r->region[t]] > 1;
        if (joined && r->bad[r->region[t]] && r->level[t] < MAX_LEVEL) {
            any = true;
            r->level[t]++;
        }
    }
    if (any && all) {
        memset(r->level, MAX_LEVEL, (size_t)r->mesh->triangles);
    }
    return any;
}

static void merge_triangles(Regions* r)
{
    bool reduced = true;
    for (int round = 0; reduced; round++) {
        make_regions(r);
        trace_outlines(r);
        if (check_topology(r)) {
            check_shape(r);
        }
        reduced = reduce_tolerance(r, round >= MAX_ROUNDS);
    }
}

// ---- entry point --------------------------------------------------------------------------------

static void measure_triangles(Regions* r)
{
    const utVec3* g = r->points->grid;
    for (int t = 0; t < r->mesh->triangles; t++) {
        const int* c = r->mesh->corner + 3 * t;
        const utVec3 cross = ut_grid_cross(g[c[0]], g[c[1]], g[c[2]]);
        ut_vec3_normalize(cross, &r->normal[t]);
        r->area[t] = ut_vec3_norm(cross);
        r->order[t] = t;
        r->level[t] = 0;
    }
}

static void push_regions(Regions* r, size_t n, utArena* scratch)
{
    r->normal = UT_PUSH(scratch, utVec3, 2 * n);
    r->area = UT_PUSH(scratch, double, 2 * n);
    r->order = UT_PUSH(scratch, int, 2 * n);
    r->level = UT_PUSH(scratch, unsigned char, 2 * n);
    r->region = UT_PUSH(scratch, int, 2 * n);
    r->stack = UT_PUSH(scratch, int, 2 * n);
    r->degree = UT_PUSH(scratch, int, n);
    r->visited = UT_PUSH(scratch, int, n);
    r->touched = UT_PUSH(scratch, int, 2 * n);
    r->slot_of = UT_PUSH(scratch, int, 6 * n);
    r->last = UT_PUSH(scratch, int, 6 * n);
    r->neighbour = UT_PUSH(scratch, int, 6 * n);
    r->bad = UT_PUSH(scratch, bool, 2 * n);
}

utStatus ut_hull_faces(const HullPoints* points, const HullMesh* mesh, utArena* scratch,
                       HullFaces* faces)
{
    const size_t n = (size_t)points->count;
    faces->start = UT_PUSH(scratch, int, 2 * n + 1);
    faces->vertex = UT_PUSH(scratch, int, 6 * n);
    faces->twin = UT_PUSH(scratch, int, 6 * n);
    faces->normal = UT_PUSH(scratch, utVec3, 2 * n);
    faces->low = UT_PUSH(scratch, double, 2 * n);
    faces->high = UT_PUSH(scratch, double, 2 * n);
    utArena rest = *scratch;
    Regions r = {.points = points, .mesh = mesh, .faces = faces};
    push_regions(&r, n, &rest);
    if (ut_arena_failed(&rest)) {
        return UT_ERR_CAPACITY;
    }
    measure_triangles(&r);
    ut_sort(mesh->triangles, sizeof(int), r.order, r.stack, larger_before, r.area);
    merge_triangles(&r);
    return UT_OK;
}
