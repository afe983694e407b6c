// SPDX-License-Identifier: Apache-2.0
// Writing SVG to memory.
#include "svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

void svg_free(Svg* svg)
{
    free(svg->text);
    *svg = (Svg){0};
}

static void add(Svg* svg, const char* text, size_t size)
{
    while (!svg->failed && svg->room - svg->size < size) {
        const size_t room = svg->room > 0 ? 2 * svg->room : (size_t)1 << 16;
        char* larger = room > svg->room ? realloc(svg->text, room) : NULL;
        svg->failed = larger == NULL;
        if (larger != NULL) {
            svg->text = larger;
            svg->room = room;
        }
    }
    if (!svg->failed) {
        memcpy(svg->text + svg->size, text, size);
        svg->size += size;
    }
}

// ---- tags ---------------------------------------------------------------------------------------

void svg_raw(Svg* svg, const char* text)
{
    add(svg, text, strlen(text));
}

void svg_bytes(Svg* svg, const char* bytes, size_t size)
{
    add(svg, bytes, size);
}

// As a whole number of units, so that the locale has no effect and "-0" never appears.
// @param unit 10 or 100: this many units are 1
static void add_number(Svg* svg, double value, int unit)
{
    const double most = 1e9;
    const double x = fabs(value) <= most ? value : 0.0;
    const long long units = llround(unit * x);
    const long long size = units < 0 ? -units : units;
    char text[48];
    int n = snprintf(text, sizeof text, "%s%lld", units < 0 ? "-" : "", size / unit);
    if (size % unit != 0) {
        n += snprintf(text + n, sizeof text - (size_t)n, ".%0*lld", unit == 100 ? 2 : 1,
                      size % unit);
        n -= text[n - 1] == '0';
    }
    add(svg, text, (size_t)n);
}

void svg_number(Svg* svg, double value)
{
    add_number(svg, value, 100);
}

void svg_tenths(Svg* svg, double value)
{
    add_number(svg, value, 10);
}

void svg_tag(Svg* svg, const char* name)
{
    svg_raw(svg, "<");
    svg_raw(svg, name);
}

void svg_set(Svg* svg, const char* attribute, double value)
{
    svg_raw(svg, " ");
    svg_raw(svg, attribute);
    svg_raw(svg, "=\"");
    svg_number(svg, value);
    svg_raw(svg, "\"");
}

void svg_set_text(Svg* svg, const char* attribute, const char* value)
{
    svg_raw(svg, " ");
    svg_raw(svg, attribute);
    svg_raw(svg, "=\"");
    svg_content(svg, value);
    svg_raw(svg, "\"");
}

void svg_close(Svg* svg)
{
    svg_raw(svg, "/>\n");
}

void svg_inside(Svg* svg)
{
    svg_raw(svg, ">");
}

void svg_end(Svg* svg, const char* name)
{
    svg_raw(svg, "</");
    svg_raw(svg, name);
    svg_raw(svg, ">\n");
}

void svg_upward_text(Svg* svg, double x, double y, double size, const char* color, const char* text)
{
    svg_tag(svg, "text");
    svg_raw(svg, " transform=\"translate(");
    svg_number(svg, x);
    svg_raw(svg, " ");
    svg_number(svg, y);
    svg_raw(svg, ") rotate(-90)\"");
    svg_set(svg, "font-size", size);
    svg_set_text(svg, "fill", color);
    svg_set_text(svg, "text-anchor", "middle");
    svg_inside(svg);
    svg_content(svg, text);
    svg_end(svg, "text");
}

void svg_line(Svg* svg, double x1, double y1, double x2, double y2, const char* color)
{
    svg_tag(svg, "line");
    svg_set(svg, "x1", x1);
    svg_set(svg, "y1", y1);
    svg_set(svg, "x2", x2);
    svg_set(svg, "y2", y2);
    svg_set_text(svg, "stroke", color);
    svg_close(svg);
}

void svg_begin(Svg* svg, double width, double height, const char* kind, const char* title)
{
    svg_raw(svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
                 "xmlns=\"http://www.w3.org/2000/svg\"");
    if (kind != NULL) {
        svg_set_text(svg, "class", kind);
    }
    svg_set(svg, "width", width);
    svg_set(svg, "height", height);
    svg_raw(svg, " viewBox=\"0 0 ");
    svg_number(svg, width);
    svg_raw(svg, " ");
    svg_number(svg, height);
    svg_raw(svg, "\" role=\"img\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n");
    if (title != NULL) {
        svg_raw(svg, "<title>");
        svg_content(svg, title);
        svg_end(svg, "title");
    }
    svg_raw(svg, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
}

// ---- text ---------------------------------------------------------------------------------------

size_t svg_character(const char* text)
{
    const unsigned char* s = (const unsigned char*)text;
    if (s[0] < 0x80) {
        return s[0] >= 0x20 && s[0] != 0x7F ? 1 : 0;
    }
    const size_t size = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    uint32_t code = s[0] & (0x7Fu >> size);
    for (size_t k = 1; k < size; k++) {
        if ((s[k] & 0xC0) != 0x80) { // true for the terminating 0 as well
            return 0;
        }
        code = code << 6 | (s[k] & 0x3Fu);
    }
    // reject overlong encodings, surrogates, non-characters and numbers beyond Unicode
    static const uint32_t least[] = {0, 0, 0xA0, 0x800, 0x10000};
    const bool good = s[0] >= 0xC2 && s[0] <= 0xF4 && code >= least[size] && code <= 0x10FFFF &&
                      !(code >= 0xD800 && code <= 0xDFFF) && (code & 0xFFFE) != 0xFFFE;
    return good ? size : 0;
}

void svg_content(Svg* svg, const char* text)
{
    while (*text != 0) {
        const size_t size = svg_character(text);
        switch (size == 1 ? *text : 0) {
        case '&':
            svg_raw(svg, "&amp;");
            break;
        case '<':
            svg_raw(svg, "&lt;");
            break;
        case '>':
            svg_raw(svg, "&gt;");
            break;
        case '"':
            svg_raw(svg, "&quot;");
            break;
        default:
            add(svg, size > 0 ? text : "\xEF\xBF\xBD", size > 0 ? size : 3);
        }
        text += size > 0 ? size : 1;
    }
}

double svg_text_width(const char* text, double font_size)
{
    double em = 0.0;
    while (*text != 0) {
        const size_t size = svg_character(text);
        const bool narrow = strchr(" .,:;'|!()[]/-iljtfr", *text) != NULL;
        const bool wide = (*text >= 'A' && *text <= 'Z') || strchr("mwMW@%", *text) != NULL;
        em += narrow ? 0.36 : wide ? 0.78 : 0.62;
        text += size > 0 ? size : 1;
    }
    return em * font_size;
}
