// SPDX-License-Identifier: Apache-2.0
// Triangles of a surface with what lies around them, seen from the convex shape.
#include "internal.h"

// ---- patches ------------------------------------------------------------------------------------

static utVec3 to_shape(const Pair* pair, utVec3 x)
{
    return ut_frame_point(pair->at, x);
}

void ut_patch_corners(const Pair* pair, int id, Patch* patch)
{
    Triangle* t = &patch->t;
    ut_surface_triangle(&pair->surface, id, &patch->own);
    t->id = id;
    t->normal = ut_mat3_mul_vec(pair->at.R, patch->own.normal);
    for (int k = 0; k < 3; k++) {
        t->v[k] = to_shape(pair, patch->own.v[k]);
        t->corner[k] = patch->own.corner[k];
    }
}

void ut_patch_sides(Patch* patch)
{
    const Triangle* t = &patch->t;
    for (int k = 0; k < 3; k++) {
        const utVec3 d = ut_vec3_sub(t->v[(k + 1) % 3], t->v[k]);
        patch->length[k] = ut_vec3_norm(d);
        patch->along[k] = ut_vec3_scale(d, 1.0 / patch->length[k]);
        patch->out[k] = ut_vec3_cross(patch->along[k], t->normal);
    }
}

// What lies across its edges. @return whether one of them is convex
bool ut_patch_edges(const Pair* pair, Patch* patch)
{
    Triangle other;
    bool any = false;
    for (int k = 0; k < 3; k++) {
        patch->convex[k] = ut_surface_edge_is_convex(&pair->surface, &patch->own, k);
        any = any || patch->convex[k];
    }
    for (int k = 0; any && k < 3; k++) {
        const int behind = ut_surface_adjacent(&pair->surface, patch->t.id, k);
        patch->owned[k] = behind < 0 || patch->t.id < behind;
        patch->beyond[k] = patch->out[k];
        if (behind >= 0 && patch->convex[k]) {
            ut_surface_triangle(&pair->surface, behind, &other);
            patch->beyond[k] = ut_mat3_mul_vec(pair->at.R, other.normal);
        }
    }
    return any;
}

bool ut_patch_arc_holds(const Patch* patch, int k, utVec3 n, double slack)
{
    // angles about the edge, from the triangle's normal: n's between 0 and that of the far end
    const utVec3 up = patch->t.normal, out = patch->out[k], end = patch->beyond[k];
    const double c = ut_vec3_dot(n, up), s = ut_vec3_dot(n, out);
    return s >= -slack && c * ut_vec3_dot(end, out) - s * ut_vec3_dot(end, up) >= -slack;
}

bool ut_patch_holds(const Patch* patch, utVec3 x, double slop)
{
    for (int k = 0; k < 3; k++) {
        if (!(ut_vec3_dot(ut_vec3_sub(x, patch->t.v[k]), patch->out[k]) <= slop)) {
            return false;
        }
    }
    return true;
}

uint32_t ut_feature_plane(const Patch* patch)
{
    const utVec3 n = patch->own.normal;
    const double part[3] = {n.x, n.y, n.z};
    uint32_t hash = 2166136261u;
    for (int i = 0; i < 3; i++) {
        const int64_t rounded = (int64_t)floor(1e6 * part[i] + 0.5);
        hash = (hash ^ (uint32_t)rounded) * 16777619u;
        hash ^= hash >> 15;
    }
    return 1u << 30 | (hash & 0x3fffffffu);
}

uint32_t ut_feature_edge(const Patch* patch, int k)
{
    return 2u << 30 | ((3u * (uint32_t)patch->t.id + (uint32_t)k) & 0x3fffffffu);
}

uint32_t ut_feature_vertex(int vertex)
{
    return 3u << 30 | ((uint32_t)vertex & 0x3fffffffu);
}

// ---- fans ---------------------------------------------------------------------------------------

// A triangle on the way around a vertex.
typedef struct Step {
    Triangle t;
    int corner; // which is the vertex
} Step;

// Across the edge k of a triangle. @return false when there is nothing or the way is back at `home`
static bool go(const Surface* surface, Step* step, int k, int home)
{
    const int vertex = step->t.corner[step->corner];
    const int next = ut_surface_adjacent(surface, step->t.id, k);
    if (next < 0 || next == home) {
        return false;
    }
    ut_surface_triangle(surface, next, &step->t);
    step->corner = ut_triangle_find(&step->t, vertex);
    return step->corner >= 0;
}

static void add_rim(const Pair* pair, const Step* step, int end, Fan* fan)
{
    const utVec3 d = ut_vec3_sub(step->t.v[end], step->t.v[step->corner]);
    ut_vec3_normalize(ut_mat3_mul_vec(pair->at.R, d), &fan->rim[fan->rims]);
    fan->rims++;
}

// The patch speaks for the vertex when no triangle before it has a convex edge there.
static void add_step(const Pair* pair, const Step* step, int mine, Fan* fan)
{
    const int c = step->corner;
    fan->normal[fan->faces++] = ut_mat3_mul_vec(pair->at.R, step->t.normal);
    if (step->t.id < mine && (ut_surface_edge_is_convex(&pair->surface, &step->t, c) ||
                              ut_surface_edge_is_convex(&pair->surface, &step->t, (c + 2) % 3))) {
        fan->owned = false;
    }
}

void ut_patch_fan(const Pair* pair, const Patch* patch, int corner, Fan* fan)
{
    Step first, step;
    const int home = patch->t.id;
    ut_surface_triangle(&pair->surface, home, &first.t);
    first.corner = corner;
    fan->at = patch->t.v[corner];
    fan->id = ut_feature_vertex(patch->t.corner[corner]);
    fan->owned = true;
    fan->rims = fan->faces = 0;

    // counter-clockwise, each triangle with the edge that leaves the vertex
    step = first;
    bool closed = false;
    while (fan->faces < FAN_MAX) {
        add_step(pair, &step, home, fan);
        add_rim(pair, &step, (step.corner + 1) % 3, fan);
        const int k = (step.corner + 2) % 3;
        closed = ut_surface_adjacent(&pair->surface, step.t.id, k) == home;
        if (!go(&pair->surface, &step, k, home)) {
            break;
        }
    }
    if (closed || fan->faces == FAN_MAX) {
        return;
    }
    // open: its last edge, and what is on the other side of the first
    add_rim(pair, &step, (step.corner + 2) % 3, fan);
    step = first;
    while (fan->faces < FAN_MAX && go(&pair->surface, &step, step.corner, home)) {
        add_step(pair, &step, home, fan);
        add_rim(pair, &step, (step.corner + 1) % 3, fan);
    }
}

bool ut_fan_holds(const Fan* fan, utVec3 n, double slack)
{
    bool above = false;
    for (int i = 0; i < fan->rims; i++) {
        if (!(ut_vec3_dot(n, fan->rim[i]) <= slack)) {
            return false;
        }
    }
    // an open fan has room below: not there
    for (int i = 0; i < fan->faces; i++) {
        above = above || ut_vec3_dot(n, fan->normal[i]) > 0.0;
    }
    return above;
}

utVec3 ut_fan_snap(const Fan* fan, utVec3 n)
{
    for (int i = 0; i < fan->faces; i++) {
        if (ut_same_normal(n, fan->normal[i], UT_NEAR_PARALLEL)) {
            return fan->normal[i];
        }
    }
    return n;
}

double ut_fan_gap(const Pair* pair, const Fan* fan)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < fan->faces; i++) {
        const utVec3 n = fan->normal[i];
        most = fmax(most, ut_pair_lowest(pair, n) - ut_vec3_dot(n, fan->at));
    }
    return most - ut_pair_radius(pair);
}
