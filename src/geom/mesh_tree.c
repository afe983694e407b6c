// SPDX-License-Identifier: Apache-2.0
// The bounding-volume tree of a mesh: each node halves its triangles along the axis of the largest
// spread of their centroids.
#include "mesh_tree.h"

#include "bounds.h"

// Three times the coordinate of a triangle's centroid along an axis.
static double centre_of(const utMesh* mesh, int t, int axis)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const utVec3 x = mesh->vertex[mesh->triangle[3 * t + k]];
        sum += axis == 0 ? x.x : axis == 1 ? x.y : x.z;
    }
    return sum;
}

typedef struct CentreAxis {
    const utMesh* mesh;
    int axis;
} CentreAxis;

static bool centre_before(const CentreAxis* along, int a, int b)
{
    const double x = centre_of(along->mesh, a, along->axis);
    const double y = centre_of(along->mesh, b, along->axis);
    return x != y ? x < y : a < b;
}

// Reorder order[first ... last - 1] so that its first half precedes the second (quickselect; Hoare,
// 1961). The order is total, and the pivot is the median of three.
static void select_half(int* order, int first, int last, const CentreAxis* along)
{
    const int middle = first + (last - first) / 2;
    int low = first, high = last - 1;
    while (low < high) {
        const int a = order[low], b = order[low + (high - low) / 2], c = order[high];
        const bool ab = centre_before(along, a, b), bc = centre_before(along, b, c);
        const int pivot = ab == bc ? b : centre_before(along, a, c) == ab ? c : a;
        int i = low, j = high;
        while (i <= j) {
            while (centre_before(along, order[i], pivot)) {
                i++;
            }
            while (centre_before(along, pivot, order[j])) {
                j--;
            }
            if (i <= j) {
                const int t = order[i];
                order[i++] = order[j];
                order[j--] = t;
            }
        }
        if (middle <= j) {
            high = j;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static utBounds bounds_of(const utMesh* mesh, const int* order, int first, int last, int* axis)
{
    utBounds bounds = ut_bounds_empty(), centres = ut_bounds_empty();
    for (int i = first; i < last; i++) {
        const int t = order[i];
        for (int k = 0; k < 3; k++) {
            ut_bounds_include(&bounds, mesh->vertex[mesh->triangle[3 * t + k]]);
        }
        ut_bounds_include(
            &centres, ut_vec3(centre_of(mesh, t, 0), centre_of(mesh, t, 1), centre_of(mesh, t, 2)));
    }
    const utVec3 d = ut_vec3_sub(centres.high, centres.low);
    *axis = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
    return bounds;
}

// The right half, which waits while the left half is built.
typedef struct WaitingRange {
    int first, last, parent;
} WaitingRange;

int ut_mesh_tree_build(const utMesh* mesh, int* order, struct utMeshNode* node)
{
    WaitingRange stack[MESH_DEPTH];
    int top = 0, count = 0;
    stack[top++] = (WaitingRange){0, mesh->triangles, -1};
    while (top > 0 && mesh->triangles > 0) {
        WaitingRange range = stack[--top];
        if (range.parent >= 0) {
            node[range.parent].right = count;
        }
        // descend to the left; the right halves wait
        for (;;) {
            int axis;
            struct utMeshNode* here = &node[count];
            here->bounds = bounds_of(mesh, order, range.first, range.last, &axis);
            here->right = 0;
            here->triangle = -1;
            if (range.last - range.first == 1) {
                here->triangle = order[range.first];
                count++;
                break;
            }
            select_half(order, range.first, range.last, &(CentreAxis){mesh, axis});
            const int middle = range.first + (range.last - range.first) / 2;
            stack[top++] = (WaitingRange){middle, range.last, count};
            range.last = middle;
            count++;
        }
    }
    return count;
}
