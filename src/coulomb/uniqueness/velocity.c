// SPDX-License-Identifier: Apache-2.0
// Is the velocity of a solution the only one? Global proofs come first (velocity_proof.c). Then the
// law is linearized to search for solutions nearby. Where it allows a direction of change, two tests
// decide whether the direction leads to other solutions (uptack/uniqueness.h has the theory).
#include "velocity.h"

#include <string.h>

#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "linearized_law.h"
#include "row_basis.h"

enum { MAX_CASES = 64 }; // combinations of pieces that are tried

// The pieces allow an effect of length 1 when it has at most this much of the velocities that they
// forbid: that much is rounding.
static const double ALLOWED = 1e-11;

// A second solution must differ by this many tolerances, so that the certificate distinguishes the
// two.
static const double APART = 1e3;

// It must also differ by this many times the square root of its own error. A direction that is only
// tangential to the law has an error of the square of the step.
static const double TOUCHING = 100.0;

static const double SECOND_TOLERANCE =
    1e-3; // fraction of the tolerance that a second solution must reach

// ---- contacts at rest ---------------------------------------------------------------------------

// Is each contact open, frictionless, sticking inside K, or at rest without an impulse? Then nearby
// solutions have r'_i = 0 at the first kind and u'_i = 0 at the third. At the second dr.du <= 0
// because the law is monotone, and at the fourth because r'.u' = -s' r'_n. So dr'W dr = sum dr.du
// <= 0, and the velocities are the same.
static bool is_at_rest(const SolvedProblem* solved)
{
    for (int i = 0; i < solved->nc; i++) {
        const Face* face = &solved->face[i];
        const bool sticks =
            face->kind == FACE_CONE && (face->inside || ut_solved_unloaded(solved, i));
        if (face->kind != FACE_APEX && solved->problem->mu[i] > 0.0 && !sticks) {
            return false;
        }
    }
    return solved->symmetric;
}

// ---- the linearized law of all contacts ---------------------------------------------------------

// One piece of the law is chosen for each contact. Effects w of their impulses satisfy
//
//     H w = C'y,   E w = 0,   H = 1 + sum_i kappa_i (G'across_i) (U'across_i)'
typedef struct Nearby {
    const SolvedProblem* solved;
    LawPiece (*piece)[MAX_PIECES]; // nc
    int* count;                    // nc: pieces of each contact
    int* choice;                   // nc: the chosen one

    double* C;            // N x n: effects of the columns of the pieces
    double* E;            // N x n: velocities that the rows of the pieces forbid
    double* H;            // n x n, factored
    int* perm;            // n
    double* X;            // min(N, n) x N: E times a basis of effects
    RowBasis columns;     // basis of C
    RowBasis effects;     // basis of H^-1 C
    RowBasis constraints; // basis of X

    double* w;  // n: an effect that the pieces allow
    double* dr; // N: its impulses

    RowBasis all;    // basis of all rows of G
    double* F;       // (N + n) x n: C, and H times the effects that E allows
    RowBasis family; // basis of F

    double* r; // N: impulses of a second solution
    double* u; // N: its velocities

    double *g, *e; // n, work
    double *y, *z; // N, work
} Nearby;

static bool push_nearby(const SolvedProblem* solved, utArena* scratch, Nearby* nearby)
{
    const int N = solved->N;
    const int n = solved->n;
    const int least = N < n ? N : n;
    *nearby = (Nearby){
        .solved = solved,
        .piece = ut_arena_push(scratch, (size_t)solved->nc, MAX_PIECES * sizeof(LawPiece)),
        .count = UT_PUSH(scratch, int, solved->nc),
        .choice = UT_PUSH(scratch, int, solved->nc),
        .C = ut_coulomb_push(scratch, N, n),
        .E = ut_coulomb_push(scratch, N, n),
        .H = ut_coulomb_push(scratch, n, n),
        .perm = UT_PUSH(scratch, int, n),
        .X = ut_coulomb_push(scratch, least, N),
        .w = ut_coulomb_push(scratch, 1, n),
        .dr = ut_coulomb_push(scratch, 1, N),
        .F = ut_coulomb_push(scratch, N + n, n),
        .r = ut_coulomb_push(scratch, 1, N),
        .u = ut_coulomb_push(scratch, 1, N),
        .g = ut_coulomb_push(scratch, 1, n),
        .e = ut_coulomb_push(scratch, 1, n),
        .y = ut_coulomb_push(scratch, 1, N),
        .z = ut_coulomb_push(scratch, 1, N),
    };
    ut_row_basis_push(N, n, scratch, &nearby->columns);
    ut_row_basis_push(least, n, scratch, &nearby->effects);
    ut_row_basis_push(least, N, scratch, &nearby->constraints);
    ut_row_basis_push(N, n, scratch, &nearby->all);
    ut_row_basis_push(N + n, n, scratch, &nearby->family);
    return !ut_arena_failed(scratch);
}

static const LawPiece* chosen(const Nearby* nearby, int i)
{
    return &nearby->piece[i][nearby->choice[i]];
}

// Fill C and E for the chosen pieces. @return how many rows they have
static int assemble(Nearby* nearby)
{
    const SolvedProblem* solved = nearby->solved;
    const size_t n = (size_t)solved->n;
    int count = 0;
    memset(nearby->C, 0, (size_t)solved->N * n * sizeof *nearby->C);
    memset(nearby->E, 0, (size_t)solved->N * n * sizeof *nearby->E);
    for (int row = 0, i = 0; row < solved->N; i++) {
        const int rows = i < solved->nc ? solved->d : 1;
        const LawPiece bilateral = {.count = 1, .column = {{1.0}}, .row = {{1.0}}};
        const LawPiece* piece = i < solved->nc ? chosen(nearby, i) : &bilateral;
        for (int k = 0; k < piece->count; k++, count++) {
            double x[3], y[3];
            for (int l = 0; l < rows; l++) {
                x[l] = piece->column[k][l] * solved->s[row];
                y[l] = piece->row[k][l] * solved->s[row];
            }
            ut_solved_add_effect(solved, row, rows, x, nearby->C + (size_t)count * n);
            ut_solved_add_velocity(solved, row, rows, y, nearby->E + (size_t)count * n);
        }
        row += rows;
    }
    return count;
}

// Has a contact friction that turns with its slip velocity?
static bool friction_turns(const Nearby* nearby)
{
    for (int i = 0; i < nearby->solved->nc; i++) {
        if (chosen(nearby, i)->kappa > 0.0) {
            return true;
        }
    }
    return false;
}

// The velocity of contact i across its slip direction, for the effect w. nearby->e becomes U'across.
static double velocity_across(const Nearby* nearby, int i, const double* w)
{
    const SolvedProblem* solved = nearby->solved;
    memset(nearby->e, 0, (size_t)solved->n * sizeof *nearby->e);
    ut_solved_add_velocity(solved, solved->d * i, solved->d, chosen(nearby, i)->across, nearby->e);
    return ut_dot(solved->n, nearby->e, w);
}

// x += (H - 1) w
static void add_turning(const Nearby* nearby, const double* w, double* x)
{
    const SolvedProblem* solved = nearby->solved;
    for (int i = 0; i < solved->nc; i++) {
        const LawPiece* piece = chosen(nearby, i);
        if (!(piece->kappa > 0.0)) {
            continue;
        }
        const double size = piece->kappa * velocity_across(nearby, i, w);
        double impulse[3];
        for (int k = 0; k < solved->d; k++) {
            impulse[k] = size * piece->across[k];
        }
        ut_solved_add_effect(solved, solved->d * i, solved->d, impulse, x);
    }
}

// @return false when H is singular
static bool factor_H(Nearby* nearby)
{
    const SolvedProblem* solved = nearby->solved;
    const int n = solved->n;
    memset(nearby->H, 0, (size_t)n * (size_t)n * sizeof *nearby->H);
    for (int k = 0; k < n; k++) {
        nearby->H[(size_t)k * (size_t)n + (size_t)k] = 1.0;
    }
    for (int i = 0; i < solved->nc; i++) {
        const LawPiece* piece = chosen(nearby, i);
        if (!(piece->kappa > 0.0)) {
            continue;
        }
        memset(nearby->g, 0, (size_t)n * sizeof *nearby->g);
        memset(nearby->e, 0, (size_t)n * sizeof *nearby->e);
        ut_solved_add_effect(solved, solved->d * i, solved->d, piece->across, nearby->g);
        ut_solved_add_velocity(solved, solved->d * i, solved->d, piece->across, nearby->e);
        for (int k = 0; k < n; k++) {
            ut_axpy(n, piece->kappa * nearby->g[k], nearby->e, nearby->H + (size_t)k * (size_t)n);
        }
    }
    return ut_lu_factor(n, nearby->H, n, nearby->perm, 0.0) == n;
}

static void divide_by_length(int n, double* x)
{
    const double size = sqrt(ut_dot(n, x, x));
    for (int c = 0; c < n; c++) {
        x[c] /= size;
    }
}

// An orthonormal basis of the effects w = H^-1 C'y. @return NULL when H is singular
static const RowBasis* find_effects(Nearby* nearby, int count)
{
    const int n = nearby->solved->n;
    ut_row_basis_find(count, n, nearby->C, nearby->solved->rank_tolerance, &nearby->columns);
    if (!friction_turns(nearby)) {
        return &nearby->columns;
    }
    if (!factor_H(nearby)) {
        return NULL;
    }
    for (int k = 0; k < nearby->columns.rank; k++) {
        double* row = nearby->C + (size_t)k * (size_t)n;
        ut_lu_solve(n, nearby->H, n, nearby->perm, nearby->columns.Q + (size_t)k * (size_t)n, row);
        divide_by_length(n, row);
    }
    ut_row_basis_find(nearby->columns.rank, n, nearby->C, 0.0, &nearby->effects);
    return &nearby->effects;
}

// Apply the constraints E w = 0 to the effects w of a basis. @param count rows of E
static void constrain(Nearby* nearby, const RowBasis* basis, int count)
{
    const int n = nearby->solved->n;
    for (int k = 0; k < basis->rank; k++) {
        for (int a = 0; a < count; a++) {
            nearby->X[(size_t)k * (size_t)count + (size_t)a] =
                ut_dot(n, basis->Q + (size_t)k * (size_t)n, nearby->E + (size_t)a * (size_t)n);
        }
    }
    ut_row_basis_find(basis->rank, count, nearby->X, ALLOWED, &nearby->constraints);
}

// nearby->w becomes an effect that E allows. @param dependent a row of X that is no pivot
static void take_allowed(Nearby* nearby, const RowBasis* basis, int dependent)
{
    const int n = nearby->solved->n;
    ut_row_basis_null(&nearby->constraints, dependent, nearby->y);
    memset(nearby->w, 0, (size_t)n * sizeof *nearby->w);
    for (int k = 0; k < basis->rank; k++) {
        ut_axpy(n, nearby->y[k], basis->Q + (size_t)k * (size_t)n, nearby->w);
    }
}

// Find dr from w: the columns give H w, and the friction of slipping contacts turns.
static void find_impulses(Nearby* nearby)
{
    const SolvedProblem* solved = nearby->solved;
    const RowBasis* basis = &nearby->columns;
    memcpy(nearby->g, nearby->w, (size_t)solved->n * sizeof *nearby->g);
    add_turning(nearby, nearby->w, nearby->g);
    for (int k = 0; k < basis->rank; k++) {
        nearby->z[k] = ut_dot(solved->n, basis->Q + (size_t)k * (size_t)solved->n, nearby->g);
    }
    ut_row_basis_solve(basis, nearby->z, nearby->y);
    int a = 0;
    memset(nearby->dr, 0, (size_t)solved->N * sizeof *nearby->dr);
    for (int i = 0; i < solved->nc; i++) {
        const LawPiece* piece = chosen(nearby, i);
        const int row = solved->d * i;
        for (int k = 0; k < piece->count; k++, a++) {
            ut_axpy(solved->d, solved->s[row] * nearby->y[a], piece->column[k], nearby->dr + row);
        }
        if (piece->kappa > 0.0) {
            const double du = velocity_across(nearby, i, nearby->w);
            ut_axpy(solved->d, -piece->kappa * du, piece->across, nearby->dr + row);
        }
    }
    for (int row = solved->d * solved->nc; row < solved->N; row++, a++) {
        nearby->dr[row] = solved->s[row] * nearby->y[a];
    }
}

// Do the chosen pieces allow an effect? Then w is one and dr are its impulses; both are 0 when H is
// singular.
static bool find_direction(Nearby* nearby)
{
    const int count = assemble(nearby);
    const RowBasis* effects = find_effects(nearby, count);
    if (effects == NULL) {
        memset(nearby->w, 0, (size_t)nearby->solved->n * sizeof *nearby->w);
        memset(nearby->dr, 0, (size_t)nearby->solved->N * sizeof *nearby->dr);
        return true;
    }
    constrain(nearby, effects, count);
    if (nearby->constraints.rank == effects->rank) {
        return false;
    }
    int dependent = 0;
    while (nearby->constraints.is_pivot[dependent]) {
        dependent++;
    }
    take_allowed(nearby, effects, dependent);
    find_impulses(nearby);
    return true;
}

// ---- a smooth family of solutions ---------------------------------------------------------------

// The basis nearby->all of the effects of all impulses, allowed or not.
static void find_all_effects(Nearby* nearby)
{
    const SolvedProblem* solved = nearby->solved;
    const size_t n = (size_t)solved->n;
    memset(nearby->F, 0, (size_t)solved->N * n * sizeof *nearby->F);
    for (int k = 0; k < solved->N; k++) {
        ut_solved_add_effect(solved, k, 1, &solved->s[k], nearby->F + (size_t)k * n);
    }
    ut_row_basis_find(solved->N, solved->n, nearby->F, solved->rank_tolerance, &nearby->all);
}

// Append H w to F for a basis of the effects w with E w = 0. @return rows of F
static int append_allowed(Nearby* nearby, int count)
{
    const int n = nearby->solved->n;
    const RowBasis* all = &nearby->all;
    constrain(nearby, all, count);
    int rows = count;
    for (int dependent = 0; dependent < all->rank; dependent++) {
        if (nearby->constraints.is_pivot[dependent]) {
            continue;
        }
        take_allowed(nearby, all, dependent);
        double* row = nearby->F + (size_t)rows++ * (size_t)n;
        memcpy(row, nearby->w, (size_t)n * sizeof *row);
        add_turning(nearby, nearby->w, row);
        divide_by_length(n, row);
    }
    return rows;
}

// Solutions with the chosen statuses are pairs (w, y) with E w = 0 where w is the effect of the
// slipping impulses, which turn with w, and of the free ones. Where the derivative of that
// equation, (H w, -C'y), reaches all effects, the solutions form a smooth family whose tangents are
// the kernel: a direction with w != 0 leads to other solutions.
static bool is_family(Nearby* nearby)
{
    const int n = nearby->solved->n;
    find_all_effects(nearby);
    const int count = assemble(nearby);
    memcpy(nearby->F, nearby->C, (size_t)count * (size_t)n * sizeof *nearby->F);
    const int rows = append_allowed(nearby, count);
    ut_row_basis_find(rows, n, nearby->F, nearby->solved->rank_tolerance, &nearby->family);
    return nearby->family.rank == nearby->all.rank;
}

// ---- a second solution --------------------------------------------------------------------------

// The largest |du| of a row for the effect w.
static double largest_speed(Nearby* nearby)
{
    const SolvedProblem* solved = nearby->solved;
    double largest = 0.0;
    for (int k = 0; k < solved->N; k++) {
        memset(nearby->e, 0, (size_t)solved->n * sizeof *nearby->e);
        ut_solved_add_velocity(solved, k, 1, (double[1]){1.0}, nearby->e);
        largest = fmax(largest, fabs(ut_dot(solved->n, nearby->e, nearby->w)));
    }
    return largest;
}

// Does the judge pass r + step dr, at other velocities?
static utStatus try_step(Nearby* nearby, double step, utArena scratch, bool* passes)
{
    const SolvedProblem* solved = nearby->solved;
    const utCoulombVerdict* first = &solved->verdict;
    for (int k = 0; k < solved->N; k++) {
        nearby->r[k] = solved->r[k] + step * nearby->dr[k];
    }
    for (int i = 0; i < solved->nc; i++) {
        const utLaw law = ut_coulomb_law(solved->problem, i, false);
        double* r = nearby->r + (size_t)solved->d * (size_t)i;
        ut_law_project(&law, r, r);
    }
    utCoulombVerdict verdict;
    UT_TRY(ut_coulomb_judge(solved->problem, false, nearby->r, scratch, nearby->u, &verdict));
    double difference = 0.0;
    for (int k = 0; k < solved->N; k++) {
        difference = fmax(difference, fabs(nearby->u[k] - solved->u[k]));
    }
    const double apart = fmax(0.5 * APART * solved->tau, TOUCHING * sqrt(verdict.E) * first->V);
    const double tolerance = SECOND_TOLERANCE * solved->tolerance;
    *passes = difference >= apart && verdict.E <= fmax(first->E, tolerance) &&
              verdict.bilateral <= fmax(first->bilateral, tolerance);
    return UT_OK;
}

// Take steps along dr in both directions, the longest first.
static utStatus find_second(Nearby* nearby, utArena scratch, bool* found)
{
    const SolvedProblem* solved = nearby->solved;
    const double speed = largest_speed(nearby);
    *found = false;
    for (double part = 1.0; part >= APART * solved->tolerance && !*found; part *= 0.1) {
        const double step = part * solved->verdict.V / speed;
        if (!(speed > 0.0) || !isfinite(step)) {
            return UT_OK;
        }
        UT_TRY(try_step(nearby, step, scratch, found));
        if (!*found) {
            UT_TRY(try_step(nearby, -step, scratch, found));
        }
    }
    return UT_OK;
}

// ---- all combinations of pieces -----------------------------------------------------------------

// Choose the next combination of pieces. @return false after the last one
static bool next_combination(Nearby* nearby)
{
    for (int i = 0; i < nearby->solved->nc; i++) {
        if (++nearby->choice[i] < nearby->count[i]) {
            return true;
        }
        nearby->choice[i] = 0;
    }
    return false;
}

// Find the pieces of all contacts.
// @param regular whether each contact has one piece, that is none is on a border
// @return false when there are too many combinations, or a contact has no linearized piece
static bool find_pieces(Nearby* nearby, bool determined, bool* regular)
{
    int cases = 1;
    *regular = true;
    for (int i = 0; i < nearby->solved->nc; i++) {
        nearby->choice[i] = 0;
        nearby->count[i] = ut_law_pieces(nearby->solved, determined, i, nearby->piece[i]);
        *regular = *regular && nearby->count[i] == 1;
        cases *= nearby->count[i];
        if (cases == 0 || cases > MAX_CASES) {
            return false;
        }
    }
    return true;
}

static utStatus search_nearby(Nearby* nearby, bool determined, utArena scratch,
                              utVelocityClaim* claim)
{
    bool regular;
    bool isolated = true;
    *claim = UT_VELOCITY_UNDECIDED;
    if (!find_pieces(nearby, determined, &regular)) {
        return UT_OK;
    }
    do {
        if (find_direction(nearby)) {
            bool found = false;
            isolated = false;
            UT_TRY(find_second(nearby, scratch, &found));
            found = found || (regular && is_family(nearby));
            if (found) {
                *claim = UT_VELOCITY_NOT_UNIQUE;
                return UT_OK;
            }
        }
    } while (next_combination(nearby));
    *claim = isolated ? UT_VELOCITY_LOCALLY_UNIQUE : UT_VELOCITY_UNDECIDED;
    return UT_OK;
}

utStatus ut_velocity_claim(const SolvedProblem* solved, bool determined, utArena scratch,
                           utVelocityClaim* claim)
{
    bool proved = false;
    UT_TRY(ut_velocity_prove(solved, scratch, &proved));
    if (proved || is_at_rest(solved)) {
        *claim = proved ? UT_VELOCITY_UNIQUE : UT_VELOCITY_LOCALLY_UNIQUE;
        return UT_OK;
    }
    Nearby nearby;
    if (!push_nearby(solved, &scratch, &nearby)) {
        return UT_ERR_CAPACITY;
    }
    return search_nearby(&nearby, determined, scratch, claim);
}
