// SPDX-License-Identifier: Apache-2.0
// Names of elements and numbers in messages.
#include "internal.h"

#include <stdio.h>
#include <string.h>

#include "base/internal.h"

Label ut_model_label(const char* what, const char* name, int index)
{
    Label label;
    if (name != NULL && name[0] != 0) {
        const size_t room = sizeof label.text - strlen(what) - 7;
        const size_t size = strlen(name);
        const size_t shown = ut_utf8_fit(name, size, room);
        snprintf(label.text, sizeof label.text, "%s '%.*s%s'", what, (int)shown, name,
                 shown < size ? "..." : "");
    } else {
        snprintf(label.text, sizeof label.text, "%s #%d", what, index);
    }
    return label;
}

Label ut_model_body_label(const utModelDef* def, int body)
{
    return ut_model_label("body", ut_model_body_def(def, body)->name, body);
}

Label ut_model_joint_label(const utModelDef* def, int joint)
{
    return ut_model_label("joint", ut_model_joint_def(def, joint)->name, joint);
}

Label ut_model_mesh_label(const utModelDef* def, int mesh)
{
    return ut_model_label("mesh", ut_model_mesh_def(def, mesh)->name, mesh);
}

Label ut_model_heights_label(const utModelDef* def, int heights)
{
    return ut_model_label("height field", ut_model_heights_def(def, heights)->name, heights);
}

Label ut_model_geom_label(const utModelDef* def, int geom)
{
    return ut_model_label("geom", ut_model_geom_def(def, geom)->name, geom);
}

Label ut_model_site_label(const utModelDef* def, int site)
{
    return ut_model_label("site", ut_model_site_def(def, site)->name, site);
}

Label ut_model_tendon_label(const utModelDef* def, int tendon)
{
    return ut_model_label("tendon", ut_model_tendon_def(def, tendon)->name, tendon);
}

Label ut_model_actuator_label(const utModelDef* def, int actuator)
{
    return ut_model_label("actuator", ut_model_actuator_def(def, actuator)->name, actuator);
}

Label ut_model_equality_label(const utModelDef* def, int equality)
{
    return ut_model_label("equality", ut_model_equality_def(def, equality)->name, equality);
}

Label ut_model_pair_label(const utModelDef* def, int pair)
{
    return ut_model_label("pair", ut_model_pair_def(def, pair)->name, pair);
}

Label ut_model_keyframe_label(const utModelDef* def, int keyframe)
{
    return ut_model_label("keyframe", ut_model_keyframe_def(def, keyframe)->name, keyframe);
}

Label ut_model_sensor_label(const utModelDef* def, int sensor)
{
    return ut_model_label("sensor", ut_model_sensor_def(def, sensor)->name, sensor);
}

NumberText ut_model_number(double value)
{
    NumberText number;
    ut_number_write_short(value, number.text);
    return number;
}
