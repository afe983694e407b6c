// SPDX-License-Identifier: Apache-2.0
// Polygons as triangles: quadrilaterals by their shorter diagonal, larger ones by cutting off ears, in
// the plane of two axes.
#include "io/mesh/decode.h"

#include <math.h>

enum { MAX_EAR_CORNERS = 64 }; // larger polygons become fans, because ears take n^3 steps

// A polygon in the plane, whose area is positive.
typedef struct Flat {
    int corners;
    int corner[MAX_EAR_CORNERS]; // vertices
    double x[MAX_EAR_CORNERS], y[MAX_EAR_CORNERS];
} Flat;

static void set(int* triangle, int a, int b, int c)
{
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

static void fan(int corners, const int* corner, int* triangle)
{
    for (int k = 2; k < corners; k++) {
        set(triangle + 3 * (size_t)(k - 2), corner[0], corner[k - 1], corner[k]);
    }
}

// ---- quadrilaterals -----------------------------------------------------------------------------

static double squared_distance(const double* vertex, int i, int j)
{
    const double* a = vertex + (size_t)3 * (size_t)i;
    const double* b = vertex + (size_t)3 * (size_t)j;
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static void divide_quadrilateral(const int* c, const double* vertex, int* triangle)
{
    if (squared_distance(vertex, c[0], c[2]) < squared_distance(vertex, c[1], c[3])) {
        fan(4, c, triangle);
    } else {
        set(triangle, c[0], c[1], c[3]);
        set(triangle + 3, c[1], c[2], c[3]);
    }
}

// ---- ears ---------------------------------------------------------------------------------------

// Twice the area of corners i, j, k.
static double area(const Flat* f, int i, int j, int k)
{
    return (f->x[j] - f->x[i]) * (f->y[k] - f->y[i]) - (f->y[j] - f->y[i]) * (f->x[k] - f->x[i]);
}

// Drop the coordinate along which the polygon's vector area is largest. @return false: it has no area
static bool flatten(int corners, const int* corner, const double* vertex, Flat* f)
{
    double n[3] = {0.0, 0.0, 0.0};
    const double* o = vertex + (size_t)3 * (size_t)corner[0];
    for (int k = 1; k + 1 < corners; k++) {
        const double* a = vertex + (size_t)3 * (size_t)corner[k];
        const double* b = vertex + (size_t)3 * (size_t)corner[k + 1];
        for (int i = 0; i < 3; i++) {
            const int u = (i + 1) % 3, v = (i + 2) % 3;
            n[i] += (a[u] - o[u]) * (b[v] - o[v]) - (a[v] - o[v]) * (b[u] - o[u]);
        }
    }
    const int drop = fabs(n[0]) > fabs(n[1]) ? (fabs(n[0]) > fabs(n[2]) ? 0 : 2)
                                             : (fabs(n[1]) > fabs(n[2]) ? 1 : 2);
    const bool up = n[drop] > 0.0; // otherwise swap the axes, so that the area is positive
    f->corners = corners;
    for (int k = 0; k < corners; k++) {
        const double* a = vertex + (size_t)3 * (size_t)corner[k];
        f->corner[k] = corner[k];
        f->x[k] = a[(drop + (up ? 1 : 2)) % 3];
        f->y[k] = a[(drop + (up ? 2 : 1)) % 3];
    }
    return fabs(n[drop]) > 0.0;
}

static bool same_place(const Flat* f, int i, int j)
{
    return f->x[i] == f->x[j] && f->y[i] == f->y[j];
}

// Can the triangle of a corner and its two followers be cut off? No other corner may be in it or on
// its sides; a corner that is there twice, as in a polygon with a slit, does not count.
static bool is_ear(const Flat* f, int i)
{
    const int j = (i + 1) % f->corners, k = (i + 2) % f->corners;
    if (!(area(f, i, j, k) > 0.0)) {
        return false;
    }
    for (int step = 3; step < f->corners; step++) {
        const int other = (i + step) % f->corners;
        if (area(f, i, j, other) >= 0.0 && area(f, j, k, other) >= 0.0 &&
            area(f, k, i, other) >= 0.0 && !same_place(f, other, i) && !same_place(f, other, j) &&
            !same_place(f, other, k)) {
            return false;
        }
    }
    return true;
}

static void remove_corner(Flat* f, int i)
{
    f->corners--;
    for (int k = i; k < f->corners; k++) {
        f->corner[k] = f->corner[k + 1];
        f->x[k] = f->x[k + 1];
        f->y[k] = f->y[k + 1];
    }
}

// Cut off ears until three corners are left. A polygon that crosses itself may have none: the rest
// becomes a fan.
static void cut_ears(Flat* f, int* triangle)
{
    int at = 0;
    for (int tried = 0; f->corners > 3 && tried < f->corners;) {
        at %= f->corners;
        if (is_ear(f, at)) {
            const int middle = (at + 1) % f->corners;
            set(triangle, f->corner[at], f->corner[middle], f->corner[(at + 2) % f->corners]);
            triangle += 3;
            remove_corner(f, middle);
            at -= middle < at;
            tried = 0;
        } else {
            at++;
            tried++;
        }
    }
    fan(f->corners, f->corner, triangle);
}

void ut_polygon_divide(int corners, const int* corner, const double* vertex, int* triangle)
{
    Flat flat;
    if (corners == 4) {
        divide_quadrilateral(corner, vertex, triangle);
    } else if (corners > 4 && corners <= MAX_EAR_CORNERS &&
               flatten(corners, corner, vertex, &flat)) {
        cut_ears(&flat, triangle);
    } else {
        fan(corners, corner, triangle);
    }
}
