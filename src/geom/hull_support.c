// SPDX-License-Identifier: Apache-2.0
// The vertex of a polyhedron that is farthest along a direction.
//
// Small ones are looked through. On large ones a walk goes from neighbour to neighbour, always to
// the best, until none is better: on a convex surface that is the farthest, up to what rounding and
// faces that are flat to 1e-9 of the size leave open. So all vertices around it that are as far but
// for a little more than that are looked at as well. The result is that of looking through all.
#include "internal.h"

enum {
    SMALL = 80,   // vertices that are looked through
    STARTS = 16,  // vertices of which the best begins the walk
    SEEN_MAX = 64 // vertices about as far as the farthest; more: look through all
};

static const double open_part = 1e-8; // of the size

static int look_through(const utHull* hull, utVec3 d)
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

static int begin_of(const utHull* hull, utVec3 d)
{
    const int stride = hull->vertices / STARTS;
    int best = 0;
    double most = ut_vec3_dot(d, hull->vertex[0]);
    for (int k = 1; k < STARTS; k++) {
        const double along = ut_vec3_dot(d, hull->vertex[k * stride]);
        if (along > most) {
            most = along;
            best = k * stride;
        }
    }
    return best;
}

// Rises with every turn, so it ends.
static int climb(const utHull* hull, utVec3 d, int from)
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

// The best of all vertices about as far as `top` that hang together with it; -1: there are many.
static int best_around(const utHull* hull, utVec3 d, int top)
{
    const utVec3 x = hull->vertex[top];
    double most = ut_vec3_dot(d, x);
    // the numbers that make up a product and what is left open
    const double scale = fabs(d.x * x.x) + fabs(d.y * x.y) + fabs(d.z * x.z) +
                         (fabs(d.x) + fabs(d.y) + fabs(d.z)) * hull->size;
    const double least = most - open_part * (fabs(d.x) + fabs(d.y) + fabs(d.z)) * hull->size -
                         8.0 * DBL_EPSILON * scale;
    int seen[SEEN_MAX] = {top}, count = 1, best = top;
    for (int i = 0; i < count; i++) {
        for (int k = hull->vertex_start[seen[i]]; k < hull->vertex_start[seen[i] + 1]; k++) {
            const int v = hull->neighbour[k];
            const double along = ut_vec3_dot(d, hull->vertex[v]);
            if (!(along >= least) || was_seen(count, seen, v)) {
                continue;
            }
            if (count == SEEN_MAX) {
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
    if (hull->vertices < SMALL) {
        return look_through(hull, d);
    }
    const int best = best_around(hull, d, climb(hull, d, begin_of(hull, d)));
    return best >= 0 ? best : look_through(hull, d);
}
