// SPDX-License-Identifier: Apache-2.0
// Declarations that the files of the certificate share. Letters as in docs/certificate.md:
//
//     M̂ = M + diag(armature + hD + h^2 K)    v+ = v* + M̂^-1 J'r    u = J v+ + b    A = J M̂^-1 J'
//
// An item is a contact or a row. Contacts come first and have three entries in u; rows have one.
#ifndef UPTACK_CERTIFICATE_INTERNAL_H
#define UPTACK_CERTIFICATE_INTERNAL_H

#include <uptack/certificate.h>
#include <uptack/dyn.h>
#include <uptack/law.h>

#include "certificate/placements.h"
#include "certificate/tolerances.h"
#include "la/scalar.h"
#include "la/wide_force.h"
#include "report/row_terms.h"

/// Mocap bodies at the configuration of the contacts, when that is neither start nor end.
typedef struct MocapAhead {
    utMotion* moved; ///< nmocap: displacement up to there, over h
    double* pos;     ///< 3 nmocap
    double* quat;    ///< 4 nmocap
} MocapAhead;

/// The equations of motion. Velocities are at q.
typedef struct Motion {
    double* diagonal;   ///< nv: hD + h^2 K of joints and actuators
    double* v_free;     ///< nv: v* of the report, corrected by stage_error
    bool* has_diagonal; ///< ntree: armature, springs, dampers or actuators add to M's diagonal
    double* v_free_recomputed; ///< nv: v* by articulated bodies; not set for plain trees
    double* passive;           ///< nv: forces of springs and dampers of joints at (q, v)
    double* centripetal;       ///< nv: b, which keeps the centre of mass of a root on a line
    bool* plain;               ///< ntree: plain_free or plain_planar
    bool* jointed;             ///< ntree: not plain
    double* impulse;           ///< nv: J'r
    double* residual;          ///< nv: M̂ (v+ - v*) - J'r, with the stage's residual
    double* v_error;           ///< nv: v+ less the velocity that the impulses give
    double* stage_residual;    ///< nv: residual of the equation that gave v*
    double* stage_error;       ///< nv: M̂^-1 stage_residual
    double* q_next;            ///< nq: q+ recomputed; a temporary before that
    WideForce* body_impulse;   ///< nbody: impulses on bodies, about their centres of mass
    utForce* rounded_impulse;  ///< nbody: body_impulse in double precision
    utForce* body_force;       ///< nbody: applied forces, and springs that are not rows
    double* force;             ///< nv: of the report, and of tendons with explicit forces
} Motion;

/// Islands, each at the index of its first tree; ntree entries unless stated.
typedef struct Islands {
    int* first_tree;       ///< of the island that the tree belongs to
    int* reported;         ///< number of the island in the report
    double* V;             ///< velocity scale, m/s
    double* speed;         ///< the largest speed, m/s
    double* largest_trace; ///< 2 ntree: largest trace of contacts, and of rows
} Islands;

/// Contacts and rows. Velocities have 3 contacts + rows entries.
typedef struct Items {
    double* trace;      ///< contacts + rows: tr(A_ii)
    double* side_trace; ///< 2 (contacts + rows): contribution of each side, without compliance
    double* term_trace; ///< terms of all rows one after the other: contribution of a tree, at its
                        ///< first term
    double* u_free;     ///< J v* + b
    double* u;          ///< J v+ + b
    double* b;
    double* base;     ///< b without the velocities of mocap bodies and belts
    double* u_before; ///< J v with mocap bodies and belts; for accelerations and impacts
    int* body;        ///< 2 contacts: the bodies of both sides
    int* island;      ///< contacts + rows: the first tree of its island
    // 3 contacts: relative angular velocities about the axes of a contact, times its length, m/s; 0
    // about axes without friction
    double* turn_b;
    double* turn_free;
    double* turn;
} Items;

/// Data of impacts.
typedef struct Impacts {
    bool present;             ///< the report states impacts; otherwise the arrays are not filled
    double* u_compression;    ///< 3 contacts + rows: u after the impulses of compression
    double* turn_compression; ///< 3 contacts: turn after the impulses of compression
    double* gap_velocity;     ///< contacts: base of the normal row without the rebound
    double* K;                ///< 9 contacts: J M̂^-1 J' of followed contacts, 1/kg
} Impacts;

/// An actuator as the model, the input and the state define it: p = c - K l - D l' before its limits.
typedef struct ActuatorCheck {
    double c, K, D;
    double length;         ///< l at q
    double rate;           ///< l' before the step
    double rate_next;      ///< l' after the step, with the velocities of saturated joints before it
    double rate_size;      ///< sum of the absolute terms of both, which may cancel
    double rate_saturated; ///< the part of l' that saturated joints cause
    double* moment;        ///< nv, 0 for saturated joints; NULL for hinges, slides and equalities
    double moment_size;    ///< sum of the absolute moments of all joints and of their terms
    int rows;              ///< how many rows of the report belong to it
} ActuatorCheck;

/// Actuators of a joint with a range for their sum, along its coordinate.
typedef struct JointSum {
    int first;        ///< implicit actuator; -1: none
    double constant;  ///< explicit forces
    double force;     ///< these and the implicit forces for v+ = 0
    double S;         ///< h D + h^2 K
    double low, high; ///< bounds of the force
    double size;      ///< of the terms of the force
} JointSum;

/// The law of an actuator's row: x'+ + compliance r + b = 0, low <= r <= high.
typedef struct ActuatorRowLaw {
    double compliance, b, low, high;
} ActuatorRowLaw;

/// The intermediate results of one certificate.
typedef struct Judge {
    const utStepReport* report;
    const utStepReport* step; ///< the step of which the report is a part; NULL: it is no part
    const utModel* model;
    utFormulationTraits traits; ///< of the formulation; in an instant with touching contacts only
    utSection* section;
    utSection* product;       ///< of contacts with torsional or rolling friction, where spins
    bool spins;               ///< a contact has torsional or rolling friction
    utKinematics kin_start;   ///< at q
    utKinematics kin_contact; ///< at the configuration of the contacts: q, or q ⊕ h v_ahead
    utKinematics kin_mass;    ///< at the configuration of M: q, or q ⊕ h v
    utKinematics kin_end;     ///< at the end of the step
    bool knows_energy;        ///< of the state before the step, energy_before
    double energy_before, energy_after; ///< J
    double kinetic_after;               ///< J, part of energy_after
    MocapAhead mocap;
    utArticulatedFactor* factor; ///< of M̂
    double* q;                   ///< nq: start of the step, after its projection
    double* v;                   ///< nv: velocity before the step, at q
    double* v_next;              ///< nv: velocity after the step, at q
    double* zero;                ///< nv zeros
    bool belts;                  ///< a surface moves
    double* temp;                ///< nv: temporary
    double* temp2;               ///< nv: temporary
    Motion motion;
    Islands island;
    Items item;
    Impacts impact;
    ActuatorCheck* actuator; ///< nactuator
    double* compensation;    ///< nv: gravity compensation that counts as a force of actuators
    int* saturated;          ///< nv: 1 above, -1 below the range of a joint that others drive, too
    double* moments;         ///< nv for each actuator that has a moment
} Judge;

// ---- small functions ----------------------------------------------------------------------------

/// Entry i of a vector that may be absent.
static inline double entry_or_zero(const double* x, int i)
{
    return x != NULL ? x[i] : 0.0;
}

/// Are two values equal up to a few roundings? An infinite value equals only itself.
static inline bool same_value(double a, double b)
{
    return a == b || (isfinite(a - b) && fabs(a - b) <= SAME_VALUE * (fabs(a) + fabs(b)));
}

/// Are two points (or vectors of about unit size) equal up to a few roundings?
static inline bool same_point(utVec3 a, utVec3 b)
{
    return ut_vec3_norm(ut_vec3_sub(a, b)) <=
           SAME_VALUE * (1.0 + ut_vec3_norm(a) + ut_vec3_norm(b));
}

static inline utVec3 load3(const double* x)
{
    return ut_vec3(x[0], x[1], x[2]);
}

/// RK4 and MIDPOINT have stages; the other integrators have one equation for v*.
static inline bool has_stages(const utStepReport* report)
{
    return report->integrator == UT_INTEGRATOR_RK4 || report->integrator == UT_INTEGRATOR_MIDPOINT;
}

// ---- items and islands --------------------------------------------------------------------------

static inline int contact_body(const Judge* judge, int contact, int side)
{
    return judge->item.body[2 * contact + side];
}

static inline int contact_tree(const Judge* judge, int contact, int side)
{
    return judge->model->body[contact_body(judge, contact, side)].tree;
}

/// The tree on one side of a row. A row of a joint has its tree on side 0 and none on side 1. A row
/// with terms has the tree of its first term on side 0.
static inline int row_tree(const Judge* judge, int row, int side)
{
    const utRow* r = &judge->report->row[row];
    if (r->terms > 0) {
        return side == 0 ? judge->model->body[judge->model->dof_body[r->index[0]]].tree : -1;
    }
    if (r->dof >= 0) {
        return side == 0 ? judge->model->body[judge->model->dof_body[r->dof]].tree : -1;
    }
    return judge->model->body[side == 0 ? r->body1 : r->body2].tree;
}

/// The tree on one side of an item; -1 for a body that no joint moves.
static inline int item_tree(const Judge* judge, int item, int side)
{
    const int contacts = judge->report->contacts;
    return item < contacts ? contact_tree(judge, item, side)
                           : row_tree(judge, item - contacts, side);
}

/// The first tree of an item's island.
static inline int island_of(const Judge* judge, int item)
{
    return judge->item.island[item];
}

/// The velocity of a body's point; kin is placed and moved.
static inline utVec3 velocity_at(const utKinematics* kin, int body, utVec3 point)
{
    const int tree = kin->model->body[body].tree;
    const utVec3 origin = kin->origin[tree >= 0 ? tree : kin->model->ntree];
    const utMotion* twist = &kin->velocity[body];
    return ut_vec3_add(twist->linear, ut_vec3_cross(twist->angular, ut_vec3_sub(point, origin)));
}

/// The velocity of the second body at contact i relative to the first; kin_contact is moved.
static inline utVec3 contact_velocity(const Judge* judge, int i)
{
    const utVec3 point = judge->report->contact[i].point;
    return ut_vec3_sub(velocity_at(&judge->kin_contact, contact_body(judge, i, 1), point),
                       velocity_at(&judge->kin_contact, contact_body(judge, i, 0), point));
}

/// Rows of a contact: 2 in a planar world, 3 in space. In the plane the third entry is 0.
static inline int contact_rows(const Judge* judge)
{
    return judge->model->options.planar != UT_PLANAR_NONE ? 2 : 3;
}

/// Does a contact have friction about axis k: the normal, or a tangent?
static inline bool has_axis(const utContact* c, int k)
{
    return k == 0 ? c->torsional > 0.0 : c->rolling > 0.0;
}

/// Does a contact have torsional or rolling friction?
static inline bool contact_spins(const utContact* c)
{
    return has_axis(c, 0) || has_axis(c, 1);
}

/// Impulses and velocities of a contact with all its rows: those of the point, then the angular ones,
/// with torques over and angular velocities times the length of the contact.
typedef struct ContactRows {
    double r[UT_LAW_MAX_DIMENSION]; ///< N s
    double u[UT_LAW_MAX_DIMENSION]; ///< m/s
} ContactRows;

/// The island of a contact in the report; NULL when the report states none.
static inline const utIsland* contact_island(const Judge* judge, int contact)
{
    const int island = judge->report->contact[contact].island;
    return judge->report->islands > 0 && island >= 0 ? &judge->report->island[island] : NULL;
}

static inline utBounce bounce_of(const Judge* judge, int contact)
{
    const utIsland* island = contact_island(judge, contact);
    return island != NULL ? island->bounce : UT_BOUNCE_NONE;
}

/// Did the energy limit reduce the restitution of an island to a fraction between 0 and 1?
static inline bool is_scaled(const utIsland* island)
{
    return island->bounce == UT_BOUNCE_MOREAU && island->restitution_scale > 0.0 &&
           island->restitution_scale < 1.0;
}

/// Does a contact rebound by Moreau's law, u_n = J_n v+ - rebound?
static inline bool has_moreau_rebound(const Judge* judge, int contact)
{
    return bounce_of(judge, contact) == UT_BOUNCE_MOREAU &&
           judge->report->contact[contact].rebound > 0.0;
}

/// Does the formulation leave contacts with restitution out of its sub-steps?
static inline bool may_bounce(const Judge* judge)
{
    return judge->traits.events && !judge->traits.collisions_only;
}

// ---- trees --------------------------------------------------------------------------------------

/// Is a tree one free body without an added diagonal? The implicit midpoint rule then integrates
/// its gyroscopic term.
static inline bool plain_free(const Judge* judge, int tree)
{
    return judge->model->tree[tree].free && !judge->report->midpoint &&
           !judge->motion.has_diagonal[tree];
}

/// Is a tree one planar body without an added diagonal?
static inline bool plain_planar(const Judge* judge, int tree)
{
    return judge->model->tree[tree].planar && !judge->report->midpoint &&
           !judge->motion.has_diagonal[tree];
}

/// Does a tree sleep through the step? @param tree -1: none
static inline bool sleeps(const Judge* judge, int tree)
{
    return judge->report->asleep != NULL && tree >= 0 && judge->report->asleep[tree];
}

// ---- entry points -------------------------------------------------------------------------------

/// Certify a report without parts. @param step the step of which it is a part; NULL: it is no part
/// @param kept placements of the last certificate; NULL: none
utStatus ut_certify_report(const utStepReport* report, const utStepReport* step, double tolerance,
                           CertificatePlacements* kept, utArena scratch,
                           utCertificate* certificate);

/// Certify a step with parts: each part, and that the parts follow each other.
utStatus ut_certify_parts(const utStepReport* report, double tolerance, utArena scratch,
                          utCertificate* certificate);

/// The certificate of a report that cannot be checked: all numbers are infinite.
utCertificate ut_certify_failed(utCertificateReason reason);

// ---- can the report be checked? (validate.c, formulation.c) -------------------------------------

/// Check that all arrays are present, indices belong to the model and numbers are finite.
/// @return UT_REASON_NONE when they are
utCertificateReason ut_certify_validate(const utStepReport* report);

/// Are all numbers finite? The indices of the report have been checked.
bool ut_certify_is_finite(const utStepReport* report);

/// The properties and the friction section of the report's formulation.
/// @return false for an unknown formulation or an invalid polygon
bool ut_certify_formulation(const utStepReport* report, utFormulationTraits* traits,
                            utSection* section);

// ---- sleeping trees (sleep.c) -------------------------------------------------------------------

/// Do the trees that sleep stay where they are, untouched by contacts and rows? The indices of the
/// report have been checked.
bool ut_certify_sleep(const utStepReport* report);

/// Do all trees sleep while no mocap body moves?
bool ut_certify_nothing_moves(const utStepReport* report);

/// Number of trees that sleep.
int ut_certify_count_sleeping(const utStepReport* report);

/// Let moves, masses and forces leave the trees out that sleep. kin_start and kin_end are placed.
void ut_certify_leave_out_sleeping(Judge* judge);

/// Clear the residuals of the trees that sleep.
void ut_certify_clear_sleeping(Judge* judge);

// ---- active set (contacts/) ---------------------------------------------------------------------

/// Do all contacts and rows belong to the formulation, and are friction, bounds and compliance
/// those of the model? kin_contact is moved.
bool ut_certify_active_set(Judge* judge);

/// Is a limit's row or a contact missing? See contacts/missing.c.
utStatus ut_certify_missing(const Judge* judge, utArena scratch, bool* missing);

/// The contribution of a gap to b_n, m/s.
double ut_certify_gap_velocity(const Judge* judge, double gap);

/// b of a row, from the model and the state; NaN for a row that does not exist.
double ut_certify_row_b(const Judge* judge, int row);

/// Is a row between bodies the row of its equality, with its bounds?
bool ut_certify_equality_row(const Judge* judge, const utRow* row);

/// b of a row between bodies, without mocap velocities and the terms of a re-linearisation.
double ut_certify_equality_b(const Judge* judge, const utRow* row);

/// Is a row with terms the row of its tendon or coupling, with its bounds?
bool ut_certify_terms_row(const Judge* judge, const utRow* row);

/// b of a row with terms, without mocap velocities; NaN for a row that does not exist.
double ut_certify_terms_b(const Judge* judge, const utRow* row);

/// The velocity of a row with terms that mocap bodies cause, m/s. kin_start is placed at judge->q.
double ut_certify_terms_mocap_rate(const Judge* judge, const utRow* row, const utMotion* mocap);

/// Are the rows of all tendons and couplings present, once each? Limits may be absent.
bool ut_certify_all_terms(const Judge* judge);
bool ut_certify_tendons(const Judge* judge);

/// Does every tendon that ends beyond a limit have the row of the limit? @param end kinematics there
bool ut_certify_tendon_limits(const Judge* judge, const utKinematics* end);

/// Add the forces of the springs and dampers of tendons. judge->temp2 is overwritten.
/// @param kin placed at q @param mocap velocities of mocap bodies; NULL: at rest
void ut_certify_add_tendon_forces(const Judge* judge, const utKinematics* kin, const double* q,
                                  const double* v, const utMotion* mocap, double* tau);

/// Are all rows of all active equalities present, once and in order?
bool ut_certify_equalities(const Judge* judge);

/// Add the forces of equalities to body_force: motors, and in explicit formulations springs,
/// dampers and position actuators.
void ut_certify_equality_forces(Judge* judge);

/// Work of actuators on equalities at the mean velocity, J. kin_start is placed at q.
double ut_certify_equality_work(const Judge* judge);

/// The index of the explicit contact (ut:point) that a contact claims to be; -1: none.
int ut_certify_point(const Judge* judge, const utContact* c);

/// Distance of an explicit contact from its site and face, m.
double ut_certify_point_error(const Judge* judge, const utContact* c, int point);

/// Do mocap bodies with a function of time follow it?
bool ut_certify_mocap(const Judge* judge);

/// Fill body_force. kin_start is placed and moved with v.
void ut_certify_body_forces(Judge* judge);

/// The row that a spring between sites defines. @return false when the spring has no such row
bool ut_certify_spring(const Judge* judge, const utRow* row, utRow* expected);

/// Are all rows of all springs between sites present?
bool ut_certify_springs(const Judge* judge);

/// Velocity of the second surface relative to the first that belts cause, world.
utVec3 ut_certify_belts(const Judge* judge, const utContact* c);

/// The largest geometry error of a contact, over the size of its shapes.
double ut_certify_geometry(const Judge* judge);

/// The same for one contact of a planar world.
double ut_certify_planar_contact_error(const Judge* judge, const utContact* contact);

// ---- torsional and rolling friction (contacts/spin.c) -------------------------------------------

/// Length of a contact, by which angular velocities are multiplied, m.
double ut_certify_length(const Judge* judge, const utContact* c);

/// Are condim, torsional and rolling friction of a contact those of the model, and are all angular
/// numbers 0 when the contact has none? @param condim of the contact's sides (ut_model_condim)
bool ut_certify_spin_belongs(const Judge* judge, const utContact* c, int condim);

/// The rows of a contact that take part: 2 or 3, and those about axes with friction.
int ut_certify_row_count(const Judge* judge, const utContact* c);

/// Put impulses and velocities together. @param turn angular velocities times the length
ContactRows ut_certify_rows(const Judge* judge, const utContact* c, const double* r,
                            const double* torque, const double* u, const double* turn);

/// Angular velocities of all contacts. kin_contact is moved. @param belts add those of belts
/// @param turn 3 contacts
void ut_certify_turns(const Judge* judge, bool belts, double* turn);

/// The law of a contact. @param section of contacts without torsional and rolling friction
utLaw ut_certify_law_of(const Judge* judge, const utContact* c, const utSection* section,
                        bool convex);

/// Relative angular velocity of the surfaces of a contact that belts cause, world.
utVec3 ut_certify_belt_spin(const Judge* judge, const utContact* c);

// ---- equations of motion (motion/) --------------------------------------------------------------

/// Fill `actuator`, and check the report's activations and forces of actuators. The temporaries of
/// motion are used.
utStatus ut_certify_actuators(Judge* judge, utArena scratch, bool* agree);

/// Fill `actuator`.
utStatus ut_certify_transmissions(Judge* judge, utArena scratch);

/// Are the activations after the step those that follow from the controls?
bool ut_certify_activations(const Judge* judge);

/// Is the force of an actuator implicit: has it a positive stiffness or damping?
bool ut_certify_is_implicit(const Judge* judge, int actuator);

/// Find joints that tendons or sites drive, too, and whose actuators exceed the range for their sum.
/// Their moments become 0, because they get a constant force.
utStatus ut_certify_saturation(Judge* judge, utArena scratch);

/// p at the start of the step, of actuators that share a tendon after the tendon's range.
double ut_certify_force_at_start(const Judge* judge, int actuator);

/// Does an actuator act on a hinge or slide with a range for the sum of its own actuators?
bool ut_certify_has_joint_range(const Judge* judge, int actuator);

/// The sum of the actuators of such a joint.
JointSum ut_certify_joint_sum(const Judge* judge, int joint);

/// The law of the row of an actuator. @return false when there is no such row
bool ut_certify_actuator_law(const Judge* judge, const utRow* row, ActuatorRowLaw* law);

/// Is a row with terms the row of its actuator?
bool ut_certify_actuator_terms(const Judge* judge, const utRow* row);

/// b of such a row; NaN for a row that does not exist.
double ut_certify_actuator_b(const Judge* judge, const utRow* row);

/// Fill motion for the integrators EULER and IMPLICIT. kin_start is moved with v.
/// @return UT_ERR_ARGUMENT when M̂ is not positive definite, here and below
utStatus ut_certify_motion(Judge* judge, utArena scratch);

/// The same for an instant: v* is v, M̂ is M, and q does not change.
utStatus ut_certify_instant(Judge* judge, utArena scratch);

/// The same for a step with M at q ⊕ h v and forces at q ⊕ h v / 2.
utStatus ut_certify_midpoint(Judge* judge, utArena scratch);

/// The same for RK4 and MIDPOINT.
utStatus ut_certify_stages(Judge* judge, utArena scratch);

/// The common end of the four functions above: impulse, residual, v_error and v_free. stage_residual and
/// stage_error are known.
utStatus ut_certify_impulse_residual(Judge* judge, utArena scratch);

/// Set body_impulse to zero.
void ut_certify_clear_impulses(Judge* judge);

/// Add an impulse in a contact's frame to body_impulse: on geom2, and its opposite on geom1.
/// @param torque angular impulse; NULL: none
void ut_certify_add_impulse(Judge* judge, int contact, const double* impulse, const double* torque);

/// impulse = J' of body_impulse, nv, by Newton-Euler.
utStatus ut_certify_joint_impulse(Judge* judge, utArena scratch, double* impulse);

/// y = M̂ x by Newton-Euler.
utStatus ut_certify_apply_mass(const Judge* judge, const double* x, utArena scratch, double* y);

/// Factor M̂ by articulated bodies; motion.diagonal is known.
/// @return UT_ERR_ARGUMENT when M̂ is not positive definite
utStatus ut_certify_factor(Judge* judge);

/// y = M̂^-1 x with the factor.
void ut_certify_apply_inverse_mass(const Judge* judge, const double* x, double* y);

/// The largest residual of a tree in the M̂^-1 norm, over its scale. side_trace is known.
utStatus ut_certify_momentum(Judge* judge, utArena scratch, double* momentum);

/// The contact whose impulse explains a residual of momentum best; -1: none explains most of it.
utStatus ut_certify_blame(const Judge* judge, utArena scratch, int* contact);

/// Fill trace and side_trace.
utStatus ut_certify_traces(Judge* judge, utArena scratch);

// ---- velocities and scales (velocity_scale.c) ---------------------------------------------------

/// Fill island.first_tree and item.island.
void ut_certify_islands(Judge* judge);

/// Fill base, b, u_free and u of the items, and largest_trace, V and speed of the islands.
/// kin_contact is moved.
void ut_certify_scale(Judge* judge);

/// u = J v of all items. @param mocap velocities of mocap bodies; NULL: at rest.
/// kin_contact is moved.
void ut_certify_apply_jacobian(Judge* judge, const double* v, const utMotion* mocap, double* u);

// ---- laws (laws/) -------------------------------------------------------------------------------

/// Fill E, e, contact, V, bilateral, cone, reported, impact and model_gap.
void ut_certify_law(const Judge* judge, utCertificate* certificate);

/// Set base for the law on accelerations. kin_contact is moved.
void ut_certify_accelerations(Judge* judge);

/// Does the friction cone apply to contact i? Without the law on accelerations it always does.
/// @return false for a contact that slides or should not be present; e receives its error
bool ut_certify_has_cone_law(const Judge* judge, int i, double m, double* e);

/// Does a report state any impact?
bool ut_certify_has_impacts(const utStepReport* report);

/// Are restitution, velocities before and rebounds those of the model and the state, and does each
/// island fit its law of impacts? island.reported is a temporary.
bool ut_certify_impacts_belong(Judge* judge);

/// Fill K and u_compression; u_free is known. kin_contact is moved.
utStatus ut_certify_compression(Judge* judge, utArena scratch);

/// The tests that the law of its island asks of a contact.
typedef struct ImpactCheck {
    int laws;            ///< number of pairs to which the friction law applies
    ContactRows rows[2]; ///< impulses and velocities of the pairs
    bool circular;       ///< the friction section is the circle, even for a polygonal formulation
    double error;        ///< of the restitution law, m/s
} ImpactCheck;

ImpactCheck ut_certify_impact(const Judge* judge, int contact);

/// The largest relative energy gain of the contacts of an island with scaled restitution.
double ut_certify_restitution_gain(const Judge* judge);

// ---- the state after the step (final_state.c) ---------------------------------------------------

/// The largest error of v+ in a joint velocity or at a contact point, over V.
double ut_certify_stored(Judge* judge);

/// The largest error of q+, relative to |q| + h |v|.
double ut_certify_position(const Judge* judge);

/// Energy after the step less the energy before and the work of applied forces, actuators, mocap
/// bodies and belts, J. kin_start is placed at the start of the step, before its projection.
double ut_certify_energy(Judge* judge);

#endif
