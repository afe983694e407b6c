// SPDX-License-Identifier: Apache-2.0
#include "support/mujoco_terms.h"

#include <math.h>
#include <string.h>

#include "la/dense/dense.h"
#include "test.h"

// ---- mass matrix --------------------------------------------------------------------------------

static bool put_blocks(const utKinematics* kin, utArena scratch, double* M)
{
    const utModel* model = kin->model;
    const int nv = model->nv;
    utMass mass;
    double* block = UT_PUSH(&scratch, double, nv* nv);
    if (!CHECK_INT(ut_mass_create(model, &scratch, &mass), UT_OK) || !CHECK(block != NULL)) {
        return false;
    }
    memset(M, 0, (size_t)nv * (size_t)nv * sizeof *M);
    ut_mass_find(&mass, kin, NULL);
    for (int t = 0; t < model->ntree; t++) {
        const utModelTree* tree = &model->tree[t];
        ut_mass_block(&mass, t, block);
        for (int i = 0; i < tree->dofs; i++) {
            memcpy(M + (size_t)(tree->dof + i) * (size_t)nv + tree->dof,
                   block + (size_t)i * (size_t)tree->dofs, (size_t)tree->dofs * sizeof *M);
        }
    }
    return true;
}

// ---- armature of tendons ------------------------------------------------------------------------

// Add m J' J to M and m J' (J̇ v) to the bias. @return has any tendon armature?
static bool add_armature(const utKinematics* kin, const double* q, utArena scratch,
                         MujocoTerms* terms)
{
    const utModel* model = kin->model;
    const int nv = model->nv;
    int* index = UT_PUSH(&scratch, int, nv);
    double* J = UT_PUSH(&scratch, double, nv);
    bool found = false;
    if (!CHECK(index != NULL && J != NULL)) {
        return false;
    }
    for (int t = 0; t < model->ntendon; t++) {
        const double m = model->tendon[t].armature;
        int count = 0;
        if (m > 0.0) {
            found = true;
            ut_tendon_length(kin, q, t, &count, index, J);
        }
        const double rate = count > 0 ? ut_tendon_bias(kin, t) : 0.0;
        for (int i = 0; i < count; i++) {
            terms->bias[index[i]] += m * J[i] * rate;
            for (int j = 0; j < count; j++) {
                terms->M[(size_t)index[i] * (size_t)nv + (size_t)index[j]] += m * J[i] * J[j];
            }
        }
    }
    return found;
}

// ---- forces -------------------------------------------------------------------------------------

// Without gravity compensation, which ut_dyn_inverse and ut_dyn_forward subtract from gravity.
static bool find_forces(const utKinematics* kin, const double* q, const double* v, utArena scratch,
                        MujocoTerms* terms)
{
    ut_dyn_passive(kin->model, q, v, terms->passive);
    return CHECK_INT(
               ut_dyn_inverse(kin, NULL, kin->model->options.gravity, NULL, scratch, terms->bias),
               UT_OK) &&
           CHECK_INT(ut_dyn_add_tendons(kin, q, v, NULL, scratch, terms->passive), UT_OK);
}

static bool add_compensation(const utKinematics* kin, utArena scratch, MujocoTerms* terms)
{
    double* compensation = UT_PUSH(&scratch, double, kin->model->nv);
    if (!CHECK(compensation != NULL)) {
        return false;
    }
    ut_dyn_gravity_compensation(kin, kin->model->options.gravity, compensation);
    for (int i = 0; i < kin->model->nv; i++) {
        terms->bias[i] += compensation[i];
        terms->passive[i] += compensation[i];
    }
    return true;
}

static double force_scale(const utModel* model, const double* v, const double* M)
{
    double largest_mass = 0.0, speed = 0.0;
    for (int i = 0; i < model->nv; i++) {
        largest_mass = fmax(largest_mass, M[(size_t)i * (size_t)model->nv + (size_t)i]);
        speed = fmax(speed, fabs(v[i]));
    }
    return largest_mass * (ut_vec3_norm(model->options.gravity) + speed * speed);
}

// ---- acceleration -------------------------------------------------------------------------------

// By articulated bodies, which know no armature of tendons.
static bool accelerate(const utKinematics* kin, utArena scratch, MujocoTerms* terms)
{
    return CHECK_INT(ut_dyn_forward(kin, terms->passive, NULL, kin->model->options.gravity, NULL,
                                    scratch, terms->acceleration),
                     UT_OK);
}

static bool accelerate_dense(int nv, utArena scratch, MujocoTerms* terms)
{
    double* L = UT_PUSH(&scratch, double, nv* nv);
    if (!CHECK(L != NULL)) {
        return false;
    }
    memcpy(L, terms->M, (size_t)nv * (size_t)nv * sizeof *L);
    for (int i = 0; i < nv; i++) {
        terms->acceleration[i] = terms->passive[i] - terms->bias[i];
    }
    if (!CHECK_INT(ut_chol_factor(nv, L, nv, 0.0), nv)) {
        return false;
    }
    ut_chol_solve(nv, L, nv, terms->acceleration);
    return true;
}

bool mujoco_terms(const utKinematics* kin, const double* q, const double* v, utArena* keep,
                  MujocoTerms* terms)
{
    const int nv = kin->model->nv;
    *terms = (MujocoTerms){
        .M = UT_PUSH(keep, double, nv* nv),
        .bias = UT_PUSH(keep, double, nv),
        .passive = UT_PUSH(keep, double, nv),
        .acceleration = UT_PUSH(keep, double, nv),
    };
    if (!CHECK(!ut_arena_failed(keep)) || !put_blocks(kin, *keep, terms->M) ||
        !find_forces(kin, q, v, *keep, terms)) {
        return false;
    }
    const bool dense = add_armature(kin, q, *keep, terms);
    terms->force_scale = force_scale(kin->model, v, terms->M);
    return (dense ? accelerate_dense(nv, *keep, terms) : accelerate(kin, *keep, terms)) &&
           add_compensation(kin, *keep, terms);
}
