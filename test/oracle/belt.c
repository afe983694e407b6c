// SPDX-License-Identifier: Apache-2.0
// Row X7: a block on a belt with a load, beside the run of MuJoCo 3.14.0 in runs/belt.expect, which
// tools/mujoco-oracle.mjs makes. The block gains a = mu g cos - g sin until it has the belt's speed V, and
// then holds against the load by friction. Hard contact holds it still on the belt. Contacts of MuJoCo are
// soft: under load its block creeps, so that its speed stays below V.
#include "figures.h"

#include <math.h>
#include <uptack/load.h>
#include <uptack/sim.h>

static const double V = 0.5, MU = 0.3, STEP = 0.002;
enum { ROWS = 20, STEPS = 1000 };

TEST(X7_a_block_holds_on_a_belt_where_mujocos_creeps)
{
    utArena arena = test_arena();
    utModel* model = NULL;
    utSim* sim = NULL;
    utError err = {0};
    Figures theirs;
    if (!CHECK(figures_read("test/oracle/runs/belt.expect", &arena, &theirs)) ||
        !CHECK_INT(ut_load("test/oracle/runs/belt.xml", &model, &err), UT_OK) ||
        !CHECK_INT(ut_sim_create(model, NULL, &sim, &err), UT_OK)) {
        test_note("%s", err.message);
        return;
    }
    const utVec3 g = model->options.gravity;
    const double a = MU * -g.z + g.x;
    double slipped = 0.0, worst = 0.0;
    for (int k = 1; k <= STEPS; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, NULL, &result, &err), UT_OK);
        const double v = ut_sim_v(sim)[0];
        CHECK_NEAR(v, fmin(V, a * STEP * k), 1e-9);
        slipped += STEP * (V - v);
        if (k % (STEPS / ROWS) == 0) {
            const double other = figures_find(&theirs, k / (STEPS / ROWS) - 1, "qvel").x[0];
            worst = fmax(worst, fabs(v - other));
        }
    }
    const double end = figures_find(&theirs, ROWS - 1, "qvel").x[0];
    const double before = figures_find(&theirs, ROWS - 6, "qvel").x[0];
    const double way = figures_find(&theirs, ROWS - 1, "slipped").x[0];
    // ours: no slip, and the way of the closed form, in steps less V h / 2 up to a h^2
    CHECK_NEAR(ut_sim_v(sim)[0], V, 1e-12);
    CHECK_NEAR(slipped, V * V / (2.0 * a) - 0.5 * V * STEP, a * STEP * STEP);
    // theirs: the same speed but for a creep, which is steady
    CHECK_NEAR(end, V, 1e-3);
    CHECK(V - end > 1e-5);
    CHECK_NEAR(end, before, 1e-8);
    test_note(
        "after 2 s: slip %.1e m/s, MuJoCo's %.3e m/s; slipped %.5f m, MuJoCo's %.5f m, exactly "
        "%.5f m; speeds differ by up to %.1e m/s",
        V - ut_sim_v(sim)[0], V - end, slipped, way, V * V / (2.0 * a), worst);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}
