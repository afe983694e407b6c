// SPDX-License-Identifier: Apache-2.0
// Upper bounds on the memory that the functions of dyn.h take, for callers with fixed memory. A
// growing arena needs none of them.
#include "internal.h"

// @return SIZE_MAX on overflow
static size_t sum(int count, const size_t* part)
{
    size_t total = 0;
    for (int i = 0; i < count; i++) {
        total = part[i] < SIZE_MAX - total ? total + part[i] : SIZE_MAX;
    }
    return total;
}

// Bytes of `arrays` arrays of n doubles.
static size_t vectors(size_t arrays, int n)
{
    const size_t one = ut_arena_need((size_t)n, sizeof(double));
    return one <= SIZE_MAX / arrays ? arrays * one : SIZE_MAX;
}

size_t ut_kinematics_size(const utModel* model)
{
    const size_t nbody = (size_t)model->nbody, nv = (size_t)model->nv;
    const size_t part[] = {
        ut_arena_need(nbody, sizeof(utFrame)),
        ut_arena_need(nbody, sizeof(utQuat)),
        ut_arena_need(nbody, sizeof(utVec3)),
        ut_arena_need((size_t)model->ntree + 1, sizeof(utVec3)),
        ut_arena_need(nbody, sizeof(utInertia)),
        ut_arena_need(nv, sizeof(utMotion)),
        ut_arena_need((size_t)model->njoint, sizeof(utVec3)),
        ut_arena_need(nbody, sizeof(utMotion)),
        ut_arena_need(nv, sizeof(utMotion)),
        ut_arena_need(nbody, sizeof(utMotion)),
    };
    return sum(sizeof part / sizeof part[0], part);
}

static size_t mass_size(const utModel* model)
{
    const size_t entries = ut_dyn_mass_entries(model);
    const size_t part[] = {
        ut_arena_need((size_t)model->nv + 1, sizeof(int)),
        ut_arena_need(entries, sizeof(int)),
        ut_arena_need(entries, sizeof(double)),
        ut_arena_need(entries, sizeof(double)),
        ut_arena_need((size_t)model->nbody, sizeof(utInertia)),
    };
    return sum(sizeof part / sizeof part[0], part);
}

// The articulated inertia of a body has three matrices, a pivot has two spatial vectors and two
// numbers.
size_t ut_dyn_scratch(const utModel* model)
{
    const size_t nbody = (size_t)model->nbody;
    const size_t part[] = {
        ut_arena_need(4, sizeof(void*)),
        ut_arena_need(nbody, 3 * sizeof(utMat3)),
        ut_arena_need(nbody, sizeof(utForce)),
        ut_arena_need(nbody, sizeof(utMotion)),
        ut_arena_need((size_t)model->nv, 3 * sizeof(utMotion)),
    };
    return sum(sizeof part / sizeof part[0], part);
}

size_t ut_dyn_gyroscopic_scratch(const utModel* model)
{
    const size_t nbody = (size_t)model->nbody;
    const size_t part[] = {
        ut_arena_need(nbody, sizeof(int)),
        ut_arena_need(nbody, 2 * sizeof(utMat3)),
    };
    return sum(sizeof part / sizeof part[0], part);
}

// The largest needs of all integrators together.
size_t ut_smooth_scratch(const utModel* model)
{
    const size_t part[] = {
        ut_kinematics_size(model), mass_size(model),
        ut_dyn_scratch(model),     ut_dyn_gyroscopic_scratch(model),
        vectors(10, model->nv),    vectors(3, model->nq),
        vectors(1, model->ntree),  ut_arena_need((size_t)model->nbody, sizeof(utForce)),
    };
    return sum(sizeof part / sizeof part[0], part);
}
