// SPDX-License-Identifier: Apache-2.0
// Impulses: the complementarity problem of each island, solved from a warm start.
#include <string.h>

#include <uptack/uniqueness.h>

#include "sim/step.h"
#include "sim/tolerances.h"

// ---- one island ---------------------------------------------------------------------------------

static void gather(const Step* step, const IslandProblem* problem, double* r)
{
    const size_t d = (size_t)problem->coulomb.dimension;
    for (int i = 0; i < problem->coulomb.contacts; i++) {
        ut_contact_load(problem, i, &step->active.contact[problem->contact[i]], r + d * (size_t)i);
    }
    for (int j = 0; j < problem->coulomb.bilaterals; j++) {
        r[problem->coulomb.dimension * problem->coulomb.contacts + j] =
            step->active.row[problem->row[j]].r;
    }
}

static void scatter(Step* step, const IslandProblem* problem, const double* r)
{
    const size_t d = (size_t)problem->coulomb.dimension;
    for (int i = 0; i < problem->coulomb.contacts; i++) {
        ut_contact_store(problem, i, r + d * (size_t)i, &step->active.contact[problem->contact[i]]);
    }
    for (int j = 0; j < problem->coulomb.bilaterals; j++) {
        step->active.row[problem->row[j]].r =
            r[problem->coulomb.dimension * problem->coulomb.contacts + j];
    }
}

// The velocities of the island's nodes before the step. A compliant row has that of its impulse.
// @param v dof
static void gather_velocities(const Step* step, const IslandProblem* problem, const double* r,
                              double* v)
{
    const utModel* model = step->sim->model;
    const size_t rows = (size_t)problem->coulomb.dimension * (size_t)problem->coulomb.contacts;
    for (int k = 0; k < problem->trees; k++) {
        const utModelTree* tree = &model->tree[problem->tree[k]];
        memcpy(v, step->v + tree->dof, (size_t)tree->dofs * sizeof *v);
        v += tree->dofs;
    }
    for (int j = 0; j < problem->coulomb.bilaterals; j++) {
        const double compliance = step->active.row[problem->row[j]].compliance;
        if (compliance > 0.0) {
            *v++ = compliance * r[rows + (size_t)j];
        }
    }
}

double ut_sim_rounding_gap(const utSim* sim, int contacts)
{
    const double fraction = contacts > MANY_CONTACTS ? ROUNDING_GAP_OF_MANY : ROUNDING_GAP;
    return fraction * sim->settings.tolerance;
}

// The tolerance of an island's solver.
static double choose_tolerance(const Step* step, const IslandProblem* problem)
{
    double tolerance = SOLVER_TOLERANCE * step->sim->settings.tolerance;
    for (int j = 0; j < problem->coulomb.bilaterals; j++) {
        if (ut_row_is_equality(&step->active.row[problem->row[j]])) {
            tolerance = fmin(tolerance, EQUALITY_TOLERANCE);
        }
    }
    return step->instant ? fmin(tolerance, INSTANT_TOLERANCE) : tolerance;
}

// Options of the LCP that polygonal friction sections lead to.
static void set_lcp(const Step* step, utCoulombDef* def)
{
    const utSim* sim = step->sim;
    const utOptions* options = &sim->model->options;
    def->mixed = options->mixed;
    def->rho = options->rho;
    def->scale = options->scale_dt ? step->h : 1.0;
    def->regularization = options->regularization;
    def->relaxation = options->relaxation;
    def->no_fallback = sim->settings.inexact; // the user asked for the regularized LCP
}

// Of all impulses with the same effect choose those of least norm, as long as they are certified.
static utStatus choose_least(const utSim* sim, const utCoulomb* problem, utArena scratch, double* r)
{
    utLeastInfo info;
    const utStatus status =
        ut_coulomb_least(problem, sim->settings.tolerance, scratch, r, &info, NULL);
    return status == UT_ERR_CAPACITY ? status : UT_OK;
}

// Where no solution exists, r is the vector that proves it. @return the contact with its largest
// entry, -1: none
static int find_ray_contact(const IslandProblem* problem, const utCoulombInfo* info,
                            const double* r)
{
    int at = -1;
    double most = 0.0;
    const int d = problem->coulomb.dimension;
    for (int i = 0; info->outcome == UT_COULOMB_NONE && i < problem->coulomb.contacts; i++) {
        if (r[d * i] > most) {
            most = r[d * i];
            at = problem->contact[i];
        }
    }
    return at;
}

// Solved, or out of iterations within the step's own tolerance.
// @param tolerance of the solver, which is stricter
static bool is_solved(const utCoulombInfo* info, double tolerance)
{
    const utCoulombVerdict* verdict = &info->verdict;
    const double enough = tolerance / SOLVER_TOLERANCE;
    if (info->outcome != UT_COULOMB_ITERATIONS) {
        return info->outcome == UT_COULOMB_SOLVED;
    }
    return verdict->E <= enough && verdict->bilateral <= 0.1 * enough &&
           verdict->cone <= CONE_TOLERANCE;
}

static utIslandOutcome find_outcome(const utSim* sim, bool solved, utCoulombOutcome outcome)
{
    static const utIslandOutcome outcomes[] = {[UT_COULOMB_SOLVED] = UT_ISLAND_SOLVED,
                                               [UT_COULOMB_ITERATIONS] = UT_ISLAND_ITERATIONS,
                                               [UT_COULOMB_CONVEX] = UT_ISLAND_CONVEX,
                                               [UT_COULOMB_NONE] = UT_ISLAND_NONE};
    return solved                                                      ? UT_ISLAND_SOLVED
           : sim->settings.inexact && outcome == UT_COULOMB_ITERATIONS ? UT_ISLAND_INEXACT
                                                                       : outcomes[outcome];
}

utStatus ut_step_solve_island(Step* step, int island, bool warm)
{
    utSim* sim = step->sim;
    if (sim->settings.tier == UT_TIER_BUDGET) {
        return ut_budget_sweep_island(step, island);
    }
    utArena arena = step->arena;
    IslandProblem problem;
    UT_TRY(ut_contact_problem(&step->scene, &sim->work.mass, island, step->active.contacts,
                              step->active.contact, step->active.rows, step->active.row,
                              &sim->settings.section, &arena, &problem));
    double* r = UT_PUSH(&arena, double, ut_coulomb_rows(&problem.coulomb));
    double* v_start = UT_PUSH(&arena, double, problem.coulomb.dof);
    if (ut_arena_failed(&arena)) {
        return UT_ERR_CAPACITY;
    }
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    UT_TRY(ut_contact_velocity_scale(&step->scene, &problem, step->active.contact, arena,
                                     &problem.coulomb.speed));
    def.trusted = true; // ut_contact_problem made it
    def.plan = step->plan != NULL ? step->plan : &sim->work.plan;
    def.tolerance = choose_tolerance(step, &problem);
    ut_contact_ignore_rounding(ut_sim_rounding_gap(sim, problem.coulomb.contacts), &problem);
    def.warm_start = warm;
    def.convex = sim->settings.traits->convex;
    def.lcp = sim->settings.lcp_solver;
    set_lcp(step, &def);
    if (step->attempt.hasty && problem.coulomb.contacts > MANY_CONTACTS) {
        def.max_iterations = HASTY * sim->model->nv;
        def.no_fallback = true;
    }
    gather(step, &problem, r);
    gather_velocities(step, &problem, r, v_start);
    def.v_start = v_start;
    UT_TRY(ut_coulomb_solve(&problem.coulomb, sim->settings.solver, &def, arena, r, &info));
    if (sim->model->options.minnorm && info.outcome == UT_COULOMB_SOLVED) {
        UT_TRY(choose_least(sim, &problem.coulomb, arena, r));
    }
    scatter(step, &problem, r);
    step->summary.iterations += info.iterations;
    const bool solved = is_solved(&info, def.tolerance);
    step->active.island[island] = (utIsland){
        .contacts = problem.coulomb.contacts,
        .rows = problem.coulomb.bilaterals,
        .trees = problem.trees,
        .rung = info.rung,
        .outcome = find_outcome(sim, solved, info.outcome),
        .iterations = info.iterations,
        .solved = solved,
        .fallback = !solved,
        .E = info.verdict.E,
        .V = info.verdict.V,
        .ray = find_ray_contact(&problem, &info, r),
    };
    return UT_OK;
}

// ---- all islands --------------------------------------------------------------------------------

bool ut_step_all_solved(const Step* step)
{
    bool solved = true;
    for (int k = 0; k < step->active.islands; k++) {
        solved = solved && step->active.island[k].solved;
    }
    return solved;
}

utStatus ut_step_find_impulses(Step* step)
{
    utSim* sim = step->sim;
    ActiveSet* active = &step->active;
    int* root = UT_PUSH(&step->arena, int, 2 * sim->model->ntree);
    if (root == NULL) {
        return UT_ERR_CAPACITY;
    }
    active->islands = ut_contact_islands(sim->model, active->contacts, active->contact,
                                         active->rows, active->row, root);
    IslandIndex* index = UT_PUSH(&step->arena, IslandIndex, 1);
    active->island = UT_PUSH(&step->arena, utIsland, active->islands);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_contact_index(sim->model, active->islands, active->contacts, active->contact,
                            active->rows, active->row, root, &step->arena, index));
    step->scene.index = index;
    const bool warm =
        ut_warm_start(step->warm.count, step->warm.impulse, step->warm_scale, active->contacts,
                      active->contact, active->rows, active->row) > 0;
    if (active->islands > 0) {
        ut_step_find_mass(step);
    }
    if (sim->settings.tier == UT_TIER_BUDGET) {
        return ut_budget_sweep(step);
    }
    for (int k = 0; sim->settings.traits->acceleration && k < active->islands; k++) {
        UT_TRY(ut_step_solve_acceleration(step, k));
    }
    return sim->settings.traits->acceleration ? UT_OK : ut_step_solve_islands(step, warm);
}

// ---- contact states -----------------------------------------------------------------------------

// Does the kinetic law of accelerations act?
static bool slides(const ActiveSet* active, int i)
{
    return active->slip != NULL && (active->slip[2 * i] != 0.0 || active->slip[2 * i + 1] != 0.0);
}

// The velocity scale of each island: that of its E, and at least the largest velocity that its
// contacts end with. The latter alone is not enough, because an impact that leaves everything at
// rest ends with rounding only. @param V islands
static void find_scales(const Step* step, double* V)
{
    const ActiveSet* active = &step->active;
    const double fall = step->h * ut_vec3_norm(step->sim->model->options.gravity);
    for (int k = 0; k < active->islands; k++) {
        V[k] = fmax(fall, active->island[k].V);
    }
    for (int i = 0; i < active->contacts; i++) {
        const utContact* c = &active->contact[i];
        const double u = sqrt(c->u[0] * c->u[0] + c->u[1] * c->u[1] + c->u[2] * c->u[2]);
        V[c->island] = fmax(V[c->island], u);
    }
}

utStatus ut_step_name_states(Step* step)
{
    const ActiveSet* active = &step->active;
    utArena scratch = step->arena;
    double* V = UT_PUSH(&scratch, double, active->islands);
    if (V == NULL) {
        return UT_ERR_CAPACITY;
    }
    find_scales(step, V);
    for (int i = 0; i < active->contacts; i++) {
        utContact* c = &active->contact[i];
        const double slow = SLIP_FRACTION * V[c->island];
        const double slip = sqrt(c->u[1] * c->u[1] + c->u[2] * c->u[2]);
        // the impulse of a contact that separates is rounding
        const bool open = !(c->r[0] > 0.0) || c->u[0] > slow;
        c->state = c->rebound > 0.0 && c->r[0] > 0.0  ? UT_CONTACT_IMPACT
                   : open                             ? UT_CONTACT_OPEN
                   : slip > slow || slides(active, i) ? UT_CONTACT_SLIP
                                                      : UT_CONTACT_STICK;
    }
    return UT_OK;
}

// ---- rounding -----------------------------------------------------------------------------------

// Remove the impulses of contacts that separate, because bodies in free flight must move as if there
// was no contact: E <= 1e-8 leaves r_n <= 1e-8 m V where u_n > 1e-6 V.
// @param V islands of work @param dropped islands: those with such an impulse @return is there one?
static bool drop_impulses(Step* step, double* V, bool* dropped)
{
    const ActiveSet* active = &step->active;
    bool any = false;
    find_scales(step, V);
    memset(dropped, 0, (size_t)active->islands * sizeof *dropped);
    for (int i = 0; i < active->contacts; i++) {
        utContact* c = &active->contact[i];
        const bool separates = c->u[0] > SLIP_FRACTION * V[c->island];
        if (c->r[0] > 0.0 && separates && !active->island[c->island].fallback) {
            memset(c->r, 0, sizeof c->r);
            memset(c->torque, 0, sizeof c->torque);
            dropped[c->island] = true;
            any = true;
        }
    }
    return any;
}

utStatus ut_step_drop_rounding(Step* step)
{
    const int islands = step->active.islands;
    bool* dropped = UT_PUSH(&step->arena, bool, islands);
    double* V = UT_PUSH(&step->arena, double, islands);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    if (!drop_impulses(step, V, dropped)) {
        return UT_OK;
    }
    // solve these islands again, because their velocity scale may have changed
    for (int k = 0; k < islands; k++) {
        if (dropped[k]) {
            UT_TRY(ut_step_solve_island(step, k, true));
        }
    }
    UT_TRY(ut_step_advance(step));
    return drop_impulses(step, V, dropped) ? ut_step_advance(step) : UT_OK;
}
