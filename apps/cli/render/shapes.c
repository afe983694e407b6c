// SPDX-License-Identifier: Apache-2.0
// Triangles of shapes. Round shapes are divided so finely that their outline is right within a tenth of a
// pixel.
#include "render/render.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double CREASE = 0.8; // faces whose normals have a smaller cosine meet in an edge

enum { LEAST_EDGES = 12, MOST_EDGES = 160, SMOOTH_FACES = 40 };

// ---- building -----------------------------------------------------------------------------------

static bool reserve(RenderShape* into, int triangles, utArena* keep)
{
    *into = (RenderShape){.closed = true};
    into->corner = UT_PUSH(keep, utVec3, 3 * (size_t)triangles + 1);
    into->normal = UT_PUSH(keep, utVec3, 3 * (size_t)triangles + 1);
    return into->corner != NULL && into->normal != NULL;
}

static void add(RenderShape* into, utVec3 a, utVec3 b, utVec3 c, utVec3 na, utVec3 nb, utVec3 nc)
{
    const utVec3 corner[3] = {a, b, c}, normal[3] = {na, nb, nc};
    const size_t at = 3 * (size_t)into->triangles++;
    memcpy(into->corner + at, corner, sizeof corner);
    memcpy(into->normal + at, normal, sizeof normal);
}

static void add_flat(RenderShape* into, utVec3 a, utVec3 b, utVec3 c, utVec3 n)
{
    add(into, a, b, c, n, n, n);
}

// The number of edges of a circle with this radius: its middle is a tenth of a pixel from the arc.
static int circle_edges(double px)
{
    const double edges = 4.0 * ceil(0.25 * 7.1 * sqrt(fmax(px, 0.0)));
    return edges >= MOST_EDGES ? MOST_EDGES : edges > LEAST_EDGES ? (int)edges : LEAST_EDGES;
}

// Point k of n on the circle of radius 1.
static utVec3 on_circle(int k, int n)
{
    double s, c;
    ut_sincos(2.0 * PI * (k % n) / n, &s, &c);
    return ut_vec3(c, s, 0.0);
}

// ---- balls --------------------------------------------------------------------------------------

// Point of a unit ball, row 0 ... n / 2 from the lower pole.
static utVec3 on_ball(int row, int k, int n)
{
    double s, c;
    ut_sincos(PI * (2.0 * row / n - 0.5), &s, &c);
    const utVec3 d = on_circle(k, n);
    const bool pole = row == 0 || 2 * row == n;
    return pole ? ut_vec3(0.0, 0.0, row == 0 ? -1.0 : 1.0) : ut_vec3(c * d.x, c * d.y, s);
}

// A ball stretched to semi-axes, its halves moved apart along z.
static void add_ball(RenderShape* into, utVec3 size, double half, int n)
{
    const utVec3 inverse = ut_vec3(1.0 / size.x, 1.0 / size.y, 1.0 / size.z);
    for (int row = 0; 2 * row < n; row++) {
        for (int k = 0; k < n; k++) {
            const int at[4][2] = {{row, k}, {row, k + 1}, {row + 1, k + 1}, {row + 1, k}};
            const double move = 4 * row < n ? -half : half;
            utVec3 p[4], m[4];
            for (int c = 0; c < 4; c++) {
                const utVec3 u = on_ball(at[c][0], at[c][1], n);
                p[c] = ut_vec3(size.x * u.x, size.y * u.y, size.z * u.z + move);
                m[c] = ut_vec3(inverse.x * u.x, inverse.y * u.y, inverse.z * u.z);
                (void)ut_vec3_normalize(m[c], &m[c]);
            }
            if (row > 0) {
                add(into, p[0], p[1], p[2], m[0], m[1], m[2]);
            }
            if (2 * (row + 1) < n) {
                add(into, p[0], p[2], p[3], m[0], m[2], m[3]);
            }
        }
    }
}

static int ball_triangles(int n)
{
    return n * n;
}

// The side of a cylinder of radius r between two heights.
static void add_side(RenderShape* into, double r, double low, double high, int n)
{
    for (int k = 0; k < n; k++) {
        const utVec3 a = on_circle(k, n), b = on_circle(k + 1, n);
        const utVec3 p = ut_vec3(r * a.x, r * a.y, low), q = ut_vec3(r * b.x, r * b.y, low);
        const utVec3 s = ut_vec3(p.x, p.y, high), t = ut_vec3(q.x, q.y, high);
        add(into, p, q, t, a, b, b);
        add(into, p, t, s, a, b, a);
    }
}

// A disc across z. @param up its outside
static void add_disc(RenderShape* into, double r, double z, bool up, int n)
{
    const utVec3 normal = ut_vec3(0.0, 0.0, up ? 1.0 : -1.0);
    for (int k = 1; k + 1 < n; k++) {
        const utVec3 a = on_circle(0, n), b = on_circle(up ? k : k + 1, n);
        const utVec3 c = on_circle(up ? k + 1 : k, n);
        add_flat(into, ut_vec3(r * a.x, r * a.y, z), ut_vec3(r * b.x, r * b.y, z),
                 ut_vec3(r * c.x, r * c.y, z), normal);
    }
}

void render_unit_ball(int edges, utArena* keep, RenderShape* into)
{
    if (reserve(into, ball_triangles(edges), keep)) {
        add_ball(into, ut_vec3(1.0, 1.0, 1.0), 0.0, edges);
    }
}

void render_unit_tube(int edges, bool cone, utArena* keep, RenderShape* into)
{
    if (!reserve(into, 4 * edges, keep)) {
        return;
    }
    add_disc(into, 1.0, 0.0, false, edges);
    if (!cone) {
        add_side(into, 1.0, 0.0, 1.0, edges);
        add_disc(into, 1.0, 1.0, true, edges);
        return;
    }
    for (int k = 0; k < edges; k++) {
        const utVec3 a = on_circle(k, edges), b = on_circle(k + 1, edges);
        const double s = 0.70710678118654752;
        const utVec3 na = ut_vec3(s * a.x, s * a.y, s), nb = ut_vec3(s * b.x, s * b.y, s);
        add(into, a, b, ut_vec3(0.0, 0.0, 1.0), na, nb, na);
    }
}

// ---- solids with edges --------------------------------------------------------------------------

static utStatus make_box(utVec3 h, utArena* keep, RenderShape* into)
{
    // faces of corner bits x = 1, y = 2, z = 4, counter-clockwise from outside
    static const int face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    if (!reserve(into, 12, keep)) {
        return UT_ERR_MEMORY;
    }
    for (int f = 0; f < 6; f++) {
        const double sign = f % 2 == 0 ? -1.0 : 1.0;
        const utVec3 n =
            ut_vec3(f / 2 == 0 ? sign : 0.0, f / 2 == 1 ? sign : 0.0, f / 2 == 2 ? sign : 0.0);
        utVec3 p[4];
        for (int k = 0; k < 4; k++) {
            const int c = face[f][k];
            p[k] = ut_vec3((c & 1) != 0 ? h.x : -h.x, (c & 2) != 0 ? h.y : -h.y,
                           (c & 4) != 0 ? h.z : -h.z);
        }
        add_flat(into, p[0], p[1], p[2], n);
        add_flat(into, p[0], p[2], p[3], n);
    }
    return UT_OK;
}

// ---- surfaces -----------------------------------------------------------------------------------

// Triangles with shared vertices.
typedef struct Surface {
    int vertices, triangles;
    const utVec3* vertex;
    const int* index; // 3 per triangle
} Surface;

// Twice the area of a triangle, along its normal.
static utVec3 area_of(const Surface* s, int t)
{
    const int* c = s->index + 3 * (size_t)t;
    const utVec3 a = s->vertex[c[0]];
    return ut_vec3_cross(ut_vec3_sub(s->vertex[c[1]], a), ut_vec3_sub(s->vertex[c[2]], a));
}

// The triangles around each vertex. @param first vertices + 1 entries @param around 3 per triangle
static void find_around(const Surface* s, int* first, int* around)
{
    memset(first, 0, ((size_t)s->vertices + 1) * sizeof *first);
    for (int k = 0; k < 3 * s->triangles; k++) {
        first[s->index[k] + 1]++;
    }
    for (int v = 0; v < s->vertices; v++) {
        first[v + 1] += first[v];
    }
    for (int k = 3 * s->triangles - 1; k >= 0; k--) {
        // from the end of each vertex's range, which is the beginning of the next one's
        around[--first[s->index[k] + 1]] = k / 3;
    }
    // each entry has moved to the beginning of its own range
    memmove(first, first + 1, (size_t)s->vertices * sizeof *first);
    first[s->vertices] = 3 * s->triangles;
}

// The mean normal of the faces around a corner that meet face t smoothly.
static utVec3 smooth_normal(const utVec3* area, const utVec3* normal, const int* around, int count,
                            int t)
{
    utVec3 sum = ut_vec3_zero();
    for (int k = 0; k < count; k++) {
        if (ut_vec3_dot(normal[around[k]], normal[t]) > CREASE) {
            sum = ut_vec3_add(sum, area[around[k]]);
        }
    }
    return ut_vec3_normalize(sum, &sum) ? sum : normal[t];
}

static utStatus make_surface(const Surface* s, bool smooth, utArena* keep, RenderShape* into)
{
    utArena scratch;
    if (!reserve(into, s->triangles, keep) || ut_arena_create(0, NULL, &scratch) != UT_OK) {
        return UT_ERR_MEMORY;
    }
    utVec3* area = UT_PUSH(&scratch, utVec3, s->triangles + 1);
    utVec3* normal = UT_PUSH(&scratch, utVec3, s->triangles + 1);
    int* first = UT_PUSH(&scratch, int, s->vertices + 1);
    int* around = UT_PUSH(&scratch, int, 3 * (size_t)s->triangles + 1);
    if (ut_arena_failed(&scratch)) {
        ut_arena_destroy(&scratch);
        return UT_ERR_MEMORY;
    }
    for (int t = 0; t < s->triangles; t++) {
        area[t] = area_of(s, t);
        normal[t] = ut_vec3_zero();
        (void)ut_vec3_normalize(area[t], &normal[t]);
    }
    find_around(s, first, around);
    for (int t = 0; t < s->triangles; t++) {
        const int* c = s->index + 3 * (size_t)t;
        utVec3 n[3] = {normal[t], normal[t], normal[t]};
        for (int k = 0; k < 3 && smooth; k++) {
            n[k] =
                smooth_normal(area, normal, around + first[c[k]], first[c[k] + 1] - first[c[k]], t);
        }
        add(into, s->vertex[c[0]], s->vertex[c[1]], s->vertex[c[2]], n[0], n[1], n[2]);
    }
    ut_arena_destroy(&scratch);
    return UT_OK;
}

// The faces of a hull as fans. Those of a fine one are parts of a smooth surface.
static utStatus make_hull(const utHull* h, utArena* keep, RenderShape* into)
{
    const int triangles = h->face_start[h->faces] - 2 * h->faces;
    int* index = UT_PUSH(keep, int, 3 * (size_t)triangles + 1);
    if (index == NULL) {
        return UT_ERR_MEMORY;
    }
    int n = 0;
    for (int f = 0; f < h->faces; f++) {
        const int* corner = h->face_vertex + h->face_start[f];
        for (int k = 1; k + 1 < h->face_start[f + 1] - h->face_start[f]; k++) {
            index[n++] = corner[0];
            index[n++] = corner[k];
            index[n++] = corner[k + 1];
        }
    }
    const Surface s = {h->vertices, triangles, h->vertex, index};
    return make_surface(&s, h->faces > SMOOTH_FACES, keep, into);
}

static utStatus make_heights(const utShape* shape, utArena* keep, RenderShape* into)
{
    const utHeights* h = shape->heights;
    const int cells = (h->columns - 1) * (h->rows - 1);
    utVec3* vertex = UT_PUSH(keep, utVec3, (size_t)h->columns * (size_t)h->rows);
    int* index = UT_PUSH(keep, int, 6 * (size_t)cells);
    if (vertex == NULL || index == NULL) {
        return UT_ERR_MEMORY;
    }
    int n = 0;
    for (int j = 0; j < h->rows; j++) {
        for (int i = 0; i < h->columns; i++) {
            const int at = j * h->columns + i;
            vertex[at] = ut_vec3(shape->size.x * (2.0 * i / (h->columns - 1) - 1.0),
                                 shape->size.y * (2.0 * j / (h->rows - 1) - 1.0), h->height[at]);
            if (i + 1 < h->columns && j + 1 < h->rows) {
                const int cell[6] = {
                    at, at + 1, at + h->columns + 1, at, at + h->columns + 1, at + h->columns};
                memcpy(index + n, cell, sizeof cell);
                n += 6;
            }
        }
    }
    const Surface s = {h->columns * h->rows, 2 * cells, vertex, index};
    const utStatus status = make_surface(&s, true, keep, into);
    into->closed = false;
    return status;
}

// ---- all shapes ---------------------------------------------------------------------------------

static utStatus make_round(const utShape* shape, double px, utArena* keep, RenderShape* into)
{
    const utVec3 size = shape->size;
    const bool ellipsoid = shape->kind == UT_SHAPE_ELLIPSOID;
    const double r = ellipsoid ? fmax(size.x, fmax(size.y, size.z)) : size.x;
    const int n = circle_edges(r * px);
    if (!reserve(into, ball_triangles(n) + 4 * n, keep)) {
        return UT_ERR_MEMORY;
    }
    if (shape->kind == UT_SHAPE_CYLINDER) {
        add_disc(into, r, -size.y, false, n);
        add_side(into, r, -size.y, size.y, n);
        add_disc(into, r, size.y, true, n);
        return UT_OK;
    }
    const bool capsule = shape->kind == UT_SHAPE_CAPSULE;
    add_ball(into, ellipsoid ? size : ut_vec3(r, r, r), capsule ? size.y : 0.0, n);
    if (capsule) {
        add_side(into, r, -size.y, size.y, n);
    }
    return UT_OK;
}

utStatus render_shape_create(const utShape* shape, double px, utArena* keep, RenderShape* into)
{
    *into = (RenderShape){0};
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
    case UT_SHAPE_CAPSULE:
    case UT_SHAPE_CYLINDER:
    case UT_SHAPE_ELLIPSOID:
        return make_round(shape, px, keep, into);
    case UT_SHAPE_BOX:
        return make_box(shape->size, keep, into);
    case UT_SHAPE_HULL:
        return make_hull(shape->hull, keep, into);
    case UT_SHAPE_MESH: {
        const utMesh* m = shape->mesh;
        const Surface s = {m->vertices, m->triangles, m->vertex, m->triangle};
        const utStatus status = make_surface(&s, true, keep, into);
        into->closed = false;
        return status;
    }
    case UT_SHAPE_HEIGHTS:
        return make_heights(shape, keep, into);
    default:
        return UT_OK;
    }
}
