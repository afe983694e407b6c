// The state that a step ended with: does it follow from the impulses, and what became of the
// energy?
#include <string.h>

#include "internal.h"

// A velocity that was found by other operations in another order differs by some roundings of the
// island's speed, and of the speeds that single impulses give: redundant rows may carry large ones
// that cancel. V can be 1e-5 of that and less.
static const double ROUNDING = 256.0 * DBL_EPSILON;

// ---- velocities ---------------------------------------------------------------------------------

static double over_scale(const Judge* judge, int tree, double off)
{
    const double beyond = off - ROUNDING * judge->speed[tree];
    return isnan(beyond) || beyond > 0.0 ? beyond / judge->V[tree] : 0.0;
}

// Let the speeds of islands be at least those that a contact's or row's impulse by itself gives it.
static void raise_by_impulses(Judge* judge)
{
    const utStepReport* report = judge->report;
    for (int i = 0; i < report->contacts + report->rows; i++) {
        const bool contact = i < report->contacts;
        const double r = contact ? ut_vec3_norm(load3(report->contact[i].r))
                                 : fabs(report->row[i - report->contacts].r);
        double* speed = &judge->speed[island_of(judge, i)];
        *speed = larger(*speed, r * judge->trace[i]);
    }
}

double ut_certify_stored(Judge* judge)
{
    const utModel* model = judge->model;
    double most = 0.0;
    raise_by_impulses(judge);
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

static double energy_at(Judge* judge, const double* q, const double* v)
{
    const utStepReport* report = judge->report;
    ut_kinematics_place(&judge->kin, q, report->mocap_pos, report->mocap_quat);
    ut_kinematics_move(&judge->kin, v, report->mocap_velocity);
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
        const double more = report->more != NULL ? report->more[i] : 0.0;
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
    ut_kinematics_move(&judge->kin, mean, report->mocap_velocity);
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

// Work that bodies moved from outside do through contacts.
static double work_of_mocaps(Judge* judge)
{
    double work = 0.0;
    ut_kinematics_move(&judge->touch, judge->zero, judge->report->mocap_velocity);
    for (int i = 0; i < judge->report->contacts; i++) {
        const utContact* c = &judge->report->contact[i];
        for (int side = 0; side < 2; side++) {
            const int body = contact_body(judge, i, side);
            if (judge->model->body[body].tree >= 0) {
                continue;
            }
            const utVec3 at = ut_point_velocity(&judge->touch, body, c->point);
            for (int k = 0; k < 3; k++) {
                // it gets the impulse r as geom2 and -r as geom1, and gives the opposite
                work += (side == 0 ? 1.0 : -1.0) * c->r[k] * ut_vec3_dot(c->frame[k], at);
            }
        }
    }
    return work;
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
    return energy_at(judge, report->q_next, report->v_next) - before - work;
}
