// SPDX-License-Identifier: Apache-2.0
// Block principal pivoting on small problems: guess the unknowns with w = 0, solve for them, and move all
// unknowns with a wrong sign to the other side, until there is none.
//
// This ends for most P-matrices and for symmetric positive semidefinite ones after a few rounds; where it
// does not, another method takes over. The elimination takes its pivots from the diagonal, which does not
// depend on the scale of the rows when M is symmetric.
#include <string.h>

#include "small.h"

enum {
    MAX = UT_LCP_SMALL_MAX,
    MAX_IDLE_ROUNDS = 3, // rounds without fewer wrong signs
    REFINEMENTS = 2,
};

static const double DEPENDENT = 1e-11; // a smaller share of the diagonal is left of a dependent row
static const double ROUNDING = 1e-13;  // of the largest |q|: a smaller violation is none

typedef struct Blocks {
    const utLcp* lcp;
    double violation;          // that counts: ROUNDING times the largest |q|
    bool active[MAX];          // w_i = 0 is solved for z_i
    int count;                 // of active unknowns
    int order[MAX + 1];        // the active unknowns
    double F[MAX * (MAX + 4)]; // count rows: a right-hand side, then the active block
    double x[MAX];             // the solution
    double w[MAX];             // slacks
} Blocks;

// List the active unknowns. One more entry makes their number even.
static void list_active(Blocks* b, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        b->order[count] = i;
        count += b->active[i];
    }
    b->count = count;
    b->order[count] = 0;
}

// Row r of the active block, after its right-hand side: -w_r, M_r0, M_r1 ... Written in pairs, because a
// processor waits when it reads a pair that was written in two halves. Entries beyond the last are not
// used.
static void copy_row(const Blocks* b, int n, int r, double rhs, double* to)
{
    const double* from = b->lcp->M + b->order[r] * n;
    *(SmallTwo*)to = (SmallTwo){rhs, from[b->order[0]]};
    for (int c = 1; c < b->count; c += 2) {
        *(SmallTwo*)(to + c + 1) = (SmallTwo){from[b->order[c]], from[b->order[c + 1]]};
    }
}

// x = the inverse of the active block times -w, by Gauss and Jordan's elimination of the block with the
// right-hand side in front of it. A row that depends on earlier ones gets x = 0.
static void solve_block(Blocks* b, int n, const double* w)
{
    const int k = b->count;
    const int stride = ut_small_stride(k + 1);
    for (int r = 0; r < k; r++) {
        copy_row(b, n, r, -w[b->order[r]], b->F + r * stride);
    }
    for (int c = 0; c < k; c++) {
        const double* row = b->F + c * stride;
        const int i = b->order[c];
        const bool dependent = !(row[c + 1] > DEPENDENT * b->lcp->M[i * n + i]);
        b->x[c] = dependent ? 0.0 : 1.0 / row[c + 1];
        for (int r = 0; r < k && !dependent; r++) {
            if (r != c) {
                double* other = b->F + r * stride;
                const double f = -other[c + 1] * b->x[c];
                *(SmallTwo*)other += f * *(const SmallTwo*)row;
                ut_small_add_row(c + 2, stride, f, row, other);
            }
        }
    }
    for (int c = 0; c < k; c++) {
        b->x[c] *= b->F[c * stride];
    }
}

// z of the active unknowns, and the slacks of the others.
static void solve_active(Blocks* b, int n, double* z)
{
    const utLcp* lcp = b->lcp;
    const int k = b->count;
    solve_block(b, n, lcp->q);
    for (int i = 0; i < n; i++) {
        z[i] = 0.0;
    }
    for (int r = 0; r < k; r++) {
        z[b->order[r]] = b->x[r];
    }
    for (int i = 0; i < n; i++) {
        const double* row = lcp->M + i * n;
        double even = lcp->q[i];
        double odd = 0.0;
        int r = 0;
        for (; r + 2 <= k; r += 2) {
            even += row[b->order[r]] * b->x[r];
            odd += row[b->order[r + 1]] * b->x[r + 1];
        }
        b->w[i] = even + (r < k ? row[b->order[r]] * b->x[r] + odd : odd);
    }
}

// Move all unknowns with a wrong sign to the other side. @return their number
static int move_wrong(Blocks* b, int n, const double* z)
{
    const utLcp* lcp = b->lcp;
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        const double value = b->active[i] ? z[i] * lcp->M[i * n + i] : b->w[i];
        const bool moves = !(value >= -b->violation);
        b->active[i] = b->active[i] != moves;
        wrong += moves;
    }
    return wrong;
}

// Is the answer good enough, if need be after corrections with accurate slacks?
static bool finish(Blocks* b, int n, double tolerance, SmallAnswer* answer)
{
    for (int attempt = 0;; attempt++) {
        for (int i = 0; i < n; i++) {
            answer->z[i] = answer->z[i] > 0.0 ? answer->z[i] : 0.0;
        }
        const double share = attempt == 0 ? UT_SMALL_FINE_SHARE : UT_LCP_SAFE_SHARE;
        if (ut_small_accepts(b->lcp, share * tolerance, answer)) {
            return true;
        }
        if (attempt == REFINEMENTS) {
            return false;
        }
        ut_lcp_slack(b->lcp, answer->z, b->w);
        solve_block(b, n, b->w);
        for (int r = 0; r < b->count; r++) {
            answer->z[b->order[r]] += b->x[r];
        }
    }
}

bool ut_small_blocks(const utLcp* lcp, double tolerance, SmallAnswer* answer)
{
    const int n = lcp->n;
    Blocks b; // without an initializer, because that would clear the matrix
    double largest = 0.0;
#ifdef __clang_analyzer__
    memset(&b, 0, sizeof b); // the analyser does not see what is written in pairs
#endif
    b.lcp = lcp;
    for (int i = 0; i < n; i++) {
        b.active[i] = lcp->q[i] < 0.0;
        largest = fabs(lcp->q[i]) > largest ? fabs(lcp->q[i]) : largest;
    }
    b.violation = ROUNDING * largest;
    answer->pivots = 0;
    answer->factorizations = 0;
    int fewest = n + 1;
    for (int idle = 0; idle <= MAX_IDLE_ROUNDS;) {
        list_active(&b, n);
        solve_active(&b, n, answer->z);
        answer->factorizations++;
        const int wrong = move_wrong(&b, n, answer->z);
        if (wrong == 0) {
            return finish(&b, n, tolerance, answer);
        }
        answer->pivots += wrong;
        idle = wrong < fewest ? 0 : idle + 1;
        fewest = wrong < fewest ? wrong : fewest;
    }
    return false;
}
