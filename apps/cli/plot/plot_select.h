// SPDX-License-Identifier: Apache-2.0
// Selecting the curves to plot.
#ifndef UPTACK_CLI_PLOT_SELECT_H
#define UPTACK_CLI_PLOT_SELECT_H

#include "plot/plot_source.h"

enum { PLOT_ITEMS = 64, PLOT_PANELS = 16, PLOT_LABELS = 64 }; ///< largest numbers of each

/// A picture of a table with a row per run (table_plot.h).
typedef enum PlotTable {
    PLOT_NO_TABLE,
    PLOT_HEAT,
    PLOT_RESPONSE,
    PLOT_HISTOGRAM,
    PLOT_PARALLEL
} PlotTable;

/// One --column or --contacts.
typedef struct PlotItem {
    int panel;
    const char* column;
    const PlotKind* kind; ///< kind of a column of contacts; NULL: a column of states
} PlotItem;

typedef struct PlotOptions {
    const char* out;
    const char* title;
    PlotX x;
    const char* x_column; ///< PLOT_COLUMN: its name
    const char* by;       ///< a curve per text of this column of a table; NULL: no
    bool logarithmic_x;
    const char* friction; ///< draw friction impulses of this pair "a / b", "" for all; NULL: no
    bool modes;           ///< draw the changes of contact modes
    PlotTable table;
    const char* table_columns; ///< with `table`: names, separated by commas
    const char* over;          ///< with PLOT_HEAT: a curve, an expression; NULL: none
    int width, height;
    bool json;
    int labels;
    const char* label[PLOT_LABELS];
    int items;
    PlotItem item[PLOT_ITEMS];
    int panels;
    const char* panel[PLOT_PANELS]; ///< titles, NULL for none
    bool logarithmic[PLOT_PANELS];  ///< --log was given for the panel
    bool stems[PLOT_PANELS];        ///< --stems
    bool points[PLOT_PANELS];       ///< --points
} PlotOptions;

/// A plot: options, recordings and curves. Set the options; all other members begin as 0.
typedef struct Plot {
    PlotOptions options;
    int sources;
    PlotSource* source;
    PlotFigure figure;
    PlotPanel panel[PLOT_PANELS];
    int room[PLOT_PANELS]; ///< allocated curves per panel
} Plot;

/// Open the recordings and set their labels.
utStatus plot_open(Plot* plot, int files, const char* const* file, utError* err);

/// Read the selected curves into the panels, or the default curves if the options select none.
/// @return UT_ERR_ARGUMENT when a column is missing or a panel has nothing to draw
utStatus plot_collect(Plot* plot, utError* err);

/// Draw friction impulses, divided by mu times the normal impulse, with the unit circle and polygons.
utStatus plot_friction(Plot* plot, Svg* svg, utError* err);

/// Draw the modes of contacts and how often contacts changed from one to another.
utStatus plot_modes(Plot* plot, Svg* svg, utError* err);

/// Free everything, also after a failure.
void plot_close(Plot* plot);

#endif
