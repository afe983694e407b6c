// SPDX-License-Identifier: Apache-2.0
// The frame of a contact, its friction, and the constant term b of its relative velocity
//
//     u = J v + b
//
// b_n = gap / h, plus the velocities of mocap bodies and of moving surfaces. When contacts are
// taken at q_ahead = q ⊕ h v_ahead, the travel up to there is subtracted, because
//
//     gap(q ⊕ h v) ~ gap(q_ahead) + h J_n (v - v_ahead)
#include "contact/contact.h"

void ut_contact_frame(const utModel* model, utVec3 n, utVec3 frame[3])
{
    frame[0] = n;
    if (model->options.planar == UT_PLANAR_NONE) {
        ut_tangent_basis(n, &frame[1], &frame[2]);
        return;
    }
    const utPlane plane = ut_plane(model->options.planar);
    frame[1] = ut_plane_out(&plane, ut_flat_tangent(ut_plane_in(&plane, n)));
    frame[2] = plane.normal;
}

double ut_contact_gap_velocity(const ContactScene* scene, double gap)
{
    const double counted = gap > 0.0 || ut_contact_counts_overlap(scene) ? gap : 0.0;
    return scene->h > 0.0 ? counted / scene->h : 0.0; // nothing travels within an instant
}

// b from the gap and from bodies: mocap bodies, and with v_ahead also those that joints move.
static void set_b(const ContactScene* scene, utContact* c)
{
    const utModel* model = scene->model;
    const bool ahead = scene->v_ahead != NULL;
    c->b[0] = ut_contact_gap_velocity(scene, c->gap);
    c->b[1] = 0.0;
    c->b[2] = 0.0;
    const int bodies[2] = {ut_model_side_body(model, c->geom1),
                           ut_model_side_body(model, c->geom2)};
    for (int side = 0; side < 2; side++) {
        const double sign = side == 1 ? 1.0 : -1.0;
        const bool jointed = model->body[bodies[side]].tree >= 0;
        const double remaining = jointed ? 0.0 : ut_contact_mocap_remaining(scene, bodies[side]);
        if (remaining > 0.0) {
            const utVec3 v = ut_contact_twist(scene, bodies[side], c->point, scene->v).linear;
            c->b[0] += sign * remaining * ut_vec3_dot(c->frame[0], v);
        } else if (jointed && ahead) {
            const utVec3 v = ut_contact_twist(scene, bodies[side], c->point, scene->v_ahead).linear;
            c->b[0] -= sign * ut_vec3_dot(c->frame[0], v);
        }
        if (!jointed) {
            const utVec3 v = ut_contact_twist(scene, bodies[side], c->point, scene->v).linear;
            for (int k = 1; k < ut_contact_dimension(model); k++) {
                c->b[k] += sign * ut_vec3_dot(c->frame[k], v);
            }
        }
    }
}

// The velocity of a side's surface relative to its body, as of a conveyor belt; a site has none.
static utVec3 surface_velocity(const ContactScene* scene, int side, utVec3 point)
{
    if (side >= scene->model->ngeom || !scene->model->geom[side].belt) {
        return ut_vec3_zero();
    }
    return ut_model_surface(&scene->model->geom[side], ut_geom_frame(scene->kin, side), point,
                            scene->time);
}

static utVec3 relative_surface_velocity(const ContactScene* scene, const utContact* c)
{
    return ut_vec3_sub(surface_velocity(scene, c->geom2, c->point),
                       surface_velocity(scene, c->geom1, c->point));
}

// Speed along the contact's tangents at the step's start.
static double slip_speed(const ContactScene* scene, const utContact* c)
{
    const int body1 = ut_model_side_body(scene->model, c->geom1);
    const int body2 = ut_model_side_body(scene->model, c->geom2);
    const utVec3 bodies = ut_vec3_sub(ut_contact_twist(scene, body2, c->point, scene->v).linear,
                                      ut_contact_twist(scene, body1, c->point, scene->v).linear);
    const utVec3 u = ut_vec3_add(bodies, relative_surface_velocity(scene, c));
    double square = 0.0;
    for (int k = 1; k < ut_contact_dimension(scene->model); k++) {
        square += ut_vec3_dot(c->frame[k], u) * ut_vec3_dot(c->frame[k], u);
    }
    return sqrt(square);
}

// The angular velocity of a side's surface relative to its body.
static utVec3 surface_spin(const ContactScene* scene, int side)
{
    return side < scene->model->ngeom && scene->model->geom[side].belt
               ? ut_model_surface_spin(&scene->model->geom[side], ut_geom_frame(scene->kin, side))
               : ut_vec3_zero();
}

// spin_b: mocap bodies and belts
static void set_spin_b(const ContactScene* scene, utContact* c)
{
    const int side[2] = {c->geom1, c->geom2};
    utVec3 w = ut_vec3_sub(surface_spin(scene, side[1]), surface_spin(scene, side[0]));
    for (int k = 0; k < 2; k++) {
        const int body = ut_model_side_body(scene->model, side[k]);
        if (scene->model->body[body].tree < 0) {
            const utVec3 turn = ut_contact_twist(scene, body, c->point, scene->v).angular;
            w = ut_vec3_add_scaled(w, k == 1 ? 1.0 : -1.0, turn);
        }
    }
    for (int k = 0; k < 3; k++) {
        c->spin_b[k] = ut_vec3_dot(c->frame[k], w);
    }
}

void ut_contact_set_condim(const ContactScene* scene, utContact* c)
{
    c->condim = ut_model_condim(scene->model, c->geom1, c->geom2);
    if (c->condim > 3) {
        c->torsional = ut_model_torsional(scene->model, c->geom1, c->geom2);
        c->rolling = ut_model_rolling(scene->model, c->geom1, c->geom2);
        set_spin_b(scene, c);
    }
}

void ut_contact_set_b_and_mu(const ContactScene* scene, double friction, double kinetic,
                             utContact* c)
{
    set_b(scene, c);
    const utVec3 surface = relative_surface_velocity(scene, c);
    for (int k = 1; k < ut_contact_dimension(scene->model); k++) {
        c->b[k] += ut_vec3_dot(c->frame[k], surface);
    }
    const bool slips = kinetic != friction && slip_speed(scene, c) > UT_SLIPS;
    c->mu = slips ? kinetic : friction;
}
