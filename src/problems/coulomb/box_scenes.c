// SPDX-License-Identifier: Apache-2.0
// Scenes of boxes that lie on one another: stack, wedge, wall, table, ramp.
#include "scene_builder.h"

// ---- stack and wedge ----------------------------------------------------------------------------

// A stack of cubes with a `gap` below each. @return height of its top
static double pile_up(utBuild* build, double gap)
{
    const utFrictionDef* def = build->def;
    double half = 0.5 * def->size;
    ut_build_ground(build);
    double height = 0.0;
    int below = UT_BUILD_WORLD;
    for (int k = 0; k < def->count; k++) {
        double x = def->size * ut_rng_range(&build->rng, -def->jitter, def->jitter);
        double y = def->size * ut_rng_range(&build->rng, -def->jitter, def->jitter);
        double mass = k == def->count - 1 ? def->ratio * def->mass : def->mass;
        height += gap;
        int cube = ut_build_add(
            build, ut_build_box(ut_vec3(x, y, height + half), ut_vec3(half, half, half), mass));
        ut_build_face(build, below, cube, 2, gap);
        height += def->size;
        below = cube;
    }
    ut_build_push(build, def->count / 2);
    return height;
}

void ut_build_stack(utBuild* build)
{
    pile_up(build, build->def->gap);
}

void ut_build_wedge(utBuild* build)
{
    double height = pile_up(build, 0.0) + build->def->gap;
    const utFrictionBody* ground = ut_build_body(build, UT_BUILD_WORLD);
    utVec3 center = ut_vec3(0.0, 0.0, height + ground->half.z);
    int ceiling = ut_build_add_fixed(build, ut_build_box(center, ground->half, 0.0));
    ut_build_face(build, ceiling, build->used.bodies - 1, 2, build->def->gap);
}

// ---- wall ---------------------------------------------------------------------------------------

// Add a brick from x = start to start + length, in half bricks.
static int lay_brick(utBuild* build, int row, int start, int length)
{
    const utFrictionDef* def = build->def;
    double half = 0.5 * def->size;
    double x = (start + 0.5 * length - def->columns) * def->size;
    double z = (row + 0.5) * def->size + (row + 1) * def->gap;
    return ut_build_add(build, ut_build_box(ut_vec3(x, 0.0, z), ut_vec3(length * half, half, half),
                                            0.5 * length * def->mass));
}

// Add a course of bricks. @return their number
static int lay_course(utBuild* build, int row)
{
    int end = 2 * build->def->columns;
    int bricks = 0;
    for (int start = 0; start < end; bricks++) {
        bool half = row % 2 == 1 && (start == 0 || start == end - 1);
        int length = half ? 1 : 2;
        lay_brick(build, row, start, length);
        start += length;
    }
    return bricks;
}

void ut_build_wall(utBuild* build)
{
    const utFrictionDef* def = build->def;
    ut_build_ground(build);
    int below = 0; // first brick of the course below
    int pushed = 0;
    for (int row = 0; row < def->rows; row++) {
        int first = build->used.bodies;
        int bricks = lay_course(build, row);
        for (int b = first; b < first + bricks; b++) {
            if (row == 0) {
                ut_build_face(build, UT_BUILD_WORLD, b, 2, def->gap);
            }
            for (int a = below; a < first; a++) {
                ut_build_face(build, a, b, 2, def->gap);
            }
            if (def->sides && b > first) {
                ut_build_face(build, b - 1, b, 0, 0.0);
            }
        }

        if (row == def->rows / 2) {
            pushed = first + bricks / 2;
        }
        if (row == def->rows - 1) {
            build->bodies[first + bricks / 2].mass *= def->ratio;
            ut_build_inertia(&build->bodies[first + bricks / 2]);
        }
        below = first;
    }
    ut_build_push(build, pushed);
}

// ---- table --------------------------------------------------------------------------------------

void ut_build_table(utBuild* build)
{
    const utFrictionDef* def = build->def;
    const double s = def->size;
    ut_build_ground(build);

    // the slab of 8 x 6 x 1 half cubes, its underside three cubes above its feet
    utVec3 slab = ut_vec3(2.0 * s, 1.5 * s, 0.25 * s);
    utVec3 center = ut_vec3(0.0, 0.0, def->gap + 3.0 * s + slab.z);
    int table = ut_build_add(build, ut_build_box(center, slab, def->mass));
    for (int foot = 0; foot < 4; foot++) {
        utVec3 point = ut_vec3(foot % 2 == 0 ? -slab.x : slab.x, foot / 2 == 0 ? -slab.y : slab.y,
                               0.5 * def->gap);
        ut_build_contact(build, UT_BUILD_WORLD, table, point, ut_vec3(0.0, 0.0, 1.0), def->gap);
    }

    // the load
    utVec3 half = ut_vec3(0.5 * s, 0.5 * s, 0.5 * s);
    utVec3 place = ut_vec3(s, 0.5 * s, center.z + slab.z + def->gap + half.z);
    int load = ut_build_add(build, ut_build_box(place, half, def->ratio * def->mass));
    ut_build_face(build, table, load, 2, def->gap);
    ut_build_push(build, load);
}

// ---- ramp ---------------------------------------------------------------------------------------

void ut_build_ramp(utBuild* build)
{
    const utFrictionDef* def = build->def;
    // axes of the slope: downhill, across and normal
    double tangent = def->fraction * def->mu_min;
    double cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    double sine = tangent * cosine;
    double turn_sine, turn_cosine;
    ut_sincos(def->turn, &turn_sine, &turn_cosine);
    utVec3 down = ut_vec3(cosine * turn_cosine, cosine * turn_sine, -sine);
    utVec3 across = ut_vec3(-turn_sine, turn_cosine, 0.0);
    utVec3 up = ut_vec3(sine * turn_cosine, sine * turn_sine, cosine);
    utMat3 R = ut_mat3_from_columns(down, across, up);

    double half = 0.5 * def->size;
    utVec3 slab = ut_vec3(8.0 * half, 8.0 * half, half);
    utFrictionBody ramp = ut_build_box(ut_vec3_scale(up, -half), slab, 0.0);
    ramp.R = R;
    ut_build_add_fixed(build, ramp);

    utVec3 flat = ut_vec3(2.5 * half, 2.5 * half, half);
    utFrictionBody box = ut_build_box(ut_vec3_scale(up, def->gap + half), flat, def->mass);
    box.R = R;
    ut_build_add(build, box);
    ut_build_face(build, UT_BUILD_WORLD, 0, 2, def->gap);
    ut_build_push(build, 0);
}
