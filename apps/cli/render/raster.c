// SPDX-License-Identifier: Apache-2.0
// The nearest surface of each sample: triangles row by row, with depths compared (a z-buffer).
#include "render/render.h"

#include <math.h>

// A quantity that is linear in the picture: value + dx x + dy y.
typedef struct Plane {
    double value, dx, dy;
} Plane;

// The plane through three values at the corners. @param area twice that of the triangle, with its sign
static Plane plane_of(const RenderTriangle* t, double area, double a, double b, double c)
{
    const double x1 = t->x[1] - t->x[0], y1 = t->y[1] - t->y[0];
    const double x2 = t->x[2] - t->x[0], y2 = t->y[2] - t->y[0];
    const double dx = ((b - a) * y2 - (c - a) * y1) / area;
    const double dy = ((c - a) * x1 - (b - a) * x2) / area;
    return (Plane){a - dx * t->x[0] - dy * t->y[0], dx, dy};
}

static double at(const Plane* p, double x, double y)
{
    return p->value + p->dx * x + p->dy * y;
}

// The samples of a row between the edges: those whose middle x + 0.5 is inside. @return false: none
static bool row_range(const RenderTriangle* t, double sign, double y, int width, int* from, int* to)
{
    double low = 0.5, high = width - 0.5;
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        // inside the edge: slope x + rest >= 0
        const double slope = -sign * (t->y[next] - t->y[k]);
        const double rest = sign * ((t->x[next] - t->x[k]) * (y - t->y[k])) - slope * t->x[k];
        if (slope > 0.0) {
            low = fmax(low, -rest / slope);
        } else if (slope < 0.0) {
            high = fmin(high, -rest / slope);
        } else if (!(rest >= 0.0)) {
            return false;
        }
    }
    if (!(high >= low)) {
        return false;
    }
    *from = (int)ceil(low - 0.5);
    *to = (int)floor(high - 0.5);
    return *from <= *to;
}

static void fill_row(const RenderTriangle* t, const Plane* w, const Plane normal[3], double y,
                     int from, int to, size_t row, RenderBand* band)
{
    for (int k = from; k <= to; k++) {
        const size_t sample = row + (size_t)k;
        const double x = k + 0.5;
        const float depth = (float)at(w, x, y);
        if (!(depth > band->w[sample])) {
            continue;
        }
        band->w[sample] = depth;
        if (band->paint != NULL) {
            band->paint[sample] = t->paint;
            band->object[sample] = t->object;
            for (int axis = 0; axis < 3; axis++) {
                band->normal[sample][axis] = (float)at(&normal[axis], x, y);
            }
        }
    }
}

static void fill(const RenderTriangle* t, RenderBand* band)
{
    const double low = fmin(t->y[0], fmin(t->y[1], t->y[2]));
    const double high = fmax(t->y[0], fmax(t->y[1], t->y[2]));
    const double area =
        (t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) - (t->y[1] - t->y[0]) * (t->x[2] - t->x[0]);
    if (!(high > band->top) || !(low < band->top + band->height) || !(fabs(area) > 1e-9)) {
        return;
    }
    const int first = (int)fmax(ceil(low - 0.5), band->top);
    const int last = (int)fmin(floor(high - 0.5), band->top + band->height - 1);
    const Plane w = plane_of(t, area, t->w[0], t->w[1], t->w[2]);
    Plane normal[3] = {{0}};
    for (int axis = 0; axis < 3 && band->paint != NULL; axis++) {
        normal[axis] = plane_of(t, area, (double)t->normal[0][axis], (double)t->normal[1][axis],
                                (double)t->normal[2][axis]);
    }
    for (int k = first; k <= last; k++) {
        int from, to;
        if (row_range(t, area > 0.0 ? 1.0 : -1.0, k + 0.5, band->width, &from, &to)) {
            fill_row(t, &w, normal, k + 0.5, from, to,
                     (size_t)(k - band->top) * (size_t)band->width, band);
        }
    }
}

void render_raster(const RenderTriangles* triangles, RenderBand* band)
{
    for (int k = 0; k < triangles->count; k++) {
        fill(&triangles->triangle[k], band);
    }
}

// ---- shadows ------------------------------------------------------------------------------------

void render_shadows(RenderScene* s)
{
    RenderLight* light = &s->light;
    const size_t places = (size_t)light->size * (size_t)light->size;
    RenderBand band = {.width = light->size, .height = light->size, .w = light->depth};
    for (size_t k = 0; k < places; k++) {
        light->depth[k] = -HUGE_VALF;
    }
    render_raster(&light->triangles, &band);
}

double render_lit(const RenderLight* light, utVec3 point, utVec3 normal)
{
    if (light->size == 0) {
        return 1.0;
    }
    // a little off the surface, so that it does not shade itself
    const double place = 1.0 / light->scale;
    const utVec3 d = ut_vec3_sub(ut_vec3_add_scaled(point, 2.0 * place, normal), light->at);
    const double x = 0.5 * light->size + light->scale * ut_vec3_dot(d, light->right);
    const double y = 0.5 * light->size - light->scale * ut_vec3_dot(d, light->up);
    if (!(x >= 0.0 && x < light->size && y >= 0.0 && y < light->size)) {
        return 1.0;
    }
    const double z = ut_vec3_dot(d, light->toward) + 1.5 * place;
    return z >= (double)light->depth[(size_t)y * (size_t)light->size + (size_t)x] ? 1.0 : 0.0;
}
