// SPDX-License-Identifier: Apache-2.0
// Contacts of fast bodies. At the step's start a fast body has contacts only with geoms that it
// touches, so that geoms it passes do not stop it. At a hit of ut_contact_sweep it has contacts
// with everything around it, and a centre contact.
//
// The centre contact belongs to the point of the smaller geom right below its body's centre of
// mass, and to the face below that point, along the face's normal n. Its lever about the centre of
// mass is parallel to n, so that n . (w x lever) = 0 and its row
//
//     gap + h n . (v - v_ahead) >= 0
//
// holds exactly for the centre of mass, however far the body turns. The points of a manifold are
// right to first order in the rotation only, which is not enough behind a thin plate.
#include "contact/contact.h"
#include "la/scalar.h"

// largest gaps of contacts of fast bodies, as fractions of the smaller radius
static const double MAX_GAP_SLOW = 0.1;      // when the pair cannot come closer by more than that
static const double MAX_GAP_TOUCHING = 1e-4; // at the step's start otherwise
static const double MAX_GAP_AT_HIT = 2.0;    // where contacts are taken ahead, at a hit

// contact points closer than this fraction of the radius are the same
static const double SAME_POINT = 1e-6;
// normals whose cosine differs from 1 by less are the same
static const double SAME_NORMAL = 1e-12;
static const uint64_t CENTRE_FEATURE = UINT64_MAX; // feature of the centre contact

bool ut_contact_is_fast(const utModel* model, int geom1, int geom2)
{
    return model->body[model->geom[geom1].body].fast || model->body[model->geom[geom2].body].fast;
}

double ut_contact_smaller_radius(const utModel* model, int geom1, int geom2)
{
    const double one = model->geom[geom1].radius, two = model->geom[geom2].radius;
    return one < two ? one : two;
}

bool ut_contact_second_is_smaller(const utModel* model, int geom1, int geom2)
{
    return model->geom[geom2].radius <= model->geom[geom1].radius;
}

// ---- the centre contact -------------------------------------------------------------------------

// The point where the line through x along n leaves a shape on the side of -n. A sphere or capsule
// is taken at its core: the point one radius below the core's point nearest to x.
static bool find_below(const utShape* shape, utFrame at, utVec3 x, utVec3 n, double far,
                       utVec3* below)
{
    const bool capsule = shape->kind == UT_SHAPE_CAPSULE;
    if (capsule || shape->kind == UT_SHAPE_SPHERE) {
        const double along = capsule ? ut_frame_point_inverse(at, x).z : 0.0;
        const double half = shape->size.y;
        const double z = ut_clamp(along, -half, half);
        const utVec3 core = ut_frame_point(at, ut_vec3(0.0, 0.0, capsule ? z : 0.0));
        *below = ut_vec3_add_scaled(core, -shape->size.x, n);
        return true;
    }
    utRayHit hit;
    const bool found = ut_ray(shape, at, ut_vec3_add_scaled(x, -far, n), n, 2.0 * far, &hit);
    *below = hit.point;
    return found;
}

// The face of a shape that a ray from x against n hits. @param n receives the normal of the face
static bool find_face(const utShape* shape, utFrame at, utVec3 x, double far, utVec3* n,
                      utRayHit* hit)
{
    // the second ray follows the normal of the face that the first one found
    for (int i = 0; i < 2; i++) {
        const utVec3 from = ut_vec3_add_scaled(x, far, *n);
        if (!ut_ray(shape, at, from, ut_vec3_negate(*n), 4.0 * far, hit)) {
            return false;
        }
        if (ut_vec3_dot(hit->normal, *n) >= 1.0 - SAME_NORMAL) {
            *n = hit->normal;
            return true;
        }
        *n = hit->normal;
    }
    return false;
}

// @param normal of a touch of the pair, from geom1 to geom2
static bool find_centre_contact(const ContactScene* scene, int geom1, int geom2, utVec3 normal,
                                utTouch* touch)
{
    const utModel* model = scene->model;
    const bool second = ut_contact_second_is_smaller(model, geom1, geom2);
    const int small = second ? geom2 : geom1, large = second ? geom1 : geom2;
    const utModelGeom* geom = &model->geom[small];
    const utVec3 centre = scene->kin->com[geom->body];
    const double far = 2.0 * geom->radius +
                       ut_vec3_norm(ut_vec3_sub(geom->in_body.p, model->body[geom->body].com));
    utVec3 n = second ? normal : ut_vec3_negate(normal);
    utRayHit face;
    utVec3 below;
    if (!find_face(&model->geom[large].shape, ut_geom_frame(scene->kin, large), centre, far, &n,
                   &face) ||
        !find_below(&geom->shape, ut_geom_frame(scene->kin, small), centre, n, far, &below)) {
        return false;
    }
    const double gap = ut_vec3_dot(n, ut_vec3_sub(below, face.point));
    *touch = (utTouch){
        .point = ut_vec3_add_scaled(below, -0.5 * gap, n),
        .normal = second ? n : ut_vec3_negate(n),
        .gap = gap,
        .feature = CENTRE_FEATURE,
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

// Is `point` one of the touches? The touch of a sphere lies below its centre already.
static bool has_point(int count, const utTouch* touch, utVec3 point, double tolerance)
{
    for (int k = 0; k < count; k++) {
        if (ut_vec3_norm(ut_vec3_sub(touch[k].point, point)) <= tolerance) {
            return true;
        }
    }
    return false;
}

static const SweepHit* find_centre_hit(const ContactScene* scene, int geom1, int geom2)
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
    const SweepHit* hit = find_centre_hit(scene, geom1, geom2);
    if (hit != NULL) {
        return find_centre_contact(scene, geom1, geom2, hit->normal, touch) ? 1 : 0;
    }
    const bool ahead = scene->v_ahead != NULL;
    const double radius = ut_contact_smaller_radius(scene->model, geom1, geom2);
    const double max_gap = radius * (ahead                            ? MAX_GAP_AT_HIT
                                     : reach <= MAX_GAP_SLOW * radius ? MAX_GAP_SLOW
                                                                      : MAX_GAP_TOUCHING);
    const utModelGeom* geom = scene->model->geom;
    int count =
        ut_collide(&geom[geom1].shape, ut_geom_frame(scene->kin, geom1), &geom[geom2].shape,
                   ut_geom_frame(scene->kin, geom2), reach < max_gap ? reach : max_gap, touch);
    utTouch* centre = &touch[count];
    if (ahead && count > 0 &&
        find_centre_contact(scene, geom1, geom2, nearest(count, touch)->normal, centre) &&
        !has_point(count, touch, centre->point, SAME_POINT * radius)) {
        count++;
    }
    return count;
}
