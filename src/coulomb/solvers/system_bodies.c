// SPDX-License-Identifier: Apache-2.0
// The global form by bodies: M is block diagonal, and a contact touches the velocities of few
// nodes, so that everything but the factorization of H costs what the contacts cost.
//
// A problem that gives M and J densely is cut into nodes first: intervals of velocities between
// which M has no entry.
#include <string.h>

#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "system.h"

enum { BODY = 6 }; // velocities of a free body: smaller pieces that always meet are joined up to it

static int size_of(const Bodies* bodies, int node)
{
    return bodies->at.start[node + 1] - bodies->at.start[node];
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

// Is whatever touches one of two neighbours touching the other too? middle is where they meet.
static bool meet_always(const utCoulomb* problem, int begin, int middle, int end)
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

// Cut the velocities where M has no entry across. @param start dof + 1 @return nodes
static int cut(const utCoulomb* problem, int* start)
{
    const int dof = problem->dof;
    int nodes = 0;
    int reach = 0; // the last velocity that one up to here is coupled with
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
        const bool small = start[k + 1] - start[kept] <= BODY;
        if (!small || !meet_always(problem, start[kept], start[k], start[k + 1])) {
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

static utStatus cut_up(const utCoulomb* problem, utArena* scratch, utCoulombBlocks* blocks)
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

// ---- the bodies ---------------------------------------------------------------------------------

static void index_blocks(const utCoulomb* problem, Bodies* bodies)
{
    const utCoulombBlocks* at = &bodies->at;
    bodies->mass[0] = 0;
    for (int k = 0; k < at->nodes; k++) {
        const size_t size = (size_t)size_of(bodies, k);
        bodies->mass[k + 1] = bodies->mass[k] + size * size;
    }
    bodies->entry[0] = 0;
    bodies->first[0] = 0;
    for (int g = 0; g < ut_group_count(problem); g++) {
        size_t width = 0;
        for (int k = at->first[g]; k < at->first[g + 1]; k++) {
            width += (size_t)size_of(bodies, at->node[k]);
        }
        const size_t touched = (size_t)(at->first[g + 1] - at->first[g]);
        bodies->entry[g + 1] = bodies->entry[g] + width * (size_t)ut_group_rows(problem, g);
        bodies->first[g + 1] = bodies->first[g] + touched * touched;
    }
}

static bool factor_masses(const Bodies* bodies)
{
    const utCoulombBlocks* at = &bodies->at;
    memcpy(bodies->L, at->M, bodies->mass[at->nodes] * sizeof *bodies->L);
    for (int k = 0; k < at->nodes; k++) {
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
        const double* J = bodies->at.J + (size_t)i * (size_t)problem->dof;
        for (int k = 0; k < problem->dof; k++) {
            bodies->T[(size_t)k * (size_t)N + (size_t)i] = -J[k];
        }
    }
}

// Does J lie densely, every group touching the one node there is, and is it worth a product?
static bool is_one_node(const utCoulomb* problem, const utCoulombBlocks* at)
{
    const int groups = ut_group_count(problem);
    return at->nodes == 1 && problem->dof > BODY && at->first[groups] == groups;
}

utStatus ut_bodies_create(const utCoulomb* problem, utArena* scratch, Bodies* bodies)
{
    const int groups = ut_group_count(problem);
    if (problem->blocks != NULL) {
        bodies->at = *problem->blocks;
    } else {
        UT_TRY(cut_up(problem, scratch, &bodies->at));
    }
    const int nodes = bodies->at.nodes;
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
    if (is_one_node(problem, &bodies->at)) {
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
    const utCoulombBlocks* at = &bodies->at;
    int count = 0;
    for (int g = 0; g < ut_group_count(problem); g++) {
        for (int k = at->first[g]; k < at->first[g + 1]; k++) {
            for (int l = at->first[g]; l < k; l++) {
                if (pair != NULL) {
                    pair[2 * count] = at->node[k];
                    pair[2 * count + 1] = at->node[l];
                }
                count++;
            }
        }
    }
    return count;
}

void ut_bodies_place(const utCoulomb* problem, const Sparse* H, Bodies* bodies)
{
    const utCoulombBlocks* at = &bodies->at;
    double** to = bodies->H;
    for (int k = 0; k < at->nodes; k++) {
        bodies->diagonal[k] = ut_sparse_block(H, k, k);
    }
    for (int g = 0; g < ut_group_count(problem); g++) {
        for (int k = at->first[g]; k < at->first[g + 1]; k++) {
            for (int l = at->first[g]; l < at->first[g + 1]; l++) {
                *to++ = ut_sparse_block(H, at->node[k], at->node[l]);
            }
        }
    }
}

// ---- products -----------------------------------------------------------------------------------

void ut_bodies_divide(const Bodies* bodies, double* y)
{
    for (int k = 0; k < bodies->at.nodes; k++) {
        const int size = size_of(bodies, k);
        ut_chol_solve(size, bodies->L + bodies->mass[k], size, y + bodies->at.start[k]);
    }
}

void ut_bodies_multiply(const Bodies* bodies, const double* y, double* g)
{
    for (int k = 0; k < bodies->at.nodes; k++) {
        const int size = size_of(bodies, k);
        const double* M = bodies->at.M + bodies->mass[k];
        const double* y_k = y + bodies->at.start[k];
        for (int i = 0; i < size; i++) {
            g[bodies->at.start[k] + i] = ut_dot(size, M + (size_t)i * (size_t)size, y_k);
        }
    }
}

double ut_bodies_trace(const utCoulomb* problem, const Bodies* bodies, int g, double* y)
{
    const utCoulombBlocks* at = &bodies->at;
    const double* J = at->J + bodies->entry[g];
    double trace = 0.0;
    for (int k = at->first[g]; k < at->first[g + 1]; k++) {
        const int node = at->node[k];
        const int size = size_of(bodies, node);
        for (int i = 0; i < ut_group_rows(problem, g); i++) {
            memcpy(y, J, (size_t)size * sizeof *y);
            ut_chol_solve(size, bodies->L + bodies->mass[node], size, y);
            trace += ut_dot(size, J, y);
            J += size;
        }
    }
    return trace;
}

void ut_bodies_rows(const utCoulomb* problem, const Bodies* bodies, const double* v, double* u)
{
    const utCoulombBlocks* at = &bodies->at;
    const double* J = at->J;
    int row = 0;
    for (int g = 0; g < ut_group_count(problem); g++) {
        const int rows = ut_group_rows(problem, g);
        for (int i = 0; i < rows; i++) {
            u[row + i] = 0.0;
        }
        for (int k = at->first[g]; k < at->first[g + 1]; k++) {
            const int begin = at->start[at->node[k]];
            const int end = at->start[at->node[k] + 1];
            for (int i = 0; i < rows; i++) {
                double sum = 0.0;
                for (int c = begin; c < end; c++) {
                    sum += *J++ * v[c];
                }
                u[row + i] += sum;
            }
        }
        row += rows;
    }
}

void ut_bodies_add_transposed(const utCoulomb* problem, const Bodies* bodies, const double* y,
                              double* g)
{
    const utCoulombBlocks* at = &bodies->at;
    const double* J = at->J;
    int row = 0;
    for (int group = 0; group < ut_group_count(problem); group++) {
        const int rows = ut_group_rows(problem, group);
        for (int k = at->first[group]; k < at->first[group + 1]; k++) {
            const int begin = at->start[at->node[k]];
            const int end = at->start[at->node[k] + 1];
            for (int i = 0; i < rows; i++) {
                for (int c = begin; c < end; c++) {
                    g[c] += *J++ * y[row + i];
                }
            }
        }
        row += rows;
    }
}

// ---- H ------------------------------------------------------------------------------------------

// A few columns of D J_l for one group and one of its nodes.
typedef struct Strip {
    int rows;           // of the group
    int begin;          // first column
    int width;          // columns, at most BODY
    double DJ[3][BODY]; // rows x width
} Strip;

// @param cols velocities of the node @param J rows x cols
static void fill_strip(const double* D, int cols, const double* J, Strip* strip)
{
    memset(strip->DJ, 0, sizeof strip->DJ);
    for (int i = 0; i < strip->rows; i++) {
        for (int m = 0; m < strip->rows; m++) {
            const double* row = J + (ptrdiff_t)m * cols + strip->begin;
            for (int j = 0; j < strip->width; j++) {
                strip->DJ[i][j] += D[strip->rows * i + m] * row[j];
            }
        }
    }
}

// H += J' times the strip. @param J rows x size @param H size x cols
static void add_strip(const Strip* strip, int size, const double* J, int cols, double* H)
{
    for (int a = 0; a < size; a++) {
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

// H_kl += J_k' D J_l for all nodes k and one node l of a group. @param J J_l
static void add_column(const Bodies* bodies, int g, int l, const double* J, Strip* strip,
                       const double* D)
{
    const utCoulombBlocks* at = &bodies->at;
    const int touched = at->first[g + 1] - at->first[g];
    const int* node = at->node + at->first[g];
    const int cols = size_of(bodies, node[l]);
    for (strip->begin = 0; strip->begin < cols; strip->begin += BODY) {
        strip->width = cols - strip->begin < BODY ? cols - strip->begin : BODY;
        fill_strip(D, cols, J, strip);
        const double* J_k = at->J + bodies->entry[g];
        for (int k = 0; k < touched; k++) {
            const int size = size_of(bodies, node[k]);
            add_strip(strip, size, J_k, cols,
                      bodies->H[bodies->first[g] + (size_t)(k * touched + l)]);
            J_k += (ptrdiff_t)strip->rows * size;
        }
    }
}

static void add_group(const Bodies* bodies, int g, int rows, const double* D)
{
    const utCoulombBlocks* at = &bodies->at;
    const double* J = at->J + bodies->entry[g];
    Strip strip = {.rows = rows};
    for (int l = 0; l < at->first[g + 1] - at->first[g]; l++) {
        add_column(bodies, g, l, J, &strip, D);
        J += (ptrdiff_t)rows * size_of(bodies, at->node[at->first[g] + l]);
    }
}

// All groups at once where there is one node: H -= T (D J).
static void add_all(const utCoulomb* problem, const Bodies* bodies, const double* D,
                    const double* w)
{
    const int N = ut_coulomb_rows(problem);
    const int dof = problem->dof;
    const int d = problem->dimension;
    const double* J = bodies->at.J;
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

void ut_bodies_assemble(const utCoulomb* problem, const Bodies* bodies, const double* D,
                        const double* w)
{
    const int d = problem->dimension;
    for (int k = 0; k < bodies->at.nodes; k++) {
        const size_t begin = bodies->mass[k];
        const size_t count = bodies->mass[k + 1] - begin;
        for (size_t i = 0; i < count; i++) {
            bodies->diagonal[k][i] += bodies->at.M[begin + i];
        }
    }
    if (bodies->T != NULL) {
        add_all(problem, bodies, D, w);
        return;
    }
    for (int i = 0; i < problem->contacts; i++) {
        add_group(bodies, i, d, D + (size_t)d * (size_t)d * (size_t)i);
    }
    for (int j = 0; j < problem->bilaterals; j++) {
        add_group(bodies, problem->contacts + j, 1, w + j);
    }
}
