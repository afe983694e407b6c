// SPDX-License-Identifier: Apache-2.0
// Ranks and null spaces of a few hundred rows: modified Gram-Schmidt that takes the row with the
// largest remainder next, and goes over it a second time before it is divided by its length.
#include <string.h>

#include "la/dense/kernel.h"
#include "unique.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

void ut_span_push(int rows, int n, utArena* scratch, Span* basis)
{
    const int most = least(rows, n);
    *basis = (Span){
        .Q = ut_coulomb_push(scratch, most, n),
        .R = ut_coulomb_push(scratch, most, rows),
        .pivot = UT_PUSH(scratch, int, most),
        .used = UT_PUSH(scratch, bool, rows),
    };
}

// The row that has the most left. @return -1 when all are used
static int find_pivot(const Span* basis, const double* C, double* left)
{
    int best = -1;
    *left = 0.0;
    for (int a = 0; a < basis->rows; a++) {
        const double* row = C + (size_t)a * (size_t)basis->n;
        const double square = basis->used[a] ? 0.0 : ut_dot(basis->n, row, row);
        if (!basis->used[a] && (best < 0 || square > *left)) {
            best = a;
            *left = square;
        }
    }
    *left = sqrt(*left);
    return best;
}

// Row `a` of C becomes the next row of Q, and is taken out of the others.
static void take(Span* basis, int a, double* C)
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
    const double size = sqrt(ut_dot(basis->n, q, q));
    for (size_t c = 0; c < n; c++) {
        q[c] /= size;
    }
    basis->pivot[k] = a;
    basis->used[a] = true;
    for (int b = 0; b < basis->rows; b++) {
        double* row = C + (size_t)b * n;
        R[b] = b == a ? size : basis->used[b] ? 0.0 : ut_dot(basis->n, q, row);
        if (!basis->used[b]) {
            ut_axpy(basis->n, -R[b], q, row);
        }
    }
}

void ut_span_find(int rows, int n, double* C, double tolerance, Span* basis)
{
    basis->rows = rows;
    basis->n = n;
    basis->rank = 0;
    basis->kept = 0.0;
    basis->dropped = 0.0;
    memset(basis->used, 0, (size_t)rows * sizeof *basis->used);
    while (basis->rank < rows) {
        double left;
        const int a = find_pivot(basis, C, &left);
        if (!(left > tolerance) || basis->rank == n) {
            basis->dropped = left;
            return;
        }
        take(basis, a, C);
        basis->kept = left;
    }
}

void ut_span_solve(const Span* basis, const double* z, double* y)
{
    const size_t rows = (size_t)basis->rows;
    memset(y, 0, rows * sizeof *y);
    for (int k = basis->rank - 1; k >= 0; k--) {
        const double* R = basis->R + (size_t)k * rows;
        double sum = z[k];
        for (int j = k + 1; j < basis->rank; j++) {
            sum -= R[basis->pivot[j]] * y[basis->pivot[j]];
        }
        y[basis->pivot[k]] = sum / R[basis->pivot[k]];
    }
}

void ut_span_null(const Span* basis, int a, double* y)
{
    const size_t rows = (size_t)basis->rows;
    memset(y, 0, rows * sizeof *y);
    for (int k = basis->rank - 1; k >= 0; k--) {
        const double* R = basis->R + (size_t)k * rows;
        double sum = -R[a];
        for (int j = k + 1; j < basis->rank; j++) {
            sum -= R[basis->pivot[j]] * y[basis->pivot[j]];
        }
        y[basis->pivot[k]] = sum / R[basis->pivot[k]];
    }
    y[a] = 1.0;
}
