// SPDX-License-Identifier: Apache-2.0
// Springs and dampers between sites: explicit forces, and energy.
#include "internal.h"

// The ends of a spring, and its axis from the first to the second.
typedef struct Ends {
    int body[2];
    utVec3 position[2];
    utVec3 axis; ///< unit; 0 when the length is 0
    double length;
} Ends;

static Ends find_ends(const utKinematics* kin, const utModelSpring* spring)
{
    const int site[2] = {spring->site1, spring->site2};
    Ends ends;
    for (int k = 0; k < 2; k++) {
        ends.body[k] = kin->model->site[site[k]].body;
        ends.position[k] = ut_site_position(kin, site[k]);
    }
    const utVec3 along = ut_vec3_sub(ends.position[1], ends.position[0]);
    ends.length = ut_vec3_norm(along);
    if (!ut_vec3_normalize(along, &ends.axis)) {
        ends.axis = ut_vec3_zero();
    }
    return ends;
}

void ut_dyn_add_springs(const utKinematics* kin, utForce* wrench)
{
    for (int i = 0; i < kin->model->nspring; i++) {
        const utModelSpring* spring = &kin->model->spring[i];
        const Ends ends = find_ends(kin, spring);
        const utVec3 relative = ut_vec3_sub(ut_point_velocity(kin, ends.body[1], ends.position[1]),
                                            ut_point_velocity(kin, ends.body[0], ends.position[0]));
        const utVec3 damped =
            spring->full ? relative : ut_vec3_scale(ends.axis, ut_vec3_dot(ends.axis, relative));
        // the force on the second end
        utVec3 force =
            ut_vec3_scale(ends.axis, -spring->stiffness * (ends.length - spring->length));
        force = ut_vec3_add_scaled(force, -spring->damping, damped);
        for (int k = 0; k < 2; k++) {
            const utVec3 f = k == 1 ? force : ut_vec3_negate(force);
            const utVec3 arm = ut_vec3_sub(ends.position[k], kin->com[ends.body[k]]);
            utForce* to = &wrench[ends.body[k]];
            *to = ut_force_add(*to, ut_force(f, ut_vec3_cross(arm, f)));
        }
    }
}

double ut_dyn_site_spring_energy(const utKinematics* kin)
{
    double energy = 0.0;
    for (int i = 0; i < kin->model->nspring; i++) {
        const utModelSpring* spring = &kin->model->spring[i];
        const double stretch = find_ends(kin, spring).length - spring->length;
        energy += 0.5 * spring->stiffness * stretch * stretch;
    }
    return energy;
}
