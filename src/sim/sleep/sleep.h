// SPDX-License-Identifier: Apache-2.0
// Sleeping: islands at rest stop costing time (docs/sleeping.md).
//
// A tree that sleeps repeats one certified step: v = 0 before and after, the same positions, contacts
// and impulses. So its steps need no solve and no certificate. Everything that could make its next
// step differ wakes it before that step is solved. Without utSimDef.sleep no function here does
// anything.
#ifndef UPTACK_SIM_SLEEP_SLEEP_H
#define UPTACK_SIM_SLEEP_SLEEP_H

#include "sim/step.h"

// ---- which trees may sleep (rules.c) ------------------------------------------------------------

/// Find the trees that never sleep: work.sleep.stays_awake.
utStatus ut_sleep_create(utSim* sim);

// ---- falling asleep (fall.c) --------------------------------------------------------------------

/// Try to make a step in which islands that have been at rest fall asleep: they start it with v = 0
/// and end it with v = 0 where they are. It passes the certificate, or is not made.
/// @param step receives the step, if `held`
utStatus ut_sleep_try(utSim* sim, const utInput* input, Step* step, bool* held, utError* err);

/// Count the steps that islands have been at rest, and let the held trees sleep from now on.
/// @param certificate of the step, which is to be taken
void ut_sleep_note(Step* step, const utCertificate* certificate);

// ---- waking (wake.c) ----------------------------------------------------------------------------

/// Fill step->asleep, and wake the trees that the input changes.
utStatus ut_sleep_begin(Step* step);

/// Does the caller push a tree in this step?
bool ut_sleep_is_pushed(const Step* step, int tree);

/// Does a mocap body move in this step?
bool ut_sleep_mocap_moves(const Step* step, int mocap);

/// Wake the trees that a contact or row joins with a moving body, and drop contacts and rows among
/// trees that sleep.
/// @return UT_ERR_NOT_TAKEN when trees woke: ut_sleep_make makes the step again, because it has no
///         masses and forces of them
utStatus ut_sleep_filter_contacts(Step* step);
utStatus ut_sleep_filter_rows(Step* step);

// ---- a step with sleeping trees (still.c) -------------------------------------------------------

/// Make a step after its input, again after each awakening.
utStatus ut_sleep_make(Step* step);

/// Set velocities of sleeping trees to 0. @param v nv
void ut_sleep_stop(const Step* step, double* v);

/// Add the impulses of sleeping trees to the impulses of a step, for the step in which they wake.
utStatus ut_sleep_keep_impulses(Step* step, WarmStart* warm);

#endif
