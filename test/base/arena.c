// SPDX-License-Identifier: Apache-2.0
#include "test.h"

#include <stdlib.h>
#include <string.h>

static bool on_cache_line(const void* p)
{
    return p != NULL && (uintptr_t)p % UT_ARENA_ALIGNMENT == 0;
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
        CHECK(ut_arena_left(&arena) == (size_t)(memory + sizeof memory - (b + 40)));
    }
}

TEST(a_push_that_does_not_fit_changes_nothing)
{
    _Alignas(64) unsigned char memory[256];
    utArena arena = ut_arena_on(memory, sizeof memory);
    CHECK(ut_arena_push(&arena, 257, 1) == NULL);
    CHECK(arena.next == memory && ut_arena_left(&arena) == 256);
    CHECK(ut_arena_push(&arena, 256, 1) == memory);
    CHECK(ut_arena_left(&arena) == 0);
    CHECK(ut_arena_push(&arena, 1, 1) == NULL);
}

TEST(a_push_whose_size_overflows_does_not_fit)
{
    _Alignas(64) unsigned char memory[256];
    utArena arena = ut_arena_on(memory, sizeof memory);
    // the square of half the bits is 0 in all of them
    const size_t root = (size_t)1 << (4 * sizeof(size_t));
    CHECK(ut_arena_push(&arena, root, root) == NULL);
    CHECK(ut_arena_push(&arena, SIZE_MAX, 1) == NULL);
    CHECK(ut_arena_push(&arena, SIZE_MAX / 8 + 2, 8) == NULL);
    CHECK(UT_PUSH(&arena, double, -1) == NULL);
    CHECK(arena.next == memory);
}

TEST(a_push_of_nothing_has_an_address_and_takes_no_room)
{
    _Alignas(64) unsigned char memory[128];
    utArena arena = ut_arena_on(memory, sizeof memory);
    CHECK(ut_arena_push(&arena, 0, 8) == memory);
    CHECK(ut_arena_push(&arena, 8, 0) == memory);
    CHECK(ut_arena_left(&arena) == 128);
    CHECK(ut_arena_push(&arena, 128, 1) == memory);
    CHECK(ut_arena_push(&arena, 0, 1) == memory + 128);
}

TEST(an_arena_on_nothing_gives_nothing)
{
    utArena arena = ut_arena_on(NULL, 0);
    CHECK(ut_arena_left(&arena) == 0);
    CHECK(ut_arena_push(&arena, 1, 1) == NULL);
}

TEST(a_push_never_takes_more_than_its_need)
{
    unsigned char memory[1024];
    for (size_t offset = 0; offset < 64; offset++) {
        for (size_t count = 0; count < 20; count++) {
            const size_t need = ut_arena_need(count, 12);
            utArena arena = ut_arena_on(memory + offset, need);
            CHECK(ut_arena_push(&arena, count, 12) != NULL);
        }
    }
    CHECK_INT(ut_arena_need(0, 8), 64);
    CHECK_INT(ut_arena_need(1, 1), 128);
    CHECK_INT(ut_arena_need(8, 8), 128);
    CHECK_INT(ut_arena_need(65, 1), 192);
}

TEST(a_need_that_overflows_is_never_met)
{
    CHECK(ut_arena_need(SIZE_MAX, 2) == SIZE_MAX);
    CHECK(ut_arena_need(SIZE_MAX, 1) == SIZE_MAX);
    const size_t root = (size_t)1 << (4 * sizeof(size_t));
    CHECK(ut_arena_need(root, root) == SIZE_MAX);
    CHECK(ut_arena_need(SIZE_MAX - 64, 1) == SIZE_MAX);
    CHECK(ut_arena_need(SIZE_MAX - 200, 1) > SIZE_MAX - 200);
}

TEST(an_arena_by_value_is_free_again_afterwards)
{
    utArena scratch = test_arena();
    utArena copy = scratch;
    CHECK(UT_PUSH(&copy, double, 100) != NULL);
    CHECK(ut_arena_left(&copy) < ut_arena_left(&scratch));
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
        CHECK(ut_arena_left(&arena) >= size);
        utArena used = arena;
        CHECK(ut_arena_push(&used, 0, 1) != NULL);
        ut_arena_destroy(&arena, &allocator);
        CHECK_INT(ledger.allocations, 1);
        CHECK_INT(ledger.releases, 1);
        CHECK(arena.next == NULL && arena.end == NULL);

        // a second time there is nothing left to give back
        ut_arena_destroy(&arena, &allocator);
        CHECK_INT(ledger.releases, 1);
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
    ut_arena_destroy(&arena, NULL);
    CHECK(arena.next == NULL);
}
