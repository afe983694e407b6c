// SPDX-License-Identifier: Apache-2.0
// What the builders of scenes share: short words for describing bodies, and the builders' names.
#ifndef UPTACK_SCENES_BUILD_H
#define UPTACK_SCENES_BUILD_H

#include <uptack/scenes.h>

/// A description being written. Failures are remembered and told once, at the end.
typedef struct Builder {
    utModelDef* def;
    bool short_of_memory;
} Builder;

/// A name with numbers in it, "box3_4".
typedef struct Name {
    char text[32];
} Name;

Name ut_scene_name(const char* format, ...) UT_PRINTF(1, 2);

double ut_scene_radians(double degrees);

/// How long a run takes and with which step, s; everything else as ut_options().
utOptions ut_scene_options(double time, double dt);
void ut_scene_set_options(Builder* b, const utOptions* options);

// Each of these adds one thing and gives its index.
int ut_scene_body(Builder* b, const char* name, int parent, utVec3 pos);
int ut_scene_turned_body(Builder* b, const char* name, int parent, utVec3 pos, utQuat quat);
int ut_scene_add_body(Builder* b, const utBodyDef* body);
int ut_scene_joint(Builder* b, int body, const char* name, utJointKind kind, utVec3 axis);
int ut_scene_add_joint(Builder* b, const utJointDef* joint);
int ut_scene_add_geom(Builder* b, const utGeomDef* geom);
int ut_scene_motor(Builder* b, int joint, const char* name);
int ut_scene_add_actuator(Builder* b, const utActuatorDef* actuator);

/// A geom in the middle of its body. @param mass kg
int ut_scene_geom(Builder* b, int body, const char* name, utShapeKind kind, utVec3 size,
                  double mass, double friction);

/// The plane z = 0 of the world, called "floor".
void ut_scene_floor(Builder* b, double friction);

/// A plane through a point of the world, its normal being z turned by quat.
void ut_scene_plane(Builder* b, const char* name, utVec3 pos, utQuat quat, double friction);

/// A body with a free joint and one geom, all of one name.
int ut_scene_free(Builder* b, const char* name, utVec3 pos, utQuat quat, utShape shape, double mass,
                  double friction);
int ut_scene_free_box(Builder* b, const char* name, utVec3 pos, utVec3 half, double mass,
                      double friction);

/// The keyframe UT_SCENE_START. An array may be NULL with a count of 0.
void ut_scene_start(Builder* b, int nq, const double* q, int nv, const double* v, int nu,
                    const double* ctrl);
void ut_scene_keyframe(Builder* b, const utKeyframeDef* key);

/// A builder gets the numbers of its scene, whole and within their ranges.
typedef void SceneBuild(Builder* b, const double* arg);

SceneBuild ut_scene_balls216, ut_scene_balls648, ut_scene_pile;
SceneBuild ut_scene_stack, ut_scene_stackm, ut_scene_pyramid, ut_scene_wall, ut_scene_wedge,
    ut_scene_table;
SceneBuild ut_scene_slide, ut_scene_incline, ut_scene_slope, ut_scene_rolling, ut_scene_ladder,
    ut_scene_painleve;
SceneBuild ut_scene_pendulum, ut_scene_pendulum2, ut_scene_chain, ut_scene_top;
SceneBuild ut_scene_quad, ut_scene_gripper, ut_scene_grasp;

#endif
