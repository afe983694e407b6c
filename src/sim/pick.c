// SPDX-License-Identifier: Apache-2.0
// The geom that a ray hits first.
#include "sim/internal.h"

bool ut_sim_pick(const utSim* sim, utVec3 from, utVec3 direction, double far, utPick* pick)
{
    const double length = ut_vec3_norm(direction);
    if (!(length > 0.0 && isfinite(length))) {
        return false;
    }
    const utVec3 along = ut_vec3_scale(direction, 1.0 / length);
    bool found = false;
    for (int g = 0; g < sim->model->ngeom; g++) {
        utRayHit hit;
        const utFrame at = ut_geom_frame(&sim->work.kin, g);
        // of geoms at the same distance the first one counts
        if (ut_ray(&sim->model->geom[g].shape, at, from, along, far, &hit) &&
            (!found || hit.distance < far)) {
            *pick = (utPick){g, hit};
            far = hit.distance;
            found = true;
        }
    }
    return found;
}
