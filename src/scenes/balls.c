// SPDX-License-Identifier: Apache-2.0
// Scenes of many falling bodies: grids of balls, and a pile of mixed shapes.
#include "build.h"

// ---- balls --------------------------------------------------------------------------------------

static const double ball_radius = 0.1;
static const double ball_pitch = 0.21;

// Add a grid of side x side x layers balls of 10 kg, the first at (0, 0, 0.101). Each ball is shifted by
// less than 0.001 m along every axis, so that no column of balls stays upright by symmetry.
static void add_balls(Builder* b, int side, int layers, double friction)
{
    const utShape ball = {.kind = UT_SHAPE_SPHERE, .size = ut_vec3(ball_radius, 0.0, 0.0)};
    utRng rng = ut_rng(1, 0);
    int count = 0;
    for (int k = 0; k < layers; k++) {
        for (int j = 0; j < side; j++) {
            for (int i = 0; i < side; i++) {
                // three statements, because C does not fix the order in which arguments are evaluated
                const double x = i * ball_pitch + ut_rng_range(&rng, 0.0, 0.001);
                const double y = j * ball_pitch + ut_rng_range(&rng, 0.0, 0.001);
                const double z = 0.101 + k * ball_pitch + ut_rng_range(&rng, 0.0, 0.001);
                count++;
                ut_scene_free(b, ut_scene_name("ball%d", count).text, ut_vec3(x, y, z),
                              ut_quat_identity(), ball, 10.0, friction);
            }
        }
    }
}

void ut_scene_balls216(Builder* b, const double* arg)
{
    (void)arg;
    const utOptions options = ut_scene_options(10.0, 0.01);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, 0.0);
    add_balls(b, 6, 6, 0.0);
}

// The size of a bin.
typedef struct Bin {
    double middle;      // x and y of its centre, m
    double face;        // distance of the inner faces from there, m
    double half_height; // m
    double friction;
} Bin;

// Add a wall of the bin. Its inner face is at a distance `face` from the centre along (dx, dy).
static void add_bin_wall(Builder* b, const char* name, const Bin* bin, double dx, double dy)
{
    const double middle = bin->middle, face = bin->face, half = 0.1, half_height = bin->half_height;
    const double half_width = face + 2.0 * half; // walls overlap at the corners
    const bool along_x = dx != 0.0;
    utGeomDef wall =
        ut_geom_def(0, UT_SHAPE_BOX,
                    ut_vec3(along_x ? half : half_width, along_x ? half_width : half, half_height));
    wall.name = name;
    wall.pos = ut_vec3(middle + dx * (face + half), middle + dy * (face + half), half_height);
    wall.friction = bin->friction;
    ut_scene_add_geom(b, &wall);
}

static void add_bin(Builder* b, const Bin* bin)
{
    ut_scene_floor(b, bin->friction);
    add_bin_wall(b, "wall_left", bin, -1.0, 0.0);
    add_bin_wall(b, "wall_right", bin, 1.0, 0.0);
    add_bin_wall(b, "wall_front", bin, 0.0, -1.0);
    add_bin_wall(b, "wall_back", bin, 0.0, 1.0);
}

void ut_scene_balls648(Builder* b, const double* arg)
{
    (void)arg;
    const Bin bin = {.middle = 0.525, .face = 0.7, .half_height = 2.5, .friction = 0.8};
    const utOptions options = ut_scene_options(5.0, 0.01);
    ut_scene_set_options(b, &options);
    add_bin(b, &bin);
    add_balls(b, 6, 18, bin.friction);
}

// As balls648, in any size: the bin has 0.175 m between the centres of the outer balls and its faces.
void ut_scene_balls(Builder* b, const double* arg)
{
    const int side = (int)arg[0], layers = (int)arg[1];
    const double width = (side - 1) * ball_pitch;
    const Bin bin = {.middle = 0.5 * width,
                     .face = 0.5 * width + 0.175,
                     .half_height = 0.5 * (layers + 6) * ball_pitch,
                     .friction = 0.8};
    const utOptions options = ut_scene_options(5.0, 0.01);
    ut_scene_set_options(b, &options);
    add_bin(b, &bin);
    add_balls(b, side, layers, bin.friction);
}

// ---- pile ---------------------------------------------------------------------------------------

// A uniformly distributed rotation: draw points of the cube in four dimensions until one is in the
// unit ball, which 31 % are, and normalize it.
static utQuat random_rotation(utRng* rng)
{
    for (;;) {
        utQuat q;
        q.w = ut_rng_range(rng, -1.0, 1.0);
        q.x = ut_rng_range(rng, -1.0, 1.0);
        q.y = ut_rng_range(rng, -1.0, 1.0);
        q.z = ut_rng_range(rng, -1.0, 1.0);
        const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        if (square <= 1.0 && square > 0.01) {
            ut_quat_normalize(q, &q);
            return q;
        }
    }
}

static utShape random_shape(utRng* rng)
{
    utShape shape = {.kind = UT_SHAPE_BOX, .size = ut_vec3_zero()};
    const int kind = ut_rng_below(rng, 3);
    shape.size.x = ut_rng_range(rng, 0.05, 0.1);
    shape.size.y = ut_rng_range(rng, 0.05, 0.1);
    shape.size.z = ut_rng_range(rng, 0.05, 0.1);
    if (kind == 1) {
        shape.kind = UT_SHAPE_SPHERE;
    } else if (kind == 2) {
        shape.kind = UT_SHAPE_CAPSULE;
        shape.size.x *= 0.7;
    }
    return shape;
}

// Fill a cubic grid layer by layer. The pitch keeps bodies apart in any rotation: a box extends
// 0.1 sqrt 3 = 0.174 m from its centre, a capsule 0.07 + 0.1 m.
void ut_scene_pile(Builder* b, const double* arg)
{
    const int n = (int)arg[0];
    const double pitch = 0.36, mu = 0.6, density = 1000.0;
    int side = 1;
    while (side * side * side < n) {
        side++;
    }
    const utOptions options = ut_scene_options(5.0, 0.005);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    for (int i = 0; i < n; i++) {
        // one random stream per body, so that a larger pile begins with the bodies of a smaller one
        utRng rng = ut_rng((uint64_t)arg[1], (uint64_t)i);
        const utShape shape = random_shape(&rng);
        const utQuat quat = random_rotation(&rng);
        const int column = i % side, row = i / side % side, layer = i / (side * side);
        const utVec3 pos = ut_vec3((2 * column - (side - 1)) * (0.5 * pitch),
                                   (2 * row - (side - 1)) * (0.5 * pitch), (layer + 0.5) * pitch);
        ut_scene_free(b, ut_scene_name("body%d", i + 1).text, pos, quat, shape,
                      density * ut_shape_volume(&shape), mu);
    }
}
