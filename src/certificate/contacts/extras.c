// SPDX-License-Identifier: Apache-2.0
// Recomputes, from the model, explicit contacts, belts, springs between sites, and mocap bodies that
// follow a function of time.
#include "certificate/internal.h"

#include <string.h>

static utVec3 site_position(const Judge* judge, const utKinematics* kin, int s)
{
    const utModelSite* site = &judge->model->site[s];
    return ut_frame_point(kin->body[site->body], site->in_body.p);
}

// ---- explicit contacts --------------------------------------------------------------------------

int ut_certify_point(const Judge* judge, const utContact* c)
{
    const utModel* model = judge->model;
    if (c->geom2 < model->ngeom || c->feature >= (uint64_t)model->npoint) {
        return -1;
    }
    const utModelPoint* point = &model->point[c->feature];
    return c->geom1 == point->geom && c->geom2 == model->ngeom + point->site ? (int)c->feature : -1;
}

double ut_certify_point_error(const Judge* judge, const utContact* c, int point)
{
    const utModelPoint* p = &judge->model->point[point];
    const utFrame face = geom_frame(&judge->kin_contact, &judge->model->geom[p->geom]);
    const utVec3 normal = ut_mat3_mul_vec(face.R, p->normal);
    const utVec3 at = site_position(judge, &judge->kin_contact, p->site);
    const double gap = ut_vec3_dot(normal, ut_vec3_sub(at, face.p)) - p->offset;
    const double error = larger(ut_vec3_norm(ut_vec3_sub(c->point, at)), fabs(c->gap - gap));
    return larger(error, ut_vec3_norm(ut_vec3_sub(c->frame[0], normal)));
}

// ---- belts --------------------------------------------------------------------------------------

// Velocity of a geom's surface relative to the geom, world.
static utVec3 belt_velocity(const Judge* judge, int side, utVec3 point)
{
    if (side >= judge->model->ngeom || !judge->model->geom[side].belt) {
        return ut_vec3_zero();
    }
    const utModelGeom* geom = &judge->model->geom[side];
    return ut_model_surface(geom, geom_frame(&judge->kin_contact, geom), point,
                            judge->report->time);
}

utVec3 ut_certify_belts(const Judge* judge, const utContact* c)
{
    return ut_vec3_sub(belt_velocity(judge, c->geom2, c->point),
                       belt_velocity(judge, c->geom1, c->point));
}

// ---- mocap bodies -------------------------------------------------------------------------------

static utQuat load_quat(const double* q)
{
    return ut_quat(q[0], q[1], q[2], q[3]);
}

// q and -q are the same rotation.
static bool same_rotation(utQuat a, utQuat b)
{
    const double dot = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    return fabs(dot - 1.0) <= SAME_VALUE;
}

// Does a function of time give this pose at this time? @param twist receives its velocity
static bool gives_pose(const Judge* judge, int motion, double time, const double* pos,
                       const double* quat, utMotion* twist)
{
    utVec3 p;
    utQuat q;
    ut_model_motion(judge->model, motion, time, &p, &q, twist);
    return same_point(p, load3(pos)) && same_rotation(q, load_quat(quat));
}

// Does the velocity t lead from the first pose of the step to the last?
static bool is_secant(const utStepReport* report, size_t m, const utMotion* t)
{
    const utVec3 to = ut_vec3_add_scaled(load3(report->mocap_pos + 3 * m), report->h, t->linear);
    const utVec3 turn = ut_vec3_scale(t->angular, report->h);
    const double angle = ut_vec3_norm(turn);
    utQuat turned = load_quat(report->mocap_quat + 4 * m);
    if (angle > 0.0) {
        const utVec3 axis = ut_vec3_scale(turn, 1.0 / angle);
        turned = ut_quat_mul(ut_quat_from_axis_angle(axis, angle), turned);
    }
    return same_point(to, load3(report->mocap_pos_next + 3 * m)) &&
           same_rotation(turned, load_quat(report->mocap_quat_next + 4 * m));
}

// The velocity of a mocap body in an instant is that of its function, or its mean over the step.
static bool is_instant_velocity(const Judge* judge, size_t m, const utMotion* rate)
{
    const utMotion* t = &judge->report->mocap_velocity[m];
    const utStepReport* whole = judge->step;
    const bool has_poses = whole != NULL && whole->mocap_pos != NULL && whole->mocap_quat != NULL &&
                           whole->mocap_pos_next != NULL && whole->mocap_quat_next != NULL;
    return (same_point(rate->linear, t->linear) && same_point(rate->angular, t->angular)) ||
           (has_poses && is_secant(whole, m, t));
}

bool ut_certify_mocap(const Judge* judge)
{
    const utStepReport* report = judge->report;
    const utModel* model = judge->model;
    const bool has_poses = report->mocap_pos != NULL && report->mocap_quat != NULL &&
                           report->mocap_pos_next != NULL && report->mocap_quat_next != NULL &&
                           report->mocap_velocity != NULL;
    if (!has_poses) {
        return model->nmotion == 0;
    }
    bool good = true;
    for (int i = 0; i < model->nmotion; i++) {
        const size_t m = (size_t)model->body[model->motion[i].body].mocap;
        utMotion rate, unused;
        good = good &&
               gives_pose(judge, i, report->time, report->mocap_pos + 3 * m,
                          report->mocap_quat + 4 * m, &rate) &&
               gives_pose(judge, i, report->time + report->h, report->mocap_pos_next + 3 * m,
                          report->mocap_quat_next + 4 * m, &unused);
        const utMotion* t = &report->mocap_velocity[m];
        if (report->instant) {
            good = good && is_instant_velocity(judge, m, &rate) && is_secant(report, m, t);
        } else if (judge->traits.explicit_forces) {
            good =
                good && same_point(rate.linear, t->linear) && same_point(rate.angular, t->angular);
        } else {
            good = good && is_secant(report, m, t);
        }
    }
    return good;
}

// ---- springs ------------------------------------------------------------------------------------

// The force along the axis is -K (L - L0 + h u) - D u; a full damper has -D u across the axis too. As
// a row with the impulse r: u + r / (h D + h^2 K) + K (L - L0) / (D + h K) = 0.
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
    const utVec3 one = site_position(judge, &judge->kin_start, spring->site1);
    const utVec3 two = site_position(judge, &judge->kin_start, spring->site2);
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
    const utVec3 one = site_position(judge, &judge->kin_start, spring->site1);
    const utVec3 two = site_position(judge, &judge->kin_start, spring->site2);
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
}
