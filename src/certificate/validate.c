// SPDX-License-Identifier: Apache-2.0
// Can a report be checked at all? All arrays must be present, indices belong to the model, and
// numbers be finite.
#include <string.h>

#include "internal.h"

static bool vec3_finite(utVec3 x)
{
    return isfinite(x.x) && isfinite(x.y) && isfinite(x.z);
}

static bool wrenches_finite(const utForce* x, int count)
{
    for (int i = 0; x != NULL && i < count; i++) {
        if (!vec3_finite(x[i].force) || !vec3_finite(x[i].torque)) {
            return false;
        }
    }
    return true;
}

static bool twists_finite(const utMotion* x, int count)
{
    for (int i = 0; x != NULL && i < count; i++) {
        if (!vec3_finite(x[i].linear) || !vec3_finite(x[i].angular)) {
            return false;
        }
    }
    return true;
}

// 0 when all entries are finite, else NaN: 0 x is 0 for a finite x only.
static double zero3(const double* x)
{
    return 0.0 * x[0] + 0.0 * x[1] + 0.0 * x[2];
}

static double zero_vec3(utVec3 x)
{
    return 0.0 * x.x + 0.0 * x.y + 0.0 * x.z;
}

static bool contact_finite(const utContact* c)
{
    const double place = zero_vec3(c->point) + zero_vec3(c->frame[0]) + zero_vec3(c->frame[1]) +
                         zero_vec3(c->frame[2]) + 0.0 * c->gap;
    const double law = zero3(c->b) + zero3(c->r) + zero3(c->u) + 0.0 * c->mu + 0.0 * c->e;
    const double impact =
        0.0 * c->restitution + 0.0 * c->u_n_before + 0.0 * c->rebound + zero3(c->compression);
    const double spins = 0.0 * c->torsional + 0.0 * c->rolling + zero3(c->spin_b) +
                         zero3(c->torque) + zero3(c->spin) + zero3(c->compression_torque);
    return place + law + impact + spins == 0.0;
}

// Bounds may be infinite.
static bool row_finite(const utRow* row)
{
    const bool terms = row->terms <= 0 || ut_all_finite((size_t)row->terms, row->coefficient);
    const bool bodies = row->dof >= 0 || (vec3_finite(row->linear) && vec3_finite(row->angular) &&
                                          vec3_finite(row->point1) && vec3_finite(row->point2));
    // other numbers are rejected later
    const size_t dofs = row->dofs == 1 || row->dofs == 3 ? (size_t)row->dofs : 0;
    return bodies && terms && ut_all_finite(dofs, row->direction) && isfinite(row->length) &&
           isfinite(row->compliance) && isfinite(row->gap) && isfinite(row->b) &&
           !isnan(row->low) && !isnan(row->high) && isfinite(row->r) && isfinite(row->u) &&
           isfinite(row->e);
}

bool ut_certify_is_finite(const utStepReport* report)
{
    const utModel* model = report->model;
    const size_t nq = (size_t)model->nq, nv = (size_t)model->nv, nu = (size_t)model->nu;
    const size_t nmocap = (size_t)model->nmocap;
    bool valid = isfinite(report->time) && isfinite(report->h) && vec3_finite(report->gravity) &&
                 isfinite(report->energy) && isfinite(report->energy_next) &&
                 ut_all_finite(nq, report->q) && ut_all_finite(nv, report->v) &&
                 ut_all_finite(nu, report->ctrl) && ut_all_finite((size_t)model->na, report->act) &&
                 ut_all_finite((size_t)model->na, report->act_next) &&
                 ut_all_finite(nu, report->actuator_force) && ut_all_finite(nv, report->force) &&
                 ut_all_finite(nv, report->caller_force) &&
                 ut_all_finite(nv, report->actuator_diagonal) &&
                 wrenches_finite(report->applied, model->nbody) &&
                 ut_all_finite(3 * nmocap, report->mocap_pos) &&
                 ut_all_finite(4 * nmocap, report->mocap_quat) &&
                 twists_finite(report->mocap_velocity, model->nmocap) &&
                 ut_all_finite(nv, report->v_free) && ut_all_finite(nv, report->v_next) &&
                 ut_all_finite(nq, report->q_next) && ut_all_finite(nv, report->projection) &&
                 ut_all_finite(nv, report->correction) && ut_all_finite(nv, report->stiffness) &&
                 ut_all_finite(nv, report->damping) && ut_all_finite(nq, report->q_free) &&
                 ut_all_finite(nv, report->v_ahead) && ut_all_finite(nmocap, report->mocap_ahead) &&
                 ut_all_finite(3 * nmocap, report->mocap_pos_next) &&
                 ut_all_finite(4 * nmocap, report->mocap_quat_next);
    valid = valid && isfinite(report->minimum_rebound);
    for (int i = 0; i < report->contacts; i++) {
        valid = valid && contact_finite(&report->contact[i]);
    }
    for (int k = 0; report->island != NULL && k < report->islands; k++) {
        valid = valid && isfinite(report->island[k].restitution_scale);
    }
    for (int k = 0; report->transition != NULL && k < report->transitions; k++) {
        valid =
            valid && isfinite(report->transition[k].time) && isfinite(report->transition[k].speed);
    }
    for (int j = 0; j < report->rows; j++) {
        valid = valid && row_finite(&report->row[j]);
    }
    return valid;
}

static bool in_range(int index, int count)
{
    return index >= 0 && index < count;
}

// A contact names two geoms or sites of different bodies, at least one of them in a tree.
static bool contact_valid(const utModel* model, const utContact* c)
{
    const int sides = model->ngeom + model->nsite;
    if (!in_range(c->geom1, sides) || !in_range(c->geom2, sides)) {
        return false;
    }
    const int one = ut_model_side_body(model, c->geom1);
    const int two = ut_model_side_body(model, c->geom2);
    return one != two && (model->body[one].tree >= 0 || model->body[two].tree >= 0);
}

// A row between bodies names two different bodies, at least one of them in a tree.
static bool body_row_valid(const utModel* model, const utRow* row)
{
    return in_range((int)row->kind, UT_ROW_KIND_COUNT) && in_range(row->body1, model->nbody) &&
           in_range(row->body2, model->nbody) && row->body1 != row->body2 && row->length == 1.0 &&
           row->compliance >= 0.0 &&
           (model->body[row->body1].tree >= 0 || model->body[row->body2].tree >= 0);
}

// A row with terms names velocities in ascending order.
static bool terms_valid(const utModel* model, const utRow* row)
{
    bool valid = in_range((int)row->kind, UT_ROW_KIND_COUNT) && row->dof == -1 && row->dofs == 0 &&
                 row->index != NULL && row->coefficient != NULL && row->length > 0.0 &&
                 row->compliance >= 0.0;
    for (int k = 0; valid && k < row->terms; k++) {
        valid = in_range(row->index[k], model->nv) && (k == 0 || row->index[k] > row->index[k - 1]);
    }
    return valid && (row->kind != UT_ROW_ACTUATOR || in_range(row->actuator, model->nactuator));
}

// A row of a joint acts on velocities of that joint.
static bool row_valid(const utModel* model, const utRow* row)
{
    if (row->terms != 0) {
        return row->terms > 0 && terms_valid(model, row);
    }
    if (row->dof < 0) {
        return body_row_valid(model, row);
    }
    if (!in_range((int)row->kind, UT_ROW_KIND_COUNT) || !in_range(row->joint, model->njoint) ||
        (row->dofs != 1 && row->dofs != 3) || !(row->length > 0.0) || !(row->compliance >= 0.0)) {
        return false;
    }
    for (int k = 0; k < row->dofs; k++) {
        if (!in_range(row->dof + k, model->nv) || model->dof_joint[row->dof + k] != row->joint) {
            return false;
        }
    }
    return row->kind != UT_ROW_ACTUATOR || in_range(row->actuator, model->nactuator);
}

static bool items_valid(const utStepReport* report)
{
    bool valid = true;
    for (int i = 0; i < report->contacts; i++) {
        valid = valid && contact_valid(report->model, &report->contact[i]);
    }
    for (int j = 0; j < report->rows; j++) {
        valid = valid && row_valid(report->model, &report->row[j]);
    }
    return valid;
}

// A report may state no islands at all. -1 is the island of an item without a tree.
static bool island_valid(const utStepReport* report, int island)
{
    return report->islands == 0 || island == -1 || in_range(island, report->islands);
}

// Islands and transitions are valid, and an instant has h = 0 and changes no position.
static bool impacts_valid(const utStepReport* report)
{
    bool valid = report->islands >= 0 && report->transitions >= 0 && report->parts == 0 &&
                 (report->transitions == 0 || report->transition != NULL) &&
                 (report->islands == 0 || report->island != NULL);
    valid = valid && (!report->instant ||
                      (report->h == 0.0 && report->projection == NULL && report->v_ahead == NULL));
    for (int i = 0; valid && i < report->contacts; i++) {
        valid = island_valid(report, report->contact[i].island);
    }
    for (int j = 0; valid && j < report->rows; j++) {
        valid = island_valid(report, report->row[j].island);
    }
    for (int k = 0; valid && k < report->islands; k++) {
        valid = in_range((int)report->island[k].bounce, UT_BOUNCE_COUNT);
    }
    for (int k = 0; valid && k < report->transitions; k++) {
        const utTransition* t = &report->transition[k];
        valid = in_range((int)t->from, UT_MODE_COUNT) && in_range((int)t->to, UT_MODE_COUNT);
    }
    return valid;
}

utCertificateReason ut_certify_validate(const utStepReport* report)
{
    const utModel* model = report->model;
    const bool state = model->nq == 0 || (report->q != NULL && report->q_next != NULL);
    const bool motion =
        model->nv == 0 || (report->v != NULL && report->v_free != NULL && report->v_next != NULL);
    const bool mocaps =
        report->mocap_ahead == NULL || model->nmocap == 0 ||
        (report->mocap_pos != NULL && report->mocap_quat != NULL && report->mocap_velocity != NULL);
    // only steps of the tier budget have a correction, and these have the law of coulomb
    const bool tier =
        report->tier == UT_TIER_EXACT
            ? report->correction == NULL
            : report->tier == UT_TIER_BUDGET && report->formulation == UT_FORMULATION_COULOMB;
    if (!state || !motion || !mocaps || !tier || report->contacts < 0 || report->rows < 0 ||
        (report->contacts > 0 && report->contact == NULL) ||
        (report->rows > 0 && report->row == NULL) || !items_valid(report) ||
        !impacts_valid(report) || !ut_certify_sleep(report)) {
        return UT_REASON_REPORT;
    }
    return !ut_certify_is_finite(report)           ? UT_REASON_NOT_FINITE
           : !(report->instant || report->h > 0.0) ? UT_REASON_REPORT
                                                   : UT_REASON_NONE;
}
