// SPDX-License-Identifier: Apache-2.0
// Pairs of geoms: whether they may collide, their condim, friction, margin and restitution.
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

// Bodies that are welded together form a group, named by its first body: 0 for the world. A mocap body
// begins a group of its own.
static int group_of(const utModel* model, int body)
{
    if (model->body[body].weld > 0) {
        return model->body[body].weld;
    }
    while (body > 0 && model->body[body].mocap < 0) {
        body = model->body[body].parent;
    }
    return body;
}

// Do joints connect a group to another one directly?
static bool is_below(const utModel* model, int group, int above)
{
    return group > 0 && group_of(model, model->body[group].parent) == above;
}

// Binary search.
const utModelPair* ut_model_find_pair(const utModel* model, int geom1, int geom2)
{
    const int low = geom1 < geom2 ? geom1 : geom2;
    const int high = geom1 < geom2 ? geom2 : geom1;
    int from = 0;
    int to = model->npair;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        const utModelPair* pair = &model->pair[middle];
        if (pair->geom1 == low && pair->geom2 == high) {
            return pair;
        }
        if (pair->geom1 < low || (pair->geom1 == low && pair->geom2 < high)) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return NULL;
}

bool ut_model_collides(const utModel* model, int geom1, int geom2)
{
    const utModelGeom* a = &model->geom[geom1];
    const utModelGeom* b = &model->geom[geom2];
    // the same group, or both the world, fixed or mocap
    const int weld_a = model->body[a->body].weld;
    const int weld_b = model->body[b->body].weld;
    if (weld_a == weld_b) {
        return false;
    }
    if (ut_model_find_pair(model, geom1, geom2) != NULL) {
        return true;
    }
    if ((a->contype & b->conaffinity) == 0 && (b->contype & a->conaffinity) == 0) {
        return false;
    }
    // parent and child overlap at their joint; a child of the world may touch the world
    const int group_a = group_of(model, a->body), group_b = group_of(model, b->body);
    const bool apart = group_a == 0 || group_b == 0 || model->options.parents_collide;
    if (!apart && (is_below(model, group_a, group_b) || is_below(model, group_b, group_a))) {
        return false;
    }
    return !excluded(model, a->body, b->body);
}

// The geom of higher priority; NULL when priorities are equal.
static const utModelGeom* ruling_geom(const utModelGeom* a, const utModelGeom* b)
{
    return a->priority == b->priority ? NULL : a->priority > b->priority ? a : b;
}

// The condim that the description gives two geoms, also in a planar world.
static int described_condim(const utModel* model, int geom1, int geom2)
{
    const utModelPair* pair = ut_model_find_pair(model, geom1, geom2);
    if (pair != NULL) {
        return pair->condim;
    }
    const utModelGeom* a = &model->geom[geom1];
    const utModelGeom* b = &model->geom[geom2];
    const utModelGeom* ruling = ruling_geom(a, b);
    return ruling != NULL ? ruling->condim : a->condim > b->condim ? a->condim : b->condim;
}

int ut_model_condim(const utModel* model, int geom1, int geom2)
{
    if (geom1 >= model->ngeom || geom2 >= model->ngeom) {
        return 3;
    }
    const int condim = described_condim(model, geom1, geom2);
    return condim > 3 && model->options.planar != UT_PLANAR_NONE ? 3 : condim;
}

double ut_model_torsional(const utModel* model, int geom1, int geom2)
{
    if (ut_model_condim(model, geom1, geom2) < 4) {
        return 0.0;
    }
    const utModelPair* pair = ut_model_find_pair(model, geom1, geom2);
    const utModelGeom* a = &model->geom[geom1];
    const utModelGeom* b = &model->geom[geom2];
    const utModelGeom* ruling = ruling_geom(a, b);
    return pair != NULL     ? pair->friction[2]
           : ruling != NULL ? ruling->torsional
                            : fmax(a->torsional, b->torsional);
}

double ut_model_rolling(const utModel* model, int geom1, int geom2)
{
    if (ut_model_condim(model, geom1, geom2) < 6) {
        return 0.0;
    }
    const utModelPair* pair = ut_model_find_pair(model, geom1, geom2);
    const utModelGeom* a = &model->geom[geom1];
    const utModelGeom* b = &model->geom[geom2];
    const utModelGeom* ruling = ruling_geom(a, b);
    return pair != NULL     ? fmax(pair->friction[3], pair->friction[4])
           : ruling != NULL ? ruling->rolling
                            : fmax(a->rolling, b->rolling);
}

double ut_model_contact_length(const utModel* model, int geom1, int geom2)
{
    const double one = geom1 < model->ngeom ? model->geom[geom1].radius : HUGE_VAL;
    const double two = geom2 < model->ngeom ? model->geom[geom2].radius : HUGE_VAL;
    const double least = fmin(one, two);
    return least > 0.0 && isfinite(least) ? least : 1.0;
}

double ut_model_kinetic(const utModel* model, int geom1, int geom2)
{
    const utModelPair* pair = ut_model_find_pair(model, geom1, geom2);
    if (pair != NULL) {
        return pair->kinetic;
    }
    const utModelGeom* a = &model->geom[geom1];
    const utModelGeom* b = &model->geom[geom2];
    if (described_condim(model, geom1, geom2) == 1) {
        return 0.0;
    }
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
    const utModelPair* pair = ut_model_find_pair(model, geom1, geom2);
    if (pair != NULL) {
        return pair->sliding;
    }
    const utModelGeom* a = &model->geom[geom1];
    const utModelGeom* b = &model->geom[geom2];
    if (described_condim(model, geom1, geom2) == 1) {
        return 0.0;
    }
    if (a->priority != b->priority) {
        return a->priority > b->priority ? a->friction : b->friction;
    }
    return a->friction > b->friction ? a->friction : b->friction;
}

double ut_model_margin(const utModel* model, int geom1, int geom2)
{
    const utModelPair* pair = ut_model_find_pair(model, geom1, geom2);
    return pair != NULL ? pair->margin + pair->gap
                        : model->geom[geom1].margin + model->geom[geom2].margin;
}

double ut_model_restitution(const utModel* model, int geom1, int geom2)
{
    const utModelPair* pair = ut_model_find_pair(model, geom1, geom2);
    if (pair != NULL && pair->restitution >= 0.0) {
        return pair->restitution;
    }
    const double a = geom1 < model->ngeom ? model->geom[geom1].restitution : 0.0;
    const double b = geom2 < model->ngeom ? model->geom[geom2].restitution : 0.0;
    return a > b ? a : b;
}
