// SPDX-License-Identifier: Apache-2.0
// What the files of base share among themselves.
#ifndef UPTACK_BASE_INTERNAL_H
#define UPTACK_BASE_INTERNAL_H

#include <uptack/base.h>

/// @return bytes of the UTF-8 character at `text`, or 0 when there is no valid one before `end`
size_t ut_utf8_size(const char* text, const char* end);

/// @return the largest part of `size` bytes that is at most `room` and splits no UTF-8 character
size_t ut_utf8_fit(const char* text, size_t size, size_t room);

/// Copy a finite number as printf wrote it, with '.' for the decimal point of whatever locale.
/// @return characters written, without the final 0
int ut_number_plain(const char* printed, char text[UT_NUMBER_SIZE]);

#endif
