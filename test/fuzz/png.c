// SPDX-License-Identifier: Apache-2.0
// PNG pictures as height fields. Checksums would reject most changes, so they are made right: in files of
// the first kind those of their parts, and files of the second kind are wrapped here around rows of
// pixels, which are not compressed.
#include "mesh.h"

#include "../mesh/pictures.h"

enum { FILES, ROWS };                                     // kinds of inputs, by their first byte
enum { WIDTH = 1, HEIGHT, DEPTH, KIND, INTERLACED, ROW }; // bytes of an input with rows
enum { SIGNATURE = 8, CHUNK = 12, WRAPPED = 100 };

const int fuzz_runs = 60000;

const char* const fuzz_words[] = {
    "IDAT", "IHDR", "PLTE", "IEND", "tEXt", "\x78\x9c",         "\x89PNG",
    "\x01", "\x04", "\x08", "\x10", "\x02", "\xff\xff\xff\xff", NULL};

static const struct {
    const unsigned char* bytes;
    size_t size;
} pictures[] = {
    {grey, sizeof grey},
    {grey16, sizeof grey16},
    {grey_alpha, sizeof grey_alpha},
    {rgb, sizeof rgb},
    {rgba, sizeof rgba},
    {palette, sizeof palette},
    {grey2, sizeof grey2},
    {interlaced, sizeof interlaced},
};
enum { PICTURES = sizeof pictures / sizeof *pictures };

size_t fuzz_seed(int k, uint8_t data[FUZZ_ROOM])
{
    // width, height, bits, kind, interlaced; then the filters and pixels
    static const uint8_t rows[][32] = {
        {ROWS, 4, 3, 8, 0, 0, 0, 1, 2, 3, 4, 1, 5, 6, 7, 8, 4, 9, 8, 7, 6},
        {ROWS, 2, 2, 16, 0, 0, 3, 1, 2, 3, 4, 2, 5, 6, 7, 8},
        {ROWS, 5, 2, 1, 0, 0, 0, 0xa8, 4, 0x50},
        {ROWS, 3, 3, 8, 0, 1, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 1, 6, 7, 8, 9, 1, 2, 3, 4},
        {ROWS, 2, 2, 8, 6, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 4, 9, 8, 7, 6, 5, 4, 3, 2},
    };
    if (k < PICTURES) {
        data[0] = FILES;
        memcpy(data + 1, pictures[k].bytes, pictures[k].size);
        return 1 + pictures[k].size;
    }
    if (k - PICTURES < (int)(sizeof rows / sizeof *rows)) {
        memcpy(data, rows[k - PICTURES], sizeof *rows);
        return sizeof *rows;
    }
    return 0;
}

// ---- checksums ----------------------------------------------------------------------------------

static uint32_t read_u32(const uint8_t* b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3];
}

static void put_u32(uint8_t** at, uint32_t x)
{
    const uint8_t b[4] = {(uint8_t)(x >> 24), (uint8_t)(x >> 16), (uint8_t)(x >> 8), (uint8_t)x};
    put(at, b, 4);
}

static uint32_t crc(const uint8_t* data, size_t size)
{
    uint32_t c = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        c ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            c = c >> 1 ^ ((c & 1) != 0 ? 0xedb88320u : 0);
        }
    }
    return ~c;
}

static uint32_t adler(const uint8_t* data, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 65521u;
        b = (b + a) % 65521u;
    }
    return b << 16 | a;
}

static void repair_parts(uint8_t* file, size_t size)
{
    for (size_t at = SIGNATURE; size >= CHUNK && at <= size - CHUNK;) {
        const size_t length = read_u32(file + at);
        if (length > size - at - CHUNK) {
            return;
        }
        uint8_t* sum = file + at + 8 + length;
        put_u32(&sum, crc(file + at + 4, 4 + length));
        at += CHUNK + length;
    }
}

// ---- a file around rows -------------------------------------------------------------------------

static void put_part(uint8_t** at, const char* name, const uint8_t* data, size_t size)
{
    put_u32(at, (uint32_t)size);
    uint8_t* const begin = *at;
    put(at, name, 4);
    put(at, data, size);
    put_u32(at, crc(begin, 4 + size));
}

// One stored block: the header of zlib, then that of the block.
static size_t wrap(const uint8_t* rows, size_t size, uint8_t* packed)
{
    const uint8_t head[7] = {
        0x78, 1, 1, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size, (uint8_t)(~size >> 8)};
    uint8_t* at = packed;
    put(&at, head, sizeof head);
    put(&at, rows, size);
    put_u32(&at, adler(rows, size));
    return (size_t)(at - packed);
}

static size_t build(const uint8_t* in, size_t size, uint8_t* file)
{
    static uint8_t packed[FUZZ_ROOM + WRAPPED];
    const uint8_t header[13] = {0,        0, 0, in[WIDTH],     0, 0, 0, in[HEIGHT], in[DEPTH],
                                in[KIND], 0, 0, in[INTERLACED]};
    static const uint8_t colours[30] = {9, 0, 0, 8, 0, 0, 7, 0, 0, 6, 0, 0, 5, 0, 0};
    const size_t packed_size = wrap(in + ROW, size - ROW, packed);
    uint8_t* at = file;
    put(&at, "\x89PNG\r\n\x1a\n", SIGNATURE);
    put_part(&at, "IHDR", header, sizeof header);
    put_part(&at, "PLTE", colours, sizeof colours);
    put_part(&at, "IDAT", packed, packed_size);
    put_part(&at, "IEND", packed, 0);
    return (size_t)(at - file);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < ROW || size > FUZZ_ROOM) {
        return 0;
    }
    static uint8_t file[FUZZ_ROOM + 2 * WRAPPED];
    size_t file_size = size - 1;
    if (data[0] % 2 == FILES) {
        memcpy(file, data + 1, file_size);
        repair_parts(file, file_size);
    } else {
        file_size = build(data, size, file);
    }
    // in memory of that very size, for the sanitizers
    uint8_t* copy = malloc(file_size);
    MUST(copy != NULL);
    memcpy(copy, file, file_size);
    fuzz_heights(copy, file_size, "a.png");
    free(copy);
    return 0;
}
