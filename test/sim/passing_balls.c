// SPDX-License-Identifier: Apache-2.0
// Balls that pass each other: the closed form beside a hand calculation and beside conservative advancement.
#include <uptack/collision.h>

#include "contact/contact.h"
#include "test.h"

// From (3, 4, 0) with (-1, 0, 0) m/s the smallest distance is 4 m, after 3 s. After 1 s it is |(2, 4, 0)| =
// sqrt(20). Balls that part are nearest at the start, 5 m.
TEST(balls_meet_where_they_are_nearest)
{
    const utVec3 from = ut_vec3(3, 4, 0), towards = ut_vec3(-1, 0, 0), away = ut_vec3(1, 0, 0);
    CHECK(ut_contact_balls_meet(from, towards, 10.0, 4.001));
    CHECK(!ut_contact_balls_meet(from, towards, 10.0, 3.999));
    CHECK(ut_contact_balls_meet(from, towards, 1.0, sqrt(20.0) + 1e-3));
    CHECK(!ut_contact_balls_meet(from, towards, 1.0, sqrt(20.0) - 1e-3));
    CHECK(ut_contact_balls_meet(from, away, 10.0, 5.001));
    CHECK(!ut_contact_balls_meet(from, away, 10.0, 4.999));
    CHECK(!ut_contact_balls_meet(from, ut_vec3_zero(), 10.0, 4.999));
}

static utVec3 random_vector(utRng* rng, double size)
{
    return ut_vec3(ut_rng_range(rng, -size, size), ut_rng_range(rng, -size, size),
                   ut_rng_range(rng, -size, size));
}

TEST(balls_meet_when_conservative_advancement_finds_an_impact)
{
    const utShape ball = {.kind = UT_SHAPE_SPHERE, .size = {0.3, 0.0, 0.0}};
    const double h = 0.5, target = 1e-4;
    utRng rng = ut_rng(19, 0);
    int met = 0;
    for (int k = 0; k < 500; k++) {
        const utVec3 at = random_vector(&rng, 1.0), velocity = random_vector(&rng, 4.0);
        const utFrame A = ut_frame(ut_mat3_identity(), ut_vec3(1, 2, 3));
        const utFrame B = ut_frame(ut_mat3_identity(), ut_vec3_add(A.p, at));
        const utMotion still = {ut_vec3_zero(), ut_vec3_zero()},
                       moving = {velocity, ut_vec3_zero()};
        double time;
        const bool found = ut_time_of_impact(&ball, A, still, &ball, B, moving, h, target, &time);
        met += found;
        CHECK(ut_contact_balls_meet(at, velocity, h, 0.6 + target) == found);
    }
    CHECK(met > 50 && met < 450);
}
