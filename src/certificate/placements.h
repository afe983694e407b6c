// SPDX-License-Identifier: Apache-2.0
// Bodies as the certificate of the last step placed them at its end. As a rule the next step begins
// there, so that its certificate places the bodies once instead of twice. The certificate compares
// all numbers that decide a placement bit by bit; whatever happened in between, it never takes
// another one.
#ifndef UPTACK_CERTIFICATE_PLACEMENTS_H
#define UPTACK_CERTIFICATE_PLACEMENTS_H

#include <uptack/certificate.h>
#include <uptack/dyn.h>

/// Placements that one caller of ut_certify_with keeps. It decides the cost of a certificate only.
typedef struct CertificatePlacements {
    utKinematics kin[2]; ///< the last placement, and room for the next one
    int last;            ///< which of them is the last placement
    bool valid;          ///< kin[last] is at q and at the mocap poses below
    double* q;           ///< nq
    double* mocap_pos;   ///< 3 nmocap
    double* mocap_quat;  ///< 4 nmocap
    double* v;           ///< nv: velocity of the last energy
    utVec3 gravity;
    double energy;     ///< J, at q and v under this gravity
    double kinetic;    ///< J, of it the kinetic energy
    bool energy_known; ///< for kin[last]
} CertificatePlacements;

/// @param keep holds the arrays
utStatus ut_certificate_placements_create(const utModel* model, utArena* keep,
                                          CertificatePlacements* kept);

/// ut_certify with kept placements.
utStatus ut_certify_with(const utStepReport* report, double tolerance, CertificatePlacements* kept,
                         utArena scratch, utCertificate* certificate);

/// Are these the positions of the last placement? Poses that are NULL are those of the model.
bool ut_certificate_placed_at(const CertificatePlacements* kept, const double* q,
                              const double* mocap_pos, const double* mocap_quat);

/// The other of the two is now the last placement, at these positions; its energy is not known.
void ut_certificate_keep_placement(CertificatePlacements* kept, const double* q,
                                   const double* mocap_pos, const double* mocap_quat);

/// Keep the energy of the last placement. @param kinetic part of it
void ut_certificate_keep_energy(CertificatePlacements* kept, const double* v, utVec3 gravity,
                                double energy, double kinetic);

/// Is the energy of the last placement known for these velocities and this gravity?
bool ut_certificate_knows_energy(const CertificatePlacements* kept, const double* v,
                                 utVec3 gravity);

#endif
