// SPDX-License-Identifier: Apache-2.0
// Lemke's method on small problems: the tableau of the nonbasic columns is updated in place.
//
// The rows read x_B = rhs + T x_N, for w = q + M z + 1 z0. A pivot costs n (n + 2) products, which up
// to some thirty unknowns is less than keeping a factor. Ties are broken by the largest pivot: cycles are
// possible, and end at the limit of pivots. Rounding is not controlled, but the residual decides about the
// answer, and the block of the tableau that belongs to the basic z is the inverse that refines it.
#include "small.h"

enum {
    MAX = UT_LCP_SMALL_MAX,
    REFINEMENTS = 2,
};

static const double TINY = 1e-11; // share of the column's largest entry: a smaller one is rounding
static const double TIE = 1.0 + 1e-12; // ratios that differ by less than this factor are equal

typedef struct Tableau {
    int n;
    int stride;                // of rows
    int basic[MAX];            // variable of each row: i for w_i, n + i for z_i, 2n for z0
    int nonbasic[MAX + 1];     // variable of each column
    double T[MAX * (MAX + 4)]; // rows: nonbasic variables, then rhs
} Tableau;

static double* row_of(Tableau* t, int i)
{
    return t->T + (size_t)i * (size_t)t->stride;
}

// The tableau after the first pivot, in which z0 takes the place of the w_r with the least q.
static void begin(const utLcp* lcp, Tableau* t)
{
    const int n = lcp->n;
    int r = 0;
    for (int i = 1; i < n; i++) {
        r = lcp->q[i] < lcp->q[r] ? i : r;
    }
    t->n = n;
    t->stride = ut_small_stride(n + 2);
    const double* least = ut_lcp_row(lcp, r);
    for (int i = 0; i < n; i++) {
        const double* from = ut_lcp_row(lcp, i);
        double* to = row_of(t, i);
        // z0 = w_r - q_r - M_r z,  w_i = w_r + (q_i - q_r) + (M_i - M_r) z
        for (int j = 0; j < n; j++) {
            to[j] = (i == r ? 0.0 : from[j]) - least[j];
        }
        to[n] = 1.0;
        to[n + 1] = (i == r ? 0.0 : lcp->q[i]) - lcp->q[r];
        for (int j = n + 2; j < t->stride; j++) {
            to[j] = 0.0;
        }
        t->basic[i] = i;
        t->nonbasic[i] = n + i;
    }
    t->basic[r] = 2 * n;
    t->nonbasic[n] = r;
}

// Exchange the variable of row r with that of column c.
static void pivot(Tableau* t, int r, int c)
{
    double* from = row_of(t, r);
    const double inverse = 1.0 / from[c];
    ut_small_scale_row(t->stride, -inverse, from);
    for (int i = 0; i < t->n; i++) {
        double* row = row_of(t, i);
        const double f = row[c];
        if (i != r && f != 0.0) {
            ut_small_add_row(0, t->stride, f, from, row);
            row[c] = f * inverse;
        }
    }
    from[c] = inverse;
    const int leaving = t->basic[r];
    t->basic[r] = t->nonbasic[c];
    t->nonbasic[c] = leaving;
}

// The row that first becomes negative when the variable of column c grows, -1 for none. z0 leaves when it
// can; else the largest pivot among equal ratios.
static int leaving_row(Tableau* t, int c)
{
    const int rhs = t->n + 1;
    double largest = 0.0;
    for (int i = 0; i < t->n; i++) {
        const double a = -row_of(t, i)[c];
        largest = a > largest ? a : largest;
    }
    int best = -1;
    double least = HUGE_VAL, best_pivot = 0.0;
    for (int i = 0; i < t->n; i++) {
        const double* row = row_of(t, i);
        const double a = -row[c];
        if (!(a > TINY * largest)) {
            continue;
        }
        const double ratio = row[rhs] > 0.0 ? row[rhs] / a : 0.0;
        const double size = t->basic[i] == 2 * t->n ? HUGE_VAL : a;
        const bool less = ratio * TIE < least;
        const bool equal = !less && ratio <= least * TIE;
        if (less || (equal && size > best_pivot)) {
            best = i;
            best_pivot = size;
            least = ratio < least ? ratio : least;
        }
    }
    return best;
}

static int column_of(const Tableau* t, int variable)
{
    int c = 0;
    while (t->nonbasic[c] != variable) {
        c++;
    }
    return c;
}

// Pivot until z0 is the variable that leaves.
// @param r, c row and column of the last pivot, which is not carried out
// @return false at a ray or the limit of pivots
static bool follow_path(Tableau* t, int* pivots, int* r, int* c)
{
    const int n = t->n;
    const int limit = 3 * n + 10;
    int left = t->nonbasic[n]; // the variable that left last
    for (*pivots = 1; *pivots < limit; ++*pivots) {
        *c = column_of(t, left < n ? left + n : left - n);
        *r = leaving_row(t, *c);
        if (*r < 0) {
            return false;
        }
        left = t->basic[*r];
        if (left == 2 * n) {
            return true;
        }
        pivot(t, *r, *c);
    }
    return false;
}

// z after the last pivot, of which only the right-hand side is needed.
static void read_answer(Tableau* t, int r, int c, double* z)
{
    const int n = t->n;
    const double entering = -row_of(t, r)[n + 1] / row_of(t, r)[c];
    for (int i = 0; i < n; i++) {
        z[i] = 0.0;
    }
    for (int i = 0; i < n; i++) {
        const int variable = i == r ? t->nonbasic[c] : t->basic[i];
        const double* row = row_of(t, i);
        const double value = i == r ? entering : row[n + 1] + row[c] * entering;
        if (variable >= n && value > 0.0) {
            z[variable - n] = value;
        }
    }
}

// Correct z so that the slacks of its basic entries vanish: z_B changes by -T w_N.
static void refine(const utLcp* lcp, Tableau* t, double* z)
{
    const int n = t->n;
    double w[MAX];
    ut_lcp_slack(lcp, z, w);
    for (int i = 0; i < n; i++) {
        if (t->basic[i] < n) {
            continue;
        }
        const double* row = row_of(t, i);
        double change = 0.0;
        for (int c = 0; c <= n; c++) {
            change += t->nonbasic[c] < n ? row[c] * w[t->nonbasic[c]] : 0.0;
        }
        double* value = &z[t->basic[i] - n];
        *value = *value > change ? *value - change : 0.0;
    }
}

bool ut_small_lemke(const utLcp* lcp, double tolerance, SmallAnswer* answer)
{
    Tableau t; // without an initializer, because that would clear the tableau
    int r, c;
    begin(lcp, &t);
    answer->factorizations = 0;
    if (!follow_path(&t, &answer->pivots, &r, &c)) {
        return false;
    }
    answer->pivots++;
    read_answer(&t, r, c, answer->z);
    if (ut_small_accepts(lcp, UT_SMALL_FINE_SHARE * tolerance, answer)) {
        return true;
    }
    pivot(&t, r, c);
    bool good = false;
    for (int k = 0; k < REFINEMENTS && !good; k++) {
        refine(lcp, &t, answer->z);
        good = ut_small_accepts(lcp, UT_LCP_SAFE_SHARE * tolerance, answer);
    }
    return good;
}
