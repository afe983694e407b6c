// SPDX-License-Identifier: Apache-2.0
// Sensors. Kinds that uptack does not have are noted by schema.c, and so are sensors of things that
// the model lacks. A sensor has no effect on the motion, so that none of them is a missing part.
#include "io/internal.h"

#include <string.h>

// One sensor while it is read.
typedef struct Reading {
    MjcfPlace place;
    utSensorDef def;
    const char* lacks; // why the sensor is left out; NULL: it is not
} Reading;

// ---- references ---------------------------------------------------------------------------------

// Is there an element of this name in a section, although the model does not have it?
static bool is_in_file(const Mjcf* m, const char* section, const char* name)
{
    for (const XmlNode* n = ut_mjcf_first_of(m, section); n != NULL; n = ut_mjcf_next_of(m, n)) {
        const XmlAttribute* a = ut_xml_attribute(n, "name");
        if (a != NULL && strcmp(a->value, name) == 0) {
            return true;
        }
    }
    return false;
}

// The actuators of the description are those of the file without the unsupported ones.
static utStatus find_actuator(Reading* r)
{
    Mjcf* m = r->place.m;
    const XmlAttribute* a = ut_xml_attribute(r->place.node, "actuator");
    const int found = a != NULL ? ut_names_find(&m->names.actuator, a->value) : -1;
    if (a != NULL &&
        (found >= 0 ? m->parts.actuator[found].unsupported : is_in_file(m, "actuator", a->value))) {
        r->lacks = "left out: its actuator is not supported";
        return UT_OK;
    }
    UT_TRY(ut_mjcf_get_reference(&r->place, "actuator", "actuator", &m->names.actuator,
                                 &r->def.index));
    int before = 0;
    for (int i = 0; i < r->def.index; i++) {
        before += !m->parts.actuator[i].unsupported;
    }
    r->def.object = UT_OBJECT_ACTUATOR;
    r->def.index = before;
    return UT_OK;
}

static utStatus find_tendon(Reading* r)
{
    Mjcf* m = r->place.m;
    const XmlAttribute* a = ut_xml_attribute(r->place.node, "tendon");
    if (a != NULL && ut_names_find(&m->names.tendon, a->value) < 0 &&
        is_in_file(m, "tendon", a->value)) {
        r->lacks = "left out: its tendon is not supported";
        return UT_OK;
    }
    r->def.object = UT_OBJECT_TENDON;
    return ut_mjcf_get_reference(&r->place, "tendon", "tendon", &m->names.tendon, &r->def.index);
}

// Find an object of the kind that `type` says. @param type, name attributes
static utStatus find_object(Reading* r, const char* type, const char* name, utObjectKind* kind,
                            int* index)
{
    static const utObjectKind kinds[] = {UT_OBJECT_BODY, UT_OBJECT_FRAME, UT_OBJECT_GEOM,
                                         UT_OBJECT_SITE, UT_OBJECT_NONE};
    enum { CAMERA = 4 };
    Mjcf* m = r->place.m;
    const XmlNode* node = r->place.node;
    int which = -1;
    UT_TRY(ut_mjcf_get_word(&r->place, type, "body xbody geom site camera", &which));
    if (which < 0) {
        return ut_mjcf_fail(m, node, "%s needs the attribute %s", node->name, type);
    }
    if (which == CAMERA) {
        r->lacks = "left out: cameras are not supported";
        return UT_OK;
    }
    const Names* names = which == 2 ? &m->names.geom : which == 3 ? &m->names.site : &m->names.body;
    *kind = kinds[which];
    return ut_mjcf_get_reference(&r->place, name,
                                 which == 2   ? "geom"
                                 : which == 3 ? "site"
                                              : "body",
                                 names, index);
}

// The geom or body of one side of a distance. @param geom, body attributes
static utStatus find_side(Reading* r, const char* geom, const char* body, utObjectKind* kind,
                          int* index)
{
    Mjcf* m = r->place.m;
    const bool has_geom = ut_xml_attribute(r->place.node, geom) != NULL;
    if (has_geom == (ut_xml_attribute(r->place.node, body) != NULL)) {
        return ut_mjcf_fail(m, r->place.node, "%s needs one of the attributes %s and %s",
                            r->place.node->name, geom, body);
    }
    *kind = has_geom ? UT_OBJECT_GEOM : UT_OBJECT_BODY;
    return has_geom ? ut_mjcf_get_reference(&r->place, geom, "geom", &m->names.geom, index)
                    : ut_mjcf_get_reference(&r->place, body, "body", &m->names.body, index);
}

static utStatus find_joint(Reading* r)
{
    Mjcf* m = r->place.m;
    r->def.object = UT_OBJECT_JOINT;
    return ut_mjcf_get_reference(&r->place, "joint", "joint", &m->names.joint, &r->def.index);
}

static utStatus find_site(Reading* r, utObjectKind* kind, int* index)
{
    Mjcf* m = r->place.m;
    if (ut_xml_attribute(r->place.node, "camera") != NULL) {
        r->lacks = "left out: cameras are not supported";
        return UT_OK;
    }
    *kind = UT_OBJECT_SITE;
    return ut_mjcf_get_reference(&r->place, "site", "site", &m->names.site, index);
}

// An orientation of the kind `body` is that of the principal axes of inertia in MuJoCo.
static utStatus note_axes(Reading* r)
{
    const utSensorDef* def = &r->def;
    const bool turns = def->kind == UT_SENSOR_FRAME_QUATERNION ||
                       def->kind == UT_SENSOR_FRAME_X_AXIS || def->kind == UT_SENSOR_FRAME_Y_AXIS ||
                       def->kind == UT_SENSOR_FRAME_Z_AXIS;
    const bool object = turns && def->object == UT_OBJECT_BODY;
    if (!object && def->reference != UT_OBJECT_BODY) {
        return UT_OK;
    }
    return ut_mjcf_note(r->place.m, r->place.node,
                        ut_xml_attribute(r->place.node, object ? "objtype" : "reftype"), false,
                        object ? "sensor.objtype" : "sensor.reftype",
                        "'body' has the axes of the body's frame, not its principal axes of "
                        "inertia");
}

static utStatus find_frame(Reading* r)
{
    const XmlNode* node = r->place.node;
    UT_TRY(find_object(r, "objtype", "objname", &r->def.object, &r->def.index));
    if (ut_xml_attribute(node, "reftype") != NULL || ut_xml_attribute(node, "refname") != NULL) {
        UT_TRY(find_object(r, "reftype", "refname", &r->def.reference, &r->def.reference_index));
    }
    return r->lacks == NULL ? note_axes(r) : UT_OK;
}

static utStatus find_references(Reading* r)
{
    const XmlNode* node = r->place.node;
    Mjcf* m = r->place.m;
    utSensorDef* def = &r->def;
    switch (def->kind) {
    case UT_SENSOR_TOUCH:
    case UT_SENSOR_ACCELEROMETER:
    case UT_SENSOR_VELOCIMETER:
    case UT_SENSOR_GYRO:
    case UT_SENSOR_FORCE:
    case UT_SENSOR_TORQUE:
    case UT_SENSOR_MAGNETOMETER:
    case UT_SENSOR_RANGEFINDER:
        if (ut_xml_attribute(node, "data") != NULL &&
            strcmp(ut_xml_attribute(node, "data")->value, "dist") != 0) {
            r->lacks = "left out: its data are not the distance alone";
            return UT_OK;
        }
        return find_site(r, &def->object, &def->index);
    case UT_SENSOR_INSIDE_SITE:
        UT_TRY(find_site(r, &def->reference, &def->reference_index));
        return find_object(r, "objtype", "objname", &def->object, &def->index);
    case UT_SENSOR_ACTUATOR_POSITION:
    case UT_SENSOR_ACTUATOR_VELOCITY:
    case UT_SENSOR_ACTUATOR_FORCE:
        return find_actuator(r);
    case UT_SENSOR_SUBTREE_COM:
    case UT_SENSOR_SUBTREE_LINEAR_VELOCITY:
    case UT_SENSOR_SUBTREE_ANGULAR_MOMENTUM:
        def->object = UT_OBJECT_BODY;
        return ut_mjcf_get_reference(&r->place, "body", "body", &m->names.body, &def->index);
    case UT_SENSOR_DISTANCE:
    case UT_SENSOR_NORMAL:
    case UT_SENSOR_FROM_TO:
        UT_TRY(find_side(r, "geom1", "body1", &def->object, &def->index));
        return find_side(r, "geom2", "body2", &def->reference, &def->reference_index);
    case UT_SENSOR_POTENTIAL_ENERGY:
    case UT_SENSOR_KINETIC_ENERGY:
    case UT_SENSOR_CLOCK:
        return UT_OK;
    default:
        return strncmp(node->name, "frame", 5) == 0    ? find_frame(r)
               : strncmp(node->name, "tendon", 6) == 0 ? find_tendon(r)
                                                       : find_joint(r);
    }
}

// ---- sensors ------------------------------------------------------------------------------------

static utSensorKind kind_of(const char* name)
{
    int kind = 0;
    while (kind < UT_SENSOR_KIND_COUNT &&
           strcmp(ut_sensor_traits((utSensorKind)kind).name, name) != 0) {
        kind++;
    }
    return (utSensorKind)kind;
}

static utStatus read_sensor(Mjcf* m, const XmlNode* node)
{
    const utSensorKind kind = kind_of(node->name);
    if (kind == UT_SENSOR_KIND_COUNT) {
        return UT_OK; // schema.c has noted it
    }
    Reading r = {.def = ut_sensor_def(kind, UT_OBJECT_NONE, 0)};
    r.def.origin = ut_mjcf_origin(node);
    UT_TRY(ut_mjcf_place(m, node, NULL, &r.place));
    UT_TRY(ut_mjcf_get_name(&r.place, &m->names.sensor, m->parts.sensors, &r.def.name));
    UT_TRY(ut_mjcf_get_not_negative(&r.place, "cutoff", &r.def.cutoff));
    UT_TRY(find_references(&r));
    if (r.lacks != NULL) {
        char what[WORD_SIZE] = "sensor/";
        strncat(what, node->name, sizeof what - sizeof "sensor/");
        return ut_mjcf_note(m, node, NULL, false, what, r.lacks);
    }
    m->parts.sensor[m->parts.sensors++] = r.def;
    return UT_OK;
}

utStatus ut_mjcf_sensors(Mjcf* m)
{
    int count = 0;
    for (XmlNode* n = ut_mjcf_first_of(m, "sensor"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        count++;
    }
    m->parts.sensor = UT_PUSH(&m->memory, utSensorDef, count);
    if (m->parts.sensor == NULL) {
        return ut_mjcf_no_memory(m);
    }
    for (XmlNode* n = ut_mjcf_first_of(m, "sensor"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        UT_TRY(read_sensor(m, n));
    }
    return UT_OK;
}
