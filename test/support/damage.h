// SPDX-License-Identifier: Apache-2.0
// Random damage to texts, for readers that must bear it.
#ifndef UPTACK_TEST_DAMAGE_H
#define UPTACK_TEST_DAMAGE_H

#include <uptack/base.h>

/// Change a byte, put one in, take some out, repeat some, or stop early.
/// @param likely bytes that are put in most of the time
/// @param room   the most that the text may grow to
/// @return its new size
size_t damage_text(utRng* rng, utText likely, char* text, size_t size, size_t room);

/// A copy in memory of exactly its size, where a look behind its end is noticed; for free().
char* exact_copy(const char* text, size_t size);

#endif
