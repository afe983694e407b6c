// SPDX-License-Identifier: Apache-2.0
// A capsule against a box, computed in the frame of the box, which is the second shape. Normals in
// that frame point from the box to the capsule.
//
// The box is the first box of a BoxPair; the second is the core, the axis of the capsule as a box
// without width. Letters: t is the centre of the core, C[i][2] its direction, b[2] its half length.
#include "collision/internal.h"

// ---- axes that may separate --------------------------------------------------------------------

// A separating axis.
typedef struct Direction {
    double gap; // between core and box, negative when they overlap
    int axis;   // axis of the face, or direction of the box's edge
    double n[3];
} Direction;

static Direction best_face(const BoxPair* pair)
{
    Direction best = {.gap = -HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        const double gap = fabs(pair->t[i]) - (pair->a[i] + pair->b[2] * fabs(pair->C[i][2]));
        if (gap > best.gap + UT_GAP_TIE * pair->size) {
            best = (Direction){.gap = gap, .axis = i};
            best.n[i] = pair->t[i] < 0.0 ? -1.0 : 1.0;
        }
    }
    return best;
}

// The best cross product of the core and a box edge that separates by more than `least`; -inf:
// none.
static Direction best_edge(const BoxPair* pair, double least)
{
    Direction best = {.gap = -HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        double k[3] = {0.0, 0.0, 0.0};
        k[i1] = -pair->C[i2][2];
        k[i2] = pair->C[i1][2];
        const double norm = sqrt(k[i1] * k[i1] + k[i2] * k[i2]);
        if (!(norm > UT_MIN_EDGE_SINE)) {
            continue;
        }
        const double along = ut_dot3(pair->t, k);
        const double reach = pair->a[i1] * fabs(k[i1]) + pair->a[i2] * fabs(k[i2]);
        const double gap = (fabs(along) - reach) / norm;
        if (gap > least && gap > best.gap) {
            const double scale = (along < 0.0 ? -1.0 : 1.0) / norm;
            best = (Direction){gap, i, {k[0] * scale, k[1] * scale, k[2] * scale}};
        }
    }
    return best;
}

// ---- points -------------------------------------------------------------------------------------

// An end of the core, or a point where the core was clipped.
typedef struct ClippedEnd {
    double x[3];
    int feature_a, feature_b;
} ClippedEnd;

// Clip end[out] to the side sign x_j = limit of the face.
static void clip_end(ClippedEnd end[2], int out, int j, double sign, double limit, int face)
{
    const double g0 = sign * end[out].x[j] - limit, g1 = sign * end[1 - out].x[j] - limit;
    const double fraction = g1 < 0.0 ? g0 / (g0 - g1) : 1.0;
    for (int i = 0; i < 3; i++) {
        end[out].x[i] += fraction * (end[1 - out].x[i] - end[out].x[i]);
    }
    end[out].feature_a = face + ut_box_digit(j, sign);
    end[out].feature_b = CAPSULE_SHAFT;
}

// The part of the core in front of a face. @return false when there is none
static bool clip_to_face(const BoxPair* pair, const Direction* face, ClippedEnd end[2])
{
    const int digit = ut_box_digit(face->axis, face->n[face->axis]);
    for (int e = 0; e < 2; e++) {
        const double s = e == 0 ? -pair->b[2] : pair->b[2];
        for (int i = 0; i < 3; i++) {
            end[e].x[i] = pair->t[i] + s * pair->C[i][2];
        }
        end[e].feature_a = digit;
        end[e].feature_b = e == 0 ? CAPSULE_END_LOW : CAPSULE_END_HIGH;
    }
    for (int side = 0; side < 4; side++) {
        const int j = (face->axis + 1 + side / 2) % 3;
        const double sign = side % 2 == 0 ? -1.0 : 1.0;
        const double most = pair->a[j] + UT_FEATURE_SLOP * pair->size;
        const bool out0 = sign * end[0].x[j] > most, out1 = sign * end[1].x[j] > most;
        if (out0 && out1) {
            return false;
        }
        if (out0 || out1) {
            clip_end(end, out0 ? 0 : 1, j, sign, pair->a[j], digit);
        }
    }
    return true;
}

static void add_end(BoxPoints* points, const BoxPair* pair, const Direction* face,
                    const ClippedEnd* end)
{
    BoxPoint* point = &points->item[points->count++];
    const int axis = face->axis;
    *point = (BoxPoint){{end->x[0], end->x[1], end->x[2]}, 0.0, end->feature_a, end->feature_b};
    point->gap = face->n[axis] * end->x[axis] - pair->a[axis];
    point->x[axis] = face->n[axis] * pair->a[axis];
}

static void face_points(const BoxPair* pair, const Direction* face, BoxPoints* points)
{
    ClippedEnd end[2];
    ut_box_points_begin(points, face->n);
    if (!clip_to_face(pair, face, end)) {
        return;
    }
    const double length = fabs(end[1].x[0] - end[0].x[0]) + fabs(end[1].x[1] - end[0].x[1]) +
                          fabs(end[1].x[2] - end[0].x[2]);
    if (length > UT_MIN_STRETCH * pair->size) {
        add_end(points, pair, face, &end[0]);
        add_end(points, pair, face, &end[1]);
    } else {
        const double n = face->n[face->axis];
        const bool second = n * end[1].x[face->axis] < n * end[0].x[face->axis];
        add_end(points, pair, face, &end[second ? 1 : 0]);
    }
}

// The point where the core crosses the edge that is farthest along n.
// @return false when the crossing is beyond an end of either
static bool edge_crossing(const BoxPair* pair, const Direction* edge, BoxPoints* points)
{
    const int i = edge->axis, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    double x[3] = {0.0, 0.0, 0.0};
    x[i1] = edge->n[i1] < 0.0 ? -pair->a[i1] : pair->a[i1];
    x[i2] = edge->n[i2] < 0.0 ? -pair->a[i2] : pair->a[i2];
    // Seen along n the core crosses the edge at s along the edge and t along the core. Solve
    // w + t u = s e + gap n by taking cross products with the other direction.
    const utVec3 u = ut_vec3(pair->C[0][2], pair->C[1][2], pair->C[2][2]);
    const utVec3 e = ut_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
    const utVec3 w = ut_vec3(pair->t[0] - x[0], pair->t[1] - x[1], pair->t[2] - x[2]);
    const utVec3 k = ut_vec3_cross(e, u);
    const double square = ut_vec3_dot(k, k);
    const double s = ut_vec3_dot(ut_vec3_cross(w, u), k) / square;
    const double t = ut_vec3_dot(ut_vec3_cross(w, e), k) / square;
    const double slop = UT_FEATURE_SLOP * pair->size;
    if (edge->gap > 0.0 && !(fabs(s) <= pair->a[i] + slop && fabs(t) <= pair->b[2] + slop)) {
        return false;
    }
    x[i] = ut_clamp_abs(s, pair->a[i]);
    ut_box_points_begin(points, edge->n);
    points->item[points->count++] =
        (BoxPoint){.x = {x[0], x[1], x[2]},
                   .gap = edge->gap,
                   .feature_a = ut_box_digit(i1, edge->n[i1]) + ut_box_digit(i2, edge->n[i2]),
                   .feature_b = CAPSULE_SHAFT};
    return true;
}

// ---- choice of the axis -------------------------------------------------------------------------

// ut_box_points_closest for a core, with the features of a capsule.
static void closest_points(const BoxPair* pair, const double n[3], BoxPoints* points)
{
    if (!ut_box_points_closest(pair, n, points)) {
        return;
    }
    for (int i = 0; i < points->count; i++) {
        const int z = points->item[i].feature_b / 9;
        points->item[i].feature_b = z == 0   ? CAPSULE_SHAFT
                                    : z == 1 ? CAPSULE_END_LOW
                                             : CAPSULE_END_HIGH;
    }
}

// Fallback when rounding leaves no point: the deepest end, moved onto the face.
static void deepest_end(const BoxPair* pair, const Direction* face, BoxPoints* points)
{
    const int axis = face->axis;
    const double s = face->n[axis] * pair->C[axis][2] < 0.0 ? pair->b[2] : -pair->b[2];
    ClippedEnd end = {.feature_a = ut_box_digit(axis, face->n[axis]),
                      .feature_b = s < 0.0 ? CAPSULE_END_LOW : CAPSULE_END_HIGH};
    for (int i = 0; i < 3; i++) {
        end.x[i] = pair->t[i] + s * pair->C[i][2];
        end.x[i] = i == axis ? end.x[i] : ut_clamp_abs(end.x[i], pair->a[i]);
    }
    add_end(points, pair, face, &end);
}

static bool find_points(const BoxPair* pair, double reach, BoxPoints* points)
{
    const Direction face = best_face(pair);
    if (face.gap > reach) {
        return false;
    }
    const double bias = UT_GAP_TIE * pair->size;
    const Direction edge = best_edge(pair, face.gap + bias);
    if (edge.gap > reach) {
        return false;
    }
    points->count = 0;
    if (edge.gap > face.gap && !ut_same_direction(edge.n, face.n)) {
        if (!edge_crossing(pair, &edge, points)) {
            closest_points(pair, edge.n, points);
        }
        return true;
    }
    face_points(pair, &face, points);
    const double known = ut_larger(face.gap, edge.gap);
    if (known > 0.0 && !(ut_box_points_least_gap(points) <= known + bias)) {
        closest_points(pair, face.n, points);
    } else if (points->count == 0) {
        deepest_end(pair, &face, points);
    }
    return true;
}

// ---- is the manifold complete? ------------------------------------------------------------------

// Is x, in the box's frame, within `reach` of the box?
static bool is_ball_within(const BoxPair* pair, const double x[3], double reach)
{
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        const double d = x[i] - ut_clamp_abs(x[i], pair->a[i]);
        square += d * d;
    }
    return !(square > reach * reach);
}

// Is x within `reach` of the core?
static bool is_near_core(const BoxPair* pair, const double x[3], double reach)
{
    const double w[3] = {x[0] - pair->t[0], x[1] - pair->t[1], x[2] - pair->t[2]};
    const double u[3] = {pair->C[0][2], pair->C[1][2], pair->C[2][2]};
    const double s = ut_clamp_abs(ut_dot3(w, u), pair->b[2]);
    const double d[3] = {w[0] - s * u[0], w[1] - s * u[1], w[2] - s * u[2]};
    return !(ut_dot3(d, d) > reach * reach);
}

// Does the box edge along i through the corner x pass the core within `reach`, at interior points
// of both? Seen along the edge, the edge is a point.
static bool is_edge_near_core(const BoxPair* pair, int i, const double x[3], double reach)
{
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const double u1 = pair->C[i1][2], u2 = pair->C[i2][2];
    const double w1 = x[i1] - pair->t[i1], w2 = x[i2] - pair->t[i2];
    const double square = u1 * u1 + u2 * u2;
    const double along = w1 * u1 + w2 * u2, across = w1 * u2 - w2 * u1;
    return !(fabs(along) > pair->b[2] * square) && !(across * across > reach * reach * square) &&
           !(fabs(pair->t[i] * square + along * pair->C[i][2]) > pair->a[i] * square);
}

static bool has_features(const BoxPoints* points, int feature_a, int feature_b)
{
    for (int i = 0; i < points->count; i++) {
        if ((feature_a == 0 || points->item[i].feature_a == feature_a) &&
            (feature_b == 0 || points->item[i].feature_b == feature_b)) {
            return true;
        }
    }
    return false;
}

static bool may_have_corner(const BoxPair* pair, const BoxPoints* points, const double x[3],
                            double reach)
{
    const int digit[3] = {ut_box_digit(0, x[0]), ut_box_digit(1, x[1]), ut_box_digit(2, x[2])};
    const int feature = digit[0] + digit[1] + digit[2];
    if (!has_features(points, feature, 0) && is_near_core(pair, x, reach)) {
        return true;
    }
    for (int i = 0; i < 3; i++) {
        if (is_edge_near_core(pair, i, x, reach) &&
            !has_features(points, feature - digit[i], CAPSULE_SHAFT)) {
            return true;
        }
    }
    return false;
}

// May another corner or edge of the box be within the margin? Only corners within the margin along
// the normal n count: a corner lies 2 n_i a_i below the highest one for each switched axis i.
static bool may_have_more_of_box(const BoxPair* pair, const BoxPoints* points, double reach)
{
    const double* n = points->normal;
    const double u_along_n = n[0] * pair->C[0][2] + n[1] * pair->C[1][2] + n[2] * pair->C[2][2];
    double largest_drop = reach + pair->b[2] * fabs(u_along_n) - ut_dot3(n, pair->t), drop[3],
           top[3];
    for (int i = 0; i < 3; i++) {
        const double height = pair->a[i] * fabs(n[i]);
        top[i] = n[i] < 0.0 ? -pair->a[i] : pair->a[i];
        largest_drop += height;
        drop[i] = 2.0 * height;
    }
    for (int k = 0; k < 8; k++) {
        const double below =
            (k & 1 ? drop[0] : 0.0) + (k & 2 ? drop[1] : 0.0) + (k & 4 ? drop[2] : 0.0);
        const double x[3] = {k & 1 ? -top[0] : top[0], k & 2 ? -top[1] : top[1],
                             k & 4 ? -top[2] : top[2]};
        if (!(below > largest_drop) && may_have_corner(pair, points, x, reach)) {
            return true;
        }
    }
    return false;
}

// @param reach radius + margin, and a little more than rounding
static bool may_have_more(const BoxPair* pair, const BoxPoints* points, double reach)
{
    for (int e = 0; e < 2; e++) {
        const double s = e == 0 ? -pair->b[2] : pair->b[2];
        const double x[3] = {pair->t[0] + s * pair->C[0][2], pair->t[1] + s * pair->C[1][2],
                             pair->t[2] + s * pair->C[2][2]};
        if (!has_features(points, 0, e == 0 ? CAPSULE_END_LOW : CAPSULE_END_HIGH) &&
            is_ball_within(pair, x, reach)) {
            return true;
        }
    }
    return may_have_more_of_box(pair, points, reach);
}

// ---- a single end -------------------------------------------------------------------------------

// One end x of the core, and the direction u from x to the other end.
typedef struct CapsuleEnd {
    double x[3], u[3];
    double nearest[3]; // the point of the box nearest to x
    double d[3];       // x - nearest
    double length;
    int feature; // of the nearest point
    int sides;   // number of box slabs that x is outside of
} CapsuleEnd;

static CapsuleEnd find_end(const BoxPair* pair, double s)
{
    CapsuleEnd end = {.length = 2.0 * pair->b[2]};
    for (int i = 0; i < 3; i++) {
        end.x[i] = pair->t[i] + s * pair->C[i][2];
        end.u[i] = s < 0.0 ? pair->C[i][2] : -pair->C[i][2];
        end.nearest[i] = ut_clamp_abs(end.x[i], pair->a[i]);
        end.d[i] = end.x[i] - end.nearest[i];
        end.feature += end.d[i] != 0.0 ? ut_box_digit(i, end.d[i]) : 0;
        end.sides += fabs(end.d[i]) > UT_FEATURE_SLOP * pair->size ? 1 : 0;
    }
    return end;
}

// An end over a face is the only contact point when the core rises beyond `reach` before it leaves
// the area over the face, and when the boundary of the face is out of reach of the rest of the
// core.
static bool is_only_point_over_face(const BoxPair* pair, const CapsuleEnd* end, double distance,
                                    double reach)
{
    const int i = fabs(end->d[0]) > 0.0 ? 0 : fabs(end->d[1]) > 0.0 ? 1 : 2;
    const double up = end->d[i] < 0.0 ? -end->u[i] : end->u[i], need = reach - distance;
    double clearance = HUGE_VAL, sideways = 0.0;
    if (!(end->length * up > need)) {
        return false;
    }
    for (int k = 1; k < 3; k++) {
        const int j = (i + k) % 3;
        const double here = pair->a[j] - fabs(end->x[j]), slope = fabs(end->u[j]);
        if (!(here * up > need * slope)) {
            return false;
        }
        clearance = here < clearance ? here : clearance;
        sideways = slope > sideways ? slope : sideways;
    }
    // within reach along the normal the core moves sideways by at most need / up times the slope
    const double beside = clearance * up - need * sideways;
    return distance * distance * (up * up) + beside * beside > reach * reach * (up * up);
}

// If the core leads away from the box at one end, this end is the nearest point. Over a face there
// may be more points, which find_points knows, unless the end is the only point.
static bool nearest_end(const BoxPair* pair, double reach, BoxPoints* points, bool* is_only_point)
{
    const bool low_first =
        pair->t[0] * pair->C[0][2] + pair->t[1] * pair->C[1][2] + pair->t[2] * pair->C[2][2] > 0.0;
    for (int e = 0; e < 2; e++) {
        const bool low = low_first == (e == 0);
        const CapsuleEnd end = find_end(pair, low ? -pair->b[2] : pair->b[2]);
        utVec3 n = ut_vec3_zero();
        const double distance = ut_norm_and_unit(ut_vec3_from(end.d), &n);
        if (end.sides == 0 || !(ut_dot3(end.u, end.d) > UT_PARALLEL_SINE * distance)) {
            continue;
        }
        *is_only_point = end.sides == 1 && is_only_point_over_face(pair, &end, distance, reach);
        if (end.sides == 1 && !*is_only_point) {
            return false;
        }
        ut_box_points_begin(points, (double[3]){n.x, n.y, n.z});
        points->item[points->count++] = (BoxPoint){{end.nearest[0], end.nearest[1], end.nearest[2]},
                                                   distance,
                                                   end.feature,
                                                   low ? CAPSULE_END_LOW : CAPSULE_END_HIGH};
        return true;
    }
    return false;
}

// The core and the box, with only the fields that nearest_end and may_have_more read.
static BoxPair core_of(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B)
{
    const utVec3 t = ut_frame_point_inverse(*B, A->p);
    const utVec3 u = ut_mat3_tmul_vec(B->R, ut_mat3_column(A->R, 2));
    const double x = b->size.x, y = b->size.y, z = b->size.z, xy = x > y ? x : y;
    BoxPair pair;
    pair.a[0] = x;
    pair.a[1] = y;
    pair.a[2] = z;
    pair.b[0] = pair.b[1] = 0.0;
    pair.b[2] = a->size.y;
    pair.t[0] = t.x;
    pair.t[1] = t.y;
    pair.t[2] = t.z;
    pair.C[0][2] = u.x;
    pair.C[1][2] = u.y;
    pair.C[2][2] = u.z;
    pair.size = (xy > z ? xy : z) + a->size.y;
    return pair;
}

void ut_collide_capsule_box(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                            Manifold* m)
{
    const double r = a->size.x;
    BoxPair pair = core_of(a, A, b, B);
    const double reach = m->margin + r + UT_REACH_ALLOWANCE * pair.size;
    BoxPoints points;
    bool is_only_point = false;
    if (!nearest_end(&pair, reach, &points, &is_only_point)) {
        pair = ut_box_pair(b->size, B, ut_vec3(0.0, 0.0, a->size.y), A);
        if (!find_points(&pair, m->margin + r, &points)) {
            return;
        }
    }
    int kept = 0;
    for (int i = 0; i < points.count; i++) {
        const BoxPoint* point = &points.item[i];
        if (point->gap - r <= m->margin) {
            ut_manifold_add_on_box(B, point->x, points.normal, point->gap - r, point->feature_b,
                                   point->feature_a, m);
            points.item[kept++] = *point;
        }
    }
    points.count = kept;
    m->complete = is_only_point || kept == 0 || !may_have_more(&pair, &points, reach);
}
