// SPDX-License-Identifier: Apache-2.0
// PNG files: 8 bits per colour, each row with the filter that leaves the smallest numbers.
#include "crc32.h"
#include "render/image.h"

#include <stdlib.h>
#include <string.h>

enum { FILTERS = 5, PIXEL = 3 };

static void put_u32(unsigned char* at, uint32_t x)
{
    at[0] = (unsigned char)(x >> 24);
    at[1] = (unsigned char)(x >> 16);
    at[2] = (unsigned char)(x >> 8);
    at[3] = (unsigned char)x;
}

static void add_chunk(RenderBytes* into, const char* name, const unsigned char* data, size_t size)
{
    unsigned char head[8], tail[4];
    put_u32(head, (uint32_t)size);
    memcpy(head + 4, name, 4);
    put_u32(tail, cli_crc32(cli_crc32(0, name, 4), data, size));
    render_bytes_add(into, head, sizeof head);
    if (size > 0) {
        render_bytes_add(into, data, size);
    }
    render_bytes_add(into, tail, sizeof tail);
}

// Of a, b, a + b - c the first two or c, whichever is nearest to the third.
static int paeth(int a, int b, int c)
{
    const int pa = abs(b - c);
    const int pb = abs(a - c);
    const int pc = abs(a + b - 2 * c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// One row with a filter. @param above the row above; NULL: none @return the sum of the sizes of its numbers
static long filter_row(int filter, const unsigned char* row, const unsigned char* above,
                       size_t size, unsigned char* out)
{
    long sum = 0;
    out[0] = (unsigned char)filter;
    for (size_t k = 0; k < size; k++) {
        const int a = k >= PIXEL ? row[k - PIXEL] : 0;
        const int b = above != NULL ? above[k] : 0;
        const int c = k >= PIXEL && above != NULL ? above[k - PIXEL] : 0;
        const int guess = filter == 0   ? 0
                          : filter == 1 ? a
                          : filter == 2 ? b
                          : filter == 3 ? (a + b) / 2
                                        : paeth(a, b, c);
        out[k + 1] = (unsigned char)(row[k] - guess);
        sum += abs((signed char)out[k + 1]);
    }
    return sum;
}

// All rows with their filters. @return NULL when memory is short
static unsigned char* filter_rows(const RenderImage* image, size_t row_size)
{
    unsigned char* rows = malloc((row_size + 1) * (size_t)image->height + 1);
    unsigned char* tried = malloc(row_size + 1);
    if (rows == NULL || tried == NULL) {
        free(rows);
        free(tried);
        return NULL;
    }
    for (int y = 0; y < image->height; y++) {
        const unsigned char* row = image->rgb + (size_t)y * row_size;
        const unsigned char* above = y > 0 ? row - row_size : NULL;
        unsigned char* best = rows + (size_t)y * (row_size + 1);
        long least = filter_row(0, row, above, row_size, best);
        for (int filter = 1; filter < FILTERS; filter++) {
            const long sum = filter_row(filter, row, above, row_size, tried);
            if (sum < least) {
                least = sum;
                memcpy(best, tried, row_size + 1);
            }
        }
    }
    free(tried);
    return rows;
}

void render_png(const RenderImage* image, RenderBytes* into)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const size_t row_size = PIXEL * (size_t)image->width;
    unsigned char header[13] = {[8] = 8, [9] = 2}; // 8 bits, red green blue
    unsigned char* rows = filter_rows(image, row_size);
    RenderBytes packed = {0};
    if (rows == NULL) {
        into->failed = true;
        return;
    }
    render_deflate(rows, (row_size + 1) * (size_t)image->height, &packed);
    put_u32(header, (uint32_t)image->width);
    put_u32(header + 4, (uint32_t)image->height);
    render_bytes_add(into, signature, sizeof signature);
    add_chunk(into, "IHDR", header, sizeof header);
    add_chunk(into, "IDAT", packed.data, packed.size);
    add_chunk(into, "IEND", NULL, 0);
    into->failed = into->failed || packed.failed;
    render_bytes_free(&packed);
    free(rows);
}
