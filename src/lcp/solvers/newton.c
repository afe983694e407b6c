// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton on the natural map, and on its smoothing where that fails.
//
// z solves the problem when F(z) = z - clamp(z - w, lo, hi) is zero. Two kinds of steps use one
// scaled copy of the problem, in which rows, columns and q are of order one:
//
//   Active set. F is piecewise linear. The clamp at z decides which unknowns are at lo, at hi or in
//     between. A Newton step puts the first two on their bounds and solves w_i = 0 for the unknowns
//     in between, with one factorization of their block. A few full steps give the solution from a
//     good start, and for most symmetric positive definite problems from any start.
//
//   Smoothed. With max(x, lo) replaced by (x + lo + sqrt((x - lo)^2 + 4 mu^2)) / 2, and min alike,
//     F becomes smooth, and for z >= 0 its zeros are the central path z_i w_i = mu^2 (Chen, Harker,
//     Kanzow, Smale). A multiple of the unit matrix that vanishes with mu is added to M, because
//     the path then exists for every P0-matrix, redundant contacts included. Newton steps with a
//     line search on |H| stay near the path while mu shrinks. When the active set stays the same
//     along the path, active-set steps follow.
//
// For problems that are not monotone, such as friction, the path may turn back. Then it is started
// again with other weights of z, w and the regularisation. To a singular block a small multiple of
// the unit matrix is added, and refinement removes the error.
//
// Letters: eps is what is added to M's diagonal, d the direction of a step, H the smoothed F.
#include "lcp/internal.h"

#include "la/dense/dense.h"
#include "la/dense/kernel.h"
#include "la/scalar.h"
#include "lcp/equilibrate.h"

#include <string.h>

enum {
    DEFAULT_STEPS = 100,
    MAX_IDLE_STEPS = 5,         // active-set steps without progress from the start
    MAX_IDLE_STEPS_ON_PATH = 2, // and from a point of the path
    MAX_STEPS_PER_POINT = 25,   // smoothed steps for one point of the path
    MAX_HALVINGS = 14,          // of the line search
};

// in the scaled problem, whose entries are of order one
static const double SINGULAR = 1e-12;          // a pivot of a block up to here is rounding
static const double SINGULAR_JACOBIAN = 1e-14; // the same for the smoothed Jacobian
static const double PROMISING = 1e-8;          // compute the residual when |F| is below this
static const double LATE_POINT = 1e-6;  // below this m every point of the path is tried as an end
static const double LAST_POINT = 1e-13; // the path ends at this m, where mu is rounding
static const double ARMIJO = 1e-4;      // a step t must reduce |H| by this share of t

enum { AT_LO, BETWEEN, AT_HI, UNSOLVED };

// The problem scaled by powers of two.
typedef struct ScaledProblem {
    double* M;
    double* q;
    double* lo;
    double* hi;
    int* findex;
    double* unit; // z_i over the scaled unknown
    double* rate; // the scaled slack over w_i
} ScaledProblem;

// The block of the unknowns in between, or the Jacobian of the smoothed map.
typedef struct FactoredBlock {
    double* A;
    int* perm;
    int count;     // order of the block
    int* active;   // the unknown of each of its rows
    int* position; // the row of each unknown, -1 for none
    double shift;  // added to its diagonal
} FactoredBlock;

typedef struct Newton {
    const utLcp* lcp;
    double tolerance;
    int n;
    ScaledProblem scaled;
    FactoredBlock block;

    // the iterate
    double* z;
    double* w;
    unsigned char* state;  // AT_LO, BETWEEN or AT_HI for each unknown
    unsigned char* solved; // states of the factored block
    unsigned char* guess;  // states at the last point of the path
    int steps;
    int limit;
    int factorizations;

    double* right; // work: a right-hand side
    double* d;
    double* Md;
    double* trial_z;
    double* trial_w;
    double* point; // the last point of the path
    double* best;  // the iterate with the least |F|
    double best_distance;
    double* answer; // the caller's z
} Newton;

// ---- memory and scaling -------------------------------------------------------------------------

static utStatus take_memory(Newton* s, utArena* scratch)
{
    double** vectors[] = {&s->scaled.q,    &s->scaled.lo, &s->scaled.hi, &s->scaled.unit,
                          &s->scaled.rate, &s->z,         &s->w,         &s->right,
                          &s->d,           &s->Md,        &s->trial_z,   &s->trial_w,
                          &s->point,       &s->best};
    int** indices[] = {&s->scaled.findex, &s->block.perm, &s->block.active, &s->block.position};
    unsigned char** flags[] = {&s->state, &s->solved, &s->guess};

    const int n = s->n;
    s->scaled.M = ut_matrix_push(scratch, n, n);
    s->block.A = ut_matrix_push(scratch, n, n);
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        *vectors[v] = UT_PUSH(scratch, double, n);
    }
    for (size_t v = 0; v < sizeof indices / sizeof *indices; v++) {
        *indices[v] = UT_PUSH(scratch, int, n);
    }
    for (size_t v = 0; v < sizeof flags / sizeof *flags; v++) {
        *flags[v] = UT_PUSH(scratch, unsigned char, n);
    }
    return ut_arena_failed(scratch) ? UT_ERR_CAPACITY : UT_OK;
}

static const double* matrix_row(const Newton* s, int i)
{
    return s->scaled.M + (size_t)i * (size_t)s->n;
}

static void scale_problem(Newton* s)
{
    const utLcp* lcp = s->lcp;
    const int n = s->n;
    double* row = s->d;
    double* col = s->right;
    ut_scale_find(n, lcp->M, row, col, s->w);

    double q_size = 0.0;
    for (int i = 0; i < n; i++) {
        q_size = fmax(q_size, fabs(row[i] * lcp->q[i]));
    }
    const double length = ut_scale_power_of_two(q_size);

    for (int i = 0; i < n; i++) {
        const double* from = ut_lcp_row(lcp, i);
        double* to = s->scaled.M + (size_t)i * (size_t)n;
        for (int j = 0; j < n; j++) {
            to[j] = row[i] * from[j] * col[j];
        }
        s->scaled.rate[i] = row[i] / length;
        s->scaled.unit[i] = col[i] * length;
        s->scaled.q[i] = s->scaled.rate[i] * lcp->q[i];

        bool is_free = i < lcp->free_count;
        int k = lcp->findex != NULL && !is_free ? lcp->findex[i] : -1;
        double unit = k >= 0 ? col[i] / col[k] : s->scaled.unit[i];
        s->scaled.findex[i] = k;
        s->scaled.lo[i] = is_free ? -HUGE_VAL : lcp->lo != NULL ? lcp->lo[i] / unit : 0.0;
        s->scaled.hi[i] = is_free || lcp->hi == NULL ? HUGE_VAL : lcp->hi[i] / unit;
    }
}

// ---- the natural map ----------------------------------------------------------------------------

static void bounds_at(const Newton* s, int i, const double* z, double* lo, double* hi)
{
    *lo = s->scaled.lo[i];
    *hi = s->scaled.hi[i];
    if (s->scaled.findex[i] >= 0) {
        double scale = fmax(z[s->scaled.findex[i]], 0.0);
        *lo = isfinite(*lo) ? *lo * scale : *lo;
        *hi = isfinite(*hi) ? *hi * scale : *hi;
    }
}

// w = M z + q
static void find_slack(Newton* s)
{
    for (int i = 0; i < s->n; i++) {
        s->w[i] = ut_dot(s->n, matrix_row(s, i), s->z) + s->scaled.q[i];
    }
}

// The largest |entry| of F, HUGE_VAL when one is not finite. Keeps the iterate with the least.
static double find_distance(Newton* s)
{
    double worst = 0.0;
    for (int i = 0; i < s->n; i++) {
        double lo, hi;
        bounds_at(s, i, s->z, &lo, &hi);
        double x = s->z[i] - s->w[i];
        double distance = fabs(s->z[i] - ut_clamp(x, lo, hi));
        if (!(distance < HUGE_VAL)) {
            return HUGE_VAL;
        }
        worst = fmax(worst, distance);
    }
    if (worst < s->best_distance) {
        s->best_distance = worst;
        memcpy(s->best, s->z, (size_t)s->n * sizeof *s->z);
    }
    return worst;
}

// The state of each unknown: the side of the clamp of z - gain w.
static void find_states(Newton* s, double gain)
{
    for (int i = 0; i < s->n; i++) {
        double lo, hi;
        bounds_at(s, i, s->z, &lo, &hi);
        double x = s->z[i] - gain * s->w[i];
        s->state[i] = x < lo ? AT_LO : x > hi ? AT_HI : BETWEEN;
    }
}

// Write z in the units of the problem, moved into its bounds.
static void write_answer(const Newton* s, const double* z)
{
    double* out = s->answer;
    for (int i = 0; i < s->n; i++) {
        out[i] = z[i] * s->scaled.unit[i];
        out[i] = isfinite(out[i]) ? out[i] : 0.0;
    }
    ut_lcp_clamp(s->lcp, out);
}

static bool is_solved(const Newton* s)
{
    write_answer(s, s->z);
    return ut_lcp_residual(s->lcp, s->answer) <= s->tolerance;
}

// ---- active-set steps ---------------------------------------------------------------------------

static double bound_of(const Newton* s, int i)
{
    return s->state[i] == AT_LO ? s->scaled.lo[i] : s->scaled.hi[i];
}

// Put the unknowns that are not in between on their bounds; those with a friction index come last.
static void put_on_bounds(Newton* s)
{
    for (int i = 0; i < s->n; i++) {
        if (s->state[i] != BETWEEN && s->scaled.findex[i] < 0) {
            s->z[i] = bound_of(s, i);
        }
    }
    for (int i = 0; i < s->n; i++) {
        if (s->state[i] != BETWEEN && s->scaled.findex[i] >= 0) {
            s->z[i] = bound_of(s, i) * s->z[s->scaled.findex[i]];
        }
    }
}

// Write the block: the derivatives of the slacks of the unknowns in between by these unknowns. An
// unknown at a bound b z_k follows z_k.
static void build_block(Newton* s)
{
    const int m = s->block.count;
    for (int a = 0; a < m; a++) {
        const double* row = matrix_row(s, s->block.active[a]);
        double* out = s->block.A + (size_t)a * (size_t)m;
        for (int b = 0; b < m; b++) {
            out[b] = row[s->block.active[b]];
        }
        for (int i = 0; i < s->n; i++) {
            int k = s->scaled.findex[i];
            if (k >= 0 && s->state[i] != BETWEEN && s->block.position[k] >= 0) {
                out[s->block.position[k]] += bound_of(s, i) * row[i];
            }
        }
        out[a] += s->block.shift;
    }
}

// Factor the block. If it is singular, add an increasing shift to its diagonal.
static bool factor_block(Newton* s)
{
    static const double shifts[] = {0.0, 1e-8, 1e-6, 1e-4};
    s->block.count = 0;
    for (int i = 0; i < s->n; i++) {
        s->block.position[i] = -1;
        if (s->state[i] == BETWEEN) {
            s->block.active[s->block.count] = i;
            s->block.position[i] = s->block.count++;
        }
    }
    for (size_t t = 0; t < sizeof shifts / sizeof *shifts; t++) {
        s->block.shift = shifts[t];
        if (s->block.count == 0) {
            return true;
        }
        build_block(s);
        s->factorizations++;
        if (ut_lu_factor(s->block.count, s->block.A, s->block.count, s->block.perm, SINGULAR) ==
            s->block.count) {
            return true;
        }
    }
    return false;
}

// Move the unknowns in between so that their slacks vanish (approximately, if there is a shift).
static void correct(Newton* s)
{
    for (int a = 0; a < s->block.count; a++) {
        s->right[a] = -s->w[s->block.active[a]];
    }
    if (s->block.count > 0) {
        ut_lu_solve(s->block.count, s->block.A, s->block.count, s->block.perm, s->right, s->d);
    }
    for (int a = 0; a < s->block.count; a++) {
        s->z[s->block.active[a]] += s->d[a];
    }
    put_on_bounds(s);
}

// A full Newton step on F.
static bool solve_states(Newton* s)
{
    s->steps++;
    put_on_bounds(s);
    find_slack(s);
    if (!factor_block(s)) {
        return false;
    }
    memcpy(s->solved, s->state, (size_t)s->n);

    // the second pass reduces rounding, two more reduce the effect of the shift
    const int passes = s->block.shift > 0.0 ? 4 : 2;
    for (int pass = 0; pass < passes; pass++) {
        correct(s);
        find_slack(s);
    }
    return true;
}

// The states repeat, so the rest is rounding: refine with slacks in twice the precision.
static bool polish(Newton* s)
{
    for (int pass = 0; pass < 2; pass++) {
        if (is_solved(s)) {
            return true;
        }
        for (int i = 0; i < s->n; i++) {
            s->answer[i] = s->z[i] * s->scaled.unit[i];
        }
        ut_lcp_slack(s->lcp, s->answer, s->w);
        for (int i = 0; i < s->n; i++) {
            s->w[i] *= s->scaled.rate[i];
        }
        correct(s);
    }
    return is_solved(s);
}

// Active-set steps from z until the problem is solved, the states repeat, or max_idle steps in a row
// make no progress.
// @return whether the answer is written
static bool active_set_steps(Newton* s, int max_idle)
{
    double least = find_distance(s);
    memset(s->solved, UNSOLVED, (size_t)s->n);
    for (int idle = 0; idle < max_idle && s->steps < s->limit;) {
        find_states(s, 1.0);
        if (memcmp(s->state, s->solved, (size_t)s->n) == 0) {
            return polish(s);
        }
        if (!solve_states(s)) {
            return false;
        }
        double distance = find_distance(s);
        if (distance <= PROMISING && is_solved(s)) {
            return true;
        }
        if (!(distance < HUGE_VAL)) {
            return false;
        }
        idle = distance < least ? 0 : idle + 1;
        least = fmin(least, distance);
    }
    return false;
}

// ---- smoothed steps -----------------------------------------------------------------------------

// H(z) = z - smoothed clamp(z - gain (w + eps z), lo, hi)
typedef struct Smoothing {
    double mu;
    double eps;
    double gain; // weight of w against z
} Smoothing;

// The smoothed clamp of x for unknown i, and its derivatives by x and by z_k.
typedef struct Clamp {
    double value;
    double by_x;
    double by_k;
} Clamp;

static Clamp smooth_clamp(const Newton* s, const Smoothing* h, int i, const double* z, double w)
{
    const double x = z[i] - h->gain * (w + h->eps * z[i]);
    const double corner = 4.0 * h->mu * h->mu;

    // a friction index multiplies by the smoothed max(z_k, 0)
    const int k = s->scaled.findex[i];
    double scale = 1.0;
    double slope = 0.0;
    if (k >= 0) {
        double root = sqrt(z[k] * z[k] + corner);
        scale = 0.5 * (z[k] + root);
        slope = 0.5 * (1.0 + z[k] / root);
    }

    Clamp c = {x, 1.0, 0.0};
    if (isfinite(s->scaled.lo[i])) {
        double over = x - s->scaled.lo[i] * scale;
        double root = sqrt(over * over + corner);
        double share = 0.5 * (1.0 - over / root); // 1 far below the bound, 0 far above
        c.value += 0.5 * (root - over);
        c.by_x -= share;
        c.by_k += share * slope * s->scaled.lo[i];
    }
    if (isfinite(s->scaled.hi[i])) {
        double over = x - s->scaled.hi[i] * scale;
        double root = sqrt(over * over + corner);
        double share = 0.5 * (1.0 + over / root);
        c.value -= 0.5 * (root + over);
        c.by_x -= share;
        c.by_k += share * slope * s->scaled.hi[i];
    }
    return c;
}

// |H|, and -H in `right` when it is not NULL
static double smooth_norm(const Newton* s, const Smoothing* h, const double* z, const double* w,
                          double* right)
{
    double sum = 0.0;
    for (int i = 0; i < s->n; i++) {
        double entry = z[i] - smooth_clamp(s, h, i, z, w[i]).value;
        sum += entry * entry;
        if (right != NULL) {
            right[i] = -entry;
        }
    }
    return sum < HUGE_VAL ? sqrt(sum) : HUGE_VAL;
}

// The derivative of H into A, with `shift` on its diagonal.
static void build_jacobian(Newton* s, const Smoothing* h, double shift)
{
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        const Clamp c = smooth_clamp(s, h, i, s->z, s->w[i]);
        const double* row = matrix_row(s, i);
        const double weight = c.by_x * h->gain;
        double* out = s->block.A + (size_t)i * (size_t)n;
        for (int j = 0; j < n; j++) {
            out[j] = weight * row[j];
        }
        out[i] += 1.0 - c.by_x + weight * h->eps + shift;
        if (s->scaled.findex[i] >= 0) {
            out[s->scaled.findex[i]] -= c.by_k;
        }
    }
}

static bool factor_jacobian(Newton* s, const Smoothing* h)
{
    static const double shifts[] = {0.0, 1e-8, 1e-6, 1e-4, 1e-2};
    for (size_t t = 0; t < sizeof shifts / sizeof *shifts; t++) {
        build_jacobian(s, h, shifts[t]);
        s->factorizations++;
        if (ut_lu_factor(s->n, s->block.A, s->n, s->block.perm, SINGULAR_JACOBIAN) == s->n) {
            return true;
        }
    }
    return false;
}

// One Newton step on H with a line search. @return the new |H|, HUGE_VAL when there is no step
static double smooth_step(Newton* s, const Smoothing* h)
{
    const int n = s->n;
    s->steps++;
    const double norm = smooth_norm(s, h, s->z, s->w, s->right);
    if (!factor_jacobian(s, h)) {
        return HUGE_VAL;
    }
    ut_lu_solve(n, s->block.A, n, s->block.perm, s->right, s->d);
    for (int i = 0; i < n; i++) {
        s->Md[i] = ut_dot(n, matrix_row(s, i), s->d);
    }

    double t = 1.0;
    for (int halving = 0; halving < MAX_HALVINGS; halving++, t *= 0.5) {
        for (int i = 0; i < n; i++) {
            s->trial_z[i] = s->z[i] + t * s->d[i];
            s->trial_w[i] = s->w[i] + t * s->Md[i];
        }
        double next = smooth_norm(s, h, s->trial_z, s->trial_w, NULL);
        if (next <= (1.0 - ARMIJO * t) * norm) {
            memcpy(s->z, s->trial_z, (size_t)n * sizeof *s->z);
            memcpy(s->w, s->trial_w, (size_t)n * sizeof *s->w);
            return next;
        }
    }
    return HUGE_VAL;
}

// Parameters of a path. m shrinks from 1 to 0, mu = gain m and eps = (linear m + square m^2) / gain.
typedef struct Plan {
    double shrink; // factor of m from point to point
    double linear;
    double square;
    double gain;
} Plan;

// Try active-set steps from the current point of the path. z stays at the point if they fail.
// @return whether the answer is written
static bool try_end(Newton* s)
{
    const size_t size = (size_t)s->n * sizeof *s->z;
    memcpy(s->point, s->z, size);
    if (active_set_steps(s, MAX_IDLE_STEPS_ON_PATH)) {
        return true;
    }
    memcpy(s->z, s->point, size);
    find_slack(s);
    return false;
}

// Follow the path from its beginning. @return whether the answer is written
static bool follow_path(Newton* s, const Plan* plan)
{
    memset(s->z, 0, (size_t)s->n * sizeof *s->z);
    find_slack(s);
    memset(s->guess, UNSOLVED, (size_t)s->n);

    int tries = 0;
    for (double m = 1.0; m > LAST_POINT && s->steps < s->limit;) {
        const Smoothing h = {
            .mu = plan->gain * m,
            .eps = (plan->linear * m + plan->square * m * m) / plan->gain,
            .gain = plan->gain,
        };
        const double norm = smooth_step(s, &h);
        if (!(norm < HUGE_VAL) || ++tries > MAX_STEPS_PER_POINT) {
            return false;
        }
        if (norm > h.mu * sqrt((double)s->n)) {
            continue;
        }

        // close to the path: if the states stay the same the end may be near
        find_states(s, plan->gain);
        bool same = memcmp(s->guess, s->state, (size_t)s->n) == 0;
        memcpy(s->guess, s->state, (size_t)s->n);
        if ((same || m < LATE_POINT) && try_end(s)) {
            return true;
        }
        m *= plan->shrink;
        tries = 0;
    }
    return false;
}

// ---- solving ------------------------------------------------------------------------------------

static bool search(Newton* s)
{
    // the first path solves nearly all problems; the others differ from it widely
    static const Plan plans[] = {
        {0.3, 0.1, 0.0, 1.0},   {0.3, 0.0, 1.0, 8.0},  {0.3, 0.1, 0.0, 0.125},
        {0.5, 0.01, 0.0, 64.0}, {0.3, 0.1, 0.0, 0.01}, {0.3, 0.3, 0.0, 1000.0},
    };
    bool solved = active_set_steps(s, MAX_IDLE_STEPS);
    for (size_t p = 0; p < sizeof plans / sizeof *plans && !solved && s->steps < s->limit; p++) {
        solved = follow_path(s, &plans[p]);
    }
    return solved;
}

utStatus ut_lcp_newton(const utLcp* lcp, const utLcpDef* def, utArena scratch, double* z,
                       utLcpInfo* info)
{
    Newton s = {
        .lcp = lcp,
        .tolerance = def->tolerance,
        .n = lcp->n,
        .limit = def->max_iterations > 0 ? def->max_iterations : DEFAULT_STEPS,
        .best_distance = HUGE_VAL,
        .answer = z,
    };
    UT_TRY(take_memory(&s, &scratch));
    scale_problem(&s);
    for (int i = 0; i < s.n; i++) {
        s.z[i] = def->warm_start ? z[i] / s.scaled.unit[i] : 0.0;
        s.best[i] = s.z[i];
    }
    find_slack(&s);

    bool solved = search(&s);
    if (!solved) {
        write_answer(&s, s.best);
    }
    info->outcome = solved ? UT_LCP_SOLVED : UT_LCP_ITERATIONS;
    info->iterations = s.steps;
    info->factorizations = s.factorizations;
    return UT_OK;
}
