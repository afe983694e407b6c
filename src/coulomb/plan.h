// SPDX-License-Identifier: Apache-2.0
// The order in which a system is eliminated, kept from solve to solve: contacts of bodies at rest or
// rolling couple the same bodies in step after step.
#ifndef UPTACK_COULOMB_PLAN_H
#define UPTACK_COULOMB_PLAN_H

#include <uptack/coulomb.h>

#include "la/sparse/sparse.h"

/// The last plan, with the memory of its matrix and factors. Zeros and an allocator are an empty plan.
struct utCoulombPlan {
    const utAllocator* allocator; ///< NULL: malloc
    utArena memory;               ///< from its beginning; created by the first plan
    SparsePattern pattern;        ///< of H, on `memory`
    Sparse H;
    bool known; ///< pattern and H are there
};

/// A matrix with this pattern: the kept one where the pattern is the same, else a new plan that is kept.
/// @param H shares the kept memory until the next call
utStatus ut_coulomb_plan_find(utCoulombPlan* plan, const SparsePattern* pattern, Sparse* H);

/// Release the memory.
void ut_coulomb_plan_destroy(utCoulombPlan* plan);

#endif
