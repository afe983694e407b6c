// SPDX-License-Identifier: Apache-2.0
// The coordinates that equalities leave free, as joints do, and the forces that act along them.
#include "internal.h"
#include "la/scalar.h"

#include <string.h>

// ---- coordinates --------------------------------------------------------------------------------

int ut_equality_dofs(utEqualityKind kind)
{
    return kind == UT_EQUALITY_BALL                                 ? 3
           : kind == UT_EQUALITY_HINGE || kind == UT_EQUALITY_SLIDE ? 1
                                                                    : 0;
}

// The rotation of body2 from its rest orientation, by at most half a turn.
static utQuat ball_rotation(const utKinematics* kin, const utModelEquality* e)
{
    const utQuat rest =
        ut_quat_mul(ut_quat_mul(kin->quat[e->body1], e->quat1), ut_quat_conjugate(e->quat2));
    const utQuat turn = ut_quat_mul(ut_quat_conjugate(rest), kin->quat[e->body2]);
    return turn.w < 0.0 ? ut_quat(-turn.w, -turn.x, -turn.y, -turn.z) : turn;
}

// The angle about z from S = s_y . a_x - s_x . a_y and C = s_x . a_x + s_y . a_y. The formula holds
// also when the hinge axes have drifted apart. The rate of the angle is
// (C S' - S C') / (C^2 + S^2).
static double hinge_angle(utMat3 one, utMat3 two, utVec3* gradient)
{
    const utVec3 s[2] = {ut_mat3_column(one, 0), ut_mat3_column(one, 1)};
    const utVec3 a[2] = {ut_mat3_column(two, 0), ut_mat3_column(two, 1)};
    const double S = ut_vec3_dot(s[1], a[0]) - ut_vec3_dot(s[0], a[1]);
    const double C = ut_vec3_dot(s[0], a[0]) + ut_vec3_dot(s[1], a[1]);
    const utVec3 dS = ut_vec3_sub(ut_vec3_cross(a[0], s[1]), ut_vec3_cross(a[1], s[0]));
    const utVec3 dC = ut_vec3_add(ut_vec3_cross(a[0], s[0]), ut_vec3_cross(a[1], s[1]));
    const double size = C * C + S * S;
    *gradient = ut_vec3_sub(ut_vec3_scale(dS, C / size), ut_vec3_scale(dC, S / size));
    return ut_atan2(S, C);
}

utCoordinate ut_equality_coordinate(const utKinematics* kin, int equality, int k)
{
    const utModelEquality* e = &kin->model->equality[equality];
    const utFrame one = ut_frame_mul(kin->body[e->body1], e->in1);
    const utFrame two = ut_frame_mul(kin->body[e->body2], e->in2);
    utCoordinate x = {.point = two.p};
    if (e->kind == UT_EQUALITY_SLIDE) {
        x.linear = ut_mat3_column(one.R, 2);
        x.q = ut_vec3_dot(x.linear, ut_vec3_sub(two.p, one.p)) + e->ref;
    } else if (e->kind == UT_EQUALITY_HINGE) {
        x.q = hinge_angle(one.R, two.R, &x.angular) + e->ref;
    } else if (e->kind == UT_EQUALITY_BALL) {
        const utVec3 turn = ut_quat_log(ball_rotation(kin, e));
        x.q = k == 0 ? turn.x : k == 1 ? turn.y : turn.z;
        x.angular = ut_mat3_column(kin->body[e->body2].R, k);
    }
    return x;
}

// The rate of a free coordinate. kin is moved.
static double rate_of(const utKinematics* kin, int equality, utCoordinate coordinate)
{
    const utModelEquality* e = &kin->model->equality[equality];
    const utVec3 relative = ut_vec3_sub(ut_point_velocity(kin, e->body2, coordinate.point),
                                        ut_point_velocity(kin, e->body1, coordinate.point));
    const utVec3 w = ut_vec3_sub(kin->velocity[e->body2].angular, kin->velocity[e->body1].angular);
    return ut_vec3_dot(coordinate.linear, relative) + ut_vec3_dot(coordinate.angular, w);
}

int ut_equality_coordinates(const utKinematics* kin, int equality, double* q, double* v)
{
    const utModelEquality* e = &kin->model->equality[equality];
    const int count = ut_equality_dofs(e->kind);
    for (int k = 0; k < count; k++) {
        const utCoordinate x = ut_equality_coordinate(kin, equality, k);
        q[k] = x.q;
        v[k] = rate_of(kin, equality, x);
    }
    if (e->kind == UT_EQUALITY_BALL) {
        const utQuat turn = ball_rotation(kin, e);
        const double at[4] = {turn.w, turn.x, turn.y, turn.z};
        memcpy(q, at, sizeof at);
        return 4;
    }
    return count;
}

// ---- forces -------------------------------------------------------------------------------------

// The force of an actuator along an equality's coordinate, limits and gear included.
static double actuator_force(const utKinematics* kin, const utModelActuator* a, utActuatorLaw law)
{
    const utCoordinate x = ut_equality_coordinate(kin, a->equality, 0);
    const double g = a->gear[0];
    const double p =
        law.constant - law.stiffness * g * x.q - law.damping * g * rate_of(kin, a->equality, x);
    return g * (a->force_limited ? ut_clamp(p, a->force_range[0], a->force_range[1]) : p);
}

// Add a force along a coordinate: on body2, and its opposite on body1.
static void add_force(const utKinematics* kin, int equality, utCoordinate x, double force,
                      utForce* wrench)
{
    const utModelEquality* e = &kin->model->equality[equality];
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? e->body1 : e->body2;
        const double signed_force = side == 0 ? -force : force;
        const utVec3 f = ut_vec3_scale(x.linear, signed_force);
        const utVec3 arm = ut_vec3_sub(x.point, kin->com[body]);
        const utVec3 torque = ut_vec3_add_scaled(ut_vec3_cross(arm, f), signed_force, x.angular);
        wrench[body] = ut_force_add(wrench[body], ut_force(f, torque));
    }
}

void ut_dyn_add_equalities(const utKinematics* kin, const double* input, bool all, utForce* wrench)
{
    const utModel* model = kin->model;
    for (int i = 0; all && i < model->nequality; i++) {
        const utModelEquality* e = &model->equality[i];
        const bool acts = e->active && (e->stiffness > 0.0 || e->damping > 0.0);
        for (int k = 0; acts && k < ut_equality_dofs(e->kind); k++) {
            const utCoordinate x = ut_equality_coordinate(kin, i, k);
            const double rest = e->kind == UT_EQUALITY_BALL ? 0.0 : e->springref;
            const double force = -e->stiffness * (x.q - rest) - e->damping * rate_of(kin, i, x);
            add_force(kin, i, x, force, wrench);
        }
    }
    for (int a = 0; a < model->nactuator; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        if (actuator->equality < 0 || !model->equality[actuator->equality].active) {
            continue;
        }
        const utActuatorLaw law = ut_actuator_law(actuator, input != NULL ? input[a] : 0.0);
        if (!all && (law.stiffness > 0.0 || law.damping > 0.0)) {
            continue; // a row
        }
        add_force(kin, actuator->equality, ut_equality_coordinate(kin, actuator->equality, 0),
                  actuator_force(kin, actuator, law), wrench);
    }
}

// ---- energy -------------------------------------------------------------------------------------

double ut_dyn_equality_energy(const utKinematics* kin, bool kinetic)
{
    const utModel* model = kin->model;
    double energy = 0.0;
    for (int i = 0; i < model->nequality; i++) {
        const utModelEquality* e = &model->equality[i];
        const double factor = kinetic ? e->armature : e->stiffness;
        for (int k = 0; factor > 0.0 && e->active && k < ut_equality_dofs(e->kind); k++) {
            const utCoordinate x = ut_equality_coordinate(kin, i, k);
            const double rest = e->kind == UT_EQUALITY_BALL ? 0.0 : e->springref;
            const double y = kinetic ? rate_of(kin, i, x) : x.q - rest;
            energy += 0.5 * factor * y * y;
        }
    }
    return energy;
}
