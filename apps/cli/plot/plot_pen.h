// SPDX-License-Identifier: Apache-2.0
// A pen that draws long curves with few points.
#ifndef UPTACK_CLI_PLOT_PEN_H
#define UPTACK_CLI_PLOT_PEN_H

#include "plot/plot.h"

/// A line that is being drawn. Points within one pixel column are thinned to the first, lowest,
/// highest and last point, in their order, because these cover the same pixels. A remaining point
/// is left out if the line without it passes within a tenth of a pixel of it.
typedef struct PlotPen {
    Svg* svg; ///< set this; all other members begin as 0

    // points in one pixel
    size_t next; // number of the next point
    double pixel;
    int count;
    double x[4], y[4]; // first, lowest, highest, last
    size_t order[4];   // their numbers within the curve

    // the line drawn so far
    bool down;     // the line has a first point
    bool moved;    // the line has a second point
    double x0, y0; // the last point drawn
    bool waits;    // the point (x1, y1) is not yet drawn and may be left out
    double x1, y1;
    double least, most; // slopes of lines from (x0, y0) that pass near all points left out
} PlotPen;

/// Continue the line to this point, px.
void plot_pen_add(PlotPen* pen, double x, double y);

/// End the line. The next point begins a new one.
void plot_pen_up(PlotPen* pen);

#endif
