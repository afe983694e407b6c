// SPDX-License-Identifier: Apache-2.0
// PNG pictures as heights: the grey value or, in colour pictures, the red one, as MuJoCo takes it.
// All kinds of pictures of the standard are read: 1 to 16 bits, palettes, interlaced.
#include "io/mesh/decode.h"

#include <limits.h>

enum { SIGNATURE = 8, CHUNK = 12, HEADER = 13, PALETTE = 256 };
enum { GREY = 0, RGB = 2, INDEXED = 3, GREY_ALPHA = 4, RGBA = 6 };
enum { MAX_RATIO = 1032 };    // deflate makes at most this many bytes from one
enum { PIXELS_PER_BYTE = 4 }; // pictures of terrain have less than 2

typedef struct Png {
    const Decode* d;
    uint32_t width, height;
    int depth, kind;
    bool interlaced;
    int channels;
    unsigned char red[PALETTE];
    int colours; // of the palette
    char* packed;
    size_t packed_size;
    size_t packed_at; // place of the first packed byte in the file
} Png;

// ---- chunks -------------------------------------------------------------------------------------

// CRC-32 by half bytes.
static uint32_t crc32(const char* data, size_t size)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                       0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                       0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t c = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        c ^= (unsigned char)data[i];
        c = c >> 4 ^ table[c & 15];
        c = c >> 4 ^ table[c & 15];
    }
    return ~c;
}

static utStatus read_header(Png* p, size_t at, uint32_t size)
{
    if (size != HEADER) {
        return ut_decode_fail(p->d, at, "the header has %u bytes instead of 13", (unsigned)size);
    }
    const unsigned char* b = (const unsigned char*)p->d->text.data + at;
    p->width = ut_big_u32(p->d->text.data + at);
    p->height = ut_big_u32(p->d->text.data + at + 4);
    p->depth = b[8];
    p->kind = b[9];
    p->interlaced = b[12] == 1;
    p->channels = p->kind == GREY_ALPHA ? 2 : p->kind == RGB ? 3 : p->kind == RGBA ? 4 : 1;
    const bool few = p->depth == 1 || p->depth == 2 || p->depth == 4;
    const bool good = p->kind == GREY      ? few || p->depth == 8 || p->depth == 16
                      : p->kind == INDEXED ? few || p->depth == 8
                      : p->kind == RGB || p->kind == GREY_ALPHA || p->kind == RGBA
                          ? p->depth == 8 || p->depth == 16
                          : false;
    if (!good || b[10] != 0 || b[11] != 0 || b[12] > 1) {
        return ut_decode_fail(p->d, at + 8, "a picture of an unknown kind");
    }
    if (p->width == 0 || p->height == 0) {
        return ut_decode_fail(p->d, at, "a picture without pixels");
    }
    if ((uint64_t)p->width * p->height > (uint64_t)p->d->limits->pixels) {
        return ut_decode_fail(p->d, at, "%u x %u pixels; utLimits.pixels allows %d",
                              (unsigned)p->width, (unsigned)p->height, p->d->limits->pixels);
    }
    const uint64_t pixels = (uint64_t)p->width * p->height;
    if (pixels > UT_FREE_PIXELS && pixels > PIXELS_PER_BYTE * (uint64_t)p->d->text.size) {
        return ut_decode_fail(p->d, at,
                              "%u x %u pixels in a file of %llu bytes; beyond %d pixels it needs a "
                              "byte for %d of them",
                              (unsigned)p->width, (unsigned)p->height,
                              (unsigned long long)p->d->text.size, UT_FREE_PIXELS, PIXELS_PER_BYTE);
    }
    return UT_OK;
}

static utStatus read_palette(Png* p, size_t at, uint32_t size)
{
    if (size % 3 != 0 || size / 3 > PALETTE) {
        return ut_decode_fail(p->d, at, "a palette of %u bytes", (unsigned)size);
    }
    p->colours = (int)(size / 3);
    for (int i = 0; i < p->colours; i++) {
        p->red[i] = (unsigned char)p->d->text.data[at + 3 * (size_t)i];
    }
    return UT_OK;
}

static utStatus read_chunks(Png* p)
{
    const utText text = p->d->text;
    p->packed = UT_PUSH(p->d->keep, char, text.size);
    if (p->packed == NULL) {
        return ut_decode_no_memory(p->d);
    }
    for (size_t at = SIGNATURE;;) {
        if (text.size - at < CHUNK) {
            return ut_decode_fail(p->d, at, "the file ends early");
        }
        const uint32_t size = ut_big_u32(text.data + at);
        if (size > text.size - at - CHUNK) {
            return ut_decode_fail(p->d, at, "a part of %u bytes is longer than the file",
                                  (unsigned)size);
        }
        const char* name = text.data + at + 4;
        const size_t body = at + 8;
        if (crc32(name, 4 + (size_t)size) != ut_big_u32(text.data + body + size)) {
            return ut_decode_fail(p->d, body + size, "the checksum of a part is wrong");
        }
        const bool header = memcmp(name, "IHDR", 4) == 0;
        if (header != (at == SIGNATURE)) {
            return ut_decode_fail(p->d, at, "the header is not the first part");
        }
        if (header) {
            UT_TRY(read_header(p, body, size));
        } else if (memcmp(name, "PLTE", 4) == 0) {
            UT_TRY(read_palette(p, body, size));
        } else if (memcmp(name, "IDAT", 4) == 0) {
            p->packed_at = p->packed_size == 0 ? body : p->packed_at;
            memcpy(p->packed + p->packed_size, text.data + body, size);
            p->packed_size += size;
        } else if (memcmp(name, "IEND", 4) == 0) {
            return UT_OK;
        }
        at = body + size + 4;
    }
}

// ---- rows ---------------------------------------------------------------------------------------

// A picture within the picture: every `dx`-th pixel of every `dy`-th row. An interlaced file has
// seven of them, other files one.
typedef struct Grid {
    uint32_t x, y, dx, dy;
} Grid;

static const Grid whole = {0, 0, 1, 1};
static const Grid adam7[7] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                              {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

static uint32_t count_along(uint32_t size, uint32_t first, uint32_t step)
{
    return size > first ? (size - first - 1) / step + 1 : 0;
}

static size_t row_bytes(const Png* p, uint32_t columns)
{
    return ((size_t)columns * (size_t)p->channels * (size_t)p->depth + 7) / 8;
}

// A row has one byte for its filter; a grid without columns has no rows.
static size_t grid_bytes(const Png* p, Grid g)
{
    const uint32_t columns = count_along(p->width, g.x, g.dx);
    const uint32_t rows = count_along(p->height, g.y, g.dy);
    return columns > 0 ? (size_t)rows * (1 + row_bytes(p, columns)) : 0;
}

// Of left, up and upper left: the one nearest to left + up - upper left.
static int paeth(int left, int up, int corner)
{
    const int a = up > corner ? up - corner : corner - up;
    const int b = left > corner ? left - corner : corner - left;
    const int sum = left + up - 2 * corner;
    const int c = sum > 0 ? sum : -sum;
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

// Undo the filter of a row. @param above the row above, NULL for the first @param step bytes of a pixel
// @return false for an unknown filter
static bool unfilter(int filter, unsigned char* row, const unsigned char* above, size_t size,
                     size_t step)
{
    for (size_t i = 0; i < size; i++) {
        const int left = i >= step ? row[i - step] : 0;
        const int up = above != NULL ? above[i] : 0;
        const int corner = above != NULL && i >= step ? above[i - step] : 0;
        const int guess = filter == 1   ? left
                          : filter == 2 ? up
                          : filter == 3 ? (left + up) / 2
                          : filter == 4 ? paeth(left, up, corner)
                                        : 0;
        row[i] = (unsigned char)(row[i] + guess);
    }
    return filter <= 4;
}

// The first channel of pixel i.
static utStatus sample(const Png* p, const unsigned char* row, uint32_t i, double* value)
{
    const size_t bit = (size_t)i * (size_t)p->channels * (size_t)p->depth;
    unsigned x = row[bit / 8];
    if (p->depth == 16) {
        x = x << 8 | row[bit / 8 + 1];
    } else {
        x = x >> (8 - p->depth - (int)(bit % 8)) & ((1u << p->depth) - 1u);
    }
    if (p->kind == INDEXED) {
        if ((int)x >= p->colours) {
            return ut_decode_fail(p->d, p->packed_at, "a pixel has colour %u of a palette of %d", x,
                                  p->colours);
        }
        x = p->red[x];
    }
    *value = x;
    return UT_OK;
}

// Write the pixels of one grid to their heights. @param data its filtered rows
static utStatus read_grid(const Png* p, Grid g, unsigned char* data, double* height)
{
    const uint32_t columns = count_along(p->width, g.x, g.dx);
    const size_t size = row_bytes(p, columns);
    const size_t step = (size_t)(p->channels * p->depth + 7) / 8;
    const unsigned char* above = NULL;
    for (uint32_t y = g.y; columns > 0 && y < p->height; y += g.dy) {
        unsigned char* row = data + 1;
        if (!unfilter(data[0], row, above, size, step)) {
            return ut_decode_fail(p->d, p->packed_at, "row %u has the unknown filter %d",
                                  (unsigned)y, (int)data[0]);
        }
        // the upper row has the largest y of the field
        double* out = height + (size_t)(p->height - 1 - y) * p->width;
        for (uint32_t i = 0; i < columns; i++) {
            UT_TRY(sample(p, row, i, out + g.x + (size_t)i * g.dx));
        }
        above = row;
        data = row + size;
    }
    return UT_OK;
}

utStatus ut_png_decode(const Decode* d, HeightsData* data)
{
    if (d->text.size < SIGNATURE || memcmp(d->text.data, "\x89PNG\r\n\x1a\n", SIGNATURE) != 0) {
        return ut_decode_fail(d, 0, "this is not a PNG picture");
    }
    Png p = {.d = d};
    UT_TRY(read_chunks(&p));
    const Grid* grid = p.interlaced ? adam7 : &whole;
    const int grids = p.interlaced ? 7 : 1;
    size_t bytes = 0;
    for (int k = 0; k < grids; k++) {
        bytes += grid_bytes(&p, grid[k]);
    }
    if (bytes / MAX_RATIO > p.packed_size) {
        return ut_decode_fail(d, p.packed_at,
                              "%zu bytes of data are too few for a picture of %u x %u",
                              p.packed_size, (unsigned)p.width, (unsigned)p.height);
    }
    unsigned char* rows = UT_PUSH(d->keep, unsigned char, bytes);
    data->height = UT_PUSH(d->keep, double, (size_t)p.width* p.height);
    if (rows == NULL || data->height == NULL) {
        return ut_decode_no_memory(d);
    }
    UT_TRY(ut_inflate(d, (utText){p.packed, p.packed_size}, p.packed_at, rows, bytes));
    for (int k = 0; k < grids; k++) {
        UT_TRY(read_grid(&p, grid[k], rows, data->height));
        rows += grid_bytes(&p, grid[k]);
    }
    data->columns = (int)p.width;
    data->rows = (int)p.height;
    return UT_OK;
}
