// SPDX-License-Identifier: Apache-2.0
// A factored basis with updates in product form.
#include "basis.h"

#include "la/dense/dense.h"
#include "la/dense/kernel.h"

#include <math.h>
#include <string.h>

enum {
    MIN_UPDATES = 40,  // between factorizations, because a factorization has overhead
    MAX_UPDATES = 192, // between factorizations, because rounding accumulates
};

// columns are of order one after equilibration, so a smaller pivot of the kernel is rounding
static const double SINGULAR = 1e-15;

// Updates for which a basis of n variables has memory.
static int update_capacity(int n)
{
    return n < MIN_UPDATES ? MIN_UPDATES : n < MAX_UPDATES ? n : MAX_UPDATES;
}

utStatus ut_basis_create(int n, utArena* arena, Basis* basis)
{
    const int m = update_capacity(n);
    *basis = (Basis){
        .n = n,
        .basic = UT_PUSH(arena, int, n),
        .position = UT_PUSH(arena, int, 2 * n + 1),
        .rows = UT_PUSH(arena, int, n),
        .vars = UT_PUSH(arena, int, n),
        .perm = UT_PUSH(arena, int, n),
        .LU = ut_matrix_push(arena, n, n),
        .max_updates = m,
        .eta = ut_matrix_push(arena, m, n),
        .eta_position = UT_PUSH(arena, int, m),
        .eta_inverse = UT_PUSH(arena, double, m),
        .rhs = UT_PUSH(arena, double, n),
        .y = UT_PUSH(arena, double, n),
    };
    return ut_arena_failed(arena) ? UT_ERR_CAPACITY : UT_OK;
}

void ut_basis_set(Basis* basis, const unsigned char* active)
{
    const int n = basis->n;
    for (int v = 0; v <= 2 * n; v++) {
        basis->position[v] = -1;
    }
    for (int i = 0; i < n; i++) {
        basis->basic[i] = active[i] ? n + i : i;
        basis->position[basis->basic[i]] = i;
    }
}

// Write the kernel: -M in its rows and variables, -d in the column of z0.
static void fill_kernel(Basis* basis)
{
    const int n = basis->n;
    const int k = basis->kernel;
    for (int j = 0; j < k; j++) {
        int v = basis->vars[j];
        const double* column = v < 2 * n ? basis->C + (size_t)(v - n) * (size_t)n : basis->d;
        for (int i = 0; i < k; i++) {
            basis->LU[(size_t)i * (size_t)k + (size_t)j] = -column[basis->rows[i]];
        }
    }
}

// A factorization costs about k^3 / 3 and m updates cost m^2 n, which are equal at this m.
static int update_limit(const Basis* basis)
{
    const double k = basis->kernel;
    double worth = sqrt(k * k * k / (3.0 * basis->n));
    int limit = worth < MIN_UPDATES ? MIN_UPDATES : worth < MAX_UPDATES ? (int)worth : MAX_UPDATES;
    return limit < basis->max_updates ? limit : basis->max_updates;
}

bool ut_basis_factor(Basis* basis)
{
    const int n = basis->n;

    // the kernel has the rows without a basic w, and its variables in ascending order
    int vars = 0;
    for (int v = n; v <= 2 * n; v++) {
        if (basis->position[v] >= 0) {
            basis->vars[vars++] = v;
        }
    }
    int rows = 0;
    for (int i = 0; i < n; i++) {
        if (basis->position[i] >= 0) {
            basis->basic[i] = i;
            basis->position[i] = i;
        } else {
            basis->rows[rows++] = i;
        }
    }
    for (int j = 0; j < rows; j++) {
        basis->basic[basis->rows[j]] = basis->vars[j];
        basis->position[basis->vars[j]] = basis->rows[j];
    }
    basis->kernel = rows;
    basis->updates = 0;
    basis->limit = update_limit(basis);
    basis->factorizations++;

    fill_kernel(basis);
    return ut_lu_factor(rows, basis->LU, rows, basis->perm, SINGULAR) == rows;
}

void ut_basis_column(const Basis* basis, int variable, double* a)
{
    const int n = basis->n;
    if (variable < n) {
        memset(a, 0, (size_t)n * sizeof *a);
        a[variable] = 1.0;
        return;
    }
    const double* column =
        variable < 2 * n ? basis->C + (size_t)(variable - n) * (size_t)n : basis->d;
    for (int i = 0; i < n; i++) {
        a[i] = -column[i];
    }
}

// a += the sum over the kernel's variables of y_j times their column of M or d. Columns with many
// entries are added four at a time.
static void subtract_kernel(const Basis* basis, const double* y, double* a)
{
    const int n = basis->n;
    const double* x[4];
    double f[4];
    int held = 0;
    for (int j = 0; j < basis->kernel; j++) {
        if (y[j] == 0.0) {
            continue;
        }
        int v = basis->vars[j] - n;
        if (v < n && basis->end[v] - basis->begin[v] < n / 2) {
            int first = basis->begin[v];
            ut_axpy(basis->end[v] - first, y[j], basis->C + (size_t)v * (size_t)n + first,
                    a + first);
            continue;
        }
        x[held] = v < n ? basis->C + (size_t)v * (size_t)n : basis->d;
        f[held++] = y[j];
        if (held == 4) {
            ut_axpy4(n, f, x[0], x[1], x[2], x[3], a);
            held = 0;
        }
    }
    for (int h = 0; h < held; h++) {
        ut_axpy(n, f[h], x[h], a);
    }
}

// Apply four updates at once: first to the four pivot entries, then to all others.
static void apply_etas(const Basis* basis, int t, double* a)
{
    const int n = basis->n;
    const double* e[4];
    double g[4];
    double at[4];
    for (int s = 0; s < 4; s++) {
        e[s] = basis->eta + (size_t)(t + s) * (size_t)n;
        at[s] = a[basis->eta_position[t + s]];
    }
    for (int s = 0; s < 4; s++) {
        int p = basis->eta_position[t + s];
        double step = at[s] * basis->eta_inverse[t + s];
        for (int r = 0; r < 4; r++) {
            int pr = basis->eta_position[t + r];
            at[r] = pr == p ? step : at[r] - e[s][pr] * step;
        }
        g[s] = -step;
    }
    if (g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0 || g[3] != 0.0) {
        ut_axpy4(n, g, e[0], e[1], e[2], e[3], a);
    }
    for (int s = 0; s < 4; s++) {
        a[basis->eta_position[t + s]] = at[s];
    }
}

static void apply_eta(const Basis* basis, int t, double* a)
{
    int p = basis->eta_position[t];
    double step = a[p] * basis->eta_inverse[t];
    if (step != 0.0) {
        ut_axpy(basis->n, -step, basis->eta + (size_t)t * (size_t)basis->n, a);
    }
    a[p] = step;
}

void ut_basis_solve(Basis* basis, double* a)
{
    const int k = basis->kernel;
    if (k > 0) {
        for (int i = 0; i < k; i++) {
            basis->rhs[i] = a[basis->rows[i]];
        }
        ut_lu_solve(k, basis->LU, k, basis->perm, basis->rhs, basis->y);
        subtract_kernel(basis, basis->y, a);
        for (int i = 0; i < k; i++) {
            a[basis->rows[i]] = basis->y[i];
        }
    }
    int t = 0;
    for (; t + 4 <= basis->updates; t += 4) {
        apply_etas(basis, t, a);
    }
    for (; t < basis->updates; t++) {
        apply_eta(basis, t, a);
    }
}

void ut_basis_replace(Basis* basis, int p, int entering, const double* y)
{
    const int t = basis->updates++;
    memcpy(basis->eta + (size_t)t * (size_t)basis->n, y, (size_t)basis->n * sizeof *y);
    basis->eta_position[t] = p;
    basis->eta_inverse[t] = 1.0 / y[p];
    basis->position[basis->basic[p]] = -1;
    basis->basic[p] = entering;
    basis->position[entering] = p;
}

bool ut_basis_is_long(const Basis* basis)
{
    return basis->updates >= basis->limit;
}
