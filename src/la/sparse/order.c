// SPDX-License-Identifier: Apache-2.0
// Minimum degree ordering on the quotient graph.
//
// Eliminating a node joins all its neighbours. Instead of storing the pairs, the node becomes an
// element: the list of nodes that it joined. A node then meets the nodes of its own list and those
// of its elements. An element whose nodes all lie in a newer one is absorbed by it, so lists never
// grow beyond the pattern. Nodes with equal lists stay together from then on and are eliminated at
// once. The degree is the upper bound of Amestoy, Davis and Duff (SIAM J. Matrix Anal. Appl. 17,
// 1996), counted in unknowns.
#include "la/internal.h"
#include "symbolic.h"

#include <math.h>
#include <string.h>

enum { NONE = -1 };

enum { DENSE_LEAST = 16, DENSE_FACTOR = 10 }; // more than that times sqrt(nodes) meetings are many

typedef struct Quotient {
    int nodes;
    int left;       // unknowns not eliminated yet
    int* weight;    // unknowns of a living node with all that stay with it, else 0
    int* degree;    // of a node: bound of the unknowns that it meets; of an element: of its nodes
    int* begin;     // of each list
    int* elements;  // of a node: how many elements its list begins with; NONE for an element
    int* length;    // of each list; NONE for what is absorbed
    int* list;      // room for all lists
    int* other;     // as much, to move them to
    int used, room; // of `list`
    int* mark;      // == stamp: in the set that is looked at
    int stamp;
    int* outside; // of an element: unknowns not in the newest one, if seen == the newest
    int* seen;
    int* member; // the next one that stays with a node
    int* last;   // the last one
    int* heap;   // nodes, least degree first
    int* where;  // each node's place in it
    int heap_count;
    int* bucket; // the first node with a sum of its list
    int* chain;  // the next one
    int* sum;    // of each node of the newest element
} Quotient;

// ---- the heap: least degree first, of equals the lowest index -----------------------------------

static bool before(const Quotient* q, int a, int b)
{
    return q->degree[a] != q->degree[b] ? q->degree[a] < q->degree[b] : a < b;
}

static void heap_set(Quotient* q, int at, int node)
{
    q->heap[at] = node;
    q->where[node] = at;
}

static void heap_move(Quotient* q, int node)
{
    int at = q->where[node];
    while (at > 0 && before(q, node, q->heap[(at - 1) / 2])) {
        heap_set(q, at, q->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (;;) {
        int child = 2 * at + 1;
        if (child + 1 < q->heap_count && before(q, q->heap[child + 1], q->heap[child])) {
            child++;
        }
        if (child >= q->heap_count || !before(q, q->heap[child], node)) {
            break;
        }
        heap_set(q, at, q->heap[child]);
        at = child;
    }
    heap_set(q, at, node);
}

static void heap_remove(Quotient* q, int node)
{
    const int at = q->where[node];
    const int moved = q->heap[--q->heap_count];
    if (moved != node) {
        heap_set(q, at, moved);
        heap_move(q, moved);
    }
}

// ---- lists --------------------------------------------------------------------------------------

// Move all lists together. They never hold more than the pattern did, which is half of the room.
static void compress(Quotient* q)
{
    int used = 0;
    for (int i = 0; i < q->nodes; i++) {
        if (q->length[i] > 0) {
            memcpy(q->other + used, q->list + q->begin[i], (size_t)q->length[i] * sizeof(int));
        }
        q->begin[i] = used;
        used += q->length[i] > 0 ? q->length[i] : 0;
    }
    int* list = q->list;
    q->list = q->other;
    q->other = list;
    q->used = used;
}

// Node b stays with a from now on.
static void join(Quotient* q, int a, int b)
{
    q->weight[b] = 0;
    q->length[b] = NONE;
    q->member[q->last[a]] = b;
    q->last[a] = q->last[b];
    heap_remove(q, b);
}

// Add the living nodes of a list to the end of all lists, each once.
static int gather(Quotient* q, int begin, int length)
{
    int weight = 0;
    for (int k = begin; k < begin + length; k++) {
        const int i = q->list[k];
        if (q->weight[i] > 0 && q->mark[i] != q->stamp) {
            q->mark[i] = q->stamp;
            q->list[q->used++] = i;
            weight += q->weight[i];
        }
    }
    return weight;
}

// Turn node p into the element of all that it meets; its own elements are absorbed.
static void make_element(Quotient* q, int p)
{
    int most = q->length[p];
    for (int k = 0; k < q->elements[p]; k++) {
        most += q->length[q->list[q->begin[p] + k]];
    }
    if (q->used + most > q->room) {
        compress(q);
    }
    const int begin = q->used;
    const int own = q->begin[p];
    q->mark[p] = ++q->stamp;
    int weight = 0;
    for (int k = own; k < own + q->elements[p]; k++) {
        const int e = q->list[k];
        weight += gather(q, q->begin[e], q->length[e]);
        q->length[e] = NONE;
    }
    weight += gather(q, own + q->elements[p], q->length[p] - q->elements[p]);
    q->begin[p] = begin;
    q->length[p] = q->used - begin;
    q->elements[p] = NONE;
    q->degree[p] = weight;
}

// For each element that shares nodes with p: its unknowns that are not in p.
static void find_outside(Quotient* q, int p)
{
    for (int k = 0; k < q->length[p]; k++) {
        const int i = q->list[q->begin[p] + k];
        for (int l = 0; l < q->elements[i]; l++) {
            const int e = q->list[q->begin[i] + l];
            if (q->length[e] == NONE) {
                continue;
            }
            if (q->seen[e] != p) {
                q->seen[e] = p;
                q->outside[e] = q->degree[e];
            }
            q->outside[e] -= q->weight[i];
        }
    }
}

// Drop from the list of node i what p stands for now. @return unknowns that i meets outside p
static int shorten(Quotient* q, int p, int i)
{
    int* list = q->list + q->begin[i];
    const int elements = q->elements[i];
    const int length = q->length[i];
    int outside = 0;
    unsigned sum = (unsigned)p;
    // the place of p: every node of p lost an element or p itself from its list
    int keep = 0;
    int hold = p;
    for (int k = 0; k < elements; k++) {
        const int e = list[k];
        if (q->length[e] == NONE) {
            continue;
        }
        if (q->outside[e] == 0) {
            q->length[e] = NONE;
            continue;
        }
        outside += q->outside[e];
        sum += (unsigned)e;
        list[keep++] = e;
    }
    q->elements[i] = keep + 1;
    for (int k = elements; k < length; k++) {
        const int j = list[k];
        if (q->weight[j] == 0 || q->mark[j] == q->stamp) {
            continue;
        }
        outside += q->weight[j];
        sum += (unsigned)j;
        // one place on, to let p in before the nodes
        list[keep++] = hold;
        hold = j;
    }
    list[keep++] = hold;
    q->length[i] = keep;
    q->sum[i] = (int)(sum % (unsigned)q->nodes);
    return outside;
}

// New lists and degrees of the nodes of p; those that meet nothing else are eliminated with it.
static void update_nodes(Quotient* q, int p)
{
    for (int k = 0; k < q->length[p]; k++) {
        const int i = q->list[q->begin[p] + k];
        const int outside = shorten(q, p, i);
        if (outside == 0 && q->length[i] == 1) {
            q->degree[p] -= q->weight[i];
            q->left -= q->weight[i];
            join(q, p, i);
            continue;
        }
        const int rest = q->degree[p] - q->weight[i];
        int degree = least(q->left - q->weight[i], q->degree[i] + rest);
        q->degree[i] = least(degree, rest + outside);
    }
}

static bool same_list(Quotient* q, int a, int b)
{
    // the entries of a are marked
    if (q->length[a] != q->length[b] || q->elements[a] != q->elements[b]) {
        return false;
    }
    for (int k = 0; k < q->length[b]; k++) {
        if (q->mark[q->list[q->begin[b] + k]] != q->stamp) {
            return false;
        }
    }
    return true;
}

// Join the later nodes of a's bucket that have its list.
static void join_equals(Quotient* q, int a)
{
    q->stamp++;
    for (int k = 0; k < q->length[a]; k++) {
        q->mark[q->list[q->begin[a] + k]] = q->stamp;
    }
    int previous = a;
    for (int b = q->chain[a]; b != NONE; b = q->chain[b]) {
        if (same_list(q, a, b)) {
            q->degree[a] -= q->weight[b];
            q->weight[a] += q->weight[b];
            join(q, a, b);
            q->chain[previous] = q->chain[b];
        } else {
            previous = b;
        }
    }
}

static void find_equals(Quotient* q, int p)
{
    const int* nodes = q->list + q->begin[p];
    for (int k = q->length[p] - 1; k >= 0; k--) {
        const int i = nodes[k];
        if (q->weight[i] > 0) {
            q->chain[i] = q->bucket[q->sum[i]];
            q->bucket[q->sum[i]] = i;
        }
    }
    for (int k = 0; k < q->length[p]; k++) {
        const int i = nodes[k];
        if (q->weight[i] > 0 && q->chain[i] != NONE) {
            join_equals(q, i);
        }
    }
    for (int k = 0; k < q->length[p]; k++) {
        if (q->sum[nodes[k]] != NONE) {
            q->bucket[q->sum[nodes[k]]] = NONE;
        }
    }
}

static void eliminate(Quotient* q, int p)
{
    heap_remove(q, p);
    q->left -= q->weight[p];
    q->weight[p] = 0;
    make_element(q, p);
    find_outside(q, p);
    update_nodes(q, p);
    find_equals(q, p);
    int* nodes = q->list + q->begin[p];
    int count = 0;
    for (int k = 0; k < q->length[p]; k++) {
        if (q->weight[nodes[k]] > 0) {
            nodes[count++] = nodes[k];
            heap_move(q, nodes[k]);
        }
    }
    q->length[p] = count;
    q->used = q->begin[p] + count;
}

// ---- the start ----------------------------------------------------------------------------------

// Meetings beyond which a node goes last: it would make every step long and ends up there anyway.
static int many(int nodes)
{
    const int bound = (int)(DENSE_FACTOR * sqrt((double)nodes));
    return bound > DENSE_LEAST ? bound : DENSE_LEAST;
}

static void start(Quotient* q, const Adjacency* graph, const int* size)
{
    const int limit = many(q->nodes);
    for (int i = 0; i < q->nodes; i++) {
        q->weight[i] = graph->first[i + 1] - graph->first[i] > limit ? 0 : size[i];
        q->left += q->weight[i];
        q->mark[i] = 0;
        q->seen[i] = NONE;
        q->member[i] = NONE;
        q->last[i] = i;
        q->bucket[i] = NONE;
        q->sum[i] = NONE;
        q->elements[i] = 0;
    }
    for (int i = 0; i < q->nodes; i++) {
        q->begin[i] = q->used;
        q->degree[i] = 0;
        for (int k = graph->first[i]; q->weight[i] > 0 && k < graph->first[i + 1]; k++) {
            const int j = graph->neighbour[k];
            if (q->weight[j] > 0) {
                q->list[q->used++] = j;
                q->degree[i] += q->weight[j];
            }
        }
        q->length[i] = q->used - q->begin[i];
        if (q->weight[i] > 0) {
            heap_set(q, q->heap_count++, i);
            heap_move(q, i);
        }
    }
}

enum { ARRAYS = 15 }; // of one int a node

static bool push(Quotient* q, utArena* scratch)
{
    int** array[ARRAYS] = {&q->weight, &q->degree,  &q->begin,  &q->elements, &q->length,
                           &q->mark,   &q->outside, &q->seen,   &q->member,   &q->last,
                           &q->heap,   &q->where,   &q->bucket, &q->chain,    &q->sum};
    for (int k = 0; k < ARRAYS; k++) {
        *array[k] = UT_PUSH(scratch, int, q->nodes);
        if (*array[k] == NULL) {
            return false;
        }
    }
    q->list = UT_PUSH(scratch, int, q->room);
    q->other = UT_PUSH(scratch, int, q->room);
    return q->list != NULL && q->other != NULL;
}

size_t ut_order_scratch(int nodes, int pairs)
{
    size_t need = 0;
    for (int k = 0; k < ARRAYS; k++) {
        need = ut_size_add(need, ut_arena_need((size_t)nodes, sizeof(int)));
    }
    const size_t room = ut_arena_need(4 * (size_t)pairs + 1, sizeof(int));
    return ut_size_add(need, ut_size_add(room, room));
}

bool ut_order_minimum_degree(const Adjacency* graph, const int* size, utArena scratch, int* order)
{
    Quotient q = {.nodes = graph->nodes, .room = 2 * graph->first[graph->nodes] + 1};
    if (!push(&q, &scratch)) {
        return false;
    }
    start(&q, graph, size);
    int count = 0;
    for (int i = 0; i < q.nodes; i++) {
        q.where[i] = q.weight[i] > 0 ? q.where[i] : NONE; // NONE: goes last
    }
    while (q.heap_count > 0) {
        const int p = q.heap[0];
        eliminate(&q, p);
        for (int i = p; i != NONE; i = q.member[i]) {
            order[count++] = i;
        }
    }
    for (int i = 0; i < q.nodes; i++) {
        if (q.where[i] == NONE) {
            order[count++] = i;
        }
    }
    return true;
}
