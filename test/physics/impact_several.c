// SPDX-License-Identifier: Apache-2.0
// Several contacts at once: Newton's cradle and billiards, as each way of solving them has it. What
// the numbers mean is told in docs/impacts-laws.md.
//
// Balls of 1 kg touch; one comes with v = 1. Without friction and with e = 1
//
//     moreau, poisson   all at one moment. What touches without closing moves on as one: a ball
//     meets
//                       n - 1 others as a mass m meets (n - 1) m
//     propagate         one contact after the other: the momentum goes on to the last ball
#include "impact_lab.h"

static const double R = 0.05;

// ---- balls in a line ----------------------------------------------------------------------------

enum { MOST = 5 };

// n balls along x that touch, free or each hanging on a hinge over it; ball k begins with v[k].
// After one step w[k] is how fast it is.
static Lab line(const Trial* t, int n, bool hang, double e, double e_last, int together)
{
    Lab lab = impact_open(UT_FORMULATION_HYBRID, 1e-3, 1e-3);
    lab.options.simultaneous = together;
    lab.options.gravity = hang ? lab.options.gravity : ut_vec3_zero();
    for (int k = 0; k < n; k++) {
        const double mass = k == n - 1 ? t->mass : 1.0;
        const int body = lab_body(&lab, NULL, ut_vec3(2.0 * R * k, 0, 0));
        if (hang) {
            utJointDef hinge = ut_joint_def(body, UT_JOINT_HINGE);
            hinge.pos = ut_vec3(0, 0, 1);
            hinge.axis = ut_vec3(0, -1, 0); // the ball's speed is the rate times 1 m
            ut_model_def_joint(lab.def, &hinge);
        } else {
            lab_free(&lab, body);
        }
        impact_geom(&lab, body, UT_SHAPE_SPHERE, ut_vec3(R, 0, 0), mass, 0.0,
                    (k == n - 1 ? e_last : e) * t->e);
    }
    lab_start(&lab);
    return lab;
}

static void run_line(Trial* t, int n, bool hang, double e, double e_last, int together,
                     const double* v, const double* want)
{
    Lab lab = line(t, n, hang, e, e_last, together);
    const int each = hang ? 1 : 6;
    for (int k = 0; k < n; k++) {
        lab_velocity(&lab, each * k, v[k]);
    }
    utStepResult result;
    const utStepReport* instant = impact_await(&lab, 1, &result);
    EXPECT(t, instant != NULL, true, 0.0);
    // the last instant of the step, before gravity acts
    for (int k = 1; instant != NULL && impact_instant(&result.report, k) != NULL; k++) {
        instant = impact_instant(&result.report, k);
    }
    for (int k = 0; instant != NULL && k < n; k++) {
        EXPECT(t, instant->v_next[each * k], want[k], EXACT);
    }
    lab_end(&lab);
}

static void run_cradle(Trial* t, int n, double e, int together, const double* v, const double* want)
{
    for (int hang = 0; hang < 2; hang++) {
        run_line(t, n, hang == 1, e, e, together, v, want);
    }
}

// Momentum v and the speed of parting e v: -(n-2)/n and 2/n for e = 1. Nothing is lost in this.
CLOSED_FORM(all_at_once_a_cradles_ball_meets_the_others_as_one_mass, OFF_MASS | OFF_E)
{
    static const int ways[] = {UT_SIMULTANEOUS_MOREAU, UT_SIMULTANEOUS_POISSON};
    static const double v[MOST] = {1.0, 0.0, 0.0, 0.0, 0.0};
    static const double three[] = {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
    static const double five[] = {-0.6, 0.4, 0.4, 0.4, 0.4};
    // e = 1/2: (1 - (n - 1) e)/n and (1 + e)/n
    static const double half[] = {0.0, 0.5, 0.5}, half_five[] = {-0.2, 0.3, 0.3, 0.3, 0.3};
    // two come: 2 m meets 3 m
    static const double pair[] = {1.0, 1.0, 0.0, 0.0, 0.0}, of_pair[] = {-0.2, -0.2, 0.8, 0.8, 0.8};
    for (int k = 0; k < 2; k++) {
        run_cradle(t, 3, 1.0, ways[k], v, three);
        run_cradle(t, 5, 1.0, ways[k], v, five);
        run_cradle(t, 3, 0.5, ways[k], v, half);
        run_cradle(t, 5, 0.5, ways[k], v, half_five);
        run_cradle(t, 5, 1.0, ways[k], pair, of_pair);
    }
}

// As many leave as came.
CLOSED_FORM(one_after_the_other_a_cradle_hands_the_speed_on, OFF_MASS | OFF_E)
{
    static const double one[] = {1.0, 0.0, 0.0, 0.0, 0.0}, two[] = {1.0, 1.0, 0.0, 0.0, 0.0};
    static const double last[] = {0.0, 0.0, 0.0, 0.0, 1.0}, pair[] = {0.0, 0.0, 0.0, 1.0, 1.0};
    static const double third[] = {0.0, 0.0, 1.0};
    run_cradle(t, 3, 1.0, UT_SIMULTANEOUS_PROPAGATE, one, third);
    run_cradle(t, 5, 1.0, UT_SIMULTANEOUS_PROPAGATE, one, last);
    run_cradle(t, 5, 1.0, UT_SIMULTANEOUS_PROPAGATE, two, pair);
}

// Where contacts differ, so do the two ways at once. e = 1/2 between the first two balls and 1
// before the last: to Moreau's the second contact does not close and has nothing to give back, (1 -
// 2 e)/3 and twice (1 + e)/3. Poisson's has compressed it, with 1/3 of v against 2/3 at the first
// one, and that comes back whole: 1/3 - 1/3, 1/3 + 1/3 - 1/3, 1/3 + 1/3.
CLOSED_FORM(what_is_compressed_comes_back_by_its_own_restitution, OFF_MASS | OFF_E)
{
    static const double v[] = {1.0, 0.0, 0.0}, moreau[] = {0.0, 0.5, 0.5};
    static const double poisson[] = {0.0, 1.0 / 3.0, 2.0 / 3.0};
    for (int hang = 0; hang < 2; hang++) {
        run_line(t, 3, hang == 1, 0.5, 1.0, UT_SIMULTANEOUS_MOREAU, v, moreau);
        run_line(t, 3, hang == 1, 0.5, 1.0, UT_SIMULTANEOUS_POISSON, v, poisson);
    }
}

// ---- billiards ----------------------------------------------------------------------------------

// Balls on a plane's worth of nothing: positions in units of 2 R, the cue ball first, at the speed
// 1 along x.
static void run_table(Trial* t, int n, const utVec3* at, double e, int together, const utVec3* want)
{
    Lab lab = impact_open(UT_FORMULATION_HYBRID, 1e-3, 1e-6);
    lab.options.simultaneous = together;
    lab.options.gravity = ut_vec3_zero();
    for (int k = 0; k < n; k++) {
        impact_ball(&lab, ut_vec3_scale(at[k], 2.0 * R), R, k == n - 1 ? t->mass : 1.0, 0.0,
                    e * t->e);
    }
    lab_start(&lab);
    lab_velocity(&lab, 0, 1.0);
    lab_step(&lab, NULL, NULL);
    for (int k = 0; k < n; k++) {
        EXPECT(t, ut_sim_v(lab.sim)[6 * k], want[k].x, EXACT);
        EXPECT(t, ut_sim_v(lab.sim)[6 * k + 1], want[k].y, EXACT);
    }
    lab_end(&lab);
}

#define SIN60 0.86602540378443864676

// The cue ball meets two that touch each other, in the middle; lines of centres at 30 degrees. At
// once: the others leave along these with w, w - v' cos 30 = e cos 30 and v' + 2 w cos 30 = 1 give
// v' = (2 - 3 e)/5, w = (1 + e) 2 cos 30/5; -1/5 and 2 sqrt(3)/5 for e = 1.
CLOSED_FORM(a_ball_meets_two_at_once, OFF_MASS | OFF_E)
{
    static const utVec3 at[] = {{0, 0, 0}, {SIN60, 0.5, 0}, {SIN60, -0.5, 0}};
    static const int ways[] = {UT_SIMULTANEOUS_MOREAU, UT_SIMULTANEOUS_POISSON};
    for (int k = 0; k < 4; k++) {
        const double e = k < 2 ? 1.0 : 0.6, w = (1.0 + e) * 2.0 * SIN60 / 5.0;
        const utVec3 want[] = {
            {(2.0 - 3.0 * e) / 5.0, 0, 0}, {w * SIN60, 0.5 * w, 0}, {w * SIN60, -0.5 * w, 0}};
        run_table(t, 3, at, e, ways[k % 2], want);
    }
}

// One after the other: of two that close alike the first in the order of contacts comes first, and
// takes cos 30 of the speed; what the cue ball has left closes the other with half of that. It is
// left with 1 - 3/4 - 3/8 along x, and the picture is not symmetric any more.
CLOSED_FORM(a_ball_meets_two_one_after_the_other, OFF_MASS | OFF_E)
{
    static const utVec3 at[] = {{0, 0, 0}, {SIN60, 0.5, 0}, {SIN60, -0.5, 0}};
    static const utVec3 want[] = {
        {-0.125, -0.25 * SIN60, 0}, {0.75, 0.5 * SIN60, 0}, {0.375, -0.25 * SIN60, 0}};
    run_table(t, 3, at, 1.0, UT_SIMULTANEOUS_PROPAGATE, want);
}

// The faster one comes first, wherever it is in the order: of (3/5, 4/5) and (24/25, -7/25), apart
// from each other, the second takes 24/25 along its line and leaves (0.0784, 0.2688), which closes
// the first with 0.26208. At once both lines part with what they closed with.
CLOSED_FORM(the_contact_that_closes_fastest_comes_first, OFF_MASS | OFF_E)
{
    static const utVec3 at[] = {{0, 0, 0}, {0.6, 0.8, 0}, {0.96, -0.28, 0}};
    static const utVec3 after[] = {
        {-0.078848, 0.059136, 0}, {0.157248, 0.209664, 0}, {0.9216, -0.2688, 0}};
    run_table(t, 3, at, 1.0, UT_SIMULTANEOUS_PROPAGATE, after);
    // r_a, r_b with c = 0.352 between the lines: 2 r_a + c r_b = 1.2, c r_a + 2 r_b = 1.92
    const double c = 0.352, det = 4.0 - c * c;
    const double a = (2.0 * 1.2 - c * 1.92) / det, b = (2.0 * 1.92 - c * 1.2) / det;
    const utVec3 once[] = {{1.0 - 0.6 * a - 0.96 * b, -0.8 * a + 0.28 * b, 0},
                           {0.6 * a, 0.8 * a, 0},
                           {0.96 * b, -0.28 * b, 0}};
    run_table(t, 3, at, 1.0, UT_SIMULTANEOUS_MOREAU, once);
}

// A break: the cue ball meets the tip of a triangle of three, in line. At once the tip V drives the
// other two along the lines of centres with V cos 30, so that it counts as m (1 + 2 cos^2 30) =
// 5/2 m: V = (1 + e)/(7/2), the cue ball V - e.
CLOSED_FORM(a_break_at_once_is_a_collision_with_five_halves_of_a_ball, OFF_MASS | OFF_E)
{
    static const utVec3 at[] = {{-1, 0, 0}, {0, 0, 0}, {SIN60, 0.5, 0}, {SIN60, -0.5, 0}};
    static const int ways[] = {UT_SIMULTANEOUS_MOREAU, UT_SIMULTANEOUS_POISSON};
    for (int k = 0; k < 4; k++) {
        const double e = k < 2 ? 1.0 : 0.6, V = (1.0 + e) / 3.5, w = V * SIN60;
        const utVec3 want[] = {
            {V - e, 0, 0}, {V, 0, 0}, {w * SIN60, 0.5 * w, 0}, {w * SIN60, -0.5 * w, 0}};
        run_table(t, 4, at, e, ways[k % 2], want);
    }
}

// One after the other: the cue ball stops, the tip has all of its speed and meets the two as the
// cue ball did above.
CLOSED_FORM(a_break_one_after_the_other_stops_the_cue_ball, OFF_MASS | OFF_E)
{
    static const utVec3 at[] = {{-1, 0, 0}, {0, 0, 0}, {SIN60, 0.5, 0}, {SIN60, -0.5, 0}};
    // the tip comes back with 1/8 and meets the cue ball again, which takes that along x
    static const utVec3 want[] = {
        {-0.125, 0, 0}, {0, -0.25 * SIN60, 0}, {0.75, 0.5 * SIN60, 0}, {0.375, -0.25 * SIN60, 0}};
    run_table(t, 4, at, 1.0, UT_SIMULTANEOUS_PROPAGATE, want);
}
