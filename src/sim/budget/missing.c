// SPDX-License-Identifier: Apache-2.0
// Is a contact missing? A second detection costs as much as the sweeps. So a step of the tier budget first
// looks for pairs of geoms without a contact that its end would let overlap. Without such a pair the
// active set is complete.
#include <string.h>

#include "sim/step.h"

// An overlap over the smaller radius that needs a contact. The certificate allows twice as much.
static const double NEEDS_CONTACT = 5e-4;

// Is there a contact of the pair? Contacts are sorted by geoms.
static bool has_contact(const ActiveSet* active, int geom1, int geom2)
{
    int low = 0, high = active->contacts;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const utContact* c = &active->contact[middle];
        const bool before = c->geom1 < geom1 || (c->geom1 == geom1 && c->geom2 < geom2);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < active->contacts && active->contact[low].geom1 == geom1 &&
           active->contact[low].geom2 == geom2;
}

// Are the spheres around both geoms apart?
static bool are_far(const utModelGeom* a, utFrame A, const utModelGeom* b, utFrame B)
{
    const utVec3 between = ut_vec3_sub(B.p, A.p);
    const double reach = a->radius + b->radius;
    return ut_vec3_dot(between, between) > reach * reach; // false for planes
}

static bool overlaps(const utModel* model, const utKinematics* end, int geom1, int geom2)
{
    const utModelGeom *a = &model->geom[geom1], *b = &model->geom[geom2];
    const utFrame A = ut_geom_frame(end, geom1), B = ut_geom_frame(end, geom2);
    utGap gap;
    return !are_far(a, A, b, B) && ut_gap_within(&a->shape, A, &b->shape, B, 0.0, &gap) == UT_OK &&
           gap.gap < -NEEDS_CONTACT * fmin(a->radius, b->radius);
}

static bool may_collide(int geom1, int geom2, void* context)
{
    return ut_model_collides(context, geom1, geom2);
}

// Set the boxes of all geoms to those at the end of the step. Detection sets them again, with travels.
static void set_boxes(const Step* step, const utKinematics* end)
{
    const utModel* model = step->sim->model;
    const bool* asleep = step->scene.asleep;
    for (int g = 0; g < model->ngeom; g++) {
        const int tree = model->body[model->geom[g].body].tree;
        const utBounds bounds = ut_shape_bounds(&model->geom[g].shape, ut_geom_frame(end, g));
        ut_broad_set(step->sim->work.broad, g, bounds,
                     tree < 0 || (asleep != NULL && asleep[tree]));
    }
}

// Pairs whose boxes meet.
static utStatus find_pairs(Step* step, utArena* scratch, int** pair, int* pairs)
{
    SimWorkspace* work = &step->sim->work;
    for (;;) {
        *pair = ut_arena_push(scratch, (size_t)work->max_pairs, 2 * sizeof **pair);
        if (*pair == NULL) {
            return UT_ERR_CAPACITY;
        }
        const utStatus status =
            ut_broad_pairs(work->broad, may_collide, (void*)(uintptr_t)step->sim->model,
                           work->max_pairs, *pair, pairs);
        if (status != UT_ERR_CAPACITY) {
            return status;
        }
        work->max_pairs = 2 * *pairs;
    }
}

utStatus ut_budget_find_missing(Step* step, const double* path, bool* missing)
{
    const utModel* model = step->sim->model;
    utArena scratch = step->arena;
    ContactScene scene = step->scene;
    scene.v_next = path;
    *missing = false;
    const bool faster = ut_contact_raise_travels(&scene, path);
    if (!faster && *scene.bounds.passed == 0) {
        return UT_OK;
    }
    utKinematics end;
    double* q = UT_PUSH(&scratch, double, model->nq);
    UT_TRY(ut_kinematics_create(model, &scratch, &end));
    if (q == NULL) {
        return UT_ERR_CAPACITY;
    }
    ut_model_integrate(model, step->q, path, step->h, q);
    ut_kinematics_place(&end, q, step->next.mocap_pos, step->next.mocap_quat);
    set_boxes(step, &end);
    int *pair, pairs;
    UT_TRY(find_pairs(step, &scratch, &pair, &pairs));
    for (int k = 0; k < pairs && !*missing; k++) {
        *missing = !has_contact(&step->active, pair[2 * k], pair[2 * k + 1]) &&
                   overlaps(model, &end, pair[2 * k], pair[2 * k + 1]);
    }
    return UT_OK;
}
