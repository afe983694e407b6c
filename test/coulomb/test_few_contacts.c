// SPDX-License-Identifier: Apache-2.0
// A few contacts with a dense W, which `auto` solves by Newton on the stack, and loose piles, which it solves
// by sweeps: closed forms, and the conditions of the law one by one.
#include <uptack/coulomb_problems.h>

#include "coulomb/forms/delassus.h"
#include "coulomb/solvers/few_contacts.h"
#include "scratch.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { MOST_CONTACTS = 8 };

static utCoulombInfo solve_in(const utCoulomb* problem, utArena scratch, double* r)
{
    const utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info = {0};
    CHECK_INT(ut_coulomb_solve(problem, UT_COULOMB_AUTO, &def, scratch, r, &info), UT_OK);
    return info;
}

static utCoulombInfo solve(const utCoulomb* problem, double* r)
{
    return solve_in(problem, test_arena(), r);
}

// Does contact i obey the law? Velocities in long double, and no function of the law module.
// @param scale of velocities, m/s
static bool obeys(const utCoulomb* problem, int i, const double* r, double scale)
{
    const int N = 3 * problem->contacts;
    double u[3];
    for (int k = 0; k < 3; k++) {
        long double sum = (long double)problem->q[3 * i + k];
        for (int j = 0; j < N; j++) {
            sum += (long double)problem->W[(3 * i + k) * N + j] * (long double)r[j];
        }
        u[k] = (double)sum;
    }
    const double* x = r + 3 * i;
    const double trace = problem->W[3 * i * N + 3 * i] + problem->W[(3 * i + 1) * (N + 1)] +
                         problem->W[(3 * i + 2) * (N + 1)];
    const double small = 1e-9 * scale;
    const double bound = problem->mu[i] * x[0];
    const double force = hypot(x[1], x[2]);
    const double slip = hypot(u[1], u[2]);
    if (x[0] * trace <= small) {
        return x[0] >= 0.0 && force <= bound * (1.0 + 1e-12) && u[0] >= -small; // open
    }
    if (!(x[0] > 0.0) || fabs(u[0]) > small || force > bound * (1.0 + 1e-12)) {
        return false;
    }
    // a contact that slips has all its friction against the slip: |u_t| r_t = -mu r_n u_t
    const double off = hypot(slip * x[1] + bound * u[1], slip * x[2] + bound * u[2]);
    return slip <= small || off <= 10.0 * small * (bound + slip / trace);
}

// W = J J' of `dof` velocities, and random q.
static void fill(utRng* rng, int nc, int dof, double* W, double* q, double* mu)
{
    const int N = 3 * nc;
    double J[3 * MOST_CONTACTS * 24];
    for (int k = 0; k < N * dof; k++) {
        J[k] = ut_rng_range(rng, -1.0, 1.0);
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            W[i * N + j] = 0.0;
            for (int k = 0; k < dof; k++) {
                W[i * N + j] += J[i * dof + k] * J[j * dof + k];
            }
        }
    }
    // a velocity that bodies can have, so that redundant contacts do not exclude each other
    for (int i = 0; i < N; i++) {
        q[i] = 0.0;
    }
    for (int k = 0; k < dof; k++) {
        const double v = ut_rng_range(rng, -1.0, 1.0);
        for (int i = 0; i < N; i++) {
            q[i] += J[i * dof + k] * v;
        }
    }
    for (int i = 0; i < nc; i++) {
        mu[i] = ut_rng_range(rng, 0.0, 0.7);
    }
}

TEST(random_contacts_of_every_number_obey_the_law)
{
    int solved = 0, all = 0, by_newton = 0, loaded = 0;
    const utSection circle = ut_section_circle();
    for (int t = 0; t < 4000; t++) {
        double W[9 * MOST_CONTACTS * MOST_CONTACTS], q[3 * MOST_CONTACTS], mu[MOST_CONTACTS];
        double r[3 * MOST_CONTACTS];
        utRng rng = ut_rng(0x666577u, (uint64_t)t);
        const int nc = 1 + t % MOST_CONTACTS;
        fill(&rng, nc, t % 3 == 0 ? 6 : 24, W, q, mu);
        const utCoulomb problem = {
            .dimension = 3, .contacts = nc, .mu = mu, .section = &circle, .W = W, .q = q};
        const utCoulombInfo info = solve(&problem, r);
        utCoulombVerdict verdict;
        CHECK_INT(ut_coulomb_judge(&problem, false, r, test_arena(), NULL, &verdict), UT_OK);
        CHECK(info.verdict.E == verdict.E && info.verdict.cone == verdict.cone);
        all++;
        if (info.outcome != UT_COULOMB_SOLVED) {
            continue; // six contacts that share six velocities may exclude each other
        }
        solved++;
        by_newton += info.rung == UT_RUNG_NEWTON;
        for (int i = 0; i < nc; i++) {
            // contacts with a solution at the tolerance of the law are checked at ten times that
            const bool fine = verdict.E <= 1e-10;
            CHECK(!fine || obeys(&problem, i, r, verdict.V));
            loaded += r[3 * i] > 0.0;
        }
    }
    test_note("%d of %d solved, %d by newton", solved, all, by_newton);
    CHECK(solved > 3900 && by_newton > 3000 && loaded > 4000);
}

// The ladder answers where this try fails, which no answer shows: the try by itself.
TEST(newton_on_the_stack_solves_nearly_all_problems_of_up_to_six_contacts)
{
    int by_try = 0;
    const utSection circle = ut_section_circle();
    const utCoulombDef def = ut_coulomb_def();
    for (int t = 0; t < 600; t++) {
        double W[9 * MOST_CONTACTS * MOST_CONTACTS], q[3 * MOST_CONTACTS], mu[MOST_CONTACTS];
        double r[3 * MOST_CONTACTS];
        utCoulombInfo info = {0};
        bool solved = false;
        utRng rng = ut_rng(0x747279u, (uint64_t)t);
        const int nc = 1 + t % 6;
        fill(&rng, nc, 24, W, q, mu);
        const utCoulomb problem = {
            .dimension = 3, .contacts = nc, .mu = mu, .section = &circle, .W = W, .q = q};
        CHECK_INT(ut_few_contacts(&problem, &def, test_arena(), r, &info, &solved), UT_OK);
        CHECK(!solved || info.verdict.E <= 1e-10);
        by_try += solved;
    }
    test_note("%d of 600", by_try);
    CHECK(by_try >= 570);
}

// Particles of mass m that do not touch each other: r_n = -m q_n, and r_t = -m q_t as far as mu r_n allows.
TEST(particles_have_the_impulses_of_their_closed_form)
{
    const utSection circle = ut_section_circle();
    for (int t = 0; t < 1000; t++) {
        double W[36 * 9] = {0.0}, q[18], mu[6], r[18];
        utRng rng = ut_rng(0x70617274u, (uint64_t)t);
        const int nc = 1 + t % 6;
        for (int i = 0; i < nc; i++) {
            const double m = ldexp(1.0, (int)floor(ut_rng_range(&rng, -10.0, 10.0)));
            mu[i] = t % 5 == 0 ? 0.0 : ut_rng_range(&rng, 0.0, 2.0);
            for (int k = 3 * i; k < 3 * i + 3; k++) {
                W[k * 3 * nc + k] = 1.0 / m;
                q[k] = ut_rng_range(&rng, -1.0, 0.6);
            }
        }
        const utCoulomb problem = {
            .dimension = 3, .contacts = nc, .mu = mu, .section = &circle, .W = W, .q = q};
        CHECK_INT(solve(&problem, r).outcome, UT_COULOMB_SOLVED);
        for (int i = 0; i < nc; i++) {
            const double m = 1.0 / W[3 * i * 3 * nc + 3 * i];
            const double normal = q[3 * i] < 0.0 ? -m * q[3 * i] : 0.0;
            const double stick = m * hypot(q[3 * i + 1], q[3 * i + 2]);
            const double share = fmin(1.0, mu[i] * normal / stick);
            CHECK_NEAR(r[3 * i], normal, 1e-9 * m);
            CHECK_NEAR(r[3 * i + 1], -share * m * q[3 * i + 1], 1e-8 * m);
            CHECK_NEAR(r[3 * i + 2], -share * m * q[3 * i + 2], 1e-8 * m);
        }
    }
}

TEST(a_few_contacts_that_are_not_finite_are_rejected)
{
    const utSection circle = ut_section_circle();
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int k = 0; k < 36 + 6; k++) {
        double W[36] = {0.0}, q[6], r[6] = {5.0, 5.0, 5.0, 5.0, 5.0, 5.0};
        for (int i = 0; i < 6; i++) {
            W[7 * i] = 1.0;
            q[i] = -1.0;
        }
        *(k < 36 ? &W[k] : &q[k - 36]) = bad[k % 3];
        const utCoulomb problem = {.dimension = 3,
                                   .contacts = 2,
                                   .mu = (double[]){0.5, 0.5},
                                   .section = &circle,
                                   .W = W,
                                   .q = q};
        const utCoulombDef def = ut_coulomb_def();
        utCoulombInfo info = {0};
        CHECK_INT(ut_coulomb_solve(&problem, UT_COULOMB_AUTO, &def, test_arena(), r, &info),
                  UT_ERR_ARGUMENT);
        CHECK(r[0] == 5.0 && r[5] == 5.0);
    }
}

// ---- sweeps -------------------------------------------------------------------------------------

static utCoulombInfo solve_scene(utFrictionScene scene, int count, uint64_t seed, bool* lawful)
{
    static double r[600];
    utArena memory = scratch_open();
    utArena arena = memory;
    utFrictionProblem made;
    utCoulomb local;
    utSection section = ut_section_circle();
    utFrictionDef def = ut_friction_def(scene);
    def.count = count;
    def.seed = seed;
    def.ratio = 10.0;
    def.push = ut_vec3(0.5, 0.2, 0.0);
    def.sparse = true;
    CHECK_INT(ut_friction_create(&def, &arena, &made), UT_OK);
    const utCoulomb bodies = ut_friction_blocks(&made, &section);
    CHECK_INT(ut_coulomb_delassus(&bodies, &arena, &local), UT_OK);
    const utCoulombInfo info = solve_in(&local, arena, r);
    CHECK_INT(info.outcome, UT_COULOMB_SOLVED);
    *lawful = true;
    for (int i = 0; i < local.contacts; i++) {
        *lawful = *lawful && obeys(&local, i, r, 100.0 * info.verdict.V);
    }
    scratch_close(&memory);
    return info;
}

TEST(loose_piles_are_solved_by_sweeps_and_stacks_are_not)
{
    int by_sweeps = 0, lawful = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        bool obeyed = false;
        by_sweeps += solve_scene(UT_FRICTION_PILE, 11, seed, &obeyed).rung == UT_RUNG_NSGS;
        lawful += obeyed;
    }
    test_note("%d of 20 piles by sweeps", by_sweeps);
    CHECK_INT(lawful, 20);
    CHECK(by_sweeps >= 2);
    // sweeps on a stack need thousands, so that they are given up
    bool obeyed = false;
    CHECK(solve_scene(UT_FRICTION_STACK, 8, 0, &obeyed).rung != UT_RUNG_NSGS);
    CHECK(obeyed);
}
