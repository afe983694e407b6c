// SPDX-License-Identifier: Apache-2.0
// Cells of a CSV table (RFC 4180), with lines that end in "\n" or "\r\n".
#ifndef UPTACK_CLI_CSV_CELLS_H
#define UPTACK_CLI_CSV_CELLS_H

#include <uptack/base.h>

/// A table being read, cell by cell.
typedef struct CsvCells {
    const char* file;
    const char* at;
    const char* end;
    const char* line_start;
    int line;
} CsvCells;

/// Set an error with the line and column of `at`. @return UT_ERR_FORMAT
utStatus csv_cell_error(const CsvCells* cells, const char* at, const char* what, utError* err);

/// Read the next cell, including its quotes.
utStatus csv_cells_next(CsvCells* cells, utText* cell, utError* err);

/// Skip a comma. @return false when there is none
bool csv_cells_comma(CsvCells* cells);

/// Is this the end of a line or of the table?
bool csv_cells_at_line_end(const CsvCells* cells);

/// Go from the end of a line to the next line.
void csv_cells_line(CsvCells* cells);

/// Read a number; NaN for the words nan, inf and -inf.
utStatus csv_cell_number(const CsvCells* cells, utText cell, double* value, utError* err);

/// Copy a cell without its quotes, or a text unchanged. Free the copy with free().
/// @return NULL when there is no memory
char* csv_cell_text(utText cell);
char* csv_copy(utText text);

#endif
