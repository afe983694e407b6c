// SPDX-License-Identifier: Apache-2.0
// What the files of the sim module share.
#ifndef UPTACK_SIM_INTERNAL_H
#define UPTACK_SIM_INTERNAL_H

#include <uptack/impact.h>
#include <uptack/sim.h>

#include "contact/contact.h"

/// What a contact was when it was last seen.
typedef struct ModeEntry {
    int geom1, geom2;
    uint64_t feature;
    utContactMode mode;
    int seen; // since the last look; an int, so that there is no padding in a snapshot
} ModeEntry;

struct utSim {
    const utModel* model;
    const utAllocator* allocator;
    utArena memory; // everything that lasts
    const utFormulationTraits* formulation;
    utFormulation which;
    utSection section;
    utCoulombSolver solver;
    utLcpSolver lcp;
    bool inexact; // the LCP is changed on purpose
    utIntegrator integrator;
    int directions;
    double dt;    // of a step
    double h;     // of what is being made: a step, or a part of one
    double whole; // length of the step that is being made of parts
    double tolerance;
    bool keep_going;
    bool no_certificate;

    // impacts
    utImpactLaw law;             // of one contact that is followed
    utSimultaneous simultaneous; // of several
    bool guard;                  // restitution is cut down where it would gain energy

    // the state
    double time;
    double* q;
    double* v;
    double* mocap_pos;
    double* mocap_quat;
    double* q_given;          // nq: positions from outside while they are checked
    utMotion* mocap_velocity; // of functions of the time, for those who ask

    // workspace
    utKinematics kin;
    utMass mass;
    utBroad* broad;
    utArena step; // grows
    size_t step_size;
    int max_pairs;
    int max_contacts;

    // modes of contacts that bounce or are steady, part of the state
    utArena mode_memory; // grows
    ModeEntry* mode;     // in ascending order
    int modes;
    int mode_capacity;
    int landings; // spans of this step that ended where a contact came down without a bounce
    utArena keep; // parts of the last step; grows

    // kept from step to step
    utArena warm_memory; // grows
    WarmImpulse* warm;
    int warm_count;
    int warm_capacity;
    double warm_h; // step that they belong to

    double start; // time is start + steps dt, so that it does not drift
    uint64_t steps;
    double end; // when what is being made ends

    double adaptive; // error of a step that is allowed, m; 0: steps are dt long
    double h_next;   // that the next step begins with, if it is chosen
    double stop;     // no step goes past this time

    utStepReport last;    // of the last step or of the part that decided, on the step's memory
    const double* last_q; // where it was solved: after its projection
    int last_island;      // of it: the one that decided
    bool has_last;
    utArena text; // of ut_sim_problem
};

/// @return UT_ERR_ARGUMENT naming the first entry that is not finite; x may be NULL
utStatus ut_sim_check_finite(const char* name, int n, const double* x, utError* err);

/// @return UT_ERR_ARGUMENT for a time that is not finite, or so far from 0 that steps are lost in
/// its
///         last digits
utStatus ut_sim_check_time(const utSim* sim, double time, utError* err);

/// The shortest step that is chosen, s.
double ut_sim_shortest(const utSim* sim);

/// Does the integrator have stages of its own, as RK4 and MIDPOINT have?
static inline bool ut_sim_staged(const utSim* sim)
{
    return sim->integrator == UT_INTEGRATOR_RK4 || sim->integrator == UT_INTEGRATOR_MIDPOINT;
}

/// Are steps made of parts?
static inline bool ut_sim_has_parts(const utSim* sim)
{
    return sim->formulation->events || sim->adaptive > 0.0;
}

/// Put the bodies that follow a function of the time where they are then.
/// @param twist nmocap; NULL: not asked for
void ut_sim_follow(const utModel* model, double time, double* mocap_pos, double* mocap_quat,
                   utMotion* twist);

/// Rows there can be at most.
int ut_sim_max_rows(const utModel* model);

/// Place the bodies where the state is, for those who ask.
void ut_sim_place(utSim* sim);

/// Room for so many kept impulses; those there are stay.
utStatus ut_sim_reserve_warm(utSim* sim, int count);

/// Everything of one try of a step, on the step's memory.
typedef struct Step {
    utSim* sim;
    utArena arena;
    ContactScene scene;
    double* q_start; // as the step found it
    double* q;       // after the projection
    double* v_start; // before the step
    double* v;       // the same at q: ut_model_carry
    double* mocap_pos;
    double* mocap_quat;
    double* ctrl;
    const double* given; // nv: generalized forces of the input; NULL: none
    double* force;       // nv: these and the actuators'
    double* more;
    double* stiffness; // of actuators, for integrators that take their forces as they go;
    double* damping;   // NULL: linearly implicit, in `more`
    utForce* applied;
    utMotion* mocap_velocity;
    double* mocap_pos_next;  // 3 nmocap
    double* mocap_quat_next; // 4 nmocap
    ActuatorLaw* law;
    int laws;
    bool instant; // nothing but impulses, h = 0
    int contacts, rows, islands;
    int watched; // contacts behind the others that are no rows: they bounce
    int found;   // contacts, before those that others make up for were dropped
    utContact* contact;
    utRow* row;
    utIsland* island;
    double* slip;     // 2 contacts: at the step's start where the law is kinetic; NULL: nowhere
    double* diagonal; // nv: what M̂ has on its diagonal beyond M
    const utKinematics* heavy; // where M is taken: the sim's, or at q ⊕ h v
    bool has_mass;             // the sim's mass holds the entries of M̂ of this look
    double* v_free;
    double* q_free; // NULL: Euler, whose positions follow from v_next
    double* v_next; // at q, as v_free is and the rows read it
    double* q_next;
    double* v_end;           // nv: v_next at q_next: of the next state
    double* projection;      // NULL: none
    const WarmImpulse* warm; // where impulses start from
    int warm_count;
    double warm_share;
    int iterations;
    int passes;             // re-linearisations
    double* v_ahead;        // nv: of the last; NULL: none
    double* mocap_ahead;    // nmocap: shares of their ways; NULL: all of it
    utKinematics kin_ahead; // at q ⊕ h v_ahead
    bool through;           // a body ends on the other side of something, or deep in it
    double max_penetration;
    int deepest[2]; // sides of the deepest contact, where there is one
} Step;

/// Copy the state, and look at the input.
utStatus ut_step_begin(utSim* sim, const utInput* input, Step* step, utError* err);

/// Twice as much memory for steps.
utStatus ut_sim_grow(utSim* sim);

/// Check the input; set ctrl, applied wrenches and mocap velocities, and reserve memory for forces.
utStatus ut_step_input(Step* step, const utInput* input, utError* err);

/// Forces of actuators at step->q, the entries that they add to the diagonal of M, and the laws of
/// those with a limited force. A projection moves step->q, so every look evaluates them again.
void ut_step_actuate(Step* step);

/// Place everything at step->q, find v* and M̂, contacts and rows.
utStatus ut_step_look(Step* step);

/// The entries of M̂ at the step's look, for the problems of islands.
void ut_step_mass(Step* step);

/// Move positions out of overlaps, if there are any; looks again then.
utStatus ut_step_project(Step* step);

/// v* and M̂ where M is taken at q ⊕ h v and forces at q ⊕ h v / 2; sets step->heavy.
utStatus ut_step_free_midpoint(Step* step, const utSmooth* smooth);

/// Contacts on accelerations: b = h J̇v - J v, and which of them slide. Those that part are left
/// out, and those that close with a speed keep b of velocities: they end their approach.
utStatus ut_step_accelerate(Step* step);

/// One island of the law on accelerations.
utStatus ut_step_solve_acceleration(Step* step, int island);

/// Impulses of all islands and the velocities after them, restitution included.
utStatus ut_step_solve(Step* step);

/// Impulses of one island, from those that contacts and rows have. @param warm some of these are
/// worth it
utStatus ut_step_solve_island(Step* step, int island, bool warm);

/// v+ = v* + M̂^-1 J'r, q+ = q ⊕ h v+; trees that no impulse acts on end where the integrator's
/// stages lead.
utStatus ut_step_move(Step* step);

/// Trees that an impulse acts on. @param pushed ntree
void ut_step_pushed(const Step* step, bool* pushed);

/// Let contacts bounce, where any does: solve their islands again.
utStatus ut_step_rebound(Step* step);

// ---- steps made of parts ------------------------------------------------------------------------

/// A step on its way that is made of parts: spans of time and instants. The sim's own state goes
/// along with it, and back to where it was if the step is not taken.
typedef struct Parts {
    utSim* sim;
    const utInput* input;
    utArena keep; // what is left of the sim's
    utStepReport* part;
    int parts, part_capacity;
    utTransition* transition;
    int transitions, transition_capacity;
    double h;            // of the step, s
    double end;          // when it ends
    double until;        // of what is being made of it
    double pressed;      // when contacts at rest collided last
    double* target_pos;  // 3 nmocap: where moved bodies end
    double* target_quat; // 4 nmocap
    utMotion* moving;    // nmocap: their twists
    double* ctrl;        // nu: as it acts
    utForce* applied;    // nbody
    double max_penetration;
    int deepest[2]; // sides of the deepest contact, where there is one
    int iterations;
    bool flagged;
    bool endless; // the impacts of a moment did not end: no further moment is looked for

    // of steps that are chosen
    int tries;   // lengths
    bool pushed; // impulses act
    double off;  // m: how far impacts that are made before they are due lead astray
    double due;  // s: length of a step that ends before the first of them

    // as it was
    double *q, *v, *mocap_pos, *mocap_quat;
    double time, start, h_next;
    uint64_t steps;
    WarmImpulse* warm;
    int warm_count;
    double warm_h;
    ModeEntry* mode;
    int modes;
} Parts;

/// Begin a step of length dt: keep the state, and see where moved bodies go.
utStatus ut_parts_begin(utSim* sim, const utInput* input, double dt, Parts* parts, utError* err);

/// What comes next goes up to a moment of the step: see where moved bodies are then.
utStatus ut_parts_go_on(Parts* parts, double until, utError* err);

/// See how far off a part that is about to be taken is for its impacts.
void ut_parts_watch_impacts(Parts* parts, const Step* step);

/// Make a span of length h from where the sim is; the sim stays there.
utStatus ut_parts_span(Parts* parts, double h, Step* step, utError* err);

/// Begin an instant where the sim is: contacts that touch, none of them bounces yet.
utStatus ut_parts_instant(Parts* parts, Step* step);

/// Let the sim be where a part ends.
utStatus ut_parts_take(Parts* parts, const Step* step, double time);

utStatus ut_parts_transition(Parts* parts, const utTransition* transition);

/// All parts together as one report.
utStatus ut_parts_report(Parts* parts, utStepReport* report);

/// The sim is as it was.
void ut_parts_undo(Parts* parts);

/// What a collision comes back with at least where there is nothing else, m/s.
double ut_sim_hop(const utSim* sim);

/// Fill parts with spans and instants up to parts->until: contacts bounce or are steady.
utStatus ut_step_events(Parts* parts, utError* err);

/// A step whose length is chosen: the sim is where it ends, unless it is not taken.
/// @param parts the step as it is taken, of two halves
utStatus ut_step_adapt(utSim* sim, const utInput* input, Parts* parts, utError* err);

utStepReport ut_step_report(const Step* step);

/// Keep for ut_sim_problem what decided of a step, and of one that is made of parts.
/// @param q where the step was solved, on the step's memory
void ut_sim_keep_step(utSim* sim, const utStepResult* result, const double* q);
utStatus ut_sim_keep_part(utSim* sim, const utStepResult* result);

/// Find M̂ of the kept part again; sim->kin is where it was solved. Of a step without parts the
/// sim's M̂ is still the step's.
utStatus ut_sim_restore_mass(utSim* sim, utArena scratch);

/// The whole way from what acts to impulses and the next state, of a step or a span.
utStatus ut_step_make(utSim* sim, const utInput* input, Step* step, utError* err);

// ---- bouncing and steady ------------------------------------------------------------------------

/// What a contact was when it was last seen.
utContactMode ut_mode_of(const utSim* sim, const utContact* c);

/// A contact bounces when e |u_n| is more than this, m/s.
double ut_mode_threshold(const utSim* sim, const utContact* c);

utStatus ut_sim_reserve_modes(utSim* sim, int count);

/// Put contacts that bounce behind all others: they are no rows.
void ut_step_watch(Step* step);

/// Modes of contacts after an instant, and after a span; both before it is taken.
utStatus ut_modes_after_impact(Parts* parts, const Step* step);
utStatus ut_modes_after_span(Parts* parts, const Step* step);

/// u_n of a contact under v, surfaces that are moved from outside included: negative when it
/// closes.
double ut_step_closing(const Step* step, const utContact* c, const double* v);

/// When a contact that is watched closes within the span.
/// @param at      share of the span; 2: none does  @param which its contact, -1
/// @param pressed one that touches at the begin closes from there
utStatus ut_step_locate(Step* step, double* at, int* which, bool* pressed);

/// The gap that a watched contact has where the span ends.
utStatus ut_step_gap_after(Step* step, const utContact* c, double* gap);

/// Where a mocap body is after a time t of the step.
void ut_step_move_mocap(const Step* step, int m, double t, double* pos, double* quat);

// ---- more looks ---------------------------------------------------------------------------------

/// See whether a body that an impulse made faster meets something that was out of reach before.
/// @param more true: the contacts are now those, with the impulses found so far; solve again
utStatus ut_step_look_again(Step* step, bool* more);

/// Take contacts anew where the solution at hand leads, so that gaps after the step are those that
/// the rows say, whatever bodies turn by: Newton's iteration on gap(q ⊕ h v) >= 0.
/// @param more true: solve again; false: the rows are right to 1e-9 m already
utStatus ut_step_relinearize(Step* step, bool* more);

/// Take all contacts at q ⊕ h v_ahead; impulses so far are where the next solve starts.
/// @param v_ahead     nv, on the step's memory
/// @param mocap_ahead nmocap, likewise; NULL: mocap bodies are where they end
utStatus ut_step_take_ahead(Step* step, double* v_ahead, double* mocap_ahead);

/// Look where the step ends, and re-linearise islands whose bodies overlap there though they did
/// not at the start.
utStatus ut_step_separate(Step* step);

/// Are there fast bodies, and a formulation that knows gaps?
bool ut_step_sweeps(const utSim* sim);

/// Take a projection back that leads the centre of a fast body through something.
utStatus ut_step_check_projection(Step* step);

/// See what fast bodies meet on their way, take contacts there and solve again until it is clear.
utStatus ut_step_sweep(Step* step);

#endif
