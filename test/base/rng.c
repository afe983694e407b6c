// SPDX-License-Identifier: Apache-2.0
#include "test.h"

#include <math.h>

// The known answers that Random123 ships for philox4x32 with 10 rounds.
TEST(philox_gives_the_published_answers)
{
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        ut_philox(known[i].counter, known[i].key, out);
        for (int k = 0; k < 4; k++) {
            CHECK(out[k] == known[i].out[k]);
        }
    }
}

// The third known answer again, with seed, stream and counter put together from its words.
TEST(a_generator_is_philox_of_counter_and_stream_under_the_seed)
{
    utRng rng = ut_rng(UINT64_C(0x299f31d0a4093822), UINT64_C(0x0370734413198a2e));
    rng.counter = UINT64_C(0x85a308d3243f6a88);
    CHECK(ut_rng_u64(&rng) == UINT64_C(0x94fdccebd16cfe09));
    CHECK(ut_rng_u64(&rng) == UINT64_C(0x24126ea15001e420));
    CHECK(rng.counter == UINT64_C(0x85a308d3243f6a89));

    // the first of them, from the start
    utRng zero = ut_rng(0, 0);
    CHECK(ut_rng_u64(&zero) == UINT64_C(0xe169c58d6627e8d5));
}

TEST(the_same_seed_and_stream_repeat_and_others_differ)
{
    utRng a = ut_rng(1, 2), b = ut_rng(1, 2), c = ut_rng(1, 3), d = ut_rng(2, 2);
    int same_as_c = 0;
    int same_as_d = 0;
    for (int i = 0; i < 1000; i++) {
        const uint64_t x = ut_rng_u64(&a);
        CHECK(x == ut_rng_u64(&b));
        same_as_c += x == ut_rng_u64(&c);
        same_as_d += x == ut_rng_u64(&d);
    }
    CHECK_INT(same_as_c, 0);
    CHECK_INT(same_as_d, 0);
}

// Mean 1/2 and variance 1/12. With n = 10^6 the mean scatters by 1/sqrt(12 n) = 2.89e-4 and the
// variance by sqrt((1/80 - 1/144) / n) = 7.45e-5; five of each are allowed.
TEST(uniform_numbers_have_the_mean_and_variance_of_the_unit_interval)
{
    utRng rng = ut_rng(7, 0);
    const int n = 1000000;
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < n; i++) {
        const double x = ut_rng_uniform(&rng);
        if (!(x >= 0.0 && x < 1.0)) {
            CHECK(x >= 0.0 && x < 1.0);
        }
        sum += x;
        squares += (x - 0.5) * (x - 0.5);
    }
    CHECK_NEAR(sum / n, 0.5, 5 * 2.89e-4);
    CHECK_NEAR(squares / n, 1.0 / 12, 5 * 7.45e-5);
}

static double chi_square(const int* counts, int cells, double expected)
{
    double sum = 0.0;
    for (int i = 0; i < cells; i++) {
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return sum;
}

// 10 cells have 9 degrees of freedom: chi-square is above 44.9 once in a million.
TEST(numbers_below_ten_fill_ten_cells_evenly)
{
    utRng rng = ut_rng(11, 0);
    int counts[10] = {0};
    for (int i = 0; i < 100000; i++) {
        const int k = ut_rng_below(&rng, 10);
        if (CHECK(k >= 0 && k < 10)) {
            counts[k]++;
        }
    }
    CHECK(chi_square(counts, 10, 10000.0) < 44.9);
}

// Pairs that follow each other: 100 cells, 99 degrees of freedom, above 180.8 once in a million.
TEST(pairs_of_uniform_numbers_fill_the_square_evenly)
{
    utRng rng = ut_rng(13, 0);
    int counts[100] = {0};
    for (int i = 0; i < 200000; i++) {
        const int a = (int)(10.0 * ut_rng_uniform(&rng));
        const int b = (int)(10.0 * ut_rng_uniform(&rng));
        counts[10 * a + b]++;
    }
    CHECK(chi_square(counts, 100, 2000.0) < 180.8);
}

TEST(below_one_there_is_only_zero)
{
    utRng rng = ut_rng(3, 3);
    for (int i = 0; i < 100; i++) {
        CHECK_INT(ut_rng_below(&rng, 1), 0);
    }
    for (int i = 0; i < 100; i++) {
        CHECK(ut_rng_below(&rng, INT32_MAX) >= 0);
    }
}

TEST(a_range_keeps_its_bounds)
{
    utRng rng = ut_rng(5, 0);
    double sum = 0.0;
    for (int i = 0; i < 100000; i++) {
        const double x = ut_rng_range(&rng, -3.0, 5.0);
        if (!(x >= -3.0 && x < 5.0)) {
            CHECK(x >= -3.0 && x < 5.0);
        }
        sum += x;
    }
    // 8 / sqrt(12 * 10^5) = 7.3e-3 is the scatter of the mean
    CHECK_NEAR(sum / 100000, 1.0, 5 * 7.3e-3);
}

// Between 1 and the next double half of the sums round up to the bound that is excluded.
TEST(a_range_of_one_double_gives_that_double)
{
    utRng rng = ut_rng(5, 1);
    for (int i = 0; i < 100; i++) {
        CHECK_NEAR(ut_rng_range(&rng, 1.0, nextafter(1.0, 2.0)), 1.0, 0.0);
        CHECK_NEAR(ut_rng_range(&rng, 2.0, 2.0), 2.0, 0.0);
        CHECK_NEAR(ut_rng_range(&rng, 2.0, 1.0), 2.0, 0.0);
    }
}

// The sum of 12 uniforms has mean 6, variance 1 and fourth central moment 3 - 1.2 / 12 = 2.9. With
// n = 10^6 the mean scatters by 1e-3, the variance by sqrt(1.9 / n) = 1.38e-3.
TEST(normal_numbers_have_mean_0_and_variance_1)
{
    utRng rng = ut_rng(17, 0);
    const int n = 1000000;
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < n; i++) {
        const double x = ut_rng_normal(&rng);
        sum += x;
        squares += x * x;
    }
    CHECK_NEAR(sum / n, 0.0, 5e-3);
    CHECK_NEAR(squares / n, 1.0, 5 * 1.38e-3);
}
