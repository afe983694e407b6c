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
/// A step that is not certified is not taken. A second try would give the same result, so the loop
/// must end there. A step is a pure function of model, state and input: warm starts and boxes of the
/// broad phase change the answer by less than the tolerance. A step that fails leaves the state
/// unchanged. After its first steps a sim allocates no memory.
///
/// A sim belongs to one thread at a time. Several sims may share a model. With utSimDef.threads a sim
/// uses threads of its own within a step.
#ifndef UPTACK_SIM_H
#define UPTACK_SIM_H

#include <uptack/certificate.h>
#include <uptack/collision.h>
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
    int integrator;      ///< utIntegrator, default -1: the model's; `hybrid` and `mirtich` use
                         ///< MIDPOINT instead of EULER
    int impact;          ///< utImpactLaw, default -1: the model's
    int simultaneous;    ///< utSimultaneous, default -1: the model's
    double adaptive;     ///< allowed position error per step, m: the sim chooses the length of each
                         ///< step, at most dt; default 0: every step has length dt
    int tier;            ///< utTier, default 0: UT_TIER_EXACT
    int sweeps;          ///< tier budget: sweeps per step, default 0: UT_DEFAULT_SWEEPS
    bool sleep;          ///< let islands at rest sleep (docs/sleeping.md), default false
    bool keep_going;     ///< accept steps that are not certified, default false
    bool no_certificate; ///< do not certify steps, default false
    int threads; ///< that solve the islands of a step, default 0: 1. The bits are the same for all
                 ///< numbers. With several the allocator is called from several threads at once
    const utAllocator* allocator; ///< default NULL: malloc
    uint32_t cookie;              ///< set by ut_sim_def()
} utSimDef;

#define UT_DEFAULT_SWEEPS 20 ///< per step of the tier budget

#define UT_SIM_DEF_COOKIE UT_COOKIE(1, 3) ///< value of utSimDef.cookie

UT_API utSimDef ut_sim_def(void);

/// Create a sim at the model's pose at rest.
/// @param model borrowed; it must outlive the sim  @param def NULL: all defaults
/// @return UT_ERR_ARGUMENT naming the invalid setting, UT_ERR_DEF for a def that ut_sim_def() did
///         not make, UT_ERR_MEMORY
UT_API utStatus ut_sim_create(const utModel* model, const utSimDef* def, utSim** sim, utError* err);
UT_API void ut_sim_destroy(utSim* sim);

// ---- state --------------------------------------------------------------------------------------

UT_API const utModel* ut_sim_model(const utSim* sim);
UT_API double ut_sim_time(const utSim* sim);
UT_API double ut_sim_dt(const utSim* sim);
UT_API const double* ut_sim_q(const utSim* sim);   ///< nq, valid until the next step
UT_API const double* ut_sim_v(const utSim* sim);   ///< nv
UT_API const double* ut_sim_act(const utSim* sim); ///< na: activations of actuators

/// Poses of mocap bodies, 3 and 4 entries per body, and their twists. A body that follows a function
/// of time has the twist of that function; other mocap bodies have 0.
UT_API const double* ut_sim_mocap_pos(const utSim* sim);
UT_API const double* ut_sim_mocap_quat(const utSim* sim);
UT_API const utMotion* ut_sim_mocap_velocity(const utSim* sim);

/// Replace the state. Quaternions are normalized. @param q, v NULL: keep the present values
/// @return UT_ERR_ARGUMENT naming the first entry that is not finite, a quaternion of length 0, or a
///         time beyond 2^40 dt, because dt would vanish in its last digits; the state is then
///         unchanged
UT_API utStatus ut_sim_set(utSim* sim, double time, const double* q, const double* v, utError* err);

/// Replace the activations of actuators, and nothing else. @param act na
UT_API utStatus ut_sim_set_act(utSim* sim, const double* act, utError* err);

/// Set the model's pose at rest, or a keyframe. @param keyframe -1: the model's pose
UT_API utStatus ut_sim_reset(utSim* sim, int keyframe, utError* err);

/// Copy the whole state of a sim to another sim of the same model, as ut_sim_save and ut_sim_load
/// would: with the same settings both sims go on with the same bits.
/// @return UT_ERR_ARGUMENT when the models differ or the time is too large for the dt of `to`,
///         UT_ERR_MEMORY; `to` is then unchanged
UT_API utStatus ut_sim_copy(const utSim* from, utSim* to, utError* err);

/// A hash of the state: 64-bit FNV-1a over time, q, v and act, with -0 read as 0.
UT_API uint64_t ut_sim_hash(const utSim* sim);

/// The number of bodies that sleep, and whether one does; 0 and false without utSimDef.sleep.
UT_API int ut_sim_sleeping(const utSim* sim);
UT_API bool ut_sim_sleeps(const utSim* sim, int body);

/// Kinetic and potential energy, J.
UT_API double ut_sim_energy(const utSim* sim);

/// Pose and velocity of a body in the world.
typedef struct utBodyState {
    utFrame frame; ///< body to world
    utQuat quat;
    utVec3 com;      ///< centre of mass
    utVec3 velocity; ///< of the centre of mass
    utVec3 angular;  ///< angular velocity
} utBodyState;
UT_API utBodyState ut_sim_body(const utSim* sim, int body);

/// World poses of all bodies in one call, for viewers and bindings: origins and rotations of their
/// frames, as `frame.p` and `quat` of ut_sim_body. @param pos 3 nbody, m @param quat 4 nbody: w x y z
UT_API void ut_sim_body_poses(const utSim* sim, double* pos, double* quat);

/// World poses of all geoms: origins and rotations of their frames.
/// @param pos 3 ngeom, m @param quat 4 ngeom: w x y z
UT_API void ut_sim_geom_poses(const utSim* sim, double* pos, double* quat);

/// Values of the model's sensors: sensor i has the entries from model->sensor[i].start on. Sensors of
/// positions and velocities are read at the present state. Sensors of accelerations and forces are
/// means over the last step (docs/sensors.md); they are NAN before the first step, after a step that
/// was not taken, and after the state was replaced. Values are computed by this call only.
/// @param data nsensordata
UT_API void ut_sim_sensors(utSim* sim, double* data);

// ---- pointing and holding -----------------------------------------------------------------------

/// The geom that a ray hits first.
typedef struct utPick {
    int geom;
    utRayHit hit; ///< distance from the ray's start, point and outward normal, world
} utPick;

/// Find the nearest geom on a ray, whether it collides or not. A ray that starts inside a geom hits it at
/// the distance 0.
/// @param from      world, start of the ray
/// @param direction world, any length but 0
/// @param far       length of the ray, m; may be INFINITY
/// @return false when there is none, or when an input is not finite; `pick` is then unchanged
UT_API bool ut_sim_pick(const utSim* sim, utVec3 from, utVec3 direction, double far, utPick* pick);

/// A spring between a point of a body and a point of the world, with which a viewer's user drags bodies.
typedef struct utHold {
    int body;
    utVec3 point;  ///< in the body's frame, m
    utVec3 target; ///< world, m
    double rate;   ///< 1/s, UT_HOLD_RATE is a good one; explicit forces are stable for rate dt < 1
} utHold;

#define UT_HOLD_RATE 12.0 ///< 1/s: the distance to the target falls to 5 % within 0.4 s

/// The force of a hold at the present state, to be passed to a step as utInput.applied. With
/// a = rate^2 (target - x) - 2 rate x' the point x would be critically damped. The force f is the one
/// with J M^-1 J' f = a, where J' maps a force at x to generalized forces, so that light and heavy bodies
/// follow alike, and a body of a tree moves its tree along. Along axes in which the point hardly moves,
/// with less than a twentieth of the largest mobility, the force is that of this mobility; along axes in
/// which it does not move there is none. Gravity stretches the spring by g / rate^2.
/// @param scratch holds work arrays
/// @param wrench  of the body alone, about its centre of mass, world; 0 for a body that no joint moves
/// @return UT_ERR_ARGUMENT for an index outside of the model, or when a number is not finite;
///         UT_ERR_CAPACITY
UT_API utStatus ut_sim_hold(const utSim* sim, const utHold* hold, utArena scratch, utForce* wrench);

// ---- stepping -----------------------------------------------------------------------------------

/// Controls and forces of one step. Every pointer may be NULL: zero, or for mocap bodies no motion.
typedef struct utInput {
    const double* ctrl;       ///< nu
    const double* force;      ///< nv: generalized forces
    const utForce* applied;   ///< nbody: wrenches about the centre of mass, world
    const double* mocap_pos;  ///< 3 nmocap: positions of mocap bodies at the step's end
    const double* mocap_quat; ///< 4 nmocap
} utInput;

/// How a step ended.
typedef enum utStepOutcome {
    UT_STEP_CERTIFIED, ///< certified and taken
    UT_STEP_FLAGGED,   ///< taken, but a fallback answered or an overlap remains (utIsland.outcome)
    UT_STEP_BUDGET,    ///< tier budget: taken, with an E or `bilateral` above the limit, which the
                       ///< certificate states; it passed every other test
    UT_STEP_UNCERTIFIED, ///< not certified: taken with keep_going; otherwise the state is unchanged
                         ///< and the status is UT_ERR_NOT_TAKEN
} utStepOutcome;

typedef struct utStepResult {
    utStepOutcome outcome;
    utStepReport report; ///< valid until the next step
    utCertificate certificate;
    double max_penetration; ///< before the step, m, >= 0
    int deepest[2];         ///< sides of the deepest contact (utContact), if max_penetration > 0
    int iterations;         ///< factorizations of all islands
    int sleeping;           ///< bodies that sleep after the step
    int tries; ///< adaptive steps: lengths that were tried, each of them once whole and
               ///< once in two halves; else 1
    int pieces; ///< 2: the step is not certified as a whole and was divided into two certified pieces
        ///< (docs/coulomb.md, "Closed gaps and divided steps"); its outcome is UT_STEP_FLAGGED. Else 1
    double closed; ///< gaps up to this length, m, were closed before the step, because it is not
                   ///< certified otherwise; its outcome is UT_STEP_FLAGGED. Else 0
} utStepResult;

/// Take one step.
/// @param input  NULL: no controls and forces; mocap bodies stay
/// @param result may be NULL
/// @return UT_OK when the step was taken; UT_ERR_NOT_TAKEN when it is not certified: `result` is
///         filled, and its certificate gives the reason; UT_ERR_ARGUMENT naming the input that is
///         not finite; UT_ERR_MEMORY. State and time change with UT_OK only, so a loop on the time
///         must check the status
UT_API utStatus ut_sim_step(utSim* sim, const utInput* input, utStepResult* result, utError* err);

/// Energy that the numerical scheme adds in a run. Start from zeros and add every step that was
/// taken.
///
/// The net energy, that is the energy less the work of inputs (utCertificate.energy_gain, summed),
/// may fall because dampers, friction and impacts dissipate. A rise above its least value so far is
/// energy from the scheme. First-order steps cause small rises: 1 % of the largest kinetic energy is
/// common. A rise by more than a tenth deserves a warning.
typedef struct utEnergyLedger {
    double gain;  ///< J: the largest rise so far
    double scale; ///< J: scale of the gain: the largest kinetic energy and ten times its largest
                  ///< change per step, both without the gain, and at least that of one step of
                  ///< free fall
    double projected; ///< J: energy from projections out of overlaps; part of `gain`
    double net;       ///< J: net energy, 0 at the start
    double least;     ///< J: least net energy so far
    double most, kinetic, change, fall, energy; ///< figures from which scale and projected follow
    int steps;
} utEnergyLedger;

/// Add a step that was taken. Without certificates (utSimDef.no_certificate) the gain stays 0.
UT_API void ut_energy_ledger_add(utEnergyLedger* ledger, const utStepResult* result);

/// Is the gain more than a tenth of its scale? RK4 or MIDPOINT instead of EULER, or a shorter step,
/// helps.
UT_API bool ut_energy_ledger_gained(const utEnergyLedger* ledger);

/// Let adaptive steps end exactly at this time; default HUGE_VAL. Steps of a fixed length ignore it.
UT_API void ut_sim_stop_at(utSim* sim, double time);

/// The friction problem of one island of the last step as a .fc text of version 2 (docs/coulomb.md),
/// for `uptack coulomb`, with the impulses of the step. After a failure it is the island that failed,
/// otherwise the one with the largest E. Where the energy limit scaled restitution down, the text has
/// the problem with full restitution.
/// @param text receives memory of the sim, valid until the next call
/// @return UT_ERR_ARGUMENT when the last step had no contacts and rows, or when the state was
///         replaced since; UT_ERR_MEMORY
UT_API utStatus ut_sim_problem(utSim* sim, utText* text, utError* err);

// ---- snapshots ----------------------------------------------------------------------------------

/// Bytes of a snapshot of the present state: time, q, v, warm start, mocap poses, modes.
UT_API size_t ut_sim_snapshot_size(const utSim* sim);

/// Write a snapshot. @return UT_ERR_CAPACITY when `size` is too small
UT_API utStatus ut_sim_save(const utSim* sim, void* memory, size_t size);

/// Restore a snapshot of a sim with the same model. A snapshot holds the state and no settings. With
/// the settings of the saved sim, the sim goes on with the same bits. With another dt, formulation or
/// tolerance, it goes on from the snapshot's time by its own steps, and drops contact modes if its
/// formulation has none. Bytes from anywhere are safe to load, because a hash detects damage and every
/// value is checked.
/// @return UT_ERR_ARGUMENT naming the invalid value, UT_ERR_MEMORY; the sim is then unchanged
UT_API utStatus ut_sim_load(utSim* sim, const void* memory, size_t size, utError* err);

#ifdef __cplusplus
}
#endif

#endif
