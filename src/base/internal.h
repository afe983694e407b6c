// SPDX-License-Identifier: Apache-2.0
// Functions that the sources of base share with each other and with the readers of files.
#ifndef UPTACK_BASE_INTERNAL_H
#define UPTACK_BASE_INTERNAL_H

#include <uptack/base.h>

/// Take `size` bytes like ut_arena_push, but aligned to `alignment` (a power of two) instead of a
/// cache line, so that many small items lie close together. @return NULL like ut_arena_push
void* ut_arena_pack(utArena* arena, size_t size, size_t alignment);

/// @return the allocator that the arena was created with, NULL for malloc and for ut_arena_on
const utAllocator* ut_arena_allocator(const utArena* arena);

/// @return bytes of the UTF-8 character at `text`, or 0 when there is no valid one before `end`
size_t ut_utf8_size(const char* text, const char* end);

/// @return the number of bytes, at most `room`, that can be copied without splitting a character
size_t ut_utf8_fit(const char* text, size_t size, size_t room);

/// Copy a finite number that printf wrote, with '.' instead of the locale's decimal point.
/// @return characters written, without the final 0
int ut_number_plain(const char* printed, char text[UT_NUMBER_SIZE]);

#endif
