// SPDX-License-Identifier: Apache-2.0
// A step with several parts: sub-steps, which take time, and instants, which do not. The sim's state
// moves on with every accepted part. When the step is not accepted, the sim rolls back.
#ifndef UPTACK_SIM_EVENTS_PARTS_H
#define UPTACK_SIM_EVENTS_PARTS_H

#include "sim/step.h"

/// Reports of all accepted parts.
typedef struct PartsRecord {
    utStepReport* part;
    int parts, part_capacity;
    utTransition* transition;
    int transitions, transition_capacity;
} PartsRecord;

/// The input, held over all parts that end at the same time.
typedef struct HeldInput {
    double* ctrl;             // nu, clamped
    utForce* wrench;          // nbody; NULL: none
    double* mocap_pos;        // 3 nmocap: poses at the end
    double* mocap_quat;       // 4 nmocap
    utMotion* mocap_velocity; // nmocap: twists that lead there
} HeldInput;

/// Progress of the event search.
typedef struct EventSearch {
    double press_time; // the last time at which resting contacts got their minimum rebound, s
    int landings;      // sub-steps that ended with a landing
    bool unsettled;    // the impacts of an instant did not settle: no further event is located
} EventSearch;

/// Estimates for the choice of a step's length.
typedef struct StepError {
    bool impulses;       // impulses act
    double impact_error; // position error of impacts that are made too early, m
    double cut;          // length of a step that ends before the first early impact, s
} StepError;

typedef struct Parts {
    utSim* sim;
    const utInput* input;
    utArena keep;   // the unused rest of the workspace's `kept`
    SimState start; // rollback point
    double h;       // length of the step, s
    double end;     // its end, s
    double until;   // end of the parts that are being made, s
    HeldInput held;
    PartsRecord record;
    EventSearch events;
    StepError error;
    StepSummary summary;
    StepAttempt attempt; // of the next sub-step
    double closed;       // the largest gap that was closed before an accepted piece, m
    int tries;           // lengths that were tried
} Parts;

/// Begin a step of length h: set the rollback point and read the input.
/// @param keep holds the rollback point, the held input and the record
utStatus ut_parts_begin(utSim* sim, const utInput* input, double h, utArena keep, Parts* parts,
                        utError* err);

/// Let the following parts end at `until`, with mocap bodies where they are then.
utStatus ut_parts_aim(Parts* parts, double until, utError* err);

/// Make a sub-step of length h from the sim's state; the sim does not change.
utStatus ut_parts_substep(Parts* parts, double h, Step* step, utError* err);

/// Set up an instant at the sim's state: contacts that touch, none of which bounces yet.
utStatus ut_parts_instant(Parts* parts, Step* step);

/// Record a part and make its next state the sim's.
utStatus ut_parts_accept(Parts* parts, Step* step, double time);

/// Make and accept parts up to a time. @param finite false: there is no finite result
utStatus ut_parts_advance(Parts* parts, double until, bool* finite, utError* err);

/// Is every part from `first` on solved, certified and not flagged?
utStatus ut_parts_certified(const Parts* parts, int first, bool* certified);

/// Restore the sim's state from the rollback point.
void ut_parts_roll_back(Parts* parts);

/// A copy of a report with everything that it points to.
utStatus ut_parts_copy_report(utArena* arena, const utStepReport* report, utStepReport* copy);

/// Add to the record. @param report is on parts->keep
utStatus ut_parts_add_report(Parts* parts, const utStepReport* report);
utStatus ut_parts_add_transition(Parts* parts, const utTransition* transition);

/// All parts together as one report.
utStatus ut_parts_report(Parts* parts, utStepReport* report);

// ---- events -------------------------------------------------------------------------------------

/// Make and accept sub-steps and instants up to parts->until.
utStatus ut_parts_make_events(Parts* parts, utError* err);

/// Least velocity of a rebound where contacts always bounce, m/s.
double ut_step_min_rebound(const Step* step);

/// When a contact first closes within a sub-step.
/// @param at      fraction of the sub-step; 2: none closes  @param which its contact, -1
/// @param pressed a contact that touches at the start closes from there
utStatus ut_step_find_event(Step* step, double* at, int* which, bool* pressed);

/// The gap of an event contact at the end of a sub-step.
utStatus ut_step_gap_at_end(Step* step, const utContact* c, double* gap);

// ---- modes --------------------------------------------------------------------------------------

/// The mode of a contact in the sim's state.
utContactMode ut_mode_of(const utSim* sim, const utContact* c);

/// A contact bounces when e |u_n| exceeds this, m/s.
double ut_mode_threshold(const utSim* sim, const utContact* c);

/// Update the modes of the sim's state after an instant or a sub-step, before it is accepted.
utStatus ut_modes_after_impact(Parts* parts, const Step* step);
utStatus ut_modes_after_substep(Parts* parts, const Step* step);

// ---- adaptive steps -----------------------------------------------------------------------------

/// Add the position errors of a part's early impacts to parts->error.
void ut_parts_add_impact_errors(Parts* parts, const Step* step);

/// A step of chosen length: the sim is at its end, unless it fails.
/// @param parts the accepted step, of two halves
utStatus ut_step_adaptive(utSim* sim, const utInput* input, Parts* parts, utError* err);

// ---- divided steps ------------------------------------------------------------------------------

/// Make the step in two pieces, both of them certified.
/// @param divided true: the sim is at the step's end; false: no ratio of lengths is certified, and the sim is unchanged
utStatus ut_step_divide(utSim* sim, const utInput* input, Parts* parts, bool* divided,
                        utError* err);

#endif
