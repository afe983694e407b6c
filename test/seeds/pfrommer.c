// SPDX-License-Identifier: Apache-2.0
// Rows F1 to F10: falling and sliding blocks of unit mass (Pfrommer's notes).
#include "cases.h"

static const double H = 0.01, MU = 0.5;

// ---- falling ------------------------------------------------------------------------------------

// A unit mass at height x with velocity v, written as the notes do it.
static Printed fall(double x, double v, utArena* arena)
{
    static const double M[] = {1.0}, J[] = {1.0, 0.0};
    const utSection segment = ut_section_segment();
    const double mu = 0.0, f = v - GRAVITY * H, b[] = {x / H, 0.0};
    const utCoulomb problem = {.dimension = 2,
                               .contacts = 1,
                               .mu = &mu,
                               .section = &segment,
                               .dof = 1,
                               .M = M,
                               .J = J,
                               .f = &f,
                               .b = b};
    const utPrintedDef def = ut_printed_def(UT_NOTATION_PFROMMER, H);
    return solve_printed(&problem, &def, UT_LCP_LEMKE, arena);
}

TEST(F1_falling_block)
{
    double x = 1.0, v = 0.0, total = 0.0;
    for (int k = 1; k <= 60; k++) {
        utArena arena = test_arena();
        const Printed s = fall(x, v, &arena);
        double lambda;
        ut_lcp_slack(&s.system.lcp, s.z, &lambda);
        v += (-GRAVITY + lambda) * H;
        x = s.z[0];
        total += lambda * H;
        CHECK(k >= 45 || fabs(lambda) < 1e-9);
        if (k == 45) {
            CHECK_NEAR(lambda, 153.35, 0.005);
            CHECK_NEAR(v, -2.881, 0.0005);
        } else if (k == 46) {
            CHECK_NEAR(lambda, 297.91, 0.005);
        } else if (k > 46) {
            CHECK_NEAR(lambda, 9.81, 1e-8);
        }
    }
    // impulses sum up to g times the time
    CHECK_NEAR(total, GRAVITY * 60 * H, 1e-10);
}

TEST(F2_the_one_by_one_problem)
{
    const double x[] = {1.0, 0.02, 0.0, 0.3}, v[] = {0.0, -3.0, -1.0, 0.5};
    for (int k = 0; k < 4; k++) {
        utArena arena = test_arena();
        const Printed s = fall(x[k], v[k], &arena);
        CHECK_INT(s.system.lcp.n, 1);
        CHECK_NEAR(s.system.lcp.M[0], 1.0 / (H * H), 1e-11);
        CHECK_NEAR(s.system.lcp.q[0], -(x[k] + H * v[k] - GRAVITY * H * H) / (H * H), 1e-11);
        CHECK_TEXT(s.system.part[0].unknown, "x");
        CHECK_TEXT(s.system.part[0].slack, "lambda");
    }
}

TEST(F3_it_never_penetrates)
{
    for (int start = 0; start < 20; start++) {
        double x = 0.05 + 0.037 * start, v = 0.3 - 0.1 * start;
        for (int k = 0; k < 80; k++) {
            utArena arena = test_arena();
            const Printed s = fall(x, v, &arena);
            double lambda;
            ut_lcp_slack(&s.system.lcp, s.z, &lambda);
            CHECK(s.z[0] >= 0.0);
            v += (-GRAVITY + lambda) * H;
            x = s.z[0];
        }
        CHECK_NEAR(x, 0.0, 0.0);
    }
}

// ---- sliding forwards ---------------------------------------------------------------------------

// 0 <= mu g - lambda ⟂ v+ >= 0. @return v+, and the friction lambda
static double slide_forwards(double v, double u, double* friction)
{
    const double M = 1.0 / H, q = -v / H - u + MU * GRAVITY;
    const utLcp lcp = {.n = 1, .M = &M, .q = &q};
    const utLcpDef def = ut_lcp_def();
    utLcpInfo info;
    double z, unused;
    CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_LEMKE, &def, test_arena(), &z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    ut_lcp_slack(&lcp, &z, &unused);
    *friction = MU * GRAVITY - unused;
    return z;
}

TEST(F4_a_sliding_block_stops)
{
    double x = 0.0, v = 1.0, friction = 0.0;
    int stopped = 0;
    for (int k = 1; k <= 30 && stopped == 0; k++) {
        v = slide_forwards(v, 0.0, &friction);
        x += H * v;
        stopped = v == 0.0 ? k : 0;
    }
    CHECK_INT(stopped, 21);
    CHECK_NEAR(x, 0.096995, 5e-7);
    CHECK_NEAR(friction, 1.9, 1e-10);
    CHECK_NEAR(1.0 / (2 * MU * GRAVITY), 0.101937, 5e-7); // in continuous time
    // and stays
    CHECK_NEAR(slide_forwards(v, 0.0, &friction), 0.0, 0.0);
    CHECK_NEAR(friction, 0.0, 1e-12);
}

// ---- sliding both ways --------------------------------------------------------------------------

// The problem of a block at velocity v under a force u, as the notes print it.
typedef struct Block {
    double M[4], J[4], f[2], b[2], mu;
    utSection segment;
    utCoulomb problem;
} Block;

static void make_block(Block* block, double v, double u)
{
    *block = (Block){.M = {1, 0, 0, 1}, .J = {0, 1, 1, 0}, .mu = MU};
    block->f[0] = v + H * u;
    block->f[1] = -H * GRAVITY;
    block->segment = ut_section_segment();
    block->problem = (utCoulomb){.dimension = 2,
                                 .contacts = 1,
                                 .mu = &block->mu,
                                 .section = &block->segment,
                                 .dof = 2,
                                 .M = block->M,
                                 .J = block->J,
                                 .f = block->f,
                                 .b = block->b};
}

static Printed slide(double v, double u, utArena* arena)
{
    Block block;
    make_block(&block, v, u);
    const utPrintedDef def = ut_printed_def(UT_NOTATION_PFROMMER, H);
    return solve_printed(&block.problem, &def, UT_LCP_LEMKE, arena);
}

TEST(F5_M_and_q)
{
    const double v[] = {1.0, 0.0, -1.0, 0.3}, u[] = {0.0, 6.0, 2.0, -7.0};
    for (int k = 0; k < 4; k++) {
        utArena arena = test_arena();
        const Printed s = slide(v[k], u[k], &arena);
        const double most = MU * GRAVITY;
        CHECK_NEAR(s.system.lcp.M[0], 1.0 / H, 1e-12);
        CHECK_NEAR(s.system.lcp.q[0], -v[k] / H - u[k] + most, 1e-12);
        CHECK_NEAR(s.system.lcp.q[1], v[k] / H + u[k] + most, 1e-12);
    }
}

TEST(F6_stick_and_slide)
{
    double friction;
    CHECK_NEAR(slide_forwards(0.0, 4.0, &friction), 0.0, 0.0);
    CHECK_NEAR(friction, 4.0, 1e-12);
    CHECK_NEAR(slide_forwards(0.0, MU * GRAVITY, &friction), 0.0, 1e-15);
    CHECK_NEAR(slide_forwards(0.0, 6.0, &friction), 0.01095, 1e-12);
    CHECK_NEAR(friction, MU * GRAVITY, 1e-12);
}

TEST(F7_one_way_at_a_time)
{
    utRng rng = ut_rng(7, 7);
    for (int k = 0; k < 200; k++) {
        utArena arena = test_arena();
        const Printed s = slide(ut_rng_range(&rng, -2, 2), ut_rng_range(&rng, -20, 20), &arena);
        CHECK_INT(s.info.outcome, UT_LCP_SOLVED);
        CHECK(!(s.z[0] > 0.0 && s.z[1] > 0.0));
    }
}

TEST(F8_the_two_by_two_problem)
{
    const struct {
        double v, u, plus, minus;
    } cases[] = {
        {1, 0, 0.95095, 0},  {-1, 0, 0, 0.95095}, {0, 6, 0.01095, 0},
        {0, -6, 0, 0.01095}, {0, 4, 0, 0},        {0, -4, 0, 0},
    };
    for (int k = 0; k < 6; k++) {
        utArena arena = test_arena();
        const Printed s = slide(cases[k].v, cases[k].u, &arena);
        // M = 1/h on the diagonal, q = (v-/h - v+/h - u + mu g, v+/h - v-/h + u + mu g)
        const double v = cases[k].v, u = cases[k].u;
        const double M[] = {1 / H, 0, 0, 1 / H};
        const double q[] = {-v / H - u + MU * GRAVITY, v / H + u + MU * GRAVITY};
        CHECK_NEAR(distance(4, s.system.lcp.M, M), 0.0, 1e-12);
        CHECK_NEAR(distance(2, s.system.lcp.q, q), 0.0, 1e-12);
        CHECK_TEXT(s.system.part[0].unknown, "xdot+");
        CHECK_TEXT(s.system.part[0].slack, "lambda'-");
        CHECK_NEAR(s.z[0], cases[k].plus, 1e-12);
        CHECK_NEAR(s.z[1], cases[k].minus, 1e-12);
    }
}

// The same rows in the wrong order: no solution while the block slides, and Lemke's method says so
// by a ray; auto proves it. While it sticks, z = 0 is still found.
TEST(F9_the_wrong_order_ends_on_a_ray)
{
    const double v[] = {1, -1, 0, 0, 0}, u[] = {0, 0, 6, -6, 4};
    for (int k = 0; k < 5; k++) {
        utArena arena = test_arena();
        const Printed s = slide(v[k], u[k], &arena);
        const double* M = s.system.lcp.M;
        const double* q = s.system.lcp.q;
        const double wrong[] = {M[2], M[3], M[0], M[1]}, w[] = {q[1], q[0]};
        const utLcp lcp = {.n = 2, .M = wrong, .q = w};
        double ray[2] = {0, 0}, z[2];
        utLcpDef def = ut_lcp_def();
        utLcpInfo info;
        def.ray = ray;
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_LEMKE, &def, arena, z, &info), UT_OK);
        CHECK_TEXT(ut_lcp_outcome_name(info.outcome), k == 4 ? "solved" : "ray");
        CHECK(k == 4 || fmax(ray[0], ray[1]) == 1.0);
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_AUTO, &def, arena, z, &info), UT_OK);
        CHECK_TEXT(ut_lcp_outcome_name(info.outcome), k == 4 ? "solved" : "none");
    }
}

TEST(F10_positions)
{
    double x = 0.0, v = -1.0;
    int steps = 0;
    while (v != 0.0 && steps < 40) {
        utArena arena = test_arena();
        const Printed s = slide(v, 0.0, &arena);
        v = s.z[0] - s.z[1];
        x += (s.z[0] - s.z[1]) * H;
        steps++;
    }
    // the mirror image of F4
    CHECK_INT(steps, 21);
    CHECK_NEAR(x, -0.096995, 5e-7);
}
