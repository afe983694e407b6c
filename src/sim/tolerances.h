// SPDX-License-Identifier: Apache-2.0
// All tolerances of the sim module and their reasons. Factors of a method (how fast a step length
// may grow, how many passes are tried) stand beside the method.
#ifndef UPTACK_SIM_TOLERANCES_H
#define UPTACK_SIM_TOLERANCES_H

#include <float.h>

// ---- time and numbers ---------------------------------------------------------------------------

/// Steps from t = 0 to the largest time: one step is then known to 2^-12 of its length.
static const double MAX_TIME_STEPS = 0x1p40;

/// Most steps on the clock of a snapshot: a double counts no further.
static const double MAX_CLOCK_STEPS = 0x1p53;

/// Deviation of a quaternion's length from 1 in a snapshot. Those of a sim are closer.
static const double QUATERNION_TOLERANCE = 1e-6;

/// sin of the half angle by which a mocap body may turn out of a planar world: rounding.
static const double PLANE_TOLERANCE = 1e-9;

/// Energies that a gain is the difference of are known to this fraction.
static const double ENERGY_ROUNDING = 64.0 * DBL_EPSILON;

// ---- sleeping, fractions of the velocity h |g| that gravity adds in a step ----------------------

/// Largest speed of an island at rest, which is lost when it falls asleep.
static const double REST_SPEED = 1e-3;

/// Largest speed after a step from rest that is rounding: below the certificate's limits of momentum and
/// of the stored velocity (1e-10).
static const double HELD_SPEED = 5e-11;

// ---- lengths, m ---------------------------------------------------------------------------------

/// Shapes with a smaller gap touch. The certificate uses the same value for instants.
static const double TOUCH_GAP = 1e-9;

/// Smaller overlaps and errors of equalities are left alone: they are rounding of the step before.
static const double PROJECTED_OVERLAP = 1e-9;

/// Scale of the projection's problems: equalities are projected to 1e-9 of it.
static const double PROJECTION_SCALE = 1e-5;

/// Contacts whose small gaps are closed are to overlap by this fraction of the largest gap that is closed,
static const double CLOSING_DEPTH = 1e-5;

/// and the solver's tolerance is below it, so that its error leaves none of them open.
static const double CLOSING_TOLERANCE = 1e-6;

/// Largest displacement of one projection: linearized gaps say nothing beyond.
static const double MAX_PROJECTION = 0.2;

/// Re-linearisation ends when its rows predict gaps with this accuracy.
static const double RELINEARISED_GAP = 1e-9;

/// An event is located when the gap at the end of its sub-step is this small.
static const double EVENT_GAP = 1e-13;

/// A resting contact that rises by more has left: the rest is rounding.
static const double RISE_ROUNDING = 1e-14;

/// A contact that would bounce no higher does not bounce.
static const double MIN_BOUNCE_HEIGHT = 1e-12;

// ---- velocities, m/s ----------------------------------------------------------------------------

/// A contact that closes more slowly rests.
static const double MIN_CLOSING_SPEED = 1e-9;

/// A steady contact that opens faster leaves.
static const double LEAVING_SPEED = 1e-6;

// ---- fractions ----------------------------------------------------------------------------------

/// Solvers get this fraction of the tolerance, because the certificate recomputes E from the
/// impulses and does not get the same last bits.
static const double SOLVER_TOLERANCE = 0.9;

/// E of an instant, whatever the tolerance: the certificate allows it to close by 1e-9 V.
static const double INSTANT_TOLERANCE = 5e-10;

/// E with rows of equalities: these are solved to a tenth of E and certified at 1e-9.
static const double EQUALITY_TOLERANCE = 5e-9;

/// Excess of impulses over their cone, as the certificate allows it.
static const double CONE_TOLERANCE = 1e-12;

/// A gap that closes within a step at less than this fraction of the tolerance times V is rounding,
static const double ROUNDING_GAP = 0.01;

/// and in an island with more than MANY_CONTACTS this one: nearly all that SOLVER_TOLERANCE leaves, because E
/// changes by at most the velocity of the gaps. The errors that a step leaves are gaps of the next one. A large
/// pile has more contacts than its bodies can close together, and which of them opens for such a gap is a hard
/// problem without a meaning.
static const double ROUNDING_GAP_OF_MANY = 0.09;
enum { MANY_CONTACTS = 200 };

/// Factorizations per velocity of the first attempts at a step of a model with so many velocities
/// (sim/attempts.c): most hard steps of 216 balls, with 1,296 velocities, need 500 to 1,500.
enum { HASTY = 2, MANY_VELOCITIES = 400 };

/// Slower than this fraction of an island's velocity scale is neither slip nor separation.
static const double SLIP_FRACTION = 1e-6;

/// Overlap over the size of its pair that a step may end with: the next step's projection removes it.
static const double ALLOWED_OVERLAP = 1e-3;

/// A larger one flags the step.
static const double FLAGGED_OVERLAP = 1e-2;

/// Compliance of equalities that cannot all hold, over the mobility of their rows. Rows that depend
/// on each other to 1e-4 then give way, and their impulses stay small enough for double precision.
static const double LOOSE_COMPLIANCE = 1e-7;

/// A smaller fraction of an error that remains is the compliance of rows that are hard to move.
static const double LOOSE_SHARE = 1e-3;

/// Energy gains of restitution below this fraction of the contacts' work are rounding.
static const double WORK_ROUNDING = 1e-12;

/// Contacts and rows that close more slowly than this fraction of the largest rebound rest.
static const double REBOUND_ROUNDING = 1e-12;

/// Scaled residual that the LCP of a law on accelerations is solved to: it is measured by its
/// largest entry, and light bodies have small ones.
static const double LCP_RESIDUAL_WANTED = 1e-13;

/// Residual at which an LCP that ran out of iterations counts as solved.
static const double LCP_RESIDUAL_ENOUGH = 1e-10;

#endif
