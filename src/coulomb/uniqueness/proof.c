// SPDX-License-Identifier: Apache-2.0
// The proof that all solutions have the same velocities: S - diag(mu^2 / (4 rho)) positive definite
// among the rough contacts, or one contact in the plane (uptack/uniqueness.h).
#include "la/dense/kernel.h"
#include "unique.h"

static const double VANISHED = 1e-11; // of a scaled diagonal of W: nothing but rounding is left
static const double MARGIN = 1e-6;    // by which the proof has to hold

// W with rows and columns times s, where those of `alive` are not eliminated yet.
typedef struct Schur {
    int N;
    double* A;
    bool* alive;
} Schur;

static double* entry(const Schur* schur, int i, int j)
{
    return schur->A + (size_t)i * (size_t)schur->N + (size_t)j;
}

static void find_W(const Effect* effect, Schur* schur)
{
    for (int i = 0; i < effect->N; i++) {
        const double* row = effect->G + (size_t)i * (size_t)effect->n;
        for (int j = 0; j < effect->N; j++) {
            const double* other = effect->G + (size_t)j * (size_t)effect->n;
            const double value =
                effect->local ? other[i] : effect->s[i] * ut_dot(effect->n, row, other);
            *entry(schur, i, j) = value * effect->s[j];
        }
        schur->alive[i] = true;
    }
}

// Eliminate row p with its diagonal.
static void pivot(Schur* schur, int p)
{
    schur->alive[p] = false;
    const double* from = entry(schur, p, 0);
    for (int i = 0; i < schur->N; i++) {
        if (schur->alive[i]) {
            ut_axpy(schur->N, -*entry(schur, i, p) / from[p], from, entry(schur, i, 0));
        }
    }
}

// Eliminate the rows of a list, largest first; those that depend on the others just go.
// @return false when W is not positive semidefinite there
static bool eliminate(Schur* schur, int count, const int* list)
{
    for (int k = 0; k < count; k++) {
        int best = -1;
        for (int l = 0; l < count; l++) {
            const int i = list[l];
            if (schur->alive[i] && (best < 0 || *entry(schur, i, i) > *entry(schur, best, best))) {
                best = i;
            }
            if (schur->alive[i] && !(*entry(schur, i, i) >= -VANISHED)) {
                return false;
            }
        }
        if (*entry(schur, best, best) > VANISHED) {
            pivot(schur, best);
        } else {
            schur->alive[best] = false;
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

// mu^2 / (4 rho) of contact i, where the bilateral rows are eliminated and nothing else
static double find_load(const Effect* effect, const Schur* schur, int i)
{
    const utCoulomb* problem = effect->problem;
    const double mu = problem->mu[i] * ut_coulomb_section(problem, i)->circumradius;
    double sum = 0.0;
    for (int j = 0; j < effect->nc && mu > 0.0; j++) {
        sum += problem->mu[j] > 0.0 ? block_norm(schur, effect->d, i, j) : 0.0;
    }
    return 0.25 * mu * mu * sum;
}

// One contact in the plane, W symmetric or not.
static bool prove_planar(const Effect* effect, const Schur* schur)
{
    const double* A = schur->A;
    return effect->d == 2 && effect->nc == 1 && effect->nb == 0 &&
           A[0] > effect->problem->mu[0] * fabs(A[1]) * (1.0 + MARGIN) &&
           A[0] * A[3] - A[1] * A[2] > MARGIN * A[0] * A[3];
}

// S - diag(load) positive definite among the rough contacts, after all else is eliminated.
static bool prove_definite(const Effect* effect, Schur* schur, const double* load)
{
    for (int i = 0; i < effect->nc; i++) {
        *entry(schur, effect->d * i, effect->d * i) -= (1.0 + MARGIN) * load[i];
    }
    for (int i = 0; i < effect->nc; i++) {
        const int row = effect->d * i;
        if (!schur->alive[row]) {
            continue;
        }
        if (!(*entry(schur, row, row) > MARGIN * load[i] + VANISHED)) {
            return false;
        }
        pivot(schur, row);
    }
    return true;
}

// @param list N entries @param load nc entries
static bool prove_unique(const Effect* effect, Schur* schur, int* list, double* load)
{
    const int d = effect->d;
    find_W(effect, schur);
    if (prove_planar(effect, schur)) {
        return true;
    }
    int bilaterals = 0, tangents = 0, smooth = 0;
    for (int j = d * effect->nc; j < effect->N; j++) {
        list[bilaterals++] = j;
    }
    if (!effect->symmetric || !eliminate(schur, bilaterals, list)) {
        return false;
    }
    for (int i = 0; i < effect->nc; i++) {
        load[i] = find_load(effect, schur, i);
        for (int k = 1; k < d; k++) {
            list[tangents] = d * i + k;
            tangents += effect->problem->mu[i] > 0.0 ? 1 : 0;
            schur->alive[d * i + k] = effect->problem->mu[i] > 0.0;
        }
    }
    if (!eliminate(schur, tangents, list)) {
        return false;
    }
    for (int i = 0; i < effect->nc; i++) {
        list[smooth] = d * i;
        smooth += effect->problem->mu[i] > 0.0 ? 0 : 1;
    }
    return eliminate(schur, smooth, list) && prove_definite(effect, schur, load);
}

utStatus ut_velocity_prove(const Effect* effect, utArena scratch, bool* proved)
{
    // more rough contacts than velocities: S is singular among them
    int rough = 0;
    for (int i = 0; i < effect->nc; i++) {
        rough += effect->problem->mu[i] > 0.0 ? 1 : 0;
    }
    *proved = false;
    if (rough > effect->n) {
        return UT_OK;
    }
    Schur schur = {
        .N = effect->N,
        .A = ut_coulomb_push(&scratch, effect->N, effect->N),
        .alive = UT_PUSH(&scratch, bool, effect->N),
    };
    int* list = UT_PUSH(&scratch, int, effect->N);
    double* load = ut_coulomb_push(&scratch, 1, effect->nc);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    *proved = prove_unique(effect, &schur, list, load);
    return UT_OK;
}
