// SPDX-License-Identifier: Apache-2.0
// Integration: from impulses to the next velocities and positions.
#include <string.h>

#include "sim/step.h"

static void mark(bool* loaded, const int tree[2])
{
    for (int side = 0; side < 2; side++) {
        if (tree[side] >= 0) {
            loaded[tree[side]] = true;
        }
    }
}

void ut_step_loaded_trees(const Step* step, bool* loaded)
{
    const utModel* model = step->sim->model;
    const ActiveSet* active = &step->active;
    int tree[2];
    memset(loaded, 0, (size_t)model->ntree * sizeof *loaded);
    for (int i = 0; i < active->contacts; i++) {
        const utContact* c = &active->contact[i];
        if (c->r[0] != 0.0 || c->r[1] != 0.0 || c->r[2] != 0.0) {
            ut_contact_trees(model, c, tree);
            mark(loaded, tree);
        }
    }
    for (int j = 0; j < active->rows; j++) {
        if (active->row[j].r != 0.0) {
            int cursor = 0;
            for (int t = 0; t >= 0;) {
                t = ut_row_next_tree(model, &active->row[j], &cursor);
                mark(loaded, (const int[]){t, -1});
            }
        }
    }
}

// Trees without impulses end where the stages of the integrator lead.
static void use_free_positions(Step* step, const bool* loaded)
{
    const utModel* model = step->sim->model;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const int tree = model->body[joint->body].tree;
        if (tree >= 0 && !loaded[tree]) {
            memcpy(step->next.q + joint->q, step->free.q + joint->q,
                   (size_t)ut_joint_positions(joint->kind) * sizeof *step->next.q);
        }
    }
}

utStatus ut_step_integrate(Step* step)
{
    const utModel* model = step->sim->model;
    const ActiveSet* active = &step->active;
    SimState* next = &step->next;
    utArena scratch = step->arena;
    double* impulse = UT_PUSH(&scratch, double, model->nv);
    bool* loaded = UT_PUSH(&scratch, bool, model->ntree);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(impulse, 0, (size_t)model->nv * sizeof *impulse);
    UT_TRY(ut_contact_generalized_impulse(&step->scene, active->contacts, active->contact,
                                          active->rows, active->row, scratch, impulse));
    ut_step_loaded_trees(step, loaded);
    ut_dyn_factor_respond(step->free.mass_kin, step->free.factor, impulse, loaded, step->v_next);
    for (int k = 0; k < model->nv; k++) {
        step->v_next[k] += step->free.v[k];
    }
    if (step->instant) {
        memcpy(next->q, step->q, (size_t)model->nq * sizeof *next->q);
        memcpy(next->v, step->v_next, (size_t)model->nv * sizeof *next->v);
        return UT_OK;
    }
    ut_model_integrate(model, step->q, step->v_next, step->h, next->q);
    if (step->free.q != NULL) {
        use_free_positions(step, loaded);
    }
    ut_model_carry(model, step->q, step->v_next, next->q, next->v);
    return UT_OK;
}

utStatus ut_step_advance(Step* step)
{
    const ActiveSet* active = &step->active;
    UT_TRY(ut_step_integrate(step));
    ut_contact_velocities(&step->scene, step->v_next, active->contacts, active->contact,
                          active->rows, active->row);
    return UT_OK;
}
