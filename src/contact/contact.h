// SPDX-License-Identifier: Apache-2.0
// Contacts and rows of a step, their islands, the friction problem of each island in the form that
// `coulomb` solves, and the impulses that warm-start the next step.
//
// Functions may run on several threads at once as long as the threads do not share objects that
// the functions write to.
#ifndef UPTACK_CONTACT_CONTACT_H
#define UPTACK_CONTACT_CONTACT_H

#include <uptack/collision.h>
#include <uptack/coulomb.h>
#include <uptack/dyn.h>
#include <uptack/formulation.h>
#include <uptack/report.h>

#include "report/row_terms.h"

// ---- the active set -----------------------------------------------------------------------------

/// A contact or a limit whose gap is 0 within this length, m, stays in the active set in spite of
/// rounding.
#define UT_CONTACT_SLACK 1e-9

/// Upper bounds on motion by the velocities seen so far in this step: v, v* and those after each
/// solution. The bounds only grow, so that contacts and limits join the active set and never leave.
typedef struct MotionBounds {
    double* geom_travel;    ///< ngeom: how far a geom may move within the step, m
    double* joint_speed;    ///< njoint: fastest speed of a joint with limits, rad/s or m/s
    double* equality_speed; ///< nequality: fastest speed of an equality's limit, m/s
    double* tendon_speed;   ///< ntendon: fastest rate of a tendon's length
    utMotion* twist;        ///< nbody of work
    int* passed;            ///< contacts that the last detection dropped as passed
} MotionBounds;

/// The state and the settings from which a step makes its contacts and rows.
typedef struct ContactScene {
    const utModel* model;
    const utKinematics* kin;   ///< placed at q, or at q ⊕ h v_ahead
    double time;               ///< at the step's start, s
    double h;                  ///< length of the step, s
    const double* v;           ///< nv: velocity at the step's start
    const double* v_free;      ///< nv: free velocity v*
    const double* v_next;      ///< nv: velocity after a first solution; NULL: not known yet
    const double* v_ahead;     ///< nv: contacts are taken at q ⊕ h v_ahead; NULL: at q
    const double* mocap_ahead; ///< nmocap: fraction of its motion that a mocap body has made where
                               ///< contacts are taken; NULL with v_ahead: 1
    const utMotion* mocap_velocity; ///< nmocap twists; NULL: mocap bodies do not move
    const double* input;            ///< nu; NULL: 0
    const utFormulationTraits* formulation;
    utContactReach reach; ///< of the formulation; UT_REACH_TOUCHING in an instant
    bool continuous;      ///< ut_contact_sweep finds the contacts of fast bodies
    MotionBounds bounds;
    const utContact* persistent; ///< contacts found earlier in this step, never dropped as passed
    int persistent_count;
    const struct SweepHit* centre_hit; ///< pairs of a fast body that get the centre contact alone
    int centre_hit_count;
    const bool* asleep;              ///< ntree: trees that sleep; NULL: none
    const struct IslandIndex* index; ///< of the islands of the contacts and rows; NULL: none
} ContactScene;

/// Create bounds that are 0. @param arena holds the entries of `bounds`
utStatus ut_motion_bounds_create(const utModel* model, utArena* arena, MotionBounds* bounds);

/// Raise geom_travel to the travels under velocities v. @return true when one was shorter before
bool ut_contact_raise_travels(const ContactScene* scene, const double* v);

/// Set the boxes of the broad phase: around each geom, widened by the distance that it may travel.
void ut_contact_update_boxes(const ContactScene* scene, utBroad* broad);

/// All contacts within reach, sorted by geoms and features.
/// @param pair    2 max_pairs entries of work
/// @param contact max entries  @param count receives the number of contacts
/// @return UT_ERR_CAPACITY when pairs or contacts do not fit; *pairs or *count is then the number
///         that is needed
utStatus ut_contact_detect(const ContactScene* scene, utBroad* broad, int max_pairs, int* pair,
                           int* pairs, int max, utContact* contact, int* count);

/// Append the explicit contacts of the model. @param contact room for npoint more
void ut_contact_add_explicit(const ContactScene* scene, utContact* contact, int* count);

/// Drop contacts that fixed geoms hide from each other (hidden seams). Of the contacts that two
/// bodies have through several pairs of geoms, drop those that can never close before the others do
/// (coplanar reduction): a box on tiles stands on its corners. The reduction drops no contact when
/// the bodies touch through one pair of geoms.
/// @param count, contact as ut_contact_detect left them
utStatus ut_contact_reduce(const ContactScene* scene, const utBroad* broad, utArena scratch,
                           int* count, utContact* contact);

// ---- one pair of geoms --------------------------------------------------------------------------

/// Does an overlap count in b_n? It does in formulations with signed gaps and ahead of the start.
static inline bool ut_contact_counts_overlap(const ContactScene* scene)
{
    return scene->formulation->gap == UT_GAP_SIGNED || scene->v_ahead != NULL;
}

/// Rows of a contact: 2 in a planar world, 3 in space. Further entries of a utContact are 0.
static inline int ut_contact_dimension(const utModel* model)
{
    return model->options.planar != UT_PLANAR_NONE ? 2 : 3;
}

/// Does a contact have torsional or rolling friction?
static inline bool ut_contact_spins(const utContact* c)
{
    return c->torsional > 0.0 || c->rolling > 0.0;
}

/// The axes of a contact with the normal n: n and two tangents. In a planar world the first tangent
/// is n turned by -90 degrees about the plane's normal and the second is that normal, so that the
/// frame is left-handed.
void ut_contact_frame(const utModel* model, utVec3 n, utVec3 frame[3]);

/// The part of b_n that comes from the gap, m/s.
double ut_contact_gap_velocity(const ContactScene* scene, double gap);

/// Set b and mu of a contact whose point, frame and gap are set; mu is `kinetic` when the contact
/// slips at the step's start.
void ut_contact_set_b_and_mu(const ContactScene* scene, double friction, double kinetic,
                             utContact* c);

/// Set condim, torsional and rolling friction and spin_b of a contact whose point and frame are set.
void ut_contact_set_condim(const ContactScene* scene, utContact* c);

/// The touches of two geoms of a planar world with a gap of at most `reach`.
/// @param touch UT_TOUCH_MAX entries, in the plane through the world's origin @return their number
int ut_contact_collide_planar(const ContactScene* scene, int geom1, int geom2, double reach,
                              utTouch* touch);

/// Signed distance of a point from the figure of a geom in a planar world.
/// @param radius  of the circle about the point that is collided with the figure
/// @param nearest receives the nearest point of the outline
/// @return `limit` when the distance is larger
double ut_contact_planar_distance(const ContactScene* scene, int geom, utVec3 point, double radius,
                                  double limit, utVec3* nearest);

/// Do two balls that move straight come within `reach` of each other, from centre to centre, in the time h?
/// @param between from the first centre to the second, m @param velocity of the second, relative, m/s
bool ut_contact_balls_meet(utVec3 between, utVec3 velocity, double h, double reach);

/// Drop speculative contacts that would stop two geoms although they pass each other. Persistent
/// contacts stay.
/// @param touch count entries; the remaining ones come first @return how many remain
int ut_contact_drop_passed(const ContactScene* scene, int geom1, int geom2, int count,
                           utTouch* touch);

/// Is the contact of a moving and a fixed geom hidden by other fixed geoms, as tiles hide each
/// other's sides?
bool ut_contact_is_hidden(const ContactScene* scene, const utBroad* broad,
                          const utContact* contact);

// ---- fast bodies --------------------------------------------------------------------------------

/// Does one of the two geoms belong to a fast body?
bool ut_contact_is_fast(const utModel* model, int geom1, int geom2);

/// The smaller radius of the two geoms, m, and whether the second geom has it.
double ut_contact_smaller_radius(const utModel* model, int geom1, int geom2);
bool ut_contact_second_is_smaller(const utModel* model, int geom1, int geom2);

/// A fast body hits another body on its path through the step.
typedef struct SweepHit {
    int geom1, geom2;
    double fraction; ///< of the step: the last moment without overlap; of a centre hit the moment
                     ///< at which the centre of mass enters
    utVec3 normal;   ///< world, from geom1 to geom2
    double depth;    ///< overlap at the end of the path beyond the tolerated one, m
    bool centre_enters; ///< the centre of mass of the smaller geom's body enters the other geom
} SweepHit;

/// A path through the step: from q, where scene->kin is placed, to q ⊕ h v.
typedef struct Sweep {
    const ContactScene* scene;
    const double* q;          ///< nq
    const double* v;          ///< nv
    const double* mocap_pos;  ///< 3 nmocap: at the start
    const double* mocap_quat; ///< 4 nmocap
    bool by_centre;           ///< report a pair whose centre enters at that moment
    double* q_at;             ///< nq of work
    utKinematics placed;      ///< work
} Sweep;

/// All pairs with a fast body that hit each other on the path, sorted by geoms: pairs that overlap
/// by more than a tolerance, or by more than at the start.
/// @param pair 2 max_pairs entries of work @param hit max_pairs entries
utStatus ut_contact_sweep(Sweep* sweep, utBroad* broad, int max_pairs, int* pair, int* pairs,
                          SweepHit* hit, int* hits);

/// The touches of a pair with a fast body. @param reach largest gap that may close in the step, m
/// @param touch UT_TOUCH_MAX + 1 entries @return their number
int ut_contact_fast_touches(const ContactScene* scene, int geom1, int geom2, double reach,
                            utTouch* touch);

// ---- rows ---------------------------------------------------------------------------------------

/// An actuator that is a row, or all actuators of a joint with a range for their sum: along a
/// coordinate x it acts with the impulse
///
///     r = h force - (x'+ - x') / compliance,    h low <= r <= h high
///
/// x is the coordinate of the actuator's joint, or x' = sum coefficient[k] v[index[k]].
typedef struct ActuatorRow {
    int actuator;              ///< the first one
    int terms;                 ///< 0: a hinge or slide
    const int* index;          ///< terms
    const double* coefficient; ///< terms
    double rate;               ///< x' before the step, of a row with terms
    double force;              ///< at (x + h x', x'), N or N m
    double compliance;         ///< 1 / (h D + h^2 K)
    double low, high;          ///< bounds of the force
} ActuatorRow;

/// Rows of joints: limits, dry friction, and actuators.
/// @param row at most 3 nv + nu entries are written @return how many
int ut_contact_joint_rows(const ContactScene* scene, const double* q, const ActuatorRow* actuator,
                          int actuators, utRow* row);

/// Springs and dampers between sites, linearly implicit, as compliant rows: up to 3 per spring.
int ut_contact_spring_rows(const ContactScene* scene, utRow* row);

enum { MAX_ROWS_PER_EQUALITY = 14 }; ///< without the rows of its actuators

/// Rows of all active equalities at scene->kin: the constraints, limits, dry friction, springs and
/// actuators. @param row at most MAX_ROWS_PER_EQUALITY per equality and one per actuator
/// @return how many
int ut_contact_equality_rows(const ContactScene* scene, utRow* row);

enum { MAX_ROWS_PER_TENDON = 4 }; ///< two limits, dry friction, spring

/// Rows of tendons: limits, dry friction, springs with dampers and armature. scene->kin is at q.
/// @param springs false: springs and dampers act elsewhere
/// @param arena   receives the coefficients of the rows
/// @param row     at most MAX_ROWS_PER_TENDON per tendon @param count their number
utStatus ut_contact_tendon_rows(const ContactScene* scene, const double* q, bool springs,
                                utArena* arena, utRow* row, int* count);

/// Rows of equalities between joints or tendons, one each. scene->kin is at q.
/// @param arena receives the coefficients of the rows @param count number of rows
utStatus ut_contact_coupling_rows(const ContactScene* scene, const double* q, utArena* arena,
                                  utRow* row, int* count);

/// Does re-linearisation recompute this row? It does so for equalities and their limits.
static inline bool ut_row_is_relinearized(const utRow* row)
{
    return ut_row_has_bodies(row) && (row->kind == UT_ROW_EQUALITY || row->kind <= UT_ROW_BALL);
}

/// The largest position error of an active equality, m; angles times the equality's reach.
/// @param equality receives its index; -1: no equality has an error
double ut_contact_drift(const utModel* model, const utKinematics* kin, const double* q,
                        int* equality);

// ---- the two sides of a contact or row ----------------------------------------------------------

/// The trees of the two sides of a contact; -1: fixed, or carried by a mocap body.
static inline void ut_contact_trees(const utModel* model, const utContact* contact, int tree[2])
{
    tree[0] = model->body[ut_model_side_body(model, contact->geom1)].tree;
    tree[1] = model->body[ut_model_side_body(model, contact->geom2)].tree;
}

/// The wrench of a unit impulse of a row between bodies, about the reference point of the tree.
/// @param side 0: on body1, with the sign turned; 1: on body2
utForce ut_row_wrench(const utKinematics* kin, const utRow* row, int side);

/// The index of the mocap body that carries a body; -1: none.
int ut_contact_mocap(const utModel* model, int body);

// ---- velocities ---------------------------------------------------------------------------------

/// Twist of a body about `point`, world, under the velocities v. Mocap bodies have their own.
utMotion ut_contact_twist(const ContactScene* scene, int body, utVec3 point, const double* v);

/// The twist of a body about its tree's reference point. Contacts of one body follow each other, so
/// that loops over contacts keep the last one.
typedef struct BodyTwist {
    int body; ///< -1: none
    utMotion twist;
} BodyTwist;

/// ut_contact_twist in a loop with one v. @param last of an earlier call; updated
utMotion ut_contact_twist_with(const ContactScene* scene, int body, utVec3 point, const double* v,
                               BodyTwist* last);

/// The part of a row's velocity that comes from one of its bodies under v. @param side 0: body1
double ut_row_side_velocity(const ContactScene* scene, const utRow* row, int side, const double* v);

/// How far a geom may move in the step under v, v* and v_next, m.
double ut_contact_travel(const ContactScene* scene, int geom);

/// The fraction of its motion that a mocap body has still to make where contacts are taken.
/// @param body a body that no joint moves
double ut_contact_mocap_remaining(const ContactScene* scene, int body);

/// Set u of all contacts and rows from the velocity v after the step.
void ut_contact_velocities(const ContactScene* scene, const double* v, int contacts,
                           utContact* contact, int rows, utRow* row);

// ---- islands ------------------------------------------------------------------------------------

/// Group trees that contacts and rows join, and set the island of each contact and row. Islands are
/// numbered in the order of their first contact or row.
/// @param root 2 ntree entries of work @return the number of islands
int ut_contact_islands(const utModel* model, int contacts, utContact* contact, int rows, utRow* row,
                       int* root);

/// The contacts, rows and trees of each island, in ascending order, so that a step with many islands
/// looks at each of them once. Island k has the entries first[k] ... first[k + 1] - 1 of each list.
typedef struct IslandIndex {
    int islands;
    int* first_contact; ///< islands + 1, likewise first_row and first_tree
    int* contact;
    int* first_row;
    int* row;
    int* first_tree;
    int* tree;
    int* node_of_tree; ///< ntree of work
    int largest_tree;  ///< most velocities of a tree
} IslandIndex;

/// Index islands. @param root as ut_contact_islands left it @param arena holds the index
utStatus ut_contact_index(const utModel* model, int islands, int contacts, const utContact* contact,
                          int rows, const utRow* row, const int* root, utArena* arena,
                          IslandIndex* index);

/// Index all contacts and rows as if they were one island.
utStatus ut_contact_index_all(const utModel* model, int contacts, const utContact* contact,
                              int rows, const utRow* row, utArena* arena, IslandIndex* index);

/// The friction problem of one island, and the contacts and rows that it consists of.
typedef struct IslandProblem {
    utCoulomb coulomb;
    utCoulombBlocks blocks;
    int* contact; ///< indices of the island's contacts
    int* row;     ///< indices of its rows
    int* tree;    ///< its trees
    int trees;
    double* b;      ///< coulomb.b
    double* length; ///< contacts: length L of the rows of angular velocity; NULL: there are none
} IslandProblem;

/// Impulses of an island's contact as the rows of its problem have them, and the reverse.
/// @param i index in the problem  @param r coulomb.dimension entries
void ut_contact_load(const IslandProblem* problem, int i, const utContact* c, double* r);
void ut_contact_store(const IslandProblem* problem, int i, const double* r, utContact* c);

/// Assemble the friction problem of one island. With scene->index the work is that of the island
/// alone. @param arena holds all its arrays
/// @param section of contacts without torsional and rolling friction
utStatus ut_contact_problem(const ContactScene* scene, const utMass* mass, int island, int contacts,
                            const utContact* contact, int rows, const utRow* row,
                            const utSection* section, utArena* arena, IslandProblem* problem);

/// Take gaps that are rounding for 0. The corners of a face have gaps that no rigid motion closes
/// together, and an answer to these would move the load from corner to corner in every step.
/// @param fraction of coulomb.speed: a gap that closes within a step at less is rounding
void ut_contact_ignore_rounding(double fraction, IslandProblem* problem);

/// The velocity V that scales errors of the island, m/s: h |g| or a fraction of the largest speed
/// of a contact or joint, whichever is larger.
utStatus ut_contact_velocity_scale(const ContactScene* scene, const IslandProblem* problem,
                                   const utContact* contact, utArena scratch, double* V);

/// g += J'r over all contacts and rows: generalized impulses, nv. Impulses on a body are summed in
/// double-double arithmetic, so that large impulses which cancel leave no rounding error.
utStatus ut_contact_generalized_impulse(const ContactScene* scene, int contacts,
                                        const utContact* contact, int rows, const utRow* row,
                                        utArena scratch, double* g);

// ---- warm starts --------------------------------------------------------------------------------

/// An impulse stored for the next step.
typedef struct WarmImpulse {
    int key1, key2;   ///< geoms of a contact, for its angular impulse INT_MIN + geom2; of a row
                      ///< -1 - kind, and its dof, equality or tendon
    uint64_t feature; ///< of a contact; of a row 1 + its actuator or component
    utVec3 r;         ///< N s or N m s; of a contact in world axes, of a row in x alone
} WarmImpulse;

/// The order of stored impulses: by keys, then by feature. @return negative when x comes first
int ut_warm_compare(const WarmImpulse* x, const WarmImpulse* y);

/// Set the impulses of contacts and rows to the stored ones times `factor`, or 0.
/// @param warm sorted as ut_warm_store left it @return how many were found
int ut_warm_start(int count, const WarmImpulse* warm, double factor, int contacts,
                  utContact* contact, int rows, utRow* row);

/// Store the impulses of a step, sorted. @param warm 2 contacts + rows entries @return their number
int ut_warm_store(int contacts, const utContact* contact, int rows, const utRow* row,
                  WarmImpulse* warm);

#endif
