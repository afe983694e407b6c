// SPDX-License-Identifier: Apache-2.0
// The element site: a point of a body with an orientation and the volume of sensors.
#include "io/internal.h"

#include "base/sort.h"

// The volume. @param length distance of the two points of fromto, which is along z; negative: none
static utStatus read_volume(const MjcfPlace* p, double length, utShape* shape)
{
    static const utShapeKind kinds[] = {UT_SHAPE_SPHERE, UT_SHAPE_CAPSULE, UT_SHAPE_ELLIPSOID,
                                        UT_SHAPE_CYLINDER, UT_SHAPE_BOX};
    int kind = 0;
    double size[3] = {shape->size.x, shape->size.y, shape->size.z};
    UT_TRY(ut_mjcf_get_word(p, "type", "sphere capsule ellipsoid cylinder box", &kind));
    UT_TRY(ut_mjcf_get_some(p, "size", 3, size, NULL));
    const bool round = kinds[kind] == UT_SHAPE_CAPSULE || kinds[kind] == UT_SHAPE_CYLINDER;
    if (length >= 0.0) {
        size[2] = round ? size[2] : 0.5 * length;
        size[1] = round ? 0.5 * length : size[0];
    }
    *shape = ut_shape(kinds[kind], ut_vec3(size[0], size[1], size[2]));
    return UT_OK;
}

utStatus ut_mjcf_site(Mjcf* m, int body, const XmlNode* node)
{
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, "site", &p));
    utSiteDef* site = &m->parts.site[m->parts.sites];
    *site = ut_site_def(body);
    site->origin = ut_mjcf_origin(node);
    UT_TRY(ut_mjcf_get_name(&p, &m->names.site, m->parts.sites, &site->name));
    const MjcfFound fromto = ut_mjcf_find(&p, "fromto");
    double length = -1.0;
    if (fromto.attribute != NULL) {
        double x[6];
        UT_TRY(ut_mjcf_numbers(m, fromto, 6, 6, x, NULL));
        const utVec3 a = ut_vec3(x[0], x[1], x[2]), b = ut_vec3(x[3], x[4], x[5]);
        site->pos = ut_vec3_scale(ut_vec3_add(a, b), 0.5);
        site->quat = ut_mjcf_turn_z_to(ut_vec3_sub(a, b));
        length = ut_vec3_norm(ut_vec3_sub(a, b));
    } else {
        UT_TRY(ut_mjcf_get_vec3(&p, "pos", &site->pos));
        UT_TRY(ut_mjcf_orientation(&p, &site->quat));
    }
    UT_TRY(read_volume(&p, length, &site->shape));
    UT_TRY(ut_mjcf_colour(&p, site->rgba));
    m->parts.sites++;
    return UT_OK;
}

static bool is_of_earlier_body(const void* a, const void* b, const void* context)
{
    (void)context;
    return ((const utSiteDef*)a)->body < ((const utSiteDef*)b)->body;
}

// A second `worldbody` may have sites of bodies that came before: order sites by body, as MuJoCo does.
utStatus ut_mjcf_sort_sites(Mjcf* m)
{
    utArena scratch = m->memory;
    utSiteDef* spare = UT_PUSH(&scratch, utSiteDef, m->parts.sites);
    if (spare == NULL) {
        return ut_mjcf_no_memory(m);
    }
    ut_sort(m->parts.sites, sizeof *spare, m->parts.site, spare, is_of_earlier_body, NULL);
    m->names.site = (Names){.memory = &m->memory};
    for (int i = 0; i < m->parts.sites; i++) {
        const char* name = m->parts.site[i].name;
        if (name != NULL && !ut_names_add(&m->names.site, name, i)) {
            return ut_mjcf_no_memory(m);
        }
    }
    return UT_OK;
}
