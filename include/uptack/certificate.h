// SPDX-License-Identifier: Apache-2.0
/// @file certificate.h
/// Certify a step from its report, without the solver: everything is recomputed from the state
/// before the step, the input and the impulses. docs/certificate.md defines E and every test.
///
///     utCertificate c;
///     ut_certify(&result.report, 1e-8, scratch, &c);
///     if (!c.passed) {
///         puts(ut_certificate_reason_name(c.reason)); // for example "momentum"
///     }
///
/// A certificate is about the model: it does not cover physics of a file that the model lacks
/// (utModel.missing). Input that the caller applied is taken as the report states it.
///
/// Functions may be called from several threads at once as long as the threads share no arena.
#ifndef UPTACK_CERTIFICATE_H
#define UPTACK_CERTIFICATE_H

#include <uptack/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The first test that failed, in the order in which the tests run.
typedef enum utCertificateReason {
    UT_REASON_NONE,        ///< all tests passed
    UT_REASON_REPORT,      ///< the report is incomplete, or has indices outside of the model
    UT_REASON_NOT_FINITE,  ///< a number of the report or of the certificate is not finite
    UT_REASON_FORMULATION, ///< the formulation is unknown, or has no such step
    UT_REASON_INTEGRATOR,  ///< the certificate cannot recompute this integrator
    UT_REASON_MASS,        ///< the mass matrix is not positive definite
    UT_REASON_ACTUATORS,   ///< forces of actuators do not follow from the model and the controls
    UT_REASON_ACTIVE_SET,  ///< a contact or row does not belong to the step, or one is missing
    UT_REASON_GEOMETRY,    ///< a contact does not lie between its shapes: `geometry`
    UT_REASON_MOMENTUM,    ///< the equations of motion do not hold: `momentum`
    UT_REASON_STORED_VELOCITY, ///< v+ does not follow from the impulses: `stored`
    UT_REASON_BILATERAL,       ///< an equality is violated: `bilateral`
    UT_REASON_POSITION,        ///< q+ does not follow from v+: `position`
    UT_REASON_CONE,            ///< an impulse is outside of its cone or bounds: `cone`
    UT_REASON_COMPLEMENTARITY, ///< the contact law does not hold: `E`
    UT_REASON_IMPACT,          ///< the restitution law does not hold: `impact`
    UT_REASON_REPORTED,        ///< u or b of the report are not those of its impulses: `reported`
    UT_REASON_PARTS,           ///< the parts of a step do not follow each other
    UT_REASON_COUNT
} utCertificateReason;

/// @return for example "active set"; "" for UT_REASON_NONE; "unknown" for an invalid number
UT_API const char* ut_certificate_reason_name(utCertificateReason reason);

/// The result of all tests. Every number is dimensionless unless a unit is stated, and is the
/// largest over all contacts, rows, trees and parts.
typedef struct utCertificate {
    bool passed;                ///< the step is certified
    utCertificateReason reason; ///< UT_REASON_NONE when passed
    double value;               ///< of the field that the reason names; 0 for a test without one
    double limit;               ///< of that test; 0 for a test without a number
    int sleeping; ///< trees that sleep through the step (utStepReport.asleep): they do not move.
                  ///< All other numbers are those of the trees that are awake; the certificate
                  ///< of a sleeping tree is that of the step in which it fell asleep
    int part;     ///< of a step with parts: the first part that failed, or the one with the
                  ///< largest E. E, e, contact and V belong to this part
    double E;     ///< error of the contact law, e / V; passes at the tolerance
    double e;     ///< the same, m/s
    int contact;  ///< its contact, or contacts + its row; -1: the step has neither
    int momentum_contact; ///< when `momentum` fails: the contact whose impulse explains the residual
                          ///< best; -1: no contact does
    double V;             ///< velocity scale of its island, m/s
    double momentum;      ///< residual over momentum and impulses of its tree; passes at 1e-10
    double stored;        ///< error of v+ over V; passes at 1e-10
    double bilateral;     ///< velocity of rows of equalities over V; passes at 1e-9
    double cone;          ///< excess over mu r_n + m V; passes at 1e-12
    double position;      ///< error of q+ over |q| + h |v|; passes at 1e-12
    double geometry;    ///< distance of contacts from their shapes over their size; passes at 2e-8
    double reported;    ///< error of the reported u and b over V; passes at 1e-8
    double impact;      ///< error of the restitution law over V; passes at 1e-8
    double model_gap;   ///< E under the circular law, for polygonal and convex formulations
    double energy_gain; ///< J: energy after the step less the energy before and the work of applied
        ///< forces, actuators, mocap bodies and belts. Contacts, dampers and friction
        ///< can only lower it. Reported as 0 instead of a gain when a tree stands on
        ///< a rotating mocap body, because its work is then unknown
} utCertificate;

/// Is the step one of the tier budget that failed in E or `bilateral` alone? In this tier these two tests
/// come last, so that their reason means that every other test passed.
UT_API bool ut_certificate_within_budget(const utStepReport* report,
                                         const utCertificate* certificate);

/// Certify a step of any formulation and integrator.
/// @param tolerance limit of E; the default of the engine is 1e-8
/// @return UT_OK whenever the certificate is filled; UT_ERR_CAPACITY when scratch is full
UT_API utStatus ut_certify(const utStepReport* report, double tolerance, utArena scratch,
                           utCertificate* certificate);

#ifdef __cplusplus
}
#endif

#endif
