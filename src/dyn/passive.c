// Springs and dampers of joints.
//
//     hinge, slide   - k (q - springref)
//     ball           - k log(q), the rotation vector from the modelled pose: it is the same seen
//                    from before and behind the joint, and its power is that of k |log q|^2 / 2
//     free           no spring
//     each velocity  - d v
#include "dyn/internal.h"

void ut_dyn_spring(const utModelJoint* joint, const double* q, double* tau)
{
    const double k = joint->stiffness;
    if (k == 0.0) {
        return;
    }
    if (joint->kind == UT_JOINT_BALL) {
        const utVec3 turned = ut_quat_log(ut_dyn_quat(q + joint->q));
        for (int i = 0; i < 3; i++) {
            const double part = i == 0 ? turned.x : i == 1 ? turned.y : turned.z;
            tau[joint->v + i] -= k * part;
        }
    } else if (joint->kind != UT_JOINT_FREE) {
        tau[joint->v] -= k * (q[joint->q] - joint->springref);
    }
}

// Velocities that a joint's spring acts on.
static int spring_width(const utModelJoint* joint)
{
    if (joint->kind == UT_JOINT_FREE || joint->stiffness == 0.0) {
        return 0;
    }
    return joint->kind == UT_JOINT_BALL ? 3 : 1;
}

void ut_dyn_passive_ahead(const utModel* model, const double* q, const double* v, double h,
                          double* tau)
{
    for (int i = 0; i < model->nv; i++) {
        tau[i] = -model->dof_damping[i] * v[i];
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = model->joint + j;
        const int width = spring_width(joint);
        ut_dyn_spring(joint, q, tau);
        for (int i = joint->v; i < joint->v + width; i++) {
            tau[i] -= h * joint->stiffness * v[i];
        }
    }
}

void ut_dyn_passive(const utModel* model, const double* q, const double* v, double* tau)
{
    ut_dyn_passive_ahead(model, q, v, 0.0, tau);
}

void ut_dyn_passive_diagonal(const utModel* model, double h, double* more)
{
    for (int i = 0; i < model->nv; i++) {
        more[i] = h * model->dof_damping[i];
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = model->joint + j;
        const int width = spring_width(joint);
        for (int i = joint->v; i < joint->v + width; i++) {
            more[i] += h * h * joint->stiffness;
        }
    }
}
