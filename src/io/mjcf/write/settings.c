// SPDX-License-Identifier: Apache-2.0
// Options of the model: those of MJCF, and those of ut:contact and ut:run.
#include <string.h>

#include "writer.h"

// ---- option -------------------------------------------------------------------------------------

static void write_option(Writer* w)
{
    const utOptions* o = w->parts->options;
    ut_write_open(w, "option");
    ut_write_number(w, "timestep", o->dt);
    ut_write_vec3(w, "gravity", o->gravity);
    const utVec3 field = ut_vec3_sub(o->magnetic, ut_options().magnetic);
    if (ut_vec3_norm(field) > 0.0) {
        ut_write_vec3(w, "magnetic", o->magnetic);
    }
    if (o->integrator == UT_INTEGRATOR_MIDPOINT) {
        ut_write_own(w, "option", "integrator", "integrator", "midpoint");
    } else {
        ut_write_text(w, "integrator", ut_integrator_name(o->integrator));
    }
    if (o->planar != UT_PLANAR_NONE) {
        ut_write_own(w, "option", "planar", "planar", ut_planar_name(o->planar));
    }
    if (!o->parents_collide) {
        ut_write_close(w);
        return;
    }
    ut_write_begin(w);
    ut_write_open(w, "flag");
    ut_write_text(w, "filterparent", "disable");
    ut_write_close(w);
    ut_write_end(w, "option");
}

// ---- ut:contact and ut:run ----------------------------------------------------------------------

// A setting of ut:contact. @param set its name for ut_model_def_set
static void write_setting(Writer* w, const char* attribute, const char* set, const char* value)
{
    if (w->how->plain) {
        ut_write_own(w, "option", set, set, value);
    } else {
        ut_write_text(w, attribute, value);
    }
}

static void write_setting_number(Writer* w, const char* attribute, double value, double standard)
{
    char text[UT_NUMBER_SIZE];
    if (value != standard) {
        text[ut_number_write_short(value, text)] = 0;
        write_setting(w, attribute, attribute, text);
    }
}

static void write_setting_flag(Writer* w, const char* attribute, bool value)
{
    if (value) {
        write_setting(w, attribute, attribute, "true");
    }
}

static void write_impacts(Writer* w, const utOptions* o, const utOptions* standard)
{
    static const char* const laws[] = {"newton", "poisson", "stronge"};
    write_setting_number(w, "bounce", o->bounce, standard->bounce);
    if (o->impact >= 0 && o->impact < 3) {
        write_setting(w, "impact", "impact", laws[o->impact]);
    }
    if (o->simultaneous >= 0) {
        write_setting(w, "simultaneous", "simultaneous",
                      ut_simultaneous_name((utSimultaneous)o->simultaneous));
    }
    if (o->detection != standard->detection) {
        write_setting(w, "detection", "detection", ut_detection_name(o->detection));
    }
}

static void write_settings(Writer* w, const utOptions* o, const utOptions* standard)
{
    if (o->formulation >= 0) {
        write_setting(w, "formulation", "formulation",
                      ut_formulation_name((utFormulation)o->formulation));
    }
    if (strcmp(o->solver, standard->solver) != 0) {
        write_setting(w, "solver", "solver", o->solver);
    }
    if (o->coordinates != standard->coordinates) {
        write_setting(w, "coordinates", "coordinates", ut_coordinates_name(o->coordinates));
    }
    write_setting_number(w, "tolerance", o->tolerance, standard->tolerance);
    write_setting_number(w, "directions", o->directions, standard->directions);
    write_setting_number(w, "relinearize", o->relinearize, standard->relinearize);
    write_setting_number(w, "regularization", o->regularization, standard->regularization);
    write_setting_number(w, "relaxation", o->relaxation, standard->relaxation);
    write_setting_number(w, "rho", o->rho, standard->rho);
    write_setting_flag(w, "scale_dt", o->scale_dt);
    write_setting_flag(w, "mixed", o->mixed);
    write_setting_flag(w, "minnorm", o->minnorm);
    if (o->midpoint) {
        write_setting(w, "evaluate", "midpoint", w->how->plain ? "true" : "midpoint");
    }
    write_impacts(w, o, standard);
}

void ut_write_options(Writer* w)
{
    const utOptions* o = w->parts->options;
    const utOptions standard = ut_options();
    write_option(w);
    if (w->how->plain) {
        write_settings(w, o, &standard);
        write_setting_number(w, "time", o->time, standard.time);
        return;
    }
    const size_t before = w->out.used;
    ut_write_open(w, "ut:contact");
    const size_t empty = w->out.used;
    write_settings(w, o, &standard);
    if (w->out.used > empty) {
        ut_write_close(w);
    } else {
        w->out.used = before; // nothing differs from the defaults
    }
    if (o->time != standard.time) {
        ut_write_open(w, "ut:run");
        ut_write_number(w, "time", o->time);
        ut_write_close(w);
    }
}
