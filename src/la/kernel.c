#include "kernel.h"

#include <math.h>

// Two doubles that any address of a double may be read as; four lanes are two of them.
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline Pair pair_at(const double* x)
{
    return *(const Pair*)x;
}

double ut_dot(int n, const double* a, const double* b)
{
    Pair low = {0.0, 0.0};  // lanes 0 and 1
    Pair high = {0.0, 0.0}; // lanes 2 and 3
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        low += pair_at(a + i) * pair_at(b + i);
        high += pair_at(a + i + 2) * pair_at(b + i + 2);
    }
    double lane[4] = {low[0], low[1], high[0], high[1]};
    for (int tail = 0; i < n; i++, tail++) {
        lane[tail] += a[i] * b[i];
    }
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

void ut_dot4(int n, const double* a0, const double* a1, const double* a2, const double* a3,
             const double* x, double out[4])
{
    const double* a[4] = {a0, a1, a2, a3};
    Pair low[4] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    Pair high[4] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        for (int r = 0; r < 4; r++) {
            low[r] += pair_at(a[r] + i) * pair_at(x + i);
            high[r] += pair_at(a[r] + i + 2) * pair_at(x + i + 2);
        }
    }
    for (int r = 0; r < 4; r++) {
        double lane[4] = {low[r][0], low[r][1], high[r][0], high[r][1]};
        for (int t = i; t < n; t++) {
            lane[t - i] += a[r][t] * x[t];
        }
        out[r] = (lane[0] + lane[2]) + (lane[1] + lane[3]);
    }
}

double ut_max_abs(int n, const double* x)
{
    enum { LANES = 4 };
    double most[LANES] = {0.0};
    double broken[LANES] = {0.0}; // x - x is 0 for finite x, NaN for others
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            double size = fabs(x[i + lane]);
            most[lane] = size > most[lane] ? size : most[lane];
            broken[lane] += x[i + lane] - x[i + lane];
        }
    }
    for (; i < n; i++) {
        double size = fabs(x[i]);
        most[0] = size > most[0] ? size : most[0];
        broken[0] += x[i] - x[i];
    }
    double even = most[0] > most[2] ? most[0] : most[2];
    double odd = most[1] > most[3] ? most[1] : most[3];
    return (even > odd ? even : odd) + ((broken[0] + broken[2]) + (broken[1] + broken[3]));
}

void ut_axpy(int n, double a, const double* restrict x, double* restrict y)
{
    for (int i = 0; i < n; i++) {
        y[i] += a * x[i];
    }
}

void ut_axpy4(int n, const double a[4], const double* restrict x0, const double* restrict x1,
              const double* restrict x2, const double* restrict x3, double* restrict y)
{
    const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    for (int i = 0; i < n; i++) {
        y[i] = (((y[i] + a0 * x0[i]) + a1 * x1[i]) + a2 * x2[i]) + a3 * x3[i];
    }
}
