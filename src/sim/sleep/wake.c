// SPDX-License-Identifier: Apache-2.0
// Waking: a tree sleeps as long as its next step would be the last one again. Input, a moving mocap
// body or a body that is awake may change that. Trees that fell asleep together wake together, because
// their impulses hold each other.
#include <string.h>

#include "sim/sleep/sleep.h"

static bool sleeps(const Step* step, int tree)
{
    return tree >= 0 && step->asleep[tree];
}

// Wake a tree and all trees that fell asleep with it.
static void wake(Step* step, int tree)
{
    SleepState* sleep = &step->next.sleep;
    const int group = sleep->tree[tree].group;
    for (int t = group; t < sleep->trees; t++) { // a group has the number of its lowest tree
        if (sleep->tree[t].group == group) {
            sleep->tree[t] = (TreeSleep){.group = -1};
            step->asleep[t] = false;
        }
    }
}

// ---- input --------------------------------------------------------------------------------------

static bool is_zero(utVec3 x)
{
    return x.x == 0.0 && x.y == 0.0 && x.z == 0.0;
}

bool ut_sleep_is_pushed(const Step* step, int tree)
{
    const utModelTree* t = &step->sim->model->tree[tree];
    const double* force = step->input.caller_force;
    bool pushed = false;
    for (int i = t->dof; force != NULL && i < t->dof + t->dofs; i++) {
        pushed = pushed || force[i] != 0.0;
    }
    for (int b = t->body; step->input.wrench != NULL && b < t->body + t->bodies; b++) {
        const utForce* f = &step->input.wrench[b];
        pushed = pushed || !is_zero(f->force) || !is_zero(f->torque);
    }
    return pushed;
}

bool ut_sleep_mocap_moves(const Step* step, int mocap)
{
    const utMotion* twist = &step->input.mocap_velocity[mocap];
    return !is_zero(twist->linear) || !is_zero(twist->angular);
}

static void wake_pushed(Step* step)
{
    for (int t = 0; t < step->sim->model->ntree; t++) {
        if (sleeps(step, t) && ut_sleep_is_pushed(step, t)) {
            wake(step, t);
        }
    }
}

// Trees whose controls or activations change.
static void wake_driven(Step* step)
{
    const utModel* model = step->sim->model;
    for (int a = 0; a < model->nu; a++) {
        const utModelActuator* actuator = &model->actuator[a];
        const int act = actuator->act;
        const bool changes = step->input.ctrl[a] != step->start.sleep.ctrl[a] ||
                             (act >= 0 && step->next.act[act] != step->start.act[act]);
        // trees with other transmissions stay awake
        const int tree = actuator->dof >= 0 ? model->body[model->dof_body[actuator->dof]].tree : -1;
        if (changes && sleeps(step, tree)) {
            wake(step, tree);
        }
    }
}

utStatus ut_sleep_begin(Step* step)
{
    SleepState* sleep = &step->next.sleep;
    bool any = false;
    for (int t = 0; t < sleep->trees; t++) {
        any = any || sleep->tree[t].group >= 0;
    }
    if (any) {
        step->asleep = UT_PUSH(&step->arena, bool, sleep->trees);
        step->woke = UT_PUSH(&step->arena, bool, 1);
        if (ut_arena_failed(&step->arena)) {
            return UT_ERR_CAPACITY;
        }
        for (int t = 0; t < sleep->trees; t++) {
            step->asleep[t] = sleep->tree[t].group >= 0;
        }
        wake_pushed(step);
        wake_driven(step);
    }
    memcpy(sleep->ctrl, step->input.ctrl, (size_t)sleep->controls * sizeof *sleep->ctrl);
    return UT_OK;
}

// ---- contacts and rows --------------------------------------------------------------------------

// Does a side of a contact stay where it is? It belongs to a tree that sleeps, or to no tree.
static bool is_still(const Step* step, int side, int tree)
{
    const utModel* model = step->sim->model;
    const int mocap = tree < 0 ? ut_contact_mocap(model, ut_model_side_body(model, side)) : -1;
    return tree >= 0 ? step->asleep[tree] : mocap < 0 || !ut_sleep_mocap_moves(step, mocap);
}

utStatus ut_sleep_filter_contacts(Step* step)
{
    ActiveSet* active = &step->active;
    int kept = 0;
    for (int i = 0; step->asleep != NULL && i < active->contacts; i++) {
        const utContact* c = &active->contact[i];
        int tree[2];
        ut_contact_trees(step->sim->model, c, tree);
        const bool still = is_still(step, c->geom1, tree[0]) && is_still(step, c->geom2, tree[1]);
        for (int side = 0; side < 2; side++) {
            if (!still && sleeps(step, tree[side])) {
                wake(step, tree[side]);
                *step->woke = true;
            }
        }
        if (!still) {
            active->contact[kept++] = *c;
        }
    }
    active->contacts = step->asleep != NULL ? kept : active->contacts;
    return step->asleep != NULL && *step->woke ? UT_ERR_NOT_TAKEN : UT_OK;
}

// Wake the trees of a row, or find that all of them sleep. @return true when all sleep
static bool all_sleep(Step* step, const utRow* row)
{
    const utModel* model = step->sim->model;
    int awake = 0, asleep = 0, cursor = 0;
    for (int t = ut_row_next_tree(model, row, &cursor); t >= 0;
         t = ut_row_next_tree(model, row, &cursor)) {
        asleep += step->asleep[t];
        awake += !step->asleep[t];
    }
    cursor = 0;
    for (int t = ut_row_next_tree(model, row, &cursor); awake > 0 && asleep > 0 && t >= 0;
         t = ut_row_next_tree(model, row, &cursor)) {
        if (step->asleep[t]) {
            wake(step, t);
            *step->woke = true;
        }
    }
    return asleep > 0 && awake == 0;
}

utStatus ut_sleep_filter_rows(Step* step)
{
    ActiveSet* active = &step->active;
    int kept = 0;
    for (int j = 0; step->asleep != NULL && j < active->rows; j++) {
        if (!all_sleep(step, &active->row[j])) {
            active->row[kept++] = active->row[j];
        }
    }
    active->rows = step->asleep != NULL ? kept : active->rows;
    return step->asleep != NULL && *step->woke ? UT_ERR_NOT_TAKEN : UT_OK;
}
