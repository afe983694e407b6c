// SPDX-License-Identifier: Apache-2.0
// Rank and condition of the system of a step.
#include "compare/compare.h"

#include <uptack/matrix.h>
#include <uptack/polyhedral.h>
#include <uptack/sim_coulomb.h>

// Singular values of larger matrices would take longer than the run.
enum { MAX_ROWS = 200 };

static utStatus measure_matrix(int rows, int cols, const double* A, utArena scratch, int* rank,
                               double* condition)
{
    const int count = rows < cols ? rows : cols;
    double* s = UT_PUSH(&scratch, double, count + 1);
    if (s == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_matrix_rank(rows, cols, A, 0.0, scratch, rank));
    UT_TRY(ut_matrix_singular(rows, cols, A, scratch, s));
    *condition = *rank > 0 ? s[0] / s[*rank - 1] : 0.0;
    return UT_OK;
}

static utStatus measure_lcp(const CompareCase* item, const utCoulomb* problem, utArena* arena,
                            CompareSystem* system)
{
    const utOptions* options = &item->loaded->model->options;
    const bool acceleration =
        ut_formulation_traits(item->formulation)->section == UT_SECTION_CIRCUMSCRIBED;
    utPolyhedralDef def = ut_polyhedral_def();
    def.model = acceleration ? UT_POLYHEDRAL_ACCELERATION : UT_POLYHEDRAL_FORCE;
    def.relaxation = options->relaxation;
    def.regularization = options->regularization;
    def.scale = options->scale_dt ? ut_sim_dt(item->sim) : 1.0;
    double* rho = UT_PUSH(arena, double, problem->contacts + 1);
    for (int k = 0; rho != NULL && k < problem->contacts; k++) {
        rho[k] = options->rho;
    }
    def.rho = options->rho > 0.0 ? rho : NULL;
    utPolyhedral form;
    UT_TRY(ut_polyhedral_create(problem, &def, arena, &form, NULL));
    if (form.lcp.n > MAX_ROWS) {
        return UT_ERR_CAPACITY;
    }
    system->unknowns = form.lcp.n;
    return measure_matrix(form.lcp.n, form.lcp.n, form.lcp.M, *arena, &system->lcp_rank,
                          &system->condition);
}

// Measure a problem with more rows than the one measured before.
static void measure_problem(CompareCase* item, const utCoulomb* problem, utArena* arena)
{
    const utFormulationTraits* traits = ut_formulation_traits(item->formulation);
    CompareSystem system = {.step = item->steps + 1, .rows = ut_coulomb_rows(problem)};
    double unused;
    if (item->system.known && system.rows <= item->system.rows) {
        return;
    }
    system.known = system.rows <= MAX_ROWS &&
                   (system.rows == 0 || measure_matrix(system.rows, problem->dof, problem->J,
                                                       *arena, &system.rank, &unused) == UT_OK);
    // a step with instants has several LCPs, and peiret-acceleration has one of accelerations
    const bool is_lcp =
        system.known && problem->contacts > 0 && !traits->events && !traits->acceleration &&
        (traits->section == UT_SECTION_INSCRIBED || traits->section == UT_SECTION_CIRCUMSCRIBED);
    if (is_lcp && measure_lcp(item, problem, arena, &system) != UT_OK) {
        system.unknowns = 0;
    }
    if (system.known) {
        item->system = system;
        item->system_contacts = problem->contacts;
    }
}

void compare_measure(CompareCase* item, const utInput* input)
{
    utArena arena;
    utCoulomb problem;
    utError unused;
    if (item->start.sim.tier == UT_TIER_BUDGET || item->contacts.count > MAX_ROWS / 3 ||
        item->loaded->model->nv > MAX_ROWS || ut_arena_create(0, NULL, &arena) != UT_OK) {
        return;
    }
    if (ut_sim_coulomb(item->sim, input, &arena, &problem, &unused) == UT_OK) {
        measure_problem(item, &problem, &arena);
    }
    ut_arena_destroy(&arena);
}
