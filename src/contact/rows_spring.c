// SPDX-License-Identifier: Apache-2.0
// Springs and dampers between sites, linearly implicit. Along the axis a spring pulls with
//
//     r = -h (K (L - L0 + h u) + D u)    so    u + r / (h D + h^2 K) + K (L - L0) / (D + h K) = 0
//
// and a damper that takes the whole velocity does across it r = -h D u. Each is a row that gives
// way by its compliance, without bounds.
#include "contact.h"

static utVec3 site_place(const ContactScene* scene, int s)
{
    const utModelSite* site = &scene->model->site[s];
    return ut_frame_point(scene->kin->body[site->body], site->in_body.p);
}

// What bodies that no joint moves contribute to a row's velocity.
static double velocity_from_outside(const ContactScene* scene, const utRow* row)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? row->body1 : row->body2;
        if (scene->model->body[body].tree < 0) {
            const utMotion t =
                ut_contact_twist(scene, body, side == 0 ? row->point1 : row->point2, scene->v);
            sum += (side == 0 ? -1.0 : 1.0) *
                   (ut_vec3_dot(row->linear, t.linear) + ut_vec3_dot(row->angular, t.angular));
        }
    }
    return sum;
}

static int spring_rows(const ContactScene* scene, int i, utRow* row)
{
    const utModelSpring* spring = &scene->model->spring[i];
    const double h = scene->h;
    const double stiff = h * spring->damping + h * h * spring->stiffness;
    const utVec3 one = site_place(scene, spring->site1);
    const utVec3 two = site_place(scene, spring->site2);
    utVec3 axis[3];
    if (!ut_vec3_normalize(ut_vec3_sub(two, one), &axis[0])) {
        return 0; // no direction, no force
    }
    ut_contact_axes(scene->model, axis[0], axis);
    const double stretch = ut_vec3_norm(ut_vec3_sub(two, one)) - spring->length;
    const int rows = spring->full && spring->damping > 0.0 ? ut_contact_dimension(scene->model) : 1;
    int count = 0;
    for (int k = 0; k < rows; k++) {
        const double give = k == 0 ? stiff : h * spring->damping;
        if (!(give > 0.0)) {
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
            .compliance = 1.0 / give,
            .island = -1,
            .gap = k == 0 ? stretch : 0.0,
            .b = k == 0 ? h * spring->stiffness * stretch / stiff : 0.0,
            .low = -HUGE_VAL,
            .high = HUGE_VAL,
        };
        r.b += velocity_from_outside(scene, &r);
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
