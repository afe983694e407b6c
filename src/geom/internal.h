// SPDX-License-Identifier: Apache-2.0
// Private functions of geom.
#ifndef UPTACK_GEOM_INTERNAL_H
#define UPTACK_GEOM_INTERNAL_H

#include <uptack/geom.h>

/// Mass, centre and moment of inertia of a polyhedron of uniform density.
utInertia ut_hull_inertia(const utHull* hull, double density);

/// Compute volume and centre from the faces.
void ut_hull_measure(utHull* hull);

/// The vertex farthest along d, the first of those equally far.
int ut_hull_support(const utHull* hull, utVec3 d);

#endif
