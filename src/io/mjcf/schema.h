// SPDX-License-Identifier: Apache-2.0
// The table of the elements and attributes of MJCF.
#ifndef UPTACK_IO_MJCF_SCHEMA_H
#define UPTACK_IO_MJCF_SCHEMA_H

#include "io/internal.h"

typedef enum Use {
    USE_READ,     // supported; its attributes are checked
    USE_GROUP,    // contains other elements and has no attributes that matter
    USE_PHYSICS,  // noted: the model lacks its physics
    USE_PICTURE,  // noted: for viewers
    USE_OUTPUT,   // noted: for other programs
    USE_SILENT,   // not noted here, because elements that use it are noted
    USE_REJECTED, // an error, because bodies or shapes would be missing
} Use;

// An element, the elements that may contain it, and lists of its attributes. An attribute written
// `name=value` is not noted when it has that value, its default (`|` separates several values, `,`
// several numbers).
typedef struct Rule {
    const char* name;
    const char* inside;
    Use use;
    const char* read;    // supported
    const char* physics; // noted: the model lacks their physics
    const char* soft;    // noted: softness of contacts and limits
    const char* solver;  // noted: settings of MuJoCo's solver
    const char* other;   // noted: for viewers and other programs
} Rule;

// All rules; the first is that of the root.
const Rule* ut_mjcf_rules(int* count);

#endif
