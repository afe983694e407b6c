// SPDX-License-Identifier: Apache-2.0
// Joints of the recipes: pins in position form and as wrenches, other planar joints, joints that
// are driven, and the double pendulum's printed numbers.
#include "berard.h"
#include "berard_pendulum.h"

// ---- the double pendulum of two unit rods from the horizontal -----------------------------------

// Rods along their x: angles count from the horizontal.
#define HORIZONTAL                                                                          \
    "<mujoco xmlns:ut='urn:uptack'><compiler angle='radian'/>"                              \
    "<option gravity='0 -9.81 0' ut:planar='xy'/>"                                          \
    "<ut:contact formulation='stewart-trinkle' solver='lemke' directions='2'/><worldbody>"  \
    "<body name='A' pos='0.5 0 0'><joint axis='0 0 1' pos='-0.5 0 0'/>"                     \
    "<inertial pos='0 0 0' mass='1' diaginertia='0.001 0.08333333333333333 "                \
    "0.08333333333333333'/><body name='B' pos='1 0 0'><joint axis='0 0 1' pos='-0.5 0 0'/>" \
    "<inertial pos='0 0 0' mass='1' diaginertia='0.001 0.08333333333333333 "                \
    "0.08333333333333333'/></body></body></worldbody></mujoco>"

typedef struct Swing {
    double A, B; // at 0.5 s, rad
    double phi;  // the largest entry of phi^l over all steps, m
} Swing;

// phi from the poses, Eq. 47
static double largest_phi(const Pose* A, const Pose* B)
{
    const double cA = 0.5 * cos(A->q[2]), sA = 0.5 * sin(A->q[2]);
    const double cB = 0.5 * cos(B->q[2]), sB = 0.5 * sin(B->q[2]);
    const double phi[] = {A->q[0] - cA, A->q[1] - sA, A->q[0] + cA - (B->q[0] - cB),
                          A->q[1] + sA - (B->q[1] - sB)};
    return fmax(fmax(fabs(phi[0]), fabs(phi[1])), fmax(fabs(phi[2]), fabs(phi[3])));
}

static Swing swing(double h)
{
    Swing s = {0};
    utModel* model = scene_read(HORIZONTAL, true);
    utSim* sim = scene_sim(model, h);
    const int steps = (int)lround(0.5 / h);
    for (int k = 0; k < steps; k++) {
        const Pose A = scene_pose(sim, "A"), B = scene_pose(sim, "B");
        s.phi = fmax(s.phi, largest_phi(&A, &B));
        scene_step(sim);
    }
    s.A = scene_pose(sim, "A").q[2];
    s.B = scene_pose(sim, "B").q[2];
    ut_sim_destroy(sim);
    ut_model_destroy(model);
    return s;
}

// The same by the recipe, with or without phi/h.
static Recipe unit_rods(double h)
{
    Recipe k = recipe(RECIPE_4_1, h);
    k.mB = k.LB = 1.0;
    recipe_assemble(&k, 2.0 * atan(1.0), 2.0 * atan(1.0));
    return k;
}

static Swing swing_by_recipe(double h, bool drifts)
{
    Swing s = {0};
    Recipe k = unit_rods(h);
    k.drifts = drifts;
    const int steps = (int)lround(0.5 / h);
    for (int n = 0; n < steps; n++) {
        RecipeBlocks b;
        recipe_blocks(&k, &b);
        for (int i = 0; i < 4; i++) {
            s.phi = fmax(s.phi, fabs(b.phi[i]));
        }
        CHECK(recipe_step(&k));
    }
    s.A = k.q[2] - 2.0 * atan(1.0);
    s.B = k.q[5] - 2.0 * atan(1.0);
    return s;
}

static Swing exact_swing(void)
{
    const Recipe k = unit_rods(0.01);
    Pendulum p = pendulum(&k, 2.0 * atan(1.0), 2.0 * atan(1.0), false);
    pendulum_rk4(&p, 1e-4, 5000);
    return (Swing){.A = p.q[1] - 2.0 * atan(1.0), .B = p.q[2] - 2.0 * atan(1.0)};
}

// Printed to seven digits.
TEST(B26_double_pendulum_has_the_printed_angles)
{
    const Swing exact = exact_swing(), s = swing(1e-3);
    CHECK_NEAR(exact.A, -1.1226537, 5e-8);
    CHECK_NEAR(exact.B, -0.5288334, 5e-8);
    CHECK_NEAR(s.A, -1.1238594, 5e-8);
    CHECK_NEAR(s.B, -0.5318021, 5e-8);
    test_note("theta_A %.7f (exact %.7f), theta_B %.7f (exact %.7f)", s.A, exact.A, s.B, exact.B);
}

TEST(B26_double_pendulum_error_halves_with_h)
{
    const Swing exact = exact_swing();
    double last_A = 0.0, last_B = 0.0;
    for (int level = 0; level < 4; level++) {
        const Swing s = swing(2e-3 / (1 << level));
        if (level > 0) {
            CHECK_NEAR(log2(last_A / (s.A - exact.A)), 1.0, 0.02);
            CHECK_NEAR(log2(last_B / (s.B - exact.B)), 1.0, 0.02);
            test_note("slopes %.4f and %.4f", log2(last_A / (s.A - exact.A)),
                      log2(last_B / (s.B - exact.B)));
        }
        last_A = s.A - exact.A;
        last_B = s.B - exact.B;
    }
}

// A pin opens by h^2 w^2 L / 4 or so in a step and is closed in the next one: a quarter per
// halving. Without phi/h nothing closes it.
TEST(B26_double_pendulum_drift_is_of_second_order_with_phi_over_h)
{
    const Swing coarse = swing(1e-3), fine = swing(5e-4);
    CHECK_NEAR(coarse.phi, 8.2e-6, 0.05e-6);
    CHECK_NEAR(coarse.phi / fine.phi, 4.0, 0.05);
    const Swing same = swing_by_recipe(1e-3, false), open = swing_by_recipe(1e-3, true);
    CHECK_NEAR(same.phi, coarse.phi, 1e-12);
    CHECK_NEAR(open.phi, 1.1e-3, 0.05e-3);
    test_note("|phi| %.3e, ratio %.3f; without phi/h %.3e", coarse.phi, coarse.phi / fine.phi,
              open.phi);
}

// ---- phi and W_b --------------------------------------------------------------------------------

TEST(B24_pins_hold_at_assembly)
{
    static const char* const names[] = {"4.1", "4.2", "4.6"};
    for (int e = 0; e < 3; e++) {
        utModel* model = scene_load(names[e], true);
        utSim* sim = scene_sim(model, 0.0);
        const utStepResult result = scene_step(sim);
        for (int j = 0; j < result.report.rows; j++) {
            CHECK_NEAR(result.report.row[j].gap, 0.0, 1e-15);
        }
        CHECK_INT(result.report.rows, e == 2 ? 2 : 4);
        ut_sim_destroy(sim);
        ut_model_destroy(model);
    }
}

// Two planar bodies and a joint of each kind between them.
#define TWO_BODIES(joint)                                                      \
    "<mujoco xmlns:ut='urn:uptack'><compiler angle='radian'/>"                 \
    "<option timestep='0.001' gravity='0 -9.81 0' ut:planar='xy'/>"            \
    "<ut:contact formulation='stewart-trinkle' solver='lemke'/><worldbody>"    \
    "<body name='A' pos='0.3 0.2 0' euler='0 0 0.4'><freejoint name='A'/>"     \
    "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/>"               \
    "<body name='B' pos='0.5 0.1 0' euler='0 0 0.7'>" joint                    \
    "<inertial pos='0 0 0' mass='2' diaginertia='0.2 0.2 0.2'/></body></body>" \
    "</worldbody></mujoco>"

// The rows of a step that begins at q with v.
static int rows_at(utSim* sim, const double* q, const double* v, utRow* row)
{
    utStepResult result;
    CHECK_INT(ut_sim_set(sim, 0.0, q, v, NULL), UT_OK);
    CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
    for (int j = 0; j < result.report.rows; j++) {
        row[j] = result.report.row[j];
    }
    return result.report.rows;
}

// W_b' v of one row, from what the report says of it; the bodies' frames are their mass centres.
static double row_speed(const utRow* row, const double* q, const double* v)
{
    double speed = 0.0;
    const int body[] = {row->body1, row->body2};
    const utVec3 point[] = {row->point1, row->point2};
    for (int s = 0; s < 2; s++) {
        const double* at = q + 3 * (body[s] - 1);
        const double* moves = v + 3 * (body[s] - 1);
        const double x = moves[0] - moves[2] * (point[s].y - at[1]);
        const double y = moves[1] + moves[2] * (point[s].x - at[0]);
        const double rate = row->linear.x * x + row->linear.y * y + row->angular.z * moves[2];
        speed += s == 0 ? -rate : rate;
    }
    return speed;
}

// Phi of the row moves as W_b' v says: against central differences, whose error is d^2 times third
// derivatives of order 1, and 1e-16 / d of rounding: 1e-9 or so for d = 1e-5.
static void check_gradient(const char* text, int rows)
{
    const double d = 1e-5;
    utModel* model = scene_read(text, true);
    utSim* sim = scene_sim(model, 0.0);
    // somewhere off, where the two bodies do not meet
    const double q[] = {0.31, 0.25, 0.5, 0.6, 0.3, 1.3}, v[] = {0.7, -0.3, 1.1, -0.4, 0.9, -0.8};
    double before[6], after[6];
    utRow row[16], row1[16], row2[16];
    ut_model_integrate(model, q, v, -d, before);
    ut_model_integrate(model, q, v, d, after);
    CHECK_INT(rows_at(sim, q, v, row), rows);
    CHECK_INT(rows_at(sim, before, v, row1), rows);
    CHECK_INT(rows_at(sim, after, v, row2), rows);
    for (int j = 0; j < rows; j++) {
        CHECK_NEAR(row_speed(&row[j], q, v), (row2[j].gap - row1[j].gap) / (2.0 * d), 1e-8);
        CHECK_NEAR(row[j].b, row[j].gap / 0.001, 1e-9); // stabilised by Phi/h
        CHECK(fabs(row[j].gap) > 1e-4);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(B25_pins_slides_and_welds_move_as_W_b_says)
{
    check_gradient(TWO_BODIES("<joint axis='0 0 1' pos='-0.2 0.1 0'/>"), 2);
    check_gradient(TWO_BODIES("<joint type='slide' axis='1 0.3 0'/>"), 2);
}

#define WELDED                                                                      \
    "<mujoco xmlns:ut='urn:uptack'><compiler angle='radian'/>"                      \
    "<option timestep='0.001' gravity='0 -9.81 0' ut:planar='xy'/>"                 \
    "<ut:contact formulation='stewart-trinkle' solver='lemke'/><worldbody>"         \
    "<body name='A' pos='0.3 0.2 0' euler='0 0 0.4'><freejoint/>"                   \
    "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body>"             \
    "<body name='B' pos='0.7 0.5 0' euler='0 0 1.1'><freejoint/>"                   \
    "<inertial pos='0 0 0' mass='2' diaginertia='0.2 0.2 0.2'/></body></worldbody>" \
    "<equality><weld body1='A' body2='B'/></equality></mujoco>"

TEST(B25_a_planar_weld_moves_as_W_b_says)
{
    check_gradient(WELDED, 3);
}

// ---- driven joints ------------------------------------------------------------------------------

// A bob pinned to a body that is moved by f(t): Phi(q, t) = q - f(t), and the row has Phi/h +
// dPhi/dt = Phi/h - f'(t_l). So q' = q + h v' = f(t_l) + h f'(t_l), off from f(t_l + h) by h^2
// |f''| / 2 at most: f'' <= 0.3 9 = 2.7 m/s^2.
TEST(B12_a_driven_joint_follows_its_motion)
{
    static const char text[] =
        "<mujoco xmlns:ut='urn:uptack'><option timestep='0.01' gravity='0 -9.81 0' "
        "ut:planar='xy'/><ut:contact formulation='stewart-trinkle' solver='lemke'/><worldbody>"
        "<body name='hand'><site/></body>"
        "<body name='bob'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>"
        "</worldbody><ut:motion body='hand' x='0.3*sin(3*t)' y='0.2*t'/>"
        "<equality><connect body1='hand' body2='bob' anchor='0 0 0'/></equality></mujoco>";
    utModel* model = scene_read(text, false);
    utSim* sim = scene_sim(model, 0.0);
    double most = 0.0;
    for (int k = 1; k <= 200; k++) {
        const utStepResult result = scene_step(sim);
        const double t = 0.01 * k, from = 0.01 * (k - 1);
        const Pose bob = scene_pose(sim, "bob");
        most = fmax(most, fabs(bob.q[0] - 0.3 * sin(3.0 * t)));
        CHECK_NEAR(bob.q[1], 0.2 * t, 1e-12); // f'' = 0 here
        CHECK_NEAR(bob.q[0], 0.3 * sin(3.0 * from) + 0.01 * 0.9 * cos(3.0 * from), 1e-12);
        CHECK_INT(result.report.rows, 2);
    }
    CHECK(most <= 0.5 * 1e-4 * 2.7 && most >= 0.4 * 1e-4 * 2.7);
    test_note("off by %.3e m at most", most);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
