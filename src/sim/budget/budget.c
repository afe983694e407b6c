// SPDX-License-Identifier: Apache-2.0
// The tier budget: a fixed number of Gauss-Seidel sweeps per step instead of a solution within the
// tolerance.
//
// A step detects contacts once and has the same problem as in the tier exact: M (v - v*) = J'r with the
// law of every contact, b_n = max(gap, 0) / h included. The sweeps begin with the impulses of the last
// step. Overlaps that they leave do not enter the law. Further sweeps displace the bodies instead,
//
//     q+ = q ⊕ (h v+ + dq),    0 <= s ⟂ J_n dq + c >= 0
//
// with c the gap that the step ends with, or a fraction of it where it is an overlap, so that an overlap
// decays from step to step and adds no velocity. Limits and equalities are corrected likewise.
#include <math.h>
#include <string.h>

#include "sim/step.h"
#include "sim/tolerances.h"
#include "sweep/sweep.h"

// Of the sweeps, those that displace the bodies; at least 2.
static const double DISPLACING_SHARE = 0.5;

// The fraction of an overlap that one step removes. Linearized gaps of bodies that turn are not exact, so
// that a fraction of 1 would overshoot.
static const double REMOVED_FRACTION = 0.4;

// A smaller gap or overlap is rounding of the positions, m.
static const double ROUNDED_GAP = 1e-13;

// Sweeps of a second pass, when bodies came within reach of others unforeseen: it begins where the first
// pass ended.
static const double SECOND_SHARE = 0.5;

typedef struct BudgetProblem {
    IslandIndex index;
    IslandProblem island;
    SweepProblem sweep;
    double* r;
    int sweeps; // that were made
} BudgetProblem;

// ---- impulses -----------------------------------------------------------------------------------

static void gather(const Step* step, BudgetProblem* b)
{
    const utCoulomb* c = &b->island.coulomb;
    for (int i = 0; i < c->contacts; i++) {
        ut_contact_load(&b->island, i, &step->active.contact[b->island.contact[i]],
                        b->r + (size_t)c->dimension * (size_t)i);
    }
    for (int j = 0; j < c->bilaterals; j++) {
        b->r[c->dimension * c->contacts + j] = step->active.row[b->island.row[j]].r;
    }
}

static void scatter(Step* step, const BudgetProblem* b)
{
    const utCoulomb* c = &b->island.coulomb;
    for (int i = 0; i < c->contacts; i++) {
        ut_contact_store(&b->island, i, b->r + (size_t)c->dimension * (size_t)i,
                         &step->active.contact[b->island.contact[i]]);
    }
    for (int j = 0; j < c->bilaterals; j++) {
        step->active.row[b->island.row[j]].r = b->r[c->dimension * c->contacts + j];
    }
}

// The island of each contact and row of the problem.
static utStatus find_parts(const Step* step, const IslandProblem* p, utArena* arena, int** part)
{
    const utCoulomb* c = &p->coulomb;
    *part = UT_PUSH(arena, int, c->contacts + c->bilaterals);
    if (*part == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < c->contacts; i++) {
        (*part)[i] = step->active.contact[p->contact[i]].island;
    }
    for (int j = 0; j < c->bilaterals; j++) {
        (*part)[c->contacts + j] = step->active.row[p->row[j]].island;
    }
    return UT_OK;
}

// Assemble and sweep. @param index with the one island that the problem consists of
static utStatus sweep(Step* step, const IslandIndex* index, int island, BudgetProblem* b)
{
    utSim* sim = step->sim;
    ActiveSet* active = &step->active;
    ContactScene scene = step->scene;
    int* part;
    scene.index = index;
    ut_step_find_mass(step);
    UT_TRY(ut_contact_problem(&scene, &sim->work.mass, island, active->contacts, active->contact,
                              active->rows, active->row, &sim->settings.section, &step->arena,
                              &b->island));
    b->r = UT_PUSH(&step->arena, double, ut_coulomb_rows(&b->island.coulomb));
    UT_TRY(find_parts(step, &b->island, &step->arena, &part));
    if (b->r == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_sweep_prepare(&b->island.coulomb, active->islands, part, &step->arena, &b->sweep));
    gather(step, b);
    const int all = sim->settings.sweeps;
    const int again = (int)ceil(SECOND_SHARE * (double)all);
    b->sweeps = ut_sweep_solve(&b->sweep, step->scene.v_next == NULL ? all : again, b->r);
    scatter(step, b);
    return UT_OK;
}

static void describe(Step* step, int island, int sweeps)
{
    const IslandIndex* index = step->scene.index;
    step->active.island[island] = (utIsland){
        .contacts = index->first_contact[island + 1] - index->first_contact[island],
        .rows = index->first_row[island + 1] - index->first_row[island],
        .trees = index->first_tree[island + 1] - index->first_tree[island],
        .rung = UT_RUNG_BUDGET,
        .outcome = UT_ISLAND_SWEPT,
        .iterations = sweeps,
        .ray = -1,
    };
}

utStatus ut_budget_sweep(Step* step)
{
    const ActiveSet* active = &step->active;
    step->swept = NULL;
    if (active->islands == 0) {
        return UT_OK;
    }
    BudgetProblem* b = UT_PUSH(&step->arena, BudgetProblem, 1);
    if (b == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_contact_index_all(step->sim->model, active->contacts, active->contact, active->rows,
                                active->row, &step->arena, &b->index));
    UT_TRY(sweep(step, &b->index, 0, b));
    for (int k = 0; k < active->islands; k++) {
        describe(step, k, b->sweeps);
    }
    step->summary.iterations += b->sweeps;
    step->swept = b;
    return UT_OK;
}

utStatus ut_budget_sweep_island(Step* step, int island)
{
    const utArena before = step->arena;
    BudgetProblem b;
    const utStatus status = sweep(step, step->scene.index, island, &b);
    step->arena = before;
    UT_TRY(status);
    describe(step, island, b.sweeps);
    return UT_OK;
}

// ---- positions ----------------------------------------------------------------------------------

static double corrected_gap(double gap)
{
    if (fabs(gap) <= ROUNDED_GAP) {
        return 0.0;
    }
    return gap >= 0.0 ? gap : fmax(REMOVED_FRACTION * gap, -MAX_PROJECTION);
}

// The gap of a contact at the end of the step. b_n includes a positive gap over h, and ahead of the start
// an overlap, too.
static double end_gap(const Step* step, const utContact* c)
{
    const bool counted = c->gap > 0.0 || ut_contact_counts_overlap(&step->scene);
    return step->h * c->u[0] + (counted ? 0.0 : c->gap);
}

// Gaps and bounds of a row: limits and equalities take part.
static double row_gap(const Step* step, const utRow* row, double* low, double* high)
{
    const double gap = row->length * row->gap;
    *low = 0.0;
    *high = HUGE_VAL;
    if (ut_row_is_limit(row)) {
        return corrected_gap(step->h * row->u + (gap > 0.0 ? 0.0 : gap));
    }
    if (ut_row_is_equality(row)) {
        *low = -HUGE_VAL;
        const double error = REMOVED_FRACTION * (gap + step->h * row->u);
        return fmax(-MAX_PROJECTION, fmin(error, MAX_PROJECTION));
    }
    return HUGE_VAL;
}

// Write the displacements of nodes to the velocities of their trees. @return is there one?
static bool write_correction(Step* step, const double* dq)
{
    const utModel* model = step->sim->model;
    const BudgetProblem* b = step->swept;
    bool any = false;
    memset(step->correction, 0, (size_t)model->nv * sizeof *step->correction);
    for (int k = 0; k < b->island.trees; k++) {
        const utModelTree* tree = &model->tree[b->island.tree[k]];
        const double* of_node = dq + b->island.blocks.start[k];
        for (int j = 0; j < tree->dofs; j++) {
            step->correction[tree->dof + j] = of_node[j];
            any = any || of_node[j] != 0.0;
        }
    }
    return any;
}

// Displace the bodies out of overlaps that the step would end with.
static utStatus correct(Step* step)
{
    const utModel* model = step->sim->model;
    BudgetProblem* b = step->swept;
    step->correction = NULL;
    if (b == NULL) {
        return UT_OK;
    }
    const utCoulomb* c = &b->island.coulomb;
    double* gap = UT_PUSH(&step->arena, double, c->contacts + c->bilaterals);
    double* low = UT_PUSH(&step->arena, double, c->bilaterals);
    double* high = UT_PUSH(&step->arena, double, c->bilaterals);
    double* dq = UT_PUSH(&step->arena, double, c->dof);
    step->correction = UT_PUSH(&step->arena, double, model->nv);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < c->contacts; i++) {
        gap[i] = corrected_gap(end_gap(step, &step->active.contact[b->island.contact[i]]));
    }
    for (int j = 0; j < c->bilaterals; j++) {
        gap[c->contacts + j] =
            row_gap(step, &step->active.row[b->island.row[j]], &low[j], &high[j]);
    }
    const int sweeps = (int)fmax(2.0, DISPLACING_SHARE * (double)step->sim->settings.sweeps);
    ut_sweep_displace(&b->sweep, sweeps, gap, low, high, dq);
    if (!write_correction(step, dq)) {
        step->correction = NULL;
    }
    return UT_OK;
}

// Planar figures have no gaps in space, and joints with limits may need rows.
static bool has_planar_or_rows(const Step* step)
{
    const utModel* model = step->sim->model;
    bool limited = false;
    for (int j = 0; j < model->njoint; j++) {
        limited = limited || model->joint[j].limited;
    }
    return limited || model->ntendon > 0 || model->nequality > 0 ||
           model->options.planar != UT_PLANAR_NONE || step->scene.continuous;
}

// Add contacts that the velocity and the correction bring within reach.
static utStatus extend(Step* step, bool* extended)
{
    const int nv = step->sim->model->nv;
    double* v_next = step->v_next;
    double* path = UT_PUSH(&step->arena, double, nv);
    if (path == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < nv; i++) {
        path[i] = v_next[i] + (step->correction != NULL ? step->correction[i] / step->h : 0.0);
    }
    bool missing = false;
    if (!has_planar_or_rows(step)) {
        UT_TRY(ut_budget_find_missing(step, path, &missing));
        if (!missing) {
            *extended = false;
            return UT_OK;
        }
        ++*step->scene.bounds.passed; // the travels are raised already: detect all the same
    }
    step->v_next = path;
    const utStatus status = ut_step_extend_active_set(step, extended);
    step->v_next = v_next;
    return status;
}

// Positions after the step, with the correction.
static utStatus displace(Step* step)
{
    const utModel* model = step->sim->model;
    utArena scratch = step->arena;
    double* moved = UT_PUSH(&scratch, double, model->nv);
    if (moved == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; step->correction != NULL && i < model->nv; i++) {
        moved[i] = step->h * step->v_next[i] + step->correction[i];
    }
    if (step->correction != NULL) {
        ut_model_integrate(model, step->q, moved, 1.0, step->next.q);
        ut_model_carry(model, step->q, step->v_next, step->next.q, step->next.v);
    }
    return UT_OK;
}

utStatus ut_budget_make(Step* step)
{
    bool extended = true;
    while (extended) {
        UT_TRY(ut_step_solve(step));
        UT_TRY(correct(step));
        UT_TRY(extend(step, &extended));
    }
    if (step->scene.continuous) {
        UT_TRY(ut_step_sweep(step));
        UT_TRY(correct(step));
    }
    return displace(step);
}
