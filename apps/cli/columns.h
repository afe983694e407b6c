// SPDX-License-Identifier: Apache-2.0
// The option --columns: optional columns of tables.
#ifndef UPTACK_CLI_COLUMNS_H
#define UPTACK_CLI_COLUMNS_H

#include "cli.h"

#include <uptack/record.h>

enum {
    CLI_COLUMN_REACTIONS = 1 << 30, ///< not of the library
    CLI_STATE_COLUMNS = UT_CSV_FRAMES | UT_CSV_ENERGY | UT_CSV_CONTACTS | UT_CSV_E |
                        UT_CSV_MODEL_GAP | CLI_COLUMN_REACTIONS
};

/// Add columns. @param list their names, separated by commas @return CLI_OK or CLI_USAGE
int cli_set_columns(const CliVerb* verb, const char* list, unsigned* columns);

#endif
