// SPDX-License-Identifier: Apache-2.0
// Scenes with bilateral rows: grasp and chain.
#include "scene_builder.h"

static const utVec3 AXIS[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

// ---- grasp --------------------------------------------------------------------------------------

// Allow a body to move only along x: y and z are fixed at two points of that axis, and y at a third
// point beside it.
static void guide_along_x(utBuild* build, int body)
{
    const utFrictionBody* plate = ut_build_body(build, body);
    for (int end = -1; end <= 1; end += 2) {
        utVec3 point = ut_vec3_add_scaled(plate->center, end * plate->half.x, AXIS[0]);
        ut_build_joint(build, UT_BUILD_WORLD, body, point, AXIS[1]);
        ut_build_joint(build, UT_BUILD_WORLD, body, point, AXIS[2]);
    }
    utVec3 above = ut_vec3_add_scaled(plate->center, plate->half.z, AXIS[2]);
    ut_build_joint(build, UT_BUILD_WORLD, body, above, AXIS[1]);
}

void ut_build_grasp(utBuild* build)
{
    const utFrictionDef* def = build->def;
    const double s = def->size;
    const double height = 2.0 * s;
    const int n = def->count;
    utVec3 half = ut_vec3(0.5 * s, 0.5 * s, 0.5 * s);
    for (int k = 0; k < n; k++) {
        double mass = k == n / 2 ? def->ratio * def->mass : def->mass;
        utVec3 center = ut_vec3((k - 0.5 * (n - 1)) * s, 0.0, height);
        ut_build_add(build, ut_build_box(center, half, mass));
    }

    // plates at the ends of the row: body n on the left, n + 1 on the right
    utVec3 thin = ut_vec3(0.25 * s, 0.75 * s, 0.75 * s);
    for (int end = -1; end <= 1; end += 2) {
        utVec3 center = ut_vec3(end * (0.5 * n * s + thin.x), 0.0, height);
        utFrictionBody plate = ut_build_box(center, thin, def->mass);
        plate.impulse = ut_vec3(-end * def->press, 0.0, 0.0);
        guide_along_x(build, ut_build_add(build, plate));
    }

    for (int k = 0; k <= n; k++) {
        ut_build_face(build, k == 0 ? n : k - 1, k == n ? n + 1 : k, 0, 0.0);
    }
    ut_build_push(build, n / 2);
}

// ---- chain --------------------------------------------------------------------------------------

// The ball joints of a link: one at `center`, or two or three around it.
static void link_balls(utBuild* build, int a, int b, utVec3 center)
{
    const int balls = build->def->balls;
    const double q = 0.25 * build->def->size;
    const utVec3 around[3] = {{0.0, -q, 0.0}, {0.0, q, 0.0}, {0.0, 0.0, q}};
    for (int ball = 0; ball < balls; ball++) {
        utVec3 point = balls == 1 ? center : ut_vec3_add(center, around[ball]);
        for (int k = 0; k < 3; k++) {
            ut_build_joint(build, a, b, point, AXIS[k]);
        }
    }
}

void ut_build_chain(utBuild* build)
{
    const utFrictionDef* def = build->def;
    const double apart = 1.5 * def->size;
    const int n = def->count;
    double half = 0.5 * def->size;
    ut_build_ground(build);
    for (int k = 0; k < n; k++) {
        double mass = k == n - 1 ? def->ratio * def->mass : def->mass;
        utVec3 center = ut_vec3((k - 0.5 * (n - 1)) * apart, 0.0, def->gap + half);
        ut_build_add(build, ut_build_box(center, ut_vec3(half, half, half), mass));
        ut_build_face(build, UT_BUILD_WORLD, k, 2, def->gap);
        if (k > 0) {
            link_balls(build, k - 1, k, ut_vec3_add_scaled(center, -0.5 * apart, AXIS[0]));
        }
    }
    ut_build_push(build, n / 2);
}
