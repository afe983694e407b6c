// SPDX-License-Identifier: Apache-2.0
// ODE: a space and dCollide.
#include <stddef.h>

#include "contender.h"

#ifdef UPTACK_HAVE_ODE
#include <math.h>
#include <ode/ode.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 4 }; // of a pair at most, as ours

// What a convex of ODE only borrows: planes, points, and for each face how many corners it has and
// which. All prisms have the same faces; the numbers stay for as long as the program runs.
typedef struct Prism {
    dReal plane[8][4];
    dReal point[HULL_POINTS][3];
} Prism;

static const unsigned prism_faces[] = {6, 5, 4,  3, 2, 1, 0, 6,  6,  7, 8, 9, 10, 11, 4,
                                       0, 1, 7,  6, 4, 1, 2, 8,  7,  4, 2, 3, 9,  8,  4,
                                       3, 4, 10, 9, 4, 4, 5, 11, 10, 4, 5, 0, 6,  11};

typedef struct World {
    int count;
    dSpaceID space;
    dGeomID* geom;
} World;

static dGeomID create_prism(dSpaceID space, const Body* body)
{
    Prism* prism = calloc(1, sizeof *prism);
    body_corners(body, prism->point);
    for (int f = 0; f < 2; f++) {
        prism->plane[f][2] = f == 0 ? -1.0 : 1.0;
        prism->plane[f][3] = body->size[2];
    }
    for (int f = 0; f < 6; f++) {
        const dReal *p = prism->point[f], *q = prism->point[(f + 1) % 6];
        const double x = q[1] - p[1], y = p[0] - q[0], norm = sqrt(x * x + y * y);
        prism->plane[2 + f][0] = x / norm;
        prism->plane[2 + f][1] = y / norm;
        prism->plane[2 + f][3] = (x * p[0] + y * p[1]) / norm;
    }
    return dCreateConvex(space, prism->plane[0], 8, prism->point[0], HULL_POINTS, prism_faces);
}

static void place(dGeomID geom, const Body* body)
{
    dMatrix3 R = {0};
    for (int i = 0; i < 9; i++) {
        R[4 * (i / 3) + i % 3] = body->R[i];
    }
    dGeomSetPosition(geom, body->p[0], body->p[1], body->p[2]);
    dGeomSetRotation(geom, R);
}

// NULL for a shape that ODE has not
static dGeomID create(dSpaceID space, const Body* body)
{
    const double* s = body->size;
    switch (body->kind) {
    case BODY_PLANE:
        return dCreatePlane(space, 0, 0, 1, 0);
    case BODY_SPHERE:
        return dCreateSphere(space, s[0]);
    case BODY_CAPSULE:
        return dCreateCapsule(space, s[0], 2 * s[1]);
    case BODY_BOX:
        return dCreateBox(space, 2 * s[0], 2 * s[1], 2 * s[2]);
    case BODY_CYLINDER:
        return dCreateCylinder(space, s[0], 2 * s[1]);
    case BODY_HULL:
        return create_prism(space, body);
    default:
        return NULL;
    }
}

static void pairs_close(void* context)
{
    World* world = context;
    for (int i = 0; i < world->count; i++) {
        if (world->geom[i] != NULL) {
            dGeomDestroy(world->geom[i]);
        }
    }
    free(world->geom);
    free(world);
}

// All or nothing.
static World* fill(dSpaceID space, int count, const Body* body)
{
    World* world = calloc(1, sizeof *world);
    world->count = count;
    world->space = space;
    world->geom = calloc((size_t)count, sizeof(dGeomID));
    bool complete = true;
    for (int i = 0; i < count; i++) {
        world->geom[i] = create(space, &body[i]);
        complete = complete && world->geom[i] != NULL;
        if (world->geom[i] != NULL && body[i].kind != BODY_PLANE) {
            place(world->geom[i], &body[i]);
        }
    }
    if (!complete) {
        pairs_close(world);
        return NULL;
    }
    return world;
}

static void* hash_open(int count, const Body* body)
{
    dInitODE2(0);
    dSpaceID space = dHashSpaceCreate(NULL);
    dHashSpaceSetLevels(space, -2, 4);
    dSpaceSetCleanup(space, 0);
    return fill(space, count, body);
}

static void* sweep_open(int count, const Body* body)
{
    dInitODE2(0);
    dSpaceID space = dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XYZ);
    dSpaceSetCleanup(space, 0);
    return fill(space, count, body);
}

static void meet(void* context, dGeomID a, dGeomID b)
{
    Found* found = context;
    dContactGeom contact[POINTS];
    found->pairs++;
    found->contacts += dCollide(a, b, POINTS, contact, sizeof contact[0]);
}

static void world_detect(void* context, const Body* body, Found* found)
{
    World* world = context;
    memset(found, 0, sizeof *found);
    for (int i = 0; i < world->count; i++) {
        if (body[i].kind != BODY_PLANE) {
            place(world->geom[i], &body[i]);
        }
    }
    dSpaceCollide(world->space, found, meet);
}

// ---- pairs --------------------------------------------------------------------------------------

static void* pairs_open(int count, const Body* body)
{
    dInitODE2(0);
    return fill(NULL, 2 * count, body);
}

static int pairs_collide(void* context)
{
    World* pairs = context;
    int contacts = 0;
    for (int i = 0; i < pairs->count; i += 2) {
        dContactGeom contact[POINTS];
        contacts +=
            dCollide(pairs->geom[i], pairs->geom[i + 1], POINTS, contact, sizeof contact[0]);
    }
    return contacts;
}

static double pairs_least_gap(void* context, int i)
{
    World* pairs = context;
    dContactGeom contact[POINTS];
    const int count =
        dCollide(pairs->geom[2 * i], pairs->geom[2 * i + 1], POINTS, contact, sizeof contact[0]);
    double least = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        least = fmin(least, -contact[k].depth);
    }
    return least;
}

const Contender* contender_ode_hash(void)
{
    static const Contender ode = {"ODE hash",    hash_open,       world_detect, pairs_open,
                                  pairs_collide, pairs_least_gap, pairs_close};
    return &ode;
}

const Contender* contender_ode_sweep(void)
{
    static const Contender ode = {"ODE sweep",   sweep_open,      world_detect, pairs_open,
                                  pairs_collide, pairs_least_gap, pairs_close};
    return &ode;
}

#else

const Contender* contender_ode_hash(void)
{
    return NULL;
}

const Contender* contender_ode_sweep(void)
{
    return NULL;
}

#endif

#ifndef UPTACK_HAVE_BULLET

const Contender* contender_bullet(void)
{
    return NULL;
}

#endif
