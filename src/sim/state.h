// SPDX-License-Identifier: Apache-2.0
// The state of a sim: everything that decides how it goes on. One function copies it.
#ifndef UPTACK_SIM_STATE_H
#define UPTACK_SIM_STATE_H

#include <uptack/report.h>

#include "contact/contact.h"

/// Impulses of the last step: the solvers of the next step start from them.
typedef struct WarmStart {
    WarmImpulse* impulse; // ascending (ut_warm_compare)
    int count, capacity;
    double h; // length of the step that they belong to, s; 0: there was none
} WarmStart;

/// The mode of one contact. Snapshots hold these bytes, so that the struct has no padding.
typedef struct ModeEntry {
    int geom1, geom2;
    uint64_t feature;
    utContactMode mode;
    int seen; // 1: the contact was within reach of the last sub-step
} ModeEntry;

/// Modes of all contacts that are not open, for formulations with events.
typedef struct ContactModes {
    ModeEntry* entry; // ascending by geom1, geom2 and feature
    int count, capacity;
} ContactModes;

/// Sleep of one tree. Snapshots hold these bytes, so that the struct has no padding.
typedef struct TreeSleep {
    int rest;  // steps that its island has been at rest
    int group; // the lowest of the trees that sleep together; -1: awake
    double E;  // of the certificate of the step in which it fell asleep
} TreeSleep;

/// Which trees sleep, and what would wake them.
typedef struct SleepState {
    int trees;       // ntree; 0: the sim has no sleeping
    TreeSleep* tree; // trees
    int controls;    // nu; 0: likewise
    double* ctrl;    // controls of the last step
} SleepState;

typedef struct SimState {
    double time;  // s
    double start; // time of the clock's origin: time = start + steps dt, so that it does not drift
    uint64_t steps;     // since `start`
    double h_next;      // adaptive steps: length that the next step tries first, s
    double* q;          // nq
    double* v;          // nv
    double* act;        // na: activations of actuators
    double* mocap_pos;  // 3 nmocap
    double* mocap_quat; // 4 nmocap
    WarmStart warm;
    ContactModes modes;
    SleepState sleep;
    utArena memory; // of both lists, which grow; all 0 for a copy on somebody else's arena
} SimState;

/// A state of zeros, with empty lists. @param arena holds q, v and the mocap poses
/// @param sleeps can trees sleep?
utStatus ut_state_create(const utModel* model, const utAllocator* allocator, bool sleeps,
                         utArena* arena, SimState* state);
void ut_state_destroy(SimState* state);

/// Room for so many impulses and modes; the entries that there are stay.
/// @return UT_ERR_MEMORY; the state is then unchanged
utStatus ut_state_reserve(SimState* state, int impulses, int modes);

/// Copy all of a state.
/// @return UT_ERR_MEMORY when the lists of `to` cannot grow; `to` is then unchanged
utStatus ut_state_copy(const utModel* model, const SimState* from, SimState* to);

/// Copy a state onto an arena, as a rollback point or as the start of a step.
utStatus ut_state_push(const utModel* model, const SimState* from, utArena* arena, SimState* to);

/// Wake all trees.
void ut_state_wake(SimState* state);

/// Set the clock to a time, drop warm start and modes because they describe another state, and wake
/// all trees.
/// @param dt length that the next adaptive step tries first, s
void ut_state_restart(SimState* state, double time, double dt);

/// The end of a step of length dt, s.
static inline double ut_state_next_time(const SimState* state, double dt)
{
    return state->start + (double)(state->steps + 1) * dt;
}

#endif
