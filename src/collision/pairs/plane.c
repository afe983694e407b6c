// SPDX-License-Identifier: Apache-2.0
// A plane against all other shapes: heights above the plane.
#include "collision/manifold/manifold.h"

static double height(const utFrame* plane, utVec3 n, utVec3 x)
{
    return ut_vec3_dot(n, ut_vec3_sub(x, plane->p));
}

// A ball of radius r about x.
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
    add_ball(A, ut_vec3_sub(B->p, half), b->size.x, CAPSULE_END_LOW, m);
    if (b->size.y > 0.0) {
        add_ball(A, ut_vec3_add(B->p, half), b->size.x, CAPSULE_END_HIGH, m);
    }
}

// A box over a plane: its half extents as world vectors.
typedef struct BoxOverPlane {
    const utFrame* plane;
    utVec3 n, centre, x, y, z;
} BoxOverPlane;

// Add corner k of the box; bit i of k selects the upper side of axis i.
static void add_corner(const BoxOverPlane* box, int k, Manifold* m)
{
    const utVec3 x = k & 1 ? box->x : ut_vec3_negate(box->x);
    const utVec3 y = k & 2 ? box->y : ut_vec3_negate(box->y);
    const utVec3 z = k & 4 ? box->z : ut_vec3_negate(box->z);
    const utVec3 corner = ut_vec3_add(ut_vec3_add(ut_vec3_add(x, y), z), box->centre);
    const double gap = height(box->plane, box->n, corner);
    ut_manifold_add(m, ut_vec3_add_scaled(corner, -0.5 * gap, box->n), box->n, gap, ROUND_FEATURE,
                    ut_box_corner_feature(k));
}

// The four lowest corners. Start at the lowest corner; switching axis i to its other side raises
// the corner by rise_i. With rises in ascending order the next corners are: first axis switched,
// second axis switched, and then either both or the third axis.
void ut_collide_plane_box(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                          Manifold* m)
{
    (void)a;
    const utVec3 n = ut_mat3_column(A->R, 2), down = ut_mat3_tmul_vec(B->R, n);
    double rise[3] = {2.0 * b->size.x * fabs(down.x), 2.0 * b->size.y * fabs(down.y),
                      2.0 * b->size.z * fabs(down.z)};
    const double lowest = height(A, n, B->p) - 0.5 * (rise[0] + rise[1] + rise[2]);
    double remaining_margin =
        m->margin - lowest + UT_REACH_ALLOWANCE * (b->size.x + b->size.y + b->size.z);
    if (!(remaining_margin >= 0.0)) {
        return;
    }
    remaining_margin = fmin(remaining_margin, DBL_MAX);
    // an axis without extent has one corner, not two
    rise[0] = b->size.x > 0.0 ? rise[0] : HUGE_VAL;
    rise[1] = b->size.y > 0.0 ? rise[1] : HUGE_VAL;
    rise[2] = b->size.z > 0.0 ? rise[2] : HUGE_VAL;
    const int low = (down.x < 0.0 ? 1 : 0) | (down.y < 0.0 ? 2 : 0) | (down.z < 0.0 ? 4 : 0);
    int i = rise[1] < rise[0] ? 1 : 0, j = 1 - i, k = 2;
    if (rise[2] < rise[j]) {
        k = j;
        j = rise[2] < rise[i] ? i : 2;
        i = rise[2] < rise[i] ? 2 : i;
    }
    // of two equally high corners take the one with the lower feature
    const int both = low ^ 1 << i ^ 1 << j, third = low ^ 1 << k;
    const double last = rise[i] + rise[j];
    const bool takes_both = last < rise[k] || (last == rise[k] && both < third);
    const BoxOverPlane box = {A,
                              n,
                              B->p,
                              ut_vec3_scale(ut_mat3_column(B->R, 0), b->size.x),
                              ut_vec3_scale(ut_mat3_column(B->R, 1), b->size.y),
                              ut_vec3_scale(ut_mat3_column(B->R, 2), b->size.z)};
    add_corner(&box, low, m);
    if (rise[i] <= remaining_margin) {
        add_corner(&box, low ^ 1 << i, m);
    }
    if (rise[j] <= remaining_margin) {
        add_corner(&box, low ^ 1 << j, m);
    }
    if ((takes_both ? last : rise[k]) <= remaining_margin) {
        add_corner(&box, takes_both ? both : third, m);
    }
}

// ---- cylinders, ellipsoids, hulls ---------------------------------------------------------------

// x is a point of shape b.
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
    const utVec3 down = ut_mat3_tmul_vec(B->R, ut_vec3_negate(n));
    const double middle = height(A, n, B->p), size = b->size.x + b->size.y;
    if (middle - size > m->margin) {
        return;
    }
    const RimPoints rim = ut_rim_points(b, down);
    for (int i = 0; i < rim.count; i++) {
        if (middle - ut_vec3_dot(down, rim.x[i]) <= m->margin + UT_REACH_ALLOWANCE * size) {
            add_point(A, n, ut_frame_point(*B, rim.x[i]), rim.feature[i], m);
        }
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
    Candidates list;
    list.slop = UT_FEATURE_SLOP * b->hull->size;
    list.count = 0;
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
                                     .feature_a = ROUND_FEATURE,
                                     .feature_b = 3 * i + 1};
        if (gap <= m->margin) {
            ut_candidates_add(&list, &candidate);
        }
    }
    ut_candidates_reduce(&list, UT_MANIFOLD_REDUCED);
    for (int i = 0; i < list.count; i++) {
        const Candidate* c = &list.item[i];
        ut_manifold_add(m, c->point, c->normal, c->gap, c->feature_a, c->feature_b);
    }
}
