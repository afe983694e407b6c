// SPDX-License-Identifier: Apache-2.0
// How easily a free body turns under impulses.
#ifndef UPTACK_LA_TURNING_H
#define UPTACK_LA_TURNING_H

#include <uptack/vec.h>

/// out[k] = t_k . Y t_k with t_k = R'(x × d_k): the velocity along d_k per impulse along d_k, from rotation.
/// On machines with AVX2 the three directions are processed together, with the same bits.
/// @param R rotation of the body @param Y inverse of its inertia, body frame @param x lever, world
/// @param d three directions, world
void ut_turning(const utMat3* R, const utMat3* Y, utVec3 x, const utVec3 d[3], double out[3]);

/// The same for every machine, and for machines with AVX2 (la/internal.h).
void ut_turning_base(const utMat3* R, const utMat3* Y, utVec3 x, const utVec3 d[3], double out[3]);
void ut_turning_avx2(const utMat3* R, const utMat3* Y, utVec3 x, const utVec3 d[3], double out[3]);

#endif
