// SPDX-License-Identifier: Apache-2.0
// Friction problems with polygonal sections as LCPs: the parts that both models share, and the force
// model.
//
// Every unknown that is an impulse acts on the rows of one contact by a vector g_k (`impulse`), and
// its equation is a combination a_k (`row`) of these rows. One loop fills the part of the matrix that
// comes from the dynamics:
//
//     by W           A_kl = a_k' W g_l,    q_k = a_k' q
//     by M and J     A_kv = a_k' J,  A_vl = -J' g_l,  A_vv = M,  q_v = -f,  q_k = a_k' b
//
// For beta a = g = (0, d_j). For a normal a = g = e_n; where the contact slides, g = e_n - mu_k
// slip/|slip| carries its friction.
#include "polyhedral.h"

#include <limits.h>
#include <string.h>

#include "coulomb/forms/delassus.h"
#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "lcp/plain_form.h"

// Free rows, each scaled to a diagonal of 1, whose pivot is below this depend on the others: smaller
// pivots may be rounding.
static const double REDUNDANT = 1e-10;

utPolyhedralDef ut_polyhedral_def(void)
{
    return (utPolyhedralDef){
        .model = UT_POLYHEDRAL_FORCE,
        .level = UT_POLYHEDRAL_MIXED,
        .scale = 1.0,
        .cookie = UT_POLYHEDRAL_DEF_COOKIE,
    };
}

// Is x finite and not negative? A NaN is not.
static bool is_amount(double x)
{
    return x >= 0.0 && x < HUGE_VAL;
}

static bool def_ok(const utPolyhedralDef* def, int dimension, int contacts)
{
    if (def == NULL || def->cookie != UT_POLYHEDRAL_DEF_COOKIE ||
        (unsigned)def->model > UT_POLYHEDRAL_ACCELERATION ||
        (unsigned)def->level > UT_POLYHEDRAL_REDUCED || !is_amount(def->relaxation) ||
        !is_amount(def->regularization) || !(def->scale > 0.0 && def->scale < HUGE_VAL)) {
        return false;
    }
    const bool force = def->model == UT_POLYHEDRAL_FORCE;
    if (force ? def->rho != NULL : def->convex || def->directions_first) {
        return false;
    }
    for (int i = 0; i < contacts; i++) {
        if ((def->rho != NULL && !is_amount(def->rho[i])) ||
            (def->mu_kinetic != NULL && !is_amount(def->mu_kinetic[i]))) {
            return false;
        }
    }
    for (int k = 0; def->slip != NULL && k < contacts * (dimension - 1); k++) {
        if (!isfinite(def->slip[k])) {
            return false;
        }
    }
    return true;
}

// ---- the dense forms ----------------------------------------------------------------------------

// Make W and q dense, and M and J where velocities are unknowns.
static utStatus take_dense(LcpWriter* w, utArena* keep)
{
    const utCoulomb* problem = w->problem;
    w->M = problem->M;
    w->J = problem->J;
    if (problem->blocks != NULL && w->def->level == UT_POLYHEDRAL_FULL) {
        double* M = ut_coulomb_push(keep, problem->dof, problem->dof);
        double* J = ut_coulomb_push(keep, ut_coulomb_rows(problem), problem->dof);
        if (ut_arena_failed(keep)) {
            return UT_ERR_CAPACITY;
        }
        ut_coulomb_spread_blocks(problem, M, J);
        w->M = M;
        w->J = J;
    }
    return ut_coulomb_delassus(problem, keep, &w->local);
}

// ---- layout -------------------------------------------------------------------------------------

// Does contact i slide at the start of the step?
static bool slides(const utPolyhedralDef* def, int dimension, int i)
{
    const int t = dimension - 1;
    return def->slip != NULL &&
           (def->slip[i * t] != 0.0 || (t == 2 && def->slip[i * t + 1] != 0.0));
}

int ut_polyhedral_directions(utPolyhedralModel model, const utSection* section)
{
    if (model == UT_POLYHEDRAL_ACCELERATION) {
        return ut_acceleration_lines(section);
    }
    return section->edges > 0 ? section->edges : 2;
}

void ut_polyhedral_direction(utPolyhedralModel model, const utSection* section, int j, double* d)
{
    if (model == UT_POLYHEDRAL_ACCELERATION) {
        ut_acceleration_line(section, j, d);
    } else if (section->edges > 0) {
        d[0] = section->circumradius * section->vertex[j][0];
        d[1] = section->circumradius * section->vertex[j][1];
    } else {
        d[0] = j == 0 ? 1.0 : -1.0;
    }
}

// The place of `count` unknowns, after those placed so far; -1 when they are not present.
static int place(int* next, bool present, int count)
{
    if (!present) {
        return -1;
    }
    const int at = *next;
    *next += count;
    return at;
}

// Count the unknowns and find the place of each kind. @return false when there are too many
static bool plan(LcpWriter* w, int* directions)
{
    const utCoulomb* problem = w->problem;
    const utPolyhedralDef* def = w->def;
    utPolyhedral* out = &w->out;
    const bool force = def->model == UT_POLYHEDRAL_FORCE;
    double total = 0.0;
    out->sticks = 0;
    for (int i = 0; i < problem->contacts; i++) {
        if (!slides(def, problem->dimension, i)) {
            out->sticks++;
            total += ut_polyhedral_directions(def->model, ut_coulomb_section(problem, i));
        }
    }
    const double most = problem->dof + problem->bilaterals + 4.0 * problem->contacts + 2.0 * total;
    if (!(most <= INT_MAX)) {
        return false;
    }

    *directions = (int)total;
    const bool full = def->level == UT_POLYHEDRAL_FULL;
    int next = 0;
    out->velocity = place(&next, full, problem->dof);
    out->bilateral = place(&next, true, problem->bilaterals);
    out->tangent = place(&next, !force, out->sticks * (problem->dimension - 1));
    w->free_count = next;
    out->beta = place(&next, force && def->directions_first, *directions);
    out->normal = place(&next, true, problem->contacts);
    if (!def->directions_first) {
        out->beta = place(&next, force, *directions);
    }
    out->lambda = place(&next, force, out->sticks);
    out->kappa_plus = place(&next, !force, *directions);
    out->kappa_minus = place(&next, !force, *directions);
    w->n = next;
    out->model = def->model;
    out->dimension = problem->dimension;
    out->contacts = problem->contacts;
    out->bilaterals = problem->bilaterals;
    return true;
}

static bool push(LcpWriter* w, int directions, utArena* keep)
{
    const int contacts = w->problem->contacts;
    w->A = ut_coulomb_push(keep, w->n, w->n);
    w->q = ut_coulomb_push(keep, 1, w->n);
    w->stick = UT_PUSH(keep, int, contacts);
    w->first = UT_PUSH(keep, int, contacts + 1);
    w->direction = ut_coulomb_push(keep, directions, w->problem->dimension - 1);
    w->rho = ut_coulomb_push(keep, 1, contacts);
    w->unknown = UT_PUSH(keep, utPolyhedralUnknown, w->n);
    return !ut_arena_failed(keep);
}

// ---- unknowns -----------------------------------------------------------------------------------

static void list_directions(LcpWriter* w)
{
    const utCoulomb* problem = w->problem;
    const int t = problem->dimension - 1;
    int next = 0;
    int sticks = 0;
    for (int i = 0; i < problem->contacts; i++) {
        const utSection* section = ut_coulomb_section(problem, i);
        const bool sticking = !slides(w->def, problem->dimension, i);
        const int count = sticking ? ut_polyhedral_directions(w->def->model, section) : 0;
        w->stick[i] = sticking ? sticks++ : -1;
        w->first[i] = next;
        w->rho[i] = 0.0;
        for (int j = 0; j < count; j++, next++) {
            ut_polyhedral_direction(w->def->model, section, j,
                                    w->direction + (size_t)next * (size_t)t);
        }
    }
    w->first[problem->contacts] = next;
}

// Add the friction of a sliding contact to the impulse of its normal.
static void carry_friction(const LcpWriter* w, int i, double* impulse)
{
    const int t = w->problem->dimension - 1;
    const double* slip = w->def->slip + (size_t)i * (size_t)t;
    const double* mu = w->def->mu_kinetic != NULL ? w->def->mu_kinetic : w->problem->mu;
    const double speed = t == 2 ? ut_polyhedral_length(slip[0], slip[1]) : fabs(slip[0]);
    for (int c = 0; c < t; c++) {
        impulse[1 + c] = -mu[i] * (slip[c] / speed);
    }
}

static void describe_unknowns(LcpWriter* w)
{
    const utPolyhedral* out = &w->out;
    const int t = out->dimension - 1;
    for (int k = 0; k < w->n; k++) {
        w->unknown[k] = (utPolyhedralUnknown){.contact = -1};
    }
    for (int j = 0; j < out->bilaterals; j++) {
        w->unknown[out->bilateral + j] = (utPolyhedralUnknown){out->contacts + j, {1.0}, {1.0}};
    }
    for (int i = 0; i < out->contacts; i++) {
        utPolyhedralUnknown* normal = &w->unknown[out->normal + i];
        *normal = (utPolyhedralUnknown){i, {1.0}, {1.0}};
        if (w->stick[i] < 0) {
            carry_friction(w, i, normal->impulse);
        } else if (out->tangent >= 0) {
            for (int c = 0; c < t; c++) {
                utPolyhedralUnknown* tangent = &w->unknown[out->tangent + w->stick[i] * t + c];
                *tangent = (utPolyhedralUnknown){.contact = i};
                tangent->impulse[1 + c] = 1.0;
                tangent->row[1 + c] = 1.0;
            }
        }
        for (int j = w->first[i]; out->beta >= 0 && j < w->first[i + 1]; j++) {
            utPolyhedralUnknown* beta = &w->unknown[out->beta + j];
            beta->contact = i;
            memcpy(beta->impulse + 1, w->direction + (size_t)j * (size_t)t,
                   (size_t)t * sizeof(double));
            memcpy(beta->row, beta->impulse, sizeof beta->row);
        }
    }
}

// ---- entries from the dynamics ------------------------------------------------------------------

// The first row of a contact or bilateral row. @param count receives the number of its rows
static int rows_of(const utPolyhedral* out, int contact, int* count)
{
    const bool bilateral = contact >= out->contacts;
    *count = bilateral ? 1 : out->dimension;
    return bilateral ? out->dimension * out->contacts + contact - out->contacts
                     : out->dimension * contact;
}

// sum = a'B over the rows of a contact. @param B N x cols, row-major
static void combine_rows(const utPolyhedral* out, const utPolyhedralUnknown* unknown, int cols,
                         const double* B, double* sum)
{
    int count;
    const int row = rows_of(out, unknown->contact, &count);
    memset(sum, 0, (size_t)cols * sizeof *sum);
    for (int c = 0; c < count; c++) {
        if (unknown->row[c] != 0.0) {
            ut_axpy(cols, unknown->row[c], B + (size_t)(row + c) * (size_t)cols, sum);
        }
    }
}

// g'x over the rows of a contact.
static double product(const utPolyhedral* out, int contact, const double* g, const double* x)
{
    int count;
    const int row = rows_of(out, contact, &count);
    double sum = 0.0;
    for (int c = 0; c < count; c++) {
        sum += g[c] * x[row + c];
    }
    return sum;
}

// @param sum N entries, work
static void fill_by_w(LcpWriter* w, double* sum)
{
    const int N = ut_coulomb_rows(w->problem);
    for (int k = 0; k < w->n; k++) {
        const utPolyhedralUnknown* row = &w->unknown[k];
        if (row->contact < 0) {
            continue;
        }
        combine_rows(&w->out, row, N, w->local.W, sum);
        for (int l = 0; l < w->n; l++) {
            const utPolyhedralUnknown* column = &w->unknown[l];
            if (column->contact >= 0) {
                *ut_writer_entry(w, k, l) = product(&w->out, column->contact, column->impulse, sum);
            }
        }
        w->q[k] = product(&w->out, row->contact, row->row, w->local.q);
    }
}

static void fill_by_velocities(LcpWriter* w)
{
    const int dof = w->problem->dof;
    const int v = w->out.velocity;
    for (int i = 0; i < dof; i++) {
        memcpy(ut_writer_entry(w, v + i, v), w->M + (size_t)i * (size_t)dof,
               (size_t)dof * sizeof(double));
        w->q[v + i] = -w->problem->f[i];
    }
    for (int k = 0; k < w->n; k++) {
        const utPolyhedralUnknown* unknown = &w->unknown[k];
        if (unknown->contact < 0) {
            continue;
        }
        combine_rows(&w->out, unknown, dof, w->J, ut_writer_entry(w, k, v));
        w->q[k] = product(&w->out, unknown->contact, unknown->row, w->problem->b);
        int count;
        const int row = rows_of(&w->out, unknown->contact, &count);
        for (int i = 0; i < dof; i++) {
            double sum = 0.0;
            for (int c = 0; c < count; c++) {
                sum += unknown->impulse[c] * w->J[(size_t)(row + c) * (size_t)dof + (size_t)i];
            }
            *ut_writer_entry(w, v + i, k) = 0.0 - sum; // never -0
        }
    }
}

// Add the relaxation to the diagonal of normal rows.
static void relax_normals(LcpWriter* w)
{
    const size_t N = (size_t)ut_coulomb_rows(w->problem);
    for (int i = 0; i < w->problem->contacts; i++) {
        const size_t row = (size_t)w->problem->dimension * (size_t)i;
        const int k = w->out.normal + i;
        *ut_writer_entry(w, k, k) += w->def->relaxation * w->local.W[row * N + row];
    }
}

// ---- the force model ----------------------------------------------------------------------------

// The blocks E, -E' and mu.
static void fill_force(LcpWriter* w)
{
    const utPolyhedral* out = &w->out;
    for (int i = 0; i < out->contacts; i++) {
        if (w->stick[i] < 0) {
            continue;
        }
        const int lambda = out->lambda + w->stick[i];
        const double mu = w->def->scale * w->problem->mu[i];
        for (int j = w->first[i]; j < w->first[i + 1]; j++) {
            *ut_writer_entry(w, out->beta + j, lambda) = w->def->scale;
            *ut_writer_entry(w, lambda, out->beta + j) = -w->def->scale;
        }
        *ut_writer_entry(w, lambda, out->normal + i) = mu;
        if (w->def->convex) {
            *ut_writer_entry(w, out->normal + i, lambda) = 0.0 - mu;
        }
    }
}

// ---- elimination --------------------------------------------------------------------------------

// Do the free rows, each scaled to a diagonal of 1, depend on each other?
static utStatus find_redundancy(const LcpWriter* w, utArena scratch, bool* redundant)
{
    const int f = w->free_count;
    double* F = ut_coulomb_push(&scratch, f, f);
    int* perm = UT_PUSH(&scratch, int, f);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int i = 0; i < f; i++) {
        for (int j = 0; j < f; j++) {
            const double scale = *ut_writer_entry(w, i, i) * *ut_writer_entry(w, j, j);
            F[(size_t)i * (size_t)f + (size_t)j] = *ut_writer_entry(w, i, j) / sqrt(scale);
        }
    }
    *redundant = ut_lu_factor(f, F, f, perm, REDUNDANT) != f;
    return UT_OK;
}

// Eliminate the free unknowns.
static utStatus eliminate(LcpWriter* w, utArena* keep, utError* err)
{
    if (w->free_count == 0) {
        w->out.bilateral = -1;
        w->out.tangent = -1;
        return UT_OK;
    }
    bool singular = false;
    Eliminated reduced;
    UT_TRY(find_redundancy(w, *keep, &singular));
    if (!singular) {
        UT_TRY(ut_eliminate_free(&w->out.lcp, keep, &reduced, &singular));
    }
    if (singular) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "%s are redundant, so the reduced form does not exist; the mixed form "
                            "does",
                            w->out.tangent >= 0 ? "rows of tangents and joints" : "rows of joints");
    }
    utPolyhedral* out = &w->out;
    int* const places[] = {&out->normal, &out->beta, &out->lambda, &out->kappa_plus,
                           &out->kappa_minus};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        *places[k] -= *places[k] >= 0 ? w->free_count : 0;
    }
    out->bilateral = -1;
    out->tangent = -1;
    out->lcp = reduced.lcp;
    out->eliminated = reduced.free_count;
    out->X = reduced.X;
    out->x = reduced.x;
    w->A = (double*)reduced.lcp.M;
    w->n = reduced.lcp.n;
    w->free_count = 0;
    return UT_OK;
}

// ---- writing ------------------------------------------------------------------------------------

static utStatus check_problem(const utCoulomb* problem, const utPolyhedralDef* def, utError* err)
{
    if (ut_coulomb_has_bounds(problem)) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "polyhedral: rows with bounds are not supported yet");
    }
    for (int i = 0; i < problem->contacts; i++) {
        const utSectionKind kind = ut_coulomb_section(problem, i)->kind;
        if (kind == UT_SECTION_CIRCLE || kind == UT_SECTION_PRODUCT) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "contact %d has a circle for its section; an LCP needs a polygon",
                                i);
        }
    }
    if (def->level == UT_POLYHEDRAL_FULL && problem->W != NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "the full form needs M and J, but the problem gives W and q");
    }
    return UT_OK;
}

static utStatus fill(LcpWriter* w, utArena scratch)
{
    double* sum = ut_coulomb_push(&scratch, 1, ut_coulomb_rows(w->problem));
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(w->A, 0, (size_t)w->n * (size_t)w->n * sizeof *w->A);
    memset(w->q, 0, (size_t)w->n * sizeof *w->q);
    if (w->def->level == UT_POLYHEDRAL_FULL) {
        fill_by_velocities(w);
    } else {
        fill_by_w(w, sum);
    }
    relax_normals(w);
    if (w->def->model == UT_POLYHEDRAL_FORCE) {
        fill_force(w);
    } else {
        ut_acceleration_inertias(w);
        ut_acceleration_fill(w);
    }
    return UT_OK;
}

utStatus ut_polyhedral_create(const utCoulomb* problem, const utPolyhedralDef* def, utArena* keep,
                              utPolyhedral* out, utError* err)
{
    UT_TRY(ut_coulomb_check(problem, err));
    if (!def_ok(def, problem->dimension, problem->contacts)) {
        return ut_error_set(err, UT_ERR_DEF, "polyhedral: the settings cannot be used");
    }
    UT_TRY(check_problem(problem, def, err));

    // write the outputs last, because a failure must not change them
    utArena rest = *keep;
    LcpWriter w = {.problem = problem, .def = def};
    int directions;
    if (!plan(&w, &directions) || !push(&w, directions, &rest)) {
        return ut_error_set(err, UT_ERR_CAPACITY, "polyhedral: no room for %d unknowns", w.n);
    }
    const utStatus status = take_dense(&w, &rest);
    if (status != UT_OK) {
        return ut_error_set(err, status,
                            status == UT_ERR_CAPACITY ? "polyhedral: no room for W"
                                                      : "M is not positive definite");
    }
    list_directions(&w);
    describe_unknowns(&w);
    UT_TRY(fill(&w, rest));
    w.out.lcp = (utLcp){.n = w.n, .M = w.A, .q = w.q, .free_count = w.free_count};
    if (def->level == UT_POLYHEDRAL_REDUCED) {
        UT_TRY(eliminate(&w, &rest, err));
    }
    for (int k = w.free_count; k < w.n; k++) {
        *ut_writer_entry(&w, k, k) *= 1.0 + def->regularization;
    }
    w.out.stick = w.stick;
    w.out.first = w.first;
    w.out.direction = w.direction;
    w.out.rho = w.rho;
    w.out.unknown = w.unknown;
    *out = w.out;
    *keep = rest;
    return UT_OK;
}

// ---- the way back -------------------------------------------------------------------------------

void ut_polyhedral_impulses(const utPolyhedral* form, const double* z, double* r)
{
    const int n = form->lcp.n;
    const int N = form->dimension * form->contacts + form->bilaterals;
    memset(r, 0, (size_t)N * sizeof *r);
    for (int k = 0; k < form->eliminated + n; k++) {
        const utPolyhedralUnknown* unknown = &form->unknown[k];
        if (unknown->contact < 0) {
            continue;
        }
        const int at = k - form->eliminated;
        const double amount =
            at >= 0 ? z[at] : -(ut_dot(n, form->X + (size_t)k * (size_t)n, z) + form->x[k]);
        int count;
        const int row = rows_of(form, unknown->contact, &count);
        for (int c = 0; c < count; c++) {
            r[row + c] += amount * unknown->impulse[c];
        }
    }
}
