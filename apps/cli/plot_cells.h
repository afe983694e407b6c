// SPDX-License-Identifier: Apache-2.0
// Cells of a CSV table (RFC 4180), with lines that end in "\n" or "\r\n".
#ifndef UPTACK_CLI_PLOT_CELLS_H
#define UPTACK_CLI_PLOT_CELLS_H

#include <uptack/base.h>

/// A table being read, cell by cell.
typedef struct PlotCells {
    const char* file;
    const char* at;
    const char* end;
    const char* line_start;
    int line;
} PlotCells;

/// Set an error with the line and column of `at`. @return UT_ERR_FORMAT
utStatus plot_cell_error(const PlotCells* cells, const char* at, const char* what, utError* err);

/// Read the next cell, including its quotes.
utStatus plot_cells_next(PlotCells* cells, utText* cell, utError* err);

/// Skip a comma. @return false when there is none
bool plot_cells_comma(PlotCells* cells);

/// Is this the end of a line or of the table?
bool plot_cells_at_line_end(const PlotCells* cells);

/// Go from the end of a line to the next line.
void plot_cells_line(PlotCells* cells);

/// Read a number; NaN for the words nan, inf and -inf.
utStatus plot_cell_number(const PlotCells* cells, utText cell, double* value, utError* err);

/// Copy a cell without its quotes, or a text unchanged. Free the copy with free().
/// @return NULL when there is no memory
char* plot_cell_text(utText cell);
char* plot_copy(utText text);

#endif
