// SPDX-License-Identifier: Apache-2.0
// Lemke's method on small problems: the tableau of the nonbasic columns is updated in place.
//
// The rows read x_B = rhs + T x_N, at first w = q + M z + 1 z0. A pivot costs n (n + 2) products, which up
// to some thirty unknowns is less than keeping a factor. Ties are broken by the largest pivot: cycles are
// possible, and end at the limit of pivots. Rounding is not controlled, but the residual decides about the
// answer, and the block of the tableau that belongs to the basic z is the inverse that refines it.
#include "small.h"

enum {
    MAX = UT_LCP_SMALL_MAX,
    STRIDE = MAX + 2,
    REFINEMENTS = 2,
};

static const double TINY = 1e-11; // share of the column's largest entry: a smaller one is rounding
static const double TIE = 1.0 + 1e-12; // ratios that differ by less than this factor are equal

typedef struct Tableau {
    int n;
    int columns;            // n + 2: nonbasic variables, of which the last is z0 at first, and rhs
    int basic[MAX];         // variable of each row: i for w_i, n + i for z_i, 2n for z0
    int nonbasic[MAX + 1];  // variable of each column
    double T[MAX * STRIDE]; // rows of `columns` entries
} Tableau;

static double* row_of(Tableau* t, int i)
{
    return t->T + (size_t)i * (size_t)t->columns;
}

static void begin(const utLcp* lcp, Tableau* t)
{
    const int n = lcp->n;
    t->n = n;
    t->columns = n + 2;
    for (int i = 0; i < n; i++) {
        const double* from = ut_lcp_row(lcp, i);
        double* to = row_of(t, i);
        for (int j = 0; j < n; j++) {
            to[j] = from[j];
        }
        to[n] = 1.0;
        to[n + 1] = lcp->q[i];
        t->basic[i] = i;
        t->nonbasic[i] = n + i;
    }
    t->nonbasic[n] = 2 * n;
}

// Exchange the variable of row r with that of column c.
static void pivot(Tableau* t, int r, int c)
{
    double* from = row_of(t, r);
    const double inverse = 1.0 / from[c];
    for (int j = 0; j < t->columns; j++) {
        from[j] *= -inverse;
    }
    from[c] = inverse;
    for (int i = 0; i < t->n; i++) {
        if (i != r) {
            double* row = row_of(t, i);
            const double f = row[c];
            row[c] = 0.0;
            for (int j = 0; j < t->columns; j++) {
                row[j] += f * from[j];
            }
        }
    }
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

// Pivot until z0 has left the basis. @return false at a ray or the limit of pivots
static bool follow_path(Tableau* t, int* pivots)
{
    const int n = t->n;
    const int limit = 3 * n + 10;
    int r = 0;
    for (int i = 1; i < n; i++) {
        r = row_of(t, i)[n + 1] < row_of(t, r)[n + 1] ? i : r;
    }
    int c = n;
    for (*pivots = 0; *pivots < limit;) {
        const int leaving = t->basic[r];
        pivot(t, r, c);
        ++*pivots;
        if (leaving == 2 * n) {
            return true;
        }
        c = column_of(t, leaving < n ? leaving + n : leaving - n);
        r = leaving_row(t, c);
        if (r < 0) {
            return false;
        }
    }
    return false;
}

static void read_answer(Tableau* t, double* z)
{
    for (int i = 0; i < t->n; i++) {
        z[i] = 0.0;
    }
    for (int i = 0; i < t->n; i++) {
        const double value = row_of(t, i)[t->n + 1];
        if (t->basic[i] >= t->n && value > 0.0) {
            z[t->basic[i] - t->n] = value;
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
    Tableau t;
    begin(lcp, &t);
    answer->factorizations = 0;
    if (!follow_path(&t, &answer->pivots)) {
        return false;
    }
    read_answer(&t, answer->z);
    bool good = ut_small_accepts(lcp, UT_SMALL_FINE_SHARE * tolerance, answer);
    for (int k = 0; k < REFINEMENTS && !good; k++) {
        refine(lcp, &t, answer->z);
        good = ut_small_accepts(lcp, UT_LCP_SAFE_SHARE * tolerance, answer);
    }
    return good;
}
