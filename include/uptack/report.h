// SPDX-License-Identifier: Apache-2.0
/// @file report.h
/// What a step hands out: the state it began with, what acted, which contacts and rows it solved,
/// their impulses and the state it ended with. Plain data, read by the certificate, by recordings
/// and by programs; nothing here knows a solver.
#ifndef UPTACK_REPORT_H
#define UPTACK_REPORT_H

#include <uptack/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- contacts and rows --------------------------------------------------------------------------

typedef enum utContactState {
    UT_CONTACT_OPEN,   ///< no impulse
    UT_CONTACT_STICK,  ///< an impulse, and no slip that stands out of the tolerance
    UT_CONTACT_SLIP,   ///< an impulse and slip
    UT_CONTACT_IMPACT, ///< restitution acted
    UT_CONTACT_STATE_COUNT
} utContactState;

/// @return "open", "stick", "slip" or "impact"
UT_API const char* ut_contact_state_name(utContactState state);

/// Contacts that are faster than this along their surfaces when a step begins have kinetic
/// friction, m/s.
#define UT_SLIPS 1e-6

/// One contact of the active set. Impulses act on geom2, their opposites on geom1.
typedef struct utContact {
    int geom1, geom2; ///< sides: a geom, or ngeom + a site (ut_model_side_body)
    uint64_t feature; ///< which features meet, as utTouch has it
    int island;
    utVec3 point;    ///< world, m
    utVec3 frame[3]; ///< normal from geom1 to geom2, two tangents; world. In a planar world the
                     ///< normal turned by -90 degrees and then the plane's own normal, along
                     ///< which b, r and u are 0
    double gap;      ///< that the step used, m
    double mu;       ///< kinetic where it slips at the step's start
    double b[3];     ///< of u = J v + b: gap and surfaces that move by themselves, m/s
    double r[3];     ///< impulse in `frame`, N s
    double u[3];     ///< relative velocity after the step in `frame`, b included, m/s
    double e;        ///< not filled yet: 0; the certificate has the largest error of a step, m/s
    utContactState state;

    // of impacts; all 0 where there was none
    double restitution;    ///< e of its sides
    double u_n_before;     ///< u_n when the impact began, m/s
    double rebound;        ///< u_n that it is to end with at least, m/s: restitution |before|, or
                           ///< more where collisions are all there is (`mirtich`); b_n is less by
                           ///< this
    double compression[3]; ///< impulse up to the end of compression, N s, where the law has one,
                           ///< or, with a share below 1, the impulse without restitution
} utContact;

/// How the restitution of an island was found.
typedef enum utBounce {
    UT_BOUNCE_NONE,    ///< there is none
    UT_BOUNCE_MOREAU,  ///< one problem: u_n >= rebound for all contacts at once
    UT_BOUNCE_POISSON, ///< two problems: without restitution; then with e times its normal impulses
    UT_BOUNCE_FOLLOWED, ///< one contact, followed in its normal impulse (impact.h)
    UT_BOUNCE_COUNT
} utBounce;

/// @return "none", "moreau", "poisson" or "followed"
UT_API const char* ut_bounce_name(utBounce bounce);

/// What a contact is to the hybrid scheme.
typedef enum utContactMode {
    UT_MODE_OPEN,     ///< none
    UT_MODE_BOUNCING, ///< it collides
    UT_MODE_STEADY,   ///< it is held by the step's rows
    UT_MODE_COUNT
} utContactMode;

/// @return "open", "bouncing" or "steady"
UT_API const char* ut_contact_mode_name(utContactMode mode);

/// A contact passes from one mode to another.
typedef struct utTransition {
    double time; ///< s
    int geom1, geom2;
    uint64_t feature;
    utContactMode from, to;
    double speed; ///< at which it closes then, m/s
} utTransition;

typedef enum utRowKind {
    UT_ROW_LOWER,    ///< a joint's lower limit: r >= 0
    UT_ROW_UPPER,    ///< its upper limit, u counted downwards: r >= 0
    UT_ROW_BALL,     ///< a ball joint's largest angle: r >= 0
    UT_ROW_FRICTION, ///< dry friction of a velocity: |r| <= h frictionloss
    UT_ROW_ACTUATOR, ///< an actuator whose force is limited
    UT_ROW_EQUALITY, ///< one of an equality constraint: u = 0
    UT_ROW_JOINT,    ///< spring, damper and armature of the coordinate that an equality leaves
    UT_ROW_SPRING,   ///< of a spring between sites: the axis, then two directions across it
    UT_ROW_KIND_COUNT
} utRowKind;

UT_API const char* ut_row_kind_name(utRowKind kind);

/// One scalar row of the active set, either of a joint's velocities or of two bodies:
///
///     u = length (direction . v of the joint) + b                          dof >= 0
///     u = linear . (v2(point2) - v1(point1)) + angular . (w2 - w1) + b     dof = -1
///
/// with the velocities of the points of body2 and body1 that are there; b has what bodies that no
/// joint moves contribute.
typedef struct utRow {
    utRowKind kind;
    int joint;
    int actuator;        ///< -1 for none
    int dof;             ///< the first velocity it acts on; -1: of two bodies
    int dofs;            ///< 1, or 3 for a ball
    double direction[3]; ///< on these velocities
    double length;       ///< m: makes angular rows velocities; 1 for slides and two bodies
    int equality;        ///< of UT_ROW_EQUALITY and UT_ROW_SPRING: which one,
    int component;       ///< and which row of it
    int body1, body2;    ///< of two bodies
    utVec3 linear, angular;
    utVec3 point1, point2; ///< world, m
    double compliance;     ///< u gets compliance r on top: an actuator's own law, m/s per N s
    int island;
    double gap; ///< rad or m, of limits; of equalities how far it is off, m
    double b;   ///< m/s
    double low; ///< bounds of r, N s
    double high;
    double r; ///< N s
    double u; ///< m/s, after the step
    double e; ///< not filled yet: 0
} utRow;

// ---- the step -----------------------------------------------------------------------------------

/// How the solve of an island ended.
typedef enum utIslandOutcome {
    UT_ISLAND_SOLVED,
    UT_ISLAND_ITERATIONS, ///< the iteration limit came first
    UT_ISLAND_CONVEX,     ///< the convex form answered instead
    UT_ISLAND_NONE,       ///< it is proved that no impulses obey the law
    UT_ISLAND_RAY,        ///< pivoting ended on a ray
    UT_ISLAND_INEXACT,    ///< the answer of a regularized LCP, which does not pass the law
    UT_ISLAND_THROUGH,    ///< a fast body ends on the other side of a geom all the same
    UT_ISLAND_OVERLAP,    ///< an overlap remains that the step began without
    UT_ISLAND_IMPACTS,    ///< the impacts of one moment did not end within the allowed instants
    UT_ISLAND_OUTCOME_COUNT
} utIslandOutcome;

/// @return for example "solved"; "unknown" for a number that is no outcome
UT_API const char* ut_island_outcome_name(utIslandOutcome outcome);

/// How an island was solved.
typedef struct utIsland {
    int contacts, rows; ///< how many it has
    int trees;
    utRung rung; ///< which rung answered
    utIslandOutcome outcome;
    int iterations;
    bool solved;   ///< by the law asked for
    bool fallback; ///< a flagged rung answered
    double E;      ///< as its solver was judged
    double V;      ///< velocity scale of this E, m/s; 0 where the solver has none
    int ray;       ///< outcomes "none" and "ray": the contact with the largest entry of the vector
                   ///< that proves it, or of the ray; -1: there is none
    utBounce bounce;          ///< how its restitution was found
    int law;                  ///< utImpactLaw of impact.h, where it was followed
    double restitution_scale; ///< fraction of its restitution that adds no energy, 0 ... 1
} utIsland;

typedef struct utStepReport {
    const utModel* model;
    double time; ///< at the step's start, s
    double h;    ///< its length, s
    utIntegrator integrator;
    utFormulation formulation;
    int directions; ///< edges of the friction polygon; 0: the circle; 2 in the plane, where all
                    ///< sections are a segment
    bool midpoint;  ///< M is the one of q ⊕ h v, forces are those of q ⊕ h v / 2
    utVec3 gravity;

    // the state before, and what acted
    const double* q;            ///< nq
    const double* v;            ///< nv
    const double* ctrl;         ///< nu, as clamped
    const double* caller_force; ///< nv: the part of `force` that the caller applied; NULL: none
    const double* force;        ///< nv: of actuators and applied by the caller, held; without
                                ///< springs, dampers and implicit parts
    const double* actuator_diagonal; ///< nv: added to the diagonal of M by actuators: h D + h^2 K
    const double* stiffness;         ///< nv: of actuators, forces - K q - D v besides `force`, for
    const double* damping;           ///< RK4 and MIDPOINT; NULL: none
    const utForce* applied;          ///< nbody
    const double* mocap_pos;         ///< 3 nmocap: at the start
    const double* mocap_quat;        ///< 4 nmocap
    const utMotion* mocap_velocity;  ///< nmocap: twists, of the frame's origin, world
    const double* mocap_pos_next;    ///< 3 nmocap: at the end
    const double* mocap_quat_next;   ///< 4 nmocap

    // what was solved
    int contacts, rows, islands;
    const utContact* contact;
    const utRow* row;
    const utIsland* island;
    int relinearizations;      ///< with any, contacts are those of q ⊕ h v_ahead,
    const double* v_ahead;     ///< nv, with the bodies moved from outside where they end, and
                               ///< b_n = gap / h - J_n v_ahead; NULL: none
    const double* mocap_ahead; ///< nmocap: these bodies are taken at this share of their way
                               ///< instead, and b_n has the rest of it too; NULL: at the end
    // the state after
    const double* v_free; ///< nv: v*, by the integrator, as it is at q
    const double* q_free; ///< nq: where RK4 and MIDPOINT end without impulses; trees without
                          ///< impulses end there, all others at q ⊕ h v+; NULL: EULER
    const double* v_next; ///< nv: v+ = v* + M̂^-1 J'r, carried from q to q_next (ut_model_carry)
    const double* q_next; ///< nq
    const double* projection; ///< nv: displacement of the position projection before the step;
                              ///< NULL: there was none
    double energy;            ///< before, J: kinetic and potential
    double energy_next;       ///< after
    double kinetic_next;      ///< J: the kinetic part of it
    double drift;             ///< the largest distance that an equality is off after the step, m,
                              ///< turns times its reach
    int drift_equality;       ///< which one; -1: none is off

    // impacts
    bool instant; ///< nothing but impulses: h = 0, positions stay, contacts are those that touch
    double
        minimum_rebound; ///< `mirtich`: a rebound is at least this fast, |g| dt / 2, so that a contact at
                         ///< rest collides once a step; m/s
    int transitions; ///< of contacts from one mode to another, in order
    const utTransition* transition;

    // A step that was made of several, one after the other: what each did. The report above then
    // has their contacts, rows and islands together, begins with the first and ends with the last.
    int parts; ///< 0: it is one
    const struct utStepReport* part;
} utStepReport;

#ifdef __cplusplus
}
#endif

#endif
