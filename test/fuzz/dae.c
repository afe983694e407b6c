// SPDX-License-Identifier: Apache-2.0
// Collada: whatever the text, it is decoded to triangles of vertices that exist, or refused with a place.
#include "fuzz.h"

#include <math.h>

#include "io/mesh/mesh_file.h"

const int fuzz_runs = 40000;

const char* const fuzz_words[] = {"nan",
                                  "-1",
                                  "0",
                                  "1e308",
                                  "1e-320",
                                  "",
                                  "1e400",
                                  "3",
                                  "4",
                                  "99999999",
                                  "2.5",
                                  "'",
                                  "\"",
                                  "<",
                                  "/>",
                                  "&#48;",
                                  "<!--",
                                  "-->",
                                  "#n",
                                  "#g",
                                  "#s",
                                  "<node",
                                  "</node>",
                                  "<matrix>",
                                  "<scale>",
                                  "<rotate>",
                                  "Z_UP",
                                  "X_UP",
                                  "<p>",
                                  "</p>",
                                  "<vcount>",
                                  "polylist",
                                  "polygons",
                                  "tristrips",
                                  "trifans",
                                  "offset",
                                  "stride",
                                  "source",
                                  "VERTEX",
                                  "POSITION",
                                  "\xff",
                                  "xmlns=",
                                  "instance_node",
                                  "instance_geometry",
                                  "<triangles",
                                  "id='g'",
                                  "id='n'",
                                  NULL};

size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM])
{
    static const char* const paths[] = {
        "test/io/models/house.dae",        "test/bad/dae/polylist_short.dae",
        "test/bad/dae/node_in_itself.dae", "test/bad/dae/hole.dae",
        "test/bad/dae/corner_word.dae",    "test/bad/dae/matrix_word.dae",
    };
    return k < (int)(sizeof paths / sizeof *paths) ? fuzz_file(paths[k], data) : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    utArena arena;
    MeshData mesh;
    utError err = {0};
    MUST(ut_arena_create(0, NULL, &arena) == UT_OK);
    const utStatus status =
        ut_mesh_decode((utText){(const char*)data, size}, "fuzz.dae", NULL, &arena, &mesh, &err);
    if (status == UT_OK) {
        MUST(mesh.triangles > 0);
        for (int i = 0; i < 3 * mesh.triangles; i++) {
            MUST(mesh.triangle[i] >= 0 && mesh.triangle[i] < mesh.vertices);
        }
        for (int i = 0; i < 3 * mesh.vertices; i++) {
            MUST(isfinite(mesh.vertex[i]));
        }
    } else {
        MUST(status == UT_ERR_FORMAT && err.message[0] != '\0');
    }
    ut_arena_destroy(&arena);
    return 0;
}
