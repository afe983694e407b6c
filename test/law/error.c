// SPDX-License-Identifier: Apache-2.0
// Errors of the law: shift, e_i, its degenerate form, scalar rows, the cone.
#include "cases.h"

static const double inf = (double)INFINITY;

// ---- Coulomb's cases, by hand -------------------------------------------------------------------

TEST(open_stick_and_slip_have_error_zero)
{
    const utSection circle = ut_section_circle(), segment = ut_section_segment();
    const utLaw round = {.section = &circle, .mu = 0.75}, flat = {.section = &segment, .mu = 0.75};
    const double zero[] = {0, 0, 0};
    // open: no impulse, whatever the velocity as long as it does not close
    CHECK(ut_law_error(&round, 2.0, zero, (double[]){0.5, 3, -4}) == 0.0);
    CHECK(ut_law_error(&round, 2.0, zero, (double[]){0, 3, -4}) == 0.0);
    CHECK(ut_law_error(&flat, 2.0, zero, (double[]){0.5, -3}) == 0.0);
    CHECK(ut_law_error(&round, 2.0, zero, zero) == 0.0);
    // stick: no velocity, any impulse of the cone
    CHECK(ut_law_error(&round, 2.0, (double[]){1, 0.3, -0.4}, zero) == 0.0);
    CHECK(ut_law_error(&flat, 2.0, (double[]){4, -3}, zero) == 0.0);
    // slip: |r_t| = mu r_n against u_t, u_n = 0
    CHECK_NEAR(ut_law_error(&round, 2.0, (double[]){20, -9, 12}, (double[]){0, 3, -4}), 0.0, 2e-15);
    CHECK_NEAR(ut_law_error(&flat, 2.0, (double[]){4, -3}, (double[]){0, 7}), 0.0, 1e-15);
}

TEST(violations_of_coulombs_law_have_the_error_of_the_hand_calculation)
{
    const utSection circle = ut_section_circle();
    const utLaw law = {.section = &circle, .mu = 0.75};
    const double zero[] = {0, 0, 0};
    // closing without an impulse: P_K(-m u) = m (1, 0, 0), error the closing speed
    CHECK_NEAR(ut_law_error(&law, 2.0, zero, (double[]){-1, 0, 0}), 1.0, 0.0);
    // opening with an impulse: r - P_K(r - m u) = r for a fast opening, m u for a slow one
    CHECK_NEAR(ut_law_error(&law, 2.0, (double[]){1, 0, 0}, (double[]){3, 0, 0}), 0.5, 0.0);
    CHECK_NEAR(ut_law_error(&law, 2.0, (double[]){10, 0, 0}, (double[]){3, 0, 0}), 3.0, 0.0);
    // pulling: r = (-2, 0, 0) projects to 0
    CHECK_NEAR(ut_law_error(&law, 2.0, (double[]){-2, 0, 0}, zero), 1.0, 0.0);
    // beyond the cone without slip: r = (1, 2, 0) projects to (1.6, 1.2, 0)
    CHECK_NEAR(ut_law_error(&law, 2.0, (double[]){1, 2, 0}, zero), 0.5, 4e-16);
    // slip without friction: û = (0.75, 1, 0), r - û = (9.25, -1, 0) is inside: |û| = 1.25
    CHECK_NEAR(ut_law_error(&law, 1.0, (double[]){10, 0, 0}, (double[]){0, 1, 0}), 1.25, 0.0);
    // friction that drives: r = (4, 3, 0), û = (0.75, 1, 0), r - û = (3.25, 2, 0) is inside
    CHECK_NEAR(ut_law_error(&law, 1.0, (double[]){4, 3, 0}, (double[]){0, 1, 0}), 1.25, 0.0);
    // friction across the slip
    CHECK(ut_law_error(&law, 1.0, (double[]){4, 0, 3}, (double[]){0, 1, 0}) > 0.5);
}

// For the square |x| + |y| <= 1 the most dissipative impulse against u_t = (2, 1) is at (-1, 0),
// and against (1, 1) anywhere between (-1, 0) and (0, -1).
TEST(polygons_slip_towards_the_vertex_that_dissipates_most)
{
    const utSection P = inscribed(4);
    const utLaw law = {.section = &P, .mu = 0.5};
    CHECK_NEAR(ut_law_error(&law, 1.0, (double[]){2, -1, 0}, (double[]){0, 2, 1}), 0.0, 1e-15);
    CHECK(ut_law_error(&law, 1.0, (double[]){2, 0, -1}, (double[]){0, 2, 1}) > 0.1);
    CHECK(ut_law_error(&law, 1.0, (double[]){2, -0.5, -0.5}, (double[]){0, 2, 1}) > 0.1);
    for (int k = 0; k <= 4; k++) {
        const double r[] = {2, -0.25 * k, -1.0 + 0.25 * k};
        CHECK_NEAR(ut_law_error(&law, 1.0, r, (double[]){0, 1, 1}), 0.0, 1e-15);
    }
    // circumscribed |x|, |y| <= 1: against (2, 1) the corner (-1, -1), against (1, 0) all x = -1
    const utSection Q = circumscribed(4);
    const utLaw other = {.section = &Q, .mu = 0.5};
    CHECK_NEAR(ut_law_error(&other, 1.0, (double[]){2, -1, -1}, (double[]){0, 2, 1}), 0.0, 4e-15);
    CHECK_NEAR(ut_law_error(&other, 1.0, (double[]){2, -1, 0.3}, (double[]){0, 1, 0}), 0.0, 1e-15);
    CHECK(ut_law_error(&other, 1.0, (double[]){2, -0.9, 0.3}, (double[]){0, 1, 0}) > 0.05);
}

// Random states that obey the law of each section have no error. A change of any entry of the
// impulse by 1e-7 gives an error of that order.
TEST(states_that_obey_the_law_have_no_error_and_changed_impulses_have_one)
{
    utRng rng = ut_rng(60, 0);
    for (int k = 0; k < SECTION_CASES; k++) {
        const utSection P = make_section(section_cases[k]);
        const int n = P.dimension;
        for (int trial = 0; trial < 300; trial++) {
            const utLaw law = {.section = &P, .mu = ut_rng_range(&rng, 0.1, 1.0)};
            const double m = ut_rng_range(&rng, 0.5, 2.0);
            double u[3] = {0.0, 0.0, 0.0}, r[3], back[2];
            const bool slips = ut_rng_below(&rng, 2) == 0;
            for (int i = 1; i < n; i++) {
                u[i] = ut_rng_range(&rng, -1.0, 1.0);
                back[i - 1] = -u[i];
            }
            ut_section_support_point(&P, back, r + 1);
            r[0] = ut_rng_range(&rng, 0.5, 1.5);
            for (int i = 1; i < n; i++) {
                r[i] *= law.mu * r[0] * (slips ? 1.0 : 0.9);
                u[i] *= slips ? 1.0 : 0.0;
            }
            CHECK_NEAR(ut_law_error(&law, m, r, u), 0.0, 2e-15);
            CHECK(ut_law_violation(&law, m, 1.0, r) <= 1e-15);
            if (slips && norm(n - 1, u + 1) > 0.1) {
                r[1] *= 1.0 + 1e-7;
                r[0] *= 1.0 - 1e-7;
                CHECK(ut_law_error(&law, m, r, u) > 1e-10);
                CHECK(ut_law_violation(&law, m, 1.0, r) > 1e-10);
            }
        }
    }
}

// At rest a load is held exactly up to the stick limit of its direction.
TEST(a_load_at_the_stick_limit_has_no_error_and_just_beyond_it_has)
{
    const int d[] = {4, 8, 16};
    const double pi = 3.1415926535897931;
    for (int i = 0; i < 3; i++) {
        for (int kind = 0; kind < 2; kind++) {
            const utSection P = kind == 0 ? inscribed(d[i]) : circumscribed(d[i]);
            const utLaw law = {.section = &P, .mu = 0.5};
            const double between = kind == 0 ? cos(pi / d[i]) : 1.0 / cos(pi / d[i]);
            for (int midway = 0; midway < 2; midway++) {
                const double angle = midway * pi / d[i], limit = 0.5 * (midway ? between : 1.0);
                double r[] = {1.0, limit * cos(angle), limit * sin(angle)};
                CHECK_NEAR(ut_law_error(&law, 1.0, r, (double[]){0, 0, 0}), 0.0, 1e-15);
                CHECK(ut_law_violation(&law, 1.0, 1.0, r) < 1e-15);
                r[1] *= 1.0 + 1e-6;
                r[2] *= 1.0 + 1e-6;
                CHECK(ut_law_error(&law, 1.0, r, (double[]){0, 0, 0}) > 1e-7);
                CHECK(ut_law_violation(&law, 1.0, 1.0, r) > 1e-7);
            }
        }
    }
}

// ---- shift --------------------------------------------------------------------------------------

TEST(the_shift_is_mu_times_the_support_against_the_slip)
{
    const utSection circle = ut_section_circle(), in = inscribed(4), out = circumscribed(4);
    const utSection segment = ut_section_segment();
    const double u[] = {-0.25, 3, -4};
    double u_hat[3];
    CHECK_NEAR(ut_law_shift(&(utLaw){.section = &circle, .mu = 0.5}, u), 2.5, 0.0);
    CHECK_NEAR(ut_law_shift(&(utLaw){.section = &in, .mu = 0.5}, u), 2.0, 0.0);
    CHECK_NEAR(ut_law_shift(&(utLaw){.section = &out, .mu = 0.5}, u), 3.5, 1e-15);
    CHECK_NEAR(ut_law_shift(&(utLaw){.section = &segment, .mu = 0.5}, u), 1.5, 0.0);
    ut_law_shifted(&(utLaw){.section = &circle, .mu = 0.5}, u, u_hat);
    CHECK(u_hat[0] == 2.25 && u_hat[1] == 3.0 && u_hat[2] == -4.0);
    ut_law_shifted(&(utLaw){.section = &circle, .mu = 0.5, .convex = true}, u, u_hat);
    CHECK(u_hat[0] == -0.25 && u_hat[1] == 3.0 && u_hat[2] == -4.0);
    ut_law_shifted(&(utLaw){.section = &segment, .mu = 0.5}, (double[]){1, -2}, u_hat);
    CHECK(u_hat[0] == 2.0 && u_hat[1] == -2.0);
}

// The convex law lifts a sliding contact off at u_n = mu |u_t|.
TEST(without_the_shift_slip_opens)
{
    const utSection circle = ut_section_circle();
    const utLaw convex = {.section = &circle, .mu = 0.75, .convex = true},
                coulomb = {.section = &circle, .mu = 0.75};
    const double r[] = {4, -3, 0}, flat[] = {0, 1, 0}, lifted[] = {0.75, 1, 0};
    CHECK_NEAR(ut_law_error(&convex, 1.0, r, lifted), 0.0, 1e-15);
    CHECK_NEAR(ut_law_error(&coulomb, 1.0, r, flat), 0.0, 1e-15);
    CHECK(ut_law_error(&convex, 1.0, r, flat) > 0.1);
    CHECK(ut_law_error(&coulomb, 1.0, r, lifted) > 0.1);
}

// ---- the degenerate error -----------------------------------------------------------------------

TEST(a_contact_that_nothing_moves_is_judged_by_the_distance_to_the_dual)
{
    const utSection circle = ut_section_circle();
    const utLaw law = {.section = &circle, .mu = 0.75},
                convex = {.section = &circle, .mu = 0.75, .convex = true};
    CHECK(ut_law_error_degenerate(&law, (double[]){0, 0, 0}) == 0.0);
    CHECK(ut_law_error_degenerate(&law, (double[]){0.1, 3, -4}) == 0.0);
    CHECK_NEAR(ut_law_error_degenerate(&law, (double[]){-2, 0, 0}), 2.0, 0.0);
    // û = (-1 + 3/4, 1, 0): the border of K* is u_n = 3/4 |u_t|, at 1 * 4/5 from it
    CHECK_NEAR(ut_law_error_degenerate(&law, (double[]){-1, 1, 0}), 0.8, 4e-16);
    CHECK_NEAR(ut_law_error_degenerate(&convex, (double[]){0, 1, 0}), 0.6, 4e-16);
    CHECK_NEAR(ut_law_dual_excess(&law, (double[]){-1, 3, 4}), 4.75, 0.0);
    CHECK(ut_law_dual_excess(&law, (double[]){3.75, 3, 4}) == 0.0);
}

// e -> dist(û, K*) as m grows with r held, and so for r = 0 at any m.
TEST(without_an_impulse_both_errors_are_one)
{
    utRng rng = ut_rng(61, 0);
    for (int k = 0; k < SECTION_CASES * MU_CASES; k++) {
        const utSection P = make_section(section_cases[k % SECTION_CASES]);
        const utLaw law = {.section = &P, .mu = mu_cases[k / SECTION_CASES], .convex = k % 2 == 0};
        for (int trial = 0; trial < 50; trial++) {
            double u[3];
            random_point(&rng, law.mu, u);
            const double e = ut_law_error_degenerate(&law, u);
            const double zero[] = {0, 0, 0};
            const double size = norm(P.dimension, u) + ut_law_shift(&law, u);
            CHECK_NEAR(ut_law_error(&law, 0.3, zero, u) / size, e / size, 2e-15);
        }
    }
}

// ---- scalar rows --------------------------------------------------------------------------------

TEST(scalar_rows_by_hand)
{
    // a limit, r >= 0
    CHECK(ut_law_row_error(2.0, 0.0, inf, 0.0, 0.7) == 0.0);
    CHECK(ut_law_row_error(2.0, 0.0, inf, 5.0, 0.0) == 0.0);
    CHECK_NEAR(ut_law_row_error(2.0, 0.0, inf, 0.0, -0.7), 0.7, 0.0);
    CHECK_NEAR(ut_law_row_error(2.0, 0.0, inf, 1.0, 0.7), 0.5, 0.0);
    CHECK_NEAR(ut_law_row_error(2.0, 0.0, inf, -1.0, 0.0), 0.5, 0.0);
    // friction loss, |r| <= 3
    CHECK(ut_law_row_error(2.0, -3.0, 3.0, -3.0, 0.7) == 0.0);
    CHECK(ut_law_row_error(2.0, -3.0, 3.0, 3.0, -0.7) == 0.0);
    CHECK(ut_law_row_error(2.0, -3.0, 3.0, 1.0, 0.0) == 0.0);
    CHECK_NEAR(ut_law_row_error(2.0, -3.0, 3.0, 3.0, 0.7), 0.7, 0.0);
    CHECK_NEAR(ut_law_row_error(2.0, -3.0, 3.0, 3.5, 0.0), 0.25, 0.0);
    CHECK_NEAR(ut_law_row_error(2.0, -3.0, 3.0, 2.0, -5.0), 0.5, 0.0);
    // an equation
    CHECK_NEAR(ut_law_row_error(2.0, -inf, inf, 9.0, -0.2), 0.2, 0.0);
    // a small velocity beside a large impulse is still seen
    CHECK_NEAR(ut_law_row_error(1.0, 0.0, inf, 1e9, 1e-12), 1e-12, 0.0);
}

// ---- the cone -----------------------------------------------------------------------------------

TEST(excess_and_violation_by_hand)
{
    const utSection circle = ut_section_circle(), in = inscribed(4), out = circumscribed(4);
    const utLaw law = {.section = &circle, .mu = 0.5};
    CHECK(ut_law_excess(&law, (double[]){10, 3, -4}) == 0.0);
    CHECK_NEAR(ut_law_excess(&law, (double[]){8, 3, -4}), 1.0, 0.0);
    CHECK_NEAR(ut_law_excess(&law, (double[]){-8, 3, -4}), 9.0, 0.0);
    CHECK_NEAR(ut_law_excess(&(utLaw){.section = &circle, .mu = 0.0}, (double[]){-2, 0, 0}), 2.0,
               0.0);
    CHECK_NEAR(ut_law_excess(&(utLaw){.section = &in, .mu = 0.5}, (double[]){8, 3, -4}), 3.0,
               4e-15);
    CHECK(ut_law_excess(&(utLaw){.section = &out, .mu = 0.5}, (double[]){8, 3, -4}) == 0.0);
    // 1 / (0.5 * 8 + 2 * 3)
    CHECK_NEAR(ut_law_violation(&law, 2.0, 3.0, (double[]){8, 3, -4}), 0.1, 1e-16);
    CHECK(ut_law_violation(&law, 2.0, 3.0, (double[]){10, 3, -4}) == 0.0);
    CHECK(ut_law_violation(&law, 2.0, 0.0, (double[]){0, 0, 0}) == 0.0);
    CHECK(ut_law_violation(&law, 2.0, 0.0, (double[]){0, 1, 0}) == inf);
    // adhesion, however small
    CHECK(ut_law_violation(&law, 2.0, 3.0, (double[]){-1e-300, 0, 0}) == inf);
}

// ---- invariance ---------------------------------------------------------------------------------

// Masses times a and lengths times b: m times a, u and V times b, r times a b.
TEST(units_of_mass_and_length_leave_errors_over_V_unchanged)
{
    utRng rng = ut_rng(62, 0);
    const double masses[] = {1e6, 1.0, 1e6}, lengths[] = {1.0, 1e-3, 1e-3};
    for (int k = 0; k < SECTION_CASES * MU_CASES; k++) {
        const utSection P = make_section(section_cases[k % SECTION_CASES]);
        const utLaw law = {.section = &P, .mu = mu_cases[k / SECTION_CASES]};
        const int n = P.dimension;
        for (int trial = 0; trial < 60; trial++) {
            double r[3], u[3], R[3], U[3];
            random_point(&rng, law.mu, r);
            random_point(&rng, law.mu, u);
            const double m = 0.4, V = norm(n, u) + ut_law_shift(&law, u) + norm(n, r) / m;
            const double a = masses[trial % 3], b = lengths[trial % 3];
            for (int i = 0; i < 3; i++) {
                R[i] = a * b * r[i];
                U[i] = b * u[i];
            }
            CHECK_NEAR(ut_law_error(&law, a * m, R, U) / (b * V), ut_law_error(&law, m, r, u) / V,
                       1e-14);
            CHECK_NEAR(ut_law_error_degenerate(&law, U) / (b * V),
                       ut_law_error_degenerate(&law, u) / V, 1e-14);
            CHECK_NEAR(ut_law_row_error(a * m, 0.0, a * b * 0.5, R[0], U[0]) / (b * V),
                       ut_law_row_error(m, 0.0, 0.5, r[0], u[0]) / V, 1e-14);
            const double before = ut_law_violation(&law, m, V, r);
            const double after = ut_law_violation(&law, a * m, b * V, R);
            CHECK(before == after || fabs(before - after) <= 1e-14 * (1.0 + before));
        }
    }
}

TEST(a_second_implementation_of_the_error_in_long_double_agrees)
{
    utRng rng = ut_rng(63, 0);
    double worst = 0.0;
    for (int k = 0; k < SECTION_CASES * MU_CASES; k++) {
        const SectionCase from = section_cases[k % SECTION_CASES];
        const utSection P = make_section(from);
        const utLaw law = {.section = &P, .mu = mu_cases[k / SECTION_CASES], .convex = k % 3 == 0};
        const Reference reference = make_reference(from, law.mu);
        for (int trial = 0; trial < 40; trial++) {
            double r[3], u[3];
            long double R[3], U[3];
            random_point(&rng, law.mu, r);
            random_point(&rng, law.mu, u);
            for (int i = 0; i < 3; i++) {
                const bool there = i < P.dimension;
                R[i] = there ? (long double)r[i] : 0.0L;
                U[i] = there ? (long double)u[i] : 0.0L;
            }
            const double m = ut_rng_range(&rng, 0.1, 10.0);
            const double size = norm(3, r) / m + norm(3, u) + ut_law_shift(&law, u);
            const double want =
                (double)reference_error(&reference, law.convex, (long double)m, R, U);
            const double apart = fabs(ut_law_error(&law, m, r, u) - want) / size;
            worst = apart > worst ? apart : worst;
        }
    }
    test_note("largest difference %.1e of |r|/m + |u| + s", worst);
    CHECK(worst <= 2e-15);
}

// An impulse of 1e9 N s beside a slip of 1e-12 m/s: r - m u rounds to r.
TEST(a_small_slip_under_a_large_impulse_is_seen)
{
    const utSection circle = ut_section_circle();
    const utLaw law = {.section = &circle, .mu = 0.0},
                rough = {.section = &circle, .mu = 0.5, .convex = true};
    CHECK_NEAR(ut_law_error(&rough, 1.0, (double[]){1e9, 0, 0}, (double[]){0, 3e-12, 4e-12}), 5e-12,
               1e-27);
    CHECK_NEAR(ut_law_error(&law, 1.0, (double[]){1e9, 0, 0}, (double[]){1e-12, 0, 0}), 1e-12, 0.0);
}

// ---- numbers that are not finite ----------------------------------------------------------------

static void check_infinite(const utLaw* law, double m, const double* r, const double* u)
{
    CHECK(ut_law_error(law, m, r, u) == inf);
}

TEST(nothing_that_is_not_finite_passes)
{
    const double bad[] = {(double)NAN, inf, -inf};
    const double zero[3] = {0, 0, 0}, one[3] = {1, 0, 0};
    for (int k = 0; k < SECTION_CASES * 4; k++) {
        const utSection P = make_section(section_cases[k / 4]);
        const utLaw law = {.section = &P, .mu = k % 2 == 0 ? 0.5 : 0.0, .convex = k % 4 < 2};
        for (int b = 0; b < 3; b++) {
            for (int i = 0; i < P.dimension; i++) {
                double x[3] = {0.0, 0.0, 0.0}, u_hat[3];
                x[i] = bad[b];
                check_infinite(&law, 1.0, x, zero);
                check_infinite(&law, 1.0, zero, x);
                check_infinite(&law, 1.0, one, x);
                CHECK(ut_law_error_degenerate(&law, x) == inf);
                CHECK(ut_law_dual_excess(&law, x) == inf);
                CHECK(ut_law_excess(&law, x) == inf);
                CHECK(ut_law_violation(&law, 1.0, 1.0, x) == inf);
                CHECK(i == 0 || ut_law_shift(&law, x) == inf);
                ut_law_shifted(&law, x, u_hat);
                CHECK(!isfinite(u_hat[0]));
            }
            check_infinite(&law, bad[b], one, zero);
            CHECK(ut_law_violation(&law, bad[b], 1.0, one) == inf);
            CHECK(ut_law_violation(&law, 1.0, bad[b], one) == inf);
        }
        check_infinite(&law, 0.0, one, zero);
        check_infinite(&law, -1.0, one, zero);
        CHECK(ut_law_violation(&law, 0.0, 1.0, one) == inf);
        CHECK(ut_law_violation(&law, 1.0, -1.0, one) == inf);
        // finite numbers whose sums are not finite
        check_infinite(&law, 2.0, one, (double[]){-DBL_MAX, 0, 0});
    }
}

TEST(a_law_that_cannot_be_used_never_passes)
{
    const utSection circle = ut_section_circle();
    const utSection unmade = {.kind = UT_SECTION_CIRCLE, .dimension = 3};
    const utLaw laws[] = {
        {.section = &circle, .mu = -1e-300},
        {.section = &circle, .mu = (double)NAN},
        {.section = &circle, .mu = inf},
        {.section = &circle, .mu = (double)NAN, .convex = true},
        {.section = &unmade, .mu = 0.5},
        {.section = NULL, .mu = 0.5, .convex = true},
    };
    const double zero[] = {0, 0, 0};
    for (int i = 0; i < 6; i++) {
        check_infinite(&laws[i], 1.0, zero, zero);
        CHECK(ut_law_error_degenerate(&laws[i], zero) == inf);
        CHECK(ut_law_excess(&laws[i], zero) == inf);
        CHECK(ut_law_violation(&laws[i], 1.0, 1.0, zero) == inf);
        CHECK(ut_law_dual_excess(&laws[i], zero) == inf);
        CHECK(ut_law_dual_distance(&laws[i], zero) == inf);
        CHECK(ut_law_shift(&laws[i], zero) == inf);
    }
}

TEST(no_scalar_row_that_is_not_finite_passes)
{
    const double bad[] = {(double)NAN, inf, -inf};
    for (int b = 0; b < 3; b++) {
        CHECK(ut_law_row_error(bad[b], 0.0, 1.0, 0.0, 0.0) == inf);
        CHECK(ut_law_row_error(1.0, 0.0, 1.0, bad[b], 0.0) == inf);
        CHECK(ut_law_row_error(1.0, 0.0, 1.0, 0.0, bad[b]) == inf);
    }
    CHECK(ut_law_row_error(1.0, (double)NAN, 1.0, 0.0, 0.0) == inf);
    CHECK(ut_law_row_error(1.0, 0.0, (double)NAN, 0.0, 0.0) == inf);
    CHECK(ut_law_row_error(1.0, inf, inf, 0.0, 0.0) == inf);
    CHECK(ut_law_row_error(1.0, -inf, -inf, 0.0, 0.0) == inf);
    CHECK(ut_law_row_error(1.0, 1.0, 0.0, 0.5, 0.0) == inf);
    CHECK(ut_law_row_error(0.0, 0.0, 1.0, 0.5, 0.0) == inf);
    CHECK(ut_law_row_error(-1.0, 0.0, 1.0, 0.5, 0.0) == inf);
}

// The law knows no unit. A power of two scales exactly, and numbers of 2^-500, whose squares underflow,
// take the careful way in place of the short one of circles.
TEST(the_short_way_of_circles_has_the_bits_of_the_careful_one)
{
    const utSection circle = ut_section_circle();
    utRng rng = ut_rng(77, 0);
    for (int k = 0; k < 2000; k++) {
        const utLaw law = {.section = &circle, .mu = 0.1 * (k % 25), .convex = k % 7 == 0};
        double r[3], u[3], r_small[3], u_small[3], p[3], p_small[3];
        for (int i = 0; i < 3; i++) {
            r[i] = ut_rng_range(&rng, -1.0, i == 0 ? 2.0 : 1.0);
            u[i] = k % 5 == 0 ? 0.0 : ut_rng_range(&rng, -1.0, 1.0);
            r_small[i] = ldexp(r[i], -500);
            u_small[i] = ldexp(u[i], -500);
        }
        CHECK(ldexp(ut_law_error(&law, 2.0, r, u), -500) ==
              ut_law_error(&law, 2.0, r_small, u_small));
        CHECK(ldexp(ut_law_shift(&law, u), -500) == ut_law_shift(&law, u_small));
        CHECK(ldexp(ut_law_excess(&law, r), -500) == ut_law_excess(&law, r_small));
        CHECK_INT(ut_law_project(&law, r, p), ut_law_project(&law, r_small, p_small));
        for (int i = 0; i < 3; i++) {
            CHECK(ldexp(p[i], -500) == p_small[i]);
        }
    }
}
