// SPDX-License-Identifier: Apache-2.0
// All tolerances of the certificate, each with its reason. docs/certificate.md defines the tests.
// Constants of a single algorithm stand at the top of its file (laws/follow.c).
#ifndef UPTACK_CERTIFICATE_TOLERANCES_H
#define UPTACK_CERTIFICATE_TOLERANCES_H

#include <float.h>

// ---- limits of the tests ------------------------------------------------------------------------

// Relative to a tree's momentum and impulses. Both sides are sums by Newton-Euler, so
// only rounding remains.
static const double MOMENTUM_LIMIT = 1e-10;

// Relative to V. E is computed from the stored velocity and must be exact to a
// hundredth of its tolerance.
static const double STORED_LIMIT = 1e-10;

// Relative to V. Rows of equalities are linear equations, which every solver solves to rounding.
static const double BILATERAL_LIMIT = 1e-9;

// Compliance of rows of equalities that cannot all hold, over the largest mobility of a row of the
// equality, with room for rounding of the mobility.
static const double LOOSE_COMPLIANCE_LIMIT = 1.001e-7;

// Error of an equality, m, above which equalities may be loose: a projection removes larger ones
// where they can all hold.
static const double LOOSE_GAP = 9e-10;

// Solvers project impulses onto the cone before they form v+, so only rounding remains.
static const double CONE_LIMIT = 1e-12;

// q+ = q ⊕ h v+ is one operation per entry, and a few for a rotation.
static const double POSITION_LIMIT = 1e-12;

// Relative to the shapes' size. Collision treats features within 1e-8 of each other as touching.
static const double GEOMETRY_LIMIT = 2e-8;

// Relative to V, as the default tolerance of E.
static const double REPORTED_LIMIT = 1e-8;
static const double IMPACT_LIMIT = 1e-8;

// ---- scales -------------------------------------------------------------------------------------

// m/s: V of an island at rest without gravity.
static const double SMALLEST_V = 1e-9;

// V is at least this fraction of the island's largest speed, so that rounding of the speed
// (1e-16 / 1e-5 = 1e-11) stays well below the tolerance of E.
static const double SPEED_FRACTION = 1e-5;

// Relative to the largest trace of the island: no impulse can move a contact with a smaller
// tr(A_ii), because its trace is rounding of the others.
static const double IMMOVABLE_TRACE = 1e-14;

// Relative to the island's largest speed. Articulated bodies find v+ by other operations in another
// order than the step, which costs some roundings of the speed; V can be 1e-5 of the speed.
// Impulses that cancel add nothing, because both programs sum them with twice the digits.
static const double SPEED_ROUNDING = 256.0 * DBL_EPSILON;

// Per part of a step: the order in which times were added is not known.
static const double TIME_ROUNDING = 4.0 * DBL_EPSILON;

// Relative to the coordinates: roundings of a point between the world and the frame of a shape.
static const double COORDINATE_ROUNDING = 16.0 * DBL_EPSILON;

// ---- active set ---------------------------------------------------------------------------------

// m, or m/s for the border between static and kinetic friction: rounding may put a touching contact
// on either side of the border.
static const double BORDER_SLACK = 1e-9;

// A bound that exceeds a computed value by this factor exceeds it in spite of rounding.
static const double ABOVE_ROUNDING = 1.001;

// Relative: step and certificate compute the value by the same few operations.
static const double SAME_VALUE = 1e-12;

// Relative to the terms that enter: step and certificate compute the value by different operations,
// which differ by some roundings of the terms.
static const double SAME_TERMS = 1e-11;

// rad or m: gaps of limits, springs and equalities.
static const double SAME_GAP = 1e-9;

// Lengths and products of the unit axes of a contact's frame.
static const double ORTHONORMAL = 1e-12;

// Relative to a triangle's size: a point this near lies on the triangle. Ten times the distance
// within which collision treats features as touching.
static const double ON_TRIANGLE = 1e-7;

// rad or m: a joint this far beyond its limit needs the row of the limit.
static const double LIMIT_PASSED = 1e-9;

// Relative to the smaller radius: a larger overlap at the end of the step, beyond the
// effect of rotations, needs a contact. A contact that is present may end with an overlap
// of second order in h.
static const double MISSED_OVERLAP = 1e-3;

// ---- accelerations and impacts ------------------------------------------------------------------

// m/s: a contact that closes faster is an impact, one that opens faster has left.
static const double MOVING_NORMALLY = 1e-9;

// m/s: a contact that slips faster at the start of the step has kinetic friction.
static const double SLIDING = 1e-6;

// Relative: a rebound speed is a product of two numbers, one of which is a velocity that the
// certificate recomputes.
static const double SAME_REBOUND = 1e-9;

// Weight of a velocity that still closes after an impact: 1e-9 V in a field with the limit 1e-8.
static const double CLOSING_WEIGHT = 10.0;

// Relative to the model's bounce threshold: the engine may treat a slower rebound
// as none (hysteresis).
static const double STEADY_FACTOR = 2.0;

#endif
