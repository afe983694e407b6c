// SPDX-License-Identifier: Apache-2.0
// Figures of a model: masses, limits, keyframes.
#include "trap_list.h"

static void counts(const Trap* t, List* list)
{
    const utModel* m = t->model;
    const double all[] = {m->nbody,     m->njoint,  m->ngeom,    m->nsite, m->nu,
                          m->na,        m->nmocap,  m->nq,       m->nv,    m->ntendon,
                          m->nequality, m->nsensor, m->nkeyframe};
    put_all(list, sizeof all / sizeof *all, all);
}

static void mass(const Trap* t, List* list)
{
    for (int b = 1; b < t->model->nbody; b++) {
        put(list, t->model->body[b].mass);
    }
}

static void com(const Trap* t, List* list)
{
    for (int b = 1; b < t->model->nbody; b++) {
        if (t->model->body[b].mass > 0.0) {
            put_vec3(list, t->model->body[b].com);
        }
    }
}

static void inertia(const Trap* t, List* list)
{
    for (int b = 1; b < t->model->nbody; b++) {
        const double(*I)[3] = t->model->body[b].inertia.m;
        put_all(list, 6, (const double[]){I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]});
    }
}

static void geom_size(const Trap* t, List* list)
{
    for (int g = 0; g < t->model->ngeom; g++) {
        const utShape* shape = &t->model->geom[g].shape;
        const bool sized = shape->kind != UT_SHAPE_PLANE && shape->hull == NULL &&
                           shape->mesh == NULL && shape->heights == NULL;
        put_vec3(list, sized ? shape->size : ut_vec3_zero());
    }
}

static void limits(const Trap* t, List* list)
{
    static const double none[3] = {0.0};
    for (int j = 0; j < t->model->njoint; j++) {
        const utModelJoint* joint = &t->model->joint[j];
        const double limit[3] = {1.0, joint->range[0], joint->range[1]};
        put_all(list, 3, joint->limited ? limit : none);
    }
}

static void ctrlrange(const Trap* t, List* list)
{
    for (int i = 0; i < t->model->nu; i++) {
        put_all(list, 2, t->model->actuator[i].ctrl_range);
    }
}

static void forcerange(const Trap* t, List* list)
{
    for (int i = 0; i < t->model->nu; i++) {
        put_all(list, 2, t->model->actuator[i].force_range);
    }
}

static void dofs(const Trap* t, List* list)
{
    put(list, t->model->nq);
    put(list, t->model->nv);
}

static void q0(const Trap* t, List* list)
{
    put_all(list, t->model->nq, t->model->q0);
}

static void armature(const Trap* t, List* list)
{
    put_all(list, t->model->nv, t->model->dof_armature);
}

static void friction(const Trap* t, List* list)
{
    for (int i = 0; i < t->model->nv; i++) {
        put(list, t->model->joint[t->model->dof_joint[i]].frictionloss);
    }
}

static void key_q(const Trap* t, List* list)
{
    for (int k = 0; k < t->model->nkeyframe; k++) {
        put_all(list, t->model->nq, t->model->keyframe[k].q);
    }
}

static void key_v(const Trap* t, List* list)
{
    for (int k = 0; k < t->model->nkeyframe; k++) {
        put_all(list, t->model->nv, t->model->keyframe[k].v);
    }
}

static void key_ctrl(const Trap* t, List* list)
{
    for (int k = 0; k < t->model->nkeyframe; k++) {
        put_all(list, t->model->nu, t->model->keyframe[k].ctrl);
    }
}

static void key_pos(const Trap* t, List* list)
{
    for (int k = 0; k < t->model->nkeyframe; k++) {
        put_all(list, 3 * t->model->nmocap, t->model->keyframe[k].mocap_pos);
    }
}

static void key_quat(const Trap* t, List* list)
{
    for (int k = 0; k < t->model->nkeyframe; k++) {
        put_all(list, 4 * t->model->nmocap, t->model->keyframe[k].mocap_quat);
    }
}

const TrapFigure trap_model_figures[] = {
    FIGURE(counts),   FIGURE(mass),      FIGURE(com),         FIGURE(inertia), FIGURE(geom_size),
    FIGURE(limits),   FIGURE(ctrlrange), FIGURE(forcerange),  FIGURE(dofs),    FIGURE(q0),
    FIGURE(armature), FIGURE(friction),  FIGURE(key_q),       FIGURE(key_v),   FIGURE(key_ctrl),
    FIGURE(key_pos),  FIGURE(key_quat),  {NULL, NULL, false},
};
