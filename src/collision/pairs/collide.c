// SPDX-License-Identifier: Apache-2.0
// The narrow phase: from two shapes to their contact manifold.
//
// Every pair is computed in one order only: the lower kind first, and for equal kinds in an order
// that depends on the shapes alone. So (b, a) gives the same bits as (a, b).
#include "collision/manifold/manifold.h"

// Closed forms where there are any, the general convex method otherwise. The lower kind comes
// first.
static PairCollide* const table[UT_SHAPE_KIND_COUNT][UT_SHAPE_KIND_COUNT] = {
    [UT_SHAPE_PLANE] = {NULL, ut_collide_plane_sphere, ut_collide_plane_capsule,
                        ut_collide_plane_box, ut_collide_plane_cylinder, ut_collide_plane_ellipsoid,
                        ut_collide_plane_hull},
    [UT_SHAPE_SPHERE] = {NULL, ut_collide_sphere_sphere, ut_collide_sphere_capsule,
                         ut_collide_sphere_box, ut_collide_sphere_cylinder, ut_collide_convex,
                         ut_collide_convex, ut_collide_surface, ut_collide_surface},
    [UT_SHAPE_CAPSULE] = {NULL, NULL, ut_collide_capsule_capsule, ut_collide_capsule_box,
                          ut_collide_capsule_cylinder, ut_collide_convex, ut_collide_convex,
                          ut_collide_surface, ut_collide_surface},
    [UT_SHAPE_BOX] = {NULL, NULL, NULL, ut_collide_box_box, ut_collide_convex, ut_collide_convex,
                      ut_collide_convex, ut_collide_surface, ut_collide_surface},
    [UT_SHAPE_CYLINDER] = {NULL, NULL, NULL, NULL, ut_collide_convex, ut_collide_convex,
                           ut_collide_convex, ut_collide_surface, ut_collide_surface},
    [UT_SHAPE_ELLIPSOID] = {NULL, NULL, NULL, NULL, NULL, ut_collide_convex, ut_collide_convex,
                            ut_collide_surface, ut_collide_surface},
    [UT_SHAPE_HULL] = {NULL, NULL, NULL, NULL, NULL, NULL, ut_collide_convex, ut_collide_surface,
                       ut_collide_surface},
};

// ---- touches ------------------------------------------------------------------------------------

static void swap_sides(Manifold* m)
{
    for (int i = 0; i < m->count; i++) {
        const uint64_t feature = m->touch[i].feature;
        m->touch[i].normal = ut_vec3_negate(m->touch[i].normal);
        m->touch[i].feature = feature << 32 | feature >> 32;
    }
}

static void sort_by_feature(Manifold* m)
{
    for (int i = 1; i < m->count; i++) {
        if (m->touch[i - 1].feature <= m->touch[i].feature) {
            continue;
        }
        const utTouch moving = m->touch[i];
        int j = i;
        for (; j > 0 && m->touch[j - 1].feature > moving.feature; j--) {
            m->touch[j] = m->touch[j - 1];
        }
        m->touch[j] = moving;
    }
}

static void collide_in_order(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                             Manifold* m)
{
    PairCollide* collide = table[a->kind][b->kind];
    if (collide == NULL) {
        return;
    }
    collide(a, A, b, B, m);
    // kinds are sorted: all kinds below the mesh are convex, except the plane
    if (m->count > 0 && m->count < UT_MANIFOLD_REDUCED && !m->complete &&
        a->kind != UT_SHAPE_PLANE && b->kind < UT_SHAPE_MESH) {
        ut_manifold_add_extra(a, A, b, B, m);
    }
}

int ut_collide(const utShape* a, utFrame A, const utShape* b, utFrame B, double margin,
               utTouch* touch)
{
    if (!ut_pair_usable(a, &A, b, &B)) {
        return 0;
    }
    Manifold m = {margin, 0, touch, false};
    if (a->kind == b->kind ? ut_pair_reversed(a, &A, b, &B) : a->kind > b->kind) {
        collide_in_order(b, &B, a, &A, &m);
        swap_sides(&m);
    } else {
        collide_in_order(a, &A, b, &B, &m);
    }
    sort_by_feature(&m);
    return m.count;
}
