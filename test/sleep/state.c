// SPDX-License-Identifier: Apache-2.0
// Sleep is state: snapshots, copies, the same bits, no allocation; and settings that exclude it.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

// Boxes in two towers, and balls that fall on them one after the other.
static const char busy_text[] =
    "<mujoco><option timestep='0.01'/><worldbody>"
    "<geom name='floor' type='plane' size='9 9 0.1'/>"
    "<body name='a' pos='0 0 0.1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
    "<body name='b' pos='0.02 0 0.3'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
    "<body name='c' pos='1 0 0.1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
    "<body name='d' pos='1 0 0.3'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
    "<body pos='0 0.03 2.5'><freejoint/><geom type='sphere' size='0.1' mass='1' condim='6'"
    " friction='1 0.02 0.02'/></body>"
    "<body pos='1 0.03 6.5'><freejoint/><geom type='sphere' size='0.1' mass='1' condim='6'"
    " friction='1 0.02 0.02'/></body>"
    "</worldbody></mujoco>";

TEST(two_runs_have_the_same_bits)
{
    Lab one = lab_of_text(busy_text, 0.01, true), two = lab_of_text(busy_text, 0.01, true);
    for (int k = 0; k < 300; k++) {
        lab_run(&one, NULL, 1);
        lab_run(&two, NULL, 1);
        CHECK(ut_sim_hash(one.sim) == ut_sim_hash(two.sim));
        CHECK_INT(one.last.sleeping, two.last.sleeping);
    }
    CHECK(one.last.sleeping > 0);
    lab_end(&one);
    lab_end(&two);
}

// Snapshots after every tenth step, into sims that never stepped, go on with the same bits and sleep.
TEST(a_snapshot_of_sleeping_bodies_goes_on_with_the_same_bits)
{
    Lab lab = lab_of_text(busy_text, 0.01, true);
    int most = 0;
    for (int k = 0; k < 15; k++) {
        lab_run(&lab, NULL, 10);
        most = lab.last.sleeping > most ? lab.last.sleeping : most;
        const size_t size = ut_sim_snapshot_size(lab.sim);
        void* memory = malloc(size);
        CHECK_INT(ut_sim_save(lab.sim, memory, size), UT_OK);
        Lab loaded = lab_of_text(busy_text, 0.01, true),
            copied = lab_of_text(busy_text, 0.01, true);
        CHECK_INT(ut_sim_load(loaded.sim, memory, size, NULL), UT_OK);
        CHECK_INT(ut_sim_copy(lab.sim, copied.sim, NULL), UT_OK);
        CHECK_INT(ut_sim_sleeping(loaded.sim), ut_sim_sleeping(lab.sim));
        for (int i = 0; i < 40; i++) {
            lab_run(&loaded, NULL, 1);
            lab_run(&copied, NULL, 1);
            CHECK(ut_sim_hash(loaded.sim) == ut_sim_hash(copied.sim));
        }
        Lab again = lab_of_text(busy_text, 0.01, true);
        lab_run(&again, NULL, 10 * (k + 1) + 40);
        CHECK(ut_sim_hash(loaded.sim) == ut_sim_hash(again.sim));
        CHECK_INT(loaded.last.sleeping, again.last.sleeping);
        lab_end(&loaded);
        lab_end(&copied);
        lab_end(&again);
        free(memory);
    }
    CHECK(most >= 4);
    lab_end(&lab);
}

// A sim without sleeping reads the same snapshot, and one with another dt wakes all bodies.
TEST(a_snapshot_wakes_its_bodies_in_a_sim_with_other_settings)
{
    Lab lab = lab_of_text(busy_text, 0.01, true);
    Lab awake = lab_of_text(busy_text, 0.01, false), shorter = lab_of_text(busy_text, 0.005, true);
    lab_run(&lab, NULL, 40);
    CHECK_INT(lab.last.sleeping, 4);
    const size_t size = ut_sim_snapshot_size(lab.sim);
    void* memory = malloc(size);
    CHECK_INT(ut_sim_save(lab.sim, memory, size), UT_OK);
    CHECK_INT(ut_sim_load(awake.sim, memory, size, NULL), UT_OK);
    CHECK_INT(ut_sim_load(shorter.sim, memory, size, NULL), UT_OK);
    CHECK_INT(ut_sim_sleeping(awake.sim), 0);
    CHECK_INT(ut_sim_sleeping(shorter.sim), 0);
    lab_run(&awake, NULL, 5);
    lab_run(&shorter, NULL, 5);
    // and the reverse: without sleep in the snapshot nothing sleeps
    const size_t small = ut_sim_snapshot_size(awake.sim);
    CHECK(small < size);
    CHECK_INT(ut_sim_save(awake.sim, memory, size), UT_OK);
    CHECK_INT(ut_sim_load(lab.sim, memory, small, NULL), UT_OK);
    CHECK_INT(ut_sim_sleeping(lab.sim), 0);
    lab_run(&lab, NULL, 40);
    free(memory);
    lab_end(&lab);
    lab_end(&awake);
    lab_end(&shorter);
}

// Bytes of the snapshot that hold sleep: rest, group and E of each tree, before the hash at the end.
static unsigned char* sleep_of(unsigned char* bytes, size_t size, int ntree, int tree)
{
    return bytes + size - sizeof(uint64_t) - 16 * (size_t)(ntree - tree);
}

static utStatus load_with(utSim* sim, const unsigned char* saved, size_t size, int tree, size_t at,
                          const void* with, size_t length)
{
    unsigned char* bytes = malloc(size);
    utError err = {0};
    memcpy(bytes, saved, size);
    memcpy(sleep_of(bytes, size, ut_sim_model(sim)->ntree, tree) + at, with, length);
    const uint64_t hash = ut_hash_bytes(UT_HASH_START, bytes, size - sizeof hash);
    memcpy(bytes + size - sizeof hash, &hash, sizeof hash);
    const utStatus status = ut_sim_load(sim, bytes, size, &err);
    CHECK(status == UT_OK || strstr(err.message, "the sleep of tree") != NULL);
    free(bytes);
    return status;
}

// Trees a, b (0, 1) and c, d (2, 3) sleep; the balls (4, 5) fall.
TEST(a_snapshot_with_a_sleep_that_no_sim_has_is_rejected)
{
    Lab lab = lab_of_text(busy_text, 0.01, true);
    lab_run(&lab, NULL, 40);
    const size_t size = ut_sim_snapshot_size(lab.sim);
    unsigned char* saved = malloc(size);
    CHECK_INT(ut_sim_save(lab.sim, saved, size), UT_OK);
    const int minus = -1, lowest = -2, later = 3, other = 1, first = 0, huge = 1 << 30;
    const double not_a_number = (double)NAN;
    CHECK_INT(load_with(lab.sim, saved, size, 4, 0, &minus, sizeof minus), UT_ERR_ARGUMENT);
    CHECK_INT(load_with(lab.sim, saved, size, 4, 4, &lowest, sizeof lowest), UT_ERR_ARGUMENT);
    CHECK_INT(load_with(lab.sim, saved, size, 1, 4, &later, sizeof later), UT_ERR_ARGUMENT);
    CHECK_INT(load_with(lab.sim, saved, size, 3, 4, &other, sizeof other), UT_ERR_ARGUMENT);
    CHECK_INT(load_with(lab.sim, saved, size, 4, 4, &first, sizeof first),
              UT_ERR_ARGUMENT); // moves
    CHECK_INT(load_with(lab.sim, saved, size, 0, 4, &huge, sizeof huge), UT_ERR_ARGUMENT);
    CHECK_INT(load_with(lab.sim, saved, size, 0, 8, &not_a_number, sizeof(double)),
              UT_ERR_ARGUMENT);
    CHECK_INT(load_with(lab.sim, saved, size, 0, 4, &first, sizeof first), UT_OK); // as it was
    free(saved);
    lab_end(&lab);
}

// Impulses of a snapshot may name any side. Sleeping trees keep those that they have.
TEST(a_snapshot_whose_impulses_name_no_geom_is_harmless)
{
    enum { KEYS = 2 * sizeof(int), IMPULSE = 40 };
    Lab lab = lab_of_text(busy_text, 0.01, true);
    lab_run(&lab, NULL, 40);
    const size_t size = ut_sim_snapshot_size(lab.sim);
    unsigned char* bytes = malloc(size);
    CHECK_INT(ut_sim_save(lab.sim, bytes, size), UT_OK);
    const size_t sleep = 16 * (size_t)lab.model->ntree + sizeof(uint64_t);
    const int huge[2] = {INT_MAX, INT_MAX};
    memcpy(bytes + size - sleep - IMPULSE, huge, KEYS); // the last impulse; they ascend
    const uint64_t hash = ut_hash_bytes(UT_HASH_START, bytes, size - sizeof hash);
    memcpy(bytes + size - sizeof hash, &hash, sizeof hash);
    CHECK_INT(ut_sim_load(lab.sim, bytes, size, NULL), UT_OK);
    lab_run(&lab, NULL, 60);
    free(bytes);
    lab_end(&lab);
}

// ---- memory -------------------------------------------------------------------------------------

static void* count_alloc(void* context, size_t size)
{
    ++*(long long*)context;
    return malloc(size);
}

static void count_free(void* context, void* memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

TEST(warm_steps_with_sleeping_bodies_allocate_nothing)
{
    long long count = 0;
    const utAllocator allocator = {
        .allocate = count_alloc, .release = count_free, .context = &count};
    utModel* model = test_model(busy_text);
    utSimDef def = ut_sim_def();
    def.sleep = true;
    def.allocator = &allocator;
    Lab lab = {.model = model, .sim = make_sim(model, &def)};
    lab_run(&lab, NULL, 300);
    CHECK_INT(ut_sim_reset(lab.sim, -1, NULL), UT_OK);
    const long long before = count;
    lab_run(&lab, NULL, 300); // falls asleep, wakes and falls asleep again
    CHECK_INT(count, before);
    CHECK(lab.last.sleeping > 0);
    lab_end(&lab);
}

// ---- settings -----------------------------------------------------------------------------------

static void check_rejected(utSimDef def, const char* message)
{
    utModel* model = test_model("<mujoco><worldbody><body><freejoint/>"
                                "<geom type='sphere' size='0.1'/></body></worldbody></mujoco>");
    utSim* sim = NULL;
    utError err = {0};
    def.sleep = true;
    CHECK_INT(ut_sim_create(model, &def, &sim, &err), UT_ERR_ARGUMENT);
    CHECK_TEXT(err.message, message);
    ut_model_destroy(model);
}

TEST(sleeping_is_rejected_with_settings_that_it_does_not_support)
{
    utSimDef def = ut_sim_def();
    def.formulation = UT_FORMULATION_HYBRID;
    check_rejected(def, "sleeping needs a formulation without events");
    def.formulation = UT_FORMULATION_MIRTICH;
    check_rejected(def, "sleeping needs a formulation without events");
    def = ut_sim_def();
    def.integrator = UT_INTEGRATOR_RK4;
    check_rejected(def, "sleeping needs integrator Euler or implicit");
    def = ut_sim_def();
    def.adaptive = 1e-4;
    check_rejected(def, "sleeping needs steps of one length");
    def = ut_sim_def();
    def.no_certificate = true;
    check_rejected(def, "sleeping needs certificates");
}
