// SPDX-License-Identifier: Apache-2.0
// From the corners of a polygon to four of them.
#include "collision/internal.h"

static int code(const Spot* spot)
{
    return spot->fa * 32 + spot->fb;
}

// Of all that are as deep as the deepest up to rounding and resting noise, the one whose features
// come first.
static int find_deepest(const Spots* spots, double size)
{
    double least = HUGE_VAL;
    for (int i = 0; i < spots->count; i++) {
        least = spots->spot[i].gap < least ? spots->spot[i].gap : least;
    }
    int deepest = -1;
    for (int i = 0; i < spots->count; i++) {
        const Spot* spot = &spots->spot[i];
        if (spot->gap <= least + UT_SLOP * size &&
            (deepest < 0 || code(spot) < code(&spots->spot[deepest]))) {
            deepest = i;
        }
    }
    return deepest;
}

// The corners are in order around the polygon; turn the order so that the deepest comes first.
static void turn(Spots* spots, int first)
{
    if (first == 0) {
        return;
    }
    Spot turned[8];
    for (int i = 0; i < spots->count; i++) {
        const int from = i + first;
        turned[i] = spots->spot[from < spots->count ? from : from - spots->count];
    }
    for (int i = 0; i < spots->count; i++) {
        spots->spot[i] = turned[i];
    }
}

// Twice the areas of the triangles of the first corner and two others, seen along one axis.
// @param widest the largest with each corner and a later one
static void find_areas(const Spots* spots, int axis, double area[8][8], double widest[8])
{
    const int n = spots->count, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double* first = spots->spot[0].point;
    double x[8], y[8];
    for (int i = 1; i < n; i++) {
        x[i] = spots->spot[i].point[u] - first[u];
        y[i] = spots->spot[i].point[v] - first[v];
    }
    for (int i = 1; i < n; i++) {
        widest[i] = 0.0;
        for (int j = i + 1; j < n; j++) {
            area[i][j] = x[i] * y[j] - y[i] * x[j];
            widest[i] = fabs(area[i][j]) > widest[i] ? fabs(area[i][j]) : widest[i];
        }
    }
}

// The quadrilateral of the first corner and i, j, k is that of the triangles with i, j and j, k.
void ut_spots_reduce(Spots* spots, int axis, double size)
{
    const int n = spots->count;
    if (n <= UT_MANIFOLD_FEW) {
        return;
    }
    turn(spots, find_deepest(spots, size));
    double area[8][8], widest[8], most = 0.0;
    find_areas(spots, axis, area, widest);
    int best[3] = {1, 2, 3};
    for (int i = 1; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            if (!(fabs(area[i][j]) + widest[j] > most)) {
                continue;
            }
            for (int k = j + 1; k < n; k++) {
                // of nearly equal ones the first stays
                const double mine = fabs(area[i][j] + area[j][k]);
                if (mine > most) {
                    most = mine * (1.0 + 1e-6);
                    best[0] = i;
                    best[1] = j;
                    best[2] = k;
                }
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        spots->spot[i + 1] = spots->spot[best[i]];
    }
    spots->count = UT_MANIFOLD_FEW;
}
