// SPDX-License-Identifier: Apache-2.0
#include "turning.h"

#include "internal.h"

void ut_turning_base(const utMat3* R, const utMat3* Y, utVec3 x, const utVec3 d[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        const utVec3 t = ut_mat3_tmul_vec(*R, ut_vec3_cross(x, d[k]));
        out[k] = ut_vec3_dot(t, ut_mat3_mul_vec(*Y, t));
    }
}

void ut_turning(const utMat3* R, const utMat3* Y, utVec3 x, const utVec3 d[3], double out[3])
{
#ifdef UT_AVX2
    if (ut_has_avx2()) {
        ut_turning_avx2(R, Y, x, d, out);
        return;
    }
#endif
    ut_turning_base(R, Y, x, d, out);
}
