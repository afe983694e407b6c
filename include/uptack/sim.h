// SPDX-License-Identifier: Apache-2.0
/// @file sim.h
/// A simulation: a model, a state, a step.
///
///     utSim* sim = NULL;
///     utStepResult step = {0};
///     utStatus status = ut_sim_create(model, NULL, &sim, &err);
///     while (status == UT_OK && ut_sim_time(sim) < 10.0) {
///         status = ut_sim_step(sim, NULL, &step, &err);      // one step, without inputs
///     }
///     ut_sim_destroy(sim);
///
/// A step that is not certified is not taken and would be the same again: the loop has to end
/// there. A step is a pure function of model, state and input: what is kept from step to step
/// (impulses to start from, boxes of the broad phase) changes the answer within the tolerance at
/// most. A step that fails leaves the state as it was. Once warm a step allocates nothing.
#ifndef UPTACK_SIM_H
#define UPTACK_SIM_H

#include <uptack/certificate.h>
#include <uptack/report.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct utSim utSim;

typedef struct utSimDef {
    double dt;           ///< default 0: the model's
    double tolerance;    ///< default 0: the model's
    int formulation;     ///< utFormulation, default -1: the model's
    const char* solver;  ///< default NULL: the model's
    int directions;      ///< default 0: the model's
    int integrator;      ///< default -1: the model's; `hybrid` and `mirtich` fly by
                         ///< MIDPOINT where that is EULER
    int impact;          ///< utImpactLaw, default -1: the model's
    int simultaneous;    ///< utSimultaneous, default -1: the model's
    double adaptive;     ///< how far off positions may be after a step, m: steps are chosen
                         ///< so, dt being the longest; default 0: all are dt long
    bool keep_going;     ///< take steps that are not certified, default false
    bool no_certificate; ///< do not judge steps, default false
    const utAllocator* allocator; ///< default NULL: malloc
    uint32_t cookie;              ///< set by ut_sim_def()
} utSimDef;

#define UT_SIM_DEF_COOKIE UT_COOKIE(1, 1) ///< value of utSimDef.cookie

UT_API utSimDef ut_sim_def(void);

/// @param def NULL: all defaults @param err what cannot be used
/// @return UT_ERR_ARGUMENT naming the setting that cannot be used, UT_ERR_DEF for one that
/// ut_sim_def() did
///         not make, UT_ERR_MEMORY
UT_API utStatus ut_sim_create(const utModel* model, const utSimDef* def, utSim** sim, utError* err);
UT_API void ut_sim_destroy(utSim* sim);

// ---- state --------------------------------------------------------------------------------------

UT_API const utModel* ut_sim_model(const utSim* sim);
UT_API double ut_sim_time(const utSim* sim);
UT_API double ut_sim_dt(const utSim* sim);
UT_API const double* ut_sim_q(const utSim* sim); ///< nq, valid until the next step
UT_API const double* ut_sim_v(const utSim* sim); ///< nv

/// Where bodies that are moved from outside are, and their twists: of those that follow a function
/// of the time its rate, 0 for others. 3, 4 and 1 a mocap body
UT_API const double* ut_sim_mocap_pos(const utSim* sim);
UT_API const double* ut_sim_mocap_quat(const utSim* sim);
UT_API const utMotion* ut_sim_mocap_velocity(const utSim* sim);

/// Replace the state. Quaternions are normalized. @param q, v NULL: leave as it is
/// @return UT_ERR_ARGUMENT naming the first entry that is not finite, a quaternion of length 0, or
/// a time of
///         more than 2^40 dt, in whose last digits steps would be lost; the state is then unchanged
UT_API utStatus ut_sim_set(utSim* sim, double time, const double* q, const double* v, utError* err);

/// To the model's pose at rest, or to a keyframe (-1: the model's pose).
UT_API utStatus ut_sim_reset(utSim* sim, int keyframe, utError* err);

/// Copy the whole state of a sim to another sim of the same model, as ut_sim_save and ut_sim_load
/// would: with the same settings both sims go on with the same bits.
/// @return UT_ERR_ARGUMENT when the models differ or the time is too large for the dt of `to`,
///         UT_ERR_MEMORY; `to` is then unchanged
UT_API utStatus ut_sim_copy(const utSim* from, utSim* to, utError* err);

/// 64-bit FNV-1a over time, q, v, -0 read as 0.
UT_API uint64_t ut_sim_hash(const utSim* sim);

/// Kinetic and potential energy, J.
UT_API double ut_sim_energy(const utSim* sim);

/// Pose and velocity of a body: its centre of mass and twist of that point, world.
typedef struct utBodyState {
    utFrame frame; ///< body to world
    utQuat quat;
    utVec3 com;
    utVec3 velocity; ///< of com
    utVec3 angular;
} utBodyState;
UT_API utBodyState ut_sim_body(const utSim* sim, int body);

/// World poses of all bodies in one call, for viewers and bindings: origins and rotations of their
/// frames, as `frame.p` and `quat` of ut_sim_body. @param pos 3 nbody, m @param quat 4 nbody: w x y z
UT_API void ut_sim_body_poses(const utSim* sim, double* pos, double* quat);

/// World poses of all geoms: origins and rotations of their frames.
/// @param pos 3 ngeom, m @param quat 4 ngeom: w x y z
UT_API void ut_sim_geom_poses(const utSim* sim, double* pos, double* quat);

// ---- stepping -----------------------------------------------------------------------------------

/// What acts during one step. Every pointer may be NULL: nothing, or as it was.
typedef struct utInput {
    const double* ctrl;       ///< nu
    const double* force;      ///< nv: generalized forces
    const utForce* applied;   ///< nbody: forces and torques about the centre of mass, world
    const double* mocap_pos;  ///< 3 nmocap: where mocap bodies are at the step's end
    const double* mocap_quat; ///< 4 nmocap
} utInput;

/// How a step ended.
typedef enum utStepOutcome {
    UT_STEP_CERTIFIED,   ///< and taken
    UT_STEP_FLAGGED,     ///< taken, by a rung that is flagged
    UT_STEP_UNCERTIFIED, ///< not certified: taken with keep_going, else the state is unchanged and
                         ///< the status UT_ERR_NOT_TAKEN
} utStepOutcome;

typedef struct utStepResult {
    utStepOutcome outcome;
    utStepReport report; ///< valid until the next step
    utCertificate certificate;
    double max_penetration; ///< m, before the step, >= 0
    int deepest[2];         ///< sides of the contact that has it (utContact), where it is above 0
    int iterations;         ///< factorizations of all islands
    int tries;              ///< lengths that were tried where steps are chosen, each of them made
                            ///< three times: whole and in two halves; else 1
} utStepResult;

/// Take one step.
/// @param input  NULL: nothing acts; mocap bodies stay
/// @param result may be NULL
/// @return UT_OK when the step was taken; UT_ERR_NOT_TAKEN when it is not certified (result is
/// filled
///         all the same, and its certificate says why); UT_ERR_ARGUMENT names the input that is not
///         finite, UT_ERR_MEMORY. The state and the time change with UT_OK alone, so that a loop on
///         the time has to look at the status
UT_API utStatus ut_sim_step(utSim* sim, const utInput* input, utStepResult* result, utError* err);

/// The energy of a run that nobody put in. Zeros to begin with; add every step that was taken.
///
/// The energy less what was put in (utCertificate.energy_gain, summed) may fall: dampers, friction
/// and impacts take some of it. Where it rises above its least value so far, the scheme made energy
/// of nothing. Every step of first order does so by a little, forth and back: a share of 1 % of the
/// largest kinetic energy is common. A rise by more than a tenth of it is worth a warning.
typedef struct utEnergyLedger {
    double gain;  ///< J: the largest such rise so far
    double scale; ///< J: what it is measured by: the largest kinetic energy so far and ten times
                  ///< its largest change in a step, both without the gain itself, at least that of
                  ///< one step of free fall
    double projected; ///< J: what overlaps that were undone gave; part of `gain`
    double net;       ///< J: the energy less what was put in, 0 at the start
    double least;     ///< J: its least value so far
    double most, kinetic, change, fall, energy; ///< what scale and projected are found from
    int steps;
} utEnergyLedger;

/// Add a step that was taken. Without certificates (utSimDef) nothing is known of the gain.
UT_API void ut_energy_ledger_add(utEnergyLedger* ledger, const utStepResult* result);

/// Is the gain more than a tenth of its scale? RK4 or MIDPOINT instead of EULER, or a shorter step,
/// are the remedy.
UT_API bool ut_energy_ledger_gained(const utEnergyLedger* ledger);

/// Steps that are chosen end at this time at the latest, so that one ends just there; default
/// HUGE_VAL. Steps of a fixed length take no notice.
UT_API void ut_sim_stop_at(utSim* sim, double time);

/// The friction problem of an island of the last step as a .fc text of version 2 (docs/coulomb.md),
/// for `uptack coulomb`, with the impulses that the step has: of a step that failed the island that
/// failed, else the one with the largest E. Where restitution was cut down by the energy guard,
/// impulses lie between the solutions of two problems, and the text has the one with all of it.
/// @param text receives memory of the sim's, valid until the next call
/// @return UT_ERR_ARGUMENT when the last call of ut_sim_step had no contacts and rows, or when it
/// is not
///         known any more: the state was replaced; UT_ERR_MEMORY
UT_API utStatus ut_sim_problem(utSim* sim, utText* text, utError* err);

// ---- snapshots ----------------------------------------------------------------------------------

/// Bytes of a snapshot of the sim as it is: state, warm starts, mocap poses.
UT_API size_t ut_sim_snapshot_size(const utSim* sim);

/// @return UT_ERR_CAPACITY when `size` is too small
UT_API utStatus ut_sim_save(const utSim* sim, void* memory, size_t size);

/// Restore what ut_sim_save of a sim of the same model made. A snapshot holds the state and no
/// settings: a sim with the settings of the one that was saved goes on with the same bits; in one
/// with another dt, formulation or tolerance time goes on from the snapshot's by the sim's own
/// steps, and modes of contacts are dropped where the formulation has none. Bytes from anywhere are
/// safe to load: damage shows by a hash, and every value is checked by itself.
/// @return UT_ERR_ARGUMENT naming what cannot be used, UT_ERR_MEMORY; the sim is then as it was
UT_API utStatus ut_sim_load(utSim* sim, const void* memory, size_t size, utError* err);

#ifdef __cplusplus
}
#endif

#endif
