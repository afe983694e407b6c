// SPDX-License-Identifier: Apache-2.0
// A convex shape against a surface: which triangles are near, and which of them matter.
//
// Two walks over the triangles near the shape. The first notes the planes that the shape reaches
// below, and whether it would rather leave by a neighbour; the second gathers the points.
#include "internal.h"

// ---- the two walks ------------------------------------------------------------------------------

// first: planes that the shape reaches below
static void note(void* context, int id)
{
    ut_pair_note_below(context, id);
}

static void meet_edges(Pair* pair, const Patch* patch)
{
    for (int k = 0; k < 3; k++) {
        const utVec3 end[2] = {patch->t.v[k], patch->t.v[(k + 1) % 3]};
        if (patch->convex[k] && patch->owned[k] && ut_pair_reaches(pair, 2, end)) {
            if (pair->smooth) {
                ut_smooth_meets_edge(pair, patch, k);
            } else {
                ut_core_meets_edge(pair, patch, k);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        if ((patch->convex[k] || patch->convex[(k + 2) % 3]) &&
            ut_pair_reaches(pair, 1, &patch->t.v[k])) {
            Fan fan;
            ut_patch_fan(pair, patch, k, &fan);
            if (fan.owned && pair->smooth) {
                ut_smooth_meets_vertex(pair, &fan);
            } else if (fan.owned) {
                ut_core_meets_vertex(pair, &fan);
            }
        }
    }
}

// second: points
static void meet(void* context, int id)
{
    Pair* pair = context;
    Patch patch;
    ut_patch_corners(pair, id, &patch);
    if (ut_pair_height(pair, &patch) - ut_pair_radius(pair) > pair->margin) {
        return;
    }
    ut_patch_sides(&patch);
    const bool convex = ut_patch_edges(pair, &patch);
    if (pair->smooth) {
        ut_smooth_meets_face(pair, &patch);
    } else {
        ut_core_meets_face(pair, &patch);
    }
    if (convex && ut_pair_reaches(pair, 3, patch.t.v)) {
        meet_edges(pair, &patch);
    }
}

// ---- the pair -----------------------------------------------------------------------------------

static void prepare(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                    double margin, Pair* pair)
{
    pair->shape = a;
    pair->surface = b->kind == UT_SHAPE_MESH ? ut_surface_of_mesh(b->mesh)
                                             : ut_surface_of_heights(b->heights, b->size);
    pair->at = ut_frame_mul(ut_frame_inverse(*A), *B);
    pair->margin = margin;
    pair->smooth = a->kind == UT_SHAPE_CYLINDER || a->kind == UT_SHAPE_ELLIPSOID;
    const utBounds own = ut_shape_bounds(a, ut_frame_identity());
    const utVec3 half = ut_vec3_scale(ut_vec3_sub(own.high, own.low), 0.5);
    const double grow = margin > 0.0 ? margin : 0.0;
    pair->reach = ut_vec3_add(half, ut_vec3(grow, grow, grow));
    pair->middle = ut_vec3_scale(ut_vec3_add(own.low, own.high), 0.5);
    // the surface's own rounding where it stands
    const double noise = 64.0 * DBL_EPSILON * ut_vec3_norm(pair->at.p);
    pair->slop = UT_SLOP * fmax(half.x, fmax(half.y, half.z)) + noise;
    pair->below_count = 0;
    pair->clusters.count = 0;
    pair->clusters.slop = pair->slop;
    if (!pair->smooth) {
        ut_core_of(a, &pair->core);
    }
    pair->clusters.radius = ut_pair_radius(pair);
    pair->clusters.cylinder = a->kind == UT_SHAPE_CYLINDER;
}

// What lies below a plane is projected up on it: the walk must get there.
static void reach_feet(const Pair* pair, utBounds* box)
{
    const utBounds start = *box;
    for (int i = 0; i < pair->below_count; i++) {
        if (!pair->below[i].yields) {
            const utVec3 n = ut_mat3_tmul_vec(pair->at.R, pair->below[i].normal);
            const utVec3 d = ut_vec3_scale(n, pair->below[i].depth);
            box->low =
                ut_vec3(fmin(box->low.x, start.low.x + d.x), fmin(box->low.y, start.low.y + d.y),
                        fmin(box->low.z, start.low.z + d.z));
            box->high = ut_vec3(fmax(box->high.x, start.high.x + d.x),
                                fmax(box->high.y, start.high.y + d.y),
                                fmax(box->high.z, start.high.z + d.z));
        }
    }
}

static void add_touches(const Pair* pair, const utFrame* A, int count, const Meeting* found,
                        Manifold* m)
{
    for (int i = 0; i < count && m->count < UT_TOUCH_MAX; i++) {
        const Meeting* x = &found[i];
        const utVec3 point = ut_vec3_add_scaled(x->foot, 0.5 * x->gap, x->normal);
        if (x->gap <= pair->margin) {
            m->touch[m->count++] = (utTouch){ut_frame_point(*A, point),
                                             ut_vec3_negate(ut_mat3_mul_vec(A->R, x->normal)),
                                             x->gap, (uint64_t)x->fa << 32 | x->fb};
        }
    }
}

void ut_collide_surface(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                        Manifold* m)
{
    Pair pair;
    prepare(a, A, b, B, m->margin, &pair);
    utBounds box = ut_shape_bounds(a, ut_frame_inverse(pair.at));
    const double grow = fmax(m->margin, 0.0) + pair.slop;
    box.low = ut_vec3_sub(box.low, ut_vec3(grow, grow, grow));
    box.high = ut_vec3_add(box.high, ut_vec3(grow, grow, grow));
    ut_surface_walk(&pair.surface, &box, note, &pair);
    reach_feet(&pair, &box);
    ut_surface_walk(&pair.surface, &box, meet, &pair);

    Meeting found[UT_TOUCH_MAX];
    add_touches(&pair, A, ut_clusters_reduce(&pair.clusters, found), found, m);
}
