// SPDX-License-Identifier: Apache-2.0
// One frame: everything that a viewer draws of a state, as numbers. docs/page.md has the layout.
#include "engine.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 32, CONTACT = 24 };

static const double ARC_STEP = 0.3; // rad between points of a tendon on a geom

static double* put(double* at, utVec3 a)
{
    at[0] = a.x;
    at[1] = a.y;
    at[2] = a.z;
    return at + 3;
}

static double* put_quat(double* at, utQuat q)
{
    at[0] = q.w;
    at[1] = q.x;
    at[2] = q.y;
    at[3] = q.z;
    return at + 4;
}

static double* put_numbers(double* at, const double* numbers, int count)
{
    if (count > 0) {
        memcpy(at, numbers, (size_t)count * sizeof *at);
    }
    return at + count;
}

// ---- blocks ---------------------------------------------------------------------------------------

static double* put_bodies(const Engine* e, double* at)
{
    const utKinematics* kin = &e->kin;
    for (int b = 0; b < e->model->nbody; b++) {
        at = put(at, kin->body[b].p);
        at = put_quat(at, kin->quat[b]);
        at = put(at, kin->com[b]);
        at = put(at, ut_point_velocity(kin, b, kin->com[b]));
    }
    return at;
}

static double* put_geoms(const Engine* e, double* at)
{
    for (int g = 0; g < e->model->ngeom; g++) {
        const utModelGeom* geom = &e->model->geom[g];
        at = put(at, ut_frame_point(e->kin.body[geom->body], geom->in_body.p));
        at = put_quat(at, ut_quat_mul(e->kin.quat[geom->body], geom->quat));
    }
    return at;
}

static double* put_joints(const Engine* e, double* at)
{
    for (int j = 0; j < e->model->njoint; j++) {
        const utModelJoint* joint = &e->model->joint[j];
        const utMotion twist = e->kin.axis[joint->v];
        const bool free = joint->kind != UT_JOINT_BALL && joint->kind != UT_JOINT_HINGE &&
                          joint->kind != UT_JOINT_SLIDE;
        at = put(at, free ? e->kin.body[joint->body].p : e->kin.anchor[j]);
        at = put(at, joint->kind == UT_JOINT_HINGE   ? twist.angular
                     : joint->kind == UT_JOINT_SLIDE ? twist.linear
                                                     : ut_vec3_zero());
    }
    return at;
}

static double* put_sites(const Engine* e, double* at)
{
    for (int s = 0; s < e->model->nsite; s++) {
        at = put(at, ut_site_position(&e->kin, s));
    }
    return at;
}

static double* put_contacts(const utStepReport* report, double* at)
{
    for (int k = 0; k < report->contacts; k++) {
        const utContact* c = &report->contact[k];
        const double head[] = {c->geom1, c->geom2, c->state, c->condim};
        at = put_numbers(at, head, 4);
        at = put(at, c->point);
        for (int axis = 0; axis < 3; axis++) {
            at = put(at, c->frame[axis]);
        }
        *at++ = c->gap;
        *at++ = c->mu;
        at = put_numbers(at, c->r, 3);
        at = put_numbers(at, c->u, 3);
    }
    return at;
}

// The points of all tendons' paths. A row with tendon -1 stands between branches.
static double* put_tendons(const Engine* e, double* at, int* points)
{
    *points = 0;
    for (int t = 0; t < e->model->ntendon; t++) {
        const int count = ut_tendon_path(&e->kin, t, ARC_STEP, e->tendon_points, e->tendon_point);
        for (int k = 0; k < count && k < e->tendon_points; k++) {
            if (k > 0 && e->tendon_point[k].first) {
                *at++ = -1.0;
                at = put(at, e->tendon_point[k].point);
                ++*points;
            }
            *at++ = t;
            at = put(at, e->tendon_point[k].point);
            ++*points;
        }
    }
    return at;
}

// ---- the head -------------------------------------------------------------------------------------

// The contact with the largest E. A part of a step counts its contacts from 0.
static int worst_contact(const utStepReport* report, const utCertificate* certificate)
{
    if (report->parts == 0) {
        return certificate->contact < report->contacts ? certificate->contact : -1;
    }
    if (certificate->part < 0 || certificate->part >= report->parts || certificate->contact < 0 ||
        certificate->contact >= report->part[certificate->part].contacts) {
        return -1;
    }
    int before = 0;
    for (int p = 0; p < certificate->part; p++) {
        before += report->part[p].contacts;
    }
    return before + certificate->contact < report->contacts ? before + certificate->contact : -1;
}

static void put_head(const Engine* e, const utStepReport* report, int points, double* head)
{
    const utModel* model = e->model;
    const bool stepped = e->has_result || e->tried;
    const utStepResult* r = &e->result;
    const bool holding = e->holding && e->hold.body < model->nbody;
    const utVec3 held =
        holding ? ut_frame_point(e->kin.body[e->hold.body], e->hold.point) : ut_vec3_zero();
    const utVec3 target = holding ? e->hold.target : ut_vec3_zero();
    const double numbers[HEAD] = {
        [0] = ut_sim_time(e->sim),
        [1] = (double)e->steps,
        [2] = stepped ? r->outcome : UT_STEP_CERTIFIED,
        [3] = stepped ? r->certificate.E : 0.0,
        [4] = ut_sim_energy(e->sim),
        [5] = ut_dyn_kinetic(&e->kin, ut_sim_v(e->sim)),
        [6] = stepped ? r->max_penetration : 0.0,
        [7] = report != NULL ? report->contacts : 0,
        [8] = model->nbody,
        [9] = model->ngeom,
        [10] = model->njoint,
        [11] = model->nsite,
        [12] = model->nq,
        [13] = model->nv,
        [14] = model->nu,
        [15] = stepped ? r->certificate.reason : UT_REASON_NONE,
        [20] = holding ? 1.0 : 0.0,
        [21] = held.x,
        [22] = held.y,
        [23] = held.z,
        [24] = target.x,
        [25] = target.y,
        [26] = target.z,
        [27] = stepped && report != NULL ? worst_contact(report, &r->certificate) : -1,
        [28] = stepped ? r->iterations : 0,
        [29] = model->nspring,
        [30] = points,
    };
    memcpy(head, numbers, sizeof numbers);
}

// ---- the frame ------------------------------------------------------------------------------------

// Count the points of all paths, with a row between branches, and make room for the longest one.
static bool count_tendon_points(Engine* e, size_t* all)
{
    int longest = 0;
    *all = 0;
    for (int t = 0; t < e->model->ntendon; t++) {
        const int count = ut_tendon_path(&e->kin, t, ARC_STEP, 0, NULL);
        longest = count > longest ? count : longest;
        *all += (size_t)count + (size_t)e->model->tendon[t].wraps;
    }
    if (longest <= e->tendon_points) {
        return true;
    }
    utTendonPoint* larger = realloc(e->tendon_point, 2 * (size_t)longest * sizeof *larger);
    if (larger != NULL) {
        e->tendon_point = larger;
        e->tendon_points = 2 * longest;
    }
    return larger != NULL;
}

static bool make_room(Engine* e, int contacts)
{
    const utModel* m = e->model;
    size_t points;
    if (!count_tendon_points(e, &points)) {
        return false;
    }
    const size_t numbers = HEAD + 13 * (size_t)m->nbody + 7 * (size_t)m->ngeom +
                           6 * (size_t)m->njoint + 3 * (size_t)m->nsite +
                           CONTACT * (size_t)contacts + (size_t)m->nq + (size_t)m->nv +
                           (size_t)m->nu + 4 * points;
    if (numbers <= e->frame_capacity) {
        return true;
    }
    double* larger = realloc(e->frame, 2 * numbers * sizeof *larger);
    if (larger != NULL) {
        e->frame = larger;
        e->frame_capacity = 2 * numbers;
    }
    return larger != NULL;
}

// Place the bodies. Mocap bodies of a recording are where it has them.
static void place(Engine* e)
{
    const utRecordState* shown = e->playback.active ? &e->playback.now.state : NULL;
    ut_kinematics_place(&e->kin, ut_sim_q(e->sim),
                        shown != NULL ? shown->mocap_pos : ut_sim_mocap_pos(e->sim),
                        shown != NULL ? shown->mocap_quat : ut_sim_mocap_quat(e->sim));
    ut_kinematics_move(&e->kin, ut_sim_v(e->sim),
                       shown != NULL ? shown->mocap_velocity : ut_sim_mocap_velocity(e->sim));
}

/// Write the frame of the present state, with the contacts of the step that led to it.
/// @return how many numbers engine_frame_data has; 0: no memory
EXPORT size_t engine_frame(Engine* e)
{
    const utStepReport* report = e->has_result || e->tried ? &e->result.report : NULL;
    const utModel* model = e->model;
    place(e);
    if (!make_room(e, report != NULL ? report->contacts : 0)) {
        return 0;
    }
    int points;
    double* at = e->frame + HEAD;
    at = put_bodies(e, at);
    at = put_geoms(e, at);
    at = put_joints(e, at);
    at = put_sites(e, at);
    at = report != NULL ? put_contacts(report, at) : at;
    at = put_numbers(at, ut_sim_q(e->sim), model->nq);
    at = put_numbers(at, ut_sim_v(e->sim), model->nv);
    at = put_numbers(at, e->ctrl, model->nu);
    at = put_tendons(e, at, &points);
    put_head(e, report, points, e->frame);
    return (size_t)(at - e->frame);
}

EXPORT double* engine_frame_data(Engine* e)
{
    return e->frame;
}
