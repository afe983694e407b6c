// SPDX-License-Identifier: Apache-2.0
// Turns a local problem of FCLIB into one sparse matrix for contacts and bilateral rows,
//
//     | W  V |
//     | V' R |
#include <limits.h>
#include <string.h>

#include "fclib.h"

// The entries of the joined matrix.
typedef struct Joined {
    int count;
    int* row;
    int* column;
    double* value;
} Joined;

static void add_entry(Joined* joined, int row, int column, double value)
{
    joined->row[joined->count] = row;
    joined->column[joined->count] = column;
    joined->value[joined->count] = value;
    joined->count++;
}

static void add_matrix(Joined* joined, const CoulombEntries* A, int row, int column)
{
    for (int k = 0; k < A->count; k++) {
        add_entry(joined, row + A->row[k], column + A->column[k], A->value[k]);
    }
}

static void add_transposed(Joined* joined, const CoulombEntries* A, int row, int column)
{
    for (int k = 0; k < A->count; k++) {
        add_entry(joined, row + A->column[k], column + A->row[k], A->value[k]);
    }
}

static utStatus make_matrix(const FclibProblem* fclib, utArena* rest, utArena scratch,
                            CoulombRows* rows)
{
    const double count = (double)fclib->W.count + 2.0 * fclib->V.count + fclib->R.count;
    if (!(count <= INT_MAX)) {
        return UT_ERR_CAPACITY;
    }
    Joined joined = {
        .row = UT_PUSH(&scratch, int, (size_t)count),
        .column = UT_PUSH(&scratch, int, (size_t)count),
        .value = UT_PUSH(&scratch, double, (size_t)count),
    };
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    const int m = fclib->W.rows;
    add_matrix(&joined, &fclib->W, 0, 0);
    add_matrix(&joined, &fclib->V, 0, m);
    add_transposed(&joined, &fclib->V, m, 0);
    add_matrix(&joined, &fclib->R, m, m);
    const int N = m + fclib->p;
    return ut_coulomb_make_rows(
        &(CoulombEntries){N, N, joined.count, joined.row, joined.column, joined.value}, rest, rows);
}

utStatus ut_fclib_local(const FclibProblem* fclib, utArena* keep, utArena scratch,
                        utCoulomb* problem)
{
    utArena rest = *keep;
    const size_t m = (size_t)fclib->W.rows;
    const size_t p = (size_t)fclib->p;
    double* q = UT_PUSH(&rest, double, m + p);
    double* mu = UT_PUSH(&rest, double, fclib->contacts);
    utSection* section = UT_PUSH(&rest, utSection, 1);
    CoulombRows rows;
    if (ut_arena_failed(&rest)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(make_matrix(fclib, &rest, scratch, &rows));

    memcpy(q, fclib->q, m * sizeof *q);
    if (p > 0) {
        memcpy(q + m, fclib->s, p * sizeof *q);
    }
    memcpy(mu, fclib->mu, (size_t)fclib->contacts * sizeof *mu);
    *section = fclib->d == 3 ? ut_section_circle() : ut_section_segment();
    *keep = rest;
    *problem = (utCoulomb){
        .dimension = fclib->d,
        .contacts = fclib->contacts,
        .bilaterals = fclib->p,
        .mu = mu,
        .section = section,
        .W = rows.value,
        .W_start = rows.start,
        .W_column = rows.column,
        .q = q,
    };
    return UT_OK;
}
