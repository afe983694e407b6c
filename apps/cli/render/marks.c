// SPDX-License-Identifier: Apache-2.0
// Parts of a picture that are not geoms: forces and friction cones, bars of bodies without geoms, springs
// and tendons. Their widths are in pixels of a picture 800 px wide.
#include "render/render.h"

#include <math.h>

enum { NO_OBJECT = -2, MAX_ENDS = 64, TURNS = 9, STEPS = 12 };

static const double PI = 3.14159265358979323846;
static const double SHAFT = 1.7, HEAD = 4.6, HEAD_LENGTH = 12.0, DOT = 2.8; // arrows and points, px
static const double BAR = 4.0, PARTICLE = 6.0, COIL = 5.0, WIRE = 1.0;      // px

// The length of some px at a point, m.
static double length_of(const RenderScene* s, double px, utVec3 point)
{
    const DrawSeen seen = draw_see(&s->camera, point);
    return px * s->width / 800.0 / draw_scale_at(&s->camera, seen);
}

static void add_ball(RenderScene* s, RenderLayer layer, utVec3 at, double radius, int paint,
                     int object)
{
    const utFrame frame = {.R = ut_mat3_identity(), .p = at};
    render_add_shape(s, layer, &s->ball, frame, ut_vec3(radius, radius, radius), paint, object);
}

// ---- contacts -----------------------------------------------------------------------------------

static void add_arrow(RenderScene* s, utVec3 from, utVec3 arrow, int paint)
{
    utVec3 n, t1, t2;
    const double length = ut_vec3_norm(arrow);
    if (!(length > length_of(s, 2.0, from)) || !ut_vec3_normalize(arrow, &n)) {
        return;
    }
    const double head = fmin(length_of(s, HEAD_LENGTH, from), 0.6 * length);
    const double thick = fmin(1.0, length / (2.0 * length_of(s, HEAD_LENGTH, from)) + 0.4);
    const utVec3 neck = ut_vec3_add_scaled(from, length - head, n);
    const double r = thick * length_of(s, HEAD, from);
    ut_tangent_basis(n, &t1, &t2);
    const utFrame at = {.R = ut_mat3_from_columns(t1, t2, n), .p = neck};
    render_add_tube(s, RENDER_ARROWS, from, neck, thick * length_of(s, SHAFT, from), paint,
                    NO_OBJECT);
    render_add_shape(s, RENDER_ARROWS, &s->cone, at, ut_vec3(r, r, head), paint, NO_OBJECT);
}

// The mantle of a friction cone, and for a contact that sticks its disc.
static void add_cone(RenderScene* s, const DrawView* view, const DrawContact* c, double scale)
{
    DrawView small = *view;
    utVec3 rim[DRAW_RIM];
    small.force_scale /= scale;
    small.impulse_scale /= scale;
    const int n = draw_cone_rim(view, c, scale * draw_cone_height(&small, c), rim);
    const int paint = render_paint(s, RENDER_PAINT_CONE + (int)c->state);
    utVec3 middle = ut_vec3_zero();
    for (int k = 0; k < n; k++) {
        middle = ut_vec3_add_scaled(middle, 1.0 / n, rim[k]);
    }
    for (int k = 0; k < (n == 2 ? 1 : n); k++) {
        const utVec3 side[3] = {c->point, rim[k], rim[(k + 1) % n]};
        const utVec3 disc[3] = {middle, rim[k], rim[(k + 1) % n]};
        utVec3 out = ut_vec3_cross(ut_vec3_sub(side[1], side[0]), ut_vec3_sub(side[2], side[0]));
        utVec3 axis = ut_vec3_sub(middle, c->point);
        (void)ut_vec3_normalize(out, &out);
        (void)ut_vec3_normalize(axis, &axis);
        render_add_triangle(s, RENDER_CONES, side, (const utVec3[]){out, out, out}, false, paint,
                            NO_OBJECT);
        if (n > 2 && c->state == UT_CONTACT_STICK) {
            render_add_triangle(s, RENDER_CONES, disc, (const utVec3[]){axis, axis, axis}, false,
                                paint, NO_OBJECT);
        }
    }
}

static bool shows(const RenderScene* s, DrawPart part)
{
    return (s->parts & 1u << part) != 0;
}

void render_add_contacts(RenderScene* s, const DrawMoment* moment)
{
    const double scale = s->width / 800.0;
    const DrawView view = {
        .trace = s->trace,
        .moment = moment,
        .kin = &s->kin,
        .camera = &s->camera,
        .parts = s->parts,
        .width = s->width,
        .height = s->height,
        .force_scale = s->force_scale,
        .impulse_scale = s->impulse_scale,
    };
    for (int k = 0; k < moment->contacts; k++) {
        const DrawContact* c = &moment->contact[k];
        const int paint = render_paint(s, RENDER_PAINT_STATE + (int)c->state);
        if (!draw_is_near(&view, c)) {
            continue;
        }
        if (shows(s, DRAW_CONES) && c->mu > 0.0 && c->state != UT_CONTACT_OPEN) {
            add_cone(s, &view, c, scale);
        }
        if (shows(s, DRAW_FORCES)) {
            add_arrow(s, c->point, draw_force_arrow(&view, c), paint);
        }
        if (shows(s, DRAW_CONTACTS)) {
            add_ball(s, RENDER_ARROWS, c->point, length_of(s, DOT, c->point), paint, NO_OBJECT);
        }
    }
}

// ---- bars, springs, tendons ---------------------------------------------------------------------

// In a planar world bars are in front of geoms, whose thickness has no meaning there.
static utVec3 in_front(const RenderScene* s, utVec3 point)
{
    const double far = s->camera.flat ? 4.0 * (s->width + s->height) / s->camera.scale : 0.0;
    return ut_vec3_add_scaled(point, far, s->camera.toward);
}

static void add_bar(RenderScene* s, utVec3 from, utVec3 to, double px, int paint, int object)
{
    const utVec3 a = in_front(s, from), b = in_front(s, to);
    const double r = length_of(s, px, from);
    render_add_tube(s, RENDER_BODIES, a, b, r, paint, object);
    add_ball(s, RENDER_BODIES, a, r, paint, object);
    add_ball(s, RENDER_BODIES, b, r, paint, object);
}

static void add_body_bars(RenderScene* s, int body, int object)
{
    const utModel* model = s->trace->model;
    utVec3 end[MAX_ENDS];
    const int ends = draw_bar_ends(&s->kin, body, end, MAX_ENDS);
    const utVec3 com = s->kin.com[body];
    if (ends == 0 || !(model->body[body].mass > 0.0)) {
        const utVec3 at = model->body[body].mocap >= 0 ? s->kin.body[body].p : com;
        add_ball(s, RENDER_BODIES, in_front(s, at), length_of(s, PARTICLE, at), body, object);
        return;
    }
    for (int k = 0; k < ends; k++) {
        if (ends != 2) {
            add_bar(s, com, end[k], BAR, body, object);
        } else if (k == 0) {
            add_bar(s, end[0], end[1], BAR, body, object);
        }
    }
}

// A coil with straight ends.
static void add_spring(RenderScene* s, utVec3 from, utVec3 to, int object)
{
    utVec3 n, t1, t2;
    const utVec3 along = ut_vec3_sub(to, from);
    if (!ut_vec3_normalize(along, &n)) {
        return;
    }
    const double r = length_of(s, COIL, from);
    const int paint = render_paint(s, RENDER_PAINT_LINE);
    utVec3 last = from;
    ut_tangent_basis(n, &t1, &t2);
    for (int k = 0; k <= TURNS * STEPS; k++) {
        double sine, cosine;
        ut_sincos(2.0 * PI * k / STEPS, &sine, &cosine);
        utVec3 at = ut_vec3_add_scaled(from, 0.12 + 0.76 * k / (TURNS * STEPS), along);
        at = ut_vec3_add_scaled(ut_vec3_add_scaled(at, r * cosine, t1), r * sine, t2);
        add_bar(s, last, at, WIRE, paint, object);
        last = at;
    }
    add_bar(s, last, to, WIRE, paint, object);
}

// Straight lines between the sites of a tendon's path.
static void add_tendon(RenderScene* s, const utModelTendon* tendon, int object)
{
    const int paint = render_paint(s, RENDER_PAINT_STRING);
    int last = -1;
    for (int w = 0; w < tendon->wraps && tendon->kind == UT_TENDON_SPATIAL; w++) {
        const utWrap* wrap = &tendon->wrap[w];
        if (wrap->kind == UT_WRAP_SITE && last >= 0) {
            add_bar(s, ut_site_position(&s->kin, last), ut_site_position(&s->kin, wrap->object),
                    WIRE, paint, object);
        }
        last = wrap->kind == UT_WRAP_SITE ? wrap->object : wrap->kind == UT_WRAP_PULLEY ? -1 : last;
    }
}

void render_add_bars(RenderScene* s)
{
    const utModel* model = s->trace->model;
    // the numbers of geoms come first
    const int first = model->ngeom;
    for (int b = 1; b < model->nbody; b++) {
        if (model->body[b].geoms == 0 && draw_is_moving(model, b)) {
            add_body_bars(s, b, first + b);
        }
    }
    for (int k = 0; k < model->nspring && shows(s, DRAW_SPRINGS); k++) {
        add_spring(s, ut_site_position(&s->kin, model->spring[k].site1),
                   ut_site_position(&s->kin, model->spring[k].site2), first + model->nbody + k);
    }
    for (int t = 0; t < model->ntendon && shows(s, DRAW_SPRINGS); t++) {
        add_tendon(s, &model->tendon[t], first + model->nbody + model->nspring + t);
    }
}
