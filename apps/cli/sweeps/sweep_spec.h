// SPDX-License-Identifier: Apache-2.0
// Shared by the files that read the specification of a sweep.
#ifndef UPTACK_CLI_SWEEP_SPEC_H
#define UPTACK_CLI_SWEEP_SPEC_H

#include "sweeps/sweep.h"

/// An error at a value of the specification. @return UT_ERR_FORMAT
utStatus sweep_error(const Sweep* sweep, const utJson* at, utError* err, const char* format, ...)
    UT_PRINTF(4, 5);
utStatus sweep_memory_error(const Sweep* sweep, utError* err);

/// @param what name of the value in the message
utStatus sweep_expect(const Sweep* sweep, const utJson* value, const char* what, utJsonType type,
                      utError* err);

/// Read a whole number.
utStatus sweep_whole(const Sweep* sweep, const utJson* value, const char* what, double lo,
                     double hi, long long* out, utError* err);

/// Reject a member, and name the nearest one that exists. @param known ends with NULL
utStatus sweep_unknown(const Sweep* sweep, const utJson* member, const char* where,
                       const char* const* known, utError* err);

/// @return the index of a word, -1: it is not there. @param known ends with NULL
int sweep_find_word(const char* word, const char* const* known);

utStatus sweep_read_parameters(Sweep* sweep, const utJson* value, utError* err);
utStatus sweep_read_outputs(Sweep* sweep, const utJson* value, utError* err);
utStatus sweep_read_stops(Sweep* sweep, const utJson* value, utError* err);

/// The members of "run", which end with NULL.
extern const char* const sweep_run_names[];

#endif
