// The judge: how far z is from solving (M, q), computed from z alone.
//
// Strictly IEEE code, shared with no solver. Slacks are accumulated as if in twice the working
// precision (products split after Veltkamp and Dekker, sums after Knuth), so that the verdict does
// not hinge on the rounding of the sum. A NaN or an infinity anywhere gives INFINITY.
#include "internal.h"

enum {
    LANES = 4,   // term k of a sum is added in lane k mod 4: same bits at any vector width
    STRIP = 256, // rows, and entries of z, that are worked on at a time
};

// The entries of z that are not zero, each split in two halves whose products are exact.
typedef struct Split {
    int count;
    int index[STRIP];
    double z[STRIP];
    double high[STRIP];
    double low[STRIP];
} Split;

typedef struct Sum {
    double high[LANES];
    double low[LANES];
} Sum;

static const double SPLITTER = 134217729.0; // 2^27 + 1

// Take nonzero entries of z from `from` on, as many as fit. @return where to go on
static int split_strip(int n, const double* z, int from, Split* s)
{
    s->count = 0;
    int j = from;
    for (; j < n && s->count < STRIP; j++) {
        if (z[j] != 0.0) {
            double t = SPLITTER * z[j];
            double high = t - (t - z[j]);
            s->index[s->count] = j;
            s->z[s->count] = z[j];
            s->high[s->count] = high;
            s->low[s->count] = z[j] - high;
            s->count++;
        }
    }
    return j;
}

// sum += a z, exactly but for the rounding of the low part
static inline void sum_add(Sum* s, int lane, double a, double z, double z_high, double z_low)
{
    // a z = product + error
    double product = a * z;
    double t = SPLITTER * a;
    double high = t - (t - a);
    double low = a - high;
    double error = ((high * z_high - product) + high * z_low + low * z_high) + low * z_low;

    // s + product = sum + rest
    double sum = s->high[lane] + product;
    double part = sum - s->high[lane];
    double rest = (s->high[lane] - (sum - part)) + (product - part);
    s->high[lane] = sum;
    s->low[lane] += rest + error;
}

static void sum_strip(const double* row, const Split* z, Sum* s)
{
    int k = 0;
    for (; k + LANES <= z->count; k += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            sum_add(s, lane, row[z->index[k + lane]], z->z[k + lane], z->high[k + lane],
                    z->low[k + lane]);
        }
    }
    for (int lane = 0; k < z->count; k++, lane++) {
        sum_add(s, lane, row[z->index[k]], z->z[k], z->high[k], z->low[k]);
    }
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

// q_i + row . z for rows i0 ... i1-1, strip after strip of z
static void slack_rows(const utLcp* lcp, const double* z, int i0, int i1, double* w)
{
    double high[STRIP];
    double low[STRIP];
    for (int i = i0; i < i1; i++) {
        high[i - i0] = lcp->q[i];
        low[i - i0] = 0.0;
    }
    Split strip;
    for (int j = 0; j < lcp->n;) {
        j = split_strip(lcp->n, z, j, &strip);
        for (int i = i0; i < i1; i++) {
            Sum s = {{0.0}, {0.0}};
            sum_strip(ut_lcp_row(lcp, i), &strip, &s);
            for (int lane = 0; lane < LANES; lane++) {
                pair_add(&high[i - i0], &low[i - i0], s.high[lane], s.low[lane]);
            }
        }
    }
    for (int i = i0; i < i1; i++) {
        w[i - i0] = high[i - i0] + low[i - i0];
    }
}

void ut_lcp_slack(const utLcp* lcp, const double* z, double* w)
{
    for (int i = 0; i < lcp->n; i += STRIP) {
        slack_rows(lcp, z, i, i + STRIP < lcp->n ? i + STRIP : lcp->n, w + i);
    }
}

// the largest size among `count` numbers; 1 when all are zero, HUGE_VAL when one is not finite
static double largest(size_t count, const double* x)
{
    double most[LANES] = {0.0};
    double broken[LANES] = {0.0}; // x - x is 0 for finite x, NaN for others
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        for (size_t lane = 0; lane < LANES; lane++) {
            double size = fabs(x[i + lane]);
            most[lane] = size > most[lane] ? size : most[lane];
            broken[lane] += x[i + lane] - x[i + lane];
        }
    }
    for (; i < count; i++) {
        double size = fabs(x[i]);
        most[0] = size > most[0] ? size : most[0];
        broken[0] += x[i] - x[i];
    }
    double all = 0.0;
    for (int lane = 0; lane < LANES; lane++) {
        if (!(broken[lane] == 0.0)) {
            return HUGE_VAL;
        }
        all = most[lane] > all ? most[lane] : all;
    }
    return all > 0.0 ? all : 1.0;
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
    double w[STRIP];
    for (int i = 0; i < lcp->n; i++) {
        const int in_strip = i % STRIP;
        if (in_strip == 0) {
            slack_rows(lcp, z, i, i + STRIP < lcp->n ? i + STRIP : lcp->n, w);
        }
        if (!isfinite(w[in_strip]) || !isfinite(z[i])) {
            return HUGE_VAL;
        }
        double lo, hi;
        ut_lcp_bounds(lcp, i, z, &lo, &hi);
        double e = row_distance(scale * z[i], w[in_strip] / q_size, scale * lo, scale * hi);
        if (!(e <= worst)) {
            worst = e;
        }
    }
    return isfinite(worst) ? worst : HUGE_VAL;
}
