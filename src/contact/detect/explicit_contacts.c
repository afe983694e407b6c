// SPDX-License-Identifier: Apache-2.0
// Explicit contacts: a site against the infinite plane of a face. They are part of every step, in
// the order of the model.
#include "contact/contact.h"

void ut_contact_add_explicit(const ContactScene* scene, utContact* contact, int* count)
{
    const utModel* model = scene->model;
    for (int i = 0; i < model->npoint; i++) {
        const utModelPoint* point = &model->point[i];
        const int geom_body = model->geom[point->geom].body;
        const int site_body = model->site[point->site].body;
        if (model->body[geom_body].tree < 0 && model->body[site_body].tree < 0) {
            continue; // no joint moves either side
        }
        const utFrame face = ut_geom_frame(scene->kin, point->geom);
        const utVec3 normal = ut_mat3_mul_vec(face.R, point->normal);
        const utVec3 at = ut_site_position(scene->kin, point->site);
        utContact c = {
            .geom1 = point->geom,
            .geom2 = model->ngeom + point->site,
            .feature = (uint64_t)i,
            .island = -1,
            .point = at,
            .gap = ut_vec3_dot(normal, ut_vec3_sub(at, face.p)) - point->offset,
        };
        ut_contact_frame(model, normal, c.frame);
        ut_contact_set_b_and_mu(scene, point->friction, point->kinetic, &c);
        ut_contact_set_condim(scene, &c);
        contact[(*count)++] = c;
    }
}
