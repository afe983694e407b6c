// SPDX-License-Identifier: Apache-2.0
// A step's system in a paper's notation: the matrix, the blocks, the solution, the rank.
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <uptack/matrix.h>

enum { MAX_RANKED = 200 }; // unknowns up to which the rank is computed without --rank

static const double ANSWERS =
    1e-7; // scaled residual up to which the step's answer solves the system
static const double DEPENDENT =
    1e-10; // rest of a row over the row, below which it depends on rows above

// What the steps of building share.
typedef struct Builder {
    const EqOptions* o;
    const EqStep* step;
    EqSystem* system;
    utBlocks blocks; // not for peiret and pfrommer
    utArena* keep;
} Builder;

static bool is_peiret(const Builder* b)
{
    return b->o->notation->notation == UT_NOTATION_PEIRET;
}

static bool is_pfrommer(const Builder* b)
{
    return b->o->notation->notation == UT_NOTATION_PFROMMER;
}

// ---- traits -------------------------------------------------------------------------------------

static void find_contact_traits(const EqStep* step, EqTraits* t)
{
    const utStepReport* report = &step->result.report;
    const utModel* model = step->model;
    for (int i = 0; i < step->problem.contacts; i++) {
        t->friction = t->friction || step->problem.mu[i] > 0.0;
        for (int side = 0; step->named && side < 2; side++) {
            const utContact* c = &report->contact[i];
            const int s = side == 0 ? c->geom1 : c->geom2;
            t->pusher = t->pusher ||
                        (ut_model_side_body(model, s) > 0 &&
                         model->body[ut_model_side_body(model, s)].tree < 0 && model->nmocap > 0);
            t->belt = t->belt || (s < model->ngeom && model->geom[s].belt);
        }
    }
}

static EqTraits find_traits(const EqStep* step)
{
    const utModel* model = step->model;
    EqTraits t = {
        .planar = model->options.planar != UT_PLANAR_NONE,
        .joints = step->problem.bilaterals > 0,
        .contacts = step->problem.contacts > 0,
        .springs = model->nspring > 0,
        .impact = step->impact,
        .held = step->held > 0,
        .scaled = model->options.scale_dt,
        .regularized = model->options.regularization > 0.0,
    };
    find_contact_traits(step, &t);
    for (int k = 0; step->named && k < step->problem.bilaterals; k++) {
        const utRow* row = &step->result.report.row[step->row[k]];
        t.turning = t.turning || (row->dof < 0 && ut_vec3_norm(row->linear) == 0.0);
    }
    const int width = step->problem.dimension - 1;
    for (int k = 0; k < step->problem.contacts * width; k++) {
        t.slides = t.slides || step->slip[k] != 0.0;
    }
    return t;
}

// ---- pfrommer -----------------------------------------------------------------------------------

static double row_times(const EqStep* step, int row, const double* v)
{
    double sum = 0.0;
    for (int i = 0; i < step->problem.dof; i++) {
        sum += step->problem.J[(size_t)row * (size_t)step->problem.dof + (size_t)i] * v[i];
    }
    return sum;
}

// Acceleration along a row without contact forces. Its body has one mass along all directions: M is
// diagonal (ut_printed_create has checked the case).
static double row_force(const EqStep* step, int row)
{
    const utCoulomb* p = &step->problem;
    double sum = 0.0;
    for (int i = 0; i < p->dof; i++) {
        const double m = p->M[(size_t)i * (size_t)p->dof + (size_t)i];
        sum += p->J[(size_t)row * (size_t)p->dof + (size_t)i] * (p->f[i] / m - step->v[i]);
    }
    return sum / step->result.report.h;
}

// The case of the notes: falling without friction, forward where it is valid, else bidirectional.
static const EqNotation* choose_case(const EqStep* step, const EqNotation* notation)
{
    if (strcmp(notation->name, "pfrommer") != 0 || step->problem.contacts == 0) {
        return notation;
    }
    if (!(step->problem.mu[0] > 0.0)) {
        return ut_eq_find_notation("pfrommer-falling");
    }
    const bool forward = row_times(step, 1, step->v) >= 0.0 && row_force(step, 1) >= 0.0;
    return ut_eq_find_notation(forward ? "pfrommer-forward" : "pfrommer-bidirectional");
}

// ---- the printed system -------------------------------------------------------------------------

static utStatus refuse(const Builder* b, const char* reason, utError* err)
{
    return ut_error_set(err, UT_ERR_ARGUMENT, "%s does not apply: %s", b->o->notation->name,
                        reason);
}

static utStatus write_printed(Builder* b, utError* err)
{
    const EqStep* step = b->step;
    EqSystem* s = b->system;
    utPrintedDef def = ut_printed_def(s->notation->notation, step->result.report.h);
    double* rho = UT_PUSH(b->keep, double, step->problem.contacts);
    if (rho == NULL) {
        return ut_eq_no_memory(err);
    }
    for (int i = 0; i < step->problem.contacts; i++) {
        rho[i] = b->o->rho;
    }
    def.level = s->notation->level;
    def.only_rough = def.notation == UT_NOTATION_BERARD;
    def.turned = step->turned;
    def.forward = strcmp(s->notation->name, "pfrommer-forward") == 0;
    def.regularization = step->model->options.regularization;
    def.scale_dt = step->model->options.scale_dt;
    if (is_peiret(b)) {
        def.rho = b->o->rho >= 0.0 ? rho : NULL;
        def.v = step->v;
        def.slip = step->slip;
    }
    if (is_pfrommer(b) &&
        (strcmp(s->notation->name, "pfrommer-falling") == 0) == s->traits.friction) {
        return refuse(b,
                      s->traits.friction ? "the falling block has no friction"
                                         : "the contact has no friction",
                      err);
    }
    const utStatus status = ut_printed_create(&step->problem, &def, b->keep, &s->printed, err);
    if (status == UT_ERR_ARGUMENT) {
        char reason[sizeof err->message];
        const bool full = s->notation->level == UT_POLYHEDRAL_REDUCED && !is_pfrommer(b);
        snprintf(reason, sizeof reason, "%.150s%s%s", err->message,
                 full ? "; this system keeps them: " : "",
                 !full          ? ""
                 : is_peiret(b) ? "peiret"
                                : "dart-full");
        return refuse(b, reason, err);
    }
    return status == UT_ERR_CAPACITY ? ut_eq_no_memory(err) : status;
}

// The kind of each part, by its place.
static void find_kinds(EqSystem* s)
{
    const utPolyhedral* form = &s->printed.form;
    const int start[] = {form->velocity, form->bilateral, form->tangent,    form->normal,
                         form->beta,     form->lambda,    form->kappa_plus, form->kappa_minus};
    for (int k = 0; k < s->printed.parts; k++) {
        s->kind[k] = k == 0 ? EQ_N : EQ_F; // pfrommer
        for (int kind = 0; s->notation->notation != UT_NOTATION_PFROMMER && kind < EQ_UNKNOWNS;
             kind++) {
            s->kind[k] = start[kind] == s->printed.part[k].start ? (EqKind)kind : s->kind[k];
        }
    }
    if (s->notation->notation == UT_NOTATION_PFROMMER) {
        s->axis[EQ_F] = s->axis[EQ_N];
    }
}

// ---- blocks -------------------------------------------------------------------------------------

static void add_block(Builder* b, const char* text, const char* tex, const char* unit, EqKind rows,
                      EqKind cols, const double* value)
{
    EqSystem* s = b->system;
    if (value == NULL || s->axis[rows].count == 0 || s->axis[cols].count == 0) {
        return;
    }
    s->block[s->blocks++] = (EqBlock){
        .symbol = {text, tex},
        .equation = ut_eq_block_equation(s->notation, &s->traits, text),
        .unit = unit,
        .rows = rows,
        .cols = cols,
        .wide = rows == EQ_V && cols != EQ_V && cols != EQ_ONE,
        .value = value,
    };
}

static double* push(const Builder* b, int count)
{
    return UT_PUSH(b->keep, double, count > 0 ? count : 1);
}

// (tau - M v)/h
static double* applied_forces(const Builder* b, const double* v, double sign)
{
    const utCoulomb* p = &b->step->problem;
    double* force = push(b, p->dof);
    for (int i = 0; force != NULL && i < p->dof; i++) {
        double sum = p->f[i];
        for (int k = 0; k < p->dof; k++) {
            sum -= p->M[(size_t)i * (size_t)p->dof + (size_t)k] * v[k];
        }
        force[i] = sign * sum / b->step->result.report.h + 0.0;
    }
    return force;
}

// The rows of J from `first` on, every `stride`-th, transposed: m x count
static double* columns_of_J(const Builder* b, const int* row, int count)
{
    const utCoulomb* p = &b->step->problem;
    double* W = push(b, p->dof * count);
    for (int k = 0; W != NULL && k < count; k++) {
        for (int i = 0; i < p->dof; i++) {
            W[i * count + k] = p->J[(size_t)row[k] * (size_t)p->dof + (size_t)i];
        }
    }
    return W;
}

static double* transposed(const Builder* b, int rows, int cols, const double* A)
{
    double* T = push(b, rows * cols);
    for (int i = 0; T != NULL && i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            T[j * rows + i] = A[i * cols + j];
        }
    }
    return T;
}

// Gaps, and what of b_n they leave
static void add_gaps(Builder* b, const char* gap, const char* gap_tex, const char* rate,
                     const char* rate_tex)
{
    const utCoulomb* p = &b->step->problem;
    const double h = b->step->result.report.h;
    double* psi = push(b, p->contacts);
    double* moves = push(b, p->contacts);
    if (!b->step->named || psi == NULL || moves == NULL) {
        return;
    }
    bool any = false;
    for (int i = 0; i < p->contacts; i++) {
        psi[i] = b->step->result.report.contact[i].gap;
        moves[i] = p->b[p->dimension * i] - psi[i] / h;
        any = any || fabs(moves[i]) > 1e-12 * (1.0 + fabs(psi[i] / h));
    }
    add_block(b, gap, gap_tex, "m", EQ_N, EQ_ONE, psi);
    if (any && rate != NULL) {
        add_block(b, rate, rate_tex, "m/s", EQ_N, EQ_ONE, moves);
    }
}

// Is any velocity more than rounding? Eq. 70 has zeros where a flat block is pushed.
static bool any_velocity(int count, const double* x)
{
    bool any = false;
    for (int k = 0; k < count; k++) {
        any = any || fabs(x[k]) > 1e-12;
    }
    return any;
}

static void add_berard_blocks(Builder* b)
{
    const utCoulomb* p = &b->step->problem;
    double* W_b = push(b, p->dof * p->bilaterals);
    double* b_b = push(b, p->bilaterals);
    if (W_b == NULL || b_b == NULL) {
        return;
    }
    for (int j = 0; j < p->bilaterals; j++) {
        const double sign = b->step->turned[j] ? -1.0 : 1.0;
        b_b[j] = sign * b->blocks.b_b[j] + 0.0;
        for (int i = 0; i < p->dof; i++) {
            W_b[i * p->bilaterals + j] = sign * b->blocks.W_b[i * p->bilaterals + j] + 0.0;
        }
    }
    add_block(b, "M", "M", "", EQ_V, EQ_V, b->blocks.M);
    add_block(b, "W_b", "W_b", "", EQ_V, EQ_B, W_b);
    add_block(b, "W_n", "W_n", "", EQ_V, EQ_N, b->blocks.W_n);
    add_block(b, "W_f", "W_f", "", EQ_V, EQ_F, b->blocks.W_f);
    add_block(b, "E", "E", "", EQ_F, EQ_L, b->blocks.E);
    add_block(b, "U", "U", "", EQ_L, EQ_N, b->blocks.U);
    add_block(b, "nu^l", "\\vec\\nu^{\\,l}", "m/s, rad/s", EQ_V, EQ_ONE, b->step->result.report.v);
    add_block(b, "l_app", "\\vec\\lambda_{app}", "N, N m", EQ_V, EQ_ONE,
              applied_forces(b, b->step->result.report.v, 1.0));
    add_block(b, "Phi/h + dPhi/dt", "\\frac{\\Phi^l}{h}+\\frac{\\partial\\Phi^l}{\\partial t}",
              "m/s", EQ_B, EQ_ONE, b_b);
    add_gaps(b, "Psi_n", "\\Psi_n^l", "dPsi_n/dt", "\\frac{\\partial\\Psi_n^l}{\\partial t}");
    add_block(b, "Psi_n/h + dPsi_n/dt",
              "\\frac{\\Psi_n^l}{h}+\\frac{\\partial\\Psi_n^l}{\\partial t}", "m/s", EQ_N, EQ_ONE,
              b->blocks.b_n);
    if (any_velocity(b->blocks.directions, b->blocks.b_f)) {
        add_block(b, "dPsi_f/dt", "\\frac{\\partial\\Psi_f^l}{\\partial t}", "m/s", EQ_F, EQ_ONE,
                  b->blocks.b_f);
    }
}

static void add_dart_blocks(Builder* b)
{
    const utStepReport* report = &b->step->result.report;
    add_block(b, "M", "M", "", EQ_V, EQ_V, b->blocks.M);
    add_block(b, "N", "N", "", EQ_V, EQ_N, b->blocks.W_n);
    add_block(b, "B", "B", "", EQ_V, EQ_F, b->blocks.W_f);
    add_block(b, "J_b'", "J_b^T", "", EQ_V, EQ_B, b->blocks.W_b);
    add_block(b, "E", "E", "", EQ_F, EQ_L, b->blocks.E);
    add_block(b, "mu", "\\mu", "", EQ_L, EQ_N, b->blocks.U);
    add_block(b, "qdot^n", "\\dot{\\mathbf q}^n", "m/s, rad/s", EQ_V, EQ_ONE, report->v);
    add_block(b, "C - tau", "C-\\tau^n", "N, N m", EQ_V, EQ_ONE,
              applied_forces(b, report->v, -1.0));
    add_block(b, "tau*", "\\tau^*", "N s, N m s", EQ_V, EQ_ONE, b->blocks.tau);
}

static void add_igms_blocks(Builder* b)
{
    const utStepReport* report = &b->step->result.report;
    add_block(b, "M", "M", "", EQ_V, EQ_V, b->blocks.M);
    add_block(b, "D", "D", "", EQ_V, EQ_F, b->blocks.W_f);
    add_block(b, "n", "\\mathbf n", "", EQ_V, EQ_N, b->blocks.W_n);
    add_block(b, "e", "e", "", EQ_F, EQ_L, b->blocks.E);
    add_block(b, "mu", "\\mu", "", EQ_L, EQ_N, b->blocks.U);
    add_block(b, "v^t", "v^t", "m/s, rad/s", EQ_V, EQ_ONE, report->v);
    add_block(b, "k", "k", "N, N m", EQ_V, EQ_ONE, applied_forces(b, report->v, 1.0));
    add_gaps(b, "n'q^t - alpha_0", "\\mathbf n^Tq^t-\\alpha_0", "v_n of moving surfaces",
             "v_n\\textrm{ of moving surfaces}");
}

static void add_pfrommer_blocks(Builder* b)
{
    const EqStep* step = b->step;
    const utCoulomb* p = &step->problem;
    const bool falling = !b->system->traits.friction;
    const int p_rows = p->contacts;
    double *x = push(b, p_rows), *v = push(b, p_rows), *u = push(b, p_rows),
           *most = push(b, p_rows);
    if (ut_arena_failed(b->keep)) {
        return;
    }
    for (int i = 0; i < p_rows; i++) {
        const int row = p->dimension * i;
        x[i] = step->result.report.h * p->b[row];
        v[i] = row_times(step, row + (falling ? 0 : 1), step->v);
        u[i] = row_force(step, row + (falling ? 0 : 1)) * (falling ? -1.0 : 1.0);
        most[i] = p->mu[i] * -row_force(step, row);
    }
    if (falling) {
        add_block(b, "x_k", "x_k", "m", EQ_N, EQ_ONE, x);
    }
    add_block(b, "xdot_k", "\\dot x_k", "m/s", EQ_N, EQ_ONE, v);
    add_block(b, falling ? "g" : "u", falling ? "g" : "u_{k+1}", "m/s^2", EQ_N, EQ_ONE, u);
    if (!falling) {
        add_block(b, "mu g", "\\mu g", "m/s^2", EQ_N, EQ_ONE, most);
    }
}

// E, mu and rho of Peiret's Eq. 8: lines by contacts.
static void add_line_blocks(Builder* b, int tangents)
{
    const utPolyhedral* form = &b->system->printed.form;
    const int d = form->dimension - 1, lines = form->first[form->contacts], p = form->contacts;
    double *E = push(b, tangents * lines), *mu = push(b, lines * p), *rho = push(b, lines);
    if (ut_arena_failed(b->keep)) {
        return;
    }
    memset(E, 0, (size_t)(tangents * lines) * sizeof *E);
    memset(mu, 0, (size_t)(lines * p) * sizeof *mu);
    for (int i = 0; i < p; i++) {
        for (int j = form->first[i]; j < form->first[i + 1]; j++) {
            for (int c = 0; c < d; c++) {
                E[(form->stick[i] * d + c) * lines + j] = form->direction[j * d + c];
            }
            mu[j * p + i] = b->step->problem.mu[i];
            rho[j] = form->rho[i];
        }
    }
    add_block(b, "E", "\\mathbf E", "", EQ_T, EQ_LINES, E);
    add_block(b, "mu", "\\mu", "", EQ_LINES, EQ_N, mu);
    add_block(b, "rho", "\\rho", "kg", EQ_LINES, EQ_ONE, rho);
}

// The constants (b + J v)/h of Eq. 8, which are Jdot v.
static double* rates(const Builder* b, const int* row, int count)
{
    double* x = push(b, count);
    for (int k = 0; x != NULL && k < count; k++) {
        x[k] = (b->step->problem.b[row[k]] + row_times(b->step, row[k], b->step->v)) /
               b->step->result.report.h;
    }
    return x;
}

static void add_peiret_blocks(Builder* b)
{
    const utCoulomb* p = &b->step->problem;
    const utPolyhedral* form = &b->system->printed.form;
    const int d = p->dimension;
    int* normal = UT_PUSH(b->keep, int, p->contacts);
    int* tangent = UT_PUSH(b->keep, int, (d - 1) * p->contacts);
    int* joint = UT_PUSH(b->keep, int, p->bilaterals);
    int tangents = 0;
    if (ut_arena_failed(b->keep)) {
        return;
    }
    for (int i = 0; i < p->contacts; i++) {
        normal[i] = d * i;
        for (int c = 1; form->stick[i] >= 0 && c < d; c++) {
            tangent[tangents++] = d * i + c;
        }
    }
    for (int j = 0; j < p->bilaterals; j++) {
        joint[j] = d * p->contacts + j;
    }
    add_block(b, "M", "\\mathbf M", "", EQ_V, EQ_V, p->M);
    const double* J_t = columns_of_J(b, tangent, tangents);
    const double* J_n = columns_of_J(b, normal, p->contacts);
    const double* J_b = columns_of_J(b, joint, p->bilaterals);
    if (ut_arena_failed(b->keep)) {
        return;
    }
    add_block(b, "J_t", "\\mathbf J_t", "", EQ_T, EQ_V, transposed(b, p->dof, tangents, J_t));
    add_block(b, "J_n", "\\mathbf J_n", "", EQ_N, EQ_V, transposed(b, p->dof, p->contacts, J_n));
    add_block(b, "J_b", "\\mathbf J_b", "", EQ_B, EQ_V, transposed(b, p->dof, p->bilaterals, J_b));
    add_line_blocks(b, tangents);
    add_block(b, "v", "\\mathbf v", "m/s, rad/s", EQ_V, EQ_ONE, b->step->result.report.v);
    add_block(b, "c - f_a", "\\mathbf c-\\mathbf f_a", "N, N m", EQ_V, EQ_ONE,
              applied_forces(b, b->step->v, -1.0));
    add_block(b, "Jdot_t v", "\\dot{\\mathbf J}_t\\mathbf v", "m/s^2", EQ_T, EQ_ONE,
              rates(b, tangent, tangents));
    add_block(b, "Jdot_n v", "\\dot{\\mathbf J}_n\\mathbf v", "m/s^2", EQ_N, EQ_ONE,
              rates(b, normal, p->contacts));
}

static void add_blocks(Builder* b)
{
    static void (*const add[UT_NOTATION_COUNT])(Builder*) = {
        [UT_NOTATION_BERARD] = add_berard_blocks, [UT_NOTATION_DART] = add_dart_blocks,
        [UT_NOTATION_IGMS] = add_igms_blocks,     [UT_NOTATION_PFROMMER] = add_pfrommer_blocks,
        [UT_NOTATION_PEIRET] = add_peiret_blocks,
    };
    add[b->system->notation->notation](b);
}

// ---- the solution -------------------------------------------------------------------------------

// The largest error of a row or its complementarity, without the scales of the residual.
static double largest_error(const EqSystem* s)
{
    const utLcp* lcp = &s->printed.lcp;
    double most = 0.0;
    ut_lcp_slack(lcp, s->z, s->w);
    for (int k = 0; k < lcp->n; k++) {
        most = fmax(most, fabs(k < lcp->free_count ? s->w[k] : fmin(s->w[k], s->z[k])));
    }
    return most;
}

static double largest_constant(const EqSystem* s)
{
    double most = 0.0;
    for (int k = 0; k < s->printed.lcp.n; k++) {
        most = fmax(most, fabs(s->printed.lcp.q[k]));
    }
    return most;
}

static utStatus solve(Builder* b, utError* err)
{
    EqSystem* s = b->system;
    const int n = s->printed.lcp.n;
    s->z = UT_PUSH(b->keep, double, n);
    s->w = UT_PUSH(b->keep, double, n);
    if (ut_arena_failed(b->keep)) {
        return ut_eq_no_memory(err);
    }
    s->residual = HUGE_VAL;
    if (b->step->named) {
        const utStatus status =
            ut_printed_unknowns(&s->printed, &b->step->problem, b->step->r, *b->keep, s->z);
        if (status != UT_OK) {
            return status == UT_ERR_CAPACITY ? ut_eq_no_memory(err)
                                             : refuse(b, "M is not positive definite", err);
        }
        s->residual = ut_lcp_residual(&s->printed.lcp, s->z);
    }
    s->by_step = b->step->named &&
                 (s->residual <= ANSWERS || largest_error(s) <= ANSWERS * largest_constant(s));
    if (!s->by_step) {
        const utLcpDef def = ut_lcp_def();
        memset(s->z, 0, (size_t)n * sizeof *s->z);
        if (ut_lcp_solve(&s->printed.lcp, UT_LCP_AUTO, &def, *b->keep, s->z, &s->info) != UT_OK) {
            return ut_eq_no_memory(err);
        }
        s->residual = ut_lcp_residual(&s->printed.lcp, s->z);
    }
    ut_lcp_slack(&s->printed.lcp, s->z, s->w);
    return UT_OK;
}

bool ut_eq_is_solved(const EqSystem* system)
{
    return system->by_step || system->info.outcome == UT_LCP_SOLVED;
}

// ---- rank ---------------------------------------------------------------------------------------

// List the rows that depend on rows above them, by Gram and Schmidt.
static utStatus find_dependents(EqSystem* s, utArena* keep)
{
    const int n = s->printed.lcp.n;
    s->dependent = UT_PUSH(keep, int, n);
    utArena scratch = *keep;
    double* Q = UT_PUSH(&scratch, double, (size_t)n*(size_t)n);
    if (s->dependent == NULL || Q == NULL) {
        return UT_ERR_CAPACITY;
    }
    int count = 0;
    for (int i = 0; i < n; i++) {
        double* row = Q + (size_t)count * (size_t)n;
        memcpy(row, s->printed.lcp.M + (size_t)i * (size_t)n, (size_t)n * sizeof *row);
        double size = 0.0, rest = 0.0;
        for (int k = 0; k < n; k++) {
            size += row[k] * row[k];
        }
        // twice, because once leaves rounding of the projections
        for (int j = 0; j < 2 * count; j++) {
            const double* other = Q + (size_t)(j % count) * (size_t)n;
            double along = 0.0;
            for (int k = 0; k < n; k++) {
                along += other[k] * row[k];
            }
            for (int k = 0; k < n; k++) {
                row[k] -= along * other[k];
            }
        }
        for (int k = 0; k < n; k++) {
            rest += row[k] * row[k];
        }
        if (!(sqrt(rest) > DEPENDENT * sqrt(size))) {
            s->dependent[s->dependents++] = i;
            continue;
        }
        for (int k = 0; k < n; k++) {
            row[k] /= sqrt(rest);
        }
        count++;
    }
    return UT_OK;
}

static utStatus find_rank(const EqOptions* o, EqSystem* s, utArena* keep)
{
    const int n = s->printed.lcp.n;
    s->rank = -1;
    for (int k = 0; k < s->blocks; k++) {
        s->block_rank[k] = -1;
    }
    if (n > MAX_RANKED && !o->rank) {
        return UT_OK;
    }
    utArena scratch = *keep;
    double* singular = UT_PUSH(&scratch, double, n);
    if (singular == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_matrix_singular(n, n, s->printed.lcp.M, scratch, singular));
    UT_TRY(ut_matrix_rank(n, n, s->printed.lcp.M, 0.0, scratch, &s->rank));
    s->condition = s->rank > 0 ? singular[0] / singular[s->rank - 1] : HUGE_VAL;
    for (int k = 0; o->rank && k < s->blocks; k++) {
        const EqBlock* block = &s->block[k];
        if (block->cols != EQ_ONE) {
            UT_TRY(ut_matrix_rank(s->axis[block->rows].count, s->axis[block->cols].count,
                                  block->value, 0.0, scratch, &s->block_rank[k]));
        }
    }
    return s->rank < n ? find_dependents(s, keep) : UT_OK;
}

// ---- units --------------------------------------------------------------------------------------

static bool is_impulse(EqKind kind)
{
    return kind == EQ_B || kind == EQ_T || kind == EQ_N || kind == EQ_F;
}

const char* ut_eq_unit(const EqSystem* s, EqKind kind)
{
    if (s->notation->notation == UT_NOTATION_PFROMMER) {
        return s->traits.friction ? "m/s" : "m";
    }
    const bool accelerations = s->notation->notation == UT_NOTATION_PEIRET;
    return is_impulse(kind) ? (s->notation->forces ? "N" : "N s")
           : kind == EQ_V   ? (accelerations ? "m/s^2, rad/s^2" : "m/s, rad/s")
                            : (accelerations ? "m/s^2" : "m/s");
}

const char* ut_eq_slack_unit(const EqSystem* s, EqKind kind)
{
    if (s->notation->notation == UT_NOTATION_PFROMMER) {
        return "N";
    }
    const bool accelerations = s->notation->notation == UT_NOTATION_PEIRET;
    return kind == EQ_N || kind == EQ_F ? (accelerations ? "m/s^2" : "m/s")
                                        : (s->notation->forces ? "N" : "N s");
}

const char* ut_eq_other_unit(const EqSystem* s, EqKind kind)
{
    return s->notation->notation == UT_NOTATION_PFROMMER || !is_impulse(kind) ? NULL
           : s->notation->forces                                              ? "N s"
                                                                              : "N";
}

double ut_eq_other_factor(const EqSystem* s)
{
    const double h = s->step->result.report.h;
    return s->notation->forces ? h : 1.0 / h;
}

// ---- all together -------------------------------------------------------------------------------

utStatus ut_eq_build(const EqOptions* o, const EqStep* step, utArena* keep, EqSystem* s,
                     utError* err)
{
    Builder b = {.o = o, .step = step, .system = s, .keep = keep};
    *s = (EqSystem){.options = o, .step = step, .traits = find_traits(step)};
    s->model = step->model->name[0] != '\0' ? step->model->name : o->model;
    s->notation = choose_case(step, o->notation);
    if (step->problem.contacts == 0 &&
        (o->notation->notation != UT_NOTATION_BERARD || !s->traits.joints)) {
        const bool touching = o->notation->notation == UT_NOTATION_DART || is_peiret(&b);
        char reason[240];
        snprintf(reason, sizeof reason, "step %d has no contacts%s; a later step may have some%s%s",
                 o->step,
                 touching                                      ? " with a gap of 0 or less"
                 : o->notation->notation == UT_NOTATION_BERARD ? " and no joint rows"
                                                               : "",
                 touching ? ", or a run with formulation " : "",
                 touching ? ut_formulation_name(o->notation->formulation) : "");
        return refuse(&b, reason, err);
    }
    UT_TRY(write_printed(&b, err));
    s->traits.heavy =
        is_pfrommer(&b) &&
        fabs(s->printed.lcp.M[0] * pow(s->printed.h, s->traits.friction ? 1 : 2) - 1.0) > 1e-9;
    if (!is_peiret(&b) && !is_pfrommer(&b)) {
        const bool only_rough = o->notation->notation == UT_NOTATION_BERARD;
        const utStatus status = ut_blocks_create(&step->problem, only_rough, keep, &b.blocks, err);
        if (status != UT_OK) {
            return status == UT_ERR_CAPACITY ? ut_eq_no_memory(err) : status;
        }
    }
    if (ut_eq_name_axes(step, &b.blocks, &s->printed, keep, s->axis) != UT_OK) {
        return ut_eq_no_memory(err);
    }
    find_kinds(s);
    s->equation = ut_eq_equation(s->notation, &s->traits);
    s->readings = ut_eq_list_readings(s->notation, &s->traits, s->reading);
    add_blocks(&b);
    UT_TRY(solve(&b, err));
    return find_rank(o, s, keep) == UT_OK && !ut_arena_failed(keep) ? UT_OK : ut_eq_no_memory(err);
}
