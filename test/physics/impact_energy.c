// SPDX-License-Identifier: Apache-2.0
// Energy where several contacts bounce at once: Newton's law with friction gains some, the guard
// takes the share of restitution that gains none; walls that move may add what they like; and
// nothing is lost where nothing can be.
#include "impact_lab.h"

// ---- the guard ----------------------------------------------------------------------------------

// The rod of 55 degrees that comes with (0.75, -1), mu 0.8, e 1, by one problem: u = (-1, 0.75)
// before along the normal and x, (1, 0) after, if that is within friction's cone.
static const double PITCH = 55.0 * 3.14159265358979323846 / 180.0;

typedef struct Pair {
    double n, t;
} Pair;

// K^-1 u, K = (nn, nt; nt, tt)
static Pair impulse_for(double u_n, double u_t)
{
    const double c = cos(PITCH), s = sin(PITCH);
    const double nn = 1.0 + 3.0 * c * c, nt = -3.0 * c * s, tt = 1.0 + 3.0 * s * s;
    const double det = nn * tt - nt * nt;
    return (Pair){(tt * u_n - nt * u_t) / det, (nn * u_t - nt * u_n) / det};
}

// The rod in space, that touches with one end, or with two points side by side: the same motion and
// two contacts.
static Lab rod(const Trial* t, utFormulation formulation, int law, int together, int points)
{
    const double I = t->length * t->length / 12.0, half = 0.5 * t->length;
    Lab lab = impact_open(formulation, 1e-3, 1e-3);
    lab.options.impact = law;
    lab.options.simultaneous = together;
    lab.options.gravity = ut_vec3_zero();
    const int floor = impact_plane(&lab, ut_vec3_zero(), ut_vec3(0, 0, 1), 0.8, t->e);
    const int body = lab_solid(&lab, ut_vec3(half * cos(PITCH), 0, half * sin(PITCH)),
                               ut_quat_from_axis_angle(ut_vec3(0, -1, 0), PITCH), 1.0,
                               ut_vec3_zero(), ut_vec3(I, I, I));
    lab_free(&lab, body);
    for (int k = 0; k < points; k++) {
        impact_point(&lab, body, ut_vec3(-half, points == 1 ? 0.0 : 0.2 * k - 0.1, 0), floor);
    }
    lab_start(&lab);
    const double v[6] = {0.75, 0, -1.0, 0, 0, 0};
    lab_state(&lab, NULL, v);
    return lab;
}

// Without restitution r0 = K^-1 (1, -0.75), with it r1 = K^-1 (2, -0.75); r0 + s (r1 - r0) ends
// with (s, 0) and has the work
//
//     W(s) = (r_n (s - 1) + 0.75 r_t)/2,    r_n = a + b s, r_t = c + d s.
static double guarded_share(void)
{
    const Pair r0 = impulse_for(1.0, -0.75), r1 = impulse_for(2.0, -0.75);
    const double a = r0.n, b = r1.n - r0.n, c = r0.t, d = r1.t - r0.t;
    // both stick
    CHECK(fabs(r0.t) <= 0.8 * r0.n && fabs(r1.t) <= 0.8 * r1.n);
    // b s^2 + (a - b + 0.75 d) s + 0.75 c - a = 0
    const double linear = a - b + 0.75 * d, constant = 0.75 * c - a;
    return (sqrt(linear * linear - 4.0 * b * constant) - linear) / (2.0 * b);
}

static void compare(Trial* t, Lab* lab, double share, double gain)
{
    utStepResult result;
    const double before = ut_sim_energy(lab->sim);
    lab_step(lab, NULL, &result);
    const utBodyState s = ut_sim_body(lab->sim, 1);
    const utVec3 end = {-0.5 * cos(PITCH), 0, -0.5 * sin(PITCH)};
    const utVec3 u = ut_vec3_add(s.velocity, ut_vec3_cross(s.angular, end));
    // the rod has turned on for a step at most, h w = 1e-3 of an angle; so has its end's velocity,
    // but not the energy
    EXPECT(t, result.report.islands > 0 ? result.report.island[0].restitution_scale : 0.0, share,
           EXACT);
    EXPECT(t, ut_sim_energy(lab->sim) - before, gain, EXACT);
    EXPECT(t, u.z, share, EXACT);
    EXPECT(t, u.x, 0.0, EXACT);
    lab_end(lab);
}

// 0.12458 J of 0.78 by Newton's law when it is asked for; none by default.
CLOSED_FORM(the_guard_takes_the_share_that_gains_nothing, OFF_LENGTH | OFF_E)
{
    const Pair r1 = impulse_for(2.0, -0.75);
    const double share = guarded_share(), gain = 0.5 * 0.75 * r1.t;
    CHECK(share > 0.5 && share < 0.99);
    CHECK_NEAR(gain, 0.12458, 5e-6);
    for (int points = 1; points <= 2; points++) {
        Lab lab = rod(t, UT_FORMULATION_COULOMB, -1, -1, points);
        compare(t, &lab, share, 0.0);
        lab = rod(t, UT_FORMULATION_COULOMB, UT_IMPACT_NEWTON, -1, points);
        compare(t, &lab, 1.0, gain);
    }
    Lab lab = rod(t, UT_FORMULATION_HYBRID, -1, -1, 2);
    compare(t, &lab, share, 0.0);
    lab = rod(t, UT_FORMULATION_HYBRID, UT_IMPACT_STRONGE, -1, 2);
    compare(t, &lab, share, 0.0);
    lab = rod(t, UT_FORMULATION_HYBRID, UT_IMPACT_NEWTON, -1, 2);
    compare(t, &lab, 1.0, gain);
    if (!t->off) {
        test_note("share of restitution that gains nothing: %.6f", share);
    }
}

// ---- moving walls -------------------------------------------------------------------------------

// A wall that comes at 1.5 m/s meets a ball that comes at 1 m/s: it leaves with 1.5 + 2.5 e, and
// has more energy than it came with, by the wall's doing.
CLOSED_FORM(a_wall_that_moves_adds_energy, OFF_E)
{
    static const utFormulation formulations[] = {UT_FORMULATION_HYBRID, UT_FORMULATION_MIRTICH,
                                                 UT_FORMULATION_COULOMB};
    const double e = 0.8;
    for (int k = 0; k < 3; k++) {
        Lab lab = impact_open(formulations[k], 0.01, 0.1);
        lab.options.gravity = ut_vec3_zero();
        const int wall = lab_body(&lab, NULL, ut_vec3(0.5, 0, 0));
        lab_geom(&lab, wall, UT_SHAPE_BOX, ut_vec3(0.1, 1, 1), 1.0, 0.0);
        utMotionDef motion = ut_motion_def(wall);
        motion.expression[0] = "0.5 - 1.5*t";
        ut_model_def_motion(lab.def, &motion);
        const int ball = impact_ball(&lab, ut_vec3_zero(), 0.1, 2.0, 0.0, e * t->e);
        lab_start(&lab);
        lab_velocity(&lab, 0, 1.0);
        lab_steps(&lab, 20, NULL, NULL); // they meet after 0.12 s
        const double v = 1.5 + 2.5 * e;
        EXPECT(t, ut_sim_body(lab.sim, ball).velocity.x, -v, EXACT);
        EXPECT(t, ut_sim_energy(lab.sim), v * v, 2.0 * v * 2.0 * EXACT);
        lab_end(&lab);
    }
}

// ---- balls in a box -----------------------------------------------------------------------------

enum { BALLS = 50 };

// A cube of 1 m without friction whose walls and balls give everything back, under gravity.
static Lab gas(void)
{
    static const double R = 0.05;
    Lab lab = impact_open(UT_FORMULATION_HYBRID, 0.002, 1e-9);
    for (int k = 0; k < 6; k++) {
        const double side = k % 2 == 0 ? 1.0 : -1.0;
        const utVec3 n = {k / 2 == 0 ? side : 0.0, k / 2 == 1 ? side : 0.0,
                          k / 2 == 2 ? side : 0.0};
        impact_plane(&lab, ut_vec3_add_scaled(ut_vec3(0.5, 0.5, 0.5), -0.5, n), n, 0.0, 1.0);
    }
    for (int k = 0; k < BALLS; k++) {
        const utVec3 at = {0.2 + 0.2 * (k % 4), 0.2 + 0.2 * (k / 4 % 4), 0.15 + 0.2 * (k / 16)};
        impact_ball(&lab, at, R, 0.5 + 0.02 * k, 0.0, 1.0);
    }
    lab_start(&lab);
    utRng rng = ut_rng(3, 0);
    for (int k = 0; k < BALLS; k++) {
        for (int i = 0; i < 3; i++) {
            lab_velocity(&lab, 6 * k + i, 1.5 * ut_rng_normal(&rng));
        }
    }
    return lab;
}

// Energies count from the floor. An impact rounds them, a few 1e-16 each, and so does a step.
static void run_gas(int steps)
{
    Lab lab = gas();
    const double start = ut_sim_energy(lab.sim);
    double most = start, least = start;
    int impacts = 0;
    for (int n = 0; n < steps && lab.certified == lab.steps; n++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        for (int k = 0; k < result.report.parts; k++) {
            impacts += result.report.part[k].instant;
        }
        most = fmax(most, ut_sim_energy(lab.sim));
        least = fmin(least, ut_sim_energy(lab.sim));
    }
    test_note("%d balls, %d steps, %d impacts: energy %+.1e ... %+.1e", BALLS, lab.steps, impacts,
              least / start - 1.0, most / start - 1.0);
    CHECK_INT(lab.steps, steps);
    CHECK(impacts >= steps / 10);
    CHECK_NEAR(most, start, 1e-6 * start);
    CHECK_NEAR(least, start, 1e-6 * start);
    lab_end(&lab);
}

// 20 times as many with UPTACK_LONG_IMPACTS set; fewer where nothing is optimized.
TEST(fifty_balls_in_a_box_keep_their_energy)
{
#ifdef NDEBUG
    run_gas(getenv("UPTACK_LONG_IMPACTS") != NULL ? 100000 : 5000);
#else
    run_gas(150);
#endif
}
