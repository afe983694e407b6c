// SPDX-License-Identifier: Apache-2.0
// Models for the tests of io.
#ifndef UPTACK_TEST_IO_LOAD_H
#define UPTACK_TEST_IO_LOAD_H

#include "test.h"

#include <uptack/io.h>

/// Load and compile a file. @return a model to be destroyed; NULL after a failed check
utModel* load_model(const char* path, utNotes* notes);

/// Compile a text. @param what the contents of the element `<mujoco xmlns:ut="urn:uptack">`
utModel* read_model(const char* what, utNotes* notes);

/// Files in memory, the last one with the name NULL.
typedef struct TextFile {
    const char* name;
    const char* text;
} TextFile;

/// A utReadFile. @param context a table of TextFile
utStatus read_table(void* context, const char* path, utArena* keep, utText* text, utError* err);

/// Load and compile the first file of a table, without a file system.
utModel* load_table(const TextFile* files, utNotes* notes);

/// The error of loading the first file of a table, "" when it loads.
void table_error(const TextFile* files, char* text, size_t size);

#endif
