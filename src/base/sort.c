// SPDX-License-Identifier: Apache-2.0
#include "sort.h"

#include <stdint.h>
#include <string.h>

// Items of one size and their order.
typedef struct Order {
    size_t size;
    utSortBefore* before;
    const void* context;
} Order;

// Merge the sorted runs [low, middle) and [middle, high) of `from` into one run of `to`.
static void merge_runs(const Order* order, const char* from, size_t low, size_t middle, size_t high,
                       char* to)
{
    const size_t size = order->size;
    size_t left = low, right = middle;
    // from step to step little changes places: most runs follow each other as they are
    if (middle == high ||
        !order->before(from + middle * size, from + (middle - 1) * size, order->context)) {
        memcpy(to + low * size, from + low * size, (high - low) * size);
        return;
    }
    for (size_t k = low; k < high; k++) {
        const bool take_right =
            right < high && (left >= middle || order->before(from + right * size,
                                                             from + left * size, order->context));
        const size_t taken = take_right ? right++ : left++;
        memcpy(to + k * size, from + taken * size, size);
    }
}

void ut_sort(int count, size_t size, void* items, void* spare, utSortBefore* before,
             const void* context)
{
    const Order order = {size, before, context};
    const size_t n = count > 0 ? (size_t)count : 0;
    char* from = items;
    char* to = spare;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t low = 0; low < n; low += 2 * run) {
            const size_t middle = low + run < n ? low + run : n;
            const size_t high = low + 2 * run < n ? low + 2 * run : n;
            merge_runs(&order, from, low, middle, high, to);
        }
        char* sorted = to;
        to = from;
        from = sorted;
    }
    if (from != (char*)items) {
        memcpy(items, from, n * size);
    }
}
