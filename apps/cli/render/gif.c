// SPDX-License-Identifier: Apache-2.0
// Animated GIF files (GIF89a): one palette for all frames, and of each frame only the rectangle that
// differs from the frame before, its other pixels transparent.
#include "render/image.h"

#include <stdlib.h>
#include <string.h>

enum {
    STAYS = 255,     // the palette entry of pixels that do not change
    CELLS = 1 << 18, // colours of 6 + 6 + 6 bits
    COLORS = 1 << 24,
    MAX_CODES = 4096, // of LZW
    HASH = 1 << 13,
};

// ---- the palette --------------------------------------------------------------------------------

static unsigned cell_of(const unsigned char* rgb)
{
    return (unsigned)(rgb[0] >> 2) << 12 | (unsigned)(rgb[1] >> 2) << 6 | (unsigned)(rgb[2] >> 2);
}

static void color_of(unsigned cell, int rgb[3])
{
    for (int axis = 0; axis < 3; axis++) {
        rgb[axis] = (int)(cell >> (12 - 6 * axis) & 63u) * 255 / 63;
    }
}

// A box of colours: a range of the list of cells.
typedef struct Box {
    int from, to;
    int axis;   // its longest one
    long score; // its length, weighted by the number of pixels
} Box;

typedef struct Cell {
    unsigned cell;
    unsigned pixels;
    int rgb[3];
    double sum[3]; // of the exact colours
} Cell;

static void measure(const Cell* cell, Box* box)
{
    long pixels = 0;
    box->score = 0;
    for (int k = box->from; k < box->to; k++) {
        pixels += cell[k].pixels;
    }
    int longest = -1;
    for (int axis = 0; axis < 3; axis++) {
        int low = 255, high = 0;
        for (int k = box->from; k < box->to; k++) {
            low = cell[k].rgb[axis] < low ? cell[k].rgb[axis] : low;
            high = cell[k].rgb[axis] > high ? cell[k].rgb[axis] : high;
        }
        if (high - low > longest) {
            longest = high - low;
            box->axis = axis;
        }
    }
    // rare colours count too: a small object must keep its own
    long weight = 1;
    while (weight * weight < pixels) {
        weight++;
    }
    box->score = box->to - box->from > 1 ? longest * (weight + 8) : 0;
}

static int compare_red(const void* a, const void* b)
{
    const Cell *p = a, *q = b;
    return p->rgb[0] != q->rgb[0] ? p->rgb[0] - q->rgb[0] : p->cell < q->cell ? -1 : 1;
}

static int compare_green(const void* a, const void* b)
{
    const Cell *p = a, *q = b;
    return p->rgb[1] != q->rgb[1] ? p->rgb[1] - q->rgb[1] : p->cell < q->cell ? -1 : 1;
}

static int compare_blue(const void* a, const void* b)
{
    const Cell *p = a, *q = b;
    return p->rgb[2] != q->rgb[2] ? p->rgb[2] - q->rgb[2] : p->cell < q->cell ? -1 : 1;
}

// Divide a box in the middle of its longest axis.
static void divide(Cell* cell, Box* box, Box* other)
{
    static int (*const compare[3])(const void*, const void*) = {compare_red, compare_green,
                                                                compare_blue};
    const int axis = box->axis;
    qsort(cell + box->from, (size_t)(box->to - box->from), sizeof *cell, compare[axis]);
    const int middle = (cell[box->from].rgb[axis] + cell[box->to - 1].rgb[axis]) / 2;
    int at = box->from + 1;
    while (at < box->to - 1 && cell[at].rgb[axis] <= middle) {
        at++;
    }
    *other = (Box){.from = at, .to = box->to};
    box->to = at;
    measure(cell, box);
    measure(cell, other);
}

// The mean colour of a box.
static void average(const Cell* cell, const Box* box, unsigned char* rgb)
{
    double sum[3] = {0.0, 0.0, 0.0}, pixels = 0.0;
    for (int k = box->from; k < box->to; k++) {
        pixels += cell[k].pixels;
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += cell[k].sum[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        rgb[axis] = (unsigned char)(sum[axis] / pixels + 0.5);
    }
}

// The colours of pictures, in the order of their cells. @return their number
static int count_colors(int images, const RenderImage* image, Cell* cell)
{
    for (int k = 0; k < images; k++) {
        const size_t pixels = (size_t)image[k].width * (size_t)image[k].height;
        for (size_t p = 0; p < pixels; p++) {
            const unsigned char* rgb = image[k].rgb + 3 * p;
            Cell* c = &cell[cell_of(rgb)];
            c->pixels++;
            for (int axis = 0; axis < 3; axis++) {
                c->sum[axis] += rgb[axis];
            }
        }
    }
    int count = 0;
    for (unsigned k = 0; k < CELLS; k++) {
        if (cell[k].pixels > 0) {
            const Cell found = cell[k];
            cell[count] = found;
            cell[count].cell = k;
            color_of(k, cell[count].rgb);
            count++;
        }
    }
    return count;
}

static void choose_palette(RenderGif* gif, Cell* cell, int count)
{
    Box box[RENDER_GIF_COLORS];
    box[0] = (Box){.from = 0, .to = count};
    measure(cell, &box[0]);
    gif->colors = 1;
    while (gif->colors < RENDER_GIF_COLORS) {
        int best = 0;
        for (int k = 1; k < gif->colors; k++) {
            best = box[k].score > box[best].score ? k : best;
        }
        if (box[best].score <= 0) {
            break;
        }
        divide(cell, &box[best], &box[gif->colors]);
        gif->colors++;
    }
    for (int k = 0; k < gif->colors; k++) {
        average(cell, &box[k], gif->color[k]);
    }
}

static int nearest_color(const RenderGif* gif, const unsigned char* rgb)
{
    long least = 1L << 30;
    int best = 0;
    for (int k = 0; k < gif->colors; k++) {
        long far = 0;
        for (int axis = 0; axis < 3; axis++) {
            const long d = rgb[axis] - gif->color[k][axis];
            far += d * d * (axis == 1 ? 4 : axis == 0 ? 3 : 2); // eyes see green best
        }
        if (far < least) {
            least = far;
            best = k;
        }
    }
    return best;
}

// The palette entry of a colour, which is looked for when the colour first appears.
static unsigned char entry_of(RenderGif* gif, const unsigned char* rgb)
{
    unsigned char* entry = &gif->nearest[(size_t)rgb[0] << 16 | (size_t)rgb[1] << 8 | rgb[2]];
    if (*entry == STAYS) {
        *entry = (unsigned char)nearest_color(gif, rgb);
    }
    return *entry;
}

// ---- LZW ----------------------------------------------------------------------------------------

// Codes in sub-blocks of up to 255 bytes.
typedef struct Codes {
    RenderBytes* into;
    unsigned char block[256]; // its size in front
    unsigned bits;
    int count;
} Codes;

static void flush_block(Codes* c)
{
    if (c->block[0] > 0) {
        render_bytes_add(c->into, c->block, 1 + (size_t)c->block[0]);
        c->block[0] = 0;
    }
}

static void put_code(Codes* c, int code, int size)
{
    c->bits |= (unsigned)code << c->count;
    c->count += size;
    while (c->count >= 8) {
        c->block[++c->block[0]] = (unsigned char)c->bits;
        c->bits >>= 8;
        c->count -= 8;
        if (c->block[0] == 255) {
            flush_block(c);
        }
    }
}

typedef struct Table {
    int key[HASH]; // prefix and byte; -1: free
    short code[HASH];
    int next; // code
    int size; // bits of a code
} Table;

enum { CLEAR = 256, END = 257, FIRST = 258 };

static void clear_table(Table* t)
{
    memset(t->key, -1, sizeof t->key);
    t->next = FIRST;
    t->size = 9;
}

// @return the place of a prefix and a byte, or the free place for them
static int find_place(const Table* t, int key)
{
    int at = (int)((unsigned)key * 2654435761u >> 19);
    while (t->key[at] >= 0 && t->key[at] != key) {
        at = (at + 1) % HASH;
    }
    return at;
}

static void compress(const unsigned char* data, size_t size, Table* t, RenderBytes* into)
{
    static const unsigned char bits = 8, end = 0;
    Codes c = {.into = into};
    render_bytes_add(into, &bits, 1);
    clear_table(t);
    put_code(&c, CLEAR, t->size);
    int prefix = data[0];
    for (size_t k = 1; k < size; k++) {
        const int key = prefix << 8 | data[k];
        const int at = find_place(t, key);
        if (t->key[at] == key) {
            prefix = t->code[at];
            continue;
        }
        put_code(&c, prefix, t->size);
        t->key[at] = key;
        t->code[at] = (short)t->next++;
        t->size += t->next > 1 << t->size;
        if (t->next == MAX_CODES) {
            put_code(&c, CLEAR, t->size > 12 ? 12 : t->size);
            clear_table(t);
        }
        prefix = data[k];
    }
    put_code(&c, prefix, t->size);
    // the reader adds an entry at this code, too
    t->size += t->next + 1 > 1 << t->size && t->size < 12;
    put_code(&c, END, t->size);
    put_code(&c, 0, 7);
    flush_block(&c);
    render_bytes_add(into, &end, 1);
}

// ---- the file -----------------------------------------------------------------------------------

static void put_u16(RenderBytes* into, int x)
{
    const unsigned char bytes[2] = {(unsigned char)x, (unsigned char)(x >> 8)};
    render_bytes_add(into, bytes, 2);
}

bool render_gif_begin(RenderGif* gif, int images, const RenderImage* image, RenderBytes* into)
{
    static const unsigned char screen[3] = {0xf7, 0, 0}; // a palette of 256 colours
    static const unsigned char forever[] = "\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00";
    *gif = (RenderGif){.width = image[0].width, .height = image[0].height};
    Cell* cell = calloc(CELLS, sizeof *cell);
    gif->nearest = malloc(COLORS);
    gif->before = NULL;
    if (cell == NULL || gif->nearest == NULL) {
        free(cell);
        return false;
    }
    choose_palette(gif, cell, count_colors(images, image, cell));
    memset(gif->nearest, STAYS, COLORS);
    free(cell);
    unsigned char palette[256][3] = {{0}};
    memcpy(palette, gif->color, sizeof gif->color);
    render_bytes_add(into, "GIF89a", 6);
    put_u16(into, gif->width);
    put_u16(into, gif->height);
    render_bytes_add(into, screen, sizeof screen);
    render_bytes_add(into, palette, sizeof palette);
    render_bytes_add(into, forever, sizeof forever); // the 0 of the text ends the block
    return true;
}

// The rectangle in which two frames differ; one pixel when they are equal.
typedef struct Part {
    int x0, y0, x1, y1;
} Part;

static Part find_part(const RenderGif* gif, const unsigned char* now)
{
    Part p = {gif->width, gif->height, 0, 0};
    for (int y = 0; y < gif->height; y++) {
        for (int x = 0; x < gif->width; x++) {
            const size_t at = (size_t)y * (size_t)gif->width + (size_t)x;
            if (gif->before == NULL || now[at] != gif->before[at]) {
                p.x0 = x < p.x0 ? x : p.x0;
                p.x1 = x >= p.x1 ? x + 1 : p.x1;
                p.y0 = y < p.y0 ? y : p.y0;
                p.y1 = y + 1;
            }
        }
    }
    return p.x1 > p.x0 ? p : (Part){0, 0, 1, 1};
}

// The pixels of a part, those that stay transparent. @return their number
static size_t cut(const RenderGif* gif, const unsigned char* now, Part p, unsigned char* out)
{
    size_t size = 0;
    for (int y = p.y0; y < p.y1; y++) {
        for (int x = p.x0; x < p.x1; x++) {
            const size_t at = (size_t)y * (size_t)gif->width + (size_t)x;
            const bool stays = gif->before != NULL && now[at] == gif->before[at];
            out[size++] = stays ? STAYS : now[at];
        }
    }
    return size;
}

void render_gif_frame(RenderGif* gif, const RenderImage* image, int hundredths, RenderBytes* into)
{
    // 5: the picture stays, and one entry is transparent
    static const unsigned char control[4] = {0x21, 0xf9, 4, 5};
    static const unsigned char control_end[2] = {STAYS, 0};
    const size_t pixels = (size_t)gif->width * (size_t)gif->height;
    unsigned char* now = malloc(pixels);
    unsigned char* out = malloc(pixels);
    Table* table = malloc(sizeof *table);
    if (now == NULL || out == NULL || table == NULL) {
        into->failed = true;
        free(now);
        free(out);
        free(table);
        return;
    }
    for (size_t p = 0; p < pixels; p++) {
        now[p] = entry_of(gif, image->rgb + 3 * p);
    }
    const Part part = find_part(gif, now);
    const size_t size = cut(gif, now, part, out);
    render_bytes_add(into, control, sizeof control);
    put_u16(into, hundredths);
    render_bytes_add(into, control_end, sizeof control_end);
    render_bytes_add(into, ",", 1);
    put_u16(into, part.x0);
    put_u16(into, part.y0);
    put_u16(into, part.x1 - part.x0);
    put_u16(into, part.y1 - part.y0);
    render_bytes_add(into, "", 1);
    compress(out, size, table, into);
    free(out);
    free(table);
    free(gif->before);
    gif->before = now;
}

void render_gif_end(RenderGif* gif, RenderBytes* into)
{
    render_bytes_add(into, ";", 1);
    free(gif->nearest);
    free(gif->before);
    *gif = (RenderGif){0};
}
