// SPDX-License-Identifier: Apache-2.0
// Geoms that overlap at the start of a run.
#ifndef UPTACK_CLI_OVERLAP_H
#define UPTACK_CLI_OVERLAP_H

#include "model.h"

/// A configuration. NULL for mocap_pos and mocap_quat means the modelled poses.
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

/// The search stops after this many comparisons of geoms, or after this many pairs of boxes that meet,
/// because both may grow with the square of the number of geoms.
enum { CLI_COMPARED_PAIRS = 100000, CLI_MET_PAIRS = 64 * CLI_COMPARED_PAIRS };

typedef struct CliOverlaps {
    int count;                             ///< number of pairs that overlap by more than 1e-9 m
    bool complete;                         ///< false: the search stopped
    int compared;                          ///< pairs of geoms
    long long met;                         ///< pairs of boxes
    int kept;                              ///< number of pairs in `overlap`
    CliOverlap overlap[CLI_KEPT_OVERLAPS]; ///< the deepest pairs, in order of depth
} CliOverlaps;

/// The pose in which a run begins without --key.
CliPose cli_start_pose(const CliModel* loaded);

/// Find the pairs of geoms that may collide and overlap. @return UT_ERR_CAPACITY or UT_ERR_MEMORY
utStatus cli_find_overlaps(const utModel* model, const CliPose* pose, CliOverlaps* overlaps);

/// Print one line with the deepest pairs, and one if the search stopped; nothing if no geoms overlap.
void cli_print_overlaps(FILE* stream, const utModel* model, const CliOverlaps* overlaps);

/// The members "overlap_count", "overlap_search_complete" and "overlaps": [{"geom1", "geom2", "depth"} ...].
void cli_json_overlaps(utJsonWriter* w, const utModel* model, const CliOverlaps* overlaps);

#endif
