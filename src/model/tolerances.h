// SPDX-License-Identifier: Apache-2.0
// The tolerances of the model module. All of them compare numbers of a description, which files
// round, so each lies far above rounding and far below any intended difference.
#ifndef UPTACK_MODEL_TOLERANCES_H
#define UPTACK_MODEL_TOLERANCES_H

#include <float.h>

/// Sine of the largest angle by which an axis or a rotation of a planar world may leave the plane.
/// Files write rotations with 6 to 17 digits; smaller angles are set to 0, larger ones rejected.
#define PLANE_TOLERANCE 1e-9

/// Relative to the trace of an inertia: how far from symmetric, or from the inertia of a solid, an
/// inertia given by a file may be, because files give six digits.
#define INERTIA_TOLERANCE 1e-6

/// Relative to the trace: the least principal moment of a moving body. Rounding of sums is about
/// 1e-16, and the thinnest rods have ratios of about 1e-8.
#define MIN_INERTIA_RATIO 1e-12

/// Largest distance from 1 of the square of a quaternion that is a unit up to rounding: dividing by
/// the norm leaves at most this.
#define UNIT_SQUARE_TOLERANCE (8.0 * DBL_EPSILON)

/// Sine of the largest turn between two edges of a hull's outline that counts as straight.
#define STRAIGHT_SINE 1e-9

/// Corners of a hull's outline that are closer than this, relative to the hull's size, are one.
#define SAME_CORNER_DISTANCE 1e-9

/// The least area of a hull's outline, relative to the square of its size. Thinner outlines are
/// rejected because their normals would be dominated by rounding.
#define MIN_OUTLINE_AREA 1e-6

#endif
