// From the corners of a polygon to four of them.
#include "collision/internal.h"

// twice the area of the quadrilateral p q r s, seen along one axis: the cross product of its
// diagonals
static double area(const Spots* spots, int u, int v, int p, int q, int r, int s)
{
    const double* a = spots->spot[p].point;
    const double* b = spots->spot[q].point;
    const double* c = spots->spot[r].point;
    const double* d = spots->spot[s].point;
    return fabs((c[u] - a[u]) * (d[v] - b[v]) - (c[v] - a[v]) * (d[u] - b[u]));
}

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
    Spot turned[8];
    for (int i = 0; i < spots->count; i++) {
        turned[i] = spots->spot[(i + first) % spots->count];
    }
    for (int i = 0; i < spots->count; i++) {
        spots->spot[i] = turned[i];
    }
}

void ut_spots_reduce(Spots* spots, int axis, double size)
{
    const int n = spots->count, u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (n <= UT_MANIFOLD_MAX) {
        return;
    }
    turn(spots, find_deepest(spots, size));
    int best[3] = {1, 2, 3};
    double most = 0.0;
    for (int i = 1; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            for (int k = j + 1; k < n; k++) {
                // of nearly equal ones the first stays
                const double mine = area(spots, u, v, 0, i, j, k);
                if (mine > most * (1.0 + 1e-6)) {
                    most = mine;
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
    spots->count = UT_MANIFOLD_MAX;
}
