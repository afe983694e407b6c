// SPDX-License-Identifier: Apache-2.0
// Explicit contacts (ut:point), and the velocities of belts at contacts.
#include "certificate/internal.h"

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
    const utFrame face = ut_geom_frame(&judge->kin_contact, p->geom);
    const utVec3 normal = ut_mat3_mul_vec(face.R, p->normal);
    const utVec3 at = ut_site_position(&judge->kin_contact, p->site);
    const double gap = ut_vec3_dot(normal, ut_vec3_sub(at, face.p)) - p->offset;
    const double error = ut_larger(ut_vec3_norm(ut_vec3_sub(c->point, at)), fabs(c->gap - gap));
    return ut_larger(error, ut_vec3_norm(ut_vec3_sub(c->frame[0], normal)));
}

// ---- belts --------------------------------------------------------------------------------------

// Velocity of a geom's surface relative to the geom, world.
static utVec3 belt_velocity(const Judge* judge, int side, utVec3 point)
{
    if (side >= judge->model->ngeom || !judge->model->geom[side].belt) {
        return ut_vec3_zero();
    }
    const utModelGeom* geom = &judge->model->geom[side];
    return ut_model_surface(geom, ut_geom_frame(&judge->kin_contact, side), point,
                            judge->report->time);
}

utVec3 ut_certify_belts(const Judge* judge, const utContact* c)
{
    return ut_vec3_sub(belt_velocity(judge, c->geom2, c->point),
                       belt_velocity(judge, c->geom1, c->point));
}
