// SPDX-License-Identifier: Apache-2.0
// Cells of a table: CSV as RFC 4180 has it, with lines that end in "\n" or "\r\n".
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

/// An error at this place of the table. @return UT_ERR_FORMAT
utStatus plot_cell_error(const PlotCells* cells, const char* at, const char* what, utError* err);

/// The next cell as it is there, with its quotes.
utStatus plot_cells_next(PlotCells* cells, utText* cell, utError* err);

/// Step over the comma. @return false when there is none
bool plot_cells_comma(PlotCells* cells);

/// Also true at the end of the table.
bool plot_cells_at_line_end(const PlotCells* cells);

/// Go to the next line, from the end of this one.
void plot_cells_line(PlotCells* cells);

/// A number; NaN for the words nan, inf and -inf.
utStatus plot_cell_number(const PlotCells* cells, utText cell, double* value, utError* err);

/// A cell without its quotes, and a copy of a text as it is, both with a 0 behind them and to be
/// freed. @return NULL when there is no memory
char* plot_cell_text(utText cell);
char* plot_copy(utText text);

#endif
