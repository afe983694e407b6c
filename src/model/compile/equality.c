// SPDX-License-Identifier: Apache-2.0
// Constraints between bodies: checks, and their frames in both bodies, which the modelled pose
// determines.
#include <string.h>

#include "model/internal.h"

// ---- checks -------------------------------------------------------------------------------------

static bool has_axis(utEqualityKind kind)
{
    return kind == UT_EQUALITY_HINGE || kind == UT_EQUALITY_SLIDE;
}

static bool is_zero(utQuat q)
{
    return q.w == 0.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
}

// The angle of a hinge between bodies is known only up to full turns, so its limits must lie within
// half a turn of ref.
static utStatus check_limits(const utEqualityDef* equality, Label label, utError* err)
{
    static const double HALF_TURN = 3.14159265358979323846;
    const bool hinge = equality->kind == UT_EQUALITY_HINGE;
    const bool ball = equality->kind == UT_EQUALITY_BALL;
    if (!equality->limited) {
        return UT_OK;
    }
    if (!has_axis(equality->kind) && !ball) {
        return UT_MODEL_FAIL(err, equality->origin,
                             "%s is limited; only a hinge, a slide and a ball have a range",
                             label.text);
    }
    if (ball && equality->range[0] != 0.0) {
        return UT_MODEL_FAIL(err, equality->origin,
                             "range of %s begins at %s; that of a ball begins at 0", label.text,
                             ut_model_number(equality->range[0]).text);
    }
    UT_TRY(ut_model_check_range(equality->range, "range", label, equality->origin, err));
    if (hinge && !(equality->ref - equality->range[0] < HALF_TURN &&
                   equality->range[1] - equality->ref < HALF_TURN)) {
        return UT_MODEL_FAIL(
            err, equality->origin,
            "range of %s is %s to %s; the range of a hinge between bodies must lie "
            "within half a turn of %s",
            label.text, ut_model_number(equality->range[0]).text,
            ut_model_number(equality->range[1]).text, ut_model_number(equality->ref).text);
    }
    return UT_OK;
}

// In a planar world hinges turn about the normal, slides lie in the plane and welds do not turn out
// of it.
static utStatus check_planar(const utModelDef* def, const utEqualityDef* equality, Label label,
                             utError* err)
{
    const utPlanar planar = def->options.planar;
    const char* name = ut_planar_name(planar);
    const utVec3 normal = ut_plane(planar).normal;
    utVec3 axis = normal;
    utQuat unit, flat;
    if (planar == UT_PLANAR_NONE) {
        return UT_OK;
    }
    ut_vec3_normalize(equality->axis, &axis);
    if (equality->kind == UT_EQUALITY_BALL) {
        return UT_MODEL_FAIL(err, equality->origin, "%s is a ball; in the plane %s use a connect",
                             label.text, name);
    }
    if (equality->kind == UT_EQUALITY_HINGE &&
        !(ut_vec3_norm(ut_vec3_cross(axis, normal)) <= PLANE_TOLERANCE)) {
        return UT_MODEL_FAIL(err, equality->origin, "axis of %s is not the normal of the plane %s",
                             label.text, name);
    }
    if (equality->kind == UT_EQUALITY_SLIDE &&
        !(fabs(ut_vec3_dot(axis, normal)) <= PLANE_TOLERANCE)) {
        return UT_MODEL_FAIL(err, equality->origin, "axis of %s does not lie in the plane %s",
                             label.text, name);
    }
    if (equality->kind == UT_EQUALITY_WELD && ut_model_unit(equality->quat, &unit) &&
        !ut_model_flat_quat(planar, unit, &flat)) {
        return UT_MODEL_FAIL(err, equality->origin, "quat of %s turns out of the plane %s",
                             label.text, name);
    }
    return UT_OK;
}

// The two joints, which are hinges or slides, or the two tendons of a coupling.
static utStatus check_elements(const utModelDef* def, const utEqualityDef* equality, Label label,
                               utError* err)
{
    const bool tendons = equality->kind == UT_EQUALITY_TENDON;
    const int count = tendons ? def->tendon.count : def->joint.count;
    const int element[2] = {equality->element1, equality->element2};
    for (int k = 0; k < 2; k++) {
        if (element[k] < (k == 0 ? 0 : -1) || element[k] >= count) {
            return UT_MODEL_FAIL(err, equality->origin,
                                 "%s names %s %d, which does not exist; there are %d", label.text,
                                 tendons ? "tendon" : "joint", element[k], count);
        }
        if (tendons || element[k] < 0) {
            continue;
        }
        const utJointKind kind = ut_model_joint_def(def, element[k])->kind;
        if (kind != UT_JOINT_HINGE && kind != UT_JOINT_SLIDE) {
            return UT_MODEL_FAIL(
                err, equality->origin, "%s couples %s, which is %s; couple hinges and slides",
                label.text, ut_model_joint_label(def, element[k]).text, ut_joint_kind_name(kind));
        }
    }
    if (element[0] == element[1]) {
        return UT_MODEL_FAIL(err, equality->origin, "%s couples %s %d with itself", label.text,
                             tendons ? "tendon" : "joint", element[0]);
    }
    return UT_OK;
}

// Sites of a connect or weld: both or none.
static utStatus check_sites(const utModelDef* def, const utEqualityDef* equality, Label label,
                            utError* err)
{
    const int site[2] = {equality->site1, equality->site2};
    if (site[0] == -1 && site[1] == -1) {
        return UT_OK;
    }
    if (equality->kind != UT_EQUALITY_CONNECT && equality->kind != UT_EQUALITY_WELD) {
        return UT_MODEL_FAIL(err, equality->origin,
                             "%s names sites; only a connect and a weld can join them", label.text);
    }
    for (int k = 0; k < 2; k++) {
        if (site[k] < 0 || site[k] >= def->site.count) {
            return UT_MODEL_FAIL(err, equality->origin,
                                 "%s names site %d, which does not exist; there are %d", label.text,
                                 site[k], def->site.count);
        }
    }
    return UT_OK;
}

static utStatus check_equality(const utModelDef* def, int i, utError* err)
{
    const utEqualityDef* equality = ut_model_equality_def(def, i);
    const Label label = ut_model_equality_label(def, i);
    const int bodies[2] = {equality->body1, equality->body2};
    UT_TRY(ut_model_check_cookie(equality->cookie, UT_EQUALITY_DEF_COOKIE, label, "ut_equality_def",
                                 err));
    if ((int)equality->kind < 0 || equality->kind >= UT_EQUALITY_KIND_COUNT) {
        return UT_MODEL_FAIL(err, equality->origin,
                             "%s is of kind %d, which does not exist; there are 0 to %d",
                             label.text, (int)equality->kind, UT_EQUALITY_KIND_COUNT - 1);
    }
    UT_TRY(check_sites(def, equality, label, err));
    for (int k = 0; k < 2 && !ut_equality_is_coupling(equality->kind) && equality->site1 < 0; k++) {
        if (bodies[k] < 0 || bodies[k] >= def->body.count) {
            return UT_MODEL_FAIL(err, equality->origin,
                                 "%s names body %d, which does not exist; there are 0 to %d",
                                 label.text, bodies[k], def->body.count - 1);
        }
    }
    UT_TRY(ut_model_check_attributes(ELEMENT_EQUALITY, equality, label, equality->origin, err));
    if (ut_equality_is_coupling(equality->kind)) {
        return check_elements(def, equality, label, err);
    }
    if (has_axis(equality->kind) && equality->axis.x == 0.0 && equality->axis.y == 0.0 &&
        equality->axis.z == 0.0) {
        return UT_MODEL_FAIL(err, equality->origin,
                             "axis of %s is zero; give a direction, for example 0 0 1", label.text);
    }
    UT_TRY(check_planar(def, equality, label, err));
    return check_limits(equality, label, err);
}

utStatus ut_model_check_equalities(const utModelDef* def, utError* err)
{
    for (int i = 0; i < def->equality.count; i++) {
        UT_TRY(check_equality(def, i, err));
    }
    return UT_OK;
}

// ---- frames -------------------------------------------------------------------------------------

// A rotation that maps z to the axis. For a slide of a planar world it also maps y to the normal.
static utMat3 turn_to(utPlanar planar, const utEqualityDef* def)
{
    utVec3 x, y, z;
    ut_vec3_normalize(def->axis, &z);
    if (planar != UT_PLANAR_NONE) {
        const bool hinge = def->kind == UT_EQUALITY_HINGE;
        z = ut_model_flat_axis(planar, hinge ? UT_JOINT_HINGE : UT_JOINT_SLIDE, z);
    }
    if (planar != UT_PLANAR_NONE && def->kind == UT_EQUALITY_SLIDE) {
        y = ut_plane(planar).normal;
        x = ut_vec3_cross(y, z);
    } else {
        ut_tangent_basis(z, &x, &y);
    }
    return ut_mat3_from_columns(x, y, z);
}

static void fill_frames(const Work* work, const utEqualityDef* def, utModelEquality* equality)
{
    const utFrame one = work->scratch.in_world[equality->body1];
    const utFrame two = work->scratch.in_world[equality->body2];
    const utFrame two_in_one = ut_frame_mul(ut_frame_inverse(one), two);
    if (def->site1 >= 0) {
        equality->in1 = work->array.site[def->site1].in_body;
        equality->in2 = work->array.site[def->site2].in_body;
    } else if (def->kind == UT_EQUALITY_WELD) {
        equality->in2 = ut_frame(ut_mat3_identity(), def->anchor);
        equality->in1 = ut_frame_mul(two_in_one, equality->in2);
        if (!is_zero(def->quat)) {
            utQuat quat;
            ut_model_unit(def->quat, &quat);
            ut_model_flat_quat(work->def->options.planar, quat, &quat);
            equality->in1 = ut_frame(ut_quat_to_mat3(quat), def->pos);
        }
    } else {
        const utMat3 R =
            has_axis(def->kind) ? turn_to(work->def->options.planar, def) : ut_mat3_identity();
        equality->in1 = ut_frame(R, def->anchor);
        equality->in2 = ut_frame_mul(ut_frame_inverse(two_in_one), equality->in1);
    }
    equality->quat1 = ut_quat_from_mat3(equality->in1.R);
    equality->quat2 = ut_quat_from_mat3(equality->in2.R);
    equality->in1.R = ut_quat_to_mat3(equality->quat1);
    equality->in2.R = ut_quat_to_mat3(equality->quat2);
}

// ---- reach --------------------------------------------------------------------------------------

// The reach of a body and everything welded to it; 0 for fixed bodies.
static double group_reach(const Work* work, int body, utVec3 point)
{
    const int weld = work->array.body[body].weld;
    double reach = 0.0;
    for (int b = weld; weld > 0 && b < work->scratch.subtree_end[weld]; b++) {
        if (work->array.body[b].weld == weld) {
            reach = fmax(reach, ut_model_body_reach(work, b, point));
        }
    }
    return reach;
}

static utStatus fill_reach(const Work* work, int i, utModelEquality* equality)
{
    const utVec3 points[2] = {
        ut_frame_point(work->scratch.in_world[equality->body1], equality->in1.p),
        ut_frame_point(work->scratch.in_world[equality->body2], equality->in2.p)};
    const double reach = fmax(group_reach(work, equality->body1, points[0]),
                              group_reach(work, equality->body2, points[1]));
    equality->reach = reach > 0.0 ? reach : 1.0;
    if (isfinite(reach) && isfinite(ut_vec3_dot(points[0], points[0])) &&
        isfinite(ut_vec3_dot(points[1], points[1]))) {
        return UT_OK;
    }
    return UT_MODEL_FAIL(work->err, ut_model_equality_def(work->def, i)->origin,
                         "distances from the world to %s overflow; check its anchor",
                         ut_model_equality_label(work->def, i).text);
}

// ---- all ----------------------------------------------------------------------------------------

// A constraint between bodies.
static utStatus fill_bodies(Work* work, int i, utModelEquality* equality)
{
    const utEqualityDef* def = ut_model_equality_def(work->def, i);
    if (def->active &&
        work->array.body[equality->body1].weld == work->array.body[equality->body2].weld) {
        return UT_MODEL_FAIL(work->err, def->origin,
                             "%s is between %s and %s, which no joint moves against each "
                             "other; name two bodies that move",
                             ut_model_equality_label(work->def, i).text,
                             ut_model_body_label(work->def, equality->body1).text,
                             ut_model_body_label(work->def, equality->body2).text);
    }
    fill_frames(work, def, equality);
    return fill_reach(work, i, equality);
}

// A coupling of joints or tendons.
static void fill_coupling(Work* work, const utEqualityDef* def, utModelEquality* equality)
{
    int* moving = work->scratch.moving;
    memset(moving, 0, (size_t)work->model->nv * sizeof *moving);
    equality->in1 = equality->in2 = ut_frame_identity();
    equality->quat1 = equality->quat2 = ut_quat_identity();
    const int described[2] = {def->element1, def->element2};
    int* const element[2] = {&equality->element1, &equality->element2};
    for (int k = 0; k < 2; k++) {
        if (described[k] < 0) {
            continue;
        }
        if (def->kind == UT_EQUALITY_TENDON) {
            const utModelTendon* tendon = &work->array.tendon[described[k]];
            *element[k] = described[k];
            for (int t = 0; t < tendon->terms; t++) {
                moving[tendon->index[t]]++;
            }
            equality->reach = k == 0 ? tendon->unit : equality->reach;
        } else {
            *element[k] = work->scratch.joint_of_described[described[k]];
            const utModelJoint* joint = &work->array.joint[*element[k]];
            moving[joint->v]++;
            const double length = joint->kind == UT_JOINT_SLIDE ? 1.0 : joint->reach;
            equality->reach = k == 0 ? length : equality->reach;
        }
    }
    ut_model_keep_velocities(work, &equality->terms, &equality->index);
}

utStatus ut_model_fill_equalities(Work* work)
{
    for (int i = 0; i < work->model->nequality; i++) {
        const utEqualityDef* def = ut_model_equality_def(work->def, i);
        const bool coupling = ut_equality_is_coupling(def->kind);
        const bool sites = !coupling && def->site1 >= 0;
        utModelEquality* equality = &work->array.equality[i];
        *equality = (utModelEquality){
            .name = ut_model_keep_text(work, def->name),
            .kind = def->kind,
            .body1 = coupling ? 0
                     : sites  ? work->array.site[def->site1].body
                              : def->body1,
            .body2 = coupling ? 0
                     : sites  ? work->array.site[def->site2].body
                              : def->body2,
            .active = def->active,
            .joint = def->joint,
            .ref = def->ref,
            .limited = def->limited,
            .range = {def->range[0], def->range[1]},
            .frictionloss = def->frictionloss,
            .stiffness = def->stiffness,
            .springref = def->springref,
            .damping = def->damping,
            .armature = def->armature,
            .site1 = sites ? def->site1 : -1,
            .site2 = sites ? def->site2 : -1,
            .element1 = -1,
            .element2 = -1,
        };
        memcpy(equality->polycoef, def->polycoef, sizeof equality->polycoef);
        if (coupling) {
            fill_coupling(work, def, equality);
        } else {
            UT_TRY(fill_bodies(work, i, equality));
        }
    }
    return UT_OK;
}
