// SPDX-License-Identifier: Apache-2.0
// A picture as SVG text: tags, attributes and escaped text, collected in memory.
#ifndef UPTACK_CLI_SVG_H
#define UPTACK_CLI_SVG_H

#include <uptack/base.h>

/// The text so far. It remembers the first failure: nothing is added after it.
typedef struct Svg {
    char* text; ///< to be given to svg_free
    size_t size;
    size_t room;
    bool failed; ///< out of memory
} Svg;

void svg_free(Svg* svg);

/// Add text as it is.
void svg_raw(Svg* svg, const char* text);

/// Add a number: two decimals at most, 0 when it is not finite.
void svg_number(Svg* svg, double value);

/// `<name`, then attributes, then either svg_close (`/>`) or svg_inside (`>`) ... svg_end.
void svg_tag(Svg* svg, const char* name);
void svg_set(Svg* svg, const char* attribute, double value);
void svg_set_text(Svg* svg, const char* attribute, const char* value);
void svg_close(Svg* svg);
void svg_inside(Svg* svg);
void svg_end(Svg* svg, const char* name);

/// Text between tags, escaped. What XML cannot hold (control characters, bytes that are not UTF-8)
/// becomes U+FFFD.
void svg_content(Svg* svg, const char* text);

/// A straight line.
void svg_line(Svg* svg, double x1, double y1, double x2, double y2, const char* color);

/// About how wide a text is in a sans-serif font of this size; rather too wide.
double svg_text_width(const char* text, double font_size);

/// Bytes of the UTF-8 character here, 0 when it is none that XML can hold.
size_t svg_character(const char* text);

#endif
