// SPDX-License-Identifier: Apache-2.0
// What becomes of the judge's measures over a run: the figures that each kind of scene is known by.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

struct Judge {
    const World* world;
    SceneKind kind;
    double time;      // of the whole run
    utFrame* at;      // a geom
    BodyState* start; // a body
    BodyState* last;
    Figures figures;
    double square;       // sum over samples of the sum of squared depths
    double error;        // largest or summed, as the kind needs it
    double exact;        // rolling: sum over samples of the squared exact velocity
    double lowest;       // least energy of gravity of all samples
    double sink, stray;  // the most that a watched body ever sank and moved sideways
    double settled_time; // the middle of the run, from which a creep is counted
    utVec3 settled;
};

// What the figures of a kind are called, and which of them stands for its error.
static const char* const kinds[SCENE_KINDS][FIGURES_MAX] = {
    [SCENE_BALLS] = {"mean depth mm", "sum pen^2 m^2"},
    [SCENE_STACK] = {"sag or drift mm", "drift mm"},
    [SCENE_SLIDE] = {"distance %", "heading deg"},
    [SCENE_STICK] = {"creep m/s", ""},
    [SCENE_SLIP] = {"distance %", ""},
    [SCENE_ROLLING] = {"velocity %", "error m2/s2"},
    [SCENE_CHAIN] = {"worst dE/drop", "last dE/drop"},
    [SCENE_QUAD] = {"deepest mm", "tilt deg"},
    [SCENE_PYRAMID] = {"sag or drift mm", "drift mm"},
};

const char* figure_name(SceneKind kind, int which)
{
    return kinds[kind][which];
}

// ---- begin --------------------------------------------------------------------------------------

static void* room(size_t count, size_t size)
{
    void* memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        fprintf(stderr, "judge: no memory\n");
        exit(1);
    }
    return memory;
}

Judge* judge_create(const World* world, SceneKind kind, double time)
{
    Judge* judge = room(1, sizeof *judge);
    *judge = (Judge){
        .world = world,
        .kind = kind,
        .time = time,
        .at = room((size_t)world->geoms, sizeof(utFrame)),
        .start = room((size_t)world->bodies, sizeof(BodyState)),
        .last = room((size_t)world->bodies, sizeof(BodyState)),
        .figures = {.finite = true},
    };
    for (int i = 0; i < world->bodies; i++) {
        const WorldBody* body = &world->body[i];
        judge->start[i] = (BodyState){body->pos, body->quat, body->velocity, body->angular};
        judge->last[i] = judge->start[i];
    }
    judge->settled = judge->start[world->bodies - 1].pos;
    const double potential = judge_potential(world, judge->start);
    const double kinetic = judge_kinetic(world, judge->start);
    const double energy = kinetic + potential + judge_driven(world, judge->start);
    judge->figures.energy_start = judge->figures.energy_end = energy;
    judge->figures.energy_scale = kinetic;
    judge->lowest = potential;
    return judge;
}

void judge_destroy(Judge* judge)
{
    free(judge->at);
    free(judge->start);
    free(judge->last);
    free(judge);
}

// ---- samples ------------------------------------------------------------------------------------

static bool is_finite(const BodyState* s)
{
    const double sum = s->pos.x + s->pos.y + s->pos.z + s->quat.w + s->quat.x + s->quat.y +
                       s->quat.z + s->velocity.x + s->velocity.y + s->velocity.z + s->angular.x +
                       s->angular.y + s->angular.z;
    return isfinite(sum);
}

static double sideways(utVec3 from, utVec3 to)
{
    return hypot(to.x - from.x, to.y - from.y);
}

// The top of a stack, or any cube of a pyramid.
static void watch_cubes(Judge* judge, const BodyState* states)
{
    const int n = judge->world->bodies;
    for (int i = judge->kind == SCENE_STACK ? n - 1 : 0; i < n; i++) {
        judge->sink = fmax(judge->sink, judge->start[i].pos.z - states[i].pos.z);
        judge->stray = fmax(judge->stray, sideways(judge->start[i].pos, states[i].pos));
    }
}

// The closed form: the push less the friction of slab and balls on the ground moves the slab and
// 2/7 of each ball's mass; a ball rolls with 2/7 of the slab's velocity.
static void watch_rolling(Judge* judge, double time, const BodyState* states)
{
    const World* world = judge->world;
    const double ground_mu = world->geom[0].mu, g = ut_vec3_norm(world->gravity);
    double mass = 0.0;
    for (int i = 0; i < world->bodies; i++) {
        mass += world->body[i].mass;
    }
    const double slab = world->body[0].mass, push = ut_vec3_norm(world->body[0].push);
    const double a = (push - ground_mu * mass * g) / (slab + (mass - slab) * 2.0 / 7.0);
    const utVec3 v = ut_vec3_scale(world->body[0].push, a * time / push);
    for (int i = 0; i < world->bodies; i++) {
        const double part = i == 0 ? 1.0 : 2.0 / 7.0;
        const utVec3 off = ut_vec3_add_scaled(states[i].velocity, -part, v);
        judge->error += ut_vec3_dot(off, off) / world->bodies;
        judge->exact += part * part * ut_vec3_dot(v, v) / world->bodies;
    }
}

void judge_sample(Judge* judge, double time, const BodyState* states)
{
    const World* world = judge->world;
    Figures* f = &judge->figures;
    for (int i = 0; i < world->bodies; i++) {
        f->finite = f->finite && is_finite(&states[i]);
    }
    f->samples++;
    f->time = time;
    if (!f->finite) {
        return;
    }
    const Overlaps overlaps = judge_overlaps(world, states, judge->at);
    f->deepest = fmax(f->deepest, overlaps.deepest);
    f->depth += overlaps.pairs > 0 ? overlaps.depth / overlaps.pairs : 0.0;
    judge->square += overlaps.square;

    const double potential = judge_potential(world, states);
    judge->lowest = fmin(judge->lowest, potential);
    f->kinetic_end = judge_kinetic(world, states);
    f->energy_end = f->kinetic_end + potential + judge_driven(world, states);
    f->energy_gain = fmax(f->energy_gain, f->energy_end - f->energy_start);

    if (judge->kind == SCENE_STACK || judge->kind == SCENE_PYRAMID) {
        watch_cubes(judge, states);
    } else if (judge->kind == SCENE_ROLLING) {
        watch_rolling(judge, time, states);
    } else if (judge->kind == SCENE_CHAIN) {
        judge->error = fmax(judge->error, fabs(f->energy_end - f->energy_start));
    } else if (judge->kind == SCENE_STICK && time <= 0.5 * judge->time) {
        judge->settled_time = time;
        judge->settled = states[0].pos;
    }
    memcpy(judge->last, states, (size_t)world->bodies * sizeof *states);
}

void judge_step(Judge* judge, const BodyState* before, const BodyState* after)
{
    for (int i = 0; i < judge->world->bodies; i++) {
        if (!is_finite(&before[i]) || !is_finite(&after[i])) {
            return;
        }
    }
    Figures* f = &judge->figures;
    const double residual = judge_residual(judge->world, before, after);
    f->residual_steps++;
    f->residual += residual;
    f->residual_worst = fmax(f->residual_worst, residual);
}

// ---- the figures of each kind -------------------------------------------------------------------

static const double degree = 3.14159265358979323846 / 180.0;

// Of the path: v^2 / (2 mu g) along the heading it began with.
static void slide_figures(const Judge* judge, Figures* f)
{
    const utVec3 v = judge->start[0].velocity;
    const utVec3 path = ut_vec3_sub(judge->last[0].pos, judge->start[0].pos);
    const double exact =
        ut_vec3_dot(v, v) / (2.0 * judge->world->geom[0].mu * ut_vec3_norm(judge->world->gravity));
    f->own[0] = 100.0 * (hypot(path.x, path.y) / exact - 1.0);
    f->own[1] = atan2(v.x * path.y - v.y * path.x, v.x * path.x + v.y * path.y) / degree;
}

// Gravity leans: down the floor by the part along it, less friction.
static void slip_figures(const Judge* judge, Figures* f)
{
    const utVec3 g = judge->world->gravity;
    const double a = hypot(g.x, g.y) + judge->world->geom[0].mu * g.z;
    const double exact = 0.5 * a * f->time * f->time;
    f->own[0] = 100.0 * (sideways(judge->start[0].pos, judge->last[0].pos) / exact - 1.0);
}

// From horizontal to hanging: each link's mass falls by its distance from the first hinge.
static double drop_energy(const World* world)
{
    double sum = 0.0;
    for (int i = 0; i < world->bodies; i++) {
        const utVec3 arm = ut_vec3_sub(world->body[i].pos, world->body[0].anchor);
        sum += world->body[i].mass * ut_vec3_norm(arm);
    }
    return sum * ut_vec3_norm(world->gravity);
}

static void quad_figures(const Judge* judge, Figures* f)
{
    const utVec3 up = ut_quat_rotate(judge->last[0].quat, ut_vec3(0.0, 0.0, 1.0));
    f->own[0] = 1e3 * f->deepest;
    f->own[1] = atan2(hypot(up.x, up.y), up.z) / degree;
    const double height = judge->last[0].pos.z;
    // with stiff servos its torso would end 0.4 m above the floor; before the end it still swings
    if (f->time > 0.99 * judge->time) {
        const bool stands = height > 0.3 && height < 0.45 && f->own[1] < 10.0;
        f->standing = stands ? STANDING_YES : STANDING_NO;
    }
}

static void cube_figures(const Judge* judge, Figures* f)
{
    const double half = judge->world->geom[judge->world->geoms - 1].shape.size.z;
    f->own[0] = 1e3 * fmax(judge->sink, judge->stray);
    f->own[1] = 1e3 * judge->stray;
    f->standing = judge->sink < half && judge->stray < half ? STANDING_YES : STANDING_NO;
}

static void own_figures(const Judge* judge, Figures* f)
{
    switch (judge->kind) {
    case SCENE_BALLS:
        f->own[0] = 1e3 * f->depth;
        f->own[1] = judge->square / f->samples;
        break;
    case SCENE_STACK:
    case SCENE_PYRAMID:
        cube_figures(judge, f);
        break;
    case SCENE_SLIDE:
        slide_figures(judge, f);
        break;
    case SCENE_STICK:
        f->own[0] = sideways(judge->settled, judge->last[0].pos) / (f->time - judge->settled_time);
        break;
    case SCENE_SLIP:
        slip_figures(judge, f);
        break;
    case SCENE_ROLLING:
        f->own[0] = 100.0 * sqrt(judge->error / judge->exact);
        f->own[1] = judge->error / f->samples;
        break;
    case SCENE_CHAIN:
        f->own[0] = judge->error / drop_energy(judge->world);
        f->own[1] = (f->energy_end - f->energy_start) / drop_energy(judge->world);
        break;
    case SCENE_QUAD:
        quad_figures(judge, f);
        break;
    default:
        break;
    }
}

void judge_figures(Judge* judge, Figures* figures)
{
    *figures = judge->figures;
    figures->depth /= figures->samples > 0 ? figures->samples : 1;
    figures->residual /= figures->residual_steps > 0 ? figures->residual_steps : 1;
    figures->energy_scale += judge_potential(judge->world, judge->start) - judge->lowest;
    if (figures->samples > 0 && figures->finite) {
        own_figures(judge, figures);
    }
}
