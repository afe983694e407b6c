// SPDX-License-Identifier: Apache-2.0
// The keyframe `start`. The modelled pose, in which all coordinates are 0, is outside of the limits of
// many robots, or contradicts their mimics. Such a robot gets a keyframe with the nearest positions
// within the limits, so that runs begin with a pose that it can have.
#include "urdf.h"

#include "la/scalar.h"

// Set the positions of the modelled pose. @param at receives the first position of each joint
static void set_modelled(const Mjcf* m, double* q, int* at)
{
    int count = 0;
    for (int i = 0; i < m->parts.joints; i++) {
        const utJointDef* j = &m->parts.joint[i].def;
        const int positions = ut_joint_positions(j->kind);
        at[i] = count;
        for (int k = 0; k < positions; k++) {
            q[count + k] = 0.0;
        }
        if (j->kind == UT_JOINT_FREE) {
            const utBodyDef* b = &m->parts.body[j->body].def;
            const double pose[] = {b->pos.x,  b->pos.y,  b->pos.z, b->quat.w,
                                   b->quat.x, b->quat.y, b->quat.z};
            for (int k = 0; k < positions; k++) {
                q[count + k] = pose[k];
            }
        }
        count += positions;
    }
}

// Move positions into the limits. @param moved the number of joints that moved
static utStatus clamp(Urdf* u, double* q, const int* at, int* moved)
{
    for (int i = 0; i < u->m->parts.joints; i++) {
        const MjcfJoint* joint = &u->m->parts.joint[i];
        const double* range = joint->def.range;
        const double x = q[at[i]];
        if (joint->def.limited && !(x >= range[0] && x <= range[1])) {
            q[at[i]] = ut_clamp(x, range[0], range[1]);
            (*moved)++;
            UT_TRY(ut_mjcf_note(u->m, joint->node, NULL, false, "joint/limit",
                                "0 is outside; the keyframe start begins at the nearest limit"));
        }
    }
    return UT_OK;
}

// Set a joint to what its mimic says. @return whether it moved
static bool follow(const utEqualityDef* e, double* q, const int* at)
{
    const double y = e->polycoef[0] + e->polycoef[1] * q[at[e->element2]];
    const bool moved = y != q[at[e->element1]];
    q[at[e->element1]] = y;
    return moved;
}

// Set all joints that mimic others. A joint that mimics a mimicking one waits until that one is set.
// @param leader for each joint of the model its equality, -1 for none; -1 when it is set
// @param chain room for the equalities
static int follow_all(const Mjcf* m, double* q, const int* at, int* leader, int* chain)
{
    int moved = 0;
    for (int i = 0; i < m->parts.joints; i++) {
        leader[i] = -1;
    }
    for (int i = 0; i < m->parts.equalities; i++) {
        leader[m->parts.equality[i].element1] = i;
    }
    for (int i = 0; i < m->parts.joints; i++) {
        int count = 0;
        for (int j = i; leader[j] >= 0; j = m->parts.equality[chain[count - 1]].element2) {
            chain[count++] = leader[j];
        }
        while (count > 0) {
            const utEqualityDef* e = &m->parts.equality[chain[--count]];
            moved += follow(e, q, at);
            leader[e->element1] = -1;
        }
    }
    return moved;
}

utStatus ut_urdf_start(Urdf* u)
{
    Mjcf* m = u->m;
    int nq = 0;
    for (int i = 0; i < m->parts.joints; i++) {
        nq += ut_joint_positions(m->parts.joint[i].def.kind);
    }
    double* q = UT_PUSH(&m->memory, double, nq + 1);
    int* at = UT_PUSH(&m->memory, int, m->parts.joints + 1);
    m->parts.key = UT_PUSH(&m->memory, utKeyframeDef, 1);
    int* leader = UT_PUSH(&m->memory, int, m->parts.joints + 1);
    int* chain = UT_PUSH(&m->memory, int, m->parts.equalities + 1);
    if (ut_arena_failed(&m->memory)) {
        return ut_mjcf_no_memory(m);
    }
    int moved = 0;
    set_modelled(m, q, at);
    UT_TRY(clamp(u, q, at, &moved));
    moved += follow_all(m, q, at, leader, chain);
    if (moved > 0 && m->options.planar == UT_PLANAR_NONE) {
        m->parts.key[m->parts.keys++] = (utKeyframeDef){
            .name = UT_KEYFRAME_START, .nq = nq, .q = q, .origin = ut_mjcf_origin(u->robot)};
    }
    return UT_OK;
}
