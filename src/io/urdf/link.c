// SPDX-License-Identifier: Apache-2.0
// Links become bodies: their frame is that of the joint above them, their mass that of `inertial`.
// A link without one has no mass, whatever its shapes.
#include "urdf.h"

#include <string.h>

// Roll, pitch and yaw are angles about the fixed axes x, y and z, in this order.
static utQuat from_rpy(const double rpy[3])
{
    const utQuat roll = ut_quat_from_axis_angle(ut_vec3(1, 0, 0), rpy[0]);
    const utQuat pitch = ut_quat_from_axis_angle(ut_vec3(0, 1, 0), rpy[1]);
    const utQuat yaw = ut_quat_from_axis_angle(ut_vec3(0, 0, 1), rpy[2]);
    return ut_quat_mul(yaw, ut_quat_mul(pitch, roll));
}

utStatus ut_urdf_origin(Urdf* u, const XmlNode* node, utVec3* pos, utQuat* quat)
{
    const XmlNode* origin = ut_urdf_child(node, "origin");
    *pos = ut_vec3_zero();
    *quat = ut_quat_identity();
    if (origin == NULL) {
        return UT_OK;
    }
    const MjcfPlace p = ut_urdf_place(u, origin);
    double rpy[3] = {0.0, 0.0, 0.0};
    UT_TRY(ut_mjcf_get_vec3(&p, "xyz", pos));
    UT_TRY(ut_mjcf_get(&p, "rpy", 3, rpy));
    *quat = from_rpy(rpy);
    return UT_OK;
}

// ---- inertial -----------------------------------------------------------------------------------

// Read the inertia along the axes of the inertial's frame, 0 when there is none.
static utStatus read_inertia(Urdf* u, const XmlNode* inertial, utMat3* I)
{
    static const char* const names[3][3] = {
        {"ixx", "ixy", "ixz"}, {"ixy", "iyy", "iyz"}, {"ixz", "iyz", "izz"}};
    *I = ut_mat3_zero();
    const XmlNode* node = ut_urdf_child(inertial, "inertia");
    if (node == NULL) {
        return UT_OK;
    }
    const MjcfPlace p = ut_urdf_place(u, node);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            if (ut_xml_attribute(node, names[i][j]) == NULL) {
                return ut_mjcf_fail(u->m, node, "inertia needs the attribute %s", names[i][j]);
            }
            UT_TRY(ut_mjcf_get(&p, names[i][j], 1, &I->m[i][j]));
            I->m[j][i] = I->m[i][j];
        }
    }
    return UT_OK;
}

static utStatus read_inertial(Urdf* u, const XmlNode* inertial, utBodyDef* b)
{
    const XmlNode* mass = ut_urdf_child(inertial, "mass");
    if (mass == NULL || ut_xml_attribute(mass, "value") == NULL) {
        return ut_mjcf_fail(u->m, mass != NULL ? mass : inertial, "%s needs the %s",
                            mass != NULL ? "mass" : "inertial",
                            mass != NULL ? "attribute value" : "element mass");
    }
    const MjcfPlace p = ut_urdf_place(u, mass);
    utQuat quat;
    utMat3 I;
    UT_TRY(ut_mjcf_get_not_negative(&p, "value", &b->mass));
    UT_TRY(ut_urdf_origin(u, inertial, &b->com, &quat));
    UT_TRY(read_inertia(u, inertial, &I));
    const utMat3 R = ut_quat_to_mat3(quat);
    b->inertia = ut_mjcf_symmetric(ut_mat3_mul(ut_mat3_mul(R, I), ut_mat3_transpose(R)));
    if (b->mass == 0.0) {
        b->com = ut_vec3_zero();
        b->inertia = ut_mat3_zero();
    }
    return UT_OK;
}

// ---- bodies -------------------------------------------------------------------------------------

// A floating joint needs a child of the world as its body: compose the poses of the fixed links above
// it.
static utStatus place_floating(Urdf* u, const UrdfJoint* joint, utBodyDef* b)
{
    if (!ut_urdf_is_static(u, joint->parent)) {
        return ut_mjcf_fail(
            u->m, joint->node,
            "floating joint '%.60s' is below a link that moves; a floating link must "
            "be connected to the world or to links fixed to it",
            joint->name);
    }
    for (int i = u->link[joint->parent].body; i != 0; i = u->m->parts.body[i].def.parent) {
        const utBodyDef* above = &u->m->parts.body[i].def;
        b->pos = ut_vec3_add(above->pos, ut_mat3_mul_vec(ut_quat_to_mat3(above->quat), b->pos));
        b->quat = ut_quat_mul(above->quat, b->quat);
    }
    b->parent = 0;
    return UT_OK;
}

static utStatus add_body(Urdf* u, UrdfLink* link)
{
    Mjcf* m = u->m;
    MjcfBody* body = &m->parts.body[m->parts.bodies];
    *body = (MjcfBody){.def = ut_body_def(), .node = link->node};
    utBodyDef* b = &body->def;
    b->name = link->name;
    b->origin = ut_mjcf_origin(link->node);
    b->inertial = true;
    const XmlNode* inertial = ut_urdf_child(link->node, "inertial");
    if (inertial != NULL) {
        UT_TRY(read_inertial(u, inertial, b));
    }
    if (link->above >= 0) {
        const UrdfJoint* joint = &u->joint[link->above];
        b->parent = u->link[joint->parent].body;
        UT_TRY(ut_urdf_origin(u, joint->node, &b->pos, &b->quat));
        if (joint->kind == URDF_FLOATING) {
            UT_TRY(place_floating(u, joint, b));
        }
    }
    link->body = m->parts.bodies++;
    return ut_names_add(&m->names.body, link->name, link->body) ? UT_OK : ut_mjcf_no_memory(m);
}

// The link `world` is body 0, whose mass has no effect.
static utStatus check_world(Urdf* u, const UrdfLink* link)
{
    if (u->def->floating) {
        return ut_mjcf_fail(u->m, link->node != NULL ? link->node : u->robot,
                            "the root link is 'world', which cannot float; remove the link and the "
                            "joint below it, or load the robot without --floating "
                            "(utUrdfDef.floating)");
    }
    return UT_OK;
}

utStatus ut_urdf_links(Urdf* u)
{
    Mjcf* m = u->m;
    m->parts.body = UT_PUSH(&m->memory, MjcfBody, u->links + 1);
    if (m->parts.body == NULL || !ut_names_add(&m->names.body, "world", 0)) {
        return ut_mjcf_no_memory(m);
    }
    m->parts.body[0] = (MjcfBody){.def = ut_body_def()};
    m->parts.bodies = 1;
    for (int i = 0; i < u->links; i++) {
        UrdfLink* link = &u->link[u->order[i]];
        const bool world = strcmp(link->name, "world") == 0;
        UT_TRY(world ? check_world(u, link) : add_body(u, link));
    }
    return UT_OK;
}
