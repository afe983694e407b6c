// SPDX-License-Identifier: Apache-2.0
// Writes the head of a recording: the settings of the run and the names of its numbers.
#include <string.h>

#include "internal.h"

// A pass over all texts of the head: it counts them, writes their ends, or writes the texts.
typedef struct Texts {
    utRecorder* recorder;
    uint64_t count;
    uint64_t bytes;
    bool write_ends;
    bool write_texts;
} Texts;

static void visit_text(Texts* texts, const char* text, const char* ending)
{
    const size_t size = strlen(text);
    const size_t ending_size = strlen(ending);
    texts->count++;
    texts->bytes += size + ending_size;
    if (texts->write_ends) {
        ut_recorder_put_u32(texts->recorder, (uint32_t)texts->bytes);
    }
    if (texts->write_texts) {
        ut_recorder_put(texts->recorder, text, size);
        ut_recorder_put(texts->recorder, ending, ending_size);
    }
}

static void visit_column(void* context, const Column* column)
{
    visit_text(context, column->name, column->ending);
}

static void count_column(void* context, const Column* column)
{
    uint64_t* count = context;
    (void)column;
    *count += 1;
}

static void put_column(void* context, const Column* column)
{
    ut_recorder_put_u32(context, (uint32_t)column->value);
}

static void visit_texts(Texts* texts, const utRecordDef* def)
{
    const utModel* model = texts->recorder->model;
    const char* const first[HEAD_TEXTS] = {def->source, model->name, def->formulation, def->solver,
                                           def->integrator};
    for (int k = 0; k < HEAD_TEXTS; k++) {
        visit_text(texts, first[k] != NULL ? first[k] : "", "");
    }
    for (int k = 0; k < def->changes; k++) {
        visit_text(texts, def->change[k], "");
    }
    for (int k = 0; k < model->ngeom + model->nsite; k++) {
        const utSideLabel label = ut_model_side_label(model, k);
        visit_text(texts, label.name, label.ending);
    }
    ut_record_columns(model, visit_column, texts);
}

static void put_fixed(utRecorder* recorder, const utRecordDef* def, uint64_t columns,
                      uint64_t texts)
{
    const utModel* model = recorder->model;
    const uint32_t numbers[] = {
        RECORDING_VERSION,
        (uint32_t)model->nq,
        (uint32_t)model->nv,
        (uint32_t)model->nu,
        (uint32_t)model->nmocap,
        (uint32_t)model->nbody,
        (uint32_t)(model->ngeom + model->nsite),
        (uint32_t)columns,
        (uint32_t)def->changes,
        (uint32_t)texts,
        (uint32_t)def->directions,
        (def->keep_going ? (uint32_t)FLAG_KEEP_GOING : 0u) |
            (uint32_t)(ut_record_extras(model) << FLAG_EXTRAS),
    };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        ut_recorder_put_u32(recorder, numbers[k]);
    }
    ut_recorder_put_u64(recorder, model->hash);
    ut_recorder_put_double(recorder, def->dt);
    ut_recorder_put_double(recorder, def->tolerance);
}

utStatus ut_recorder_head(utRecorder* recorder, const utRecordDef* def)
{
    uint64_t columns = 0;
    Texts texts = {.recorder = recorder};
    ut_record_columns(recorder->model, count_column, &columns);
    visit_texts(&texts, def);
    if (ut_record_extras(recorder->model) > UINT32_MAX >> FLAG_EXTRAS || texts.bytes > UINT32_MAX ||
        texts.count > INT32_MAX || def->changes < 0) {
        return UT_ERR_ARGUMENT;
    }

    // the signature serves as the checksum before the first record
    const unsigned char* magic = (const unsigned char*)RECORDING_MAGIC;
    ut_buffer_put(&recorder->out, magic, MAGIC_SIZE);
    for (int k = MAGIC_SIZE - 1; k >= 0; k--) {
        recorder->checksum = recorder->checksum << 8 | magic[k];
    }

    const uint64_t size = HEAD_FIXED + 4 * columns + 4 * texts.count + texts.bytes;
    ut_recorder_begin(recorder, KIND_HEAD, size + ut_recorder_padding(size));
    put_fixed(recorder, def, columns, texts.count);
    ut_record_columns(recorder->model, put_column, recorder);
    Texts ends = {.recorder = recorder, .write_ends = true};
    visit_texts(&ends, def);
    Texts bytes = {.recorder = recorder, .write_texts = true};
    visit_texts(&bytes, def);
    ut_recorder_pad(recorder, size);
    ut_recorder_finish(recorder);
    return UT_OK;
}
