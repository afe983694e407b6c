// SPDX-License-Identifier: Apache-2.0
// Same input, same bits: hashes of fixed workloads, found equal with gcc and clang, -O0 and -O3. A
// change here is a change of every recorded simulation.
#include "build.h"
#include "test.h"

static void check_hash(uint64_t got, uint64_t want)
{
    if (!CHECK(got == want)) {
        test_note("the hash is 0x%016llx", (unsigned long long)got);
    }
}

// Forests and chains with every kind of joint, a hundred steps each.
static uint64_t run_hash(utIntegrator integrator)
{
    uint64_t hash = UT_HASH_START;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        utModel* model = build_random(seed, 6, seed % 2 == 0);
        const utSmooth smooth = {.model = model, .gravity = ut_vec3(0, 0, -9.81)};
        double q[BUILD_MAX_Q], v[BUILD_MAX_Q];
        build_state(model, seed, 1.0, q, v);
        for (int i = 0; i < 100; i++) {
            CHECK(ut_smooth_step(&smooth, integrator, 0.005, test_arena(), q, v) == UT_OK);
        }
        hash = ut_hash_doubles(hash, q, (size_t)model->nq);
        hash = ut_hash_doubles(hash, v, (size_t)model->nv);
        ut_model_destroy(model);
    }
    return hash;
}

TEST(steps_have_the_same_bits_everywhere)
{
    check_hash(run_hash(UT_INTEGRATOR_EULER), UINT64_C(0xf35b03693133342c));
    check_hash(run_hash(UT_INTEGRATOR_RK4), UINT64_C(0x0e7838c9ae5ecad9));
    check_hash(run_hash(UT_INTEGRATOR_MIDPOINT), UINT64_C(0xbe0b918f3222ea2f));
}

// The free velocity and its matrix.
TEST(free_velocities_have_the_same_bits_everywhere)
{
    uint64_t hash = UT_HASH_START;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        utModel* model = build_random(seed, 12, seed % 2 == 0);
        utArena arena = test_arena();
        const utSmooth smooth = {.model = model, .gravity = ut_vec3(0, 0, -9.81)};
        double q[BUILD_MAX_Q], v[BUILD_MAX_Q], v_free[BUILD_MAX_Q];
        build_state(model, seed, 1.0, q, v);
        const utKinematics kin = build_kinematics(model, q, v, &arena);
        utMass mass;
        CHECK(ut_mass_create(model, &arena, &mass) == UT_OK);
        double diagonal[BUILD_MAX_Q];
        CHECK(ut_smooth_free(&smooth, 0.01, &kin, q, v, NULL, NULL, arena, diagonal, NULL,
                             v_free) == UT_OK);
        ut_mass_find(&mass, &kin, diagonal);
        CHECK(ut_mass_factor(&mass));
        hash = ut_hash_doubles(hash, v_free, (size_t)model->nv);
        hash = ut_hash_doubles(hash, mass.M, (size_t)mass.start[model->nv]);
        hash = ut_hash_doubles(hash, mass.L, (size_t)mass.start[model->nv]);
        ut_model_destroy(model);
    }
    check_hash(hash, UINT64_C(0xcf2dd43fa5b913f7));
}
