// SPDX-License-Identifier: Apache-2.0
// The state after the step: stored velocity, position and energy.
#include <string.h>

#include "internal.h"

// ---- velocities ---------------------------------------------------------------------------------

// A velocity error beyond rounding, over V.
static double over_V(const Judge* judge, int tree, double error)
{
    const double beyond = error - SPEED_ROUNDING * judge->island.speed[tree];
    return isnan(beyond) || beyond > 0.0 ? beyond / judge->island.V[tree] : 0.0;
}

double ut_certify_stored(Judge* judge)
{
    const utModel* model = judge->model;
    double largest = 0.0;
    for (int i = 0; i < model->nv; i++) {
        const int island = judge->island.first_tree[model->body[model->dof_body[i]].tree];
        const double error = ut_dof_length(model, i) * fabs(judge->motion.v_error[i]);
        largest = ut_larger(largest, over_V(judge, island, error));
    }
    if (judge->report->contacts > 0) {
        ut_kinematics_set_velocities(&judge->kin_contact, judge->motion.v_error, NULL);
    }
    for (int i = 0; i < judge->report->contacts; i++) {
        const double error = ut_vec3_norm(contact_velocity(judge, i));
        largest = ut_larger(largest, over_V(judge, island_of(judge, i), error));
    }
    double* turn = judge->item.turn_b; // not needed any more
    ut_certify_turns(judge, false, turn);
    for (int i = 0; judge->spins && i < judge->report->contacts; i++) {
        const double error = ut_vec3_norm(load3(turn + 3 * (size_t)i));
        largest = ut_larger(largest, over_V(judge, island_of(judge, i), error));
    }
    return largest;
}

// ---- positions ----------------------------------------------------------------------------------

double ut_certify_position(const Judge* judge)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    const double* q = judge->motion.q_next;
    double largest = 0.0;
    for (int i = 0; report->instant && i < model->nq; i++) {
        if (report->q_next[i] != report->q[i]) {
            return HUGE_VAL; // an instant changes no position
        }
    }
    for (int j = 0; j < model->njoint; j++) {
        const utModelJoint* joint = &model->joint[j];
        if (report->q_next[joint->q] == q[joint->q] &&
            (joint->kind == UT_JOINT_HINGE || joint->kind == UT_JOINT_SLIDE)) {
            continue; // no error at all
        }
        const int count = ut_joint_positions(joint->kind);
        const int linear = joint->kind == UT_JOINT_FREE   ? 3
                           : joint->kind == UT_JOINT_BALL ? 0
                                                          : count;
        const double arm = joint->kind == UT_JOINT_FREE || joint->kind == UT_JOINT_PLANAR
                               ? ut_vec3_norm(model->body[joint->body].com)
                               : 0.0;
        for (int k = 0; k < count; k++) {
            // an entry of a quaternion has the size 1; the size of a frame's position includes the
            // distance to the centre of mass, because the step integrates that point
            const double size = k < linear ? fabs(judge->q[joint->q + k]) +
                                                 report->h * fabs(judge->v_next[joint->v + k]) + arm
                                           : 1.0;
            const double error = fabs(report->q_next[joint->q + k] - q[joint->q + k]);
            largest = error != 0.0 ? ut_larger(largest, error / size) : largest;
        }
    }
    return largest;
}

// ---- energy -------------------------------------------------------------------------------------

// The energy of a configuration, which kin is placed at. Kinetic energy is taken relative to mocap
// bodies, so that moving a tree with its mocap body needs no work.
// @param kinetic receives the kinetic energy
static double energy_at(const Judge* judge, utKinematics* kin, const double* q, const double* v,
                        double* kinetic)
{
    ut_kinematics_set_velocities(kin, v, NULL);
    *kinetic = ut_dyn_kinetic(kin, v);
    return *kinetic + ut_dyn_potential(kin, q, judge->report->gravity);
}

static double energy_before(Judge* judge)
{
    const utStepReport* report = judge->report;
    if (report->projection != NULL) {
        ut_kinematics_place(&judge->kin_start, report->q, report->mocap_pos, report->mocap_quat);
    }
    double kinetic;
    return energy_at(judge, &judge->kin_start, report->q, report->v, &kinetic);
}

static double energy_after(Judge* judge)
{
    const utStepReport* report = judge->report;
    if (judge->model->nmocap > 0) {
        ut_kinematics_place(&judge->kin_end, report->q_next, report->mocap_pos, report->mocap_quat);
    }
    return energy_at(judge, &judge->kin_end, report->q_next, report->v_next, &judge->kinetic_after);
}

static bool all_zero(const utForce* applied, int count)
{
    double sum = 0.0;
    for (int b = 0; b < count; b++) {
        const utForce* f = &applied[b];
        sum += fabs(f->force.x) + fabs(f->force.y) + fabs(f->force.z) + fabs(f->torque.x) +
               fabs(f->torque.y) + fabs(f->torque.z);
    }
    return sum == 0.0;
}

// Work of applied forces and actuators at the mean velocity.
static double work_of_forces(Judge* judge)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    double* mean = judge->temp;
    double work = 0.0;
    for (int i = 0; i < model->nv; i++) {
        const double change = judge->v_next[i] - judge->v[i];
        const double force = entry_or_zero(report->force, i);
        const double diagonal = entry_or_zero(report->actuator_diagonal, i);
        mean[i] = judge->v[i] + 0.5 * change;
        work += (report->h * force - diagonal * change) * mean[i];
        if (report->stiffness != NULL && report->stiffness[i] != 0.0) {
            const int q = model->joint[model->dof_joint[i]].q;
            work -= report->h * report->stiffness[i] * 0.5 * (judge->q[q] + report->q_next[q]) *
                    mean[i];
        }
        work -= report->damping != NULL ? report->h * report->damping[i] * mean[i] * mean[i] : 0.0;
    }
    if (report->applied == NULL || all_zero(report->applied, model->nbody)) {
        return work;
    }
    ut_kinematics_set_velocities(&judge->kin_start, mean, NULL);
    for (int b = 0; b < model->nbody; b++) {
        const utVec3 at = ut_point_velocity(&judge->kin_start, b, judge->kin_start.com[b]);
        const utForce* f = &report->applied[b];
        if (model->body[b].tree >= 0) {
            work += report->h * (ut_vec3_dot(f->force, at) +
                                 ut_vec3_dot(f->torque, judge->kin_start.velocity[b].angular));
        }
    }
    return work;
}

// Work of mocap bodies and belts through a contact. kin_contact is moved by mocap velocities only.
static double work_through_contact(const Judge* judge, int i)
{
    const utContact* c = &judge->report->contact[i];
    const utVec3 apart = ut_vec3_add(contact_velocity(judge, i), ut_certify_belts(judge, c));
    double work = 0.0;
    for (int k = 0; k < 3; k++) {
        // the contact acts on geom2 with r; a mocap body or belt does the opposite work
        work -= c->r[k] * ut_vec3_dot(c->frame[k], apart);
    }
    if (contact_spins(c)) {
        const utMotion* velocity = judge->kin_contact.velocity;
        const utVec3 turn = ut_vec3_sub(velocity[contact_body(judge, i, 1)].angular,
                                        velocity[contact_body(judge, i, 0)].angular);
        const utVec3 spin = ut_vec3_add(turn, ut_certify_belt_spin(judge, c));
        for (int k = 0; k < 3; k++) {
            work -= c->torque[k] * ut_vec3_dot(c->frame[k], spin);
        }
    }
    return work;
}

// The same through a row between bodies. Springs are excluded, because the energy contains theirs.
static double work_through_row(const Judge* judge, const utRow* row)
{
    double work = 0.0;
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? row->body1 : row->body2;
        const utVec3 point = side == 0 ? row->point1 : row->point2;
        const double power =
            ut_vec3_dot(row->linear, ut_point_velocity(&judge->kin_contact, body, point)) +
            ut_vec3_dot(row->angular, judge->kin_contact.velocity[body].angular);
        work += (side == 0 ? row->r : -row->r) * power;
    }
    return work;
}

static double work_of_mocaps(Judge* judge)
{
    const utStepReport* report = judge->report;
    double work = 0.0;
    if (judge->model->nmocap == 0 && !judge->belts) {
        return work;
    }
    ut_kinematics_set_velocities(&judge->kin_contact, judge->zero, report->mocap_velocity);
    for (int i = 0; i < report->contacts; i++) {
        work += work_through_contact(judge, i);
    }
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        if (ut_row_has_bodies(row) && (row->kind == UT_ROW_EQUALITY || row->kind <= UT_ROW_BALL)) {
            work += work_through_row(judge, row);
        } else if (row->terms > 0 && (ut_row_is_limit(row) || ut_row_is_equality(row))) {
            work -= row->r * ut_certify_terms_mocap_rate(judge, row, report->mocap_velocity);
        }
    }
    return work;
}

// Does a tree stand on a rotating mocap body? The work at its joint is then unknown.
static bool stands_on_rotating_mocap(Judge* judge)
{
    const utModel* model = judge->model;
    bool rotates = false;
    if (model->nmocap == 0) {
        return false;
    }
    ut_kinematics_set_velocities(&judge->kin_contact, judge->zero, judge->report->mocap_velocity);
    for (int t = 0; t < model->ntree; t++) {
        const int root = model->tree[t].body;
        const utVec3 w = judge->kin_contact.velocity[model->body[root].parent].angular;
        rotates = rotates || ut_vec3_dot(w, w) > 0.0;
    }
    return rotates;
}

// Work of actuators that are rows of joints or have terms: impulses at the mean velocity.
static double work_of_actuators(const Judge* judge)
{
    const utStepReport* report = judge->report;
    double work = 0.0;
    for (int j = 0; j < report->rows; j++) {
        const utRow* row = &report->row[j];
        if (row->kind == UT_ROW_ACTUATOR && row->dof >= 0) {
            const double mean = 0.5 * (judge->v[row->dof] + judge->v_next[row->dof]);
            work += row->length * row->direction[0] * row->r * mean;
        } else if (row->kind == UT_ROW_ACTUATOR) {
            work +=
                0.5 * row->r *
                (ut_row_terms_velocity(row, judge->v) + ut_row_terms_velocity(row, judge->v_next));
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
    if (!judge->knows_energy) {
        judge->energy_before = energy_before(judge);
    }
    judge->energy_after = energy_after(judge);
    const double gain = judge->energy_after - judge->energy_before - work;
    return gain > 0.0 && stands_on_rotating_mocap(judge) ? 0.0 : gain;
}
