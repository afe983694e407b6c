// SPDX-License-Identifier: Apache-2.0
// Where a smooth shape meets another: the largest g(n) by Newton's iteration.
//
// Near the answer each core shows one feature: a corner, an edge, a face, a point that moves
// smoothly with n (on an ellipsoid or a cylinder's rim), or the line of a cylinder's side. Corners,
// rims and ellipsoids make g smooth. Edges and lines with direction e are kinks of g along e.n = 0,
// on which the largest g(n) lies, and their ends bound where they are touched. With T the
// directions that n may still turn to, w the point of D and H the second derivatives of the
// support functions,
//
//     T'w = 0                               at the answer,
//     (T'(H_A + H_B)T + g 1) turn = T'w     the step of Newton's iteration.
//
// A face, two edges, or an edge and a line leave no freedom at all.
#include "internal.h"

typedef enum FeatureKind {
    FEATURE_POINT,
    FEATURE_LINE,
    FEATURE_FACE,
    FEATURE_ROUND, ///< an ellipsoid, or a cylinder's rim
    FEATURE_SIDE,  ///< the line of a cylinder
} FeatureKind;

typedef struct Feature {
    FeatureKind kind;
    const Convex* convex;
    double sign;      ///< support along sign n: 1 for A, -1 for B
    utVec3 point;     ///< POINT, LINE: a corner, the line's start
    utVec3 direction; ///< LINE, SIDE: unit; FACE: its normal
    double low, high; ///< LINE, SIDE: where along the direction it ends
} Feature;

enum { MAX_FEATURES = 7 };

// ---- features -----------------------------------------------------------------------------------

// the corners of one core, each once
static int distinct_corners(const Simplex* at, double sign, utVec3 point[4])
{
    int count = 0, id[4];
    for (int i = 0; i < at->count; i++) {
        const int mine = sign > 0.0 ? at->corner[i].a_id : at->corner[i].b_id;
        bool known = false;
        for (int j = 0; j < count; j++) {
            known = known || id[j] == mine;
        }
        if (!known) {
            id[count] = mine;
            point[count++] = sign > 0.0 ? at->corner[i].a : at->corner[i].b;
        }
    }
    return count < 3 ? count : 3;
}

// The face, edges and corners that some corners of a polytope name: which of them is touched is not
// known, but the highest is the likeliest. @return how many
static int corner_features(const Convex* convex, double sign, const Simplex* at,
                           Feature feature[MAX_FEATURES])
{
    utVec3 point[4] = {{0.0, 0.0, 0.0}};
    const int corners = distinct_corners(at, sign, point);
    const Feature plain = {.kind = FEATURE_POINT, .convex = convex, .sign = sign};
    int count = 0;
    if (corners == 3) {
        Feature face = plain;
        face.kind = FEATURE_FACE;
        const utVec3 e1 = ut_vec3_sub(point[1], point[0]), e2 = ut_vec3_sub(point[2], point[0]);
        if (ut_vec3_normalize(ut_vec3_cross(e1, e2), &face.direction)) {
            feature[count++] = face;
        }
    }
    for (int i = 0; i < (corners == 3 ? 3 : corners - 1); i++) {
        const utVec3 e = ut_vec3_sub(point[(i + 1) % 3], point[i]);
        Feature line = plain;
        line.kind = FEATURE_LINE;
        line.point = point[i];
        line.high = ut_vec3_norm(e);
        if (ut_vec3_normalize(e, &line.direction)) {
            feature[count++] = line;
        }
    }
    for (int i = 0; i < corners; i++) {
        feature[count] = plain;
        feature[count++].point = point[i];
    }
    return count;
}

// A cylinder's features, those near n or all, the likeliest first. @return how many
static int cylinder_features(const Convex* convex, double sign, utVec3 n, bool all,
                             Feature feature[MAX_FEATURES])
{
    const utVec3 axis = ut_mat3_column(convex->at.R, 2);
    const double along = fabs(ut_vec3_dot(axis, n)), half = convex->shape->size.y;
    const Feature round = {.kind = FEATURE_ROUND, .convex = convex, .sign = sign};
    const Feature side = {FEATURE_SIDE, convex, sign, convex->at.p, axis, -half, half};
    const Feature face = {.kind = FEATURE_FACE, .convex = convex, .sign = sign, .direction = axis};
    const bool flat = along > 0.98, level = along < 0.2;
    feature[0] = flat ? face : level ? side : round;
    feature[1] = flat || level ? round : side;
    feature[2] = flat ? side : face;
    return all ? 3 : flat || level ? 2 : 1;
}

static int find_features(const Convex* convex, double sign, utVec3 n, const Simplex* at, bool all,
                         Feature feature[MAX_FEATURES])
{
    if (convex->shape->kind == UT_SHAPE_CYLINDER) {
        return cylinder_features(convex, sign, n, all, feature);
    }
    if (convex->shape->kind == UT_SHAPE_ELLIPSOID && !convex->point) {
        feature[0] = (Feature){.kind = FEATURE_ROUND, .convex = convex, .sign = sign};
        return 1;
    }
    return corner_features(convex, sign, at, feature);
}

// ---- one feature near n -------------------------------------------------------------------------

typedef struct Local {
    utVec3 point; ///< of the core, farthest along sign n on this feature
    utMat3 H;     ///< second derivatives of the support function
} Local;

// h = |S d|, its gradient p = S^2 d / h, and H = (S^2 - p p') / h
static void ellipsoid_local(utVec3 size, utVec3 d, utVec3* p, utMat3* H)
{
    const utVec3 square = ut_vec3(size.x * size.x, size.y * size.y, size.z * size.z);
    const double h = ut_vec3_norm(ut_vec3(size.x * d.x, size.y * d.y, size.z * d.z));
    if (!(h > 0.0)) {
        // without extent along d
        *p = ut_vec3_zero();
        *H = ut_mat3_zero();
        return;
    }
    *p = ut_vec3(square.x * d.x / h, square.y * d.y / h, square.z * d.z / h);
    *H = ut_mat3_scale(ut_mat3_sub(ut_mat3_diagonal(square), ut_mat3_outer(*p, *p)), 1.0 / h);
}

// h = r |d_xy| + z |d_z|: only turning about the axis moves the point of the rim
static void cylinder_local(double r, double z, utVec3 d, utVec3* p, utMat3* H)
{
    const double across = sqrt(d.x * d.x + d.y * d.y);
    const double c = across > 0.0 ? d.x / across : 1.0, s = across > 0.0 ? d.y / across : 0.0;
    const utVec3 t = ut_vec3(-s, c, 0.0);
    *p = ut_vec3(r * c, r * s, z);
    *H = ut_mat3_scale(ut_mat3_outer(t, t), across > 0.0 ? r / across : 0.0);
}

static Local look_at(const Feature* f, utVec3 n)
{
    Local local = {f->point, ut_mat3_zero()};
    const utShape* shape = f->convex->shape;
    if (f->kind == FEATURE_POINT || f->kind == FEATURE_LINE) {
        return local;
    }
    if (f->kind == FEATURE_FACE) {
        int id;
        local.point = ut_convex_support(f->convex, ut_vec3_scale(n, f->sign), &id);
        return local;
    }
    const utMat3 R = f->convex->at.R;
    const utVec3 d = ut_mat3_tmul_vec(R, ut_vec3_scale(n, f->sign));
    utVec3 p;
    if (shape->kind == UT_SHAPE_ELLIPSOID) {
        ellipsoid_local(shape->size, d, &p, &local.H);
    } else {
        const double end = d.z < 0.0 ? -shape->size.y : shape->size.y;
        cylinder_local(shape->size.x, f->kind == FEATURE_SIDE ? 0.0 : end, d, &p, &local.H);
    }
    local.point = ut_frame_point(f->convex->at, p);
    local.H = ut_mat3_mul(ut_mat3_mul(R, local.H), ut_mat3_transpose(R));
    return local;
}

// ---- the directions that are left ---------------------------------------------------------------

static bool has_direction(const Feature* f)
{
    return f->kind == FEATURE_LINE || f->kind == FEATURE_SIDE;
}

// What the features leave of n. @return its freedom, 0 ... 2; -1 when they contradict each other
static int restrict_normal(const Feature* a, const Feature* b, utVec3* n, utVec3* e)
{
    const bool face_a = a->kind == FEATURE_FACE, face_b = b->kind == FEATURE_FACE;
    if (face_a || face_b) {
        const utVec3 k = face_a ? a->direction : b->direction;
        *n = ut_vec3_dot(k, *n) < 0.0 ? ut_vec3_negate(k) : k;
        return 0;
    }
    if (has_direction(a) && has_direction(b)) {
        utVec3 k = ut_vec3_cross(a->direction, b->direction);
        if (ut_vec3_norm(k) > 1e-12 && ut_vec3_normalize(k, &k)) {
            *n = ut_vec3_dot(k, *n) < 0.0 ? ut_vec3_negate(k) : k;
            return 0;
        }
    }
    if (!has_direction(a) && !has_direction(b)) {
        return 2;
    }
    *e = has_direction(a) ? a->direction : b->direction;
    return ut_vec3_normalize(ut_vec3_add_scaled(*n, -ut_vec3_dot(*n, *e), *e), n) ? 1 : -1;
}

static void free_directions(utVec3 n, utVec3 e, int freedom, utVec3 T[2])
{
    if (freedom == 2) {
        ut_tangent_basis(n, &T[0], &T[1]);
    } else {
        T[0] = T[1] = ut_vec3_cross(n, e);
    }
}

// ---- the iteration ------------------------------------------------------------------------------

typedef struct State {
    utVec3 n;
    utVec3 w;
    double g; ///< of the two features alone
    utMat3 H;
} State;

static State look(const Feature* a, const Feature* b, utVec3 n)
{
    const Local at_a = look_at(a, n), at_b = look_at(b, n);
    State s = {.n = n, .w = ut_vec3_sub(at_b.point, at_a.point)};
    s.g = ut_vec3_dot(n, s.w);
    s.H = ut_mat3_add(at_a.H, at_b.H);
    return s;
}

// The step of Newton's iteration, along the gradient where g does not curve downwards.
static utVec3 newton_turn(const State* s, int freedom, const utVec3 T[2], double size)
{
    const double g1 = ut_vec3_dot(T[0], s->w), g2 = ut_vec3_dot(T[1], s->w);
    const utVec3 H1 = ut_mat3_mul_vec(s->H, T[0]), H2 = ut_mat3_mul_vec(s->H, T[1]);
    const double a = ut_vec3_dot(T[0], H1) + s->g, b = ut_vec3_dot(T[0], H2);
    const double c = ut_vec3_dot(T[1], H2) + s->g;
    double x = g1 / size, y = g2 / size;
    const double determinant = a * c - b * b;
    if (freedom == 1) {
        x = a > 0.0 ? g1 / a : x;
        y = 0.0;
    } else if (a > 0.0 && determinant > 0.0) {
        x = (c * g1 - b * g2) / determinant;
        y = (a * g2 - b * g1) / determinant;
    }
    return ut_vec3_add_scaled(ut_vec3_scale(T[0], x), y, T[1]);
}

// Turn n as far as g, of the two features, does not fall. @return the angle, 0: no further
static double advance(const Feature* a, const Feature* b, utVec3 turn, double size, State* s)
{
    double angle = ut_vec3_norm(turn);
    const double most = 0.3;
    double scale = angle > most ? most / angle : 1.0;
    for (int half = 0; half < 12; half++) {
        utVec3 n;
        if (!ut_vec3_normalize(ut_vec3_add_scaled(s->n, scale, turn), &n)) {
            return 0.0;
        }
        const State next = look(a, b, n);
        if (next.g >= s->g - 1e-15 * size) {
            *s = next;
            return scale * angle;
        }
        scale *= 0.5;
    }
    return 0.0;
}

static State climb(const Feature* a, const Feature* b, utVec3 n, utVec3 e, int freedom, double size)
{
    State s = look(a, b, n);
    double last = HUGE_VAL;
    for (int step = 0; step < 40 && freedom > 0; step++) {
        utVec3 T[2];
        free_directions(s.n, e, freedom, T);
        const double angle = advance(a, b, newton_turn(&s, freedom, T, size), size, &s);
        if (!(angle > 1e-16) || (angle < 1e-7 && !(angle < 0.5 * last))) {
            break;
        }
        last = angle;
    }
    return s;
}

// ---- touching points ----------------------------------------------------------------------------

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

// Move the points a and b along the lines they are on until b - a is along n, as far as the lines
// reach: (b + tb eb) - (a + ta ea) has to have nothing across n.
static void slide(const Feature* fa, const Feature* fb, utVec3 n, utVec3* a, utVec3* b)
{
    utVec3 rest = ut_vec3_sub(*b, *a);
    rest = ut_vec3_add_scaled(rest, -ut_vec3_dot(rest, n), n);
    double ta = 0.0, tb = 0.0;
    if (has_direction(fa) && has_direction(fb)) {
        const utVec3 ea = fa->direction, eb = fb->direction, across = ut_vec3_cross(n, ea);
        const double cosine = ut_vec3_dot(ea, eb), sine = ut_vec3_dot(eb, across);
        const double x = ut_vec3_dot(rest, ea), y = ut_vec3_dot(rest, eb);
        if (fabs(sine) > 1e-14) {
            tb = clamp(-ut_vec3_dot(rest, across) / sine, fb->low, fb->high);
            ta = clamp(cosine * tb + x, fa->low, fa->high);
        } else {
            // parallel: the middle of what both lines cover
            const double turn = cosine < 0.0 ? -1.0 : 1.0;
            const double low = x + (turn > 0.0 ? fb->low : -fb->high);
            const double high = x + (turn > 0.0 ? fb->high : -fb->low);
            ta = clamp(0.5 * (fmax(low, fa->low) + fmin(high, fa->high)), fa->low, fa->high);
        }
        tb = clamp(cosine * ta - y, fb->low, fb->high);
        ta = clamp(cosine * tb + x, fa->low, fa->high);
    } else if (has_direction(fa)) {
        ta = clamp(ut_vec3_dot(rest, fa->direction), fa->low, fa->high);
    } else if (has_direction(fb)) {
        tb = clamp(-ut_vec3_dot(rest, fb->direction), fb->low, fb->high);
    }
    *a = ut_vec3_add_scaled(*a, ta, fa->direction);
    *b = ut_vec3_add_scaled(*b, tb, fb->direction);
}

// how far a point is outside of a box or cylinder; of others that is not asked
static double outside(const Convex* convex, utVec3 x)
{
    const utVec3 y = ut_frame_point_inverse(convex->at, x), s = convex->shape->size;
    if (convex->shape->kind == UT_SHAPE_BOX) {
        return fmax(fabs(y.x) - s.x, fmax(fabs(y.y) - s.y, fabs(y.z) - s.z));
    }
    if (convex->shape->kind == UT_SHAPE_CYLINDER) {
        return fmax(sqrt(y.x * y.x + y.y * y.y) - s.x, fabs(y.z) - s.y);
    }
    return HUGE_VAL;
}

// The points of two features where they face each other along n, as a simplex of one corner. Over a
// face it is the other's point and its foot. @return false when they cannot be told from n
static bool touching_points(const Feature* fa, const Feature* fb, utVec3 n, double size,
                            Simplex* at)
{
    Corner* corner = &at->corner[0];
    corner->a = look_at(fa, n).point;
    corner->b = look_at(fb, n).point;
    const bool face_a = fa->kind == FEATURE_FACE, face_b = fb->kind == FEATURE_FACE;
    if ((face_a && (face_b || has_direction(fb))) || (face_b && has_direction(fa))) {
        return false;
    }
    const double g = ut_vec3_dot(n, ut_vec3_sub(corner->b, corner->a));
    if (face_a) {
        corner->a = ut_vec3_add_scaled(corner->b, -g, n);
    } else if (face_b) {
        corner->b = ut_vec3_add_scaled(corner->a, g, n);
    } else {
        slide(fa, fb, n, &corner->a, &corner->b);
    }
    at->count = 1;
    at->weight[0] = 1.0;
    at->v = corner->w = ut_vec3_sub(corner->b, corner->a);
    const double beyond = face_a   ? outside(fa->convex, corner->a)
                          : face_b ? outside(fb->convex, corner->b)
                                   : 0.0;
    return beyond <= 1e-15 * size;
}

// Keep what was found where it is better: a larger bound, or one as large up to rounding with
// points that face each other better. @return whether these are the touching conditions, fulfilled
static bool keep(const ConvexPair* pair, const Feature* fa, const Feature* fb, const State* s,
                 const Simplex* near, Known* known)
{
    const double value = ut_vec3_dot(s->n, ut_convex_corner(pair, s->n).w);
    Known found = *known;
    found.lower = value;
    found.normal = s->n;
    Simplex at = *near;
    if (touching_points(fa, fb, s->n, pair->size, &at)) {
        found.at = at;
    }
    const double off = ut_known_off(&found), known_off = ut_known_off(known);
    const double size = pair->size, rounding = 1e-15 * size;
    // up to rounding, and such that the direction is right to 3e-8
    const double allowed = fmin(fmax(2.0 * rounding, 3e-8 * fabs(value)), 1e-13 * size);
    const bool fulfilled = value >= s->g - 8.0 * rounding && off <= allowed;
    // points that are clearly worse have to be made up for, and clearly better ones are worth a
    // little of the bound
    const bool worse = off > known_off && off > 1e-10 * size;
    const bool much_better = off < 0.1 * known_off && known_off > 1e-12 * size;
    const double gain = worse ? 4.0 * rounding : rounding;
    const double loss = !much_better              ? rounding
                        : known_off > 1e-9 * size ? 1e-12 * size
                                                  : 1e-14 * size;
    const bool better = value > known->lower + gain ||
                        (value >= known->lower - loss && (fulfilled || off < known_off));
    if (better) {
        const double distance = ut_vec3_norm(found.at.v);
        if (value > 0.0 && distance < found.upper) {
            found.upper = distance;
        }
        *known = found;
    }
    return better && fulfilled;
}

bool ut_smooth_climb(const ConvexPair* pair, utVec3 n, const Simplex* at, bool all, Known* known)
{
    Feature a[MAX_FEATURES], b[MAX_FEATURES];
    const int as = find_features(pair->a, 1.0, n, at, all, a);
    const int bs = find_features(pair->b, -1.0, n, at, all, b);
    bool settled = false;
    for (int i = 0; i < as * bs; i++) {
        const Feature* fa = &a[i / bs];
        const Feature* fb = &b[i % bs];
        utVec3 start = n, e = ut_vec3_zero();
        const int freedom = restrict_normal(fa, fb, &start, &e);
        if (freedom < 0) {
            continue;
        }
        const State s = climb(fa, fb, start, e, freedom, pair->size);
        settled = keep(pair, fa, fb, &s, at, known) || settled;
        // of cores apart g has no other; else there is none that is much larger, but few are tried
        const bool enough = known->upper - known->lower <= 2e-10 * pair->size;
        if (settled && (known->lower > 0.0 || (enough && as * bs > 4))) {
            break;
        }
    }
    return settled;
}
