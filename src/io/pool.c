// SPDX-License-Identifier: Apache-2.0
// Memory for the time of one read, and names in it.
#include "internal.h"

#include <string.h>

enum { BLOCK_SIZE = 1 << 16, ALIGNMENT = 16 };

struct PoolBlock {
    utArena arena; // as ut_arena_create made it
    PoolBlock* before;
};

static size_t aligned(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool add_block(Pool* pool, size_t size)
{
    const size_t head = aligned(sizeof(PoolBlock));
    // blocks double, so that a large file takes few of them
    size_t room = BLOCK_SIZE;
    if (pool->last != NULL) {
        const size_t before = (size_t)(pool->end - (unsigned char*)pool->last);
        room = before < ((size_t)1 << 24) ? 2 * before : before;
    }
    utArena arena;
    if (size > SIZE_MAX / 2 || ut_arena_create(head + size > room ? head + size : room,
                                               pool->allocator, &arena) != UT_OK) {
        return false;
    }
    PoolBlock* block = (PoolBlock*)(void*)arena.next;
    *block = (PoolBlock){arena, pool->last};
    pool->last = block;
    pool->next = arena.next + head;
    pool->end = arena.end;
    return true;
}

void* ut_pool_push(Pool* pool, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 2 - ALIGNMENT) / size) {
        return NULL;
    }
    const size_t bytes = aligned(count * size + (count * size == 0));
    if (pool->last == NULL || (size_t)(pool->end - pool->next) < bytes) {
        if (!add_block(pool, bytes)) {
            return NULL;
        }
    }
    void* memory = pool->next;
    pool->next += bytes;
    memset(memory, 0, bytes);
    return memory;
}

char* ut_pool_copy(Pool* pool, const char* text, size_t size)
{
    char* copy = POOL_PUSH(pool, char, size + 1);
    if (copy != NULL && size > 0) {
        memcpy(copy, text, size);
    }
    return copy;
}

void ut_pool_destroy(Pool* pool)
{
    while (pool->last != NULL) {
        PoolBlock block = *pool->last;
        ut_arena_destroy(&block.arena);
        pool->last = block.before;
    }
    *pool = (Pool){.allocator = pool->allocator};
}

// ---- names --------------------------------------------------------------------------------------

// Where a name is, or the free place where it would be.
static NameEntry* place_of(const Names* names, const char* name)
{
    const size_t mask = (size_t)names->room - 1;
    size_t i = (size_t)ut_hash_bytes(UT_HASH_START, name, strlen(name)) & mask;
    while (names->entry[i].name != NULL && strcmp(names->entry[i].name, name) != 0) {
        i = (i + 1) & mask;
    }
    return &names->entry[i];
}

int ut_names_find(const Names* names, const char* name)
{
    if (names->room == 0) {
        return -1;
    }
    const NameEntry* entry = place_of(names, name);
    return entry->name != NULL ? entry->value : -1;
}

static bool names_grow(Names* names)
{
    Names larger = *names;
    larger.room = names->room == 0 ? 16 : 2 * names->room;
    larger.entry = POOL_PUSH(names->pool, NameEntry, larger.room);
    if (larger.entry == NULL) {
        return false;
    }
    for (int i = 0; i < names->room; i++) {
        if (names->entry[i].name != NULL) {
            *place_of(&larger, names->entry[i].name) = names->entry[i];
        }
    }
    *names = larger;
    return true;
}

bool ut_names_add(Names* names, const char* name, int value)
{
    if (2 * names->count >= names->room && !names_grow(names)) {
        return false;
    }
    NameEntry* entry = place_of(names, name);
    if (entry->name == NULL) {
        *entry = (NameEntry){name, value};
        names->count++;
    }
    return true;
}
