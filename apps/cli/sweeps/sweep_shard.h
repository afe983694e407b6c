// SPDX-License-Identifier: Apache-2.0
// Which jobs are this process's: --shard, or the variables of Slurm.
#ifndef UPTACK_CLI_SWEEP_SHARD_H
#define UPTACK_CLI_SWEEP_SHARD_H

#include "cli.h"

/// Jobs whose number modulo `count` is `index`.
typedef struct SweepShard {
    int index, count;
} SweepShard;

/// Read "I/N" with 0 <= I < N. @return false when it is something else
bool sweep_parse_shard(const char* text, SweepShard* shard);

/// The shard of a task of Slurm, 0/1 outside of Slurm: SLURM_ARRAY_TASK_ID and _COUNT (_MIN, _STEP) for
/// array jobs, and SLURM_PROCID and SLURM_NTASKS in a step of srun. With both each array task is split.
/// @param source receives the names of the variables, "" for none
/// @return false when a variable makes no sense
bool sweep_slurm_shard(SweepShard* shard, const char** source);

/// Print a job script for Slurm.
void sweep_print_sbatch(const char* spec, const char* folder, int tasks);

#endif
