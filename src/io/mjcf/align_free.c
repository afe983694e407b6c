// SPDX-License-Identifier: Apache-2.0
// `align` of a free joint: move the frame of its body to the centre of mass, along the principal axes.
//
// Let F be the principal frame in the body's frame B. The new frame of the body is B F, and everything
// that is described in the old frame is moved by F^-1, so that it stays where it is. Numbers of
// keyframes and equalities are read later and belong to the new frame.
#include "io/internal.h"

#include "model/mesh_asset.h"

// Bodies are in the order of the document, so a first child is the next body.
static bool has_children(const Mjcf* m, int body)
{
    return body + 1 < m->parts.bodies && m->parts.body[body + 1].def.parent == body;
}

static utStatus find_axes(Mjcf* m, MjcfBody* body)
{
    if (!body->def.inertial) {
        UT_TRY(ut_mjcf_inertia_of_geoms(m, body));
    }
    if (body->axes == NULL) {
        utVec3 moments;
        utQuat axes;
        ut_principal_axes(body->def.inertia, &moments, &axes);
        return ut_mjcf_set_axes(m, body, axes);
    }
    return UT_OK;
}

// Move a part of an aligned body by F^-1.
static void move_part(const Mjcf* m, int index, utVec3* pos, utQuat* quat)
{
    const MjcfBody* body = &m->parts.body[index];
    if (body->align) {
        const utQuat inverse = ut_quat_conjugate(*body->axes);
        *pos = ut_quat_rotate(inverse, ut_vec3_sub(*pos, body->def.com));
        *quat = ut_quat_mul(inverse, *quat);
    }
}

static void move_body(MjcfBody* body)
{
    utBodyDef* b = &body->def;
    const utMat3 R = ut_quat_to_mat3(*body->axes);
    const utMat3 I = ut_mat3_mul(ut_mat3_mul(ut_mat3_transpose(R), b->inertia), R);
    b->inertia = ut_mat3_diagonal(ut_vec3(I.m[0][0], I.m[1][1], I.m[2][2]));
    b->pos = ut_vec3_add(b->pos, ut_quat_rotate(b->quat, b->com));
    b->quat = ut_quat_mul(b->quat, *body->axes);
    b->com = ut_vec3_zero();
}

utStatus ut_mjcf_align_free(Mjcf* m)
{
    MjcfParts* parts = &m->parts;
    for (int i = 1; i < parts->bodies; i++) {
        MjcfBody* body = &parts->body[i];
        body->align = body->align && !has_children(m, i);
        if (body->align) {
            UT_TRY(find_axes(m, body));
        }
    }
    for (int i = 0; i < parts->geoms; i++) {
        utGeomDef* geom = &parts->geom[i].def;
        move_part(m, geom->body, &geom->pos, &geom->quat);
    }
    for (int i = 0; i < parts->sites; i++) {
        move_part(m, parts->site[i].body, &parts->site[i].pos, &parts->site[i].quat);
    }
    for (int i = 1; i < parts->bodies; i++) {
        if (parts->body[i].align) {
            move_body(&parts->body[i]);
        }
    }
    return UT_OK;
}
