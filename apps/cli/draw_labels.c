// SPDX-License-Identifier: Apache-2.0
// Names of bodies, placed where they cover as little as possible.
#include "draw.h"

#include <math.h>

static const double FONT = 13.0;

static double covered(const DrawBusy* a, const DrawBusy* b)
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

static double cost(const DrawView* view, const DrawBusy* box)
{
    double sum = 0.0;
    const DrawBusy inside = {view->left + 4.0, view->top + 4.0, view->left + view->width - 4.0,
                             view->top + view->height - 4.0};
    const double area = (box->x1 - box->x0) * (box->y1 - box->y0);
    sum += 1000.0 * (area - covered(box, &inside));
    for (int k = 0; k < view->busies; k++) {
        sum += covered(box, &view->busy[k]);
    }
    return sum;
}

static void label_body(DrawView* view, int body)
{
    CliName room;
    const char* name = cli_name(view->trace->model->body[body].name, "body", body, &room);
    const double w = svg_text_width(name, FONT);
    const utModelBody* b = &view->trace->model->body[body];
    const utVec3 at = b->mass > 0.0 ? view->kin->com[body] : view->kin->body[body].p;
    const DrawPlace middle = draw_place(view->camera, at);
    double reach[4];
    reach_of(view, body, middle, reach);
    const double side = 0.5 * w + 7.0;
    const double above = 0.5 * FONT + 7.0;
    const bool fits = reach[0] + reach[1] > w + 16.0 && reach[2] + reach[3] > FONT + 12.0;
    DrawPlace best = middle;
    double least = HUGE_VAL;
    // in the body if it fits, else around it, near first
    for (int k = 0; k < 26; k++) {
        DrawPlace p;
        double extra = 3.0 * k;
        if (k == 0) {
            p = middle;
            extra = fits ? 0.0 : 400.0;
        } else if (k <= 8) {
            const double dx[] = {0.3, -0.3, 0.3, -0.3, 0.6, -0.6, 0.0, 0.0};
            const double dy[] = {-0.4, -0.4, 0.4, 0.4, 0.0, 0.0, -0.5, 0.5};
            p = (DrawPlace){middle.x + dx[k - 1] * (reach[0] + reach[1]) * 0.5,
                            middle.y + dy[k - 1] * (reach[2] + reach[3]) * 0.5};
            extra = fits ? 4.0 + k : 400.0;
        } else {
            const int i = k - 9;
            const double spread =
                1.0 + 0.7 * (i / 8); // NOLINT(bugprone-integer-division): whole rings
            const double dx[] = {1, -1, 0, 0, 0.8, -0.8, 0.8, -0.8};
            const double dy[] = {0, 0, -1, 1, -0.8, -0.8, 0.8, 0.8};
            const double rx = dx[i % 8] > 0 ? reach[1] : reach[0];
            const double ry = dy[i % 8] > 0 ? reach[3] : reach[2];
            p = (DrawPlace){middle.x + dx[i % 8] * (rx + side) * spread,
                            middle.y + dy[i % 8] * (ry + above) * spread};
        }
        const DrawBusy box = box_at(p.x, p.y, w);
        const double sum = cost(view, &box) + extra;
        if (sum < least) {
            least = sum;
            best = p;
        }
    }
    // the text stays in the view
    best.x =
        fmin(fmax(best.x, view->left + 0.5 * w + 3.0), view->left + view->width - 0.5 * w - 3.0);
    best.y = fmin(fmax(best.y, view->top + FONT), view->top + view->height - 0.5 * FONT);
    draw_text(view->svg, (DrawPlace){best.x, best.y + 0.36 * FONT}, "middle", FONT, "#1f272c",
              name);
    if (view->busies < DRAW_MAX_BUSY) {
        view->busy[view->busies++] = box_at(best.x, best.y, w);
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
}
