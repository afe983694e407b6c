// SPDX-License-Identifier: Apache-2.0
// Contacts ahead that bodies fly past.
//
// A contact at a distance stands for what may be met within the step: gap + h J_n v >= 0, the plane
// through the nearest points. Past an edge or a corner this plane goes on and the shape does not: a
// box that falls beside a table would be caught in the air. Where the plane would stop a pair that
// does not meet on its way through the step, the contact is left out.
//
// On its way means by v*, the velocity without impulses. Once impulses are known, and a contact was
// left out that would stop the pair now, the way is looked at again: if the pair meets on that one,
// the contact joins, and stays whatever follows. Only bodies that move freely are looked at, whose
// frames go straight on while they turn; what links do is not that simple.
//
// What slides or rolls over a curved surface is no such pair, though its free way may miss the
// surface by a hair: each step leads along a tangent and ends above the surface by the sagitta
// s = (v_t h)^2 / 2R, and the contact's plane is what brings it back. Without the contact it hops,
// with velocities of order h, and leaves a ball it slides off late or early by sqrt(h). So contacts
// with gaps of about the sagitta stay as long as it is small beside the way: such a plane changes
// the velocity of a pair that does fly past by at most s / h, which is of first order.
#include "contact.h"

static const double NEAR = 1e-6;  // of the smaller shape: contacts this near count whatever follows
static const double GRAZES = 2.0; // sagittas: a gap that sliding along the surface explains
static const double BENDS = 0.05; // of the way: a larger sagitta is one of an edge or a corner

typedef struct Pass {
    const ContactScene* scene;
    int geom[2];
    double near; // m
} Pass;

// Do two shapes under these velocities meet within the step?
static bool meets(const Pass* pass, const double* v)
{
    const utModel* model = pass->scene->model;
    const double h = pass->scene->h;
    utMotion motion[2];
    utFrame frame[2];
    double bend = 0.0; // of the geoms' ways about the bodies' origins
    for (int k = 0; k < 2; k++) {
        const utModelGeom* geom = &model->geom[pass->geom[k]];
        frame[k] = ut_frame_mul(pass->scene->kin->body[geom->body], geom->in_body);
        motion[k] = ut_contact_twist(pass->scene, geom->body, frame[k].p, v);
        const int weld = model->body[geom->body].weld;
        const double off =
            weld > 0 ? ut_vec3_norm(ut_vec3_sub(frame[k].p, pass->scene->kin->body[weld].p)) : 0.0;
        const double turn = h * ut_vec3_norm(motion[k].angular);
        bend += 0.5 * turn * turn * off;
    }
    double time;
    return ut_time_of_impact(&model->geom[pass->geom[0]].shape, frame[0], motion[0],
                             &model->geom[pass->geom[1]].shape, frame[1], motion[1], h,
                             pass->near + bend, &time);
}

// The velocity of the second geom's point against the first one's.
static utVec3 relative_velocity(const Pass* pass, const utTouch* touch, const double* v)
{
    const utModel* model = pass->scene->model;
    const utMotion one =
        ut_contact_twist(pass->scene, model->geom[pass->geom[0]].body, touch->point, v);
    const utMotion two =
        ut_contact_twist(pass->scene, model->geom[pass->geom[1]].body, touch->point, v);
    return ut_vec3_sub(two.linear, one.linear);
}

// The gap above the contact's plane where the way ends.
static double gap_ahead(const Pass* pass, const utTouch* touch, const double* v)
{
    const double speed = ut_vec3_dot(touch->normal, relative_velocity(pass, touch, v));
    return touch->gap + pass->scene->h * speed;
}

// Would the contact's plane be crossed?
static bool is_crossed(const Pass* pass, const utTouch* touch, const double* v)
{
    return gap_ahead(pass, touch, v) < 0.0;
}

// Where a geom of a body that moves freely is after the step.
static utFrame frame_ahead(const Pass* pass, int geom, const double* v)
{
    const ContactScene* scene = pass->scene;
    const utModelGeom* g = &scene->model->geom[geom];
    const utFrame carrier = scene->kin->body[scene->model->body[g->body].weld];
    const utFrame at = ut_frame_mul(scene->kin->body[g->body], g->in_body);
    const utMotion twist = ut_contact_twist(scene, g->body, carrier.p, v);
    const utMat3 turn = ut_quat_to_mat3(ut_quat_exp(ut_vec3_scale(twist.angular, scene->h)));
    const utVec3 arm = ut_mat3_mul_vec(turn, ut_vec3_sub(at.p, carrier.p));
    const utVec3 origin = ut_vec3_add_scaled(carrier.p, scene->h, twist.linear);
    return ut_frame(ut_mat3_mul(turn, at.R), ut_vec3_add(origin, arm));
}

// Does the pair slide along each other's surfaces, the gap being about the sagitta of its way?
static bool slides(const Pass* pass, const utTouch* touch, const double* v)
{
    const utModelGeom* geom = pass->scene->model->geom;
    utFrame ahead[2];
    utVec3 centre[2]; // the ways of their centres
    for (int k = 0; k < 2; k++) {
        const utModelGeom* g = &geom[pass->geom[k]];
        ahead[k] = frame_ahead(pass, pass->geom[k], v);
        centre[k] =
            ut_vec3_sub(ahead[k].p, ut_frame_point(pass->scene->kin->body[g->body], g->in_body.p));
    }
    utGap end;
    if (ut_gap(&geom[pass->geom[0]].shape, ahead[0], &geom[pass->geom[1]].shape, ahead[1], &end) !=
        UT_OK) {
        return false;
    }
    // of points that slide, or of centres where it rolls
    const double way = fmax(pass->scene->h * ut_vec3_norm(relative_velocity(pass, touch, v)),
                            ut_vec3_norm(ut_vec3_sub(centre[1], centre[0])));
    const double sagitta = end.gap - gap_ahead(pass, touch, v);
    return touch->gap <= GRAZES * sagitta && sagitta <= BENDS * way;
}

// Fixed, or free in all six ways and not linked to anything?
static bool is_simple(const utModel* model, int geom)
{
    const int weld = model->body[model->geom[geom].body].weld;
    if (weld == 0) {
        return ut_contact_mocap(model, model->geom[geom].body) < 0;
    }
    const utModelBody* body = &model->body[weld];
    return body->parent == 0 && body->joints == 1 &&
           model->joint[body->joint].kind == UT_JOINT_FREE;
}

static bool may_pass(const ContactScene* scene, int geom1, int geom2)
{
    const utModel* model = scene->model;
    return scene->v_ahead == NULL && model->geom[geom1].shape.kind != UT_SHAPE_PLANE &&
           model->geom[geom2].shape.kind != UT_SHAPE_PLANE && is_simple(model, geom1) &&
           is_simple(model, geom2);
}

// Is the contact there already?
static bool is_kept(const Pass* pass, const utTouch* touch)
{
    const ContactScene* scene = pass->scene;
    bool kept = false;
    for (int i = 0; i < scene->persistent_count && !kept; i++) {
        const utContact* c = &scene->persistent[i];
        kept =
            c->geom1 == pass->geom[0] && c->geom2 == pass->geom[1] && c->feature == touch->feature;
    }
    return kept;
}

// Is the contact one that the pair flies past? The ways are looked at once a pair.
// @param met by v* and by the next velocity: -1: not known yet
static bool is_passed(const Pass* pass, const utTouch* touch, int* met)
{
    const ContactScene* scene = pass->scene;
    if (!(touch->gap > pass->near) || !is_crossed(pass, touch, scene->v_free)) {
        return false;
    }
    met[0] = met[0] < 0 ? meets(pass, scene->v_free) : met[0];
    if (met[0] == 1 || is_kept(pass, touch) || slides(pass, touch, scene->v_free)) {
        return false;
    }
    if (scene->v_next == NULL || !is_crossed(pass, touch, scene->v_next)) {
        return true;
    }
    met[1] = met[1] < 0 ? meets(pass, scene->v_next) : met[1];
    return met[1] == 0;
}

int ut_contact_drop_passed(const ContactScene* scene, int geom1, int geom2, int count,
                           utTouch* touch)
{
    if (count == 0 || !may_pass(scene, geom1, geom2)) {
        return count;
    }
    const utModel* model = scene->model;
    const Pass pass = {
        .scene = scene,
        .geom = {geom1, geom2},
        .near = NEAR * fmin(model->geom[geom1].radius, model->geom[geom2].radius),
    };
    int met[2] = {-1, -1}, kept = 0;
    for (int i = 0; i < count; i++) {
        if (!is_passed(&pass, &touch[i], met)) {
            touch[kept++] = touch[i];
        }
    }
    return kept;
}
