// SPDX-License-Identifier: Apache-2.0
// The program under test, which UPTACK_CLI names, run in a folder of its own with model files.
#ifndef UPTACK_TEST_SWEEPS_H
#define UPTACK_TEST_SWEEPS_H

#include "test.h"

#include <stddef.h>

enum { SWEEPS_ROOM = 1 << 20 };

/// What the last command printed.
extern char sweeps_out[SWEEPS_ROOM], sweeps_err[SWEEPS_ROOM];

/// Make the folder and go there. @return false when the test has to be skipped
bool sweeps_begin(void);

/// Run a shell command in the folder; "$U" is the program, "$R" the root of the repository.
/// @return its exit code, 128 + signal
int sweeps_run(const char* command, ...) UT_PRINTF(1, 2);

void sweeps_write(const char* name, const char* text);
size_t sweeps_read(const char* name, char* to, size_t room);

/// Remove a folder of results.
void sweeps_remove(const char* name);

/// Are two files there and the same?
bool sweeps_same(const char* a, const char* b);

/// A table: `columns` numbers of a row of sweeps_out. @param row from 0 @return false when it is not there
bool sweeps_numbers(int row, const char* const* column, int columns, double* number);

/// A cell as text, up to 127 bytes.
bool sweeps_cell(int row, const char* column, char cell[128]);

#endif
