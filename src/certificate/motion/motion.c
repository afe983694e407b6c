// SPDX-License-Identifier: Apache-2.0
// The equations of motion of a step by Newton-Euler: the residual of the stage, which is the
// equation for v*, and the residual of M̂ (v+ - v*) = J'r. M is never formed; articulated bodies
// apply M̂^-1, which only scales the residuals.
//
//     trees             M̂ (v* - v - h b) = h (force + passive(q, v) - c(q, v)) - h^2 K v; the
//                       forces include the couples of ut_dyn_gyroscopic
//     free bodies       m (u* - u) = h F,    I (w* - w) + h w_mean x I w_mean = h T
//     instants          M v* = M v
//
// where u = v + R (w x c) is the velocity of the centre of mass and u* = v* + R (w* x c). The term
// b = R (w x (w x c)) on the linear velocities of free joints makes the centre of mass of the root
// move in a straight line. Planar bodies have one w about the normal and no gyroscopic term.
#include <string.h>

#include "certificate/internal.h"
#include "dyn/internal.h"

// ---- the stage ----------------------------------------------------------------------------------

// Slopes K and D of the spring and the damper on velocity i at (q, v); 0 for explicit forces.
static double spring_slope(const Judge* judge, int i)
{
    const utModelJoint* joint = &judge->model->joint[judge->model->dof_joint[i]];
    if (!ut_dyn_has_spring(joint)) {
        return 0.0;
    }
    const double* k = joint->stiffness_poly;
    const bool linear = k[0] == 0.0 && k[1] == 0.0; // also balls and free joints
    const double x = linear ? 0.0 : judge->q[joint->q] - joint->springref;
    const double slope = joint->stiffness + x * (2.0 * k[0] + 3.0 * k[1] * x);
    return judge->traits.explicit_forces || slope < 0.0 ? 0.0 : slope;
}

static double damper_slope(const Judge* judge, int i)
{
    const double* d = judge->model->joint[judge->model->dof_joint[i]].damping_poly;
    const double speed = fabs(judge->v[i]);
    const double slope = judge->model->dof_damping[i] + speed * (2.0 * d[0] + 3.0 * d[1] * speed);
    return judge->traits.explicit_forces ? 0.0 : slope;
}

// stage_residual = h^2 K v, and diagonal = h D + h^2 K including actuators.
static void find_diagonal(Judge* judge)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    const double h = report->h;
    for (int i = 0; i < model->nv; i++) {
        const double K = spring_slope(judge, i);
        const double D = damper_slope(judge, i);
        judge->motion.stage_residual[i] = h * h * K * judge->v[i];
        judge->motion.diagonal[i] = h * D + h * h * K + entry_or_zero(report->actuator_diagonal, i);
    }
}

// y += (armature + diagonal) x, the part of M̂ x that Newton-Euler does not contain.
static void add_diagonal(const Judge* judge, const double* x, double* y)
{
    for (int i = 0; i < judge->model->nv; i++) {
        y[i] += (judge->model->dof_armature[i] + judge->motion.diagonal[i]) * x[i];
    }
}

// Memory of Newton-Euler: nbody entries each.
typedef struct NewtonEuler {
    utForce* wrench;
    utMotion* J_a;
    utForce* required; // for a = 0
} NewtonEuler;

// The stage's residual of a tree; kin_start is moved with v.
static void tree_stage(Judge* judge, const NewtonEuler* work, int tree)
{
    const utStepReport* report = judge->report;
    const utModelTree* t = &judge->model->tree[tree];
    const Motion* motion = &judge->motion;
    const double h = report->h;
    double* a = judge->temp;
    double* tau = judge->temp2;
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        a[i] = (report->v_free[i] - judge->v[i]) / h - motion->centripetal[i];
    }
    ut_dyn_inverse_tree(&judge->kin_start, a, report->gravity, motion->body_force, work->wrench,
                        work->J_a, work->required, tau, tree);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        double* residual = &motion->stage_residual[i];
        *residual += h * (tau[i] - motion->force[i]);
        *residual += (judge->model->dof_armature[i] + motion->diagonal[i]) * (a[i] * h);
        *residual -= h * motion->passive[i];
    }
}

// v* of a tree by articulated bodies, the reference for the stored v+, and stage_error. A reference
// from the residual would lose digits to the condition of M̂, eight for a chain of a hundred links.
// kin_start is moved with v.
static void recompute_v_free(Judge* judge, const NewtonEuler* work, int tree)
{
    const utStepReport* report = judge->report;
    const utModelTree* t = &judge->model->tree[tree];
    const Motion* motion = &judge->motion;
    double* tau = judge->temp2;
    double* v_free = motion->v_free_recomputed;
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        const double K = spring_slope(judge, i);
        tau[i] = motion->passive[i] + (motion->force[i] - report->h * K * judge->v[i]);
    }
    ut_dyn_factor_solve_two(&judge->kin_start, judge->factor, tau, work->required,
                            motion->stage_residual, v_free, motion->stage_error, tree);
    for (int i = t->dof; i < t->dof + t->dofs; i++) {
        v_free[i] = judge->v[i] + report->h * (v_free[i] + motion->centripetal[i]);
    }
}

// Weight of a body less its gravity compensation, N.
static utVec3 weight_of(const Judge* judge, const utModelBody* body)
{
    const utVec3 weight = ut_vec3_scale(judge->report->gravity, body->mass);
    return ut_vec3_add_scaled(weight, -body->gravcomp, weight);
}

// The load on a free body: force in the world frame, torque about the centre of
// mass in the body frame.
static utForce free_load(const Judge* judge, int b, int dof)
{
    const utMat3 R = judge->kin_start.body[b].R;
    utForce load = {weight_of(judge, &judge->model->body[b]), ut_vec3_zero()};
    load.force = ut_vec3_add(load.force, judge->motion.body_force[b].force);
    load.torque = ut_mat3_tmul_vec(R, judge->motion.body_force[b].torque);
    // the joint's force acts at the frame's origin
    const utVec3 force = load3(judge->motion.force + dof);
    const utVec3 com = judge->model->body[b].com;
    load.force = ut_vec3_add(load.force, force);
    load.torque = ut_vec3_add(load.torque, load3(judge->motion.force + dof + 3));
    load.torque = ut_vec3_add(load.torque, ut_vec3_cross(ut_mat3_tmul_vec(R, force), com));
    return load;
}

static void free_stage(Judge* judge, int tree)
{
    const utStepReport* report = judge->report;
    const int b = judge->model->tree[tree].body;
    const int dof = judge->model->tree[tree].dof;
    const utModelBody* body = &judge->model->body[b];
    const utMat3 R = judge->kin_start.body[b].R;
    const double h = report->h;
    const utForce load = free_load(judge, b, dof);

    const utVec3 w = load3(judge->v + dof + 3);
    const utVec3 w_free = load3(report->v_free + dof + 3);
    const utVec3 w_mean = ut_vec3_scale(ut_vec3_add(w, w_free), 0.5);
    const utVec3 relative = ut_vec3_cross(ut_vec3_sub(w_free, w), body->com);
    const utVec3 du = ut_vec3_add(ut_vec3_sub(load3(report->v_free + dof), load3(judge->v + dof)),
                                  ut_mat3_mul_vec(R, relative));

    // residual about the centre of mass
    const utVec3 force = ut_vec3_add_scaled(ut_vec3_scale(du, body->mass), -h, load.force);
    const utVec3 gyroscopic = ut_vec3_cross(w_mean, ut_mat3_mul_vec(body->inertia, w_mean));
    utVec3 torque = ut_mat3_mul_vec(body->inertia, ut_vec3_sub(w_free, w));
    torque = ut_vec3_add_scaled(torque, h, ut_vec3_sub(gyroscopic, load.torque));

    // residual on the joint's velocities
    torque = ut_vec3_add(torque, ut_vec3_cross(body->com, ut_mat3_tmul_vec(R, force)));
    const double residual[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    memcpy(judge->motion.stage_residual + dof, residual, sizeof residual);
}

static void planar_stage(Judge* judge, int tree)
{
    const utStepReport* report = judge->report;
    const utPlane plane = ut_plane(judge->model->options.planar);
    const int b = judge->model->tree[tree].body;
    const int dof = judge->model->tree[tree].dof;
    const utModelBody* body = &judge->model->body[b];
    const double h = report->h;
    const double* v = judge->v + dof;
    const double* v_free = report->v_free + dof;
    const utVec3 N = plane.normal;
    const double moment = ut_vec3_dot(N, ut_mat3_mul_vec(body->inertia, N));

    // the velocity of the centre of mass, before and after
    const utVec3 s = ut_mat3_mul_vec(judge->kin_start.body[b].R, body->com);
    const utVec3 before =
        ut_vec3_add_scaled(ut_plane_out(&plane, ut_vec2(v[0], v[1])), v[2], ut_vec3_cross(N, s));
    const utVec3 after = ut_vec3_add_scaled(ut_plane_out(&plane, ut_vec2(v_free[0], v_free[1])),
                                            v_free[2], ut_vec3_cross(N, s));

    // the load about the centre of mass
    utVec3 force = weight_of(judge, body);
    force = ut_vec3_add(force, judge->motion.body_force[b].force);
    double torque = ut_vec3_dot(N, judge->motion.body_force[b].torque);
    const double* joint_force = judge->motion.force + dof;
    const utVec3 at_origin = ut_plane_out(&plane, ut_vec2(joint_force[0], joint_force[1]));
    force = ut_vec3_add(force, at_origin);
    torque += joint_force[2] - ut_vec3_dot(N, ut_vec3_cross(s, at_origin));

    // residual on the joint's velocities
    const utVec3 residual =
        ut_vec3_add_scaled(ut_vec3_scale(ut_vec3_sub(after, before), body->mass), -h, force);
    const utVec2 flat = ut_plane_in(&plane, residual);
    judge->motion.stage_residual[dof] = flat.x;
    judge->motion.stage_residual[dof + 1] = flat.y;
    judge->motion.stage_residual[dof + 2] =
        moment * (v_free[2] - v[2]) - h * torque + ut_vec3_dot(N, ut_vec3_cross(s, residual));
}

// ---- the impulses -------------------------------------------------------------------------------

// Add an impulse at a point of the body on a side: f on the second one, its opposite on the first.
static void add_on_side(Judge* judge, int side, int body, const WideImpulse* f, utVec3 point)
{
    WideForce* impulse = &judge->motion.body_impulse[body];
    const utVec3 com = judge->kin_contact.com[body];
    if (side == 0) {
        wide_pull(impulse, f, point, com);
    } else {
        wide_push(impulse, f, point, com);
    }
}

// The body on a side of a contact; no impulse moves a body without a tree.
static WideSide side_of(const Judge* judge, int body)
{
    return judge->model->body[body].tree < 0
               ? (WideSide){.sum = NULL}
               : (WideSide){&judge->motion.body_impulse[body], judge->kin_contact.com[body]};
}

void ut_certify_add_impulse(Judge* judge, int contact, const double* impulse, const double* torque)
{
    const utContact* c = &judge->report->contact[contact];
    const WideSide side[2] = {side_of(judge, contact_body(judge, contact, 0)),
                              side_of(judge, contact_body(judge, contact, 1))};
    ut_wide_add_contact(impulse, c->frame, c->point, side);
    for (int k = 0; torque != NULL && k < 6; k++) {
        const double sign = k < 3 ? -1.0 : 1.0;
        if (side[k / 3].sum != NULL) {
            wide_add_scaled(&side[k / 3].sum->torque, sign * torque[k % 3], c->frame[k % 3]);
        }
    }
}

// Add the impulse r of a row between bodies to body_impulse.
static void add_row_impulse(Judge* judge, const utRow* row, double r)
{
    WideVec linear = {.hi = {0.0}};
    wide_add_scaled(&linear, r, row->linear);
    const WideImpulse f = wide_impulse(&linear);
    for (int side = 0; side < 2; side++) {
        const int b = side == 0 ? row->body1 : row->body2;
        const double sign = side == 0 ? -1.0 : 1.0;
        const utVec3 point = side == 0 ? row->point1 : row->point2;
        add_on_side(judge, side, b, &f, point);
        wide_add_scaled(&judge->motion.body_impulse[b].torque, sign * r, row->angular);
    }
}

void ut_certify_clear_impulses(Judge* judge)
{
    memset(judge->motion.body_impulse, 0,
           (size_t)judge->model->nbody * sizeof *judge->motion.body_impulse);
}

utStatus ut_certify_joint_impulse(Judge* judge, utArena scratch, double* impulse)
{
    for (int b = 0; b < judge->model->nbody; b++) {
        judge->motion.rounded_impulse[b] = wide_force_round(&judge->motion.body_impulse[b]);
    }
    return ut_dyn_joint_forces(&judge->kin_contact, judge->motion.rounded_impulse, scratch,
                               impulse);
}

// impulse = J'r
static utStatus find_impulse(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    if (report->contacts + report->rows == 0) {
        memset(judge->motion.impulse, 0, (size_t)judge->model->nv * sizeof(double));
        return UT_OK;
    }
    ut_certify_clear_impulses(judge);
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        ut_certify_add_impulse(judge, i, c->r, c->condim > 3 ? c->torque : NULL);
    }
    for (int j = 0; j < report->rows; j++) {
        if (ut_row_has_bodies(&report->row[j])) {
            add_row_impulse(judge, &report->row[j], report->row[j].r);
        }
    }
    UT_TRY(ut_certify_joint_impulse(judge, scratch, judge->motion.impulse));
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        for (int k = 0; row->dof >= 0 && k < row->dofs; k++) {
            judge->motion.impulse[row->dof + k] += row->length * row->direction[k] * row->r;
        }
        ut_row_terms_impulse(row, row->r, judge->motion.impulse);
    }
    return UT_OK;
}

utStatus ut_certify_apply_mass(const Judge* judge, const double* x, utArena scratch, double* y)
{
    UT_TRY(ut_dyn_mass_times(&judge->kin_mass, x, scratch, y));
    add_diagonal(judge, x, y);
    return UT_OK;
}

utStatus ut_certify_factor(Judge* judge)
{
    for (int t = 0; t < judge->model->ntree; t++) {
        const utModelTree* tree = &judge->model->tree[t];
        judge->motion.has_diagonal[t] = false;
        for (int i = tree->dof; i < tree->dof + tree->dofs; i++) {
            const bool added =
                judge->model->dof_armature[i] != 0.0 || judge->motion.diagonal[i] != 0.0;
            judge->motion.has_diagonal[t] = judge->motion.has_diagonal[t] || added;
        }
        judge->motion.plain[t] = plain_free(judge, t) || plain_planar(judge, t);
        judge->motion.jointed[t] = !judge->motion.plain[t];
    }
    return ut_dyn_factor(&judge->kin_mass, judge->motion.diagonal, judge->factor);
}

void ut_certify_apply_inverse_mass(const Judge* judge, const double* x, double* y)
{
    ut_dyn_factor_respond(&judge->kin_mass, judge->factor, x, NULL, y);
}

// y = M̂ x of a change of velocity, which is 0 in a step without impulses.
static utStatus apply_mass_to_change(const Judge* judge, const double* x, utArena scratch,
                                     double* y)
{
    bool zero = true;
    for (int i = 0; i < judge->model->nv; i++) {
        zero = zero && x[i] == 0.0;
    }
    if (zero) {
        memset(y, 0, (size_t)judge->model->nv * sizeof *y);
        return UT_OK;
    }
    return ut_certify_apply_mass(judge, x, scratch, y);
}

utStatus ut_certify_impulse_residual(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const int nv = judge->model->nv;
    UT_TRY(find_impulse(judge, scratch));
    for (int i = 0; i < nv; i++) {
        judge->temp[i] = judge->v_next[i] - report->v_free[i];
    }
    UT_TRY(apply_mass_to_change(judge, judge->temp, scratch, judge->motion.residual));
    for (int i = 0; i < nv; i++) {
        judge->motion.residual[i] += judge->motion.stage_residual[i] - judge->motion.impulse[i];
    }
    // other trees compare v+ with the recomputed v* below
    ut_dyn_factor_respond(&judge->kin_mass, judge->factor, judge->motion.residual,
                          judge->motion.plain, judge->motion.v_error);
    if (report->contacts + report->rows > 0) {
        ut_dyn_factor_respond(&judge->kin_mass, judge->factor, judge->motion.impulse,
                              judge->motion.jointed, judge->temp);
    } else {
        memset(judge->temp, 0, (size_t)nv * sizeof *judge->temp);
    }
    for (int i = 0; i < nv; i++) {
        judge->motion.v_free[i] = report->v_free[i] - judge->motion.stage_error[i];
    }
    for (int t = 0; t < judge->model->ntree; t++) {
        const utModelTree* tree = &judge->model->tree[t];
        for (int i = tree->dof; !judge->motion.plain[t] && i < tree->dof + tree->dofs; i++) {
            judge->motion.v_error[i] =
                judge->v_next[i] - judge->motion.v_free_recomputed[i] - judge->temp[i];
        }
    }
    if (report->asleep != NULL) {
        ut_certify_clear_sleeping(judge);
    }
    return UT_OK;
}

utStatus ut_certify_instant(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const size_t nv = (size_t)judge->model->nv;
    memset(judge->motion.diagonal, 0, nv * sizeof(double));
    memcpy(judge->motion.v_free_recomputed, judge->v, nv * sizeof(double));
    memcpy(judge->motion.q_next, judge->q, (size_t)judge->model->nq * sizeof(double));
    for (size_t i = 0; i < nv; i++) {
        judge->temp[i] = report->v_free[i] - judge->v[i];
    }
    UT_TRY(ut_certify_factor(judge));
    UT_TRY(ut_certify_apply_mass(judge, judge->temp, scratch, judge->motion.stage_residual));
    ut_certify_apply_inverse_mass(judge, judge->motion.stage_residual, judge->motion.stage_error);
    return ut_certify_impulse_residual(judge, scratch);
}

// stage_residual and stage_error of all trees, and v_free_recomputed of those that are not plain.
// kin_start is moved with v.
static utStatus find_stages(Judge* judge, utArena scratch)
{
    const NewtonEuler work = {.wrench = UT_PUSH(&scratch, utForce, judge->model->nbody),
                              .J_a = UT_PUSH(&scratch, utMotion, judge->model->nbody),
                              .required = UT_PUSH(&scratch, utForce, judge->model->nbody)};
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    ut_dyn_passive(judge->model, judge->q, judge->v, judge->motion.passive);
    ut_dyn_centripetal(&judge->kin_start, judge->v, judge->motion.centripetal);
    for (int t = 0; t < judge->model->ntree; t++) {
        const utModelTree* tree = &judge->model->tree[t];
        if (sleeps(judge, t)) {
            memset(judge->motion.v_free_recomputed + tree->dof, 0,
                   (size_t)tree->dofs * sizeof *judge->motion.v_free_recomputed);
            memset(judge->motion.stage_error + tree->dof, 0,
                   (size_t)tree->dofs * sizeof *judge->motion.stage_error);
        } else if (judge->motion.plain[t]) {
            if (tree->free) {
                free_stage(judge, t);
            } else {
                planar_stage(judge, t);
            }
            ut_dyn_factor_respond_tree(&judge->kin_start, judge->factor,
                                       judge->motion.stage_residual, t, judge->motion.stage_error);
        } else {
            tree_stage(judge, &work, t);
            recompute_v_free(judge, &work, t);
        }
    }
    return UT_OK;
}

utStatus ut_certify_motion(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    find_diagonal(judge);
    UT_TRY(ut_certify_factor(judge));
    ut_kinematics_move(&judge->kin_start, judge->v, report->mocap_velocity);
    ut_certify_body_forces(judge);
    if (!judge->traits.explicit_forces) {
        UT_TRY(ut_dyn_gyroscopic(&judge->kin_start, report->gravity, report->h, scratch,
                                 judge->motion.body_force));
    }
    UT_TRY(find_stages(judge, scratch));
    const bool corrected = report->correction != NULL;
    for (int i = 0; corrected && i < judge->model->nv; i++) {
        judge->temp[i] = report->h * judge->v_next[i] + report->correction[i];
    }
    ut_model_integrate(judge->model, judge->q, corrected ? judge->temp : judge->v_next,
                       corrected ? 1.0 : report->h, judge->motion.q_next);
    return ut_certify_impulse_residual(judge, scratch);
}
