// SPDX-License-Identifier: Apache-2.0
/// @file blocks.h
/// The matrices of a step by the names of the papers that this library grew from, and the systems
/// that those papers print, entry by entry, for whoever wants to look at them.
///
/// Blocks. With m velocities, p contacts, d directions at each of them and b joint rows,
///
///     here    size      Berard   Tan, Siu, Liu    Son, Trinkle, Amato   what
///     M       m x m     M        M                M                     masses
///     W_b     m x b     W_b                                             joint rows, transposed
///     W_n     m x p     W_n      N                n                     normals
///     W_f     m x pd    W_f      B                D                     directions of friction
///     E       pd x p    E        E                e                     ones, contact by contact
///     U       p x p     U        mu               mu                    coefficients on a diagonal
///     b_b     b         Phi/h + dPhi/dt                                 what velocities do not
///     give b_n     p         Psi_n/h + dPsi_n/dt       (n'q - alpha0)/h b_f     pd dPsi_f/dt tau
///     m                  tau*             M v + h k             so that v = M^-1 tau is free
///
/// Systems. w = A z + q with the unknowns in the printed order:
///
///     berard     (nu, p_b, p_n, p_f, sigma)             the first two free: Eq. 34
///     dart       (f_n, f_d, lambda), forces             Eq. 14; with level FULL (qdot, ...), Eq.
///     12 igms       (beta, c_n, lambda)                    the LCP block; with level FULL (v, ...)
///     pfrommer   x, or (xdot+, xdot-)                   z is motion and w force
///     peiret     (v', lambda_t, lambda_n, kappa+, kappa-)  the first two free: Eq. 8
#ifndef UPTACK_BLOCKS_H
#define UPTACK_BLOCKS_H

#include <uptack/polyhedral.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- blocks -------------------------------------------------------------------------------------

/// Everything lies in the arena it was made in. Matrices are row-major.
typedef struct utBlocks {
    int velocities;          ///< m
    int bilaterals;          ///< joint rows
    int contacts;            ///< p
    int rough;               ///< contacts with directions; p unless frictionless ones were left out
    int directions;          ///< of all contacts together
    const int* first;        ///< p + 1: contact i has the directions first[i] ... first[i + 1] - 1
    const double* direction; ///< directions x (dimension - 1), in the contacts' tangents
    const double* M;
    const double* W_b;
    const double* W_n;
    const double* W_f;
    const double* E; ///< directions x rough
    const double* U; ///< rough x p
    const double* b_b;
    const double* b_n;
    const double* b_f;
    const double* tau;
} utBlocks;

/// Take a problem apart.
/// @param problem     global form or by bodies (the local form has no M); sections are polygons
/// @param only_rough  contacts with mu = 0 have no directions, no row in E and none in U
/// @return UT_ERR_ARGUMENT, UT_ERR_CAPACITY
UT_API utStatus ut_blocks_create(const utCoulomb* problem, bool only_rough, utArena* keep,
                                 utBlocks* blocks, utError* err);

// ---- systems ------------------------------------------------------------------------------------

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
    const double* rho;       ///< peiret: phantom inertias, default NULL: by rule
    uint32_t cookie;         ///< set by ut_printed_def()
} utPrintedDef;

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
} utPrinted;

/// Write a problem as a paper prints it. Of pfrommer there are two kinds: contacts without
/// friction, whose unknowns are the gaps after the step, and one contact in the plane whose normal
/// force does not depend on friction.
/// @param keep holds the matrices
/// @return UT_ERR_DEF; UT_ERR_ARGUMENT for what the paper has no place for; UT_ERR_CAPACITY
UT_API utStatus ut_printed_create(const utCoulomb* problem, const utPrintedDef* def, utArena* keep,
                                  utPrinted* system, utError* err);

/// Impulses from z: N entries, contact by contact, bilateral rows behind. Not for pfrommer.
UT_API utStatus ut_printed_impulses(const utPrinted* system, const double* z, utArena scratch,
                                    double* r);

#ifdef __cplusplus
}
#endif

#endif
