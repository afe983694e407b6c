// SPDX-License-Identifier: Apache-2.0
// A hash table from names to numbers: open addressing, at most half full.
#include "internal.h"

#include <string.h>

// The entry of a name, or the free entry in which the name belongs.
static NameEntry* entry_of(const Names* names, const char* name)
{
    const size_t mask = (size_t)names->capacity - 1;
    size_t i = (size_t)ut_hash_bytes(UT_HASH_START, name, strlen(name)) & mask;
    while (names->entry[i].name != NULL && strcmp(names->entry[i].name, name) != 0) {
        i = (i + 1) & mask;
    }
    return &names->entry[i];
}

int ut_names_find(const Names* names, const char* name)
{
    if (names->capacity == 0) {
        return -1;
    }
    const NameEntry* entry = entry_of(names, name);
    return entry->name != NULL ? entry->value : -1;
}

static bool names_grow(Names* names)
{
    Names larger = *names;
    larger.capacity = names->capacity == 0 ? 16 : 2 * names->capacity;
    larger.entry = UT_PUSH(names->memory, NameEntry, larger.capacity);
    if (larger.entry == NULL) {
        return false;
    }
    memset(larger.entry, 0, (size_t)larger.capacity * sizeof *larger.entry);
    for (int i = 0; i < names->capacity; i++) {
        if (names->entry[i].name != NULL) {
            *entry_of(&larger, names->entry[i].name) = names->entry[i];
        }
    }
    *names = larger;
    return true;
}

bool ut_names_add(Names* names, const char* name, int value)
{
    if (2 * names->count >= names->capacity && !names_grow(names)) {
        return false;
    }
    NameEntry* entry = entry_of(names, name);
    if (entry->name == NULL) {
        *entry = (NameEntry){name, value};
        names->count++;
    }
    return true;
}

int* ut_names_value(const Names* names, const char* name)
{
    return &entry_of(names, name)->value;
}
