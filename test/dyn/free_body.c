// SPDX-License-Identifier: Apache-2.0
// The own paths of single free bodies, on random states: against the recursion over articulated bodies,
// which an added diagonal requires, and against rigid-body kinematics by hand.
#include "build.h"
#include "test.h"

static const double TINY[6] = {0, 0, 0, 0, 0, 1e-300};

static utVec3 vec3_of(const double* x)
{
    return ut_vec3(x[0], x[1], x[2]);
}

static utModel* free_body(int k)
{
    return build_free(k % 2 == 0 ? ut_vec3_zero() : ut_vec3(0.3, -0.2, 0.5));
}

TEST(a_free_body_responds_to_impulses_as_an_articulated_body)
{
    for (int k = 0; k < 40; k++) {
        utModel* model = free_body(k);
        utArena arena = test_arena();
        double q[7], v[6], tau[6], quick[6], general[6], back[6], unused[7];
        build_state(model, (uint64_t)k, 3.0, q, v);
        build_state(model, (uint64_t)k + 100, 5.0, unused, tau);
        const utKinematics kin = build_kinematics(model, q, v, &arena);
        CHECK(ut_dyn_respond(&kin, tau, NULL, NULL, arena, quick) == UT_OK);
        CHECK(ut_dyn_respond(&kin, tau, TINY, NULL, arena, general) == UT_OK);
        CHECK(ut_dyn_mass_times(&kin, quick, arena, back) == UT_OK);
        for (int i = 0; i < 6; i++) {
            CHECK_NEAR(quick[i], general[i], 1e-12);
            CHECK_NEAR(back[i], tau[i], 1e-12);
        }
        ut_model_destroy(model);
    }
}

// The velocity of a point is v + R (w x R'(point - origin)), with w in the body's frame.
TEST(rows_and_twists_of_a_free_body_give_the_velocities_of_its_points)
{
    const utVec3 axes[3] = {ut_vec3(0.6, 0, 0.8), ut_vec3(0, -1, 0), ut_vec3(0.8, 0, -0.6)};
    for (int k = 0; k < 40; k++) {
        utModel* model = free_body(k);
        utArena arena = test_arena();
        double q[7], v[6], J[18];
        build_state(model, (uint64_t)k, 3.0, q, v);
        utKinematics kin = build_kinematics(model, q, v, &arena);
        const utVec3 point = ut_vec3(0.1 * k, 1.0, -0.7);
        const utQuat quat = ut_quat(q[3], q[4], q[5], q[6]);
        const utVec3 arm = ut_quat_rotate_inverse(quat, ut_vec3_sub(point, vec3_of(q)));
        const utVec3 turn = ut_quat_rotate(quat, ut_vec3_cross(vec3_of(v + 3), arm));
        const utVec3 want = ut_vec3_add(vec3_of(v), turn);
        ut_point_jacobian(&kin, 1, point, 3, axes, J);
        kin.velocity[1] = (utMotion){0};
        ut_kinematics_set_velocities(&kin, v, NULL);
        const utVec3 got = ut_point_velocity(&kin, 1, point);
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int j = 0; j < 6; j++) {
                sum += J[6 * i + j] * v[j];
            }
            CHECK_NEAR(sum, ut_vec3_dot(axes[i], want), 1e-12);
            CHECK_NEAR(ut_vec3_dot(axes[i], got), ut_vec3_dot(axes[i], want), 1e-12);
        }
        ut_model_destroy(model);
    }
}

// R I R' of a body with principal axes has the trace of I and, with the inertia of a body whose axes
// are not principal, the same products: I along R e_k is e_k . I e_k.
TEST(a_turned_inertia_has_the_moments_of_the_body_along_its_axes)
{
    for (int k = 0; k < 20; k++) {
        const bool principal = k % 2 == 0;
        utModelDef* def = build_start();
        const utMat3 I = {{{0.5, principal ? 0 : 0.1, principal ? 0 : -0.05},
                           {principal ? 0 : 0.1, 0.6, principal ? 0 : 0.02},
                           {principal ? 0 : -0.05, principal ? 0 : 0.02, 0.7}}};
        const int body = build_body(def, 0, ut_vec3_zero(), 2.0, ut_vec3_zero(), I);
        build_joint(def, body, UT_JOINT_FREE, ut_vec3(1, 0, 0));
        utModel* model = build_finish(def);
        utArena arena = test_arena();
        double q[7], v[6];
        build_state(model, (uint64_t)k, 1.0, q, v);
        const utKinematics kin = build_kinematics(model, q, v, &arena);
        const utMat3 R = kin.body[1].R;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                const utVec3 turned = ut_mat3_mul_vec(kin.inertia[1].inertia, ut_mat3_column(R, j));
                CHECK_NEAR(ut_vec3_dot(ut_mat3_column(R, i), turned), I.m[i][j], 1e-14);
            }
        }
        ut_model_destroy(model);
    }
}
