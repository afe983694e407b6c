// SPDX-License-Identifier: Apache-2.0
// Pairs of geoms: whether they may collide, their friction and their restitution.
#include "internal.h"

static bool excluded(const utModel* model, int body1, int body2)
{
    const int low = body1 < body2 ? body1 : body2;
    const int high = body1 < body2 ? body2 : body1;
    int from = 0;
    int to = model->nexclude;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        const int* pair = model->exclude + 2 * middle;
        if (pair[0] == low && pair[1] == high) {
            return true;
        }
        if (pair[0] < low || (pair[0] == low && pair[1] < high)) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return false;
}

// Bodies that are welded together form a group, named by its first body. @return the group to which
// joints connect this group, -1 for the world
static int weld_above(const utModel* model, int weld)
{
    return weld > 0 ? model->body[model->body[weld].parent].weld : -1;
}

bool ut_model_collides(const utModel* model, int geom1, int geom2)
{
    const utModelGeom* a = &model->geom[geom1];
    const utModelGeom* b = &model->geom[geom2];
    if ((a->contype & b->conaffinity) == 0 && (b->contype & a->conaffinity) == 0) {
        return false;
    }
    // the same group; the world, fixed bodies and mocap bodies are group 0
    const int weld_a = model->body[a->body].weld;
    const int weld_b = model->body[b->body].weld;
    if (weld_a == weld_b) {
        return false;
    }
    // parent and child overlap at their joint; a child of the world may touch the world
    const bool fixed = weld_a == 0 || weld_b == 0;
    if (!fixed && (weld_above(model, weld_a) == weld_b || weld_above(model, weld_b) == weld_a)) {
        return false;
    }
    return !excluded(model, a->body, b->body);
}

double ut_model_kinetic(const utModel* model, int geom1, int geom2)
{
    const utModelGeom* a = &model->geom[geom1];
    const utModelGeom* b = &model->geom[geom2];
    if (a->priority != b->priority) {
        return a->priority > b->priority ? a->kinetic : b->kinetic;
    }
    if (a->friction != b->friction) {
        return a->friction > b->friction ? a->kinetic : b->kinetic;
    }
    return a->kinetic > b->kinetic ? a->kinetic : b->kinetic;
}

double ut_model_friction(const utModel* model, int geom1, int geom2)
{
    const utModelGeom* a = &model->geom[geom1];
    const utModelGeom* b = &model->geom[geom2];
    if (a->priority != b->priority) {
        return a->priority > b->priority ? a->friction : b->friction;
    }
    return a->friction > b->friction ? a->friction : b->friction;
}

double ut_model_restitution(const utModel* model, int geom1, int geom2)
{
    const double a = geom1 < model->ngeom ? model->geom[geom1].restitution : 0.0;
    const double b = geom2 < model->ngeom ? model->geom[geom2].restitution : 0.0;
    return a > b ? a : b;
}
