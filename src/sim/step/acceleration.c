// SPDX-License-Identifier: Apache-2.0
// The contact law on accelerations (Peiret, Kövecses and Font-Llagunes), written as a law on
// velocities: with v+ = v + h a and r = h lambda,
//
//     h u' = h (J a + J̇v) = J v+ + b,    b = h J̇v - J v
//
// The factor h does not change the law. It holds for contacts that touch and neither separate nor
// close. A sliding contact has r_t = -mu r_n u_t/|u_t| and enters with its normal only. A contact
// that closes is an impact, which no acceleration describes: it keeps u = J v+, so that the step ends
// its approach.
#include <string.h>

#include <uptack/polyhedral.h>

#include "sim/step.h"
#include "sim/tolerances.h"

// ---- contacts -----------------------------------------------------------------------------------

// Write the law of one contact on accelerations.
// @param u       J v
// @param u_ahead J (v + h b) with b of ut_dyn_centripetal, because v* = v + h (a + b)
// @param slip    receives the slip where the kinetic law holds
// @return false when the contact does not touch, or separates
static bool accelerate(const Step* step, const double* u, const double* u_ahead, utContact* c,
                       double* slip)
{
    slip[0] = slip[1] = 0.0;
    if (c->gap > TOUCH_GAP || u[0] > MIN_CLOSING_SPEED) {
        return false;
    }
    if (u[0] < -MIN_CLOSING_SPEED) {
        return true; // an impact
    }
    double rate[3];
    ut_contact_rate(step->scene.kin, c->geom1, c->geom2, c->point, c->frame, c->gap, rate);
    for (int k = 0; k < 3; k++) {
        c->b[k] += step->h * rate[k] - u_ahead[k];
    }
    if (sqrt(u[1] * u[1] + u[2] * u[2]) > UT_SLIPS) {
        slip[0] = u[1];
        slip[1] = u[2];
    }
    return true;
}

utStatus ut_step_accelerate(Step* step)
{
    const int nv = step->sim->model->nv;
    step->active.slip = UT_PUSH(&step->arena, double, 2 * step->active.contacts);
    double* v_ahead = UT_PUSH(&step->arena, double, nv);
    utContact* ahead = UT_PUSH(&step->arena, utContact, step->active.contacts);
    if (ut_arena_failed(&step->arena)) {
        return UT_ERR_CAPACITY;
    }
    memcpy(ahead, step->active.contact, (size_t)step->active.contacts * sizeof *ahead);
    ut_dyn_centripetal(step->scene.kin, step->v, v_ahead);
    for (int i = 0; i < nv; i++) {
        v_ahead[i] = step->v[i] + step->h * v_ahead[i];
    }
    ut_contact_velocities(&step->scene, v_ahead, step->active.contacts, ahead, 0, NULL);
    ut_contact_velocities(&step->scene, step->v, step->active.contacts, step->active.contact, 0,
                          NULL);
    int kept = 0;
    for (int i = 0; i < step->active.contacts; i++) {
        utContact c = step->active.contact[i];
        const double u[3] = {c.u[0], c.u[1], c.u[2]};
        if (accelerate(step, u, ahead[i].u, &c, step->active.slip + (size_t)2 * (size_t)kept)) {
            step->active.contact[kept++] = c;
        }
    }
    step->active.contacts = kept;
    return UT_OK;
}

// ---- an island ----------------------------------------------------------------------------------

// One way to solve an island, and its outcome.
typedef struct Attempt {
    const utCoulomb* problem;
    utPolyhedralDef def;
    utLcpSolver solver;
    double tolerance;
    double* r;
    utLcpInfo info;
    int ray_contact; // contact with the largest entry of the ray; -1: none
} Attempt;

// The contact whose unknown has the largest entry of a ray; -1: none.
static int find_ray_contact(const utPolyhedral* form, const double* ray)
{
    int at = -1;
    double most = 0.0;
    for (int k = 0; k < form->lcp.n; k++) {
        const int contact = form->unknown[form->eliminated + k].contact;
        if (contact >= 0 && contact < form->contacts && fabs(ray[k]) > most) {
            most = fabs(ray[k]);
            at = contact;
        }
    }
    return at;
}

// Write out the LCP, solve it, and read the impulses from its solution.
static utStatus attempt(Attempt* a, utArena scratch)
{
    utPolyhedral form;
    UT_TRY(ut_polyhedral_create(a->problem, &a->def, &scratch, &form, NULL));
    double* z = UT_PUSH(&scratch, double, form.lcp.n);
    double* ray = UT_PUSH(&scratch, double, form.lcp.n);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    utLcpDef settings = ut_lcp_def();
    memset(ray, 0, (size_t)form.lcp.n * sizeof *ray);
    settings.ray = ray;
    settings.tolerance = LCP_RESIDUAL_WANTED;
    UT_TRY(ut_lcp_solve(&form.lcp, a->solver, &settings, scratch, z, &a->info));
    if (a->info.outcome == UT_LCP_ITERATIONS && a->info.residual <= LCP_RESIDUAL_ENOUGH) {
        a->info.outcome = UT_LCP_SOLVED;
    }
    ut_polyhedral_impulses(&form, z, a->r);
    a->ray_contact = find_ray_contact(&form, ray);
    return UT_OK;
}

static bool any_slides(int n, const double* slip)
{
    bool slides = false;
    for (int k = 0; k < n; k++) {
        slides = slides || slip[k] != 0.0;
    }
    return slides;
}

// E of the impulses. Where contacts slide, E of the normals only, in which a reduced form with nearly
// dependent tangents fails first.
static utStatus judge(const Attempt* a, utArena scratch, double* E)
{
    const utCoulomb* c = a->problem;
    utCoulombVerdict verdict;
    double* u = UT_PUSH(&scratch, double, ut_coulomb_rows(c));
    if (u == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_coulomb_judge(c, false, a->r, scratch, u, &verdict));
    *E = verdict.E;
    if (any_slides((c->dimension - 1) * c->contacts, a->def.slip)) {
        *E = 0.0;
        for (int i = 0; i < c->contacts; i++) {
            const double u_n = u[c->dimension * i];
            const double error = a->r[c->dimension * i] > 0.0 || u_n < 0.0 ? fabs(u_n) : 0.0;
            *E = fmax(*E, error / verdict.V);
        }
    }
    return UT_OK;
}

// Is the problem solved within the tolerance, or proved to have no solution?
static utStatus is_answered(const Attempt* a, utArena scratch, bool* answered)
{
    double E = 0.0;
    *answered = a->info.outcome == UT_LCP_NONE;
    if (a->info.outcome == UT_LCP_SOLVED) {
        UT_TRY(judge(a, scratch, &E));
        *answered = E <= a->tolerance;
    }
    return UT_OK;
}

// Solve in the paper's form. Where tangents are redundant or this form fails, solve in the form with
// forces on the same polygons, because it has the same law.
static utStatus solve(Attempt* a, const double* rho, utArena scratch)
{
    a->def.model = UT_POLYHEDRAL_ACCELERATION;
    a->def.rho = rho;
    const utStatus status = attempt(a, scratch);
    bool answered = false;
    if (status == UT_OK) {
        UT_TRY(is_answered(a, scratch, &answered));
    } else if (status != UT_ERR_ARGUMENT) {
        return status;
    }
    if (answered) {
        return UT_OK;
    }
    a->def.model = UT_POLYHEDRAL_FORCE;
    a->def.rho = NULL;
    a->def.level = a->problem->bilaterals > 0 ? UT_POLYHEDRAL_MIXED : UT_POLYHEDRAL_REDUCED;
    return attempt(a, scratch);
}

// Without sliding contacts it is an ordinary friction problem: try all its solvers.
static utStatus solve_as_coulomb(const utSim* sim, Attempt* a, utArena scratch, bool* solved)
{
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    def.tolerance = sim->settings.tolerance;
    def.no_fallback = true;
    UT_TRY(ut_coulomb_solve(a->problem, UT_COULOMB_AUTO, &def, scratch, a->r, &info));
    a->info.iterations += info.iterations;
    *solved = info.outcome == UT_COULOMB_SOLVED;
    a->info.residual = info.verdict.E;
    return UT_OK;
}

// Project impulses onto their cones, which removes rounding, and store them.
static void scatter(Step* step, const IslandProblem* problem, const double* slip, double* r)
{
    const utCoulomb* c = &problem->coulomb;
    const int d = c->dimension;
    for (int i = 0; i < c->contacts; i++) {
        utContact* contact = &step->active.contact[problem->contact[i]];
        const utLaw law = {.section = &step->sim->settings.section, .mu = c->mu[i]};
        double* r_i = r + (size_t)d * (size_t)i;
        if (!any_slides(d - 1, slip + (size_t)(d - 1) * (size_t)i)) {
            ut_law_project(&law, r_i, r_i);
        }
        memset(contact->r, 0, sizeof contact->r);
        memcpy(contact->r, r_i, (size_t)d * sizeof *r_i);
    }
    for (int j = 0; j < c->bilaterals; j++) {
        step->active.row[problem->row[j]].r = r[d * c->contacts + j];
    }
}

static utIslandOutcome outcome_of(utLcpOutcome outcome)
{
    return outcome == UT_LCP_NONE  ? UT_ISLAND_NONE
           : outcome == UT_LCP_RAY ? UT_ISLAND_RAY
                                   : UT_ISLAND_ITERATIONS;
}

utStatus ut_step_solve_acceleration(Step* step, int island)
{
    utSim* sim = step->sim;
    utArena arena = step->arena;
    IslandProblem problem;
    UT_TRY(ut_contact_problem(&step->scene, &sim->work.mass, island, step->active.contacts,
                              step->active.contact, step->active.rows, step->active.row,
                              &sim->settings.section, &arena, &problem));
    UT_TRY(ut_contact_velocity_scale(&step->scene, &problem, step->active.contact, arena,
                                     &problem.coulomb.speed));
    const utCoulomb* c = &problem.coulomb;
    const int t = c->dimension - 1;
    double* slip = UT_PUSH(&arena, double, t * c->contacts);
    double* rho = UT_PUSH(&arena, double, c->contacts);
    double* r = UT_PUSH(&arena, double, ut_coulomb_rows(c));
    if (ut_arena_failed(&arena)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < c->contacts; i++) {
        rho[i] = sim->model->options.rho;
        memcpy(slip + (size_t)t * (size_t)i,
               step->active.slip + (size_t)2 * (size_t)problem.contact[i],
               (size_t)t * sizeof *slip);
    }
    Attempt a = {.problem = c,
                 .def = ut_polyhedral_def(),
                 .solver = sim->settings.lcp_solver,
                 .tolerance = 0.1 * sim->settings.tolerance,
                 .r = r};
    a.def.level = sim->model->options.mixed ? UT_POLYHEDRAL_FULL : UT_POLYHEDRAL_REDUCED;
    a.def.slip = slip;
    UT_TRY(solve(&a, sim->model->options.rho > 0.0 ? rho : NULL, arena));
    bool solved = a.info.outcome == UT_LCP_SOLVED;
    const bool failed =
        !solved && a.info.outcome != UT_LCP_NONE && sim->settings.lcp_solver == UT_LCP_AUTO;
    if (failed && !any_slides(t * c->contacts, slip)) {
        UT_TRY(solve_as_coulomb(sim, &a, arena, &solved));
    }
    scatter(step, &problem, slip, r);
    step->summary.iterations += a.info.iterations;
    step->active.island[island] = (utIsland){
        .contacts = c->contacts,
        .rows = c->bilaterals,
        .trees = problem.trees,
        .rung = UT_RUNG_LCP,
        .outcome = solved ? UT_ISLAND_SOLVED : outcome_of(a.info.outcome),
        .iterations = a.info.iterations,
        .solved = solved,
        .fallback = !solved,
        .E = a.info.residual,
        .ray = !solved && a.ray_contact >= 0 ? problem.contact[a.ray_contact] : -1,
    };
    return UT_OK;
}
