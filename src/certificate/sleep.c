// SPDX-License-Identifier: Apache-2.0
// Trees that sleep through a step: their velocities are 0 before and after, their positions stay, and no
// contact or row of the report acts on them. Their equations were judged in the step in which they fell
// asleep, which they repeat.
#include <string.h>

#include "certificate/internal.h"

static bool is_zero(const double* x, int count)
{
    bool zero = true;
    for (int i = 0; i < count; i++) {
        zero = zero && x[i] == 0.0;
    }
    return zero;
}

static bool stays(const utStepReport* report, int joint)
{
    const utModelJoint* j = &report->model->joint[joint];
    bool same = true;
    for (int k = j->q; k < j->q + ut_joint_positions(j->kind); k++) {
        same = same && report->q_next[k] == report->q[k];
    }
    return same;
}

static bool acts_on_sleeper(const utStepReport* report)
{
    const utModel* model = report->model;
    bool acts = false;
    for (int i = 0; i < report->contacts; i++) {
        const int one = model->body[ut_model_side_body(model, report->contact[i].geom1)].tree;
        const int two = model->body[ut_model_side_body(model, report->contact[i].geom2)].tree;
        acts = acts || (one >= 0 && report->asleep[one]) || (two >= 0 && report->asleep[two]);
    }
    for (int j = 0; j < report->rows; j++) {
        int cursor = 0;
        for (int t = ut_row_next_tree(model, &report->row[j], &cursor); t >= 0;
             t = ut_row_next_tree(model, &report->row[j], &cursor)) {
            acts = acts || report->asleep[t];
        }
    }
    return acts;
}

bool ut_certify_sleep(const utStepReport* report)
{
    const utModel* model = report->model;
    if (report->asleep == NULL) {
        return true;
    }
    bool good = !report->instant && report->parts == 0 && !acts_on_sleeper(report);
    for (int t = 0; t < model->ntree; t++) {
        const utModelTree* tree = &model->tree[t];
        good = good && (!report->asleep[t] || (is_zero(report->v + tree->dof, tree->dofs) &&
                                               is_zero(report->v_free + tree->dof, tree->dofs) &&
                                               is_zero(report->v_next + tree->dof, tree->dofs)));
    }
    for (int j = 0; j < model->njoint; j++) {
        const int tree = model->body[model->joint[j].body].tree;
        good = good && (tree < 0 || !report->asleep[tree] || stays(report, j));
    }
    return good;
}

int ut_certify_count_sleeping(const utStepReport* report)
{
    int count = 0;
    for (int t = 0; report->asleep != NULL && t < report->model->ntree; t++) {
        count += report->asleep[t];
    }
    return count;
}

bool ut_certify_nothing_moves(const utStepReport* report)
{
    bool still = report->asleep != NULL && report->model->nu == 0 &&
                 ut_certify_count_sleeping(report) == report->model->ntree;
    for (int m = 0; report->mocap_velocity != NULL && m < report->model->nmocap; m++) {
        const utMotion* twist = &report->mocap_velocity[m];
        still = still && ut_vec3_dot(twist->linear, twist->linear) == 0.0 &&
                ut_vec3_dot(twist->angular, twist->angular) == 0.0;
    }
    return still;
}

void ut_certify_clear_sleeping(Judge* judge)
{
    double* const cleared[] = {judge->motion.residual, judge->motion.v_error,
                               judge->motion.stage_residual, judge->motion.stage_error,
                               judge->motion.v_free};
    for (int t = 0; t < judge->model->ntree; t++) {
        const utModelTree* tree = &judge->model->tree[t];
        for (size_t k = 0; sleeps(judge, t) && k < sizeof cleared / sizeof *cleared; k++) {
            memset(cleared[k] + tree->dof, 0, (size_t)tree->dofs * sizeof **cleared);
        }
    }
}

void ut_certify_leave_out_sleeping(Judge* judge)
{
    utKinematics* const kins[] = {&judge->kin_start, &judge->kin_end};
    for (int k = 0; judge->report->asleep != NULL && k < 2; k++) {
        memset(kins[k]->velocity, 0, (size_t)judge->model->nbody * sizeof *kins[k]->velocity);
        kins[k]->still = judge->report->asleep;
    }
}
