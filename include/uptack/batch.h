// SPDX-License-Identifier: Apache-2.0
/// @file batch.h
/// Many simulations of one model, stepped on several threads, with states and controls in plain
/// arrays: a row per simulation, row-major.
///
///     utBatchDef def = ut_batch_def();
///     def.rows = 1000;
///     def.threads = ut_processors();
///     utBatch* batch = NULL;
///     utStatus status = ut_batch_create(model, &def, &batch, &err);   // all rows at the model's pose
///     utBatchInput input = {.ctrl = ctrl};                            // 1000 x nu
///     status = ut_batch_step(batch, 10, &input, NULL, &err);          // ten steps of every row
///     const double* q = ut_batch_q(batch);                            // 1000 x nq
///     ut_batch_destroy(batch);
///
/// Row i has the same bits as a sim of its own with the same settings, states and inputs, whatever
/// the number of threads and whatever happens in other rows.
///
/// A row that fails keeps the state before the step that failed and stands still until it is set or
/// reset. Other rows go on. utBatchRow.status tells which rows stand still.
///
/// Memory: a row holds its state and warm start, a few kB (ut_batch_row_bytes). Contacts, matrices
/// and everything else that a step needs exist once per thread.
///
/// A batch belongs to one thread at a time. It uses its own threads within a call only.
#ifndef UPTACK_BATCH_H
#define UPTACK_BATCH_H

#include <uptack/sim.h>
#include <uptack/threads.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct utBatch utBatch;

typedef struct utBatchDef {
    int rows;     ///< number of simulations, at least 1, default 1
    int threads;  ///< 1 ... UT_MAX_THREADS; default 0: ut_processors(), at most one per row
    utSimDef sim; ///< settings of all rows, without `threads`; its allocator is called from several
                  ///< threads at once
    uint32_t cookie; ///< set by ut_batch_def()
} utBatchDef;

#define UT_BATCH_DEF_COOKIE UT_COOKIE(31, 1) ///< value of utBatchDef.cookie

UT_API utBatchDef ut_batch_def(void);

/// Create a batch with all rows at the model's pose at rest.
/// @param model borrowed; it must outlive the batch
/// @return UT_ERR_ARGUMENT naming the invalid setting, UT_ERR_DEF, UT_ERR_MEMORY
UT_API utStatus ut_batch_create(const utModel* model, const utBatchDef* def, utBatch** batch,
                                utError* err);
UT_API void ut_batch_destroy(utBatch* batch);

UT_API const utModel* ut_batch_model(const utBatch* batch);
UT_API int ut_batch_rows(const utBatch* batch);
UT_API int ut_batch_threads(const utBatch* batch);
UT_API double ut_batch_dt(const utBatch* batch);

/// Bytes of all rows at present, without the workspace of the threads.
UT_API size_t ut_batch_row_bytes(const utBatch* batch);

// ---- state --------------------------------------------------------------------------------------

// The states of all rows. The arrays stay where they are until the batch is destroyed.
UT_API const double* ut_batch_time(const utBatch* batch);       ///< n
UT_API const double* ut_batch_q(const utBatch* batch);          ///< n x nq
UT_API const double* ut_batch_v(const utBatch* batch);          ///< n x nv
UT_API const double* ut_batch_act(const utBatch* batch);        ///< n x na
UT_API const double* ut_batch_mocap_pos(const utBatch* batch);  ///< n x 3 nmocap
UT_API const double* ut_batch_mocap_quat(const utBatch* batch); ///< n x 4 nmocap

/// How a row is, and how the last call of ut_batch_step went for it.
typedef struct utBatchRow {
    int status;             ///< utStatus: UT_OK, or why the row stands still
    int outcome;            ///< utStepOutcome: the worst of the steps
    int taken;              ///< steps that were taken
    int contacts;           ///< of the last step
    double residual;        ///< the largest E of the certificates
    double max_penetration; ///< the largest one before a step, m
} utBatchRow;

UT_API const utBatchRow* ut_batch_row(const utBatch* batch); ///< n

/// Why a row stands still. @return the message, "" for a row that does not stand still
UT_API const char* ut_batch_message(const utBatch* batch, int row);

/// States for rows. Every pointer may be NULL: keep the present values; `time` NULL: keep the time.
typedef struct utBatchState {
    const double* time; ///< count
    const double* q;    ///< count x nq; quaternions are normalized
    const double* v;    ///< count x nv
    const double* act;  ///< count x na
} utBatchState;

/// Replace the states of rows, as ut_sim_set and ut_sim_set_act do. A row whose values cannot be
/// used keeps its state and stands still with UT_ERR_ARGUMENT.
/// @param count number of rows in `row` @param row their indices, each once; NULL: rows 0 ... count - 1
/// @return UT_ERR_ARGUMENT for an index out of range; no row is then changed
UT_API utStatus ut_batch_set(utBatch* batch, int count, const int* row, const utBatchState* state,
                             utError* err);

/// Set rows to the model's pose or to keyframes, as ut_sim_reset does.
/// @param keyframe count entries, -1 for the model's pose; NULL: the model's pose for all
UT_API utStatus ut_batch_reset(utBatch* batch, int count, const int* row, const int* keyframe,
                               utError* err);

/// Copy the whole state of a row, with its warm start, to a sim of the same model, or from it.
/// @return UT_ERR_ARGUMENT, UT_ERR_MEMORY; nothing is then changed
UT_API utStatus ut_batch_to_sim(const utBatch* batch, int row, utSim* sim, utError* err);
UT_API utStatus ut_batch_from_sim(utBatch* batch, int row, const utSim* sim, utError* err);

// ---- stepping -----------------------------------------------------------------------------------

/// Controls and forces. Every pointer may be NULL, as in utInput.
typedef struct utBatchInput {
    bool each_step;     ///< the arrays have values per step, n x steps x ...; default: n x ..., the
                        ///< same for all steps of the call
    const double* ctrl; ///< n x nu
    const double* force;      ///< n x nv
    const utForce* applied;   ///< n x nbody
    const double* mocap_pos;  ///< n x 3 nmocap
    const double* mocap_quat; ///< n x 4 nmocap
    const bool* skip;         ///< n, never per step: rows that are not stepped
} utBatchInput;

/// Arrays that receive values along the way. Every pointer may be NULL. A row that stands still
/// repeats its values; its sensors of accelerations and forces are NAN.
typedef struct utBatchOutput {
    int every;    ///< default 0: values after the last step, n x ...; k > 0: after every k-th step,
                  ///< n x (steps / k) x ...
    double* time; ///< 1 value per row and sample
    double* q;    ///< nq
    double* v;    ///< nv
    double* act;  ///< na
    double* sensor;    ///< nsensordata
    double* energy;    ///< 1: J
    double* body_pos;  ///< 3 nbody
    double* body_quat; ///< 4 nbody
} utBatchOutput;

/// Step all rows that do not stand still.
/// @param steps at least 1
/// @param input NULL: none @param output NULL: none
/// @return UT_OK also when rows failed: see ut_batch_row; UT_ERR_ARGUMENT for `steps` below 1
UT_API utStatus ut_batch_step(utBatch* batch, int steps, const utBatchInput* input,
                              const utBatchOutput* output, utError* err);

#ifdef __cplusplus
}
#endif

#endif
