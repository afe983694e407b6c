// SPDX-License-Identifier: Apache-2.0
// A sweep: one specification, many jobs. A job is a simulation whose result depends on the
// specification, the model and the job's number alone.
#ifndef UPTACK_CLI_SWEEP_H
#define UPTACK_CLI_SWEEP_H

#include "cli.h"

#include <uptack/expression.h>
#include <uptack/load.h>
#include <uptack/sim.h>

enum {
    SWEEP_MAX_PARAMETERS = 64,
    SWEEP_MAX_SAMPLED = 21, ///< parameters with "range": dimensions of the Sobol sequence
    SWEEP_MAX_COLUMNS = 4096,
    SWEEP_TEXT = 1024, ///< bytes of an expanded text
};

static const double SWEEP_MAX_JOBS = 1e8;

// ---- the specification --------------------------------------------------------------------------

typedef enum SweepKind {
    SWEEP_LIST,    ///< numbers
    SWEEP_TEXTS,   ///< texts
    SWEEP_RANGE,   ///< one dimension of the samples
    SWEEP_UNIFORM, ///< drawn for each job alone
    SWEEP_NORMAL,
} SweepKind;

typedef struct SweepParameter {
    const char* name;
    const utJson* at; ///< its value in the specification, for messages
    SweepKind kind;
    int count;         ///< SWEEP_LIST, SWEEP_TEXTS
    double* number;    ///< SWEEP_LIST
    const char** text; ///< SWEEP_TEXTS
    double lo, hi;     ///< SWEEP_RANGE, SWEEP_UNIFORM; limits of SWEEP_NORMAL
    double mean, sd;   ///< SWEEP_NORMAL
    bool is_log;
    utExpression log; ///< of t in 0 ... 1, when is_log
    int dimension;    ///< SWEEP_RANGE
} SweepParameter;

/// A text with parts in braces, such as "box.mass={m}", and where it stands.
typedef struct SweepText {
    const char* name; ///< the key, for members of an object
    const char* text;
    const utJson* at;
} SweepText;

typedef enum SweepMeasure {
    SWEEP_END,
    SWEEP_MIN,
    SWEEP_MAX,
    SWEEP_MEAN,
    SWEEP_COUNT, ///< steps after which a condition holds
    SWEEP_FIRST, ///< time of the first of them, NAN: none
    SWEEP_SERIES,
} SweepMeasure;

/// QUANTITY, or QUANTITY < NUMBER.
typedef struct SweepCondition {
    char quantity[128];
    bool is_less;
    double bound;
} SweepCondition;

typedef struct SweepOutput {
    SweepMeasure measure;
    SweepCondition what;
    const char* name; ///< of its column
    int points;       ///< SWEEP_SERIES, else 1
    int column;       ///< the first one
    const utJson* at;
} SweepOutput;

typedef struct SweepStop {
    SweepCondition when;
    const char* text;
    const utJson* at;
} SweepStop;

typedef enum SweepSampling {
    SWEEP_LATIN_HYPERCUBE,
    SWEEP_SOBOL,
    SWEEP_RANDOM,
} SweepSampling;

/// Figures of every job, before the outputs.
typedef enum SweepFigure {
    SWEEP_STEPS,
    SWEEP_TIME,
    SWEEP_E,
    SWEEP_PENETRATION,
    SWEEP_CONTACTS,
    SWEEP_FLAGGED,
    SWEEP_FIGURES
} SweepFigure;

typedef struct Sweep {
    const char* path;  ///< of the specification
    utArena memory;    ///< holds everything here
    utText text;       ///< of the specification
    uint64_t hash;     ///< of this text
    const char* model; ///< as ut_load takes it
    const utJson* model_at;
    bool floating, friction, self_collision;
    uint64_t seed;
    long long samples; ///< 0: nothing is sampled
    long long repeat;
    SweepSampling sampling;
    int parameters;
    SweepParameter* parameter;
    int sampled; ///< parameters of kind SWEEP_RANGE
    int sets, runs, ctrls, starts;
    SweepText *set, *run, *ctrl, *start;
    int outputs, stops;
    SweepOutput* output;
    SweepStop* stop;
    int columns;     ///< numbers per job: figures, then outputs
    long long jobs;  ///< lists x samples x repeat
    uint32_t* order; ///< Latin hypercube: sampled x samples, permutations
} Sweep;

/// Read a specification. @param sweep pass it to sweep_close, also after a failure
utStatus sweep_open(const char* path, Sweep* sweep, utError* err);
void sweep_close(Sweep* sweep);

/// The name of a column.
const char* sweep_figure_name(SweepFigure figure);

// ---- values -------------------------------------------------------------------------------------

/// The values of the parameters of one job.
typedef struct SweepValues {
    long long job, sample, repeat;
    uint32_t seed;                       ///< "{seed}"
    double number[SWEEP_MAX_PARAMETERS]; ///< of a list of texts: the index
} SweepValues;

/// Make the permutations of Latin hypercubes. @return UT_ERR_MEMORY
utStatus sweep_prepare_samples(Sweep* sweep);

void sweep_values(const Sweep* sweep, long long job, SweepValues* values);

/// The Sobol sequence: coordinate `dimension` of point `index`, as a fraction of 2^32.
uint32_t sweep_sobol(int dimension, uint32_t index);

/// Expand the parts in braces: {name}, {job}, {seed}, {repeat} or an expression of them.
/// @return UT_ERR_FORMAT with the message, which has no place yet
utStatus sweep_expand(const Sweep* sweep, const SweepValues* values, const char* text,
                      char expanded[SWEEP_TEXT], utError* err);

/// Does a text have parts in braces?
bool sweep_has_braces(const char* text);

// ---- jobs ---------------------------------------------------------------------------------------

typedef enum SweepStatus {
    SWEEP_OK,
    SWEEP_STOPPED,       ///< by a condition
    SWEEP_NOT_CERTIFIED, ///< the next step is not certified
    SWEEP_INVALID,       ///< the job's values make no model, or no start
    SWEEP_FAILED,        ///< another error
    SWEEP_CRASHED,       ///< the process died in it
    SWEEP_STATUSES
} SweepStatus;

const char* sweep_status_name(int status);

enum { SWEEP_MESSAGE = 256 };

typedef struct SweepResult {
    long long job;
    int status;
    uint64_t hash; ///< ut_sim_hash of the last state
    char message[SWEEP_MESSAGE];
    double* number; ///< columns
} SweepResult;

/// The model as it was read, which all workers share.
typedef struct SweepModel {
    utModelDef* description;
    uint64_t hash; ///< of all its files, or of the scene
} SweepModel;

utStatus sweep_load_model(const Sweep* sweep, SweepModel* model, utError* err);
void sweep_free_model(SweepModel* model);

/// What one thread needs for its jobs.
typedef struct SweepWorker SweepWorker;

/// Make a worker, which copies the description. Call it from one thread at a time.
utStatus sweep_worker_create(const Sweep* sweep, const SweepModel* model, SweepWorker** worker,
                             utError* err);
void sweep_worker_destroy(SweepWorker* worker);

/// Run a job. Every failure is a status of the result.
/// @return false when a signal ended it early; there is then no result
bool sweep_job(SweepWorker* worker, long long job, SweepResult* result);

/// Check that the first job can start: names, settings, controls, outputs.
/// @param err has the place in the specification
utStatus sweep_check(SweepWorker* worker, utError* err);

// ---- quantities ---------------------------------------------------------------------------------

typedef enum SweepQuantityKind {
    SWEEP_Q_TIME,
    SWEEP_Q_ENERGY,
    SWEEP_Q_CONTACTS,
    SWEEP_Q_E,
    SWEEP_Q_PENETRATION,
    SWEEP_Q_BODY,
    SWEEP_Q_POSITION,
    SWEEP_Q_VELOCITY,
    SWEEP_Q_SENSOR,
    SWEEP_Q_CTRL,
} SweepQuantityKind;

typedef struct SweepQuantity {
    SweepQuantityKind kind;
    int index, component;
} SweepQuantity;

/// Find a quantity by the name of its column in tables of states, such as "box.z".
utStatus sweep_find_quantity(const utModel* model, const char* name, SweepQuantity* quantity,
                             utError* err);

/// Its value in a state. @param step the last step; NULL: none, its quantities are NAN
/// @param sensor values of all sensors @param ctrl controls of the last step, at first of the next one
double sweep_quantity(const SweepQuantity* quantity, const utSim* sim, const utStepResult* step,
                      const double* sensor, const double* ctrl);

/// The index of a position or velocity "joint.q", "joint.qd[2]".
utStatus sweep_find_coordinate(const utModel* model, const char* name, SweepQuantity* quantity,
                               utError* err);

#endif
