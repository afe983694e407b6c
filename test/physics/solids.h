// SPDX-License-Identifier: Apache-2.0
// What the scenes of rolling, spinning and toppling solids share: one free body, its state, and
// the motions that a step of Euler's makes of small departures, which are known in closed form.
#ifndef UPTACK_TEST_PHYSICS_SOLIDS_H
#define UPTACK_TEST_PHYSICS_SOLIDS_H

#include <complex.h>
#undef I // a moment of inertia here

#include "closed_form.h"

static inline double complex complex_of(double x, double y)
{
    return x + y * (double complex)_Complex_I;
}

/// One free solid of uniform density. @return the body
static inline int lab_form(Lab* lab, utShapeKind kind, utVec3 size, utVec3 pos, utQuat quat,
                           double mass, double mu)
{
    utBodyDef def = ut_body_def();
    def.pos = pos;
    def.quat = quat;
    const int body = ut_model_def_body(lab->def, &def);
    lab_free(lab, body);
    lab_geom(lab, body, kind, size, mass, mu);
    return body;
}

/// Velocity and angular velocity, both in the world, of a body whose free joint begins at v[first].
static inline void lab_twist(Lab* lab, int body, int first, utVec3 v, utVec3 w)
{
    const utVec3 w_body = ut_quat_rotate_inverse(ut_sim_body(lab->sim, body).quat, w);
    const double twist[6] = {v.x, v.y, v.z, w_body.x, w_body.y, w_body.z};
    for (int k = 0; k < 6; k++) {
        lab_velocity(lab, first + k, twist[k]);
    }
}

/// A shape's z laid onto the world's y.
static inline utQuat lying(void)
{
    return ut_quat_from_axis_angle(ut_vec3(1, 0, 0), -PI / 2.0);
}

/// Turned by an angle about an axis of the world.
static inline utQuat turned(utVec3 axis, double angle)
{
    return ut_quat_from_axis_angle(axis, angle);
}

/// Slow scenes are run with something off in release builds only.
static inline bool left_out(Trial* t)
{
#ifdef NDEBUG
    (void)t;
    return false;
#else
    t->noticed = t->off;
    return t->off;
#endif
}

// ---- bounds -------------------------------------------------------------------------------------

/// What the steps so far have left of a velocity: as left_of, by the largest E that was seen.
/// Impulses that do not repeat are polished to rounding, so this is far less than 1e-8 allows.
static inline double left_by(const Lab* lab, double V)
{
    return 10.0 * (lab->worst + 1e-15) * V * lab->steps;
}

// ---- small departures ---------------------------------------------------------------------------

// x'' = -s^2 x from x0 at rest. A step is v += -h s^2 x, x += h v, so that x obeys
// x(n+1) - 2 x(n) + x(n-1) = -(h s)^2 x(n), which has the solution below: a swing of the angle p a
// step with 2 sin(p / 2) = h s.
static inline double swung(double x0, double s, double h, int n)
{
    const double p = 2.0 * asin(0.5 * h * s);
    return x0 * cos((n + 0.5) * p) / cos(0.5 * p);
}

/// The same for x'' = +s^2 x: 2 sinh(p / 2) = h s.
static inline double grown(double x0, double s, double h, int n)
{
    const double p = 2.0 * asinh(0.5 * h * s);
    return x0 * cosh((n + 0.5) * p) / cosh(0.5 * p);
}

#endif
