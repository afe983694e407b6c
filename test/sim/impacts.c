// SPDX-License-Identifier: Apache-2.0
// Promises about steps with impacts, apart from physics: snapshots are complete, runs repeat bit by
// bit, warm steps allocate nothing, and invalid settings are rejected by name.
#include "support/make_sim.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/impact.h>
#include <uptack/io.h>
#include <uptack/sim.h>

// Two balls and a tilted box fall; the first ball meets the second one.
static const char SCENE[] =
    "<mujoco xmlns:ut='urn:uptack'>"
    "<option timestep='0.01'/><ut:contact formulation='hybrid'/>"
    "<worldbody>"
    "<geom name='floor' type='plane' size='0 0 1' friction='0.4'/>"
    "<body name='low' pos='0 0 0.3'><freejoint/>"
    "<geom name='low' type='sphere' size='0.1' mass='1' friction='0.4' "
    "ut:restitution='0.6'/></body>"
    "<body name='high' pos='0.05 0 0.7'><freejoint/>"
    "<geom name='high' type='sphere' size='0.1' mass='2' friction='0.4' "
    "ut:restitution='0.8'/></body>"
    "<body name='box' pos='2 0 0.6' euler='20 30 10'><freejoint/>"
    "<geom name='box' type='box' size='0.2 0.15 0.1' mass='1' friction='0.4' ut:restitution='0.5'/>"
    "</body>"
    "</worldbody></mujoco>";

static utModel* read_scene(const char* path, const char* value)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utError err = {0};
    CHECK_INT(ut_model_def_create(NULL, &def), UT_OK);
    const utText text = {SCENE, sizeof SCENE - 1};
    if (!CHECK_INT(ut_mjcf_read(text, "impacts", NULL, def, NULL, &err), UT_OK) ||
        (path != NULL && !CHECK_INT(ut_model_def_set(def, path, value, &err), UT_OK)) ||
        !CHECK_INT(ut_model_compile(def, NULL, &model, &err), UT_OK)) {
        test_note("%s", err.message);
        exit(1);
    }
    ut_model_def_destroy(def);
    return model;
}

static void run(utSim* sim, int steps)
{
    for (int k = 0; k < steps; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
        if (!CHECK_INT((int)result.outcome, UT_STEP_CERTIFIED)) {
            test_note("t = %g: %s, E = %g", result.report.time,
                      ut_certificate_reason_name(result.certificate.reason), result.certificate.E);
        }
    }
}

// ---- the same again -----------------------------------------------------------------------------

// At every step of the fall and of the bounces: anything missing in a snapshot changes later bits.
static void check_snapshots(const utSimDef* def)
{
    utModel* model = read_scene(NULL, NULL);
    utSim* sim = make_sim(model, def);
    utSim* other = make_sim(model, def);
    for (int k = 0; k < 12; k++) {
        const size_t size = ut_sim_snapshot_size(sim);
        void* bytes = malloc(size);
        CHECK_INT(ut_sim_save(sim, bytes, size), UT_OK);
        run(other, 3); // somewhere else
        CHECK_INT(ut_sim_load(other, bytes, size, NULL), UT_OK);
        run(sim, 8);
        run(other, 8);
        CHECK(ut_sim_hash(sim) == ut_sim_hash(other));
        free(bytes);
    }
    ut_sim_destroy(other);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

TEST(a_snapshot_between_bounces_goes_on_with_the_same_bits)
{
    check_snapshots(NULL);
}

TEST(a_snapshot_between_adaptive_steps_goes_on_with_the_same_bits)
{
    utSimDef def = ut_sim_def();
    def.adaptive = 1e-4;
    check_snapshots(&def);
}

// ---- nothing is lost ----------------------------------------------------------------------------

// No step meets this tolerance: none is taken, and the sim does not change, modes included.
TEST(a_step_with_impacts_that_is_not_certified_changes_nothing)
{
    utModel* model = read_scene(NULL, NULL);
    utSimDef def = ut_sim_def();
    utSim* good = make_sim(model, &def);
    def.tolerance = 1e-300;
    utSim* sim = make_sim(model, &def);
    int refused = 0;
    for (int k = 0; k < 60; k++) {
        const size_t size = ut_sim_snapshot_size(good);
        char* bytes = malloc(size);
        char* after = malloc(size);
        utStepResult result;
        CHECK_INT(ut_sim_save(good, bytes, size), UT_OK);
        CHECK_INT(ut_sim_load(sim, bytes, size, NULL), UT_OK);
        const utStatus status = ut_sim_step(sim, NULL, &result, NULL);
        CHECK((result.outcome == UT_STEP_UNCERTIFIED) == (status == UT_ERR_NOT_TAKEN));
        if (result.outcome == UT_STEP_UNCERTIFIED) {
            refused++;
            CHECK(ut_sim_snapshot_size(sim) == size);
            CHECK_INT(ut_sim_save(sim, after, size), UT_OK);
            CHECK(memcmp(bytes, after, size) == 0);
        }
        free(after);
        free(bytes);
        run(good, 1);
    }
    test_note("%d of 60 steps were refused", refused);
    CHECK(refused > 0);
    ut_sim_destroy(sim);
    ut_sim_destroy(good);
    ut_model_destroy(model);
}

// ---- parts --------------------------------------------------------------------------------------

// Each part begins where the last one ended, instants take no time, and the step reports all contacts.
TEST(a_step_is_the_chain_of_its_parts)
{
    utModel* model = read_scene(NULL, NULL);
    utSim* sim = make_sim(model, NULL);
    int instants = 0;
    for (int k = 0; k < 100; k++) {
        utStepResult result;
        CHECK_INT(ut_sim_step(sim, NULL, &result, NULL), UT_OK);
        const utStepReport* whole = &result.report;
        double time = whole->time;
        const double *q = whole->q, *v = whole->v;
        int contacts = 0;
        for (int p = 0; p < whole->parts; p++) {
            const utStepReport* part = &whole->part[p];
            CHECK(part->time == time);
            CHECK(memcmp(part->q, q, (size_t)model->nq * sizeof *q) == 0);
            CHECK(memcmp(part->v, v, (size_t)model->nv * sizeof *v) == 0);
            CHECK(part->instant == (part->h == 0.0));
            if (part->instant) {
                instants++;
                CHECK(memcmp(part->q_next, q, (size_t)model->nq * sizeof *q) == 0);
            }
            contacts += part->contacts;
            time = p + 1 < whole->parts ? whole->part[p + 1].time : ut_sim_time(sim);
            CHECK_NEAR(time, part->time + part->h, 1e-15 * (1.0 + time));
            q = part->q_next;
            v = part->v_next;
        }
        CHECK_INT(contacts, whole->contacts);
        CHECK(memcmp(q, ut_sim_q(sim), (size_t)model->nq * sizeof *q) == 0);
        CHECK(memcmp(v, ut_sim_v(sim), (size_t)model->nv * sizeof *v) == 0);
        // fixed steps do not drift
        CHECK(ut_sim_time(sim) == (k + 1) * 0.01);
    }
    CHECK(instants > 5);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// ---- allocations --------------------------------------------------------------------------------

typedef struct Count {
    int calls;
} Count;

static void* count_alloc(void* context, size_t size)
{
    ((Count*)context)->calls++;
    return malloc(size);
}

static void count_free(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

TEST(warm_steps_with_impacts_allocate_nothing)
{
    Count count = {0};
    const utAllocator allocator = {
        .allocate = count_alloc, .release = count_free, .context = &count};
    utModel* model = read_scene(NULL, NULL);
    utSimDef def = ut_sim_def();
    def.allocator = &allocator;
    utSim* sim = make_sim(model, &def);
    run(sim, 150);
    CHECK_INT(ut_sim_reset(sim, -1, NULL), UT_OK);
    count.calls = 0;
    run(sim, 150);
    CHECK_INT(count.calls, 0);
    ut_sim_destroy(sim);
    ut_model_destroy(model);
}

// ---- what cannot be -----------------------------------------------------------------------------

static void check_refused(const utModel* model, const utSimDef* def, const char* says)
{
    utSim* sim = NULL;
    utError err = {0};
    CHECK_INT(ut_sim_create(model, def, &sim, &err), UT_ERR_ARGUMENT);
    if (!CHECK(strstr(err.message, says) != NULL)) {
        test_note("%s", err.message);
    }
    CHECK(sim == NULL);
}

TEST(laws_of_impacts_that_a_formulation_has_not_are_refused)
{
    utModel* model = read_scene("option.formulation", "coulomb");
    utSimDef def = ut_sim_def();
    def.impact = UT_IMPACT_STRONGE;
    check_refused(model, &def, "stronge");
    def.impact = UT_IMPACT_POISSON;
    check_refused(model, &def, "poisson");
    def.impact = -1;
    def.simultaneous = UT_SIMULTANEOUS_PROPAGATE;
    check_refused(model, &def, "propagate");
    def.simultaneous = -1;
    def.impact = UT_IMPACT_LAW_COUNT;
    check_refused(model, &def, "impact is");
    def.impact = -1;
    const double bad[] = {-1.0, (double)NAN, HUGE_VAL};
    for (int k = 0; k < 3; k++) {
        def.adaptive = bad[k];
        check_refused(model, &def, "adaptive");
    }
    ut_model_destroy(model);
}

// Every law of simultaneous impacts, every impact law and both detections are certified.
TEST(all_ways_through_impacts_are_certified)
{
    const char* const detections[] = {"located", "step"};
    const utFormulation formulations[] = {UT_FORMULATION_HYBRID, UT_FORMULATION_MIRTICH};
    for (int d = 0; d < 2; d++) {
        utModel* model = read_scene("option.detection", detections[d]);
        for (int k = 0; k < 2 * UT_IMPACT_LAW_COUNT * UT_SIMULTANEOUS_COUNT; k++) {
            utSimDef def = ut_sim_def();
            def.formulation = formulations[k % 2];
            def.impact = k / 2 % UT_IMPACT_LAW_COUNT;
            def.simultaneous = k / 2 / UT_IMPACT_LAW_COUNT;
            utSim* sim = make_sim(model, &def);
            run(sim, 60);
            ut_sim_destroy(sim);
        }
        ut_model_destroy(model);
    }
}
