// SPDX-License-Identifier: Apache-2.0
// Which triangles are near the shape, and by which of them it leaves the surface.
#include "internal.h"

// ---- separation ---------------------------------------------------------------------------------

double ut_surface_pair_lowest(const SurfacePair* pair, utVec3 n)
{
    const utShape* shape = pair->shape;
    switch (shape->kind) {
    case UT_SHAPE_SPHERE:
        return 0.0;
    case UT_SHAPE_CAPSULE:
        return -shape->size.y * fabs(n.z);
    case UT_SHAPE_BOX:
        return -(shape->size.x * fabs(n.x) + shape->size.y * fabs(n.y) + shape->size.z * fabs(n.z));
    default:
        return ut_vec3_dot(n, ut_shape_support(shape, ut_vec3_negate(n)));
    }
}

bool ut_surface_pair_reaches(const SurfacePair* pair, int count, const utVec3* x)
{
    utVec3 low = x[0], high = x[0];
    for (int i = 1; i < count; i++) {
        low = ut_vec3(fmin(low.x, x[i].x), fmin(low.y, x[i].y), fmin(low.z, x[i].z));
        high = ut_vec3(fmax(high.x, x[i].x), fmax(high.y, x[i].y), fmax(high.z, x[i].z));
    }
    const utVec3 r = pair->reach, m = pair->middle;
    return low.x <= m.x + r.x && low.y <= m.y + r.y && low.z <= m.z + r.z && //
           high.x >= m.x - r.x && high.y >= m.y - r.y && high.z >= m.z - r.z;
}

// Does n, from the triangle to the shape, separate the two by more than `by`?
static bool separates(const SurfacePair* pair, const Patch* patch, utVec3 n, double by)
{
    double most = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, ut_vec3_dot(n, patch->t.v[k]));
    }
    return ut_surface_pair_lowest(pair, n) - most > by + ut_surface_pair_radius(pair);
}

// Does a cross product of a box edge and a triangle edge separate them?
static bool edges_separate(const SurfacePair* pair, const Patch* patch, double by)
{
    for (int k = 0; k < 3; k++) {
        const utVec3 e = patch->along[k];
        const utVec3 cross[3] = {ut_vec3(0.0, -e.z, e.y), ut_vec3(e.z, 0.0, -e.x),
                                 ut_vec3(-e.y, e.x, 0.0)};
        for (int i = 0; i < 3; i++) {
            utVec3 n;
            if (ut_vec3_norm(cross[i]) > UT_MIN_EDGE_SINE && ut_vec3_normalize(cross[i], &n) &&
                (separates(pair, patch, n, by) || separates(pair, patch, ut_vec3_negate(n), by))) {
                return true;
            }
        }
    }
    return false;
}

static utVec3 lowest_point(const SurfacePair* pair, utVec3 n)
{
    const utVec3 down = ut_vec3_negate(n);
    if (pair->shape->kind == UT_SHAPE_SPHERE) {
        return ut_vec3_zero();
    }
    if (pair->shape->kind == UT_SHAPE_CAPSULE) {
        return ut_vec3(0.0, 0.0, down.z < 0.0 ? -pair->shape->size.y : pair->shape->size.y);
    }
    return ut_shape_support(pair->shape, down);
}

static utVec3 highest_corner(const Patch* patch, utVec3 n)
{
    int best = 0;
    for (int k = 1; k < 3; k++) {
        const utVec3 d = ut_vec3_sub(patch->t.v[k], patch->t.v[best]);
        best = ut_vec3_dot(n, d) > 0.0 ? k : best;
    }
    return patch->t.v[best];
}

// Search for a separating direction (Gilbert, 1966): z, a difference of two points of the shapes,
// moves towards 0 as far as possible. @return false when 16 steps find none
static bool find_separation(const SurfacePair* pair, const Patch* patch, double by)
{
    utVec3 z = ut_vec3_sub(pair->middle, patch->t.v[0]), n;
    for (int i = 0; i < 16; i++) {
        if (!ut_vec3_normalize(z, &n)) {
            return false;
        }
        if (separates(pair, patch, n, by)) {
            return true;
        }
        const utVec3 s = ut_vec3_sub(lowest_point(pair, n), highest_corner(patch, n));
        const utVec3 d = ut_vec3_sub(s, z);
        const double square = ut_vec3_dot(d, d);
        const double fraction = square > 0.0 ? -ut_vec3_dot(z, d) / square : 0.0;
        if (!(fraction > 0.0)) {
            return false;
        }
        z = ut_vec3_add_scaled(z, fmin(fraction, 1.0), d);
    }
    return false;
}

// Is the triangle within `by` of the shape? Exact for boxes; for others it may be too generous.
static bool is_near(const SurfacePair* pair, const Patch* patch, double by)
{
    const utVec3 n = patch->t.normal;
    if (!ut_surface_pair_reaches(pair, 3, patch->t.v) || separates(pair, patch, n, by) ||
        separates(pair, patch, ut_vec3_negate(n), by)) {
        return false;
    }
    if (pair->shape->kind == UT_SHAPE_BOX) {
        for (int f = 0; f < 6; f++) {
            if (separates(pair, patch, pair->core.hull.normal[f], by)) {
                return false;
            }
        }
        return !edges_separate(pair, patch, by);
    }
    return !find_separation(pair, patch, by);
}

double ut_surface_pair_height(const SurfacePair* pair, const Patch* patch)
{
    return ut_surface_pair_lowest(pair, patch->t.normal) -
           ut_vec3_dot(patch->t.normal, patch->t.v[0]);
}

// Find the neighbour across a convex edge below which the shape penetrates least.
static void find_nearer_neighbour(const SurfacePair* pair, const Patch* patch,
                                  PenetratedPlane* below)
{
    for (int k = 0; k < 3; k++) {
        if (patch->convex[k]) {
            const utVec3 n = patch->neighbour_normal[k];
            const double offset = ut_vec3_dot(n, patch->t.v[k]);
            const double height = ut_surface_pair_lowest(pair, n) - offset;
            if (height > -below->depth + pair->slop &&
                (!below->neighbour_is_nearer || height > below->neighbour_height)) {
                below->neighbour_is_nearer = true;
                below->neighbour_normal = n;
                below->neighbour_offset = offset;
                below->neighbour_height = height;
            }
        }
    }
}

static PenetratedPlane* find_penetrated(const SurfacePair* pair, const Patch* patch)
{
    const double offset = ut_vec3_dot(patch->t.normal, patch->t.v[0]);
    for (int i = 0; i < pair->penetrated_count; i++) {
        const PenetratedPlane* below = &pair->penetrated[i];
        if (ut_same_normal(below->normal, patch->t.normal, UT_SAME_NORMAL) &&
            fabs(below->offset - offset) <= pair->slop) {
            return (PenetratedPlane*)below;
        }
    }
    return NULL;
}

static PenetratedPlane penetrated_plane(const Patch* patch, double height)
{
    return (PenetratedPlane){.normal = patch->t.normal,
                             .offset = ut_vec3_dot(patch->t.normal, patch->t.v[0]),
                             .depth = -height};
}

// Does the shape penetrate the triangle here? It must cross it, or be below it and close.
static bool is_penetrated(const SurfacePair* pair, const Patch* patch, double height)
{
    const utVec3 n = patch->t.normal;
    const double top =
        -ut_surface_pair_lowest(pair, ut_vec3_negate(n)) - ut_vec3_dot(n, patch->t.v[0]);
    return height < 0.0 &&
           is_near(pair, patch, top + ut_surface_pair_radius(pair) > 0.0 ? 0.0 : pair->margin);
}

bool ut_surface_pair_exits_by(const SurfacePair* pair, const Patch* patch, utVec3 x, double height)
{
    const PenetratedPlane* below = find_penetrated(pair, patch);
    const double lowest = ut_surface_pair_height(pair, patch);
    PenetratedPlane own = penetrated_plane(patch, lowest);
    if (below == NULL) {
        // the table was full, so compute the entry
        if (pair->penetrated_count < MAX_PENETRATED || !is_penetrated(pair, patch, lowest)) {
            return false;
        }
        find_nearer_neighbour(pair, patch, &own);
        below = &own;
    }
    return !below->neighbour_is_nearer ||
           !(ut_vec3_dot(below->neighbour_normal, x) - below->neighbour_offset >
             height + pair->slop);
}

void ut_surface_pair_note_penetrated(SurfacePair* pair, int id)
{
    Patch patch;
    ut_patch_corners(pair, id, &patch);
    const double height = ut_surface_pair_height(pair, &patch);
    if (!(height < 0.0)) {
        return;
    }
    ut_patch_sides(&patch);
    PenetratedPlane* below = find_penetrated(pair, &patch);
    if (below == NULL && pair->penetrated_count < MAX_PENETRATED &&
        is_penetrated(pair, &patch, height)) {
        below = &pair->penetrated[pair->penetrated_count++];
        *below = penetrated_plane(&patch, height);
    }
    if (below != NULL && ut_patch_edges(pair, &patch)) {
        find_nearer_neighbour(pair, &patch, below);
    }
}
