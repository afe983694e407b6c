// SPDX-License-Identifier: Apache-2.0
// Frames: poses within a body, which `frame` and the copies of `replicate` give to their contents.
#include "io/internal.h"

#include <string.h>

bool ut_mjcf_is_frame(const XmlNode* node)
{
    return ut_word_in("frame replicate attach", node->name);
}

void ut_mjcf_to_body(const XmlNode* node, utVec3* pos, utQuat* quat)
{
    const MjcfPose* frame = node->parent->pose;
    if (frame != NULL) {
        *pos = ut_vec3_add(frame->pos, ut_quat_rotate(frame->quat, *pos));
        *quat = ut_quat_mul(frame->quat, *quat);
    }
}

// The pose of a copy of `replicate`, relative to the body. Copy k is moved by `offset` in the frame of
// copy k - 1 and turned by k times `euler`.
static utStatus read_copy(const MjcfPlace* p, XmlNode* node, MjcfPose* pose)
{
    utVec3 offset = ut_vec3_zero();
    double euler[3] = {0.0, 0.0, 0.0};
    UT_TRY(ut_mjcf_get_vec3(p, "offset", &offset));
    UT_TRY(ut_mjcf_get(p, "euler", 3, euler));
    for (int i = 0; i < 3; i++) {
        euler[i] *= node->copy - 1;
    }
    pose->quat = ut_mjcf_euler(p->m, euler);
    ut_mjcf_to_body(node, &pose->pos, &pose->quat);
    if (node->copy > 1) {
        const MjcfPose* before = node->parent->twin->pose;
        pose->pos = ut_vec3_add(before->pos, ut_quat_rotate(before->quat, offset));
    }
    node->parent->twin = node; // for the next copy
    return UT_OK;
}

utStatus ut_mjcf_frame(Mjcf* m, XmlNode* node)
{
    node->index = node->parent->index;
    node->pose = node->parent->pose;
    UT_TRY(ut_mjcf_scope(m, node));
    const bool frame = strcmp(node->name, "frame") == 0;
    if (!frame && node->copy == 0) {
        return UT_OK;
    }
    MjcfPose* pose = UT_PUSH(&m->memory, MjcfPose, 1);
    if (pose == NULL) {
        return ut_mjcf_no_memory(m);
    }
    *pose = (MjcfPose){ut_vec3_zero(), ut_quat_identity()};
    MjcfPlace p;
    UT_TRY(ut_mjcf_place(m, node, NULL, &p));
    if (frame) {
        UT_TRY(ut_mjcf_get_vec3(&p, "pos", &pose->pos));
        UT_TRY(ut_mjcf_orientation(&p, &pose->quat));
        ut_mjcf_to_body(node, &pose->pos, &pose->quat);
    } else {
        UT_TRY(read_copy(&p, node, pose));
    }
    node->pose = pose;
    return UT_OK;
}
