// SPDX-License-Identifier: Apache-2.0
// A batch: the states of all rows in plain arrays, and a sim per thread in which rows are stepped.
#ifndef UPTACK_BATCH_INTERNAL_H
#define UPTACK_BATCH_INTERNAL_H

#include <uptack/batch.h>

#include "sim/internal.h"

/// The state of a row besides the numbers in the arrays (SimState).
typedef struct BatchRow {
    double start;
    uint64_t steps;
    double h_next;
    double warm_h;
    int warm_count, modes;
    void* lists;   // impulses of the warm start, then modes; NULL: there were none yet
    size_t room;   // bytes of `lists`
    char* message; // why it stands still; NULL: it never did
} BatchRow;

enum { BATCH_MESSAGE_SIZE = sizeof(((utError*)0)->message) };

struct utBatch {
    const utModel* model;
    utArena memory;        // of this struct and its arrays
    utAllocator allocator; // of lists and messages of rows; allocate == NULL: malloc
    int rows;
    double* time;
    double* q;
    double* v;
    double* act;
    double* mocap_pos;
    double* mocap_quat;
    int sleep_trees, sleep_controls; // as in SleepState
    TreeSleep* sleep_tree;           // n x sleep_trees
    double* sleep_ctrl;              // n x sleep_controls
    BatchRow* row;
    utBatchRow* shown; // what callers see of the rows
    utPool* pool;
    utSim** sim; // one per thread
};

/// Copy a row's state to a sim, with its placements. @return UT_ERR_MEMORY
utStatus ut_batch_load_row(const utBatch* batch, int row, utSim* sim);

/// Copy a sim's state to a row. @return UT_ERR_MEMORY; the row is then unchanged
utStatus ut_batch_store_row(utBatch* batch, int row, const utSim* sim);

/// Let a row stand still, or go on with UT_OK.
void ut_batch_set_status(utBatch* batch, int row, utStatus status, const char* message);

/// Memory of rows, from the batch's allocator.
void* ut_batch_allocate(const utBatch* batch, size_t size);
void ut_batch_release(const utBatch* batch, void* memory, size_t size);

/// The entries of a row in an array with `size` entries per row. NULL stays NULL.
#define BATCH_AT(array, row, size) \
    ((array) != NULL ? (array) + (size_t)(row) * (size_t)(size) : NULL)

#endif
