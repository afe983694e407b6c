// SPDX-License-Identifier: Apache-2.0
// Names of bodies, placed where they cover as little as possible.
#include "draw/draw.h"

#include <math.h>

static const double FONT = 13.0;

double draw_shared_area(const DrawBusy* a, const DrawBusy* b)
{
    const double w = fmin(a->x1, b->x1) - fmax(a->x0, b->x0);
    const double h = fmin(a->y1, b->y1) - fmax(a->y0, b->y0);
    return w > 0.0 && h > 0.0 ? w * h : 0.0;
}

// px from the centre of mass to the outline of a body's geoms, to the left, right, up, down.
static void reach_of(const DrawView* view, int body, DrawPlace middle, double reach[4])
{
    const utModelBody* b = &view->trace->model->body[body];
    for (int k = 0; k < 4; k++) {
        reach[k] = 8.0;
    }
    for (int g = b->geom; g < b->geom + b->geoms; g++) {
        const utShape* shape = &view->trace->model->geom[g].shape;
        const utFrame at = ut_geom_frame(view->kin, g);
        const DrawCamera* c = view->camera;
        const utVec3 direction[4] = {ut_vec3_negate(c->right), c->right, c->up,
                                     ut_vec3_negate(c->up)};
        for (int k = 0; k < 4 && ut_shape_is_convex(shape->kind); k++) {
            const utVec3 far = ut_shape_support(shape, ut_mat3_tmul_vec(at.R, direction[k]));
            const DrawPlace p = draw_place(c, ut_frame_point(at, far));
            const double out[4] = {middle.x - p.x, p.x - middle.x, middle.y - p.y, p.y - middle.y};
            reach[k] = fmax(reach[k], out[k]);
        }
    }
}

static DrawBusy box_at(double x, double y, double w)
{
    return (DrawBusy){x - 0.5 * w, y - 0.5 * FONT - 1.0, x + 0.5 * w, y + 0.5 * FONT + 1.0};
}

// @param body of the label: other bodies should not be covered
static double cost(const DrawView* view, int body, const DrawBusy* box)
{
    const utModel* model = view->trace->model;
    double sum = 0.0;
    const DrawBusy inside = {view->left + 4.0, view->top + 4.0, view->left + view->width - 4.0,
                             view->top + view->height - 4.0};
    const double area = (box->x1 - box->x0) * (box->y1 - box->y0);
    sum += 1000.0 * (area - draw_shared_area(box, &inside));
    for (int k = 0; k < view->busies; k++) {
        sum += draw_shared_area(box, &view->busy[k]);
    }
    for (int b = 1; b < model->nbody; b++) {
        if (b != body && model->body[b].geoms > 0) {
            double reach[4];
            const DrawPlace p = draw_place(view->camera, view->kin->com[b]);
            reach_of(view, b, p, reach);
            const DrawBusy other = {p.x - reach[0], p.y - reach[2], p.x + reach[1], p.y + reach[3]};
            sum += 0.12 * draw_shared_area(box, &other);
        }
    }
    return sum;
}

// A name and the thing that it belongs to.
typedef struct Label {
    const char* text;
    int body; // of the thing, which the label may cover
    DrawPlace middle;
    double reach[4]; // px to the left, right, up, down
    double size;     // of the font
    bool inside;     // it may be within the thing
} Label;

// Candidate k: in the middle, within the thing, around it, farther around it. @param extra its cost
static DrawPlace candidate(const Label* l, int k, double width, double* extra)
{
    static const double in_x[] = {0.3, -0.3, 0.3, -0.3, 0.6, -0.6, 0.0, 0.0};
    static const double in_y[] = {-0.4, -0.4, 0.4, 0.4, 0.0, 0.0, -0.5, 0.5};
    static const double out_x[] = {1, -1, 0, 0, 0.8, -0.8, 0.8, -0.8};
    static const double out_y[] = {0, 0, -1, 1, -0.8, -0.8, 0.8, 0.8};
    const double wide = l->reach[0] + l->reach[1];
    const double tall = l->reach[2] + l->reach[3];
    const bool fits = l->inside && wide > width + 16.0 && tall > l->size + 12.0;
    if (k == 0) {
        *extra = fits ? 0.0 : 400.0;
        return l->middle;
    }
    if (k <= 8) {
        *extra = fits ? 4.0 + k : 400.0;
        return (DrawPlace){l->middle.x + 0.5 * in_x[k - 1] * wide,
                           l->middle.y + 0.5 * in_y[k - 1] * tall};
    }
    const int i = (k - 9) % 8;
    const double ring = k >= 17 ? 1.5 : 1.0;
    const double rx = l->reach[out_x[i] > 0.0 ? 1 : 0] + 0.5 * width + 7.0;
    const double ry = l->reach[out_y[i] > 0.0 ? 3 : 2] + 0.5 * l->size + 7.0;
    *extra = 2.0 * k + (k >= 17 ? 30.0 : 0.0);
    return (DrawPlace){l->middle.x + out_x[i] * rx * ring, l->middle.y + out_y[i] * ry * ring};
}

static void place_label(DrawView* view, const Label* l)
{
    const double w = svg_text_width(l->text, l->size);
    DrawPlace best = l->middle;
    double least = HUGE_VAL;
    for (int k = 0; k < 25; k++) {
        double extra;
        const DrawPlace p = candidate(l, k, w, &extra);
        const DrawBusy box = box_at(p.x, p.y, w);
        const double sum = cost(view, l->body, &box) + extra;
        if (sum < least) {
            least = sum;
            best = p;
        }
    }
    // the text stays in the view
    best.x =
        fmin(fmax(best.x, view->left + 0.5 * w + 3.0), view->left + view->width - 0.5 * w - 3.0);
    best.y = fmin(fmax(best.y, view->top + FONT), view->top + view->height - 0.5 * FONT);
    draw_text(view->svg, (DrawPlace){best.x, best.y + 0.36 * l->size}, "middle", l->size, "#1f272c",
              l->text);
    if (view->busies < DRAW_MAX_BUSY) {
        view->busy[view->busies++] = box_at(best.x, best.y, w);
    }
}

static void label_body(DrawView* view, int body)
{
    CliName room;
    const utModelBody* b = &view->trace->model->body[body];
    const utVec3 at = b->mass > 0.0 ? view->kin->com[body] : view->kin->body[body].p;
    Label l = {.text = cli_name(b->name, "body", body, &room),
               .body = body,
               .middle = draw_place(view->camera, at),
               .size = FONT,
               .inside = true};
    reach_of(view, body, l.middle, l.reach);
    place_label(view, &l);
}

static void label_point(DrawView* view, const char* name, int body, utVec3 at)
{
    if (name[0] != '\0') {
        const Label l = {.text = name,
                         .body = body,
                         .middle = draw_place(view->camera, at),
                         .reach = {4.0, 4.0, 4.0, 4.0},
                         .size = FONT - 1.0};
        place_label(view, &l);
    }
}

static void label_joints(DrawView* view)
{
    const utModel* model = view->trace->model;
    for (int j = 0; j < model->njoint; j++) {
        const utJointKind kind = model->joint[j].kind;
        if (kind == UT_JOINT_HINGE || kind == UT_JOINT_BALL || kind == UT_JOINT_SLIDE) {
            label_point(view, model->joint[j].name, model->joint[j].body, view->kin->anchor[j]);
        }
    }
    for (int e = 0; e < model->nequality; e++) {
        const utModelEquality* q = &model->equality[e];
        if (q->active && !ut_equality_is_coupling(q->kind)) {
            label_point(view, q->name, q->body2,
                        ut_frame_point(view->kin->body[q->body2], q->in2.p));
        }
    }
}

void draw_labels(DrawView* view)
{
    const utModel* model = view->trace->model;
    for (int b = 1; b < model->nbody && draw_shows(view, DRAW_LABELS); b++) {
        if (draw_is_moving(model, b)) {
            label_body(view, b);
        }
    }
    if (draw_shows(view, DRAW_JOINT_NAMES)) {
        label_joints(view);
    }
}
