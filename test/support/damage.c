// SPDX-License-Identifier: Apache-2.0
#include "damage.h"

#include <stdlib.h>
#include <string.h>

size_t damage_text(utRng* rng, utText likely, char* text, size_t size, size_t room)
{
    const size_t at = size > 0 ? (size_t)ut_rng_below(rng, (int)size) : 0;
    const size_t run = 1 + (size_t)ut_rng_below(rng, 8);
    const size_t end = at + run < size ? at + run : size;
    const char c = ut_rng_below(rng, 4) > 0 ? likely.data[ut_rng_below(rng, (int)likely.size)]
                                            : (char)ut_rng_below(rng, 256);
    switch (ut_rng_below(rng, 5)) {
    case 0: // change a byte
        if (size > 0) {
            text[at] = c;
        }
        return size;
    case 1: // put one in
        if (size < room) {
            memmove(text + at + 1, text + at, size - at);
            text[at] = c;
            size++;
        }
        return size;
    case 2: // take some out
        memmove(text + at, text + end, size - end);
        return size - (end - at);
    case 3: // repeat some
        if (size + (end - at) <= room) {
            memmove(text + end, text + at, size - at);
            size += end - at;
        }
        return size;
    default: // stop early
        return at;
    }
}

char* exact_copy(const char* text, size_t size)
{
    char* exact = malloc(size + (size == 0));
    if (exact != NULL) {
        memcpy(exact, text, size);
    }
    return exact;
}
