// SPDX-License-Identifier: Apache-2.0
// Clouds of points to make hulls of: harmless ones and degenerate ones.
#ifndef UPTACK_TEST_GEOM_CLOUDS_H
#define UPTACK_TEST_GEOM_CLOUDS_H

#include <uptack/geom.h>

typedef enum CloudKind {
    CLOUD_BALL,    // all through a ball
    CLOUD_SPHERE,  // on its surface
    CLOUD_GRID,    // whole numbers from 0 to 4: many on each plane
    CLOUD_THIN,    // a ball flattened 1 : 1000, turned
    CLOUD_TINY,    // 1e-4 m
    CLOUD_HUGE,    // 1e3 m
    CLOUD_FAR,     // 1 m in size, 1e3 m away
    CLOUD_REPEATS, // few points, many times each
    CLOUD_FACETS,  // on the faces of a turned box
    CLOUD_LENS,    // on a sphere, most of them near its poles
    CLOUD_KINDS
} CloudKind;

const char* cloud_name(CloudKind kind);
void fill_cloud(CloudKind kind, utRng* rng, int count, utVec3* point);

/// Points on few planes and lines, on circles, in clusters, repeated, off by a few rounding errors
/// or by about what counts as flat; now and then one that is not finite.
void fill_degenerate(utRng* rng, int count, utVec3* point);

utVec3 random_unit(utRng* rng);
utQuat random_turn(utRng* rng);

#endif
