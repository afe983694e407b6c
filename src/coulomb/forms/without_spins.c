// SPDX-License-Identifier: Apache-2.0
// A problem without its torsional and rolling friction: the same bodies, with the rows of the contact
// points only.
#include "without_spins.h"

#include <string.h>

enum { ROWS = 3 }; // of a contact that remain

static void copy_rows(const utCoulomb* problem, double* J, double* b)
{
    const utCoulombBlocks* blocks = problem->blocks;
    const double* from = blocks->J;
    const double* from_b = problem->b;
    for (int g = 0; g < ut_group_count(problem); g++) {
        const int all = ut_group_rows(problem, g);
        const size_t kept = (size_t)(all < ROWS ? all : ROWS);
        for (int t = blocks->first[g]; t < blocks->first[g + 1]; t++) {
            const size_t width = (size_t)ut_node_dof(blocks, blocks->node[t]);
            memcpy(J, from, kept * width * sizeof *J);
            J += kept * width;
            from += (size_t)all * width;
        }
        memcpy(b, from_b, kept * sizeof *b);
        b += kept;
        from_b += all;
    }
}

utStatus ut_coulomb_without_spins(const utCoulomb* problem, utArena* scratch, utCoulomb* flat)
{
    utCoulombBlocks* blocks = UT_PUSH(scratch, utCoulombBlocks, 1);
    utSection* circle = UT_PUSH(scratch, utSection, 1);
    double* J = UT_PUSH(scratch, double, ut_jacobian_entries(problem));
    double* b = UT_PUSH(scratch, double, ROWS * problem->contacts + problem->bilaterals);
    if (blocks == NULL || circle == NULL || J == NULL || b == NULL) {
        return UT_ERR_CAPACITY;
    }
    copy_rows(problem, J, b);
    *circle = ut_section_circle();
    *blocks = *problem->blocks;
    blocks->J = J;
    *flat = *problem;
    flat->dimension = ROWS;
    flat->torsional = NULL;
    flat->rolling = NULL;
    flat->section = circle;
    flat->section_of = NULL;
    flat->blocks = blocks;
    flat->b = b;
    return UT_OK;
}
