// SPDX-License-Identifier: Apache-2.0
// Marks on bodies: paths, joints, frames, weights, velocities, forces of joints, sites.
#include "draw/draw.h"

#include <math.h>
#include <string.h>

static const char INK[] = "#37424a";
static const char FORCE[] = "#2a7f62";
static const double AXIS = 26.0; // length of the axes of a frame, px

// ---- arrows and text ----------------------------------------------------------------------------

void draw_keep_free(DrawView* view, DrawPlace at, double half)
{
    if (view->busies < DRAW_MAX_BUSY) {
        view->busy[view->busies++] = (DrawBusy){at.x - half, at.y - half, at.x + half, at.y + half};
    }
}

static void place_text(Svg* svg, const char* letter, DrawPlace p)
{
    svg_raw(svg, letter);
    svg_tenths(svg, p.x);
    svg_raw(svg, " ");
    svg_tenths(svg, p.y);
}

void draw_arrow(Svg* svg, DrawPlace from, DrawPlace to, const char* color, double width)
{
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const double size = sqrt(dx * dx + dy * dy);
    if (!(size > 0.5)) {
        return;
    }
    const double ux = dx / size, uy = dy / size;
    const double head = fmin(4.0 + 2.2 * width, 0.75 * size);
    const double half = 0.38 * head;
    const DrawPlace neck = {to.x - 0.85 * head * ux, to.y - 0.85 * head * uy};
    const DrawPlace back = {to.x - head * ux, to.y - head * uy};
    svg_raw(svg, "<path");
    svg_set_text(svg, "stroke", color);
    svg_set(svg, "stroke-width", width);
    svg_raw(svg, " fill=\"none\" d=\"");
    place_text(svg, "M", from);
    place_text(svg, "L", neck);
    svg_raw(svg, "\"/><path");
    svg_set_text(svg, "fill", color);
    svg_raw(svg, " d=\"");
    place_text(svg, "M", to);
    place_text(svg, "L", (DrawPlace){back.x - half * uy, back.y + half * ux});
    place_text(svg, "L", (DrawPlace){back.x + half * uy, back.y - half * ux});
    svg_raw(svg, "Z\"/>\n");
}

void draw_text(Svg* svg, DrawPlace at, const char* anchor, double size, const char* color,
               const char* text)
{
    svg_raw(svg, "<text stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" "
                 "paint-order=\"stroke\"");
    svg_set(svg, "x", at.x);
    svg_set(svg, "y", at.y);
    svg_set(svg, "font-size", size);
    svg_set_text(svg, "fill", color);
    if (strcmp(anchor, "start") != 0) {
        svg_set_text(svg, "text-anchor", anchor);
    }
    svg_inside(svg);
    svg_content(svg, text);
    svg_end(svg, "text");
}

void draw_text_within(const DrawView* view, DrawPlace at, const char* anchor, double size,
                      const char* color, const char* text)
{
    const double width = svg_text_width(text, size);
    const double before = strcmp(anchor, "end") == 0      ? width
                          : strcmp(anchor, "middle") == 0 ? 0.5 * width
                                                          : 0.0;
    const double right = view->left + view->width;
    const double bottom = view->top + view->height;
    if (at.x < view->left || at.x > right || at.y < view->top || at.y > bottom) {
        return;
    }
    at.x = fmin(fmax(at.x, view->left + before + 2.0), right - (width - before) - 2.0);
    at.y = fmin(fmax(at.y, view->top + size), bottom - 0.3 * size);
    draw_text(view->svg, at, anchor, size, color, text);
}

void draw_number_text(double value, int digits, char* room)
{
    int decimals = value != 0.0 ? digits - 1 - (int)floor(log10(fabs(value))) : 0;
    decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
    snprintf(room, 32, "%.*f", decimals, fabs(value) < 1e15 ? value : 0.0);
    if (strchr(room, '.') != NULL) {
        size_t end = strlen(room);
        while (room[end - 1] == '0') {
            room[--end] = 0;
        }
        if (room[end - 1] == '.') {
            room[end - 1] = 0;
        }
    }
}

// ---- paths --------------------------------------------------------------------------------------

// The way of a body's centre of mass up to the moment.
static void draw_path(DrawView* view, int body)
{
    const DrawTrace* trace = view->trace;
    const size_t nbody = (size_t)trace->model->nbody;
    char color[8];
    Svg* svg = view->svg;
    DrawPlace last = {0.0, 0.0};
    DrawPlace waits = last;
    bool has_waiting = false;
    int points = 0;
    draw_body_color(view, body, 0.68, color);
    for (int k = 0; k < trace->points && trace->time[k] <= view->moment->time + 1e-9; k++) {
        const DrawPlace p =
            draw_place(view->camera, trace->position[(size_t)k * nbody + (size_t)body]);
        if (points > 0 && hypot(p.x - last.x, p.y - last.y) < 2.5) {
            waits = p;
            has_waiting = true;
            continue;
        }
        if (points == 1) {
            svg_raw(svg, "<path fill=\"none\" stroke-width=\"1.4\" stroke-linejoin=\"round\"");
            svg_set_text(svg, "stroke", color);
            svg_raw(svg, " d=\"");
            place_text(svg, "M", last);
        }
        if (points > 0) {
            place_text(svg, "L", p);
            draw_keep_free(view, p, 2.5);
        }
        last = p;
        points++;
        has_waiting = false;
    }
    if (points > 1) {
        if (has_waiting) {
            place_text(svg, "L", waits);
        }
        svg_raw(svg, "\"/>\n");
    }
}

void draw_paths(DrawView* view)
{
    const utModel* model = view->trace->model;
    for (int b = 1; b < model->nbody && draw_shows(view, DRAW_PATHS); b++) {
        if (model->body[b].tree >= 0) {
            draw_path(view, b);
        }
    }
}

// ---- joints -------------------------------------------------------------------------------------

static void small_circle(Svg* svg, DrawPlace p, double r, const char* fill)
{
    svg_tag(svg, "circle");
    svg_set(svg, "cx", p.x);
    svg_set(svg, "cy", p.y);
    svg_set(svg, "r", r);
    svg_set_text(svg, "fill", fill);
    svg_set_text(svg, "stroke", INK);
    svg_set(svg, "stroke-width", 1.3);
    svg_close(svg);
}

// The sign of a support that does not move, below a pin.
static void draw_support(DrawView* view, DrawPlace p)
{
    Svg* svg = view->svg;
    svg_raw(svg, "<path fill=\"#ffffff\" stroke-width=\"1.3\"");
    svg_set_text(svg, "stroke", INK);
    svg_raw(svg, " d=\"");
    place_text(svg, "M", p);
    place_text(svg, "L", (DrawPlace){p.x - 9.0, p.y - 14.0});
    place_text(svg, "L", (DrawPlace){p.x + 9.0, p.y - 14.0});
    svg_raw(svg, "Z\"/>\n<path fill=\"url(#hatch)\" d=\"");
    place_text(svg, "M", (DrawPlace){p.x - 15.0, p.y - 14.0});
    draw_keep_free(view, (DrawPlace){p.x, p.y - 14.0}, 14.0);
    svg_raw(svg, "h30v-7h-30Z\"/>\n<g stroke-width=\"1.3\">");
    svg_line(svg, p.x - 15.0, p.y - 14.0, p.x + 15.0, p.y - 14.0, INK);
    svg_end(svg, "g");
}

// @param axis unit, world  @param fixed the other body does not move
static void draw_hinge(DrawView* view, utVec3 anchor, utVec3 axis, bool fixed)
{
    Svg* svg = view->svg;
    const DrawPlace p = draw_place(view->camera, anchor);
    const double along = fabs(ut_vec3_dot(axis, view->camera->toward));
    const double s = 22.0 / draw_scale_at(view->camera, draw_see(view->camera, anchor));
    if (along > 0.95 && fixed) {
        draw_support(view, p);
    }
    if (along < 0.95) {
        const DrawPlace a = draw_place(view->camera, ut_vec3_add_scaled(anchor, -s, axis));
        const DrawPlace b = draw_place(view->camera, ut_vec3_add_scaled(anchor, s, axis));
        svg_raw(svg, "<g stroke-width=\"1\" stroke-dasharray=\"6 2 1.5 2\">");
        svg_line(svg, a.x, a.y, b.x, b.y, INK);
        svg_end(svg, "g");
    }
    small_circle(svg, p, along > 0.95 ? 3.6 : 2.4, "#ffffff");
    draw_keep_free(view, p, 6.0);
}

static void draw_slide(DrawView* view, utVec3 anchor, utVec3 axis)
{
    const double s = 18.0 / draw_scale_at(view->camera, draw_see(view->camera, anchor));
    const DrawPlace p = draw_place(view->camera, anchor);
    draw_arrow(view->svg, p, draw_place(view->camera, ut_vec3_add_scaled(anchor, s, axis)), INK,
               1.0);
    draw_arrow(view->svg, p, draw_place(view->camera, ut_vec3_add_scaled(anchor, -s, axis)), INK,
               1.0);
}

static void draw_tree_joint(DrawView* view, int j)
{
    const utModel* model = view->trace->model;
    const utModelJoint* joint = &model->joint[j];
    const utVec3 anchor = view->kin->anchor[j];
    const bool fixed = !draw_is_moving(model, model->body[joint->body].parent);
    if (joint->kind == UT_JOINT_HINGE) {
        draw_hinge(view, anchor, view->kin->axis[joint->v].angular, fixed);
    } else if (joint->kind == UT_JOINT_BALL) {
        small_circle(view->svg, draw_place(view->camera, anchor), 4.0, "#c9d1d6");
        draw_keep_free(view, draw_place(view->camera, anchor), 6.0);
    } else if (joint->kind == UT_JOINT_SLIDE && model->body[joint->body].joints == 1) {
        draw_slide(view, anchor, view->kin->axis[joint->v].linear);
    }
}

static void draw_equality(DrawView* view, int e)
{
    const utModel* model = view->trace->model;
    const utModelEquality* q = &model->equality[e];
    const utFrame at = ut_frame_mul(view->kin->body[q->body2], q->in2);
    const bool fixed = !draw_is_moving(model, q->body1);
    if (!q->active) {
        return;
    }
    if (q->kind == UT_EQUALITY_HINGE) {
        draw_hinge(view, at.p, ut_mat3_column(at.R, 2), fixed);
    } else if (q->kind == UT_EQUALITY_BALL || q->kind == UT_EQUALITY_CONNECT) {
        small_circle(view->svg, draw_place(view->camera, at.p), 4.0, "#c9d1d6");
        draw_keep_free(view, draw_place(view->camera, at.p), 6.0);
    } else if (q->kind == UT_EQUALITY_SLIDE) {
        draw_slide(view, at.p, ut_mat3_column(at.R, 2));
    }
}

void draw_joints(DrawView* view)
{
    const utModel* model = view->trace->model;
    if (!draw_shows(view, DRAW_JOINTS)) {
        return;
    }
    for (int j = 0; j < model->njoint; j++) {
        draw_tree_joint(view, j);
    }
    for (int e = 0; e < model->nequality; e++) {
        draw_equality(view, e);
    }
}

// ---- frames and vectors -------------------------------------------------------------------------

// The axes of a frame. In a planar world the normal is left out.
static void draw_frame(DrawView* view, utFrame at, const char* const name[3])
{
    const double s = AXIS / draw_scale_at(view->camera, draw_see(view->camera, at.p));
    static const char* const colors[] = {"#b8432f", "#3b7d4f", "#2f5f9e"};
    const DrawPlace from = draw_place(view->camera, at.p);
    for (int k = 0; k < 3; k++) {
        const utVec3 axis = ut_mat3_column(at.R, k);
        if (fabs(ut_vec3_dot(axis, view->camera->toward)) > 0.97) {
            continue;
        }
        const DrawPlace to = draw_place(view->camera, ut_vec3_add_scaled(at.p, s, axis));
        draw_arrow(view->svg, from, to, colors[k], 1.2);
        const DrawPlace text = {from.x + 1.28 * (to.x - from.x),
                                from.y + 1.28 * (to.y - from.y) + 4.0};
        draw_text_within(view, text, "middle", 11.0, colors[k], name[k]);
        draw_keep_free(view, to, 8.0);
        draw_keep_free(view, text, 5.0);
    }
}

static void draw_vector(DrawView* view, utVec3 from, utVec3 vector, double px, const char* color)
{
    const double s = px / draw_scale_at(view->camera, draw_see(view->camera, from));
    const DrawPlace a = draw_place(view->camera, from);
    const DrawPlace b = draw_place(view->camera, ut_vec3_add_scaled(from, s, vector));
    draw_arrow(view->svg, a, b, color, 1.8);
    draw_keep_free(view, b, 6.0);
    draw_keep_free(view, (DrawPlace){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}, 5.0);
}

static void draw_body_marks(DrawView* view, int body)
{
    static const char* const names[] = {"x", "y", "z"};
    const utModel* model = view->trace->model;
    const utVec3 com = view->kin->com[body];
    if (draw_shows(view, DRAW_FRAMES)) {
        draw_frame(view, view->kin->body[body], names);
    }
    if (draw_shows(view, DRAW_WEIGHTS) && model->body[body].mass > 0.0) {
        draw_vector(view, com, ut_vec3_scale(model->options.gravity, model->body[body].mass),
                    view->force_scale, "#7a6a4f");
    }
    if (draw_shows(view, DRAW_VELOCITIES)) {
        draw_vector(view, com, ut_point_velocity(view->kin, body, com), view->speed_scale,
                    "#009e73");
    }
}

// A prescribed motion of a body without geoms: its velocity as an arrow behind it.
static void draw_motion(DrawView* view, int body)
{
    const utModelBody* b = &view->trace->model->body[body];
    if (!draw_shows(view, DRAW_BELTS) || b->mocap < 0 || b->geoms > 0 ||
        view->moment->mocap_velocity == NULL) {
        return;
    }
    const utVec3 v = view->moment->mocap_velocity[b->mocap].linear;
    const utVec3 at = view->kin->body[body].p;
    const double speed = ut_vec3_norm(v);
    if (speed > 1e-6) {
        const double s = 34.0 / speed / draw_scale_at(view->camera, draw_see(view->camera, at));
        const DrawPlace p = draw_place(view->camera, at);
        const DrawPlace q = draw_place(view->camera, ut_vec3_add_scaled(at, s, v));
        const DrawPlace from = {p.x - 22.0 - (q.x - p.x), p.y - (q.y - p.y)};
        const DrawPlace to = {p.x - 22.0, p.y};
        draw_arrow(view->svg, q.x >= p.x ? from : to, q.x >= p.x ? to : from, "#8a5a2b", 1.6);
        draw_keep_free(view, (DrawPlace){0.5 * (from.x + to.x), p.y}, 14.0);
    }
}

void draw_marks(DrawView* view)
{
    const utModel* model = view->trace->model;
    for (int b = 1; b < model->nbody; b++) {
        draw_motion(view, b);
        if (draw_is_moving(model, b)) {
            draw_body_marks(view, b);
        }
    }
    for (int k = 0; k < view->moment->reactions && draw_shows(view, DRAW_REACTIONS); k++) {
        const DrawReaction* r = &view->moment->reaction[k];
        if (draw_is_moving(model, r->body)) {
            draw_vector(view, r->point, r->force, view->force_scale, FORCE);
        }
    }
    for (int s = 0; s < model->nsite && draw_shows(view, DRAW_SITES); s++) {
        const DrawPlace p = draw_place(view->camera, ut_site_position(view->kin, s));
        small_circle(view->svg, p, 2.0, INK);
        draw_text_within(view, (DrawPlace){p.x + 7.0, p.y + 13.0}, "start", 11.0, INK,
                         model->site[s].name);
    }
}
