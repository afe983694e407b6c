// SPDX-License-Identifier: Apache-2.0
// Models for the tests of io.
#ifndef UPTACK_TEST_IO_LOAD_H
#define UPTACK_TEST_IO_LOAD_H

#include "test.h"

#include <uptack/io.h>

/// Load and compile a file. @return a model to be destroyed; NULL after a failed check
utModel* load_model(const char* path, utNotes* notes);

/// Compile a text. @param what the contents of the element `<mujoco xmlns:ut="urn:uptack">`
utModel* read_model(const char* what, utNotes* notes);

#endif
