// SPDX-License-Identifier: Apache-2.0
// The terms of M a = passive - bias as MuJoCo groups them, from our own functions. Two groups differ
// from ours: MuJoCo counts gravity compensation among the passive forces, and the armature m of a
// tendon of length l(q) adds m J' J to M and m J' (J̇ v) to the bias.
#ifndef UPTACK_TEST_SUPPORT_MUJOCO_TERMS_H
#define UPTACK_TEST_SUPPORT_MUJOCO_TERMS_H

#include <uptack/dyn.h>

typedef struct MujocoTerms {
    double* M;            ///< nv x nv
    double* bias;         ///< nv
    double* passive;      ///< nv
    double* acceleration; ///< nv: M^-1 (passive - bias)
    double force_scale;   ///< size of one summand of a bias force: the largest entry of M times the
                          ///< largest acceleration that gravity or v cause at a distance of 1 m
} MujocoTerms;

/// Compute all terms. @param kin placed and moved at q and v
/// @param keep holds the arrays
/// @return false, with a failed check, when memory is short or M is not positive definite
bool mujoco_terms(const utKinematics* kin, const double* q, const double* v, utArena* keep,
                  MujocoTerms* terms);

#endif
