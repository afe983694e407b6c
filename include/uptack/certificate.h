// SPDX-License-Identifier: Apache-2.0
/// @file certificate.h
/// Judge a step by its report, apart from what made it: everything is computed anew from the state
/// before, what acted, and the impulses. A number that is not finite fails.
///
///     certificate                              passes at
///     E            complementarity             tolerance (1e-8)
///     momentum     M̂ (v+ - v*) = J'r           1e-10, both sides by Newton-Euler; v* by its stage;
///                                              each tree by its own momentum and impulses
///     stored       v+ is v* + M̂^-1 J'r         1e-10
///     bilateral    rows of equalities          1e-9
///     cone         excess of impulses          1e-12
///     position     q+ is q ⊕ h v+, or q*       1e-12
///     geometry     gaps and normals            2e-8, since flush features meet within 1e-8
///     reported     u and b of the report       1e-8
///     impact       laws of restitution         1e-8
///
/// A certificate is about the model: physics of a file that the model lacks (utModel.missing) is
/// not covered by it. What the report says of the model has to be the model's too: friction, bounds
/// of rows, contacts that the formulation has, and what actuators do (`force`, `more`, `stiffness`,
/// `damping`), from the controls and the state. Nothing may be missing that the step shows to be
/// needed: a joint that ends past its limit has the limit's row, and a pair of geoms that begins
/// apart and ends with an overlap (1e-3 of the smaller radius, besides what their turning explains)
/// has a contact. Pairs are looked at in space, for formulations with gaps and shapes other than
/// meshes and height fields; of joints between free bodies the rows alone are. What the caller
/// applied is taken as it is reported (`given`, `applied`). docs/certificate.md has all of it.
///
/// A step that is made of parts is as good as its worst part; and each part has to begin, bit for
/// bit, where the one before it ended, the first and the last being the step's own ends. Its
/// contacts, rows and islands are theirs in order. Figures are the largest of all parts, the gains
/// of energy their sum.
///
/// An instant takes no time and moves nothing: v* is v, M̂ is M, and what touches within 1e-9 m has
/// b without gaps. Its rows are limits that touch and equalities (with what armature they have).
///
/// Contacts of islands with restitution need the model's restitution e, the speed u_n before that v
/// has, and a rebound of e |u_n| (`mirtich`: up to the hop, at most |g| h / 2 of the whole step);
/// what they close with afterwards counts ten times in `impact`. Then, by their island's law,
///
///     moreau    E, with b_n less by the rebound. Where the energy guard left a share below 1: u_n
///               is at least that of the rebound, contacts gain nothing, r . (u* + u) / 2 <= 0, and
///               E of both solutions that the share lies between; for that the one without rebounds
///               is to be told as `compression`. A contact that is alone has u_n as just that share
///               of the rebound instead, where it is not told. With rows there is no E, since what
///               these did in it is not known. A share of 0: E without rebounds.
///     poisson   E of what is beyond (1 + e) times the normal impulse of compression, at the end;
///               and E of the compression, unless the island has rows, whose impulses then are not
///               known. Rows with bounds: within these, and not closing.
///     followed  the contact is alone and followed once more, by other means: impulses at the end
///               of compression and at the end, over m V; friction is that of the circle.
///
/// Not provable from a report: which contacts should have bounced, that the share is the largest
/// one, and that nothing was passed through on the way.
#ifndef UPTACK_CERTIFICATE_H
#define UPTACK_CERTIFICATE_H

#include <uptack/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The first check that a step did not pass.
typedef enum utCertificateReason {
    UT_REASON_NONE,        ///< all passed
    UT_REASON_REPORT,      ///< the report lacks something, or contradicts the model
    UT_REASON_NOT_FINITE,  ///< a number of the report or of the certificate is not finite
    UT_REASON_FORMULATION, ///< the formulation is unknown, or has no such step
    UT_REASON_INTEGRATOR,  ///< the certificate does not know the integrator
    UT_REASON_MASS,        ///< the mass matrix has no factor
    UT_REASON_ACTUATORS,   ///< forces of actuators are not those of the model
    UT_REASON_ACTIVE_SET,  ///< a contact or row does not belong to the step, or one is missing
    UT_REASON_GEOMETRY,
    UT_REASON_MOMENTUM,
    UT_REASON_STORED_VELOCITY,
    UT_REASON_BILATERAL,
    UT_REASON_POSITION,
    UT_REASON_CONE,
    UT_REASON_COMPLEMENTARITY,
    UT_REASON_IMPACT,
    UT_REASON_REPORTED, ///< u or b of the report are not those of its impulses
    UT_REASON_PARTS,    ///< the parts of a step do not follow each other
    UT_REASON_COUNT
} utCertificateReason;

/// @return for example "active set"; "" for UT_REASON_NONE; "unknown" for a number that is none
UT_API const char* ut_certificate_reason_name(utCertificateReason reason);

typedef struct utCertificate {
    bool passed;
    utCertificateReason reason;
    double value;       ///< what did not pass: the field below that the reason names, and what it
    double limit;       ///< passes at; both 0 where the reason is no number, or all passed
    int part;           ///< of a step that is made of parts: the first that did not pass, or else
                        ///< the one with the largest E; what follows up to V is this part's
    double E;           ///< over all islands, dimensionless
    double e;           ///< the same in m/s
    int contact;        ///< whose it is, -1 for none: contacts first, then contacts + row
    double V;           ///< scale of that island, m/s
    double momentum;    ///< residual, dimensionless
    double stored;      ///< over V
    double bilateral;   ///< over V
    double cone;        ///< over mu r_n + m V
    double position;    ///< over |q| + h |v|
    double geometry;    ///< distance of contacts from their shapes, over the shapes' size
    double reported;    ///< error of the reported u and b, over V
    double impact;      ///< how far contacts are from their law of impacts, over V
    double model_gap;   ///< E under the circular law, of polygonal formulations
    double energy_gain; ///< J: energy after, less that before and the work of applied forces, of
                        ///< actuators, of bodies moved from outside and of belts. Contacts, dampers
                        ///< and friction can only make it less. Reported, never deciding. 0 instead
                        ///< of more where trees stand on a body that is turned from outside
} utCertificate;

/// Judge a step of the formulations coulomb, stewart-trinkle, stewart-trinkle-velocity,
/// anitescu-potra, peiret, convex, hybrid and mirtich, by any integrator: of EULER and IMPLICIT the
/// stage's equation, of RK4 every stage made anew and checked by Newton-Euler, of MIDPOINT the step
/// made again by dyn and compared. Of a re-linearised step contacts are judged where they were
/// taken, at q ⊕ h v_ahead. A report without what it needs fails as "report".
/// @param tolerance of E
/// @return UT_OK whenever the certificate is filled; UT_ERR_CAPACITY
UT_API utStatus ut_certify(const utStepReport* report, double tolerance, utArena scratch,
                           utCertificate* certificate);
UT_API size_t ut_certify_scratch(const utModel* model, int contacts, int rows);

#ifdef __cplusplus
}
#endif

#endif
