// SPDX-License-Identifier: Apache-2.0
// M, Newton-Euler and articulated bodies: closed forms, and each against the others.
#include <string.h>

#include "build.h"
#include "test.h"

static const utVec3 GRAVITY = {0.0, 0.0, -9.81};

// ---- closed forms -------------------------------------------------------------------------------

// The double pendulum of build.h with relative angles A, B and a = 0.3, l = 0.5, b = 0.25:
//
//     M11 = I1 + I2 + m1 a^2 + m2 (l^2 + b^2 + 2 l b cos B),  M12 = I2 + m2 (b^2 + l b cos B),
//     M22 = I2 + m2 b^2
//     c1 = - m2 l b sin B (2 A'B' + B'^2) + (m1 a + m2 l) g sin A + m2 b g sin(A + B)
//     c2 = m2 l b sin B A'^2 + m2 b g sin(A + B)
//
// Some twenty operations on numbers up to 30: 1e-13.
TEST(double_pendulum_by_hand)
{
    utModel* model = build_double_pendulum();
    utArena arena = test_arena();
    const double q[] = {0.7, -1.1}, v[] = {1.3, -2.1};
    const double I1 = 0.05, I2 = 0.03, m1 = 2, m2 = 1, a = 0.3, l = 0.5, b = 0.25, g = 9.81;
    const double cosB = cos(q[1]), sinB = sin(q[1]), low = m2 * b * g * sin(q[0] + q[1]);
    utKinematics kin = build_kinematics(model, q, v, &arena);

    utMass mass;
    double M[4], c[2];
    CHECK(ut_mass_create(model, &arena, &mass) == UT_OK);
    ut_mass_find(&mass, &kin, NULL);
    ut_mass_block(&mass, 0, M);
    CHECK_NEAR(M[0], I1 + I2 + m1 * a * a + m2 * (l * l + b * b + 2 * l * b * cosB), 1e-13);
    CHECK_NEAR(M[1], I2 + m2 * (b * b + l * b * cosB), 1e-13);
    CHECK_NEAR(M[2], M[1], 0.0);
    CHECK_NEAR(M[3], I2 + m2 * b * b, 1e-13);

    CHECK(ut_dyn_inverse(&kin, NULL, GRAVITY, NULL, arena, c) == UT_OK);
    CHECK_NEAR(c[0],
               -m2 * l * b * sinB * (2 * v[0] * v[1] + v[1] * v[1]) +
                   (m1 * a + m2 * l) * g * sin(q[0]) + low,
               1e-13);
    CHECK_NEAR(c[1], m2 * l * b * sinB * v[0] * v[0] + low, 1e-13);
    ut_model_destroy(model);
}

// A pendulum with armature and a torque: (I + m l^2 + armature) a = tau - m g l sin q.
TEST(a_pendulum_with_armature)
{
    utModelDef* def = build_start();
    const utMat3 inertia = ut_mat3_diagonal(ut_vec3(0.02, 0.03, 0.01));
    const int body = build_body(def, 0, ut_vec3(1, 2, 3), 1.5, ut_vec3(0, 0, -0.4), inertia);
    utJointDef joint = ut_joint_def(body, UT_JOINT_HINGE);
    joint.axis = ut_vec3(0, 1, 0);
    joint.armature = 0.07;
    ut_model_def_joint(def, &joint);
    utModel* model = build_finish(def);
    utArena arena = test_arena();
    const double q = 0.6, v = 3.0, tau = 2.0;
    double a;
    const utKinematics kin = build_kinematics(model, &q, &v, &arena);
    CHECK(ut_dyn_forward(&kin, &tau, NULL, GRAVITY, NULL, arena, &a) == UT_OK);
    CHECK_NEAR(a, (tau - 1.5 * 9.81 * 0.4 * sin(q)) / (0.03 + 1.5 * 0.16 + 0.07), 1e-13);
    CHECK_NEAR(ut_dyn_kinetic(&kin, &v), 0.5 * (0.03 + 1.5 * 0.16 + 0.07) * v * v, 1e-14);
    // an added diagonal acts like armature
    const double more = 0.5;
    CHECK(ut_dyn_forward(&kin, &tau, &more, GRAVITY, NULL, arena, &a) == UT_OK);
    CHECK_NEAR(a, (tau - 1.5 * 9.81 * 0.4 * sin(q)) / (0.03 + 1.5 * 0.16 + 0.57), 1e-13);
    ut_model_destroy(model);
}

// A symmetric top on a ball joint with its point at the origin (A about a transverse axis through
// the point, C about its own, m g l) precesses steadily at O, leaning by th and spinning at s, when
// (C (s + O cos th) - A O cos th) O = m g l. With its x axis on the line of nodes, at that moment
// w = (0, O sin th, s + O cos th) and w' = (O s sin th, 0, 0) in the body.
TEST(a_spherical_pendulum_and_top_in_steady_precession)
{
    const double m = 1.2, l = 0.3, A = 0.05 + m * l * l, C = 0.02, O = 2.5, th = 0.8;
    const double s = (m * 9.81 * l / O + A * O * cos(th)) / C - O * cos(th);
    utModelDef* def = build_start();
    const utMat3 inertia = ut_mat3_diagonal(ut_vec3(0.05, 0.05, C));
    const int body = build_body(def, 0, ut_vec3_zero(), m, ut_vec3(0, 0, l), inertia);
    build_joint(def, body, UT_JOINT_BALL, ut_vec3(0, 0, 1));
    utModel* model = build_finish(def);
    utArena arena = test_arena();
    const double q[] = {cos(0.5 * th), sin(0.5 * th), 0, 0};
    const double v[] = {0, O * sin(th), s + O * cos(th)}, tau[3] = {0};
    double a[3];
    const utKinematics kin = build_kinematics(model, q, v, &arena);
    CHECK(ut_dyn_forward(&kin, tau, NULL, GRAVITY, NULL, arena, a) == UT_OK);
    // s is about 80 rad/s, terms of a about 200
    CHECK_NEAR(a[0], O * s * sin(th), 1e-11);
    CHECK_NEAR(a[1], 0.0, 1e-11);
    CHECK_NEAR(a[2], 0.0, 1e-11);
    ut_model_destroy(model);
}

// A free body with its centre of mass at c = (0.5, 0, 0), at the identity: a force F at the centre
// of mass and a torque N about it. With I = diag(0.3, 0.5, 0.7) and w = (1, 2, 3):
// I w' = N - w x I w, w x I w = (2 x 2.1 - 3 x 1.0, 3 x 0.3 - 1 x 2.1, 1 x 1.0 - 2 x 0.3)
// = (1.2, -1.2, 0.4), and the origin has a = F/m + g - w' x c - w x (w x c), where
// w x (w x c) = w (w.c) - c |w|^2 = (0.5, 1, 1.5) - (7, 0, 0).
TEST(a_free_body_whose_frame_is_not_at_its_centre_of_mass)
{
    utModel* model = build_free(ut_vec3(0.5, 0, 0));
    utArena arena = test_arena();
    const double q[] = {1, 2, 3, 1, 0, 0, 0}, v[] = {4, 5, 6, 1, 2, 3};
    const utForce applied[2] = {
        {{0, 0, 0}, {0, 0, 0}},
        {{2, 4, 6}, {0.6, 0.3, 1.1}},
    };
    const double wx = (0.6 - 1.2) / 0.3, wy = (0.3 + 1.2) / 0.5, wz = (1.1 - 0.4) / 0.7;
    const double want[6] = {1 - (0.5 - 7), 2 - 0.5 * wz - 1, 3 - 9.81 + 0.5 * wy - 1.5, wx, wy, wz};
    const utKinematics kin = build_kinematics(model, q, v, &arena);
    const double tau[6] = {0}, none[6] = {0, 0, 0, 0, 0, 1e-300};
    double a[6];
    CHECK(ut_dyn_forward(&kin, tau, NULL, GRAVITY, applied, arena, a) == UT_OK);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(a[i], want[i], 1e-14);
    }
    // the same by the recursion over articulated bodies, which an added diagonal requires
    CHECK(ut_dyn_forward(&kin, tau, none, GRAVITY, applied, arena, a) == UT_OK);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(a[i], want[i], 1e-13);
    }
    // generalized forces are a force at the origin (world) and a torque (body), smaller by c x F
    const double same[6] = {2, 4, 6, 0.6, 0.3 - 0.5 * 6, 1.1 + 0.5 * 4};
    CHECK(ut_dyn_forward(&kin, same, NULL, GRAVITY, NULL, arena, a) == UT_OK);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(a[i], want[i], 1e-14);
    }
    ut_model_destroy(model);
}

// ---- each against the others --------------------------------------------------------------------

typedef struct Case {
    utModel* model;
    utArena arena;
    utKinematics kin;
    utMass mass;
    double q[BUILD_MAX_Q], v[BUILD_MAX_Q], tau[BUILD_MAX_Q], a[BUILD_MAX_Q], c[BUILD_MAX_Q];
    utForce* applied;
} Case;

static void open_case(Case* c, utModel* model, uint64_t seed)
{
    utRng rng = ut_rng(seed, 2);
    c->model = model;
    c->arena = test_arena();
    build_state(model, seed, 2.0, c->q, c->v);
    c->kin = build_kinematics(model, c->q, c->v, &c->arena);
    CHECK(ut_mass_create(model, &c->arena, &c->mass) == UT_OK);
    ut_mass_find(&c->mass, &c->kin, NULL);
    c->applied = UT_PUSH(&c->arena, utForce, model->nbody);
    double* wrench = (double*)c->applied;
    for (int i = 0; i < 6 * model->nbody; i++) {
        wrench[i] = ut_rng_range(&rng, -1.0, 1.0);
    }
    for (int i = 0; i < model->nv; i++) {
        c->tau[i] = ut_rng_range(&rng, -1.0, 1.0);
        c->a[i] = ut_rng_range(&rng, -1.0, 1.0);
    }
    CHECK(ut_dyn_inverse(&c->kin, NULL, GRAVITY, c->applied, c->arena, c->c) == UT_OK);
}

static double largest(const double* x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fabs(x[i]) <= most ? most : fabs(x[i]);
    }
    return most;
}

// The largest row sum of |M|.
static double mass_norm(const utMass* mass)
{
    double row[BUILD_MAX_Q] = {0};
    for (int i = 0; i < mass->model->nv; i++) {
        for (int e = mass->start[i]; e < mass->start[i + 1]; e++) {
            row[i] += fabs(mass->M[e]);
            row[mass->column[e]] += mass->column[e] != i ? fabs(mass->M[e]) : 0.0;
        }
    }
    return largest(row, mass->model->nv);
}

// max |M a - b| relative to the size of its terms
static double backward_error(Case* c, const double* a, const double* b)
{
    double Ma[BUILD_MAX_Q];
    const int n = c->model->nv;
    ut_mass_multiply(&c->mass, a, Ma);
    for (int i = 0; i < n; i++) {
        Ma[i] -= b[i];
    }
    return largest(Ma, n) / (mass_norm(&c->mass) * largest(a, n) + largest(b, n));
}

// @return the largest backward error
static double check_case(utModel* model, uint64_t seed)
{
    static Case c;
    static double got[BUILD_MAX_Q], right[BUILD_MAX_Q];
    open_case(&c, model, seed);
    const int n = model->nv;
    if (n == 0) {
        ut_model_destroy(model);
        return 0.0;
    }
    double error[4];

    // CRBA and Newton-Euler: M a = tau(a) - tau(0) + armature a
    CHECK(ut_dyn_inverse(&c.kin, c.a, GRAVITY, c.applied, c.arena, got) == UT_OK);
    for (int i = 0; i < n; i++) {
        right[i] = got[i] - c.c[i] + model->dof_armature[i] * c.a[i];
    }
    error[0] = backward_error(&c, c.a, right);

    // kinetic energy and momenta
    ut_mass_multiply(&c.mass, c.v, got);
    double energy = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        energy += 0.5 * got[i] * c.v[i];
        size += fabs(got[i] * c.v[i]);
    }
    CHECK_NEAR(ut_dyn_kinetic(&c.kin, c.v), energy, 1e-13 * size);

    // the factor of M
    for (int i = 0; i < n; i++) {
        right[i] = got[i] = c.tau[i] - c.c[i];
    }
    CHECK(ut_mass_factor(&c.mass));
    ut_mass_solve(&c.mass, got);
    error[1] = backward_error(&c, got, right);

    // articulated bodies
    CHECK(ut_dyn_forward(&c.kin, c.tau, NULL, GRAVITY, c.applied, c.arena, got) == UT_OK);
    error[2] = backward_error(&c, got, right);

    // the same with an added diagonal
    static double more[BUILD_MAX_Q];
    for (int i = 0; i < n; i++) {
        more[i] = 0.01 * (i % 5);
    }
    CHECK(ut_dyn_forward(&c.kin, c.tau, more, GRAVITY, c.applied, c.arena, got) == UT_OK);
    ut_mass_find(&c.mass, &c.kin, more);
    error[3] = backward_error(&c, got, right);
    for (int i = 0; i < 4; i++) {
        CHECK(error[i] <= 1e-12);
    }
    ut_model_destroy(model);
    return largest(error, 4);
}

TEST(three_algorithms_agree_on_random_forests)
{
    double worst = 0.0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        worst = fmax(worst, check_case(build_random(seed, 1 + (int)(seed % 20), false), seed));
    }
    test_note("backward error at most %.1e", worst);
}

TEST(three_algorithms_agree_on_long_chains)
{
    double worst = check_case(build_chain(100), 7);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        worst = fmax(worst, check_case(build_random(100 + seed, 20 * (int)seed, true), seed));
    }
    test_note("backward error at most %.1e", worst);
}

// tau . M^-1 tau of forces on two bodies, against the full response M^-1 tau.
TEST(the_mobility_of_two_bodies_is_a_force_times_its_response)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        utArena arena = test_arena();
        utModel* model = build_random(seed, 24, seed % 2 == 0);
        double* q = UT_PUSH(&arena, double, BUILD_MAX_Q);
        double* v = UT_PUSH(&arena, double, BUILD_MAX_Q);
        double* tau = UT_PUSH(&arena, double, BUILD_MAX_Q);
        double* a = UT_PUSH(&arena, double, BUILD_MAX_Q);
        build_state(model, seed, 1.0, q, v);
        const utKinematics kin = build_kinematics(model, q, v, &arena);
        utArticulatedFactor* factor = ut_dyn_factor_create(model, &arena);
        CHECK_INT(ut_dyn_factor(&kin, NULL, factor), UT_OK);
        for (int b = 1; b < model->nbody; b++) {
            const int body[2] = {model->body[b].tree >= 0 ? b : -1,
                                 model->body[model->nbody - b].tree >= 0 ? model->nbody - b : -1};
            memset(tau, 0, BUILD_MAX_Q * sizeof *tau);
            for (int side = 0; side < 2; side++) {
                for (int k = body[side] >= 0 ? model->body[body[side]].last_dof : -1; k >= 0;
                     k = model->dof_parent[k]) {
                    tau[k] = v[k];
                }
            }
            CHECK_INT(ut_dyn_respond(&kin, tau, NULL, NULL, arena, a), UT_OK);
            double want = 0.0;
            for (int k = 0; k < model->nv; k++) {
                want += tau[k] * a[k];
            }
            // the condition of M is some 1e4 here
            CHECK_NEAR(ut_dyn_mobility(&kin, factor, tau, body), want, 1e-11 * (1.0 + want));
        }
        ut_model_destroy(model);
    }
}

// Every entry of the blocks against kinetic energies: with unit velocities i and j, M_ij = T(e_i +
// e_j) - T(e_i) - T(e_j), from ut_kinematics_move alone. Entries reach a few hundred.
TEST(the_blocks_of_m_are_second_derivatives_of_the_kinetic_energy)
{
    static double block[BUILD_MAX_Q * BUILD_MAX_Q], x[BUILD_MAX_Q];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        static Case c;
        open_case(&c, build_random(seed, 7, seed % 2 == 0), seed);
        for (int t = 0; t < c.model->ntree; t++) {
            const int first = c.model->tree[t].dof, n = c.model->tree[t].dofs;
            ut_mass_block(&c.mass, t, block);
            memset(x, 0, sizeof x);
            for (int i = 0; i < n * n; i++) {
                const int row = first + i / n, column = first + i % n;
                double energy = 0.0;
                for (int k = 1; k <= 3; k++) {
                    x[row] = k & 1 ? 1.0 : 0.0;
                    x[column] += k & 2 ? 1.0 : 0.0;
                    ut_kinematics_move(&c.kin, x, NULL);
                    energy += (k == 3 ? 1.0 : -1.0) * ut_dyn_kinetic(&c.kin, x);
                    x[row] = x[column] = 0.0;
                }
                CHECK_NEAR(block[i], energy,
                           1e-12 * (1.0 + fabs(block[(i / n) * (n + 1)]) +
                                    fabs(block[(i % n) * (n + 1)])));
            }
        }
        ut_model_destroy(c.model);
    }
}

TEST(a_mass_that_is_not_positive_is_rejected)
{
    utModel* model = build_chain(3);
    utArena arena = test_arena();
    const double q[3] = {0}, v[3] = {0}, tau[3] = {0}, more[3] = {0, -1.0, 0};
    double a[3];
    const utKinematics kin = build_kinematics(model, q, v, &arena);
    utMass mass;
    CHECK(ut_mass_create(model, &arena, &mass) == UT_OK);
    ut_mass_find(&mass, &kin, more);
    CHECK(!ut_mass_factor(&mass));
    CHECK(ut_dyn_forward(&kin, tau, more, GRAVITY, NULL, arena, a) == UT_ERR_ARGUMENT);
    ut_model_destroy(model);
}

// ---- energy and momentum ------------------------------------------------------------------------

// With a = M^-1 (...), energy changes by the power of tau and of the dampers. Central differences:
// third derivatives of the energy over the frequency W of the motion are about E W^3.
TEST(energy_changes_by_the_power_of_forces)
{
    const double h = 1e-5;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        static Case c;
        static double moved[BUILD_MAX_Q], faster[BUILD_MAX_Q], force[BUILD_MAX_Q];
        open_case(&c, build_random(seed, 6, seed % 2 == 0), seed);
        const int n = c.model->nv;
        ut_dyn_passive(c.model, c.q, c.v, force);
        for (int i = 0; i < n; i++) {
            force[i] += c.tau[i];
        }
        CHECK(ut_dyn_forward(&c.kin, force, NULL, GRAVITY, NULL, c.arena, c.a) == UT_OK);
        double E[2], power = 0.0, W = 1.0;
        for (int side = 0; side < 2; side++) {
            const double s = side == 0 ? h : -h;
            for (int i = 0; i < n; i++) {
                // to second order, because v changes during h
                faster[i] = c.v[i] + 0.5 * s * c.a[i];
            }
            ut_model_integrate(c.model, c.q, faster, s, moved);
            for (int i = 0; i < n; i++) {
                faster[i] = c.v[i] + s * c.a[i];
            }
            E[side] = build_energy(c.model, moved, faster, GRAVITY, c.arena);
        }
        for (int i = 0; i < n; i++) {
            power += c.v[i] * (c.tau[i] - c.model->dof_damping[i] * c.v[i]);
            W += fabs(c.v[i]);
        }
        const double size = fabs(E[0]) + ut_dyn_kinetic(&c.kin, c.v) + largest(c.a, n);
        CHECK_NEAR((E[0] - E[1]) / (2.0 * h), power,
                   size * (h * h / 6.0 * W * W * W * 8.0 + 100.0 * DBL_EPSILON / h));
        ut_model_destroy(c.model);
    }
}

// A tree with a free root: only gravity changes the momentum, m g and (com - point) x m g.
TEST(only_gravity_changes_the_momentum_of_a_floating_tree)
{
    utModelDef* def = build_start();
    const utMat3 inertia = ut_mat3_diagonal(ut_vec3(0.1, 0.2, 0.25));
    const int root = build_body(def, 0, ut_vec3_zero(), 2.0, ut_vec3(0.1, 0.2, 0), inertia);
    build_joint(def, root, UT_JOINT_FREE, ut_vec3(0, 0, 1));
    const int arm = build_body(def, root, ut_vec3(0.5, 0, 0), 1.0, ut_vec3(0.3, 0, 0.1), inertia);
    build_joint(def, arm, UT_JOINT_BALL, ut_vec3(0, 0, 1));
    const int hand = build_body(def, arm, ut_vec3(0.5, 0, 0), 0.5, ut_vec3(0, 0.2, 0), inertia);
    build_joint(def, hand, UT_JOINT_HINGE, ut_vec3(0, 1, 1));
    utModel* model = build_finish(def);
    static Case c;
    open_case(&c, model, 3);
    // internal forces have no effect
    memset(c.tau, 0, 6 * sizeof c.tau[0]);
    CHECK(ut_dyn_forward(&c.kin, c.tau, NULL, GRAVITY, NULL, c.arena, c.a) == UT_OK);
    const double h = 1e-5;
    const utVec3 point = ut_vec3(0.3, -0.4, 0.5);
    utForce side[2];
    for (int k = 0; k < 2; k++) {
        const double s = k == 0 ? h : -h;
        double moved[BUILD_MAX_Q], faster[BUILD_MAX_Q];
        for (int i = 0; i < model->nv; i++) {
            faster[i] = c.v[i] + 0.5 * s * c.a[i];
        }
        ut_model_integrate(model, c.q, faster, s, moved);
        for (int i = 0; i < model->nv; i++) {
            faster[i] = c.v[i] + s * c.a[i];
        }
        utArena arena = c.arena;
        const utKinematics kin = build_kinematics(model, moved, faster, &arena);
        side[k] = ut_dyn_momentum(&kin, point);
    }
    const utForce rate = ut_force_scale(ut_force_sub(side[0], side[1]), 0.5 / h);
    utVec3 torque = ut_vec3_zero();
    for (int b = 1; b < model->nbody; b++) {
        const utVec3 r = ut_vec3_sub(c.kin.com[b], point);
        const utVec3 weight = ut_vec3_scale(GRAVITY, model->body[b].mass);
        torque = ut_vec3_add(torque, ut_vec3_cross(r, weight));
    }
    // rates up to W = 10 /s, momenta up to 30: h^2/6 W^3 30 = 5e-7; rounding 30 x 1e-16 x 10 / h
    CHECK_NEAR(rate.force.x, 0.0, 1e-6);
    CHECK_NEAR(rate.force.y, 0.0, 1e-6);
    CHECK_NEAR(rate.force.z, -3.5 * 9.81, 1e-6);
    CHECK_NEAR(rate.torque.x, torque.x, 1e-6);
    CHECK_NEAR(rate.torque.y, torque.y, 1e-6);
    CHECK_NEAR(rate.torque.z, torque.z, 1e-6);
    ut_model_destroy(model);
}

// ---- springs and dampers ------------------------------------------------------------------------

// Turned by 0.5 rad about (0, 0.6, 0.8) with stiffness 3, damping 0.2; and a hinge at 0.9 whose
// spring rests at 0.4, stiffness 2, damping 0.1.
TEST(springs_and_dampers_by_hand)
{
    utModelDef* def = build_start();
    const int body = build_body(def, 0, ut_vec3_zero(), 1.0, ut_vec3_zero(), ut_mat3_identity());
    utJointDef ball = ut_joint_def(body, UT_JOINT_BALL);
    ball.stiffness = 3.0;
    ball.damping = 0.2;
    ut_model_def_joint(def, &ball);
    const int next = build_body(def, body, ut_vec3_zero(), 1.0, ut_vec3_zero(), ut_mat3_identity());
    utJointDef hinge = ut_joint_def(next, UT_JOINT_HINGE);
    hinge.stiffness = 2.0;
    hinge.springref = 0.4;
    hinge.damping = 0.1;
    ut_model_def_joint(def, &hinge);
    utModel* model = build_finish(def);
    utArena arena = test_arena();
    const double s = sin(0.25), q[] = {cos(0.25), 0, 0.6 * s, 0.8 * s, 0.9}, v[] = {1, 2, 3, 4};
    const double want[4] = {-0.2, -3 * 0.5 * 0.6 - 0.4, -3 * 0.5 * 0.8 - 0.6, -2 * 0.5 - 0.4};
    double tau[4];
    ut_dyn_passive(model, q, v, tau);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(tau[i], want[i], 1e-14);
    }
    const utKinematics kin = build_kinematics(model, q, v, &arena);
    CHECK_NEAR(ut_dyn_potential(&kin, q, ut_vec3_zero()), 0.5 * 3 * 0.25 + 0.5 * 2 * 0.25, 1e-14);
    ut_model_destroy(model);
}

TEST(too_little_memory_is_reported)
{
    utModel* model = build_chain(4);
    unsigned char memory[64];
    utArena small = ut_arena_on(memory, sizeof memory);
    utKinematics kin;
    utMass mass;
    CHECK(ut_kinematics_create(model, &small, &kin) == UT_ERR_CAPACITY);
    CHECK(ut_mass_create(model, &small, &mass) == UT_ERR_CAPACITY);

    static unsigned char room[1 << 16];
    utArena keep = ut_arena_on(room, sizeof room);
    CHECK(ut_kinematics_create(model, &keep, &kin) == UT_OK);
    CHECK(ut_mass_create(model, &keep, &mass) == UT_OK);
    const double q[4] = {0}, v[4] = {0};
    double a[4];
    ut_kinematics_place(&kin, q, NULL, NULL);
    ut_kinematics_move(&kin, v, NULL);
    CHECK(ut_dyn_inverse(&kin, v, GRAVITY, NULL, small, a) == UT_ERR_CAPACITY);
    CHECK(ut_dyn_forward(&kin, v, NULL, GRAVITY, NULL, small, a) == UT_ERR_CAPACITY);
    CHECK(ut_dyn_inverse(&kin, v, GRAVITY, NULL, keep, a) == UT_OK);
    CHECK(ut_dyn_forward(&kin, v, NULL, GRAVITY, NULL, keep, a) == UT_OK);
    ut_model_destroy(model);
}
