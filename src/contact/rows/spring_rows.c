// SPDX-License-Identifier: Apache-2.0
// Springs and dampers between sites, linearly implicit. Along its axis a spring acts with
//
//     r = -h (K (L - L0 + h u) + D u)    so    u + r / (h D + h^2 K) + K (L - L0) / (D + h K) = 0
//
// and a damper in `full` mode acts across the axis with r = -h D u. Each is a compliant row without
// bounds.
#include "contact/contact.h"

// The part of a row's velocity that comes from bodies that no joint moves.
static double mocap_velocity(const ContactScene* scene, const utRow* row)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        if (scene->model->body[side == 0 ? row->body1 : row->body2].tree < 0) {
            sum += ut_row_side_velocity(scene, row, side, scene->v);
        }
    }
    return sum;
}

static int spring_rows(const ContactScene* scene, int i, utRow* row)
{
    const utModelSpring* spring = &scene->model->spring[i];
    const double h = scene->h;
    const double axial = h * spring->damping + h * h * spring->stiffness; // 1 / compliance
    const utVec3 one = ut_site_position(scene->kin, spring->site1);
    const utVec3 two = ut_site_position(scene->kin, spring->site2);
    utVec3 axis[3];
    if (!ut_vec3_normalize(ut_vec3_sub(two, one), &axis[0])) {
        return 0; // a spring of length 0 has no direction
    }
    ut_contact_frame(scene->model, axis[0], axis);
    const double stretch = ut_vec3_norm(ut_vec3_sub(two, one)) - spring->length;
    const int rows = spring->full && spring->damping > 0.0 ? ut_contact_dimension(scene->model) : 1;
    int count = 0;
    for (int k = 0; k < rows; k++) {
        const double stiffness = k == 0 ? axial : h * spring->damping;
        if (!(stiffness > 0.0)) {
            continue;
        }
        utRow r = {
            .kind = UT_ROW_SPRING,
            .joint = -1,
            .actuator = -1,
            .dof = -1,
            .length = 1.0,
            .equality = i,
            .component = k,
            .body1 = scene->model->site[spring->site1].body,
            .body2 = scene->model->site[spring->site2].body,
            .linear = axis[k],
            .point1 = one,
            .point2 = two,
            .compliance = 1.0 / stiffness,
            .island = -1,
            .gap = k == 0 ? stretch : 0.0,
            .b = k == 0 ? h * spring->stiffness * stretch / axial : 0.0,
            .low = -HUGE_VAL,
            .high = HUGE_VAL,
        };
        r.b += mocap_velocity(scene, &r);
        row[count++] = r;
    }
    return count;
}

int ut_contact_spring_rows(const ContactScene* scene, utRow* row)
{
    const utModel* model = scene->model;
    int count = 0;
    for (int i = 0; i < model->nspring; i++) {
        const utModelSpring* spring = &model->spring[i];
        const bool moves = model->body[model->site[spring->site1].body].tree >= 0 ||
                           model->body[model->site[spring->site2].body].tree >= 0;
        count += moves ? spring_rows(scene, i, row + count) : 0;
    }
    return count;
}
