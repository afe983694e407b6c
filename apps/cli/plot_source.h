// SPDX-License-Identifier: Apache-2.0
// Recordings to be plotted: tables of states, tables of contacts, and binary recordings, which hold
// both.
#ifndef UPTACK_CLI_PLOT_SOURCE_H
#define UPTACK_CLI_PLOT_SOURCE_H

#include "cli.h"
#include "plot.h"
#include "plot_cells.h"

#include <uptack/record.h>

/// A recording. What it holds is read when it is asked for.
typedef struct PlotSource {
    const char* path;
    char* label;    ///< in legends
    utArena memory; ///< of the bytes
    utText bytes;
    bool has_states;
    bool has_contacts;
    bool binary;
    utRecording recording; ///< when binary
    int columns;           ///< of the states, or of a table of contacts
    char** column;         ///< their names
    bool cut;              ///< it ends in the middle, which has been said
} PlotSource;

/// What x is.
typedef enum PlotX {
    PLOT_TIME,
    PLOT_STEP,
} PlotX;

/// @param source to be given to plot_source_close, also after a failure
utStatus plot_source_open(const char* path, PlotSource* source, utError* err);
void plot_source_close(PlotSource* source);

/// @return the column of states with this name, or -1
int plot_source_column(const PlotSource* source, const char* name);

/// Go through the rows of a table; an unfinished last one is left out with a warning.
/// @param row takes the cells of one, as many as there are columns
utStatus plot_source_rows(PlotSource* source,
                          utStatus (*row)(void* context, const PlotCells* cells, const utText* cell,
                                          utError* err),
                          void* context, utError* err);

/// Go through the records of a binary recording, to where it ends. @param take takes one of them
utStatus plot_source_frames(PlotSource* source,
                            utStatus (*take)(void* context, const utRecordFrame* frame,
                                             utError* err),
                            void* context, utError* err);

/// Read columns of states. Cells that say nan or inf become NaN.
/// @param wanted `count` columns
/// @param x, y   x is read once; y has `count` of them, to be given to plot_numbers_free
utStatus plot_source_states(PlotSource* source, PlotX unit, const int* wanted, int count,
                            PlotNumbers* x, PlotNumbers* y, utError* err);

/// What two geoms did to each other over time.
typedef struct PlotPair {
    utText geom1, geom2; ///< borrowed from the source, quoted as it is there
    int contacts;        ///< in the last step
    PlotNumbers x;
    PlotNumbers y;
} PlotPair;

typedef struct PlotPairs {
    PlotPair* pair; ///< in the order in which they first touch
    int count;
    int room;
    int last; ///< that was added to
} PlotPairs;

/// Read a column of contacts: of each pair and step the sum of impulses, the least gap, the
/// greatest slip speed, the mean of the others. Without contact an impulse is 0, and others have a
/// gap.
/// @param pairs to be given to plot_pairs_free, also after a failure
utStatus plot_source_contacts(PlotSource* source, PlotX unit, const PlotKind* kind,
                              PlotPairs* pairs, utError* err);
void plot_pairs_free(PlotPairs* pairs);

/// "floor / box", to be freed; NULL when there is no memory.
char* plot_pair_name(const PlotSource* source, const PlotPair* pair);

#endif
