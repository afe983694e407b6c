// SPDX-License-Identifier: Apache-2.0
// The judge: how far r is from the law, computed from r alone (docs/certificate.md).
//
// Strictly IEEE code that shares only the law with the solvers. With A = W, or J M^-1 J',
//
//     m_i = rows / tr(A_ii)                      effective mass of contact i, without rows of angular
//                                                velocity that have no friction
//     e_i = |r_i - P_K(r_i - m_i û_i)| / m_i     its error, dist(û_i, K*) where nothing can move
//     V   = the largest |q_i| of the contacts that would close or have an impulse and of the
//           bilateral rows, at least the problem's `speed`. q is the velocity without impulses.
//           Nothing else bounds V from below, so that a problem may be in any units
#include <string.h>

#include "coulomb/tolerances.h"
#include "judge.h"
#include "la/accurate.h"
#include "la/dense/kernel.h"
#include "la/scalar.h"

// ---- numbers that are not finite ----------------------------------------------------------------

static bool blocks_finite(const utCoulomb* problem)
{
    const utCoulombBlocks* blocks = problem->blocks;
    return ut_all_finite(ut_mass_entries(blocks), blocks->M) &&
           ut_all_finite(ut_jacobian_entries(problem), blocks->J);
}

static bool problem_finite(const utCoulomb* problem)
{
    const size_t N = (size_t)ut_coulomb_rows(problem);
    const size_t dof = (size_t)problem->dof;
    if (!ut_all_finite((size_t)problem->contacts, problem->mu) ||
        !(problem->torsional == NULL ||
          ut_all_finite((size_t)problem->contacts, problem->torsional)) ||
        !(problem->rolling == NULL || ut_all_finite((size_t)problem->contacts, problem->rolling))) {
        return false;
    }
    if (problem->W != NULL) {
        const size_t size = problem->W_start != NULL ? (size_t)problem->W_start[N] : N * N;
        return ut_all_finite(size, problem->W) && ut_all_finite(N, problem->q);
    }
    return ut_all_finite(dof, problem->f) && ut_all_finite(N, problem->b) &&
           (problem->blocks != NULL
                ? blocks_finite(problem)
                : ut_all_finite(dof * dof, problem->M) && ut_all_finite(N * dof, problem->J));
}

// The verdict on impulses or problems that are not finite.
static utCoulombVerdict infinite_verdict(const utCoulomb* problem, const double* r)
{
    int contact = -1;
    for (int i = problem->contacts - 1; i >= 0; i--) {
        const int d = problem->dimension;
        contact = ut_all_finite((size_t)d, r + (size_t)i * (size_t)d) ? contact : i;
    }
    return (utCoulombVerdict){HUGE_VAL, HUGE_VAL, contact,  HUGE_VAL,
                              HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
}

// ---- velocities of the local form ---------------------------------------------------------------

// u = W r + q for W in rows. @param x N entries, work
static void multiply_rows(const utCoulomb* problem, const double* r, double* x, double* u)
{
    for (int k = 0; k < ut_coulomb_rows(problem); k++) {
        const int start = problem->W_start[k];
        const int count = problem->W_start[k + 1] - start;
        for (int j = 0; j < count; j++) {
            x[j] = r[problem->W_column[start + j]];
        }
        ut_rows_accurate(1, count, problem->W + start, count, x, problem->q + k, u + k);
    }
}

static void find_local_motion(const utCoulomb* problem, const double* r, Motion* motion)
{
    const int N = ut_coulomb_rows(problem);
    if (problem->W_start != NULL) {
        multiply_rows(problem, r, motion->q, motion->u);
    } else {
        ut_rows_accurate(N, N, problem->W, N, r, problem->q, motion->u);
    }
    memcpy(motion->q, problem->q, (size_t)N * sizeof *motion->q);
}

static void find_local_traces(const utCoulomb* problem, Motion* motion)
{
    const int d = problem->dimension;
    for (int i = 0; i < problem->contacts; i++) {
        motion->trace[i] = 0.0;
        for (int k = 0; k < d; k++) {
            if (ut_coulomb_row_acts(problem, i, k)) {
                motion->trace[i] += ut_coulomb_diagonal(problem, d * i + k);
            }
        }
    }
    for (int j = 0; j < problem->bilaterals; j++) {
        motion->trace[problem->contacts + j] =
            ut_coulomb_diagonal(problem, d * problem->contacts + j);
    }
}

// ---- the verdict --------------------------------------------------------------------------------

// The velocity scale V.
static double find_scale(const utCoulomb* problem, const double* r, const Motion* motion)
{
    const double* q = motion->q;
    const double* trace = motion->trace + problem->contacts;
    const int d = problem->dimension;
    double V = problem->speed;
    for (int i = 0; i < problem->contacts; i++) {
        const double* q_i = q + (size_t)i * (size_t)d;
        const double* r_i = r + (size_t)i * (size_t)d;
        if (q_i[0] < 0.0 || ut_coulomb_loaded(d, r_i)) {
            V = ut_larger(V, ut_coulomb_length(d, q_i));
        }
    }
    for (int j = 0; j < problem->bilaterals; j++) {
        const int row = d * problem->contacts + j;
        if (ut_coulomb_row_counts(problem, j, 1.0 / trace[j], q[row], r[row])) {
            V = ut_larger(V, fabs(q[row]));
        }
    }
    return V == 0.0 ? UT_LEAST_SPEED : V;
}

// The largest trace, at least 0.
static double largest_trace(int n, const double* trace)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = ut_larger(largest, trace[i]);
    }
    return largest;
}

// The residual that the public collections use: the natural map with a step of 1 of all contacts
// together, over |q|.
static double find_relative(const utCoulomb* problem, bool convex, const double* r,
                            const Motion* motion)
{
    const int d = problem->dimension;
    const int N = ut_coulomb_rows(problem);
    double square = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        const utLaw law = ut_coulomb_law(problem, i, convex);
        const size_t at = (size_t)i * (size_t)d;
        const double e = ut_law_error(&law, 1.0, r + at, motion->u + at);
        square += e * e;
    }
    for (int j = 0; j < problem->bilaterals; j++) {
        const int row = d * problem->contacts + j;
        const double e = ut_law_row_error(1.0, ut_coulomb_low(problem, j),
                                          ut_coulomb_high(problem, j), r[row], motion->u[row]);
        square += e * e;
    }
    const double size = ut_coulomb_length(N, motion->q);
    return sqrt(square) / (size > 0.0 ? size : 1.0);
}

// The scalar rows: rows without bounds must have u = 0; bounded rows have errors like contacts.
static void judge_rows(const utCoulomb* problem, const double* r, const Motion* motion,
                       utCoulombVerdict* verdict)
{
    const double* trace = motion->trace + problem->contacts;
    const double largest = largest_trace(problem->bilaterals, trace);
    for (int j = 0; j < problem->bilaterals; j++) {
        const int row = problem->dimension * problem->contacts + j;
        const double u = motion->u[row];
        if (!ut_coulomb_bounded(problem, j)) {
            verdict->bilateral = ut_larger(verdict->bilateral, fabs(u) / verdict->V);
            continue;
        }
        const bool moves = trace[j] > UT_IMMOVABLE * largest;
        const double m = moves ? 1.0 / trace[j] : largest > 0.0 ? 1.0 / largest : 1.0;
        const double low = ut_coulomb_low(problem, j);
        const double high = ut_coulomb_high(problem, j);
        const double e = ut_law_row_error(m, low, high, r[row], u);
        if (verdict->contact < 0 || !(e <= verdict->e)) {
            verdict->e = e;
            verdict->contact = problem->contacts + j;
        }
        const double beyond = fmax(low - r[row], r[row] - high);
        if (beyond > 0.0) {
            verdict->cone = ut_larger(verdict->cone, beyond / (m * verdict->V));
        }
    }
}

// The mass with which the error of contact i is measured. An immovable contact takes the least mass of
// the problem. @param largest trace
static double find_mass(const utCoulomb* problem, int i, double trace, double largest)
{
    const int rows = ut_coulomb_acting_rows(problem, i);
    return trace > UT_IMMOVABLE * largest ? rows / trace : largest > 0.0 ? rows / largest : 1.0;
}

// The largest error of a contact under the circular law, for problems with polygons.
static double find_gap(const utCoulomb* problem, const double* r, const Motion* motion)
{
    const utSection circle = ut_section_circle();
    const double largest = largest_trace(problem->contacts, motion->trace);
    double gap = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        const utLaw round = {.section = &circle, .mu = problem->mu[i]};
        const size_t at = (size_t)i * (size_t)problem->dimension;
        const bool moves = motion->trace[i] > UT_IMMOVABLE * largest;
        const double m = find_mass(problem, i, motion->trace[i], largest);
        gap = ut_larger(gap, moves ? ut_law_error(&round, m, r + at, motion->u + at)
                                   : ut_law_error_degenerate(&round, motion->u + at));
    }
    return gap;
}

// @param V the velocity scale
static utCoulombVerdict judge_motion(const Judge* judge, bool convex, const double* r, double V)
{
    const utCoulomb* problem = judge->problem;
    const Motion* motion = &judge->motion;
    const int d = problem->dimension;
    const double largest = largest_trace(problem->contacts, motion->trace);
    utCoulombVerdict verdict = {.contact = -1, .V = V};
    for (int i = 0; i < problem->contacts; i++) {
        const utLaw law = ut_coulomb_law(problem, i, convex);
        const double* r_i = r + (size_t)i * (size_t)d;
        const double* u_i = motion->u + (size_t)i * (size_t)d;

        const bool moves = motion->trace[i] > UT_IMMOVABLE * largest;
        const double m = find_mass(problem, i, motion->trace[i], largest);
        const double e =
            moves ? ut_law_error(&law, m, r_i, u_i) : ut_law_error_degenerate(&law, u_i);
        if (verdict.contact < 0 || !(e <= verdict.e)) {
            verdict.e = e;
            verdict.contact = i;
        }
        verdict.cone = ut_larger(verdict.cone, ut_law_violation(&law, m, verdict.V, r_i));
    }
    judge_rows(problem, r, motion, &verdict);
    verdict.E = verdict.e / verdict.V;
    if (ut_coulomb_polygonal(problem)) {
        const double gap = find_gap(problem, r, motion);
        verdict.model_gap = gap / verdict.V;
    }
    verdict.relative = judge->brief ? 0.0 : find_relative(problem, convex, r, motion);
    return verdict;
}

// ---- verdicts -----------------------------------------------------------------------------------

// @param finite are all numbers of the problem finite?
static utStatus create(const utCoulomb* problem, bool finite, utArena* arena, Judge* judge)
{
    const size_t N = (size_t)ut_coulomb_rows(problem);
    const size_t groups = (size_t)problem->contacts + (size_t)problem->bilaterals;
    Motion* motion = &judge->motion;
    *judge = (Judge){.problem = problem};
    motion->u = UT_PUSH(arena, double, N);
    motion->q = UT_PUSH(arena, double, N);
    motion->trace = UT_PUSH(arena, double, groups);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    judge->finite = finite;
    if (judge->finite && problem->W != NULL) {
        find_local_traces(problem, motion);
    } else if (judge->finite) {
        UT_TRY(ut_judge_masses(problem, arena, motion, &judge->finite));
    }
    const double* q = problem->W != NULL ? problem->q : motion->q;
    judge->finite = judge->finite && ut_all_finite(groups, motion->trace) && ut_all_finite(N, q);
    return UT_OK;
}

utStatus ut_judge_create(const utCoulomb* problem, utArena* arena, Judge* judge)
{
    return create(problem, problem_finite(problem), arena, judge);
}

utStatus ut_judge_create_checked(const utCoulomb* problem, bool brief, utArena* arena, Judge* judge)
{
    UT_TRY(create(problem, true, arena, judge));
    judge->brief = brief;
    return UT_OK;
}

// Find the motion of impulses r, and V. @param rounding of velocities over V that does not matter
// @return false where a number is not finite
static bool find_motion(Judge* judge, const double* r, double rounding, double* V)
{
    const utCoulomb* problem = judge->problem;
    const size_t N = (size_t)ut_coulomb_rows(problem);
    Motion* motion = &judge->motion;
    if (!judge->finite || !ut_all_finite(N, r)) {
        return false;
    }
    bool changed = true; // q
    if (problem->W != NULL) {
        find_local_motion(problem, r, motion);
    } else {
        *V = find_scale(problem, r, motion);
        changed = ut_judge_motion(problem, r, rounding * *V, motion);
    }
    if (!ut_all_finite(N, motion->u) || (changed && !ut_all_finite(N, motion->q))) {
        return false;
    }
    *V = changed ? find_scale(problem, r, motion) : *V;
    return true;
}

// E may be wrong by this: a ten-thousandth of the usual tolerance, and a hundredth of the error at which
// a warm start is taken.
static const double VERDICT_ROUNDING = 1e-12;

utCoulombVerdict ut_judge_verdict(Judge* judge, bool convex, const double* r)
{
    utCoulombVerdict verdict = {.V = HUGE_VAL};
    double V;
    if (find_motion(judge, r, VERDICT_ROUNDING, &V)) {
        verdict = judge_motion(judge, convex, r, V);
    } else {
        for (int k = 0; k < ut_coulomb_rows(judge->problem); k++) {
            judge->motion.u[k] = (double)NAN;
        }
    }
    return isfinite(verdict.V) ? verdict : infinite_verdict(judge->problem, r);
}

utStatus ut_coulomb_judge(const utCoulomb* problem, bool convex, const double* r, utArena scratch,
                          double* u, utCoulombVerdict* verdict)
{
    Judge judge;
    UT_TRY(ut_judge_create(problem, &scratch, &judge));
    *verdict = ut_judge_verdict(&judge, convex, r);
    if (u != NULL) {
        memcpy(u, judge.motion.u, (size_t)ut_coulomb_rows(problem) * sizeof *u);
    }
    return UT_OK;
}

utStatus ut_coulomb_judge_velocity(const utCoulomb* problem, const double* r,
                                   const double* u_stored, utArena scratch, double* mismatch)
{
    Judge judge;
    UT_TRY(ut_judge_create(problem, &scratch, &judge));
    double scale = HUGE_VAL;
    const bool finite = find_motion(&judge, r, 0.0, &scale);
    double largest = 0.0;
    for (int k = 0; finite && k < ut_coulomb_rows(problem); k++) {
        largest = ut_larger(largest, fabs(u_stored[k] - judge.motion.u[k]));
    }
    const double V = finite ? scale : HUGE_VAL;
    *mismatch = isfinite(largest) && isfinite(V) ? largest / V : HUGE_VAL;
    return UT_OK;
}
