// SPDX-License-Identifier: Apache-2.0
// Links that a joint connects do not collide. The model filters parents and children by itself unless
// the parent is fixed to the world. A robot's base often is, and there the shapes of base and first
// link overlap as anywhere else, so these pairs are excluded here. Shapes of the link `world` are
// surroundings and keep colliding.
#include "urdf.h"

static const int MAX_PAIRS = 1000000;

static bool has_geoms(const Urdf* u, int link)
{
    const int body = u->link[link].body;
    return body > 0 && u->m->parts.body[body].geoms > 0;
}

// Does a joint connect the rigid group of a link with links that are fixed to the world?
static bool is_first(const Urdf* u, int link)
{
    const int above = u->link[u->link[link].group].above;
    return above >= 0 && u->joint[above].kind != URDF_FLOATING &&
           ut_urdf_is_static(u, u->joint[above].parent);
}

utStatus ut_urdf_filter(Urdf* u)
{
    Mjcf* m = u->m;
    int* base = UT_PUSH(&m->memory, int, u->links);
    int* first = UT_PUSH(&m->memory, int, u->links);
    if (base == NULL || first == NULL) {
        return ut_mjcf_no_memory(m);
    }
    int bases = 0, firsts = 0;
    for (int i = 0; i < u->links; i++) {
        if (has_geoms(u, i) && ut_urdf_is_static(u, i)) {
            base[bases++] = i;
        } else if (has_geoms(u, i) && is_first(u, i)) {
            first[firsts++] = i;
        }
    }
    if (firsts > 0 && bases > MAX_PAIRS / firsts) {
        return ut_mjcf_fail(
            m, u->robot,
            "%d links with shapes are fixed to the world and %d are jointed to them: "
            "more than %d pairs",
            bases, firsts, MAX_PAIRS);
    }
    m->parts.exclude = UT_PUSH(&m->memory, MjcfExclude, (size_t)bases * (size_t)firsts);
    if (m->parts.exclude == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (int i = 0; i < bases; i++) {
        for (int k = 0; k < firsts; k++) {
            const UrdfLink* a = &u->link[base[i]];
            const UrdfLink* b = &u->link[first[k]];
            m->parts.exclude[m->parts.excludes++] =
                (MjcfExclude){{a->body, b->body}, ut_mjcf_origin(b->node)};
        }
    }
    return UT_OK;
}
