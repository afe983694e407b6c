// SPDX-License-Identifier: Apache-2.0
// Corners of the polygon by quickhull in the plane, and convex combinations of the corners.
#include "support_polygon.h"

#include <math.h>

// m: counted gaps of resting contacts may differ by this much, because gaps within 1e-9 m of 0
// count as touching and overlaps count as 0
static const double RESTING = 2e-9;

// ---- corners ------------------------------------------------------------------------------------

// The point farthest along (dx, dy); among equals the one farthest along (-dy, dx).
static int farthest(const SupportPolygon* polygon, double dx, double dy)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < polygon->count; i++) {
        most = fmax(most, dx * polygon->point[i].x + dy * polygon->point[i].y);
    }
    int best = 0;
    double best_across = -HUGE_VAL;
    for (int i = 0; i < polygon->count; i++) {
        const PlanarContact* s = &polygon->point[i];
        const double across = dx * s->y - dy * s->x;
        if (dx * s->x + dy * s->y >= most - polygon->length_tolerance &&
            across > best_across + polygon->length_tolerance) {
            best_across = across;
            best = i;
        }
    }
    return best;
}

typedef struct Edge {
    const PlanarContact* from;
    double dx, dy, length; // unit direction
} Edge;

static Edge edge_between(const PlanarContact* a, const PlanarContact* b)
{
    const double dx = b->x - a->x, dy = b->y - a->y, length = sqrt(dx * dx + dy * dy);
    return (Edge){a, length > 0.0 ? dx / length : 0.0, length > 0.0 ? dy / length : 0.0, length};
}

// Distance to the right of the edge.
static double outside(const Edge* e, const PlanarContact* s)
{
    return e->dy * (s->x - e->from->x) - e->dx * (s->y - e->from->y);
}

// Distance along the edge from its start.
static double along(const Edge* e, const PlanarContact* s)
{
    return e->dx * (s->x - e->from->x) + e->dy * (s->y - e->from->y);
}

// The point farthest to the right of the side from a to b; among equals the first along the side.
// @return -1: no point is outside
static int farthest_outside(const SupportPolygon* polygon, int a, int b)
{
    const Edge e = edge_between(&polygon->point[a], &polygon->point[b]);
    const double tolerance = polygon->length_tolerance;
    double most = tolerance;
    for (int i = 0; i < polygon->count; i++) {
        const double at = along(&e, &polygon->point[i]);
        if (at >= -tolerance && at <= e.length + tolerance) {
            most = fmax(most, outside(&e, &polygon->point[i]));
        }
    }
    int best = -1;
    double least = HUGE_VAL;
    for (int i = 0; i < polygon->count && most > tolerance; i++) {
        const double at = along(&e, &polygon->point[i]);
        if (at >= -tolerance && at <= e.length + tolerance &&
            outside(&e, &polygon->point[i]) >= fmax(most - tolerance, tolerance) &&
            (best < 0 || at < least - tolerance)) {
            least = at;
            best = i;
        }
    }
    return best == a || best == b ? -1 : best;
}

// Start with the segment between two extreme points and split each side at the point farthest
// outside of it, until no point is outside.
void ut_polygon_find_corners(SupportPolygon* polygon, int* stack)
{
    const int low = farthest(polygon, -1.0, 0.0), high = farthest(polygon, 1.0, 0.0);
    const Edge across = edge_between(&polygon->point[low], &polygon->point[high]);
    polygon->corners = 0;
    polygon->corner[polygon->corners++] = low;
    if (!(across.length > polygon->length_tolerance)) {
        return;
    }
    // ends of the sides that are not finished, the next one on top
    int open = 0;
    stack[open++] = low;
    stack[open++] = high;
    int from = low;
    while (open > 0) {
        const int to = stack[open - 1];
        // the number of points bounds the loop in case rounding finds a corner twice
        const bool has_room = polygon->corners + open < polygon->count + 1;
        const int split = has_room ? farthest_outside(polygon, from, to) : -1;
        if (split >= 0) {
            stack[open++] = split;
            continue;
        }
        open--;
        if (open > 0) {
            polygon->corner[polygon->corners++] = to;
        }
        from = to;
    }
}

bool ut_polygon_is_corner(const SupportPolygon* polygon, int i)
{
    bool found = false;
    for (int k = 0; k < polygon->corners; k++) {
        found = found || polygon->corner[k] == i;
    }
    return found;
}

// ---- convex combinations ------------------------------------------------------------------------

// A point as a convex combination of up to three corners.
typedef struct CornerWeights {
    int corner[3];
    double weight[3];
} CornerWeights;

static void set_weights(CornerWeights* w, const int* corner, double l0, double l1, double l2)
{
    const double sum = fmax(l0, 0.0) + fmax(l1, 0.0) + fmax(l2, 0.0);
    const double l[3] = {l0, l1, l2};
    for (int k = 0; k < 3; k++) {
        w->corner[k] = corner[k];
        w->weight[k] = fmax(l[k], 0.0) / sum;
    }
}

// Weights of the two corners of a segment. @return the distance of p from the segment, or less
static double weights_of_segment(const SupportPolygon* polygon, const PlanarContact* p,
                                 CornerWeights* weights)
{
    const int corner[3] = {polygon->corner[0], polygon->corner[1], polygon->corner[1]};
    const Edge e = edge_between(&polygon->point[corner[0]], &polygon->point[corner[1]]);
    const double t = along(&e, p) / e.length;
    set_weights(weights, corner, 1.0 - t, t, 0.0);
    return fmax(fabs(outside(&e, p)), e.length * fmax(-t, t - 1.0));
}

// Weights of the corners 0, i and i + 1. @return the largest distance of p outside of a side
static double weights_of_triangle(const SupportPolygon* polygon, int i, const PlanarContact* p,
                                  CornerWeights* weights)
{
    const int corner[3] = {polygon->corner[0], polygon->corner[i], polygon->corner[i + 1]};
    double weight[3], out = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const Edge e = edge_between(&polygon->point[corner[(k + 1) % 3]],
                                    &polygon->point[corner[(k + 2) % 3]]);
        const double height = -outside(&e, &polygon->point[corner[k]]);
        out = fmax(out, outside(&e, p));
        weight[k] = -outside(&e, p) / height;
    }
    set_weights(weights, corner, weight[0], weight[1], weight[2]);
    return out;
}

// Weights of the triangle that contains p, or of the nearest one. @return the distance of p from it
static double find_weights(const SupportPolygon* polygon, const PlanarContact* p,
                           CornerWeights* best)
{
    if (polygon->corners == 1) {
        const int corner[3] = {polygon->corner[0], polygon->corner[0], polygon->corner[0]};
        set_weights(best, corner, 1.0, 0.0, 0.0);
        return edge_between(&polygon->point[corner[0]], p).length;
    }
    if (polygon->corners == 2) {
        return weights_of_segment(polygon, p, best);
    }
    double least = HUGE_VAL;
    for (int i = 1; i + 1 < polygon->corners; i++) {
        CornerWeights weights;
        const double out = weights_of_triangle(polygon, i, p, &weights);
        if (out < least) {
            least = out;
            *best = weights;
        }
    }
    return least;
}

// The height may differ by half of the difference in gap: contact points lie halfway between the
// two surfaces, and one of the surfaces is plane.
bool ut_polygon_is_redundant(const SupportPolygon* polygon, const PlanarContact* p)
{
    CornerWeights w = {0};
    if (!(find_weights(polygon, p, &w) <= 2.0 * polygon->length_tolerance)) {
        return false;
    }
    double gap = 0.0, counted_gap = 0.0, height = 0.0;
    for (int k = 0; k < 3; k++) {
        const PlanarContact* corner = &polygon->point[w.corner[k]];
        gap += w.weight[k] * corner->gap;
        counted_gap += w.weight[k] * corner->counted_gap;
        height += w.weight[k] * corner->height;
    }
    return p->gap >= gap - polygon->gap_tolerance &&
           p->counted_gap >= counted_gap - polygon->gap_tolerance - RESTING &&
           fabs(p->height - height) <= 0.5 * fabs(p->gap - gap) + polygon->length_tolerance;
}
