// SPDX-License-Identifier: Apache-2.0
// Pairs of bodies that do not collide: sorted, each once, so that a search can be binary.
#include "model/internal.h"

#include "base/sort.h"

// A pair of bodies, the lower number first; utModel.exclude is an array of these.
typedef struct Pair {
    int body[2];
} Pair;

static bool before(const void* a, const void* b, const void* context)
{
    const int* x = ((const Pair*)a)->body;
    const int* y = ((const Pair*)b)->body;
    (void)context;
    return x[0] < y[0] || (x[0] == y[0] && x[1] < y[1]);
}

void ut_model_fill_excludes(Work* work)
{
    Pair* pair = (Pair*)work->array.exclude;
    const int given = work->def->exclude.count;
    for (int i = 0; i < given; i++) {
        const utExcludeDef* def = ut_model_exclude_def(work->def, i);
        const bool ascending = def->body1 < def->body2;
        pair[i].body[0] = ascending ? def->body1 : def->body2;
        pair[i].body[1] = ascending ? def->body2 : def->body1;
    }
    ut_sort(given, sizeof *pair, pair, work->scratch.exclude_spare, before, NULL);

    // keep each pair once
    int count = 0;
    for (int i = 0; i < given; i++) {
        if (count == 0 || before(&pair[count - 1], &pair[i], NULL)) {
            pair[count++] = pair[i];
        }
    }
    work->model->nexclude = count;
}
