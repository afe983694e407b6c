// SPDX-License-Identifier: Apache-2.0
// Shards, and Slurm.
#include "sweeps/sweep_shard.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool sweep_parse_shard(const char* text, SweepShard* shard)
{
    char index[32];
    const char* slash = strchr(text, '/');
    if (slash == NULL || slash == text || (size_t)(slash - text) >= sizeof index) {
        return false;
    }
    memcpy(index, text, (size_t)(slash - text));
    index[slash - text] = '\0';
    return cli_parse_int(slash + 1, 1, INT_MAX, &shard->count) &&
           cli_parse_int(index, 0, shard->count - 1, &shard->index);
}

// @return false when the variable is not set, or no whole number in lo ... hi
static bool read_variable(const char* name, int lo, int hi, int* value)
{
    const char* text = getenv(name);
    return text != NULL && cli_parse_int(text, lo, hi, value);
}

bool sweep_slurm_shard(SweepShard* shard, const char** source)
{
    int id, count, least = 0, step = 1, rank, ranks;
    *shard = (SweepShard){0, 1};
    *source = "";
    if (getenv("SLURM_ARRAY_TASK_ID") != NULL) {
        *source = "SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT";
        if (!read_variable("SLURM_ARRAY_TASK_ID", 0, INT_MAX, &id) ||
            !read_variable("SLURM_ARRAY_TASK_COUNT", 1, INT_MAX, &count)) {
            return false;
        }
        (void)read_variable("SLURM_ARRAY_TASK_MIN", 0, INT_MAX, &least);
        (void)read_variable("SLURM_ARRAY_TASK_STEP", 1, INT_MAX, &step);
        *shard = (SweepShard){(id - least) / step, count};
        if (id < least || (id - least) % step != 0 || shard->index >= count) {
            return false; // an array with gaps, such as 1,5,6
        }
    }
    // the script of a batch job has SLURM_PROCID too, but it is no step
    if (getenv("SLURM_STEP_ID") != NULL && getenv("SLURM_PROCID") != NULL) {
        *source = shard->count > 1 ? "SLURM_ARRAY_TASK_ID and SLURM_PROCID"
                                   : "SLURM_PROCID and SLURM_NTASKS";
        if (!read_variable("SLURM_NTASKS", 1, INT_MAX / shard->count, &ranks) ||
            !read_variable("SLURM_PROCID", 0, ranks - 1, &rank)) {
            return false;
        }
        // the jobs of an array task, divided by its own tasks
        *shard = (SweepShard){shard->index + shard->count * rank, shard->count * ranks};
    }
    return true;
}

// Print a word for a shell.
static void print_quoted(const char* word)
{
    putchar('\'');
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            printf("'\\''");
        } else {
            putchar(*word);
        }
    }
    putchar('\'');
}

void sweep_print_sbatch(const char* spec, const char* folder, int tasks)
{
    printf("#!/bin/sh\n"
           "# Submit it with sbatch, from the folder in which these paths are valid. Submitting it "
           "again\n"
           "# goes on with the jobs that have no result yet.\n"
           "#SBATCH --job-name=uptack-sweep\n"
           "#SBATCH --array=0-%d\n"
           "#SBATCH --ntasks=1\n"
           "#SBATCH --cpus-per-task=4\n"
           "#SBATCH --time=01:00:00\n"
           "#SBATCH --signal=B:TERM@60\n"
           "# The last minute is for closing the log. exec lets the signal reach uptack.\n"
           "exec uptack sweep ",
           tasks - 1);
    print_quoted(spec);
    printf(" -o ");
    print_quoted(folder);
    printf(" --threads \"${SLURM_CPUS_PER_TASK:-1}\"\n");
}
