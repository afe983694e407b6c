// SPDX-License-Identifier: Apache-2.0
// The parts of the report on uniqueness: effects of impulses, ranks and null vectors.
#include <uptack/coulomb_problems.h>

#include "coulomb/forms/delassus.h"
#include "coulomb/uniqueness/row_basis.h"
#include "coulomb/uniqueness/solved_problem.h"
#include "test.h"

#include <math.h>
#include <string.h>

// C = Q'R by rows: y with C'y = Q'z is checked against C itself, for a C of rank 2 whose third row
// is the sum of the others.
TEST(a_combination_of_rows_is_found_again)
{
    static const double C[3][4] = {{3, 0, 1, 0}, {1, 2, 0, 1}, {4, 2, 1, 1}};
    utArena arena = test_arena();
    RowBasis basis;
    double copy[12], z[2] = {0.5, -2.0}, y[3];
    memcpy(copy, C, sizeof copy);
    ut_row_basis_push(3, 4, &arena, &basis);
    CHECK(!ut_arena_failed(&arena));
    ut_row_basis_find(3, 4, copy, 1e-9, &basis);
    CHECK_INT(basis.rank, 2);
    ut_row_basis_solve(&basis, z, y);
    for (int c = 0; c < 4; c++) {
        const double want = z[0] * basis.Q[c] + z[1] * basis.Q[4 + c];
        CHECK_NEAR(y[0] * C[0][c] + y[1] * C[1][c] + y[2] * C[2][c], want, 1e-14);
    }
}

// G G' = W = J M^-1 J', with W by hand for a mass matrix that couples three velocities.
TEST(effects_have_the_products_of_W)
{
    const double M[] = {4, 1, 1, 1, 3, 1, 1, 1, 2};
    const double J[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double f[] = {0, 0, 0}, b[] = {0, 0, 0}, r[] = {0, 0, 0};
    const utCoulomb problem = {
        .dimension = 3, .bilaterals = 3, .dof = 3, .M = M, .J = J, .f = f, .b = b};
    // M^-1 by cofactors, det = 4 (6 - 1) - (2 - 1) + (1 - 3) = 17
    const double W[] = {5, -1, -2, -1, 7, -3, -2, -3, 11};
    utArena arena = test_arena();
    SolvedProblem solved;
    CHECK_INT(ut_solved_create(&problem, r, 1e-8, &arena, &solved, NULL), UT_OK);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) {
                sum += solved.G[3 * i + k] * solved.G[3 * j + k];
            }
            CHECK_NEAR(sum, W[3 * i + j] / 17.0, 1e-15);
        }
    }
}
