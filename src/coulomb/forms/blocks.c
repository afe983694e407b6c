// SPDX-License-Identifier: Apache-2.0
// ut_blocks_create: a friction problem split into the blocks of the papers.
#include <uptack/blocks.h>

#include <string.h>

#include "coulomb/polygons/polyhedral.h"
#include "delassus.h"

// The blocks while they are filled, by the letters of utBlocks.
typedef struct Filling {
    const utCoulomb* problem;
    const double* J; // N x m: rows of the problem
    int m, p, b, pd, rough;
    int* first;
    double *M, *rows, *W_b, *W_n, *W_f, *E, *U, *b_b, *b_n, *b_f, *tau, *direction;
} Filling;

// Does contact i enter with its directions?
static bool has_directions(const utCoulomb* problem, bool only_rough, int i)
{
    return !only_rough || problem->mu[i] > 0.0;
}

static void count(Filling* f, bool only_rough)
{
    const utCoulomb* problem = f->problem;
    for (int i = 0; i < problem->contacts; i++) {
        if (has_directions(problem, only_rough, i)) {
            f->pd += ut_polyhedral_directions(UT_POLYHEDRAL_FORCE, ut_coulomb_section(problem, i));
            f->rough++;
        }
    }
}

static bool push(Filling* f, utArena* keep)
{
    const int t = f->problem->dimension - 1;
    f->first = UT_PUSH(keep, int, f->p + 1);
    f->M = ut_coulomb_push(keep, f->m, f->m);
    f->rows = ut_coulomb_push(keep, ut_coulomb_rows(f->problem), f->m);
    f->W_b = ut_coulomb_push(keep, f->m, f->b);
    f->W_n = ut_coulomb_push(keep, f->m, f->p);
    f->W_f = ut_coulomb_push(keep, f->m, f->pd);
    f->E = ut_coulomb_push(keep, f->pd, f->rough);
    f->U = ut_coulomb_push(keep, f->rough, f->p);
    f->b_b = ut_coulomb_push(keep, 1, f->b);
    f->b_n = ut_coulomb_push(keep, 1, f->p);
    f->b_f = ut_coulomb_push(keep, 1, f->pd);
    f->tau = ut_coulomb_push(keep, 1, f->m);
    f->direction = ut_coulomb_push(keep, f->pd, t);
    return !ut_arena_failed(keep);
}

// Fill column `at` of W: the sum of g_c times row + c of J.
static void put_column(const Filling* f, int row, int terms, const double* g, int cols, int at,
                       double* W)
{
    for (int k = 0; k < f->m; k++) {
        double sum = 0.0;
        for (int c = 0; c < terms; c++) {
            sum += g[c] * f->J[(size_t)(row + c) * (size_t)f->m + (size_t)k];
        }
        W[(size_t)k * (size_t)cols + (size_t)at] = sum;
    }
}

static void fill_contact(Filling* f, bool only_rough, int i, int* stick, int* next)
{
    const utCoulomb* problem = f->problem;
    const int t = problem->dimension - 1, row = problem->dimension * i;
    const double one = 1.0;
    put_column(f, row, 1, &one, f->p, i, f->W_n);
    f->b_n[i] = problem->b[row];
    f->first[i] = *next;
    if (!has_directions(problem, only_rough, i)) {
        return;
    }
    const utSection* section = ut_coulomb_section(problem, i);
    const int directions = ut_polyhedral_directions(UT_POLYHEDRAL_FORCE, section);
    for (int j = 0; j < directions; j++, ++*next) {
        double* d = f->direction + (size_t)*next * (size_t)t;
        ut_polyhedral_direction(UT_POLYHEDRAL_FORCE, section, j, d);
        put_column(f, row + 1, t, d, f->pd, *next, f->W_f);
        f->b_f[*next] = d[0] * problem->b[row + 1] + (t == 2 ? d[1] * problem->b[row + 2] : 0.0);
        f->E[(size_t)*next * (size_t)f->rough + (size_t)*stick] = 1.0;
    }
    f->U[(size_t)*stick * (size_t)f->p + (size_t)i] = problem->mu[i];
    ++*stick;
}

static void fill(Filling* f, bool only_rough)
{
    const utCoulomb* problem = f->problem;
    const size_t m = (size_t)f->m;
    if (problem->blocks != NULL) {
        ut_coulomb_spread_blocks(problem, f->M, f->rows);
    } else {
        memcpy(f->M, problem->M, m * m * sizeof *f->M);
        memcpy(f->rows, problem->J, (size_t)ut_coulomb_rows(problem) * m * sizeof *f->rows);
    }
    f->J = f->rows;
    memcpy(f->tau, problem->f, m * sizeof *f->tau);
    memset(f->E, 0, (size_t)f->pd * (size_t)f->rough * sizeof *f->E);
    memset(f->U, 0, (size_t)f->rough * (size_t)f->p * sizeof *f->U);
    int stick = 0, next = 0;
    for (int i = 0; i < f->p; i++) {
        fill_contact(f, only_rough, i, &stick, &next);
    }
    f->first[f->p] = next;
    for (int j = 0; j < f->b; j++) {
        const double one = 1.0;
        const int row = problem->dimension * f->p + j;
        put_column(f, row, 1, &one, f->b, j, f->W_b);
        f->b_b[j] = problem->b[row];
    }
}

utStatus ut_blocks_create(const utCoulomb* problem, bool only_rough, utArena* keep,
                          utBlocks* blocks, utError* err)
{
    UT_TRY(ut_coulomb_check(problem, err));
    if (problem->W != NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "the problem gives W and q; blocks need M and J");
    }
    for (int i = 0; i < problem->contacts; i++) {
        const utSectionKind kind = ut_coulomb_section(problem, i)->kind;
        if (kind == UT_SECTION_CIRCLE || kind == UT_SECTION_PRODUCT) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "contact %d has a circle for its section, which has no directions",
                                i);
        }
    }
    Filling f = {
        .problem = problem, .m = problem->dof, .p = problem->contacts, .b = problem->bilaterals};
    count(&f, only_rough);
    utArena rest = *keep;
    if (!push(&f, &rest)) {
        return ut_error_set(err, UT_ERR_CAPACITY, "blocks: no room for %d velocities", f.m);
    }
    fill(&f, only_rough);
    *keep = rest;
    *blocks = (utBlocks){
        .velocities = f.m,
        .bilaterals = f.b,
        .contacts = f.p,
        .rough = f.rough,
        .directions = f.pd,
        .first = f.first,
        .direction = f.direction,
        .M = f.M,
        .W_b = f.W_b,
        .W_n = f.W_n,
        .W_f = f.W_f,
        .E = f.E,
        .U = f.U,
        .b_b = f.b_b,
        .b_n = f.b_n,
        .b_f = f.b_f,
        .tau = f.tau,
    };
    return UT_OK;
}
