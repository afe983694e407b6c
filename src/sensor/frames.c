// SPDX-License-Identifier: Apache-2.0
// Sensors of frames: poses, velocities and accelerations of bodies, geoms and sites.
#include "internal.h"

// ---- objects ------------------------------------------------------------------------------------

int ut_sensor_body(const utModel* model, utObjectKind kind, int index)
{
    switch (kind) {
    case UT_OBJECT_BODY:
    case UT_OBJECT_FRAME:
        return index;
    case UT_OBJECT_GEOM:
        return model->geom[index].body;
    case UT_OBJECT_SITE:
        return model->site[index].body;
    default:
        return 0;
    }
}

utFrame ut_sensor_frame(const utKinematics* kin, utObjectKind kind, int index)
{
    switch (kind) {
    case UT_OBJECT_BODY:
        return ut_frame(kin->body[index].R, kin->com[index]);
    case UT_OBJECT_FRAME:
        return kin->body[index];
    case UT_OBJECT_GEOM:
        return ut_geom_frame(kin, index);
    case UT_OBJECT_SITE:
        return ut_frame_mul(kin->body[kin->model->site[index].body],
                            kin->model->site[index].in_body);
    default:
        return ut_frame_identity();
    }
}

static utQuat quat_of(const utKinematics* kin, utObjectKind kind, int index)
{
    const utModel* model = kin->model;
    const utQuat body = kin->quat[ut_sensor_body(model, kind, index)];
    switch (kind) {
    case UT_OBJECT_GEOM:
        return ut_quat_mul(body, model->geom[index].quat);
    case UT_OBJECT_SITE:
        return ut_quat_mul(body, model->site[index].quat);
    case UT_OBJECT_BODY:
    case UT_OBJECT_FRAME:
        return body;
    default:
        return ut_quat_identity();
    }
}

// ---- poses --------------------------------------------------------------------------------------

static void read_quaternion(const utKinematics* kin, const utModelSensor* s, double* x)
{
    utQuat quat = quat_of(kin, s->object, s->index);
    if (s->reference != UT_OBJECT_NONE) {
        quat = ut_quat_mul(ut_quat_conjugate(quat_of(kin, s->reference, s->reference_index)), quat);
    }
    x[0] = quat.w;
    x[1] = quat.x;
    x[2] = quat.y;
    x[3] = quat.z;
}

// ---- velocities ---------------------------------------------------------------------------------

// Velocity of a frame's origin as seen from a frame that moves and turns: v - v_r - w_r x (p - p_r).
static utVec3 linear_velocity(const utKinematics* kin, const utModelSensor* s, utVec3 at,
                              utFrame from)
{
    const utVec3 v = ut_point_velocity(kin, ut_sensor_body(kin->model, s->object, s->index), at);
    if (s->reference == UT_OBJECT_NONE) {
        return v;
    }
    // w_r x (p - p_r) + v_r is the velocity of the reference's point at p
    const int body = ut_sensor_body(kin->model, s->reference, s->reference_index);
    return ut_mat3_tmul_vec(from.R, ut_vec3_sub(v, ut_point_velocity(kin, body, at)));
}

static utVec3 angular_velocity(const utKinematics* kin, const utModelSensor* s, utFrame from)
{
    const utModel* model = kin->model;
    const utVec3 w = kin->velocity[ut_sensor_body(model, s->object, s->index)].angular;
    if (s->reference == UT_OBJECT_NONE) {
        return w;
    }
    const int body = ut_sensor_body(model, s->reference, s->reference_index);
    return ut_mat3_tmul_vec(from.R, ut_vec3_sub(w, kin->velocity[body].angular));
}

// ---- accelerations ------------------------------------------------------------------------------

// Acceleration of a body's point less gravity. The spatial acceleration is the rate of the velocity
// at a fixed place; the point itself has w x v more.
static utVec3 proper_acceleration(const SensorView* view, int body, utVec3 at)
{
    const utKinematics* kin = &view->sensors->kin;
    const int tree = kin->model->body[body].tree;
    const utVec3 origin = kin->origin[tree >= 0 ? tree : kin->model->ntree];
    const utMotion A = view->sensors->acceleration[body];
    const utVec3 r = ut_vec3_sub(at, origin);
    const utVec3 local = ut_vec3_add(A.linear, ut_vec3_cross(A.angular, r));
    const utVec3 turning =
        ut_vec3_cross(kin->velocity[body].angular, ut_point_velocity(kin, body, at));
    return ut_vec3_sub(ut_vec3_add(local, turning), view->step->gravity);
}

// ---- sensors ------------------------------------------------------------------------------------

void ut_sensor_read_frame(const SensorView* view, const utModelSensor* s, double* x)
{
    const bool of_step = ut_sensor_traits(s->kind).stage == UT_SENSOR_ACCELERATION;
    const utKinematics* kin = of_step ? &view->sensors->kin : view->state->kin;
    const int body = ut_sensor_body(view->model, s->object, s->index);
    const utFrame at = ut_sensor_frame(kin, s->object, s->index);
    const utFrame from = ut_sensor_frame(kin, s->reference, s->reference_index);
    switch (s->kind) {
    case UT_SENSOR_FRAME_POSITION:
        ut_sensor_store(ut_mat3_tmul_vec(from.R, ut_vec3_sub(at.p, from.p)), x);
        break;
    case UT_SENSOR_FRAME_QUATERNION:
        read_quaternion(kin, s, x);
        break;
    case UT_SENSOR_FRAME_X_AXIS:
    case UT_SENSOR_FRAME_Y_AXIS:
    case UT_SENSOR_FRAME_Z_AXIS:
        ut_sensor_store(
            ut_mat3_tmul_vec(from.R, ut_mat3_column(at.R, (int)s->kind - UT_SENSOR_FRAME_X_AXIS)),
            x);
        break;
    case UT_SENSOR_FRAME_LINEAR_VELOCITY:
        ut_sensor_store(linear_velocity(kin, s, at.p, from), x);
        break;
    case UT_SENSOR_FRAME_ANGULAR_VELOCITY:
        ut_sensor_store(angular_velocity(kin, s, from), x);
        break;
    case UT_SENSOR_FRAME_LINEAR_ACCELERATION:
        ut_sensor_store(proper_acceleration(view, body, at.p), x);
        break;
    default: // UT_SENSOR_FRAME_ANGULAR_ACCELERATION
        ut_sensor_store(view->sensors->acceleration[body].angular, x);
        break;
    }
}

void ut_sensor_read_site(const SensorView* view, const utModelSensor* s, double* x)
{
    const bool of_step = ut_sensor_traits(s->kind).stage == UT_SENSOR_ACCELERATION;
    const utKinematics* kin = of_step ? &view->sensors->kin : view->state->kin;
    const int body = view->model->site[s->index].body;
    const utFrame at = ut_sensor_frame(kin, UT_OBJECT_SITE, s->index);
    utVec3 value;
    switch (s->kind) {
    case UT_SENSOR_ACCELEROMETER:
        value = proper_acceleration(view, body, at.p);
        break;
    case UT_SENSOR_VELOCIMETER:
        value = ut_point_velocity(kin, body, at.p);
        break;
    case UT_SENSOR_GYRO:
        value = kin->velocity[body].angular;
        break;
    default: // UT_SENSOR_MAGNETOMETER
        value = view->model->options.magnetic;
        break;
    }
    ut_sensor_store(ut_mat3_tmul_vec(at.R, value), x);
}
