// SPDX-License-Identifier: Apache-2.0
// Hidden seams (internal edges): nothing can touch the sides that fixed geoms hide from each other.
//
// Each geom is collided by itself. Where two fixed geoms lie side by side, each has an edge along
// their seam that both together do not have: a box that slides over tiles must not catch on the
// side of the next tile. A fixed geom B may be touched at its point x with the normal n only if n
// is a normal of all fixed geoms together, at x or right beside it: there is a point y, equal or
// close to x, on B with the normal n, such that every other fixed geom C satisfies
//
//     y is the point of C nearest to y + E n    if y lies on C (C is flush),
//     y + e n is no closer than e to C          otherwise.
//
// Nearly always x itself is such a point. Points beside x are needed in a corner between floor and
// wall: the lowest line of the wall lies on the floor, and the wall above it is free.
#include <float.h>

#include "contact/contact.h"
#include "la/scalar.h"

// lengths as fractions of the moving geom's radius
static const double FLUSH = 1e-8;       // a geom this close to a point contains it
static const double SHORT_PROBE = 1e-6; // e; a step between geoms that is lower counts as flush
static const double LONG_PROBE = 1e-3;  // E
static const double BESIDE = 1e-5;      // distance of y from x

static const double TILT = 1e-7;  // tolerated angle of a normal, rad: shapes at rest tilt by less
static const double CLOSER = 0.1; // tolerated error of the distance e, as a fraction of e

enum { MAX_NEIGHBOURS = 32, DIRECTIONS = 8 };

// The fixed geoms near a contact, without B, that the moving geom collides with.
typedef struct Neighbours {
    const ContactScene* scene;
    double radius; // of the moving geom, m
    int count;
    int geom[MAX_NEIGHBOURS];
    utFrame frame[MAX_NEIGHBOURS];
} Neighbours;

static bool is_fixed(const utModel* model, int geom)
{
    return model->body[model->geom[geom].body].tree < 0;
}

// ---- distances ----------------------------------------------------------------------------------

// Signed distance of a point from a box about the origin. @param nearest receives the nearest point
// of the surface
static double box_distance(utVec3 half, utVec3 x, utVec3* nearest)
{
    *nearest = ut_vec3(ut_clamp(x.x, -half.x, half.x), ut_clamp(x.y, -half.y, half.y),
                       ut_clamp(x.z, -half.z, half.z));
    const double outside = ut_vec3_norm(ut_vec3_sub(x, *nearest));
    if (outside > 0.0) {
        return outside;
    }
    const double depth[3] = {half.x - fabs(x.x), half.y - fabs(x.y), half.z - fabs(x.z)};
    const int out = depth[0] <= depth[1] && depth[0] <= depth[2] ? 0 : depth[1] <= depth[2] ? 1 : 2;
    nearest->x = out == 0 ? copysign(half.x, x.x) : nearest->x;
    nearest->y = out == 1 ? copysign(half.y, x.y) : nearest->y;
    nearest->z = out == 2 ? copysign(half.z, x.z) : nearest->z;
    return -depth[out];
}

// Signed distance of a point from a geom. A small sphere about the point is collided with geoms
// that are not boxes. @param nearest receives the nearest point of the surface
// @return `limit` when the distance is larger
static double distance(const Neighbours* near, int geom, const utFrame* at, utVec3 point,
                       double limit, utVec3* nearest)
{
    const utShape* shape = &near->scene->model->geom[geom].shape;
    const double radius = 0.5 * SHORT_PROBE * near->radius;
    if (near->scene->model->options.planar != UT_PLANAR_NONE) {
        return ut_contact_planar_distance(near->scene, geom, point, radius, limit, nearest);
    }
    if (shape->kind == UT_SHAPE_BOX) {
        const double found = box_distance(shape->size, ut_frame_point_inverse(*at, point), nearest);
        *nearest = found < limit ? ut_frame_point(*at, *nearest) : point;
        return found < limit ? found : limit;
    }
    const utShape sphere = ut_shape(UT_SHAPE_SPHERE, ut_vec3(radius, 0.0, 0.0));
    utTouch touch[UT_TOUCH_MAX];
    const int count =
        ut_collide(shape, *at, &sphere, ut_frame(ut_mat3_identity(), point), limit - radius, touch);
    double least = limit;
    *nearest = point;
    for (int k = 0; k < count; k++) {
        if (touch[k].gap + radius < least) {
            least = touch[k].gap + radius;
            *nearest = ut_vec3_add_scaled(touch[k].point, -0.5 * touch[k].gap, touch[k].normal);
        }
    }
    return least;
}

// ---- normals ------------------------------------------------------------------------------------

// Is n a normal of the geom at y? @param error distance of y from the surface
static bool has_normal(const Neighbours* near, int geom, const utFrame* at, utVec3 y, utVec3 n,
                       double error)
{
    const double probe = LONG_PROBE * near->radius;
    const double rounding = 16.0 * DBL_EPSILON * (ut_vec3_norm(y) + probe);
    utVec3 nearest;
    const double found =
        distance(near, geom, at, ut_vec3_add_scaled(y, probe, n), 2.0 * probe, &nearest);
    return found > 0.0 && found < 2.0 * probe &&
           ut_vec3_norm(ut_vec3_sub(nearest, y)) <= TILT * probe + rounding + 2.0 * error;
}

// Does the neighbour k allow a contact at y with the normal n?
static bool neighbour_allows(const Neighbours* near, int k, utVec3 y, utVec3 n)
{
    const int geom = near->geom[k];
    const double probe = SHORT_PROBE * near->radius, flush = FLUSH * near->radius;
    utVec3 nearest;
    const double at_y = distance(near, geom, &near->frame[k], y, 2.0 * probe, &nearest);
    if (at_y >= 2.0 * probe) {
        return true; // so y + e n is no closer than e
    }
    if (fabs(at_y) <= flush) {
        return has_normal(near, geom, &near->frame[k], y, n, fabs(at_y));
    }
    const utVec3 out = ut_vec3_add_scaled(y, probe, n);
    return distance(near, geom, &near->frame[k], out, 2.0 * probe, &nearest) >=
           (1.0 - CLOSER) * probe;
}

static bool neighbours_allow(const Neighbours* near, utVec3 y, utVec3 n)
{
    for (int k = 0; k < near->count; k++) {
        if (!neighbour_allows(near, k, y, n)) {
            return false;
        }
    }
    return true;
}

// Collect the geoms around x that are at rest relative to the fixed geom.
static void find_neighbours(Neighbours* near, const utBroad* broad, int moving, int fixed, utVec3 x)
{
    const utModel* model = near->scene->model;
    const double reach = 2.0 * BESIDE * near->radius;
    const utVec3 half = ut_vec3(reach, reach, reach);
    const int mocap = ut_contact_mocap(model, model->geom[fixed].body);
    int id[MAX_NEIGHBOURS];
    int count = ut_broad_query(broad, (utBounds){ut_vec3_sub(x, half), ut_vec3_add(x, half)},
                               MAX_NEIGHBOURS, id);
    count = count < MAX_NEIGHBOURS ? count : MAX_NEIGHBOURS;
    near->count = 0;
    for (int k = 0; k < count; k++) {
        if (id[k] != fixed && is_fixed(model, id[k]) &&
            ut_contact_mocap(model, model->geom[id[k]].body) == mocap &&
            ut_model_collides(model, moving, id[k])) {
            near->frame[near->count] = ut_geom_frame(near->scene->kin, id[k]);
            near->geom[near->count++] = id[k];
        }
    }
}

// ---- contacts -----------------------------------------------------------------------------------

// How far the point of a round geom nearest to y + E n may be from y beside x, because its normal turns
// by |y - x| over its radius: else a rail that is half in the floor could not be touched at the floor.
static double rounding_of(const Neighbours* near, int fixed)
{
    const utShape* shape = &near->scene->model->geom[fixed].shape;
    const bool round = shape->kind == UT_SHAPE_SPHERE || shape->kind == UT_SHAPE_CAPSULE ||
                       shape->kind == UT_SHAPE_CYLINDER;
    const double turned = round ? 2.0 * BESIDE * near->radius / shape->size.x : 0.0;
    return turned * LONG_PROBE * near->radius;
}

// Is there no place at x or beside it where the fixed geom may be touched with the normal n?
static bool is_hidden_at(const Neighbours* near, int fixed, utVec3 x, utVec3 n)
{
    if (near->count == 0 || neighbours_allow(near, x, n)) {
        return false;
    }
    const utFrame at = ut_geom_frame(near->scene->kin, fixed);
    utVec3 axes[3];
    ut_contact_frame(near->scene->model, n, axes);
    const utVec3 t1 = axes[1];
    const utVec3 t2 = ut_contact_dimension(near->scene->model) == 3 ? axes[2] : ut_vec3_zero();
    static const double turn[DIRECTIONS][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                               {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    for (int k = 0; k < DIRECTIONS; k++) {
        const utVec3 aside =
            ut_vec3_add(ut_vec3_scale(t1, turn[k][0]), ut_vec3_scale(t2, turn[k][1]));
        const utVec3 y = ut_vec3_add_scaled(x, BESIDE * near->radius, aside);
        if (has_normal(near, fixed, &at, y, n, rounding_of(near, fixed)) &&
            neighbours_allow(near, y, n)) {
            return false;
        }
    }
    return true;
}

// Travel of the moving geom along the surface within the step.
static utVec3 tangential_travel(const ContactScene* scene, const utContact* contact, int moving,
                                int fixed, utVec3 n, const double* v)
{
    const utModel* model = scene->model;
    const utVec3 to = ut_contact_twist(scene, model->geom[moving].body, contact->point, v).linear;
    const utVec3 from = ut_contact_twist(scene, model->geom[fixed].body, contact->point, v).linear;
    const utVec3 u = ut_vec3_sub(to, from);
    return ut_vec3_scale(ut_vec3_add_scaled(u, -ut_vec3_dot(u, n), n), scene->h);
}

// An open contact may close beside a hidden place: a box that slides down a ramp meets the floor
// beyond the edge between them, although the floor below the box is inside the ramp.
static bool lands_beside(Neighbours* near, const utBroad* broad, const utContact* contact,
                         int moving, int fixed, utVec3 x, utVec3 n, const double* v)
{
    const ContactScene* scene = near->scene;
    if (v == NULL || !(contact->gap > SHORT_PROBE * near->radius)) {
        return false;
    }
    const utFrame at = ut_geom_frame(scene->kin, fixed);
    const utVec3 y = ut_vec3_add(x, tangential_travel(scene, contact, moving, fixed, n, v));
    find_neighbours(near, broad, moving, fixed, y);
    return has_normal(near, fixed, &at, y, n, 0.0) && !is_hidden_at(near, fixed, y, n);
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
    near.radius = model->geom[moving].radius;
    find_neighbours(&near, broad, moving, fixed, x);
    return is_hidden_at(&near, fixed, x, n) &&
           !lands_beside(&near, broad, contact, moving, fixed, x, n, scene->v_free) &&
           !lands_beside(&near, broad, contact, moving, fixed, x, n, scene->v_next);
}
