// SPDX-License-Identifier: Apache-2.0
// STL files, binary and text.
#include "mesh.h"

const int fuzz_runs = 60000;

const char* const fuzz_words[] = {
    "solid",   "facet", "vertex", "normal", "outer loop", "endloop", "endfacet", "endsolid",
    "1e39",    "nan",   "-0",     "1e-46",  "\n",         "1e-320",  "\xff",     "\xff\xff\xff\xff",
    "SOLID a", NULL};

static size_t seed_binary(uint8_t* data)
{
    static const uint8_t zeros[80] = {0};
    const uint32_t count = 4;
    uint8_t* at = data;
    put(&at, zeros, 80);
    put(&at, &count, 4);
    for (int i = 0; i < 4; i++) {
        put(&at, zeros, 12);
        for (int k = 0; k < 3; k++) {
            put(&at, corner + 3 * face[3 * i + k], 12);
        }
        put(&at, zeros, 2);
    }
    return (size_t)(at - data);
}

static size_t seed_text(uint8_t* data)
{
    char* at = (char*)data;
    at += sprintf(at, "solid tetrahedron\n");
    for (int i = 0; i < 4; i++) {
        at += sprintf(at, "facet normal 0 0 1\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            const float* x = corner + 3 * face[3 * i + k];
            at += sprintf(at, "vertex %g %g %g\n", (double)x[0], (double)x[1], (double)x[2]);
        }
        at += sprintf(at, "endloop\nendfacet\n");
    }
    at += sprintf(at, "endsolid tetrahedron\n");
    return (size_t)(at - (char*)data);
}

size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM])
{
    return k == 0 ? seed_binary(data) : k == 1 ? seed_text(data) : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size <= FUZZ_ROOM) {
        fuzz_mesh(data, size, "a.stl");
    }
    return 0;
}
