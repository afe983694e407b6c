// SPDX-License-Identifier: Apache-2.0
// Recomputes the rows of equalities from the matrices of both constraint frames.
//
// D = R1' R2 is the rotation of body2's constraint frame relative to body1's, and w the angular
// velocity of body2 relative to body1, both in body1's constraint frame. Then dD/dt = w x D (column
// by column), and entry ij changes at the rate e_i . (w x D_j) = w . (D_j x e_i). The distance of
// the origins is d = R1' (p2 - p1).
#include "certificate/internal.h"

// Components of an equality (utRow.component) beyond its constraint rows.
enum {
    COMPONENT_LOWER = 6,
    COMPONENT_UPPER = 7,
    COMPONENT_FRICTION = 8,
    COMPONENT_JOINT = 11,
    COMPONENT_ACTUATOR = 14
};

// Both constraint frames and their relative pose.
typedef struct Pair {
    const utModelEquality* equality;
    const utKinematics* kin;
    utFrame one, two; // world
    utMat3 D;
    utVec3 d;
} Pair;

// A row as the model and the state define it.
typedef struct Expected {
    bool exists;
    utRowKind kind;
    utVec3 linear, angular;
    utVec3 point1, point2;
    double gap;
    double low, high;
    double compliance;
    double b; // of compliant rows
} Expected;

static Pair frames_of(const Judge* judge, const utKinematics* kin, int i)
{
    const utModelEquality* equality = &judge->model->equality[i];
    Pair pair = {.equality = equality, .kin = kin};
    pair.one = ut_frame_mul(kin->body[equality->body1], equality->in1);
    pair.two = ut_frame_mul(kin->body[equality->body2], equality->in2);
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

// The gradient of D_ij with respect to w, in the world frame.
static utVec3 entry_gradient(const Pair* pair, int i, int j)
{
    return ut_mat3_mul_vec(pair->one.R, ut_vec3_cross(ut_mat3_column(pair->D, j), unit(i)));
}

static bool in_plane(const Judge* judge)
{
    return judge->model->options.planar != UT_PLANAR_NONE;
}

static int constraint_count(const Judge* judge, utEqualityKind kind)
{
    if (in_plane(judge)) {
        return kind == UT_EQUALITY_WELD ? 3 : 2;
    }
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
    x->angular = ut_vec3_scale(entry_gradient(pair, i, j), reach);
}

// A displacement along axis k of body1's frame, measured at the origin of body2's frame.
static void expect_along(const Pair* pair, int k, Expected* x)
{
    x->linear = ut_mat3_column(pair->one.R, k);
    x->point1 = pair->two.p;
    x->gap = entry(pair->d, k);
}

// Planar worlds: displacements along the plane's axes, or across a slide; rotations about the plane's
// normal, which is the y axis of a slide's frame.
static void expect_planar(const Judge* judge, const Pair* pair, int component, Expected* x)
{
    const utPlane plane = ut_plane(judge->model->options.planar);
    const bool slide = pair->equality->kind == UT_EQUALITY_SLIDE;
    if (slide && component == 0) {
        expect_along(pair, 0, x);
    } else if (component < 2 && !slide) {
        x->linear = component == 0 ? plane.x : plane.y;
        x->gap = ut_vec3_dot(x->linear, ut_vec3_sub(pair->two.p, pair->one.p));
    } else if (slide || plane.normal.y != 0.0) {
        expect_entry(pair, 0, 2, x);
    } else if (plane.normal.x != 0.0) {
        expect_entry(pair, 2, 1, x);
    } else {
        expect_entry(pair, 1, 0, x);
    }
}

static void expect_constraint(const Judge* judge, const Pair* pair, int component, Expected* x)
{
    const utEqualityKind kind = pair->equality->kind;
    const int points = kind == UT_EQUALITY_SLIDE ? 2 : 3;
    x->kind = UT_ROW_EQUALITY;
    x->low = -HUGE_VAL;
    x->high = HUGE_VAL;
    if (in_plane(judge)) {
        expect_planar(judge, pair, component, x);
    } else if (component < points && kind == UT_EQUALITY_SLIDE) {
        expect_along(pair, component, x);
    } else if (component < points) {
        x->linear = unit(component);
        x->gap = entry(pair->two.p, component) - entry(pair->one.p, component);
    } else if (kind == UT_EQUALITY_HINGE) {
        expect_entry(pair, component - points, 2, x);
    } else {
        static const int of_one[3] = {2, 0, 1};
        static const int of_two[3] = {1, 2, 0};
        const int k = (component - points) % 3;
        expect_entry(pair, of_one[k], of_two[k], x);
    }
}

// ---- the free coordinate ------------------------------------------------------------------------

static double length_of(const utModelEquality* equality)
{
    return equality->kind == UT_EQUALITY_SLIDE ? 1.0 : equality->reach;
}

// The coordinate that the equality leaves free. linear and angular of x receive its gradient.
// @return the coordinate, rad or m
static double expect_coordinate(const Pair* pair, Expected* x)
{
    const utModelEquality* equality = pair->equality;
    if (equality->kind == UT_EQUALITY_SLIDE) {
        expect_along(pair, 2, x);
        return x->gap + equality->ref;
    }
    if (equality->kind == UT_EQUALITY_BALL) {
        const utQuat one = ut_quat_mul(pair->kin->quat[equality->body1], equality->quat1);
        const utQuat two = ut_quat_mul(pair->kin->quat[equality->body2], equality->quat2);
        const utVec3 turn = ut_quat_log(ut_quat_mul(ut_quat_conjugate(one), two));
        const double angle = ut_vec3_norm(turn);
        x->angular = ut_mat3_mul_vec(pair->one.R, ut_vec3_scale(turn, 1.0 / angle));
        return angle;
    }
    // tan q = S / C
    const double S = pair->D.m[1][0] - pair->D.m[0][1];
    const double C = pair->D.m[0][0] + pair->D.m[1][1];
    const utVec3 dS = ut_vec3_sub(entry_gradient(pair, 1, 0), entry_gradient(pair, 0, 1));
    const utVec3 dC = ut_vec3_add(entry_gradient(pair, 0, 0), entry_gradient(pair, 1, 1));
    const utVec3 rate = ut_vec3_sub(ut_vec3_scale(dS, C), ut_vec3_scale(dC, S));
    x->angular = ut_vec3_scale(rate, 1.0 / (S * S + C * C));
    return ut_atan2(S, C) + equality->ref;
}

static void expect_limit(const Pair* pair, bool lower, Expected* x)
{
    const utModelEquality* equality = pair->equality;
    const double length = length_of(equality);
    const double q = expect_coordinate(pair, x);
    const double sign = lower ? length : -length;
    x->exists = equality->limited && !(lower && equality->kind == UT_EQUALITY_BALL);
    x->kind = equality->kind == UT_EQUALITY_BALL ? UT_ROW_BALL
              : lower                            ? UT_ROW_LOWER
                                                 : UT_ROW_UPPER;
    x->gap = sign * (q - equality->range[lower ? 0 : 1]);
    x->linear = ut_vec3_scale(x->linear, sign);
    x->angular = ut_vec3_scale(x->angular, sign);
    x->low = 0.0;
    x->high = HUGE_VAL;
}

// A row of the k-th free coordinate, scaled to m/s. For a ball it is the angular velocity about axis
// k of body2. @return the coordinate, rad or m
static double expect_axis(const Pair* pair, int k, Expected* x)
{
    const utModelEquality* equality = pair->equality;
    double q;
    if (equality->kind == UT_EQUALITY_BALL) {
        // the rotation vector, in the frame of body2
        const utQuat one = ut_quat_mul(pair->kin->quat[equality->body1], equality->quat1);
        const utQuat two = ut_quat_mul(pair->kin->quat[equality->body2], equality->quat2);
        const utVec3 turn = ut_quat_log(ut_quat_mul(ut_quat_conjugate(one), two));
        q = entry(ut_quat_rotate(equality->quat2, turn), k);
        x->angular = ut_mat3_column(pair->kin->body[equality->body2].R, k);
    } else {
        q = expect_coordinate(pair, x);
    }
    x->gap = 0.0;
    x->linear = ut_vec3_scale(x->linear, length_of(equality));
    x->angular = ut_vec3_scale(x->angular, length_of(equality));
    return q;
}

// Number of coordinates that an equality leaves free.
static int free_coordinates(utEqualityKind kind)
{
    return kind == UT_EQUALITY_BALL                                  ? 3
           : kind == UT_EQUALITY_CONNECT || kind == UT_EQUALITY_WELD ? 0
                                                                     : 1;
}

static void expect_friction(const Judge* judge, const Pair* pair, int axis, Expected* x)
{
    const double bound =
        judge->report->h * pair->equality->frictionloss / length_of(pair->equality);
    expect_axis(pair, axis, x);
    x->exists = bound > 0.0;
    x->kind = UT_ROW_FRICTION;
    x->low = -bound;
    x->high = bound;
}

// ---- springs, dampers, armature, actuators ------------------------------------------------------

// The velocity of a row under joint velocities v, mocap bodies moving.
static double row_velocity(const Judge* judge, const Pair* pair, const Expected* x, const double* v)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? pair->equality->body1 : pair->equality->body2;
        const utVec3 point = side == 0 ? x->point1 : x->point2;
        utMotion t = {ut_vec3_zero(), ut_vec3_zero()};
        utVec3 origin = ut_vec3_zero();
        if (model->body[body].tree >= 0) {
            origin = pair->kin->origin[model->body[body].tree];
            for (int k = model->body[body].last_dof; k >= 0; k = model->dof_parent[k]) {
                t = ut_motion_add(t, ut_motion_scale(pair->kin->axis[k], v[k]));
            }
        } else {
            while (body > 0 && model->body[body].mocap < 0) {
                body = model->body[body].parent;
            }
            if (body > 0 && report->mocap_velocity != NULL) {
                origin = pair->kin->body[body].p;
                t = report->mocap_velocity[model->body[body].mocap];
            }
        }
        const utVec3 at =
            ut_vec3_add(t.linear, ut_vec3_cross(t.angular, ut_vec3_sub(point, origin)));
        sum += (side == 0 ? -1.0 : 1.0) *
               (ut_vec3_dot(x->linear, at) + ut_vec3_dot(x->angular, t.angular));
    }
    return sum;
}

// r = -h K (q + h u - q0) - h D u - A (u - u0)
static void expect_joint(const Judge* judge, const Pair* pair, int axis, Expected* x)
{
    const utModelEquality* equality = pair->equality;
    const double h = judge->report->h, length = length_of(equality);
    const double implicit = judge->traits.explicit_forces ? 0.0 : 1.0;
    const double S =
        equality->armature + implicit * h * (equality->damping + h * equality->stiffness);
    const double q = expect_axis(pair, axis, x);
    const double rest = equality->kind == UT_EQUALITY_BALL ? 0.0 : equality->springref;
    const double pull = implicit * length * h * equality->stiffness * (q - rest);
    x->exists = S > 0.0;
    x->kind = UT_ROW_JOINT;
    x->low = -HUGE_VAL;
    x->high = HUGE_VAL;
    x->compliance = length * length / S;
    x->b = (pull - equality->armature * row_velocity(judge, pair, x, judge->v)) / S;
}

// r = h gear (kp (ctrl - gear (q + h u)) - kv gear u), within its bounds
static void expect_actuator(const Judge* judge, const Pair* pair, int a, Expected* x)
{
    const utModelActuator* actuator = &judge->model->actuator[a];
    const double h = judge->report->h, length = length_of(pair->equality), g = actuator->gear;
    const double S = h * g * g * (actuator->kv + h * actuator->kp);
    const double q = expect_axis(pair, 0, x);
    const double ctrl = judge->report->ctrl != NULL ? judge->report->ctrl[a] : 0.0;
    x->exists = !judge->traits.explicit_forces && S > 0.0 &&
                actuator->kind == UT_ACTUATOR_POSITION &&
                &judge->model->equality[actuator->equality] == pair->equality;
    x->kind = UT_ROW_ACTUATOR;
    x->compliance = length * length / S;
    x->b = -length * h * g * actuator->kp * (ctrl - g * q) / S;
    x->low = -HUGE_VAL;
    x->high = HUGE_VAL;
    if (actuator->force_limited) {
        const double one = h * g * actuator->force_range[0] / length;
        const double two = h * g * actuator->force_range[1] / length;
        x->low = one < two ? one : two;
        x->high = one < two ? two : one;
    }
}

// ---- comparing ----------------------------------------------------------------------------------

static Expected expect(const Judge* judge, const utRow* row)
{
    const int c = row->component;
    if (row->equality < 0 || row->equality >= judge->model->nequality || c < 0) {
        return (Expected){.exists = false};
    }
    // constraints and limits at the configuration of the contacts, other rows at the step's start
    const bool with_contacts = c < COMPONENT_FRICTION;
    const Pair pair =
        frames_of(judge, with_contacts ? &judge->kin_contact : &judge->kin_start, row->equality);
    const int count = free_coordinates(pair.equality->kind);
    Expected x = {.exists = true, .point1 = pair.one.p, .point2 = pair.two.p};
    if (c < constraint_count(judge, pair.equality->kind)) {
        expect_constraint(judge, &pair, c, &x);
    } else if (count > 0 && (c == COMPONENT_LOWER || c == COMPONENT_UPPER)) {
        expect_limit(&pair, c == COMPONENT_LOWER, &x);
    } else if (c >= COMPONENT_FRICTION && c < COMPONENT_FRICTION + count) {
        expect_friction(judge, &pair, c - COMPONENT_FRICTION, &x);
    } else if (c >= COMPONENT_JOINT && c < COMPONENT_JOINT + count) {
        expect_joint(judge, &pair, c - COMPONENT_JOINT, &x);
    } else if (count > 0 && c >= COMPONENT_ACTUATOR &&
               c - COMPONENT_ACTUATOR < judge->model->nactuator) {
        expect_actuator(judge, &pair, c - COMPONENT_ACTUATOR, &x);
    } else {
        x.exists = false;
    }
    x.exists = x.exists && pair.equality->active;
    return x;
}

static bool same(utVec3 a, utVec3 b, double size)
{
    return ut_vec3_norm(ut_vec3_sub(a, b)) <= SAME_TERMS * size;
}

static bool same_bound(double a, double b)
{
    // an infinite bound equals only itself
    return a == b || (isfinite(a - b) && fabs(a - b) <= SAME_TERMS * (fabs(a) + fabs(b)));
}

bool ut_certify_equality_row(const Judge* judge, const utRow* row)
{
    const Expected x = expect(judge, row);
    if (!x.exists) {
        return false;
    }
    const utModelEquality* equality = &judge->model->equality[row->equality];
    const double size = ut_vec3_norm(x.point1) + ut_vec3_norm(x.point2) + equality->reach;
    return row->kind == x.kind && row->body1 == equality->body1 && row->body2 == equality->body2 &&
           same_bound(row->compliance, x.compliance) && same(row->linear, x.linear, 1.0) &&
           same(row->angular, x.angular, equality->reach) && same(row->point1, x.point1, size) &&
           same(row->point2, x.point2, size) && fabs(row->gap - x.gap) <= SAME_GAP &&
           same_bound(row->low, x.low) && same_bound(row->high, x.high);
}

double ut_certify_equality_b(const Judge* judge, const utRow* row)
{
    const Expected x = expect(judge, row);
    const bool limit = x.kind <= UT_ROW_BALL;
    const bool relinearized =
        judge->report->v_ahead != NULL && (limit || x.kind == UT_ROW_EQUALITY);
    const bool has_gap =
        (x.kind == UT_ROW_EQUALITY && !judge->traits.projects) ||
        (limit && !judge->report->instant && (x.gap > 0.0 || judge->traits.gap == UT_GAP_SIGNED));
    return !x.exists ? (double)NAN
                     : x.b + (relinearized || has_gap ? x.gap / judge->report->h : 0.0);
}

// ---- completeness -------------------------------------------------------------------------------

static int next_equality_row(const utStepReport* report, int j)
{
    while (j < report->rows && report->row[j].kind != UT_ROW_EQUALITY) {
        j++;
    }
    return j;
}

// Is every compliant row of an equality (spring, damper, armature, actuator) present once? Rows are in
// ascending order, so a count is enough.
static bool has_compliant_rows(const Judge* judge)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    int needed = 0;
    for (int i = 0; i < model->nequality; i++) {
        for (int k = 0; k < free_coordinates(model->equality[i].kind); k++) {
            const utRow row = {.equality = i, .component = COMPONENT_JOINT + k};
            needed += expect(judge, &row).exists;
        }
    }
    for (int a = 0; a < model->nactuator; a++) {
        const utRow row = {.equality = model->actuator[a].equality,
                           .component = COMPONENT_ACTUATOR + a};
        needed += expect(judge, &row).exists;
    }
    const utRow* last[2] = {NULL, NULL};
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        if (row->dof >= 0 || (row->kind != UT_ROW_JOINT && row->kind != UT_ROW_ACTUATOR)) {
            continue;
        }
        const utRow** before = &last[row->kind == UT_ROW_JOINT ? 0 : 1];
        const bool ascends = *before == NULL ||
                             (row->kind == UT_ROW_JOINT && row->equality > (*before)->equality) ||
                             row->component > (*before)->component;
        if (!ascends) {
            return false;
        }
        *before = row;
        needed--;
    }
    return needed == 0;
}

bool ut_certify_equalities(const Judge* judge)
{
    const utStepReport* report = judge->report;
    int j = next_equality_row(report, 0);
    for (int i = 0; i < judge->model->nequality; i++) {
        const utModelEquality* equality = &judge->model->equality[i];
        const int count = equality->active ? constraint_count(judge, equality->kind) : 0;
        for (int k = 0; k < count; k++) {
            if (j >= report->rows || report->row[j].equality != i ||
                report->row[j].component != k) {
                return false;
            }
            j = next_equality_row(report, j + 1);
        }
    }
    return j == report->rows && has_compliant_rows(judge);
}

// ---- forces -------------------------------------------------------------------------------------

// Add a force along the free coordinate of a hinge or slide, or about an axis of a ball.
static void add_coordinate_force(Judge* judge, const Pair* pair, const Expected* x, double force)
{
    const double length = length_of(pair->equality);
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? pair->equality->body1 : pair->equality->body2;
        const double signed_force = (side == 0 ? -force : force) / length;
        const utVec3 f = ut_vec3_scale(x->linear, signed_force);
        const utVec3 arm = ut_vec3_sub(x->point2, judge->kin_start.com[body]);
        const utVec3 torque = ut_vec3_add_scaled(ut_vec3_cross(arm, f), signed_force, x->angular);
        judge->motion.body_force[body] =
            ut_force_add(judge->motion.body_force[body], ut_force(f, torque));
    }
}

// Does an actuator on an equality act as a force? @param pull receives the force, N m or N
static bool acts_as_force(const Judge* judge, int a, Pair* pair, Expected* x, double* pull)
{
    const utModel* model = judge->model;
    const utModelActuator* actuator = &model->actuator[a];
    const bool motor = actuator->kind == UT_ACTUATOR_MOTOR;
    if (actuator->equality < 0 || !model->equality[actuator->equality].active ||
        !(motor || judge->traits.explicit_forces)) {
        return false;
    }
    *pair = frames_of(judge, &judge->kin_start, actuator->equality);
    *x = (Expected){.point1 = pair->one.p, .point2 = pair->two.p};
    const double q = expect_axis(pair, 0, x);
    const double rate = row_velocity(judge, pair, x, judge->v) / length_of(pair->equality);
    double force = judge->report->ctrl != NULL ? judge->report->ctrl[a] : 0.0;
    if (!motor) {
        force = actuator->kp * (force - actuator->gear * q) - actuator->kv * actuator->gear * rate;
    }
    if (actuator->force_limited) {
        force = fmin(fmax(force, actuator->force_range[0]), actuator->force_range[1]);
    }
    *pull = actuator->gear * force;
    return true;
}

static double mean_velocity(const Judge* judge, const Pair* pair, const Expected* x)
{
    return 0.5 *
           (row_velocity(judge, pair, x, judge->v) + row_velocity(judge, pair, x, judge->v_next));
}

void ut_certify_equality_forces(Judge* judge)
{
    const utModel* model = judge->model;
    const bool explicit_forces = judge->traits.explicit_forces;
    for (int i = 0; explicit_forces && i < model->nequality; i++) {
        const Pair pair = frames_of(judge, &judge->kin_start, i);
        const utModelEquality* e = pair.equality;
        for (int k = 0; e->active && k < free_coordinates(e->kind); k++) {
            Expected x = {.point1 = pair.one.p, .point2 = pair.two.p};
            const double rest = e->kind == UT_EQUALITY_BALL ? 0.0 : e->springref;
            const double stretch = expect_axis(&pair, k, &x) - rest;
            const double rate = row_velocity(judge, &pair, &x, judge->v) / length_of(e);
            add_coordinate_force(judge, &pair, &x, -e->stiffness * stretch - e->damping * rate);
        }
    }
    for (int a = 0; a < model->nactuator; a++) {
        Pair pair;
        Expected x;
        double pull;
        if (acts_as_force(judge, a, &pair, &x, &pull)) {
            add_coordinate_force(judge, &pair, &x, pull);
        }
    }
}

double ut_certify_equality_work(const Judge* judge)
{
    const utStepReport* report = judge->report;
    double work = 0.0;
    for (int a = 0; a < judge->model->nactuator; a++) {
        Pair pair;
        Expected x;
        double pull;
        if (acts_as_force(judge, a, &pair, &x, &pull)) {
            work += report->h * pull / length_of(pair.equality) * mean_velocity(judge, &pair, &x);
        }
    }
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        const Expected x = row->kind == UT_ROW_ACTUATOR && row->dof < 0
                               ? expect(judge, row)
                               : (Expected){.exists = false};
        if (x.exists) {
            const Pair pair = frames_of(judge, &judge->kin_start, row->equality);
            work += row->r * mean_velocity(judge, &pair, &x);
        }
    }
    return work;
}
