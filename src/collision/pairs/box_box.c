// SPDX-License-Identifier: Apache-2.0
// Two boxes: the direction that separates them most, then the points where they meet.
//
// The directions are the face normals of each box and the common normals of their edges
// (Gottschalk, Lin and Manocha, 1996). Where the boxes overlap, the best of these 15 is exact;
// where they stand apart it is a lower bound, exact when the features it names face each other, and
// if they do not, the closest points are found instead.
//
// Faces go before edges and the first box before the second: directions that are parallel up to
// UT_NEAR_PARALLEL count as one, so a resting stack keeps its manifold whatever the rounding.
#include "collision/manifold/clip.h"
#include "collision/manifold/manifold.h"

typedef struct Direction {
    double gap;
    int i, j; // a face's axis, or the directions of the first's and the second's edge
    double n[3];
} Direction;

// Of the gaps along three axes the largest; a later one only where it is larger by `bias`. Written
// so that it compiles without jumps, which here nobody can predict.
static int best_of_three(const double gap[3], double bias)
{
    int best = gap[1] > gap[0] + bias ? 1 : 0;
    best = gap[2] > gap[best] + bias ? 2 : best;
    return best;
}

// how far the second box is off the first along its axis i
static double face_gap(const Bricks* pair, int i)
{
    const double* c = pair->C[i];
    const double reach =
        pair->b[0] * fabs(c[0]) + pair->b[1] * fabs(c[1]) + pair->b[2] * fabs(c[2]);
    return fabs(pair->t[i]) - (pair->a[i] + reach);
}

static Direction face_of(const Bricks* pair, const double gap[3])
{
    const int i = best_of_three(gap, UT_GAP_BIAS * pair->size);
    Direction best = {.gap = gap[i], .i = i};
    best.n[i] = pair->t[i] < 0.0 ? -1.0 : 1.0;
    return best;
}

// ut_bricks, row by row, and the gaps along the axes of the first box.
// @return false as soon as one is over the margin
static bool begin(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                  double margin, Bricks* pair, double gap[3])
{
    const utVec3 d = ut_vec3_sub(B->p, A->p), s = a->size, t = b->size;
    const double half_a[3] = {s.x, s.y, s.z}, half_b[3] = {t.x, t.y, t.z};
    for (int i = 0; i < 3; i++) {
        pair->a[i] = half_a[i];
        pair->b[i] = half_b[i];
    }
    for (int i = 0; i < 3; i++) {
        const double x = A->R.m[0][i], y = A->R.m[1][i], z = A->R.m[2][i];
        pair->t[i] = x * d.x + y * d.y + z * d.z;
        for (int j = 0; j < 3; j++) {
            pair->C[i][j] = x * B->R.m[0][j] + y * B->R.m[1][j] + z * B->R.m[2][j];
        }
        gap[i] = face_gap(pair, i);
        if (gap[i] > margin) {
            return false;
        }
    }
    pair->size = ut_larger(ut_larger(s.x, s.y), s.z) + ut_larger(ut_larger(t.x, t.y), t.z);
    return true;
}

// The common normal k of edge i of the first box and edge j of the second separates by
// (|t.k| - reach) / |k|, where k.c_l is, up to its sign, the entry of C in row i and the column
// that is neither j nor l. Without a normal: minus infinity.
static void edge_gaps(const Bricks* pair, double gap[9])
{
    const double *a = pair->a, *b = pair->b, *t = pair->t;
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const double k1 = -pair->C[i2][j], k2 = pair->C[i1][j];
            const double along = t[i1] * k1 + t[i2] * k2;
            const double reach = a[i1] * fabs(k1) + a[i2] * fabs(k2) +
                                 b[j1] * fabs(pair->C[i][j2]) + b[j2] * fabs(pair->C[i][j1]);
            const double norm = sqrt(k1 * k1 + k2 * k2);
            gap[3 * i + j] = norm > UT_SKIP_PARALLEL ? (fabs(along) - reach) / norm : -HUGE_VAL;
        }
    }
}

// @return the best pair of edges that separates by more than `least`; gap = least without one
static Direction best_edges(const Bricks* pair, double least)
{
    double gap[10];
    edge_gaps(pair, gap);
    gap[9] = least;
    int best = 9;
    for (int ij = 0; ij < 9; ij++) {
        best = gap[ij] > gap[best] ? ij : best;
    }
    Direction edge = {.gap = gap[best], .i = best / 3, .j = best % 3};
    if (best < 9) {
        const int i1 = (edge.i + 1) % 3, i2 = (edge.i + 2) % 3;
        const double k1 = -pair->C[i2][edge.j], k2 = pair->C[i1][edge.j];
        const double along = pair->t[i1] * k1 + pair->t[i2] * k2;
        const double scale = (along < 0.0 ? -1.0 : 1.0) / sqrt(k1 * k1 + k2 * k2);
        edge.n[i1] = k1 * scale;
        edge.n[i2] = k2 * scale;
    }
    return edge;
}

// ---- points -------------------------------------------------------------------------------------

// Where the two edges that reach farthest along n pass each other.
// @return false when that is beyond an end of one of them
static bool edge_spot(const Bricks* pair, const Direction* edge, Spots* spots)
{
    const int i = edge->i, j = edge->j;
    double x[3], y[3];
    int fa = 0, fb = 0;
    utVec3 w = ut_of(pair->t);
    for (int l = 0; l < 3; l++) {
        const utVec3 c = ut_vec3(pair->C[0][l], pair->C[1][l], pair->C[2][l]);
        const double towards = -ut_vec3_dot(c, ut_of(edge->n));
        x[l] = l == i ? 0.0 : edge->n[l] < 0.0 ? -pair->a[l] : pair->a[l];
        y[l] = l == j ? 0.0 : towards < 0.0 ? -pair->b[l] : pair->b[l];
        fa += l == i ? 0 : ut_digit(l, x[l]);
        fb += l == j ? 0 : ut_digit(l, y[l]);
        w = ut_vec3_add_scaled(w, y[l], c);
    }
    w = ut_vec3_sub(w, ut_of(x));
    const utVec3 e = ut_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
    const utVec3 c = ut_vec3(pair->C[0][j], pair->C[1][j], pair->C[2][j]);
    const utVec3 k = ut_vec3_cross(e, c);
    const double square = ut_vec3_dot(k, k), slop = UT_SLOP * pair->size;
    const double s = ut_vec3_dot(ut_vec3_cross(w, c), k) / square;
    const double t = ut_vec3_dot(ut_vec3_cross(w, e), k) / square;
    if (!(fabs(s) <= pair->a[i] + slop && fabs(t) <= pair->b[j] + slop)) {
        return false;
    }
    x[i] = ut_clamp(s, pair->a[i]);
    ut_spots_begin(spots, edge->n);
    spots->spot[spots->count++] = (Spot){{x[0], x[1], x[2]}, edge->gap, fa, fb};
    return true;
}

// Apart, they may be closest elsewhere.
// @return false when they overlap and the edges do not meet: a better direction was skipped
static bool edge_spots(const Bricks* pair, const Direction* edge, Spots* spots)
{
    spots->count = 0;
    if (edge_spot(pair, edge, spots)) {
        return true;
    }
    if (!(edge->gap > 0.0)) {
        return false;
    }
    ut_spots_closest(pair, edge->n, spots);
    return true;
}

// the lowest corner of the second box with its foot moved on the face: for rounding alone
static void lowest_corner(const Bricks* pair, const Direction* face, Spots* spots)
{
    double x[3] = {pair->t[0], pair->t[1], pair->t[2]};
    Spot* spot = &spots->spot[spots->count++];
    spot->fa = ut_digit(face->i, face->n[face->i]);
    spot->fb = 0;
    for (int j = 0; j < 3; j++) {
        const double sign = face->n[face->i] * pair->C[face->i][j] > 0.0 ? -1.0 : 1.0;
        spot->fb += ut_digit(j, sign);
        for (int i = 0; i < 3; i++) {
            x[i] += sign * pair->b[j] * pair->C[i][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        spot->point[i] = ut_clamp(x[i], pair->a[i]);
    }
    spot->point[face->i] = face->n[face->i] * pair->a[face->i];
    spot->gap = face->gap;
}

static void keep_within(Spots* spots, double margin)
{
    int kept = 0;
    for (int i = 0; i < spots->count; i++) {
        if (spots->spot[i].gap <= margin) {
            spots->spot[kept++] = spots->spot[i];
        }
    }
    spots->count = kept;
}

// @param pair  the box whose face it is comes first
// @param known the largest separation known, along the face's normal or beside it
static void face_spots(const Bricks* pair, const Direction* face, double known, double margin,
                       Spots* spots)
{
    const double bias = UT_GAP_BIAS * pair->size;
    ut_clip_faces(pair, face->i, face->n[face->i], spots);
    // apart, or touching with nothing in front of the face, they may be closer elsewhere
    if (known > (spots->count == 0 ? -bias : 0.0) && !(ut_spots_least(spots) <= known + bias)) {
        ut_spots_closest(pair, face->n, spots);
        if (known <= 0.0 && ut_spots_least(spots) <= bias) {
            spots->count = 0;
        }
    }
    if (spots->count == 0) {
        ut_spots_begin(spots, face->n);
        lowest_corner(pair, face, spots);
    }
    keep_within(spots, margin);
    ut_spots_reduce(spots, face->i, pair->size);
}

// ---- the pair -----------------------------------------------------------------------------------

// Spots from the frame of the first brick to the world. @param turned the first brick is shape b
static void add_spots(const Spots* spots, const utFrame* at, bool turned, Manifold* m)
{
    const utVec3 n = ut_mat3_mul_vec(at->R, ut_of(spots->normal));
    const utVec3 normal = turned ? ut_vec3_negate(n) : n;
    for (int i = 0; i < spots->count; i++) {
        const Spot* s = &spots->spot[i];
        const utVec3 foot = ut_frame_point(*at, ut_of(s->point));
        ut_manifold_add(m, ut_vec3_add_scaled(foot, 0.5 * s->gap, n), normal, s->gap,
                        turned ? s->fb : s->fa, turned ? s->fa : s->fb);
    }
}

void ut_collide_box_box(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                        Manifold* m)
{
    Bricks pair;
    double gap[3];
    if (!begin(a, A, b, B, m->margin, &pair, gap)) {
        return;
    }
    const Direction face_a = face_of(&pair, gap);
    const Bricks back = ut_bricks_swap(&pair);
    for (int i = 0; i < 3; i++) {
        gap[i] = face_gap(&back, i);
    }
    const Direction face_b = face_of(&back, gap);
    if (face_b.gap > m->margin) {
        return;
    }

    // the first box's face unless the second's is better and not just the same one turned round
    const double bias = UT_GAP_BIAS * pair.size;
    const double turn = -face_b.n[face_b.i];
    const double n_back[3] = {turn * pair.C[0][face_b.i], turn * pair.C[1][face_b.i],
                              turn * pair.C[2][face_b.i]};
    const bool second = face_b.gap > face_a.gap + bias && !ut_same_direction(face_a.n, n_back);
    // edges go before both: only the best direction of all has points of its features face to face
    const double face_gap = ut_larger(face_a.gap, face_b.gap);
    const Direction edge = best_edges(&pair, face_gap + bias);
    if (edge.gap > m->margin && edge.gap > face_gap + bias) {
        return;
    }

    const double known = ut_larger(face_gap, edge.gap - bias);
    Spots spots;
    if (edge.gap > face_gap + bias && !ut_same_direction(edge.n, second ? n_back : face_a.n) &&
        edge_spots(&pair, &edge, &spots)) {
        add_spots(&spots, A, false, m);
    } else if (second) {
        face_spots(&back, &face_b, known, m->margin, &spots);
        add_spots(&spots, B, true, m);
    } else {
        face_spots(&pair, &face_a, known, m->margin, &spots);
        add_spots(&spots, A, false, m);
    }
    const bool thin = !(a->size.x > 0.0 && a->size.y > 0.0 && a->size.z > 0.0) ||
                      !(b->size.x > 0.0 && b->size.y > 0.0 && b->size.z > 0.0);
    if (m->count > 0 && m->count < UT_MANIFOLD_FEW && !thin) {
        ut_manifold_extend_boxes(&pair, A, m);
        m->complete = true;
    }
}
