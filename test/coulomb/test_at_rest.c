// SPDX-License-Identifier: Apache-2.0
// Warm starts of bodies at rest: what they change decides, not their error alone.
#include "test.h"

#include <uptack/coulomb.h>

// A particle of 2 kg on a floor that gravity makes fall at 1 m/s: r_n = 2 N s holds it, and V = 1 m/s.
static utRung solve(double r_n, const double* v_start, double* answer)
{
    static const int start[] = {0, 3}, first[] = {0, 1}, node[] = {0};
    static const double M[] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    static const double J[] = {0, 0, 1, 1, 0, 0, 0, 1, 0}; // z, x, y
    static const double mu[] = {0.5}, f[] = {0, 0, -2}, b[3];
    const utSection circle = ut_section_circle();
    const utCoulombBlocks blocks = {1, start, M, first, node, J};
    const utCoulomb problem = {.dimension = 3,
                               .contacts = 1,
                               .dof = 3,
                               .mu = mu,
                               .section = &circle,
                               .blocks = &blocks,
                               .f = f,
                               .b = b};
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {0};
    double r[3] = {r_n, 0.0, 0.0};
    def.warm_start = true;
    def.v_start = v_start;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, test_arena(), r, &info), UT_OK);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    *answer = r[0];
    return info.rung;
}

// r_n = 2 (1 + 5e-11) leaves u_n = 5e-11 m/s: E = 5e-11 is below a hundredth of the tolerance.
TEST(a_warm_start_at_rest_is_kept_when_it_changes_next_to_nothing)
{
    const double still[3] = {0.0, 0.0, 0.0}, rising[3] = {0.0, 0.0, 4e-11};
    const double near = 2.0 * (1.0 + 5e-11), nearer = 2.0 * (1.0 + 5e-12);
    double r;
    // without the velocities before the step, the error alone decides
    CHECK_INT(solve(near, NULL, &r), UT_RUNG_WARM);
    CHECK(r == near);
    // from rest it accelerates by 5e-11 V, above 1e-11: polished to rounding
    CHECK_INT(solve(near, still, &r), UT_RUNG_WARM_POLISH);
    CHECK_NEAR(r, 2.0, 4e-15);
    // by 5e-12 V, below that
    CHECK_INT(solve(nearer, still, &r), UT_RUNG_WARM);
    CHECK(r == nearer);
    // by 1e-11 V, less than twice the 4e-11 V with which it rises already
    CHECK_INT(solve(near, rising, &r), UT_RUNG_WARM);
    CHECK(r == near);
}
