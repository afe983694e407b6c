// SPDX-License-Identifier: Apache-2.0
// A picture into a file, whole or not at all.
#ifndef UPTACK_CLI_PLOT_FILE_H
#define UPTACK_CLI_PLOT_FILE_H

#include "cli.h"
#include "svg.h"

/// Write it beside the file first and rename it then: whoever reads the file never meets half a
/// picture, and a failure or Ctrl-C leaves the old one. A device, a pipe or a link is written to.
/// @param path "-": standard output
utStatus plot_file_write(const char* path, const Svg* svg, utError* err);

#endif
