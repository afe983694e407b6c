// SPDX-License-Identifier: Apache-2.0
// Two boxes: the axis of largest separation, then the contact points.
//
// Candidate axes are the face normals of both boxes and the cross products of their edges (the
// separating axis test; Gottschalk, Lin and Manocha, 1996). If the boxes overlap, the best of these
// 15 axes is exact. If they are apart it gives a lower bound, which is exact when the two features
// of the axis face each other; otherwise the closest points are computed.
//
// Ties: faces win over edges and the first box over the second. Axes that are parallel up to
// UT_PARALLEL_SINE count as one axis, so a resting stack keeps its manifold in spite of rounding.
#include "collision/manifold/box_face_clip.h"
#include "collision/manifold/manifold.h"

typedef struct Direction {
    double gap;
    int i, j; // axis of the face; or directions of the edges of the first and the second box
    double n[3];
} Direction;

// The largest of three gaps; a later one wins only if it is larger by `bias`. Compiles without
// branches, because they would not be predictable.
static int best_of_three(const double gap[3], double bias)
{
    int best = gap[1] > gap[0] + bias ? 1 : 0;
    best = gap[2] > gap[best] + bias ? 2 : best;
    return best;
}

// separation along axis i of the first box
static double face_gap(const BoxPair* pair, int i)
{
    const double* c = pair->C[i];
    const double reach =
        pair->b[0] * fabs(c[0]) + pair->b[1] * fabs(c[1]) + pair->b[2] * fabs(c[2]);
    return fabs(pair->t[i]) - (pair->a[i] + reach);
}

static Direction best_face(const BoxPair* pair, const double gap[3])
{
    const int i = best_of_three(gap, UT_GAP_TIE * pair->size);
    Direction best = {.gap = gap[i], .i = i};
    best.n[i] = pair->t[i] < 0.0 ? -1.0 : 1.0;
    return best;
}

// Fill the box pair row by row and compute the gaps along the axes of the first box.
// @return false as soon as one gap exceeds the margin
static bool fill_pair(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                      double margin, BoxPair* pair, double gap[3])
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

// Separation along k, the cross product of edge i of the first box and edge j of the second, is
// (|t.k| - reach) / |k|. Up to the sign k.c_l is the entry of C in row i and the column that is
// neither j nor l. For parallel edges the gap is minus infinity.
static void edge_gaps(const BoxPair* pair, double gap[9])
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
            gap[3 * i + j] = norm > UT_MIN_EDGE_SINE ? (fabs(along) - reach) / norm : -HUGE_VAL;
        }
    }
}

// The best pair of edges that separates by more than `least`. @return gap = least if there is none
static Direction best_edges(const BoxPair* pair, double least)
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

// The point where the edges that are farthest along n cross, seen along n.
// @return false when the crossing is beyond an end of an edge
static bool edge_crossing(const BoxPair* pair, const Direction* edge, BoxPoints* points)
{
    const int i = edge->i, j = edge->j;
    double x[3], y[3];
    int feature_a = 0, feature_b = 0;
    utVec3 w = ut_vec3_from(pair->t);
    for (int l = 0; l < 3; l++) {
        const utVec3 c = ut_vec3(pair->C[0][l], pair->C[1][l], pair->C[2][l]);
        const double towards = -ut_vec3_dot(c, ut_vec3_from(edge->n));
        x[l] = l == i ? 0.0 : edge->n[l] < 0.0 ? -pair->a[l] : pair->a[l];
        y[l] = l == j ? 0.0 : towards < 0.0 ? -pair->b[l] : pair->b[l];
        feature_a += l == i ? 0 : ut_box_digit(l, x[l]);
        feature_b += l == j ? 0 : ut_box_digit(l, y[l]);
        w = ut_vec3_add_scaled(w, y[l], c);
    }
    w = ut_vec3_sub(w, ut_vec3_from(x));
    const utVec3 e = ut_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
    const utVec3 c = ut_vec3(pair->C[0][j], pair->C[1][j], pair->C[2][j]);
    const utVec3 k = ut_vec3_cross(e, c);
    const double square = ut_vec3_dot(k, k), slop = UT_FEATURE_SLOP * pair->size;
    const double s = ut_vec3_dot(ut_vec3_cross(w, c), k) / square;
    const double t = ut_vec3_dot(ut_vec3_cross(w, e), k) / square;
    if (!(fabs(s) <= pair->a[i] + slop && fabs(t) <= pair->b[j] + slop)) {
        return false;
    }
    x[i] = ut_clamp_abs(s, pair->a[i]);
    ut_box_points_begin(points, edge->n);
    points->item[points->count++] = (BoxPoint){{x[0], x[1], x[2]}, edge->gap, feature_a, feature_b};
    return true;
}

// The crossing of two edges; for boxes apart whose edges do not cross, the closest points.
// @return false when the boxes overlap and the edges do not cross: a better axis was skipped
static bool edge_points(const BoxPair* pair, const Direction* edge, BoxPoints* points)
{
    points->count = 0;
    if (edge_crossing(pair, edge, points)) {
        return true;
    }
    if (!(edge->gap > 0.0)) {
        return false;
    }
    ut_box_points_closest(pair, edge->n, points);
    return true;
}

// Fallback when rounding leaves no point: the lowest corner of the second box, moved onto the face.
static void lowest_corner(const BoxPair* pair, const Direction* face, BoxPoints* points)
{
    double x[3] = {pair->t[0], pair->t[1], pair->t[2]};
    BoxPoint* point = &points->item[points->count++];
    point->feature_a = ut_box_digit(face->i, face->n[face->i]);
    point->feature_b = 0;
    for (int j = 0; j < 3; j++) {
        const double sign = face->n[face->i] * pair->C[face->i][j] > 0.0 ? -1.0 : 1.0;
        point->feature_b += ut_box_digit(j, sign);
        for (int i = 0; i < 3; i++) {
            x[i] += sign * pair->b[j] * pair->C[i][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        point->x[i] = ut_clamp_abs(x[i], pair->a[i]);
    }
    point->x[face->i] = face->n[face->i] * pair->a[face->i];
    point->gap = face->gap;
}

static void keep_within(BoxPoints* points, double margin)
{
    int kept = 0;
    for (int i = 0; i < points->count; i++) {
        if (points->item[i].gap <= margin) {
            points->item[kept++] = points->item[i];
        }
    }
    points->count = kept;
}

// @param pair  the box that has the face comes first
// @param known the largest separation found along any axis
static void face_points(const BoxPair* pair, const Direction* face, double known, double margin,
                        BoxPoints* points)
{
    const double bias = UT_GAP_TIE * pair->size;
    ut_clip_faces(pair, face->i, face->n[face->i], points);
    // boxes apart, or touching with no point in front of the face, may be closer elsewhere
    if (known > (points->count == 0 ? -bias : 0.0) &&
        !(ut_box_points_least_gap(points) <= known + bias)) {
        ut_box_points_closest(pair, face->n, points);
        if (known <= 0.0 && ut_box_points_least_gap(points) <= bias) {
            points->count = 0;
        }
    }
    if (points->count == 0) {
        ut_box_points_begin(points, face->n);
        lowest_corner(pair, face, points);
    }
    keep_within(points, margin);
    ut_box_points_reduce(points, face->i, pair->size);
}

// ---- the pair -----------------------------------------------------------------------------------

// Convert points from the frame of the first box to the world. @param swapped the first box is
// shape b
static void add_points(const BoxPoints* points, const utFrame* at, bool swapped, Manifold* m)
{
    const utVec3 n = ut_mat3_mul_vec(at->R, ut_vec3_from(points->normal));
    const utVec3 normal = swapped ? ut_vec3_negate(n) : n;
    for (int i = 0; i < points->count; i++) {
        const BoxPoint* s = &points->item[i];
        const utVec3 foot = ut_frame_point(*at, ut_vec3_from(s->x));
        ut_manifold_add(m, ut_vec3_add_scaled(foot, 0.5 * s->gap, n), normal, s->gap,
                        swapped ? s->feature_b : s->feature_a,
                        swapped ? s->feature_a : s->feature_b);
    }
}

void ut_collide_box_box(const utShape* a, const utFrame* A, const utShape* b, const utFrame* B,
                        Manifold* m)
{
    BoxPair pair;
    double gap[3];
    if (!fill_pair(a, A, b, B, m->margin, &pair, gap)) {
        return;
    }
    const Direction face_a = best_face(&pair, gap);
    const BoxPair back = ut_box_pair_swap(&pair);
    for (int i = 0; i < 3; i++) {
        gap[i] = face_gap(&back, i);
    }
    const Direction face_b = best_face(&back, gap);
    if (face_b.gap > m->margin) {
        return;
    }

    // use a face of the first box unless the second has a better one with another normal
    const double bias = UT_GAP_TIE * pair.size;
    const double turn = -face_b.n[face_b.i];
    const double n_back[3] = {turn * pair.C[0][face_b.i], turn * pair.C[1][face_b.i],
                              turn * pair.C[2][face_b.i]};
    const bool second_is_better =
        face_b.gap > face_a.gap + bias && !ut_same_direction(face_a.n, n_back);
    // an edge axis must beat the faces of both boxes, because only the best axis is exact
    const double face_gap = ut_larger(face_a.gap, face_b.gap);
    const Direction edge = best_edges(&pair, face_gap + bias);
    if (edge.gap > m->margin && edge.gap > face_gap + bias) {
        return;
    }

    const double known = ut_larger(face_gap, edge.gap - bias);
    BoxPoints points;
    if (edge.gap > face_gap + bias &&
        !ut_same_direction(edge.n, second_is_better ? n_back : face_a.n) &&
        edge_points(&pair, &edge, &points)) {
        add_points(&points, A, false, m);
    } else if (second_is_better) {
        face_points(&back, &face_b, known, m->margin, &points);
        add_points(&points, B, true, m);
    } else {
        face_points(&pair, &face_a, known, m->margin, &points);
        add_points(&points, A, false, m);
    }
    const bool thin = !(a->size.x > 0.0 && a->size.y > 0.0 && a->size.z > 0.0) ||
                      !(b->size.x > 0.0 && b->size.y > 0.0 && b->size.z > 0.0);
    if (m->count > 0 && m->count < UT_MANIFOLD_REDUCED && !thin) {
        ut_manifold_add_extra_of_boxes(&pair, A, m);
        m->complete = true;
    }
}
