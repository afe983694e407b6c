// SPDX-License-Identifier: Apache-2.0
// Impulses: island by island, from those of the step before.
#include <string.h>

#include <uptack/uniqueness.h>

#include "internal.h"

// The certificate finds E anew from the impulses, and not to the last bit: what the solver takes as
// solved must not be just so.
static const double OF_TOLERANCE = 0.9;

// After an instant nothing may close by more than 1e-9 V, whatever the tolerance.
static const double OF_CLOSING = 5e-10;

static const double SLIPS = 1e-6; // of the velocity scale: slower is no slip worth the name

// ---- one island ---------------------------------------------------------------------------------

static void gather(const Step* step, const IslandProblem* problem, double* r)
{
    const size_t d = (size_t)problem->coulomb.dimension;
    for (int i = 0; i < problem->coulomb.contacts; i++) {
        memcpy(r + d * (size_t)i, step->contact[problem->contact[i]].r, d * sizeof *r);
    }
    for (int j = 0; j < problem->coulomb.bilaterals; j++) {
        r[problem->coulomb.dimension * problem->coulomb.contacts + j] =
            step->row[problem->row[j]].r;
    }
}

static void scatter(Step* step, const IslandProblem* problem, const double* r)
{
    const size_t d = (size_t)problem->coulomb.dimension;
    for (int i = 0; i < problem->coulomb.contacts; i++) {
        memcpy(step->contact[problem->contact[i]].r, r + d * (size_t)i, d * sizeof *r);
    }
    for (int j = 0; j < problem->coulomb.bilaterals; j++) {
        step->row[problem->row[j]].r =
            r[problem->coulomb.dimension * problem->coulomb.contacts + j];
    }
}

// Rows of equalities are solved to a tenth of the tolerance, and judged at 1e-9 whatever that is.
static void settle_equalities(const Step* step, const IslandProblem* problem, utCoulombDef* def)
{
    static const double OF_EQUALITIES = 5e-9;
    for (int j = 0; j < problem->coulomb.bilaterals; j++) {
        if (step->row[problem->row[j]].kind == UT_ROW_EQUALITY) {
            def->tolerance = fmin(def->tolerance, OF_EQUALITIES);
        }
    }
}

// How the LCP of polygons is written.
static void set_lcp(const utSim* sim, utCoulombDef* def)
{
    const utOptions* options = &sim->model->options;
    def->mixed = options->mixed;
    def->rho = options->rho;
    def->scale = options->scale_dt ? sim->h : 1.0;
    def->regularization = options->regularization;
    def->relaxation = options->relaxation;
    def->no_fallback = sim->inexact; // what the changed LCP says is what was asked for
}

// Of all impulses with the same effect those of least norm, as long as they are certified.
static utStatus take_least(const utSim* sim, const utCoulomb* problem, utArena scratch, double* r)
{
    utLeastInfo info;
    const utStatus status = ut_coulomb_least(problem, sim->tolerance, scratch, r, &info, NULL);
    return status == UT_ERR_CAPACITY ? status : UT_OK;
}

// Where it is proved that no impulses do it, r is the proof: whose entry is the largest?
static int ray_of(const IslandProblem* problem, const utCoulombInfo* info, const double* r)
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

// Solved, or short of that by less than what was asked for beyond the tolerance.
// @param tolerance that the solver was asked for
static bool is_solved(const utCoulombInfo* info, double tolerance)
{
    static const double CONE = 1e-12;
    const utCoulombVerdict* verdict = &info->verdict;
    const double enough = tolerance / OF_TOLERANCE;
    if (info->outcome != UT_COULOMB_ITERATIONS) {
        return info->outcome == UT_COULOMB_SOLVED;
    }
    return verdict->E <= enough && verdict->bilateral <= 0.1 * enough && verdict->cone <= CONE;
}

static utIslandOutcome outcome_of(const utSim* sim, bool solved, utCoulombOutcome outcome)
{
    static const utIslandOutcome outcomes[] = {[UT_COULOMB_SOLVED] = UT_ISLAND_SOLVED,
                                               [UT_COULOMB_ITERATIONS] = UT_ISLAND_ITERATIONS,
                                               [UT_COULOMB_CONVEX] = UT_ISLAND_CONVEX,
                                               [UT_COULOMB_NONE] = UT_ISLAND_NONE};
    return solved                                             ? UT_ISLAND_SOLVED
           : sim->inexact && outcome == UT_COULOMB_ITERATIONS ? UT_ISLAND_INEXACT
                                                              : outcomes[outcome];
}

utStatus ut_step_solve_island(Step* step, int island, bool warm)
{
    utSim* sim = step->sim;
    utArena arena = step->arena;
    IslandProblem problem;
    UT_TRY(ut_contact_problem(&step->scene, &sim->mass, island, step->contacts, step->contact,
                              step->rows, step->row, &sim->section, &arena, &problem));
    double* r = UT_PUSH(&arena, double, ut_coulomb_rows(&problem.coulomb));
    if (r == NULL) {
        return UT_ERR_CAPACITY;
    }
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    def.tolerance = OF_TOLERANCE * sim->tolerance;
    settle_equalities(step, &problem, &def);
    UT_TRY(ut_contact_velocity_scale(&step->scene, &problem, step->contact, arena,
                                     &problem.coulomb.speed));
    if (step->instant) {
        def.tolerance = fmin(def.tolerance, OF_CLOSING);
    }
    def.warm_start = warm;
    def.convex = sim->formulation->convex;
    def.lcp = sim->lcp;
    set_lcp(sim, &def);
    gather(step, &problem, r);
    UT_TRY(ut_coulomb_solve(&problem.coulomb, sim->solver, &def, arena, r, &info));
    if (sim->model->options.minnorm && info.outcome == UT_COULOMB_SOLVED) {
        UT_TRY(take_least(sim, &problem.coulomb, arena, r));
    }
    scatter(step, &problem, r);
    step->iterations += info.iterations;
    const bool solved = is_solved(&info, def.tolerance);
    step->island[island] = (utIsland){
        .contacts = problem.coulomb.contacts,
        .rows = problem.coulomb.bilaterals,
        .trees = problem.trees,
        .rung = info.rung,
        .outcome = outcome_of(sim, solved, info.outcome),
        .iterations = info.iterations,
        .solved = solved,
        .fallback = !solved,
        .E = info.verdict.E,
        .V = info.verdict.V,
        .ray = ray_of(&problem, &info, r),
    };
    return UT_OK;
}

// ---- all of them --------------------------------------------------------------------------------

// By the kinetic law, on accelerations.
static bool slides(const Step* step, int i)
{
    return step->slip != NULL && (step->slip[2 * i] != 0.0 || step->slip[2 * i + 1] != 0.0);
}

// The scale of each island: the one that its E was measured by, and at least the largest velocity
// that its contacts end with. The latter alone would not do: an impact that leaves everything at
// rest ends with nothing but rounding. @param V islands
static void find_scales(const Step* step, double* V)
{
    const utSim* sim = step->sim;
    const double fall = sim->h * ut_vec3_norm(sim->model->options.gravity);
    for (int k = 0; k < step->islands; k++) {
        V[k] = fmax(fall, step->island[k].V);
    }
    for (int i = 0; i < step->contacts; i++) {
        const utContact* c = &step->contact[i];
        const double u = sqrt(c->u[0] * c->u[0] + c->u[1] * c->u[1] + c->u[2] * c->u[2]);
        V[c->island] = fmax(V[c->island], u);
    }
}

static utStatus name_states(Step* step)
{
    utArena scratch = step->arena;
    double* V = UT_PUSH(&scratch, double, step->islands);
    if (V == NULL) {
        return UT_ERR_CAPACITY;
    }
    find_scales(step, V);
    for (int i = 0; i < step->contacts; i++) {
        utContact* c = &step->contact[i];
        const double slow = SLIPS * V[c->island];
        const double slip = sqrt(c->u[1] * c->u[1] + c->u[2] * c->u[2]);
        // where it ends apart an impulse is what rounding left
        const bool open = !(c->r[0] > 0.0) || c->u[0] > slow;
        c->state = c->rebound > 0.0 && c->r[0] > 0.0 ? UT_CONTACT_IMPACT
                   : open                            ? UT_CONTACT_OPEN
                   : slip > slow || slides(step, i)  ? UT_CONTACT_SLIP
                                                     : UT_CONTACT_STICK;
    }
    return UT_OK;
}

static void mark(bool* pushed, int tree)
{
    if (tree >= 0) {
        pushed[tree] = true;
    }
}

void ut_step_pushed(const Step* step, bool* pushed)
{
    const utModel* model = step->sim->model;
    int tree[2];
    memset(pushed, 0, (size_t)model->ntree * sizeof *pushed);
    for (int i = 0; i < step->contacts; i++) {
        const utContact* c = &step->contact[i];
        if (c->r[0] != 0.0 || c->r[1] != 0.0 || c->r[2] != 0.0) {
            ut_contact_trees(model, c, tree);
            mark(pushed, tree[0]);
            mark(pushed, tree[1]);
        }
    }
    for (int j = 0; j < step->rows; j++) {
        if (step->row[j].r != 0.0) {
            ut_row_trees(model, &step->row[j], tree);
            mark(pushed, tree[0]);
            mark(pushed, tree[1]);
        }
    }
}

// All others end where the integrator's stages lead.
static void keep_free_positions(Step* step, const bool* pushed)
{
    const utModel* model = step->sim->model;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const int tree = model->body[joint->body].tree;
        if (tree >= 0 && !pushed[tree]) {
            memcpy(step->q_next + joint->q, step->q_free + joint->q,
                   (size_t)ut_joint_positions(joint->kind) * sizeof *step->q_next);
        }
    }
}

// Where a contact ends apart, an impulse is what rounding left, and what flies is to fly as if
// there were none. E <= 1e-8 of V leaves r_n <= 1e-8 m V where u_n > 1e-6 V.
// @param V islands: room @param dropped islands: where there was any @return was there one?
static bool drop_rounding(Step* step, double* V, bool* dropped)
{
    bool any = false;
    find_scales(step, V);
    memset(dropped, 0, (size_t)step->islands * sizeof *dropped);
    for (int i = 0; i < step->contacts; i++) {
        utContact* c = &step->contact[i];
        if (c->r[0] > 0.0 && c->u[0] > SLIPS * V[c->island] && !step->island[c->island].fallback) {
            memset(c->r, 0, sizeof c->r);
            dropped[c->island] = true;
            any = true;
        }
    }
    return any;
}

// v+ = v* + M̂^-1 J'r, q+ = q ⊕ h v+, and v+ as it is there
utStatus ut_step_move(Step* step)
{
    utSim* sim = step->sim;
    const utModel* model = sim->model;
    utArena scratch = step->arena;
    double* push = UT_PUSH(&scratch, double, model->nv);
    bool* pushed = UT_PUSH(&scratch, bool, model->ntree);
    if (push == NULL || pushed == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(push, 0, (size_t)model->nv * sizeof *push);
    UT_TRY(ut_contact_generalized_impulse(&step->scene, step->contacts, step->contact, step->rows,
                                          step->row, scratch, push));
    ut_step_pushed(step, pushed);
    UT_TRY(ut_dyn_respond(step->heavy, push, step->diagonal, pushed, scratch, step->v_next));
    for (int k = 0; k < model->nv; k++) {
        step->v_next[k] += step->v_free[k];
    }
    if (step->instant) {
        memcpy(step->q_next, step->q, (size_t)model->nq * sizeof *step->q_next);
        memcpy(step->v_end, step->v_next, (size_t)model->nv * sizeof *step->v_end);
        return UT_OK;
    }
    ut_model_integrate(model, step->q, step->v_next, sim->h, step->q_next);
    if (step->q_free != NULL) {
        keep_free_positions(step, pushed);
    }
    ut_model_carry(model, step->q, step->v_next, step->q_next, step->v_end);
    return UT_OK;
}

static utStatus move_on(Step* step)
{
    UT_TRY(ut_step_move(step));
    ut_contact_velocities(&step->scene, step->v_next, step->contacts, step->contact, step->rows,
                          step->row);
    return UT_OK;
}

// Islands that lose an impulse of rounding are solved again from what is left: what they were
// measured by may have gone with it.
static utStatus clean(Step* step)
{
    bool* dropped = UT_PUSH(&step->arena, bool, step->islands);
    double* V = UT_PUSH(&step->arena, double, step->islands);
    if (dropped == NULL || V == NULL) {
        return UT_ERR_CAPACITY;
    }
    if (!drop_rounding(step, V, dropped)) {
        return UT_OK;
    }
    for (int k = 0; k < step->islands; k++) {
        if (dropped[k]) {
            UT_TRY(ut_step_solve_island(step, k, true));
        }
    }
    UT_TRY(move_on(step));
    return drop_rounding(step, V, dropped) ? move_on(step) : UT_OK;
}

utStatus ut_step_solve(Step* step)
{
    utSim* sim = step->sim;
    const utModel* model = sim->model;
    int* root = UT_PUSH(&step->arena, int, 2 * model->ntree);
    step->v_next = UT_PUSH(&step->arena, double, model->nv);
    step->q_next = UT_PUSH(&step->arena, double, model->nq);
    step->v_end = UT_PUSH(&step->arena, double, model->nv);
    if (root == NULL || step->v_next == NULL || step->q_next == NULL || step->v_end == NULL) {
        return UT_ERR_CAPACITY;
    }
    step->islands =
        ut_contact_islands(model, step->contacts, step->contact, step->rows, step->row, root);
    step->island = UT_PUSH(&step->arena, utIsland, step->islands);
    if (step->island == NULL) {
        return UT_ERR_CAPACITY;
    }
    const bool warm = ut_warm_start(step->warm_count, step->warm, step->warm_share, step->contacts,
                                    step->contact, step->rows, step->row) > 0;
    if (step->islands > 0) {
        ut_step_mass(step);
    }
    for (int k = 0; k < step->islands; k++) {
        UT_TRY(sim->formulation->acceleration ? ut_step_solve_acceleration(step, k)
                                              : ut_step_solve_island(step, k, warm));
    }
    UT_TRY(move_on(step));
    if (sim->formulation->events && !step->instant) {
        UT_TRY(clean(step));
    }
    UT_TRY(ut_step_rebound(step));
    return name_states(step);
}
