// SPDX-License-Identifier: Apache-2.0
// Queries by box and by ray. They write nothing but the result, so several threads may query at
// once.
#include "broad.h"

#include "la/scalar.h"

// ---- the lowest ids -----------------------------------------------------------------------------

// Collects the lowest `max` of all given ids, as a heap with the highest id first.
typedef struct LowestIds {
    int max, count, kept;
    int* id;
} LowestIds;

static void sift_down(int* heap, int count, int i)
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

static void sift_up(int* heap, int i)
{
    const int moving = heap[i];
    while (i > 0 && heap[(i - 1) / 2] < moving) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = moving;
}

static void add_id(LowestIds* lowest, int id)
{
    lowest->count++;
    if (lowest->kept < lowest->max) {
        lowest->id[lowest->kept] = id;
        sift_up(lowest->id, lowest->kept++);
    } else if (lowest->max > 0 && id < lowest->id[0]) {
        lowest->id[0] = id;
        sift_down(lowest->id, lowest->kept, 0);
    }
}

// Sort the ids in ascending order. @return number of ids given
static int sort_ids(LowestIds* lowest)
{
    for (int last = lowest->kept - 1; last > 0; last--) {
        const int highest = lowest->id[0];
        lowest->id[0] = lowest->id[last];
        lowest->id[last] = highest;
        sift_down(lowest->id, last, 0);
    }
    return lowest->count;
}

// ---- search -------------------------------------------------------------------------------------

/// Does the query meet a box? A query that meets a box must meet every larger box too.
typedef bool QueryMeets(const utBounds* bounds, const void* query);

static int query_trees(const utBroad* broad, QueryMeets* meets, const void* query, int max, int* id)
{
    LowestIds lowest = {max, 0, 0, id};
    const Nodes* nodes = &broad->nodes;
    for (int k = 0; k < 2; k++) {
        bool into = false;
        for (int i = broad->tree[k].root; i != NO_NODE; i = ut_tree_next(nodes, i, into)) {
            into = meets(&nodes->node[i].bounds, query);
            if (into && ut_node_is_leaf(nodes, i) && meets(&broad->proxy[i].bounds, query)) {
                add_id(&lowest, i);
            }
        }
    }
    for (int i = 0; i < broad->unbounded_count; i++) {
        if (meets(&broad->proxy[broad->unbounded[i]].bounds, query)) {
            add_id(&lowest, broad->unbounded[i]);
        }
    }
    return sort_ids(&lowest);
}

static bool meets_box(const utBounds* bounds, const void* query)
{
    return ut_bounds_meet(bounds, query);
}

int ut_broad_query(const utBroad* broad, utBounds bounds, int max, int* id)
{
    return query_trees(broad, meets_box, &bounds, max, id);
}

// ---- rays ---------------------------------------------------------------------------------------

typedef struct Ray {
    double from[3], direction[3];
    double far;
} Ray;

// Clip the interval [begin, end] to the slab between two planes. Rounding is monotonic, so a wider
// slab never yields a shorter interval. @return false when nothing remains
static bool clip_to_slab(double from, double direction, double low, double high, double* begin,
                         double* end)
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

static bool meets_ray(const utBounds* bounds, const void* query)
{
    const Ray* ray = query;
    const double* from = ray->from;
    const double* d = ray->direction;
    double begin = 0.0, end = ray->far;
    return clip_to_slab(from[0], d[0], bounds->low.x, bounds->high.x, &begin, &end) &&
           clip_to_slab(from[1], d[1], bounds->low.y, bounds->high.y, &begin, &end) &&
           clip_to_slab(from[2], d[2], bounds->low.z, bounds->high.z, &begin, &end);
}

int ut_broad_ray(const utBroad* broad, utVec3 from, utVec3 direction, double far, int max, int* id)
{
    const Ray ray = {{from.x, from.y, from.z}, {direction.x, direction.y, direction.z}, far};
    if (!(ut_all_finite(3, ray.from) && ut_all_finite(3, ray.direction) && far >= 0.0)) {
        return 0;
    }
    return query_trees(broad, meets_ray, &ray, max, id);
}
