// SPDX-License-Identifier: Apache-2.0
// Torsional and rolling friction of one contact. The torque about the normal is at most torsional r_n
// and the torque about the tangents at most rolling r_n, each by itself. While a motion lasts all
// accelerations are constant, so that velocities after any number of steps are exact; angles of a step
// at the velocity of its end differ from the continuous ones by a sum that is worked out below.
#include "closed_form.h"

static const double H = 0.002;
static const double R = 0.1;
static const double M = 3.0;
static const double INERTIA = 0.4 * 3.0 * 0.1 * 0.1; // of a solid ball

typedef struct Material {
    int condim;
    double torsional, rolling; // m
} Material;

static int round_body(Lab* lab, utShapeKind kind, utVec3 size, double z, Material material)
{
    const int body = lab_body(lab, "round", ut_vec3(0, 0, z));
    lab_free(lab, body);
    utGeomDef geom = ut_geom_def(body, kind, size);
    geom.mass = M;
    geom.friction = 1.0;
    geom.condim = material.condim;
    geom.torsional = material.torsional;
    geom.rolling = material.rolling;
    CHECK(ut_model_def_geom(lab->def, &geom) >= 0);
    return body;
}

// A ball on the floor, under gravity that leans by atan(tangent). The floor has condim 3 and no torques.
static Lab ball_on_slope(Material material, double tangent, int* ball)
{
    const double c = 1.0 / sqrt(1.0 + tangent * tangent);
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3(G * tangent * c, 0, -G * c);
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.torsional = 0.0;
    floor.rolling = 0.0;
    CHECK(ut_model_def_geom(lab.def, &floor) >= 0);
    *ball = round_body(&lab, UT_SHAPE_SPHERE, ut_vec3(R, 0, 0), R, material);
    lab_start(&lab);
    return lab;
}

// ---- torsional friction -------------------------------------------------------------------------

// A ball spins about the vertical: a = torsional m g / I. With X = w0 / (h a) and n steps until it
// stands, n = X - p with 0 <= p < 1, the angle is the sum of h (w0 - k h a) over k = 1 ... n,
//
//     h^2 a (n X - n (n + 1) / 2) = w0^2 / (2 a) - h w0 / 2 + h^2 a (p - p^2) / 2
//
// and (p - p^2) / 2 is between 0 and 1/8.
CLOSED_FORM(a_spinning_ball_stops_after_the_exact_angle, OFF_MU)
{
    const double torsional = 0.002, w0 = 2.0;
    int ball;
    Lab lab = ball_on_slope((Material){4, torsional * t->mu, 0.0}, 0.0, &ball);
    lab_velocity(&lab, 5, w0);
    const double a = torsional * M * G / INERTIA;
    utStepResult result;
    lab_steps(&lab, 100, NULL, &result);
    EXPECT(t, ut_sim_body(lab.sim, ball).angular.z, w0 - 100 * H * a, left_of(w0 * R, 100) / R);
    EXPECT(t, result.report.contact[0].torque[0], -torsional * M * G * H,
           torsional * M * left_of(w0 * R, 1));
    lab_steps(&lab, 200, NULL, NULL); // it stands after w0 / (h a) = 203.9 steps
    const double* q = ut_sim_q(lab.sim);
    const double angle = 2.0 * atan2(q[6], q[3]);
    EXPECT(t, angle, w0 * w0 / (2.0 * a) - 0.5 * H * w0 + H * H * a / 16.0,
           H * H * a / 16.0 + way_left_of(w0 * R, H, 204) / R);
    EXPECT(t, ut_sim_body(lab.sim, ball).angular.z, 0.0, left_of(w0 * R, 1) / R);
    lab_end(&lab);
}

// A square plate spins flat on the floor: it touches with its four corners, which are s = sqrt(2) R from
// the axis and slip across it. Whatever their loads, which add up to m g, the torque is
// (mu s + torsional) m g: the torsional friction of a manifold does not depend on its points.
CLOSED_FORM(a_spinning_plate_has_the_torsional_friction_of_its_weight, OFF_MU)
{
    const double torsional = 0.05, w0 = 40.0, height = 0.02;
    Lab lab = lab_open(H);
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.torsional = 0.0;
    CHECK(ut_model_def_geom(lab.def, &floor) >= 0);
    const int plate = round_body(&lab, UT_SHAPE_BOX, ut_vec3(R, R, height), height,
                                 (Material){4, torsional * t->mu, 0.0});
    lab_start(&lab);
    lab_velocity(&lab, 5, w0);
    const double a = (sqrt(2.0) * R + torsional) * M * G / (M * 8.0 * R * R / 12.0);
    lab_steps(&lab, 50, NULL, NULL);
    EXPECT(t, ut_sim_body(lab.sim, plate).angular.z, w0 - 50 * H * a, left_of(w0 * R, 50) / R);
    lab_end(&lab);
}

// On the centre of a turning belt a ball at rest is spun up at the same rate until it turns along.
CLOSED_FORM(a_turning_surface_spins_a_ball_up, OFF_MU)
{
    const double torsional = 0.002, W = 3.0;
    Lab lab = lab_open(H);
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.surface_spin = ut_vec3(0, 0, W);
    floor.torsional = 0.0;
    CHECK(ut_model_def_geom(lab.def, &floor) >= 0);
    const int ball = round_body(&lab, UT_SHAPE_SPHERE, ut_vec3(R, 0, 0), R,
                                (Material){4, torsional * t->mu, 0.0});
    lab_start(&lab);
    utStepResult result;
    lab_steps(&lab, 100, NULL, &result);
    EXPECT(t, ut_sim_body(lab.sim, ball).angular.z, 100 * H * torsional * M * G / INERTIA,
           left_of(W * R, 100) / R);
    EXPECT(t, result.report.contact[0].spin_b[0], -W, 1e-14);
    lab_steps(&lab, 300, NULL, NULL); // W is reached after 305.8 steps
    EXPECT(t, ut_sim_body(lab.sim, ball).angular.z, W, left_of(W * R, 1) / R);
    lab_end(&lab);
}

// A thin disc spins upright on its edge: I = m (a^2 + b^2) / 5 of an ellipsoid about the vertical.
CLOSED_FORM(a_coin_spins_down, OFF_MU | OFF_LENGTH)
{
    const double torsional = 0.001, w0 = 30.0, a = 0.1, b = 0.01;
    const double I = M * (a * a + b * b) / 5.0;
    const double size = a * t->length;
    Lab lab = lab_open(H);
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.torsional = 0.0;
    CHECK(ut_model_def_geom(lab.def, &floor) >= 0);
    const int coin = round_body(&lab, UT_SHAPE_ELLIPSOID, ut_vec3(size, b, size), size,
                                (Material){4, torsional * t->mu, 0.0});
    lab_start(&lab);
    lab_velocity(&lab, 5, w0);
    lab_steps(&lab, 200, NULL, NULL);
    EXPECT(t, ut_sim_body(lab.sim, coin).angular.z, w0 - 200 * H * torsional * M * G / I,
           left_of(w0 * a, 200) / a);
    lab_end(&lab);
}

// ---- rolling friction ---------------------------------------------------------------------------

// A ball on a slope stays while m g sin R <= rolling m g cos, tan = rolling / R. Beyond it rolls with
// a = 5/7 g (sin - cos rolling / R).
CLOSED_FORM(a_ball_stays_on_a_slope_up_to_its_rolling_friction, OFF_MU)
{
    const double rolling = 0.01;
    for (int over = 0; over < 2; over++) {
        const double tangent = (over ? 1.005 : 0.995) * rolling / R;
        const double c = 1.0 / sqrt(1.0 + tangent * tangent);
        int ball;
        Lab lab = ball_on_slope((Material){6, 0.0, rolling * t->mu}, tangent, &ball);
        lab_steps(&lab, 200, NULL, NULL);
        const double a = over ? 5.0 / 7.0 * G * c * (tangent - rolling / R) : 0.0;
        EXPECT(t, ut_sim_body(lab.sim, ball).velocity.x, a * 200 * H, left_of(H * G, 200));
        lab_end(&lab);
    }
}

// On the floor a rolling ball slows down at 5/7 g rolling / R. About the contact the torque is rolling
// r_n = rolling m g h a step, and the sliding friction is 5/7 of what stops a particle at that rate.
CLOSED_FORM(a_rolling_ball_slows_down, OFF_MU)
{
    const double rolling = 0.004, v0 = 1.0;
    int ball;
    Lab lab = ball_on_slope((Material){6, 0.0, rolling * t->mu}, 0.0, &ball);
    const double v[6] = {v0, 0, 0, 0, v0 / R, 0};
    lab_state(&lab, NULL, v);
    utStepResult result;
    lab_steps(&lab, 500, NULL, &result);
    const double a = 5.0 / 7.0 * G * rolling / R;
    const utBodyState state = ut_sim_body(lab.sim, ball);
    EXPECT(t, state.velocity.x, v0 - a * 500 * H, left_of(v0, 500));
    EXPECT(t, state.angular.y, (v0 - a * 500 * H) / R, left_of(v0, 500) / R);
    const utContact* c = &result.report.contact[0];
    const utVec3 torque = ut_vec3_add(ut_vec3_scale(c->frame[1], c->torque[1]),
                                      ut_vec3_scale(c->frame[2], c->torque[2]));
    EXPECT(t, torque.y, -rolling * M * G * H, rolling * M * left_of(v0, 1));
    EXPECT(t, lab_between(&lab, &result.report, 0, ball).x, -M * a * H, M * left_of(v0, 1));
    lab_end(&lab);
}

// ---- both ---------------------------------------------------------------------------------------

// A ball that rolls and spins loses both at the full rate. (In an ellipsoid of forces, as MuJoCo has,
// the two would share r_n.)
CLOSED_FORM(rolling_and_spinning_do_not_share_their_friction, OFF_MU)
{
    const double torsional = 0.001, rolling = 0.002, v0 = 1.0, w0 = 10.0;
    int ball;
    Lab lab = ball_on_slope((Material){6, torsional * t->mu, rolling * t->mu}, 0.0, &ball);
    const double v[6] = {v0, 0, 0, 0, v0 / R, w0};
    lab_state(&lab, NULL, v);
    lab_steps(&lab, 300, NULL, NULL);
    const utBodyState state = ut_sim_body(lab.sim, ball);
    EXPECT(t, state.velocity.x, v0 - 5.0 / 7.0 * G * rolling / R * 300 * H,
           left_of(v0 + w0 * R, 300));
    EXPECT(t, state.angular.z, w0 - torsional * M * G / INERTIA * 300 * H,
           left_of(v0 + w0 * R, 300) / R);
    lab_end(&lab);
}

// The pair has the larger condim and the larger coefficients, unless one geom has a higher priority.
TEST(condim_3_of_higher_priority_leaves_the_spin_alone)
{
    for (int priority = 0; priority < 2; priority++) {
        Lab lab = lab_open(H);
        utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
        floor.priority = priority;
        CHECK(ut_model_def_geom(lab.def, &floor) >= 0);
        const int ball =
            round_body(&lab, UT_SHAPE_SPHERE, ut_vec3(R, 0, 0), R, (Material){6, 0.002, 0.001});
        lab_start(&lab);
        CHECK_INT(ut_model_condim(lab.model, 0, 1), priority ? 3 : 6);
        // the floor's own default is the larger one
        CHECK_NEAR(ut_model_torsional(lab.model, 0, 1), priority ? 0.0 : 0.005, 0.0);
        CHECK_NEAR(ut_model_rolling(lab.model, 0, 1), priority ? 0.0 : 0.001, 0.0);
        lab_velocity(&lab, 5, 10.0);
        lab_steps(&lab, 50, NULL, NULL);
        const double a = priority ? 0.0 : 0.005 * M * G / INERTIA;
        CHECK_NEAR(ut_sim_body(lab.sim, ball).angular.z, 10.0 - 50 * H * a,
                   left_of(10.0 * R, 50) / R);
        lab_end(&lab);
    }
}

// A ball that bounces with rolling friction: at the impact the torque about the tangents is at most
// rolling r_n, too. It lands with 2 m/s along the ground and rolls, so that nothing slips and only the
// rolling friction acts: r_n = (1 + e) m v_n, and about the contact 7/5 m R^2 dw = -rolling r_n.
CLOSED_FORM(an_impact_has_rolling_friction, OFF_MU)
{
    const double rolling = 0.005, fall = 1.5, e = 0.5;
    Lab lab = lab_open(H);
    lab.options.gravity = ut_vec3_zero();
    utGeomDef floor = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    floor.restitution = e;
    CHECK(ut_model_def_geom(lab.def, &floor) >= 0);
    const int ball =
        round_body(&lab, UT_SHAPE_SPHERE, ut_vec3(R, 0, 0), R, (Material){6, 0.0, rolling * t->mu});
    lab_start(&lab);
    const double v[6] = {2.0, 0, -fall, 0, 2.0 / R, 0};
    lab_state(&lab, NULL, v);
    lab_steps(&lab, 1, NULL, NULL);
    const double change = rolling * (1.0 + e) * fall / (1.4 * R * R);
    const utBodyState state = ut_sim_body(lab.sim, ball);
    EXPECT(t, state.velocity.z, e * fall, left_of(3.0, 1));
    EXPECT(t, state.angular.y, 2.0 / R - change, left_of(3.0, 1) / R);
    EXPECT(t, state.velocity.x, 2.0 - R * change, left_of(3.0, 1));
    lab_end(&lab);
}

// ---- a tippe top --------------------------------------------------------------------------------

// A sphere of 20 mm with its centre of mass 3 mm below the middle, spinning at 150 rad/s. Sliding
// friction turns it over, which raises the centre of mass by 6 mm, while a torsional friction of 1 mm
// stops the spin after w I / (torsional m g) = 2.4 s before. MuJoCo 3.14.0 gives 99.4 rad/s at 0.8 s
// and 49.0 rad/s at 1.6 s. The axis leans by up to 0.1 rad until then, and sliding friction takes as
// much as 0.5 % of the change of the spin, 63.4 t.
static double tippe_top(double torsional, double tilt, double time, double* spin)
{
    Lab lab = lab_open(0.0005);
    lab_floor(&lab, 0.3);
    const int top = lab_solid(&lab, ut_vec3(0, 0, 0.02), ut_quat_identity(), 0.0155,
                              ut_vec3(0, 0, -0.003), ut_vec3(2.2e-6, 2.2e-6, 2.4e-6));
    lab_free(&lab, top);
    utGeomDef geom = ut_geom_def(top, UT_SHAPE_SPHERE, ut_vec3(0.02, 0, 0));
    geom.friction = 0.3;
    geom.condim = 6;
    geom.priority = 1;
    geom.torsional = torsional;
    geom.rolling = 1e-6;
    CHECK(ut_model_def_geom(lab.def, &geom) >= 0);
    lab_start(&lab);
    const double q[7] = {0, 0, 0.02, cos(0.5 * tilt), sin(0.5 * tilt), 0, 0};
    const double v[6] = {0, 0, 0, 0, 0, 150};
    lab_state(&lab, q, v);
    lab_steps(&lab, (int)(time / 0.0005 + 0.5), NULL, NULL);
    const double height = ut_sim_body(lab.sim, top).com.z;
    *spin = ut_sim_body(lab.sim, top).angular.z;
    lab_end(&lab);
    return height;
}

TEST(a_tippe_top_turns_over_unless_torsional_friction_stops_it)
{
    double spin;
    CHECK_NEAR(tippe_top(1e-6, 0.262, 7.0, &spin), 0.023, 5e-4);
    CHECK_NEAR(tippe_top(1e-3, 0.052, 1.6, &spin), 0.017, 5e-5);
    const double a = 1e-3 * 0.0155 * G / 2.4e-6;
    CHECK_NEAR(spin, 150.0 - 1.6 * a, 0.5);
}

// ---- a pile -------------------------------------------------------------------------------------

// Fifty balls fall into a box and come to rest on each other, all with torsional and rolling friction:
// every step of a second is certified, and no step needs the convex law. The floor carries the balls.
TEST(a_pile_of_fifty_balls_with_rolling_friction_is_certified)
{
    enum { BALLS = 50 };
    Lab lab = lab_open(0.004);
    utRng rng = ut_rng(5, 0);
    lab_floor(&lab, 0.6);
    for (int k = 0; k < 4; k++) {
        const double side = k % 2 == 0 ? 0.5 : -0.5;
        const bool along = k < 2;
        utGeomDef wall =
            ut_geom_def(0, UT_SHAPE_BOX, along ? ut_vec3(0.02, 0.5, 0.3) : ut_vec3(0.5, 0.02, 0.3));
        wall.pos = along ? ut_vec3(side, 0, 0.3) : ut_vec3(0, side, 0.3);
        CHECK(ut_model_def_geom(lab.def, &wall) >= 0);
    }
    for (int k = 0; k < BALLS; k++) {
        const int place = k % 25;
        const double radius = ut_rng_range(&rng, 0.05, 0.07);
        const utVec3 at = ut_vec3((place % 5 - 2) * 0.18 + ut_rng_range(&rng, -0.02, 0.02),
                                  (place / 5 - 2) * 0.18 + ut_rng_range(&rng, -0.02, 0.02),
                                  0.08 + 0.15 * (k / 25));
        const int ball = lab_body(&lab, NULL, at);
        lab_free(&lab, ball);
        utGeomDef geom = ut_geom_def(ball, UT_SHAPE_SPHERE, ut_vec3(radius, 0, 0));
        geom.density = 800.0;
        geom.friction = 0.6;
        geom.condim = 6;
        geom.rolling = 0.002;
        CHECK(ut_model_def_geom(lab.def, &geom) >= 0);
    }
    lab_start(&lab);
    int fallbacks = 0, torques = 0;
    for (int k = 0; k < 250; k++) {
        utStepResult result;
        lab_step(&lab, NULL, &result);
        for (int i = 0; i < result.report.islands; i++) {
            fallbacks += result.report.island[i].fallback;
        }
        for (int i = 0; i < result.report.contacts; i++) {
            torques += result.report.contact[i].torque[1] != 0.0;
        }
    }
    CHECK_INT(fallbacks, 0);
    CHECK(torques > 1000);
    CHECK_INT(lab.certified, 250);
    test_note("E at most %.1e", lab.worst);
    lab_end(&lab);
}

// A snapshot carries the angular impulses of the warm start.
TEST(a_snapshot_of_a_rolling_ball_goes_on_with_the_same_bits)
{
    int ball;
    Lab lab = ball_on_slope((Material){6, 0.001, 0.002}, 0.3, &ball);
    lab_velocity(&lab, 5, 4.0);
    lab_steps(&lab, 40, NULL, NULL);
    utArena arena = test_arena();
    const size_t size = ut_sim_snapshot_size(lab.sim);
    unsigned char* bytes = UT_PUSH(&arena, unsigned char, size);
    CHECK_INT(ut_sim_save(lab.sim, bytes, size), UT_OK);
    lab_steps(&lab, 40, NULL, NULL);
    const uint64_t hash = ut_sim_hash(lab.sim);
    CHECK_INT(ut_sim_load(lab.sim, bytes, size, NULL), UT_OK);
    utStepResult result;
    lab_steps(&lab, 40, NULL, &result);
    CHECK(ut_sim_hash(lab.sim) == hash);
    CHECK(result.report.contact[0].torque[0] != 0.0);
    lab_end(&lab);
}

TEST(formulations_without_torques_refuse_condim_4_and_6)
{
    static const utFormulation formulations[] = {UT_FORMULATION_HYBRID, UT_FORMULATION_MIRTICH,
                                                 UT_FORMULATION_STEWART_TRINKLE,
                                                 UT_FORMULATION_PEIRET};
    int ball;
    Lab lab = ball_on_slope((Material){4, 0.001, 0.0}, 0.0, &ball);
    for (size_t k = 0; k < sizeof formulations / sizeof *formulations; k++) {
        utSimDef def = ut_sim_def();
        utSim* sim = NULL;
        utError err = {0};
        def.formulation = (int)formulations[k];
        CHECK_INT(ut_sim_create(lab.model, &def, &sim, &err), UT_ERR_ARGUMENT);
        CHECK(strstr(err.message, "needs formulation coulomb or convex") != NULL);
    }
    lab_end(&lab);
}
