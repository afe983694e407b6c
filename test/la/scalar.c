// SPDX-License-Identifier: Apache-2.0
#include "la/scalar.h"

#include "test.h"

TEST(clamp_moves_a_number_into_its_range)
{
    CHECK_NEAR(ut_clamp(-2.0, -1.0, 3.0), -1.0, 0.0);
    CHECK_NEAR(ut_clamp(4.0, -1.0, 3.0), 3.0, 0.0);
    CHECK_NEAR(ut_clamp(0.5, -1.0, 3.0), 0.5, 0.0);
    CHECK_NEAR(ut_clamp(5.0, -HUGE_VAL, HUGE_VAL), 5.0, 0.0);
    CHECK(isnan(ut_clamp((double)NAN, -1.0, 3.0)));
}

TEST(nan_is_the_largest_number)
{
    CHECK_NEAR(ut_larger(1.0, 2.0), 2.0, 0.0);
    CHECK_NEAR(ut_larger(2.0, 1.0), 2.0, 0.0);
    CHECK(isnan(ut_larger((double)NAN, 1.0)));
    CHECK(isnan(ut_larger(1.0, (double)NAN)));
    CHECK(isnan(ut_larger(HUGE_VAL, (double)NAN)));
}

// The strips of the search are 4096 entries long.
TEST(one_entry_that_is_not_finite_is_found_wherever_it_is)
{
    static double x[10000];
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    const int places[] = {0, 1, 4095, 4096, 9999};
    CHECK(ut_all_finite(10000, x));
    for (int b = 0; b < 3; b++) {
        for (int k = 0; k < 5; k++) {
            x[places[k]] = bad[b];
            CHECK(!ut_all_finite(10000, x));
            CHECK(ut_all_finite((size_t)places[k], x));
            x[places[k]] = 1.7e308;
        }
    }
    CHECK(ut_all_finite(10000, x));
    CHECK(ut_all_finite(0, x) && ut_all_finite(7, NULL));
}
