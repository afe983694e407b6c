// SPDX-License-Identifier: Apache-2.0
// The forms of one generated problem, for tests.
#ifndef UPTACK_TEST_FORMS_H
#define UPTACK_TEST_FORMS_H

#include <uptack/coulomb_problems.h>

enum { FORM_GLOBAL, FORM_BLOCKS, FORM_LOCAL, FORM_ROWS, FORM_COUNT };

/// All four of them; W by ut_coulomb_delassus from the blocks. Everything lies in `keep`.
void forms_of(const utFrictionProblem* problem, const utSection* section, utArena* keep,
              utCoulomb form[FORM_COUNT]);

/// W in rows out of a dense one.
utCoulomb form_in_rows(const utCoulomb* local, utArena* keep);

#endif
