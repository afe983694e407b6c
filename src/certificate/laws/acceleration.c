// SPDX-License-Identifier: Apache-2.0
// Laws on accelerations: with v+ = v + h a and r = h lambda they are laws on
//
//     h u' = J (v+ - v - h b) + h J̇v
//
// with b of ut_dyn_centripetal, the part of v+ - v that is no acceleration of a frame,
// for contacts that touch and neither part nor close. Those that slide at the step's start have the
// kinetic law in place of the cone:
//
//     r_t = -mu r_n u_t/|u_t|,    0 <= r_n ⟂ u_n' >= 0
//
// and those that close with a speed are impacts, judged by their velocities after the step.
#include <math.h>

#include "certificate/internal.h"

static const double PARTS = 1e-9;  // m/s
static const double SLIDES = 1e-6; // m/s

static bool is_impact(const double* before)
{
    return before[0] < -PARTS;
}

// Its part in the acceleration of a body: that of the root of its tree.
static utVec3 centripetal(const Judge* judge, int body)
{
    const utModel* model = judge->model;
    const int tree = model->body[body].tree;
    if (tree < 0) {
        return ut_vec3_zero();
    }
    const int root = model->tree[tree].body;
    const utJointKind kind = model->joint[model->body[root].joint].kind;
    if (kind != UT_JOINT_FREE && kind != UT_JOINT_PLANAR) {
        return ut_vec3_zero();
    }
    const utVec3 w = judge->touch.velocity[root].angular;
    const utVec3 arm = ut_mat3_mul_vec(judge->touch.body[root].R, model->body[root].com);
    return ut_vec3_cross(w, ut_vec3_cross(w, arm));
}

void ut_certify_accelerations(Judge* judge)
{
    const utStepReport* report = judge->report;
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        const double* before = judge->before + 3 * (size_t)i;
        double rate[3];
        ut_contact_rate(&judge->touch, c->geom1, c->geom2, c->point, c->frame, c->gap, rate);
        const utVec3 turning = ut_vec3_sub(centripetal(judge, contact_body(judge, i, 1)),
                                           centripetal(judge, contact_body(judge, i, 0)));
        for (int k = 0; k < 3; k++) {
            rate[k] -= ut_vec3_dot(c->frame[k], turning);
            judge->base[3 * i + k] = is_impact(before) ? 0.0 : report->h * rate[k] - before[k];
        }
    }
}

bool ut_certify_sticks(const Judge* judge, int i, double m, double* e)
{
    const double* before = judge->before + 3 * (size_t)i;
    *e = 0.0;
    if (!judge->formulation.acceleration || is_impact(before)) {
        return true;
    }
    if (!(before[0] <= PARTS)) {
        *e = HUGE_VAL; // it parts, and has no place here
        return false;
    }
    const double slip = sqrt(before[1] * before[1] + before[2] * before[2]);
    if (!(slip > SLIDES)) {
        return true;
    }
    const utContact* c = &judge->report->contact[i];
    double square = 0.0;
    for (int k = 1; k < 3; k++) {
        const double off = c->r[k] + c->mu * c->r[0] * before[k] / slip;
        square += off * off;
    }
    *e = larger(sqrt(square) / m, ut_law_row_error(m, 0.0, HUGE_VAL, c->r[0], judge->u[3 * i]));
    return false;
}
