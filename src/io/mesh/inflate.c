// SPDX-License-Identifier: Apache-2.0
// Decompression of zlib data: RFC 1950 (the wrapper) and RFC 1951 (deflate).
//
// Codes are canonical: those of one length are consecutive numbers, shorter ones first. So a code is
// found bit by bit from the number of codes of each length, without a table of codes.
#include "io/mesh/decode.h"

enum {
    MAX_BITS = 15,
    LITERALS = 288, // bytes, the end of a block, lengths
    DISTANCES = 30,
    LENGTH_CODES = 19,
    END_OF_BLOCK = 256,
    WRAPPER = 6, // bytes: two before the data, the checksum behind
};

typedef struct Code {
    uint16_t count[MAX_BITS + 1]; // codes of each length
    uint16_t symbol[LITERALS];    // in the order of their codes
} Code;

typedef struct Inflate {
    const Decode* d;
    size_t from; // place of the data in the file
    const unsigned char* in;
    size_t in_size, in_at;
    uint32_t bits; // read but not used
    int bit_count;
    unsigned char* out;
    size_t out_size, out_at;
    bool ended; // the input has no more bits
} Inflate;

static utStatus fail(const Inflate* s, const char* what)
{
    return ut_decode_fail(s->d, s->from + s->in_at, "%s", what);
}

static utStatus fail_end(const Inflate* s)
{
    return fail(s, "the compressed data ends early");
}

// The next `count` bits, at most 16, the first one lowest; 0 and s->ended behind the end.
static uint32_t take(Inflate* s, int count)
{
    while (s->bit_count < count) {
        if (s->in_at >= s->in_size) {
            s->ended = true;
            return 0;
        }
        s->bits |= (uint32_t)s->in[s->in_at++] << s->bit_count;
        s->bit_count += 8;
    }
    const uint32_t value = s->bits & ((1u << count) - 1u);
    s->bits >>= count;
    s->bit_count -= count;
    return value;
}

// Build a code from the lengths of its symbols. @return false for more codes than the lengths allow
static bool build(Code* code, const uint8_t* length, int symbols)
{
    memset(code, 0, sizeof *code);
    for (int i = 0; i < symbols; i++) {
        code->count[length[i]]++;
    }
    code->count[0] = 0;
    int left = 1; // codes of this length that are free
    uint16_t next[MAX_BITS + 2] = {0};
    for (int bits = 1; bits <= MAX_BITS; bits++) {
        left = 2 * left - code->count[bits];
        if (left < 0) {
            return false;
        }
        next[bits + 1] = (uint16_t)(next[bits] + code->count[bits]);
    }
    for (int i = 0; i < symbols; i++) {
        if (length[i] != 0) {
            code->symbol[next[length[i]]++] = (uint16_t)i;
        }
    }
    return true;
}

// @return the next symbol; -1 for a code that does not exist, also behind the end
static int next_symbol(Inflate* s, const Code* code)
{
    int value = 0, first = 0, index = 0;
    for (int bits = 1; bits <= MAX_BITS; bits++) {
        value |= (int)take(s, 1);
        if (s->ended) {
            return -1;
        }
        const int count = code->count[bits];
        if (value - first < count) {
            return code->symbol[index + value - first];
        }
        index += count;
        first = (first + count) << 1;
        value <<= 1;
    }
    return -1;
}

// ---- blocks -------------------------------------------------------------------------------------

static utStatus copy_stored(Inflate* s)
{
    s->bits = 0; // the rest of the byte is unused
    s->bit_count = 0;
    if (s->in_size - s->in_at < 4) {
        return fail_end(s);
    }
    const unsigned char* b = s->in + s->in_at;
    const size_t size = (size_t)b[0] | (size_t)b[1] << 8;
    const size_t check = (size_t)b[2] | (size_t)b[3] << 8;
    if (size != (~check & 0xffff)) {
        return fail(s, "a block of compressed data has a wrong size");
    }
    s->in_at += 4;
    if (s->in_size - s->in_at < size) {
        return fail_end(s);
    }
    if (s->out_size - s->out_at < size) {
        return fail(s, "the compressed data is longer than the picture");
    }
    memcpy(s->out + s->out_at, s->in + s->in_at, size);
    s->in_at += size;
    s->out_at += size;
    return UT_OK;
}

// Repeat bytes of the output. @param symbol 257 ... 285: a length
static utStatus copy_match(Inflate* s, int symbol, const Code* distances)
{
    static const uint16_t base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t far[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                   33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                   1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    static const uint8_t far_extra[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                        6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
    const int k = symbol - END_OF_BLOCK - 1;
    if (k >= (int)sizeof extra) {
        return fail(s, "the compressed data has an unknown length");
    }
    const size_t length = base[k] + take(s, extra[k]);
    const int which = next_symbol(s, distances);
    if (which < 0 || which >= DISTANCES) {
        return s->ended ? fail_end(s) : fail(s, "the compressed data has an unknown distance");
    }
    const size_t distance = far[which] + take(s, far_extra[which]);
    if (s->ended) {
        return fail_end(s);
    }
    if (distance > s->out_at) {
        return fail(s, "the compressed data refers to bytes before its start");
    }
    if (length > s->out_size - s->out_at) {
        return fail(s, "the compressed data is longer than the picture");
    }
    for (size_t i = 0; i < length; i++, s->out_at++) {
        s->out[s->out_at] = s->out[s->out_at - distance];
    }
    return UT_OK;
}

static utStatus read_codes(Inflate* s, const Code* literals, const Code* distances)
{
    for (;;) {
        const int symbol = next_symbol(s, literals);
        if (symbol < 0) {
            return s->ended ? fail_end(s) : fail(s, "the compressed data has an unknown code");
        }
        if (symbol == END_OF_BLOCK) {
            return UT_OK;
        }
        if (symbol > END_OF_BLOCK) {
            UT_TRY(copy_match(s, symbol, distances));
        } else if (s->out_at < s->out_size) {
            s->out[s->out_at++] = (unsigned char)symbol;
        } else {
            return fail(s, "the compressed data is longer than the picture");
        }
    }
}

static void fixed_codes(Code* literals, Code* distances)
{
    uint8_t length[LITERALS];
    for (int i = 0; i < LITERALS; i++) {
        length[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    }
    (void)build(literals, length, LITERALS);
    memset(length, 5, DISTANCES);
    (void)build(distances, length, DISTANCES);
}

// Read the lengths of both codes, which are themselves coded.
static utStatus dynamic_codes(Inflate* s, Code* literals, Code* distances)
{
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    const int nl = (int)take(s, 5) + 257, nd = (int)take(s, 5) + 1, nc = (int)take(s, 4) + 4;
    if (nl > 286 || nd > DISTANCES) {
        return fail(s, "the compressed data has too many codes");
    }
    uint8_t length[LITERALS + DISTANCES] = {0};
    for (int i = 0; i < nc; i++) {
        length[order[i]] = (uint8_t)take(s, 3);
    }
    Code lengths;
    if (!build(&lengths, length, LENGTH_CODES)) {
        return fail(s, "the compressed data has an impossible code");
    }
    memset(length, 0, sizeof length);
    for (int i = 0; i < nl + nd;) {
        const int symbol = next_symbol(s, &lengths);
        if (symbol < 0) {
            return s->ended ? fail_end(s) : fail(s, "the compressed data has an unknown code");
        }
        if (symbol < 16) {
            length[i++] = (uint8_t)symbol;
            continue;
        }
        // 16 repeats the last length, 17 and 18 write zeros
        const int repeat = symbol == 16   ? 3 + (int)take(s, 2)
                           : symbol == 17 ? 3 + (int)take(s, 3)
                                          : 11 + (int)take(s, 7);
        if ((symbol == 16 && i == 0) || repeat > nl + nd - i) {
            return fail(s, "the compressed data repeats a length wrongly");
        }
        const uint8_t value = symbol == 16 ? length[i - 1] : 0;
        memset(length + i, value, (size_t)repeat);
        i += repeat;
    }
    if (s->ended) {
        return fail_end(s);
    }
    if (!build(literals, length, nl) || !build(distances, length + nl, nd)) {
        return fail(s, "the compressed data has an impossible code");
    }
    return UT_OK;
}

// ---- all ----------------------------------------------------------------------------------------

static uint32_t adler32(const unsigned char* data, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 65521u;
        b = (b + a) % 65521u;
    }
    return b << 16 | a;
}

utStatus ut_inflate(const Decode* d, utText data, size_t from, unsigned char* out, size_t size)
{
    const unsigned char* in = (const unsigned char*)data.data;
    Inflate s = {.d = d, .from = from, .in = in, .out = out, .out_size = size};
    if (data.size < WRAPPER) {
        return fail_end(&s);
    }
    // method 8, no dictionary, and the two bytes a multiple of 31
    if ((in[0] & 15) != 8 || (in[1] & 32) != 0 || (256 * in[0] + in[1]) % 31 != 0) {
        return fail(&s, "the data is not compressed with zlib");
    }
    s.in_at = 2;
    s.in_size = data.size - 4;
    bool last = false;
    while (!last) {
        last = take(&s, 1) != 0;
        const uint32_t kind = take(&s, 2);
        if (s.ended) {
            return fail_end(&s);
        }
        Code literals, distances;
        if (kind == 0) {
            UT_TRY(copy_stored(&s));
            continue;
        }
        if (kind == 1) {
            fixed_codes(&literals, &distances);
        } else if (kind == 2) {
            UT_TRY(dynamic_codes(&s, &literals, &distances));
        } else {
            return fail(&s, "a block of compressed data is of an unknown kind");
        }
        UT_TRY(read_codes(&s, &literals, &distances));
    }
    if (s.out_at != size) {
        return fail(&s, "the compressed data is shorter than the picture");
    }
    if (ut_big_u32(data.data + s.in_at) != adler32(out, size)) {
        return fail(&s, "the checksum of the compressed data is wrong");
    }
    return UT_OK;
}
