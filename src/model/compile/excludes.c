// SPDX-License-Identifier: Apache-2.0
// Pairs of bodies that do not collide: sorted, each once, so that a search can be binary.
#include "model/internal.h"

static bool before(const int* pair, int i, int j)
{
    const int* a = pair + 2 * i;
    const int* b = pair + 2 * j;
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

static void swap(int* pair, int i, int j)
{
    for (int k = 0; k < 2; k++) {
        const int kept = pair[2 * i + k];
        pair[2 * i + k] = pair[2 * j + k];
        pair[2 * j + k] = kept;
    }
}

static void sift_down(int* pair, int at, int count)
{
    for (;;) {
        int child = 2 * at + 1;
        if (child >= count) {
            return;
        }
        if (child + 1 < count && before(pair, child, child + 1)) {
            child++;
        }
        if (!before(pair, at, child)) {
            return;
        }
        swap(pair, at, child);
        at = child;
    }
}

// Heapsort, because it needs no memory and O(n log n) comparisons in the worst case.
static void sort_pairs(int* pair, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--) {
        sift_down(pair, i, count);
    }
    for (int i = count - 1; i > 0; i--) {
        swap(pair, 0, i);
        sift_down(pair, 0, i);
    }
}

void ut_model_fill_excludes(Work* work)
{
    int* pair = work->array.exclude;
    const int given = work->def->exclude.count;
    for (int i = 0; i < given; i++) {
        const ExcludeDef* def = ut_model_exclude_def(work->def, i);
        const bool ascending = def->body1 < def->body2;
        pair[2 * i] = ascending ? def->body1 : def->body2;
        pair[2 * i + 1] = ascending ? def->body2 : def->body1;
    }
    sort_pairs(pair, given);

    // keep each pair once
    int count = 0;
    for (int i = 0; i < given; i++) {
        if (count == 0 || before(pair, count - 1, i)) {
            pair[2 * count] = pair[2 * i];
            pair[2 * count + 1] = pair[2 * i + 1];
            count++;
        }
    }
    work->model->nexclude = count;
}
