// What the files of the sim module share.
#ifndef UPTACK_SIM_INTERNAL_H
#define UPTACK_SIM_INTERNAL_H

#include <uptack/sim.h>

#include "contact/contact.h"

/// How a formulation goes about it.
typedef struct Formulation {
    const char* name;
    utSectionKind kind; // circle, or which polygon
    bool signed_gaps;   // b_n = gap / h also where shapes overlap
    bool no_gaps;       // b_n = 0
    bool convex;
    bool projected;       // positions are projected
    bool explicit_forces; // springs, dampers and motions as they are at the step's start
    ContactReach reach;   // of its contacts
    bool acceleration;    // the law is on accelerations
} Formulation;

/// @return NULL when there is none of that name
const Formulation* ut_formulation_find(const char* name);

struct utSim {
    const utModel* model;
    const utAllocator* allocator;
    utArena memory; // everything that lasts
    const Formulation* formulation;
    utSection section;
    utCoulombSolver solver;
    utLcpSolver lcp;
    bool inexact; // the LCP is changed on purpose
    utIntegrator integrator;
    int directions;
    double h;
    double tolerance;
    bool keep_going;
    bool no_certificate;

    // the state
    double time;
    double* q;
    double* v;
    double* mocap_pos;
    double* mocap_quat;
    utMotion* mocap_velocity; // of functions of the time, for those who ask

    // workspace
    utKinematics kin;
    utMass mass;
    utBroad* broad;
    utArena step; // grows
    size_t step_size;
    int max_pairs;
    int max_contacts;

    // kept from step to step
    utArena warm_memory; // grows
    WarmImpulse* warm;
    int warm_count;
    int warm_capacity;
    double warm_h; // step that they belong to

    double start; // time is start + steps h, so that it does not drift
    uint64_t steps;

    utStepReport last;    // of the last step, on the step's memory
    const double* last_q; // where it was solved: after its projection
    bool has_last;
    utArena text; // of ut_sim_problem
};

/// @return UT_ERR_ARGUMENT naming the first entry that is not finite; x may be NULL
utStatus ut_sim_check_finite(const char* name, int n, const double* x, utError* err);

/// Does the integrator have stages of its own, as RK4 and MIDPOINT have?
static inline bool ut_sim_staged(const utSim* sim)
{
    return sim->integrator == UT_INTEGRATOR_RK4 || sim->integrator == UT_INTEGRATOR_MIDPOINT;
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
    double* v;       // before the step
    double* mocap_pos;
    double* mocap_quat;
    double* ctrl;
    double* force;
    double* more;
    double* stiffness; // of actuators, for integrators that take their forces as they go;
    double* damping;   // NULL: linearly implicit, in `more`
    utForce* applied;
    utMotion* mocap_velocity;
    double* mocap_pos_next;  // 3 nmocap
    double* mocap_quat_next; // 4 nmocap
    ActuatorLaw* law;
    int laws;
    int contacts, rows, islands;
    int found; // contacts, before those that others make up for were dropped
    utContact* contact;
    utRow* row;
    utIsland* island;
    double* slip;     // 2 contacts: at the step's start where the law is kinetic; NULL: nowhere
    double* diagonal; // nv: what M̂ has on its diagonal beyond M
    const utKinematics* heavy; // where M is taken: the sim's, or at q ⊕ h v
    bool has_mass;             // the sim's mass holds the entries of M̂ of this look
    double* v_free;
    double* q_free; // NULL: Euler, whose positions follow from v_next
    double* v_next;
    double* q_next;
    double* projection;      // NULL: none
    const WarmImpulse* warm; // where impulses start from
    int warm_count;
    double warm_share;
    int iterations;
    int passes;             // re-linearisations
    double* v_ahead;        // nv: of the last; NULL: none
    double* mocap_ahead;    // nmocap: shares of their ways; NULL: all of it
    utKinematics kin_ahead; // at q ⊕ h v_ahead
    bool through;           // a fast body ends on the other side of something
    double max_penetration;
} Step;

/// Copy the state, and look at the input.
utStatus ut_step_begin(utSim* sim, const utInput* input, Step* step, utError* err);

/// Twice as much memory for steps.
utStatus ut_sim_grow(utSim* sim);

/// Look at the input; then ctrl, forces, what actuators add to M, mocap
/// velocities.
utStatus ut_step_input(Step* step, const utInput* input, utError* err);

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

/// Impulses of all islands and the velocities after them.
utStatus ut_step_solve(Step* step);

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

/// Are there fast bodies, and a formulation that knows gaps?
bool ut_step_sweeps(const utSim* sim);

/// Take a projection back that leads the centre of a fast body through something.
utStatus ut_step_check_projection(Step* step);

/// See what fast bodies meet on their way, take contacts there and solve again until it is clear.
utStatus ut_step_sweep(Step* step);

#endif
