// SPDX-License-Identifier: Apache-2.0
// A convex shape against a surface.
//
// Two passes over the triangles near the shape. The first notes the planes that the shape
// penetrates, and whether a neighbour gives a shorter exit. The second collects the contact points.
#include "internal.h"

// ---- the two walks ------------------------------------------------------------------------------

// First pass: planes that the shape penetrates.
static void note_penetrated(void* context, int id)
{
    ut_surface_pair_note_penetrated(context, id);
}

static void collect_edge_points(SurfacePair* pair, const Patch* patch)
{
    for (int k = 0; k < 3; k++) {
        const utVec3 end[2] = {patch->t.v[k], patch->t.v[(k + 1) % 3]};
        if (patch->convex[k] && patch->owns_edge[k] && ut_surface_pair_reaches(pair, 2, end)) {
            if (pair->smooth) {
                ut_smooth_collide_edge(pair, patch, k);
            } else {
                ut_core_collide_edge(pair, patch, k);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        if ((patch->convex[k] || patch->convex[(k + 2) % 3]) &&
            ut_surface_pair_reaches(pair, 1, &patch->t.v[k])) {
            Fan fan;
            ut_patch_vertex_fan(pair, patch, k, &fan);
            if (fan.owned && pair->smooth) {
                ut_smooth_collide_vertex(pair, &fan);
            } else if (fan.owned) {
                ut_core_collide_vertex(pair, &fan);
            }
        }
    }
}

// Second pass: contact points.
static void collect_points(void* context, int id)
{
    SurfacePair* pair = context;
    Patch patch;
    ut_patch_corners(pair, id, &patch);
    if (ut_surface_pair_height(pair, &patch) - ut_surface_pair_radius(pair) > pair->margin) {
        return;
    }
    ut_patch_sides(&patch);
    const bool convex = ut_patch_edges(pair, &patch);
    if (pair->smooth) {
        ut_smooth_collide_face(pair, &patch);
    } else {
        ut_core_collide_face(pair, &patch);
    }
    if (convex && ut_surface_pair_reaches(pair, 3, patch.t.v)) {
        collect_edge_points(pair, &patch);
    }
}

// ---- the pair -----------------------------------------------------------------------------------

static void prepare(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                    double margin, SurfacePair* pair)
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
    // rounding of the surface's coordinates in this frame
    const double noise = 64.0 * DBL_EPSILON * ut_vec3_norm(pair->at.p);
    pair->slop = UT_FEATURE_SLOP * fmax(half.x, fmax(half.y, half.z)) + noise;
    pair->penetrated_count = 0;
    pair->clusters.count = 0;
    pair->clusters.slop = pair->slop;
    if (!pair->smooth) {
        ut_core_of_shape(a, &pair->core);
    }
    pair->clusters.radius = ut_surface_pair_radius(pair);
    pair->clusters.cylinder = a->kind == UT_SHAPE_CYLINDER;
}

// Points below a plane are projected up to it, so enlarge the box to include the projections.
static void include_projections(const SurfacePair* pair, utBounds* box)
{
    const utBounds start = *box;
    for (int i = 0; i < pair->penetrated_count; i++) {
        if (!pair->penetrated[i].neighbour_is_nearer) {
            const utVec3 n = ut_mat3_tmul_vec(pair->at.R, pair->penetrated[i].normal);
            const utVec3 d = ut_vec3_scale(n, pair->penetrated[i].depth);
            box->low =
                ut_vec3(fmin(box->low.x, start.low.x + d.x), fmin(box->low.y, start.low.y + d.y),
                        fmin(box->low.z, start.low.z + d.z));
            box->high = ut_vec3(fmax(box->high.x, start.high.x + d.x),
                                fmax(box->high.y, start.high.y + d.y),
                                fmax(box->high.z, start.high.z + d.z));
        }
    }
}

static void add_touches(const SurfacePair* pair, const utFrame* A, int count,
                        const SurfacePoint* found, Manifold* m)
{
    for (int i = 0; i < count && m->count < UT_TOUCH_MAX; i++) {
        const SurfacePoint* x = &found[i];
        const utVec3 point = ut_vec3_add_scaled(x->on_surface, 0.5 * x->gap, x->normal);
        if (x->gap <= pair->margin) {
            m->touch[m->count++] = (utTouch){ut_frame_point(*A, point),
                                             ut_vec3_negate(ut_mat3_mul_vec(A->R, x->normal)),
                                             x->gap, (uint64_t)x->feature_a << 32 | x->feature_b};
        }
    }
}

void ut_collide_surface(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                        Manifold* m)
{
    SurfacePair pair;
    prepare(a, A, b, B, m->margin, &pair);
    utBounds box = ut_shape_bounds(a, ut_frame_inverse(pair.at));
    const double grow = fmax(m->margin, 0.0) + pair.slop;
    box.low = ut_vec3_sub(box.low, ut_vec3(grow, grow, grow));
    box.high = ut_vec3_add(box.high, ut_vec3(grow, grow, grow));
    ut_surface_visit(&pair.surface, &box, note_penetrated, &pair);
    include_projections(&pair, &box);
    ut_surface_visit(&pair.surface, &box, collect_points, &pair);

    SurfacePoint found[UT_TOUCH_MAX];
    add_touches(&pair, A, ut_clusters_reduce(&pair.clusters, found), found, m);
}
