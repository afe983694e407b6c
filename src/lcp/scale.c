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

// The largest |m_j| col_j of a row; the columns see the row under its own scale.
static double scan_row(int n, const double* m, const double* col, double row, double* most_in_col)
{
    enum { LANES = 4 };
    double most[LANES] = {0.0};
    int j = 0;
    for (; j + LANES <= n; j += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            double size = fabs(m[j + lane]) * col[j + lane];
            double shown = size * row;
            most[lane] = size > most[lane] ? size : most[lane];
            most_in_col[j + lane] = shown > most_in_col[j + lane] ? shown : most_in_col[j + lane];
        }
    }
    for (; j < n; j++) {
        double size = fabs(m[j]) * col[j];
        double shown = size * row;
        most[0] = size > most[0] ? size : most[0];
        most_in_col[j] = shown > most_in_col[j] ? shown : most_in_col[j];
    }
    double even = most[0] > most[2] ? most[0] : most[2];
    double odd = most[1] > most[3] ? most[1] : most[3];
    return (even > odd ? even : odd) * row;
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
