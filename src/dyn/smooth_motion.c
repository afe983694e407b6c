// SPDX-License-Identifier: Apache-2.0
// Steps without contacts: symplectic Euler, and the choice of the integrator.
//
// Euler is linearly implicit in the springs and dampers of joints, with D and K diagonal:
//
//     (M + h D + h^2 K) a = tau - c(q, v) + passive(q + h v, v),    v* = v + h (a + b),
//     q+ = q ⊕ h v*
//
// v* is a velocity at q; the state after the step holds it as a velocity at q+ (ut_model_carry).
// The centre of mass of a free body has the velocity u = v + R (w x c), and the term b = R (w x (w
// x c)) makes u change by h times its acceleration. The angular velocity of a single free body
// follows the implicit midpoint rule, so that momentum and energy are kept to rounding. They are
// kept for a single planar body, too. A free body with armature or damping of its own is treated
// like any other tree. ut_dyn_gyroscopic adds the gyroscopic terms of bodies on ball joints and of
// roots of floating trees, unless forces are explicit.
//
// The recursion over articulated bodies avoids solving with M, because that would lose as many
// digits as the condition of M has: eight for a chain of a hundred links.
//
// IMPLICIT is the same as EULER, because EULER already treats the damping of joints implicitly.
// Coriolis terms are explicit in both.
#include <string.h>

#include "internal.h"
#include "la/scalar.h"

// The six velocities of a free body after h, in the orientation before the step.
static bool step_free(const utFreeBody* body, double h, double* v_next)
{
    utVec3 w;
    if (!ut_dyn_free_spin(body, h, &w)) {
        return false;
    }
    const utVec3 u = ut_vec3_add_scaled(body->u, h / body->mass, body->force);
    const utVec3 relative = ut_quat_rotate(body->quat, ut_vec3_cross(w, body->com));
    ut_dyn_store(ut_vec3_sub(u, relative), v_next);
    ut_dyn_store(w, v_next + 3);
    return body->mass > 0.0;
}

// All forces but gravity and `applied`, with the springs and dampers of joints at (q + h v, v).
static void sum_forces(const utSmooth* smooth, double h, const double* q, const double* v,
                       const double* force, double* total)
{
    ut_dyn_passive_linearized(smooth->model, q, v, smooth->explicit_forces ? 0.0 : h, total);
    for (int i = 0; i < smooth->model->nv; i++) {
        total[i] += (smooth->tau != NULL ? smooth->tau[i] : 0.0) + (force != NULL ? force[i] : 0.0);
    }
}

utStatus ut_smooth_free(const utSmooth* smooth, double h, const utKinematics* kin, const double* q,
                        const double* v, const double* actuator_diagonal, const double* force,
                        utArena scratch, double* diagonal, utArticulatedFactor* factor,
                        double* v_free)
{
    const utModel* model = smooth->model;
    double* total = UT_PUSH(&scratch, double, model->nv);
    double* centripetal = UT_PUSH(&scratch, double, model->nv);
    utForce* acting = UT_PUSH(&scratch, utForce, model->nbody);
    factor = factor != NULL ? factor : ut_dyn_factor_create(model, &scratch);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    for (int b = 0; b < model->nbody; b++) {
        acting[b] = smooth->applied != NULL ? smooth->applied[b] : (utForce){0};
    }
    if (!smooth->explicit_forces) {
        UT_TRY(ut_dyn_gyroscopic(kin, smooth->gravity, h, scratch, acting));
    }
    ut_dyn_centripetal(kin, v, centripetal);
    ut_dyn_passive_diagonal(model, q, v, smooth->explicit_forces ? 0.0 : h, diagonal);
    for (int i = 0; actuator_diagonal != NULL && i < model->nv; i++) {
        diagonal[i] += actuator_diagonal[i];
    }
    sum_forces(smooth, h, q, v, force, total);
    bool ok = true;
    for (int t = 0; t < model->ntree; t++) {
        const utModelTree* tree = model->tree + t;
        if (ut_dyn_skips(kin, t, v_free)) {
            continue;
        }
        ok = ut_dyn_factor_one(kin, diagonal, factor, t) && ok;
        if (tree->free && ut_dyn_has_plain_inertia(model, diagonal, t)) {
            const utFreeBody body =
                ut_dyn_free_body(kin, total, smooth->gravity, smooth->applied, t);
            ok = step_free(&body, h, v_free + tree->dof) && ok;
            continue;
        }
        if (tree->planar && ut_dyn_has_plain_inertia(model, diagonal, t)) {
            ok = ut_dyn_planar_step(kin, total, smooth->gravity, smooth->applied, h, t,
                                    v + tree->dof, v_free + tree->dof) &&
                 ok;
            continue;
        }
        ut_dyn_factor_accelerate_tree(kin, factor, total, smooth->gravity, acting, v_free, t);
        for (int i = tree->dof; i < tree->dof + tree->dofs; i++) {
            v_free[i] = v[i] + h * v_free[i] + h * centripetal[i];
        }
    }
    return ok ? UT_OK : UT_ERR_ARGUMENT;
}

utStatus ut_dyn_step_euler(const utSmooth* smooth, double h, utKinematics* kin, const double* q,
                           const double* v, utArena scratch, double* q_next, double* v_next)
{
    double* diagonal = UT_PUSH(&scratch, double, smooth->model->nv);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    UT_TRY(ut_smooth_free(smooth, h, kin, q, v, NULL, NULL, scratch, diagonal, NULL, v_next));
    ut_model_integrate(smooth->model, q, v_next, h, q_next);
    ut_model_carry(smooth->model, q, v_next, q_next, v_next);
    return UT_OK;
}

// ---- any integrator -----------------------------------------------------------------------------

utStatus ut_smooth_step(const utSmooth* smooth, utIntegrator integrator, double h, utArena scratch,
                        double* q, double* v)
{
    static utDynStep* const step[UT_INTEGRATOR_COUNT] = {
        [UT_INTEGRATOR_EULER] = ut_dyn_step_euler,
        [UT_INTEGRATOR_RK4] = ut_dyn_step_rk4,
        [UT_INTEGRATOR_IMPLICIT] = ut_dyn_step_euler,
        [UT_INTEGRATOR_MIDPOINT] = ut_dyn_step_midpoint,
    };
    const utModel* model = smooth->model;
    if ((unsigned)integrator >= UT_INTEGRATOR_COUNT) {
        return UT_ERR_ARGUMENT;
    }
    utKinematics kin;
    UT_TRY(ut_kinematics_create(model, &scratch, &kin));
    double* q_next = UT_PUSH(&scratch, double, model->nq);
    double* v_next = UT_PUSH(&scratch, double, model->nv);
    if (q_next == NULL || v_next == NULL) {
        return UT_ERR_CAPACITY;
    }
    ut_dyn_place_fixed(&kin, smooth->mocap_pos, smooth->mocap_quat);
    ut_dyn_move_fixed(&kin, NULL);
    for (int t = 0; integrator != UT_INTEGRATOR_RK4 && t < model->ntree; t++) {
        ut_dyn_place_tree(&kin, q, t);
        ut_dyn_move_tree(&kin, v, t);
    }
    UT_TRY(step[integrator](smooth, h, &kin, q, v, scratch, q_next, v_next));
    if (!ut_all_finite((size_t)model->nq, q_next) || !ut_all_finite((size_t)model->nv, v_next)) {
        return UT_ERR_ARGUMENT;
    }
    memcpy(q, q_next, (size_t)model->nq * sizeof *q);
    memcpy(v, v_next, (size_t)model->nv * sizeof *v);
    return UT_OK;
}
