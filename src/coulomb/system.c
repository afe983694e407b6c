// The dense system H = M + J_c' D J_c + J_b' diag(w) J_b of the second-order solvers.
//
// A contact touches the columns of two bodies, so J is kept as the few columns of each group of
// rows, and what the groups add to H costs nothing beside its factorization.
#include <string.h>

#include "la/dense.h"
#include "la/kernel.h"
#include "system.h"

static const double SLOWEST = 1e-9;    // m/s, the least V (certificate.md)
static const double IMMOVABLE = 1e-14; // of the largest trace: a contact that nothing can move

// ---- groups of rows -----------------------------------------------------------------------------

typedef struct Group {
    int rows;          // d, or 1
    int row;           // its first row in J
    int cols;          // columns that it touches
    const int* column; // these
    const double* J;   // rows x cols
} Group;

static Group group(const System* system, int g)
{
    const bool contact = g < system->nc;
    const int first = system->first[g];
    const int behind = contact ? 0 : system->first[system->nc];
    return (Group){
        .rows = contact ? system->d : 1,
        .row = contact ? system->d * g : system->n + g - system->nc,
        .cols = system->first[g + 1] - first,
        .column = system->column + first,
        .J = system->J + (size_t)system->d * (size_t)(contact ? first : behind) +
             (size_t)(contact ? 0 : first - behind),
    };
}

static bool touches(const System* system, int row, int rows, int column)
{
    for (int k = row; k < row + rows; k++) {
        if (system->problem->J[(size_t)k * (size_t)system->dof + (size_t)column] != 0.0) {
            return true;
        }
    }
    return false;
}

// Gather the columns and entries of all groups.
static void gather(System* system)
{
    const double* J = system->problem->J;
    double* entry = system->J;
    int count = 0;
    int row = 0;
    for (int g = 0; g < system->nc + system->nb; g++) {
        const int rows = g < system->nc ? system->d : 1;
        const int first = count;
        system->first[g] = first;
        for (int c = 0; c < system->dof; c++) {
            if (touches(system, row, rows, c)) {
                system->column[count++] = c;
            }
        }
        for (int k = row; k < row + rows; k++) {
            for (int c = first; c < count; c++) {
                *entry++ = J[(size_t)k * (size_t)system->dof + (size_t)system->column[c]];
            }
        }
        row += rows;
    }
    system->first[system->nc + system->nb] = count;
}

void ut_system_rows(const System* system, bool shifted, const double* v, double* u)
{
    for (int g = 0; g < system->nc + system->nb; g++) {
        const Group at = group(system, g);
        const double* entry = at.J;
        for (int k = 0; k < at.rows; k++) {
            double sum = 0.0;
            for (int c = 0; c < at.cols; c++) {
                sum += *entry++ * v[at.column[c]];
            }
            u[at.row + k] = shifted ? sum + system->problem->b[at.row + k] : sum;
        }
    }
}

void ut_system_add_transposed(const System* system, const double* x, double* g)
{
    for (int i = 0; i < system->nc + system->nb; i++) {
        const Group at = group(system, i);
        const double* entry = at.J;
        for (int k = 0; k < at.rows; k++) {
            for (int c = 0; c < at.cols; c++) {
                g[at.column[c]] += *entry++ * x[at.row + k];
            }
        }
    }
}

// ---- the problem prepared -----------------------------------------------------------------------

size_t ut_system_scratch(const utCoulomb* problem)
{
    const int N = ut_coulomb_rows(problem);
    const int dof = problem->dof;
    const int groups = problem->contacts + problem->bilaterals;
    size_t need = 3 * ut_coulomb_need(1, groups + 1); // first, m and mb, moves: at least that
    need = ut_coulomb_plus(need, ut_coulomb_need(1, groups + 1));
    need = ut_coulomb_plus(need, ut_coulomb_need(groups, dof));
    need = ut_coulomb_plus(need, ut_coulomb_need(N, dof));
    for (int k = 0; k < 3; k++) {
        need = ut_coulomb_plus(need, ut_coulomb_need(dof, dof));
    }
    need = ut_coulomb_plus(need, ut_coulomb_need(7, dof + 8));
    return ut_coulomb_plus(need, ut_coulomb_need(3, N + 8));
}

static bool push(System* system, utArena* scratch)
{
    const int groups = system->nc + system->nb;
    const int dof = system->dof;
    system->first = UT_PUSH(scratch, int, groups + 1);
    system->column = ut_arena_push(scratch, (size_t)groups, (size_t)dof * sizeof(int));
    system->J = ut_coulomb_push(scratch, system->N, dof);
    system->L = ut_coulomb_push(scratch, dof, dof);
    system->H = ut_coulomb_push(scratch, dof, dof);
    system->F = ut_coulomb_push(scratch, dof, dof);
    system->v = ut_coulomb_push(scratch, 1, dof);
    system->t = ut_coulomb_push(scratch, 1, dof);
    system->x = ut_coulomb_push(scratch, 1, dof);
    system->y = ut_coulomb_push(scratch, 1, dof);
    system->z = ut_coulomb_push(scratch, 1, dof);
    system->perm = UT_PUSH(scratch, int, dof);
    system->q = ut_coulomb_push(scratch, 1, system->N);
    system->u = ut_coulomb_push(scratch, 1, system->N);
    system->m = ut_coulomb_push(scratch, 1, system->nc);
    system->mb = ut_coulomb_push(scratch, 1, system->nb);
    system->moves = UT_PUSH(scratch, bool, system->nc);
    return system->first != NULL && system->column != NULL && system->J != NULL &&
           system->L != NULL && system->H != NULL && system->F != NULL && system->v != NULL &&
           system->t != NULL && system->x != NULL && system->y != NULL && system->z != NULL &&
           system->perm != NULL && system->q != NULL && system->u != NULL && system->m != NULL &&
           system->mb != NULL && system->moves != NULL;
}

// tr(A_gg) of a group, A = J M^-1 J'
static double find_trace(const System* system, int g)
{
    const Group at = group(system, g);
    const size_t dof = (size_t)system->dof;
    double trace = 0.0;
    for (int k = at.row; k < at.row + at.rows; k++) {
        const double* row = system->problem->J + (size_t)k * dof;
        memcpy(system->x, row, dof * sizeof *row);
        ut_chol_solve(system->dof, system->L, system->dof, system->x);
        trace += ut_dot(system->dof, row, system->x);
    }
    return trace;
}

// Effective masses; what nothing can move takes the least one.
static void weigh(System* system)
{
    double largest = 0.0;
    for (int i = 0; i < system->nc; i++) {
        system->m[i] = find_trace(system, i);
        largest = fmax(largest, system->m[i]);
    }
    for (int i = 0; i < system->nc; i++) {
        system->moves[i] = system->m[i] > IMMOVABLE * largest;
        const double trace = system->moves[i] ? system->m[i] : largest;
        system->m[i] = trace > 0.0 ? system->d / trace : 1.0;
    }
    largest = 0.0;
    for (int j = 0; j < system->nb; j++) {
        system->mb[j] = find_trace(system, system->nc + j);
        largest = fmax(largest, system->mb[j]);
    }
    for (int j = 0; j < system->nb; j++) {
        const double trace = system->mb[j] > IMMOVABLE * largest ? system->mb[j] : largest;
        system->mb[j] = trace > 0.0 ? 1.0 / trace : 1.0;
    }
}

utStatus ut_system_create(const utCoulomb* problem, utArena* scratch, System* system)
{
    *system = (System){
        .problem = problem,
        .d = problem->dimension,
        .nc = problem->contacts,
        .nb = problem->bilaterals,
        .n = problem->dimension * problem->contacts,
        .N = ut_coulomb_rows(problem),
        .dof = problem->dof,
    };
    if (problem->W != NULL || (system->nc > 0 && problem->section->edges > 0)) {
        return UT_ERR_ARGUMENT;
    }
    if (!push(system, scratch)) {
        return UT_ERR_CAPACITY;
    }
    const size_t dof = (size_t)system->dof;
    memcpy(system->L, problem->M, dof * dof * sizeof *system->L);
    if (ut_chol_factor(system->dof, system->L, system->dof, 0.0) != system->dof) {
        return UT_ERR_ARGUMENT;
    }
    gather(system);
    memcpy(system->v, problem->f, dof * sizeof *system->v);
    ut_chol_solve(system->dof, system->L, system->dof, system->v);
    ut_system_rows(system, true, system->v, system->q);
    weigh(system);
    return UT_OK;
}

// ---- velocities and their error -----------------------------------------------------------------

void ut_system_velocity(const System* system, const double* r, double* v)
{
    memcpy(v, system->problem->f, (size_t)system->dof * sizeof *v);
    ut_system_add_transposed(system, r, v);
    ut_chol_solve(system->dof, system->L, system->dof, v);
}

void ut_system_momentum(const System* system, const double* v, double* g)
{
    const int dof = system->dof;
    for (int k = 0; k < dof; k++) {
        system->x[k] = v[k] - system->v[k];
    }
    for (int k = 0; k < dof; k++) {
        g[k] = ut_dot(dof, system->problem->M + (size_t)k * (size_t)dof, system->x);
    }
}

double ut_system_scale(const System* system, const double* r)
{
    const int d = system->d;
    double square = SLOWEST * SLOWEST;
    for (int i = 0; i < system->nc; i++) {
        const double* q = system->q + (size_t)d * (size_t)i;
        const double* r_i = r + (size_t)d * (size_t)i;
        const bool carries = r_i[0] != 0.0 || r_i[1] != 0.0 || (d == 3 && r_i[2] != 0.0);
        if (q[0] < 0.0 || carries) {
            square = fmax(square, ut_dot(d, q, q));
        }
    }
    for (int j = system->n; j < system->N; j++) {
        square = fmax(square, system->q[j] * system->q[j]);
    }
    return sqrt(square);
}

double ut_system_error(const System* system, const double* r, double* bilateral)
{
    const utCoulomb* problem = system->problem;
    ut_system_velocity(system, r, system->z);
    ut_system_rows(system, true, system->z, system->u);
    const double V = ut_system_scale(system, r);
    double E = 0.0;
    for (int i = 0; i < system->nc; i++) {
        const utLaw law = {problem->section, problem->mu[i], false};
        const double* u = system->u + (size_t)system->d * (size_t)i;
        const double* r_i = r + (size_t)system->d * (size_t)i;
        const double e = system->moves[i] ? ut_law_error(&law, system->m[i], r_i, u)
                                          : ut_law_error_degenerate(&law, u);
        E = e <= E ? E : e; // a NaN is the largest
    }
    double most = 0.0;
    for (int j = system->n; j < system->N; j++) {
        const double e = fabs(system->u[j]);
        most = e <= most ? most : e;
    }
    *bilateral = most / V;
    return E / V;
}

void ut_system_release(const System* system, double* r)
{
    const utCoulomb* problem = system->problem;
    const int d = system->d;
    ut_system_velocity(system, r, system->z);
    ut_system_rows(system, true, system->z, system->u);
    for (int i = 0; i < system->nc; i++) {
        const utLaw law = {problem->section, problem->mu[i], false};
        double* r_i = r + (size_t)d * (size_t)i;
        double x[3];
        ut_law_shifted(&law, system->u + (size_t)d * (size_t)i, x);
        for (int k = 0; k < d; k++) {
            x[k] = r_i[k] - system->m[i] * x[k];
        }
        if (ut_law_project(&law, x, x) == UT_LAW_OPEN) {
            memset(r_i, 0, (size_t)d * sizeof *r_i);
        }
    }
}

// ---- H ------------------------------------------------------------------------------------------

static void add_contact(System* system, int i, const double* D)
{
    const Group at = group(system, i);
    const int d = system->d;
    for (int b = 0; b < at.cols; b++) {
        // D J, one column
        double DJ[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < d; k++) {
            for (int l = 0; l < d; l++) {
                DJ[k] += D[d * k + l] * at.J[l * at.cols + b];
            }
        }
        for (int a = 0; a < at.cols; a++) {
            double sum = 0.0;
            for (int k = 0; k < d; k++) {
                sum += at.J[k * at.cols + a] * DJ[k];
            }
            system->H[(size_t)at.column[a] * (size_t)system->dof + (size_t)at.column[b]] += sum;
        }
    }
}

static void add_bilateral(System* system, int j, double weight)
{
    const Group at = group(system, system->nc + j);
    for (int a = 0; a < at.cols; a++) {
        double* row = system->H + (size_t)at.column[a] * (size_t)system->dof;
        for (int b = 0; b < at.cols; b++) {
            row[at.column[b]] += at.J[a] * weight * at.J[b];
        }
    }
}

// F = H with a unit diagonal and a little more
static void scale(System* system, double more)
{
    const size_t dof = (size_t)system->dof;
    for (size_t i = 0; i < dof; i++) {
        const double* row = system->H + i * dof;
        for (size_t j = 0; j < dof; j++) {
            system->F[i * dof + j] = row[j] * system->t[i] * system->t[j];
        }
        system->F[i * dof + i] += more;
    }
}

bool ut_system_factor(System* system, bool symmetric, const double* D, const double* w)
{
    const int dof = system->dof;
    memcpy(system->H, system->problem->M, (size_t)dof * (size_t)dof * sizeof *system->H);
    for (int i = 0; i < system->nc; i++) {
        add_contact(system, i, D + (size_t)system->d * (size_t)system->d * (size_t)i);
    }
    for (int j = 0; j < system->nb; j++) {
        add_bilateral(system, j, w[j]);
    }
    system->symmetric = symmetric;
    for (int k = 0; k < dof; k++) {
        const double diagonal = fabs(system->H[(size_t)k * (size_t)dof + (size_t)k]);
        system->t[k] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 1.0;
        if (!isfinite(diagonal)) {
            return false;
        }
    }
    if (!symmetric) {
        scale(system, 0.0);
        return ut_lu_factor(dof, system->F, dof, system->perm, 0.0) == dof;
    }

    // a hair more on the diagonal where rounding has made H indefinite
    static const double more[] = {0.0, 1e-15, 1e-13, 1e-11};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        scale(system, more[k]);
        if (ut_chol_factor(dof, system->F, dof, 0.0) == dof) {
            return true;
        }
    }
    return false;
}

// x = T F^-1 T g
static void solve_once(const System* system, const double* g, double* x)
{
    const int dof = system->dof;
    double* b = system->symmetric ? x : system->x;
    for (int k = 0; k < dof; k++) {
        b[k] = system->t[k] * g[k];
    }
    if (system->symmetric) {
        ut_chol_solve(dof, system->F, dof, x);
    } else {
        ut_lu_solve(dof, system->F, dof, system->perm, b, x);
    }
    for (int k = 0; k < dof; k++) {
        x[k] *= system->t[k];
    }
}

void ut_system_solve(const System* system, const double* g, double* x)
{
    const int dof = system->dof;
    solve_once(system, g, x);
    for (int k = 0; k < dof; k++) {
        system->y[k] = g[k] - ut_dot(dof, system->H + (size_t)k * (size_t)dof, x);
    }
    solve_once(system, system->y, system->z);
    for (int k = 0; k < dof; k++) {
        x[k] += system->z[k];
    }
}
