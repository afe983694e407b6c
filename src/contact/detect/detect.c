// SPDX-License-Identifier: Apache-2.0
// Contact detection: the pairs of geoms that may touch within the step, and their touches.
//
// Two geoms whose gap is larger than the sum of the distances that they may travel have no contact.
// All others have contacts, open or not.
#include <string.h>

#include "contact/contact.h"

utStatus ut_motion_bounds_create(const utModel* model, utArena* arena, MotionBounds* bounds)
{
    const int counts[4] = {model->ngeom, model->njoint, model->nequality, model->ntendon};
    double** const entries[4] = {&bounds->geom_travel, &bounds->joint_speed,
                                 &bounds->equality_speed, &bounds->tendon_speed};
    for (int k = 0; k < 4; k++) {
        *entries[k] = UT_PUSH(arena, double, counts[k]);
        if (ut_arena_failed(arena)) {
            return UT_ERR_CAPACITY;
        }
        memset(*entries[k], 0, (size_t)counts[k] * sizeof **entries[k]);
    }
    bounds->twist = UT_PUSH(arena, utMotion, model->nbody);
    bounds->passed = UT_PUSH(arena, int, 1);
    if (ut_arena_failed(arena)) {
        return UT_ERR_CAPACITY;
    }
    *bounds->passed = 0;
    return UT_OK;
}

// Distances above this multiple of a reach exceed it, whatever rounding does.
static const double BEYOND_ROUNDING = 1.0 + 1e-9;

// ---- broad phase --------------------------------------------------------------------------------

// A vector without its component along the normal of the planar world.
static utVec3 in_plane(const utModel* model, utVec3 a)
{
    const utVec3 normal = ut_plane(model->options.planar).normal;
    return ut_vec3(normal.x != 0.0 ? 0.0 : a.x, normal.y != 0.0 ? 0.0 : a.y,
                   normal.z != 0.0 ? 0.0 : a.z);
}

// Does a geom stay where it is? Two such geoms need no contact. A mocap body counts as fixed, but it may
// move and then wakes the trees that it touches.
static bool is_still(const ContactScene* scene, int geom)
{
    const utModel* model = scene->model;
    const int body = model->geom[geom].body, tree = model->body[body].tree;
    if (scene->asleep == NULL || tree >= 0) {
        return tree < 0 || (scene->asleep != NULL && scene->asleep[tree]);
    }
    const int mocap = scene->mocap_velocity != NULL ? ut_contact_mocap(model, body) : -1;
    const utMotion twist = mocap >= 0 ? scene->mocap_velocity[mocap] : (utMotion){0};
    return ut_vec3_dot(twist.linear, twist.linear) == 0.0 &&
           ut_vec3_dot(twist.angular, twist.angular) == 0.0;
}

void ut_contact_update_boxes(const ContactScene* scene, utBroad* broad)
{
    const utModel* model = scene->model;
    const double* travel = scene->bounds.geom_travel;
    (void)ut_contact_raise_travels(scene, scene->v);
    (void)ut_contact_raise_travels(scene, scene->v_free);
    if (scene->v_next != NULL) {
        (void)ut_contact_raise_travels(scene, scene->v_next);
    }
    for (int g = 0; g < model->ngeom; g++) {
        const utModelGeom* geom = &model->geom[g];
        if (!geom->collides) {
            continue;
        }
        const double width = travel[g] + geom->widest_margin + UT_CONTACT_SLACK;
        utBounds bounds = ut_shape_bounds(&geom->shape, ut_geom_frame(scene->kin, g));
        if (model->options.planar != UT_PLANAR_NONE) {
            // plane figures collide whatever the depths of their solids are
            bounds.low = in_plane(model, bounds.low);
            bounds.high = in_plane(model, bounds.high);
        }
        const utVec3 widths = ut_vec3(width, width, width);
        bounds.low = ut_vec3_sub(bounds.low, widths);
        bounds.high = ut_vec3_add(bounds.high, widths);
        ut_broad_set(broad, g, bounds, is_still(scene, g));
    }
}

static bool may_collide(int geom1, int geom2, void* context)
{
    return ut_model_collides(context, geom1, geom2);
}

// ---- narrow phase -------------------------------------------------------------------------------

// The terms of a pair of geoms that all its touches share.
typedef struct PairTerms {
    double friction, kinetic;
    int condim;
    bool plain; // b is the gap's alone and mu the same at any velocity
} PairTerms;

static PairTerms find_terms(const ContactScene* scene, int geom1, int geom2)
{
    const utModel* model = scene->model;
    PairTerms pair = {
        .friction = ut_model_friction(model, geom1, geom2),
        .kinetic = ut_model_kinetic(model, geom1, geom2),
        .condim = ut_model_condim(model, geom1, geom2),
    };
    pair.plain = pair.kinetic == pair.friction && scene->v_ahead == NULL && model->nmocap == 0 &&
                 !model->geom[geom1].belt && !model->geom[geom2].belt;
    return pair;
}

// @param before a contact of the same pair whose frame serves touches with the same normal; NULL: none
static void make_contact(const ContactScene* scene, int geom1, int geom2, const PairTerms* pair,
                         const utTouch* touch, const utContact* before, utContact* c)
{
    *c = (utContact){
        .geom1 = geom1,
        .geom2 = geom2,
        .feature = touch->feature,
        .island = -1,
        .point = touch->point,
        .gap = touch->gap,
        .condim = pair->condim,
        .mu = pair->friction,
    };
    const utVec3 n = touch->normal;
    if (before != NULL && memcmp(&n, &before->frame[0], sizeof n) == 0) {
        memcpy(c->frame, before->frame, sizeof c->frame);
    } else {
        ut_contact_frame(scene->model, n, c->frame);
    }
    if (pair->plain) {
        c->b[0] = ut_contact_gap_velocity(scene, c->gap);
    } else {
        ut_contact_set_b_and_mu(scene, pair->friction, pair->kinetic, c);
    }
    if (pair->condim > 3) {
        ut_contact_set_condim(scene, c);
    }
}

// The largest gap that makes a contact between two geoms.
static double largest_gap(const ContactScene* scene, int geom1, int geom2)
{
    switch (scene->reach) {
    case UT_REACH_TOUCHING:
        return UT_CONTACT_SLACK;
    case UT_REACH_MARGIN:
        return ut_model_margin(scene->model, geom1, geom2) + UT_CONTACT_SLACK;
    case UT_REACH_SPECULATIVE:
        break;
    }
    const double* travel = scene->bounds.geom_travel;
    return travel[geom1] + travel[geom2] + UT_CONTACT_SLACK;
}

// Are the spheres around two convex geoms further apart than `reach`? Boxes of round geoms meet more often.
static bool are_far(const ContactScene* scene, int geom1, int geom2, double reach)
{
    const utModelGeom *a = &scene->model->geom[geom1], *b = &scene->model->geom[geom2];
    const utVec3 between = ut_vec3_sub(ut_frame_point(scene->kin->body[b->body], b->in_body.p),
                                       ut_frame_point(scene->kin->body[a->body], a->in_body.p));
    const double far = BEYOND_ROUNDING * (a->radius + b->radius + reach); // of a plane: infinite
    return ut_vec3_dot(between, between) > far * far && ut_shape_is_convex(a->shape.kind) &&
           ut_shape_is_convex(b->shape.kind);
}

// @param touch UT_TOUCH_MAX + 1 entries @return their number
static int find_touches(const ContactScene* scene, int geom1, int geom2, double reach,
                        utTouch* touch)
{
    const utModel* model = scene->model;
    if (model->options.planar != UT_PLANAR_NONE) {
        return ut_contact_collide_planar(scene, geom1, geom2, reach, touch);
    }
    if (scene->continuous && ut_contact_is_fast(model, geom1, geom2)) {
        return ut_contact_fast_touches(scene, geom1, geom2, reach, touch);
    }
    if (are_far(scene, geom1, geom2, reach)) {
        return 0;
    }
    const int count =
        ut_collide(&model->geom[geom1].shape, ut_geom_frame(scene->kin, geom1),
                   &model->geom[geom2].shape, ut_geom_frame(scene->kin, geom2), reach, touch);
    // where impacts are located along the path, no contact has to be ruled out beforehand
    const bool located =
        scene->formulation->collisions_only ||
        (scene->formulation->events && ut_model_restitution(model, geom1, geom2) > 0.0);
    if (located) {
        return count;
    }
    const int kept = ut_contact_drop_passed(scene, geom1, geom2, count, touch);
    *scene->bounds.passed += count - kept;
    return kept;
}

// The contacts of one pair. @return their number, which may exceed `room`
static int collide(const ContactScene* scene, int geom1, int geom2, int room, utContact* contact)
{
    const double reach = largest_gap(scene, geom1, geom2);
    utTouch touch[UT_TOUCH_MAX + 1];
    const int count = find_touches(scene, geom1, geom2, reach, touch);
    if (count == 0) {
        return 0;
    }
    const PairTerms pair = find_terms(scene, geom1, geom2);
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (scene->reach != UT_REACH_SPECULATIVE && !(touch[k].gap <= reach)) {
            continue; // only the nearest point of a manifold has to be within reach
        }
        if (kept < room) {
            make_contact(scene, geom1, geom2, &pair, &touch[k],
                         kept > 0 ? &contact[kept - 1] : NULL, &contact[kept]);
        }
        kept++;
    }
    return kept;
}

utStatus ut_contact_detect(const ContactScene* scene, utBroad* broad, int max_pairs, int* pair,
                           int* pairs, int max, utContact* contact, int* count)
{
    *count = 0;
    *scene->bounds.passed = 0;
    UT_TRY(
        ut_broad_pairs(broad, may_collide, (void*)(uintptr_t)scene->model, max_pairs, pair, pairs));
    for (int k = 0; k < *pairs; k++) {
        const int room = max - *count;
        *count += collide(scene, pair[2 * k], pair[2 * k + 1], room > 0 ? room : 0,
                          contact + (*count < max ? *count : max));
    }
    return *count <= max ? UT_OK : UT_ERR_CAPACITY;
}
