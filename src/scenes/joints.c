// SPDX-License-Identifier: Apache-2.0
// Bodies on joints without contacts: pendulums, a chain, a spinning top.
#include "build.h"

// Add a geom that has mass but does not collide.
static void add_ghost(Builder* b, int body, const char* name, utShapeKind kind, utVec3 size,
                      utVec3 pos, double mass)
{
    utGeomDef geom = ut_geom_def(body, kind, size);
    geom.name = name;
    geom.pos = pos;
    geom.mass = mass;
    geom.contype = geom.conaffinity = 0;
    ut_scene_add_geom(b, &geom);
}

// ---- pendulums ----------------------------------------------------------------------------------

// Add a body on a hinge at its origin. It hangs along -z at q = 0 and swings toward +x as q grows.
// The modelled pose has q = `angle`.
static int add_swing(Builder* b, const char* name, int parent, utVec3 pos, double angle)
{
    const utVec3 axis = ut_vec3(0.0, -1.0, 0.0);
    const int body =
        ut_scene_turned_body(b, name, parent, pos, ut_quat_from_axis_angle(axis, angle));
    utJointDef hinge = ut_joint_def(body, UT_JOINT_HINGE);
    hinge.name = name;
    hinge.axis = axis;
    hinge.ref = angle;
    ut_scene_add_joint(b, &hinge);
    return body;
}

// A ball of 1 kg on a massless rod, 1 m below the hinge at the origin: I = 1 + 0.4 * 0.05^2 about
// the hinge.
void ut_scene_pendulum(Builder* b, const double* arg)
{
    const utOptions options = ut_scene_options(10.0, 0.001);
    ut_scene_set_options(b, &options);
    const int body = add_swing(b, "pendulum", 0, ut_vec3_zero(), ut_scene_radians(arg[0]));
    add_ghost(b, body, "bob", UT_SHAPE_SPHERE, ut_vec3(0.05, 0.0, 0.0), ut_vec3(0.0, 0.0, -1.0),
              1.0);
    add_ghost(b, body, "rod", UT_SHAPE_CAPSULE, ut_vec3(0.01, 0.5, 0.0), ut_vec3(0.0, 0.0, -0.5),
              0.0);
}

// Two rods of 1 m and 1 kg, 0.02 m thick.
void ut_scene_pendulum2(Builder* b, const double* arg)
{
    const utVec3 half = ut_vec3(0.01, 0.01, 0.5), middle = ut_vec3(0.0, 0.0, -0.5);
    const utOptions options = ut_scene_options(10.0, 0.001);
    ut_scene_set_options(b, &options);
    const int upper = add_swing(b, "upper", 0, ut_vec3_zero(), ut_scene_radians(arg[0]));
    add_ghost(b, upper, "upper", UT_SHAPE_BOX, half, middle, 1.0);
    const int lower =
        add_swing(b, "lower", upper, ut_vec3(0.0, 0.0, -1.0), ut_scene_radians(arg[1]));
    add_ghost(b, lower, "lower", UT_SHAPE_BOX, half, middle, 1.0);
}

// ---- chain --------------------------------------------------------------------------------------

// The chain begins at the origin and lies along +x. q of a hinge grows when its link falls.
void ut_scene_chain(Builder* b, const double* arg)
{
    const int n = (int)arg[0];
    const double length = 0.1;
    const utOptions options = ut_scene_options(10.0, 0.001);
    ut_scene_set_options(b, &options);
    int parent = 0;
    for (int k = 0; k < n; k++) {
        const Name name = ut_scene_name("link%d", k + 1);
        parent = ut_scene_body(b, name.text, parent, ut_vec3(k == 0 ? 0.0 : length, 0.0, 0.0));
        ut_scene_joint(b, parent, name.text, UT_JOINT_HINGE, ut_vec3(0.0, 1.0, 0.0));
        add_ghost(b, parent, name.text, UT_SHAPE_BOX, ut_vec3(0.5 * length, 0.01, 0.01),
                  ut_vec3(0.5 * length, 0.0, 0.0), 0.1);
    }
}

// ---- top ----------------------------------------------------------------------------------------

// The rate W of steady precession: the smaller root of A cos(tilt) W^2 - C s W + m g l = 0. A and C
// are the moments of inertia about the pivot, across and along the axis; s is the spin about the
// axis, including precession. The root is real for all spins of this scene: C^2 s^2 is at least
// 0.0625 and 4 A m g l is 0.04905. The form used here also holds at a tilt of 90 degrees, where
// the leading coefficient vanishes.
static double precession(double A, double C, double spin, double moment, double cosine)
{
    const double momentum = C * spin;
    return 2.0 * moment / (momentum + sqrt(momentum * momentum - 4.0 * A * cosine * moment));
}

// A disc of 1 kg and radius 0.1 m, 0.1 m above the pivot: C = m r^2 / 2, A = m r^2 / 4 + m l^2.
void ut_scene_top(Builder* b, const double* arg)
{
    const double tilt = ut_scene_radians(arg[0]), spin = arg[1];
    const double mass = 1.0, l = 0.1, C = 0.005, across = 0.0025;
    const double s = ut_sin(tilt), c = ut_cos(tilt);
    const utOptions options = ut_scene_options(5.0, 0.0005);
    ut_scene_set_options(b, &options);

    utBodyDef top = ut_body_def();
    top.name = "top";
    top.quat = ut_quat_from_axis_angle(ut_vec3(0.0, 1.0, 0.0), tilt);
    top.inertial = true;
    top.mass = mass;
    top.com = ut_vec3(0.0, 0.0, l);
    top.inertia = ut_mat3_diagonal(ut_vec3(across, across, C));
    const int body = ut_scene_add_body(b, &top);
    ut_scene_joint(b, body, "top", UT_JOINT_BALL, ut_vec3(0.0, 0.0, 1.0));
    add_ghost(b, body, "stem", UT_SHAPE_CAPSULE, ut_vec3(0.005, 0.5 * l, 0.0),
              ut_vec3(0.0, 0.0, 0.5 * l), 0.0);
    add_ghost(b, body, "disc", UT_SHAPE_BOX, ut_vec3(0.08, 0.08, 0.005), ut_vec3(0.0, 0.0, l), 0.0);

    // the world's z axis is (-sin, 0, cos) in the body's frame
    const double rate = precession(across + mass * l * l, C, spin, mass * 9.81 * l, c);
    const double v[3] = {-rate * s, 0.0, spin};
    ut_scene_start(b, 0, NULL, 3, v, 0, NULL);
}
