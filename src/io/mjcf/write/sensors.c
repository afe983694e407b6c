// SPDX-License-Identifier: Apache-2.0
// Sensors. The attributes that name the object depend on the kind of sensor.
#include <string.h>

#include "writer.h"

// The word of objtype and reftype.
static const char* object_type(utObjectKind kind)
{
    switch (kind) {
    case UT_OBJECT_BODY:
        return "body";
    case UT_OBJECT_FRAME:
        return "xbody";
    case UT_OBJECT_GEOM:
        return "geom";
    default:
        return "site";
    }
}

static void write_object(Writer* w, const char* attribute, utObjectKind kind, int index)
{
    switch (kind) {
    case UT_OBJECT_BODY:
    case UT_OBJECT_FRAME:
        ut_write_body(w, attribute, index);
        break;
    case UT_OBJECT_GEOM:
        ut_write_geom(w, attribute, index);
        break;
    case UT_OBJECT_SITE:
        ut_write_site(w, attribute, index);
        break;
    case UT_OBJECT_JOINT:
        ut_write_joint(w, attribute, index);
        break;
    case UT_OBJECT_ACTUATOR:
        ut_write_actuator_name(w, attribute, index);
        break;
    case UT_OBJECT_TENDON:
        ut_write_tendon_name(w, attribute, index);
        break;
    default:
        break;
    }
}

static void write_frame_object(Writer* w, const utSensorDef* s)
{
    ut_write_text(w, "objtype", object_type(s->object));
    write_object(w, "objname", s->object, s->index);
}

static void write_references(Writer* w, const utSensorDef* s, const char* element)
{
    const bool geom1 = s->object == UT_OBJECT_GEOM, geom2 = s->reference == UT_OBJECT_GEOM;
    switch (s->kind) {
    case UT_SENSOR_INSIDE_SITE:
        write_frame_object(w, s);
        ut_write_site(w, "site", s->reference_index);
        return;
    case UT_SENSOR_DISTANCE:
    case UT_SENSOR_NORMAL:
    case UT_SENSOR_FROM_TO:
        write_object(w, geom1 ? "geom1" : "body1", s->object, s->index);
        write_object(w, geom2 ? "geom2" : "body2", s->reference, s->reference_index);
        return;
    default:
        break;
    }
    if (strncmp(element, "frame", 5) == 0) {
        write_frame_object(w, s);
        if (s->reference != UT_OBJECT_NONE) {
            ut_write_text(w, "reftype", object_type(s->reference));
            write_object(w, "refname", s->reference, s->reference_index);
        }
        return;
    }
    static const char* const attribute[UT_OBJECT_KIND_COUNT] = {
        [UT_OBJECT_BODY] = "body",     [UT_OBJECT_FRAME] = "body",
        [UT_OBJECT_GEOM] = "geom",     [UT_OBJECT_SITE] = "site",
        [UT_OBJECT_JOINT] = "joint",   [UT_OBJECT_ACTUATOR] = "actuator",
        [UT_OBJECT_TENDON] = "tendon",
    };
    if (attribute[s->object] != NULL) {
        write_object(w, attribute[s->object], s->object, s->index);
    }
}

void ut_write_sensors(Writer* w)
{
    if (w->parts->sensors == 0) {
        return;
    }
    ut_write_open(w, "sensor");
    ut_write_begin(w);
    for (int i = 0; i < w->parts->sensors; i++) {
        const utSensorDef* s = &w->parts->sensor[i];
        const char* element = ut_sensor_traits(s->kind).name;
        if (s->object == UT_OBJECT_EQUALITY) {
            ut_write_leave_out(w, "sensor of an equality",
                               "maximal coordinates; write the model in joint coordinates");
            continue;
        }
        ut_write_open(w, element);
        ut_write_name(w, s->name);
        write_references(w, s, element);
        ut_write_number_unless(w, "cutoff", s->cutoff, 0.0);
        ut_write_close(w);
    }
    ut_write_end(w, "sensor");
}
