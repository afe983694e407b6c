// SPDX-License-Identifier: Apache-2.0
// Files that verbs write: plain ones, and tables.
#ifndef UPTACK_CLI_OUTPUT_H
#define UPTACK_CLI_OUTPUT_H

#include "cli.h"

#include <uptack/record.h>

/// A file being written.
typedef struct CliOutput {
    const char* path; ///< NULL: none
    FILE* file;
    int code; ///< errno of what failed
} CliOutput;

utStatus cli_output_open(const char* path, CliOutput* output, utError* err);

/// A utRecordSink. @param context the CliOutput
bool cli_output_write(void* context, const char* text, size_t size);

/// See that everything so far is in the file. @return false when it is not
bool cli_output_flush(CliOutput* output);

/// "path: error: cannot be written: No space left on device" @return UT_ERR_IO
utStatus cli_output_failed(const CliOutput* output, utError* err);

/// @param whole  everything was written
/// @param status what happened before: it comes back unless it is UT_OK and the file has failed
utStatus cli_output_close(CliOutput* output, bool whole, utStatus status, utError* err);

/// A table being written.
typedef struct CliTable {
    CliOutput output;
    utArena memory;
    utCsv csv;
} CliTable;

/// @param path NULL: none @param model NULL: of a recording
/// @param table to be given to cli_table_close, also after a failure
utStatus cli_table_open(const char* path, const utModel* model, CliTable* table, utError* err);

/// Everything reaches the file, whatever happened before. @return as cli_output_close
utStatus cli_table_close(CliTable* table, utStatus status, utError* err);

#endif
