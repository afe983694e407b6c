// An independent judge of signed gaps, in extended precision and by definitions alone.
//
// With g(n) = min of n.(b - a) over points a of A and b of B, the gap of two convex bodies is the
// largest g(n) over unit n. So every n proves a lower bound. Upper bounds are proved
//   - of bodies that stand apart: by any two of their points;
//   - of polytopes that overlap: by trying all normals of faces and common normals of edges;
//   - of all others: by cutting the sphere of directions into triangles. On a triangle with corners
//     n_i, whose support points are w_j, g(n) <= sum of l_j (n.w_j) for any weights l_j, which is
//     largest in a corner; the best weights make this bound exact to second order in its size.
#ifndef TEST_COLLISION_CONVEX_ORACLE_H
#define TEST_COLLISION_CONVEX_ORACLE_H

#include <math.h>
#include <uptack/collision.h>

#include "test.h"

typedef long double Real;

typedef struct V3 {
    Real x, y, z;
} V3;

static inline V3 v3(Real x, Real y, Real z)
{
    return (V3){x, y, z};
}

static inline V3 v3_of(utVec3 a)
{
    return v3((Real)a.x, (Real)a.y, (Real)a.z);
}

static inline V3 v3_add(V3 a, Real s, V3 b)
{
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline Real v3_dot(V3 a, V3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline V3 v3_cross(V3 a, V3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline Real v3_norm(V3 a)
{
    return sqrtl(v3_dot(a, a));
}

static inline V3 v3_unit(V3 a)
{
    const Real norm = v3_norm(a);
    return norm > 0.0L ? v3(a.x / norm, a.y / norm, a.z / norm) : v3(0.0L, 0.0L, 1.0L);
}

// ---- bodies -------------------------------------------------------------------------------------

/// The core of a convex shape, placed relative to some origin.
typedef struct Body {
    const utShape* shape;
    V3 axis[3];
    V3 p;
    Real radius; ///< of what the core is grown by
} Body;

static inline Body body_of(const utShape* shape, utFrame at, utVec3 origin)
{
    Body body = {.shape = shape};
    for (int i = 0; i < 3; i++) {
        body.axis[i] = v3_of(ut_mat3_column(at.R, i));
    }
    body.p = v3_add(v3_of(at.p), -1.0L, v3_of(origin));
    const bool round = shape->kind == UT_SHAPE_SPHERE || shape->kind == UT_SHAPE_CAPSULE;
    body.radius = round ? (Real)shape->size.x : 0.0L;
    return body;
}

static inline V3 to_world(const Body* body, V3 y)
{
    V3 x = v3_add(body->p, y.x, body->axis[0]);
    x = v3_add(x, y.y, body->axis[1]);
    return v3_add(x, y.z, body->axis[2]);
}

static inline V3 direction_to_local(const Body* body, V3 n)
{
    return v3(v3_dot(body->axis[0], n), v3_dot(body->axis[1], n), v3_dot(body->axis[2], n));
}

static inline V3 local_support(const utShape* shape, V3 d)
{
    const V3 s = v3_of(shape->size);
    switch (shape->kind) {
    case UT_SHAPE_CAPSULE:
        return v3(0.0L, 0.0L, d.z < 0.0L ? -s.y : s.y);
    case UT_SHAPE_BOX:
        return v3(copysignl(s.x, d.x), copysignl(s.y, d.y), copysignl(s.z, d.z));
    case UT_SHAPE_CYLINDER: {
        const Real across = hypotl(d.x, d.y);
        const Real k = across > 0.0L ? s.x / across : 0.0L;
        return v3(k * d.x, k * d.y, copysignl(s.y, d.z));
    }
    case UT_SHAPE_ELLIPSOID: {
        const V3 e = v3_unit(v3(s.x * d.x, s.y * d.y, s.z * d.z));
        return v3(s.x * e.x, s.y * e.y, s.z * e.z);
    }
    case UT_SHAPE_HULL: {
        V3 best = v3_of(shape->hull->vertex[0]);
        for (int i = 1; i < shape->hull->vertices; i++) {
            const V3 x = v3_of(shape->hull->vertex[i]);
            best = v3_dot(d, x) > v3_dot(d, best) ? x : best;
        }
        return best;
    }
    default:
        return v3(0.0L, 0.0L, 0.0L);
    }
}

static inline V3 body_support(const Body* body, V3 n)
{
    return to_world(body, local_support(body->shape, direction_to_local(body, n)));
}

/// The point of B - A that is least far along n.
static inline V3 apart_point(const Body* a, const Body* b, V3 n)
{
    return v3_add(body_support(b, v3(-n.x, -n.y, -n.z)), -1.0L, body_support(a, n));
}

static inline Real apart_value(const Body* a, const Body* b, V3 n)
{
    return v3_dot(n, apart_point(a, b, n));
}

// ---- features of polytopes ----------------------------------------------------------------------

enum { MAX_NORMALS = 256, MAX_EDGES = 80 };

typedef struct Features {
    int normals, edges;
    V3 normal[MAX_NORMALS]; ///< of faces, in the world
    V3 edge[MAX_EDGES];
} Features;

// all planes of three vertices that have everything on one side, and all lines through two
static inline void hull_features(const Body* body, Features* f)
{
    const utHull* hull = body->shape->hull;
    for (int i = 0; i < hull->vertices; i++) {
        for (int j = i + 1; j < hull->vertices; j++) {
            const V3 x = to_world(body, v3_of(hull->vertex[i]));
            const V3 e = v3_add(to_world(body, v3_of(hull->vertex[j])), -1.0L, x);
            f->edge[f->edges++] = v3_unit(e);
            for (int k = j + 1; k < hull->vertices; k++) {
                const V3 l = v3_add(to_world(body, v3_of(hull->vertex[k])), -1.0L, x);
                const V3 n = v3_unit(v3_cross(e, l));
                int above = 0, below = 0;
                for (int m = 0; m < hull->vertices; m++) {
                    const V3 y = to_world(body, v3_of(hull->vertex[m]));
                    const Real h = v3_dot(n, v3_add(y, -1.0L, x));
                    above += h > 1e-12L * (Real)hull->size;
                    below += h < -1e-12L * (Real)hull->size;
                }
                if ((above == 0 || below == 0) && f->normals < MAX_NORMALS) {
                    f->normal[f->normals++] = above == 0 ? n : v3(-n.x, -n.y, -n.z);
                }
            }
        }
    }
}

static inline void find_features(const Body* body, Features* f)
{
    f->normals = f->edges = 0;
    if (body->shape->kind == UT_SHAPE_BOX) {
        for (int i = 0; i < 3; i++) {
            f->edge[f->edges++] = body->axis[i];
            f->normal[f->normals++] = body->axis[i];
            f->normal[f->normals++] = v3(-body->axis[i].x, -body->axis[i].y, -body->axis[i].z);
        }
    } else if (body->shape->kind == UT_SHAPE_CAPSULE && body->shape->size.y > 0.0) {
        f->edge[f->edges++] = body->axis[2];
    } else if (body->shape->kind == UT_SHAPE_HULL) {
        hull_features(body, f);
    }
}

/// Signed distance of a point from the core's surface, negative inside: exact outside of spheres,
/// capsules, boxes and cylinders, to first order of ellipsoids, the largest distance from a plane
/// of a face of hulls.
static inline Real core_surface(const Body* body, V3 x)
{
    const V3 from = v3_add(x, -1.0L, body->p), y = direction_to_local(body, from);
    const V3 s = v3_of(body->shape->size);
    switch (body->shape->kind) {
    case UT_SHAPE_CAPSULE:
        return v3_norm(v3(y.x, y.y, y.z - fmaxl(-s.y, fminl(s.y, y.z))));
    case UT_SHAPE_BOX: {
        const V3 d = v3(fabsl(y.x) - s.x, fabsl(y.y) - s.y, fabsl(y.z) - s.z);
        const Real most = fmaxl(d.x, fmaxl(d.y, d.z));
        return most < 0.0L ? most
                           : v3_norm(v3(fmaxl(d.x, 0.0L), fmaxl(d.y, 0.0L), fmaxl(d.z, 0.0L)));
    }
    case UT_SHAPE_CYLINDER: {
        const Real across = hypotl(y.x, y.y) - s.x, along = fabsl(y.z) - s.y;
        const Real most = fmaxl(across, along);
        return most < 0.0L ? most : hypotl(fmaxl(across, 0.0L), fmaxl(along, 0.0L));
    }
    case UT_SHAPE_ELLIPSOID: {
        const V3 u = v3(y.x / s.x, y.y / s.y, y.z / s.z);
        const Real k = v3_norm(u);
        const Real slope = v3_norm(v3(u.x / s.x, u.y / s.y, u.z / s.z));
        return slope > 0.0L ? (k - 1.0L) * k / slope : -fminl(s.x, fminl(s.y, s.z));
    }
    case UT_SHAPE_HULL: {
        Features f;
        find_features(body, &f);
        Real most = -HUGE_VALL;
        for (int i = 0; i < f.normals; i++) {
            const V3 top = body_support(body, f.normal[i]);
            most = fmaxl(most, v3_dot(f.normal[i], v3_add(x, -1.0L, top)));
        }
        return most;
    }
    default:
        return v3_norm(y);
    }
}

// ---- overlapping polytopes ----------------------------------------------------------------------

static inline void try_direction(const Body* a, const Body* b, V3 n, Real* best)
{
    *best = fmaxl(*best, apart_value(a, b, n));
    *best = fmaxl(*best, apart_value(a, b, v3(-n.x, -n.y, -n.z)));
}

/// The gap of two polytopes (points and segments are such) that overlap: exact. Common normals of
/// edges that are parallel to 1e-9 are left to the faces beside them.
static inline Real overlap_of_polytopes(const Body* a, const Body* b)
{
    Features fa, fb;
    find_features(a, &fa);
    find_features(b, &fb);
    Real best = -HUGE_VALL;
    for (int i = 0; i < fa.normals + fb.normals; i++) {
        const V3 n = i < fa.normals ? fa.normal[i] : fb.normal[i - fa.normals];
        try_direction(a, b, n, &best);
    }
    for (int i = 0; i < fa.edges * fb.edges; i++) {
        const V3 k = v3_cross(fa.edge[i / fb.edges], fb.edge[i % fb.edges]);
        if (v3_norm(k) > 1e-9L) {
            try_direction(a, b, v3_unit(k), &best);
        }
    }
    return best;
}

// ---- everything else ----------------------------------------------------------------------------

/// A triangle of directions.
typedef struct Cell {
    V3 n[3], w[3];
    Real bound;
} Cell;

enum { MAX_CELLS = 1 << 15 };

typedef struct Search {
    const Body* a;
    const Body* b;
    int count;
    int most; ///< cells at a time
    Real lower;
    V3 best; ///< lower = g(best)
    Cell cell[MAX_CELLS];
} Search;

// the least over t in [0, 1] of the largest of x_i + t (y_i - x_i)
static inline Real least_mixture(const Real x[3], const Real y[3])
{
    Real best = fminl(fmaxl(x[0], fmaxl(x[1], x[2])), fmaxl(y[0], fmaxl(y[1], y[2])));
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const Real slope = (y[i] - x[i]) - (y[j] - x[j]);
        const Real t = slope != 0.0L ? (x[j] - x[i]) / slope : -1.0L;
        if (t > 0.0L && t < 1.0L) {
            Real most = -HUGE_VALL;
            for (int k = 0; k < 3; k++) {
                most = fmaxl(most, x[k] + t * (y[k] - x[k]));
            }
            best = fminl(best, most);
        }
    }
    return best;
}

// weights of all three support points: those that make all three corners equal
static inline Real mixture_of_three(Real m[3][3])
{
    const V3 r0 = v3(m[0][0], m[1][0], m[2][0]), r1 = v3(m[0][1], m[1][1], m[2][1]);
    const V3 r2 = v3(m[0][2], m[1][2], m[2][2]);
    V3 l = v3_cross(v3_add(r0, -1.0L, r1), v3_add(r0, -1.0L, r2));
    const Real sum = l.x + l.y + l.z;
    l = v3(l.x / sum, l.y / sum, l.z / sum);
    if (!(l.x >= 0.0L && l.y >= 0.0L && l.z >= 0.0L)) {
        return HUGE_VALL;
    }
    return fmaxl(v3_dot(l, r0), fmaxl(v3_dot(l, r1), v3_dot(l, r2)));
}

// how near the flat triangle of three directions comes to the centre: what n = m / |m| divides by
static inline Real least_length(const Cell* c)
{
    const V3 k = v3_cross(v3_add(c->n[1], -1.0L, c->n[0]), v3_add(c->n[2], -1.0L, c->n[0]));
    return fabsl(v3_dot(v3_unit(k), c->n[0])) * (1.0L - 1e-18L);
}

static inline Real cell_bound(const Cell* c)
{
    Real m[3][3]; // m[j][i] = w_j . n_i
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            m[j][i] = v3_dot(c->w[j], c->n[i]);
        }
    }
    Real best = mixture_of_three(m);
    best = fminl(best, least_mixture(m[0], m[1]));
    best = fminl(best, least_mixture(m[1], m[2]));
    best = fminl(best, least_mixture(m[2], m[0]));
    return best > 0.0L ? best / least_length(c) : best;
}

static inline V3 visit(Search* s, V3 n)
{
    const V3 w = apart_point(s->a, s->b, n);
    const Real value = v3_dot(n, w);
    if (value > s->lower) {
        s->lower = value;
        s->best = n;
    }
    return w;
}

// a heap, the largest bound on top
static inline void push_cell(Search* s, Cell cell)
{
    cell.bound = cell_bound(&cell);
    int i = s->count++;
    for (; i > 0 && s->cell[(i - 1) / 2].bound < cell.bound; i = (i - 1) / 2) {
        s->cell[i] = s->cell[(i - 1) / 2];
    }
    s->cell[i] = cell;
}

static inline Cell pop_cell(Search* s)
{
    const Cell top = s->cell[0], last = s->cell[--s->count];
    int i = 0;
    for (int child = 1; child < s->count; child = 2 * i + 1) {
        child += child + 1 < s->count && s->cell[child + 1].bound > s->cell[child].bound;
        if (s->cell[child].bound <= last.bound) {
            break;
        }
        s->cell[i] = s->cell[child];
        i = child;
    }
    s->cell[i] = last;
    return top;
}

static inline void split_cell(Search* s, const Cell* cell)
{
    int longest = 0;
    Real least = HUGE_VALL;
    for (int i = 0; i < 3; i++) {
        const Real cosine = v3_dot(cell->n[i], cell->n[(i + 1) % 3]);
        if (cosine < least) {
            least = cosine;
            longest = i;
        }
    }
    // 1 - cos is too coarse for small cells: compare lengths there
    if (least > 0.999L) {
        Real most = -1.0L;
        for (int i = 0; i < 3; i++) {
            const V3 e = v3_add(cell->n[i], -1.0L, cell->n[(i + 1) % 3]);
            if (v3_dot(e, e) > most) {
                most = v3_dot(e, e);
                longest = i;
            }
        }
    }
    const int i = longest, j = (i + 1) % 3;
    const V3 n = v3_unit(v3_add(cell->n[i], 1.0L, cell->n[j])), w = visit(s, n);
    Cell first = *cell, second = *cell;
    first.n[i] = second.n[j] = n;
    first.w[i] = second.w[j] = w;
    push_cell(s, first);
    push_cell(s, second);
}

// @return an upper bound of the largest g(n) over the cells, within `enough` of search->lower
// unless room runs out
static inline Real run_search(Search* s, Real enough)
{
    while (s->count > 0 && s->count + 1 < s->most && s->cell[0].bound > s->lower + enough) {
        const Cell cell = pop_cell(s);
        split_cell(s, &cell);
    }
    return s->count > 0 ? fmaxl(s->cell[0].bound, s->lower) : s->lower;
}

static inline void push_triangle(Search* s, V3 n0, V3 n1, V3 n2)
{
    Cell cell = {.n = {n0, n1, n2}};
    for (int i = 0; i < 3; i++) {
        cell.w[i] = visit(s, cell.n[i]);
    }
    push_cell(s, cell);
}

/// An upper bound of the gap of two cores. @param hint a direction to begin with
static inline Real largest_apart(const Body* a, const Body* b, V3 hint, Real enough, Search* s)
{
    s->a = a;
    s->b = b;
    s->count = 0;
    s->most = MAX_CELLS;
    s->lower = -HUGE_VALL;
    visit(s, hint);
    for (int i = 0; i < 8; i++) {
        const Real x = i & 1 ? -1.0L : 1.0L, y = i & 2 ? -1.0L : 1.0L, z = i & 4 ? -1.0L : 1.0L;
        push_triangle(s, v3(x, 0.0L, 0.0L), v3(0.0L, y, 0.0L), v3(0.0L, 0.0L, z));
    }
    return run_search(s, enough);
}

/// The direction of the largest g(n) within about `radius` of n.
static inline V3 best_direction_near(const Body* a, const Body* b, V3 n, Real radius, Real enough,
                                     Search* s)
{
    s->a = a;
    s->b = b;
    s->count = 0;
    s->most = MAX_CELLS / 16;
    s->lower = -HUGE_VALL;
    const V3 t =
        v3_unit(v3_cross(n, fabsl(n.x) < 0.6L ? v3(1.0L, 0.0L, 0.0L) : v3(0.0L, 1.0L, 0.0L)));
    const V3 u = v3_cross(n, t);
    V3 corner[3];
    for (int i = 0; i < 3; i++) {
        static const Real c[3] = {1.0L, -0.47L, -0.53L}, k[3] = {0.03L, 0.85L, -0.88L};
        corner[i] = v3_unit(v3_add(v3_add(n, radius * c[i], t), radius * k[i], u));
    }
    push_triangle(s, corner[0], corner[1], corner[2]);
    run_search(s, enough);
    return s->best;
}

#endif
