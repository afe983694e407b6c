// Positions live on a manifold: moving along velocities, finding the velocities between two, and
// keeping quaternions units.
#include "internal.h"

// Where a joint's quaternion is in its positions, -1 without one.
static int quat_offset(utJointKind kind)
{
    switch (kind) {
    case UT_JOINT_FREE:
        return 3;
    case UT_JOINT_BALL:
        return 0;
    case UT_JOINT_HINGE:
    case UT_JOINT_SLIDE:
    case UT_JOINT_PLANAR:
    case UT_JOINT_PARTICLE:
    case UT_JOINT_KIND_COUNT:
        break;
    }
    return -1;
}

// How many numbers of a joint move along their velocities as they are.
static int plain_positions(utJointKind kind)
{
    const int quat = quat_offset(kind);
    return quat >= 0 ? quat : ut_joint_positions(kind);
}

bool ut_model_unit(utQuat q, utQuat* unit)
{
    *unit = ut_quat_identity();
    double largest = fmax(fmax(fabs(q.w), fabs(q.x)), fmax(fabs(q.y), fabs(q.z)));
    if (!(largest > 0.0 && largest <= DBL_MAX) || isnan(q.w + q.x + q.y + q.z)) {
        return false;
    }
    // A quotient by the norm is off a unit by some roundings (8 u in its square, 4 u more in
    // finding that): then dividing again would only move it about.
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (fabs(square - 1.0) <= 8.0 * DBL_EPSILON) {
        *unit = q;
        return true;
    }
    return ut_quat_normalize(ut_quat(q.w / largest, q.x / largest, q.y / largest, q.z / largest),
                             unit);
}

void ut_model_integrate(const utModel* model, const double* q, const double* v, double h,
                        double* q_next)
{
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const double* from = q + joint->q;
        const double* rate = v + joint->v;
        double* to = q_next + joint->q;
        const int plain = plain_positions(joint->kind);
        for (int k = 0; k < plain; k++) {
            to[k] = from[k] + h * rate[k];
        }
        const int at = quat_offset(joint->kind);
        if (at >= 0) {
            ut_model_store_quat(ut_quat_integrate_body(ut_model_load_quat(from + at),
                                                       ut_model_load_vec3(rate + plain), h),
                                to + at);
        }
    }
}

void ut_model_difference(const utModel* model, const double* from, const double* to, double* v)
{
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const double* a = from + joint->q;
        const double* b = to + joint->q;
        double* rate = v + joint->v;
        const int plain = plain_positions(joint->kind);
        for (int k = 0; k < plain; k++) {
            rate[k] = b[k] - a[k];
        }
        const int at = quat_offset(joint->kind);
        if (at >= 0) {
            // exp(w) = a* b, both units
            const utQuat turn = ut_quat_mul(ut_quat_conjugate(ut_model_load_quat(a + at)),
                                            ut_model_load_quat(b + at));
            ut_model_store_vec3(ut_quat_log(turn), rate + plain);
        }
    }
}

// The first entry of q that cannot be, -1 for none.
static int first_bad(const utModel* model, const double* q)
{
    for (int i = 0; i < model->nq; i++) {
        if (!isfinite(q[i])) {
            return i;
        }
    }
    for (int j = 0; j < model->njoint; j++) {
        const int at = quat_offset(model->joint[j].kind);
        utQuat unit;
        if (at >= 0 && !ut_model_unit(ut_model_load_quat(q + model->joint[j].q + at), &unit)) {
            return model->joint[j].q + at;
        }
    }
    return -1;
}

bool ut_model_normalize(const utModel* model, double* q, int* at)
{
    const int bad = first_bad(model, q);
    if (bad >= 0) {
        if (at != NULL) {
            *at = bad;
        }
        return false;
    }
    for (int j = 0; j < model->njoint; j++) {
        const int offset = quat_offset(model->joint[j].kind);
        if (offset >= 0) {
            double* quat = q + model->joint[j].q + offset;
            utQuat unit;
            ut_model_unit(ut_model_load_quat(quat), &unit);
            ut_model_store_quat(unit, quat);
        }
    }
    return true;
}
