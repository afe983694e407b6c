// SPDX-License-Identifier: Apache-2.0
// Principal axes of an inertia, and the box that has it.
#include "mesh_asset.h"

enum { MAX_ROTATIONS = 100 };

// Jacobi's method as MuJoCo orders it, so that both find the same frame: rotate about the axis whose
// off-diagonal entry is largest, then sort by quarter turns.
void ut_principal_axes(utMat3 A, utVec3* moments, utQuat* quat)
{
    static const int row[3] = {1, 0, 0}, column[3] = {2, 2, 1};
    const double scale = fabs(A.m[0][0]) + fabs(A.m[1][1]) + fabs(A.m[2][2]);
    utQuat q = ut_quat_identity();
    utMat3 D = A;
    for (int k = 0; k < MAX_ROTATIONS; k++) {
        const double yz = fabs(D.m[1][2]), xz = fabs(D.m[0][2]), xy = fabs(D.m[0][1]);
        const int axis = xy > xz && xy > yz ? 2 : xz > yz ? 1 : 0;
        const int i = row[axis], j = column[axis];
        if (!(fabs(D.m[i][j]) > 1e-16 * scale)) {
            break;
        }
        // t is the tangent of the smaller angle that makes D[i][j] vanish
        const double theta = (D.m[j][j] - D.m[i][i]) / (2.0 * D.m[i][j]);
        const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(1.0 + theta * theta));
        const double c = 1.0 / sqrt(1.0 + t * t);
        const double half = sqrt(0.5 * t * t * c * c / (1.0 + c)); // sine of half the angle
        const double sine = (theta >= 0.0) == (axis == 1) ? half : -half;
        const utQuat turn = ut_quat(sqrt(1.0 - half * half), axis == 0 ? sine : 0.0,
                                    axis == 1 ? sine : 0.0, axis == 2 ? sine : 0.0);
        (void)ut_quat_normalize(ut_quat_mul(q, turn), &q);
        const utMat3 R = ut_quat_to_mat3(q);
        D = ut_mat3_mul(ut_mat3_mul(ut_mat3_transpose(R), A), R);
    }
    double d[3] = {D.m[0][0], D.m[1][1], D.m[2][2]};
    for (int k = 0; k < 3; k++) {
        const int i = k % 2;
        if (d[i] + 1e-12 * scale < d[i + 1]) {
            const double larger = d[i + 1];
            d[i + 1] = d[i];
            d[i] = larger;
            // a quarter turn about the third axis swaps two axes
            const utQuat turn = i == 0 ? ut_quat(1.0, 0.0, 0.0, 1.0) : ut_quat(1.0, 1.0, 0.0, 0.0);
            (void)ut_quat_normalize(ut_quat_mul(q, turn), &q);
        }
    }
    *moments = ut_vec3(d[0], d[1], d[2]);
    *quat = q;
}

// A box with half extents a, b, c has the moments m (b^2 + c^2) / 3 and so on.
bool ut_model_inertia_box(const utModelBody* body, utVec3* half, utQuat* quat)
{
    *half = ut_vec3_zero();
    *quat = ut_quat_identity();
    if (!(body->mass > 0.0)) {
        return false;
    }
    utVec3 I;
    ut_principal_axes(body->inertia, &I, quat);
    const double scale = 1.5 / body->mass;
    // rounding may take the thickness of a plate below 0
    *half =
        ut_vec3(sqrt(scale * fmax(0.0, I.y + I.z - I.x)), sqrt(scale * fmax(0.0, I.z + I.x - I.y)),
                sqrt(scale * fmax(0.0, I.x + I.y - I.z)));
    return true;
}
