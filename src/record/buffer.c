// SPDX-License-Identifier: Apache-2.0
// The buffer before the sink, and the byte order of numbers.
#include <string.h>

#include "internal.h"

bool ut_buffer_create(utRecordSink sink, void* context, utArena* keep, utRecordBuffer* buffer)
{
    *buffer = (utRecordBuffer){.sink = sink, .context = context, .capacity = BUFFER_CAPACITY};
    buffer->bytes = UT_PUSH(keep, char, BUFFER_CAPACITY);
    return buffer->bytes != NULL;
}

bool ut_buffer_flush(utRecordBuffer* buffer)
{
    if (!buffer->failed && buffer->used > 0) {
        buffer->failed = !buffer->sink(buffer->context, buffer->bytes, buffer->used);
    }
    buffer->used = 0;
    return !buffer->failed;
}

void ut_buffer_put(utRecordBuffer* buffer, const void* bytes, size_t size)
{
    const char* from = bytes;
    while (size > 0 && !buffer->failed) {
        const size_t left = buffer->capacity - buffer->used;
        const size_t part = size < left ? size : left;
        memcpy(buffer->bytes + buffer->used, from, part);
        buffer->used += part;
        from += part;
        size -= part;
        if (buffer->used == buffer->capacity) {
            (void)ut_buffer_flush(buffer);
        }
    }
}

void ut_record_u32(uint32_t value, unsigned char bytes[4])
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i) & 0xff);
    }
}

void ut_record_u64(uint64_t value, unsigned char bytes[8])
{
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i) & 0xff);
    }
}
