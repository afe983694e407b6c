// SPDX-License-Identifier: Apache-2.0
#include "la/dense/kernel.h"
#include "la/internal.h"

#include "matrix.h"

// 1e16 + 1 rounds back to 1e16, so a sum tells the order in which it was taken.
TEST(a_dot_product_adds_lane_0_to_2_and_1_to_3)
{
    const double ones[5] = {1, 1, 1, 1, 1};
    // (1e16 - 1e16) + (1 + 1) = 2; from left to right it would be 1
    CHECK_NEAR(ut_dot(4, (double[]){1e16, 1, -1e16, 1}, ones), 2.0, 0.0);
    // the fifth element joins lane 0, behind the first: ((1e16 + 1) - 1e16) + (0 + 0) = 0
    CHECK_NEAR(ut_dot(5, (double[]){1e16, 0, -1e16, 0, 1}, ones), 0.0, 0.0);
    CHECK_NEAR(ut_dot(0, ones, ones), 0.0, 0.0);
}

static double dot_by_the_rule(int n, const double* a, const double* b)
{
    double lane[4] = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < n; i++) {
        lane[i % 4] += a[i] * b[i];
    }
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

TEST(dot_products_have_the_bits_of_the_four_lane_rule)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(1, 0);
    double* a = random_doubles(&arena, &rng, 5, 40);
    for (int n = 0; n <= 37; n++) {
        double four[4];
        ut_loops_widest()->dot4(n, a, a + 41, a + 80, a + 123, a + 160, four);
        CHECK(ut_dot(n, a + 3, a + 82) == dot_by_the_rule(n, a + 3, a + 82));
        CHECK(four[0] == ut_dot(n, a, a + 160));
        CHECK(four[1] == ut_dot(n, a + 41, a + 160));
        CHECK(four[2] == ut_dot(n, a + 80, a + 160));
        CHECK(four[3] == ut_dot(n, a + 123, a + 160));
    }
}

TEST(axpy4_has_the_bits_of_four_axpy_and_of_plain_loops)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(2, 0);
    const double* x = random_doubles(&arena, &rng, 5, 40);
    const double a[4] = {0.3, -1.7, 2.9, 1e-3};
    for (int n = 0; n <= 37; n++) {
        double y[40], z[40], w[40];
        memcpy(y, x + 160, sizeof y);
        memcpy(z, x + 160, sizeof z);
        memcpy(w, x + 160, sizeof w);
        ut_axpy4(n, a, x + 1, x + 40, x + 80, x + 120, y);
        ut_axpy(n, a[0], x + 1, z);
        ut_axpy(n, a[1], x + 40, z);
        ut_axpy(n, a[2], x + 80, z);
        ut_axpy(n, a[3], x + 120, z);
        for (int i = 0; i < n; i++) {
            w[i] += a[0] * x[1 + i];
            w[i] += a[1] * x[40 + i];
            w[i] += a[2] * x[80 + i];
            w[i] += a[3] * x[120 + i];
        }
        CHECK(memcmp(y, z, sizeof y) == 0);
        CHECK(memcmp(y, w, sizeof y) == 0);
    }
}

TEST(the_largest_size_is_found_wherever_it_stands_and_nan_tells_of_a_broken_entry)
{
    CHECK_NEAR(ut_max_abs(0, NULL), 0.0, 0.0);
    for (int n = 1; n <= 19; n++) {
        for (int i = 0; i < n; i++) {
            double x[19] = {0.5, -0.25, -0.0};
            x[i] = -3.0;
            CHECK_NEAR(ut_max_abs(n, x), 3.0, 0.0);
            x[i] = (double)NAN;
            CHECK(isnan(ut_max_abs(n, x)));
            x[i] = -(double)INFINITY;
            CHECK(isnan(ut_max_abs(n, x)));
        }
    }
}

// Sizes around every edge of the tiles: rows of 4, columns of 4 or 8 and of 64, products of 48.
static const int sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 49, 65};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

TEST(a_matrix_product_has_the_bits_of_rank_one_updates_and_stays_inside)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(3, 0);
    enum { LDA = 101, LDB = 70, LDC = 67, ROWS = 66 };
    const double* A = random_doubles(&arena, &rng, ROWS, LDA);
    const double* B = random_doubles(&arena, &rng, 100, LDB);
    const double* C = random_doubles(&arena, &rng, ROWS, LDC);
    double* got = new_doubles(&arena, ROWS, LDC);
    double* want = new_doubles(&arena, ROWS, LDC);
    const int depths[] = {0, 1, 2, 5, 48, 49, 97};
    for (int s = 0; s < SIZE_COUNT * SIZE_COUNT * 7; s++) {
        const int m = sizes[s % SIZE_COUNT];
        const int n = sizes[s / SIZE_COUNT % SIZE_COUNT];
        const int k = depths[s / (SIZE_COUNT * SIZE_COUNT)];
        memcpy(got, C, sizeof(double) * ROWS * LDC);
        memcpy(want, C, sizeof(double) * ROWS * LDC);
        for (int p = 0; p < k; p++) {
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    want[at(LDC, i, j)] -= A[at(LDA, i, p)] * B[at(LDB, p, j)];
                }
            }
        }
        ut_gemm_sub(m, n, k, A, LDA, B, LDB, got, LDC);
        if (!CHECK(memcmp(got, want, sizeof(double) * ROWS * LDC) == 0)) {
            test_note("m = %d, n = %d, k = %d", m, n, k);
            return;
        }
    }
}

TEST(a_symmetric_product_touches_only_its_part_of_the_lower_triangle)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(4, 0);
    enum { LDL = 53, LDC = 67, ROWS = 66 };
    const double* L = random_doubles(&arena, &rng, ROWS, LDL);
    const double* C = random_doubles(&arena, &rng, ROWS, LDC);
    const double* d = random_doubles(&arena, &rng, 1, LDL);
    double* got = new_doubles(&arena, ROWS, LDC);
    double* want = new_doubles(&arena, ROWS, LDC);
    const int depths[] = {1, 5, 49};
    for (int s = 0; s < SIZE_COUNT * SIZE_COUNT * 6; s++) {
        const int m = sizes[s % SIZE_COUNT];
        const int n = sizes[s / SIZE_COUNT % SIZE_COUNT];
        const int k = depths[s / (SIZE_COUNT * SIZE_COUNT) % 3];
        const bool scaled = s / (SIZE_COUNT * SIZE_COUNT) >= 3;
        if (n > m) {
            continue;
        }
        memcpy(got, C, sizeof(double) * ROWS * LDC);
        memcpy(want, C, sizeof(double) * ROWS * LDC);
        for (int p = 0; p < k; p++) {
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n && j <= i; j++) {
                    double right = L[at(LDL, j, p)] * (scaled ? d[p] : 1.0);
                    want[at(LDC, i, j)] -= L[at(LDL, i, p)] * right;
                }
            }
        }
        ut_syrk_sub(m, n, k, L, LDL, scaled ? d : NULL, got, LDC);
        if (!CHECK(memcmp(got, want, sizeof(double) * ROWS * LDC) == 0)) {
            test_note("m = %d, n = %d, k = %d", m, n, k);
            return;
        }
    }
}
