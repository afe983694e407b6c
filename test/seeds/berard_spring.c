// SPDX-License-Identifier: Apache-2.0
// The spring and damper of the full model, Eq. 79 - 87.
#include "berard.h"

// A rod and a particle with a spring between the rod's lower end P and the particle.
#define PAIR(attributes)                                                                    \
    "<mujoco xmlns:ut='urn:uptack'><option timestep='0.001' gravity='0 -9.81 0' "           \
    "ut:planar='xy'/><ut:contact formulation='stewart-trinkle' solver='lemke'/><worldbody>" \
    "<body name='A'><freejoint name='A'/><inertial pos='0 0 0' mass='1' "                   \
    "diaginertia='0.08333333333333333 0.001 0.08333333333333333'/>"                         \
    "<site name='P' pos='0 -0.5 0'/></body>"                                                \
    "<body name='B' pos='0 -1.2 0'><freejoint name='B'/><inertial pos='0 0 0' mass='0.5' "  \
    "diaginertia='0 0 0'/><site name='B'/></body></worldbody>"                              \
    "<ut:spring site1='P' site2='B' " attributes "/></mujoco>"

static const double Q[] = {0.3, 0.7, 0.6, 0.9, -0.4}; // x, y, angle of A; x, y of B
static const double V[] = {0.4, -0.8, 1.7, -0.6, 0.5};

// P - A*, P, and the relative velocity of B against P, by hand
typedef struct Ends {
    double r[2], P[2], L, moves[2];
} Ends;

static Ends ends(void)
{
    Ends e = {.r = {0.5 * sin(Q[2]), -0.5 * cos(Q[2])}};
    e.P[0] = Q[0] + e.r[0];
    e.P[1] = Q[1] + e.r[1];
    e.L = hypot(Q[3] - e.P[0], Q[4] - e.P[1]);
    e.moves[0] = V[3] - (V[0] - V[2] * e.r[1]); // Eq. 84
    e.moves[1] = V[4] - (V[1] + V[2] * e.r[0]);
    return e;
}

// What the springs of a model do to A and B at (Q, V): forces, and torques about the mass centres.
static void wrenches(const char* text, utForce* on_A, utForce* on_B)
{
    utModel* model = scene_read(text, false);
    utArena arena = test_arena();
    utKinematics kin;
    utForce wrench[3] = {{.force = {0, 0, 0}}};
    CHECK_INT(ut_kinematics_create(model, &arena, &kin), UT_OK);
    ut_kinematics_place(&kin, Q, NULL, NULL);
    ut_kinematics_move(&kin, V, NULL);
    ut_dyn_add_springs(&kin, wrench);
    *on_A = wrench[ut_model_find_body(model, "A")];
    *on_B = wrench[ut_model_find_body(model, "B")];
    ut_model_destroy(model);
}

// The y axis of the spring's frame is the unit vector from P to B, although its angle is pi when it
// hangs.
TEST(B37_the_springs_frame_points_from_P_to_B)
{
    const Ends e = ends();
    const double sine = -(Q[3] - e.P[0]) / e.L, cosine = -(e.P[1] - Q[4]) / e.L;
    CHECK_NEAR(sine * sine + cosine * cosine, 1.0, 1e-15);
    CHECK_NEAR(-sine, (Q[3] - e.P[0]) / e.L, 1e-15); // R (0, 1)
    CHECK_NEAR(cosine, (Q[4] - e.P[1]) / e.L, 1e-15);
    // and so does uptack's force, of a spring that is at rest at length 0: -K (B - P)
    utForce A, B;
    wrenches(PAIR("stiffness='50' length='0'"), &A, &B);
    CHECK_NEAR(B.force.x, -50.0 * e.L * -sine, 1e-12);
    CHECK_NEAR(B.force.y, -50.0 * e.L * cosine, 1e-12);
}

// -K (L - L0) along the spring on the particle, the opposite on the rod.
TEST(B38_the_force_of_the_spring)
{
    const Ends e = ends();
    utForce A, B;
    wrenches(PAIR("stiffness='50' length='0.5'"), &A, &B);
    const double f = -50.0 * (e.L - 0.5) / e.L;
    CHECK_NEAR(B.force.x, f * (Q[3] - e.P[0]), 1e-12);
    CHECK_NEAR(B.force.y, f * (Q[4] - e.P[1]), 1e-12);
    CHECK_NEAR(A.force.x, -B.force.x, 1e-14);
    CHECK_NEAR(A.force.y, -B.force.y, 1e-14);
}

// A particle that hangs comes to rest at L = L0 + m g / K = 0.5 + 0.5 9.81 / 50. The damper, C = 3
// N s/m, takes it there as e^(-C t / 2m): to 1e-13 in 10 s.
TEST(B38_a_hanging_particle_rests_at_L0_plus_mg_over_K)
{
    utModel* model = scene_read(
        "<mujoco xmlns:ut='urn:uptack'><option timestep='0.004' gravity='0 -9.81 0' "
        "ut:planar='xy'/><ut:contact formulation='stewart-trinkle' solver='lemke'/><worldbody>"
        "<site name='P' pos='0.2 1 0'/><body name='B' pos='0.5 0.3 0'><freejoint name='B'/>"
        "<inertial pos='0 0 0' mass='0.5' diaginertia='0 0 0'/><site name='B'/></body>"
        "</worldbody><ut:spring site1='P' site2='B' stiffness='50' length='0.5' damping='3' "
        "mode='full'/></mujoco>",
        false);
    utSim* sim = scene_sim(model, 0.0);
    for (int k = 0; k < 2500; k++) {
        scene_step(sim);
    }
    const Pose B = scene_pose(sim, "B");
    CHECK_NEAR(1.0 - B.q[1], 0.5 + 0.5 * 9.81 / 50.0, 1e-9);
    CHECK_NEAR(B.q[0], 0.2, 1e-9);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// W_s = (-f_s, R r_s (x) -f_s): momentum and angular momentum about any point are kept in the pair.
TEST(B39_the_springs_wrench_on_the_rod)
{
    const Ends e = ends();
    utForce A, B;
    wrenches(PAIR("stiffness='50' length='0.5' damping='0.2' mode='full'"), &A, &B);
    CHECK_NEAR(A.torque.z, e.r[0] * -B.force.y - e.r[1] * -B.force.x, 1e-14);
    CHECK_NEAR(A.force.x + B.force.x, 0.0, 1e-14);
    CHECK_NEAR(A.force.y + B.force.y, 0.0, 1e-14);
    // about the origin, of the spring alone: the damper's force is not along the line PB
    wrenches(PAIR("stiffness='50' length='0.5'"), &A, &B);
    const double about_A = A.torque.z + Q[0] * A.force.y - Q[1] * A.force.x;
    const double about_B = Q[3] * B.force.y - Q[4] * B.force.x;
    CHECK_NEAR(about_A + about_B, 0.0, 1e-13);
}

// The whole relative velocity, or its part along the spring alone.
TEST(B40_the_damper_takes_C_times_the_relative_velocity)
{
    const Ends e = ends();
    const double axis[] = {(Q[3] - e.P[0]) / e.L, (Q[4] - e.P[1]) / e.L};
    const double along = e.moves[0] * axis[0] + e.moves[1] * axis[1];
    utForce A, B;
    wrenches(PAIR("stiffness='0' length='0.5' damping='0.2' mode='full'"), &A, &B);
    CHECK_NEAR(B.force.x, -0.2 * e.moves[0], 1e-15);
    CHECK_NEAR(B.force.y, -0.2 * e.moves[1], 1e-15);
    CHECK_NEAR(A.torque.z, e.r[0] * 0.2 * e.moves[1] - e.r[1] * 0.2 * e.moves[0], 1e-15);
    const double full = A.force.x * V[0] + A.force.y * V[1] + A.torque.z * V[2] + B.force.x * V[3] +
                        B.force.y * V[4];
    CHECK_NEAR(full, -0.2 * (e.moves[0] * e.moves[0] + e.moves[1] * e.moves[1]), 1e-15);
    wrenches(PAIR("stiffness='0' length='0.5' damping='0.2' mode='axial'"), &A, &B);
    const double axial = A.force.x * V[0] + A.force.y * V[1] + A.torque.z * V[2] +
                         B.force.x * V[3] + B.force.y * V[4];
    CHECK_NEAR(axial, -0.2 * along * along, 1e-15);
    CHECK(fabs(along) > 0.1 && full < axial);
}

// Eq. 87 as a step has it: M (v* - v) / h = (g_c, g_a + W_s + W_d, g_b + f_s + f_d).
TEST(B41_applied_forces_entry_by_entry)
{
    const Ends e = ends();
    utModel* model =
        scene_read(PAIR("stiffness='50' length='0.5' damping='0.2' mode='full'"), false);
    utSim* sim = scene_sim(model, 0.0);
    CHECK_INT(ut_sim_set(sim, 0.0, Q, V, NULL), UT_OK);
    const utStepResult result = scene_step(sim);
    const double f = -50.0 * (e.L - 0.5) / e.L;
    const double fx = f * (Q[3] - e.P[0]) - 0.2 * e.moves[0];
    const double fy = f * (Q[4] - e.P[1]) - 0.2 * e.moves[1];
    const double app[] = {-fx, -9.81 - fy, -(e.r[0] * fy - e.r[1] * fx), fx, fy - 0.5 * 9.81};
    const double mass[] = {1.0, 1.0, 1.0 / 12.0, 0.5, 0.5};
    for (int i = 0; i < 5; i++) {
        const double got = mass[i] * (result.report.v_free[i] - V[i]) / 0.001;
        CHECK_NEAR(got, app[i], 1e-11); // rounding of v over h
    }
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
