// SPDX-License-Identifier: Apache-2.0
// mimic: the coordinate of a joint is multiplier x + offset, with x that of another joint. It becomes an
// equality of the two coordinates.
#include "urdf.h"

#include <string.h>

static bool has_coordinate(UrdfKind kind)
{
    return kind == URDF_REVOLUTE || kind == URDF_CONTINUOUS || kind == URDF_PRISMATIC;
}

static utStatus read_mimic(Urdf* u, const UrdfJoint* joint, const XmlNode* node)
{
    Mjcf* m = u->m;
    const MjcfPlace p = ut_urdf_place(u, node);
    int index = -1;
    double multiplier = 1.0, offset = 0.0;
    UT_TRY(ut_mjcf_get_reference(&p, "joint", "joint", &u->joint_names, &index));
    UT_TRY(ut_mjcf_get(&p, "multiplier", 1, &multiplier));
    UT_TRY(ut_mjcf_get(&p, "offset", 1, &offset));
    const UrdfJoint* other = &u->joint[index];
    if (other == joint) {
        return ut_mjcf_fail(m, node, "joint '%.60s' mimics itself", joint->name);
    }
    if (!has_coordinate(joint->kind) || !has_coordinate(other->kind)) {
        return ut_mjcf_fail(
            m, node, "'%.60s' mimics '%.60s'; both must be revolute, continuous or prismatic",
            joint->name, other->name);
    }
    utEqualityDef equality = ut_equality_def(UT_EQUALITY_JOINT, 0, 0);
    equality.element1 = joint->joint;
    equality.element2 = other->joint;
    equality.polycoef[0] = offset;
    equality.polycoef[1] = multiplier;
    equality.origin = ut_mjcf_origin(node);
    m->parts.equality[m->parts.equalities++] = equality;
    return UT_OK;
}

utStatus ut_urdf_mimics(Urdf* u)
{
    Mjcf* m = u->m;
    m->parts.equality = UT_PUSH(&m->memory, utEqualityDef, u->joints + 1);
    if (m->parts.equality == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (int i = 0; i < u->joints; i++) {
        const XmlNode* node = ut_urdf_child(u->joint[i].node, "mimic");
        if (node != NULL) {
            UT_TRY(read_mimic(u, &u->joint[i], node));
        }
    }
    return UT_OK;
}
