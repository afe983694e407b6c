// SPDX-License-Identifier: Apache-2.0
// The program under test, which UPTACK_CLI names, with a folder for its files that is gone when the
// tests end.
#ifndef UPTACK_TEST_PROGRAM_H
#define UPTACK_TEST_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/// The program to run, or NULL when the test has to be skipped.
const char* program(void);

/// Where the files are.
const char* program_folder(void);

/// The path of a file there; it stays where it is. Up to 64 names of up to 15 bytes.
const char* path_in_folder(const char* name);

/// @return its path
const char* write_file(const char* name, const char* text);

/// @param text room bytes, ends with a 0
void read_file(const char* name, char* text, size_t room);

/// Is the part in the text? It is said what was not there.
bool has(const char* text, const char* part);

#endif
