// SPDX-License-Identifier: Apache-2.0
// Exponential, logarithm and real powers computed with + - * / only, so that all machines give the
// same bits.
#ifndef UPTACK_LA_POWER_H
#define UPTACK_LA_POWER_H

/// e^x within 0.6 units in the last place (1.1 for a subnormal result); infinity on overflow.
double ut_exp(double x);

/// The natural logarithm within 0.6 units in the last place; -infinity at 0, NaN below.
double ut_log(double x);

/// x^y for x >= 0, within 0.7 units in the last place (1.2 for a subnormal result); NaN for x < 0.
/// x^0 and 1^y are 1 for all numbers x and y. A NaN argument gives NaN.
double ut_pow(double x, double y);

#endif
