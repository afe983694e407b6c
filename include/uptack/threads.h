// SPDX-License-Identifier: Apache-2.0
/// @file threads.h
/// A pool of threads that share out numbered items of work.
///
///     utPool* pool = NULL;
///     utStatus status = ut_pool_create(ut_processors(), NULL, &pool);
///     ut_pool_run(pool, 1000, work, context);     // work(context, item, thread) for 0 ... 999
///     ut_pool_destroy(pool);
///
/// Which thread takes which item depends on timing. A result does not, if each item writes to memory
/// of its own and reads nothing that another item writes.
///
/// The WebAssembly build has no threads: every pool has one, the caller's.
#ifndef UPTACK_THREADS_H
#define UPTACK_THREADS_H

#include <uptack/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct utPool utPool;

enum { UT_MAX_THREADS = 1024 };

/// One item of work. @param thread 0 ... threads - 1, for workspace that a thread has for itself
typedef void utPoolWork(void* context, int item, int thread);

/// Start threads - 1 threads, because the caller of ut_pool_run works too.
/// @param threads 1 ... UT_MAX_THREADS. Where the system gives fewer, the pool has fewer.
/// @param allocator copied; NULL: malloc
/// @return UT_ERR_ARGUMENT, UT_ERR_MEMORY
UT_API utStatus ut_pool_create(int threads, const utAllocator* allocator, utPool** pool);
UT_API void ut_pool_destroy(utPool* pool);

/// @return how many threads work, at least 1
UT_API int ut_pool_threads(const utPool* pool);

/// Do items 0 ... count - 1 and return when all are done. Only one thread at a time may call it, and
/// no item may.
UT_API void ut_pool_run(utPool* pool, int count, utPoolWork* work, void* context);

/// @return the number of processors that this process may use, at least 1
UT_API int ut_processors(void);

#ifdef __cplusplus
}
#endif

#endif
