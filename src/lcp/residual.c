// The judge: how far z is from solving (M, q), computed from z alone.
//
// Strictly IEEE code, shared with no solver. Slacks are accumulated as if in twice the working
// precision, so that the verdict does not hinge on the rounding of the sum. A NaN or an infinity
// anywhere gives INFINITY.
#include "internal.h"

#include "la/accurate.h"
#include "la/kernel.h"

enum { STRIP = 256 }; // rows that are looked at together

void ut_lcp_slack(const utLcp* lcp, const double* z, double* w)
{
    ut_rows_accurate(lcp->n, lcp->n, lcp->M, lcp->n, z, lcp->q, w);
}

// 1 where a maximum is 0, HUGE_VAL where it is not finite
static double as_scale(double most)
{
    return most > 0.0 ? most : most == 0.0 ? 1.0 : HUGE_VAL;
}

// the scales of a problem: max|q| and max|M|
static void find_scales(const utLcp* lcp, double* q_size, double* M_size)
{
    *q_size = as_scale(ut_max_abs(lcp->n, lcp->q));
    *M_size = as_scale(ut_lcp_largest(lcp));
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double above_zero(double x)
{
    return x > 0.0 ? x : 0.0;
}

// Distance to the nearest admissible case: between the bounds with w = 0, at lo with w >= 0, at hi
// with w <= 0. For z >= 0 this is |min(z, w)|.
static double row_distance(double z, double w, double lo, double hi)
{
    double inside = larger(fabs(w), larger(above_zero(lo - z), above_zero(z - hi)));
    double at_lo = isfinite(lo) ? larger(fabs(z - lo), above_zero(-w)) : HUGE_VAL;
    double at_hi = isfinite(hi) ? larger(fabs(z - hi), above_zero(w)) : HUGE_VAL;
    double nearest = inside;
    nearest = at_lo < nearest ? at_lo : nearest;
    nearest = at_hi < nearest ? at_hi : nearest;
    return nearest;
}

// the residual when row i has slack w[i]
static double residual_of(const utLcp* lcp, const double* z, double q_size, double scale, int i,
                          double w)
{
    if (!isfinite(w) || !isfinite(z[i])) {
        return HUGE_VAL;
    }
    double lo, hi;
    ut_lcp_bounds(lcp, i, z, &lo, &hi);
    double e = row_distance(scale * z[i], w / q_size, scale * lo, scale * hi);
    return isfinite(e) ? e : HUGE_VAL;
}

double ut_lcp_residual(const utLcp* lcp, const double* z)
{
    double q_size, M_size;
    find_scales(lcp, &q_size, &M_size);
    const double scale = M_size / q_size;
    if (!isfinite(q_size) || !isfinite(scale)) {
        return HUGE_VAL;
    }

    double worst = 0.0;
    double w[STRIP];
    for (int i0 = 0; i0 < lcp->n; i0 += STRIP) {
        const int i1 = i0 + STRIP < lcp->n ? i0 + STRIP : lcp->n;
        ut_rows_accurate(i1 - i0, lcp->n, ut_lcp_row(lcp, i0), lcp->n, z, lcp->q + i0, w);
        for (int i = i0; i < i1; i++) {
            double e = residual_of(lcp, z, q_size, scale, i, w[i - i0]);
            worst = e <= worst ? worst : e;
        }
    }
    return worst;
}

bool ut_lcp_surely_solved(const utLcp* lcp, const double* z, double tolerance)
{
    const int n = lcp->n;
    double q_size, M_size;
    find_scales(lcp, &q_size, &M_size);
    const double scale = M_size / q_size;

    // a sum of n + 1 terms errs by at most (n + 2) eps of the sum of their sizes
    double z_sum = 0.0;
    for (int j = 0; j < n; j++) {
        z_sum += fabs(z[j]);
    }
    const double rounding = (n + 2.0) * 0x1p-52 * (1.0 + scale * z_sum);
    for (int i = 0; i < n; i++) {
        double w = lcp->q[i] + ut_dot(n, ut_lcp_row(lcp, i), z);
        if (!(residual_of(lcp, z, q_size, scale, i, w) + rounding <= tolerance)) {
            return false;
        }
    }
    return true;
}
