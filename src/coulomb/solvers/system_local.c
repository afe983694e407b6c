// SPDX-License-Identifier: Apache-2.0
// The local form: W dense, one node of H, or in rows, with a node for each group of rows.
#include "la/dense/kernel.h"
#include "system.h"

// ---- W ------------------------------------------------------------------------------------------

void ut_local_add(const utCoulomb* problem, const double* r, double* y)
{
    const int N = ut_coulomb_rows(problem);
    for (int k = 0; k < N; k++) {
        if (problem->W_start == NULL) {
            y[k] += ut_dot(N, problem->W + (size_t)k * (size_t)N, r);
            continue;
        }
        double sum = 0.0;
        for (int e = problem->W_start[k]; e < problem->W_start[k + 1]; e++) {
            sum += problem->W[e] * r[problem->W_column[e]];
        }
        y[k] += sum;
    }
}

// A pair for each change of the column's group along a row.
int ut_local_pairs(const utCoulomb* problem, int* pair)
{
    int count = 0;
    for (int k = 0; problem->W_start != NULL && k < ut_coulomb_rows(problem); k++) {
        const int own = ut_group_of(problem, k);
        int last = own;
        for (int e = problem->W_start[k]; e < problem->W_start[k + 1]; e++) {
            const int other = ut_group_of(problem, problem->W_column[e]);
            if (other == own || other == last) {
                continue;
            }
            last = other;
            if (pair != NULL) {
                pair[2 * count] = own;
                pair[2 * count + 1] = other;
            }
            count++;
        }
    }
    return count;
}

// ---- entries of H -------------------------------------------------------------------------------

void ut_local_place(System* system)
{
    const utCoulomb* problem = system->problem;
    for (int k = 0; k < system->N; k++) {
        const int own = ut_group_of(problem, k);
        const int place = k - ut_group_row(problem, own);
        for (int e = problem->W_start[k]; e < problem->W_start[k + 1]; e++) {
            const int other = ut_group_of(problem, problem->W_column[e]);
            double* block = ut_sparse_block(&system->H, own, other);
            system->row[e] = block + (ptrdiff_t)place * ut_group_rows(problem, other);
        }
    }
}

// An entry of W and its place in H.
typedef struct Entry {
    int column;
    double value;
    double* row;  // of H, at the first column of the group of `column`
    ptrdiff_t ld; // from one row of H to the next
} Entry;

// The entries of row k of W are begin_of ... end_of - 1.
static int begin_of(const utCoulomb* problem, int k)
{
    return problem->W_start == NULL ? 0 : problem->W_start[k];
}

static int end_of(const utCoulomb* problem, int k)
{
    return problem->W_start == NULL ? ut_coulomb_rows(problem) : problem->W_start[k + 1];
}

// Entry e of row k of W.
static Entry entry_at(const System* system, int k, int e)
{
    const utCoulomb* problem = system->problem;
    if (problem->W_start == NULL) {
        const size_t row = (size_t)k * (size_t)system->N;
        const int first = e < system->n ? e - e % system->d : e;
        double* H = ut_sparse_block(&system->H, 0, 0);
        return (Entry){e, problem->W[row + (size_t)e], H + row + first, system->N};
    }
    const int column = problem->W_column[e];
    const int cols = column < system->n ? system->d : 1;
    return (Entry){column, problem->W[e], system->row[e], cols};
}

// Row k of H, at the first column of its own group.
static double* own_row(const System* system, int k)
{
    const utCoulomb* problem = system->problem;
    const int own = ut_group_of(problem, k);
    const int place = k - ut_group_row(problem, own);
    if (problem->W_start == NULL) {
        return ut_sparse_block(&system->H, 0, 0) + (size_t)k * (size_t)system->N + (k - place);
    }
    return ut_sparse_block(&system->H, own, own) + (ptrdiff_t)place * ut_group_rows(problem, own);
}

// The number of row k in its group.
static int place_of(const System* system, int k)
{
    return k < system->n ? k % system->d : 0;
}

void ut_local_assemble(const System* system, const double* D, const double* w)
{
    const utCoulomb* problem = system->problem;
    const int d = system->d;
    for (int k = 0; k < system->N; k++) {
        for (int e = begin_of(problem, k); e < end_of(problem, k); e++) {
            const Entry entry = entry_at(system, k, e);
            if (entry.column >= system->n) {
                entry.row[0] += entry.value * w[entry.column - system->n];
                continue;
            }
            const double* from = D + (size_t)entry.column * (size_t)d; // row `column` of all blocks
            for (int l = 0; l < d; l++) {
                entry.row[l] += entry.value * from[l];
            }
        }
        own_row(system, k)[place_of(system, k)] += 1.0;
    }
}

// Add one entry of row k of W to B W, multiplied by the mass of its column.
static void add_entry(const System* system, const double* B, int k, const Entry* entry)
{
    const int d = system->d;
    const int c = entry->column;
    const double m = c < system->n ? system->m[c / d] : system->mb[c - system->n];
    double* to = entry->row + place_of(system, c);
    if (k >= system->n) {
        *to += entry->value * m;
        return;
    }
    const int l = k % d;
    const double* block = B + (size_t)(k - l) * (size_t)d;
    for (int i = 0; i < d; i++) {
        to[(i - l) * entry->ld] += block[d * i + l] * entry->value * m;
    }
}

// The rows of H of one contact, for a dense W: A + B W diag(m).
static void assemble_contact(const System* system, const double* A, const double* B, int contact,
                             double* H)
{
    const int d = system->d;
    const size_t N = (size_t)system->N, first = (size_t)d * (size_t)contact;
    const double* W = system->problem->W + first * N;
    for (int i = 0; i < d; i++, H += N) {
        for (size_t c = 0; c < N; c++) {
            double sum = 0.0;
            for (int l = 0; l < d; l++) {
                sum += B[d * i + l] * W[(size_t)l * N + c];
            }
            H[c] = sum * system->column[c];
        }
        for (int l = 0; l < d; l++) {
            H[first + (size_t)l] += A[d * i + l];
        }
    }
}

// All rows of H for a dense W.
static void assemble_dense(const System* system, const double* A, const double* B, const bool* held,
                           double regularization)
{
    const size_t N = (size_t)system->N, block = (size_t)system->d * (size_t)system->d;
    double* H = ut_sparse_block(&system->H, 0, 0);
    for (int k = 0; k < system->N; k++) {
        system->column[k] = k < system->n ? system->m[k / system->d] : system->mb[k - system->n];
    }
    for (int i = 0; i < system->nc; i++) {
        assemble_contact(system, A + block * (size_t)i, B + block * (size_t)i, i,
                         H + N * (size_t)system->d * (size_t)i);
    }
    for (int j = 0; j < system->nb; j++) {
        const size_t row = (size_t)system->n + (size_t)j;
        for (size_t c = 0; c < N; c++) {
            H[row * N + c] = held[j] ? 0.0 : system->problem->W[row * N + c] * system->column[c];
        }
        H[row * N + row] += held[j] ? 1.0 : 0.0;
    }
    for (size_t k = 0; k < N; k++) {
        const bool fixed = k >= (size_t)system->n && held[k - (size_t)system->n];
        H[k * N + k] += fixed ? 0.0 : regularization;
    }
}

void ut_local_assemble_rows(const System* system, const double* A, const double* B,
                            const bool* held, double regularization)
{
    const utCoulomb* problem = system->problem;
    const int d = system->d;
    if (problem->W_start == NULL) {
        assemble_dense(system, A, B, held, regularization);
        return;
    }
    for (int k = 0; k < system->N; k++) {
        double* own = own_row(system, k);
        for (int l = 0; k < system->n && l < d; l++) {
            own[l] += A[(size_t)k * (size_t)d + (size_t)l];
        }
        const bool fixed = k >= system->n && held[k - system->n];
        own[place_of(system, k)] += fixed ? 1.0 : regularization;
        for (int e = begin_of(problem, k); !fixed && e < end_of(problem, k); e++) {
            const Entry entry = entry_at(system, k, e);
            add_entry(system, B, k, &entry);
        }
    }
}
