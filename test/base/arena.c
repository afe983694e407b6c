// SPDX-License-Identifier: Apache-2.0
#include "test.h"

#include <stdlib.h>
#include <string.h>

static bool on_cache_line(const void* p)
{
    return p != NULL && (uintptr_t)p % UT_ARENA_ALIGNMENT == 0;
}

// in the current block
static size_t bytes_left(const utArena* arena)
{
    return (size_t)(arena->end - arena->next);
}

TEST(every_push_starts_on_a_cache_line)
{
    unsigned char memory[1024];
    for (size_t offset = 0; offset < 64; offset++) {
        utArena arena = ut_arena_on(memory + offset, sizeof memory - offset);
        unsigned char* a = ut_arena_push(&arena, 3, 1);
        unsigned char* b = ut_arena_push(&arena, 5, 8);
        CHECK(on_cache_line(a) && on_cache_line(b));
        CHECK(a >= memory + offset && b >= a + 3);
        CHECK(b + 40 <= memory + sizeof memory);
        CHECK(bytes_left(&arena) == (size_t)(memory + sizeof memory - (b + 40)));
    }
}

TEST(a_push_that_does_not_fit_fails_and_so_do_all_after_it)
{
    _Alignas(64) unsigned char memory[256];
    utArena arena = ut_arena_on(memory, sizeof memory);
    utArena copy = arena;
    CHECK(ut_arena_push(&arena, 256, 1) == memory && !ut_arena_failed(&arena));
    CHECK(bytes_left(&arena) == 0);
    CHECK(ut_arena_push(&arena, 1, 1) == NULL && ut_arena_failed(&arena));

    CHECK(ut_arena_push(&copy, 257, 1) == NULL && ut_arena_failed(&copy));
    CHECK(copy.next == memory && bytes_left(&copy) == 256);
    CHECK(ut_arena_push(&copy, 1, 1) == NULL); // it would fit
}

TEST(a_push_whose_size_overflows_does_not_fit)
{
    _Alignas(64) unsigned char memory[256];
    utArena arena = ut_arena_on(memory, sizeof memory);
    // the square of half the bits is 0 in all of them
    const size_t root = (size_t)1 << (4 * sizeof(size_t));
    const size_t count[] = {root, SIZE_MAX, SIZE_MAX / 8 + 2, SIZE_MAX - 100, (size_t)-1};
    const size_t size[] = {root, 1, 8, 1, sizeof(double)};
    utArena growing;
    CHECK(ut_arena_create(0, NULL, &growing) == UT_OK);
    for (int i = 0; i < 5; i++) {
        utArena fixed_copy = arena, growing_copy = growing;
        CHECK(ut_arena_push(&fixed_copy, count[i], size[i]) == NULL);
        CHECK(ut_arena_push(&growing_copy, count[i], size[i]) == NULL);
        CHECK(fixed_copy.next == memory && growing_copy.next == growing.next);
    }
    ut_arena_destroy(&growing);
}

// An arena that has been used before takes the quick path of UT_PUSH, up to the highest byte in use.
TEST(the_macro_gives_the_addresses_of_the_function_on_a_used_and_on_a_new_arena)
{
    static const size_t count[] = {3, 0, 17, 32768, 1, 40000, 5};
    enum { PUSHES = sizeof count / sizeof *count };
    utArena arena;
    CHECK(ut_arena_create(1 << 20, NULL, &arena) == UT_OK);
    for (int pass = 0; pass < 2; pass++) {
        utArena by_macro = arena, by_function = arena;
        for (int k = 0; k < PUSHES; k++) {
            const void* memory = UT_PUSH(&by_macro, double, count[k]);
            CHECK(memory == ut_arena_push(&by_function, count[k], sizeof(double)));
            CHECK(by_macro.next == by_function.next && by_macro.block == by_function.block);
        }
    }
    const size_t peak = ut_arena_peak(&arena);
    utArena longer = arena;
    (void)UT_PUSH(&longer, unsigned char, 1 << 20); // beyond the highest byte
    CHECK(ut_arena_peak(&arena) > peak);
    arena.failed = true;
    CHECK(UT_PUSH(&arena, double, 1) == NULL);
    ut_arena_destroy(&arena);
}

TEST(a_push_of_nothing_has_an_address_and_takes_no_room)
{
    _Alignas(64) unsigned char memory[128];
    utArena arena = ut_arena_on(memory, sizeof memory);
    CHECK(ut_arena_push(&arena, 0, 8) == memory);
    CHECK(ut_arena_push(&arena, 8, 0) == memory);
    CHECK(bytes_left(&arena) == 128);
    CHECK(ut_arena_push(&arena, 128, 1) == memory);
    CHECK(ut_arena_push(&arena, 0, 1) == memory + 128);
}

TEST(an_arena_on_nothing_gives_nothing)
{
    utArena arena = ut_arena_on(NULL, 0);
    CHECK(bytes_left(&arena) == 0);
    CHECK(ut_arena_push(&arena, 1, 1) == NULL);
}

TEST(an_arena_by_value_is_free_again_afterwards)
{
    utArena scratch = test_arena();
    utArena copy = scratch;
    CHECK(UT_PUSH(&copy, double, 100) != NULL);
    CHECK(bytes_left(&copy) < bytes_left(&scratch));
}

// What an allocator was asked for.
typedef struct Ledger {
    int allocations;
    int releases;
    size_t size;
    void* memory;
    bool empty;
} Ledger;

static void* ledger_allocate(void* context, size_t size)
{
    Ledger* ledger = context;
    ledger->allocations++;
    ledger->size = size;
    ledger->memory = ledger->empty ? NULL : malloc(size);
    return ledger->memory;
}

static void ledger_release(void* context, void* memory, size_t size)
{
    Ledger* ledger = context;
    ledger->releases += memory == ledger->memory && size == ledger->size;
    free(memory);
}

TEST(what_create_takes_destroy_gives_back)
{
    for (size_t size = 0; size < 300; size += 33) {
        Ledger ledger = {0};
        const utAllocator allocator = {ledger_allocate, ledger_release, &ledger};
        utArena arena;
        CHECK(ut_arena_create(size, &allocator, &arena) == UT_OK);
        CHECK(bytes_left(&arena) >= size);
        CHECK(ut_arena_push(&arena, 0, 1) != NULL);
        ut_arena_destroy(&arena);
        CHECK_INT(ledger.allocations, 1);
        CHECK_INT(ledger.releases, 1);
        CHECK(arena.next == NULL && arena.end == NULL && arena.block == NULL);

        // a second time there is nothing left to give back
        ut_arena_destroy(&arena);
        CHECK_INT(ledger.releases, 1);
    }
}

// Counts what is allocated and not released yet, and fails from call `fails_at` on.
typedef struct Counter {
    int live, calls, fails_at;
    size_t bytes;
} Counter;

static void* counter_allocate(void* context, size_t size)
{
    Counter* counter = context;
    if (++counter->calls >= counter->fails_at) {
        return NULL;
    }
    counter->live++;
    counter->bytes += size;
    return malloc(size);
}

static void counter_release(void* context, void* memory, size_t size)
{
    Counter* counter = context;
    counter->live--;
    counter->bytes -= size;
    free(memory);
}

// Push `count` arrays of growing length, each filled with its own number. @return are all intact?
static bool fill_and_compare(utArena scratch, int count)
{
    int* array[64] = {0};
    for (int i = 0; i < count; i++) {
        array[i] = UT_PUSH(&scratch, int, 7 * (i + 1));
        for (int k = 0; array[i] != NULL && k < 7 * (i + 1); k++) {
            array[i][k] = 1000 * i + k;
        }
    }
    bool intact = !ut_arena_failed(&scratch);
    for (int i = 0; i < count && intact; i++) {
        for (int k = 0; k < 7 * (i + 1); k++) {
            intact = intact && array[i][k] == 1000 * i + k;
        }
    }
    return intact;
}

TEST(an_arena_grows_and_a_second_call_of_the_same_size_allocates_nothing)
{
    Counter counter = {.fails_at = 1000};
    const utAllocator allocator = {counter_allocate, counter_release, &counter};
    utArena arena;
    CHECK(ut_arena_create(100, &allocator, &arena) == UT_OK);
    CHECK(fill_and_compare(arena, 64));
    const int calls = counter.calls;
    CHECK(calls > 2);
    CHECK(fill_and_compare(arena, 64) && fill_and_compare(arena, 30));
    CHECK_INT(counter.calls, calls);

    // memory that was kept stays as it is while copies of the arena grow
    int* kept = UT_PUSH(&arena, int, 500);
    for (int k = 0; k < 500; k++) {
        kept[k] = -k;
    }
    CHECK(fill_and_compare(arena, 64));
    for (int k = 0; k < 500; k++) {
        CHECK_INT(kept[k], -k);
    }
    ut_arena_destroy(&arena);
    CHECK_INT(counter.live, 0);
    CHECK_INT(counter.bytes, 0);
}

TEST(the_peak_of_a_run_is_room_enough_to_repeat_it_in_fixed_memory)
{
    static unsigned char memory[1 << 16];
    utArena arena;
    CHECK(ut_arena_create(1 << 15, NULL, &arena) == UT_OK);
    CHECK_INT(ut_arena_peak(&arena), 0);
    CHECK(fill_and_compare(arena, 40));
    const size_t peak = ut_arena_peak(&arena);
    // 40 arrays of 28, 56 ... 1120 bytes, each on a cache line
    CHECK(peak >= 40 * 41 / 2 * 28 && peak <= 40 * 41 / 2 * 28 + 40 * 64);
    CHECK(fill_and_compare(arena, 10) && ut_arena_peak(&arena) == peak);
    CHECK(fill_and_compare(ut_arena_on(memory + 1, peak + UT_ARENA_ALIGNMENT), 40));
    ut_arena_destroy(&arena);
}

TEST(an_arena_that_cannot_grow_fails_and_releases_its_blocks)
{
    for (int fails_at = 2; fails_at < 6; fails_at++) {
        Counter counter = {.fails_at = fails_at};
        const utAllocator allocator = {counter_allocate, counter_release, &counter};
        utArena arena;
        CHECK(ut_arena_create(100, &allocator, &arena) == UT_OK);
        CHECK(!fill_and_compare(arena, 64) && counter.calls == fails_at);
        CHECK(!ut_arena_failed(&arena)); // its copy failed
        ut_arena_destroy(&arena);
        CHECK_INT(counter.live, 0);
    }
}

TEST(an_allocator_without_memory_is_a_status)
{
    Ledger ledger = {.empty = true};
    const utAllocator allocator = {ledger_allocate, ledger_release, &ledger};
    unsigned char byte;
    utArena arena = ut_arena_on(&byte, 1);
    CHECK(ut_arena_create(1000, &allocator, &arena) == UT_ERR_MEMORY);
    CHECK(arena.next == &byte); // unchanged
}

TEST(without_an_allocator_memory_comes_from_malloc)
{
    utArena arena;
    CHECK(ut_arena_create(1 << 16, NULL, &arena) == UT_OK);
    utArena scratch = arena;
    char* text = ut_arena_push(&scratch, 1, 1000);
    CHECK(on_cache_line(text));
    memset(text, 1, 1000);
    ut_arena_destroy(&arena);
    CHECK(arena.next == NULL);
}
