// SPDX-License-Identifier: Apache-2.0
// Colours of geoms and sites, which viewers show: the element's own rgba, else that of its material. Textures and the
// other attributes of a material have no effect.
#include "io/internal.h"

#include <string.h>

static bool is_material(const XmlNode* node)
{
    return strcmp(node->name, "material") == 0 && ut_xml_attribute(node, "name") != NULL;
}

utStatus ut_mjcf_materials(Mjcf* m)
{
    int count = 0;
    for (const XmlNode* n = ut_mjcf_first_of(m, "asset"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        count += is_material(n);
    }
    m->parts.material = UT_PUSH(&m->memory, const XmlNode*, count + 1);
    if (m->parts.material == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (const XmlNode* n = ut_mjcf_first_of(m, "asset"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        if (!is_material(n)) {
            continue;
        }
        const char* name = ut_xml_attribute(n, "name")->value;
        if (!ut_names_add(&m->names.material, name, m->parts.materials)) {
            return ut_mjcf_no_memory(m);
        }
        m->parts.material[m->parts.materials++] = n;
    }
    return UT_OK;
}

// Is there a colour? An empty rgba, which some programs write, is none.
static bool has_colour(MjcfFound found)
{
    const char* c = found.attribute != NULL ? found.attribute->value : "";
    while (ut_is_blank(*c)) {
        c++;
    }
    return *c != '\0';
}

// A material without a colour is white, because its texture has the colours.
static utStatus colour_of_material(Mjcf* m, const XmlNode* node, double rgba[4])
{
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, "material", &p));
    double colour[4] = {1.0, 1.0, 1.0, 1.0};
    if (has_colour(ut_mjcf_find(&p, "rgba"))) {
        UT_TRY(ut_mjcf_get(&p, "rgba", 4, colour));
    }
    memcpy(rgba, colour, sizeof colour);
    return UT_OK;
}

utStatus ut_mjcf_colour(const MjcfPlace* p, double rgba[4])
{
    if (has_colour(ut_mjcf_find(p, "rgba"))) {
        return ut_mjcf_get(p, "rgba", 4, rgba);
    }
    const MjcfFound material = ut_mjcf_find(p, "material");
    if (material.attribute != NULL) {
        const int index = ut_names_find(&p->m->names.material, material.attribute->value);
        return index < 0 ? UT_OK // viewers alone would miss it
                         : colour_of_material(p->m, p->m->parts.material[index], rgba);
    }
    return UT_OK;
}
