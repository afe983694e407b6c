// SPDX-License-Identifier: Apache-2.0
// Tendons: their paths, the velocities that change their lengths, and lengths at rest.
#include <string.h>

#include "model/internal.h"
#include "model/tendon_path.h"

// ---- the path -----------------------------------------------------------------------------------

static void fill_path(Work* work, const utTendonDef* def, utModelTendon* tendon)
{
    utWrap* wrap = UT_PUSH(&work->keep, utWrap, def->wraps);
    for (int k = 0; wrap != NULL && k < def->wraps; k++) {
        wrap[k] = def->wrap[k];
        if (wrap[k].kind == UT_WRAP_JOINT) {
            wrap[k].object = work->scratch.joint_of_described[wrap[k].object];
        } else if (wrap[k].kind == UT_WRAP_GEOM) {
            int geom = 0;
            while (work->scratch.described_geom[geom] != def->wrap[k].object) {
                geom++;
            }
            wrap[k].object = geom;
        }
        wrap[k].side = wrap[k].kind == UT_WRAP_GEOM ? wrap[k].side : -1;
        wrap[k].object = wrap[k].kind == UT_WRAP_PULLEY ? -1 : wrap[k].object;
        wrap[k].value =
            wrap[k].kind == UT_WRAP_JOINT || wrap[k].kind == UT_WRAP_PULLEY ? wrap[k].value : 0.0;
    }
    tendon->wrap = wrap;
    tendon->wraps = wrap != NULL ? def->wraps : 0;
}

void ut_model_keep_velocities(Work* work, int* terms, const int** index)
{
    int count = 0;
    for (int i = 0; i < work->model->nv; i++) {
        count += work->scratch.moving[i] > 0;
    }
    int* kept = UT_PUSH(&work->keep, int, count);
    *terms = 0;
    for (int i = 0; kept != NULL && i < work->model->nv; i++) {
        if (work->scratch.moving[i] > 0) {
            kept[(*terms)++] = i;
        }
    }
    *index = kept;
}

// The velocities that change the length. A velocity that moves all elements of a spatial path moves
// them as one body and does not count.
static void find_velocities(Work* work, utModelTendon* tendon)
{
    int* moving = work->scratch.moving;
    int elements = 0;
    memset(moving, 0, (size_t)work->model->nv * sizeof *moving);
    for (int k = 0; k < tendon->wraps; k++) {
        const utWrap* wrap = &tendon->wrap[k];
        if (wrap->kind == UT_WRAP_JOINT) {
            moving[work->array.joint[wrap->object].v] += wrap->value != 0.0;
        } else if (wrap->kind != UT_WRAP_PULLEY) {
            const int body = wrap->kind == UT_WRAP_SITE ? work->array.site[wrap->object].body
                                                        : work->array.geom[wrap->object].body;
            elements++;
            for (int i = work->array.body[body].last_dof; i >= 0; i = work->array.dof_parent[i]) {
                moving[i]++;
            }
            int carrier = body;
            while (carrier > 0 && work->array.body[carrier].mocap < 0) {
                carrier = work->array.body[carrier].parent;
            }
            tendon->mocap = tendon->mocap || carrier > 0;
        }
    }
    for (int i = 0; elements > 0 && i < work->model->nv; i++) {
        moving[i] = moving[i] == elements ? 0 : moving[i];
    }
    ut_model_keep_velocities(work, &tendon->terms, &tendon->index);
}

// The unit of a fixed tendon: the largest that lets no joint move the tendon faster, in m/s, than the
// joint's reach moves.
static double find_unit(const Work* work, const utModelTendon* tendon)
{
    double fastest = 0.0;
    for (int k = 0; k < tendon->wraps && tendon->kind == UT_TENDON_FIXED; k++) {
        const utModelJoint* joint = &work->array.joint[tendon->wrap[k].object];
        const double length = joint->kind == UT_JOINT_SLIDE ? 1.0 : joint->reach;
        fastest = fmax(fastest, fabs(tendon->wrap[k].value) / length);
    }
    return fastest > 0.0 ? 1.0 / fastest : 1.0;
}

// ---- lengths ------------------------------------------------------------------------------------

// The poses of all bodies where hinges and slides are at their springref.
static void place_at_rest(const Work* work)
{
    utFrame* body = work->scratch.at_rest;
    for (int b = 0; work->model->ntendon > 0 && b < work->model->nbody; b++) {
        const utModelBody* in = &work->array.body[b];
        utFrame at = b > 0 ? ut_frame_mul(body[in->parent], in->in_parent) : in->in_parent;
        for (int j = in->joint; j < in->joint + in->joints; j++) {
            const utModelJoint* joint = &work->array.joint[j];
            const double x = joint->springref - joint->ref;
            if (joint->kind == UT_JOINT_SLIDE) {
                at.p = ut_frame_point(at, ut_vec3_scale(joint->axis, x));
            } else if (joint->kind == UT_JOINT_HINGE) {
                const utMat3 R = ut_quat_to_mat3(ut_quat_from_axis_angle(joint->axis, x));
                const utVec3 moved = ut_vec3_sub(joint->pos, ut_mat3_mul_vec(R, joint->pos));
                at = ut_frame_mul(at, ut_frame(R, moved));
            }
        }
        body[b] = at;
    }
}

// The length of a fixed tendon at the modelled pose, or with all joints at their springref.
static double fixed_length(const Work* work, const utModelTendon* tendon, bool at_rest)
{
    double length = 0.0;
    for (int k = 0; k < tendon->wraps; k++) {
        const utModelJoint* joint = &work->array.joint[tendon->wrap[k].object];
        length += tendon->wrap[k].value * (at_rest ? joint->springref : joint->ref);
    }
    return length;
}

static void fill_lengths(Work* work, const utTendonDef* def, utModelTendon* tendon)
{
    const bool fixed = tendon->kind == UT_TENDON_FIXED;
    tendon->length0 = fixed ? fixed_length(work, tendon, false)
                            : ut_tendon_path_length(work->model, tendon, work->scratch.in_world);
    tendon->spring_length[0] = def->spring_length[0];
    tendon->spring_length[1] = def->spring_length[1];
    if (def->spring_length[0] != -1.0 || def->spring_length[1] != -1.0) {
        return;
    }
    tendon->spring_length[0] = tendon->spring_length[1] =
        fixed ? fixed_length(work, tendon, true)
              : ut_tendon_path_length(work->model, tendon, work->scratch.at_rest);
}

// ---- all ----------------------------------------------------------------------------------------

void ut_model_fill_tendons(Work* work)
{
    place_at_rest(work);
    for (int i = 0; i < work->model->ntendon; i++) {
        const utTendonDef* def = ut_model_tendon_def(work->def, i);
        utModelTendon* tendon = &work->array.tendon[i];
        *tendon = (utModelTendon){
            .name = ut_model_keep_text(work, def->name),
            .kind = def->kind,
            .limited = def->limited,
            .range = {def->range[0], def->range[1]},
            .margin = def->margin,
            .frictionloss = def->frictionloss,
            .stiffness = def->stiffness,
            .stiffness_poly = {def->stiffness_poly[0], def->stiffness_poly[1]},
            .damping = def->damping,
            .damping_poly = {def->damping_poly[0], def->damping_poly[1]},
            .armature = def->armature,
            .actuator_force_limited = def->actuator_force_limited,
            .actuator_force_range = {def->actuator_force_range[0], def->actuator_force_range[1]},
        };
        fill_path(work, def, tendon);
        find_velocities(work, tendon);
        tendon->unit = find_unit(work, tendon);
        fill_lengths(work, def, tendon);
    }
}
