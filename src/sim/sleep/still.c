// SPDX-License-Identifier: Apache-2.0
// A step with sleeping trees: these stay where they are, and all others are solved without them. When
// a contact or row shows that a sleeping tree has to move, the step is made again with it awake.
#include <limits.h>
#include <string.h>

#include "sim/sleep/sleep.h"

void ut_sleep_stop(const Step* step, double* v)
{
    const utModel* model = step->sim->model;
    for (int t = 0; step->asleep != NULL && t < model->ntree; t++) {
        if (step->asleep[t]) {
            memset(v + model->tree[t].dof, 0, (size_t)model->tree[t].dofs * sizeof *v);
        }
    }
}

// ---- nothing moves ------------------------------------------------------------------------------

static bool nothing_moves(const Step* step)
{
    const utModel* model = step->sim->model;
    bool still = model->nu == 0;
    for (int t = 0; t < model->ntree && still; t++) {
        still = step->asleep[t];
    }
    for (int m = 0; m < model->nmocap && still; m++) {
        still = !ut_sleep_mocap_moves(step, m);
    }
    return still;
}

// A step of a world that sleeps: no forces, no contacts, and the next state is the present one.
static utStatus stay(Step* step)
{
    const size_t nv = (size_t)step->sim->model->nv;
    step->free.v = UT_PUSH(&step->arena, double, nv);
    if (step->free.v == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(step->free.v, 0, nv * sizeof(double));
    memset(step->input.force, 0, nv * sizeof(double));
    memset(step->input.actuator_diagonal, 0, nv * sizeof(double));
    step->v_next = step->free.v;
    step->active = (ActiveSet){0};
    ut_step_place_bodies(step);
    return UT_OK;
}

// ---- some trees move ----------------------------------------------------------------------------

// Put sleeping trees back where they were, because the integration of v = 0 may round.
static void stay_in_place(Step* step)
{
    const utModel* model = step->sim->model;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const int tree = model->body[joint->body].tree;
        if (tree >= 0 && step->asleep[tree]) {
            memcpy(step->next.q + joint->q, step->start.q + joint->q,
                   (size_t)ut_joint_positions(joint->kind) * sizeof *step->next.q);
        }
    }
    ut_sleep_stop(step, step->v_next);
    ut_sleep_stop(step, step->next.v);
}

static double largest_E(const Step* step)
{
    double E = 0.0;
    for (int t = 0; t < step->sim->model->ntree; t++) {
        E = step->asleep[t] ? fmax(E, step->next.sleep.tree[t].E) : E;
    }
    return E;
}

// Make the step; masses and forces leave sleeping trees out.
static utStatus make_with_sleepers(Step* step)
{
    utKinematics* kin = &step->sim->work.kin;
    ut_step_place_bodies(step); // with sleeping trees, which have the twist 0 from then on
    kin->still = step->asleep;
    const utStatus status = ut_step_make_awake(step);
    kin->still = NULL; // the array ends with the step
    if (status == UT_OK) {
        stay_in_place(step);
    }
    return status;
}

utStatus ut_sleep_make(Step* step)
{
    UT_TRY(ut_sleep_begin(step));
    if (step->asleep == NULL) {
        return ut_step_make_awake(step);
    }
    utStatus status;
    const Step begun = *step;
    do {
        const utArena arena = step->arena;
        *step = begun;
        step->arena = arena;
        memcpy(step->q, step->start.q, (size_t)step->sim->model->nq * sizeof *step->q);
        *step->woke = false;
        status = nothing_moves(step) ? stay(step) : make_with_sleepers(step);
    } while (*step->woke);
    UT_TRY(status);
    step->asleep_E = largest_E(step);
    return UT_OK;
}

// ---- impulses -----------------------------------------------------------------------------------

// Does a side of a contact belong to a tree that sleeps? A snapshot may name sides that do not exist.
static bool is_asleep(const Step* step, int side)
{
    const utModel* model = step->sim->model;
    const bool exists = side >= 0 && side < model->ngeom + model->nsite;
    const int tree = exists ? model->body[ut_model_side_body(model, side)].tree : -1;
    return tree >= 0 && step->asleep[tree];
}

static bool belongs_to_sleeper(const Step* step, const WarmImpulse* x)
{
    const utModel* model = step->sim->model;
    if (x->key1 < 0) {
        // of the rows only those of joints can belong to a tree that sleeps
        const bool dof = x->key2 >= 0 && x->key2 < model->nv;
        return dof && step->asleep[model->body[model->dof_body[x->key2]].tree];
    }
    const int geom2 = x->key2 >= 0 ? x->key2 : x->key2 - INT_MIN;
    return is_asleep(step, x->key1) || is_asleep(step, geom2);
}

utStatus ut_sleep_keep_impulses(Step* step, WarmStart* warm)
{
    if (step->asleep == NULL) {
        return UT_OK;
    }
    const WarmStart awake = *warm, *before = &step->start.warm;
    WarmImpulse* all = UT_PUSH(&step->arena, WarmImpulse, awake.count + before->count);
    if (all == NULL) {
        return UT_ERR_CAPACITY;
    }
    int count = 0, a = 0;
    for (int b = 0; b < before->count; b++) {
        if (!belongs_to_sleeper(step, &before->impulse[b])) {
            continue;
        }
        int order = -1;
        while (a < awake.count &&
               (order = ut_warm_compare(&awake.impulse[a], &before->impulse[b])) < 0) {
            all[count++] = awake.impulse[a++];
        }
        if (a == awake.count || order > 0) {
            all[count++] = before->impulse[b];
        }
    }
    while (a < awake.count) {
        all[count++] = awake.impulse[a++];
    }
    warm->impulse = all;
    warm->count = count;
    warm->capacity = awake.count + before->count;
    return UT_OK;
}
