// SPDX-License-Identifier: Apache-2.0
// Torsional and rolling friction: the engine's steps pass, and every change of an angular number of the
// report is found.
#include <math.h>
#include <string.h>
#include <uptack/certificate.h>
#include <uptack/sim.h>

#include "test.h"

static const double R = 0.1, H = 0.002;

// A ball of 3 kg that rolls along x and spins, on the floor or on a turntable (a mocap body).
typedef struct Rolling {
    utModel* model;
    utSim* sim;
    utStepReport report;
    utContact contact;
    double v_next[6], q_next[7];
} Rolling;

static Rolling make_rolling(void)
{
    Rolling made = {0};
    utModelDef* def = NULL;
    utError err;
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    utOptions options = ut_options();
    options.dt = H;
    ut_model_def_options(def, &options);
    const utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    ut_model_def_geom(def, &floor);
    utBodyDef body = ut_body_def();
    body.pos = ut_vec3(0, 0, R);
    const int ball = ut_model_def_body(def, &body);
    const utJointDef joint = ut_joint_def(ball, UT_JOINT_FREE);
    ut_model_def_joint(def, &joint);
    utGeomDef geom = ut_geom_def(ball, UT_SHAPE_SPHERE, ut_vec3(R, 0, 0));
    geom.mass = 3.0;
    geom.condim = 6;
    geom.torsional = 0.01;
    geom.rolling = 0.004;
    ut_model_def_geom(def, &geom);
    CHECK_INT(ut_model_compile(def, NULL, &made.model, &err), UT_OK);
    CHECK_INT(ut_sim_create(made.model, NULL, &made.sim, &err), UT_OK);
    ut_model_def_destroy(def);
    const double v[6] = {1.0, 0, 0, 0, 1.0 / R, 5.0};
    CHECK_INT(ut_sim_set(made.sim, 0.0, NULL, v, NULL), UT_OK);
    utStepResult result;
    CHECK_INT(ut_sim_step(made.sim, NULL, &result, &err), UT_OK);
    CHECK_INT(result.outcome, UT_STEP_CERTIFIED);
    CHECK_INT(result.report.contacts, 1);
    made.report = result.report;
    made.contact = result.report.contact[0];
    memcpy(made.v_next, result.report.v_next, sizeof made.v_next);
    memcpy(made.q_next, result.report.q_next, sizeof made.q_next);
    return made;
}

static void free_rolling(Rolling* made)
{
    ut_sim_destroy(made->sim);
    ut_model_destroy(made->model);
}

static const char* reason_of(Rolling* made)
{
    utCertificate certificate;
    made->report.contact = &made->contact;
    made->report.v_next = made->v_next;
    made->report.q_next = made->q_next;
    CHECK_INT(ut_certify(&made->report, 1e-8, test_arena(), &certificate), UT_OK);
    return ut_certificate_reason_name(certificate.reason);
}

// ---- ways to spoil a step -----------------------------------------------------------------------

static void more_torque(Rolling* made)
{
    made->contact.torque[0] *= 1.0 + 1e-6;
}

static void other_rolling_torque(Rolling* made)
{
    made->contact.torque[1] += 1e-7;
}

// A torque off by a factor, with the velocities and positions that belong to it: I = 2/5 m R^2, and the
// body's axes are those of the world.
static void scale_torque(Rolling* made, int axis, double factor)
{
    utContact* c = &made->contact;
    const double change = (factor - 1.0) * c->torque[axis];
    const utVec3 w = ut_vec3_scale(c->frame[axis], change / (0.4 * 3.0 * R * R));
    c->torque[axis] *= factor;
    made->v_next[3] += w.x;
    made->v_next[4] += w.y;
    made->v_next[5] += w.z;
    ut_model_integrate(made->model, made->report.q, made->v_next, H, made->q_next);
}

static void too_much_torsion(Rolling* made)
{
    scale_torque(made, 0, 1.001);
}

static void too_little_torsion(Rolling* made)
{
    scale_torque(made, 0, 0.999);
}

static void other_spin(Rolling* made)
{
    made->contact.spin[0] += 1e-4;
}

static void other_roll(Rolling* made)
{
    made->contact.spin[2] += 1e-4;
}

static void mocap_spin(Rolling* made)
{
    made->contact.spin_b[0] = 1e-4;
}

static void more_torsional(Rolling* made)
{
    made->contact.torsional *= 1.01;
}

static void less_rolling(Rolling* made)
{
    made->contact.rolling *= 0.99;
}

static void no_rolling(Rolling* made)
{
    made->contact.rolling = 0.0;
}

static void condim_3(Rolling* made)
{
    made->contact.condim = 3;
}

static void condim_4(Rolling* made)
{
    made->contact.condim = 4;
}

static void not_finite(Rolling* made)
{
    made->contact.torque[2] = (double)NAN;
}

static void other_compression(Rolling* made)
{
    made->contact.compression_torque[0] = 1e-6;
}

TEST(every_angular_number_of_a_report_is_checked)
{
    static const struct {
        void (*spoil)(Rolling* made);
        const char* reason;
    } cases[] = {
        {more_torque, "momentum"},    {other_rolling_torque, "momentum"},
        {too_much_torsion, "cone"},   {too_little_torsion, "complementarity"},
        {other_spin, "reported"},     {other_roll, "reported"},
        {mocap_spin, "reported"},     {more_torsional, "active set"},
        {less_rolling, "active set"}, {no_rolling, "active set"},
        {condim_3, "active set"},     {condim_4, "active set"},
        {not_finite, "not finite"},   {other_compression, "active set"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Rolling made = make_rolling();
        CHECK_TEXT(reason_of(&made), "");
        cases[k].spoil(&made);
        CHECK_TEXT(reason_of(&made), cases[k].reason);
        free_rolling(&made);
    }
}

// The scale and the error by hand: without impulses the ball moves with v and g, so that the contact
// point has u = (-g h, 0, 0), because it rolls, and the angular rows are R w with R the ball's radius.
TEST(the_velocity_scale_has_the_angular_rows)
{
    Rolling made = make_rolling();
    utCertificate certificate;
    CHECK_INT(ut_certify(&made.report, 1e-8, test_arena(), &certificate), UT_OK);
    const double fall = 9.81 * H, spin = 5.0 * R, roll = 10.0 * R;
    CHECK_NEAR(certificate.V, sqrt(fall * fall + spin * spin + roll * roll), 1e-12);
    CHECK(certificate.energy_gain <= 0.0);
    free_rolling(&made);
}
