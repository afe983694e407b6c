// SPDX-License-Identifier: Apache-2.0
// A scene of boxes while it is built. The capacity of each array is known in advance, so adding never
// fails.
#ifndef UPTACK_PROBLEMS_COULOMB_SCENE_BUILDER_H
#define UPTACK_PROBLEMS_COULOMB_SCENE_BUILDER_H

#include <uptack/coulomb_problems.h>

enum { UT_BUILD_WORLD = -1 }; ///< the first fixed body; in a joint, the world

/// Numbers of bodies, contacts and joints.
typedef struct utBuildCounts {
    int bodies;
    int fixed;
    int contacts;
    int joints;
} utBuildCounts;

typedef struct utBuild {
    const utFrictionDef* def;
    utRng rng;              ///< for positions and sizes
    utRng mu_rng;           ///< for friction, which then does not depend on positions and sizes
    utBuildCounts capacity; ///< capacities of the arrays
    utBuildCounts used;     ///< added so far
    utFrictionBody* bodies;
    utFrictionBody* fixed;
    utFrictionContact* contacts;
    utFrictionJoint* joints;
} utBuild;

utBuildCounts ut_build_capacity(const utFrictionDef* def);

/// An axis-aligned box at rest.
utFrictionBody ut_build_box(utVec3 center, utVec3 half, double mass);

/// Set the inertia of a solid box from its mass and size.
void ut_build_inertia(utFrictionBody* body);

/// Add a body that moves. @return its number
int ut_build_add(utBuild* build, utFrictionBody body);

/// Add a fixed body. @return -1 - its number, which contacts use for it
int ut_build_add_fixed(utBuild* build, utFrictionBody body);

/// Add the ground below z = 0 as the first fixed body.
void ut_build_ground(utBuild* build);

/// The body with the number `name` in contacts.
const utFrictionBody* ut_build_body(const utBuild* build, int name);

/// Add one contact and choose its tangents and friction.
void ut_build_contact(utBuild* build, int a, int b, utVec3 point, utVec3 normal, double gap);

/// Add four contacts between a and b along axis 0, 1 or 2 of a, at the corners of the common rectangle of
/// the two faces. Both boxes have the same axes. If there is no common rectangle, nothing is added.
void ut_build_face(utBuild* build, int a, int b, int axis, double gap);

void ut_build_joint(utBuild* build, int a, int b, utVec3 point, utVec3 direction);

/// Set the velocity of the pushed body: the one that the def names, else body `middle`.
void ut_build_push(utBuild* build, int middle);

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
