// SPDX-License-Identifier: Apache-2.0
// Functions that the readers of both versions of the text form share.
#ifndef UPTACK_PROBLEMS_COULOMB_READ_H
#define UPTACK_PROBLEMS_COULOMB_READ_H

#include "coulomb/internal.h"
#include "problems/lcp/read.h"

/// Read a whole number >= `least`. @param what its description in messages
utStatus ut_coulomb_read_count(LcpScan* s, int least, const char* what, int* count);

typedef enum CoulombSign { ANY_SIGN, NOT_NEGATIVE, OR_INFINITE } CoulombSign;

/// Read `count` numbers. @param x count entries, or NULL: only check
utStatus ut_coulomb_read_vector(LcpScan* s, const char* name, int count, CoulombSign sign,
                                double* x);

/// Read version 2 after its first word.
utStatus ut_coulomb_read_rest(LcpScan* s, int version, utArena* keep, utArena scratch,
                              utCoulomb* problem, const double** r);

/// Read nnz entries `i j value` of W and the N numbers of q.
/// @param N d nc + nb @param entries nnz @param scratch another arena than `keep`
utStatus ut_coulomb_read_local(LcpScan* s, int N, int entries, utArena* keep, utArena scratch,
                               utCoulomb* problem);

#endif
