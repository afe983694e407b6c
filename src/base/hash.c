// SPDX-License-Identifier: Apache-2.0
// 64-bit FNV-1a: for each byte an exclusive or, then a multiplication by the prime.
#include <uptack/base.h>

#include <string.h>

static uint64_t hash_byte(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * UINT64_C(0x100000001b3);
}

uint64_t ut_hash_bytes(uint64_t hash, const void* bytes, size_t size)
{
    const unsigned char* byte = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = hash_byte(hash, byte[i]);
    }
    return hash;
}

uint64_t ut_hash_doubles(uint64_t hash, const double* values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double value = values[i] == 0.0 ? 0.0 : values[i];
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);

        // lowest byte first on every machine
        for (int shift = 0; shift < 64; shift += 8) {
            hash = hash_byte(hash, (unsigned char)(bits >> shift & 0xff));
        }
    }
    return hash;
}
