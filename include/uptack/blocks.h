// SPDX-License-Identifier: Apache-2.0
/// @file blocks.h
/// The matrices of a step by the names of the papers that this library grew from. uptack/notation.h
/// assembles the systems that those papers print.
///
/// With m velocities, p contacts, d directions at each of them and b joint rows,
///
///     here    size      Berard   Tan, Siu, Liu    Son, Trinkle, Amato   what
///     M       m x m     M        M                M                     masses
///     W_b     m x b     W_b                                             joint rows, transposed
///     W_n     m x p     W_n      N                n                     normals
///     W_f     m x pd    W_f      B                D                     directions of friction
///     E       pd x p    E        E                e                     ones, contact by contact
///     U       p x p     U        mu               mu                    coefficients on a diagonal
///     b_b     b         Phi/h + dPhi/dt                                 velocity of the row at v = 0
///     b_n     p         Psi_n/h + dPsi_n/dt       (n'q - alpha0)/h      the same of normals
///     b_f     pd        dPsi_f/dt                                       the same of directions
///     tau     m                  tau*             M v + h k             M^-1 tau is the free velocity
///
/// Several threads may call the function at once as long as each has its own arena and outputs.
#ifndef UPTACK_BLOCKS_H
#define UPTACK_BLOCKS_H

#include <uptack/polyhedral.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The blocks of a problem. Matrices are row-major and lie in the arena `keep` of ut_blocks_create.
typedef struct utBlocks {
    int velocities;          ///< m
    int bilaterals;          ///< joint rows
    int contacts;            ///< p
    int rough;               ///< contacts with directions: p, or those with friction
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

/// Split a problem into blocks.
/// @param problem     global form or by bodies (the local form has no M); sections are polygons
/// @param only_rough  contacts with mu = 0 have no directions, no row in E and none in U
/// @param keep        holds the matrices
/// @return UT_OK, UT_ERR_ARGUMENT or UT_ERR_CAPACITY
UT_API utStatus ut_blocks_create(const utCoulomb* problem, bool only_rough, utArena* keep,
                                 utBlocks* blocks, utError* err);

#ifdef __cplusplus
}
#endif

#endif
