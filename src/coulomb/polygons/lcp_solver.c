// SPDX-License-Identifier: Apache-2.0
// Friction problems with polygonal sections by an LCP solver. Each of the two models is tried by
// Lemke's method, then each by Newton's, and then each by all LCP solvers, which may take long.
#include "polyhedral.h"

#include <string.h>

#include "coulomb/tolerances.h"
#include "la/dense/kernel.h"

// One attempt after the other.
typedef struct Attempt {
    const utCoulomb* problem;
    const utCoulombDef* def;
    const double*
        slip;          // contacts x (dimension - 1): not 0 where mu = 0, which removes the tangents
    const double* rho; // contacts; NULL: by rule
    double* r;         // N: impulses of this attempt
    int iterations;
    bool none;     // it is proved that the LCP has no solution
    bool answered; // the LCP is solved, which need not satisfy the law
    utCoulombVerdict verdict;
} Attempt;

// ---- one model ----------------------------------------------------------------------------------

static utPolyhedralDef choose_form(const Attempt* attempt, utPolyhedralModel model,
                                   utPolyhedralLevel level)
{
    utPolyhedralDef form = ut_polyhedral_def();
    form.model = model;
    form.level = level;
    form.convex = attempt->def->convex && model == UT_POLYHEDRAL_FORCE;
    form.slip = attempt->slip;
    form.regularization = attempt->def->regularization;
    form.relaxation = attempt->def->relaxation;
    if (model == UT_POLYHEDRAL_FORCE) {
        form.scale = attempt->def->scale;
    } else {
        form.rho = attempt->rho;
    }
    return form;
}

// Write the full form where it is asked for. Otherwise write the reduced form where it exists and is
// not empty, else the mixed form.
static utStatus write_form(const Attempt* attempt, utPolyhedralModel model, utArena* keep,
                           utPolyhedral* form)
{
    utPolyhedralDef def = choose_form(attempt, model, UT_POLYHEDRAL_REDUCED);
    utStatus status = UT_ERR_ARGUMENT;
    if (attempt->def->mixed && attempt->problem->W == NULL) {
        def.level = UT_POLYHEDRAL_FULL;
        return ut_polyhedral_create(attempt->problem, &def, keep, form, NULL);
    }
    if (attempt->problem->contacts > 0) {
        status = ut_polyhedral_create(attempt->problem, &def, keep, form, NULL);
    }
    if (status == UT_ERR_ARGUMENT) {
        def.level = UT_POLYHEDRAL_MIXED;
        status = ut_polyhedral_create(attempt->problem, &def, keep, form, NULL);
    }
    return status;
}

// The impulses r of a vector y which proves that an LCP has no solution. Only normals and joints
// contribute: the column sums of the LCP require sum beta <= 0, or rho (kappa+ + kappa-) <= 0, and
// then r'W r <= 0, so W r = 0.
static void proof_impulses(const utPolyhedral* form, const double* y, double* r)
{
    const int nc = form->contacts;
    memset(r, 0, (size_t)(form->dimension * nc + form->bilaterals) * sizeof *r);
    for (int i = 0; i < nc; i++) {
        r[form->dimension * i] = y[form->normal + i];
    }
    for (int j = 0; j < form->bilaterals; j++) {
        const int k = form->unknown[j].contact - nc; // joints come before all other impulses
        double sum = form->bilateral >= 0 ? y[form->bilateral + j] : 0.0;
        if (form->eliminated > 0) {
            sum = -ut_dot(form->lcp.n, form->X + (size_t)j * (size_t)form->lcp.n, y);
        }
        r[form->dimension * nc + k] = sum;
    }
}

static void project(const Attempt* attempt)
{
    for (int i = 0; i < attempt->problem->contacts; i++) {
        const utLaw law = ut_coulomb_law(attempt->problem, i, attempt->def->convex);
        double* r_i = attempt->r + (size_t)attempt->problem->dimension * (size_t)i;
        ut_law_project(&law, r_i, r_i);
    }
}

// The iteration limit of an attempt. Lemke's method needs about n pivots; beyond three times as many
// it rarely succeeds. A solver that was asked for by name has its own limit.
static int limit(const Attempt* attempt, utLcpSolver solver, int n)
{
    const int quick = attempt->def->lcp == UT_LCP_AUTO && solver == UT_LCP_LEMKE ? 3 * n + 200 : 0;
    const int most = attempt->def->max_iterations;
    if (most == 0) {
        return quick;
    }
    const int left = most - attempt->iterations;
    return quick > 0 && quick < left ? quick : left;
}

static utStatus try_model(Attempt* attempt, utPolyhedralModel model, utLcpSolver solver,
                          utArena scratch)
{
    utPolyhedral form;
    UT_TRY(write_form(attempt, model, &scratch, &form));
    double* z = ut_coulomb_push(&scratch, 1, form.lcp.n);
    double* ray = ut_coulomb_push(&scratch, 1, form.lcp.n);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(z, 0, (size_t)form.lcp.n * sizeof *z);
    memset(ray, 0, (size_t)form.lcp.n * sizeof *ray);
    utLcpDef def = ut_lcp_def();
    def.max_iterations = limit(attempt, solver, form.lcp.n);
    def.ray = ray;
    utLcpInfo info;
    UT_TRY(ut_lcp_solve(&form.lcp, solver, &def, scratch, z, &info));
    attempt->iterations += info.iterations;
    attempt->none = info.outcome == UT_LCP_NONE;
    attempt->answered = info.outcome == UT_LCP_SOLVED;
    if (attempt->none) {
        proof_impulses(&form, ray, attempt->r);
    } else {
        ut_polyhedral_impulses(&form, z, attempt->r);
    }
    project(attempt);
    return ut_coulomb_judge(attempt->problem, attempt->def->convex, attempt->r, scratch, NULL,
                            &attempt->verdict);
}

// ---- both models --------------------------------------------------------------------------------

// Contacts without friction are written as sliding ones with mu_k = 0, which removes their tangents.
static void drop_tangents(const utCoulomb* problem, double* slip)
{
    const int t = problem->dimension - 1;
    for (int i = 0; i < problem->contacts; i++) {
        for (int c = 0; c < t; c++) {
            slip[i * t + c] = c == 0 && problem->mu[i] == 0.0 ? 1.0 : 0.0;
        }
    }
}

// The acceleration model where all sections are circumscribed and its reduced form exists. Redundant
// tangents would have to stay as free unknowns, and pivoting then fails twice as often as in the
// force model.
static utPolyhedralModel first_model(const Attempt* attempt, utArena scratch)
{
    const utCoulomb* problem = attempt->problem;
    for (int i = 0; i < problem->contacts; i++) {
        if (ut_coulomb_section(problem, i)->kind != UT_SECTION_CIRCUMSCRIBED) {
            return UT_POLYHEDRAL_FORCE;
        }
    }
    const utPolyhedralDef def =
        choose_form(attempt, UT_POLYHEDRAL_ACCELERATION, UT_POLYHEDRAL_REDUCED);
    utPolyhedral form;
    const bool exists = !attempt->def->convex && problem->contacts > 0 &&
                        ut_polyhedral_create(problem, &def, &scratch, &form, NULL) == UT_OK;
    return exists ? UT_POLYHEDRAL_ACCELERATION : UT_POLYHEDRAL_FORCE;
}

// Is the attempt an answer? A regularized or relaxed LCP need not satisfy the law.
static bool is_solved(const Attempt* attempt)
{
    if (attempt->def->regularization > 0.0 || attempt->def->relaxation > 0.0) {
        return attempt->answered;
    }
    return ut_coulomb_passes(attempt->verdict.E, attempt->verdict.bilateral,
                             attempt->def->tolerance);
}

// The error by which attempts are compared.
static double error_of(const Attempt* attempt)
{
    const double bilateral = UT_BILATERAL_WEIGHT * attempt->verdict.bilateral;
    return attempt->verdict.E > bilateral ? attempt->verdict.E : bilateral;
}

// Are there iterations left?
static bool has_iterations(const Attempt* attempt)
{
    return attempt->def->max_iterations == 0 || attempt->iterations < attempt->def->max_iterations;
}

utStatus ut_coulomb_lcp_attempts(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                                 double* r, utCoulombInfo* info, int* answered)
{
    const int N = ut_coulomb_rows(problem);
    double* slip = ut_coulomb_push(&scratch, problem->contacts, problem->dimension - 1);
    Attempt attempt = {
        .problem = problem, .def = def, .slip = slip, .r = ut_coulomb_push(&scratch, 1, N)};
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    drop_tangents(problem, slip);
    if (def->rho > 0.0) {
        double* rho = ut_coulomb_push(&scratch, 1, problem->contacts);
        if (ut_arena_failed(&scratch)) {
            return UT_ERR_CAPACITY;
        }
        for (int i = 0; i < problem->contacts; i++) {
            rho[i] = def->rho;
        }
        attempt.rho = rho;
    }

    const utLcpSolver quick_first[] = {UT_LCP_LEMKE, UT_LCP_NEWTON, UT_LCP_AUTO};
    const bool all = def->lcp == UT_LCP_AUTO;
    const int models = def->convex ? 1 : 2;
    const utPolyhedralModel first = first_model(&attempt, scratch);
    double least = HUGE_VAL;
    *answered = 0;
    for (int k = 0; k < (all ? 3 : 1) * models && *answered == 0 && has_iterations(&attempt); k++) {
        const bool force = (first == UT_POLYHEDRAL_FORCE) == (k % models == 0);
        UT_TRY(try_model(&attempt, force ? UT_POLYHEDRAL_FORCE : UT_POLYHEDRAL_ACCELERATION,
                         all ? quick_first[k / models] : def->lcp, scratch));
        *answered = attempt.none || is_solved(&attempt) ? k + 1 : 0;
        if (k == 0 || *answered > 0 || error_of(&attempt) < least) {
            least = error_of(&attempt);
            info->outcome = attempt.none ? UT_COULOMB_NONE : UT_COULOMB_ITERATIONS;
            memcpy(r, attempt.r, (size_t)N * sizeof *r);
        }
    }
    info->iterations += attempt.iterations;
    return UT_OK;
}

utStatus ut_coulomb_lcp(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                        double* r, utCoulombInfo* info)
{
    int answered;
    return ut_coulomb_lcp_attempts(problem, def, scratch, r, info, &answered);
}
