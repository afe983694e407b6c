// SPDX-License-Identifier: Apache-2.0
// MuJoCo's binary formats: meshes and, if the first bit of the input is set, height fields.
#include "mesh.h"

const int fuzz_runs = 60000;

const char* const fuzz_words[] = {"$MeshFormat", "\xff\xff\xff\xff", "\x7f", "\x80", NULL};

size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM])
{
    static const uint32_t mesh[4] = {4, 0, 0, 4}, full[4] = {4, 4, 6, 4}, heights[2] = {3, 4};
    const uint8_t kind = k == 2;
    uint8_t* at = data;
    put(&at, &kind, 1);
    if (k == 2) {
        put(&at, heights, sizeof heights);
        put(&at, corner, sizeof corner);
    } else {
        put(&at, k == 0 ? mesh : full, sizeof mesh);
        for (int i = 0; i < (k == 0 ? 1 : 3); i++) {
            put(&at, corner, sizeof corner); // of vertices, normals, texture coordinates
        }
        put(&at, face, sizeof face);
    }
    return k < 3 ? (size_t)(at - data) : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0 || size > FUZZ_ROOM) {
        return 0;
    }
    // behind the first byte, in memory of that very size, for the sanitizers
    uint8_t* copy = malloc(size);
    MUST(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    if ((data[0] & 1) != 0) {
        fuzz_heights(copy, size - 1, "a.bin");
    } else {
        fuzz_mesh(copy, size - 1, "a.msh");
    }
    free(copy);
    return 0;
}
