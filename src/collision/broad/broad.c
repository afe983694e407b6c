// SPDX-License-Identifier: Apache-2.0
// The broad phase: which bounding boxes meet. See broad.h for the method.
#include "broad.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "collision/internal.h"

// The trees store enlarged boxes, so that small motions do not change the trees. A resting box gets
// a small margin, because each margin adds candidate pairs. A moving box is also extended along its
// motion.
#define MARGIN_PER_EXTENT 0.002  // margin per largest extent of the box
#define MAX_RESTING_MARGIN 0.005 // largest margin of a resting box, m
#define MARGIN_PER_MOTION 2.0    // extra margin on all sides, times the last motion
#define EXTENSION_PER_MOTION 6.0 // extension along the motion, times the last motion

// ---- memory -------------------------------------------------------------------------------------

enum {
    MAX_CAPACITY = INT_MAX / 64,
    CANDIDATES_PER_PROXY = 16, // a brick within a wall of bricks has 13 partners with higher ids
};

// All pairs of few proxies fit; many proxies get a fixed number each.
static int max_candidates(int capacity)
{
    const int most = CANDIDATES_PER_PROXY * capacity;
    return capacity <= 2 * CANDIDATES_PER_PROXY ? capacity * (capacity - 1) / 2 : most;
}

// The walk down two trees is at most 2 capacity levels deep and leaves 3 pairs behind per level.
static int max_scratch(int capacity)
{
    const int candidates = max_candidates(capacity), stack = 6 * capacity + 8;
    return candidates > stack ? candidates : stack;
}

// words of an IdSet: one bit per id, then one summary bit per word
static size_t id_set_words(int capacity)
{
    return (size_t)capacity / 64 + (size_t)capacity / 4096 + 2;
}

static Candidates push_candidates(utArena* arena, int capacity)
{
    const int n = capacity, pairs = max_candidates(n), scratch = max_scratch(n);
    return (Candidates){.capacity = pairs,
                        .start = UT_PUSH(arena, int, n + 1),
                        .partner = UT_PUSH(arena, int, pairs),
                        .next_start = UT_PUSH(arena, int, n + 1),
                        .next_partner = UT_PUSH(arena, int, pairs),
                        .found = UT_PUSH(arena, IdPair, pairs),
                        .scratch = UT_PUSH(arena, IdPair, scratch),
                        .scratch_capacity = scratch,
                        .counter = UT_PUSH(arena, int, n + 1)};
}

// Push all arrays of a broad phase. @return NULL when there is no memory
static utBroad* push_broad(utArena* arena, int capacity)
{
    const int n = capacity;
    utBroad* broad = UT_PUSH(arena, utBroad, 1);
    Proxy* proxy = UT_PUSH(arena, Proxy, n + 1);
    Node* node = UT_PUSH(arena, Node, 2 * n + 1);
    int* unbounded = UT_PUSH(arena, int, n);
    bool* changed = UT_PUSH(arena, bool, n + 1);
    uint64_t* word = UT_PUSH(arena, uint64_t, id_set_words(n));
    const Candidates candidates = push_candidates(arena, n);
    if (ut_arena_failed(arena)) {
        return NULL;
    }
    *broad = (utBroad){.capacity = n,
                       .proxy = proxy,
                       .nodes = {node, n, NO_NODE},
                       .tree = {{NO_NODE, 0, 0}, {NO_NODE, 0, 0}},
                       .unbounded = unbounded,
                       .stamp = 1,
                       .any_changed = true,
                       .changed = changed,
                       .candidates = candidates,
                       .meeting = {word, word + n / 64 + 1}};
    return broad;
}

utStatus ut_broad_create(int capacity, utArena* keep, utBroad** broad)
{
    if (capacity < 0 || capacity > MAX_CAPACITY) {
        return UT_ERR_ARGUMENT;
    }
    utArena arena = *keep;
    utBroad* created = push_broad(&arena, capacity);
    if (created == NULL) {
        return UT_ERR_CAPACITY;
    }
    ut_nodes_clear(&created->nodes);
    for (int i = 0; i < capacity; i++) {
        created->proxy[i].state = ABSENT;
        created->changed[i] = false;
    }
    memset(created->meeting.word, 0, id_set_words(capacity) * sizeof *created->meeting.word);
    *keep = arena;
    *broad = created;
    return UT_OK;
}

// ---- proxies ------------------------------------------------------------------------------------

// Are all six faces of the box finite? A box with a NaN is not bounded either.
static bool is_bounded(const utBounds* bounds)
{
    const utVec3 low = bounds->low, high = bounds->high;
    const double face[6] = {low.x, low.y, low.z, high.x, high.y, high.z};
    return ut_all_finite(6, face);
}

// The box that the tree stores: with a margin, and extended along the motion.
static utBounds enlarge(const utBounds* bounds, utVec3 moved)
{
    const utVec3 d = ut_vec3_sub(bounds->high, bounds->low);
    const double extent = fmax(fmax(d.x, d.y), fmax(d.z, 0.0));
    const double speed = fmax(fabs(moved.x), fmax(fabs(moved.y), fabs(moved.z)));
    const double margin = fmin(MAX_RESTING_MARGIN, MARGIN_PER_EXTENT * extent) +
                          fmin(MARGIN_PER_MOTION * speed, 0.1 * extent);
    const utVec3 by = ut_vec3(margin, margin, margin);
    utBounds large = {ut_vec3_sub(bounds->low, by), ut_vec3_add(bounds->high, by)};
    const utVec3 ahead = ut_vec3(ut_clamp_abs(EXTENSION_PER_MOTION * moved.x, 0.5 * extent),
                                 ut_clamp_abs(EXTENSION_PER_MOTION * moved.y, 0.5 * extent),
                                 ut_clamp_abs(EXTENSION_PER_MOTION * moved.z, 0.5 * extent));
    *(ahead.x > 0.0 ? &large.high.x : &large.low.x) += ahead.x;
    *(ahead.y > 0.0 ? &large.high.y : &large.low.y) += ahead.y;
    *(ahead.z > 0.0 ? &large.high.z : &large.low.z) += ahead.z;
    return large;
}

static void mark_changed(utBroad* broad, int id)
{
    broad->any_changed = true;
    broad->changed[id] = true;
}

static void remove_proxy(utBroad* broad, int id)
{
    Proxy* proxy = &broad->proxy[id];
    if (proxy->state == UNBOUNDED) {
        const int last = broad->unbounded[--broad->unbounded_count];
        broad->unbounded[proxy->unbounded_index] = last;
        broad->proxy[last].unbounded_index = proxy->unbounded_index;
    } else if (proxy->state == IN_TREE) {
        ut_tree_remove(&broad->nodes, &broad->tree[proxy->fixed], id);
        mark_changed(broad, id);
    }
    proxy->state = ABSENT;
}

static void insert_proxy(utBroad* broad, int id, const utBounds* bounds, bool fixed)
{
    Proxy* proxy = &broad->proxy[id];
    proxy->fixed = fixed;
    if (is_bounded(bounds)) {
        proxy->state = IN_TREE;
        ut_tree_insert(&broad->nodes, &broad->tree[fixed], id, enlarge(bounds, ut_vec3_zero()),
                       broad->stamp);
        mark_changed(broad, id);
    } else {
        proxy->state = UNBOUNDED;
        proxy->unbounded_index = broad->unbounded_count;
        broad->unbounded[broad->unbounded_count++] = id;
    }
}

void ut_broad_set(utBroad* broad, int id, utBounds bounds, bool fixed)
{
    assert(id >= 0 && id < broad->capacity);
    Proxy* proxy = &broad->proxy[id];
    const utBounds* held = &broad->nodes.node[id].bounds;
    const bool same_tree = proxy->state == IN_TREE && proxy->fixed == fixed;
    if (same_tree && ut_bounds_hold(held, &bounds)) {
        proxy->bounds = bounds;
        return;
    }
    if (same_tree && is_bounded(&bounds) && ut_bounds_meet(held, &bounds)) {
        const utVec3 moved = ut_vec3_sub(bounds.low, proxy->bounds.low);
        ut_tree_move(&broad->nodes, &broad->tree[fixed], id, enlarge(&bounds, moved), broad->stamp);
        mark_changed(broad, id);
    } else {
        remove_proxy(broad, id);
        insert_proxy(broad, id, &bounds, fixed);
    }
    proxy->bounds = bounds;
}

void ut_broad_remove(utBroad* broad, int id)
{
    assert(id >= 0 && id < broad->capacity);
    remove_proxy(broad, id);
}

// ---- pairs --------------------------------------------------------------------------------------

// Receives the pairs that the filter accepts.
typedef struct Output {
    bool (*filter)(int id1, int id2, void* context);
    void* context;
    int max, count;
    int* pair;
} Output;

static void report(Output* out, int id, int other)
{
    if (out->filter != NULL && !out->filter(id, other, out->context)) {
        return;
    }
    if (out->count < out->max) {
        out->pair[2 * out->count] = id;
        out->pair[2 * out->count + 1] = other;
    }
    out->count++;
}

static bool boxes_meet(const utBroad* broad, int id, int other)
{
    const Proxy* a = &broad->proxy[id];
    const Proxy* b = &broad->proxy[other];
    return !(a->fixed && b->fixed) && ut_bounds_meet(&a->bounds, &b->bounds);
}

// An unbounded box is compared with all boxes of higher ids.
static void report_unbounded(const utBroad* broad, int id, Output* out)
{
    for (int other = id + 1; other < broad->capacity; other++) {
        if (broad->proxy[other].state != ABSENT && boxes_meet(broad, id, other)) {
            report(out, id, other);
        }
    }
}

// Report the kept candidates of `id` whose boxes, as set, meet.
static void report_candidates(const utBroad* broad, int id, Output* out)
{
    const Candidates* candidates = &broad->candidates;
    const utBounds bounds = broad->proxy[id].bounds;
    for (int i = candidates->start[id]; i < candidates->start[id + 1]; i++) {
        const int other = candidates->partner[i];
        if (ut_bounds_meet(&bounds, &broad->proxy[other].bounds)) {
            report(out, id, other);
        }
    }
}

static void collect_from_tree(utBroad* broad, int id, int root)
{
    const Nodes* nodes = &broad->nodes;
    const utBounds bounds = broad->proxy[id].bounds;
    bool into = false;
    for (int i = root; i != NO_NODE; i = ut_tree_next(nodes, i, into)) {
        into = ut_bounds_meet(&nodes->node[i].bounds, &bounds);
        if (into && i > id && ut_node_is_leaf(nodes, i) &&
            ut_bounds_meet(&broad->proxy[i].bounds, &bounds)) {
            ut_id_set_add(&broad->meeting, i);
        }
    }
}

// Report the set in ascending order and empty it.
static void report_set(utBroad* broad, int id, Output* out)
{
    IdSet* set = &broad->meeting;
    for (int k = id >> 12; k <= (broad->capacity - 1) >> 12; k++) {
        for (; set->summary[k] != 0; set->summary[k] &= set->summary[k] - 1) {
            const int w = k << 6 | __builtin_ctzll(set->summary[k]);
            for (; set->word[w] != 0; set->word[w] &= set->word[w] - 1) {
                report(out, id, w << 6 | __builtin_ctzll(set->word[w]));
            }
        }
    }
}

// Report partners from the candidates (or from the trees when they are incomplete) and from the
// unbounded boxes.
static void report_candidates_and_unbounded(utBroad* broad, int id, Output* out)
{
    const Candidates* candidates = &broad->candidates;
    if (candidates->complete) {
        for (int i = candidates->start[id]; i < candidates->start[id + 1]; i++) {
            if (boxes_meet(broad, id, candidates->partner[i])) {
                ut_id_set_add(&broad->meeting, candidates->partner[i]);
            }
        }
    } else {
        collect_from_tree(broad, id, broad->tree[0].root);
        if (!broad->proxy[id].fixed) {
            collect_from_tree(broad, id, broad->tree[1].root);
        }
    }
    for (int i = 0; i < broad->unbounded_count; i++) {
        const int other = broad->unbounded[i];
        if (other > id && boxes_meet(broad, id, other)) {
            ut_id_set_add(&broad->meeting, other);
        }
    }
    report_set(broad, id, out);
}

static int highest_unbounded(const utBroad* broad)
{
    int highest = -1;
    for (int i = 0; i < broad->unbounded_count; i++) {
        highest = broad->unbounded[i] > highest ? broad->unbounded[i] : highest;
    }
    return highest;
}

utStatus ut_broad_pairs(utBroad* broad, bool (*filter)(int id1, int id2, void* context),
                        void* context, int max, int* pair, int* count)
{
    Output out = {filter, context, max, 0, pair};
    ut_candidates_update(broad);
    const int unbounded = highest_unbounded(broad);
    for (int id = 0; id < broad->capacity; id++) {
        const int state = broad->proxy[id].state;
        if (state == UNBOUNDED) {
            report_unbounded(broad, id, &out);
        } else if (state == IN_TREE && broad->candidates.complete && id > unbounded) {
            report_candidates(broad, id, &out);
        } else if (state == IN_TREE) {
            report_candidates_and_unbounded(broad, id, &out);
        }
    }
    *count = out.count;
    return out.count <= max ? UT_OK : UT_ERR_CAPACITY;
}
