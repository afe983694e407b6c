// SPDX-License-Identifier: Apache-2.0
// Merge sort of integers by a comparison function.
#include "hull.h"

#include <string.h>

// Merge two sorted runs [low, middle) and [middle, high) of `from` into `to`.
static void merge(const int* from, int low, int middle, int high, int* to,
                  bool (*before)(const void*, int, int), const void* context)
{
    int left = low, right = middle;
    for (int k = low; k < high; k++) {
        const bool take_right =
            right < high && (left >= middle || before(context, from[right], from[left]));
        to[k] = take_right ? from[right++] : from[left++];
    }
}

void ut_geom_sort(int count, int* item, int* spare, bool (*before)(const void*, int, int),
                  const void* context)
{
    int* from = item;
    int* to = spare;
    for (int64_t run = 1; run < count; run *= 2) {
        for (int64_t low = 0; low < count; low += 2 * run) {
            const int64_t middle = low + run < count ? low + run : count;
            const int64_t high = low + 2 * run < count ? low + 2 * run : count;
            merge(from, (int)low, (int)middle, (int)high, to, before, context);
        }
        int* swap = from;
        from = to;
        to = swap;
    }
    if (from != item) {
        memcpy(item, from, (size_t)count * sizeof *item);
    }
}
