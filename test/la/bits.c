// SPDX-License-Identifier: Apache-2.0
// Same input, same bits: hashes of fixed workloads, found equal with gcc and clang, -O0 and -O3,
// with and without AVX2. A change here is a change of every recorded simulation.
#include "la/dense/dense.h"

#include <uptack/vec.h>

#include "matrix.h"

static void check_hash(uint64_t got, uint64_t want)
{
    if (!CHECK(got == want)) {
        test_note("the hash is 0x%016llx", (unsigned long long)got);
    }
}

TEST(factors_and_solutions_have_the_same_bits_everywhere)
{
    utArena arena = test_arena();
    utRng rng = ut_rng(70, 0);
    enum { N = 121, LD = 125 };
    double* A = random_doubles(&arena, &rng, N, LD);
    double* S = random_symmetric(&arena, &rng, N, LD, 40.0);
    double* C = copy_doubles(&arena, S, N, LD);
    double* b = random_doubles(&arena, &rng, 4, N);
    double x[N], d[N], work[N];
    int perm[N];

    CHECK_INT(ut_lu_factor(N, A, LD, perm, 0.0), N);
    ut_lu_solve(N, A, LD, perm, b, x);
    uint64_t hash = ut_hash_doubles(UT_HASH_START, x, N);
    hash = ut_hash_doubles(hash, A, N * LD);
    check_hash(hash, UINT64_C(0x05e0c665a5c60f26));

    CHECK_INT(ut_ldl_factor(N - 1, S, LD, d, 0.0), N - 1);
    CHECK(ut_ldl_update(N - 1, S, LD, d, -0.7, b + 2 * N, 0.0));
    CHECK(ut_ldl_append(N - 1, S, LD, d, C + at(LD, N - 1, 0), 40.0, 0.0));
    CHECK(ut_ldl_remove(N, 17, S, LD, d, work, 0.0));
    ut_ldl_solve(N - 1, S, LD, d, x);
    hash = ut_hash_doubles(UT_HASH_START, x, N);
    hash = ut_hash_doubles(hash, S, N * LD);
    check_hash(hash, UINT64_C(0xe7e586ec89c887d5));

    CHECK_INT(ut_chol_factor(N, C, LD, 0.0), N);
    memcpy(x, b + 3 * N, sizeof x);
    ut_chol_solve(N, C, LD, x);
    hash = ut_hash_doubles(UT_HASH_START, x, N);
    hash = ut_hash_doubles(hash, C, N * LD);
    check_hash(hash, UINT64_C(0x1228c702b3f50738));
}

TEST(angles_have_the_same_bits_everywhere)
{
    utRng rng = ut_rng(71, 0);
    uint64_t hash = UT_HASH_START;
    for (int i = 0; i < 20000; i++) {
        int e = ut_rng_below(&rng, 1064) - 40;
        double x = ldexp(ut_rng_uniform(&rng) - 0.5, e);
        double y = ut_rng_range(&rng, -4.0, 4.0);
        double values[4] = {0.0, 0.0, ut_atan2(y, x), ut_sin(y)};
        ut_sincos(x, &values[0], &values[1]);
        hash = ut_hash_doubles(hash, values, 4);
    }
    check_hash(hash, UINT64_C(0x018efc0b4a187154));
}

TEST(a_tumbling_body_has_the_same_bits_everywhere)
{
    utQuat q = ut_quat_identity();
    utVec3 w = ut_vec3(0.3, 2.0, -0.1);
    const utMat3 I = ut_mat3_diagonal(ut_vec3(1, 2, 3));
    utMat3 inverse;
    CHECK(ut_mat3_inverse_symmetric(I, &inverse));
    for (int i = 0; i < 10000; i++) {
        // explicit Euler on Euler's equations in the body: unstable axis, so errors would show
        utVec3 torque = ut_vec3_cross(ut_mat3_mul_vec(I, w), w);
        w = ut_vec3_add_scaled(w, 1e-3, ut_mat3_mul_vec(inverse, torque));
        q = ut_quat_integrate_body(q, w, 1e-3);
    }
    utVec3 log = ut_quat_log(q);
    const double state[] = {q.w, q.x, q.y, q.z, w.x, w.y, w.z, log.x, log.y, log.z};
    check_hash(ut_hash_doubles(UT_HASH_START, state, 10), UINT64_C(0x0871f0244fb4a004));
}
