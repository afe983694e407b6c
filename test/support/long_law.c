// SPDX-License-Identifier: Apache-2.0
#include "long_law.h"

#include <math.h>

long double error_long(long double mu, long double m, const long double* r, const long double* u)
{
    const long double slip = sqrtl(u[1] * u[1] + u[2] * u[2]);
    const long double x[3] = {r[0] - m * (u[0] + mu * slip), r[1] - m * u[1], r[2] - m * u[2]};
    const long double t = sqrtl(x[1] * x[1] + x[2] * x[2]);
    long double y[3] = {x[0], x[1], x[2]};
    if (mu * t <= -x[0]) {
        y[0] = y[1] = y[2] = 0.0L;
    } else if (t > mu * x[0]) {
        const long double n = (x[0] + mu * t) / (1.0L + mu * mu);
        y[0] = n;
        y[1] = mu * n * x[1] / t;
        y[2] = mu * n * x[2] / t;
    }
    long double square = 0.0L;
    for (int k = 0; k < 3; k++) {
        square += (r[k] - y[k]) * (r[k] - y[k]);
    }
    return sqrtl(square) / m;
}
