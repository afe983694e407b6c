// SPDX-License-Identifier: Apache-2.0
// Two boxes that stand apart: their exact closest points.
//
// The closest points are a vertex of one box and any feature of the other, or two interior points
// of edges. All combinations are tried. This is rare: it runs only where neither a face nor a pair
// of edges faces the other box.
#include "collision/internal.h"

// squares of distances that differ by less are equal up to rounding, and the first one stays
#define SQUARE_TIE 1e-12

BoxPair ut_box_pair(utVec3 half_a, const utFrame* A, utVec3 half_b, const utFrame* B)
{
    const utVec3 t = ut_frame_point_inverse(*A, B->p);
    BoxPair pair = {.a = {half_a.x, half_a.y, half_a.z},
                    .b = {half_b.x, half_b.y, half_b.z},
                    .t = {t.x, t.y, t.z}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            pair.C[i][j] = A->R.m[0][i] * B->R.m[0][j] + A->R.m[1][i] * B->R.m[1][j] +
                           A->R.m[2][i] * B->R.m[2][j];
        }
    }
    const double a = ut_larger(ut_larger(pair.a[0], pair.a[1]), pair.a[2]);
    const double b = ut_larger(ut_larger(pair.b[0], pair.b[1]), pair.b[2]);
    pair.size = a + b;
    return pair;
}

// C^T x
static void to_second(const BoxPair* pair, const double x[3], double y[3])
{
    for (int j = 0; j < 3; j++) {
        y[j] = pair->C[0][j] * x[0] + pair->C[1][j] * x[1] + pair->C[2][j] * x[2];
    }
}

// C y
static void to_first(const BoxPair* pair, const double y[3], double x[3])
{
    for (int i = 0; i < 3; i++) {
        x[i] = ut_dot3(pair->C[i], y);
    }
}

BoxPair ut_box_pair_swap(const BoxPair* pair)
{
    BoxPair swapped = {.size = pair->size};
    to_second(pair, pair->t, swapped.t);
    for (int i = 0; i < 3; i++) {
        swapped.a[i] = pair->b[i];
        swapped.b[i] = pair->a[i];
        swapped.t[i] = -swapped.t[i];
        for (int j = 0; j < 3; j++) {
            swapped.C[i][j] = pair->C[j][i];
        }
    }
    return swapped;
}

// ---- candidates ---------------------------------------------------------------------------------

// A segment between the surfaces of the two boxes.
typedef struct Connection {
    double from[3]; // on the first box
    double to[3];   // from there to the second box, both in the frame of the first
    double square;  // |to|^2
    int feature_a, feature_b;
} Connection;

// Feature digit of one side of an axis; 0 for an axis without extent.
static int digit_of(const double half[3], int axis, double sign)
{
    return half[axis] > 0.0 ? ut_box_digit(axis, sign) : 0;
}

static void vertex(const double half[3], int k, double x[3], int* feature)
{
    *feature = 0;
    for (int i = 0; i < 3; i++) {
        x[i] = k >> i & 1 ? half[i] : -half[i];
        *feature += digit_of(half, i, x[i]);
    }
}

// The point of a box nearest to x, and the feature that holds it.
static void nearest(const double half[3], const double x[3], double nearest_point[3], int* feature)
{
    *feature = 0;
    for (int i = 0; i < 3; i++) {
        nearest_point[i] = ut_clamp_abs(x[i], half[i]);
        *feature += nearest_point[i] != x[i] ? digit_of(half, i, x[i]) : 0;
    }
}

static void connect_second_vertex(const BoxPair* pair, int k, Connection* connection)
{
    double y[3], x[3];
    vertex(pair->b, k, y, &connection->feature_b);
    to_first(pair, y, x);
    for (int i = 0; i < 3; i++) {
        x[i] += pair->t[i];
    }
    nearest(pair->a, x, connection->from, &connection->feature_a);
    for (int i = 0; i < 3; i++) {
        connection->to[i] = x[i] - connection->from[i];
    }
    connection->square = ut_dot3(connection->to, connection->to);
}

static void connect_first_vertex(const BoxPair* pair, int k, Connection* connection)
{
    double x[3], y[3], nearest_point[3];
    vertex(pair->a, k, connection->from, &connection->feature_a);
    for (int i = 0; i < 3; i++) {
        x[i] = connection->from[i] - pair->t[i];
    }
    to_second(pair, x, y);
    nearest(pair->b, y, nearest_point, &connection->feature_b);
    for (int i = 0; i < 3; i++) {
        nearest_point[i] -= y[i];
    }
    to_first(pair, nearest_point, connection->to);
    connection->square = ut_dot3(connection->to, connection->to);
}

// All edges of the first box along i and of the second along j; k is their common normal.
typedef struct EdgePair {
    int i, i1, i2, j, j1, j2;
    utVec3 u, v, k;
    double square;   // |k|^2
    double middle;   // t.k
    double first[2]; // added to x.k by one half extent along i1 and i2
    double second[2];
} EdgePair;

static EdgePair find_edge_pair(const BoxPair* pair, int i, int j)
{
    EdgePair e = {.i = i, .i1 = (i + 1) % 3, .i2 = (i + 2) % 3};
    e.j = j;
    e.j1 = (j + 1) % 3;
    e.j2 = (j + 2) % 3;
    e.u = ut_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
    e.v = ut_vec3(pair->C[0][j], pair->C[1][j], pair->C[2][j]);
    e.k = ut_vec3_cross(e.u, e.v);
    e.square = ut_vec3_dot(e.k, e.k);
    e.middle = ut_vec3_dot(ut_vec3_from(pair->t), e.k);
    e.first[0] = -pair->a[e.i1] * pair->C[e.i2][j];
    e.first[1] = pair->a[e.i2] * pair->C[e.i1][j];
    // k.c_l = u.(v x c_l): an entry of row i of C
    e.second[0] = pair->b[e.j1] * pair->C[i][e.j2];
    e.second[1] = -pair->b[e.j2] * pair->C[i][e.j1];
    return e;
}

// One edge of each box, selected by the bits of `which`. Replaces `best` when interior points of
// both edges are closer.
static void connect_edges(const BoxPair* pair, const EdgePair* e, int which, Connection* best)
{
    double from[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 0.0, 0.0}, w[3];
    from[e->i1] = which & 1 ? pair->a[e->i1] : -pair->a[e->i1];
    from[e->i2] = which & 2 ? pair->a[e->i2] : -pair->a[e->i2];
    y[e->j1] = which & 4 ? pair->b[e->j1] : -pair->b[e->j1];
    y[e->j2] = which & 8 ? pair->b[e->j2] : -pair->b[e->j2];
    to_first(pair, y, w);
    const utVec3 W = ut_vec3(w[0] + pair->t[0] - from[0], w[1] + pair->t[1] - from[1],
                             w[2] + pair->t[2] - from[2]);
    const double s = ut_vec3_dot(ut_vec3_cross(W, e->v), e->k);
    const double t = ut_vec3_dot(ut_vec3_cross(W, e->u), e->k);
    const double along = ut_vec3_dot(W, e->k);
    if (!(fabs(s) <= pair->a[e->i] * e->square && fabs(t) <= pair->b[e->j] * e->square &&
          along * along < best->square * e->square * (1.0 - SQUARE_TIE))) {
        return;
    }
    from[e->i] = s / e->square;
    const utVec3 to = ut_vec3_scale(e->k, along / e->square);
    *best = (Connection){.from = {from[0], from[1], from[2]}, .to = {to.x, to.y, to.z}};
    best->square = along * along / e->square;
    best->feature_a = digit_of(pair->a, e->i1, from[e->i1]) + digit_of(pair->a, e->i2, from[e->i2]);
    best->feature_b = digit_of(pair->b, e->j1, y[e->j1]) + digit_of(pair->b, e->j2, y[e->j2]);
}

// Does a bit of `bits` select the upper side of an axis without extent? That repeats the lower
// side.
static bool is_repeated(const double half[3], const int axis[3], int bits)
{
    for (int i = 0; i < 3; i++) {
        if (bits >> i & 1 && !(half[axis[i]] > 0.0)) {
            return true;
        }
    }
    return false;
}

static void connect_all_edges(const BoxPair* pair, int i, int j, Connection* best)
{
    const EdgePair e = find_edge_pair(pair, i, j);
    if (!(e.square > UT_MIN_EDGE_SINE * UT_MIN_EDGE_SINE && pair->b[j] > 0.0)) {
        return;
    }
    const int axis[3] = {e.j1, e.j2, e.j};
    for (int which = 0; which < 16; which++) {
        const double x =
            (which & 1 ? e.first[0] : -e.first[0]) + (which & 2 ? e.first[1] : -e.first[1]);
        const double y =
            (which & 4 ? e.second[0] : -e.second[0]) + (which & 8 ? e.second[1] : -e.second[1]);
        const double along = e.middle + y - x;
        if (along * along < best->square * e.square && !is_repeated(pair->b, axis, which >> 2)) {
            connect_edges(pair, &e, which, best);
        }
    }
}

static bool is_known(const BoxPoints* points, const Connection* connection)
{
    for (int i = 0; i < points->count; i++) {
        if (points->item[i].feature_a == connection->feature_a &&
            points->item[i].feature_b == connection->feature_b) {
            return true;
        }
    }
    return false;
}

static void add_point(BoxPoints* points, const Connection* connection)
{
    if (points->count < UT_MANIFOLD_REDUCED && !is_known(points, connection)) {
        BoxPoint* point = &points->item[points->count++];
        *point = (BoxPoint){.gap = ut_dot3(connection->to, points->normal),
                            .feature_a = connection->feature_a,
                            .feature_b = connection->feature_b};
        for (int i = 0; i < 3; i++) {
            point->x[i] = connection->from[i];
        }
    }
}

// @return the distance of the boxes
static double find_closest(const BoxPair* pair, BoxPoints* points)
{
    // vertices against all features, then pairs of edges
    static const int xyz[3] = {0, 1, 2};
    Connection connection[16];
    Connection best = {.square = HUGE_VAL};
    int connections = 0;
    for (int k = 0; k < 16; k++) {
        if (k < 8 ? is_repeated(pair->b, xyz, k) : is_repeated(pair->a, xyz, k - 8)) {
            continue;
        }
        if (k < 8) {
            connect_second_vertex(pair, k, &connection[connections]);
        } else {
            connect_first_vertex(pair, k - 8, &connection[connections]);
        }
        best = connection[connections].square < best.square * (1.0 - SQUARE_TIE)
                   ? connection[connections]
                   : best;
        connections++;
    }
    for (int ij = 0; ij < 9; ij++) {
        connect_all_edges(pair, ij / 3, ij % 3, &best);
    }

    // parallel edges are equally close all along: return both ends
    utVec3 n;
    ut_vec3_normalize(ut_vec3_from(best.to), &n);
    ut_box_points_begin(points, (double[3]){n.x, n.y, n.z});
    for (int k = 0; k < connections; k++) {
        const double d[3] = {connection[k].to[0] - best.to[0], connection[k].to[1] - best.to[1],
                             connection[k].to[2] - best.to[2]};
        const double slop = UT_FEATURE_SLOP * pair->size;
        if (ut_dot3(d, d) <= slop * slop) {
            add_point(points, &connection[k]);
        }
    }
    if (points->count == 0) {
        add_point(points, &best);
    }
    return sqrt(best.square);
}

bool ut_box_points_closest(const BoxPair* pair, const double n[3], BoxPoints* points)
{
    BoxPoints closest;
    const double distance = find_closest(pair, &closest);
    // the connection is too short to have a direction
    if (!(distance > UT_GAP_TIE * pair->size)) {
        for (int i = 0; i < 3; i++) {
            closest.normal[i] = n[i];
        }
    }
    if (ut_box_points_least_gap(points) <= distance + UT_GAP_TIE * pair->size) {
        return false;
    }
    *points = closest;
    return true;
}
