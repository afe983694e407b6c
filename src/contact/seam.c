// SPDX-License-Identifier: Apache-2.0
// Fixed geoms that lie flush: what is hidden between them cannot be touched.
//
// Each geom is collided by itself. Where two of them are side by side, the edge between them is one
// of each and none of both together: a box that slides over tiles must not catch on the side of the
// next one. A fixed geom B may be touched at its point x with the normal n only if n is a normal
// there of all fixed geoms together, or of a place right beside x: at some y, x itself or around
// it, that is on B with the normal n, and of every other geom C
//
//     y is the point of C nearest to y + E n    where C is flush: y is on it,
//     y + e n is no closer than e to C          where it is not.
//
// At x itself this holds nearly always. Around it helps in a corner between floor and wall: the
// foot of the wall is on the floor, the wall above it is free.
#include <float.h>

#include "contact.h"

// lengths, of the moving geom's radius
static const double FLUSH = 1e-8;  // what is this close is the same
static const double LOW = 1e-6;    // e: steps below this are none
static const double HIGH = 1e-3;   // E
static const double AROUND = 1e-5; // how far y is from x

static const double TILT = 1e-7;  // of a normal, that counts as none: shapes at rest lean by less
static const double CLOSER = 0.1; // of e: what is closer by this is closer

enum { NEAR_MOST = 32, DIRECTIONS = 8 };

// Fixed geoms beside B that the moving one collides with.
typedef struct Neighbours {
    const ContactScene* scene;
    double size; ///< the moving geom's radius, m
    int count;
    int geom[NEAR_MOST];
    utFrame frame[NEAR_MOST];
} Neighbours;

static utFrame geom_frame(const ContactScene* scene, int geom)
{
    const utModelGeom* g = &scene->model->geom[geom];
    return ut_frame_mul(scene->kin->body[g->body], g->in_body);
}

static bool is_fixed(const utModel* model, int geom)
{
    return model->body[model->geom[geom].body].tree < 0;
}

static double clamp(double x, double most)
{
    return x < -most ? -most : x > most ? most : x;
}

// Signed distance of a point from a box about the origin and the nearest point of its surface.
static double box_distance(utVec3 half, utVec3 x, utVec3* foot)
{
    *foot = ut_vec3(clamp(x.x, half.x), clamp(x.y, half.y), clamp(x.z, half.z));
    const double outside = ut_vec3_norm(ut_vec3_sub(x, *foot));
    if (outside > 0.0) {
        return outside;
    }
    const double depth[3] = {half.x - fabs(x.x), half.y - fabs(x.y), half.z - fabs(x.z)};
    const int out = depth[0] <= depth[1] && depth[0] <= depth[2] ? 0 : depth[1] <= depth[2] ? 1 : 2;
    foot->x = out == 0 ? copysign(half.x, x.x) : foot->x;
    foot->y = out == 1 ? copysign(half.y, x.y) : foot->y;
    foot->z = out == 2 ? copysign(half.z, x.z) : foot->z;
    return -depth[out];
}

// Signed distance of a point from a geom and the nearest point of it: of what is no box by a small
// ball. @return `most` where it is further than that
static double distance(const Neighbours* near, int geom, const utFrame* at, utVec3 point,
                       double most, utVec3* foot)
{
    const utShape* shape = &near->scene->model->geom[geom].shape;
    const double radius = 0.5 * LOW * near->size;
    if (near->scene->model->options.planar != UT_PLANAR_NONE) {
        return ut_contact_flat_distance(near->scene, geom, point, radius, most, foot);
    }
    if (shape->kind == UT_SHAPE_BOX) {
        const double there = box_distance(shape->size, ut_frame_point_inverse(*at, point), foot);
        *foot = there < most ? ut_frame_point(*at, *foot) : point;
        return there < most ? there : most;
    }
    const utShape ball = ut_shape(UT_SHAPE_SPHERE, ut_vec3(radius, 0.0, 0.0));
    utTouch touch[UT_TOUCH_MAX];
    const int count =
        ut_collide(shape, *at, &ball, ut_frame(ut_mat3_identity(), point), most - radius, touch);
    double least = most;
    *foot = point;
    for (int k = 0; k < count; k++) {
        if (touch[k].gap + radius < least) {
            least = touch[k].gap + radius;
            *foot = ut_vec3_add_scaled(touch[k].point, -0.5 * touch[k].gap, touch[k].normal);
        }
    }
    return least;
}

// Is n a normal of a geom at its point y, which is off it by no more than `off`?
static bool has_normal(const Neighbours* near, int geom, const utFrame* at, utVec3 y, utVec3 n,
                       double off)
{
    const double high = HIGH * near->size;
    const double rounding = 16.0 * DBL_EPSILON * (ut_vec3_norm(y) + high);
    utVec3 foot;
    const double there =
        distance(near, geom, at, ut_vec3_add_scaled(y, high, n), 2.0 * high, &foot);
    return there > 0.0 && there < 2.0 * high &&
           ut_vec3_norm(ut_vec3_sub(foot, y)) <= TILT * high + rounding + 2.0 * off;
}

static bool is_free_of(const Neighbours* near, int k, utVec3 y, utVec3 n)
{
    const int geom = near->geom[k];
    const double low = LOW * near->size, flush = FLUSH * near->size;
    utVec3 foot;
    const double here = distance(near, geom, &near->frame[k], y, 2.0 * low, &foot);
    if (here >= 2.0 * low) {
        return true; // and y + e n is no closer than e
    }
    if (fabs(here) <= flush) {
        return has_normal(near, geom, &near->frame[k], y, n, fabs(here));
    }
    const utVec3 out = ut_vec3_add_scaled(y, low, n);
    return distance(near, geom, &near->frame[k], out, 2.0 * low, &foot) >= (1.0 - CLOSER) * low;
}

static bool is_free(const Neighbours* near, utVec3 y, utVec3 n)
{
    for (int k = 0; k < near->count; k++) {
        if (!is_free_of(near, k, y, n)) {
            return false;
        }
    }
    return true;
}

// What stays where it is beside the fixed geom, around x.
static void find_neighbours(Neighbours* near, const utBroad* broad, int moving, int fixed, utVec3 x,
                            double reach)
{
    const utModel* model = near->scene->model;
    const utVec3 all = ut_vec3(reach, reach, reach);
    const int mocap = ut_contact_mocap(model, model->geom[fixed].body);
    int id[NEAR_MOST];
    int count =
        ut_broad_query(broad, (utBounds){ut_vec3_sub(x, all), ut_vec3_add(x, all)}, NEAR_MOST, id);
    count = count < NEAR_MOST ? count : NEAR_MOST;
    for (int k = 0; k < count; k++) {
        if (id[k] != fixed && is_fixed(model, id[k]) &&
            ut_contact_mocap(model, model->geom[id[k]].body) == mocap &&
            ut_model_collides(model, moving, id[k])) {
            near->frame[near->count] = geom_frame(near->scene, id[k]);
            near->geom[near->count++] = id[k];
        }
    }
}

// ---- contacts -----------------------------------------------------------------------------------

// May the fixed geom be touched nowhere around x with the normal n?
static bool is_hidden(const Neighbours* near, int fixed, utVec3 x, utVec3 n)
{
    if (near->count == 0 || is_free(near, x, n)) {
        return false;
    }
    const utFrame at = geom_frame(near->scene, fixed);
    utVec3 axes[3];
    ut_contact_axes(near->scene->model, n, axes);
    const utVec3 t1 = axes[1];
    const utVec3 t2 = ut_contact_dimension(near->scene->model) == 3 ? axes[2] : ut_vec3_zero();
    static const double turn[DIRECTIONS][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                               {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    for (int k = 0; k < DIRECTIONS; k++) {
        const utVec3 aside =
            ut_vec3_add(ut_vec3_scale(t1, turn[k][0]), ut_vec3_scale(t2, turn[k][1]));
        const utVec3 y = ut_vec3_add_scaled(x, AROUND * near->size, aside);
        if (has_normal(near, fixed, &at, y, n, 0.0) && is_free(near, y, n)) {
            return false;
        }
    }
    return true;
}

// How far the moving geom goes along the surface within the step.
static utVec3 shift_of(const ContactScene* scene, const utContact* contact, int moving, int fixed,
                       utVec3 n, const double* v)
{
    const utModel* model = scene->model;
    const utVec3 to = ut_contact_twist(scene, model->geom[moving].body, contact->point, v).linear;
    const utVec3 from = ut_contact_twist(scene, model->geom[fixed].body, contact->point, v).linear;
    const utVec3 u = ut_vec3_sub(to, from);
    return ut_vec3_scale(ut_vec3_add_scaled(u, -ut_vec3_dot(u, n), n), scene->h);
}

// A contact that is still apart may close beside a hidden place: a box that slides down a ramp
// meets the floor beyond the edge between them, though the floor below it is inside of the ramp.
static bool lands_beside(Neighbours* near, const utBroad* broad, const utContact* contact,
                         int moving, int fixed, utVec3 x, utVec3 n, const double* v)
{
    const ContactScene* scene = near->scene;
    if (v == NULL || !(contact->gap > LOW * near->size)) {
        return false;
    }
    const utFrame at = geom_frame(scene, fixed);
    const utVec3 y = ut_vec3_add(x, shift_of(scene, contact, moving, fixed, n, v));
    near->count = 0;
    find_neighbours(near, broad, moving, fixed, y, 2.0 * AROUND * near->size);
    return has_normal(near, fixed, &at, y, n, 0.0) && !is_hidden(near, fixed, y, n);
}

bool ut_contact_is_hidden(const ContactScene* scene, const utBroad* broad, const utContact* contact)
{
    const utModel* model = scene->model;
    const bool first = is_fixed(model, contact->geom1);
    if (!first && !is_fixed(model, contact->geom2)) {
        return false;
    }
    const int fixed = first ? contact->geom1 : contact->geom2;
    const int moving = first ? contact->geom2 : contact->geom1;
    const utVec3 n = first ? contact->frame[0] : ut_vec3_negate(contact->frame[0]);
    const utVec3 x = ut_vec3_add_scaled(contact->point, -0.5 * contact->gap, n);
    Neighbours near;
    near.scene = scene;
    near.size = model->geom[moving].radius;
    near.count = 0;
    find_neighbours(&near, broad, moving, fixed, x, 2.0 * AROUND * near.size);
    return is_hidden(&near, fixed, x, n) &&
           !lands_beside(&near, broad, contact, moving, fixed, x, n, scene->v_free) &&
           !lands_beside(&near, broad, contact, moving, fixed, x, n, scene->v_next);
}
