// SPDX-License-Identifier: Apache-2.0
// A pen that draws long curves with few points.
#ifndef UPTACK_CLI_PLOT_PEN_H
#define UPTACK_CLI_PLOT_PEN_H

#include "plot.h"

/// A line that is being drawn. Points within one pixel of x are thinned to the first, the lowest,
/// the highest and the last of them, in their order: what is left covers the same pixels. Of these,
/// a point is left out when the line without it passes within a tenth of a pixel of it.
typedef struct PlotPen {
    Svg* svg; ///< the rest begins as 0

    // points in one pixel
    size_t next; // number of the next point
    double pixel;
    int count;
    double x[4], y[4]; // first, lowest, highest, last
    size_t order[4];   // which point of the curve they are

    // the line behind them
    bool down;          // it has begun
    bool moved;         // and goes somewhere
    double x0, y0;      // the last point that was drawn
    bool waits;         // a point that may be left out
    double x1, y1;      // that one
    double least, most; // slopes of lines from the last point that pass near all that were left out
} PlotPen;

/// Draw on to this point, px.
void plot_pen_add(PlotPen* pen, double x, double y);

/// End the line; the next point begins another.
void plot_pen_up(PlotPen* pen);

#endif
