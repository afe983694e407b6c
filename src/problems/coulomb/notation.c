// SPDX-License-Identifier: Apache-2.0
// Writes friction problems in the notation of papers. The problems of uptack/polyhedral.h differ from
// them only in units: the note of Tan, Siu and Liu has forces f instead of impulses r = h f, so
//
//     columns of f_n and f_d       times h
//     rows of the cone             over h      (mu f_n - E'f_d in place of mu r_n - E'beta)
//
// and everything else is unchanged.
#include <uptack/notation.h>

#include <string.h>

#include "coulomb/forms/delassus.h"
#include "la/dense/dense.h"
#include "coulomb/polygons/polyhedral.h"

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
    if (def->notation == UT_NOTATION_DART) {
        form.regularization = def->regularization;
        form.scale = def->scale_dt ? def->h : 1.0;
    }
    for (int k = 0; slip != NULL && k < problem->contacts * t; k++) {
        slip[k] = k % t == 0 && problem->mu[k / t] == 0.0 ? 1.0 : 0.0;
    }
    form.slip = def->only_rough && !peiret ? slip : NULL;
    return form;
}

// ---- parts --------------------------------------------------------------------------------------

static void add_part(utPrinted* system, const char* unknown, const char* slack, int start, int end)
{
    if (start >= 0 && end > start) {
        system->part[system->parts++] = (utPrintedPart){unknown, slack, start, end - start};
    }
}

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
                add_part(system, unknown[system->notation][k], slack[system->notation][k], at,
                         at + size[k]);
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

// ---- Pfrommer's notes ---------------------------------------------------------------------------

// Contacts without friction: lambda = W^-1 (x/h - q) / h, x the gaps after the step.
static utStatus write_falling(const utCoulomb* local, double h, utArena* keep, utPrinted* system,
                              utError* err)
{
    const int p = local->contacts, N = ut_coulomb_rows(local), d = local->dimension;
    double* A = ut_coulomb_push(keep, p, p);
    double* q = ut_coulomb_push(keep, 1, p);
    double* L = ut_coulomb_push(keep, p, p);
    double* x = ut_coulomb_push(keep, 1, p);
    if (A == NULL || q == NULL || L == NULL || x == NULL) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < p; i++) {
        for (int j = 0; j < p; j++) {
            L[i * p + j] = local->W[(size_t)(d * i) * (size_t)N + (size_t)(d * j)];
        }
        q[i] = -local->q[d * i] / h;
    }
    if (ut_chol_factor(p, L, p, 0.0) != p) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "pfrommer: normals are redundant");
    }
    ut_chol_solve(p, L, p, q);
    for (int j = 0; j < p; j++) {
        memset(x, 0, (size_t)p * sizeof *x);
        x[j] = 1.0 / (h * h);
        ut_chol_solve(p, L, p, x);
        for (int i = 0; i < p; i++) {
            A[i * p + j] = x[i];
        }
    }
    system->lcp = (utLcp){.n = p, .M = A, .q = q};
    add_part(system, "x", "lambda", 0, p);
    return UT_OK;
}

// One contact with friction: lambda'- = (xdot - q_t) / (h W_tt) + mu lambda_n for xdot+, and likewise.
static utStatus write_sliding(const utCoulomb* local, double h, utArena* keep, utPrinted* system,
                              utError* err)
{
    double* A = ut_coulomb_push(keep, 2, 2);
    double* q = ut_coulomb_push(keep, 1, 2);
    if (A == NULL || q == NULL) {
        return UT_ERR_CAPACITY;
    }
    const double* W = local->W;
    if (W[1] != 0.0 || W[2] != 0.0) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "pfrommer: the normal force depends on friction, and the notes take "
                            "it as given");
    }
    const double normal = local->q[0] < 0.0 ? -local->q[0] / (h * W[0]) : 0.0;
    const double most = local->mu[0] * normal, free = local->q[1] / (h * W[3]);
    A[0] = A[3] = 1.0 / (h * W[3]);
    A[1] = A[2] = 0.0;
    q[0] = most - free;
    q[1] = most + free;
    system->lcp = (utLcp){.n = 2, .M = A, .q = q};
    add_part(system, "xdot+", "lambda'-", 0, 1);
    add_part(system, "xdot-", "lambda'+", 1, 2);
    return UT_OK;
}

static utStatus write_pfrommer(const utCoulomb* problem, double h, utArena* keep, utPrinted* system,
                               utError* err)
{
    utCoulomb local;
    const utStatus status = ut_coulomb_delassus(problem, keep, &local);
    if (status != UT_OK) {
        return ut_error_set(err, status, "pfrommer: W could not be found");
    }
    bool smooth = true;
    for (int i = 0; i < local.contacts; i++) {
        smooth = smooth && local.mu[i] == 0.0;
    }
    if (local.bilaterals > 0 || local.contacts == 0 ||
        (!smooth && (local.contacts > 1 || local.dimension != 2))) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "pfrommer: contacts without friction, or one in the plane with it");
    }
    return smooth ? write_falling(&local, h, keep, system, err)
                  : write_sliding(&local, h, keep, system, err);
}

// ---- writing ------------------------------------------------------------------------------------

utStatus ut_printed_create(const utCoulomb* problem, const utPrintedDef* def, utArena* keep,
                           utPrinted* system, utError* err)
{
    if (!def_ok(def)) {
        return ut_error_set(err, UT_ERR_DEF, "the settings of a system cannot be used");
    }
    UT_TRY(ut_coulomb_check(problem, err));
    utArena rest = *keep;
    utPrinted written = {.notation = def->notation};
    if (def->notation == UT_NOTATION_PFROMMER) {
        UT_TRY(write_pfrommer(problem, def->h, &rest, &written, err));
    } else {
        double* slip = ut_coulomb_push(&rest, problem->contacts, problem->dimension - 1);
        if (slip == NULL) {
            return ut_error_set(err, UT_ERR_CAPACITY, "no room for a system");
        }
        const utPolyhedralDef form = form_def(problem, def, slip);
        UT_TRY(ut_polyhedral_create(problem, &form, &rest, &written.form, err));
        double* scale = ut_coulomb_push(&rest, 1, written.form.lcp.n);
        if (scale == NULL) {
            return ut_error_set(err, UT_ERR_CAPACITY, "no room for a system");
        }
        const bool forces = def->notation == UT_NOTATION_DART;
        // the matrix is in `rest` and may be changed
        take_forces(&written, forces ? def->h : 1.0, (double*)(uintptr_t)written.form.lcp.M, scale);
        written.scale = scale;
        written.lcp = written.form.lcp;
        name_parts(problem, &written);
    }
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
    return UT_OK;
}
