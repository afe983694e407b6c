// SPDX-License-Identifier: Apache-2.0
// The parameters of the scenes in scenes/seeds, compared with compiled models. Lengths, masses and
// coefficients are those that the papers' examples were given once for all; positions, moments of
// inertia and velocities follow from them by closed forms.
#ifndef UPTACK_TEST_SEEDS_PARAMETERS_H
#define UPTACK_TEST_SEEDS_PARAMETERS_H

#include <uptack/sim.h>

/// A compiled scene, and the first of its parameters that is wrong.
typedef struct Facts {
    const utModel* model;
    const utSim* sim; ///< in the modelled pose
    int wrong;
    char first[160]; ///< for people; "" for none
} Facts;

/// A number that must have a value, to rounding.
void fact(Facts* f, double got, double want, const char* what, const char* name);
void fact_vector(Facts* f, utVec3 got, utVec3 want, const char* what, const char* name);

/// The settings with which a file runs by itself.
typedef struct RunFacts {
    double time, dt;
    utVec3 gravity;
    utFormulation formulation;
    int directions;
    const char* solver;
    utCoordinates coordinates;
    double bounce;
    int impact; ///< -1: that of the formulation
} RunFacts;

void facts_run(Facts* f, const RunFacts* want);

/// Numbers of bodies with the world, of joints, geoms, sites and points.
void facts_counts(Facts* f, int bodies, int joints, int geoms, int sites, int points);

/// A body: its mass, its centre of mass in the world, and its moments along its own axes.
void facts_body(Facts* f, const char* name, double mass, utVec3 com, utVec3 moments);

/// Where a body's x axis points in the world.
void facts_x_axis(Facts* f, const char* name, utVec3 x);

/// A geom: its size, its origin and its z axis in the world. The z axis of a capsule points from its
/// second end to its first one.
void facts_geom(Facts* f, const char* name, utVec3 size, utVec3 origin, utVec3 z);

/// A plane through a point. Viewers draw it in a size of 0 0 1: as wide as the view, with lines 1 m
/// apart.
void facts_plane(Facts* f, const char* name, utVec3 origin, utVec3 normal);

/// A geom's coefficients, and whether masks let it collide.
void facts_material(Facts* f, const char* name, double mu, double e, bool masks);

void facts_site(Facts* f, const char* name, utVec3 at);

/// A joint: its anchor and its axis in the world, and its coordinate in the modelled pose.
void facts_joint(Facts* f, const char* name, utVec3 anchor, utVec3 axis, double ref);

/// The k-th explicit contact: a site against the face of a geom, mu.
void facts_point(Facts* f, int k, const char* site, const char* geom, double offset, double mu);

/// The position of a body at a few times: (x + way (1 - cos 2t), y, z).
void facts_pusher(Facts* f, const char* body, double x, double way, double y, double z);

/// A keyframe: its velocities; its positions are those of the modelled pose.
void facts_key(Facts* f, int key, const char* name, const double* v);

/// One function per family of scenes checks the scene of this name. @return false: another family's
bool facts_of_berard(Facts* f, const char* name);
bool facts_of_impacts(Facts* f, const char* name);
bool facts_of_others(Facts* f, const char* name);

#endif
