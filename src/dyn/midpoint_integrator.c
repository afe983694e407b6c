// SPDX-License-Identifier: Apache-2.0
// The energy-keeping integrator: a midpoint rule in momenta with a discrete gradient.
//
// With p = M v, the means y = (v + v+)/2 and q_m = q ⊕ h y/2, and q+ = q ⊕ h y, the identity
//
//     T+ - T = y.(p+ - p) - (F(q+) - F(q)),    F(q) = v.M(q) v+ / 2
//
// holds for the kinetic energy T. So the rule
//
//     p+ - p + h y x (p + p+)/2 = h (dF - dV + tau - D y)
//
// keeps the energy of a conservative system exactly for every h. The discrete gradient d (Gonzalez,
// J. Nonlinear Science 6, 1996) is the gradient at q_m plus a multiple of a direction b, such that
// h y.d(F - V) is the difference of F - V over the step. tau, D and applied wrenches do their work
// at the middle. The cross product stands for the angular velocities of balls and free joints,
// whose momenta turn with the body; it does no work and keeps |p| of a body that turns about a
// fixed point.
//
// b is the momentum M y. When the root of a tree is free, the momentum of the tree's mean
// translation is subtracted, so that linear momentum is kept exactly, too. Angular momentum of a
// floating tree is kept to the order of the method, 2.
//
// The discrete gradient is needed: the plain midpoint rule M(q_m) (v+ - v) + h c(q_m, y) = h tau
// costs the same and does not drift, but for a chain of ten links that whips its end through half a
// radian per step (10 s at h = 0.002) its energy error is 6 % of the drop; the method of order 4
// has 2 %.
//
// The equations are solved for y by a Newton iteration whose matrix is the mass matrix (with h D/2
// + h^2 K/4) at the predicted middle. If axes turn so far in a step that the iteration does not
// converge, the step is divided into 2, 4, ... pieces, each of which keeps the energy. A single
// free body is stepped about its centre of mass, exactly but for its spin. The root of a floating
// tree is described by its centre of mass, too, so that the choice of its frame does not matter,
// unless springs, dampers or armature act on the frame.
#include <string.h>

#include "internal.h"

enum {
    MAX_PIECES = 64,       // of a step
    MAX_NEWTON_STEPS = 50, // per piece
    MAX_STALLED_STEPS = 6  // Newton steps in a row that do not shrink the correction
};
static const double CONVERGED = 1e-12; // relative: a smaller correction of y does not matter
// a Newton step that leaves more than this fraction of the smallest correction has stalled
static const double SHRINKS = 0.9;
// stalled corrections up to this multiple of the converged size are rounding errors of the
// residual, which M^-1 enlarges by the condition of M: 1e8 for a chain of a hundred links
static const double ROUNDING = 1e6;
// fraction of the energies: the energy correction fades out when b.y is smaller
static const double MIN_POWER = 1e-6;

typedef struct Midpoint {
    const utSmooth* smooth;
    double h;
    utKinematics* kin;
    utMass mass;
    double *q, *v;           // state at the beginning of a piece
    double *q_next, *v_next; // state at its end
    double* q_mean;
    double* y;               // nv: mean velocity
    double* half;            // nv: (v+ - v) / 2
    double* p;               // nv: momenta at the start
    double* p_next;          // nv
    double* conservative;    // nv: gradient of F - V at q_m
    double* other_force;     // nv: all other forces
    double* b;               // nv: direction of the correction
    double* residual;        // nv: residual
    utForce* wrench;         // nbody
    double* potential_start; // ntree: potential energy at the start
} Midpoint;

// Is the tree a single free body without a spring?
static bool is_single_free_body(const utModel* model, int tree)
{
    const utModelTree* t = model->tree + tree;
    return t->free && model->joint[model->body[t->body].joint].stiffness == 0.0;
}

// ---- floating roots -----------------------------------------------------------------------------

static const utModelJoint* root_of(const utModel* model, int tree)
{
    return model->joint + model->body[model->tree[tree].body].joint;
}

// Is the root described by its centre of mass?
static bool root_by_com(const utModel* model, int tree)
{
    const utModelJoint* root = root_of(model, tree);
    bool bare = root->stiffness == 0.0;
    for (int k = root->v; k < root->v + ut_joint_velocities(root->kind); k++) {
        bare = bare && model->dof_armature[k] == 0.0 && model->dof_damping[k] == 0.0;
    }
    return bare && (root->kind == UT_JOINT_FREE || root->kind == UT_JOINT_PLANAR);
}

// Copy from y to x the linear velocities of roots that are described by their frames.
static void restore_frame_velocities(const utModel* model, const double* y, double* x)
{
    for (int t = 0; t < model->ntree; t++) {
        const utModelJoint* root = root_of(model, t);
        const int linear = ut_dyn_translations(root->kind);
        for (int k = root->v; !root_by_com(model, t) && k < root->v + linear; k++) {
            x[k] = y[k];
        }
    }
}

// Velocities of frames at q, converted to the velocities of the equations: of the centre of mass
// for roots that are described by it.
static void to_equation_velocities(const utModel* model, const double* q, const double* v,
                                   double* y)
{
    memcpy(y, v, (size_t)model->nv * sizeof *y);
    ut_model_to_com(model, q, y);
    restore_frame_velocities(model, v, y);
}

// The inverse conversion.
static void from_equation_velocities(const utModel* model, const double* q, const double* y,
                                     double* v)
{
    memcpy(v, y, (size_t)model->nv * sizeof *v);
    ut_model_from_com(model, q, v);
    restore_frame_velocities(model, y, v);
}

// to = q ⊕ h y. Roots that are described by their frames move the frame straight. @param work nv
static void move_by(const utModel* model, const double* q, const double* y, double h, double* work,
                    double* to)
{
    from_equation_velocities(model, q, y, work);
    ut_model_integrate(model, q, work, h, to);
    for (int t = 0; t < model->ntree; t++) {
        const utModelJoint* root = root_of(model, t);
        const int linear = ut_dyn_translations(root->kind);
        for (int k = 0; !root_by_com(model, t) && k < linear; k++) {
            to[root->q + k] = q[root->q + k] + h * y[root->v + k];
        }
    }
}

// Place a tree. Rotation axes of a root that is described by its centre of mass go through it.
static void place(utKinematics* kin, const double* q, int tree)
{
    const utModelJoint* root = root_of(kin->model, tree);
    ut_dyn_place_tree(kin, q, tree);
    if (!root_by_com(kin->model, tree)) {
        return;
    }
    const utVec3 r = ut_vec3_sub(ut_dyn_origin(kin, root->body), kin->com[root->body]);
    const int linear = ut_dyn_translations(root->kind);
    for (int k = root->v + linear; k < root->v + ut_joint_velocities(root->kind); k++) {
        kin->axis[k].linear = ut_vec3_cross(kin->axis[k].angular, r);
    }
}

// Add the moment about the root's centre of mass of the force tau on the root's frame.
static void add_moment(const utKinematics* kin, const double* tau, double* other_force, int tree)
{
    const utModelJoint* root = root_of(kin->model, tree);
    const utVec3 arm = ut_vec3_sub(kin->com[root->body], kin->body[root->body].p);
    const utPlane plane = ut_plane(kin->model->options.planar);
    const bool planar = root->kind == UT_JOINT_PLANAR;
    const utVec3 force = planar ? ut_plane_out(&plane, ut_vec2(tau[root->v], tau[root->v + 1]))
                                : ut_dyn_vec3(tau + root->v);
    const utVec3 torque = ut_vec3_cross(force, arm);
    const int linear = ut_dyn_translations(root->kind);
    for (int k = root->v + linear; k < root->v + ut_joint_velocities(root->kind); k++) {
        other_force[k] += ut_vec3_dot(torque, kin->axis[k].angular);
    }
}

// ---- momenta and gradients of one tree ----------------------------------------------------------

// Add the wrenches or momenta of each body to those of its parent, from the leaves to the root.
static void sum_inward(const utModel* model, utForce* carried, int tree)
{
    const utModelTree* t = model->tree + tree;
    for (int b = t->body + t->bodies - 1; b > t->body; b--) {
        const int parent = model->body[b].parent;
        carried[parent] = ut_force_add(carried[parent], carried[b]);
    }
}

// Momenta of bodies and all their descendants, without the momentum of a common translation.
static void sum_momenta(const utKinematics* kin, utVec3 translation, utForce* carried, int tree)
{
    const utModelTree* t = kin->model->tree + tree;
    for (int b = t->body; b < t->body + t->bodies; b++) {
        utMotion V = kin->velocity[b];
        V.linear = ut_vec3_sub(V.linear, translation);
        carried[b] = ut_inertia_mul(kin->inertia[b], V);
    }
    sum_inward(kin->model, carried, tree);
}

// p = J' (wrenches or momenta of the bodies)
static void project(const utKinematics* kin, const utForce* carried, double* p, int tree)
{
    const utModel* model = kin->model;
    const utModelTree* t = model->tree + tree;
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        p[i] = ut_force_power(carried[model->dof_body[i]], kin->axis[i]);
    }
}

static void add_armature(const utModel* model, const double* v, double* p, int tree)
{
    const utModelTree* t = model->tree + tree;
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        p[i] += model->dof_armature[i] * v[i];
    }
}

// The index of a ball's or free joint's angular velocity, whose momentum turns with the body; -1:
// other joints.
static int angular_dof(const utModelJoint* joint)
{
    if (joint->kind == UT_JOINT_FREE) {
        return joint->v + 3;
    }
    return joint->kind == UT_JOINT_BALL ? joint->v : -1;
}

// into += s w x p for every such joint of a tree
static void add_momentum_turn(const utModel* model, const double* w, const double* p, double s,
                              double* into, int tree)
{
    const utModelTree* t = model->tree + tree;
    for (int k = t->dof; k < t->dof + t->dofs; k++) {
        if (angular_dof(model->joint + model->dof_joint[k]) == k) {
            const utVec3 cross = ut_vec3_cross(ut_dyn_vec3(w + k), ut_dyn_vec3(p + k));
            ut_dyn_store(ut_vec3_add_scaled(ut_dyn_vec3(into + k), s, cross), into + k);
        }
    }
}

// conservative += s times the gradient of x.M x / 2 at fixed x; kin is moved with x. The gradient
// is the power of the momentum behind an axis along the axis' rate, without the joint's own
// rotation.
static void add_gradient(Midpoint* m, const double* x, double s, int tree)
{
    const utModel* model = m->smooth->model;
    const utModelTree* t = model->tree + tree;
    sum_momenta(m->kin, ut_vec3_zero(), m->wrench, tree);
    project(m->kin, m->wrench, m->residual, tree);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        m->conservative[i] += s * ut_force_power(m->wrench[model->dof_body[i]], m->kin->rate[i]);
    }
    add_momentum_turn(model, x, m->residual, s, m->conservative, tree);
}

// The direction b at the middle; kin is moved with y.
static void find_direction(Midpoint* m, int tree)
{
    const utModel* model = m->smooth->model;
    const utModelTree* t = model->tree + tree;
    const utModelBody* root = model->body + t->body;
    utVec3 translation = ut_vec3_zero();
    if (ut_dyn_translations(model->joint[root->joint].kind) > 0) {
        double mass = 0.0;
        sum_momenta(m->kin, translation, m->wrench, tree);
        for (int b = t->body; b < t->body + t->bodies; b++) {
            mass += model->body[b].mass;
        }
        translation = ut_vec3_scale(m->wrench[t->body].force, 1.0 / mass);
    }
    sum_momenta(m->kin, translation, m->wrench, tree);
    project(m->kin, m->wrench, m->b, tree);
    add_armature(model, m->y, m->b, tree);
}

static double entry_or_zero(const double* x, int i)
{
    return x != NULL ? x[i] : 0.0;
}

// The index of the position of a hinge or slide.
static int dof_position(const utModel* model, int i)
{
    return model->joint[model->dof_joint[i]].q;
}

// Potential energy of gravity, springs and the stiffness of actuators; kin is placed.
static double potential_at(const Midpoint* m, const double* q, int tree)
{
    const utModel* model = m->smooth->model;
    const utModelTree* t = model->tree + tree;
    double energy = ut_dyn_potential_tree(m->kin, q, m->smooth->gravity, tree);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        const double K = entry_or_zero(m->smooth->stiffness, i);
        if (K != 0.0) {
            const double x = q[dof_position(model, i)];
            energy += 0.5 * K * x * x;
        }
    }
    return energy;
}

// Forces at the middle: gravity and springs in `conservative`, all others in `other_force`.
static void find_forces(Midpoint* m, int tree)
{
    const utSmooth* smooth = m->smooth;
    const utModel* model = smooth->model;
    const utModelTree* t = model->tree + tree;
    const utKinematics* kin = m->kin;
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utVec3 g = ut_dyn_body_gravity(&model->body[b], smooth->gravity);
        const utVec3 weight = ut_vec3_scale(g, model->body[b].mass);
        m->wrench[b] = ut_dyn_shift_force(ut_force(weight, ut_vec3_zero()), kin->inertia[b].com);
    }
    sum_inward(model, m->wrench, tree);
    project(kin, m->wrench, m->conservative, tree);
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utModelBody* body = model->body + b;
        for (int j = body->joint; j < body->joint + body->joints; j++) {
            ut_dyn_add_joint_spring(model, j, m->q_mean, m->conservative);
        }
    }

    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utForce applied = smooth->applied != NULL ? smooth->applied[b] : (utForce){0};
        m->wrench[b] = ut_dyn_shift_force(applied, kin->inertia[b].com);
    }
    sum_inward(model, m->wrench, tree);
    project(kin, m->wrench, m->other_force, tree);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        m->other_force[i] +=
            (smooth->tau != NULL ? smooth->tau[i] : 0.0) + ut_dyn_damping_force(model, i, m->y[i]);
        m->other_force[i] -= entry_or_zero(smooth->damping, i) * m->y[i];
        if (entry_or_zero(smooth->stiffness, i) != 0.0) {
            m->conservative[i] -= smooth->stiffness[i] * m->q_mean[dof_position(model, i)];
        }
    }
    if (smooth->tau != NULL && root_by_com(model, tree)) {
        add_moment(kin, smooth->tau, m->other_force, tree);
    }
}

static double dot(const double* x, const double* y, const utModelTree* t)
{
    double sum = 0.0;
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

// ---- the iteration ------------------------------------------------------------------------------

// The multiple of b in the discrete gradient: the difference of F - V over the step, less the
// difference that the gradient at the middle predicts, divided by h b.y. Differences of energies
// have rounding errors, which must not be divided by a vanishing b.y. So the correction, which is
// of third order in y, fades out when b.y is below MIN_POWER of the energies. When b.y is of their
// order it loses a fraction of 1e-12.
static double correction(const Midpoint* m, double potential, int tree)
{
    const utModelTree* t = m->smooth->model->tree + tree;
    const double F = 0.5 * dot(m->v_next, m->p, t), F_next = 0.5 * dot(m->v, m->p_next, t);
    const double gain = (F_next - F) - (potential - m->potential_start[tree]);
    const double size = fabs(F) + fabs(F_next) + fabs(potential) + fabs(m->potential_start[tree]);
    const double along = dot(m->b, m->y, t), predicted = m->h * dot(m->conservative, m->y, t);
    const double least = MIN_POWER * size;
    return along > 0.0 ? (gain - predicted) / m->h * (along / (along * along + least * least))
                       : 0.0;
}

// The residual of the rule for the present y.
static void find_residual(Midpoint* m, int tree)
{
    const utModel* model = m->smooth->model;
    const utModelTree* t = model->tree + tree;
    utKinematics* kin = m->kin;

    // at the end
    place(kin, m->q_next, tree);
    ut_dyn_move_tree(kin, m->v_next, tree);
    sum_momenta(kin, ut_vec3_zero(), m->wrench, tree);
    project(kin, m->wrench, m->p_next, tree);
    add_armature(model, m->v_next, m->p_next, tree);
    const double potential = potential_at(m, m->q_next, tree);

    // at the middle: v.M v+ = y.M y - half.M half
    place(kin, m->q_mean, tree);
    find_forces(m, tree);
    ut_dyn_move_tree(kin, m->half, tree);
    add_gradient(m, m->half, -1.0, tree);
    ut_dyn_move_tree(kin, m->y, tree);
    add_gradient(m, m->y, 1.0, tree);
    find_direction(m, tree);

    const double s = correction(m, potential, tree);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        m->residual[i] =
            m->p_next[i] - m->p[i] - m->h * (m->conservative[i] + s * m->b[i] + m->other_force[i]);
    }
    add_momentum_turn(model, m->y, m->p, 0.5 * m->h, m->residual, tree);
    add_momentum_turn(model, m->y, m->p_next, 0.5 * m->h, m->residual, tree);
}

// v+, q_m and q+ from y.
static void derive_state(Midpoint* m)
{
    const utModel* model = m->smooth->model;
    for (int i = 0; i < model->nv; i++) {
        m->half[i] = m->y[i] - m->v[i];
        m->v_next[i] = m->y[i] + m->half[i];
    }
    move_by(model, m->q, m->y, 0.5 * m->h, m->residual, m->q_mean);
    move_by(model, m->q, m->y, m->h, m->residual, m->q_next);
}

// One Newton step for a tree. @return the correction divided by the largest one that does not
// matter
static double newton_step(Midpoint* m, int tree)
{
    const utModelTree* t = m->smooth->model->tree + tree;
    find_residual(m, tree);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        m->residual[i] *= 0.5; // dp+/dy = 2 M
    }
    ut_dyn_solve_tree(&m->mass, m->residual, tree);
    double step = 0.0, size = 0.0;
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        m->y[i] -= m->residual[i];
        step = fabs(m->residual[i]) <= step ? step : fabs(m->residual[i]); // keeps a NaN
        size = fabs(m->y[i]) > size ? fabs(m->y[i]) : size;
        size = fabs(m->v[i]) > size ? fabs(m->v[i]) : size;
    }
    // a correction below the rounding of positions does not matter either
    return step / (CONVERGED * size + DBL_EPSILON / fabs(m->h));
}

static bool iterate(Midpoint* m)
{
    const utModel* model = m->smooth->model;
    double least = HUGE_VAL;
    int stalled = 0;
    for (int i = 0; i < MAX_NEWTON_STEPS; i++) {
        double worst = 0.0;
        derive_state(m);
        for (int t = 0; t < model->ntree; t++) {
            if (!is_single_free_body(model, t)) {
                const double correction = newton_step(m, t);
                worst = correction <= worst ? worst : correction;
            }
        }
        stalled = worst < SHRINKS * least ? 0 : stalled + 1;
        least = worst < least ? worst : least;
        const bool rounding = worst <= ROUNDING && stalled >= MAX_STALLED_STEPS;
        if (worst <= 1.0 || rounding) {
            derive_state(m);
            return true;
        }
    }
    return false;
}

// ---- a single free body -------------------------------------------------------------------------

// kin is placed and moved at the beginning of the step.
static bool step_free(Midpoint* m, double h, const double* v, int tree)
{
    const utModel* model = m->smooth->model;
    const utModelBody* root = model->body + model->tree[tree].body;
    const utModelJoint* joint = model->joint + root->joint;
    double* q_next = m->q_next + joint->q;
    double* v_next = m->v_next + joint->v;
    for (int i = 0; i < 6; i++) {
        m->other_force[joint->v + i] = m->smooth->tau != NULL ? m->smooth->tau[joint->v + i] : 0.0;
        m->other_force[joint->v + i] -= model->dof_damping[joint->v + i] * v[joint->v + i];
    }
    const utFreeBody body =
        ut_dyn_free_body(m->kin, m->other_force, m->smooth->gravity, m->smooth->applied, tree);
    utVec3 w;
    if (!(body.mass > 0.0) || !ut_dyn_free_spin(&body, h, &w)) {
        return false;
    }
    const utVec3 u = ut_vec3_add_scaled(body.u, h / body.mass, body.force);
    const utVec3 travel = ut_vec3_scale(ut_vec3_add(body.u, u), 0.5 * h);
    const utVec3 com = ut_vec3_add(m->kin->com[model->tree[tree].body], travel);
    const utVec3 w_mean = ut_vec3_scale(ut_vec3_add(body.w, w), 0.5);
    const utQuat turned = ut_quat_integrate_body(body.quat, w_mean, h);
    const utVec3 relative = ut_quat_rotate(turned, ut_vec3_cross(w, body.com));
    ut_dyn_store(ut_vec3_sub(com, ut_quat_rotate(turned, body.com)), q_next);
    ut_dyn_store_quat(turned, q_next + 3);
    ut_dyn_store(ut_vec3_sub(u, relative), v_next);
    ut_dyn_store(w, v_next + 3);
    return true;
}

// ---- the step -----------------------------------------------------------------------------------

static utStatus create(Midpoint* m, utArena* scratch)
{
    const utModel* model = m->smooth->model;
    double** const vector[] = {&m->v,           &m->y,      &m->half,
                               &m->p,           &m->p_next, &m->conservative,
                               &m->other_force, &m->b,      &m->residual};
    UT_TRY(ut_mass_create(model, scratch, &m->mass));
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) {
        *vector[i] = UT_PUSH(scratch, double, model->nv);
    }
    m->q = UT_PUSH(scratch, double, model->nq);
    m->q_mean = UT_PUSH(scratch, double, model->nq);
    m->wrench = UT_PUSH(scratch, utForce, model->nbody);
    m->potential_start = UT_PUSH(scratch, double, model->ntree);
    return ut_arena_failed(scratch) ? UT_ERR_CAPACITY : UT_OK;
}

// Momenta and energy at the beginning of a piece, and the factor of the Newton matrix at the
// predicted middle, for all trees that are iterated. @return false when M is not positive definite
static bool begin_piece(Midpoint* m)
{
    const utModel* model = m->smooth->model;
    bool definite = true;
    memcpy(m->y, m->v, (size_t)model->nv * sizeof *m->y);
    move_by(model, m->q, m->y, 0.5 * m->h, m->residual, m->q_mean);
    const double half = 0.5 * m->h;
    ut_dyn_passive_diagonal(model, m->q_mean, m->y, half, m->residual);
    for (int i = 0; i < model->nv; i++) {
        m->residual[i] += half * entry_or_zero(m->smooth->damping, i) +
                          half * half * entry_or_zero(m->smooth->stiffness, i);
    }
    for (int t = 0; t < model->ntree; t++) {
        if (is_single_free_body(model, t)) {
            continue;
        }
        place(m->kin, m->q, t);
        ut_dyn_move_tree(m->kin, m->v, t);
        sum_momenta(m->kin, ut_vec3_zero(), m->wrench, t);
        project(m->kin, m->wrench, m->p, t);
        add_armature(model, m->v, m->p, t);
        m->potential_start[t] = potential_at(m, m->q, t);
        place(m->kin, m->q_mean, t);
        ut_dyn_mass_tree(&m->mass, m->kin, m->residual, t);
        definite = ut_dyn_factor_tree(&m->mass, t) && definite;
    }
    return definite;
}

// Step all trees that are iterated from (q, v) to (q_next, v_next), in equal pieces.
static bool step_in_pieces(Midpoint* m, int pieces, const double* q, const double* v)
{
    const utModel* model = m->smooth->model;
    memcpy(m->q, q, (size_t)model->nq * sizeof *q);
    to_equation_velocities(model, q, v, m->v);
    for (int i = 0; i < pieces; i++) {
        if (i > 0) {
            memcpy(m->q, m->q_next, (size_t)model->nq * sizeof *q);
            memcpy(m->v, m->v_next, (size_t)model->nv * sizeof *v);
        }
        if (!begin_piece(m) || !iterate(m)) {
            return false;
        }
    }
    from_equation_velocities(model, m->q_next, m->v_next, m->residual);
    memcpy(m->v_next, m->residual, (size_t)model->nv * sizeof *v);
    return true;
}

utStatus ut_dyn_step_midpoint(const utSmooth* smooth, double h, utKinematics* kin, const double* q,
                              const double* v, utArena scratch, double* q_next, double* v_next)
{
    Midpoint m = {.smooth = smooth, .kin = kin, .q_next = q_next, .v_next = v_next};
    UT_TRY(create(&m, &scratch));
    bool done = false;
    for (int pieces = 1; !done && pieces <= MAX_PIECES; pieces *= 2) {
        m.h = h / pieces;
        done = step_in_pieces(&m, pieces, q, v);
    }
    for (int t = 0; done && t < smooth->model->ntree; t++) {
        done = !is_single_free_body(smooth->model, t) || step_free(&m, h, v, t);
    }
    return done ? UT_OK : UT_ERR_ARGUMENT;
}
