// SPDX-License-Identifier: Apache-2.0
// The loops over packs for every machine.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "sweep.h"

typedef double Two __attribute__((vector_size(16)));

// Six entries of two lanes, one vector per entry.
typedef struct Six {
    Two v[SWEEP_DOFS];
} Six;

static inline Six gather_six(const double* const at[2])
{
    Six six;
    for (int j = 0; j < SWEEP_DOFS; j++) {
        six.v[j] = (Two){at[0][j], at[1][j]};
    }
    return six;
}

static inline void scatter_six(Six six, double* const at[2])
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < SWEEP_DOFS; j++) {
            at[i][j] = six.v[j][i];
        }
    }
}

#define LOOPS ut_sweep_loops_base
enum { VECTOR = 2 }; // doubles in a vector
#include "pack_loops.inc"
