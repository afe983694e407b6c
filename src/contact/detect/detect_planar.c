// SPDX-License-Identifier: Apache-2.0
// Contacts of planar worlds: the plane figures of geoms collide in the plane through the world's
// origin, whatever the depths of their solids are. The depth does not matter, because a force in
// the plane has the same moment about the normal at every depth.
#include <uptack/flat.h>

#include "contact/contact.h"

int ut_contact_collide_planar(const ContactScene* scene, int geom1, int geom2, double reach,
                              utTouch* touch)
{
    const utPlane plane = ut_plane(scene->model->options.planar);
    utFlatTouch flat[UT_FLAT_TOUCH_MAX];
    const int count = ut_flat_collide(
        &scene->model->geom[geom1].flat, ut_geom_flat_frame(scene->kin, geom1),
        &scene->model->geom[geom2].flat, ut_geom_flat_frame(scene->kin, geom2), reach, flat);
    for (int k = 0; k < count; k++) {
        touch[k] = (utTouch){
            .point = ut_plane_out(&plane, flat[k].point),
            .normal = ut_plane_out(&plane, flat[k].normal),
            .gap = flat[k].gap,
            .feature = flat[k].feature,
        };
    }
    return count;
}

double ut_contact_planar_distance(const ContactScene* scene, int geom, utVec3 point, double radius,
                                  double limit, utVec3* nearest)
{
    const utPlane plane = ut_plane(scene->model->options.planar);
    const utVec2 at = ut_plane_in(&plane, point);
    const utFlatShape circle = ut_flat_shape(UT_FLAT_CIRCLE, radius, 0.0);
    utFlatTouch touch[UT_FLAT_TOUCH_MAX];
    const int count =
        ut_flat_collide(&scene->model->geom[geom].flat, ut_geom_flat_frame(scene->kin, geom),
                        &circle, ut_flat_frame(at.x, at.y), limit - radius, touch);
    double least = limit;
    *nearest = point;
    for (int k = 0; k < count; k++) {
        if (touch[k].gap + radius < least) {
            const utVec2 p = touch[k].point, n = touch[k].normal;
            const double back = 0.5 * touch[k].gap;
            least = touch[k].gap + radius;
            *nearest = ut_plane_out(&plane, ut_vec2(p.x - back * n.x, p.y - back * n.y));
        }
    }
    return least;
}
