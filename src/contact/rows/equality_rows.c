// SPDX-License-Identifier: Apache-2.0
// Rows of equalities: constraints between two bodies. With the points p1, p2 and the axes s_k of
// body1's and a_k of body2's constraint frame, all in the world, these are the quantities that have
// to stay 0, in m, and their rates:
//
//     e_k . (p2 - p1)       e_k . (v2(p2) - v1(p1))             two points coincide
//     s_k . (p2 - p1)       s_k . (v2(p2) - v1(p2))             a point stays on a line
//     ell s_i . a_j         ell (a_j x s_i) . (w2 - w1)         two axes stay perpendicular
//
// The rates are exact in every pose. ell is the equality's reach, which turns angular velocities
// into m/s. A connect or ball has three rows of the first kind. A hinge has two more that keep a_z
// perpendicular to s_x and s_y. A weld has three more that keep a_y, a_z, a_x perpendicular to s_z,
// s_x, s_y. A slide has these three and two of the second kind.
//
// The coordinate q that a hinge, slide or ball leaves free has limits and dry friction as joints
// have. A spring, a damper and armature together act with
//
//     r = -h K (q + h u - q0) - h D u - A (u - u0)
//
// and a position actuator does the same with its gains. Both are compliant rows,
//
//     u + r / S + (h K (q - q0) - A u0) / S = 0,    S = A + h D + h^2 K
//
// for u in rad/s and r in N m s; here u is multiplied by ell and r divided by it.
#include "contact/contact.h"
#include "report/row_component.h"

// The constraint frames of an equality in the world.
typedef struct EqualityFrames {
    const utModelEquality* equality;
    utVec3 p1, p2;
    utVec3 s[3], a[3];
} EqualityFrames;

static EqualityFrames find_frames(const utModel* model, const utKinematics* kin, int i)
{
    const utModelEquality* equality = &model->equality[i];
    const utFrame one = ut_frame_mul(kin->body[equality->body1], equality->in1);
    const utFrame two = ut_frame_mul(kin->body[equality->body2], equality->in2);
    EqualityFrames frames = {.equality = equality, .p1 = one.p, .p2 = two.p};
    for (int k = 0; k < 3; k++) {
        frames.s[k] = ut_mat3_column(one.R, k);
        frames.a[k] = ut_mat3_column(two.R, k);
    }
    return frames;
}

// ---- one row ------------------------------------------------------------------------------------

static utRow blank_row(const EqualityFrames* frames, int i, int component)
{
    return (utRow){
        .kind = UT_ROW_EQUALITY,
        .joint = -1,
        .actuator = -1,
        .dof = -1,
        .length = 1.0,
        .equality = i,
        .component = component,
        .body1 = frames->equality->body1,
        .body2 = frames->equality->body2,
        .point1 = frames->p1,
        .point2 = frames->p2,
        .island = -1,
        .low = -HUGE_VAL,
        .high = HUGE_VAL,
    };
}

static utRow point_row(const EqualityFrames* frames, int i, int component, utVec3 direction)
{
    utRow row = blank_row(frames, i, component);
    row.linear = direction;
    row.gap = ut_vec3_dot(direction, ut_vec3_sub(frames->p2, frames->p1));
    return row;
}

// The same along an axis that is fixed in body1.
static utRow line_row(const EqualityFrames* frames, int i, int component, utVec3 direction)
{
    utRow row = point_row(frames, i, component, direction);
    row.point1 = frames->p2;
    return row;
}

static utRow angle_row(const EqualityFrames* frames, int i, int component, utVec3 s, utVec3 a)
{
    const double reach = frames->equality->reach;
    utRow row = blank_row(frames, i, component);
    row.angular = ut_vec3_scale(ut_vec3_cross(a, s), reach);
    row.gap = reach * ut_vec3_dot(s, a);
    return row;
}

// ---- the constraint -----------------------------------------------------------------------------

// Rows of a planar world: two for points that coincide, or one for a point on a line, whose frame
// has y along the plane's normal; and one more when the angle about the normal is fixed.
static int planar_rows(const utModel* model, const EqualityFrames* frames, int i, utRow* row)
{
    const utEqualityKind kind = frames->equality->kind;
    const utPlane plane = ut_plane(model->options.planar);
    const bool slide = kind == UT_EQUALITY_SLIDE;
    int count = 0;
    if (slide) {
        row[count++] = line_row(frames, i, 0, frames->s[0]);
    } else {
        row[count++] = point_row(frames, i, 0, plane.x);
        row[count++] = point_row(frames, i, 1, plane.y);
    }
    if (slide || kind == UT_EQUALITY_WELD) {
        // the axis of the frame along the plane's normal
        const int k = slide ? 1 : plane.normal.x != 0.0 ? 0 : plane.normal.y != 0.0 ? 1 : 2;
        row[count] = angle_row(frames, i, count, frames->s[(k + 2) % 3], frames->a[(k + 1) % 3]);
        count++;
    }
    return count;
}

// The rows of the constraint itself. @return how many
static int constraint_rows(const utModel* model, const EqualityFrames* frames, int i, utRow* row)
{
    const utEqualityKind kind = frames->equality->kind;
    if (model->options.planar != UT_PLANAR_NONE) {
        return planar_rows(model, frames, i, row);
    }
    const utVec3 e[3] = {ut_vec3(1.0, 0.0, 0.0), ut_vec3(0.0, 1.0, 0.0), ut_vec3(0.0, 0.0, 1.0)};
    int count = 0;
    for (int k = 0; k < 3 && kind != UT_EQUALITY_SLIDE; k++, count++) {
        row[count] = point_row(frames, i, count, e[k]);
    }
    for (int k = 0; k < 2 && kind == UT_EQUALITY_SLIDE; k++, count++) {
        row[count] = line_row(frames, i, count, frames->s[k]);
    }
    for (int k = 0; k < 2 && kind == UT_EQUALITY_HINGE; k++, count++) {
        row[count] = angle_row(frames, i, count, frames->s[k], frames->a[2]);
    }
    const bool stiff = kind == UT_EQUALITY_WELD || kind == UT_EQUALITY_SLIDE;
    for (int k = 0; k < 3 && stiff; k++, count++) {
        row[count] = angle_row(frames, i, count, frames->s[(k + 2) % 3], frames->a[(k + 1) % 3]);
    }
    return count;
}

// ---- the coordinate -----------------------------------------------------------------------------

// The angle of body2 relative to body1. Its rate is axis . (w2 - w1).
// @param axis receives the axis of the rotation, world; 0 when the angle is 0
static double ball_angle(const ContactScene* scene, const utModelEquality* equality, utVec3* axis)
{
    const utQuat one = ut_quat_mul(scene->kin->quat[equality->body1], equality->quat1);
    const utQuat two = ut_quat_mul(scene->kin->quat[equality->body2], equality->quat2);
    const utVec3 turn = ut_quat_log(ut_quat_mul(ut_quat_conjugate(one), two));
    const double angle = ut_vec3_norm(turn);
    *axis = angle > 0.0 ? ut_quat_rotate(one, ut_vec3_scale(turn, 1.0 / angle)) : ut_vec3_zero();
    return angle;
}

// The factor from the coordinate's rate to m/s.
static double length_of(const utModelEquality* equality)
{
    return equality->kind == UT_EQUALITY_SLIDE ? 1.0 : equality->reach;
}

// A row of the k-th free coordinate, with its velocity in m/s. @param q receives the coordinate,
// rad or m
static utRow coordinate_row(const ContactScene* scene, const EqualityFrames* frames, int i,
                            int component, int k, double* q)
{
    const utCoordinate x = ut_equality_coordinate(scene->kin, i, k);
    utRow row = blank_row(frames, i, component);
    row.linear = x.linear;
    row.angular = ut_vec3_scale(x.angular, frames->equality->reach);
    if (frames->equality->kind == UT_EQUALITY_SLIDE) {
        row.point1 = frames->p2;
    }
    *q = x.q;
    return row;
}

static double row_velocity(const ContactScene* scene, const utRow* row, const double* v)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        sum += ut_row_side_velocity(scene, row, side, v);
    }
    return sum;
}

// May the gap of a limit close within the step, under any velocity seen so far?
static bool may_close(const ContactScene* scene, const utRow* row)
{
    const double* const velocities[] = {scene->v, scene->v_free, scene->v_next};
    double* fastest = &scene->bounds.equality_speed[row->equality];
    for (int k = 0; k < (scene->v_next != NULL ? 3 : 2); k++) {
        *fastest = fmax(*fastest, fabs(row_velocity(scene, row, velocities[k])));
    }
    return !(row->gap > 2.0 * scene->h * *fastest + UT_CONTACT_SLACK);
}

static int limit_rows(const ContactScene* scene, const EqualityFrames* frames, int i, utRow* row)
{
    const utModelEquality* equality = frames->equality;
    const bool ball = equality->kind == UT_EQUALITY_BALL;
    const double length = length_of(equality);
    int count = 0;
    for (int side = ball ? 1 : 0; side < 2; side++) {
        double q;
        utRow limit =
            coordinate_row(scene, frames, i, side == 0 ? COMPONENT_LOWER : COMPONENT_UPPER, 0, &q);
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
        if (may_close(scene, &limit) && !(ball && q == 0.0)) {
            row[count++] = limit;
        }
    }
    return count;
}

static int friction_rows(const ContactScene* scene, const EqualityFrames* frames, int i, utRow* row)
{
    const utModelEquality* equality = frames->equality;
    const double limit = scene->h * equality->frictionloss / length_of(equality);
    const int count = ut_equality_dofs(equality->kind);
    for (int k = 0; k < count; k++) {
        double q;
        row[k] = coordinate_row(scene, frames, i, COMPONENT_FRICTION + k, k, &q);
        row[k].kind = UT_ROW_FRICTION;
        row[k].low = -limit;
        row[k].high = limit;
    }
    return count;
}

// ---- springs, dampers, armature, actuators ------------------------------------------------------

// The spring, damper and armature of an equality. A formulation with explicit forces applies
// springs and dampers elsewhere; armature is a mass and always a row.
static int joint_rows(const ContactScene* scene, const EqualityFrames* frames, int i, utRow* row)
{
    const utModelEquality* equality = frames->equality;
    const double h = scene->h;
    const double K = scene->formulation->explicit_forces ? 0.0 : equality->stiffness;
    const double D = scene->formulation->explicit_forces ? 0.0 : equality->damping;
    const double S = equality->armature + h * D + h * h * K;
    const double length = length_of(equality);
    const double rest = equality->kind == UT_EQUALITY_BALL ? 0.0 : equality->springref;
    const int count = S > 0.0 ? ut_equality_dofs(equality->kind) : 0;
    for (int k = 0; k < count; k++) {
        double q;
        row[k] = coordinate_row(scene, frames, i, COMPONENT_JOINT + k, k, &q);
        row[k].kind = UT_ROW_JOINT;
        row[k].compliance = length * length / S;
        const double momentum = equality->armature * row_velocity(scene, &row[k], scene->v);
        row[k].b = (length * h * K * (q - rest) - momentum) / S;
    }
    return count;
}

// The row of an actuator with stiffness or damping. @return 0 for other actuators
static int actuator_row(const ContactScene* scene, int a, utRow* row)
{
    const utModelActuator* actuator = &scene->model->actuator[a];
    const int i = actuator->equality;
    const double h = scene->h;
    const double g = actuator->gear[0];
    const utActuatorLaw law =
        ut_actuator_law(actuator, scene->input != NULL ? scene->input[a] : 0.0);
    const double S = g * g * (h * fmax(law.damping, 0.0) + h * h * fmax(law.stiffness, 0.0));
    if (scene->formulation->explicit_forces || i < 0 || !(S > 0.0) ||
        !scene->model->equality[i].active) {
        return 0;
    }
    const EqualityFrames frames = find_frames(scene->model, scene->kin, i);
    const double length = length_of(frames.equality);
    double q;
    *row = coordinate_row(scene, &frames, i, COMPONENT_ACTUATOR + a, 0, &q);
    row->kind = UT_ROW_ACTUATOR;
    row->actuator = a;
    row->compliance = length * length / S;
    // negative damping is explicit
    const double rate = row_velocity(scene, row, scene->v) / length;
    const double p = law.constant - law.stiffness * (g * q) - fmin(law.damping, 0.0) * (g * rate);
    row->b = -length * h * g * p / S;
    if (actuator->force_limited) {
        const double one = h * g * actuator->force_range[0] / length;
        const double two = h * g * actuator->force_range[1] / length;
        row->low = fmin(one, two);
        row->high = fmax(one, two);
    }
    return 1;
}

// ---- b ------------------------------------------------------------------------------------------

// Add to b the gap or position error over h, as the formulation requires, and the velocity of
// bodies that no joint moves. A re-linearised row subtracts the travel up to where it is taken.
static void complete_b(const ContactScene* scene, utRow* row)
{
    const bool ahead = scene->v_ahead != NULL && ut_row_is_relinearized(row);
    const bool limit = row->kind <= UT_ROW_BALL;
    const bool counts = (row->kind == UT_ROW_EQUALITY && !scene->formulation->projects) ||
                        (limit && (row->gap > 0.0 || scene->formulation->gap == UT_GAP_SIGNED));
    row->b += scene->h > 0.0 && (ahead || counts) ? row->gap / scene->h : 0.0;
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? row->body1 : row->body2;
        const bool jointed = scene->model->body[body].tree >= 0;
        const double factor = jointed ? -1.0
                              : ahead ? ut_contact_mocap_remaining(scene, body)
                                      : 1.0;
        if ((!jointed || ahead) && factor != 0.0) {
            row->b += factor *
                      ut_row_side_velocity(scene, row, side, jointed ? scene->v_ahead : scene->v);
        }
    }
}

// ---- all rows -----------------------------------------------------------------------------------

int ut_contact_equality_rows(const ContactScene* scene, utRow* row)
{
    const utModel* model = scene->model;
    int count = 0;
    for (int i = 0; i < model->nequality; i++) {
        const utModelEquality* equality = &model->equality[i];
        if (!equality->active || ut_equality_is_coupling(equality->kind)) {
            continue; // couplings have rows of their own
        }
        const EqualityFrames frames = find_frames(model, scene->kin, i);
        count += constraint_rows(model, &frames, i, row + count);
        if (equality->limited) {
            count += limit_rows(scene, &frames, i, row + count);
        }
        if (equality->frictionloss > 0.0) {
            count += friction_rows(scene, &frames, i, row + count);
        }
        count += joint_rows(scene, &frames, i, row + count);
    }
    for (int a = 0; a < model->nactuator; a++) {
        count += actuator_row(scene, a, row + count);
    }
    for (int k = 0; k < count; k++) {
        complete_b(scene, &row[k]);
    }
    return count;
}

double ut_contact_drift(const utModel* model, const utKinematics* kin, const double* q,
                        int* equality)
{
    double largest = 0.0;
    *equality = -1;
    for (int i = 0; i < model->nequality; i++) {
        utRow row[6];
        const EqualityFrames frames = find_frames(model, kin, i);
        int rows = 0;
        if (model->equality[i].active && ut_equality_is_coupling(model->equality[i].kind)) {
            row[rows++].gap = model->equality[i].reach * ut_coupling_error(kin, q, i, NULL);
        } else if (model->equality[i].active) {
            rows = constraint_rows(model, &frames, i, row);
        }
        for (int k = 0; k < rows; k++) {
            if (!(fabs(row[k].gap) <= largest)) {
                largest = fabs(row[k].gap);
                *equality = i;
            }
        }
    }
    return largest;
}
