// SPDX-License-Identifier: Apache-2.0
// The printed unknowns of an answer: they solve the printed system, whatever way the answer was found.
#include "cases.h"

// The impulses of an LCP solver's answer, turned back into unknowns, solve the system again. The solver may have
// found other combinations of directions.
static void check_notation(utNotation notation, utPolyhedralLevel level, const utSection* section,
                           bool accelerate)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Random p;
        make_random(&p, seed, 3, notation == UT_NOTATION_BERARD ? 1 : 0, 12, section, 0.7);
        double v[MAX_DOF];
        utRng rng = ut_rng(seed, 3);
        for (int k = 0; k < 12; k++) {
            v[k] = ut_rng_range(&rng, -1, 1);
        }
        utPrintedDef def = ut_printed_def(notation, 0.01);
        const bool turned = true;
        def.level = level;
        def.turned = &turned;
        def.v = accelerate ? v : NULL;
        utArena arena = test_arena();
        const Printed s = solve_printed(&p.problem, &def, UT_LCP_AUTO, &arena);
        if (!CHECK_INT(s.info.outcome, UT_LCP_SOLVED)) {
            continue;
        }
        double* z = UT_PUSH(&arena, double, s.system.lcp.n);
        CHECK_INT(ut_printed_unknowns(&s.system, &p.problem, s.r, arena, z), UT_OK);
        const double residual = ut_lcp_residual(&s.system.lcp, z);
        if (!CHECK(residual <= 1e-8)) {
            test_note("%s, seed %d: residual %.1e", ut_notation_name(notation), (int)seed,
                      residual);
        }
    }
}

TEST(B22_D22_the_unknowns_of_impulses_solve_the_system)
{
    const utSection section = polygon(UT_SECTION_INSCRIBED, 8, 0.0);
    check_notation(UT_NOTATION_BERARD, UT_POLYHEDRAL_FULL, &section, false);
    check_notation(UT_NOTATION_DART, UT_POLYHEDRAL_FULL, &section, false);
    check_notation(UT_NOTATION_DART, UT_POLYHEDRAL_REDUCED, &section, false);
    check_notation(UT_NOTATION_IGMS, UT_POLYHEDRAL_REDUCED, &section, false);
}

TEST(P3_the_unknowns_of_impulses_solve_Eq_8)
{
    const utSection section = polygon(UT_SECTION_CIRCUMSCRIBED, 8, 0.0);
    for (int accelerate = 0; accelerate < 2; accelerate++) {
        check_notation(UT_NOTATION_PEIRET, UT_POLYHEDRAL_FULL, &section, accelerate == 1);
        check_notation(UT_NOTATION_PEIRET, UT_POLYHEDRAL_REDUCED, &section, accelerate == 1);
    }
}

// Eq. 8 of a problem on velocities by hand: a particle of 2 kg at 0.25 m/s that is loaded by (6, 0, -19.62) N for
// h = 0.01 s, so that f = M v + h f_a, and J̇v = 0, so that b = -J v. Its forces are 100 times the impulses.
TEST(P14_a_problem_on_velocities_is_printed_on_accelerations)
{
    const double h = 0.01, v[] = {0.25, 0.0, 0.0};
    Particle p;
    make_particle(&p, polygon(UT_SECTION_CIRCUMSCRIBED, 4, 0.0), 2.0, 0.2,
                  (double[]){2 * 0.25 + h * 6, 0, -h * 19.62});
    p.b[1] = -0.25;
    utPrintedDef def = ut_printed_def(UT_NOTATION_PEIRET, h);
    const double rho = 0.3;
    def.v = v;
    def.rho = &rho;
    utArena arena = test_arena();
    const Printed s = solve_printed(&p.problem, &def, UT_LCP_LEMKE, &arena);
    const double q[10] = {-6, 0, 19.62};
    CHECK_NEAR(distance(10, s.system.lcp.q, q), 0.0, 1e-12);
    CHECK_NEAR(s.z[0], 3.0 - 0.2 * 9.81, 1e-12);
    CHECK_NEAR(s.z[5], 19.62, 1e-12);
    CHECK_NEAR(s.r[0], h * 19.62, 1e-12);
    CHECK_NEAR(s.r[1], -h * 0.2 * 19.62, 1e-12);
}
