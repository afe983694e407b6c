#include "scale.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SWEEPS = 3 }; // of Ruiz's iteration; each halves the exponents of the spread

// a power of two within a factor 2 of 1 / sqrt(x); 1 for a zero or a subnormal
static double inverse_root(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023; // x >= 0: no sign bit
    if (exponent == -1023) {
        return 1.0;
    }
    bits = (uint64_t)(1023 - exponent / 2) << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Two doubles, or their bits, at any address of a double.
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t PairBits __attribute__((vector_size(16), aligned(8), may_alias));

// The largest |m_j| col_j row; the columns remember the largest they have seen.
static double scan_row(int n, const double* m, const double* col, double row, double* most_in_col)
{
    const PairBits no_sign = {INT64_MAX, INT64_MAX};
    Pair most = {0.0, 0.0};
    int j = 0;
    for (; j + 2 <= n; j += 2) {
        Pair size = (Pair)(*(const PairBits*)(m + j) & no_sign);
        size = size * *(const Pair*)(col + j) * row;
        Pair* seen = (Pair*)(most_in_col + j);
        PairBits in_row = size > most;
        PairBits in_col = size > *seen;
        most = (Pair)(((PairBits)size & in_row) | ((PairBits)most & ~in_row));
        *seen = (Pair)(((PairBits)size & in_col) | ((PairBits)*seen & ~in_col));
    }
    double all = most[0] > most[1] ? most[0] : most[1];
    for (; j < n; j++) {
        double size = fabs(m[j]) * col[j] * row;
        all = size > all ? size : all;
        most_in_col[j] = size > most_in_col[j] ? size : most_in_col[j];
    }
    return all;
}

void ut_scale_find(int n, const double* M, double* row, double* col, double* work)
{
    for (int i = 0; i < n; i++) {
        row[i] = 1.0;
        col[i] = 1.0;
    }
    // Ruiz: divide rows and columns by the roots of their largest entries, all at once
    bool balanced = false;
    for (int sweep = 0; !balanced && sweep < SWEEPS; sweep++) {
        balanced = true;
        memset(work, 0, (size_t)n * sizeof *work);
        for (int i = 0; i < n; i++) {
            double most = scan_row(n, M + (size_t)i * (size_t)n, col, row[i], work);
            double factor = inverse_root(most);
            row[i] *= factor;
            balanced = balanced && factor == 1.0;
        }
        for (int j = 0; j < n; j++) {
            double factor = inverse_root(work[j]);
            col[j] *= factor;
            balanced = balanced && factor == 1.0;
        }
    }
}

void ut_scale_find_symmetric(int n, const double* M, double* scale)
{
    // a positive semidefinite matrix is bounded by its diagonal, so the diagonal is enough; others
    // take the row's largest entry where it is zero or negative
    for (int i = 0; i < n; i++) {
        const double* r = M + (size_t)i * (size_t)n;
        double most = r[i];
        for (int j = 0; !(most > 0.0) && j < n; j++) {
            most = fabs(r[j]);
        }
        scale[i] = inverse_root(most);
    }
}
