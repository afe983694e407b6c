// SPDX-License-Identifier: Apache-2.0
// The vertex of a polyhedron that is farthest along a direction.
//
// Small polyhedra are searched completely. On large ones a walk goes from vertex to its best
// neighbour until none is better. On a convex surface that is the farthest vertex, up to rounding
// and up to faces that are flat to 1e-9 of the size. So all connected vertices that are nearly as
// far are compared too. The result equals that of a complete search.
#include "internal.h"
#include "tolerances.h"

enum {
    MIN_WALK_VERTICES = 80, // polyhedra with fewer vertices are searched completely
    WALK_STARTS = 16,       // vertices of which the best starts the walk
    MAX_SEEN = 64           // vertices nearly as far as the farthest; with more, search completely
};

static int search_all(const utHull* hull, utVec3 d)
{
    int best = 0;
    double most = ut_vec3_dot(d, hull->vertex[0]);
    for (int i = 1; i < hull->vertices; i++) {
        const double along = ut_vec3_dot(d, hull->vertex[i]);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    return best;
}

static int walk_start(const utHull* hull, utVec3 d)
{
    const int stride = hull->vertices / WALK_STARTS;
    int best = 0;
    double most = ut_vec3_dot(d, hull->vertex[0]);
    for (int k = 1; k < WALK_STARTS; k++) {
        const double along = ut_vec3_dot(d, hull->vertex[k * stride]);
        if (along > most) {
            most = along;
            best = k * stride;
        }
    }
    return best;
}

// Walk to the best neighbour until none is better. The position increases with every step, so it
// ends.
static int walk(const utHull* hull, utVec3 d, int from)
{
    double most = ut_vec3_dot(d, hull->vertex[from]);
    for (int at = -1; at != from;) {
        at = from;
        for (int k = hull->vertex_start[at]; k < hull->vertex_start[at + 1]; k++) {
            const double along = ut_vec3_dot(d, hull->vertex[hull->neighbour[k]]);
            if (along > most) {
                most = along;
                from = hull->neighbour[k];
            }
        }
    }
    return from;
}

static bool was_seen(int count, const int* seen, int vertex)
{
    for (int i = 0; i < count; i++) {
        if (seen[i] == vertex) {
            return true;
        }
    }
    return false;
}

// The best of the vertices connected to `top` that are nearly as far; -1: there are too many.
static int best_around(const utHull* hull, utVec3 d, int top)
{
    const utVec3 x = hull->vertex[top];
    double most = ut_vec3_dot(d, x);
    // magnitude of the terms of the products, for their rounding
    const double scale = fabs(d.x * x.x) + fabs(d.y * x.y) + fabs(d.z * x.z) +
                         (fabs(d.x) + fabs(d.y) + fabs(d.z)) * hull->size;
    const double least =
        most - UT_HULL_NEARLY_FARTHEST * (fabs(d.x) + fabs(d.y) + fabs(d.z)) * hull->size -
        8.0 * DBL_EPSILON * scale;
    int seen[MAX_SEEN] = {top}, count = 1, best = top;
    for (int i = 0; i < count; i++) {
        for (int k = hull->vertex_start[seen[i]]; k < hull->vertex_start[seen[i] + 1]; k++) {
            const int v = hull->neighbour[k];
            const double along = ut_vec3_dot(d, hull->vertex[v]);
            if (!(along >= least) || was_seen(count, seen, v)) {
                continue;
            }
            if (count == MAX_SEEN) {
                return -1;
            }
            seen[count++] = v;
            if (along > most || (along == most && v < best)) {
                most = along;
                best = v;
            }
        }
    }
    return best;
}

int ut_hull_support(const utHull* hull, utVec3 d)
{
    if (hull->vertices < MIN_WALK_VERTICES) {
        return search_all(hull, d);
    }
    const int best = best_around(hull, d, walk(hull, d, walk_start(hull, d)));
    return best >= 0 ? best : search_all(hull, d);
}
