// SPDX-License-Identifier: Apache-2.0
// Planes: a grid when seen from above, a line with hatching when seen along the surface. Arrows show
// the velocities of conveyors.
#include "draw/draw.h"

#include <math.h>
#include <stdlib.h>

static const char LINE[] = "#5c6a73";
static const char GRID[] = "#d5dbdf";
static const char BELT[] = "#8a5a2b";
static const double HATCH = 9.0; // depth of the hatching, px

// ---- lines --------------------------------------------------------------------------------------

// The part of the line p + t d within the view. @return false: it misses the view
static bool clip(const DrawView* view, DrawPlace p, DrawPlace d, double* from, double* to)
{
    const double low[2] = {view->left, view->top};
    const double high[2] = {view->left + view->width, view->top + view->height};
    const double at[2] = {p.x, p.y};
    const double along[2] = {d.x, d.y};
    *from = -HUGE_VAL;
    *to = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
        if (fabs(along[k]) < 1e-9) {
            if (at[k] < low[k] || at[k] > high[k]) {
                return false;
            }
            continue;
        }
        const double a = (low[k] - at[k]) / along[k];
        const double b = (high[k] - at[k]) / along[k];
        *from = fmax(*from, fmin(a, b));
        *to = fmin(*to, fmax(a, b));
    }
    return *from < *to;
}

static void belt_label(DrawView* view, DrawPlace at, const char* anchor, utVec3 v)
{
    char number[32];
    char text[48];
    draw_number_text(ut_vec3_norm(v), 3, number);
    snprintf(text, sizeof text, "%s m/s", number);
    draw_text_within(view, at, anchor, 11.0, BELT, text);
    draw_keep_free(view, at, 20.0);
}

// The arrow of a belt in whose place its speed is covered least, from the right.
static int free_slot(const DrawView* view, int arrows, DrawPlace first, DrawPlace step)
{
    const utModel* model = view->trace->model;
    int best = arrows - 1;
    double least = HUGE_VAL;
    for (int k = arrows - 1; k >= 0; k--) {
        const double x = first.x + k * step.x, y = first.y + k * step.y;
        const DrawBusy label = {x - 24.0, y - 8.0, x + 24.0, y + 8.0};
        double covered = 0.0;
        for (int b = 1; b < model->nbody; b++) {
            const DrawBusy body = draw_body_box(view, b);
            covered += draw_is_moving(model, b) ? draw_shared_area(&label, &body) : 0.0;
        }
        best = covered < least ? k : best;
        least = fmin(least, covered);
    }
    return best;
}

// Arrows below the line of a belt.
static void draw_belt_line(DrawView* view, DrawPlace p, DrawPlace d, DrawPlace into, double from,
                           double to, utVec3 v)
{
    const DrawCamera* c = view->camera;
    const DrawPlace seen = {ut_vec3_dot(v, c->right), -ut_vec3_dot(v, c->up)};
    const double sign = seen.x * d.x + seen.y * d.y > 0.0 ? 1.0 : -1.0;
    const double spacing = 92.0;
    const int arrows = (int)((to - from) / spacing);
    const double gap = arrows > 0 ? (to - from) / arrows : 0.0;
    const DrawPlace first = {p.x + (from + 0.5 * gap) * d.x + 19.0 * into.x,
                             p.y + (from + 0.5 * gap) * d.y + 19.0 * into.y};
    const DrawPlace step = {gap * d.x, gap * d.y};
    const int label = free_slot(view, arrows, first, step);
    for (int k = 0; k < arrows; k++) {
        const DrawPlace middle = {first.x + k * step.x, first.y + k * step.y};
        if (k == label) {
            belt_label(view, (DrawPlace){middle.x, middle.y + 4.0}, "middle", v);
            continue;
        }
        draw_keep_free(view, middle, 14.0);
        draw_arrow(
            view->svg, (DrawPlace){middle.x - 14.0 * sign * d.x, middle.y - 14.0 * sign * d.y},
            (DrawPlace){middle.x + 14.0 * sign * d.x, middle.y + 14.0 * sign * d.y}, BELT, 1.4);
    }
}

static utVec3 belt_velocity(const DrawView* view, int geom, utVec3 point)
{
    const utModelGeom* g = &view->trace->model->geom[geom];
    return g->belt ? ut_model_surface(g, ut_geom_frame(view->kin, geom), point, view->moment->time)
                   : ut_vec3_zero();
}

static void draw_line(DrawView* view, int geom, utFrame at)
{
    const DrawCamera* c = view->camera;
    const utVec3 n = ut_mat3_column(at.R, 2);
    const double far = ut_vec3_dot(ut_vec3_sub(c->at, at.p), n);
    const utVec3 foot = ut_vec3_add_scaled(c->at, -far, n);
    const DrawPlace p = draw_place(c, foot);
    DrawPlace into = {-ut_vec3_dot(n, c->right), ut_vec3_dot(n, c->up)};
    const double size = sqrt(into.x * into.x + into.y * into.y);
    into = (DrawPlace){into.x / size, into.y / size};
    const DrawPlace d = fabs(into.y) >= fabs(into.x)
                            ? (DrawPlace){fabs(into.y), into.y > 0.0 ? -into.x : into.x}
                            : (DrawPlace){-into.y, into.x};
    double from, to;
    if (!clip(view, p, d, &from, &to)) {
        return;
    }
    const DrawPlace a = {p.x + from * d.x, p.y + from * d.y};
    const DrawPlace b = {p.x + to * d.x, p.y + to * d.y};
    Svg* svg = view->svg;
    svg_raw(svg, "<path fill=\"url(#hatch)\" d=\"M");
    const DrawPlace corner[4] = {a,
                                 b,
                                 {b.x + HATCH * into.x, b.y + HATCH * into.y},
                                 {a.x + HATCH * into.x, a.y + HATCH * into.y}};
    for (int k = 0; k < 4; k++) {
        svg_raw(svg, k > 0 ? "L" : "");
        svg_tenths(svg, corner[k].x);
        svg_raw(svg, " ");
        svg_tenths(svg, corner[k].y);
    }
    svg_raw(svg, "Z\"/>\n<g stroke-width=\"1.6\">");
    svg_line(svg, a.x, a.y, b.x, b.y, LINE);
    svg_end(svg, "g");
    const utVec3 v = belt_velocity(view, geom, foot);
    if (draw_shows(view, DRAW_BELTS) && ut_vec3_norm(v) > 1e-9) {
        draw_belt_line(view, p, d, into, from, to, v);
    }
}

// ---- grids --------------------------------------------------------------------------------------

double draw_round_number(double x)
{
    const double ten = pow(10.0, floor(log10(x) + 1e-9));
    const double rest = x / ten;
    return rest < 2.0 - 1e-9 ? ten : rest < 5.0 - 1e-9 ? 2.0 * ten : 5.0 * ten;
}

// The footprint of the moving bodies on a plane with the axes t1, t2.
static DrawBox footprint(const DrawView* view, utFrame at, utVec3 t1, utVec3 t2)
{
    const DrawTrace* trace = view->trace;
    const utModel* model = trace->model;
    DrawBox box = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (int b = 1; b < model->nbody; b++) {
        if (!draw_is_moving(model, b)) {
            continue;
        }
        double reach = 0.0;
        for (int g = 0; g < model->body[b].geoms; g++) {
            const utModelGeom* geom = &model->geom[model->body[b].geom + g];
            reach = geom->shape.kind != UT_SHAPE_PLANE ? fmax(reach, geom->radius) : reach;
        }
        for (int k = 0; k < trace->points; k++) {
            if (trace->time[k] > trace->moment[trace->moments - 1].time + 1e-9) {
                break;
            }
            const utVec3 p =
                ut_vec3_sub(trace->position[(size_t)k * (size_t)model->nbody + (size_t)b], at.p);
            const double x[2] = {ut_vec3_dot(p, t1), ut_vec3_dot(p, t2)};
            for (int i = 0; i < 2; i++) {
                box.low[i] = fmin(box.low[i], x[i] - reach);
                box.high[i] = fmax(box.high[i], x[i] + reach);
            }
        }
    }
    return box;
}

static void grid_line(DrawView* view, utVec3 from, utVec3 to)
{
    const DrawPlace a = draw_place(view->camera, from);
    const DrawPlace b = draw_place(view->camera, to);
    Svg* svg = view->svg;
    svg_raw(svg, "M");
    svg_tenths(svg, a.x);
    svg_raw(svg, " ");
    svg_tenths(svg, a.y);
    svg_raw(svg, "L");
    svg_tenths(svg, b.x);
    svg_raw(svg, " ");
    svg_tenths(svg, b.y);
}

static void draw_belt_arrows(DrawView* view, utVec3 middle, double reach, utVec3 v)
{
    const double speed = ut_vec3_norm(v);
    const double longest = 90.0 / draw_scale_at(view->camera, draw_see(view->camera, middle));
    const utVec3 half = ut_vec3_scale(v, 0.5 * fmin(reach, longest) / speed);
    const DrawPlace from = draw_place(view->camera, ut_vec3_sub(middle, half));
    const DrawPlace to = draw_place(view->camera, ut_vec3_add(middle, half));
    const double size = fmax(hypot(to.x - from.x, to.y - from.y), 1e-9);
    const DrawPlace label = {to.x + 12.0 * (to.x - from.x) / size,
                             to.y + 12.0 * (to.y - from.y) / size + 4.0};
    draw_arrow(view->svg, from, to, BELT, 1.8);
    draw_keep_free(view, from, 8.0);
    draw_keep_free(view, to, 8.0);
    belt_label(view, label, to.x < from.x ? "end" : "start", v);
}

static void draw_grid(DrawView* view, int geom, utFrame at)
{
    const utVec3 n = ut_mat3_column(at.R, 2);
    utVec3 t1, t2;
    ut_tangent_basis(n, &t1, &t2);
    // the grid's lines go through the world's origin, as a ruler would
    const utVec3 origin = ut_vec3_scale(n, ut_vec3_dot(at.p, n));
    at.p = origin;
    DrawBox box = footprint(view, at, t1, t2);
    double size = fmax(box.high[0] - box.low[0], box.high[1] - box.low[1]);
    if (!(size < HUGE_VAL)) {
        return;
    }
    // a particle needs a floor, too
    const double least = 0.25 * view->width / view->camera->scale;
    for (int k = 0; k < 2 && size < least; k++) {
        const double added = 0.5 * (least - (box.high[k] - box.low[k]));
        box.low[k] -= added;
        box.high[k] += added;
    }
    size = fmax(size, least);
    const double step = draw_round_number(0.2 * size);
    long long lo[2], hi[2];
    for (int k = 0; k < 2; k++) {
        lo[k] = llround(floor((box.low[k] - 0.08 * size) / step));
        hi[k] = llround(ceil((box.high[k] + 0.08 * size) / step));
    }
    Svg* svg = view->svg;
    svg_raw(svg, "<path fill=\"none\" stroke-width=\"1\"");
    svg_set_text(svg, "stroke", GRID);
    svg_raw(svg, " d=\"");
    for (long long i = lo[0]; i <= hi[0]; i++) {
        const utVec3 p = ut_vec3_add_scaled(origin, (double)i * step, t1);
        grid_line(view, ut_vec3_add_scaled(p, (double)lo[1] * step, t2),
                  ut_vec3_add_scaled(p, (double)hi[1] * step, t2));
    }
    for (long long j = lo[1]; j <= hi[1]; j++) {
        const utVec3 p = ut_vec3_add_scaled(origin, (double)j * step, t2);
        grid_line(view, ut_vec3_add_scaled(p, (double)lo[0] * step, t1),
                  ut_vec3_add_scaled(p, (double)hi[0] * step, t1));
    }
    svg_raw(svg, "\"/>\n");
    const utVec3 foot =
        ut_vec3_add_scaled(ut_vec3_add_scaled(origin, 0.5 * (double)(lo[0] + hi[0]) * step, t1),
                           ((double)lo[1] + 0.5) * step, t2);
    const utVec3 v = belt_velocity(view, geom, foot);
    if (draw_shows(view, DRAW_BELTS) && ut_vec3_norm(v) > 1e-9) {
        draw_belt_arrows(view, foot, 1.6 * step, v);
    }
}

void draw_planes(DrawView* view)
{
    const utModel* model = view->trace->model;
    for (int g = 0; g < model->ngeom; g++) {
        if (model->geom[g].shape.kind != UT_SHAPE_PLANE) {
            continue;
        }
        const utFrame at = ut_geom_frame(view->kin, g);
        const double facing = fabs(ut_vec3_dot(ut_mat3_column(at.R, 2), view->camera->toward));
        if (facing < 0.03 && !(view->camera->distance > 0.0)) {
            draw_line(view, g, at);
        } else if (draw_shows(view, DRAW_GRID)) {
            draw_grid(view, g, at);
        }
    }
}

// ---- belts that are not planes ------------------------------------------------------------------

void draw_belts(DrawView* view)
{
    const utModel* model = view->trace->model;
    for (int g = 0; g < model->ngeom && draw_shows(view, DRAW_BELTS); g++) {
        const utShape* shape = &model->geom[g].shape;
        if (shape->kind == UT_SHAPE_PLANE || !model->geom[g].belt) {
            continue;
        }
        const utFrame at = ut_geom_frame(view->kin, g);
        const utVec3 up = draw_up(model);
        const utVec3 top =
            ut_shape_is_convex(shape->kind)
                ? ut_frame_point(at, ut_shape_support(shape, ut_mat3_tmul_vec(at.R, up)))
                : at.p;
        const utVec3 middle = ut_vec3_add_scaled(at.p, ut_vec3_dot(ut_vec3_sub(top, at.p), up), up);
        const utVec3 v = belt_velocity(view, g, middle);
        if (ut_vec3_norm(v) > 1e-9) {
            draw_belt_arrows(view, middle, 0.6 * model->geom[g].radius, v);
        }
    }
}
