// A plane against everything else: heights above it.
#include "collision/manifold.h"

static double height(const utFrame* plane, utVec3 n, utVec3 x)
{
    return ut_vec3_dot(n, ut_vec3_sub(x, plane->p));
}

// a ball of radius r about x
static void add_ball(const utFrame* plane, utVec3 x, double r, int feature, Manifold* m)
{
    const utVec3 n = ut_mat3_column(plane->R, 2);
    const double gap = height(plane, n, x) - r;
    ut_manifold_add(m, ut_vec3_add_scaled(x, -(r + 0.5 * gap), n), n, gap, ROUND_FEATURE, feature);
}

void ut_collide_plane_sphere(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                             Manifold* m)
{
    (void)a;
    add_ball(A, B->p, b->size.x, ROUND_FEATURE, m);
}

void ut_collide_plane_capsule(const utShape* a, const utFrame* A, const utShape* b,
                              const utFrame* B, Manifold* m)
{
    (void)a;
    const utVec3 half = ut_vec3_scale(ut_mat3_column(B->R, 2), b->size.y);
    add_ball(A, ut_vec3_sub(B->p, half), b->size.x, END_LOW, m);
    if (b->size.y > 0.0) {
        add_ball(A, ut_vec3_add(B->p, half), b->size.x, END_HIGH, m);
    }
}

typedef struct Corner {
    double gap;
    utVec3 x;
    int feature;
} Corner;

// the eight corners, in the order of their features
static void find_corners(const utFrame* A, utVec3 n, const utShape* b, const utFrame* B,
                         Corner corner[8])
{
    for (int i = 0; i < 8; i++) {
        const double x = i & 1 ? b->size.x : -b->size.x;
        const double y = i & 2 ? b->size.y : -b->size.y;
        const double z = i & 4 ? b->size.z : -b->size.z;
        corner[i].x = ut_frame_point(*B, ut_vec3(x, y, z));
        corner[i].gap = height(A, n, corner[i].x);
        corner[i].feature = ut_digit(0, x) + ut_digit(1, y) + ut_digit(2, z);
    }
}

// the four lowest corners; of equals those that come first
void ut_collide_plane_box(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                          Manifold* m)
{
    (void)a;
    const utVec3 n = ut_mat3_column(A->R, 2);
    Corner corner[8];
    if (height(A, n, B->p) - ut_shape_radius(b) > m->margin) {
        return;
    }
    find_corners(A, n, b, B, corner);
    for (int k = 0; k < UT_MANIFOLD_MAX; k++) {
        int lowest = k;
        for (int i = k + 1; i < 8; i++) {
            const bool tie = corner[i].gap == corner[lowest].gap;
            const bool first = corner[i].feature < corner[lowest].feature;
            lowest = corner[i].gap < corner[lowest].gap || (tie && first) ? i : lowest;
        }
        const Corner c = corner[lowest];
        corner[lowest] = corner[k];
        const utVec3 point = ut_vec3_add_scaled(c.x, -0.5 * c.gap, n);
        ut_manifold_add(m, point, n, c.gap, ROUND_FEATURE, c.feature);
    }
}

// ---- cylinders, ellipsoids, hulls ---------------------------------------------------------------

// x: of shape b
static void add_point(const utFrame* plane, utVec3 n, utVec3 x, int feature, Manifold* m)
{
    const double gap = height(plane, n, x);
    ut_manifold_add(m, ut_vec3_add_scaled(x, -0.5 * gap, n), n, gap, ROUND_FEATURE, feature);
}

void ut_collide_plane_cylinder(const utShape* a, const utFrame* A, const utShape* b,
                               const utFrame* B, Manifold* m)
{
    (void)a;
    const utVec3 n = ut_mat3_column(A->R, 2);
    const RimPoints rim = ut_rim_points(b, ut_mat3_tmul_vec(B->R, ut_vec3_negate(n)));
    for (int i = 0; i < 4; i++) {
        add_point(A, n, ut_frame_point(*B, rim.x[i]), rim.feature[i], m);
    }
}

void ut_collide_plane_ellipsoid(const utShape* a, const utFrame* A, const utShape* b,
                                const utFrame* B, Manifold* m)
{
    (void)a;
    const utVec3 n = ut_mat3_column(A->R, 2);
    const utVec3 low = ut_shape_support(b, ut_mat3_tmul_vec(B->R, ut_vec3_negate(n)));
    add_point(A, n, ut_frame_point(*B, low), ROUND_FEATURE, m);
}

void ut_collide_plane_hull(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                           Manifold* m)
{
    (void)a;
    const utVec3 n = ut_mat3_column(A->R, 2), n_local = ut_mat3_tmul_vec(B->R, n);
    const double middle = height(A, n, B->p);
    Candidates list = {.slop = UT_SLOP * b->hull->size};
    for (int i = 0; i < b->hull->vertices; i++) {
        const double rough = middle + ut_vec3_dot(n_local, b->hull->vertex[i]);
        if (!(rough <= m->margin + list.slop)) {
            continue;
        }
        const utVec3 x = ut_frame_point(*B, b->hull->vertex[i]);
        const double gap = height(A, n, x);
        const Candidate candidate = {.point = ut_vec3_add_scaled(x, -0.5 * gap, n),
                                     .normal = n,
                                     .gap = gap,
                                     .fa = ROUND_FEATURE,
                                     .fb = 3 * i + 1};
        if (gap <= m->margin) {
            ut_candidates_add(&list, &candidate);
        }
    }
    ut_candidates_reduce(&list, UT_MANIFOLD_MAX);
    for (int i = 0; i < list.count; i++) {
        const Candidate* c = &list.item[i];
        ut_manifold_add(m, c->point, c->normal, c->gap, c->fa, c->fb);
    }
}
