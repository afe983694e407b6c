// SPDX-License-Identifier: Apache-2.0
// From bodies that are near each other to impulses: contacts and rows of a
// step, islands, the friction problem of each in the form that `coulomb`
// solves, and what is kept for the next step.
#ifndef UPTACK_CONTACT_CONTACT_H
#define UPTACK_CONTACT_CONTACT_H

#include <uptack/collision.h>
#include <uptack/coulomb.h>
#include <uptack/dyn.h>
#include <uptack/report.h>

// ---- the active set -----------------------------------------------------------------------------

/// The most that velocities seen so far in this step can do: v, v* and those after each solution.
/// Looks only ever add to it, so that contacts and limits join and never leave.
typedef struct ContactReached {
    double* geom;     ///< ngeom: how far it may move, m
    double* joint;    ///< njoint: fastest speed of one with a limit, rad/s or m/s
    double* equality; ///< nequality: the same of one between bodies, m/s
} ContactReached;

/// What a step looks at.
typedef struct ContactScene {
    const utModel* model;
    const utKinematics* kin;
    double time; ///< at the step's start
    double h;
    const double* v;           ///< nv: before the step
    const double* v_free;      ///< nv: v*
    const double* v_next;      ///< nv: after a first solution, NULL before it
    const double* v_ahead;     ///< nv: kin is at q ⊕ h v_ahead; NULL: at q
    const double* mocap_ahead; ///< nmocap: and mocap bodies at this share of their way; NULL: at
                               ///< its end
    const utMotion* mocap_velocity; ///< nmocap
    bool signed_gaps;               ///< b_n takes overlaps too
    bool joint_gaps;                ///< b of equalities takes what they are off
    bool explicit_forces;           ///< springs and dampers of equalities are no rows
    const double* ctrl;             ///< nu; NULL: 0
    ContactReached reached;
    const utContact* kept; ///< contacts that are there already, whatever is ahead of them
    int kept_count;
    bool sweeps;                ///< what fast bodies meet is found by ut_contact_sweep
    bool watches;               ///< what bounces may come near on a curved way
    bool collides;              ///< no contact is a row: each is met on its way
    const struct Meeting* core; ///< pairs with a fast body that have their guard alone
    int cores;
    utContactReach reach;
} ContactScene;

/// How far a geom may move in a step, m.
double ut_contact_travel(const ContactScene* scene, int geom);

/// Nothing has been seen yet. @param arena holds the entries of `reached`
utStatus ut_contact_forget(const utModel* model, utArena* arena, ContactReached* reached);

/// Move the boxes of the broad phase: around each geom with room for what it
/// may move in a step.
void ut_contact_bound(const ContactScene* scene, utBroad* broad);

/// All contacts within reach of the step, in ascending order of geoms and
/// features.
/// @param pair    2 max_pairs entries of work
/// @param contact max entries  @param count how many there are
/// @return UT_ERR_CAPACITY when there are more than fit; *count or *pairs then
/// say how many
utStatus ut_contact_find(const ContactScene* scene, utBroad* broad, int max_pairs, int* pair,
                         int* pairs, int max, utContact* contact, int* count);

/// Add the model's explicit contacts behind those that were found.
/// @param contact room for npoint more
void ut_contact_points(const ContactScene* scene, utContact* contact, int* count);

/// b of a contact whose place, frame and gap are known, and its friction: kinetic where it slips
/// at the step's start.
void ut_contact_settle(const ContactScene* scene, double friction, double kinetic, utContact* c);

/// The points where the figures of two geoms of a planar world are closer than `reach`.
/// @param touch UT_TOUCH_MAX entries, in the plane through the world's origin @return how many
int ut_contact_collide_flat(const ContactScene* scene, int geom1, int geom2, double reach,
                            utTouch* touch);

/// Signed distance of a point from the figure of a geom and the nearest point of its outline, by a
/// small circle. @return `most` where it is further than that
double ut_contact_flat_distance(const ContactScene* scene, int geom, utVec3 point, double radius,
                                double most, utVec3* foot);

/// The axes of a contact with the normal n: two tangents of space; in a planar world n turned by
/// -90 degrees about the plane's normal, and that normal, so that these axes are left-handed.
void ut_contact_axes(const utModel* model, utVec3 n, utVec3 frame[3]);

/// Rows of a contact: 2 in a planar world, 3 in space. Entries of a utContact beyond are 0.
static inline int ut_contact_dimension(const utModel* model)
{
    return model->options.planar != UT_PLANAR_NONE ? 2 : 3;
}

/// Leave out contacts at a distance that would stop two geoms though they fly past each other, but
/// for those that are there already.
/// @param touch count entries; those that stay come first @return how many stay
int ut_contact_drop_passed(const ContactScene* scene, int geom1, int geom2, int count,
                           utTouch* touch);

/// Drop contacts that are hidden between fixed geoms; and of those that one body has with another
/// through several geoms those that can never close before others do: a box on tiles stands on its
/// corners. Of a single pair of geoms none of the latter are dropped.
/// @param scratch everything is given back @param count, contact as ut_contact_find left them
utStatus ut_contact_reduce(const ContactScene* scene, const utBroad* broad, utArena scratch,
                           int* count, utContact* contact);

/// Is a contact of a moving and a fixed geom at a place that other fixed geoms hide, as tiles hide
/// each other's sides?
bool ut_contact_is_hidden(const ContactScene* scene, const utBroad* broad,
                          const utContact* contact);

/// The share of its way through the step that a body moved from outside has before it where
/// contacts are taken.
double ut_contact_way_left(const ContactScene* scene, int body);

/// The mocap body, by its number, that a body is fixed to; -1: none.
int ut_contact_mocap(const utModel* model, int body);

// ---- fast bodies --------------------------------------------------------------------------------

/// Is one of the two a geom of a fast body?
bool ut_contact_is_fast(const utModel* model, int geom1, int geom2);

/// The smaller radius of two geoms, m, and whose it is.
double ut_contact_size(const utModel* model, int geom1, int geom2);
bool ut_contact_second_is_small(const utModel* model, int geom1, int geom2);

/// A fast body meets another on its way.
typedef struct Meeting {
    int geom1, geom2;
    double at; ///< when, of h: the last moment at which they do not overlap; of a core, when its
               ///< centre of mass gets there
    utVec3 normal; ///< world, from geom1 to geom2
    double depth;  ///< by how much they overlap at the end of the way, m; 0: a trace, or not at all
    bool through;  ///< the centre of mass of the smaller one's body goes into the other
} Meeting;

/// A way through a step: from q, where scene->kin is placed, to q ⊕ h v.
typedef struct Sweep {
    const ContactScene* scene;
    const double* q;          ///< nq
    const double* v;          ///< nv
    const double* mocap_pos;  ///< 3 nmocap: at the start
    const double* mocap_quat; ///< 4 nmocap
    bool cores;               ///< what passes through is met where its centre does
    double* q_at;             ///< nq of work
    utKinematics placed;      ///< work
} Sweep;

/// All pairs with a fast body that meet on the way, in ascending order of geoms: that overlap by
/// more than a trace, or more than at the start.
/// @param pair    2 max_pairs entries of work
/// @param meeting max_pairs entries
utStatus ut_contact_sweep(Sweep* sweep, utBroad* broad, int max_pairs, int* pair, int* pairs,
                          Meeting* meeting, int* meetings);

/// The touches of a pair with a fast body. @param reach how near they may come within the step
/// @param touch UT_TOUCH_MAX + 1 entries @return how many
int ut_contact_fast_touches(const ContactScene* scene, int geom1, int geom2, double reach,
                            utTouch* touch);

// ---- rows ---------------------------------------------------------------------------------------

/// What actuators with a limited force would do without the limit.
typedef struct ActuatorLaw {
    int actuator;
    double force;      ///< explicit part, generalized, N or N m
    double compliance; ///< 1 / (h D + h^2 K), 0 when the force does not depend on
                       ///< the motion
} ActuatorLaw;

/// Limits, dry friction, limited actuators, and springs between sites. @param row max entries;
/// never more than 3 nv + nu + 3 nspring
int ut_contact_rows(const ContactScene* scene, const double* q, const ActuatorLaw* law, int laws,
                    utRow* row);

enum { EQUALITY_ROWS = 14 }; // of one equality at most, but for its actuators

/// Rows of all active equalities, their limits, dry friction, springs and actuators, where
/// scene->kin is: at most EQUALITY_ROWS each and one an actuator. @return how many
int ut_contact_equality_rows(const ContactScene* scene, utRow* row);

/// Is a row one that re-linearisation takes anew: an equality or its limit?
static inline bool ut_row_is_ahead(const utRow* row)
{
    return row->dof < 0 && (row->kind == UT_ROW_EQUALITY || row->kind <= UT_ROW_BALL);
}

/// The largest distance that an active equality is off, m; turns times its reach.
/// @param equality which one; -1: none is off
double ut_contact_drift(const utModel* model, const utKinematics* kin, int* equality);

// ---- sides --------------------------------------------------------------------------------------

/// The trees on the two sides of a contact, -1 for what is fixed or moved from outside.
void ut_contact_trees(const utModel* model, const utContact* contact, int tree[2]);

/// The same for a row; one of a joint has its tree first and -1 then.
void ut_row_trees(const utModel* model, const utRow* row, int tree[2]);

/// What a unit impulse of a row between bodies does to one of them: seen from the reference point
/// of its tree. @param side 0: body1, with the sign turned; 1: body2
utForce ut_row_wrench(const utKinematics* kin, const utRow* row, int side);

/// Velocity of the point of a body that is at `point` under velocities v; of mocap bodies as given.
utMotion ut_contact_twist(const ContactScene* scene, int body, utVec3 point, const double* v);

/// Springs between sites, linearly implicit, as rows that give way: up to 3 each.
int ut_contact_spring_rows(const ContactScene* scene, utRow* row);

// ---- islands ------------------------------------------------------------------------------------

/// Trees that touch each other, directly or through others. Contacts and rows
/// get their island, in the order of their first contact or row.
/// @param root 2 ntree entries of work @return how many
int ut_contact_islands(const utModel* model, int contacts, utContact* contact, int rows, utRow* row,
                       int* root);

// ---- the problem --------------------------------------------------------------------------------

/// The friction problem of one island, and which contacts and rows it is made
/// of.
typedef struct IslandProblem {
    utCoulomb coulomb;
    utCoulombBlocks blocks;
    int* contact; ///< indices of its contacts,
    int* row;     ///< and of its rows
    int* tree;    ///< its trees
    int trees;
} IslandProblem;

/// @param arena holds everything
utStatus ut_contact_problem(const ContactScene* scene, const utMass* mass, int island, int contacts,
                            const utContact* contact, int rows, const utRow* row,
                            const utSection* section, utArena* arena, IslandProblem* problem);

/// The least velocity that errors of the island are measured by: h |g|, or a share of the largest
/// speed of a contact's or joint's point, m/s.
utStatus ut_contact_scale(const ContactScene* scene, const IslandProblem* problem,
                          const utContact* contact, utArena scratch, double* V);

/// g += J'r over all contacts and rows: generalized impulses, nv. Net wrenches on bodies are right
/// to their own rounding, however large the impulses are that they are the sum of.
utStatus ut_contact_impulses(const ContactScene* scene, int contacts, const utContact* contact,
                             int rows, const utRow* row, utArena scratch, double* g);

/// u of every contact and row after the step, from v.
void ut_contact_velocities(const ContactScene* scene, const double* v, int contacts,
                           utContact* contact, int rows, utRow* row);

// ---- warm starts --------------------------------------------------------------------------------

/// One impulse that is kept: of a contact in world axes, of a row by itself.
typedef struct WarmImpulse {
    int a, b;         ///< sides; or -1 - kind and the joint's velocity or the equality
    uint64_t feature; ///< or the actuator, or the component
    utVec3 r;         ///< N s
} WarmImpulse;

/// The order of kept impulses: by sides, then by feature. @return negative when x comes first
int ut_contact_compare_keys(const WarmImpulse* x, const WarmImpulse* y);

/// Start impulses from those kept, in the contacts' frames and within their
/// cones, times `share`.
/// @param warm sorted as ut_contact_keep left it @return how many were found
int ut_contact_recall(int count, const WarmImpulse* warm, double share, int contacts,
                      utContact* contact, int rows, utRow* row);

/// Keep the impulses of a step. @param warm contacts + rows entries @return how
/// many
int ut_contact_keep(int contacts, const utContact* contact, int rows, const utRow* row,
                    WarmImpulse* warm);

#endif
