// SPDX-License-Identifier: Apache-2.0
#include "parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <uptack/expression.h>

// Files have 16 digits, and positions are added up through at most four bodies.
static const double ROUNDING = 1e-14;

static void wrong(Facts* f, const char* what, const char* name, double got, double want)
{
    if (f->wrong++ == 0) {
        snprintf(f->first, sizeof f->first, "%s %s: %.17g, not %.17g", name, what, got, want);
    }
}

void fact(Facts* f, double got, double want, const char* what, const char* name)
{
    if (!(fabs(got - want) <= ROUNDING * fmax(1.0, fabs(want)))) {
        wrong(f, what, name, got, want);
    }
}

void fact_vector(Facts* f, utVec3 got, utVec3 want, const char* what, const char* name)
{
    fact(f, got.x, want.x, what, name);
    fact(f, got.y, want.y, what, name);
    fact(f, got.z, want.z, what, name);
}

// @return whether the thing exists
static bool exists(Facts* f, int index, const char* what, const char* name)
{
    if (index < 0) {
        wrong(f, what, name, -1.0, 0.0);
    }
    return index >= 0;
}

void facts_run(Facts* f, const RunFacts* want)
{
    const utOptions* o = &f->model->options;
    fact(f, o->time, want->time, "time", "run");
    fact(f, o->dt, want->dt, "step", "run");
    fact_vector(f, o->gravity, want->gravity, "gravity", "run");
    fact(f, o->formulation, want->formulation, "formulation", "run");
    fact(f, o->directions, want->directions, "directions", "run");
    fact(f, strcmp(o->solver, want->solver), 0.0, "solver", "run");
    fact(f, o->coordinates, want->coordinates, "coordinates", "run");
    fact(f, o->bounce, want->bounce, "bounce", "run");
    fact(f, o->impact, want->impact, "law of impacts", "run");
}

void facts_counts(Facts* f, int bodies, int joints, int geoms, int sites, int points)
{
    fact(f, f->model->nbody, bodies, "number", "bodies");
    fact(f, f->model->njoint, joints, "number", "joints");
    fact(f, f->model->ngeom, geoms, "number", "geoms");
    fact(f, f->model->nsite, sites, "number", "sites");
    fact(f, f->model->npoint, points, "number", "points");
}

static utFrame body_frame(const Facts* f, int body)
{
    return ut_sim_body(f->sim, body).frame;
}

static utVec3 column(const utMat3* R, int k)
{
    return ut_vec3(R->m[0][k], R->m[1][k], R->m[2][k]);
}

void facts_body(Facts* f, const char* name, double mass, utVec3 com, utVec3 moments)
{
    const int body = ut_model_find_body(f->model, name);
    if (!exists(f, body, "body", name)) {
        return;
    }
    const utModelBody* b = &f->model->body[body];
    fact(f, b->mass, mass, "mass", name);
    fact_vector(f, ut_sim_body(f->sim, body).com, com, "centre of mass", name);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double diagonal = i == 0 ? moments.x : i == 1 ? moments.y : moments.z;
            fact(f, b->inertia.m[i][j], i == j ? diagonal : 0.0, "moment of inertia", name);
        }
    }
}

void facts_x_axis(Facts* f, const char* name, utVec3 x)
{
    const int body = ut_model_find_body(f->model, name);
    if (exists(f, body, "body", name)) {
        const utFrame frame = body_frame(f, body);
        fact_vector(f, column(&frame.R, 0), x, "x axis", name);
    }
}

void facts_geom(Facts* f, const char* name, utVec3 size, utVec3 origin, utVec3 z)
{
    const int geom = ut_model_find_geom(f->model, name);
    if (!exists(f, geom, "geom", name)) {
        return;
    }
    const utModelGeom* g = &f->model->geom[geom];
    const utFrame body = body_frame(f, g->body);
    const utMat3 R = ut_mat3_mul(body.R, g->in_body.R);
    fact_vector(f, g->shape.size, size, "size", name);
    fact_vector(f, ut_vec3_add(body.p, ut_mat3_mul_vec(body.R, g->in_body.p)), origin, "origin",
                name);
    fact_vector(f, column(&R, 2), z, "z axis", name);
}

void facts_plane(Facts* f, const char* name, utVec3 origin, utVec3 normal)
{
    facts_geom(f, name, ut_vec3(0, 0, 1), origin, normal);
}

void facts_material(Facts* f, const char* name, double mu, double e, bool masks)
{
    const int geom = ut_model_find_geom(f->model, name);
    if (!exists(f, geom, "geom", name)) {
        return;
    }
    const utModelGeom* g = &f->model->geom[geom];
    fact(f, g->friction, mu, "friction", name);
    fact(f, g->kinetic, mu, "kinetic friction", name);
    fact(f, g->restitution, e, "restitution", name);
    fact(f, g->contype, masks ? 1.0 : 0.0, "contype", name);
    fact(f, g->conaffinity, masks ? 1.0 : 0.0, "conaffinity", name);
}

void facts_site(Facts* f, const char* name, utVec3 at)
{
    const int site = ut_model_find_site(f->model, name);
    if (!exists(f, site, "site", name)) {
        return;
    }
    const utModelSite* s = &f->model->site[site];
    const utFrame body = body_frame(f, s->body);
    fact_vector(f, ut_vec3_add(body.p, ut_mat3_mul_vec(body.R, s->in_body.p)), at, "position",
                name);
}

void facts_joint(Facts* f, const char* name, utVec3 anchor, utVec3 axis, double ref)
{
    const int joint = ut_model_find_joint(f->model, name);
    if (!exists(f, joint, "joint", name)) {
        return;
    }
    const utModelJoint* j = &f->model->joint[joint];
    const utFrame body = body_frame(f, j->body);
    fact_vector(f, ut_vec3_add(body.p, ut_mat3_mul_vec(body.R, j->pos)), anchor, "anchor", name);
    if (j->kind != UT_JOINT_BALL) {
        fact_vector(f, ut_mat3_mul_vec(body.R, j->axis), axis, "axis", name);
    }
    fact(f, j->ref, ref, "ref", name);
}

void facts_point(Facts* f, int k, const char* site, const char* geom, double offset, double mu)
{
    if (!exists(f, k < f->model->npoint ? k : -1, "point", site)) {
        return;
    }
    const utModelPoint* p = &f->model->point[k];
    fact(f, p->site, ut_model_find_site(f->model, site), "site of a point", site);
    fact(f, p->geom, ut_model_find_geom(f->model, geom), "geom of a point", site);
    fact(f, p->offset, offset, "distance of the face", site);
    fact(f, p->friction, mu, "friction", site);
    fact(f, p->kinetic, mu, "kinetic friction", site);
}

void facts_pusher(Facts* f, const char* body, double x, double way, double y, double z)
{
    const int index = ut_model_find_body(f->model, body);
    if (!exists(f, index, "body", body) || !exists(f, f->model->nmotion - 1, "motion", body)) {
        return;
    }
    const utModelMotion* motion = &f->model->motion[0];
    fact(f, motion->body, index, "body of the motion", body);
    for (int k = 0; k < 4; k++) {
        const double t = 0.37 * k;
        const double want[6] = {x + way * (1.0 - cos(2.0 * t)), y, z, 0.0, 0.0, 0.0};
        for (int i = 0; i < 6; i++) {
            const double at = motion->given[i] ? ut_expression_at(&motion->at[i], t).value : 0.0;
            fact(f, at, want[i], "motion", body);
        }
    }
}

void facts_key(Facts* f, int key, const char* name, const double* v)
{
    if (!exists(f, key < f->model->nkeyframe ? key : -1, "keyframe", name)) {
        return;
    }
    const utModelKeyframe* k = &f->model->keyframe[key];
    fact(f, strcmp(k->name, name), 0.0, "keyframe", name);
    for (int i = 0; i < f->model->nv; i++) {
        fact(f, k->v[i], v[i], "velocity", name);
    }
    for (int i = 0; i < f->model->nq; i++) {
        fact(f, k->q[i], f->model->q0[i], "position", name);
    }
}
