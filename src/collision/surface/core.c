// SPDX-License-Identifier: Apache-2.0
// Shapes of corners, edges and faces, grown by a radius, against one triangle, edge or vertex.
//
// Letters: u is a corner of the shape, g an edge of it with the unit direction d, f a face; n goes
// from the surface to the shape. A corner or edge of the shape may touch along n when no part of
// the shape next to it lies deeper along n.
#include "internal.h"

// ---- cores --------------------------------------------------------------------------------------

// A box: corner i has the signs of the bits of i, x first; faces are -x +x -y +y -z +z.
static const int box_start[9] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
static const int box_neighbour[24] = {1, 2, 4, 0, 3, 5, 3, 0, 6, 2, 1, 7,
                                      5, 6, 0, 4, 7, 1, 7, 4, 2, 6, 5, 3};
static const utVec3 box_normal[6] = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0},  {0.0, -1.0, 0.0},
                                     {0.0, 1.0, 0.0},  {0.0, 0.0, -1.0}, {0.0, 0.0, 1.0}};
static const int box_face_start[7] = {0, 4, 8, 12, 16, 20, 24};
static const int box_face_vertex[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                        2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const int box_face_edge[24] = {8,  6, 10, 4, 5, 11, 7, 9, 0, 9, 2, 8,
                                      10, 3, 11, 1, 4, 1,  5, 0, 2, 7, 3, 6};
static const int box_edge_vertex[24] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3,
                                        4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7};
static const int box_edge_face[24] = {2, 4, 4, 3, 5, 2, 3, 5, 4, 0, 1, 4,
                                      0, 5, 5, 1, 0, 2, 2, 1, 3, 0, 1, 3};

static const int segment_start[3] = {0, 1, 2};
static const int segment_neighbour[2] = {1, 0};
static const int segment_edge[2] = {0, 1};

static void core_of_box(const utShape* box, Core* core)
{
    const utVec3 h = box->size;
    for (int i = 0; i < 8; i++) {
        core->vertex[i] = ut_vec3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    }
    const double half[3] = {h.x, h.y, h.z};
    for (int f = 0; f < 6; f++) {
        core->offset[f] = half[f / 2];
    }
    core->hull = (utHull){.vertices = 8,
                          .edges = 12,
                          .faces = 6,
                          .vertex = core->vertex,
                          .vertex_start = box_start,
                          .neighbour = box_neighbour,
                          .normal = box_normal,
                          .offset = core->offset,
                          .face_start = box_face_start,
                          .face_vertex = box_face_vertex,
                          .face_edge = box_face_edge,
                          .edge_vertex = box_edge_vertex,
                          .edge_face = box_edge_face};
}

void ut_core_of(const utShape* shape, Core* core)
{
    core->radius = 0.0;
    if (shape->kind == UT_SHAPE_BOX) {
        core_of_box(shape, core);
    } else if (shape->kind == UT_SHAPE_HULL) {
        core->hull = *shape->hull;
    } else {
        const bool segment = shape->kind == UT_SHAPE_CAPSULE && shape->size.y > 0.0;
        core->radius = shape->size.x;
        core->vertex[0] = ut_vec3(0.0, 0.0, segment ? -shape->size.y : 0.0);
        core->vertex[1] = ut_vec3(0.0, 0.0, shape->size.y);
        // a point has no neighbours: its tables are not read
        core->hull = (utHull){.vertices = segment ? 2 : 1,
                              .edges = segment ? 1 : 0,
                              .vertex = core->vertex,
                              .vertex_start = segment_start,
                              .neighbour = segment_neighbour,
                              .edge_vertex = segment_edge};
    }
}

// ---- features -----------------------------------------------------------------------------------

static uint32_t box_corner_code(int i)
{
    return (uint32_t)((i & 1 ? 2 : 1) + (i & 2 ? 6 : 3) + (i & 4 ? 18 : 9));
}

static uint32_t corner_feature(const Pair* pair, int i)
{
    switch (pair->shape->kind) {
    case UT_SHAPE_BOX:
        return box_corner_code(i);
    case UT_SHAPE_HULL:
        return 3u * (uint32_t)i + 1u;
    default:
        return i == 0 ? END_LOW : END_HIGH;
    }
}

static uint32_t edge_feature(const Pair* pair, int g)
{
    if (pair->shape->kind == UT_SHAPE_BOX) {
        // without the digit of the axis along which it goes
        static const uint32_t power[3] = {1, 3, 9};
        return box_corner_code(box_edge_vertex[2 * g]) - power[g / 4];
    }
    return pair->shape->kind == UT_SHAPE_HULL ? 3u * (uint32_t)g + 2u : SHAFT;
}

static uint32_t face_feature(const Pair* pair, int f)
{
    if (pair->shape->kind == UT_SHAPE_BOX) {
        return (uint32_t)ut_digit(f / 2, f % 2 == 0 ? -1.0 : 1.0);
    }
    return 3u * (uint32_t)f + 3u;
}

// ---- normals of the shape's features ------------------------------------------------------------

static bool corner_may_touch(const utHull* hull, int i, utVec3 n)
{
    if (hull->edges == 0) {
        return true;
    }
    for (int j = hull->vertex_start[i]; j < hull->vertex_start[i + 1]; j++) {
        const utVec3 d = ut_vec3_sub(hull->vertex[hull->neighbour[j]], hull->vertex[i]);
        if (!(ut_vec3_dot(n, d) >= -UT_NEAR_PARALLEL * ut_vec3_norm(d))) {
            return false;
        }
    }
    return true;
}

// from edge g into its two faces, along them; false for an edge without faces
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
    return !into_faces(hull, g, d, into) || (ut_vec3_dot(n, into[0]) >= -UT_NEAR_PARALLEL &&
                                             ut_vec3_dot(n, into[1]) >= -UT_NEAR_PARALLEL);
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

static void meet_corner(Pair* pair, const Patch* patch, int i)
{
    const utVec3 n = patch->t.normal, u = pair->core.hull.vertex[i];
    const double height = ut_vec3_dot(n, ut_vec3_sub(u, patch->t.v[0]));
    const double gap = height - pair->core.radius;
    if (gap > pair->margin || !ut_patch_holds(patch, u, pair->slop)) {
        return;
    }
    if (height < -pair->slop && !ut_pair_leaves_by(pair, patch, u, height)) {
        return;
    }
    const double lowest = ut_pair_lowest(pair, n) - ut_vec3_dot(n, patch->t.v[0]);
    const Meeting m = {.foot = ut_vec3_add_scaled(u, -height, n),
                       .normal = n,
                       .gap = gap,
                       .fa = corner_feature(pair, i),
                       .fb = ut_feature_plane(patch),
                       .beside = height > lowest + pair->slop};
    ut_clusters_add(&pair->clusters, &m);
}

// the four lowest corners, as a box and a plane have them
static void meet_box_corners(Pair* pair, const Patch* patch)
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
    for (int k = 0; k < UT_MANIFOLD_FEW; k++) {
        meet_corner(pair, patch, order[k]);
    }
}

// the lowest corner and those of the face that looks down most
static void meet_hull_corners(Pair* pair, const Patch* patch)
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
    meet_corner(pair, patch, lowest);
    for (int j = hull->face_start[facing]; j < hull->face_start[facing + 1]; j++) {
        meet_corner(pair, patch, hull->face_vertex[j]);
    }
}

void ut_core_meets_face(Pair* pair, const Patch* patch)
{
    if (pair->shape->kind == UT_SHAPE_BOX) {
        meet_box_corners(pair, patch);
    } else if (pair->shape->kind == UT_SHAPE_HULL) {
        meet_hull_corners(pair, patch);
    } else {
        for (int i = 0; i < pair->core.hull.vertices; i++) {
            meet_corner(pair, patch, i);
        }
    }
}

// ---- an edge ------------------------------------------------------------------------------------

// An edge of the surface while its meetings are gathered.
typedef struct Ridge {
    const Patch* patch;
    int k;
    utVec3 a, along; // where it begins, its unit direction
    double length;
    int count;
    Meeting meeting[32];
} Ridge;

static void ridge_add(Ridge* ridge, const Pair* pair, double s, utVec3 n, double gap, uint32_t fa,
                      uint32_t fb)
{
    if (gap <= pair->margin && ridge->count < 32) {
        ridge->meeting[ridge->count++] =
            (Meeting){ut_vec3_add_scaled(ridge->a, s, ridge->along), n, gap, fa, fb, false};
    }
}

// n, or the normal at one end of the edge's range that is all but the same
static utVec3 ridge_snap(const Ridge* ridge, utVec3 n)
{
    const utVec3 n1 = ridge->patch->t.normal, n2 = ridge->patch->beyond[ridge->k];
    return ut_same_normal(n, n1, UT_NEAR_PARALLEL)   ? n1
           : ut_same_normal(n, n2, UT_NEAR_PARALLEL) ? n2
                                                     : n;
}

// the part of the edge that is in front of a face of the shape
typedef struct Stretch {
    double s[2];
    int cut[2]; // the shape's edge that cuts it there; -1: its own end
} Stretch;

static bool cut_to_face(const Pair* pair, const Ridge* ridge, int f, Stretch* stretch)
{
    const utHull* hull = &pair->core.hull;
    const int first = hull->face_start[f], count = hull->face_start[f + 1] - first;
    *stretch = (Stretch){{0.0, ridge->length}, {-1, -1}};
    for (int j = 0; j < count; j++) {
        const utVec3 p = hull->vertex[hull->face_vertex[first + j]];
        const utVec3 q = hull->vertex[hull->face_vertex[first + (j + 1) % count]];
        utVec3 out;
        ut_vec3_normalize(ut_vec3_cross(ut_vec3_sub(q, p), hull->normal[f]), &out);
        const double start = ut_vec3_dot(out, ut_vec3_sub(ridge->a, p));
        const double slope = ut_vec3_dot(out, ridge->along);
        const double l0 = start + stretch->s[0] * slope, l1 = start + stretch->s[1] * slope;
        const bool out0 = l0 > pair->slop, out1 = l1 > pair->slop;
        if (out0 && out1) {
            return false;
        }
        if (out0 || out1) {
            const int end = out0 ? 0 : 1;
            const double share = fmin(fmax(l0 / (l0 - l1), 0.0), 1.0);
            stretch->s[end] = stretch->s[0] + share * (stretch->s[1] - stretch->s[0]);
            stretch->cut[end] = hull->face_edge[first + j];
        }
    }
    return true;
}

// a face of the shape that the edge lies along: the ends of their common stretch
static void ridge_meets_face(const Pair* pair, Ridge* ridge, int f)
{
    const utHull* hull = &pair->core.hull;
    const utVec3 n = ut_vec3_negate(hull->normal[f]);
    Stretch stretch;
    if (fabs(ut_vec3_dot(n, ridge->along)) > UT_NEAR_PARALLEL ||
        !ut_patch_arc_holds(ridge->patch, ridge->k, n, UT_NEAR_PARALLEL) ||
        !cut_to_face(pair, ridge, f, &stretch)) {
        return;
    }
    const utVec3 normal = ridge_snap(ridge, n);
    for (int end = 0; end < 2; end++) {
        const double s = stretch.s[end];
        const utVec3 x = ut_vec3_add_scaled(ridge->a, s, ridge->along);
        const int vertex = ridge->patch->t.corner[(ridge->k + end) % 3];
        const bool own = stretch.cut[end] < 0;
        const double gap = ut_vec3_dot(hull->normal[f], x) - hull->offset[f];
        ridge_add(ridge, pair, s, normal, gap,
                  own ? face_feature(pair, f) : edge_feature(pair, stretch.cut[end]),
                  own ? ut_feature_vertex(vertex) : ut_feature_edge(ridge->patch, ridge->k));
    }
}

// an edge of the shape that crosses it
static void ridge_meets_edge(const Pair* pair, Ridge* ridge, int g)
{
    const utHull* hull = &pair->core.hull;
    const utVec3 p = hull->vertex[hull->edge_vertex[2 * g]];
    const utVec3 pq = ut_vec3_sub(hull->vertex[hull->edge_vertex[2 * g + 1]], p);
    const double length = ut_vec3_norm(pq);
    utVec3 d, n;
    if (!ut_vec3_normalize(pq, &d)) {
        return;
    }
    const utVec3 k = ut_vec3_cross(ridge->along, d);
    const double square = ut_vec3_dot(k, k);
    if (!(square > UT_NEAR_PARALLEL * UT_NEAR_PARALLEL) || !ut_vec3_normalize(k, &n)) {
        return;
    }
    const utVec3 w = ut_vec3_sub(p, ridge->a);
    const double s = ut_vec3_dot(ut_vec3_cross(w, d), k) / square;
    const double t = ut_vec3_dot(ut_vec3_cross(w, ridge->along), k) / square;
    if (!(s >= -pair->slop && s <= ridge->length + pair->slop && t >= -pair->slop &&
          t <= length + pair->slop)) {
        return;
    }
    for (int turn = 0; turn < 2; turn++) {
        const utVec3 m = turn == 0 ? n : ut_vec3_negate(n);
        if (ut_patch_arc_holds(ridge->patch, ridge->k, m, UT_NEAR_PARALLEL) &&
            edge_may_touch(hull, g, d, m)) {
            const double gap = ut_vec3_dot(m, w) - pair->core.radius;
            ridge_add(ridge, pair, s, ridge_snap(ridge, m), gap, edge_feature(pair, g),
                      ut_feature_edge(ridge->patch, ridge->k));
        }
    }
}

// a corner of the shape beside it, in front of neither of its triangles
static void ridge_meets_corner(const Pair* pair, Ridge* ridge, int i)
{
    const utVec3 w = ut_vec3_sub(pair->core.hull.vertex[i], ridge->a);
    const double s = ut_vec3_dot(w, ridge->along);
    if (!(s >= -pair->slop && s <= ridge->length + pair->slop)) {
        return;
    }
    const utVec3 d = ut_vec3_add_scaled(w, -s, ridge->along);
    const utVec3 out2 = ut_vec3_cross(ridge->patch->beyond[ridge->k], ridge->along);
    utVec3 n;
    if (!(ut_vec3_dot(d, ridge->patch->out[ridge->k]) > pair->slop &&
          ut_vec3_dot(d, out2) > pair->slop) ||
        !ut_vec3_normalize(d, &n) || !corner_may_touch(&pair->core.hull, i, n)) {
        return;
    }
    ridge_add(ridge, pair, s, n, ut_vec3_norm(d) - pair->core.radius, corner_feature(pair, i),
              ut_feature_edge(ridge->patch, ridge->k));
}

// Of several ways out over one edge the shortest, unless one of its triangles is shorter still.
static void ridge_hand_over(Pair* pair, const Ridge* ridge)
{
    const double r = pair->core.radius;
    const utVec3 n1 = ridge->patch->t.normal, n2 = ridge->patch->beyond[ridge->k];
    const double face = fmax(ut_pair_lowest(pair, n1) - ut_vec3_dot(n1, ridge->a),
                             ut_pair_lowest(pair, n2) - ut_vec3_dot(n2, ridge->a));
    int best = -1;
    for (int i = 0; i < ridge->count; i++) {
        const double gap = ridge->meeting[i].gap + r;
        if (gap < 0.0 && (best < 0 || gap > ridge->meeting[best].gap + r)) {
            best = i;
        }
    }
    for (int i = 0; i < ridge->count; i++) {
        const Meeting* m = &ridge->meeting[i];
        const double gap = m->gap + r;
        const bool below = gap < -pair->slop;
        if (below && (gap < face - pair->slop ||
                      (gap < ridge->meeting[best].gap + r - pair->slop &&
                       !ut_same_normal(m->normal, ridge->meeting[best].normal, 1e-3)))) {
            continue;
        }
        ut_clusters_add(&pair->clusters, m);
    }
}

void ut_core_meets_edge(Pair* pair, const Patch* patch, int k)
{
    const utHull* hull = &pair->core.hull;
    Ridge ridge = {.patch = patch, .k = k, .a = patch->t.v[k], .along = patch->along[k]};
    ridge.length = patch->length[k];
    for (int f = 0; f < hull->faces; f++) {
        ridge_meets_face(pair, &ridge, f);
    }
    for (int g = 0; g < hull->edges; g++) {
        ridge_meets_edge(pair, &ridge, g);
    }
    for (int i = 0; i < hull->vertices; i++) {
        ridge_meets_corner(pair, &ridge, i);
    }
    ridge_hand_over(pair, &ridge);
}

// ---- a vertex -----------------------------------------------------------------------------------

static void fan_add(Pair* pair, const Fan* fan, utVec3 n, double gap, uint32_t fa)
{
    if (gap <= pair->margin) {
        ut_clusters_add(&pair->clusters, &(Meeting){fan->at, n, gap, fa, fan->id, false});
    }
}

// A face of the shape above it. Inside of the shape, the nearest of those that it may leave by.
static void fan_meets_faces(Pair* pair, const Fan* fan)
{
    const utHull* hull = &pair->core.hull;
    int best = -1;
    double most = -HUGE_VAL;
    for (int f = 0; f < hull->faces; f++) {
        const double height = ut_vec3_dot(hull->normal[f], fan->at) - hull->offset[f];
        if (height > pair->margin) {
            return;
        }
        if (height > most && ut_fan_holds(fan, ut_vec3_negate(hull->normal[f]), UT_NEAR_PARALLEL) &&
            face_holds(hull, f, fan->at, pair->slop)) {
            most = height;
            best = f;
        }
    }
    if (best >= 0 && !(most < -pair->slop && most < ut_fan_gap(pair, fan) - pair->slop)) {
        const utVec3 n = ut_fan_snap(fan, ut_vec3_negate(hull->normal[best]));
        fan_add(pair, fan, n, most, face_feature(pair, best));
    }
}

// Is d in the vertex's own range, away from the edges that leave it?
static bool fan_holds_strictly(const Fan* fan, utVec3 d, double slop)
{
    return ut_fan_holds(fan, d, -slop);
}

static void fan_meets_edge(Pair* pair, const Fan* fan, int g)
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
        fan_add(pair, fan, n, ut_vec3_norm(d) - pair->core.radius, edge_feature(pair, g));
    }
}

static void fan_meets_corner(Pair* pair, const Fan* fan, int i)
{
    const utVec3 d = ut_vec3_sub(pair->core.hull.vertex[i], fan->at);
    utVec3 n;
    if (fan_holds_strictly(fan, d, pair->slop) && ut_vec3_normalize(d, &n) &&
        corner_may_touch(&pair->core.hull, i, n)) {
        fan_add(pair, fan, n, ut_vec3_norm(d) - pair->core.radius, corner_feature(pair, i));
    }
}

void ut_core_meets_vertex(Pair* pair, const Fan* fan)
{
    const utHull* hull = &pair->core.hull;
    fan_meets_faces(pair, fan);
    for (int g = 0; g < hull->edges; g++) {
        fan_meets_edge(pair, fan, g);
    }
    for (int i = 0; i < hull->vertices; i++) {
        fan_meets_corner(pair, fan, i);
    }
}
