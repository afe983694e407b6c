// SPDX-License-Identifier: Apache-2.0
// OBJ files.
#include "mesh.h"

const int fuzz_runs = 60000;

const char* const fuzz_words[] = {"v 1 2 3\n",
                                  "f 1 2 3\n",
                                  "f -1 -2 -3\n",
                                  "f 1 2 3 4 5\n",
                                  "1e39",
                                  "nan",
                                  "//",
                                  "\\\n",
                                  "\\\r\n",
                                  "2147483648",
                                  "18446744073709551617",
                                  "o b\n",
                                  "g c\n",
                                  "#",
                                  "/",
                                  "-1",
                                  "0",
                                  "vn 0 0 1\n",
                                  "1/2/3",
                                  "\xff",
                                  NULL};

size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM])
{
    static const char* const seeds[] = {
        "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1/1 3/1/2 2//3\nf 1 2 4\nf -4 -1 -2\nf 2 3 4 "
        "1\n",
        "# a cube\nv 0 0 0\nv 1 0 0 1\nv 1 1 0\nv 0 1 0 1 1 1\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
        "g bottom\nf 4 3 2 1\ng top\nf 5 6 7 8\ng sides\nf 1 2 6 5\nf 2 3 7 \\\n6\nf 3 4 8 7\nf 4 "
        "1 5 8\n",
        "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.5 0\nv 0 2 0\nv 1 1 1\nf 1 2 3 4 5\nf 1 2 6\nf 2 3 6\n",
    };
    const bool there = k < (int)(sizeof seeds / sizeof *seeds);
    if (there) {
        memcpy(data, seeds[k], strlen(seeds[k]));
    }
    return there ? strlen(seeds[k]) : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size <= FUZZ_ROOM) {
        fuzz_mesh(data, size, "a.obj");
    }
    return 0;
}
