// SPDX-License-Identifier: Apache-2.0
// How much scratch memory a call needs: measured on an arena that grows, for tests that then give
// it exactly that much, or less.
#ifndef UPTACK_TEST_SCRATCH_H
#define UPTACK_TEST_SCRATCH_H

#include "test.h"

/// An arena whose first block is large enough for every test, so that its peak is the size of one
/// block that would do.
static inline utArena scratch_open(void)
{
    utArena arena;
    CHECK_INT(ut_arena_create((size_t)64 << 20, NULL, &arena), UT_OK);
    return arena;
}

/// Close it. @return bytes that were in use at once, wherever a block begins
static inline size_t scratch_close(utArena* arena)
{
    const size_t need = ut_arena_peak(arena) + UT_ARENA_ALIGNMENT;
    ut_arena_destroy(arena);
    return need;
}

#endif
