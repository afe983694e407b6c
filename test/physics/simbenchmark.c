// SPDX-License-Identifier: Apache-2.0
// The scene `rolling` of SimBenchmark: balls that roll on a slab which is pushed and slips on the
// floor. By hand, with F the push, M the slab, n balls of mass m and moment I = k m r^2:
//
//     a ball rolls: the slab drags it by f, m b = f at its centre and I w' = f r; its lowest point
//     goes with the slab, b + r w' = a. So b = a k / (1 + k), which is 2/7 a for a solid ball.
//
//     the slab slips: the floor holds mu (M + n m) g, the balls take n m b:
//     (M + n m k / (1 + k)) a = F - mu (M + n m) g
//
// With 10 kg, 25 balls of 1 kg, mu = 0.4 and 150 N:  (10 + 50/7) a = 150 - 137.34, so that the slab
// has 0.7385 m/s^2 and the balls 0.211 m/s^2. Whatever the heading of the push: the cone is round.
// A ball slips on the slab when b would be above nu g; it then has b = nu g and the slab what is
// left, M a = F - mu (M + n m) g - n m nu g.
#include <uptack/scenes.h>

#include "closed_form.h"

static const double H = 0.002;
enum { STEPS = 30 };

typedef struct Rolling {
    double slab, ball; // masses
    double k;          // I / (m r^2)
    int balls;         // 1, 4, 9 ...
    double radius;
    double mu, nu; // floor, balls
    double force, heading;
} Rolling;

typedef struct Accelerations {
    double slab, ball, spin; // m/s^2, and rad/s^2 about the ball's axis
} Accelerations;

static Accelerations worked_out(const Rolling* s)
{
    const double all = s->slab + s->balls * s->ball;
    const double left = s->force - s->mu * all * G;
    const double share = s->k / (1.0 + s->k);
    const double a = left / (s->slab + s->balls * s->ball * share);
    if (!(left > 0.0)) {
        return (Accelerations){0};
    }
    if (share * a <= s->nu * G) {
        return (Accelerations){a, share * a, (a - share * a) / s->radius};
    }
    const double b = s->nu * G;
    return (Accelerations){(left - s->balls * s->ball * b) / s->slab, b, b / (s->k * s->radius)};
}

// The slab is body 1, the balls follow.
static Lab built(const Rolling* s)
{
    int side = 1;
    while (side * side < s->balls) {
        side++;
    }
    Lab lab = lab_open(H);
    lab_floor(&lab, s->mu);
    lab_box(&lab, ut_vec3(0, 0, 0.5), ut_vec3(side + 1.0, side + 1.0, 0.5), s->slab, 0.0);
    for (int i = 0; i < s->balls; i++) {
        const double x = 2.0 * (i % side) - (side - 1.0), y = 2.0 * (i / side) - (side - 1.0);
        const double I = s->k * s->ball * s->radius * s->radius;
        const int ball = lab_solid(&lab, ut_vec3(x, y, 1.0 + s->radius), ut_quat_identity(),
                                   s->ball, ut_vec3_zero(), ut_vec3(I, I, I));
        lab_free(&lab, ball);
        lab_geom(&lab, ball, UT_SHAPE_SPHERE, ut_vec3(s->radius, 0, 0), 1.0, s->nu);
    }
    lab_start(&lab);
    return lab;
}

// V is the slab's speed at the end or h g, whichever is more.
static void expect_velocities(Trial* t, const Lab* lab, const Rolling* nominal)
{
    const Accelerations a = worked_out(nominal);
    const double time = STEPS * H, c = cos(nominal->heading), s = sin(nominal->heading);
    const double bound = left_of(fmax(a.slab * time, H * G), STEPS);
    const utBodyState slab = ut_sim_body(lab->sim, 1);
    EXPECT(t, slab.velocity.x, a.slab * time * c, bound);
    EXPECT(t, slab.velocity.y, a.slab * time * s, bound);
    for (int i = 0; i < nominal->balls; i++) {
        const utBodyState ball = ut_sim_body(lab->sim, 2 + i);
        EXPECT(t, ball.velocity.x, a.ball * time * c, bound);
        EXPECT(t, ball.velocity.y, a.ball * time * s, bound);
        // backwards: about the axis (s, -c, 0)
        EXPECT(t, ball.angular.x, a.spin * time * s, bound / nominal->radius);
        EXPECT(t, ball.angular.y, -a.spin * time * c, bound / nominal->radius);
    }
}

// Build what the trial makes of a scene, run it, compare with the scene as it should be. The mass
// that may be off is a ball's.
static void expect_rolling(Trial* t, const Rolling* nominal)
{
    Rolling made = *nominal;
    made.mu *= t->mu;
    made.nu *= t->mu;
    made.ball *= t->mass;
    made.radius *= t->length;
    Lab lab = built(&made);
    const double c = cos(made.heading), s = sin(made.heading);
    lab_push(&lab, STEPS, 1, ut_vec3(made.force * c, made.force * s, 0), NULL);
    expect_velocities(t, &lab, nominal);
    lab_end(&lab);
}

// The original, as the command line runs it; pi / 3 is the heading.
static const Rolling ORIGINAL = {10.0, 1.0, 0.4, 25, 0.5, 0.4, 0.8, 150.0, 1.0471975511965976};

CLOSED_FORM(the_scene_rolling_has_its_two_accelerations, OFF_MU)
{
    const Accelerations a = worked_out(&ORIGINAL);
    CHECK_NEAR(a.slab, 0.7385, 5e-5);
    CHECK_NEAR(a.ball, 0.211, 5e-4);
    utError err;
    Lab lab = lab_open(H);
    CHECK_INT(ut_scene_build("rolling", lab.def, &err), UT_OK);
    const char* const mu = t->mu < 1.0 ? "0.396" : t->mu > 1.0 ? "0.404" : "0.4";
    CHECK_INT(ut_model_def_set(lab.def, "floor.friction", mu, &err), UT_OK);
    CHECK_INT(ut_model_def_set(lab.def, "slab.friction", mu, &err), UT_OK);
    CHECK_INT(ut_model_compile(lab.def, NULL, &lab.model, &err), UT_OK);
    CHECK_INT(ut_sim_create(lab.model, NULL, &lab.sim, &err), UT_OK);
    const utInput input = {.ctrl = lab.model->keyframe[0].ctrl};
    for (int k = 0; k < STEPS; k++) {
        lab_step(&lab, &input, NULL);
    }
    expect_velocities(t, &lab, &ORIGINAL);
    lab_end(&lab);
}

// With four balls: (10 + 8/7) a = 70 - 0.4 * 14 g.
CLOSED_FORM(balls_on_a_slab_roll_alike_at_every_heading, OFF_MU | OFF_MASS | OFF_LENGTH)
{
    for (int degrees = 0; degrees <= 90; degrees += 30) {
        const Rolling s = {10.0, 1.0, 0.4, 4, 0.5, 0.4, 0.8, 70.0, degrees * PI / 180.0};
        expect_rolling(t, &s);
    }
}

CLOSED_FORM(heavy_balls_on_a_light_slab_roll_by_the_same_rule, OFF_MU | OFF_MASS | OFF_LENGTH)
{
    const Rolling s = {2.0, 7.0, 0.4, 9, 0.4, 0.25, 0.6, 200.0, 0.3};
    expect_rolling(t, &s);
}

// k = 2/3: a hollow ball gets 2/5 of the slab's acceleration
CLOSED_FORM(hollow_balls_take_two_fifths, OFF_MU | OFF_MASS | OFF_LENGTH)
{
    const Rolling s = {10.0, 1.0, 2.0 / 3.0, 4, 0.5, 0.4, 0.8, 80.0, PI / 3.0};
    CHECK_NEAR(worked_out(&s).ball, 0.4 * worked_out(&s).slab, 1e-12);
    expect_rolling(t, &s);
}

// nu = 0.05 holds 0.49 m/s^2 only, of the 1.3 m/s^2 that rolling asks for
CLOSED_FORM(balls_on_a_fast_slab_slip, OFF_MU | OFF_MASS | OFF_LENGTH)
{
    const Rolling s = {10.0, 1.0, 0.4, 4, 0.5, 0.1, 0.05, 65.0, 1.0};
    CHECK(worked_out(&s).ball < 2.0 / 7.0 * worked_out(&s).slab);
    expect_rolling(t, &s);
}

// Half a per cent below and above 0.4 * 14 kg g, at 60 degrees: nothing moves, or all does.
CLOSED_FORM(a_slab_with_balls_starts_above_its_limit_only, OFF_MU | OFF_MASS)
{
    for (int over = 0; over < 2; over++) {
        const double F = (over ? 1.005 : 0.995) * 0.4 * 14.0 * G;
        const Rolling s = {10.0, 1.0, 0.4, 4, 0.5, 0.4, 0.8, F, PI / 3.0};
        // four of the fourteen kilograms are the balls': 1 % of them shifts the limit by 0.29 %
        expect_rolling(t, &s);
    }
}
