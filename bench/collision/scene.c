// SPDX-License-Identifier: Apache-2.0
// Grids, heaps, pairs.
#include "scene.h"

#include <math.h>
#include <uptack/geom.h>

enum { LAYERS = 10 };

const char* scene_name(SceneKind kind)
{
    static const char* const names[SCENES] = {"grid", "heap", "moving"};
    return names[kind];
}

const char* scene_what(SceneKind kind)
{
    static const char* const what[SCENES] = {
        "columns of ten boxes on a plane, at rest",
        "boxes and spheres packed ten deep on a plane, at rest",
        "the same, everybody moving at about 1 m/s and 1 rad/s, 10 ms a step",
    };
    return what[kind];
}

static void set_pose(Body* body, utVec3 p, utMat3 R)
{
    body->p[0] = p.x;
    body->p[1] = p.y;
    body->p[2] = p.z;
    for (int i = 0; i < 9; i++) {
        body->R[i] = R.m[i / 3][i % 3];
    }
}

static void set_shape(Body* body, BodyKind kind, double x, double y, double z)
{
    body->kind = kind;
    body->size[0] = x;
    body->size[1] = y;
    body->size[2] = z;
}

static utVec3 random_unit(utRng* rng)
{
    utVec3 unit;
    double x, y, z;
    do {
        x = ut_rng_range(rng, -1.0, 1.0);
        y = ut_rng_range(rng, -1.0, 1.0);
        z = ut_rng_range(rng, -1.0, 1.0);
    } while (x * x + y * y + z * z > 1.0 || !ut_vec3_normalize(ut_vec3(x, y, z), &unit));
    return unit;
}

// the place of body i of a block that is ten high
static utVec3 place(int i, int count, double across, double up)
{
    const int side = (int)ceil(sqrt((double)count / LAYERS));
    const int column = i / LAYERS, layer = i % LAYERS;
    return ut_vec3(across * (column % side), across * (double)(column / side), up * (layer + 0.5));
}

static void make_grid_body(int i, int count, Body* body)
{
    set_shape(body, BODY_BOX, 0.5, 0.5, 0.5);
    set_pose(body, place(i, count, 1.03, 0.9999), ut_mat3_identity());
}

static void make_heap_body(int i, int count, double time, Body* body)
{
    utRng rng = ut_rng(7, (uint64_t)i);
    if (i % 2 == 0) {
        set_shape(body, BODY_BOX, 0.35, 0.4, 0.45);
    } else {
        set_shape(body, BODY_SPHERE, 0.5, 0.0, 0.0);
    }
    const utVec3 jitter = random_unit(&rng), way = random_unit(&rng), axis = random_unit(&rng);
    const double phase = ut_rng_range(&rng, 0.0, 6.0), angle = ut_rng_range(&rng, 0.0, 3.0);
    utVec3 p = ut_vec3_add_scaled(place(i, count, 0.95, 0.95), 0.05, jitter);
    p = ut_vec3_add_scaled(p, 0.25 * sin(phase + 5.0 * time), way);
    set_pose(body, p, ut_quat_to_mat3(ut_quat_from_axis_angle(axis, angle + time)));
}

void scene_make(SceneKind kind, int count, double time, Body* body)
{
    set_shape(&body[0], BODY_PLANE, 0.0, 0.0, 0.0);
    set_pose(&body[0], ut_vec3_zero(), ut_mat3_identity());
    for (int i = 1; i < count; i++) {
        if (kind == SCENE_GRID) {
            make_grid_body(i - 1, count - 1, &body[i]);
        } else {
            make_heap_body(i - 1, count - 1, kind == SCENE_MOVING ? time : 0.0, &body[i]);
        }
    }
}

// ---- pairs --------------------------------------------------------------------------------------

static utMat3 rotation_of(const Body* body)
{
    utMat3 R;
    for (int i = 0; i < 9; i++) {
        R.m[i / 3][i % 3] = body->R[i];
    }
    return R;
}

static void random_body(BodyKind kind, utRng* rng, Body* body)
{
    const double x = ut_rng_range(rng, 0.3, 0.6), y = ut_rng_range(rng, 0.3, 0.6);
    set_shape(body, kind, x, y, ut_rng_range(rng, 0.3, 0.6));
    const utVec3 axis = random_unit(rng);
    const utQuat turn = ut_quat_from_axis_angle(axis, ut_rng_range(rng, 0.0, 3.1));
    set_pose(body, ut_vec3_zero(), kind == BODY_PLANE ? ut_mat3_identity() : ut_quat_to_mat3(turn));
}

void body_corners(const Body* body, double corner[HULL_POINTS][3])
{
    static const double c[6] = {1.0, 0.5, -0.5, -1.0, -0.5, 0.5}; // 0, 60 ... 300 degrees
    static const double s[6] = {0.0, 0.86602540378443865,  0.86602540378443865,
                                0.0, -0.86602540378443865, -0.86602540378443865};
    for (int i = 0; i < HULL_POINTS; i++) {
        corner[i][0] = body->size[0] * c[i % 6];
        corner[i][1] = body->size[1] * s[i % 6];
        corner[i][2] = i < 6 ? -body->size[2] : body->size[2];
    }
}

static utVec3 farthest_corner(const Body* body, utVec3 d)
{
    double corner[HULL_POINTS][3];
    body_corners(body, corner);
    utVec3 best = ut_vec3_zero();
    for (int i = 0; i < HULL_POINTS; i++) {
        const utVec3 x = ut_vec3(corner[i][0], corner[i][1], corner[i][2]);
        best = i == 0 || ut_vec3_dot(d, x) > ut_vec3_dot(d, best) ? x : best;
    }
    return best;
}

// the point of a body at the origin that is farthest along n
static utVec3 farthest(const Body* body, utVec3 n)
{
    static const utShapeKind kinds[BODY_KINDS] = {UT_SHAPE_PLANE,    UT_SHAPE_SPHERE,
                                                  UT_SHAPE_CAPSULE,  UT_SHAPE_BOX,
                                                  UT_SHAPE_CYLINDER, UT_SHAPE_ELLIPSOID};
    if (body->kind == BODY_PLANE) {
        return ut_vec3_zero();
    }
    if (body->kind == BODY_HULL) {
        const utMat3 turn = rotation_of(body);
        return ut_mat3_mul_vec(turn, farthest_corner(body, ut_mat3_tmul_vec(turn, n)));
    }
    const utShape shape =
        ut_shape(kinds[body->kind], ut_vec3(body->size[0], body->size[1], body->size[2]));
    const utMat3 R = rotation_of(body);
    return ut_mat3_mul_vec(R, ut_shape_support(&shape, ut_mat3_tmul_vec(R, n)));
}

// Where n is normal to both surfaces. Every other pair rests: their z axes agree and are that
// normal, and b stands over the middle of a.
void scene_pair(BodyKind a, BodyKind b, uint64_t seed, double gap, Body body[2])
{
    utRng rng = ut_rng(11, seed);
    random_body(a, &rng, &body[0]);
    random_body(b, &rng, &body[1]);
    const bool rests = seed % 2 == 0;
    const utVec3 z = ut_mat3_column(rotation_of(&body[0]), 2);
    const utVec3 n = a == BODY_PLANE || rests ? z : random_unit(&rng);
    if (rests) {
        const double angle = ut_rng_range(&rng, 0.0, 3.1);
        const utMat3 turn = ut_quat_to_mat3(ut_quat_from_axis_angle(z, angle));
        set_pose(&body[1], ut_vec3_zero(), ut_mat3_mul(turn, rotation_of(&body[0])));
    }
    const utVec3 touching =
        ut_vec3_sub(farthest(&body[0], n), farthest(&body[1], ut_vec3_negate(n)));
    const utVec3 over = ut_vec3_scale(n, ut_vec3_dot(n, touching));
    set_pose(&body[1], ut_vec3_add_scaled(rests ? over : touching, gap, n), rotation_of(&body[1]));
}
