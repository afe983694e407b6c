// SPDX-License-Identifier: Apache-2.0
// The momentum residual against hand calculation: states with an impulse missing that is known.
#include <math.h>
#include <stdio.h>

#include "bench_engines.h"
#include "judge.h"

static const double h = 0.01, g = 10.0;

typedef struct Count {
    int passed, failed;
} Count;

static void check(Count* count, const char* what, double found, double expected, double tolerance)
{
    if (fabs(found - expected) <= tolerance) {
        count->passed++;
    } else {
        count->failed++;
        printf("residual, %s: %.12g, expected %.12g\n", what, found, expected);
    }
}

// A box of 2 kg, 0.4 x 0.4 x 0.2 m, on or above the plane z = 0.
typedef struct BoxScene {
    WorldBody body;
    WorldGeom geom[2];
    World world;
} BoxScene;

static void make_box(BoxScene* scene, double mu)
{
    *scene = (BoxScene){
        .body = {.mass = 2.0,
                 .inertia = {0.1, 0.1, 0.16},
                 .quat = {1.0, 0.0, 0.0, 0.0},
                 .parent = -1},
        .geom = {{.body = -1,
                  .shape = {.kind = UT_SHAPE_PLANE},
                  .quat = {1.0, 0.0, 0.0, 0.0},
                  .mu = mu,
                  .contype = 1,
                  .conaffinity = 1},
                 {.body = 0,
                  .shape = {.kind = UT_SHAPE_BOX, .size = {0.2, 0.2, 0.1}},
                  .quat = {1.0, 0.0, 0.0, 0.0},
                  .mu = mu,
                  .contype = 1,
                  .conaffinity = 1}},
    };
    scene->world = (World){.dt = h,
                           .gravity = {0.0, 0.0, -g},
                           .bodies = 1,
                           .geoms = 2,
                           .body = &scene->body,
                           .geom = scene->geom};
}

// The residual of a box that is at a height with a velocity and has another one a step later.
static double box_step(double mu, double z, utVec3 v0, utVec3 v1)
{
    BoxScene scene;
    make_box(&scene, mu);
    const utQuat q = ut_quat_identity();
    const utVec3 o = ut_vec3_zero(), p = ut_vec3(0.0, 0.0, z);
    const BodyState before = {p, q, v0, o};
    const BodyState after = {ut_vec3_add_scaled(p, h, v1), q, v1, o};
    return judge_residual(&scene.world, &before, &after);
}

static void check_box(Count* count)
{
    const double root = sqrt(1.25); // of 1 + mu^2
    const utVec3 o = ut_vec3_zero(), east = ut_vec3(3.0, 0.0, 0.0);
    check(count, "a box at rest", box_step(0.5, 0.1, o, o), 0.0, 1e-8);
    check(count, "free fall", box_step(0.5, 1.0, o, ut_vec3(0.0, 0.0, -h * g)), 0.0, 1e-12);
    check(count, "a tenth of gravity is missing",
          box_step(0.5, 1.0, o, ut_vec3(0.0, 0.0, -0.9 * h * g)), 0.1, 1e-12);
    check(count, "a box hangs 5 mm above the floor", box_step(0.5, 0.105, o, o), 1.0, 1e-12);
    check(count, "the floor throws the box up", box_step(0.5, 0.1, o, ut_vec3(0.0, 0.0, 0.3)), 0.0,
          1e-8);
    // the floor cannot pull: twice gravity would be needed, the impulse of one is left
    check(count, "the floor pulls the box down",
          box_step(0.5, 0.1, o, ut_vec3(0.0, 0.0, -2.0 * h * g)), 1.0, 1e-8);
    // only friction explains a box that slows down
    check(count, "a box without friction slows down",
          box_step(0.0, 0.1, east, ut_vec3(3.0 - 0.5 * h * g, 0.0, 0.0)), 0.5, 1e-8);
    check(count, "friction at its limit",
          box_step(0.5, 0.1, east, ut_vec3(3.0 - 0.5 * h * g, 0.0, 0.0)), 0.0, 1e-7);
    // (0.6, 1) is 0.1 / sqrt(1 + mu^2) away from the cone t <= mu n
    check(count, "friction beyond its limit",
          box_step(0.5, 0.1, east, ut_vec3(3.0 - 0.6 * h * g, 0.0, 0.0)), 0.1 / root, 1e-7);
    // within a square pyramid, outside of the cone
    check(count, "friction along both axes of a pyramid",
          box_step(0.5, 0.1, ut_vec3(3.0, 3.0, 0.0),
                   ut_vec3(3.0 - 0.5 * h * g, 3.0 - 0.5 * h * g, 0.0)),
          (sqrt(0.5) - 0.5) / root, 1e-7);
}

// A box that turns about its long axis with a torque from nowhere.
static void check_turn(Count* count)
{
    BoxScene scene;
    make_box(&scene, 0.5);
    const utQuat q = ut_quat_identity();
    const utVec3 o = ut_vec3_zero(), p = ut_vec3(0.0, 0.0, 1.0), fall = ut_vec3(0.0, 0.0, -h * g);
    const BodyState before = {p, q, o, o};
    const BodyState after = {p, q, fall, ut_vec3(0.0, 0.0, 0.5)};
    // sqrt(I) w by sqrt(m) h g
    check(count, "a box in the air begins to turn", judge_residual(&scene.world, &before, &after),
          sqrt(0.16 / 2.0) * 0.5 / (h * g), 1e-12);
}

// Two equal balls: the first one stops, the second one leaves with a share of its velocity.
static double ball_step(double share)
{
    WorldBody body[2];
    WorldGeom geom[2];
    BodyState before[2], after[2];
    for (int i = 0; i < 2; i++) {
        body[i] = (WorldBody){
            .mass = 3.0, .inertia = {0.01, 0.01, 0.01}, .quat = {1.0, 0.0, 0.0, 0.0}, .parent = -1};
        geom[i] = (WorldGeom){.body = i,
                              .shape = {.kind = UT_SHAPE_SPHERE, .size = {0.1, 0, 0}},
                              .quat = {1.0, 0.0, 0.0, 0.0},
                              .contype = 1,
                              .conaffinity = 1};
        const utVec3 fall = ut_vec3(i == 0 ? 0.0 : share, 0.0, -h * g);
        before[i] = (BodyState){ut_vec3(0.2 * i, 0.0, 1.0), ut_quat_identity(),
                                ut_vec3(i == 0 ? 1.0 : 0.0, 0.0, 0.0), ut_vec3_zero()};
        after[i] = before[i];
        after[i].velocity = fall;
    }
    const World world = {
        .dt = h, .gravity = {0.0, 0.0, -g}, .bodies = 2, .geoms = 2, .body = body, .geom = geom};
    return judge_residual(&world, before, after);
}

static void check_balls(Count* count)
{
    check(count, "balls exchange their velocities", ball_step(1.0), 0.0, 1e-8);
    // an impulse of 0.95 m v is best: 0.05 v is wrong at both balls, sqrt(2 m) 0.05 v / sqrt(2 m) h g
    check(count, "a tenth of a ball's momentum is lost", ball_step(0.9), 0.05 / (h * g), 1e-8);
}

// A rod of length 1 on a hinge at its end stays horizontal.
static double rod_step(double kp)
{
    WorldBody body = {.mass = 2.0,
                      .inertia = {1e-3, 2.0 / 12.0, 2.0 / 12.0},
                      .pos = {0.5, 0.0, 0.0},
                      .quat = {1.0, 0.0, 0.0, 0.0},
                      .hinged = true,
                      .parent = -1,
                      .axis = {0.0, 1.0, 0.0},
                      .servo = kp > 0.0,
                      .kp = kp,
                      .target = -0.1};
    const World world = {
        .dt = h, .gravity = {0.0, 0.0, -g}, .bodies = 1, .geoms = 0, .body = &body, .hinged = true};
    const BodyState rest = {body.pos, body.quat, ut_vec3_zero(), ut_vec3_zero()};
    return judge_residual(&world, &rest, &rest);
}

static void check_hinge(Count* count)
{
    // The hinge carries F upward; the moment F r about the centre and the weight G - F that is left
    // are wrong. The least (G - F)^2 / m + (F r)^2 / I is G^2 / m times k / (1 + k), k = m r^2 / I = 3.
    check(count, "a rod on a hinge does not fall", rod_step(0.0), sqrt(0.75), 1e-8);
    // m g r = 10 N m, about -y, because a positive angle turns the end of the rod down
    check(count, "a servo holds the rod", rod_step(100.0), 0.0, 1e-8);
    check(count, "a servo holds half of the rod", rod_step(50.0), 0.5 * sqrt(0.75), 1e-8);
}

// Two boxes on each other: the upper one may lean on the lower one alone.
static double stack_step(double shift, double v_upper)
{
    BoxScene scene;
    make_box(&scene, 0.5);
    WorldBody body[2] = {scene.body, scene.body};
    WorldGeom geom[3] = {scene.geom[0], scene.geom[1], scene.geom[1]};
    geom[2].body = 1;
    const World world = {
        .dt = h, .gravity = {0.0, 0.0, -g}, .bodies = 2, .geoms = 3, .body = body, .geom = geom};
    const utVec3 o = ut_vec3_zero();
    const BodyState before[2] = {{ut_vec3(0.0, 0.0, 0.1), ut_quat_identity(), o, o},
                                 {ut_vec3(shift, 0.0, 0.3), ut_quat_identity(), o, o}};
    const BodyState after[2] = {before[0],
                                {before[1].pos, before[1].quat, ut_vec3(0.0, 0.0, v_upper), o}};
    return judge_residual(&world, before, after);
}

static void check_stack(Count* count)
{
    check(count, "a box on a box", stack_step(0.05, 0.0), 0.0, 1e-7);
    check(count, "a box on the edge of a box", stack_step(0.199, 0.0), 0.0, 1e-7);
    // The centre is r = 0.05 outside of the edge, and z = 0.1 above it. The edge gives F upward and a
    // friction f, in units of the weight: (1 - F)^2 + f^2 + m/I (F r - f z)^2 with m/I = 20 is least
    // for f = F / 12 and is then (1 - F)^2 + F^2 / 24, at best 1/25; of one body of the two.
    check(count, "a box beyond the edge of a box does not fall", stack_step(0.25, 0.0),
          sqrt(0.5 / 25.0), 1e-7);
}

// Long chains and high stacks are badly conditioned: the search must still find the impulses that hold
// them, which grow from 1 to `count` times the weight of a body.
enum { MANY = 100 };

static double hanging_chain(int count)
{
    static WorldBody body[MANY];
    static BodyState rest[MANY];
    for (int i = 0; i < count; i++) {
        const utVec3 pos = ut_vec3(0.0, 0.0, -0.1 * i - 0.05);
        body[i] = (WorldBody){.mass = 0.1,
                              .inertia = {1e-4, 1e-4, 1e-5},
                              .pos = pos,
                              .quat = {1.0, 0.0, 0.0, 0.0},
                              .hinged = true,
                              .parent = i - 1,
                              .anchor = {0.0, 0.0, -0.1 * i},
                              .axis = {0.0, 1.0, 0.0}};
        rest[i] = (BodyState){pos, body[i].quat, ut_vec3_zero(), ut_vec3_zero()};
    }
    const World world = {.dt = h,
                         .gravity = {0.0, 0.0, -g},
                         .bodies = count,
                         .geoms = 0,
                         .body = body,
                         .hinged = true};
    return judge_residual(&world, rest, rest);
}

static double standing_stack(int count)
{
    static WorldBody body[MANY];
    static WorldGeom geom[MANY + 1];
    static BodyState rest[MANY];
    BoxScene scene;
    make_box(&scene, 0.5);
    geom[0] = scene.geom[0];
    for (int i = 0; i < count; i++) {
        body[i] = scene.body;
        geom[i + 1] = scene.geom[1];
        geom[i + 1].body = i;
        rest[i] = (BodyState){ut_vec3(0.0, 0.0, 0.1 + 0.2 * i), ut_quat_identity(), ut_vec3_zero(),
                              ut_vec3_zero()};
    }
    const World world = {.dt = h,
                         .gravity = {0.0, 0.0, -g},
                         .bodies = count,
                         .geoms = count + 1,
                         .body = body,
                         .geom = geom};
    return judge_residual(&world, rest, rest);
}

static void check_many(Count* count)
{
    check(count, "a hanging chain of 100 links", hanging_chain(MANY), 0.0, 1e-7);
    check(count, "a standing stack of 30 boxes", standing_stack(30), 0.0, 1e-5);
}

bool check_residual(void)
{
    Count count = {0};
    check_box(&count);
    check_turn(&count);
    check_balls(&count);
    check_hinge(&count);
    check_stack(&count);
    check_many(&count);
    printf("residual: %d passed, %d failed\n", count.passed, count.failed);
    return count.failed == 0;
}
