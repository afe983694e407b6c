// SPDX-License-Identifier: Apache-2.0
// Response curves, histograms and parallel coordinates of tables.
#include "plot/table_plot.h"
#include "plot/plot_pen.h"

#include <math.h>
#include <stdlib.h>

static const char* const palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#999999"};
enum { PALETTE = sizeof palette / sizeof *palette, MOST_GROUPS = 8, MOST_VALUES = 60, BINS = 30 };

static utStatus no_numbers(const TableData* data, int column, utError* err)
{
    return ut_error_set(err, UT_ERR_ARGUMENT, "the column '%s' has no numbers", data->name[column]);
}

// ---- response -----------------------------------------------------------------------------------

// Mean, least and largest y at places of x.
typedef struct Response {
    int count;
    double x[MOST_VALUES + 1], sum[MOST_VALUES], least[MOST_VALUES], most[MOST_VALUES];
    size_t rows[MOST_VALUES];
    double width; // of bins; 0: x are values
} Response;

static void begin_response(const TableData* data, double lo, double hi, Response* r)
{
    r->count = table_distinct(&data->column[0], MOST_VALUES, r->x);
    r->width = 0.0;
    if (r->count > MOST_VALUES) {
        r->count = BINS;
        r->width = (hi - lo) / BINS;
        for (int k = 0; k < BINS; k++) {
            r->x[k] = lo + (k + 0.5) * r->width;
        }
    }
    for (int k = 0; k < r->count; k++) {
        r->sum[k] = 0.0;
        r->rows[k] = 0;
        r->least[k] = HUGE_VAL;
        r->most[k] = -HUGE_VAL;
    }
}

static void add_row(Response* r, double x, double y)
{
    for (int k = 0; k < r->count && plot_is_drawn(x) && plot_is_drawn(y); k++) {
        if (r->width > 0.0 ? fabs(x - r->x[k]) <= 0.5 * r->width : x == r->x[k]) {
            r->sum[k] += y;
            r->rows[k]++;
            r->least[k] = fmin(r->least[k], y);
            r->most[k] = fmax(r->most[k], y);
            return;
        }
    }
}

static void draw_point(Svg* svg, bool first, double x, double y)
{
    svg_raw(svg, first ? "M" : "L");
    svg_number(svg, x);
    svg_raw(svg, " ");
    svg_number(svg, y);
}

// The band from the least to the largest y, and the mean.
static void draw_response(Svg* svg, const TableFrame* f, const Response* r, const char* color)
{
    bool first = true;
    svg_raw(svg, "<path stroke=\"none\" fill-opacity=\"0.18\"");
    svg_set_text(svg, "fill", color);
    svg_raw(svg, " d=\"");
    for (int k = 0; k < r->count; k++) {
        if (r->rows[k] > 0) {
            draw_point(svg, first, table_px_x(f, r->x[k]), table_px_y(f, r->most[k]));
            first = false;
        }
    }
    for (int k = r->count - 1; k >= 0; k--) {
        if (r->rows[k] > 0) {
            draw_point(svg, false, table_px_x(f, r->x[k]), table_px_y(f, r->least[k]));
        }
    }
    svg_raw(svg, first ? "\"/>\n" : "Z\"/>\n");
    svg_raw(svg, "<path fill=\"none\" stroke-width=\"1.8\"");
    svg_set_text(svg, "stroke", color);
    svg_raw(svg, " d=\"");
    first = true;
    for (int k = 0; k < r->count; k++) {
        if (r->rows[k] > 0) {
            draw_point(svg, first, table_px_x(f, r->x[k]),
                       table_px_y(f, r->sum[k] / (double)r->rows[k]));
            first = false;
        }
    }
    svg_raw(svg, "\"/>\n");
}

static void draw_legend(Svg* svg, const TableFrame* f, int k, const char* name, double value)
{
    char text[200], number[UT_NUMBER_SIZE];
    const double y = f->top + 12.0 + 17.0 * k;
    ut_number_write_short(value, number);
    snprintf(text, sizeof text, "%s = %s", name, number);
    svg_line(svg, f->right + 12.0, y - 4.0, f->right + 32.0, y - 4.0, palette[k % PALETTE]);
    table_text(svg, f->right + 38.0, y, "start", text);
}

utStatus table_draw_response(const TableData* data, Svg* svg, utError* err)
{
    double x_lo, x_hi, y_lo, y_hi, group[MOST_GROUPS + 1] = {0};
    int groups = 1;
    if (data->columns != 2 && data->columns != 3) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "--response needs two or three columns: X,Y or X,Y,BY");
    }
    if (!table_range(&data->column[0], &x_lo, &x_hi)) {
        return no_numbers(data, 0, err);
    }
    if (!table_range(&data->column[1], &y_lo, &y_hi)) {
        return no_numbers(data, 1, err);
    }
    const bool has_groups = data->columns == 3;
    if (has_groups) {
        groups = table_distinct(&data->column[2], MOST_GROUPS, group);
    }
    if (groups < 1 || groups > MOST_GROUPS) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "the column '%s' must have from 1 to %d different numbers",
                            data->name[2], MOST_GROUPS);
    }
    const double margin = 0.04 * (y_hi - y_lo);
    const TableFrame f =
        table_frame(data, x_lo, x_hi, y_lo - margin, y_hi + margin, has_groups ? 130.0 : 0.0);
    for (int g = 0; g < groups; g++) {
        Response r;
        begin_response(data, x_lo, x_hi, &r);
        for (size_t i = 0; i < data->rows; i++) {
            if (!has_groups || data->column[2].at[i] == group[g]) {
                add_row(&r, data->column[0].at[i], data->column[1].at[i]);
            }
        }
        draw_response(svg, &f, &r, palette[g % PALETTE]);
        if (has_groups) {
            draw_legend(svg, &f, g, data->name[2], group[g]);
        }
    }
    table_draw_frame(svg, &f, data->name[0], data->name[1]);
    return UT_OK;
}

// ---- histogram ----------------------------------------------------------------------------------

utStatus table_draw_histogram(const TableData* data, Svg* svg, utError* err)
{
    double lo, hi;
    size_t count[BINS] = {0}, most = 1;
    if (data->columns != 1) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "--histogram needs one column");
    }
    if (!table_range(&data->column[0], &lo, &hi)) {
        return no_numbers(data, 0, err);
    }
    if (lo == hi) {
        const double half = lo != 0.0 ? 0.1 * fabs(lo) : 1.0; // all in one bar
        lo -= half;
        hi += half;
    }
    for (size_t i = 0; i < data->rows; i++) {
        const double x = data->column[0].at[i];
        if (plot_is_drawn(x)) {
            const int k = (int)((x - lo) / (hi - lo) * BINS);
            const size_t at = (size_t)(k < BINS ? k : BINS - 1);
            count[at]++;
            most = count[at] > most ? count[at] : most;
        }
    }
    const TableFrame f = table_frame(data, lo, hi, 0.0, 1.05 * (double)most, 0.0);
    for (int k = 0; k < BINS; k++) {
        const double left = table_px_x(&f, lo + (hi - lo) * k / BINS);
        const double right = table_px_x(&f, lo + (hi - lo) * (k + 1) / BINS);
        const double top = table_px_y(&f, (double)count[k]);
        svg_raw(svg, "<rect fill=\"#4a7fb0\"");
        svg_set(svg, "x", left + 0.5);
        svg_set(svg, "y", top);
        svg_set(svg, "width", right - left - 1.0);
        svg_set(svg, "height", f.bottom - top);
        svg_close(svg);
    }
    table_draw_frame(svg, &f, data->name[0], "runs");
    return UT_OK;
}

// ---- parallel coordinates -----------------------------------------------------------------------

// An axis per column, a line per row, coloured by the last column.
utStatus table_draw_parallel(const TableData* data, Svg* svg, utError* err)
{
    double lo[TABLE_COLUMNS], hi[TABLE_COLUMNS];
    const int n = data->columns;
    if (n < 2) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "--parallel needs at least two columns");
    }
    for (int k = 0; k < n; k++) {
        if (!table_range(&data->column[k], &lo[k], &hi[k])) {
            return no_numbers(data, k, err);
        }
    }
    const TableFrame f = table_frame(data, 0.0, n - 1.0, 0.0, 1.0, 40.0);
    svg_raw(svg, "<g fill=\"none\" stroke-width=\"0.8\" stroke-opacity=\"0.45\">\n");
    for (size_t i = 0; i < data->rows; i++) {
        char color[8];
        bool complete = true;
        for (int k = 0; k < n; k++) {
            complete = complete && plot_is_drawn(data->column[k].at[i]);
        }
        const double last = hi[n - 1] > lo[n - 1]
                                ? (data->column[n - 1].at[i] - lo[n - 1]) / (hi[n - 1] - lo[n - 1])
                                : 0.5;
        if (!complete) {
            continue;
        }
        table_color(last, color);
        svg_tag(svg, "path");
        svg_set_text(svg, "stroke", color);
        svg_raw(svg, " d=\"");
        for (int k = 0; k < n; k++) {
            const double u =
                hi[k] > lo[k] ? (data->column[k].at[i] - lo[k]) / (hi[k] - lo[k]) : 0.5;
            draw_point(svg, k == 0, table_px_x(&f, k), table_px_y(&f, u));
        }
        svg_raw(svg, "\"/>\n");
    }
    svg_end(svg, "g");
    for (int k = 0; k < n; k++) {
        char text[64];
        const double x = table_px_x(&f, k);
        svg_line(svg, x, f.top, x, f.bottom, "#37424a");
        snprintf(text, sizeof text, "%.4g", hi[k]);
        table_text(svg, x, f.top - 6.0, "middle", text);
        snprintf(text, sizeof text, "%.4g", lo[k]);
        table_text(svg, x, f.bottom + 15.0, "middle", text);
        table_text(svg, x, f.bottom + 34.0, "middle", data->name[k]);
    }
    return UT_OK;
}
