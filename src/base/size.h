// SPDX-License-Identifier: Apache-2.0
// Sums and products of sizes that stop at SIZE_MAX instead of wrapping around, so that a push of
// that many bytes fails.
#ifndef UPTACK_BASE_SIZE_H
#define UPTACK_BASE_SIZE_H

#include <stddef.h>
#include <stdint.h>

/// a + b, SIZE_MAX on overflow
static inline size_t ut_size_add(size_t a, size_t b)
{
    return a <= SIZE_MAX - b ? a + b : SIZE_MAX;
}

/// a b, SIZE_MAX on overflow
static inline size_t ut_size_multiply(size_t a, size_t b)
{
    return b == 0 || a <= SIZE_MAX / b ? a * b : SIZE_MAX;
}

#endif
