// SPDX-License-Identifier: Apache-2.0
// Triangle meshes: adjacency and convex edges.
//
// Two triangles are adjacent when they share an edge in opposite directions. Vertices with equal
// coordinates are one vertex. All sorting uses total orders, so equal triangles give equal meshes.
#include "bounds.h"
#include "base/sort.h"
#include "hull.h"
#include "mesh_tree.h"
#include "tolerances.h"

#include <string.h>

// ---- input --------------------------------------------------------------------------------------

static utStatus check_input(int vertices, const utVec3* vertex, int triangles, const int* triangle,
                            utError* err)
{
    // the number of edges must fit an int
    if (vertices < 0 || triangles < 0 || triangles > INT32_MAX / 3) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "mesh: %d vertices and %d triangles; the counts are out of range",
                            vertices, triangles);
    }
    for (int i = 0; i < vertices; i++) {
        const utVec3 x = vertex[i];
        if (!(fabs(x.x) <= UT_SURFACE_LARGEST && fabs(x.y) <= UT_SURFACE_LARGEST &&
              fabs(x.z) <= UT_SURFACE_LARGEST)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "mesh: vertex %d is (%g, %g, %g); it must be finite", i, x.x, x.y,
                                x.z);
        }
    }
    for (int i = 0; i < 3 * triangles; i++) {
        if (!(triangle[i] >= 0 && triangle[i] < vertices)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "mesh: triangle %d names vertex %d; there are %d, from 0", i / 3,
                                triangle[i], vertices);
        }
    }
    return UT_OK;
}

static bool vertex_before(const void* first, const void* second, const void* context)
{
    const int a = *(const int*)first, b = *(const int*)second;
    const utVec3* p = (const utVec3*)context + a;
    const utVec3* q = (const utVec3*)context + b;
    if (p->x != q->x) {
        return p->x < q->x;
    }
    if (p->y != q->y) {
        return p->y < q->y;
    }
    return p->z != q->z ? p->z < q->z : a < b;
}

// same[i]: the first vertex with the coordinates of vertex i
static void merge_vertices(int vertices, const utVec3* vertex, int* order, int* spare, int* same)
{
    for (int i = 0; i < vertices; i++) {
        order[i] = i;
    }
    ut_sort(vertices, sizeof(int), order, spare, vertex_before, vertex);
    for (int i = 0; i < vertices; i++) {
        const utVec3 x = vertex[order[i]];
        const utVec3 y = vertex[order[i > 0 ? i - 1 : 0]];
        const bool equal = i > 0 && x.x == y.x && x.y == y.y && x.z == y.z;
        same[order[i]] = equal ? same[order[i - 1]] : order[i];
    }
}

// The normal from the two shorter edges, because their cross product is most accurate.
// @return false for a triangle without area
static bool find_normal(const utVec3* vertex, const int* corner, utVec3* normal, double* area)
{
    utVec3 edge[3];
    double square[3];
    int longest = 0;
    for (int k = 0; k < 3; k++) {
        edge[k] = ut_vec3_sub(vertex[corner[(k + 1) % 3]], vertex[corner[k]]);
        square[k] = ut_vec3_dot(edge[k], edge[k]);
        longest = square[k] > square[longest] ? k : longest;
    }
    const utVec3 cross = ut_vec3_cross(edge[(longest + 1) % 3], edge[(longest + 2) % 3]);
    *area = ut_vec3_norm(cross);
    return *area > UT_MESH_SLIVER * square[longest] && ut_vec3_normalize(cross, normal);
}

// ---- adjacency ----------------------------------------------------------------------------------

// The ends of edge e, which is edge e % 3 of triangle e / 3, in ascending order.
static void edge_ends(const int* triangle, int e, int* low, int* high)
{
    const int a = triangle[e], b = triangle[e - e % 3 + (e + 1) % 3];
    *low = a < b ? a : b;
    *high = a < b ? b : a;
}

static bool edge_before(const void* first, const void* second, const void* context)
{
    const int a = *(const int*)first, b = *(const int*)second;
    int a0, a1, b0, b1;
    edge_ends(context, a, &a0, &a1);
    edge_ends(context, b, &b0, &b1);
    if (a0 != b0) {
        return a0 < b0;
    }
    return a1 != b1 ? a1 < b1 : a < b;
}

static void find_adjacent(int triangles, const int* triangle, int* order, int* spare, int* adjacent)
{
    const int count = 3 * triangles;
    for (int e = 0; e < count; e++) {
        order[e] = e;
        adjacent[e] = -1;
    }
    ut_sort(count, sizeof(int), order, spare, edge_before, triangle);
    for (int i = 0, next; i < count; i = next) {
        int low, high;
        edge_ends(triangle, order[i], &low, &high);
        for (next = i + 1; next < count; next++) {
            int l, h;
            edge_ends(triangle, order[next], &l, &h);
            if (l != low || h != high) {
                break;
            }
        }
        // exactly two triangles, with opposite directions
        if (next - i == 2 && triangle[order[i]] != triangle[order[i + 1]]) {
            adjacent[order[i]] = order[i + 1] / 3;
            adjacent[order[i + 1]] = order[i] / 3;
        }
    }
}

// ---- planar regions -----------------------------------------------------------------------------

static bool area_before(const void* first, const void* second, const void* context)
{
    const int a = *(const int*)first, b = *(const int*)second;
    const double* area = context;
    return area[a] != area[b] ? area[a] > area[b] : a < b;
}

static bool is_on_plane(const utMesh* mesh, int t, utVec3 n, utVec3 x, double slack)
{
    for (int k = 0; k < 3; k++) {
        const utVec3 d = ut_vec3_sub(mesh->vertex[mesh->triangle[3 * t + k]], x);
        if (!(fabs(ut_vec3_dot(n, d)) <= slack)) {
            return false;
        }
    }
    return ut_vec3_dot(n, mesh->normal[t]) > UT_MESH_SAME_SIDE;
}

// Adjacent triangles on one plane, up to the rounding of their coordinates, get the same normal bit
// for bit: that of the largest. The normal of a sliver would be rounding.
// @param order triangles by decreasing area  @param stack as many entries  @param done all 0
static void share_normals(const utMesh* mesh, const int* order, int* stack, uint8_t* done,
                          double extent, utVec3* normal)
{
    const double slack = UT_MESH_COPLANAR * DBL_EPSILON * extent;
    for (int i = 0; i < mesh->triangles; i++) {
        const int seed = order[i];
        if (done[seed]) {
            continue;
        }
        const utVec3 n = normal[seed], x = mesh->vertex[mesh->triangle[3 * seed]];
        int top = 0;
        done[seed] = 1;
        stack[top++] = seed;
        while (top > 0) {
            const int t = stack[--top];
            normal[t] = n;
            for (int k = 0; k < 3; k++) {
                const int other = mesh->adjacent[3 * t + k];
                if (other >= 0 && !done[other] && is_on_plane(mesh, other, n, x, slack)) {
                    done[other] = 1;
                    stack[top++] = other;
                }
            }
        }
    }
}

// ---- mesh ---------------------------------------------------------------------------------------

// The arrays of a mesh under construction.
typedef struct MeshArrays {
    utVec3* vertex;
    int* triangle;
    int* adjacent;
    uint8_t* convex;
    utVec3* normal;
    struct utMeshNode* node;
} MeshArrays;

static void push_arrays(int vertices, int triangles, utArena* keep, MeshArrays* a)
{
    a->vertex = UT_PUSH(keep, utVec3, vertices);
    a->triangle = UT_PUSH(keep, int, 3 * (size_t)triangles);
    a->adjacent = UT_PUSH(keep, int, 3 * (size_t)triangles);
    a->convex = UT_PUSH(keep, uint8_t, 3 * (size_t)triangles);
    a->normal = UT_PUSH(keep, utVec3, triangles);
    a->node = UT_PUSH(keep, struct utMeshNode, 2 * (size_t)triangles);
}

// Copy the triangles with an area, with merged vertices. @return how many
static int copy_triangles(int triangles, const int* triangle, const int* same, const MeshArrays* a,
                          double* area)
{
    int count = 0;
    for (int t = 0; t < triangles; t++) {
        int* corner = a->triangle + 3 * (size_t)count;
        for (int k = 0; k < 3; k++) {
            corner[k] = same[triangle[3 * t + k]];
        }
        if (find_normal(a->vertex, corner, &a->normal[count], &area[count])) {
            count++;
        }
    }
    return count;
}

static double largest_extent(const utBounds* bounds)
{
    const utVec3 d = ut_vec3_sub(bounds->high, bounds->low);
    return fmax(d.x, fmax(d.y, d.z));
}

// Largest coordinate: rounding errors are relative to it.
static double reach_of(const utMesh* mesh)
{
    const utBounds* b = &mesh->bounds;
    return fmax(fmax(fmax(fabs(b->low.x), fabs(b->low.y)), fabs(b->low.z)),
                fmax(fmax(fabs(b->high.x), fabs(b->high.y)), fabs(b->high.z)));
}

static void find_convex(const utMesh* mesh, uint8_t* convex)
{
    const Surface surface = ut_surface_of_mesh(mesh);
    for (int t = 0; t < mesh->triangles; t++) {
        Triangle a, b;
        ut_surface_triangle(&surface, t, &a);
        for (int k = 0; k < 3; k++) {
            const int other = mesh->adjacent[3 * t + k];
            if (other >= 0) {
                ut_surface_triangle(&surface, other, &b);
            }
            convex[3 * t + k] = other < 0 || ut_edge_is_convex(&a, k, &b, surface.extent);
        }
    }
}

static utBounds corners_bounds(const utMesh* mesh)
{
    utBounds bounds = ut_bounds_empty();
    for (int i = 0; i < 3 * mesh->triangles; i++) {
        ut_bounds_include(&bounds, mesh->vertex[mesh->triangle[i]]);
    }
    return mesh->triangles > 0 ? bounds : (utBounds){ut_vec3_zero(), ut_vec3_zero()};
}

utStatus ut_mesh_build(int vertices, const utVec3* vertex, int triangles, const int* triangle,
                       utArena* keep, utArena scratch, utMesh* mesh, utError* err)
{
    UT_TRY(check_input(vertices, vertex, triangles, triangle, err));
    const size_t edges = 3 * (size_t)triangles;
    utArena kept = *keep;
    MeshArrays a;
    // the sorts of vertices, edges and triangles share these arrays
    const size_t most = edges > (size_t)vertices ? edges : (size_t)vertices;
    int* order = UT_PUSH(&scratch, int, most);
    int* spare = UT_PUSH(&scratch, int, most);
    int* same = UT_PUSH(&scratch, int, vertices);
    double* area = UT_PUSH(&scratch, double, triangles);
    uint8_t* done = UT_PUSH(&scratch, uint8_t, triangles);
    push_arrays(vertices, triangles, &kept, &a);
    if (ut_arena_failed(&scratch) || ut_arena_failed(&kept)) {
        return ut_error_set(err, UT_ERR_CAPACITY, "mesh: no memory for %d triangles", triangles);
    }

    if (vertices > 0) {
        memcpy(a.vertex, vertex, (size_t)vertices * sizeof *vertex);
    }
    merge_vertices(vertices, a.vertex, order, spare, same);
    const int count = copy_triangles(triangles, triangle, same, &a, area);
    utMesh m = {.vertices = vertices, .triangles = count, .vertex = a.vertex};
    m.triangle = a.triangle;
    m.adjacent = a.adjacent;
    m.convex = a.convex;
    m.normal = a.normal;
    m.node = a.node;
    m.bounds = corners_bounds(&m);
    find_adjacent(count, a.triangle, order, spare, a.adjacent);

    for (int t = 0; t < count; t++) {
        order[t] = t;
        done[t] = 0;
    }
    ut_sort(count, sizeof(int), order, spare, area_before, area);
    share_normals(&m, order, spare, done, reach_of(&m), a.normal);
    find_convex(&m, a.convex);

    for (int t = 0; t < count; t++) {
        order[t] = t;
    }
    m.nodes = ut_mesh_tree_build(&m, order, a.node);
    *keep = kept;
    *mesh = m;
    return UT_OK;
}

// ---- access to triangles ------------------------------------------------------------------------

Surface ut_surface_of_mesh(const utMesh* mesh)
{
    Surface surface = {.mesh = mesh};
    surface.extent = fmax(largest_extent(&mesh->bounds), reach_of(mesh));
    return surface;
}

static double distance_from_edge(const Triangle* t, int k, utVec3 x)
{
    const utVec3 a = t->v[k];
    utVec3 along;
    ut_vec3_normalize(ut_vec3_sub(t->v[(k + 1) % 3], a), &along);
    const utVec3 d = ut_vec3_sub(x, a);
    return ut_vec3_norm(ut_vec3_add_scaled(d, -ut_vec3_dot(d, along), along));
}

bool ut_edge_is_convex(const Triangle* a, int k, const Triangle* b, double extent)
{
    const int from = a->corner[k], to = a->corner[(k + 1) % 3];
    int far = 0;
    while (far < 2 && (b->corner[far] == from || b->corner[far] == to)) {
        far++;
    }
    const utVec3 x = a->v[(k + 2) % 3], y = b->v[far];
    const double reach_a = distance_from_edge(a, k, x), reach_b = distance_from_edge(a, k, y);
    // use the plane of the triangle that extends farther from the edge, and the corner of the other
    const bool a_is_plane = reach_a > reach_b || (reach_a == reach_b && a->id < b->id);
    const double height = a_is_plane ? ut_vec3_dot(a->normal, ut_vec3_sub(y, a->v[k]))
                                     : ut_vec3_dot(b->normal, ut_vec3_sub(x, a->v[k]));
    const double reach = a_is_plane ? reach_b : reach_a;
    const double noise = UT_MESH_NOISE * DBL_EPSILON * extent;
    // the triangles are folded onto each other
    if (ut_vec3_dot(a->normal, b->normal) < -UT_MESH_SAME_SIDE) {
        return height < noise;
    }
    return height < -(UT_MESH_FLAT * reach + noise);
}
