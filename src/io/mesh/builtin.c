// SPDX-License-Identifier: Apache-2.0
// Vertices and triangles were derived from the meshes that MuJoCo 3.14.0 compiles; the masses of
// test/oracle/traps/mesh-builtin*.xml compare them.
#include "io/mesh/builtin.h"

#include <math.h>
#include <string.h>
#include <uptack/vec.h>

#include "la/power.h"

enum { MOST_PARAMETERS = 5, MOST_STEPS = 1000 };

static const double PI = 3.14159265358979323846;

// A vertex of single precision.
static int add_vertex(MeshData* data, double x, double y, double z)
{
    double* v = data->vertex + 3 * (size_t)data->vertices;
    v[0] = ut_to_single(x);
    v[1] = ut_to_single(y);
    v[2] = ut_to_single(z);
    return data->vertices++;
}

static void add_triangle(MeshData* data, int a, int b, int c)
{
    int* t = data->triangle + 3 * (size_t)data->triangles++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

// ---- sphere: an icosahedron, its triangles divided into four ------------------------------------

// All operations are those of single precision, as in MuJoCo: the next level begins with rounded vertices.
static int add_unit(MeshData* data, double x, double y, double z)
{
    const double xx = ut_to_single(x * x), yy = ut_to_single(y * y), zz = ut_to_single(z * z);
    const double norm = ut_to_single(sqrt(ut_to_single(ut_to_single(xx + yy) + zz)));
    return add_vertex(data, x / norm, y / norm, z / norm);
}

typedef struct Edge {
    int low, high, middle; // vertices
} Edge;

// The vertex in the middle of an edge, which two triangles share.
static int middle(MeshData* data, int a, int b, Edge* edge, int* edges)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    for (int i = 0; i < *edges; i++) {
        if (edge[i].low == low && edge[i].high == high) {
            return edge[i].middle;
        }
    }
    const double *p = data->vertex + 3 * (size_t)a, *q = data->vertex + 3 * (size_t)b;
    const int made = add_unit(data, ut_to_single(p[0] + q[0]), ut_to_single(p[1] + q[1]),
                              ut_to_single(p[2] + q[2]));
    edge[(*edges)++] = (Edge){low, high, made};
    return made;
}

static void divide(MeshData* data, int triangles, const int* triangle, Edge* edge)
{
    int edges = 0;
    data->triangles = 0;
    for (int t = 0; t < triangles; t++) {
        const int a = triangle[3 * t], b = triangle[3 * t + 1], c = triangle[3 * t + 2];
        const int ab = middle(data, a, b, edge, &edges), bc = middle(data, b, c, edge, &edges);
        const int ca = middle(data, c, a, edge, &edges);
        add_triangle(data, a, ab, ca);
        add_triangle(data, b, bc, ab);
        add_triangle(data, c, ca, bc);
        add_triangle(data, ab, bc, ca);
    }
}

static utStatus make_sphere(const double* p, utArena* keep, MeshData* data)
{
    static const int face[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                    {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                    {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                    {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double a = 1.0 / sqrt(0.5 * (5.0 + sqrt(5.0))), b = 0.5 * (1.0 + sqrt(5.0)) * a;
    const double corner[12][3] = {{-a, b, 0}, {a, b, 0}, {-a, -b, 0}, {a, -b, 0},
                                  {0, -a, b}, {0, a, b}, {0, -a, -b}, {0, a, -b},
                                  {b, 0, -a}, {b, 0, a}, {-b, 0, -a}, {-b, 0, a}};
    for (int i = 0; i < 12; i++) {
        (void)add_vertex(data, corner[i][0], corner[i][1], corner[i][2]);
    }
    for (int i = 0; i < 20; i++) {
        add_triangle(data, face[i][0], face[i][1], face[i][2]);
    }
    const int levels = (int)p[0];
    const size_t most = (size_t)60 << (2 * levels);
    int* old = UT_PUSH(keep, int, most);
    Edge* edge = UT_PUSH(keep, Edge, most);
    if (old == NULL || edge == NULL) {
        return UT_ERR_MEMORY;
    }
    for (int level = 0; level < levels; level++) {
        memcpy(old, data->triangle, 3 * (size_t)data->triangles * sizeof *old);
        divide(data, data->triangles, old, edge);
    }
    return UT_OK;
}

// ---- hemisphere: half an octahedron with n + 1 rings, moved to the sphere -----------------------

// The vertex k of ring r, which has 4 r of them behind the pole and the rings above.
static int ring_vertex(int r, int k)
{
    return r == 0 ? 0 : 1 + 2 * r * (r - 1) + k % (4 * r);
}

static void add_ring(MeshData* data, int r, int rings)
{
    static const int turn[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    for (int k = 0; k < 4 * r; k++) {
        const int *from = turn[k / r], *to = turn[k / r + 1], i = k % r;
        const double x = from[0] * (r - i) + to[0] * i, y = from[1] * (r - i) + to[1] * i;
        const double z = rings - r, norm = sqrt(x * x + y * y + z * z);
        (void)add_vertex(data, x / norm, y / norm, z / norm);
    }
}

static void add_band(MeshData* data, int r)
{
    for (int k = 0; k < 4 * (r + 1); k++) {
        const int quarter = k / (r + 1), i = k % (r + 1);
        const int above = quarter * r + i;
        add_triangle(data, ring_vertex(r, above), ring_vertex(r + 1, k), ring_vertex(r + 1, k + 1));
        if (i < r) {
            add_triangle(data, ring_vertex(r, above), ring_vertex(r + 1, k + 1),
                         ring_vertex(r, above + 1));
        }
    }
}

static utStatus make_hemisphere(const double* p, utArena* keep, MeshData* data)
{
    (void)keep;
    const int rings = (int)p[0] + 1;
    (void)add_vertex(data, 0.0, 0.0, 1.0);
    for (int r = 1; r <= rings; r++) {
        add_ring(data, r, rings);
    }
    const int centre = add_vertex(data, 0.0, 0.0, 0.0);
    for (int r = 0; r < rings; r++) {
        add_band(data, r);
    }
    for (int k = 0; k < 4 * rings; k++) {
        add_triangle(data, ring_vertex(rings, k), centre, ring_vertex(rings, k + 1));
    }
    return UT_OK;
}

// ---- cone: a prism whose upper end has another radius -------------------------------------------

static utStatus make_cone(const double* p, utArena* keep, MeshData* data)
{
    (void)keep;
    const int n = (int)p[0];
    double s, c;
    for (int i = 0; i < n; i++) {
        ut_sincos(2.0 * PI * i / n, &s, &c);
        (void)add_vertex(data, c, s, -1.0);
    }
    for (int i = 0; i < n && p[1] > 0.0; i++) {
        ut_sincos(2.0 * PI * i / n, &s, &c);
        (void)add_vertex(data, p[1] * c, p[1] * s, 1.0);
    }
    if (!(p[1] > 0.0)) {
        (void)add_vertex(data, 0.0, 0.0, 1.0);
    }
    return UT_OK;
}

// ---- superquadrics: powers of sines and cosines that keep their signs ---------------------------

static void powers(double angle, double exponent, double* s, double* c)
{
    double sine, cosine;
    ut_sincos(angle, &sine, &cosine);
    *s = copysign(sine != 0.0 ? ut_pow(fabs(sine), exponent) : 0.0, sine);
    *c = copysign(cosine != 0.0 ? ut_pow(fabs(cosine), exponent) : 0.0, cosine);
}

static utStatus make_supersphere(const double* p, utArena* keep, MeshData* data)
{
    (void)keep;
    const int n = (int)p[0];
    double slat, clat, slon, clon;
    (void)add_vertex(data, 0.0, 0.0, -1.0);
    for (int i = 1; i < n; i++) {
        powers(-0.5 * PI + PI * i / n, p[2], &slat, &clat);
        for (int j = 0; j < n; j++) {
            powers(-PI + 2.0 * PI * j / n, p[1], &slon, &clon);
            (void)add_vertex(data, clat * clon, clat * slon, slat);
        }
    }
    const int top = add_vertex(data, 0.0, 0.0, 1.0);
    for (int j = 0; j < n; j++) {
        add_triangle(data, 0, 1 + (j + 1) % n, 1 + j);
    }
    for (int i = 0; i < n - 2; i++) {
        for (int j = 0; j < n; j++) {
            const int a = 1 + i * n + j, b = 1 + i * n + (j + 1) % n;
            add_triangle(data, a, b, a + n);
            add_triangle(data, b, b + n, a + n);
        }
    }
    for (int j = 0; j < n; j++) {
        add_triangle(data, top - n + j, top - n + (j + 1) % n, top);
    }
    return UT_OK;
}

static utStatus make_supertorus(const double* p, utArena* keep, MeshData* data)
{
    (void)keep;
    const int n = (int)p[0];
    double su, cu, sv, cv;
    for (int i = 0; i < n; i++) {
        powers(2.0 * PI * i / n, p[3], &su, &cu);
        for (int j = 0; j < n; j++) {
            powers(2.0 * PI * j / n, p[2], &sv, &cv);
            const double radius = 1.0 + p[1] * cv;
            (void)add_vertex(data, radius * cu, radius * su, p[1] * sv);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const int next = (i + 1) % n, k = (j + 1) % n;
            add_triangle(data, i * n + j, next * n + j, i * n + k);
            add_triangle(data, next * n + j, next * n + k, i * n + k);
        }
    }
    return UT_OK;
}

// ---- wedge: the centres of the cells of a grid on the sphere ------------------------------------

// The centre of cell i of n, from -1 to 1. `gamma` draws the edges of the cells to the middle.
static double cell(int i, int n, double gamma)
{
    double centre = 0.0;
    for (int k = i; k <= i + 1; k++) {
        const double u = 2.0 * k / n - 1.0;
        centre += 0.5 * (gamma * u * u * u * u * u + (1.0 - gamma) * u);
    }
    return centre;
}

static utStatus make_wedge(const double* p, utArena* keep, MeshData* data)
{
    (void)keep;
    const int columns = (int)p[0], rows = (int)p[1];
    double sa, ca, sb, cb;
    for (int i = 0; i < columns; i++) {
        ut_sincos(cell(i, columns, p[4]) * p[2] * (PI / 180.0), &sa, &ca);
        for (int j = 0; j < rows; j++) {
            ut_sincos(cell(j, rows, p[4]) * p[3] * (PI / 180.0), &sb, &cb);
            (void)add_vertex(data, sa * cb, sb, -ca * cb);
        }
    }
    return UT_OK;
}

// ---- all kinds ----------------------------------------------------------------------------------

typedef struct Range {
    const char* name;
    double least, most;
} Range;

typedef struct Kind {
    const char* name;
    int parameters;
    Range range[MOST_PARAMETERS];
    utStatus (*make)(const double* p, utArena* keep, MeshData* data);
} Kind;

// MuJoCo has the same ranges, but no bound for numbers of steps. Exponents of a torus and fields of view
// are above 0, not at it; a number as small as their least one makes no mesh with a volume.
static const Kind kinds[] = {
    {"sphere", 1, {{"subdivision", 0, 4}}, make_sphere},
    {"hemisphere", 1, {{"resolution", 0, 10}}, make_hemisphere},
    {"cone", 2, {{"number of corners", 3, MOST_STEPS}, {"radius", -1e30, 1e30}}, make_cone},
    {"supersphere",
     3,
     {{"resolution", 3, MOST_STEPS}, {"exponent e", 0, 1e30}, {"exponent n", 0, 1e30}},
     make_supersphere},
    {"supertorus",
     4,
     {{"resolution", 3, MOST_STEPS},
      {"radius", 1e-30, 1},
      {"exponent s", 1e-30, 1e30},
      {"exponent t", 1e-30, 1e30}},
     make_supertorus},
    {"wedge",
     5,
     {{"horizontal resolution", 1, MOST_STEPS},
      {"vertical resolution", 1, MOST_STEPS},
      {"horizontal field of view", 1e-30, 180},
      {"vertical field of view", 1e-30, 90},
      {"foveation gamma", 0, 1}},
     make_wedge},
};

static const Kind* find_kind(const char* name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

static utStatus check_parameters(const Kind* kind, const double* p, int count, utError* err)
{
    if (count != kind->parameters) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "params of a mesh %s needs %d numbers and has %d",
                            kind->name, kind->parameters, count);
    }
    for (int i = 0; i < count; i++) {
        const Range* r = &kind->range[i];
        if (!(p[i] >= r->least && p[i] <= r->most)) {
            return ut_error_set(err, UT_ERR_ARGUMENT,
                                "the %s of a mesh %s is %g; it goes from %g to %g", r->name,
                                kind->name, p[i], r->least, r->most);
        }
    }
    return UT_OK;
}

// Upper bounds of the vertices and triangles of a kind.
static double most_triangles(const Kind* kind, const double* p)
{
    if (kind->make == make_sphere) {
        return 20.0 * (1 << (2 * (int)p[0]));
    }
    if (kind->make == make_hemisphere) {
        return 4.0 * (p[0] + 2.0) * (p[0] + 2.0);
    }
    return kind->make == make_cone    ? 2.0 * p[0] + 1.0
           : kind->make == make_wedge ? p[0] * p[1]
                                      : 2.0 * p[0] * p[0];
}

utStatus ut_mesh_builtin(const char* name, const double* parameter, int count,
                         const utLimits* limits, utArena* keep, MeshData* data, utError* err)
{
    const Kind* kind = find_kind(name);
    if (kind == NULL) {
        return ut_error_set(err, UT_ERR_ARGUMENT, "'%.40s' is no builtin mesh that has a volume",
                            name);
    }
    UT_TRY(check_parameters(kind, parameter, count, err));
    const double most = most_triangles(kind, parameter) + 2.0;
    if (most > limits->triangles || most > limits->vertices) {
        return ut_error_set(err, UT_ERR_ARGUMENT,
                            "the mesh would have some %.0f triangles; utLimits.vertices and "
                            "utLimits.triangles set the limit",
                            most);
    }
    *data = (MeshData){0};
    data->vertex = UT_PUSH(keep, double, 3 * (size_t)most);
    data->triangle = UT_PUSH(keep, int, 3 * (size_t)most);
    const utStatus status = data->vertex != NULL && data->triangle != NULL
                                ? kind->make(parameter, keep, data)
                                : UT_ERR_MEMORY;
    return status == UT_OK ? UT_OK : ut_error_set(err, status, "memory is short");
}
