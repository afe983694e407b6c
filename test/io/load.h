// SPDX-License-Identifier: Apache-2.0
// Models for the tests of io.
#ifndef UPTACK_TEST_IO_LOAD_H
#define UPTACK_TEST_IO_LOAD_H

#include "test.h"

#include <uptack/io.h>

/// The compiled model of a file; NULL with a failed check when there is none. Destroy it.
utModel* load_model(const char* path, utNotes* notes);

/// The same for a text; `what` is all that follows `<mujoco xmlns:ut="urn:uptack">` up to
/// `</mujoco>`.
utModel* read_model(const char* what, utNotes* notes);

#endif
