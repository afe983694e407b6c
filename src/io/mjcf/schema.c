// SPDX-License-Identifier: Apache-2.0
// The elements and attributes of MJCF, and whether uptack supports them. Unsupported elements are noted
// with all their contents; the attributes of other elements are checked one by one.
#include "io/internal.h"

#include <stdio.h>
#include <string.h>

typedef enum Use {
    USE_READ,     // supported; its attributes are checked
    USE_GROUP,    // contains other elements and has no attributes that matter
    USE_PHYSICS,  // noted: the model lacks its physics
    USE_PICTURE,  // noted: for viewers
    USE_OUTPUT,   // noted: for other programs
    USE_SILENT,   // not noted here, because elements that use it are noted
    USE_REJECTED, // an error, because bodies or shapes would be missing
} Use;

// An element, the elements that may contain it, and lists of its attributes. An attribute written
// `name=value` is not noted when it has that value, its default (`|` separates several values, `,`
// several numbers).
typedef struct Rule {
    const char* name;
    const char* inside;
    Use use;
    const char* read;    // supported
    const char* physics; // noted: the model lacks their physics
    const char* soft;    // noted: softness of contacts and limits
    const char* solver;  // noted: settings of MuJoCo's solver
    const char* other;   // noted: for viewers and other programs
} Rule;

#define ORIENTATION " quat axisangle xyaxes zaxis euler"
#define SOLREF(name) " " name "=0.02,1"
#define SOLIMP(name) " " name "=0.9,0.95,0.001,0.5,2"
#define EQUALITY_SOFT SOLREF("solref") SOLIMP("solimp")
#define ACTUATOR                                                                                \
    "name class joint gear ctrlrange ctrllimited forcerange forcelimited jointinparent tendon " \
    "slidersite cranksite site refsite cranklength"
#define ACTUATOR_PHYSICS \
    " damping=0,0,0 armature=0 actrange=0,0 actlimited=auto|false delay=0 nsample=0 interp"

static const Rule rules[] = {
    {.name = "mujoco", .inside = "", .use = USE_READ, .read = "model"},
    {.name = "compiler",
     .inside = "mujoco",
     .use = USE_READ,
     .read = "autolimits boundmass boundinertia settotalmass balanceinertia angle eulerseq "
             "inertiafromgeom inertiagrouprange coordinate",
     .physics = "alignfree=false",
     .other = "strippath meshdir texturedir assetdir fitaabb usethread saveinertial discardvisual "
              "fusestatic conflict convexhull exactmeshinertia"},
    {.name = "lengthrange", .inside = "compiler", .use = USE_OUTPUT},
    {.name = "option",
     .inside = "mujoco",
     .use = USE_READ,
     .read = "timestep gravity integrator ut:integrator ut:planar",
     .physics = "wind=0,0,0 density=0 viscosity=0 actuatorgroupdisable",
     .solver = "impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance "
               "cone jacobian solver iterations ls_iterations noslip_iterations ccd_iterations "
               "sdf_iterations sdf_initpoints mpr_tolerance mpr_iterations o_margin o_solref "
               "o_solimp o_friction",
     .other = "magnetic"},
    {.name = "flag",
     .inside = "option",
     .use = USE_READ,
     .read = "gravity contact limit",
     .physics = "constraint=enable equality=enable frictionloss=enable spring=enable "
                "damper=enable passive=enable clampctrl=enable filterparent=enable "
                "actuation=enable override=disable",
     .solver = "warmstart refsafe midphase autoreset nativeccd island multiccd invdiscrete sleep "
               "diagexact eulerdamp",
     .other = "sensor energy fwdinv"},
    {.name = "size", .inside = "mujoco", .use = USE_OUTPUT},
    {.name = "statistic", .inside = "mujoco", .use = USE_PICTURE},
    {.name = "visual", .inside = "mujoco", .use = USE_PICTURE},
    {.name = "custom", .inside = "mujoco", .use = USE_OUTPUT},
    {.name = "sensor", .inside = "mujoco", .use = USE_OUTPUT},
    {.name = "extension", .inside = "mujoco", .use = USE_PHYSICS},
    {.name = "deformable", .inside = "mujoco", .use = USE_GROUP},
    {.name = "flex", .inside = "deformable", .use = USE_PHYSICS},
    {.name = "skin", .inside = "deformable asset", .use = USE_PICTURE},

    {.name = "asset", .inside = "mujoco", .use = USE_GROUP},
    {.name = "mesh", .inside = "asset", .use = USE_PICTURE},
    {.name = "hfield", .inside = "asset", .use = USE_PICTURE},
    {.name = "texture", .inside = "asset", .use = USE_PICTURE},
    {.name = "material", .inside = "asset", .use = USE_PICTURE},
    {.name = "model", .inside = "asset", .use = USE_SILENT}, // 'attach' is rejected

    {.name = "default", .inside = "mujoco default", .use = USE_READ, .read = "class"},
    {.name = "mesh", .inside = "default", .use = USE_SILENT},
    {.name = "material", .inside = "default", .use = USE_SILENT},
    {.name = "camera", .inside = "default", .use = USE_SILENT},
    {.name = "light", .inside = "default", .use = USE_SILENT},
    {.name = "pair", .inside = "default", .use = USE_SILENT},
    {.name = "equality",
     .inside = "default",
     .use = USE_READ,
     .read = "active",
     .soft = EQUALITY_SOFT},
    {.name = "tendon", .inside = "default", .use = USE_SILENT},

    {.name = "worldbody", .inside = "mujoco", .use = USE_READ},
    {.name = "body",
     .inside = "worldbody body",
     .use = USE_READ,
     .read = "name childclass pos mocap ut:fast" ORIENTATION,
     .physics = "gravcomp=0",
     .solver = "sleep simple",
     .other = "user"},
    {.name = "inertial",
     .inside = "body",
     .use = USE_READ,
     .read = "pos mass diaginertia fullinertia" ORIENTATION},
    {.name = "joint",
     .inside = "body default",
     .use = USE_READ,
     .read = "name class type pos axis range limited ref stiffness springref damping armature "
             "frictionloss",
     .physics = "springdamper=0,0 actuatorfrclimited=auto|false actuatorfrcrange=0,0 "
                "actuatorgravcomp=false margin=0",
     .soft = SOLREF("solreflimit") SOLIMP("solimplimit") SOLREF("solreffriction")
         SOLIMP("solimpfriction"),
     .other = "group user"},
    {.name = "freejoint",
     .inside = "body",
     .use = USE_READ,
     .read = "name",
     .physics = "align=auto|false",
     .other = "group"},
    {.name = "geom",
     .inside = "worldbody body default",
     .use = USE_READ,
     .read = "name class type contype conaffinity condim group priority size friction mass density "
             "margin fromto pos mesh hfield surfacevel ut:surfacevel ut:kinetic "
             "ut:restitution" ORIENTATION,
     .physics = "gap=0 adhesion=0 shellinertia=false fluidshape=none",
     .soft = "solmix=1" SOLREF("solref") SOLIMP("solimp"),
     .other = "material rgba user fitscale fluidcoef"},
    {.name = "site",
     .inside = "worldbody body default",
     .use = USE_READ,
     .read = "name class pos fromto" ORIENTATION,
     .other = "type group size material rgba user"},
    {.name = "camera", .inside = "worldbody body", .use = USE_PICTURE},
    {.name = "light", .inside = "worldbody body", .use = USE_PICTURE},
    {.name = "plugin", .inside = "body worldbody geom actuator", .use = USE_PHYSICS},
    {.name = "frame", .inside = "worldbody body", .use = USE_REJECTED},
    {.name = "replicate", .inside = "worldbody body", .use = USE_REJECTED},
    {.name = "attach", .inside = "worldbody body", .use = USE_REJECTED},
    {.name = "composite", .inside = "worldbody body", .use = USE_REJECTED},
    {.name = "flexcomp", .inside = "worldbody body", .use = USE_REJECTED},

    {.name = "contact", .inside = "mujoco", .use = USE_GROUP},
    {.name = "pair", .inside = "contact", .use = USE_PHYSICS},
    {.name = "exclude", .inside = "contact", .use = USE_READ, .read = "name body1 body2"},
    {.name = "equality", .inside = "mujoco", .use = USE_GROUP},
    {.name = "connect",
     .inside = "equality",
     .use = USE_READ,
     .read = "name class active body1 body2 anchor site1 site2",
     .soft = EQUALITY_SOFT},
    {.name = "weld",
     .inside = "equality",
     .use = USE_READ,
     .read = "name class active body1 body2 anchor relpose site1 site2",
     .soft = EQUALITY_SOFT " torquescale=1"},
    {.name = "joint", .inside = "equality", .use = USE_PHYSICS},
    {.name = "tendon", .inside = "equality", .use = USE_PHYSICS},
    {.name = "flex", .inside = "equality", .use = USE_PHYSICS},
    {.name = "flexvert", .inside = "equality", .use = USE_PHYSICS},
    {.name = "flexstrain", .inside = "equality", .use = USE_PHYSICS},
    {.name = "tendon", .inside = "mujoco", .use = USE_GROUP},
    {.name = "spatial", .inside = "tendon", .use = USE_PHYSICS},
    {.name = "fixed", .inside = "tendon", .use = USE_PHYSICS},

    {.name = "actuator", .inside = "mujoco", .use = USE_GROUP},
    {.name = "motor",
     .inside = "actuator default",
     .use = USE_READ,
     .read = ACTUATOR,
     .physics = ACTUATOR_PHYSICS,
     .other = "group user lengthrange"},
    {.name = "position",
     .inside = "actuator default",
     .use = USE_READ,
     .read = ACTUATOR " kp kv inheritrange",
     .physics = ACTUATOR_PHYSICS " dampratio=0 timeconst=0 input",
     .other = "group user lengthrange"},
    {.name = "general", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "velocity", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "intvelocity", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "orientation", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "pid", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "damper", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "cylinder", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "muscle", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "adhesion", .inside = "actuator default", .use = USE_PHYSICS},
    {.name = "dcmotor", .inside = "actuator default", .use = USE_PHYSICS},

    {.name = "keyframe", .inside = "mujoco", .use = USE_GROUP},
    {.name = "key",
     .inside = "keyframe",
     .use = USE_READ,
     .read = "name time qpos qvel ctrl mpos mquat",
     .physics = "act"},

    {.name = "ut:contact",
     .inside = "mujoco",
     .use = USE_READ,
     .read = "formulation solver directions tolerance relinearize=0 coordinates regularization=0 "
             "relaxation=0 "
             "scale_dt=false rho=0 mixed=false evaluate=start minnorm=false "
             "bounce impact simultaneous detection"},
    {.name = "ut:run", .inside = "mujoco", .use = USE_READ, .read = "time dt"},
    {.name = "ut:point", .inside = "mujoco", .use = USE_READ, .read = "site geom face friction"},
    {.name = "ut:motion", .inside = "mujoco", .use = USE_READ, .read = "body x y z rx ry rz"},
    {.name = "ut:spring",
     .inside = "mujoco",
     .use = USE_READ,
     .read = "name site1 site2 stiffness length damping mode"},
};

enum { RULES = sizeof rules / sizeof rules[0] };

// ---- elements -----------------------------------------------------------------------------------

static const Rule* find_rule(const char* name, const char* parent)
{
    for (int i = 0; i < RULES; i++) {
        if (strcmp(rules[i].name, name) == 0 && ut_word_in(rules[i].inside, parent)) {
            return &rules[i];
        }
    }
    return NULL;
}

static bool is_element(const char* name)
{
    for (int i = 0; i < RULES; i++) {
        if (strcmp(rules[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static utStatus unknown_element(Mjcf* m, const XmlNode* node)
{
    const char* parent = node->parent->name;
    if (is_element(node->name)) {
        return ut_mjcf_fail(m, node, "'%.40s' is not allowed inside '%.40s'", node->name, parent);
    }
    Nearest nearest = ut_nearest_to(node->name);
    for (int i = 0; i < RULES; i++) {
        if (ut_word_in(rules[i].inside, parent)) {
            ut_nearest_try(&nearest, (utText){rules[i].name, strlen(rules[i].name)});
        }
    }
    if (nearest.word[0] != 0) {
        return ut_mjcf_fail(m, node, "unknown element '%.40s' inside '%.40s'; did you mean '%s'?",
                            node->name, parent, nearest.word);
    }
    return ut_mjcf_fail(m, node, "unknown element '%.60s' inside '%.40s'", node->name, parent);
}

static utStatus check_root(Mjcf* m, XmlNode* root)
{
    if (strcmp(root->name, "robot") == 0) {
        return ut_mjcf_fail(m, root,
                            "this is URDF, which is not supported yet; convert it to MJCF");
    }
    if (strcmp(root->name, "mujoco") != 0) {
        return ut_mjcf_fail(
            m, root, "the outermost element is '%.60s'; an MJCF model is a 'mujoco'", root->name);
    }
    root->rule = &rules[0];
    return UT_OK;
}

// ---- attributes ---------------------------------------------------------------------------------

// Find a name in a list whose words may be `name=value`. @param neutral receives the value, "" for
// none
static bool find_attribute(const char* list, const char* name, utText* neutral)
{
    const size_t size = strlen(name);
    utText word;
    while (list != NULL && ut_word_next(&list, &word)) {
        if (word.size >= size && memcmp(word.data, name, size) == 0 &&
            (word.size == size || word.data[size] == '=')) {
            const size_t skip = word.size == size ? size : size + 1;
            *neutral = (utText){word.data + skip, word.size - skip};
            return true;
        }
    }
    return false;
}

// Do the words of `value` equal the words from `begin` to `end`, which commas separate? Numbers are
// compared by value, and the last ones may be missing.
static bool equals(const char* value, const char* begin, const char* end)
{
    utText word;
    bool any = false;
    while (ut_word_next(&value, &word)) {
        if (begin >= end) {
            return false;
        }
        const char* comma = memchr(begin, ',', (size_t)(end - begin));
        const char* cut = comma != NULL ? comma : end;
        double x, y;
        const char* behind = ut_number_read(word.data, word.data + word.size, &x);
        if (behind == word.data + word.size && ut_number_read(begin, cut, &y) == cut) {
            if (x != y) {
                return false;
            }
        } else if (word.size != (size_t)(cut - begin) || memcmp(word.data, begin, word.size) != 0) {
            return false;
        }
        begin = comma != NULL ? comma + 1 : end;
        any = true;
    }
    return any;
}

static bool is_neutral(const char* value, utText neutral)
{
    const char* begin = neutral.data;
    const char* end = neutral.data + neutral.size;
    while (begin < end) {
        const char* bar = memchr(begin, '|', (size_t)(end - begin));
        const char* cut = bar != NULL ? bar : end;
        if (equals(value, begin, cut)) {
            return true;
        }
        begin = bar != NULL ? bar + 1 : end;
    }
    return false;
}

typedef struct AttributeList {
    const char* names;
    bool physics;
    bool missing;
    const char* why;
} AttributeList;

enum { LISTS = 5 };

static void lists_of(const Rule* rule, AttributeList list[LISTS])
{
    list[0] = (AttributeList){rule->read, false, false, NULL};
    list[1] = (AttributeList){rule->physics, true, true, "not supported"};
    list[2] = (AttributeList){rule->soft, true, false,
                              "softness is not supported: contacts and limits are hard"};
    list[3] =
        (AttributeList){rule->solver, false, false, "not applicable to a hard-contact solver"};
    list[4] = (AttributeList){rule->other, false, false, "for viewers and other programs"};
}

static utStatus unknown_attribute(Mjcf* m, const XmlNode* node, XmlAttribute* a)
{
    AttributeList list[LISTS];
    lists_of(node->rule, list);
    Nearest nearest = ut_nearest_to(a->name);
    for (int i = 0; i < LISTS; i++) {
        utText word;
        const char* names = list[i].names;
        while (names != NULL && ut_word_next(&names, &word)) {
            const char* equals = memchr(word.data, '=', word.size);
            word.size = equals != NULL ? (size_t)(equals - word.data) : word.size;
            ut_nearest_try(&nearest, word);
        }
    }
    const MjcfFound found = {node, a};
    if (nearest.word[0] != 0) {
        return ut_mjcf_fail_at(m, found, 0, "unknown attribute '%.40s' of %s; did you mean '%s'?",
                               a->name, node->name, nearest.word);
    }
    return ut_mjcf_fail_at(m, found, 0, "unknown attribute '%.60s' of %s", a->name, node->name);
}

static bool not_allowed_in_default(const XmlNode* node, const char* name)
{
    return strcmp(node->parent->name, "default") == 0 && strcmp(node->name, "default") != 0 &&
           (strcmp(name, "name") == 0 || strcmp(name, "class") == 0 || strcmp(name, "joint") == 0);
}

static utStatus check_attribute(Mjcf* m, const XmlNode* node, XmlAttribute* a)
{
    char what[2 * WORD_SIZE + 2];
    if (a->name[0] == '{') {
        snprintf(what, sizeof what, "%.40s.(other namespace)", node->name);
        return ut_mjcf_note(m, node, a, false, what, "for other programs");
    }
    if (node->parent != NULL && not_allowed_in_default(node, a->name)) {
        return ut_mjcf_fail_at(m, (MjcfFound){node, a}, 0, "'%s' is not allowed in a default",
                               a->name);
    }
    AttributeList list[LISTS];
    lists_of(node->rule, list);
    for (int i = 0; i < LISTS; i++) {
        utText neutral;
        if (find_attribute(list[i].names, a->name, &neutral)) {
            if (list[i].why == NULL || is_neutral(a->value, neutral)) {
                return UT_OK;
            }
            snprintf(what, sizeof what, "%.40s.%.40s", node->name, a->name);
            return list[i].missing ? ut_mjcf_note_missing(m, node, a, what, list[i].why)
                                   : ut_mjcf_note(m, node, a, list[i].physics, what, list[i].why);
        }
    }
    return unknown_attribute(m, node, a);
}

// ---- the tree -----------------------------------------------------------------------------------

// Write the name of an element for a note, with its section where it has one: "equality/joint".
static void name_element(const XmlNode* node, char* what, size_t size)
{
    const char* parent = node->parent->name;
    const bool plain = strcmp(parent, "mujoco") == 0 || strcmp(parent, "body") == 0 ||
                       strcmp(parent, "worldbody") == 0;
    snprintf(what, size, "%.40s%s%.40s", plain ? "" : parent, plain ? "" : "/", node->name);
}

static utStatus check_element(Mjcf* m, XmlNode* node)
{
    const Rule* rule = find_rule(node->name, node->parent->name);
    if (rule == NULL) {
        return unknown_element(m, node);
    }
    node->rule = rule;
    char what[2 * WORD_SIZE + 2];
    name_element(node, what, sizeof what);
    switch (rule->use) {
    case USE_PHYSICS:
        return ut_mjcf_note_missing(m, node, NULL, what, "not supported");
    case USE_PICTURE:
        return ut_mjcf_note(m, node, NULL, false, what, "for viewers");
    case USE_OUTPUT:
        return ut_mjcf_note(m, node, NULL, false, what, "for other programs");
    case USE_REJECTED:
        return ut_mjcf_fail(m, node,
                            "'%s' is not supported yet; replace it by the elements it generates",
                            node->name);
    default:
        return UT_OK;
    }
}

static bool has_checked_contents(const XmlNode* node)
{
    const Use use = ((const Rule*)node->rule)->use;
    return use == USE_READ || use == USE_GROUP;
}

// Reject a second element where MJCF allows only one.
static utStatus check_single(Mjcf* m, const XmlNode* node)
{
    const bool in_default = node->parent != NULL && strcmp(node->parent->name, "default") == 0 &&
                            strcmp(node->name, "default") != 0;
    if (!in_default && !ut_word_in("inertial flag", node->name)) {
        return UT_OK;
    }
    for (const XmlNode* n = node->parent->first; n != node; n = n->next) {
        if (strcmp(n->name, node->name) == 0) {
            return ut_mjcf_fail(m, node, "a second '%s' in one '%s'; the first is in line %d",
                                node->name, node->parent->name, n->line);
        }
    }
    return UT_OK;
}

utStatus ut_mjcf_check(Mjcf* m)
{
    UT_TRY(check_root(m, m->root));
    for (XmlNode* n = m->root; n != NULL;) {
        if (n != m->root) {
            UT_TRY(check_element(m, n));
            UT_TRY(check_single(m, n));
        }
        if (!has_checked_contents(n)) {
            n->first = n->last = NULL; // so that later parts do not read its contents
            n = ut_xml_skip(n, m->root);
            continue;
        }
        for (int i = 0; i < n->attributes; i++) {
            UT_TRY(check_attribute(m, n, &n->attribute[i]));
        }
        if (n->text != NULL) {
            UT_TRY(ut_mjcf_note(m, n, NULL, false, "text between elements", "ignored"));
        }
        n = ut_xml_next(n, m->root);
    }
    return UT_OK;
}
