// SPDX-License-Identifier: Apache-2.0
// What the builders of scenes share: short words for describing bodies, and the builders' names.
#ifndef UPTACK_SCENES_BUILD_H
#define UPTACK_SCENES_BUILD_H

#include "scenes.h"

/// A description being written. Failures are remembered and told once, at the end.
typedef struct Builder {
    utModelDef* def;
    bool short_of_memory;
} Builder;

/// A name with numbers in it, "box3_4".
typedef struct Name {
    char text[32];
} Name;

Name scene_name(const char* format, ...) UT_PRINTF(1, 2);

double scene_radians(double degrees);

/// How long a run takes and with which step, s; everything else as ut_options().
utOptions scene_options(double time, double dt);
void scene_set_options(Builder* b, const utOptions* options);

// Each of these adds one thing and gives its index.
int scene_body(Builder* b, const char* name, int parent, utVec3 pos);
int scene_turned_body(Builder* b, const char* name, int parent, utVec3 pos, utQuat quat);
int scene_add_body(Builder* b, const utBodyDef* body);
int scene_joint(Builder* b, int body, const char* name, utJointKind kind, utVec3 axis);
int scene_add_joint(Builder* b, const utJointDef* joint);
int scene_add_geom(Builder* b, const utGeomDef* geom);
int scene_motor(Builder* b, int joint, const char* name);
int scene_add_actuator(Builder* b, const utActuatorDef* actuator);

/// A geom in the middle of its body. @param mass kg
int scene_geom(Builder* b, int body, const char* name, utShapeKind kind, utVec3 size, double mass,
               double friction);

/// The plane z = 0 of the world, called "floor".
void scene_floor(Builder* b, double friction);

/// A plane through a point of the world, its normal being z turned by quat.
void scene_plane(Builder* b, const char* name, utVec3 pos, utQuat quat, double friction);

/// A body with a free joint and one geom, all of one name.
int scene_free(Builder* b, const char* name, utVec3 pos, utQuat quat, utShape shape, double mass,
               double friction);
int scene_free_box(Builder* b, const char* name, utVec3 pos, utVec3 half, double mass,
                   double friction);

/// The keyframe UT_SCENE_START. An array may be NULL with a count of 0.
void scene_start(Builder* b, int nq, const double* q, int nv, const double* v, int nu,
                 const double* ctrl);
void scene_keyframe(Builder* b, const utKeyframeDef* key);

/// A builder gets the numbers of its scene, whole and within their ranges.
typedef void SceneBuild(Builder* b, const double* arg);

SceneBuild scene_balls216, scene_balls648, scene_pile;
SceneBuild scene_stack, scene_stackm, scene_pyramid, scene_wall, scene_wedge, scene_table;
SceneBuild scene_slide, scene_incline, scene_slope, scene_rolling, scene_ladder, scene_painleve;
SceneBuild scene_pendulum, scene_pendulum2, scene_chain, scene_top;
SceneBuild scene_quad, scene_gripper, scene_grasp;

#endif
