// SPDX-License-Identifier: Apache-2.0
// Masses and inertias of bodies and of groups welded together, and the reach of joints.
#include "model/internal.h"
#include "model/mesh_asset.h"

// ---- inertia ------------------------------------------------------------------------------------

// A geom's mass properties in its body's frame.
static utInertia geom_inertia(const Work* work, int i)
{
    const int described = work->scratch.described_geom[i];
    const utGeomDef* def = ut_model_geom_def(work->def, described);
    const utInertia inertia = ut_geom_mass(def, work->assets.of_geom[described]);
    return ut_inertia_transform(work->array.geom[i].in_body, inertia);
}

static utMat3 symmetric(utMat3 A)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            A.m[i][j] = A.m[j][i] = 0.5 * (A.m[i][j] + A.m[j][i]);
        }
    }
    return A;
}

static bool finite_inertia(const utInertia* inertia)
{
    double sum = inertia->mass + inertia->com.x + inertia->com.y + inertia->com.z;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            sum += inertia->inertia.m[i][j];
        }
    }
    return isfinite(sum);
}

static utInertia sum_of_geoms(const Work* work, const utModelBody* body)
{
    utInertia sum = ut_inertia(0.0, ut_vec3_zero(), ut_mat3_zero());
    for (int i = body->geom; i < body->geom + body->geoms; i++) {
        const utInertia one = geom_inertia(work, i);
        // a geom without mass does not move the centre of mass
        if (sum.mass == 0.0 && one.mass != 0.0) {
            sum = one;
        } else if (one.mass != 0.0) {
            sum = ut_inertia_add(sum, one);
        }
    }
    return sum;
}

static utStatus fill_own(Work* work, int b)
{
    const utBodyDef* def = ut_model_body_def(work->def, b);
    utModelBody* body = &work->array.body[b];
    const utInertia own =
        def->inertial ? ut_inertia(def->mass, def->com, def->inertia) : sum_of_geoms(work, body);
    if (!finite_inertia(&own)) {
        return UT_MODEL_FAIL(work->err, def->origin,
                             "mass or inertia of %s overflows; check the sizes, positions "
                             "and densities of its geoms",
                             ut_model_body_label(work->def, b).text);
    }
    body->mass = own.mass;
    body->com = own.com;
    body->inertia = symmetric(own.inertia);
    work->scratch.welded[b] = ut_inertia(body->mass, body->com, body->inertia);
    return UT_OK;
}

// ---- groups welded together ---------------------------------------------------------------------

// In the plane a body needs inertia only about the normal, and only when it can turn. About a hinge
// away from its centre of mass even a point mass has inertia.
static bool turns_without_inertia(const Work* work, int b)
{
    const utModelBody* body = &work->array.body[b];
    const utPlane plane = ut_plane(work->def->options.planar);
    const utInertia* group = &work->scratch.welded[b];
    const double about = ut_vec3_dot(plane.normal, ut_mat3_mul_vec(group->inertia, plane.normal));
    for (int j = body->joint; !(about > 0.0) && j < body->joint + body->joints; j++) {
        const utModelJoint* joint = &work->array.joint[j];
        const utVec2 arm = ut_plane_in(&plane, ut_vec3_sub(group->com, joint->pos));
        const bool alone = joint->kind == UT_JOINT_HINGE && body->joints == 1;
        const bool slides = joint->kind == UT_JOINT_SLIDE || joint->kind == UT_JOINT_PARTICLE;
        if (!slides && !(alone && (arm.x != 0.0 || arm.y != 0.0))) {
            return true;
        }
    }
    return false;
}

// Joints move a body together with everything welded to it. The group needs mass, and in space
// inertia about every axis.
static utStatus check_group(Work* work, int b)
{
    const utInertia* group = &work->scratch.welded[b];
    const utOrigin origin = ut_model_body_def(work->def, b)->origin;
    const Label label = ut_model_body_label(work->def, b);
    if (!(group->mass > 0.0)) {
        return UT_MODEL_FAIL(work->err, origin,
                             "%s moves but has no mass; give it an inertial or a geom with mass",
                             label.text);
    }
    if (work->def->options.planar != UT_PLANAR_NONE) {
        return !turns_without_inertia(work, b)
                   ? UT_OK
                   : UT_MODEL_FAIL(work->err, origin,
                                   "%s turns but has no inertia about the normal of the plane %s",
                                   label.text, ut_planar_name(work->def->options.planar));
    }
    const utMat3 I = group->inertia;
    const double trace = I.m[0][0] + I.m[1][1] + I.m[2][2];
    if (!ut_model_definite(I, MIN_INERTIA_RATIO * trace)) {
        return UT_MODEL_FAIL(work->err, origin,
                             "%s moves but its inertia is not positive definite; a moving body "
                             "needs inertia about every axis",
                             label.text);
    }
    return UT_OK;
}

utStatus ut_model_fill_inertia(Work* work)
{
    utModel* model = work->model;
    for (int b = 0; b < model->nbody; b++) {
        UT_TRY(fill_own(work, b));
        model->mass += work->array.body[b].weld > 0 ? work->array.body[b].mass : 0.0;
    }
    // children come after their parents, so the last body comes first
    for (int b = model->nbody - 1; b > 0; b--) {
        const utModelBody* body = &work->array.body[b];
        if (body->joints > 0) {
            UT_TRY(check_group(work, b));
        } else if (work->scratch.welded[b].mass > 0.0) {
            utInertia* above = &work->scratch.welded[body->parent];
            const utInertia here = ut_inertia_transform(body->in_parent, work->scratch.welded[b]);
            *above = above->mass > 0.0 ? ut_inertia_add(*above, here) : here;
        }
    }
    return UT_OK;
}

// ---- reach --------------------------------------------------------------------------------------

double ut_model_body_reach(const Work* work, int b, utVec3 anchor)
{
    const utModelBody* body = &work->array.body[b];
    const utFrame place = work->scratch.in_world[b];
    double reach = 0.0;
    if (body->mass > 0.0) {
        reach = ut_vec3_norm(ut_vec3_sub(ut_frame_point(place, body->com), anchor));
    }
    for (int i = body->geom; i < body->geom + body->geoms; i++) {
        const utModelGeom* geom = &work->array.geom[i];
        const utVec3 centre = ut_frame_point(place, geom->in_body.p);
        reach = fmax(reach, ut_vec3_norm(ut_vec3_sub(centre, anchor)) + geom->radius);
    }
    return reach;
}

utStatus ut_model_fill_reach(Work* work)
{
    for (int j = 0; j < work->model->njoint; j++) {
        utModelJoint* joint = &work->array.joint[j];
        const utVec3 anchor = ut_frame_point(work->scratch.in_world[joint->body], joint->pos);
        double reach = 0.0;
        for (int b = joint->body; b < work->scratch.subtree_end[joint->body]; b++) {
            reach = fmax(reach, ut_model_body_reach(work, b, anchor));
        }
        if (!isfinite(reach)) {
            const int described = work->scratch.described_joint[j];
            return UT_MODEL_FAIL(
                work->err, ut_model_joint_def(work->def, described)->origin,
                "distances to bodies that %s moves overflow; check positions and sizes",
                ut_model_joint_label(work->def, described).text);
        }
        joint->reach = reach > 0.0 ? reach : 1.0;
    }
    return UT_OK;
}
