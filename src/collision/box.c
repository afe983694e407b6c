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
    utVec3 n;
    ut_vec3_normalize(ut_of(d), &n);
    const double gap = ut_vec3_norm(ut_of(d)) - a->size.x;
    add_round(B, foot, (double[3]){n.x, n.y, n.z}, gap, ROUND_FEATURE, feature, m);
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
    const double known = fmax(face.gap, edge.gap);
    if (known > 0.0 && !(ut_spots_least(spots) <= known + bias)) {
        closest_spots(pair, face.n, spots);
    } else if (spots->count == 0) {
        deepest_end(pair, &face, spots);
    }
    return true;
}

void ut_collide_capsule_box(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                            Manifold* m)
{
    const double r = a->size.x;
    const Bricks pair = ut_bricks(b->size, B, ut_vec3(0.0, 0.0, a->size.y), A);
    Spots spots;
    if (!find_spots(&pair, m->margin + r, &spots)) {
        return;
    }
    for (int i = 0; i < spots.count; i++) {
        const Spot* spot = &spots.spot[i];
        add_round(B, spot->point, spots.normal, spot->gap - r, spot->fb, spot->fa, m);
    }
}
