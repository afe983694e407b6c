// SPDX-License-Identifier: Apache-2.0
// Functions that add bodies, joints, geoms and keyframes to a scene.
#include "build.h"

#include <stdarg.h>
#include <stdio.h>

Name ut_scene_name(const char* format, ...)
{
    Name name;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name.text, sizeof name.text, format, arguments);
    va_end(arguments);
    return name;
}

double ut_scene_radians(double degrees)
{
    return degrees * (3.14159265358979323846 / 180.0);
}

// ---- options ------------------------------------------------------------------------------------

utOptions ut_scene_options(double time, double dt)
{
    utOptions options = ut_options();
    options.time = time;
    options.dt = dt;
    return options;
}

void ut_scene_set_options(Builder* b, const utOptions* options)
{
    ut_model_def_options(b->def, options);
}

// ---- objects ------------------------------------------------------------------------------------

// Remember a lack of memory. @return index
static int checked(Builder* b, int index)
{
    b->out_of_memory = b->out_of_memory || index < 0;
    return index;
}

int ut_scene_add_body(Builder* b, const utBodyDef* body)
{
    return checked(b, ut_model_def_body(b->def, body));
}

int ut_scene_turned_body(Builder* b, const char* name, int parent, utVec3 pos, utQuat quat)
{
    utBodyDef body = ut_body_def();
    body.name = name;
    body.parent = parent;
    body.pos = pos;
    body.quat = quat;
    return ut_scene_add_body(b, &body);
}

int ut_scene_body(Builder* b, const char* name, int parent, utVec3 pos)
{
    return ut_scene_turned_body(b, name, parent, pos, ut_quat_identity());
}

int ut_scene_add_joint(Builder* b, const utJointDef* joint)
{
    return checked(b, ut_model_def_joint(b->def, joint));
}

int ut_scene_joint(Builder* b, int body, const char* name, utJointKind kind, utVec3 axis)
{
    utJointDef joint = ut_joint_def(body, kind);
    joint.name = name;
    joint.axis = axis;
    return ut_scene_add_joint(b, &joint);
}

int ut_scene_add_geom(Builder* b, const utGeomDef* geom)
{
    return checked(b, ut_model_def_geom(b->def, geom));
}

int ut_scene_geom(Builder* b, int body, const char* name, utShapeKind kind, utVec3 size,
                  double mass, double friction)
{
    utGeomDef geom = ut_geom_def(body, kind, size);
    geom.name = name;
    geom.mass = mass;
    geom.friction = friction;
    return ut_scene_add_geom(b, &geom);
}

int ut_scene_add_actuator(Builder* b, const utActuatorDef* actuator)
{
    return checked(b, ut_model_def_actuator(b->def, actuator));
}

int ut_scene_motor(Builder* b, int joint, const char* name)
{
    utActuatorDef motor = ut_actuator_def(joint, UT_ACTUATOR_MOTOR);
    motor.name = name;
    return ut_scene_add_actuator(b, &motor);
}

// ---- floors and free bodies ---------------------------------------------------------------------

void ut_scene_plane(Builder* b, const char* name, utVec3 pos, utQuat quat, double friction)
{
    utGeomDef geom = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3_zero());
    geom.name = name;
    geom.pos = pos;
    geom.quat = quat;
    geom.friction = friction;
    ut_scene_add_geom(b, &geom);
}

void ut_scene_floor(Builder* b, double friction)
{
    ut_scene_plane(b, "floor", ut_vec3_zero(), ut_quat_identity(), friction);
}

int ut_scene_free(Builder* b, const char* name, utVec3 pos, utQuat quat, utShape shape, double mass,
                  double friction)
{
    const int body = ut_scene_turned_body(b, name, 0, pos, quat);
    ut_scene_joint(b, body, name, UT_JOINT_FREE, ut_vec3(0.0, 0.0, 1.0));
    ut_scene_geom(b, body, name, shape.kind, shape.size, mass, friction);
    return body;
}

int ut_scene_free_box(Builder* b, const char* name, utVec3 pos, utVec3 half, double mass,
                      double friction)
{
    const utShape box = {.kind = UT_SHAPE_BOX, .size = half};
    return ut_scene_free(b, name, pos, ut_quat_identity(), box, mass, friction);
}

// ---- keyframes ----------------------------------------------------------------------------------

void ut_scene_keyframe(Builder* b, const utKeyframeDef* key)
{
    checked(b, ut_model_def_keyframe(b->def, key));
}

void ut_scene_start(Builder* b, int nq, const double* q, int nv, const double* v, int nu,
                    const double* ctrl)
{
    const utKeyframeDef key = {
        .name = UT_KEYFRAME_START,
        .nq = nq,
        .q = q,
        .nv = nv,
        .v = v,
        .nu = nu,
        .ctrl = ctrl,
    };
    ut_scene_keyframe(b, &key);
}
