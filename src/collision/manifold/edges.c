// SPDX-License-Identifier: Apache-2.0
// Edges of two shapes that pass each other further away but within the margin.
//
// With unit directions u and v and w from a point of the first edge to one of the second, the edges
// are nearest at s along the first and t along the second:
//     s = (w x v).k / k.k,  t = (w x u).k / k.k,  k = u x v
#include "manifold.h"

enum { EDGES_MAX = 16 };

typedef struct Edge {
    utVec3 p, u; // from p along the unit u, in the frame of the pair
    double length;
    int index;
} Edge;

static Edge edge_of(const Solid* solid, int g)
{
    const utHull* hull = &solid->core.hull;
    const utVec3 p = hull->vertex[hull->edge_vertex[2 * g]];
    const utVec3 along = ut_vec3_sub(hull->vertex[hull->edge_vertex[2 * g + 1]], p);
    utVec3 u = ut_vec3_zero();
    Edge edge = {.p = ut_frame_point(solid->at, p), .length = ut_split(along, &u), .index = g};
    edge.u = ut_mat3_mul_vec(solid->at.R, u);
    return edge;
}

// Edges with an end that is within the margin along the manifold's normal: no part of another one
// is. @param d from this solid to the other @param least along d, of the other's nearest point
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

// How steeply the shape goes on from its edge along n: below 0, n is a normal of the edge.
static double rise(const Solid* solid, const Edge* edge, utVec3 n)
{
    const utHull* hull = &solid->core.hull;
    if (hull->faces == 0) {
        return -1.0;
    }
    const utVec3 n_local = ut_mat3_tmul_vec(solid->at.R, n);
    const utVec3 u = ut_mat3_tmul_vec(solid->at.R, edge->u);
    const utVec3 across = ut_vec3_cross(u, n_local);
    // into the faces: left x u and u x right
    const double left = ut_vec3_dot(hull->normal[hull->edge_face[2 * edge->index]], across);
    const double right = -ut_vec3_dot(hull->normal[hull->edge_face[2 * edge->index + 1]], across);
    return left > right ? left : right;
}

// Nearest at s along the first and t along the second, along k: the rest of what is asked.
static void add_passing(const Solids* pair, const Edge* a, const Edge* b, utVec3 n, utVec3 k,
                        double s, double t, Candidates* list)
{
    const double slop = pair->slop, ra = pair->a.core.radius, rb = pair->b.core.radius;
    utVec3 normal = ut_vec3_zero();
    if (!(s > slop && s < a->length - slop && t > slop && t < b->length - slop) ||
        !(ut_split(k, &normal) > 0.0)) {
        return;
    }
    const double gap = ut_vec3_dot(normal, ut_vec3_sub(b->p, a->p)) - ra - rb;
    if (!(gap >= 0.0 && gap <= pair->margin && ut_vec3_dot(normal, n) > 0.5)) {
        return;
    }
    const double rise_a = rise(&pair->a, a, normal);
    const double rise_b = rise(&pair->b, b, ut_vec3_negate(normal));
    if (!(fmin(rise_a, rise_b) <= 0.0 && fmax(rise_a, rise_b) <= UT_STEEPEST)) {
        return;
    }
    const utVec3 x = ut_vec3_add_scaled(a->p, s, a->u);
    const Candidate candidate = {ut_vec3_add_scaled(x, ra + 0.5 * gap, normal), normal, gap,
                                 ut_solid_edge(&pair->a, a->index),
                                 ut_solid_edge(&pair->b, b->index)};
    ut_candidates_add(list, &candidate);
}

// Inside both edges, apart, in about the direction of the manifold, and along a normal of one of
// them at least. What is far from it goes first, without a root.
static void try_edges(const Solids* pair, const Edge* a, const Edge* b, utVec3 n, Candidates* list)
{
    const utVec3 k = ut_vec3_cross(a->u, b->u);
    const double square = ut_vec3_dot(k, k);
    if (!(square > 1e-6)) {
        return;
    }
    const utVec3 w = ut_vec3_sub(b->p, a->p);
    const double ra = pair->a.core.radius, rb = pair->b.core.radius;
    const double most = (ra + rb + pair->margin) * (1.0 + 1e-12);
    const double facing = ut_vec3_dot(k, n);
    const double along = facing < 0.0 ? -ut_vec3_dot(w, k) : ut_vec3_dot(w, k);
    if (along < 0.0 || along * along > most * most * square || facing * facing < 0.2499 * square) {
        return;
    }
    const double s = ut_vec3_dot(ut_vec3_cross(w, b->u), k) / square;
    const double t = ut_vec3_dot(ut_vec3_cross(w, a->u), k) / square;
    add_passing(pair, a, b, n, facing < 0.0 ? ut_vec3_negate(k) : k, s, t, list);
}

void ut_edges_meet(const Solids* pair, utVec3 n, double top, double low, Candidates* list)
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
