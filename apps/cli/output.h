// SPDX-License-Identifier: Apache-2.0
// Files that verbs write: plain files and CSV tables.
#ifndef UPTACK_CLI_OUTPUT_H
#define UPTACK_CLI_OUTPUT_H

#include "cli.h"

#include <uptack/record.h>

/// A file being written.
typedef struct CliOutput {
    const char* path; ///< NULL: none
    FILE* file;
    int code; ///< errno of the first failure
} CliOutput;

utStatus cli_output_open(const char* path, CliOutput* output, utError* err);

/// A utRecordSink. @param context the CliOutput
bool cli_output_write(void* context, const char* text, size_t size);

/// Write all buffered bytes to the file. @return false when that failed
bool cli_output_flush(CliOutput* output);

/// "path: error: cannot be written: No space left on device" @return UT_ERR_IO
utStatus cli_output_failed(const CliOutput* output, utError* err);

/// Close the file.
/// @param complete every write succeeded
/// @param status   of the work before
/// @return `status`; UT_ERR_IO when that is UT_OK and the file is not complete
utStatus cli_output_close(CliOutput* output, bool complete, utStatus status, utError* err);

/// A table being written.
typedef struct CliTable {
    CliOutput output;
    utArena memory;
    utCsv csv;
} CliTable;

/// Begin a table.
/// @param path  NULL: no table
/// @param model NULL: the rows come from a recording
/// @param table pass it to cli_table_close, also after a failure
utStatus cli_table_open(const char* path, const utModel* model, CliTable* table, utError* err);

/// Flush and close a table, also after a failure. @return as cli_output_close
utStatus cli_table_close(CliTable* table, utStatus status, utError* err);

#endif
