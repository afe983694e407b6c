// SPDX-License-Identifier: Apache-2.0
// Minimum degree ordering on the quotient graph.
//
// Eliminating a node makes all its neighbours neighbours of each other. Instead of storing these
// pairs, the node becomes an element: the list of these neighbours. The neighbours of a node are the
// nodes of its own list and of its elements. A new element absorbs every element whose nodes it
// contains, so the lists never need more room than the pattern. Nodes with equal lists are merged
// and eliminated together. The degree is the upper bound of Amestoy, Davis and Duff (SIAM J. Matrix
// Anal. Appl. 17, 1996), counted in unknowns.
#include "la/internal.h"
#include "symbolic.h"

#include <math.h>
#include <string.h>

enum { NONE = -1 };

// a node with more neighbours than max(16, 10 sqrt(nodes)) goes last (as in AMD)
enum { MIN_DENSE_DEGREE = 16, DENSE_DEGREE_FACTOR = 10 };

typedef struct Quotient {
    int nodes;
    int left;       // unknowns not eliminated yet
    int* weight;    // unknowns of a node and those merged with it; 0: eliminated or merged
    int* degree;    // node: upper bound of its neighbours' unknowns; element: unknowns of its nodes
    int* begin;     // of each list
    int* elements;  // of a node: how many elements its list begins with; NONE for an element
    int* length;    // of each list; NONE: absorbed or merged
    int* list;      // all lists
    int* other;     // as large, for compress
    int used, room; // of `list`
    int* mark;      // == stamp: in the current set
    int stamp;
    int* outside; // of an element: unknowns that are not in element `seen`
    int* seen;
    int* member; // the next node that is merged with a node
    int* last;   // the last such node
    int* heap;   // nodes, least degree first
    int* where;  // position of each node in the heap
    int heap_count;
    int* bucket; // hash table of lists: the first node of each hash value
    int* chain;  // the next node with the same hash value
    int* sum;    // hash value of a node's list: the sum of its entries
} Quotient;

// ---- the heap: least degree first, then the lowest index ----------------------------------------

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

// Move all lists together. They need no more than the pattern, which is half of the room.
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

// Merge node b with a.
static void merge(Quotient* q, int a, int b)
{
    q->weight[b] = 0;
    q->length[b] = NONE;
    q->member[q->last[a]] = b;
    q->last[a] = q->last[b];
    heap_remove(q, b);
}

// Append the remaining nodes of a list to the end of all lists, each once. @return their unknowns
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

// Turn node p into the element of all its neighbours, which absorbs the elements of p.
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

// For each element that shares nodes with element p: count its unknowns that are not in p.
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

// Remove from the list of node i all elements and nodes that p contains, and add p.
// @return unknowns of the neighbours of i outside of p
static int shorten(Quotient* q, int p, int i)
{
    int* list = q->list + q->begin[i];
    const int elements = q->elements[i];
    const int length = q->length[i];
    int outside = 0;
    unsigned sum = (unsigned)p;
    // there is room for p, because the list of every node in p loses an element or p itself
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
        // nodes move up by one, because p stands before them
        list[keep++] = hold;
        hold = j;
    }
    list[keep++] = hold;
    q->length[i] = keep;
    q->sum[i] = (int)(sum % (unsigned)q->nodes);
    return outside;
}

// New lists and degrees of the nodes of p; nodes without other neighbours are eliminated with p.
static void update_nodes(Quotient* q, int p)
{
    for (int k = 0; k < q->length[p]; k++) {
        const int i = q->list[q->begin[p] + k];
        const int outside = shorten(q, p, i);
        if (outside == 0 && q->length[i] == 1) {
            q->degree[p] -= q->weight[i];
            q->left -= q->weight[i];
            merge(q, p, i);
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

// Merge the later nodes of a's bucket that have the same list with a.
static void merge_equals(Quotient* q, int a)
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
            merge(q, a, b);
            q->chain[previous] = q->chain[b];
        } else {
            previous = b;
        }
    }
}

// Merge nodes of p whose lists are equal.
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
            merge_equals(q, i);
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

// Neighbours beyond which a node goes last, because it would slow every step down and would be
// eliminated late anyway.
static int dense_degree(int nodes)
{
    const int bound = (int)(DENSE_DEGREE_FACTOR * sqrt((double)nodes));
    return bound > MIN_DENSE_DEGREE ? bound : MIN_DENSE_DEGREE;
}

static void start(Quotient* q, const Adjacency* graph, const int* size)
{
    const int limit = dense_degree(q->nodes);
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

static bool push(Quotient* q, utArena* scratch)
{
    int** array[] = {&q->weight, &q->degree,  &q->begin,  &q->elements, &q->length,
                     &q->mark,   &q->outside, &q->seen,   &q->member,   &q->last,
                     &q->heap,   &q->where,   &q->bucket, &q->chain,    &q->sum};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++) {
        *array[k] = UT_PUSH(scratch, int, q->nodes);
    }
    q->list = UT_PUSH(scratch, int, q->room);
    q->other = UT_PUSH(scratch, int, q->room);
    return !ut_arena_failed(scratch);
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
