// SPDX-License-Identifier: Apache-2.0
// Degenerate input through everything that takes a pair of convex shapes, or one: whatever comes
// in, a defined answer comes out, and one that makes sense where the numbers do.
//
// UPTACK_FUZZ_RUNS=N in the environment makes N runs, UPTACK_FUZZ_SEED=S other ones. Meant for a
// build with sanitizers.
#include <stdlib.h>

#include "convex_odd.h"

#ifdef NDEBUG
enum { RUNS = 10000 };
#else
enum { RUNS = 4000 }; // unoptimised, maybe under sanitizers
#endif

typedef struct Run {
    OwnShape a, b;
    utFrame A, B;
    utMotion a_motion, b_motion;
    double margin, h, target, far;
    utVec3 from, direction;
    bool sane; ///< numbers that a scene could hold
} Run;

static bool is_sane(double x)
{
    return fabs(x) <= 1e15 && (x == 0.0 || fabs(x) >= 1e-15);
}

static bool is_sane_vector(utVec3 x)
{
    return is_sane(x.x) && is_sane(x.y) && is_sane(x.z);
}

static bool is_rotation(const utMat3* R)
{
    const utMat3 RtR = ut_mat3_mul(ut_mat3_transpose(*R), *R);
    double off = 0.0;
    for (int i = 0; i < 9; i++) {
        off += fabs(RtR.m[i / 3][i % 3] - (i % 4 == 0 ? 1.0 : 0.0));
    }
    return off <= 1e-12;
}

static bool is_sane_shape(const OwnShape* own, const utFrame* at)
{
    bool sane = is_rotation(&at->R) && is_sane_vector(at->p);
    if (own->shape.kind != UT_SHAPE_HULL) {
        const utVec3 s = own->shape.size;
        return sane && is_sane_vector(s) && s.x >= 0.0 && s.y >= 0.0 && s.z >= 0.0;
    }
    for (int i = 0; i < own->hull.vertices; i++) {
        sane = sane && is_sane_vector(own->vertex[i]);
    }
    return sane;
}

static utVec3 odd_vector(utRng* rng)
{
    const double x = odd_number(rng), y = odd_number(rng);
    return ut_vec3(x, y, odd_number(rng));
}

// half of the motions are calm ones
static utMotion odd_motion(utRng* rng)
{
    const utVec3 w = random_direction(rng), v = random_direction(rng);
    if (ut_rng_below(rng, 2) == 0) {
        return (utMotion){.angular = w, .linear = ut_vec3_scale(v, 5.0)};
    }
    const utVec3 u = odd_vector(rng);
    return (utMotion){.angular = u, .linear = odd_vector(rng)};
}

static void make_run(utRng* rng, Run* run)
{
    odd_shape(rng, &run->a);
    odd_shape(rng, &run->b);
    run->A = odd_frame(rng);
    run->B = odd_frame(rng);
    if (ut_rng_below(rng, 4) == 0) { // one in the other's place
        run->B = run->A;
    }
    run->a_motion = odd_motion(rng);
    run->b_motion = odd_motion(rng);
    run->margin = odd_number(rng);
    run->h = odd_number(rng);
    run->target = odd_number(rng);
    run->far = odd_number(rng);
    run->from = odd_vector(rng);
    run->direction = ut_rng_below(rng, 4) == 0 ? odd_vector(rng) : random_direction(rng);
    run->sane = is_sane_shape(&run->a, &run->A) && is_sane_shape(&run->b, &run->B);
}

// ---- what makes sense ---------------------------------------------------------------------------

static bool is_finite(utVec3 x)
{
    return fabs(x.x) <= DBL_MAX && fabs(x.y) <= DBL_MAX && fabs(x.z) <= DBL_MAX;
}

static bool is_unit(utVec3 n)
{
    return fabs(ut_vec3_norm(n) - 1.0) <= 1e-9;
}

// on_b = on_a + gap normal, up to rounding of the points and, from the shapes' sizes, of the gap
static bool points_face(const utGap* gap)
{
    const utVec3 reached = ut_vec3_add_scaled(gap->on_a, gap->gap, gap->normal);
    const double size = ut_vec3_norm(gap->on_a) + ut_vec3_norm(gap->on_b);
    return ut_vec3_norm(ut_vec3_sub(reached, gap->on_b)) <= 1e-14 * size + gap->error;
}

static bool gap_makes_sense(const Run* run)
{
    utGap gap;
    if (ut_gap(&run->a.shape, run->A, &run->b.shape, run->B, &gap) != UT_OK) {
        // two planes have none
        return !run->sane ||
               (run->a.shape.kind == UT_SHAPE_PLANE && run->b.shape.kind == UT_SHAPE_PLANE);
    }
    return !run->sane || (is_unit(gap.normal) && is_finite(gap.on_a) && is_finite(gap.on_b) &&
                          fabs(gap.gap) <= DBL_MAX && gap.error >= 0.0 && points_face(&gap));
}

static bool touches_make_sense(const Run* run)
{
    utTouch touch[UT_TOUCH_MAX];
    const int count = ut_collide(&run->a.shape, run->A, &run->b.shape, run->B, run->margin, touch);
    bool sense = count >= 0 && count <= UT_MANIFOLD_MAX;
    for (int i = 0; i < count && sense && run->sane; i++) {
        sense = is_unit(touch[i].normal) && is_finite(touch[i].point) &&
                touch[i].gap <= run->margin && touch[i].gap >= -DBL_MAX &&
                (i == 0 || touch[i - 1].feature <= touch[i].feature);
    }
    return sense;
}

static bool time_makes_sense(const Run* run)
{
    double time = -1.0;
    const bool meet = ut_time_of_impact(&run->a.shape, run->A, run->a_motion, &run->b.shape, run->B,
                                        run->b_motion, run->h, run->target, &time);
    return !meet || (time >= 0.0 && time <= run->h);
}

static bool ray_makes_sense(const Run* run)
{
    utRayHit hit;
    const bool met = ut_ray(&run->a.shape, run->A, run->from, run->direction, run->far, &hit);
    return !met || !run->sane || !is_unit(run->direction) || !is_sane_vector(run->from) ||
           (hit.distance >= 0.0 && hit.distance <= run->far && is_unit(hit.normal));
}

TEST(odd_input_gives_a_defined_answer_everywhere)
{
    const char* runs_text = getenv("UPTACK_FUZZ_RUNS");
    const char* seed_text = getenv("UPTACK_FUZZ_SEED");
    const long runs = runs_text != NULL ? strtol(runs_text, NULL, 10) : RUNS;
    const long seed = seed_text != NULL ? strtol(seed_text, NULL, 10) : 13;
    long sane = 0;
    for (long i = 0; i < runs; i++) {
        utRng rng = ut_rng((uint64_t)seed, (uint64_t)i);
        Run run;
        make_run(&rng, &run);
        sane += run.sane;
        const bool good[4] = {gap_makes_sense(&run), touches_make_sense(&run),
                              time_makes_sense(&run), ray_makes_sense(&run)};
        if (!CHECK(good[0] && good[1] && good[2] && good[3])) {
            test_note("run %ld: gap %d, touches %d, time %d, ray %d; kinds %s and %s", i, good[0],
                      good[1], good[2], good[3], ut_shape_kind_name(run.a.shape.kind),
                      ut_shape_kind_name(run.b.shape.kind));
        }
    }
    test_note("%ld runs, %ld with numbers that a scene could hold", runs, sane);
    CHECK(sane > runs / 10);
}
