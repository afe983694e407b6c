// The few vector loops that everything dense is made of.
//
// Same bits everywhere: element-wise loops give the same result at any vector width as long as
// nothing is fused; sums run in four fixed lanes (element i goes to lane i mod 4, lanes are added
// as (0 + 2) + (1 + 3)), so scalar, SSE2, AVX2 and WebAssembly code agree.
#ifndef UPTACK_LA_KERNEL_H
#define UPTACK_LA_KERNEL_H

/// @return sum of a[i] b[i] in four lanes
double ut_dot(int n, const double* a, const double* b);

/// y += a x
void ut_axpy(int n, double a, const double* x, double* y);

/// y = (((y + a[0] x0) + a[1] x1) + a[2] x2) + a[3] x3: the same bits as four ut_axpy in a row
void ut_axpy4(int n, const double a[4], const double* x0, const double* x1, const double* x2,
              const double* x3, double* y);

#endif
