// SPDX-License-Identifier: Apache-2.0
// The collection of generated problems. The number of a problem determines its settings.
#include "scene_builder.h"

enum { STREAM_SAMPLE = 3 };

// A random element of a list.
static double one_of(utRng* rng, const double* values, int count)
{
    return values[ut_rng_below(rng, count)];
}

#define ONE_OF(rng, values) one_of((rng), (values), (int)(sizeof(values) / sizeof(values)[0]))

static int between(utRng* rng, int lo, int hi)
{
    return lo + ut_rng_below(rng, hi - lo + 1);
}

static void draw_friction(utRng* rng, utFrictionDef* def)
{
    static const double mus[] = {0.0, 0.1, 0.3, 0.5, 0.5, 0.8, 1.2, 2.0};
    bool varies = ut_rng_below(rng, 3) == 0;
    bool smooth = ut_rng_below(rng, 4) == 0;
    double mu = ONE_OF(rng, mus);
    def->mu_min = varies ? 0.0 : mu;
    def->mu_max = varies ? 2.0 : mu;
    def->smooth = smooth ? 0.2 : 0.0;
    // a ramp needs friction to have a slope
    double rough = ut_rng_range(rng, 0.05, 2.0);
    if (def->scene == UT_FRICTION_RAMP) {
        def->mu_min = rough;
    }
}

// A random direction, mostly horizontal; half of the time an axis.
static void draw_push(utRng* rng, utFrictionDef* def)
{
    static const double speeds[] = {0.0, 0.01, 0.1, 0.3, 0.5, 2.0};
    double speed = ONE_OF(rng, speeds);
    int kind = ut_rng_below(rng, 4);
    double x = ut_rng_range(rng, -1.0, 1.0);
    double y = ut_rng_range(rng, -1.0, 1.0);
    double z = ut_rng_range(rng, -0.5, 0.5);
    utVec3 direction = kind == 0   ? ut_vec3(1.0, 0.0, 0.0)
                       : kind == 1 ? ut_vec3(0.0, 1.0, 0.0)
                       : kind == 2 ? ut_vec3(x, y, 0.0)
                                   : ut_vec3(x, y, z);
    def->push = ut_vec3_scale(direction, speed);
}

static void draw_step(utRng* rng, utFrictionDef* def)
{
    static const double steps[] = {1.0 / 60.0, 1.0 / 60.0, 1.0 / 240.0, 0.002};
    static const double gaps[] = {0.0, 0.0, 0.0, 1e-5, 1e-3};
    static const double sizes[] = {0.01, 0.2, 0.2, 1.0};
    def->h = ONE_OF(rng, steps);
    def->size = ONE_OF(rng, sizes);
    def->gap = def->size * ONE_OF(rng, gaps);
}

// The number of boxes and the mass ratio.
static void draw_boxes(utRng* rng, utFrictionDef* def)
{
    static const int most[UT_FRICTION_SCENE_COUNT] = {30, 1, 12, 6, 30, 1, 1, 15};
    static const double ratios[] = {1.0, 1.0, 10.0, 1e3, 1e3, 1e6};
    static const double jitters[] = {0.0, 0.0, 0.05, 0.2};
    static const double loops[] = {0.0, 0.3, 0.6, 1.0};
    def->count = between(rng, 1, most[def->scene]);
    def->rows = between(rng, 1, 8);
    def->columns = between(rng, 1, 8);
    def->sides = ut_rng_below(rng, 4) == 0;
    def->ratio = ONE_OF(rng, ratios);
    def->jitter = ONE_OF(rng, jitters);
    def->loops = ONE_OF(rng, loops);
    def->balls = between(rng, 1, 3);
}

// The load of a grasp or a ramp, from far below the friction limit to above it.
static void draw_load(utRng* rng, utFrictionDef* def)
{
    static const double fractions[] = {0.1, 0.5, 0.9, 0.999, 1.001, 1.5};
    def->fraction = ONE_OF(rng, fractions);
    def->turn = ut_rng_range(rng, -3.0, 3.0);
    // the impulse that just holds the row with a friction of about 0.5, divided by the fraction
    double mass = def->mass * (def->count - 1 + def->ratio);
    def->press = def->h * def->g * mass / def->fraction;
}

utFrictionDef ut_friction_sample(int index)
{
    // hard scenes are more frequent
    static const utFrictionScene scenes[] = {UT_FRICTION_STACK, UT_FRICTION_WALL, UT_FRICTION_WEDGE,
                                             UT_FRICTION_GRASP, UT_FRICTION_PILE, UT_FRICTION_TABLE,
                                             UT_FRICTION_STACK, UT_FRICTION_WALL, UT_FRICTION_WEDGE,
                                             UT_FRICTION_GRASP, UT_FRICTION_PILE, UT_FRICTION_CHAIN,
                                             UT_FRICTION_RAMP};
    enum { SCENES = sizeof scenes / sizeof scenes[0] };
    utRng rng = ut_rng((uint64_t)index, STREAM_SAMPLE);
    utFrictionDef def = ut_friction_def(scenes[(unsigned)index % SCENES]);
    draw_boxes(&rng, &def);
    draw_friction(&rng, &def);
    draw_step(&rng, &def);
    draw_push(&rng, &def);
    draw_load(&rng, &def);
    def.seed = (uint64_t)index;
    return def;
}
