// SPDX-License-Identifier: Apache-2.0
// Spheres and capsules: balls swept along segments, so gaps are distances of points and segments
// minus the radii.
//
// u and v are the unit axes, h and k the half lengths; w points from the centre of the first
// segment to the centre of the second.
#include "collision/internal.h"

// Two balls, about x and x + v. @param fallback_normal the normal when v vanishes
static void add_balls(utVec3 x, double r, utVec3 v, double s, utVec3 fallback_normal, int feature_a,
                      int feature_b, Manifold* m)
{
    const double gap = ut_vec3_norm(v) - (r + s);
    if (!(gap <= m->margin)) {
        return;
    }
    utVec3 n = fallback_normal;
    ut_norm_and_unit(v, &n);
    ut_manifold_add(m, ut_vec3_add_scaled(x, r + 0.5 * gap, n), n, gap, feature_a, feature_b);
}

void ut_collide_sphere_sphere(const utShape* a, const utFrame* A, const utShape* b,
                              const utFrame* B, Manifold* m)
{
    add_balls(A->p, a->size.x, ut_vec3_sub(B->p, A->p), b->size.x, ut_mat3_column(A->R, 2),
              ROUND_FEATURE, ROUND_FEATURE, m);
    m->complete = true;
}

// The feature of a capsule at the position s of an axis of half length h.
static int feature_at(double s, double h)
{
    return s <= -h ? CAPSULE_END_LOW : s >= h ? CAPSULE_END_HIGH : CAPSULE_SHAFT;
}

// Are balls of radii r and s, whose centres differ by v, within the margin? A little more than
// rounding is allowed.
static bool is_within(utVec3 v, double r, double s, double margin)
{
    const double reach = (r + s + margin) * (1.0 + UT_REACH_ALLOWANCE);
    return !(reach >= 0.0 && ut_vec3_dot(v, v) > reach * reach);
}

void ut_collide_sphere_capsule(const utShape* a, const utFrame* A, const utShape* b,
                               const utFrame* B, Manifold* m)
{
    const utVec3 v = ut_mat3_column(B->R, 2);
    const utVec3 w = ut_vec3_sub(B->p, A->p);
    const double half = b->size.y, along = ut_vec3_dot(v, w), t = ut_clamp_abs(-along, half);
    add_balls(A->p, a->size.x, ut_vec3_add_scaled(w, t, v), b->size.x, ut_mat3_column(B->R, 0),
              ROUND_FEATURE, feature_at(t, half), m);
    // the ends may be within the margin too: their distances from the sphere are |w +- half v|
    const double reach = (a->size.x + b->size.x + m->margin) * (1.0 + UT_REACH_ALLOWANCE);
    const double middle = ut_vec3_dot(w, w) + half * half, shift = 2.0 * half * along;
    m->complete = m->count == 0 || (reach >= 0.0 && (t == half || middle + shift > reach * reach) &&
                                    (t == -half || middle - shift > reach * reach));
}

// ---- two capsules -------------------------------------------------------------------------------

typedef struct Axes {
    utVec3 u, v, w;
    double h, k;
    utVec3 across; // u x v
    double square; // |u x v|^2
    double size;
} Axes;

static Axes find_axes(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B)
{
    Axes x = {.u = ut_mat3_column(A->R, 2), .v = ut_mat3_column(B->R, 2)};
    x.w = ut_vec3_sub(B->p, A->p);
    x.h = a->size.y;
    x.k = b->size.y;
    x.across = ut_vec3_cross(x.u, x.v);
    x.square = ut_vec3_dot(x.across, x.across);
    x.size = a->size.x + b->size.x + x.h + x.k;
    return x;
}

static double nearest_on_second(const Axes* x, double s)
{
    return ut_clamp_abs(ut_vec3_dot(x->v, ut_vec3_sub(ut_vec3_scale(x->u, s), x->w)), x->k);
}

static double nearest_on_first(const Axes* x, double t)
{
    return ut_clamp_abs(ut_vec3_dot(x->u, ut_vec3_add_scaled(x->w, t, x->v)), x->h);
}

// From position s of the first axis to position t of the second.
static utVec3 connection(const Axes* x, double s, double t)
{
    return ut_vec3_sub(ut_vec3_add_scaled(x->w, t, x->v), ut_vec3_scale(x->u, s));
}

// The closest points of the two segments. If both are interior, the normal is the cross product of
// the axes, which is also valid where the axes intersect.
static void add_closest(const utShape* a, const utFrame* A, const utShape* b, const Axes* x,
                        Manifold* m)
{
    const bool parallel = x->square <= UT_PARALLEL_SINE * UT_PARALLEL_SINE;
    double s =
        parallel
            ? ut_clamp_abs(ut_vec3_dot(x->u, x->w), x->h)
            : ut_clamp_abs(ut_vec3_dot(ut_vec3_cross(x->w, x->v), x->across) / x->square, x->h);
    const double t = nearest_on_second(x, s);
    if (parallel || feature_at(t, x->k) != CAPSULE_SHAFT) {
        s = nearest_on_first(x, t);
    }
    const int feature_a = feature_at(s, x->h), feature_b = feature_at(t, x->k);
    utVec3 d = connection(x, s, t), fallback_normal = ut_mat3_column(A->R, 0);
    const double vanishing = UT_VANISHING * x->size;
    const bool vanishes = !(ut_vec3_dot(d, d) > vanishing * vanishing);
    const bool inside = feature_a == CAPSULE_SHAFT && feature_b == CAPSULE_SHAFT;
    if (!parallel && (inside || vanishes)) {
        ut_norm_and_unit(x->across, &fallback_normal);
        const double along = ut_vec3_dot(d, fallback_normal);
        d = inside ? ut_vec3_scale(fallback_normal, along) : d;
        fallback_normal = along < 0.0 ? ut_vec3_negate(fallback_normal) : fallback_normal;
    }
    if (!(ut_vec3_dot(d, d) > vanishing * vanishing)) {
        d = ut_vec3_zero();
    }
    add_balls(ut_vec3_add_scaled(A->p, s, x->u), a->size.x, d, b->size.x, fallback_normal,
              feature_a, feature_b, m);
}

// Parallel axes side by side: one point at each end of the common stretch.
// @return false when there is none or when the two normals differ widely
static bool add_parallel(const utShape* a, const utFrame* A, const utShape* b, const Axes* x,
                         Manifold* m)
{
    const double middle = ut_vec3_dot(x->u, x->w);
    const double low = middle - x->k > -x->h ? middle - x->k : -x->h;
    const double high = middle + x->k < x->h ? middle + x->k : x->h;
    if (!(high - low > UT_MIN_STRETCH * x->size)) {
        return false;
    }
    const double s[2] = {low, high};
    utVec3 d[2], n[2];
    int feature_a[2], feature_b[2];
    for (int i = 0; i < 2; i++) {
        const double t = nearest_on_second(x, s[i]);
        d[i] = connection(x, s[i], t);
        if (!(ut_vec3_norm(d[i]) > UT_VANISHING * x->size)) {
            d[i] = ut_vec3_zero();
        }
        if (!ut_vec3_normalize(d[i], &n[i])) {
            n[i] = ut_mat3_column(A->R, 0);
        }
        feature_a[i] = feature_at(s[i], x->h - UT_FEATURE_SLOP * x->size);
        feature_b[i] = feature_a[i] != CAPSULE_SHAFT ? CAPSULE_SHAFT
                       : t < 0.0                     ? CAPSULE_END_LOW
                                                     : CAPSULE_END_HIGH;
    }
    if (!(ut_vec3_dot(n[0], n[1]) > UT_SIMILAR_NORMAL)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        add_balls(ut_vec3_add_scaled(A->p, s[i], x->u), a->size.x, d[i], b->size.x, n[i],
                  feature_a[i], feature_b[i], m);
    }
    return true;
}

static bool has_end(const Manifold* m, bool second, uint32_t end)
{
    for (int i = 0; i < m->count; i++) {
        const uint64_t both = m->touch[i].feature;
        if ((second ? both & 0xffffffffu : both >> 32) == end) {
            return true;
        }
    }
    return false;
}

// May an end without a point be within the margin of the other capsule? It must be so along the
// normal n too: `low` is the gap along n, and an end that faces away is farther by its length. (Two
// shafts that cross are the nearest points themselves.)
static bool may_have_more(const utShape* a, const utShape* b, const Axes* x, const Manifold* m)
{
    const utTouch* deepest = &m->touch[m->count > 1 && m->touch[1].gap < m->touch[0].gap ? 1 : 0];
    const double u_along_n = ut_vec3_dot(x->u, deepest->normal),
                 v_along_n = ut_vec3_dot(x->v, deepest->normal);
    const double low = ut_vec3_dot(x->w, deepest->normal) - x->h * fabs(u_along_n) -
                       x->k * fabs(v_along_n) - (a->size.x + b->size.x);
    const double remaining_margin = m->margin - low + UT_REACH_ALLOWANCE * x->size;
    for (int i = 0; i < 4; i++) {
        const bool second = i >= 2, upper = i % 2 == 1;
        const bool facing = second ? upper == (v_along_n < 0.0) : upper == (u_along_n >= 0.0);
        if (has_end(m, second, upper ? CAPSULE_END_HIGH : CAPSULE_END_LOW) ||
            (!facing &&
             2.0 * (second ? x->k * fabs(v_along_n) : x->h * fabs(u_along_n)) > remaining_margin)) {
            continue;
        }
        const double end = upper ? 1.0 : -1.0;
        const double s = second ? nearest_on_first(x, end * x->k) : end * x->h;
        const double t = second ? end * x->k : nearest_on_second(x, s);
        if (is_within(connection(x, s, t), a->size.x, b->size.x, m->margin)) {
            return true;
        }
    }
    return false;
}

void ut_collide_capsule_capsule(const utShape* a, const utFrame* A, const utShape* b,
                                const utFrame* B, Manifold* m)
{
    const Axes x = find_axes(a, A, b, B);
    const bool parallel = x.square <= UT_PARALLEL_SINE * UT_PARALLEL_SINE;
    if (!(parallel && add_parallel(a, A, b, &x, m))) {
        add_closest(a, A, b, &x, m);
    }
    m->complete = m->count == 0 || !may_have_more(a, b, &x, m);
}
