// SPDX-License-Identifier: Apache-2.0
// Traversal of the triangles of a surface near a box: by a mesh's tree, by a height field's cells.
#include "internal.h"
#include "geom/bounds.h"

static void visit_mesh(const utMesh* mesh, const utBounds* box, TriangleVisit* visit, void* context)
{
    int stack[MESH_DEPTH], top = 0;
    if (mesh->nodes > 0) {
        stack[top++] = 0;
    }
    while (top > 0) {
        int i = stack[--top];
        // descend to the left
        while (ut_bounds_meet(&mesh->node[i].bounds, box)) {
            if (mesh->node[i].right == 0) {
                visit(context, mesh->node[i].triangle);
                break;
            }
            stack[top++] = mesh->node[i].right;
            i++;
        }
    }
}

// Does the cell's height range meet that of the box?
static bool cell_meets(const utHeights* h, int i, int j, const utBounds* box)
{
    const double* z = h->height + (size_t)j * (size_t)h->columns + (size_t)i;
    const double* above = z + h->columns;
    const double low = fmin(fmin(z[0], z[1]), fmin(above[0], above[1]));
    const double high = fmax(fmax(z[0], z[1]), fmax(above[0], above[1]));
    return low <= box->high.z && high >= box->low.z;
}

void ut_surface_visit(const Surface* surface, const utBounds* box, TriangleVisit* visit,
                      void* context)
{
    if (surface->mesh != NULL) {
        visit_mesh(surface->mesh, box, visit, context);
        return;
    }
    const utHeights* h = surface->heights;
    const Cells cells = ut_heights_cells(surface, box);
    for (int j = cells.y0; j < cells.y1; j++) {
        for (int i = cells.x0; i < cells.x1; i++) {
            if (cell_meets(h, i, j, box)) {
                const int cell = j * (h->columns - 1) + i;
                visit(context, 2 * cell);
                visit(context, 2 * cell + 1);
            }
        }
    }
}
