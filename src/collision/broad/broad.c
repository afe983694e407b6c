// SPDX-License-Identifier: Apache-2.0
// The broad phase: which boxes meet.
#include "broad.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "collision/internal.h"

// How much larger boxes are in the trees. What rests needs next to nothing, and every bit of room
// makes candidates; what moves gets room ahead of it.
#define ROOM 0.002      // of the largest extent,
#define ROOM_MAX 0.005  // and no more than this, m
#define STEPS_ASIDE 2.0 // of the last motion, to all sides,
#define STEPS_AHEAD 6.0 // and that it is continued for

// ---- memory -------------------------------------------------------------------------------------

enum {
    CAPACITY_MAX = INT_MAX / 64,
    CANDIDATES_EACH = 16, // a brick within a wall of bricks has 13 above it in order
};

// As many as there are pairs of few proxies, or so many each.
static int candidates_room(int capacity)
{
    const int most = CANDIDATES_EACH * capacity;
    return capacity <= 2 * CANDIDATES_EACH ? capacity * (capacity - 1) / 2 : most;
}

// A walk down two trees at once is 2 capacity steps deep at most and leaves 3 pairs behind at each.
static int spare_room(int capacity)
{
    const int room = candidates_room(capacity), stack = 6 * capacity + 8;
    return room > stack ? room : stack;
}

// One push after the other, or only their sizes: everything a broad phase is made of.
static bool lay_out(utArena* arena, int capacity, utBroad** broad)
{
    const int n = capacity, room = candidates_room(n), spare = spare_room(n);
    utBroad* b = UT_PUSH(arena, utBroad, 1);
    Proxy* proxy = UT_PUSH(arena, Proxy, n + 1);
    Node* node = UT_PUSH(arena, Node, 2 * n + 1);
    int* list = UT_PUSH(arena, int, 4 * n + 3 + 2 * room);
    IdPair* pair = UT_PUSH(arena, IdPair, room + spare);
    bool* changed = UT_PUSH(arena, bool, n + 1);
    uint64_t* word = UT_PUSH(arena, uint64_t, n / 64 + n / 4096 + 2);
    if (b == NULL || proxy == NULL || node == NULL || list == NULL || pair == NULL ||
        changed == NULL || word == NULL) {
        return false;
    }
    *b = (utBroad){.capacity = n,
                   .proxy = proxy,
                   .nodes = {node, n, NO_NODE},
                   .tree = {{NO_NODE, 0, 0}, {NO_NODE, 0, 0}},
                   .endless = list,
                   .stamp = 1,
                   .any_changed = true,
                   .changed = changed,
                   .met = {word, word + n / 64 + 1}};
    b->near = (Candidates){.room = room,
                           .start = list + n,
                           .next_start = list + 2 * n + 1,
                           .tally = list + 3 * n + 2,
                           .partner = list + 4 * n + 3,
                           .next_partner = list + 4 * n + 3 + room,
                           .fresh = pair,
                           .spare = pair + room,
                           .spare_room = spare};
    *broad = b;
    return true;
}

size_t ut_broad_size(int capacity)
{
    if (capacity < 0 || capacity > CAPACITY_MAX) {
        return SIZE_MAX;
    }
    const size_t n = (size_t)capacity, room = (size_t)candidates_room(capacity);
    const size_t part[] = {ut_arena_need(1, sizeof(utBroad)),
                           ut_arena_need(n + 1, sizeof(Proxy)),
                           ut_arena_need(2 * n + 1, sizeof(Node)),
                           ut_arena_need(4 * n + 3 + 2 * room, sizeof(int)),
                           ut_arena_need(room + (size_t)spare_room(capacity), sizeof(IdPair)),
                           ut_arena_need(n + 1, sizeof(bool)),
                           ut_arena_need(n / 64 + n / 4096 + 2, sizeof(uint64_t))};
    size_t sum = 0;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        sum = part[i] < SIZE_MAX - sum ? sum + part[i] : SIZE_MAX;
    }
    return sum;
}

utStatus ut_broad_create(int capacity, utArena* keep, utBroad** broad)
{
    if (capacity < 0 || capacity > CAPACITY_MAX) {
        return UT_ERR_ARGUMENT;
    }
    utArena arena = *keep;
    utBroad* b = NULL;
    if (!lay_out(&arena, capacity, &b)) {
        return UT_ERR_CAPACITY;
    }
    ut_nodes_clear(&b->nodes);
    for (int i = 0; i < capacity; i++) {
        b->proxy[i].state = ABSENT;
        b->changed[i] = false;
    }
    memset(b->met.word, 0,
           ((size_t)capacity / 64 + (size_t)capacity / 4096 + 2) * sizeof *b->met.word);
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

// The box as the tree holds it: room to move a little, and on in the direction in which it moves.
static utBounds enlarge(const utBounds* bounds, utVec3 moved)
{
    const utVec3 d = ut_vec3_sub(bounds->high, bounds->low);
    const double extent = fmax(fmax(d.x, d.y), fmax(d.z, 0.0));
    const double speed = fmax(fabs(moved.x), fmax(fabs(moved.y), fabs(moved.z)));
    const double room = fmin(ROOM_MAX, ROOM * extent) + fmin(STEPS_ASIDE * speed, 0.1 * extent);
    const utVec3 by = ut_vec3(room, room, room);
    utBounds large = {ut_vec3_sub(bounds->low, by), ut_vec3_add(bounds->high, by)};
    const utVec3 on = ut_vec3(ut_clamp(STEPS_AHEAD * moved.x, 0.5 * extent),
                              ut_clamp(STEPS_AHEAD * moved.y, 0.5 * extent),
                              ut_clamp(STEPS_AHEAD * moved.z, 0.5 * extent));
    *(on.x > 0.0 ? &large.high.x : &large.low.x) += on.x;
    *(on.y > 0.0 ? &large.high.y : &large.low.y) += on.y;
    *(on.z > 0.0 ? &large.high.z : &large.low.z) += on.z;
    return large;
}

static void note_change(utBroad* broad, int id)
{
    broad->any_changed = true;
    broad->changed[id] = true;
}

static void leave(utBroad* broad, int id)
{
    Proxy* proxy = &broad->proxy[id];
    if (proxy->state == ENDLESS) {
        const int last = broad->endless[--broad->endless_count];
        broad->endless[proxy->place] = last;
        broad->proxy[last].place = proxy->place;
    } else if (proxy->state == IN_TREE) {
        ut_tree_remove(&broad->nodes, &broad->tree[proxy->fixed], id);
        note_change(broad, id);
    }
    proxy->state = ABSENT;
}

static void enter(utBroad* broad, int id, const utBounds* bounds, bool fixed)
{
    Proxy* proxy = &broad->proxy[id];
    proxy->fixed = fixed;
    if (has_ends(bounds)) {
        proxy->state = IN_TREE;
        ut_tree_insert(&broad->nodes, &broad->tree[fixed], id, enlarge(bounds, ut_vec3_zero()),
                       broad->stamp);
        note_change(broad, id);
    } else {
        proxy->state = ENDLESS;
        proxy->place = broad->endless_count;
        broad->endless[broad->endless_count++] = id;
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
    if (same_tree && has_ends(&bounds) && ut_bounds_meet(held, &bounds)) {
        const utVec3 moved = ut_vec3_sub(bounds.low, proxy->bounds.low);
        ut_tree_move(&broad->nodes, &broad->tree[fixed], id, enlarge(&bounds, moved), broad->stamp);
        note_change(broad, id);
    } else {
        leave(broad, id);
        enter(broad, id, &bounds, fixed);
    }
    proxy->bounds = bounds;
}

void ut_broad_remove(utBroad* broad, int id)
{
    assert(id >= 0 && id < broad->capacity);
    leave(broad, id);
}

// ---- pairs --------------------------------------------------------------------------------------

// Where pairs go that pass.
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

static bool truly_meet(const utBroad* broad, int id, int other)
{
    const Proxy* a = &broad->proxy[id];
    const Proxy* b = &broad->proxy[other];
    return !(a->fixed && b->fixed) && ut_bounds_meet(&a->bounds, &b->bounds);
}

// An endless one: everything is a candidate.
static void report_endless(const utBroad* broad, int id, Output* out)
{
    for (int other = id + 1; other < broad->capacity; other++) {
        if (broad->proxy[other].state != ABSENT && truly_meet(broad, id, other)) {
            report(out, id, other);
        }
    }
}

// Of the kept candidates.
static void report_near(const utBroad* broad, int id, Output* out)
{
    const Candidates* near = &broad->near;
    const utBounds bounds = broad->proxy[id].bounds;
    for (int i = near->start[id]; i < near->start[id + 1]; i++) {
        const int other = near->partner[i];
        if (ut_bounds_meet(&bounds, &broad->proxy[other].bounds)) {
            report(out, id, other);
        }
    }
}

static void add_from_tree(utBroad* broad, int id, int root)
{
    const Nodes* nodes = &broad->nodes;
    const utBounds bounds = broad->proxy[id].bounds;
    bool into = false;
    for (int i = root; i != NO_NODE; i = ut_tree_next(nodes, i, into)) {
        into = ut_bounds_meet(&nodes->node[i].bounds, &bounds);
        if (into && i > id && ut_node_is_leaf(nodes, i) &&
            ut_bounds_meet(&broad->proxy[i].bounds, &bounds)) {
            ut_id_set_add(&broad->met, i);
        }
    }
}

// What is in the set, ascending; it is empty afterwards.
static void report_set(utBroad* broad, int id, Output* out)
{
    IdSet* set = &broad->met;
    for (int k = id >> 12; k <= (broad->capacity - 1) >> 12; k++) {
        for (; set->summary[k] != 0; set->summary[k] &= set->summary[k] - 1) {
            const int w = k << 6 | __builtin_ctzll(set->summary[k]);
            for (; set->word[w] != 0; set->word[w] &= set->word[w] - 1) {
                report(out, id, w << 6 | __builtin_ctzll(set->word[w]));
            }
        }
    }
}

// Of candidates or trees and endless ones together.
static void report_all(utBroad* broad, int id, Output* out)
{
    const Candidates* near = &broad->near;
    if (near->complete) {
        for (int i = near->start[id]; i < near->start[id + 1]; i++) {
            if (truly_meet(broad, id, near->partner[i])) {
                ut_id_set_add(&broad->met, near->partner[i]);
            }
        }
    } else {
        add_from_tree(broad, id, broad->tree[0].root);
        if (!broad->proxy[id].fixed) {
            add_from_tree(broad, id, broad->tree[1].root);
        }
    }
    for (int i = 0; i < broad->endless_count; i++) {
        const int other = broad->endless[i];
        if (other > id && truly_meet(broad, id, other)) {
            ut_id_set_add(&broad->met, other);
        }
    }
    report_set(broad, id, out);
}

static int highest_endless(const utBroad* broad)
{
    int highest = -1;
    for (int i = 0; i < broad->endless_count; i++) {
        highest = broad->endless[i] > highest ? broad->endless[i] : highest;
    }
    return highest;
}

utStatus ut_broad_pairs(utBroad* broad, bool (*filter)(int id1, int id2, void* context),
                        void* context, int max, int* pair, int* count)
{
    Output out = {filter, context, max, 0, pair};
    ut_candidates_update(broad);
    const int endless = highest_endless(broad);
    for (int id = 0; id < broad->capacity; id++) {
        const int state = broad->proxy[id].state;
        if (state == ENDLESS) {
            report_endless(broad, id, &out);
        } else if (state == IN_TREE && broad->near.complete && id > endless) {
            report_near(broad, id, &out);
        } else if (state == IN_TREE) {
            report_all(broad, id, &out);
        }
    }
    *count = out.count;
    return out.count <= max ? UT_OK : UT_ERR_CAPACITY;
}
