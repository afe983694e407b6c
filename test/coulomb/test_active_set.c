// SPDX-License-Identifier: Apache-2.0
// Newton on the active set of a warm start, with one factorization.
#include <math.h>
#include <uptack/coulomb_problems.h>

#include "coulomb/solvers/second_order.h"
#include "test.h"

// ---- a particle and a slider --------------------------------------------------------------------

// A particle of 2 kg on a floor, rows (z, x, y), and a slider of 1 kg with dry friction of 0.02 Ns at
// most. f are the momenta without impulses.
typedef struct Pair {
    utSection circle;
    utCoulombBlocks blocks;
    double mu, f[4];
} Pair;

static const int start_of[] = {0, 3, 4}, first_of[] = {0, 1, 2}, node_of[] = {0, 1};
static const double mass_of[] = {2, 0, 0, 0, 2, 0, 0, 0, 2, 1};
static const double rows_of[] = {0, 0, 1, 1, 0, 0, 0, 1, 0, 1};
static const double zeros[4];
static const double low[] = {-0.02}, high[] = {0.02};

static utCoulomb pair(double mu, const double v[3], double slider, Pair* p)
{
    *p = (Pair){.circle = ut_section_circle(),
                .blocks = {2, start_of, mass_of, first_of, node_of, rows_of},
                .mu = mu,
                .f = {2.0 * v[0], 2.0 * v[1], 2.0 * v[2], slider}};
    return (utCoulomb){.dimension = 3,
                       .contacts = 1,
                       .bilaterals = 1,
                       .dof = 4,
                       .low = low,
                       .high = high,
                       .mu = &p->mu,
                       .section = &p->circle,
                       .blocks = &p->blocks,
                       .f = p->f,
                       .b = zeros};
}

// Run on the pair from r. @return factorizations
static int run(double mu, const double v[3], double slider, double r[4])
{
    Pair p;
    const utCoulomb problem = pair(mu, v, slider, &p);
    utArena arena = test_arena();
    System system;
    int count = 0;
    CHECK_INT(ut_system_create(&problem, false, &arena, &system), UT_OK);
    CHECK(ut_active_set_applies(&system));
    CHECK_INT(ut_active_set_run(&system, 1e-12, arena, r, &count), UT_OK);
    return count;
}

// It falls at 3 m/s and moves at 0.5 m/s along (3, 4): r_n = 2 3, and mu 3 > 0.5 stops it. The slider
// has 0.01 Ns, which its friction stops.
TEST(contacts_that_stick_end_at_rest_with_one_factorization)
{
    const double v[] = {0.3, 0.4, -3.0};
    double r[] = {6.0 + 1e-4, -0.6 + 1e-4, -0.8 - 1e-4, -0.01 + 1e-5};
    CHECK_INT(run(1.0, v, 0.01, r), 1);
    CHECK_NEAR(r[0], 6.0, 1e-10);
    CHECK_NEAR(r[1], -0.6, 1e-10);
    CHECK_NEAR(r[2], -0.8, 1e-10);
    CHECK_NEAR(r[3], -0.01, 1e-10);
}

// The same with mu = 0.05: friction 0.05 6 = 0.3 against the motion, (0.6, 0.8) times 0.3. The slider has
// 0.1 Ns, of which its friction takes 0.02.
TEST(contacts_that_slip_have_friction_against_their_motion)
{
    const double v[] = {0.3, 0.4, -3.0};
    double r[] = {6.0 + 1e-4, -0.18, -0.24, -0.0199};
    CHECK_INT(run(0.05, v, 0.1, r), 1);
    CHECK_NEAR(r[0], 6.0, 1e-10);
    CHECK_NEAR(r[1], -0.18, 1e-10);
    CHECK_NEAR(r[2], -0.24, 1e-10);
    CHECK(r[3] == -0.02);
}

TEST(contacts_that_open_lose_their_impulse)
{
    const double v[] = {0.3, 0.4, 1.0};
    double r[] = {1e-4, 1e-5, 0.0, -0.01};
    CHECK_INT(run(0.5, v, 0.01, r), 1);
    CHECK(r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0);
    CHECK_NEAR(r[3], -0.01, 1e-10);
}

// Far from an answer E may not fall; the impulses are then those that were given.
TEST(impulses_never_get_worse)
{
    Pair p;
    const double v[] = {0.3, 0.4, -3.0};
    const utCoulomb problem = pair(0.5, v, 0.01, &p);
    double bilateral = 0.0;
    for (int k = 0; k < 40; k++) {
        utArena arena = test_arena();
        System system;
        int count = 0;
        double r[] = {4.0 + 4.0 * sin(3.0 * k), 2.0 * cos(5.0 * k), sin(7.0 * k), 0.02};
        CHECK_INT(ut_system_create(&problem, false, &arena, &system), UT_OK);
        const utLaw law = ut_system_law(&system, 0);
        ut_law_project(&law, r, r);
        const double before = ut_system_error(&system, r, &bilateral);
        CHECK_INT(ut_active_set_run(&system, 1e-12, arena, r, &count), UT_OK);
        CHECK(ut_system_error(&system, r, &bilateral) <= before);
        CHECK(count <= 2);
    }
}

TEST(other_sections_and_forms_are_left_to_other_solvers)
{
    Pair p;
    const double v[] = {0.0, 0.0, -3.0};
    utCoulomb problem = pair(0.5, v, 0.0, &p);
    utArena arena = test_arena();
    System system;
    utSection square;
    CHECK_INT(ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &square, NULL), UT_OK);
    CHECK_INT(ut_system_create(&problem, true, &arena, &system), UT_OK);
    CHECK(!ut_active_set_applies(&system)); // convex
    problem.section = &square;
    CHECK_INT(ut_system_create(&problem, false, &arena, &system), UT_OK);
    CHECK(!ut_active_set_applies(&system));
}

// ---- the ladder ---------------------------------------------------------------------------------

// A stack ends at rest, so that its impulses balance the momenta of the free fall: J'r = -f.
TEST(a_resting_stack_is_polished_with_one_factorization)
{
    utArena arena = test_arena();
    utFrictionDef scene = ut_friction_def(UT_FRICTION_STACK);
    utFrictionProblem made;
    scene.count = 10;
    CHECK_INT(ut_friction_create(&scene, &arena, &made), UT_OK);
    const utSection circle = ut_section_circle();
    const utCoulomb problem = ut_friction_coulomb(&made, &circle);
    double* r = UT_PUSH(&arena, double, made.rows);
    double* rest = UT_PUSH(&arena, double, problem.dof);
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
    for (int k = 0; k < made.rows; k++) {
        r[k] *= 1.0 + 1e-5 * sin(1.0 * k);
    }
    def.warm_start = true;
    CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, arena, r, &info), UT_OK);
    CHECK_INT(info.rung, UT_RUNG_WARM_POLISH);
    CHECK_INT(info.iterations, 1);
    System system;
    CHECK_INT(ut_system_create(&problem, false, &arena, &system), UT_OK);
    ut_system_velocity(&system, r, rest);
    for (int k = 0; k < problem.dof; k++) {
        CHECK_NEAR(rest[k], 0.0, 1e-10);
    }
}
