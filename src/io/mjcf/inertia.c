// SPDX-License-Identifier: Apache-2.0
// The attributes of `compiler` that change masses: the groups of geoms that count, lower bounds,
// balancing, and the total mass. Without these attributes, bodies keep their description.
#include "io/internal.h"

#include "la/scalar.h"

utMat3 ut_mjcf_symmetric(utMat3 A)
{
    A.m[1][0] = A.m[0][1];
    A.m[2][0] = A.m[0][2];
    A.m[2][1] = A.m[1][2];
    return A;
}

// ---- principal moments --------------------------------------------------------------------------

enum { JACOBI_SWEEPS = 10 }; // a 3 x 3 matrix converges quadratically, within 6

// A = V diag(d) V^T by Jacobi rotations, always in the same order.
void ut_mjcf_principal_moments(utMat3 A, utVec3* d, utMat3* V)
{
    *V = ut_mat3_identity();
    for (int sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (A.m[p][q] == 0.0) {
                    continue;
                }
                // t is the tangent of the smaller angle that makes A[p][q] vanish
                const double theta = (A.m[q][q] - A.m[p][p]) / (2.0 * A.m[p][q]);
                const double t =
                    (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                const double c = 1.0 / sqrt(t * t + 1.0);
                utMat3 R = ut_mat3_identity();
                R.m[p][p] = R.m[q][q] = c;
                R.m[p][q] = t * c;
                R.m[q][p] = -t * c;
                A = ut_mat3_mul(ut_mat3_mul(ut_mat3_transpose(R), A), R);
                A.m[p][q] = A.m[q][p] = 0.0;
                *V = ut_mat3_mul(*V, R);
            }
        }
    }
    *d = ut_vec3(A.m[0][0], A.m[1][1], A.m[2][2]);
}

static utMat3 bound_below(utMat3 A, double bound)
{
    utVec3 d;
    utMat3 V;
    ut_mjcf_principal_moments(A, &d, &V);
    const utVec3 bounded =
        ut_vec3(ut_larger(d.x, bound), ut_larger(d.y, bound), ut_larger(d.z, bound));
    if (bounded.x == d.x && bounded.y == d.y && bounded.z == d.z) {
        return A;
    }
    return ut_mat3_mul(ut_mat3_mul(V, ut_mat3_diagonal(bounded)), ut_mat3_transpose(V));
}

// Replace principal moments that no solid can have by their mean.
static utMat3 balance(utMat3 A)
{
    utVec3 d;
    utMat3 V;
    ut_mjcf_principal_moments(A, &d, &V);
    if (d.x + d.y >= d.z && d.x + d.z >= d.y && d.y + d.z >= d.x) {
        return A;
    }
    const double mean = (d.x + d.y + d.z) / 3.0;
    return ut_mat3_diagonal(ut_vec3(mean, mean, mean));
}

// ---- from geoms ---------------------------------------------------------------------------------

static const MjcfCompiler* compiler_of(const XmlNode* node)
{
    return &node->file->model->compiler;
}

// Does a geom count for the mass of its body?
static bool counts(const MjcfGeom* geom)
{
    const MjcfCompiler* c = compiler_of(geom->node);
    return geom->def.group >= c->group[0] && geom->def.group <= c->group[1];
}

utStatus ut_mjcf_set_axes(Mjcf* m, MjcfBody* body, utQuat axes)
{
    body->axes = UT_PUSH(&m->memory, utQuat, 1);
    if (body->axes == NULL) {
        return ut_mjcf_no_memory(m);
    }
    *body->axes = axes;
    return UT_OK;
}

utStatus ut_mjcf_inertia_of_geoms(Mjcf* m, MjcfBody* body)
{
    utInertia sum = ut_inertia(0.0, ut_vec3_zero(), ut_mat3_zero());
    utQuat own_axes = ut_quat_identity(); // of the last geom with mass
    int with_mass = 0;
    for (int i = body->geom; i < body->geom + body->geoms; i++) {
        if (counts(&m->parts.geom[i])) {
            utInertia I;
            utQuat axes;
            UT_TRY(ut_mjcf_geom_mass(m, &m->parts.geom[i].def, &I, &axes));
            sum = I.mass > 0.0 ? ut_inertia_add(sum, I) : sum;
            with_mass += I.mass > 0.0;
            own_axes = I.mass > 0.0 ? axes : own_axes;
        }
    }
    body->axes = NULL;
    body->def.inertial = true;
    body->def.mass = sum.mass;
    body->def.com = sum.mass > 0.0 ? sum.com : ut_vec3_zero();
    body->def.inertia = sum.inertia;
    return with_mass == 1 ? ut_mjcf_set_axes(m, body, own_axes) : UT_OK;
}

// ---- all ----------------------------------------------------------------------------------------

static bool changes_masses(const Mjcf* m)
{
    bool changes = m->main.compiler.settotalmass > 0.0;
    for (int i = 0; i < m->parts.geoms; i++) {
        changes = changes || (m->parts.geom[i].def.body != 0 && !counts(&m->parts.geom[i]));
    }
    for (int i = 1; i < m->parts.bodies; i++) {
        const MjcfCompiler* c = compiler_of(m->parts.body[i].node);
        changes = changes || c->boundmass > 0.0 || c->boundinertia > 0.0 || c->balanceinertia ||
                  c->inertiafromgeom != MJCF_FROM_GEOM_AUTO;
    }
    return changes;
}

static utStatus adjust(Mjcf* m, MjcfBody* body)
{
    const MjcfCompiler* c = compiler_of(body->node);
    utBodyDef* b = &body->def;
    const bool auto_from = c->inertiafromgeom == MJCF_FROM_GEOM_AUTO && !b->inertial;
    if (auto_from || (c->inertiafromgeom == MJCF_FROM_GEOM_TRUE && body->geoms > 0)) {
        UT_TRY(ut_mjcf_inertia_of_geoms(m, body));
    }
    b->inertial = true;
    if (c->balanceinertia) {
        b->inertia = balance(b->inertia);
    }
    if (c->boundmass > 0.0) {
        b->mass = ut_larger(b->mass, c->boundmass);
    }
    if (c->boundinertia > 0.0) {
        b->inertia = bound_below(b->inertia, c->boundinertia);
    }
    b->inertia = ut_mjcf_symmetric(b->inertia);
    return UT_OK;
}

static utStatus set_total(Mjcf* m)
{
    double total = 0.0;
    for (int i = 1; i < m->parts.bodies; i++) {
        total += m->parts.body[i].def.mass;
    }
    if (!(total > 0.0)) {
        return ut_mjcf_fail(m, m->root, "settotalmass needs a model with mass");
    }
    const double scale = m->main.compiler.settotalmass / total;
    for (int i = 1; i < m->parts.bodies; i++) {
        utBodyDef* b = &m->parts.body[i].def;
        b->mass *= scale;
        b->inertia = ut_mat3_scale(b->inertia, scale);
    }
    return UT_OK;
}

utStatus ut_mjcf_inertias(Mjcf* m)
{
    if (!changes_masses(m)) {
        return UT_OK;
    }
    for (int i = 1; i < m->parts.bodies; i++) {
        UT_TRY(adjust(m, &m->parts.body[i]));
    }
    return m->main.compiler.settotalmass > 0.0 ? set_total(m) : UT_OK;
}
