// SPDX-License-Identifier: Apache-2.0
// Text that grows in an arena, and numbers that are the same in every locale.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"
#include "internal.h"

enum { FIRST_ROOM = 4096 };

// Make room for `size` more characters and a 0 byte.
static bool reserve(EqOut* out, size_t size)
{
    if (out->failed || size < out->room - out->size) {
        return !out->failed;
    }
    size_t room = out->room > 0 ? out->room : FIRST_ROOM;
    while (size >= room - out->size) {
        room *= 2;
    }
    char* data = UT_PUSH(out->keep, char, room);
    out->failed = data == NULL;
    if (data != NULL) {
        if (out->size > 0) {
            memcpy(data, out->data, out->size);
        }
        out->data = data;
        out->room = room;
    }
    return data != NULL;
}

bool ut_eq_sink(void* context, const char* text, size_t size)
{
    EqOut* out = context;
    if (!reserve(out, size)) {
        return false;
    }
    memcpy(out->data + out->size, text, size);
    out->size += size;
    out->data[out->size] = '\0';
    return true;
}

int ut_eq_put(EqOut* out, const char* format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int size = vsnprintf(NULL, 0, format, arguments);
    const bool fits = size >= 0 && reserve(out, (size_t)size);
    if (fits) {
        (void)vsnprintf(out->data + out->size, (size_t)size + 1, format, again);
        out->size += (size_t)size;
    }
    va_end(again);
    va_end(arguments);
    return fits ? size : 0;
}

// @param printed by printf, with the decimal point of the locale
static EqNumber plain(double value, const char* printed)
{
    EqNumber number;
    if (isfinite(value)) {
        (void)ut_number_plain(printed, number.text);
    } else {
        snprintf(number.text, sizeof number.text, "%s",
                 isnan(value)  ? "nan"
                 : value > 0.0 ? "inf"
                               : "-inf");
    }
    return number;
}

double ut_eq_rounded(double value, double most)
{
    static const double NOISE = 1e-14, LEAST = 1e-12;
    return fabs(value) <= fmax(NOISE * most, LEAST) ? 0.0 : value;
}

EqNumber ut_eq_digits(int digits, double value)
{
    char printed[2 * UT_NUMBER_SIZE];
    snprintf(printed, sizeof printed, "%.*g", digits, value);
    return plain(value, printed);
}

EqNumber ut_eq_power(double value)
{
    char printed[2 * UT_NUMBER_SIZE];
    snprintf(printed, sizeof printed, "%.1e", value);
    return plain(value, printed);
}
