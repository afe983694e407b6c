// Spheres and capsules: a ball swept along a segment, so distances of points and segments less the
// radii.
//
// Axes are unit vectors u and v, half lengths h and k; w goes from the centre of the first segment
// to that of the second.
#include "collision/internal.h"

// Two balls about the points x and x + v. @param instead the normal where v vanishes
static void add_balls(utVec3 x, double r, utVec3 v, double s, utVec3 instead, int fa, int fb,
                      Manifold* m)
{
    utVec3 n;
    if (!ut_vec3_normalize(v, &n)) {
        n = instead;
    }
    const double gap = ut_vec3_norm(v) - (r + s);
    ut_manifold_add(m, ut_vec3_add_scaled(x, r + 0.5 * gap, n), n, gap, fa, fb);
}

void ut_collide_sphere_sphere(const utShape* a, const utFrame* A, const utShape* b,
                              const utFrame* B, Manifold* m)
{
    add_balls(A->p, a->size.x, ut_vec3_sub(B->p, A->p), b->size.x, ut_mat3_column(A->R, 2),
              ROUND_FEATURE, ROUND_FEATURE, m);
}

// Which part of a capsule holds the point at s of an axis of half length h?
static int part(double s, double h)
{
    return s <= -h ? END_LOW : s >= h ? END_HIGH : SHAFT;
}

void ut_collide_sphere_capsule(const utShape* a, const utFrame* A, const utShape* b,
                               const utFrame* B, Manifold* m)
{
    const utVec3 v = ut_mat3_column(B->R, 2);
    const utVec3 w = ut_vec3_sub(B->p, A->p);
    const double t = ut_clamp(-ut_vec3_dot(v, w), b->size.y);
    add_balls(A->p, a->size.x, ut_vec3_add_scaled(w, t, v), b->size.x, ut_mat3_column(B->R, 0),
              ROUND_FEATURE, part(t, b->size.y), m);
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
    return ut_clamp(ut_vec3_dot(x->v, ut_vec3_sub(ut_vec3_scale(x->u, s), x->w)), x->k);
}

static double nearest_on_first(const Axes* x, double t)
{
    return ut_clamp(ut_vec3_dot(x->u, ut_vec3_add_scaled(x->w, t, x->v)), x->h);
}

// from the point at s of the first axis to the point at t of the second
static utVec3 connection(const Axes* x, double s, double t)
{
    return ut_vec3_sub(ut_vec3_add_scaled(x->w, t, x->v), ut_vec3_scale(x->u, s));
}

// One point: the closest of the two segments. Inside both, the normal is that of both axes, which
// holds where they cross too.
static void add_closest(const utShape* a, const utFrame* A, const utShape* b, const Axes* x,
                        Manifold* m)
{
    const bool parallel = x->square <= UT_NEAR_PARALLEL * UT_NEAR_PARALLEL;
    double s = parallel
                   ? ut_clamp(ut_vec3_dot(x->u, x->w), x->h)
                   : ut_clamp(ut_vec3_dot(ut_vec3_cross(x->w, x->v), x->across) / x->square, x->h);
    const double t = nearest_on_second(x, s);
    if (parallel || part(t, x->k) != SHAFT) {
        s = nearest_on_first(x, t);
    }
    const int fa = part(s, x->h), fb = part(t, x->k);
    utVec3 d = connection(x, s, t);
    utVec3 instead = ut_mat3_column(A->R, 0);
    if (!parallel) {
        ut_vec3_normalize(x->across, &instead);
        const double along = ut_vec3_dot(d, instead);
        if (fa == SHAFT && fb == SHAFT) {
            d = ut_vec3_scale(instead, along);
        }
        instead = along < 0.0 ? ut_vec3_negate(instead) : instead;
    }
    if (!(ut_vec3_norm(d) > 1e-14 * x->size)) {
        d = ut_vec3_zero();
    }
    add_balls(ut_vec3_add_scaled(A->p, s, x->u), a->size.x, d, b->size.x, instead, fa, fb, m);
}

// Parallel axes that lie beside each other: a point at each end of the common stretch.
// @return false when there is none or the two points would push in different directions
static bool add_parallel(const utShape* a, const utFrame* A, const utShape* b, const Axes* x,
                         Manifold* m)
{
    const double middle = ut_vec3_dot(x->u, x->w);
    const double low = middle - x->k > -x->h ? middle - x->k : -x->h;
    const double high = middle + x->k < x->h ? middle + x->k : x->h;
    if (!(high - low > 1e-6 * x->size)) {
        return false;
    }
    const double s[2] = {low, high};
    utVec3 d[2], n[2];
    int fa[2], fb[2];
    for (int i = 0; i < 2; i++) {
        const double t = nearest_on_second(x, s[i]);
        d[i] = connection(x, s[i], t);
        if (!(ut_vec3_norm(d[i]) > 1e-14 * x->size)) {
            d[i] = ut_vec3_zero();
        }
        if (!ut_vec3_normalize(d[i], &n[i])) {
            n[i] = ut_mat3_column(A->R, 0);
        }
        fa[i] = part(s[i], x->h - UT_SLOP * x->size);
        fb[i] = fa[i] != SHAFT ? SHAFT : t < 0.0 ? END_LOW : END_HIGH;
    }
    if (!(ut_vec3_dot(n[0], n[1]) > 0.5)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        add_balls(ut_vec3_add_scaled(A->p, s[i], x->u), a->size.x, d[i], b->size.x, n[i], fa[i],
                  fb[i], m);
    }
    return true;
}

void ut_collide_capsule_capsule(const utShape* a, const utFrame* A, const utShape* b,
                                const utFrame* B, Manifold* m)
{
    const Axes x = find_axes(a, A, b, B);
    const bool parallel = x.square <= UT_NEAR_PARALLEL * UT_NEAR_PARALLEL;
    if (!(parallel && add_parallel(a, A, b, &x, m))) {
        add_closest(a, A, b, &x, m);
    }
}
