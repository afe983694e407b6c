// SPDX-License-Identifier: Apache-2.0
// Where bodies touch: contact points and normals of placed shapes, in plain code of the judge's own.
//
// A contact is a segment from a point on one surface to a point on the other, along the normal. Its
// length is the gap, negative for an overlap.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

enum { POINTS_MAX = 16 };

typedef struct Point {
    utVec3 on_a, on_b;
    utVec3 normal; // from a to b
    double gap;
} Point;

typedef struct Points {
    Point at[POINTS_MAX];
    int count;
} Points;

static void add_point(Points* points, utVec3 on_a, utVec3 normal, double gap)
{
    if (points->count < POINTS_MAX) {
        points->at[points->count++] =
            (Point){on_a, ut_vec3_add_scaled(on_a, gap, normal), normal, gap};
    }
}

// ---- planes -------------------------------------------------------------------------------------

// A point of b, or the lowest point of a ball of b, above the plane z = 0 of a frame.
static void plane_point(Points* points, utFrame plane, utVec3 point, double radius)
{
    const utVec3 n = ut_mat3_column(plane.R, 2);
    const double height = ut_vec3_dot(n, ut_vec3_sub(point, plane.p));
    add_point(points, ut_vec3_add_scaled(point, -height, n), n, height - radius);
}

static utVec3 corner_of(const utShape* box, utFrame at, int k)
{
    const utVec3 local = ut_vec3((k & 1) != 0 ? box->size.x : -box->size.x,
                                 (k & 2) != 0 ? box->size.y : -box->size.y,
                                 (k & 4) != 0 ? box->size.z : -box->size.z);
    return ut_frame_point(at, local);
}

static void plane_points(Points* points, utFrame plane, const utShape* b, utFrame at)
{
    if (b->kind == UT_SHAPE_SPHERE) {
        plane_point(points, plane, at.p, b->size.x);
    } else if (b->kind == UT_SHAPE_CAPSULE) {
        const utVec3 z = ut_mat3_column(at.R, 2);
        plane_point(points, plane, ut_vec3_add_scaled(at.p, b->size.y, z), b->size.x);
        plane_point(points, plane, ut_vec3_add_scaled(at.p, -b->size.y, z), b->size.x);
    } else if (b->kind == UT_SHAPE_BOX) {
        for (int k = 0; k < 8; k++) {
            plane_point(points, plane, corner_of(b, at, k), 0.0);
        }
    }
}

// ---- balls --------------------------------------------------------------------------------------

static void ball_ball(Points* points, const utShape* a, utFrame at_a, const utShape* b,
                      utFrame at_b)
{
    const utVec3 d = ut_vec3_sub(at_b.p, at_a.p);
    const double distance = ut_vec3_norm(d);
    if (distance > 0.0) {
        const utVec3 n = ut_vec3_scale(d, 1.0 / distance);
        add_point(points, ut_vec3_add_scaled(at_a.p, a->size.x, n), n,
                  distance - a->size.x - b->size.x);
    }
}

static double clamped(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

static double entry(utVec3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

static void set_entry(utVec3* v, int k, double value)
{
    *(k == 0 ? &v->x : k == 1 ? &v->y : &v->z) = value;
}

// a is the ball.
static void ball_box(Points* points, const utShape* ball, utFrame at_ball, const utShape* box,
                     utFrame at)
{
    const utVec3 c = ut_mat3_tmul_vec(at.R, ut_vec3_sub(at_ball.p, at.p));
    const utVec3 near =
        ut_vec3(clamped(c.x, box->size.x), clamped(c.y, box->size.y), clamped(c.z, box->size.z));
    utVec3 out = ut_vec3_sub(c, near); // from the box to the centre
    double distance = ut_vec3_norm(out);
    if (!(distance > 0.0)) {
        // the centre is inside: out through the nearest face
        int face = 0;
        for (int k = 1; k < 3; k++) {
            if (entry(box->size, k) - fabs(entry(c, k)) <
                entry(box->size, face) - fabs(entry(c, face))) {
                face = k;
            }
        }
        distance = fabs(entry(c, face)) - entry(box->size, face);
        set_entry(&out, face, entry(c, face) >= 0.0 ? 1.0 : -1.0);
    } else {
        out = ut_vec3_scale(out, 1.0 / distance);
    }
    const utVec3 n = ut_vec3_scale(ut_mat3_mul_vec(at.R, out), -1.0);
    add_point(points, ut_vec3_add_scaled(at_ball.p, ball->size.x, n), n, distance - ball->size.x);
}

// ---- boxes --------------------------------------------------------------------------------------

typedef struct Axis {
    utVec3 n; // from a to b
    double gap;
    int face, edge; // 0..2: a face of a, 3..5: of b; or 3 i + j for a pair of edges
} Axis;

static double reach(const utShape* box, utFrame at, utVec3 d)
{
    return box->size.x * fabs(ut_vec3_dot(d, ut_mat3_column(at.R, 0))) +
           box->size.y * fabs(ut_vec3_dot(d, ut_mat3_column(at.R, 1))) +
           box->size.z * fabs(ut_vec3_dot(d, ut_mat3_column(at.R, 2)));
}

static Axis axis_of(const utShape* a, utFrame at_a, const utShape* b, utFrame at_b, utVec3 d)
{
    const utVec3 apart = ut_vec3_sub(at_b.p, at_a.p);
    const double length = ut_vec3_norm(d), along = ut_vec3_dot(d, apart);
    if (!(length > 1e-6)) {
        return (Axis){.gap = -HUGE_VAL};
    }
    const utVec3 n = ut_vec3_scale(d, (along >= 0.0 ? 1.0 : -1.0) / length);
    return (Axis){n, ut_vec3_dot(n, apart) - reach(a, at_a, n) - reach(b, at_b, n), -1, -1};
}

// The axis of the largest gap. A pair of edges must be clearly better than a face, because two faces
// that lie on each other have edges that are as good.
static Axis best_axis(const utShape* a, utFrame at_a, const utShape* b, utFrame at_b)
{
    Axis best = {.gap = -HUGE_VAL, .face = -1, .edge = -1};
    for (int k = 0; k < 6; k++) {
        const utVec3 d = k < 3 ? ut_mat3_column(at_a.R, k) : ut_mat3_column(at_b.R, k - 3);
        Axis axis = axis_of(a, at_a, b, at_b, d);
        axis.face = k;
        best = axis.gap > best.gap ? axis : best;
    }
    const double face_gap = best.gap;
    for (int k = 0; k < 9; k++) {
        const utVec3 d =
            ut_vec3_cross(ut_mat3_column(at_a.R, k / 3), ut_mat3_column(at_b.R, k % 3));
        Axis axis = axis_of(a, at_a, b, at_b, d);
        axis.face = -1;
        axis.edge = k;
        if (axis.gap > best.gap && axis.gap > face_gap + 1e-4) {
            best = axis;
        }
    }
    return best;
}

typedef struct Polygon {
    utVec3 at[POINTS_MAX];
    int count;
} Polygon;

// Keep the part of a polygon with n.x <= offset.
static void cut(Polygon* polygon, utVec3 n, double offset)
{
    Polygon kept = {.count = 0};
    for (int i = 0; i < polygon->count; i++) {
        const utVec3 p = polygon->at[i], q = polygon->at[(i + 1) % polygon->count];
        const double dp = ut_vec3_dot(n, p) - offset, dq = ut_vec3_dot(n, q) - offset;
        if (dp <= 0.0 && kept.count < POINTS_MAX) {
            kept.at[kept.count++] = p;
        }
        if ((dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0)) {
            if (kept.count < POINTS_MAX) {
                kept.at[kept.count++] = ut_vec3_add_scaled(p, dp / (dp - dq), ut_vec3_sub(q, p));
            }
        }
    }
    *polygon = kept;
}

// The face of a box that looks most along -n.
static Polygon facing(const utShape* box, utFrame at, utVec3 n)
{
    int face = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(ut_vec3_dot(n, ut_mat3_column(at.R, k))) >
            fabs(ut_vec3_dot(n, ut_mat3_column(at.R, face)))) {
            face = k;
        }
    }
    const double sign = ut_vec3_dot(n, ut_mat3_column(at.R, face)) > 0.0 ? -1.0 : 1.0;
    static const double around[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    Polygon polygon = {.count = 4};
    for (int i = 0; i < 4; i++) {
        utVec3 local = ut_vec3_zero();
        set_entry(&local, face, sign * entry(box->size, face));
        for (int k = 1; k < 3; k++) {
            const int axis = (face + k) % 3;
            set_entry(&local, axis, around[i][k - 1] * entry(box->size, axis));
        }
        polygon.at[i] = ut_frame_point(at, local);
    }
    return polygon;
}

// The face of one box cut to the sides of the other box's face. @param flip `box` is b
static void face_points(Points* points, const utShape* box, utFrame at, int face, utVec3 n,
                        const utShape* other, utFrame other_at, bool flip)
{
    Polygon polygon = facing(other, other_at, n);
    for (int k = 1; k < 3; k++) {
        const int axis = (face + k) % 3;
        const utVec3 side = ut_mat3_column(at.R, axis);
        const double middle = ut_vec3_dot(side, at.p), half = entry(box->size, axis);
        cut(&polygon, side, middle + half);
        cut(&polygon, ut_vec3_scale(side, -1.0), half - middle);
    }
    const double top = ut_vec3_dot(n, at.p) + entry(box->size, face);
    for (int i = 0; i < polygon.count; i++) {
        const utVec3 p = polygon.at[i];
        const double gap = ut_vec3_dot(n, p) - top;
        if (flip) {
            add_point(points, p, ut_vec3_scale(n, -1.0), gap);
        } else {
            add_point(points, ut_vec3_add_scaled(p, -gap, n), n, gap);
        }
    }
}

// The middle of an edge along axis k that reaches furthest along n.
static utVec3 edge_middle(const utShape* box, utFrame at, int k, utVec3 n)
{
    utVec3 local = ut_vec3_zero();
    for (int j = 1; j < 3; j++) {
        const int axis = (k + j) % 3;
        const double sign = ut_vec3_dot(n, ut_mat3_column(at.R, axis)) > 0.0 ? 1.0 : -1.0;
        set_entry(&local, axis, sign * entry(box->size, axis));
    }
    return ut_frame_point(at, local);
}

static void edge_point(Points* points, const utShape* a, utFrame at_a, const utShape* b,
                       utFrame at_b, const Axis* axis)
{
    const int i = axis->edge / 3, j = axis->edge % 3;
    const utVec3 u = ut_mat3_column(at_a.R, i), v = ut_mat3_column(at_b.R, j);
    const utVec3 p = edge_middle(a, at_a, i, axis->n);
    const utVec3 q = edge_middle(b, at_b, j, ut_vec3_scale(axis->n, -1.0));
    // nearest points of two lines: (p + s u - q - t v) is along u x v
    const utVec3 w = ut_vec3_sub(p, q);
    const double uv = ut_vec3_dot(u, v), uw = ut_vec3_dot(u, w), vw = ut_vec3_dot(v, w);
    const double s = (uv * vw - uw) / (1.0 - uv * uv);
    add_point(points, ut_vec3_add_scaled(p, clamped(s, entry(a->size, i)), u), axis->n, axis->gap);
}

static void box_box(Points* points, const utShape* a, utFrame at_a, const utShape* b, utFrame at_b)
{
    const Axis axis = best_axis(a, at_a, b, at_b);
    if (axis.face >= 3) {
        face_points(points, b, at_b, axis.face - 3, ut_vec3_scale(axis.n, -1.0), a, at_a, true);
    } else if (axis.face >= 0) {
        face_points(points, a, at_a, axis.face, axis.n, b, at_b, false);
    } else {
        edge_point(points, a, at_a, b, at_b, &axis);
    }
}

// ---- any two shapes -----------------------------------------------------------------------------

// @param swapped receives whether a of the points is the second shape
static Points points_of(const utShape* a, utFrame at_a, const utShape* b, utFrame at_b,
                        bool* swapped)
{
    Points points = {.count = 0};
    *swapped = b->kind < a->kind;
    if (*swapped) {
        bool again;
        return points_of(b, at_b, a, at_a, &again);
    }
    if (a->kind == UT_SHAPE_PLANE) {
        plane_points(&points, at_a, b, at_b);
    } else if (a->kind == UT_SHAPE_SPHERE && b->kind == UT_SHAPE_SPHERE) {
        ball_ball(&points, a, at_a, b, at_b);
    } else if (a->kind == UT_SHAPE_SPHERE && b->kind == UT_SHAPE_BOX) {
        ball_box(&points, a, at_a, b, at_b);
    } else if (a->kind == UT_SHAPE_BOX && b->kind == UT_SHAPE_BOX) {
        box_box(&points, a, at_a, b, at_b);
    }
    return points;
}

static double least_gap(const Points* points)
{
    double least = HUGE_VAL;
    for (int i = 0; i < points->count; i++) {
        least = fmin(least, points->at[i].gap);
    }
    return least;
}

// ---- a step -------------------------------------------------------------------------------------

typedef struct Moment {
    const BodyState* states;
    const utFrame* at; // geoms
} Moment;

static void add_touch(Touches* touches, const World* world, const Moment* moment, int i, int j,
                      utVec3 x, utVec3 normal)
{
    if (touches->count == touches->room) {
        const int room = 2 * touches->room + 256;
        Touch* more = realloc(touches->at, (size_t)room * sizeof *more);
        if (more == NULL) {
            return;
        }
        touches->at = more;
        touches->room = room;
    }
    Touch touch = {.body = {world->geom[i].body, world->geom[j].body},
                   .normal = normal,
                   .mu = world_mu(world, i, j)};
    for (int k = 0; k < 2; k++) {
        touch.arm[k] =
            touch.body[k] >= 0 ? ut_vec3_sub(x, moment->states[touch.body[k]].pos) : ut_vec3_zero();
    }
    touches->at[touches->count++] = touch;
}

// An impulse may act anywhere between the two surfaces: at both ends, when these are apart.
static void add_points(Touches* touches, const World* world, const Moment* moment, int i, int j,
                       const Points* points, bool swapped, double slack)
{
    for (int k = 0; k < points->count; k++) {
        const Point* p = &points->at[k];
        const utVec3 n = swapped ? ut_vec3_scale(p->normal, -1.0) : p->normal;
        if (p->gap > slack) {
            continue;
        }
        add_touch(touches, world, moment, i, j, p->on_a, n);
        if (fabs(p->gap) > 1e-5) {
            add_touch(touches, world, moment, i, j, p->on_b, n);
        }
    }
}

// How far a geom's points can move in the step, at most.
static double travel(const World* world, int geom, const Moment* from, const Moment* to)
{
    const int body = world->geom[geom].body;
    if (body < 0) {
        return 0.0;
    }
    const double turn = ut_vec3_norm(ut_vec3_sub(ut_mat3_column(from->at[geom].R, 0),
                                                 ut_mat3_column(to->at[geom].R, 0))) +
                        ut_vec3_norm(ut_vec3_sub(ut_mat3_column(from->at[geom].R, 1),
                                                 ut_mat3_column(to->at[geom].R, 1)));
    return ut_vec3_norm(ut_vec3_sub(from->at[geom].p, to->at[geom].p)) +
           turn * ut_shape_radius(&world->geom[geom].shape);
}

static bool far_apart(const World* world, const Moment* moment, int i, int j, double slack)
{
    const double radius =
        ut_shape_radius(&world->geom[i].shape) + ut_shape_radius(&world->geom[j].shape) + slack;
    const utVec3 apart = ut_vec3_sub(moment->at[i].p, moment->at[j].p);
    return ut_vec3_dot(apart, apart) > radius * radius;
}

static void add_pair(Touches* touches, const World* world, const Moment* from, const Moment* to,
                     int i, int j)
{
    const utShape* a = &world->geom[i].shape;
    const utShape* b = &world->geom[j].shape;
    bool swapped;
    const Points start = points_of(a, from->at[i], b, from->at[j], &swapped);
    const Points end = points_of(a, to->at[i], b, to->at[j], &swapped);
    if (fmin(least_gap(&start), least_gap(&end)) > JUDGE_TOUCH) {
        return;
    }
    const double moved = travel(world, i, from, to) + travel(world, j, from, to);
    const double slack = JUDGE_TOUCH + moved;
    // where nothing moves, the points of the two moments are the same
    if (moved > 1e-9) {
        add_points(touches, world, from, i, j, &start, swapped, slack);
    }
    add_points(touches, world, to, i, j, &end, swapped, slack);
}

void judge_touches(const World* world, const BodyState* before, const utFrame* before_at,
                   const BodyState* after, const utFrame* after_at, Touches* touches)
{
    const Moment from = {before, before_at}, to = {after, after_at};
    touches->count = 0;
    for (int i = 0; i < world->geoms; i++) {
        for (int j = i + 1; j < world->geoms; j++) {
            const double near = 0.05; // m: no step of these scenes moves further
            if (world_collides(world, i, j) && !far_apart(world, &to, i, j, near)) {
                add_pair(touches, world, &from, &to, i, j);
            }
        }
    }
}
