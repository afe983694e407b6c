// SPDX-License-Identifier: Apache-2.0
// Recomputes the rows of equalities from the matrices of both constraint frames.
//
// D = R1' R2 is the rotation of body2's constraint frame relative to body1's, and w the angular
// velocity of body2 relative to body1, both in body1's constraint frame. Then dD/dt = w x D (column
// by column), and entry ij changes at the rate e_i . (w x D_j) = w . (D_j x e_i). The distance of
// the origins is d = R1' (p2 - p1).
#include "equality.h"

EqualityFrames ut_certify_equality_frames(const Judge* judge, const utKinematics* kin, int i)
{
    const utModelEquality* equality = &judge->model->equality[i];
    EqualityFrames frames = {.equality = equality, .kin = kin};
    frames.one = ut_frame_mul(kin->body[equality->body1], equality->in1);
    frames.two = ut_frame_mul(kin->body[equality->body2], equality->in2);
    frames.D = ut_mat3_mul(ut_mat3_transpose(frames.one.R), frames.two.R);
    frames.d = ut_mat3_tmul_vec(frames.one.R, ut_vec3_sub(frames.two.p, frames.one.p));
    return frames;
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
static utVec3 entry_gradient(const EqualityFrames* frames, int i, int j)
{
    return ut_mat3_mul_vec(frames->one.R, ut_vec3_cross(ut_mat3_column(frames->D, j), unit(i)));
}

static bool in_plane(const Judge* judge)
{
    return judge->model->options.planar != UT_PLANAR_NONE;
}

int ut_certify_constraint_count(const Judge* judge, utEqualityKind kind)
{
    if (ut_equality_is_coupling(kind)) {
        return 0; // its row has terms
    }
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

static void expect_entry(const EqualityFrames* frames, int i, int j, EqualityRow* x)
{
    const double reach = frames->equality->reach;
    x->gap = reach * frames->D.m[i][j];
    x->angular = ut_vec3_scale(entry_gradient(frames, i, j), reach);
}

// A displacement along axis k of body1's frame, measured at the origin of body2's frame.
static void expect_along(const EqualityFrames* frames, int k, EqualityRow* x)
{
    x->linear = ut_mat3_column(frames->one.R, k);
    x->point1 = frames->two.p;
    x->gap = entry(frames->d, k);
}

// Planar worlds: displacements along the plane's axes, or across a slide; rotations about the
// plane's normal, which is the y axis of a slide's frame.
static void expect_planar(const Judge* judge, const EqualityFrames* frames, int component,
                          EqualityRow* x)
{
    const utPlane plane = ut_plane(judge->model->options.planar);
    const bool slide = frames->equality->kind == UT_EQUALITY_SLIDE;
    if (slide && component == 0) {
        expect_along(frames, 0, x);
    } else if (component < 2 && !slide) {
        x->linear = component == 0 ? plane.x : plane.y;
        x->gap = ut_vec3_dot(x->linear, ut_vec3_sub(frames->two.p, frames->one.p));
    } else if (slide || plane.normal.y != 0.0) {
        expect_entry(frames, 0, 2, x);
    } else if (plane.normal.x != 0.0) {
        expect_entry(frames, 2, 1, x);
    } else {
        expect_entry(frames, 1, 0, x);
    }
}

static void expect_constraint(const Judge* judge, const EqualityFrames* frames, int component,
                              EqualityRow* x)
{
    const utEqualityKind kind = frames->equality->kind;
    const int points = kind == UT_EQUALITY_SLIDE ? 2 : 3;
    x->kind = UT_ROW_EQUALITY;
    x->low = -HUGE_VAL;
    x->high = HUGE_VAL;
    if (in_plane(judge)) {
        expect_planar(judge, frames, component, x);
    } else if (component < points && kind == UT_EQUALITY_SLIDE) {
        expect_along(frames, component, x);
    } else if (component < points) {
        x->linear = unit(component);
        x->gap = entry(frames->two.p, component) - entry(frames->one.p, component);
    } else if (kind == UT_EQUALITY_HINGE) {
        expect_entry(frames, component - points, 2, x);
    } else {
        static const int of_one[3] = {2, 0, 1};
        static const int of_two[3] = {1, 2, 0};
        const int k = (component - points) % 3;
        expect_entry(frames, of_one[k], of_two[k], x);
    }
}

// ---- the free coordinate ------------------------------------------------------------------------

// The coordinate that the equality leaves free. linear and angular of x receive its gradient.
// @return the coordinate, rad or m
static double expect_coordinate(const EqualityFrames* frames, EqualityRow* x)
{
    const utModelEquality* equality = frames->equality;
    if (equality->kind == UT_EQUALITY_SLIDE) {
        expect_along(frames, 2, x);
        return x->gap + equality->ref;
    }
    if (equality->kind == UT_EQUALITY_BALL) {
        const utQuat one = ut_quat_mul(frames->kin->quat[equality->body1], equality->quat1);
        const utQuat two = ut_quat_mul(frames->kin->quat[equality->body2], equality->quat2);
        const utVec3 turn = ut_quat_log(ut_quat_mul(ut_quat_conjugate(one), two));
        const double angle = ut_vec3_norm(turn);
        x->angular = ut_mat3_mul_vec(frames->one.R, ut_vec3_scale(turn, 1.0 / angle));
        return angle;
    }
    // tan q = S / C
    const double S = frames->D.m[1][0] - frames->D.m[0][1];
    const double C = frames->D.m[0][0] + frames->D.m[1][1];
    const utVec3 dS = ut_vec3_sub(entry_gradient(frames, 1, 0), entry_gradient(frames, 0, 1));
    const utVec3 dC = ut_vec3_add(entry_gradient(frames, 0, 0), entry_gradient(frames, 1, 1));
    const utVec3 rate = ut_vec3_sub(ut_vec3_scale(dS, C), ut_vec3_scale(dC, S));
    x->angular = ut_vec3_scale(rate, 1.0 / (S * S + C * C));
    return ut_atan2(S, C) + equality->ref;
}

static void expect_limit(const EqualityFrames* frames, bool lower, EqualityRow* x)
{
    const utModelEquality* equality = frames->equality;
    const double length = length_of(equality);
    const double q = expect_coordinate(frames, x);
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

double ut_certify_equality_axis(const EqualityFrames* frames, int k, EqualityRow* x)
{
    const utModelEquality* equality = frames->equality;
    double q;
    if (equality->kind == UT_EQUALITY_BALL) {
        // the rotation vector, in the frame of body2
        const utQuat one = ut_quat_mul(frames->kin->quat[equality->body1], equality->quat1);
        const utQuat two = ut_quat_mul(frames->kin->quat[equality->body2], equality->quat2);
        const utVec3 turn = ut_quat_log(ut_quat_mul(ut_quat_conjugate(one), two));
        q = entry(ut_quat_rotate(equality->quat2, turn), k);
        x->angular = ut_mat3_column(frames->kin->body[equality->body2].R, k);
    } else {
        q = expect_coordinate(frames, x);
    }
    x->gap = 0.0;
    x->linear = ut_vec3_scale(x->linear, length_of(equality));
    x->angular = ut_vec3_scale(x->angular, length_of(equality));
    return q;
}

static void expect_friction(const Judge* judge, const EqualityFrames* frames, int axis,
                            EqualityRow* x)
{
    const double bound =
        judge->report->h * frames->equality->frictionloss / length_of(frames->equality);
    ut_certify_equality_axis(frames, axis, x);
    x->exists = bound > 0.0;
    x->kind = UT_ROW_FRICTION;
    x->low = -bound;
    x->high = bound;
}

// ---- springs, dampers, armature, actuators ------------------------------------------------------

double ut_certify_equality_velocity(const Judge* judge, const EqualityFrames* frames,
                                    const EqualityRow* x, const double* v)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? frames->equality->body1 : frames->equality->body2;
        const utVec3 point = side == 0 ? x->point1 : x->point2;
        utMotion t = {ut_vec3_zero(), ut_vec3_zero()};
        utVec3 origin = ut_vec3_zero();
        if (model->body[body].tree >= 0) {
            origin = frames->kin->origin[model->body[body].tree];
            for (int k = model->body[body].last_dof; k >= 0; k = model->dof_parent[k]) {
                t = ut_motion_add(t, ut_motion_scale(frames->kin->axis[k], v[k]));
            }
        } else {
            while (body > 0 && model->body[body].mocap < 0) {
                body = model->body[body].parent;
            }
            if (body > 0 && report->mocap_velocity != NULL) {
                origin = frames->kin->body[body].p;
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
static void expect_joint(const Judge* judge, const EqualityFrames* frames, int axis, EqualityRow* x)
{
    const utModelEquality* equality = frames->equality;
    const double h = judge->report->h, length = length_of(equality);
    const double implicit = judge->traits.explicit_forces ? 0.0 : 1.0;
    const double S =
        equality->armature + implicit * h * (equality->damping + h * equality->stiffness);
    const double q = ut_certify_equality_axis(frames, axis, x);
    const double rest = equality->kind == UT_EQUALITY_BALL ? 0.0 : equality->springref;
    const double pull = implicit * length * h * equality->stiffness * (q - rest);
    x->exists = S > 0.0;
    x->kind = UT_ROW_JOINT;
    x->low = -HUGE_VAL;
    x->high = HUGE_VAL;
    x->compliance = length * length / S;
    x->b =
        (pull - equality->armature * ut_certify_equality_velocity(judge, frames, x, judge->v)) / S;
}

// r = h gear (c - K gear (q + h u) - D gear u), within its bounds; negative K and D are explicit
static void expect_actuator(const Judge* judge, const EqualityFrames* frames, int a, EqualityRow* x)
{
    const utModelActuator* actuator = &judge->model->actuator[a];
    const ActuatorCheck* check = &judge->actuator[a];
    const double h = judge->report->h, length = length_of(frames->equality), g = actuator->gear[0];
    const double K = check->K > 0.0 ? check->K : 0.0, D = check->D > 0.0 ? check->D : 0.0;
    const double S = h * g * g * (D + h * K);
    (void)ut_certify_equality_axis(frames, 0, x);
    x->exists = ut_certify_is_implicit(judge, a) && S > 0.0 &&
                &judge->model->equality[actuator->equality] == frames->equality;
    x->kind = UT_ROW_ACTUATOR;
    x->compliance = length * length / S;
    x->b =
        -length * h * g * (check->c - check->K * check->length - (check->D - D) * check->rate) / S;
    x->low = -HUGE_VAL;
    x->high = HUGE_VAL;
    if (actuator->force_limited) {
        const double one = h * g * actuator->force_range[0] / length;
        const double two = h * g * actuator->force_range[1] / length;
        x->low = one < two ? one : two;
        x->high = one < two ? two : one;
    }
}

// ---- all rows -----------------------------------------------------------------------------------

EqualityRow ut_certify_expected_row(const Judge* judge, const utRow* row)
{
    const int c = row->component;
    if (row->equality < 0 || row->equality >= judge->model->nequality || c < 0 ||
        ut_equality_is_coupling(judge->model->equality[row->equality].kind)) {
        return (EqualityRow){.exists = false};
    }
    // constraints and limits at the configuration of the contacts, other rows at the step's start
    const bool with_contacts = c < COMPONENT_FRICTION;
    const EqualityFrames frames = ut_certify_equality_frames(
        judge, with_contacts ? &judge->kin_contact : &judge->kin_start, row->equality);
    const int count = free_coordinates(frames.equality->kind);
    EqualityRow x = {.exists = true, .point1 = frames.one.p, .point2 = frames.two.p};
    if (c < ut_certify_constraint_count(judge, frames.equality->kind)) {
        expect_constraint(judge, &frames, c, &x);
    } else if (count > 0 && (c == COMPONENT_LOWER || c == COMPONENT_UPPER)) {
        expect_limit(&frames, c == COMPONENT_LOWER, &x);
    } else if (c >= COMPONENT_FRICTION && c < COMPONENT_FRICTION + count) {
        expect_friction(judge, &frames, c - COMPONENT_FRICTION, &x);
    } else if (c >= COMPONENT_JOINT && c < COMPONENT_JOINT + count) {
        expect_joint(judge, &frames, c - COMPONENT_JOINT, &x);
    } else if (count > 0 && c >= COMPONENT_ACTUATOR &&
               c - COMPONENT_ACTUATOR < judge->model->nactuator) {
        expect_actuator(judge, &frames, c - COMPONENT_ACTUATOR, &x);
    } else {
        x.exists = false;
    }
    x.exists = x.exists && frames.equality->active;
    return x;
}
