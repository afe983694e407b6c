// SPDX-License-Identifier: Apache-2.0
// Speculative contacts of pairs that pass each other.
//
// A speculative contact has an open gap. It constrains the step to stay on one side of the plane
// through the nearest points: gap + h J_n v >= 0. Beyond an edge or a corner this plane goes on,
// but the shape does not: a box that falls beside a table would be caught in the air. So a contact
// is dropped when its plane would stop a pair whose path through the step is clear.
//
// The path is first the one of the free velocity v*. Once impulses are known, a dropped contact is
// tested again if its plane would stop the pair now: if the pair meets on the new path, the contact
// joins the active set and stays in it. Only free bodies are tested, because their frames move
// straight while they turn; the paths of links are not that simple.
//
// A pair that slides or rolls over a curved surface must keep its contact, although its free path
// may miss the surface by a hair: each step follows a tangent and ends above the surface by the
// sagitta s = (v_t h)^2 / 2R, and the contact's plane brings the body back. Without the contact the
// body would bounce with velocities of order h, and it would leave a ball that it slides off with
// an error in time of sqrt(h). So contacts with gaps of about the sagitta stay as long as the
// sagitta is small compared with the path. Such a plane changes the velocity of a pair that does
// pass by at most s / h, which is of first order in h.
#include "contact/contact.h"

// gaps below this fraction of the smaller radius count as touching: such contacts always stay
static const double TOUCHING = 1e-6;
// the largest gap that sliding along the surface explains, as a multiple of the sagitta
static const double MAX_SAGITTAS = 2.0;
// a sagitta above this fraction of the path comes from an edge or a corner, not from curvature
static const double MAX_SAGITTA_PER_PATH = 0.05;

typedef struct PassingPair {
    const ContactScene* scene;
    int geom[2];
    double touching; // m: smaller gaps count as touching
} PassingPair;

bool ut_contact_balls_meet(utVec3 between, utVec3 velocity, double h, double reach)
{
    const double square = ut_vec3_dot(velocity, velocity);
    const double nearest = square > 0.0 ? -ut_vec3_dot(between, velocity) / square : 0.0;
    const double t = nearest > h ? h : nearest > 0.0 ? nearest : 0.0;
    const utVec3 then = ut_vec3_add_scaled(between, t, velocity);
    return ut_vec3_dot(then, then) <= reach * reach;
}

// Do the two shapes meet within the step under the velocities v?
static bool meets(const PassingPair* pair, const double* v)
{
    const utModel* model = pair->scene->model;
    const double h = pair->scene->h;
    utMotion motion[2];
    utFrame frame[2];
    double sagittas = 0.0; // of the circular paths of the geoms about their bodies' origins
    for (int k = 0; k < 2; k++) {
        const utModelGeom* geom = &model->geom[pair->geom[k]];
        frame[k] = ut_geom_frame(pair->scene->kin, pair->geom[k]);
        motion[k] = ut_contact_twist(pair->scene, geom->body, frame[k].p, v);
        const int weld = model->body[geom->body].weld;
        const double arm =
            weld > 0 ? ut_vec3_norm(ut_vec3_sub(frame[k].p, pair->scene->kin->body[weld].p)) : 0.0;
        const double angle = h * ut_vec3_norm(motion[k].angular);
        sagittas += 0.5 * angle * angle * arm;
    }
    const utShape* one = &model->geom[pair->geom[0]].shape;
    const utShape* two = &model->geom[pair->geom[1]].shape;
    if (one->kind == UT_SHAPE_SPHERE && two->kind == UT_SHAPE_SPHERE) {
        return ut_contact_balls_meet(ut_vec3_sub(frame[1].p, frame[0].p),
                                     ut_vec3_sub(motion[1].linear, motion[0].linear), h,
                                     one->size.x + two->size.x + pair->touching + sagittas);
    }
    double time;
    return ut_time_of_impact(one, frame[0], motion[0], two, frame[1], motion[1], h,
                             pair->touching + sagittas, &time);
}

// Velocity of geom 1's point relative to geom 0's.
static utVec3 relative_velocity(const PassingPair* pair, const utTouch* touch, const double* v)
{
    const utModel* model = pair->scene->model;
    const utMotion one =
        ut_contact_twist(pair->scene, model->geom[pair->geom[0]].body, touch->point, v);
    const utMotion two =
        ut_contact_twist(pair->scene, model->geom[pair->geom[1]].body, touch->point, v);
    return ut_vec3_sub(two.linear, one.linear);
}

// The gap above the contact's plane at the end of the path.
static double gap_at_end(const PassingPair* pair, const utTouch* touch, const double* v)
{
    const double speed = ut_vec3_dot(touch->normal, relative_velocity(pair, touch, v));
    return touch->gap + pair->scene->h * speed;
}

static bool crosses_plane(const PassingPair* pair, const utTouch* touch, const double* v)
{
    return gap_at_end(pair, touch, v) < 0.0;
}

// The pose of a geom of a free body after the step.
static utFrame frame_at_end(const PassingPair* pair, int geom, const double* v)
{
    const ContactScene* scene = pair->scene;
    const utModelGeom* g = &scene->model->geom[geom];
    const utFrame carrier = scene->kin->body[scene->model->body[g->body].weld];
    const utFrame at = ut_geom_frame(scene->kin, geom);
    const utMotion twist = ut_contact_twist(scene, g->body, carrier.p, v);
    const utMat3 turn = ut_quat_to_mat3(ut_quat_exp(ut_vec3_scale(twist.angular, scene->h)));
    const utVec3 arm = ut_mat3_mul_vec(turn, ut_vec3_sub(at.p, carrier.p));
    const utVec3 origin = ut_vec3_add_scaled(carrier.p, scene->h, twist.linear);
    return ut_frame(ut_mat3_mul(turn, at.R), ut_vec3_add(origin, arm));
}

// Does the pair slide or roll along its surfaces, so that the gap is about the sagitta of its path?
static bool slides(const PassingPair* pair, const utTouch* touch, const double* v)
{
    const utModelGeom* geom = pair->scene->model->geom;
    utFrame end[2];
    utVec3 travel[2]; // of the geoms' centres
    for (int k = 0; k < 2; k++) {
        const utModelGeom* g = &geom[pair->geom[k]];
        end[k] = frame_at_end(pair, pair->geom[k], v);
        travel[k] =
            ut_vec3_sub(end[k].p, ut_frame_point(pair->scene->kin->body[g->body], g->in_body.p));
    }
    // the path of the contact points when they slide, of the centres when the body rolls
    const double path = fmax(pair->scene->h * ut_vec3_norm(relative_velocity(pair, touch, v)),
                             ut_vec3_norm(ut_vec3_sub(travel[1], travel[0])));
    utGap gap;
    if (ut_gap_within(&geom[pair->geom[0]].shape, end[0], &geom[pair->geom[1]].shape, end[1], path,
                      &gap) != UT_OK) {
        return false;
    }
    const double sagitta = gap.gap - gap_at_end(pair, touch, v);
    return touch->gap <= MAX_SAGITTAS * sagitta && sagitta <= MAX_SAGITTA_PER_PATH * path;
}

// Is the geom fixed to the world, or part of a free body without links?
static bool is_fixed_or_free(const utModel* model, int geom)
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
           model->geom[geom2].shape.kind != UT_SHAPE_PLANE && is_fixed_or_free(model, geom1) &&
           is_fixed_or_free(model, geom2);
}

static bool is_persistent(const PassingPair* pair, const utTouch* touch)
{
    const ContactScene* scene = pair->scene;
    bool found = false;
    for (int i = 0; i < scene->persistent_count && !found; i++) {
        const utContact* c = &scene->persistent[i];
        found =
            c->geom1 == pair->geom[0] && c->geom2 == pair->geom[1] && c->feature == touch->feature;
    }
    return found;
}

// Does the pair pass this contact? Each path is tested once per pair.
// @param met whether the pair meets under v* and under v_next; -1: not tested yet
static bool is_passed(const PassingPair* pair, const utTouch* touch, int* met)
{
    const ContactScene* scene = pair->scene;
    if (!(touch->gap > pair->touching) || !crosses_plane(pair, touch, scene->v_free)) {
        return false;
    }
    met[0] = met[0] < 0 ? meets(pair, scene->v_free) : met[0];
    if (met[0] == 1 || is_persistent(pair, touch) || slides(pair, touch, scene->v_free)) {
        return false;
    }
    if (scene->v_next == NULL || !crosses_plane(pair, touch, scene->v_next)) {
        return true;
    }
    met[1] = met[1] < 0 ? meets(pair, scene->v_next) : met[1];
    return met[1] == 0;
}

int ut_contact_drop_passed(const ContactScene* scene, int geom1, int geom2, int count,
                           utTouch* touch)
{
    if (count == 0 || !may_pass(scene, geom1, geom2)) {
        return count;
    }
    const utModel* model = scene->model;
    const PassingPair pair = {
        .scene = scene,
        .geom = {geom1, geom2},
        .touching = TOUCHING * fmin(model->geom[geom1].radius, model->geom[geom2].radius),
    };
    int met[2] = {-1, -1}, kept = 0;
    for (int i = 0; i < count; i++) {
        if (!is_passed(&pair, &touch[i], met)) {
            touch[kept++] = touch[i];
        }
    }
    return kept;
}
