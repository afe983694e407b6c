// SPDX-License-Identifier: Apache-2.0
// Reads the head of a recording: sizes and texts.
#include "internal.h"

// ---- texts --------------------------------------------------------------------------------------

static utText text_at(const utRecording* r, size_t number)
{
    const size_t begin = number > 0 ? ut_recording_u32(r->ends_at + 4 * (number - 1)) : 0;
    const size_t end = ut_recording_u32(r->ends_at + 4 * number);
    return (utText){r->texts + begin, end - begin};
}

utText ut_recording_change(const utRecording* recording, int change)
{
    return text_at(recording, HEAD_TEXTS + (size_t)change);
}

utText ut_recording_geom(const utRecording* recording, int geom)
{
    return text_at(recording, HEAD_TEXTS + (size_t)recording->changes + (size_t)geom);
}

utText ut_recording_column(const utRecording* recording, int column)
{
    return text_at(recording, HEAD_TEXTS + (size_t)recording->changes + (size_t)recording->ngeom +
                                  (size_t)column);
}

size_t ut_recording_value(const utRecording* recording, int column)
{
    return ut_recording_u32(recording->columns_at + 4 * (size_t)column);
}

// ---- checks -------------------------------------------------------------------------------------

// Read the sizes; each is a u32 that must fit into an int.
static utStatus read_sizes(utRecording* r, size_t at, uint32_t* texts, utError* err)
{
    int* const to[] = {&r->nq,    &r->nv,    &r->nu,      &r->nmocap,
                       &r->nbody, &r->ngeom, &r->columns, &r->changes};
    enum { SIZES = sizeof to / sizeof *to };
    for (size_t k = 0; k < SIZES; k++) {
        const uint32_t value = ut_recording_u32(r->bytes + at + 4 + 4 * k);
        if (value > INT32_MAX) {
            return ut_recording_damaged(r, at + 4 + 4 * k, err, "a size is not possible");
        }
        *to[k] = (int)value;
    }
    *texts = ut_recording_u32(r->bytes + at + 36);
    r->directions = (int)(ut_recording_u32(r->bytes + at + 40) & INT32_MAX);
    r->keep_going = (ut_recording_u32(r->bytes + at + 44) & FLAG_KEEP_GOING) != 0;
    const uint64_t sum =
        HEAD_TEXTS + (uint64_t)r->changes + (uint64_t)r->ngeom + (uint64_t)r->columns;
    if (*texts != sum || r->nbody < 1) {
        return ut_recording_damaged(r, at, err, "the sizes in the head do not fit together");
    }
    return UT_OK;
}

// Check that columns show numbers of a state, and that texts follow each other within `room`.
static utStatus check_lists(const utRecording* r, uint32_t texts, uint64_t room, utError* err)
{
    for (int k = 0; k < r->columns; k++) {
        if (ut_recording_value(r, k) >= r->values) {
            return ut_recording_damaged(r, (size_t)(r->columns_at - r->bytes) + 4 * (size_t)k, err,
                                        "a column shows a number that states do not have");
        }
    }
    uint32_t last = 0;
    for (size_t k = 0; k < texts; k++) {
        const uint32_t end = ut_recording_u32(r->ends_at + 4 * k);
        if (end < last || end > room) {
            return ut_recording_damaged(r, (size_t)(r->ends_at - r->bytes) + 4 * k, err,
                                        "a text in the head lies outside of it");
        }
        last = end;
    }
    return UT_OK;
}

utStatus ut_recording_head(utRecording* r, size_t at, uint64_t size, utError* err)
{
    const unsigned char* bytes = r->bytes + at;
    if (size < HEAD_FIXED) {
        return ut_recording_damaged(r, at, err, "the head is too short");
    }
    if (ut_recording_u32(bytes) != RECORDING_VERSION) {
        return ut_recording_damaged(r, at, err,
                                    "a recording of version %u, and this program reads version %d",
                                    ut_recording_u32(bytes), RECORDING_VERSION);
    }
    uint32_t texts = 0;
    UT_TRY(read_sizes(r, at, &texts, err));
    r->model_hash = ut_recording_u64(bytes + 48);
    r->dt = ut_recording_double(bytes + 56);
    r->tolerance = ut_recording_double(bytes + 64);

    // numbers per state; a record must be able to hold them
    const uint64_t values = 1 + (uint64_t)r->nq + (uint64_t)r->nv +
                            (uint64_t)MOCAP_VALUES * (uint64_t)r->nmocap +
                            (uint64_t)BODY_CELLS * (uint64_t)(r->nbody - 1) +
                            (ut_recording_u32(bytes + 44) >> FLAG_EXTRAS);
    const uint64_t lists = 4 * ((uint64_t)r->columns + texts);
    if (lists > size - HEAD_FIXED || values > SIZE_MAX / 8) {
        return ut_recording_damaged(r, at, err, "the sizes in the head do not fit into it");
    }
    r->values = (size_t)values;
    r->extras = ut_recording_u32(bytes + 44) >> FLAG_EXTRAS;
    r->columns_at = bytes + HEAD_FIXED;
    r->ends_at = r->columns_at + 4 * (size_t)r->columns;
    r->texts = (const char*)(r->ends_at + 4 * (size_t)texts);
    UT_TRY(check_lists(r, texts, size - HEAD_FIXED - lists, err));
    r->source = text_at(r, 0);
    r->model_name = text_at(r, 1);
    r->formulation = text_at(r, 2);
    r->solver = text_at(r, 3);
    r->integrator = text_at(r, 4);
    return UT_OK;
}
