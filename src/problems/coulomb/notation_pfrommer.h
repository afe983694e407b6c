// SPDX-License-Identifier: Apache-2.0
// Part of ut_printed_create.
#ifndef UPTACK_PROBLEMS_NOTATION_PFROMMER_H
#define UPTACK_PROBLEMS_NOTATION_PFROMMER_H

#include <uptack/notation.h>

/// Write a problem as Pfrommer's notes do. @param system receives lcp and parts
utStatus ut_write_pfrommer(const utCoulomb* problem, const utPrintedDef* def, utArena* keep,
                           utPrinted* system, utError* err);

#endif
