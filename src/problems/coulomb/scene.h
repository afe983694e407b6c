// SPDX-License-Identifier: Apache-2.0
// A scene of boxes while it grows. The room for each array is known beforehand, so that adding
// never fails.
#ifndef UPTACK_PROBLEMS_COULOMB_SCENE_H
#define UPTACK_PROBLEMS_COULOMB_SCENE_H

#include <uptack/coulomb_problems.h>

enum { UT_BUILD_WORLD = -1 }; ///< the first fixed body; in a joint, the world

/// How many of each a scene has at most.
typedef struct utBuildRoom {
    int bodies;
    int fixed;
    int contacts;
    int joints;
} utBuildRoom;

typedef struct utBuild {
    const utFrictionDef* def;
    utRng rng;        ///< for places and sizes
    utRng mu_rng;     ///< for friction, so that it does not depend on the rest
    utBuildRoom room; ///< of the arrays
    utBuildRoom used; ///< so far
    utFrictionBody* bodies;
    utFrictionBody* fixed;
    utFrictionContact* contacts;
    utFrictionJoint* joints;
} utBuild;

utBuildRoom ut_build_room(const utFrictionDef* def);

/// A box along the world's axes, at rest.
utFrictionBody ut_build_box(utVec3 center, utVec3 half, double mass);

/// Set the inertia of a solid box from its mass and size.
void ut_build_inertia(utFrictionBody* body);

/// Add a body that moves. @return its number
int ut_build_add(utBuild* build, utFrictionBody body);

/// Add a body that does not. @return -1 - its number, as contacts name it
int ut_build_add_fixed(utBuild* build, utFrictionBody body);

/// The ground below z = 0, as the first fixed body.
void ut_build_ground(utBuild* build);

/// The body that contacts call `name`.
const utFrictionBody* ut_build_body(const utBuild* build, int name);

/// Add one contact; its tangents and its friction are found here.
void ut_build_contact(utBuild* build, int a, int b, utVec3 point, utVec3 normal, double gap);

/// Add the four contacts of a's face toward b along a's own axis 0, 1 or 2. Both boxes have the
/// same axes. Nothing is added where they have no common rectangle.
void ut_build_face(utBuild* build, int a, int b, int axis, double gap);

void ut_build_joint(utBuild* build, int a, int b, utVec3 point, utVec3 direction);

/// Give the pushed body its velocity, body `middle` unless the def names one.
void ut_build_push(utBuild* build, int middle);

/// base^u for u in [0, 1) and base > 0, with the same bits everywhere.
double ut_build_power(double base, double u);

// The scenes.
void ut_build_stack(utBuild* build);
void ut_build_wall(utBuild* build);
void ut_build_wedge(utBuild* build);
void ut_build_table(utBuild* build);
void ut_build_ramp(utBuild* build);
void ut_build_grasp(utBuild* build);
void ut_build_chain(utBuild* build);
void ut_build_pile(utBuild* build);

#endif
