// SPDX-License-Identifier: Apache-2.0
// Batches without memory: creation fails cleanly, and a row without memory stands still alone.
#include <uptack/batch.h>

#include <stdlib.h>

#include "sim/all_inputs.h"

// Gives memory so often, then no more. It counts what is not given back.
typedef struct Source {
    long left;
    long lent;
} Source;

static void* lend(void* context, size_t size)
{
    Source* s = context;
    void* memory = s->left-- > 0 ? malloc(size) : NULL;
    s->lent += memory != NULL;
    return memory;
}

static void take_back(void* context, void* memory, size_t size)
{
    (void)size;
    ((Source*)context)->lent--;
    free(memory);
}

TEST(a_batch_without_memory_is_not_created_and_loses_none)
{
    utModel* model = inputs_model();
    long needed = 0;
    for (bool created = false; !created && needed < 1000; needed++) {
        Source source = {.left = needed};
        const utAllocator allocator = {lend, take_back, &source};
        utBatchDef def = ut_batch_def();
        def.rows = 4;
        def.threads = 1;
        def.sim.allocator = &allocator;
        utBatch* batch = NULL;
        utError err = {0};
        const utStatus status = ut_batch_create(model, &def, &batch, &err);
        created = status == UT_OK;
        CHECK(created || (status == UT_ERR_MEMORY && batch == NULL));
        ut_batch_destroy(batch);
        CHECK_INT(source.lent, 0);
    }
    CHECK(needed > 3 && needed < 1000);
    ut_model_destroy(model);
}

// A box lies down: its row then needs memory for its warm start.
TEST(a_row_without_memory_keeps_its_state_and_stands_still)
{
    utModel* model = inputs_model();
    Source source = {.left = 1000000};
    const utAllocator allocator = {lend, take_back, &source};
    utBatchDef def = ut_batch_def();
    def.rows = 3;
    def.threads = 1;
    def.sim.allocator = &allocator;
    utBatch* batch = NULL;
    CHECK_INT(ut_batch_create(model, &def, &batch, NULL), UT_OK);
    const bool skip[3] = {false, true, false};
    CHECK_INT(ut_batch_step(batch, 60, &(utBatchInput){.skip = skip}, NULL, NULL), UT_OK);
    const double z = ut_batch_q(batch)[model->nq + 2];
    source.left = 0;
    CHECK_INT(ut_batch_step(batch, 60, NULL, NULL, NULL), UT_OK);
    CHECK_INT(ut_batch_row(batch)[0].status, UT_OK); // its memory and the sim's are there
    CHECK_INT(ut_batch_row(batch)[1].status, UT_ERR_MEMORY);
    CHECK_INT(ut_batch_row(batch)[1].taken, 0);
    CHECK_TEXT(ut_batch_message(batch, 1), ut_status_text(UT_ERR_MEMORY));
    CHECK(ut_batch_q(batch)[model->nq + 2] == z);
    CHECK_NEAR(ut_batch_time(batch)[1], 0.0, 0.0);
    source.left = 1000000;
    CHECK_INT(ut_batch_reset(batch, 1, (const int[]){1}, NULL, NULL), UT_OK);
    CHECK_INT(ut_batch_step(batch, 1, NULL, NULL, NULL), UT_OK);
    CHECK_INT(ut_batch_row(batch)[1].taken, 1);
    ut_batch_destroy(batch);
    CHECK_INT(source.lent, 0);
    ut_model_destroy(model);
}
