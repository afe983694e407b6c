// SPDX-License-Identifier: Apache-2.0
// Drawing curves.
//
// A picture consists of, from top to bottom: the title; for each panel its title, the rows of its
// legend and the plot itself; the ticks and the name of x, which all panels share. The legend is
// above the plot, so that it hides no curve.
#include "plot/plot_pen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- sizes, px ----------------------------------------------------------------------------------

enum {
    EDGE = 16,        // margin of the picture
    RIGHT = 24,       // right of the plots, for half a tick label
    TITLE = 30,       // height of the title
    PANEL_TITLE = 20, // height of a panel's title
    ROW = 18,         // height of a legend's row
    ROWS = 8,         // largest number of rows of a legend
    HEAD = 8,         // between legend and plot
    GAP = 18,         // between panels
    NAME = 22,        // for the name of an axis
    TICKS = 22,       // height of the tick labels under the last panel
    PLOT = 170,       // default height of a plot
    PLOT_LEAST = 40,  // smallest height of a plot
    SAMPLE = 26,      // length of a curve's sample in the legend
    SPACING = 20,     // between entries of the legend
    BAND = 20,        // height of a band
    BAND_NAME = 170,  // largest width of its name
    MANY_STEMS = 150, // more of them have no heads
    FONT_TITLE = 16,
    FONT = 12,
    FONT_TICK = 11,
};

static const double BOLD = 1.15; // width of bold letters relative to normal ones

static const char INK[] = "#222222";
static const char FAINT[] = "#555555";
static const char GRID[] = "#e4e4e4";
static const char AXIS[] = "#999999";

// The colours of Okabe and Ito, which colour-blind readers can distinguish, without yellow, which
// fades on white. Seven colours with four dashes give 28 styles, distinguishable in grey print too.
static const char* const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#333333"};
static const char* const dashes[] = {NULL, "8 4", "2 3.5", "10 3 2 3"};

enum { COLORS = sizeof colors / sizeof *colors, DASHES = sizeof dashes / sizeof *dashes };

typedef struct Range {
    double lo, hi; // lo > hi: empty
} Range;

// Positions of the parts of a panel.
typedef struct Place {
    double legend; // top of the legend, under the panel's title
    int rows;      // number of rows of the legend
    double top, bottom;
    double* x_of; // left end of each entry of the legend; -1: not shown
    int* row_of;  // row of each entry
    Range range;  // of y
    bool band;    // coloured bands instead of curves
    PlotAxis y;
} Place;

typedef struct Layout {
    double left, right;
    double height;
    PlotAxis x;
    Place* place;
} Layout;

// ---- text ---------------------------------------------------------------------------------------

typedef struct TextStyle {
    double size;
    const char* color;
    const char* anchor; // NULL: start
    bool bold;
} TextStyle;

static void text_at(Svg* svg, double x, double y, TextStyle style, const char* text)
{
    svg_tag(svg, "text");
    svg_set(svg, "x", x);
    svg_set(svg, "y", y);
    svg_set(svg, "font-size", style.size);
    svg_set_text(svg, "fill", style.color);
    if (style.anchor != NULL) {
        svg_set_text(svg, "text-anchor", style.anchor);
    }
    if (style.bold) {
        svg_set_text(svg, "font-weight", "600");
    }
    svg_inside(svg);
    svg_content(svg, text);
    svg_end(svg, "text");
}

// Cut a text to a width, between characters. @param room receives the text, with … when it is cut
static void fit_text(const char* text, double size, double width, char* room, size_t bytes)
{
    snprintf(room, bytes, "%s", text);
    size_t end = strlen(room);
    const bool whole = end == strlen(text) && svg_text_width(room, size) <= width;
    while (!whole && end > 0) {
        end--;
        while (end > 0 && ((unsigned char)room[end] & 0xC0) == 0x80) {
            end--;
        }
        room[end] = 0;
        if (end + 4 <= bytes && svg_text_width(room, size) + size <= width) {
            memcpy(room + end, "\u2026", 4);
            return;
        }
    }
}

// ---- layout -------------------------------------------------------------------------------------

static void widen(Range* range, double value)
{
    range->lo = fmin(range->lo, value);
    range->hi = fmax(range->hi, value);
}

static bool is_point(const PlotCurve* c, size_t i)
{
    return plot_is_drawn(c->x.at[i]) && plot_is_drawn(c->y.at[i]);
}

static void add_to_ranges(const PlotCurve* c, bool logarithmic, Range* x, Range* y)
{
    for (size_t i = 0; i < c->x.count; i++) {
        if (is_point(c, i)) {
            widen(x, c->x.at[i]);
            widen(y, c->y.at[i]);
        }
    }
    if ((c->kind->impulse || c->kind->band) && !logarithmic) {
        widen(y, 0.0);
    }
}

// The states that a band can show.
static const char* const state_words[] = {"open", "sticks", "slips", "impact"};
static const char* const state_colors[] = {"#c9d1d6", "#0072b2", "#d55e00", "#a6528a"};

enum { STATES = sizeof state_words / sizeof *state_words };

static double entry_width(const PlotCurve* curve, double most)
{
    return fmin(SAMPLE + 6.0 + svg_text_width(curve->name, FONT), most);
}

// Place the entries of a legend: in one row if they fit, otherwise in columns.
static void lay_legend(const PlotPanel* panel, double width, Place* place)
{
    if (place->band) {
        place->rows = 1;
        return;
    }
    double all = -SPACING;
    double widest = 0.0;
    for (int k = 0; k < panel->curves; k++) {
        const double entry = entry_width(&panel->curve[k], width);
        all += entry + SPACING;
        widest = fmax(widest, entry);
    }
    const bool one_row = all <= width;
    const int columns =
        one_row ? panel->curves : (int)((width + SPACING) / (widest + SPACING) + 1e-9);
    double x = 0.0;
    for (int k = 0; k < panel->curves; k++) {
        x = k % columns > 0 ? x : 0.0;
        place->row_of[k] = k / columns;
        place->x_of[k] = place->row_of[k] < ROWS ? x : -1.0;
        x += SPACING + (one_row ? entry_width(&panel->curve[k], width) : widest);
    }
    const int rows = (panel->curves + columns - 1) / columns;
    place->rows = rows < ROWS ? rows : ROWS;
}

static double above_plot(const PlotPanel* panel, const Place* place)
{
    return (panel->title != NULL ? PANEL_TITLE : 0) + ROW * place->rows + HEAD;
}

static double widest_tick(const PlotAxis* axis)
{
    double width = 0.0;
    for (long long tick = axis->first; tick <= axis->last; tick++) {
        char text[PLOT_TICK_ROOM];
        plot_tick_text(axis, tick, text);
        width = fmax(width, svg_text_width(text, FONT_TICK));
    }
    return width;
}

static double band_height(const PlotPanel* panel)
{
    return BAND * panel->curves + 6.0;
}

// The height of each plot; less than PLOT_LEAST when the picture is too small.
static double plot_height(const PlotFigure* f, const Layout* layout, double* needed)
{
    double rest = 2.0 * EDGE + TICKS + NAME + GAP * (f->panels - 1);
    rest += f->title != NULL ? TITLE : 0;
    int free_panels = 0;
    for (int p = 0; p < f->panels; p++) {
        rest += above_plot(&f->panel[p], &layout->place[p]);
        rest += layout->place[p].band ? band_height(&f->panel[p]) : 0.0;
        free_panels += !layout->place[p].band;
    }
    *needed = rest + free_panels * (double)PLOT_LEAST;
    if (free_panels == 0) {
        return f->height > 0.0 && f->height < rest ? 0.0 : PLOT;
    }
    return f->height > 0.0 ? (f->height - rest) / free_panels : PLOT;
}

// "floor / box" of "state floor / box"
static const char* band_name(const PlotCurve* c)
{
    const char* at = strstr(c->name, "state ");
    return at != NULL ? at + 6 : c->name;
}

static double widest_name(const PlotPanel* panel)
{
    double width = 0.0;
    for (int k = 0; k < panel->curves; k++) {
        width = fmax(width, svg_text_width(band_name(&panel->curve[k]), FONT_TICK));
    }
    return fmin(width, BAND_NAME);
}

static double lay_out(const PlotFigure* f, Layout* layout)
{
    Range x = {HUGE_VAL, -HUGE_VAL};
    for (int p = 0; p < f->panels; p++) {
        Range* y = &layout->place[p].range;
        *y = (Range){HUGE_VAL, -HUGE_VAL};
        layout->place[p].band = plot_is_band(&f->panel[p]);
        for (int k = 0; k < f->panel[p].curves; k++) {
            add_to_ranges(&f->panel[p].curve[k], f->panel[p].logarithmic, &x, y);
            if (f->panel[p].stems && !f->panel[p].logarithmic) {
                widen(y, 0.0);
            }
        }
    }

    // The legend depends on the width, the width on the tick labels of y, these on the height, and
    // the height on the legend: the first pass guesses, the second corrects.
    double left = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        double needed = 0.0;
        for (int p = 0; p < f->panels && pass > 0; p++) {
            lay_legend(&f->panel[p], f->width - RIGHT - left, &layout->place[p]);
        }
        const double height = pass > 0 ? plot_height(f, layout, &needed) : PLOT;
        if (!(height >= PLOT_LEAST)) {
            return needed > 0.0 ? needed : 1.0;
        }
        double top = EDGE + (f->title != NULL ? TITLE : 0);
        double widest = 0.0;
        for (int p = 0; p < f->panels; p++) {
            Place* place = &layout->place[p];
            place->legend = top + (f->panel[p].title != NULL ? PANEL_TITLE : 0);
            place->top = top + above_plot(&f->panel[p], place);
            place->bottom = place->top + (place->band ? band_height(&f->panel[p]) : height);
            place->y =
                f->panel[p].logarithmic
                    ? plot_logarithmic_axis(place->range.lo, place->range.hi, height / 38.0)
                    : plot_axis(place->range.lo, place->range.hi, 0.06, height / 38.0, false);
            widest = fmax(widest, place->band ? widest_name(&f->panel[p]) : widest_tick(&place->y));
            top = place->bottom + GAP;
        }
        left = fmax(left, EDGE + NAME + widest + 8.0);
        layout->height = top - GAP + TICKS + NAME + EDGE;
    }
    layout->left = left;
    layout->right = f->width - RIGHT;
    const double ticks = (layout->right - left) / 80.0;
    layout->x = f->logarithmic_x
                    ? plot_logarithmic_axis(x.lo, x.hi, ticks)
                    : plot_axis(x.lo, x.hi, f->column_x ? 0.04 : 0.0, ticks, f->whole_x);
    return 0.0;
}

// ---- names of axes ------------------------------------------------------------------------------

static void add_word(char* room, size_t size, const char* between, const char* word)
{
    const size_t n = strlen(room);
    snprintf(room + n, size - n, "%s%s", n > 0 ? between : "", word);
}

// List the units of a panel's curves, each once, in the order of the curves.
static void list_units(const PlotPanel* panel, char* room, size_t size)
{
    room[0] = 0;
    for (int k = 0; k < panel->curves; k++) {
        bool seen = panel->curve[k].kind->unit[0] == 0;
        for (int j = 0; j < k && !seen; j++) {
            seen = strcmp(panel->curve[j].kind->unit, panel->curve[k].kind->unit) == 0;
        }
        if (!seen) {
            add_word(room, size, ", ", panel->curve[k].kind->unit);
        }
    }
}

// "z (m)", "position (10⁻³ m)", "m, m/s"
static void axis_name(const char* name, const PlotAxis* axis, const char* units, char* room,
                      size_t size)
{
    char unit[128] = "";
    if (axis->exponent != 0) {
        plot_power_text(axis->exponent, unit, sizeof unit);
    }
    if (units[0] != 0) {
        add_word(unit, sizeof unit, " ", units);
    }
    if (name[0] != 0 && unit[0] != 0) {
        snprintf(room, size, "%s (%s)", name, unit);
    } else {
        snprintf(room, size, "%s%s", name, unit);
    }
}

// The name of a panel's y axis: what all its curves have in common.
static void panel_axis_name(const PlotPanel* panel, const PlotAxis* axis, char* room, size_t size)
{
    bool same_name = true;
    bool same_group = true;
    const PlotKind* first = panel->curve[0].kind;
    for (int k = 1; k < panel->curves; k++) {
        same_name = same_name && strcmp(panel->curve[k].kind->name, first->name) == 0;
        same_group = same_group && strcmp(panel->curve[k].kind->group, first->group) == 0;
    }
    char units[96];
    list_units(panel, units, sizeof units);
    axis_name(same_name ? first->name : same_group ? first->group : "", axis, units, room, size);
}

// ---- axes ---------------------------------------------------------------------------------------

static double place_x(const Layout* l, double x)
{
    return l->left + (x / l->x.scale - l->x.lo) / (l->x.hi - l->x.lo) * (l->right - l->left);
}

static double place_y(const Place* p, double y)
{
    return p->bottom - (y / p->y.scale - p->y.lo) / (p->y.hi - p->y.lo) * (p->bottom - p->top);
}

static void draw_grid(const Layout* l, const Place* p, Svg* svg)
{
    for (long long tick = l->x.first; tick <= l->x.last; tick++) {
        const double x = place_x(l, (double)tick * l->x.step * l->x.scale);
        svg_line(svg, x, p->top, x, p->bottom, GRID);
    }
    for (long long tick = p->y.first; tick <= p->y.last && !p->band; tick++) {
        const double y = place_y(p, (double)tick * p->y.step * p->y.scale);
        svg_line(svg, l->left, y, l->right, y, tick == 0 ? AXIS : GRID);
        char text[PLOT_TICK_ROOM];
        plot_tick_text(&p->y, tick, text);
        text_at(svg, l->left - 8.0, y + 4.0,
                (TextStyle){.size = FONT_TICK, .color = FAINT, .anchor = "end"}, text);
    }
    svg_line(svg, l->left, p->top, l->left, p->bottom, AXIS);
    svg_line(svg, l->left, p->bottom, l->right, p->bottom, AXIS);
}

static void draw_x_ticks(const PlotFigure* f, const Layout* l, const Place* last, Svg* svg)
{
    const TextStyle style = {.size = FONT_TICK, .color = FAINT, .anchor = "middle"};
    for (long long tick = l->x.first; tick <= l->x.last; tick++) {
        char text[PLOT_TICK_ROOM];
        plot_tick_text(&l->x, tick, text);
        text_at(svg, place_x(l, (double)tick * l->x.step * l->x.scale), last->bottom + 17.0, style,
                text);
    }
    char name[96];
    axis_name(f->x_name, &l->x, f->x_unit, name, sizeof name);
    text_at(svg, 0.5 * (l->left + l->right), last->bottom + TICKS + 15.0,
            (TextStyle){.size = FONT, .color = INK, .anchor = "middle"}, name);
}

static void draw_y_name(const PlotPanel* panel, const Place* p, Svg* svg)
{
    char name[256];
    char fitted[256];
    panel_axis_name(panel, &p->y, name, sizeof name);
    fit_text(name, FONT, p->bottom - p->top, fitted, sizeof fitted);
    svg_upward_text(svg, EDGE + 10.0, 0.5 * (p->top + p->bottom), FONT, INK, fitted);
}

// ---- curves -------------------------------------------------------------------------------------

static void set_pen(Svg* svg, int curve)
{
    svg_set_text(svg, "stroke", colors[curve % COLORS]);
    if (dashes[curve % DASHES] != NULL) {
        svg_set_text(svg, "stroke-dasharray", dashes[curve % DASHES]);
    }
}

static void draw_curve(const Layout* l, const Place* p, const PlotCurve* c, int index, Svg* svg)
{
    svg_raw(svg, "<g class=\"curve\">\n<title>");
    svg_content(svg, c->name);
    svg_end(svg, "title");
    svg_tag(svg, "path");
    set_pen(svg, index);
    svg_raw(svg, " d=\"");
    PlotPen pen = {.svg = svg};
    for (size_t i = 0; i < c->x.count; i++) {
        if (is_point(c, i)) {
            plot_pen_add(&pen, place_x(l, c->x.at[i]), place_y(p, c->y.at[i]));
        } else {
            plot_pen_up(&pen);
        }
    }
    plot_pen_up(&pen);
    svg_raw(svg, "\"");
    svg_close(svg);
    svg_end(svg, "g");
}

// ---- bands, stems and points --------------------------------------------------------------------

// A band: each point is the end of a step, which began at the point before.
static void draw_band(const Layout* l, const Place* p, const PlotCurve* c, int index, Svg* svg)
{
    const double top = p->top + 4.0 + BAND * index;
    char name[256];
    fit_text(band_name(c), FONT_TICK, BAND_NAME, name, sizeof name);
    text_at(svg, l->left - 8.0, top + 0.5 * BAND + 2.0,
            (TextStyle){.size = FONT_TICK, .color = FAINT, .anchor = "end"}, name);
    svg_raw(svg, "<g class=\"curve\">\n<title>");
    svg_content(svg, c->name);
    svg_end(svg, "title");
    for (int state = 0; state < STATES; state++) {
        bool begun = false;
        double from = 0.0, to = -HUGE_VAL;
        for (size_t i = 0; i <= c->x.count; i++) {
            const bool here = i < c->x.count && c->y.at[i] == state;
            const double x1 = here ? place_x(l, c->x.at[i]) : 0.0;
            const bool after = i > 0 && here && plot_is_drawn(c->y.at[i - 1]);
            const double x0 = after ? place_x(l, c->x.at[i - 1]) : x1 - 1.0;
            if (here && x0 <= to + 0.3) {
                to = x1;
                continue;
            }
            if (to > from && (here || i == c->x.count)) {
                svg_raw(svg, begun ? "M" : "<path d=\"M");
                begun = true;
                svg_number(svg, from);
                svg_raw(svg, " ");
                svg_number(svg, top);
                svg_raw(svg, "H");
                svg_number(svg, fmax(to, from + 0.6));
                svg_raw(svg, "v13H");
                svg_number(svg, from);
                svg_raw(svg, "Z");
            }
            from = here ? x0 : from;
            to = here ? x1 : to;
        }
        if (begun) {
            svg_raw(svg, "\" stroke=\"none\"");
            svg_set_text(svg, "fill", state_colors[state]);
            svg_close(svg);
        }
    }
    svg_end(svg, "g");
}

static void draw_band_legend(const Layout* l, const Place* p, Svg* svg)
{
    double x = l->left;
    const double y = p->legend + 0.5 * ROW;
    for (int state = 0; state < STATES; state++) {
        svg_tag(svg, "rect");
        svg_set(svg, "x", x);
        svg_set(svg, "y", y - 5.0);
        svg_set(svg, "width", 14.0);
        svg_set(svg, "height", 10.0);
        svg_set_text(svg, "fill", state_colors[state]);
        svg_set_text(svg, "stroke", "none");
        svg_close(svg);
        text_at(svg, x + 20.0, y + 4.0, (TextStyle){.size = FONT, .color = INK},
                state_words[state]);
        x += 20.0 + svg_text_width(state_words[state], FONT) + SPACING;
    }
}

static void draw_dot(Svg* svg, double x, double y, double r, const char* color)
{
    svg_tag(svg, "circle");
    svg_set(svg, "cx", x);
    svg_set(svg, "cy", y);
    svg_set(svg, "r", r);
    svg_set_text(svg, "fill", color);
    svg_set_text(svg, "stroke", "none");
    svg_close(svg);
}

// Stems from 0. Of the stems in one pixel column the longest is drawn.
static void draw_stems(const Layout* l, const Place* p, const PlotCurve* c, int index, Svg* svg)
{
    const char* color = colors[index % COLORS];
    int stems = 0;
    for (size_t i = 0; i < c->x.count; i++) {
        stems += is_point(c, i) && c->y.at[i] != 0.0;
    }
    svg_raw(svg, "<g class=\"curve\">\n<title>");
    svg_content(svg, c->name);
    svg_end(svg, "title");
    svg_raw(svg, "<path stroke-width=\"1.3\"");
    svg_set_text(svg, "stroke", color);
    svg_raw(svg, " d=\"");
    const double zero = place_y(p, 0.0);
    for (size_t i = 0; i < c->x.count;) {
        const double x = place_x(l, c->x.at[i]);
        double most = 0.0;
        const size_t first = i;
        for (; i < c->x.count && (i == first || floor(place_x(l, c->x.at[i])) == floor(x)); i++) {
            most = is_point(c, i) && fabs(c->y.at[i]) > fabs(most) ? c->y.at[i] : most;
        }
        if (most != 0.0) {
            svg_raw(svg, "M");
            svg_number(svg, x);
            svg_raw(svg, " ");
            svg_number(svg, zero);
            svg_raw(svg, "L");
            svg_number(svg, x);
            svg_raw(svg, " ");
            svg_number(svg, place_y(p, most));
        }
    }
    svg_raw(svg, "\"");
    svg_close(svg);
    for (size_t i = 0; i < c->x.count && stems <= MANY_STEMS; i++) {
        if (is_point(c, i) && c->y.at[i] != 0.0) {
            draw_dot(svg, place_x(l, c->x.at[i]), place_y(p, c->y.at[i]), 2.4, color);
        }
    }
    svg_end(svg, "g");
}

static void draw_points(const Layout* l, const Place* p, const PlotCurve* c, int index, Svg* svg)
{
    svg_raw(svg, "<g class=\"points\">\n");
    for (size_t i = 0; i < c->x.count; i++) {
        if (is_point(c, i)) {
            draw_dot(svg, place_x(l, c->x.at[i]), place_y(p, c->y.at[i]), 3.0,
                     colors[index % COLORS]);
        }
    }
    svg_end(svg, "g");
}

static void draw_legend(const PlotPanel* panel, const Layout* l, const Place* p, Svg* svg)
{
    const double width = l->right - l->left;
    const TextStyle style = {.size = FONT, .color = INK};
    int left_out = 0;
    for (int k = 0; k < panel->curves; k++) {
        if (p->x_of[k] < 0.0) {
            left_out++;
            continue;
        }
        char name[256];
        const double x = l->left + p->x_of[k];
        const double y = p->legend + ROW * p->row_of[k] + 0.5 * ROW;
        svg_tag(svg, "path");
        set_pen(svg, k);
        svg_raw(svg, " d=\"M");
        svg_number(svg, x);
        svg_raw(svg, " ");
        svg_number(svg, y);
        svg_raw(svg, "h");
        svg_number(svg, SAMPLE);
        svg_raw(svg, "\"");
        svg_close(svg);
        fit_text(panel->curve[k].name, FONT, width - SAMPLE - 6.0, name, sizeof name);
        text_at(svg, x + SAMPLE + 6.0, y + 4.0, style, name);
    }
    if (left_out > 0) {
        char more[64];
        snprintf(more, sizeof more, "and %d more", left_out);
        text_at(svg, l->right, p->legend - 4.0,
                (TextStyle){.size = FONT, .color = FAINT, .anchor = "end"}, more);
    }
}

// ---- the picture --------------------------------------------------------------------------------

static void draw_panel(const PlotPanel* panel, const Layout* l, const Place* p, Svg* svg)
{
    svg_raw(svg, "<g class=\"panel\">\n");
    if (panel->title != NULL) {
        char title[256];
        fit_text(panel->title, FONT + 1, (l->right - l->left) / BOLD, title, sizeof title);
        text_at(svg, l->left, p->legend - 6.0,
                (TextStyle){.size = FONT + 1, .color = INK, .bold = true}, title);
    }
    svg_raw(svg, "<g stroke-width=\"1\">\n");
    draw_grid(l, p, svg);
    svg_end(svg, "g");
    if (!p->band) {
        draw_y_name(panel, p, svg);
    }
    svg_raw(svg, "<g fill=\"none\" stroke-width=\"1.8\" stroke-linejoin=\"round\" "
                 "stroke-linecap=\"round\">\n");
    for (int k = 0; k < panel->curves; k++) {
        if (p->band) {
            draw_band(l, p, &panel->curve[k], k, svg);
        } else if (panel->stems) {
            draw_stems(l, p, &panel->curve[k], k, svg);
        } else {
            draw_curve(l, p, &panel->curve[k], k, svg);
        }
        if (panel->points && !p->band) {
            draw_points(l, p, &panel->curve[k], k, svg);
        }
    }
    svg_end(svg, "g");
    svg_raw(svg, "<g fill=\"none\" stroke-width=\"1.8\" class=\"legend\">\n");
    if (p->band) {
        draw_band_legend(l, p, svg);
    } else {
        draw_legend(panel, l, p, svg);
    }
    svg_end(svg, "g");
    svg_end(svg, "g");
}

static void draw(const PlotFigure* f, const Layout* l, Svg* svg)
{
    const double height = f->height > 0.0 ? f->height : ceil(l->height);
    svg_begin(svg, f->width, height, NULL, f->title);
    if (f->title != NULL) {
        char title[256];
        fit_text(f->title, FONT_TITLE, (f->width - 2.0 * EDGE) / BOLD, title, sizeof title);
        text_at(svg, 0.5 * f->width, EDGE + 14.0,
                (TextStyle){.size = FONT_TITLE, .color = INK, .anchor = "middle", .bold = true},
                title);
    }
    for (int p = 0; p < f->panels; p++) {
        draw_panel(&f->panel[p], l, &l->place[p], svg);
    }
    draw_x_ticks(f, l, &l->place[f->panels - 1], svg);
    svg_end(svg, "svg");
}

double plot_draw(const PlotFigure* f, Svg* svg)
{
    int curves = 0;
    for (int p = 0; p < f->panels; p++) {
        curves += f->panel[p].curves;
    }
    Layout layout = {.place = calloc((size_t)f->panels, sizeof(Place))};
    double* x_of = calloc((size_t)curves, sizeof *x_of);
    int* row_of = calloc((size_t)curves, sizeof *row_of);
    double needed = 0.0;
    svg->failed = svg->failed || layout.place == NULL || x_of == NULL || row_of == NULL;
    if (!svg->failed) {
        int at = 0;
        for (int p = 0; p < f->panels; p++) {
            layout.place[p].x_of = x_of + at;
            layout.place[p].row_of = row_of + at;
            at += f->panel[p].curves;
        }
        needed = lay_out(f, &layout);
        if (!(needed > 0.0)) {
            draw(f, &layout, svg);
        }
    }
    free(layout.place);
    free(x_of);
    free(row_of);
    return needed;
}
