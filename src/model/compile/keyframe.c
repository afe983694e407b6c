// SPDX-License-Identifier: Apache-2.0
// Keyframes: check their sizes, replace missing arrays, normalize their quaternions.
#include "model/internal.h"

#include <string.h>

// ---- check --------------------------------------------------------------------------------------

typedef struct Sizes {
    int nq, nv, nu, na, nmocap;
} Sizes;

static Sizes sizes_of(const utModelDef* def)
{
    Sizes sizes = {.nu = def->actuator.count};
    for (int i = 0; i < def->joint.count; i++) {
        const utJointKind kind = ut_model_joint_kind(def, i);
        sizes.nq += ut_joint_positions(kind);
        sizes.nv += ut_joint_velocities(kind);
    }
    for (int i = 0; i < def->actuator.count; i++) {
        const utActuatorDef* a = ut_model_actuator_def(def, i);
        sizes.na += ut_model_actuator_dynamics(a) != UT_DYNAMICS_NONE ? 1 : 0;
    }
    for (int i = 0; i < def->body.count; i++) {
        sizes.nmocap += ut_model_def_mocap(def, i) ? 1 : 0;
    }
    return sizes;
}

// Check one array of a keyframe: it has `given` groups of `width` numbers, the model `wanted`.
static utStatus check_array(const char* name, const double* values, int given, int wanted,
                            int width, Label label, utOrigin origin, utError* err)
{
    if (values == NULL && given == 0) {
        return UT_OK;
    }
    if (values == NULL) {
        return UT_MODEL_FAIL(err, origin, "%s has no %s but a count of %d; set the count to 0",
                             label.text, name, given);
    }
    if (given != wanted) {
        return UT_MODEL_FAIL(err, origin, "%s gives %d entries of %s; the model has %d", label.text,
                             given, name, wanted);
    }
    for (int i = 0; i < width * wanted; i++) {
        if (!isfinite(values[i])) {
            return UT_MODEL_FAIL(err, origin, "%s[%d] of %s is %s; it must be finite", name, i,
                                 label.text, ut_model_number(values[i]).text);
        }
    }
    return UT_OK;
}

static utStatus check_keyframe(const utModelDef* def, int i, Sizes sizes, utError* err)
{
    const utKeyframeDef* key = ut_model_keyframe_def(def, i);
    const Label label = ut_model_keyframe_label(def, i);
    const utOrigin at = key->origin;
    if (!isfinite(key->time)) {
        return UT_MODEL_FAIL(err, at, "time of %s is %s; it must be finite", label.text,
                             ut_model_number(key->time).text);
    }
    UT_TRY(check_array("q", key->q, key->nq, sizes.nq, 1, label, at, err));
    UT_TRY(check_array("v", key->v, key->nv, sizes.nv, 1, label, at, err));
    UT_TRY(check_array("ctrl", key->ctrl, key->nu, sizes.nu, 1, label, at, err));
    UT_TRY(check_array("act", key->act, key->na, sizes.na, 1, label, at, err));
    // a keyframe may have positions without orientations, and the reverse
    const int positions = key->mocap_pos != NULL ? key->mocaps : 0;
    const int quats = key->mocap_quat != NULL || key->mocap_pos == NULL ? key->mocaps : 0;
    UT_TRY(check_array("mocap_pos", key->mocap_pos, positions, sizes.nmocap, 3, label, at, err));
    return check_array("mocap_quat", key->mocap_quat, quats, sizes.nmocap, 4, label, at, err);
}

utStatus ut_model_check_keyframes(const utModelDef* def, utError* err)
{
    const Sizes sizes = sizes_of(def);
    for (int i = 0; i < def->keyframe.count; i++) {
        UT_TRY(check_keyframe(def, i, sizes, err));
    }
    return UT_OK;
}

// ---- fill ---------------------------------------------------------------------------------------

// A copy of `values`, of `fallback` when they are NULL, of zeros when both are NULL. @return NULL
// when memory is short
static double* keep_numbers(Work* work, const double* values, const double* fallback, int count)
{
    double* copy = UT_PUSH(&work->keep, double, count);
    const double* from = values != NULL ? values : fallback;
    for (int i = 0; copy != NULL && i < count; i++) {
        copy[i] = from != NULL ? from[i] : 0.0;
    }
    return copy;
}

static utStatus fill_keyframe(Work* work, int i)
{
    const utModel* model = work->model;
    const utKeyframeDef* def = ut_model_keyframe_def(work->def, i);
    const Label label = ut_model_keyframe_label(work->def, i);
    const int mocaps = model->nmocap;
    double* q = keep_numbers(work, def->q, model->q0, model->nq);
    double* mocap_pos = keep_numbers(work, def->mocap_pos, model->mocap_pos, 3 * mocaps);
    double* mocap_quat = keep_numbers(work, def->mocap_quat, model->mocap_quat, 4 * mocaps);

    if (ut_arena_failed(&work->keep)) {
        return UT_ERR_MEMORY;
    }
    int at = 0;
    if (!ut_model_normalize(model, q, &at)) {
        return UT_MODEL_FAIL(work->err, def->origin,
                             "q[%d] of %s begins a zero quaternion; no rotation is 1 0 0 0", at,
                             label.text);
    }
    for (int m = 0; m < mocaps; m++) {
        utQuat unit;
        if (!ut_model_unit(ut_model_load_quat(mocap_quat + 4 * m), &unit)) {
            return UT_MODEL_FAIL(work->err, def->origin,
                                 "mocap_quat[%d] of %s begins a zero quaternion; no rotation is "
                                 "1 0 0 0",
                                 4 * m, label.text);
        }
        (void)ut_model_flat_quat(model->options.planar, unit, &unit);
        ut_model_store_quat(unit, mocap_quat + 4 * m);
    }
    work->array.keyframe[i] = (utModelKeyframe){
        .name = ut_model_keep_text(work, def->name),
        .time = def->time,
        .q = q,
        .v = keep_numbers(work, def->v, NULL, model->nv),
        .ctrl = keep_numbers(work, def->ctrl, NULL, model->nu),
        .act = keep_numbers(work, def->act, NULL, model->na),
        .mocap_pos = mocap_pos,
        .mocap_quat = mocap_quat,
    };
    return UT_OK;
}

utStatus ut_model_fill_keyframes(Work* work)
{
    for (int i = 0; i < work->model->nkeyframe; i++) {
        UT_TRY(fill_keyframe(work, i));
    }
    return UT_OK;
}
