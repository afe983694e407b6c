// SPDX-License-Identifier: Apache-2.0
// Lemke's method for every kind of problem: scaling, warm starts, rewriting as a plain problem and
// iterative refinement.
#include "lcp/internal.h"
#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "lemke.h"
#include "lcp/equilibrate.h"
#include "lcp/plain_form.h"

#include <string.h>

// ---- set-up -------------------------------------------------------------------------------------

// share of the tolerance below which refinement does not improve z any more
static const double REFINED_SHARE = 1e-4;

// relative to the largest |y|: a warm basis is not followed over a smaller pivot
static const double MIN_WARM_PIVOT = 1e-7;

enum {
    MAX_REFINEMENTS = 3,
    MAX_ROUNDS = 4, // runs that each repair the infeasibility that rounding left in the last
};

// The scaled problem: C = the columns of R M C, and the scalings R, C and of q.
typedef struct Scaled {
    double* row;
    double* col;
    double* C;
    int* begin;
    int* end;
    double q_scale;
} Scaled;

static void choose_scaling(const utLcp* lcp, const utLcpDef* def, Scaled* scaled, double* work)
{
    const size_t size = (size_t)lcp->n * sizeof(double);
    const utLcpWarm* kept = ut_lcp_kept_factor(def, UT_LCP_FACTOR_LU);
    if (kept != NULL) {
        memcpy(scaled->row, kept->row, size);
        memcpy(scaled->col, kept->col, size);
    } else if (def->equilibrate) {
        ut_scale_find(lcp->n, lcp->M, scaled->row, scaled->col, work);
    } else {
        for (int i = 0; i < lcp->n; i++) {
            scaled->row[i] = 1.0;
            scaled->col[i] = 1.0;
        }
    }
}

// C = (R M C)^T in tiles, because reads and writes then use whole cache lines
static void fill_columns(const utLcp* lcp, const Scaled* scaled)
{
    enum { TILE = 16 };
    const int n = lcp->n;
    for (int i0 = 0; i0 < n; i0 += TILE) {
        int i1 = i0 + TILE < n ? i0 + TILE : n;
        for (int j0 = 0; j0 < n; j0 += TILE) {
            int j1 = j0 + TILE < n ? j0 + TILE : n;
            for (int j = j0; j < j1; j++) {
                double* column = scaled->C + (size_t)j * (size_t)n;
                for (int i = i0; i < i1; i++) {
                    double m = lcp->M[(size_t)i * (size_t)n + (size_t)j];
                    column[i] = scaled->row[i] * m * scaled->col[j];
                }
            }
        }
    }
    for (int j = 0; j < n; j++) {
        const double* column = scaled->C + (size_t)j * (size_t)n;
        int begin = 0;
        int end = n;
        while (begin < n && column[begin] == 0.0) {
            begin++;
        }
        while (end > begin && column[end - 1] == 0.0) {
            end--;
        }
        scaled->begin[j] = begin;
        scaled->end[j] = end;
    }
}

// q = R q times the power of two that makes its largest entry about 1
static void fill_q(const utLcp* lcp, Scaled* scaled, double* q)
{
    double largest = 0.0;
    for (int i = 0; i < lcp->n; i++) {
        q[i] = scaled->row[i] * lcp->q[i];
        largest = fabs(q[i]) > largest ? fabs(q[i]) : largest;
    }
    int exponent = 0;
    frexp(largest, &exponent);
    scaled->q_scale = largest > 0.0 ? ldexp(1.0, -exponent) : 1.0;
    for (int i = 0; i < lcp->n; i++) {
        q[i] *= scaled->q_scale;
    }
}

static utStatus scale_problem(const utLcp* lcp, const utLcpDef* def, utArena* arena, Scaled* scaled,
                              double* q)
{
    const int n = lcp->n;
    *scaled = (Scaled){
        .row = UT_PUSH(arena, double, n),
        .col = UT_PUSH(arena, double, n),
        .C = ut_matrix_push(arena, n, n),
        .begin = UT_PUSH(arena, int, n),
        .end = UT_PUSH(arena, int, n),
    };
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    choose_scaling(lcp, def, scaled, q);
    fill_columns(lcp, scaled);
    fill_q(lcp, scaled, q);
    return UT_OK;
}

// ---- warm starts --------------------------------------------------------------------------------

static void set_start(Lemke* s, const unsigned char* active)
{
    // free unknowns are always basic; `candidate` is idle now and holds the flags
    unsigned char* flags = (unsigned char*)s->candidate;
    for (int i = 0; i < s->n; i++) {
        flags[i] = i < s->free_count || (active != NULL && active[i] != 0);
    }
    ut_basis_set(&s->basis, flags);
}

// Start from the factor of the warm start and its unknowns.
static void adopt_factor(Lemke* s, const utLcpWarm* warm)
{
    Basis* basis = &s->basis;
    unsigned char* flags = (unsigned char*)s->candidate;
    memset(flags, 0, (size_t)s->n);
    for (int k = 0; k < warm->count; k++) {
        flags[warm->order[k]] = 1;
        basis->rows[k] = warm->order[k];
        basis->vars[k] = s->n + warm->order[k];
        basis->perm[k] = warm->perm[k];
    }
    ut_basis_set(basis, flags);
    basis->kernel = warm->count;
    basis->updates = 0;
    basis->limit = basis->max_updates;
    memcpy(basis->LU, warm->F, (size_t)warm->count * (size_t)warm->count * sizeof *warm->F);
}

// Exchange the unknowns whose activity changed since the factor was made, because few updates are
// cheaper than a factorization. @return false when there are many, or a pivot is too small
static bool follow_active(Lemke* s, const utLcpWarm* warm)
{
    Basis* basis = &s->basis;
    for (int i = 0; i < s->n; i++) {
        bool wanted = warm->active[i] != 0 || i < s->free_count;
        bool basic = basis->position[s->n + i] >= 0;
        if (wanted == basic) {
            continue;
        }
        int entering = wanted ? s->n + i : i;
        int position = basis->position[wanted ? i : s->n + i];
        ut_basis_column(basis, entering, s->y);
        ut_basis_solve(basis, s->y);
        if (2 * basis->updates > basis->max_updates ||
            !(fabs(s->y[position]) > MIN_WARM_PIVOT * ut_max_abs(s->n, s->y))) {
            return false;
        }
        ut_basis_replace(basis, position, entering, s->y);
    }
    return true;
}

// Store the final basis for the next solve. If this solve only updated the factor of the warm start,
// that factor stays, and the next solve follows the changes of the active set again.
static void keep_basis(Lemke* s, const utLcpDef* def, const Scaled* scaled, utLcpWarm* warm)
{
    Basis* basis = &s->basis;
    const size_t n = (size_t)s->n;
    const bool followed =
        ut_lcp_kept_factor(def, UT_LCP_FACTOR_LU) != NULL && basis->factorizations == 0;
    for (int i = 0; i < s->n; i++) {
        warm->active[i] = basis->position[s->n + i] >= 0;
    }
    warm->valid = true;
    if (followed || (basis->updates > 0 && !ut_basis_factor(basis))) {
        warm->factor = followed ? UT_LCP_FACTOR_LU : UT_LCP_FACTOR_NONE;
        return;
    }
    const size_t k = (size_t)basis->kernel;
    warm->factor = UT_LCP_FACTOR_LU;
    warm->count = basis->kernel;
    memcpy(warm->order, basis->rows, k * sizeof *warm->order);
    memcpy(warm->perm, basis->perm, k * sizeof *warm->perm);
    memcpy(warm->F, basis->LU, k * k * sizeof *warm->F);
    memcpy(warm->row, scaled->row, n * sizeof *warm->row);
    memcpy(warm->col, scaled->col, n * sizeof *warm->col);
}

// Start from the warm basis. @return false when there is none or it is singular
static bool start_warm(Lemke* s, const utLcpDef* def)
{
    if (def->warm == NULL || !def->warm->valid) {
        return false;
    }
    if (ut_lcp_kept_factor(def, UT_LCP_FACTOR_LU) != NULL) {
        adopt_factor(s, def->warm);
        if (follow_active(s, def->warm)) {
            return true;
        }
    }
    set_start(s, def->warm->active);
    return ut_basis_factor(&s->basis);
}

// Start from the basis of all w and the free z. @return false when the free unknowns have no regular
// block
static bool start_cold(Lemke* s)
{
    set_start(s, NULL);
    if (ut_basis_factor(&s->basis)) {
        return true;
    }

    // the block of the free unknowns is singular: find partners; the memory of the factor is idle
    unsigned char* active = (unsigned char*)s->start;
    memcpy(s->basis.LU, s->basis.C, (size_t)s->n * (size_t)s->n * sizeof *s->basis.LU);
    if (!ut_free_partners(s->n, s->free_count, s->basis.LU, active)) {
        return false;
    }
    set_start(s, active);
    return ut_basis_factor(&s->basis);
}

// ---- the solve ----------------------------------------------------------------------------------

static void write_z(const Lemke* s, const Scaled* scaled, double* z)
{
    const int n = s->n;
    memset(z, 0, (size_t)n * sizeof *z);
    for (int i = 0; i < n; i++) {
        int v = s->basis.basic[i];
        if (v >= n && v < 2 * n) {
            double value = s->x[i] * scaled->col[v - n] / scaled->q_scale;
            z[v - n] = value > 0.0 || v - n < s->free_count ? value : 0.0;
        }
    }
}

// Iterative refinement: solve again for the accurate slacks of the rows where w = 0.
static void refine(Lemke* s, const utLcp* lcp, const Scaled* scaled, const double* z)
{
    const int n = s->n;
    ut_lcp_slack(lcp, z, s->y);
    for (int i = 0; i < n; i++) {
        bool solved = s->basis.basic[i] >= n;
        s->lex[i] = solved ? s->y[i] * scaled->row[i] * scaled->q_scale : 0.0;
    }
    ut_basis_solve(&s->basis, s->lex);
    for (int i = 0; i < n; i++) {
        s->x[i] += s->basis.basic[i] < n ? 0.0 : s->lex[i];
    }
}

// Write z of a complementary basis with as little work as the residual allows: from x; from a new
// factorization; refined. @return whether the residual is within the tolerance
static bool write_answer(Lemke* s, const utLcp* lcp, const Scaled* scaled, double tolerance,
                         double* z)
{
    write_z(s, scaled, z);
    if (ut_lcp_surely_solved(lcp, z, UT_LCP_SAFE_SHARE * tolerance)) {
        return true;
    }
    if (s->basis.updates > 0 && !ut_lemke_refresh(s)) {
        return false;
    }
    for (int attempt = 0; attempt < MAX_REFINEMENTS; attempt++) {
        write_z(s, scaled, z);
        if (ut_lcp_residual(lcp, z) <= REFINED_SHARE * tolerance) {
            return true;
        }
        refine(s, lcp, scaled, z);
    }
    write_z(s, scaled, z);
    return ut_lcp_residual(lcp, z) <= tolerance;
}

static utStatus make_lemke(const utLcp* lcp, const utLcpDef* def, utArena* arena, Lemke* s)
{
    const int n = lcp->n;
    *s = (Lemke){
        .n = n,
        .free_count = lcp->free_count,
        .q = UT_PUSH(arena, double, n),
        .P = UT_PUSH(arena, double, n),
        .x = UT_PUSH(arena, double, n),
        .p = UT_PUSH(arena, double, n),
        .y = UT_PUSH(arena, double, n),
        .lex = UT_PUSH(arena, double, n),
        .cover = UT_PUSH(arena, double, n),
        .d = UT_PUSH(arena, double, n),
        .best = UT_PUSH(arena, double, n),
        .start = UT_PUSH(arena, int, n),
        .candidate = UT_PUSH(arena, int, n),
        .limit = def->max_iterations > 0 ? def->max_iterations : ut_lcp_max_pivots(n),
    };
    return ut_basis_create(n, arena, &s->basis);
}

// Store z if it is the best so far, else return the best one.
static void keep_best(const Lemke* s, const utLcp* lcp, double* least, double* z)
{
    const size_t size = (size_t)s->n * sizeof *z;
    const double residual = ut_lcp_residual(lcp, z);
    const bool better = residual < *least || *least == HUGE_VAL;
    memcpy(better ? s->best : z, better ? z : s->best, size);
    *least = better ? residual : *least;
}

// Pivot from the factored starting basis until the residual is small enough. If rounding left the
// final basis slightly infeasible, it is the start of another, much shorter round. A round that
// increases the residual is dropped.
static LemkeEnd run_rounds(Lemke* s, const utLcp* lcp, const utLcpDef* def, const Scaled* scaled,
                           double* z)
{
    double least = HUGE_VAL;
    memcpy(s->x, s->q, (size_t)s->n * sizeof *s->x);
    ut_basis_solve(&s->basis, s->x);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        int before = s->pivots;
        LemkeEnd end = ut_lemke_run(s);
        if (end == LEMKE_RAY && def->ray != NULL) {
            ut_lemke_ray(s, def->ray);
            ut_lcp_ray_scale(s->n, scaled->col, def->ray);
        }
        if (end != LEMKE_DONE) {
            write_z(s, scaled, z);
            if (round > 0) {
                keep_best(s, lcp, &least, z);
            }
            return end;
        }
        if (write_answer(s, lcp, scaled, def->tolerance, z)) {
            break;
        }
        keep_best(s, lcp, &least, z);
        if (s->pivots == before) {
            break;
        }
    }
    return LEMKE_DONE;
}

// Solve from the warm basis, which may still be complementary, or a few pivots away. No theorem
// covers such starts, so every other outcome than a solution is dropped.
static bool run_warm(Lemke* s, const utLcp* lcp, const utLcpDef* def, const Scaled* scaled,
                     double* z)
{
    for (int i = 0; i < s->n; i++) {
        s->cover[i] = 1.0;
    }
    memcpy(s->x, s->q, (size_t)s->n * sizeof *s->x);
    ut_basis_solve(&s->basis, s->x);
    return write_answer(s, lcp, scaled, def->tolerance, z) ||
           run_rounds(s, lcp, def, scaled, z) == LEMKE_DONE;
}

// The covering vector of a cold start: def->cover, and for a second attempt a modified one, which
// leads along another path.
static void set_cover(Lemke* s, const utLcpDef* def, const Scaled* scaled, int attempt)
{
    for (int i = 0; i < s->n; i++) {
        double asked = def->cover != NULL ? scaled->row[i] * def->cover[i] : 1.0;
        s->cover[i] = attempt == 0 ? asked : asked * (1.0 + 0.5 * (i % 7) / 7.0);
    }
}

// Solve a plain problem whose free unknowns stay in the basis.
static utStatus solve_mixed(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                            utLcpInfo* info, bool* free_is_singular)
{
    Lemke s;
    Scaled scaled;
    UT_TRY(make_lemke(lcp, def, &scratch, &s));
    UT_TRY(scale_problem(lcp, def, &scratch, &scaled, s.q));
    s.basis.C = scaled.C;
    s.basis.begin = scaled.begin;
    s.basis.end = scaled.end;
    s.basis.d = s.d;

    *free_is_singular = false;
    LemkeEnd end = LEMKE_DONE;
    if (!start_warm(&s, def) || !run_warm(&s, lcp, def, &scaled, z)) {
        for (int attempt = 0; attempt < 2; attempt++) {
            *free_is_singular = !start_cold(&s);
            if (*free_is_singular) {
                return UT_OK;
            }
            set_cover(&s, def, &scaled, attempt);
            end = run_rounds(&s, lcp, def, &scaled, z);
            if (end != LEMKE_SINGULAR) {
                break; // try another path only after a loss of rank
            }
        }
    }
    if (end == LEMKE_DONE && def->warm != NULL) {
        keep_basis(&s, def, &scaled, def->warm);
    }
    info->iterations = s.pivots;
    info->factorizations += s.basis.factorizations;
    info->outcome = end == LEMKE_DONE  ? UT_LCP_SOLVED
                    : end == LEMKE_RAY ? UT_LCP_RAY
                                       : UT_LCP_ITERATIONS;
    return UT_OK;
}

// ---- other kinds of problems --------------------------------------------------------------------

// The def for a rewritten problem, without the arrays that are indexed by unknowns.
static utLcpDef inner_def(const utLcpDef* def, double* ray)
{
    utLcpDef inner = *def;
    inner.cover = NULL;
    inner.warm = NULL;
    inner.ray = def->ray != NULL ? ray : NULL;
    return inner;
}

static utStatus solve_split(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                            utLcpInfo* info)
{
    utLcp split;
    UT_TRY(ut_split_free(lcp, &scratch, &split));
    double* x = UT_PUSH(&scratch, double, split.n);
    double* ray = UT_PUSH(&scratch, double, split.n);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    utLcpDef inner = inner_def(def, ray);
    bool singular;
    UT_TRY(solve_mixed(&split, &inner, scratch, x, info, &singular));
    ut_split_back(lcp, x, z);
    if (info->outcome == UT_LCP_RAY && def->ray != NULL) {
        ut_split_back(lcp, ray, def->ray);
        ut_lcp_ray_scale(lcp->n, NULL, def->ray);
    }
    return UT_OK;
}

static utStatus solve_eliminated(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                                 utLcpInfo* info, bool* singular)
{
    Eliminated small;
    UT_TRY(ut_eliminate_free(lcp, &scratch, &small, singular));
    if (*singular) {
        return UT_OK;
    }
    double* x = UT_PUSH(&scratch, double, small.lcp.n);
    double* ray = UT_PUSH(&scratch, double, small.lcp.n);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    info->factorizations++;
    if (small.lcp.n == 0) {
        info->outcome = UT_LCP_SOLVED;
        ut_eliminated_back(&small, x, false, z);
        return UT_OK;
    }
    utLcpDef inner = inner_def(def, ray);
    UT_TRY(solve_mixed(&small.lcp, &inner, scratch, x, info, singular));
    ut_eliminated_back(&small, x, false, z);
    if (info->outcome == UT_LCP_RAY && def->ray != NULL) {
        ut_eliminated_back(&small, ray, true, def->ray);
        ut_lcp_ray_scale(lcp->n, NULL, def->ray);
    }
    return UT_OK;
}

static utStatus solve_plain(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                            utLcpInfo* info)
{
    bool singular = false;
    if (lcp->free_count > 0 && def->eliminate_free) {
        UT_TRY(solve_eliminated(lcp, def, scratch, z, info, &singular));
    } else {
        UT_TRY(solve_mixed(lcp, def, scratch, z, info, &singular));
    }
    return singular ? solve_split(lcp, def, scratch, z, info) : UT_OK;
}

utStatus ut_lcp_lemke(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                      utLcpInfo* info)
{
    if (ut_lcp_is_plain(lcp)) {
        return solve_plain(lcp, def, scratch, z, info);
    }
    Standard standard;
    UT_TRY(ut_standard_make(lcp, &scratch, &standard));
    double* x = UT_PUSH(&scratch, double, standard.lcp.n);
    double* ray = UT_PUSH(&scratch, double, standard.lcp.n);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    utLcpDef inner = inner_def(def, ray);
    UT_TRY(solve_plain(&standard.lcp, &inner, scratch, x, info));
    ut_standard_back(&standard, x, false, z);
    if (info->outcome == UT_LCP_RAY && def->ray != NULL) {
        ut_standard_back(&standard, ray, true, def->ray);
        ut_lcp_ray_scale(lcp->n, NULL, def->ray);
    }
    return UT_OK;
}
