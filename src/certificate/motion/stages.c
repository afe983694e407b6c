// SPDX-License-Identifier: Apache-2.0
// Steps of the integrators RK4 and MIDPOINT: v* and q* are recomputed; M̂ is M for the impulses.
//
// This file evaluates RK4 from its tableau. Articulated bodies give the acceleration of each stage,
// and the Newton-Euler residual of that acceleration is the residual of the stage. Free bodies are
// integrated at their centre of mass: x and u describe centres of mass, q and v describe frames.
// For MIDPOINT dyn repeats the step, and the results are compared.
#include <string.h>

#include "certificate/internal.h"

// ---- RK4 ----------------------------------------------------------------------------------------

typedef struct Stage {
    utKinematics kin;
    double* q;        // nq
    double* x;        // nv: displacement from the start of the step
    double* u;        // nv: velocity, at centres of mass
    double* v;        // nv: velocity, at frames
    double* dx;       // nv: rate of x
    double* a;        // nv: rate of v, then of u
    double* force;    // nv
    double* residual; // nv: of Newton-Euler
} Stage;

static bool push_stage(const utModel* model, utArena* arena, Stage* stage)
{
    double** const all[] = {&stage->x, &stage->u,     &stage->v,       &stage->dx,
                            &stage->a, &stage->force, &stage->residual};
    stage->q = UT_PUSH(arena, double, model->nq);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        *all[k] = UT_PUSH(arena, double, model->nv);
    }
    return ut_kinematics_create(model, arena, &stage->kin) == UT_OK;
}

// The rate of a rotation vector x for the angular velocity w in the body frame: the inverse of the
// right Jacobian of the exponential map. Its series is exact to rounding for small angles.
static utVec3 rotation_rate(utVec3 x, utVec3 w)
{
    const double angle = ut_vec3_norm(x);
    double k = 1.0 / 12.0;
    if (angle > 0.05) {
        double sine, cosine;
        ut_sincos(angle, &sine, &cosine);
        k = 1.0 / (angle * angle) - (1.0 + cosine) / (2.0 * angle * sine);
    } else {
        const double s = angle * angle;
        k += s / 720.0 + s * s / 30240.0 + s * s * s / 1209600.0;
    }
    const utVec3 turn = ut_vec3_cross(x, w);
    const utVec3 rate = ut_vec3_add_scaled(w, 0.5, turn);
    return ut_vec3_add_scaled(rate, k, ut_vec3_cross(x, turn));
}

static void find_rate(const utModel* model, Stage* stage)
{
    memcpy(stage->dx, stage->u, (size_t)model->nv * sizeof *stage->dx);
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        if (joint->kind != UT_JOINT_FREE && joint->kind != UT_JOINT_BALL) {
            continue;
        }
        const int i = joint->v + (joint->kind == UT_JOINT_FREE ? 3 : 0);
        const utVec3 rate = rotation_rate(load3(stage->x + i), load3(stage->v + i));
        stage->dx[i] = rate.x;
        stage->dx[i + 1] = rate.y;
        stage->dx[i + 2] = rate.z;
    }
}

// Joint forces of the stage.
static void find_force(const Judge* judge, Stage* stage)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    ut_dyn_passive(model, stage->q, stage->v, stage->force);
    ut_certify_add_tendon_forces(judge, &stage->kin, stage->q, stage->v, NULL, stage->force);
    for (int i = 0; i < model->nv; i++) {
        stage->force[i] += judge->motion.force[i];
        if (report->stiffness != NULL && report->stiffness[i] != 0.0) {
            const int q = model->joint[model->dof_joint[i]].q;
            stage->force[i] -= report->stiffness[i] * stage->q[q];
        }
        stage->force[i] -= report->damping != NULL ? report->damping[i] * stage->v[i] : 0.0;
    }
}

// q and v of the frames, from x and u of the centres of mass.
static void place_frames(const Judge* judge, Stage* stage)
{
    const size_t size = (size_t)judge->model->nv * sizeof *stage->v;
    memcpy(stage->v, stage->x, size);
    ut_model_from_com(judge->model, judge->q, stage->v);
    ut_model_integrate(judge->model, judge->q, stage->v, 1.0, stage->q);
    memcpy(stage->v, stage->u, size);
    ut_model_from_com(judge->model, stage->q, stage->v);
}

// Convert the rate of v into the rate of u.
static void find_rate_of_com(const utModel* model, Stage* stage)
{
    ut_model_to_com(model, stage->q, stage->a);
    ut_dyn_centripetal(&stage->kin, stage->v, stage->force);
    for (int i = 0; i < model->nv; i++) {
        stage->a[i] += stage->force[i];
    }
}

// a by articulated bodies; residual = M a + c - force by Newton-Euler.
static utStatus accelerate(const Judge* judge, utArena scratch, Stage* stage)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    place_frames(judge, stage);
    ut_kinematics_place(&stage->kin, stage->q, report->mocap_pos, report->mocap_quat);
    ut_kinematics_move(&stage->kin, stage->v, NULL);
    find_force(judge, stage);
    UT_TRY(ut_dyn_forward(&stage->kin, stage->force, NULL, report->gravity,
                          judge->motion.body_force, scratch, stage->a));
    UT_TRY(ut_dyn_inverse(&stage->kin, stage->a, report->gravity, judge->motion.body_force, scratch,
                          stage->residual));
    for (int i = 0; i < model->nv; i++) {
        stage->residual[i] += model->dof_armature[i] * stage->a[i] - stage->force[i];
    }
    find_rate_of_com(model, stage);
    find_rate(model, stage);
    return UT_OK;
}

static utStatus runge_kutta(Judge* judge, utArena scratch)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weight[4] = {1.0, 2.0, 2.0, 1.0};
    const utStepReport* report = judge->report;
    const int nv = judge->model->nv;
    const double h = report->h;
    Stage stage;
    double* x = UT_PUSH(&scratch, double, nv);
    double* u = UT_PUSH(&scratch, double, nv);
    if (!push_stage(judge->model, &scratch, &stage)) {
        return UT_ERR_CAPACITY;
    }
    memcpy(u, judge->v, (size_t)nv * sizeof *u);
    ut_model_to_com(judge->model, judge->q, u);
    memset(x, 0, (size_t)nv * sizeof *x);
    memset(stage.dx, 0, (size_t)nv * sizeof *x);
    memset(stage.a, 0, (size_t)nv * sizeof *x);
    memcpy(judge->motion.v_free, u, (size_t)nv * sizeof *x);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < nv; i++) {
            stage.x[i] = at[s] * h * stage.dx[i];
            stage.u[i] = u[i] + at[s] * h * stage.a[i];
        }
        UT_TRY(accelerate(judge, scratch, &stage));
        for (int i = 0; i < nv; i++) {
            x[i] += weight[s] / 6.0 * h * stage.dx[i];
            judge->motion.v_free[i] += weight[s] / 6.0 * h * stage.a[i];
            judge->motion.stage_residual[i] += weight[s] / 6.0 * h * stage.residual[i];
        }
    }
    ut_model_from_com(judge->model, judge->q, x);
    ut_model_integrate(judge->model, judge->q, x, 1.0, judge->motion.q_next);
    ut_model_from_com(judge->model, judge->q, judge->motion.v_free);
    return UT_OK;
}

// ---- MIDPOINT -----------------------------------------------------------------------------------

static utStatus repeat_midpoint(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const utSmooth smooth = {
        .model = judge->model,
        .gravity = report->gravity,
        .tau = judge->motion.force,
        .applied = judge->motion.body_force,
        .mocap_pos = report->mocap_pos,
        .mocap_quat = report->mocap_quat,
        .stiffness = report->stiffness,
        .damping = report->damping,
    };
    memcpy(judge->motion.q_next, judge->q, (size_t)judge->model->nq * sizeof(double));
    memcpy(judge->motion.v_free, judge->v, (size_t)judge->model->nv * sizeof(double));
    UT_TRY(ut_smooth_step(&smooth, report->integrator, report->h, scratch, judge->motion.q_next,
                          judge->motion.v_free));
    ut_model_carry(judge->model, judge->motion.q_next, judge->motion.v_free, judge->q,
                   judge->motion.v_free);
    return UT_OK;
}

// ---- both ---------------------------------------------------------------------------------------

static void mark(bool* has_impulse, int tree)
{
    if (tree >= 0) {
        has_impulse[tree] = true;
    }
}

// Trees with an impulse end at q ⊕ h v+ instead of q*.
static utStatus move_trees_with_impulses(Judge* judge, utArena scratch)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    double* moved = UT_PUSH(&scratch, double, model->nq);
    bool* has_impulse = UT_PUSH(&scratch, bool, model->ntree);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    memset(has_impulse, 0, (size_t)model->ntree * sizeof *has_impulse);
    for (int i = 0; i < report->contacts; i++) {
        const double* r = report->contact[i].r;
        for (int side = 0; side < 2 && (r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0); side++) {
            mark(has_impulse, contact_tree(judge, i, side));
        }
    }
    for (int j = 0; j < report->rows; j++) {
        int cursor = 0;
        for (int tree = 0; tree >= 0 && report->row[j].r != 0.0;) {
            tree = ut_row_next_tree(model, &report->row[j], &cursor);
            mark(has_impulse, tree);
        }
    }
    ut_model_integrate(model, judge->q, judge->v_next, report->h, moved);
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        if (has_impulse[model->body[joint->body].tree]) {
            memcpy(judge->motion.q_next + joint->q, moved + joint->q,
                   (size_t)ut_joint_positions(joint->kind) * sizeof *moved);
        }
    }
    return UT_OK;
}

utStatus ut_certify_stages(Judge* judge, utArena scratch)
{
    const size_t nv = (size_t)judge->model->nv;
    memset(judge->motion.diagonal, 0, nv * sizeof(double));
    memset(judge->motion.stage_residual, 0, nv * sizeof(double));
    ut_kinematics_move(&judge->kin_start, judge->v, judge->report->mocap_velocity);
    ut_certify_body_forces(judge);
    UT_TRY(judge->report->integrator == UT_INTEGRATOR_RK4 ? runge_kutta(judge, scratch)
                                                          : repeat_midpoint(judge, scratch));
    UT_TRY(move_trees_with_impulses(judge, scratch));
    memcpy(judge->motion.v_free_recomputed, judge->motion.v_free, nv * sizeof(double));

    // the error of the reported v*, as momentum
    UT_TRY(ut_certify_factor(judge));
    for (size_t i = 0; i < nv; i++) {
        judge->temp[i] = judge->report->v_free[i] - judge->motion.v_free[i];
    }
    UT_TRY(ut_certify_apply_mass(judge, judge->temp, scratch, judge->temp2));
    for (size_t i = 0; i < nv; i++) {
        judge->motion.stage_residual[i] += judge->temp2[i];
    }
    ut_certify_apply_inverse_mass(judge, judge->motion.stage_residual, judge->motion.stage_error);
    return ut_certify_impulse_residual(judge, scratch);
}
