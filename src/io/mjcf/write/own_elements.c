// SPDX-License-Identifier: Apache-2.0
// Elements of the namespace ut: explicit contacts, prescribed motions, springs between sites.
#include "writer.h"

#include <string.h>

static void write_point(Writer* w, const utPointDef* p)
{
    ut_write_open(w, "ut:point");
    ut_write_site(w, "site", p->site);
    ut_write_geom(w, "geom", p->geom);
    if (p->face != UT_FACE_PLANE) {
        ut_write_text(w, "face", ut_face_name(p->face));
    }
    if (p->friction >= 0.0) {
        ut_write_number(w, "friction", p->friction);
    }
    ut_write_close(w);
}

static void write_motion(Writer* w, const utMotionDef* m)
{
    static const char* const names[6] = {"x", "y", "z", "rx", "ry", "rz"};
    if (strcmp(m->sequence, w->parts->motion[0].sequence) != 0) {
        ut_write_leave_out(w, "ut:motion", "its angles have another order than those of the first");
        return;
    }
    ut_write_open(w, "ut:motion");
    ut_write_body(w, "body", m->body);
    for (int k = 0; k < 6; k++) {
        if (m->expression[k] != NULL) {
            ut_write_text(w, names[k], m->expression[k]);
        }
    }
    ut_write_close(w);
}

static void write_spring(Writer* w, const utSpringDef* s)
{
    ut_write_open(w, "ut:spring");
    ut_write_name(w, s->name);
    ut_write_site(w, "site1", s->site1);
    ut_write_site(w, "site2", s->site2);
    ut_write_number(w, "stiffness", s->stiffness);
    ut_write_number(w, "length", s->length);
    ut_write_number(w, "damping", s->damping);
    if (s->full) {
        ut_write_text(w, "mode", "full");
    }
    ut_write_close(w);
}

static void leave_out_all(Writer* w)
{
    static const char why[] = "an element of ut:; put it into a second file that includes this one";
    const struct {
        const char* what;
        int count;
    } kinds[] = {{"ut:point", w->parts->points},
                 {"ut:motion", w->parts->motions},
                 {"ut:spring", w->parts->springs}};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < kinds[k].count; i++) {
            ut_write_leave_out(w, kinds[k].what, why);
        }
    }
}

void ut_write_points_motions_springs(Writer* w)
{
    if (w->how->plain) {
        leave_out_all(w);
        return;
    }
    for (int i = 0; i < w->parts->points; i++) {
        write_point(w, &w->parts->point[i]);
    }
    for (int i = 0; i < w->parts->motions; i++) {
        write_motion(w, &w->parts->motion[i]);
    }
    for (int i = 0; i < w->parts->springs; i++) {
        write_spring(w, &w->parts->spring[i]);
    }
}
