// SPDX-License-Identifier: Apache-2.0
// Pools of threads: every item is done once, by a thread of the pool, and run after run.
#include <uptack/threads.h>

#include "test.h"

enum { ITEMS = 1000, RUNS = 50 };

typedef struct Count {
    int threads;
    int done[ITEMS];   // each item writes its own entry
    int thread[ITEMS]; // that did it
} Count;

static void count_item(void* context, int item, int thread)
{
    Count* count = context;
    count->done[item]++;
    count->thread[item] = thread;
}

TEST(a_pool_does_every_item_once_per_run)
{
    for (int threads = 1; threads <= 8; threads++) {
        static Count count;
        count = (Count){.threads = threads};
        utPool* pool = NULL;
        CHECK_INT(ut_pool_create(threads, NULL, &pool), UT_OK);
        CHECK(ut_pool_threads(pool) >= 1 && ut_pool_threads(pool) <= threads);
        int items = 0;
        for (int run = 0; run < RUNS; run++) {
            ut_pool_run(pool, ITEMS - run, count_item, &count);
            items += ITEMS - run;
        }
        for (int i = 0; i < ITEMS; i++) {
            const int expected =
                ITEMS - i < RUNS ? ITEMS - i : RUNS; // run r has items below ITEMS - r
            CHECK_INT(count.done[i], expected);
            CHECK(count.thread[i] >= 0 && count.thread[i] < ut_pool_threads(pool));
            items -= count.done[i];
        }
        CHECK_INT(items, 0);
        ut_pool_destroy(pool);
    }
}

TEST(a_pool_without_items_returns_and_a_wrong_number_of_threads_is_rejected)
{
    static Count count;
    count = (Count){0};
    utPool* pool = NULL;
    CHECK_INT(ut_pool_create(0, NULL, &pool), UT_ERR_ARGUMENT);
    CHECK_INT(ut_pool_create(UT_MAX_THREADS + 1, NULL, &pool), UT_ERR_ARGUMENT);
    CHECK(pool == NULL);
    CHECK_INT(ut_pool_create(3, NULL, &pool), UT_OK);
    ut_pool_run(pool, 0, count_item, &count);
    CHECK_INT(count.done[0], 0);
    ut_pool_run(pool, 1, count_item, &count);
    CHECK_INT(count.done[0], 1);
    ut_pool_destroy(pool);
    ut_pool_destroy(NULL);
    CHECK(ut_processors() >= 1);
}
