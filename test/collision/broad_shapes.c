// SPDX-License-Identifier: Apache-2.0
// The broad phase with the boxes of shapes, against trying all: pairs, boxes and rays.
#include "collision/broad/broad.h"
#include "oracle.h"

enum { SHAPES = 50, ALL_PAIRS = SHAPES * (SHAPES - 1) / 2 };

typedef struct World {
    utShape shape[SHAPES];
    utFrame frame[SHAPES];
    bool present[SHAPES], fixed[SHAPES];
    utBounds bounds[SHAPES];
    utBroad* broad;
} World;

// ---- random worlds ------------------------------------------------------------------------------

static utShape random_shape(utRng* rng)
{
    static const utShapeKind kinds[] = {UT_SHAPE_SPHERE,   UT_SHAPE_CAPSULE,   UT_SHAPE_BOX,
                                        UT_SHAPE_CYLINDER, UT_SHAPE_ELLIPSOID, UT_SHAPE_PLANE};
    const int which = ut_rng_below(rng, 100);
    const double scale = ut_rng_below(rng, 10) == 0 ? 2.0 : 0.3;
    const double x = scale * ut_rng_uniform(rng), y = scale * ut_rng_uniform(rng);
    return ut_shape(kinds[which == 0 ? 5 : which % 5], ut_vec3(x, y, scale * ut_rng_uniform(rng)));
}

static utFrame random_frame(utRng* rng)
{
    const utVec3 p =
        ut_vec3(ut_rng_range(rng, -2, 2), ut_rng_range(rng, -2, 2), ut_rng_range(rng, -1, 1));
    // along the axes now and then: that is how planes get a bounded side
    return ut_rng_below(rng, 8) == 0 ? ut_frame(ut_mat3_identity(), p)
                                     : turned(random_unit(rng), ut_rng_range(rng, 0, 3), p);
}

static void set(World* world, int id)
{
    world->bounds[id] = ut_shape_bounds(&world->shape[id], world->frame[id]);
    ut_broad_set(world->broad, id, world->bounds[id], world->fixed[id]);
}

// Mostly small motions; sometimes another place, another shape, out and in again, a NaN.
static void change(World* world, utRng* rng, int id)
{
    const int what = ut_rng_below(rng, 200);
    if (what >= 100) {
        return; // rests
    }
    if (!world->present[id] || what == 0) {
        world->present[id] = true;
        world->fixed[id] = ut_rng_below(rng, 4) == 0;
        world->shape[id] = random_shape(rng);
        world->frame[id] = random_frame(rng);
    } else if (what == 1) {
        world->present[id] = false;
        ut_broad_remove(world->broad, id);
        return;
    } else if (what == 2) {
        world->frame[id].p.y = (double)NAN;
    } else if (what == 3 || isnan(world->frame[id].p.y)) {
        world->frame[id] = random_frame(rng);
    } else if (world->fixed[id]) {
        return;
    } else {
        const uint64_t bits = ut_rng_u64(rng);
        const utVec3 by = ut_vec3((double)(bits & 255) - 127.5, (double)(bits >> 8 & 255) - 127.5,
                                  (double)(bits >> 16 & 255) - 127.5);
        world->frame[id].p = ut_vec3_add_scaled(world->frame[id].p, 2e-4, by);
    }
    set(world, id);
}

// ---- trying all ---------------------------------------------------------------------------------

static bool between(double low1, double high1, double low2, double high2)
{
    return low1 <= high2 && low2 <= high1;
}

static bool meet(const utBounds* a, const utBounds* b)
{
    return between(a->low.x, a->high.x, b->low.x, b->high.x) &&
           between(a->low.y, a->high.y, b->low.y, b->high.y) &&
           between(a->low.z, a->high.z, b->low.z, b->high.z);
}

static int try_all(const World* world, int* pair)
{
    int count = 0;
    for (int i = 0; i < SHAPES; i++) {
        for (int j = i + 1; j < SHAPES && world->present[i]; j++) {
            if (world->present[j] && !(world->fixed[i] && world->fixed[j]) &&
                meet(&world->bounds[i], &world->bounds[j])) {
                pair[2 * count] = i;
                pair[2 * count++ + 1] = j;
            }
        }
    }
    return count;
}

static World* new_world(utArena* arena)
{
    World* world = UT_PUSH(arena, World, 1);
    memset(world, 0, sizeof *world);
    CHECK(ut_broad_create(SHAPES, arena, &world->broad) == UT_OK);
    return world;
}

// ---- the tree -----------------------------------------------------------------------------------

// Every box holds those below it, everybody knows its parent, and the number of leaves is right.
static bool is_sound(const utBroad* broad, const Tree* tree)
{
    const Nodes* nodes = &broad->nodes;
    int leaves = 0, steps = 0;
    bool sound = tree->root == NO_NODE || nodes->node[tree->root].parent == NO_NODE;
    for (int i = tree->root; i != NO_NODE && steps < 4 * broad->capacity;
         i = ut_tree_next(nodes, i, true), steps++) {
        const Node* node = &nodes->node[i];
        const bool leaf = i < nodes->leaves;
        leaves += leaf;
        sound = sound && (!leaf || meet(&node->bounds, &broad->proxy[i].bounds));
        for (int k = 0; k < 2 && !leaf; k++) {
            const Node* below = &nodes->node[node->child[k]];
            const utBounds* in = &below->bounds;
            sound = sound && below->parent == i && below->stamp <= node->stamp &&
                    node->bounds.low.x <= in->low.x && in->high.x <= node->bounds.high.x &&
                    node->bounds.low.y <= in->low.y && in->high.y <= node->bounds.high.y &&
                    node->bounds.low.z <= in->low.z && in->high.z <= node->bounds.high.z;
        }
    }
    return sound && leaves == tree->leaves;
}

TEST(no_pair_is_missed_or_invented_in_1e5_configurations)
{
    utArena arena = test_arena();
    World* world = new_world(&arena);
    utRng rng = ut_rng(51, 0);
    static int want[2 * ALL_PAIRS], got[2 * ALL_PAIRS];
    int wrong = 0, unsound = 0;
    long long total = 0;
    for (int step = 0; step < 100000; step++) {
        if (step == 1000) {
            world->broad->stamp = UINT32_MAX - 1000; // it will begin anew in time
        }
        for (int id = 0; id < SHAPES; id++) {
            change(world, &rng, id);
        }
        const int count = try_all(world, want);
        int found = -1;
        const utStatus status = ut_broad_pairs(world->broad, NULL, NULL, ALL_PAIRS, got, &found);
        wrong += !(status == UT_OK && found == count &&
                   memcmp(want, got, 2 * (size_t)count * sizeof *got) == 0);
        if (step % 100 == 0) {
            unsound += !is_sound(world->broad, &world->broad->tree[0]) +
                       !is_sound(world->broad, &world->broad->tree[1]);
        }
        total += count;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(unsound, 0);
    CHECK(total > 2000000 && total < 100000LL * ALL_PAIRS / 2);
}

// ---- more candidates than there is room for -----------------------------------------------------

// Boxes within a cube of some size: small ones give nearly all pairs, large ones few.
static int crowd_pairs(utBroad* broad, utRng* rng, int n, double size, int* want, int* got)
{
    static utBounds bounds[400];
    int count = 0, found = -1;
    for (int i = 0; i < n; i++) {
        bounds[i].low = ut_vec3(size * ut_rng_uniform(rng), size * ut_rng_uniform(rng),
                                size * ut_rng_uniform(rng));
        bounds[i].high = ut_vec3_add(bounds[i].low, ut_vec3(1.0, 1.0, 1.0));
        ut_broad_set(broad, i, bounds[i], i % 7 == 0);
    }
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            if (!(i % 7 == 0 && j % 7 == 0) && meet(&bounds[i], &bounds[j])) {
                want[2 * count] = i;
                want[2 * count++ + 1] = j;
            }
        }
    }
    // twice: as found first, and as kept
    for (int k = 0; k < 2; k++) {
        CHECK(ut_broad_pairs(broad, NULL, NULL, 80000, got, &found) == UT_OK);
        CHECK_INT(found, count);
        CHECK(memcmp(want, got, 2 * (size_t)count * sizeof *got) == 0);
    }
    return count;
}

TEST(a_crowd_beyond_all_candidates_is_found_all_the_same)
{
    enum { N = 400 };
    utArena arena = test_arena();
    utBroad* broad = NULL;
    CHECK(ut_broad_create(N, &arena, &broad) == UT_OK);
    int* want = UT_PUSH(&arena, int, 160000);
    int* got = UT_PUSH(&arena, int, 160000);
    utRng rng = ut_rng(52, 0);
    static const double size[] = {20.0, 0.5, 0.1, 30.0, 3.0, 0.5, 20.0};
    int crowded = 0, sparse = 0;
    for (int i = 0; i < 7; i++) {
        const int count = crowd_pairs(broad, &rng, N, size[i], want, got);
        crowded += count > 40000 && !broad->candidates.complete;
        sparse += count < 1000 && broad->candidates.complete;
    }
    CHECK_INT(crowded, 3);
    CHECK_INT(sparse, 3);
}

// ---- boxes and rays -----------------------------------------------------------------------------

TEST(a_query_gives_all_boxes_that_meet_it_in_order)
{
    utArena arena = test_arena();
    World* world = new_world(&arena);
    utRng rng = ut_rng(53, 0);
    int wrong = 0, total = 0;
    for (int step = 0; step < 2000; step++) {
        for (int id = 0; id < SHAPES; id++) {
            change(world, &rng, id);
        }
        const utShape shape = random_shape(&rng);
        const utBounds ask = ut_shape_bounds(&shape, random_frame(&rng));
        int want[SHAPES], got[SHAPES], count = 0;
        for (int id = 0; id < SHAPES; id++) {
            if (world->present[id] && meet(&ask, &world->bounds[id])) {
                want[count++] = id;
            }
        }
        // with room for all, and for some
        const int max = step % 2 == 0 ? SHAPES : ut_rng_below(&rng, 10);
        const int found = ut_broad_query(world->broad, ask, max, got);
        const int written = count < max ? count : max;
        wrong += !(found == count && memcmp(want, got, (size_t)written * sizeof *got) == 0);
        total += count;
    }
    CHECK_INT(wrong, 0);
    CHECK(total > 2000);
    const utBounds bad = {{(double)NAN, 0, 0}, {1, 1, 1}};
    CHECK_INT(ut_broad_query(world->broad, bad, 0, NULL), 0);
}

// Does a ray meet a box? The nearest it comes, over the pieces between the planes of the box: what
// is in front of it in its own axes. Sampled by the planes' crossings, where extremes are.
static double nearest_to_box(const utBounds* b, utVec3 from, utVec3 d, double far)
{
    const double low[3] = {b->low.x, b->low.y, b->low.z};
    const double high[3] = {b->high.x, b->high.y, b->high.z};
    const double o[3] = {from.x, from.y, from.z}, v[3] = {d.x, d.y, d.z};
    double least = HUGE_VAL;
    for (int k = 0; k < 8; k++) {
        double t = k == 6 ? 0.0 : far;
        if (k < 6) {
            t = ((k % 2 == 0 ? low[k / 2] : high[k / 2]) - o[k / 2]) / v[k / 2];
            t = fmin(fmax(t, 0.0), far);
        }
        double out = 0.0;
        for (int i = 0; i < 3; i++) {
            const double x = o[i] + t * v[i];
            out = fmax(out, fmax(low[i] - x, x - high[i]));
        }
        least = fmin(least, out);
    }
    return least;
}

// A ray enters a box on one of its planes, or begins within: there it is out by rounding only,
// coordinates being below 20. What misses by less than 1e-9 is not judged.
TEST(a_ray_gives_all_boxes_that_it_meets_in_order)
{
    utArena arena = test_arena();
    World* world = new_world(&arena);
    utRng rng = ut_rng(54, 0);
    int wrong = 0, total = 0;
    for (int step = 0; step < 2000; step++) {
        for (int id = 0; id < SHAPES; id++) {
            change(world, &rng, id);
        }
        const utVec3 from = ut_vec3_scale(random_unit(&rng), ut_rng_range(&rng, 0.0, 5.0));
        const utVec3 d = random_unit(&rng);
        const double far = ut_rng_range(&rng, 0.5, 10.0);
        int got[SHAPES], next = 0;
        const int found = ut_broad_ray(world->broad, from, d, far, SHAPES, got);
        for (int id = 0; id < SHAPES; id++) {
            const utBounds* b = &world->bounds[id];
            const bool nan = !(b->low.y <= b->high.y);
            const double miss =
                world->present[id] && !nan ? nearest_to_box(b, from, d, far) : HUGE_VAL;
            const bool has = next < found && got[next] == id;
            next += has;
            wrong += has ? miss > 1e-9 : miss <= 1e-14;
        }
        wrong += next != found;
        total += found;
    }
    CHECK_INT(wrong, 0);
    CHECK(total > 2000);
}

TEST(a_ray_along_an_axis_meets_what_it_touches)
{
    utArena arena = test_arena();
    utBroad* broad = NULL;
    CHECK(ut_broad_create(3, &arena, &broad) == UT_OK);
    ut_broad_set(broad, 0, (utBounds){{1, 0, 0}, {2, 1, 1}}, true);
    ut_broad_set(broad, 1, (utBounds){{1, -1, 0}, {2, -1e-9, 1}}, false);
    ut_broad_set(broad, 2, (utBounds){{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, 0}},
                 true);
    int id[3] = {-1, -1, -1};
    const utVec3 x = {1, 0, 0}, origin = {0, 0, 0};
    CHECK_INT(ut_broad_ray(broad, origin, x, 1.0, 3, id), 2);
    CHECK(id[0] == 0 && id[1] == 2);
    CHECK_INT(ut_broad_ray(broad, origin, x, 0.999, 3, id), 1);
    CHECK_INT(ut_broad_ray(broad, origin, ut_vec3(-1, 0, 0), HUGE_VAL, 3, id), 1);
    CHECK_INT(ut_broad_ray(broad, ut_vec3(0, 0, 1), x, HUGE_VAL, 3, id), 1);
    CHECK_INT(ut_broad_ray(broad, origin, x, (double)NAN, 3, id), 0);
    CHECK_INT(ut_broad_ray(broad, ut_vec3((double)NAN, 0, 0), x, 1.0, 3, id), 0);
}

// ---- a history of any kind ----------------------------------------------------------------------

static void shuffle(utRng* rng, int* order, int count)
{
    for (int i = count - 1; i > 0; i--) {
        const int j = ut_rng_below(rng, i + 1), other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
}

TEST(the_order_of_insertion_does_not_matter)
{
    enum { N = 300 };
    utArena arena = test_arena();
    static utBounds bounds[N];
    static int first[40000], pair[40000], order[N];
    utRng rng = ut_rng(55, 0);
    int first_count = 0;
    for (int i = 0; i < N; i++) {
        bounds[i].low = ut_vec3_scale(random_unit(&rng), 3.0);
        bounds[i].high = ut_vec3_add(bounds[i].low, ut_vec3(0.5, 0.5, 0.5));
        order[i] = i;
    }
    for (int trial = 0; trial < 50; trial++) {
        utArena rest = arena;
        utBroad* broad = NULL;
        int count = -1;
        CHECK(ut_broad_create(N, &rest, &broad) == UT_OK);
        for (int i = 0; i < N; i++) {
            ut_broad_set(broad, order[i], bounds[order[i]], order[i] % 5 == 0);
            if (i % 50 == 49) {
                ut_broad_pairs(broad, NULL, NULL, 0, NULL, &count);
            }
        }
        CHECK(ut_broad_pairs(broad, NULL, NULL, 20000, pair, &count) == UT_OK);
        if (trial == 0) {
            first_count = count;
            memcpy(first, pair, sizeof first);
        }
        CHECK(count > 300 && count == first_count &&
              memcmp(first, pair, 2 * (size_t)count * sizeof *pair) == 0);
        shuffle(&rng, order, N);
    }
}
