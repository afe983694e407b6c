// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ: vertices and polygons. Three passes over the text: count, read vertices, read faces.
// Faces come last because the places of their corners decide how they are divided into triangles.
#include "io/mesh/decode.h"

#include <limits.h>

typedef enum Task { COUNT, READ_VERTICES, READ_FACES } Task;

// One pass.
typedef struct Pass {
    const Decode* d;
    const char* at;
    const char* end; // of the text
    MeshData* data;
    Task task;
    uint64_t vertices, triangles; // so far
    int most_corners;             // of a face
    int* corner;                  // room for the corners of a face
} Pass;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// The next word of the line; a backslash continues the line. @return false at the end of the line
static bool next_word(Pass* p, utText* word)
{
    for (;;) {
        while (p->at < p->end && is_blank(*p->at)) {
            p->at++;
        }
        const ptrdiff_t left = p->end - p->at;
        if (left >= 2 && p->at[0] == '\\' && p->at[1] == '\n') {
            p->at += 2;
        } else if (left >= 3 && p->at[0] == '\\' && p->at[1] == '\r' && p->at[2] == '\n') {
            p->at += 3;
        } else {
            break;
        }
    }
    const char* begin = p->at;
    while (p->at < p->end && !is_blank(*p->at) && *p->at != '\n' && *p->at != '#') {
        p->at++;
    }
    *word = (utText){begin, (size_t)(p->at - begin)};
    return word->size > 0;
}

static utStatus fail_at_word(const Pass* p, utText word, const char* what)
{
    return ut_decode_fail_at(p->d, word.data, "'%.*s' %s", (int)(word.size < 40 ? word.size : 40),
                             word.data, what);
}

// v x y z, perhaps followed by a weight or a colour
static utStatus read_vertex(Pass* p)
{
    for (int k = 0; k < 3; k++) {
        utText word;
        double x = 0.0;
        if (!next_word(p, &word)) {
            return ut_decode_fail_at(p->d, p->at, "a vertex needs three coordinates");
        }
        if (p->task != READ_VERTICES) {
            continue;
        }
        if (ut_number_read(word.data, word.data + word.size, &x) != word.data + word.size ||
            !ut_coordinate_good(x)) {
            return fail_at_word(p, word, "is not a coordinate");
        }
        p->data->vertex[3 * p->vertices + (uint64_t)k] = ut_to_single(x);
    }
    p->vertices++;
    return UT_OK;
}

// The vertex of a corner: "7", "7/1", "7/1/2" or "7//2", counted from 1, or backward from -1.
static utStatus read_index(Pass* p, utText word, int* index)
{
    const char* c = word.data;
    const char* end = word.data + word.size;
    const bool back = *c == '-';
    int64_t value = 0;
    const char* digits = c + back;
    for (c = digits; c < end && *c >= '0' && *c <= '9' && value <= INT_MAX; c++) {
        value = 10 * value + (*c - '0');
    }
    if (c == digits || (c < end && *c != '/')) {
        return fail_at_word(p, word, "is not the number of a vertex");
    }
    const int64_t all = p->data->vertices;
    value = back ? (int64_t)p->vertices - value : value - 1;
    if (p->task == READ_FACES && (value < 0 || value >= all)) {
        return ut_decode_fail_at(p->d, word.data, "'%.*s' is no vertex; the file has %lld",
                                 (int)(word.size < 40 ? word.size : 40), word.data, (long long)all);
    }
    *index = p->task == READ_FACES ? (int)value : 0;
    return UT_OK;
}

static utStatus read_face(Pass* p)
{
    utText word;
    int corners = 0;
    for (; next_word(p, &word); corners++) {
        int index = 0;
        UT_TRY(read_index(p, word, &index));
        if (p->task == READ_FACES) {
            p->corner[corners] = index;
        }
    }
    if (corners < 3) {
        return ut_decode_fail_at(p->d, p->at, "a face needs at least three vertices");
    }
    if (p->task == READ_FACES) {
        ut_polygon_divide(corners, p->corner, p->data->vertex,
                          p->data->triangle + 3 * p->triangles);
    }
    p->triangles += (uint64_t)corners - 2;
    p->most_corners = corners > p->most_corners ? corners : p->most_corners;
    return UT_OK;
}

static utStatus run(Pass* p)
{
    while (p->at < p->end) {
        utText word;
        const char letter = next_word(p, &word) && word.size == 1 ? word.data[0] : 0;
        if (letter == 'v') {
            UT_TRY(read_vertex(p));
        } else if (letter == 'f' && p->task != READ_VERTICES) {
            UT_TRY(read_face(p));
        } else if ((letter == 'o' || letter == 'g') && p->data->first_object == 0) {
            p->data->first_object = (int)p->triangles; // stays 0 before the first triangle
        }
        // skip what is left: normals, materials, comments
        while (p->at < p->end && *p->at != '\n') {
            p->at++;
        }
        p->at += p->at < p->end;
    }
    return UT_OK;
}

utStatus ut_obj_decode(const Decode* d, MeshData* data)
{
    const Pass start = {
        .d = d, .at = d->text.data, .end = d->text.data + d->text.size, .data = data};
    Pass count = start;
    UT_TRY(run(&count));
    UT_TRY(ut_decode_count(d, count.vertices, count.triangles));
    if (count.vertices == 0) {
        return ut_decode_fail_at(d, d->text.data, "an OBJ file without vertices");
    }
    data->vertices = (int)count.vertices;
    data->triangles = (int)count.triangles;
    data->vertex = UT_PUSH(d->keep, double, 3 * count.vertices);
    data->triangle = UT_PUSH(d->keep, int, 3 * count.triangles + 1);
    int* corner = UT_PUSH(d->keep, int, count.most_corners + 1);
    if (data->vertex == NULL || data->triangle == NULL || corner == NULL) {
        return ut_decode_no_memory(d);
    }
    Pass vertices = start, faces = start;
    faces.corner = corner;
    vertices.task = READ_VERTICES;
    faces.task = READ_FACES;
    UT_TRY(run(&vertices));
    return run(&faces);
}
