// SPDX-License-Identifier: Apache-2.0
// Keyframes: named states with controls. Their angles are always in radians. In a planar world a free
// joint has three numbers in qpos and qvel (position in the plane and angle), or two for a particle.
// Only the compiled model knows which, so it checks the sizes there.
#include "io/internal.h"

#include <string.h>

enum { MAX_FILL = 4 }; // numbers of the model per number that the limit allows in the file

// Read a list of numbers. @param want the number of entries in the model; -1: unknown
// @param count unchanged when the attribute is absent
static utStatus read_list(Mjcf* m, const XmlNode* node, const char* name, int want,
                          const double** x, int* count)
{
    XmlAttribute* a = ut_xml_attribute(node, name);
    if (a == NULL) {
        return UT_OK;
    }
    const MjcfFound found = {node, a};
    double* read;
    int given;
    UT_TRY(ut_mjcf_number_list(m, found, &read, &given));
    m->key_numbers += given;
    if (m->key_numbers > m->def->limits.key_numbers) {
        return ut_mjcf_fail_at(
            m, found, 0, "more than %d numbers in keyframes; utLimits.key_numbers sets the limit",
            m->def->limits.key_numbers);
    }
    if (given != want && want >= 0) {
        return ut_mjcf_fail_at(m, found, 0, "%s of key has %d numbers; this model has %d", name,
                               given, want);
    }
    *x = read;
    *count = given;
    return UT_OK;
}

static void count_coordinates(const Mjcf* m, int* nq, int* nv, int* mocaps)
{
    *nq = *nv = *mocaps = 0;
    for (int i = 0; i < m->parts.joints; i++) {
        *nq += ut_joint_positions(m->parts.joint[i].def.kind);
        *nv += ut_joint_velocities(m->parts.joint[i].def.kind);
    }
    if (m->options.planar != UT_PLANAR_NONE) {
        *nq = *nv = -1;
    }
    for (int i = 1; i < m->parts.bodies; i++) {
        *mocaps += m->parts.body[i].def.mocap;
    }
}

// Remove the controls of unsupported actuators.
static void keep_controls(const Mjcf* m, utKeyframeDef* key)
{
    double* ctrl = (double*)key->ctrl; // an array of read_list, which may be written
    int kept = 0;
    for (int i = 0; i < key->nu; i++) {
        if (!m->parts.actuator[i].unsupported) {
            ctrl[kept++] = ctrl[i];
        }
    }
    key->nu = kept;
}

// Read the activations, and remove those of unsupported actuators. If their number is unknown, so is
// the order of the others.
static utStatus read_activations(Mjcf* m, const XmlNode* node, utKeyframeDef* key)
{
    XmlAttribute* attribute = ut_xml_attribute(node, "act");
    int want = 0, at = 0;
    for (int i = 0; i < m->parts.actuators && want >= 0; i++) {
        want = m->parts.actuator[i].activations < 0 ? -1 : want + m->parts.actuator[i].activations;
    }
    if (attribute != NULL && want < 0) {
        return ut_mjcf_note_missing(m, node, attribute, "key.act",
                                    "left out: an actuator that is not supported has some of them");
    }
    UT_TRY(read_list(m, node, "act", want, &key->act, &key->na));
    double* act = (double*)key->act; // an array of read_list, which may be written
    int kept = 0;
    for (int i = 0; act != NULL && i < m->parts.actuators; i++) {
        for (int k = 0; k < m->parts.actuator[i].activations; k++, at++) {
            if (!m->parts.actuator[i].unsupported) {
                act[kept++] = act[at];
            }
        }
    }
    key->na = kept;
    return UT_OK;
}

static utStatus check_quats(Mjcf* m, const XmlNode* node, const utKeyframeDef* key)
{
    for (int i = 0; key->mocap_quat != NULL && i < key->mocaps; i++) {
        const double* q = &key->mocap_quat[4 * i];
        utQuat unit;
        if (!ut_quat_normalize(ut_quat(q[0], q[1], q[2], q[3]), &unit)) {
            return ut_mjcf_fail_at(m, (MjcfFound){node, ut_xml_attribute(node, "mquat")}, 0,
                                   "a quaternion of mquat is zero; no rotation is 1 0 0 0");
        }
    }
    int at = 0;
    const bool planar = m->options.planar != UT_PLANAR_NONE;
    for (int i = 0; key->q != NULL && !planar && i < m->parts.joints; i++) {
        const utJointKind kind = m->parts.joint[i].def.kind;
        at += kind == UT_JOINT_FREE ? 3 : 0;
        const bool turns = kind == UT_JOINT_FREE || kind == UT_JOINT_BALL;
        const double* q = &key->q[at];
        utQuat unit;
        if (turns && !ut_quat_normalize(ut_quat(q[0], q[1], q[2], q[3]), &unit)) {
            return ut_mjcf_fail_at(
                m, (MjcfFound){node, ut_xml_attribute(node, "qpos")}, 0,
                "the quaternion at entry %d of qpos is zero; no rotation is 1 0 0 0", at);
        }
        at += turns ? 4 : 1;
    }
    return UT_OK;
}

static utStatus read_lists(Mjcf* m, const XmlNode* node, int nq, int nv, int mocaps,
                           utKeyframeDef* key)
{
    UT_TRY(read_list(m, node, "qpos", nq, &key->q, &key->nq));
    UT_TRY(read_list(m, node, "qvel", nv, &key->v, &key->nv));
    UT_TRY(read_list(m, node, "ctrl", m->parts.actuators, &key->ctrl, &key->nu));
    UT_TRY(read_activations(m, node, key));
    int pos = 0, quat = 0;
    UT_TRY(read_list(m, node, "mpos", 3 * mocaps, &key->mocap_pos, &pos));
    UT_TRY(read_list(m, node, "mquat", 4 * mocaps, &key->mocap_quat, &quat));
    key->mocaps = pos > 0 || quat > 0 ? mocaps : 0;
    return UT_OK;
}

static utStatus read_key(Mjcf* m, const XmlNode* node)
{
    utKeyframeDef* key = &m->parts.key[m->parts.keys];
    int nq, nv, mocaps;
    count_coordinates(m, &nq, &nv, &mocaps);
    *key = (utKeyframeDef){.origin = ut_mjcf_origin(node)};
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    UT_TRY(ut_mjcf_get_name(&p, &m->names.key, m->parts.keys, &key->name));
    UT_TRY(ut_mjcf_get(&p, "time", 1, &key->time));
    if (node->part != NULL) {
        bool used;
        UT_TRY(ut_mjcf_part_key(m, node, mocaps, key, &used));
        if (!used) {
            return UT_OK;
        }
    } else {
        UT_TRY(read_lists(m, node, nq, nv, mocaps, key));
    }
    UT_TRY(check_quats(m, node, key));
    keep_controls(m, key);
    m->parts.keys++;
    return UT_OK;
}

// The model holds complete keyframes, whatever the file leaves out.
static utStatus check_size(Mjcf* m, int keys)
{
    int nq, nv, mocaps;
    count_coordinates(m, &nq, &nv, &mocaps);
    const double size = (nq > 0 ? nq : 0) + (nv > 0 ? nv : 0) + m->parts.actuators + 7.0 * mocaps;
    const double most = MAX_FILL * (double)m->def->limits.key_numbers;
    return keys * size <= most
               ? UT_OK
               : ut_mjcf_fail(m, ut_mjcf_first_of(m, "keyframe"),
                              "%d keyframes of %.0f numbers are more than %.0f numbers; "
                              "utLimits.key_numbers sets the limit",
                              keys, size, most);
}

utStatus ut_mjcf_keyframes(Mjcf* m)
{
    int count = 0;
    for (XmlNode* n = ut_mjcf_first_of(m, "keyframe"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        count++;
    }
    UT_TRY(check_size(m, count));
    m->parts.key = UT_PUSH(&m->memory, utKeyframeDef, count);
    if (m->parts.key == NULL) {
        return ut_mjcf_no_memory(m);
    }
    ut_mjcf_number_parts(m);
    for (XmlNode* n = ut_mjcf_first_of(m, "keyframe"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        UT_TRY(read_key(m, n));
    }
    return UT_OK;
}
