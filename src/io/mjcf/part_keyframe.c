// SPDX-License-Identifier: Apache-2.0
// Keyframes of attached models: their numbers belong to the joints, actuators and mocap bodies of the
// part. Everything else in the model is in its reference position, at rest and without control.
#include "io/internal.h"

#include <string.h>

// A list of numbers of a keyframe, and the numbers of the complete model.
typedef struct KeyList {
    MjcfFound found;
    double* given;
    int given_count;
    int used; // of the given numbers
    double* all;
} KeyList;

// Read a list. @param size entries in the complete model, which are set to 0
static utStatus begin_list(Mjcf* m, const XmlNode* node, const char* name, int size, KeyList* list)
{
    *list = (KeyList){.found = {node, ut_xml_attribute(node, name)}};
    if (list->found.attribute == NULL) {
        return UT_OK;
    }
    if (size > m->def->limits.key_numbers - m->key_numbers) {
        return ut_mjcf_fail_at(
            m, list->found, 0,
            "more than %d numbers in keyframes; utLimits.key_numbers sets the limit",
            m->def->limits.key_numbers);
    }
    m->key_numbers += size;
    UT_TRY(ut_mjcf_number_list(m, list->found, &list->given, &list->given_count));
    list->all = UT_PUSH(&m->memory, double, size);
    if (list->all == NULL) {
        return ut_mjcf_no_memory(m);
    }
    memset(list->all, 0, (size_t)size * sizeof *list->all);
    return UT_OK;
}

// Move the next numbers to their place in the complete model. @param to -1: not in the model
static void move(KeyList* list, int to, int count)
{
    for (int i = 0; i < count; i++) {
        const int from = list->used + i;
        if (to >= 0 && from < list->given_count) {
            list->all[to + i] = list->given[from];
        }
    }
    list->used += count;
}

static utStatus end_list(Mjcf* m, const KeyList* list, const double** x, int* count, int size)
{
    if (list->found.attribute == NULL) {
        return UT_OK;
    }
    if (list->used != list->given_count) {
        return ut_mjcf_fail_at(m, list->found, 0, "%s of key has %d numbers; this model has %d",
                               list->found.attribute->name, list->given_count, list->used);
    }
    *x = list->all;
    *count = size;
    return UT_OK;
}

// ---- positions and velocities -------------------------------------------------------------------

// The kind of a joint, also of one that is not attached.
static utStatus kind_of(Mjcf* m, const MjcfPart* part, XmlNode* node, utJointKind* kind)
{
    static const utJointKind kinds[] = {UT_JOINT_FREE, UT_JOINT_BALL, UT_JOINT_SLIDE,
                                        UT_JOINT_HINGE};
    if (node->index >= 0 || strcmp(node->name, "freejoint") == 0 || node->parent == NULL) {
        *kind = node->index >= 0 ? m->parts.joint[node->index].def.kind : UT_JOINT_FREE;
        return UT_OK;
    }
    XmlNode* around = node->parent;
    while (around != NULL && ut_xml_attribute(around, "childclass") == NULL) {
        around = around->parent;
    }
    if (around != NULL && around->parent != NULL) {
        UT_TRY(ut_mjcf_scope(m, around));
    }
    node->parent->scope = around != NULL ? around->scope : part->main;
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, "joint", &p));
    int type = 3;
    UT_TRY(ut_mjcf_get_word(&p, "type", "free ball slide hinge", &type));
    *kind = kinds[type];
    return UT_OK;
}

static void set_reference(const Mjcf* m, double* q)
{
    for (int i = 0; i < m->parts.joints; i++) {
        const utJointDef* j = &m->parts.joint[i].def;
        if (j->kind == UT_JOINT_FREE) {
            const utBodyDef* b = &m->parts.body[j->body].def;
            const double pose[7] = {b->pos.x,  b->pos.y,  b->pos.z, b->quat.w,
                                    b->quat.x, b->quat.y, b->quat.z};
            memcpy(q, pose, sizeof pose);
        } else {
            q[0] = j->kind == UT_JOINT_BALL ? 1.0 : j->ref;
        }
        q += ut_joint_positions(j->kind);
    }
}

static utStatus read_joints(Mjcf* m, const XmlNode* node, utKeyframeDef* key)
{
    const MjcfPart* part = node->part;
    int nq = 0, nv = 0;
    for (int i = 0; i < m->parts.joints; i++) {
        nq += ut_joint_positions(m->parts.joint[i].def.kind);
        nv += ut_joint_velocities(m->parts.joint[i].def.kind);
    }
    KeyList q, v;
    UT_TRY(begin_list(m, node, "qpos", nq, &q));
    UT_TRY(begin_list(m, node, "qvel", nv, &v));
    if (q.all != NULL) {
        set_reference(m, q.all);
    }
    for (int i = 0; i < part->joints && (q.all != NULL || v.all != NULL); i++) {
        XmlNode* joint = ut_mjcf_heir(part->joint[i]);
        utJointKind kind = UT_JOINT_HINGE;
        UT_TRY(kind_of(m, part, joint, &kind));
        const int index = joint->index;
        move(&q, index >= 0 ? m->parts.joint[index].q : -1, ut_joint_positions(kind));
        move(&v, index >= 0 ? m->parts.joint[index].v : -1, ut_joint_velocities(kind));
    }
    UT_TRY(end_list(m, &q, &key->q, &key->nq, nq));
    return end_list(m, &v, &key->v, &key->nv, nv);
}

// ---- controls and mocap bodies ------------------------------------------------------------------

static utStatus read_controls(Mjcf* m, const XmlNode* node, utKeyframeDef* key)
{
    const MjcfPart* part = node->part;
    KeyList ctrl;
    UT_TRY(begin_list(m, node, "ctrl", m->parts.actuators, &ctrl));
    for (int i = 0; i < part->actuators; i++) {
        move(&ctrl, ut_mjcf_heir(part->actuator[i])->index, 1);
    }
    return end_list(m, &ctrl, &key->ctrl, &key->nu, m->parts.actuators);
}

static bool activations_known(const Mjcf* m, const MjcfPart* part)
{
    for (int i = 0; i < part->actuators; i++) {
        const int index = ut_mjcf_heir(part->actuator[i])->index;
        if (index < 0 || m->parts.actuator[index].activations < 0) {
            return false;
        }
    }
    return true;
}

static utStatus read_activations(Mjcf* m, const XmlNode* node, utKeyframeDef* key)
{
    const MjcfPart* part = node->part;
    XmlAttribute* attribute = ut_xml_attribute(node, "act");
    if (attribute != NULL && !activations_known(m, part)) {
        return ut_mjcf_note_missing(
            m, node, attribute, "key.act",
            "left out: some belong to an actuator that is not in the model");
    }
    int na = 0;
    for (int i = 0; i < m->parts.actuators; i++) {
        na += m->parts.actuator[i].unsupported ? 0 : m->parts.actuator[i].activations;
    }
    KeyList act;
    UT_TRY(begin_list(m, node, "act", na, &act));
    for (int i = 0; i < part->actuators && act.all != NULL; i++) {
        const MjcfActuator* a = &m->parts.actuator[ut_mjcf_heir(part->actuator[i])->index];
        move(&act, a->unsupported ? -1 : a->act, a->activations);
    }
    return end_list(m, &act, &key->act, &key->na, na);
}

static utStatus read_mocaps(Mjcf* m, const XmlNode* node, int mocaps, utKeyframeDef* key)
{
    const MjcfPart* part = node->part;
    KeyList pos, quat;
    UT_TRY(begin_list(m, node, "mpos", 3 * mocaps, &pos));
    UT_TRY(begin_list(m, node, "mquat", 4 * mocaps, &quat));
    for (int i = 0, k = 0; i < m->parts.bodies; i++) {
        const utBodyDef* b = &m->parts.body[i].def;
        if (b->mocap && pos.all != NULL) {
            memcpy(&pos.all[3 * k], (double[3]){b->pos.x, b->pos.y, b->pos.z}, 3 * sizeof(double));
        }
        if (b->mocap && quat.all != NULL) {
            memcpy(&quat.all[4 * k], (double[4]){b->quat.w, b->quat.x, b->quat.y, b->quat.z},
                   4 * sizeof(double));
        }
        k += b->mocap;
    }
    for (int i = 0; i < part->mocaps; i++) {
        const int body = ut_mjcf_heir(part->mocap[i])->index;
        const int k = body >= 0 ? m->parts.body[body].mocap : 0;
        move(&pos, body >= 0 ? 3 * k : -1, 3);
        move(&quat, body >= 0 ? 4 * k : -1, 4);
    }
    int entries = 0;
    UT_TRY(end_list(m, &pos, &key->mocap_pos, &entries, 3 * mocaps));
    UT_TRY(end_list(m, &quat, &key->mocap_quat, &entries, 4 * mocaps));
    key->mocaps = entries > 0 ? mocaps : 0;
    return UT_OK;
}

// ---- all ----------------------------------------------------------------------------------------

static void number_actuators(const Mjcf* m)
{
    for (const MjcfPart* part = m->main.parts; part != NULL; part = part->next) {
        for (int i = 0; i < part->actuators; i++) {
            ut_mjcf_heir(part->actuator[i])->index = -1;
        }
    }
    int index = 0;
    for (XmlNode* n = ut_mjcf_first_of(m, "actuator"); n != NULL; n = ut_mjcf_next_of(m, n)) {
        n->index = index++;
    }
}

static bool any_in_model(XmlNode* const* list, int count)
{
    for (int i = 0; i < count; i++) {
        if (ut_mjcf_heir(list[i])->index >= 0) {
            return true;
        }
    }
    return false;
}

void ut_mjcf_number_parts(Mjcf* m)
{
    int q = 0, v = 0, mocaps = 0, act = 0;
    number_actuators(m);
    for (int i = 0; i < m->parts.joints; i++) {
        MjcfJoint* joint = &m->parts.joint[i];
        joint->q = q;
        joint->v = v;
        q += ut_joint_positions(joint->def.kind);
        v += ut_joint_velocities(joint->def.kind);
    }
    for (int i = 0; i < m->parts.actuators; i++) {
        MjcfActuator* a = &m->parts.actuator[i];
        a->act = act;
        act += a->unsupported ? 0 : a->activations;
    }
    for (int i = 0; i < m->parts.bodies; i++) {
        m->parts.body[i].mocap = mocaps;
        mocaps += m->parts.body[i].def.mocap;
    }
    for (MjcfPart* part = m->main.parts; part != NULL; part = part->next) {
        part->used = any_in_model(part->joint, part->joints) ||
                     any_in_model(part->actuator, part->actuators) ||
                     any_in_model(part->mocap, part->mocaps);
    }
}

utStatus ut_mjcf_part_key(Mjcf* m, const XmlNode* node, int mocaps, utKeyframeDef* key, bool* used)
{
    *used = m->options.planar == UT_PLANAR_NONE && node->part->used;
    if (!*used) {
        return ut_mjcf_note(m, node, NULL, false, "keyframe/key",
                            "of an attached model, but none of its joints are in this model");
    }
    UT_TRY(read_joints(m, node, key));
    UT_TRY(read_controls(m, node, key));
    UT_TRY(read_activations(m, node, key));
    return read_mocaps(m, node, mocaps, key);
}
