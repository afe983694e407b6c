// SPDX-License-Identifier: Apache-2.0
#include "base/sort.h"

#include "test.h"

typedef struct Card {
    int rank;
    int serial; // in the order before the sort
} Card;

static bool rank_before(const void* a, const void* b, const void* context)
{
    const int sign = *(const int*)context;
    return sign * ((const Card*)a)->rank < sign * ((const Card*)b)->rank;
}

TEST(items_are_sorted_and_equal_ones_keep_their_order)
{
    static Card card[1000], spare[1000];
    utRng rng = ut_rng(1, 2);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int n = 0; n <= 1000; n = n < 20 ? n + 1 : 7 * n) {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                card[i] = (Card){ut_rng_below(&rng, 10), i};
                sum += card[i].rank;
            }
            ut_sort(n, sizeof *card, card, spare, rank_before, &sign);
            for (int i = 0; i < n; i++) {
                sum -= card[i].rank;
            }
            CHECK_INT(sum, 0);
            for (int i = 1; i < n; i++) {
                const Card a = card[i - 1], b = card[i];
                CHECK(a.rank == b.rank ? a.serial < b.serial : sign * a.rank < sign * b.rank);
            }
        }
    }
}
