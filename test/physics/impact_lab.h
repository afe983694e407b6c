// SPDX-License-Identifier: Apache-2.0
// What the scenes of impacts share: bodies that bounce, and a look at the instants of a step.
#ifndef UPTACK_TEST_PHYSICS_IMPACT_LAB_H
#define UPTACK_TEST_PHYSICS_IMPACT_LAB_H

#include <uptack/impact.h>

#include "closed_form.h"

// Velocities after an impact follow from K, u and e in a few dozen operations on numbers near 1:
// 1e-14. Where an impact is located, the gap that is left, 1e-12 m at most, turns a normal by
// 1e-11. The laws' promise is this.
static const double EXACT = 1e-9;

/// A scene of a formulation whose contacts bounce down to the speed `bounce`.
static inline Lab impact_open(utFormulation formulation, double h, double bounce)
{
    Lab lab = lab_open(h);
    lab.options.formulation = formulation;
    lab.options.bounce = bounce;
    return lab;
}

/// A geom of a body with a restitution. @param mass of it, kg
static inline int impact_geom(Lab* lab, int body, utShapeKind kind, utVec3 size, double mass,
                              double mu, double e)
{
    utGeomDef geom = ut_geom_def(body, kind, size);
    geom.mass = mass;
    geom.friction = mu;
    geom.restitution = e;
    return ut_model_def_geom(lab->def, &geom);
}

/// A free ball. @return the body
static inline int impact_ball(Lab* lab, utVec3 pos, double radius, double mass, double mu, double e)
{
    const int body = lab_body(lab, NULL, pos);
    lab_free(lab, body);
    CHECK(impact_geom(lab, body, UT_SHAPE_SPHERE, ut_vec3(radius, 0, 0), mass, mu, e) >= 0);
    return body;
}

/// A plane of the world with a restitution. @return the geom
static inline int impact_plane(Lab* lab, utVec3 pos, utVec3 normal, double mu, double e)
{
    utGeomDef geom = ut_geom_def(0, UT_SHAPE_PLANE, ut_vec3(1, 1, 1));
    utVec3 t1, t2;
    ut_tangent_basis(normal, &t1, &t2);
    geom.pos = pos;
    geom.quat = ut_quat_from_mat3(ut_mat3_from_columns(t1, t2, normal));
    geom.friction = mu;
    geom.restitution = e;
    return ut_model_def_geom(lab->def, &geom);
}

/// An explicit contact of a point of a body with a plane's geom, which has friction and
/// restitution.
static inline void impact_point(Lab* lab, int body, utVec3 pos, int plane)
{
    utSiteDef site = ut_site_def(body);
    site.pos = pos;
    const int at = ut_model_def_site(lab->def, &site);
    const utPointDef point = ut_point_def(at, plane, UT_FACE_PLANE);
    CHECK(ut_model_def_point(lab->def, &point) >= 0);
}

/// Is there more to do? A step that is not certified is not taken: the time would stand still.
static inline bool impact_goes_on(const Lab* lab, double until)
{
    return lab->certified == lab->steps && ut_sim_time(lab->sim) < until;
}

/// The k-th instant of a step. @return NULL: there are fewer
static inline const utStepReport* impact_instant(const utStepReport* report, int k)
{
    for (int i = 0; i < report->parts; i++) {
        if (report->part[i].instant && k-- == 0) {
            return &report->part[i];
        }
    }
    return NULL;
}

/// Step until there is an instant. @return it, NULL: none in so many steps
static inline const utStepReport* impact_await(Lab* lab, int steps, utStepResult* result)
{
    const utStepReport* instant = NULL;
    for (int k = 0; k < steps && instant == NULL; k++) {
        lab_step(lab, NULL, result);
        instant = impact_instant(&result->report, 0);
    }
    return instant;
}

#endif
