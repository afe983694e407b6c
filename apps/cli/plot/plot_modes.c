// SPDX-License-Identifier: Apache-2.0
// The modes of contacts in the hybrid formulation as a diagram, with the number of changes that
// recordings hold.
#include "plot/plot_select.h"
#include "draw/draw.h"

#include <math.h>

enum { WIDTH = 640, HEIGHT = 330 };

static const char INK[] = "#222222";

// Where the modes are, and how far their circles reach.
static const DrawPlace middle[UT_MODE_COUNT] = {{110, 165}, {330, 165}, {550, 165}};
static const double RADIUS = 48.0;
static const char* const fill[UT_MODE_COUNT] = {"#eef1f3", "#e9d3e3", "#cfe1f0"};

typedef struct Counts {
    int change[UT_MODE_COUNT][UT_MODE_COUNT];
    int all;
} Counts;

static utStatus count(void* context, const utRecordFrame* frame, utError* err)
{
    Counts* c = context;
    (void)err;
    for (int k = 0; frame->kind == UT_RECORD_TRANSITIONS && k < frame->transitions; k++) {
        const utTransition* t = &frame->transition[k];
        c->change[t->from][t->to]++;
        c->all++;
    }
    return UT_OK;
}

// An arc from one circle to another: changes to the right above, to the left below.
static void draw_change(Svg* svg, int from, int to, int changes)
{
    // the paper's machine changes between bouncing and steady, also when a run did not
    const bool of_paper = from != UT_MODE_OPEN && to != UT_MODE_OPEN;
    if (changes == 0 && !of_paper) {
        return;
    }
    const double sign = to > from ? -1.0 : 1.0;
    const int far = to > from ? to - from : from - to;
    const double lift = sign * (far == 1 ? 62.0 : 205.0);
    const double side = to > from ? 1.0 : -1.0;
    const double a = far == 1 ? 0.55 : 1.05; // angle at which the arc leaves, rad
    const DrawPlace p = {middle[from].x + side * RADIUS * cos(a),
                         middle[from].y + sign * RADIUS * sin(a)};
    const DrawPlace q = {middle[to].x - side * RADIUS * cos(a),
                         middle[to].y + sign * RADIUS * sin(a)};
    const DrawPlace c = {0.5 * (p.x + q.x), 0.5 * (p.y + q.y) + 0.75 * lift};
    svg_raw(svg, "<path fill=\"none\" stroke=\"#37424a\" stroke-width=\"1.5\"");
    svg_raw(svg, changes == 0 ? " stroke-dasharray=\"5 4\" d=\"M" : " d=\"M");
    svg_number(svg, p.x);
    svg_raw(svg, " ");
    svg_number(svg, p.y);
    svg_raw(svg, "Q");
    svg_number(svg, c.x);
    svg_raw(svg, " ");
    svg_number(svg, c.y);
    svg_raw(svg, " ");
    svg_number(svg, q.x);
    svg_raw(svg, " ");
    svg_number(svg, q.y);
    svg_raw(svg, "\"/>\n");
    const double dx = q.x - c.x, dy = q.y - c.y;
    const double size = fmax(hypot(dx, dy), 1e-9);
    draw_arrow(svg, (DrawPlace){q.x - 16.0 * dx / size, q.y - 16.0 * dy / size}, q, "#37424a", 2.0);
    char text[64];
    snprintf(text, sizeof text, "%d \u00D7", changes);
    const DrawPlace top = {c.x, 0.25 * p.y + 0.5 * c.y + 0.25 * q.y};
    draw_text(svg, (DrawPlace){top.x, top.y + (sign < 0.0 ? -7.0 : 17.0)}, "middle", 13.0, INK,
              text);
}

static void draw_mode(Svg* svg, int mode)
{
    static const char* const what[UT_MODE_COUNT] = {"no contact", "collides in instants",
                                                    "a contact of steps"};
    svg_raw(svg, "<circle stroke=\"#37424a\" stroke-width=\"1.6\"");
    svg_set(svg, "cx", middle[mode].x);
    svg_set(svg, "cy", middle[mode].y);
    svg_set(svg, "r", RADIUS);
    svg_set_text(svg, "fill", fill[mode]);
    svg_close(svg);
    const char* name = ut_contact_mode_name((utContactMode)mode);
    svg_raw(svg, "<text font-size=\"16\" font-weight=\"600\" text-anchor=\"middle\"");
    svg_set(svg, "x", middle[mode].x);
    svg_set(svg, "y", middle[mode].y + 1.0);
    svg_set_text(svg, "fill", INK);
    svg_inside(svg);
    svg_content(svg, name);
    svg_end(svg, "text");
    svg_raw(svg, "<text font-size=\"9.5\" text-anchor=\"middle\" fill=\"#555555\"");
    svg_set(svg, "x", middle[mode].x);
    svg_set(svg, "y", middle[mode].y + 17.0);
    svg_inside(svg);
    svg_content(svg, what[mode]);
    svg_end(svg, "text");
}

utStatus plot_modes(Plot* plot, Svg* svg, utError* err)
{
    Counts counts = {0};
    for (int k = 0; k < plot->sources; k++) {
        if (!plot->source[k].binary) {
            return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(plot->source[k].path), 0, 0,
                               "--modes needs a recording; uptack run --record F.utr writes it");
        }
        UT_TRY(plot_source_frames(&plot->source[k], count, &counts, err));
    }
    if (counts.all == 0) {
        return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(plot->source[0].path), 0, 0,
                           "no contact changed its mode; --formulation hybrid has modes");
    }
    svg_begin(svg, WIDTH, HEIGHT, "modes", plot->options.title);
    if (plot->options.title != NULL) {
        draw_text(svg, (DrawPlace){0.5 * WIDTH, 24.0}, "middle", 15.0, INK, plot->options.title);
    }
    for (int from = 0; from < UT_MODE_COUNT; from++) {
        for (int to = 0; to < UT_MODE_COUNT; to++) {
            if (from != to) {
                draw_change(svg, from, to, counts.change[from][to]);
            }
        }
    }
    for (int mode = 0; mode < UT_MODE_COUNT; mode++) {
        draw_mode(svg, mode);
    }
    draw_text(svg, (DrawPlace){0.5 * WIDTH, HEIGHT - 14.0}, "middle", 11.0, "#555555",
              "bouncing \u2192 steady when e |v\u2099| \u2264 bounce; "
              "steady \u2192 bouncing above twice that");
    svg_end(svg, "svg");
    return svg->failed ? cli_no_memory(plot->options.out, err) : UT_OK;
}
