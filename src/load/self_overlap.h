// SPDX-License-Identifier: Apache-2.0
// Links of a robot that overlap where it begins.
#ifndef UPTACK_LOAD_SELF_OVERLAP_H
#define UPTACK_LOAD_SELF_OVERLAP_H

#include <uptack/io.h>

// Exclude the pairs of links of a URDF robot that overlap in the modelled pose or in the keyframe
// `start`, and note their number. A description that does not compile stays as it is.
// @param max_pairs utLimits.pairs @param file for the note
// @return UT_ERR_MEMORY; UT_ERR_FORMAT for more pairs
utStatus ut_load_exclude_overlaps(utModelDef* robot, int max_pairs, const char* file,
                                  utNotes* notes, utError* err);

#endif
