// SPDX-License-Identifier: Apache-2.0
// Recordings to plot: tables of states, tables of contacts, and binary recordings, which hold both.
#ifndef UPTACK_CLI_PLOT_SOURCE_H
#define UPTACK_CLI_PLOT_SOURCE_H

#include "cli.h"
#include "plot/plot.h"
#include "convert/csv_cells.h"

#include <uptack/record.h>

/// A recording. Its columns are read when they are needed.
typedef struct PlotSource {
    const char* path;
    char* label;    ///< in legends
    utArena memory; ///< holds `bytes`
    utText bytes;
    bool has_states;
    bool has_contacts;
    bool binary;
    utRecording recording; ///< when binary
    int columns;           ///< number of columns of the states, or of a table of contacts
    char** column;         ///< their names
    bool cut;              ///< the recording is incomplete and the warning was printed
} PlotSource;

/// The unit of x.
typedef enum PlotX {
    PLOT_TIME,
    PLOT_STEP,
    PLOT_COLUMN, ///< a column of states
} PlotX;

/// @param any_table accept a table without the column time, too
/// @param source    pass it to plot_source_close, also after a failure
utStatus plot_source_open(const char* path, bool any_table, PlotSource* source, utError* err);
void plot_source_close(PlotSource* source);

/// @return the column of states with this name, or -1
int plot_source_column(const PlotSource* source, const char* name);

/// Call `row` for each row of a table. An unfinished last row is left out with a warning.
/// @param row receives one cell per column
utStatus plot_source_rows(PlotSource* source,
                          utStatus (*row)(void* context, const CsvCells* cells, const utText* cell,
                                          utError* err),
                          void* context, utError* err);

/// Call `take` for each record of a binary recording.
utStatus plot_source_frames(PlotSource* source,
                            utStatus (*take)(void* context, const utRecordFrame* frame,
                                             utError* err),
                            void* context, utError* err);

/// Call `take` for the text of a column and the numbers of two others in each row of a table.
/// @param by,x,y indices of columns
utStatus plot_source_texts(PlotSource* source, int by, int x, int y,
                           utStatus (*take)(void* context, utText text, double x, double y,
                                            utError* err),
                           void* context, utError* err);

/// Read columns of states. The cells nan, inf and -inf become NaN.
/// @param wanted indices of `count` columns
/// @param x      receives the times or steps; free it with plot_numbers_free
/// @param y      receives `count` columns; free each with plot_numbers_free
utStatus plot_source_states(PlotSource* source, PlotX unit, const int* wanted, int count,
                            PlotNumbers* x, PlotNumbers* y, utError* err);

/// A contact quantity of two geoms over time.
typedef struct PlotPair {
    utText geom1, geom2; ///< names with their quotes, borrowed from the source
    int contacts;        ///< in the last step
    PlotNumbers x;
    PlotNumbers y;
} PlotPair;

typedef struct PlotPairs {
    PlotPair* pair; ///< in order of first contact
    int count;
    int room;
    int last; ///< index of the pair found last
} PlotPairs;

/// Read a column of contacts. Several contacts of a pair in one step give the sum of impulses and
/// forces, the least gap, the largest slip speed or error, and the mean of other columns. Steps
/// without contact have impulse 0 and a gap in other curves.
/// @param pairs pass it to plot_pairs_free, also after a failure
utStatus plot_source_contacts(PlotSource* source, PlotX unit, const PlotKind* kind,
                              PlotPairs* pairs, utError* err);
void plot_pairs_free(PlotPairs* pairs);

/// "floor / box". Free it with free(). @return NULL when there is no memory
char* plot_pair_name(const PlotSource* source, const PlotPair* pair);

#endif
