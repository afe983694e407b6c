// SPDX-License-Identifier: Apache-2.0
// The option --columns: optional columns of tables.
#include "columns.h"

#include <string.h>

int cli_set_columns(const CliVerb* verb, const char* list, unsigned* columns)
{
    static const struct {
        const char* name;
        unsigned column;
    } known[] = {{"frames", UT_CSV_FRAMES},
                 {"energy", UT_CSV_ENERGY},
                 {"contacts", UT_CSV_CONTACTS},
                 {"E", UT_CSV_E},
                 {"force", UT_CSV_FORCE},
                 {"gap_time", UT_CSV_GAP_TIME},
                 {"mu", UT_CSV_MU},
                 {"lambda", UT_CSV_LAMBDA},
                 {"cone", UT_CSV_CONE},
                 {"model_gap", UT_CSV_MODEL_GAP},
                 {"reactions", CLI_COLUMN_REACTIONS}};
    for (;;) {
        const size_t size = strcspn(list, ",");
        unsigned column = 0;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (strlen(known[k].name) == size && strncmp(known[k].name, list, size) == 0) {
                column = known[k].column;
            }
        }
        if (column == 0) {
            return cli_usage(verb,
                             "there is no column '%.*s'; there are frames, energy, contacts, E, "
                             "model_gap, reactions for states and force, gap_time, mu, lambda, "
                             "cone for contacts",
                             (int)size, list);
        }
        *columns |= column;
        if (list[size] == '\0') {
            return CLI_OK;
        }
        list += size + 1;
    }
}
