// SPDX-License-Identifier: Apache-2.0
// What the files of the certificate share. Letters as in certificate.md:
//
//     M̂ = M + diag(armature + hD + h^2 K)    v+ = v* + M̂^-1 J'r    u = J v+ + b    A = J M̂^-1 J'
//
// Contacts come first and have three entries in u, then rows with one.
#ifndef UPTACK_CERTIFICATE_INTERNAL_H
#define UPTACK_CERTIFICATE_INTERNAL_H

#include <uptack/certificate.h>
#include <uptack/dyn.h>
#include <uptack/law.h>

#include "la/wide_force.h"

/// The law that a formulation asks for.
typedef struct Formulation {
    utSection section;
    bool convex;          ///< no shift
    bool signed_gap;      ///< overlaps count in b_n
    bool without_gap;     ///< b_n has no gap at all
    bool touching;        ///< has contacts with gap <= 0 only
    bool within;          ///< has contacts with gap <= margin only
    bool explicit_forces; ///< springs, dampers and motions as they are at the step's start
    bool joint_gaps;      ///< what equalities are off counts in their b
    bool acceleration;    ///< the law is on accelerations, times h: u = J (v+ - v) + h J̇v
    bool bounces;         ///< contacts that are to bounce are not held while time passes
    bool hops;            ///< collisions are all there is: no contact is held while time passes
} Formulation;

/// A judgement on its way.
typedef struct Judge {
    const utStepReport* report;
    const utStepReport* whole; ///< the step that the report is a part of; NULL: none
    const utModel* model;
    Formulation formulation;
    utKinematics kin;   ///< placed at q; moved as the functions below say
    utKinematics touch; ///< where contacts were taken: kin itself, or, re-linearised, placed ahead
    utKinematics heavy; ///< where M is taken: kin itself, or placed at q ⊕ h v
    utMotion* mocap_done; ///< nmocap: what they have moved by where contacts were taken, over h
    double* mocap_pos;    ///< 3 nmocap: where they were then; re-linearised steps alone
    double* mocap_quat;   ///< 4 nmocap
    double* q;            ///< nq: where the step began, after its projection
    double* v;            ///< nv: the velocity before the step, at q
    double* v_next;       ///< nv: the velocity after the step, at q: what the rows read
    double* extra;        ///< nv: hD + h^2 K of joints and actuators
    double* zero;         ///< nv zeros
    double* v_free;       ///< nv: v*, at q
    double* impulse;      ///< nv: J'r
    double* residual;     ///< nv: M̂ (v+ - v*) - J'r
    double* off;          ///< nv: M̂^-1 residual: v+ less what it should be
    double* stage;        ///< nv: residual of the stage that gave v*
    double* stage_off;    ///< nv: M̂^-1 stage
    double* again;        ///< nv: v* found anew, of all trees but plain free bodies
    double* work;         ///< nv
    double* more_work;    ///< nv
    double* position;     ///< nq: q+ as it should be
    WideForce* net;       ///< nbody: what is pushed on bodies, about their centres of mass
    utForce* wrench;      ///< nbody
    utForce* acting;      ///< nbody: applied forces, and springs between sites that are not rows
    int* group;           ///< ntree: the first tree of its island
    int* stamp;           ///< ntree
    double* V;            ///< ntree: velocity scale, at the island's first tree
    double* speed;        ///< ntree: the largest speed, likewise
    double* trace_most;   ///< 2 ntree: largest traces of contacts and of rows, likewise
    double* trace;        ///< contacts + rows: tr(A_ii)
    double* side;         ///< 2 (contacts + rows): what each side has of it, without compliance
    double* u_free;       ///< 3 contacts + rows: J v* + b
    double* u;            ///< 3 contacts + rows: J v+ + b
    double* b;            ///< 3 contacts + rows
    double* base;    ///< 3 contacts: what b has beyond moved bodies, of the gap above all, m/s;
                     ///< rows: the same
    double* before;  ///< 3 contacts + rows: J v, bodies moved from outside and belts included; of
                     ///< accelerations and impacts
    bool impacts;    ///< something is said of impacts: then what follows is filled
    double* pressed; ///< 3 contacts + rows: u with the impulses up to the end of compression
    double* gap;     ///< contacts: what b_n has without rebounds, but for moved bodies
    double* K;       ///< 9 contacts: J M̂^-1 J' of those that were followed, 1/kg
} Judge;

// ---- small things -------------------------------------------------------------------------------

/// The larger one; a NaN is the largest, and stays it.
static inline double larger(double most, double x)
{
    return x <= most || isnan(most) ? most : x;
}

/// x, but no farther from 0 than `most`.
static inline double clamp(double x, double most)
{
    return x < -most ? -most : x > most ? most : x;
}

static inline utVec3 load3(const double* x)
{
    return ut_vec3(x[0], x[1], x[2]);
}

static inline int contact_body(const Judge* judge, int contact, int side)
{
    const utContact* c = &judge->report->contact[contact];
    return ut_model_side_body(judge->model, side == 0 ? c->geom1 : c->geom2);
}

static inline int contact_tree(const Judge* judge, int contact, int side)
{
    return judge->model->body[contact_body(judge, contact, side)].tree;
}

/// The tree on one side of a row; one of a joint has its tree as the first.
static inline int row_tree(const Judge* judge, int row, int side)
{
    const utRow* r = &judge->report->row[row];
    if (r->dof >= 0) {
        return side == 0 ? judge->model->body[judge->model->dof_body[r->dof]].tree : -1;
    }
    return judge->model->body[side == 0 ? r->body1 : r->body2].tree;
}

/// The tree on one side of a contact or (from `contacts` on) a row, -1 for what no joint moves.
static inline int item_tree(const Judge* judge, int item, int side)
{
    const int contacts = judge->report->contacts;
    return item < contacts ? contact_tree(judge, item, side)
                           : row_tree(judge, item - contacts, side);
}

/// The first tree of the island that a contact or (from `contacts` on) a row belongs to: at least
/// one side moves.
static inline int island_of(const Judge* judge, int item)
{
    const int tree = item_tree(judge, item, 0);
    return judge->group[tree >= 0 ? tree : item_tree(judge, item, 1)];
}

/// Rows of a contact: 2 in a planar world, 3 in space; the entries beyond are 0.
static inline int contact_rows(const Judge* judge)
{
    return judge->model->options.planar != UT_PLANAR_NONE ? 2 : 3;
}

/// The island of a contact as it is told, NULL where none is.
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

/// Did the energy guard leave some of an island's restitution, and not all?
static inline bool is_shared(const utIsland* island)
{
    return island->bounce == UT_BOUNCE_MOREAU && island->restitution_scale > 0.0 &&
           island->restitution_scale < 1.0;
}

/// Does a contact bounce by one problem for all: u_n = J_n v+ - rebound?
static inline bool is_thrown(const Judge* judge, int contact)
{
    return bounce_of(judge, contact) == UT_BOUNCE_MOREAU &&
           judge->report->contact[contact].rebound > 0.0;
}

/// What makes a velocity one of m/s: the joint's reach where it turns, 1 where it slides.
static inline double dof_length(const utModel* model, int dof)
{
    const utModelJoint* joint = &model->joint[model->dof_joint[dof]];
    const bool slides = joint->kind == UT_JOINT_SLIDE || joint->kind == UT_JOINT_PARTICLE ||
                        (joint->kind == UT_JOINT_FREE && dof < joint->v + 3) ||
                        (joint->kind == UT_JOINT_PLANAR && dof < joint->v + 2);
    return slides ? 1.0 : joint->reach;
}

/// Is a tree one free body with nothing but its inertia on the diagonal? Its gyroscopic term is
/// then taken by the implicit midpoint rule.
static inline bool plain_free(const Judge* judge, int tree)
{
    const utModelTree* t = &judge->model->tree[tree];
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        if (judge->model->dof_armature[i] != 0.0 || judge->extra[i] != 0.0) {
            return false;
        }
    }
    return t->free && !judge->report->midpoint;
}

/// The same of one planar body, which is taken about its centre of mass too.
static inline bool plain_planar(const Judge* judge, int tree)
{
    const utModelTree* t = &judge->model->tree[tree];
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        if (judge->model->dof_armature[i] != 0.0 || judge->extra[i] != 0.0) {
            return false;
        }
    }
    return t->planar && !judge->report->midpoint;
}

// ---- the parts of a judgement -------------------------------------------------------------------

/// Judge a step that is one. @param whole the step that it is a part of; NULL: none
utStatus ut_certify_one(const utStepReport* report, const utStepReport* whole, double tolerance,
                        utArena scratch, utCertificate* certificate);

/// Judge a step that is made of parts: each of them, and that they follow each other.
utStatus ut_certify_parts(const utStepReport* report, double tolerance, utArena scratch,
                          utCertificate* certificate);

/// Nothing is known of a step that cannot be judged.
utCertificate ut_certify_condemn(utCertificateReason reason);

/// Is everything there, every index one of the model's, and every number finite?
/// @return the reason when not; UT_REASON_NONE
utCertificateReason ut_certify_sound(const utStepReport* report);

/// Is every number of a report finite whose indices are the model's?
bool ut_certify_finite(const utStepReport* report);

/// @return false for a name that is not known, or a polygon that cannot be
bool ut_certify_formulation(const utStepReport* report, Formulation* formulation);

/// Does the formulation have this contact, and are friction, bounds and laws of contacts and rows
/// those of the model?
/// touch is moved.
bool ut_certify_active_set(Judge* judge);

/// Does the step go past a limit without a row, or end with an overlap of a pair without a contact?
utStatus ut_certify_missing(const Judge* judge, utArena scratch, bool* missing);
size_t ut_certify_missing_scratch(const utModel* model);

/// Do actuators of joints do what they should, and nothing else but what was given? work,
/// more_work, stage, off and residual are work.
bool ut_certify_actuators(Judge* judge);

/// b_n for a gap, m/s.
double ut_certify_gap_velocity(const Judge* judge, double gap);

/// b of a row, from the model and the state.
double ut_certify_row_b(const Judge* judge, int row);

/// Is a row between bodies that of its equality where it was taken, with its bounds?
bool ut_certify_equality_row(const Judge* judge, const utRow* row);

/// Its b, but for bodies that are moved from outside and for what v_ahead has covered.
double ut_certify_equality_b(const Judge* judge, const utRow* row);

/// Add forces of motors on equalities to `acting`, and of their springs, dampers and position
/// actuators where these are no rows.
void ut_certify_equality_forces(Judge* judge);

/// Work of actuators on equalities, at the mean velocity, J. kin is placed where the step began.
double ut_certify_equality_work(const Judge* judge);

/// Are all rows of all active equalities there, once and in order?
bool ut_certify_equalities(const Judge* judge);

/// Where an explicit contact is: the one that a contact says it is, or -1.
int ut_certify_point(const Judge* judge, const utContact* c);

/// How far an explicit contact is from its site and face, m.
double ut_certify_point_distance(const Judge* judge, const utContact* c, int point);

/// Do bodies that are moved from outside go where they are said to, and functions of the time lead
/// there?
bool ut_certify_moved(const Judge* judge);

/// acting. kin is placed and moved with v.
void ut_certify_acting(Judge* judge);

/// What a row of a spring should be. @return false when the spring has no such row
bool ut_certify_spring(const Judge* judge, const utRow* row, utRow* should);

/// Is there every row of every spring?
bool ut_certify_springs(const Judge* judge);

/// The velocity of the second side's surface along the first's, as belts have it; world.
utVec3 ut_certify_belts(const Judge* judge, const utContact* c);

/// The largest distance of a contact from the shapes it is between, over their size. kin is placed.
double ut_certify_geometry(const Judge* judge);

/// The same of one contact of a planar world, whose figures are judged.
double ut_certify_flat_distance(const Judge* judge, const utContact* contact);

/// stage, v_free, impulse, residual, off and position. kin is left at rest.
/// @return UT_ERR_ARGUMENT when M̂ is not positive definite
utStatus ut_certify_motion(Judge* judge, utArena scratch);

/// Push on no body yet.
void ut_certify_no_push(Judge* judge);

/// Add an impulse (in its frame) of a contact to `net`: on geom2 and against geom1.
void ut_certify_push(Judge* judge, int contact, const double* impulse);

/// Add an impulse r of a row between bodies to `net`.
void ut_certify_push_row(Judge* judge, const utRow* row, double r);

/// impulse = J' of everything pushed, nv, by Newton-Euler; touch is at rest.
utStatus ut_certify_pushed(Judge* judge, utArena scratch, double* impulse);

/// y = M̂ x by Newton-Euler; kin is at rest.
utStatus ut_certify_mass(const Judge* judge, const double* x, utArena scratch, double* y);

/// y = M̂^-1 x; kin is at rest.
utStatus ut_certify_respond(const Judge* judge, const double* x, utArena scratch, double* y);

/// Go on as ut_certify_motion does with a v* that has been found: impulse, residual and off. kin is
/// left at rest.
utStatus ut_certify_impulses(Judge* judge, utArena scratch);

/// The same as ut_certify_motion of an instant: v* is v, M̂ is M and nothing moves.
utStatus ut_certify_instant(Judge* judge, utArena scratch);

/// The same as ut_certify_motion where M is taken at q ⊕ h v and forces at q ⊕ h v / 2.
utStatus ut_certify_midpoint(Judge* judge, utArena scratch);

/// base and before of a law on accelerations; touch is moved.
void ut_certify_accelerations(Judge* judge);

/// What a law on accelerations says of contact i: @return true where the law on u holds; else it
/// slides, or should not be there, and e is its error
bool ut_certify_sticks(const Judge* judge, int i, double m, double* e);

/// The same as ut_certify_motion for RK4 and MIDPOINT.
utStatus ut_certify_stages(Judge* judge, utArena scratch);
size_t ut_certify_stages_scratch(const utModel* model);

/// The largest residual of a tree in the M̂^-1 norm, over its scale. `side` is known, kin is left at
/// rest.
utStatus ut_certify_momentum(Judge* judge, utArena scratch, double* momentum);

/// trace and side. kin is at rest.
utStatus ut_certify_traces(Judge* judge, utArena scratch);

/// group
void ut_certify_group(Judge* judge);

/// base, b, u_free, u, trace_most, V and speed. kin is moved.
void ut_certify_scale(Judge* judge);

/// J v of all contacts and rows, with bodies moved from outside as told (NULL: at rest). touch is
/// moved.
void ut_certify_changes(Judge* judge, const double* v, const utMotion* mocap, double* u);

/// Velocities of all contacts and rows under v, b included, mocap bodies moving. kin is moved.
void ut_certify_velocities(Judge* judge, const double* v, double* u);

/// Does a report say anything of impacts?
bool ut_certify_has_impacts(const utStepReport* report);

/// Are restitution, speeds before and rebounds those of the model and the state, and are islands
/// ones that their law of impacts can be for? stamp is work.
bool ut_certify_impacts_belong(Judge* judge);

/// K and pressed, once u_free is known. touch is left at rest.
utStatus ut_certify_pressed(Judge* judge, utArena scratch);

/// What the law of its island says of a contact.
typedef struct Verdict {
    int laws;       ///< how often the law of friction is asked: for each pair of
    double r[2][3]; ///< impulses
    double u[2][3]; ///< and velocities
    bool round;     ///< friction is that of the circle, whatever the section
    double off;     ///< how far it is from its law of impacts, m/s
} Verdict;

Verdict ut_certify_verdict(const Judge* judge, int contact);

/// What contacts gain in islands whose restitution the energy guard has cut, over what their
/// impulses and velocities are made of: the largest.
double ut_certify_guard(const Judge* judge);

/// Fill E, e, contact, V, cone, told, impact and model_gap.
void ut_certify_law(const Judge* judge, utCertificate* certificate);

/// The largest difference of v+ from what it should be in a contact's or joint's row, over V.
double ut_certify_stored(Judge* judge);

/// The largest difference of q+ from `position`.
double ut_certify_position(const Judge* judge);

/// Energy after, less energy before and the work of what acted. kin is placed anew.
double ut_certify_energy(Judge* judge);

#endif
