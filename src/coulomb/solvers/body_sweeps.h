// SPDX-License-Identifier: Apache-2.0
// Fast Gauss-Seidel sweeps over the contacts of free bodies, in the velocities of the bodies.
#ifndef UPTACK_COULOMB_SOLVERS_BODY_SWEEPS_H
#define UPTACK_COULOMB_SOLVERS_BODY_SWEEPS_H

#include "system.h"

enum { SWEEP_DOF = 6 }; ///< velocities of a body

/// One contact. With M = L L' the velocities are y = L'v, so that one matrix serves both directions:
/// u = J y + b, and a change d of the impulse changes y by J'd.
typedef struct SweepContact {
    double J[2][3][SWEEP_DOF]; ///< J L^-T of the two bodies; zeros where there is none
    double b[3];
    double A[3][3];       ///< its block of W
    double inverse[3][3]; ///< of A; zeros when A is singular
    double r[3];          ///< impulse
    double mu;
    double m;    ///< effective mass
    double turn; ///< step of the slip direction: 1 / the largest row sum of A_tt
    int body[2]; ///< first entry of each body in y
    bool moves;  ///< false for an immovable contact, which keeps r = 0
} SweepContact;

/// Fill what follows from A: `inverse` and `turn`.
void ut_sweep_contact_prepare(SweepContact* c);

/// The impulse of one contact, nearly where it slips.
/// @param c A, inverse, turn, mu, m, and in r its last impulse
/// @param p its velocity without the impulse @param x receives it
void ut_sweep_contact_solve(const SweepContact* c, const double* p, double* x);

typedef struct BodySweeps {
    const System* system;
    int bodies;
    int contacts;
    SweepContact* contact;
    double* y; ///< SWEEP_DOF for each body, and for a body at rest after the last one
} BodySweeps;

/// Do the sweeps support this problem? They need contacts with circular sections in space, no scalar
/// rows, and at most two bodies of six velocities per contact.
bool ut_body_sweeps_apply(const System* system);

/// Prepare a problem that ut_body_sweeps_apply accepts. @return UT_OK or UT_ERR_CAPACITY
utStatus ut_body_sweeps_create(const System* system, utArena* scratch, BodySweeps* sweeps);

/// Take impulses, each in its cone, and compute the velocities from them. @param r N
void ut_body_sweeps_start(BodySweeps* sweeps, const double* r);

/// Visit every contact once, in order.
void ut_body_sweeps_run(BodySweeps* sweeps);

/// @param r N: receives the impulses, each in its cone
void ut_body_sweeps_impulses(const BodySweeps* sweeps, double* r);

#endif
