// SPDX-License-Identifier: Apache-2.0
// Contacts of planar worlds: the figures of geoms meet in the plane through the world's origin,
// whatever depth their solids are at. A force in the plane turns a body about the normal by the
// same moment from any depth.
#include <uptack/flat.h>

#include "contact.h"

// Where a geom's figure is. Bodies are turned about the normal only: the first axis of the plane
// tells the angle.
static utFlatFrame figure_frame(const ContactScene* scene, const utPlane* plane, int geom)
{
    const utModelGeom* g = &scene->model->geom[geom];
    const utFrame body = scene->kin->body[g->body];
    const utVec2 at = ut_plane_in(plane, body.p);
    const utVec2 turn = ut_plane_in(plane, ut_mat3_mul_vec(body.R, plane->x));
    const utFlatFrame in = g->in_flat;
    return (utFlatFrame){
        {at.x + turn.x * in.position.x - turn.y * in.position.y,
         at.y + turn.y * in.position.x + turn.x * in.position.y},
        turn.x * in.cosine - turn.y * in.sine,
        turn.y * in.cosine + turn.x * in.sine,
    };
}

int ut_contact_collide_planar(const ContactScene* scene, int geom1, int geom2, double reach,
                              utTouch* touch)
{
    const utPlane plane = ut_plane(scene->model->options.planar);
    utFlatTouch flat[UT_FLAT_TOUCH_MAX];
    const int count = ut_flat_collide(
        &scene->model->geom[geom1].flat, figure_frame(scene, &plane, geom1),
        &scene->model->geom[geom2].flat, figure_frame(scene, &plane, geom2), reach, flat);
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

double ut_contact_flat_distance(const ContactScene* scene, int geom, utVec3 point, double radius,
                                double most, utVec3* foot)
{
    const utPlane plane = ut_plane(scene->model->options.planar);
    const utVec2 at = ut_plane_in(&plane, point);
    const utFlatShape circle = ut_flat_shape(UT_FLAT_CIRCLE, radius, 0.0);
    utFlatTouch touch[UT_FLAT_TOUCH_MAX];
    const int count =
        ut_flat_collide(&scene->model->geom[geom].flat, figure_frame(scene, &plane, geom), &circle,
                        ut_flat_frame(at.x, at.y), most - radius, touch);
    double least = most;
    *foot = point;
    for (int k = 0; k < count; k++) {
        if (touch[k].gap + radius < least) {
            const utVec2 p = touch[k].point, n = touch[k].normal;
            const double back = 0.5 * touch[k].gap;
            least = touch[k].gap + radius;
            *foot = ut_plane_out(&plane, ut_vec2(p.x - back * n.x, p.y - back * n.y));
        }
    }
    return least;
}

void ut_contact_axes(const utModel* model, utVec3 n, utVec3 frame[3])
{
    frame[0] = n;
    if (model->options.planar == UT_PLANAR_NONE) {
        ut_tangent_basis(n, &frame[1], &frame[2]);
        return;
    }
    const utPlane plane = ut_plane(model->options.planar);
    frame[1] = ut_plane_out(&plane, ut_flat_tangent(ut_plane_in(&plane, n)));
    frame[2] = plane.normal;
}
