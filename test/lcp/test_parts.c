// SPDX-License-Identifier: Apache-2.0
// Parts of the module that the solvers stand on: scaling, proofs.
#include "test.h"

#include "lcp/internal.h"
#include "lcp/equilibrate.h"

// Rows spread over 2^±30 and columns over 2^±20, independently.
TEST(scaling_balances_rows_and_columns_by_powers_of_two)
{
    enum { N = 7 };
    double M[N * N], row[N], col[N], work[N];
    utRng rng = ut_rng(3, 0);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double entry = ut_rng_range(&rng, 0.5, 1.0) * (ut_rng_below(&rng, 2) == 0 ? -1.0 : 1.0);
            M[i * N + j] = ldexp(entry, 10 * (i - 3) + (j * 5) % 7 * 6 - 18);
        }
    }
    ut_scale_find(N, M, row, col, work);
    double spread_before = 0.0, spread_after = 0.0;
    for (int i = 0; i < N; i++) {
        int exponent;
        CHECK(frexp(row[i], &exponent) == 0.5 && frexp(col[i], &exponent) == 0.5);
        double in_row = 0.0, in_col = 0.0, before = 0.0;
        for (int j = 0; j < N; j++) {
            in_row = fmax(in_row, fabs(row[i] * M[i * N + j] * col[j]));
            in_col = fmax(in_col, fabs(row[j] * M[j * N + i] * col[i]));
            before = fmax(before, fabs(M[i * N + j]));
        }
        spread_before = fmax(spread_before, fabs(log2(before)));
        spread_after = fmax(spread_after, fmax(fabs(log2(in_row)), fabs(log2(in_col))));
    }
    // each of the three sweeps halves the exponents of what is out of balance, rounding adds one
    CHECK(spread_after <= spread_before / 8.0 + 2.0);
}

TEST(scaling_leaves_zero_rows_alone)
{
    double M[] = {0, 0, 0, 4}, row[2], col[2], work[2];
    ut_scale_find(2, M, row, col, work);
    CHECK_NEAR(row[0], 1.0, 0.0);
    CHECK_NEAR(col[0], 1.0, 0.0);
    ut_scale_find_symmetric(2, M, row);
    CHECK_NEAR(row[0], 1.0, 0.0);
    CHECK_NEAR(row[1], 0.5, 0.0);
}

// y >= 0, M'y <= 0 and q'y < 0: each of the three is needed.
TEST(a_proof_needs_all_of_its_conditions)
{
    utLcp lcp = {.n = 2, .M = (double[]){-1, 0, 0, 1}, .q = (double[]){-1, -1}};
    CHECK(ut_lcp_proves_none(&lcp, (double[]){1, 0}));
    CHECK(!ut_lcp_proves_none(&lcp, (double[]){0, 1}));  // M'y = (0, 1)
    CHECK(!ut_lcp_proves_none(&lcp, (double[]){1, -1})); // y2 < 0
    CHECK(!ut_lcp_proves_none(&lcp, (double[]){0, 0}));  // q'y = 0
    CHECK(!ut_lcp_proves_none(&lcp, (double[]){(double)NAN, 0}));
    lcp.q = (double[]){1, -1};
    CHECK(!ut_lcp_proves_none(&lcp, (double[]){1, 0})); // q'y > 0: (0, 1) solves it
}

// With unknown 0 free, y0 may have any sign but (M'y)_0 must vanish.
TEST(a_proof_for_a_mixed_problem_weighs_equations_by_any_sign)
{
    // -z1 = 3 with z1 >= 0: y = (-1, 0) gives M'y = (0, 1)... and y = (1, 0) gives (0, -1), q'y =
    // -3
    utLcp lcp = {.n = 2, .M = (double[]){0, -1, 1, 0}, .q = (double[]){-3, 0}, .free_count = 1};
    CHECK(ut_lcp_proves_none(&lcp, (double[]){1, 0}));
    CHECK(!ut_lcp_proves_none(&lcp, (double[]){-1, 0}));
    lcp.M = (double[]){1, -1, 1, 0};
    CHECK(!ut_lcp_proves_none(&lcp, (double[]){1, 0})); // (M'y)_0 = 1
}
