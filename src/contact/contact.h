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

/// Which gaps make a contact.
typedef enum ContactReach {
    CONTACT_BY_MOTION, ///< what bodies may cover within the step
    CONTACT_TOUCHING,  ///< none
    CONTACT_BY_MARGIN, ///< the margins of both
} ContactReach;

/// What a step looks at.
typedef struct ContactScene {
    const utModel* model;
    const utKinematics* kin;
    double h;
    const double* v;                ///< nv: before the step
    const double* v_free;           ///< nv: v*
    const double* v_next;           ///< nv: after a first solution, NULL before it
    const double* v_ahead;          ///< nv: kin is at q ⊕ h v_ahead; NULL: at q
    const utMotion* mocap_velocity; ///< nmocap
    bool signed_gaps;               ///< b_n takes overlaps too
    ContactReach reach;
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

/// Limits, dry friction and limited actuators. @param row max entries; never
/// more than 3 nv + nu
int ut_contact_rows(const ContactScene* scene, const double* q, const ActuatorLaw* law, int laws,
                    utRow* row);

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
