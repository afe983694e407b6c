// SPDX-License-Identifier: Apache-2.0
// Velocities: twists of bodies, bounds on the travel of geoms, and u = J v + b of contacts and
// rows.
#include "contact.h"

// Twist of a body under velocities v, about its tree's reference point.
static utMotion tree_twist(const ContactScene* scene, int body, const double* v)
{
    const utModel* model = scene->model;
    utMotion sum = {ut_vec3_zero(), ut_vec3_zero()};
    for (int dof = model->body[body].last_dof; dof >= 0; dof = model->dof_parent[dof]) {
        sum = ut_motion_add(sum, ut_motion_scale(scene->kin->axis[dof], v[dof]));
    }
    return sum;
}

static utVec3 reference_point(const ContactScene* scene, int body)
{
    const int tree = scene->model->body[body].tree;
    return scene->kin->origin[tree >= 0 ? tree : scene->model->ntree];
}

// Velocity at `point` of a body whose twist is given about `origin`.
static utVec3 velocity_at(utMotion twist, utVec3 origin, utVec3 point)
{
    return ut_vec3_add(twist.linear, ut_vec3_cross(twist.angular, ut_vec3_sub(point, origin)));
}

utMotion ut_contact_twist(const ContactScene* scene, int body, utVec3 point, const double* v)
{
    BodyTwist twist = {.body = -1};
    return ut_contact_twist_with(scene, body, point, v, &twist);
}

utMotion ut_contact_twist_with(const ContactScene* scene, int body, utVec3 point, const double* v,
                               BodyTwist* last)
{
    const utModel* model = scene->model;
    if (model->body[body].tree >= 0) {
        if (last->body != body) {
            *last = (BodyTwist){body, tree_twist(scene, body, v)};
        }
        const utMotion t = last->twist;
        return ut_motion(velocity_at(t, reference_point(scene, body), point), t.angular);
    }
    const int mocap = ut_contact_mocap(model, body);
    if (mocap < 0 || scene->mocap_velocity == NULL) {
        return ut_motion(ut_vec3_zero(), ut_vec3_zero());
    }
    int carrier = body;
    while (model->body[carrier].mocap < 0) {
        carrier = model->body[carrier].parent;
    }
    const utMotion t = scene->mocap_velocity[mocap];
    return ut_motion(velocity_at(t, scene->kin->body[carrier].p, point), t.angular);
}

double ut_row_side_velocity(const ContactScene* scene, const utRow* row, int side, const double* v)
{
    const int body = side == 0 ? row->body1 : row->body2;
    const utMotion t = ut_contact_twist(scene, body, side == 0 ? row->point1 : row->point2, v);
    return (side == 1 ? 1.0 : -1.0) *
           (ut_vec3_dot(row->linear, t.linear) + ut_vec3_dot(row->angular, t.angular));
}

// ---- travel -------------------------------------------------------------------------------------

// A point of the geom moves by no more than h (|v of the geom's centre| + |w| radius).
// @param t twist of its body, about the tree's reference point
static double travel_by(const ContactScene* scene, int geom, const utMotion* t)
{
    const utModelGeom* g = &scene->model->geom[geom];
    const utFrame* body = &scene->kin->body[g->body];
    const utVec3 center = ut_frame_point(*body, g->in_body.p);
    const double radius = isfinite(g->radius) ? g->radius : 0.0;
    return scene->h * (ut_vec3_norm(velocity_at(*t, reference_point(scene, g->body), center)) +
                       ut_vec3_norm(t->angular) * radius);
}

// The same for a geom of a mocap body; 0 for a fixed geom.
static double travel_of_mocap(const ContactScene* scene, int geom)
{
    const utModelGeom* g = &scene->model->geom[geom];
    const int mocap = ut_contact_mocap(scene->model, g->body);
    if (mocap < 0 || scene->mocap_velocity == NULL) {
        return 0.0;
    }
    const utVec3 center = ut_frame_point(scene->kin->body[g->body], g->in_body.p);
    const double radius = isfinite(g->radius) ? g->radius : 0.0;
    return scene->h * (ut_vec3_norm(ut_contact_twist(scene, g->body, center, scene->v).linear) +
                       ut_vec3_norm(scene->mocap_velocity[mocap].angular) * radius);
}

double ut_contact_travel(const ContactScene* scene, int geom)
{
    const int body = scene->model->geom[geom].body;
    if (scene->model->body[body].tree < 0) {
        return travel_of_mocap(scene, geom);
    }
    double farthest = 0.0;
    const double* const velocities[] = {scene->v, scene->v_free, scene->v_next};
    for (int k = 0; k < (scene->v_next != NULL ? 3 : 2); k++) {
        const utMotion twist = tree_twist(scene, body, velocities[k]);
        farthest = fmax(farthest, travel_by(scene, geom, &twist));
    }
    return farthest;
}

// Does a body belong to a tree that sleeps? It has no velocity and travels nowhere.
static bool sleeps(const ContactScene* scene, int body)
{
    const int tree = scene->model->body[body].tree;
    return scene->asleep != NULL && tree >= 0 && scene->asleep[tree];
}

// Twists of all bodies under velocities v, about the reference points of their trees.
static void find_twists(const ContactScene* scene, const double* v, utMotion* twist)
{
    const utModel* model = scene->model;
    for (int b = 0; b < model->nbody; b++) {
        const utModelBody* body = &model->body[b];
        if (sleeps(scene, b)) {
            continue;
        }
        const bool root = b == 0 || model->body[body->parent].tree != body->tree;
        utMotion sum = root ? ut_motion(ut_vec3_zero(), ut_vec3_zero()) : twist[body->parent];
        for (int k = body->dof; k < body->dof + body->dofs; k++) {
            sum = ut_motion_add(sum, ut_motion_scale(scene->kin->axis[k], v[k]));
        }
        twist[b] = sum;
    }
}

bool ut_contact_raise_travels(const ContactScene* scene, const double* v)
{
    const utModel* model = scene->model;
    bool raised = false, twists = false;
    for (int g = 0; g < model->ngeom; g++) {
        const int body = model->geom[g].body;
        if (!model->geom[g].collides || sleeps(scene, body)) {
            continue;
        }
        if (!twists) { // once, if any geom collides
            find_twists(scene, v, scene->bounds.twist);
            twists = true;
        }
        const double travel = model->body[body].tree < 0
                                  ? travel_of_mocap(scene, g)
                                  : travel_by(scene, g, &scene->bounds.twist[body]);
        double* farthest = &scene->bounds.geom_travel[g];
        raised = raised || !(travel <= *farthest);
        *farthest = fmax(*farthest, travel);
    }
    return raised;
}

// ---- contacts and rows --------------------------------------------------------------------------

double ut_contact_mocap_remaining(const ContactScene* scene, int body)
{
    if (scene->v_ahead == NULL) {
        return 1.0;
    }
    const int mocap = ut_contact_mocap(scene->model, body);
    return mocap >= 0 && scene->mocap_ahead != NULL ? 1.0 - scene->mocap_ahead[mocap] : 0.0;
}

// J v of a row. Bodies that no joint moves are part of b.
static double row_velocity(const ContactScene* scene, const utRow* row, const double* v)
{
    double sum = 0.0;
    if (row->terms > 0) {
        return ut_row_terms_velocity(row, v);
    }
    if (row->dof >= 0) {
        for (int k = 0; k < row->dofs; k++) {
            sum += row->direction[k] * v[row->dof + k];
        }
        return row->length * sum;
    }
    for (int side = 0; side < 2; side++) {
        const int body = side == 0 ? row->body1 : row->body2;
        if (scene->model->body[body].tree >= 0) {
            sum += ut_row_side_velocity(scene, row, side, v);
        }
    }
    return sum;
}

// @param last of the two sides of the contact before
static void set_contact_velocity(const ContactScene* scene, const double* v, BodyTwist last[2],
                                 utContact* c)
{
    const utModel* model = scene->model;
    const int bodies[2] = {ut_model_side_body(model, c->geom1),
                           ut_model_side_body(model, c->geom2)};
    for (int k = 0; k < 3; k++) {
        c->u[k] = c->b[k];
        c->spin[k] = c->spin_b[k];
    }
    for (int side = 0; side < 2; side++) {
        if (model->body[bodies[side]].tree < 0) {
            continue; // b contains its velocity
        }
        const utMotion twist = ut_contact_twist_with(scene, bodies[side], c->point, v, &last[side]);
        const double sign = side == 1 ? 1.0 : -1.0;
        for (int k = 0; k < ut_contact_dimension(model); k++) {
            c->u[k] += sign * ut_vec3_dot(c->frame[k], twist.linear);
        }
        for (int k = 0; c->condim > 3 && k < 3; k++) {
            c->spin[k] += sign * ut_vec3_dot(c->frame[k], twist.angular);
        }
    }
}

void ut_contact_velocities(const ContactScene* scene, const double* v, int contacts,
                           utContact* contact, int rows, utRow* row)
{
    BodyTwist last[2] = {{.body = -1}, {.body = -1}};
    for (int i = 0; i < contacts; i++) {
        set_contact_velocity(scene, v, last, &contact[i]);
    }
    for (int j = 0; j < rows; j++) {
        row[j].u = row_velocity(scene, &row[j], v) + row[j].b + row[j].compliance * row[j].r;
    }
}
