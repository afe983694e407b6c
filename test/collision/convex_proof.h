// SPDX-License-Identifier: Apache-2.0
// Proofs of upper bounds: that no direction parts two overlapping cores at a lower cost than a
// given one, and which direction near a given one is the best.
//
// Directions are searched in double: a value of g(n) is then right to some 1e-15 L, and the bounds
// asked for are 1e-9 L. On a spherical triangle with corners n_i, whose support points are w_j,
// g(n) <= n.(sum of l_j w_j) for any weights l_j that add up to 1. Where that is negative in all
// three corners it is largest in one of them, and the best weights make it exact to second order
// in the size of the triangle. So triangles are halved until each of them is below what is to be
// proved.
#ifndef TEST_COLLISION_CONVEX_PROOF_H
#define TEST_COLLISION_CONVEX_PROOF_H

#include "convex_oracle.h"

// ---- cores in double ----------------------------------------------------------------------------

enum { QUICK_VERTICES = 16 };

typedef struct Quick {
    utShapeKind kind;
    utVec3 p, axis[3];
    double size[3];
    int vertices;
    utVec3 vertex[QUICK_VERTICES]; ///< placed
} Quick;

static inline utVec3 vec3_of(V3 a)
{
    return ut_vec3((double)a.x, (double)a.y, (double)a.z);
}

static inline Quick quick_of(const Body* body)
{
    const utVec3 s = body->shape->size;
    Quick q = {body->shape->kind, vec3_of(body->p), .size = {s.x, s.y, s.z}};
    for (int i = 0; i < 3; i++) {
        q.axis[i] = vec3_of(body->axis[i]);
    }
    if (q.kind == UT_SHAPE_HULL) {
        q.vertices = body->shape->hull->vertices;
        for (int i = 0; i < q.vertices; i++) {
            q.vertex[i] = vec3_of(to_world(body, v3_of(body->shape->hull->vertex[i])));
        }
    }
    return q;
}

static inline utVec3 quick_hull(const Quick* q, utVec3 n)
{
    int best = 0;
    double most = ut_vec3_dot(n, q->vertex[0]);
    for (int i = 1; i < q->vertices; i++) {
        const double along = ut_vec3_dot(n, q->vertex[i]);
        best = along > most ? i : best;
        most = along > most ? along : most;
    }
    return q->vertex[best];
}

static inline utVec3 quick_support(const Quick* q, utVec3 n)
{
    if (q->kind == UT_SHAPE_HULL) {
        return quick_hull(q, n);
    }
    double k[3] = {0.0, 0.0, 0.0};
    double d[3];
    for (int i = 0; i < 3; i++) {
        d[i] = ut_vec3_dot(n, q->axis[i]);
    }
    if (q->kind == UT_SHAPE_BOX) {
        for (int i = 0; i < 3; i++) {
            k[i] = copysign(q->size[i], d[i]);
        }
    } else if (q->kind == UT_SHAPE_ELLIPSOID) {
        const double x = q->size[0] * d[0], y = q->size[1] * d[1], z = q->size[2] * d[2];
        const double h = sqrt(x * x + y * y + z * z);
        k[0] = q->size[0] * x / h;
        k[1] = q->size[1] * y / h;
        k[2] = q->size[2] * z / h;
    } else if (q->kind != UT_SHAPE_SPHERE) {
        const double across = sqrt(d[0] * d[0] + d[1] * d[1]);
        const double r = q->kind == UT_SHAPE_CYLINDER && across > 0.0 ? q->size[0] / across : 0.0;
        k[0] = r * d[0];
        k[1] = r * d[1];
        k[2] = copysign(q->size[1], d[2]);
    }
    utVec3 x = ut_vec3_add_scaled(q->p, k[0], q->axis[0]);
    x = ut_vec3_add_scaled(x, k[1], q->axis[1]);
    return ut_vec3_add_scaled(x, k[2], q->axis[2]);
}

static inline utVec3 quick_apart(const Quick* a, const Quick* b, utVec3 n)
{
    return ut_vec3_sub(quick_support(b, ut_vec3_negate(n)), quick_support(a, n));
}

// ---- overlapping polytopes ----------------------------------------------------------------------

typedef struct Overlap {
    const Body* a;
    const Body* b;
    Quick qa, qb;
    double slack; ///< what double may be wrong by
    Real best;
    V3 n; ///< best = g(n)
} Overlap;

static inline void try_direction(Overlap* o, V3 n)
{
    const utVec3 d = vec3_of(n);
    if (ut_vec3_dot(d, quick_apart(&o->qa, &o->qb, d)) > (double)o->best - o->slack) {
        const Real value = apart_value(o->a, o->b, n);
        if (value > o->best) {
            o->best = value;
            o->n = n;
        }
    }
}

/// The gap of two polytopes (points and segments are such) that overlap: exact. Common normals of
/// edges that are parallel to 1e-9 are left to the faces beside them.
static inline Overlap overlap_of_polytopes(const Body* a, const Features* fa, const Body* b,
                                           const Features* fb, Real L)
{
    Overlap o = {a, b, quick_of(a), quick_of(b), (double)(1e-13L * L), -HUGE_VALL, {0, 0, 1}};
    for (int i = 0; i < fa->normals; i++) {
        try_direction(&o, fa->normal[i]);
    }
    for (int i = 0; i < fb->normals; i++) {
        try_direction(&o, v3_negate(fb->normal[i]));
    }
    for (int i = 0; i < fa->edges * fb->edges; i++) {
        const V3 k = v3_cross(fa->edge[i / fb->edges], fb->edge[i % fb->edges]);
        if (v3_dot(k, k) > 1e-18L) {
            const V3 n = v3_unit(k);
            try_direction(&o, n);
            try_direction(&o, v3_negate(n));
        }
    }
    return o;
}

// ---- closed forms -------------------------------------------------------------------------------

static inline bool is_rod(utShapeKind kind)
{
    return kind == UT_SHAPE_SPHERE || kind == UT_SHAPE_CAPSULE || kind == UT_SHAPE_CYLINDER;
}

/// Two cores that are points, segments or cylinders with one axis: their difference is a cylinder
/// around it, and the nearest of its lids and its wall is the answer. Axes that are not quite
/// parallel are: turning one of them by an angle moves its points by that times its size.
/// @param unsure by what the answer may be wrong
/// @return the gap of an overlap; HUGE_VALL: not to be had so
static inline Real overlap_of_rods(const Body* a, const Body* b, Real* unsure)
{
    const utShapeKind ka = a->shape->kind, kb = b->shape->kind;
    if (!is_rod(ka) || !is_rod(kb)) {
        return HUGE_VALL;
    }
    const Real ha = ka == UT_SHAPE_SPHERE ? 0.0L : (Real)a->shape->size.y;
    const Real hb = kb == UT_SHAPE_SPHERE ? 0.0L : (Real)b->shape->size.y;
    const Real ra = ka == UT_SHAPE_CYLINDER ? (Real)a->shape->size.x : 0.0L;
    const Real rb = kb == UT_SHAPE_CYLINDER ? (Real)b->shape->size.x : 0.0L;
    const bool turn_a = hypotl(ha, ra) < hypotl(hb, rb);
    const V3 axis = turn_a ? b->axis[2] : a->axis[2];
    *unsure = v3_norm(v3_cross(a->axis[2], b->axis[2])) *
              (turn_a ? hypotl(ha, ra) : hypotl(hb, rb)) * 1.01L;
    const V3 from = v3_add(b->p, -1.0L, a->p);
    const Real along = fabsl(v3_dot(from, axis));
    const Real across = v3_norm(v3_cross(from, axis));
    const Real lid = along - (ha + hb), wall = across - (ra + rb);
    return lid <= 0.0L && wall <= 0.0L ? fmaxl(lid, wall) : HUGE_VALL;
}

/// An ellipsoid with three equal axes is a ball: a point, grown by a radius.
static inline void find_balls(Body* body, utShape* point)
{
    const utVec3 s = body->shape->size;
    if (body->shape->kind == UT_SHAPE_ELLIPSOID && s.x == s.y && s.y == s.z) {
        *point = ut_shape(UT_SHAPE_SPHERE, s);
        body->shape = point;
        body->radius = (Real)s.x;
    }
}

// ---- all directions -----------------------------------------------------------------------------

typedef struct Cell {
    utVec3 n[3], w[3];
} Cell;

enum { CELL_DEPTH = 120 };

// the least over t in [0, 1] of the largest of x_i + t (y_i - x_i), where it is below `limit`
static inline bool mixes_below(const double x[3], const double y[3], double limit)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 3; i++) {
        const double slope = y[i] - x[i], room = limit - x[i];
        if (slope > 0.0) {
            high = fmin(high, room / slope);
        } else if (slope < 0.0) {
            low = fmax(low, room / slope);
        } else if (room < 0.0) {
            return false;
        }
    }
    return low <= high;
}

// weights of all three support points: those that make all three corners equal
static inline bool three_below(double m[3][3], double limit)
{
    const utVec3 r0 = ut_vec3(m[0][0], m[1][0], m[2][0]), r1 = ut_vec3(m[0][1], m[1][1], m[2][1]);
    const utVec3 r2 = ut_vec3(m[0][2], m[1][2], m[2][2]);
    const utVec3 l = ut_vec3_cross(ut_vec3_sub(r0, r1), ut_vec3_sub(r0, r2));
    const double sum = l.x + l.y + l.z;
    const double x = l.x / sum, y = l.y / sum, z = l.z / sum;
    if (!(x >= 0.0 && y >= 0.0 && z >= 0.0)) {
        return false;
    }
    const utVec3 k = ut_vec3(x, y, z);
    return fmax(ut_vec3_dot(k, r0), fmax(ut_vec3_dot(k, r1), ut_vec3_dot(k, r2))) <= limit;
}

// is g(n) no more than `limit`, which is negative, all over the triangle?
static inline bool is_below(const Cell* c, double limit)
{
    double m[3][3]; // m[j][i] = w_j . n_i
    for (int j = 0; j < 3; j++) {
        int below = 0;
        for (int i = 0; i < 3; i++) {
            m[j][i] = ut_vec3_dot(c->w[j], c->n[i]);
            below += m[j][i] <= limit;
        }
        if (below == 3) {
            return true;
        }
    }
    return mixes_below(m[0], m[1], limit) || mixes_below(m[1], m[2], limit) ||
           mixes_below(m[2], m[0], limit) || three_below(m, limit);
}

// The edge along which g bends the most: with the support points at its ends w_i and w_j it is
// (w_i - w_j).(n_j - n_i) / 4 below what they make of it at most; of equals the longer one.
static inline int most_bent_edge(const Cell* c, double limit)
{
    double bend[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const utVec3 e = ut_vec3_sub(c->n[j], c->n[i]);
        bend[i] = ut_vec3_dot(ut_vec3_sub(c->w[i], c->w[j]), e) - 1e-3 * limit * ut_vec3_dot(e, e);
    }
    return bend[0] >= bend[1] && bend[0] >= bend[2] ? 0 : bend[1] >= bend[2] ? 1 : 2;
}

typedef struct Search {
    Quick a, b;
    double limit;
    int left;    ///< halvings that may still be made
    double most; ///< the largest g(n) met
    utVec3 best; ///< most = g(best)
} Search;

static inline utVec3 visit(Search* s, utVec3 n)
{
    const utVec3 w = quick_apart(&s->a, &s->b, n);
    const double value = ut_vec3_dot(n, w);
    if (value > s->most) {
        s->most = value;
        s->best = n;
    }
    return w;
}

// @return false when a direction over the limit was met or there were too many triangles
static inline bool search_cell(Search* s, Cell first)
{
    Cell stack[CELL_DEPTH];
    int depth = 1;
    stack[0] = first;
    while (depth > 0) {
        const Cell cell = stack[--depth];
        if (is_below(&cell, s->limit)) {
            continue;
        }
        const int i = most_bent_edge(&cell, s->limit), j = (i + 1) % 3;
        utVec3 n;
        if (depth + 2 > CELL_DEPTH || --s->left < 0 ||
            !ut_vec3_normalize(ut_vec3_add(cell.n[i], cell.n[j]), &n)) {
            return false;
        }
        const utVec3 w = visit(s, n);
        if (s->most > s->limit) {
            return false;
        }
        stack[depth] = stack[depth + 1] = cell;
        stack[depth].n[i] = stack[depth + 1].n[j] = n;
        stack[depth].w[i] = stack[depth + 1].w[j] = w;
        depth += 2;
    }
    return true;
}

typedef enum Verdict {
    PROVED,    ///< no direction is over the limit
    REFUTED,   ///< search->best is
    UNSETTLED, ///< too many triangles
} Verdict;

/// Is g(n) <= limit < 0 for all n? The triangles begin along the axes of the frame R: kinks of g
/// there are then edges of triangles.
static inline Verdict prove_below(const Body* a, const Body* b, V3 hint, double limit, int cells,
                                  const V3 R[3], Search* s)
{
    *s = (Search){quick_of(a), quick_of(b), limit, cells, -HUGE_VAL, {0, 0, 1}};
    visit(s, vec3_of(hint));
    bool proved = s->most <= limit;
    for (int i = 0; i < 8 && proved; i++) {
        Cell cell;
        for (int k = 0; k < 3; k++) {
            cell.n[k] = ut_vec3_scale(vec3_of(R[k]), i & 1 << k ? -1.0 : 1.0);
            cell.w[k] = visit(s, cell.n[k]);
        }
        proved = s->most <= limit && search_cell(s, cell);
    }
    return proved ? PROVED : s->most > limit ? REFUTED : UNSETTLED;
}

// ---- directions nearby --------------------------------------------------------------------------

enum { POLYGON_CORNERS = 160 };

typedef struct Polygon {
    int count;
    Real x[POLYGON_CORNERS], y[POLYGON_CORNERS];
} Polygon;

static inline void polygon_centre(const Polygon* p, Real* x, Real* y, Real* reach)
{
    Real area = 0.0L, sx = 0.0L, sy = 0.0L;
    for (int i = 1; i + 1 < p->count; i++) {
        const Real ax = p->x[i] - p->x[0], ay = p->y[i] - p->y[0];
        const Real bx = p->x[i + 1] - p->x[0], by = p->y[i + 1] - p->y[0];
        const Real k = ax * by - ay * bx;
        area += k;
        sx += k * (ax + bx);
        sy += k * (ay + by);
    }
    *x = p->x[0] + (area != 0.0L ? sx / (3.0L * area) : 0.0L);
    *y = p->y[0] + (area != 0.0L ? sy / (3.0L * area) : 0.0L);
    *reach = 0.0L;
    for (int i = 0; i < p->count; i++) {
        *reach = fmaxl(*reach, fmaxl(fabsl(p->x[i] - *x), fabsl(p->y[i] - *y)));
    }
}

// keep the part where (x - cx) kx + (y - cy) ky >= 0
static inline void polygon_cut(Polygon* p, Real cx, Real cy, Real kx, Real ky)
{
    Polygon kept = {.count = 0};
    for (int i = 0; i < p->count; i++) {
        const int j = (i + 1) % p->count;
        const Real hi = (p->x[i] - cx) * kx + (p->y[i] - cy) * ky;
        const Real hj = (p->x[j] - cx) * kx + (p->y[j] - cy) * ky;
        if (hi >= 0.0L) {
            kept.x[kept.count] = p->x[i];
            kept.y[kept.count++] = p->y[i];
        }
        if ((hi > 0.0L && hj < 0.0L) || (hi < 0.0L && hj > 0.0L)) {
            const Real t = hi / (hi - hj);
            kept.x[kept.count] = p->x[i] + t * (p->x[j] - p->x[i]);
            kept.y[kept.count++] = p->y[i] + t * (p->y[j] - p->y[i]);
        }
    }
    *p = kept;
}

/// The direction of the largest g(n) within `radius` of n: a square of directions around n, cut
/// again and again through its middle by the gradient of g there, which leads up. Of cores apart g
/// has but one maximum and rises everywhere towards it; of others it does so near a maximum.
/// @param near the answer is known to this @param L what rounding is relative to
static inline V3 best_direction_near(const Body* a, const Body* b, V3 n, Real radius, Real near,
                                     Real L)
{
    const V3 t =
        v3_unit(v3_cross(n, fabsl(n.x) < 0.6L ? v3(1.0L, 0.0L, 0.0L) : v3(0.0L, 1.0L, 0.0L)));
    const V3 u = v3_cross(n, t);
    Polygon p = {4, {radius, -radius, -radius, radius}, {radius, radius, -radius, -radius}};
    V3 best = n;
    Real most = -HUGE_VALL;
    for (int step = 0; step < 100; step++) {
        Real x, y, reach;
        polygon_centre(&p, &x, &y, &reach);
        const V3 d = v3_unit(v3_add(v3_add(n, x, t), y, u)), w = apart_point(a, b, d);
        const Real g = v3_dot(d, w);
        if (g >= most) {
            most = g;
            best = d;
        }
        const V3 k = v3_add(w, -g, d);
        const Real kx = v3_dot(k, t), ky = v3_dot(k, u), length = sqrtl(kx * kx + ky * ky);
        if (reach < near || !(length > 1e-19L * L)) {
            return near > 1e-12L ? d : best;
        }
        polygon_cut(&p, x, y, kx / length, ky / length);
        if (p.count < 3 || p.count + 2 > POLYGON_CORNERS) {
            break;
        }
    }
    return best;
}

#endif
