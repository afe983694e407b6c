// SPDX-License-Identifier: Apache-2.0
// The factor of articulated bodies: forward_dynamics.c computes it and explains its letters.
#ifndef UPTACK_DYN_ARTICULATED_H
#define UPTACK_DYN_ARTICULATED_H

#include "internal.h"

// Two numbers. An operation on pairs is the operation on their entries, with the same bits.
typedef double Pair __attribute__((vector_size(16)));

static inline Pair twice(double x)
{
    return (Pair){x, x};
}

// A column of six numbers: a force above a torque.
typedef struct Column {
    Pair p[3];
} Column;

// The symmetric matrix (M H; H' I) by columns: left_j = (M; H') e_j multiplies linear velocity j,
// right_j = (H; I) e_j angular velocity j. H is stored twice, because whole columns need half the
// instructions.
typedef struct ArticulatedInertia {
    Column left[3], right[3];
} ArticulatedInertia;

// Two wrenches or two twists, component by component (two_solves.c).
typedef struct TwoForces {
    Pair fx, fy, fz, nx, ny, nz;
} TwoForces;

typedef struct TwoMotions {
    Pair vx, vy, vz, wx, wy, wz;
} TwoMotions;

// One eliminated velocity.
typedef struct Pivot {
    utMotion axis; // S
    utForce U;
    double inverse; // 1 / D
    double e;       // of the solve under way
    Pair two_e;     // of two solves at once
} Pivot;

// A body.
typedef struct Link {
    ArticulatedInertia inertia;
    utVec3 arm;           // from the origin of the parent's frame to that of the body's
    utForce force;        // p of the solve under way
    utMotion response;    // A' of it
    TwoForces two_forces; // the same of two solves at once
    TwoMotions two_responses;
} Link;

struct utArticulatedFactor {
    Link* link;           // nbody
    Pivot* pivot;         // nv
    bool* plain;          // ntree: one free body with plain inertia
    utMat3* free_inverse; // ntree: the inverse inertia of such a body, in its own frame
};

#endif
