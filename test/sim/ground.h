// SPDX-License-Identifier: Apache-2.0
// Grounds of triangles: the graph of a function over a grid, as a mesh or as a height field.
#ifndef UPTACK_TEST_SIM_GROUND_H
#define UPTACK_TEST_SIM_GROUND_H

#include "physics/lab.h"

enum { SIDE = 21, POINTS = SIDE * SIDE }; // points of a ground

// A ground: z over x and y, on a grid of 0.5 m.
typedef double Height(double x, double y);

static inline double grid(int i)
{
    return 0.5 * i - 5.0;
}

static inline void add_ground(Lab* lab, utShape shape, double mu)
{
    utGeomDef geom = ut_geom_def(0, shape.kind, shape.size);
    geom.shape = shape;
    geom.friction = mu;
    CHECK(ut_model_def_geom(lab->def, &geom) >= 0);
}

// The grid's inner points are moved by up to `uneven` along x and y, so that no two triangles are
// alike, and the diagonals go to and fro.
static inline utShape mesh_ground(utArena* keep, Height* height, double uneven)
{
    utVec3 vertex[POINTS];
    int triangle[6 * POINTS], triangles = 0;
    utRng rng = ut_rng(4, 2);
    for (int i = 0; i < POINTS; i++) {
        const int column = i % SIDE, row = i / SIDE;
        const double x = grid(column) + ut_rng_range(&rng, -uneven, uneven);
        const double y = grid(row) + ut_rng_range(&rng, -uneven, uneven);
        vertex[i] = ut_vec3(x, y, height(x, y));
        if (column + 1 < SIDE && row + 1 < SIDE) {
            const int one[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
            const int other[6] = {i, i + 1, i + SIDE + 1, i, i + SIDE + 1, i + SIDE};
            memcpy(triangle + 3 * triangles, (column + row) % 2 == 0 ? one : other, sizeof one);
            triangles += 2;
        }
    }
    return lab_mesh(keep, POINTS, vertex, triangles, triangle);
}

static inline utShape heights_ground(utArena* keep, Height* height)
{
    double* z = UT_PUSH(keep, double, POINTS);
    utHeights* heights = UT_PUSH(keep, utHeights, 1);
    for (int i = 0; i < POINTS; i++) {
        z[i] = height(grid(i % SIDE), grid(i / SIDE));
    }
    CHECK_INT(ut_heights_build(SIDE, SIDE, z, heights, NULL), UT_OK);
    return (utShape){.kind = UT_SHAPE_HEIGHTS, .size = {5, 5, 1}, .heights = heights};
}

#endif
