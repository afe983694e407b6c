// SPDX-License-Identifier: Apache-2.0
// Pairs of edges that cross at a distance within the margin but beyond the nearest points.
//
// With unit directions u and v, and w from a point of the first edge to a point of the second, the
// edges are nearest at s along the first and t along the second:
//     s = (w x v).k / k.k,  t = (w x u).k / k.k,  k = u x v
#include "manifold.h"

// a little below the square of UT_SIMILAR_NORMAL, because this test comes before the exact one
#define SIMILAR_SQUARE 0.2499

enum { EDGES_MAX = 16 };

typedef struct Edge {
    utVec3 p, u; // from p along the unit vector u, in the frame of the pair
    double length;
    int index;
} Edge;

static Edge edge_of(const Solid* solid, int g)
{
    const utHull* hull = &solid->core.hull;
    const utVec3 p = hull->vertex[hull->edge_vertex[2 * g]];
    const utVec3 along = ut_vec3_sub(hull->vertex[hull->edge_vertex[2 * g + 1]], p);
    utVec3 u = ut_vec3_zero();
    Edge edge = {
        .p = ut_frame_point(solid->at, p), .length = ut_norm_and_unit(along, &u), .index = g};
    edge.u = ut_mat3_mul_vec(solid->at.R, u);
    return edge;
}

// Edges with an end that is within the margin along the manifold's normal; no other edge can be.
// @param d from this solid to the other @param least position along d of the other's nearest point
static int find_edges(const Solid* solid, utVec3 d, double least, Edge* edge)
{
    const utHull* hull = &solid->core.hull;
    const utVec3 d_local = ut_mat3_tmul_vec(solid->at.R, d);
    const double enough = least - ut_vec3_dot(d, solid->at.p);
    bool within[8];
    for (int i = 0; i < hull->vertices && i < 8; i++) {
        within[i] = ut_vec3_dot(d_local, hull->vertex[i]) >= enough;
    }
    int count = 0;
    for (int g = 0; g < hull->edges && count < EDGES_MAX; g++) {
        const int tail = hull->edge_vertex[2 * g], head = hull->edge_vertex[2 * g + 1];
        const bool tail_in =
            tail < 8 ? within[tail] : ut_vec3_dot(d_local, hull->vertex[tail]) >= enough;
        const bool head_in =
            head < 8 ? within[head] : ut_vec3_dot(d_local, hull->vertex[head]) >= enough;
        if (tail_in || head_in) {
            edge[count++] = edge_of(solid, g);
        }
    }
    return count;
}

// Steepest slope along n of the two faces at the edge; below 0, n is a normal of the edge.
static double slope(const Solid* solid, const Edge* edge, utVec3 n)
{
    const utHull* hull = &solid->core.hull;
    if (hull->faces == 0) {
        return -1.0;
    }
    const utVec3 n_local = ut_mat3_tmul_vec(solid->at.R, n);
    const utVec3 u = ut_mat3_tmul_vec(solid->at.R, edge->u);
    const utVec3 across = ut_vec3_cross(u, n_local);
    // directions into the faces: left x u and u x right
    const double left = ut_vec3_dot(hull->normal[hull->edge_face[2 * edge->index]], across);
    const double right = -ut_vec3_dot(hull->normal[hull->edge_face[2 * edge->index + 1]], across);
    return left > right ? left : right;
}

// The remaining tests for two edges that are nearest at s and t, along k.
static void add_crossing(const SolidPair* pair, const Edge* a, const Edge* b, utVec3 n, utVec3 k,
                         double s, double t, Candidates* list)
{
    const double slop = pair->slop, ra = pair->a.core.radius, rb = pair->b.core.radius;
    utVec3 normal = ut_vec3_zero();
    if (!(s > slop && s < a->length - slop && t > slop && t < b->length - slop) ||
        !(ut_norm_and_unit(k, &normal) > 0.0)) {
        return;
    }
    const double gap = ut_vec3_dot(normal, ut_vec3_sub(b->p, a->p)) - ra - rb;
    if (!(gap >= 0.0 && gap <= pair->margin && ut_vec3_dot(normal, n) > UT_SIMILAR_NORMAL)) {
        return;
    }
    const double slope_a = slope(&pair->a, a, normal);
    const double slope_b = slope(&pair->b, b, ut_vec3_negate(normal));
    if (!(fmin(slope_a, slope_b) <= 0.0 && fmax(slope_a, slope_b) <= UT_STEEPEST)) {
        return;
    }
    const utVec3 x = ut_vec3_add_scaled(a->p, s, a->u);
    const Candidate candidate = {ut_vec3_add_scaled(x, ra + 0.5 * gap, normal), normal, gap,
                                 ut_solid_edge(&pair->a, a->index),
                                 ut_solid_edge(&pair->b, b->index)};
    ut_candidates_add(list, &candidate);
}

// A pair of edges counts when the nearest points are interior, the edges are apart, the direction
// is roughly that of the manifold, and it is a normal of at least one edge. Cheap tests come first.
static void try_edges(const SolidPair* pair, const Edge* a, const Edge* b, utVec3 n,
                      Candidates* list)
{
    const utVec3 k = ut_vec3_cross(a->u, b->u);
    const double square = ut_vec3_dot(k, k);
    if (!(square > UT_MIN_CROSSING_SQUARE)) {
        return;
    }
    const utVec3 w = ut_vec3_sub(b->p, a->p);
    const double ra = pair->a.core.radius, rb = pair->b.core.radius;
    const double most = (ra + rb + pair->margin) * (1.0 + UT_REACH_ALLOWANCE);
    const double facing = ut_vec3_dot(k, n);
    const double along = facing < 0.0 ? -ut_vec3_dot(w, k) : ut_vec3_dot(w, k);
    if (along < 0.0 || along * along > most * most * square ||
        facing * facing < SIMILAR_SQUARE * square) {
        return;
    }
    const double s = ut_vec3_dot(ut_vec3_cross(w, b->u), k) / square;
    const double t = ut_vec3_dot(ut_vec3_cross(w, a->u), k) / square;
    add_crossing(pair, a, b, n, facing < 0.0 ? ut_vec3_negate(k) : k, s, t, list);
}

void ut_edges_cross(const SolidPair* pair, utVec3 n, double top, double low, Candidates* list)
{
    Edge a[EDGES_MAX], b[EDGES_MAX];
    if (pair->a.core.hull.edges == 0 || pair->b.core.hull.edges == 0) {
        return;
    }
    const double ra = pair->a.core.radius, rb = pair->b.core.radius;
    const int as = find_edges(&pair->a, n, low - pair->margin - ra, a);
    const int bs =
        as == 0 ? 0 : find_edges(&pair->b, ut_vec3_negate(n), -(top + pair->margin + rb), b);
    for (int i = 0; i < as; i++) {
        for (int j = 0; j < bs; j++) {
            try_edges(pair, &a[i], &b[j], n, list);
        }
    }
}
