// SPDX-License-Identifier: Apache-2.0
// The global form by nodes: M is block diagonal, and a contact touches the velocities of few nodes,
// so all work but the factorization of H is proportional to the number of contacts.
//
// A dense M and J are cut into nodes first: intervals of velocities that M does not couple.
#include <string.h>

#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "system.h"

enum {
    BODY_DOF = 6,   // velocities of a free body: pieces of one are joined up to this size
    POINT_ROWS = 3, // rows of a contact point in space
};

// Two neighbouring entries of a row of a free body.
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

enum { PAIRS = BODY_DOF / 2 };

static int size_of(const Bodies* bodies, int node)
{
    return bodies->blocks.start[node + 1] - bodies->blocks.start[node];
}

// ---- from M and J -------------------------------------------------------------------------------

// Does group g touch the velocities from begin to end?
static bool touches(const utCoulomb* problem, int g, int begin, int end)
{
    const int row = ut_group_row(problem, g);
    for (int k = row; k < row + ut_group_rows(problem, g); k++) {
        const double* J = problem->J + (size_t)k * (size_t)problem->dof;
        for (int c = begin; c < end; c++) {
            if (J[c] != 0.0) {
                return true;
            }
        }
    }
    return false;
}

// Is one of two neighbouring intervals touched only together with the other? @param middle where they
// meet
static bool always_together(const utCoulomb* problem, int begin, int middle, int end)
{
    bool left_alone = false;
    bool right_alone = false;
    for (int g = 0; g < ut_group_count(problem); g++) {
        const bool left = touches(problem, g, begin, middle);
        const bool right = touches(problem, g, middle, end);
        left_alone = left_alone || (left && !right);
        right_alone = right_alone || (right && !left);
    }
    return !left_alone || !right_alone;
}

// Cut the velocities into intervals that M does not couple. @param start dof + 1 @return nodes
static int cut(const utCoulomb* problem, int* start)
{
    const int dof = problem->dof;
    int nodes = 0;
    int reach = 0; // the last velocity that M couples with one up to here
    start[0] = 0;
    for (int i = 0; i < dof; i++) {
        const double* row = problem->M + (size_t)i * (size_t)dof;
        for (int j = dof - 1; j > reach; j--) {
            if (row[j] != 0.0) {
                reach = j;
            }
        }
        if (reach == i) {
            start[++nodes] = i + 1;
            reach = i + 1;
        }
    }

    // join the pieces of a body
    int kept = 0;
    for (int k = 1; k < nodes; k++) {
        const bool fits = start[k + 1] - start[kept] <= BODY_DOF;
        if (!fits || !always_together(problem, start[kept], start[k], start[k + 1])) {
            start[++kept] = start[k];
        }
    }
    start[kept + 1] = dof;
    return kept + 1;
}

typedef struct Cut {
    int* start;
    int* first;
    int* node;
    double* M;
    double* J;
} Cut;

static void copy_masses(const utCoulomb* problem, int nodes, const Cut* to)
{
    double* M = to->M;
    for (int k = 0; k < nodes; k++) {
        const int size = to->start[k + 1] - to->start[k];
        for (int i = to->start[k]; i < to->start[k + 1]; i++) {
            const double* row = problem->M + (size_t)i * (size_t)problem->dof + to->start[k];
            memcpy(M, row, (size_t)size * sizeof *M);
            M += size;
        }
    }
}

static void copy_rows(const utCoulomb* problem, int nodes, const Cut* to)
{
    double* J = to->J;
    int count = 0;
    for (int g = 0; g < ut_group_count(problem); g++) {
        const int row = ut_group_row(problem, g);
        to->first[g] = count;
        for (int k = 0; k < nodes; k++) {
            const int begin = to->start[k];
            const int end = to->start[k + 1];
            if (!touches(problem, g, begin, end)) {
                continue;
            }
            to->node[count++] = k;
            for (int i = row; i < row + ut_group_rows(problem, g); i++) {
                const double* from = problem->J + (size_t)i * (size_t)problem->dof + begin;
                memcpy(J, from, (size_t)(end - begin) * sizeof *J);
                J += end - begin;
            }
        }
    }
    to->first[ut_group_count(problem)] = count;
}

static utStatus cut_dense(const utCoulomb* problem, utArena* scratch, utCoulombBlocks* blocks)
{
    const int groups = ut_group_count(problem);
    const Cut to = {
        .start = UT_PUSH(scratch, int, problem->dof + 1),
        .first = UT_PUSH(scratch, int, groups + 1),
        .node = ut_arena_push(scratch, (size_t)groups, (size_t)problem->dof * sizeof(int)),
        .M = ut_coulomb_push(scratch, problem->dof, problem->dof),
        .J = ut_coulomb_push(scratch, ut_coulomb_rows(problem), problem->dof),
    };
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    const int nodes = cut(problem, to.start);
    copy_masses(problem, nodes, &to);
    copy_rows(problem, nodes, &to);
    *blocks = (utCoulombBlocks){nodes, to.start, to.M, to.first, to.node, to.J};
    return UT_OK;
}

// ---- masses and places --------------------------------------------------------------------------

// Find where each mass matrix, block of J and block of H begins.
static void index_blocks(const utCoulomb* problem, Bodies* bodies)
{
    const utCoulombBlocks* blocks = &bodies->blocks;
    bodies->mass[0] = 0;
    for (int k = 0; k < blocks->nodes; k++) {
        const size_t size = (size_t)size_of(bodies, k);
        bodies->mass[k + 1] = bodies->mass[k] + size * size;
    }
    bodies->entry[0] = 0;
    bodies->first[0] = 0;
    for (int g = 0; g < ut_group_count(problem); g++) {
        size_t width = 0;
        for (int k = blocks->first[g]; k < blocks->first[g + 1]; k++) {
            width += (size_t)size_of(bodies, blocks->node[k]);
        }
        const size_t touched = (size_t)(blocks->first[g + 1] - blocks->first[g]);
        bodies->entry[g + 1] = bodies->entry[g] + width * (size_t)ut_group_rows(problem, g);
        bodies->first[g + 1] = bodies->first[g] + touched * touched;
    }
}

// @return false when a mass matrix is not positive definite
static bool factor_masses(const Bodies* bodies)
{
    const utCoulombBlocks* blocks = &bodies->blocks;
    memcpy(bodies->L, blocks->M, bodies->mass[blocks->nodes] * sizeof *bodies->L);
    for (int k = 0; k < blocks->nodes; k++) {
        const int size = size_of(bodies, k);
        if (ut_chol_factor(size, bodies->L + bodies->mass[k], size, 0.0) != size) {
            return false;
        }
    }
    return true;
}

// T = -J', for the product with D J.
static void transpose(const utCoulomb* problem, const Bodies* bodies)
{
    const int N = ut_coulomb_rows(problem);
    for (int i = 0; i < N; i++) {
        const double* J = bodies->blocks.J + (size_t)i * (size_t)problem->dof;
        for (int k = 0; k < problem->dof; k++) {
            bodies->T[(size_t)k * (size_t)N + (size_t)i] = -J[k];
        }
    }
}

// Is there one node that every group touches, so that J is dense, and larger than a body?
static bool is_one_node(const utCoulomb* problem, const utCoulombBlocks* blocks)
{
    const int groups = ut_group_count(problem);
    return blocks->nodes == 1 && problem->dof > BODY_DOF && blocks->first[groups] == groups;
}

utStatus ut_bodies_create(const utCoulomb* problem, utArena* scratch, Bodies* bodies)
{
    const int groups = ut_group_count(problem);
    if (problem->blocks != NULL) {
        bodies->blocks = *problem->blocks;
    } else {
        UT_TRY(cut_dense(problem, scratch, &bodies->blocks));
    }
    const int nodes = bodies->blocks.nodes;
    bodies->mass = UT_PUSH(scratch, size_t, nodes + 1);
    bodies->entry = UT_PUSH(scratch, size_t, groups + 1);
    bodies->first = UT_PUSH(scratch, size_t, groups + 1);
    bodies->diagonal = UT_PUSH(scratch, double*, nodes);
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    index_blocks(problem, bodies);
    bodies->L = UT_PUSH(scratch, double, bodies->mass[nodes]);
    bodies->H = UT_PUSH(scratch, double*, bodies->first[groups]);
    if (ut_arena_failed(scratch)) {
        return UT_ERR_CAPACITY;
    }
    if (is_one_node(problem, &bodies->blocks)) {
        bodies->T = ut_coulomb_push(scratch, ut_coulomb_rows(problem), problem->dof);
        bodies->DJ = ut_coulomb_push(scratch, ut_coulomb_rows(problem), problem->dof);
        if (ut_arena_failed(scratch)) {
            return UT_ERR_CAPACITY;
        }
        transpose(problem, bodies);
    }
    return factor_masses(bodies) ? UT_OK : UT_ERR_ARGUMENT;
}

int ut_bodies_pairs(const utCoulomb* problem, const Bodies* bodies, int* pair)
{
    const utCoulombBlocks* blocks = &bodies->blocks;
    int count = 0;
    for (int g = 0; g < ut_group_count(problem); g++) {
        for (int k = blocks->first[g]; k < blocks->first[g + 1]; k++) {
            for (int l = blocks->first[g]; l < k; l++) {
                if (pair != NULL) {
                    pair[2 * count] = blocks->node[k];
                    pair[2 * count + 1] = blocks->node[l];
                }
                count++;
            }
        }
    }
    return count;
}

void ut_bodies_place(const utCoulomb* problem, const Sparse* H, Bodies* bodies)
{
    const utCoulombBlocks* blocks = &bodies->blocks;
    double** to = bodies->H;
    for (int k = 0; k < blocks->nodes; k++) {
        bodies->diagonal[k] = ut_sparse_block(H, k, k);
    }
    for (int g = 0; g < ut_group_count(problem); g++) {
        for (int k = blocks->first[g]; k < blocks->first[g + 1]; k++) {
            for (int l = blocks->first[g]; l < blocks->first[g + 1]; l++) {
                *to++ = ut_sparse_block(H, blocks->node[k], blocks->node[l]);
            }
        }
    }
}

// ---- products -----------------------------------------------------------------------------------

void ut_bodies_divide(const Bodies* bodies, double* y)
{
    for (int k = 0; k < bodies->blocks.nodes; k++) {
        const int size = size_of(bodies, k);
        ut_chol_solve(size, bodies->L + bodies->mass[k], size, y + bodies->blocks.start[k]);
    }
}

// g = M y for a free body
static void multiply_body(const double* M, const double* y, double* g)
{
    for (int i = 0; i < BODY_DOF; i++) {
        double sum = 0.0;
        for (int j = 0; j < BODY_DOF; j++) {
            sum += M[BODY_DOF * i + j] * y[j];
        }
        g[i] = sum;
    }
}

void ut_bodies_multiply(const Bodies* bodies, const double* y, double* g)
{
    for (int k = 0; k < bodies->blocks.nodes; k++) {
        const int size = size_of(bodies, k);
        const double* M = bodies->blocks.M + bodies->mass[k];
        const double* y_k = y + bodies->blocks.start[k];
        if (size == BODY_DOF) {
            multiply_body(M, y_k, g + bodies->blocks.start[k]);
            continue;
        }
        for (int i = 0; i < size; i++) {
            g[bodies->blocks.start[k] + i] = ut_dot(size, M + (size_t)i * (size_t)size, y_k);
        }
    }
}

// |L^-1 x|^2. @param y size entries, work
static inline double squared_norm(int size, const double* L, const double* x, double* y)
{
    double sum = 0.0;
    for (int i = 0; i < size; i++) {
        double value = x[i];
        for (int k = 0; k < i; k++) {
            value -= L[(ptrdiff_t)i * size + k] * y[k];
        }
        y[i] = value / L[(ptrdiff_t)i * size + i];
        sum += y[i] * y[i];
    }
    return sum;
}

double ut_bodies_trace(const utCoulomb* problem, const Bodies* bodies, int g, double* y)
{
    const utCoulombBlocks* blocks = &bodies->blocks;
    const double* J = blocks->J + bodies->entry[g];
    double trace = 0.0;
    for (int k = blocks->first[g]; k < blocks->first[g + 1]; k++) {
        const int node = blocks->node[k];
        const int size = size_of(bodies, node);
        const double* L = bodies->L + bodies->mass[node];
        for (int i = 0; i < ut_group_rows(problem, g); i++, J += size) {
            if (g < problem->contacts && !ut_coulomb_row_acts(problem, g, i)) {
                continue;
            }
            trace +=
                size == BODY_DOF ? squared_norm(BODY_DOF, L, J, y) : squared_norm(size, L, J, y);
        }
    }
    return trace;
}

// u += J v for one node of a group. @param J rows x size
static inline void add_product(int rows, int size, const double* J, const double* v, double* u)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int c = 0; c < size; c++) {
            sum += J[(ptrdiff_t)i * size + c] * v[c];
        }
        u[i] += sum;
    }
}

// The same for a contact point and a free body. Entries 0 2 4 and 1 3 5 are summed apart.
static inline void add_point_product(const double* J, const double* v, double* u)
{
    const Two* row = (const Two*)J;
    const Two* x = (const Two*)v;
    for (int i = 0; i < POINT_ROWS; i++, row += PAIRS) {
        const Two sum = (row[0] * x[0] + row[1] * x[1]) + row[2] * x[2];
        u[i] += sum[0] + sum[1];
    }
}

// g += J'y for a contact point and a free body
static inline void add_point_transposed(const double* J, const double* y, double* g)
{
    const Two* row = (const Two*)J;
    Two* to = (Two*)g;
    for (int j = 0; j < PAIRS; j++) {
        to[j] = ((to[j] + row[j] * y[0]) + row[PAIRS + j] * y[1]) + row[2 * PAIRS + j] * y[2];
    }
}

// g += J'y for one node of a group
static inline void add_transposed(int rows, int size, const double* J, const double* y, double* g)
{
    for (int i = 0; i < rows; i++) {
        for (int c = 0; c < size; c++) {
            g[c] += J[(ptrdiff_t)i * size + c] * y[i];
        }
    }
}

// u = J v for a contact point. @param J its blocks @return the blocks after them
static inline const double* find_point_rows(const utCoulombBlocks* blocks, int g, const double* J,
                                            const double* v, double* u)
{
    double sum[POINT_ROWS] = {0.0, 0.0, 0.0};
    for (int k = blocks->first[g]; k < blocks->first[g + 1]; k++) {
        const int begin = blocks->start[blocks->node[k]];
        const int size = blocks->start[blocks->node[k] + 1] - begin;
        if (size == BODY_DOF) {
            add_point_product(J, v + begin, sum);
        } else {
            add_product(POINT_ROWS, size, J, v + begin, sum);
        }
        J += (ptrdiff_t)POINT_ROWS * size;
    }
    u[0] = sum[0];
    u[1] = sum[1];
    u[2] = sum[2];
    return J;
}

void ut_bodies_rows(const utCoulomb* problem, const utCoulombBlocks* blocks, const double* v,
                    double* u)
{
    const double* J = blocks->J;
    int g = 0;
    for (; problem->dimension == POINT_ROWS && g < problem->contacts; g++, u += POINT_ROWS) {
        J = find_point_rows(blocks, g, J, v, u);
    }
    for (; g < ut_group_count(problem); g++) {
        const int rows = ut_group_rows(problem, g);
        u[0] = 0.0;
        for (int i = 1; i < rows; i++) {
            u[i] = 0.0;
        }
        for (int k = blocks->first[g]; k < blocks->first[g + 1]; k++) {
            const int begin = blocks->start[blocks->node[k]];
            const int size = blocks->start[blocks->node[k] + 1] - begin;
            add_product(rows, size, J, v + begin, u);
            J += (ptrdiff_t)rows * size;
        }
        u += rows;
    }
}

void ut_bodies_add_transposed(const utCoulomb* problem, const Bodies* bodies, const double* y,
                              double* g)
{
    const utCoulombBlocks* blocks = &bodies->blocks;
    const double* J = blocks->J;
    for (int group = 0; group < ut_group_count(problem); group++) {
        const int rows = ut_group_rows(problem, group);
        for (int k = blocks->first[group]; k < blocks->first[group + 1]; k++) {
            const int begin = blocks->start[blocks->node[k]];
            const int size = blocks->start[blocks->node[k] + 1] - begin;
            if (rows == POINT_ROWS && size == BODY_DOF) {
                add_point_transposed(J, y, g + begin);
            } else {
                add_transposed(rows, size, J, y, g + begin);
            }
            J += (ptrdiff_t)rows * size;
        }
        y += rows;
    }
}

// ---- H ------------------------------------------------------------------------------------------

// Some columns of D J_l for one group and one of its nodes l.
typedef struct Strip {
    int rows;                                  // of the group
    int begin;                                 // first column
    int width;                                 // columns, at most BODY_DOF
    double DJ[UT_LAW_MAX_DIMENSION][BODY_DOF]; // rows x width
} Strip;

// @param cols velocities of the node @param J rows x cols
static void fill_strip(const double* D, int cols, const double* J, Strip* strip)
{
    memset(strip->DJ, 0, (size_t)strip->rows * sizeof *strip->DJ);
    for (int i = 0; i < strip->rows; i++) {
        for (int m = 0; m < strip->rows; m++) {
            const double* row = J + (ptrdiff_t)m * cols + strip->begin;
            for (int j = 0; j < strip->width; j++) {
                strip->DJ[i][j] += D[strip->rows * i + m] * row[j];
            }
        }
    }
}

// Do no rows move velocity a? That is so for most velocities of a tree and a row of one joint.
static bool is_still(int rows, int size, const double* J, int a)
{
    bool still = true;
    for (int i = 0; i < rows; i++) {
        still = still && J[(ptrdiff_t)i * size + a] == 0.0;
    }
    return still;
}

// H += J' times the strip. @param J rows x size @param H size x cols
static void add_strip(const Strip* strip, int size, const double* J, int cols, double* H)
{
    for (int a = 0; a < size; a++) {
        if (is_still(strip->rows, size, J, a)) {
            continue;
        }
        double* to = H + (ptrdiff_t)a * cols + strip->begin;
        for (int j = 0; j < strip->width; j++) {
            double sum = 0.0;
            for (int i = 0; i < strip->rows; i++) {
                sum += J[(ptrdiff_t)i * size + a] * strip->DJ[i][j];
            }
            to[j] += sum;
        }
    }
}

// H_kl += J_k' D J_l for all nodes k and one node l of a group g. @param J J_l
static void add_column(const Bodies* bodies, int g, int l, const double* J, Strip* strip,
                       const double* D)
{
    const utCoulombBlocks* blocks = &bodies->blocks;
    const int touched = blocks->first[g + 1] - blocks->first[g];
    const int* node = blocks->node + blocks->first[g];
    const int cols = size_of(bodies, node[l]);
    for (strip->begin = 0; strip->begin < cols; strip->begin += BODY_DOF) {
        strip->width = cols - strip->begin < BODY_DOF ? cols - strip->begin : BODY_DOF;
        fill_strip(D, cols, J, strip);
        const double* J_k = blocks->J + bodies->entry[g];
        for (int k = 0; k < touched; k++) {
            const int size = size_of(bodies, node[k]);
            add_strip(strip, size, J_k, cols,
                      bodies->H[bodies->first[g] + (size_t)(k * touched + l)]);
            J_k += (ptrdiff_t)strip->rows * size;
        }
    }
}

// D J for a contact point and a free body; here and in the next function loops have constant lengths.
static inline void weight_rows(const double* D, const double* J, Two DJ[POINT_ROWS * PAIRS])
{
    const Two* rows = (const Two*)J;
    for (int i = 0; i < POINT_ROWS; i++) {
        for (int j = 0; j < PAIRS; j++) {
            DJ[PAIRS * i + j] = (D[3 * i] * rows[j] + D[3 * i + 1] * rows[PAIRS + j]) +
                                D[3 * i + 2] * rows[2 * PAIRS + j];
        }
    }
}

// H += J' times D J
static inline void add_bodies(const double* J, const Two DJ[POINT_ROWS * PAIRS], double* H)
{
    for (int a = 0; a < BODY_DOF; a++) {
        const double x = J[a], y = J[BODY_DOF + a], z = J[2 * BODY_DOF + a];
        Two* to = (Two*)(H + (ptrdiff_t)BODY_DOF * a);
        for (int j = 0; j < PAIRS; j++) {
            to[j] += (x * DJ[j] + y * DJ[PAIRS + j]) + z * DJ[2 * PAIRS + j];
        }
    }
}

// H_kl += J_k' D J_l for a contact point and free bodies. With `symmetric` only blocks that
// ut_sparse_factor reads are filled, those with k <= l.
static void add_point(const Bodies* bodies, int g, bool symmetric, const double* D)
{
    const int touched = bodies->blocks.first[g + 1] - bodies->blocks.first[g];
    const int* node = bodies->blocks.node + bodies->blocks.first[g];
    const double* J = bodies->blocks.J + bodies->entry[g];
    const ptrdiff_t block = (ptrdiff_t)POINT_ROWS * BODY_DOF;
    Two DJ[POINT_ROWS * PAIRS];
    for (int l = 0; l < touched; l++) {
        weight_rows(D, J + l * block, DJ);
        for (int k = 0; k < touched; k++) {
            if (!symmetric || node[k] <= node[l]) {
                add_bodies(J + k * block, DJ,
                           bodies->H[bodies->first[g] + (size_t)(k * touched + l)]);
            }
        }
    }
}

// Are all nodes of a group free bodies?
static bool has_bodies_only(const Bodies* bodies, int g)
{
    bool only = true;
    for (int k = bodies->blocks.first[g]; k < bodies->blocks.first[g + 1]; k++) {
        only = only && size_of(bodies, bodies->blocks.node[k]) == BODY_DOF;
    }
    return only;
}

static void add_group(const Bodies* bodies, int g, int rows, bool symmetric, const double* D)
{
    if (rows == POINT_ROWS && has_bodies_only(bodies, g)) {
        add_point(bodies, g, symmetric, D);
        return;
    }
    const utCoulombBlocks* blocks = &bodies->blocks;
    const double* J = blocks->J + bodies->entry[g];
    Strip strip = {.rows = rows};
    for (int l = 0; l < blocks->first[g + 1] - blocks->first[g]; l++) {
        add_column(bodies, g, l, J, &strip, D);
        J += (ptrdiff_t)rows * size_of(bodies, blocks->node[blocks->first[g] + l]);
    }
}

// All groups at once, where there is one node: H -= T (D J).
static void add_all(const utCoulomb* problem, const Bodies* bodies, const double* D,
                    const double* w)
{
    const int N = ut_coulomb_rows(problem);
    const int dof = problem->dof;
    const int d = problem->dimension;
    const double* J = bodies->blocks.J;
    memset(bodies->DJ, 0, (size_t)N * (size_t)dof * sizeof *bodies->DJ);
    for (int i = 0; i < d * problem->contacts; i++) {
        for (int l = 0; l < d; l++) {
            ut_axpy(dof, D[(size_t)i * (size_t)d + (size_t)l],
                    J + (size_t)(i - i % d + l) * (size_t)dof,
                    bodies->DJ + (size_t)i * (size_t)dof);
        }
    }
    for (int i = d * problem->contacts; i < N; i++) {
        ut_axpy(dof, w[i - d * problem->contacts], J + (size_t)i * (size_t)dof,
                bodies->DJ + (size_t)i * (size_t)dof);
    }
    ut_gemm_sub(dof, dof, N, bodies->T, N, bodies->DJ, dof, bodies->diagonal[0], dof);
}

void ut_bodies_assemble(const utCoulomb* problem, const Bodies* bodies, bool symmetric,
                        const double* D, const double* w)
{
    const int d = problem->dimension;
    for (int k = 0; k < bodies->blocks.nodes; k++) {
        const size_t begin = bodies->mass[k];
        const size_t count = bodies->mass[k + 1] - begin;
        for (size_t i = 0; i < count; i++) {
            bodies->diagonal[k][i] += bodies->blocks.M[begin + i];
        }
    }
    if (bodies->T != NULL) {
        add_all(problem, bodies, D, w);
        return;
    }
    for (int i = 0; i < problem->contacts; i++) {
        add_group(bodies, i, d, symmetric, D + (size_t)d * (size_t)d * (size_t)i);
    }
    for (int j = 0; j < problem->bilaterals; j++) {
        add_group(bodies, problem->contacts + j, 1, symmetric, w + j);
    }
}
