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

/// Move them, after placing. @param v nv
/// @param mocap_velocity twist of each mocap body (of its frame's origin, world), NULL: at rest
UT_API void ut_kinematics_move(utKinematics* kin, const double* v, const utMotion* mocap_velocity);

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

/// Forces of the joints' springs and dampers: - stiffness (q - springref) - damping v; a ball's
/// spring turns back by stiffness times the rotation vector from the modelled pose, a free joint's
/// pulls back to the modelled place, too. @param tau nv, overwritten
UT_API void ut_dyn_passive(const utModel* model, const double* q, const double* v, double* tau);

// ---- energy and momentum ------------------------------------------------------------------------

/// v'M v / 2 with armature, J.
UT_API double ut_dyn_kinetic(const utKinematics* kin, const double* v);

/// Of gravity (0 at the world's origin) and of joint springs, J.
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
} utSmooth;

/// One step of length h without contacts, by the integrator asked for:
///
///     EULER     symplectic Euler, q+ = q ⊕ h v+; springs and dampers of joints linearly implicit;
///               the spin of a free body by the implicit midpoint rule, so that its energy, |L| and
///               linear momentum are kept to rounding
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
///     M̂ = M + h D + h^2 K,    M̂ (v* - v) = h (tau - c + force + passive - h K v)
///
/// with the springs' and dampers' forces `passive` at (q, v). A free body without armature or
/// damping of its own goes about its centre of mass instead: its spin by the implicit midpoint
/// rule, and v* is the velocity of its origin for the orientation q ⊕ h v*.
/// kin is placed and moved at (q, v).
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

#ifdef __cplusplus
}
#endif

#endif
