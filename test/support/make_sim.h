// SPDX-License-Identifier: Apache-2.0
// A sim of a model, or the end of the test program.
#ifndef UPTACK_TEST_SUPPORT_MAKE_SIM_H
#define UPTACK_TEST_SUPPORT_MAKE_SIM_H

#include <stdlib.h>
#include <uptack/sim.h>

#include "test.h"

static inline utSim* make_sim(const utModel* model, const utSimDef* def)
{
    utSim* sim = NULL;
    utError err = {0};
    if (!CHECK_INT(ut_sim_create(model, def, &sim, &err), UT_OK)) {
        test_note("%s", err.message);
        exit(1);
    }
    return sim;
}

#endif
