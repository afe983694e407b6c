// uptack itself: broad phase, then ut_collide for every pair.
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

static utShape shape_of(const Body* body)
{
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
    if (ut_arena_create(ut_broad_size(count), NULL, &world->memory) != UT_OK) {
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

static void pairs_close(void* context)
{
    World* pairs = context;
    free(pairs->shape);
    free(pairs->frame);
    free(pairs);
}

const Contender* contender_ours(void)
{
    static const Contender ours = {"uptack",   world_open,    world_detect,
                                   pairs_open, pairs_collide, pairs_close};
    return &ours;
}
