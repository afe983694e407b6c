// SPDX-License-Identifier: Apache-2.0
// An allocator that fails: the sim says so, its state stays, and it goes on when there is memory
// again.
#include "all_inputs.h"
#include "support/model_text.h"

// Boxes and balls that fall on each other: contacts, modes and impulses grow with the run.
static const char falling_text[] =
    "<mujoco xmlns:ut='urn:uptack'><option timestep='0.01'/><worldbody>"
    "<geom type='plane' size='5 5 0.1' ut:restitution='0.3'/>"
    "<body pos='0 0 0.2'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='1'/></body>"
    "<body pos='0.02 0 0.45'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='1'/></body>"
    "<body pos='0.3 0 0.3'><freejoint/>"
    "<geom type='sphere' size='0.1' mass='1' ut:restitution='0.5'/></body>"
    "<body pos='0 0.3 0.4'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='1'/></body>"
    "<body pos='-0.3 0 0.5'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='1'/></body>"
    "</worldbody></mujoco>";

typedef struct Heap {
    long long allowed; // allocations until the first failure; -1: no failure
    long long failures;
    long long blocks; // in use
} Heap;

static void* allocate(void* context, size_t size)
{
    Heap* heap = context;
    if (heap->allowed == 0) {
        heap->failures++;
        return NULL;
    }
    heap->allowed -= heap->allowed > 0;
    heap->blocks++;
    return malloc(size);
}

static void release(void* context, void* memory, size_t size)
{
    Heap* heap = context;
    (void)size;
    heap->blocks--;
    free(memory);
}

enum { STEPS = 30 };

// One run in which an allocation fails. @return hash of its end, 0: the sim could not be created
static uint64_t run(const utModel* model, utSimDef def, Heap* heap)
{
    const utAllocator allocator = {allocate, release, heap};
    utSim* sim = NULL;
    utError err = {0};
    def.allocator = &allocator;
    const utStatus created = ut_sim_create(model, &def, &sim, &err);
    if (created != UT_OK) {
        CHECK_INT(created, UT_ERR_MEMORY);
        CHECK(err.message[0] != '\0' && sim == NULL);
        CHECK_INT(heap->blocks, 0);
        return 0;
    }
    for (int k = 0; k < STEPS; k++) {
        Picture before = take_picture(sim);
        utStatus status = ut_sim_step(sim, NULL, NULL, &err);
        if (status != UT_OK) {
            CHECK_INT(status, UT_ERR_MEMORY);
            CHECK(err.message[0] != '\0' && looks_the_same(sim, &before));
            heap->allowed = -1;
            status = ut_sim_step(sim, NULL, NULL, &err);
        }
        CHECK_INT(status, UT_OK);
        free_picture(&before);
    }
    const uint64_t hash = ut_sim_hash(sim);
    ut_sim_destroy(sim);
    CHECK_INT(heap->blocks, 0);
    return hash;
}

TEST(a_failed_allocation_is_an_error_and_the_sim_goes_on)
{
    utModel* model = test_model(falling_text);
    for (int kind = 0; kind < 3; kind++) {
        utSimDef def = ut_sim_def();
        def.formulation = kind == 1 ? UT_FORMULATION_HYBRID : UT_FORMULATION_COULOMB;
        def.adaptive = kind == 2 ? 1e-4 : 0.0;
        Heap all = {.allowed = -1};
        const uint64_t expected = run(model, def, &all);
        int created = 0;
        // fail the first allocation, then the second, until none fails
        for (int allowed = 0;; allowed++) {
            Heap heap = {.allowed = allowed};
            const uint64_t hash = run(model, def, &heap);
            CHECK(hash == 0 || hash == expected);
            created += hash != 0;
            if (heap.failures == 0) {
                break;
            }
        }
        CHECK(created >= 2); // some failures were within steps
    }
    ut_model_destroy(model);
}
