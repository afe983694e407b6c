// SPDX-License-Identifier: Apache-2.0
// How far a shape reaches, which triangles are near it, and by which of them it leaves the surface.
#include "internal.h"

// ---- what is near -------------------------------------------------------------------------------

double ut_pair_lowest(const Pair* pair, utVec3 n)
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

// Does the box around the shape and the margin hold part of the box around some points?
bool ut_pair_reaches(const Pair* pair, int count, const utVec3* x)
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

// Is a triangle parted from the shape along n, from the triangle to the shape, by more than `by`?
static bool parts(const Pair* pair, const Patch* patch, utVec3 n, double by)
{
    double most = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, ut_vec3_dot(n, patch->t.v[k]));
    }
    return ut_pair_lowest(pair, n) - most > by + ut_pair_radius(pair);
}

// along the common normals of a box's edges and the triangle's
static bool edges_part(const Pair* pair, const Patch* patch, double by)
{
    for (int k = 0; k < 3; k++) {
        const utVec3 e = patch->along[k];
        const utVec3 cross[3] = {ut_vec3(0.0, -e.z, e.y), ut_vec3(e.z, 0.0, -e.x),
                                 ut_vec3(-e.y, e.x, 0.0)};
        for (int i = 0; i < 3; i++) {
            utVec3 n;
            if (ut_vec3_norm(cross[i]) > UT_SKIP_PARALLEL && ut_vec3_normalize(cross[i], &n) &&
                (parts(pair, patch, n, by) || parts(pair, patch, ut_vec3_negate(n), by))) {
                return true;
            }
        }
    }
    return false;
}

static utVec3 lowest_point(const Pair* pair, utVec3 n)
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

// Look for a direction that parts them (Gilbert, 1966): z is a difference of two of their points,
// moved towards 0 as long as it goes. @return false when none was found in a few steps
static bool search_parts(const Pair* pair, const Patch* patch, double by)
{
    utVec3 z = ut_vec3_sub(pair->middle, patch->t.v[0]), n;
    for (int i = 0; i < 16; i++) {
        if (!ut_vec3_normalize(z, &n)) {
            return false;
        }
        if (parts(pair, patch, n, by)) {
            return true;
        }
        const utVec3 s = ut_vec3_sub(lowest_point(pair, n), highest_corner(patch, n));
        const utVec3 d = ut_vec3_sub(s, z);
        const double square = ut_vec3_dot(d, d);
        const double share = square > 0.0 ? -ut_vec3_dot(z, d) / square : 0.0;
        if (!(share > 0.0)) {
            return false;
        }
        z = ut_vec3_add_scaled(z, fmin(share, 1.0), d);
    }
    return false;
}

// Is the triangle within `by` of the shape? Exact for boxes, at times too generous for others.
static bool is_near(const Pair* pair, const Patch* patch, double by)
{
    const utVec3 n = patch->t.normal;
    if (!ut_pair_reaches(pair, 3, patch->t.v) || parts(pair, patch, n, by) ||
        parts(pair, patch, ut_vec3_negate(n), by)) {
        return false;
    }
    if (pair->shape->kind == UT_SHAPE_BOX) {
        for (int f = 0; f < 6; f++) {
            if (parts(pair, patch, pair->core.hull.normal[f], by)) {
                return false;
            }
        }
        return !edges_part(pair, patch, by);
    }
    return !search_parts(pair, patch, by);
}

double ut_pair_height(const Pair* pair, const Patch* patch)
{
    return ut_pair_lowest(pair, patch->t.normal) - ut_vec3_dot(patch->t.normal, patch->t.v[0]);
}

// Is the shape less deep below a neighbour that the surface bends down to? The best of them.
static void find_other(const Pair* pair, const Patch* patch, Below* below)
{
    for (int k = 0; k < 3; k++) {
        if (patch->convex[k]) {
            const utVec3 n = patch->beyond[k];
            const double offset = ut_vec3_dot(n, patch->t.v[k]);
            const double height = ut_pair_lowest(pair, n) - offset;
            if (height > -below->depth + pair->slop &&
                (!below->yields || height > below->other_height)) {
                below->yields = true;
                below->other = n;
                below->other_offset = offset;
                below->other_height = height;
            }
        }
    }
}

static Below* find_below(const Pair* pair, const Patch* patch)
{
    const double offset = ut_vec3_dot(patch->t.normal, patch->t.v[0]);
    for (int i = 0; i < pair->below_count; i++) {
        const Below* below = &pair->below[i];
        if (ut_same_normal(below->normal, patch->t.normal, 1e-9) &&
            fabs(below->offset - offset) <= pair->slop) {
            return (Below*)below;
        }
    }
    return NULL;
}

static Below below_of(const Patch* patch, double height)
{
    return (Below){.normal = patch->t.normal,
                   .offset = ut_vec3_dot(patch->t.normal, patch->t.v[0]),
                   .depth = -height};
}

// Is the shape below the triangle, there? It must reach through it, or be all below it and close.
static bool is_below(const Pair* pair, const Patch* patch, double height)
{
    const utVec3 n = patch->t.normal;
    const double top = -ut_pair_lowest(pair, ut_vec3_negate(n)) - ut_vec3_dot(n, patch->t.v[0]);
    return height < 0.0 &&
           is_near(pair, patch, top + ut_pair_radius(pair) > 0.0 ? 0.0 : pair->margin);
}

bool ut_pair_leaves_by(const Pair* pair, const Patch* patch, utVec3 x, double height)
{
    const Below* below = find_below(pair, patch);
    const double lowest = ut_pair_height(pair, patch);
    Below own = below_of(patch, lowest);
    if (below == NULL) {
        // the table was full
        if (pair->below_count < BELOW_MAX || !is_below(pair, patch, lowest)) {
            return false;
        }
        find_other(pair, patch, &own);
        below = &own;
    }
    return !below->yields ||
           !(ut_vec3_dot(below->other, x) - below->other_offset > height + pair->slop);
}

void ut_pair_note_below(Pair* pair, int id)
{
    Patch patch;
    ut_patch_corners(pair, id, &patch);
    const double height = ut_pair_height(pair, &patch);
    if (!(height < 0.0)) {
        return;
    }
    ut_patch_sides(&patch);
    Below* below = find_below(pair, &patch);
    if (below == NULL && pair->below_count < BELOW_MAX && is_below(pair, &patch, height)) {
        below = &pair->below[pair->below_count++];
        *below = below_of(&patch, height);
    }
    if (below != NULL && ut_patch_edges(pair, &patch)) {
        find_other(pair, &patch, below);
    }
}
