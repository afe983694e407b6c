// SPDX-License-Identifier: Apache-2.0
// The law on accelerations (Peiret, Kövecses and Font-Llagunes) as the law on velocities: with
// v+ = v + h a and r = h lambda,
//
//     h u' = h (J a + J̇v) = J v+ + b,    b = h J̇v - J v
//
// and the law does not care for the factor h. Contacts that touch and neither part nor close have
// it; those that slide have r_t = -mu r_n u_t/|u_t| and enter with their normals alone. A contact
// that closes with a speed is an impact, of which accelerations know nothing: it keeps u = J v+, so
// that the step ends the approach.
#include <string.h>

#include <uptack/polyhedral.h>

#include "internal.h"

static const double APART = 1e-9;  // m: what does not touch has no law on accelerations
static const double PARTS = 1e-9;  // m/s: faster along the normal is no contact, or an impact
static const double SLIDES = 1e-6; // m/s: faster along the surface is slip

// residual of the LCP: it is measured by its largest entry, and light bodies by their own
static const double WANTED = 1e-13;
static const double ENOUGH = 1e-10;

// ---- contacts -----------------------------------------------------------------------------------

// @param slip receives the slip where the kinetic law holds @return false when it is apart or parts
// @param u J v, and J (v + h b) with b of ut_dyn_centripetal, which v* has beyond v + h a
static bool accelerate(const Step* step, const double* u, const double* u_turning, utContact* c,
                       double* slip)
{
    slip[0] = slip[1] = 0.0;
    if (c->gap > APART || u[0] > PARTS) {
        return false;
    }
    if (u[0] < -PARTS) {
        return true; // an impact
    }
    double rate[3];
    ut_contact_rate(step->scene.kin, c->geom1, c->geom2, c->point, c->frame, c->gap, rate);
    for (int k = 0; k < 3; k++) {
        c->b[k] += step->sim->h * rate[k] - u_turning[k];
    }
    if (sqrt(u[1] * u[1] + u[2] * u[2]) > SLIDES) {
        slip[0] = u[1];
        slip[1] = u[2];
    }
    return true;
}

utStatus ut_step_accelerate(Step* step)
{
    const int nv = step->sim->model->nv;
    step->slip = UT_PUSH(&step->arena, double, 2 * step->contacts);
    double* turning = UT_PUSH(&step->arena, double, nv);
    utContact* ahead = UT_PUSH(&step->arena, utContact, step->contacts);
    if (step->slip == NULL || turning == NULL || ahead == NULL) {
        return UT_ERR_CAPACITY;
    }
    memcpy(ahead, step->contact, (size_t)step->contacts * sizeof *ahead);
    ut_dyn_centripetal(step->scene.kin, step->v, turning);
    for (int i = 0; i < nv; i++) {
        turning[i] = step->v[i] + step->sim->h * turning[i];
    }
    ut_contact_velocities(&step->scene, turning, step->contacts, ahead, 0, NULL);
    ut_contact_velocities(&step->scene, step->v, step->contacts, step->contact, 0, NULL);
    int kept = 0;
    for (int i = 0; i < step->contacts; i++) {
        utContact c = step->contact[i];
        const double u[3] = {c.u[0], c.u[1], c.u[2]};
        if (accelerate(step, u, ahead[i].u, &c, step->slip + (size_t)2 * (size_t)kept)) {
            step->contact[kept++] = c;
        }
    }
    step->contacts = kept;
    return UT_OK;
}

// ---- an island ----------------------------------------------------------------------------------

typedef struct Attempt {
    const utCoulomb* problem;
    utPolyhedralDef def;
    utLcpSolver solver;
    double tolerance;
    double* r;
    utLcpInfo info;
    int ray; // contact with the largest entry of the ray; -1: none
} Attempt;

// The contact whose unknown has the largest entry of a ray.
static int ray_of(const utPolyhedral* form, const double* ray)
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

// Write it out, solve it, and take the impulses.
static utStatus attempt(Attempt* a, utArena scratch)
{
    utPolyhedral form;
    UT_TRY(ut_polyhedral_create(a->problem, &a->def, &scratch, &form, NULL));
    double* z = UT_PUSH(&scratch, double, form.lcp.n);
    double* ray = UT_PUSH(&scratch, double, form.lcp.n);
    if (z == NULL || ray == NULL) {
        return UT_ERR_CAPACITY;
    }
    utLcpDef settings = ut_lcp_def();
    memset(ray, 0, (size_t)form.lcp.n * sizeof *ray);
    settings.ray = ray;
    settings.tolerance = WANTED;
    UT_TRY(ut_lcp_solve(&form.lcp, a->solver, &settings, scratch, z, &a->info));
    if (a->info.outcome == UT_LCP_ITERATIONS && a->info.residual <= ENOUGH) {
        a->info.outcome = UT_LCP_SOLVED;
    }
    ut_polyhedral_impulses(&form, z, a->r);
    a->ray = ray_of(&form, ray);
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

// How far the impulses are from the law: by the judge; where contacts slide, by the normals, which
// a reduced form with tangents that nearly depend on each other gets wrong first.
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
            const double off = a->r[c->dimension * i] > 0.0 || u_n < 0.0 ? fabs(u_n) : 0.0;
            *E = fmax(*E, off / verdict.V);
        }
    }
    return UT_OK;
}

// Is it answered, and well?
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

// In the paper's model; where tangents are redundant, or it leads nowhere, by forces on the same
// polygons, which have the same law.
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

// Where nothing slides it is a friction problem as any other, and all of its solvers may try.
static utStatus climb(const utSim* sim, Attempt* a, utArena scratch, bool* solved)
{
    utCoulombDef def = ut_coulomb_def();
    utCoulombInfo info;
    def.tolerance = sim->tolerance;
    def.no_fallback = true;
    UT_TRY(ut_coulomb_solve(a->problem, UT_COULOMB_AUTO, &def, scratch, a->r, &info));
    a->info.iterations += info.iterations;
    *solved = info.outcome == UT_COULOMB_SOLVED;
    a->info.residual = info.verdict.E;
    return UT_OK;
}

// Impulses into their cones, to rounding, and where they belong.
static void scatter(Step* step, const IslandProblem* problem, const double* slip, double* r)
{
    const utCoulomb* c = &problem->coulomb;
    const int d = c->dimension;
    for (int i = 0; i < c->contacts; i++) {
        utContact* contact = &step->contact[problem->contact[i]];
        const utLaw law = {&step->sim->section, c->mu[i], false};
        double* r_i = r + (size_t)d * (size_t)i;
        if (!any_slides(d - 1, slip + (size_t)(d - 1) * (size_t)i)) {
            ut_law_project(&law, r_i, r_i);
        }
        memset(contact->r, 0, sizeof contact->r);
        memcpy(contact->r, r_i, (size_t)d * sizeof *r_i);
    }
    for (int j = 0; j < c->bilaterals; j++) {
        step->row[problem->row[j]].r = r[d * c->contacts + j];
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
    UT_TRY(ut_contact_problem(&step->scene, &sim->mass, island, step->contacts, step->contact,
                              step->rows, step->row, &sim->section, &arena, &problem));
    UT_TRY(ut_contact_velocity_scale(&step->scene, &problem, step->contact, arena,
                                     &problem.coulomb.speed));
    const utCoulomb* c = &problem.coulomb;
    const int t = c->dimension - 1;
    double* slip = UT_PUSH(&arena, double, t * c->contacts);
    double* rho = UT_PUSH(&arena, double, c->contacts);
    double* r = UT_PUSH(&arena, double, ut_coulomb_rows(c));
    if (slip == NULL || rho == NULL || r == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < c->contacts; i++) {
        rho[i] = sim->model->options.rho;
        memcpy(slip + (size_t)t * (size_t)i, step->slip + (size_t)2 * (size_t)problem.contact[i],
               (size_t)t * sizeof *slip);
    }
    Attempt a = {.problem = c,
                 .def = ut_polyhedral_def(),
                 .solver = sim->lcp,
                 .tolerance = 0.1 * sim->tolerance,
                 .r = r};
    a.def.level = sim->model->options.mixed ? UT_POLYHEDRAL_FULL : UT_POLYHEDRAL_REDUCED;
    a.def.slip = slip;
    UT_TRY(solve(&a, sim->model->options.rho > 0.0 ? rho : NULL, arena));
    bool solved = a.info.outcome == UT_LCP_SOLVED;
    const bool lost = !solved && a.info.outcome != UT_LCP_NONE && sim->lcp == UT_LCP_AUTO;
    if (lost && !any_slides(t * c->contacts, slip)) {
        UT_TRY(climb(sim, &a, arena, &solved));
    }
    scatter(step, &problem, slip, r);
    step->iterations += a.info.iterations;
    step->island[island] = (utIsland){
        .contacts = c->contacts,
        .rows = c->bilaterals,
        .trees = problem.trees,
        .rung = UT_RUNG_LCP,
        .outcome = solved ? UT_ISLAND_SOLVED : outcome_of(a.info.outcome),
        .iterations = a.info.iterations,
        .solved = solved,
        .fallback = !solved,
        .E = a.info.residual,
        .ray = !solved && a.ray >= 0 ? problem.contact[a.ray] : -1,
    };
    return UT_OK;
}
