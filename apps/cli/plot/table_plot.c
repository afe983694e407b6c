// SPDX-License-Identifier: Apache-2.0
// Pictures of tables with a row per run: their columns, axes and colours.
#include "plot/table_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- axes ---------------------------------------------------------------------------------------

static const double MARGIN = 24.0, LABEL_SIZE = 11.0;
enum { DEFAULT_HEIGHT = 460, TITLE_HEIGHT = 26 };

double table_px_x(const TableFrame* f, double x)
{
    return f->left + (x / f->x.scale - f->x.lo) / (f->x.hi - f->x.lo) * (f->right - f->left);
}

double table_px_y(const TableFrame* f, double y)
{
    return f->bottom - (y / f->y.scale - f->y.lo) / (f->y.hi - f->y.lo) * (f->bottom - f->top);
}

TableFrame table_frame(const TableData* data, double x_lo, double x_hi, double y_lo, double y_hi,
                       double room_right)
{
    const PlotOptions* o = data->options;
    const double height = o->height > 0 ? o->height : DEFAULT_HEIGHT;
    const double top = MARGIN + (o->title != NULL ? TITLE_HEIGHT : 0.0);
    return (TableFrame){
        .left = 78.0,
        .right = o->width - MARGIN - room_right,
        .top = top,
        .bottom = height - 52.0,
        .x = plot_axis(x_lo, x_hi, 0.0, o->width / 90.0, false),
        .y = plot_axis(y_lo, y_hi, 0.0, height / 60.0, false),
    };
}

void table_text(Svg* svg, double x, double y, const char* anchor, const char* text)
{
    svg_tag(svg, "text");
    svg_set(svg, "x", x);
    svg_set(svg, "y", y);
    svg_set_text(svg, "text-anchor", anchor);
    svg_set(svg, "font-size", LABEL_SIZE);
    svg_set_text(svg, "fill", "#222222");
    svg_inside(svg);
    svg_content(svg, text);
    svg_end(svg, "text");
}

// The name of an axis with its power of ten.
static void name_axis(const PlotAxis* axis, const char* name, char* text, size_t size)
{
    char power[32];
    plot_power_text(axis->exponent, power, sizeof power);
    snprintf(text, size, axis->exponent != 0 ? "%s [%s]" : "%s", name, power);
}

void table_draw_frame(Svg* svg, const TableFrame* f, const char* x_name, const char* y_name)
{
    static const char ink[] = "#37424a";
    char text[PLOT_TICK_ROOM], label[300];
    for (long long k = f->x.first; k <= f->x.last; k++) {
        const double x = table_px_x(f, (double)k * f->x.step * f->x.scale);
        svg_line(svg, x, f->bottom, x, f->bottom + 5.0, ink);
        plot_tick_text(&f->x, k, text);
        table_text(svg, x, f->bottom + 18.0, "middle", text);
    }
    for (long long k = f->y.first; k <= f->y.last; k++) {
        const double y = table_px_y(f, (double)k * f->y.step * f->y.scale);
        svg_line(svg, f->left - 5.0, y, f->left, y, ink);
        plot_tick_text(&f->y, k, text);
        table_text(svg, f->left - 8.0, y + 4.0, "end", text);
    }
    svg_raw(svg, "<rect fill=\"none\" stroke=\"#37424a\"");
    svg_set(svg, "x", f->left);
    svg_set(svg, "y", f->top);
    svg_set(svg, "width", f->right - f->left);
    svg_set(svg, "height", f->bottom - f->top);
    svg_close(svg);
    name_axis(&f->x, x_name, label, sizeof label);
    table_text(svg, 0.5 * (f->left + f->right), f->bottom + 38.0, "middle", label);
    name_axis(&f->y, y_name, label, sizeof label);
    svg_upward_text(svg, 18.0, 0.5 * (f->top + f->bottom), LABEL_SIZE, "#222222", label);
}

// ---- numbers and colours ------------------------------------------------------------------------

bool table_range(const PlotNumbers* numbers, double* lo, double* hi)
{
    *lo = HUGE_VAL;
    *hi = -HUGE_VAL;
    for (size_t i = 0; i < numbers->count; i++) {
        if (plot_is_drawn(numbers->at[i])) {
            *lo = fmin(*lo, numbers->at[i]);
            *hi = fmax(*hi, numbers->at[i]);
        }
    }
    return *lo <= *hi;
}

// From dark blue over green to yellow, with a lightness that rises evenly.
void table_color(double share, char color[8])
{
    static const double anchor[5][3] = {
        {38, 28, 84}, {48, 85, 140}, {32, 145, 140}, {110, 196, 92}, {250, 230, 70}};
    const double s = 4.0 * fmin(fmax(share, 0.0), 1.0);
    const int k = s < 3.0 ? (int)s : 3;
    int rgb[3];
    for (int c = 0; c < 3; c++) {
        rgb[c] = (int)lround(anchor[k][c] + (s - k) * (anchor[k + 1][c] - anchor[k][c]));
    }
    snprintf(color, 8, "#%02x%02x%02x", (unsigned)rgb[0] & 255u, (unsigned)rgb[1] & 255u,
             (unsigned)rgb[2] & 255u);
}

static int compare_numbers(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

int table_distinct(const PlotNumbers* numbers, int most, double* value)
{
    int count = 0;
    for (size_t i = 0; i < numbers->count && count <= most; i++) {
        const double x = numbers->at[i];
        if (plot_is_drawn(x) &&
            (count == 0 || bsearch(&x, value, (size_t)count, sizeof x, compare_numbers) == NULL)) {
            value[count++] = x;
            qsort(value, (size_t)count, sizeof x, compare_numbers);
        }
    }
    return count;
}

// ---- the picture --------------------------------------------------------------------------------

// Split the list of names.
static utStatus read_names(TableData* data, const char* list, utError* err)
{
    while (*list != '\0') {
        const size_t size = strcspn(list, ",");
        if (data->columns == TABLE_COLUMNS || size == 0 || size >= sizeof data->name[0]) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "'%.60s' is no list of up to %d columns, separated by commas",
                                data->list, TABLE_COLUMNS);
        }
        memcpy(data->name[data->columns], list, size);
        data->name[data->columns++][size] = '\0';
        list += size + (list[size] == ',');
    }
    return UT_OK;
}

static utStatus read_columns(Plot* plot, TableData* data, utError* err)
{
    PlotSource* source = &plot->source[0];
    int wanted[TABLE_COLUMNS];
    UT_TRY(read_names(data, data->list, err));
    if (plot->sources != 1 || source->binary) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "this picture is of one table, such as `uptack merge` makes");
    }
    for (int k = 0; k < data->columns; k++) {
        wanted[k] = plot_source_column(source, data->name[k]);
        if (wanted[k] < 0) {
            return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(source->path), 1, 0,
                               "there is no column '%.80s'", data->name[k]);
        }
    }
    PlotNumbers step = {0};
    const utStatus status =
        plot_source_states(source, PLOT_STEP, wanted, data->columns, &step, data->column, err);
    data->rows = step.count;
    plot_numbers_free(&step);
    return status;
}

static utStatus draw(const TableData* data, PlotTable table, Svg* svg, utError* err)
{
    switch (table) {
    case PLOT_HEAT:
        return table_draw_heat(data, svg, err);
    case PLOT_RESPONSE:
        return table_draw_response(data, svg, err);
    case PLOT_HISTOGRAM:
        return table_draw_histogram(data, svg, err);
    default:
        return table_draw_parallel(data, svg, err);
    }
}

utStatus table_plot(Plot* plot, Svg* svg, utError* err)
{
    const PlotOptions* o = &plot->options;
    TableData data = {.options = o, .list = o->table_columns};
    utStatus status = read_columns(plot, &data, err);
    if (status == UT_OK) {
        svg_begin(svg, o->width, o->height > 0 ? o->height : DEFAULT_HEIGHT, "table", o->title);
        if (o->title != NULL) {
            table_text(svg, 0.5 * o->width, 30.0, "middle", o->title);
        }
        status = draw(&data, o->table, svg, err);
        svg_end(svg, "svg");
    }
    for (int k = 0; k < TABLE_COLUMNS; k++) {
        plot_numbers_free(&data.column[k]);
    }
    return status == UT_OK && svg->failed ? cli_no_memory(o->out, err) : status;
}
