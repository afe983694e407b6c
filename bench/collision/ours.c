// SPDX-License-Identifier: Apache-2.0
// uptack itself: broad phase, then ut_collide for every pair.
#include <math.h>
#include <stdlib.h>
#include <uptack/collision.h>

#include "contender.h"

typedef struct World {
    int count;
    utShape* shape;
    utFrame* frame;
    utArena memory;
    utBroad* broad;
    int max_pairs;
    int* pair;
} World;

// Hulls stay for as long as the program runs.
static utShape hull_of(const Body* body)
{
    double corner[HULL_POINTS][3];
    utVec3 point[HULL_POINTS];
    utArena keep, scratch;
    utHull* hull = calloc(1, sizeof *hull);
    body_corners(body, corner);
    for (int i = 0; i < HULL_POINTS; i++) {
        point[i] = ut_vec3(corner[i][0], corner[i][1], corner[i][2]);
    }
    if (ut_arena_create(0, NULL, &keep) != UT_OK || ut_arena_create(0, NULL, &scratch) != UT_OK ||
        ut_hull_build(HULL_POINTS, point, &keep, scratch, hull, NULL) != UT_OK) {
        abort();
    }
    ut_arena_destroy(&scratch);
    utShape shape = ut_shape(UT_SHAPE_HULL, ut_vec3_zero());
    shape.hull = hull;
    return shape;
}

static utShape shape_of(const Body* body)
{
    if (body->kind == BODY_HULL) {
        return hull_of(body);
    }
    static const utShapeKind kinds[BODY_KINDS] = {UT_SHAPE_PLANE,    UT_SHAPE_SPHERE,
                                                  UT_SHAPE_CAPSULE,  UT_SHAPE_BOX,
                                                  UT_SHAPE_CYLINDER, UT_SHAPE_ELLIPSOID};
    return ut_shape(kinds[body->kind], ut_vec3(body->size[0], body->size[1], body->size[2]));
}

static utFrame frame_of(const Body* body)
{
    utFrame frame = {.p = ut_vec3(body->p[0], body->p[1], body->p[2])};
    for (int i = 0; i < 9; i++) {
        frame.R.m[i / 3][i % 3] = body->R[i];
    }
    return frame;
}

static void* world_open(int count, const Body* body)
{
    World* world = calloc(1, sizeof *world);
    world->count = count;
    world->max_pairs = 64 * count;
    world->shape = calloc((size_t)count, sizeof *world->shape);
    world->frame = calloc((size_t)count, sizeof *world->frame);
    world->pair = calloc(2 * (size_t)world->max_pairs, sizeof *world->pair);
    if (ut_arena_create(0, NULL, &world->memory) != UT_OK) {
        abort();
    }
    utArena rest = world->memory;
    if (ut_broad_create(count, &rest, &world->broad) != UT_OK) {
        abort();
    }
    for (int i = 0; i < count; i++) {
        world->shape[i] = shape_of(&body[i]);
    }
    return world;
}

static void world_detect(void* context, const Body* body, Found* found)
{
    World* world = context;
    for (int i = 0; i < world->count; i++) {
        world->frame[i] = frame_of(&body[i]);
    }
    const double start = bench_now();
    const utVec3 room = ut_vec3(0.5 * BENCH_MARGIN, 0.5 * BENCH_MARGIN, 0.5 * BENCH_MARGIN);
    for (int i = 0; i < world->count; i++) {
        utBounds bounds = ut_shape_bounds(&world->shape[i], world->frame[i]);
        bounds.low = ut_vec3_sub(bounds.low, room);
        bounds.high = ut_vec3_add(bounds.high, room);
        ut_broad_set(world->broad, i, bounds, body[i].kind == BODY_PLANE);
    }
    *found = (Found){0};
    if (ut_broad_pairs(world->broad, NULL, NULL, world->max_pairs, world->pair, &found->pairs) !=
        UT_OK) {
        abort();
    }
    found->broad = bench_now() - start;
    for (int k = 0; k < found->pairs; k++) {
        const int i = world->pair[2 * k], j = world->pair[2 * k + 1];
        utTouch touch[UT_TOUCH_MAX];
        found->contacts += ut_collide(&world->shape[i], world->frame[i], &world->shape[j],
                                      world->frame[j], BENCH_MARGIN, touch);
    }
}

// ---- pairs --------------------------------------------------------------------------------------

static void* pairs_open(int count, const Body* body)
{
    World* pairs = calloc(1, sizeof *pairs);
    pairs->count = count;
    pairs->shape = calloc(2 * (size_t)count, sizeof *pairs->shape);
    pairs->frame = calloc(2 * (size_t)count, sizeof *pairs->frame);
    for (int i = 0; i < 2 * count; i++) {
        pairs->shape[i] = shape_of(&body[i]);
        pairs->frame[i] = frame_of(&body[i]);
    }
    return pairs;
}

static int pairs_collide(void* context)
{
    const World* pairs = context;
    int contacts = 0;
    for (int i = 0; i < 2 * pairs->count; i += 2) {
        utTouch touch[UT_TOUCH_MAX];
        contacts += ut_collide(&pairs->shape[i], pairs->frame[i], &pairs->shape[i + 1],
                               pairs->frame[i + 1], BENCH_MARGIN, touch);
    }
    return contacts;
}

static double pairs_least_gap(void* context, int i)
{
    const World* pairs = context;
    utTouch touch[UT_TOUCH_MAX];
    const int count =
        ut_collide(&pairs->shape[2 * i], pairs->frame[2 * i], &pairs->shape[2 * i + 1],
                   pairs->frame[2 * i + 1], BENCH_MARGIN, touch);
    double least = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        least = fmin(least, touch[k].gap);
    }
    return least;
}

// Nobody's contact points: the gap itself, which the others are measured by.
double true_gap(const Body body[2])
{
    const utShape a = shape_of(&body[0]), b = shape_of(&body[1]);
    utGap gap = {.gap = 0.0};
    if (ut_gap(&a, frame_of(&body[0]), &b, frame_of(&body[1]), &gap) != UT_OK) {
        abort();
    }
    return gap.gap;
}

static void pairs_close(void* context)
{
    World* pairs = context;
    free(pairs->shape);
    free(pairs->frame);
    free(pairs);
}

const Contender* contender_ours(void)
{
    static const Contender ours = {"uptack",      world_open,      world_detect, pairs_open,
                                   pairs_collide, pairs_least_gap, pairs_close};
    return &ours;
}
