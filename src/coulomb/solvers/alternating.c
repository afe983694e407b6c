// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel and Newton in turn, for large moving islands of free bodies: falling piles, on which
// interior points stall. Sweeps find the states of the contacts at next to no cost, and Newton is tried from
// their impulses now and then. A try far from a solution ends after two short steps. When a try lowers E
// the sweeps continue from its impulses.
#include <string.h>

#include "body_sweeps.h"
#include "second_order.h"

enum {
    FIRST_SWEEPS = 50,  // before the first try of Newton,
    ROUND_SWEEPS = 300, // and between two tries at least,
    ROUND_WORTH = 2,    // or sweeps that take as long as these factorizations
};

static const double REGULARIZATION = 1e-6; // of Newton, which begins far from a solution

// Work of a factorization over that of a visit to one contact, both in multiplications.
static const double VISIT = 250.0;

double ut_alternating_gain(const System* system)
{
    const SparsePlan* plan = &system->H.plan;
    double work = 0.0;
    for (int k = 0; k < plan->fronts; k++) {
        const double pivots = plan->front[k].pivots;
        const double width = pivots + plan->front[k].below;
        work += pivots * width * width;
    }
    return system->nc > 0 ? work / (VISIT * system->nc) : 0.0;
}

utStatus ut_alternating_run(System* system, int max_sweeps, int limit, double tolerance,
                            utArena scratch, double* r, int* count)
{
    BodySweeps sweeps;
    const size_t bytes = (size_t)system->N * sizeof *r;
    double* now = ut_coulomb_push(&scratch, 1, system->N);
    if (now == NULL) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_body_sweeps_create(system, &scratch, &sweeps));
    ut_body_sweeps_start(&sweeps, r);
    double least = HUGE_VAL;
    int swept = 0;
    const int end = *count + limit;
    const int worth = (int)(ROUND_WORTH * ut_alternating_gain(system));
    const int between = worth > ROUND_SWEEPS ? worth : ROUND_SWEEPS;
    while (least > tolerance && *count < end && swept < max_sweeps) {
        const int most = swept == 0 ? FIRST_SWEEPS : between;
        const int round = max_sweeps - swept < most ? max_sweeps - swept : most;
        for (int k = 0; k < round; k++) {
            ut_body_sweeps_run(&sweeps);
        }
        swept += round;
        double bilateral = 0.0;
        ut_body_sweeps_impulses(&sweeps, now);
        const double before = ut_system_error(system, now, &bilateral);
        double E = before;
        UT_TRY(ut_newton_bodies_run(system, REGULARIZATION, end - *count, tolerance, scratch, now,
                                    &E, count));
        if (E < least) {
            least = E;
            memcpy(r, now, bytes);
        }
        if (E < before) {
            ut_body_sweeps_start(&sweeps, now);
        }
    }
    return UT_OK;
}
