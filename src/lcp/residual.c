// The judge: how far z is from solving (M, q), computed from z alone.
//
// Strictly IEEE code, shared with no solver. Slacks are accumulated as if in twice the working
// precision (products split after Veltkamp and Dekker, sums after Knuth), so that the verdict does
// not hinge on the rounding of the sum. A NaN or an infinity anywhere gives INFINITY.
#include "internal.h"

enum { LANES = 4 }; // element j of a row is added in lane j mod 4: same bits at any vector width

typedef struct Sum {
    double high[LANES];
    double low[LANES];
} Sum;

static inline void sum_add(Sum* s, int lane, double a, double b)
{
    // a b = product + error, exactly
    const double split = 134217729.0; // 2^27 + 1
    double product = a * b;
    double ta = split * a;
    double ah = ta - (ta - a);
    double al = a - ah;
    double tb = split * b;
    double bh = tb - (tb - b);
    double bl = b - bh;
    double error = ((ah * bh - product) + ah * bl + al * bh) + al * bl;

    // high + product = sum + rest, exactly
    double sum = s->high[lane] + product;
    double part = sum - s->high[lane];
    double rest = (s->high[lane] - (sum - part)) + (product - part);
    s->high[lane] = sum;
    s->low[lane] += rest + error;
}

// x + y in double-double, y a double-double of small low part
static void pair_add(double* high, double* low, double y_high, double y_low)
{
    double sum = *high + y_high;
    double part = sum - *high;
    double rest = (*high - (sum - part)) + (y_high - part);
    *low += rest + y_low;
    *high = sum;
}

static double row_slack(const utLcp* lcp, int i, const double* z)
{
    const double* row = ut_lcp_row(lcp, i);
    Sum s = {{0.0}, {0.0}};
    int j = 0;
    for (; j + LANES <= lcp->n; j += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            sum_add(&s, lane, row[j + lane], z[j + lane]);
        }
    }
    for (int lane = 0; j < lcp->n; j++, lane++) {
        sum_add(&s, lane, row[j], z[j]);
    }
    double high = lcp->q[i];
    double low = 0.0;
    for (int lane = 0; lane < LANES; lane++) {
        pair_add(&high, &low, s.high[lane], s.low[lane]);
    }
    return high + low;
}

void ut_lcp_slack(const utLcp* lcp, const double* z, double* w)
{
    for (int i = 0; i < lcp->n; i++) {
        w[i] = row_slack(lcp, i, z);
    }
}

// the largest size among `count` numbers; 1 when all are zero, INFINITY when one is not finite
static double largest(size_t count, const double* x)
{
    double most = 0.0;
    for (size_t i = 0; i < count; i++) {
        double size = fabs(x[i]);
        if (!(size <= most)) {
            most = isfinite(size) ? size : HUGE_VAL;
        }
    }
    return most > 0.0 ? most : 1.0;
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

double ut_lcp_residual(const utLcp* lcp, const double* z)
{
    const size_t n = (size_t)lcp->n;
    const double q_size = largest(n, lcp->q);
    const double scale = largest(n * n, lcp->M) / q_size;
    if (!isfinite(q_size) || !isfinite(scale)) {
        return HUGE_VAL;
    }

    double worst = 0.0;
    for (int i = 0; i < lcp->n; i++) {
        double w = row_slack(lcp, i, z);
        if (!isfinite(w) || !isfinite(z[i])) {
            return HUGE_VAL;
        }
        double lo, hi;
        ut_lcp_bounds(lcp, i, z, &lo, &hi);
        double e = row_distance(scale * z[i], w / q_size, scale * lo, scale * hi);
        if (!(e <= worst)) {
            worst = e;
        }
    }
    return isfinite(worst) ? worst : HUGE_VAL;
}
