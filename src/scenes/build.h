// SPDX-License-Identifier: Apache-2.0
// Shared by the builders of scenes: functions that add bodies, and the list of builders.
#ifndef UPTACK_SCENES_BUILD_H
#define UPTACK_SCENES_BUILD_H

#include <uptack/scenes.h>

/// A description under construction. ut_scene_build reports a lack of memory once, at the end.
typedef struct Builder {
    utModelDef* def;
    bool out_of_memory;
} Builder;

/// A formatted name such as "box3_4".
typedef struct Name {
    char text[32];
} Name;

Name ut_scene_name(const char* format, ...) UT_PRINTF(1, 2);

double ut_scene_radians(double degrees);

/// Options with a simulated time and a time step, in s; all others as in ut_options().
utOptions ut_scene_options(double time, double dt);
void ut_scene_set_options(Builder* b, const utOptions* options);

// Each of these functions adds one object and returns its index.
int ut_scene_body(Builder* b, const char* name, int parent, utVec3 pos);
int ut_scene_turned_body(Builder* b, const char* name, int parent, utVec3 pos, utQuat quat);
int ut_scene_add_body(Builder* b, const utBodyDef* body);
int ut_scene_joint(Builder* b, int body, const char* name, utJointKind kind, utVec3 axis);
int ut_scene_add_joint(Builder* b, const utJointDef* joint);
int ut_scene_add_geom(Builder* b, const utGeomDef* geom);
int ut_scene_motor(Builder* b, int joint, const char* name);
int ut_scene_add_actuator(Builder* b, const utActuatorDef* actuator);

/// Add a geom at the origin of its body. @param mass kg
int ut_scene_geom(Builder* b, int body, const char* name, utShapeKind kind, utVec3 size,
                  double mass, double friction);

/// Add the plane z = 0, called "floor", to the world.
void ut_scene_floor(Builder* b, double friction);

/// Add a plane through `pos` to the world. Its normal is z rotated by quat.
void ut_scene_plane(Builder* b, const char* name, utVec3 pos, utQuat quat, double friction);

/// Add a body with a free joint and one geom, all three with the same name.
int ut_scene_free(Builder* b, const char* name, utVec3 pos, utQuat quat, utShape shape, double mass,
                  double friction);
int ut_scene_free_box(Builder* b, const char* name, utVec3 pos, utVec3 half, double mass,
                      double friction);

/// Add the keyframe UT_KEYFRAME_START. An array may be NULL with a count of 0.
void ut_scene_start(Builder* b, int nq, const double* q, int nv, const double* v, int nu,
                    const double* ctrl);
void ut_scene_keyframe(Builder* b, const utKeyframeDef* key);

/// A builder. @param arg the numbers of the scene's name, checked against their ranges
typedef void SceneBuild(Builder* b, const double* arg);

SceneBuild ut_scene_balls216, ut_scene_balls648, ut_scene_balls, ut_scene_pile;
SceneBuild ut_scene_islands;
SceneBuild ut_scene_stack, ut_scene_stackm, ut_scene_pyramid, ut_scene_wall, ut_scene_wedge,
    ut_scene_table;
SceneBuild ut_scene_slide, ut_scene_incline, ut_scene_slope, ut_scene_rolling, ut_scene_ladder,
    ut_scene_painleve;
SceneBuild ut_scene_pendulum, ut_scene_pendulum2, ut_scene_chain, ut_scene_top;
SceneBuild ut_scene_quad, ut_scene_gripper, ut_scene_grasp;

#endif
