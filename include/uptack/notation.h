// SPDX-License-Identifier: Apache-2.0
/// @file notation.h
/// The systems that papers print for one step, entry by entry and in the papers' order. Part of the
/// library uptack_problems.
///
/// w = A z + q with the unknowns in the printed order and with the printed signs:
///
///     berard     (nu, p_b, p_n, p_f, sigma)                the first two free: Eq. 34, -M in front
///     dart       (f_n, f_d, lambda), forces                Eq. 14; with level FULL (qdot, ...), Eq. 12
///     igms       (beta, c_n, lambda)                       the LCP block; with level FULL (v, ...)
///     pfrommer   x, xdot, or (xdot+, xdot-)                z is motion and w force: 1, 2.1 and 2.2
///     peiret     (v', lambda_t, lambda_n, kappa+, kappa-)  the first two free: Eq. 8; with level
///                                                          REDUCED (lambda_n, kappa+, kappa-)
#ifndef UPTACK_NOTATION_H
#define UPTACK_NOTATION_H

#include <uptack/polyhedral.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum utNotation {
    UT_NOTATION_BERARD,
    UT_NOTATION_DART,
    UT_NOTATION_IGMS,
    UT_NOTATION_PFROMMER,
    UT_NOTATION_PEIRET,
    UT_NOTATION_COUNT
} utNotation;

/// @return "berard", "dart", "igms", "pfrommer" or "peiret"
UT_API const char* ut_notation_name(utNotation notation);
UT_API bool ut_notation_find(const char* name, utNotation* notation);

typedef struct utPrintedDef {
    utNotation notation;
    utPolyhedralLevel level; ///< default: as printed: FULL for berard and peiret, else REDUCED
    double h;                ///< s: what makes impulses of the forces of dart and pfrommer
    bool only_rough;         ///< berard, dart, igms: contacts with mu = 0 enter with their normals
                             ///< alone, default false
    double regularization;   ///< dart: A_ii (1 + this), inexact; default 0
    bool scale_dt;           ///< dart: E in both its places and mu times h, default false
    /// berard: bilaterals entries: joint rows that the paper subtracts the other way round. It has the
    /// first body of a joint minus the second one, and of a joint to the ground the body. Default NULL:
    /// none
    const bool* turned;
    bool forward;      ///< pfrommer: the forward case 2.1 of a sliding block, default false: 2.2
    const double* rho; ///< peiret: phantom inertias, default NULL: by rule
    /// peiret: dof velocities before the step, to which h times the centripetal part of v* is added
    /// (ut_dyn_centripetal). The problem is on velocities and impulses, and its system is written on
    /// accelerations and forces. Default NULL: the problem is on accelerations and forces already
    const double* v;
    const double* slip; ///< peiret: as in utPolyhedralDef, default NULL: no contact slides
    uint32_t cookie;    ///< set by ut_printed_def()
} utPrintedDef;

#define UT_PRINTED_DEF_COOKIE UT_COOKIE(22, 2) ///< value of utPrintedDef.cookie

UT_API utPrintedDef ut_printed_def(utNotation notation, double h);

/// A kind of unknowns.
typedef struct utPrintedPart {
    const char* unknown; ///< as the paper calls it, for example "f_n"
    const char* slack;   ///< what its row is, "0" for free ones
    int start, size;
} utPrintedPart;

typedef struct utPrinted {
    utNotation notation;
    utLcp lcp;
    int parts;
    utPrintedPart part[6];
    utPolyhedral form;   ///< not for pfrommer
    const double* scale; ///< n: times this an unknown is one of the form's
    double h;            ///< s, as in the def
    double impulse;      ///< times this the form's forces are impulses: h for peiret with
                         ///< utPrintedDef.v, else 1
    const double* v;     ///< dof entries: utPrintedDef.v; NULL: none
} utPrinted;

/// Write a problem as a paper prints it. Of pfrommer there are two kinds: contacts without
/// friction, whose unknowns are the gaps after the step, and one contact in the plane whose normal
/// force does not depend on friction. Its forward case needs a velocity and a force >= 0.
/// @param keep holds the matrices
/// @return UT_ERR_DEF; UT_ERR_ARGUMENT for what the paper has no place for; UT_ERR_CAPACITY
UT_API utStatus ut_printed_create(const utCoulomb* problem, const utPrintedDef* def, utArena* keep,
                                  utPrinted* system, utError* err);

/// The unknowns z of an answer: of the impulses r of a step. Velocities follow from M v = f + J'r. Forces
/// along directions are split between the two directions beside them, and so are accelerations
/// between lines; lambda and sigma are the least ones that the slip allows.
/// @param problem that of ut_printed_create, in its global form  @param r N entries
/// @param z       n entries
/// @return UT_ERR_ARGUMENT for a problem without M and J, or an M that is not positive definite;
///         UT_ERR_CAPACITY
UT_API utStatus ut_printed_unknowns(const utPrinted* system, const utCoulomb* problem,
                                    const double* r, utArena scratch, double* z);

/// Impulses from z: N entries, contact by contact, bilateral rows behind. Not for pfrommer.
UT_API utStatus ut_printed_impulses(const utPrinted* system, const double* z, utArena scratch,
                                    double* r);

#ifdef __cplusplus
}
#endif

#endif
