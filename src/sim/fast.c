// SPDX-License-Identifier: Apache-2.0
// Fast bodies: nothing is passed through within a step.
//
// Contacts are taken where the bodies are at the step's start, which says little of what a body
// meets that flies a long way or turns by a radian. So the way that the solution leads is swept
// (ut_contact_sweep). Trees that meet on it, at the share s of the step, have their contacts taken
// there: at q ⊕ h v_ahead with v_ahead = s v, in the same terms as a re-linearisation,
//
//     b_n = gap / h - J_n v_ahead
//
// and the problem is solved again, until the way is clear. All other trees keep the contacts they
// have: those of the start, where v_ahead = 0.
//
// Rows are right to first order in what bodies turn by beyond that, which may be many radians; so
// each pair has a guard besides (contact/fast_bodies.c), and pairs whose centres pass through all the same after
// some passes have that alone, taken where the centre gets there. A way that grazes something and
// ends clear of it will do; of ways that do not, the one that ends with the least overlap is taken.
// What is passed through even so is flagged.
#include <string.h>

#include "internal.h"

enum {
    WHOLE = 6,   // passes that look at whole shapes
    PASSES = 12, // all of them
};

static bool has_fast(const utModel* model)
{
    for (int b = 0; b < model->nbody; b++) {
        if (model->body[b].fast) {
            return true;
        }
    }
    return false;
}

bool ut_step_sweeps(const utSim* sim)
{
    return sim->formulation->gap != UT_GAP_NONE && !sim->formulation->events &&
           sim->model->options.planar == UT_PLANAR_NONE && has_fast(sim->model);
}

// ---- the way ------------------------------------------------------------------------------------

typedef struct Way {
    SweepHit* meeting;
    int meetings;
    double* at; // ntree + nmocap: when its contacts are to be taken; 2: as they are
} Way;

// @param v where it leads from step->q, where the bodies are placed
static utStatus look_along(Step* step, const double* v, bool cores, Way* way)
{
    utSim* sim = step->sim;
    const utModel* model = sim->model;
    ContactScene scene = step->scene;
    scene.kin = &sim->kin;
    scene.v_ahead = NULL;
    scene.v_next = v;
    int pairs = 0;
    Sweep sweep = {
        .scene = &scene,
        .q = step->q,
        .v = v,
        .by_centre = cores,
        .mocap_pos = step->mocap_pos,
        .mocap_quat = step->mocap_quat,
        .q_at = UT_PUSH(&step->arena, double, model->nq),
    };
    int* pair = ut_arena_push(&step->arena, (size_t)sim->max_pairs, 2 * sizeof *pair);
    way->meeting = UT_PUSH(&step->arena, SweepHit, sim->max_pairs);
    way->at = UT_PUSH(&step->arena, double, model->ntree + model->nmocap);
    if (sweep.q_at == NULL || pair == NULL || way->meeting == NULL || way->at == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_motion_bounds_create(model, &step->arena, &scene.bounds));
    UT_TRY(ut_kinematics_create(model, &step->arena, &sweep.placed));
    const utStatus status = ut_contact_sweep(&sweep, sim->broad, sim->max_pairs, pair, &pairs,
                                             way->meeting, &way->meetings);
    if (status == UT_ERR_CAPACITY && pairs > sim->max_pairs) {
        sim->max_pairs = 2 * pairs;
    }
    return status;
}

// What moves a geom: a tree, or, counted on, a mocap body; -1: nothing.
static int carrier_of(const utModel* model, int geom)
{
    const int body = model->geom[geom].body;
    const int tree = model->body[body].tree;
    const int mocap = tree < 0 ? ut_contact_mocap(model, body) : -1;
    return mocap < 0 ? tree : model->ntree + mocap;
}

static void lower(double* x, double to, bool* changed)
{
    if (x != NULL && to < *x) {
        *x = to;
        *changed = true;
    }
}

// The earliest meeting of each tree or mocap body; those that meet each other are taken at the same
// moment.
static void find_moments(const utModel* model, Way* way)
{
    for (int t = 0; t < model->ntree + model->nmocap; t++) {
        way->at[t] = 2.0;
    }
    bool changed = false;
    // a moment spreads to all that are joined by meetings: over one of them in each round
    for (int round = 0; round < model->ntree + model->nmocap; round++) {
        for (int k = 0; k < way->meetings; k++) {
            const SweepHit* m = &way->meeting[k];
            const int one = carrier_of(model, m->geom1), two = carrier_of(model, m->geom2);
            double at = m->fraction;
            at = one >= 0 ? fmin(at, way->at[one]) : at;
            at = two >= 0 ? fmin(at, way->at[two]) : at;
            lower(one >= 0 ? &way->at[one] : NULL, at, &changed);
            lower(two >= 0 ? &way->at[two] : NULL, at, &changed);
        }
        if (!changed) {
            break;
        }
        changed = false;
    }
}

// ---- contacts on the way ------------------------------------------------------------------------

static utStatus take_contacts(Step* step, const Way* way)
{
    const utModel* model = step->sim->model;
    double* v_ahead = UT_PUSH(&step->arena, double, model->nv);
    double* mocap_ahead = UT_PUSH(&step->arena, double, model->nmocap);
    if (v_ahead == NULL || mocap_ahead == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < model->nv; i++) {
        const double at = way->at[model->body[model->dof_body[i]].tree];
        const double before = step->v_ahead != NULL ? step->v_ahead[i] : 0.0;
        v_ahead[i] = at <= 1.0 ? at * step->v_next[i] : before;
    }
    for (int m = 0; m < model->nmocap; m++) {
        const double at = way->at[model->ntree + m];
        const double before = step->mocap_ahead != NULL ? step->mocap_ahead[m]
                              : step->v_ahead != NULL   ? 1.0
                                                        : 0.0;
        mocap_ahead[m] = at <= 1.0 ? at : before;
    }
    return ut_step_take_ahead(step, v_ahead, mocap_ahead);
}

// How bad it is that the way is not clear, 0: not at all. What meets on the way and is clear of it
// at the end, on the side where it was, has only been grazed.
static double badness(const Way* way)
{
    double worst = 0.0;
    for (int k = 0; k < way->meetings; k++) {
        worst = fmax(worst, way->meeting[k].centre_enters ? HUGE_VAL : way->meeting[k].depth);
    }
    return worst;
}

// Pairs that have guards alone: those that pass through each other, or all that meet.
static utStatus find_cores(Step* step, const Way* way, bool through, bool all)
{
    SweepHit* core = UT_PUSH(&step->arena, SweepHit, way->meetings);
    if (core == NULL) {
        return UT_ERR_CAPACITY;
    }
    step->scene.centre_hit = core;
    step->scene.centre_hit_count = 0;
    for (int k = 0; k < way->meetings; k++) {
        if (all || (through && way->meeting[k].centre_enters)) {
            core[step->scene.centre_hit_count++] = way->meeting[k];
        }
    }
    return UT_OK;
}

// Solved, and not just so: contacts that are taken ahead weigh a little otherwise
// there, where they are judged.
static bool all_solved(const Step* step)
{
    bool solved = true;
    for (int k = 0; k < step->islands; k++) {
        solved =
            solved && step->island[k].solved && step->island[k].E <= 0.9 * step->sim->tolerance;
    }
    return solved;
}

// Take contacts where trees meet and solve. @param solved false: nothing has changed but memory
static utStatus try_pass(Step* step, const Way* way, bool through, bool all, bool* solved)
{
    const Step before = *step;
    UT_TRY(find_cores(step, way, through, all));
    UT_TRY(take_contacts(step, way));
    UT_TRY(ut_step_solve(step));
    *solved = all_solved(step);
    if (!*solved) {
        const utArena used = step->arena;
        *step = before;
        step->arena = used;
    }
    return UT_OK;
}

// Flag the islands of what passes through.
static void flag_islands(Step* step, const Way* way)
{
    const utModel* model = step->sim->model;
    for (int k = 0; k < way->meetings; k++) {
        const SweepHit* m = &way->meeting[k];
        const int one = carrier_of(model, m->geom1), two = carrier_of(model, m->geom2);
        for (int i = 0; m->centre_enters && i < step->contacts; i++) {
            const utContact* c = &step->contact[i];
            const int a = carrier_of(model, c->geom1), b = carrier_of(model, c->geom2);
            if ((one >= 0 && (one == a || one == b)) || (two >= 0 && (two == a || two == b))) {
                step->island[c->island].fallback = true;
                step->island[c->island].outcome = UT_ISLAND_THROUGH;
            }
        }
        step->through = step->through || m->centre_enters;
    }
}

utStatus ut_step_sweep(Step* step)
{
    Way way = {0};
    if (!step->scene.continuous) {
        return UT_OK;
    }
    UT_TRY(look_along(step, step->v_next, false, &way));
    double bad = way.meetings > 0 ? HUGE_VAL : 0.0;
    bool solved = true;
    Step best = *step;
    Way best_way = way;
    for (int pass = 0; pass < PASSES && bad > 0.0 && solved; pass++) {
        find_moments(step->sim->model, &way);
        UT_TRY(try_pass(step, &way, pass >= WHOLE, false, &solved));
        if (!solved) {
            // what overlaps on two sides has no way out within the step
            UT_TRY(try_pass(step, &way, true, true, &solved));
        }
        UT_TRY(look_along(step, step->v_next, pass + 1 >= WHOLE, &way));
        const double worse = badness(&way);
        if (pass == 0 || worse < bad) {
            bad = worse;
            best = *step;
            best_way = way;
        }
    }
    best.arena = step->arena;
    *step = best;
    flag_islands(step, &best_way);
    return UT_OK;
}

// Place the bodies as the step found them.
static utStatus undo_projection(Step* step)
{
    const int nq = step->sim->model->nq;
    memcpy(step->q, step->q_start, (size_t)nq * sizeof *step->q);
    return ut_step_look(step);
}

utStatus ut_step_check_projection(Step* step)
{
    const int nv = step->sim->model->nv;
    if (!step->scene.continuous || step->projection == NULL) {
        return UT_OK;
    }
    double* v = UT_PUSH(&step->arena, double, nv);
    if (v == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < nv; i++) {
        v[i] = step->projection[i] / step->sim->h;
    }
    UT_TRY(undo_projection(step));
    Way way = {0};
    UT_TRY(look_along(step, v, false, &way));
    bool through = false;
    for (int k = 0; k < way.meetings; k++) {
        through = through || way.meeting[k].centre_enters;
    }
    if (through) {
        step->projection = NULL;
        return UT_OK;
    }
    ut_model_integrate(step->sim->model, step->q_start, step->projection, 1.0, step->q);
    return ut_step_look(step);
}
