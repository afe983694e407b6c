// SPDX-License-Identifier: Apache-2.0
// The judge: penetration, energy and the scenes' figures from poses and velocities alone, in plain
// code of its own. No module of the library that finds contacts or moves bodies is used here.
#include "engines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

// ---- overlap of two shapes ----------------------------------------------------------------------

static double box_corner_depth(const utShape* box, utFrame at, utVec3 normal, double offset)
{
    // the corner that lies deepest against the normal
    double reach = 0.0;
    for (int k = 0; k < 3; k++) {
        const double half = k == 0 ? box->size.x : k == 1 ? box->size.y : box->size.z;
        reach += half * fabs(ut_vec3_dot(normal, ut_mat3_column(at.R, k)));
    }
    return reach - (ut_vec3_dot(normal, at.p) - offset);
}

// How deep a shape reaches below the plane z = 0 of a frame.
static double plane_depth(utFrame plane, const utShape* b, utFrame at)
{
    const utVec3 normal = ut_mat3_column(plane.R, 2);
    const double offset = ut_vec3_dot(normal, plane.p);
    const double height = ut_vec3_dot(normal, at.p) - offset;
    if (b->kind == UT_SHAPE_SPHERE) {
        return b->size.x - height;
    }
    if (b->kind == UT_SHAPE_CAPSULE) {
        return b->size.x + b->size.y * fabs(ut_vec3_dot(normal, ut_mat3_column(at.R, 2))) - height;
    }
    return b->kind == UT_SHAPE_BOX ? box_corner_depth(b, at, normal, offset) : (double)NAN;
}

static double clamped(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

static double box_sphere_depth(const utShape* box, utFrame at, const utShape* ball, utFrame ball_at)
{
    const utVec3 c = ut_mat3_tmul_vec(at.R, ut_vec3_sub(ball_at.p, at.p));
    const utVec3 near =
        ut_vec3(clamped(c.x, box->size.x), clamped(c.y, box->size.y), clamped(c.z, box->size.z));
    const double apart = ut_vec3_norm(ut_vec3_sub(c, near));
    if (apart > 0.0) {
        return ball->size.x - apart;
    }
    // the centre is inside: out through the nearest face
    const double face =
        fmin(box->size.x - fabs(c.x), fmin(box->size.y - fabs(c.y), box->size.z - fabs(c.z)));
    return ball->size.x + face;
}

// Half the width of a box along a direction.
static double box_reach(const utShape* box, utFrame at, utVec3 d)
{
    return box->size.x * fabs(ut_vec3_dot(d, ut_mat3_column(at.R, 0))) +
           box->size.y * fabs(ut_vec3_dot(d, ut_mat3_column(at.R, 1))) +
           box->size.z * fabs(ut_vec3_dot(d, ut_mat3_column(at.R, 2)));
}

// Overlap along one axis; HUGE_VAL for the cross product of parallel edges, which says nothing.
static double axis_overlap(const utShape* a, utFrame at_a, const utShape* b, utFrame at_b,
                           utVec3 axis)
{
    const double length = ut_vec3_norm(axis);
    if (!(length > 1e-6)) {
        return HUGE_VAL;
    }
    const utVec3 d = ut_vec3_scale(axis, 1.0 / length);
    return box_reach(a, at_a, d) + box_reach(b, at_b, d) -
           fabs(ut_vec3_dot(d, ut_vec3_sub(at_b.p, at_a.p)));
}

// Separating axes: three faces each, nine pairs of edges; the least overlap is the depth.
static double box_box_depth(const utShape* a, utFrame at_a, const utShape* b, utFrame at_b)
{
    double depth = HUGE_VAL;
    for (int i = 0; i < 3 && depth > 0.0; i++) {
        const utVec3 ai = ut_mat3_column(at_a.R, i);
        depth = fmin(depth, axis_overlap(a, at_a, b, at_b, ai));
        depth = fmin(depth, axis_overlap(a, at_a, b, at_b, ut_mat3_column(at_b.R, i)));
        for (int j = 0; j < 3; j++) {
            const utVec3 edge = ut_vec3_cross(ai, ut_mat3_column(at_b.R, j));
            depth = fmin(depth, axis_overlap(a, at_a, b, at_b, edge));
        }
    }
    return depth;
}

double judge_overlap(const utShape* a, utFrame at_a, const utShape* b, utFrame at_b)
{
    if (b->kind < a->kind) {
        return judge_overlap(b, at_b, a, at_a);
    }
    double depth = (double)NAN;
    if (a->kind == UT_SHAPE_PLANE) {
        depth = plane_depth(at_a, b, at_b);
    } else if (a->kind == UT_SHAPE_SPHERE && b->kind == UT_SHAPE_SPHERE) {
        depth = a->size.x + b->size.x - ut_vec3_norm(ut_vec3_sub(at_a.p, at_b.p));
    } else if (a->kind == UT_SHAPE_SPHERE && b->kind == UT_SHAPE_BOX) {
        depth = box_sphere_depth(b, at_b, a, at_a);
    } else if (a->kind == UT_SHAPE_BOX && b->kind == UT_SHAPE_BOX) {
        depth = box_box_depth(a, at_a, b, at_b);
    }
    return depth < 0.0 ? 0.0 : depth;
}

// ---- overlap of everything ----------------------------------------------------------------------

void judge_place(const World* world, const BodyState* states, utFrame* at)
{
    for (int i = 0; i < world->geoms; i++) {
        const WorldGeom* geom = &world->geom[i];
        const utFrame in_body = ut_frame(ut_quat_to_mat3(geom->quat), geom->pos);
        at[i] = in_body;
        if (geom->body >= 0) {
            const BodyState* s = &states[geom->body];
            at[i] = ut_frame_mul(ut_frame(ut_quat_to_mat3(s->quat), s->pos), in_body);
        }
    }
}

static bool far_apart(const World* world, const utFrame* at, int i, int j)
{
    const double radius =
        ut_shape_radius(&world->geom[i].shape) + ut_shape_radius(&world->geom[j].shape);
    const utVec3 apart = ut_vec3_sub(at[i].p, at[j].p);
    return ut_vec3_dot(apart, apart) > radius * radius;
}

Overlaps judge_overlaps(const World* world, const BodyState* states, utFrame* at)
{
    Overlaps sum = {0};
    judge_place(world, states, at);
    for (int i = 0; i < world->geoms; i++) {
        for (int j = i + 1; j < world->geoms; j++) {
            if (!world_collides(world, i, j) || far_apart(world, at, i, j)) {
                continue;
            }
            const double depth =
                judge_overlap(&world->geom[i].shape, at[i], &world->geom[j].shape, at[j]);
            if (!(depth <= 0.0)) {
                sum.pairs++;
                sum.depth += depth;
                sum.square += depth * depth;
                sum.deepest = fmax(sum.deepest, depth);
            }
        }
    }
    return sum;
}

// ---- energy -------------------------------------------------------------------------------------

double judge_kinetic(const World* world, const BodyState* states)
{
    double sum = 0.0;
    for (int i = 0; i < world->bodies; i++) {
        const WorldBody* body = &world->body[i];
        const utVec3 w = ut_quat_rotate_inverse(states[i].quat, states[i].angular);
        sum += 0.5 * body->mass * ut_vec3_dot(states[i].velocity, states[i].velocity);
        sum += 0.5 * (body->inertia.x * w.x * w.x + body->inertia.y * w.y * w.y +
                      body->inertia.z * w.z * w.z);
    }
    return sum;
}

double judge_potential(const World* world, const BodyState* states)
{
    double sum = 0.0;
    for (int i = 0; i < world->bodies; i++) {
        sum -= world->body[i].mass * ut_vec3_dot(world->gravity, states[i].pos);
    }
    return sum;
}

double judge_driven(const World* world, const BodyState* states)
{
    double sum = 0.0;
    for (int i = 0; i < world->bodies; i++) {
        const WorldBody* body = &world->body[i];
        sum -= ut_vec3_dot(body->push, ut_vec3_sub(states[i].pos, body->pos));
        if (body->servo) {
            const double off = body->target - judge_hinge_angle(world, i, states);
            sum += 0.5 * body->kp * off * off;
        }
    }
    return sum;
}
