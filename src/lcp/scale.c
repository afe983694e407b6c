#include "scale.h"

#include <math.h>
#include <stddef.h>

enum { SWEEPS = 3 }; // of Ruiz's iteration; each halves the spread's exponent

// the power of two nearest to 1 / sqrt(x); 1 for a zero
static double inverse_root(double x)
{
    if (!(x > 0.0)) {
        return 1.0;
    }
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, -(exponent / 2));
}

void ut_scale_find(int n, const double* M, double* row, double* col)
{
    double most_in_col[64];
    for (int i = 0; i < n; i++) {
        row[i] = 1.0;
        col[i] = 1.0;
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        // rows under the columns' scaling
        for (int i = 0; i < n; i++) {
            const double* r = M + (size_t)i * (size_t)n;
            double most = 0.0;
            for (int j = 0; j < n; j++) {
                double size = fabs(r[j]) * col[j];
                most = size > most ? size : most;
            }
            row[i] *= inverse_root(most * row[i]);
        }

        // columns under the rows', a strip at a time so that M is read along its rows
        for (int j0 = 0; j0 < n; j0 += 64) {
            int width = n - j0 < 64 ? n - j0 : 64;
            for (int j = 0; j < width; j++) {
                most_in_col[j] = 0.0;
            }
            for (int i = 0; i < n; i++) {
                const double* r = M + (size_t)i * (size_t)n + j0;
                for (int j = 0; j < width; j++) {
                    double size = fabs(r[j]) * row[i];
                    most_in_col[j] = size > most_in_col[j] ? size : most_in_col[j];
                }
            }
            for (int j = 0; j < width; j++) {
                col[j0 + j] *= inverse_root(most_in_col[j] * col[j0 + j]);
            }
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
