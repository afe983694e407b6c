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
#include "contact.h"

static const double NEAR = 1e-6; // of the smaller shape: contacts this near count whatever follows

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

// Would the contact's plane be crossed?
static bool is_crossed(const Pass* pass, const utTouch* touch, const double* v)
{
    const utModel* model = pass->scene->model;
    double speed = 0.0;
    for (int k = 0; k < 2; k++) {
        const utMotion m =
            ut_contact_twist(pass->scene, model->geom[pass->geom[k]].body, touch->point, v);
        speed += (k == 0 ? -1.0 : 1.0) * ut_vec3_dot(touch->normal, m.linear);
    }
    return touch->gap + pass->scene->h * speed < 0.0;
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
    for (int i = 0; i < scene->kept_count && !kept; i++) {
        const utContact* c = &scene->kept[i];
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
    if (met[0] == 1 || is_kept(pass, touch)) {
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
