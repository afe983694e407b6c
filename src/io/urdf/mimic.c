// SPDX-License-Identifier: Apache-2.0
// mimic: the coordinate of a joint is multiplier x + offset, with x that of another joint. It becomes an
// equality of the two coordinates. Joints may mimic joints that mimic others, but not in a circle.
#include "urdf.h"

#include <string.h>

static bool has_coordinate(UrdfKind kind)
{
    return kind == URDF_REVOLUTE || kind == URDF_CONTINUOUS || kind == URDF_PRISMATIC;
}

static utStatus read_mimic(Urdf* u, UrdfJoint* joint, const XmlNode* node)
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
    joint->mimics = index;
    m->parts.equality[m->parts.equalities++] = equality;
    return UT_OK;
}

// Reject joints that mimic each other in a circle: walk from each joint to the one that it mimics, up to
// joints of earlier walks.
static utStatus check_circles(Urdf* u, int* walk)
{
    for (int i = 0; i < u->joints; i++) {
        walk[i] = -1;
    }
    for (int i = 0; i < u->joints; i++) {
        int at = i;
        for (; at >= 0 && walk[at] < 0; at = u->joint[at].mimics) {
            walk[at] = i;
        }
        if (at >= 0 && walk[at] == i) {
            return ut_mjcf_fail(
                u->m, ut_urdf_child(u->joint[at].node, "mimic"),
                "joint '%.60s' mimics '%.60s', which mimics it in turn; one joint of "
                "the circle must be without mimic",
                u->joint[at].name, u->joint[u->joint[at].mimics].name);
        }
    }
    return UT_OK;
}

utStatus ut_urdf_mimics(Urdf* u)
{
    Mjcf* m = u->m;
    m->parts.equality = UT_PUSH(&m->memory, utEqualityDef, u->joints + 1);
    int* walk = UT_PUSH(&m->memory, int, u->joints + 1);
    if (m->parts.equality == NULL || walk == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (int i = 0; i < u->joints; i++) {
        const XmlNode* node = ut_urdf_child(u->joint[i].node, "mimic");
        if (node != NULL) {
            UT_TRY(read_mimic(u, &u->joint[i], node));
        }
    }
    return check_circles(u, walk);
}
