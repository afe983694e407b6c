// SPDX-License-Identifier: Apache-2.0
// Can a report be judged at all: is everything there, within the model, and finite?
#include <string.h>

#include "internal.h"

static bool finite(const double* x, int count)
{
    for (int i = 0; x != NULL && i < count; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

static bool finite3(utVec3 x)
{
    return isfinite(x.x) && isfinite(x.y) && isfinite(x.z);
}

static bool wrenches_finite(const utForce* x, int count)
{
    for (int i = 0; x != NULL && i < count; i++) {
        if (!finite3(x[i].force) || !finite3(x[i].torque)) {
            return false;
        }
    }
    return true;
}

static bool twists_finite(const utMotion* x, int count)
{
    for (int i = 0; x != NULL && i < count; i++) {
        if (!finite3(x[i].linear) || !finite3(x[i].angular)) {
            return false;
        }
    }
    return true;
}

static bool contact_finite(const utContact* c)
{
    return finite3(c->point) && finite3(c->frame[0]) && finite3(c->frame[1]) &&
           finite3(c->frame[2]) && isfinite(c->gap) && isfinite(c->mu) && finite(c->b, 3) &&
           finite(c->r, 3) && finite(c->u, 3) && isfinite(c->e) && isfinite(c->restitution) &&
           isfinite(c->u_n_before) && isfinite(c->rebound) && finite(c->compression, 3);
}

// bounds may be infinite
static bool row_finite(const utRow* row)
{
    const bool bodies = row->dof >= 0 || (finite3(row->linear) && finite3(row->angular) &&
                                          finite3(row->point1) && finite3(row->point2));
    return bodies && finite(row->direction, row->dofs) && isfinite(row->length) &&
           isfinite(row->compliance) && isfinite(row->gap) && isfinite(row->b) &&
           !isnan(row->low) && !isnan(row->high) && isfinite(row->r) && isfinite(row->u) &&
           isfinite(row->e);
}

bool ut_certify_finite(const utStepReport* report)
{
    const utModel* model = report->model;
    bool good =
        isfinite(report->time) && isfinite(report->h) && finite3(report->gravity) &&
        isfinite(report->energy) && isfinite(report->energy_next) && finite(report->q, model->nq) &&
        finite(report->v, model->nv) && finite(report->ctrl, model->nu) &&
        finite(report->force, model->nv) && finite(report->caller_force, model->nv) &&
        finite(report->actuator_diagonal, model->nv) &&
        wrenches_finite(report->applied, model->nbody) &&
        finite(report->mocap_pos, 3 * model->nmocap) &&
        finite(report->mocap_quat, 4 * model->nmocap) &&
        twists_finite(report->mocap_velocity, model->nmocap) && finite(report->v_free, model->nv) &&
        finite(report->v_next, model->nv) && finite(report->q_next, model->nq) &&
        finite(report->projection, model->nv) && finite(report->stiffness, model->nv) &&
        finite(report->damping, model->nv) && finite(report->q_free, model->nq) &&
        finite(report->v_ahead, model->nv) && finite(report->mocap_ahead, model->nmocap) &&
        finite(report->mocap_pos_next, 3 * model->nmocap) &&
        finite(report->mocap_quat_next, 4 * model->nmocap);
    good = good && isfinite(report->minimum_rebound);
    for (int i = 0; i < report->contacts; i++) {
        good = good && contact_finite(&report->contact[i]);
    }
    for (int k = 0; report->island != NULL && k < report->islands; k++) {
        good = good && isfinite(report->island[k].restitution_scale);
    }
    for (int k = 0; report->transition != NULL && k < report->transitions; k++) {
        good =
            good && isfinite(report->transition[k].time) && isfinite(report->transition[k].speed);
    }
    for (int j = 0; j < report->rows; j++) {
        good = good && row_finite(&report->row[j]);
    }
    return good;
}

static bool within(int index, int count)
{
    return index >= 0 && index < count;
}

// Two geoms of different bodies, at least one of which moves.
static bool contact_within(const utModel* model, const utContact* c)
{
    const int sides = model->ngeom + model->nsite;
    if (!within(c->geom1, sides) || !within(c->geom2, sides)) {
        return false;
    }
    const int one = ut_model_side_body(model, c->geom1);
    const int two = ut_model_side_body(model, c->geom2);
    return one != two && (model->body[one].tree >= 0 || model->body[two].tree >= 0);
}

// A row between bodies has two of them, at least one of which moves.
static bool body_row_within(const utModel* model, const utRow* row)
{
    return within((int)row->kind, UT_ROW_KIND_COUNT) && within(row->body1, model->nbody) &&
           within(row->body2, model->nbody) && row->body1 != row->body2 && row->length == 1.0 &&
           row->compliance >= 0.0 &&
           (model->body[row->body1].tree >= 0 || model->body[row->body2].tree >= 0);
}

// A row of a joint acts on velocities of its own.
static bool row_within(const utModel* model, const utRow* row)
{
    if (row->dof < 0) {
        return body_row_within(model, row);
    }
    if (!within((int)row->kind, UT_ROW_KIND_COUNT) || !within(row->joint, model->njoint) ||
        (row->dofs != 1 && row->dofs != 3) || !(row->length > 0.0) || !(row->compliance >= 0.0)) {
        return false;
    }
    for (int k = 0; k < row->dofs; k++) {
        if (!within(row->dof + k, model->nv) || model->dof_joint[row->dof + k] != row->joint) {
            return false;
        }
    }
    return row->kind != UT_ROW_ACTUATOR || within(row->actuator, model->nactuator);
}

static bool all_within(const utStepReport* report)
{
    bool good = true;
    for (int i = 0; i < report->contacts; i++) {
        good = good && contact_within(report->model, &report->contact[i]);
    }
    for (int j = 0; j < report->rows; j++) {
        good = good && row_within(report->model, &report->row[j]);
    }
    return good;
}

// A report may do without islands; what nothing moves is in none.
static bool island_within(const utStepReport* report, int island)
{
    return report->islands == 0 || island == -1 || within(island, report->islands);
}

// Impacts: an instant takes no time and moves nothing.
static bool impacts_within(const utStepReport* report)
{
    bool good = report->islands >= 0 && report->transitions >= 0 && report->parts == 0 &&
                (report->transitions == 0 || report->transition != NULL) &&
                (report->islands == 0 || report->island != NULL);
    good = good && (!report->instant ||
                    (report->h == 0.0 && report->projection == NULL && report->v_ahead == NULL));
    for (int i = 0; good && i < report->contacts; i++) {
        good = island_within(report, report->contact[i].island);
    }
    for (int j = 0; good && j < report->rows; j++) {
        good = island_within(report, report->row[j].island);
    }
    for (int k = 0; good && k < report->islands; k++) {
        good = within((int)report->island[k].bounce, UT_BOUNCE_COUNT);
    }
    for (int k = 0; good && k < report->transitions; k++) {
        const utTransition* t = &report->transition[k];
        good = within((int)t->from, UT_MODE_COUNT) && within((int)t->to, UT_MODE_COUNT);
    }
    return good;
}

utCertificateReason ut_certify_sound(const utStepReport* report)
{
    const utModel* model = report->model;
    const bool state = model->nq == 0 || (report->q != NULL && report->q_next != NULL);
    const bool motion =
        model->nv == 0 || (report->v != NULL && report->v_free != NULL && report->v_next != NULL);
    const bool mocaps =
        report->mocap_ahead == NULL || model->nmocap == 0 ||
        (report->mocap_pos != NULL && report->mocap_quat != NULL && report->mocap_velocity != NULL);
    if (!state || !motion || !mocaps || report->contacts < 0 || report->rows < 0 ||
        (report->contacts > 0 && report->contact == NULL) ||
        (report->rows > 0 && report->row == NULL) || !all_within(report) ||
        !impacts_within(report)) {
        return UT_REASON_REPORT;
    }
    return !ut_certify_finite(report)              ? UT_REASON_NOT_FINITE
           : !(report->instant || report->h > 0.0) ? UT_REASON_REPORT
                                                   : UT_REASON_NONE;
}
