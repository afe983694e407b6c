// SPDX-License-Identifier: Apache-2.0
// One step, or one part of a step, while it is being made: from a start state to a next state. The
// sim itself does not change until ut_sim_accept.
//
// A stage that tries another solution copies the whole struct and may go back to the copy. So every
// stage pushes new arrays and does not overwrite the arrays of an earlier solution.
#ifndef UPTACK_SIM_STEP_H
#define UPTACK_SIM_STEP_H

#include "sim/internal.h"

/// An actuator at step->q.
typedef struct Actuation {
    utActuatorLaw law;         // of its input
    double length, rate;       // l and l'
    double rate_of_terms;      // the part of l' that the terms cause: all but saturated joints
    int terms;                 // of the moment, without saturated joints
    const int* index;          // terms
    const double* coefficient; // terms
    bool held;                 // its force is that of the start
    double start;              // p at the start of the step
} Actuation;

/// What acts during the step.
typedef struct StepInput {
    double* ctrl;               // nu, clamped
    double* input;              // nu: the control or the activation
    const double* caller_force; // nv: generalized forces of the caller; NULL: none
    double* force;              // nv: these and the forces of actuators
    double* actuator_diagonal;  // nv: h D + h^2 K of actuators, added to the diagonal of M
    double* stiffness; // nv: of actuators, for integrators with stages; NULL: linearly implicit,
    double* damping;   // in actuator_diagonal
    const utForce* wrench;  // nbody: applied by the caller; NULL: none
    Actuation* actuation;   // nu
    double* actuator_force; // nu: of the solution
    double* compensation;   // nv: gravity compensation of joints whose actuators compensate gravity
    int* saturated;       // nv: side of its range that the sum of a joint driven by others exceeds
    ActuatorRow* limited; // actuators that are rows
    int limited_count;
    utMotion* mocap_velocity; // nmocap: twists that lead from the start poses to the next ones
} StepInput;

/// Motion without contact impulses.
typedef struct FreeMotion {
    double* v;                    // nv: the free velocity v*
    double* q;                    // nq: positions by an integrator with stages; NULL: Euler
    double* diagonal;             // nv: the diagonal of M̂ - M
    const utKinematics* mass_kin; // where M is taken: at q, or at q ⊕ h v
    bool mass_is_current;         // the workspace's mass holds M̂
    utArticulatedFactor* factor;  // of M̂ by articulated bodies
} FreeMotion;

/// Contacts and rows of the problem, and the islands that they form.
typedef struct ActiveSet {
    utContact* contact;
    int contacts;
    int event_contacts; // behind the others: no rows, because they are to bounce
    int detected;       // contacts before the reduction
    utRow* row;
    int rows;
    utIsland* island;
    int islands;
    double* slip; // 2 contacts: slip at the start where the law is kinetic; NULL: nowhere
} ActiveSet;

/// Where contacts are re-linearised: at q ⊕ h v.
typedef struct Relinearisation {
    int passes;
    double* v;              // nv; NULL: none, contacts are those of q
    double* mocap_fraction; // nmocap: fraction of each mocap body's path; NULL: all of it
    utKinematics kin;       // placed there
} Relinearisation;

typedef struct StepSummary {
    int iterations;         // factorizations
    double max_penetration; // before the step, m
    int deepest[2];         // sides of the deepest contact, where there is an overlap
    bool flagged; // the step ends behind or deep in an obstacle, or impacts did not settle
} StepSummary;

// How a step of a large pile is attempted (sim/attempts.c). Zeros are a plain step.
typedef struct StepAttempt {
    double closing; // gaps up to this length are closed before the step, m; 0: none
    bool hasty;     // the solver gives up early, because another attempt follows
} StepAttempt;

typedef struct Step {
    utSim* sim;
    utArena arena;
    utCoulombPlan* plan; // of the thread that solves an island; NULL: the sim's
    double h;            // its length, s
    double end;          // its end, s
    double step_h;       // length of the whole step that it is a part of, s
    bool instant;        // impulses only, h = 0
    int landings;        // earlier sub-steps of this step that ended with a landing
    SimState start;      // as the step found it
    double* q;           // start.q after the projection
    double* v;           // start.v at q (ut_model_carry)
    double* projection;  // nv: displacement from start.q to q; NULL: none
    StepAttempt attempt; // what is different from a plain step
    bool loose;          // equalities cannot all hold (step/loose_equalities.c)
    StepInput input;
    FreeMotion free;
    ContactScene scene;
    ActiveSet active;
    WarmStart warm;    // where the solvers start from
    double warm_scale; // factor on these impulses
    Relinearisation ahead;
    struct BudgetProblem* swept; // tier budget: of the last solution
    double* correction;          // tier budget, nv: displacement out of overlaps; NULL: none
    bool* asleep;                // ntree: trees that sleep through the step; NULL: none
    double asleep_E;             // largest E of the steps in which they fell asleep
    bool* held;                  // ntree: trees that fall asleep in it; NULL: none
    bool* woke;     // a contact or row woke trees: make the step again; with asleep only
    double* v_next; // nv: velocity after the step, at q, as the rows read it
    SimState next;  // the state after the step
    StepSummary summary;
} Step;

/// Start a step of length h from the sim's state, with room for the next state.
utStatus ut_step_start(utSim* sim, double h, double end, double step_h, Step* step);

/// Make a step or sub-step: from the input to impulses and the next state.
/// @param step as ut_step_start left it
utStatus ut_step_make(Step* step, const utInput* input, utError* err);

/// The same after its input, with the trees that are awake.
utStatus ut_step_make_awake(Step* step);

/// Kinematics: place the bodies at step->q, with velocities transported to it.
void ut_step_place_bodies(Step* step);

/// Kinematics, free motion, collision and rows at step->q.
utStatus ut_step_set_up(Step* step);

/// Impulses of all islands, then the next state, restitution included.
utStatus ut_step_solve(Step* step);

utStepReport ut_step_report(Step* step);

/// Complete step->next with its time, warm start and modes, and make it the sim's state.
/// @return UT_ERR_CAPACITY, UT_ERR_MEMORY; the sim is then unchanged
utStatus ut_sim_accept(Step* step, double time);

/// Report fields that need the accepted next state: energies and drift.
void ut_sim_report_next(utSim* sim, utStepReport* report);

// ---- input --------------------------------------------------------------------------------------

/// Check and copy the input: controls, forces, mocap targets.
utStatus ut_step_input(Step* step, const utInput* input, utError* err);

/// Arrays of `step->input` for forces, without values.
utStatus ut_step_push_input(Step* step);

/// Activations after the step, from the controls.
utStatus ut_step_activate(Step* step);

/// Forces of actuators at step->q, their entries on the diagonal of M, and the rows of actuators
/// with a limited force or with terms. A projection changes step->q, so every set-up evaluates them.
utStatus ut_step_actuate(Step* step);

/// The force of each actuator over the step, for the report; step->v_next is known.
void ut_step_actuator_forces(Step* step);

/// Next poses of mocap bodies, and the twists that lead there.
utStatus ut_step_prescribe(Step* step, const utInput* input, utError* err);

// ---- free motion --------------------------------------------------------------------------------

/// v* and the diagonal of M̂, with the bodies placed at step->q.
utStatus ut_step_free_motion(Step* step);

/// Let the workspace's mass hold M̂ of the step.
void ut_step_find_mass(Step* step);

// ---- active set ---------------------------------------------------------------------------------

/// Collision: contacts within reach, with the law of the formulation.
utStatus ut_step_find_contacts(Step* step);

/// Detect contacts, all with velocity laws and gaps.
utStatus ut_step_detect_contacts(Step* step);

/// Move contacts whose closing is an event behind all others: they are no rows.
void ut_step_split_contacts(Step* step);

/// Limits, dry friction, limited actuators, springs and equalities.
utStatus ut_step_find_rows(Step* step);

/// Add contacts and limits that the velocity after the solution brings within reach.
/// @param extended true: solve again, from the impulses so far
utStatus ut_step_extend_active_set(Step* step, bool* extended);

/// Most rows that a step of this model can have.
int ut_step_max_rows(const utModel* model);

/// u_n of a contact under v, motion of mocap bodies included: negative when the gap closes.
double ut_step_normal_velocity(const Step* step, const utContact* c, const double* v);

/// The impulses so far, as a warm start.
utStatus ut_step_keep_impulses(Step* step, WarmStart* warm);

/// Are all islands solved?
bool ut_step_all_solved(const Step* step);

// ---- impulses -----------------------------------------------------------------------------------

/// Form islands and solve each by its law, without restitution.
utStatus ut_step_find_impulses(Step* step);

/// Solve one island from the impulses that its contacts and rows have.
/// @param warm some of these are not 0
utStatus ut_step_solve_island(Step* step, int island, bool warm);

/// Solve all islands, on the sim's threads.
utStatus ut_step_solve_islands(Step* step, bool warm);

/// Prepare contacts for a law on accelerations: set b = h J̇v - J v and the slip of sliding contacts,
/// and drop separating contacts. A contact that still closes keeps the b of the velocity-level law,
/// so that the step stops its approach.
utStatus ut_step_accelerate(Step* step);

/// Solve one island of a law on accelerations.
utStatus ut_step_solve_acceleration(Step* step, int island);

/// Events: drop impulses of contacts that separate, because they are rounding, and solve their
/// islands again.
utStatus ut_step_drop_rounding(Step* step);

/// Restitution: solve islands with bouncing contacts again.
utStatus ut_step_restitution(Step* step);

/// Open, stick, slip or impact: name the state of every contact.
utStatus ut_step_name_states(Step* step);

// ---- tier budget --------------------------------------------------------------------------------

/// Make a step with a fixed number of sweeps, after its set-up.
utStatus ut_budget_make(Step* step);

/// Sweep over all islands, from the impulses that contacts and rows have.
utStatus ut_budget_sweep(Step* step);

/// Sweep over one island.
utStatus ut_budget_sweep_island(Step* step, int island);

/// Would the end of the step let a pair of geoms without a contact overlap?
/// @param path nv: velocity of the path from q to the end
utStatus ut_budget_find_missing(Step* step, const double* path, bool* missing);

// ---- attempts -----------------------------------------------------------------------------------

/// The number of attempts at a step of one piece, at least 1.
int ut_step_attempts(const utSim* sim);

/// Attempt k at a step of length h. Attempt 0 closes no gaps.
StepAttempt ut_step_attempt(const utSim* sim, int k, double h);

/// Do the settings of a sim allow other attempts than a plain step?
bool ut_step_may_try_again(const utSim* sim);

/// Is another attempt worth its time after a step that is not certified? For large piles only: smaller problems that no
/// solver answers have other reasons, which closed gaps or shorter steps would hide.
/// @param report of this step
bool ut_step_is_worth_another(const utStepReport* report);

// ---- integration --------------------------------------------------------------------------------

/// v+ = v* + M̂^-1 J'r, q+ = q ⊕ h v+. Trees without impulses end where the stages of the integrator
/// lead.
utStatus ut_step_integrate(Step* step);

/// The same, and u of all contacts and rows.
utStatus ut_step_advance(Step* step);

/// Trees that an impulse acts on. @param loaded ntree
void ut_step_loaded_trees(const Step* step, bool* loaded);

// ---- positions ----------------------------------------------------------------------------------

/// Project positions out of overlaps and onto equalities.
utStatus ut_step_project(Step* step);

/// Close the gaps up to step->attempt.closing by the least displacement.
utStatus ut_step_close_gaps(Step* step);

/// Is an equality violated by more than rounding?
bool ut_step_violates_equalities(const Step* step);

/// Set step->loose when the equalities cannot all hold, and then give their rows some compliance.
/// @param removable is there an error that a projection removes?
utStatus ut_step_find_loose(Step* step, bool* removable);

/// Give the rows of loose equalities their compliance, if an equality is violated.
utStatus ut_step_loosen(Step* step);

/// Undo a projection that moves the centre of a fast body through an obstacle.
utStatus ut_step_check_projection(Step* step);

/// Re-linearise contacts at the end of the solution, so that the gaps after the step are those of
/// the rows, however far bodies turn: a Newton iteration on gap(q ⊕ h v) >= 0.
/// @param changed true: solve again; false: the rows are accurate already
utStatus ut_step_relinearize(Step* step, bool* changed);

/// Take all contacts at q ⊕ h v_ahead, with the impulses so far as warm start.
/// @param v_ahead        nv, on the step's memory
/// @param mocap_fraction nmocap, likewise; NULL: mocap bodies are at their next poses
utStatus ut_step_linearize_at(Step* step, double* v_ahead, double* mocap_fraction);

/// Velocities and mocap fractions of the re-linearisation so far; 0 where there was none.
double ut_step_v_ahead(const Step* step, int dof);
double ut_step_mocap_fraction(const Step* step, int m);

/// Re-linearise islands whose bodies overlap at the end of the step, but not at its start.
utStatus ut_step_remove_overlaps(Step* step);

/// Are paths of fast bodies swept?
bool ut_sim_sweeps(const utSim* sim);

/// Sweep the paths of fast bodies, take contacts where they meet an obstacle and solve again until
/// the paths are clear.
utStatus ut_step_sweep(Step* step);

#endif
