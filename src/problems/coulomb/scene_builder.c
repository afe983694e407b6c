// SPDX-License-Identifier: Apache-2.0
// Adds bodies, contacts and joints to a scene.
#include "scene_builder.h"

#include <assert.h>

// relative to the size of a box: a smaller overlap is rounding
static const double SLIVER = 1e-6;

// ---- bodies -------------------------------------------------------------------------------------

void ut_build_inertia(utFrictionBody* body)
{
    double x = body->half.x * body->half.x;
    double y = body->half.y * body->half.y;
    double z = body->half.z * body->half.z;
    body->inertia = ut_vec3_scale(ut_vec3(y + z, z + x, x + y), body->mass / 3.0);
}

utFrictionBody ut_build_box(utVec3 center, utVec3 half, double mass)
{
    utFrictionBody body = {
        .center = center, .R = ut_mat3_identity(), .half = half, .mass = mass, .impulse = {0}};
    ut_build_inertia(&body);
    return body;
}

int ut_build_add(utBuild* build, utFrictionBody body)
{
    assert(build->used.bodies < build->capacity.bodies);
    build->bodies[build->used.bodies] = body;
    return build->used.bodies++;
}

int ut_build_add_fixed(utBuild* build, utFrictionBody body)
{
    assert(build->used.fixed < build->capacity.fixed);
    build->fixed[build->used.fixed] = body;
    return -1 - build->used.fixed++;
}

void ut_build_ground(utBuild* build)
{
    const utFrictionDef* def = build->def;
    int longest = def->count > def->columns ? def->count : def->columns;
    double wide = 2.0 * def->size * (longest + 2);
    double thick = 0.5 * def->size;
    ut_build_add_fixed(build,
                       ut_build_box(ut_vec3(0.0, 0.0, -thick), ut_vec3(wide, wide, thick), 0.0));
}

const utFrictionBody* ut_build_body(const utBuild* build, int name)
{
    return name >= 0 ? &build->bodies[name] : &build->fixed[-1 - name];
}

void ut_build_push(utBuild* build, int middle)
{
    int pushed = build->def->pushed >= 0 ? build->def->pushed : middle;
    if (pushed < build->used.bodies) {
        build->bodies[pushed].v.linear = build->def->push;
    }
}

// ---- contacts and joints ------------------------------------------------------------------------

static double draw_mu(utBuild* build)
{
    const utFrictionDef* def = build->def;
    double mu = ut_rng_range(&build->mu_rng, def->mu_min, def->mu_max);
    bool smooth = ut_rng_uniform(&build->mu_rng) < def->smooth;
    if (def->scene == UT_FRICTION_RAMP) {
        return def->mu_min;
    }
    return smooth ? 0.0 : mu;
}

void ut_build_contact(utBuild* build, int a, int b, utVec3 point, utVec3 normal, double gap)
{
    assert(build->used.contacts < build->capacity.contacts);
    utFrictionContact* contact = &build->contacts[build->used.contacts++];
    *contact = (utFrictionContact){
        .a = a, .b = b, .point = point, .normal = normal, .gap = gap, .mu = draw_mu(build)};
    ut_tangent_basis(normal, &contact->tangent[0], &contact->tangent[1]);
}

static double component(utVec3 a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

// The vector with entries x, y, z along the axes first, first + 1, first + 2 (modulo 3).
static utVec3 along_axes(int first, double x, double y, double z)
{
    return first == 0 ? ut_vec3(x, y, z) : first == 1 ? ut_vec3(z, x, y) : ut_vec3(y, z, x);
}

void ut_build_face(utBuild* build, int a, int b, int axis, double gap)
{
    const utFrictionBody* A = ut_build_body(build, a);
    const utFrictionBody* B = ut_build_body(build, b);
    // from the centre of a to that of b, in their common axes
    utVec3 apart = ut_mat3_tmul_vec(A->R, ut_vec3_sub(B->center, A->center));
    double side = component(apart, axis) < 0.0 ? -1.0 : 1.0;
    utVec3 normal = ut_vec3_scale(ut_mat3_column(A->R, axis), side);

    // the common rectangle along the two other axes
    double edge[2][2];
    for (int k = 0; k < 2; k++) {
        int across = (axis + 1 + k) % 3;
        double ha = component(A->half, across);
        double hb = component(B->half, across);
        double center = component(apart, across);
        edge[k][0] = fmax(-ha, center - hb);
        edge[k][1] = fmin(ha, center + hb);
        if (!(edge[k][1] - edge[k][0] > SLIVER * fmin(ha, hb))) {
            return;
        }
    }

    // its corners, in the middle of the gap
    double level = side * (component(A->half, axis) + 0.5 * gap);
    for (int corner = 0; corner < 4; corner++) {
        utVec3 arm = along_axes(axis, level, edge[0][corner % 2], edge[1][corner / 2]);
        ut_build_contact(build, a, b, ut_vec3_add(A->center, ut_mat3_mul_vec(A->R, arm)), normal,
                         gap);
    }
}

void ut_build_joint(utBuild* build, int a, int b, utVec3 point, utVec3 direction)
{
    assert(build->used.joints < build->capacity.joints);
    build->joints[build->used.joints++] =
        (utFrictionJoint){.a = a, .b = b, .point = point, .direction = direction};
}
