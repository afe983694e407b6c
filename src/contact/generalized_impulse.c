// SPDX-License-Identifier: Apache-2.0
// Generalized impulses J'r of contacts and rows. The impulses on a body are summed in double-double
// arithmetic, because they may be millions of times larger than their sum.
#include <string.h>

#include "contact.h"
#include "la/wide_force.h"

// Add an impulse at a point of the body on a side: f on the second one, its opposite on the first. A
// body that no joint moves takes none.
static void add_on_side(const ContactScene* scene, int side, int body, const WideImpulse* f,
                        utVec3 point, WideForce* wrench)
{
    const int tree = scene->model->body[body].tree;
    if (tree < 0) {
        return;
    }
    const utVec3 origin = scene->kin->origin[tree];
    if (side == 0) {
        wide_pull(&wrench[body], f, point, origin);
    } else {
        wide_push(&wrench[body], f, point, origin);
    }
}

static WideSide side_of(const ContactScene* scene, int body, WideForce* wrench)
{
    const int tree = scene->model->body[body].tree;
    return tree >= 0 ? (WideSide){&wrench[body], scene->kin->origin[tree]}
                     : (WideSide){.sum = NULL};
}

static void add_contact(const ContactScene* scene, const utContact* c, WideForce* wrench)
{
    const int body1 = ut_model_side_body(scene->model, c->geom1);
    const int body2 = ut_model_side_body(scene->model, c->geom2);
    const WideSide side[2] = {side_of(scene, body1, wrench), side_of(scene, body2, wrench)};
    ut_wide_add_contact(c->r, c->frame, c->point, side);
    for (int k = 0; ut_contact_spins(c) && k < 3; k++) {
        wide_add_scaled(&wrench[body1].torque, -c->torque[k], c->frame[k]);
        wide_add_scaled(&wrench[body2].torque, c->torque[k], c->frame[k]);
    }
}

static void add_row(const ContactScene* scene, const utRow* row, WideForce* wrench)
{
    WideVec linear = {.hi = {0.0}};
    wide_add_scaled(&linear, row->r, row->linear);
    const WideImpulse f = wide_impulse(&linear);
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? row->body1 : row->body2;
        const double sign = side == 0 ? -1.0 : 1.0;
        add_on_side(scene, side, body, &f, side == 0 ? row->point1 : row->point2, wrench);
        wide_add_scaled(&wrench[body].torque, sign * row->r, row->angular);
    }
}

// g += J' (wrenches on bodies), from the last body of each tree to the first: a joint transmits the
// wrenches on all bodies behind it.
static void project_on_joints(const ContactScene* scene, WideForce* wrench, double* g)
{
    const utModel* model = scene->model;
    for (int b = model->nbody - 1; b > 0; b--) {
        const utModelBody* body = &model->body[b];
        if (body->tree < 0) {
            continue;
        }
        const utForce net = wide_force_round(&wrench[b]);
        for (int dof = body->dof; dof < body->dof + body->dofs; dof++) {
            g[dof] += ut_force_power(net, scene->kin->axis[dof]);
        }
        if (model->body[body->parent].tree == body->tree) {
            wide_force_add(&wrench[body->parent], &wrench[b]);
        }
    }
}

utStatus ut_contact_generalized_impulse(const ContactScene* scene, int contacts,
                                        const utContact* contact, int rows, const utRow* row,
                                        utArena scratch, double* g)
{
    WideForce* wrench = UT_PUSH(&scratch, WideForce, scene->model->nbody);
    if (ut_arena_failed(&scratch)) {
        return UT_ERR_CAPACITY;
    }
    if (contacts + rows == 0) {
        return UT_OK;
    }
    memset(wrench, 0, (size_t)scene->model->nbody * sizeof *wrench);
    for (int i = 0; i < contacts; i++) {
        add_contact(scene, &contact[i], wrench);
    }
    for (int j = 0; j < rows; j++) {
        if (ut_row_has_bodies(&row[j])) {
            add_row(scene, &row[j], wrench);
        }
    }
    project_on_joints(scene, wrench, g);
    for (int j = 0; j < rows; j++) {
        for (int k = 0; row[j].dof >= 0 && k < row[j].dofs; k++) {
            g[row[j].dof + k] += row[j].length * row[j].direction[k] * row[j].r;
        }
        ut_row_terms_impulse(&row[j], row[j].r, g);
    }
    return UT_OK;
}
