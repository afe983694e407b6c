// SPDX-License-Identifier: Apache-2.0
// Findings about the start of a run.
#include "check/start_check.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <uptack/dyn.h>

static const double BEYOND_LIMIT =
    1e-9; // rad or m, above the rounding errors of a pose on its limit

void cli_add_finding(CliFindings* findings, const char* kind, const char* format, ...)
{
    if (findings->kept < CLI_KEPT_FINDINGS) {
        CliFinding* finding = &findings->finding[findings->kept++];
        va_list values;
        va_start(values, format);
        vsnprintf(finding->text, sizeof finding->text, format, values);
        va_end(values);
        finding->kind = kind;
    }
    findings->count++;
}

// ---- limits -------------------------------------------------------------------------------------

// The coordinate of a joint that its range limits.
static double limited_coordinate(const utModelJoint* joint, const double* q)
{
    q += joint->q;
    return joint->kind == UT_JOINT_BALL ? ut_vec3_norm(ut_quat_log(ut_quat(q[0], q[1], q[2], q[3])))
                                        : q[0];
}

// @param key the keyframe of q; NULL: the pose in which a run begins
static void check_limits(const utModel* model, const double* q, const char* key,
                         CliFindings* findings)
{
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const bool scalar = joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE;
        if (!joint->limited || !(scalar || joint->kind == UT_JOINT_BALL)) {
            continue;
        }
        const double x = limited_coordinate(joint, q);
        if (x >= joint->range[0] - BEYOND_LIMIT && x <= joint->range[1] + BEYOND_LIMIT) {
            continue;
        }
        CliName room;
        const char* name = cli_name(joint->name, "joint", j, &room);
        const char* unit = joint->kind == UT_JOINT_SLIDE ? "m" : "rad";
        if (key == NULL) {
            cli_add_finding(
                findings, "limit",
                "joint %s starts at %.6g %s, beyond its range %.6g to %.6g; the first steps move "
                "it "
                "back",
                name, x, unit, joint->range[0], joint->range[1]);
        } else {
            cli_add_finding(findings, "keyframe",
                            "keyframe %s has joint %s at %.6g %s, beyond its range %.6g to %.6g",
                            key, name, x, unit, joint->range[0], joint->range[1]);
        }
    }
}

static void check_all_limits(const CliModel* loaded, CliFindings* findings)
{
    const utModel* model = loaded->model;
    const int start = ut_model_start_key(model);
    check_limits(model, cli_start_pose(loaded).q, NULL, findings);
    for (int k = 0; k < model->nkeyframe; k++) {
        CliName room;
        if (k != start) {
            check_limits(model, model->keyframe[k].q,
                         cli_name(model->keyframe[k].name, "key", k, &room), findings);
        }
    }
}

// ---- nothing moves ------------------------------------------------------------------------------

static bool has_springs(const utModel* model)
{
    bool found = model->nspring > 0 || model->ntendon > 0;
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        found = found || joint->stiffness != 0.0 || joint->stiffness_poly[0] != 0.0 ||
                joint->stiffness_poly[1] != 0.0;
    }
    for (int i = 0; i < model->nequality; i++) {
        found = found || model->equality[i].stiffness != 0.0;
    }
    return found;
}

static void check_motion(const utModel* model, CliFindings* findings)
{
    const int key = ut_model_start_key(model);
    const utVec3 g = model->options.gravity;
    bool moves = g.x != 0.0 || g.y != 0.0 || g.z != 0.0 || model->nactuator > 0 ||
                 model->nmotion > 0 || model->nmocap > 0 || has_springs(model);
    for (int i = 0; key >= 0 && i < model->nv; i++) {
        moves = moves || model->keyframe[key].v[i] != 0.0;
    }
    if (model->nv == 0) {
        cli_add_finding(findings, "still", "no body can move: no body has a joint or a freejoint");
    } else if (!moves) {
        cli_add_finding(
            findings, "still",
            "nothing moves: gravity is 0, there is no actuator, spring, tendon or prescribed "
            "motion, and "
            "no "
            "keyframe named start gives velocities");
    }
}

// ---- all ----------------------------------------------------------------------------------------

utStatus cli_find_start(const CliModel* loaded, CliFindings* findings)
{
    utArena memory;
    memset(findings, 0, sizeof *findings);
    UT_TRY(ut_arena_create(0, NULL, &memory));
    const utStatus status = cli_find_falls(loaded, memory, findings);
    ut_arena_destroy(&memory);
    check_motion(loaded->model, findings);
    check_all_limits(loaded, findings);
    return status;
}

void cli_print_findings(FILE* stream, const char* file, const CliFindings* findings)
{
    for (int i = 0; i < findings->kept; i++) {
        fprintf(stream, "%s: note: %s\n", file, findings->finding[i].text);
    }
    if (findings->count > findings->kept) {
        fprintf(stream, "%s: note: and %d more\n", file, findings->count - findings->kept);
    }
}

void cli_json_findings(utJsonWriter* w, const CliFindings* findings)
{
    ut_json_key(w, "finding_count");
    ut_json_integer(w, findings->count);
    ut_json_key(w, "findings");
    ut_json_array_begin(w);
    for (int i = 0; i < findings->kept; i++) {
        ut_json_object_begin(w);
        ut_json_key(w, "kind");
        ut_json_string(w, findings->finding[i].kind);
        ut_json_key(w, "text");
        ut_json_string(w, findings->finding[i].text);
        ut_json_object_end(w);
    }
    ut_json_array_end(w);
}
