// SPDX-License-Identifier: Apache-2.0
// UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
#include "internal.h"

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

// The second byte reveals overlong forms, surrogates and code points that are too large.
static bool second_byte_fits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xe0:
        return second >= 0xa0;
    case 0xed:
        return second <= 0x9f;
    case 0xf0:
        return second >= 0x90;
    case 0xf4:
        return second <= 0x8f;
    default:
        return true;
    }
}

size_t ut_utf8_size(const char* text, const char* end)
{
    if (text >= end) {
        return 0;
    }
    const unsigned char first = (unsigned char)text[0];
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xc2 || first > 0xf4) {
        return 0;
    }
    const size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if ((size_t)(end - text) < size || !second_byte_fits(first, (unsigned char)text[1])) {
        return 0;
    }
    for (size_t i = 1; i < size; i++) {
        if (!is_continuation(text[i])) {
            return 0;
        }
    }
    return size;
}

size_t ut_utf8_fit(const char* text, size_t size, size_t room)
{
    if (size <= room) {
        return size;
    }
    // a character has at most three continuation bytes; a longer run is not UTF-8 anyway
    for (size_t back = 0; back <= 3 && back <= room; back++) {
        if (!is_continuation(text[room - back])) {
            return room - back;
        }
    }
    return room;
}
