// SPDX-License-Identifier: Apache-2.0
// The loops over packs for every machine.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "sweep.h"

#define LOOPS ut_sweep_loops_base
enum { VECTOR = 2 }; // doubles in a vector
#define ENTRY_OF_LANES(at, j) ((Vector){(at)[0][j], (at)[1][j]})
#include "pack_loops.inc"
