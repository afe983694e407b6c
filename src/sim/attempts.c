// SPDX-License-Identifier: Apache-2.0
// Attempts at a step of a large pile. Its problem may take thousands of factorizations, or may not be solved at
// all, while the same pile with its smallest gaps closed takes one. So a first round of attempts has little
// patience, and a second one has all that the solver has. Few bodies with many contacts have no first round: all
// rungs of the ladder together take less time there than a path, so that haste would close gaps without need.
#include "sim/step.h"
#include "sim/tolerances.h"

// Gaps that are closed, over h^2 |g|: of the order of those that contacts in slow motion leave.
static const struct {
    double closing;
    bool hasty;
} attempts[] = {
    {0.0, true},   {1e-4, true},  {1e-3, true},  {1e-2, true},  {0.0, false},  {1e-4, false},
    {1e-3, false}, {1e-2, false}, {3e-5, false}, {3e-4, false}, {3e-3, false}, {3e-2, false},
};
enum { ATTEMPTS = sizeof attempts / sizeof *attempts, HASTY_ATTEMPTS = 4 };

bool ut_step_may_try_again(const utSim* sim)
{
    const SimSettings* settings = &sim->settings;
    return settings->formulation == UT_FORMULATION_COULOMB && settings->tier == UT_TIER_EXACT &&
           settings->solver == UT_COULOMB_AUTO && !settings->sleep && !settings->no_certificate &&
           !ut_sim_has_parts(sim);
}

static double fall(const utSim* sim, double h)
{
    return h * h * ut_vec3_norm(sim->model->options.gravity);
}

// The first attempt of a sim in the table.
static int first_attempt(const utSim* sim)
{
    return sim->model->nv > MANY_VELOCITIES ? 0 : HASTY_ATTEMPTS;
}

int ut_step_attempts(const utSim* sim)
{
    const bool several = ut_step_may_try_again(sim) && fall(sim, 1.0) > 0.0;
    return several ? ATTEMPTS - first_attempt(sim) : 1;
}

StepAttempt ut_step_attempt(const utSim* sim, int k, double h)
{
    if (ut_step_attempts(sim) == 1) {
        return (StepAttempt){0};
    }
    const int row = first_attempt(sim) + k;
    return (StepAttempt){.closing = attempts[row].closing * fall(sim, h),
                         .hasty = attempts[row].hasty};
}

// Does a proof say that there is no solution? Then other attempts have none either.
static bool is_impossible(const utStepReport* report)
{
    for (int k = 0; k < report->islands; k++) {
        if (report->island[k].outcome == UT_ISLAND_NONE) {
            return true;
        }
    }
    return false;
}

bool ut_step_is_worth_another(const utStepReport* report)
{
    return report->contacts > MANY_CONTACTS && !is_impossible(report);
}
