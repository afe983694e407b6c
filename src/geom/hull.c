// Convex hulls of points.
#include "geom/internal.h"

utInertia ut_hull_inertia(const utHull* hull, double density)
{
    return ut_inertia(density * hull->volume, hull->center, ut_mat3_diagonal(ut_vec3_zero()));
}
