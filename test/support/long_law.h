// SPDX-License-Identifier: Apache-2.0
// Coulomb's law in long double, written anew to stand beside the library's.
#ifndef UPTACK_TEST_LONG_LAW_H
#define UPTACK_TEST_LONG_LAW_H

/// The error of a contact under the circular law, |r - P_K(r - m u^)| / m, K by its formula.
/// @param r, u three entries
long double error_long(long double mu, long double m, const long double* r, const long double* u);

#endif
