// SPDX-License-Identifier: Apache-2.0
// Figures that another program found, from a text: one line a quantity, `name number number ...`; a
// line `state N` begins those of a state.
#ifndef UPTACK_TEST_ORACLE_FIGURES_H
#define UPTACK_TEST_ORACLE_FIGURES_H

#include "test.h"

enum { FIGURES_OF_MODEL = -1 }; ///< the state of what stands before the first one

typedef struct Figure {
    char name[24];
    int state;
    int count;
    double* x;
} Figure;

typedef struct Figures {
    int count;
    int states;
    Figure* figure;
} Figures;

/// Read a file. @return false, with a failed check, when it cannot be
bool figures_read(const char* path, utArena* keep, Figures* figures);

/// A quantity by name; a failed check, and nothing with count 0, when there is none.
Figure figures_find(const Figures* figures, int state, const char* name);

#endif
