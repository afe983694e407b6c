// SPDX-License-Identifier: Apache-2.0
// What the tests of the two polyhedral models share: problems to write out, and a solve that judges
// itself. Nothing here calls what is under test but `solve_form`.
#ifndef UPTACK_TEST_POLYHEDRAL_CASES_H
#define UPTACK_TEST_POLYHEDRAL_CASES_H

#include <uptack/polyhedral.h>

#include "test.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { MAX_CONTACTS = 6, MAX_DOF = 24, MAX_ROWS = 3 * MAX_CONTACTS + 6 };

// ---- problems -----------------------------------------------------------------------------------

// A particle of mass m on the plane z = 0, or any other one-body problem with these numbers.
typedef struct Particle {
    utSection section;
    double mu, M[9], J[9], f[3], b[3];
    utCoulomb problem;
} Particle;

static inline utSection polygon(utSectionKind kind, int edges, double turn)
{
    utSection section;
    CHECK_INT(ut_section_polygon(kind, edges, turn, &section, NULL), UT_OK);
    return section;
}

// rows n = z, t1 = x, t2 = y
static inline void make_particle(Particle* p, utSection section, double m, double mu,
                                 const double* f)
{
    *p = (Particle){.section = section, .mu = mu, .J = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
    for (int i = 0; i < 3; i++) {
        p->M[4 * i] = m;
        p->f[i] = f[i];
    }
    p->problem = (utCoulomb){
        .dimension = 3,
        .contacts = 1,
        .mu = &p->mu,
        .section = &p->section,
        .dof = 3,
        .M = p->M,
        .J = p->J,
        .f = p->f,
        .b = p->b,
    };
}

// Masses, rows and loads drawn; the free motion closes most contacts.
typedef struct Random {
    double mu[MAX_CONTACTS], M[MAX_DOF * MAX_DOF], J[MAX_ROWS * MAX_DOF], f[MAX_DOF], b[MAX_ROWS];
    utCoulomb problem;
} Random;

static inline void make_random(Random* p, uint64_t seed, int contacts, int bilaterals, int dof,
                               const utSection* section, double mu_max)
{
    utRng rng = ut_rng(seed, 0x706f6c79u);
    const int N = 3 * contacts + bilaterals;
    *p = (Random){.mu = {0}};
    for (int i = 0; i < contacts; i++) {
        p->mu[i] = ut_rng_range(&rng, 0.05, mu_max);
    }
    for (int k = 0; k < N * dof; k++) {
        p->J[k] = ut_rng_range(&rng, -1.0, 1.0);
    }
    double root[MAX_DOF * MAX_DOF];
    for (int k = 0; k < dof * dof; k++) {
        root[k] = ut_rng_range(&rng, -0.5, 0.5);
    }
    for (int i = 0; i < dof; i++) {
        for (int j = 0; j < dof; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < dof; k++) {
                sum += root[i * dof + k] * root[j * dof + k];
            }
            p->M[i * dof + j] = sum;
            p->M[j * dof + i] = sum;
        }
    }
    for (int k = 0; k < dof; k++) {
        p->f[k] = ut_rng_range(&rng, -1.0, 1.0);
        for (int i = 0; i < contacts; i++) {
            p->f[k] -= 2.0 * p->J[3 * i * dof + k];
        }
    }
    p->problem = (utCoulomb){
        .dimension = 3,
        .contacts = contacts,
        .bilaterals = bilaterals,
        .mu = p->mu,
        .section = section,
        .dof = dof,
        .M = p->M,
        .J = p->J,
        .f = p->f,
        .b = p->b,
    };
}

// ---- plain linear algebra -----------------------------------------------------------------------

// A becomes its echelon form by elimination with full pivoting. @return the rank: pivots above 1e-9
// of the first
static inline int rank_of(int n, double* A)
{
    double first = 0.0;
    for (int step = 0; step < n; step++) {
        int pi = step, pj = step;
        for (int i = step; i < n; i++) {
            for (int j = step; j < n; j++) {
                if (fabs(A[i * n + j]) > fabs(A[pi * n + pj])) {
                    pi = i;
                    pj = j;
                }
            }
        }
        const double pivot = A[pi * n + pj];
        first = step == 0 ? fabs(pivot) : first;
        if (!(fabs(pivot) > 1e-9 * first)) {
            return step;
        }
        for (int k = 0; k < n; k++) {
            const double t = A[pi * n + k];
            A[pi * n + k] = A[step * n + k];
            A[step * n + k] = t;
        }
        for (int k = 0; k < n; k++) {
            const double t = A[k * n + pj];
            A[k * n + pj] = A[k * n + step];
            A[k * n + step] = t;
        }
        for (int i = step + 1; i < n; i++) {
            const double factor = A[i * n + step] / pivot;
            for (int j = step; j < n; j++) {
                A[i * n + j] -= factor * A[step * n + j];
            }
        }
    }
    return n;
}

// x = A^-1 b by elimination with row pivoting
static inline void solve_dense(int n, const double* A, const double* b, double* x)
{
    double F[MAX_DOF * MAX_DOF];
    memcpy(F, A, (size_t)(n * n) * sizeof *F);
    memmove(x, b, (size_t)n * sizeof *x);
    for (int step = 0; step < n; step++) {
        int p = step;
        for (int i = step; i < n; i++) {
            p = fabs(F[i * n + step]) > fabs(F[p * n + step]) ? i : p;
        }
        for (int k = 0; k < n; k++) {
            const double t = F[p * n + k];
            F[p * n + k] = F[step * n + k];
            F[step * n + k] = t;
        }
        const double t = x[p];
        x[p] = x[step];
        x[step] = t;
        for (int i = step + 1; i < n; i++) {
            const double factor = F[i * n + step] / F[step * n + step];
            for (int j = step; j < n; j++) {
                F[i * n + j] -= factor * F[step * n + j];
            }
            x[i] -= factor * x[step];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            x[i] -= F[i * n + j] * x[j];
        }
        x[i] /= F[i * n + i];
    }
}

// v = M^-1 (f + J'r)
static inline void velocities(const utCoulomb* p, const double* r, double* v)
{
    double load[MAX_DOF];
    for (int k = 0; k < p->dof; k++) {
        load[k] = p->f[k];
        for (int i = 0; i < ut_coulomb_rows(p); i++) {
            load[k] += p->J[i * p->dof + k] * r[i];
        }
    }
    solve_dense(p->dof, p->M, load, v);
}

static inline double distance(int n, const double* a, const double* b)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

static inline double size_of(int n, const double* a)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i]));
    }
    return most;
}

// ---- a solve ------------------------------------------------------------------------------------

typedef struct Solved {
    utPolyhedral form;
    utLcpInfo info;
    const double* z; // in the arena, as `form`
    const double* w;
    double r[MAX_ROWS];
    double u[MAX_ROWS];
    utCoulombVerdict verdict;
} Solved;

// Write out, solve and judge. What it points to stays in `arena`.
static inline Solved solve_form(const utCoulomb* problem, const utPolyhedralDef* def,
                                utLcpSolver solver, utArena* arena)
{
    Solved s = {.info = {.outcome = UT_LCP_ITERATIONS}};
    utError err = {0};
    if (!CHECK_INT(ut_polyhedral_create(problem, def, arena, &s.form, &err), UT_OK)) {
        test_note("%s", err.message);
        return s;
    }
    double* z = UT_PUSH(arena, double, s.form.lcp.n);
    double* w = UT_PUSH(arena, double, s.form.lcp.n);
    utLcpDef lcp = ut_lcp_def();
    CHECK_INT(ut_lcp_solve(&s.form.lcp, solver, &lcp, *arena, z, &s.info), UT_OK);
    ut_lcp_slack(&s.form.lcp, z, w);
    ut_polyhedral_impulses(&s.form, z, s.r);
    CHECK_INT(ut_coulomb_judge(problem, def->convex, s.r, *arena, s.u, &s.verdict), UT_OK);
    s.z = z;
    s.w = w;
    return s;
}

static inline utPolyhedralDef form_of(utPolyhedralModel model, utPolyhedralLevel level)
{
    utPolyhedralDef def = ut_polyhedral_def();
    def.model = model;
    def.level = level;
    return def;
}

#endif
