// SPDX-License-Identifier: Apache-2.0
// Lemke's complementary pivoting on a factored basis.
//
// z0 enters a complementary basis with a column that makes all basic variables nonnegative. From
// then on the complement of the variable that left enters, until z0 leaves (a solution) or no basic
// variable limits the entering one (a ray). Ties in the ratio test of x are broken by p, and then by
// the columns of the starting basis in order. This is a lexicographic rule, so no basis repeats.
#include "lemke.h"

#include "la/dense/kernel.h"

#include <math.h>
#include <string.h>

// Tolerances. M and q are of order one. Entries of y carry rounding errors of the solves with B, so
// a small entry may be zero in truth; x carries errors relative to `size`, the first value of z0.
static const double TINY_PIVOT = 1e-9;         // times min(1, max |y|): y_i may be zero
static const double TINY_PIVOT_OF_Y = 1e-16;   // plus this times max |y|
static const double SURE_PIVOT = 1e-6;         // times min(1, max |y|): y_i is certainly not zero
static const double SURE_PIVOT_OF_Y = 1e-11;   // plus this times max |y|
static const double ALLOWED_NEGATIVE = 1e-8;   // times size: later rounds repair this in x
static const double TIE = 1e-10;               // relative difference of equal ratios
static const double TIE_OF_SIZE = 1e-13;       // plus this times size
static const double LEXICOGRAPHIC_TIE = 1e-11; // relative, for p and the starting columns
static const double LEAVING_ROUNDING = 1e-11;  // times size: x may be so negative when z0 leaves
static const double LEAVING_PIVOT = 1e-9;      // least |y| of z0 when it leaves
static const double LEAVING_STEP = 1e-6;       // z0 leaves if its ratio is so close to the least
static const double WEAK_PIVOT = 1e-6;         // times max |y|: factor after a smaller pivot
static const double NEGLIGIBLE = 1e-16;        // a starting x above minus this counts as >= 0

static bool is_free_variable(const Lemke* s, int variable)
{
    return variable >= s->n && variable < s->n + s->free_count;
}

// ---- ratio test ---------------------------------------------------------------------------------

// The least ratio max(x_i, 0) / y_i over the positions with y_i > tiny whose variable is not free;
// HUGE_VAL when there is none.
static double least_ratio(const Lemke* s, double tiny)
{
    double least = HUGE_VAL;
    for (int i = 0; i < s->n; i++) {
        if (s->x[i] < least * s->y[i] && s->y[i] > tiny &&
            !is_free_variable(s, s->basis.basic[i])) {
            least = (s->x[i] > 0.0 ? s->x[i] : 0.0) / s->y[i];
        }
    }
    return least;
}

// Find the positions with the least ratio, within rounding. Positions with a small y_i count only if
// their variable would otherwise become clearly negative, because such a y_i may be rounding.
// @param ratio the least ratio @return the number of positions; 0: no variable limits the step
static int find_blocking(const Lemke* s, int* candidate, double* ratio)
{
    const double order = s->y_size < 1.0 ? s->y_size : 1.0;
    const double tiny = TINY_PIVOT * order + TINY_PIVOT_OF_Y * s->y_size;
    const double sure = SURE_PIVOT * order + SURE_PIVOT_OF_Y * s->y_size;
    const double allowed = ALLOWED_NEGATIVE * s->size;

    double least = least_ratio(s, sure);
    double floor = sure;
    for (int i = 0; i < s->n; i++) {
        bool faint = (s->y[i] > tiny) & (s->y[i] <= sure);
        if (faint && !(s->x[i] - least * s->y[i] >= -allowed) &&
            !is_free_variable(s, s->basis.basic[i])) {
            floor = tiny;
        }
    }
    least = floor < sure ? least_ratio(s, tiny) : least;
    *ratio = least;
    if (!(least < HUGE_VAL)) {
        return 0;
    }

    int count = 0;
    const double reach = least + TIE * least + TIE_OF_SIZE * s->size;
    for (int i = 0; i < s->n; i++) {
        if (s->x[i] <= reach * s->y[i] && s->y[i] > floor &&
            !is_free_variable(s, s->basis.basic[i])) {
            candidate[count++] = i;
        }
    }
    return count;
}

// Keep the candidates with the least column[i] / y[i].
static int keep_least(const double* column, const double* y, int count, int* candidate)
{
    double least = HUGE_VAL;
    double size = 0.0;
    for (int c = 0; c < count; c++) {
        double ratio = column[candidate[c]] / y[candidate[c]];
        least = ratio < least ? ratio : least;
        size = fabs(ratio) > size ? fabs(ratio) : size;
    }
    int kept = 0;
    for (int c = 0; c < count; c++) {
        if (column[candidate[c]] / y[candidate[c]] <= least + LEXICOGRAPHIC_TIE * size) {
            candidate[kept++] = candidate[c];
        }
    }
    return kept;
}

// Break ties of x and p: compare the columns B^-1 b_j of the starting basis in order. A column that
// is still basic is a unit vector, so its row has the larger ratio and is removed.
static int keep_lexicographic(Lemke* s, int count, int* candidate)
{
    for (int j = 0; j < s->n && count > 1; j++) {
        int at = s->basis.position[s->start[j]];
        if (at >= 0) {
            int kept = 0;
            for (int c = 0; c < count; c++) {
                if (candidate[c] != at) {
                    candidate[kept++] = candidate[c];
                }
            }
            count = kept;
        } else {
            ut_basis_column(&s->basis, s->start[j], s->lex);
            ut_basis_solve(&s->basis, s->lex);
            count = keep_least(s->lex, s->y, count, candidate);
        }
    }
    return count;
}

// Can z0 leave now, without any variable below zero by more than rounding?
// @param least the least ratio of the others
static bool artificial_may_leave(const Lemke* s, double least)
{
    const int at = s->basis.position[2 * s->n];
    const double rounding = LEAVING_ROUNDING * s->size;
    if (!(fabs(s->y[at]) > LEAVING_PIVOT) || !(s->y[at] > 0.0 || s->x[at] <= rounding)) {
        return false;
    }
    const double step = s->x[at] / s->y[at];
    if (!(step >= -rounding) || step > least + LEAVING_STEP * least + LEAVING_STEP * s->size) {
        return false;
    }
    for (int i = 0; i < s->n; i++) {
        if (!(s->x[i] - step * s->y[i] >= -rounding) && !is_free_variable(s, s->basis.basic[i])) {
            return false;
        }
    }
    return true;
}

// The position that leaves, or -1 on a ray. z0 leaves whenever it can.
static int choose_leaving(Lemke* s)
{
    double least;
    int count = find_blocking(s, s->candidate, &least);
    if (artificial_may_leave(s, least)) {
        return s->basis.position[2 * s->n];
    }
    if (count > 1) {
        count = keep_least(s->p, s->y, count, s->candidate);
    }
    if (count > 1) {
        count = keep_lexicographic(s, count, s->candidate);
    }

    // of the remaining ties take the largest pivot
    int best = count > 0 ? s->candidate[0] : -1;
    for (int c = 1; c < count; c++) {
        best = s->y[s->candidate[c]] > s->y[best] ? s->candidate[c] : best;
    }
    return best;
}

// ---- pivots -------------------------------------------------------------------------------------

static void move_to(int n, double* x, const double* y, int position)
{
    double step = x[position] / y[position];
    ut_axpy(n, -step, y, x);
    x[position] = step;
}

bool ut_lemke_refresh(Lemke* s)
{
    if (!ut_basis_factor(&s->basis)) {
        return false;
    }
    memcpy(s->x, s->q, (size_t)s->n * sizeof *s->x);
    ut_basis_solve(&s->basis, s->x);
    memcpy(s->p, s->P, (size_t)s->n * sizeof *s->p);
    ut_basis_solve(&s->basis, s->p);
    return true;
}

static void exchange(Lemke* s, int position, int entering)
{
    move_to(s->n, s->x, s->y, position);
    move_to(s->n, s->p, s->y, position);
    ut_basis_replace(&s->basis, position, entering, s->y);
    if (fabs(s->y[position]) < WEAK_PIVOT * s->y_size) {
        // a small pivot amplifies rounding: factor before the next pivot
        s->basis.limit = s->basis.updates;
    }
}

// The position of the first pivot, where z0 enters: x / cover is most negative.
static int first_leaving(const Lemke* s)
{
    int worst = -1;
    for (int i = 0; i < s->n; i++) {
        if (is_free_variable(s, s->basis.basic[i]) || !(s->x[i] < -NEGLIGIBLE)) {
            continue;
        }
        double mine = s->x[i] / s->cover[i];
        double best = worst >= 0 ? s->x[worst] / s->cover[worst] : 0.0;
        bool tie =
            mine == best && worst >= 0 && s->p[i] / s->cover[i] < s->p[worst] / s->cover[worst];
        if (mine < best || tie) {
            worst = i;
        }
    }
    return worst;
}

// A pseudo-random number in [1, 2) for each i (the mixing steps of SplitMix64).
static double generic_number(int i)
{
    uint64_t x = ((uint64_t)i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return 1.0 + (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

// d = B cover and P = B p for the starting basis
static void start_columns(Lemke* s)
{
    memset(s->d, 0, (size_t)s->n * sizeof *s->d);
    memset(s->P, 0, (size_t)s->n * sizeof *s->P);
    for (int i = 0; i < s->n; i++) {
        bool fixed = is_free_variable(s, s->basis.basic[i]);
        double share = fixed ? 0.0 : s->cover[i];
        s->p[i] = fixed ? 0.0 : generic_number(i);
        s->start[i] = s->basis.basic[i];
        if (s->start[i] < s->n) {
            s->d[s->start[i]] += share;
            s->P[s->start[i]] += s->p[i];
            continue;
        }
        ut_basis_column(&s->basis, s->start[i], s->lex);
        for (int r = 0; r < s->n; r++) {
            s->d[r] += share * s->lex[r];
            s->P[r] += s->p[i] * s->lex[r];
        }
    }
}

static int complement(int n, int variable)
{
    return variable < n ? variable + n : variable - n;
}

// y = B^-1 a for the entering variable. @return false when y is not finite
static bool enter_column(Lemke* s)
{
    ut_basis_column(&s->basis, s->entering, s->y);
    ut_basis_solve(&s->basis, s->y);
    s->y_size = ut_max_abs(s->n, s->y);
    return isfinite(s->y_size);
}

// Find the position that the entering variable replaces. @return LEMKE_DONE when there is one
static LemkeEnd next_pivot(Lemke* s, int* position)
{
    if (!enter_column(s)) {
        return LEMKE_SINGULAR;
    }
    *position = choose_leaving(s);
    if (*position < 0 && s->basis.updates > 0) {
        // before reporting a ray, test again with a new factorization
        if (!ut_lemke_refresh(s) || !enter_column(s)) {
            return LEMKE_SINGULAR;
        }
        *position = choose_leaving(s);
    }
    return *position < 0 ? LEMKE_RAY : LEMKE_DONE;
}

LemkeEnd ut_lemke_run(Lemke* s)
{
    const int n = s->n;
    start_columns(s);
    int position = first_leaving(s);
    if (position < 0) {
        return LEMKE_DONE;
    }
    s->size = -s->x[position] / s->cover[position];
    s->entering = 2 * n;
    if (!enter_column(s)) {
        return LEMKE_SINGULAR;
    }
    for (;;) {
        int leaving = s->basis.basic[position];
        exchange(s, position, s->entering);
        s->pivots++;
        if (leaving == 2 * n) {
            return LEMKE_DONE;
        }
        if (s->pivots >= s->limit) {
            return LEMKE_LIMIT;
        }
        if (ut_basis_is_long(&s->basis) && !ut_lemke_refresh(s)) {
            return LEMKE_SINGULAR;
        }
        s->entering = complement(n, leaving);
        LemkeEnd end = next_pivot(s, &position);
        if (end != LEMKE_DONE) {
            return end;
        }
    }
}

void ut_lemke_ray(const Lemke* s, double* ray)
{
    const int n = s->n;
    memset(ray, 0, (size_t)n * sizeof *ray);
    if (s->entering >= n && s->entering < 2 * n) {
        ray[s->entering - n] = 1.0;
    }
    for (int i = 0; i < n; i++) {
        int v = s->basis.basic[i];
        if (v >= n && v < 2 * n) {
            ray[v - n] = s->y[i] == 0.0 ? 0.0 : -s->y[i];
        }
    }
}
