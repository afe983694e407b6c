// SPDX-License-Identifier: Apache-2.0
// Converts sparse matrices: entries in any order become rows with ascending columns.
#ifndef UPTACK_PROBLEMS_COULOMB_SPARSE_ROWS_H
#define UPTACK_PROBLEMS_COULOMB_SPARSE_ROWS_H

#include <uptack/base.h>

/// Entries of a matrix in any order; entries with the same indices are added.
typedef struct CoulombEntries {
    int rows;
    int columns;
    int count;
    const int* row;    ///< count, 0 ... rows - 1
    const int* column; ///< count, 0 ... columns - 1
    const double* value;
} CoulombEntries;

/// A matrix as sparse rows: row k has the entries start[k] ... start[k + 1] - 1 with ascending columns,
/// none of them 0.
typedef struct CoulombRows {
    int* start; ///< rows + 1
    int* column;
    double* value;
} CoulombRows;

/// Sort by rows and, in a row, by columns; entries with the same indices keep their order.
/// @param order receives count indices of entries
/// @return UT_ERR_CAPACITY when there is no memory
utStatus ut_coulomb_sort_entries(const CoulombEntries* entries, utArena scratch, int* order);

/// Turn entries into rows. @return UT_ERR_CAPACITY when there is no memory
utStatus ut_coulomb_make_rows(const CoulombEntries* entries, utArena* keep, CoulombRows* rows);

#endif
