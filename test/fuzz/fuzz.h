// SPDX-License-Identifier: Apache-2.0
// Readers under hostile input. A target is one file: it reads bytes and sees what may be done with
// them after. Two drivers call it: mutate.c, a part of the tests, and clang's libFuzzer
// (-DUPTACK_FUZZ=ON).
#ifndef UPTACK_TEST_FUZZ_H
#define UPTACK_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uptack/uptack.h>

enum { FUZZ_ROOM = 1 << 15 }; // bytes of an input

/// Read one input; aborts when something is not as it must be. @return 0
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// Good inputs to begin with. @return bytes of the k-th one, 0: there are no more
size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM]);

/// Words that such texts are made of, NULL behind the last.
extern const char* const fuzz_words[];

/// Runs of one call of the tests, a few seconds of them.
extern const int fuzz_runs;

/// An expectation of a target.
#define MUST(holds)                                                                \
    do {                                                                           \
        if (!(holds)) {                                                            \
            fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #holds); \
            abort();                                                               \
        }                                                                          \
    } while (0)

/// A file as a seed.
static inline size_t fuzz_file(const char* path, uint8_t data[FUZZ_ROOM])
{
    FILE* file = fopen(path, "rb");
    MUST(file != NULL);
    const size_t size = fread(data, 1, FUZZ_ROOM, file);
    fclose(file);
    return size;
}

#endif
