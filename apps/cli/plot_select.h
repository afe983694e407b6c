// SPDX-License-Identifier: Apache-2.0
// Which curves of which recordings are plotted.
#ifndef UPTACK_CLI_PLOT_SELECT_H
#define UPTACK_CLI_PLOT_SELECT_H

#include "plot_source.h"

enum { PLOT_ITEMS = 64, PLOT_PANELS = 16, PLOT_LABELS = 64 }; ///< at most

/// One --column or --contacts.
typedef struct PlotItem {
    int panel;
    const char* column;
    const PlotKind* kind; ///< of contacts; NULL: a column of states
} PlotItem;

typedef struct PlotOptions {
    const char* out;
    const char* title;
    PlotX x;
    int width, height;
    bool json;
    int labels;
    const char* label[PLOT_LABELS];
    int items;
    PlotItem item[PLOT_ITEMS];
    int panels;
    const char* panel[PLOT_PANELS]; ///< their titles
    bool logarithmic[PLOT_PANELS];  ///< over powers of ten
} PlotOptions;

/// What is asked for, and what came of it. Begins with the options, the rest 0.
typedef struct Plot {
    PlotOptions options;
    int sources;
    PlotSource* source;
    PlotFigure figure;
    PlotPanel panel[PLOT_PANELS];
    int room[PLOT_PANELS]; ///< of its curves
} Plot;

/// Open the recordings and give them names.
utStatus plot_open(Plot* plot, int files, const char* const* file, utError* err);

/// Read the curves that the options name into the panels, or those that are drawn when they name
/// none. @return UT_ERR_ARGUMENT when a column is missing or a panel has nothing to draw
utStatus plot_collect(Plot* plot, utError* err);

/// To be called at the end, also after a failure.
void plot_close(Plot* plot);

#endif
