// The judge: how far z is from solving (M, q), computed from z alone.
//
// Strictly IEEE code, shared with no solver. Slacks are accumulated as if in twice the working
// precision (products split after Veltkamp and Dekker, sums after Knuth), so that the verdict does
// not hinge on the rounding of the sum. A NaN or an infinity anywhere gives INFINITY.
#include "internal.h"

#include "la/kernel.h"

enum {
    LANES = 4,   // term k of a sum is added in lane k mod 4: same bits at any vector width
    STRIP = 256, // rows, and entries of z, that are worked on at a time
};

// Four lanes; any address of a double may be read as one.
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

// The entries of z that are not zero, each split in two halves whose products are exact, and room
// for the entries of a row that belong to them. Padded with zeros to full lanes.
typedef struct Strip {
    int count;
    int index[STRIP];
    double z[STRIP];
    double high[STRIP];
    double low[STRIP];
    double row[STRIP];
} Strip;

static const double SPLITTER = 134217729.0; // 2^27 + 1

// Take nonzero entries of z from `from` on, as many as fit. @return where to go on
static int fill_strip(int n, const double* z, int from, Strip* s)
{
    int count = 0;
    int j = from;
    for (; j < n && count < STRIP; j++) {
        if (z[j] != 0.0) {
            double t = SPLITTER * z[j];
            s->index[count] = j;
            s->z[count] = z[j];
            s->high[count] = t - (t - z[j]);
            s->low[count] = z[j] - s->high[count];
            count++;
        }
    }
    s->count = count;
    for (; count % LANES != 0; count++) {
        s->z[count] = 0.0;
        s->high[count] = 0.0;
        s->low[count] = 0.0;
        s->row[count] = 0.0;
    }
    return j;
}

// high + low = the sum over the strip of row . z: exact but for the rounding of the low part
static void sum_strip(const double* row, Strip* s, double* high, double* low)
{
    for (int k = 0; k < s->count; k++) {
        s->row[k] = row[s->index[k]];
    }
    Four sum = {0.0};
    Four rest = {0.0};
    for (int k = 0; k < s->count; k += LANES) {
        const Four a = *(const Four*)(s->row + k);
        const Four z = *(const Four*)(s->z + k);
        const Four z_high = *(const Four*)(s->high + k);
        const Four z_low = *(const Four*)(s->low + k);

        // a z = product + error
        Four product = a * z;
        Four t = SPLITTER * a;
        Four a_high = t - (t - a);
        Four a_low = a - a_high;
        Four error =
            ((a_high * z_high - product) + a_high * z_low + a_low * z_high) + a_low * z_low;

        // sum + product = next + lost
        Four next = sum + product;
        Four part = next - sum;
        Four lost = (sum - (next - part)) + (product - part);
        sum = next;
        rest += lost + error;
    }
    for (int lane = 0; lane < LANES; lane++) {
        high[lane] = sum[lane];
        low[lane] = rest[lane];
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
    Strip strip;
    for (int j = 0; j < lcp->n;) {
        j = fill_strip(lcp->n, z, j, &strip);
        for (int i = i0; i < i1; i++) {
            double sum[LANES];
            double rest[LANES];
            sum_strip(ut_lcp_row(lcp, i), &strip, sum, rest);
            for (int lane = 0; lane < LANES; lane++) {
                pair_add(&high[i - i0], &low[i - i0], sum[lane], rest[lane]);
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
        slack_rows(lcp, z, i0, i1, w);
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
