// SPDX-License-Identifier: Apache-2.0
// Springs and dampers of joints, which are linearly implicit:
//
//     (m + h d + h^2 k) v+ = m v - h k x,    x+ = x + h v+
//
// For the spring alone that is the implicit Euler rule: from rest x_n is the real part of
// x_0 / (1 + i w h)^n, w^2 = k / m.
#include "closed_form.h"

static const double H = 0.002;
enum { STEPS = 300 };

// n factors of rounding, 1e-16 each, and of the terms in the balance
static const double ROUNDING = 1e-11;

static double ring(double w, int n)
{
    return pow(1.0 + w * H * w * H, -0.5 * n) * cos(n * atan(w * H));
}

// A ball that slides along x without gravity.
static int slider(Lab* lab, int parent, double mass, double stiffness, double damping)
{
    utBodyDef body = ut_body_def();
    body.parent = parent;
    const int index = ut_model_def_body(lab->def, &body);
    utJointDef joint = ut_joint_def(index, UT_JOINT_SLIDE);
    joint.axis = ut_vec3(1, 0, 0);
    joint.stiffness = stiffness;
    joint.damping = damping;
    ut_model_def_joint(lab->def, &joint);
    utGeomDef ball = ut_geom_def(index, UT_SHAPE_SPHERE, ut_vec3(0.1, 0, 0));
    ball.mass = mass;
    ball.contype = ball.conaffinity = 0;
    CHECK(ut_model_def_geom(lab->def, &ball) >= 0);
    return index;
}

static Lab without_gravity(void)
{
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3_zero();
    return lab;
}

CLOSED_FORM(a_mass_on_a_spring_rings, OFF_MASS)
{
    const double m = 2.0, k = 300.0, x0 = 0.1;
    Lab lab = without_gravity();
    slider(&lab, 0, m * t->mass, k, 0.0);
    lab_start(&lab);
    lab_state(&lab, &x0, NULL);
    lab_steps(&lab, STEPS, NULL, NULL);
    EXPECT(t, ut_sim_q(lab.sim)[0], x0 * ring(sqrt(k / m), STEPS), ROUNDING);
    lab_end(&lab);
}

// v_n = v_0 / (1 + h d / m)^n
CLOSED_FORM(a_damper_slows_a_mass_down, OFF_MASS)
{
    const double m = 2.0, d = 5.0, v0 = 3.0;
    Lab lab = without_gravity();
    slider(&lab, 0, m * t->mass, 0.0, d);
    lab_start(&lab);
    lab_state(&lab, NULL, &v0);
    lab_steps(&lab, STEPS, NULL, NULL);
    EXPECT(t, ut_sim_v(lab.sim)[0], v0 * pow(1.0 + H * d / m, -STEPS), ROUNDING);
    lab_end(&lab);
}

// Both: (m + h d + h^2 k) x_{n+1} - (2 m + h d) x_n + m x_{n-1} = 0 has the roots p exp(+-i a),
// p^2 = m / (m + h d + h^2 k), cos a = (2 m + h d) p / (2 m); from rest x_{-1} = x_0.
CLOSED_FORM(a_damped_mass_on_a_spring_dies_down, OFF_MASS)
{
    const double m = 2.0, k = 300.0, d = 4.0, x0 = 0.1;
    Lab lab = without_gravity();
    slider(&lab, 0, m * t->mass, k, d);
    lab_start(&lab);
    lab_state(&lab, &x0, NULL);
    lab_steps(&lab, STEPS, NULL, NULL);
    const double p = sqrt(m / (m + H * d + H * H * k));
    const double a = acos((2.0 * m + H * d) * p / (2.0 * m));
    const double sine = (cos(a) - p) / sin(a);
    const double x = x0 * pow(p, STEPS) * (cos(STEPS * a) + sine * sin(STEPS * a));
    // the angle is an arc cosine near 1: its rounding is 1e-16 / a each step
    EXPECT(t, ut_sim_q(lab.sim)[0], x, 10.0 * ROUNDING);
    lab_end(&lab);
}

// It rests where k x = m g, however stiff the spring: h^2 k is 200 times the mass here.
CLOSED_FORM(a_stiff_spring_bears_its_weight, OFF_MASS)
{
    const double m = 2.0, k = 1e8;
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3(-G, 0, 0);
    slider(&lab, 0, m * t->mass, k, 0.0);
    lab_start(&lab);
    // each step leaves 1 / sqrt(1 + h^2 k / m) = 1/14
    lab_steps(&lab, STEPS, NULL, NULL);
    EXPECT(t, ut_sim_q(lab.sim)[0], -m * G / k, 1e-12 * m * G / k);
    lab_end(&lab);
}

// A bar about a vertical hinge: I = m (a^2 + b^2) / 3 of its half extents.
CLOSED_FORM(a_torsion_pendulum_turns_back_and_forth, OFF_MASS | OFF_LENGTH)
{
    const double m = 3.0, a = 0.4, b = 0.05, k = 4.0, x0 = 0.7, f = t->length;
    Lab lab = lab_open(H);
    const int bar = lab_body(&lab, "bar", ut_vec3_zero());
    utJointDef hinge = ut_joint_def(bar, UT_JOINT_HINGE);
    hinge.stiffness = k;
    ut_model_def_joint(lab.def, &hinge);
    lab_geom(&lab, bar, UT_SHAPE_BOX, ut_vec3(a * f, b, 0.02), m * t->mass, 0.5);
    lab_start(&lab);
    lab_state(&lab, &x0, NULL);
    lab_steps(&lab, STEPS, NULL, NULL);
    const double I = m * (a * a + b * b) / 3.0;
    EXPECT(t, ut_sim_q(lab.sim)[0], x0 * ring(sqrt(k / I), STEPS), ROUNDING);
    lab_end(&lab);
}

// A wall, a spring, a mass, a spring, a mass: w^2 = (3 -+ sqrt 5) / 2 k / m, the second mass moves
// (1 +- sqrt 5) / 2 times as far as the first. Joints count from mass to mass.
CLOSED_FORM(two_masses_on_springs_ring_in_their_modes, OFF_MASS)
{
    const double m = 1.5, k = 200.0, x0 = 0.05;
    for (int fast = 0; fast < 2; fast++) {
        const double root = fast ? -sqrt(5.0) : sqrt(5.0);
        const double w = sqrt(0.5 * (3.0 - root) * k / m);
        Lab lab = without_gravity();
        const int first = slider(&lab, 0, m, k, 0.0);
        slider(&lab, first, m * t->mass, k, 0.0);
        lab_start(&lab);
        const double q[2] = {x0, x0 * (0.5 * (1.0 + root) - 1.0)};
        lab_state(&lab, q, NULL);
        lab_steps(&lab, STEPS, NULL, NULL);
        EXPECT(t, ut_sim_q(lab.sim)[0], q[0] * ring(w, STEPS), ROUNDING);
        EXPECT(t, ut_sim_q(lab.sim)[1], q[1] * ring(w, STEPS), ROUNDING);
        lab_end(&lab);
    }
}
