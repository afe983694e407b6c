// SPDX-License-Identifier: Apache-2.0
// Nonlinear complementarity problems.
#include <math.h>
#include <string.h>
#include <uptack/ncp.h>

#include "test.h"

// g(z) = z^2 - 2: z = sqrt(2); and with +2 in place of -2: z = 0, g = 2.
static utStatus square(const double* z, double* g, double* J, void* context)
{
    const double* shift = context;
    g[0] = z[0] * z[0] + *shift;
    J[0] = 2.0 * z[0];
    return UT_OK;
}

TEST(a_root_and_a_bound)
{
    double shift = -2.0, z = 1.0;
    const utNcp ncp = {.n = 1, .function = square, .context = &shift};
    double history[51];
    utNcpDef def = ut_ncp_def();
    utNcpInfo info;
    def.warm_start = true;
    def.history = history;
    CHECK_INT(ut_ncp_solve(&ncp, &def, test_arena(), &z, &info), UT_OK);
    CHECK_TEXT(ut_lcp_outcome_name(info.outcome), "solved");
    CHECK_NEAR(z, sqrt(2.0), 1e-10);
    // Newton for the square root from 1: 1.5, 1.41667, 1.4142157, 1.41421356237469: four steps for
    // 1e-10
    CHECK(info.iterations <= 5);
    for (int k = 0; k < info.iterations; k++) {
        CHECK(history[k + 1] < history[k]);
    }
    shift = 2.0;
    CHECK_INT(ut_ncp_solve(&ncp, &def, test_arena(), &z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    CHECK_NEAR(z, 0.0, 1e-10);
}

// A test problem of Kojima and Shindo: solutions (sqrt(6)/2, 0, 0, 1/2) and (1, 0, 3, 0).
static utStatus kojima(const double* z, double* g, double* J, void* context)
{
    (void)context;
    const double a = z[0], b = z[1], c = z[2], d = z[3];
    g[0] = 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6;
    g[1] = 2 * a * a + a + b * b + 10 * c + 2 * d - 2;
    g[2] = 3 * a * a + a * b + 2 * b * b + 2 * c + 9 * d - 9;
    g[3] = a * a + 3 * b * b + 2 * c + 3 * d - 3;
    const double D[16] = {6 * a + 2 * b, 2 * a + 4 * b, 1, 3, 4 * a + 1, 2 * b, 10, 2,
                          6 * a + b,     a + 4 * b,     2, 9, 2 * a,     6 * b, 2,  3};
    memcpy(J, D, sizeof D);
    return UT_OK;
}

TEST(kojima_and_shindo)
{
    const double starts[][4] = {{1, 0, 1, 0}, {1, 0, 0, 0}, {1, 1, 1, 1}, {1.2, 0, 0, 0.5}};
    const utNcp ncp = {.n = 4, .function = kojima};
    for (int k = 0; k < 4; k++) {
        utNcpDef def = ut_ncp_def();
        utNcpInfo info;
        double z[4];
        memcpy(z, starts[k], sizeof z);
        def.warm_start = true;
        CHECK_INT(ut_ncp_solve(&ncp, &def, test_arena(), z, &info), UT_OK);
        if (!CHECK_INT(info.outcome, UT_LCP_SOLVED)) {
            continue;
        }
        const bool first = fabs(z[0] - sqrt(6.0) / 2) < 1e-8 && fabs(z[3] - 0.5) < 1e-8 &&
                           fabs(z[1]) < 1e-8 && fabs(z[2]) < 1e-8;
        const bool second = fabs(z[0] - 1) < 1e-8 && fabs(z[2] - 3) < 1e-8 && fabs(z[1]) < 1e-8 &&
                            fabs(z[3]) < 1e-8;
        CHECK(first || second);
    }
}

// -1 - z^2 is nowhere >= 0: nothing may be called solved.
static utStatus hopeless(const double* z, double* g, double* J, void* context)
{
    (void)context;
    g[0] = -1.0 - z[0] * z[0];
    J[0] = -2.0 * z[0];
    return UT_OK;
}

static utStatus broken(const double* z, double* g, double* J, void* context)
{
    (void)z;
    (void)context;
    g[0] = (double)NAN;
    J[0] = 1.0;
    return UT_OK;
}

TEST(what_has_no_solution_is_not_called_solved)
{
    double z = 0.0;
    utNcpDef def = ut_ncp_def();
    utNcpInfo info;
    const utNcp none = {.n = 1, .function = hopeless};
    CHECK_INT(ut_ncp_solve(&none, &def, test_arena(), &z, &info), UT_OK);
    CHECK_TEXT(ut_lcp_outcome_name(info.outcome), "ray");
    const utNcp nan = {.n = 1, .function = broken};
    CHECK_INT(ut_ncp_solve(&nan, &def, test_arena(), &z, &info), UT_ERR_ARGUMENT);
    def.cookie = 0;
    CHECK_INT(ut_ncp_solve(&none, &def, test_arena(), &z, &info), UT_ERR_DEF);
}

TEST(an_ncp_without_room_for_its_scratch_is_a_status)
{
    const utNcp ncp = {.n = 4, .function = kojima};
    const utNcpDef def = ut_ncp_def();
    utNcpInfo info;
    double z[4];
    unsigned char memory[64];
    const utArena small = ut_arena_on(memory, sizeof memory);
    CHECK_INT(ut_ncp_solve(&ncp, &def, small, z, &info), UT_ERR_CAPACITY);
}
