// SPDX-License-Identifier: Apache-2.0
// Section 2 of the recipes: frames, twists, adjoints, hats, Newton and Euler, and how velocities
// move configurations.
#include <uptack/lcp.h>
#include <uptack/ncp.h>

#include "berard.h"

// A few frames and vectors that are nothing special.
static utFrame some_frame(int k)
{
    utQuat quat;
    ut_quat_normalize(ut_quat(1.0, 0.3 * k, -0.7, 0.2 * k - 0.5), &quat);
    return ut_frame(ut_quat_to_mat3(quat), ut_vec3(0.4 * k - 1.0, 0.9, -0.3 * k));
}

static utVec3 some_vector(int k)
{
    return ut_vec3(0.7 - 0.3 * k, 1.1 * k - 2.0, 0.4 + 0.2 * k * k);
}

static void check_vector(utVec3 got, utVec3 want, double tolerance)
{
    CHECK_NEAR(got.x, want.x, tolerance);
    CHECK_NEAR(got.y, want.y, tolerance);
    CHECK_NEAR(got.z, want.z, tolerance);
}

// ---- frames and twists --------------------------------------------------------------------------

TEST(B1_rotations_are_orthogonal_and_planar_ones_as_printed)
{
    for (int k = 0; k < 8; k++) {
        const utMat3 R = some_frame(k).R, RR = ut_mat3_mul(R, ut_mat3_transpose(R));
        for (int i = 0; i < 3; i++) {
            check_vector(ut_mat3_row(RR, i), ut_mat3_row(ut_mat3_identity(), i), 1e-15);
        }
        CHECK_NEAR(ut_mat3_determinant(R), 1.0, 1e-15);
    }
    // Eq. 2 is how a planar body's frame turns
    utModel* model = scene_load("4.2", true);
    utSim* sim = scene_sim(model, 0.0);
    const double angle = 0.83, q[] = {0.1, 0.2, angle, 1, 2, -1.7, 3, 4, 0.0};
    CHECK_INT(ut_sim_set(sim, 0.0, q, NULL, NULL), UT_OK);
    const utMat3 R = ut_sim_body(sim, ut_model_find_body(model, "C")).frame.R;
    check_vector(ut_mat3_row(R, 0), ut_vec3(cos(angle), -sin(angle), 0.0), 4e-16);
    check_vector(ut_mat3_row(R, 1), ut_vec3(sin(angle), cos(angle), 0.0), 4e-16);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

#define ONE_BODY(planar)                                                                   \
    "<mujoco xmlns:ut='urn:uptack'><option " planar "/><worldbody>"                        \
    "<body name='body'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 2 2.5'/>" \
    "</body></worldbody></mujoco>"

TEST(B2_configurations_are_those_of_the_plane_and_of_space)
{
    utModel* flat = scene_read(ONE_BODY("ut:planar='xy'"), false);
    utModel* space = scene_read(ONE_BODY(""), false);
    CHECK_INT(flat->nq, 3); // x, y, theta
    CHECK_INT(flat->nv, 3);
    CHECK_INT(flat->joint[0].kind, UT_JOINT_PLANAR);
    CHECK_INT(space->nq, 7); // x, y, z and a unit quaternion
    CHECK_INT(space->nv, 6);
    ut_model_destroy(flat);
    ut_model_destroy(space);
    utModel* full = scene_load("4.6", true);
    CHECK_INT(full->nq, 8); // 3 + 3 + a particle's 2
    ut_model_destroy(full);
}

TEST(B3_twists_are_linear_and_angular_velocity)
{
    utModel* model = scene_load("4.1", true);
    utSim* sim = scene_sim(model, 0.0);
    const double v[] = {0.1, -0.2, 0.3, 0.4, 0.5, -0.6};
    CHECK_INT(ut_sim_set(sim, 0.0, NULL, v, NULL), UT_OK);
    for (int k = 0; k < 2; k++) {
        const utBodyState s = ut_sim_body(sim, k + 1);
        check_vector(s.velocity, ut_vec3(v[3 * k], v[3 * k + 1], 0.0), 0.0);
        check_vector(s.angular, ut_vec3(0.0, 0.0, v[3 * k + 2]), 0.0);
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// Ad as a 6 x 6 matrix, a column for each unit twist.
static void adjoint(utFrame AB, double Ad[6][6])
{
    for (int j = 0; j < 6; j++) {
        double e[6] = {0};
        e[j] = 1.0;
        const utMotion unit = {ut_vec3(e[0], e[1], e[2]), ut_vec3(e[3], e[4], e[5])};
        const utMotion a = ut_motion_transform(AB, unit);
        const double column[] = {a.linear.x,  a.linear.y,  a.linear.z,
                                 a.angular.x, a.angular.y, a.angular.z};
        for (int i = 0; i < 6; i++) {
            Ad[i][j] = column[i];
        }
    }
}

// [[R, (r)^ R], [0, R]] in space, whose plane part is the printed [[R, (r)^], [0, 1]] with the sign
// of the planar hat; products of adjoints are adjoints of products.
TEST(B4_adjoints_multiply_as_frames_do)
{
    for (int k = 0; k < 6; k++) {
        const utFrame AB = some_frame(k), BC = some_frame(k + 3);
        double one[6][6], two[6][6], both[6][6];
        adjoint(AB, one);
        adjoint(BC, two);
        adjoint(ut_frame_mul(AB, BC), both);
        const utMat3 rR = ut_mat3_mul(ut_mat3_skew(AB.p), AB.R);
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                double sum = 0.0;
                for (int l = 0; l < 6; l++) {
                    sum += one[i][l] * two[l][j];
                }
                CHECK_NEAR(sum, both[i][j], 4e-15);
                const double want = i < 3 && j < 3     ? AB.R.m[i][j]
                                    : i >= 3 && j >= 3 ? AB.R.m[i - 3][j - 3]
                                    : i < 3            ? rR.m[i][j - 3]
                                                       : 0.0;
                CHECK_NEAR(one[i][j], want, 1e-15);
            }
        }
    }
}

// With the entry (1, 3) of the printed matrix, -a_y, this fails.
TEST(B5_the_hat_is_the_cross_product)
{
    for (int k = 0; k < 5; k++) {
        const utVec3 a = some_vector(k), b = some_vector(k + 2);
        check_vector(ut_mat3_mul_vec(ut_mat3_skew(a), b), ut_vec3_cross(a, b), 1e-15);
        CHECK_NEAR(ut_mat3_skew(a).m[0][2], a.y, 0.0);
    }
}

// The hat of the plane is how a point moves by a turn, (-r_y, r_x), and u (x) v the moment of a
// force: both as the planar Jacobian has them.
TEST(B6_the_planar_hat_and_product)
{
    utModel* model = scene_read(ONE_BODY("ut:planar='xy'"), false);
    utArena arena = test_arena();
    utKinematics kin;
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    for (int k = 0; k < 5; k++) {
        const double q[] = {0.3, -0.2, 0.4 * k};
        ut_kinematics_place(&kin, q, NULL, NULL);
        const utVec3 r = ut_vec3(some_vector(k).x, some_vector(k).y, 0.0);
        const utVec3 f = ut_vec3(some_vector(k + 1).y, some_vector(k + 1).x, 0.0);
        const utVec3 at = ut_vec3_add(r, ut_vec3(q[0], q[1], 0.0));
        double hat[2][3], moment[3];
        ut_point_jacobian(&kin, 1, at, 2, (utVec3[]){ut_vec3(1, 0, 0), ut_vec3(0, 1, 0)},
                          &hat[0][0]);
        ut_point_jacobian(&kin, 1, at, 1, &f, moment);
        CHECK_NEAR(hat[0][2], -r.y, 1e-15);
        CHECK_NEAR(hat[1][2], r.x, 1e-15);
        CHECK_NEAR(moment[2], r.x * f.y - r.y * f.x, 2e-15);
        CHECK_NEAR(moment[2], ut_vec3_cross(r, f).z, 2e-15);
    }
    ut_model_destroy(model);
}

// v_p = v + w x r against central differences of the point's place: d^2 of third derivatives (|w|^3
// |r| = 30) and 1e-16 / d.
TEST(B7_velocities_of_points)
{
    const char* const texts[] = {ONE_BODY("ut:planar='xy'"), ONE_BODY("")};
    for (int s = 0; s < 2; s++) {
        const double d = 1e-5;
        utModel* model = scene_read(texts[s], false);
        utArena arena = test_arena();
        utKinematics kin;
        CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
        const double v[] = {0.3, -0.7, 1.9, 0.8, -1.2, 2.1};
        const utVec3 in_body = ut_vec3(0.6, -0.9, s == 0 ? 0.0 : 0.5);
        utVec3 place[3], velocity = ut_vec3_zero();
        for (int k = -1; k <= 1; k++) {
            double q[7];
            ut_model_integrate(model, model->q0, v, d * k, q);
            ut_kinematics_place(&kin, q, NULL, NULL);
            ut_kinematics_move(&kin, v, NULL);
            place[k + 1] = ut_frame_point(kin.body[1], in_body);
            velocity = k == 0 ? ut_point_velocity(&kin, 1, place[1]) : velocity;
        }
        const utVec3 difference = ut_vec3_scale(ut_vec3_sub(place[2], place[0]), 0.5 / d);
        check_vector(velocity, difference, 1e-8);
        ut_model_destroy(model);
    }
}

// ---- complementarity ----------------------------------------------------------------------------

// g(z) = (z_1^2 + z_2 - 4, z_1 + z_2^3 + 1): z = (2, 0), where g = (0, 3)
static utStatus curved(const double* z, double* g, double* J, void* context)
{
    (void)context;
    g[0] = z[0] * z[0] + z[1] - 4.0;
    g[1] = z[0] + z[1] * z[1] * z[1] + 1.0;
    memcpy(J, (double[]){2.0 * z[0], 1.0, 1.0, 3.0 * z[1] * z[1]}, 4 * sizeof *J);
    return UT_OK;
}

TEST(B8_a_nonlinear_complementarity_problem)
{
    double z[2] = {1.0, 1.0};
    utNcpInfo info;
    utNcpDef def = ut_ncp_def();
    def.warm_start = true;
    const utNcp ncp = {.n = 2, .function = curved};
    CHECK_INT(ut_ncp_solve(&ncp, &def, test_arena(), z, &info), UT_OK);
    CHECK_INT(info.outcome, UT_LCP_SOLVED);
    CHECK_NEAR(z[0], 2.0, 1e-9);
    CHECK_NEAR(z[1], 0.0, 1e-9);
}

// w = B z + b: z = (4/3, 7/3) makes w = 0; with b = (1, 1) z = 0.
TEST(B9_a_linear_complementarity_problem)
{
    const double B[] = {2, 1, 1, 2}, b[2][2] = {{-5, -6}, {1, 1}};
    const double want[2][2] = {{4.0 / 3.0, 7.0 / 3.0}, {0, 0}};
    for (int k = 0; k < 2; k++) {
        double z[2], w[2];
        utLcpInfo info;
        const utLcp lcp = {.n = 2, .M = B, .q = b[k]};
        const utLcpDef def = ut_lcp_def();
        CHECK_INT(ut_lcp_solve(&lcp, UT_LCP_LEMKE, &def, test_arena(), z, &info), UT_OK);
        ut_lcp_slack(&lcp, z, w);
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(z[i], want[k][i], 1e-15);
            CHECK_NEAR(z[i] * w[i], 0.0, 1e-14);
            CHECK(w[i] >= -1e-14);
        }
    }
}

// ---- Newton and Euler ---------------------------------------------------------------------------

// Angular momentum of a torque-free top after a second, the farthest from where it began.
static double momentum_off(const utModel* model, double h)
{
    utSim* sim = scene_sim(model, h);
    const double v[] = {0, 0, 0, 0.5, 3.0, 1.0};
    CHECK_INT(ut_sim_set(sim, 0.0, NULL, v, NULL), UT_OK);
    const utVec3 start = ut_vec3(0.5 * 1.0, 3.0 * 2.0, 1.0 * 2.5);
    double most = 0.0;
    for (int k = 0; k < (int)lround(1.0 / h); k++) {
        scene_step(sim);
        const utBodyState s = ut_sim_body(sim, 1);
        const utVec3 w = ut_mat3_tmul_vec(s.frame.R, s.angular);
        const utVec3 L = ut_mat3_mul_vec(s.frame.R, ut_vec3(w.x * 1.0, w.y * 2.0, w.z * 2.5));
        most = fmax(most, ut_vec3_norm(ut_vec3_sub(L, start)));
    }
    ut_sim_destroy(sim);
    return most;
}

// Spinning near its middle axis, so that it tumbles. Without the gyroscopic term of I w' = tau - w
// x I w the momentum in space would turn with the body: off by |L| = 6.5 and not by O(h).
TEST(B10_a_torque_free_top_keeps_its_angular_momentum)
{
    utModel* model = scene_read(
        "<mujoco xmlns:ut='urn:uptack'><option gravity='0 0 0'/>"
        "<ut:contact formulation='stewart-trinkle'/><worldbody><body name='top'><freejoint/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='1 2 2.5'/></body></worldbody></mujoco>",
        false);
    const double coarse = momentum_off(model, 0.01), fine = momentum_off(model, 0.005);
    CHECK(coarse <= 0.01 * 6.5);
    CHECK(coarse / fine > 1.9);
    test_note("|dL| %.2e at h = 0.01, %.2e at h = 0.005", coarse, fine);
    ut_model_destroy(model);
}

// In space q' = 1/2 (0, w) q of the body's own axes; in the plane G = U.
TEST(B11_configurations_move_by_G)
{
    const double d = 1e-6;
    utModel* space = scene_read(ONE_BODY(""), false);
    const double v[] = {0.3, -0.7, 1.9, 0.8, -1.2, 2.1};
    double q[7] = {0.1, 0.2, 0.3, 0, 0, 0, 0}, before[7], after[7];
    utQuat e;
    ut_quat_normalize(ut_quat(0.5, -0.4, 0.7, 0.2), &e);
    memcpy(q + 3, (double[]){e.w, e.x, e.y, e.z}, 4 * sizeof *q);
    ut_model_integrate(space, q, v, -d, before);
    ut_model_integrate(space, q, v, d, after);
    const utQuat rate = ut_quat_mul(e, ut_quat(0.0, 0.5 * v[3], 0.5 * v[4], 0.5 * v[5]));
    const double G[] = {v[0], v[1], v[2], rate.w, rate.x, rate.y, rate.z};
    for (int i = 0; i < 7; i++) {
        CHECK_NEAR((after[i] - before[i]) / (2.0 * d), G[i], 1e-9);
    }
    for (int k = 0; k < 1000; k++) {
        ut_model_integrate(space, q, v, 0.01, q);
    }
    CHECK_NEAR(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6], 1.0, 1e-15);
    ut_model_destroy(space);

    utModel* flat = scene_read(ONE_BODY("ut:planar='xy'"), false);
    ut_model_integrate(flat, flat->q0, v, 0.5, after);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(after[i], flat->q0[i] + 0.5 * v[i], 0.0);
    }
    ut_model_destroy(flat);
}
