// SPDX-License-Identifier: Apache-2.0
// Enumeration of all cases of a small problem: slow, complete, and independent of other solvers.
//
// Each unknown is at its lower bound, between its bounds or at its upper one:
//
//     at lo    z_i = lo_i,  w_i >= 0
//     between  w_i = 0,     lo_i <= z_i <= hi_i
//     at hi    z_i = hi_i,  w_i <= 0
//
// Infinite bounds leave fewer states. Cases are numbered in mixed radix: unknown 0 is the lowest
// digit, and a digit counts the states in the order above, so case 0 of a plain problem is z = 0.
//
// Let y be the unknowns in between; at the bounds z_i = b or z_i = b z_k. A case then consists of the
// equations w_i(y) = 0 and of inequalities. If the equations are regular, the case is one point,
// which is tested. If they are singular, the case is a polyhedron, which is empty or has a corner: a
// point where enough inequalities hold as equations that all together are regular. (Unknowns without
// bounds that would span a line are fixed at 0 first.) A corner of several cases is searched in the
// first of them only. There only the inequalities that lead to later cases, w_i >= 0 at lo and
// z_i <= hi_i between, can hold as equations.
//
// No solution exists if every point and corner of every case violates an inequality by more than the
// bound of its rounding, which is computed with each number. A single violation below its bound
// makes the proof fail. A coefficient that elimination leaves within its rounding counts as zero, so
// the proof holds for the given problem up to rounding.
#include "lcp/internal.h"

#include "lcp/equilibrate.h"

#include <string.h>

enum { MAX = UT_LCP_ENUMERATE_MAX, MAX_CASES = 1 << 20 };

// In the scaled problem, whose entries are of order one:
static const double UNIT = 0x1p-53; // rounding error of one operation
static const double ZERO = 16.0;    // times its rounding bound: a coefficient up to here is zero
static const double PIVOT = 1e3;    // times its rounding bound: above this it is not zero
static const double NOISE = 1e-11;  // a violation up to here is rounding
static const double CLEAR = 1e-9;   // a violation above this is certain
static const double SAME = 1e-9;    // relative distance of two solutions that count as one
static const double BOUND_MARGIN = 4.0; // factor of first-order rounding bounds, for higher orders

typedef enum State { AT_LO, BETWEEN, AT_HI } State;

// One affine function of y: coefficients, and the constant behind the last of them.
typedef struct Affine {
    double a[MAX + 1];
    double noise[MAX + 1]; // first-order bound of the rounding error of each coefficient
} Affine;

// The problem scaled by powers of two.
typedef struct ScaledProblem {
    int n;
    double M[MAX][MAX];
    double q[MAX];
    double lo[MAX];
    double hi[MAX];
    int findex[MAX];
    double unit[MAX]; // z_i over the scaled unknown
    bool pinned[MAX]; // fixed at 0: its column of M depends on other unknowns without bounds
} ScaledProblem;

typedef struct Enumeration {
    const utLcp* lcp;
    double tolerance;
    ScaledProblem scaled;

    // the current case
    State state[MAX];
    int unknowns;    // entries of y
    int column[MAX]; // z_i = weight y_column + constant, without y when column is -1
    double weight[MAX];
    double constant[MAX];
    Affine w[MAX];  // w_i as a function of y
    int rank;       // rows of R
    Affine R[MAX];  // eliminated equations R (y, 1) = 0, each without the pivots above it
    int pivot[MAX]; // the column that each row is solved for

    // results
    bool first_only; // stop at the first solution
    bool done;
    bool doubt; // a point or coefficient was neither accepted nor excluded: nothing is proved
    int room;
    double* Z;
    int count;
    double best_residual; // of the uncertain points
    double best[MAX];
} Enumeration;

// ---- the scaled problem -------------------------------------------------------------------------

static void scale_problem(Enumeration* e, const utLcp* lcp)
{
    const int n = lcp->n;
    double row[MAX], col[MAX], work[MAX];
    ut_scale_find(n, lcp->M, row, col, work);

    double q_size = 0.0;
    for (int i = 0; i < n; i++) {
        q_size = fmax(q_size, fabs(row[i] * lcp->q[i]));
    }
    const double length = ut_scale_power_of_two(q_size);

    e->lcp = lcp;
    e->scaled.n = n;
    for (int i = 0; i < n; i++) {
        e->scaled.q[i] = row[i] * lcp->q[i] / length;
        e->scaled.unit[i] = col[i] * length;
        for (int j = 0; j < n; j++) {
            e->scaled.M[i][j] = row[i] * ut_lcp_row(lcp, i)[j] * col[j];
        }
        bool is_free = i < lcp->free_count;
        int k = lcp->findex != NULL && !is_free ? lcp->findex[i] : -1;
        double unit = k >= 0 ? col[i] / col[k] : e->scaled.unit[i];
        e->scaled.findex[i] = k;
        e->scaled.lo[i] = is_free ? -HUGE_VAL : lcp->lo != NULL ? lcp->lo[i] / unit : 0.0;
        e->scaled.hi[i] = is_free || lcp->hi == NULL ? HUGE_VAL : lcp->hi[i] / unit;

        // a bound that overflows by the scaling makes a proof impossible
        bool lost_lo = lcp->lo != NULL && isfinite(lcp->lo[i]) && !isfinite(e->scaled.lo[i]);
        bool lost_hi = lcp->hi != NULL && isfinite(lcp->hi[i]) && !isfinite(e->scaled.hi[i]);
        e->doubt = e->doubt || (!is_free && (lost_lo || lost_hi));
    }
}

static State first_state(const Enumeration* e, int i)
{
    return isfinite(e->scaled.lo[i]) ? AT_LO : BETWEEN;
}

static State last_state(const Enumeration* e, int i)
{
    return isfinite(e->scaled.hi[i]) ? AT_HI : BETWEEN;
}

// The number of cases; MAX_CASES + 1 for more than MAX_CASES.
static int count_cases(const Enumeration* e)
{
    int cases = 1;
    for (int i = 0; i < e->scaled.n && cases <= MAX_CASES; i++) {
        cases *= (int)last_state(e, i) - (int)first_state(e, i) + 1;
    }
    return cases <= MAX_CASES ? cases : MAX_CASES + 1;
}

// Go to the next case; the first follows the last.
static void next_case(Enumeration* e)
{
    for (int i = 0; i < e->scaled.n; i++) {
        if (e->state[i] != last_state(e, i)) {
            e->state[i]++;
            return;
        }
        e->state[i] = first_state(e, i);
    }
}

// ---- elimination --------------------------------------------------------------------------------

// row -= c R_r with c such that the pivot coefficient of R_r becomes zero in row
static void eliminate(const Enumeration* e, int r, Affine* row)
{
    const Affine* from = &e->R[r];
    const int p = e->pivot[r];
    if (row->a[p] == 0.0) {
        return;
    }
    const double c = row->a[p] / from->a[p];
    const double size = fabs(c);
    const double c_noise = (row->noise[p] + size * from->noise[p]) / fabs(from->a[p]) + UNIT * size;
    for (int j = 0; j <= e->unknowns; j++) {
        double product = c * from->a[j];
        row->a[j] -= product;
        row->noise[j] += size * from->noise[j] + c_noise * fabs(from->a[j]) +
                         UNIT * (fabs(product) + fabs(row->a[j]));
    }
    row->a[p] = 0.0;
    row->noise[p] = 0.0;
}

// The column of the largest coefficient that is certainly not zero; -1 when there is none.
static int find_pivot(Enumeration* e, const Affine* row)
{
    int p = -1;
    for (int j = 0; j < e->unknowns; j++) {
        const double size = fabs(row->a[j]);
        if (size > PIVOT * row->noise[j]) {
            p = p < 0 || size > fabs(row->a[p]) ? j : p;
        } else if (size > ZERO * row->noise[j]) {
            e->doubt = true;
        }
    }
    return p;
}

// Eliminate the first `rows` rows of R with complete pivoting. The rows behind the first e->rank ones
// have only a constant left.
static void eliminate_block(Enumeration* e, int rows)
{
    for (e->rank = 0; e->rank < rows; e->rank++) {
        const int r = e->rank;
        int best = -1;
        for (int i = r; i < rows; i++) {
            const int p = find_pivot(e, &e->R[i]);
            if (p >= 0 && (best < 0 || fabs(e->R[i].a[p]) > fabs(e->R[best].a[e->pivot[r]]))) {
                best = i;
                e->pivot[r] = p;
            }
        }
        if (best < 0) {
            return;
        }
        const Affine keep = e->R[r];
        e->R[r] = e->R[best];
        e->R[best] = keep;
        for (int i = r + 1; i < rows; i++) {
            eliminate(e, r, &e->R[i]);
        }
    }
}

// Solve the equations, which have full rank, for y. @param error bounds of its rounding errors
static void back_substitute(const Enumeration* e, double* y, double* error)
{
    memset(y, 0, MAX * sizeof *y);
    memset(error, 0, MAX * sizeof *error);
    for (int r = e->rank - 1; r >= 0; r--) {
        const Affine* row = &e->R[r];
        const int p = e->pivot[r];
        double sum = row->a[e->unknowns];
        double noise = row->noise[e->unknowns] + UNIT * fabs(sum);
        for (int j = 0; j < e->unknowns; j++) {
            if (j != p) {
                sum += row->a[j] * y[j];
                noise += (row->noise[j] + MAX * UNIT * fabs(row->a[j])) * fabs(y[j]) +
                         fabs(row->a[j]) * error[j];
            }
        }
        y[p] = -sum / row->a[p];
        error[p] = (noise + row->noise[p] * fabs(y[p])) / fabs(row->a[p]) + UNIT * fabs(y[p]);
    }
}

// Directions in which unknowns without bounds move and M z does not change are lines in every case.
// Fixing one unknown of each line at 0 keeps at least one solution if there is any.
static void pin_lines(Enumeration* e)
{
    // eliminate in the transpose: its rows are the columns of M of unknowns without bounds
    int rows = 0;
    e->unknowns = e->scaled.n;
    for (int j = 0; j < e->scaled.n; j++) {
        e->scaled.pinned[j] = false;
        if (first_state(e, j) == BETWEEN && last_state(e, j) == BETWEEN) {
            Affine row = {{0.0}, {0.0}};
            for (int i = 0; i < e->scaled.n; i++) {
                row.a[i] = e->scaled.M[i][j];
            }
            for (int r = 0; r < rows; r++) {
                eliminate(e, r, &row);
            }
            int p = find_pivot(e, &row);
            if (p >= 0) {
                e->R[rows] = row;
                e->pivot[rows++] = p;
            } else {
                e->scaled.pinned[j] = true;
            }
        }
    }
}

// ---- one case -----------------------------------------------------------------------------------

// Write z and w of the current case as functions of y.
static void express_case(Enumeration* e)
{
    const int n = e->scaled.n;
    e->unknowns = 0;
    for (int i = 0; i < n; i++) {
        bool unknown = e->state[i] == BETWEEN && !e->scaled.pinned[i];
        e->column[i] = unknown ? e->unknowns++ : -1;
        e->weight[i] = 1.0;
        e->constant[i] = e->state[i] == AT_LO   ? e->scaled.lo[i]
                         : e->state[i] == AT_HI ? e->scaled.hi[i]
                                                : 0.0;
    }

    // bounds with a friction index k; unknown k has no friction index itself
    for (int i = 0; i < n; i++) {
        int k = e->scaled.findex[i];
        if (k >= 0 && e->state[i] != BETWEEN) {
            e->column[i] = e->column[k];
            e->weight[i] = e->constant[i];
            e->constant[i] *= e->column[k] < 0 ? e->constant[k] : 0.0;
        }
    }

    for (int i = 0; i < n; i++) {
        Affine* w = &e->w[i];
        memset(w, 0, sizeof *w);
        w->a[e->unknowns] = e->scaled.q[i];
        for (int j = 0; j < n; j++) {
            const bool constant = e->column[j] < 0;
            const int c = constant ? e->unknowns : e->column[j];
            const double factor = constant ? e->constant[j] : e->weight[j];
            const double term = e->scaled.M[i][j] * factor;
            const bool exact = w->a[c] == 0.0 && factor == 1.0;
            w->a[c] += term;
            w->noise[c] += exact || term == 0.0 ? 0.0 : UNIT * (fabs(w->a[c]) + fabs(term));
        }
    }
}

static double at(const Enumeration* e, const Affine* f, const double* y)
{
    double sum = f->a[e->unknowns];
    for (int j = 0; j < e->unknowns; j++) {
        sum += f->a[j] * y[j];
    }
    return sum;
}

// The inequality row >= 0 of unknown i that leads to a later case if it holds as an equation.
static bool upward_inequality(const Enumeration* e, int i, Affine* row)
{
    if (e->state[i] == AT_LO) {
        *row = e->w[i];
        return true;
    }
    if (e->state[i] != BETWEEN || !isfinite(e->scaled.hi[i])) {
        return false;
    }
    const int k = e->scaled.findex[i];
    memset(row, 0, sizeof *row);
    row->a[e->column[i]] = -1.0;
    if (k < 0) {
        row->a[e->unknowns] = e->scaled.hi[i];
    } else if (e->column[k] >= 0) {
        row->a[e->column[k]] += e->scaled.hi[i];
    } else {
        row->a[e->unknowns] = e->scaled.hi[i] * e->constant[k];
    }
    return true;
}

// A point of the current case, in scaled units.
typedef struct Point {
    double y[MAX];
    double z[MAX];
    double w[MAX];
    double z_error[MAX]; // bounds of rounding errors
    double w_error[MAX];
    double size; // largest entry of z, at least 1
} Point;

static void find_point(const Enumeration* e, Point* p)
{
    double error[MAX];
    back_substitute(e, p->y, error);
    p->size = 1.0;
    for (int i = 0; i < e->scaled.n; i++) {
        const int c = e->column[i];
        p->z[i] = c >= 0 ? e->weight[i] * p->y[c] + e->constant[i] : e->constant[i];
        p->z_error[i] = c >= 0 ? fabs(e->weight[i]) * error[c] : 0.0;
        p->size = fmax(p->size, fabs(p->z[i]));

        const Affine* w = &e->w[i];
        p->w[i] = at(e, w, p->y);
        p->w_error[i] = w->noise[e->unknowns] + UNIT * fabs(w->a[e->unknowns]);
        for (int j = 0; j < e->unknowns; j++) {
            p->w_error[i] += (w->noise[j] + MAX * UNIT * fabs(w->a[j])) * fabs(p->y[j]) +
                             fabs(w->a[j]) * error[j];
        }
    }
}

static void bounds_at(const Enumeration* e, int i, const double* z, double* lo, double* hi)
{
    double scale = e->scaled.findex[i] >= 0 ? z[e->scaled.findex[i]] : 1.0;
    *lo = isfinite(e->scaled.lo[i]) ? e->scaled.lo[i] * scale : e->scaled.lo[i];
    *hi = isfinite(e->scaled.hi[i]) ? e->scaled.hi[i] * scale : e->scaled.hi[i];
}

typedef enum Verdict { HOLDS, UNCLEAR, VIOLATED } Verdict;

// Is slack >= 0? @param error bound of its rounding error @param size largest entry of z, >= 1
static Verdict judge_slack(double slack, double error, double size)
{
    if (slack < -(CLEAR * size + BOUND_MARGIN * error)) {
        return VIOLATED;
    }
    return slack < -(NOISE * size + BOUND_MARGIN * error) ? UNCLEAR : HOLDS;
}

static Verdict worse(Verdict a, Verdict b)
{
    return a > b ? a : b;
}

// Does the point satisfy all conditions of the case?
static Verdict judge_case(const Enumeration* e, const Point* p)
{
    Verdict verdict = HOLDS;
    for (int i = 0; i < e->scaled.n && verdict != VIOLATED; i++) {
        double lo, hi;
        bounds_at(e, i, p->z, &lo, &hi);
        const int k = e->scaled.findex[i];
        const double error = p->z_error[i] + (k >= 0 ? p->z_error[k] : 0.0);
        switch (e->state[i]) {
        case AT_LO:
            verdict = worse(verdict, judge_slack(p->w[i], p->w_error[i], p->size));
            break;
        case BETWEEN:
            verdict = worse(verdict, judge_slack(p->z[i] - lo, error, p->size));
            verdict = worse(verdict, judge_slack(hi - p->z[i], error, p->size));
            verdict = worse(verdict, judge_slack(-fabs(p->w[i]), p->w_error[i], p->size));
            break;
        case AT_HI:
            verdict = worse(verdict, judge_slack(-p->w[i], p->w_error[i], p->size));
            break;
        }
    }
    return verdict;
}

// Does the point belong to an earlier case too, or to an inequality that was tried before?
static bool found_before(const Enumeration* e, const Point* p, unsigned tried)
{
    const double near = NOISE * p->size;
    for (int i = 0; i < e->scaled.n; i++) {
        double lo, hi;
        Affine row;
        bounds_at(e, i, p->z, &lo, &hi);
        if ((e->state[i] == BETWEEN && p->z[i] - lo <= near) ||
            (e->state[i] == AT_HI && p->w[i] >= -near) ||
            ((tried >> i & 1u) != 0 && upward_inequality(e, i, &row) &&
             at(e, &row, p->y) <= near)) {
            return true;
        }
    }
    return false;
}

static bool is_stored(const Enumeration* e, const double* z)
{
    for (int s = 0; s < e->count && s < e->room; s++) {
        const double* other = e->Z + (size_t)s * (size_t)e->scaled.n;
        double size = 0.0;
        double distance = 0.0;
        for (int i = 0; i < e->scaled.n; i++) {
            size = fmax(size, fabs(z[i]));
            distance = fmax(distance, fabs(z[i] - other[i]));
        }
        if (distance <= SAME * size) {
            return true;
        }
    }
    return false;
}

// Write z in the units of the problem, moved into its bounds.
static void unscale(const Enumeration* e, const Point* p, double* z)
{
    for (int i = 0; i < e->scaled.n; i++) {
        z[i] = p->z[i] * e->scaled.unit[i];
    }
    ut_lcp_clamp(e->lcp, z);
}

// Test the point at which the equations hold.
static void judge_point(Enumeration* e, unsigned tried)
{
    Point p;
    find_point(e, &p);
    const Verdict verdict = judge_case(e, &p);
    if (verdict == VIOLATED) {
        return;
    }

    double z[MAX] = {0.0};
    unscale(e, &p, z);
    const double residual = ut_lcp_residual(e->lcp, z);
    if (verdict == UNCLEAR || !(residual <= e->tolerance)) {
        e->doubt = true;
        if (residual < e->best_residual) {
            e->best_residual = residual;
            memcpy(e->best, z, sizeof z);
        }
    } else if (e->first_only || (!found_before(e, &p, tried) && !is_stored(e, z))) {
        if (e->count < e->room) {
            memcpy(e->Z + (size_t)e->count * (size_t)e->scaled.n, z,
                   (size_t)e->scaled.n * sizeof *z);
        }
        e->count++;
        e->done = e->first_only;
    }
}

// Turn inequalities of the unknowns from `from` on into equations until one point is left.
// @param tried bit set of the inequalities that earlier branches of the search turned
static void search_corners(Enumeration* e, int from, unsigned tried)
{
    if (e->rank == e->unknowns) {
        judge_point(e, tried);
        return;
    }
    for (int i = from; i < e->scaled.n && !e->done; i++) {
        Affine* row = &e->R[e->rank];
        if (!upward_inequality(e, i, row)) {
            continue;
        }
        for (int r = 0; r < e->rank; r++) {
            eliminate(e, r, row);
        }
        const int p = find_pivot(e, row);
        if (p >= 0) {
            e->pivot[e->rank++] = p;
            search_corners(e, i + 1, tried);
            e->rank--;
            tried |= 1u << i;
        }
    }
}

static void visit_case(Enumeration* e)
{
    express_case(e);
    int rows = 0;
    double size = 1.0;
    for (int i = 0; i < e->scaled.n; i++) {
        if (e->state[i] == BETWEEN) {
            e->R[rows++] = e->w[i];
            size = fmax(size, fabs(e->w[i].a[e->unknowns]));
        }
    }
    eliminate_block(e, rows);

    // equations without unknowns: 0 = constant
    for (int r = e->rank; r < rows; r++) {
        const Affine* row = &e->R[r];
        const double rest = -fabs(row->a[e->unknowns]);
        const Verdict verdict = judge_slack(rest, row->noise[e->unknowns], size);
        if (verdict == VIOLATED) {
            return;
        }
        e->doubt = e->doubt || verdict == UNCLEAR;
    }
    search_corners(e, 0, 0);
}

// ---- solving ------------------------------------------------------------------------------------

static utStatus start(const utLcp* lcp, const utLcpDef* def, utArena* scratch, Enumeration** out,
                      int* cases)
{
    if (lcp->n > MAX) {
        return UT_ERR_ARGUMENT;
    }
    Enumeration* e = UT_PUSH(scratch, Enumeration, 1);
    if (e == NULL) {
        return UT_ERR_CAPACITY;
    }
    memset(e, 0, sizeof *e);
    scale_problem(e, lcp);
    *cases = count_cases(e);
    if (*cases > MAX_CASES) {
        return UT_ERR_ARGUMENT;
    }
    e->tolerance = def->tolerance;
    e->best_residual = HUGE_VAL;
    for (int i = 0; i < e->scaled.n; i++) {
        e->state[i] = first_state(e, i);
    }
    pin_lines(e);
    *out = e;
    return UT_OK;
}

utStatus ut_lcp_enumerate(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                          utLcpInfo* info)
{
    int cases;
    Enumeration* e;
    UT_TRY(start(lcp, def, &scratch, &e, &cases));
    double found[MAX] = {0.0};
    e->first_only = true;
    e->room = 1;
    e->Z = found;

    const int limit = def->max_iterations > 0 ? def->max_iterations : cases;
    int visited = 0;
    for (; visited < cases && visited < limit && !e->done; visited++) {
        visit_case(e);
        next_case(e);
    }

    // an uncertain point may still be a solution within the tolerance; a proof needs all cases
    info->iterations = visited;
    info->factorizations = 0;
    const double* answer = NULL;
    if (e->count > 0) {
        info->outcome = UT_LCP_SOLVED;
        answer = found;
    } else if (e->best_residual <= e->tolerance) {
        info->outcome = UT_LCP_SOLVED;
        answer = e->best;
    } else if (e->doubt || visited < cases) {
        info->outcome = UT_LCP_ITERATIONS;
        answer = isfinite(e->best_residual) ? e->best : NULL;
    } else {
        info->outcome = UT_LCP_NONE;
    }
    for (int i = 0; i < lcp->n; i++) {
        z[i] = answer != NULL ? answer[i] : 0.0;
    }
    return UT_OK;
}

utStatus ut_lcp_all(const utLcp* lcp, const utLcpDef* def, utArena scratch, int room, double* Z,
                    int* count)
{
    UT_TRY(ut_lcp_check(lcp, NULL));
    if (room < 0 || (room > 0 && Z == NULL) || count == NULL) {
        return UT_ERR_ARGUMENT;
    }
    if (def == NULL || def->cookie != UT_LCP_DEF_COOKIE || !(def->tolerance > 0.0)) {
        return UT_ERR_DEF;
    }
    int cases;
    Enumeration* e;
    UT_TRY(start(lcp, def, &scratch, &e, &cases));
    e->room = room;
    e->Z = Z;
    for (int visited = 0; visited < cases; visited++) {
        visit_case(e);
        next_case(e);
    }
    *count = e->count;
    return UT_OK;
}
