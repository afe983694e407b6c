// SPDX-License-Identifier: Apache-2.0
// Functions of the time: prescribed poses of bodies and velocities of surfaces.
#include "internal.h"

// A unit quaternion and its time derivative.
typedef struct Rotation {
    utQuat q;
    utQuat rate;
} Rotation;

static utQuat scaled_sum(utQuat a, double s, utQuat b)
{
    return ut_quat(a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static Rotation multiply(Rotation a, Rotation b)
{
    return (Rotation){ut_quat_mul(a.q, b.q),
                      scaled_sum(ut_quat_mul(a.rate, b.q), 1.0, ut_quat_mul(a.q, b.rate))};
}

// The rotation about a coordinate axis by an angle. @param letter of the axis, in either case
static Rotation about(char letter, utJet angle)
{
    const int axis = (letter | 32) - 'x';
    const utVec3 along = ut_vec3(axis == 0, axis == 1, axis == 2);
    const utQuat q = ut_quat_from_axis_angle(along, angle.value);
    const utQuat half = ut_quat(0.0, 0.5 * angle.rate * along.x, 0.5 * angle.rate * along.y,
                                0.5 * angle.rate * along.z);
    return (Rotation){q, ut_quat_mul(half, q)};
}

void ut_model_motion(const utModel* model, int motion, double time, utVec3* pos, utQuat* quat,
                     utMotion* twist)
{
    const utModelMotion* m = &model->motion[motion];
    const utModelBody* body = &model->body[m->body];
    utJet at[6];
    for (int k = 0; k < 6; k++) {
        at[k] = ut_expression_at(&m->at[k], time);
    }
    *pos = ut_vec3(m->given[0] ? at[0].value : body->in_parent.p.x,
                   m->given[1] ? at[1].value : body->in_parent.p.y,
                   m->given[2] ? at[2].value : body->in_parent.p.z);
    *quat = body->quat;
    *twist = ut_motion(ut_vec3(at[0].rate, at[1].rate, at[2].rate), ut_vec3_zero());
    if (!m->given[3] && !m->given[4] && !m->given[5]) {
        return;
    }
    // lower case: about axes of the body, which turn with it; upper case: about axes of the world
    Rotation rotation = {ut_quat_identity(), ut_quat(0.0, 0.0, 0.0, 0.0)};
    for (int k = 0; k < 3; k++) {
        const Rotation turn = about(m->sequence[k], at[3 + k]);
        rotation = (m->sequence[k] & 32) != 0 ? multiply(rotation, turn) : multiply(turn, rotation);
    }
    *quat = rotation.q;
    // w = 2 q' q^-1
    const utQuat w = ut_quat_mul(rotation.rate, ut_quat_conjugate(rotation.q));
    twist->angular = ut_vec3(2.0 * w.x, 2.0 * w.y, 2.0 * w.z);
}

utVec3 ut_model_surface_spin(const utModelGeom* geom, utFrame at)
{
    return geom->belt ? ut_mat3_mul_vec(at.R, geom->surface_spin) : ut_vec3_zero();
}

utVec3 ut_model_surface(const utModelGeom* geom, utFrame at, utVec3 point, double time)
{
    if (!geom->belt) {
        return ut_vec3_zero();
    }
    const utVec3 varying = ut_vec3(ut_expression_at(&geom->surface[0], time).value,
                                   ut_expression_at(&geom->surface[1], time).value,
                                   ut_expression_at(&geom->surface[2], time).value);
    const utVec3 arm = ut_mat3_tmul_vec(at.R, ut_vec3_sub(point, at.p));
    const utVec3 local = ut_vec3_add(ut_vec3_add(geom->surface_velocity, varying),
                                     ut_vec3_cross(geom->surface_spin, arm));
    return ut_mat3_mul_vec(at.R, local);
}
