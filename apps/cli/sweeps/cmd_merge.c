// SPDX-License-Identifier: Apache-2.0
// uptack merge: the table of a sweep from the logs in its folder.
#include <getopt.h>

#include "sweeps/sweep_record.h"
#include "sweeps/sweep_table.h"

typedef struct Options {
    const char* folder;
    const char* output;
    bool partial;
} Options;

enum { OPTION_PARTIAL = 256 };

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"partial", no_argument, NULL, OPTION_PARTIAL},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, CLI_OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static int set_option(int option, void* context)
{
    Options* o = context;
    if (option == OPTION_PARTIAL) {
        o->partial = true;
        return CLI_OK;
    }
    o->output = optarg;
    return cli_ends_in(optarg, ".csv") || cli_ends_in(optarg, ".npz") || cli_ends_in(optarg, ".h5")
               ? CLI_OK
               : cli_usage(&cli_merge, "-o needs a name that ends in .csv, .npz or .h5, not '%s'",
                           optarg);
}

static utStatus write_table(const Options* o, const SweepTable* table, utError* err)
{
    const long long missing = table->sweep->jobs - table->rows;
    if (missing > 0 && !o->partial) {
        return ut_error_at(
            err, UT_ERR_ARGUMENT, o->folder, 0, 0,
            "%lld of %lld jobs have no result yet; run the sweep again, or merge with "
            "--partial",
            missing, table->sweep->jobs);
    }
    if (o->output == NULL || cli_ends_in(o->output, ".csv")) {
        return sweep_write_csv(table, o->output, err);
    }
    return cli_ends_in(o->output, ".npz") ? sweep_write_npz(table, o->output, err)
                                          : sweep_write_hdf5(table, o->output, err);
}

static utStatus merge(const Options* o, utError* err)
{
    char spec[SWEEP_PATH];
    Sweep sweep;
    SweepTable table = {0};
    UT_TRY(sweep_path(o->folder, "spec.json", spec, err));
    utStatus status = sweep_open(spec, &sweep, err);
    if (status == UT_OK) {
        status = sweep_read_table(o->folder, &sweep, &table, err);
    }
    if (status == UT_OK) {
        status = write_table(o, &table, err);
    }
    sweep_free_table(&table);
    sweep_close(&sweep);
    return status;
}

static int run_merge(int argc, char** argv)
{
    Options o = {0};
    utError err = {0};
    const int code = cli_parse(&cli_merge, argc, argv, long_options, set_option, &o, &o.folder);
    if (code != CLI_OK || o.folder == NULL) {
        return code;
    }
    return merge(&o, &err) == UT_OK ? CLI_OK : cli_fail(&err);
}

const CliVerb cli_merge = {
    .name = "merge",
    .summary = "make one table of the results of a sweep",
    .usage = "uptack merge DIR [-o FILE.csv|FILE.npz|FILE.h5] [options]",
    .help = "Makes a table with a row per job from the logs that `uptack sweep` wrote to DIR. Its "
            "bytes do\n"
            "not depend on how the work was divided.\n\n"
            "  -o, --output FILE  CSV, NumPy or HDF5 by the ending of the name; default: CSV on "
            "stdout\n"
            "  --partial          leave out jobs that have no result yet, instead of reporting an "
            "error\n\n"
            "exit code: 0 done, 1 unusable folder, or jobs without a result, 2 usage\n",
    .run = run_merge,
    .operand = "DIR",
    .letters = ":ho:",
};
