// SPDX-License-Identifier: Apache-2.0
/// @file dyn.h
/// Dynamics of trees of bodies in generalized coordinates:
///
///     M(q) a + c(q, v) = tau,    c: Coriolis, centrifugal, gyroscopic terms and gravity
///
/// by composite rigid bodies (M and its factor), Newton-Euler (c, inverse dynamics) and articulated
/// bodies (forward dynamics in O(n)); Jacobians of points and their rates, energies and momenta.
///
/// Spatial vectors of a body have the world's axes and are taken about the reference point of the
/// body's tree: `origin`, the present position of the tree's root body. Points are given in the
/// world.
///
/// Functions may be called from several threads at once as long as the threads do not share objects
/// that the functions write to.
#ifndef UPTACK_DYN_H
#define UPTACK_DYN_H

#include <uptack/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- kinematics ---------------------------------------------------------------------------------

/// Poses and velocities of all bodies, filled by ut_kinematics_place and ut_kinematics_move.
typedef struct utKinematics {
    const utModel* model;
    // filled by ut_kinematics_place
    utFrame* body;  ///< nbody: body to world
    utQuat* quat;   ///< nbody: the same rotation
    utVec3* com;    ///< nbody: centre of mass, world
    utVec3* origin; ///< ntree + 1: reference point of each tree; last: of bodies outside of trees
    utInertia* inertia; ///< nbody: about the reference point
    utMotion* axis;     ///< nv: the twist that a unit of this velocity causes
    utVec3* anchor;     ///< njoint: position of the joint, world
    // filled by ut_kinematics_move
    utMotion* velocity; ///< nbody: twists
    utMotion* rate;     ///< nv: rate of change of `axis`
    utMotion* bias;     ///< nbody: spatial acceleration for a = 0, without gravity
    const bool*
        still; ///< ntree: trees at rest, whose v is 0 and whose twists are 0 already. They are
               ///< placed and have energy, but moves, masses and forces leave them out: their
               ///< results are 0; NULL: none
} utKinematics;

/// @param keep holds the arrays
UT_API utStatus ut_kinematics_create(const utModel* model, utArena* keep, utKinematics* kin);

/// Place the bodies. @param q nq, quaternions normalized
/// @param mocap_pos, mocap_quat poses of mocap bodies, NULL: as modelled
UT_API void ut_kinematics_place(utKinematics* kin, const double* q, const double* mocap_pos,
                                const double* mocap_quat);

/// Copy the placement of another kin of the same model; velocities are not copied.
UT_API void ut_kinematics_copy_placement(const utKinematics* from, utKinematics* to);

/// After placing: make this kin read velocities as velocities at q, as if ut_model_carry had
/// converted them to the present pose. Changes the axes of free joints whose frame is not at the
/// body's centre of mass. Do not pass such a kin to functions that use M: ut_mass_find,
/// ut_dyn_forward, ut_dyn_respond.
UT_API void ut_kinematics_carry(utKinematics* kin, const double* q);

/// Set velocities, after placing. @param v nv
/// @param mocap_velocity twist of each mocap body (of its frame's origin, world), NULL: at rest
UT_API void ut_kinematics_move(utKinematics* kin, const double* v, const utMotion* mocap_velocity);

/// Place and move one tree. All other bodies are placed and moved already.
UT_API void ut_kinematics_renew_tree(utKinematics* kin, const double* q, const double* v, int tree);

/// Set `velocity` alone, for a third of the cost; `rate` and `bias` keep their values.
UT_API void ut_kinematics_set_velocities(utKinematics* kin, const double* v,
                                         const utMotion* mocap_velocity);

/// Pose of a geom, world. kin is placed.
UT_API utFrame ut_geom_frame(const utKinematics* kin, int geom);

/// Pose of a geom's figure within the plane of a planar world. kin is placed.
UT_API utFlatFrame ut_geom_flat_frame(const utKinematics* kin, int geom);

/// Position of a site, world. kin is placed.
UT_API utVec3 ut_site_position(const utKinematics* kin, int site);

/// The factor that turns a joint's velocity into m/s: 1 for translations, the joint's reach for
/// rotations.
UT_API double ut_dof_length(const utModel* model, int dof);

/// The factor of a row over several velocities: with it no velocity moves the row faster than the
/// row of its own joint, so that the row is in m/s.
UT_API double ut_terms_length(const utModel* model, int terms, const int* index,
                              const double* coefficient);

/// Velocity of the body's point that is at `point`, world, m/s.
UT_API utVec3 ut_point_velocity(const utKinematics* kin, int body, utVec3 point);

/// Acceleration of that point for a = 0 and no gravity: J̇v.
UT_API utVec3 ut_point_bias(const utKinematics* kin, int body, utVec3 point);

/// J̇v of a contact: the second derivative of its gap and the rates of its tangential velocities
/// for a = 0 and no gravity. Exact for spheres, ends of capsules and corners on faces, and for
/// contacts without slip; other curved shapes count as corners. Mocap bodies have constant twists.
/// @param side1, side2 as in utContact: a geom, or ngeom + a site
/// @param frame normal from side1 to side2, two tangents  @param rate n, t1, t2, m/s^2
UT_API void ut_contact_rate(const utKinematics* kin, int side1, int side2, utVec3 point,
                            const utVec3 frame[3], double gap, double rate[3]);

/// Rows of J for the velocity of a point along given directions, over the velocities of the body's
/// tree. @param J rows x (the tree's dofs), row-major, overwritten; not written for a body that no
/// joint moves
UT_API void ut_point_jacobian(const utKinematics* kin, int body, utVec3 point, int rows,
                              const utVec3* direction, double* J);

/// The same for angular velocity along directions.
UT_API void ut_angular_jacobian(const utKinematics* kin, int body, int rows,
                                const utVec3* direction, double* J);

// ---- mass matrix --------------------------------------------------------------------------------

/// M and its factor L' D L, without fill: row i holds the entries of dof i and its ancestors.
/// Armature and the diagonal that the caller adds are part of M.
typedef struct utMass {
    const utModel* model;
    int* start;           ///< nv + 1: row i has the entries start[i] ... start[i + 1] - 1,
    int* column;          ///< ancestors of i, descending from i itself
    double* M;            ///< entries of the lower triangle
    double* L;            ///< unit lower triangle with the same columns; its diagonal holds 1 / D
    utInertia* composite; ///< nbody: work of ut_mass_find
} utMass;

/// @param keep holds the arrays
UT_API utStatus ut_mass_create(const utModel* model, utArena* keep, utMass* mass);

/// Compute M by composite rigid bodies, after ut_kinematics_place.
/// @param added_diagonal nv entries, such as h D + h^2 K of joints; NULL: 0
UT_API void ut_mass_find(utMass* mass, const utKinematics* kin, const double* added_diagonal);

/// Factor M. @return false when it is not positive definite
UT_API bool ut_mass_factor(utMass* mass);

/// y = M x; x and y do not overlap
UT_API void ut_mass_multiply(const utMass* mass, const double* x, double* y);

/// x = M^-1 x
UT_API void ut_mass_solve(const utMass* mass, double* x);

/// The block of one tree, dofs x dofs, row-major.
UT_API void ut_mass_block(const utMass* mass, int tree, double* block);

// ---- inverse and forward dynamics ---------------------------------------------------------------

/// tau = M a + c - (generalized forces of `applied`), by Newton-Euler, after placing and moving.
/// Without armature: add dof_armature a for it.
/// @param a       nv; NULL: 0
/// @param gravity may be zero
/// @param applied nbody wrenches on the bodies: force and torque about the centre of mass, world;
///                NULL: none
UT_API utStatus ut_dyn_inverse(const utKinematics* kin, const double* a, utVec3 gravity,
                               const utForce* applied, utArena scratch, double* tau);

/// y = M x by Newton-Euler, without armature. kin is placed; its velocities are not used.
UT_API utStatus ut_dyn_mass_times(const utKinematics* kin, const double* x, utArena scratch,
                                  double* y);

/// The generalized forces of wrenches on the bodies. kin is placed; its velocities are not used.
/// @param wrench nbody: force and torque about the centre of mass, world
UT_API utStatus ut_dyn_joint_forces(const utKinematics* kin, const utForce* wrench, utArena scratch,
                                    double* tau);

/// a = M^-1 (tau - c + ...), by articulated bodies in O(n), armature included.
/// @param tau nv @param added_diagonal nv entries added to the diagonal of M; NULL: 0
/// @return UT_ERR_ARGUMENT when M is not positive definite
UT_API utStatus ut_dyn_forward(const utKinematics* kin, const double* tau,
                               const double* added_diagonal, utVec3 gravity, const utForce* applied,
                               utArena scratch, double* a);

/// a = (M + added_diagonal)^-1 tau, by articulated bodies: the change of velocities by impulses
/// tau. kin is placed; its velocities are not used.
/// @param acts ntree: trees with impulses; a of all others is set to 0; NULL: all trees
UT_API utStatus ut_dyn_respond(const utKinematics* kin, const double* tau,
                               const double* added_diagonal, const bool* acts, utArena scratch,
                               double* a);

/// The factor of M + added_diagonal by articulated bodies, for many right-hand sides at one
/// position. It holds work memory of the solves, so that one thread uses it at a time.
typedef struct utArticulatedFactor utArticulatedFactor;

/// Memory for a factor. @return NULL when the arena has failed
UT_API utArticulatedFactor* ut_dyn_factor_create(const utModel* model, utArena* keep);

/// Factor M + added_diagonal. kin is placed; the functions below take it at the same position.
/// @return UT_ERR_ARGUMENT when M + added_diagonal is not positive definite
UT_API utStatus ut_dyn_factor(const utKinematics* kin, const double* added_diagonal,
                              utArticulatedFactor* factor);

/// ut_dyn_forward with a factor. kin is moved, too.
UT_API void ut_dyn_factor_accelerate(const utKinematics* kin, utArticulatedFactor* factor,
                                     const double* tau, utVec3 gravity, const utForce* applied,
                                     double* a);

/// ut_dyn_respond with a factor.
UT_API void ut_dyn_factor_respond(const utKinematics* kin, utArticulatedFactor* factor,
                                  const double* tau, const bool* acts, double* a);

/// tau . (M + added_diagonal)^-1 tau, where tau may be nonzero only for velocities that move one of
/// two bodies. The cost is proportional to the number of their ancestors.
/// @param body indices of the two bodies; -1 for none and for bodies that no joint moves
UT_API double ut_dyn_mobility(const utKinematics* kin, utArticulatedFactor* factor,
                              const double* tau, const int body[2]);

/// Forces of the joints' springs and dampers: - stiffness (q - springref) - damping v; a ball's
/// spring has the torque stiffness times the rotation vector from the modelled pose; a free joint's
/// spring has in addition a force toward the modelled position. @param tau nv, overwritten
UT_API void ut_dyn_passive(const utModel* model, const double* q, const double* v, double* tau);

/// The generalized forces of gravity compensation (utBodyDef.gravcomp), which ut_dyn_inverse and
/// ut_dyn_forward subtract from gravity already. MuJoCo counts them among its passive forces. kin is
/// placed. @param tau nv, overwritten
UT_API void ut_dyn_gravity_compensation(const utKinematics* kin, utVec3 gravity, double* tau);

/// Add the wrenches of springs and dampers between sites, about the bodies' centres of mass, world.
/// kin is placed and moved. @param wrench nbody
UT_API void ut_dyn_add_springs(const utKinematics* kin, utForce* wrench);

/// The centripetal acceleration R (w x (w x c)) of centres of mass relative to their bodies'
/// frames, in the entries of the linear velocities of free joints; all other entries are 0. The
/// centre of mass of a free body moves straight in q ⊕ h v, so that v* at q is v + h a plus h times
/// this. kin is placed. @param a nv, overwritten
UT_API void ut_dyn_centripetal(const utKinematics* kin, const double* v, double* a);

/// Add the couples by which EULER's gyroscopic terms differ from explicit ones. For bodies on ball
/// joints and roots of floating trees EULER takes the term at the mean angular velocity of the step
/// by the implicit midpoint rule, as if the body turned by itself under its weight and applied
/// wrenches. Single free bodies get no couple, because their spin follows that rule itself. kin is
/// placed and moved.
/// @param wrench nbody, as `applied`
UT_API utStatus ut_dyn_gyroscopic(const utKinematics* kin, utVec3 gravity, double h,
                                  utArena scratch, utForce* wrench);

// ---- tendons ------------------------------------------------------------------------------------

/// The length of a tendon and its derivatives by the velocities of utModelTendon.index: the length
/// changes at the rate sum_k coefficient[k] v[index[k]] (and by the motion of mocap bodies). kin is
/// placed at q.
/// @param terms, index, coefficient receive utModelTendon.terms, .index and the derivatives; each may
///        be NULL @return the length, m (fixed tendons: in the unit of coefficient times coordinate)
UT_API double ut_tendon_length(const utKinematics* kin, const double* q, int tendon, int* terms,
                               int* index, double* coefficient);

/// A point of a tendon's path, for viewers. The path is straight from a point to the next one.
typedef struct utTendonPoint {
    utVec3 point; ///< world, m
    bool first;   ///< it begins a branch: no line leads to it
} utTendonPoint;

/// The path of a spatial tendon: its sites, and points on the arcs around geoms. kin is placed.
/// @param arc_step largest angle between two points of an arc, rad, > 0
/// @param max      room in `point`  @param point may be NULL when max is 0
/// @return number of points, 0 for fixed tendons; the first max were written
UT_API int ut_tendon_path(const utKinematics* kin, int tendon, double arc_step, int max,
                          utTendonPoint* point);

/// The rate of a tendon's length, m/s, with the motion of mocap bodies. kin is placed and moved.
/// @param v nv, as moved
UT_API double ut_tendon_rate(const utKinematics* kin, const double* v, int tendon);

/// The rate of that rate for a = 0 and no gravity, J̇v, m/s^2, of a fixed tendon and of a spatial one
/// without geoms. kin is placed and moved.
UT_API double ut_tendon_bias(const utKinematics* kin, int tendon);

/// The rate of a tendon's length by the motion of mocap bodies alone, m/s. kin is placed.
/// @param mocap_velocity as in ut_kinematics_move; NULL: 0
UT_API double ut_tendon_mocap_rate(const utKinematics* kin, int tendon,
                                   const utMotion* mocap_velocity);

/// The force of a tendon's spring along its length, N: positive when it lengthens the tendon.
/// @param stiffness receives the stiffness of implicit steps, >= 0: the rate at which the force falls
///        with the length, N/m; where it rises, the size of the force over the stretch; 0 when slack
UT_API double ut_tendon_spring(const utModelTendon* tendon, double length, double* stiffness);

/// The force of a tendon's damper, N, at a rate of its length.
/// @param damping receives the damping of implicit steps, likewise, N s/m
UT_API double ut_tendon_damper(const utModelTendon* tendon, double rate, double* damping);

/// Has a tendon a spring or a damper, and velocities that change its length?
UT_API bool ut_tendon_is_passive(const utModelTendon* tendon);

/// Add the generalized forces of the springs and dampers of all tendons. kin is placed at q.
/// @param v nv @param mocap_velocity NULL: mocap bodies are at rest
/// @param scratch needs nv doubles @param tau nv
UT_API utStatus ut_dyn_add_tendons(const utKinematics* kin, const double* q, const double* v,
                                   const utMotion* mocap_velocity, utArena scratch, double* tau);

/// The position error y - p(x) of an equality between joints or tendons, in the unit of y. kin is
/// placed at q.
/// @param coefficient receives the derivatives by the velocities of utModelEquality.index; may be
///        NULL
UT_API double ut_coupling_error(const utKinematics* kin, const double* q, int equality,
                                double* coefficient);

/// The rate of that error by the motion of mocap bodies alone. kin is placed at q.
UT_API double ut_coupling_mocap_rate(const utKinematics* kin, const double* q, int equality,
                                     const utMotion* mocap_velocity);

// ---- actuators ----------------------------------------------------------------------------------

/// The length l of an actuator's transmission, and its moment: l' is the sum of coefficient[k]
/// v[index[k]], and the force p of the actuator acts with coefficient[k] p on velocity index[k]. kin
/// is placed at q.
/// @param terms number of coefficients that are not 0
/// @param index, coefficient nv entries each; the indices ascend
UT_API double ut_actuator_length(const utKinematics* kin, const double* q, int actuator, int* terms,
                                 int* index, double* coefficient);

/// The activation after a time h. An actuator without dynamics keeps it.
UT_API double ut_actuator_activate(const utModelActuator* actuator, double act, double ctrl,
                                   double h);

/// The force of an actuator for an input, before its limits: constant - stiffness l - damping l'.
typedef struct utActuatorLaw {
    double constant, stiffness, damping;
} utActuatorLaw;

/// The input that a servo of a rotation follows at the length l: of all inputs that differ by whole
/// turns (utModelActuator.turn) the nearest one. Other actuators take the input as it is.
/// @param input the control, clamped, or the activation
UT_API double ut_actuator_nearest(const utModelActuator* actuator, double input, double l);

/// @param input of ut_actuator_nearest
UT_API utActuatorLaw ut_actuator_law(const utModelActuator* actuator, double input);

/// The factor for the forces of actuators that share a tendon, 0 ... 1: with it their sum is in the
/// tendon's range. @param force nu: p of the actuators before their own ranges
UT_API double ut_actuator_share(const utModel* model, int tendon, const double* force);

/// Gravity compensation that counts as a force of actuators (utJointDef.actuator_gravcomp); 0 for
/// other joints. kin is placed. @param tau nv, overwritten
UT_API void ut_actuator_compensation(const utKinematics* kin, double* tau);

/// A joint that actuators of tendons or sites drive, too, is saturated when the sum of its actuators
/// exceeds the range by more than this part of the width of the range, so that rounding does not decide.
#define UT_SATURATION_SLACK 1e-9

/// Forces of all actuators at a state, with the limits of actuators and joints. (A step does not
/// use these, because it takes actuators implicitly.) kin is placed at q.
/// @param input nu: the control, clamped, or the activation
/// @param force nu: p @param tau nv: their sum on the velocities, less gravity compensation, which is
/// part of the dynamics, on joints where gravity compensation counts as a force of actuators
UT_API utStatus ut_actuator_forces(const utKinematics* kin, const double* q, const double* v,
                                   const double* input, utArena scratch, double* force,
                                   double* tau);

// ---- energy and momentum ------------------------------------------------------------------------

/// v'M v / 2 with armature, J.
UT_API double ut_dyn_kinetic(const utKinematics* kin, const double* v);

/// The acceleration with which gravity acts on a body: gravity less the body's compensation.
static inline utVec3 ut_dyn_body_gravity(const utModelBody* body, utVec3 gravity)
{
    return ut_vec3_scale(gravity, 1.0 - body->gravcomp);
}

/// Potential energy of gravity (0 at the world's origin), joint springs, springs between sites,
/// springs of equalities and springs of tendons, J.
UT_API double ut_dyn_potential(const utKinematics* kin, const double* q, utVec3 gravity);

/// Linear momentum, and angular momentum about `point`, of all bodies that joints move; without
/// armature.
UT_API utForce ut_dyn_momentum(const utKinematics* kin, utVec3 point);

// ---- smooth motion ------------------------------------------------------------------------------

/// A smooth system: forces beyond gravity and the springs and dampers of joints. RK4 applies those of
/// tendons too; with other integrators they are forces of the caller (ut_dyn_add_tendons).
typedef struct utSmooth {
    const utModel* model;
    utVec3 gravity;
    const double* tau;       ///< nv: held over the step; NULL: none
    const utForce* applied;  ///< as above, held over the step; NULL: none
    const double* mocap_pos; ///< NULL: as modelled
    const double* mocap_quat;
    const double* stiffness; ///< nv: K of forces - K q - D v of actuators on hinges and slides,
    const double* damping;   ///< and their D, for RK4 and MIDPOINT; both NULL: none
    bool explicit_forces; ///< ut_smooth_free: springs and dampers of joints act with their forces
                          ///< at the step's start, and M̂ = M
} utSmooth;

/// One step of length h without contacts:
///
///     EULER     symplectic Euler, q+ = q ⊕ h v+; springs and dampers of joints linearly implicit;
///               the spin of a free body by the implicit midpoint rule, which keeps its energy, |L|
///               and linear momentum to rounding; those of a free planar body are kept, too
///     RK4       order 4, explicit
///     IMPLICIT  the same as EULER, which treats the damping of joints implicitly already; Coriolis
///               terms are explicit in both
///     MIDPOINT  order 2, implicit: keeps the energy of a conservative system, and the linear
///               momentum of floating trees, to the accuracy of its solution, 1e-12 per step
///
/// @param q nq, v nv: the state, replaced
/// @return UT_OK; UT_ERR_CAPACITY; UT_ERR_ARGUMENT when M is not positive definite, an implicit
///         stage did not converge or the result is not finite; the state is then unchanged
UT_API utStatus ut_smooth_step(const utSmooth* smooth, utIntegrator integrator, double h,
                               utArena scratch, double* q, double* v);

/// The free velocity v*, which EULER reaches without contacts, and the diagonal of M̂ - M:
///
///     M̂ = M + h D + h^2 K,    M̂ a = tau - c + force + passive - h K v,    v* = v + h (a + b)
///
/// with the forces `passive` of springs and dampers at (q, v) and b of ut_dyn_centripetal. v* is a
/// velocity at q; the state after the step holds it as a velocity at q ⊕ h v* (ut_model_carry). The
/// spin of a free body without armature or damping of its own follows the implicit midpoint rule.
/// kin is placed and moved at (q, v).
/// @param actuator_diagonal nv: h D + h^2 K of actuators; NULL: 0; those of joints are added here
/// @param force    nv: further forces; NULL: 0; forces of the actuators at (q + h v, v)
/// @param diagonal receives h D + h^2 K of actuators and joints, nv: for ut_mass_find and
///        ut_dyn_respond
/// @param factor   receives the factor of M̂; NULL: not asked for
/// @return UT_OK; UT_ERR_CAPACITY; UT_ERR_ARGUMENT when M̂ is not positive definite or a spin did
///         not converge
UT_API utStatus ut_smooth_free(const utSmooth* smooth, double h, const utKinematics* kin,
                               const double* q, const double* v, const double* actuator_diagonal,
                               const double* force, utArena scratch, double* diagonal,
                               utArticulatedFactor* factor, double* v_free);

// ---- maximal coordinates ------------------------------------------------------------------------

/// The same model in maximal coordinates: every body that a joint moves is free, and each hinge,
/// slide and ball is an equality of that name between the body and its parent (`joint` is set),
/// with its limits, dry friction, springs, damping, armature and actuators. Free joints, geoms,
/// sites, mocap bodies, keyframes, excludes and equalities stay; parents and children do not
/// collide, as before. The index of a body changes if it is welded to a body whose jointed
/// descendants come before it.
/// @param err names a thing that maximal coordinates do not support: several joints on a body,
///        armature of balls and of slides on moving bodies, jointed bodies of a planar world
///        without inertia, fixed tendons and couplings of joints
/// @return as ut_model_compile
UT_API utStatus ut_model_maximal(const utModel* model, const utAllocator* allocator,
                                 utModel** maximal, utError* err);

/// q and v of the joint that an equality represents, from the poses and velocities of its bodies:
/// of a hinge (within half a turn of its ref), a slide or a ball. kin is placed and moved.
/// @param q 4, v 3 entries
/// @return the number of positions: 1 for hinges and slides, 4 for balls, 0 for other equalities
UT_API int ut_equality_coordinates(const utKinematics* kin, int equality, double* q, double* v);

/// A coordinate that an equality leaves free: the angle or distance of a hinge or slide, or the
/// k-th component of a ball's rotation vector, whose rate is the angular velocity about body2's
/// k-th axis.
typedef struct utCoordinate {
    double q;               ///< rad or m
    utVec3 linear, angular; ///< the rate of q is linear . (v2 - v1) + angular . (w2 - w1), world
    utVec3 point;           ///< where v1 and v2 are taken, world
} utCoordinate;

/// The k-th free coordinate of an equality. kin is placed.
UT_API utCoordinate ut_equality_coordinate(const utKinematics* kin, int equality, int k);

/// The number of free coordinates: 1 for hinges and slides, 3 for balls, 0 for connects and welds.
UT_API int ut_equality_dofs(utEqualityKind kind);

/// Add the wrenches of actuators on equalities, about the bodies' centres of mass, world: of those
/// whose force has no stiffness and damping; with `all` of all, and those of springs and dampers.
/// kin is placed and moved.
/// @param input nu: control or activation; NULL: 0 @param wrench nbody
UT_API void ut_dyn_add_equalities(const utKinematics* kin, const double* input, bool all,
                                  utForce* wrench);

#ifdef __cplusplus
}
#endif

#endif
