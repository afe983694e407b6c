// SPDX-License-Identifier: Apache-2.0
// Extra points of the manifold of two boxes, as extra_points.c finds them for any two shapes, but
// computed from half extents and axes.
//
// Everything is in the frame of the first box; c_j are the axes of the second.
#include "manifold.h"

typedef struct BoxSearch {
    const BoxPair* pair;
    const utFrame* A;
    Manifold* m;
    double n[3]; // normal of the deepest point
    utVec3 n_world;
    double least; // gap of the deepest point
    double slop;
    Candidates list;
} BoxSearch;

// Bit mask of the corners within the margin along the normal.
// @param along the normal in the box's frame @param least height from the box's centre that counts
static int corners_within(const double half[3], const double along[3], double least)
{
    const double x = half[0] * along[0], y = half[1] * along[1], z = half[2] * along[2];
    int mask = 0;
    for (int k = 0; k < 8; k++) {
        const double height = (k & 1 ? x : -x) + (k & 2 ? y : -y) + (k & 4 ? z : -z);
        mask |= height >= least ? 1 << k : 0;
    }
    return mask;
}

static void add(BoxSearch* s, const double x[3], const double normal[3], double gap, int feature_a,
                int feature_b)
{
    const Candidate candidate = {ut_frame_point(*s->A, ut_vec3_from(x)),
                                 ut_mat3_mul_vec(s->A->R, ut_vec3_from(normal)), gap, feature_a,
                                 feature_b};
    const double size = 2.0 * s->pair->size + ut_vec3_norm(ut_vec3_from(s->pair->t));
    ut_extra_candidates_add(s->m, &candidate, UT_MIN_SPACING * size, &s->list);
}

// ---- corners ------------------------------------------------------------------------------------

// The face of a box below x, in the box's frame, excluding its boundary; for x inside the box, the
// nearest such face. @return axis of the face, or -1
static int face_below(const double half[3], const double x[3], double least, double slop)
{
    const double height[3] = {fabs(x[0]) - half[0], fabs(x[1]) - half[1], fabs(x[2]) - half[2]};
    const bool inside[3] = {height[0] <= -slop, height[1] <= -slop, height[2] <= -slop};
    int best = -1;
    for (int i = 0; i < 3; i++) {
        const bool over = (height[i] >= least) & inside[(i + 1) % 3] & inside[(i + 2) % 3];
        if (over && (best < 0 || height[i] > height[best])) {
            best = i;
        }
    }
    return best;
}

// Do the edges at corner k rise along d, in the frame of the box, with at most UT_STEEPEST?
static bool is_exposed(int k, const double d[3])
{
    return (k & 1 ? -d[0] : d[0]) <= UT_STEEPEST && (k & 2 ? -d[1] : d[1]) <= UT_STEEPEST &&
           (k & 4 ? -d[2] : d[2]) <= UT_STEEPEST;
}

// Add corner x over a face with the outward normal `out`, if its gap is within the margin.
static void add_corner(BoxSearch* s, const double x[3], const double out[3], double gap,
                       bool second, int corner, int face)
{
    const double turn = second ? 1.0 : -1.0;
    const double normal[3] = {turn * out[0], turn * out[1], turn * out[2]};
    if (gap <= s->m->margin && (gap >= 0.0 || ut_dot3(normal, s->n) > UT_SIMILAR_NORMAL)) {
        const double point[3] = {x[0] - 0.5 * gap * out[0], x[1] - 0.5 * gap * out[1],
                                 x[2] - 0.5 * gap * out[2]};
        add(s, point, normal, gap, second ? face : corner, second ? corner : face);
    }
}

// Corner k of the first box over a face of the second.
static void try_first_corner(BoxSearch* s, int k)
{
    const BoxPair* p = s->pair;
    const double x[3] = {k & 1 ? p->a[0] : -p->a[0], k & 2 ? p->a[1] : -p->a[1],
                         k & 4 ? p->a[2] : -p->a[2]};
    const double w[3] = {x[0] - p->t[0], x[1] - p->t[1], x[2] - p->t[2]};
    double y[3];
    for (int j = 0; j < 3; j++) {
        y[j] = p->C[0][j] * w[0] + p->C[1][j] * w[1] + p->C[2][j] * w[2];
    }
    const int j = face_below(p->b, y, s->least, s->slop);
    if (j < 0) {
        return;
    }
    const double sign = y[j] < 0.0 ? -1.0 : 1.0;
    const double out[3] = {sign * p->C[0][j], sign * p->C[1][j], sign * p->C[2][j]};
    if (is_exposed(k, (double[3]){-out[0], -out[1], -out[2]})) {
        add_corner(s, x, out, fabs(y[j]) - p->b[j], false, ut_box_corner_feature(k),
                   ut_box_digit(j, sign));
    }
}

// Corner k of the second box over a face of the first.
static void try_second_corner(BoxSearch* s, int k)
{
    const BoxPair* p = s->pair;
    const double y[3] = {k & 1 ? p->b[0] : -p->b[0], k & 2 ? p->b[1] : -p->b[1],
                         k & 4 ? p->b[2] : -p->b[2]};
    const double x[3] = {p->t[0] + ut_dot3(p->C[0], y), p->t[1] + ut_dot3(p->C[1], y),
                         p->t[2] + ut_dot3(p->C[2], y)};
    const int i = face_below(p->a, x, s->least, s->slop);
    if (i < 0) {
        return;
    }
    const double sign = x[i] < 0.0 ? -1.0 : 1.0;
    double out[3] = {0.0, 0.0, 0.0};
    out[i] = sign;
    if (is_exposed(k, (double[3]){-sign * p->C[i][0], -sign * p->C[i][1], -sign * p->C[i][2]})) {
        add_corner(s, x, out, fabs(x[i]) - p->a[i], true, ut_box_corner_feature(k),
                   ut_box_digit(i, sign));
    }
}

// ---- edges --------------------------------------------------------------------------------------

typedef struct BoxEdge {
    double middle[3];       // in the first box's frame
    int axis, side1, side2; // axis of the edge, and its sides (-1, 1) along the next two axes
    int feature;
} BoxEdge;

// first corner of each edge, four edges per axis
static const int edge_start[12] = {0, 2, 4, 6, 0, 1, 4, 5, 0, 1, 2, 3};

// Edge g, in the frame of its box.
static void find_edge(const double half[3], int g, BoxEdge* edge)
{
    const int axis = g / 4, i1 = (axis + 1) % 3, i2 = (axis + 2) % 3, k = edge_start[g];
    edge->axis = axis;
    edge->side1 = k >> i1 & 1 ? 1 : -1;
    edge->side2 = k >> i2 & 1 ? 1 : -1;
    edge->middle[axis] = 0.0;
    edge->middle[i1] = edge->side1 * half[i1];
    edge->middle[i2] = edge->side2 * half[i2];
    edge->feature = ut_box_corner_feature(k) - (axis == 0 ? 1 : axis == 1 ? 3 : 9);
}

// Edges with an end in `mask`, along axes that count. Without branches, because they would not be
// predictable.
static int find_edges(const double half[3], int mask, const bool counts[3], BoxEdge edge[12])
{
    int list[12], count = 0;
    for (int g = 0; g < 12; g++) {
        const int k = edge_start[g], ends = 1 << k | 1 << (k | 1 << g / 4);
        list[count] = g;
        count += ((mask & ends) != 0) & counts[g / 4];
    }
    for (int i = 0; i < count; i++) {
        find_edge(half, list[i], &edge[i]);
    }
    return count;
}

static void to_first(const BoxPair* pair, BoxEdge* edge)
{
    const double y[3] = {edge->middle[0], edge->middle[1], edge->middle[2]};
    for (int i = 0; i < 3; i++) {
        edge->middle[i] = pair->t[i] + ut_dot3(pair->C[i], y);
    }
}

// Steepest slope along d of the two faces at the edge: they extend inwards along the other two
// axes.
static double slope(const BoxEdge* edge, const double d[3])
{
    const double one = -edge->side1 * d[(edge->axis + 1) % 3];
    const double two = -edge->side2 * d[(edge->axis + 2) % 3];
    return one > two ? one : two;
}

// The common normal k = e_i x c_j of edges along i of the first box and along j of the second,
// oriented like the manifold's normal. Its entry i is 0.
typedef struct EdgeNormal {
    bool counts; // its direction is close to the manifold's normal
    double k1, k2, square;
} EdgeNormal;

static void find_edge_normals(const BoxSearch* s, EdgeNormal cross[3][3])
{
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const double k1 = -s->pair->C[i2][j], k2 = s->pair->C[i1][j];
            const double square = k1 * k1 + k2 * k2, facing = k1 * s->n[i1] + k2 * s->n[i2];
            const double turn = facing < 0.0 ? -1.0 : 1.0;
            const bool counts = (square > UT_MIN_CROSSING_SQUARE) &
                                (facing * facing > UT_SIMILAR_NORMAL * UT_SIMILAR_NORMAL * square);
            cross[i][j] = (EdgeNormal){counts, turn * k1, turn * k2, square};
        }
    }
}

// The remaining tests for two edges that cross at x_i along the first one.
static void add_crossing(BoxSearch* s, const BoxEdge* a, const BoxEdge* b, const EdgeNormal* k,
                         double along, double x_i)
{
    const BoxPair* p = s->pair;
    const int i = a->axis, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const double root = sqrt(k->square), gap = along / root;
    double normal[3], back[3], point[3] = {a->middle[0], a->middle[1], a->middle[2]};
    normal[i] = 0.0;
    normal[i1] = k->k1 / root;
    normal[i2] = k->k2 / root;
    point[i] = x_i;
    for (int l = 0; l < 3; l++) {
        point[l] += 0.5 * gap * normal[l];
        back[l] = -(p->C[0][l] * normal[0] + p->C[1][l] * normal[1] + p->C[2][l] * normal[2]);
    }
    const double slope_a = slope(a, normal), slope_b = slope(b, back);
    const double lower = slope_a < slope_b ? slope_a : slope_b;
    const double upper = slope_a < slope_b ? slope_b : slope_a;
    if (gap <= s->m->margin && gap >= s->least && lower <= 0.0 && upper <= UT_STEEPEST) {
        add(s, point, normal, gap, a->feature, b->feature);
    }
}

// A pair of edges counts when the crossing is interior, the edges are apart, the direction is close
// to the manifold's normal, and it is a normal of at least one edge. w connects their midpoints.
static void try_edge_pair(BoxSearch* s, const BoxEdge* a, const BoxEdge* b, const EdgeNormal* k)
{
    const BoxPair* p = s->pair;
    const int i = a->axis, j = b->axis, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const double w1 = b->middle[i1] - a->middle[i1], w2 = b->middle[i2] - a->middle[i2];
    const double along = k->k1 * w1 + k->k2 * w2, most = s->m->margin * (1.0 + UT_REACH_ALLOWANCE);
    if (!(k->counts & (along >= 0.0) & (along * along <= most * most * k->square))) {
        return;
    }
    // nearest at t along c_j, seen along e_i
    const double t = -(w1 * p->C[i1][j] + w2 * p->C[i2][j]) / k->square;
    const double x_i = b->middle[i] + t * p->C[i][j];
    if (fabs(x_i) < p->a[i] - s->slop && fabs(t) < p->b[j] - s->slop) {
        add_crossing(s, a, b, k, along, x_i);
    }
}

static void try_all_edges(BoxSearch* s, int a_corners, int b_corners)
{
    BoxEdge a[12], b[12];
    EdgeNormal k[3][3];
    bool a_counts[3], b_counts[3];
    find_edge_normals(s, k);
    for (int i = 0; i < 3; i++) {
        a_counts[i] = k[i][0].counts | k[i][1].counts | k[i][2].counts;
        b_counts[i] = k[0][i].counts | k[1][i].counts | k[2][i].counts;
    }
    const int a_count = find_edges(s->pair->a, a_corners, a_counts, a);
    const int b_count = find_edges(s->pair->b, b_corners, b_counts, b);
    for (int j = 0; j < b_count; j++) {
        to_first(s->pair, &b[j]);
    }
    for (int i = 0; i < a_count; i++) {
        for (int j = 0; j < b_count; j++) {
            try_edge_pair(s, &a[i], &b[j], &k[a[i].axis][b[j].axis]);
        }
    }
}

// ---- entry point --------------------------------------------------------------------------------

static void start_search(BoxSearch* s, const BoxPair* pair, const utFrame* A, Manifold* m)
{
    s->pair = pair;
    s->A = A;
    s->m = m;
    s->slop = s->list.slop = UT_FEATURE_SLOP * pair->size;
    s->list.count = 0;
    s->least = HUGE_VAL;
    for (int i = 0; i < m->count; i++) {
        if (m->touch[i].gap < s->least) {
            s->least = m->touch[i].gap;
            s->n_world = m->touch[i].normal;
        }
    }
    const utVec3 n = ut_mat3_tmul_vec(A->R, s->n_world);
    s->n[0] = n.x;
    s->n[1] = n.y;
    s->n[2] = n.z;
}

void ut_manifold_add_extra_of_boxes(const BoxPair* pair, const utFrame* A, Manifold* m)
{
    BoxSearch s;
    start_search(&s, pair, A, m);
    double back[3], top = 0.0, reach = 0.0;
    for (int j = 0; j < 3; j++) {
        back[j] = -(pair->C[0][j] * s.n[0] + pair->C[1][j] * s.n[1] + pair->C[2][j] * s.n[2]);
        top += pair->a[j] * fabs(s.n[j]);
        reach += pair->b[j] * fabs(back[j]);
    }
    // along n the first box ends at `top`; the second extends by `reach` about `middle`
    const double middle = ut_dot3(s.n, pair->t);
    const int as = corners_within(pair->a, s.n, middle - reach - m->margin);
    const int bs = corners_within(pair->b, back, middle - top - m->margin);
    int list[16], count = 0;
    for (int k = 0; k < 16; k++) {
        list[count] = k;
        count += (as | bs << 8) >> k & 1;
    }
    for (int l = 0; l < count; l++) {
        const bool second = list[l] >= 8;
        const int k = list[l] % 8;
        if (ut_manifold_has_feature(m, second, ut_box_corner_feature(k))) {
            continue;
        }
        if (second) {
            try_second_corner(&s, k);
        } else {
            try_first_corner(&s, k);
        }
    }
    try_all_edges(&s, as, bs);
    ut_extra_candidates_spread(&s.list, m);
}
