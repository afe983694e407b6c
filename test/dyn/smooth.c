// SPDX-License-Identifier: Apache-2.0
// Integrators: orders, conserved quantities, and single steps by hand.
#include <string.h>

#include "build.h"
#include "test.h"

static const utVec3 GRAVITY = {0.0, 0.0, -9.81};

static utSmooth falling(const utModel* model)
{
    return (utSmooth){.model = model, .gravity = GRAVITY};
}

// ---- single steps by hand -----------------------------------------------------------------------

// A mass of 2 with armature 1 on a slide along x: spring 50 at rest at 0.1, damper 4, push 3.
static utModel* build_slider(void)
{
    utModelDef* def = build_start();
    const int body = build_body(def, 0, ut_vec3_zero(), 2.0, ut_vec3_zero(), ut_mat3_identity());
    utJointDef joint = ut_joint_def(body, UT_JOINT_SLIDE);
    joint.axis = ut_vec3(1, 0, 0);
    joint.stiffness = 50.0;
    joint.springref = 0.1;
    joint.damping = 4.0;
    joint.armature = 1.0;
    ut_model_def_joint(def, &joint);
    return build_finish(def);
}

// Euler: (3 + h 4 + h^2 50) v+ = 3 v + h (3 - 50 (q - 0.1)), q+ = q + h v+
TEST(euler_is_linearly_implicit_in_springs_and_dampers)
{
    utModel* model = build_slider();
    const double h = 0.1, tau = 3.0;
    utSmooth smooth = falling(model);
    smooth.tau = &tau;
    const double want = (3 * 0.7 + h * (3 - 50 * 0.2)) / (3 + 4 * h + 50 * h * h);
    double q = 0.3, v = 0.7;
    CHECK(ut_smooth_step(&smooth, UT_INTEGRATOR_EULER, h, test_arena(), &q, &v) == UT_OK);
    CHECK_NEAR(v, want, 1e-15);
    CHECK_NEAR(q, 0.3 + h * want, 1e-15);
    ut_model_destroy(model);
}

// Midpoint of the same, without the correction, which a quadratic energy does not need: with
// y = (v + v+)/2, 3 (v+ - v) = h (3 - 50 (q + h y/2 - 0.1) - 4 y)
TEST(midpoint_is_implicit_in_springs_and_dampers)
{
    utModel* model = build_slider();
    const double h = 0.1, tau = 3.0;
    utSmooth smooth = falling(model);
    smooth.tau = &tau;
    const double y = (2 * 3 * 0.7 + h * (3 - 50 * 0.2)) / (2 * 3 + h * 4 + 0.5 * h * h * 50);
    double q = 0.3, v = 0.7;
    CHECK(ut_smooth_step(&smooth, UT_INTEGRATOR_MIDPOINT, h, test_arena(), &q, &v) == UT_OK);
    CHECK_NEAR(v, 2 * y - 0.7, 1e-12);
    CHECK_NEAR(q, 0.3 + h * y, 1e-13);
    ut_model_destroy(model);
}

// The free velocity of the contact step is Euler's, with an actuator's part on top: kp = 20, kv = 2
// about 0, so force = -20 (q + h v) - 2 v and the added diagonal is 2 h + 20 h^2.
TEST(the_free_velocity_by_hand)
{
    utModel* model = build_slider();
    utArena arena = test_arena();
    const double h = 0.1, q = 0.3, v = 0.7;
    const double more = 2 * h + 20 * h * h, force = -20 * (q + h * v) - 2 * v;
    const utSmooth smooth = falling(model);
    const utKinematics kin = build_kinematics(model, &q, &v, &arena);
    utMass mass;
    double got;
    CHECK(ut_mass_create(model, &arena, &mass) == UT_OK);
    double diagonal;
    CHECK(ut_smooth_free(&smooth, h, &kin, &q, &v, &more, &force, arena, &diagonal, NULL, &got) ==
          UT_OK);
    ut_mass_find(&mass, &kin, &diagonal);
    const double hat = 3 + h * (4 + 2) + h * h * (50 + 20);
    CHECK_NEAR(mass.M[0], hat, 1e-15);
    CHECK_NEAR(got, (3 * v - h * (50 * (q - 0.1) + 20 * q)) / hat, 1e-15);
    ut_model_destroy(model);
}

TEST(the_free_velocity_is_that_of_euler)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        utModel* model = build_random(seed, 8, seed % 2 == 0);
        utArena arena = test_arena();
        double q[BUILD_MAX_Q], v[BUILD_MAX_Q], got[BUILD_MAX_Q], start[BUILD_MAX_Q];
        build_state(model, seed, 1.0, q, v);
        memcpy(start, q, sizeof start);
        const utSmooth smooth = falling(model);
        utKinematics kin = build_kinematics(model, q, v, &arena);
        double diagonal[BUILD_MAX_Q];
        CHECK(ut_smooth_free(&smooth, 0.01, &kin, q, v, NULL, NULL, arena, diagonal, NULL, got) ==
              UT_OK);
        CHECK(ut_smooth_step(&smooth, UT_INTEGRATOR_EULER, 0.01, arena, q, v) == UT_OK);
        ut_model_carry(model, start, got, q, got);
        for (int i = 0; i < model->nv; i++) {
            CHECK(got[i] == v[i]);
        }
        ut_model_destroy(model);
    }
}

// ---- orders -------------------------------------------------------------------------------------

static void run(const utSmooth* smooth, utIntegrator integrator, double time, int steps, double* q,
                double* v)
{
    utArena arena = test_arena();
    for (int i = 0; i < steps; i++) {
        if (!CHECK(ut_smooth_step(smooth, integrator, time / steps, arena, q, v) == UT_OK)) {
            return;
        }
    }
}

// The largest difference of final positions from a reference.
static double error_after(const utSmooth* smooth, utIntegrator integrator, double time, int steps,
                          const double* q0, const double* v0, const double* reference)
{
    double q[BUILD_MAX_Q], v[BUILD_MAX_Q], apart[BUILD_MAX_Q];
    const utModel* model = smooth->model;
    memcpy(q, q0, (size_t)model->nq * sizeof *q);
    memcpy(v, v0, (size_t)model->nv * sizeof *v);
    run(smooth, integrator, time, steps, q, v);
    ut_model_difference(model, reference, q, apart);
    double most = 0.0;
    for (int i = 0; i < model->nv; i++) {
        most = fabs(apart[i]) <= most ? most : fabs(apart[i]);
    }
    return most;
}

// error(h) = C h^p (1 + O(h)): from h to h/2 it falls by 2^p, nearly.
static void check_order(const utSmooth* smooth, utIntegrator integrator, double order, double time,
                        int steps, const double* q0, const double* v0, const double* reference)
{
    const double coarse = error_after(smooth, integrator, time, steps, q0, v0, reference);
    const double fine = error_after(smooth, integrator, time, 2 * steps, q0, v0, reference);
    test_note("%s: error %.2e, %.2e: order %.3f", ut_integrator_name(integrator), coarse, fine,
              log2(coarse / fine));
    CHECK_NEAR(log2(coarse / fine), order, 0.12);
}

static void check_orders(const utModel* model, double time, const double* q0, const double* v0,
                         const double* reference)
{
    const utSmooth smooth = falling(model);
    check_order(&smooth, UT_INTEGRATOR_EULER, 1.0, time, 1000, q0, v0, reference);
    check_order(&smooth, UT_INTEGRATOR_RK4, 4.0, time, 100, q0, v0, reference);
    check_order(&smooth, UT_INTEGRATOR_MIDPOINT, 2.0, time, 200, q0, v0, reference);
}

// The reference is by the method of order 4 with steps 40 times smaller than where its order is
// measured: 2.5 million times more accurate, if its order is 4. The top with its closed form checks
// that order.
static void check_orders_of(utModel* model, double time, const double* q0)
{
    double q[BUILD_MAX_Q], v[BUILD_MAX_Q] = {0};
    const double v0[BUILD_MAX_Q] = {0};
    const utSmooth smooth = falling(model);
    memcpy(q, q0, (size_t)model->nq * sizeof *q);
    run(&smooth, UT_INTEGRATOR_RK4, time, 4000, q, v);
    check_orders(model, time, q0, v0, q);
    ut_model_destroy(model);
}

TEST(orders_on_a_double_pendulum)
{
    check_orders_of(build_double_pendulum(), 1.0, (double[]){1.5, 0.5});
}

TEST(orders_on_a_chain_of_five)
{
    check_orders_of(build_chain(5), 0.25, (double[]){0, 0.2, 0.1, -0.1, 0.3});
}

// The top of dynamics.c in steady precession, slower: after a time t it has turned by O t
// about the vertical and by s t about itself.
TEST(orders_on_a_heavy_top_with_its_closed_form)
{
    const double m = 1.0, l = 0.1, A = 0.01 + m * l * l, C = 0.02, O = 4.0, th = 0.6, time = 1.0;
    const double s = (m * 9.81 * l / O + A * O * cos(th)) / C - O * cos(th);
    utModelDef* def = build_start();
    const utMat3 inertia = ut_mat3_diagonal(ut_vec3(0.01, 0.01, C));
    const int body = build_body(def, 0, ut_vec3_zero(), m, ut_vec3(0, 0, l), inertia);
    build_joint(def, body, UT_JOINT_BALL, ut_vec3(0, 0, 1));
    utModel* model = build_finish(def);
    const double q0[] = {cos(0.5 * th), sin(0.5 * th), 0, 0};
    const double v0[] = {0, O * sin(th), s + O * cos(th)};
    const utVec3 z = ut_vec3(0, 0, 1);
    const utQuat lean = ut_quat(q0[0], q0[1], q0[2], q0[3]);
    const utQuat end = ut_quat_mul(ut_quat_from_axis_angle(z, O * time),
                                   ut_quat_mul(lean, ut_quat_from_axis_angle(z, s * time)));
    check_orders(model, time, q0, v0, (double[]){end.w, end.x, end.y, end.z});
    ut_model_destroy(model);
}

// ---- conserved quantities -----------------------------------------------------------------------

// An asymmetric body whose frame is not at its centre of mass, tumbling without gravity about its
// middle axis: energy, |L| about the centre of mass and linear momentum, over 1e5 steps. The
// implicit midpoint rule keeps them exactly; rounding adds up to some 1e5 x 1e-15 at worst.
static void check_tumbling(utIntegrator integrator)
{
    utModel* model = build_free(ut_vec3(0.3, -0.2, 0.1));
    utArena arena = test_arena();
    double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0.3, 0.2, -0.1, 0.01, 5.0, 0.02};
    const utSmooth smooth = {.model = model};
    utArena rest = arena;
    utKinematics kin = build_kinematics(model, q, v, &rest);
    const double energy = ut_dyn_kinetic(&kin, v);
    const utForce start = ut_dyn_momentum(&kin, kin.com[1]);
    double worst_energy = 0.0, worst_spin = 0.0, worst_momentum = 0.0, least = 5.0;
    for (int i = 0; i < 100000; i++) {
        if (!CHECK(ut_smooth_step(&smooth, integrator, 0.005, rest, q, v) == UT_OK)) {
            break;
        }
        ut_kinematics_place(&kin, q, NULL, NULL);
        ut_kinematics_move(&kin, v, NULL);
        const utForce now = ut_dyn_momentum(&kin, kin.com[1]);
        const double spin = ut_vec3_norm(now.torque) / ut_vec3_norm(start.torque) - 1.0;
        const double other = ut_vec3_norm(ut_vec3_sub(now.force, start.force));
        worst_energy = fmax(worst_energy, fabs(ut_dyn_kinetic(&kin, v) / energy - 1.0));
        worst_spin = fmax(worst_spin, fabs(spin));
        worst_momentum = fmax(worst_momentum, other / ut_vec3_norm(start.force));
        least = fmin(least, v[4]);
    }
    test_note("%s: energy %.1e, |L| %.1e, momentum %.1e", ut_integrator_name(integrator),
              worst_energy, worst_spin, worst_momentum);
    CHECK(worst_energy <= 1e-9);
    CHECK(worst_spin <= 1e-9);
    CHECK(worst_momentum <= 1e-9);
    // rotation about the middle axis is unstable: the body has tumbled
    CHECK(least < -4.9);
    ut_model_destroy(model);
}

TEST(a_free_body_keeps_energy_and_momentum_with_euler)
{
    check_tumbling(UT_INTEGRATOR_EULER);
}

TEST(a_free_body_keeps_energy_and_momentum_with_midpoint)
{
    check_tumbling(UT_INTEGRATOR_MIDPOINT);
}

// Thrown, the centre of mass flies a parabola: MIDPOINT is exact on it. 200 sums of positions below
// 10 m.
TEST(midpoint_flies_the_parabola)
{
    const utVec3 c = ut_vec3(0.3, -0.2, 0.1);
    utModel* model = build_free(c);
    double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {1, 2, 3, 0.5, 4.0, -3.0};
    const utSmooth smooth = falling(model);
    const utVec3 u = ut_vec3_add(ut_vec3(1, 2, 3), ut_vec3_cross(ut_vec3(0.5, 4.0, -3.0), c));
    run(&smooth, UT_INTEGRATOR_MIDPOINT, 1.0, 200, q, v);
    utArena arena = test_arena();
    const utKinematics kin = build_kinematics(model, q, v, &arena);
    CHECK_NEAR(kin.com[1].x, c.x + u.x, 1e-12);
    CHECK_NEAR(kin.com[1].y, c.y + u.y, 1e-12);
    CHECK_NEAR(kin.com[1].z, c.z + u.z - 0.5 * 9.81, 1e-12);
    ut_model_destroy(model);
}

// The chain of ten, released horizontally: within 1e-3 of its drop energy over 10 s at h = 0.002.
// The equations of a step are solved to 1e-12 of the velocities, so that 5000 steps may lose 1e-8.
TEST(midpoint_keeps_the_energy_of_a_whipping_chain)
{
    enum { LINKS = 10, STEPS = 5000 };
    utModel* model = build_chain(LINKS);
    utArena arena = test_arena();
    const utSmooth smooth = falling(model);
    double q[LINKS] = {0}, v[LINKS] = {0}, drop = 0.0, worst = 0.0, fastest = 0.0;
    for (int i = 0; i < LINKS; i++) {
        drop += 0.1 * 9.81 * (0.1 * i + 0.05);
    }
    const double start = build_energy(model, q, v, GRAVITY, arena);
    for (int i = 0; i < STEPS; i++) {
        if (!CHECK(ut_smooth_step(&smooth, UT_INTEGRATOR_MIDPOINT, 0.002, arena, q, v) == UT_OK)) {
            break;
        }
        worst = fmax(worst, fabs(build_energy(model, q, v, GRAVITY, arena) - start) / drop);
        fastest = fmax(fastest, fabs(v[LINKS - 1]));
    }
    test_note("worst %.1e of the drop, fastest %.0f rad/s", worst, fastest);
    CHECK(worst <= 1e-8);
    CHECK(fastest > 50.0);
    ut_model_destroy(model);
}

// All kinds of joints and armature, with springs on balls and hinges: the energy is kept as well.
TEST(midpoint_keeps_the_energy_of_any_tree)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        utModel* model = build_random(seed, 6, seed % 2 == 0);
        utArena arena = test_arena();
        const utSmooth smooth = falling(model);
        double q[BUILD_MAX_Q], v[BUILD_MAX_Q];
        build_state(model, seed, 1.0, q, v);
        const double start = build_energy(model, q, v, GRAVITY, arena);
        double size = 1.0;
        run(&smooth, UT_INTEGRATOR_MIDPOINT, 1.0, 200, q, v);
        const utKinematics kin = build_kinematics(model, q, v, &arena);
        size += ut_dyn_kinetic(&kin, v);
        CHECK_NEAR(build_energy(model, q, v, GRAVITY, arena), start, 1e-9 * size);
        ut_model_destroy(model);
    }
}

// A floating chain of three with springs on a ball and a hinge, no gravity: energy and linear
// momentum are kept, angular momentum to order 2: a quarter of the error at half the step.
static double floating_run(int steps, double* energy, double* momentum)
{
    utModelDef* def = build_start();
    const utMat3 inertia = ut_mat3_diagonal(ut_vec3(0.1, 0.2, 0.25));
    const int root = build_body(def, 0, ut_vec3_zero(), 2.0, ut_vec3(0.1, 0.2, 0), inertia);
    build_joint(def, root, UT_JOINT_FREE, ut_vec3(0, 0, 1));
    const int arm = build_body(def, root, ut_vec3(0.5, 0, 0), 1.0, ut_vec3(0.3, 0, 0.1), inertia);
    utJointDef ball = ut_joint_def(arm, UT_JOINT_BALL);
    ball.stiffness = 5.0;
    ut_model_def_joint(def, &ball);
    const int hand = build_body(def, arm, ut_vec3(0.5, 0, 0), 0.5, ut_vec3(0, 0.2, 0), inertia);
    utJointDef hinge = ut_joint_def(hand, UT_JOINT_HINGE);
    hinge.axis = ut_vec3(0, 0.6, 0.8);
    hinge.stiffness = 3.0;
    ut_model_def_joint(def, &hinge);
    utModel* model = build_finish(def);

    const utSmooth smooth = {.model = model};
    double q[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5};
    double v[10] = {0.1, 0.2, 0.3, 1.0, -0.5, 0.7, 1.5, -1.0, 0.5, 2.0};
    utArena arena = test_arena();
    const utKinematics before = build_kinematics(model, q, v, &arena);
    const utForce start = ut_dyn_momentum(&before, ut_vec3_zero());
    *energy = ut_dyn_kinetic(&before, v) + ut_dyn_potential(&before, q, ut_vec3_zero());
    run(&smooth, UT_INTEGRATOR_MIDPOINT, 2.0, steps, q, v);
    arena = test_arena();
    const utKinematics after = build_kinematics(model, q, v, &arena);
    const utForce change = ut_force_sub(ut_dyn_momentum(&after, ut_vec3_zero()), start);
    *energy -= ut_dyn_kinetic(&after, v) + ut_dyn_potential(&after, q, ut_vec3_zero());
    *momentum = ut_vec3_norm(change.force);
    ut_model_destroy(model);
    return ut_vec3_norm(change.torque);
}

TEST(midpoint_keeps_the_linear_momentum_of_floating_trees)
{
    double energy, momentum;
    const double coarse = floating_run(200, &energy, &momentum);
    CHECK_NEAR(energy, 0.0, 1e-9);
    CHECK_NEAR(momentum, 0.0, 1e-9);
    const double fine = floating_run(400, &energy, &momentum);
    test_note("angular momentum changes by %.1e, %.1e", coarse, fine);
    CHECK(fine <= 0.35 * coarse || fine <= 1e-9);
}

// ---- failures -----------------------------------------------------------------------------------

TEST(a_step_that_fails_changes_nothing)
{
    utModel* model = build_chain(3);
    const utSmooth smooth = falling(model);
    const double q0[3] = {0.1, 0.2, 0.3}, v0[3] = {1, 2, 3};
    double q[3], v[3];
    unsigned char memory[256];
    utArena small = ut_arena_on(memory, sizeof memory);
    for (int i = 0; i < UT_INTEGRATOR_COUNT; i++) {
        const utIntegrator integrator = (utIntegrator)i;
        memcpy(q, q0, sizeof q);
        memcpy(v, v0, sizeof v);
        CHECK(ut_smooth_step(&smooth, integrator, 0.01, small, q, v) == UT_ERR_CAPACITY);
        utSmooth bad = smooth;
        bad.tau = (double[]){0, (double)NAN, 0};
        CHECK(ut_smooth_step(&bad, integrator, 0.01, test_arena(), q, v) == UT_ERR_ARGUMENT);
        CHECK(memcmp(q, q0, sizeof q) == 0 && memcmp(v, v0, sizeof v) == 0);

        // the peak of a growing arena, and one cache line, is enough fixed memory
        utArena growing;
        CHECK(ut_arena_create(1 << 16, NULL, &growing) == UT_OK);
        CHECK(ut_smooth_step(&smooth, integrator, 0.01, growing, q, v) == UT_OK);
        const utArena whole = test_arena();
        const utArena exact =
            ut_arena_on(whole.next + 8, ut_arena_peak(&growing) + UT_ARENA_ALIGNMENT);
        CHECK(ut_smooth_step(&smooth, integrator, 0.01, exact, q, v) == UT_OK);
        ut_arena_destroy(&growing);
    }
    ut_model_destroy(model);
}
