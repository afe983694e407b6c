// Edges of two shapes that pass each other further away but within the margin.
//
// With unit directions u and v and w from a point of the first edge to one of the second, the edges
// are nearest at s along the first and t along the second:
//     s = (w x v).k / k.k,  t = (w x u).k / k.k,  k = u x v
#include "collision/manifold.h"

enum { EDGES_MAX = 16 };

// Sine of the slope at which a face may go on from its edge up towards the other shape.
static const double steepest = 0.5;

typedef struct Edge {
    utVec3 p, u; // from p along the unit u, in the frame of the pair
    double length;
    int faces;
    utVec3 into[2]; // unit, from the edge into its faces
    int feature;
} Edge;

static Edge edge_of(const Solid* solid, int g)
{
    const utHull* hull = &solid->core.hull;
    const utVec3 p = hull->vertex[hull->edge_vertex[2 * g]];
    const utVec3 along = ut_vec3_sub(hull->vertex[hull->edge_vertex[2 * g + 1]], p);
    Edge edge = {.p = ut_frame_point(solid->at, p), .length = ut_vec3_norm(along)};
    edge.feature = ut_solid_edge(solid, g);
    utVec3 u = ut_vec3_zero();
    ut_vec3_normalize(along, &u);
    edge.u = ut_mat3_mul_vec(solid->at.R, u);
    if (hull->faces > 0) {
        const utVec3 left = ut_vec3_cross(hull->normal[hull->edge_face[2 * g]], u);
        const utVec3 right = ut_vec3_cross(u, hull->normal[hull->edge_face[2 * g + 1]]);
        edge.faces = 2;
        edge.into[0] = ut_mat3_mul_vec(solid->at.R, left);
        edge.into[1] = ut_mat3_mul_vec(solid->at.R, right);
    }
    return edge;
}

// Edges with an end that is within the margin along the manifold's normal: no part of another one
// is. @param d from this solid to the other
static int find_edges(const Solid* solid, const Solid* other, utVec3 d, double margin, Edge* edge)
{
    const utHull* hull = &solid->core.hull;
    const double limit = -ut_solid_reach(other, ut_vec3_negate(d)) - solid->core.radius;
    int count = 0;
    for (int g = 0; g < hull->edges && count < EDGES_MAX; g++) {
        double least = HUGE_VAL;
        for (int i = 0; i < 2; i++) {
            const utVec3 x = ut_frame_point(solid->at, hull->vertex[hull->edge_vertex[2 * g + i]]);
            least = fmin(least, limit - ut_vec3_dot(d, x));
        }
        if (least <= margin) {
            edge[count++] = edge_of(solid, g);
        }
    }
    return count;
}

// How steeply the shape goes on from its edge along n: below 0, n is a normal of the edge.
static double rise(const Edge* edge, utVec3 n)
{
    double most = -1.0;
    for (int i = 0; i < edge->faces; i++) {
        most = fmax(most, ut_vec3_dot(n, edge->into[i]));
    }
    return most;
}

// Inside both edges, apart, in about the direction of the manifold, and along a normal of one of
// them at least.
static void try_edges(const Solids* pair, const Edge* a, const Edge* b, utVec3 n, Candidates* list)
{
    utVec3 k = ut_vec3_cross(a->u, b->u);
    const double square = ut_vec3_dot(k, k);
    if (!(square > 1e-6)) {
        return;
    }
    const utVec3 w = ut_vec3_sub(b->p, a->p);
    const double s = ut_vec3_dot(ut_vec3_cross(w, b->u), k) / square;
    const double t = ut_vec3_dot(ut_vec3_cross(w, a->u), k) / square;
    const double slop = pair->slop;
    if (!(s > slop && s < a->length - slop && t > slop && t < b->length - slop) ||
        !ut_vec3_normalize(k, &k)) {
        return;
    }
    const utVec3 normal = ut_vec3_dot(k, n) < 0.0 ? ut_vec3_negate(k) : k;
    const double ra = pair->a.core.radius, rb = pair->b.core.radius;
    const double gap = ut_vec3_dot(normal, w) - ra - rb;
    const double rise_a = rise(a, normal), rise_b = rise(b, ut_vec3_negate(normal));
    if (!(gap >= 0.0 && gap <= pair->margin && ut_vec3_dot(normal, n) > 0.5) ||
        !(fmin(rise_a, rise_b) <= 0.0 && fmax(rise_a, rise_b) <= steepest)) {
        return;
    }
    const utVec3 x = ut_vec3_add_scaled(a->p, s, a->u);
    const Candidate candidate = {ut_vec3_add_scaled(x, ra + 0.5 * gap, normal), normal, gap,
                                 a->feature, b->feature};
    ut_candidates_add(list, &candidate);
}

void ut_edges_meet(const Solids* pair, utVec3 n, Candidates* list)
{
    Edge a[EDGES_MAX], b[EDGES_MAX];
    if (pair->a.core.hull.edges == 0 || pair->b.core.hull.edges == 0) {
        return;
    }
    const int as = find_edges(&pair->a, &pair->b, n, pair->margin, a);
    const int bs = as > 0 ? find_edges(&pair->b, &pair->a, ut_vec3_negate(n), pair->margin, b) : 0;
    for (int i = 0; i < as * bs; i++) {
        try_edges(pair, &a[i / bs], &b[i % bs], n, list);
    }
}
