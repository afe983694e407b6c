// SPDX-License-Identifier: Apache-2.0
// Are the triangles of a mesh turned the same way? Then the two triangles at an edge run along it in
// opposite directions.
#include "mesh_asset.h"

#include <string.h>

#include "base/sort.h"

static bool is_less(const void* a, const void* b, const void* context)
{
    (void)context;
    return *(const int*)a < *(const int*)b;
}

// The ends of the edges that begin at each vertex: entries start[v] ... start[v + 1] - 1.
typedef struct EdgeEnds {
    int* start; // vertices + 1
    int* end;   // 3 triangles
} EdgeEnds;

static bool has_three_corners(const int* corner)
{
    return corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0];
}

static void collect_ends(int vertices, int triangles, const int* triangle, EdgeEnds* ends)
{
    memset(ends->start, 0, ((size_t)vertices + 1) * sizeof *ends->start);
    for (int i = 0; i < triangles; i++) {
        const int* corner = triangle + (size_t)3 * (size_t)i;
        for (int k = 0; k < 3 && has_three_corners(corner); k++) {
            ends->start[corner[k]]++;
        }
    }
    int sum = 0;
    for (int v = 0; v <= vertices; v++) {
        sum += ends->start[v];
        ends->start[v] = sum; // the end of the vertex's part, which filling moves to its start
    }
    for (int i = triangles - 1; i >= 0; i--) {
        const int* corner = triangle + (size_t)3 * (size_t)i;
        for (int k = 0; k < 3 && has_three_corners(corner); k++) {
            ends->end[--ends->start[corner[k]]] = corner[(k + 1) % 3];
        }
    }
}

utStatus ut_mesh_turned_edge(int vertices, int triangles, const int* triangle, utArena scratch,
                             int edge[2])
{
    edge[0] = edge[1] = -1;
    EdgeEnds ends = {UT_PUSH(&scratch, int, (size_t)vertices + 1),
                     UT_PUSH(&scratch, int, 3 * (size_t)triangles + 1)};
    int* spare = UT_PUSH(&scratch, int, 3 * (size_t)triangles + 1);
    if (ends.start == NULL || ends.end == NULL || spare == NULL) {
        return UT_ERR_MEMORY;
    }
    collect_ends(vertices, triangles, triangle, &ends);
    for (int v = 0; v < vertices && edge[0] < 0; v++) {
        const int begin = ends.start[v], count = ends.start[v + 1] - begin;
        ut_sort(count, sizeof(int), ends.end + begin, spare, is_less, NULL);
        for (int k = 1; k < count && edge[0] < 0; k++) {
            if (ends.end[begin + k] == ends.end[begin + k - 1]) {
                edge[0] = v;
                edge[1] = ends.end[begin + k];
            }
        }
    }
    return UT_OK;
}
