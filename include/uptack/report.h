// SPDX-License-Identifier: Apache-2.0
/// @file report.h
/// The report of a step: the state before, the input, the contacts and rows with their impulses,
/// and the state after. Certificates, recordings and programs read this plain data; it contains
/// nothing of a solver. The arrays of a report belong to the sim and are valid until its next step.
///
/// Threads may read one report at the same time.
#ifndef UPTACK_REPORT_H
#define UPTACK_REPORT_H

#include <uptack/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- contacts and rows --------------------------------------------------------------------------

typedef enum utContactState {
    UT_CONTACT_OPEN,   ///< no impulse
    UT_CONTACT_STICK,  ///< an impulse, and slip below the tolerance
    UT_CONTACT_SLIP,   ///< an impulse and slip
    UT_CONTACT_IMPACT, ///< an impulse with restitution
    UT_CONTACT_STATE_COUNT
} utContactState;

/// @return "open", "stick", "slip" or "impact"
UT_API const char* ut_contact_state_name(utContactState state);

/// Slip speed at the start of a step above which a contact has kinetic friction, m/s.
#define UT_SLIPS 1e-6

/// One contact of the active set. Impulses act on geom2, opposite impulses on geom1.
typedef struct utContact {
    int geom1, geom2; ///< sides: a geom, or ngeom + a site (ut_model_side_body)
    uint64_t feature; ///< the features that touch, see utTouch
    int island;
    utVec3 point;    ///< world, m
    utVec3 frame[3]; ///< normal from geom1 to geom2 and two tangents; world. In a planar world
                     ///< the tangents are the normal turned by -90 degrees and the plane's
                     ///< normal, along which b, r and u are 0
    double gap;      ///< as the step used it, m; negative for an overlap
    double mu;       ///< static, or kinetic when the contact slips at the step's start
    double b[3];     ///< b of u = J v + b, from the gap, mocap bodies and belts, m/s
    double r[3];     ///< impulse in `frame`, N s
    double u[3];     ///< relative velocity after the step in `frame`, b included, m/s
    double e;        ///< not filled yet: 0; the certificate has the largest error of a step, m/s
    utContactState state;

    // impact; all 0 without one
    double restitution;    ///< coefficient e of the pair
    double u_n_before;     ///< u_n at the start of the impact, m/s
    double rebound;        ///< smallest u_n after the impact, m/s: restitution |u_n_before|, or the
                           ///< minimum rebound in `mirtich`. It is subtracted from b_n
    double compression[3]; ///< impulse up to the end of compression, N s, for laws that have it;
                           ///< with a restitution scale below 1 the impulse without restitution

    // torsional and rolling friction: angular impulses and velocities about the axes of `frame`; all 0
    // for condim 1 and 3
    int condim;       ///< 1, 3, 4 or 6 (ut_model_condim)
    double torsional; ///< torsional friction, m
    double rolling;   ///< rolling friction, m; 0 for condim 4
    double spin_b[3]; ///< relative angular velocity of mocap bodies and belts, rad/s
    double torque[3]; ///< angular impulse on geom2, N m s; opposite on geom1
    double spin[3];   ///< relative angular velocity after the step, spin_b included, rad/s
    double compression_torque[3]; ///< as `compression`, N m s
} utContact;

/// What a contact's impulse and velocity say about its friction law.
typedef struct utContactLaw {
    double lambda; ///< slip multiplier h_P(-u_t), m/s: the slip speed for the circle, and
                   ///< max(0, max_j -d_j.u_t) for a polygon with the directions d_j
    double
        excess; ///< of r_t over mu r_n in the formulation's section, N s; above 0 outside of the cone
} utContactLaw;
typedef struct utStepReport utStepReport;
/// @param report of the step or of its part
UT_API utContactLaw ut_contact_law(const utStepReport* report, const utContact* contact);

/// The law of restitution of an island.
typedef enum utBounce {
    UT_BOUNCE_NONE,     ///< no restitution
    UT_BOUNCE_MOREAU,   ///< one problem: u_n >= rebound for all contacts at once
    UT_BOUNCE_POISSON,  ///< two problems: compression, then restitution with e times its normal
                        ///< impulses
    UT_BOUNCE_FOLLOWED, ///< one contact, integrated over its normal impulse (impact.h)
    UT_BOUNCE_COUNT
} utBounce;

/// @return "none", "moreau", "poisson" or "followed"
UT_API const char* ut_bounce_name(utBounce bounce);

/// The mode of a contact in the hybrid formulation.
typedef enum utContactMode {
    UT_MODE_OPEN,     ///< no contact
    UT_MODE_BOUNCING, ///< collides in instants
    UT_MODE_STEADY,   ///< is a contact of the sub-steps
    UT_MODE_COUNT
} utContactMode;

/// @return "open", "bouncing" or "steady"
UT_API const char* ut_contact_mode_name(utContactMode mode);

/// The change of a contact from one mode to another.
typedef struct utTransition {
    double time; ///< s
    int geom1, geom2;
    uint64_t feature;
    utContactMode from, to;
    double speed; ///< closing speed at that time, m/s
} utTransition;

typedef enum utRowKind {
    UT_ROW_LOWER,        ///< a joint's lower limit: r >= 0
    UT_ROW_UPPER,        ///< a joint's upper limit; u is the negative joint velocity: r >= 0
    UT_ROW_BALL,         ///< a ball joint's largest angle: r >= 0
    UT_ROW_FRICTION,     ///< dry friction of a joint velocity: |r| <= h frictionloss
    UT_ROW_ACTUATOR,     ///< an actuator with limited force
    UT_ROW_EQUALITY,     ///< one row of an equality constraint: u = 0
    UT_ROW_JOINT,        ///< spring, damper and armature of the free coordinate of an equality
    UT_ROW_SPRING,       ///< a spring between sites: its axis, then two directions across the axis
    UT_ROW_TENDON_LOWER, ///< a tendon's shortest length: r >= 0
    UT_ROW_TENDON_UPPER, ///< a tendon's longest length; u is the rate of shortening: r >= 0
    UT_ROW_TENDON_FRICTION, ///< dry friction of a tendon: |r| <= h frictionloss
    UT_ROW_TENDON_SPRING,   ///< spring, damper and armature of a tendon
    UT_ROW_COUPLING,        ///< an equality between joints or between tendons: u = 0
    UT_ROW_KIND_COUNT
} utRowKind;

/// @return for example "lower"
UT_API const char* ut_row_kind_name(utRowKind kind);

/// One scalar row of the active set, on the velocities of a joint, between two bodies, or on any
/// velocities, possibly of several trees:
///
///     u = length (direction . v of the joint) + b                          dof >= 0
///     u = linear . (v2(point2) - v1(point1)) + angular . (w2 - w1) + b     dof = -1, terms = 0
///     u = length sum_k coefficient[k] v[index[k]] + b                      dof = -1, terms > 0
///
/// where v1(x) and v2(x) are velocities of the points of body1 and body2 at x. b includes the
/// velocities of mocap bodies.
typedef struct utRow {
    utRowKind kind;
    int joint;
    int actuator;        ///< -1 for none
    int dof;             ///< the first velocity of the row; -1: between two bodies, or with terms
    int dofs;            ///< 1, or 3 for a ball
    double direction[3]; ///< coefficients of these velocities
    double length;       ///< m: scales angular rows to m/s; 1 for slides and rows of two bodies
    int equality;        ///< index of the equality, spring or tendon
    int component;       ///< index of the row within the equality, spring or tendon
    int body1, body2;    ///< rows between two bodies
    utVec3 linear, angular;
    utVec3 point1, point2;     ///< world, m
    int terms;                 ///< number of velocities of a row over several velocities; else 0
    const int* index;          ///< terms: velocities, ascending
    const double* coefficient; ///< terms: of these velocities
    double compliance;         ///< the law holds for u + compliance r, m/s per N s
    int island;
    double gap;  ///< distance from a limit, rad or m; error of an equality, m; with terms: to be
                 ///< multiplied by length
    double b;    ///< m/s
    double low;  ///< lower bound of r, N s
    double high; ///< upper bound of r, N s
    double r;    ///< N s
    double u;    ///< m/s, after the step
    double e;    ///< not filled yet: 0
} utRow;

// ---- the step -----------------------------------------------------------------------------------

/// How the solve of an island ended.
typedef enum utIslandOutcome {
    UT_ISLAND_SOLVED,
    UT_ISLAND_ITERATIONS, ///< the solver reached its iteration limit
    UT_ISLAND_CONVEX,     ///< fallback: the impulses solve the convex form
    UT_ISLAND_NONE,       ///< a proof shows that no impulses obey the law
    UT_ISLAND_RAY,        ///< pivoting ended on a ray
    UT_ISLAND_INEXACT,    ///< the answer of a regularized LCP, which does not pass the law
    UT_ISLAND_THROUGH,    ///< a fast body passed through a geom
    UT_ISLAND_OVERLAP,    ///< the step ends with an overlap that it began without
    UT_ISLAND_IMPACTS,    ///< the impacts of one moment did not end within the allowed instants
    UT_ISLAND_SWEPT,      ///< tier budget: all sweeps were made
    UT_ISLAND_OUTCOME_COUNT
} utIslandOutcome;

/// @return for example "solved"; "unknown" for a number that is no outcome
UT_API const char* ut_island_outcome_name(utIslandOutcome outcome);

/// How an island was solved.
typedef struct utIsland {
    int contacts, rows; ///< numbers of each
    int trees;
    utRung rung; ///< the rung that gave the impulses
    utIslandOutcome outcome;
    int iterations;
    bool solved;   ///< under the law of the formulation; false in the tier budget
    bool fallback; ///< a fallback rung gave the impulses
    double E;      ///< residual of the solver's result; 0 in the tier budget, where the certificate
                   ///< alone measures it
    double V;      ///< velocity scale of this E, m/s; 0 when the solver has none
    int ray;       ///< outcomes "none" and "ray": the contact with the largest entry of the proof
                   ///< or of the ray; -1: none
    utBounce bounce;          ///< its law of restitution
    int law;                  ///< utImpactLaw of impact.h, for UT_BOUNCE_FOLLOWED
    double restitution_scale; ///< fraction of its restitution that adds no energy, 0 ... 1
} utIsland;

struct utStepReport {
    const utModel* model;
    double time; ///< at the step's start, s
    double h;    ///< length of the step, s
    utIntegrator integrator;
    utFormulation formulation;
    utTier tier;
    int directions; ///< edges of the friction polygon; 0: the circle; 2 in the plane, where every
                    ///< section is a segment
    bool midpoint;  ///< M is evaluated at q ⊕ h v and forces at q ⊕ h v / 2
    utVec3 gravity;

    // the state before, and the input
    const double* q;            ///< nq
    const double* v;            ///< nv
    const double* ctrl;         ///< nu, clamped to the ranges of the actuators
    const double* act;          ///< na: activations before the step
    const double* caller_force; ///< nv: the part of `force` that the caller applied; NULL: none
    const double* force;        ///< nv: constant forces of actuators and of the caller
    const double* actuator_diagonal; ///< nv: added to the diagonal of M by actuators: h D + h^2 K
    const double* stiffness;         ///< nv: K of actuators, a force -K q; for RK4 and MIDPOINT;
                                     ///< NULL: none
    const double* damping;           ///< nv: D of actuators, a force -D v; NULL: none
    const utForce* applied;   ///< nbody: wrenches about the centres of mass, world; NULL: none
    const double* mocap_pos;  ///< 3 nmocap: at the start
    const double* mocap_quat; ///< 4 nmocap
    const utMotion* mocap_velocity; ///< nmocap: twists of the frame's origin, world
    const double* mocap_pos_next;   ///< 3 nmocap: at the end
    const double* mocap_quat_next;  ///< 4 nmocap

    // contacts, rows and islands
    int contacts, rows, islands;
    const utContact* contact;
    const utRow* row;
    const utIsland* island;
    int relinearizations;  ///< number of re-linearisations; v_ahead exists when it is > 0
    const double* v_ahead; ///< nv: contacts are those of q ⊕ h v_ahead, with mocap bodies at the
                           ///< end of the step, and b_n = gap / h - J_n v_ahead; NULL: none
    const double* mocap_ahead; ///< nmocap: mocap bodies are at this fraction of their displacement
                               ///< instead, and b_n includes the rest of it; NULL: at the end

    // the state after
    const double* v_free;   ///< nv: v*, at q
    const double* q_free;   ///< nq: q of RK4 and MIDPOINT without impulses. Trees without impulses
                            ///< end there, all other trees at q ⊕ h v+; NULL: EULER
    const double* v_next;   ///< nv: v+ = v* + M̂^-1 J'r, carried from q to q_next (ut_model_carry)
    const double* q_next;   ///< nq
    const double* act_next; ///< na: activations after the step
    const double* actuator_force; ///< nu: force p of each actuator over the step (utActuatorKind),
                                  ///< N or N m; 0 in an instant
    const double* projection;     ///< nv: displacement of the position projection before the step;
                                  ///< NULL: none
    const double* correction;     ///< nv: tier budget: displacement out of overlaps besides that of
                                  ///< the velocity: q+ = q ⊕ (h v+ + correction); NULL: none
    double energy;                ///< kinetic and potential energy before, J
    double energy_next;           ///< kinetic and potential energy after, J
    double kinetic_next;          ///< kinetic energy after, J
    double drift;       ///< largest error of an equality after the step, m; rotations times reach
    int drift_equality; ///< the equality with this error; -1: none has one

    // impacts
    bool instant; ///< h = 0: impulses change velocities, and positions stay
    double
        minimum_rebound; ///< `mirtich`: smallest rebound speed, |g| dt / 2, m/s. It lets a contact
                         ///< at rest collide once per step
    int transitions;     ///< changes of contact modes, in order of time
    const utTransition* transition;

    // sleeping trees (docs/sleeping.md)
    const bool* asleep; ///< ntree: trees that sleep through the step. They do not move, and their
                        ///< contacts and rows are not reported; NULL: none
    double asleep_E;    ///< largest E of the certificates of the steps in which they fell asleep

    // Parts: a step may consist of sub-steps and instants, each with a report of its own. The
    // report of the step then has the contacts, rows and islands of all parts in order, the state
    // before the first part and the state after the last.
    int parts; ///< 0: the step has no parts
    const struct utStepReport* part;
};

#ifdef __cplusplus
}
#endif

#endif
