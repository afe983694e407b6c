// SPDX-License-Identifier: Apache-2.0
// A pool of threads. They sleep between runs; in a run each takes the next item until none is left.
#define _GNU_SOURCE // sched_getaffinity
#include <uptack/threads.h>

#include <stdlib.h>

#if !defined(__EMSCRIPTEN__)
#define HAVE_THREADS 1
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
#endif

#if defined(HAVE_THREADS)

struct utPool {
    utAllocator allocator; // allocate == NULL: malloc
    size_t size;           // bytes of this struct with its threads
    int threads;           // with the caller's
    pthread_mutex_t mutex; // guards everything up to `next`
    pthread_cond_t begin, end;
    uint64_t run; // number of the run; a thread sleeps until it changes
    bool stop;
    int working; // threads that are still in this run
    utPoolWork* work;
    void* context;
    int count;
    atomic_int next;  // first item that nobody took
    atomic_int names; // threads that have got their number
    pthread_t thread[];
};

static void work_through(utPool* pool, int thread)
{
    int item;
    while ((item = atomic_fetch_add(&pool->next, 1)) < pool->count) {
        pool->work(pool->context, item, thread);
    }
}

static void* sleep_and_work(void* context)
{
    utPool* pool = context;
    const int thread = atomic_fetch_add(&pool->names, 1);
    uint64_t run = 0;
    for (;;) {
        pthread_mutex_lock(&pool->mutex);
        while (!pool->stop && pool->run == run) {
            pthread_cond_wait(&pool->begin, &pool->mutex);
        }
        run = pool->run;
        const bool stop = pool->stop;
        pthread_mutex_unlock(&pool->mutex);
        if (stop) {
            return NULL;
        }
        work_through(pool, thread);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->working == 0) {
            pthread_cond_signal(&pool->end);
        }
        pthread_mutex_unlock(&pool->mutex);
    }
}

utStatus ut_pool_create(int threads, const utAllocator* allocator, utPool** out)
{
    if (threads < 1 || threads > UT_MAX_THREADS || out == NULL) {
        return UT_ERR_ARGUMENT;
    }
    const utAllocator a = allocator != NULL ? *allocator : (utAllocator){0};
    const size_t size = sizeof(utPool) + (size_t)threads * sizeof(pthread_t);
    utPool* pool = a.allocate != NULL ? a.allocate(a.context, size) : malloc(size);
    if (pool == NULL) {
        return UT_ERR_MEMORY;
    }
    *pool = (utPool){.allocator = a, .size = size, .threads = 1};
    atomic_init(&pool->next, 0);
    atomic_init(&pool->names, 1);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->end, NULL);
    while (pool->threads < threads &&
           pthread_create(&pool->thread[pool->threads], NULL, sleep_and_work, pool) == 0) {
        pool->threads++;
    }
    *out = pool;
    return UT_OK;
}

void ut_pool_destroy(utPool* pool)
{
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->stop = true;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->mutex);
    for (int t = 1; t < pool->threads; t++) {
        pthread_join(pool->thread[t], NULL);
    }
    pthread_cond_destroy(&pool->end);
    pthread_cond_destroy(&pool->begin);
    pthread_mutex_destroy(&pool->mutex);
    const utAllocator a = pool->allocator;
    if (a.allocate != NULL) {
        a.release(a.context, pool, pool->size);
    } else {
        free(pool);
    }
}

int ut_pool_threads(const utPool* pool)
{
    return pool->threads;
}

void ut_pool_run(utPool* pool, int count, utPoolWork* work, void* context)
{
    if (pool->threads == 1 || count <= 1) {
        for (int item = 0; item < count; item++) {
            work(context, item, 0);
        }
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->work = work;
    pool->context = context;
    pool->count = count;
    pool->working = pool->threads - 1;
    atomic_store(&pool->next, 0);
    pool->run++;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->mutex);
    work_through(pool, 0);
    pthread_mutex_lock(&pool->mutex);
    while (pool->working > 0) {
        pthread_cond_wait(&pool->end, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

int ut_processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return CPU_COUNT(&set);
    }
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 1 ? (int)online : 1;
}

#else

struct utPool {
    utAllocator allocator; // allocate == NULL: malloc
};

utStatus ut_pool_create(int threads, const utAllocator* allocator, utPool** out)
{
    if (threads < 1 || threads > UT_MAX_THREADS || out == NULL) {
        return UT_ERR_ARGUMENT;
    }
    const utAllocator a = allocator != NULL ? *allocator : (utAllocator){0};
    utPool* pool = a.allocate != NULL ? a.allocate(a.context, sizeof *pool) : malloc(sizeof *pool);
    if (pool == NULL) {
        return UT_ERR_MEMORY;
    }
    pool->allocator = a;
    *out = pool;
    return UT_OK;
}

void ut_pool_destroy(utPool* pool)
{
    if (pool != NULL && pool->allocator.allocate != NULL) {
        pool->allocator.release(pool->allocator.context, pool, sizeof *pool);
    } else {
        free(pool);
    }
}

int ut_pool_threads(const utPool* pool)
{
    (void)pool;
    return 1;
}

void ut_pool_run(utPool* pool, int count, utPoolWork* work, void* context)
{
    (void)pool;
    for (int item = 0; item < count; item++) {
        work(context, item, 0);
    }
}

int ut_processors(void)
{
    return 1;
}

#endif
