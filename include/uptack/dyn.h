// SPDX-License-Identifier: Apache-2.0
/// @file dyn.h
/// Dynamics of trees of bodies in generalized coordinates:
///
///     M(q) a + c(q, v) = tau,    c: Coriolis, centrifugal, gyroscopic terms and gravity
///
/// by composite bodies (M, its factor), Newton-Euler (c, inverse dynamics) and articulated bodies
/// (forward dynamics in O(n)); Jacobians of points, their rates, energies and momenta.
///
/// Spatial vectors of a body are seen from a frame with the world's axes whose origin is the
/// reference point of the body's tree: where the tree's root body is at this moment, `origin`.
/// Points are given in the world. Nothing here allocates after `create`.
#ifndef UPTACK_DYN_H
#define UPTACK_DYN_H

#include <uptack/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- kinematics ---------------------------------------------------------------------------------

/// Where everything is and how it moves; filled by the two functions below.
typedef struct utKinematics {
    const utModel* model;
    // by ut_kinematics_place
    utFrame* body;      ///< nbody: body to world
    utQuat* quat;       ///< nbody: the same rotation
    utVec3* com;        ///< nbody: centre of mass, world
    utVec3* origin;     ///< ntree + 1: reference point of each tree; the last is for what is fixed
    utInertia* inertia; ///< nbody: seen from the reference point
    utMotion* axis;     ///< nv: the motion that a unit of this velocity gives
    utVec3* anchor;     ///< njoint: world
    // by ut_kinematics_move
    utMotion* velocity; ///< nbody
    utMotion* rate;     ///< nv: rate of change of `axis`
    utMotion* bias;     ///< nbody: its spatial acceleration for a = 0, without gravity
} utKinematics;

UT_API size_t ut_kinematics_size(const utModel* model);
UT_API utStatus ut_kinematics_create(const utModel* model, utArena* keep, utKinematics* kin);

/// Place the bodies. @param q nq, quaternions normalized
/// @param mocap_pos, mocap_quat poses of mocap bodies, NULL: as modelled
UT_API void ut_kinematics_place(utKinematics* kin, const double* q, const double* mocap_pos,
                                const double* mocap_quat);

/// After placing: let velocities be read as those at q, as ut_model_carry would bring them to where
/// the bodies are. Changes axes of free joints whose body's frame is not at its centre of mass.
/// What needs M then (ut_mass_find, ut_dyn_forward, ut_dyn_respond) is not for this kin.
UT_API void ut_kinematics_carry(utKinematics* kin, const double* q);

/// Move them, after placing. @param v nv
/// @param mocap_velocity twist of each mocap body (of its frame's origin, world), NULL: at rest
UT_API void ut_kinematics_move(utKinematics* kin, const double* v, const utMotion* mocap_velocity);

/// Pose of a geom and position of a site, world. kin is placed.
UT_API utFrame ut_geom_frame(const utKinematics* kin, int geom);
UT_API utVec3 ut_site_position(const utKinematics* kin, int site);

/// The factor that turns a joint's velocity into m/s: 1 for translations, the joint's reach for
/// rotations.
UT_API double ut_dof_length(const utModel* model, int dof);

/// Velocity of the point of a body that is at `point`, world, m/s.
UT_API utVec3 ut_point_velocity(const utKinematics* kin, int body, utVec3 point);

/// Acceleration of that point for a = 0 and no gravity: J̇v.
UT_API utVec3 ut_point_bias(const utKinematics* kin, int body, utVec3 point);

/// J̇v of a contact: what the second derivative of its gap and the rates of its tangential
/// velocities have for a = 0 and no gravity. Exact for spheres, ends of capsules and corners on
/// faces, and for what touches without slip; other curved shapes count as corners. Bodies moved
/// from outside count as moved at a constant rate.
/// @param side1, side2 as in utContact: a geom, or ngeom + a site
/// @param frame normal from side1 to side2, two tangents  @param rate n, t1, t2, m/s^2
UT_API void ut_contact_rate(const utKinematics* kin, int side1, int side2, utVec3 point,
                            const utVec3 frame[3], double gap, double rate[3]);

/// Rows of J for the velocity of a point along given directions, over the velocities of the body's
/// tree. @param J rows x (the tree's dofs), row-major, overwritten; untouched for a body that is
/// fixed
UT_API void ut_point_jacobian(const utKinematics* kin, int body, utVec3 point, int rows,
                              const utVec3* direction, double* J);

/// The same for angular velocity along directions.
UT_API void ut_angular_jacobian(const utKinematics* kin, int body, int rows,
                                const utVec3* direction, double* J);

// ---- mass matrix --------------------------------------------------------------------------------

/// M, and its factor L' D L without fill: row i holds the entries with its ancestors. Armature and
/// what the caller adds to the diagonal are part of it.
typedef struct utMass {
    const utModel* model;
    int* start;           ///< nv + 1: row i has the entries start[i] ... start[i + 1] - 1,
    int* column;          ///< ancestors of i, descending from i itself
    double* M;            ///< entries of the lower triangle
    double* L;            ///< unit lower triangle in the same places; its diagonal holds 1 / D
    utInertia* composite; ///< nbody: work of ut_mass_find
} utMass;

UT_API size_t ut_mass_size(const utModel* model);
UT_API utStatus ut_mass_create(const utModel* model, utArena* keep, utMass* mass);

/// M by composite bodies, after ut_kinematics_place. @param more nv entries for the diagonal (hD +
/// h^2 K of joints), may be NULL
UT_API void ut_mass_find(utMass* mass, const utKinematics* kin, const double* more);

/// Factor it. @return false when it is not positive definite
UT_API bool ut_mass_factor(utMass* mass);

/// y = M x; x and y do not overlap
UT_API void ut_mass_multiply(const utMass* mass, const double* x, double* y);

/// x = M^-1 x
UT_API void ut_mass_solve(const utMass* mass, double* x);

/// The block of one tree, dofs x dofs, row-major.
UT_API void ut_mass_block(const utMass* mass, int tree, double* block);

// ---- inverse and forward dynamics ---------------------------------------------------------------

/// Scratch bytes of each function below.
UT_API size_t ut_dyn_scratch(const utModel* model);

/// tau = M a + c - (what `applied` does), by Newton-Euler, after placing and moving. Without
/// armature: add dof_armature a for that.
/// @param a       nv; NULL: 0
/// @param gravity may be zero
/// @param applied nbody wrenches on the bodies: force and torque about the centre of mass, world;
///                NULL: none
UT_API utStatus ut_dyn_inverse(const utKinematics* kin, const double* a, utVec3 gravity,
                               const utForce* applied, utArena scratch, double* tau);

/// a = M^-1 (tau - c + ...), by articulated bodies in O(n), armature included.
/// @param tau nv @param more nv entries added to the diagonal of M, may be NULL
/// @return UT_ERR_ARGUMENT when M is not positive definite
UT_API utStatus ut_dyn_forward(const utKinematics* kin, const double* tau, const double* more,
                               utVec3 gravity, const utForce* applied, utArena scratch, double* a);

/// a = (M + more)^-1 tau, by articulated bodies: what impulses tau do to velocities. kin is placed;
/// how it moves does not matter. The trees are those of `acts`, NULL: all; a of others is 0.
/// @param acts ntree
UT_API utStatus ut_dyn_respond(const utKinematics* kin, const double* tau, const double* more,
                               const bool* acts, utArena scratch, double* a);

/// M + more, eliminated by articulated bodies once, for many questions at the same positions.
/// @param keep holds it: ut_dyn_scratch(model) bytes are enough
/// @return UT_ERR_ARGUMENT when M + more is not positive definite
typedef struct utForward utForward;
UT_API utStatus ut_dyn_eliminate(const utKinematics* kin, const double* more, utArena* keep,
                                 utForward** factor);

/// tau . (M + more)^-1 tau, where tau is 0 but for velocities that move one of two bodies. It costs
/// as much as these have ancestors.
/// @param body -1: none; bodies that are fixed or moved from outside are none
UT_API double ut_dyn_mobility(const utKinematics* kin, utForward* factor, const double* tau,
                              const int body[2]);

/// Forces of the joints' springs and dampers: - stiffness (q - springref) - damping v; a ball's
/// spring turns back by stiffness times the rotation vector from the modelled pose, a free joint's
/// pulls back to the modelled place, too. @param tau nv, overwritten
UT_API void ut_dyn_passive(const utModel* model, const double* q, const double* v, double* tau);

/// Add what springs and dampers between sites do: forces and torques about the centres of mass,
/// world. kin is placed and moved. @param wrench nbody
UT_API void ut_dyn_add_springs(const utKinematics* kin, utForce* wrench);

/// The acceleration of centres of mass against the frames of their bodies that comes from turning
/// alone, R (w x (w x c)), on the linear velocities of free joints; 0 on all others. A free body's
/// centre of mass moves straight in q ⊕ h v, so that v* at q has this more than v + h a.
/// kin is placed. @param a nv, overwritten
UT_API void ut_dyn_centripetal(const utKinematics* kin, const double* v, double* a);

/// Add the couples by which EULER's gyroscopic terms differ from explicit ones: bodies on ball
/// joints and roots of floating trees have theirs at the mean angular velocity of a step by the
/// implicit midpoint rule, as if they turned by themselves under their weight and what is applied.
/// Free bodies by themselves have none here: their spin is found by that rule. kin is placed and
/// moved. @param wrench nbody, as `applied`
UT_API utStatus ut_dyn_gyroscopic(const utKinematics* kin, utVec3 gravity, double h,
                                  utArena scratch, utForce* wrench);
UT_API size_t ut_dyn_gyroscopic_scratch(const utModel* model);

// ---- energy and momentum ------------------------------------------------------------------------

/// v'M v / 2 with armature, J.
UT_API double ut_dyn_kinetic(const utKinematics* kin, const double* v);

/// Of gravity (0 at the world's origin), of joint springs and of springs between sites, J.
UT_API double ut_dyn_potential(const utKinematics* kin, const double* q, utVec3 gravity);

/// Linear momentum, and angular momentum about `point`, of everything that moves; without armature.
UT_API utForce ut_dyn_momentum(const utKinematics* kin, utVec3 point);

// ---- smooth motion ------------------------------------------------------------------------------

/// A smooth system: forces beyond gravity and the model's own springs and dampers.
typedef struct utSmooth {
    const utModel* model;
    utVec3 gravity;
    const double* tau;       ///< nv: held over the step; NULL: none
    const utForce* applied;  ///< as above, held over the step; NULL: none
    const double* mocap_pos; ///< NULL: as modelled
    const double* mocap_quat;
    const double* stiffness; ///< nv: more forces - K q - D v on the velocities of hinges and
    const double* damping;   ///< slides, of actuators; for RK4 and MIDPOINT; both NULL: none
    bool explicit_forces;    ///< ut_smooth_free: springs and dampers of joints as they are at the
                             ///< step's start, nothing added to M
} utSmooth;

/// One step of length h without contacts, by the integrator asked for:
///
///     EULER     symplectic Euler, q+ = q ⊕ h v+; springs and dampers of joints linearly implicit;
///               the spin of a free body by the implicit midpoint rule, so that its energy, |L| and
///               linear momentum are kept to rounding; those of a free planar body are, too
///     RK4       order 4, explicit
///     IMPLICIT  as EULER, in which the damping of joints is implicit already; Coriolis terms are
///               explicit in both
///     MIDPOINT  order 2, implicit: keeps the energy of a conservative system, and the linear
///               momentum of what floats, to the accuracy of its solution, 1e-12 a step
///
/// @param q nq, v nv: the state, replaced
/// @return UT_OK; UT_ERR_CAPACITY; UT_ERR_ARGUMENT when M is not positive definite, an implicit
///         stage did not converge or the result is not finite; the state is then unchanged
UT_API utStatus ut_smooth_step(const utSmooth* smooth, utIntegrator integrator, double h,
                               utArena scratch, double* q, double* v);
UT_API size_t ut_smooth_scratch(const utModel* model);

/// The velocity that EULER reaches without contacts, v*, and what M̂ has on its diagonal beyond M:
///
///     M̂ = M + h D + h^2 K,    M̂ a = tau - c + force + passive - h K v,    v* = v + h (a + b)
///
/// with the springs' and dampers' forces `passive` at (q, v) and b of ut_dyn_centripetal. v* is a
/// velocity at q: the state after the step has it carried to q ⊕ h v* (ut_model_carry). A free body
/// without armature or damping of its own turns by the implicit midpoint rule. kin is placed and
/// moved at (q, v).
/// @param more  nv: h D + h^2 K of actuators, may be NULL; those of joints are added here
/// @param force nv: further forces, may be NULL; those that `more` makes implicit at (q + h v, v)
/// @param scratch  ut_smooth_scratch(model) bytes are enough
/// @param diagonal receives h D + h^2 K of everything, nv: for ut_mass_find and ut_dyn_respond
/// @return UT_OK; UT_ERR_CAPACITY; UT_ERR_ARGUMENT when M̂ is not positive definite or a spin did
///         not converge
UT_API utStatus ut_smooth_free(const utSmooth* smooth, double h, const utKinematics* kin,
                               const double* q, const double* v, const double* more,
                               const double* force, utArena scratch, double* diagonal,
                               double* v_free);

// ---- maximal coordinates ------------------------------------------------------------------------

/// The same model in maximal coordinates: every body that a joint moves is a free one, and each
/// hinge, slide and ball an equality of that name between its body and the parent (`joint` is set),
/// with its limits and dry friction. Free joints, geoms, sites, mocap bodies, keyframes, excludes
/// and equalities stay; parents and children do not collide, as before. A body welded below one
/// that has jointed bodies before it changes its number.
/// Springs, damping, armature and actuators of joints go with them.
/// @param err what maximal coordinates do not know: several joints on a body, armature of balls and
///        of slides on what moves, jointed bodies of a planar world without inertia
/// @return as ut_model_compile
UT_API utStatus ut_model_maximal(const utModel* model, const utAllocator* allocator,
                                 utModel** maximal, utError* err);

/// A state of the model as one of its maximal model. @param mocap_pos, mocap_quat NULL: as modelled
/// @param scratch ut_maximal_scratch(model) bytes are enough
/// @param q_maximal, v_maximal nq and nv numbers of the maximal model
UT_API utStatus ut_maximal_state(const utModel* model, const double* q, const double* v,
                                 const double* mocap_pos, const double* mocap_quat, utArena scratch,
                                 double* q_maximal, double* v_maximal);
UT_API size_t ut_maximal_scratch(const utModel* model);

/// What a joint's q and v would be, from the poses and velocities of the bodies of an equality that
/// is a hinge (within half a turn of its ref), a slide or a ball. kin is placed and moved.
/// @param q 4, v 3 entries
/// @return how many positions: 1, 1, 4; 0 for others
UT_API int ut_equality_coordinates(const utKinematics* kin, int equality, double* q, double* v);

/// A coordinate that an equality leaves free: of a hinge or slide its own, of a ball the k-th entry
/// of the rotation vector, with the angular velocity about body2's k-th axis as its rate.
typedef struct utCoordinate {
    double q;               ///< rad or m
    utVec3 linear, angular; ///< its rate is linear . (v2 - v1) + angular . (w2 - w1), world,
    utVec3 point;           ///< with the velocities of both bodies here
} utCoordinate;
UT_API utCoordinate ut_equality_coordinate(const utKinematics* kin, int equality, int k);

/// How many there are: 1, 3 of a ball, 0 of connects and welds.
UT_API int ut_equality_freedoms(utEqualityKind kind);

/// Its rate. kin is moved.
UT_API double ut_equality_rate(const utKinematics* kin, int equality, utCoordinate coordinate);

/// The force of a position actuator on an equality, limits included; of a motor without its gear's
/// sense for q and v.
UT_API double ut_equality_actuator(const utKinematics* kin, int actuator, double ctrl);

/// Add what motors on equalities do, and with `all` their springs, dampers and position actuators:
/// forces and torques about the centres of mass, world. kin is placed and moved.
/// @param ctrl nu; NULL: 0 @param wrench nbody
UT_API void ut_dyn_add_equalities(const utKinematics* kin, const double* ctrl, bool all,
                                  utForce* wrench);

#ifdef __cplusplus
}
#endif

#endif
