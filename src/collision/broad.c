// The broad phase: which boxes meet.
//
// The trees hold enlarged boxes and only propose; what is reported is decided on the boxes as they
// were set, so the result is that of trying all pairs. Boxes without end, such as those of planes,
// stand in a list by themselves: in a tree they would make every ancestor endless.
#include "collision/tree.h"

#include <assert.h>
#include <limits.h>
#include <uptack/collision.h>

enum { ABSENT = -1, ENDLESS = -2 };

typedef struct Proxy {
    utBounds bounds; // as set
    int leaf;        // ABSENT, ENDLESS or its node
    int place;       // in the list of endless ones
    bool fixed;
} Proxy;

struct utBroad {
    int capacity;
    Proxy* proxy;
    Nodes nodes;
    int root[2];  // of what moves, of what is fixed
    int* endless; // ids
    int endless_count;
    int* stack; // for queries
    int* found;
};

// ---- memory -------------------------------------------------------------------------------------

size_t ut_broad_size(int capacity)
{
    if (capacity < 0 || capacity > INT_MAX / 4) {
        return SIZE_MAX;
    }
    const size_t n = (size_t)capacity + 1;
    const size_t part[] = {ut_arena_need(1, sizeof(utBroad)), ut_arena_need(n, sizeof(Proxy)),
                           ut_arena_need(2 * n, sizeof(Node)), ut_arena_need(3 * n, sizeof(int))};
    size_t sum = 0;
    for (int i = 0; i < 4; i++) {
        sum = part[i] < SIZE_MAX - sum ? sum + part[i] : SIZE_MAX;
    }
    return sum;
}

utStatus ut_broad_create(int capacity, utArena* keep, utBroad** broad)
{
    if (capacity < 0 || capacity > INT_MAX / 4) {
        return UT_ERR_ARGUMENT;
    }
    utArena arena = *keep;
    const int n = capacity + 1;
    utBroad* b = UT_PUSH(&arena, utBroad, 1);
    Proxy* proxy = UT_PUSH(&arena, Proxy, n);
    Node* node = UT_PUSH(&arena, Node, 2 * n);
    int* list = UT_PUSH(&arena, int, 3 * n);
    if (b == NULL || proxy == NULL || node == NULL || list == NULL) {
        return UT_ERR_CAPACITY;
    }
    *b = (utBroad){.capacity = capacity, .proxy = proxy, .nodes = {node, 0}};
    b->root[0] = b->root[1] = NO_NODE;
    b->endless = list;
    b->stack = list + n;
    b->found = list + 2 * n;
    ut_nodes_clear(&b->nodes, 2 * n);
    for (int i = 0; i < n; i++) {
        proxy[i].leaf = ABSENT;
    }
    *keep = arena;
    *broad = b;
    return UT_OK;
}

// ---- proxies ------------------------------------------------------------------------------------

// a box with an end on every side; one with a NaN has none
static bool has_ends(const utBounds* bounds)
{
    const utVec3 low = bounds->low, high = bounds->high;
    const double sum =
        0.0 * low.x + 0.0 * low.y + 0.0 * low.z + 0.0 * high.x + 0.0 * high.y + 0.0 * high.z;
    return sum == 0.0;
}

// the box as the tree holds it: room to move a little
static utBounds enlarge(const utBounds* bounds)
{
    const utVec3 d = ut_vec3_sub(bounds->high, bounds->low);
    const double extent = fmax(fmax(d.x, d.y), d.z);
    const double room = fmin(0.05, 0.12 * extent);
    const utVec3 by = ut_vec3(room, room, room);
    return (utBounds){ut_vec3_sub(bounds->low, by), ut_vec3_add(bounds->high, by)};
}

static void leave(utBroad* broad, Proxy* proxy)
{
    if (proxy->leaf == ENDLESS) {
        const int last = broad->endless[--broad->endless_count];
        broad->endless[proxy->place] = last;
        broad->proxy[last].place = proxy->place;
    } else if (proxy->leaf != ABSENT) {
        ut_tree_remove(&broad->nodes, &broad->root[proxy->fixed], proxy->leaf);
    }
    proxy->leaf = ABSENT;
}

void ut_broad_set(utBroad* broad, int id, utBounds bounds, bool fixed)
{
    assert(id >= 0 && id < broad->capacity);
    Proxy* proxy = &broad->proxy[id];
    const bool ends = has_ends(&bounds);
    const bool stays = proxy->leaf >= 0 && proxy->fixed == fixed && ends &&
                       ut_bounds_hold(&broad->nodes.node[proxy->leaf].bounds, &bounds);
    if (!stays) {
        leave(broad, proxy);
        proxy->fixed = fixed;
        if (ends) {
            proxy->leaf = ut_tree_insert(&broad->nodes, &broad->root[fixed], enlarge(&bounds), id);
        } else {
            proxy->leaf = ENDLESS;
            proxy->place = broad->endless_count;
            broad->endless[broad->endless_count++] = id;
        }
    }
    proxy->bounds = bounds;
}

void ut_broad_remove(utBroad* broad, int id)
{
    assert(id >= 0 && id < broad->capacity);
    leave(broad, &broad->proxy[id]);
}

// ---- pairs --------------------------------------------------------------------------------------

// Shell sort: the lists are short and often nearly in order
static void sort(int* list, int count)
{
    for (int step = count / 2; step > 0; step /= 2) {
        for (int i = step; i < count; i++) {
            const int moving = list[i];
            int j = i;
            for (; j >= step && list[j - step] > moving; j -= step) {
                list[j] = list[j - step];
            }
            list[j] = moving;
        }
    }
}

// Everything that may meet proxy `id`, in broad->found. @return how many
static int propose(utBroad* broad, int id)
{
    const Proxy* proxy = &broad->proxy[id];
    int count = 0;
    if (proxy->leaf == ENDLESS) {
        for (int i = id + 1; i < broad->capacity; i++) {
            if (broad->proxy[i].leaf != ABSENT) {
                broad->found[count++] = i;
            }
        }
        return count;
    }
    count =
        ut_tree_query(&broad->nodes, broad->root[0], &proxy->bounds, broad->stack, broad->found);
    if (!proxy->fixed) {
        count += ut_tree_query(&broad->nodes, broad->root[1], &proxy->bounds, broad->stack,
                               broad->found + count);
    }
    for (int i = 0; i < broad->endless_count; i++) {
        broad->found[count++] = broad->endless[i];
    }
    return count;
}

// Of what was proposed, the ids above `id` that truly meet it. @return how many
static int partners(utBroad* broad, int id)
{
    const Proxy* proxy = &broad->proxy[id];
    const int proposed = propose(broad, id);
    int count = 0;
    for (int i = 0; i < proposed; i++) {
        const Proxy* other = &broad->proxy[broad->found[i]];
        if (broad->found[i] > id && !(proxy->fixed && other->fixed) &&
            ut_bounds_meet(&proxy->bounds, &other->bounds)) {
            broad->found[count++] = broad->found[i];
        }
    }
    sort(broad->found, count);
    return count;
}

utStatus ut_broad_pairs(utBroad* broad, bool (*filter)(int id1, int id2, void* context),
                        void* context, int max, int* pair, int* count)
{
    int pairs = 0;
    for (int id = 0; id < broad->capacity; id++) {
        const int met = broad->proxy[id].leaf != ABSENT ? partners(broad, id) : 0;
        for (int i = 0; i < met; i++) {
            const int other = broad->found[i];
            if (filter != NULL && !filter(id, other, context)) {
                continue;
            }
            if (pairs < max) {
                pair[2 * pairs] = id;
                pair[2 * pairs + 1] = other;
            }
            pairs++;
        }
    }
    *count = pairs;
    return pairs <= max ? UT_OK : UT_ERR_CAPACITY;
}
