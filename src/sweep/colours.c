// SPDX-License-Identifier: Apache-2.0
// Colours: each contact takes the first colour that none of its nodes has yet.
#include <stdint.h>
#include <string.h>

#include "sweep.h"

// The lowest bit that is not set; -1: all are.
static int lowest_free(uint64_t used)
{
    for (int k = 0; k < SWEEP_MAX_COLOURS; k++) {
        if (((used >> k) & 1) == 0) {
            return k;
        }
    }
    return -1;
}

utStatus ut_sweep_colour(int count, const int* node, int nodes, utArena scratch, int* colour,
                         int* colours)
{
    uint64_t* used = UT_PUSH(&scratch, uint64_t, nodes);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(used, 0, (size_t)nodes * sizeof *used);
    *colours = 0;
    for (int i = 0; i < count; i++) {
        const int* of = node + (size_t)2 * (size_t)i;
        const uint64_t one = of[0] >= 0 ? used[of[0]] : 0;
        const uint64_t two = of[1] >= 0 ? used[of[1]] : 0;
        colour[i] = lowest_free(one | two);
        for (int side = 0; side < 2 && colour[i] >= 0; side++) {
            if (of[side] >= 0) {
                used[of[side]] |= (uint64_t)1 << colour[i];
            }
        }
        *colours = colour[i] + 1 > *colours ? colour[i] + 1 : *colours;
    }
    return UT_OK;
}
