// SPDX-License-Identifier: Apache-2.0
// Triangles of a surface with their neighbourhood, in the frame of the convex shape.
#include "internal.h"

// ---- patches ------------------------------------------------------------------------------------

static utVec3 to_shape(const SurfacePair* pair, utVec3 x)
{
    return ut_frame_point(pair->at, x);
}

void ut_patch_corners(const SurfacePair* pair, int id, Patch* patch)
{
    Triangle* t = &patch->t;
    ut_surface_triangle(&pair->surface, id, &patch->in_surface);
    t->id = id;
    t->normal = ut_mat3_mul_vec(pair->at.R, patch->in_surface.normal);
    for (int k = 0; k < 3; k++) {
        t->v[k] = to_shape(pair, patch->in_surface.v[k]);
        t->corner[k] = patch->in_surface.corner[k];
    }
}

void ut_patch_sides(Patch* patch)
{
    const Triangle* t = &patch->t;
    for (int k = 0; k < 3; k++) {
        const utVec3 d = ut_vec3_sub(t->v[(k + 1) % 3], t->v[k]);
        patch->length[k] = ut_vec3_norm(d);
        patch->along[k] = ut_vec3_scale(d, 1.0 / patch->length[k]);
        patch->outward[k] = ut_vec3_cross(patch->along[k], t->normal);
    }
}

bool ut_patch_edges(const SurfacePair* pair, Patch* patch)
{
    Triangle other;
    bool any = false;
    for (int k = 0; k < 3; k++) {
        patch->convex[k] = ut_surface_edge_is_convex(&pair->surface, &patch->in_surface, k);
        any = any || patch->convex[k];
    }
    for (int k = 0; any && k < 3; k++) {
        const int behind = ut_surface_adjacent(&pair->surface, patch->t.id, k);
        patch->owns_edge[k] = behind < 0 || patch->t.id < behind;
        patch->neighbour_normal[k] = patch->outward[k];
        if (behind >= 0 && patch->convex[k]) {
            ut_surface_triangle(&pair->surface, behind, &other);
            patch->neighbour_normal[k] = ut_mat3_mul_vec(pair->at.R, other.normal);
        }
    }
    return any;
}

bool ut_patch_arc_holds(const Patch* patch, int k, utVec3 n, double slack)
{
    // angles about the edge, measured from the triangle's normal: n must lie between 0 and the far
    // end
    const utVec3 up = patch->t.normal, out = patch->outward[k], end = patch->neighbour_normal[k];
    const double c = ut_vec3_dot(n, up), s = ut_vec3_dot(n, out);
    return s >= -slack && c * ut_vec3_dot(end, out) - s * ut_vec3_dot(end, up) >= -slack;
}

bool ut_patch_holds(const Patch* patch, utVec3 x, double slop)
{
    for (int k = 0; k < 3; k++) {
        if (!(ut_vec3_dot(ut_vec3_sub(x, patch->t.v[k]), patch->outward[k]) <= slop)) {
            return false;
        }
    }
    return true;
}

uint32_t ut_feature_plane(const Patch* patch)
{
    const utVec3 n = patch->in_surface.normal;
    const double component[3] = {n.x, n.y, n.z};
    uint32_t hash = 2166136261u;
    for (int i = 0; i < 3; i++) {
        const int64_t rounded = (int64_t)floor(1e6 * component[i] + 0.5);
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

// A triangle in a walk around a vertex.
typedef struct Step {
    Triangle t;
    int corner; // index of the vertex in the triangle
} Step;

// Step across edge k. @return false at a border, or when the walk has returned to `home`
static bool step_across(const Surface* surface, Step* step, int k, int home)
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

static void add_edge(const SurfacePair* pair, const Step* step, int end, Fan* fan)
{
    const utVec3 d = ut_vec3_sub(step->t.v[end], step->t.v[step->corner]);
    ut_vec3_normalize(ut_mat3_mul_vec(pair->at.R, d), &fan->edge[fan->edges]);
    fan->edges++;
}

// The patch handles the vertex if no triangle with a lower id has a convex edge there.
static void add_step(const SurfacePair* pair, const Step* step, int mine, Fan* fan)
{
    const int c = step->corner;
    fan->normal[fan->faces++] = ut_mat3_mul_vec(pair->at.R, step->t.normal);
    if (step->t.id < mine && (ut_surface_edge_is_convex(&pair->surface, &step->t, c) ||
                              ut_surface_edge_is_convex(&pair->surface, &step->t, (c + 2) % 3))) {
        fan->owned = false;
    }
}

void ut_patch_vertex_fan(const SurfacePair* pair, const Patch* patch, int corner, Fan* fan)
{
    Step first, step;
    const int home = patch->t.id;
    ut_surface_triangle(&pair->surface, home, &first.t);
    first.corner = corner;
    fan->at = patch->t.v[corner];
    fan->id = ut_feature_vertex(patch->t.corner[corner]);
    fan->owned = true;
    fan->edges = fan->faces = 0;

    // counter-clockwise, each triangle with the edge that leaves the vertex
    step = first;
    bool closed = false;
    while (fan->faces < MAX_FAN_TRIANGLES) {
        add_step(pair, &step, home, fan);
        add_edge(pair, &step, (step.corner + 1) % 3, fan);
        const int k = (step.corner + 2) % 3;
        closed = ut_surface_adjacent(&pair->surface, step.t.id, k) == home;
        if (!step_across(&pair->surface, &step, k, home)) {
            break;
        }
    }
    if (closed || fan->faces == MAX_FAN_TRIANGLES) {
        return;
    }
    // an open fan: add its last edge, and the triangles on the other side of the first
    add_edge(pair, &step, (step.corner + 2) % 3, fan);
    step = first;
    while (fan->faces < MAX_FAN_TRIANGLES &&
           step_across(&pair->surface, &step, step.corner, home)) {
        add_step(pair, &step, home, fan);
        add_edge(pair, &step, (step.corner + 1) % 3, fan);
    }
}

bool ut_fan_holds(const Fan* fan, utVec3 n, double slack)
{
    bool above = false;
    for (int i = 0; i < fan->edges; i++) {
        if (!(ut_vec3_dot(n, fan->edge[i]) <= slack)) {
            return false;
        }
    }
    // exclude the normals below an open fan
    for (int i = 0; i < fan->faces; i++) {
        above = above || ut_vec3_dot(n, fan->normal[i]) > 0.0;
    }
    return above;
}

utVec3 ut_fan_snap(const Fan* fan, utVec3 n)
{
    for (int i = 0; i < fan->faces; i++) {
        if (ut_same_normal(n, fan->normal[i], UT_PARALLEL_SINE)) {
            return fan->normal[i];
        }
    }
    return n;
}

double ut_fan_gap(const SurfacePair* pair, const Fan* fan)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < fan->faces; i++) {
        const utVec3 n = fan->normal[i];
        most = fmax(most, ut_surface_pair_lowest(pair, n) - ut_vec3_dot(n, fan->at));
    }
    return most - ut_surface_pair_radius(pair);
}
