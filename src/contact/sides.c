// SPDX-License-Identifier: Apache-2.0
// The two sides of contacts and rows: the trees and mocap bodies they belong to, and the wrench of
// an impulse on each side.
#include "contact.h"

utForce ut_row_wrench(const utKinematics* kin, const utRow* row, int side)
{
    const int body = side == 0 ? row->body1 : row->body2;
    const utVec3 point = side == 0 ? row->point1 : row->point2;
    const double sign = side == 0 ? -1.0 : 1.0;
    const utVec3 force = ut_vec3_scale(row->linear, sign);
    const utVec3 arm = ut_vec3_sub(point, kin->origin[kin->model->body[body].tree]);
    return ut_force(force, ut_vec3_add_scaled(ut_vec3_cross(arm, force), sign, row->angular));
}

int ut_contact_mocap(const utModel* model, int body)
{
    while (body > 0 && model->body[body].mocap < 0 && model->body[body].joints == 0) {
        body = model->body[body].parent;
    }
    return body > 0 ? model->body[body].mocap : -1;
}
