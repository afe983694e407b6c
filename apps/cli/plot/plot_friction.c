// SPDX-License-Identifier: Apache-2.0
// Friction impulses in the section of the friction cone: each contact of each step is a point at
// (r1, r2) / (mu rn), with the unit circle of Coulomb's law and the polygon of the formulation.
#include "plot/plot_select.h"
#include "draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZE = 420, // of the section's plot, px
    LEFT = 76,
    HEAD = 40,   // with the title
    CELLS = 256, // per axis: at most one point each
};

static const double PI = 3.14159265358979323846;
static const double MOST = 1.3; // of both axes
static const char INK[] = "#222222";

typedef struct Section {
    const Plot* plot;
    const PlotSource* source;
    Svg* svg;
    double left, top;
    bool* drawn; // CELLS x CELLS
    int contacts, points;
} Section;

static DrawPlace place(const Section* s, double x, double y)
{
    return (DrawPlace){s->left + 0.5 * SIZE * (1.0 + x / MOST),
                       s->top + 0.5 * SIZE * (1.0 - y / MOST)};
}

// ---- the frame ----------------------------------------------------------------------------------

static void draw_axes(const Section* s)
{
    Svg* svg = s->svg;
    svg_raw(svg, "<g stroke-width=\"1\">\n");
    for (int k = -2; k <= 2; k++) {
        const double v = 0.5 * k;
        const DrawPlace a = place(s, v, -MOST), b = place(s, v, MOST);
        const DrawPlace c = place(s, -MOST, v), d = place(s, MOST, v);
        svg_line(svg, a.x, a.y, b.x, b.y, k == 0 ? "#999999" : "#e4e4e4");
        svg_line(svg, c.x, c.y, d.x, d.y, k == 0 ? "#999999" : "#e4e4e4");
    }
    svg_end(svg, "g");
    for (int k = -2; k <= 2; k++) {
        char text[32];
        snprintf(text, sizeof text, "%s%.1f", k < 0 ? "\u2212" : "", fabs(0.5 * k));
        const DrawPlace a = place(s, 0.5 * k, -MOST), c = place(s, -MOST, 0.5 * k);
        draw_text(svg, (DrawPlace){a.x, a.y + 16.0}, "middle", 11.0, "#555555", text);
        draw_text(svg, (DrawPlace){c.x - 8.0, c.y + 4.0}, "end", 11.0, "#555555", text);
    }
    const DrawPlace below = place(s, 0.0, -MOST);
    draw_text(svg, (DrawPlace){below.x, below.y + 38.0}, "middle", 12.0, INK,
              "friction along t\u2081 / (\u03BC \u00D7 normal impulse)  (1)");
    svg_upward_text(svg, s->left - 48.0, place(s, 0.0, 0.0).y, 12.0, INK,
                    "friction along t\u2082 / (\u03BC \u00D7 normal impulse)  (1)");
}

static void draw_sections(const Section* s)
{
    Svg* svg = s->svg;
    const DrawPlace middle = place(s, 0.0, 0.0);
    svg_raw(svg, "<circle fill=\"#f4f7f9\" fill-opacity=\"0.7\" stroke=\"#37424a\" "
                 "stroke-width=\"1.6\"");
    svg_set(svg, "cx", middle.x);
    svg_set(svg, "cy", middle.y);
    svg_set(svg, "r", 0.5 * SIZE / MOST);
    svg_close(svg);
    for (int k = 0; k < s->plot->sources; k++) {
        const utRecording* r = &s->plot->source[k].recording;
        char name[64];
        utFormulation formulation;
        snprintf(name, sizeof name, "%.*s", (int)r->formulation.size, r->formulation.data);
        const bool known = ut_formulation_find(name, &formulation);
        const utSectionKind kind =
            known ? ut_formulation_traits(formulation)->section : UT_SECTION_CIRCLE;
        const bool outside = kind == UT_SECTION_CIRCUMSCRIBED;
        const int n = r->directions;
        if (n < 3 || (!outside && kind != UT_SECTION_INSCRIBED)) {
            continue;
        }
        svg_raw(svg, "<path fill=\"none\" stroke=\"#8a5a2b\" stroke-width=\"1.4\" d=\"M");
        for (int i = 0; i < n; i++) {
            const double a = 2.0 * PI * (i + (outside ? 0.5 : 0.0)) / n;
            const double size = outside ? 1.0 / cos(PI / n) : 1.0;
            const DrawPlace p = place(s, size * cos(a), size * sin(a));
            svg_raw(svg, i > 0 ? "L" : "");
            svg_number(svg, p.x);
            svg_raw(svg, " ");
            svg_number(svg, p.y);
        }
        svg_raw(svg, "Z\"/>\n");
    }
}

// ---- the points ---------------------------------------------------------------------------------

// Is this the pair "a/b", in any order and with or without spaces around the slash?
static bool is_pair(const PlotSource* source, const utRecordedContact* c, const char* wanted)
{
    if (wanted[0] == '\0') {
        return true;
    }
    const utText one = ut_recording_geom(&source->recording, c->geom1);
    const utText two = ut_recording_geom(&source->recording, c->geom2);
    char text[2][512];
    char plain[512];
    size_t n = 0;
    for (const char* at = wanted; *at != '\0' && n + 1 < sizeof plain; at++) {
        if (*at != ' ') {
            plain[n++] = *at;
        }
    }
    plain[n] = '\0';
    snprintf(text[0], sizeof text[0], "%.*s/%.*s", (int)one.size, one.data, (int)two.size,
             two.data);
    snprintf(text[1], sizeof text[1], "%.*s/%.*s", (int)two.size, two.data, (int)one.size,
             one.data);
    return strcmp(plain, text[0]) == 0 || strcmp(plain, text[1]) == 0;
}

static utStatus take(void* context, const utRecordFrame* frame, utError* err)
{
    Section* s = context;
    (void)err;
    for (int k = 0; frame->kind == UT_RECORD_CONTACTS && k < frame->contacts; k++) {
        const utRecordedContact* c = &frame->contact[k];
        const double limit = c->mu * c->r[0];
        if (!is_pair(s->source, c, s->plot->options.friction)) {
            continue;
        }
        s->contacts++;
        const double x = c->r[1] / limit, y = c->r[2] / limit;
        if (!(limit > 0.0) || !(fabs(x) < MOST && fabs(y) < MOST)) {
            continue;
        }
        s->points++;
        const int i = (int)(0.5 * CELLS * (1.0 + x / MOST));
        const int j = (int)(0.5 * CELLS * (1.0 + y / MOST));
        if (!s->drawn[i * CELLS + j]) {
            s->drawn[i * CELLS + j] = true;
            draw_state_mark(s->svg, (utContactState)c->state, place(s, x, y), 2.8);
        }
    }
    return UT_OK;
}

static void draw_legend(const Section* s)
{
    static const char* const words[] = {"sticks", "slips", "impact"};
    double x = s->left;
    const double y = s->top - 30.0;
    for (int k = 0; k < 3; k++) {
        draw_state_mark(s->svg, (utContactState)(UT_CONTACT_STICK + k), (DrawPlace){x + 4.0, y},
                        3.8);
        draw_text(s->svg, (DrawPlace){x + 14.0, y + 4.0}, "start", 12.0, INK, words[k]);
        x += 34.0 + svg_text_width(words[k], 12.0);
    }
    draw_text(s->svg, (DrawPlace){s->left, y + 22.0}, "start", 12.0, "#555555",
              "circle: Coulomb's law; brown: polygon");
}

utStatus plot_friction(Plot* plot, Svg* svg, utError* err)
{
    const bool titled = plot->options.title != NULL;
    Section s = {.plot = plot, .svg = svg, .left = LEFT, .top = titled ? HEAD + 42.0 : HEAD + 12.0};
    const double width = LEFT + SIZE + 24.0;
    const double height = s.top + SIZE + 52.0;
    for (int k = 0; k < plot->sources; k++) {
        if (!plot->source[k].binary) {
            return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(plot->source[k].path), 0, 0,
                               "--friction needs a recording; uptack run --record F.utr writes it");
        }
    }
    s.drawn = calloc((size_t)CELLS * CELLS, sizeof *s.drawn);
    if (s.drawn == NULL) {
        return cli_no_memory(plot->options.out, err);
    }
    svg_begin(svg, width, height, "section", plot->options.title);
    if (titled) {
        draw_text(svg, (DrawPlace){0.5 * width, 22.0}, "middle", 15.0, INK, plot->options.title);
    }
    draw_axes(&s);
    draw_sections(&s);
    draw_legend(&s);
    utStatus status = UT_OK;
    for (int k = 0; k < plot->sources && status == UT_OK; k++) {
        s.source = &plot->source[k];
        status = plot_source_frames(&plot->source[k], take, &s, err);
    }
    svg_end(svg, "svg");
    free(s.drawn);
    if (status == UT_OK && s.points == 0) {
        return ut_error_at(err, UT_ERR_ARGUMENT, cli_file_name(plot->source[0].path), 0, 0,
                           s.contacts == 0
                               ? "there are no contacts%s%s; --contacts pn draws what there is"
                               : "no contact%s%s has friction and an impulse",
                           plot->options.friction[0] != '\0' ? " of " : "", plot->options.friction);
    }
    return status == UT_OK && svg->failed ? cli_no_memory(plot->options.out, err) : status;
}
