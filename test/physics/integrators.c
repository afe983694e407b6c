// SPDX-License-Identifier: Apache-2.0
// Integrators and re-linearisation in a whole sim: smooth flight by RK4 and MIDPOINT, contacts on
// top of them, and gaps that are kept where bodies turn fast.
#include "lab.h"

static const double G = 9.81;

// A pendulum on a ball joint that swings in all directions, without contacts.
static Lab swing(double h, utIntegrator integrator)
{
    Lab lab = lab_open(h);
    lab.options.integrator = integrator;
    const int body = lab_body(&lab, "bob", ut_vec3_zero());
    utJointDef joint = ut_joint_def(body, UT_JOINT_BALL);
    CHECK(ut_model_def_joint(lab.def, &joint) >= 0);
    utGeomDef geom = ut_geom_def(body, UT_SHAPE_BOX, ut_vec3(0.05, 0.1, 0.2));
    geom.pos = ut_vec3(0, 0, -0.5);
    geom.mass = 1.5;
    CHECK(ut_model_def_geom(lab.def, &geom) >= 0);
    lab_start(&lab);
    const double v[3] = {2.0, -1.0, 3.0};
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, v, NULL), UT_OK);
    return lab;
}

// Where the bob is after 0.4 s.
static utVec3 swung(double h, utIntegrator integrator, double* energy)
{
    Lab lab = swing(h, integrator);
    const double before = ut_sim_energy(lab.sim);
    lab_run(&lab, (int)(0.4 / h + 0.5), 0, ut_vec3_zero());
    lab_certified(&lab);
    const utVec3 at = ut_sim_body(lab.sim, 1).com;
    *energy = fabs(ut_sim_energy(lab.sim) - before);
    lab_close(&lab);
    return at;
}

// The error falls by 2^order when h is halved: three steps of h tell it without a reference.
static double order_of(utIntegrator integrator)
{
    double energy;
    const utVec3 a = swung(0.02, integrator, &energy);
    const utVec3 b = swung(0.01, integrator, &energy);
    const utVec3 c = swung(0.005, integrator, &energy);
    return log2(ut_vec3_norm(ut_vec3_sub(a, b)) / ut_vec3_norm(ut_vec3_sub(b, c)));
}

TEST(a_sim_has_the_order_of_its_integrator)
{
    // the leading term rules to within a tenth of the order at these h
    CHECK_NEAR(order_of(UT_INTEGRATOR_EULER), 1.0, 0.15);
    CHECK_NEAR(order_of(UT_INTEGRATOR_RK4), 4.0, 0.4);
    CHECK_NEAR(order_of(UT_INTEGRATOR_MIDPOINT), 2.0, 0.2);
}

TEST(the_midpoint_keeps_energy_in_a_sim)
{
    double energy;
    swung(0.02, UT_INTEGRATOR_MIDPOINT, &energy);
    // 20 steps of 1e-12 of some 10 J
    CHECK(energy <= 1e-9);
}

// A servo is a spring and a damper: k q'' ... I a = kp (ctrl - q) - kv v, exactly
// q = ctrl (1 - exp(-d t) (cos w t + d / w sin w t)), d = kv / 2I, w^2 = kp / I - d^2.
TEST(servos_act_within_the_stages)
{
    static const utIntegrator kinds[] = {UT_INTEGRATOR_RK4, UT_INTEGRATOR_MIDPOINT};
    const double I = 0.5, kp = 40.0, kv = 2.0, target = 0.3, h = 0.002, T = 0.5;
    for (int k = 0; k < 2; k++) {
        Lab lab = lab_open(h);
        lab.options.integrator = kinds[k];
        lab.options.gravity = ut_vec3_zero();
        utBodyDef wheel = ut_body_def();
        wheel.inertial = true;
        wheel.mass = 1.0;
        wheel.inertia = ut_mat3_diagonal(ut_vec3(I, I, I));
        const int body = ut_model_def_body(lab.def, &wheel);
        utJointDef joint = ut_joint_def(body, UT_JOINT_HINGE);
        const int j = ut_model_def_joint(lab.def, &joint);
        utActuatorDef actuator = ut_actuator_def(j, UT_ACTUATOR_POSITION);
        actuator.kp = kp;
        actuator.kv = kv;
        CHECK(ut_model_def_actuator(lab.def, &actuator) >= 0);
        lab_start(&lab);
        const utInput input = {.ctrl = &target};
        for (int n = 0; n < (int)(T / h + 0.5); n++) {
            lab_step(&lab, &input, NULL);
        }
        const double d = kv / (2.0 * I), w = sqrt(kp / I - d * d);
        const double exact = target * (1.0 - exp(-d * T) * (cos(w * T) + d / w * sin(w * T)));
        // order 2: the phase w T is off by (w h)^2 / 12 of itself; RK4 far less
        CHECK_NEAR(ut_sim_q(lab.sim)[0], exact, target * w * T * kp / I * h * h / 12.0);
        lab_certified(&lab);
        lab_close(&lab);
    }
}

// Impulses on top of the stages: a box slides to rest as by Coulomb, in v exactly as by Euler since
// nothing but constant forces acts.
TEST(a_box_slides_to_rest_under_every_integrator)
{
    static const utIntegrator kinds[] = {UT_INTEGRATOR_EULER, UT_INTEGRATOR_RK4,
                                         UT_INTEGRATOR_IMPLICIT, UT_INTEGRATOR_MIDPOINT};
    const double h = 0.002, mu = 0.5, v0 = 1.0;
    for (int k = 0; k < 4; k++) {
        Lab lab = lab_open(h);
        lab.options.integrator = kinds[k];
        lab_floor(&lab, mu);
        const int box = lab_box(&lab, ut_vec3(0, 0, 0.1), ut_vec3(0.2, 0.2, 0.1), 2.0, mu);
        lab_start(&lab);
        lab_velocity(&lab, 0, v0);
        lab_run(&lab, 50, 0, ut_vec3_zero());
        CHECK_NEAR(ut_sim_body(lab.sim, box).velocity.x, v0 - mu * G * 50 * h, 1e-8);
        lab_run(&lab, 150, 0, ut_vec3_zero());
        CHECK(ut_vec3_norm(ut_sim_body(lab.sim, box).velocity) <= 1e-9);
        // v^2 / 2 mu g, less the h v / 2 that every step is ahead by
        CHECK_NEAR(ut_sim_body(lab.sim, box).com.x, v0 * v0 / (2.0 * mu * G), h * v0);
        lab_certified(&lab);
        lab_close(&lab);
    }
}

// ---- what is wrong with such a step is found ----------------------------------------------------

// A ball bounces off nothing: it lands beside a pendulum that swings on.
static Lab landing(utIntegrator integrator, int passes)
{
    Lab lab = swing(0.01, integrator);
    ut_sim_destroy(lab.sim);
    ut_model_destroy(lab.model);
    lab_plane(&lab, ut_vec3(0, 0, -2), ut_vec3(0, 0, 1), 0.3);
    lab_ball(&lab, ut_vec3(2, 0, -1.9), 0.1, 1.0, 0.3);
    lab.options.relinearize = passes;
    lab_start(&lab);
    const double v[9] = {2.0, -1.0, 3.0, 1.0, 0.0, -1.0, 0.0, 5.0, 0.0};
    CHECK_INT(ut_sim_set(lab.sim, 0.0, NULL, v, NULL), UT_OK);
    return lab;
}

static bool passes(const utStepReport* report)
{
    utCertificate c;
    CHECK_INT(ut_certify(report, 1e-8, test_arena(), &c), UT_OK);
    return c.passed;
}

// One number at a time, and put back. @return how many went unseen
static int unseen(const utStepReport* report, const double* numbers, int count, double by)
{
    double* x = (double*)(uintptr_t)numbers; // the sim's own; everything is put back
    int missed = 0;
    for (int k = 0; k < count; k++) {
        const double was = x[k];
        x[k] += by;
        missed += passes(report);
        x[k] = was;
    }
    return missed;
}

TEST(a_wrong_step_of_any_integrator_is_found)
{
    for (int k = 0; k < UT_INTEGRATOR_COUNT; k++) {
        for (int again = 0; again < 2; again++) {
            Lab lab = landing((utIntegrator)k, 3 * again);
            utStepResult result;
            lab_step(&lab, NULL, &result);
            const utStepReport* r = &result.report;
            CHECK(passes(r));
            CHECK_INT(r->contacts, 1);
            CHECK(r->contact[0].r[0] > 0.0);
            CHECK((r->v_ahead != NULL) == (again == 1));
            // velocities are of order 1, and so is V: 1e-6 is far above 1e-8
            CHECK_INT(unseen(r, r->v, 9, 1e-6), 0);
            CHECK_INT(unseen(r, r->v_free, 9, 1e-6), 0);
            CHECK_INT(unseen(r, r->v_next, 9, 1e-6), 0);
            CHECK_INT(unseen(r, r->q_next, 11, 1e-6), 0);
            CHECK_INT(unseen(r, r->contact[0].r, 3, 1e-6), 0);
            CHECK_INT(unseen(r, r->contact[0].b, 3, 1e-6), 0);
            if (again == 1) {
                CHECK_INT(unseen(r, r->v_ahead + 5, 1, 1e-4), 0); // the way down to the floor
            }
            lab_certified(&lab);
            lab_close(&lab);
        }
    }
}

// ---- re-linearisation ---------------------------------------------------------------------------

// An arm that turns at w sweeps a ball along. The ball is pushed along the normal at the step's
// start, the arm turns on by w h: the ball ends R (w h)^2 / 2 deep in it, to leading order.
// Newton's iteration on the gap at the step's end leaves nothing.
static double deepest(int passes)
{
    const double R = 0.1, h = 0.01, w = 20.0;
    Lab lab = lab_open(h);
    lab.options.gravity = ut_vec3_zero();
    lab.options.relinearize = passes;
    const int arm = lab_body(&lab, "arm", ut_vec3_zero());
    utJointDef joint = ut_joint_def(arm, UT_JOINT_HINGE);
    CHECK(ut_model_def_joint(lab.def, &joint) >= 0);
    lab_geom(&lab, arm, UT_SHAPE_BOX, ut_vec3(2.0, 0.01, 0.01), 1000.0, 0.0);
    lab_ball(&lab, ut_vec3(0.5, 0.01 + R, 0), R, 1.0, 0.0);
    lab_start(&lab);
    lab_velocity(&lab, 0, w);
    double most = 0.0;
    for (int n = 0; n < 2; n++) { // the second sees where the first ended
        utStepResult result;
        lab_step(&lab, NULL, &result);
        most = fmax(most, result.max_penetration);
    }
    lab_certified(&lab);
    lab_close(&lab);
    return most;
}

TEST(relinearisation_keeps_turning_bodies_apart)
{
    // without it the ball would end 3.5 mm deep; the step does by itself what it takes to leave
    // less than 1e-3 of the smaller size, here ten times the arm's half thickness
    CHECK(deepest(0) <= 1e-3 * 0.1);
    // rows are right to 1e-9 m when it stops
    CHECK(deepest(20) <= 2e-9);
}
