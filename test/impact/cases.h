// SPDX-License-Identifier: Apache-2.0
// Contacts for the tests of impact, and an independent solver.
#ifndef UPTACK_TEST_IMPACT_CASES_H
#define UPTACK_TEST_IMPACT_CASES_H

#include <math.h>
#include <uptack/impact.h>

#include "test.h"

static const double pi = 3.1415926535897931;

/// A solid ball of mass m: 1/m along the normal, 1/m + R^2 / (2/5 m R^2) = 7/(2m) across.
utImpact impact_ball(double m, double u_n, double u_1, double u_2);

/// A uniform rod, m 1, L 1, at `angle` to the floor, that strikes with its lower end; in the plane.
/// The centre is on the side of t < 0 for side = 1, of t > 0 for side = -1.
utImpact impact_rod(double angle, double side, double u_n, double u_t);

/// A random box, tumbling, that strikes with a corner; u is the velocity of the corner.
utImpact impact_box_corner(utRng* rng);

/// K = A A^T + 0.1 of a random A, with random u, mu up to 1.2 and e.
utImpact impact_random(utRng* rng);

/// Solve, with UT_OK checked.
utImpactResult impact_solved(const utImpact* impact);

/// The result of an independent solver: Runge-Kutta steps in the normal impulse in long double,
/// with Cartesian u_t; a contact sticks when the friction that this needs is within the cone.
typedef struct RungeKuttaResult {
    double r[3], u[3];
    double r_c;      ///< normal impulse at the end of compression
    double W_c, W_r; ///< works
    bool rested;     ///< slip stopped during the impact
} RungeKuttaResult;

/// @param h the step in N s
RungeKuttaResult impact_runge_kutta(const utImpact* impact, double h);

#endif
