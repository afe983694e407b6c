// SPDX-License-Identifier: Apache-2.0
// Compression to zlib data: repeated strings by hash chains (RFC 1951, section 4), in blocks with Huffman
// codes of their own.
#include "render/image.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 32768,
    HASH_BITS = 15,
    MIN_MATCH = 3,
    MAX_MATCH = 258,
    CHAIN = 48,            // earlier places that are compared
    BLOCK_SYMBOLS = 32768, // literals and matches of a block
    LITERALS = 286,
    DISTANCES = 30,
    CODE_LENGTHS = 19,
    MAX_BITS = 15,
};

// ---- bytes --------------------------------------------------------------------------------------

void render_bytes_add(RenderBytes* bytes, const void* data, size_t size)
{
    if (bytes->failed) {
        return;
    }
    if (bytes->room - bytes->size < size) {
        const size_t room = 2 * (bytes->room + size) + 1024;
        unsigned char* larger = realloc(bytes->data, room);
        if (larger == NULL) {
            bytes->failed = true;
            return;
        }
        bytes->data = larger;
        bytes->room = room;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void render_bytes_free(RenderBytes* bytes)
{
    free(bytes->data);
    *bytes = (RenderBytes){0};
}

// ---- bits ---------------------------------------------------------------------------------------

typedef struct Bits {
    RenderBytes* into;
    uint64_t bits;
    int count;
} Bits;

static void put_bits(Bits* b, unsigned value, int count)
{
    b->bits |= (uint64_t)value << b->count;
    b->count += count;
    while (b->count >= 8) {
        const unsigned char byte = (unsigned char)b->bits;
        render_bytes_add(b->into, &byte, 1);
        b->bits >>= 8;
        b->count -= 8;
    }
}

static void end_bits(Bits* b)
{
    if (b->count > 0) {
        put_bits(b, 0, 8 - b->count);
    }
}

// ---- Huffman codes ------------------------------------------------------------------------------

typedef struct Code {
    int symbols;
    unsigned char length[LITERALS];
    unsigned short code[LITERALS]; // the first bit is the lowest one
} Code;

// The lengths of an optimal code: join the two rarest subtrees, again and again.
// @return the longest length
static int find_lengths(const unsigned* frequency, Code* code)
{
    enum { NODES = 2 * LITERALS };
    unsigned long weight[NODES];
    int parent[NODES], open[NODES];
    int nodes = 0, trees = 0;
    int symbol[LITERALS];
    memset(code->length, 0, sizeof code->length);
    for (int k = 0; k < code->symbols; k++) {
        if (frequency[k] > 0) {
            symbol[nodes] = k;
            weight[nodes] = frequency[k];
            parent[nodes] = -1;
            open[trees++] = nodes++;
        }
    }
    const int leaves = nodes;
    while (trees > 1) {
        int least[2];
        for (int pick = 0; pick < 2; pick++) {
            int best = 0;
            for (int k = 1; k < trees; k++) {
                best = weight[open[k]] < weight[open[best]] ? k : best;
            }
            least[pick] = open[best];
            open[best] = open[--trees];
        }
        weight[nodes] = weight[least[0]] + weight[least[1]];
        parent[nodes] = -1;
        parent[least[0]] = parent[least[1]] = nodes;
        open[trees++] = nodes++;
    }
    int longest = 0;
    for (int k = 0; k < leaves; k++) {
        int depth = 0;
        for (int n = k; parent[n] >= 0; n = parent[n]) {
            depth++;
        }
        // a single symbol needs a bit, too
        code->length[symbol[k]] = (unsigned char)(depth > 0 ? depth : 1);
        longest = depth > longest ? depth : longest;
    }
    return longest;
}

// Number the codes (RFC 1951, 3.2.2).
static void number_codes(Code* code)
{
    int count[MAX_BITS + 1] = {0};
    unsigned next[MAX_BITS + 2] = {0};
    for (int k = 0; k < code->symbols; k++) {
        count[code->length[k]]++;
    }
    count[0] = 0;
    for (int bits = 1; bits <= MAX_BITS; bits++) {
        next[bits + 1] = (next[bits] + (unsigned)count[bits]) << 1;
    }
    for (int k = 0; k < code->symbols; k++) {
        const int length = code->length[k];
        const unsigned value = length > 0 ? next[length]++ : 0;
        unsigned turned = 0;
        for (int bit = 0; bit < length; bit++) {
            turned |= (value >> bit & 1u) << (length - 1 - bit);
        }
        code->code[k] = (unsigned short)turned;
    }
}

// @param most bits of a code; rarer symbols count as more frequent until it is kept
static void make_code(const unsigned* frequency, int symbols, int most, Code* code)
{
    unsigned f[LITERALS];
    memcpy(f, frequency, (size_t)symbols * sizeof *f);
    code->symbols = symbols;
    while (find_lengths(f, code) > most) {
        for (int k = 0; k < symbols; k++) {
            f[k] = f[k] > 0 ? f[k] / 2 + 1 : 0;
        }
    }
    number_codes(code);
}

static void put_symbol(Bits* b, const Code* code, int symbol)
{
    put_bits(b, code->code[symbol], code->length[symbol]);
}

// ---- symbols ------------------------------------------------------------------------------------

// A literal (distance 0), or a match.
typedef struct Symbol {
    unsigned short length, distance;
} Symbol;

// The code of a length or a distance, and the bits that follow it.
typedef struct Place {
    int code, extra;
    unsigned rest;
} Place;

static Place length_place(int length)
{
    if (length == MAX_MATCH) {
        return (Place){285, 0, 0};
    }
    const int x = length - MIN_MATCH;
    int extra = 0;
    while (x >> (extra + 3) > 0) {
        extra++;
    }
    const int code = extra == 0 ? 257 + x : 257 + 4 * extra + (x >> extra);
    return (Place){code, extra, (unsigned)x & ((1u << extra) - 1u)};
}

static Place distance_place(int distance)
{
    const int x = distance - 1;
    int extra = 0;
    while (x >> (extra + 2) > 0) {
        extra++;
    }
    const int code = extra == 0 ? x : 2 * extra + (x >> extra);
    return (Place){code, extra, (unsigned)x & ((1u << extra) - 1u)};
}

// ---- blocks -------------------------------------------------------------------------------------

// Write the lengths of both codes, themselves as symbols of a code (3.2.7).
static void put_codes(Bits* b, const Code* literal, const Code* distance)
{
    static const unsigned char order[CODE_LENGTHS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    unsigned char length[LITERALS + DISTANCES];
    unsigned frequency[CODE_LENGTHS] = {0};
    memcpy(length, literal->length, LITERALS);
    memcpy(length + LITERALS, distance->length, DISTANCES);
    for (int k = 0; k < LITERALS + DISTANCES; k++) {
        frequency[length[k]]++;
    }
    Code code;
    make_code(frequency, CODE_LENGTHS, 7, &code);
    put_bits(b, LITERALS - 257, 5);
    put_bits(b, DISTANCES - 1, 5);
    put_bits(b, CODE_LENGTHS - 4, 4);
    for (int k = 0; k < CODE_LENGTHS; k++) {
        put_bits(b, code.length[order[k]], 3);
    }
    for (int k = 0; k < LITERALS + DISTANCES; k++) {
        put_symbol(b, &code, length[k]);
    }
}

static void put_block(Bits* b, const Symbol* symbol, int symbols, bool last)
{
    unsigned literals[LITERALS] = {[256] = 1}, distances[DISTANCES] = {0};
    Code literal, distance;
    for (int k = 0; k < symbols; k++) {
        if (symbol[k].distance == 0) {
            literals[symbol[k].length]++;
        } else {
            literals[length_place(symbol[k].length).code]++;
            distances[distance_place(symbol[k].distance).code]++;
        }
    }
    make_code(literals, LITERALS, MAX_BITS, &literal);
    make_code(distances, DISTANCES, MAX_BITS, &distance);
    put_bits(b, last, 1);
    put_bits(b, 2, 2);
    put_codes(b, &literal, &distance);
    for (int k = 0; k < symbols; k++) {
        if (symbol[k].distance == 0) {
            put_symbol(b, &literal, symbol[k].length);
            continue;
        }
        const Place l = length_place(symbol[k].length);
        const Place d = distance_place(symbol[k].distance);
        put_symbol(b, &literal, l.code);
        put_bits(b, l.rest, l.extra);
        put_symbol(b, &distance, d.code);
        put_bits(b, d.rest, d.extra);
    }
    put_symbol(b, &literal, 256);
}

// ---- matches ------------------------------------------------------------------------------------

typedef struct Finder {
    const unsigned char* data;
    size_t size;
    int64_t head[1 << HASH_BITS]; // the last place of a hash; -1: none
    int64_t before[WINDOW];       // the place before, of the same hash
} Finder;

static unsigned hash_at(const Finder* f, size_t at)
{
    const unsigned x =
        (unsigned)f->data[at] << 16 | (unsigned)f->data[at + 1] << 8 | f->data[at + 2];
    return x * 2654435761u >> (32 - HASH_BITS);
}

static void remember(Finder* f, size_t at)
{
    if (at + MIN_MATCH <= f->size) {
        const unsigned hash = hash_at(f, at);
        f->before[at % WINDOW] = f->head[hash];
        f->head[hash] = (int64_t)at;
    }
}

static Symbol find_match(const Finder* f, size_t at)
{
    Symbol best = {f->data[at], 0};
    if (at + MIN_MATCH > f->size) {
        return best;
    }
    const size_t most = f->size - at < MAX_MATCH ? f->size - at : MAX_MATCH;
    size_t longest = MIN_MATCH - 1;
    int64_t place = f->head[hash_at(f, at)];
    for (int k = 0; k < CHAIN && place >= 0 && (int64_t)at - place <= WINDOW - 1; k++) {
        const unsigned char* earlier = f->data + place;
        if (earlier[longest] == f->data[at + longest]) {
            size_t size = 0;
            while (size < most && earlier[size] == f->data[at + size]) {
                size++;
            }
            if (size > longest) {
                longest = size;
                best = (Symbol){(unsigned short)size, (unsigned short)((int64_t)at - place)};
                if (size == most) {
                    break;
                }
            }
        }
        place = f->before[place % WINDOW];
    }
    return best;
}

static uint32_t adler32(const unsigned char* data, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t k = 0; k < size; k++) {
        a = (a + data[k]) % 65521u;
        b = (b + a) % 65521u;
    }
    return b << 16 | a;
}

void render_deflate(const unsigned char* data, size_t size, RenderBytes* into)
{
    static const unsigned char head[2] = {0x78, 0x9c};
    Finder* f = malloc(sizeof *f);
    Symbol* symbol = malloc(BLOCK_SYMBOLS * sizeof *symbol);
    if (f == NULL || symbol == NULL) {
        into->failed = true;
        free(f);
        free(symbol);
        return;
    }
    f->data = data;
    f->size = size;
    memset(f->head, -1, sizeof f->head);
    Bits bits = {.into = into};
    render_bytes_add(into, head, sizeof head);
    int symbols = 0;
    for (size_t at = 0; at < size;) {
        symbol[symbols] = find_match(f, at);
        const size_t covered = symbol[symbols].distance > 0 ? symbol[symbols].length : 1;
        for (size_t k = 0; k < covered; k++) {
            remember(f, at + k);
        }
        at += covered;
        if (++symbols == BLOCK_SYMBOLS) {
            put_block(&bits, symbol, symbols, false);
            symbols = 0;
        }
    }
    put_block(&bits, symbol, symbols, true);
    end_bits(&bits);
    const uint32_t sum = adler32(data, size);
    const unsigned char tail[4] = {(unsigned char)(sum >> 24), (unsigned char)(sum >> 16),
                                   (unsigned char)(sum >> 8), (unsigned char)sum};
    render_bytes_add(into, tail, sizeof tail);
    free(f);
    free(symbol);
}
