// SPDX-License-Identifier: Apache-2.0
// Small models, random models and states for the tests of dyn.
#ifndef UPTACK_TEST_DYN_BUILD_H
#define UPTACK_TEST_DYN_BUILD_H

#include <uptack/dyn.h>

enum { BUILD_MAX_Q = 700 }; ///< no model of these tests has more entries of q

/// A description to add to.
utModelDef* build_start(void);

/// A body with mass, centre of mass and inertia. @return its index
int build_body(utModelDef* def, int parent, utVec3 pos, double mass, utVec3 com, utMat3 inertia);

/// A joint about or along an axis, through the body's origin.
int build_joint(utModelDef* def, int body, utJointKind kind, utVec3 axis);

/// Compile and destroy the description. @return NULL, with a failed check, when it cannot be
/// compiled
utModel* build_finish(utModelDef* def);

/// One body of mass 2, inertia diag(0.3, 0.5, 0.7) and centre of mass `com`, on a free joint.
utModel* build_free(utVec3 com);

/// Links of 0.1 m x 0.02 m x 0.02 m and 0.1 kg along x, hinges about y.
utModel* build_chain(int links);

/// Two links hanging down: lengths 0.5 and 0.4 m, masses 2 and 1 kg, centres of mass 0.3 and 0.25 m
/// below their hinges about y, moments of inertia about y 0.05 and 0.03 kg m^2.
utModel* build_double_pendulum(void);

/// Bodies with all kinds of joints, several per body, armature, and welded bodies between them.
/// @param chain a single chain; false: a forest
utModel* build_random(uint64_t seed, int bodies, bool chain);

/// A pose and velocities, up to `speed` each.
void build_state(const utModel* model, uint64_t seed, double speed, double* q, double* v);

/// Kinematics at a state, from the test arena.
utKinematics build_kinematics(const utModel* model, const double* q, const double* v,
                              utArena* arena);

/// Kinetic and potential energy.
double build_energy(const utModel* model, const double* q, const double* v, utVec3 gravity,
                    utArena arena);

#endif
