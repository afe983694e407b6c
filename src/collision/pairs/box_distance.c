// SPDX-License-Identifier: Apache-2.0
// Two bricks that stand apart: their closest points, exactly.
//
// The closest points of two boxes are a vertex of one and any feature of the other, or lie inside
// two edges. All of them are tried: this runs only where no face and no pair of edges faces the
// other box squarely, which is seldom.
#include "collision/internal.h"

Bricks ut_bricks(utVec3 half_a, const utFrame* A, utVec3 half_b, const utFrame* B)
{
    const utVec3 t = ut_frame_point_inverse(*A, B->p);
    Bricks pair = {.a = {half_a.x, half_a.y, half_a.z},
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
static void to_second(const Bricks* pair, const double x[3], double y[3])
{
    for (int j = 0; j < 3; j++) {
        y[j] = pair->C[0][j] * x[0] + pair->C[1][j] * x[1] + pair->C[2][j] * x[2];
    }
}

// C y
static void to_first(const Bricks* pair, const double y[3], double x[3])
{
    for (int i = 0; i < 3; i++) {
        x[i] = ut_dot(pair->C[i], y);
    }
}

Bricks ut_bricks_swap(const Bricks* pair)
{
    Bricks swapped = {.size = pair->size};
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

typedef struct Link {
    double from[3]; // on the first brick
    double to[3];   // from there to the second brick, both in the first one's frame
    double square;  // |to|^2
    int fa, fb;
} Link;

// the digit of a feature; an axis without width has none
static int digit_of(const double half[3], int axis, double sign)
{
    return half[axis] > 0.0 ? ut_digit(axis, sign) : 0;
}

static void vertex(const double half[3], int k, double x[3], int* feature)
{
    *feature = 0;
    for (int i = 0; i < 3; i++) {
        x[i] = k >> i & 1 ? half[i] : -half[i];
        *feature += digit_of(half, i, x[i]);
    }
}

// The point of a brick nearest to x, and the feature that holds it.
static void nearest(const double half[3], const double x[3], double foot[3], int* feature)
{
    *feature = 0;
    for (int i = 0; i < 3; i++) {
        foot[i] = ut_clamp(x[i], half[i]);
        *feature += foot[i] != x[i] ? digit_of(half, i, x[i]) : 0;
    }
}

static void link_second_vertex(const Bricks* pair, int k, Link* link)
{
    double y[3], x[3];
    vertex(pair->b, k, y, &link->fb);
    to_first(pair, y, x);
    for (int i = 0; i < 3; i++) {
        x[i] += pair->t[i];
    }
    nearest(pair->a, x, link->from, &link->fa);
    for (int i = 0; i < 3; i++) {
        link->to[i] = x[i] - link->from[i];
    }
    link->square = ut_dot(link->to, link->to);
}

static void link_first_vertex(const Bricks* pair, int k, Link* link)
{
    double x[3], y[3], foot[3];
    vertex(pair->a, k, link->from, &link->fa);
    for (int i = 0; i < 3; i++) {
        x[i] = link->from[i] - pair->t[i];
    }
    to_second(pair, x, y);
    nearest(pair->b, y, foot, &link->fb);
    for (int i = 0; i < 3; i++) {
        foot[i] -= y[i];
    }
    to_first(pair, foot, link->to);
    link->square = ut_dot(link->to, link->to);
}

// All edges of the first brick along i and of the second along j. Their common normal is k.
typedef struct Edges {
    int i, i1, i2, j, j1, j2;
    utVec3 u, v, k;
    double square;   // |k|^2
    double middle;   // t.k
    double first[2]; // what a step of one half extent along i1, i2 adds to x.k
    double second[2];
} Edges;

static Edges find_edges(const Bricks* pair, int i, int j)
{
    Edges e = {.i = i, .i1 = (i + 1) % 3, .i2 = (i + 2) % 3};
    e.j = j;
    e.j1 = (j + 1) % 3;
    e.j2 = (j + 2) % 3;
    e.u = ut_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
    e.v = ut_vec3(pair->C[0][j], pair->C[1][j], pair->C[2][j]);
    e.k = ut_vec3_cross(e.u, e.v);
    e.square = ut_vec3_dot(e.k, e.k);
    e.middle = ut_vec3_dot(ut_of(pair->t), e.k);
    e.first[0] = -pair->a[e.i1] * pair->C[e.i2][j];
    e.first[1] = pair->a[e.i2] * pair->C[e.i1][j];
    // k.c_l = u.(v x c_l): an entry of row i of C
    e.second[0] = pair->b[e.j1] * pair->C[i][e.j2];
    e.second[1] = -pair->b[e.j2] * pair->C[i][e.j1];
    return e;
}

// One edge of each, the one of four that two bits of `which` name: replace best when they are
// closer inside both.
static void link_edges(const Bricks* pair, const Edges* e, int which, Link* best)
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
          along * along < best->square * e->square * (1.0 - 1e-12))) {
        return;
    }
    from[e->i] = s / e->square;
    const utVec3 to = ut_vec3_scale(e->k, along / e->square);
    *best = (Link){.from = {from[0], from[1], from[2]}, .to = {to.x, to.y, to.z}};
    best->square = along * along / e->square;
    best->fa = digit_of(pair->a, e->i1, from[e->i1]) + digit_of(pair->a, e->i2, from[e->i2]);
    best->fb = digit_of(pair->b, e->j1, y[e->j1]) + digit_of(pair->b, e->j2, y[e->j2]);
}

// Does one bit of `bits` choose a side of an axis that has none?
static bool is_repeated(const double half[3], const int axis[3], int bits)
{
    for (int i = 0; i < 3; i++) {
        if (bits >> i & 1 && !(half[axis[i]] > 0.0)) {
            return true;
        }
    }
    return false;
}

static void link_all_edges(const Bricks* pair, int i, int j, Link* best)
{
    const Edges e = find_edges(pair, i, j);
    if (!(e.square > UT_SKIP_PARALLEL * UT_SKIP_PARALLEL && pair->b[j] > 0.0)) {
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
            link_edges(pair, &e, which, best);
        }
    }
}

static bool is_known(const Spots* spots, const Link* link)
{
    for (int i = 0; i < spots->count; i++) {
        if (spots->spot[i].fa == link->fa && spots->spot[i].fb == link->fb) {
            return true;
        }
    }
    return false;
}

static void add_spot(Spots* spots, const Link* link)
{
    if (spots->count < UT_MANIFOLD_FEW && !is_known(spots, link)) {
        Spot* spot = &spots->spot[spots->count++];
        *spot = (Spot){.gap = ut_dot(link->to, spots->normal), .fa = link->fa, .fb = link->fb};
        for (int i = 0; i < 3; i++) {
            spot->point[i] = link->from[i];
        }
    }
}

// @return the distance
static double find_closest(const Bricks* pair, Spots* spots)
{
    // vertices against everything, then edges inside
    static const int xyz[3] = {0, 1, 2};
    Link link[16];
    Link best = {.square = HUGE_VAL};
    int links = 0;
    for (int k = 0; k < 16; k++) {
        if (k < 8 ? is_repeated(pair->b, xyz, k) : is_repeated(pair->a, xyz, k - 8)) {
            continue;
        }
        if (k < 8) {
            link_second_vertex(pair, k, &link[links]);
        } else {
            link_first_vertex(pair, k - 8, &link[links]);
        }
        best = link[links].square < best.square * (1.0 - 1e-12) ? link[links] : best;
        links++;
    }
    for (int ij = 0; ij < 9; ij++) {
        link_all_edges(pair, ij / 3, ij % 3, &best);
    }

    // parallel edges are closest all along: give both ends
    utVec3 n;
    ut_vec3_normalize(ut_of(best.to), &n);
    ut_spots_begin(spots, (double[3]){n.x, n.y, n.z});
    for (int k = 0; k < links; k++) {
        const double d[3] = {link[k].to[0] - best.to[0], link[k].to[1] - best.to[1],
                             link[k].to[2] - best.to[2]};
        const double slop = UT_SLOP * pair->size;
        if (ut_dot(d, d) <= slop * slop) {
            add_spot(spots, &link[k]);
        }
    }
    if (spots->count == 0) {
        add_spot(spots, &best);
    }
    return sqrt(best.square);
}

bool ut_spots_closest(const Bricks* pair, const double n[3], Spots* spots)
{
    Spots closest;
    const double distance = find_closest(pair, &closest);
    // too close for the connection to have a direction
    if (!(distance > UT_GAP_BIAS * pair->size)) {
        for (int i = 0; i < 3; i++) {
            closest.normal[i] = n[i];
        }
    }
    if (ut_spots_least(spots) <= distance + UT_GAP_BIAS * pair->size) {
        return false;
    }
    *spots = closest;
    return true;
}
