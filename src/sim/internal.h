// SPDX-License-Identifier: Apache-2.0
// A sim: settings, state, workspace and the record of the last step.
#ifndef UPTACK_SIM_INTERNAL_H
#define UPTACK_SIM_INTERNAL_H

#include <uptack/sensor.h>
#include <uptack/sim.h>
#include <uptack/threads.h>

#include "certificate/placements.h"
#include "coulomb/plan.h"
#include "sim/settings.h"
#include "sim/state.h"

/// Where the workspace's bodies are placed and moved. Placing them there again changes nothing.
typedef struct PlacedAt {
    bool valid;
    double* q;                // nq
    double* v;                // nv
    double* mocap_pos;        // 3 nmocap
    double* mocap_quat;       // 4 nmocap
    utMotion* mocap_velocity; // nmocap
    bool energy_known;
    double energy; // of the bodies there, J
} PlacedAt;

/// Arrays of ntree entries for sleeping.
typedef struct SleepWork {
    bool* stays_awake; // trees that never sleep
    bool* due;         // trees that try to fall asleep
    int* root;         // 2 ntree: islands
} SleepWork;

/// Threads that solve islands, each with a workspace.
typedef struct IslandThreads {
    utPool* pool;
    int count;
    utArena* arena;      // count
    utCoulombPlan* plan; // count
} IslandThreads;

/// @param threads NULL: none are needed @return UT_ERR_CAPACITY, UT_ERR_MEMORY
utStatus ut_island_threads_create(utSim* sim, int count, IslandThreads** threads);
void ut_island_threads_destroy(IslandThreads* threads);

/// Memory and scratch objects. Nothing here decides how the sim goes on.
typedef struct SimWorkspace {
    IslandThreads* threads; // NULL: the caller's thread alone
    utArena step;           // memory of a step, and of the report that it hands out
    utArena kept;           // reports of the parts of the last step
    utArena text;           // of ut_sim_problem
    utKinematics kin;       // placed at the state between steps, by ut_sim_place_at
    PlacedAt placed;
    utMotion* mocap_velocity; // nmocap: twists of mocap bodies that follow a function of the time
    CertificatePlacements certified; // of the certificate's own
    utMass mass;
    utCoulombPlan plan; // of the last island that was solved by elimination
    utBroad* broad;
    SimState draft;    // a state that is being checked before it becomes the sim's
    double* q;         // nq of work
    int max_pairs;     // room for pairs of the broad phase,
    int max_contacts;  // and for contacts; both grow
    utSensors sensors; // models with sensors only
    SleepWork sleep;   // with sleeping only
} SimWorkspace;

/// The problem that ut_sim_problem prints: of the last step or of its deciding part.
typedef struct LastStep {
    bool valid;
    utStepReport report; // on the workspace's memory
    bool part;           // it is that of a part
    const double* q;     // positions at which it was solved: after its projection
    int island;          // the deciding one
    utStepReport whole;  // of the step with all its parts, for sensors
    bool taken;          // the state is the one after that step
} LastStep;

struct utSim {
    const utModel* model;
    utArena memory; // of this struct and everything in it with a fixed size
    const utAllocator* allocator;
    SimSettings settings;
    SimState state;
    SimWorkspace work;
    LastStep last;
};

/// Do steps have several parts, because of events or adaptive steps?
static inline bool ut_sim_has_parts(const utSim* sim)
{
    return sim->settings.traits->events || sim->settings.position_error > 0.0;
}

/// Does the integrator have stages of its own?
static inline bool ut_sim_has_stages(const utSim* sim)
{
    return ut_settings_staged(&sim->settings);
}

/// Are springs and dampers of tendons rows? Else they act with explicit forces, in the stages of RK4
/// or at the step's start.
static inline bool ut_sim_has_tendon_rows(const utSim* sim)
{
    return !sim->settings.traits->explicit_forces && sim->settings.integrator != UT_INTEGRATOR_RK4;
}

/// The fraction of V below which the closing velocity of a gap is rounding, in an island with so many contacts.
double ut_sim_rounding_gap(const utSim* sim, int contacts);

// ---- state --------------------------------------------------------------------------------------

/// Make `state` the sim's, and place the bodies there.
/// @return UT_ERR_MEMORY; the sim is then unchanged
utStatus ut_sim_set_state(utSim* sim, const SimState* state);

/// The same for a state of another sim or of a snapshot: count the clock in the sim's own dt, and
/// drop modes where the formulation has none. The record of the last step is dropped.
/// @param state  its clock and the number of its modes are changed
/// @param dt     that its clock counts, s
utStatus ut_sim_adopt(utSim* sim, SimState* state, double dt);

/// Place the workspace's bodies at the state.
void ut_sim_place(utSim* sim);

/// Place and move the workspace's bodies, unless they are there already.
/// @param mocap_velocity nmocap
void ut_sim_place_at(utSim* sim, const double* q, const double* v, const double* mocap_pos,
                     const double* mocap_quat, const utMotion* mocap_velocity);

/// @return UT_ERR_ARGUMENT naming the first entry that is not finite; x may be NULL
utStatus ut_sim_check_finite(const char* name, int n, const double* x, utError* err);

/// @return UT_ERR_ARGUMENT for a time that is not finite, or so large that a step of length dt is
///         lost in its last digits
utStatus ut_sim_check_time(const utSim* sim, double time, utError* err);

/// The shortest adaptive step from a time on, s.
double ut_sim_shortest(const utSim* sim, double time);

// ---- mocap bodies -------------------------------------------------------------------------------

/// Write the poses of mocap bodies that follow a function of the time.
/// @param twist nmocap, receives their twists; NULL: not asked for
void ut_mocap_follow(const utModel* model, double time, double* mocap_pos, double* mocap_quat,
                     utMotion* twist);

/// Move mocap body m from a pose by its constant twist for a time t.
/// @param mocap_pos, mocap_quat poses of all mocap bodies @param pos, quat 3 and 4 entries
void ut_mocap_move(const double* mocap_pos, const double* mocap_quat, const utMotion* twist, int m,
                   double t, double* pos, double* quat);

// ---- the last step ------------------------------------------------------------------------------

/// Record a step without parts for ut_sim_problem.
/// @param q where the step was solved, on the step's memory
void ut_sim_record_step(utSim* sim, const utStepResult* result, const double* q);

/// The same for a step with parts.
utStatus ut_sim_record_part(utSim* sim, const utStepResult* result);

/// Recompute M̂ of the recorded part, at which the workspace's bodies are placed.
utStatus ut_sim_restore_mass(utSim* sim, utArena scratch);

#endif
