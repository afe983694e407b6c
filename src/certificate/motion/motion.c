// SPDX-License-Identifier: Apache-2.0
// The equations of motion of a step, by Newton-Euler alone: what the stage that gave v* leaves
// over, and what is left of M̂ (v+ - v*) = J'r. M is never formed; M̂^-1 is applied by articulated
// bodies and only weighs what is left.
//
//     trees             M̂ (v* - v - h b) = h (force + passive(q, v) - c(q, v)) - h^2 K v, the
//                       couples of ut_dyn_gyroscopic being among the forces
//     free bodies       m (u* - u) = h F,    I (w* - w) + h w_mean x I w_mean = h T
//     instants          M v* = M v
//
// where u = v + R (w x c) is the velocity of the centre of mass, u* = v* + R (w* x c), and
// b = R (w x (w x c)) on the linear velocities of free joints, so that it is the centre of mass of
// the root that moves straight; planar bodies likewise, with one w about the normal and no
// gyroscopic term.
#include <string.h>

#include "certificate/internal.h"

static double entry(const double* x, int i)
{
    return x != NULL ? x[i] : 0.0;
}

// ---- the stage ----------------------------------------------------------------------------------

// stage = h^2 K v, and extra = h D + h^2 K with those of actuators
static void find_extra(Judge* judge)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    const double h = report->h;
    for (int i = 0; i < model->nv; i++) {
        const utModelJoint* joint = &model->joint[model->dof_joint[i]];
        const bool implicit = !judge->formulation.explicit_forces;
        const double K = implicit ? joint->stiffness : 0.0;
        const double D = implicit ? model->dof_damping[i] : 0.0;
        judge->stage[i] = h * h * K * judge->v[i];
        judge->extra[i] = h * D + h * h * K + entry(report->actuator_diagonal, i);
    }
}

// y += M̂ x - (what a's part by Newton-Euler has): armature and extra.
static void add_diagonal(const Judge* judge, const double* x, double* y)
{
    for (int i = 0; i < judge->model->nv; i++) {
        y[i] += (judge->model->dof_armature[i] + judge->extra[i]) * x[i];
    }
}

// The residual of the trees, on the velocities of all; kin is moved with v.
static utStatus tree_stage(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const int nv = judge->model->nv;
    const double h = report->h;
    double* a = judge->work;
    double* tau = judge->more_work;
    ut_dyn_centripetal(&judge->kin, judge->v, tau);
    for (int i = 0; i < nv; i++) {
        a[i] = (report->v_free[i] - judge->v[i]) / h - tau[i];
    }
    UT_TRY(ut_dyn_inverse(&judge->kin, a, report->gravity, judge->acting, scratch, tau));
    for (int i = 0; i < nv; i++) {
        judge->stage[i] += h * (tau[i] - entry(report->force, i));
        a[i] *= h;
    }
    add_diagonal(judge, a, judge->stage);
    ut_dyn_passive(judge->model, judge->q, judge->v, tau);
    for (int i = 0; i < nv; i++) {
        judge->stage[i] -= h * tau[i];
    }
    return UT_OK;
}

// v* of the trees once more, by articulated bodies: what v+ is measured by. From the residual it
// would be known to the condition of M̂ only, eight digits less for a chain of a hundred links. kin
// is moved with v.
static utStatus find_again(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    double* tau = judge->more_work;
    ut_dyn_passive(model, judge->q, judge->v, tau);
    for (int i = 0; i < model->nv; i++) {
        const double K =
            judge->formulation.explicit_forces ? 0.0 : model->joint[model->dof_joint[i]].stiffness;
        tau[i] += entry(report->force, i) - report->h * K * judge->v[i];
    }
    UT_TRY(ut_dyn_forward(&judge->kin, tau, judge->extra, report->gravity, judge->acting, scratch,
                          judge->again));
    ut_dyn_centripetal(&judge->kin, judge->v, tau);
    for (int i = 0; i < model->nv; i++) {
        judge->again[i] = judge->v[i] + report->h * (judge->again[i] + tau[i]);
    }
    return UT_OK;
}

// What acts on a free body: force in the world, torque about the centre of mass in the body.
static utForce free_load(const Judge* judge, int b, int dof)
{
    const utStepReport* report = judge->report;
    const utMat3 R = judge->kin.body[b].R;
    utForce load = {ut_vec3_scale(report->gravity, judge->model->body[b].mass), ut_vec3_zero()};
    load.force = ut_vec3_add(load.force, judge->acting[b].force);
    load.torque = ut_mat3_tmul_vec(R, judge->acting[b].torque);
    if (report->force != NULL) {
        // a force at the frame's origin, and a torque
        const utVec3 force = load3(report->force + dof);
        const utVec3 com = judge->model->body[b].com;
        load.force = ut_vec3_add(load.force, force);
        load.torque = ut_vec3_add(load.torque, load3(report->force + dof + 3));
        load.torque = ut_vec3_add(load.torque, ut_vec3_cross(ut_mat3_tmul_vec(R, force), com));
    }
    return load;
}

static void free_stage(Judge* judge, int tree)
{
    const utStepReport* report = judge->report;
    const int b = judge->model->tree[tree].body;
    const int dof = judge->model->tree[tree].dof;
    const utModelBody* body = &judge->model->body[b];
    const utMat3 R = judge->kin.body[b].R;
    const double h = report->h;
    const utForce load = free_load(judge, b, dof);

    const utVec3 w = load3(judge->v + dof + 3);
    const utVec3 w_free = load3(report->v_free + dof + 3);
    const utVec3 w_mean = ut_vec3_scale(ut_vec3_add(w, w_free), 0.5);
    const utVec3 turning = ut_vec3_cross(ut_vec3_sub(w_free, w), body->com);
    const utVec3 du = ut_vec3_add(ut_vec3_sub(load3(report->v_free + dof), load3(judge->v + dof)),
                                  ut_mat3_mul_vec(R, turning));

    // what is left, about the centre of mass
    const utVec3 force = ut_vec3_add_scaled(ut_vec3_scale(du, body->mass), -h, load.force);
    const utVec3 gyroscopic = ut_vec3_cross(w_mean, ut_mat3_mul_vec(body->inertia, w_mean));
    utVec3 torque = ut_mat3_mul_vec(body->inertia, ut_vec3_sub(w_free, w));
    torque = ut_vec3_add_scaled(torque, h, ut_vec3_sub(gyroscopic, load.torque));

    // and on the joint's velocities
    torque = ut_vec3_add(torque, ut_vec3_cross(body->com, ut_mat3_tmul_vec(R, force)));
    const double left[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    memcpy(judge->stage + dof, left, sizeof left);
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
    const utVec3 s = ut_mat3_mul_vec(judge->kin.body[b].R, body->com);
    const utVec3 before =
        ut_vec3_add_scaled(ut_plane_out(&plane, ut_vec2(v[0], v[1])), v[2], ut_vec3_cross(N, s));
    const utVec3 after = ut_vec3_add_scaled(ut_plane_out(&plane, ut_vec2(v_free[0], v_free[1])),
                                            v_free[2], ut_vec3_cross(N, s));

    // what acts, about the centre of mass
    utVec3 force = ut_vec3_scale(report->gravity, body->mass);
    force = ut_vec3_add(force, judge->acting[b].force);
    double torque = ut_vec3_dot(N, judge->acting[b].torque);
    if (report->force != NULL) {
        const utVec3 at_origin =
            ut_plane_out(&plane, ut_vec2(report->force[dof], report->force[dof + 1]));
        force = ut_vec3_add(force, at_origin);
        torque += report->force[dof + 2] - ut_vec3_dot(N, ut_vec3_cross(s, at_origin));
    }

    // what is left, on the joint's velocities
    const utVec3 left =
        ut_vec3_add_scaled(ut_vec3_scale(ut_vec3_sub(after, before), body->mass), -h, force);
    const utVec2 flat = ut_plane_in(&plane, left);
    judge->stage[dof] = flat.x;
    judge->stage[dof + 1] = flat.y;
    judge->stage[dof + 2] =
        moment * (v_free[2] - v[2]) - h * torque + ut_vec3_dot(N, ut_vec3_cross(s, left));
}

// ---- the impulses -------------------------------------------------------------------------------

void ut_certify_push(Judge* judge, int contact, const double* impulse)
{
    const utContact* c = &judge->report->contact[contact];
    Wide f[3] = {{0.0, 0.0}};
    for (int k = 0; k < 3; k++) {
        wide_add_scaled(f, impulse[k], c->frame[k]);
    }
    for (int side = 0; side < 2; side++) {
        const int b = contact_body(judge, contact, side);
        wide_push(&judge->net[b], side == 0 ? -1.0 : 1.0, f, c->point, judge->touch.com[b]);
    }
}

void ut_certify_push_row(Judge* judge, const utRow* row, double r)
{
    Wide f[3] = {{0.0, 0.0}};
    wide_add_scaled(f, r, row->linear);
    for (int side = 0; side < 2; side++) {
        const int b = side == 0 ? row->body1 : row->body2;
        const double sign = side == 0 ? -1.0 : 1.0;
        const utVec3 point = side == 0 ? row->point1 : row->point2;
        wide_push(&judge->net[b], sign, f, point, judge->touch.com[b]);
        wide_add_scaled(judge->net[b].torque, sign * r, row->angular);
    }
}

void ut_certify_no_push(Judge* judge)
{
    memset(judge->net, 0, (size_t)judge->model->nbody * sizeof *judge->net);
}

utStatus ut_certify_pushed(Judge* judge, utArena scratch, double* impulse)
{
    for (int b = 0; b < judge->model->nbody; b++) {
        judge->wrench[b] = wide_force_round(&judge->net[b]);
    }
    UT_TRY(ut_dyn_inverse(&judge->touch, judge->zero, ut_vec3_zero(), judge->wrench, scratch,
                          impulse));
    for (int i = 0; i < judge->model->nv; i++) {
        impulse[i] = -impulse[i];
    }
    return UT_OK;
}

// impulse = J'r; touch is at rest.
static utStatus find_impulse(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    ut_certify_no_push(judge);
    for (int i = 0; i < report->contacts; i++) {
        ut_certify_push(judge, i, report->contact[i].r);
    }
    for (int j = 0; j < report->rows; j++) {
        if (report->row[j].dof < 0) {
            ut_certify_push_row(judge, &report->row[j], report->row[j].r);
        }
    }
    UT_TRY(ut_certify_pushed(judge, scratch, judge->impulse));
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        for (int k = 0; row->dof >= 0 && k < row->dofs; k++) {
            judge->impulse[row->dof + k] += row->length * row->direction[k] * row->r;
        }
    }
    return UT_OK;
}

utStatus ut_certify_mass(const Judge* judge, const double* x, utArena scratch, double* y)
{
    UT_TRY(ut_dyn_inverse(&judge->heavy, x, ut_vec3_zero(), NULL, scratch, y));
    add_diagonal(judge, x, y);
    return UT_OK;
}

utStatus ut_certify_respond(const Judge* judge, const double* x, utArena scratch, double* y)
{
    return ut_dyn_forward(&judge->heavy, x, judge->extra, ut_vec3_zero(), NULL, scratch, y);
}

utStatus ut_certify_impulses(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const int nv = judge->model->nv;
    ut_kinematics_move(&judge->kin, judge->zero, NULL);
    ut_kinematics_move(&judge->touch, judge->zero, NULL);
    ut_kinematics_move(&judge->heavy, judge->zero, NULL);
    UT_TRY(find_impulse(judge, scratch));
    for (int i = 0; i < nv; i++) {
        judge->work[i] = judge->v_next[i] - report->v_free[i];
    }
    UT_TRY(ut_certify_mass(judge, judge->work, scratch, judge->residual));
    for (int i = 0; i < nv; i++) {
        judge->residual[i] += judge->stage[i] - judge->impulse[i];
    }
    UT_TRY(ut_certify_respond(judge, judge->residual, scratch, judge->off));
    UT_TRY(ut_certify_respond(judge, judge->stage, scratch, judge->stage_off));
    UT_TRY(ut_certify_respond(judge, judge->impulse, scratch, judge->work));
    for (int i = 0; i < nv; i++) {
        judge->v_free[i] = report->v_free[i] - judge->stage_off[i];
    }
    for (int t = 0; t < judge->model->ntree; t++) {
        const utModelTree* tree = &judge->model->tree[t];
        const bool plain = plain_free(judge, t) || plain_planar(judge, t);
        for (int i = tree->dof; !plain && i < tree->dof + tree->dofs; i++) {
            judge->off[i] = judge->v_next[i] - judge->again[i] - judge->work[i];
        }
    }
    return UT_OK;
}

utStatus ut_certify_instant(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const size_t nv = (size_t)judge->model->nv;
    memset(judge->extra, 0, nv * sizeof(double));
    memcpy(judge->again, judge->v, nv * sizeof(double));
    memcpy(judge->position, judge->q, (size_t)judge->model->nq * sizeof(double));
    for (size_t i = 0; i < nv; i++) {
        judge->work[i] = report->v_free[i] - judge->v[i];
    }
    ut_kinematics_move(&judge->kin, judge->zero, NULL);
    ut_kinematics_move(&judge->heavy, judge->zero, NULL);
    UT_TRY(ut_certify_mass(judge, judge->work, scratch, judge->stage));
    return ut_certify_impulses(judge, scratch);
}

utStatus ut_certify_motion(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    find_extra(judge);
    ut_kinematics_move(&judge->kin, judge->v, report->mocap_velocity);
    ut_certify_acting(judge);
    if (!judge->formulation.explicit_forces) {
        UT_TRY(ut_dyn_gyroscopic(&judge->kin, report->gravity, report->h, scratch, judge->acting));
    }
    UT_TRY(tree_stage(judge, scratch));
    UT_TRY(find_again(judge, scratch));
    for (int t = 0; t < judge->model->ntree; t++) {
        if (plain_free(judge, t)) {
            free_stage(judge, t);
        } else if (plain_planar(judge, t)) {
            planar_stage(judge, t);
        }
    }
    ut_model_integrate(judge->model, judge->q, judge->v_next, report->h, judge->position);
    return ut_certify_impulses(judge, scratch);
}
