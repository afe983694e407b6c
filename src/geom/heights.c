// SPDX-License-Identifier: Apache-2.0
// Height fields: cells, the two triangles of each cell, and access to the triangles of any surface.
//
// Cell (i, j) lies between columns i, i + 1 and rows j, j + 1 and has the number j (columns - 1) +
// i. Its triangle 2 cell is the lower right one, 2 cell + 1 the upper left one.
//
//     (i, j+1) ---1--- (i+1, j+1)        corners of the lower right triangle, counter-clockwise:
//        |           /    |                  (i, j), (i+1, j), (i+1, j+1)
//        2   up   0/2     1              corners of the upper left triangle:
//        |     /   down   |                  (i, j), (i+1, j+1), (i, j+1)
//      (i, j) ----0---- (i+1, j)         The numbers on the lines are those of their edges.
#include "mesh_tree.h"
#include "tolerances.h"

utStatus ut_heights_build(int columns, int rows, const double* height, utHeights* heights,
                          utError* err)
{
    if (columns < 2 || rows < 2) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "heights: %d columns and %d rows; each must be 2 or more", columns,
                            rows);
    }
    // the number of triangles must fit an int
    if (rows - 1 > INT32_MAX / 8 / columns) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "heights: %d x %d points are too many", columns,
                            rows);
    }
    utHeights h = {columns, rows, height, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < rows * columns; i++) {
        if (!(fabs(height[i]) <= UT_SURFACE_LARGEST)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "heights: row %d, column %d is %g m; it must be finite",
                                i / columns, i % columns, height[i]);
        }
        h.low = height[i] < h.low ? height[i] : h.low;
        h.high = height[i] > h.high ? height[i] : h.high;
    }
    *heights = h;
    return UT_OK;
}

Surface ut_surface_of_heights(const utHeights* heights, utVec3 size)
{
    Surface surface = {.heights = heights, .size = size};
    surface.dx = 2.0 * size.x / (heights->columns - 1);
    surface.dy = 2.0 * size.y / (heights->rows - 1);
    surface.extent = fmax(2.0 * fmax(size.x, size.y), heights->high - heights->low);
    return surface;
}

static utVec3 grid_point(const Surface* s, int i, int j)
{
    const int columns = s->heights->columns, rows = s->heights->rows;
    // the last points are exactly on the border
    return ut_vec3(i == columns - 1 ? s->size.x : -s->size.x + i * s->dx,
                   j == rows - 1 ? s->size.y : -s->size.y + j * s->dy,
                   s->heights->height[(size_t)j * (size_t)columns + (size_t)i]);
}

// For slopes p and q along x and y the normal is (-p, -q, 1) / |(-p, -q, 1)|.
static utVec3 cell_normal(const Surface* s, int i, int j, bool up)
{
    const size_t columns = (size_t)s->heights->columns;
    const double* z = s->heights->height + (size_t)j * columns + (size_t)i;
    const double along_x = up ? z[columns + 1] - z[columns] : z[1] - z[0];
    const double along_y = up ? z[columns] - z[0] : z[columns + 1] - z[1];
    utVec3 n;
    ut_vec3_normalize(ut_vec3(-along_x / s->dx, -along_y / s->dy, 1.0), &n);
    return n;
}

static void cell_triangle(const Surface* s, int id, Triangle* t)
{
    const int columns = s->heights->columns, cell = id / 2;
    const int i = cell % (columns - 1), j = cell / (columns - 1);
    const bool up = id % 2 != 0;
    const int di[3] = {0, 1, up ? 0 : 1}, dj[3] = {0, up ? 1 : 0, 1};
    t->id = id;
    for (int k = 0; k < 3; k++) {
        t->v[k] = grid_point(s, i + di[k], j + dj[k]);
        t->corner[k] = (j + dj[k]) * columns + i + di[k];
    }
    t->normal = cell_normal(s, i, j, up);
}

void ut_surface_triangle(const Surface* surface, int id, Triangle* triangle)
{
    if (surface->mesh == NULL) {
        cell_triangle(surface, id, triangle);
        return;
    }
    const utMesh* mesh = surface->mesh;
    triangle->id = id;
    triangle->normal = mesh->normal[id];
    for (int k = 0; k < 3; k++) {
        triangle->corner[k] = mesh->triangle[3 * id + k];
        triangle->v[k] = mesh->vertex[triangle->corner[k]];
    }
}

static int cell_adjacent(const Surface* s, int id, int k)
{
    const int across = s->heights->columns - 1, up = s->heights->rows - 1;
    const int cell = id / 2, i = cell % across, j = cell / across;
    if (id % 2 == 0) {
        return k == 0   ? (j > 0 ? 2 * (cell - across) + 1 : -1)
               : k == 1 ? (i + 1 < across ? 2 * (cell + 1) + 1 : -1)
                        : id + 1;
    }
    return k == 0   ? id - 1
           : k == 1 ? (j + 1 < up ? 2 * (cell + across) : -1)
                    : (i > 0 ? 2 * (cell - 1) : -1);
}

int ut_surface_adjacent(const Surface* surface, int id, int k)
{
    return surface->mesh != NULL ? surface->mesh->adjacent[3 * id + k]
                                 : cell_adjacent(surface, id, k);
}

bool ut_surface_edge_is_convex(const Surface* surface, const Triangle* triangle, int k)
{
    if (surface->mesh != NULL) {
        return surface->mesh->convex[3 * triangle->id + k] != 0;
    }
    const int other = cell_adjacent(surface, triangle->id, k);
    if (other < 0) {
        return true;
    }
    Triangle behind;
    cell_triangle(surface, other, &behind);
    return ut_edge_is_convex(triangle, k, &behind, surface->extent);
}

// ---- cells --------------------------------------------------------------------------------------

// Index of the first of n intervals, each d wide and starting at -size, that ends beyond x; 0 for
// NaN.
static int interval(double x, double size, double d, int n)
{
    const double at = (x + size) / d;
    return !(at > 0.0) ? 0 : at >= n ? n : (int)at;
}

Cells ut_heights_cells(const Surface* s, const utBounds* box)
{
    const int across = s->heights->columns - 1, up = s->heights->rows - 1;
    Cells cells = {0, 0, 0, 0};
    if (!(box->low.x <= s->size.x && box->high.x >= -s->size.x && box->low.y <= s->size.y &&
          box->high.y >= -s->size.y && box->low.z <= s->heights->high)) {
        return cells;
    }
    // one more cell on each side where rounding may have chosen the wrong one
    cells.x0 = interval(box->low.x - UT_CELL_ROUNDING * s->dx, s->size.x, s->dx, across);
    cells.x1 = interval(box->high.x + UT_CELL_ROUNDING * s->dx, s->size.x, s->dx, across - 1) + 1;
    cells.y0 = interval(box->low.y - UT_CELL_ROUNDING * s->dy, s->size.y, s->dy, up);
    cells.y1 = interval(box->high.y + UT_CELL_ROUNDING * s->dy, s->size.y, s->dy, up - 1) + 1;
    cells.x0 = cells.x0 > across - 1 ? across - 1 : cells.x0;
    cells.y0 = cells.y0 > up - 1 ? up - 1 : cells.y0;
    return cells;
}
