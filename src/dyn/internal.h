// SPDX-License-Identifier: Apache-2.0
// Functions that the files of dyn share. Most of them work on one tree: the bodies of a tree have
// consecutive indices, parents first, and so have its velocities.
#ifndef UPTACK_DYN_INTERNAL_H
#define UPTACK_DYN_INTERNAL_H

#include <uptack/dyn.h>

// ---- frames of reference ------------------------------------------------------------------------

/// The reference point of a body's spatial vectors.
static inline utVec3 ut_dyn_origin(const utKinematics* kin, int body)
{
    const int tree = kin->model->body[body].tree;
    return kin->origin[tree >= 0 ? tree : kin->model->ntree];
}

/// A twist (or spatial acceleration) about the point at `r` from the old reference point.
static inline utMotion ut_dyn_shift(utMotion a, utVec3 r)
{
    return ut_motion(ut_vec3_add(a.linear, ut_vec3_cross(a.angular, r)), a.angular);
}

/// A wrench about a new reference point; `r` leads from there to the old one.
static inline utForce ut_dyn_shift_force(utForce f, utVec3 r)
{
    return ut_force(f.force, ut_vec3_add(f.torque, ut_vec3_cross(r, f.force)));
}

/// Is a tree at rest, so that it is left out? @param result nv, receives 0 for it; NULL: there is none
static inline bool ut_dyn_skips(const utKinematics* kin, int tree, double* result)
{
    if (kin->still == NULL || !kin->still[tree]) {
        return false;
    }
    const utModelTree* t = kin->model->tree + tree;
    for (int i = t->dof; result != NULL && i < t->dof + t->dofs; i++) {
        result[i] = 0.0;
    }
    return true;
}

/// Does a body's parent belong to the same tree?
static inline bool ut_dyn_parent_in_tree(const utModel* model, int body)
{
    return model->body[model->body[body].parent].tree == model->body[body].tree;
}

static inline utVec3 ut_dyn_vec3(const double* x)
{
    return ut_vec3(x[0], x[1], x[2]);
}

static inline void ut_dyn_store(utVec3 a, double* x)
{
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

static inline void ut_dyn_store_quat(utQuat a, double* q)
{
    q[0] = a.w;
    q[1] = a.x;
    q[2] = a.y;
    q[3] = a.z;
}

static inline utQuat ut_dyn_quat(const double* q)
{
    return ut_quat(q[0], q[1], q[2], q[3]);
}

/// The number of a joint's translational velocities along fixed axes, which come first.
static inline int ut_dyn_translations(utJointKind kind)
{
    const bool planar = kind == UT_JOINT_PLANAR || kind == UT_JOINT_PARTICLE;
    return kind == UT_JOINT_FREE ? 3 : planar ? 2 : 0;
}

// ---- one tree -----------------------------------------------------------------------------------

/// ut_kinematics_place and ut_kinematics_move for bodies that no joint moves.
void ut_dyn_place_fixed(utKinematics* kin, const double* mocap_pos, const double* mocap_quat);
void ut_dyn_move_fixed(utKinematics* kin, const utMotion* mocap_velocity);

/// ut_kinematics_place and ut_kinematics_move for the bodies of one tree; fixed bodies are placed.
void ut_dyn_place_tree(utKinematics* kin, const double* q, int tree);
void ut_dyn_move_tree(utKinematics* kin, const double* v, int tree);

/// ut_mass_find, ut_mass_factor and ut_mass_solve for one tree.
void ut_dyn_mass_tree(utMass* mass, const utKinematics* kin, const double* added_diagonal,
                      int tree);
bool ut_dyn_factor_tree(utMass* mass, int tree);
void ut_dyn_solve_tree(const utMass* mass, double* x, int tree);

/// The number of entries of M, with one triangle of each block.
size_t ut_dyn_mass_entries(const utModel* model);

/// The wrench that gives a body an acceleration, about its centre of mass, world axes:
/// f = m (a_com - g) - F and n = I alpha + w x I w - N, where g is gravity less the compensation of
/// the body. @param A its spatial acceleration; @param applied of all bodies, may be NULL
static inline utForce ut_dyn_required_wrench(const utKinematics* kin, int body, utMotion A,
                                             utVec3 gravity, const utForce* applied)
{
    const utInertia* I = &kin->inertia[body];
    const utMotion V = kin->velocity[body];
    const utVec3 g = ut_dyn_body_gravity(&kin->model->body[body], gravity);
    const utVec3 v_com = ut_dyn_shift(V, I->com).linear;
    const utVec3 a_com =
        ut_vec3_add(ut_dyn_shift(A, I->com).linear, ut_vec3_cross(V.angular, v_com));
    const utVec3 spin = ut_mat3_mul_vec(I->inertia, V.angular);
    const utForce f = ut_force(
        ut_vec3_scale(ut_vec3_sub(a_com, g), I->mass),
        ut_vec3_add(ut_mat3_mul_vec(I->inertia, A.angular), ut_vec3_cross(V.angular, spin)));
    return applied != NULL ? ut_force_sub(f, applied[body]) : f;
}

/// ut_dyn_inverse for one tree. @param wrench, J_a nbody entries of work
/// @param required nbody, receives the wrenches that bodies require for a = 0, about their centres of
/// mass; NULL: not needed
void ut_dyn_inverse_tree(const utKinematics* kin, const double* a, utVec3 gravity,
                         const utForce* applied, utForce* wrench, utMotion* J_a, utForce* required,
                         double* tau, int tree);

/// ut_dyn_factor for one tree. @return false when a pivot of M is not positive
bool ut_dyn_factor_one(const utKinematics* kin, const double* added_diagonal,
                       utArticulatedFactor* factor, int tree);

/// ut_dyn_factor_accelerate for one tree.
void ut_dyn_factor_accelerate_tree(const utKinematics* kin, utArticulatedFactor* factor,
                                   const double* tau, utVec3 gravity, const utForce* applied,
                                   double* a, int tree);

/// ut_dyn_factor_accelerate_tree and the response of the same tree to impulses x, in one pass and with
/// the same bits. The tree is no single free body with plain inertia.
/// @param required of ut_dyn_inverse_tree, with gravity and applied forces
/// @param x, response nv: impulses, and the velocities that they cause
void ut_dyn_factor_solve_two(const utKinematics* kin, utArticulatedFactor* factor,
                             const double* tau, const utForce* required, const double* x, double* a,
                             double* response, int tree);

/// ut_dyn_factor_respond for one tree.
void ut_dyn_factor_respond_tree(const utKinematics* kin, utArticulatedFactor* factor,
                                const double* tau, int tree, double* a);

// ---- springs and dampers ------------------------------------------------------------------------

/// Forces of the joints' springs and dampers at (q ⊕ h v, v), linearized in h:
/// - K (q - rest) - h K v - D v. Nonlinear springs have their force at q and K their slope at q.
void ut_dyn_passive_linearized(const utModel* model, const double* q, const double* v, double h,
                               double* tau);

/// The rotation vector from the modelled quaternion at q_index to that of q.
utVec3 ut_dyn_rotation_from_rest(const utModel* model, int q_index, const double* q);

/// Add the force of the spring of joint j.
void ut_dyn_add_joint_spring(const utModel* model, int j, const double* q, double* tau);

/// Add the forces of smooth->stiffness and smooth->damping.
void ut_dyn_add_servos(const utSmooth* smooth, const double* q, const double* v, double* tau);

/// h D + h^2 K of joints, with the slopes at (q, v). K of a ball's spring is its stiffness times the unit
/// matrix, which is exact along the rotation and at rest. @param diagonal nv
void ut_dyn_passive_diagonal(const utModel* model, const double* q, const double* v, double h,
                             double* diagonal);

/// The damping force on velocity i when it is v.
double ut_dyn_damping_force(const utModel* model, int i, double v);

/// Does the joint have a spring?
static inline bool ut_dyn_has_spring(const utModelJoint* joint)
{
    const double* k = joint->stiffness_poly;
    return fabs(joint->stiffness) + fabs(k[0]) + fabs(k[1]) != 0.0;
}

/// ut_dyn_potential of one tree.
double ut_dyn_potential_tree(const utKinematics* kin, const double* q, utVec3 gravity, int tree);

// ---- tendons ------------------------------------------------------------------------------------

/// Add `factor` times the derivatives of a tendon's length to the entries of an equality's
/// velocities, e->terms. kin is placed at q.
void ut_dyn_add_tendon_derivatives(const utKinematics* kin, const double* q, int tendon,
                                   const utModelEquality* e, double factor, double* coefficient);

// ---- a single free body -------------------------------------------------------------------------

/// A tree of one body with a free joint, in quantities of its centre of mass.
typedef struct utFreeBody {
    double mass;
    utVec3 com;     ///< c: in the body's frame
    utMat3 inertia; ///< about com, along the body's axes
    utQuat quat;    ///< body to world
    utVec3 u;       ///< velocity of the centre of mass, world
    utVec3 w;       ///< angular velocity, in the body's frame
    utVec3 force;   ///< world, gravity included
    utVec3 torque;  ///< about the centre of mass, in the body's frame
} utFreeBody;

/// The free body that a tree consists of. @param tau nv: generalized forces, may be NULL
utFreeBody ut_dyn_free_body(const utKinematics* kin, const double* tau, utVec3 gravity,
                            const utForce* applied, int tree);

/// Is the tree's block of M made of inertia alone, without armature or an added diagonal?
/// @param added_diagonal may be NULL
bool ut_dyn_has_plain_inertia(const utModel* model, const double* added_diagonal, int tree);

/// The inverse of the inertia of a single free body about its centre of mass, in its own frame.
/// @return false when mass or inertia is not positive
bool ut_dyn_free_invert(const utModelBody* body, utMat3* inverse);

/// Accelerations of a single free body with plain inertia. @param inverse of ut_dyn_free_invert
/// @param a the six of the free joint
void ut_dyn_free_accelerate(const utFreeBody* body, utMat3 inverse, double* a);

/// The response M^-1 tau of a single free body with plain inertia.
/// @param inverse of ut_dyn_free_invert @param tau, a the six of the free joint
void ut_dyn_free_respond(const utModelBody* body, utQuat quat, const utMat3* inverse,
                         const double* tau, double* a);

/// w after h by the implicit midpoint rule:
///
///     I (w_next - w) + h w_mean x I w_mean = h torque,    w_mean = (w + w_next) / 2
///
/// which keeps w.I w and |I w| when there is no torque.
/// @return false when Newton's method did not converge
bool ut_dyn_free_spin(const utFreeBody* body, double h, utVec3* w_next);

/// The three velocities after h of a tree of one planar body, computed for the centre of mass and
/// returned for the frame at q, as ut_smooth_free does.
/// @return false when its mass or its inertia about the normal is not positive
bool ut_dyn_planar_step(const utKinematics* kin, const double* tau, utVec3 gravity,
                        const utForce* applied, double h, int tree, const double* v,
                        double* v_next);

// ---- integrators --------------------------------------------------------------------------------

/// An integrator: from (q, v) to (q_next, v_next), which do not overlap. kin is placed and moved; RK4
/// needs this of fixed bodies only, because it places the trees of each stage.
typedef utStatus utDynStep(const utSmooth* smooth, double h, utKinematics* kin, const double* q,
                           const double* v, utArena scratch, double* q_next, double* v_next);

utDynStep ut_dyn_step_euler;
utDynStep ut_dyn_step_rk4;
utDynStep ut_dyn_step_midpoint;

// ---- energies -----------------------------------------------------------------------------------

/// Potential energy of springs between sites, J.
double ut_dyn_site_spring_energy(const utKinematics* kin);

/// Potential energy of the springs of tendons, J. kin is placed at q.
double ut_dyn_tendon_energy(const utKinematics* kin, const double* q);

/// Kinetic energy of the armature of tendons, J. kin is placed and moved.
double ut_dyn_tendon_kinetic(const utKinematics* kin, const double* v);

/// Potential energy of the springs of equalities, or kinetic energy of their armature, J. kin is
/// placed and moved.
double ut_dyn_equality_energy(const utKinematics* kin, bool kinetic);

#endif
