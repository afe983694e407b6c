// SPDX-License-Identifier: Apache-2.0
// Distance of two convex cores that are apart (GJK: Gilbert, Johnson and Keerthi, 1988).
//
// The iteration improves the simplex of D nearest to the origin with the support point along its
// nearest point v. |v| is an upper bound of the distance; n.w, with n = v / |v| and the support
// point w, is a lower bound. The nearest point of a simplex follows from the signs of the volumes
// that the origin makes with its faces (Montanari, Petrinic and Barbieri, 2017). All formulas use
// differences of corners, because in the end the corners are much closer to each other than to the
// origin.
#include "internal.h"

#define FLAT_SINE_SQUARE 1e-28 // square of the sine of an angle that is rounding
#define DISAGREEMENT 1e-20     // square of a relative difference between two projections, 1e-10

enum { MAX_GJK_STEPS = 128, MAX_GJK_STALLED = 8 };

// ---- the nearest point of a simplex -------------------------------------------------------------

typedef struct Nearest {
    int count;
    int index[3];
    double weight[3];
    utVec3 v;
    double square;
} Nearest;

static Nearest nearest_corner(const Simplex* s, int i)
{
    const utVec3 w = s->corner[i].w;
    return (Nearest){1, {i, 0, 0}, {1.0, 0.0, 0.0}, w, ut_vec3_dot(w, w)};
}

static Nearest nearest_on_edge(const Simplex* s, int i, int j)
{
    const utVec3 a = s->corner[i].w, e = ut_vec3_sub(s->corner[j].w, a);
    const double square = ut_vec3_dot(e, e);
    if (!(square > 0.0)) {
        return nearest_corner(s, i);
    }
    double t = -ut_vec3_dot(a, e) / square;
    if (!(t > 0.0)) {
        return nearest_corner(s, i);
    }
    if (!(t < 1.0)) {
        return nearest_corner(s, j);
    }
    // one correction step makes v perpendicular to the edge even very close to the edge
    utVec3 v = ut_vec3_add_scaled(a, t, e);
    const double correction = -ut_vec3_dot(v, e) / square;
    v = ut_vec3_add_scaled(v, correction, e);
    t += correction;
    return (Nearest){2, {i, j, 0}, {1.0 - t, t, 0.0}, v, ut_vec3_dot(v, v)};
}

static Nearest nearer(Nearest p, Nearest q)
{
    return q.square < p.square ? q : p;
}

// A triangle from the corner opposite to its longest edge, because in a flat triangle the other two
// edges are not nearly parallel.
typedef struct Triangle {
    int i, j, l;
    utVec3 a, e1, e2; // corner i, and the edges from it to j and l
    utVec3 k;         // e1 x e2
    double kk, longest;
} Triangle;

static Triangle make_triangle(const Simplex* s, int i, int j, int l)
{
    const utVec3 x = s->corner[i].w, y = s->corner[j].w, z = s->corner[l].w;
    const utVec3 xy = ut_vec3_sub(y, x), yz = ut_vec3_sub(z, y), zx = ut_vec3_sub(x, z);
    const double p = ut_vec3_dot(xy, xy), q = ut_vec3_dot(yz, yz), r = ut_vec3_dot(zx, zx);
    Triangle t = {i, j, l, x, xy, ut_vec3_negate(zx), ut_vec3_zero(), 0.0, q};
    if (p >= q && p >= r) {
        t = (Triangle){l, i, j, z, zx, ut_vec3_negate(yz), ut_vec3_zero(), 0.0, p};
    } else if (r > q) {
        t = (Triangle){j, l, i, y, yz, ut_vec3_negate(xy), ut_vec3_zero(), 0.0, r};
    }
    t.k = ut_vec3_cross(t.e1, t.e2);
    t.kk = ut_vec3_dot(t.k, t.k);
    return t;
}

// Coordinates along e1 and e2 of the projection of -x onto the triangle's plane, from the areas
// that it makes with the edges.
static void plane_coordinates(const Triangle* t, utVec3 x, double* s1, double* s2)
{
    *s1 = ut_vec3_dot(t->k, ut_vec3_cross(t->e2, x)) / t->kk;
    *s2 = ut_vec3_dot(t->k, ut_vec3_cross(x, t->e1)) / t->kk;
}

// Projection of the origin into a triangle, computed as a sum of corners and along k. The second is
// more accurate near the origin, because the error of k is rounding divided by the triangle's
// height, while the error of the sum is the rounding of the corners.
// @return false when the two disagree, because the triangle is too flat
static bool project_origin(const Triangle* t, double* s1, double* s2, utVec3* v)
{
    utVec3 sum = ut_vec3_add_scaled(ut_vec3_add_scaled(t->a, *s1, t->e1), *s2, t->e2);
    double correction1, correction2;
    plane_coordinates(t, sum, &correction1, &correction2);
    sum = ut_vec3_add_scaled(ut_vec3_add_scaled(sum, correction1, t->e1), correction2, t->e2);
    *s1 += correction1;
    *s2 += correction2;
    const utVec3 p = ut_vec3_scale(t->k, ut_vec3_dot(t->k, t->a) / t->kk);
    const utVec3 difference = ut_vec3_sub(p, sum);
    const double square = ut_vec3_dot(p, p);
    *v = square <= t->longest ? p : sum;
    return ut_vec3_dot(difference, difference) <= DISAGREEMENT * (t->longest + square);
}

static Nearest nearest_on_face(const Simplex* simplex, int i, int j, int l)
{
    const Triangle t = make_triangle(simplex, i, j, l);
    const bool flat =
        !(t.kk > FLAT_SINE_SQUARE * ut_vec3_dot(t.e1, t.e1) * ut_vec3_dot(t.e2, t.e2));
    double s1 = 0.0, s2 = 0.0;
    if (!flat) {
        plane_coordinates(&t, t.a, &s1, &s2);
    }
    const double s0 = 1.0 - s1 - s2;
    const bool inside = !flat && s0 > 0.0 && s1 > 0.0 && s2 > 0.0;
    utVec3 v;
    if (inside && project_origin(&t, &s1, &s2, &v)) {
        return (Nearest){3, {t.i, t.j, t.l}, {1.0 - s1 - s2, s1, s2}, v, ut_vec3_dot(v, v)};
    }
    // outside of the triangle: the nearest edge is one that separates the projection from it
    const bool all = flat || inside;
    Nearest best = {.square = HUGE_VAL};
    if (all || !(s2 > 0.0)) {
        best = nearest_on_edge(simplex, t.i, t.j);
    }
    if (all || !(s1 > 0.0)) {
        best = nearer(best, nearest_on_edge(simplex, t.i, t.l));
    }
    if (all || !(s0 > 0.0)) {
        best = nearer(best, nearest_on_edge(simplex, t.j, t.l));
    }
    return best;
}

// Is the origin beyond the face (i, j, l), seen from the corner o? If o is nearly in the plane of
// the face, both sides count as beyond.
static bool is_beyond(const Simplex* s, int i, int j, int l, int o)
{
    const utVec3 a = s->corner[i].w;
    const utVec3 k = ut_vec3_cross(ut_vec3_sub(s->corner[j].w, a), ut_vec3_sub(s->corner[l].w, a));
    const utVec3 height = ut_vec3_sub(s->corner[o].w, a);
    const double inner = ut_vec3_dot(k, height), origin = -ut_vec3_dot(k, a);
    const double flat = FLAT_SINE_SQUARE * ut_vec3_dot(k, k) * ut_vec3_dot(height, height);
    return !(inner * inner > flat) || (inner > 0.0 ? origin < 0.0 : origin > 0.0);
}

// @return false when the origin is beyond none of the faces, so inside
static bool nearest_on_solid(const Simplex* s, Nearest* best)
{
    static const int face[4][4] = {{3, 1, 2, 0}, {3, 2, 0, 1}, {3, 0, 1, 2}, {0, 1, 2, 3}};
    bool outside = false;
    *best = (Nearest){.square = HUGE_VAL};
    for (int f = 0; f < 4; f++) {
        const int* c = face[f];
        if (is_beyond(s, c[0], c[1], c[2], c[3])) {
            *best = nearer(*best, nearest_on_face(s, c[0], c[1], c[2]));
            outside = true;
        }
    }
    return outside;
}

bool ut_simplex_nearest(Simplex* s)
{
    Nearest best = {.square = HUGE_VAL};
    if (s->count == 1) {
        best = nearest_corner(s, 0);
    } else if (s->count == 2) {
        best = nearest_on_edge(s, 0, 1);
    } else if (s->count == 3) {
        best = nearest_on_face(s, 0, 1, 2);
    } else if (!nearest_on_solid(s, &best)) {
        return false;
    }
    const Simplex old = *s;
    s->count = best.count;
    s->v = best.v;
    for (int i = 0; i < best.count; i++) {
        s->corner[i] = old.corner[best.index[i]];
        s->weight[i] = best.weight[i];
    }
    return true;
}

// ---- the iteration ------------------------------------------------------------------------------

static bool has_corner(const Simplex* s, utVec3 w)
{
    for (int i = 0; i < s->count; i++) {
        const utVec3 have = s->corner[i].w;
        if (have.x == w.x && have.y == w.y && have.z == w.z) {
            return true;
        }
    }
    return false;
}

// Update the bounds with direction n = v / |v| of the simplex `at`. Of directions that are equal up
// to rounding the latest is the best.
static void test_direction(const ConvexPair* pair, utVec3 n, const Simplex* at, Corner* corner,
                           Simplex* best, GapBounds* bounds)
{
    *corner = ut_difference_support(pair, n);
    const double value = ut_vec3_dot(n, corner->w);
    if (value > bounds->lower - UT_CORE_EPSILON * pair->size) {
        bounds->lower = value;
        bounds->normal = n;
        *best = *at;
    }
}

// Cores apart: choose between the simplex of the best direction and the last one by the alignment
// of their points with the normal.
static GjkOutcome finish_apart(const Simplex* last, GapBounds* bounds)
{
    GapBounds other = *bounds;
    other.simplex = *last;
    if (ut_bounds_misalignment(&other) < ut_bounds_misalignment(bounds)) {
        bounds->simplex = *last;
    }
    return GJK_APART;
}

GjkOutcome ut_gjk(const ConvexPair* pair, double far, double tolerance, GapBounds* bounds)
{
    Simplex at = bounds->simplex;
    double distance = ut_vec3_norm(at.v);
    int stalled = 0;
    for (int step = 0; step < MAX_GJK_STEPS && stalled < MAX_GJK_STALLED; step++) {
        bounds->upper = distance < bounds->upper ? distance : bounds->upper;
        if (bounds->lower > far) {
            return GJK_FAR;
        }
        if (!(distance > UT_CORE_TOUCH * pair->size)) {
            bounds->simplex = at;
            return GJK_TOUCH;
        }
        if (tolerance > 0.0 && bounds->upper - bounds->lower <= tolerance * pair->size) {
            bounds->simplex = at;
            return GJK_APART;
        }
        Corner corner;
        const utVec3 n = ut_vec3_scale(at.v, 1.0 / distance);
        test_direction(pair, n, &at, &corner, &bounds->simplex, bounds);
        if (has_corner(&at, corner.w)) {
            return finish_apart(&at, bounds);
        }
        at.corner[at.count++] = corner;
        if (!ut_simplex_nearest(&at)) {
            bounds->simplex = at;
            return GJK_TOUCH;
        }
        // |v| at the level of rounding may still improve its direction, for a few steps
        const double next = ut_vec3_norm(at.v);
        stalled += next < distance ? 0 : 1;
        distance = next;
    }
    return finish_apart(&at, bounds);
}
