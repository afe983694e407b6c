// SPDX-License-Identifier: Apache-2.0
// ut_coulomb_check: solvers call it once and then trust the problem.
#include <limits.h>
#include <stdio.h>

#include "coulomb/internal.h"
#include "la/dense/kernel.h"

int ut_coulomb_rows(const utCoulomb* problem)
{
    return problem->dimension * problem->contacts + problem->bilaterals;
}

static utStatus check_sizes(const utCoulomb* problem, utError* err)
{
    if (problem->dimension != 2 && problem->dimension != 3 && problem->dimension != 4 &&
        problem->dimension != 6) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "dimension is %d; it is 2 in the plane, 3 in space, 4 with torsional "
                            "and 6 with rolling friction",
                            problem->dimension);
    }
    if (problem->contacts < 0 || problem->bilaterals < 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "%s is %d; it cannot be negative",
                            problem->contacts < 0 ? "contacts" : "bilaterals",
                            problem->contacts < 0 ? problem->contacts : problem->bilaterals);
    }
    if (!(problem->speed < HUGE_VAL)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "speed is %g; it must be finite", problem->speed);
    }
    const double rows = (double)problem->dimension * problem->contacts + problem->bilaterals;
    if (!(rows >= 1.0 && rows <= INT_MAX)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "there are %.0f rows; 1 to %d can be solved",
                            rows, INT_MAX);
    }
    return UT_OK;
}

// `name` as messages call it, for example "section[2]"
static utStatus check_section(const utSection* section, int dimension, const char* name,
                              utError* err)
{
    if (section->cookie != UT_SECTION_COOKIE) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "%s was not made by one of the functions of uptack/law.h", name);
    }
    if (section->dimension != dimension) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "%s is for dimension %d but the problem has dimension %d", name,
                            section->dimension, dimension);
    }
    return UT_OK;
}

// The number of sections is not known, so only sections that a contact names are checked.
static utStatus check_sections(const utCoulomb* problem, utError* err)
{
    if (problem->section_of == NULL) {
        return check_section(problem->section, problem->dimension, "the section", err);
    }
    for (int i = 0; i < problem->contacts; i++) {
        const int s = problem->section_of[i];
        if (s < 0) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "section_of[%d] is %d; it cannot be negative",
                                i, s);
        }
        if (check_section(problem->section + s, problem->dimension, "", NULL) != UT_OK) {
            char name[32];
            snprintf(name, sizeof name, "section[%d]", s);
            return check_section(problem->section + s, problem->dimension, name, err);
        }
    }
    return UT_OK;
}

// @param x contacts entries; NULL: all 0
static utStatus check_coefficients(const utCoulomb* problem, const double* x, const char* name,
                                   utError* err)
{
    for (int i = 0; x != NULL && i < problem->contacts; i++) {
        if (!(x[i] >= 0.0) || !isfinite(x[i])) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "%s[%d] is %g; it must be finite and not negative", name, i, x[i]);
        }
    }
    return UT_OK;
}

static utStatus check_friction(const utCoulomb* problem, utError* err)
{
    if (problem->contacts == 0) {
        return UT_OK;
    }
    if (problem->mu == NULL || problem->section == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "contacts need mu and a section");
    }
    UT_TRY(check_sections(problem, err));
    if ((problem->torsional != NULL && problem->dimension < 4) ||
        (problem->rolling != NULL && problem->dimension < 6)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "torsional needs dimension 4 or 6 and rolling dimension 6, but the "
                            "problem has dimension %d",
                            problem->dimension);
    }
    UT_TRY(check_coefficients(problem, problem->mu, "mu", err));
    UT_TRY(check_coefficients(problem, problem->torsional, "torsional", err));
    return check_coefficients(problem, problem->rolling, "rolling", err);
}

// ---- which form ---------------------------------------------------------------------------------

static utStatus check_local_form(const utCoulomb* problem, utError* err)
{
    if (problem->W == NULL || problem->q == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the local form needs both W and q");
    }
    if ((problem->W_start == NULL) != (problem->W_column == NULL)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "W in rows needs both W_start and W_column");
    }
    return UT_OK;
}

// M and J, dense or by bodies.
static utStatus check_global_form(const utCoulomb* problem, utError* err)
{
    const utCoulombBlocks* blocks = problem->blocks;
    const bool vectors = problem->f != NULL && problem->b != NULL;
    if (blocks == NULL && (!vectors || problem->M == NULL || problem->J == NULL)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the global form needs all of M, f, J and b");
    }
    if (blocks != NULL && !vectors) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the form by bodies needs blocks, f and b");
    }
    if (blocks != NULL && (blocks->start == NULL || blocks->M == NULL || blocks->first == NULL ||
                           blocks->node == NULL || blocks->J == NULL)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "blocks needs all of start, M, first, node and J");
    }
    if (problem->dof < 1) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "dof is %d; the %s needs at least one velocity",
                            problem->dof, blocks == NULL ? "global form" : "form by bodies");
    }
    return UT_OK;
}

// Is low <= high? A NaN fails.
static utStatus check_bounds(const utCoulomb* problem, utError* err)
{
    for (int j = 0; j < problem->bilaterals; j++) {
        const double low = ut_coulomb_low(problem, j);
        const double high = ut_coulomb_high(problem, j);
        if (!(low <= high) || !(low < HUGE_VAL) || !(high > -HUGE_VAL)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "row %d is bounded by %g and %g; the first may not be above the "
                                "second",
                                j, low, high);
        }
    }
    return UT_OK;
}

static utStatus check_form(const utCoulomb* problem, utError* err)
{
    const bool local = problem->W != NULL || problem->q != NULL || problem->W_start != NULL ||
                       problem->W_column != NULL;
    const bool dense = problem->M != NULL || problem->J != NULL;
    const bool bodies = problem->blocks != NULL;
    const bool vectors = problem->f != NULL || problem->b != NULL;
    const bool several = (local && (dense || bodies || vectors)) || (dense && bodies);
    if (several || !(local || dense || bodies || vectors)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "%s given; it is either W and q, or M, f, J and b, or blocks, f and b",
                            several ? "more than one form is" : "no form is");
    }
    return local ? check_local_form(problem, err) : check_global_form(problem, err);
}

// ---- entries ------------------------------------------------------------------------------------

typedef struct Entry {
    int row, column;
} Entry;

// @param bad receives the first entry that is not finite  @return false when there is one
static bool matrix_finite(int rows, int cols, const double* A, Entry* bad)
{
    for (int i = 0; i < rows; i++) {
        const double* row = A + (size_t)i * (size_t)cols;
        if (isfinite(ut_max_abs(cols, row))) {
            continue;
        }
        for (int j = 0; j < cols; j++) {
            if (!isfinite(row[j])) {
                *bad = (Entry){i, j};
                return false;
            }
        }
    }
    return true;
}

// @param where text before the name in messages
static utStatus check_matrix(int rows, int cols, const double* A, const char* where,
                             const char* name, utError* err)
{
    Entry bad;
    if (!matrix_finite(rows, cols, A, &bad)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "%s%s[%d][%d] is not a finite number", where,
                            name, bad.row, bad.column);
    }
    return UT_OK;
}

static utStatus check_vector(int n, const double* x, const char* name, utError* err)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return ut_error_set(err, UT_ERR_ARGUMENT, "%s[%d] is not a finite number", name, i);
        }
    }
    return UT_OK;
}

// Entries of M that differ by more than this fraction of sqrt(M_ii M_jj) are not symmetric: a sum of
// terms of the size of the diagonal rounds to less.
static const double SYMMETRY = 1e-12;

static utStatus check_mass(int n, const double* M, const char* where, utError* err)
{
    const size_t order = (size_t)n;
    UT_TRY(check_matrix(n, n, M, where, "M", err));
    for (size_t i = 0; i < order; i++) {
        if (!(M[i * order + i] > 0.0)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "%sM[%d][%d] is %g; a mass matrix has a positive diagonal", where,
                                (int)i, (int)i, M[i * order + i]);
        }
        for (size_t j = 0; j < i; j++) {
            const double a = M[i * order + j];
            const double b = M[j * order + i];
            if (a != b &&
                !(fabs(a - b) <= SYMMETRY * sqrt(M[i * order + i]) * sqrt(M[j * order + j]))) {
                return ut_error_set(err, UT_ERR_ARGUMENT,
                                    "%sM[%d][%d] is %g but M[%d][%d] is %g; M must be symmetric",
                                    where, (int)i, (int)j, a, (int)j, (int)i, b);
            }
        }
    }
    return UT_OK;
}

// ---- W in rows ----------------------------------------------------------------------------------

// Does start[0 ... n] begin with 0 and never descend?
static utStatus check_starts(int n, const int* start, const char* name, utError* err)
{
    if (start[0] != 0) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "%s[0] is %d; it must be 0", name, start[0]);
    }
    for (int i = 1; i <= n; i++) {
        if (start[i] < start[i - 1]) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "%s[%d] is %d but %s[%d] is %d; it cannot descend", name, i,
                                start[i], name, i - 1, start[i - 1]);
        }
    }
    return UT_OK;
}

static utStatus check_rows(const utCoulomb* problem, int N, utError* err)
{
    const int* column = problem->W_column;
    UT_TRY(check_starts(N, problem->W_start, "W_start", err));
    for (int i = 0; i < N; i++) {
        for (int k = problem->W_start[i]; k < problem->W_start[i + 1]; k++) {
            if (column[k] < 0 || column[k] >= N) {
                return ut_error_set(err, UT_ERR_ARGUMENT,
                                    "W_column[%d] is %d but W has the columns 0 to %d", k,
                                    column[k], N - 1);
            }
            if (k > problem->W_start[i] && column[k] <= column[k - 1]) {
                return ut_error_set(err, UT_ERR_ARGUMENT,
                                    "W_column[%d] is %d behind %d; columns ascend in each row", k,
                                    column[k], column[k - 1]);
            }
            if (!isfinite(problem->W[k])) {
                return ut_error_set(err, UT_ERR_ARGUMENT, "W[%d][%d] is not a finite number", i,
                                    column[k]);
            }
        }
    }
    return UT_OK;
}

// ---- blocks -------------------------------------------------------------------------------------

static utStatus check_nodes(const utCoulombBlocks* blocks, int dof, utError* err)
{
    const int* start = blocks->start;
    if (blocks->nodes < 1) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "blocks.nodes is %d; at least one is needed",
                            blocks->nodes);
    }
    UT_TRY(check_starts(blocks->nodes, start, "blocks.start", err));
    for (int k = 0; k < blocks->nodes; k++) {
        if (start[k + 1] == start[k]) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "blocks.start[%d] is %d as is blocks.start[%d]; "
                                "each node needs a velocity",
                                k + 1, start[k + 1], k);
        }
    }
    if (start[blocks->nodes] != dof) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "blocks.start[%d] is %d but dof is %d; nodes hold all velocities",
                            blocks->nodes, start[blocks->nodes], dof);
    }
    return UT_OK;
}

static utStatus check_node_masses(const utCoulombBlocks* blocks, utError* err)
{
    const double* M = blocks->M;
    for (int k = 0; k < blocks->nodes; k++) {
        const int n = blocks->start[k + 1] - blocks->start[k];
        if (check_mass(n, M, "", NULL) != UT_OK) {
            char where[40];
            snprintf(where, sizeof where, "blocks: node %d: ", k);
            return check_mass(n, M, where, err);
        }
        M += (size_t)n * (size_t)n;
    }
    return UT_OK;
}

// Does every group name nodes in range, each once?
static utStatus check_groups(const utCoulombBlocks* blocks, int groups, utError* err)
{
    UT_TRY(check_starts(groups, blocks->first, "blocks.first", err));
    for (int g = 0; g < groups; g++) {
        for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
            const int node = blocks->node[t];
            if (node < 0 || node >= blocks->nodes) {
                return ut_error_set(err, UT_ERR_ARGUMENT,
                                    "blocks.node[%d] is %d but the nodes are 0 to %d", t, node,
                                    blocks->nodes - 1);
            }
            for (int s = blocks->first[g]; s < t; s++) {
                if (blocks->node[s] == node) {
                    return ut_error_set(err, UT_ERR_ARGUMENT,
                                        "blocks.node[%d] is %d as is blocks.node[%d]; "
                                        "a group names a node once",
                                        t, node, s);
                }
            }
        }
    }
    return UT_OK;
}

static utStatus check_jacobians(const utCoulomb* problem, utError* err)
{
    const utCoulombBlocks* blocks = problem->blocks;
    const double* J = blocks->J;
    if (ut_all_finite(ut_jacobian_entries(problem), J)) {
        return UT_OK;
    }
    for (int g = 0; g < problem->contacts + problem->bilaterals; g++) {
        const int rows = g < problem->contacts ? problem->dimension : 1;
        for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
            const int node = blocks->node[t];
            const int n = blocks->start[node + 1] - blocks->start[node];
            Entry bad;
            if (!matrix_finite(rows, n, J, &bad)) {
                return ut_error_set(err, UT_ERR_ARGUMENT,
                                    "blocks: group %d, node %d: J[%d][%d] is not a finite number",
                                    g, node, bad.row, bad.column);
            }
            J += (size_t)rows * (size_t)n;
        }
    }
    return UT_OK;
}

static utStatus check_blocks(const utCoulomb* problem, utError* err)
{
    UT_TRY(check_nodes(problem->blocks, problem->dof, err));
    UT_TRY(check_groups(problem->blocks, problem->contacts + problem->bilaterals, err));
    UT_TRY(check_node_masses(problem->blocks, err));
    return check_jacobians(problem, err);
}

// ---- everything ---------------------------------------------------------------------------------

utStatus ut_coulomb_check(const utCoulomb* problem, utError* err)
{
    if (problem == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "a problem is needed");
    }
    UT_TRY(check_sizes(problem, err));
    UT_TRY(check_friction(problem, err));
    UT_TRY(check_bounds(problem, err));
    UT_TRY(check_form(problem, err));
    const int N = ut_coulomb_rows(problem);
    if (problem->W != NULL) {
        UT_TRY(problem->W_start != NULL ? check_rows(problem, N, err)
                                        : check_matrix(N, N, problem->W, "", "W", err));
        return check_vector(N, problem->q, "q", err);
    }
    if (problem->blocks != NULL) {
        UT_TRY(check_blocks(problem, err));
    } else {
        UT_TRY(check_mass(problem->dof, problem->M, "", err));
        UT_TRY(check_matrix(N, problem->dof, problem->J, "", "J", err));
    }
    UT_TRY(check_vector(problem->dof, problem->f, "f", err));
    return check_vector(N, problem->b, "b", err);
}

// Is the diagonal of every mass positive?
static bool diagonals_positive(const utCoulombBlocks* blocks)
{
    const double* M = blocks->M;
    bool positive = true;
    for (int k = 0; k < blocks->nodes; k++) {
        const size_t n = (size_t)ut_node_dof(blocks, k);
        for (size_t i = 0; i < n; i++) {
            positive = positive && M[i * (n + 1)] > 0.0;
        }
        M += n * n;
    }
    return positive;
}

utStatus ut_coulomb_check_numbers(const utCoulomb* problem)
{
    UT_TRY(check_sizes(problem, NULL));
    UT_TRY(check_friction(problem, NULL));
    UT_TRY(check_bounds(problem, NULL));
    const utCoulombBlocks* blocks = problem->blocks;
    const bool finite = ut_all_finite(ut_mass_entries(blocks), blocks->M) &&
                        ut_all_finite(ut_jacobian_entries(problem), blocks->J) &&
                        ut_all_finite((size_t)problem->dof, problem->f) &&
                        ut_all_finite((size_t)ut_coulomb_rows(problem), problem->b);
    return finite && diagonals_positive(blocks) ? UT_OK : UT_ERR_ARGUMENT;
}
