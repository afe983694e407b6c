// SPDX-License-Identifier: Apache-2.0
// Arenas: memory is handed out front to back, in a chain of blocks that grows.
#include "internal.h"

#include <stdlib.h>

enum { DEFAULT_FIRST_BLOCK = 1 << 16 }; // bytes

// The header of a block. The bytes of the block follow it, up to `end`.
typedef struct Block {
    utArenaBlock head;
    struct Block* first; // of the chain
    struct Block* next;  // NULL: this is the last one
    unsigned char* end;
    size_t earlier;        // bytes in the blocks before this one
    utAllocator allocator; // first block only; allocate == NULL: malloc
} Block;

static Block* block_of(const utArena* arena)
{
    return (Block*)arena->block;
}

static unsigned char* bytes_of(Block* block)
{
    return (unsigned char*)(block + 1);
}

static size_t size_of(Block* block)
{
    return (size_t)(block->end - bytes_of(block));
}

// @return NULL when there is no memory
static Block* allocate_block(const utAllocator* from, size_t size)
{
    if (size > SIZE_MAX - sizeof(Block)) {
        return NULL;
    }
    const size_t all = sizeof(Block) + size;
    Block* block = from->allocate != NULL ? from->allocate(from->context, all) : malloc(all);
    if (block != NULL) {
        *block = (Block){.first = block, .allocator = *from};
        block->head.highest = bytes_of(block);
        block->end = bytes_of(block) + size;
    }
    return block;
}

static void release_block(const utAllocator* to, Block* block)
{
    if (to->allocate != NULL) {
        to->release(to->context, block, sizeof *block + size_of(block));
    } else {
        free(block);
    }
}

utStatus ut_arena_create(size_t size, const utAllocator* allocator, utArena* arena)
{
    const utAllocator by_malloc = {NULL, NULL, NULL};
    Block* block = allocate_block(allocator != NULL ? allocator : &by_malloc,
                                  size > 0 ? size : DEFAULT_FIRST_BLOCK);
    if (block == NULL) {
        return UT_ERR_MEMORY;
    }
    *arena = (utArena){.next = bytes_of(block), .end = block->end, .block = &block->head};
    return UT_OK;
}

void ut_arena_destroy(utArena* arena)
{
    Block* block = arena->block != NULL ? block_of(arena)->first : NULL;
    const utAllocator allocator = block != NULL ? block->allocator : (utAllocator){0};
    while (block != NULL) {
        Block* next = block->next;
        release_block(&allocator, block);
        block = next;
    }
    *arena = (utArena){0};
}

utArena ut_arena_on(void* memory, size_t size)
{
    unsigned char* bytes = memory;
    return bytes != NULL ? (utArena){.next = bytes, .end = bytes + size} : (utArena){0};
}

// Bytes from `next` up to the next multiple of `alignment`.
static size_t padding(const unsigned char* next, size_t alignment)
{
    const size_t over = (size_t)((uintptr_t)next % alignment);
    return over > 0 ? alignment - over : 0;
}

static bool fits(const unsigned char* next, const unsigned char* end, size_t size, size_t alignment)
{
    const size_t left = (size_t)(end - next);
    const size_t skipped = padding(next, alignment);
    return skipped <= left && size <= left - skipped;
}

// The next block of the chain in which `size` bytes fit. If the chain has no such block, a new one
// is added that is at least twice as large as the last. @return NULL when there is no memory
static Block* next_block(Block* block, size_t size)
{
    while (block->next != NULL) {
        block = block->next;
        if (fits(bytes_of(block), block->end, size, UT_ARENA_ALIGNMENT)) {
            return block;
        }
    }
    const size_t twice = size_of(block) <= SIZE_MAX / 4 ? 2 * size_of(block) : size_of(block);
    const size_t need = size + UT_ARENA_ALIGNMENT;
    Block* added =
        need < size ? NULL : allocate_block(&block->first->allocator, twice > need ? twice : need);
    if (added != NULL) {
        added->first = block->first;
        added->earlier = block->earlier + size_of(block);
        block->next = added;
    }
    return added;
}

// Go to the next block if `size` bytes do not fit. @return false without memory, and no change
static bool make_room(utArena* arena, size_t size, size_t alignment)
{
    if (arena->next != NULL && fits(arena->next, arena->end, size, alignment)) {
        return true;
    }
    Block* block = arena->block != NULL ? next_block(block_of(arena), size) : NULL;
    if (block == NULL) {
        return false;
    }
    *arena = (utArena){.next = bytes_of(block), .end = block->end, .block = &block->head};
    return true;
}

// Hand out `size` bytes at `memory`, which lie in the arena's block.
static void* hand_out(utArena* arena, unsigned char* memory, size_t size)
{
    arena->next = memory + size;
    if (arena->block != NULL && arena->next > arena->block->highest) {
        arena->block->highest = arena->next;
    }
    return memory;
}

static void* fail(utArena* arena)
{
    arena->failed = true;
    return NULL;
}

void* ut_arena_pack(utArena* arena, size_t size, size_t alignment)
{
    if (arena->failed || !make_room(arena, size, alignment)) {
        return fail(arena);
    }
    return hand_out(arena, arena->next + padding(arena->next, alignment), size);
}

void* ut_arena_push(utArena* arena, size_t count, size_t size)
{
    return size > 0 && count > SIZE_MAX / size
               ? fail(arena)
               : ut_arena_pack(arena, count * size, UT_ARENA_ALIGNMENT);
}

const utAllocator* ut_arena_allocator(const utArena* arena)
{
    const Block* first = arena->block != NULL ? block_of(arena)->first : NULL;
    return first != NULL && first->allocator.allocate != NULL ? &first->allocator : NULL;
}

bool ut_arena_failed(const utArena* arena)
{
    return arena->failed;
}

size_t ut_arena_peak(const utArena* arena)
{
    size_t peak = 0;
    const Block* block = arena->block != NULL ? block_of(arena)->first : NULL;
    for (; block != NULL; block = block->next) {
        const size_t used = (size_t)(block->head.highest - (const unsigned char*)(block + 1));
        peak = used > 0 ? block->earlier + used : peak;
    }
    return peak;
}
