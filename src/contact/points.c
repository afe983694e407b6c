// SPDX-License-Identifier: Apache-2.0
// Explicit contacts: a site against the infinite plane of a face, in every step and in the order in
// which the model has them.
#include "contact.h"

void ut_contact_add_explicit(const ContactScene* scene, utContact* contact, int* count)
{
    const utModel* model = scene->model;
    for (int i = 0; i < model->npoint; i++) {
        const utModelPoint* point = &model->point[i];
        const utModelGeom* geom = &model->geom[point->geom];
        const utModelSite* site = &model->site[point->site];
        const utFrame face = ut_frame_mul(scene->kin->body[geom->body], geom->in_body);
        const utVec3 normal = ut_mat3_mul_vec(face.R, point->normal);
        const utVec3 at = ut_frame_point(scene->kin->body[site->body], site->in_body.p);
        utContact c = {
            .geom1 = point->geom,
            .geom2 = model->ngeom + point->site,
            .feature = (uint64_t)i,
            .island = -1,
            .point = at,
            .gap = ut_vec3_dot(normal, ut_vec3_sub(at, face.p)) - point->offset,
        };
        ut_contact_axes(model, normal, c.frame);
        ut_contact_settle(scene, point->friction, point->kinetic, &c);
        const bool moves = model->body[geom->body].tree >= 0 || model->body[site->body].tree >= 0;
        if (moves) {
            contact[(*count)++] = c;
        }
    }
}
