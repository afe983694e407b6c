// SPDX-License-Identifier: Apache-2.0
// A pen that draws long curves with few points.
#include "plot/plot_pen.h"

#include <math.h>

static const double MAX_DEVIATION = 0.1; // px, of the drawn line from a point left out

static void pen_draw(PlotPen* pen, double x, double y)
{
    svg_raw(pen->svg, pen->down ? "L" : "M");
    svg_number(pen->svg, x);
    svg_raw(pen->svg, " ");
    svg_number(pen->svg, y);
    pen->moved = pen->down;
    pen->down = true;
    pen->x0 = x;
    pen->y0 = y;
    pen->waits = false;
    pen->least = -HUGE_VAL;
    pen->most = HUGE_VAL;
}

// Let this point wait. Draw the point that waited before unless a line to this one passes near it.
static void pen_to(PlotPen* pen, double x, double y)
{
    if (!pen->down) {
        pen_draw(pen, x, y);
        return;
    }
    if (pen->waits) {
        const double slope = (y - pen->y0) / (x - pen->x0);
        if (!(x > pen->x1 && slope >= pen->least && slope <= pen->most)) {
            pen_draw(pen, pen->x1, pen->y1);
        }
    }
    const double run = x - pen->x0;
    if (!(run > 0.0)) {
        pen_draw(pen, x, y);
        return;
    }
    pen->waits = true;
    pen->x1 = x;
    pen->y1 = y;
    pen->least = fmax(pen->least, (y - MAX_DEVIATION - pen->y0) / run);
    pen->most = fmin(pen->most, (y + MAX_DEVIATION - pen->y0) / run);
}

// Pass the points of the current pixel column on to the line.
static void pen_flush(PlotPen* pen)
{
    if (pen->count == 0) {
        return;
    }
    const bool low_first = pen->order[1] < pen->order[2];
    const int sequence[] = {0, low_first ? 1 : 2, low_first ? 2 : 1, 3};
    for (int k = 0; k < 4; k++) {
        const int at = sequence[k];
        if (k == 0 || pen->order[at] > pen->order[sequence[k - 1]]) {
            pen_to(pen, pen->x[at], pen->y[at]);
        }
    }
    pen->count = 0;
}

void plot_pen_up(PlotPen* pen)
{
    pen_flush(pen);
    if (pen->waits) {
        pen_draw(pen, pen->x1, pen->y1);
    }
    if (pen->down && !pen->moved) {
        svg_raw(pen->svg, "h0"); // the round ends of a line of no length make a dot
    }
    pen->down = pen->moved = false;
}

static void pen_wait(PlotPen* pen, int at, double x, double y, size_t order)
{
    pen->x[at] = x;
    pen->y[at] = y;
    pen->order[at] = order;
}

void plot_pen_add(PlotPen* pen, double x, double y)
{
    const size_t order = pen->next++;
    if (pen->count > 0 && floor(x) != pen->pixel) {
        pen_flush(pen);
    }
    const bool first = pen->count++ == 0;
    if (first) {
        pen->pixel = floor(x);
        pen_wait(pen, 0, x, y, order);
    }
    if (first || y < pen->y[1]) {
        pen_wait(pen, 1, x, y, order);
    }
    if (first || y > pen->y[2]) {
        pen_wait(pen, 2, x, y, order);
    }
    pen_wait(pen, 3, x, y, order);
}
