// SPDX-License-Identifier: Apache-2.0
// Pictures of tables with a row per run, such as merged sweeps: response curves, heat maps, histograms,
// parallel coordinates.
#ifndef UPTACK_CLI_TABLE_PLOT_H
#define UPTACK_CLI_TABLE_PLOT_H

#include "plot/plot_select.h"

enum { TABLE_COLUMNS = 16 };

/// The columns of a picture.
typedef struct TableData {
    const PlotOptions* options;
    const char* list; ///< names of the columns, separated by commas
    int columns;
    char name[TABLE_COLUMNS][128];
    PlotNumbers column[TABLE_COLUMNS];
    size_t rows;
} TableData;

/// A rectangle with axes. y grows upwards.
typedef struct TableFrame {
    double left, right, top, bottom; ///< px
    PlotAxis x, y;
} TableFrame;

double table_px_x(const TableFrame* frame, double x);
double table_px_y(const TableFrame* frame, double y);

/// Choose axes for ranges of values, and leave room for labels.
TableFrame table_frame(const TableData* data, double x_lo, double x_hi, double y_lo, double y_hi,
                       double room_right);

/// Draw ticks, their labels and the names of both axes, around what is drawn inside.
void table_draw_frame(Svg* svg, const TableFrame* frame, const char* x_name, const char* y_name);

/// A text. @param anchor "start", "middle" or "end"
void table_text(Svg* svg, double x, double y, const char* anchor, const char* text);

/// The smallest and the largest number of a column that is drawn. @return false when there is none
bool table_range(const PlotNumbers* numbers, double* lo, double* hi);

/// The colour of a share from 0 to 1, "#rrggbb".
void table_color(double share, char color[8]);

/// Different values in ascending order. @param value room for `most` + 1 @return their number; most + 1: more
int table_distinct(const PlotNumbers* numbers, int most, double* value);

/// Draw one of the pictures. @return UT_ERR_ARGUMENT for a column that is missing or has no numbers
utStatus table_plot(Plot* plot, Svg* svg, utError* err);
utStatus table_draw_heat(const TableData* data, Svg* svg, utError* err);
utStatus table_draw_response(const TableData* data, Svg* svg, utError* err);
utStatus table_draw_histogram(const TableData* data, Svg* svg, utError* err);
utStatus table_draw_parallel(const TableData* data, Svg* svg, utError* err);

#endif
