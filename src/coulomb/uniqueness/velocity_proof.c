// SPDX-License-Identifier: Apache-2.0
// The proof that all solutions have the same velocities: S - diag(mu^2 / (4 rho)) positive definite
// among the rough contacts, or one contact in the plane (uptack/uniqueness.h).
#include "velocity.h"

#include "la/dense/kernel.h"

// Diagonal entries of W, scaled to 1, that elimination leaves below this are rounding errors.
static const double ROUNDING = 1e-11;
static const double MARGIN = 1e-6; // relative: a proof with less to spare could be rounding

// W with rows and columns times s, part of its rows eliminated.
typedef struct Schur {
    int N;
    double* A;     // N x N
    bool* remains; // N: rows that are not eliminated yet
} Schur;

static double* entry(const Schur* schur, int i, int j)
{
    return schur->A + (size_t)i * (size_t)schur->N + (size_t)j;
}

static void fill_W(const SolvedProblem* solved, Schur* schur)
{
    for (int i = 0; i < solved->N; i++) {
        const double* row = solved->G + (size_t)i * (size_t)solved->n;
        for (int j = 0; j < solved->N; j++) {
            const double* other = solved->G + (size_t)j * (size_t)solved->n;
            const double value =
                solved->local ? other[i] : solved->s[i] * ut_dot(solved->n, row, other);
            *entry(schur, i, j) = value * solved->s[j];
        }
        schur->remains[i] = true;
    }
}

// Eliminate row p by its diagonal entry.
static void pivot(Schur* schur, int p)
{
    schur->remains[p] = false;
    const double* from = entry(schur, p, 0);
    for (int i = 0; i < schur->N; i++) {
        if (schur->remains[i]) {
            ut_axpy(schur->N, -*entry(schur, i, p) / from[p], from, entry(schur, i, 0));
        }
    }
}

// Eliminate the rows of a list, the largest diagonal entry first. Rows that depend on the others are
// dropped. @return false when W is not positive semidefinite among them
static bool eliminate(Schur* schur, int count, const int* list)
{
    for (int k = 0; k < count; k++) {
        int best = -1;
        for (int l = 0; l < count; l++) {
            const int i = list[l];
            if (schur->remains[i] &&
                (best < 0 || *entry(schur, i, i) > *entry(schur, best, best))) {
                best = i;
            }
            if (schur->remains[i] && !(*entry(schur, i, i) >= -ROUNDING)) {
                return false;
            }
        }
        if (*entry(schur, best, best) > ROUNDING) {
            pivot(schur, best);
        } else {
            schur->remains[best] = false;
        }
    }
    return true;
}

// |B|_2 of the block of tangents of contacts i and j
static double block_norm(const Schur* schur, int d, int i, int j)
{
    double square = 0.0; // |B|_F^2
    double B[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
    for (int k = 0; k < d - 1; k++) {
        for (int l = 0; l < d - 1; l++) {
            B[k][l] = *entry(schur, d * i + 1 + k, d * j + 1 + l);
            square += B[k][l] * B[k][l];
        }
    }
    const double det = B[0][0] * B[1][1] - B[0][1] * B[1][0];
    const double rest = square * square - 4.0 * det * det;
    return sqrt(0.5 * (square + sqrt(rest > 0.0 ? rest : 0.0)));
}

// mu^2 / (4 rho) of contact i, when the bilateral rows and no others are eliminated
static double friction_term(const SolvedProblem* solved, const Schur* schur, int i)
{
    const utCoulomb* problem = solved->problem;
    const double mu = problem->mu[i] * ut_coulomb_section(problem, i)->circumradius;
    double sum = 0.0;
    for (int j = 0; j < solved->nc && mu > 0.0; j++) {
        sum += problem->mu[j] > 0.0 ? block_norm(schur, solved->d, i, j) : 0.0;
    }
    return 0.25 * mu * mu * sum;
}

// The condition for one contact in the plane, W symmetric or not.
static bool planar_holds(const SolvedProblem* solved, const Schur* schur)
{
    const double* A = schur->A;
    return solved->d == 2 && solved->nc == 1 && solved->nb == 0 &&
           A[0] > solved->problem->mu[0] * fabs(A[1]) * (1.0 + MARGIN) &&
           A[0] * A[3] - A[1] * A[2] > MARGIN * A[0] * A[3];
}

// Is S - diag(friction) positive definite among the rough contacts, once all else is eliminated?
static bool is_definite(const SolvedProblem* solved, Schur* schur, const double* friction)
{
    for (int i = 0; i < solved->nc; i++) {
        *entry(schur, solved->d * i, solved->d * i) -= (1.0 + MARGIN) * friction[i];
    }
    for (int i = 0; i < solved->nc; i++) {
        const int row = solved->d * i;
        if (!schur->remains[row]) {
            continue;
        }
        if (!(*entry(schur, row, row) > MARGIN * friction[i] + ROUNDING)) {
            return false;
        }
        pivot(schur, row);
    }
    return true;
}

// @param list N entries, work  @param friction nc entries, work
static bool prove_unique(const SolvedProblem* solved, Schur* schur, int* list, double* friction)
{
    const int d = solved->d;
    fill_W(solved, schur);
    if (planar_holds(solved, schur)) {
        return true;
    }
    int bilaterals = 0, tangents = 0, smooth = 0;
    for (int j = d * solved->nc; j < solved->N; j++) {
        list[bilaterals++] = j;
    }
    if (!solved->symmetric || !eliminate(schur, bilaterals, list)) {
        return false;
    }
    for (int i = 0; i < solved->nc; i++) {
        friction[i] = friction_term(solved, schur, i);
        for (int k = 1; k < d; k++) {
            list[tangents] = d * i + k;
            tangents += solved->problem->mu[i] > 0.0 ? 1 : 0;
            schur->remains[d * i + k] = solved->problem->mu[i] > 0.0;
        }
    }
    if (!eliminate(schur, tangents, list)) {
        return false;
    }
    for (int i = 0; i < solved->nc; i++) {
        list[smooth] = d * i;
        smooth += solved->problem->mu[i] > 0.0 ? 0 : 1;
    }
    return eliminate(schur, smooth, list) && is_definite(solved, schur, friction);
}

utStatus ut_velocity_prove(const SolvedProblem* solved, utArena scratch, bool* proved)
{
    // with more rough contacts than velocities S is singular among them
    int rough = 0;
    for (int i = 0; i < solved->nc; i++) {
        rough += solved->problem->mu[i] > 0.0 ? 1 : 0;
    }
    *proved = false;
    if (rough > solved->n) {
        return UT_OK;
    }
    Schur schur = {
        .N = solved->N,
        .A = ut_coulomb_push(&scratch, solved->N, solved->N),
        .remains = UT_PUSH(&scratch, bool, solved->N),
    };
    int* list = UT_PUSH(&scratch, int, solved->N);
    double* friction = ut_coulomb_push(&scratch, 1, solved->nc);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    *proved = prove_unique(solved, &schur, list, friction);
    return UT_OK;
}
