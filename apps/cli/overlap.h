// SPDX-License-Identifier: Apache-2.0
// Which geoms overlap where a run begins.
#ifndef UPTACK_CLI_OVERLAP_H
#define UPTACK_CLI_OVERLAP_H

#include "model.h"

/// Where bodies are; NULL for mocap poses: as modelled.
typedef struct CliPose {
    const double* q; ///< nq
    const double* mocap_pos;
    const double* mocap_quat;
} CliPose;

typedef struct CliOverlap {
    int geom1, geom2;
    double depth; ///< m
} CliOverlap;

enum { CLI_KEPT_OVERLAPS = 16 };

typedef struct CliOverlaps {
    int count;                             ///< pairs that overlap by more than 1e-9 m
    int kept;                              ///< of them remembered,
    CliOverlap overlap[CLI_KEPT_OVERLAPS]; ///< the deepest first
} CliOverlaps;

/// Where a run of a model begins by itself.
CliPose cli_start_pose(const CliModel* loaded);

utStatus cli_find_overlaps(const utModel* model, const CliPose* pose, CliOverlaps* overlaps);

/// A line for the deepest ones; none where nothing overlaps. @param stream of check or of a summary
void cli_print_overlaps(FILE* stream, const utModel* model, const CliOverlaps* overlaps);

/// The member "overlaps": [{"geom1", "geom2", "depth"} ...].
void cli_json_overlaps(utJsonWriter* w, const utModel* model, const CliOverlaps* overlaps);

#endif
