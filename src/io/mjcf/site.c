// SPDX-License-Identifier: Apache-2.0
// The element site: a point of a body with an orientation.
#include "io/internal.h"

utStatus ut_mjcf_site(Mjcf* m, int body, const XmlNode* node)
{
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, "site", &p));
    utSiteDef* site = &m->parts.site[m->parts.sites];
    *site = ut_site_def(body);
    site->origin = ut_mjcf_origin(node);
    UT_TRY(ut_mjcf_get_name(&p, &m->names.site, m->parts.sites, &site->name));
    const MjcfFound fromto = ut_mjcf_find(&p, "fromto");
    if (fromto.attribute != NULL) {
        double x[6];
        UT_TRY(ut_mjcf_numbers(m, fromto, 6, 6, x, NULL));
        const utVec3 a = ut_vec3(x[0], x[1], x[2]), b = ut_vec3(x[3], x[4], x[5]);
        site->pos = ut_vec3_scale(ut_vec3_add(a, b), 0.5);
        site->quat = ut_mjcf_turn_z_to(ut_vec3_sub(a, b));
    } else {
        UT_TRY(ut_mjcf_get_vec3(&p, "pos", &site->pos));
        UT_TRY(ut_mjcf_orientation(&p, &site->quat));
    }
    m->parts.sites++;
    return UT_OK;
}
