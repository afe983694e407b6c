// SPDX-License-Identifier: Apache-2.0
// Contacts: the point with its state, the friction cone, and the force in it. Forces are drawn on the
// body that can move; when both can, on the second one of the pair.
#include "draw/draw.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double AXIAL = 0.999;     // cosine from which a cone is seen along its axis
static const double LEAST_CONE = 26.0; // height of a cone, px
static const double MOST_CONE = 80.0;
static const double WIDEST_CONE = 52.0; // radius of a cone, px
static const double FAR_GAP = 6.0;      // open contacts with a larger gap are left out, px

// The colours of Okabe and Ito, which colour-blind readers can distinguish.
const char* draw_state_color(utContactState state)
{
    switch (state) {
    case UT_CONTACT_STICK:
        return "#0072b2";
    case UT_CONTACT_SLIP:
        return "#d55e00";
    case UT_CONTACT_IMPACT:
        return "#a6528a";
    default:
        return "#8a949a";
    }
}

void draw_state_mark(Svg* svg, utContactState state, DrawPlace at, double size)
{
    const char* color = draw_state_color(state);
    // forms differ as well, for grey print
    static const double square[] = {-1, -1, 1, -1, 1, 1, -1, 1};
    static const double triangle[] = {0, -1.25, 1.2, 0.9, -1.2, 0.9};
    static const double star[] = {0, -1.7, 0.45,  -0.45, 1.7,  0, 0.45,  0.45,
                                  0, 1.7,  -0.45, 0.45,  -1.7, 0, -0.45, -0.45};
    const double* form = state == UT_CONTACT_STICK  ? square
                         : state == UT_CONTACT_SLIP ? triangle
                                                    : star;
    const int corners = state == UT_CONTACT_STICK ? 4 : state == UT_CONTACT_SLIP ? 3 : 8;
    if (state != UT_CONTACT_STICK && state != UT_CONTACT_SLIP && state != UT_CONTACT_IMPACT) {
        svg_tag(svg, "circle");
        svg_set(svg, "cx", at.x);
        svg_set(svg, "cy", at.y);
        svg_set(svg, "r", size);
        svg_set_text(svg, "fill", "#ffffff");
        svg_set_text(svg, "stroke", color);
        svg_set(svg, "stroke-width", 1.3);
        svg_close(svg);
        return;
    }
    svg_raw(svg, "<path stroke=\"#ffffff\" stroke-width=\"0.8\"");
    svg_set_text(svg, "fill", color);
    svg_raw(svg, " d=\"M");
    for (int k = 0; k < corners; k++) {
        svg_raw(svg, k > 0 ? "L" : "");
        svg_tenths(svg, at.x + size * form[2 * k]);
        svg_raw(svg, " ");
        svg_tenths(svg, at.y + size * form[2 * k + 1]);
    }
    svg_raw(svg, "Z\"/>\n");
}

// ---- one contact --------------------------------------------------------------------------------

typedef struct Side {
    double sign; // of the force on the body where it is drawn
    utVec3 normal;
} Side;

static Side side_of(const DrawView* view, const DrawContact* c)
{
    const utModel* model = view->trace->model;
    const bool second = model->body[ut_model_side_body(model, c->geom2)].tree >= 0;
    const double sign = second ? 1.0 : -1.0;
    return (Side){sign, ut_vec3_scale(c->frame[0], sign)};
}

// Are there few contacts in the view, so that there is room for details?
static bool has_room(const DrawView* view)
{
    int seen = 0;
    for (int k = 0; k < view->moment->contacts; k++) {
        const DrawPlace p = draw_place(view->camera, view->moment->contact[k].point);
        seen += p.x >= view->left && p.x <= view->left + view->width && p.y >= view->top &&
                p.y <= view->top + view->height;
    }
    return seen <= 2;
}

// The length of normals and of the directions of friction polygons, px.
static double normal_length(const DrawView* view)
{
    return has_room(view) ? 72.0 : 34.0;
}

// px per m of a length at a contact
static double scale_at(const DrawView* view, utVec3 point)
{
    return draw_scale_at(view->camera, draw_see(view->camera, point));
}

static double arrow_scale(const DrawView* view, const DrawContact* c)
{
    return c->impact ? view->impulse_scale : view->force_scale;
}

// A cone that is seen along its axis is the section at its force's tip.
static bool is_section(const DrawView* view, const DrawContact* c)
{
    const double length = ut_vec3_dot(c->force, c->frame[0]) * arrow_scale(view, c);
    return fabs(ut_vec3_dot(c->frame[0], view->camera->toward)) > AXIAL && length > LEAST_CONE;
}

static void write_polygon(Svg* svg, int n, const DrawPlace* p)
{
    for (int k = 0; k < n; k++) {
        svg_raw(svg, k == 0 ? "M" : "L");
        svg_tenths(svg, p[k].x);
        svg_raw(svg, " ");
        svg_tenths(svg, p[k].y);
    }
    svg_raw(svg, "Z");
}

int draw_cone_rim(const DrawView* view, const DrawContact* c, double height, utVec3* rim)
{
    const Side side = side_of(view, c);
    const double h = height / scale_at(view, c->point);
    const utVec3 middle = ut_vec3_add_scaled(c->point, h, side.normal);
    if (view->trace->model->options.planar != UT_PLANAR_NONE) {
        rim[0] = ut_vec3_add_scaled(middle, c->mu * h, c->frame[1]);
        rim[1] = ut_vec3_add_scaled(middle, -c->mu * h, c->frame[1]);
        return 2;
    }
    const int edges = view->trace->directions;
    const bool polygon = edges >= 3 && edges <= DRAW_RIM;
    const int n = polygon ? edges : DRAW_RIM;
    const double half = polygon && view->trace->circumscribed ? PI / n : 0.0;
    const double r = c->mu * h / ut_cos(half);
    for (int k = 0; k < n; k++) {
        const double a = 2.0 * PI * k / n + half;
        rim[k] = ut_vec3_add_scaled(ut_vec3_add_scaled(middle, r * ut_cos(a), c->frame[1]),
                                    r * ut_sin(a), c->frame[2]);
    }
    return n;
}

double draw_cone_height(const DrawView* view, const DrawContact* c)
{
    const double length = ut_vec3_dot(c->force, c->frame[0]) * arrow_scale(view, c);
    const double most = fmax(fmin(MOST_CONE, WIDEST_CONE / fmax(c->mu, 1e-9)), LEAST_CONE);
    return is_section(view, c) ? length : fmin(fmax(length + 6.0, LEAST_CONE), most);
}

static void draw_cone(DrawView* view, const DrawContact* c)
{
    const double height = draw_cone_height(view, c);
    utVec3 rim[DRAW_RIM];
    DrawPlace p[DRAW_RIM + 1], hull[DRAW_RIM + 1];
    const int n = draw_cone_rim(view, c, height, rim);
    for (int k = 0; k < n; k++) {
        p[k] = draw_place(view->camera, rim[k]);
    }
    p[n] = draw_place(view->camera, c->point);
    Svg* svg = view->svg;
    const char* color = draw_state_color(c->state);
    svg_raw(svg, "<path fill-opacity=\"0.13\" stroke-opacity=\"0.6\" stroke-width=\"0.8\"");
    svg_set_text(svg, "fill", color);
    svg_set_text(svg, "stroke", color);
    svg_raw(svg, " d=\"");
    write_polygon(svg, draw_convex(n + 1, p, hull), hull);
    if (n > 2) {
        write_polygon(svg, n, p);
    }
    for (int k = 0; k < n && n > 2 && n <= 16; k++) {
        // the edges of a polyhedral cone
        const DrawPlace edge[2] = {p[n], p[k]};
        write_polygon(svg, 2, edge);
    }
    svg_raw(svg, "\"/>\n");
}

// "d3", or of accelerations along lines, whose polygon is circumscribed, "e3" and "-e3"
static void direction_label(const DrawTrace* trace, int k, int n, char text[16])
{
    const int lines = n / 2;
    snprintf(text, 16, "%s%d",
             !trace->circumscribed ? "d"
             : k < lines           ? "e"
                                   : "\u2212e",
             trace->circumscribed ? k % lines + 1 : k + 1);
}

// The angle by which a label at an arrow is turned about the contact, so that the force does not cover it.
static double turn_from_force(const DrawView* view, const DrawContact* c, DrawPlace from,
                              DrawPlace to)
{
    static const double APART = 0.35; // rad
    const double sign = side_of(view, c).sign;
    const double x = sign * ut_vec3_dot(c->force, view->camera->right);
    const double y = -sign * ut_vec3_dot(c->force, view->camera->up);
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double angle = ut_atan2(x * dy - y * dx, x * dx + y * dy); // from the force to the arrow
    return fabs(angle) >= APART ? 0.0 : (angle < 0.0 ? -APART : APART) - angle;
}

// Directions of the friction polygon around the point, on a circle of the length of a normal.
static void draw_basis(DrawView* view, const DrawContact* c)
{
    const bool planar = view->trace->model->options.planar != UT_PLANAR_NONE;
    const int n = planar ? 2 : view->trace->directions > 0 ? view->trace->directions : 8;
    const double length = (is_section(view, c) ? 0.7 : 1.0) * normal_length(view);
    const double reach = length / scale_at(view, c->point);
    for (int k = 0; k < n && n <= DRAW_RIM; k++) {
        const double a = 2.0 * PI * k / n;
        const utVec3 d = ut_vec3_add_scaled(ut_vec3_scale(c->frame[1], reach * ut_cos(a)),
                                            reach * ut_sin(a), c->frame[2]);
        const DrawPlace from = draw_place(view->camera, c->point);
        const DrawPlace to = draw_place(view->camera, ut_vec3_add(c->point, d));
        draw_arrow(view->svg, from, to, "#6b767d", 1.0);
        draw_keep_free(view, to, 7.0);
        if (draw_shows(view, DRAW_NUMBERS) && has_room(view)) {
            char text[16];
            direction_label(view->trace, k, n, text);
            const double turn = is_section(view, c) ? turn_from_force(view, c, from, to) : 0.0;
            const double x = 1.2 * (to.x - from.x), y = 1.2 * (to.y - from.y);
            draw_text_within(view,
                             (DrawPlace){from.x + ut_cos(turn) * x - ut_sin(turn) * y,
                                         from.y + ut_sin(turn) * x + ut_cos(turn) * y + 4.0},
                             "middle", 11.0, "#4b555b", text);
        }
    }
}

static void draw_normal(DrawView* view, const DrawContact* c)
{
    const Side side = side_of(view, c);
    const utVec3 to =
        ut_vec3_add_scaled(c->point, normal_length(view) / scale_at(view, c->point), side.normal);
    const DrawPlace p = draw_place(view->camera, to);
    draw_arrow(view->svg, draw_place(view->camera, c->point), p, "#37424a", 1.0);
    draw_keep_free(view, p, 7.0);
    if (draw_shows(view, DRAW_NUMBERS) && has_room(view)) {
        draw_text_within(view, (DrawPlace){p.x + 9.0, p.y + 4.0}, "start", 12.0, "#37424a", "n");
    }
}

utVec3 draw_force_arrow(const DrawView* view, const DrawContact* c)
{
    const Side side = side_of(view, c);
    const double s = side.sign * arrow_scale(view, c) / scale_at(view, c->point);
    return ut_vec3_scale(c->force, s);
}

static void draw_force(DrawView* view, const DrawContact* c)
{
    const DrawPlace from = draw_place(view->camera, c->point);
    const DrawPlace to = draw_place(view->camera, ut_vec3_add(c->point, draw_force_arrow(view, c)));
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    if (dx * dx + dy * dy > 4.0) {
        draw_arrow(view->svg, from, to, draw_state_color(c->state), 2.2);
        draw_keep_free(view, to, 6.0);
        draw_keep_free(view, (DrawPlace){0.5 * (from.x + to.x), 0.5 * (from.y + to.y)}, 6.0);
    }
}

// The vector from the centre of mass of the body where the force is drawn.
static void draw_arm(DrawView* view, const DrawContact* c, int number)
{
    const utModel* model = view->trace->model;
    const int geom = side_of(view, c).sign > 0.0 ? c->geom2 : c->geom1;
    const int body = ut_model_side_body(model, geom);
    const DrawPlace from = draw_place(view->camera, view->kin->com[body]);
    const DrawPlace to = draw_place(view->camera, c->point);
    char text[16];
    draw_arrow(view->svg, from, to, "#6b767d", 1.1);
    snprintf(text, sizeof text, "r%d", number);
    const DrawPlace at = {from.x + 0.55 * (to.x - from.x), from.y + 0.55 * (to.y - from.y) - 5.0};
    draw_text_within(view, at, "middle", 12.0, "#37424a", text);
    draw_keep_free(view, at, 8.0);
}

// ---- all contacts -------------------------------------------------------------------------------

bool draw_is_near(const DrawView* view, const DrawContact* c)
{
    return c->state != UT_CONTACT_OPEN || c->gap * scale_at(view, c->point) < FAR_GAP;
}

// Open contacts have a cone only if nothing else is to be seen.
static bool has_cone(const DrawView* view, const DrawContact* c)
{
    return c->state != UT_CONTACT_OPEN || draw_shows(view, DRAW_BASIS);
}

void draw_contacts(DrawView* view)
{
    const DrawMoment* m = view->moment;
    const double size = m->contacts > 60 ? 2.0 : m->contacts > 12 ? 2.7 : 3.6;
    for (int pass = 0; pass < 4; pass++) {
        for (int k = 0; k < m->contacts; k++) {
            const DrawContact* c = &m->contact[k];
            if (!draw_is_near(view, c) && !draw_shows(view, DRAW_ARMS)) {
                continue;
            }
            if (pass == 0 && draw_shows(view, DRAW_CONES) && c->mu > 0.0 && has_cone(view, c)) {
                draw_cone(view, c);
            }
            if (pass == 1 && draw_shows(view, DRAW_BASIS)) {
                draw_basis(view, c);
            }
            if (pass == 1 && draw_shows(view, DRAW_NORMALS)) {
                draw_normal(view, c);
            }
            if (pass == 1 && draw_shows(view, DRAW_ARMS)) {
                draw_arm(view, c, k + 1);
            }
            if (pass == 2 && draw_shows(view, DRAW_FORCES)) {
                draw_force(view, c);
            }
            if (pass == 3 && draw_shows(view, DRAW_CONTACTS)) {
                const DrawPlace p = draw_place(view->camera, c->point);
                draw_state_mark(view->svg, c->state, p, size);
                draw_keep_free(view, p, 5.0);
            }
            if (pass == 3 && draw_shows(view, DRAW_NUMBERS)) {
                char text[16];
                const DrawPlace p = draw_place(view->camera, c->point);
                snprintf(text, sizeof text, "%d", k + 1);
                draw_text_within(view, (DrawPlace){p.x - 10.0, p.y - 6.0}, "middle", 11.0,
                                 draw_state_color(c->state), text);
                draw_keep_free(view, (DrawPlace){p.x - 10.0, p.y - 10.0}, 7.0);
            }
        }
    }
}

// The length that a force has in the picture; most of a force along the line of sight is not seen.
static double seen_length(const DrawCamera* camera, utVec3 force)
{
    const double seen = hypot(ut_vec3_dot(force, camera->right), ut_vec3_dot(force, camera->up));
    return fmax(seen, 0.3 * ut_vec3_norm(force));
}

void draw_largest(const DrawTrace* trace, const DrawCamera* camera, unsigned parts, double* force,
                  double* impulse)
{
    const utModel* model = trace->model;
    *force = *impulse = 0.0;
    for (int k = 0; k < trace->moments; k++) {
        const DrawMoment* m = &trace->moment[k];
        for (int i = 0; i < m->contacts && (parts & 1u << DRAW_FORCES) != 0; i++) {
            double* largest = m->contact[i].impact ? impulse : force;
            *largest = fmax(*largest, seen_length(camera, m->contact[i].force));
        }
        for (int i = 0; i < m->reactions && (parts & 1u << DRAW_REACTIONS) != 0; i++) {
            *force = fmax(*force, seen_length(camera, m->reaction[i].force));
        }
    }
    for (int b = 1; b < model->nbody && (parts & 1u << DRAW_WEIGHTS) != 0; b++) {
        const double g = ut_vec3_norm(model->options.gravity);
        *force = draw_is_moving(model, b) ? fmax(*force, g * model->body[b].mass) : *force;
    }
}
