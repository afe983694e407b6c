// SPDX-License-Identifier: Apache-2.0
// Actuators and keyframes.
#include "writer.h"

// ---- actuators ----------------------------------------------------------------------------------

static void write_transmission(Writer* w, const utActuatorDef* a)
{
    if (a->tendon >= 0) {
        ut_write_tendon_name(w, "tendon", a->tendon);
    } else if (a->site >= 0) {
        ut_write_site(w, "site", a->site);
        if (a->ref_site >= 0) {
            ut_write_site(w, "refsite", a->ref_site);
        }
    } else if (a->crank_site >= 0) {
        ut_write_site(w, "cranksite", a->crank_site);
        ut_write_site(w, "slidersite", a->slider_site);
        ut_write_number(w, "cranklength", a->crank_length);
    } else {
        ut_write_joint(w, a->in_parent ? "jointinparent" : "joint", a->joint);
    }
    const double* more = a->more_gear;
    const double gear[6] = {a->gear, more[0], more[1], more[2], more[3], more[4]};
    int count = 6;
    while (count > 1 && gear[count - 1] == 0.0) {
        count--;
    }
    ut_write_numbers(w, "gear", count, gear);
}

static void write_general(Writer* w, const utActuatorDef* a)
{
    static const char* const dynamics[UT_DYNAMICS_COUNT] = {"none", "integrator", "filter",
                                                            "filterexact"};
    const bool affine = a->gain[1] != 0.0 || a->gain[2] != 0.0;
    const bool biased = a->bias[0] != 0.0 || a->bias[1] != 0.0 || a->bias[2] != 0.0;
    double bias[3] = {a->bias[0], a->bias[1], a->bias[2]};
    if (a->dampratio > 0.0) {
        bias[2] = a->dampratio; // as MJCF has it: a positive number is a damping ratio
    }
    ut_write_text(w, "dyntype", dynamics[a->dynamics]);
    if (a->dynamics == UT_DYNAMICS_FILTER || a->dynamics == UT_DYNAMICS_FILTER_EXACT) {
        ut_write_number(w, "dynprm", a->time_constant);
    }
    ut_write_text(w, "gaintype", affine ? "affine" : "fixed");
    ut_write_numbers(w, "gainprm", 3, a->gain);
    ut_write_text(w, "biastype", biased || a->dampratio > 0.0 ? "affine" : "none");
    ut_write_numbers(w, "biasprm", 3, bias);
    if (a->act_early) {
        ut_write_bool(w, "actearly", true);
    }
}

// Gains that the kind has. A kind cannot say actearly.
static void write_law(Writer* w, const utActuatorDef* a)
{
    switch (a->kind) {
    case UT_ACTUATOR_POSITION:
    case UT_ACTUATOR_INTVELOCITY:
        ut_write_number(w, "kp", a->kp);
        ut_write_number(w, a->dampratio > 0.0 ? "dampratio" : "kv",
                        a->dampratio > 0.0 ? a->dampratio : a->kv);
        if (a->kind == UT_ACTUATOR_POSITION && a->time_constant > 0.0) {
            ut_write_number(w, "timeconst", a->time_constant);
        }
        break;
    case UT_ACTUATOR_VELOCITY:
    case UT_ACTUATOR_DAMPER:
        ut_write_number(w, "kv", a->kv);
        break;
    case UT_ACTUATOR_CYLINDER:
        ut_write_number(w, "timeconst", a->time_constant);
        ut_write_number(w, "area", a->gain[0]);
        ut_write_numbers(w, "bias", 3, a->bias);
        break;
    case UT_ACTUATOR_GENERAL:
        write_general(w, a);
        break;
    default:
        break;
    }
}

// Limits that are off keep their range in the text, because the description has it.
static void write_limits(Writer* w, const char* limited, const char* range, bool on,
                         const double x[2])
{
    if (on || x[0] != 0.0 || x[1] != 0.0) {
        ut_write_bool(w, limited, on);
        ut_write_numbers(w, range, 2, x);
    }
}

static void write_actuator(Writer* w, int i)
{
    const utActuatorDef* a = &w->parts->actuator[i];
    ut_write_open(w, ut_actuator_kind_name(a->kind));
    ut_write_own_name(w, "actuator", a->name, i, w->referenced.actuator);
    write_transmission(w, a);
    write_law(w, a);
    if (a->kind == UT_ACTUATOR_DAMPER) {
        ut_write_numbers(w, "ctrlrange", 2, a->ctrl_range); // it is always limited
    } else {
        write_limits(w, "ctrllimited", "ctrlrange", a->ctrl_limited, a->ctrl_range);
    }
    write_limits(w, "forcelimited", "forcerange", a->force_limited, a->force_range);
    if (a->kind != UT_ACTUATOR_MOTOR && a->kind != UT_ACTUATOR_VELOCITY &&
        a->kind != UT_ACTUATOR_DAMPER) {
        write_limits(w, "actlimited", "actrange", a->act_limited, a->act_range);
    }
    ut_write_close(w);
}

void ut_write_actuators(Writer* w)
{
    if (w->parts->actuators == 0) {
        return;
    }
    ut_write_open(w, "actuator");
    ut_write_begin(w);
    for (int i = 0; i < w->parts->actuators; i++) {
        const utActuatorDef* a = &w->parts->actuator[i];
        if (a->equality < 0) {
            write_actuator(w, i);
        } else {
            ut_write_leave_out(w, "actuator on an equality",
                               "maximal coordinates; write the model in joint coordinates");
        }
    }
    ut_write_end(w, "actuator");
}

// ---- keyframes ----------------------------------------------------------------------------------

static void write_list(Writer* w, const char* attribute, int count, const double* x)
{
    if (x != NULL && count > 0) {
        ut_write_numbers(w, attribute, count, x);
    }
}

void ut_write_keyframes(Writer* w)
{
    if (w->parts->keyframes == 0) {
        return;
    }
    ut_write_open(w, "keyframe");
    ut_write_begin(w);
    for (int i = 0; i < w->parts->keyframes; i++) {
        const utKeyframeDef* k = &w->parts->keyframe[i];
        ut_write_open(w, "key");
        ut_write_name(w, k->name);
        ut_write_number_unless(w, "time", k->time, 0.0);
        write_list(w, "qpos", k->nq, k->q);
        write_list(w, "qvel", k->nv, k->v);
        write_list(w, "act", k->na, k->act);
        write_list(w, "ctrl", k->nu, k->ctrl);
        write_list(w, "mpos", 3 * k->mocaps, k->mocap_pos);
        write_list(w, "mquat", 4 * k->mocaps, k->mocap_quat);
        ut_write_close(w);
    }
    ut_write_end(w, "keyframe");
}
