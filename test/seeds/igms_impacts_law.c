// SPDX-License-Identifier: Apache-2.0
// Rows G3 and G6: what one collision does, by hypothesis and in the variable of its normal impulse.
#include "igms_impacts.h"

static const char* const laws[] = {"newton", "poisson", "stronge"};

// A uniform rod of 1 kg and 1 m at `angle` to the floor, its centre toward +t of the end that
// strikes: K = 1/m + (the end's arm)^2 / I, I = 1/12.
static utImpact rod(double angle, double u_n, double u_t)
{
    const double x = -0.5 * cos(angle), z = -0.5 * sin(angle);
    return (utImpact){.dimension = 2,
                      .K = {1.0 + 12.0 * x * x, -12.0 * x * z, -12.0 * x * z, 1.0 + 12.0 * z * z},
                      .u = {u_n, u_t}};
}

// What the energy gains by an impulse: r.u + r.K r / 2.
static double gained(const utImpact* c, const double* r)
{
    double sum = 0.0;
    for (int i = 0; i < c->dimension; i++) {
        sum += r[i] * c->u[i];
        for (int k = 0; k < c->dimension; k++) {
            sum += 0.5 * r[i] * c->K[c->dimension * i + k] * r[k];
        }
    }
    return sum;
}

// ---- G3 -----------------------------------------------------------------------------------------

TEST(G3_in_a_central_impact_all_three_give_e)
{
    for (int law = 0; law < UT_IMPACT_LAW_COUNT; law++) {
        for (double e = 0.0; e <= 1.0; e += 0.125) {
            // a ball of 2 kg that does not slip, then one that does: 7/(2m) across
            for (double slip = 0.0; slip <= 1.0; slip += 1.0) {
                utImpact ball = {.dimension = 2, .K = {0.5, 0, 0, 1.75}, .u = {-3, slip}};
                utImpactResult got;
                ball.mu = 0.4;
                ball.e = e;
                ball.law = (utImpactLaw)law;
                CHECK_INT(ut_impact_solve(&ball, &got, NULL), UT_OK);
                CHECK_NEAR(got.u[0], 3 * e, 1e-14);
                CHECK_NEAR(got.r[0], 2 * 3 * (1 + e), 1e-13);
            }
        }
        // and a ball that is dropped in a sim, for both ways to find impacts
        for (int d = 0; d < 2; d++) {
            char settings[128];
            utArena arena = test_arena();
            Log* log = log_make(&arena);
            snprintf(settings, sizeof settings, "option.impact=%s;option.detection=%s", laws[law],
                     d == 0 ? "located" : "step");
            Lab lab = igms_scene("ball", settings);
            log_run(&lab, log, 0.47);
            CHECK_INT(log->impacts, 1);
            const double v = d == 0 ? sqrt(2 * GRAVITY) : GRAVITY * 0.46;
            CHECK_NEAR(log->impact[0].contact.u_n_before, -v, 1e-9);
            CHECK_NEAR(log->impact[0].contact.r[0], 1.6 * v, 1e-9);
            lab_end(&lab);
        }
    }
}

// Over angles, friction, slip and e: who gains energy?
TEST(G3_a_search_over_rods_finds_gains_by_newton_and_none_by_stronge)
{
    int cases = 0, gains[UT_IMPACT_LAW_COUNT] = {0};
    double most[UT_IMPACT_LAW_COUNT] = {0};
    for (int a = 5; a <= 85; a += 5) {
        for (int m = 1; m <= 15; m++) {
            for (int s = -10; s <= 10; s++) {
                cases++;
                for (int law = 0; law < UT_IMPACT_LAW_COUNT; law++) {
                    utImpact c = rod(a * PI / 180, -1.0, 0.2 * s);
                    utImpactResult got;
                    c.mu = 0.1 * m;
                    c.e = 0.5 + 0.25 * (cases % 3);
                    c.law = (utImpactLaw)law;
                    CHECK_INT(ut_impact_solve(&c, &got, NULL), UT_OK);
                    const double E = gained(&c, got.r);
                    gains[law] += E > 1e-12;
                    most[law] = fmax(most[law], E);
                }
            }
        }
    }
    test_note("%d rods gain: newton %d (most %.3f J), poisson %d, stronge %d", cases,
              gains[UT_IMPACT_NEWTON], most[UT_IMPACT_NEWTON], gains[UT_IMPACT_POISSON],
              gains[UT_IMPACT_STRONGE]);
    CHECK(gains[UT_IMPACT_NEWTON] > 0 && most[UT_IMPACT_NEWTON] > 0.1);
    CHECK_INT(gains[UT_IMPACT_STRONGE], 0);
}

// The seeds' rod at 55 degrees, mu 0.8, e 1, through a sim. Slip stops at p1 = u_t / (mu K_tt +
// |K_nt|) and the end sticks from there, du_n/dp = f; compression ends at p_c.
TEST(G3_the_rod_in_a_sim_gains_by_newton_alone)
{
    const utImpact c = rod(55 * PI / 180, -1.0, 0.75);
    const double nn = c.K[0], nt = c.K[1], tt = c.K[3], mu = 0.8;
    const double p1 = 0.75 / (mu * tt - nt), u1 = -1 + (nn - mu * nt) * p1;
    const double f = nn - nt * nt / tt, p_c = p1 - u1 / f;
    const double W_c = 0.5 * p1 * (u1 - 1) - 0.5 * u1 * u1 / f;
    const double opening[] = {1 / f, p_c, sqrt(-2 * W_c / f)};
    for (int law = 0; law < UT_IMPACT_LAW_COUNT; law++) {
        const double r_n = p_c + opening[law];
        const double r[] = {r_n, -mu * p1 - nt / tt * (r_n - p1)};
        char settings[64];
        utStepResult result;
        snprintf(settings, sizeof settings, "option.impact=%s", laws[law]);
        Lab lab = igms_scene("rod", settings);
        lab_step(&lab, NULL, &result);
        const utStepReport* impact = &result.report.part[0];
        CHECK(result.report.parts == 2 && impact->instant);
        CHECK_NEAR(impact->contact[0].r[0], r[0], 1e-9);
        CHECK_NEAR(fabs(impact->contact[0].r[1]), fabs(r[1]), 1e-9);
        CHECK_NEAR(impact->contact[0].compression[0], p_c, 1e-9);
        CHECK_NEAR(impact->energy_next - impact->energy, gained(&c, r), 1e-9);
        CHECK((gained(&c, r) > 0.0) == (law == UT_IMPACT_NEWTON));
        test_note("rod by %s: %+.4f J", laws[law], impact->energy_next - impact->energy);
        lab_end(&lab);
    }
}

// ---- G6 -----------------------------------------------------------------------------------------

// Slip that neither stops nor turns: u_n = u_0 + a p with a = K_nn - mu K_nt sign, so that p_c =
// -u_0/a, and all three laws say (1 + e) p_c. Works by the area under the line.
TEST(G6_constant_slip_by_closed_form)
{
    for (int law = 0; law < UT_IMPACT_LAW_COUNT; law++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            utImpact c = rod(PI / 3, -1.0, 8.0 * sign);
            utImpactResult got;
            c.mu = 0.3;
            c.e = 0.7;
            c.law = (utImpactLaw)law;
            CHECK_INT(ut_impact_solve(&c, &got, NULL), UT_OK);
            const double a = c.K[0] - c.mu * sign * c.K[1], b = c.K[1] - c.mu * sign * c.K[3];
            const double p_c = 1 / a, p = 1.7 * p_c, W_c = -0.5 * p_c;
            CHECK_INT(got.spans, 1);
            CHECK_INT(got.span[0].state, UT_IMPACT_SLIP);
            CHECK_NEAR(got.r[0], p, 1e-13);
            CHECK_NEAR(got.r[1], -c.mu * sign * p, 1e-13);
            CHECK_NEAR(got.u[0], 0.7, 1e-13);
            CHECK_NEAR(got.u[1], 8.0 * sign + b * p, 1e-13);
            CHECK_NEAR(got.r_compression[0], p_c, 1e-13);
            CHECK_NEAR(got.work_compression, W_c, 1e-13);
            CHECK_NEAR(got.work_restitution, 0.5 * 0.7 * (p - p_c), 1e-13);
        }
    }
}

// The slip turns: du/dp = K (1, -mu s) by Runge-Kutta, with the work of the normal impulse.
typedef struct Course {
    double u[3], closing, opening;
} Course;

static void rate(const utImpact* c, const double* u, double* du)
{
    const double slip = hypot(u[1], u[2]);
    const double push[3] = {1, -c->mu * u[1] / slip, -c->mu * u[2] / slip};
    for (int i = 0; i < 3; i++) {
        du[i] = c->K[3 * i] * push[0] + c->K[3 * i + 1] * push[1] + c->K[3 * i + 2] * push[2];
    }
}

// @param p how far the normal impulse goes
static Course follow(const utImpact* c, double p, int steps)
{
    Course course = {.u = {c->u[0], c->u[1], c->u[2]}};
    const double h = p / steps;
    for (int k = 0; k < steps; k++) {
        static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
        double du[3] = {0}, sum[3] = {0}, work = 0.0;
        for (int s = 0; s < 4; s++) {
            double u[3];
            for (int i = 0; i < 3; i++) {
                u[i] = course.u[i] + at[s] * h * du[i];
            }
            rate(c, u, du);
            work += weight[s] * u[0] * h / 6;
            for (int i = 0; i < 3; i++) {
                sum[i] += weight[s] * du[i] * h / 6;
            }
        }
        // the step in which compression ends belongs to both: less than u_n h there, which is
        // within (du_n/dp) h^2
        *(course.u[0] < 0.0 ? &course.closing : &course.opening) += work;
        for (int i = 0; i < 3; i++) {
            course.u[i] += sum[i];
        }
    }
    return course;
}

TEST(G6_works_are_minus_e_squared_where_slip_turns)
{
    const utImpact turning = {.dimension = 3,
                              .K = {2.0, 0.4, -0.3, 0.4, 3.0, 0.5, -0.3, 0.5, 2.5},
                              .u = {-1.0, 0.8, -1.5},
                              .mu = 0.25};
    for (int k = 1; k <= 10; k++) {
        utImpact c = turning;
        utImpactResult got;
        c.e = 0.1 * k;
        c.law = UT_IMPACT_STRONGE;
        CHECK_INT(ut_impact_solve(&c, &got, NULL), UT_OK);
        CHECK_INT(got.span[0].state, UT_IMPACT_TURN);
        CHECK_NEAR(got.work_restitution / got.work_compression, -c.e * c.e, 1e-8);
        // 20000 steps: h^2 is 2e-9, of works of about 0.25 J
        const Course course = follow(&c, got.r[0], 20000);
        CHECK_NEAR(course.opening / course.closing, -c.e * c.e, 1e-8);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(got.u[i], course.u[i], 1e-10);
        }
    }
}

// Slip stops inside compression and the end sticks: two lines, works by their areas.
TEST(G6_works_are_minus_e_squared_where_slip_stops)
{
    for (int k = 1; k <= 10; k++) {
        utImpact c = rod(55 * PI / 180, -1.0, 0.75);
        utImpactResult got;
        c.mu = 0.8;
        c.e = 0.1 * k;
        c.law = UT_IMPACT_STRONGE;
        CHECK_INT(ut_impact_solve(&c, &got, NULL), UT_OK);
        const double p1 = got.span[1].r_n, u1 = -1 + (c.K[0] - c.mu * c.K[1]) * p1;
        CHECK_INT(got.span[1].state, UT_IMPACT_STICK);
        CHECK_NEAR(0.75 + (c.K[1] - c.mu * c.K[3]) * p1, 0.0, 1e-14);
        const double W_c = 0.5 * p1 * (u1 - 1) + 0.5 * (got.r_compression[0] - p1) * u1;
        const double W_r = 0.5 * (got.r[0] - got.r_compression[0]) * got.u[0];
        CHECK_NEAR(W_r / W_c, -c.e * c.e, 1e-12);
    }
}

// A body on one joint: K = j j', so that slip and closing end at the same impulse, and then both go
// the other way. With w the joint's rate, a = j_n^2 -/+ mu |j_n j_t| before and after; Stronge has
// a_2 p_r^2 = e^2 a_1 p_c^2.
TEST(G6_slip_that_stops_with_compression_goes_the_other_way)
{
    const double mu = 0.3, e = 0.5, w = -4.6;
    for (int k = -20; k <= 20; k++) {
        const double n = 0.9, t = 0.03 * k, s = k > 0 ? -1.0 : 1.0; // the slip has the sign of w t
        const utImpact c = {.dimension = 2,
                            .K = {n * n, n * t, n * t, t * t},
                            .u = {w * n, w * t},
                            .mu = mu,
                            .e = e,
                            .law = UT_IMPACT_STRONGE};
        const double a1 = n * n - mu * s * n * t, a2 = n * n + mu * s * n * t;
        const double p_c = -w * n / a1, p_r = e * sqrt(a1 / a2) * p_c;
        utImpactResult got;
        CHECK_INT(ut_impact_solve(&c, &got, NULL), UT_OK);
        CHECK_NEAR(got.r_compression[0], p_c, 1e-12);
        CHECK_NEAR(got.r[0], p_c + p_r, 1e-12);
        CHECK_NEAR(got.u[0], a2 * p_r, 1e-12);
        if (k != 0) {
            CHECK_NEAR(got.r[1], -mu * s * (p_c - p_r), 1e-12);
        }
    }
}
