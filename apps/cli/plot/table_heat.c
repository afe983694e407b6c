// SPDX-License-Identifier: Apache-2.0
// A heat map: the mean of z in cells of x and y, with a curve y(x) on it.
#include "plot/table_plot.h"
#include "plot/plot_pen.h"

#include <math.h>
#include <stdlib.h>
#include <uptack/expression.h>

enum { MOST_CELLS = 200, BINS = 40, COLORS = 64 };

// The cells along an axis: one per value, or bins of equal width.
typedef struct Cells {
    int count;
    double edge[MOST_CELLS + 1];
} Cells;

static Cells make_cells(const PlotNumbers* numbers, double lo, double hi)
{
    Cells c = {0};
    double value[MOST_CELLS + 1];
    c.count = table_distinct(numbers, MOST_CELLS, value);
    if (c.count > MOST_CELLS) {
        c.count = BINS;
        for (int k = 0; k <= BINS; k++) {
            c.edge[k] = lo + (hi - lo) * k / BINS;
        }
        return c;
    }
    // edges lie between the values, and as far beyond the first and last one
    for (int k = 1; k < c.count; k++) {
        c.edge[k] = 0.5 * (value[k - 1] + value[k]);
    }
    const double first = c.count > 1 ? c.edge[1] - value[0] : 0.5;
    const double last = c.count > 1 ? value[c.count - 1] - c.edge[c.count - 1] : 0.5;
    c.edge[0] = value[0] - first;
    c.edge[c.count] = value[c.count - 1] + last;
    return c;
}

static int find_cell(const Cells* c, double x)
{
    for (int k = 0; k < c->count; k++) {
        if (x < c->edge[k + 1] || k == c->count - 1) {
            return k;
        }
    }
    return 0;
}

typedef struct Heat {
    Cells x, y;
    double* mean; // x.count x y.count; NAN: no row
    double lo, hi;
} Heat;

static bool take_means(const TableData* data, Heat* h)
{
    const size_t cells = (size_t)h->x.count * (size_t)h->y.count;
    size_t* count = calloc(cells, sizeof *count);
    h->mean = calloc(cells, sizeof *h->mean);
    for (size_t i = 0; i < data->rows && count != NULL && h->mean != NULL; i++) {
        const double x = data->column[0].at[i], y = data->column[1].at[i],
                     z = data->column[2].at[i];
        if (plot_is_drawn(x) && plot_is_drawn(y) && plot_is_drawn(z)) {
            const size_t at =
                (size_t)find_cell(&h->x, x) * (size_t)h->y.count + (size_t)find_cell(&h->y, y);
            h->mean[at] += z;
            count[at]++;
        }
    }
    h->lo = HUGE_VAL;
    h->hi = -HUGE_VAL;
    for (size_t k = 0; k < cells && count != NULL && h->mean != NULL; k++) {
        h->mean[k] = count[k] > 0 ? h->mean[k] / (double)count[k] : (double)NAN;
        h->lo = fmin(h->lo, h->mean[k]);
        h->hi = fmax(h->hi, h->mean[k]);
    }
    const bool done = count != NULL && h->mean != NULL;
    free(count);
    return done;
}

static void draw_cell(Svg* svg, double left, double top, double right, double bottom,
                      const char* color)
{
    svg_tag(svg, "rect");
    svg_set(svg, "x", left);
    svg_set(svg, "y", top);
    svg_set(svg, "width", right - left + 0.3); // no seams between cells
    svg_set(svg, "height", bottom - top + 0.3);
    svg_set_text(svg, "fill", color);
    svg_close(svg);
}

// The number of a mean's colour, 0 ... COLORS - 1; -1: no row.
static int color_of(const Heat* h, int i, int j)
{
    const double z = h->mean[(size_t)i * (size_t)h->y.count + (size_t)j];
    const double share = h->hi > h->lo ? (z - h->lo) / (h->hi - h->lo) : 0.5;
    return !isfinite(z) ? -1 : share >= 1.0 ? COLORS - 1 : (int)(share * COLORS);
}

// Draw the cells of one colour as one outline, and neighbours in y as one cell, because a map has thousands.
static void draw_color(Svg* svg, const TableFrame* f, const Heat* h, int color)
{
    for (int i = 0; i < h->x.count; i++) {
        const double left = table_px_x(f, h->x.edge[i]), right = table_px_x(f, h->x.edge[i + 1]);
        for (int j = 0, end; j < h->y.count; j = end) {
            end = j + 1;
            if (color_of(h, i, j) != color) {
                continue;
            }
            while (end < h->y.count && color_of(h, i, end) == color) {
                end++;
            }
            const double bottom = table_px_y(f, h->y.edge[j]), top = table_px_y(f, h->y.edge[end]);
            svg_raw(svg, "M");
            svg_tenths(svg, left);
            svg_raw(svg, " ");
            svg_tenths(svg, bottom);
            svg_raw(svg, "V");
            svg_tenths(svg, top);
            svg_raw(svg, "H");
            svg_tenths(svg, right);
            svg_raw(svg, "V");
            svg_tenths(svg, bottom);
            svg_raw(svg, "z");
        }
    }
}

static bool has_color(const Heat* h, int color)
{
    for (int i = 0; i < h->x.count; i++) {
        for (int j = 0; j < h->y.count; j++) {
            if (color_of(h, i, j) == color) {
                return true;
            }
        }
    }
    return false;
}

static void draw_cells(Svg* svg, const TableFrame* f, const Heat* h)
{
    svg_raw(svg, "<g shape-rendering=\"crispEdges\">\n");
    for (int color = -1; color < COLORS; color++) {
        char text[8] = "#e4e4e4"; // no row
        if (!has_color(h, color)) {
            continue;
        }
        if (color >= 0) {
            table_color((color + 0.5) / COLORS, text);
        }
        svg_tag(svg, "path");
        svg_set_text(svg, "fill", text);
        svg_raw(svg, " d=\"");
        draw_color(svg, f, h, color);
        svg_raw(svg, "\"/>\n");
    }
    svg_end(svg, "g");
}

static void draw_bar(Svg* svg, const TableFrame* f, const Heat* h, const char* name)
{
    TableFrame bar = *f;
    bar.left = f->right + 26.0;
    bar.right = bar.left + 14.0;
    bar.y = plot_axis(h->lo, h->hi, 0.0, 6.0, false);
    svg_raw(svg, "<g shape-rendering=\"crispEdges\">\n");
    for (int k = 0; k < COLORS; k++) {
        char color[8];
        table_color((k + 0.5) / COLORS, color);
        const double y = bar.bottom - (bar.bottom - bar.top) * (k + 1) / COLORS;
        draw_cell(svg, bar.left, y, bar.right, y + (bar.bottom - bar.top) / COLORS, color);
    }
    svg_end(svg, "g");
    for (long long k = bar.y.first; k <= bar.y.last; k++) {
        char text[PLOT_TICK_ROOM];
        plot_tick_text(&bar.y, k, text);
        const double y = table_px_y(&bar, (double)k * bar.y.step * bar.y.scale);
        svg_line(svg, bar.right, y, bar.right + 4.0, y, "#37424a");
        table_text(svg, bar.right + 8.0, y + 4.0, "start", text);
    }
    char label[200], power[32];
    plot_power_text(bar.y.exponent, power, sizeof power);
    snprintf(label, sizeof label, bar.y.exponent != 0 ? "%s [%s]" : "%s", name, power);
    table_text(svg, bar.right, bar.bottom + 18.0, "middle", label);
}

// y = the expression of --over, where t is x.
static utStatus draw_over(Svg* svg, const TableFrame* f, const char* text, utError* err)
{
    enum { POINTS = 400 };
    char memory[8192];
    utArena keep = ut_arena_on(memory, sizeof memory);
    utExpression over;
    utError why = {0};
    size_t size = 0;
    while (text[size] != '\0') {
        size++;
    }
    if (ut_expression_read((utText){text, size}, &keep, &over, &why) != UT_OK) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "--over '%.60s' is no expression in t: %.120s",
                            text, why.message);
    }
    svg_raw(svg, "<path fill=\"none\" stroke=\"#ffffff\" stroke-width=\"2.5\" stroke-dasharray=\"7 "
                 "4\" d=\"");
    PlotPen pen = {.svg = svg};
    for (int k = 0; k <= POINTS; k++) {
        const double x = (f->x.lo + (f->x.hi - f->x.lo) * k / POINTS) * f->x.scale;
        const double y = table_px_y(f, ut_expression_at(&over, x).value);
        if (y >= f->top && y <= f->bottom) {
            plot_pen_add(&pen, table_px_x(f, x), y);
        } else {
            plot_pen_up(&pen);
        }
    }
    plot_pen_up(&pen);
    svg_raw(svg, "\"/>\n");
    return UT_OK;
}

utStatus table_draw_heat(const TableData* data, Svg* svg, utError* err)
{
    enum { ROOM_FOR_BAR = 92 };
    double x_lo, x_hi, y_lo, y_hi;
    if (data->columns != 3) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "--heat needs three columns: X,Y,Z");
    }
    if (!table_range(&data->column[0], &x_lo, &x_hi) ||
        !table_range(&data->column[1], &y_lo, &y_hi)) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the columns '%s' and '%s' have no numbers",
                            data->name[0], data->name[1]);
    }
    Heat h = {.x = make_cells(&data->column[0], x_lo, x_hi),
              .y = make_cells(&data->column[1], y_lo, y_hi)};
    if (!take_means(data, &h)) {
        free(h.mean);
        return cli_no_memory(data->options->out, err);
    }
    utStatus status = UT_OK;
    if (!(h.lo <= h.hi)) {
        status =
            ut_error_set(err, UT_ERR_ARGUMENT, "the column '%s' has no numbers", data->name[2]);
    } else {
        const TableFrame f = table_frame(data, h.x.edge[0], h.x.edge[h.x.count], h.y.edge[0],
                                         h.y.edge[h.y.count], ROOM_FOR_BAR);
        draw_cells(svg, &f, &h);
        if (data->options->over != NULL) {
            status = draw_over(svg, &f, data->options->over, err);
        }
        table_draw_frame(svg, &f, data->name[0], data->name[1]);
        draw_bar(svg, &f, &h, data->name[2]);
    }
    free(h.mean);
    return status;
}
