// SPDX-License-Identifier: Apache-2.0
// The committed lists of what public models may differ in, one per line: a name, a quantity, and the
// reason.
#ifndef UPTACK_TEST_EXCEPTIONS_H
#define UPTACK_TEST_EXCEPTIONS_H

#include <stdbool.h>

/// Does test/robots/exceptions.txt list this quantity of this file? A `*` lists all quantities.
bool exception_expected(const char* file, const char* quantity);

/// What test/robots/models.txt says about a model: "runs" when it has no line.
/// @param path below $UPTACK_DATA @param reason receives the rest of the line; 200 bytes
/// @return "runs", "refused" or "limited"
const char* model_expected(const char* path, char* reason);

/// How long a model runs: `standard`, or the number after "slow" in models.txt, and at most
/// UPTACK_MODEL_SECONDS, which builds without optimisation and sanitizers set, because `make test` runs
/// all models in full. @param path as above
double model_seconds(const char* path, double standard);

/// Is UPTACK_MODEL_SECONDS set?
bool model_runs_are_short(void);

#endif
