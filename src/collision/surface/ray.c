// SPDX-License-Identifier: Apache-2.0
// Rays against meshes and height fields, in their own frames.
//
// The ray o + s d meets the plane of a triangle at s. The signs of the volumes d.(p x q), for the
// corners p, q of each edge relative to o, show on which side of the edge the ray passes. Both
// triangles of an edge compute the same number up to its sign, so no ray passes between them.
#include "collision/queries/ray.h"
#include "collision/tolerances.h"
#include "geom/mesh_tree.h"

// keeps the allowance of a box test positive at distance 0, m
#define SMALLEST_REACH 1e-300

typedef struct Ray {
    utVec3 o, d;
    double best; // distance of the nearest hit, or `far`
    bool met;
    bool behind; // the nearest triangle was hit from its inner side
    utVec3 normal;
} Ray;

// d.(p x q), computed with p and q in the order of their indices.
static double volume(utVec3 d, utVec3 p, int i, utVec3 q, int j)
{
    return i < j ? ut_vec3_dot(d, ut_vec3_cross(p, q)) : -ut_vec3_dot(d, ut_vec3_cross(q, p));
}

static void try_triangle(const Surface* surface, int id, Ray* ray)
{
    Triangle t;
    ut_surface_triangle(surface, id, &t);
    const double towards = ut_vec3_dot(ray->d, t.normal);
    const double s = ut_vec3_dot(t.normal, ut_vec3_sub(t.v[0], ray->o)) / towards;
    // a ray parallel to the plane gives NaN or infinity and misses
    if (!(s >= 0.0 && s <= ray->best) || (ray->met && !(s < ray->best))) {
        return;
    }
    utVec3 p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = ut_vec3_sub(t.v[k], ray->o);
    }
    bool left = true, right = true;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3;
        const double side = volume(ray->d, p[k], t.corner[k], p[l], t.corner[l]);
        left = left && side >= 0.0;
        right = right && side <= 0.0;
    }
    if (left || right) {
        ray->best = s;
        ray->met = true;
        ray->behind = towards > 0.0;
        ray->normal = t.normal;
    }
}

static bool write_hit(const Ray* ray, utRayHit* hit)
{
    if (ray->met) {
        hit->distance = ray->behind ? 0.0 : ray->best;
        hit->normal = ray->normal;
    }
    return ray->met;
}

// ---- meshes -------------------------------------------------------------------------------------

// Clip the interval [*from, *to] of the ray to low <= x <= high.
static void clip_interval(double o, double d, double low, double high, double* from, double* to)
{
    if (d == 0.0) {
        *to = o >= low && o <= high ? *to : -1.0;
        return;
    }
    const double s = (low - o) / d, t = (high - o) / d;
    *from = fmax(*from, fmin(s, t));
    *to = fmin(*to, fmax(s, t));
}

// Does the ray meet the box before the nearest hit? Rounding errs towards true.
static bool meets_box(const Ray* ray, const utBounds* box)
{
    double from = 0.0, to = ray->best;
    clip_interval(ray->o.x, ray->d.x, box->low.x, box->high.x, &from, &to);
    clip_interval(ray->o.y, ray->d.y, box->low.y, box->high.y, &from, &to);
    clip_interval(ray->o.z, ray->d.z, box->low.z, box->high.z, &from, &to);
    return from <= to * (1.0 + UT_REACH_ALLOWANCE) + SMALLEST_REACH;
}

bool ut_ray_mesh(const utShape* shape, utVec3 from, utVec3 direction, double far, utRayHit* hit)
{
    const utMesh* mesh = shape->mesh;
    const Surface surface = ut_surface_of_mesh(mesh);
    Ray ray = {.o = from, .d = direction, .best = far};
    int stack[MESH_DEPTH], top = 0;
    if (mesh->nodes > 0) {
        stack[top++] = 0;
    }
    while (top > 0) {
        int i = stack[--top];
        while (meets_box(&ray, &mesh->node[i].bounds)) {
            if (mesh->node[i].right == 0) {
                try_triangle(&surface, mesh->node[i].triangle, &ray);
                break;
            }
            stack[top++] = mesh->node[i].right;
            i++;
        }
    }
    return write_hit(&ray, hit);
}

// ---- height fields ------------------------------------------------------------------------------

// Index of the cell that holds x, of n cells of width d from -size on.
static int cell_of(double x, double size, double d, int n)
{
    const double at = (x + size) / d;
    return !(at > 0.0) ? 0 : at >= n ? n - 1 : (int)at;
}

// Height of the surface at (x, y).
static double surface_height(const Surface* s, double x, double y)
{
    const utHeights* h = s->heights;
    const int i = cell_of(x, s->size.x, s->dx, h->columns - 1);
    const int j = cell_of(y, s->size.y, s->dy, h->rows - 1);
    const double u = (x + s->size.x) / s->dx - i, v = (y + s->size.y) / s->dy - j;
    const double* z = h->height + (size_t)j * (size_t)h->columns + (size_t)i;
    const double* above = z + h->columns;
    return u >= v ? z[0] + u * (z[1] - z[0]) + v * (above[1] - z[1])
                  : z[0] + v * (above[0] - z[0]) + u * (above[1] - above[0]);
}

// Interval of the ray inside the bounding box of the field, and the axis of the face it enters
// through.
typedef struct Entry {
    double from, to;
    int axis; // -1: the ray starts inside
} Entry;

static Entry enter(const Surface* s, const Ray* ray)
{
    const double o[3] = {ray->o.x, ray->o.y, ray->o.z}, d[3] = {ray->d.x, ray->d.y, ray->d.z};
    const double low[3] = {-s->size.x, -s->size.y, -s->size.z};
    const double high[3] = {s->size.x, s->size.y, HUGE_VAL};
    Entry entry = {0.0, ray->best, -1};
    for (int i = 0; i < 3; i++) {
        const double before = entry.from;
        clip_interval(o[i], d[i], low[i], high[i], &entry.from, &entry.to);
        entry.axis = entry.from > before ? i : entry.axis;
    }
    return entry;
}

static double axis_normal(const Entry* entry, int axis, double d)
{
    return entry->axis != axis ? 0.0 : d > 0.0 ? -1.0 : 1.0;
}

// Test the two triangles of a cell.
static void try_cell(const Surface* s, int i, int j, Ray* ray)
{
    const int cell = j * (s->heights->columns - 1) + i;
    try_triangle(s, 2 * cell, ray);
    try_triangle(s, 2 * cell + 1, ray);
}

// Walk from cell to cell along the ray (Amanatides and Woo, 1987).
static void walk_cells(const Surface* s, const Entry* entry, Ray* ray)
{
    const int across = s->heights->columns - 1, up = s->heights->rows - 1;
    const utVec3 at = ut_vec3_add_scaled(ray->o, entry->from, ray->d);
    int i = cell_of(at.x, s->size.x, s->dx, across), j = cell_of(at.y, s->size.y, s->dy, up);
    const int di = ray->d.x > 0.0 ? 1 : -1, dj = ray->d.y > 0.0 ? 1 : -1;
    for (int step = 0; step < across + up + 2; step++) {
        // test the adjacent cells too, because rounding may have chosen the wrong cell
        for (int k = -1; k <= 1; k++) {
            if (i + k >= 0 && i + k < across) {
                try_cell(s, i + k, j, ray);
            }
            if (k != 0 && j + k >= 0 && j + k < up) {
                try_cell(s, i, j + k, ray);
            }
        }
        const double x = -s->size.x + (i + (di > 0 ? 1 : 0)) * s->dx;
        const double y = -s->size.y + (j + (dj > 0 ? 1 : 0)) * s->dy;
        const double tx = ray->d.x != 0.0 ? (x - ray->o.x) / ray->d.x : HUGE_VAL;
        const double ty = ray->d.y != 0.0 ? (y - ray->o.y) / ray->d.y : HUGE_VAL;
        if (!(fmin(tx, ty) <= ray->best)) {
            return;
        }
        i += tx <= ty ? di : 0;
        j += tx <= ty ? 0 : dj;
        if (i < 0 || i >= across || j < 0 || j >= up) {
            return;
        }
    }
}

bool ut_ray_heights(const utShape* shape, utVec3 from, utVec3 direction, double far, utRayHit* hit)
{
    const Surface surface = ut_surface_of_heights(shape->heights, shape->size);
    Ray ray = {.o = from, .d = direction, .best = far};
    const Entry entry = enter(&surface, &ray);
    if (!(entry.from <= entry.to)) {
        return false;
    }
    // the ray enters through a side or the bottom, or starts inside
    const utVec3 at = ut_vec3_add_scaled(from, entry.from, direction);
    if (at.z <= surface_height(&surface, at.x, at.y)) {
        hit->distance = entry.from;
        hit->normal =
            ut_vec3(axis_normal(&entry, 0, direction.x), axis_normal(&entry, 1, direction.y),
                    axis_normal(&entry, 2, direction.z));
        return true;
    }
    walk_cells(&surface, &entry, &ray);
    return write_hit(&ray, hit);
}
