// SPDX-License-Identifier: Apache-2.0
// How easily a body turns, by hand and at every vector width.
#include "la/turning.h"

#include <string.h>
#include <uptack/base.h>

#include "la/internal.h"
#include "test.h"

// The lever (0, 0, 2) and impulses along x, y and z have the torques (0, 2, 0), (-2, 0, 0) and 0. The body
// is turned by 90 degrees about z: its y axis is -x of the world, so that R'(0, 2, 0) = (2, 0, 0) and
// R'(-2, 0, 0) = (0, 2, 0). With Y = diag(3, 5, 7): 3 2^2 = 12, 5 2^2 = 20 and 0.
TEST(a_body_turns_by_its_lever_and_its_inverse_inertia)
{
    const utMat3 R = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
    const utMat3 Y = {{{3, 0, 0}, {0, 5, 0}, {0, 0, 7}}};
    const utVec3 d[3] = {ut_vec3(1, 0, 0), ut_vec3(0, 1, 0), ut_vec3(0, 0, 1)};
    double out[3];
    ut_turning(&R, &Y, ut_vec3(0, 0, 2), d, out);
    CHECK_NEAR(out[0], 12.0, 0.0);
    CHECK_NEAR(out[1], 20.0, 0.0);
    CHECK_NEAR(out[2], 0.0, 0.0);
}

#ifdef UT_AVX2
static utVec3 random_vector(utRng* rng)
{
    return ut_vec3(ut_rng_normal(rng), ut_rng_normal(rng), ut_rng_normal(rng));
}

TEST(with_avx2_a_body_turns_with_the_same_bits)
{
    utRng rng = ut_rng(3, 0);
    for (int k = 0; ut_has_avx2() && k < 200; k++) {
        utMat3 R, Y;
        for (int i = 0; i < 9; i++) {
            R.m[i / 3][i % 3] = ut_rng_normal(&rng);
            Y.m[i / 3][i % 3] = ut_rng_normal(&rng);
        }
        const utVec3 d[3] = {random_vector(&rng), random_vector(&rng), random_vector(&rng)};
        const utVec3 x = random_vector(&rng);
        double base[3], wide[3];
        ut_turning_base(&R, &Y, x, d, base);
        ut_turning_avx2(&R, &Y, x, d, wide);
        CHECK(memcmp(base, wide, sizeof base) == 0);
    }
}
#endif
