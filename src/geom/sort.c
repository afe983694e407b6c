// SPDX-License-Identifier: Apache-2.0
// Sorting of indices.
#include "base/sort.h"
#include "hull.h"

typedef struct IndexOrder {
    bool (*before)(const void* context, int a, int b);
    const void* context;
} IndexOrder;

static bool index_before(const void* first, const void* second, const void* context)
{
    const IndexOrder* order = context;
    return order->before(order->context, *(const int*)first, *(const int*)second);
}

void ut_geom_sort(int count, int* item, int* spare,
                  bool (*before)(const void* context, int a, int b), const void* context)
{
    ut_sort(count, sizeof *item, item, spare, index_before, &(IndexOrder){before, context});
}
