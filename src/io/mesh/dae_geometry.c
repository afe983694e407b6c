// SPDX-License-Identifier: Apache-2.0
// The geometries of a Collada file: positions in a source, and lists of triangles, polygons, strips or
// fans that refer to them.
#include "dae.h"

#include <limits.h>

// The positions of a mesh.
typedef struct Positions {
    const XmlNode* array; // float_array
    uint64_t stride;
    uint64_t count;
} Positions;

// A list of corners: the vertex is one of several numbers per corner.
typedef struct Corners {
    Dae* dae;
    const XmlNode* p;
    const char* at;
    uint64_t stride, offset;
    uint64_t vertices; // of the mesh
    uint64_t first;    // number of the mesh's first vertex in the result
    bool mirrored;     // the map turns triangles inside out
} Corners;

static utStatus whole_attribute(const Dae* dae, const XmlNode* node, const char* name, uint64_t* x)
{
    const XmlAttribute* a = ut_xml_attribute(node, name);
    double value = 0.0;
    if (a == NULL) {
        return UT_OK;
    }
    const char* end = a->value + strlen(a->value);
    if (ut_number_read(a->value, end, &value) != end ||
        !(value >= 0.0 && value <= INT_MAX && value == (double)(uint64_t)value)) {
        return ut_decode_fail_at(dae->d, a->at, "%s is '%.40s'; it must be a whole number", name,
                                 a->value);
    }
    *x = (uint64_t)value;
    return UT_OK;
}

// ---- vertices -----------------------------------------------------------------------------------

static const XmlNode* find_input(const XmlNode* node, const char* semantic)
{
    for (const XmlNode* n = node->first; n != NULL; n = n->next) {
        const XmlAttribute* a = ut_dae_is(n, "input") ? ut_xml_attribute(n, "semantic") : NULL;
        if (a != NULL && strcmp(a->value, semantic) == 0) {
            return n;
        }
    }
    return NULL;
}

static utStatus find_positions(const Dae* dae, const XmlNode* mesh, Positions* positions)
{
    const XmlNode* vertices = ut_dae_child(mesh, "vertices");
    const XmlNode* input = vertices != NULL ? find_input(vertices, "POSITION") : NULL;
    if (input == NULL) {
        return ut_dae_fail(dae, mesh, "a mesh without an input of POSITION in 'vertices'");
    }
    const XmlNode* source = input;
    UT_TRY(ut_dae_find(dae, input, "source", "source", &source));
    const XmlNode* accessor = ut_dae_child(ut_dae_child(source, "technique_common"), "accessor");
    positions->array = ut_dae_child(source, "float_array");
    positions->stride = 3;
    if (positions->array == NULL) {
        return ut_dae_fail(dae, source, "a source of positions without a float_array");
    }
    if (accessor != NULL) {
        positions->stride = 1;
        UT_TRY(whole_attribute(dae, accessor, "stride", &positions->stride));
    }
    return positions->stride >= 3 ? UT_OK
                                  : ut_dae_fail(dae, source, "positions need three coordinates");
}

// Count the positions, or write them through the map.
static utStatus read_positions(const Dae* dae, const DaeMap* map, Positions* positions)
{
    const char* at = NULL;
    bool fail = false;
    double x[3] = {0.0, 0.0, 0.0};
    double value = 0.0;
    uint64_t numbers = 0;
    while (ut_dae_number(positions->array, &at, &value, &fail)) {
        const uint64_t k = numbers % positions->stride;
        if (k < 3) {
            x[k] = value;
        }
        if (k == 2 && dae->fill) {
            const utVec3 v =
                ut_vec3_add(ut_mat3_mul_vec(map->A, ut_vec3(x[0], x[1], x[2])), map->b);
            double* to = dae->data->vertex + 3 * (dae->vertices + numbers / positions->stride);
            to[0] = ut_to_single(v.x);
            to[1] = ut_to_single(v.y);
            to[2] = ut_to_single(v.z);
            if (!ut_coordinate_good(v.x) || !ut_coordinate_good(v.y) || !ut_coordinate_good(v.z)) {
                return ut_decode_fail_at(dae->d, at, "a coordinate of this vertex is not finite");
            }
        }
        numbers++;
    }
    positions->count = numbers / positions->stride;
    if (fail) {
        return ut_decode_fail_at(dae->d, at, "this is not a number");
    }
    return numbers % positions->stride == 0
               ? UT_OK
               : ut_dae_fail(dae, positions->array, "%llu numbers are no whole number of positions",
                             (unsigned long long)numbers);
}

// ---- triangles ----------------------------------------------------------------------------------

// The vertex of the next corner. @param any false at the end of the list
static utStatus next_corner(Corners* c, int* vertex, bool* any)
{
    *any = false;
    for (uint64_t k = 0; k < c->stride; k++) {
        bool fail = false;
        double value = 0.0;
        if (!ut_dae_number(c->p, &c->at, &value, &fail)) {
            return fail || k > 0
                       ? ut_dae_fail(c->dae, c->p,
                                     "a list of corners with a word that is no number, or "
                                     "without the last numbers")
                       : UT_OK;
        }
        if (k == c->offset) {
            if (!(value >= 0.0 && value < (double)c->vertices && value == (double)(int64_t)value)) {
                return ut_decode_fail_at(
                    c->dae->d, c->at,
                    "a corner refers to a vertex that does not exist; there are "
                    "%llu",
                    (unsigned long long)c->vertices);
            }
            *vertex = (int)value;
        }
    }
    *any = true;
    return UT_OK;
}

static void emit(Corners* c, int i, int j, int k)
{
    Dae* dae = c->dae;
    if (dae->fill) {
        int* triangle = dae->data->triangle + 3 * dae->triangles;
        triangle[0] = (int)c->first + i;
        triangle[1] = (int)c->first + (c->mirrored ? k : j);
        triangle[2] = (int)c->first + (c->mirrored ? j : k);
    }
    dae->triangles++;
}

// Polygons of `size` corners become fans of triangles. @param size 0: one polygon with all corners
static utStatus read_fans(Corners* c, uint64_t size, uint64_t polygons)
{
    for (uint64_t done = 0; done < polygons; done++) {
        int first = 0, last = 0;
        for (uint64_t corner = 0; size == 0 || corner < size; corner++) {
            int vertex = 0;
            bool any;
            UT_TRY(next_corner(c, &vertex, &any));
            if (!any && corner == 0 && size > 0 && polygons == UINT64_MAX) {
                return UT_OK;
            }
            if (!any) {
                return size == 0 ? UT_OK
                                 : ut_dae_fail(c->dae, c->p, "the list of corners ends early");
            }
            if (corner >= 2) {
                emit(c, first, last, vertex);
            }
            first = corner == 0 ? vertex : first;
            last = vertex;
        }
    }
    return UT_OK;
}

// Every corner of a strip makes a triangle with the two before it, alternately turned.
static utStatus read_strip(Corners* c)
{
    int before[2] = {0, 0};
    for (uint64_t corner = 0;; corner++) {
        int vertex = 0;
        bool any;
        UT_TRY(next_corner(c, &vertex, &any));
        if (!any) {
            return UT_OK;
        }
        if (corner >= 2) {
            const bool odd = corner % 2 == 1;
            emit(c, before[odd], before[!odd], vertex);
        }
        before[0] = before[1];
        before[1] = vertex;
    }
}

// A polylist has the numbers of corners in a list of their own.
static utStatus read_polylist(Corners* c, const XmlNode* list)
{
    const XmlNode* counts = ut_dae_child(list, "vcount");
    const char* at = NULL;
    bool fail = false;
    double size;
    while (counts != NULL && ut_dae_number(counts, &at, &size, &fail)) {
        if (!(size >= 3.0 && size <= INT_MAX && size == (double)(uint64_t)size)) {
            return ut_decode_fail_at(c->dae->d, at, "a polygon needs at least three corners");
        }
        UT_TRY(read_fans(c, (uint64_t)size, 1));
    }
    return counts != NULL && !fail ? UT_OK
                                   : ut_dae_fail(c->dae, list, "a polylist without a list vcount");
}

static utStatus read_lists(Corners* c, const XmlNode* list)
{
    for (const XmlNode* n = list->first; n != NULL; n = n->next) {
        if (ut_dae_is(n, "ph")) {
            return ut_dae_fail(c->dae, n,
                               "polygons with holes are not supported; export triangles");
        }
        if (!ut_dae_is(n, "p")) {
            continue;
        }
        c->p = n;
        c->at = NULL;
        if (ut_dae_is(list, "triangles")) {
            UT_TRY(read_fans(c, 3, UINT64_MAX));
        } else if (ut_dae_is(list, "polylist")) {
            UT_TRY(read_polylist(c, list));
        } else if (ut_dae_is(list, "tristrips")) {
            UT_TRY(read_strip(c));
        } else { // polygons and trifans: a list for each
            UT_TRY(read_fans(c, 0, 1));
        }
    }
    return UT_OK;
}

static utStatus read_primitive(Corners c, const XmlNode* list)
{
    const XmlNode* input = find_input(list, "VERTEX");
    if (input == NULL) {
        return ut_dae_fail(c.dae, list, "a list of triangles without an input of VERTEX");
    }
    UT_TRY(whole_attribute(c.dae, input, "offset", &c.offset));
    for (const XmlNode* n = list->first; n != NULL; n = n->next) {
        uint64_t offset = 0;
        if (ut_dae_is(n, "input")) {
            UT_TRY(whole_attribute(c.dae, n, "offset", &offset));
            c.stride = offset + 1 > c.stride ? offset + 1 : c.stride;
        }
    }
    return read_lists(&c, list);
}

utStatus ut_dae_geometry(Dae* dae, const XmlNode* geometry, const DaeMap* map)
{
    const XmlNode* mesh = ut_dae_child(geometry, "mesh");
    if (mesh == NULL) {
        return ut_dae_fail(dae, geometry, "a geometry that is not a mesh is not supported");
    }
    Positions positions = {NULL, 3, 0};
    UT_TRY(find_positions(dae, mesh, &positions));
    UT_TRY(read_positions(dae, map, &positions));
    const Corners corners = {.dae = dae,
                             .vertices = positions.count,
                             .first = dae->vertices,
                             .mirrored = ut_mat3_determinant(map->A) < 0.0};
    for (const XmlNode* n = mesh->first; n != NULL; n = n->next) {
        if (ut_dae_is(n, "triangles") || ut_dae_is(n, "polylist") || ut_dae_is(n, "polygons") ||
            ut_dae_is(n, "tristrips") || ut_dae_is(n, "trifans")) {
            UT_TRY(read_primitive(corners, n));
        }
    }
    dae->vertices += positions.count;
    return ut_decode_count(dae->d, dae->vertices, dae->triangles);
}
