// SPDX-License-Identifier: Apache-2.0
// Springs between sites: as compliant rows, or as forces in formulations with explicit forces.
#include <string.h>

#include "certificate/internal.h"

// The force along the axis is -K (L - L0 + h u) - D u; a full damper has -D u across the axis too.
// As a row with the impulse r: u + r / (h D + h^2 K) + K (L - L0) / (D + h K) = 0.
bool ut_certify_spring(const Judge* judge, const utRow* row, utRow* expected)
{
    const utModel* model = judge->model;
    const double h = judge->report->h;
    if (row->equality < 0 || row->equality >= model->nspring || row->component < 0 ||
        row->component > 2 || row->dof >= 0) {
        return false;
    }
    const utModelSpring* spring = &model->spring[row->equality];
    const bool axial = row->component == 0;
    const double inverse_compliance =
        h * spring->damping + (axial ? h * h * spring->stiffness : 0.0);
    const utVec3 one = ut_site_position(&judge->kin_start, spring->site1);
    const utVec3 two = ut_site_position(&judge->kin_start, spring->site2);
    utVec3 axis[3];
    const int rows = model->options.planar != UT_PLANAR_NONE ? 2 : 3;
    if (row->component >= rows || (!axial && !spring->full) || !(inverse_compliance > 0.0) ||
        !ut_vec3_normalize(ut_vec3_sub(two, one), &axis[0])) {
        return false;
    }
    ut_tangent_basis(axis[0], &axis[1], &axis[2]);
    if (model->options.planar != UT_PLANAR_NONE) {
        axis[1] = ut_vec3_cross(axis[0], ut_plane(model->options.planar).normal); // turned by -90°
    }
    const double stretch = ut_vec3_norm(ut_vec3_sub(two, one)) - spring->length;
    *expected = (utRow){
        .body1 = model->site[spring->site1].body,
        .body2 = model->site[spring->site2].body,
        .linear = axis[row->component],
        .point1 = one,
        .point2 = two,
        .compliance = 1.0 / inverse_compliance,
        .gap = axial ? stretch : 0.0,
        .b = axial ? h * spring->stiffness * stretch / inverse_compliance : 0.0,
        .low = -HUGE_VAL,
        .high = HUGE_VAL,
    };
    return !judge->traits.explicit_forces;
}

bool ut_certify_springs(const Judge* judge)
{
    const utModel* model = judge->model;
    int needed = 0, found = 0;
    for (int i = 0; i < model->nspring && !judge->traits.explicit_forces; i++) {
        const utModelSpring* spring = &model->spring[i];
        const bool moves = model->body[model->site[spring->site1].body].tree >= 0 ||
                           model->body[model->site[spring->site2].body].tree >= 0;
        for (int k = 0; k < 3; k++) {
            const utRow row = {.dof = -1, .equality = i, .component = k};
            utRow expected;
            needed += moves && ut_certify_spring(judge, &row, &expected);
        }
    }
    for (int j = 0; j < judge->report->rows; j++) {
        found += judge->report->row[j].kind == UT_ROW_SPRING;
    }
    return found == needed;
}

// Add a force at a point to the wrench on a body, about its centre of mass.
static void add_force(Judge* judge, int body, utVec3 point, utVec3 force)
{
    const utVec3 arm = ut_vec3_sub(point, judge->kin_start.com[body]);
    judge->motion.body_force[body] =
        ut_force_add(judge->motion.body_force[body], ut_force(force, ut_vec3_cross(arm, force)));
}

static void add_spring(Judge* judge, const utModelSpring* spring)
{
    const utModel* model = judge->model;
    const int body1 = model->site[spring->site1].body, body2 = model->site[spring->site2].body;
    const utVec3 one = ut_site_position(&judge->kin_start, spring->site1);
    const utVec3 two = ut_site_position(&judge->kin_start, spring->site2);
    const utVec3 along = ut_vec3_sub(two, one);
    const double length = ut_vec3_norm(along);
    const utVec3 apart = ut_vec3_sub(ut_point_velocity(&judge->kin_start, body2, two),
                                     ut_point_velocity(&judge->kin_start, body1, one));
    utVec3 pull = ut_vec3_zero(); // force on the first site, toward the second
    if (length > 0.0) {
        const double axial = ut_vec3_dot(along, apart) / length;
        const double tension = spring->stiffness * (length - spring->length) +
                               (spring->full ? 0.0 : spring->damping * axial);
        pull = ut_vec3_scale(along, tension / length);
    }
    if (spring->full) {
        pull = ut_vec3_add_scaled(pull, spring->damping, apart);
    }
    add_force(judge, body1, one, pull);
    add_force(judge, body2, two, ut_vec3_negate(pull));
}

void ut_certify_body_forces(Judge* judge)
{
    const utModel* model = judge->model;
    const size_t size = (size_t)model->nbody * sizeof *judge->motion.body_force;
    if (judge->report->applied != NULL) {
        memcpy(judge->motion.body_force, judge->report->applied, size);
    } else {
        memset(judge->motion.body_force, 0, size);
    }
    for (int i = 0; i < model->nspring && judge->traits.explicit_forces; i++) {
        add_spring(judge, &model->spring[i]);
    }
    ut_certify_equality_forces(judge);
    for (int i = 0; i < model->nv; i++) {
        judge->motion.force[i] = entry_or_zero(judge->report->force, i);
    }
    if (judge->traits.explicit_forces && judge->report->integrator != UT_INTEGRATOR_RK4) {
        ut_certify_add_tendon_forces(judge, &judge->kin_start, judge->q, judge->v,
                                     judge->report->mocap_velocity, judge->motion.force);
    }
}
