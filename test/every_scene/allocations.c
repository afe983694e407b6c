// SPDX-License-Identifier: Apache-2.0
// A warm step allocates nothing.
//
// Warm means: the sim has been through these steps, or through larger ones, before. A scene is run
// up to its start (the warm-up), saved, run over the counted steps a first time, put back by the
// snapshot and run over the same steps again. The second time must allocate nothing. What the first
// time allocates is printed beside it: the memory of a step grows by doubling when a scene finds
// more contacts than ever before, so that is a handful at most.
//
// Counted are the calls of the sim's allocator and, apart from it, every malloc, calloc, realloc
// and aligned_alloc of the library and this program, which the linker turns over to the functions
// below.
#include "every.h"

#include <stdlib.h>

// ---- counting -----------------------------------------------------------------------------------

static long long all_mallocs; // the linker's functions have no place for a context

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);

void* __wrap_malloc(size_t size)
{
    all_mallocs++;
    return __real_malloc(size);
}

void* __wrap_calloc(size_t count, size_t size)
{
    all_mallocs++;
    return __real_calloc(count, size);
}

void* __wrap_realloc(void* memory, size_t size)
{
    all_mallocs++;
    return __real_realloc(memory, size);
}

void* __wrap_aligned_alloc(size_t alignment, size_t size)
{
    all_mallocs++;
    return __real_aligned_alloc(alignment, size);
}

typedef struct Heap {
    long long calls; // allocations and releases
    size_t bytes;    // in use
    size_t most;
} Heap;

static void* allocate(void* context, size_t size)
{
    Heap* heap = context;
    heap->calls++;
    heap->bytes += size;
    heap->most = heap->bytes > heap->most ? heap->bytes : heap->most;
    return malloc(size);
}

static void release(void* context, void* memory, size_t size)
{
    Heap* heap = context;
    heap->calls++;
    heap->bytes -= size;
    free(memory);
}

// ---- a scene ------------------------------------------------------------------------------------

typedef struct Counts {
    long long first, again; // calls of the sim's allocator
    long long mallocs;      // of anything, the second time
} Counts;

static bool count_steps(const Options* o, Scene* scene, const Heap* heap, Counts* counts)
{
    if (!take_steps(scene, o->warm_up)) {
        return false;
    }
    const size_t size = ut_sim_snapshot_size(scene->sim);
    void* snapshot = malloc(size);
    bool ok = snapshot != NULL && ut_sim_save(scene->sim, snapshot, size) == UT_OK;
    const long long before = heap->calls;
    ok = ok && take_steps(scene, o->steps);
    counts->first = heap->calls - before;
    const uint64_t hash = ut_sim_hash(scene->sim);

    const long long warm = heap->calls, mallocs = all_mallocs;
    ok = ok && ut_sim_load(scene->sim, snapshot, size, NULL) == UT_OK;
    ok = ok && take_steps(scene, o->steps);
    counts->again = heap->calls - warm;
    counts->mallocs = all_mallocs - mallocs;
    free(snapshot);
    // the same steps indeed
    return ok && ut_sim_hash(scene->sim) == hash;
}

void mode_allocations(const Options* o, Verdict* verdict)
{
    printf("     %-26s %7s %7s %6s %6s %7s %9s\n", "scene", "warm-up", "steps", "first", "again",
           "mallocs", "bytes");
    for (int i = 0; i < o->scenes.count; i++) {
        Heap heap = {0};
        const utAllocator allocator = {allocate, release, &heap};
        const Changes changes = {.allocator = &allocator};
        Scene scene;
        Counts counts = {0};
        const long long mallocs = all_mallocs;
        bool ok = open_scene(o->scenes.name[i], &changes, &scene) &&
                  count_steps(o, &scene, &heap, &counts);
        // the counters count: a sim cannot be made without memory
        ok = ok && heap.most > 0 && all_mallocs - mallocs >= heap.calls / 2;
        close_scene(&scene);
        ok = ok && counts.again == 0 && counts.mallocs == 0 && heap.bytes == 0;
        count_case(verdict, ok);
        printf("%-4s %-26s %7d %7d %6lld %6lld %7lld %9zu\n", ok ? "ok" : "FAIL", o->scenes.name[i],
               o->warm_up, o->steps, counts.first, counts.again, counts.mallocs, heap.most);
    }
}
