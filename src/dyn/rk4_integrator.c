// SPDX-License-Identifier: Apache-2.0
// The classical Runge-Kutta method of order 4 on the manifold of positions.
//
// Positions are written q ⊕ x with x in the tangent space at the start (Munthe-Kaas, Applied
// Numerical Mathematics 29, 1999). For angular velocities w in the body's frame x obeys
//
//     x' = w + x × w / 2 + k(|x|) x × (x × w),    k = (1 - (|x|/2) cot(|x|/2)) / |x|^2
//
// and for all other velocities x' = v. Without these terms the order would be 2 where balls or free
// bodies turn. Positions and velocities of free bodies are those of their centres of mass, so that
// the choice of a body's frame changes the result by rounding only.
#include "internal.h"

// |x|^2 below which k is summed as a series: its first omitted term is then below rounding
static const double SERIES_LIMIT = 1e-3;

// x' of a rotation vector under the angular velocity w.
static utVec3 rotation_rate(utVec3 x, utVec3 w)
{
    const double square = ut_vec3_dot(x, x);
    double k = 1.0 / 12.0 + square * (1.0 / 720.0 + square * (1.0 / 30240.0));
    if (square > SERIES_LIMIT) {
        double sine, cosine;
        const double half = 0.5 * sqrt(square);
        ut_sincos(half, &sine, &cosine);
        k = (1.0 - half * cosine / sine) / square;
    }
    const utVec3 once = ut_vec3_cross(x, w);
    const utVec3 rate = ut_vec3_add_scaled(w, 0.5, once);
    return ut_vec3_add_scaled(rate, k, ut_vec3_cross(x, once));
}

// x' of all positions.
static void position_rate(const utModel* model, const double* x, const double* v, double* rate)
{
    for (int i = 0; i < model->nv; i++) {
        rate[i] = v[i];
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = model->joint + j;
        if (joint->kind == UT_JOINT_FREE || joint->kind == UT_JOINT_BALL) {
            const int i = joint->v + (joint->kind == UT_JOINT_FREE ? 3 : 0);
            ut_dyn_store(rotation_rate(ut_dyn_vec3(x + i), ut_dyn_vec3(v + i)), rate + i);
        }
    }
}

typedef struct Stage {
    double* q;     // q ⊕ x
    double* x;     // nv
    double* u;     // nv: velocities, of centres of mass
    double* v;     // nv: of frames
    double* dx;    // nv: x'
    double* a;     // nv: u'
    double* force; // nv
    utArticulatedFactor* factor;
    utArena scratch;
} Stage;

// q and v of the stage, from x and u.
static void set_state(const utModel* model, const double* q, Stage* stage)
{
    for (int i = 0; i < model->nv; i++) {
        stage->v[i] = stage->x[i];
    }
    ut_model_from_com(model, q, stage->v);
    ut_model_integrate(model, q, stage->v, 1.0, stage->q);
    for (int i = 0; i < model->nv; i++) {
        stage->v[i] = stage->u[i];
    }
    ut_model_from_com(model, stage->q, stage->v);
}

// x' and u' at the stage's x and u. kin is placed where the stage is.
static bool evaluate(const utSmooth* smooth, const double* q, utKinematics* kin, Stage* stage)
{
    const utModel* model = smooth->model;
    set_state(model, q, stage);
    ut_dyn_passive(model, stage->q, stage->v, stage->force);
    for (int i = 0; smooth->tau != NULL && i < model->nv; i++) {
        stage->force[i] += smooth->tau[i];
    }
    ut_dyn_add_servos(smooth, stage->q, stage->v, stage->force);
    bool definite = true;
    for (int t = 0; t < model->ntree; t++) {
        ut_dyn_place_tree(kin, stage->q, t);
        ut_dyn_move_tree(kin, stage->v, t);
    }
    if (model->ntendon > 0) {
        definite = ut_dyn_add_tendons(kin, stage->q, stage->v, NULL, stage->scratch,
                                      stage->force) == UT_OK;
    }
    definite = ut_dyn_factor(kin, NULL, stage->factor) == UT_OK && definite;
    ut_dyn_factor_accelerate(kin, stage->factor, stage->force, smooth->gravity, smooth->applied,
                             stage->a);
    // u = v + R (w x c), whose rate is v' + R (w' x c) + R (w x (w x c))
    ut_model_to_com(model, stage->q, stage->a);
    ut_dyn_centripetal(kin, stage->v, stage->force);
    for (int i = 0; i < model->nv; i++) {
        stage->a[i] += stage->force[i];
    }
    position_rate(model, stage->x, stage->u, stage->dx);
    return definite;
}

utStatus ut_dyn_step_rk4(const utSmooth* smooth, double h, utKinematics* kin, const double* q,
                         const double* v, utArena scratch, double* q_next, double* v_next)
{
    // the time of each stage in h, and its weight
    static const double time[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const int nv = smooth->model->nv;
    Stage stage = {
        .q = UT_PUSH(&scratch, double, smooth->model->nq),
        .x = UT_PUSH(&scratch, double, nv),
        .u = UT_PUSH(&scratch, double, nv),
        .v = UT_PUSH(&scratch, double, nv),
        .dx = UT_PUSH(&scratch, double, nv),
        .a = UT_PUSH(&scratch, double, nv),
        .force = UT_PUSH(&scratch, double, nv),
        .factor = ut_dyn_factor_create(smooth->model, &scratch),
    };
    double* x = UT_PUSH(&scratch, double, nv);
    double* u = UT_PUSH(&scratch, double, nv);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    stage.scratch = scratch;
    for (int i = 0; i < nv; i++) {
        x[i] = stage.dx[i] = stage.a[i] = 0.0;
        u[i] = v[i];
    }
    ut_model_to_com(smooth->model, q, u);
    for (int i = 0; i < nv; i++) {
        v_next[i] = u[i];
    }
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < nv; i++) {
            stage.x[i] = h * time[s] * stage.dx[i];
            stage.u[i] = u[i] + h * time[s] * stage.a[i];
        }
        if (!evaluate(smooth, q, kin, &stage)) {
            return UT_ERR_ARGUMENT;
        }
        for (int i = 0; i < nv; i++) {
            x[i] += h * weight[s] * stage.dx[i];
            v_next[i] += h * weight[s] * stage.a[i];
        }
    }
    ut_model_from_com(smooth->model, q, x);
    ut_model_integrate(smooth->model, q, x, 1.0, q_next);
    ut_model_from_com(smooth->model, q_next, v_next);
    return UT_OK;
}
