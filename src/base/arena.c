// SPDX-License-Identifier: Apache-2.0
// Arenas: memory handed out front to back.
#include <uptack/base.h>

#include <stdlib.h>

utStatus ut_arena_create(size_t size, const utAllocator* allocator, utArena* arena)
{
    // never empty, so that a push of nothing has an address to give
    if (size < UT_ARENA_ALIGNMENT) {
        size = UT_ARENA_ALIGNMENT;
    }
    void* memory = allocator != NULL ? allocator->allocate(allocator->context, size) : malloc(size);
    if (memory == NULL) {
        return UT_ERR_MEMORY;
    }
    *arena = ut_arena_on(memory, size);
    return UT_OK;
}

void ut_arena_destroy(utArena* arena, const utAllocator* allocator)
{
    if (arena->next == NULL) {
        return;
    }
    if (allocator != NULL) {
        allocator->release(allocator->context, arena->next, ut_arena_left(arena));
    } else {
        free(arena->next);
    }
    *arena = (utArena){NULL, NULL};
}

utArena ut_arena_on(void* memory, size_t size)
{
    unsigned char* bytes = memory;
    return bytes != NULL ? (utArena){bytes, bytes + size} : (utArena){NULL, NULL};
}

// Bytes from `next` up to the next cache line.
static size_t padding(const unsigned char* next)
{
    const size_t over = (size_t)((uintptr_t)next % UT_ARENA_ALIGNMENT);
    return over > 0 ? UT_ARENA_ALIGNMENT - over : 0;
}

void* ut_arena_push(utArena* arena, size_t count, size_t size)
{
    const size_t left = ut_arena_left(arena);
    const size_t pad = padding(arena->next);
    if (arena->next == NULL || pad > left) {
        return NULL;
    }
    // count * size <= left - pad, asked without the product so that nothing overflows
    if (size > 0 && count > (left - pad) / size) {
        return NULL;
    }
    unsigned char* memory = arena->next + pad;
    arena->next = memory + count * size;
    return memory;
}

size_t ut_arena_need(size_t count, size_t size)
{
    // whole cache lines, and one more for a start between two
    const size_t most = SIZE_MAX - 2 * (size_t)UT_ARENA_ALIGNMENT;
    if (size > 0 && count > most / size) {
        return SIZE_MAX;
    }
    const size_t lines = (count * size + UT_ARENA_ALIGNMENT - 1) / UT_ARENA_ALIGNMENT;
    return (lines + 1) * UT_ARENA_ALIGNMENT;
}

size_t ut_arena_left(const utArena* arena)
{
    return (size_t)(arena->end - arena->next);
}
