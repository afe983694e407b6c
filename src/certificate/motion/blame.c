// SPDX-License-Identifier: Apache-2.0
// The contact whose impulse explains a residual of momentum best. If contact i lacks the impulse d, then
// residual = J_i'd. The least-squares d in the M̂^-1 norm is A_ii d = J_i e with A_ii = J_i M̂^-1 J_i' and
// e = M̂^-1 residual, and it removes d.(J_i e) of the squared norm residual.e.
#include "certificate/internal.h"

#include <string.h>

// J_i'e_k over all velocities. @param J 3 x the dofs of a tree, work
static void jacobian_row(const Judge* judge, int contact, int k, double* J, double* x)
{
    const utContact* c = &judge->report->contact[contact];
    memset(x, 0, (size_t)judge->model->nv * sizeof *x);
    for (int side = 0; side < 2; side++) {
        const int tree = contact_tree(judge, contact, side);
        if (tree < 0) {
            continue;
        }
        const utModelTree* t = &judge->model->tree[tree];
        ut_point_jacobian(&judge->kin_contact, contact_body(judge, contact, side), c->point, 1,
                          &c->frame[k], J);
        for (int i = 0; i < t->dofs; i++) {
            x[t->dof + i] += side == 1 ? J[i] : -J[i];
        }
    }
}

static double dot(const double* x, const double* y, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

// The squared norm that contact i can remove. @param work 5 nv
static double removable(const Judge* judge, int contact, double* work)
{
    const int nv = judge->model->nv;
    double* x = work;               // 3 nv: J_i'
    double* y = x + 3 * (size_t)nv; // nv: M̂^-1 J_i'e_k
    double* J = y + nv;
    utMat3 A;
    double error[3];
    for (int k = 0; k < 3; k++) {
        jacobian_row(judge, contact, k, J, x + (size_t)k * (size_t)nv);
    }
    for (int k = 0; k < 3; k++) {
        ut_certify_apply_inverse_mass(judge, x + (size_t)k * (size_t)nv, y);
        error[k] = dot(x + (size_t)k * (size_t)nv, judge->motion.v_error, nv);
        for (int l = 0; l < 3; l++) {
            A.m[k][l] = dot(x + (size_t)l * (size_t)nv, y, nv);
        }
    }
    // directions that nothing can move get a small mass of their own
    const double floor = 1e-12 * (A.m[0][0] + A.m[1][1] + A.m[2][2]);
    for (int k = 0; k < 3; k++) {
        A.m[k][k] += floor;
    }
    utMat3 inverse;
    if (!ut_mat3_inverse_symmetric(A, &inverse)) {
        return 0.0;
    }
    const utVec3 d = ut_mat3_mul_vec(inverse, load3(error));
    return ut_vec3_dot(d, load3(error));
}

utStatus ut_certify_blame(const Judge* judge, utArena scratch, int* contact)
{
    static const double MOST = 0.5; // of the squared residual must be explained
    const int nv = judge->model->nv;
    double* work = UT_PUSH(&scratch, double, 5 * (size_t)nv);
    if (work == NULL) {
        return UT_ERR_CAPACITY;
    }
    double best = MOST * dot(judge->motion.residual, judge->motion.v_error, nv);
    *contact = -1;
    for (int i = 0; i < judge->report->contacts; i++) {
        const double removed = removable(judge, i, work);
        if (removed > best) {
            best = removed;
            *contact = i;
        }
    }
    return UT_OK;
}
