// SPDX-License-Identifier: Apache-2.0
#include "wide_force.h"

#include <stddef.h>

#include "internal.h"

void ut_wide_add_contact_base(const double r[3], const utVec3 d[3], utVec3 point,
                              const WideSide side[2])
{
    const WideImpulse f = wide_impulse_along(r, d);
    if (side[0].sum != NULL) {
        wide_pull(side[0].sum, &f, point, side[0].about);
    }
    if (side[1].sum != NULL) {
        wide_push(side[1].sum, &f, point, side[1].about);
    }
}

void ut_wide_add_contact(const double r[3], const utVec3 d[3], utVec3 point, const WideSide side[2])
{
#ifdef UT_AVX2
    if (ut_has_avx2()) {
        ut_wide_add_contact_avx2(r, d, point, side);
        return;
    }
#endif
    ut_wide_add_contact_base(r, d, point, side);
}
