// SPDX-License-Identifier: Apache-2.0
// Declarations that the files of the coulomb module share. Letters as in uptack/coulomb.h: u = W r +
// q. Of one contact, A is its block of W and p its velocity without its own impulse.
#ifndef UPTACK_COULOMB_INTERNAL_H
#define UPTACK_COULOMB_INTERNAL_H

#include <math.h>
#include <uptack/coulomb.h>

#include "la/scalar.h"

// ---- the law ------------------------------------------------------------------------------------

/// The section of contact i.
static inline const utSection* ut_coulomb_section(const utCoulomb* problem, int i)
{
    return problem->section + (problem->section_of != NULL ? problem->section_of[i] : 0);
}

/// The law of contact i.
static inline utLaw ut_coulomb_law(const utCoulomb* problem, int i, bool convex)
{
    return (utLaw){
        .section = ut_coulomb_section(problem, i),
        .mu = problem->mu[i],
        .convex = convex,
        .torsional = problem->torsional != NULL ? problem->torsional[i] : 0.0,
        .rolling = problem->rolling != NULL ? problem->rolling[i] : 0.0,
    };
}

/// Has any contact a polygon for its section?
static inline bool ut_coulomb_polygonal(const utCoulomb* problem)
{
    for (int i = 0; i < problem->contacts; i++) {
        if (ut_coulomb_section(problem, i)->edges > 0) {
            return true;
        }
    }
    return false;
}

/// Have contacts torsional or rolling friction?
static inline bool ut_coulomb_spins(const utCoulomb* problem)
{
    return problem->dimension > 3;
}

/// Does row k of contact i count for its effective mass? Rows of angular velocity without friction
/// have no impulse.
static inline bool ut_coulomb_row_acts(const utCoulomb* problem, int i, int k)
{
    const double* coefficient = k == 3 ? problem->torsional : problem->rolling;
    return k < 3 || (coefficient != NULL && coefficient[i] > 0.0);
}

/// The rows of contact i that count.
static inline int ut_coulomb_acting_rows(const utCoulomb* problem, int i)
{
    int rows = problem->dimension < 3 ? problem->dimension : 3;
    for (int k = 3; k < problem->dimension; k++) {
        rows += ut_coulomb_row_acts(problem, i, k);
    }
    return rows;
}

/// Has the impulse of a contact an entry that is not 0?
static inline bool ut_coulomb_loaded(int dimension, const double* r)
{
    bool loaded = false;
    for (int k = 0; k < dimension; k++) {
        loaded = loaded || r[k] != 0.0;
    }
    return loaded;
}

// ---- scalar rows --------------------------------------------------------------------------------

static inline double ut_coulomb_low(const utCoulomb* problem, int j)
{
    return problem->low != NULL ? problem->low[j] : -HUGE_VAL;
}

static inline double ut_coulomb_high(const utCoulomb* problem, int j)
{
    return problem->high != NULL ? problem->high[j] : HUGE_VAL;
}

/// Has scalar row j a bound?
static inline bool ut_coulomb_bounded(const utCoulomb* problem, int j)
{
    return ut_coulomb_low(problem, j) > -HUGE_VAL || ut_coulomb_high(problem, j) < HUGE_VAL;
}

/// Has any scalar row a bound?
static inline bool ut_coulomb_has_bounds(const utCoulomb* problem)
{
    for (int j = 0; j < problem->bilaterals; j++) {
        if (ut_coulomb_bounded(problem, j)) {
            return true;
        }
    }
    return false;
}

/// r within the bounds of row j; a NaN stays one.
static inline double ut_coulomb_clamp(const utCoulomb* problem, int j, double r)
{
    return ut_clamp(r, ut_coulomb_low(problem, j), ut_coulomb_high(problem, j));
}

/// Does row j count for the velocity scale? A row counts when it has no bounds, when it has an
/// impulse, or when it would get one if it acted alone.
/// @param m 1 / A_jj  @param q its velocity without impulses
static inline bool ut_coulomb_row_counts(const utCoulomb* problem, int j, double m, double q,
                                         double r)
{
    return !ut_coulomb_bounded(problem, j) || r != 0.0 ||
           ut_coulomb_clamp(problem, j, -m * q) != 0.0;
}

// ---- groups of rows: a contact or one bilateral row, contacts first -----------------------------

static inline int ut_group_count(const utCoulomb* problem)
{
    return problem->contacts + problem->bilaterals;
}

/// The number of rows of a group.
static inline int ut_group_rows(const utCoulomb* problem, int g)
{
    return g < problem->contacts ? problem->dimension : 1;
}

/// The first row of a group.
static inline int ut_group_row(const utCoulomb* problem, int g)
{
    const int nc = problem->contacts;
    return g < nc ? problem->dimension * g : problem->dimension * nc + g - nc;
}

/// The group of a row.
static inline int ut_group_of(const utCoulomb* problem, int row)
{
    const int n = problem->dimension * problem->contacts;
    return row < n ? row / problem->dimension : problem->contacts + row - n;
}

// ---- parts of a problem -------------------------------------------------------------------------

/// Velocities of a node.
static inline int ut_node_dof(const utCoulombBlocks* blocks, int node)
{
    return blocks->start[node + 1] - blocks->start[node];
}

/// Entries of all mass matrices of a problem by bodies.
static inline size_t ut_mass_entries(const utCoulombBlocks* blocks)
{
    size_t count = 0;
    for (int k = 0; k < blocks->nodes; k++) {
        count += (size_t)ut_node_dof(blocks, k) * (size_t)ut_node_dof(blocks, k);
    }
    return count;
}

/// Entries of all Jacobians of a problem by bodies.
static inline size_t ut_jacobian_entries(const utCoulomb* problem)
{
    const utCoulombBlocks* blocks = problem->blocks;
    size_t count = 0;
    for (int g = 0; g < ut_group_count(problem); g++) {
        for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
            count +=
                (size_t)ut_group_rows(problem, g) * (size_t)ut_node_dof(blocks, blocks->node[t]);
        }
    }
    return count;
}

/// The rows, bounds and friction of a problem, without its form: no W, M, J or vectors.
static inline utCoulomb ut_coulomb_without_form(const utCoulomb* problem)
{
    return (utCoulomb){
        .dimension = problem->dimension,
        .contacts = problem->contacts,
        .bilaterals = problem->bilaterals,
        .low = problem->low,
        .high = problem->high,
        .vector = problem->vector,
        .mu = problem->mu,
        .torsional = problem->torsional,
        .rolling = problem->rolling,
        .section = problem->section,
        .section_of = problem->section_of,
        .speed = problem->speed,
    };
}

/// W_kk of a problem in local form.
static inline double ut_coulomb_diagonal(const utCoulomb* problem, int k)
{
    if (problem->W_start == NULL) {
        return problem->W[(size_t)k * (size_t)ut_coulomb_rows(problem) + (size_t)k];
    }
    for (int e = problem->W_start[k]; e < problem->W_start[k + 1]; e++) {
        if (problem->W_column[e] == k) {
            return problem->W[e];
        }
    }
    return 0.0;
}

/// |x| of n entries.
static inline double ut_coulomb_length(int n, const double* x)
{
    double square = 0.0;
    for (int k = 0; k < n; k++) {
        square += x[k] * x[k];
    }
    return sqrt(square);
}

/// ut_coulomb_check for a problem by bodies whose structure the caller vouches for: are all numbers
/// finite, friction and bounds possible and the diagonals of masses positive?
utStatus ut_coulomb_check_numbers(const utCoulomb* problem);

// ---- solvers ------------------------------------------------------------------------------------

/// One solver. The problem has been checked and the def is valid. It starts from r, fills r with
/// the best impulses it found, each contact's in K, and counts info->iterations. ut_coulomb_solve
/// judges r afterwards.
/// @return UT_OK, UT_ERR_CAPACITY, or UT_ERR_ARGUMENT when M is not positive definite
typedef utStatus CoulombSolve(const utCoulomb* problem, const utCoulombDef* def, utArena scratch,
                              double* r, utCoulombInfo* info);

CoulombSolve ut_coulomb_nsgs;

/// Solve one contact: r in K with r . û = 0 and û in K*, for u = A r + p.
/// @param law  not convex
/// @param A    dimension x dimension, row-major, of any symmetry and rank
/// @param m    effective mass that errors are measured with, > 0
/// @param r    in: an impulse that may be near; out: the best impulse that was found, in K
/// @return ut_law_error of r, m/s
double ut_coulomb_local(const utLaw* law, const double* A, const double* p, double m, double* r);

/// The same for a product of sections. @param A symmetric but for rounding
double ut_coulomb_local_product(const utLaw* law, const double* A, const double* p, double m,
                                double* r);

/// Alart and Curnier's equations F of one contact, for the circle, the segment and products, with
/// dF = A dr + B du (newton.c).
void ut_alart_curnier(const utLaw* law, double m, const double* r, const double* u, double* F,
                      double* A, double* B);

// ---- memory -------------------------------------------------------------------------------------

/// rows x cols doubles. @return NULL when they cannot be had or the product overflows
static inline double* ut_coulomb_push(utArena* arena, int rows, int cols)
{
    return ut_arena_take(arena, (size_t)rows, (size_t)cols * sizeof(double));
}

#endif
