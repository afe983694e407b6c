// SPDX-License-Identifier: Apache-2.0
// Writing SVG to memory: tags, attributes and escaped text.
#ifndef UPTACK_CLI_SVG_H
#define UPTACK_CLI_SVG_H

#include <uptack/base.h>

/// The text so far. After a failure nothing more is added.
typedef struct Svg {
    char* text; ///< release it with svg_free
    size_t size;
    size_t room;
    bool failed; ///< out of memory
} Svg;

void svg_free(Svg* svg);

/// Add text without escaping.
void svg_raw(Svg* svg, const char* text);

/// Add bytes without escaping.
void svg_bytes(Svg* svg, const char* bytes, size_t size);

/// Add a number: two decimals at most, 0 when it is not finite.
void svg_number(Svg* svg, double value);

/// The same with one decimal, for the points of long outlines.
void svg_tenths(Svg* svg, double value);

/// `<name`, then attributes, then either svg_close (`/>`) or svg_inside (`>`) ... svg_end.
void svg_tag(Svg* svg, const char* name);
void svg_set(Svg* svg, const char* attribute, double value);
void svg_set_text(Svg* svg, const char* attribute, const char* value);
void svg_close(Svg* svg);
void svg_inside(Svg* svg);
void svg_end(Svg* svg, const char* name);

/// Add escaped text between tags. Control characters and bytes that are not UTF-8, which XML does
/// not allow, become U+FFFD.
void svg_content(Svg* svg, const char* text);

/// Text that is read from below upwards, centred at a place: the name of a vertical axis.
void svg_upward_text(Svg* svg, double x, double y, double size, const char* color,
                     const char* text);

/// A straight line.
void svg_line(Svg* svg, double x1, double y1, double x2, double y2, const char* color);

/// Begin a document on white, with a name for its kind and a title; NULL: none.
void svg_begin(Svg* svg, double width, double height, const char* kind, const char* title);

/// An estimate from above of a text's width in a sans-serif font.
double svg_text_width(const char* text, double font_size);

/// The number of bytes of the first UTF-8 character; 0 when it is invalid or not allowed in XML.
size_t svg_character(const char* text);

#endif
