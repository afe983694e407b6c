// SPDX-License-Identifier: Apache-2.0
// The start of one job: its model, settings, first state and controls.
#ifndef UPTACK_CLI_SWEEP_START_H
#define UPTACK_CLI_SWEEP_START_H

#include "sweeps/sweep_spec.h"

/// What a worker keeps from job to job, and the job that it works on.
struct SweepWorker {
    const Sweep* sweep;
    utModelDef* description; ///< of its own
    bool same_model;         ///< no job changes the model,
    bool same_sim;           ///< and none the settings
    utModel* model;
    utSim* sim;
    double time;                  ///< to be simulated, s
    const utModelKeyframe* key;   ///< NULL: the modelled pose
    utArena memory;               ///< of one job
    double* ctrl;                 ///< nu
    int* actuator;                ///< ctrls
    utExpression* expression;     ///< ctrls
    SweepQuantity *output, *stop; ///< outputs, stops
    bool has_sensors;             ///< an output or a stop reads one
    double* sensor;               ///< nsensordata
};

/// Make a job ready to step.
/// @param at receives the value of the specification to which an error belongs
utStatus sweep_start_job(SweepWorker* worker, const SweepValues* values, const utJson** at,
                         utError* err);

/// Set the controls of the step that begins at a time.
utStatus sweep_set_controls(SweepWorker* worker, double time, utError* err);

/// Give back what belongs to one job.
void sweep_end_job(SweepWorker* worker);

#endif
