// SPDX-License-Identifier: Apache-2.0
#include <uptack/vec.h>

#include "test.h"

// Numbers here are of size 1 to 10 and go through fewer than 50 roundings of 1e-16 each.
static const double rounding = 5e-14;

static const double pi = 3.1415926535897931;

static utVec3 random_vec3(utRng* rng)
{
    double x = ut_rng_range(rng, -1.0, 1.0);
    double y = ut_rng_range(rng, -1.0, 1.0);
    double z = ut_rng_range(rng, -1.0, 1.0);
    return ut_vec3(x, y, z);
}

static utQuat random_quat(utRng* rng)
{
    utVec3 v = random_vec3(rng);
    utQuat q = ut_quat(ut_rng_range(rng, -1.0, 1.0), v.x, v.y, v.z);
    ut_quat_normalize(q, &q);
    return q;
}

static utFrame random_frame(utRng* rng)
{
    utMat3 R = ut_quat_to_mat3(random_quat(rng));
    return ut_frame(R, random_vec3(rng));
}

static utMotion random_motion(utRng* rng)
{
    utVec3 linear = random_vec3(rng);
    return ut_motion(linear, random_vec3(rng));
}

static utForce random_force(utRng* rng)
{
    utVec3 force = random_vec3(rng);
    return ut_force(force, random_vec3(rng));
}

// Mass in [1, 2] and the inertia of three point masses, turned anyhow.
static utInertia random_inertia(utRng* rng)
{
    utMat3 I = ut_mat3_zero();
    for (int i = 0; i < 3; i++) {
        I = ut_mat3_add(I, ut_mat3_point_inertia(1.0, random_vec3(rng)));
    }
    double mass = ut_rng_range(rng, 1.0, 2.0);
    return ut_inertia(mass, random_vec3(rng), I);
}

static bool near_vec3(utVec3 a, utVec3 b, double tolerance)
{
    return fabs(a.x - b.x) <= tolerance && fabs(a.y - b.y) <= tolerance &&
           fabs(a.z - b.z) <= tolerance;
}

static bool near_mat3(utMat3 A, utMat3 B, double tolerance)
{
    return near_vec3(ut_mat3_row(A, 0), ut_mat3_row(B, 0), tolerance) &&
           near_vec3(ut_mat3_row(A, 1), ut_mat3_row(B, 1), tolerance) &&
           near_vec3(ut_mat3_row(A, 2), ut_mat3_row(B, 2), tolerance);
}

static bool near_quat(utQuat p, utQuat q, double tolerance)
{
    return fabs(p.w - q.w) <= tolerance &&
           near_vec3(ut_vec3(p.x, p.y, p.z), ut_vec3(q.x, q.y, q.z), tolerance);
}

static bool near_motion(utMotion a, utMotion b, double tolerance)
{
    return near_vec3(a.linear, b.linear, tolerance) && near_vec3(a.angular, b.angular, tolerance);
}

static bool near_force(utForce f, utForce g, double tolerance)
{
    return near_vec3(f.force, g.force, tolerance) && near_vec3(f.torque, g.torque, tolerance);
}

static bool near_inertia(utInertia I, utInertia J, double tolerance)
{
    return fabs(I.mass - J.mass) <= tolerance && near_vec3(I.com, J.com, tolerance) &&
           near_mat3(I.inertia, J.inertia, tolerance);
}

// ---- vectors ------------------------------------------------------------------------------------

TEST(vectors_add_scale_and_multiply_as_by_hand)
{
    const utVec3 a = ut_vec3(1, 2, 3), b = ut_vec3(4, -5, 6);
    CHECK(near_vec3(ut_vec3_add(a, b), ut_vec3(5, -3, 9), 0.0));
    CHECK(near_vec3(ut_vec3_sub(a, b), ut_vec3(-3, 7, -3), 0.0));
    CHECK(near_vec3(ut_vec3_scale(a, -2), ut_vec3(-2, -4, -6), 0.0));
    CHECK(near_vec3(ut_vec3_add_scaled(a, 2, b), ut_vec3(9, -8, 15), 0.0));
    CHECK(near_vec3(ut_vec3_negate(a), ut_vec3(-1, -2, -3), 0.0));
    CHECK_NEAR(ut_vec3_dot(a, b), 12.0, 0.0);
    CHECK(near_vec3(ut_vec3_cross(a, b), ut_vec3(27, 6, -13), 0.0));
    CHECK_NEAR(ut_vec3_norm(ut_vec3(2, 3, 6)), 7.0, 0.0);
    // x cross y is z
    CHECK(near_vec3(ut_vec3_cross(ut_vec3(1, 0, 0), ut_vec3(0, 1, 0)), ut_vec3(0, 0, 1), 0.0));
}

TEST(a_vector_of_any_finite_length_but_zero_normalizes)
{
    const double scales[] = {1.0, 1e300, 1e-300, 0x1p-1074, 0x1p1021};
    utVec3 unit;
    for (int i = 0; i < 5; i++) {
        CHECK(ut_vec3_normalize(ut_vec3(2 * scales[i], -3 * scales[i], 6 * scales[i]), &unit));
        CHECK(near_vec3(unit, ut_vec3(2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0), 4.0 * DBL_EPSILON));
    }
    const double inf = (double)INFINITY;
    const double nan = (double)NAN;
    const utVec3 bad[] = {{0, 0, 0},   {inf, 0, 0}, {1, -inf, 1},  {nan, 1, 2},
                          {1, nan, 2}, {1, 2, nan}, {inf, 0, nan}, {0, -0.0, nan}};
    for (int i = 0; i < 8; i++) {
        unit = ut_vec3(7, 7, 7);
        CHECK(!ut_vec3_normalize(bad[i], &unit));
        CHECK(near_vec3(unit, ut_vec3_zero(), 0.0));
    }
}

TEST(the_tangents_are_the_projects_and_with_the_normal_right_handed)
{
    utVec3 t1, t2;
    ut_tangent_basis(ut_vec3(0, 0, 1), &t1, &t2);
    CHECK(near_vec3(t1, ut_vec3(1, 0, 0), 0.0));
    CHECK(near_vec3(t2, ut_vec3(0, 1, 0), 0.0));
    ut_tangent_basis(ut_vec3(-1, 0, 0), &t1, &t2);
    CHECK(near_vec3(t1, ut_vec3(0, 1, 0), 0.0));
    CHECK(near_vec3(t2, ut_vec3(0, 0, -1), 0.0));
    // n = (3/5, 4/5, 0): x - (3/5) n = (16/25, -12/25, 0), of length 4/5
    ut_tangent_basis(ut_vec3(0.6, 0.8, 0), &t1, &t2);
    CHECK(near_vec3(t1, ut_vec3(0.8, -0.6, 0), rounding));
    CHECK(near_vec3(t2, ut_vec3(0, 0, -1), rounding));

    utRng rng = ut_rng(50, 0);
    for (int i = 0; i < 1000; i++) {
        utVec3 n;
        ut_vec3_normalize(random_vec3(&rng), &n);
        ut_tangent_basis(n, &t1, &t2);
        utMat3 R = ut_mat3_from_columns(n, t1, t2);
        CHECK(near_mat3(ut_mat3_mul(ut_mat3_transpose(R), R), ut_mat3_identity(), rounding));
        CHECK_NEAR(ut_mat3_determinant(R), 1.0, rounding);
        // t1 has nothing of the world axis that completes it
        CHECK_NEAR(fabs(n.x) > 0.9 ? t1.y : t1.x,
                   sqrt(1.0 - (fabs(n.x) > 0.9 ? n.y * n.y : n.x * n.x)), rounding);
    }
}

// ---- matrices -----------------------------------------------------------------------------------

TEST(matrices_multiply_and_transpose_as_by_hand)
{
    const utMat3 A = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}};
    const utMat3 B = {{{1, 0, -1}, {2, 1, 0}, {0, 3, 1}}};
    const utMat3 AB = {{{5, 11, 2}, {14, 23, 2}, {23, 38, 3}}};
    const utVec3 a = ut_vec3(1, -1, 2);
    CHECK(near_mat3(ut_mat3_mul(A, B), AB, 0.0));
    CHECK(near_vec3(ut_mat3_mul_vec(A, a), ut_vec3(5, 11, 19), 0.0));
    CHECK(near_vec3(ut_mat3_tmul_vec(A, a), ut_vec3(11, 13, 17), 0.0));
    CHECK(near_vec3(ut_mat3_mul_vec(ut_mat3_transpose(A), a), ut_vec3(11, 13, 17), 0.0));
    CHECK(near_vec3(ut_mat3_column(A, 2), ut_vec3(3, 6, 10), 0.0));
    CHECK_NEAR(ut_mat3_determinant(A), -3.0, 0.0);
    CHECK(near_mat3(ut_mat3_sub(ut_mat3_add(A, B), ut_mat3_scale(B, 3)),
                    ut_mat3_sub(A, ut_mat3_scale(B, 2)), 0.0));
    CHECK(near_vec3(ut_mat3_mul_vec(ut_mat3_outer(a, ut_vec3(1, 2, 3)), ut_vec3(1, 1, 1)),
                    ut_vec3_scale(a, 6), 0.0));
}

TEST(hat_of_a_times_b_is_a_cross_b)
{
    utRng rng = ut_rng(51, 0);
    for (int i = 0; i < 100; i++) {
        utVec3 a = random_vec3(&rng);
        utVec3 b = random_vec3(&rng);
        CHECK(near_vec3(ut_mat3_mul_vec(ut_mat3_skew(a), b), ut_vec3_cross(a, b), 0.0));
    }
}

TEST(the_inverse_of_a_symmetric_matrix_times_it_is_the_identity)
{
    utMat3 inverse;
    CHECK(ut_mat3_inverse_symmetric(ut_mat3_diagonal(ut_vec3(2, -4, 8)), &inverse));
    CHECK(near_mat3(inverse, ut_mat3_diagonal(ut_vec3(0.5, -0.25, 0.125)), 0.0));
    // by hand: det = 1, inverse [2 -1 0; -1 2 -1; 0 -1 1] of [1 1 1; 1 2 2; 1 2 3]
    const utMat3 A = {{{1, 1, 1}, {1, 2, 2}, {1, 2, 3}}};
    const utMat3 by_hand = {{{2, -1, 0}, {-1, 2, -1}, {0, -1, 1}}};
    CHECK(ut_mat3_inverse_symmetric(A, &inverse));
    CHECK(near_mat3(inverse, by_hand, 0.0));

    utRng rng = ut_rng(52, 0);
    for (int i = 0; i < 100; i++) {
        utMat3 I = ut_mat3_add(random_inertia(&rng).inertia, ut_mat3_identity());
        CHECK(ut_mat3_inverse_symmetric(I, &inverse));
        CHECK(near_mat3(ut_mat3_mul(I, inverse), ut_mat3_identity(), rounding));
    }
    const utMat3 singular = {{{1, 2, 3}, {2, 4, 6}, {3, 6, 1}}};
    const utMat3 bad = ut_mat3_diagonal(ut_vec3(1, (double)NAN, 1));
    CHECK(!ut_mat3_inverse_symmetric(singular, &inverse));
    CHECK(near_mat3(inverse, ut_mat3_zero(), 0.0));
    CHECK(!ut_mat3_inverse_symmetric(bad, &inverse));
}

// ---- quaternions --------------------------------------------------------------------------------

TEST(hamiltons_rules_hold)
{
    const utQuat i = ut_quat(0, 1, 0, 0), j = ut_quat(0, 0, 1, 0), k = ut_quat(0, 0, 0, 1);
    const utQuat minus_one = ut_quat(-1, 0, 0, 0);
    CHECK(near_quat(ut_quat_mul(i, j), k, 0.0));
    CHECK(near_quat(ut_quat_mul(j, k), i, 0.0));
    CHECK(near_quat(ut_quat_mul(k, i), j, 0.0));
    CHECK(near_quat(ut_quat_mul(i, i), minus_one, 0.0));
    CHECK(near_quat(ut_quat_mul(ut_quat_mul(i, j), k), minus_one, 0.0));
}

TEST(a_quarter_turn_about_z_takes_x_to_y)
{
    utQuat q = ut_quat_from_axis_angle(ut_vec3(0, 0, 1), 0.5 * pi);
    CHECK(near_vec3(ut_quat_rotate(q, ut_vec3(1, 0, 0)), ut_vec3(0, 1, 0), rounding));
    CHECK(near_vec3(ut_quat_rotate(q, ut_vec3(0, 1, 0)), ut_vec3(-1, 0, 0), rounding));
    CHECK(near_vec3(ut_quat_rotate_inverse(q, ut_vec3(0, 1, 0)), ut_vec3(1, 0, 0), rounding));
}

TEST(rotating_agrees_with_the_matrix_and_products_with_products)
{
    utRng rng = ut_rng(53, 0);
    for (int i = 0; i < 1000; i++) {
        utQuat p = random_quat(&rng), q = random_quat(&rng);
        utVec3 a = random_vec3(&rng);
        utMat3 P = ut_quat_to_mat3(p), Q = ut_quat_to_mat3(q);
        utQuat pure = ut_quat(0.0, a.x, a.y, a.z);
        utQuat turned = ut_quat_mul(ut_quat_mul(q, pure), ut_quat_conjugate(q));
        CHECK(near_mat3(ut_mat3_mul(Q, ut_mat3_transpose(Q)), ut_mat3_identity(), rounding));
        CHECK_NEAR(ut_mat3_determinant(Q), 1.0, rounding);
        CHECK(near_vec3(ut_quat_rotate(q, a), ut_mat3_mul_vec(Q, a), rounding));
        CHECK(near_vec3(ut_quat_rotate(q, a), ut_vec3(turned.x, turned.y, turned.z), rounding));
        CHECK(near_vec3(ut_quat_rotate_inverse(q, a), ut_mat3_tmul_vec(Q, a), rounding));
        CHECK(near_mat3(ut_quat_to_mat3(ut_quat_mul(p, q)), ut_mat3_mul(P, Q), rounding));
    }
}

static bool same_rotation(utQuat p, utQuat q, double tolerance)
{
    return near_quat(p, q, tolerance) || near_quat(p, ut_quat(-q.w, -q.x, -q.y, -q.z), tolerance);
}

TEST(a_quaternion_comes_back_from_its_matrix_whichever_component_is_largest)
{
    utRng rng = ut_rng(54, 0);
    for (int i = 0; i < 1000; i++) {
        utQuat q = random_quat(&rng);
        CHECK(same_rotation(ut_quat_from_mat3(ut_quat_to_mat3(q)), q, rounding));
    }
    // half turns, where w vanishes, and the identity
    CHECK(near_quat(ut_quat_from_mat3(ut_mat3_diagonal(ut_vec3(1, -1, -1))), ut_quat(0, 1, 0, 0),
                    0.0));
    CHECK(near_quat(ut_quat_from_mat3(ut_mat3_diagonal(ut_vec3(-1, 1, -1))), ut_quat(0, 0, 1, 0),
                    0.0));
    CHECK(near_quat(ut_quat_from_mat3(ut_mat3_diagonal(ut_vec3(-1, -1, 1))), ut_quat(0, 0, 0, 1),
                    0.0));
    CHECK(near_quat(ut_quat_from_mat3(ut_mat3_identity()), ut_quat_identity(), 0.0));
}

TEST(a_quaternion_without_length_normalizes_to_the_identity)
{
    utQuat unit = ut_quat(7, 7, 7, 7);
    CHECK(!ut_quat_normalize(ut_quat(0, 0, 0, 0), &unit));
    CHECK(near_quat(unit, ut_quat_identity(), 0.0));
    CHECK(!ut_quat_normalize(ut_quat((double)NAN, 0, 0, 1), &unit));
    CHECK(!ut_quat_normalize(ut_quat(1, (double)INFINITY, 0, 1), &unit));
    CHECK(ut_quat_normalize(ut_quat(2, 4, 5, 6), &unit));
    CHECK(near_quat(unit, ut_quat(2.0 / 9.0, 4.0 / 9.0, 5.0 / 9.0, 6.0 / 9.0), DBL_EPSILON));
}

TEST(logarithm_undoes_the_exponential_at_any_angle_up_to_half_a_turn)
{
    utRng rng = ut_rng(55, 0);
    for (int i = 0; i < 2000; i++) {
        utVec3 axis;
        ut_vec3_normalize(random_vec3(&rng), &axis);
        // from 1e-120 to pi, passing the ends of both series at 1e-2 and 2e-3
        double angle = i < 1000 ? ut_rng_range(&rng, 0.0, pi) : pow(10.0, -0.12 * (i - 1000));
        utVec3 v = ut_vec3_scale(axis, angle);
        utQuat q = ut_quat_exp(v);
        utVec3 back = ut_quat_log(q);
        CHECK_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 8.0 * DBL_EPSILON);
        CHECK(near_quat(q, ut_quat_from_axis_angle(axis, angle), 4.0 * DBL_EPSILON));
        CHECK(near_vec3(back, v, 16.0 * DBL_EPSILON * angle));
        // -q is the same rotation
        CHECK(near_vec3(ut_quat_log(ut_quat(-q.w, -q.x, -q.y, -q.z)), back, 0.0));
    }
    CHECK(near_quat(ut_quat_exp(ut_vec3_zero()), ut_quat_identity(), 0.0));
    CHECK(near_vec3(ut_quat_log(ut_quat_identity()), ut_vec3_zero(), 0.0));
    CHECK(near_vec3(ut_quat_log(ut_quat(0, 0, 1, 0)), ut_vec3(0, pi, 0), 0.0));
}

// sin(t/2)/t and 2 atan2(s, c)/s from both sides of where their series begin: the curves may not
// step by more than their slope and the rounding.
TEST(the_series_of_exponential_and_logarithm_join_their_closed_forms)
{
    const double below = nextafter(1e-2, 0.0), above = nextafter(1e-2, 1.0);
    utQuat p = ut_quat_exp(ut_vec3(below, 0, 0));
    utQuat q = ut_quat_exp(ut_vec3(above, 0, 0));
    CHECK_NEAR(q.x - p.x, 0.5 * (above - below), 2.0 * DBL_EPSILON * q.x);
    const double s = 1e-3, c = sqrt(1.0 - s * s);
    utVec3 a = ut_quat_log(ut_quat(c, nextafter(s, 0.0), 0, 0));
    utVec3 b = ut_quat_log(ut_quat(c, s, 0, 0));
    CHECK_NEAR(b.x - a.x, 0.0, 4.0 * DBL_EPSILON * a.x);
    // asin(1e-3) = 1e-3 + 1e-9/6 + 3e-15/40 + 15e-21/336
    CHECK_NEAR(a.x, 2.0 * (1e-3 + 1e-9 / 6.0 + 3e-15 / 40.0 + 15e-21 / 336.0),
               4.0 * DBL_EPSILON * a.x);
}

TEST(turning_at_a_constant_rate_is_integrated_exactly)
{
    utRng rng = ut_rng(56, 0);
    for (int i = 0; i < 100; i++) {
        utQuat q = random_quat(&rng);
        utVec3 w = random_vec3(&rng);
        // one large step is many small ones, whatever the angle
        utQuat many = q;
        for (int k = 0; k < 64; k++) {
            many = ut_quat_integrate(many, w, 0.25);
        }
        CHECK(near_quat(many, ut_quat_integrate(q, w, 16.0), 64.0 * 8.0 * DBL_EPSILON));
        // an angular velocity that is w in the body is R w in the world
        CHECK(near_quat(ut_quat_integrate_body(q, w, 0.7),
                        ut_quat_integrate(q, ut_quat_rotate(q, w), 0.7), rounding));
        // dq/dt = (0, w) q / 2, by central differences with an error of h^2 |w|^3 / 48 < 2e-9
        const double h = 1e-4;
        utQuat ahead = ut_quat_integrate(q, w, h), behind = ut_quat_integrate(q, w, -h);
        utQuat rate = ut_quat_mul(ut_quat(0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z), q);
        utQuat difference = ut_quat((ahead.w - behind.w) / (2 * h), (ahead.x - behind.x) / (2 * h),
                                    (ahead.y - behind.y) / (2 * h), (ahead.z - behind.z) / (2 * h));
        CHECK(near_quat(difference, rate, 2e-9));
    }
    // a whole turn brings the orientation back, as -q
    utQuat q = ut_quat_integrate(ut_quat(0.6, 0, 0.8, 0), ut_vec3(0, 0, pi), 2.0);
    CHECK(near_quat(q, ut_quat(-0.6, 0, -0.8, 0), rounding));
}

// ---- frames -------------------------------------------------------------------------------------

TEST(frames_compose_and_invert)
{
    utRng rng = ut_rng(57, 0);
    for (int i = 0; i < 100; i++) {
        utFrame AB = random_frame(&rng), BC = random_frame(&rng);
        utFrame AC = ut_frame_mul(AB, BC);
        utFrame AA = ut_frame_mul(AB, ut_frame_inverse(AB));
        utVec3 x = random_vec3(&rng);
        CHECK(
            near_vec3(ut_frame_point(AC, x), ut_frame_point(AB, ut_frame_point(BC, x)), rounding));
        CHECK(near_vec3(ut_frame_point_inverse(AB, ut_frame_point(AB, x)), x, rounding));
        CHECK(near_vec3(ut_frame_point(ut_frame_inverse(AB), x), ut_frame_point_inverse(AB, x),
                        rounding));
        CHECK(near_mat3(AA.R, ut_mat3_identity(), rounding));
        CHECK(near_vec3(AA.p, ut_vec3_zero(), rounding));
    }
}

TEST(twists_and_wrenches_go_through_two_frames_as_through_their_product)
{
    utRng rng = ut_rng(58, 0);
    for (int i = 0; i < 100; i++) {
        utFrame AB = random_frame(&rng), BC = random_frame(&rng);
        utFrame AC = ut_frame_mul(AB, BC);
        utMotion a = random_motion(&rng);
        utForce f = random_force(&rng);
        utInertia I = random_inertia(&rng);
        CHECK(near_motion(ut_motion_transform(AC, a),
                          ut_motion_transform(AB, ut_motion_transform(BC, a)), rounding));
        CHECK(near_force(ut_force_transform(AC, f),
                         ut_force_transform(AB, ut_force_transform(BC, f)), rounding));
        CHECK(near_inertia(ut_inertia_transform(AC, I),
                           ut_inertia_transform(AB, ut_inertia_transform(BC, I)), rounding));
        CHECK(
            near_motion(ut_motion_transform_inverse(AB, ut_motion_transform(AB, a)), a, rounding));
        CHECK(near_force(ut_force_transform_inverse(AB, ut_force_transform(AB, f)), f, rounding));
        CHECK(near_motion(ut_motion_transform(ut_frame_inverse(AB), a),
                          ut_motion_transform_inverse(AB, a), rounding));
        CHECK(near_force(ut_force_transform(ut_frame_inverse(AB), f),
                         ut_force_transform_inverse(AB, f), rounding));
    }
}

// The point x of a body moves with linear + angular x x, in every frame.
TEST(a_twist_gives_a_point_the_same_velocity_in_every_frame)
{
    utRng rng = ut_rng(59, 0);
    for (int i = 0; i < 100; i++) {
        utFrame AB = random_frame(&rng);
        utMotion in_B = random_motion(&rng);
        utMotion in_A = ut_motion_transform(AB, in_B);
        utVec3 x_B = random_vec3(&rng);
        utVec3 x_A = ut_frame_point(AB, x_B);
        utVec3 v_B = ut_vec3_add(in_B.linear, ut_vec3_cross(in_B.angular, x_B));
        utVec3 v_A = ut_vec3_add(in_A.linear, ut_vec3_cross(in_A.angular, x_A));
        CHECK(near_vec3(ut_mat3_mul_vec(AB.R, v_B), v_A, rounding));
    }
    // by hand: spinning about z at 2 rad/s through B, which stands at x = 3: at A's origin -6 along
    // y
    utFrame AB = ut_frame(ut_mat3_identity(), ut_vec3(3, 0, 0));
    utMotion spin = ut_motion(ut_vec3_zero(), ut_vec3(0, 0, 2));
    CHECK(near_motion(ut_motion_transform(AB, spin), ut_motion(ut_vec3(0, -6, 0), ut_vec3(0, 0, 2)),
                      0.0));
    // and a force of 5 along y through B has a torque of 15 about z in A
    utForce push = ut_force(ut_vec3(0, 5, 0), ut_vec3_zero());
    CHECK(near_force(ut_force_transform(AB, push), ut_force(ut_vec3(0, 5, 0), ut_vec3(0, 0, 15)),
                     0.0));
}

TEST(power_and_kinetic_energy_are_the_same_in_every_frame)
{
    utRng rng = ut_rng(60, 0);
    for (int i = 0; i < 100; i++) {
        utFrame AB = random_frame(&rng);
        utMotion a = random_motion(&rng);
        utForce f = random_force(&rng);
        utInertia I = random_inertia(&rng);
        utMotion a_A = ut_motion_transform(AB, a);
        utInertia I_A = ut_inertia_transform(AB, I);
        CHECK_NEAR(ut_force_power(ut_force_transform(AB, f), a_A), ut_force_power(f, a), rounding);
        CHECK_NEAR(ut_inertia_energy(I_A, a_A), ut_inertia_energy(I, a), rounding);
        CHECK_NEAR(ut_inertia_energy(I, a), 0.5 * ut_force_power(ut_inertia_mul(I, a), a),
                   rounding);
        CHECK(near_force(ut_inertia_mul(I_A, a_A), ut_force_transform(AB, ut_inertia_mul(I, a)),
                         rounding));
    }
}

// ---- cross products of spatial vectors ----------------------------------------------------------

// The frame that the world's becomes when it moves with a for t seconds, to first order in t in p.
static utFrame moved(utMotion a, double t)
{
    utMat3 R = ut_quat_to_mat3(ut_quat_exp(ut_vec3_scale(a.angular, t)));
    return ut_frame(R, ut_vec3_scale(a.linear, t));
}

// Central differences: terms of even order cancel and h^2 is left, here 1e-8 times a few.
TEST(spatial_cross_products_are_the_rates_of_vectors_fixed_in_a_moving_body)
{
    utRng rng = ut_rng(61, 0);
    const double h = 1e-4;
    for (int i = 0; i < 100; i++) {
        utMotion a = random_motion(&rng), b = random_motion(&rng);
        utForce f = random_force(&rng);
        utMotion rate = ut_motion_scale(ut_motion_sub(ut_motion_transform(moved(a, h), b),
                                                      ut_motion_transform(moved(a, -h), b)),
                                        0.5 / h);
        utForce force_rate = ut_force_scale(
            ut_force_sub(ut_force_transform(moved(a, h), f), ut_force_transform(moved(a, -h), f)),
            0.5 / h);
        CHECK(near_motion(rate, ut_motion_cross(a, b), 2e-7));
        CHECK(near_force(force_rate, ut_motion_cross_force(a, f), 2e-7));
    }
}

TEST(spatial_cross_products_are_dual_and_obey_jacobi)
{
    utRng rng = ut_rng(62, 0);
    for (int i = 0; i < 100; i++) {
        utMotion a = random_motion(&rng), b = random_motion(&rng), c = random_motion(&rng);
        utForce f = random_force(&rng);
        CHECK_NEAR(ut_force_power(ut_motion_cross_force(a, f), b),
                   -ut_force_power(f, ut_motion_cross(a, b)), rounding);
        utMotion sum = ut_motion_add(ut_motion_cross(a, ut_motion_cross(b, c)),
                                     ut_motion_cross(b, ut_motion_cross(c, a)));
        sum = ut_motion_add(sum, ut_motion_cross(c, ut_motion_cross(a, b)));
        CHECK(near_motion(sum, ut_motion(ut_vec3_zero(), ut_vec3_zero()), rounding));
        // X (a x b) = (X a) x (X b)
        utFrame AB = random_frame(&rng);
        CHECK(near_motion(ut_motion_transform(AB, ut_motion_cross(a, b)),
                          ut_motion_cross(ut_motion_transform(AB, a), ut_motion_transform(AB, b)),
                          rounding));
    }
}

// ---- inertia ------------------------------------------------------------------------------------

TEST(two_half_rods_make_a_rod)
{
    // rod of length 2 and mass 6 along x: m L^2 / 12 = 2; halves of length 1 and mass 3: 1/4
    utMat3 half = ut_mat3_diagonal(ut_vec3(0, 0.25, 0.25));
    utInertia rod = ut_inertia_add(ut_inertia(3, ut_vec3(-0.5, 1, 0), half),
                                   ut_inertia(3, ut_vec3(0.5, 1, 0), half));
    utInertia want = ut_inertia(6, ut_vec3(0, 1, 0), ut_mat3_diagonal(ut_vec3(0, 2, 2)));
    CHECK(near_inertia(rod, want, rounding));
}

TEST(a_weld_has_the_momentum_and_energy_of_its_parts)
{
    utRng rng = ut_rng(63, 0);
    for (int i = 0; i < 100; i++) {
        utInertia I = random_inertia(&rng), J = random_inertia(&rng);
        utMotion a = random_motion(&rng);
        utInertia both = ut_inertia_add(I, J);
        CHECK(near_force(ut_inertia_mul(both, a),
                         ut_force_add(ut_inertia_mul(I, a), ut_inertia_mul(J, a)), rounding));
        CHECK_NEAR(ut_inertia_energy(both, a), ut_inertia_energy(I, a) + ut_inertia_energy(J, a),
                   rounding);
    }
}

TEST(a_weld_with_nothing_changes_nothing)
{
    utRng rng = ut_rng(64, 0);
    utInertia nothing = ut_inertia(0, ut_vec3(2, 4, 6), ut_mat3_zero());
    utInertia I = random_inertia(&rng);
    CHECK(near_inertia(ut_inertia_add(I, nothing), I, 0.0));
    CHECK(near_inertia(ut_inertia_add(nothing, I), I, rounding));
    utInertia none = ut_inertia_add(nothing, ut_inertia(0, ut_vec3_zero(), ut_mat3_zero()));
    CHECK(near_inertia(none, ut_inertia(0, ut_vec3(1, 2, 3), ut_mat3_zero()), 0.0));
}

// Momentum of a spinning body with its centre on an arm, by hand: mass 2 at (1, 0, 0), inertia
// diag(3, 4, 5), turning about z at 10: v_com = (0, 10, 0), p = (0, 20, 0), L = 50 + 20 about z.
TEST(momentum_of_a_body_off_its_centre_is_as_by_hand)
{
    utInertia I = ut_inertia(2, ut_vec3(1, 0, 0), ut_mat3_diagonal(ut_vec3(3, 4, 5)));
    utMotion a = ut_motion(ut_vec3_zero(), ut_vec3(0, 0, 10));
    CHECK(near_force(ut_inertia_mul(I, a), ut_force(ut_vec3(0, 20, 0), ut_vec3(0, 0, 70)), 0.0));
    CHECK_NEAR(ut_inertia_energy(I, a), 350.0, 0.0);
}
