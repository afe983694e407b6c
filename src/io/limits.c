// SPDX-License-Identifier: Apache-2.0
// The limits of a model's size. The defaults are far above the largest robots and far below the
// memory of a small computer.
#include "internal.h"

utLimits ut_limits(void)
{
    return (utLimits){
        .bytes = (size_t)16 << 20,
        .asset_bytes = (size_t)1 << 30,
        .files = 1000,
        .depth = 4096,
        .elements = 100000,
        .bodies = 30000,
        .vertices = 10000000,
        .triangles = 20000000,
        .pixels = 16000000,
        .key_numbers = 1000000,
        .pairs = 100000,
        .cookie = UT_LIMITS_COOKIE,
    };
}

utStatus ut_limits_check(const utLimits* limits, utError* err)
{
    if (limits->cookie != UT_LIMITS_COOKIE) {
        return ut_error_set(err, UT_ERR_DEF, "the limits must come from ut_limits()");
    }
    const int counts[] = {limits->files,  limits->depth,       limits->elements,
                          limits->bodies, limits->vertices,    limits->triangles,
                          limits->pixels, limits->key_numbers, limits->pairs};
    bool positive = limits->bytes > 0 && limits->asset_bytes > 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        positive = positive && counts[i] > 0;
    }
    return positive ? UT_OK
                    : ut_error_set(err, UT_ERR_DEF, "a limit is 0 or negative; each is at least 1");
}
