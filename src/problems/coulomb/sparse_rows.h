// SPDX-License-Identifier: Apache-2.0
// Sparse matrices on their way in: entries in any order become rows with ascending columns.
#ifndef UPTACK_PROBLEMS_COULOMB_SPARSE_ROWS_H
#define UPTACK_PROBLEMS_COULOMB_SPARSE_ROWS_H

#include <uptack/base.h>

/// Entries of a matrix in any order; what stands at the same place adds up.
typedef struct CoulombEntries {
    int rows;
    int columns;
    int count;
    const int* row;    ///< count, 0 ... rows - 1
    const int* column; ///< count, 0 ... columns - 1
    const double* value;
} CoulombEntries;

/// The same as rows: row k has the entries start[k] ... start[k + 1] - 1, its columns ascend and no
/// entry is 0.
typedef struct CoulombRows {
    int* start; ///< rows + 1
    int* column;
    double* value;
} CoulombRows;

/// Sort by rows and, in a row, by columns; entries at the same place keep their order.
/// @param order receives count indices of entries
/// @return UT_ERR_CAPACITY when scratch is too small
utStatus ut_coulomb_sort_entries(const CoulombEntries* entries, utArena scratch, int* order);

/// Turn entries into rows. @return UT_ERR_CAPACITY when keep is too small
utStatus ut_coulomb_make_rows(const CoulombEntries* entries, utArena* keep, CoulombRows* rows);

#endif
