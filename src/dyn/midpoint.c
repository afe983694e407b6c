// SPDX-License-Identifier: Apache-2.0
// The energy-keeping integrator: a midpoint rule in momenta with a discrete gradient.
//
// With p = M v, the means y = (v + v+)/2, q_m = q ⊕ h y/2, and q+ = q ⊕ h y, the identity
//
//     T+ - T = y.(p+ - p) - (F(q+) - F(q)),    F(q) = v.M(q) v+ / 2
//
// shows what keeps the energy of a conservative system exactly for every h: the rule
//
//     p+ - p + h y x (p + p+)/2 = h (dF - dV + tau - D y)
//
// where the discrete gradient d (Gonzalez, J. Nonlinear Science 6, 1996) is the gradient at q_m and
// as much of a direction b more as makes h y.d(F - V) the difference of F - V over the step; tau, D
// and applied wrenches do the work that they do at the middle. The cross product stands for the
// angular velocities of balls and free joints, whose momenta turn with the body; it does no work
// and keeps |p| of a body turning about a fixed point.
//
// b is the momentum M y less what the motion of the whole with its mean velocity has of it, where
// the root of a tree is free: linear momentum is then kept exactly too. Angular momentum of a
// floating tree is kept to the order of the method, 2.
//
// The reason: the midpoint rule M(q_m) (v+ - v) + h c(q_m, y) = h tau without it is as cheap and
// has no drift, but a chain of ten that whips its end through half a radian a step (10 s at h =
// 0.002) leaves its energy by 6 % of the drop, the method of order 4 by 2 %.
//
// The equations are solved for y by Newton's iteration with the factor of the mass matrix (with
// h D/2 + h^2 K/4) at the predicted middle for its derivative. Where that does not converge,
// because axes turn too far in a step, the step is made in 2, 4, ... pieces, each of which keeps
// the energy. A free body by itself is stepped about its centre of mass, exactly but for its spin.
// The root of a floating tree is described by its centre of mass too, so that its frame does not
// matter, unless springs, dampers or armature act on the frame.
#include <string.h>

#include "internal.h"

typedef struct Midpoint {
    const utSmooth* smooth;
    double h;
    utKinematics* kin;
    utMass mass;
    double *q, *v;           // the state that a piece of the step starts from
    double *q_next, *v_next; // and ends at
    double* q_mean;
    double* y;       // nv: v mean
    double* half;    // nv: (v+ - v) / 2
    double* p;       // nv: momenta at the start
    double* p_next;  // nv
    double* pull;    // nv: gradient of F - V at q_m
    double* push;    // nv: all other forces
    double* b;       // nv: direction of the correction
    double* rest;    // nv: residual
    utForce* wrench; // nbody
    double* start;   // ntree: potential energy at the start
} Midpoint;

// Is a tree a free body without a spring?
static bool by_itself(const utModel* model, int tree)
{
    const utModelTree* t = model->tree + tree;
    return t->free && model->joint[model->body[t->body].joint].stiffness == 0.0;
}

// ---- roots that float ---------------------------------------------------------------------------

static const utModelJoint* root_of(const utModel* model, int tree)
{
    return model->joint + model->body[model->tree[tree].body].joint;
}

// Is the root described by its centre of mass?
static bool about_com(const utModel* model, int tree)
{
    const utModelJoint* root = root_of(model, tree);
    bool bare = root->stiffness == 0.0;
    for (int k = root->v; k < root->v + ut_joint_velocities(root->kind); k++) {
        bare = bare && model->dof_armature[k] == 0.0 && model->dof_damping[k] == 0.0;
    }
    return bare && (root->kind == UT_JOINT_FREE || root->kind == UT_JOINT_PLANAR);
}

// x = y with the linear entries of other roots as they were before.
static void keep_frames(const utModel* model, const double* y, double* x)
{
    for (int t = 0; t < model->ntree; t++) {
        const utModelJoint* root = root_of(model, t);
        const int linear = ut_dyn_translations(root->kind);
        for (int k = root->v; !about_com(model, t) && k < root->v + linear; k++) {
            x[k] = y[k];
        }
    }
}

// Velocities of frames at q become those that the equations are written in, and back.
static void describe(const utModel* model, const double* q, const double* v, double* y)
{
    memcpy(y, v, (size_t)model->nv * sizeof *y);
    ut_model_to_com(model, q, y);
    keep_frames(model, v, y);
}

static void undescribe(const utModel* model, const double* q, const double* y, double* v)
{
    memcpy(v, y, (size_t)model->nv * sizeof *v);
    ut_model_from_com(model, q, v);
    keep_frames(model, y, v);
}

// to = q ⊕ h y; roots that are described by their frames have these go straight. @param work nv
static void move_by(const utModel* model, const double* q, const double* y, double h, double* work,
                    double* to)
{
    undescribe(model, q, y, work);
    ut_model_integrate(model, q, work, h, to);
    for (int t = 0; t < model->ntree; t++) {
        const utModelJoint* root = root_of(model, t);
        const int linear = ut_dyn_translations(root->kind);
        for (int k = 0; !about_com(model, t) && k < linear; k++) {
            to[root->q + k] = q[root->q + k] + h * y[root->v + k];
        }
    }
}

// Turning goes about the centre of mass of the root where that describes it.
static void place(utKinematics* kin, const double* q, int tree)
{
    const utModelJoint* root = root_of(kin->model, tree);
    ut_dyn_place_tree(kin, q, tree);
    if (!about_com(kin->model, tree)) {
        return;
    }
    const utVec3 r = ut_vec3_sub(ut_dyn_origin(kin, root->body), kin->com[root->body]);
    const int linear = ut_dyn_translations(root->kind);
    for (int k = root->v + linear; k < root->v + ut_joint_velocities(root->kind); k++) {
        kin->axis[k].linear = ut_vec3_cross(kin->axis[k].angular, r);
    }
}

// Add what a force on the root's frame, tau, turns the root by about its centre of mass.
static void add_lever(const utKinematics* kin, const double* tau, double* push, int tree)
{
    const utModelJoint* root = root_of(kin->model, tree);
    const utVec3 arm = ut_vec3_sub(kin->com[root->body], kin->body[root->body].p);
    const utPlane plane = ut_plane(kin->model->options.planar);
    const bool flat = root->kind == UT_JOINT_PLANAR;
    const utVec3 force = flat ? ut_plane_out(&plane, ut_vec2(tau[root->v], tau[root->v + 1]))
                              : ut_dyn_vec3(tau + root->v);
    const utVec3 torque = ut_vec3_cross(force, arm);
    const int linear = ut_dyn_translations(root->kind);
    for (int k = root->v + linear; k < root->v + ut_joint_velocities(root->kind); k++) {
        push[k] += ut_vec3_dot(torque, kin->axis[k].angular);
    }
}

// ---- momenta and gradients of one tree ----------------------------------------------------------

// Sum what bodies carry over everything behind them.
static void sum_inward(const utModel* model, utForce* carried, int tree)
{
    const utModelTree* t = model->tree + tree;
    for (int b = t->body + t->bodies - 1; b > t->body; b--) {
        const int parent = model->body[b].parent;
        carried[parent] = ut_force_add(carried[parent], carried[b]);
    }
}

// Momenta of the bodies less those of a common translation.
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

// p = J'(what is carried)
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

// Where the angular velocity of a joint begins whose momentum turns with the body; -1 for others.
static int turning(const utModelJoint* joint)
{
    if (joint->kind == UT_JOINT_FREE) {
        return joint->v + 3;
    }
    return joint->kind == UT_JOINT_BALL ? joint->v : -1;
}

// into += s w x p for every such joint of a tree
static void add_turning(const utModel* model, const double* w, const double* p, double s,
                        double* into, int tree)
{
    const utModelTree* t = model->tree + tree;
    for (int k = t->dof; k < t->dof + t->dofs; k++) {
        if (turning(model->joint + model->dof_joint[k]) == k) {
            const utVec3 cross = ut_vec3_cross(ut_dyn_vec3(w + k), ut_dyn_vec3(p + k));
            ut_dyn_store(ut_vec3_add_scaled(ut_dyn_vec3(into + k), s, cross), into + k);
        }
    }
}

// pull += s times the gradient of x.M x / 2 at fixed x, kin being moved with x: the rate of an axis
// on the momentum behind it; the part of the rate that is the joint's own turning does not count.
static void add_gradient(Midpoint* m, const double* x, double s, int tree)
{
    const utModel* model = m->smooth->model;
    const utModelTree* t = model->tree + tree;
    sum_momenta(m->kin, ut_vec3_zero(), m->wrench, tree);
    project(m->kin, m->wrench, m->rest, tree);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        m->pull[i] += s * ut_force_power(m->wrench[model->dof_body[i]], m->kin->rate[i]);
    }
    add_turning(model, x, m->rest, s, m->pull, tree);
}

// The direction b at the middle, kin being moved with y.
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

static double servo(const double* x, int i)
{
    return x != NULL ? x[i] : 0.0;
}

// Where the position of a hinge or slide is.
static int dof_position(const utModel* model, int i)
{
    return model->joint[model->dof_joint[i]].q;
}

// Of gravity, springs and the springs of actuators; kin is placed.
static double potential_at(const Midpoint* m, const double* q, int tree)
{
    const utModel* model = m->smooth->model;
    const utModelTree* t = model->tree + tree;
    double energy = ut_dyn_potential_tree(m->kin, q, m->smooth->gravity, tree);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        const double K = servo(m->smooth->stiffness, i);
        if (K != 0.0) {
            const double x = q[dof_position(model, i)];
            energy += 0.5 * K * x * x;
        }
    }
    return energy;
}

// Gravity and springs into pull, all other forces into push, at the middle.
static void find_forces(Midpoint* m, int tree)
{
    const utSmooth* smooth = m->smooth;
    const utModel* model = smooth->model;
    const utModelTree* t = model->tree + tree;
    const utKinematics* kin = m->kin;
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utVec3 weight = ut_vec3_scale(smooth->gravity, model->body[b].mass);
        m->wrench[b] = ut_dyn_shift_force(ut_force(weight, ut_vec3_zero()), kin->inertia[b].com);
    }
    sum_inward(model, m->wrench, tree);
    project(kin, m->wrench, m->pull, tree);
    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utModelBody* body = model->body + b;
        for (int j = body->joint; j < body->joint + body->joints; j++) {
            ut_dyn_spring(model, j, m->q_mean, m->pull);
        }
    }

    for (int b = t->body; b < t->body + t->bodies; b++) {
        const utForce applied = smooth->applied != NULL ? smooth->applied[b] : (utForce){0};
        m->wrench[b] = ut_dyn_shift_force(applied, kin->inertia[b].com);
    }
    sum_inward(model, m->wrench, tree);
    project(kin, m->wrench, m->push, tree);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        m->push[i] +=
            (smooth->tau != NULL ? smooth->tau[i] : 0.0) - model->dof_damping[i] * m->y[i];
        m->push[i] -= servo(smooth->damping, i) * m->y[i];
        if (servo(smooth->stiffness, i) != 0.0) {
            m->pull[i] -= smooth->stiffness[i] * m->q_mean[dof_position(model, i)];
        }
    }
    if (smooth->tau != NULL && about_com(model, tree)) {
        add_lever(kin, smooth->tau, m->push, tree);
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

// What F - V gains over the step beyond what its gradient at the middle says, per b.y: added to the
// gradient times b. Differences of energies are known to rounding only, which must not be divided
// by a vanishing b.y: where that is below 1e-6 of the energies the correction, of third order in y,
// fades out; where it is of their order it loses 1e-12 of itself.
static double correction(const Midpoint* m, double potential, int tree)
{
    const utModelTree* t = m->smooth->model->tree + tree;
    const double F = 0.5 * dot(m->v_next, m->p, t), F_next = 0.5 * dot(m->v, m->p_next, t);
    const double gain = (F_next - F) - (potential - m->start[tree]);
    const double size = fabs(F) + fabs(F_next) + fabs(potential) + fabs(m->start[tree]);
    const double along = dot(m->b, m->y, t), known = m->h * dot(m->pull, m->y, t);
    const double faint = 1e-6 * size;
    return along > 0.0 ? (gain - known) / m->h * (along / (along * along + faint * faint)) : 0.0;
}

// The residual of the equations above for the y at hand.
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
        m->rest[i] = m->p_next[i] - m->p[i] - m->h * (m->pull[i] + s * m->b[i] + m->push[i]);
    }
    add_turning(model, m->y, m->p, 0.5 * m->h, m->rest, tree);
    add_turning(model, m->y, m->p_next, 0.5 * m->h, m->rest, tree);
}

static void derive_positions(Midpoint* m)
{
    const utModel* model = m->smooth->model;
    for (int i = 0; i < model->nv; i++) {
        m->half[i] = m->y[i] - m->v[i];
        m->v_next[i] = m->y[i] + m->half[i];
    }
    move_by(model, m->q, m->y, 0.5 * m->h, m->rest, m->q_mean);
    move_by(model, m->q, m->y, m->h, m->rest, m->q_next);
}

// One correction of y for a tree. @return its size over the size at which it would not matter
static double improve(Midpoint* m, int tree)
{
    const utModelTree* t = m->smooth->model->tree + tree;
    find_residual(m, tree);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        m->rest[i] *= 0.5; // p+ moves with 2 M
    }
    ut_dyn_solve_tree(&m->mass, m->rest, tree);
    double step = 0.0, size = 0.0;
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        m->y[i] -= m->rest[i];
        step = fabs(m->rest[i]) <= step ? step : fabs(m->rest[i]); // a NaN stays
        size = fabs(m->y[i]) > size ? fabs(m->y[i]) : size;
        size = fabs(m->v[i]) > size ? fabs(m->v[i]) : size;
    }
    // nor do positions see what is less than their rounding
    return step / (1e-12 * size + DBL_EPSILON / fabs(m->h));
}

static bool iterate(Midpoint* m)
{
    enum { MOST = 50, IDLE = 6 };
    const utModel* model = m->smooth->model;
    double least = HUGE_VAL;
    int idle = 0; // iterations that brought nothing
    for (int i = 0; i < MOST; i++) {
        double worst = 0.0;
        derive_positions(m);
        for (int t = 0; t < model->ntree; t++) {
            if (!by_itself(model, t)) {
                const double left = improve(m, t);
                worst = left <= worst ? worst : left;
            }
        }
        // small corrections that shrink no more are the rounding of the residual, which M^-1 makes
        // larger by the condition of M, 1e8 for a chain of a hundred links
        idle = worst < 0.9 * least ? 0 : idle + 1;
        least = worst < least ? worst : least;
        const bool rounding = worst <= 1e6 && idle >= IDLE;
        if (worst <= 1.0 || rounding) {
            derive_positions(m);
            return true;
        }
    }
    return false;
}

// ---- a free body by itself ----------------------------------------------------------------------

// kin is where the step began for it.
static bool step_free(Midpoint* m, double h, const double* v, int tree)
{
    const utModel* model = m->smooth->model;
    const utModelBody* root = model->body + model->tree[tree].body;
    const utModelJoint* joint = model->joint + root->joint;
    double* q_next = m->q_next + joint->q;
    double* v_next = m->v_next + joint->v;
    for (int i = 0; i < 6; i++) {
        m->push[joint->v + i] = m->smooth->tau != NULL ? m->smooth->tau[joint->v + i] : 0.0;
        m->push[joint->v + i] -= model->dof_damping[joint->v + i] * v[joint->v + i];
    }
    const utFreeBody body =
        ut_dyn_free_body(m->kin, m->push, m->smooth->gravity, m->smooth->applied, tree);
    utVec3 w;
    if (!(body.mass > 0.0) || !ut_dyn_free_spin(&body, h, &w)) {
        return false;
    }
    const utVec3 u = ut_vec3_add_scaled(body.u, h / body.mass, body.force);
    const utVec3 way = ut_vec3_scale(ut_vec3_add(body.u, u), 0.5 * h);
    const utVec3 com = ut_vec3_add(m->kin->com[model->tree[tree].body], way);
    const utVec3 w_mean = ut_vec3_scale(ut_vec3_add(body.w, w), 0.5);
    const utQuat turned = ut_quat_integrate_body(body.quat, w_mean, h);
    const utVec3 apart = ut_quat_rotate(turned, ut_vec3_cross(w, body.com));
    ut_dyn_store(ut_vec3_sub(com, ut_quat_rotate(turned, body.com)), q_next);
    ut_dyn_store_quat(turned, q_next + 3);
    ut_dyn_store(ut_vec3_sub(u, apart), v_next);
    ut_dyn_store(w, v_next + 3);
    return true;
}

// ---- the step -----------------------------------------------------------------------------------

size_t ut_dyn_midpoint_scratch(const utModel* model)
{
    size_t total = ut_dyn_plus(ut_dyn_vectors(9, model->nv), ut_mass_size(model));
    total = ut_dyn_plus(total, ut_dyn_vectors(2, model->nq));
    total = ut_dyn_plus(total, ut_dyn_vectors(1, model->ntree));
    return ut_dyn_plus(total, ut_arena_need((size_t)model->nbody, sizeof(utForce)));
}

static utStatus create(Midpoint* m, utArena* scratch)
{
    const utModel* model = m->smooth->model;
    double** const vector[] = {&m->v,    &m->y,    &m->half, &m->p,   &m->p_next,
                               &m->pull, &m->push, &m->b,    &m->rest};
    UT_TRY(ut_mass_create(model, scratch, &m->mass));
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) {
        *vector[i] = UT_PUSH(scratch, double, model->nv);
        if (*vector[i] == NULL) {
            return UT_ERR_CAPACITY;
        }
    }
    m->q = UT_PUSH(scratch, double, model->nq);
    m->q_mean = UT_PUSH(scratch, double, model->nq);
    m->wrench = UT_PUSH(scratch, utForce, model->nbody);
    m->start = UT_PUSH(scratch, double, model->ntree);
    const bool all = m->q != NULL && m->q_mean != NULL && m->wrench != NULL && m->start != NULL;
    return all ? UT_OK : UT_ERR_CAPACITY;
}

// Momenta and energy at the start, and the derivative at the predicted middle, of all trees that
// iterate. @return false when M is not positive definite
static bool start(Midpoint* m)
{
    const utModel* model = m->smooth->model;
    bool definite = true;
    memcpy(m->y, m->v, (size_t)model->nv * sizeof *m->y);
    move_by(model, m->q, m->y, 0.5 * m->h, m->rest, m->q_mean);
    const double half = 0.5 * m->h;
    ut_dyn_passive_diagonal(model, half, m->rest);
    for (int i = 0; i < model->nv; i++) {
        m->rest[i] +=
            half * servo(m->smooth->damping, i) + half * half * servo(m->smooth->stiffness, i);
    }
    for (int t = 0; t < model->ntree; t++) {
        if (by_itself(model, t)) {
            continue;
        }
        place(m->kin, m->q, t);
        ut_dyn_move_tree(m->kin, m->v, t);
        sum_momenta(m->kin, ut_vec3_zero(), m->wrench, t);
        project(m->kin, m->wrench, m->p, t);
        add_armature(model, m->v, m->p, t);
        m->start[t] = potential_at(m, m->q, t);
        place(m->kin, m->q_mean, t);
        ut_dyn_mass_tree(&m->mass, m->kin, m->rest, t);
        definite = ut_dyn_factor_tree(&m->mass, t) && definite;
    }
    return definite;
}

// All trees that iterate, in equal pieces. The state moves from (q, v) to (q_next, v_next).
static bool march(Midpoint* m, int pieces, const double* q, const double* v)
{
    const utModel* model = m->smooth->model;
    memcpy(m->q, q, (size_t)model->nq * sizeof *q);
    describe(model, q, v, m->v);
    for (int i = 0; i < pieces; i++) {
        if (i > 0) {
            memcpy(m->q, m->q_next, (size_t)model->nq * sizeof *q);
            memcpy(m->v, m->v_next, (size_t)model->nv * sizeof *v);
        }
        if (!start(m) || !iterate(m)) {
            return false;
        }
    }
    undescribe(model, m->q_next, m->v_next, m->rest);
    memcpy(m->v_next, m->rest, (size_t)model->nv * sizeof *v);
    return true;
}

utStatus ut_dyn_step_midpoint(const utSmooth* smooth, double h, utKinematics* kin, const double* q,
                              const double* v, utArena scratch, double* q_next, double* v_next)
{
    enum { MOST_PIECES = 64 };
    Midpoint m = {.smooth = smooth, .kin = kin, .q_next = q_next, .v_next = v_next};
    UT_TRY(create(&m, &scratch));
    bool done = false;
    for (int pieces = 1; !done && pieces <= MOST_PIECES; pieces *= 2) {
        m.h = h / pieces;
        done = march(&m, pieces, q, v);
    }
    for (int t = 0; done && t < smooth->model->ntree; t++) {
        done = !by_itself(smooth->model, t) || step_free(&m, h, v, t);
    }
    return done ? UT_OK : UT_ERR_ARGUMENT;
}
