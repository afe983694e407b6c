// SPDX-License-Identifier: Apache-2.0
// Friction of single bodies: sliding and sticking boxes, rolling balls, rods on their ends.
#include "build.h"

static const utVec3 axis_y = {0.0, 1.0, 0.0};

// ---- boxes --------------------------------------------------------------------------------------

static const utVec3 box_half = {0.2, 0.2, 0.1};

// The box stops after v^2 / (2 mu g) on a straight line for any heading, as the cone is circular.
void ut_scene_slide(Builder* b, const double* arg)
{
    const double heading = ut_scene_radians(arg[0]);
    const double mu = 0.5, speed = 3.0;
    const utOptions options = ut_scene_options(1.5, 0.002);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    ut_scene_free_box(b, "box", ut_vec3(0.0, 0.0, box_half.z), box_half, 1.0, mu);
    const double v[6] = {speed * ut_cos(heading), speed * ut_sin(heading)};
    ut_scene_start(b, 0, NULL, 6, v, 0, NULL);
}

// Gravity is inclined along the heading instead of the floor, so that tan = mu (1 + percent / 100).
// Below 0 percent the box rests; above it accelerates with g (sin - mu cos).
void ut_scene_incline(Builder* b, const double* arg)
{
    const double heading = ut_scene_radians(arg[0]);
    const double mu = 0.5;
    const double slope = mu * (1.0 + 0.01 * arg[1]); // the tangent
    const double down = 9.81 / sqrt(1.0 + slope * slope);
    utOptions options = ut_scene_options(4.0, 0.002);
    options.gravity =
        ut_vec3(slope * down * ut_cos(heading), slope * down * ut_sin(heading), -down);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    ut_scene_free_box(b, "box", ut_vec3(0.0, 0.0, box_half.z), box_half, 1.0, mu);
}

// The floor is inclined by a rotation about y. Downhill is toward +x.
void ut_scene_slope(Builder* b, const double* arg)
{
    const double angle = ut_scene_radians(arg[0]), mu = arg[1];
    const utQuat quat = ut_quat_from_axis_angle(axis_y, angle);
    const utVec3 normal = ut_vec3(ut_sin(angle), 0.0, ut_cos(angle));
    const utShape box = {.kind = UT_SHAPE_BOX, .size = box_half};
    const utOptions options = ut_scene_options(2.0, 0.002);
    ut_scene_set_options(b, &options);
    ut_scene_plane(b, "floor", ut_vec3_zero(), quat, mu);
    ut_scene_free(b, "box", ut_vec3_scale(normal, box_half.z), quat, box, 1.0, mu);
}

// ---- rolling ------------------------------------------------------------------------------------

// Three slides and a ball joint allow the motion of a free joint, and motors can act on slides.
static void add_slab(Builder* b, utVec3 half, double mass, double mu)
{
    const int slab = ut_scene_body(b, "slab", 0, ut_vec3(0.0, 0.0, half.z));
    const int x = ut_scene_joint(b, slab, "slab_x", UT_JOINT_SLIDE, ut_vec3(1.0, 0.0, 0.0));
    const int y = ut_scene_joint(b, slab, "slab_y", UT_JOINT_SLIDE, ut_vec3(0.0, 1.0, 0.0));
    ut_scene_joint(b, slab, "slab_z", UT_JOINT_SLIDE, ut_vec3(0.0, 0.0, 1.0));
    ut_scene_joint(b, slab, "slab_turn", UT_JOINT_BALL, ut_vec3(0.0, 0.0, 1.0));
    ut_scene_geom(b, slab, "slab", UT_SHAPE_BOX, half, mass, mu);
    ut_scene_motor(b, x, "push_x");
    ut_scene_motor(b, y, "push_y");
}

// A force of 150 N pushes the slab, which slips on the ground with friction 0.4 * 35 kg * g
// = 137.34 N. The balls roll without slipping and accelerate with 2/7 of the slab's acceleration a,
// so (10 + 25 * 2/7) a = 150 - 137.34.
void ut_scene_rolling(Builder* b, const double* arg)
{
    (void)arg;
    const double ground_mu = 0.4, ball_mu = 0.8, radius = 0.5, pitch = 2.0, force = 150.0;
    const double heading = ut_scene_radians(60.0);
    const utVec3 half = ut_vec3(10.0, 10.0, 0.5);
    const utShape ball = {.kind = UT_SHAPE_SPHERE, .size = ut_vec3(radius, 0.0, 0.0)};
    const utOptions options = ut_scene_options(4.0, 0.002);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, ground_mu);
    add_slab(b, half, 10.0, ground_mu);
    for (int i = 0; i < 25; i++) {
        const int column = i % 5 - 2, row = i / 5 - 2;
        const utVec3 pos = ut_vec3(column * pitch, row * pitch, 2.0 * half.z + radius);
        ut_scene_free(b, ut_scene_name("ball%d", i + 1).text, pos, ut_quat_identity(), ball, 1.0,
                      ball_mu);
    }
    const double ctrl[2] = {force * ut_cos(heading), force * ut_sin(heading)};
    ut_scene_start(b, 0, NULL, 0, NULL, 2, ctrl);
}

// ---- rods ---------------------------------------------------------------------------------------

// Add a rod inclined toward +x at `angle` from the floor. The centre of its lower round end is above
// the origin. The axis has length 2 half.
static int add_rod(Builder* b, double angle, double radius, double half, double mu)
{
    const double c = ut_cos(angle), s = ut_sin(angle);
    utBodyDef rod = ut_body_def();
    rod.name = "rod";
    rod.pos = ut_vec3(half * c, 0.0, radius + half * s);
    // rotate z to (cos, 0, sin): about y by 90 degrees minus angle
    rod.quat = ut_quat_from_axis_angle(axis_y, ut_scene_radians(90.0) - angle);
    // the inertia of a thin rod: m L^2 / 12 across
    const double across = half * half / 3.0;
    rod.inertial = true;
    rod.mass = 1.0;
    rod.inertia = ut_mat3_diagonal(ut_vec3(across, across, 0.5 * radius * radius));
    const int body = ut_scene_add_body(b, &rod);
    ut_scene_joint(b, body, "rod", UT_JOINT_FREE, ut_vec3(0.0, 0.0, 1.0));
    ut_scene_geom(b, body, "rod", UT_SHAPE_CAPSULE, ut_vec3(radius, half, 0.0), 1.0, mu);
    return body;
}

// The rod stands if mu >= cos / (2 (sin + r / L)). The floor carries the weight, N = m g, and its
// friction balances the force H <= mu N of the wall. Moments about the centre of the lower end
// balance if H (L sin + r) = m g L cos / 2, because the friction acts r below that centre.
void ut_scene_ladder(Builder* b, const double* arg)
{
    const double angle = ut_scene_radians(arg[0]), mu = arg[1];
    const double radius = 0.02, half = 1.0;
    const utOptions options = ut_scene_options(2.0, 0.002);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    // a plane with normal -x
    ut_scene_plane(b, "wall", ut_vec3(2.0 * half * ut_cos(angle) + radius, 0.0, 0.0),
                   ut_quat(1.0, 0.0, -1.0, 0.0), 0.0);
    add_rod(b, angle, radius, half, 0.0);
}

// The tip slides toward -x, so friction turns the rod into the floor. A unit normal force gives the
// tip the normal acceleration (1 + 3 cos (cos - mu sin)) / m. It is negative for mu > 4/3 at some
// angles, first at tan = 2, where it is -0.8 for mu = 2. Then no finite force obeys the contact law,
// but an impulse does.
void ut_scene_painleve(Builder* b, const double* arg)
{
    const double angle = ut_scene_radians(arg[0]), mu = arg[1];
    const utOptions options = ut_scene_options(0.5, 0.001);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    add_rod(b, angle, 0.001, 0.5, mu);
    const double v[6] = {-3.0};
    ut_scene_start(b, 0, NULL, 6, v, 0, NULL);
}
