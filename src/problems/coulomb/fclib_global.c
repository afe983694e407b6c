// SPDX-License-Identifier: Apache-2.0
// Turns a global problem of FCLIB into blocks. The file has a sparse M and H but no bodies, so nodes are
// derived from M: velocities that entries of M connect form a node. If that separates the six (in the
// plane three) velocities of free bodies, as with a diagonal M, each six form a node. Velocities are
// reordered by nodes, which callers do not see.
#include <limits.h>
#include <string.h>

#include "fclib.h"

typedef struct Nodes {
    int count;
    int* start;    ///< count + 1
    int* of;       ///< dof: the node of each velocity, in the order of the nodes
    int* position; ///< dof: new index of each velocity of the file
} Nodes;

// ---- nodes --------------------------------------------------------------------------------------

// The first velocity of the group of i, with path compression.
static int find_first(int* parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// Set parent[i] to the first velocity that M connects with i.
static void connect_velocities(const CoulombEntries* M, int* parent)
{
    for (int i = 0; i < M->rows; i++) {
        parent[i] = i;
    }
    for (int k = 0; k < M->count; k++) {
        if (M->value[k] != 0.0) {
            const int a = find_first(parent, M->row[k]);
            const int b = find_first(parent, M->column[k]);
            parent[a < b ? b : a] = a < b ? a : b;
        }
    }
    for (int i = 0; i < M->rows; i++) {
        parent[i] = find_first(parent, i);
    }
}

// If M connects velocities only within each six (three), those of a body, connect all six.
static void connect_bodies(int d, int dof, int* parent)
{
    const int body = d == 3 ? 6 : 3;
    if (dof % body != 0) {
        return;
    }
    for (int i = 0; i < dof; i++) {
        if (parent[i] / body != i / body) {
            return;
        }
    }
    for (int i = 0; i < dof; i++) {
        parent[i] = i - i % body;
    }
}

// Number the nodes by their first velocity and count their velocities.
// @param parent receives the node of each velocity
static void number_nodes(int dof, int* parent, Nodes* nodes)
{
    nodes->count = 0;
    for (int i = 0; i < dof; i++) {
        const bool first = parent[i] == i; // the first velocity precedes the others of its node
        parent[i] = first ? nodes->count : parent[parent[i]];
        if (first) {
            nodes->count++;
            nodes->start[nodes->count] = 0;
        }
        nodes->start[parent[i] + 1]++;
    }
}

static utStatus find_nodes(const FclibProblem* fclib, utArena* rest, utArena* scratch, Nodes* nodes)
{
    const int dof = fclib->M.rows;
    nodes->start = UT_PUSH(rest, int, (size_t)dof + 1);
    nodes->of = UT_PUSH(scratch, int, dof);
    nodes->position = UT_PUSH(scratch, int, dof);
    int* parent = UT_PUSH(scratch, int, dof);
    int* next = UT_PUSH(scratch, int, dof);
    if (ut_arena_failed(rest) || ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    connect_velocities(&fclib->M, parent);
    connect_bodies(fclib->d, dof, parent);
    number_nodes(dof, parent, nodes);

    nodes->start[0] = 0;
    for (int k = 0; k < nodes->count; k++) {
        next[k] = nodes->start[k];
        nodes->start[k + 1] += nodes->start[k];
    }
    for (int i = 0; i < dof; i++) {
        nodes->position[i] = next[parent[i]]++;
        nodes->of[nodes->position[i]] = parent[i];
    }
    return UT_OK;
}

// ---- masses -------------------------------------------------------------------------------------

// Does the file hold only one triangle of the symmetric M?
static bool is_half(const CoulombEntries* M)
{
    bool above = false;
    bool below = false;
    for (int k = 0; k < M->count; k++) {
        above = above || (M->value[k] != 0.0 && M->row[k] < M->column[k]);
        below = below || (M->value[k] != 0.0 && M->row[k] > M->column[k]);
    }
    return above != below;
}

// @param offset count + 1 entries, receives the beginning of each node's matrix
static double* push_masses(const Nodes* nodes, utArena* rest, size_t* offset)
{
    offset[0] = 0;
    for (int k = 0; k < nodes->count; k++) {
        const size_t n = (size_t)(nodes->start[k + 1] - nodes->start[k]);
        if (n > (SIZE_MAX - offset[k]) / n) {
            return NULL;
        }
        offset[k + 1] = offset[k] + n * n;
    }
    double* masses = UT_PUSH(rest, double, offset[nodes->count]);
    if (masses != NULL) {
        memset(masses, 0, offset[nodes->count] * sizeof *masses);
    }
    return masses;
}

static utStatus make_masses(const CoulombEntries* M, const Nodes* nodes, utArena* rest,
                            utArena scratch, const double** masses)
{
    size_t* offset = UT_PUSH(&scratch, size_t, (size_t)nodes->count + 1);
    double* out = offset != NULL ? push_masses(nodes, rest, offset) : NULL;
    if (out == NULL) {
        return UT_ERR_CAPACITY;
    }
    const bool half = is_half(M);
    for (int k = 0; k < M->count; k++) {
        if (M->value[k] != 0.0) {
            const int i = nodes->position[M->row[k]];
            const int j = nodes->position[M->column[k]];
            const int node = nodes->of[i];
            const int first = nodes->start[node];
            const size_t n = (size_t)(nodes->start[node + 1] - first);
            double* block = out + offset[node];
            block[(size_t)(i - first) * n + (size_t)(j - first)] += M->value[k];
            if (half && i != j) {
                block[(size_t)(j - first) * n + (size_t)(i - first)] += M->value[k];
            }
        }
    }
    *masses = out;
    return UT_OK;
}

// ---- Jacobians ----------------------------------------------------------------------------------

// J = (H G)' as rows in `scratch`, its columns in the order of the nodes.
static utStatus make_jacobian(const FclibProblem* fclib, const Nodes* nodes, utArena* scratch,
                              CoulombRows* J)
{
    const double count = (double)fclib->H.count + fclib->G.count;
    if (!(count <= INT_MAX)) {
        return UT_ERR_CAPACITY;
    }
    int* row = UT_PUSH(scratch, int, (size_t)count);
    int* column = UT_PUSH(scratch, int, (size_t)count);
    double* value = UT_PUSH(scratch, double, (size_t)count);
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    int used = 0;
    for (int k = 0; k < fclib->H.count; k++, used++) {
        row[used] = fclib->H.column[k];
        column[used] = nodes->position[fclib->H.row[k]];
        value[used] = fclib->H.value[k];
    }
    for (int k = 0; k < fclib->G.count; k++, used++) {
        row[used] = fclib->H.columns + fclib->G.column[k];
        column[used] = nodes->position[fclib->G.row[k]];
        value[used] = fclib->G.value[k];
    }
    const CoulombEntries entries = {
        fclib->H.columns + fclib->p, fclib->M.rows, used, row, column, value};
    return ut_coulomb_make_rows(&entries, scratch, J);
}

// The blocks of a problem while they are filled, or only counted if node is NULL.
typedef struct Blocks {
    int pairs;   ///< number of blocks, one per group and node
    size_t size; ///< entries of J so far
    int* node;
    double* J;
} Blocks;

// The next node with an entry in one of the rows. @param at current entry of each row
static int next_node(const Nodes* nodes, const CoulombRows* J, int row, int rows, const int* at)
{
    int next = nodes->count;
    for (int k = 0; k < rows; k++) {
        if (at[k] < J->start[row + k + 1]) {
            const int node = nodes->of[J->column[at[k]]];
            next = node < next ? node : next;
        }
    }
    return next;
}

// Add the block of a node. @param at moves behind the entries of this node
static void add_block(const Nodes* nodes, const CoulombRows* J, int node, int row, int rows,
                      int* at, Blocks* blocks)
{
    const int first = nodes->start[node];
    const int end = nodes->start[node + 1];
    const size_t n = (size_t)(end - first);
    double* block = blocks->J != NULL ? blocks->J + blocks->size : NULL;
    if (block != NULL) {
        blocks->node[blocks->pairs] = node;
        memset(block, 0, (size_t)rows * n * sizeof *block);
    }
    for (int k = 0; k < rows; k++) {
        for (; at[k] < J->start[row + k + 1] && J->column[at[k]] < end; at[k]++) {
            if (block != NULL) {
                block[(size_t)k * n + (size_t)(J->column[at[k]] - first)] = J->value[at[k]];
            }
        }
    }
    blocks->pairs++;
    blocks->size += (size_t)rows * n;
}

// Add the blocks of a group of rows. Columns of rows ascend, so their nodes ascend, too.
static void add_group(const Nodes* nodes, const CoulombRows* J, int row, int rows, Blocks* blocks)
{
    int at[3];
    for (int k = 0; k < rows; k++) {
        at[k] = J->start[row + k];
    }
    for (;;) {
        const int node = next_node(nodes, J, row, rows, at);
        if (node == nodes->count) {
            return;
        }
        add_block(nodes, J, node, row, rows, at, blocks);
    }
}

// @param first contacts + bilaterals + 1
static void add_groups(const FclibProblem* fclib, const Nodes* nodes, const CoulombRows* J,
                       int* first, Blocks* blocks)
{
    const int groups = fclib->contacts + fclib->p;
    int row = 0;
    for (int g = 0; g < groups; g++) {
        const int rows = g < fclib->contacts ? fclib->d : 1;
        first[g] = blocks->pairs;
        add_group(nodes, J, row, rows, blocks);
        row += rows;
    }
    first[groups] = blocks->pairs;
}

static utStatus make_blocks(const FclibProblem* fclib, const Nodes* nodes, const CoulombRows* J,
                            utArena* rest, utCoulombBlocks* made)
{
    int* first = UT_PUSH(rest, int, (size_t)fclib->contacts + (size_t)fclib->p + 1);
    if (first == NULL) {
        return UT_ERR_CAPACITY;
    }
    Blocks blocks = {0};
    add_groups(fclib, nodes, J, first, &blocks);

    Blocks filled = {.node = UT_PUSH(rest, int, blocks.pairs),
                     .J = UT_PUSH(rest, double, blocks.size)};
    if (ut_arena_failed(rest)) {
        return UT_ERR_CAPACITY;
    }
    add_groups(fclib, nodes, J, first, &filled);
    made->first = first;
    made->node = filled.node;
    made->J = filled.J;
    return UT_OK;
}

// ---- the problem --------------------------------------------------------------------------------

static utStatus make_vectors(const FclibProblem* fclib, const Nodes* nodes, utArena* rest,
                             utCoulomb* problem)
{
    const size_t m = (size_t)fclib->H.columns;
    const size_t p = (size_t)fclib->p;
    double* f = UT_PUSH(rest, double, fclib->M.rows);
    double* b = UT_PUSH(rest, double, m + p);
    double* mu = UT_PUSH(rest, double, fclib->contacts);
    utSection* section = UT_PUSH(rest, utSection, 1);
    if (ut_arena_failed(rest)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < fclib->M.rows; i++) {
        f[nodes->position[i]] = fclib->f[i];
    }
    memcpy(b, fclib->w, m * sizeof *b);
    if (p > 0) {
        memcpy(b + m, fclib->b, p * sizeof *b);
    }
    memcpy(mu, fclib->mu, (size_t)fclib->contacts * sizeof *mu);
    *section = fclib->d == 3 ? ut_section_circle() : ut_section_segment();
    problem->f = f;
    problem->b = b;
    problem->mu = mu;
    problem->section = section;
    return UT_OK;
}

utStatus ut_fclib_global(const FclibProblem* fclib, utArena* keep, utArena scratch,
                         utCoulomb* problem)
{
    utArena rest = *keep;
    utCoulomb made = {
        .dimension = fclib->d,
        .contacts = fclib->contacts,
        .bilaterals = fclib->p,
        .dof = fclib->M.rows,
    };
    utCoulombBlocks* blocks = UT_PUSH(&rest, utCoulombBlocks, 1);
    if (blocks == NULL) {
        return UT_ERR_CAPACITY;
    }
    Nodes nodes;
    UT_TRY(find_nodes(fclib, &rest, &scratch, &nodes));
    blocks->nodes = nodes.count;
    blocks->start = nodes.start;
    UT_TRY(make_masses(&fclib->M, &nodes, &rest, scratch, &blocks->M));
    UT_TRY(make_vectors(fclib, &nodes, &rest, &made));

    CoulombRows J;
    UT_TRY(make_jacobian(fclib, &nodes, &scratch, &J));
    UT_TRY(make_blocks(fclib, &nodes, &J, &rest, blocks));
    made.blocks = blocks;
    *keep = rest;
    *problem = made;
    return UT_OK;
}
