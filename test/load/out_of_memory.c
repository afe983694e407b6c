// SPDX-License-Identifier: Apache-2.0
// Loading while memory is short: malloc itself fails, at each call of a load in turn, in the library and in
// the libraries that it uses. The load reports it or goes on without that memory; nothing leaks.
// Names in the models have no prefixes: expat 2.5 calls a prefix unbound when one call fails there.
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <uptack/load.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#if !defined(__GLIBC__) || defined(SANITIZED)

TEST(loads_while_memory_is_short)
{
    test_skip("malloc cannot be replaced here");
}

#else

// ---- malloc -------------------------------------------------------------------------------------

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void __libc_free(void* memory);

static bool watching;
static long calls, out;  // since watching; blocks that are not released
static long first, last; // calls that fail

static bool fails(void)
{
    if (watching && ++calls >= first && calls <= last) {
        errno = ENOMEM;
        return true;
    }
    return false;
}

void* malloc(size_t size)
{
    void* memory = fails() ? NULL : __libc_malloc(size);
    out += watching && memory != NULL;
    return memory;
}

void* calloc(size_t count, size_t size)
{
    void* memory = fails() ? NULL : __libc_calloc(count, size);
    out += watching && memory != NULL;
    return memory;
}

void* realloc(void* memory, size_t size)
{
    void* moved = fails() ? NULL : __libc_realloc(memory, size);
    out += watching && moved != NULL && memory == NULL;
    return moved;
}

void free(void* memory)
{
    out -= watching && memory != NULL;
    __libc_free(memory);
}

// ---- loads --------------------------------------------------------------------------------------

typedef struct Loaded {
    utStatus status;
    long calls, out;
    uint64_t hash;
    int notes;
} Loaded;

// Load a model while calls of malloc fail.
static Loaded load(const char* path, long from, long to)
{
    utModel* model = NULL;
    utNotes notes = {0};
    utError err = {0};
    calls = out = 0;
    first = from;
    last = to;
    watching = true;
    Loaded loaded = {.status = ut_load_with(path, NULL, &model, &notes, &err)};
    loaded.hash = model != NULL ? model->hash : 0;
    loaded.notes = notes.count;
    ut_model_destroy(model);
    ut_notes_destroy(&notes);
    watching = false;
    loaded.calls = calls;
    loaded.out = out;
    return loaded;
}

// @param once one call fails, and the next ones succeed
static void check_each_call(const char* path, bool once)
{
    const Loaded good = load(path, 0, -1);
    int reported = 0, same = 0;
    CHECK_INT(good.status, UT_OK);
    CHECK_INT(good.out, 0);
    for (long call = 1; call <= good.calls; call++) {
        const Loaded l = load(path, call, once ? call : good.calls);
        const bool equal = l.status == UT_OK && l.hash == good.hash && l.notes == good.notes;
        if (!CHECK(l.status == UT_ERR_MEMORY || equal) || !CHECK_INT(l.out, 0)) {
            test_note("%s, call %ld: status %d", path, call, (int)l.status);
        }
        reported += l.status == UT_ERR_MEMORY;
        same += equal;
    }
    test_note("%s: %ld calls of malloc, %s; %d reported, %d not needed", path, good.calls,
              once ? "one fails" : "all fail from one on", reported, same);
    CHECK(reported > 0);
}

TEST(every_failure_of_malloc_in_a_load_is_reported)
{
    static const char* const paths[] = {"test/load/models/whole.xml",
                                        "test/load/models/robot.urdf"};
    for (int i = 0; i < 2; i++) {
        check_each_call(paths[i], true);
        check_each_call(paths[i], false);
    }
}

#endif
