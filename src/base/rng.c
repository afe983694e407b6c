// SPDX-License-Identifier: Apache-2.0
// Random numbers that are a function of (seed, stream, counter): Philox 4x32 with 10 rounds.
// Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3. SC 2011.
#include <uptack/base.h>

#include <assert.h>
#include <math.h>

enum { PHILOX_ROUNDS = 10 };

void ut_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        // two 64-bit products: their high halves are mixed with the other words
        const uint64_t a = UINT64_C(0xD2511F53) * x0;
        const uint64_t b = UINT64_C(0xCD9E8D57) * x2;
        x0 = (uint32_t)(b >> 32) ^ x1 ^ k0;
        x1 = (uint32_t)b;
        x2 = (uint32_t)(a >> 32) ^ x3 ^ k1;
        x3 = (uint32_t)a;

        // the keys step along Weyl sequences: the golden ratio and sqrt(3) - 1
        k0 += UINT32_C(0x9E3779B9);
        k1 += UINT32_C(0xBB67AE85);
    }
    out[0] = x0;
    out[1] = x1;
    out[2] = x2;
    out[3] = x3;
}

utRng ut_rng(uint64_t seed, uint64_t stream)
{
    return (utRng){.seed = seed, .stream = stream};
}

static uint32_t low_word(uint64_t x)
{
    return (uint32_t)x;
}

static uint32_t high_word(uint64_t x)
{
    return (uint32_t)(x >> 32);
}

static uint32_t next_word(utRng* rng)
{
    if (rng->left <= 0) {
        const uint32_t counter[4] = {low_word(rng->counter), high_word(rng->counter),
                                     low_word(rng->stream), high_word(rng->stream)};
        const uint32_t key[2] = {low_word(rng->seed), high_word(rng->seed)};
        ut_philox(counter, key, rng->block);
        rng->counter++;
        rng->left = 4;
    }
    return rng->block[4 - rng->left--];
}

uint64_t ut_rng_u64(utRng* rng)
{
    const uint64_t low = next_word(rng);
    const uint64_t high = next_word(rng);
    return high << 32 | low;
}

double ut_rng_uniform(utRng* rng)
{
    return (double)(ut_rng_u64(rng) >> 11) * 0x1p-53;
}

double ut_rng_range(utRng* rng, double lo, double hi)
{
    const double x = lo + (hi - lo) * ut_rng_uniform(rng);
    if (!(lo < hi)) {
        return lo;
    }
    // the sum may round up to hi, which is outside of the range
    return x < hi ? x : nextafter(hi, lo);
}

int ut_rng_below(utRng* rng, int count)
{
    assert(count > 0);
    if (count <= 0) {
        return 0;
    }
    // reject the first 2^64 mod count values, so that the others are a multiple of count
    const uint64_t n = (uint64_t)count;
    const uint64_t reject = (UINT64_MAX - n + 1) % n;
    uint64_t x = ut_rng_u64(rng);
    while (x < reject) {
        x = ut_rng_u64(rng);
    }
    return (int)(x % n);
}

double ut_rng_normal(utRng* rng)
{
    // the sum of 12 uniforms has variance 1, and additions give the same bits everywhere
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        sum += ut_rng_uniform(rng);
    }
    return sum;
}
