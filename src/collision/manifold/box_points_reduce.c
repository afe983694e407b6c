// SPDX-License-Identifier: Apache-2.0
// Reduce the corners of a polygon to four.
#include "collision/internal.h"

static int feature_code(const BoxPoint* point)
{
    return point->feature_a * 32 + point->feature_b;
}

// Of the points that are deepest up to UT_FEATURE_SLOP, the one with the lowest features.
static int find_deepest(const BoxPoints* points, double size)
{
    double least = HUGE_VAL;
    for (int i = 0; i < points->count; i++) {
        least = points->item[i].gap < least ? points->item[i].gap : least;
    }
    int deepest = -1;
    for (int i = 0; i < points->count; i++) {
        const BoxPoint* point = &points->item[i];
        if (point->gap <= least + UT_FEATURE_SLOP * size &&
            (deepest < 0 || feature_code(point) < feature_code(&points->item[deepest]))) {
            deepest = i;
        }
    }
    return deepest;
}

// Rotate the order of the corners so that the deepest comes first.
static void rotate_order(BoxPoints* points, int first)
{
    if (first == 0) {
        return;
    }
    BoxPoint rotated[8];
    for (int i = 0; i < points->count; i++) {
        const int from = i + first;
        rotated[i] = points->item[from < points->count ? from : from - points->count];
    }
    for (int i = 0; i < points->count; i++) {
        points->item[i] = rotated[i];
    }
}

// Twice the areas of the triangles formed by the first corner and two others, seen along one axis.
// @param widest largest area with each corner and a later one
static void find_areas(const BoxPoints* points, int axis, double area[8][8], double widest[8])
{
    const int n = points->count, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double* first = points->item[0].x;
    double x[8], y[8];
    for (int i = 1; i < n; i++) {
        x[i] = points->item[i].x[u] - first[u];
        y[i] = points->item[i].x[v] - first[v];
    }
    for (int i = 1; i < n; i++) {
        widest[i] = 0.0;
        for (int j = i + 1; j < n; j++) {
            area[i][j] = x[i] * y[j] - y[i] * x[j];
            widest[i] = fabs(area[i][j]) > widest[i] ? fabs(area[i][j]) : widest[i];
        }
    }
}

// The quadrilateral of the first corner and i, j, k consists of the triangles with i, j and j, k.
void ut_box_points_reduce(BoxPoints* points, int axis, double size)
{
    const int n = points->count;
    if (n <= UT_MANIFOLD_REDUCED) {
        return;
    }
    rotate_order(points, find_deepest(points, size));
    double area[8][8], widest[8], most = 0.0;
    find_areas(points, axis, area, widest);
    int best[3] = {1, 2, 3};
    for (int i = 1; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            if (!(fabs(area[i][j]) + widest[j] > most)) {
                continue;
            }
            for (int k = j + 1; k < n; k++) {
                // the first of nearly equal quadrilaterals stays
                const double area_of_four = fabs(area[i][j] + area[j][k]);
                if (area_of_four > most) {
                    most = area_of_four * (1.0 + UT_TIE);
                    best[0] = i;
                    best[1] = j;
                    best[2] = k;
                }
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        points->item[i + 1] = points->item[best[i]];
    }
    points->count = UT_MANIFOLD_REDUCED;
}
