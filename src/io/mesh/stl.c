// SPDX-License-Identifier: Apache-2.0
// STL, binary and text. Binary files may begin with the word "solid" too, so the size decides.
#include "io/mesh/decode.h"

#include "io/internal.h"

enum { HEADER = 84, RECORD = 50 }; // bytes of the header with its count, and of a triangle

// ---- corners ------------------------------------------------------------------------------------

// Mix the bits of a corner. Multipliers are odd; their digits do not matter.
static uint64_t mix(const double x[3])
{
    uint64_t bits[3];
    memcpy(bits, x, sizeof bits);
    uint64_t h = bits[0] * UINT64_C(0x9e3779b97f4a7c15) ^ bits[1] * UINT64_C(0xbf58476d1ce4e5b9) ^
                 bits[2] * UINT64_C(0x94d049bb133111eb);
    h ^= h >> 32;
    h *= UINT64_C(0xd6e8feb86659fd93);
    return h ^ h >> 32;
}

utStatus ut_decode_corners(const Decode* d, int triangles, const float* corner, MeshData* data)
{
    const size_t corners = 3 * (size_t)triangles;
    size_t slots = 16;
    while (slots < 2 * corners) {
        slots *= 2;
    }
    int* slot = UT_PUSH(d->keep, int, slots); // 1 + number of a vertex; 0: empty
    data->vertex = UT_PUSH(d->keep, double, 3 * corners + 1);
    data->triangle = UT_PUSH(d->keep, int, corners + 1);
    if (slot == NULL || data->vertex == NULL || data->triangle == NULL) {
        return ut_decode_no_memory(d);
    }
    memset(slot, 0, slots * sizeof *slot);
    data->vertices = 0;
    data->triangles = triangles;
    for (size_t k = 0; k < corners; k++) {
        // adding 0 turns -0 into 0, which is the same point
        const double x[3] = {(double)corner[3 * k] + 0.0, (double)corner[3 * k + 1] + 0.0,
                             (double)corner[3 * k + 2] + 0.0};
        size_t at = (size_t)mix(x) & (slots - 1);
        for (; slot[at] != 0; at = (at + 1) & (slots - 1)) {
            const double* v = data->vertex + 3 * (size_t)(slot[at] - 1);
            if (v[0] == x[0] && v[1] == x[1] && v[2] == x[2]) {
                break;
            }
        }
        if (slot[at] == 0) {
            memcpy(data->vertex + 3 * (size_t)data->vertices, x, sizeof x);
            slot[at] = ++data->vertices;
        }
        data->triangle[k] = slot[at] - 1;
    }
    return ut_decode_count(d, (uint64_t)data->vertices, (uint64_t)triangles);
}

// ---- binary -------------------------------------------------------------------------------------

static utStatus read_binary(const Decode* d, uint32_t count, MeshData* data)
{
    UT_TRY(ut_decode_count(d, 0, count));
    float* corner = UT_PUSH(d->keep, float, 9 * (size_t)count + 1);
    if (corner == NULL) {
        return ut_decode_no_memory(d);
    }
    for (size_t i = 0; i < count; i++) {
        // three numbers of the normal, nine of the corners, two bytes for other programs
        const size_t first = HEADER + RECORD * i + 12;
        for (size_t k = 0; k < 9; k++) {
            const float x = ut_little_float(d->text.data + first + 4 * k);
            if (!ut_coordinate_good((double)x)) {
                return ut_decode_fail(d, first + 4 * k,
                                      "a coordinate of triangle %zu is not finite", i);
            }
            corner[9 * i + k] = x;
        }
    }
    return ut_decode_corners(d, (int)count, corner, data);
}

// ---- text ---------------------------------------------------------------------------------------

// The next word. @return an empty text at the end
static utText next_word(const Decode* d, const char** at)
{
    const char* end = d->text.data + d->text.size;
    while (*at < end && ut_is_blank(**at)) {
        (*at)++;
    }
    const char* begin = *at;
    while (*at < end && !ut_is_blank(**at)) {
        (*at)++;
    }
    return (utText){begin, (size_t)(*at - begin)};
}

// Compare with a word in small letters; the file may use capital ones.
static bool is_word(utText word, const char* small)
{
    for (size_t k = 0; k < word.size; k++) {
        const char c = word.data[k];
        if (small[k] == 0 || (c >= 'A' && c <= 'Z' ? c + 32 : c) != small[k]) {
            return false;
        }
    }
    return small[word.size] == 0;
}

// Take the words of a list, which blanks separate.
static utStatus expect(const Decode* d, const char** at, const char* first, const char* second)
{
    const char* expected[2] = {first, second};
    for (int k = 0; k < 2 && expected[k] != NULL; k++) {
        const utText word = next_word(d, at);
        if (!is_word(word, expected[k])) {
            return ut_decode_fail_at(d, word.data, "'%.*s' instead of '%s'",
                                     (int)(word.size < 40 ? word.size : 40), word.data,
                                     expected[k]);
        }
    }
    return UT_OK;
}

static utStatus read_three(const Decode* d, const char** at, float* x)
{
    for (int k = 0; k < 3; k++) {
        const utText word = next_word(d, at);
        double value;
        if (ut_number_read(word.data, word.data + word.size, &value) != word.data + word.size ||
            !ut_coordinate_good(value)) {
            return ut_decode_fail_at(d, word.data, "'%.*s' is not a number",
                                     (int)(word.size < 40 ? word.size : 40), word.data);
        }
        x[k] = (float)value;
    }
    return UT_OK;
}

// facet normal x y z  outer loop  vertex x y z (three times)  endloop  endfacet
static utStatus read_facet(const Decode* d, const char** at, float* corner)
{
    UT_TRY(expect(d, at, "normal", NULL));
    for (int k = 0; k < 3; k++) {
        (void)next_word(d, at); // programs write "nan" for triangles without area
    }
    UT_TRY(expect(d, at, "outer", "loop"));
    for (int k = 0; k < 3; k++) {
        UT_TRY(expect(d, at, "vertex", NULL));
        UT_TRY(read_three(d, at, corner + 3 * k));
    }
    return expect(d, at, "endloop", "endfacet");
}

static void skip_line(const Decode* d, const char** at)
{
    const char* end = d->text.data + d->text.size;
    while (*at < end && **at != '\n') {
        (*at)++;
    }
}

static utStatus read_text(const Decode* d, MeshData* data)
{
    // a facet has more than 60 characters
    float* corner = UT_PUSH(d->keep, float, 9 * (d->text.size / 60 + 1));
    if (corner == NULL) {
        return ut_decode_no_memory(d);
    }
    uint64_t triangles = 0;
    const char* at = d->text.data;
    for (;;) {
        const utText word = next_word(d, &at);
        if (word.size == 0) {
            break;
        }
        if (is_word(word, "facet")) {
            UT_TRY(ut_decode_count(d, 0, triangles + 1));
            UT_TRY(read_facet(d, &at, corner + 9 * triangles));
            triangles++;
        } else if (is_word(word, "solid") || is_word(word, "endsolid")) {
            skip_line(d, &at); // its name
        } else {
            return ut_decode_fail_at(d, word.data, "'%.*s' instead of 'facet' or 'endsolid'",
                                     (int)(word.size < 40 ? word.size : 40), word.data);
        }
    }
    if (triangles == 0) {
        return ut_decode_fail_at(d, d->text.data, "an STL file without triangles");
    }
    return ut_decode_corners(d, (int)triangles, corner, data);
}

// ---- either -------------------------------------------------------------------------------------

utStatus ut_stl_decode(const Decode* d, MeshData* data)
{
    const bool header = d->text.size >= HEADER;
    const uint32_t count = header ? ut_little_u32(d->text.data + HEADER - 4) : 0;
    const uint64_t expected = HEADER + (uint64_t)RECORD * count;
    if (header && count > 0 && expected == d->text.size) {
        return read_binary(d, count, data);
    }
    const char* at = d->text.data;
    if (is_word(next_word(d, &at), "solid")) {
        data->foreign = true;
        return read_text(d, data);
    }
    if (!header) {
        return ut_decode_fail(d, d->text.size, "the file ends within its header of 84 bytes");
    }
    return ut_decode_fail(d, HEADER - 4,
                          "the header says %u triangles, which need %llu bytes, but the file has "
                          "%zu",
                          (unsigned)count, (unsigned long long)expected, d->text.size);
}
