// SPDX-License-Identifier: Apache-2.0
// Results as they come: one JSON object per line, flushed at once, so that nothing is lost when a run
// is interrupted. bench_table reads the files and makes the table (docs/engines.md lists the rows).
#ifndef UPTACK_BENCH_ROWS_H
#define UPTACK_BENCH_ROWS_H

#include <stdio.h>
#include <uptack/json.h>

typedef struct Rows {
    FILE* file;
    utJsonWriter writer;
} Rows;

/// Open results/<name>.jsonl beside the program, empty. Ends the program when it cannot.
Rows rows_open(const char* program, const char* name);
void rows_close(Rows* rows);

/// @param kind "line" of the table, "run", "growth", "note"  @param part which program says so
void row_begin(Rows* rows, const char* kind, const char* part);
void row_text(Rows* rows, const char* key, const char* value);
void row_number(Rows* rows, const char* key, double value); ///< null when not finite
void row_integer(Rows* rows, const char* key, long value);
void row_truth(Rows* rows, const char* key, bool value);
void row_end(Rows* rows);

/// A sentence below the table.
void row_note(Rows* rows, const char* part, const char* format, ...) UT_PRINTF(3, 4);

#endif
