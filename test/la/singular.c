// SPDX-License-Identifier: Apache-2.0
// Singular values, ranks, condition numbers.
#include <math.h>
#include <uptack/matrix.h>

#include "test.h"

// [[3, 0], [4, 5]]: A'A = [[25, 20], [20, 25]] has the eigenvalues 45 and 5.
TEST(singular_values_by_hand)
{
    const double A[] = {3, 0, 4, 5};
    double s[2], condition;
    CHECK_INT(ut_matrix_singular(2, 2, A, test_arena(), s), UT_OK);
    CHECK_NEAR(s[0], sqrt(45.0), 1e-14);
    CHECK_NEAR(s[1], sqrt(5.0), 1e-14);
    CHECK_INT(ut_matrix_condition(2, 2, A, test_arena(), &condition), UT_OK);
    CHECK_NEAR(condition, 3.0, 1e-14);
}

// A tall one and its transpose; 1 2; 2 4; 3 6 has one singular value sqrt(14 5).
TEST(ranks_of_tall_and_wide_matrices)
{
    const double tall[] = {1, 2, 2, 4, 3, 6}, wide[] = {1, 2, 3, 2, 4, 6}, none[6] = {0};
    double s[2];
    int rank;
    CHECK_INT(ut_matrix_singular(3, 2, tall, test_arena(), s), UT_OK);
    CHECK_NEAR(s[0], sqrt(70.0), 1e-14);
    CHECK_NEAR(s[1], 0.0, 1e-14);
    CHECK_INT(ut_matrix_rank(3, 2, tall, 0.0, test_arena(), &rank), UT_OK);
    CHECK_INT(rank, 1);
    CHECK_INT(ut_matrix_rank(2, 3, wide, 0.0, test_arena(), &rank), UT_OK);
    CHECK_INT(rank, 1);
    CHECK_INT(ut_matrix_rank(2, 3, none, 0.0, test_arena(), &rank), UT_OK);
    CHECK_INT(rank, 0);
}

// Hilbert's matrix of order 5: condition 4.7660725e5 (tables).
TEST(a_condition_number_from_the_tables)
{
    double H[25], condition;
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            H[5 * i + j] = 1.0 / (i + j + 1);
        }
    }
    CHECK_INT(ut_matrix_condition(5, 5, H, test_arena(), &condition), UT_OK);
    CHECK_NEAR(condition, 4.7660725e5, 0.1);
    H[7] = (double)NAN;
    CHECK_INT(ut_matrix_condition(5, 5, H, test_arena(), &condition), UT_ERR_ARGUMENT);
    unsigned char memory[64];
    const utArena small = ut_arena_on(memory, sizeof memory);
    CHECK_INT(ut_matrix_condition(5, 5, (double[25]){1}, small, &condition), UT_ERR_CAPACITY);
}

// A scale of 1e200 must not overflow, and 1e-200 not vanish.
TEST(scales_do_not_matter)
{
    for (int k = -1; k <= 1; k++) {
        const double c = pow(10.0, 200.0 * k), A[] = {3 * c, 0, 4 * c, 5 * c};
        double s[2];
        CHECK_INT(ut_matrix_singular(2, 2, A, test_arena(), s), UT_OK);
        CHECK_NEAR(s[0] / c, sqrt(45.0), 1e-13);
    }
}
