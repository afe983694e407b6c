// SPDX-License-Identifier: Apache-2.0
// Snapshots: whatever the bytes, they are taken or refused; a sim that refused is as it was, and
// one that took them steps on or says why not. The first byte names the sim; with its highest bit
// set the hash at the end is made to fit, because who wants harm does that too.
#include "fuzz.h"

enum { KINDS = 5, STEPS = 2, SIGNED = 0x80 };

const int fuzz_runs = 10000;

const char* const fuzz_words[] = {"utsnap03", "utsnap02", "\x7f\xf0", NULL};

static const char* const models[KINDS] = {
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
    "<body name='hand' mocap='true' pos='0 0 2'><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='.02 0 .3'><freejoint/><geom type='sphere' size='.1'/></body>"
    "<body pos='1 0 .5'><joint name='j' axis='0 1 0' range='-20 20' limited='true' "
    "frictionloss='.1'/>"
    "<geom type='capsule' fromto='0 0 0 .4 0 0' size='.05'/>"
    "<body pos='.4 0 0'><joint type='ball'/><geom type='sphere' "
    "size='.1'/></body></body></worldbody>"
    "<actuator><position joint='j' kp='10' forcerange='-1 1'/></actuator></mujoco>",

    "<mujoco xmlns:ut='urn:uptack'><ut:contact formulation='hybrid'/><worldbody><geom type='plane' "
    "size='1 1 1'/>"
    "<body pos='0 0 .11'><freejoint/><geom type='sphere' size='.1' ut:restitution='.8'/></body>"
    "<body pos='1 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' ut:restitution='.5'/></body>"
    "<body pos='1 0 .31'><freejoint/><geom type='box' size='.1 .1 .1' ut:restitution='.5'/></body>"
    "</worldbody></mujoco>",

    "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
    "<body pos='0 0 .1' euler='3 4 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "</worldbody></mujoco>",

    "<mujoco xmlns:ut='urn:uptack'><option ut:planar='xz'/><worldbody><geom type='plane' size='1 1 "
    "1'/>"
    "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='.05 0 .3'><freejoint/><geom type='sphere' size='.1'/></body></worldbody></mujoco>",

    "<mujoco xmlns:ut='urn:uptack'><worldbody><geom type='plane' size='1 1 1'/>"
    "<body name='belt' mocap='true' pos='0 0 .1'><geom type='box' size='1 1 .1'/></body>"
    "<body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>"
    "<ut:motion body='belt' x='.1*sin(t)' z='.1+.01*t'/></mujoco>",
};

static utSim* sims[KINDS];
static uint8_t good[KINDS][FUZZ_ROOM]; // snapshots
static size_t good_size[KINDS];

static void make_sim(int kind)
{
    utModelDef* def = NULL;
    utModel* model = NULL;
    utNotes notes = {0};
    utSimDef settings = ut_sim_def();
    const utText text = {models[kind], strlen(models[kind])};
    settings.keep_going = true;
    settings.adaptive = kind == 2 ? 1e-5 : 0.0;
    MUST(ut_model_def_create(NULL, &def) == UT_OK);
    MUST(ut_mjcf_read(text, "fuzz", NULL, def, &notes, NULL) == UT_OK);
    MUST(ut_model_compile(def, NULL, &model, NULL) == UT_OK); // for as long as the program runs
    MUST(ut_sim_create(model, &settings, &sims[kind], NULL) == UT_OK);
    ut_notes_destroy(&notes);
    ut_model_def_destroy(def);
    for (int k = 0; k < 60; k++) {
        MUST(ut_sim_step(sims[kind], NULL, NULL, NULL) == UT_OK);
    }
    good_size[kind] = ut_sim_snapshot_size(sims[kind]);
    MUST(good_size[kind] < FUZZ_ROOM);
    MUST(ut_sim_save(sims[kind], good[kind], FUZZ_ROOM) == UT_OK);
}

static void make_sims(void)
{
    for (int k = 0; k < KINDS && sims[KINDS - 1] == NULL; k++) {
        make_sim(k);
    }
}

size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM])
{
    make_sims();
    if (k >= 2 * KINDS) {
        return 0;
    }
    data[0] = (uint8_t)(k < KINDS ? k : SIGNED | (k - KINDS));
    memcpy(data + 1, good[k % KINDS], good_size[k % KINDS]);
    return 1 + good_size[k % KINDS];
}

static bool is_as_it_was(int kind)
{
    static uint8_t now[FUZZ_ROOM];
    return ut_sim_snapshot_size(sims[kind]) == good_size[kind] &&
           ut_sim_save(sims[kind], now, FUZZ_ROOM) == UT_OK &&
           memcmp(now, good[kind], good_size[kind]) == 0;
}

static void go_on(utSim* sim)
{
    for (int k = 0; k < STEPS; k++) {
        utError err = {0};
        utStepResult result;
        const double time = ut_sim_time(sim);
        const utStatus status = ut_sim_step(sim, NULL, &result, &err);
        MUST(status == UT_OK ? ut_sim_time(sim) > time : err.message[0] != '\0');
        for (int t = 0; status == UT_OK && t < result.report.transitions; t++) {
            MUST(ut_model_side_name(ut_sim_model(sim), result.report.transition[t].geom1) != NULL);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static uint8_t bytes[FUZZ_ROOM];
    make_sims();
    if (size < 1 || size > FUZZ_ROOM) {
        return 0;
    }
    const int kind = data[0] % SIGNED % KINDS;
    utSim* sim = sims[kind];
    size--;
    memcpy(bytes, data + 1, size);
    if ((data[0] & SIGNED) != 0 && size > sizeof(uint64_t)) {
        const uint64_t hash = ut_hash_bytes(UT_HASH_START, bytes, size - sizeof hash);
        memcpy(bytes + size - sizeof hash, &hash, sizeof hash);
    }
    utError err = {0};
    const utStatus status = ut_sim_load(sim, bytes, size, &err);
    MUST(status == UT_OK ||
         (status == UT_ERR_ARGUMENT && err.message[0] != '\0' && is_as_it_was(kind)));
    if (status == UT_OK) {
        go_on(sim);
        MUST(ut_sim_load(sim, good[kind], good_size[kind], &err) == UT_OK && is_as_it_was(kind));
    }
    return 0;
}
