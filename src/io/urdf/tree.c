// SPDX-License-Identifier: Apache-2.0
// The tree of links: joints name their parent and child, and exactly one link must be the root. The
// link named `world`, with or without an element of its own, is the world.
#include "urdf.h"

#include <string.h>

static const char world[] = "world";

const XmlNode* ut_urdf_child(const XmlNode* node, const char* name)
{
    for (const XmlNode* n = node->first; n != NULL; n = n->next) {
        if (strcmp(n->name, name) == 0) {
            return n;
        }
    }
    return NULL;
}

MjcfPlace ut_urdf_place(Urdf* u, const XmlNode* node)
{
    return (MjcfPlace){.m = u->m, .node = node};
}

// ---- links and joints ---------------------------------------------------------------------------

static utStatus get_name(Urdf* u, const XmlNode* node, Names* names, int index, const char** name)
{
    const MjcfPlace p = ut_urdf_place(u, node);
    *name = NULL;
    UT_TRY(ut_mjcf_get_name(&p, names, index, name));
    return *name != NULL ? UT_OK
                         : ut_mjcf_fail(u->m, node, "%s needs the attribute name", node->name);
}

static utStatus add_link(Urdf* u, const XmlNode* node)
{
    UrdfLink* link = &u->link[u->links];
    *link = (UrdfLink){.node = node, .above = -1, .first = -1, .last = -1};
    UT_TRY(get_name(u, node, &u->link_names, u->links, &link->name));
    u->links++;
    return UT_OK;
}

// The world needs no element of its own to be the parent of a link.
static utStatus add_world(Urdf* u)
{
    u->link[u->links] = (UrdfLink){.name = world, .above = -1, .first = -1, .last = -1};
    if (!ut_names_add(&u->link_names, world, u->links)) {
        return ut_mjcf_no_memory(u->m);
    }
    u->links++;
    return UT_OK;
}

static utStatus find_link(Urdf* u, const XmlNode* joint, const char* end, int* link)
{
    const XmlNode* node = ut_urdf_child(joint, end);
    if (node == NULL) {
        return ut_mjcf_fail(u->m, joint, "joint needs the element %s", end);
    }
    const MjcfPlace p = ut_urdf_place(u, node);
    const XmlAttribute* a = ut_xml_attribute(node, "link");
    if (a != NULL && strcmp(end, "parent") == 0 && strcmp(a->value, world) == 0 &&
        ut_names_find(&u->link_names, world) < 0) {
        UT_TRY(add_world(u));
    }
    return ut_mjcf_get_reference(&p, "link", "link", &u->link_names, link);
}

static utStatus add_joint(Urdf* u, const XmlNode* node)
{
    static const char kinds[] = "revolute continuous prismatic fixed floating planar";
    const int index = u->joints;
    UrdfJoint* joint = &u->joint[index];
    *joint = (UrdfJoint){.node = node, .next = -1, .joint = -1, .mimics = -1};
    const MjcfPlace p = ut_urdf_place(u, node);
    UT_TRY(get_name(u, node, &u->joint_names, index, &joint->name));
    int kind = -1;
    UT_TRY(ut_mjcf_get_word(&p, "type", kinds, &kind));
    if (kind < 0) {
        return ut_mjcf_fail(u->m, node, "joint needs the attribute type: one of %s", kinds);
    }
    joint->kind = (UrdfKind)kind;
    UT_TRY(find_link(u, node, "parent", &joint->parent));
    UT_TRY(find_link(u, node, "child", &joint->child));
    UrdfLink* child = &u->link[joint->child];
    if (child->above >= 0) {
        return ut_mjcf_fail(
            u->m, node, "link '%.60s' is already the child of joint '%.60s'; a link has one parent",
            child->name, u->joint[child->above].name);
    }
    if (strcmp(child->name, world) == 0) {
        return ut_mjcf_fail(u->m, node, "link 'world' cannot be a child: it is the world");
    }
    child->above = index;
    UrdfLink* parent = &u->link[joint->parent];
    if (parent->last < 0) {
        parent->first = index;
    } else {
        u->joint[parent->last].next = index;
    }
    parent->last = index;
    u->joints++;
    return UT_OK;
}

// ---- order --------------------------------------------------------------------------------------

// The first joint of a list that is not floating, -1 for none.
static int first_tied(const Urdf* u, int joint)
{
    while (joint >= 0 && u->joint[joint].kind == URDF_FLOATING) {
        joint = u->joint[joint].next;
    }
    return joint;
}

// Visit a link and the links below it depth-first, children in the order of their joints, without the
// floating ones. @return the number of links visited so far
static int visit(const Urdf* u, int top, int count)
{
    int at = top;
    for (;;) {
        u->order[count++] = at;
        int joint = first_tied(u, u->link[at].first);
        while (joint < 0 && at != top) {
            // go up until a link has another child
            const UrdfJoint* above = &u->joint[u->link[at].above];
            joint = first_tied(u, above->next);
            at = above->parent;
        }
        if (joint < 0) {
            return count;
        }
        at = u->joint[joint].child;
    }
}

// Floating links become children of the world, so they follow all links that are tied to a root.
static int visit_floating(const Urdf* u, int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = u->link[u->order[i]].first; j >= 0; j = u->joint[j].next) {
            if (u->joint[j].kind == URDF_FLOATING) {
                count = visit(u, u->joint[j].child, count);
            }
        }
    }
    return count;
}

// A file without joints describes separate objects. With joints, a second root means that a joint is
// missing or names the wrong link.
static utStatus check_root(Urdf* u, int root, int link)
{
    if (root < 0 || u->joints == 0) {
        return UT_OK;
    }
    const UrdfLink* second = u->link[link].node != NULL ? &u->link[link] : &u->link[root];
    const UrdfLink* first = second == &u->link[link] ? &u->link[root] : &u->link[link];
    return ut_mjcf_fail(u->m, second->node,
                        "a second root link '%.60s' beside '%.60s'; connect it by a joint",
                        second->name, first->name);
}

static void find_groups(const Urdf* u)
{
    for (int i = 0; i < u->links; i++) {
        UrdfLink* link = &u->link[u->order[i]];
        const UrdfJoint* above = link->above >= 0 ? &u->joint[link->above] : NULL;
        const bool fixed = above != NULL && above->kind == URDF_FIXED;
        link->group = fixed ? u->link[above->parent].group : u->order[i];
    }
}

static utStatus find_order(Urdf* u)
{
    int count = 0;
    int root = -1;
    for (int i = 0; i < u->links; i++) {
        if (u->link[i].above < 0) {
            UT_TRY(check_root(u, root, i));
            root = i;
            count = visit(u, i, count);
        }
    }
    count = visit_floating(u, count);
    if (count == u->links) {
        find_groups(u);
        return UT_OK;
    }
    // a link that no root reaches is on a loop, or below one: walk up until a link repeats
    int at = 0;
    bool* seen = UT_PUSH(&u->m->memory, bool, u->links);
    if (seen == NULL) {
        return ut_mjcf_no_memory(u->m);
    }
    memset(seen, 0, (size_t)u->links * sizeof *seen);
    for (int i = 0; i < count; i++) {
        seen[u->order[i]] = true;
    }
    while (seen[at]) {
        at++;
    }
    for (; !seen[at]; at = u->joint[u->link[at].above].parent) {
        seen[at] = true;
    }
    return ut_mjcf_fail(u->m, u->joint[u->link[at].above].node,
                        "joint '%.60s' closes a loop: link '%.60s' is below itself; URDF is a tree",
                        u->joint[u->link[at].above].name, u->link[at].name);
}

utStatus ut_urdf_tree(Urdf* u)
{
    int links = 1, joints = 0; // one more for the world
    for (const XmlNode* n = u->robot->first; n != NULL; n = n->next) {
        links += strcmp(n->name, "link") == 0;
        joints += strcmp(n->name, "joint") == 0;
    }
    if (links > u->m->def->limits.bodies) {
        return ut_mjcf_fail(u->m, u->robot, "more than %d bodies; utLimits.bodies sets the limit",
                            u->m->def->limits.bodies);
    }
    u->link = UT_PUSH(&u->m->memory, UrdfLink, links);
    u->joint = UT_PUSH(&u->m->memory, UrdfJoint, joints);
    u->order = UT_PUSH(&u->m->memory, int, links);
    if (u->link == NULL || u->joint == NULL || u->order == NULL) {
        return ut_mjcf_no_memory(u->m);
    }
    for (const XmlNode* n = u->robot->first; n != NULL; n = n->next) {
        if (strcmp(n->name, "link") == 0) {
            UT_TRY(add_link(u, n));
        }
    }
    if (u->links == 0) {
        return ut_mjcf_fail(u->m, u->robot, "the robot has no link");
    }
    for (const XmlNode* n = u->robot->first; n != NULL; n = n->next) {
        if (strcmp(n->name, "joint") == 0) {
            UT_TRY(add_joint(u, n));
        }
    }
    return find_order(u);
}

bool ut_urdf_is_static(const Urdf* u, int link)
{
    const UrdfLink* top = &u->link[u->link[link].group];
    return top->above < 0 && !(u->def->floating && strcmp(top->name, world) != 0);
}
