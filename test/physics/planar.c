// SPDX-License-Identifier: Apache-2.0
// Planar worlds against closed forms, in each of the planes.
#include "lab.h"

static const double G = 9.81;
static const utPlanar PLANES[] = {UT_PLANAR_XY, UT_PLANAR_XZ, UT_PLANAR_YZ};

static Lab planar_lab(double h, utPlanar planar)
{
    Lab lab = lab_open(h);
    const utPlane plane = ut_plane(planar);
    lab.options.planar = planar;
    lab.options.gravity = ut_vec3_scale(plane.y, -G);
    return lab;
}

static utVec3 at(utPlanar planar, double x, double y)
{
    const utPlane plane = ut_plane(planar);
    return ut_plane_out(&plane, ut_vec2(x, y));
}

// Half extents of a box along the plane's axes, 0.3 m deep.
static utVec3 half(utPlanar planar, double x, double y)
{
    const utVec3 n = ut_plane(planar).normal;
    const utVec3 flat = at(planar, x, y);
    return ut_vec3(flat.x + 0.3 * fabs(n.x), flat.y + 0.3 * fabs(n.y), flat.z + 0.3 * fabs(n.z));
}

static utQuat turned(utPlanar planar, double angle)
{
    return ut_quat_from_axis_angle(ut_plane(planar).normal, angle);
}

static int boxes_at(Lab* lab, utPlanar planar, utVec3 pos, double angle, utVec3 size, double mass,
                    double mu)
{
    utBodyDef body = ut_body_def();
    body.pos = pos;
    body.quat = turned(planar, angle);
    const int b = ut_model_def_body(lab->def, &body);
    lab_free(lab, b);
    lab_geom(lab, b, UT_SHAPE_BOX, size, mass, mu);
    return b;
}

// ---- inclines -----------------------------------------------------------------------------------

// The incline falls to the right (-angle); a body stands on it at its origin's distance `above`.
static void incline(Lab* lab, utPlanar planar, double angle, double mu)
{
    lab_plane(lab, ut_vec3_zero(), at(planar, sin(angle), cos(angle)), mu);
}

// A block on an incline of angle a: it stays for tan a < mu, to rounding, and slides down with
// g (sin a - mu cos a) beyond. Velocities of a constant force are exact for Euler: 1e-9 leaves room
// for E (1e-8 of h g) summed over 200 steps.
static void block_on_incline(utPlanar planar, double angle)
{
    const double mu = 0.5, h = 0.005, b = 0.1;
    const int steps = 200;
    Lab lab = planar_lab(h, planar);
    incline(&lab, planar, angle, mu);
    boxes_at(&lab, planar, at(planar, b * sin(angle), b * cos(angle)), -angle, half(planar, 0.2, b),
             2.0, mu);
    lab_start(&lab);
    lab_run(&lab, steps, 0, ut_vec3_zero());
    const double* v = ut_sim_v(lab.sim);
    const double along = v[0] * cos(angle) - v[1] * sin(angle);
    const double want = fmax(0.0, G * (sin(angle) - mu * cos(angle))) * steps * h;
    CHECK_NEAR(along, want, 1e-9);
    CHECK_NEAR(v[0] * sin(angle) + v[1] * cos(angle), 0.0, 1e-9);
    CHECK_NEAR(v[2], 0.0, 1e-9);
    if (want == 0.0) {
        CHECK_NEAR(ut_sim_q(lab.sim)[0], b * sin(angle), 1e-12);
        CHECK_NEAR(ut_sim_q(lab.sim)[1], b * cos(angle), 1e-12);
    }
    lab_end(&lab);
}

TEST(a_planar_block_sticks_below_tan_mu_and_slides_above)
{
    for (int k = 0; k < 3; k++) {
        block_on_incline(PLANES[k], atan(0.499));
        block_on_incline(PLANES[k], atan(0.501));
        block_on_incline(PLANES[k], 0.8);
    }
}

// Rolling without slipping: a = g sin(a) / (1 + I / (m r^2)), with the solid's I: 2/5 m r^2 of a
// ball, 1/2 m r^2 of a cylinder that stands on the plane. It turns clockwise: w = -v / r.
static void rolls_down(utPlanar planar, utShapeKind kind, double share)
{
    const double angle = 0.3, radius = 0.2, h = 0.002;
    const int steps = 500;
    Lab lab = planar_lab(h, planar);
    incline(&lab, planar, angle, 1.0);
    utBodyDef def = ut_body_def();
    def.pos = at(planar, radius * sin(angle), radius * cos(angle));
    const int body = ut_model_def_body(lab.def, &def);
    lab_free(&lab, body);
    utGeomDef geom = ut_geom_def(body, kind, ut_vec3(radius, 0.35, 0));
    utVec3 t1, t2;
    ut_tangent_basis(ut_plane(planar).normal, &t1, &t2);
    geom.quat = ut_quat_from_mat3(ut_mat3_from_columns(t1, t2, ut_plane(planar).normal));
    geom.mass = 3.0;
    ut_model_def_geom(lab.def, &geom);
    lab_start(&lab);
    lab_run(&lab, steps, 0, ut_vec3_zero());
    const double* v = ut_sim_v(lab.sim);
    const double along = v[0] * cos(angle) - v[1] * sin(angle);
    CHECK_NEAR(along, share * G * sin(angle) * steps * h, 1e-9);
    CHECK_NEAR(v[2], -along / radius, 1e-8);
    lab_end(&lab);
}

TEST(a_planar_ball_rolls_with_5_7_and_a_disk_with_2_3)
{
    for (int k = 0; k < 3; k++) {
        rolls_down(PLANES[k], UT_SHAPE_SPHERE, 5.0 / 7.0);
        rolls_down(PLANES[k], UT_SHAPE_CYLINDER, 2.0 / 3.0);
    }
}

// ---- tipping ------------------------------------------------------------------------------------

// A rectangle on its corner falls as a pendulum of length d about it:
//
//     (I + m d^2) a'' = m g d sin a,    I = m (x^2 + y^2) / 3, d^2 = x^2 + y^2
//
// a counted from where the centre is above the corner. The oracle goes 200 times finer by the
// midpoint rule (1e-9). Euler is of first order: over 0.5 s at h = 0.001 the angle is off by less
// than h a'(0.5 s) = 2e-3, and by a quarter of that at a quarter of h.
static double tipped(utPlanar planar, double h, double* error)
{
    const double x = 0.2, y = 0.5, mu = 5.0, lean = 0.3, time = 0.5;
    const double d = sqrt(x * x + y * y);
    // upright, the centre stands atan(x / y) to the left of the lower right corner
    const double upright = atan2(x, y);
    const double angle = -(upright + lean);
    const double corner_x = cos(angle) * x - sin(angle) * -y;
    const double corner_y = sin(angle) * x + cos(angle) * -y;
    Lab lab = planar_lab(h, planar);
    lab_plane(&lab, ut_vec3_zero(), ut_plane(planar).y, mu);
    boxes_at(&lab, planar, at(planar, -corner_x, -corner_y), angle, half(planar, x, y), 1.5, mu);
    lab_start(&lab);
    const int steps = (int)lround(time / h);
    lab_run(&lab, steps, 0, ut_vec3_zero());

    const double k = G * d / (d * d + (x * x + y * y) / 3.0);
    double a = lean, w = 0.0;
    const int fine = 100000;
    const double dt = time / fine;
    for (int i = 0; i < fine; i++) {
        const double middle = a + 0.5 * dt * w;
        const double w_next = w + dt * k * sin(middle);
        a += 0.5 * dt * (w + w_next);
        w = w_next;
    }
    const double* q = ut_sim_q(lab.sim);
    *error = fabs(-q[2] - upright - a);
    // the corner has not moved: the centre is still at d from the origin
    CHECK_NEAR(sqrt(q[0] * q[0] + q[1] * q[1]), d, 3.0 * h);
    lab_end(&lab);
    return a;
}

TEST(a_rectangle_tips_about_its_corner_as_a_pendulum)
{
    double coarse, fine;
    tipped(UT_PLANAR_XY, 0.001, &coarse);
    tipped(UT_PLANAR_XZ, 0.00025, &fine);
    test_note("angle off by %.2e and %.2e", coarse, fine);
    CHECK(coarse <= 2e-3);
    CHECK(fine <= 0.3 * coarse);
}

// ---- standing -----------------------------------------------------------------------------------

// Five rectangles stand for 10 s, and nothing creeps: not one position changes by more than
// rounding leaves of E each step, 1e-8 h g h x 1000 steps = 1e-8 m, and mostly it is far less.
TEST(a_planar_stack_of_five_stands_without_creep)
{
    const double h = 0.01;
    for (int k = 0; k < 3; k++) {
        Lab lab = planar_lab(h, PLANES[k]);
        lab_plane(&lab, ut_vec3_zero(), ut_plane(PLANES[k]).y, 0.6);
        for (int i = 0; i < 5; i++) {
            boxes_at(&lab, PLANES[k], at(PLANES[k], 0.01 * (i % 2), 0.1 + 0.2 * i), 0.0,
                     half(PLANES[k], 0.15, 0.1), 1.0 + i, 0.6);
        }
        lab_start(&lab);
        lab_run(&lab, 1000, 0, ut_vec3_zero());
        double most = 0.0;
        for (int i = 0; i < lab.model->nq; i++) {
            most = fmax(most, fabs(ut_sim_q(lab.sim)[i] - lab.model->q0[i]));
        }
        test_note("plane %s: moved by %.1e in 10 s, worst E %.1e", ut_planar_name(PLANES[k]), most,
                  lab.worst);
        CHECK(most <= 1e-11);
        lab_end(&lab);
    }
}

// ---- pendulums ----------------------------------------------------------------------------------

static Lab double_pendulum(bool planar, utIntegrator integrator)
{
    Lab lab = planar_lab(0.001, UT_PLANAR_XZ);
    lab.options.planar = planar ? UT_PLANAR_XZ : UT_PLANAR_NONE;
    lab.options.integrator = integrator;
    int parent = 0;
    for (int k = 0; k < 2; k++) {
        utBodyDef body = ut_body_def();
        body.parent = parent;
        body.pos = ut_vec3(k == 0 ? 0.0 : 0.5, 0.1 * k, 0.0);
        body.inertial = true;
        body.mass = 2.0 - k;
        body.com = ut_vec3(0.3, -0.1, 0.0);
        body.inertia = ut_mat3_diagonal(ut_vec3(0.02, 0.05, 0.06));
        parent = ut_model_def_body(lab.def, &body);
        utJointDef joint = ut_joint_def(parent, UT_JOINT_HINGE);
        joint.axis = ut_vec3(0, k == 0 ? 1 : -1, 0);
        ut_model_def_joint(lab.def, &joint);
    }
    lab_start(&lab);
    return lab;
}

// The same hinges in the plane and in space: one motion. Rounding of 1e-15 a step grows with the
// divergence of a double pendulum, less than a thousandfold in 1 s.
TEST(a_planar_double_pendulum_is_that_of_space)
{
    static const utIntegrator all[] = {UT_INTEGRATOR_EULER, UT_INTEGRATOR_RK4,
                                       UT_INTEGRATOR_MIDPOINT};
    for (int k = 0; k < 3; k++) {
        Lab planar = double_pendulum(true, all[k]), space = double_pendulum(false, all[k]);
        const double before = ut_sim_energy(planar.sim);
        lab_run(&planar, 1000, 0, ut_vec3_zero());
        lab_run(&space, 1000, 0, ut_vec3_zero());
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(ut_sim_q(planar.sim)[i], ut_sim_q(space.sim)[i], 1e-11);
            CHECK_NEAR(ut_sim_v(planar.sim)[i], ut_sim_v(space.sim)[i], 1e-10);
        }
        CHECK_NEAR(ut_sim_energy(planar.sim), ut_sim_energy(space.sim), 1e-10);
        // RK4 and the midpoint rule keep the energy
        if (all[k] != UT_INTEGRATOR_EULER) {
            CHECK_NEAR(ut_sim_energy(planar.sim), before, 1e-6);
        }
        lab_end(&planar);
        lab_end(&space);
    }
}

// ---- pushing ------------------------------------------------------------------------------------

// A pusher that is moved at 0.5 m/s takes a block along; each step it gives mu m g h, against
// friction. The pusher is frictionless and pushes at the block's lower half: at the height of the
// floor's friction it would not tip it either way.
TEST(a_planar_block_is_pushed_by_a_mocap_body)
{
    const double h = 0.01, m = 2.0, mu = 0.3, speed = 0.5;
    Lab lab = planar_lab(h, UT_PLANAR_XY);
    const int floor = lab_plane(&lab, ut_vec3_zero(), ut_vec3(0, 1, 0), mu);
    const int block =
        boxes_at(&lab, UT_PLANAR_XY, ut_vec3(0, 0.2, 0), 0.0, ut_vec3(0.3, 0.2, 0.1), m, mu);
    utBodyDef body = ut_body_def();
    body.mocap = true;
    body.pos = ut_vec3(-0.4, 0.1, 0.5); // at another depth: figures meet all the same
    const int pusher = ut_model_def_body(lab.def, &body);
    utGeomDef geom = ut_geom_def(pusher, UT_SHAPE_BOX, ut_vec3(0.1, 0.05, 0.01));
    geom.friction = 0.0;
    geom.priority = 1;
    ut_model_def_geom(lab.def, &geom);
    lab_start(&lab);
    utStepResult result;
    for (int k = 1; k <= 100; k++) {
        const double pos[3] = {-0.4 + speed * h * k, 0.1, 0.5};
        const utInput input = {.mocap_pos = pos};
        lab_step(&lab, &input, &result);
    }
    CHECK_NEAR(ut_sim_v(lab.sim)[0], speed, 1e-9);
    CHECK_NEAR(ut_sim_v(lab.sim)[2], 0.0, 1e-9);
    CHECK_NEAR(ut_sim_q(lab.sim)[0], speed * h * 100, 1e-9);
    const utVec3 push = lab_between(&lab, &result.report, pusher, block);
    CHECK_NEAR(push.x, mu * m * G * h, 1e-9);
    const utVec3 stand = lab_from(&result.report, floor);
    CHECK_NEAR(stand.y, m * G * h, 1e-9);
    CHECK_NEAR(stand.x, -mu * m * G * h, 1e-9);
    lab_end(&lab);
}

// ---- formulations -------------------------------------------------------------------------------

// The velocity after one step of a block that is pushed with a force along x.
static void one_step(utFormulation formulation, const char* solver, double force, double v[3])
{
    Lab lab = planar_lab(0.01, UT_PLANAR_XY);
    lab.options.formulation = formulation;
    lab.options.solver = solver;
    lab_plane(&lab, ut_vec3_zero(), ut_vec3(0, 1, 0), 0.4);
    const int block =
        boxes_at(&lab, UT_PLANAR_XY, ut_vec3(0, 0.1, 0), 0.0, ut_vec3(0.3, 0.1, 0.2), 2.0, 0.4);
    lab_start(&lab);
    lab_run(&lab, 1, block, ut_vec3(force, 0, 0));
    memcpy(v, ut_sim_v(lab.sim), 3 * sizeof *v);
    lab_end(&lab);
}

// In the plane every friction section is the segment [-1, 1]: all formulations give one velocity
// where gaps are 0. Pushed beyond mu m g the block has h (F / m - mu g); pushed by less it rests,
// for `convex` too, which is right where nothing slides. E bounds what is left: 1e-8 of h g = 0.1
// m/s, and the lever makes up to twice that of it.
TEST(all_formulations_agree_on_a_planar_block)
{
    static const utFormulation all[] = {UT_FORMULATION_COULOMB,
                                        UT_FORMULATION_STEWART_TRINKLE,
                                        UT_FORMULATION_STEWART_TRINKLE_VELOCITY,
                                        UT_FORMULATION_ANITESCU_POTRA,
                                        UT_FORMULATION_PEIRET,
                                        UT_FORMULATION_CONVEX};
    const double h = 0.01, m = 2.0, mu = 0.4, hard = 10.0, soft = 5.0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        double v[3];
        one_step(all[k], "auto", soft, v);
        CHECK_NEAR(v[0], 0.0, 2e-9);
        CHECK_NEAR(v[1], 0.0, 2e-9);
        if (all[k] == UT_FORMULATION_CONVEX) {
            continue;
        }
        one_step(all[k], "auto", hard, v);
        CHECK_NEAR(v[0], h * (hard / m - mu * G), 2e-9);
        CHECK_NEAR(v[1], 0.0, 2e-9);
        CHECK_NEAR(v[2], 0.0, 2e-9);
    }
}

// And it is an LCP: solvers of those take it under the exact law too, next to those of cones. (Not
// principal pivoting and Gauss-Seidel, which want another matrix than friction gives.)
TEST(planar_coulomb_is_solved_by_solvers_of_lcps_and_of_cones)
{
    static const char* const all[] = {"lemke", "enumerate", "ipm", "proximal", "newton", "nsgs"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        double v[3];
        one_step(UT_FORMULATION_COULOMB, all[k], 10.0, v);
        CHECK_NEAR(v[0], 0.01 * (10.0 / 2.0 - 0.4 * G), 3e-9);
        CHECK_NEAR(v[2], 0.0, 3e-9);
    }
}
