// SPDX-License-Identifier: Apache-2.0
// The state that a step ended with: does it follow from the impulses, and what became of the
// energy?
#include <string.h>

#include "internal.h"

// A velocity that was found by other operations in another order differs by some roundings of the
// island's speed; V can be 1e-5 of that and less. Impulses that cancel leave nothing, because both
// sums have twice the digits.
static const double ROUNDING = 256.0 * DBL_EPSILON;

// ---- velocities ---------------------------------------------------------------------------------

static double over_scale(const Judge* judge, int tree, double off)
{
    const double beyond = off - ROUNDING * judge->speed[tree];
    return isnan(beyond) || beyond > 0.0 ? beyond / judge->V[tree] : 0.0;
}

double ut_certify_stored(Judge* judge)
{
    const utModel* model = judge->model;
    double most = 0.0;
    for (int i = 0; i < model->nv; i++) {
        const int island = judge->group[model->body[model->dof_body[i]].tree];
        const double off = dof_length(model, i) * fabs(judge->off[i]);
        most = larger(most, over_scale(judge, island, off));
    }
    ut_kinematics_move(&judge->touch, judge->off, NULL);
    for (int i = 0; i < judge->report->contacts; i++) {
        const utVec3 point = judge->report->contact[i].point;
        const utVec3 one = ut_point_velocity(&judge->touch, contact_body(judge, i, 0), point);
        const utVec3 two = ut_point_velocity(&judge->touch, contact_body(judge, i, 1), point);
        const double off = ut_vec3_norm(ut_vec3_sub(two, one));
        most = larger(most, over_scale(judge, island_of(judge, i), off));
    }
    return most;
}

// ---- positions ----------------------------------------------------------------------------------

double ut_certify_position(const Judge* judge)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    const double* q = judge->position;
    double most = 0.0;
    for (int i = 0; report->instant && i < model->nq; i++) {
        if (report->q_next[i] != report->q[i]) {
            return HUGE_VAL; // nothing moves in an instant
        }
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        const int count = ut_joint_positions(joint->kind);
        const int linear = joint->kind == UT_JOINT_FREE   ? 3
                           : joint->kind == UT_JOINT_BALL ? 0
                                                          : count;
        const double arm = joint->kind == UT_JOINT_FREE || joint->kind == UT_JOINT_PLANAR
                               ? ut_vec3_norm(model->body[joint->body].com)
                               : 0.0;
        for (int k = 0; k < count; k++) {
            // the entries of a quaternion are measured by 1, the place of a frame also by its
            // distance from the centre of mass that it was found from
            const double size = k < linear ? fabs(judge->q[joint->q + k]) +
                                                 report->h * fabs(judge->v_next[joint->v + k]) + arm
                                           : 1.0;
            const double off = fabs(report->q_next[joint->q + k] - q[joint->q + k]);
            most = off != 0.0 ? larger(most, off / size) : most;
        }
    }
    return most;
}

// ---- energy -------------------------------------------------------------------------------------

// Trees on a body that is moved from outside are seen from that body, which needs no work then.
static double energy_at(Judge* judge, const double* q, const double* v)
{
    const utStepReport* report = judge->report;
    ut_kinematics_place(&judge->kin, q, report->mocap_pos, report->mocap_quat);
    ut_kinematics_move(&judge->kin, v, NULL);
    return ut_dyn_kinetic(&judge->kin, v) + ut_dyn_potential(&judge->kin, q, report->gravity);
}

// Work of forces that were held, at the mean velocity, those of actuators as they changed with it.
static double work_of_forces(Judge* judge)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    double* mean = judge->work;
    double work = 0.0;
    for (int i = 0; i < model->nv; i++) {
        const double change = judge->v_next[i] - judge->v[i];
        const double force = report->force != NULL ? report->force[i] : 0.0;
        const double more = report->actuator_diagonal != NULL ? report->actuator_diagonal[i] : 0.0;
        mean[i] = judge->v[i] + 0.5 * change;
        work += (report->h * force - more * change) * mean[i];
        if (report->stiffness != NULL && report->stiffness[i] != 0.0) {
            const int q = model->joint[model->dof_joint[i]].q;
            work -= report->h * report->stiffness[i] * 0.5 * (judge->q[q] + report->q_next[q]) *
                    mean[i];
        }
        work -= report->damping != NULL ? report->h * report->damping[i] * mean[i] * mean[i] : 0.0;
    }
    ut_kinematics_place(&judge->kin, judge->q, report->mocap_pos, report->mocap_quat);
    ut_kinematics_move(&judge->kin, mean, NULL);
    for (int b = 0; report->applied != NULL && b < model->nbody; b++) {
        const utVec3 at = ut_point_velocity(&judge->kin, b, judge->kin.com[b]);
        const utForce* f = &report->applied[b];
        if (model->body[b].tree >= 0) {
            work += report->h * (ut_vec3_dot(f->force, at) +
                                 ut_vec3_dot(f->torque, judge->kin.velocity[b].angular));
        }
    }
    return work;
}

// Work that bodies moved from outside, and what stands on them, do through a contact; and belts.
// touch is moved by the former alone.
static double work_through_contact(const Judge* judge, int i)
{
    const utContact* c = &judge->report->contact[i];
    const utVec3 one = ut_point_velocity(&judge->touch, contact_body(judge, i, 0), c->point);
    const utVec3 two = ut_point_velocity(&judge->touch, contact_body(judge, i, 1), c->point);
    const utVec3 apart = ut_vec3_add(ut_vec3_sub(two, one), ut_certify_belts(judge, c));
    double work = 0.0;
    for (int k = 0; k < 3; k++) {
        // geom2 gets the impulse r and geom1 -r, and they give the opposite
        work -= c->r[k] * ut_vec3_dot(c->frame[k], apart);
    }
    return work;
}

// The same through a row that holds bodies together or apart. Springs have their energy.
static double work_through_row(const Judge* judge, const utRow* row)
{
    double work = 0.0;
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? row->body1 : row->body2;
        const utVec3 point = side == 0 ? row->point1 : row->point2;
        const double power =
            ut_vec3_dot(row->linear, ut_point_velocity(&judge->touch, body, point)) +
            ut_vec3_dot(row->angular, judge->touch.velocity[body].angular);
        work += (side == 0 ? row->r : -row->r) * power;
    }
    return work;
}

static double work_of_mocaps(Judge* judge)
{
    const utStepReport* report = judge->report;
    double work = 0.0;
    ut_kinematics_move(&judge->touch, judge->zero, report->mocap_velocity);
    for (int i = 0; i < report->contacts; i++) {
        work += work_through_contact(judge, i);
    }
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        if (row->dof < 0 && (row->kind == UT_ROW_EQUALITY || row->kind <= UT_ROW_BALL)) {
            work += work_through_row(judge, row);
        }
    }
    return work;
}

// Does a tree stand on a body that is turned from outside? What is put in through its joints is not
// known then.
static bool is_turned(Judge* judge)
{
    const utModel* model = judge->model;
    bool turned = false;
    ut_kinematics_move(&judge->touch, judge->zero, judge->report->mocap_velocity);
    for (int t = 0; t < model->ntree; t++) {
        const int root = model->tree[t].body;
        const utVec3 w = judge->touch.velocity[model->body[root].parent].angular;
        turned = turned || ut_vec3_dot(w, w) > 0.0;
    }
    return turned;
}

// Work of limited actuators of joints: their rows' impulses at the mean velocity.
static double work_of_actuators(const Judge* judge)
{
    const utStepReport* report = judge->report;
    double work = 0.0;
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        if (row->kind == UT_ROW_ACTUATOR && row->dof >= 0) {
            const double mean = 0.5 * (judge->v[row->dof] + judge->v_next[row->dof]);
            work += row->length * row->direction[0] * row->r * mean;
        }
    }
    return work;
}

double ut_certify_energy(Judge* judge)
{
    const utStepReport* report = judge->report;
    double work = work_of_mocaps(judge);
    if (!report->instant) {
        work += work_of_forces(judge) + work_of_actuators(judge) + ut_certify_equality_work(judge);
    }
    const double before = energy_at(judge, report->q, report->v);
    const double gain = energy_at(judge, report->q_next, report->v_next) - before - work;
    return gain > 0.0 && is_turned(judge) ? 0.0 : gain;
}
