// SPDX-License-Identifier: Apache-2.0
// Writes friction problems in the notation of papers. The problems of uptack/polyhedral.h differ from
// them only in units: the note of Tan, Siu and Liu has forces f instead of impulses r = h f, so
//
//     columns of f_n and f_d       times h
//     rows of the cone             over h      (mu f_n - E'f_d in place of mu r_n - E'beta)
//
// and everything else is unchanged. Berard's momentum rows are those of the form times -1. Accelerations
// of Peiret's system are a = (v+ - v)/h, so that a problem on velocities becomes
//
//     M a = (f - M v)/h + J'lambda,    du = J a + (b + J v)/h
#include <uptack/notation.h>

#include <string.h>

#include "coulomb/polygons/polyhedral.h"
#include "notation_pfrommer.h"

static const char* const names[UT_NOTATION_COUNT] = {"berard", "dart", "igms", "pfrommer",
                                                     "peiret"};

const char* ut_notation_name(utNotation notation)
{
    return (unsigned)notation < UT_NOTATION_COUNT ? names[notation] : "unknown";
}

bool ut_notation_find(const char* name, utNotation* notation)
{
    for (int k = 0; k < UT_NOTATION_COUNT; k++) {
        if (strcmp(name, names[k]) == 0) {
            *notation = (utNotation)k;
            return true;
        }
    }
    return false;
}

utPrintedDef ut_printed_def(utNotation notation, double h)
{
    const bool full = notation == UT_NOTATION_BERARD || notation == UT_NOTATION_PEIRET;
    return (utPrintedDef){
        .notation = notation,
        .level = full ? UT_POLYHEDRAL_FULL : UT_POLYHEDRAL_REDUCED,
        .h = h,
        .cookie = UT_PRINTED_DEF_COOKIE,
    };
}

static bool def_ok(const utPrintedDef* def)
{
    return def != NULL && def->cookie == UT_PRINTED_DEF_COOKIE &&
           (unsigned)def->notation < UT_NOTATION_COUNT &&
           (unsigned)def->level <= UT_POLYHEDRAL_REDUCED && def->h > 0.0 && def->h < HUGE_VAL &&
           def->regularization >= 0.0 && def->regularization < HUGE_VAL;
}

// ---- the form behind it -------------------------------------------------------------------------

// @param slip contacts x (dimension - 1), work: not 0 for contacts that enter with their normals only
static utPolyhedralDef form_def(const utCoulomb* problem, const utPrintedDef* def, double* slip)
{
    utPolyhedralDef form = ut_polyhedral_def();
    const bool peiret = def->notation == UT_NOTATION_PEIRET;
    const int t = problem->dimension - 1;
    form.model = peiret ? UT_POLYHEDRAL_ACCELERATION : UT_POLYHEDRAL_FORCE;
    form.level = def->level;
    form.directions_first = def->notation == UT_NOTATION_IGMS;
    form.rho = peiret ? def->rho : NULL;
    form.slip = peiret ? def->slip : NULL;
    if (def->notation == UT_NOTATION_DART) {
        form.regularization = def->regularization;
        form.scale = def->scale_dt ? def->h : 1.0;
    }
    for (int k = 0; k < problem->contacts * t; k++) {
        slip[k] = k % t == 0 && problem->mu[k / t] == 0.0 ? 1.0 : 0.0;
    }
    if (def->only_rough && !peiret) {
        form.slip = slip;
    }
    return form;
}

// ---- parts --------------------------------------------------------------------------------------

// The kinds of unknowns of a form, in their order.
static void name_parts(const utCoulomb* problem, utPrinted* system)
{
    // "" if the paper has no such unknown
    static const char* const unknown[UT_NOTATION_COUNT][8] = {
        [UT_NOTATION_BERARD] = {"nu", "p_b", "", "p_n", "p_f", "sigma", "", ""},
        [UT_NOTATION_DART] = {"qdot", "f_b", "", "f_n", "f_d", "lambda", "", ""},
        [UT_NOTATION_IGMS] = {"v", "c_b", "", "c_n", "beta", "lambda", "", ""},
        [UT_NOTATION_PEIRET] = {"vdot", "lambda_b", "lambda_t", "lambda_n", "", "", "kappa+",
                                "kappa-"},
    };
    static const char* const slack[UT_NOTATION_COUNT][8] = {
        [UT_NOTATION_BERARD] = {"0", "0", "", "rho_n", "rho_f", "s", "", ""},
        [UT_NOTATION_DART] = {"0", "0", "", "a", "b", "c", "", ""},
        [UT_NOTATION_IGMS] = {"0", "0", "", "sigma", "rho", "zeta", "", ""},
        [UT_NOTATION_PEIRET] = {"0", "0", "0", "udot_n", "", "", "sigma-", "sigma+"},
    };
    const utPolyhedral* form = &system->form;
    const int lines = form->first[form->contacts];
    const int tangents = form->sticks * (form->dimension - 1);
    const int start[8] = {form->velocity, form->bilateral, form->tangent,    form->normal,
                          form->beta,     form->lambda,    form->kappa_plus, form->kappa_minus};
    const int size[8] = {problem->dof, form->bilaterals, tangents, form->contacts,
                         lines,        form->sticks,     lines,    lines};
    int at = 0;
    for (int part = 0; part < 8; part++) {
        for (int k = 0; k < 8; k++) {
            if (start[k] == at && size[k] > 0) {
                system->part[system->parts++] = (utPrintedPart){
                    unknown[system->notation][k], slack[system->notation][k], at, size[k]};
                at += size[k];
                break;
            }
        }
    }
}

// ---- forces -------------------------------------------------------------------------------------

// Multiply the columns of impulses by h and divide the rows of the cone by h.
static void take_forces(utPrinted* system, double h, double* A, double* scale)
{
    const utPolyhedral* form = &system->form;
    const int n = form->lcp.n;
    for (int k = 0; k < n; k++) {
        const bool impulse = form->unknown[form->eliminated + k].contact >= 0;
        scale[k] = impulse ? h : 1.0;
        const bool cone = form->lambda >= 0 && k >= form->lambda;
        for (int l = 0; l < n; l++) {
            double* a = A + (size_t)k * (size_t)n + (size_t)l;
            const bool force = form->unknown[form->eliminated + l].contact >= 0;
            *a = cone ? *a : force ? h * *a : *a;
        }
    }
}

// ---- signs --------------------------------------------------------------------------------------

static void turn_row(int n, int row, double* A, double* q)
{
    q[row] = 0.0 - q[row];
    for (int k = 0; k < n; k++) {
        double* a = A + (size_t)row * (size_t)n + (size_t)k;
        *a = 0.0 - *a; // 0 stays 0, not -0
    }
}

// Berard's signs: -M in the momentum rows, and joints with his order of bodies.
static void turn_signs(const utPrinted* system, const bool* turned, int dof, double* A, double* q,
                       double* scale)
{
    const utPolyhedral* form = &system->form;
    const int n = form->lcp.n;
    for (int i = 0; form->velocity >= 0 && i < dof; i++) {
        turn_row(n, form->velocity + i, A, q);
    }
    for (int j = 0; turned != NULL && form->bilateral >= 0 && j < form->bilaterals; j++) {
        const int at = form->bilateral + j;
        if (turned[j]) {
            turn_row(n, at, A, q);
            scale[at] = -scale[at];
            for (int k = 0; k < n; k++) {
                double* a = A + (size_t)k * (size_t)n + (size_t)at;
                *a = 0.0 - *a;
            }
        }
    }
}

// ---- accelerations ------------------------------------------------------------------------------

// The problem on accelerations and forces of one on velocities and impulses.
static utStatus accelerate(const utCoulomb* problem, const utPrintedDef* def, utArena* keep,
                           utCoulomb* accelerated, double** v, utError* err)
{
    if (problem->M == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "accelerations need the problem's M and J");
    }
    const int n = problem->dof, N = ut_coulomb_rows(problem);
    double* f = ut_coulomb_push(keep, 1, n);
    double* b = ut_coulomb_push(keep, 1, N);
    *v = ut_coulomb_push(keep, 1, n);
    if (ut_arena_failed(keep)) {
        return ut_error_set(err, UT_ERR_CAPACITY, "no room for a system");
    }
    memcpy(*v, def->v, (size_t)n * sizeof **v);
    for (int i = 0; i < n; i++) {
        double sum = problem->f[i];
        for (int k = 0; k < n; k++) {
            sum -= problem->M[(size_t)i * (size_t)n + (size_t)k] * def->v[k];
        }
        f[i] = sum / def->h;
    }
    for (int i = 0; i < N; i++) {
        double sum = problem->b[i];
        for (int k = 0; k < n; k++) {
            sum += problem->J[(size_t)i * (size_t)n + (size_t)k] * def->v[k];
        }
        b[i] = sum / def->h;
    }
    *accelerated = *problem;
    accelerated->f = f;
    accelerated->b = b;
    return UT_OK;
}

// ---- writing ------------------------------------------------------------------------------------

static utStatus write_form(const utCoulomb* problem, const utPrintedDef* def, utArena* keep,
                           utPrinted* system, utError* err)
{
    utCoulomb source = *problem;
    if (def->notation == UT_NOTATION_PEIRET && def->v != NULL) {
        double* v = NULL;
        UT_TRY(accelerate(problem, def, keep, &source, &v, err));
        system->v = v;
        system->impulse = def->h;
    }
    double* slip = ut_coulomb_push(keep, problem->contacts, problem->dimension - 1);
    if (slip == NULL) {
        return ut_error_set(err, UT_ERR_CAPACITY, "no room for a system");
    }
    const utPolyhedralDef form = form_def(problem, def, slip);
    UT_TRY(ut_polyhedral_create(&source, &form, keep, &system->form, err));
    double* scale = ut_coulomb_push(keep, 1, system->form.lcp.n);
    if (scale == NULL) {
        return ut_error_set(err, UT_ERR_CAPACITY, "no room for a system");
    }
    // the arrays are in `keep` and may be changed
    double* A = (double*)(uintptr_t)system->form.lcp.M;
    double* q = (double*)(uintptr_t)system->form.lcp.q;
    take_forces(system, def->notation == UT_NOTATION_DART ? def->h : 1.0, A, scale);
    if (def->notation == UT_NOTATION_BERARD) {
        turn_signs(system, def->turned, problem->dof, A, q, scale);
    }
    system->scale = scale;
    system->lcp = system->form.lcp;
    name_parts(problem, system);
    return UT_OK;
}

utStatus ut_printed_create(const utCoulomb* problem, const utPrintedDef* def, utArena* keep,
                           utPrinted* system, utError* err)
{
    if (!def_ok(def)) {
        return ut_error_set(err, UT_ERR_DEF, "the settings of a system cannot be used");
    }
    UT_TRY(ut_coulomb_check(problem, err));
    utArena rest = *keep;
    utPrinted written = {.notation = def->notation, .h = def->h, .impulse = 1.0};
    UT_TRY(def->notation == UT_NOTATION_PFROMMER
               ? ut_write_pfrommer(problem, def, &rest, &written, err)
               : write_form(problem, def, &rest, &written, err));
    *keep = rest;
    *system = written;
    return UT_OK;
}

utStatus ut_printed_impulses(const utPrinted* system, const double* z, utArena scratch, double* r)
{
    if (system->notation == UT_NOTATION_PFROMMER) {
        return UT_ERR_ARGUMENT;
    }
    const int n = system->lcp.n;
    double* amount = ut_coulomb_push(&scratch, 1, n);
    if (amount == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int k = 0; k < n; k++) {
        amount[k] = system->scale[k] * z[k];
    }
    ut_polyhedral_impulses(&system->form, amount, r);
    const int N = system->form.dimension * system->form.contacts + system->form.bilaterals;
    for (int k = 0; k < N; k++) {
        r[k] *= system->impulse;
    }
    return UT_OK;
}
