// SPDX-License-Identifier: Apache-2.0
// The sim object, which sim.c, sim_step.c and sim_read.c share.
//
// A sim's arrays lie in blocks of Python's: after each step the state is copied into them, and before
// each use of the sim they are compared with it. An array that the caller wrote to replaces the state
// (ut_sim_set). So arrays never move, never show a state in the middle of a step, and outlive the sim.
#ifndef UPTACK_PYTHON_SIM_H
#define UPTACK_PYTHON_SIM_H

#include "recorder.h"

#include <uptack/batch.h>

typedef enum SimArray {
    SIM_Q,
    SIM_V,
    SIM_ACT,
    SIM_CTRL,
    SIM_FORCE,      // made when it is first asked for, here and below
    SIM_APPLIED,    // nbody x 6
    SIM_MOCAP_POS,  // nmocap x 3
    SIM_MOCAP_QUAT, // nmocap x 4
    SIM_ARRAYS
} SimArray;

typedef enum SimPolicy {
    SIM_RAISE, // a step that is not certified is not taken and raises
    SIM_FLAG,  // it is not taken; step() says so
    SIM_KEEP,  // it is taken; step() says so
} SimPolicy;

typedef struct Sim {
    PyObject_HEAD Compiled* compiled;
    utSim* sim;
    SimPolicy policy;
    bool busy;    // a thread is in the sim, with the interpreter's lock released
    bool stepped; // `result` is that of a step, and its report is valid
    long long steps;
    utStepResult result;
    utEnergyLedger ledger;
    Block* block[SIM_ARRAYS];
    PyObject* array[SIM_ARRAYS]; // numpy arrays of the blocks, made when first asked for
    Recorder* recorder;          // NULL: the steps are not recorded
    Block* input; // copies of ctrl, force, applied, mocap_pos and mocap_quat for a step, because
                  // other threads may write to the arrays meanwhile
} Sim;

// Was the sim created? @return false: raised
bool sim_exists(const Sim* self);

// Take the sim for a call: another thread must not be in it, and what the caller wrote to the arrays
// becomes the state. @return false: raised
bool sim_enter(Sim* self);

// The same without a look at the arrays, for calls that replace the state.
bool sim_enter_to_replace(Sim* self);

// Copy the state into the arrays.
void sim_show(Sim* self);

// The report of the last step belongs to another state now.
void sim_forget_step(Sim* self);

// The input of the next step from the arrays, copied into self->input.
utInput sim_input(const Sim* self);

// The settings of Sim's keywords. @return false: raised
bool core_sim_settings(PyObject* args, PyObject* keywords, utSimDef* def);

// Copy a row of a batch to a sim, or from it. @return not UT_OK with an exception set: the sim is in use
utStatus core_sim_exchange(PyObject* sim, utBatch* batch, int row, bool to_sim, utError* err);

extern PyMethodDef sim_step_methods[];
extern PyMethodDef sim_read_methods[];
extern PyMethodDef sim_dynamics_methods[];

PyObject* sim_step(PyObject* object, PyObject* const* args, Py_ssize_t count, PyObject* names);
PyObject* sim_outcome(PyObject* object, void* closure);

#endif
