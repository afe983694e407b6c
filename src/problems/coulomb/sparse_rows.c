// SPDX-License-Identifier: Apache-2.0
// Entries of a sparse matrix, sorted into rows.
#include "sparse_rows.h"

#include <stdint.h>
#include <string.h>

// One pass of a counting sort, which keeps the order of equal keys.
// @param from entries to sort; NULL: 0, 1, 2 ...
// @param next work, keys + 1 entries
static void sort_by(int count, const int* key, int keys, const int* from, int* next, int* to)
{
    memset(next, 0, ((size_t)keys + 1) * sizeof *next);
    for (int k = 0; k < count; k++) {
        next[key[k] + 1]++;
    }
    for (int k = 0; k < keys; k++) {
        next[k + 1] += next[k];
    }
    for (int k = 0; k < count; k++) {
        const int entry = from != NULL ? from[k] : k;
        to[next[key[entry]]++] = entry;
    }
}

utStatus ut_coulomb_sort_entries(const CoulombEntries* e, utArena scratch, int* order)
{
    const int keys = e->rows > e->columns ? e->rows : e->columns;
    int* next = UT_PUSH(&scratch, int, (size_t)keys + 1);
    int* by_column = UT_PUSH(&scratch, int, e->count);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    sort_by(e->count, e->column, e->columns, NULL, next, by_column);
    sort_by(e->count, e->row, e->rows, by_column, next, order);
    return UT_OK;
}

// The sum of all entries with the indices of entry order[k]. @param k moves behind them
static double sum_at_place(const CoulombEntries* e, const int* order, int* k)
{
    const int first = order[*k];
    double sum = 0.0;
    while (*k < e->count && e->row[order[*k]] == e->row[first] &&
           e->column[order[*k]] == e->column[first]) {
        sum += e->value[order[*k]];
        (*k)++;
    }
    return sum;
}

static void fill_rows(const CoulombEntries* e, const int* order, CoulombRows* rows)
{
    int k = 0;
    int used = 0;
    for (int i = 0; i < e->rows; i++) {
        rows->start[i] = used;
        while (k < e->count && e->row[order[k]] == i) {
            const int column = e->column[order[k]];
            const double value = sum_at_place(e, order, &k);
            if (value != 0.0) {
                rows->column[used] = column;
                rows->value[used] = value;
                used++;
            }
        }
    }
    rows->start[e->rows] = used;
}

utStatus ut_coulomb_make_rows(const CoulombEntries* e, utArena* keep, CoulombRows* rows)
{
    utArena rest = *keep;
    CoulombRows made = {
        .start = UT_PUSH(&rest, int, (size_t)e->rows + 1),
        .column = UT_PUSH(&rest, int, e->count),
        .value = UT_PUSH(&rest, double, e->count),
    };
    utArena scratch = rest;
    int* order = UT_PUSH(&scratch, int, e->count);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_coulomb_sort_entries(e, scratch, order));
    fill_rows(e, order, &made);
    *keep = rest;
    *rows = made;
    return UT_OK;
}
