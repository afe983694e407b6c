/// @file certificate.h
/// Judge a step by its report, apart from what made it: everything is computed anew from the state
/// before, what acted, and the impulses. A number that is not finite fails.
///
///     certificate                              passes at
///     E            complementarity             tolerance (1e-8)
///     momentum     M̂ (v+ - v*) = J'r           1e-10, both sides by Newton-Euler; v* by its stage
///     stored       v+ is v* + M̂^-1 J'r         1e-10
///     bilateral    rows of equalities          1e-9
///     cone         excess of impulses          1e-12
///     position     q+ is q ⊕ h v+, or q*       1e-12
///     geometry     gaps and normals            2e-8, since flush features meet within 1e-8
///     told         u and b that are reported   1e-8
///
/// What the report says of the model has to be the model's too: friction, bounds of rows, contacts
/// that the formulation has. The forces of actuators and callers (`force`, `more`) are taken as
/// what acted.
#ifndef UPTACK_CERTIFICATE_H
#define UPTACK_CERTIFICATE_H

#include <uptack/report.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct utCertificate {
    bool passed;
    const char*
        reason;  ///< what did not pass: "not finite", "report", "formulation", "integrator",
                 ///< "mass", "active set", "geometry", "momentum", "stored velocity",
                 ///< "bilateral", "position", "cone", "complementarity", "told"; "" when all did
    double E;    ///< over all islands, dimensionless
    double e;    ///< the same in m/s
    int contact; ///< whose it is, -1 for none: contacts first, then contacts + row
    double V;    ///< scale of that island, m/s
    double momentum;    ///< residual, dimensionless
    double stored;      ///< over V
    double bilateral;   ///< over V
    double cone;        ///< over mu r_n + m V
    double position;    ///< over |q| + h |v|
    double geometry;    ///< distance of contacts from their shapes, over the shapes' size
    double told;        ///< over V
    double model_gap;   ///< E under the circular law, of polygonal formulations
    double energy_gain; ///< after minus before minus the work of what acted, J; reported
} utCertificate;

/// Judge a step of the formulations coulomb, stewart-trinkle, stewart-trinkle-velocity,
/// anitescu-potra, peiret and convex, by any integrator: of EULER and IMPLICIT the stage's
/// equation, of RK4 every stage made anew and checked by Newton-Euler, of MIDPOINT the step made
/// again by dyn and compared. Of a re-linearised step contacts are judged where they were taken, at
/// q ⊕ h v_ahead. A report without what it needs fails as "report".
/// @param tolerance of E
/// @return UT_OK whenever the certificate is filled; UT_ERR_CAPACITY
UT_API utStatus ut_certify(const utStepReport* report, double tolerance, utArena scratch,
                           utCertificate* certificate);
UT_API size_t ut_certify_scratch(const utModel* model, int contacts, int rows);

#ifdef __cplusplus
}
#endif

#endif
