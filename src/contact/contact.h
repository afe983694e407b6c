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

/// What a step looks at.
typedef struct ContactScene {
    const utModel* model;
    const utKinematics* kin;
    double time; ///< at the step's start
    double h;
    const double* v;                ///< nv: before the step
    const double* v_free;           ///< nv: v*
    const double* v_next;           ///< nv: after a first solution, NULL before it
    const double* v_ahead;          ///< nv: kin is at q ⊕ h v_ahead; NULL: at q
    const utMotion* mocap_velocity; ///< nmocap
    bool signed_gaps;               ///< b_n takes overlaps too
    bool joint_gaps;                ///< b of equalities takes what they are off
    bool explicit_forces;           ///< springs and dampers of equalities are no rows
    const double* ctrl;             ///< nu; NULL: 0
} ContactScene;

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

/// Is the touch of a moving and a fixed geom at a place that other fixed geoms hide, as tiles hide
/// each other's sides?
bool ut_contact_is_hidden(const ContactScene* scene, const utBroad* broad, int geom1, int geom2,
                          const utTouch* touch);

/// The mocap body, by its number, that a body is fixed to; -1: none.
int ut_contact_mocap(const utModel* model, int body);

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
double ut_contact_drift(const utModel* model, const utKinematics* kin);

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

/// g += J'r over all contacts and rows: generalized impulses, nv.
void ut_contact_impulses(const ContactScene* scene, int contacts, const utContact* contact,
                         int rows, const utRow* row, double* g);

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
