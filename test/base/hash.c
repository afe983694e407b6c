// SPDX-License-Identifier: Apache-2.0
#include "test.h"

#include <math.h>
#include <string.h>

static uint64_t hash_text(const char* text)
{
    return ut_hash_bytes(UT_HASH_START, text, strlen(text));
}

// Landon Curt Noll's test vectors for 64-bit FNV-1a.
TEST(hashes_agree_with_the_published_fnv_vectors)
{
    CHECK(hash_text("") == UINT64_C(0xcbf29ce484222325));
    CHECK(hash_text("a") == UINT64_C(0xaf63dc4c8601ec8c));
    CHECK(hash_text("foobar") == UINT64_C(0x85944171f73967e8));
}

TEST(a_hash_goes_on_where_it_stopped)
{
    const uint64_t foo = hash_text("foo");
    CHECK(ut_hash_bytes(foo, "bar", 3) == UINT64_C(0x85944171f73967e8));
    CHECK(ut_hash_bytes(foo, NULL, 0) == foo);
}

// 1 is 0x3ff0000000000000 and -2.5 is 0xc004000000000000.
TEST(doubles_are_hashed_as_little_endian_bytes)
{
    const unsigned char bytes[] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0x04, 0xc0};
    const double values[] = {1.0, -2.5};
    CHECK(ut_hash_doubles(UT_HASH_START, values, 2) ==
          ut_hash_bytes(UT_HASH_START, bytes, sizeof bytes));
    CHECK(ut_hash_doubles(ut_hash_doubles(UT_HASH_START, values, 1), values + 1, 1) ==
          ut_hash_doubles(UT_HASH_START, values, 2));
}

TEST(zeros_of_both_signs_have_the_same_hash)
{
    const double plus = 0.0;
    const double minus = -0.0;
    const unsigned char bytes[8] = {0};
    CHECK(ut_hash_doubles(UT_HASH_START, &minus, 1) == ut_hash_doubles(UT_HASH_START, &plus, 1));
    CHECK(ut_hash_doubles(UT_HASH_START, &plus, 1) == ut_hash_bytes(UT_HASH_START, bytes, 8));
}

TEST(numbers_one_bit_apart_have_different_hashes)
{
    const double one = 1.0;
    const double next = nextafter(1.0, 2.0);
    CHECK(ut_hash_doubles(UT_HASH_START, &one, 1) != ut_hash_doubles(UT_HASH_START, &next, 1));
}
