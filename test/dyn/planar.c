// SPDX-License-Identifier: Apache-2.0
// Planar worlds: planar joints against two slides and a hinge in space, and against closed forms.
#include <math.h>
#include <string.h>

#include "build.h"
#include "test.h"

enum { LINKS = 3, TAIL = 2 };

static const utPlanar PLANES[] = {UT_PLANAR_XY, UT_PLANAR_XZ, UT_PLANAR_YZ};

// A vector of the world from its components along the plane's axes and its normal.
static utVec3 world(utPlanar planar, double x, double y, double depth)
{
    const utPlane plane = ut_plane(planar);
    return ut_vec3_add_scaled(ut_plane_out(&plane, ut_vec2(x, y)), depth, plane.normal);
}

static const utMat3 INERTIA = {{{0.3, 0.02, -0.01}, {0.02, 0.5, 0.03}, {-0.01, 0.03, 0.7}}};

static void plane_of(utModelDef* def, utPlanar planar)
{
    utOptions options = ut_options();
    options.planar = planar;
    ut_model_def_options(def, &options);
}

// A body that is free in the plane, with two links behind it on hinges.
// @param planar the joint is free and the world planar; false: two slides and a hinge in space
static utModel* floating_chain(utPlanar plane, bool planar, utVec3 com, double stiffness)
{
    utModelDef* def = build_start();
    const utVec3 normal = ut_plane(plane).normal;
    const int root = build_body(def, 0, world(plane, 0.3, -0.2, 0.4), 2.0, com, INERTIA);
    const utJointKind kinds[3] = {UT_JOINT_SLIDE, UT_JOINT_SLIDE, UT_JOINT_HINGE};
    const utVec3 axes[3] = {ut_plane(plane).x, ut_plane(plane).y, normal};
    for (int k = 0; k < (planar ? 1 : 3); k++) {
        utJointDef joint = ut_joint_def(root, planar ? UT_JOINT_FREE : kinds[k]);
        joint.axis = axes[k];
        joint.stiffness = stiffness;
        joint.damping = 0.1 * stiffness;
        // the plane's coordinates are those of the world
        joint.ref = k == 0 ? 0.3 : k == 1 ? -0.2 : 0.0;
        joint.springref = joint.ref;
        ut_model_def_joint(def, &joint);
    }
    int parent = root;
    for (int k = 0; k < TAIL; k++) {
        parent = build_body(def, parent, world(plane, 0.5, 0.1, -0.3), 1.0 + k,
                            world(plane, 0.2, -0.1, 0.5), INERTIA);
        build_joint(def, parent, UT_JOINT_HINGE, k == 0 ? normal : ut_vec3_negate(normal));
    }
    if (planar) {
        plane_of(def, plane);
    }
    return build_finish(def);
}

static const double Q[5] = {1.2, -0.7, 2.1, 0.6, -1.4};
static const double V[5] = {0.5, -1.1, 2.0, -3.0, 1.7};
static const utVec3 GRAVITY = {1.5, -9.81, 3.0};

// Gravity without its component out of the plane, which has no effect on the slides in space
// either.
static utVec3 gravity_in(utPlanar plane)
{
    const utPlane axes = ut_plane(plane);
    return ut_plane_out(&axes, ut_plane_in(&axes, GRAVITY));
}

// Both models at one state: bodies, M, c, accelerations, energies agree. All are sums of some
// hundred products of numbers up to 20: 1e-12 is some hundred units of rounding.
static void check_alike(const utModel* a, const utModel* b, utPlanar plane)
{
    utArena arena = test_arena();
    const utKinematics one = build_kinematics(a, Q, V, &arena);
    const utKinematics two = build_kinematics(b, Q, V, &arena);
    for (int k = 1; k < a->nbody; k++) {
        CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(one.com[k], two.com[k])), 0.0, 1e-14);
        const utVec3 v1 = ut_point_velocity(&one, k, one.com[k]);
        const utVec3 v2 = ut_point_velocity(&two, k, one.com[k]);
        CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(v1, v2)), 0.0, 1e-13);
        const utVec3 a1 = ut_point_bias(&one, k, one.com[k]);
        const utVec3 a2 = ut_point_bias(&two, k, one.com[k]);
        CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(a1, a2)), 0.0, 1e-12);
    }
    utMass mass1, mass2;
    CHECK_INT(ut_mass_create(a, &arena, &mass1), UT_OK);
    CHECK_INT(ut_mass_create(b, &arena, &mass2), UT_OK);
    ut_mass_find(&mass1, &one, NULL);
    ut_mass_find(&mass2, &two, NULL);
    double M1[25], M2[25];
    ut_mass_block(&mass1, 0, M1);
    ut_mass_block(&mass2, 0, M2);
    for (int k = 0; k < 25; k++) {
        CHECK_NEAR(M1[k], M2[k], 1e-12);
    }
    const double a_given[5] = {0.3, -0.4, 1.0, 2.0, -1.0};
    double tau1[5], tau2[5], acc1[5], acc2[5], passive1[5], passive2[5];
    const utVec3 g = gravity_in(plane);
    CHECK_INT(ut_dyn_inverse(&one, a_given, g, NULL, arena, tau1), UT_OK);
    CHECK_INT(ut_dyn_inverse(&two, a_given, g, NULL, arena, tau2), UT_OK);
    CHECK_INT(ut_dyn_forward(&one, a_given, NULL, g, NULL, arena, acc1), UT_OK);
    CHECK_INT(ut_dyn_forward(&two, a_given, NULL, g, NULL, arena, acc2), UT_OK);
    ut_dyn_passive(a, Q, V, passive1);
    ut_dyn_passive(b, Q, V, passive2);
    for (int k = 0; k < 5; k++) {
        CHECK_NEAR(tau1[k], tau2[k], 1e-12);
        CHECK_NEAR(acc1[k], acc2[k], 1e-11); // through M^-1, whose condition is about 50
        CHECK_NEAR(passive1[k], passive2[k], 1e-13);
    }
    CHECK_NEAR(ut_dyn_kinetic(&one, V), ut_dyn_kinetic(&two, V), 1e-12);
    CHECK_NEAR(ut_dyn_potential(&one, Q, g), ut_dyn_potential(&two, Q, g), 1e-12);
}

TEST(a_planar_chain_equals_one_in_space_on_slides_and_a_hinge)
{
    for (int k = 0; k < 3; k++) {
        const utVec3 com = world(PLANES[k], 0.15, 0.05, -0.2);
        utModel* planar = floating_chain(PLANES[k], true, com, 3.0);
        utModel* space = floating_chain(PLANES[k], false, com, 3.0);
        CHECK_INT(planar->nq, 5);
        CHECK_INT(planar->nv, 5);
        CHECK_INT(planar->joint[0].kind, UT_JOINT_PLANAR);
        check_alike(planar, space, PLANES[k]);
        ut_model_destroy(planar);
        ut_model_destroy(space);
    }
}

// Every integrator gives both models the same motion for 0.1 s if the root's frame is at its centre
// of mass. Otherwise the centre of mass moves straight in the planar model, and the frame does so
// on slides. Rounding errors grow with the motion, here by less than a factor of ten. The midpoint
// rule is different: its correction keeps the linear momentum of the planar root but not of a root
// on slides, and the two differ by its order, (h w)^2 = 1e-5 of a correction that is itself as
// small.
TEST(integrators_agree_on_both_models)
{
    static const utIntegrator all[] = {UT_INTEGRATOR_EULER, UT_INTEGRATOR_RK4,
                                       UT_INTEGRATOR_MIDPOINT};
    utModel* planar = floating_chain(UT_PLANAR_XZ, true, ut_vec3_zero(), 2.0);
    utModel* space = floating_chain(UT_PLANAR_XZ, false, ut_vec3_zero(), 2.0);
    for (int k = 0; k < 3; k++) {
        double q1[5], v1[5], q2[5], v2[5];
        memcpy(q1, Q, sizeof q1);
        memcpy(q2, Q, sizeof q2);
        memcpy(v1, V, sizeof v1);
        memcpy(v2, V, sizeof v2);
        const utSmooth one = {.model = planar, .gravity = gravity_in(UT_PLANAR_XZ)};
        const utSmooth two = {.model = space, .gravity = gravity_in(UT_PLANAR_XZ)};
        for (int step = 0; step < 100; step++) {
            CHECK_INT(ut_smooth_step(&one, all[k], 1e-3, test_arena(), q1, v1), UT_OK);
            CHECK_INT(ut_smooth_step(&two, all[k], 1e-3, test_arena(), q2, v2), UT_OK);
        }
        for (int i = 0; i < 5; i++) {
            const double tolerance = all[k] == UT_INTEGRATOR_MIDPOINT ? 1e-6 : 1e-11;
            CHECK_NEAR(q1[i], q2[i], tolerance);
            CHECK_NEAR(v1[i], v2[i], tolerance);
        }
    }
    ut_model_destroy(planar);
    ut_model_destroy(space);
}

// ---- closed forms -------------------------------------------------------------------------------

static utModel* one_body(utPlanar plane, utVec3 com, double mass)
{
    utModelDef* def = build_start();
    const int body = build_body(def, 0, world(plane, 1, 2, 3), mass, com, INERTIA);
    build_joint(def, body, UT_JOINT_FREE, ut_vec3(0, 0, 1));
    plane_of(def, plane);
    return build_finish(def);
}

// With its frame at the mass centre M is diag(m, m, I_nn) to the last bit, wherever the body is and
// however it is turned; I_nn is the solid's moment about the normal.
TEST(the_mass_matrix_of_a_planar_body_is_diagonal_exactly)
{
    const double moment[3] = {0.7, 0.5, 0.3}; // about z, -y, x
    for (int k = 0; k < 3; k++) {
        utModel* model = one_body(PLANES[k], ut_vec3_zero(), 1.7);
        utArena arena = test_arena();
        const double v[3] = {1, 2, 3};
        for (int turn = 0; turn < 20; turn++) {
            const double q[3] = {0.1 + turn, -3.3 * turn, 0.37 * turn};
            const utKinematics kin = build_kinematics(model, q, v, &arena);
            utMass mass;
            double M[9];
            CHECK_INT(ut_mass_create(model, &arena, &mass), UT_OK);
            ut_mass_find(&mass, &kin, NULL);
            ut_mass_block(&mass, 0, M);
            const double want[9] = {1.7, 0, 0, 0, 1.7, 0, 0, 0, moment[k]};
            for (int i = 0; i < 9; i++) {
                CHECK(M[i] == want[i]);
            }
        }
        ut_model_destroy(model);
    }
}

// The bodies of a double pendulum on a block, and a particle (mission rows B23, B29, B35): slender
// rods have m L^2 / 12, the block, whose solid is given by its box, m (l^2 + w^2) / 12, and the
// particle no third row. The box's moment is three roundings of 1/5 or so; all else is exact.
TEST(b23_b29_mass_matrices_of_rods_block_and_particle)
{
    utModelDef* def = build_start();
    const double rod_A = 1.0 * 1.0 * 1.0 / 12.0, rod_B = 0.5 * 0.8 * 0.8 / 12.0;
    const int A = build_body(def, 0, ut_vec3(0, -0.5, 0), 1.0, ut_vec3_zero(),
                             ut_mat3_diagonal(ut_vec3(rod_A, 0, rod_A)));
    const int B = build_body(def, 0, ut_vec3(0, -1.4, 0), 0.5, ut_vec3_zero(),
                             ut_mat3_diagonal(ut_vec3(rod_B, 0, rod_B)));
    utBodyDef block = ut_body_def();
    block.pos = ut_vec3(0, 0.25, 0);
    const int C = ut_model_def_body(def, &block);
    utGeomDef geom = ut_geom_def(C, UT_SHAPE_BOX, ut_vec3(0.5, 0.25, 0.1));
    geom.mass = 2.0;
    ut_model_def_geom(def, &geom);
    const int P = build_body(def, 0, ut_vec3(3, 0, 0), 0.5, ut_vec3_zero(), ut_mat3_zero());
    const int bodies[4] = {A, B, C, P};
    for (int k = 0; k < 4; k++) {
        build_joint(def, bodies[k], UT_JOINT_FREE, ut_vec3(0, 0, 1));
    }
    plane_of(def, UT_PLANAR_XY);
    utModel* model = build_finish(def);
    CHECK_INT(model->nv, 11);
    const double want[11] = {1.0, 1.0, rod_A, 0.5, 0.5, rod_B, 2.0, 2.0, 2.0 * 1.25 / 12.0,
                             0.5, 0.5};
    const double v[11] = {0};
    utArena arena = test_arena();
    const utKinematics kin = build_kinematics(model, model->q0, v, &arena);
    utMass mass;
    CHECK_INT(ut_mass_create(model, &arena, &mass), UT_OK);
    ut_mass_find(&mass, &kin, NULL);
    for (int i = 0; i < 11; i++) {
        for (int e = mass.start[i]; e < mass.start[i + 1]; e++) {
            const bool diagonal = mass.column[e] == i;
            CHECK_NEAR(mass.M[e], diagonal ? want[i] : 0.0, i == 8 ? 1e-16 : 0.0);
        }
    }
    ut_model_destroy(model);
}

// About a frame off the mass centre, c = (a, b) in the body and s = R c in the plane:
//
//     M = (m 0 -m s_y; 0 m m s_x; -m s_y m s_x I + m |c|^2),    c(q, v) = -m w^2 (s_x, s_y, 0)
TEST(a_frame_off_the_mass_centre_has_the_closed_form)
{
    const double a = 0.3, b = -0.2, m = 2.0, I = 0.5, angle = 0.8, w = 1.5;
    utModel* model = one_body(UT_PLANAR_XZ, world(UT_PLANAR_XZ, a, b, 0.7), m);
    utArena arena = test_arena();
    const double q[3] = {4, 5, angle}, v[3] = {0.3, -0.4, w};
    const utKinematics kin = build_kinematics(model, q, v, &arena);
    const double sx = cos(angle) * a - sin(angle) * b, sy = sin(angle) * a + cos(angle) * b;
    const utVec3 com = world(UT_PLANAR_XZ, 4 + sx, 5 + sy, 3.7);
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(kin.com[1], com)), 0.0, 1e-15 * 16);
    utMass mass;
    double M[9], bias[3];
    CHECK_INT(ut_mass_create(model, &arena, &mass), UT_OK);
    ut_mass_find(&mass, &kin, NULL);
    ut_mass_block(&mass, 0, M);
    const double want[9] = {m, 0, -m * sy, 0, m, m * sx, -m * sy, m * sx, I + m * (a * a + b * b)};
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(M[i], want[i], 1e-14);
    }
    CHECK_INT(ut_dyn_inverse(&kin, NULL, ut_vec3_zero(), NULL, arena, bias), UT_OK);
    CHECK_NEAR(bias[0], -m * w * w * sx, 1e-14);
    CHECK_NEAR(bias[1], -m * w * w * sy, 1e-14);
    CHECK_NEAR(bias[2], 0.0, 1e-14);
    ut_model_destroy(model);
}

// A mass at a point has two velocities and M = m 1, and falls as it should.
TEST(a_particle_has_two_velocities)
{
    utModelDef* def = build_start();
    const int body = build_body(def, 0, ut_vec3(1, 2, 3), 0.7, ut_vec3_zero(), ut_mat3_zero());
    build_joint(def, body, UT_JOINT_FREE, ut_vec3(0, 0, 1));
    plane_of(def, UT_PLANAR_XY);
    utModel* model = build_finish(def);
    CHECK_INT(model->joint[0].kind, UT_JOINT_PARTICLE);
    CHECK_INT(model->nq, 2);
    CHECK_INT(model->nv, 2);
    double q[2] = {1, 2}, v[2] = {3, 0};
    const utSmooth smooth = {.model = model, .gravity = ut_vec3(0, -10, 0)};
    for (int k = 0; k < 100; k++) {
        CHECK_INT(ut_smooth_step(&smooth, UT_INTEGRATOR_RK4, 0.01, test_arena(), q, v), UT_OK);
    }
    CHECK_NEAR(q[0], 4.0, 1e-13);
    CHECK_NEAR(q[1], -3.0, 1e-13);
    CHECK_NEAR(v[1], -10.0, 1e-13);
    ut_model_destroy(model);
}

// Without gravity, the midpoint rule keeps the energy and the linear momentum of a whipping,
// floating chain to the error of its solution, 1e-12 per step.
TEST(midpoint_keeps_energy_and_momentum_of_a_planar_chain)
{
    utModel* model = floating_chain(UT_PLANAR_YZ, true, world(UT_PLANAR_YZ, 0.1, 0, 0), 0.0);
    double q[5], v[5];
    memcpy(q, Q, sizeof q);
    memcpy(v, V, sizeof v);
    utArena arena = test_arena();
    const double before = build_energy(model, q, v, ut_vec3_zero(), arena);
    const utKinematics start = build_kinematics(model, q, v, &arena);
    const utForce p = ut_dyn_momentum(&start, ut_vec3_zero());
    const utSmooth smooth = {.model = model, .gravity = ut_vec3_zero()};
    for (int k = 0; k < 500; k++) {
        CHECK_INT(ut_smooth_step(&smooth, UT_INTEGRATOR_MIDPOINT, 2e-3, arena, q, v), UT_OK);
    }
    const utKinematics end = build_kinematics(model, q, v, &arena);
    const utForce p_end = ut_dyn_momentum(&end, ut_vec3_zero());
    CHECK_NEAR(build_energy(model, q, v, ut_vec3_zero(), arena), before, 1e-9 * before);
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(p.force, p_end.force)), 0.0, 1e-9);
    ut_model_destroy(model);
}

// A body that is thrown with its frame off the mass centre: Euler keeps its momentum, its spin and
// the energy to rounding, as it does for free bodies of space.
TEST(euler_keeps_the_momentum_of_a_thrown_planar_body)
{
    utModel* model = one_body(UT_PLANAR_XY, ut_vec3(0.4, 0.1, 0.3), 2.0);
    double q[3] = {1, 2, 0.3}, v[3] = {1, -2, 5};
    utArena arena = test_arena();
    const double before = build_energy(model, q, v, ut_vec3_zero(), arena);
    const utKinematics start = build_kinematics(model, q, v, &arena);
    const utForce p = ut_dyn_momentum(&start, ut_vec3_zero());
    const utSmooth smooth = {.model = model, .gravity = ut_vec3_zero()};
    for (int k = 0; k < 1000; k++) {
        CHECK_INT(ut_smooth_step(&smooth, UT_INTEGRATOR_EULER, 1e-2, arena, q, v), UT_OK);
    }
    const utKinematics end = build_kinematics(model, q, v, &arena);
    const utForce p_end = ut_dyn_momentum(&end, ut_vec3_zero());
    CHECK_NEAR(v[2], 5.0, 1e-12);
    CHECK_NEAR(build_energy(model, q, v, ut_vec3_zero(), arena), before, 1e-11 * before);
    CHECK_NEAR(ut_vec3_norm(ut_vec3_sub(p.force, p_end.force)), 0.0, 1e-11);
    ut_model_destroy(model);
}
