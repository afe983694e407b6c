// SPDX-License-Identifier: Apache-2.0
/// @file problems.h
/// All headers of the second library, uptack_problems: families and generators of test problems, readers
/// of problem files, and the systems as papers print them, of a problem or of a step. The engine does
/// not need any of it.
#ifndef UPTACK_PROBLEMS_H
#define UPTACK_PROBLEMS_H

#include <uptack/coulomb_problems.h>
#include <uptack/equations.h>
#include <uptack/lcp_problems.h>
#include <uptack/notation.h>
#include <uptack/problem_files.h>

#endif
