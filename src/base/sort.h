// SPDX-License-Identifier: Apache-2.0
// Merge sort, which keeps the order of equal items and so gives the same result with every compiler
// and C library. qsort does not promise that.
#ifndef UPTACK_BASE_SORT_H
#define UPTACK_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

/// Must `a` come before `b`? False for equal items. @param context as passed to ut_sort
typedef bool utSortBefore(const void* a, const void* b, const void* context);

/// Sort `count` items of `size` bytes each. @param spare room for as many items
void ut_sort(int count, size_t size, void* items, void* spare, utSortBefore* before,
             const void* context);

#endif
