// SPDX-License-Identifier: Apache-2.0
// The elements and attributes of URDF, and whether uptack reads them. Programs add elements of their
// own to URDF, so an unknown name is noted, unless it resembles a known one: then it is an error.
#include "urdf.h"

#include <stdio.h>
#include <string.h>

typedef enum Use {
    USE_READ,    // read; its attributes and its contents are checked
    USE_NOTED,   // noted with `why`; the contents are not looked at
    USE_PHYSICS, // noted: the model lacks its physics
    USE_OTHER,   // checked elsewhere: the elements of MuJoCo, Gazebo and Bullet
} Use;

typedef struct Rule {
    const char* name;
    const char* inside;
    Use use;
    const char* read;    // attributes that are read
    const char* other;   // attributes that are noted
    const char* physics; // attributes that are noted: the model lacks their physics
    const char* why;     // of USE_NOTED, or of the attributes in `other`
} Rule;

static const char viewers[] = "for viewers";
static const char visuals[] = "for viewers; their meshes are not read";
static const char programs[] = "for other programs";
static const char controllers[] = "for controllers";

static const Rule rules[] = {
    {.name = "robot", .inside = "", .read = "name", .other = "version", .why = programs},
    {.name = "link",
     .inside = "robot",
     .read = "name",
     .other = "type drake_ignore",
     .why = programs},
    {.name = "joint",
     .inside = "robot",
     .read = "name type",
     .other = "dont_collapse",
     .why = programs},
    {.name = "mujoco", .inside = "robot", .use = USE_OTHER},
    {.name = "gazebo", .inside = "robot", .use = USE_OTHER},
    {.name = "material", .inside = "robot", .use = USE_NOTED, .why = viewers},
    {.name = "transmission", .inside = "robot", .use = USE_NOTED, .why = controllers},
    {.name = "ros2_control", .inside = "robot", .use = USE_NOTED, .why = controllers},
    {.name = "sensor", .inside = "robot link joint", .use = USE_NOTED, .why = programs},
    {.name = "frame", .inside = "robot", .use = USE_NOTED, .why = programs},
    {.name = "loop_joint", .inside = "robot", .use = USE_PHYSICS},

    {.name = "inertial", .inside = "link"},
    {.name = "mass", .inside = "inertial", .read = "value"},
    {.name = "inertia", .inside = "inertial", .read = "ixx ixy ixz iyy iyz izz"},
    {.name = "visual", .inside = "link", .use = USE_NOTED, .why = visuals},
    {.name = "collision", .inside = "link", .read = "name", .other = "group", .why = programs},
    {.name = "contact", .inside = "link", .use = USE_OTHER},
    {.name = "collision_checking", .inside = "link", .use = USE_NOTED, .why = programs},
    {.name = "self_filter", .inside = "link", .use = USE_NOTED, .why = programs},
    {.name = "geometry", .inside = "collision"},
    {.name = "material", .inside = "collision", .use = USE_NOTED, .why = viewers},
    {.name = "verbose", .inside = "collision", .use = USE_NOTED, .why = programs},
    {.name = "box", .inside = "geometry", .read = "size"},
    {.name = "cylinder", .inside = "geometry", .read = "radius length"},
    {.name = "sphere", .inside = "geometry", .read = "radius"},
    {.name = "capsule", .inside = "geometry", .read = "radius length"},
    {.name = "mesh", .inside = "geometry", .read = "filename scale"},

    {.name = "origin", .inside = "inertial collision joint", .read = "xyz rpy"},
    {.name = "parent", .inside = "joint", .read = "link"},
    {.name = "child", .inside = "joint", .read = "link"},
    {.name = "axis", .inside = "joint", .read = "xyz"},
    {.name = "limit",
     .inside = "joint",
     .read = "lower upper effort",
     .other = "velocity acceleration jerk current command_effort gear_velocity",
     .why = controllers},
    {.name = "dynamics",
     .inside = "joint",
     .read = "damping friction",
     .physics = "spring_stiffness spring_reference D K mu_coulomb mu_viscous"},
    {.name = "mimic", .inside = "joint", .read = "joint multiplier offset"},
    {.name = "calibration", .inside = "joint", .use = USE_NOTED, .why = controllers},
    {.name = "safety_controller", .inside = "joint", .use = USE_NOTED, .why = controllers},
};

enum { RULES = sizeof rules / sizeof rules[0] };

static const Rule* find_rule(const XmlNode* node)
{
    for (int i = 1; i < RULES; i++) {
        if (strcmp(rules[i].name, node->name) == 0 &&
            ut_word_in(rules[i].inside, node->parent->name)) {
            return &rules[i];
        }
    }
    return NULL;
}

// ---- other namespaces ---------------------------------------------------------------------------

static utStatus check_foreign(Urdf* u, const XmlNode* node)
{
    const char* local = strchr(node->name, '}') + 1;
    char what[WORD_SIZE + 24];
    if (strstr(node->name, "xacro}") != NULL) {
        return ut_mjcf_fail(u->m, node,
                            "'xacro:%.40s': this is xacro; expand it first, for example "
                            "with `xacro FILE > robot.urdf`",
                            local);
    }
    const bool shape = strcmp(node->parent->name, "geometry") == 0;
    if (shape || ut_word_in("link joint collision inertial", local)) {
        return ut_mjcf_fail(u->m, node,
                            "a '%.40s' of another program; without it the model would lack a %s",
                            local, shape ? "shape" : local);
    }
    snprintf(what, sizeof what, "(other namespace):%.40s", local);
    return ut_mjcf_note_missing(u->m, node, NULL, what, "not supported");
}

// ---- unknown names ------------------------------------------------------------------------------

static utStatus unknown_element(Urdf* u, const XmlNode* node)
{
    const char* parent = node->parent->name;
    char what[2 * WORD_SIZE];
    Nearest nearest = ut_nearest_to(node->name);
    for (int i = 1; i < RULES; i++) {
        if (ut_word_in(rules[i].inside, parent)) {
            ut_nearest_try(&nearest, (utText){rules[i].name, strlen(rules[i].name)});
        }
    }
    if (nearest.word[0] != 0) {
        return ut_mjcf_fail(u->m, node, "unknown element '%.40s' inside '%s'; did you mean '%s'?",
                            node->name, parent, nearest.word);
    }
    for (int i = 1; i < RULES; i++) {
        if (strcmp(rules[i].name, node->name) == 0) {
            return ut_mjcf_fail(u->m, node, "'%s' is not allowed inside '%s'", node->name, parent);
        }
    }
    if (strcmp(parent, "geometry") == 0) {
        return ut_mjcf_fail(
            u->m, node,
            "'%.40s' is not a shape of URDF; there are box, cylinder, sphere, capsule "
            "and mesh",
            node->name);
    }
    snprintf(what, sizeof what, "%.40s/%.40s", parent, node->name);
    return ut_mjcf_note_missing(u->m, node, NULL, what, "unknown element, not read");
}

static utStatus unknown_attribute(Urdf* u, const XmlNode* node, const Rule* rule, XmlAttribute* a)
{
    const char* const lists[] = {rule->read, rule->other, rule->physics};
    char what[2 * WORD_SIZE];
    Nearest nearest = ut_nearest_to(a->name);
    for (int i = 0; i < 3; i++) {
        const char* names = lists[i];
        utText word;
        while (names != NULL && ut_word_next(&names, &word)) {
            ut_nearest_try(&nearest, word);
        }
    }
    if (nearest.word[0] != 0) {
        return ut_mjcf_fail_at(u->m, (MjcfFound){node, a}, 0,
                               "unknown attribute '%.40s' of %s; did you mean '%s'?", a->name,
                               node->name, nearest.word);
    }
    snprintf(what, sizeof what, "%s.%.40s", node->name, a->name);
    return ut_mjcf_note_missing(u->m, node, a, what, "unknown attribute, not read");
}

// ---- the tree -----------------------------------------------------------------------------------

static utStatus check_attribute(Urdf* u, const XmlNode* node, const Rule* rule, XmlAttribute* a)
{
    char what[2 * WORD_SIZE];
    const MjcfFound found = {node, a};
    if (strstr(a->value, "${") != NULL || strstr(a->value, "$(") != NULL) {
        return ut_mjcf_fail_at(
            u->m, found, 0,
            "'%.60s' is an expression of xacro; expand the file first, for example "
            "with `xacro FILE > robot.urdf`",
            a->value);
    }
    if (a->name[0] == '{') {
        snprintf(what, sizeof what, "%s.(other namespace)", node->name);
        return ut_mjcf_note_missing(u->m, node, a, what, "not supported");
    }
    snprintf(what, sizeof what, "%s.%.40s", node->name, a->name);
    if (rule->read != NULL && ut_word_in(rule->read, a->name)) {
        return UT_OK;
    }
    if (rule->other != NULL && ut_word_in(rule->other, a->name)) {
        return ut_mjcf_note(u->m, node, a, false, what, rule->why);
    }
    if (rule->physics != NULL && ut_word_in(rule->physics, a->name)) {
        return ut_mjcf_note_missing(u->m, node, a, what, "not supported");
    }
    return unknown_attribute(u, node, rule, a);
}

// Reject a second element where URDF allows only one.
static utStatus check_single(Urdf* u, const XmlNode* node)
{
    if (strcmp(node->parent->name, "robot") == 0 || ut_word_in("collision visual", node->name)) {
        return UT_OK;
    }
    for (const XmlNode* n = node->parent->first; n != node; n = n->next) {
        const bool shapes = strcmp(node->parent->name, "geometry") == 0;
        if (shapes || strcmp(n->name, node->name) == 0) {
            return ut_mjcf_fail(u->m, node, "a second %s in one %s; the first is in line %d",
                                shapes ? "shape" : node->name, node->parent->name, n->line);
        }
    }
    return UT_OK;
}

// @param rule receives the rule whose attributes and contents are to be checked, NULL for none
static utStatus check_element(Urdf* u, const XmlNode* node, const Rule** rule)
{
    *rule = NULL;
    if (node->name[0] == '{') {
        return check_foreign(u, node);
    }
    const Rule* found = find_rule(node);
    if (found == NULL) {
        return unknown_element(u, node);
    }
    switch (found->use) {
    case USE_NOTED:
        return ut_mjcf_note(u->m, node, NULL, false, node->name, found->why);
    case USE_PHYSICS:
        return ut_mjcf_note_missing(u->m, node, NULL, node->name, "not supported");
    case USE_OTHER:
        return UT_OK;
    case USE_READ:
        break;
    }
    *rule = found;
    return check_single(u, node);
}

utStatus ut_urdf_check(Urdf* u)
{
    const XmlNode* robot = u->robot;
    if (strcmp(robot->name, "robot") != 0) {
        return ut_mjcf_fail(u->m, robot,
                            "the outermost element is '%.60s'; a URDF model is a 'robot'",
                            robot->name);
    }
    for (const XmlNode* n = robot; n != NULL;) {
        const Rule* rule = &rules[0];
        if (n != robot) {
            UT_TRY(check_element(u, n, &rule));
        }
        if (rule == NULL) {
            n = ut_xml_skip(n, robot);
            continue;
        }
        for (int i = 0; i < n->attributes; i++) {
            UT_TRY(check_attribute(u, n, rule, &n->attribute[i]));
        }
        if (n->text != NULL) {
            UT_TRY(ut_mjcf_note(u->m, n, NULL, false, "text between elements", "ignored"));
        }
        n = ut_xml_next(n, robot);
    }
    return UT_OK;
}
