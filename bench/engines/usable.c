// SPDX-License-Identifier: Apache-2.0
// Is a run's answer usable? A time counts in the table only if it is. The rules need nothing but the
// judge's figures, and they hold for us as for all others.
#include <math.h>
#include <string.h>

#include "bench_engines.h"

// ---- rules of all scenes ------------------------------------------------------------------------

// Energy from nowhere: at most this share of what the motion had to give.
static const double ENERGY_SHARE = 0.05;
// Where nothing moves, by so much of a rise of all bodies, m.
static const double ENERGY_RISE = 0.005;

static double smallest_half_width(const World* world)
{
    double least = HUGE_VAL;
    for (int i = 0; i < world->geoms; i++) {
        const utShape* shape = &world->geom[i].shape;
        if (world->geom[i].body >= 0) {
            const bool box = shape->kind == UT_SHAPE_BOX;
            const double half =
                box ? fmin(shape->size.x, fmin(shape->size.y, shape->size.z)) : shape->size.x;
            least = fmin(least, half);
        }
    }
    return least;
}

static double rise_energy(const World* world)
{
    double mass = 0.0;
    for (int i = 0; i < world->bodies; i++) {
        mass += world->body[i].mass;
    }
    return mass * ut_vec3_norm(world->gravity) * ENERGY_RISE;
}

static const char* general(const Run* run, const Plan* plan, const World* world)
{
    const Figures* f = &run->figures;
    if (run->broke || run->gave_up || !f->finite) {
        return run->steps == 0 ? "cannot begin" : "breaks off";
    }
    if (run->cut) {
        return "cut";
    }
    if (plan->kind != SCENE_CHAIN &&
        f->energy_gain > ENERGY_SHARE * f->energy_scale + rise_energy(world)) {
        return "gains energy";
    }
    if (plan->kind != SCENE_CHAIN && f->deepest > smallest_half_width(world)) {
        return "bodies pass through each other";
    }
    return "";
}

// ---- rules of each kind -------------------------------------------------------------------------

static const char* of_kind(const Figures* f, SceneKind kind)
{
    switch (kind) {
    case SCENE_STACK:
    case SCENE_PYRAMID:
    case SCENE_QUAD:
        return f->standing == STANDING_NO ? "falls" : "";
    case SCENE_SLIDE:
        return fabs(f->own[0]) > 5.0   ? "wrong distance"
               : fabs(f->own[1]) > 1.0 ? "wrong direction"
                                       : "";
    case SCENE_STICK:
        return f->own[0] > 1e-3 ? "creeps" : "";
    case SCENE_SLIP:
        return fabs(f->own[0]) > 10.0 ? "wrong distance" : "";
    case SCENE_ROLLING:
        return f->own[0] > 10.0 ? "wrong velocity" : "";
    case SCENE_CHAIN:
        return f->own[0] > 0.1 ? "wrong energy" : "";
    case SCENE_BALLS:
        return f->own[0] > 10.0 ? "deep overlaps" : ""; // mm: a tenth of a radius in the mean
    default:
        return "";
    }
}

bool run_usable(const Run* run, const Plan* plan, const World* world, char* why)
{
    const char* wrong = general(run, plan, world);
    if (wrong[0] == '\0') {
        wrong = of_kind(&run->figures, plan->kind);
    }
    snprintf(why, ENGINE_TEXT, "%s", wrong);
    return wrong[0] == '\0';
}
