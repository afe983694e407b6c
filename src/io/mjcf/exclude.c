// SPDX-License-Identifier: Apache-2.0
// contact/exclude: pairs of bodies that do not collide.
#include "io/internal.h"

#include <string.h>

static utStatus read_exclude(Mjcf* m, const XmlNode* node)
{
    MjcfExclude* made = &m->parts.exclude[m->parts.excludes];
    static const char* const names[2] = {"body1", "body2"};
    for (int i = 0; i < 2; i++) {
        XmlAttribute* name = ut_xml_attribute(node, names[i]);
        if (name == NULL) {
            return ut_mjcf_fail(m, node, "exclude needs the attribute %s", names[i]);
        }
        made->body[i] = ut_names_find(&m->names.body, name->value);
        if (made->body[i] < 0) {
            return ut_mjcf_unknown_name(m, (MjcfFound){node, name}, "body", &m->names.body);
        }
    }
    made->origin = ut_mjcf_origin(node);
    m->parts.excludes++;
    return UT_OK;
}

utStatus ut_mjcf_excludes(Mjcf* m)
{
    int count = 0;
    for (XmlNode* n = ut_mjcf_first_of(m, "contact"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        count++;
    }
    m->parts.exclude = UT_PUSH(&m->memory, MjcfExclude, count);
    if (m->parts.exclude == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (XmlNode* n = ut_mjcf_first_of(m, "contact"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        if (strcmp(n->name, "exclude") == 0) {
            UT_TRY(read_exclude(m, n));
        }
    }
    return UT_OK;
}
