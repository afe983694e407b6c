// SPDX-License-Identifier: Apache-2.0
// The judge of friction problems: by hand, damaged on purpose, in other units, and beside a second
// implementation in long double.
#include <uptack/coulomb.h>

#include "coulomb/forms/delassus.h"
#include "support/long_law.h"
#include "test.h"

#include <math.h>
#include <string.h>

static const double MU[] = {0.5};

static utCoulombVerdict judge(const utCoulomb* problem, const double* r)
{
    utCoulombVerdict verdict;
    CHECK_INT(ut_coulomb_judge(problem, false, r, test_arena(), NULL, &verdict), UT_OK);
    return verdict;
}

// ---- a block on a plane -------------------------------------------------------------------------

// A block of 2 kg on a plane: W = 1/2, mu = 1/2. q = (-1, 0.25, 0): r = (2, -0.5, 0) holds it.
static const double W_BLOCK[] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};

static utCoulomb block(const utSection* section, const double* q)
{
    return (utCoulomb){
        .dimension = 3, .contacts = 1, .mu = MU, .section = section, .W = W_BLOCK, .q = q};
}

TEST(stick_slip_and_open_have_no_error)
{
    const utSection circle = ut_section_circle();
    const struct {
        double q[3], r[3], u[3], V;
    } cases[] = {
        {{-1, 0.25, 0}, {2, -0.5, 0}, {0, 0, 0}, sqrt(1.0625)},
        {{-1, 3, 4}, {2, -0.6, -0.8}, {0, 2.7, 3.6}, sqrt(26.0)},
        {{1, 3, 4}, {0, 0, 0}, {1, 3, 4}, 1e-9},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const utCoulomb problem = block(&circle, cases[c].q);
        utCoulombVerdict verdict;
        double u[3];
        CHECK_INT(ut_coulomb_judge(&problem, false, cases[c].r, test_arena(), u, &verdict), UT_OK);
        CHECK_NEAR(verdict.e, 0.0, 1e-15);
        CHECK_NEAR(verdict.E, verdict.e / verdict.V, 0.0);
        CHECK_NEAR(verdict.V, cases[c].V, 1e-15);
        CHECK_NEAR(verdict.cone, 0.0, 1e-16);
        CHECK_NEAR(verdict.bilateral, 0.0, 0.0);
        CHECK_NEAR(verdict.model_gap, 0.0, 0.0);
        CHECK_INT(verdict.contact, 0);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(u[k], cases[c].u[k], 1e-15);
        }
    }
}

// Without an impulse: r - m û = 2 (1 - 1/8, -1/4, 0) = (1.75, -0.5, 0) is in K, so e = |û|.
// û = (-1 + 0.125, 0.25, 0).
TEST(a_missing_impulse_is_worth_its_velocity)
{
    const utSection circle = ut_section_circle();
    const utCoulomb problem = block(&circle, (double[]){-1, 0.25, 0});
    const utCoulombVerdict verdict = judge(&problem, (double[]){0, 0, 0});
    CHECK_NEAR(verdict.e, sqrt(0.875 * 0.875 + 0.0625), 1e-15);
    CHECK_NEAR(verdict.E, verdict.e / sqrt(1.0625), 1e-15);
}

TEST(a_damaged_impulse_is_caught)
{
    const utSection circle = ut_section_circle();
    const utCoulomb stick = block(&circle, (double[]){-1, 0.25, 0});
    const utCoulomb slip = block(&circle, (double[]){-1, 3, 4});
    for (int k = 0; k < 3; k++) {
        double r[3] = {2, -0.5, 0};
        r[k] += 2e-7;
        CHECK(judge(&stick, r).E > 1e-8);
        double s[3] = {2, -0.6, -0.8};
        s[k] *= 1.0 + 1e-7;
        const utCoulombVerdict verdict = judge(&slip, s);
        CHECK(verdict.E > 1e-8 || verdict.cone > 1e-12);
    }
    CHECK(judge(&stick, (double[]){-2, -0.5, 0}).E > 0.1);
    CHECK(judge(&stick, (double[]){-2, -0.5, 0}).cone == (double)INFINITY);
    // friction that pushes along
    CHECK(judge(&slip, (double[]){2, 0.6, 0.8}).E > 0.1);
}

// excess 0.1 over mu r_n + m V = 1 + 2 sqrt(26)
TEST(an_impulse_outside_the_cone_is_named)
{
    const utSection circle = ut_section_circle();
    const utCoulomb slip = block(&circle, (double[]){-1, 3, 4});
    const utCoulombVerdict verdict = judge(&slip, (double[]){2, -0.66, -0.88});
    CHECK_NEAR(verdict.cone, 0.1 / (1.0 + 2.0 * sqrt(26.0)), 1e-15);
}

TEST(numbers_that_are_not_finite_fail)
{
    const utSection circle = ut_section_circle();
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int b = 0; b < 3; b++) {
        double q[3] = {-1, 0.25, 0}, r[3] = {2, -0.5, 0}, u[3];
        double W[9];
        memcpy(W, W_BLOCK, sizeof W);
        utCoulomb problem = block(&circle, q);
        problem.W = W;
        utCoulombVerdict verdict;
        r[2] = bad[b];
        CHECK_INT(ut_coulomb_judge(&problem, false, r, test_arena(), u, &verdict), UT_OK);
        CHECK(verdict.E == (double)INFINITY && verdict.contact == 0 && isnan(u[0]));
        r[2] = 0.0;
        q[1] = bad[b];
        CHECK(judge(&problem, r).E == (double)INFINITY);
        q[1] = 0.25;
        W[5] = bad[b]; // r[2] = 0 does not hide it
        CHECK(judge(&problem, r).E == (double)INFINITY);
        W[5] = 0.0;
        problem.mu = &bad[b];
        CHECK(judge(&problem, r).E == (double)INFINITY);
    }
    // a scale that overflows does not make everything small
    CHECK(judge(&(utCoulomb){.dimension = 3,
                             .contacts = 1,
                             .mu = MU,
                             .section = &circle,
                             .W = W_BLOCK,
                             .q = (double[]){-1e200, 0, 0}},
                (double[]){0, 0, 0})
              .E == (double)INFINITY);
}

TEST(a_bilateral_row_counts_its_velocity)
{
    const utSection circle = ut_section_circle();
    double W[16] = {0};
    for (int k = 0; k < 4; k++) {
        W[5 * k] = 0.5;
    }
    const utCoulomb problem = {.dimension = 3,
                               .contacts = 1,
                               .bilaterals = 1,
                               .mu = MU,
                               .section = &circle,
                               .W = W,
                               .q = (double[]){-1, 0, 0, 4}};
    CHECK_NEAR(judge(&problem, (double[]){2, 0, 0, -8}).bilateral, 0.0, 0.0);
    CHECK_NEAR(judge(&problem, (double[]){2, 0, 0, -8}).V, 4.0, 0.0);
    CHECK_NEAR(judge(&problem, (double[]){2, 0, 0, -6}).bilateral, 0.25, 0.0);
    CHECK_NEAR(judge(&problem, (double[]){2, 0, 0, -6}).E, 0.0, 0.0);
}

// The second contact cannot move: only its velocity counts, whatever its impulse.
TEST(an_immovable_contact_is_judged_by_its_velocity)
{
    const utSection segment = ut_section_segment();
    const double W[16] = {1, 0, 0, 0, 0, 1};
    double q[] = {-1, 0, 0.5, 0.25};
    const utCoulomb problem = {.dimension = 2,
                               .contacts = 2,
                               .mu = (double[]){0.5, 0.5},
                               .section = &segment,
                               .W = W,
                               .q = q};
    CHECK_NEAR(judge(&problem, (double[]){1, 0, 7, 0}).e, 0.0, 0.0);
    q[2] = -0.5;
    q[3] = 0.0;
    const utCoulombVerdict verdict = judge(&problem, (double[]){1, 0, 7, 0});
    CHECK_NEAR(verdict.e, 0.5, 1e-15);
    CHECK_INT(verdict.contact, 1);
}

// r on the vertex (1, 0) of a square, which -u_t = (2.5, 2) faces: right by the square's law, while
// Coulomb's wants r_t along -u_t.
TEST(a_polygon_is_judged_by_its_own_law_and_the_model_gap_is_reported)
{
    utSection square;
    ut_section_polygon(UT_SECTION_INSCRIBED, 4, 0.0, &square, NULL);
    const utCoulomb problem = block(&square, (double[]){-1, -3, -2});
    const double r[] = {2, 1, 0};
    const utCoulombVerdict verdict = judge(&problem, r);
    CHECK_NEAR(verdict.E, 0.0, 1e-15);
    const utSection circle = ut_section_circle();
    const utCoulomb round = block(&circle, (double[]){-1, -3, -2});
    CHECK_NEAR(verdict.model_gap, judge(&round, r).E, 0.0);
    CHECK(verdict.model_gap > 0.01);
}

// By hand for the convex law: û = u, r = 0 is right as soon as u is in K*.
TEST(the_convex_law_has_no_shift)
{
    const utSection circle = ut_section_circle();
    const utCoulomb problem = block(&circle, (double[]){1, 3, 0});
    utCoulombVerdict verdict;
    const double none[] = {0, 0, 0};
    CHECK_INT(ut_coulomb_judge(&problem, true, none, test_arena(), NULL, &verdict), UT_OK);
    CHECK(verdict.e > 0.1);
    CHECK_NEAR(judge(&problem, none).e, 0.0, 0.0);
}

// By hand: the block rests under (2, -0.5, 0), V = sqrt(1.0625).
TEST(a_stored_velocity_belongs_to_its_impulses)
{
    const utSection circle = ut_section_circle();
    const utCoulomb problem = block(&circle, (double[]){-1, 0.25, 0});
    const double r[] = {2, -0.5, 0};
    double mismatch = -1.0;
    CHECK_INT(ut_coulomb_judge_velocity(&problem, r, (double[]){0, 0, 0}, test_arena(), &mismatch),
              UT_OK);
    CHECK_NEAR(mismatch, 0.0, 0.0);
    CHECK_INT(
        ut_coulomb_judge_velocity(&problem, r, (double[]){0, 0.125, -0.5}, test_arena(), &mismatch),
        UT_OK);
    CHECK_NEAR(mismatch, 0.5 / sqrt(1.0625), 1e-16);
    CHECK_INT(ut_coulomb_judge_velocity(&problem, r, (double[]){0, (double)NAN, 0}, test_arena(),
                                        &mismatch),
              UT_OK);
    CHECK(mismatch == (double)INFINITY);
    double memory[4];
    CHECK_INT(
        ut_coulomb_judge_velocity(&problem, r, r, ut_arena_on(memory, sizeof memory), &mismatch),
        UT_ERR_CAPACITY);
}

// ---- random problems ----------------------------------------------------------------------------

enum { D = 3, CONTACTS = 4, BILATERALS = 2, N = D * CONTACTS + BILATERALS, DOF = 9 };

typedef struct Random {
    double M[DOF * DOF], f[DOF], J[N * DOF], b[N], mu[CONTACTS], r[N];
    double W[N * N], q[N]; // in double, by way of long double
    long double A[N][N], Q[N];
} Random;

// x = M^-1 x by Gauss in long double
static void solve_long(const double* M, long double* x)
{
    long double T[DOF][DOF];
    for (int i = 0; i < DOF; i++) {
        for (int j = 0; j < DOF; j++) {
            T[i][j] = (long double)M[i * DOF + j];
        }
    }
    for (int k = 0; k < DOF; k++) {
        for (int i = k + 1; i < DOF; i++) {
            const long double factor = T[i][k] / T[k][k];
            for (int j = k; j < DOF; j++) {
                T[i][j] -= factor * T[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int i = DOF - 1; i >= 0; i--) {
        for (int j = i + 1; j < DOF; j++) {
            x[i] -= T[i][j] * x[j];
        }
        x[i] /= T[i][i];
    }
}

static void fill_local(Random* p)
{
    for (int k = 0; k <= N; k++) {
        long double x[DOF];
        for (int i = 0; i < DOF; i++) {
            x[i] = k < N ? (long double)p->J[k * DOF + i] : (long double)p->f[i];
        }
        solve_long(p->M, x);
        for (int i = 0; i < N; i++) {
            long double sum = k < N ? 0.0L : (long double)p->b[i];
            for (int j = 0; j < DOF; j++) {
                sum += (long double)p->J[i * DOF + j] * x[j];
            }
            *(k < N ? &p->A[i][k] : &p->Q[i]) = sum;
            *(k < N ? &p->W[i * N + k] : &p->q[i]) = (double)sum;
        }
    }
}

static void random_problem(utRng* rng, Random* p)
{
    double G[DOF * DOF];
    for (int i = 0; i < DOF * DOF; i++) {
        G[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    for (int i = 0; i < DOF; i++) {
        p->f[i] = ut_rng_range(rng, -1.0, 1.0);
        for (int j = 0; j < DOF; j++) {
            p->M[i * DOF + j] = i == j ? 1.0 : 0.0;
            for (int k = 0; k < DOF; k++) {
                p->M[i * DOF + j] += G[i * DOF + k] * G[j * DOF + k];
            }
        }
    }
    for (int i = 0; i < N * DOF; i++) {
        p->J[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    for (int i = 0; i < N; i++) {
        p->b[i] = ut_rng_range(rng, -1.0, 1.0);
        p->r[i] = ut_rng_range(rng, -1.0, 1.0);
    }
    for (int i = 0; i < CONTACTS; i++) {
        p->mu[i] = ut_rng_range(rng, 0.0, 1.0);
        p->r[D * i] = fabs(p->r[D * i]);
        if (ut_rng_below(rng, 3) == 0) {
            memset(p->r + (size_t)D * (size_t)i, 0, D * sizeof *p->r);
        }
    }
    fill_local(p);
}

static utCoulomb local_form(const Random* p, const utSection* section)
{
    return (utCoulomb){.dimension = D,
                       .contacts = CONTACTS,
                       .bilaterals = BILATERALS,
                       .mu = p->mu,
                       .section = section,
                       .W = p->W,
                       .q = p->q};
}

static utCoulomb global_form(const Random* p, const utSection* section)
{
    utCoulomb problem = local_form(p, section);
    problem.W = NULL;
    problem.q = NULL;
    problem.dof = DOF;
    problem.M = p->M;
    problem.f = p->f;
    problem.J = p->J;
    problem.b = p->b;
    return problem;
}

static void judge_long(const Random* p, double* E, double* bilateral, double* V_out)
{
    long double u[N], r[N], V = 1e-9L, worst = 0.0L, most = 0.0L;
    for (int i = 0; i < N; i++) {
        r[i] = (long double)p->r[i];
    }
    for (int i = 0; i < N; i++) {
        u[i] = p->Q[i];
        for (int j = 0; j < N; j++) {
            u[i] += p->A[i][j] * r[j];
        }
    }
    for (int i = 0; i < CONTACTS; i++) {
        const int k = D * i;
        const bool carries = p->r[k] != 0.0 || p->r[k + 1] != 0.0 || p->r[k + 2] != 0.0;
        const long double size =
            sqrtl(p->Q[k] * p->Q[k] + p->Q[k + 1] * p->Q[k + 1] + p->Q[k + 2] * p->Q[k + 2]);
        V = (p->Q[k] < 0.0L || carries) && size > V ? size : V;
        const long double m = 3.0L / (p->A[k][k] + p->A[k + 1][k + 1] + p->A[k + 2][k + 2]);
        const long double e = error_long((long double)p->mu[i], m, r + k, u + k);
        worst = e > worst ? e : worst;
    }
    for (int j = D * CONTACTS; j < N; j++) {
        V = fabsl(p->Q[j]) > V ? fabsl(p->Q[j]) : V;
        most = fabsl(u[j]) > most ? fabsl(u[j]) : most;
    }
    *E = (double)(worst / V);
    *bilateral = (double)(most / V);
    *V_out = (double)V;
}

TEST(a_second_implementation_in_long_double_agrees_with_both_forms)
{
    const utSection circle = ut_section_circle();
    utRng rng = ut_rng(21, 0);
    static Random p;
    for (int k = 0; k < 300; k++) {
        random_problem(&rng, &p);
        double E, bilateral, V;
        judge_long(&p, &E, &bilateral, &V);
        const utCoulomb forms[] = {local_form(&p, &circle), global_form(&p, &circle)};
        for (int f = 0; f < 2; f++) {
            const utCoulombVerdict verdict = judge(&forms[f], p.r);
            CHECK_NEAR(verdict.E, E, 1e-13 * (1.0 + E));
            CHECK_NEAR(verdict.bilateral, bilateral, 1e-13 * (1.0 + bilateral));
            CHECK_NEAR(verdict.V, V, 1e-13 * V);
        }
    }
}

// Masses times a: r and M and f times a. Lengths times c: b, f, r times c.
TEST(units_of_mass_and_length_leave_E_as_it_is)
{
    const utSection circle = ut_section_circle();
    utRng rng = ut_rng(22, 0);
    static Random p, s;
    for (int k = 0; k < 100; k++) {
        random_problem(&rng, &p);
        s = p;
        const double a = k % 2 == 0 ? 1e6 : 1.0;
        const double c = k % 3 == 0 ? 1e-3 : 1.0;
        for (int i = 0; i < DOF * DOF; i++) {
            s.M[i] *= a;
        }
        for (int i = 0; i < DOF; i++) {
            s.f[i] *= a * c;
        }
        for (int i = 0; i < N; i++) {
            s.b[i] *= c;
            s.r[i] *= a * c;
        }
        fill_local(&s);
        const utCoulomb before[] = {local_form(&p, &circle), global_form(&p, &circle)};
        const utCoulomb after[] = {local_form(&s, &circle), global_form(&s, &circle)};
        for (int f = 0; f < 2; f++) {
            const double E = judge(&before[f], p.r).E;
            CHECK_NEAR(judge(&after[f], s.r).E, E, 1e-13 * (1.0 + E));
        }
    }
}

TEST(too_little_scratch_is_said)
{
    const utSection circle = ut_section_circle();
    const utCoulomb problem = block(&circle, (double[]){-1, 0, 0});
    double memory[4];
    utCoulombVerdict verdict;
    CHECK_INT(ut_coulomb_judge(&problem, false, (double[]){2, 0, 0},
                               ut_arena_on(memory, sizeof memory), NULL, &verdict),
              UT_ERR_CAPACITY);
}

// ---- checks -------------------------------------------------------------------------------------

TEST(a_problem_that_cannot_be_used_is_refused_with_its_entry)
{
    const utSection circle = ut_section_circle();
    const utSection segment = ut_section_segment();
    const utSection none = {.dimension = 3};
    const double nan = (double)NAN;
    const double M[] = {1, 0.5, 0.25, 1};
    const double q[] = {0, 0, 0};
    const utCoulomb good = {
        .dimension = 3, .contacts = 1, .mu = MU, .section = &circle, .W = W_BLOCK, .q = q};
    utCoulomb cases[20];
    for (int c = 0; c < 20; c++) {
        cases[c] = good;
    }
    const utCoulomb global = {.dimension = 3,
                              .contacts = 0,
                              .bilaterals = 1,
                              .dof = 2,
                              .M = (double[]){1, 0, 0, 1},
                              .f = q,
                              .J = q,
                              .b = q};
    cases[0].dimension = 5;
    cases[1].contacts = -1;
    cases[2].contacts = 0;
    cases[3].contacts = 1 << 30;
    cases[4].mu = NULL;
    cases[5].section = &none;
    cases[6].section = &segment;
    cases[7].mu = (double[]){-0.5};
    cases[8].mu = &nan;
    cases[9].W = NULL;
    cases[10].b = q;
    cases[11].W = NULL;
    cases[11].q = NULL;
    cases[12].W = (double[]){1, 0, 0, 0, 1, nan, 0, 0, 1};
    cases[13].q = (double[]){0, 0, nan};
    for (int c = 14; c < 20; c++) {
        cases[c] = global;
    }
    cases[14].J = NULL;
    cases[15].dof = 0;
    cases[16].M = M;
    cases[17].M = (double[]){1, 0, 0, 0};
    cases[18].J = (double[]){0, nan};
    cases[19].bilaterals = -1;
    static const char* const messages[] = {
        ("dimension is 5; it is 2 in the plane, 3 in space, 4 with torsional and 6 with rolling "
         "friction"),
        "contacts is -1; it cannot be negative",
        "there are 0 rows; 1 to 2147483647 can be solved",
        "there are 3221225472 rows; 1 to 2147483647 can be solved",
        "contacts need mu and a section",
        "the section was not made by one of the functions of uptack/law.h",
        "the section is for dimension 2 but the problem has dimension 3",
        "mu[0] is -0.5; it must be finite and not negative",
        "mu[0] is nan; it must be finite and not negative",
        "the local form needs both W and q",
        "more than one form is given; it is either W and q, or M, f, J and b, or blocks, f and b",
        "no form is given; it is either W and q, or M, f, J and b, or blocks, f and b",
        "W[1][2] is not a finite number",
        "q[2] is not a finite number",
        "the global form needs all of M, f, J and b",
        "dof is 0; the global form needs at least one velocity",
        "M[1][0] is 0.25 but M[0][1] is 0.5; M must be symmetric",
        "M[1][1] is 0; a mass matrix has a positive diagonal",
        "J[0][1] is not a finite number",
        "bilaterals is -1; it cannot be negative",
    };
    CHECK_INT(ut_coulomb_check(&good, NULL), UT_OK);
    CHECK_INT(ut_coulomb_check(&global, NULL), UT_OK);
    CHECK_INT(ut_coulomb_check(NULL, NULL), UT_ERR_ARGUMENT);
    for (int c = 0; c < 20; c++) {
        utError err;
        CHECK_INT(ut_coulomb_check(&cases[c], &err), UT_ERR_ARGUMENT);
        CHECK_TEXT(err.message, messages[c]);
    }
}

// ---- what rounding would hide -------------------------------------------------------------------

// One velocity v = f of a mass of 1, and J v + b that cancels: 2^-60 is all that is left of the
// product, and 1 of a sum of 1e16. Both are exact only in twice the working precision.
TEST(velocities_that_cancel_are_exact)
{
    const utSection segment = ut_section_segment();
    const double h = 0x1p-30;
    const double M[] = {1, 0, 0, 1};
    const double f[] = {1 + h, 1};
    const double J[] = {1 + h, 0, 1e16 / (1 + h), -1e16};
    const double b[] = {-(1 + 2 * h), 1};
    const utCoulomb problem = {.dimension = 2,
                               .contacts = 1,
                               .mu = MU,
                               .section = &segment,
                               .dof = 2,
                               .M = M,
                               .f = f,
                               .J = J,
                               .b = b};
    const double r[] = {0, 0};
    double u[2];
    utCoulombVerdict verdict;
    CHECK_INT(ut_coulomb_judge(&problem, false, r, test_arena(), u, &verdict), UT_OK);
    CHECK_NEAR(u[0], 0x1p-60, 0.0);
    // 1e16 / (1 + h) is rounded by at most 1/2; fma gives the error times 1 + h
    CHECK_NEAR(u[1], 1.0 + fma(J[2], f[0], -1e16), 1e-6);
}

// Two joints: u = (3 - 1, 4) / 1, over the largest of |q| = 5, |r| = 1 and |u|.
TEST(joints_count_in_the_relative_residual)
{
    const double W[] = {1, 0, 0, 1};
    const double q[] = {3, 4};
    const double r[] = {-1, 0};
    const utCoulomb problem = {.dimension = 3, .bilaterals = 2, .W = W, .q = q};
    CHECK_NEAR(judge(&problem, r).relative, sqrt(20.0) / 5.0, 1e-15);
}

// The upper triangle of a mass matrix is not used, but its numbers must be finite too.
TEST(masses_must_be_finite_in_both_triangles)
{
    const utSection segment = ut_section_segment();
    const int start[] = {0, 2};
    const int first[] = {0, 1};
    const int node[] = {0};
    const double good[] = {1, 0, 0, 1};
    const double bad[] = {1, (double)NAN, 0, 1};
    const double J[] = {1, 0, 0, 1};
    const double f[] = {-1, 0};
    const double zero[] = {0, 0};
    const double r[] = {1, 0};
    for (int k = 0; k < 2; k++) {
        const utCoulombBlocks blocks = {1, start, k == 0 ? good : bad, first, node, J};
        const utCoulomb problem = {.dimension = 2,
                                   .contacts = 1,
                                   .mu = MU,
                                   .section = &segment,
                                   .dof = 2,
                                   .blocks = &blocks,
                                   .f = f,
                                   .b = zero};
        utCoulomb dense = problem;
        dense.blocks = NULL;
        dense.M = blocks.M;
        dense.J = J;
        CHECK(judge(&problem, r).E == (k == 0 ? 0.0 : HUGE_VAL));
        CHECK(judge(&dense, r).E == (k == 0 ? 0.0 : HUGE_VAL));
    }
}

// Two rows with impulses between 0 and 1, W = 1, q = -1/2: r = 1/2 stops the first, nothing the
// second, which still moves at -1/2 = -V.
TEST(the_worst_of_several_bounded_rows_is_reported)
{
    const double W[] = {1, 0, 0, 1};
    const double q[] = {-0.5, -0.5};
    const double low[] = {0, 0};
    const double high[] = {1, 1};
    const utCoulomb problem = {
        .dimension = 3, .bilaterals = 2, .W = W, .q = q, .low = low, .high = high};
    const utCoulombVerdict first = judge(&problem, (double[]){0, 0.5});
    CHECK_NEAR(first.E, 1.0, 1e-15);
    CHECK_INT(first.contact, 0);
    const utCoulombVerdict second = judge(&problem, (double[]){0.5, 0});
    CHECK_NEAR(second.E, 1.0, 1e-15);
    CHECK_INT(second.contact, 1);
    CHECK_NEAR(judge(&problem, (double[]){0.5, 0.5}).E, 0.0, 0.0);
}
