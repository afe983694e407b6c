// SPDX-License-Identifier: Apache-2.0
// The judge against hand calculation: `bench_engines --check-judge`, run as a test.
#include <math.h>
#include <stdio.h>

#include "bench_engines.h"
#include "judge.h"

static const double eighth = 0.78539816339744831; // of a turn

static const utShape cube = {.kind = UT_SHAPE_BOX, .size = {0.1, 0.1, 0.1}};
static const utShape ball = {.kind = UT_SHAPE_SPHERE, .size = {0.1, 0.0, 0.0}};
static const utShape rod = {.kind = UT_SHAPE_CAPSULE, .size = {0.02, 0.125, 0.0}};
static const utShape ground = {.kind = UT_SHAPE_PLANE, .size = {0.0, 0.0, 0.0}};

typedef struct Count {
    int passed, failed;
} Count;

static utFrame turned(utVec3 axis, double angle, utVec3 pos)
{
    return ut_frame(ut_quat_to_mat3(ut_quat_from_axis_angle(axis, angle)), pos);
}

static utFrame at(double x, double y, double z)
{
    return ut_frame(ut_mat3_identity(), ut_vec3(x, y, z));
}

// Sums of a few numbers of size 0.1: exact to some 1e-17, wrong by much more when wrong.
static void check(Count* count, const char* what, double found, double expected)
{
    if (fabs(found - expected) <= 1e-14) {
        count->passed++;
    } else {
        count->failed++;
        printf("%s: %.17g, expected %.17g\n", what, found, expected);
    }
}

static void check_overlaps(Count* count)
{
    const utVec3 x = ut_vec3(1.0, 0.0, 0.0), y = ut_vec3(0.0, 1.0, 0.0), z = ut_vec3(0.0, 0.0, 1.0);
    const double diagonal = 0.1 * sqrt(2.0); // half the diagonal of a face
    const utFrame o = at(0.0, 0.0, 0.0);
    check(count, "cube on cube", judge_overlap(&cube, o, &cube, at(0.0, 0.0, 0.19)), 0.01);
    check(count, "cubes apart", judge_overlap(&cube, o, &cube, at(0.0, 0.0, 0.21)), 0.0);
    check(count, "edge of a cube on a face",
          judge_overlap(&cube, o, &cube, turned(z, eighth, ut_vec3(0.23, 0.0, 0.0))),
          0.1 + diagonal - 0.23);
    // both on edge, the edges crossed: only the axis of the two edges tells how deep
    const utFrame on_edge = turned(x, eighth, ut_vec3_zero());
    check(count, "edge on edge",
          judge_overlap(&cube, on_edge, &cube, turned(y, eighth, ut_vec3(0.0, 0.0, 0.27))),
          2.0 * diagonal - 0.27);
    check(count, "edges apart",
          judge_overlap(&cube, on_edge, &cube, turned(y, eighth, ut_vec3(0.0, 0.0, 0.29))), 0.0);
    check(count, "ball on an edge", judge_overlap(&ball, at(0.15, 0.15, 0.0), &cube, o),
          0.1 - 0.05 * sqrt(2.0));
    check(count, "ball within a cube", judge_overlap(&cube, o, &ball, at(0.09, 0.0, 0.0)), 0.11);
    check(count, "ball on ball", judge_overlap(&ball, o, &ball, at(0.03, 0.04, 0.0)), 0.15);
    check(count, "ball in the ground", judge_overlap(&ball, at(0.0, 0.0, 0.08), &ground, o), 0.02);
    check(count, "edge in the ground", judge_overlap(&cube, on_edge, &ground, at(0.0, 0.0, -0.1)),
          diagonal - 0.1);
    check(count, "leaning rod in the ground",
          judge_overlap(&ground, o, &rod, turned(y, 0.7, ut_vec3(0.0, 0.0, 0.1))),
          0.02 + 0.125 * cos(0.7) - 0.1);
}

// A box of 2 kg that moves and turns: 1/2 m v^2 + 1/2 I w^2 - m g.x, the axis turned with it.
static void check_energy(Count* count)
{
    WorldBody body = {.mass = 2.0, .inertia = {1.0, 2.0, 3.0}};
    const World world = {.gravity = {0.0, 0.0, -10.0}, .bodies = 1, .body = &body};
    const utVec3 y = ut_vec3(0.0, 1.0, 0.0);
    // x of the body is -z of the world
    const BodyState state = {ut_vec3(5.0, 6.0, 7.0), ut_quat_from_axis_angle(y, 2.0 * eighth),
                             ut_vec3(3.0, 0.0, 4.0), ut_vec3(0.0, 0.0, 2.0)};
    check(count, "kinetic energy", 1e-2 * judge_kinetic(&world, &state), 1e-2 * (25.0 + 2.0));
    check(count, "potential energy", 1e-2 * judge_potential(&world, &state), 1e-2 * 140.0);
}

bool check_judge(void)
{
    Count count = {0};
    check_overlaps(&count);
    check_energy(&count);
    printf("%d passed, %d failed\n", count.passed, count.failed);
    return count.failed == 0;
}
