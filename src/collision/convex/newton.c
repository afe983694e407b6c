// SPDX-License-Identifier: Apache-2.0
// Newton's iteration for the largest g(n), where at least one of the cores is smooth.
//
// Near the solution each core shows one feature: a corner, an edge, a face, a point that moves
// smoothly with n (on an ellipsoid or a cylinder's rim), or a line of a cylinder's side. For
// corners, rims and ellipsoids g is smooth. An edge or line with direction e is a kink of g along
// e.n = 0; the largest g(n) lies on it, and the ends of the edge limit the contact point. Let T be
// the directions in which n may still turn, w the point of D, and H the second derivatives of the
// support functions:
//
//     T'w = 0                               at the solution,
//     (T'(H_A + H_B)T + g 1) turn = T'w     Newton step.
//
// The normal n is fixed already when the closest features are a face, two edges, or an edge and a line;
// Newton's method is then not needed.
#include "internal.h"
#include "la/scalar.h"

// Angles and sines:
#define PARALLEL_SINE 1e-12  // edges at a smaller angle have no usable common normal
#define VANISHING_SINE 1e-14 // lines at a smaller angle are parallel
#define ROUNDING_ANGLE 1e-16 // a smaller Newton step does not change n
#define SMALL_ANGLE 1e-7     // a smaller step that is not halved by the next one is noise
#define MAX_ANGLE 0.3        // largest step, so that a poor start does not jump over the maximum
#define DIRECTION_ERROR 3e-8 // accuracy of a direction whose points count as aligned

// Lengths relative to ConvexPair.size:
#define POOR_ALIGNMENT 1e-10 // worse alignment must be paid for by a larger bound
#define BAD_ALIGNMENT 1e-9   // the promised accuracy of the points
#define LARGE_LOSS 1e-12     // of the bound, accepted to mend a bad alignment
#define SMALL_LOSS 1e-14     // of the bound, accepted to improve another one
#define NEARLY_CLOSED 2e-10  // bounds this close leave no much better maximum

enum { MAX_NEWTON_STEPS = 40, MAX_HALVINGS = 12 };

typedef enum FeatureKind {
    FEATURE_POINT,
    FEATURE_LINE,
    FEATURE_FACE,
    FEATURE_ROUND, ///< an ellipsoid, or a cylinder's rim
    FEATURE_SIDE,  ///< a line of a cylinder's side
} FeatureKind;

typedef struct Feature {
    FeatureKind kind;
    const Convex* convex;
    double sign;      ///< the support is taken along sign n: 1 for A, -1 for B
    utVec3 point;     ///< POINT, LINE: a corner, or the start of the line
    utVec3 direction; ///< LINE, SIDE: unit; FACE: its normal
    double low, high; ///< LINE, SIDE: positions of the two ends along the direction
} Feature;

enum { MAX_FEATURES = 7 };

// ---- features -----------------------------------------------------------------------------------

// The distinct corners of one core.
static int distinct_corners(const Simplex* at, double sign, utVec3 point[4])
{
    int count = 0, id[4];
    for (int i = 0; i < at->count; i++) {
        const int corner_id = sign > 0.0 ? at->corner[i].a_id : at->corner[i].b_id;
        bool listed = false;
        for (int j = 0; j < count; j++) {
            listed = listed || id[j] == corner_id;
        }
        if (!listed) {
            id[count] = corner_id;
            point[count++] = sign > 0.0 ? at->corner[i].a : at->corner[i].b;
        }
    }
    return count < 3 ? count : 3;
}

// The face, edges and corners spanned by some corners of a polytope. The contact feature is one of
// them; the highest-dimensional one is most likely and comes first. @return how many
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

// A cylinder's features, near n or all, the most likely first. @return how many
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

// ---- one feature along n ------------------------------------------------------------------------

typedef struct FeaturePoint {
    utVec3 point; ///< of the core, farthest along sign n on this feature
    utMat3 H;     ///< second derivatives of the support function
} FeaturePoint;

// h = |S d|, its gradient p = S^2 d / h, and H = (S^2 - p p') / h
static void ellipsoid_point(utVec3 size, utVec3 d, utVec3* p, utMat3* H)
{
    const utVec3 square = ut_vec3(size.x * size.x, size.y * size.y, size.z * size.z);
    const double h = ut_vec3_norm(ut_vec3(size.x * d.x, size.y * d.y, size.z * d.z));
    if (!(h > 0.0)) {
        // no extent along d
        *p = ut_vec3_zero();
        *H = ut_mat3_zero();
        return;
    }
    *p = ut_vec3(square.x * d.x / h, square.y * d.y / h, square.z * d.z / h);
    *H = ut_mat3_scale(ut_mat3_sub(ut_mat3_diagonal(square), ut_mat3_outer(*p, *p)), 1.0 / h);
}

// h = r |d_xy| + z |d_z|: the point of the rim moves only when d turns about the axis.
static void cylinder_point(double r, double z, utVec3 d, utVec3* p, utMat3* H)
{
    const double across = sqrt(d.x * d.x + d.y * d.y);
    const double c = across > 0.0 ? d.x / across : 1.0, s = across > 0.0 ? d.y / across : 0.0;
    const utVec3 t = ut_vec3(-s, c, 0.0);
    *p = ut_vec3(r * c, r * s, z);
    *H = ut_mat3_scale(ut_mat3_outer(t, t), across > 0.0 ? r / across : 0.0);
}

static FeaturePoint evaluate_feature(const Feature* f, utVec3 n)
{
    FeaturePoint local = {f->point, ut_mat3_zero()};
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
        ellipsoid_point(shape->size, d, &p, &local.H);
    } else {
        const double end = d.z < 0.0 ? -shape->size.y : shape->size.y;
        cylinder_point(shape->size.x, f->kind == FEATURE_SIDE ? 0.0 : end, d, &p, &local.H);
    }
    local.point = ut_frame_point(f->convex->at, p);
    local.H = ut_mat3_mul(ut_mat3_mul(R, local.H), ut_mat3_transpose(R));
    return local;
}

// ---- free directions ----------------------------------------------------------------------------

static bool has_direction(const Feature* f)
{
    return f->kind == FEATURE_LINE || f->kind == FEATURE_SIDE;
}

// Restrict n to the features.
// @return degrees of freedom of n, 0 ... 2; -1: the features contradict each other
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
        if (ut_vec3_norm(k) > PARALLEL_SINE && ut_vec3_normalize(k, &k)) {
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

typedef struct NewtonState {
    utVec3 n;
    utVec3 w;
    double g; ///< for the two features alone
    utMat3 H;
} NewtonState;

static NewtonState evaluate(const Feature* a, const Feature* b, utVec3 n)
{
    const FeaturePoint at_a = evaluate_feature(a, n), at_b = evaluate_feature(b, n);
    NewtonState s = {.n = n, .w = ut_vec3_sub(at_b.point, at_a.point)};
    s.g = ut_vec3_dot(n, s.w);
    s.H = ut_mat3_add(at_a.H, at_b.H);
    return s;
}

// The Newton step, or a gradient step where g is not concave.
static utVec3 newton_turn(const NewtonState* s, int freedom, const utVec3 T[2], double size)
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

// Turn n as far as g of the two features does not decrease. @return the angle; 0: no progress
static double advance(const Feature* a, const Feature* b, utVec3 turn, double size, NewtonState* s)
{
    double angle = ut_vec3_norm(turn);
    double scale = angle > MAX_ANGLE ? MAX_ANGLE / angle : 1.0;
    for (int half = 0; half < MAX_HALVINGS; half++) {
        utVec3 n;
        if (!ut_vec3_normalize(ut_vec3_add_scaled(s->n, scale, turn), &n)) {
            return 0.0;
        }
        const NewtonState next = evaluate(a, b, n);
        if (next.g >= s->g - UT_CORE_EPSILON * size) {
            *s = next;
            return scale * angle;
        }
        scale *= 0.5;
    }
    return 0.0;
}

static NewtonState newton_iterate(const Feature* a, const Feature* b, utVec3 n, utVec3 e,
                                  int freedom, double size)
{
    NewtonState s = evaluate(a, b, n);
    double last = HUGE_VAL;
    for (int step = 0; step < MAX_NEWTON_STEPS && freedom > 0; step++) {
        utVec3 T[2];
        free_directions(s.n, e, freedom, T);
        const double angle = advance(a, b, newton_turn(&s, freedom, T, size), size, &s);
        if (!(angle > ROUNDING_ANGLE) || (angle < SMALL_ANGLE && !(angle < 0.5 * last))) {
            break;
        }
        last = angle;
    }
    return s;
}

// ---- contact points -----------------------------------------------------------------------------

// Move the points a and b along their lines until b - a is parallel to n, within the ends of the
// lines: (b + tb eb) - (a + ta ea) has no component across n.
static void slide_along_lines(const Feature* feature_a, const Feature* feature_b, utVec3 n,
                              utVec3* a, utVec3* b)
{
    utVec3 rest = ut_vec3_sub(*b, *a);
    rest = ut_vec3_add_scaled(rest, -ut_vec3_dot(rest, n), n);
    double ta = 0.0, tb = 0.0;
    if (has_direction(feature_a) && has_direction(feature_b)) {
        const utVec3 ea = feature_a->direction, eb = feature_b->direction,
                     across = ut_vec3_cross(n, ea);
        const double cosine = ut_vec3_dot(ea, eb), sine = ut_vec3_dot(eb, across);
        const double x = ut_vec3_dot(rest, ea), y = ut_vec3_dot(rest, eb);
        if (fabs(sine) > VANISHING_SINE) {
            tb = ut_clamp(-ut_vec3_dot(rest, across) / sine, feature_b->low, feature_b->high);
            ta = ut_clamp(cosine * tb + x, feature_a->low, feature_a->high);
        } else {
            // parallel: the middle of the common stretch
            const double turn = cosine < 0.0 ? -1.0 : 1.0;
            const double low = x + (turn > 0.0 ? feature_b->low : -feature_b->high);
            const double high = x + (turn > 0.0 ? feature_b->high : -feature_b->low);
            ta = ut_clamp(0.5 * (fmax(low, feature_a->low) + fmin(high, feature_a->high)),
                          feature_a->low, feature_a->high);
        }
        tb = ut_clamp(cosine * ta - y, feature_b->low, feature_b->high);
        ta = ut_clamp(cosine * tb + x, feature_a->low, feature_a->high);
    } else if (has_direction(feature_a)) {
        ta = ut_clamp(ut_vec3_dot(rest, feature_a->direction), feature_a->low, feature_a->high);
    } else if (has_direction(feature_b)) {
        tb = ut_clamp(-ut_vec3_dot(rest, feature_b->direction), feature_b->low, feature_b->high);
    }
    *a = ut_vec3_add_scaled(*a, ta, feature_a->direction);
    *b = ut_vec3_add_scaled(*b, tb, feature_b->direction);
}

// Distance of a point outside of a box or cylinder; not needed for other shapes.
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

// The points of two features that face each other along n, as a simplex of one corner. Over a face
// they are the other feature's point and its projection. @return false when n does not determine
// them
static bool contact_points(const Feature* feature_a, const Feature* feature_b, utVec3 n,
                           double size, Simplex* at)
{
    Corner* corner = &at->corner[0];
    corner->a = evaluate_feature(feature_a, n).point;
    corner->b = evaluate_feature(feature_b, n).point;
    const bool face_a = feature_a->kind == FEATURE_FACE, face_b = feature_b->kind == FEATURE_FACE;
    if ((face_a && (face_b || has_direction(feature_b))) || (face_b && has_direction(feature_a))) {
        return false;
    }
    const double g = ut_vec3_dot(n, ut_vec3_sub(corner->b, corner->a));
    if (face_a) {
        corner->a = ut_vec3_add_scaled(corner->b, -g, n);
    } else if (face_b) {
        corner->b = ut_vec3_add_scaled(corner->a, g, n);
    } else {
        slide_along_lines(feature_a, feature_b, n, &corner->a, &corner->b);
    }
    at->count = 1;
    at->weight[0] = 1.0;
    at->v = corner->w = ut_vec3_sub(corner->b, corner->a);
    const double beyond = face_a   ? outside(feature_a->convex, corner->a)
                          : face_b ? outside(feature_b->convex, corner->b)
                                   : 0.0;
    return beyond <= UT_CORE_EPSILON * size;
}

// Keep the result if it is better: a larger bound, or an equal bound up to rounding with better
// aligned points. @return was it kept, and are the contact conditions fulfilled?
static bool keep_if_better(const ConvexPair* pair, const Feature* feature_a,
                           const Feature* feature_b, const NewtonState* s, const Simplex* near,
                           GapBounds* bounds)
{
    const double value = ut_vec3_dot(s->n, ut_difference_support(pair, s->n).w);
    GapBounds found = *bounds;
    found.lower = value;
    found.normal = s->n;
    Simplex at = *near;
    if (contact_points(feature_a, feature_b, s->n, pair->size, &at)) {
        found.simplex = at;
    }
    const double misalignment = ut_bounds_misalignment(&found),
                 known_misalignment = ut_bounds_misalignment(bounds);
    const double size = pair->size, rounding = UT_CORE_EPSILON * size;
    // rounding, or an alignment that makes the direction accurate to DIRECTION_ERROR
    const double allowed =
        fmin(fmax(2.0 * rounding, DIRECTION_ERROR * fabs(value)), UT_CORE_FLAT * size);
    const bool fulfilled = value >= s->g - 8.0 * rounding && misalignment <= allowed;
    // clearly worse alignment needs a larger bound; clearly better alignment justifies a slightly
    // smaller bound
    const bool worse = misalignment > known_misalignment && misalignment > POOR_ALIGNMENT * size;
    const bool much_better =
        misalignment < 0.1 * known_misalignment && known_misalignment > UT_CORE_MISALIGNED * size;
    const double gain = worse ? 4.0 * rounding : rounding;
    const double loss = !much_better                                ? rounding
                        : known_misalignment > BAD_ALIGNMENT * size ? LARGE_LOSS * size
                                                                    : SMALL_LOSS * size;
    const bool better =
        value > bounds->lower + gain ||
        (value >= bounds->lower - loss && (fulfilled || misalignment < known_misalignment));
    if (better) {
        const double distance = ut_vec3_norm(found.simplex.v);
        if (value > 0.0 && distance < found.upper) {
            found.upper = distance;
        }
        *bounds = found;
    }
    return better && fulfilled;
}

bool ut_newton_refine(const ConvexPair* pair, utVec3 n, const Simplex* at, bool all,
                      GapBounds* bounds)
{
    Feature a[MAX_FEATURES], b[MAX_FEATURES];
    const int as = find_features(pair->a, 1.0, n, at, all, a);
    const int bs = find_features(pair->b, -1.0, n, at, all, b);
    bool fulfilled_once = false;
    for (int i = 0; i < as * bs; i++) {
        const Feature* feature_a = &a[i / bs];
        const Feature* feature_b = &b[i % bs];
        utVec3 start = n, e = ut_vec3_zero();
        const int freedom = restrict_normal(feature_a, feature_b, &start, &e);
        if (freedom < 0) {
            continue;
        }
        const NewtonState s = newton_iterate(feature_a, feature_b, start, e, freedom, pair->size);
        fulfilled_once =
            keep_if_better(pair, feature_a, feature_b, &s, at, bounds) || fulfilled_once;
        // apart, g has one maximum; overlapping, a nearly closed bound leaves no much larger one
        const bool enough = bounds->upper - bounds->lower <= NEARLY_CLOSED * pair->size;
        if (fulfilled_once && (bounds->lower > 0.0 || (enough && as * bs > 4))) {
            break;
        }
    }
    return fulfilled_once;
}
