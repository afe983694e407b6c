// SPDX-License-Identifier: Apache-2.0
// Collada (.dae), the XML of triangles that many robots have: the nodes of the scene with their
// transformations, the unit and the direction that is up. The result is in metres with z up.
#include "dae.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    MAX_VISITS = 20000, // of nodes and geometries: instances may multiply
    MAX_NESTED = 100,   // nodes inside of each other
};

// ---- elements -----------------------------------------------------------------------------------

utStatus ut_dae_fail(const Dae* dae, const XmlNode* node, const char* format, ...)
{
    char message[sizeof dae->d->err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return ut_decode_fail_at(dae->d, node->at, "%s", message);
}

bool ut_dae_is(const XmlNode* node, const char* name)
{
    const char* brace = strchr(node->name, '}');
    return strcmp(brace != NULL ? brace + 1 : node->name, name) == 0;
}

const XmlNode* ut_dae_child(const XmlNode* node, const char* name)
{
    for (const XmlNode* n = node != NULL ? node->first : NULL; n != NULL; n = n->next) {
        if (ut_dae_is(n, name)) {
            return n;
        }
    }
    return NULL;
}

utStatus ut_dae_find(const Dae* dae, const XmlNode* node, const char* attribute, const char* kind,
                     const XmlNode** found)
{
    const XmlAttribute* a = ut_xml_attribute(node, attribute);
    if (a == NULL) {
        return ut_dae_fail(dae, node, "an element without the attribute %s", attribute);
    }
    if (a->value[0] != '#') {
        return ut_decode_fail_at(dae->d, a->at, "'%.60s' is not in this file; references are '#ID'",
                                 a->value);
    }
    const int index = ut_names_find(&dae->ids, a->value + 1);
    if (index < 0 || !ut_dae_is(dae->named[index], kind)) {
        return ut_decode_fail_at(dae->d, a->at, "there is no %s '%.60s'", kind, a->value + 1);
    }
    *found = dae->named[index];
    return UT_OK;
}

// Skip blanks and comments. Expat has seen that comments are closed.
static const char* skip_blanks(const char* c, const char* end)
{
    for (;;) {
        while (c < end && ut_is_blank(*c)) {
            c++;
        }
        if (end - c < 4 || memcmp(c, "<!--", 4) != 0) {
            return c;
        }
        for (c += 4; end - c >= 3 && memcmp(c, "-->", 3) != 0; c++) {
        }
        c = end - c >= 3 ? c + 3 : end;
    }
}

bool ut_dae_number(const XmlNode* node, const char** at, double* x, bool* fail)
{
    const char* end = node->file->text.data + node->file->text.size;
    const char* c = *at != NULL ? *at : node->text;
    c = c != NULL ? skip_blanks(c, end) : NULL;
    if (c == NULL || end - c < 2 || memcmp(c, "</", 2) == 0) {
        return false;
    }
    const char* behind = ut_number_read(c, end, x);
    *fail = behind == NULL || (behind < end && !ut_is_blank(*behind) && *behind != '<');
    *at = *fail ? c : behind;
    return !*fail;
}

utStatus ut_dae_numbers(const Dae* dae, const XmlNode* node, int count, double* x)
{
    const char* at = NULL;
    bool fail = false;
    double spare;
    int given = 0;
    while (ut_dae_number(node, &at, given < count ? &x[given] : &spare, &fail)) {
        given++;
    }
    if (fail) {
        return ut_decode_fail_at(dae->d, at, "this is not a number");
    }
    return given == count
               ? UT_OK
               : ut_dae_fail(dae, node, "this needs %d numbers and has %d", count, given);
}

// ---- transformations ----------------------------------------------------------------------------

static DaeMap after(const DaeMap* outer, const DaeMap* inner)
{
    return (DaeMap){ut_mat3_mul(outer->A, inner->A),
                    ut_vec3_add(ut_mat3_mul_vec(outer->A, inner->b), outer->b)};
}

// Read one transformation of a node. @param is false for other elements
static utStatus read_map(const Dae* dae, const XmlNode* n, DaeMap* map, bool* is)
{
    static const double radians_per_degree = 3.14159265358979323846 / 180.0;
    double x[16] = {0.0};
    *map = (DaeMap){ut_mat3_identity(), ut_vec3_zero()};
    *is = true;
    if (ut_dae_is(n, "matrix")) {
        UT_TRY(ut_dae_numbers(dae, n, 16, x));
        map->A = (utMat3){{{x[0], x[1], x[2]}, {x[4], x[5], x[6]}, {x[8], x[9], x[10]}}};
        map->b = ut_vec3(x[3], x[7], x[11]);
    } else if (ut_dae_is(n, "translate")) {
        UT_TRY(ut_dae_numbers(dae, n, 3, x));
        map->b = ut_vec3(x[0], x[1], x[2]);
    } else if (ut_dae_is(n, "scale")) {
        UT_TRY(ut_dae_numbers(dae, n, 3, x));
        map->A = ut_mat3_diagonal(ut_vec3(x[0], x[1], x[2]));
    } else if (ut_dae_is(n, "rotate")) {
        UT_TRY(ut_dae_numbers(dae, n, 4, x));
        utVec3 axis;
        if (ut_vec3_normalize(ut_vec3(x[0], x[1], x[2]), &axis)) {
            map->A = ut_quat_to_mat3(ut_quat_from_axis_angle(axis, x[3] * radians_per_degree));
        }
    } else if (ut_dae_is(n, "skew") || ut_dae_is(n, "lookat")) {
        return ut_dae_fail(dae, n, "skew and lookat are not supported; use a matrix");
    } else {
        *is = false;
    }
    return UT_OK;
}

// The map from the units and axes of the file. Y is up unless the file says otherwise.
static utStatus read_asset(const Dae* dae, DaeMap* map)
{
    const XmlNode* asset = ut_dae_child(dae->root, "asset");
    const XmlNode* unit = ut_dae_child(asset, "unit");
    const XmlNode* up = ut_dae_child(asset, "up_axis");
    const XmlAttribute* meter = unit != NULL ? ut_xml_attribute(unit, "meter") : NULL;
    double scale = 1.0;
    if (meter != NULL) {
        const char* end = meter->value + strlen(meter->value);
        if (ut_number_read(meter->value, end, &scale) != end || !(scale > 0.0)) {
            return ut_decode_fail_at(dae->d, meter->at, "'%.40s' is not the length of a unit",
                                     meter->value);
        }
    }
    const utMat3 x_up = {{{0, -1, 0}, {0, 0, -1}, {1, 0, 0}}};
    const utMat3 y_up = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
    const char axis = up != NULL && up->text != NULL ? *up->text : 'Y';
    const utMat3 turn = axis == 'Z' ? ut_mat3_identity() : axis == 'X' ? x_up : y_up;
    *map = (DaeMap){ut_mat3_scale(turn, scale), ut_vec3_zero()};
    return UT_OK;
}

// ---- scene --------------------------------------------------------------------------------------

static utStatus visit(Dae* dae, const XmlNode* node, DaeMap map, int nested)
{
    if (++dae->visits > MAX_VISITS || nested > MAX_NESTED) {
        return ut_dae_fail(dae, node, "too many nodes, or nodes that contain themselves");
    }
    for (const XmlNode* n = node->first; n != NULL; n = n->next) {
        DaeMap own;
        bool is;
        const XmlNode* other = n;
        UT_TRY(read_map(dae, n, &own, &is));
        if (is) {
            map = after(&map, &own);
        } else if (ut_dae_is(n, "node")) {
            UT_TRY(visit(dae, n, map, nested + 1));
        } else if (ut_dae_is(n, "instance_node")) {
            UT_TRY(ut_dae_find(dae, n, "url", "node", &other));
            UT_TRY(visit(dae, other, map, nested + 1));
        } else if (ut_dae_is(n, "instance_geometry")) {
            UT_TRY(ut_dae_find(dae, n, "url", "geometry", &other));
            dae->visits++;
            UT_TRY(ut_dae_geometry(dae, other, &map));
        } else if (ut_dae_is(n, "instance_controller")) {
            return ut_dae_fail(dae, n,
                               "meshes with skin or morph are not supported; export a "
                               "plain mesh");
        }
    }
    return UT_OK;
}

// Run one pass over the scene or, without one, over all geometries.
static utStatus run(Dae* dae, bool fill)
{
    DaeMap map;
    UT_TRY(read_asset(dae, &map));
    dae->fill = fill;
    dae->vertices = dae->triangles = 0;
    dae->visits = 0;
    const XmlNode* instance =
        ut_dae_child(ut_dae_child(dae->root, "scene"), "instance_visual_scene");
    if (instance != NULL) {
        const XmlNode* scene = instance;
        UT_TRY(ut_dae_find(dae, instance, "url", "visual_scene", &scene));
        return visit(dae, scene, map, 0);
    }
    const XmlNode* library = ut_dae_child(dae->root, "library_geometries");
    for (const XmlNode* n = library != NULL ? library->first : NULL; n != NULL; n = n->next) {
        if (ut_dae_is(n, "geometry")) {
            UT_TRY(ut_dae_geometry(dae, n, &map));
        }
    }
    return UT_OK;
}

// ---- files --------------------------------------------------------------------------------------

static utStatus read_ids(Dae* dae, int elements)
{
    dae->named = UT_PUSH(dae->d->keep, XmlNode*, elements);
    if (dae->named == NULL) {
        return ut_decode_no_memory(dae->d);
    }
    int count = 0;
    for (XmlNode* n = dae->root; n != NULL; n = ut_xml_next(n, dae->root)) {
        const XmlAttribute* id = ut_xml_attribute(n, "id");
        if (id != NULL) {
            if (!ut_names_add(&dae->ids, id->value, count)) {
                return ut_decode_no_memory(dae->d);
            }
            dae->named[count++] = n;
        }
    }
    return UT_OK;
}

// Remove vertices of no triangle, which would enlarge the hull.
static utStatus drop_unused(const Decode* d, MeshData* data)
{
    int* number = UT_PUSH(d->keep, int, data->vertices);
    if (number == NULL) {
        return ut_decode_no_memory(d);
    }
    memset(number, 0, (size_t)data->vertices * sizeof *number);
    for (size_t k = 0; k < 3 * (size_t)data->triangles; k++) {
        number[data->triangle[k]] = 1;
    }
    int count = 0;
    for (int i = 0; i < data->vertices; i++) {
        if (number[i] != 0) {
            memmove(data->vertex + 3 * (size_t)count, data->vertex + 3 * (size_t)i,
                    3 * sizeof(double));
            number[i] = count++;
        }
    }
    for (size_t k = 0; k < 3 * (size_t)data->triangles; k++) {
        data->triangle[k] = number[data->triangle[k]];
    }
    data->vertices = count;
    return UT_OK;
}

utStatus ut_dae_decode(const Decode* d, MeshData* data)
{
    Dae dae = {.d = d, .file = {.name = d->file, .text = d->text}, .data = data};
    int elements = 0;
    UT_TRY(ut_xml_parse(&dae.file, d->limits, &elements, d->keep, &dae.root, d->err));
    if (dae.root == NULL) {
        return UT_ERR_FORMAT; // does not happen: a text without an element is an error of XML
    }
    if (!ut_dae_is(dae.root, "COLLADA")) {
        return ut_dae_fail(&dae, dae.root,
                           "the outermost element is '%.60s'; a .dae file is a 'COLLADA'",
                           dae.root->name);
    }
    dae.ids.memory = d->keep;
    UT_TRY(read_ids(&dae, elements));
    UT_TRY(run(&dae, false));
    UT_TRY(ut_decode_count(d, dae.vertices, dae.triangles));
    if (dae.triangles == 0) {
        return ut_dae_fail(&dae, dae.root, "the scene of the file has no triangles");
    }
    data->foreign = true;
    data->vertices = (int)dae.vertices;
    data->triangles = (int)dae.triangles;
    data->vertex = UT_PUSH(d->keep, double, 3 * dae.vertices);
    data->triangle = UT_PUSH(d->keep, int, 3 * dae.triangles);
    if (data->vertex == NULL || data->triangle == NULL) {
        return ut_decode_no_memory(d);
    }
    UT_TRY(run(&dae, true));
    return drop_unused(d, data);
}
