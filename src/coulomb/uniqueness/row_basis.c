// SPDX-License-Identifier: Apache-2.0
// Modified Gram-Schmidt with pivoting: the row with the largest remainder is next. Its remainder is
// orthogonalized a second time before it is divided by its length, which keeps Q orthonormal to
// rounding.
#include "row_basis.h"

#include <string.h>

#include "la/dense/kernel.h"

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

void ut_row_basis_push(int rows, int n, utArena* scratch, RowBasis* basis)
{
    const int max_rank = smaller(rows, n);
    *basis = (RowBasis){
        .Q = ut_coulomb_push(scratch, max_rank, n),
        .R = ut_coulomb_push(scratch, max_rank, rows),
        .pivot = UT_PUSH(scratch, int, max_rank),
        .is_pivot = UT_PUSH(scratch, bool, rows),
    };
}

// The row with the longest remainder. @return -1 when all rows are pivots
static int find_pivot(const RowBasis* basis, const double* C, double* remainder)
{
    int best = -1;
    double largest = 0.0;
    for (int a = 0; a < basis->rows; a++) {
        const double* row = C + (size_t)a * (size_t)basis->n;
        const double square = basis->is_pivot[a] ? 0.0 : ut_dot(basis->n, row, row);
        if (!basis->is_pivot[a] && (best < 0 || square > largest)) {
            best = a;
            largest = square;
        }
    }
    *remainder = sqrt(largest);
    return best;
}

// Row `a` of C becomes the next row of Q and is subtracted from the remainders of the others.
static void add_pivot(RowBasis* basis, int a, double* C)
{
    const size_t n = (size_t)basis->n;
    const int k = basis->rank++;
    double* q = basis->Q + (size_t)k * n;
    double* R = basis->R + (size_t)k * (size_t)basis->rows;
    memcpy(q, C + (size_t)a * n, n * sizeof *q);
    for (int j = 0; j < k; j++) {
        const double* earlier = basis->Q + (size_t)j * n;
        ut_axpy(basis->n, -ut_dot(basis->n, earlier, q), earlier, q);
    }
    const double length = sqrt(ut_dot(basis->n, q, q));
    for (size_t c = 0; c < n; c++) {
        q[c] /= length;
    }
    basis->pivot[k] = a;
    basis->is_pivot[a] = true;
    for (int b = 0; b < basis->rows; b++) {
        double* row = C + (size_t)b * n;
        R[b] = b == a ? length : basis->is_pivot[b] ? 0.0 : ut_dot(basis->n, q, row);
        if (!basis->is_pivot[b]) {
            ut_axpy(basis->n, -R[b], q, row);
        }
    }
}

void ut_row_basis_find(int rows, int n, double* C, double tolerance, RowBasis* basis)
{
    basis->rows = rows;
    basis->n = n;
    basis->rank = 0;
    basis->kept = 0.0;
    basis->dropped = 0.0;
    memset(basis->is_pivot, 0, (size_t)rows * sizeof *basis->is_pivot);
    while (basis->rank < rows) {
        double remainder;
        const int a = find_pivot(basis, C, &remainder);
        if (!(remainder > tolerance) || basis->rank == n) {
            basis->dropped = remainder;
            return;
        }
        add_pivot(basis, a, C);
        basis->kept = remainder;
    }
}

// Entry k of y by back substitution, where entries k + 1 ... of the pivots are known.
static void substitute(const RowBasis* basis, int k, double right_side, double* y)
{
    const double* R = basis->R + (size_t)k * (size_t)basis->rows;
    double sum = right_side;
    for (int j = k + 1; j < basis->rank; j++) {
        sum -= R[basis->pivot[j]] * y[basis->pivot[j]];
    }
    y[basis->pivot[k]] = sum / R[basis->pivot[k]];
}

void ut_row_basis_solve(const RowBasis* basis, const double* z, double* y)
{
    memset(y, 0, (size_t)basis->rows * sizeof *y);
    for (int k = basis->rank - 1; k >= 0; k--) {
        substitute(basis, k, z[k], y);
    }
}

void ut_row_basis_null(const RowBasis* basis, int dependent, double* y)
{
    memset(y, 0, (size_t)basis->rows * sizeof *y);
    for (int k = basis->rank - 1; k >= 0; k--) {
        substitute(basis, k, -basis->R[(size_t)k * (size_t)basis->rows + (size_t)dependent], y);
    }
    y[dependent] = 1.0;
}
