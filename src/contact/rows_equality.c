// SPDX-License-Identifier: Apache-2.0
// Rows of constraints between bodies. With the points p1, p2 and the axes s_k of body1's and a_k of
// body2's constraint frame, all in the world, what has to stay 0, in m, and its rate:
//
//     e_k . (p2 - p1)       e_k . (v2(p2) - v1(p1))             points that stay together
//     s_k . (p2 - p1)       s_k . (v2(p2) - v1(p2))             a point that stays on a line
//     ell s_i . a_j         ell (a_j x s_i) . (w2 - w1)         axes that stay at right angles
//
// exactly, wherever the bodies are; ell is the equality's reach, which makes velocities of turning
// ones in m/s. A connect or ball has three rows of the first sort; a hinge two more that keep a_z
// at right angles to s_x and s_y; a weld three that keep a_y, a_z, a_x so to s_z, s_x, s_y; a slide
// these three and two of the second sort.
//
// The coordinate q that a hinge, slide or ball leaves has limits and dry friction as joints have. A
// spring, a damper and armature together do r = -h K (q + h u - q0) - h D u - A (u - u0), a
// position actuator the same with its gains: rows that give way by their compliance,
//
//     u + r / S + (h K (q - q0) - A u0) / S = 0,    S = A + h D + h^2 K
//
// for u in rad/s and r in N m s, here times ell and over it.
#include "contact.h"

static const double SLACK = 1e-9; // m: limits that touch stay in the set whatever rounding does

// components beyond the constraint's own
enum { LOWER = 6, UPPER = 7, FRICTION = 8, JOINT = 11, ACTUATOR = 14 };

// Where an equality's frames are.
typedef struct Place {
    const utModelEquality* equality;
    utVec3 p1, p2;
    utVec3 s[3], a[3];
} Place;

static Place find_place(const utModel* model, const utKinematics* kin, int i)
{
    const utModelEquality* equality = &model->equality[i];
    const utFrame one = ut_frame_mul(kin->body[equality->body1], equality->in1);
    const utFrame two = ut_frame_mul(kin->body[equality->body2], equality->in2);
    Place place = {.equality = equality, .p1 = one.p, .p2 = two.p};
    for (int k = 0; k < 3; k++) {
        place.s[k] = ut_mat3_column(one.R, k);
        place.a[k] = ut_mat3_column(two.R, k);
    }
    return place;
}

// ---- one row ------------------------------------------------------------------------------------

static utRow blank_row(const Place* place, int i, int component)
{
    return (utRow){
        .kind = UT_ROW_EQUALITY,
        .joint = -1,
        .actuator = -1,
        .dof = -1,
        .length = 1.0,
        .equality = i,
        .component = component,
        .body1 = place->equality->body1,
        .body2 = place->equality->body2,
        .point1 = place->p1,
        .point2 = place->p2,
        .island = -1,
        .low = -HUGE_VAL,
        .high = HUGE_VAL,
    };
}

static utRow point_row(const Place* place, int i, int component, utVec3 direction)
{
    utRow row = blank_row(place, i, component);
    row.linear = direction;
    row.gap = ut_vec3_dot(direction, ut_vec3_sub(place->p2, place->p1));
    return row;
}

// The same along an axis that turns with body1.
static utRow line_row(const Place* place, int i, int component, utVec3 direction)
{
    utRow row = point_row(place, i, component, direction);
    row.point1 = place->p2;
    return row;
}

static utRow angle_row(const Place* place, int i, int component, utVec3 s, utVec3 a)
{
    const double reach = place->equality->reach;
    utRow row = blank_row(place, i, component);
    row.angular = ut_vec3_scale(ut_vec3_cross(a, s), reach);
    row.gap = reach * ut_vec3_dot(s, a);
    return row;
}

// ---- the constraint -----------------------------------------------------------------------------

// In a plane: two rows for points that stay together, one for a point on a line, whose frame has y
// along the plane's normal, and one for what does not turn about it.
static int planar_rows(const utModel* model, const Place* place, int i, utRow* row)
{
    const utEqualityKind kind = place->equality->kind;
    const utPlane plane = ut_plane(model->options.planar);
    const bool slide = kind == UT_EQUALITY_SLIDE;
    int count = 0;
    if (slide) {
        row[count++] = line_row(place, i, 0, place->s[0]);
    } else {
        row[count++] = point_row(place, i, 0, plane.x);
        row[count++] = point_row(place, i, 1, plane.y);
    }
    if (slide || kind == UT_EQUALITY_WELD) {
        // about which axis of the frame the normal is
        const int k = slide ? 1 : plane.normal.x != 0.0 ? 0 : plane.normal.y != 0.0 ? 1 : 2;
        row[count] = angle_row(place, i, count, place->s[(k + 2) % 3], place->a[(k + 1) % 3]);
        count++;
    }
    return count;
}

// @return how many
static int constraint_rows(const utModel* model, const Place* place, int i, utRow* row)
{
    const utEqualityKind kind = place->equality->kind;
    if (model->options.planar != UT_PLANAR_NONE) {
        return planar_rows(model, place, i, row);
    }
    const utVec3 e[3] = {ut_vec3(1.0, 0.0, 0.0), ut_vec3(0.0, 1.0, 0.0), ut_vec3(0.0, 0.0, 1.0)};
    int count = 0;
    for (int k = 0; k < 3 && kind != UT_EQUALITY_SLIDE; k++, count++) {
        row[count] = point_row(place, i, count, e[k]);
    }
    for (int k = 0; k < 2 && kind == UT_EQUALITY_SLIDE; k++, count++) {
        row[count] = line_row(place, i, count, place->s[k]);
    }
    for (int k = 0; k < 2 && kind == UT_EQUALITY_HINGE; k++, count++) {
        row[count] = angle_row(place, i, count, place->s[k], place->a[2]);
    }
    const bool stiff = kind == UT_EQUALITY_WELD || kind == UT_EQUALITY_SLIDE;
    for (int k = 0; k < 3 && stiff; k++, count++) {
        row[count] = angle_row(place, i, count, place->s[(k + 2) % 3], place->a[(k + 1) % 3]);
    }
    return count;
}

// ---- the coordinate -----------------------------------------------------------------------------

// How far body2 is turned against body1, and about which axis (world): its rate is axis . (w2 -
// w1).
// @return 0 where there is none
static double ball_angle(const ContactScene* scene, const utModelEquality* equality, utVec3* axis)
{
    const utQuat one = ut_quat_mul(scene->kin->quat[equality->body1], equality->quat1);
    const utQuat two = ut_quat_mul(scene->kin->quat[equality->body2], equality->quat2);
    const utVec3 turn = ut_quat_log(ut_quat_mul(ut_quat_conjugate(one), two));
    const double angle = ut_vec3_norm(turn);
    *axis = angle > 0.0 ? ut_quat_rotate(one, ut_vec3_scale(turn, 1.0 / angle)) : ut_vec3_zero();
    return angle;
}

static double length_of(const utModelEquality* equality)
{
    return equality->kind == UT_EQUALITY_SLIDE ? 1.0 : equality->reach;
}

// A row of the k-th coordinate: its velocity times what makes it one of m/s. @param q receives the
// coordinate, rad or m
static utRow coordinate_row(const ContactScene* scene, const Place* place, int i, int component,
                            int k, double* q)
{
    const utCoordinate x = ut_equality_coordinate(scene->kin, i, k);
    utRow row = blank_row(place, i, component);
    row.linear = x.linear;
    row.angular = ut_vec3_scale(x.angular, place->equality->reach);
    if (place->equality->kind == UT_EQUALITY_SLIDE) {
        row.point1 = place->p2;
    }
    *q = x.q;
    return row;
}

static double row_speed(const ContactScene* scene, const utRow* row, const double* v)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? row->body1 : row->body2;
        const utMotion t = ut_contact_twist(scene, body, side == 0 ? row->point1 : row->point2, v);
        sum += (side == 1 ? 1.0 : -1.0) *
               (ut_vec3_dot(row->linear, t.linear) + ut_vec3_dot(row->angular, t.angular));
    }
    return sum;
}

// May the gap close within the step, by any velocity seen so far?
static bool within_reach(const ContactScene* scene, const utRow* row)
{
    const double* const velocities[] = {scene->v, scene->v_free, scene->v_next};
    double* fastest = &scene->bounds.equality_speed[row->equality];
    for (int k = 0; k < (scene->v_next != NULL ? 3 : 2); k++) {
        *fastest = fmax(*fastest, fabs(row_speed(scene, row, velocities[k])));
    }
    return !(row->gap > 2.0 * scene->h * *fastest + SLACK);
}

static int limit_rows(const ContactScene* scene, const Place* place, int i, utRow* row)
{
    const utModelEquality* equality = place->equality;
    const bool ball = equality->kind == UT_EQUALITY_BALL;
    const double length = length_of(equality);
    int count = 0;
    for (int side = ball ? 1 : 0; side < 2; side++) {
        double q;
        utRow limit = coordinate_row(scene, place, i, side == 0 ? LOWER : UPPER, 0, &q);
        if (ball) {
            utVec3 axis;
            q = ball_angle(scene, equality, &axis);
            limit.angular = ut_vec3_scale(axis, length);
        }
        limit.kind = ball ? UT_ROW_BALL : side == 0 ? UT_ROW_LOWER : UT_ROW_UPPER;
        limit.low = 0.0;
        limit.gap = length * (side == 0 ? q - equality->range[0] : equality->range[1] - q);
        if (side == 1) {
            limit.linear = ut_vec3_negate(limit.linear);
            limit.angular = ut_vec3_negate(limit.angular);
        }
        if (within_reach(scene, &limit) && !(ball && q == 0.0)) {
            row[count++] = limit;
        }
    }
    return count;
}

static int friction_rows(const ContactScene* scene, const Place* place, int i, utRow* row)
{
    const utModelEquality* equality = place->equality;
    const double most = scene->h * equality->frictionloss / length_of(equality);
    const int count = ut_equality_freedoms(equality->kind);
    for (int k = 0; k < count; k++) {
        double q;
        row[k] = coordinate_row(scene, place, i, FRICTION + k, k, &q);
        row[k].kind = UT_ROW_FRICTION;
        row[k].low = -most;
        row[k].high = most;
    }
    return count;
}

// ---- springs, dampers, armature, actuators ------------------------------------------------------

// Explicit forces act by themselves; armature is mass.
static int joint_rows(const ContactScene* scene, const Place* place, int i, utRow* row)
{
    const utModelEquality* equality = place->equality;
    const double h = scene->h;
    const double K = scene->rules.explicit_forces ? 0.0 : equality->stiffness;
    const double D = scene->rules.explicit_forces ? 0.0 : equality->damping;
    const double S = equality->armature + h * D + h * h * K;
    const double length = length_of(equality);
    const double rest = equality->kind == UT_EQUALITY_BALL ? 0.0 : equality->springref;
    const int count = S > 0.0 ? ut_equality_freedoms(equality->kind) : 0;
    for (int k = 0; k < count; k++) {
        double q;
        row[k] = coordinate_row(scene, place, i, JOINT + k, k, &q);
        row[k].kind = UT_ROW_JOINT;
        row[k].compliance = length * length / S;
        const double before = equality->armature * row_speed(scene, &row[k], scene->v);
        row[k].b = (length * h * K * (q - rest) - before) / S;
    }
    return count;
}

// Of a position actuator. @return 0 where it is none, or does nothing
static int actuator_row(const ContactScene* scene, int a, utRow* row)
{
    const utModelActuator* actuator = &scene->model->actuator[a];
    const int i = actuator->equality;
    const double h = scene->h;
    const double g = actuator->gear;
    const double S = g * g * (h * actuator->kv + h * h * actuator->kp);
    if (scene->rules.explicit_forces || actuator->kind != UT_ACTUATOR_POSITION || i < 0 ||
        !(S > 0.0) || !scene->model->equality[i].active) {
        return 0;
    }
    const Place place = find_place(scene->model, scene->kin, i);
    const double length = length_of(place.equality);
    const double ctrl = scene->ctrl != NULL ? scene->ctrl[a] : 0.0;
    double q;
    *row = coordinate_row(scene, &place, i, ACTUATOR + a, 0, &q);
    row->kind = UT_ROW_ACTUATOR;
    row->actuator = a;
    row->compliance = length * length / S;
    row->b = -length * h * g * actuator->kp * (ctrl - g * q) / S;
    if (actuator->force_limited) {
        const double one = h * g * actuator->force_range[0] / length;
        const double two = h * g * actuator->force_range[1] / length;
        row->low = fmin(one, two);
        row->high = fmax(one, two);
    }
    return 1;
}

// ---- b ------------------------------------------------------------------------------------------

// What is off or open, over h, as the formulation has it; what bodies that no joint moves
// contribute; re-linearised, less what has been covered on the way.
static void find_b(const ContactScene* scene, utRow* row)
{
    const bool ahead = scene->v_ahead != NULL && ut_row_is_relinearized(row);
    const bool limit = row->kind <= UT_ROW_BALL;
    const bool counts = (row->kind == UT_ROW_EQUALITY && scene->rules.joint_gaps) ||
                        (limit && (row->gap > 0.0 || scene->rules.signed_gaps));
    row->b += scene->h > 0.0 && (ahead || counts) ? row->gap / scene->h : 0.0;
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? row->body1 : row->body2;
        const utVec3 point = side == 0 ? row->point1 : row->point2;
        const double sign = side == 0 ? -1.0 : 1.0;
        const bool moved = scene->model->body[body].tree < 0; // from outside
        const double share = !moved ? -1.0 : ahead ? ut_contact_way_left(scene, body) : 1.0;
        if ((moved || ahead) && share != 0.0) {
            const utMotion t =
                ut_contact_twist(scene, body, point, moved ? scene->v : scene->v_ahead);
            const double u =
                ut_vec3_dot(row->linear, t.linear) + ut_vec3_dot(row->angular, t.angular);
            row->b += share * sign * u;
        }
    }
}

// ---- all ----------------------------------------------------------------------------------------

int ut_contact_equality_rows(const ContactScene* scene, utRow* row)
{
    const utModel* model = scene->model;
    int count = 0;
    for (int i = 0; i < model->nequality; i++) {
        const utModelEquality* equality = &model->equality[i];
        if (!equality->active) {
            continue;
        }
        const Place place = find_place(model, scene->kin, i);
        count += constraint_rows(model, &place, i, row + count);
        if (equality->limited) {
            count += limit_rows(scene, &place, i, row + count);
        }
        if (equality->frictionloss > 0.0) {
            count += friction_rows(scene, &place, i, row + count);
        }
        count += joint_rows(scene, &place, i, row + count);
    }
    for (int a = 0; a < model->nactuator; a++) {
        count += actuator_row(scene, a, row + count);
    }
    for (int k = 0; k < count; k++) {
        find_b(scene, &row[k]);
    }
    return count;
}

double ut_contact_drift(const utModel* model, const utKinematics* kin, int* equality)
{
    double most = 0.0;
    *equality = -1;
    for (int i = 0; i < model->nequality; i++) {
        utRow row[6];
        const Place place = find_place(model, kin, i);
        const int rows = model->equality[i].active ? constraint_rows(model, &place, i, row) : 0;
        for (int k = 0; k < rows; k++) {
            if (!(fabs(row[k].gap) <= most)) {
                most = fabs(row[k].gap);
                *equality = i;
            }
        }
    }
    return most;
}
