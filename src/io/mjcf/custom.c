// SPDX-License-Identifier: Apache-2.0
// The custom text named "uptack": assignments NAME.ATTR=VALUE, separated by semicolons, which keep
// uptack's own attributes in a file that MuJoCo reads too. They apply when the description is
// complete. Other custom texts are for other programs.
#include "io/internal.h"

#include <string.h>

static bool is_ours(const XmlNode* node)
{
    const XmlAttribute* name = ut_xml_attribute(node, "name");
    return strcmp(node->name, "text") == 0 && name != NULL &&
           strcmp(name->value, UT_MJCF_CUSTOM) == 0;
}

static bool is_blank_text(const char* begin, const char* end)
{
    while (begin < end && ut_is_blank(*begin)) {
        begin++;
    }
    return begin == end;
}

static utStatus apply(Mjcf* m, MjcfFound found, const char* begin, const char* end,
                      utModelDef* into)
{
    utError why = {0};
    while (begin < end && ut_is_blank(*begin)) {
        begin++;
    }
    const size_t offset = (size_t)(begin - found.attribute->value);
    const char* assignment = ut_io_keep_text(&m->memory, begin, (size_t)(end - begin));
    if (assignment == NULL) {
        return ut_mjcf_no_memory(m);
    }
    const utStatus status = ut_model_def_assign(into, assignment, &why);
    return status == UT_OK ? UT_OK : ut_mjcf_fail_at(m, found, offset, "%s", why.message);
}

static utStatus apply_all(Mjcf* m, const XmlNode* node, utModelDef* into)
{
    const MjcfFound found = {node, ut_xml_attribute(node, "data")};
    if (found.attribute == NULL) {
        return ut_mjcf_fail(m, node, "text needs the attribute data");
    }
    for (const char* at = found.attribute->value; at != NULL;) {
        const char* end = strchr(at, ';');
        const char* stop = end != NULL ? end : at + strlen(at);
        if (!is_blank_text(at, stop)) {
            UT_TRY(apply(m, found, at, stop, into));
        }
        at = end != NULL ? end + 1 : NULL;
    }
    return UT_OK;
}

utStatus ut_mjcf_note_custom(Mjcf* m)
{
    for (XmlNode* n = ut_mjcf_first_of(m, "custom"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        if (strcmp(n->name, "text") == 0 && !is_ours(n)) {
            UT_TRY(ut_mjcf_note(m, n, NULL, false, "custom/text", "for other programs"));
        }
    }
    return UT_OK;
}

utStatus ut_mjcf_custom(Mjcf* m, utModelDef* into)
{
    for (XmlNode* n = ut_mjcf_first_of(m, "custom"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        if (is_ours(n)) {
            UT_TRY(apply_all(m, n, into));
        }
    }
    return UT_OK;
}
