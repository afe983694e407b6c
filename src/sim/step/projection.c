// SPDX-License-Identifier: Apache-2.0
// Projection: positions move out of overlaps and onto equalities by the least displacement in the
// metric of M. Velocities do not change. It is the frictionless problem with gaps in place of
// velocities,
//
//     M dq = J_n' s + J_e' y,    0 <= s ⟂ J_n dq + gap >= 0,    J_e dq + Phi = 0
//
// over contacts, limits and equalities. Overlaps are rare, because solves are exact: they remain
// after impacts on curved paths, or a model begins with them. A step on a curved path leaves an error
// of order h^2 in equalities, and one pass leaves an error of second order in that.
//
// Contacts in motion leave gaps of order h^2, too. A large pile has loops of contacts that no motion closes together
// when they have such gaps, so that a few of them must open, and finding out which is a hard problem. Where no solver
// answers it, small gaps are closed before the step: the same problem with contacts that also pull,
//
//     M dq = J_n' (s - p),    0 <= s ⟂ J_n dq + gap + 2 depth >= 0,    0 <= p ⟂ -(J_n dq + gap + depth) >= 0
#include <string.h>

#include "sim/step.h"
#include "sim/tolerances.h"

enum {
    MAX_FACTORIZATIONS = 60, // of an island: a problem without solution must end
    MAX_PASSES = 4,          // of Newton's iteration on equalities
};

static bool overlaps(const Step* step)
{
    bool found = false;
    for (int i = 0; i < step->active.contacts; i++) {
        found = found || step->active.contact[i].gap < -PROJECTED_OVERLAP;
    }
    for (int j = 0; j < step->active.rows; j++) {
        const utRow* row = &step->active.row[j];
        found = found || (ut_row_is_limit(row) && row->gap * row->length < -PROJECTED_OVERLAP);
    }
    return found;
}

bool ut_step_violates_equalities(const Step* step)
{
    bool found = false;
    for (int j = 0; j < step->active.rows; j++) {
        const utRow* row = &step->active.row[j];
        found =
            found || (ut_row_is_equality(row) && fabs(row->length * row->gap) > PROJECTED_OVERLAP);
    }
    return found;
}

// Contacts and rows of a projection, with gaps in place of velocities.
typedef struct Gaps {
    int contacts, rows;
    utContact* contact;
    utRow* row;
    utCoulombSolver solver;
    double tolerance; // of the solver
} Gaps;

// @param contacts room for so many
static utStatus push_gaps(Step* step, int contacts, Gaps* gaps)
{
    *gaps = (Gaps){.solver = UT_COULOMB_AUTO, .tolerance = ut_coulomb_def().tolerance};
    gaps->contact = UT_PUSH(&step->arena, utContact, contacts);
    gaps->row = UT_PUSH(&step->arena, utRow, step->active.rows);
    return ut_arena_failed(&step->arena) ? UT_ERR_CAPACITY : UT_OK;
}

// Add a contact without friction.
static utContact* add_contact(const utContact* c, double gap, Gaps* gaps)
{
    utContact* added = &gaps->contact[gaps->contacts++];
    *added = *c;
    added->mu = 0.0;
    added->torsional = 0.0;
    added->rolling = 0.0;
    added->b[0] = gap;
    added->b[1] = 0.0;
    added->b[2] = 0.0;
    memset(added->r, 0, sizeof added->r);
    return added;
}

// Limits and equalities.
static void add_rows(const Step* step, Gaps* gaps)
{
    for (int j = 0; j < step->active.rows; j++) {
        const utRow* row = &step->active.row[j];
        if (ut_row_is_limit(row) || ut_row_is_equality(row)) {
            utRow* added = &gaps->row[gaps->rows++];
            *added = *row;
            added->b = row->length * row->gap;
            added->r = 0.0;
        }
    }
}

// All contacts, limits and equalities, which push.
static utStatus copy_with_gaps(Step* step, Gaps* gaps)
{
    UT_TRY(push_gaps(step, step->active.contacts, gaps));
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
        add_contact(c, c->gap, gaps);
    }
    add_rows(step, gaps);
    return UT_OK;
}

// Contacts with gaps up to `most` pull, so that they end with an overlap of 1 to 2 times a small depth, because the
// solver's error is to leave none of them open; those that overlap already may open to 0. All contacts push.
// @param open receives the number of open contacts that pull
static utStatus copy_small_gaps(Step* step, double most, Gaps* gaps, int* open)
{
    const double depth = CLOSING_DEPTH * most;
    *open = 0;
    UT_TRY(push_gaps(step, 2 * step->active.contacts, gaps));
    gaps->solver =
        UT_COULOMB_IPM; // without friction it does not stall, and needs 20 to 30 factorizations
    gaps->tolerance = CLOSING_TOLERANCE;
    for (int i = 0; i < step->active.contacts; i++) {
        const utContact* c = &step->active.contact[i];
        const bool pulls = c->gap <= most;
        const bool closed = c->gap <= 0.0;
        add_contact(c, !pulls ? c->gap : closed ? depth : c->gap + 2.0 * depth, gaps);
        if (pulls) {
            // its sides are exchanged, but not its frame
            utContact* added = add_contact(c, closed ? -c->gap : -(c->gap + depth), gaps);
            added->geom1 = c->geom2;
            added->geom2 = c->geom1;
            *open += !closed;
        }
    }
    add_rows(step, gaps);
    return UT_OK;
}

// Solve one island; contacts and rows receive s and y.
static utStatus solve_island(Step* step, const ContactScene* scene, int island, const Gaps* gaps)
{
    utContact* contact = gaps->contact;
    utRow* row = gaps->row;
    utArena arena = step->arena;
    IslandProblem problem;
    UT_TRY(ut_contact_problem(scene, &step->sim->work.mass, island, gaps->contacts, contact,
                              gaps->rows, row, &step->sim->settings.section, &arena, &problem));
    double* r = UT_PUSH(&arena, double, ut_coulomb_rows(&problem.coulomb));
    if (r == NULL) {
        return UT_ERR_CAPACITY;
    }
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    for (int j = 0; j < problem.coulomb.bilaterals; j++) {
        if (ut_row_is_equality(&row[problem.row[j]])) {
            problem.coulomb.speed = PROJECTION_SCALE;
        }
    }
    def.no_fallback = true;
    def.max_iterations = MAX_FACTORIZATIONS;
    def.tolerance = gaps->tolerance;
    UT_TRY(ut_coulomb_solve(&problem.coulomb, gaps->solver, &def, arena, r, &info));
    for (int i = 0; i < problem.coulomb.contacts; i++) {
        contact[problem.contact[i]].r[0] = r[problem.coulomb.dimension * i];
    }
    for (int j = 0; j < problem.coulomb.bilaterals; j++) {
        row[problem.row[j]].r = r[problem.coulomb.dimension * problem.coulomb.contacts + j];
    }
    return UT_OK;
}

// The displacement of all islands. @param dq nv
static utStatus find_displacement(Step* step, const Gaps* gaps, double* dq)
{
    const utModel* model = step->sim->model;
    const int contacts = gaps->contacts, rows = gaps->rows;
    utContact* contact = gaps->contact;
    utRow* row = gaps->row;
    double* zero = UT_PUSH(&step->arena, double, model->nv);
    double* impulse = UT_PUSH(&step->arena, double, model->nv);
    int* root = UT_PUSH(&step->arena, int, 2 * model->ntree);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    memset(zero, 0, (size_t)model->nv * sizeof *zero);
    const int islands = ut_contact_islands(model, contacts, contact, rows, row, root);
    IslandIndex index;
    UT_TRY(
        ut_contact_index(model, islands, contacts, contact, rows, row, root, &step->arena, &index));
    ContactScene scene = step->scene;
    scene.v_free = zero;
    scene.index = &index;
    ut_step_find_mass(step);
    for (int k = 0; k < islands; k++) {
        UT_TRY(solve_island(step, &scene, k, gaps));
    }
    memset(impulse, 0, (size_t)model->nv * sizeof *impulse);
    UT_TRY(
        ut_contact_generalized_impulse(&scene, contacts, contact, rows, row, step->arena, impulse));
    return ut_dyn_respond(&step->sim->work.kin, impulse, step->free.diagonal, NULL, step->arena,
                          dq);
}

// Move step->q by dq, scaled down to the largest displacement. @return false when dq is not finite
static bool displace(Step* step, double* dq)
{
    const utModel* model = step->sim->model;
    double most = 0.0;
    for (int k = 0; k < model->nv; k++) {
        most = fmax(most, fabs(dq[k]));
    }
    for (int k = 0; most > MAX_PROJECTION && k < model->nv; k++) {
        dq[k] *= MAX_PROJECTION / most;
    }
    if (!isfinite(most)) {
        return false;
    }
    ut_model_integrate(model, step->q, dq, 1.0, step->q);
    if (step->projection != NULL) {
        // report one displacement for all passes, and use the positions that it leads to
        ut_model_difference(model, step->start.q, step->q, dq);
        ut_model_integrate(model, step->start.q, dq, 1.0, step->q);
    }
    step->projection = dq;
    return true;
}

utStatus ut_step_close_gaps(Step* step)
{
    Gaps gaps;
    int open;
    double* dq = UT_PUSH(&step->arena, double, step->sim->model->nv);
    if (dq == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(copy_small_gaps(step, step->attempt.closing, &gaps, &open));
    if (open == 0) {
        return UT_OK;
    }
    UT_TRY(find_displacement(step, &gaps, dq));
    return displace(step, dq) ? ut_step_set_up(step) : UT_OK;
}

utStatus ut_step_project(Step* step)
{
    const utModel* model = step->sim->model;
    bool violated = step->sim->settings.traits->projects && ut_step_violates_equalities(step);
    bool removable = false;
    if (violated) {
        UT_TRY(ut_step_find_loose(step, &removable));
    }
    if (!step->sim->settings.traits->projects || !(overlaps(step) || removable)) {
        return UT_OK;
    }
    for (int pass = 0; pass < MAX_PASSES && (pass == 0 || (violated && !step->loose)); pass++) {
        double* dq = UT_PUSH(&step->arena, double, model->nv);
        if (dq == NULL) {
            return UT_ERR_CAPACITY;
        }
        Gaps gaps;
        UT_TRY(copy_with_gaps(step, &gaps));
        UT_TRY(find_displacement(step, &gaps, dq));
        if (!displace(step, dq)) {
            return UT_OK;
        }
        // forces, M and contacts depend on positions
        UT_TRY(ut_step_set_up(step));
        violated = ut_step_violates_equalities(step);
    }
    return UT_OK;
}
