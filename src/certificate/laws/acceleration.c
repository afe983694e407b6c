// SPDX-License-Identifier: Apache-2.0
// The law on accelerations (peiret-acceleration). With v+ = v + h a and r = h lambda it is a law on
//
//     h u' = J (v+ - v - h b) + h J̇v
//
// for contacts that touch and neither open nor close. b of ut_dyn_centripetal is the part of v+ - v
// that is no acceleration of a frame. Contacts that slide at the step's start have kinetic friction
// in place of the cone:
//
//     r_t = -mu r_n u_t/|u_t|,    0 <= r_n ⟂ u_n' >= 0
//
// Contacts that close are impacts: the law applies to their velocity after the step.
#include <math.h>

#include "certificate/internal.h"

static bool is_impact(const double* before)
{
    return before[0] < -MOVING_NORMALLY;
}

// The centripetal term b of a body's tree, which only a free or planar root has.
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
    const utVec3 w = judge->kin_contact.velocity[root].angular;
    const utVec3 arm = ut_mat3_mul_vec(judge->kin_contact.body[root].R, model->body[root].com);
    return ut_vec3_cross(w, ut_vec3_cross(w, arm));
}

void ut_certify_accelerations(Judge* judge)
{
    const utStepReport* report = judge->report;
    for (int i = 0; i < report->contacts; i++) {
        const utContact* c = &report->contact[i];
        const double* before = judge->item.u_before + 3 * (size_t)i;
        double rate[3];
        ut_contact_rate(&judge->kin_contact, c->geom1, c->geom2, c->point, c->frame, c->gap, rate);
        const utVec3 relative = ut_vec3_sub(centripetal(judge, contact_body(judge, i, 1)),
                                            centripetal(judge, contact_body(judge, i, 0)));
        for (int k = 0; k < 3; k++) {
            rate[k] -= ut_vec3_dot(c->frame[k], relative);
            judge->item.base[3 * i + k] = is_impact(before) ? 0.0 : report->h * rate[k] - before[k];
        }
    }
}

bool ut_certify_has_cone_law(const Judge* judge, int i, double m, double* e)
{
    const double* before = judge->item.u_before + 3 * (size_t)i;
    *e = 0.0;
    if (!judge->traits.acceleration || is_impact(before)) {
        return true;
    }
    if (!(before[0] <= MOVING_NORMALLY)) {
        *e = HUGE_VAL; // an opening contact does not belong to the active set
        return false;
    }
    const double slip = sqrt(before[1] * before[1] + before[2] * before[2]);
    if (!(slip > SLIDING)) {
        return true;
    }
    const utContact* c = &judge->report->contact[i];
    double square = 0.0;
    for (int k = 1; k < 3; k++) {
        const double error = c->r[k] + c->mu * c->r[0] * before[k] / slip;
        square += error * error;
    }
    *e = ut_larger(sqrt(square) / m,
                   ut_law_row_error(m, 0.0, HUGE_VAL, c->r[0], judge->item.u[3 * i]));
    return false;
}
