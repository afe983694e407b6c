// SPDX-License-Identifier: Apache-2.0
// What a box or a ray meets. Nothing is written but the result: several threads may ask at once.
#include "broad.h"

// ---- the lowest ids -----------------------------------------------------------------------------

// The lowest `max` of all ids given, as a heap whose first is the highest.
typedef struct Lowest {
    int max, count, kept;
    int* id;
} Lowest;

static void sink(int* heap, int count, int i)
{
    const int moving = heap[i];
    for (int below = 2 * i + 1; below < count; below = 2 * i + 1) {
        below += below + 1 < count && heap[below + 1] > heap[below];
        if (heap[below] <= moving) {
            break;
        }
        heap[i] = heap[below];
        i = below;
    }
    heap[i] = moving;
}

static void rise(int* heap, int i)
{
    const int moving = heap[i];
    while (i > 0 && heap[(i - 1) / 2] < moving) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = moving;
}

static void keep(Lowest* lowest, int id)
{
    lowest->count++;
    if (lowest->kept < lowest->max) {
        lowest->id[lowest->kept] = id;
        rise(lowest->id, lowest->kept++);
    } else if (lowest->max > 0 && id < lowest->id[0]) {
        lowest->id[0] = id;
        sink(lowest->id, lowest->kept, 0);
    }
}

// Put them in ascending order. @return how many were given
static int finish(Lowest* lowest)
{
    for (int last = lowest->kept - 1; last > 0; last--) {
        const int highest = lowest->id[0];
        lowest->id[0] = lowest->id[last];
        lowest->id[last] = highest;
        sink(lowest->id, last, 0);
    }
    return lowest->count;
}

// ---- asking -------------------------------------------------------------------------------------

/// Does what is asked for meet a box? Whoever meets a box meets every box around it.
typedef bool Meets(const utBounds* bounds, const void* what);

static int ask(const utBroad* broad, Meets* meets, const void* what, int max, int* id)
{
    Lowest lowest = {max, 0, 0, id};
    const Nodes* nodes = &broad->nodes;
    for (int k = 0; k < 2; k++) {
        bool into = false;
        for (int i = broad->tree[k].root; i != NO_NODE; i = ut_tree_next(nodes, i, into)) {
            into = meets(&nodes->node[i].bounds, what);
            if (into && ut_node_is_leaf(nodes, i) && meets(&broad->proxy[i].bounds, what)) {
                keep(&lowest, i);
            }
        }
    }
    for (int i = 0; i < broad->endless_count; i++) {
        if (meets(&broad->proxy[broad->endless[i]].bounds, what)) {
            keep(&lowest, broad->endless[i]);
        }
    }
    return finish(&lowest);
}

static bool meets_box(const utBounds* bounds, const void* what)
{
    return ut_bounds_meet(bounds, what);
}

int ut_broad_query(const utBroad* broad, utBounds bounds, int max, int* id)
{
    return ask(broad, meets_box, &bounds, max, id);
}

// ---- rays ---------------------------------------------------------------------------------------

typedef struct Ray {
    double from[3], direction[3];
    double far;
} Ray;

// The part of begin ... end that lies between two planes. Roundings grow with what is rounded, so a
// wider slab never gives a smaller part. @return false when nothing is left
static bool cut(double from, double direction, double low, double high, double* begin, double* end)
{
    if (direction == 0.0) {
        return low <= from && from <= high;
    }
    const double t1 = (low - from) / direction, t2 = (high - from) / direction;
    const double enter = direction > 0.0 ? t1 : t2, leave = direction > 0.0 ? t2 : t1;
    *begin = enter > *begin ? enter : *begin;
    *end = leave < *end ? leave : *end;
    return enter <= *end && *begin <= leave;
}

static bool meets_ray(const utBounds* bounds, const void* what)
{
    const Ray* ray = what;
    const double* from = ray->from;
    const double* d = ray->direction;
    double begin = 0.0, end = ray->far;
    return cut(from[0], d[0], bounds->low.x, bounds->high.x, &begin, &end) &&
           cut(from[1], d[1], bounds->low.y, bounds->high.y, &begin, &end) &&
           cut(from[2], d[2], bounds->low.z, bounds->high.z, &begin, &end);
}

int ut_broad_ray(const utBroad* broad, utVec3 from, utVec3 direction, double far, int max, int* id)
{
    const Ray ray = {{from.x, from.y, from.z}, {direction.x, direction.y, direction.z}, far};
    const double sum = 0.0 * from.x + 0.0 * from.y + 0.0 * from.z + 0.0 * direction.x +
                       0.0 * direction.y + 0.0 * direction.z;
    if (!(sum == 0.0 && far >= 0.0)) {
        return 0;
    }
    return ask(broad, meets_ray, &ray, max, id);
}
