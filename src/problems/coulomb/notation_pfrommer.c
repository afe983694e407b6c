// SPDX-License-Identifier: Apache-2.0
// The one-dimensional problems of Pfrommer's notes: a falling block, and a block that slides forwards or
// both ways.
#include "notation_pfrommer.h"

#include <string.h>

#include "coulomb/forms/delassus.h"
#include "la/dense/dense.h"

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
    system->part[system->parts++] = (utPrintedPart){"x", "lambda", 0, p};
    return UT_OK;
}

// One contact with friction: lambda'- = (xdot - q_t) / (h W_tt) + mu lambda_n for xdot+, and likewise.
// In the forward case there is only the first of the two rows.
static utStatus write_sliding(const utCoulomb* local, const utPrintedDef* def, utArena* keep,
                              utPrinted* system, utError* err)
{
    const double h = def->h;
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
    if (def->forward) {
        system->lcp = (utLcp){.n = 1, .M = A, .q = q};
        system->part[system->parts++] = (utPrintedPart){"xdot", "lambda'", 0, 1};
        return UT_OK;
    }
    system->lcp = (utLcp){.n = 2, .M = A, .q = q};
    system->part[system->parts++] = (utPrintedPart){"xdot+", "lambda'-", 0, 1};
    system->part[system->parts++] = (utPrintedPart){"xdot-", "lambda'+", 1, 1};
    return UT_OK;
}

utStatus ut_write_pfrommer(const utCoulomb* problem, const utPrintedDef* def, utArena* keep,
                           utPrinted* system, utError* err)
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
    return smooth ? write_falling(&local, def->h, keep, system, err)
                  : write_sliding(&local, def, keep, system, err);
}
