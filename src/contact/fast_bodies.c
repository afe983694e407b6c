// SPDX-License-Identifier: Apache-2.0
// Contacts of fast bodies: at the step's start only what they touch, so that they are not stopped
// by what they pass; where they have met something, all that is around, and a guard.
//
// The guard is a contact of the smaller geom's point right below its body's centre of mass c with
// the face below that, along the face's normal n. Its lever is parallel to n: n . (w x lever) = 0,
// so that its row
//
//     gap + h n . (v - v_ahead) >= 0
//
// holds for the centre of mass itself, exactly and whatever the body turns by. The points of a
// manifold are right to first order in the turning; behind a thin plate that is not enough.
#include "contact.h"

// reaches of fast bodies, of their radius
static const double SHORT = 0.1;  // a way this short is none
static const double TOUCH = 1e-4; // what is this near is touched
static const double AROUND = 2.0;

static const double SAME_POINT = 1e-6;    // of the radius
static const double SAME = 1e-12;         // of normals
static const uint64_t GUARD = UINT64_MAX; // its feature

bool ut_contact_is_fast(const utModel* model, int geom1, int geom2)
{
    return model->body[model->geom[geom1].body].fast || model->body[model->geom[geom2].body].fast;
}

double ut_contact_size(const utModel* model, int geom1, int geom2)
{
    const double one = model->geom[geom1].radius, two = model->geom[geom2].radius;
    return one < two ? one : two;
}

bool ut_contact_second_is_small(const utModel* model, int geom1, int geom2)
{
    return model->geom[geom2].radius <= model->geom[geom1].radius;
}

static utFrame geom_frame(const utKinematics* kin, const utModelGeom* geom)
{
    return ut_frame_mul(kin->body[geom->body], geom->in_body);
}

// ---- the guard ----------------------------------------------------------------------------------

// Where a line through x along n leaves a shape against n. Of a ball or a capsule, which are
// touched by their core, as far below the core's point at x.
static bool find_below(const utShape* shape, utFrame at, utVec3 x, utVec3 n, double far,
                       utVec3* below)
{
    const bool capsule = shape->kind == UT_SHAPE_CAPSULE;
    if (capsule || shape->kind == UT_SHAPE_SPHERE) {
        const double along = capsule ? ut_frame_point_inverse(at, x).z : 0.0;
        const double most = shape->size.y;
        const double z = along < -most ? -most : along > most ? most : along;
        const utVec3 core = ut_frame_point(at, ut_vec3(0.0, 0.0, capsule ? z : 0.0));
        *below = ut_vec3_add_scaled(core, -shape->size.x, n);
        return true;
    }
    utRayHit hit;
    const bool found = ut_ray(shape, at, ut_vec3_add_scaled(x, -far, n), n, 2.0 * far, &hit);
    *below = hit.point;
    return found;
}

// The face of a shape that is met going against n from x: n becomes its normal.
static bool find_face(const utShape* shape, utFrame at, utVec3 x, double far, utVec3* n,
                      utRayHit* hit)
{
    for (int i = 0; i < 2; i++) {
        const utVec3 from = ut_vec3_add_scaled(x, far, *n);
        if (!ut_ray(shape, at, from, ut_vec3_negate(*n), 4.0 * far, hit)) {
            return false;
        }
        if (ut_vec3_dot(hit->normal, *n) >= 1.0 - SAME) {
            *n = hit->normal;
            return true;
        }
        *n = hit->normal;
    }
    return false;
}

static bool find_guard(const ContactScene* scene, int geom1, int geom2, utVec3 normal,
                       utTouch* guard)
{
    const utModel* model = scene->model;
    const bool second = ut_contact_second_is_small(model, geom1, geom2);
    const utModelGeom* small = &model->geom[second ? geom2 : geom1];
    const utModelGeom* other = &model->geom[second ? geom1 : geom2];
    const utVec3 centre = scene->kin->com[small->body];
    const double far = 2.0 * small->radius +
                       ut_vec3_norm(ut_vec3_sub(small->in_body.p, model->body[small->body].com));
    utVec3 n = second ? normal : ut_vec3_negate(normal);
    utRayHit face;
    utVec3 below;
    if (!find_face(&other->shape, geom_frame(scene->kin, other), centre, far, &n, &face) ||
        !find_below(&small->shape, geom_frame(scene->kin, small), centre, n, far, &below)) {
        return false;
    }
    const double gap = ut_vec3_dot(n, ut_vec3_sub(below, face.point));
    *guard = (utTouch){
        .point = ut_vec3_add_scaled(below, -0.5 * gap, n),
        .normal = second ? n : ut_vec3_negate(n),
        .gap = gap,
        .feature = GUARD,
    };
    return true;
}

// ---- all touches --------------------------------------------------------------------------------

static const utTouch* nearest(int count, const utTouch* touch)
{
    const utTouch* least = touch;
    for (int k = 1; k < count; k++) {
        least = touch[k].gap < least->gap ? &touch[k] : least;
    }
    return least;
}

// A ball's point is below its centre as it is.
static bool is_there(int count, const utTouch* touch, const utTouch* guard, double same)
{
    for (int k = 0; k < count; k++) {
        if (ut_vec3_norm(ut_vec3_sub(touch[k].point, guard->point)) <= same) {
            return true;
        }
    }
    return false;
}

static const SweepHit* find_core(const ContactScene* scene, int geom1, int geom2)
{
    for (int k = 0; k < scene->centre_hit_count; k++) {
        if (scene->centre_hit[k].geom1 == geom1 && scene->centre_hit[k].geom2 == geom2) {
            return &scene->centre_hit[k];
        }
    }
    return NULL;
}

int ut_contact_fast_touches(const ContactScene* scene, int geom1, int geom2, double reach,
                            utTouch* touch)
{
    const SweepHit* core = find_core(scene, geom1, geom2);
    if (core != NULL) {
        return find_guard(scene, geom1, geom2, core->normal, touch) ? 1 : 0;
    }
    const bool ahead = scene->v_ahead != NULL;
    const double size = ut_contact_size(scene->model, geom1, geom2);
    const double most = size * (ahead ? AROUND : reach <= SHORT * size ? SHORT : TOUCH);
    const utModelGeom* a = &scene->model->geom[geom1];
    const utModelGeom* b = &scene->model->geom[geom2];
    int count = ut_collide(&a->shape, geom_frame(scene->kin, a), &b->shape,
                           geom_frame(scene->kin, b), reach < most ? reach : most, touch);
    if (ahead && count > 0 &&
        find_guard(scene, geom1, geom2, nearest(count, touch)->normal, &touch[count]) &&
        !is_there(count, touch, &touch[count], SAME_POINT * size)) {
        count++;
    }
    return count;
}
