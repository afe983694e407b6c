// SPDX-License-Identifier: Apache-2.0
// A comparison as a picture.
#include "compare/compare.h"
#include "plot/plot_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS = 2 };

static const PlotKind distance_kind = {.name = "distance", .group = "distance", .unit = "m"};
static const PlotKind speed_kind = {
    .name = "difference of velocity", .group = "velocity", .unit = "m/s"};
static const PlotKind width_kind = {.name = "part of the motion", .group = "part", .unit = ""};

// A picture being made: panels of curves, one curve per case and panel.
typedef struct Picture {
    PlotFigure figure;
    PlotPanel panel[PANELS];
    bool failed;
} Picture;

static void free_picture(Picture* p)
{
    for (int k = 0; k < PANELS; k++) {
        for (int i = 0; i < p->panel[k].curves; i++) {
            PlotCurve* curve = &p->panel[k].curve[i];
            free(curve->name);
            plot_numbers_free(&curve->x);
            plot_numbers_free(&curve->y);
        }
        free(p->panel[k].curve);
    }
}

static PlotCurve* add_curve(PlotPanel* panel, const char* name, const PlotKind* kind, int room)
{
    if (panel->curve == NULL) {
        panel->curve = calloc((size_t)room, sizeof *panel->curve);
    }
    char* copy = malloc(strlen(name) + 1);
    if (panel->curve == NULL || copy == NULL) {
        free(copy);
        return NULL;
    }
    memcpy(copy, name, strlen(name) + 1);
    PlotCurve* curve = &panel->curve[panel->curves++];
    *curve = (PlotCurve){.name = copy, .kind = kind};
    return curve;
}

static void add_point(Picture* p, PlotCurve* curve, double x, double y)
{
    p->failed = p->failed || curve == NULL || !plot_numbers_add(&curve->x, x) ||
                !plot_numbers_add(&curve->y, y);
}

// ---- the three figures --------------------------------------------------------------------------

// Differences below this, m or m/s, are rounding.
static const double ROUNDING = 1e-12;

static bool is_above_rounding(const PlotNumbers* numbers)
{
    for (size_t i = 0; i < numbers->count; i++) {
        if (numbers->at[i] > ROUNDING) {
            return true;
        }
    }
    return false;
}

// Add a curve of differences over time. Rounding counts as 0, which a logarithmic axis leaves out.
static void add_differences(Picture* p, PlotPanel* panel, const Compare* c, const CompareCase* item,
                            const PlotNumbers* numbers, const PlotKind* kind)
{
    char label[128];
    compare_label(c, item, label, sizeof label);
    PlotCurve* curve = add_curve(panel, label, kind, c->cases);
    for (size_t i = 0; i < item->time.count && !p->failed; i++) {
        add_point(p, curve, item->time.at[i], numbers->at[i] > ROUNDING ? numbers->at[i] : 0.0);
    }
}

// Differences over time, on logarithmic axes. Cases that never differ have no curve, unless no case has one.
static void draw_runs(const Compare* c, Picture* p)
{
    bool any[2] = {false, false};
    for (int k = 0; k < c->cases; k++) {
        any[0] = any[0] || is_above_rounding(&c->item[k].position);
        any[1] = any[1] || is_above_rounding(&c->item[k].velocity);
    }
    p->figure.x_name = "time";
    p->figure.x_unit = "s";
    p->figure.panels = 2;
    p->panel[0].title = "largest distance of a body to the reference";
    p->panel[1].title = "largest difference of a body's velocity";
    for (int k = 0; k < c->cases && !p->failed; k++) {
        const CompareCase* item = &c->item[k];
        if (item->time.count == 0 || k == c->reference) {
            continue;
        }
        if (!any[0] || is_above_rounding(&item->position)) {
            add_differences(p, &p->panel[0], c, item, &item->position, &distance_kind);
        }
        if (!any[1] || is_above_rounding(&item->velocity)) {
            add_differences(p, &p->panel[1], c, item, &item->velocity, &speed_kind);
        }
    }
}

// Distances between successive steps lengths over the number of halvings.
static void draw_convergence(const Compare* c, Picture* p)
{
    p->figure.x_name = "halvings of the step";
    p->figure.x_unit = "";
    p->figure.whole_x = true;
    p->figure.panels = 1;
    p->panel[0].title = "distance at the end to the run with half the step";
    for (int k = 0; k < c->cases && !p->failed; k++) {
        const CompareCase* item = &c->item[k];
        if (item->halvings != 0) {
            continue;
        }
        char label[128];
        compare_label(c, item, label, sizeof label);
        label[strcspn(label, " ")] = '\0';
        PlotCurve* curve = NULL;
        const CompareCase* half;
        while ((half = compare_halved(c, item)) != NULL && !p->failed) {
            curve =
                curve != NULL ? curve : add_curve(&p->panel[0], label, &distance_kind, c->cases);
            add_point(p, curve, item->halvings, compare_apart(item, half));
            item = half;
        }
    }
}

static void draw_bracket(const CompareBracket* bracket, Picture* p)
{
    static const char* const names[] = {"between both sides", "inside to circle",
                                        "outside to circle"};
    p->figure.x_name = "edges";
    p->figure.x_unit = "";
    p->figure.whole_x = true;
    p->figure.panels = 1;
    p->panel[0].title = "bracket of friction: differences of motion";
    for (int k = 0; k < 3 && !p->failed; k++) {
        PlotCurve* curve = NULL;
        for (int i = 0; i < bracket->levels; i++) {
            const CompareLevel* l = &bracket->level[i];
            if (l->ran) {
                curve = curve != NULL ? curve : add_curve(&p->panel[0], names[k], &width_kind, 3);
                add_point(p, curve, l->edges, k == 0 ? l->width : k == 1 ? l->inside : l->outside);
            }
        }
    }
}

// ---- one step: a chart of dots ------------------------------------------------------------------

enum { ROW = 22, TOP = 58, LEFT = 16, GAP = 12, RIGHT = 24, FONT = 12 };

typedef struct Chart {
    double x, width; // of the axis, px
    int lo, hi;      // exponents of ten
} Chart;

static double chart_x(const Chart* chart, double value)
{
    const double part = (log10(value) - chart->lo) / (chart->hi - chart->lo);
    return chart->x + chart->width * fmin(fmax(part, 0.0), 1.0);
}

static void put_label(Svg* svg, double x, double y, const char* anchor, const char* text)
{
    svg_tag(svg, "text");
    svg_set(svg, "x", x);
    svg_set(svg, "y", y);
    svg_set_text(svg, "text-anchor", anchor);
    svg_inside(svg);
    svg_content(svg, text);
    svg_end(svg, "text");
}

static void put_dot(Svg* svg, double x, double y, const char* color, bool hollow)
{
    svg_tag(svg, "circle");
    svg_set(svg, "cx", x);
    svg_set(svg, "cy", y);
    svg_set(svg, "r", 4.5);
    svg_set_text(svg, "fill", hollow ? "#ffffff" : color);
    svg_set_text(svg, "stroke", color);
    svg_close(svg);
}

static const char SPEED_COLOR[] = "#0072b2", GAP_COLOR[] = "#d55e00";

// The figures of a case: difference of velocities, and model gap of polygons; NaN: none.
static void chart_values(const CompareCase* item, double value[2])
{
    value[0] = item->compared > 0 ? compare_largest(item).velocity : (double)NAN;
    value[1] = compare_is_polygon(item) && item->steps > 0 ? item->max_model_gap : (double)NAN;
}

// The decades of all values above rounding.
static Chart chart_axis(const Compare* c, double x, double width)
{
    Chart chart = {x, width, -9, -6};
    for (int k = 0; k < c->cases; k++) {
        double value[2];
        chart_values(&c->item[k], value);
        for (int i = 0; i < 2; i++) {
            const int up = value[i] > 0.0 && isfinite(value[i]) ? (int)ceil(log10(value[i])) : -9;
            chart.hi = up > chart.hi ? up : chart.hi;
            chart.lo = up - 1 < chart.lo ? up - 1 : chart.lo;
        }
    }
    chart.lo = chart.lo < -14 ? -14 : chart.lo;
    return chart;
}

static void put_axis(const Chart* chart, double bottom, Svg* svg)
{
    const int stride = chart->hi - chart->lo > 8 ? 2 : 1;
    for (int e = chart->lo; e <= chart->hi; e += stride) {
        char tick[PLOT_TICK_ROOM];
        const double x = chart_x(chart, pow(10.0, e));
        plot_power_text(e, tick, sizeof tick);
        svg_line(svg, x, TOP - 8, x, bottom, "#d0d0d0");
        put_label(svg, x, bottom + 16, "middle", tick);
    }
}

static void put_legend(Svg* svg)
{
    put_dot(svg, LEFT + 5, TOP - 26, SPEED_COLOR, false);
    put_label(svg, LEFT + 16, TOP - 22, "start", "difference of velocity, m/s");
    put_dot(svg, LEFT + 205, TOP - 26, GAP_COLOR, true);
    put_label(svg, LEFT + 216, TOP - 22, "start",
              "model gap: E under the circular law; left edge: 0 or less than the axis");
}

static void put_case(const Compare* c, const CompareCase* item, const Chart* chart, double y,
                     Svg* svg)
{
    double value[2];
    char label[128];
    compare_label(c, item, label, sizeof label);
    put_label(svg, chart->x - GAP, y + 4, "end", label);
    chart_values(item, value);
    const bool reference = item == &c->item[c->reference];
    if (item->end != COMPARE_RAN || reference) {
        put_label(svg, chart->x + 4, y + 4, "start",
                  reference ? "reference" : compare_end_name(item->end));
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (!isnan(value[i])) {
            put_dot(svg, value[i] > 0.0 ? chart_x(chart, value[i]) : chart->x, y,
                    i == 0 ? SPEED_COLOR : GAP_COLOR, i == 1);
        }
    }
}

static void draw_step(const Compare* c, double width, Svg* svg)
{
    double names = 0.0;
    for (int k = 0; k < c->cases; k++) {
        char label[128];
        compare_label(c, &c->item[k], label, sizeof label);
        names = fmax(names, svg_text_width(label, FONT));
    }
    const double bottom = TOP + ROW * c->cases, height = bottom + 28;
    const double x = LEFT + names + GAP;
    const Chart chart = chart_axis(c, x, width - RIGHT - x);
    svg_tag(svg, "svg");
    svg_set_text(svg, "xmlns", "http://www.w3.org/2000/svg");
    char box[64];
    snprintf(box, sizeof box, "0 0 %.0f %.0f", width, height);
    svg_set(svg, "width", width);
    svg_set(svg, "height", height);
    svg_set_text(svg, "viewBox", box);
    svg_set_text(svg, "font-family", "sans-serif");
    svg_set(svg, "font-size", FONT);
    svg_inside(svg);
    svg_tag(svg, "rect");
    svg_set_text(svg, "width", "100%");
    svg_set_text(svg, "height", "100%");
    svg_set_text(svg, "fill", "#ffffff");
    svg_close(svg);
    put_label(svg, LEFT, 20, "start", "one step from a shared state, compared with the reference");
    put_legend(svg);
    put_axis(&chart, bottom, svg);
    for (int k = 0; k < c->cases; k++) {
        put_case(c, &c->item[k], &chart, TOP + ROW * (k + 0.5), svg);
    }
    svg_end(svg, "svg");
    svg_raw(svg, "\n");
}

// ---- the picture --------------------------------------------------------------------------------

static void draw_curves(const Compare* c, const CompareBracket* bracket, Svg* svg, bool* failed)
{
    Picture p = {.figure = {.width = 800}};
    p.figure.panel = p.panel;
    if (bracket != NULL) {
        draw_bracket(bracket, &p);
    } else if (c->options->halve > 0) {
        draw_convergence(c, &p);
    } else {
        draw_runs(c, &p);
    }
    for (int k = 0; k < p.figure.panels; k++) {
        plot_take_logarithms(&p.panel[k], true);
    }
    if (!p.failed) {
        plot_draw(&p.figure, svg);
    }
    *failed = p.failed;
    free_picture(&p);
}

utStatus compare_draw(const Compare* c, const CompareBracket* bracket, utError* err)
{
    Svg svg = {0};
    bool failed = false;
    if (c->options->one_step && bracket == NULL) {
        draw_step(c, 800.0, &svg);
    } else {
        draw_curves(c, bracket, &svg, &failed);
    }
    const utStatus status = failed || svg.failed ? cli_no_memory(c->options->out, err)
                                                 : plot_file_write(c->options->out, &svg, err);
    svg_free(&svg);
    return status;
}
