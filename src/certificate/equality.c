// Rows of equalities made anew: from the matrices of both constraint frames, whose columns say what
// is off and how that changes.
//
// With D = R1' R2, the turn of body2's constraint frame in body1's, and w the angular velocity of
// body2 less that of body1 in body1's constraint frame, D' = w x D (column by column): entry ij
// changes at the rate w . (e_i turned as e_i . (w x D_j) = w . (D_j x e_i)). Points are taken apart
// likewise, d = R1' (p2 - p1).
#include "internal.h"

enum { COMPONENT_LOWER = 6, COMPONENT_UPPER = 7, COMPONENT_FRICTION = 8 };

static const double AGREES = 1e-11;  // of the sizes that went in: some roundings of them
static const double SAME_GAP = 1e-9; // m

// Both frames, and one seen from the other.
typedef struct Pair {
    const utModelEquality* equality;
    utFrame one, two; // world
    utMat3 D;
    utVec3 d;
} Pair;

// What a row should be.
typedef struct Expected {
    bool known;
    utRowKind kind;
    utVec3 linear, angular;
    utVec3 point1, point2;
    double gap;
    double low, high;
} Expected;

static Pair see(const Judge* judge, int i)
{
    const utModelEquality* equality = &judge->model->equality[i];
    Pair pair = {.equality = equality};
    pair.one = ut_frame_mul(judge->touch.body[equality->body1], equality->in1);
    pair.two = ut_frame_mul(judge->touch.body[equality->body2], equality->in2);
    pair.D = ut_mat3_mul(ut_mat3_transpose(pair.one.R), pair.two.R);
    pair.d = ut_mat3_tmul_vec(pair.one.R, ut_vec3_sub(pair.two.p, pair.one.p));
    return pair;
}

static double entry(utVec3 x, int k)
{
    return k == 0 ? x.x : k == 1 ? x.y : x.z;
}

static utVec3 unit(int k)
{
    return ut_vec3(k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0);
}

// The gradient of D_ij, in the world.
static utVec3 turn_of_entry(const Pair* pair, int i, int j)
{
    return ut_mat3_mul_vec(pair->one.R, ut_vec3_cross(ut_mat3_column(pair->D, j), unit(i)));
}

static int constraint_count(utEqualityKind kind)
{
    static const int counts[UT_EQUALITY_KIND_COUNT] = {
        [UT_EQUALITY_CONNECT] = 3, [UT_EQUALITY_WELD] = 6,  [UT_EQUALITY_BALL] = 3,
        [UT_EQUALITY_HINGE] = 5,   [UT_EQUALITY_SLIDE] = 5,
    };
    return counts[kind];
}

// ---- the constraint -----------------------------------------------------------------------------

static void expect_entry(const Pair* pair, int i, int j, Expected* x)
{
    const double reach = pair->equality->reach;
    x->gap = reach * pair->D.m[i][j];
    x->angular = ut_vec3_scale(turn_of_entry(pair, i, j), reach);
}

// body1's point is the one that is now where body2's is
static void expect_along(const Pair* pair, int k, Expected* x)
{
    x->linear = ut_mat3_column(pair->one.R, k);
    x->point1 = pair->two.p;
    x->gap = entry(pair->d, k);
}

static void expect_constraint(const Pair* pair, int component, Expected* x)
{
    const utEqualityKind kind = pair->equality->kind;
    const int points = kind == UT_EQUALITY_SLIDE ? 2 : 3;
    x->kind = UT_ROW_EQUALITY;
    x->low = -HUGE_VAL;
    x->high = HUGE_VAL;
    if (component < points && kind == UT_EQUALITY_SLIDE) {
        expect_along(pair, component, x);
    } else if (component < points) {
        x->linear = unit(component);
        x->gap = entry(pair->two.p, component) - entry(pair->one.p, component);
    } else if (kind == UT_EQUALITY_HINGE) {
        expect_entry(pair, component - points, 2, x);
    } else {
        static const int of_one[3] = {2, 0, 1};
        static const int of_two[3] = {1, 2, 0};
        expect_entry(pair, of_one[component - points], of_two[component - points], x);
    }
}

// ---- its coordinate -----------------------------------------------------------------------------

static double length_of(const utModelEquality* equality)
{
    return equality->kind == UT_EQUALITY_SLIDE ? 1.0 : equality->reach;
}

// @return the coordinate, rad or m; linear and angular of x receive its gradient
static double expect_coordinate(const Judge* judge, const Pair* pair, Expected* x)
{
    const utModelEquality* equality = pair->equality;
    if (equality->kind == UT_EQUALITY_SLIDE) {
        expect_along(pair, 2, x);
        return x->gap + equality->ref;
    }
    if (equality->kind == UT_EQUALITY_BALL) {
        const utQuat one = ut_quat_mul(judge->touch.quat[equality->body1], equality->quat1);
        const utQuat two = ut_quat_mul(judge->touch.quat[equality->body2], equality->quat2);
        const utVec3 turn = ut_quat_log(ut_quat_mul(ut_quat_conjugate(one), two));
        const double angle = ut_vec3_norm(turn);
        x->angular = ut_mat3_mul_vec(pair->one.R, ut_vec3_scale(turn, 1.0 / angle));
        return angle;
    }
    // tan q = S / C
    const double S = pair->D.m[1][0] - pair->D.m[0][1];
    const double C = pair->D.m[0][0] + pair->D.m[1][1];
    const utVec3 dS = ut_vec3_sub(turn_of_entry(pair, 1, 0), turn_of_entry(pair, 0, 1));
    const utVec3 dC = ut_vec3_add(turn_of_entry(pair, 0, 0), turn_of_entry(pair, 1, 1));
    const utVec3 rate = ut_vec3_sub(ut_vec3_scale(dS, C), ut_vec3_scale(dC, S));
    x->angular = ut_vec3_scale(rate, 1.0 / (S * S + C * C));
    return ut_atan2(S, C) + equality->ref;
}

static void expect_limit(const Judge* judge, const Pair* pair, bool lower, Expected* x)
{
    const utModelEquality* equality = pair->equality;
    const double length = length_of(equality);
    const double q = expect_coordinate(judge, pair, x);
    const double sign = lower ? length : -length;
    x->known = equality->limited && !(lower && equality->kind == UT_EQUALITY_BALL);
    x->kind = equality->kind == UT_EQUALITY_BALL ? UT_ROW_BALL
              : lower                            ? UT_ROW_LOWER
                                                 : UT_ROW_UPPER;
    x->gap = sign * (q - equality->range[lower ? 0 : 1]);
    x->linear = ut_vec3_scale(x->linear, sign);
    x->angular = ut_vec3_scale(x->angular, sign);
    x->low = 0.0;
    x->high = HUGE_VAL;
}

static void expect_friction(const Judge* judge, const Pair* pair, int axis, Expected* x)
{
    const utModelEquality* equality = pair->equality;
    const double length = length_of(equality);
    const double most = judge->report->h * equality->frictionloss / length;
    const bool ball = equality->kind == UT_EQUALITY_BALL;
    if (ball) {
        x->angular = ut_mat3_column(judge->touch.body[equality->body2].R, axis);
    } else {
        expect_coordinate(judge, pair, x);
    }
    x->known = most > 0.0 && axis < (ball ? 3 : 1);
    x->kind = UT_ROW_FRICTION;
    x->linear = ut_vec3_scale(x->linear, length);
    x->angular = ut_vec3_scale(x->angular, length);
    x->gap = 0.0;
    x->low = -most;
    x->high = most;
}

// ---- comparing ----------------------------------------------------------------------------------

static Expected expect(const Judge* judge, const utRow* row)
{
    if (row->equality < 0 || row->equality >= judge->model->nequality || row->component < 0) {
        return (Expected){.known = false};
    }
    const Pair pair = see(judge, row->equality);
    const utEqualityKind kind = pair.equality->kind;
    Expected x = {.known = pair.equality->active, .point1 = pair.one.p, .point2 = pair.two.p};
    if (row->component < constraint_count(kind)) {
        expect_constraint(&pair, row->component, &x);
        return x;
    }
    const bool active = x.known;
    x.known = false;
    if (kind == UT_EQUALITY_CONNECT || kind == UT_EQUALITY_WELD) {
        return x;
    }
    if (row->component == COMPONENT_LOWER || row->component == COMPONENT_UPPER) {
        expect_limit(judge, &pair, row->component == COMPONENT_LOWER, &x);
    } else if (row->component >= COMPONENT_FRICTION) {
        expect_friction(judge, &pair, row->component - COMPONENT_FRICTION, &x);
    }
    x.known = x.known && active;
    return x;
}

static bool same(utVec3 a, utVec3 b, double size)
{
    return ut_vec3_norm(ut_vec3_sub(a, b)) <= AGREES * size;
}

static bool same_bound(double a, double b)
{
    // an infinite bound agrees with itself alone
    return a == b || (isfinite(a - b) && fabs(a - b) <= AGREES * (fabs(a) + fabs(b)));
}

bool ut_certify_equality_row(const Judge* judge, const utRow* row)
{
    const Expected x = expect(judge, row);
    if (!x.known) {
        return false;
    }
    const utModelEquality* equality = &judge->model->equality[row->equality];
    const double place = ut_vec3_norm(x.point1) + ut_vec3_norm(x.point2) + equality->reach;
    return row->kind == x.kind && row->body1 == equality->body1 && row->body2 == equality->body2 &&
           row->compliance == 0.0 && same(row->linear, x.linear, 1.0) &&
           same(row->angular, x.angular, equality->reach) && same(row->point1, x.point1, place) &&
           same(row->point2, x.point2, place) && fabs(row->gap - x.gap) <= SAME_GAP &&
           same_bound(row->low, x.low) && same_bound(row->high, x.high);
}

double ut_certify_equality_b(const Judge* judge, const utRow* row)
{
    const Expected x = expect(judge, row);
    const bool ahead = judge->report->v_ahead != NULL && x.kind != UT_ROW_FRICTION;
    const bool counts = x.kind == UT_ROW_EQUALITY ? judge->formulation.joint_gaps
                                                  : x.gap > 0.0 || judge->formulation.signed_gap;
    return !x.known ? (double)NAN : ahead || counts ? x.gap / judge->report->h : 0.0;
}

// ---- all of them --------------------------------------------------------------------------------

static int next_equality_row(const utStepReport* report, int j)
{
    while (j < report->rows && report->row[j].kind != UT_ROW_EQUALITY) {
        j++;
    }
    return j;
}

// Which rows an equality has: in a planar world those that say something about the plane.
static bool has_component(const Judge* judge, int i, int component)
{
    const utPlanar planar = judge->model->options.planar;
    if (planar == UT_PLANAR_NONE) {
        return true;
    }
    const Pair pair = see(judge, i);
    const utVec3 normal = ut_plane(planar).normal;
    Expected x = {.known = true, .point1 = pair.one.p, .point2 = pair.two.p};
    expect_constraint(&pair, component, &x);
    if (ut_vec3_dot(x.linear, x.linear) > 0.0) {
        return fabs(ut_vec3_dot(x.linear, normal)) < 0.5;
    }
    return fabs(ut_vec3_dot(x.angular, normal)) > 0.5 * ut_vec3_norm(x.angular);
}

bool ut_certify_equalities(const Judge* judge)
{
    const utStepReport* report = judge->report;
    int j = next_equality_row(report, 0);
    for (int i = 0; i < judge->model->nequality; i++) {
        const utModelEquality* equality = &judge->model->equality[i];
        const int count = equality->active ? constraint_count(equality->kind) : 0;
        for (int k = 0; k < count; k++) {
            if (!has_component(judge, i, k)) {
                continue;
            }
            if (j >= report->rows || report->row[j].equality != i ||
                report->row[j].component != k) {
                return false;
            }
            j = next_equality_row(report, j + 1);
        }
    }
    return j == report->rows;
}
