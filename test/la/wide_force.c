// SPDX-License-Identifier: Apache-2.0
// Wrenches in double-double, by hand: with d = 2^-30 the product (1 + d)^2 = 1 + 2 d + d^2 needs 61
// bits.
#include "la/wide_force.h"

#include <math.h>
#include <string.h>
#include <uptack/base.h>

#include "la/internal.h"
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
    CHECK_NEAR(f.f.hi[0] + f.f.lo[0], D + D * D, 0.0);
    CHECK_NEAR(f.f.hi[1] + f.f.lo[1], 2.0, 0.0);
    CHECK_NEAR(f.f.hi[2] + f.f.lo[2], 0.0, 0.0);
}

// By hand: r = (2, 3, 5) along x, y and z is the force (2, 3, 5). At (1, 0, 0) it has the torque
// (1, 0, 0) x (2, 3, 5) = (0, -5, 3) about the origin. The first side gets the opposite about (1, 1, 0),
// from which the lever is (0, -1, 0): (0, -1, 0) x (-2, -3, -5) = (5, 0, -2).
TEST(a_contact_pushes_its_second_side_and_pulls_its_first)
{
    const double r[3] = {2.0, 3.0, 5.0};
    const utVec3 frame[3] = {ut_vec3(1, 0, 0), ut_vec3(0, 1, 0), ut_vec3(0, 0, 1)};
    WideForce sum[2] = {{.force = {.hi = {0.0}}}};
    const WideSide side[2] = {{&sum[0], ut_vec3(1, 1, 0)}, {&sum[1], ut_vec3_zero()}};
    ut_wide_add_contact(r, frame, ut_vec3(1, 0, 0), side);
    const utForce one = wide_force_round(&sum[0]), two = wide_force_round(&sum[1]);
    CHECK_NEAR(one.force.x, -2, 0.0);
    CHECK_NEAR(one.force.z, -5, 0.0);
    CHECK_NEAR(one.torque.x, 5, 0.0);
    CHECK_NEAR(one.torque.y, 0, 0.0);
    CHECK_NEAR(one.torque.z, -2, 0.0);
    CHECK_NEAR(two.force.y, 3, 0.0);
    CHECK_NEAR(two.torque.x, 0, 0.0);
    CHECK_NEAR(two.torque.y, -5, 0.0);
    CHECK_NEAR(two.torque.z, 3, 0.0);
}

#ifdef UT_AVX2
static utVec3 random_vector(utRng* rng)
{
    const double scale = pow(10.0, ut_rng_range(rng, -12.0, 12.0));
    return ut_vec3(scale * ut_rng_range(rng, -1.0, 1.0), scale * ut_rng_range(rng, -1.0, 1.0),
                   ut_rng_range(rng, -1.0, 1.0));
}

// Sums of many contacts, sizes from 1e-12 to 1e12, immovable sides now and then.
TEST(with_avx2_the_sums_of_contacts_have_the_same_bits)
{
    utRng rng = ut_rng(7, 0);
    WideForce base[2] = {{.force = {.hi = {0.0}}}}, wide[2] = {{.force = {.hi = {0.0}}}};
    for (int k = 0; ut_has_avx2() && k < 1000; k++) {
        const utVec3 impulse = random_vector(&rng), point = random_vector(&rng);
        const double r[3] = {impulse.x, impulse.y, k % 5 == 0 ? 0.0 : impulse.z};
        const utVec3 d[3] = {random_vector(&rng), random_vector(&rng), random_vector(&rng)};
        const utVec3 about[2] = {random_vector(&rng), k % 3 == 0 ? point : random_vector(&rng)};
        const WideSide to_base[2] = {{k % 7 == 0 ? NULL : &base[0], about[0]},
                                     {&base[1], about[1]}};
        const WideSide to_wide[2] = {{k % 7 == 0 ? NULL : &wide[0], about[0]},
                                     {&wide[1], about[1]}};
        ut_wide_add_contact_base(r, d, point, to_base);
        ut_wide_add_contact_avx2(r, d, point, to_wide);
    }
    CHECK(memcmp(base, wide, sizeof base) == 0);
}
#endif
