// SPDX-License-Identifier: Apache-2.0
// Wrenches in double-double, by hand: with d = 2^-30 the product (1 + d)^2 = 1 + 2 d + d^2 needs 61
// bits.
#include "la/wide_force.h"

#include "test.h"

static const double D = 0x1p-30;

static WideImpulse along(utVec3 d)
{
    const double r[3] = {1.0, 0.0, 0.0};
    const utVec3 frame[3] = {d, ut_vec3_zero(), ut_vec3_zero()};
    return wide_impulse_along(r, frame);
}

// Push (0, 1 + d, 0) at (1 + d, 0, 0) and pull (0, 1, 0) at (1 + 2 d, 0, 0), all about the origin: the
// torques about z are 1 + 2 d + d^2 and -(1 + 2 d).
TEST(a_push_and_a_pull_leave_their_difference_in_all_digits)
{
    WideForce sum = {0};
    const WideImpulse f = along(ut_vec3(0, 1.0 + D, 0)), g = along(ut_vec3(0, 1.0, 0));
    wide_push(&sum, &f, ut_vec3(1.0 + D, 0, 0), ut_vec3_zero());
    wide_pull(&sum, &g, ut_vec3(1.0 + 2.0 * D, 0, 0), ut_vec3_zero());
    const utForce net = wide_force_round(&sum);
    CHECK_NEAR(net.force.y, D, 0.0);
    CHECK_NEAR(net.torque.z, D * D, 0.0);
    CHECK_NEAR(net.torque.x, 0.0, 0.0);
    CHECK_NEAR(net.torque.y, 0.0, 0.0);
}

// (x, y, z) x (a, b, c) with small integers is exact in double: (2, 3, 5) x (7, 11, 13) =
// (3 13 - 5 11, 5 7 - 2 13, 2 11 - 3 7) = (-16, 9, 1). The reference point is subtracted.
TEST(a_torque_is_lever_times_force_and_a_pull_its_opposite)
{
    const utVec3 about = ut_vec3(10, 20, 30), point = ut_vec3(12, 23, 35);
    const WideImpulse f = along(ut_vec3(7, 11, 13));
    WideForce push = {0}, pull = {0};
    wide_push(&push, &f, point, about);
    wide_pull(&pull, &f, point, about);
    const utForce one = wide_force_round(&push), two = wide_force_round(&pull);
    CHECK_NEAR(one.torque.x, -16, 0.0);
    CHECK_NEAR(one.torque.y, 9, 0.0);
    CHECK_NEAR(one.torque.z, 1, 0.0);
    CHECK_NEAR(one.force.x, 7, 0.0);
    CHECK_NEAR(two.torque.x, 16, 0.0);
    CHECK_NEAR(two.torque.y, -9, 0.0);
    CHECK_NEAR(two.torque.z, -1, 0.0);
    CHECK_NEAR(two.force.z, -13, 0.0);
}

// An impulse r in a frame is the sum r_k d_k: (1 + d, 2, -(1 + d)) along x, y and x leaves (0, 2, 0).
TEST(an_impulse_is_summed_along_the_axes_of_its_frame)
{
    const double r[3] = {1.0 + D, 2.0, -(1.0 + D)};
    const utVec3 frame[3] = {ut_vec3(1.0 + D, 0, 0), ut_vec3(0, 1, 0), ut_vec3(1, 0, 0)};
    const WideImpulse f = wide_impulse_along(r, frame);
    CHECK_NEAR(f.f[0].hi + f.f[0].lo, D + D * D, 0.0);
    CHECK_NEAR(f.f[1].hi + f.f[1].lo, 2.0, 0.0);
    CHECK_NEAR(f.f[2].hi + f.f[2].lo, 0.0, 0.0);
}
