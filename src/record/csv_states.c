// The table of states: time, bodies, joints.
#include "internal.h"

// ---- sizes of a joint ---------------------------------------------------------------------------

static int positions(utJointKind kind)
{
    return kind == UT_JOINT_FREE ? 7 : kind == UT_JOINT_BALL ? 4 : 1;
}

static int velocities(utJointKind kind)
{
    return kind == UT_JOINT_FREE ? 6 : kind == UT_JOINT_BALL ? 3 : 1;
}

// ---- head ---------------------------------------------------------------------------------------

static void head_of_body(utCsv* csv, int body)
{
    static const char* const endings[] = {".x",  ".y",  ".z",  ".qw", ".qx", ".qy", ".qz",
                                          ".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        ut_csv_put(csv, ",", 1);
        ut_csv_name(csv, csv->model->body[body].name, "body", body, endings[k], -1);
    }
}

static void head_of_joint(utCsv* csv, int joint, const char* ending, int count)
{
    for (int k = 0; k < count; k++) {
        ut_csv_put(csv, ",", 1);
        ut_csv_name(csv, csv->model->joint[joint].name, "joint", joint, ending, count > 1 ? k : -1);
    }
}

bool ut_csv_states_head(utCsv* csv)
{
    const utModel* model = csv->model;
    ut_csv_put(csv, "time", 4);
    for (int i = 1; i < model->nbody; i++) {
        head_of_body(csv, i);
    }
    for (int j = 0; j < model->njoint; j++) {
        head_of_joint(csv, j, ".q", positions(model->joint[j].kind));
        head_of_joint(csv, j, ".qd", velocities(model->joint[j].kind));
    }
    ut_csv_put(csv, "\n", 1);
    return !csv->failed;
}

// ---- rows ---------------------------------------------------------------------------------------

static void put_numbers(utCsv* csv, const double* x, int count)
{
    for (int k = 0; k < count; k++) {
        ut_csv_put(csv, ",", 1);
        ut_csv_number(csv, x[k]);
    }
}

static void row_of_body(utCsv* csv, int body)
{
    const utVec3 com = csv->kin.com[body];
    const utQuat quat = csv->kin.quat[body];
    const utVec3 velocity = ut_point_velocity(&csv->kin, body, com);
    const utVec3 angular = csv->kin.velocity[body].angular;
    const double cells[] = {com.x,     com.y,     com.z,      quat.w,     quat.x,
                            quat.y,    quat.z,    velocity.x, velocity.y, velocity.z,
                            angular.x, angular.y, angular.z};
    put_numbers(csv, cells, (int)(sizeof cells / sizeof *cells));
}

bool ut_csv_states_row(utCsv* csv, const utRecordState* state)
{
    const utModel* model = csv->model;
    ut_kinematics_place(&csv->kin, state->q, state->mocap_pos, state->mocap_quat);
    ut_kinematics_move(&csv->kin, state->v, state->mocap_velocity);
    ut_csv_number(csv, state->time);
    for (int i = 1; i < model->nbody; i++) {
        row_of_body(csv, i);
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        put_numbers(csv, state->q + joint->q, positions(joint->kind));
        put_numbers(csv, state->v + joint->v, velocities(joint->kind));
    }
    ut_csv_put(csv, "\n", 1);
    return !csv->failed;
}
