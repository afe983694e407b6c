// SPDX-License-Identifier: Apache-2.0
// Rows of equalities as the model and the state define them.
#ifndef UPTACK_CERTIFICATE_CONTACTS_EQUALITY_H
#define UPTACK_CERTIFICATE_CONTACTS_EQUALITY_H

#include "certificate/internal.h"
#include "report/row_component.h"

/// Both constraint frames of an equality and their relative pose.
typedef struct EqualityFrames {
    const utModelEquality* equality;
    const utKinematics* kin;
    utFrame one, two; ///< world
    utMat3 D;         ///< rotation of the second frame in the first
    utVec3 d;         ///< origin of the second frame in the first
} EqualityFrames;

/// A row of an equality.
typedef struct EqualityRow {
    bool exists;
    utRowKind kind;
    utVec3 linear, angular;
    utVec3 point1, point2;
    double gap;
    double low, high;
    double compliance;
    double b; ///< of compliant rows
} EqualityRow;

/// The factor that turns a coordinate into m: the reach of a rotation, else 1.
static inline double length_of(const utModelEquality* equality)
{
    return equality->kind == UT_EQUALITY_SLIDE ? 1.0 : equality->reach;
}

/// Number of coordinates that an equality leaves free.
static inline int free_coordinates(utEqualityKind kind)
{
    return kind == UT_EQUALITY_BALL                                 ? 3
           : kind == UT_EQUALITY_HINGE || kind == UT_EQUALITY_SLIDE ? 1
                                                                    : 0;
}

EqualityFrames ut_certify_equality_frames(const Judge* judge, const utKinematics* kin,
                                          int equality);

/// Number of constraint rows.
int ut_certify_constraint_count(const Judge* judge, utEqualityKind kind);

/// The row with the equality and component of `row`; `exists` is false when there is none.
EqualityRow ut_certify_expected_row(const Judge* judge, const utRow* row);

/// Fill the gradient of the k-th free coordinate, scaled to m/s. For a ball it is the angular
/// velocity about axis k of body2. @return the coordinate, rad or m
double ut_certify_equality_axis(const EqualityFrames* frames, int k, EqualityRow* x);

/// The velocity of a row under joint velocities v, mocap bodies moving, m/s.
double ut_certify_equality_velocity(const Judge* judge, const EqualityFrames* frames,
                                    const EqualityRow* x, const double* v);

#endif
