// SPDX-License-Identifier: Apache-2.0
// Vector loops that all dense algebra uses.
//
// They give the same bits everywhere: element-wise loops have the same result at any vector width as
// long as no operations are fused, and sums use four fixed lanes (element i goes to lane i mod 4, and
// the lanes are added as (0 + 2) + (1 + 3)). Scalar, SSE2, AVX2 and WebAssembly code agree.
#ifndef UPTACK_LA_DENSE_KERNEL_H
#define UPTACK_LA_DENSE_KERNEL_H

/// @return sum of a[i] b[i] in four lanes
double ut_dot(int n, const double* a, const double* b);

/// @return the largest |x[i]|, 0 for n = 0; NaN when an entry is not finite
double ut_max_abs(int n, const double* x);

/// seen[i] = max(seen[i], factor |x[i]| scale[i]), with positive scales
/// @return the largest factor |x[i]| scale[i]
double ut_max_scaled(int n, const double* x, const double* scale, double factor, double* seen);

/// y += a x; x and y do not overlap
void ut_axpy(int n, double a, const double* x, double* y);

/// y = (((y + a[0] x0) + a[1] x1) + a[2] x2) + a[3] x3: the same bits as four ut_axpy in a row.
/// y does not overlap other arguments
void ut_axpy4(int n, const double a[4], const double* x0, const double* x1, const double* x2,
              const double* x3, double* y);

/// C -= A B, where A is m x k, B is k x n and C is m x n, each with its own leading dimension. An
/// entry of C is reduced by its k products one after the other, so the result has the bits of k
/// successive rank-one updates. C overlaps neither A nor B
void ut_gemm_sub(int m, int n, int k, const double* A, int lda, const double* B, int ldb, double* C,
                 int ldc);

/// The same for C -= L diag(d) L^T on the first n columns of the lower triangle: L is m x k, C is
/// m x m with n <= m, and only C_ij with j < n and j <= i is read or written. d == NULL means ones.
/// C does not overlap L
void ut_syrk_sub(int m, int n, int k, const double* L, int ldl, const double* d, double* C,
                 int ldc);

#endif
