// SPDX-License-Identifier: Apache-2.0
// Gravity compensation and nonlinear joint forces in steps, by closed forms and by hand; the certificate
// rejects steps of another model.
#include <uptack/certificate.h>
#include <uptack/dyn.h>

#include "physics/lab.h"

static utCertificate judge_by(const utModel* model, const utStepReport* report)
{
    utStepReport other = *report;
    utCertificate certificate = {0};
    other.model = model;
    CHECK_INT(ut_certify(&other, 1e-8, test_arena(), &certificate), UT_OK);
    return certificate;
}

static const utIntegrator integrators[] = {UT_INTEGRATOR_EULER, UT_INTEGRATOR_RK4,
                                           UT_INTEGRATOR_MIDPOINT};
enum { INTEGRATORS = 3 };

// ---- gravity compensation -----------------------------------------------------------------------

typedef enum Kind { SINGLE, CHAIN, PLANAR, KINDS } Kind;

// A free body whose frame is not at its centre of mass, a chain of three hinges, or a planar body.
static Lab floating(Kind kind, double gravcomp)
{
    Lab lab = lab_open(0.01);
    int parent = 0;
    for (int i = 0; i < (kind == CHAIN ? 3 : 1); i++) {
        utBodyDef body = ut_body_def();
        body.parent = parent;
        body.pos = ut_vec3(0.3, 0, 1);
        body.inertial = true;
        body.mass = 2.0 + i;
        body.com = kind == PLANAR ? ut_vec3(0.1, 0, 0.05) : ut_vec3(0.1, 0.02, 0.05);
        body.inertia = ut_mat3_diagonal(ut_vec3(0.3, 0.5, 0.7));
        body.gravcomp = gravcomp;
        parent = ut_model_def_body(lab.def, &body);
        utJointDef joint = ut_joint_def(parent, kind == CHAIN ? UT_JOINT_HINGE : UT_JOINT_FREE);
        joint.axis = ut_vec3(1, 2, 0);
        CHECK(ut_model_def_joint(lab.def, &joint) >= 0);
    }
    lab.options.planar = kind == PLANAR ? UT_PLANAR_XZ : UT_PLANAR_NONE;
    return lab;
}

// Velocities stay exactly 0. Midpoint computes the frame from the centre of mass, which rounds.
TEST(a_compensated_body_floats_exactly)
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int k = 0; k < INTEGRATORS; k++) {
            Lab lab = floating((Kind)kind, 1.0);
            lab.options.integrator = integrators[k];
            lab_start(&lab);
            lab_steps(&lab, 100, NULL, NULL);
            CHECK_INT(lab.certified, lab.steps);
            for (int i = 0; i < lab.model->nv; i++) {
                CHECK(ut_sim_v(lab.sim)[i] == 0.0);
            }
            for (int i = 0; i < lab.model->nq; i++) {
                CHECK_NEAR(ut_sim_q(lab.sim)[i], lab.model->q0[i], 1e-15);
            }
            CHECK_NEAR(ut_sim_energy(lab.sim), 0.0, 0.0);
            lab_close(&lab);
        }
    }
}

// With 3/4 compensated a free body falls with g / 4, and its energy, m g z / 4 at first, stays: exactly
// with midpoint; Euler's is lower by m (g/4)^2 h t / 2 (its z is low by g/4 h t / 2).
TEST(a_partly_compensated_body_falls_more_slowly)
{
    const double g = 9.81 / 4.0, h = 0.01;
    for (int k = 0; k < INTEGRATORS; k++) {
        Lab lab = floating(SINGLE, 0.75);
        lab.options.integrator = integrators[k];
        lab_start(&lab);
        const double start = ut_sim_energy(lab.sim);
        CHECK_NEAR(start, 2.0 * g * 1.05, 1e-14);
        lab_steps(&lab, 100, NULL, NULL);
        CHECK_INT(lab.certified, lab.steps);
        CHECK_NEAR(ut_sim_v(lab.sim)[2], -g, 1e-13);
        const double late = k == 0 ? 0.5 * g * h : 0.0;
        CHECK_NEAR(ut_sim_q(lab.sim)[2], 1.0 - 0.5 * g - late, 1e-13);
        CHECK_NEAR(ut_sim_energy(lab.sim), start - 2.0 * g * late, 1e-12);
        lab_close(&lab);
    }
}

TEST(a_step_without_the_model_s_gravity_compensation_does_not_pass)
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int k = 0; k < INTEGRATORS; k++) {
            Lab with = floating((Kind)kind, 0.5), without = floating((Kind)kind, 0.0);
            utStepResult result = {0};
            with.options.integrator = without.options.integrator = integrators[k];
            lab_start(&with);
            lab_start(&without);
            lab_step(&with, NULL, &result);
            CHECK(judge_by(with.model, &result.report).passed);
            CHECK_INT(judge_by(without.model, &result.report).reason, UT_REASON_MOMENTUM);
            lab_step(&without, NULL, &result);
            CHECK(judge_by(without.model, &result.report).passed);
            CHECK_INT(judge_by(with.model, &result.report).reason, UT_REASON_MOMENTUM);
            lab_close(&with);
            lab_close(&without);
        }
    }
}

// ---- nonlinear springs and dampers --------------------------------------------------------------

// 2 kg on a slide along x, without gravity.
static Lab slide(double k0, double k1, double k2, double d0, double d1, double d2)
{
    Lab lab = lab_open(0.01);
    const int body =
        lab_solid(&lab, ut_vec3_zero(), ut_quat_identity(), 2.0, ut_vec3_zero(), ut_vec3(1, 1, 1));
    utJointDef joint = ut_joint_def(body, UT_JOINT_SLIDE);
    joint.axis = ut_vec3(1, 0, 0);
    joint.springref = 0.1;
    joint.stiffness = k0;
    joint.stiffness_poly[0] = k1;
    joint.stiffness_poly[1] = k2;
    joint.damping = d0;
    joint.damping_poly[0] = d1;
    joint.damping_poly[1] = d2;
    CHECK(ut_model_def_joint(lab.def, &joint) >= 0);
    lab.options.gravity = ut_vec3_zero();
    return lab;
}

// One step by hand with x = 0.4 - 0.1 and v = -0.5: F = -(7 + 30 x + 500 x^2) x + (3 + 2 |v| + v^2) |v|,
// slopes K = 7 + 60 x + 1500 x^2 and D = 3 + 4 |v| + 3 v^2,
// (m + h D + h^2 K) a = F - h K v, v+ = v + h a.
TEST(an_euler_step_is_linearly_implicit_in_nonlinear_forces)
{
    Lab lab = slide(7, 30, 500, 3, 2, 1);
    const double q = 0.4, v = -0.5, x = 0.3, h = 0.01;
    lab_start(&lab);
    lab_state(&lab, &q, &v);
    lab_steps(&lab, 1, NULL, NULL);
    CHECK_INT(lab.certified, 1);
    const double F = -(7 + 30 * x + 500 * x * x) * x + (3 + 2 * 0.5 + 0.25) * 0.5;
    const double K = 7 + 60 * x + 1500 * x * x, D = 3 + 4 * 0.5 + 3 * 0.25;
    const double a = (F - h * K * v) / (2 + h * D + h * h * K);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], v + h * a, 1e-15);
    CHECK_NEAR(ut_sim_q(lab.sim)[0], q + h * (v + h * a), 1e-15);
    lab_close(&lab);
}

// 2 v' = -6 v |v| has v = v0 / (1 + 3 v0 t). The error of RK4 is of order h^4 = 1e-8 times derivatives of
// order (3 v0)^5 / 120 = 2.
TEST(a_quadratic_damper_slows_down_as_its_closed_form)
{
    Lab lab = slide(0, 0, 0, 0, 6, 0);
    const double q = 0.1, v = 1.0;
    lab.options.integrator = UT_INTEGRATOR_RK4;
    lab_start(&lab);
    lab_state(&lab, &q, &v);
    lab_steps(&lab, 100, NULL, NULL);
    CHECK_INT(lab.certified, lab.steps);
    CHECK_NEAR(ut_sim_v(lab.sim)[0], 1.0 / 4.0, 2e-8);
    lab_close(&lab);
}

// Energy m v^2 / 2 + k0 x^2 / 2 + k1 x^3 / 3 + k2 x^4 / 4 at the start and the end of 1000 steps.
TEST(midpoint_keeps_the_energy_of_a_nonlinear_spring)
{
    Lab lab = slide(2, 3, 50, 0, 0, 0);
    const double q = 0.5, v = 0.7, x = 0.4;
    lab.options.integrator = UT_INTEGRATOR_MIDPOINT;
    lab_start(&lab);
    lab_state(&lab, &q, &v);
    const double start = v * v + 2 * x * x / 2 + 3 * x * x * x / 3 + 50 * x * x * x * x / 4;
    CHECK_NEAR(ut_sim_energy(lab.sim), start, 1e-15);
    lab_steps(&lab, 1000, NULL, NULL);
    CHECK_INT(lab.certified, lab.steps);
    CHECK_NEAR(ut_sim_energy(lab.sim), start, 1e-11);
    lab_close(&lab);
}

TEST(a_step_without_the_model_s_nonlinear_forces_does_not_pass)
{
    const double q = 0.4, v = -0.5;
    for (int k = 0; k < INTEGRATORS; k++) {
        Lab lab = slide(7, 30, 500, 3, 2, 1);
        Lab others[] = {slide(7, 0, 500, 3, 2, 1), slide(7, 30, 0, 3, 2, 1),
                        slide(7, 30, 500, 3, 0, 1), slide(7, 30, 500, 3, 2, 0)};
        utStepResult result = {0};
        lab.options.integrator = integrators[k];
        lab_start(&lab);
        lab_state(&lab, &q, &v);
        lab_step(&lab, NULL, &result);
        CHECK(judge_by(lab.model, &result.report).passed);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            others[i].options.integrator = integrators[k];
            lab_start(&others[i]);
            CHECK_INT(judge_by(others[i].model, &result.report).reason, UT_REASON_MOMENTUM);
            lab_close(&others[i]);
        }
        lab_close(&lab);
    }
}
