// SPDX-License-Identifier: Apache-2.0
// Impacts with closed-form solutions: balls, the rod and Kane's double pendulum of the seeds.
#include "cases.h"

// ---- balls --------------------------------------------------------------------------------------

// Normal and tangent are not coupled: r_n = (1 + e) m |u_n| under every law. Slip needs 2/7 m |u_t|
// to stop; otherwise r_t = mu r_n against slip. Some 30 roundings of numbers up to 20: 1e-13.
TEST(a_ball_leaves_by_the_closed_form_under_every_law)
{
    const double m = 0.7, u_n = -3.0, tolerance = 1e-13;
    for (int k = 0; k < UT_IMPACT_LAW_COUNT; k++) {
        for (int i = 0; i <= 20; i++) {
            const double angle = 0.3 * i, speed = 0.4 * i, mu = 0.25, e = 0.05 * i;
            utImpact ball = impact_ball(m, u_n, speed * cos(angle), speed * sin(angle));
            ball.mu = mu;
            ball.e = e;
            ball.law = (utImpactLaw)k;
            const utImpactResult got = impact_solved(&ball);
            const double r_n = -(1 + e) * m * u_n;
            const bool sticks = 2.0 / 7.0 * m * speed <= mu * r_n;
            const double r_t = sticks ? 2.0 / 7.0 * m * speed : mu * r_n;
            const double after = sticks ? 0.0 : speed - 3.5 * mu * r_n / m;
            CHECK_INT(got.outcome, UT_IMPACT_DONE);
            CHECK_NEAR(got.u[0], -e * u_n, tolerance);
            CHECK_NEAR(got.r[0], r_n, tolerance);
            CHECK_NEAR(got.r[1], -r_t * cos(angle), tolerance);
            CHECK_NEAR(got.r[2], -r_t * sin(angle), tolerance);
            CHECK_NEAR(got.u[1], after * cos(angle), tolerance);
            CHECK_NEAR(got.u[2], after * sin(angle), tolerance);
            CHECK_NEAR(got.work_compression, -0.5 * m * u_n * u_n, tolerance);
            CHECK_NEAR(got.work_restitution, 0.5 * m * e * e * u_n * u_n, tolerance);
            CHECK_NEAR(got.energy, 0.5 * (r_n * (1 - e) * u_n - r_t * (speed + after)), tolerance);
            CHECK(got.straight && !got.jam && got.steps == 0 && got.compressions == 1);
            CHECK_INT(got.spans, sticks && speed > 0 ? 2 : 1);
            CHECK(!sticks || got.span[got.spans - 1].state == UT_IMPACT_STICK);
            for (int j = 0; j < UT_IMPACT_LAW_COUNT; j++) {
                CHECK_NEAR(got.restitution[j], e, 1e-9);
            }
        }
    }
}

// A ball without spin has 5/7 of its tangential speed after an impact that makes it roll.
TEST(a_ball_that_rolls_out_of_the_impact_has_five_sevenths_of_its_speed)
{
    utImpact ball = impact_ball(2.0, -1.0, 1.4, 0.0);
    ball.mu = 0.5;
    ball.e = 0.5;
    const utImpactResult got = impact_solved(&ball);
    CHECK_NEAR(1.4 + got.r[1] / 2.0, 5.0 / 7.0 * 1.4, 1e-15);
    // slip ends when the impulse of friction is 2/7 m 1.4 = 0.8, at the normal impulse 1.6 N s
    CHECK_NEAR(got.span[1].r_n, 1.6, 1e-14);
    CHECK_INT(got.span[1].state, UT_IMPACT_STICK);
    CHECK(got.span[0].from[0] == 1.0 && got.span[0].from[1] == 0.0);
}

// ---- the rod of the seeds -----------------------------------------------------------------------

// By hand: slip ends at p1 = u_t/(mu K_tt - K_nt), then the contact sticks (|K_nt| < mu K_tt) with
// f = K_nn - K_nt^2/K_tt and dr_t/dp = -K_nt/K_tt. Roundings of numbers near 1: 1e-14.
static void check_rod(utImpactLaw law, double* energy)
{
    const double mu = 0.8;
    utImpact rod = impact_rod(55 * pi / 180, -1, -1, 0.75);
    rod.mu = mu;
    rod.e = 1.0;
    rod.law = law;
    const double nn = rod.K[0], nt = rod.K[1], tt = rod.K[3];
    const double p1 = 0.75 / (mu * tt - nt), u1 = -1 + (nn - mu * nt) * p1;
    const double f = nn - nt * nt / tt, p_c = p1 - u1 / f;
    const double W_c = 0.5 * p1 * (u1 - 1) - 0.5 * u1 * u1 / f;
    const double opening = law == UT_IMPACT_NEWTON    ? 1 / f
                           : law == UT_IMPACT_POISSON ? p_c
                                                      : sqrt(-2 * W_c / f);
    const double r_n = p_c + opening, r_t = -mu * p1 - nt / tt * (r_n - p1);

    const utImpactResult got = impact_solved(&rod);
    CHECK_NEAR(got.r_compression[0], p_c, 1e-14);
    CHECK_NEAR(got.work_compression, W_c, 1e-14);
    CHECK_NEAR(got.r[0], r_n, 1e-14);
    CHECK_NEAR(got.r[1], r_t, 1e-14);
    CHECK_NEAR(got.u[0], f * opening, 1e-14);
    CHECK(got.u[1] == 0.0 && got.r[2] == 0.0 && got.u[2] == 0.0);
    CHECK_NEAR(got.energy, 0.5 * (r_n * (f * opening - 1) + 0.75 * r_t), 1e-14);
    CHECK_INT(got.spans, 2);
    CHECK_INT(got.span[0].state, UT_IMPACT_SLIP);
    CHECK_INT(got.span[1].state, UT_IMPACT_STICK);
    CHECK_NEAR(got.restitution[law], 1.0, 1e-14);
    *energy = got.energy;
}

TEST(the_rod_of_the_seeds_gains_energy_by_newtons_law_alone)
{
    double energy[UT_IMPACT_LAW_COUNT];
    for (int k = 0; k < UT_IMPACT_LAW_COUNT; k++) {
        check_rod((utImpactLaw)k, &energy[k]);
        test_note("rod, %s: %+.6f J", ut_impact_law_name((utImpactLaw)k), energy[k]);
    }
    CHECK_NEAR(energy[UT_IMPACT_NEWTON], 0.125, 5e-4);
    CHECK(energy[UT_IMPACT_POISSON] <= 0.0);
    CHECK(energy[UT_IMPACT_STRONGE] <= 0.0);
}

// Friction drives the end into the floor: 1 + 3 cos(cos - mu sin) < 0 needs mu > 4/3 (mission G1).
// At tan = 2, mu = 2 it is -0.8: cos^2 = 1/5, K_nn = 1.6, K_nt = 1.2, K_tt = 3.4. u_n falls until
// slip stops at p1 = u_t/(2 3.4 - 1.2) = u_t/5.6, then the contact sticks with f = 1.6 - 1.44/3.4.
TEST(a_jam_ends_when_slip_has_stopped)
{
    utImpact rod = impact_rod(atan(2.0), 1, -1, 1.4);
    rod.mu = 2.0;
    rod.e = 0.0;
    const utImpactResult got = impact_solved(&rod);
    const double p1 = 0.25, f = 1.6 - 1.44 / 3.4;
    CHECK_INT(got.outcome, UT_IMPACT_DONE);
    CHECK(got.jam);
    CHECK_NEAR(got.span[1].r_n, p1, 1e-14);
    CHECK_NEAR(got.r[0], p1 + (1 + 0.8 * p1) / f, 1e-14);
    CHECK_NEAR(got.u[0], 0.0, 0.0);
}

// mu = 0.3 < K_nt/K_tt at 45 degrees (1.5/2.5): slip stops and reverses. By hand with
// K_nn = K_tt = 2.5, K_nt = -1.5: p1 = 0.5/(1.5 + 0.75), du_n/dp = 2.95 before, 2.05 after it; u_t
// = -0.75 (p - p1).
TEST(slip_reverses_where_friction_cannot_hold)
{
    utImpact rod = impact_rod(pi / 4, -1, -1, 0.5);
    rod.mu = 0.3;
    rod.e = 0.5;
    rod.law = UT_IMPACT_POISSON;
    const utImpactResult got = impact_solved(&rod);
    const double p1 = 0.5 / 2.25, u1 = -1 + 2.95 * p1, r_n = 1.5 * (p1 - u1 / 2.05);
    CHECK_NEAR(got.r[0], r_n, 1e-14);
    CHECK_NEAR(got.r[1], 0.3 * (r_n - 2 * p1), 1e-14);
    CHECK_NEAR(got.u[1], -0.75 * (r_n - p1), 1e-14);
    CHECK_INT(got.span[1].state, UT_IMPACT_REVERSE);
    CHECK(got.span[1].from[0] == -1.0 && got.straight);
}

// ---- Kane's double pendulum ---------------------------------------------------------------------

// Angles a, b from hanging, 1 kg and 1 m each: M = [4/3, c/2; c/2, 1/3] with c = cos(a - b), and
// the tip at (sin a + sin b, -cos a - cos b) has the rows t = (cos a, cos b), n = (sin a, sin b).
static utImpact kane(double omega[2], double M[3])
{
    const double a = 20 * pi / 180, b = 30 * pi / 180;
    const double n[2] = {sin(a), sin(b)}, t[2] = {cos(a), cos(b)};
    M[0] = 4.0 / 3.0;
    M[1] = 0.5 * cos(a - b);
    M[2] = 1.0 / 3.0;
    omega[0] = -0.1;
    omega[1] = -0.2;
    const double det = M[0] * M[2] - M[1] * M[1];
    const double Mn[2] = {(M[2] * n[0] - M[1] * n[1]) / det, (M[0] * n[1] - M[1] * n[0]) / det};
    const double Mt[2] = {(M[2] * t[0] - M[1] * t[1]) / det, (M[0] * t[1] - M[1] * t[0]) / det};
    const double nn = n[0] * Mn[0] + n[1] * Mn[1], nt = t[0] * Mn[0] + t[1] * Mn[1];
    return (utImpact){
        .dimension = 2,
        .K = {nn, nt, nt, t[0] * Mt[0] + t[1] * Mt[1]},
        .u = {n[0] * omega[0] + n[1] * omega[1], t[0] * omega[0] + t[1] * omega[1]},
        .mu = 0.7,
        .e = 0.5,
    };
}

TEST(kanes_double_pendulum_gains_energy_by_newtons_law_alone)
{
    double omega[2], M[3];
    utImpact impact = kane(omega, M);
    const double before = 0.5 * (M[0] * omega[0] * omega[0] + 2 * M[1] * omega[0] * omega[1] +
                                 M[2] * omega[1] * omega[1]);
    test_note("Kane: K = %.6f %.6f %.6f, u = %.6f %.6f, T = %.6f J", impact.K[0], impact.K[1],
              impact.K[3], impact.u[0], impact.u[1], before);
    // by hand: slip stops at p1, then the contact sticks; Newton's end is at u_n = 0.5 |u_n before|
    const double nn = impact.K[0], nt = impact.K[1], tt = impact.K[3];
    const double p1 = -impact.u[1] / (nt + 0.7 * tt), u1 = impact.u[0] + (nn + 0.7 * nt) * p1;
    const double r_n = p1 - (0.5 * impact.u[0] + u1) / (nn - nt * nt / tt);
    const double r_t = 0.7 * p1 - nt / tt * (r_n - p1);
    const double gain = 0.5 * (r_n * 0.5 * impact.u[0] + r_t * impact.u[1]);
    for (int k = 0; k < UT_IMPACT_LAW_COUNT; k++) {
        impact.law = (utImpactLaw)k;
        const utImpactResult got = impact_solved(&impact);
        CHECK(k != UT_IMPACT_NEWTON || fabs(got.energy - gain) <= 1e-14);
        CHECK(k != UT_IMPACT_NEWTON || fabs(got.energy / before - 0.59) <= 5e-3);
        test_note("Kane, %s: %+.4f of T, r = %.6f %.6f, %d spans, last %s",
                  ut_impact_law_name(impact.law), got.energy / before, got.r[0], got.r[1],
                  got.spans, ut_impact_state_name(got.span[got.spans - 1].state));
        CHECK(k == UT_IMPACT_NEWTON ? got.energy > 0.0 : got.energy < 0.0);
        CHECK_NEAR(got.restitution[k], 0.5, 1e-14);
    }
}
