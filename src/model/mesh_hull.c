// SPDX-License-Identifier: Apache-2.0
// The hull of a mesh, with all its vertices or with a given number of them.
#include "mesh_asset.h"

#include <string.h>

#include "internal.h"

static utStatus build(int points, const utVec3* point, utArena* keep, utArena scratch, utHull* hull,
                      utError* err)
{
    const utStatus status = ut_hull_build(points, point, keep, scratch, hull, err);
    return status == UT_ERR_CAPACITY ? UT_ERR_MEMORY : status;
}

// ---- fewer vertices -----------------------------------------------------------------------------

// Vertices chosen so far among those of the full hull.
typedef struct Chosen {
    const utHull* full;
    int count;
    utVec3* point;
    bool* taken; // per vertex of the full hull
} Chosen;

static void take(Chosen* c, int vertex)
{
    if (!c->taken[vertex]) {
        c->taken[vertex] = true;
        c->point[c->count++] = c->full->vertex[vertex];
    }
}

static int farthest(const Chosen* c, utVec3 direction)
{
    int best = 0;
    for (int i = 1; i < c->full->vertices; i++) {
        if (ut_vec3_dot(direction, c->full->vertex[i]) >
            ut_vec3_dot(direction, c->full->vertex[best])) {
            best = i;
        }
    }
    return best;
}

// Four vertices far apart: along x, then away from a point, a line and a plane.
static void take_four(Chosen* c)
{
    const utVec3* v = c->full->vertex;
    const int a = farthest(c, ut_vec3(1.0, 0.0, 0.0));
    int b = a, d = a;
    double most = -1.0;
    for (int i = 0; i < c->full->vertices; i++) {
        const double distance = ut_vec3_norm(ut_vec3_sub(v[i], v[a]));
        b = distance > most ? i : b;
        most = fmax(most, distance);
    }
    most = -1.0;
    for (int i = 0; i < c->full->vertices; i++) {
        const double area =
            ut_vec3_norm(ut_vec3_cross(ut_vec3_sub(v[b], v[a]), ut_vec3_sub(v[i], v[a])));
        d = area > most ? i : d;
        most = fmax(most, area);
    }
    const utVec3 normal = ut_vec3_cross(ut_vec3_sub(v[b], v[a]), ut_vec3_sub(v[d], v[a]));
    const int up = farthest(c, normal), down = farthest(c, ut_vec3_negate(normal));
    const double above = ut_vec3_dot(normal, ut_vec3_sub(v[up], v[a]));
    const double below = ut_vec3_dot(normal, ut_vec3_sub(v[a], v[down]));
    take(c, a);
    take(c, b);
    take(c, d);
    take(c, above >= below ? up : down);
}

// Per face of the hull so far, the vertex farthest outside. Take the farthest of them, at most as
// many as there are vertices already, so that rounds double the number. @return false: none is outside
static bool take_outside(Chosen* c, const utHull* hull, int most, utArena scratch)
{
    int* best = UT_PUSH(&scratch, int, hull->faces);
    double* height = UT_PUSH(&scratch, double, hull->faces);
    if (best == NULL || height == NULL) {
        return false;
    }
    for (int f = 0; f < hull->faces; f++) {
        best[f] = farthest(c, hull->normal[f]);
        height[f] = ut_vec3_dot(hull->normal[f], c->full->vertex[best[f]]) - hull->offset[f];
    }
    const int before = c->count;
    const int room = most - before < before ? most - before : before;
    while (c->count < before + room) {
        int far = 0;
        for (int f = 1; f < hull->faces; f++) {
            far = height[f] > height[far] ? f : far;
        }
        if (!(height[far] > 0.0)) {
            break;
        }
        take(c, best[far]);
        height[far] = 0.0;
    }
    return c->count > before;
}

// Add vertices where the hull so far misses most.
static utStatus reduce(const utHull* full, int most, utArena* keep, utArena scratch, utHull* hull,
                       utError* err)
{
    Chosen c = {.full = full,
                .point = UT_PUSH(&scratch, utVec3, most),
                .taken = UT_PUSH(&scratch, bool, full->vertices)};
    if (c.point == NULL || c.taken == NULL) {
        return UT_ERR_MEMORY;
    }
    memset(c.taken, 0, (size_t)full->vertices * sizeof *c.taken);
    take_four(&c);
    bool more = true;
    while (more && c.count < most) {
        utHull coarse;
        utArena temporary = *keep; // given back at the end of the round
        UT_TRY(build(c.count, c.point, &temporary, scratch, &coarse, err));
        more = take_outside(&c, &coarse, most, scratch);
    }
    return build(c.count, c.point, keep, scratch, hull, err);
}

utStatus ut_mesh_asset_hull(const MeshAsset* asset, int most, utArena* keep, utArena scratch,
                            utHull* hull, utError* err)
{
    if (most < 0) {
        return build(asset->vertices, asset->vertex, keep, scratch, hull, err);
    }
    utHull full;
    UT_TRY(build(asset->vertices, asset->vertex, keep, scratch, &full, err));
    if (full.vertices <= most) {
        *hull = full;
        return UT_OK;
    }
    return reduce(&full, most, keep, scratch, hull, err);
}
