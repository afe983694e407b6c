// SPDX-License-Identifier: Apache-2.0
// The recorder object: a .utr file to which the steps of a sim are written as they are taken.
#ifndef UPTACK_PYTHON_RECORDER_H
#define UPTACK_PYTHON_RECORDER_H

#include "core.h"

typedef struct Recorder {
    PyObject_HEAD FILE* file; // NULL: closed
    utArena keep;
    utRecorder recorder;
    Compiled* compiled;
    double* sensor; // nsensordata
    uint64_t steps;
    bool failed; // the file took not every byte
    bool taken;  // a sim writes to it
    bool busy;   // that sim is in a step
} Recorder;

extern PyTypeObject* core_recorder_type;

// Both are called without the interpreter's lock, by the thread that steps.
void recorder_input(Recorder* self, const utInput* input);
void recorder_step(Recorder* self, utSim* sim, const utStepReport* report);

// The first state, before any step.
void recorder_state(Recorder* self, utSim* sim);

#endif
