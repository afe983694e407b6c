// SPDX-License-Identifier: Apache-2.0
// uptack: the model itself, stepped as any program would.
#include <stdio.h>
#include <stdlib.h>
#include <uptack/sim.h>

#include "engines.h"

typedef struct Engine {
    const World* world;
    utSim* sim;
    utInput input;
    Certified certified;
} Engine;

static void* create(const World* world, int variant, char* why)
{
    Engine* engine = calloc(1, sizeof *engine);
    if (engine == NULL) {
        return NULL;
    }
    utError err = {0};
    utSimDef def = ut_sim_def();
    def.dt = world->dt;
    def.keep_going = true;
    def.no_certificate = variant == UPTACK_UNJUDGED;
#ifdef UPTACK_HAVE_BUDGET
    def.tier = variant == UPTACK_BUDGET ? UT_TIER_BUDGET : UT_TIER_EXACT;
#endif
    if (variant == UPTACK_RK4 || variant == UPTACK_MIDPOINT) {
        def.integrator = variant == UPTACK_RK4 ? UT_INTEGRATOR_RK4 : UT_INTEGRATOR_MIDPOINT;
    }
    if (ut_sim_create(world->model, &def, &engine->sim, &err) != UT_OK ||
        ut_sim_reset(engine->sim, world->keyframe, &err) != UT_OK) {
        snprintf(why, ENGINE_TEXT, "%.*s", ENGINE_TEXT - 1, err.message);
        return NULL;
    }
    engine->world = world;
    if (world->keyframe >= 0) {
        engine->input.ctrl = world->model->keyframe[world->keyframe].ctrl;
    }
    engine->certified.known = variant != UPTACK_UNJUDGED;
    return engine;
}

static bool step(void* context)
{
    Engine* engine = context;
    utStepResult result;
    const utStatus status = ut_sim_step(engine->sim, &engine->input, &result, NULL);
    if (status != UT_OK && status != UT_ERR_NOT_TAKEN) {
        return false;
    }
    Certified* c = &engine->certified;
    c->steps++;
    if (c->known) {
        c->passed += result.outcome == UT_STEP_CERTIFIED;
        c->flagged += result.outcome == UT_STEP_FLAGGED;
        if (result.outcome != UT_STEP_CERTIFIED && c->reason[0] == '\0') {
            const bool passed = result.certificate.passed;
            snprintf(c->reason, sizeof c->reason, "%s",
                     passed ? "rung" : ut_certificate_reason_name(result.certificate.reason));
        }
        c->worst = result.certificate.E <= c->worst ? c->worst : result.certificate.E;
    }
    return true;
}

static void read_states(void* context, BodyState* states)
{
    Engine* engine = context;
    for (int i = 0; i < engine->world->bodies; i++) {
        const utBodyState at = ut_sim_body(engine->sim, i + 1);
        states[i] = (BodyState){at.com, at.quat, at.velocity, at.angular};
    }
}

static void certified(void* context, Certified* out)
{
    *out = ((Engine*)context)->certified;
}

static void destroy(void* context)
{
    Engine* engine = context;
    ut_sim_destroy(engine->sim);
    free(engine);
}

const Driver* driver_uptack(void)
{
    static const Driver driver = {"uptack", "", create, step, read_states, certified, destroy};
    return &driver;
}
