// SPDX-License-Identifier: Apache-2.0
// Poses, velocities, Jacobians and their rates: by hand, and against central differences.
#include <string.h>

#include "build.h"
#include "test.h"

static const utVec3 AXES[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void check_vec3(utVec3 got, utVec3 want, double tolerance)
{
    CHECK_NEAR(got.x, want.x, tolerance);
    CHECK_NEAR(got.y, want.y, tolerance);
    CHECK_NEAR(got.z, want.z, tolerance);
}

// A slide along x by 2, then a hinge about z by 90 degrees through the point (1, 0, 0) of the body.
// The body's origin goes to (2, 0, 0), its anchor is at (3, 0, 0), and the origin, 1 to the left of
// it, turns to (3, -1, 0). A point 1 ahead of the origin is then at (3, 0, 0). All sums of a few
// numbers of size 1: a few units of rounding.
TEST(joints_of_a_body_act_in_order)
{
    utModelDef* def = build_start();
    const int body = build_body(def, 0, ut_vec3_zero(), 1.0, ut_vec3(1, 0, 0), ut_mat3_identity());
    utJointDef slide = ut_joint_def(body, UT_JOINT_SLIDE);
    slide.axis = ut_vec3(1, 0, 0);
    slide.ref = 0.5;
    ut_model_def_joint(def, &slide);
    utJointDef hinge = ut_joint_def(body, UT_JOINT_HINGE);
    hinge.axis = ut_vec3(0, 0, 1);
    hinge.pos = ut_vec3(1, 0, 0);
    ut_model_def_joint(def, &hinge);
    utModel* model = build_finish(def);

    utArena arena = test_arena();
    const double q[] = {2.5, 1.57079632679489662}, v[] = {0.5, 2.0};
    const utKinematics kin = build_kinematics(model, q, v, &arena);
    check_vec3(kin.body[body].p, ut_vec3(3, -1, 0), 4e-15);
    check_vec3(kin.com[body], ut_vec3(3, 0, 0), 4e-15);
    check_vec3(kin.anchor[1], ut_vec3(3, 0, 0), 4e-15);
    // the origin is 1 below the anchor: 2 rad/s about z moves it at 2 m/s along x
    check_vec3(ut_point_velocity(&kin, body, ut_vec3(3, -1, 0)), ut_vec3(2.5, 0, 0), 8e-15);
    // and its acceleration is 2^2 x 1 toward the anchor
    check_vec3(ut_point_bias(&kin, body, ut_vec3(3, -1, 0)), ut_vec3(0, 4, 0), 2e-14);
    ut_model_destroy(model);
}

// The slide's axis turns with a hinge before it: about z by 90 degrees, then 3 along what was x.
// It moves out at 1 m/s on an arm that turns at 2 rad/s: Coriolis 2 x 2 x 1 against x, centripetal
// 2^2 x 3 against y.
TEST(a_slide_on_a_turning_arm_has_a_coriolis_acceleration)
{
    utModelDef* def = build_start();
    const int body = build_body(def, 0, ut_vec3_zero(), 1.0, ut_vec3_zero(), ut_mat3_identity());
    build_joint(def, body, UT_JOINT_HINGE, ut_vec3(0, 0, 1));
    build_joint(def, body, UT_JOINT_SLIDE, ut_vec3(1, 0, 0));
    utModel* model = build_finish(def);
    utArena arena = test_arena();
    const double q[] = {1.57079632679489662, 3.0}, v[] = {2.0, 1.0};
    const utKinematics kin = build_kinematics(model, q, v, &arena);
    check_vec3(kin.body[body].p, ut_vec3(0, 3, 0), 1e-14);
    check_vec3(ut_point_velocity(&kin, body, kin.body[body].p), ut_vec3(-6, 1, 0), 2e-14);
    check_vec3(ut_point_bias(&kin, body, kin.body[body].p), ut_vec3(-4, -12, 0), 1e-13);
    ut_model_destroy(model);
}

// v of a free joint is the velocity of the frame's origin in the world, w is in the body. The body
// is turned by 90 degrees about z, so w = x in the body is y in the world.
TEST(a_free_joint_has_world_velocity_and_body_angular_velocity)
{
    utModel* model = build_free(ut_vec3(0.5, 0, 0));
    utArena arena = test_arena();
    const double s = 0.70710678118654752;
    const double q[] = {1, 2, 3, s, 0, 0, s}, v[] = {4, 5, 6, 1, 0, 0};
    const utKinematics kin = build_kinematics(model, q, v, &arena);
    check_vec3(kin.velocity[1].angular, ut_vec3(0, 1, 0), 1e-15);
    check_vec3(ut_point_velocity(&kin, 1, ut_vec3(1, 2, 3)), ut_vec3(4, 5, 6), 0.0);
    // 1 rad/s about y: a point 1 above the origin goes along x
    check_vec3(ut_point_velocity(&kin, 1, ut_vec3(1, 2, 4)), ut_vec3(5, 5, 6), 1e-15);
    check_vec3(kin.com[1], ut_vec3(1, 2.5, 3), 1e-15);
    // its origin moves uniformly when a = 0
    check_vec3(ut_point_bias(&kin, 1, ut_vec3(1, 2, 3)), ut_vec3_zero(), 1e-15);
    check_vec3(ut_point_bias(&kin, 1, ut_vec3(1, 2, 4)), ut_vec3(0, 0, -1), 1e-15);
    ut_model_destroy(model);
}

// ---- differences --------------------------------------------------------------------------------

typedef struct Point {
    utVec3 place, velocity;
} Point;

// The point of a body that is `local` in it, at q ⊕ h v with velocities v.
static Point point_at(const utModel* model, const double* q, const double* v, double h, int body,
                      utVec3 local, utArena arena)
{
    double moved[BUILD_MAX_Q];
    ut_model_integrate(model, q, v, h, moved);
    const utKinematics kin = build_kinematics(model, moved, v, &arena);
    const utVec3 place = ut_frame_point(kin.body[body], local);
    return (Point){place, ut_point_velocity(&kin, body, place)};
}

static utVec3 difference(utVec3 ahead, utVec3 behind, double h)
{
    return ut_vec3_scale(ut_vec3_sub(ahead, behind), 0.5 / h);
}

// With angular velocities up to W = the sum of |v| and everything within L of an axis, the n-th
// derivative of a position is at most W^n L; central differences are off by h^2/6 of the third, and
// by the rounding of some hundred operations on positions over h.
TEST(velocities_and_their_rates_are_derivatives)
{
    const double h = 1e-5;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        utModel* model = build_random(seed, 8, seed % 2 == 0);
        double q[BUILD_MAX_Q], v[BUILD_MAX_Q];
        build_state(model, seed, 0.5, q, v);
        utArena arena = test_arena();
        const utKinematics kin = build_kinematics(model, q, v, &arena);
        double W = 0.0;
        for (int i = 0; i < model->nv; i++) {
            W += fabs(v[i]);
        }
        const double L = 6.0, rounding = 100.0 * DBL_EPSILON * L / h;
        const utVec3 local = ut_vec3(0.3, -0.2, 0.1);
        for (int b = 1; b < model->nbody; b++) {
            const utVec3 place = ut_frame_point(kin.body[b], local);
            const Point ahead = point_at(model, q, v, h, b, local, arena);
            const Point behind = point_at(model, q, v, -h, b, local, arena);
            const double one = h * h / 6.0 * W * W * W * L;
            check_vec3(ut_point_velocity(&kin, b, place), difference(ahead.place, behind.place, h),
                       one + rounding);
            check_vec3(ut_point_bias(&kin, b, place),
                       difference(ahead.velocity, behind.velocity, h), W * (one + rounding));
        }
        ut_model_destroy(model);
    }
}

// J v is the velocity, of points and of angles, for all bodies: exact but for rounding of sums of
// nv terms of size |v| L.
TEST(jacobians_times_velocities_are_velocities)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        utModel* model = build_random(seed, 12, seed % 2 == 0);
        double q[BUILD_MAX_Q], v[BUILD_MAX_Q], J[3 * BUILD_MAX_Q], turn[3 * BUILD_MAX_Q];
        build_state(model, seed, 1.0, q, v);
        utArena arena = test_arena();
        const utKinematics kin = build_kinematics(model, q, v, &arena);
        const double tolerance = 20.0 * DBL_EPSILON * (model->nv + 1) * 10.0;
        for (int b = 1; b < model->nbody; b++) {
            const utVec3 place = ut_frame_point(kin.body[b], ut_vec3(0.1, 0.2, 0.3));
            double linear[3] = {0}, angular[3] = {0};
            const int t = model->body[b].tree;
            if (t >= 0) {
                ut_point_jacobian(&kin, b, place, 3, AXES, J);
                ut_angular_jacobian(&kin, b, 3, AXES, turn);
                const int n = model->tree[t].dofs;
                for (int i = 0; i < 3 * n; i++) {
                    linear[i / n] += J[i] * v[model->tree[t].dof + i % n];
                    angular[i / n] += turn[i] * v[model->tree[t].dof + i % n];
                }
            }
            check_vec3(ut_point_velocity(&kin, b, place), ut_vec3(linear[0], linear[1], linear[2]),
                       tolerance);
            check_vec3(kin.velocity[b].angular, ut_vec3(angular[0], angular[1], angular[2]),
                       tolerance);
        }
        ut_model_destroy(model);
    }
}

// An axis and its rate: an axis is a twist about the present position of the root, so the twists
// are shifted to that point before their difference is taken. Tolerances as above.
TEST(rates_of_axes_are_derivatives)
{
    const double h = 1e-5;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        utModel* model = build_random(seed, 8, seed % 2 == 0);
        double q[BUILD_MAX_Q], v[BUILD_MAX_Q], moved[BUILD_MAX_Q];
        build_state(model, seed, 0.5, q, v);
        utArena arena = test_arena();
        const utKinematics kin = build_kinematics(model, q, v, &arena);
        ut_model_integrate(model, q, v, h, moved);
        const utKinematics ahead = build_kinematics(model, moved, v, &arena);
        ut_model_integrate(model, q, v, -h, moved);
        const utKinematics behind = build_kinematics(model, moved, v, &arena);
        double W = 1.0;
        for (int i = 0; i < model->nv; i++) {
            W += fabs(v[i]);
        }
        const double tolerance = (h * h / 6.0 * W * W * W + 100.0 * DBL_EPSILON / h) * 6.0;
        for (int k = 0; k < model->nv; k++) {
            const int t = model->body[model->dof_body[k]].tree;
            utMotion side[2] = {ahead.axis[k], behind.axis[k]};
            const utVec3 from[2] = {ahead.origin[t], behind.origin[t]};
            for (int i = 0; i < 2; i++) {
                const utVec3 r = ut_vec3_sub(kin.origin[t], from[i]);
                side[i].linear = ut_vec3_add(side[i].linear, ut_vec3_cross(side[i].angular, r));
            }
            check_vec3(kin.rate[k].angular, difference(side[0].angular, side[1].angular, h),
                       tolerance);
            check_vec3(kin.rate[k].linear, difference(side[0].linear, side[1].linear, h),
                       tolerance);
        }
        ut_model_destroy(model);
    }
}

// ---- bodies moved from outside ------------------------------------------------------------------

// A mocap body at (1, 0, 0) that moves at (0, 1, 1) and turns at 2 rad/s about z carries a slide
// along x which is 3 out. The slider's frame is at (4, 0, 0) and moves with (v, 1 + 2 x 3, 1); a =
// 0 has it accelerate by Coriolis 2 x 2 v along y and by 2^2 x 3 toward the axis.
TEST(a_body_on_a_mocap_body_moves_with_it)
{
    utModelDef* def = build_start();
    utBodyDef carrier = ut_body_def();
    carrier.pos = ut_vec3(7, 7, 7);
    carrier.mocap = true;
    const int moved = ut_model_def_body(def, &carrier);
    const int body =
        build_body(def, moved, ut_vec3_zero(), 1.0, ut_vec3_zero(), ut_mat3_identity());
    build_joint(def, body, UT_JOINT_SLIDE, ut_vec3(1, 0, 0));
    utModel* model = build_finish(def);

    utArena arena = test_arena();
    const double q[] = {3.0}, v[] = {0.5}, pos[] = {1, 0, 0}, quat[] = {1, 0, 0, 0};
    const utMotion twist = ut_motion(ut_vec3(0, 1, 1), ut_vec3(0, 0, 2));
    utKinematics kin = build_kinematics(model, q, v, &arena);
    check_vec3(kin.body[body].p, ut_vec3(10, 7, 7), 0.0);
    ut_kinematics_place(&kin, q, pos, quat);
    ut_kinematics_move(&kin, v, &twist);
    check_vec3(kin.body[body].p, ut_vec3(4, 0, 0), 0.0);
    check_vec3(ut_point_velocity(&kin, moved, ut_vec3(1, 1, 0)), ut_vec3(-2, 1, 1), 0.0);
    check_vec3(ut_point_velocity(&kin, moved, ut_vec3(1, 0, 0)), ut_vec3(0, 1, 1), 0.0);
    check_vec3(ut_point_bias(&kin, moved, ut_vec3(1, 0, 0)), ut_vec3_zero(), 0.0);
    check_vec3(ut_point_bias(&kin, moved, ut_vec3(1, 1, 0)), ut_vec3(0, -4, 0), 0.0);
    check_vec3(ut_point_velocity(&kin, body, ut_vec3(4, 0, 0)), ut_vec3(0.5, 7, 1), 1e-15);
    check_vec3(ut_point_bias(&kin, body, ut_vec3(4, 0, 0)), ut_vec3(-12, 2, 0), 1e-14);
    ut_model_destroy(model);
}
