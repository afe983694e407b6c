// SPDX-License-Identifier: Apache-2.0
// The attributes of `compiler` that change masses: the groups of geoms that count, lower bounds,
// balancing, and the total mass. Without these attributes, bodies keep their description.
#include "io/internal.h"

#include "la/scalar.h"

// ---- principal moments --------------------------------------------------------------------------

enum { JACOBI_SWEEPS = 10 }; // a 3 x 3 matrix converges quadratically, within 6

// A = V diag(d) V^T by Jacobi rotations, always in the same order.
static void eigen(utMat3 A, utVec3* d, utMat3* V)
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
    eigen(A, &d, &V);
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
    eigen(A, &d, &V);
    if (d.x + d.y >= d.z && d.x + d.z >= d.y && d.y + d.z >= d.x) {
        return A;
    }
    const double mean = (d.x + d.y + d.z) / 3.0;
    return ut_mat3_diagonal(ut_vec3(mean, mean, mean));
}

// ---- from geoms ---------------------------------------------------------------------------------

static bool counts(const Mjcf* m, const utGeomDef* g)
{
    return g->group >= m->compiler.group[0] && g->group <= m->compiler.group[1];
}

static utInertia of_geom(const utGeomDef* g)
{
    utInertia I = ut_shape_inertia(&g->shape, g->density);
    if (g->mass >= 0.0) {
        // scale the inertia of unit density to the given mass
        const utInertia unit = ut_shape_inertia(&g->shape, 1.0);
        const double scale = unit.mass > 0.0 ? g->mass / unit.mass : 0.0;
        I = ut_inertia(unit.mass > 0.0 ? g->mass : 0.0, unit.com,
                       ut_mat3_scale(unit.inertia, scale));
    }
    return ut_inertia_transform(ut_frame(ut_quat_to_mat3(g->quat), g->pos), I);
}

static void from_geoms(const Mjcf* m, MjcfBody* body)
{
    utInertia sum = ut_inertia(0.0, ut_vec3_zero(), ut_mat3_zero());
    for (int i = body->geom; i < body->geom + body->geoms; i++) {
        const utGeomDef* g = &m->parts.geom[i].def;
        if (counts(m, g) && g->shape.kind != UT_SHAPE_PLANE) {
            const utInertia I = of_geom(g);
            sum = I.mass > 0.0 ? ut_inertia_add(sum, I) : sum;
        }
    }
    body->def.inertial = true;
    body->def.mass = sum.mass;
    body->def.com = sum.mass > 0.0 ? sum.com : ut_vec3_zero();
    body->def.inertia = sum.inertia;
}

// ---- all ----------------------------------------------------------------------------------------

static bool changes_masses(const Mjcf* m)
{
    const MjcfCompiler* c = &m->compiler;
    bool all = true;
    for (int i = 0; i < m->parts.geoms; i++) {
        all = all && (m->parts.geom[i].def.body == 0 || counts(m, &m->parts.geom[i].def));
    }
    return !all || c->boundmass > 0.0 || c->boundinertia > 0.0 || c->settotalmass > 0.0 ||
           c->balanceinertia || c->inertiafromgeom != MJCF_FROM_GEOM_AUTO;
}

static void adjust(const Mjcf* m, MjcfBody* body)
{
    const MjcfCompiler* c = &m->compiler;
    utBodyDef* b = &body->def;
    const bool auto_from = c->inertiafromgeom == MJCF_FROM_GEOM_AUTO && !b->inertial;
    if (auto_from || (c->inertiafromgeom == MJCF_FROM_GEOM_TRUE && body->geoms > 0)) {
        from_geoms(m, body);
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
    const double scale = m->compiler.settotalmass / total;
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
        adjust(m, &m->parts.body[i]);
    }
    return m->compiler.settotalmass > 0.0 ? set_total(m) : UT_OK;
}
