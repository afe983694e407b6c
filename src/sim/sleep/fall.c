// SPDX-License-Identifier: Apache-2.0
// Falling asleep: an island that has been slow for REST_STEPS steps starts the next one with v = 0. If
// that step leaves it at rest, up to rounding, the rounding is removed (v+ = 0, q+ = q) and the
// certificate judges this step. It is then the step that the island repeats while it sleeps, because
// its state and input stay the same. A body at a turning point has no velocity either, but its step
// does not end at rest, so that it stays awake.
#include <limits.h>
#include <string.h>

#include "sim/sleep/sleep.h"
#include "sim/tolerances.h"

// Steps at rest before an island tries to fall asleep. Later tries follow after 2, 4, 8 ... times as many,
// because an island that cannot sleep makes every tried step twice.
enum { REST_STEPS = 10 };

// The velocity that gravity adds in a step, m/s.
static double fall_speed(const Step* step)
{
    return step->h * ut_vec3_norm(step->sim->model->options.gravity);
}

// Are all velocities of a tree at most `limit`? Angular velocities count by their joint's reach.
static bool is_slow(const utModel* model, int tree, const double* v, double limit)
{
    const utModelTree* t = &model->tree[tree];
    bool slow = true;
    for (int i = t->dof; v != NULL && i < t->dof + t->dofs; i++) {
        slow = slow && ut_dof_length(model, i) * fabs(v[i]) <= limit;
    }
    return slow;
}

// ---- counting steps at rest ---------------------------------------------------------------------

// The steps that a tree alone has been at rest. Projections and corrections of positions count as motion.
static int count_rest(const Step* step, int tree)
{
    const utModel* model = step->sim->model;
    const double limit = REST_SPEED * fall_speed(step);
    const int before = step->next.sleep.tree[tree].rest;
    const bool rests = is_slow(model, tree, step->next.v, limit) &&
                       is_slow(model, tree, step->projection, limit * step->h) &&
                       is_slow(model, tree, step->correction, limit * step->h);
    return !rests ? 0 : before < INT_MAX ? before + 1 : before;
}

// The lowest tree of every island. @param root 2 ntree, receives it in its first half
static void find_islands(Step* step, int* root)
{
    const ActiveSet* active = &step->active;
    (void)ut_contact_islands(step->sim->model, active->contacts, active->contact, active->rows,
                             active->row, root);
}

static bool is_held(const Step* step, int tree)
{
    return step->held != NULL && step->held[tree];
}

void ut_sleep_note(Step* step, const utCertificate* certificate)
{
    SleepState* sleep = &step->next.sleep;
    int* root = step->sim->work.sleep.root;
    if (sleep->trees == 0) {
        return;
    }
    find_islands(step, root);
    for (int t = 0; t < sleep->trees; t++) {
        TreeSleep* tree = &sleep->tree[t];
        if (is_held(step, t)) {
            *tree = (TreeSleep){.group = root[t], .E = certificate->E};
        } else if (tree->group < 0) {
            tree->rest = count_rest(step, t);
        }
    }
    // an island has been at rest as long as its last tree; its lowest tree collects the minimum
    for (int pass = 0; pass < 2; pass++) {
        for (int t = 0; t < sleep->trees; t++) {
            TreeSleep *tree = &sleep->tree[t], *first = &sleep->tree[root[t]];
            TreeSleep* to = pass == 0 ? first : tree;
            to->rest = tree->rest < first->rest ? tree->rest : first->rest;
        }
    }
}

// ---- the held step ------------------------------------------------------------------------------

// Is this the number of steps after which an island tries to fall asleep?
static bool is_due(const TreeSleep* tree)
{
    const int times = tree->rest / REST_STEPS;
    return tree->group < 0 && tree->rest % REST_STEPS == 0 && times > 0 &&
           (times & (times - 1)) == 0;
}

// Trees that are due. @return is there one?
static bool find_due(const utSim* sim, bool* held)
{
    bool any = false;
    for (int t = 0; t < sim->state.sleep.trees; t++) {
        held[t] = is_due(&sim->state.sleep.tree[t]) && !sim->work.sleep.stays_awake[t];
        any = any || held[t];
    }
    return any;
}

// Is an island solved, without restitution?
static bool is_settled(const Step* step, int island)
{
    const utIsland* x = &step->active.island[island];
    return x->bounce == UT_BOUNCE_NONE && !x->fallback &&
           (x->solved || step->sim->settings.tier == UT_TIER_BUDGET);
}

// Release trees that do not end the step at rest, with their whole islands.
// @param root 2 ntree of work @return was one released?
static bool release_moving(Step* step, int* root)
{
    const utModel* model = step->sim->model;
    const ActiveSet* active = &step->active;
    const double limit = HELD_SPEED * fall_speed(step);
    bool released = false;
    find_islands(step, root);
    int* moving = root + model->ntree; // of the lowest tree: does its island move?
    memset(moving, 0, (size_t)model->ntree * sizeof *moving);
    for (int i = 0; i < active->contacts; i++) {
        int tree[2];
        ut_contact_trees(model, &active->contact[i], tree);
        const int first = root[tree[0] >= 0 ? tree[0] : tree[1]];
        moving[first] |= !is_settled(step, active->contact[i].island);
    }
    for (int j = 0; j < active->rows; j++) {
        int cursor = 0;
        const int first = root[ut_row_next_tree(model, &active->row[j], &cursor)];
        moving[first] |= !is_settled(step, active->row[j].island);
    }
    for (int t = 0; t < model->ntree; t++) {
        const bool rests = step->held[t] && !ut_sleep_is_pushed(step, t) &&
                           is_slow(model, t, step->v_next, limit) &&
                           is_slow(model, t, step->projection, 0.0) &&
                           is_slow(model, t, step->correction, limit * step->h);
        moving[root[t]] |= !rests;
    }
    for (int t = 0; t < model->ntree; t++) {
        released = released || (step->held[t] && moving[root[t]]);
        step->held[t] = step->held[t] && !moving[root[t]];
    }
    return released;
}

// Make a step in which the held trees start with v = 0.
static utStatus make(utSim* sim, const utInput* input, const bool* held, Step* step, utError* err)
{
    const utModel* model = sim->model;
    const double dt = sim->settings.dt;
    UT_TRY(ut_step_start(sim, dt, ut_state_next_time(&sim->state, dt), dt, step));
    step->held = UT_PUSH(&step->arena, bool, model->ntree);
    if (step->held == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int t = 0; t < model->ntree; t++) {
        step->held[t] = held[t];
        if (held[t]) {
            memset(step->start.v + model->tree[t].dof, 0,
                   (size_t)model->tree[t].dofs * sizeof *step->start.v);
        }
    }
    memcpy(step->v, step->start.v, (size_t)model->nv * sizeof *step->v);
    return ut_step_make(step, input, err);
}

// Remove the rounding of v+ and q+ of the held trees.
static utStatus hold(Step* step)
{
    const utModel* model = step->sim->model;
    const ActiveSet* active = &step->active;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const int tree = model->body[joint->body].tree;
        if (tree >= 0 && step->held[tree]) {
            const size_t dofs = (size_t)ut_joint_velocities(joint->kind);
            memcpy(step->next.q + joint->q, step->start.q + joint->q,
                   (size_t)ut_joint_positions(joint->kind) * sizeof *step->next.q);
            memset(step->next.v + joint->v, 0, dofs * sizeof *step->next.v);
            memset(step->v_next + joint->v, 0, dofs * sizeof *step->v_next);
            if (step->correction != NULL) {
                memset(step->correction + joint->v, 0, dofs * sizeof *step->correction);
            }
        }
    }
    ut_contact_velocities(&step->scene, step->v_next, active->contacts, active->contact,
                          active->rows, active->row);
    return ut_step_name_states(step);
}

static bool any_held(const Step* step)
{
    bool any = false;
    for (int t = 0; t < step->sim->model->ntree; t++) {
        any = any || step->held[t];
    }
    return any;
}

utStatus ut_sleep_try(utSim* sim, const utInput* input, Step* step, bool* held, utError* err)
{
    bool* due = sim->work.sleep.due; // the step's own memory begins anew with every try
    int* root = sim->work.sleep.root;
    *held = false;
    if (!find_due(sim, due)) {
        return UT_OK;
    }
    // a step of which trees were released is not theirs, because they started it with v = 0
    for (int tries = 0; tries < 2; tries++) {
        UT_TRY(make(sim, input, due, step, err));
        const bool released = release_moving(step, root);
        if (!any_held(step)) {
            return UT_OK;
        }
        if (!released) {
            utCertificate certificate;
            UT_TRY(hold(step));
            const utStepReport report = ut_step_report(step);
            UT_TRY(ut_certify(&report, sim->settings.tolerance, step->arena, &certificate));
            *held = certificate.passed && !step->summary.flagged;
            return UT_OK;
        }
        memcpy(due, step->held, (size_t)sim->model->ntree * sizeof *due);
    }
    return UT_OK;
}
