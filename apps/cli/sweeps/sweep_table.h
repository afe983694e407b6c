// SPDX-License-Identifier: Apache-2.0
// The merged table of a sweep: a row per job, in the order of the jobs.
#ifndef UPTACK_CLI_SWEEP_TABLE_H
#define UPTACK_CLI_SWEEP_TABLE_H

#include "sweeps/sweep_log.h"

typedef struct SweepTable {
    const Sweep* sweep;
    long long rows;   ///< jobs with a result
    bool* has_result; ///< jobs
    int32_t* status;  ///< jobs; the rows of the others are empty
    uint64_t* hash;
    double* number; ///< jobs x columns
    char** message; ///< jobs; NULL: none
} SweepTable;

/// Read all logs of a folder. @param table pass it to sweep_free_table, also after a failure
utStatus sweep_read_table(const char* folder, const Sweep* sweep, SweepTable* table, utError* err);
void sweep_free_table(SweepTable* table);

/// Write the rows that there are. @param path NULL: standard output
utStatus sweep_write_csv(const SweepTable* table, const char* path, utError* err);
utStatus sweep_write_npz(const SweepTable* table, const char* path, utError* err);
utStatus sweep_write_hdf5(const SweepTable* table, const char* path, utError* err);

#endif
