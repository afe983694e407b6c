// SPDX-License-Identifier: Apache-2.0
// A core (corners, edges and faces, grown by a radius) against one triangle, edge or vertex.
//
// Letters: u is a corner of the core, g an edge with the unit direction d, f a face; n points from
// the surface to the shape. A corner or edge of the core may touch along n when no adjacent part of
// the core lies deeper along n.
#include "internal.h"

// ---- feature numbers ----------------------------------------------------------------------------

static uint32_t corner_feature(const SurfacePair* pair, int i)
{
    switch (pair->shape->kind) {
    case UT_SHAPE_BOX:
        return (uint32_t)ut_box_corner_feature(i);
    case UT_SHAPE_HULL:
        return 3u * (uint32_t)i + 1u;
    default:
        return i == 0 ? CAPSULE_END_LOW : CAPSULE_END_HIGH;
    }
}

static uint32_t edge_feature(const SurfacePair* pair, int g)
{
    if (pair->shape->kind == UT_SHAPE_BOX) {
        // without the digit of the edge's axis
        static const uint32_t power[3] = {1, 3, 9};
        return (uint32_t)ut_box_corner_feature(pair->core.hull.edge_vertex[2 * g]) - power[g / 4];
    }
    return pair->shape->kind == UT_SHAPE_HULL ? 3u * (uint32_t)g + 2u : CAPSULE_SHAFT;
}

static uint32_t face_feature(const SurfacePair* pair, int f)
{
    if (pair->shape->kind == UT_SHAPE_BOX) {
        return (uint32_t)ut_box_digit(f / 2, f % 2 == 0 ? -1.0 : 1.0);
    }
    return 3u * (uint32_t)f + 3u;
}

// ---- which normals a feature of the core admits -------------------------------------------------

static bool corner_may_touch(const utHull* hull, int i, utVec3 n)
{
    if (hull->edges == 0) {
        return true;
    }
    for (int j = hull->vertex_start[i]; j < hull->vertex_start[i + 1]; j++) {
        const utVec3 d = ut_vec3_sub(hull->vertex[hull->neighbour[j]], hull->vertex[i]);
        if (!(ut_vec3_dot(n, d) >= -UT_PARALLEL_SINE * ut_vec3_norm(d))) {
            return false;
        }
    }
    return true;
}

// Directions from edge g into its two faces. @return false for an edge without faces
static bool into_faces(const utHull* hull, int g, utVec3 d, utVec3 into[2])
{
    if (hull->faces == 0) {
        return false;
    }
    into[0] = ut_vec3_cross(hull->normal[hull->edge_face[2 * g]], d);
    into[1] = ut_vec3_cross(d, hull->normal[hull->edge_face[2 * g + 1]]);
    return true;
}

static bool edge_may_touch(const utHull* hull, int g, utVec3 d, utVec3 n)
{
    utVec3 into[2];
    return !into_faces(hull, g, d, into) || (ut_vec3_dot(n, into[0]) >= -UT_PARALLEL_SINE &&
                                             ut_vec3_dot(n, into[1]) >= -UT_PARALLEL_SINE);
}

static bool face_holds(const utHull* hull, int f, utVec3 x, double slop)
{
    const int first = hull->face_start[f], count = hull->face_start[f + 1] - first;
    for (int j = 0; j < count; j++) {
        const utVec3 a = hull->vertex[hull->face_vertex[first + j]];
        const utVec3 b = hull->vertex[hull->face_vertex[first + (j + 1) % count]];
        const utVec3 out = ut_vec3_cross(ut_vec3_sub(b, a), hull->normal[f]);
        if (!(ut_vec3_dot(out, ut_vec3_sub(x, a)) <= slop * ut_vec3_norm(out))) {
            return false;
        }
    }
    return true;
}

// ---- a triangle ---------------------------------------------------------------------------------

static void add_corner(SurfacePair* pair, const Patch* patch, int i)
{
    const utVec3 n = patch->t.normal, u = pair->core.hull.vertex[i];
    const double height = ut_vec3_dot(n, ut_vec3_sub(u, patch->t.v[0]));
    const double gap = height - pair->core.radius;
    if (gap > pair->margin || !ut_patch_holds(patch, u, pair->slop)) {
        return;
    }
    if (height < -pair->slop && !ut_surface_pair_exits_by(pair, patch, u, height)) {
        return;
    }
    const double lowest = ut_surface_pair_lowest(pair, n) - ut_vec3_dot(n, patch->t.v[0]);
    const SurfacePoint m = {.on_surface = ut_vec3_add_scaled(u, -height, n),
                            .normal = n,
                            .gap = gap,
                            .feature_a = corner_feature(pair, i),
                            .feature_b = ut_feature_plane(patch),
                            .not_deepest = height > lowest + pair->slop};
    ut_clusters_add(&pair->clusters, &m);
}

// The four lowest corners, as for a box and a plane.
static void add_box_corners(SurfacePair* pair, const Patch* patch)
{
    double height[8];
    int order[8];
    for (int i = 0; i < 8; i++) {
        height[i] = ut_vec3_dot(patch->t.normal, pair->core.vertex[i]);
        int j = i;
        for (; j > 0 && height[order[j - 1]] > height[i]; j--) {
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
    for (int k = 0; k < UT_MANIFOLD_REDUCED; k++) {
        add_corner(pair, patch, order[k]);
    }
}

// The lowest corner, and the corners of the face that faces the triangle most directly.
static void add_hull_corners(SurfacePair* pair, const Patch* patch)
{
    const utHull* hull = &pair->core.hull;
    const utVec3 n = patch->t.normal;
    int lowest = 0, facing = 0;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < hull->vertices; i++) {
        const double height = ut_vec3_dot(n, hull->vertex[i]);
        lowest = height < least ? i : lowest;
        least = fmin(least, height);
    }
    for (int f = 0; f < hull->faces; f++) {
        const double down = -ut_vec3_dot(n, hull->normal[f]);
        facing = down > most ? f : facing;
        most = fmax(most, down);
    }
    add_corner(pair, patch, lowest);
    for (int j = hull->face_start[facing]; j < hull->face_start[facing + 1]; j++) {
        add_corner(pair, patch, hull->face_vertex[j]);
    }
}

void ut_core_collide_face(SurfacePair* pair, const Patch* patch)
{
    if (pair->shape->kind == UT_SHAPE_BOX) {
        add_box_corners(pair, patch);
    } else if (pair->shape->kind == UT_SHAPE_HULL) {
        add_hull_corners(pair, patch);
    } else {
        for (int i = 0; i < pair->core.hull.vertices; i++) {
            add_corner(pair, patch, i);
        }
    }
}

// ---- an edge ------------------------------------------------------------------------------------

enum { MAX_EDGE_POINTS = 32 };

// Edge k of a patch, and its contact points.
typedef struct SurfaceEdge {
    const Patch* patch;
    int k;
    utVec3 a, along; // start and unit direction
    double length;
    int count;
    SurfacePoint point[MAX_EDGE_POINTS];
} SurfaceEdge;

static void edge_add(SurfaceEdge* edge, const SurfacePair* pair, double s, utVec3 n, double gap,
                     uint32_t feature_a, uint32_t feature_b)
{
    if (gap <= pair->margin && edge->count < MAX_EDGE_POINTS) {
        edge->point[edge->count++] = (SurfacePoint){
            ut_vec3_add_scaled(edge->a, s, edge->along), n, gap, feature_a, feature_b, false};
    }
}

// Replace n by the normal of an adjacent triangle if the two are parallel. A round core allows less,
// because its surface lies at core + radius n: another normal would move the contact off the shape.
static utVec3 edge_snap(const SurfacePair* pair, const SurfaceEdge* edge, utVec3 n)
{
    const double sine = pair->core.radius > 0.0 ? UT_SAME_NORMAL : UT_PARALLEL_SINE;
    const utVec3 n1 = edge->patch->t.normal, n2 = edge->patch->neighbour_normal[edge->k];
    return ut_same_normal(n, n1, sine) ? n1 : ut_same_normal(n, n2, sine) ? n2 : n;
}

// The part of the edge in front of a face of the core.
typedef struct Stretch {
    double s[2];
    int cut[2]; // edge of the core that clips this end; -1: the edge's own end
} Stretch;

static bool clip_to_face(const SurfacePair* pair, const SurfaceEdge* edge, int f, Stretch* stretch)
{
    const utHull* hull = &pair->core.hull;
    const int first = hull->face_start[f], count = hull->face_start[f + 1] - first;
    *stretch = (Stretch){{0.0, edge->length}, {-1, -1}};
    for (int j = 0; j < count; j++) {
        const utVec3 p = hull->vertex[hull->face_vertex[first + j]];
        const utVec3 q = hull->vertex[hull->face_vertex[first + (j + 1) % count]];
        utVec3 out;
        ut_vec3_normalize(ut_vec3_cross(ut_vec3_sub(q, p), hull->normal[f]), &out);
        const double start = ut_vec3_dot(out, ut_vec3_sub(edge->a, p));
        const double slope = ut_vec3_dot(out, edge->along);
        const double l0 = start + stretch->s[0] * slope, l1 = start + stretch->s[1] * slope;
        const bool out0 = l0 > pair->slop, out1 = l1 > pair->slop;
        if (out0 && out1) {
            return false;
        }
        if (out0 || out1) {
            const int end = out0 ? 0 : 1;
            const double fraction = fmin(fmax(l0 / (l0 - l1), 0.0), 1.0);
            stretch->s[end] = stretch->s[0] + fraction * (stretch->s[1] - stretch->s[0]);
            stretch->cut[end] = hull->face_edge[first + j];
        }
    }
    return true;
}

// A face of the core parallel to the edge: the ends of their common stretch.
static void edge_meets_face(const SurfacePair* pair, SurfaceEdge* edge, int f)
{
    const utHull* hull = &pair->core.hull;
    const utVec3 n = ut_vec3_negate(hull->normal[f]);
    Stretch stretch;
    if (fabs(ut_vec3_dot(n, edge->along)) > UT_PARALLEL_SINE ||
        !ut_patch_arc_holds(edge->patch, edge->k, n, UT_PARALLEL_SINE) ||
        !clip_to_face(pair, edge, f, &stretch)) {
        return;
    }
    const utVec3 normal = edge_snap(pair, edge, n);
    for (int end = 0; end < 2; end++) {
        const double s = stretch.s[end];
        const utVec3 x = ut_vec3_add_scaled(edge->a, s, edge->along);
        const int vertex = edge->patch->t.corner[(edge->k + end) % 3];
        const bool own = stretch.cut[end] < 0;
        const double gap = ut_vec3_dot(hull->normal[f], x) - hull->offset[f];
        edge_add(edge, pair, s, normal, gap,
                 own ? face_feature(pair, f) : edge_feature(pair, stretch.cut[end]),
                 own ? ut_feature_vertex(vertex) : ut_feature_edge(edge->patch, edge->k));
    }
}

// An edge of the core that crosses the edge of the surface.
static void edge_meets_edge(const SurfacePair* pair, SurfaceEdge* edge, int g)
{
    const utHull* hull = &pair->core.hull;
    const utVec3 p = hull->vertex[hull->edge_vertex[2 * g]];
    const utVec3 pq = ut_vec3_sub(hull->vertex[hull->edge_vertex[2 * g + 1]], p);
    const double length = ut_vec3_norm(pq);
    utVec3 d, n;
    if (!ut_vec3_normalize(pq, &d)) {
        return;
    }
    const utVec3 k = ut_vec3_cross(edge->along, d);
    const double square = ut_vec3_dot(k, k);
    if (!(square > UT_PARALLEL_SINE * UT_PARALLEL_SINE) || !ut_vec3_normalize(k, &n)) {
        return;
    }
    const utVec3 w = ut_vec3_sub(p, edge->a);
    const double s = ut_vec3_dot(ut_vec3_cross(w, d), k) / square;
    const double t = ut_vec3_dot(ut_vec3_cross(w, edge->along), k) / square;
    if (!(s >= -pair->slop && s <= edge->length + pair->slop && t >= -pair->slop &&
          t <= length + pair->slop)) {
        return;
    }
    for (int turn = 0; turn < 2; turn++) {
        const utVec3 m = turn == 0 ? n : ut_vec3_negate(n);
        if (ut_patch_arc_holds(edge->patch, edge->k, m, UT_PARALLEL_SINE) &&
            edge_may_touch(hull, g, d, m)) {
            const double gap = ut_vec3_dot(m, w) - pair->core.radius;
            edge_add(edge, pair, s, edge_snap(pair, edge, m), gap, edge_feature(pair, g),
                     ut_feature_edge(edge->patch, edge->k));
        }
    }
}

// A corner of the core beside the edge, in front of neither of its triangles.
static void edge_meets_corner(const SurfacePair* pair, SurfaceEdge* edge, int i)
{
    const utVec3 w = ut_vec3_sub(pair->core.hull.vertex[i], edge->a);
    const double s = ut_vec3_dot(w, edge->along);
    if (!(s >= -pair->slop && s <= edge->length + pair->slop)) {
        return;
    }
    const utVec3 d = ut_vec3_add_scaled(w, -s, edge->along);
    const utVec3 out2 = ut_vec3_cross(edge->patch->neighbour_normal[edge->k], edge->along);
    utVec3 n;
    if (!(ut_vec3_dot(d, edge->patch->outward[edge->k]) > pair->slop &&
          ut_vec3_dot(d, out2) > pair->slop) ||
        !ut_vec3_normalize(d, &n) || !corner_may_touch(&pair->core.hull, i, n)) {
        return;
    }
    edge_add(edge, pair, s, n, ut_vec3_norm(d) - pair->core.radius, corner_feature(pair, i),
             ut_feature_edge(edge->patch, edge->k));
}

// Of several exits over one edge keep the shortest, unless an adjacent triangle gives a shorter
// one.
static void add_shortest_exits(SurfacePair* pair, const SurfaceEdge* edge)
{
    const double r = pair->core.radius;
    const utVec3 n1 = edge->patch->t.normal, n2 = edge->patch->neighbour_normal[edge->k];
    const double face = fmax(ut_surface_pair_lowest(pair, n1) - ut_vec3_dot(n1, edge->a),
                             ut_surface_pair_lowest(pair, n2) - ut_vec3_dot(n2, edge->a));
    int best = -1;
    for (int i = 0; i < edge->count; i++) {
        const double gap = edge->point[i].gap + r;
        if (gap < 0.0 && (best < 0 || gap > edge->point[best].gap + r)) {
            best = i;
        }
    }
    for (int i = 0; i < edge->count; i++) {
        const SurfacePoint* m = &edge->point[i];
        const double gap = m->gap + r;
        const bool below = gap < -pair->slop;
        if (below && (gap < face - pair->slop ||
                      (gap < edge->point[best].gap + r - pair->slop &&
                       !ut_same_normal(m->normal, edge->point[best].normal, UT_SAME_EXIT)))) {
            continue;
        }
        ut_clusters_add(&pair->clusters, m);
    }
}

void ut_core_collide_edge(SurfacePair* pair, const Patch* patch, int k)
{
    const utHull* hull = &pair->core.hull;
    SurfaceEdge edge = {.patch = patch, .k = k, .a = patch->t.v[k], .along = patch->along[k]};
    edge.length = patch->length[k];
    for (int f = 0; f < hull->faces; f++) {
        edge_meets_face(pair, &edge, f);
    }
    for (int g = 0; g < hull->edges; g++) {
        edge_meets_edge(pair, &edge, g);
    }
    for (int i = 0; i < hull->vertices; i++) {
        edge_meets_corner(pair, &edge, i);
    }
    add_shortest_exits(pair, &edge);
}

// ---- a vertex -----------------------------------------------------------------------------------

static void vertex_add(SurfacePair* pair, const Fan* fan, utVec3 n, double gap, uint32_t feature_a)
{
    if (gap <= pair->margin) {
        ut_clusters_add(&pair->clusters,
                        &(SurfacePoint){fan->at, n, gap, feature_a, fan->id, false});
    }
}

// A face of the core above the vertex; for a vertex inside the core, the nearest face of exit.
static void vertex_meets_faces(SurfacePair* pair, const Fan* fan)
{
    const utHull* hull = &pair->core.hull;
    int best = -1;
    double most = -HUGE_VAL;
    for (int f = 0; f < hull->faces; f++) {
        const double height = ut_vec3_dot(hull->normal[f], fan->at) - hull->offset[f];
        if (height > pair->margin) {
            return;
        }
        if (height > most && ut_fan_holds(fan, ut_vec3_negate(hull->normal[f]), UT_PARALLEL_SINE) &&
            face_holds(hull, f, fan->at, pair->slop)) {
            most = height;
            best = f;
        }
    }
    if (best >= 0 && !(most < -pair->slop && most < ut_fan_gap(pair, fan) - pair->slop)) {
        const utVec3 n = ut_fan_snap(fan, ut_vec3_negate(hull->normal[best]));
        vertex_add(pair, fan, n, most, face_feature(pair, best));
    }
}

// Is d strictly within the vertex's range of normals, by more than the slop?
static bool fan_holds_strictly(const Fan* fan, utVec3 d, double slop)
{
    return ut_fan_holds(fan, d, -slop);
}

static void vertex_meets_edge(SurfacePair* pair, const Fan* fan, int g)
{
    const utHull* hull = &pair->core.hull;
    const utVec3 p = hull->vertex[hull->edge_vertex[2 * g]];
    const utVec3 pq = ut_vec3_sub(hull->vertex[hull->edge_vertex[2 * g + 1]], p);
    utVec3 along, n, into[2];
    if (!ut_vec3_normalize(pq, &along)) {
        return;
    }
    const double t = ut_vec3_dot(ut_vec3_sub(fan->at, p), along);
    if (!(t > pair->slop && t < ut_vec3_norm(pq) - pair->slop)) {
        return;
    }
    const utVec3 d = ut_vec3_sub(ut_vec3_add_scaled(p, t, along), fan->at);
    if (into_faces(hull, g, along, into) &&
        !(ut_vec3_dot(d, into[0]) > pair->slop && ut_vec3_dot(d, into[1]) > pair->slop)) {
        return;
    }
    if (fan_holds_strictly(fan, d, pair->slop) && ut_vec3_normalize(d, &n)) {
        vertex_add(pair, fan, n, ut_vec3_norm(d) - pair->core.radius, edge_feature(pair, g));
    }
}

static void vertex_meets_corner(SurfacePair* pair, const Fan* fan, int i)
{
    const utVec3 d = ut_vec3_sub(pair->core.hull.vertex[i], fan->at);
    utVec3 n;
    if (fan_holds_strictly(fan, d, pair->slop) && ut_vec3_normalize(d, &n) &&
        corner_may_touch(&pair->core.hull, i, n)) {
        vertex_add(pair, fan, n, ut_vec3_norm(d) - pair->core.radius, corner_feature(pair, i));
    }
}

void ut_core_collide_vertex(SurfacePair* pair, const Fan* fan)
{
    const utHull* hull = &pair->core.hull;
    vertex_meets_faces(pair, fan);
    for (int g = 0; g < hull->edges; g++) {
        vertex_meets_edge(pair, fan, g);
    }
    for (int i = 0; i < hull->vertices; i++) {
        vertex_meets_corner(pair, fan, i);
    }
}
