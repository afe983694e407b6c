// SPDX-License-Identifier: Apache-2.0
// Fast bodies: no tunnelling within a step.
//
// Contacts are taken at the step's start, which says little about the obstacles of a body that flies
// a long way or turns by a radian. So the path of the solution is swept (ut_contact_sweep). Trees
// that meet something at the fraction s of the step have their contacts taken there: at q ⊕ h v_ahead
// with v_ahead = s v, as in a re-linearisation,
//
//     b_n = gap / h - J_n v_ahead
//
// and the problem is solved again, until the path is clear. All other trees keep their contacts.
//
// Rows are right to first order in the rotation beyond q ⊕ h v_ahead, which may be many radians. So
// each pair has a second contact for the body's centre of mass (contact/detect/fast_body_contacts.c). After some
// passes pairs whose centres still pass through have the contact of the centre only, taken where the
// centre arrives. A path that grazes an obstacle and ends clear of it is accepted. Of several solutions the
// one with the least overlap at its end is accepted. A body that still passes through is flagged.
#include <string.h>

#include "sim/step.h"
#include "sim/tolerances.h"

enum {
    SHAPE_PASSES = 6, // passes with the contacts of whole shapes
    MAX_PASSES = 12,
};
static const double NO_HIT = 2.0; // fraction of the step: after its end

static bool has_fast(const utModel* model)
{
    for (int b = 0; b < model->nbody; b++) {
        if (model->body[b].fast) {
            return true;
        }
    }
    return false;
}

bool ut_sim_sweeps(const utSim* sim)
{
    const utFormulationTraits* formulation = sim->settings.traits;
    return formulation->gap != UT_GAP_NONE && !formulation->events &&
           sim->model->options.planar == UT_PLANAR_NONE && has_fast(sim->model);
}

// ---- the path -----------------------------------------------------------------------------------

// Where the path of a solution meets obstacles.
typedef struct Path {
    SweepHit* hit;
    int hits;
    double* at; // ntree + nmocap: fraction of the step at which its contacts are taken; NO_HIT
} Path;

// Sweep the path from q to q ⊕ h v; the bodies are placed at q.
static utStatus sweep_path(Step* step, const double* v, bool by_centre, Path* path)
{
    utSim* sim = step->sim;
    const utModel* model = sim->model;
    ContactScene scene = step->scene;
    scene.kin = &sim->work.kin;
    scene.v_ahead = NULL;
    scene.v_next = v;
    int pairs = 0;
    Sweep sweep = {
        .scene = &scene,
        .q = step->q,
        .v = v,
        .by_centre = by_centre,
        .mocap_pos = step->start.mocap_pos,
        .mocap_quat = step->start.mocap_quat,
        .q_at = UT_PUSH(&step->arena, double, model->nq),
    };
    path->at = UT_PUSH(&step->arena, double, model->ntree + model->nmocap);
    UT_TRY(ut_motion_bounds_create(model, &step->arena, &scene.bounds));
    UT_TRY(ut_kinematics_create(model, &step->arena, &sweep.placed));
    for (;;) {
        int* pair = ut_arena_push(&step->arena, (size_t)sim->work.max_pairs, 2 * sizeof *pair);
        path->hit = UT_PUSH(&step->arena, SweepHit, sim->work.max_pairs);
        if (ut_arena_failed(&step->arena)) {
            return UT_ERR_CAPACITY;
        }
        const utStatus status = ut_contact_sweep(&sweep, sim->work.broad, sim->work.max_pairs, pair,
                                                 &pairs, path->hit, &path->hits);
        if (status != UT_ERR_CAPACITY || pairs <= sim->work.max_pairs) {
            return status;
        }
        sim->work.max_pairs = 2 * pairs;
    }
}

// The tree that moves a geom, or ntree + its mocap body; -1: a fixed geom.
static int carrier_of(const utModel* model, int geom)
{
    const int body = model->geom[geom].body;
    const int tree = model->body[body].tree;
    const int mocap = tree < 0 ? ut_contact_mocap(model, body) : -1;
    return mocap < 0 ? tree : model->ntree + mocap;
}

static void reduce(double* x, double to, bool* changed)
{
    if (x != NULL && to < *x) {
        *x = to;
        *changed = true;
    }
}

// The fraction at which each tree or mocap body first meets something. Bodies that meet each other
// have the same fraction.
static void find_fractions(const utModel* model, Path* path)
{
    for (int t = 0; t < model->ntree + model->nmocap; t++) {
        path->at[t] = NO_HIT;
    }
    bool changed = false;
    // each round spreads a fraction over one more hit
    for (int round = 0; round < model->ntree + model->nmocap; round++) {
        for (int k = 0; k < path->hits; k++) {
            const SweepHit* m = &path->hit[k];
            const int one = carrier_of(model, m->geom1), two = carrier_of(model, m->geom2);
            double at = m->fraction;
            at = one >= 0 ? fmin(at, path->at[one]) : at;
            at = two >= 0 ? fmin(at, path->at[two]) : at;
            reduce(one >= 0 ? &path->at[one] : NULL, at, &changed);
            reduce(two >= 0 ? &path->at[two] : NULL, at, &changed);
        }
        if (!changed) {
            break;
        }
        changed = false;
    }
}

// ---- contacts on the path -----------------------------------------------------------------------

static utStatus linearize_at_hits(Step* step, const Path* path)
{
    const utModel* model = step->sim->model;
    double* v_ahead = UT_PUSH(&step->arena, double, model->nv);
    double* mocap_fraction = UT_PUSH(&step->arena, double, model->nmocap);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < model->nv; i++) {
        const double at = path->at[model->body[model->dof_body[i]].tree];
        v_ahead[i] = at <= 1.0 ? at * step->v_next[i] : ut_step_v_ahead(step, i);
    }
    for (int m = 0; m < model->nmocap; m++) {
        const double at = path->at[model->ntree + m];
        mocap_fraction[m] = at <= 1.0 ? at : ut_step_mocap_fraction(step, m);
    }
    return ut_step_linearize_at(step, v_ahead, mocap_fraction);
}

// The largest overlap at the end of the path, m; HUGE_VAL: a body passes through. A body that ends
// clear of an obstacle on its own side has only grazed it.
static double find_end_overlap(const Path* path)
{
    double worst = 0.0;
    for (int k = 0; k < path->hits; k++) {
        worst = fmax(worst, path->hit[k].centre_enters ? HUGE_VAL : path->hit[k].depth);
    }
    return worst;
}

// Choose pairs that have the contact of the centre only: pairs that pass through, or all that meet.
static utStatus choose_centre_hits(Step* step, const Path* path, bool through, bool all)
{
    SweepHit* hit = UT_PUSH(&step->arena, SweepHit, path->hits);
    if (hit == NULL) {
        return UT_ERR_CAPACITY;
    }
    step->scene.centre_hit = hit;
    step->scene.centre_hit_count = 0;
    for (int k = 0; k < path->hits; k++) {
        if (all || (through && path->hit[k].centre_enters)) {
            hit[step->scene.centre_hit_count++] = path->hit[k];
        }
    }
    return UT_OK;
}

// Solved with a margin, because the certificate computes the velocity scale at q ⊕ h v_ahead.
static bool all_solved_well(const Step* step)
{
    bool solved = true;
    if (step->sim->settings.tier == UT_TIER_BUDGET) {
        return true; // sweeps take every problem as it is
    }
    for (int k = 0; k < step->active.islands; k++) {
        solved = solved && step->active.island[k].solved &&
                 step->active.island[k].E <= SOLVER_TOLERANCE * step->sim->settings.tolerance;
    }
    return solved;
}

// Take contacts where trees meet something and solve. @param solved false: the step is unchanged
static utStatus try_pass(Step* step, const Path* path, bool through, bool all, bool* solved)
{
    const Step before = *step;
    UT_TRY(choose_centre_hits(step, path, through, all));
    UT_TRY(linearize_at_hits(step, path));
    UT_TRY(ut_step_solve(step));
    *solved = all_solved_well(step);
    if (!*solved) {
        const utArena used = step->arena;
        *step = before;
        step->arena = used;
    }
    return UT_OK;
}

// Flag the islands of bodies that pass through an obstacle.
static void flag_islands(Step* step, const Path* path)
{
    const utModel* model = step->sim->model;
    for (int k = 0; k < path->hits; k++) {
        const SweepHit* m = &path->hit[k];
        const int one = carrier_of(model, m->geom1), two = carrier_of(model, m->geom2);
        for (int i = 0; m->centre_enters && i < step->active.contacts; i++) {
            const utContact* c = &step->active.contact[i];
            const int a = carrier_of(model, c->geom1), b = carrier_of(model, c->geom2);
            if ((one >= 0 && (one == a || one == b)) || (two >= 0 && (two == a || two == b))) {
                step->active.island[c->island].fallback = true;
                step->active.island[c->island].outcome = UT_ISLAND_THROUGH;
            }
        }
        step->summary.flagged = step->summary.flagged || m->centre_enters;
    }
}

utStatus ut_step_sweep(Step* step)
{
    Path path = {0};
    if (!step->scene.continuous) {
        return UT_OK;
    }
    UT_TRY(sweep_path(step, step->v_next, false, &path));
    double overlap = path.hits > 0 ? HUGE_VAL : 0.0;
    bool solved = true;
    Step best = *step;
    Path best_path = path;
    for (int pass = 0; pass < MAX_PASSES && overlap > 0.0 && solved; pass++) {
        find_fractions(step->sim->model, &path);
        UT_TRY(try_pass(step, &path, pass >= SHAPE_PASSES, false, &solved));
        if (!solved) {
            // a body that overlaps on two sides cannot get out within the step
            UT_TRY(try_pass(step, &path, true, true, &solved));
        }
        UT_TRY(sweep_path(step, step->v_next, pass + 1 >= SHAPE_PASSES, &path));
        const double end_overlap = find_end_overlap(&path);
        if (pass == 0 || end_overlap < overlap) {
            overlap = end_overlap;
            best = *step;
            best_path = path;
        }
    }
    best.arena = step->arena;
    *step = best;
    flag_islands(step, &best_path);
    return UT_OK;
}

// Back to the start positions.
static utStatus undo_projection(Step* step)
{
    const int nq = step->sim->model->nq;
    memcpy(step->q, step->start.q, (size_t)nq * sizeof *step->q);
    return ut_step_set_up(step);
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
        v[i] = step->projection[i] / step->h;
    }
    UT_TRY(undo_projection(step));
    Path path = {0};
    UT_TRY(sweep_path(step, v, false, &path));
    bool through = false;
    for (int k = 0; k < path.hits; k++) {
        through = through || path.hit[k].centre_enters;
    }
    if (through) {
        step->projection = NULL;
        return UT_OK;
    }
    ut_model_integrate(step->sim->model, step->start.q, step->projection, 1.0, step->q);
    return ut_step_set_up(step);
}
