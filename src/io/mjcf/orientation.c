// SPDX-License-Identifier: Apache-2.0
// Orientations: a quaternion, an angle about an axis, two axes, the z axis, or Euler angles.
#include "io/internal.h"
#include "model/tolerances.h"

#include <string.h>

// Sine of an angle below which an axis counts as parallel to z. MuJoCo has the same limit.
static const double PARALLEL_SINE = 1e-10;

// Sine of the least angle between the two axes of xyaxes: below it rounding determines y.
static const double MIN_AXES_SINE = 1e-12;

utQuat ut_mjcf_turn_z_to(utVec3 axis)
{
    utVec3 to;
    if (!ut_vec3_normalize(axis, &to)) {
        return ut_quat_identity();
    }
    const double sine = sqrt(to.x * to.x + to.y * to.y);
    if (sine < PARALLEL_SINE) {
        return to.z > 0.0 ? ut_quat_identity() : ut_quat(0.0, 1.0, 0.0, 0.0);
    }
    // z x axis = (-y, x, 0)
    return ut_quat_from_axis_angle(ut_vec3(-to.y / sine, to.x / sine, 0.0), ut_atan2(sine, to.z));
}

static utStatus from_axis_angle(Mjcf* m, MjcfFound found, const double* x, utQuat* quat)
{
    utVec3 axis;
    if (!ut_vec3_normalize(ut_vec3(x[0], x[1], x[2]), &axis)) {
        return ut_mjcf_fail_at(m, found, 0, "the axis of axisangle is zero");
    }
    *quat = ut_quat_from_axis_angle(axis, ut_mjcf_angle(m, x[3]));
    return UT_OK;
}

// The second axis loses its component along the first.
static utStatus from_axes(Mjcf* m, MjcfFound found, const double* x, utQuat* quat)
{
    utVec3 ex, ey;
    const utVec3 second = ut_vec3(x[3], x[4], x[5]);
    if (!ut_vec3_normalize(ut_vec3(x[0], x[1], x[2]), &ex)) {
        return ut_mjcf_fail_at(m, found, 0, "the x axis of xyaxes is zero");
    }
    const utVec3 across = ut_vec3_add_scaled(second, -ut_vec3_dot(ex, second), ex);
    if (!ut_vec3_normalize(across, &ey) ||
        !(ut_vec3_norm(across) > MIN_AXES_SINE * ut_vec3_norm(second))) {
        return ut_mjcf_fail_at(m, found, 0, "the axes of xyaxes are parallel, or y is zero");
    }
    *quat = ut_quat_from_mat3(ut_mat3_from_columns(ex, ey, ut_vec3_cross(ex, ey)));
    return UT_OK;
}

// Lower-case letters are axes of the body, which turn with it; upper-case letters are fixed axes.
utQuat ut_mjcf_euler(const Mjcf* m, const double x[3])
{
    utQuat rotation = ut_quat_identity();
    for (int i = 0; i < 3; i++) {
        const char letter = m->compiler.eulerseq[i];
        const int axis = (letter | 32) - 'x';
        const utVec3 about = ut_vec3(axis == 0, axis == 1, axis == 2);
        const utQuat turn = ut_quat_from_axis_angle(about, ut_mjcf_angle(m, x[i]));
        rotation = (letter & 32) != 0 ? ut_quat_mul(rotation, turn) : ut_quat_mul(turn, rotation);
    }
    return rotation;
}

// A quaternion that is a unit up to rounding keeps its bits, so that a written model reads the same.
static utStatus from_quat(Mjcf* m, MjcfFound found, const double* x, utQuat* quat)
{
    const utQuat read = ut_quat(x[0], x[1], x[2], x[3]);
    if (!ut_quat_normalize(read, quat)) {
        return ut_mjcf_fail_at(m, found, 0, "the quaternion is zero; no rotation is 1 0 0 0");
    }
    const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
    if (fabs(square - 1.0) <= UNIT_SQUARE_TOLERANCE) {
        *quat = read;
    }
    return UT_OK;
}

static utStatus convert(Mjcf* m, MjcfFound found, utQuat* quat)
{
    static const char names[] = "quat axisangle xyaxes zaxis euler";
    static const int counts[] = {4, 4, 6, 3, 3};
    const char* rest = names;
    utText word;
    int kind = 0;
    while (ut_word_next(&rest, &word) && !ut_word_is(word, found.attribute->name)) {
        kind++;
    }
    double x[6];
    UT_TRY(ut_mjcf_numbers(m, found, counts[kind], counts[kind], x, NULL));
    switch (kind) {
    case 0:
        return from_quat(m, found, x, quat);
    case 1:
        return from_axis_angle(m, found, x, quat);
    case 2:
        return from_axes(m, found, x, quat);
    case 3:
        if (x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0) {
            return ut_mjcf_fail_at(m, found, 0, "zaxis is zero");
        }
        *quat = ut_mjcf_turn_z_to(ut_vec3(x[0], x[1], x[2]));
        return UT_OK;
    default:
        *quat = ut_mjcf_euler(m, x);
        return UT_OK;
    }
}

static utStatus check_one(Mjcf* m, const XmlNode* node)
{
    const XmlAttribute* first = NULL;
    for (int i = 0; i < node->attributes; i++) {
        XmlAttribute* a = &node->attribute[i];
        if (ut_word_in("quat axisangle xyaxes zaxis euler", a->name)) {
            if (first != NULL) {
                return ut_mjcf_fail_at(m, (MjcfFound){node, a}, 0,
                                       "%s beside %s; give the orientation in one way", a->name,
                                       first->name);
            }
            first = a;
        }
    }
    return UT_OK;
}

// As in MuJoCo, any other way overrides `quat`, even when a class gives it. Among the other ways the
// one nearest to the element counts.
utStatus ut_mjcf_orientation(const MjcfPlace* p, utQuat* quat)
{
    static const char others[] = "axisangle xyaxes zaxis euler";
    MjcfFound found = ut_mjcf_find(p, "quat");
    UT_TRY(check_one(p->m, p->node));
    const char* rest = others;
    utText word;
    MjcfFound nearest = {NULL, NULL};
    while (ut_word_next(&rest, &word)) {
        char name[16] = "";
        memcpy(name, word.data, word.size);
        const MjcfFound other = ut_mjcf_find(p, name);
        const bool own = other.node == p->node;
        if (other.attribute != NULL &&
            (nearest.attribute == NULL || own || other.node->depth > nearest.node->depth)) {
            nearest = other;
        }
        if (own && other.attribute != NULL) {
            break;
        }
    }
    if (nearest.attribute != NULL) {
        UT_TRY(check_one(p->m, nearest.node));
        found = nearest;
    }
    return found.attribute != NULL ? convert(p->m, found, quat) : UT_OK;
}
