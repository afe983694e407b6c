// SPDX-License-Identifier: Apache-2.0
// A sphere against a box, computed in the frame of the box, which is the second shape. Normals in
// that frame point from the box to the sphere.
#include "collision/internal.h"

// The centre c is inside the box: leave through the nearest face.
static void add_inside(const utFrame* B, const double half[3], const double c[3], double r,
                       Manifold* m)
{
    int axis = 0;
    for (int i = 1; i < 3; i++) {
        axis = half[i] - fabs(c[i]) < half[axis] - fabs(c[axis]) ? i : axis;
    }
    const double sign = c[axis] < 0.0 ? -1.0 : 1.0;
    double n[3] = {0.0, 0.0, 0.0}, x[3] = {c[0], c[1], c[2]};
    n[axis] = sign;
    x[axis] = sign * half[axis];
    ut_manifold_add_on_box(B, x, n, fabs(c[axis]) - half[axis] - r, ROUND_FEATURE,
                           ut_box_digit(axis, sign), m);
}

void ut_collide_sphere_box(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                           Manifold* m)
{
    m->complete = true;
    const utVec3 centre = ut_frame_point_inverse(*B, A->p);
    const double half[3] = {b->size.x, b->size.y, b->size.z};
    const double c[3] = {centre.x, centre.y, centre.z};
    double nearest[3], d[3];
    int feature = 0;
    for (int i = 0; i < 3; i++) {
        nearest[i] = ut_clamp_abs(c[i], half[i]);
        d[i] = c[i] - nearest[i];
        feature += d[i] != 0.0 ? ut_box_digit(i, d[i]) : 0;
    }
    if (feature == 0) {
        add_inside(B, half, c, a->size.x, m);
        return;
    }
    utVec3 n = ut_vec3_zero();
    const double gap = ut_vec3_norm(ut_vec3_from(d)) - a->size.x;
    if (gap <= m->margin) {
        ut_norm_and_unit(ut_vec3_from(d), &n);
        ut_manifold_add_on_box(B, nearest, (double[3]){n.x, n.y, n.z}, gap, ROUND_FEATURE, feature,
                               m);
    }
}
