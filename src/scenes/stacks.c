// SPDX-License-Identifier: Apache-2.0
// Stacked boxes: stacks, pyramids, walls, a wedged stack; and a table.
//
// Touching boxes are placed at odd multiples of half their height, each rounded once. The gap of two
// neighbours is then less than one unit in the last place of their height.
#include "build.h"

static const double mu = 0.8;

// The centre height of layer k, counted from 0, for boxes of half height `half`.
static double layer(int k, double half)
{
    return (2 * k + 1) * half;
}

static void add_stack(Builder* b, int n, double half, double mass)
{
    for (int k = 0; k < n; k++) {
        ut_scene_free_box(b, ut_scene_name("box%d", k + 1).text, ut_vec3(0.0, 0.0, layer(k, half)),
                          ut_vec3(half, half, half), mass, mu);
    }
}

void ut_scene_stack(Builder* b, const double* arg)
{
    const utOptions options = ut_scene_options(10.0, 0.002);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    add_stack(b, (int)arg[0], 0.1, 1.0);
}

void ut_scene_stackm(Builder* b, const double* arg)
{
    const utOptions options = ut_scene_options(10.0, 0.002);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    add_stack(b, (int)arg[0], 0.5, 1000.0);
}

// Stack i is at column i mod side and row i / side of a grid with a pitch of 0.5 m.
void ut_scene_islands(Builder* b, const double* arg)
{
    const int n = (int)arg[0];
    const double half = 0.1, pitch = 0.5;
    const utOptions options = ut_scene_options(1.0, 0.005);
    int side = 1;
    while (side * side < n) {
        side++;
    }
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    for (int i = 0; i < n; i++) {
        const int column = i % side, row = i / side;
        for (int k = 0; k < 2; k++) {
            ut_scene_free_box(b, ut_scene_name("box%d_%d", i + 1, k + 1).text,
                              ut_vec3(column * pitch, row * pitch, layer(k, half)),
                              ut_vec3(half, half, half), 1.0, mu);
        }
    }
}

// Row r, counted from 0, has n - r cubes, each centred above two cubes of the row below. box1_1 is
// at the lower left.
void ut_scene_pyramid(Builder* b, const double* arg)
{
    const int n = (int)arg[0];
    const double half = 0.1, pitch = 0.21;
    const utOptions options = ut_scene_options(5.0, 0.005);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    for (int r = 0; r < n; r++) {
        for (int i = 0; i < n - r; i++) {
            // centre the row at x = 0
            const double x = (2 * i - (n - r - 1)) * (0.5 * pitch);
            ut_scene_free_box(b, ut_scene_name("box%d_%d", r + 1, i + 1).text,
                              ut_vec3(x, 0.0, layer(r, half)), ut_vec3(half, half, half), 1.0, mu);
        }
    }
}

// ---- wall ---------------------------------------------------------------------------------------

static const double brick_half = 0.1;   // half height and half depth, m; a brick is 2 : 1 : 1
static const double brick_joint = 0.01; // gap between neighbours of a row, m
static const double brick_density = 2.0 / (0.4 * 0.2 * 0.2);

static void add_brick(Builder* b, int row, int column, double x, double half_length)
{
    const utVec3 half = ut_vec3(half_length, brick_half, brick_half);
    const double mass = brick_density * (8.0 * half.x * half.y * half.z);
    ut_scene_free_box(b, ut_scene_name("brick%d_%d", row + 1, column + 1).text,
                      ut_vec3(x, 0.0, layer(row, brick_half)), half, mass, mu);
}

// Every second row is shifted by half a brick. Shorter bricks at its ends make it as long as the
// other rows.
void ut_scene_wall(Builder* b, const double* arg)
{
    const int rows = (int)arg[0], columns = (int)arg[1];
    const double half_length = 2.0 * brick_half;
    const double pitch = 2.0 * half_length + brick_joint;
    const double end_half = 0.5 * (0.5 * pitch - brick_joint);
    const double end_x = 0.5 * (columns - 1) * pitch + half_length - end_half;
    const utOptions options = ut_scene_options(5.0, 0.005);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    for (int r = 0; r < rows; r++) {
        const bool shifted = r % 2 == 1;
        const int whole = shifted ? columns - 1 : columns;
        if (shifted) {
            add_brick(b, r, 0, -end_x, end_half);
        }
        for (int i = 0; i < whole; i++) {
            const double x = (2 * i - (whole - 1)) * (0.5 * pitch);
            add_brick(b, r, shifted ? i + 1 : i, x, half_length);
        }
        if (shifted) {
            add_brick(b, r, columns, end_x, end_half);
        }
    }
}

// ---- wedge --------------------------------------------------------------------------------------

enum { MAX_WEDGE = 100 };

// No velocity opens all contacts, and the normal forces between floor and ceiling are not unique.
// The middle box (the upper one of two) is pushed along x.
void ut_scene_wedge(Builder* b, const double* arg)
{
    const int n = (int)arg[0];
    const double half = 0.1;
    const utOptions options = ut_scene_options(1.0, 0.002);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    ut_scene_plane(b, "ceiling", ut_vec3(0.0, 0.0, 2 * n * half), ut_quat(0.0, 1.0, 0.0, 0.0), mu);
    add_stack(b, n, half, 1.0);
    double v[6 * MAX_WEDGE] = {0};
    v[6 * (n / 2)] = 1.0;
    ut_scene_start(b, 0, NULL, 6 * n, v, 0, NULL);
}

// ---- table --------------------------------------------------------------------------------------

// One body: a slab of 10 kg and four legs of 1 kg with round feet that touch the floor. Three feet
// would carry the table, so the forces on four feet are not unique. Their sum is.
void ut_scene_table(Builder* b, const double* arg)
{
    (void)arg;
    const double radius = 0.03, leg_half = 0.35, slab_half = 0.02;
    const double middle = radius + leg_half; // centre height of a leg
    const double top = middle + leg_half;    // upper end of a leg's axis, lower side of the slab
    const utOptions options = ut_scene_options(2.0, 0.002);
    ut_scene_set_options(b, &options);
    ut_scene_floor(b, mu);
    const int table = ut_scene_body(b, "table", 0, ut_vec3(0.0, 0.0, top + slab_half));
    ut_scene_joint(b, table, "table", UT_JOINT_FREE, ut_vec3(0.0, 0.0, 1.0));
    ut_scene_geom(b, table, "slab", UT_SHAPE_BOX, ut_vec3(0.6, 0.4, slab_half), 10.0, mu);
    for (int i = 0; i < 4; i++) {
        const Name name = ut_scene_name("leg%d", i + 1);
        utGeomDef leg = ut_geom_def(table, UT_SHAPE_CAPSULE, ut_vec3(radius, leg_half, 0.0));
        leg.name = name.text;
        leg.pos = ut_vec3(i % 2 == 0 ? 0.5 : -0.5, i < 2 ? 0.3 : -0.3, -(leg_half + slab_half));
        leg.mass = 1.0;
        leg.friction = mu;
        ut_scene_add_geom(b, &leg);
    }
}
