// SPDX-License-Identifier: Apache-2.0
// Free bodies with diagonal masses, for which the judge has loops of its own; and problems whose
// structure the caller vouches for.
#include <uptack/coulomb.h>

#include <math.h>
#include <string.h>

#include "test.h"

enum { DOF = 12, CONTACTS = 4, ROWS = 3 * CONTACTS, ENTRIES = 72 };

// Two free bodies with four contacts between them and two of these on the ground.
typedef struct Pair {
    double M[ENTRIES], f[DOF], J[ROWS * DOF], b[ROWS], mu[CONTACTS], r[ROWS];
    utCoulombBlocks blocks;
    utCoulomb problem;
} Pair;

static const int START[] = {0, 6, 12};
static const int FIRST[] = {0, 2, 4, 5, 6};
static const int NODE[] = {0, 1, 0, 1, 0, 1};

static void make_pair(uint64_t seed, const utSection* circle, Pair* p)
{
    utRng rng = ut_rng(seed, 0);
    memset(p, 0, sizeof *p);
    for (int i = 0; i < DOF; i++) {
        p->M[36 * (i / 6) + 7 * (i % 6)] = ut_rng_range(&rng, 0.1, 10.0);
        p->f[i] = ut_rng_range(&rng, -1.0, 1.0);
    }
    for (int k = 0; k < ROWS; k++) {
        p->b[k] = ut_rng_range(&rng, -0.1, 0.1);
        p->r[k] = k % 3 == 0 ? ut_rng_range(&rng, 0.0, 1.0) : ut_rng_range(&rng, -0.2, 0.2);
    }
    for (int k = 0; k < ROWS * DOF; k++) {
        p->J[k] = ut_rng_range(&rng, -1.0, 1.0);
    }
    for (int i = 0; i < CONTACTS; i++) {
        p->mu[i] = ut_rng_range(&rng, 0.0, 1.0);
    }
    p->blocks = (utCoulombBlocks){2, START, p->M, FIRST, NODE, p->J};
    p->problem = (utCoulomb){.dimension = 3,
                             .contacts = CONTACTS,
                             .mu = p->mu,
                             .section = circle,
                             .dof = DOF,
                             .blocks = &p->blocks,
                             .f = p->f,
                             .b = p->b};
}

// Entries of 1e-300 beside the diagonal change no bit of a sum, but the mass is no longer diagonal.
static void make_full(Pair* p)
{
    for (int n = 0; n < 2; n++) {
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                p->M[36 * n + 6 * i + j] += i == j ? 0.0 : 1e-300;
            }
        }
    }
}

TEST(a_diagonal_mass_has_the_bits_of_a_full_one)
{
    const utSection circle = ut_section_circle();
    for (uint64_t seed = 1; seed <= 50; seed++) {
        Pair p;
        utCoulombVerdict verdict[2];
        double u[2][ROWS];
        make_pair(seed, &circle, &p);
        for (int full = 0; full < 2; full++) {
            if (full == 1) {
                make_full(&p);
            }
            memset(&verdict[full], 0, sizeof verdict[full]);
            CHECK_INT(
                ut_coulomb_judge(&p.problem, false, p.r, test_arena(), u[full], &verdict[full]),
                UT_OK);
        }
        CHECK(memcmp(u[0], u[1], sizeof u[0]) == 0);
        CHECK_NEAR(verdict[0].e, verdict[1].e, 0.0);
        CHECK_NEAR(verdict[0].E, verdict[1].E, 0.0);
        CHECK_NEAR(verdict[0].V, verdict[1].V, 0.0);
        CHECK_NEAR(verdict[0].cone, verdict[1].cone, 0.0);
        CHECK_NEAR(verdict[0].relative, verdict[1].relative, 0.0);
    }
}

// A ball of mass 2 and inertia 5 that touches at an arm of 3 below its centre: the rows along the tangents
// turn it, so that tr(A) = 3 / 2 + 2 * 9 / 5 and m = 3 / tr(A). The gap opens at 1 m/s. An impulse of 1/2
// makes u_n = 5/4 and r_n - m u_n < 0, so that the projection is 0 and e = r_n / m.
TEST(the_effective_mass_of_a_ball_is_that_of_its_trace)
{
    const utSection circle = ut_section_circle();
    const int start[] = {0, 6}, first[] = {0, 1}, node[] = {0};
    const double mu[] = {0.0};
    const double J[18] = {[2] = 1.0, [6] = 1.0, [6 + 4] = -3.0, [12 + 1] = 1.0, [12 + 3] = 3.0};
    const double f[6] = {0.0};
    const double b[3] = {1.0, 0.0, 0.0};
    double M[36] = {0.0};
    for (int i = 0; i < 6; i++) {
        M[7 * i] = i < 3 ? 2.0 : 5.0;
    }
    const utCoulombBlocks blocks = {1, start, M, first, node, J};
    const utCoulomb problem = {.dimension = 3,
                               .contacts = 1,
                               .mu = mu,
                               .section = &circle,
                               .dof = 6,
                               .blocks = &blocks,
                               .f = f,
                               .b = b};
    const double r[] = {0.5, 0.0, 0.0};
    utCoulombVerdict verdict;
    double u[3];
    CHECK_INT(ut_coulomb_judge(&problem, false, r, test_arena(), u, &verdict), UT_OK);
    CHECK_NEAR(u[0], 1.25, 1e-15);
    CHECK_NEAR(verdict.e, 0.5 * (3.0 / 2.0 + 2.0 * 9.0 / 5.0) / 3.0, 1e-14);
}

// ---- trusted problems ---------------------------------------------------------------------------

TEST(a_trusted_problem_has_the_same_answer)
{
    const utSection circle = ut_section_circle();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Pair p;
        double r[2][ROWS];
        utCoulombInfo info[2];
        make_pair(seed, &circle, &p);
        for (int trusted = 0; trusted < 2; trusted++) {
            utCoulombDef def = ut_coulomb_def();
            def.trusted = trusted == 1;
            CHECK_INT(ut_coulomb_solve(&p.problem, UT_COULOMB_AUTO, &def, test_arena(), r[trusted],
                                       &info[trusted]),
                      UT_OK);
        }
        CHECK(memcmp(r[0], r[1], sizeof r[0]) == 0);
        CHECK_INT(info[0].outcome, info[1].outcome);
        CHECK_NEAR(info[0].verdict.E, info[1].verdict.E, 0.0);
        CHECK(info[0].verdict.relative > 0.0 || info[0].outcome == UT_COULOMB_SOLVED);
    }
}

TEST(numbers_of_a_trusted_problem_are_checked)
{
    const utSection circle = ut_section_circle();
    Pair p;
    make_pair(1, &circle, &p);
    double* const entry[] = {&p.M[8], &p.f[11], &p.J[70], &p.b[11], &p.mu[3]};
    utCoulombDef def = ut_coulomb_def();
    def.trusted = true;
    for (int k = 0; k < 5; k++) {
        const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
        for (int n = 0; n < 3; n++) {
            const double kept = *entry[k];
            double r[ROWS];
            utCoulombInfo info;
            *entry[k] = bad[n];
            CHECK_INT(ut_coulomb_solve(&p.problem, UT_COULOMB_AUTO, &def, test_arena(), r, &info),
                      UT_ERR_ARGUMENT);
            *entry[k] = kept;
        }
    }
    p.M[7] = -1.0;
    double r[ROWS];
    utCoulombInfo info;
    CHECK_INT(ut_coulomb_solve(&p.problem, UT_COULOMB_AUTO, &def, test_arena(), r, &info),
              UT_ERR_ARGUMENT);
}
