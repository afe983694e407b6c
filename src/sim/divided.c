// SPDX-License-Identifier: Apache-2.0
// A step that is not certified in one piece, also after closing small gaps, is made in two. Each piece is a step
// of its own, with its own contacts, solution and certificate, so that the law holds in both of them. Their
// problems are other ones: a pile that no solver answers at h has an answer in pieces as a rule, if not in halves,
// then in pieces of another ratio. A piece that is not certified is made again after closing small gaps, as a whole
// step is. More and shorter pieces do not help: V = h |g| falls with their length, and gaps that loops of
// contacts cannot close together weigh more beside it.
#include "sim/events/parts.h"
#include "la/scalar.h"
#include "sim/tolerances.h"

// Lengths of the first piece over that of the step, in the order in which they are tried.
static const double first_piece[] = {0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2, 0.9};
enum { TRIES = sizeof first_piece / sizeof *first_piece };

// Make a piece in one way. @param certified it is solved, certified and not flagged
static utStatus try_piece(Parts* parts, double until, StepAttempt attempt, bool* certified,
                          utError* err)
{
    const int before = parts->record.parts;
    parts->attempt = attempt;
    UT_TRY(ut_parts_advance(parts, until, certified, err));
    return *certified ? ut_parts_certified(parts, before, certified) : UT_OK;
}

// Make a piece, in other ways until it is certified.
static utStatus make_piece(Parts* parts, double until, bool* certified, utError* err)
{
    utSim* sim = parts->sim;
    SimState start;
    UT_TRY(ut_state_push(sim->model, &sim->state, &parts->keep, &start));
    const Parts before = *parts;
    const double h = until - sim->state.time;
    *certified = false;
    for (int k = 0; k < ut_step_attempts(sim) && !*certified; k++) {
        const StepAttempt attempt = ut_step_attempt(sim, k, h);
        if (k > 0) {
            *parts = before;
            UT_TRY(ut_state_copy(sim->model, &start, &sim->state));
            ut_sim_place(sim);
        }
        UT_TRY(try_piece(parts, until, attempt, certified, err));
        parts->closed = ut_larger(before.closed, attempt.closing);
    }
    return UT_OK;
}

// Make both pieces, the second one if the first is certified.
static utStatus make_pieces(Parts* parts, double first, bool* certified, utError* err)
{
    UT_TRY(make_piece(parts, parts->start.time + first * parts->h, certified, err));
    return *certified ? make_piece(parts, parts->end, certified, err) : UT_OK;
}

utStatus ut_step_divide(utSim* sim, const utInput* input, Parts* parts, bool* divided, utError* err)
{
    if (sim->work.kept.block == NULL) {
        UT_TRY(ut_arena_create(0, sim->allocator, &sim->work.kept));
    }
    *divided = false;
    for (int k = 0; k < TRIES && !*divided; k++) {
        UT_TRY(ut_parts_begin(sim, input, sim->settings.dt, sim->work.kept, parts, err));
        const utStatus status = make_pieces(parts, first_piece[k], divided, err);
        if (status != UT_OK || !*divided) {
            ut_parts_roll_back(parts);
        }
        UT_TRY(status);
    }
    sim->state.steps = parts->start.steps + (*divided ? 1 : 0);
    return UT_OK;
}
