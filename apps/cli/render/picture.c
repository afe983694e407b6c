// SPDX-License-Identifier: Apache-2.0
// From nearest surfaces to pixels: light and shadows, floors with their grids, lines around objects, contacts
// in front. Light is added up in squares of sRGB values, and a pixel is the mean of its samples.
#include "render/render.h"

#include <math.h>
#include <stdlib.h>

enum { BAND = 32 }; // rows of pixels at once

static const double AMBIENT = 0.50, SKY = 0.10, LAMP = 0.60; // shares of light
static const double SHADE = 0.30;                            // what a shadow takes from the floor
static const double LINE = 0.45;    // darkness of lines around objects in space
static const double WINDOW = 0.2;   // of a solid that does not move, before one that does
static const double HIDDEN = 0.4;   // of an arrow behind a surface
static const double EDGE_ON = 0.03; // planes with a smaller cosine to the view are lines
static const double PAPER[3] = {1.0, 1.0, 1.0};

typedef struct Color {
    double c[3];
} Color;

// A floor or a wall.
typedef struct Floor {
    utVec3 at, n, t1, t2; // a point, the normal, the axes of the grid
} Floor;

// A picture that is being made.
typedef struct Maker {
    RenderScene* s;
    RenderBand band[RENDER_LAYERS];
    int edge;    // rows of samples above and below a band, for lines
    double grid; // m between lines of a floor's grid
    double px;   // m of a pixel at the middle
    utVec3 eye;  // with perspective
    utVec3 up;   // against gravity
    int floors;
    Floor* floor;
    bool parallel;
} Maker;

static Color mix(Color a, const double* b, double share)
{
    for (int k = 0; k < 3; k++) {
        a.c[k] += share * (b[k] - a.c[k]);
    }
    return a;
}

// ---- rays ---------------------------------------------------------------------------------------

// The place of a sample in the plane through the middle of the picture, m to the right and up.
typedef struct Ray {
    double x, y;
    utVec3 from, along; // a point at depth w: see point_at
} Ray;

static Ray ray_of(const Maker* m, int column, int row)
{
    const DrawCamera* c = &m->s->camera;
    const double n = m->s->samples;
    const double x = ((column + 0.5) / n - c->x) / c->scale;
    const double y = (c->y - (row + 0.5) / n) / c->scale;
    const utVec3 middle = ut_vec3_add_scaled(ut_vec3_add_scaled(c->at, x, c->right), y, c->up);
    return m->parallel ? (Ray){x, y, middle, c->toward}
                       : (Ray){x, y, m->eye, ut_vec3_sub(middle, m->eye)};
}

static utVec3 point_at(const Maker* m, const Ray* ray, double w)
{
    return m->parallel
               ? ut_vec3_add_scaled(ray->from, w, ray->along)
               : ut_vec3_add_scaled(ray->from, 1.0 / (w * m->s->camera.distance), ray->along);
}

// ---- surfaces -----------------------------------------------------------------------------------

static Color light_surface(const Maker* m, const RenderPaint* paint, utVec3 point, utVec3 normal,
                           utVec3 to_eye)
{
    const RenderLight* light = &m->s->light;
    Color color = {{paint->color[0], paint->color[1], paint->color[2]}};
    utVec3 n;
    if (paint->plain || !ut_vec3_normalize(normal, &n)) {
        return color;
    }
    if (ut_vec3_dot(n, to_eye) < 0.0) {
        n = ut_vec3_negate(n); // the inner side of an open surface
    }
    const double facing = ut_vec3_dot(n, light->toward);
    const double up = ut_vec3_dot(n, m->up);
    double share = AMBIENT + SKY * up;
    if (facing > 0.0) {
        share += LAMP * facing * render_lit(light, point, n);
    }
    for (int k = 0; k < 3; k++) {
        color.c[k] = fmin(share * color.c[k], 1.0);
    }
    return color;
}

static Color shade_sample(const Maker* m, const RenderBand* band, size_t at, const Ray* ray)
{
    const float* n = band->normal[at];
    const utVec3 normal = ut_vec3((double)n[0], (double)n[1], (double)n[2]);
    const utVec3 point = point_at(m, ray, (double)band->w[at]);
    const utVec3 to_eye = m->parallel ? ray->along : ut_vec3_negate(ray->along);
    return light_surface(m, &m->s->paint[band->paint[at]], point, normal, to_eye);
}

// ---- floors -------------------------------------------------------------------------------------

static double smooth_step(double x)
{
    const double t = x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
    return t * t * (3.0 - 2.0 * t);
}

// How much of a line of the grid covers a place: 0 or 1. @param width m
static bool on_line(double x, double step, double width)
{
    return fabs(x - step * floor(x / step + 0.5)) < 0.5 * width;
}

static Color floor_color(const Maker* m, const Floor* f, utVec3 point, double px)
{
    const RenderScene* s = m->s;
    Color color = {{0.0, 0.0, 0.0}};
    color = mix(color, s->paint[render_paint(s, RENDER_PAINT_FLOOR)].color, 1.0);
    const bool line = on_line(ut_vec3_dot(point, f->t1), m->grid, 1.3 * px) ||
                      on_line(ut_vec3_dot(point, f->t2), m->grid, 1.3 * px);
    const double fine = smooth_step(m->grid / px / 6.0 - 0.5);
    if (line && (s->parts & 1u << DRAW_GRID) != 0) {
        static const double dark[3] = {0.62, 0.66, 0.68};
        color = mix(color, dark, fine);
    }
    const double shade = 1.0 - SHADE * (1.0 - render_lit(&s->light, point, f->n));
    for (int k = 0; k < 3; k++) {
        color.c[k] *= shade;
    }
    // it fades away from the bodies
    const double far = ut_vec3_norm(ut_vec3_sub(point, s->camera.at));
    const double reach = 0.5 * s->width * m->px;
    return mix(color, PAPER, smooth_step((far / reach - 0.9) / 1.8));
}

// A plane that is seen along its surface: a line, with hatching below it.
static void hatch_plane(const Maker* m, const Floor* f, const Ray* ray, Color* color)
{
    const double unit = m->px * m->s->width / 800.0;
    const double above = ut_vec3_dot(ut_vec3_sub(ray->from, f->at), f->n) / unit;
    const double across = (ray->x + ray->y) / (6.0 * 1.41421356237309505 * unit);
    const bool hatch = above > -9.0 && across - floor(across) < 0.2;
    const double* line = m->s->paint[render_paint(m->s, RENDER_PAINT_LINE)].color;
    if (above < 0.6 && (above > -0.6 || hatch)) {
        *color = mix(*color, line, above > -0.6 ? 0.9 : 0.5);
    }
}

// The nearest floor. @param w depth of the nearest surface so far; receives that of a nearer floor
static void add_floors(const Maker* m, const Ray* ray, double* w, Color* color, int* object)
{
    const double distance = m->s->camera.distance;
    for (int k = 0; k < m->floors; k++) {
        const Floor* f = &m->floor[k];
        const double toward = ut_vec3_dot(f->n, ray->along);
        if (m->parallel && fabs(toward) < EDGE_ON) {
            if (*object < 0) {
                hatch_plane(m, f, ray, color);
            }
            continue;
        }
        const double height = ut_vec3_dot(ut_vec3_sub(ray->from, f->at), f->n);
        const bool from_above = m->parallel ? toward > 0.0 : height > 0.0 && toward < 0.0;
        const double depth = m->parallel ? -height / toward : toward / (-height * distance);
        if (from_above && depth > *w) {
            const utVec3 point = point_at(m, ray, depth);
            const double px = m->parallel ? m->px : m->px / (depth * distance);
            *color = floor_color(m, f, point, px);
            *w = depth;
            *object = -1;
        }
    }
}

// ---- samples ------------------------------------------------------------------------------------

// Does an object end near a sample?
static bool is_outline(const Maker* m, const RenderBand* band, int column, int row)
{
    const int reach = m->edge;
    const int width = band->width;
    const size_t at = (size_t)row * (size_t)width + (size_t)column;
    const int own = band->object[at];
    const int left = column >= reach ? reach : 0, right = column + reach < width ? reach : 0;
    const size_t down = (size_t)reach * (size_t)width;
    return band->object[at - (size_t)left] != own || band->object[at + (size_t)right] != own ||
           band->object[at - down] != own || band->object[at + down] != own;
}

// A mark before or behind what the picture shows. @param w of what it shows
static Color add_mark(const Maker* m, const RenderBand* band, size_t at, const Ray* ray, double w,
                      Color color)
{
    if (band->w == NULL || !(band->w[at] > -HUGE_VALF)) {
        return color;
    }
    const bool hidden = !((double)band->w[at] >= w) && !m->s->camera.flat;
    const double alpha = m->s->paint[band->paint[at]].alpha;
    const Color mark = shade_sample(m, band, at, ray);
    return mix(color, mark.c, hidden ? HIDDEN * alpha : alpha);
}

static Color add_line(const Maker* m, Color color)
{
    return mix(color, m->s->paint[render_paint(m->s, RENDER_PAINT_LINE)].color,
               m->s->camera.flat ? 1.0 : LINE);
}

// A solid that does not move. @param w of what the picture shows; receives that of the solid
static Color add_window(const Maker* m, int column, int row, const Ray* ray, double* w, int object,
                        Color color)
{
    const RenderBand* band = &m->band[RENDER_WINDOWS];
    const size_t at = (size_t)row * (size_t)band->width + (size_t)column;
    if (band->w == NULL || !((double)band->w[at] > *w)) {
        return color;
    }
    Color window = shade_sample(m, band, at, ray);
    if (is_outline(m, band, column, row)) {
        window = add_line(m, window);
    }
    if (object < 0) {
        *w = (double)band->w[at];
        return window;
    }
    return mix(color, window.c, WINDOW);
}

// @param row of the band, with its edge
static Color sample_color(const Maker* m, int column, int row)
{
    const RenderBand* bodies = &m->band[RENDER_BODIES];
    const size_t at = (size_t)row * (size_t)bodies->width + (size_t)column;
    const Ray ray = ray_of(m, column, bodies->top + row);
    double w = (double)bodies->w[at];
    int object = bodies->object[at];
    Color color = {{PAPER[0], PAPER[1], PAPER[2]}};
    if (object >= 0) {
        color = shade_sample(m, bodies, at, &ray);
    }
    add_floors(m, &ray, &w, &color, &object);
    if (is_outline(m, bodies, column, row)) {
        color = add_line(m, color);
    }
    color = add_window(m, column, row, &ray, &w, object, color);
    for (int layer = RENDER_CONES; layer < RENDER_LAYERS; layer++) {
        color = add_mark(m, &m->band[layer], at, &ray, w, color);
    }
    return color;
}

// ---- bands --------------------------------------------------------------------------------------

static void free_maker(Maker* m)
{
    free(m->floor);
    for (int k = 0; k < RENDER_LAYERS; k++) {
        free(m->band[k].w);
        free(m->band[k].normal);
        free(m->band[k].paint);
        free(m->band[k].object);
    }
}

static bool find_floors(Maker* m)
{
    const utModel* model = m->s->trace->model;
    m->floor = malloc((size_t)(model->ngeom + 1) * sizeof *m->floor);
    for (int g = 0; m->floor != NULL && g < model->ngeom; g++) {
        if (model->geom[g].shape.kind == UT_SHAPE_PLANE) {
            const utFrame at = ut_geom_frame(&m->s->kin, g);
            Floor* f = &m->floor[m->floors++];
            *f = (Floor){.at = at.p, .n = ut_mat3_column(at.R, 2)};
            ut_tangent_basis(f->n, &f->t1, &f->t2);
        }
    }
    return m->floor != NULL;
}

// Layers without triangles have no band.
static bool make_bands(Maker* m)
{
    const RenderScene* s = m->s;
    const int width = s->width * s->samples;
    const int height = BAND * s->samples + 2 * m->edge;
    const size_t samples = (size_t)width * (size_t)height;
    bool whole = true;
    for (int k = 0; k < RENDER_LAYERS; k++) {
        RenderBand* band = &m->band[k];
        band->width = width;
        band->height = height;
        if (k != RENDER_BODIES && s->layer[k].count == 0) {
            continue;
        }
        band->w = malloc(samples * sizeof *band->w);
        band->normal = malloc(samples * sizeof *band->normal);
        band->paint = malloc(samples * sizeof *band->paint);
        band->object = malloc(samples * sizeof *band->object);
        whole = whole && band->w != NULL && band->normal != NULL && band->paint != NULL &&
                band->object != NULL;
    }
    return whole;
}

static void fill_bands(Maker* m, int top)
{
    for (int k = 0; k < RENDER_LAYERS; k++) {
        RenderBand* band = &m->band[k];
        const size_t samples = (size_t)band->width * (size_t)band->height;
        band->top = top * m->s->samples - m->edge;
        for (size_t i = 0; band->w != NULL && i < samples; i++) {
            band->w[i] = -HUGE_VALF;
            band->object[i] = -1;
        }
        if (band->w != NULL) {
            render_raster(&m->s->layer[k], band);
        }
    }
}

// One row of pixels. @param row of the band
static void write_row(const Maker* m, int row, unsigned char* rgb)
{
    const int n = m->s->samples;
    for (int x = 0; x < m->s->width; x++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                const Color c = sample_color(m, n * x + i, m->edge + n * row + j);
                for (int k = 0; k < 3; k++) {
                    sum[k] += c.c[k];
                }
            }
        }
        for (int k = 0; k < 3; k++) {
            const double c = 255.0 * sqrt(sum[k] / (n * n)) + 0.5;
            rgb[3 * x + k] = (unsigned char)(c < 255.0 ? c : 255.0);
        }
    }
}

utStatus render_moment(RenderScene* s, const RenderImage* image, int left, int top, utError* err)
{
    const DrawCamera* c = &s->camera;
    Maker m = {
        .s = s,
        .edge = s->samples > 2 ? s->samples / 2 : 1,
        .px = 1.0 / c->scale,
        .parallel = !(c->distance > 0.0),
        .eye = ut_vec3_add_scaled(c->at, c->distance, c->toward),
        .up = draw_up(s->trace->model),
        .grid = draw_round_number(0.1 * s->width / c->scale),
    };
    const bool whole = !s->failed && find_floors(&m) && make_bands(&m);
    for (int row = 0; whole && row < s->height; row += BAND) {
        fill_bands(&m, row);
        for (int k = 0; k < BAND && row + k < s->height; k++) {
            const size_t pixel = (size_t)(top + row + k) * (size_t)image->width + (size_t)left;
            write_row(&m, k, image->rgb + 3 * pixel);
        }
    }
    free_maker(&m);
    return whole ? UT_OK : cli_no_memory("picture", err);
}
