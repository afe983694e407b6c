// SPDX-License-Identifier: Apache-2.0
// Row sums in twice the working precision: by hand where plain sums fail, and against long double.
#include "la/accurate.h"

#include "test.h"

#include <math.h>

// 1e16 + 1 - 1e16 - 1 is 0; in plain double it is -1.
TEST(what_sums_lose_is_kept)
{
    static const double A[] = {1e16, 1, -1e16};
    double w;
    ut_rows_accurate(1, 3, A, 3, (double[]){1, 1, 1}, (double[]){-1}, &w);
    CHECK_NEAR(w, 0.0, 0.0);
}

// terms 0 and 4 share a lane: 1e16 + 1 is lost in it
TEST(what_a_lane_loses_is_kept)
{
    static const double A[] = {1e16, 0, 0, 0, 1, 0, 0, 0, -1e16};
    static const double one[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    double w;
    ut_rows_accurate(1, 9, A, 9, one, (double[]){0}, &w);
    CHECK_NEAR(w, 1.0, 0.0);
}

// (1 + 2^-30)^2 - 1 - 2^-29 = 2^-60
TEST(what_products_lose_is_kept)
{
    const double a = 1.0 + ldexp(1.0, -30);
    double w;
    ut_rows_accurate(1, 1, &a, 1, &a, (double[]){-1.0 - ldexp(1.0, -29)}, &w);
    CHECK_NEAR(w, ldexp(1.0, -60), 0.0);
}

TEST(many_rows_and_columns_agree_with_long_double)
{
    enum { ROWS = 300, N = 517, LD = 520 };
    static double A[ROWS * LD], z[N], q[ROWS], w[ROWS];
    utRng rng = ut_rng(5, 0);
    for (int i = 0; i < ROWS * LD; i++) {
        A[i] = ut_rng_range(&rng, -1.0, 1.0);
    }
    for (int j = 0; j < N; j++) {
        z[j] = j % 3 == 0 ? 0.0 : ut_rng_range(&rng, -1.0, 1.0);
    }
    for (int i = 0; i < ROWS; i++) {
        q[i] = ut_rng_range(&rng, -1.0, 1.0);
    }
    ut_rows_accurate(ROWS, N, A, LD, z, q, w);
    for (int i = 0; i < ROWS; i++) {
        long double sum = (long double)q[i];
        for (int j = 0; j < N; j++) {
            sum += (long double)A[i * LD + j] * (long double)z[j];
        }
        CHECK(fabsl((long double)w[i] - sum) <= N * 0x1p-63L * N + 0x1p-53L * fabsl(sum));
    }
}
