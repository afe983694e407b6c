// SPDX-License-Identifier: Apache-2.0
// Friction problems that come from Python, which coulomb.c and forms.c share.
#ifndef UPTACK_PYTHON_COULOMB_H
#define UPTACK_PYTHON_COULOMB_H

#include "core.h"

enum { HELD_ARRAYS = 24 };

// A problem on the memory of Python's arrays, for the duration of a call.
typedef struct HeldProblem {
    utCoulomb problem;
    utCoulombBlocks blocks;
    utSection* section;
    Array array[HELD_ARRAYS];
    int arrays;
} HeldProblem;

// Read a dict (uptack.coulomb.Problem._fields) and check the problem. @return false: raised
bool coulomb_open(PyObject* dict, HeldProblem* held);
void coulomb_close(HeldProblem* held);

// A section from (kind, edges, turn). @return false: raised
bool coulomb_section(PyObject* tuple, utSection* section);

#endif
