// SPDX-License-Identifier: Apache-2.0
// The surface of a mesh or height field near a point. Only the triangles that contain the point
// count, because the surface need not be convex elsewhere.
#include "surface.h"

// ---- triangles ----------------------------------------------------------------------------------

static double segment_distance(utVec3 a, utVec3 b, utVec3 x)
{
    const utVec3 along = ut_vec3_sub(b, a), from = ut_vec3_sub(x, a);
    const double square = ut_vec3_dot(along, along);
    const double t = square > 0.0 ? ut_vec3_dot(from, along) / square : 0.0;
    const double within = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return ut_vec3_norm(ut_vec3_add_scaled(from, -within, along));
}

// Distance to the plane when x is above or below the triangle, else to the nearest side.
double ut_certify_triangle_distance(const Triangle* t, utVec3 x)
{
    bool inside = true;
    double nearest = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const utVec3 a = t->v[k], b = t->v[(k + 1) % 3];
        const utVec3 inward = ut_vec3_cross(t->normal, ut_vec3_sub(b, a));
        inside = inside && ut_vec3_dot(inward, ut_vec3_sub(x, a)) >= 0.0;
        nearest = fmin(nearest, segment_distance(a, b, x));
    }
    return inside ? fabs(ut_vec3_dot(t->normal, ut_vec3_sub(x, t->v[0]))) : nearest;
}

static double triangle_size(const Triangle* t)
{
    return fmax(fmax(ut_vec3_norm(ut_vec3_sub(t->v[1], t->v[0])),
                     ut_vec3_norm(ut_vec3_sub(t->v[2], t->v[1]))),
                ut_vec3_norm(ut_vec3_sub(t->v[0], t->v[2])));
}

// ---- surfaces -----------------------------------------------------------------------------------

static void visit(SurfacePoint* point, const Triangle* t)
{
    const double distance = ut_certify_triangle_distance(t, point->x);
    point->distance = fmin(point->distance, distance);
    point->triangles++;
    const double size = triangle_size(t);
    if (!(distance <= ON_TRIANGLE * size)) {
        return;
    }
    point->normal_error =
        fmin(point->normal_error, size * ut_vec3_norm(ut_vec3_sub(point->n, t->normal)));
    point->outward = point->outward || ut_vec3_dot(point->n, t->normal) >= 0.0;
    for (int k = 0; k < 3; k++) {
        const double beyond = ut_vec3_dot(point->n, ut_vec3_sub(t->v[k], point->x));
        point->excess = fmax(point->excess, beyond);
    }
}

// Distance of x from a box; 0 inside.
static double bounds_distance(const utBounds* box, utVec3 x)
{
    const double dx = fmax(fmax(box->low.x - x.x, x.x - box->high.x), 0.0);
    const double dy = fmax(fmax(box->low.y - x.y, x.y - box->high.y), 0.0);
    const double dz = fmax(fmax(box->low.z - x.z, x.z - box->high.z), 0.0);
    return ut_vec3_norm(ut_vec3(dx, dy, dz));
}

static void visit_mesh_triangle(SurfacePoint* point, const utMesh* mesh, int i)
{
    const int* corner = mesh->triangle + (size_t)3 * (size_t)i;
    const Triangle t = {
        .v = {mesh->vertex[corner[0]], mesh->vertex[corner[1]], mesh->vertex[corner[2]]},
        .normal = mesh->normal[i]};
    visit(point, &t);
}

// Visit the nearest triangle and all triangles that contain x, through the tree of boxes, the
// nearer box first. A triangle is no larger than the diagonal of its box. So every box of a
// triangle that contains x is within ON_TRIANGLE diagonals of x; the same margin covers rounding of
// the smallest distance so far.
static void visit_mesh(SurfacePoint* point, const utMesh* mesh)
{
    int stack[MESH_DEPTH + 1], top = 0;
    if (mesh->nodes > 0 && ut_vec3_norm(point->x) <= DBL_MAX) {
        stack[top++] = 0;
    }
    while (top > 0) {
        const int i = stack[--top];
        const struct utMeshNode* node = &mesh->node[i];
        const double diagonal = ut_vec3_norm(ut_vec3_sub(node->bounds.high, node->bounds.low));
        if (!(bounds_distance(&node->bounds, point->x) <=
              point->distance + ON_TRIANGLE * diagonal)) {
            continue;
        }
        if (node->triangle >= 0) {
            visit_mesh_triangle(point, mesh, node->triangle);
            continue;
        }
        const int left = i + 1, right = node->right;
        const bool left_first = bounds_distance(&mesh->node[left].bounds, point->x) <=
                                bounds_distance(&mesh->node[right].bounds, point->x);
        stack[top++] = left_first ? right : left;
        stack[top++] = left_first ? left : right;
    }
}

static utVec3 grid_point(const utShape* shape, int column, int row)
{
    const utHeights* heights = shape->heights;
    const double across = (double)column / (heights->columns - 1);
    const double up = (double)row / (heights->rows - 1);
    return ut_vec3((2.0 * across - 1.0) * shape->size.x, (2.0 * up - 1.0) * shape->size.y,
                   heights->height[(size_t)row * (size_t)heights->columns + (size_t)column]);
}

static void visit_cell(SurfacePoint* point, const utShape* shape, int column, int row)
{
    const utVec3 low = grid_point(shape, column, row);
    const utVec3 high = grid_point(shape, column + 1, row + 1);
    for (int k = 0; k < 2; k++) {
        const utVec3 side =
            k == 0 ? grid_point(shape, column + 1, row) : grid_point(shape, column, row + 1);
        Triangle t = {.v = {low, k == 0 ? side : high, k == 0 ? high : side}};
        const utVec3 up = ut_vec3_cross(ut_vec3_sub(t.v[1], low), ut_vec3_sub(t.v[2], low));
        if (ut_vec3_normalize(up, &t.normal)) {
            visit(point, &t);
        }
    }
}

// Visit the cell below x and its eight neighbours, because a border point may
// belong to a neighbour.
static void visit_heights(SurfacePoint* point, const utShape* shape)
{
    const int columns = shape->heights->columns - 1, rows = shape->heights->rows - 1;
    const double across = 0.5 * (ut_clamp(point->x.x / shape->size.x, -1.0, 1.0) + 1.0) * columns;
    const double up = 0.5 * (ut_clamp(point->x.y / shape->size.y, -1.0, 1.0) + 1.0) * rows;
    if (!(across >= 0.0 && up >= 0.0)) {
        return;
    }
    const int column = (int)across, row = (int)up;
    for (int j = row - 1; j <= row + 1; j++) {
        for (int i = column - 1; i <= column + 1; i++) {
            if (i >= 0 && i < columns && j >= 0 && j < rows) {
                visit_cell(point, shape, i, j);
            }
        }
    }
}

SurfacePoint ut_certify_surface_point(const utShape* shape, utVec3 x, utVec3 n)
{
    SurfacePoint point = {.x = x, .n = n, .distance = HUGE_VAL, .normal_error = HUGE_VAL};
    if (shape->kind == UT_SHAPE_MESH) {
        visit_mesh(&point, shape->mesh);
    } else {
        visit_heights(&point, shape);
    }
    return point;
}

double ut_certify_surface_slant(const SurfacePoint* point)
{
    return fmin(point->normal_error, point->outward ? point->excess : HUGE_VAL);
}
