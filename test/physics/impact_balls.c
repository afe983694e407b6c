// SPDX-License-Identifier: Apache-2.0
// Collisions of balls, with the floor and with each other, with spin and friction.
//
// A solid ball has R^2/I = 5/(2 m), so that an impulse at its surface moves the point that it acts
// on by 1/m along the normal and by 7/(2 m) across it: nothing couples the two, and of two balls
// the sums count. Under each of the three laws
//
//     r_n = (1 + e) |u_n| / (1/m1 + 1/m2)
//     r_t = 2/7 |u_t| / (1/m1 + 1/m2), which ends slip, or mu r_n where that is less.
#include "impact_lab.h"

static const double H = 0.01;

// One of two that meet.
typedef struct Ball {
    double mass, radius;
    utVec3 v, w; // world
} Ball;

typedef struct Case {
    Ball one, two; // one.mass 0: the floor
    utVec3 normal; // from one to two
    double mu, e;
    bool sticks;
} Case;

#define STILL   \
    {           \
        0, 0, 0 \
    }
#define UP      \
    {           \
        0, 0, 1 \
    }
#define FLOOR              \
    {                      \
        0, 0, STILL, STILL \
    }

// ---- by hand ------------------------------------------------------------------------------------

static utVec3 relative(const Case* c, const Ball* one, const Ball* two)
{
    const utVec3 at1 = ut_vec3_scale(c->normal, one->radius);
    const utVec3 at2 = ut_vec3_scale(c->normal, -two->radius);
    return ut_vec3_sub(ut_vec3_add(two->v, ut_vec3_cross(two->w, at2)),
                       ut_vec3_add(one->v, ut_vec3_cross(one->w, at1)));
}

static void push(Ball* ball, utVec3 at, utVec3 impulse)
{
    if (ball->mass > 0.0) {
        const double I = 0.4 * ball->mass * ball->radius * ball->radius;
        ball->v = ut_vec3_add_scaled(ball->v, 1.0 / ball->mass, impulse);
        ball->w = ut_vec3_add_scaled(ball->w, 1.0 / I, ut_vec3_cross(at, impulse));
    }
}

// Two balls after their collision. @return r_n
static double collide(const Case* c, Ball* one, Ball* two)
{
    *one = c->one;
    *two = c->two;
    const double mobility = (one->mass > 0.0 ? 1.0 / one->mass : 0.0) + 1.0 / two->mass;
    const utVec3 u = relative(c, one, two);
    const double u_n = ut_vec3_dot(u, c->normal);
    const utVec3 u_t = ut_vec3_add_scaled(u, -u_n, c->normal);
    const double slip = ut_vec3_norm(u_t);
    const double r_n = -(1.0 + c->e) * u_n / mobility;
    const double enough = 2.0 / 7.0 * slip / mobility;
    CHECK(u_n < 0.0 && c->sticks == (enough <= c->mu * r_n));
    const double r_t = c->sticks ? enough : c->mu * r_n;
    utVec3 r = ut_vec3_scale(c->normal, r_n);
    r = slip > 0.0 ? ut_vec3_add_scaled(r, -r_t / slip, u_t) : r;
    push(two, ut_vec3_scale(c->normal, -two->radius), r);
    push(one, ut_vec3_scale(c->normal, one->radius), ut_vec3_scale(r, -1.0));
    return r_n;
}

// ---- by the sim ---------------------------------------------------------------------------------

static void throw_ball(Lab* lab, int first, const Ball* ball)
{
    const double twist[6] = {ball->v.x, ball->v.y, ball->v.z, ball->w.x, ball->w.y, ball->w.z};
    for (int k = 0; k < 6; k++) {
        lab_velocity(lab, first + k, twist[k]);
    }
}

// Both fly without gravity from where they are `early` seconds before they meet at the origin.
static Lab meet(const Trial* t, const Case* c, utFormulation formulation, int law, double early,
                int body[2])
{
    Lab lab = impact_open(formulation, H, 0.1);
    lab.options.gravity = ut_vec3_zero();
    lab.options.impact = law;
    const double mu = c->mu * t->mu, e = c->e * t->e;
    const Ball* ball[2] = {&c->one, &c->two};
    for (int k = 0; k < 2; k++) {
        const double R = ball[k]->radius * t->length;
        const utVec3 centre = ut_vec3_scale(c->normal, k == 0 ? -R : R);
        body[k] = 0;
        if (ball[k]->mass > 0.0) {
            const utVec3 from = ut_vec3_add_scaled(centre, -early, ball[k]->v);
            body[k] = impact_ball(&lab, from, R, ball[k]->mass * (k == 1 ? t->mass : 1.0), mu, e);
        } else {
            impact_plane(&lab, ut_vec3_zero(), c->normal, mu, e);
        }
    }
    lab_start(&lab);
    for (int k = 0, first = 0; k < 2; k++) {
        if (body[k] > 0) {
            throw_ball(&lab, first, ball[k]);
            first += 6;
        }
    }
    return lab;
}

static void compare(Trial* t, const Lab* lab, int body, const Ball* want)
{
    const utBodyState s = ut_sim_body(lab->sim, body);
    // spins are as exact as the speeds that they make at the surface
    const double spin = EXACT / want->radius;
    EXPECT(t, s.velocity.x, want->v.x, EXACT);
    EXPECT(t, s.velocity.y, want->v.y, EXACT);
    EXPECT(t, s.velocity.z, want->v.z, EXACT);
    EXPECT(t, s.angular.x, want->w.x, spin);
    EXPECT(t, s.angular.y, want->w.y, spin);
    EXPECT(t, s.angular.z, want->w.z, spin);
}

// u_n is linear in the normal impulse: W_c = r_c u_n before / 2, W_r = (r - r_c) u_n after / 2.
static void compare_report(Trial* t, const Case* c, const utStepReport* instant, double r_n,
                           double after)
{
    EXPECT(t, instant != NULL, true, 0.0);
    if (instant == NULL || instant->contacts != 1) {
        EXPECT(t, 0, 1, 0.0);
        return;
    }
    const utContact* contact = &instant->contact[0];
    const double r_c = contact->compression[0];
    const double W_c = 0.5 * r_c * contact->u_n_before;
    const double W_r = 0.5 * (contact->r[0] - r_c) * after;
    EXPECT(t, contact->r[0], r_n, EXACT * c->two.mass);
    EXPECT(t, r_c, r_n / (1.0 + c->e), EXACT * c->two.mass);
    EXPECT(t, W_r / W_c, -c->e * c->e, 1e-8);
    EXPECT(t, contact->state, UT_CONTACT_IMPACT, 0.0);
    EXPECT(t, instant->island[0].bounce, UT_BOUNCE_FOLLOWED, 0.0);
}

// Of mirtich and hybrid under each law, met within a step.
static void run_events(Trial* t, const Case* c)
{
    Ball one, two;
    const double r_n = collide(c, &one, &two);
    const double after = ut_vec3_dot(relative(c, &one, &two), c->normal);
    for (int k = 0; k < 2 * UT_IMPACT_LAW_COUNT; k++) {
        int body[2];
        utStepResult result;
        Lab lab = meet(t, c, k % 2 == 0 ? UT_FORMULATION_HYBRID : UT_FORMULATION_MIRTICH, k / 2,
                       1.37 * H, body);
        const utStepReport* instant = impact_await(&lab, 3, &result);
        compare_report(t, c, instant, r_n, after);
        EXPECT(t, impact_instant(&result.report, 1) == NULL, true, 0.0);
        compare(t, &lab, body[1], &two);
        if (body[0] > 0) {
            compare(t, &lab, body[0], &one);
        }
        lab_end(&lab);
    }
}

// Of coulomb, by itself and with Newton's law; not located, so they touch already: the lever of a
// contact that is met at a distance is longer by half of it.
static void run_coulomb(Trial* t, const Case* c)
{
    Ball one, two;
    collide(c, &one, &two);
    for (int law = -1; law <= UT_IMPACT_NEWTON; law++) {
        int body[2];
        Lab lab = meet(t, c, UT_FORMULATION_COULOMB, law, 0.0, body);
        lab_steps(&lab, 1, NULL, NULL);
        compare(t, &lab, body[1], &two);
        if (body[0] > 0) {
            compare(t, &lab, body[0], &one);
        }
        lab_end(&lab);
    }
}

static void run_both(Trial* t, const Case* c)
{
    run_events(t, c);
    run_coulomb(t, c);
}

// ---- on the floor -------------------------------------------------------------------------------

CLOSED_FORM(a_ball_bounces_off_the_floor_at_an_angle, OFF_MU | OFF_E | OFF_LENGTH)
{
    static const Case cases[] = {
        {FLOOR, {0.7, 0.1, {0, 0, -2}, STILL}, UP, 0.3, 0.7, true},
        {FLOOR, {0.7, 0.1, {1, 0.5, -3}, STILL}, UP, 0.4, 0.5, true},
        {FLOOR, {0.7, 0.1, {4, -2, -1}, STILL}, UP, 0.2, 0.9, false},
        {FLOOR, {0.7, 0.1, {1, 2, -2}, {15, -20, 9}}, UP, 0.7, 0.6, true},
        {FLOOR, {0.7, 0.1, {1, 2, -2}, {30, -30, 9}}, UP, 0.1, 0.6, false},
        {FLOOR, {0.7, 0.1, {1, 2, -2}, {10, -30, 9}}, UP, 0.0, 1.0, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        run_both(t, &cases[k]);
    }
}

// Backspin of 4 m/s at the surface on 1 m/s: where it sticks it leaves with (5 v - 2 R w)/7 = -3/7,
// back where it came from, rolling; where mu (1 + e) 2 m/s = 1.08 m/s is all that friction gives,
// with 1 - 1.08 and slip 5 - 7/2 1.08.
CLOSED_FORM(backspin_brings_a_ball_back_in_one_bounce, OFF_MU | OFF_E | OFF_LENGTH)
{
    static const Case sticks = {FLOOR, {1, 0.1, {1, 0, -2}, {0, -40, 0}}, UP, 0.5, 0.8, true};
    static const Case slips = {FLOOR, {1, 0.1, {1, 0, -2}, {0, -40, 0}}, UP, 0.3, 0.8, false};
    Ball floor, ball;
    collide(&sticks, &floor, &ball);
    CHECK_NEAR(ball.v.x, -3.0 / 7.0, 1e-14);
    CHECK_NEAR(ball.w.y * ball.radius, -3.0 / 7.0, 1e-14);
    run_both(t, &sticks);
    collide(&slips, &floor, &ball);
    CHECK_NEAR(ball.v.x, -0.08, 1e-14);
    CHECK_NEAR(ball.v.x - ball.w.y * ball.radius, 1.22, 1e-14);
    run_both(t, &slips);
}

// ---- on each other ------------------------------------------------------------------------------

// Of equal masses at e = 1 the one stops and the other goes: as the balls of a cradle do.
CLOSED_FORM(balls_that_meet_head_on_share_their_momentum, OFF_E | OFF_MASS)
{
    static const Case equal = {
        {1, 0.1, {2, 0, 0}, STILL}, {1, 0.1, STILL, STILL}, {1, 0, 0}, 0.0, 1.0, true};
    static const Case heavy = {
        {3, 0.2, {1, 0, 0}, STILL}, {1, 0.1, {-2, 0, 0}, STILL}, {1, 0, 0}, 0.5, 0.4, true};
    Ball one, two;
    collide(&equal, &one, &two); // without slip there is nothing to stop
    CHECK_NEAR(one.v.x, 0.0, 1e-15);
    CHECK_NEAR(two.v.x, 2.0, 1e-15);
    run_both(t, &equal);
    run_both(t, &heavy);
}

// The normal is 3/5, 0, 4/5 or 2/7, 3/7, 6/7: located impacts find it, and the throw of a ball that
// is cut follows from friction.
CLOSED_FORM(balls_that_meet_aslant_throw_and_spin_each_other,
            OFF_MU | OFF_MASS | OFF_E | OFF_LENGTH)
{
    const utVec3 n = {0.6, 0.0, 0.8}, m = {2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0};
    const Case cases[] = {
        {{1, 0.1, {2, 0, 2}, STILL}, {1, 0.1, STILL, STILL}, n, 0.3, 0.9, true},
        {{1, 0.1, {3, 2, 0}, STILL}, {1, 0.1, STILL, STILL}, n, 0.1, 0.9, false},
        {{1, 0.1, {1, 1, 2}, {3, 4, 5}}, {2, 0.15, {-1, 0, -2}, {-5, 2, 1}}, m, 0.6, 0.5, true},
        {{1, 0.1, {1, 1, 2}, {30, 4, -50}},
         {2, 0.15, {-1, 0, -1}, {-5, 20, 1}},
         m,
         0.2,
         0.8,
         false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        run_events(t, &cases[k]);
    }
    run_coulomb(t, &cases[0]);
    run_coulomb(t, &cases[3]);
}
