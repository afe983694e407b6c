// SPDX-License-Identifier: Apache-2.0
// A sphere or a capsule against a box. The box comes second, but its frame is the one to compute
// in; normals there go from the box to the round shape.
#include "collision/internal.h"

// x on the box, normal and gap in the box's frame; the normal is turned on the way out
static void add_round(const utFrame* box, const double x[3], const double n[3], double gap,
                      int round, int feature, Manifold* m)
{
    const utVec3 normal = ut_mat3_mul_vec(box->R, ut_of(n));
    const utVec3 point = ut_vec3_add_scaled(ut_frame_point(*box, ut_of(x)), 0.5 * gap, normal);
    ut_manifold_add(m, point, ut_vec3_negate(normal), gap, round, feature);
}

// ---- sphere -------------------------------------------------------------------------------------

// the centre c is in the box: out by the nearest face
static void add_inside(const utFrame* B, const double half[3], const double c[3], double r,
                       Manifold* m)
{
    int axis = 0;
    for (int i = 1; i < 3; i++) {
        axis = half[i] - fabs(c[i]) < half[axis] - fabs(c[axis]) ? i : axis;
    }
    const double sign = c[axis] < 0.0 ? -1.0 : 1.0;
    double n[3] = {0.0, 0.0, 0.0}, x[3] = {c[0], c[1], c[2]};
    n[axis] = sign;
    x[axis] = sign * half[axis];
    add_round(B, x, n, fabs(c[axis]) - half[axis] - r, ROUND_FEATURE, ut_digit(axis, sign), m);
}

void ut_collide_sphere_box(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                           Manifold* m)
{
    m->complete = true;
    const utVec3 centre = ut_frame_point_inverse(*B, A->p);
    const double half[3] = {b->size.x, b->size.y, b->size.z};
    const double c[3] = {centre.x, centre.y, centre.z};
    double foot[3], d[3];
    int feature = 0;
    for (int i = 0; i < 3; i++) {
        foot[i] = ut_clamp(c[i], half[i]);
        d[i] = c[i] - foot[i];
        feature += d[i] != 0.0 ? ut_digit(i, d[i]) : 0;
    }
    if (feature == 0) {
        add_inside(B, half, c, a->size.x, m);
        return;
    }
    utVec3 n = ut_vec3_zero();
    const double gap = ut_vec3_norm(ut_of(d)) - a->size.x;
    if (gap <= m->margin) {
        ut_split(ut_of(d), &n);
        add_round(B, foot, (double[3]){n.x, n.y, n.z}, gap, ROUND_FEATURE, feature, m);
    }
}

// ---- capsule: directions that may separate ------------------------------------------------------

// Letters of the file from here on: the box is the first brick, the capsule's core (its axis) the
// second; c is its centre, u its direction, h its half length.
typedef struct Direction {
    double gap; // of the core, negative when it overlaps the box
    int axis;   // a face's, or the direction of the box's edge
    double n[3];
} Direction;

static Direction best_face(const Bricks* pair)
{
    Direction best = {.gap = -HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        const double gap = fabs(pair->t[i]) - (pair->a[i] + pair->b[2] * fabs(pair->C[i][2]));
        if (gap > best.gap + UT_GAP_BIAS * pair->size) {
            best = (Direction){.gap = gap, .axis = i};
            best.n[i] = pair->t[i] < 0.0 ? -1.0 : 1.0;
        }
    }
    return best;
}

// Normals of u and an edge of the box that separate by more than `least`; gap = -inf without one.
static Direction best_edge(const Bricks* pair, double least)
{
    Direction best = {.gap = -HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        double k[3] = {0.0, 0.0, 0.0};
        k[i1] = -pair->C[i2][2];
        k[i2] = pair->C[i1][2];
        const double norm = sqrt(k[i1] * k[i1] + k[i2] * k[i2]);
        if (!(norm > UT_SKIP_PARALLEL)) {
            continue;
        }
        const double along = ut_dot(pair->t, k);
        const double reach = pair->a[i1] * fabs(k[i1]) + pair->a[i2] * fabs(k[i2]);
        const double gap = (fabs(along) - reach) / norm;
        if (gap > least && gap > best.gap) {
            const double scale = (along < 0.0 ? -1.0 : 1.0) / norm;
            best = (Direction){gap, i, {k[0] * scale, k[1] * scale, k[2] * scale}};
        }
    }
    return best;
}

// ---- capsule: points ----------------------------------------------------------------------------

// one end of the core, or where it was cut
typedef struct End {
    double x[3];
    int fa, fb;
} End;

// Cut end[out] back to the side of the face where sign x_j = a_j.
static void cut(End end[2], int out, int j, double sign, double limit, int face)
{
    const double g0 = sign * end[out].x[j] - limit, g1 = sign * end[1 - out].x[j] - limit;
    const double share = g1 < 0.0 ? g0 / (g0 - g1) : 1.0;
    for (int i = 0; i < 3; i++) {
        end[out].x[i] += share * (end[1 - out].x[i] - end[out].x[i]);
    }
    end[out].fa = face + ut_digit(j, sign);
    end[out].fb = SHAFT;
}

// The part of the core that is in front of a face. @return false when there is none
static bool cut_to_face(const Bricks* pair, const Direction* face, End end[2])
{
    const int digit = ut_digit(face->axis, face->n[face->axis]);
    for (int e = 0; e < 2; e++) {
        const double s = e == 0 ? -pair->b[2] : pair->b[2];
        for (int i = 0; i < 3; i++) {
            end[e].x[i] = pair->t[i] + s * pair->C[i][2];
        }
        end[e].fa = digit;
        end[e].fb = e == 0 ? END_LOW : END_HIGH;
    }
    for (int side = 0; side < 4; side++) {
        const int j = (face->axis + 1 + side / 2) % 3;
        const double sign = side % 2 == 0 ? -1.0 : 1.0;
        const double most = pair->a[j] + UT_SLOP * pair->size;
        const bool out0 = sign * end[0].x[j] > most, out1 = sign * end[1].x[j] > most;
        if (out0 && out1) {
            return false;
        }
        if (out0 || out1) {
            cut(end, out0 ? 0 : 1, j, sign, pair->a[j], digit);
        }
    }
    return true;
}

static void add_end(Spots* spots, const Bricks* pair, const Direction* face, const End* end)
{
    Spot* spot = &spots->spot[spots->count++];
    const int axis = face->axis;
    *spot = (Spot){{end->x[0], end->x[1], end->x[2]}, 0.0, end->fa, end->fb};
    spot->gap = face->n[axis] * end->x[axis] - pair->a[axis];
    spot->point[axis] = face->n[axis] * pair->a[axis];
}

static void face_spots(const Bricks* pair, const Direction* face, Spots* spots)
{
    End end[2];
    ut_spots_begin(spots, face->n);
    if (!cut_to_face(pair, face, end)) {
        return;
    }
    const double length = fabs(end[1].x[0] - end[0].x[0]) + fabs(end[1].x[1] - end[0].x[1]) +
                          fabs(end[1].x[2] - end[0].x[2]);
    if (length > 1e-6 * pair->size) {
        add_end(spots, pair, face, &end[0]);
        add_end(spots, pair, face, &end[1]);
    } else {
        const double n = face->n[face->axis];
        const bool second = n * end[1].x[face->axis] < n * end[0].x[face->axis];
        add_end(spots, pair, face, &end[second ? 1 : 0]);
    }
}

// Where the core passes an edge of the box, the one that reaches farthest along n.
// @return false when it passes beyond an end of either
static bool edge_spot(const Bricks* pair, const Direction* edge, Spots* spots)
{
    const int i = edge->axis, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    double x[3] = {0.0, 0.0, 0.0};
    x[i1] = edge->n[i1] < 0.0 ? -pair->a[i1] : pair->a[i1];
    x[i2] = edge->n[i2] < 0.0 ? -pair->a[i2] : pair->a[i2];
    // seen along n the core crosses the edge at s along the edge and t along the core: from
    // w + t u = s e + gap n, each by the cross product with the other
    const utVec3 u = ut_vec3(pair->C[0][2], pair->C[1][2], pair->C[2][2]);
    const utVec3 e = ut_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
    const utVec3 w = ut_vec3(pair->t[0] - x[0], pair->t[1] - x[1], pair->t[2] - x[2]);
    const utVec3 k = ut_vec3_cross(e, u);
    const double square = ut_vec3_dot(k, k);
    const double s = ut_vec3_dot(ut_vec3_cross(w, u), k) / square;
    const double t = ut_vec3_dot(ut_vec3_cross(w, e), k) / square;
    const double slop = UT_SLOP * pair->size;
    if (edge->gap > 0.0 && !(fabs(s) <= pair->a[i] + slop && fabs(t) <= pair->b[2] + slop)) {
        return false;
    }
    x[i] = ut_clamp(s, pair->a[i]);
    ut_spots_begin(spots, edge->n);
    spots->spot[spots->count++] =
        (Spot){.point = {x[0], x[1], x[2]},
               .gap = edge->gap,
               .fa = ut_digit(i1, edge->n[i1]) + ut_digit(i2, edge->n[i2]),
               .fb = SHAFT};
    return true;
}

// ---- capsule ------------------------------------------------------------------------------------

// the same for a core, whose features have their own names
static void closest_spots(const Bricks* pair, const double n[3], Spots* spots)
{
    if (!ut_spots_closest(pair, n, spots)) {
        return;
    }
    for (int i = 0; i < spots->count; i++) {
        const int z = spots->spot[i].fb / 9;
        spots->spot[i].fb = z == 0 ? SHAFT : z == 1 ? END_LOW : END_HIGH;
    }
}

// the deepest end with its foot moved on the face: for rounding alone
static void deepest_end(const Bricks* pair, const Direction* face, Spots* spots)
{
    const int axis = face->axis;
    const double s = face->n[axis] * pair->C[axis][2] < 0.0 ? pair->b[2] : -pair->b[2];
    End end = {.fa = ut_digit(axis, face->n[axis]), .fb = s < 0.0 ? END_LOW : END_HIGH};
    for (int i = 0; i < 3; i++) {
        end.x[i] = pair->t[i] + s * pair->C[i][2];
        end.x[i] = i == axis ? end.x[i] : ut_clamp(end.x[i], pair->a[i]);
    }
    add_end(spots, pair, face, &end);
}

static bool find_spots(const Bricks* pair, double reach, Spots* spots)
{
    const Direction face = best_face(pair);
    if (face.gap > reach) {
        return false;
    }
    const double bias = UT_GAP_BIAS * pair->size;
    const Direction edge = best_edge(pair, face.gap + bias);
    if (edge.gap > reach) {
        return false;
    }
    spots->count = 0;
    if (edge.gap > face.gap && !ut_same_direction(edge.n, face.n)) {
        if (!edge_spot(pair, &edge, spots)) {
            closest_spots(pair, edge.n, spots);
        }
        return true;
    }
    face_spots(pair, &face, spots);
    const double known = ut_larger(face.gap, edge.gap);
    if (known > 0.0 && !(ut_spots_least(spots) <= known + bias)) {
        closest_spots(pair, face.n, spots);
    } else if (spots->count == 0) {
        deepest_end(pair, &face, spots);
    }
    return true;
}

// ---- capsule: is that all? ----------------------------------------------------------------------

// a ball at x, in the box's frame
static bool is_ball_within(const Bricks* pair, const double x[3], double reach)
{
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        const double d = x[i] - ut_clamp(x[i], pair->a[i]);
        square += d * d;
    }
    return !(square > reach * reach);
}

// Is a point within `reach` of the core?
static bool is_near_core(const Bricks* pair, const double x[3], double reach)
{
    const double w[3] = {x[0] - pair->t[0], x[1] - pair->t[1], x[2] - pair->t[2]};
    const double u[3] = {pair->C[0][2], pair->C[1][2], pair->C[2][2]};
    const double s = ut_clamp(ut_dot(w, u), pair->b[2]);
    const double d[3] = {w[0] - s * u[0], w[1] - s * u[1], w[2] - s * u[2]};
    return !(ut_dot(d, d) > reach * reach);
}

// Does the edge of the box along i through the corner x pass the core within `reach`, inside both?
// Seen along the edge it is a point.
static bool is_edge_near_core(const Bricks* pair, int i, const double x[3], double reach)
{
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const double u1 = pair->C[i1][2], u2 = pair->C[i2][2];
    const double w1 = x[i1] - pair->t[i1], w2 = x[i2] - pair->t[i2];
    const double square = u1 * u1 + u2 * u2;
    const double along = w1 * u1 + w2 * u2, across = w1 * u2 - w2 * u1;
    return !(fabs(along) > pair->b[2] * square) && !(across * across > reach * reach * square) &&
           !(fabs(pair->t[i] * square + along * pair->C[i][2]) > pair->a[i] * square);
}

static bool knows(const Spots* spots, int fa, int fb)
{
    for (int i = 0; i < spots->count; i++) {
        if ((fa == 0 || spots->spot[i].fa == fa) && (fb == 0 || spots->spot[i].fb == fb)) {
            return true;
        }
    }
    return false;
}

static bool is_corner_open(const Bricks* pair, const Spots* spots, const double x[3], double reach)
{
    const int digit[3] = {ut_digit(0, x[0]), ut_digit(1, x[1]), ut_digit(2, x[2])};
    const int feature = digit[0] + digit[1] + digit[2];
    if (!knows(spots, feature, 0) && is_near_core(pair, x, reach)) {
        return true;
    }
    for (int i = 0; i < 3; i++) {
        if (is_edge_near_core(pair, i, x, reach) && !knows(spots, feature - digit[i], SHAFT)) {
            return true;
        }
    }
    return false;
}

// May a corner or edge of the box be within the margin besides what is known? Only those count that
// are within it along the normal n too: of the corners, those whose distance below the highest one,
// 2 n_i a_i for each side i that is changed, is no more than that.
static bool has_more_of_box(const Bricks* pair, const Spots* spots, double reach)
{
    const double* n = spots->normal;
    const double un = n[0] * pair->C[0][2] + n[1] * pair->C[1][2] + n[2] * pair->C[2][2];
    double room = reach + pair->b[2] * fabs(un) - ut_dot(n, pair->t), drop[3], top[3];
    for (int i = 0; i < 3; i++) {
        const double height = pair->a[i] * fabs(n[i]);
        top[i] = n[i] < 0.0 ? -pair->a[i] : pair->a[i];
        room += height;
        drop[i] = 2.0 * height;
    }
    for (int k = 0; k < 8; k++) {
        const double below =
            (k & 1 ? drop[0] : 0.0) + (k & 2 ? drop[1] : 0.0) + (k & 4 ? drop[2] : 0.0);
        const double x[3] = {k & 1 ? -top[0] : top[0], k & 2 ? -top[1] : top[1],
                             k & 4 ? -top[2] : top[2]};
        if (!(below > room) && is_corner_open(pair, spots, x, reach)) {
            return true;
        }
    }
    return false;
}

// @param reach radius and margin, and a little over rounding
static bool has_more(const Bricks* pair, const Spots* spots, double reach)
{
    for (int e = 0; e < 2; e++) {
        const double s = e == 0 ? -pair->b[2] : pair->b[2];
        const double x[3] = {pair->t[0] + s * pair->C[0][2], pair->t[1] + s * pair->C[1][2],
                             pair->t[2] + s * pair->C[2][2]};
        if (!knows(spots, 0, e == 0 ? END_LOW : END_HIGH) && is_ball_within(pair, x, reach)) {
            return true;
        }
    }
    return has_more_of_box(pair, spots, reach);
}

// ---- capsule: an end alone ----------------------------------------------------------------------

// One end x of the core over the box, and the way u from there to the other end.
typedef struct Tip {
    double x[3], u[3], foot[3], d[3]; // foot: the box's point nearest to x; d = x - foot
    double length;
    int feature; // of the foot
    int sides;   // of the box that x is beyond
} Tip;

static Tip find_tip(const Bricks* pair, double s)
{
    Tip tip = {.length = 2.0 * pair->b[2]};
    for (int i = 0; i < 3; i++) {
        tip.x[i] = pair->t[i] + s * pair->C[i][2];
        tip.u[i] = s < 0.0 ? pair->C[i][2] : -pair->C[i][2];
        tip.foot[i] = ut_clamp(tip.x[i], pair->a[i]);
        tip.d[i] = tip.x[i] - tip.foot[i];
        tip.feature += tip.d[i] != 0.0 ? ut_digit(i, tip.d[i]) : 0;
        tip.sides += fabs(tip.d[i]) > UT_SLOP * pair->size ? 1 : 0;
    }
    return tip;
}

// Over a face: does the core rise beyond reach before it leaves what is over it, and is the rim of
// the face beyond reach of what is left? An edge or corner is as low as the face and beside it.
static bool is_alone_over_face(const Bricks* pair, const Tip* tip, double distance, double reach)
{
    const int i = fabs(tip->d[0]) > 0.0 ? 0 : fabs(tip->d[1]) > 0.0 ? 1 : 2;
    const double up = tip->d[i] < 0.0 ? -tip->u[i] : tip->u[i], need = reach - distance;
    double room = HUGE_VAL, sideways = 0.0;
    if (!(tip->length * up > need)) {
        return false;
    }
    for (int k = 1; k < 3; k++) {
        const int j = (i + k) % 3;
        const double here = pair->a[j] - fabs(tip->x[j]), slope = fabs(tip->u[j]);
        if (!(here * up > need * slope)) {
            return false;
        }
        room = here < room ? here : room;
        sideways = slope > sideways ? slope : sideways;
    }
    // within reach along the normal it moves sideways by no more than need / up times the slope
    const double beside = room * up - need * sideways;
    return distance * distance * (up * up) + beside * beside > reach * reach * (up * up);
}

// An end from where the core goes on away from the box: these are the nearest points. Over a face
// there may be others, which find_spots knows, unless the end is alone.
static bool nearest_end(const Bricks* pair, double reach, Spots* spots, bool* alone)
{
    const bool low_first =
        pair->t[0] * pair->C[0][2] + pair->t[1] * pair->C[1][2] + pair->t[2] * pair->C[2][2] > 0.0;
    for (int e = 0; e < 2; e++) {
        const bool low = low_first == (e == 0);
        const Tip tip = find_tip(pair, low ? -pair->b[2] : pair->b[2]);
        utVec3 n = ut_vec3_zero();
        const double distance = ut_split(ut_of(tip.d), &n);
        if (tip.sides == 0 || !(ut_dot(tip.u, tip.d) > UT_NEAR_PARALLEL * distance)) {
            continue;
        }
        *alone = tip.sides == 1 && is_alone_over_face(pair, &tip, distance, reach);
        if (tip.sides == 1 && !*alone) {
            return false;
        }
        ut_spots_begin(spots, (double[3]){n.x, n.y, n.z});
        spots->spot[spots->count++] = (Spot){{tip.foot[0], tip.foot[1], tip.foot[2]},
                                             distance,
                                             tip.feature,
                                             low ? END_LOW : END_HIGH};
        return true;
    }
    return false;
}

// of the core, only what nearest_end and has_more read
static Bricks core_of(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B)
{
    const utVec3 t = ut_frame_point_inverse(*B, A->p);
    const utVec3 u = ut_mat3_tmul_vec(B->R, ut_mat3_column(A->R, 2));
    const double x = b->size.x, y = b->size.y, z = b->size.z, xy = x > y ? x : y;
    Bricks pair;
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
    Bricks pair = core_of(a, A, b, B);
    const double reach = m->margin + r + 1e-12 * pair.size;
    Spots spots;
    bool alone = false;
    if (!nearest_end(&pair, reach, &spots, &alone)) {
        pair = ut_bricks(b->size, B, ut_vec3(0.0, 0.0, a->size.y), A);
        if (!find_spots(&pair, m->margin + r, &spots)) {
            return;
        }
    }
    int kept = 0;
    for (int i = 0; i < spots.count; i++) {
        const Spot* spot = &spots.spot[i];
        if (spot->gap - r <= m->margin) {
            add_round(B, spot->point, spots.normal, spot->gap - r, spot->fb, spot->fa, m);
            spots.spot[kept++] = *spot;
        }
    }
    spots.count = kept;
    m->complete = alone || kept == 0 || !has_more(&pair, &spots, reach);
}
