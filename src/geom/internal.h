// What the files of geom share.
#ifndef UPTACK_GEOM_INTERNAL_H
#define UPTACK_GEOM_INTERNAL_H

#include <uptack/geom.h>

/// Mass, centre and moment of inertia of a polyhedron of uniform density.
utInertia ut_hull_inertia(const utHull* hull, double density);

#endif
