// SPDX-License-Identifier: Apache-2.0
// A picture: title, views, and a footer with scales and the legend.
#include "draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TITLE = 30,   // height of the title, px
    FOOTER = 38,  // height of a row of the footer
    EDGE = 14,    // left and right of the footer
    SPACING = 26, // between its entries
    FONT = 12,
    GAP = 10, // between the views of a strip
    FEW_CONTACTS = 12,
    FEW_BODIES = 8,
    SOME_BODIES = 6,
    MANY_CONTACTS = 48,
    MANY_JOINTS = 60,
};

static const char INK[] = "#37424a";
static const double STRIP = 600.0; // largest height of the views of a strip, px

// ---- parts --------------------------------------------------------------------------------------

static const char* const names[DRAW_PART_COUNT] = {
    "contacts",    "normals",   "forces",  "cones",      "basis",  "numbers", "arms",   "joints",
    "joint-names", "reactions", "weights", "velocities", "frames", "paths",   "labels", "sites",
    "springs",     "fixed",     "belts",   "grid",       "scale",  "axes",    "time",   "legend"};

const char* draw_part_name(DrawPart part)
{
    return names[part];
}

static unsigned bit(DrawPart part)
{
    return 1u << part;
}

static int most_contacts(const DrawTrace* trace)
{
    int most = 0;
    for (int k = 0; k < trace->moments; k++) {
        most = trace->moment[k].contacts > most ? trace->moment[k].contacts : most;
    }
    return most;
}

// The parts that a picture shows unless it is told otherwise: fewer of them the more there is to see.
static unsigned choose_parts(const DrawTrace* trace, const DrawOptions* o)
{
    const utModel* model = trace->model;
    int moving = 0;
    for (int b = 1; b < model->nbody; b++) {
        moving += draw_is_moving(model, b);
    }
    unsigned parts = bit(DRAW_CONTACTS) | bit(DRAW_FIXED) | bit(DRAW_SPRINGS) | bit(DRAW_BELTS) |
                     bit(DRAW_GRID) | bit(DRAW_SCALE) | bit(DRAW_AXES) | bit(DRAW_TIME) |
                     bit(DRAW_LEGEND);
    parts |= most_contacts(trace) <= MANY_CONTACTS ? bit(DRAW_FORCES) : 0u;
    parts |= most_contacts(trace) <= FEW_CONTACTS ? bit(DRAW_CONES) : 0u;
    parts |= model->njoint + model->nequality <= MANY_JOINTS ? bit(DRAW_JOINTS) : 0u;
    parts |= moving <= FEW_BODIES && !o->overlay ? bit(DRAW_LABELS) : 0u;
    parts |= moving <= SOME_BODIES ? bit(DRAW_PATHS) : 0u;
    return (parts | o->shown) & ~o->hidden;
}

// ---- one view -----------------------------------------------------------------------------------

typedef struct Picture {
    const DrawTrace* trace;
    const DrawOptions* o;
    unsigned parts;
    utKinematics kin;
    utArena memory;
    DrawCamera camera;    // of the view at the picture's origin
    double width, height; // of a view
    double force_scale, impulse_scale, speed_scale;
    DrawBusy* busy;
    Svg* svg;
} Picture;

static DrawView begin_view(Picture* p, int moment, double left, double top, DrawCamera* camera)
{
    const DrawMoment* m = &p->trace->moment[moment];
    *camera = p->camera;
    camera->x += left;
    camera->y += top;
    ut_kinematics_place(&p->kin, m->q, m->mocap_pos, m->mocap_quat);
    ut_kinematics_move(&p->kin, m->v, m->mocap_velocity);
    return (DrawView){
        .trace = p->trace,
        .moment = m,
        .kin = &p->kin,
        .camera = camera,
        .parts = p->parts,
        .left = left,
        .top = top,
        .width = p->width,
        .height = p->height,
        .force_scale = p->force_scale,
        .impulse_scale = p->impulse_scale,
        .speed_scale = p->speed_scale,
        .memory = &p->memory,
        .busy = p->busy,
        .svg = p->svg,
    };
}

static void write_time(const DrawView* view, double time)
{
    char text[48];
    char number[32];
    draw_number_text(fabs(time) < 1e-12 ? 0.0 : time, 4, number);
    snprintf(text, sizeof text, "t = %s s", number);
    draw_text(view->svg, (DrawPlace){view->left + 12.0, view->top + 20.0}, "start", 13.0, INK,
              text);
}

static void begin_clip(Svg* svg, int clip)
{
    char text[48];
    snprintf(text, sizeof text, "<g clip-path=\"url(#view%d)\">\n", clip);
    svg_raw(svg, text);
}

// The bodies and, in the front, the marks of one moment.
static utStatus draw_front(DrawView* view, utError* err)
{
    UT_TRY(draw_bodies(view, err));
    draw_belts(view);
    draw_joints(view);
    draw_marks(view);
    draw_contacts(view);
    draw_labels(view);
    return UT_OK;
}

static utStatus draw_view(Picture* p, int moment, int clip, double left, double top, utError* err)
{
    DrawCamera camera;
    DrawView view = begin_view(p, moment, left, top, &camera);
    begin_clip(p->svg, clip);
    draw_planes(&view);
    draw_paths(&view);
    UT_TRY(draw_front(&view, err));
    svg_end(p->svg, "g");
    if (draw_shows(&view, DRAW_TIME)) {
        write_time(&view, view.moment->time);
    }
    return UT_OK;
}

// All moments in one view: the earlier ones pale and without marks.
static utStatus draw_overlay(Picture* p, utError* err)
{
    const int last = p->trace->moments - 1;
    DrawCamera camera;
    DrawView view = begin_view(p, last, 0.0, p->o->title != NULL ? TITLE : 0.0, &camera);
    begin_clip(p->svg, 0);
    draw_planes(&view);
    draw_paths(&view);
    for (int k = 0; k < last; k++) {
        view = begin_view(p, k, view.left, view.top, &camera);
        view.paleness = 0.7 - 0.4 * k / fmax(last, 1.0);
        view.parts &= ~(bit(DRAW_LABELS) | bit(DRAW_PATHS));
        UT_TRY(draw_bodies(&view, err));
    }
    view = begin_view(p, last, view.left, view.top, &camera);
    UT_TRY(draw_front(&view, err));
    svg_end(p->svg, "g");
    if (draw_shows(&view, DRAW_TIME)) {
        char text[96], first[32], end[32];
        draw_number_text(p->trace->moment[0].time, 4, first);
        draw_number_text(view.moment->time, 4, end);
        snprintf(text, sizeof text, "t = %s \u2026 %s s", first, end);
        draw_text(p->svg, (DrawPlace){12.0, view.top + 20.0}, "start", 13.0, INK, text);
    }
    return UT_OK;
}

// ---- animations ---------------------------------------------------------------------------------

// Frame k is visible for its share of the period. A reader without animation sees the first frame.
static void begin_frame(Svg* svg, int k, int frames, double period)
{
    char text[320];
    const double from = (double)k / frames;
    const double to = (double)(k + 1) / frames;
    svg_raw(svg, k == 0 ? "<g>" : "<g visibility=\"hidden\">");
    if (k == 0) {
        snprintf(text, sizeof text,
                 "<animate attributeName=\"visibility\" values=\"visible;hidden\" "
                 "keyTimes=\"0;%.5f\" calcMode=\"discrete\" dur=\"%.3fs\" "
                 "repeatCount=\"indefinite\"/>\n",
                 to, period);
    } else {
        snprintf(text, sizeof text,
                 "<animate attributeName=\"visibility\" values=\"hidden;visible;hidden\" "
                 "keyTimes=\"0;%.5f;%.5f\" calcMode=\"discrete\" dur=\"%.3fs\" "
                 "repeatCount=\"indefinite\"/>\n",
                 from, to, period);
    }
    svg_raw(svg, text);
}

static utStatus draw_animation(Picture* p, utError* err)
{
    const int frames = p->trace->moments;
    const double top = p->o->title != NULL ? TITLE : 0.0;
    DrawCamera camera;
    DrawView view = begin_view(p, frames - 1, 0.0, top, &camera);
    begin_clip(p->svg, 0);
    draw_planes(&view);
    view.paleness = 0.45;
    draw_paths(&view);
    for (int k = 0; k < frames; k++) {
        begin_frame(p->svg, k, frames, p->o->period);
        view = begin_view(p, k, 0.0, top, &camera);
        UT_TRY(draw_front(&view, err));
        if (draw_shows(&view, DRAW_TIME)) {
            write_time(&view, view.moment->time);
        }
        svg_end(p->svg, "g");
        p->svg->failed = p->svg->failed || ut_arena_failed(&p->memory);
    }
    svg_end(p->svg, "g");
    return UT_OK;
}

// ---- the footer ---------------------------------------------------------------------------------

// A row of entries that wraps. Without svg it is only measured.
typedef struct Footer {
    Svg* svg;
    double x, y, width;
} Footer;

// The left end of the next entry.
static double next_entry(Footer* f, double size)
{
    if (f->x + size > f->width - EDGE && f->x > EDGE) {
        f->x = EDGE;
        f->y += FOOTER - 12.0;
    }
    const double x = f->x;
    f->x += size + SPACING;
    return x;
}

static void entry_text(Footer* f, double x, const char* text)
{
    if (f->svg != NULL) {
        draw_text(f->svg, (DrawPlace){x, f->y + 4.0}, "start", FONT, INK, text);
    }
}

static void length_entry(Footer* f, const Picture* p)
{
    const double length = draw_round_number(0.16 * p->width / p->camera.scale);
    const double px = length * p->camera.scale;
    char number[32], text[40];
    draw_number_text(length, 3, number);
    snprintf(text, sizeof text, "%s m", number);
    const double x = next_entry(f, px + 8.0 + svg_text_width(text, FONT));
    if (f->svg != NULL) {
        svg_raw(f->svg, "<path class=\"scale\" fill=\"none\" stroke-width=\"1.4\"");
        svg_set_text(f->svg, "stroke", INK);
        svg_raw(f->svg, " d=\"M");
        svg_number(f->svg, x);
        svg_raw(f->svg, " ");
        svg_number(f->svg, f->y - 5.0);
        svg_raw(f->svg, "v10m0 -5h");
        svg_number(f->svg, px);
        svg_raw(f->svg, "m0 -5v10\"/>\n");
    }
    entry_text(f, x + px + 8.0, text);
}

// An arrow for a round number of N, N s or m/s.
static void arrow_entry(Footer* f, double scale, const char* unit, const char* color)
{
    if (!(scale > 0.0)) {
        return;
    }
    const double value = draw_round_number(62.0 / scale);
    char number[32], text[48];
    draw_number_text(value, 3, number);
    snprintf(text, sizeof text, "%s %s", number, unit);
    const double px = value * scale;
    const double x = next_entry(f, px + 8.0 + svg_text_width(text, FONT));
    if (f->svg != NULL) {
        draw_arrow(f->svg, (DrawPlace){x, f->y}, (DrawPlace){x + px, f->y}, color, 2.0);
    }
    entry_text(f, x + px + 8.0, text);
}

static void legend_entries(Footer* f, const Picture* p)
{
    static const char* const words[] = {"open", "sticks", "slips", "impact"};
    for (int state = 0; state < UT_CONTACT_STATE_COUNT; state++) {
        bool used = false;
        for (int k = 0; k < p->trace->moments && !used; k++) {
            const DrawMoment* m = &p->trace->moment[k];
            for (int i = 0; i < m->contacts && !used; i++) {
                used = m->contact[i].state == (utContactState)state;
            }
        }
        if (used && state != UT_CONTACT_OPEN) {
            const double x = next_entry(f, 10.0 + svg_text_width(words[state], FONT));
            if (f->svg != NULL) {
                draw_state_mark(f->svg, (utContactState)state, (DrawPlace){x + 3.0, f->y}, 3.8);
            }
            entry_text(f, x + 12.0, words[state]);
        }
    }
}

// The directions of the world's axes.
static void axes_entry(Footer* f, const Picture* p)
{
    static const char* const word[] = {"x", "y", "z"};
    static const char* const colors[] = {"#b8432f", "#3b7d4f", "#2f5f9e"};
    const utVec3 axis[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double x = next_entry(f, 46.0) + 22.0;
    // axes that point down need room below the origin
    double down = 0.0;
    for (int k = 0; k < 3; k++) {
        down = fmax(down, -ut_vec3_dot(axis[k], p->camera.up));
    }
    const DrawPlace from = {x, f->y + fmin(6.0, 10.0 - 26.0 * down)};
    for (int k = 0; k < 3 && f->svg != NULL; k++) {
        const DrawPlace d = {ut_vec3_dot(axis[k], p->camera.right),
                             -ut_vec3_dot(axis[k], p->camera.up)};
        if (hypot(d.x, d.y) < 0.1) {
            continue;
        }
        draw_arrow(f->svg, from, (DrawPlace){from.x + 19.0 * d.x, from.y + 19.0 * d.y}, colors[k],
                   1.3);
        draw_text(f->svg, (DrawPlace){from.x + 26.0 * d.x, from.y + 26.0 * d.y + 3.5}, "middle",
                  10.0, colors[k], word[k]);
    }
}

// @return the height of the footer
static double draw_footer(const Picture* p, double width, double top, Svg* svg)
{
    Footer f = {svg, EDGE, top + 25.0, width};
    const bool reactions = (p->parts & bit(DRAW_REACTIONS)) != 0;
    if ((p->parts & bit(DRAW_AXES)) != 0) {
        axes_entry(&f, p);
    }
    if ((p->parts & bit(DRAW_SCALE)) != 0) {
        length_entry(&f, p);
        arrow_entry(&f, p->force_scale, "N", reactions ? "#2a7f62" : "#5c6a73");
        arrow_entry(&f, p->impulse_scale, "N\u00B7s", draw_state_color(UT_CONTACT_IMPACT));
        arrow_entry(&f, p->speed_scale, "m/s", "#009e73");
    }
    if ((p->parts & bit(DRAW_LEGEND)) != 0 && (p->parts & bit(DRAW_CONTACTS)) != 0) {
        legend_entries(&f, p);
    }
    return f.x > EDGE ? f.y - top + 18.0 : 8.0;
}

// ---- the document -------------------------------------------------------------------------------

static void begin_document(const Picture* p, double width, double height, int views,
                           const DrawPlace* view)
{
    Svg* svg = p->svg;
    svg_begin(svg, width, height, "drawing",
              p->o->title != NULL ? p->o->title : p->trace->model->name);
    svg_raw(svg, "<defs>\n"
                 "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
                 "patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" stroke=\"#8a969d\" "
                 "stroke-width=\"1.2\"/></pattern>\n");
    for (int k = 0; k < views; k++) {
        char text[64];
        snprintf(text, sizeof text, "<clipPath id=\"view%d\"><rect", k);
        svg_raw(svg, text);
        svg_set(svg, "x", view[k].x);
        svg_set(svg, "y", view[k].y);
        svg_set(svg, "width", p->width);
        svg_set(svg, "height", p->height);
        svg_raw(svg, "/></clipPath>\n");
    }
    svg_raw(svg, "</defs>\n<g stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
    if (p->o->title != NULL) {
        svg_tag(svg, "text");
        svg_set(svg, "x", 0.5 * width);
        svg_set(svg, "y", 21.0);
        svg_raw(svg, " font-size=\"16\" font-weight=\"600\" fill=\"#1f272c\" "
                     "text-anchor=\"middle\"");
        const double size = svg_text_width(p->o->title, 16.0) * 1.1;
        if (size > width - 2.0 * EDGE) {
            svg_set(svg, "textLength", width - 2.0 * EDGE);
            svg_set_text(svg, "lengthAdjust", "spacingAndGlyphs");
        }
        svg_inside(svg);
        svg_content(svg, p->o->title);
        svg_end(svg, "text");
    }
}

// px per unit, so that the largest value is this long.
static double scale_for(double largest, double px)
{
    return largest > 0.0 ? px / largest : 0.0;
}

static double largest_speed(Picture* p)
{
    double most = 0.0;
    const utModel* model = p->trace->model;
    for (int k = 0; k < p->trace->moments; k++) {
        const DrawMoment* m = &p->trace->moment[k];
        ut_kinematics_place(&p->kin, m->q, m->mocap_pos, m->mocap_quat);
        ut_kinematics_move(&p->kin, m->v, m->mocap_velocity);
        for (int b = 1; b < model->nbody; b++) {
            most = fmax(most, ut_vec3_norm(ut_point_velocity(&p->kin, b, p->kin.com[b])));
        }
    }
    return most;
}

static void set_scales(Picture* p)
{
    double force, impulse;
    const double longest = fmin(fmax(0.11 * p->width, 34.0), 84.0);
    draw_largest(p->trace, &p->camera, p->parts, &force, &impulse);
    p->force_scale = scale_for(force, longest);
    p->impulse_scale = scale_for(impulse, longest);
    if ((p->parts & bit(DRAW_VELOCITIES)) != 0) {
        p->speed_scale = scale_for(largest_speed(p), longest);
    }
}

// The number of columns of a strip that gives the largest views.
static utStatus fit_strip(Picture* p, int* columns, utError* err)
{
    const int n = p->trace->moments;
    double best = 0.0;
    *columns = 1;
    for (int c = 1; c <= n && c <= 6; c++) {
        const double width = (p->o->width - GAP * (c - 1.0)) / c;
        const int rows = (n + c - 1) / c;
        DrawCamera camera;
        double height;
        UT_TRY(draw_camera_fit(p->trace, p->o, p->parts, width, STRIP / rows, &p->kin, &camera,
                               &height, err));
        const double balance = 1.0 + 0.2 * (rows * c - n); // empty places
        if (camera.scale / balance > best * 1.02) {
            best = camera.scale / balance;
            *columns = c;
        }
    }
    return UT_OK;
}

static utStatus draw_strip(Picture* p, utError* err)
{
    int columns;
    const int n = p->trace->moments;
    const double top = p->o->title != NULL ? TITLE : 0.0;
    UT_TRY(fit_strip(p, &columns, err));
    const int rows = (n + columns - 1) / columns;
    p->width = (p->o->width - GAP * (columns - 1.0)) / columns;
    UT_TRY(draw_camera_fit(p->trace, p->o, p->parts, p->width, STRIP / rows, &p->kin, &p->camera,
                           &p->height, err));
    set_scales(p);
    const double bottom = top + rows * p->height + GAP * (rows - 1.0);
    DrawPlace* view = UT_PUSH(&p->memory, DrawPlace, n);
    if (view == NULL) {
        return cli_no_memory("picture", err);
    }
    for (int k = 0; k < n; k++) {
        const int row = k / columns;
        const int column = k % columns;
        view[k] = (DrawPlace){column * (p->width + GAP), top + row * (p->height + GAP)};
    }
    begin_document(p, p->o->width, bottom + draw_footer(p, p->o->width, bottom, NULL), n, view);
    for (int k = 0; k < n; k++) {
        svg_raw(p->svg, "<rect fill=\"none\" stroke=\"#e3e7ea\"");
        svg_set(p->svg, "x", view[k].x + 0.5);
        svg_set(p->svg, "y", view[k].y + 0.5);
        svg_set(p->svg, "width", p->width - 1.0);
        svg_set(p->svg, "height", p->height - 1.0);
        svg_close(p->svg);
        UT_TRY(draw_view(p, k, k, view[k].x, view[k].y, err));
    }
    (void)draw_footer(p, p->o->width, bottom, p->svg);
    return UT_OK;
}

static utStatus draw_single(Picture* p, utError* err)
{
    const double top = p->o->title != NULL ? TITLE : 0.0;
    p->width = p->o->width;
    const double most =
        p->o->height > 0 ? fmax(p->o->height - top - FOOTER, 60.0) : 0.75 * p->width;
    UT_TRY(draw_camera_fit(p->trace, p->o, p->parts, p->width, most, &p->kin, &p->camera,
                           &p->height, err));
    if (p->o->height > 0) {
        p->camera.y += 0.5 * (most - p->height);
        p->height = most;
    }
    set_scales(p);
    const double bottom = top + p->height;
    const DrawPlace view = {0.0, top};
    begin_document(p, p->width, bottom + draw_footer(p, p->width, bottom, NULL), 1, &view);
    UT_TRY(p->o->period > 0.0 ? draw_animation(p, err)
           : p->o->overlay    ? draw_overlay(p, err)
                              : draw_view(p, 0, 0, 0.0, top, err));
    (void)draw_footer(p, p->width, bottom, p->svg);
    return UT_OK;
}

utStatus draw_picture(const DrawTrace* trace, const DrawOptions* o, Svg* svg, utError* err)
{
    Picture p = {.trace = trace, .o = o, .svg = svg};
    if (ut_arena_create(0, NULL, &p.memory) != UT_OK) {
        return cli_no_memory("picture", err);
    }
    p.parts = choose_parts(trace, o);
    p.busy = UT_PUSH(&p.memory, DrawBusy, DRAW_MAX_BUSY);
    utStatus status = ut_kinematics_create(trace->model, &p.memory, &p.kin);
    status = status != UT_OK || p.busy == NULL ? cli_no_memory("picture", err) : UT_OK;
    if (status == UT_OK) {
        status = o->strip && trace->moments > 1 ? draw_strip(&p, err) : draw_single(&p, err);
    }
    svg_end(svg, "g");
    svg_end(svg, "svg");
    if (status == UT_OK && (svg->failed || ut_arena_failed(&p.memory))) {
        status = cli_no_memory("picture", err);
    }
    ut_arena_destroy(&p.memory);
    return status;
}
