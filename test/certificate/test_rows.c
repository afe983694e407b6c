// SPDX-License-Identifier: Apache-2.0
// Limits, dry friction and limited actuators: a pendulum of mass m on an arm of length l in closed
// form, M = m l^2 + I, and a slide.
#include "scene.h"

static const double L = 0.5, MASS = 2.0, TURN = 0.1, H = 0.01, G = 10.0;

typedef struct Options {
    double low, high, frictionloss, stiffness, damping, armature;
    double kp, kv, gear, force_most;
    bool free; // an actuator without a limit
    bool slide;
} Options;

static Step pendulum(Options o)
{
    Step step = {0};
    utModelDef* def = NULL;
    ut_model_def_create(NULL, &def);
    utBodyDef body = ut_body_def();
    body.inertial = true;
    body.mass = MASS;
    body.com = ut_vec3(0, 0, o.slide ? 0.0 : -L);
    body.inertia = ut_mat3_diagonal(ut_vec3(TURN, TURN, TURN));
    const int b = ut_model_def_body(def, &body);
    utJointDef joint = ut_joint_def(b, o.slide ? UT_JOINT_SLIDE : UT_JOINT_HINGE);
    joint.axis = o.slide ? ut_vec3(1, 0, 0) : ut_vec3(0, 1, 0);
    joint.limited = o.high > o.low;
    joint.range[0] = o.low;
    joint.range[1] = o.high;
    joint.frictionloss = o.frictionloss;
    joint.stiffness = o.stiffness;
    joint.damping = o.damping;
    joint.armature = o.armature;
    const int j = ut_model_def_joint(def, &joint);
    if (o.force_most > 0.0 || o.free) {
        utActuatorDef actuator = ut_actuator_def(j, UT_ACTUATOR_POSITION);
        actuator.kp = o.kp;
        actuator.kv = o.kv;
        actuator.gear = o.gear;
        actuator.force_limited = !o.free;
        actuator.force_range[0] = -o.force_most;
        actuator.force_range[1] = 2.0 * o.force_most;
        ut_model_def_actuator(def, &actuator);
    }
    utError err;
    if (!CHECK_INT(ut_model_compile(def, NULL, &step.model, &err), UT_OK)) {
        test_note("%s", err.message);
    }
    ut_model_def_destroy(def);
    step.report = (utStepReport){.h = H,
                                 .integrator = UT_INTEGRATOR_EULER,
                                 .formulation = UT_FORMULATION_COULOMB,
                                 .gravity = {0, 0, -G}};
    return step;
}

static double reach(const Step* step)
{
    return step->model->joint[0].kind == UT_JOINT_SLIDE ? 1.0 : step->model->joint[0].reach;
}

static utRow row_of(const Step* step, utRowKind kind, double sign)
{
    return (utRow){.kind = kind,
                   .actuator = -1,
                   .dofs = 1,
                   .direction = {sign},
                   .length = reach(step),
                   .high = HUGE_VAL};
}

// v+ = v* + length direction r / M̂, q+ and u. Rows are all on the one velocity.
static void finish(Step* step, double M, double v_free)
{
    step->v_free[0] = v_free;
    step->v_next[0] = v_free;
    for (int j = 0; j < step->report.rows; j++) {
        const utRow* row = &step->row[j];
        step->v_next[0] += row->length * row->direction[0] * row->r / M;
    }
    step->q_next[0] = step->q[0] + H * step->v_next[0];
    for (int j = 0; j < step->report.rows; j++) {
        utRow* row = &step->row[j];
        row->u =
            row->length * row->direction[0] * step->v_next[0] + row->b + row->compliance * row->r;
    }
}

// Torque of gravity about y at the angle q from the lowest position; the centre of mass is at
// l (-sin q, 0, -cos q).
static double hinge_torque(double q)
{
    return -MASS * G * L * sin(q);
}

// ---- limits -------------------------------------------------------------------------------------

// A pendulum swings at 3 rad/s, 0.01 rad before its limit, so that the limit allows 1 rad/s.
static Step limited(bool upper, double gap)
{
    Step step = pendulum((Options){.low = -0.4, .high = 0.7});
    const double M = MASS * L * L + TURN, sign = upper ? 1.0 : -1.0;
    step.q[0] = upper ? 0.7 - gap : -0.4 + gap;
    step.v[0] = 3.0 * sign;
    const double v_free = step.v[0] + H * hinge_torque(step.q[0]) / M;
    utRow row = row_of(&step, upper ? UT_ROW_UPPER : UT_ROW_LOWER, -sign);
    row.gap = upper ? 0.7 - step.q[0] : step.q[0] + 0.4;
    row.b = row.length * (row.gap > 0.0 ? row.gap : 0.0) / H;
    const double allowed = (row.gap > 0.0 ? row.gap : 0.0) / H;
    row.r = M * (v_free * sign - allowed) / row.length;
    step.row[0] = row;
    step.report.rows = 1;
    finish(&step, M, v_free);
    return step;
}

TEST(a_step_into_a_limit_passes)
{
    for (int k = 0; k < 4; k++) {
        Step step = limited(k % 2 == 0, k < 2 ? 0.01 : -0.001);
        const utCertificate c = judge_step(&step);
        CHECK_TEXT(ut_certificate_reason_name(c.reason), "");
        CHECK_NEAR(c.E, 0.0, 1e-13);
        CHECK_INT(c.contact, 0);
        CHECK_NEAR(c.momentum, 0.0, 1e-14);
        // V is the velocity that the limit removes
        const double taken = fabs(step.v_free[0]) - (k < 2 ? 1.0 : 0.0);
        CHECK_NEAR(c.V, reach(&step) * taken, 1e-10);
        free_step(&step);
    }
}

TEST(every_spoiled_limit_fails_for_its_reason)
{
    for (int k = 0; k < 13; k++) {
        const char* want = "active set";
        Step step = limited(true, 0.01);
        utRow* row = &step.row[0];
        const double M = MASS * L * L + TURN;
        switch (k) {
        case 0:
            row->low = -HUGE_VAL;
            break;
        case 1:
            row->high = 1.0;
            break;
        case 2:
            row->direction[0] = 1.0;
            break;
        case 3:
            row->gap += 1e-6;
            break;
        case 4:
            row->kind = UT_ROW_LOWER;
            break;
        case 5:
            row->kind = UT_ROW_BALL;
            break;
        case 6:
            row->compliance = 1e-3;
            break;
        case 7:
            row->r *= 1.0 + 1e-7;
            want = "momentum";
            break;
        case 8:
            row->r *= 1.0 + 1e-7;
            finish(&step, M, step.v_free[0]);
            want = "complementarity";
            break;
        case 9:
            row->r = -row->r;
            finish(&step, M, step.v_free[0]);
            want = "cone";
            break;
        case 10:
            row->b += 1e-6;
            want = "reported";
            break;
        case 11:
            row->u += 1e-6;
            want = "reported";
            break;
        case 12:
            row->dof = 1;
            want = "report";
            break;
        }
        if (!CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), want)) {
            test_note("case %d", k);
        }
        free_step(&step);
    }
}

// A row with another length has r divided by that factor, and the same E.
TEST(the_length_of_a_row_does_not_change_E)
{
    const double M = MASS * L * L + TURN;
    double E[2];
    for (int k = 0; k < 2; k++) {
        Step step = limited(true, 0.01);
        utRow* row = &step.row[0];
        const double share = k == 0 ? 1.0 : 7.0;
        row->r *= (1.0 + 1e-3) / share;
        row->length *= share;
        row->b *= share;
        finish(&step, M, step.v_free[0]);
        const utCertificate c = judge_step(&step);
        E[k] = c.E;
        // 1e-3 of V, the velocity that the limit removes
        CHECK_NEAR(c.e, 1e-3 * row->length / share * (step.v_free[0] - 1.0), 1e-9);
        CHECK_TEXT(ut_certificate_reason_name(c.reason), "complementarity");
        free_step(&step);
    }
    CHECK(E[0] > 0.0 && E[1] > 0.0);
}

// ---- dry friction -------------------------------------------------------------------------------

TEST(dry_friction_slows_down_and_holds)
{
    for (int k = 0; k < 2; k++) {
        Step step = pendulum((Options){.frictionloss = 3.0});
        const double M = MASS * L * L + TURN;
        step.q[0] = 0.3;
        step.v[0] = k == 0 ? 2.0 : 0.0;
        const double v_free = step.v[0] + H * hinge_torque(0.3) / M;
        step.row[0] = row_of(&step, UT_ROW_FRICTION, 1.0);
        step.row[0].high = H * 3.0 / reach(&step);
        step.row[0].low = -step.row[0].high;
        // in motion friction is at its bound; at rest it holds 2 * 10 * 0.5 sin 0.3 = 2.96 N m
        step.row[0].r = k == 0 ? step.row[0].low : -M * v_free / reach(&step);
        step.report.rows = 1;
        finish(&step, M, v_free);
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
        step.row[0].low = -HUGE_VAL;
        step.row[0].high = HUGE_VAL;
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
        step.row[0].high = H * 3.0 / reach(&step);
        step.row[0].low = -step.row[0].high;
        step.row[0].r = 0.0;
        finish(&step, M, v_free);
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "complementarity");
        free_step(&step);
    }
}

// ---- actuators ----------------------------------------------------------------------------------

// A slide of 2 kg pulled to ctrl by kp, kv through the gear. Free: f = gear (kp (ctrl - gear q+) -
// kv gear v+); limited: f = gear force_range.
static Step pulled(double ctrl, double gear, double* unlimited)
{
    const double kp = 100.0, kv = 5.0, most = 20.0;
    Step step =
        pendulum((Options){.slide = true, .kp = kp, .kv = kv, .gear = gear, .force_most = most});
    step.q[0] = 0.1;
    step.v[0] = 0.5;
    step.ctrl[0] = ctrl;
    const double stiff = gear * gear * (kv + H * kp);
    const double wanted = gear * kp * (ctrl - gear * 0.1);
    utRow row = row_of(&step, UT_ROW_ACTUATOR, 1.0);
    row.actuator = 0;
    row.compliance = 1.0 / (H * stiff);
    row.b = -wanted / stiff;
    row.low = H * (gear > 0.0 ? -gear * most : 2.0 * gear * most);
    row.high = H * (gear > 0.0 ? 2.0 * gear * most : -gear * most);
    // m (v+ - v) = r and r = h (wanted - stiff v+)
    const double v_next = (MASS * 0.5 + H * wanted) / (MASS + H * stiff);
    row.r = H * (wanted - stiff * v_next);
    *unlimited = row.r;
    row.r = row.r < row.low ? row.low : row.r > row.high ? row.high : row.r;
    step.row[0] = row;
    step.report.rows = 1;
    finish(&step, MASS, 0.5);
    return step;
}

TEST(limited_actuators_pull_as_they_can)
{
    const double cases[][3] = {{0.12, 1.0, 0}, {3.0, 1.0, 1}, {-3.0, 1.0, -1},
                               {0.2, 2.0, 0},  {3.0, 2.0, 1}, {3.0, -1.0, -1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double unlimited;
        Step step = pulled(cases[k][0], cases[k][1], &unlimited);
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
        const utRow row = step.row[0];
        CHECK_INT((unlimited > row.high) - (unlimited < row.low), cases[k][2]);
        step.row[0].r *= 0.999;
        finish(&step, MASS, 0.5);
        utCertificate c = judge_step(&step);
        CHECK(!c.passed);
        // an error 1e-3 r gives 1e-3 r (1 / m + compliance), at the bound in r and inside in u
        CHECK_NEAR(c.e, 1e-3 * fabs(row.r) * (1.0 / MASS + row.compliance), 1e-12);
        step.row[0] = row;
        finish(&step, MASS, 0.5);
        step.ctrl[0] += 1e-3;
        CHECK(!judge_step(&step).passed);
        step.ctrl[0] -= 1e-3;
        step.row[0].high *= 1.1;
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "active set");
        free_step(&step);
    }
}

TEST(a_limited_actuator_has_exactly_one_row)
{
    double unlimited;
    Step step = pulled(0.12, 1.0, &unlimited);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");
    step.report.rows = 0;
    finish(&step, MASS, 0.5);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "actuators");
    step.row[1] = step.row[0];
    step.report.rows = 2;
    finish(&step, MASS, 0.5);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "actuators");
    free_step(&step);
}

// The same without a limit: force and diagonal are linearised about the start, and must agree with
// the model, the control and the state.
TEST(forces_of_actuators_must_follow_from_the_model)
{
    const double kp = 100.0, kv = 5.0, gear = 2.0, K = kp * gear * gear, D = kv * gear * gear;
    Step step = pendulum((Options){.slide = true, .kp = kp, .kv = kv, .gear = gear, .free = true});
    step.q[0] = 0.1;
    step.v[0] = 0.5;
    step.ctrl[0] = 0.12;
    step.caller_force[0] = 0.3;
    step.force[0] = 0.3 + gear * kp * 0.12 - K * 0.1 - D * 0.5 - H * K * 0.5;
    step.actuator_diagonal[0] = H * D + H * H * K;
    // m (v+ - v) = h (0.3 + wanted - K (q + h v+) - D v+)
    const double wanted = 0.3 + gear * kp * 0.12 - K * 0.1;
    const double v_next = (MASS * 0.5 + H * wanted) / (MASS + H * D + H * H * K);
    finish(&step, 1.0, v_next);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "");

    double* const reported[] = {&step.force[0], &step.actuator_diagonal[0], &step.caller_force[0],
                                &step.ctrl[0]};
    for (size_t k = 0; k < sizeof reported / sizeof *reported; k++) {
        const double right = *reported[k];
        *reported[k] *= 1.0 + 1e-7;
        CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "actuators");
        *reported[k] = right;
    }
    // a consistent step with twice the force still fails
    step.force[0] *= 2.0;
    finish(&step, 1.0, 0.5 + H * step.force[0] / (MASS + step.actuator_diagonal[0]));
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "actuators");
    free_step(&step);
}

// ---- springs and dampers ------------------------------------------------------------------------

// m (v+ - v) = h (-k (q + h v+) - d v+) on a slide with armature.
TEST(springs_and_dampers_are_implicit)
{
    Step step =
        pendulum((Options){.slide = true, .stiffness = 50.0, .damping = 3.0, .armature = 0.4});
    step.q[0] = 0.2;
    step.v[0] = -0.7;
    const double m = MASS + 0.4;
    finish(&step, 1.0, (m * -0.7 - H * 50.0 * 0.2) / (m + H * 3.0 + H * H * 50.0));
    const utCertificate c = judge_step(&step);
    CHECK_TEXT(ut_certificate_reason_name(c.reason), "");
    CHECK(c.momentum <= 1e-15);
    // an explicit step has another velocity
    finish(&step, 1.0, -0.7 + H * (-50.0 * 0.2 + 3.0 * 0.7) / m);
    CHECK_TEXT(ut_certificate_reason_name(judge_step(&step).reason), "momentum");
    free_step(&step);
}
