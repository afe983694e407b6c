// SPDX-License-Identifier: Apache-2.0
// Row sums in double-double. Term k of a strip goes to lane k mod 4 and lanes are added in order, so
// every vector width gives the same bits.
#include "accurate.h"

#include <stddef.h>

enum {
    LANES = 4,   // of a vector
    STRIP = 256, // rows, and entries of z, that are processed together
};

// Four doubles at any address of a double.
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

// The nonzero entries of z, each also split into two halves whose products are exact, and the entries
// of a row in the same columns. Padded with zeros to full lanes.
typedef struct Strip {
    int count;
    int index[STRIP];
    double z[STRIP];
    double high[STRIP];
    double low[STRIP];
    double row[STRIP];
} Strip;

static const double SPLITTER = 134217729.0; // 2^27 + 1

// Take nonzero entries of z, as many as fit, beginning at `from`. @return the first index not taken
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

// high + low = the sum over the strip of row . z; only the low part is rounded
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

// (high, low) += (y_high, y_low) in double-double
static void pair_add(double* high, double* low, double y_high, double y_low)
{
    double sum = *high + y_high;
    double part = sum - *high;
    double rest = (*high - (sum - part)) + (y_high - part);
    *low += rest + y_low;
    *high = sum;
}

// ut_rows_accurate for at most STRIP rows
static void sum_rows(int rows, int n, const double* A, int ld, const double* z, const double* q,
                     double* w)
{
    double high[STRIP];
    double low[STRIP];
    for (int i = 0; i < rows; i++) {
        high[i] = q[i];
        low[i] = 0.0;
    }
    Strip strip;
    for (int j = 0; j < n;) {
        j = fill_strip(n, z, j, &strip);
        for (int i = 0; i < rows; i++) {
            double sum[LANES];
            double rest[LANES];
            sum_strip(A + (size_t)i * (size_t)ld, &strip, sum, rest);
            for (int lane = 0; lane < LANES; lane++) {
                pair_add(&high[i], &low[i], sum[lane], rest[lane]);
            }
        }
    }
    for (int i = 0; i < rows; i++) {
        w[i] = high[i] + low[i];
    }
}

void ut_rows_accurate(int rows, int n, const double* A, int ld, const double* z, const double* q,
                      double* w)
{
    for (int i = 0; i < rows; i += STRIP) {
        const int count = rows - i < STRIP ? rows - i : STRIP;
        sum_rows(count, n, A + (size_t)i * (size_t)ld, ld, z, q + i, w + i);
    }
}
