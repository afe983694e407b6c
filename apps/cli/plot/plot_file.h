// SPDX-License-Identifier: Apache-2.0
// Writing a picture to a file, completely or not at all.
#ifndef UPTACK_CLI_PLOT_FILE_H
#define UPTACK_CLI_PLOT_FILE_H

#include "cli.h"
#include "svg.h"

/// Write the picture to a temporary file in the same folder and rename it, so that a reader never
/// sees half a picture and a failure or Ctrl-C leaves the old one. Devices, pipes and links are
/// written directly.
/// @param path "-": standard output
utStatus plot_file_write(const char* path, const Svg* svg, utError* err);

#endif
