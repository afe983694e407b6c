// SPDX-License-Identifier: Apache-2.0
// Writes numbers as text, the same in every locale.
#include "internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool belongs_to_number(char c)
{
    return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == 'e';
}

// The decimal point is any character that is not a digit, a sign or 'e'. The locale is not asked,
// because another thread may change it at any time.
int ut_number_plain(const char* printed, char text[UT_NUMBER_SIZE])
{
    int size = 0;
    for (const char* c = printed; *c != 0 && size < UT_NUMBER_SIZE - 1; c++) {
        if (belongs_to_number(*c)) {
            text[size++] = *c;
        } else if (size > 0 && text[size - 1] != '.') {
            text[size++] = '.';
        }
    }
    text[size] = 0;
    return size;
}

// Write "nan", "inf" or "-inf".
static int write_word(const char* word, char text[UT_NUMBER_SIZE])
{
    const size_t size = strlen(word);
    memcpy(text, word, size + 1);
    return (int)size;
}

static int write_digits(double value, int digits, char text[UT_NUMBER_SIZE])
{
    if (isnan(value)) {
        return write_word("nan", text);
    }
    if (isinf(value)) {
        return write_word(value > 0.0 ? "inf" : "-inf", text);
    }
    // 24 characters, and a decimal point that may have several bytes
    char printed[2 * UT_NUMBER_SIZE];
    snprintf(printed, sizeof printed, "%.*g", digits, value);
    return ut_number_plain(printed, text);
}

static bool reads_back(const char* text, int size, double value)
{
    double back;
    return ut_number_read(text, text + size, &back) == text + size &&
           memcmp(&back, &value, sizeof back) == 0;
}

int ut_number_write(double value, char text[UT_NUMBER_SIZE])
{
    return write_digits(value, 17, text);
}

int ut_number_write_short(double value, char text[UT_NUMBER_SIZE])
{
    // every decimal of up to 15 digits reads back; subnormal numbers may need fewer digits
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits < 17; digits++) {
        const int size = write_digits(value, digits, text);
        if (!isfinite(value) || reads_back(text, size, value)) {
            return size;
        }
    }
    return write_digits(value, 17, text);
}
