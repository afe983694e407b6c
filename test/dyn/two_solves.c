// SPDX-License-Identifier: Apache-2.0
// Two solves in one pass, beside the two functions that do one each, and the factor beside M itself.
#include <string.h>

#include "build.h"
#include "dyn/internal.h"
#include "test.h"

// Forces that differ in size and sign from entry to entry.
static void fill(int n, double start, double* x)
{
    for (int i = 0; i < n; i++) {
        x[i] = start * (1.0 + 0.37 * i) * (i % 3 == 1 ? -1.0 : 1.0);
    }
}

// Is M̂ applied to y the impulses x? M̂ from composite bodies, which do not know the factor.
static void check_response(const utKinematics* kin, const double* diagonal, const double* y,
                           const double* x, utArena arena)
{
    const int nv = kin->model->nv;
    double product[BUILD_MAX_Q];
    CHECK(ut_dyn_mass_times(kin, y, arena, product) == UT_OK);
    for (int i = 0; i < nv; i++) {
        product[i] += (kin->model->dof_armature[i] + diagonal[i]) * y[i];
        CHECK_NEAR(product[i], x[i], 1e-8 * (1.0 + fabs(x[i])));
    }
}

TEST(two_solves_at_once_have_the_bits_of_two_passes)
{
    const utVec3 gravity = ut_vec3(0.3, -0.2, -9.81);
    for (uint64_t seed = 1; seed <= 24; seed++) {
        utModel* model = build_random(seed, 9, seed % 2 == 0);
        utArena arena = test_arena();
        double q[BUILD_MAX_Q], v[BUILD_MAX_Q], tau[BUILD_MAX_Q] = {0}, x[BUILD_MAX_Q] = {0};
        double diagonal[BUILD_MAX_Q] = {0}, a[2][BUILD_MAX_Q], y[2][BUILD_MAX_Q], c[BUILD_MAX_Q];
        build_state(model, seed, 1.0, q, v);
        const utKinematics kin = build_kinematics(model, q, v, &arena);
        fill(model->nv, 0.7, tau);
        fill(model->nv, -1.3, x);
        for (int i = 0; i < model->nv; i++) {
            diagonal[i] = 0.01 + 0.001 * i; // no tree is a free body with plain inertia
        }
        utForce* applied = UT_PUSH(&arena, utForce, model->nbody);
        utForce* wrench = UT_PUSH(&arena, utForce, model->nbody);
        utForce* required = UT_PUSH(&arena, utForce, model->nbody);
        utMotion* J_a = UT_PUSH(&arena, utMotion, model->nbody);
        utArticulatedFactor* factor = ut_dyn_factor_create(model, &arena);
        CHECK(factor != NULL);
        for (int b = 0; b < model->nbody; b++) {
            applied[b] = ut_force(ut_vec3(0.1 * b, 0.2, -0.3), ut_vec3(-0.1, 0.05 * b, 0.02));
        }
        CHECK(ut_dyn_factor(&kin, diagonal, factor) == UT_OK);
        ut_dyn_factor_accelerate(&kin, factor, tau, gravity, applied, a[0]);
        ut_dyn_factor_respond(&kin, factor, x, NULL, y[0]);
        for (int t = 0; t < model->ntree; t++) {
            ut_dyn_inverse_tree(&kin, tau, gravity, applied, wrench, J_a, required, c, t);
            ut_dyn_factor_solve_two(&kin, factor, tau, required, x, a[1], y[1], t);
        }
        const size_t size = (size_t)model->nv * sizeof(double);
        CHECK(memcmp(a[0], a[1], size) == 0);
        CHECK(memcmp(y[0], y[1], size) == 0);
        check_response(&kin, diagonal, y[1], x, arena);
        ut_model_destroy(model);
    }
}
